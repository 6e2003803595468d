"""Exercise 1.3: Parzen's density."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch01_neighbors.common import CHAPTER, KERNELS, USE, points
from kcourse.chapters.gaussian_mistakes import differences, squares
from kcourse.checks.spec import Exercise, Misconception, Promise, Property

__all__ = ["PARZEN_DENSITY"]


def parzen_density(X, Xq, sigma):
    """1/n Σ_i (2πσ²)^(-d/2) exp(-‖x - x_i‖²/(2σ²))."""
    return _bells(X, Xq, sigma).mean(axis=1) * (2 * np.pi * sigma**2) ** (-X.shape[1] / 2)


def _bells(X, Xq, sigma):
    return np.exp(-squares(Xq, X) / (2 * sigma**2))


def _one_dimensional(X, Xq, sigma):
    """A bell of area 1 for each feature, (q, n, d)."""
    return np.exp(-(differences(Xq, X) ** 2) / (2 * sigma**2)) / (2 * np.pi * sigma**2) ** 0.5


def _times(factor):
    """The right density times factor(n, d, σ)."""
    return lambda X, Xq, sigma: parzen_density(X, Xq, sigma) * factor(len(X), X.shape[1], sigma)


def _with_exponent(exponent):
    """The right factor before another exponent, a function (squared distances, σ)."""

    def answer(X, Xq, sigma):
        return np.exp(exponent(squares(Xq, X), sigma)).mean(axis=1) * (2 * np.pi * sigma**2) ** (-X.shape[1] / 2)

    return answer


def _inputs(rng):
    shapes = [(6, 2, 4, rng.uniform(0.6, 0.8)), (5, 3, 7, rng.uniform(1.3, 1.6)), (7, 1, 5, rng.uniform(0.6, 0.8))]
    return [(points(rng, n, d), points(rng, q, d), float(sigma)) for n, d, q, sigma in shapes]


def _narrow(rng):
    """Bells so narrow that the density is above 1 where the queries are."""
    found = []
    for n, d, q in ((3, 1, 4), (4, 2, 5)):
        X = points(rng, n, d)
        sigma = float(rng.uniform(0.02, 0.04))
        found.append((X, X[rng.integers(n, size=q)] + sigma * rng.normal(size=(q, d)) * 0.3, sigma))
    return found


# the area under your density of one point on a line, by sums over a fine grid
_AREA = USE + "x = np.linspace(-8, 8, 4001)[:, None]\n" \
    "def area(X, s):\n    return parzen_density(np.array(X), x, s).sum() * 0.004\n"  # fmt: skip
_PLANE = USE + "u = np.linspace(-6, 6, 121); P = np.array([[a, b] for a in u for b in u])\n"

PARZEN_DENSITY = Exercise(
    name="parzen_density",
    chapter=CHAPTER,
    number="1.3",
    returns="the densities p(x_q), shape (q,), one for each row of Xq",
    reference=parzen_density,
    properties=(
        Property("is Parzen's density in one, two and three dimensions", 2, _inputs),
        Property(
            "rises above 1 where the bells are narrow",
            1,
            _narrow,
            hint="Your answer fails only when the density is above 1: a density is no probability and may be as large as it "
            "likes, only its integral is 1.",
        ),
    ),
    promises=(
        Promise("have a density above 1 at each query", lambda *args: parzen_density(*args).min() > 1, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "no 1/n",
            _times(lambda n, d, s: n),
            "You add the bells and do not divide by n: their sum has the area n.",
            "Read “Parzen's window: a density” again: (7) begins with 1/n.",
            _AREA + "print(area([[0.0]], 0.5), area([[0.0], [1.0]], 0.5))   # both should be 1",
        ),
        Misconception(
            "no Gaussian constant",
            _times(lambda n, d, s: (2 * np.pi * s**2) ** (d / 2)),
            "The factor before the bell is missing: without it a bell has not the area 1.",
            "Read “Parzen's window: a density” again: in the quotient (2) the factor cancels, in a density it stands.",
            _AREA + "for s in (0.3, 0.6):\n    print(area([[0.0]], s))   # should print 1 for every width",
        ),
        Misconception(
            "constant of one dimension",
            _times(lambda n, d, s: (2 * np.pi * s**2) ** ((d - 1) / 2)),
            "Your factor is that of one dimension; in d dimensions it has the exponent d/2.",
            "Read “Parzen's window: a density” again: (7) has the exponent d/2.",
            _PLANE + "print(parzen_density(np.zeros((1, 2)), P, 0.7).sum() * 0.01)   # the volume in the plane: should print 1",
        ),
        Misconception(
            "exponent d for d/2",
            _times(lambda n, d, s: (2 * np.pi * s**2) ** (-d / 2)),
            "Your factor is 1/(2πσ²)^d; the exponent is d/2, one √(2πσ²) for each dimension.",
            "Read “Parzen's window: a density” again, the exponent in (7).",
            _AREA + "for s in (0.4, 0.5):\n    print(area([[0.0]], s))   # the root is missing: should print 1 for every width",
        ),
        Misconception(
            "exponent rounded down",
            _times(lambda n, d, s: (2 * np.pi * s**2) ** (d / 2 - d // 2)),
            "Your factor has the exponent d // 2, a whole number: where d is odd, a root is missing.",
            "Read “Parzen's window: a density” again: (7) has the exponent d/2.",
            _AREA + "for s in (0.35, 0.6):\n    print(area([[0.0]], s))   # one dimension: should print 1 for either width",
        ),
        Misconception(
            "sigma to the first power",
            _times(lambda n, d, s: s ** (d - 1)),
            "Your factor divides by σ once; in d dimensions it is σ to the power d.",
            "Read “Parzen's window: a density” again: (2πσ²)^(d/2) holds σ to the power d.",
            _PLANE + "for s in (0.5, 0.9):\n    print(parzen_density(np.zeros((1, 2)), P, s).sum() * 0.01)   # should print 1 both times",
        ),
        Misconception(
            "sigma missing in the constant",
            _times(lambda n, d, s: s**d),
            "Your factor is that of σ = 1: a bell that is twice as wide has to be half as high.",
            "Read “Parzen's window: a density” again: σ stands in the factor, too.",
            _AREA + "for s in (0.5, 0.8):\n    print(area([[0.0]], s))   # must not depend on the width: 1",
        ),
        Misconception(
            "variance for sigma in the constant",
            _times(lambda n, d, s: s**-d),
            "Your factor holds σ² where σ belongs, as √(2π)·σ² for each dimension.",
            "Read “Parzen's window: a density” again: the root of 2πσ² is √(2π)·σ.",
            _AREA + "for s in (0.25, 0.75):\n    print(area([[0.0]], s))   # should print 1, whatever the width",
        ),
        Misconception(
            "pi without the 2",
            _times(lambda n, d, s: 2 ** (d / 2)),
            "Your factor has πσ² where 2πσ² belongs: the exponent has a 2, so its integral has one.",
            "Read “Parzen's window: a density” again, the bracket in (7).",
            _AREA + "print(area([[0.0]], 0.45))   # should print 1, not √2",
        ),
        Misconception(
            "exponent without the 2",
            _with_exponent(lambda D, s: -D / s**2),
            "Your exponent is -‖x-x_i‖²/σ²: the 2 is missing, and the factor before it is that of a bell that has one.",
            "Read “Weight neighbours by distance” again, its paragraph on the factor 2.",
            _AREA + "print(area([[0.0]], 0.65))   # should print 1, not 1/√2",
        ),
        Misconception(
            "all of 2 sigma squared",
            _with_exponent(lambda D, s: -D / (2 * s) ** 2),
            "Your exponent divides by (2σ)², which is 4σ²; it is 2σ²: σ alone is squared.",
            "Read “Parzen's window: a density” again: the exponent of (7).",
            _AREA + "print(area([[0.0]], 0.55))   # should print 1, not √2",
        ),
        Misconception(
            "sigma not squared in the exponent",
            _with_exponent(lambda D, s: -D / (2 * s)),
            "Your exponent divides by 2σ; it is 2σ², a square over a square.",
            "Read “Parzen's window: a density” again: the exponent of (7).",
            _AREA + "for s in (0.35, 0.7):\n    print(area([[0.0]], s))   # should print 1 each time",
        ),
        Misconception(
            "distance not squared",
            _with_exponent(lambda D, s: -np.sqrt(D) / (2 * s**2)),
            "Your exponent has the distance where its square belongs: the bell becomes a tent with a sharp top.",
            "Read “Parzen's window: a density” again: the exponent of (7).",
            USE + "p = parzen_density(np.zeros((1, 1)), np.array([[0.0], [0.001]]), 1.0)\n"
            "print(1 - p[1] / p[0])   # flat at its top: should be below a millionth",
        ),
        Misconception(
            "product of the bells",
            lambda X, Xq, sigma: np.prod(_bells(X, Xq, sigma) * (2 * np.pi * sigma**2) ** (-X.shape[1] / 2), axis=1),
            "You multiply the bells; a density of windows is their mean.",
            "Read “Parzen's window: a density” again: (7) is a sum.",
            _AREA + "print(area([[-2.0], [2.0]], 0.5))   # two bells far apart: should print 1",
        ),
        Misconception(
            "bells added over the features",
            lambda X, Xq, sigma: _one_dimensional(X, Xq, sigma).sum(axis=2).mean(axis=1),
            "You add the bells of the features; a bell in d dimensions is the product of d bells, one for each feature.",
            "Read “Parzen's window: a density” again: the exponents in (7) add up, so the bells multiply.",
            _PLANE + "print(parzen_density(np.zeros((1, 2)), P, 0.8).sum() * 0.01)   # the volume under one bell: should print 1",
        ),
        Misconception(
            "exponentials added over the features",
            lambda X, Xq, sigma: _one_dimensional(X, Xq, sigma).sum(axis=2).mean(axis=1) * (2 * np.pi * sigma**2) ** ((1 - X.shape[1]) / 2),
            "You take the exponential of each feature and then add; the squared differences are added first, in the exponent.",
            "Read “Parzen's window: a density” again: in (7) the exponent has the whole ‖x - x_i‖².",
            _PLANE + "print(parzen_density(np.zeros((1, 2)), P, 0.6).sum() * 0.01, 'should print 1')",
        ),
        Misconception(
            "log density",
            lambda X, Xq, sigma: np.log(parzen_density(X, Xq, sigma)),
            "You return the logarithm of the density; here the density itself is asked for.",
            "Read “Parzen's window: a density” again: what scikit-learn's score_samples gives is the logarithm.",
            USE + "print(parzen_density(np.zeros((1, 1)), np.array([[5.0]]), 1.0))   # a density is never negative",
        ),
        Misconception(
            "sums to one over the queries",
            lambda X, Xq, sigma: parzen_density(X, Xq, sigma) / parzen_density(X, Xq, sigma).sum(),
            "Your values add up to 1 over the queries; it is the integral over all x that is 1, wherever one asks.",
            "Read “Parzen's window: a density” again: a density is no probability.",
            USE + "X = np.zeros((1, 1)); print(parzen_density(X, X, 0.5), parzen_density(X, np.zeros((3, 1)), 0.5))\n"
            "# at one and the same place: all four should be equal",
        ),
        Misconception(
            "weighted mean's weights",
            lambda X, Xq, sigma: _bells(X, Xq, sigma).sum(axis=1),
            "You return the plain sum of the weights, the denominator of (2): neither 1/n nor the bell's factor is there.",
            "Read “Parzen's window: a density” again: what cancels in the quotient must stand in a density.",
            _AREA + "print(area([[0.0], [0.5]], 0.55))   # should print 1",
        ),
    ),
    step="Read “Parzen's window: a density” again: a bell of area 1 on every point, and their mean.",
    experiment=_AREA + "print(area([[0.0], [1.5]], 0.4))   # the area under a density: should print 1",
    sizes=lambda X, Xq, sigma: {"n": len(X), "σ": sigma, "d": X.shape[1], "q": len(Xq)},
    allowed=KERNELS,
)  # fmt: skip
