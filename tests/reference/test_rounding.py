"""Gaussian processes and kernel ridge regression of nearly singular matrices, against 60 digits."""

import re
import warnings
from decimal import Decimal, localcontext

import numpy as np
import pytest

from kcourse import Gaussian, InverseMultiquadric, KernelRidge, Laplacian, Matern, Periodic, RationalQuadratic
from kcourse.gp import GaussianProcess
from kcourse.kernels import stationary
from kcourse.rbf import RegularizationNetwork

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534")


def squared(x, z, sigma):
    return sum(((a - b) / sigma) ** 2 for a, b in zip(x, z, strict=True))


def sine(x):
    term = total = x % (2 * PI)
    square, i = term * term, 1
    while abs(term) > Decimal("1e-62"):
        i += 2
        term *= -square / (i * (i - 1))
        total += term
    return total


def matern(square, nu):
    s = (2 * nu * square).sqrt()
    polynomials = {"1.5": 1 + s, "2.5": 1 + s + s * s / 3, "3.5": 1 + s + 2 * s * s / 5 + s**3 / 15}
    return polynomials[str(nu)] * (-s).exp()


FORMULAS = {
    Gaussian: lambda x, z, sigma: (-squared(x, z, sigma) / 2).exp(),
    Laplacian: lambda x, z, sigma: (-squared(x, z, sigma).sqrt()).exp(),
    Matern: lambda x, z, nu, sigma: matern(squared(x, z, sigma), nu),
    RationalQuadratic: lambda x, z, sigma, alpha: (1 + squared(x, z, sigma) / (2 * alpha)) ** -alpha,
    Periodic: lambda x, z, period, sigma: (
        -2 * sum(sine(PI * (a - b) / period) ** 2 for a, b in zip(x, z, strict=True)) / sigma**2
    ).exp(),
    InverseMultiquadric: lambda x, z, c: 1 / (squared(x, z, Decimal(1)) + c**2).sqrt(),
}


def decimals(A):
    return np.vectorize(Decimal, otypes=[object])(A)


def values(kernel, X, Z):
    formula, parameters = FORMULAS[type(kernel)], {k: Decimal(float(v)) for k, v in kernel.get_params().items()}
    return np.array([[formula(x, z, **parameters) for z in decimals(Z)] for x in decimals(X)], dtype=object)


def factor(A):
    L = np.zeros_like(A)
    for j in range(len(A)):
        column = A[j:, j] - L[j:, :j] @ L[j, :j] if j else A[:, 0]
        L[j:, j] = column / column[0].sqrt()
    return L


def forward(L, B):
    V = B.copy()
    for i in range(len(L)):
        V[i] = (B[i] - L[i, :i] @ V[:i]) / L[i, i] if i else B[0] / L[0, 0]
    return V


def truth(kernel, amplitude, X, y, noise, Q):
    """The posterior mean and covariance; the factor s(x), and Σ_i A_ii α_i², of the rounding errors in the docs."""
    with localcontext(prec=60):
        amplitude = Decimal(amplitude)
        A = amplitude * values(kernel, X, X) + Decimal(noise) * np.eye(len(X), dtype=int).astype(object)
        L, k = factor(A), amplitude * values(kernel, X, Q)
        V, v = forward(L, k), forward(L, decimals(y))
        backward = forward(L[::-1, ::-1].T, np.column_stack([V, v])[::-1])[::-1]
        W, alpha = backward[:, :-1], backward[:, -1]
        prior = amplitude * values(kernel, Q, Q)
        results = V.T @ v, prior - V.T @ V, prior.diagonal() + A[0, 0] * np.sum(W * W, axis=0), A[0, 0] * alpha @ alpha
    return [np.array(result, dtype=float) for result in results]


