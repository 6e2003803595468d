"""Exercises 4.2 and 4.5: the log marginal likelihood, and its derivative with respect to log ℓ."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch04_gp.posterior import CHAPTER, KERNELS, USE
from kcourse.checks.spec import Changed, Exercise, Misconception, Promise, Property

__all__ = ["GP_LOG_MARGINAL", "LML_GRAD_LOG_ELL"]

_LOG_2PI = float(np.log(2 * np.pi))


# -- 4.2


def gp_log_marginal(K, y, noise_var):
    """-½ yᵀA⁻¹y - ½ log det A - n/2 log 2π."""
    return _terms(K, y, noise_var)


def _terms(K, y, noise_var, fit=-0.5, complexity=-0.5, constant=-0.5):
    """The three terms of log p(y), each with its factor."""
    A = K + noise_var * np.eye(len(y))
    return float(fit * y @ np.linalg.solve(A, y) + complexity * np.linalg.slogdet(A)[1] + constant * len(y) * _LOG_2PI)


def _with(**factors):
    return lambda K, y, noise_var: _terms(K, y, noise_var, **factors)


def _log_det_of_K(K, y, noise_var):
    return _terms(K, y, noise_var, complexity=0.0) - 0.5 * float(np.linalg.slogdet(K)[1])


def _data(rng, sizes=(5, 8, 6)):
    found = []
    for n in sizes:
        X = rng.uniform(-2, 2, (n, 2))
        K = rng.uniform(1.4, 2.5) * np.exp(-((X[:, None] - X[None]) ** 2).sum(-1)) + 0.2 * X @ X.T
        found.append((K, 1.5 * rng.normal(size=n), float(rng.uniform(0.1, 0.5))))
    return found


def _many(rng):
    """So many points that the determinant underflows."""
    n = 420
    t = np.linspace(0, 40, n)
    K = 1e-3 * np.exp(-np.abs(np.subtract.outer(t, t)) / 0.5)
    return [(K, 0.03 * rng.normal(size=n) + 0.02, 2e-4)]


_E = USE + "def at(k, y, v):   # one measurement, prior variance k\n" \
    "    return gp_log_marginal(np.array([[k]]), np.array([y]), v)\n"  # fmt: skip

GP_LOG_MARGINAL = Exercise(
    name="gp_log_marginal",
    chapter=CHAPTER,
    number="4.2",
    returns="log p(y), one number",
    reference=gp_log_marginal,
    properties=(
        Property("is the log density of y under N(0, K + σ_n²I)", 3, _data),
        Property(
            "works where the determinant itself would underflow",
            1,
            _many,
            hint="Your answer fails only for many points, where the determinant underflows to 0. Add the logarithms of the diagonal of "
            "the Cholesky factor, or use np.linalg.slogdet.",
        ),
    ),
    promises=(
        Promise("have a determinant that underflows", lambda K, y, v: np.linalg.det(K + v * np.eye(len(y))) == 0, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "log det without a half",
            _with(complexity=-1.0),
            "You subtract log det A without the ½. Because log det A = 2 Σ log L_ii, subtract Σ log L_ii.",
            "Read “The marginal likelihood” again: (7) has the factor ½ before log det A.",
            _E + "print(at(3.0, 0.0, 1.0) - at(0.0, 0.0, 1.0))   # should print -log 2: the variance is four times as large",
        ),
        Misconception(
            "log det quartered",
            _with(complexity=-0.25),
            "You halve Σ log L_ii, which is already half of log det A. Subtract Σ log L_ii itself.",
            "Read “The marginal likelihood” again: log det A = 2 Σ log L_ii.",
            _E + "print((at(3.0, 0.0, 1.0) - at(0.0, 0.0, 1.0)) / np.log(2))   # should print -1",
        ),
        Misconception(
            "no constant",
            _with(constant=0.0),
            "You leave out the constant -n/2 log 2π. Without this term p(y) does not integrate to 1.",
            "Read “The marginal likelihood” again: the last term of (7).",
            _E + "y = np.linspace(-9, 9, 1801)\nprint(sum(np.exp(at(0.5, v, 0.5)) for v in y) * 0.01)   # should print 1, the area under p",
        ),
        Misconception(
            "log det of the kernel alone",
            _log_det_of_K,
            "You take the determinant of K. The measurements have the covariance A = K + σ_n²I, so use log det A.",
            "Read “The marginal likelihood” again: the second term of (7) contains A.",
            _E + "print(at(0.5, 0.0, 0.5))   # should print -(log 2π)/2 = -0.9189: the variance is 1",
        ),
        Misconception(
            "fit without a half",
            _with(fit=-1.0),
            "You leave out the ½ of the first term. Write -½ yᵀA⁻¹y.",
            "Read “The marginal likelihood” again: the first term of (7) has the factor ½.",
            _E + "print(at(0.5, 2.0, 0.5) - at(0.5, 0.0, 0.5))   # should print -2²/2 = -2",
        ),
        Misconception(
            "negative",
            _with(fit=0.5, complexity=0.5, constant=0.5),
            "You return -log p(y), which an optimiser would minimise. Return log p(y).",
            "Read “The marginal likelihood” again: all three terms of (7) are negated.",
            _E + "print(at(0.5, 3.0, 0.5) < at(0.5, 0.0, 0.5))   # should print True: the less likely y has the smaller value",
        ),
        Misconception(
            "complexity with the wrong sign",
            _with(complexity=0.5),
            "You add ½ log det A. A larger determinant spreads the density over more possible y, so subtract this term.",
            "Read “The marginal likelihood” again: the second term of (7) is a penalty.",
            _E + "print(at(99.0, 0.0, 1.0) < at(0.0, 0.0, 1.0))   # should print True: the wider density is lower at y = 0",
        ),
        Misconception(
            "no noise",
            Changed(gp_log_marginal, lambda K, y, noise_var: (K, y, 0.0)),
            "You leave out the noise. The measurements y have the covariance A = K + σ_n²I, so use A in both terms.",
            "Read “The marginal likelihood” again: y is normal with covariance A.",
            _E + "print(at(0.5, 1.0, 0.5), at(1.0, 1.0, 1e-9))   # should nearly agree: the variance is 1 both times",
        ),
        Misconception(
            "standard deviation for the noise variance",
            Changed(gp_log_marginal, lambda K, y, noise_var: (K, y, noise_var**0.5)),
            "You add σ_n to the diagonal instead of σ_n². The argument `noise_var` is already a variance. Add `noise_var` itself.",
            "Read “Find the error” again: a variance is not a standard deviation.",
            _E + "print(at(0.75, 1.0, 0.25), at(0.25, 1.0, 0.75))   # should be equal: the variance is 1 both times",
        ),
        Misconception(
            "y centred",
            Changed(gp_log_marginal, lambda K, y, noise_var: (K, y - y.mean(), noise_var)),
            "You subtract the mean of y. The prior mean is 0 here, so use y as it is.",
            "Read “The marginal likelihood” again: y is normal with mean 0.",
            _E + "print(at(0.5, 1.0, 0.5) - at(0.5, 0.0, 0.5))   # should print -1²/2 = -1/2",
        ),
        Misconception(
            "constant for one point",
            lambda K, y, noise_var: _terms(K, y, noise_var, constant=-0.5 / len(y)),
            "You subtract the constant of one measurement, ½ log 2π. For n measurements it is n/2 log 2π.",
            "Read “The marginal likelihood” again: the last term of (7) contains n.",
            USE + "one = gp_log_marginal(np.eye(1), np.zeros(1), 1.0)\n"
            "print(gp_log_marginal(np.eye(3), np.zeros(3), 1.0) / one)   # should print 3: three independent measurements",
        ),
        Misconception(
            "constant without a half",
            _with(constant=-1.0),
            "You subtract n log 2π. The density has the factor (2π)^(-n/2), so subtract n/2 log 2π.",
            "Read “The marginal likelihood” again: all three terms of (7) have the factor ½.",
            _E + "print(at(0.7, 0.0, 0.3))   # should print -0.9189: the maximum of the normal density of variance 1",
        ),
    ),
    step="Read “The marginal likelihood” again: add the three terms of (7).",
    experiment=USE + "K = np.array([[1.0, 0.5], [0.5, 1.0]])   # two measurements: det A = 2, A⁻¹ = [[3, -1], [-1, 3]] / 4\n"
    "print(gp_log_marginal(K, np.array([2.0, 0.0]), 0.5))   # should print -3/2 - (log 2)/2 - log 2π = -3.6845",
    sizes=lambda K, y, noise_var: {"n": len(y), "noise_var": noise_var},
    allowed=KERNELS,
)  # fmt: skip


# -- 4.5


def lml_grad_log_ell(x, y, ell, noise_var):
    """½ αᵀ(∂A)α - ½ tr(A⁻¹∂A) with ∂A = K ∘ D²/ℓ²."""
    return _slope(x, y, ell, noise_var)


def _slope(x, y, ell, noise_var, *, fit=0.5, trace=-0.5, power=2, of_kernel=True):
    D2 = np.subtract.outer(x, x) ** 2
    K = np.exp(-D2 / (2 * ell**2))
    A = K + noise_var * np.eye(len(x))
    dA = (K if of_kernel else 1.0) * D2 / ell**power
    alpha = np.linalg.solve(A, y)
    return float(fit * alpha @ dA @ alpha + trace * np.trace(np.linalg.solve(A, dA)))


def _turn(**how):
    return lambda x, y, ell, noise_var: _slope(x, y, ell, noise_var, **how)


def _no_noise(x, y, ell, noise_var):
    if np.linalg.cond(np.exp(-(np.subtract.outer(x, x) ** 2) / (2 * ell**2))) > 1e8:
        raise ValueError("K is singular, or so nearly that what comes out is rounding")
    return x, y, ell, 0.0


def _lines(rng):
    return [
        (rng.uniform(-2, 2, n), 1.5 * rng.normal(size=n), float(rng.uniform(0.5, 0.85)), float(rng.uniform(0.1, 0.4)))
        for n in (4, 7, 5)
    ]


_S = USE + "def lml(x, y, ell, v):   # log p(y), without its constant\n" \
    "    A = np.exp(-np.subtract.outer(x, x) ** 2 / (2 * ell**2)) + v * np.eye(len(x))\n" \
    "    return -0.5 * y @ np.linalg.solve(A, y) - 0.5 * np.linalg.slogdet(A)[1]\n" \
    "x = np.array([0.0, 0.7, 1.5])\n"  # fmt: skip

LML_GRAD_LOG_ELL = Exercise(
    name="lml_grad_log_ell",
    chapter=CHAPTER,
    number="4.5",
    returns="the derivative, one number",
    reference=lml_grad_log_ell,
    properties=(
        Property("is the derivative of log p(y) with respect to log ℓ", 2, _lines),
        Property(
            "works if two measurements are at the same point",
            1,
            lambda r: [(np.append(x, x[0]), np.append(y, y[0] + 0.3), e, v) for x, y, e, v in _lines(r)[:2]],
            hint="Your answer fails only if a point occurs twice. Then K is singular and A = K + σ_n²I is not. Solve with A, and do not "
            "divide by a distance.",
        ),
    ),
    promises=(
        Promise("have no point twice", lambda x, *_: len(np.unique(x)) == len(x)),
        Promise("have a point twice", lambda x, *_: len(np.unique(x)) == len(x) - 1, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "slope in the length itself",
            _turn(power=3),
            "You return the derivative with respect to ℓ. By the chain rule the one with respect to log ℓ is ℓ times as large.",
            "Read “The marginal likelihood” again, step 6: it uses logarithms of the parameters.",
            _S + "y = np.array([1.0, -1.0, 0.5]); h = 1e-6\n"
            "print(lml_grad_log_ell(x, y, 0.5, 0.2), (lml(x, y, 0.5 * np.exp(h), 0.2) - lml(x, y, 0.5, 0.2)) / h)   # should be equal",
        ),
        Misconception(
            "without the halves",
            _turn(fit=1.0, trace=-1.0),
            "You return twice the derivative. Check the factor ½ in (8), and the factor of D²/ℓ² in ∂K.",
            "Read “The marginal likelihood” again: (8) begins with the factor ½.",
            _S + "y = np.array([2.0, -1.0, 0.5]); h = 1e-6\n"
            "print(lml_grad_log_ell(x, y, 0.8, 0.2), (lml(x, y, 0.8 * np.exp(h), 0.2) - lml(x, y, 0.8, 0.2)) / h)   # should be equal",
        ),
        Misconception(
            "term of fit only",
            _turn(trace=0.0),
            "You return only the first term. Subtract ½ tr(A⁻¹∂A), with a matrix product and not an entrywise product.",
            "Read “The marginal likelihood” again: (8) has two terms.",
            _S + "print(lml_grad_log_ell(x, np.zeros(3), 0.8, 0.2))   # should not be 0: y = 0 leaves the trace",
        ),
        Misconception(
            "trace only",
            _turn(fit=0.0),
            "You return only the trace, which does not depend on y. Add the first term, ½ αᵀ∂Aα with α = A⁻¹y.",
            "Read “The marginal likelihood” again: (8) has two terms.",
            _S + "print(lml_grad_log_ell(x, 9 * np.ones(3), 0.8, 0.2) - lml_grad_log_ell(x, np.zeros(3), 0.8, 0.2))   # should not be 0",
        ),
        Misconception(
            "trace of an entrywise product",
            lambda x, y, ell, noise_var: 0.0,
            "You return 0. The diagonal of ∂K is 0, so the trace of an entrywise product with it is 0. Multiply the matrices with @.",
            "Read “The marginal likelihood” again: (8) contains the trace of a matrix product.",
            _S + "print(lml_grad_log_ell(x, np.array([1.0, -1.0, 0.5]), 0.5, 0.2) != 0)   # should print True",
        ),
        Misconception(
            "sign reversed",
            _turn(fit=-0.5, trace=0.5),
            "You return minus the derivative. Check the sign of ∂K and the order of the two terms in (8).",
            "Read “The marginal likelihood” again: compare the signs of (8).",
            _S + "print(lml_grad_log_ell(x, np.zeros(3), 0.8, 0.2) > 0)   # should print True: y = 0 fits long length scales better",
        ),
        Misconception(
            "derivative of the exponent with a half",
            lambda x, y, ell, noise_var: _slope(x, y, ell, noise_var) / 2,
            "You halve ∂K once too often. The derivative of -D²/(2ℓ²) with respect to log ℓ is D²/ℓ², without a ½.",
            "Read “The marginal likelihood” again: the exponent 2 cancels the ½.",
            _S + "y = np.array([0.5, -2.0, 0.5]); h = 1e-6\n"
            "print(lml_grad_log_ell(x, y, 0.6, 0.3), (lml(x, y, 0.6 * np.exp(h), 0.3) - lml(x, y, 0.6, 0.3)) / h)   # should be equal",
        ),
        Misconception(
            "kernel missing in its derivative",
            _turn(of_kernel=False),
            "You use the derivative of the exponent as ∂K. The derivative of exp(u) is exp(u)·u′, so multiply by K entry by entry.",
            "Read “The marginal likelihood” again, step 6: ∂A is the derivative of K, entry by entry.",
            _S + "print(lml_grad_log_ell(99 * x, np.array([1.0, -1.0, 0.5]), 0.5, 0.2))   # should print 0, because K = I",
        ),
        Misconception(
            "length not squared",
            _turn(power=1),
            "You divide D² by ℓ in ∂K. The derivative is K ∘ D²/ℓ², so divide by ℓ².",
            "Read “The marginal likelihood” again: the derivative with respect to a logarithm has no unit.",
            _S + "y = np.array([1.0, -1.0, 0.5])\n"
            "print(lml_grad_log_ell(x, y, 0.5, 0.2), lml_grad_log_ell(10 * x, y, 5.0, 0.2))   # should be equal",
        ),
        Misconception(
            "noise forgotten",
            Changed(lml_grad_log_ell, _no_noise),
            "You leave out the noise in A. Use A = K + σ_n²I in both terms.",
            "Read “The marginal likelihood” again: A is K + σ_n²I.",
            _S + "y = np.array([1.0, -1.0, 0.5])\nprint(lml_grad_log_ell(x, y, 0.8, 1e6))   # should be near 0: the data are almost only noise",
        ),
    ),
    step="Read “The marginal likelihood” again, step 6: use (8) with ∂A = ∂K/∂log ℓ = K ∘ D²/ℓ².",
    experiment=_S + "y = np.array([1.0, 0.0, -1.0]); h = 1e-6\n"
    "print(lml_grad_log_ell(x, y, 0.9, 0.1), (lml(x, y, 0.9 * np.exp(h), 0.1) - lml(x, y, 0.9, 0.1)) / h)   # should be equal",
    sizes=lambda x, y, ell, noise_var: {"n": len(x), "ℓ": ell, "noise_var": noise_var},
    allowed=KERNELS,
)  # fmt: skip
