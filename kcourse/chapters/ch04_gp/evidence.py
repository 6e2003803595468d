"""Exercises 4.2 and 4.5: the log marginal likelihood, and its slope in the logarithm of the length scale."""

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


def _fit_by_the_kernel(K, y, noise_var):
    if np.linalg.cond(K) > 1e8:
        raise ValueError("K is singular, or so nearly that what comes out is rounding")
    return _terms(K, y, noise_var, fit=0.0) - 0.5 * float(y @ np.linalg.solve(K, y))


def _data(rng, sizes=(5, 8, 6)):
    found = []
    for n in sizes:
        X = rng.uniform(-2, 2, (n, 2))
        K = rng.uniform(1.4, 2.5) * np.exp(-((X[:, None] - X[None]) ** 2).sum(-1)) + 0.2 * X @ X.T
        found.append((K, 1.5 * rng.normal(size=n), float(rng.uniform(0.1, 0.5))))
    return found


def _many(rng):
    """So many points that the determinant is no float any more."""
    n = 420
    t = np.linspace(0, 40, n)
    K = 1e-3 * np.exp(-np.abs(np.subtract.outer(t, t)) / 0.5)
    return [(K, 0.03 * rng.normal(size=n), 2e-4)]


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
            hint="Your answer fails only for many points: the determinant of a large matrix is no number of this arithmetic, its logarithm is. "
            "Add the logarithms of the diagonal of the Cholesky factor, or take np.linalg.slogdet.",
        ),
    ),
    promises=(
        Promise("have a determinant that underflows", lambda K, y, v: np.linalg.det(K + v * np.eye(len(y))) == 0, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "log det without a half",
            _with(complexity=-1.0),
            "Your log det comes without its ½; that is, 2Σ log L_ii was not halved.",
            "Read “How likely were these data?” again: (7) has a ½ before log det A.",
            _E + "print(at(3.0, 0.0, 1.0) - at(0.0, 0.0, 1.0))   # four times the variance: should print -log 2",
        ),
        Misconception(
            "log det quartered",
            _with(complexity=-0.25),
            "Your log det is halved once too often: Σ log L_ii is already half of it.",
            "Read “How likely were these data?” again: log det A = 2 Σ log L_ii.",
            _E + "print((at(3.0, 0.0, 1.0) - at(0.0, 0.0, 1.0)) / np.log(2))   # should print -1",
        ),
        Misconception(
            "no constant",
            _with(constant=0.0),
            "The constant -n/2 log 2π is missing: without it p(y) does not integrate to 1.",
            "Read “How likely were these data?” again: the last term of (7).",
            _E + "y = np.linspace(-9, 9, 1801)\nprint(sum(np.exp(at(0.5, v, 0.5)) for v in y) * 0.01)   # the area under p: should print 1",
        ),
        Misconception(
            "constant with the wrong sign",
            _with(constant=0.5),
            "Your constant n/2 log 2π is added; it is subtracted, since 2π stands below the line in the normal density.",
            "Read “How likely were these data?” again: the last term of (7).",
            _E + "print(np.exp(at(0.5, 0.0, 0.5)))   # the height of the normal density of variance 1: should print 0.3989",
        ),
        Misconception(
            "log det of the kernel alone",
            _log_det_of_K,
            "Your log det is that of K; both terms are made of A = K + σ_n²I.",
            "Read “How likely were these data?” again: (7) has log det A.",
            _E + "print(at(0.5, 0.0, 0.5))   # variance 1: should print -(log 2π)/2 = -0.9189",
        ),
        Misconception(
            "fit without a half",
            _with(fit=-1.0),
            "Your term of fit comes without its ½.",
            "Read “How likely were these data?” again: the first term of (7).",
            _E + "print(at(0.5, 2.0, 0.5) - at(0.5, 0.0, 0.5))   # a normal density: should print -2²/2 = -2",
        ),
        Misconception(
            "negative",
            _with(fit=0.5, complexity=0.5, constant=0.5),
            "You return minus log p(y), what an optimiser would make small; asked is log p(y).",
            "Read “How likely were these data?” again: the signs of (7).",
            _E + "print(at(0.5, 3.0, 0.5) < at(0.5, 0.0, 0.5))   # the less likely y must have the smaller value: True",
        ),
        Misconception(
            "complexity with the wrong sign",
            _with(complexity=0.5),
            "Your complexity term has the wrong sign: it rewards a process that can draw anything.",
            "Read “How likely were these data?” again: the second term of (7) is a price.",
            _E + "print(at(99.0, 0.0, 1.0) < at(0.0, 0.0, 1.0))   # at y = 0 the wider density is the lower one: True",
        ),
        Misconception(
            "no noise",
            Changed(gp_log_marginal, lambda K, y, noise_var: (K, y, 0.0)),
            "The noise is missing: the y are measurements, with covariance K + σ_n²I.",
            "Read “How likely were these data?” again: y ~ N(0, A).",
            _E + "print(at(0.5, 1.0, 0.5), at(1.0, 1.0, 1e-9))   # the same variance 1: must nearly agree",
        ),
        Misconception(
            "standard deviation for the noise variance",
            Changed(gp_log_marginal, lambda K, y, noise_var: (K, y, noise_var**0.5)),
            "You add σ_n to the diagonal where σ_n² belongs: a variance is given.",
            "Read “Find the error” again: a variance is not a standard deviation.",
            _E + "print(at(0.75, 1.0, 0.25), at(0.25, 1.0, 0.75))   # both have variance 1: should be equal",
        ),
        Misconception(
            "constant for one point",
            lambda K, y, noise_var: _terms(K, y, noise_var, constant=-0.5 / len(y)),
            "Your constant is that of a single number; it is -n/2 log 2π for n of them.",
            "Read “How likely were these data?” again: the n in (7).",
            USE + "one = gp_log_marginal(np.eye(1), np.zeros(1), 1.0)\n"
            "print(gp_log_marginal(np.eye(3), np.zeros(3), 1.0) / one)   # three independent numbers: should print 3",
        ),
        Misconception(
            "constant without a half",
            _with(constant=-1.0),
            "Your constant is n log 2π; in the logarithm the root of (2π)ⁿ becomes a ½.",
            "Read “How likely were these data?” again: all three terms of (7) have a ½.",
            _E + "print(at(0.7, 0.0, 0.3))   # a normal density of variance 1, at its top: should print -0.9189",
        ),
        Misconception(
            "fit by the kernel alone",
            _fit_by_the_kernel,
            "Your term of fit is made with K⁻¹; the y are measurements, with covariance A = K + σ_n²I in both terms.",
            "Read “How likely were these data?” again: the A⁻¹ of the first term of (7).",
            _E + "print(at(0.5, 1.0, 0.5) - at(0.5, 0.0, 0.5))   # variance 1: should print -1/2",
        ),
        Misconception(
            "noise in every entry",
            lambda K, y, noise_var: _terms(K + noise_var, y, 0.0),
            "You add σ_n² to every entry of K; noises of two measurements have nothing to do with each other, so it stands on the "
            "diagonal alone.",
            "Read “Conditioning” again: A is K + σ_n²I, with an I.",
            _E + "two = gp_log_marginal(np.eye(2), np.zeros(2), 1.0)\n"
            "print(two / at(1.0, 0.0, 1.0))   # two independent numbers: should print 2",
        ),
        Misconception(
            "mean over the points",
            lambda K, y, noise_var: _terms(K, y, noise_var) / len(y),
            "You divide by n: log p(y) is of all measurements together.",
            "Read “How likely were these data?” again: (7) is no mean.",
            USE + "one = gp_log_marginal(np.eye(1), np.ones(1), 0.5)\n"
            "print(gp_log_marginal(np.eye(4), np.ones(4), 0.5) / one)   # four independent numbers: should print 4",
        ),
        Misconception(
            "density itself",
            lambda K, y, noise_var: np.exp(_terms(K, y, noise_var)),
            "You return the density; its logarithm is asked for.",
            "Read “How likely were these data?” again: the left side of (7).",
            _E + "print(at(0.5, 3.0, 0.5))   # a logarithm, far below the maximum: should be negative",
        ),
    ),
    step="Read “How likely were these data?” again: the three terms of (7).",
    experiment=USE + "K = np.array([[1.0, 0.5], [0.5, 1.0]])   # two measurements: det A = 2, A⁻¹ = [[3, -1], [-1, 3]] / 4\n"
    "print(gp_log_marginal(K, np.array([2.0, 0.0]), 0.5))   # should print -3/2 - (log 2)/2 - log 2π = -3.6845",
    sizes=lambda K, y, noise_var: {"n": len(y), "σ_n²": noise_var},
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
    returns="the slope, one number",
    reference=lml_grad_log_ell,
    properties=(
        Property("is the slope of log p(y) in log ℓ", 2, _lines),
        Property(
            "works where two measurements were made at the same place",
            1,
            lambda r: [(np.append(x, x[0]), np.append(y, y[0] + 0.3), e, v) for x, y, e, v in _lines(r)[:2]],
            hint="Your answer fails only when a place occurs twice: K is singular then and A = K + σ_n²I is not. Solve with A, and divide by "
            "no distance.",
        ),
    ),
    promises=(
        Promise("have no place twice", lambda x, *_: len(np.unique(x)) == len(x)),
        Promise("have a place twice", lambda x, *_: len(np.unique(x)) == len(x) - 1, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "slope in the length itself",
            _turn(power=3),
            "Your slope is that in ℓ; the one in log ℓ is ℓ times as large, by the chain rule.",
            "Read “How likely were these data?” again, step 6: one climbs in the logarithms.",
            _S + "y = np.array([1.0, -1.0, 0.5]); h = 1e-6\n"
            "print(lml_grad_log_ell(x, y, 0.5, 0.2), (lml(x, y, 0.5 * np.exp(h), 0.2) - lml(x, y, 0.5, 0.2)) / h)   # should be equal",
        ),
        Misconception(
            "without the halves",
            _turn(fit=1.0, trace=-1.0),
            "The ½ of both terms is missing.",
            "Read “How likely were these data?” again: (8) begins with ½.",
            _S + "y = np.array([2.0, -1.0, 0.5]); h = 1e-6\n"
            "print(lml_grad_log_ell(x, y, 0.8, 0.2), (lml(x, y, 0.8 * np.exp(h), 0.2) - lml(x, y, 0.8, 0.2)) / h)   # should be equal",
        ),
        Misconception(
            "term of fit only",
            _turn(trace=0.0),
            "What comes back is the term of fit alone. The trace is missing or 0; that of the matrix product A⁻¹∂A is not 0.",
            "Read “How likely were these data?” again: (8) has two terms.",
            _S + "print(lml_grad_log_ell(x, np.zeros(3), 0.8, 0.2))   # with y = 0 the trace is left: must not be 0",
        ),
        Misconception(
            "trace only",
            _turn(fit=0.0),
            "Only the trace is there: your slope does not look at y.",
            "Read “How likely were these data?” again: (8) has two terms.",
            _S + "print(lml_grad_log_ell(x, 9 * np.ones(3), 0.8, 0.2) - lml_grad_log_ell(x, np.zeros(3), 0.8, 0.2))   # must not be 0",
        ),
        Misconception(
            "sign turned round",
            _turn(fit=-0.5, trace=0.5),
            "The sign is turned round: that is the slope of -log p(y).",
            "Read “How likely were these data?” again: the signs of (8).",
            _S + "print(lml_grad_log_ell(x, np.zeros(3), 0.8, 0.2) > 0)   # y = 0 likes calm processes: should print True",
        ),
        Misconception(
            "trace added",
            _turn(trace=0.5),
            "The trace is added; it is subtracted.",
            "Read “How likely were these data?” again: the signs of (8).",
            _S + "print(lml_grad_log_ell(x, 0 * x, 0.8, 0.2) > 0, 'should print True: y = 0 likes calm processes')",
        ),
        Misconception(
            "derivative of the exponent with a half",
            lambda x, y, ell, noise_var: _slope(x, y, ell, noise_var) / 2,
            "Your ∂K has a ½ too many: the derivative of -D²/(2ℓ²) in log ℓ is D²/ℓ².",
            "Read “How likely were these data?” again: ∂A is taken in log ℓ, and the 2 of the square cancels the ½.",
            _S + "y = np.array([0.5, -2.0, 0.5]); h = 1e-6\n"
            "print(lml_grad_log_ell(x, y, 0.6, 0.3), (lml(x, y, 0.6 * np.exp(h), 0.3) - lml(x, y, 0.6, 0.3)) / h)   # should be equal",
        ),
        Misconception(
            "kernel missing in its derivative",
            _turn(of_kernel=False),
            "Your ∂K is the derivative of the exponent alone; that of exp(u) is exp(u) times that of u, so K is a factor of ∂K.",
            "Read “How likely were these data?” again, step 6: ∂A is the derivative of K entry by entry, by the chain rule.",
            _S + "print(lml_grad_log_ell(99 * x, np.array([1.0, -1.0, 0.5]), 0.5, 0.2))   # so far apart that K = I: should print 0",
        ),
        Misconception(
            "length not squared",
            _turn(power=1),
            "Your ∂K divides by ℓ; it is D²/ℓ², which has no unit.",
            "Read “How likely were these data?” again: the slope in a logarithm has no unit.",
            _S + "y = np.array([1.0, -1.0, 0.5])\n"
            "print(lml_grad_log_ell(x, y, 0.5, 0.2), lml_grad_log_ell(10 * x, y, 5.0, 0.2))   # other units: should be equal",
        ),
        Misconception(
            "noise forgotten",
            Changed(lml_grad_log_ell, _no_noise),
            "The noise is missing in A.",
            "Read “How likely were these data?” again: y ~ N(0, A), and A = K + σ_n²I.",
            _S + "y = np.array([1.0, -1.0, 0.5])\nprint(lml_grad_log_ell(x, y, 0.8, 1e6))   # mere noise: the slope should be near 0",
        ),
    ),
    step="Read “How likely were these data?” again, step 6: (8), with ∂A = ∂K/∂log ℓ = K ∘ D²/ℓ².",
    experiment=_S + "y = np.array([1.0, 0.0, -1.0]); h = 1e-6\n"
    "print(lml_grad_log_ell(x, y, 0.9, 0.1), (lml(x, y, 0.9 * np.exp(h), 0.1) - lml(x, y, 0.9, 0.1)) / h)   # should be equal",
    sizes=lambda x, y, ell, noise_var: {"n": len(x), "ℓ": ell, "σ_n²": noise_var},
    allowed=KERNELS,
)  # fmt: skip
