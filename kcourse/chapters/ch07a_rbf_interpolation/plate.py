"""Exercise 7a.3: the thin-plate spline."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch07a_rbf_interpolation.solve import CHAPTER, INTERPOLATION, USE, apart, distances
from kcourse.checks.spec import Exercise, Misconception, Observation, Promise, Property

__all__ = ["THIN_PLATE"]


def _spline(r):
    """r² ln r, and 0 at 0."""
    return r**2 * np.log(np.where(r > 0, r, 1.0))


def _linear(A):
    return np.column_stack([np.ones(len(A)), A])


def _plate(X, y, Xq, *, phi=_spline, poly=_linear, keep=(1.0, 1.0)):
    P, n = poly(X), len(X)
    q = P.shape[1]
    A = np.block([[phi(distances(X, X)), P], [P.T, np.zeros((q, q))]])
    solution = np.linalg.solve(A, np.append(y, np.zeros(q)))
    return keep[0] * phi(distances(Xq, X)) @ solution[:n] + keep[1] * poly(Xq) @ solution[n:]


def thin_plate(X, y, Xq):
    """s(x_q) of the thin-plate spline with its linear polynomial."""
    return _plate(X, y, Xq)


def _mistake(**how):
    return lambda X, y, Xq: _plate(X, y, Xq, **how)


def _plane_first(X, y, Xq):
    plane = np.linalg.lstsq(_linear(X), y, rcond=None)[0]
    w = np.linalg.solve(_spline(distances(X, X)), y - _linear(X) @ plane)
    return _spline(distances(Xq, X)) @ w + _linear(Xq) @ plane


def _without_conditions(X, y, Xq):
    """The shortest solution of Φw + Pβ = y, n equations for n + 3 unknowns."""
    rows = np.hstack([_spline(distances(X, X)), _linear(X)])
    return np.hstack([_spline(distances(Xq, X)), _linear(Xq)]) @ np.linalg.lstsq(rows, y, rcond=None)[0]


def _through_the_points(value, X, y, Xq):
    """Whether there are queries that are points, and each has its y."""
    twin = np.all(Xq[:, None] == X, axis=2)
    return bool(twin.any() and np.allclose(value[twin.any(axis=1)], y[twin.argmax(axis=1)[twin.any(axis=1)]]))


def _weights(X, y, Xq):
    A = np.block([[_spline(distances(X, X)), _linear(X)], [_linear(X).T, np.zeros((3, 3))]])
    return np.linalg.solve(A, np.append(y, np.zeros(3)))[: len(y)]


def _spots(rng, sizes=((8, 4), (9, 5), (10, 3)), at_points=False):
    found = []
    for n, q in sizes:
        X = apart(rng, n, 2)
        Xq = rng.uniform(-2.5, 2.5, size=(q, 2))
        if at_points:
            Xq[rng.permutation(q)[: q - 1]] = X[rng.permutation(n)[: q - 1]]
        found.append((X, 2 * rng.normal(size=n) + X @ rng.normal(size=2) + 3, Xq))
    return found


_S = USE + "def s(at, y=(0, 0, 0, 1)):   # the corners of a square\n" \
    "    X = np.array([[0.0, 0], [1, 0], [0, 1], [1, 1]])\n" \
    "    return thin_plate(X, np.array(y, dtype=float), np.array(at, dtype=float))\n"  # fmt: skip
_WHICH = "For which basis functions? Micchelli's theorem"

THIN_PLATE = Exercise(
    name="thin_plate",
    chapter=CHAPTER,
    number="7a.3",
    returns="the values of the surface at the queries, shape (q,)",
    reference=thin_plate,
    properties=(
        Property("is the thin-plate spline at new points", 4, _spots),
        Property(
            "is defined at the points themselves",
            1,
            lambda r: _spots(r, ((8, 4), (7, 5)), at_points=True),
            hint="Your answer fails only if a query is one of the points. The distance is 0 there, and 0 times ln 0 is NaN in NumPy. "
            "Set φ(0) = 0, the limit of r² ln r.",
        ),
    ),
    promises=(
        Promise("are apart", lambda X, y, Xq: np.sort(distances(X, X), axis=1)[:, 1].min() > 0.69, of=(0, 1)),
        Promise("have no query at a point", lambda X, y, Xq: distances(Xq, X).min() > 0),
        Promise("have all queries but one at points", lambda X, y, Xq: (
            (distances(Xq, X).min(axis=1) == 0).sum() == len(Xq) - 1), of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "no polynomial",
            lambda X, y, Xq: _spline(distances(Xq, X)) @ np.linalg.solve(_spline(distances(X, X)), y),
            "You leave the polynomial out. The matrix of r² ln r alone can be singular, and no plane is reproduced. Add the blocks P and Pᵀ.",
            f"Read “{_WHICH}” again: the blocks P of the system.",
            _S + "print(s([[2, 2]], y=(1, 2, 3, 4)))   # the four heights are on a plane: should print 7",
        ),
        Misconception(
            "constant alone",
            _mistake(poly=lambda A: np.ones((len(A), 1))),
            "Your polynomial is a constant. The thin plate needs a linear one: P has the columns 1, x₁, x₂.",
            f"Read “{_WHICH}” again: the polynomial that each basis function needs.",
            _S + "print(s([[3, 1]], y=(1, 2, 3, 4)))   # the four heights are on a plane: should print 6",
        ),
        Misconception(
            "no constant",
            _mistake(poly=lambda A: A),
            "Your polynomial has no constant term. P has the columns 1, x₁, x₂.",
            f"Read “{_WHICH}” again: the columns of P.",
            _S + "print(s([[5, 5]], y=(9, 9, 9, 9)))   # a constant surface: should print 9",
        ),
        Misconception(
            "plane fitted first",
            _plane_first,
            "You fit a plane first and then interpolate the residuals, so your weights do not satisfy Pᵀw = 0. Solve both rows of the system together.",
            f"Read “{_WHICH}” again: the second row of the system.",
            USE + "X = np.array([[0.0, 0], [1, 0], [0, 2], [2, 2], [3, 1]])\n"
            "print(thin_plate(X, np.array([0.0, 0, 0, 0, 1]), np.array([[5.0, 0.0]])))   # should print 2.05",
        ),
        Misconception(
            "side conditions left out",
            _without_conditions,
            "You leave out Pᵀw = 0. The n equations for n + 3 unknowns then have many solutions. Add the three side conditions.",
            f"Read “{_WHICH}” again: the second row of the system.",
            _S + "print(s([[3, 3]], y=(1, 2, 3, 4)))   # the four heights are on a plane: should print 10",
        ),
        Misconception(
            "polynomial left out of the prediction",
            _mistake(keep=(1.0, 0.0)),
            "You predict without the polynomial. Add β₀ + β₁x₁ + β₂x₂ at the queries.",
            f"Read “{_WHICH}” again: the two parts of s(x).",
            _S + "print(s([[7, 7]], y=(8, 8, 8, 8)))   # a constant surface: should print 8",
        ),
        Misconception(
            "r ln r",
            _mistake(phi=lambda r: r * np.log(np.where(r > 0, r, 1.0))),
            "You use r ln r. The thin plate is r² ln r. Square the factor r.",
            f"Read “{_WHICH}” again: the table of basis functions.",
            _S + "print(s([[2, 2]]))   # should print 2.10",
        ),
        Misconception(
            "logarithm alone",
            _mistake(phi=lambda r: np.log(np.where(r > 0, r, 1.0))),
            "You use ln r. The thin plate is r² ln r. Multiply by r².",
            f"Read “{_WHICH}” again: the table of basis functions.",
            _S + "print(s([[3, 1]]))   # should print 1.89",
        ),
        Misconception(
            "r² ln(1 + r)",
            _mistake(phi=lambda r: r**2 * np.log1p(r)),
            "You use r² ln(1 + r), which is another function. The thin plate is r² ln r, and its value at r = 0 is 0.",
            f"Read “{_WHICH}” again: the table of basis functions.",
            _S + "print(s([[3, 3]]))   # should print 3.11",
        ),
        Misconception(
            "r³",
            _mistake(phi=lambda r: r**3),
            "You use r³, which minimises bending on a line. In the plane it is r² ln r.",
            f"Read “{_WHICH}” again: the table of basis functions.",
            _S + "print(s([[2, 1]]))   # should print 1.45",
        ),
        Misconception(
            "squared distance instead of the distance",
            _mistake(phi=lambda r: _spline(r**2)),
            "You use the squared distance as r. Take its root, or use r² ln r = ½ r² ln r².",
            f"Read “{_WHICH}” again: φ is a function of the distance.",
            _S + "print(s([[2, 2]], y=(4, 0, 0, 0)))   # should print -3.61",
        ),
        Misconception(
            "weights instead of values",
            _weights,
            "You return the weights. Return the values of s at the rows of Xq.",
            f"Read “{_WHICH}” again: what the system is solved for, and s(x).",
            _S + "print(len(s([[2, 2], [3, 3]])))   # two queries: should print 2",
        ),
    ),
    step=f"Read “{_WHICH}” again: the four blocks of the system and the two parts of s(x).",
    experiment=_S + "print(s([[2, 2], [0, 2]]))   # should print 2.10, 0.55",
    sizes=lambda X, y, Xq: {"n": len(y), "q": len(Xq)},
    observations=(
        Observation(
            "Your surface passes through the points but is wrong between them. Check the basis function, its value at 0, and the conditions Pᵀw = 0.",
            _through_the_points,
        ),
    ),
    refused=INTERPOLATION,
    limit="The distance of a point to itself is 0. Set φ(0) = 0, the limit of r² ln r, because 0 times ln 0 is NaN in NumPy.",
    chained=True,  # with any basis function the value at a point is right, which would look like a loop that stops early
)  # fmt: skip
