"""Exercise 7a.4: the sheet of metal that bends least."""

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


def _plate(X, y, Xq, *, phi=_spline, poly=_linear, length=distances, corner=0.0, keep=(1.0, 1.0)):
    P, n = poly(X), len(X)
    q = P.shape[1]
    A = np.block([[phi(length(X, X)), P], [P.T, corner * np.eye(q)]])
    solution = np.linalg.solve(A, np.append(y, np.zeros(q)))
    return keep[0] * phi(length(Xq, X)) @ solution[:n] + keep[1] * poly(Xq) @ solution[n:]


def thin_plate(X, y, Xq):
    """s(x_q) of the thin plate with its linear polynomial."""
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
    """Whether every query that is a point gets its y, and there is one."""
    twin = np.all(Xq[:, None] == X, axis=2)
    return bool(twin.any() and np.allclose(value[twin.any(axis=1)], y[twin.argmax(axis=1)[twin.any(axis=1)]]))


def _weights(X, y, Xq):
    A = np.block([[_spline(distances(X, X)), _linear(X)], [_linear(X).T, np.zeros((3, 3))]])
    return np.linalg.solve(A, np.append(y, np.zeros(3)))[: len(y)]


def _quadratic(A):
    return np.column_stack([np.ones(len(A)), A, A**2, A[:, 0] * A[:, 1]])


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
_WHICH = "Which bells can be solved?"