def system(seed):
    """A kernel, its amplitude, a few points in [0, 1]^d, targets, a noise variance that is mostly tiny, and queries."""
    rng = np.random.default_rng(seed)
    n, d, sigma = int(rng.integers(3, 9)), int(rng.choice([1, 1, 2])), 2.0 ** rng.uniform(-2, 5)
    kernels = [
        Gaussian(sigma),
        Laplacian(sigma),
        Matern(1.5, sigma),
        Matern(2.5, sigma),
        Matern(3.5, sigma),
        RationalQuadratic(sigma, 2.0 ** rng.uniform(-2, 3)),
        Periodic(2.0 ** rng.uniform(0, 4), max(sigma / 4, 0.2)),
        InverseMultiquadric(sigma),
    ]
    kernel, amplitude = kernels[seed % len(kernels)], float(rng.choice([1, 1, 1e-6, 1e6]))
    X = rng.random((n, d))
    y = np.sin(3 * X[:, 0] + 1) if rng.random() < 0.5 else rng.standard_normal(n)
    noise = float(rng.choice([0, 0, 0, 1e-16, 1e-14, 1e-12, 1e-8])) * amplitude
    Q = np.vstack([X[:2], rng.random((4, d)), rng.uniform(-1, 2, (2, d))])
    return kernel, amplitude, X, y, noise, Q


def posterior(kernel, amplitude, X, y, noise, Q):
    model = GaussianProcess(amplitude * kernel, noise_variance=noise).fit(X, y)
    mean, sd = model.predict(Q, return_std=True)
    return mean, sd, model.predict(Q, return_cov=True)[1], model.sample(Q, 2, rng=0)


def fitted(model, kernel, amplitude, X, y, lam):
    return model(amplitude * kernel, lam=lam).fit(X, y).predict(X)


def told(call, *arguments):
    """The result of a call, and the noise variance or λ that a warning or an error names as enough, or None."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        try:
            result, said = call(*arguments), [str(warning.message) for warning in found]
        except ValueError as error:
            result, said = None, [str(error)]
    return result, float(re.search(r"take \w+ of at least (\S+)\.$", said[-1])[1]) if said else None


SEEDS = [range(24), *(pytest.param(range(i, i + 46), marks=pytest.mark.weekly) for i in range(24, 300, 46))]


def test_every_stationary_kernel_is_examined():
    assert {kernel.__name__ for kernel in FORMULAS} >= set(stationary.__all__)


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_a_process_is_as_accurate_as_it_says_or_says_that_it_is_not(seeds):
    for seed in seeds:
        kernel, amplitude, X, y, noise, Q = system(seed)
        found, enough = told(posterior, kernel, amplitude, X, y, noise, Q)
        for _ in range(2):  # the first remedy may be for the training points, the second is for all x
            if enough is not None:
                noise = enough
                found, enough = told(posterior, kernel, amplitude, X, y, noise, Q)
        assert enough is None, seed
        mean, sd, cov, draws = found
        true_mean, true_cov, scale, size = truth(kernel, amplitude, X, y, noise, Q)
        off, lost = np.abs(mean - true_mean), (len(y) + 100) * np.finfo(float).eps
        assert off.max() <= 1e-3 * np.abs(y).max(), seed
        assert np.abs(sd - np.sqrt(np.maximum(true_cov.diagonal(), 0))).max() <= 1e-3 * amplitude**0.5, seed
        # the bounds of the docstring, which are about right: 2
        assert np.all(off <= 2 * lost * np.sqrt(scale * size)), seed
        assert np.all(np.abs(cov - true_cov) <= 2 * lost * np.sqrt(np.outer(scale, scale))), seed
        w, U = np.linalg.eigh(true_cov)
        Z = np.random.default_rng(0).standard_normal((2, len(Q)))
        error = draws - true_mean - Z @ (U * np.sqrt(np.maximum(w, 0))) @ U.T
        limit = np.sqrt(lost * scale.sum()) * np.linalg.norm(Z, axis=1) + off.max()
        assert np.all(np.abs(error).max(axis=1) <= 2 * limit), seed


@pytest.mark.parametrize("model", [KernelRidge, RegularizationNetwork])
@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_the_fitted_values_of_a_tiny_penalty_are_accurate_or_said_not_to_be(seeds, model):
    for seed in seeds:
        kernel, amplitude, X, y, _, _ = system(seed)
        lam = 10.0 ** np.random.default_rng(seed).uniform(-20, -10) * amplitude
        f, enough = told(fitted, model, kernel, amplitude, X, y, lam)
        if enough is not None:
            lam = enough
            f, enough = told(fitted, model, kernel, amplitude, X, y, lam)
        assert enough is None, seed
        assert np.abs(f - truth(kernel, amplitude, X, y, lam, X)[0]).max() <= 1e-3 * np.abs(y).max(), seed
