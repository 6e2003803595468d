"""Exercise 1.3: Parzen's density."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch01_neighbors.common import CHAPTER, KERNELS, USE, points
from kcourse.chapters.gaussian_mistakes import GAUSSIAN_MISTAKES, gaussian
from kcourse.checks.spec import Exercise, Misconception, Promise, Property

__all__ = ["PARZEN_DENSITY"]


def parzen_density(X, Xq, sigma):
    """Return 1/n Σ_i (2πσ²)^(-d/2) exp(-‖x - x_i‖²/(2σ²))."""
    return _with_kernel(gaussian)(X, Xq, sigma)


def _with_kernel(kernel):
    """Return the mean of another kernel (X, Z, sigma), with the factor of the Gaussian."""
    return lambda X, Xq, sigma: kernel(Xq, X, sigma).mean(axis=1) * (2 * np.pi * sigma**2) ** (-X.shape[1] / 2)


def _times(factor):
    """Return the right density times factor(n, d, σ)."""
    return lambda X, Xq, sigma: parzen_density(X, Xq, sigma) * factor(len(X), X.shape[1], sigma)


def _inputs(rng):
    shapes = [(6, 2, 4, rng.uniform(0.6, 0.8)), (5, 3, 7, rng.uniform(1.3, 1.6)), (7, 1, 5, rng.uniform(0.6, 0.8))]
    return [(points(rng, n, d), points(rng, q, d), float(sigma)) for n, d, q, sigma in shapes]


def _narrow(rng):
    """Gaussians so narrow that the density is above 1 at the queries."""
    found = []
    for n, d, q in ((3, 1, 4), (4, 2, 5)):
        X = points(rng, n, d)
        sigma = float(rng.uniform(0.02, 0.04))
        found.append((X, X[rng.integers(n, size=q)] + sigma * rng.normal(size=(q, d)) * 0.3, sigma))
    return found


# the area under the student's density on a line, and the volume in the plane, by sums over a fine grid
_AREA = USE + "x = np.linspace(-8, 8, 4001)[:, None]\n" \
    "def area(X, s):\n    return parzen_density(np.array(X), x, s).sum() * 0.004\n"  # fmt: skip
_PLANE = USE + "u = np.linspace(-6, 6, 121); P = np.array([[a, b] for a in u for b in u])\n"
_STEP = "Read “Density estimation: Parzen's window” again: "

PARZEN_DENSITY = Exercise(
    name="parzen_density",
    chapter=CHAPTER,
    number="1.3",
    returns="the densities p(x_q), shape (q,), one for each row of Xq",
    reference=parzen_density,
    properties=(
        Property("is Parzen's density in one, two and three dimensions", 2, _inputs),
        Property(
            "rises above 1 where the Gaussians are narrow",
            1,
            _narrow,
            hint="Your answer fails only when the density is above 1. A density is not a probability and can be larger than 1. "
            "Only its integral must be 1.",
        ),
    ),
    promises=(
        Promise("have a density above 1 at each query", lambda *args: parzen_density(*args).min() > 1, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "no 1/n",
            _times(lambda n, d, s: n),
            "You add the n Gaussians, so the area under your curve is n. A density has the area 1. Divide by n.",
            _STEP + "equation (7) begins with 1/n.",
            _AREA + "for X in ([[0.0]], [[0.0], [1.0]]):\n    print(area(X, 0.5))   # should print 1 each time",
        ),
        Misconception(
            "no Gaussian constant",
            _times(lambda n, d, s: (2 * np.pi * s**2) ** (d / 2)),
            "You leave out the factor in front of the Gaussian. Without it, the area under each bump is not 1. Multiply by "
            "(2πσ²)^(-d/2).",
            _STEP + "the factor cancels in the weighted mean (2), but a density needs it.",
            _AREA + "for s in (0.3, 0.6):\n    print(area([[0.0]], s))   # should print 1 each time",
        ),
        Misconception(
            "constant of one dimension",
            _times(lambda n, d, s: (2 * np.pi * s**2) ** ((d - 1) / 2)),
            "You use the factor of one dimension, √(2πσ²). A Gaussian in d dimensions has one such factor for each. Divide by "
            "(2πσ²)^(d/2).",
            _STEP + "the exponent in (7) is d/2.",
            _PLANE + "print(parzen_density(np.zeros((1, 2)), P, 0.7).sum() * 0.01)   # volume in the plane: should print 1",
        ),
        Misconception(
            "exponent d for d/2",
            _times(lambda n, d, s: (2 * np.pi * s**2) ** (-d / 2)),
            "You divide by (2πσ²)^d. Each dimension contributes √(2πσ²), so the exponent is d/2. Divide by (2πσ²)^(d/2).",
            _STEP + "the exponent in (7) is d/2.",
            _AREA + "for s in (0.4, 0.5):\n    print(area([[0.0]], s))   # should print 1 for every width",
        ),
        Misconception(
            "sigma to the first power",
            _times(lambda n, d, s: s ** (d - 1)),
            "You divide by σ once. In d dimensions (2πσ²)^(d/2) contains σ^d. Divide by σ^d.",
            _STEP + "the factor in (7) contains σ to the power d.",
            _PLANE + "for s in (0.5, 0.9):\n    print(parzen_density(np.zeros((1, 2)), P, s).sum() * 0.01)   # should print 1 each time",
        ),
        Misconception(
            "sigma missing in the constant",
            _times(lambda n, d, s: s**d),
            "You use the factor of σ = 1. A Gaussian that is twice as wide must be half as high. Divide by (2πσ²)^(d/2).",
            _STEP + "the factor in (7) contains σ as well.",
            _AREA + "for s in (0.5, 0.8):\n    print(area([[0.0]], s))   # should print 1 for every width",
        ),
        *(
            Misconception(
                name, _with_kernel(GAUSSIAN_MISTAKES[name][0]),
                GAUSSIAN_MISTAKES[name][1], step, f"{_AREA}print(area([[0.0]], {width}))   # the area: should print 1",
            )
            for name, width, step in (
                ("exponent without the 2", 0.65, "Read “Nadaraya–Watson: weight neighbours by distance” again: the exponent has a factor 2."),
                ("all of 2 sigma squared", 0.55, _STEP + "the denominator in the exponent of (7) is 2σ²."),
                ("sigma not squared", 0.35, _STEP + "the denominator in the exponent of (7) is 2σ²."),
                ("distance not squared", 0.45, _STEP + "the exponent of (7) contains the squared distance."),
            )
        ),
        Misconception(
            "log density",
            lambda X, Xq, sigma: np.log(parzen_density(X, Xq, sigma)),
            "You return the logarithm of the density, as scikit-learn's score_samples does. Return the density itself.",
            _STEP + "equation (7) is a mean of Gaussians, without a logarithm.",
            USE + "print(parzen_density(np.zeros((1, 1)), np.array([[5.0]]), 1.0) >= 0)   # a density: should print True",
        ),
        Misconception(
            "sums to one over the queries",
            lambda X, Xq, sigma: (p := parzen_density(X, Xq, sigma)) / p.sum(),
            "You divide by the sum over the queries. The integral of a density over all x is 1, whatever the queries are. "
            "Return (7) as it is.",
            _STEP + "a density is not a probability.",
            USE + "X = np.zeros((1, 1)); p = parzen_density(X, np.zeros((3, 1)), 0.5)\n"
            "print(p / parzen_density(X, X, 0.5))   # always at the same x: should print 1, 1, 1",
        ),
    ),
    step=_STEP + "put a Gaussian of area 1 on every point and take their mean.",
    experiment=_AREA + "print(area([[0.0], [1.5]], 0.4))   # the area under a density: should print 1",
    sizes=lambda X, Xq, sigma: {"n": len(X), "σ": sigma, "d": X.shape[1], "q": len(Xq)},
    allowed=KERNELS,
)  # fmt: skip