THIN_PLATE = Exercise(
    name="thin_plate",
    chapter=CHAPTER,
    number="7a.4",
    returns="the values of the surface at the queries, shape (q,)",
    reference=thin_plate,
    properties=(
        Property("is the thin plate at new points", 4, _spots),
        Property(
            "is defined at the points themselves",
            1,
            lambda r: _spots(r, ((8, 4), (7, 5)), at_points=True),
            hint="Your answer fails only when a query is one of the points. The distance is 0 there, and r² ln r tends to 0, but a "
            "program that multiplies 0 with ln 0 gets no number.",
        ),
    ),
    promises=(
        Promise("keep apart", lambda X, y, Xq: np.sort(distances(X, X), axis=1)[:, 1].min() > 0.69, of=(0, 1)),
        Promise("have no query at a point", lambda X, y, Xq: distances(Xq, X).min() > 0),
        Promise("have all queries but one at points", lambda X, y, Xq: (
            (distances(Xq, X).min(axis=1) == 0).sum() == len(Xq) - 1), of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "no polynomial",
            lambda X, y, Xq: _spline(distances(Xq, X)) @ np.linalg.solve(_spline(distances(X, X)), y),
            "There is no polynomial in your surface: with thin plates alone the system may be singular, and no plane comes out right.",
            f"Read “{_WHICH}” again: the blocks P in (6).",
            _S + "print(s([[2, 2]], y=(1, 2, 3, 4)))   # a plane through the four: should print 7",
        ),
        Misconception(
            "constant alone",
            _mistake(poly=lambda A: np.ones((len(A), 1))),
            "Your polynomial is a constant; a thin plate needs a linear one, with a tilt along each coordinate.",
            f"Read “{_WHICH}” again: the table says which polynomial each basis needs.",
            _S + "print(s([[3, 1]], y=(1, 2, 3, 4)))   # a plane through the four: should print 6",
        ),
        Misconception(
            "no constant",
            _mistake(poly=lambda A: A),
            "Your polynomial has no constant term; P has a column of ones, too.",
            f"Read “{_WHICH}” again: the coefficients in (6) begin with one that multiplies no coordinate.",
            _S + "print(s([[5, 5]], y=(9, 9, 9, 9)))   # a level sheet: should print 9",
        ),
        Misconception(
            "quadratic polynomial",
            _mistake(poly=_quadratic),
            "Your polynomial has squares and a product; a linear one is asked for. With more terms there is less left to bend.",
            f"Read “{_WHICH}” again: s(x) in (6) ends with linear terms.",
            USE + "X = np.array([[0.0, 0], [2, 0], [0, 2], [2, 2], [1, 1], [3, 1], [1, 4]])\n"
            "v = thin_plate(X, (X**2).sum(axis=1), np.array([[9.0, 9.0]]))\n"
            "print(abs(v[0] - 162) > 1)   # it bends less than a paraboloid: should print True",
        ),
        Misconception(
            "no side conditions",
            _plane_first,
            "You fit a plane first and bend a sheet through what is left: then the weights break the conditions Pᵀw = 0.",
            f"Read “{_WHICH}” again: the second row of (6), which is solved together with the first.",
            USE + "X = np.array([[0.0, 0], [1, 0], [0, 2], [2, 2], [3, 1]])\n"
            "print(thin_plate(X, np.array([0.0, 0, 0, 0, 1]), np.array([[5.0, 0.0]])))   # should print 2.05",
        ),
        Misconception(
            "side conditions left out",
            _without_conditions,
            "The conditions Pᵀw = 0 are missing: n equations for n + 3 unknowns have many solutions, and you take the shortest.",
            f"Read “{_WHICH}” again: the second row of (6), which makes up for β.",
            _S + "print(s([[3, 3]], y=(1, 2, 3, 4)))   # a plane through the four: should print 10",
        ),
        Misconception(
            "something in the corner",
            _mistake(corner=1.0),
            "In the lower corner of your matrix stands the identity; there are zeros there, or Pᵀw = 0 does not hold.",
            f"Read “{_WHICH}” again: the four blocks of (6).",
            _S + "print(s([[-1, 0]], y=(5, 6, 7, 8)))   # a plane through the four: should print 4",
        ),
        Misconception(
            "plane left out of the prediction",
            _mistake(keep=(1.0, 0.0)),
            "Your system has the polynomial in it, your prediction has not: only the thin plates are added up.",
            f"Read “{_WHICH}” again: s(x) in (6) has two parts.",
            _S + "print(s([[7, 7]], y=(8, 8, 8, 8)))   # a level sheet: should print 8",
        ),
        Misconception(
            "plates left out of the prediction",
            _mistake(keep=(0.0, 1.0)),
            "You return the polynomial alone: the thin plates with their weights belong to the prediction, too.",
            f"Read “{_WHICH}” again: s(x) in (6) has two parts.",
            _S + "print(s([[2, 0]], y=(4, 0, 0, 0)))   # should print -1.80",
        ),
        Misconception(
            "r ln r",
            _mistake(phi=lambda r: r * np.log(np.where(r > 0, r, 1.0))),
            "Your basis is r ln r; the thin plate has r² before the logarithm.",
            f"Read “{_WHICH}” again: the last row of the table.",
            _S + "print(s([[2, 2]]))   # should print 2.10",
        ),
        Misconception(
            "logarithm alone",
            _mistake(phi=lambda r: np.log(np.where(r > 0, r, 1.0))),
            "Your basis is ln r: the r² before it is missing.",
            f"Read “{_WHICH}” again: the last row of the table.",
            _S + "print(s([[3, 1]]))   # should print 1.89",
        ),
        Misconception(
            "r² ln(1 + r)",
            _mistake(phi=lambda r: r**2 * np.log1p(r)),
            "You add 1 before the logarithm, so that 0 does no harm; that is another basis. At 0 the value is 0, and elsewhere ln r as it is.",
            f"Read “{_WHICH}” again: the hexagon, where ln 1 is 0.",
            _S + "print(s([[3, 3]]))   # should print 3.11",
        ),
        Misconception(
            "r³",
            _mistake(phi=lambda r: r**3),
            "Your basis is r³, which bends least on a line, where it makes cubic splines. In the plane it is r² ln r.",
            f"Read “{_WHICH}” again: the last row of the table.",
            _S + "print(s([[2, 1]]))   # should print 1.45",
        ),
        Misconception(
            "squared distance for the distance",
            _mistake(phi=lambda r: _spline(r**2)),
            "You put the squared distance in the place of r, so that r² is squared once more.",
            f"Read “{_WHICH}” again: φ is a function of the distance.",
            _S + "print(s([[2, 2]], y=(4, 0, 0, 0)))   # should print -3.61",
        ),
        Misconception(
            "city-block distance",
            _mistake(length=lambda A, B: np.abs(A[:, None] - B).sum(axis=2)),
            "You add up the absolute differences of the coordinates; the distance is the root of the sum of their squares.",
            f"Read “{_WHICH}” again: the hexagon, whose corners are all at distance 1.",
            _S + "print(s([[2, 1]], y=(4, 0, 0, 0)))   # should print -2.20",
        ),
        Misconception(
            "weights for values",
            _weights,
            "You return the weights of the plates, one for each point; asked for are the values at the queries.",
            f"Read “{_WHICH}” again: what (6) is solved for, and what s(x) makes of it.",
            _S + "print(len(s([[2, 2], [3, 3]])))   # two queries: should print 2",
        ),
    ),
    step=f"Read “{_WHICH}” again: (6), its four blocks and the two parts of s(x). And for a point that meets itself: r² ln r tends to 0 with r, but "
    "0 times ln 0 is no number.",
    experiment=_S + "print(s([[2, 2], [0, 2]]))   # should print 2.10, 0.55",
    sizes=lambda X, y, Xq: {"n": len(y), "q": len(Xq)},
    observations=(
        Observation(
            "Your surface passes through the points and differs between them: look at its basis, and at the conditions Pᵀw = 0.",
            _through_the_points,
        ),
    ),
    refused=INTERPOLATION,
    limit="For a point that meets itself φ(0) is 0: r² ln r tends to 0 with r, but NumPy makes NaN of 0 times ln 0.",
    chained=True,  # a query that is a point comes right with any basis: that says nothing of loops
)  # fmt: skip
