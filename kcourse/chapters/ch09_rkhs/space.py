"""Exercises 9.1 and 9.2: the inner product of two sums of sections of min, and the function of smallest norm."""

from __future__ import annotations

import numpy as np

from kcourse.checks.spec import Exercise, Misconception, Observation, Promise, Property, attempts, telling

__all__ = ["CHAPTER", "MIN_NORM_INTERPOLANT", "RKHS_INNER", "USE"]

CHAPTER = "ch09_rkhs"
USE = "import numpy as np\n"  # how an experiment begins
_SPACE = "The reproducing property"
_BACK = "From the kernel to the space"
_LEAST = "The function of smallest norm, and the representer theorem"


# -- 9.1


def rkhs_inner(alpha, X, beta, Z):
    """Σ_ij α_i β_j min(x_i, z_j)."""
    return _inner(alpha, X, beta, Z)


def _inner(alpha, X, beta, Z, k=np.minimum):
    return float(alpha @ k(X[:, None], Z[None, :]) @ beta)


def _with(k):
    return lambda alpha, X, beta, Z: _inner(alpha, X, beta, Z, k)


def _by_steps(alpha, X, beta, Z, each):
    """A sum over the intervals between all points: ``each(slope of f, slope of g, width)``."""
    ends = np.unique([*X, *Z])  # on the interval before an end the sections from there on rise
    f, g = (coef @ (at[:, None] >= ends) for coef, at in ((alpha, X), (beta, Z)))
    return float(np.sum(each(f, g, np.diff(ends, prepend=0))))


def _areas(x, z):
    """∫ min(x, t) min(z, t) dt over [0, 1]."""
    low, high = np.minimum(x, z), np.maximum(x, z)
    return low**3 / 3 + low * (high**2 - low**2) / 2 + low * high * (1 - high)


def _near(v, *sums):
    """Whether ``v`` is wrong, and as near to the inner product as an integral over a grid."""
    return bool(0 < np.abs(np.asarray(v) - _inner(*sums)).max() < 0.01 * np.abs(sums[0]).sum() * np.abs(sums[2]).sum())


# points sorted without their coefficients, some of the pairs, a square root: mistakes without a grid
_NOT_A_GRID = (
    lambda alpha, X, beta, Z: _inner(alpha, np.sort(X), beta, np.sort(Z)),
    lambda alpha, X, beta, Z: _inner(alpha, np.sort(X), beta, Z),
    lambda alpha, X, beta, Z: _inner(alpha, X, beta, np.sort(Z)),
    _with(lambda x, z: np.triu(np.minimum(x, z))),
    _with(lambda x, z: np.triu(np.minimum(x, z), 1)),
    _with(lambda x, z: np.tril(np.minimum(x, z))),
    _with(lambda x, z: np.tril(np.minimum(x, z), -1)),
    lambda *sums: float(np.sqrt(np.abs(_inner(*sums)))),
)


def _looks_like_a_grid(*sums):
    return any(_near(wrong(*sums), *sums) for wrong in _NOT_A_GRID)


def _squares(rng):
    """A sum twice."""
    for _ in attempts("rkhs_inner"):
        found = [(a, x, a, x) for a, x in ((rng.normal(size=n), rng.uniform(0.05, 0.95, n)) for n in (3, 4))]
        if not any(_looks_like_a_grid(*sums) for sums in found):
            return found


def _sums(rng):
    """Pairs of sums, of different lengths, on which no two mistakes agree; an inner product is negative."""
    for _ in attempts("rkhs_inner"):
        found = [
            (rng.normal(size=n), rng.uniform(0.05, 0.95, n), rng.normal(size=m), rng.uniform(0.05, 0.95, m))
            for n, m in ((3, 2), (2, 4), (5, 3))
        ]
        if any(_looks_like_a_grid(*sums) for sums in found):
            continue
        if telling(found, rkhs_inner, [mistake.wrong for mistake in RKHS_INNER.misconceptions]):
            return found


_I = (
    USE
    + "def of(alpha, X, beta, Z):\n    return rkhs_inner(*(np.array(a, dtype=float) for a in (alpha, X, beta, Z)))\n"
)

RKHS_INNER = Exercise(
    name="rkhs_inner",
    chapter=CHAPTER,
    number="9.1",
    returns="the inner product, one number",
    reference=rkhs_inner,
    properties=(
        Property("is the inner product of two sums of sections", 2, _sums),
        Property(
            "is the squared norm where the two are one",
            1,
            _squares,
            hint="Your answer fails only when f and g are the same function. Check whether you leave out pairs of equal points.",
        ),
    ),
    promises=(
        Promise("have no two places equal", lambda a, X, b, Z: len(np.unique([*X, *Z])) == len(X) + len(Z)),
        Promise("have a negative inner product", lambda found: min(_inner(*sums) for sums in found) < 0, together=True),
        Promise("tell other mistakes from an integral over a grid", lambda *sums: not _looks_like_a_grid(*sums), of=(0, 1)),
    ),
    misconceptions=(
        Misconception(
            "max for min",
            _with(np.maximum),
            "You use the sections of max(x, z), which is not a kernel. The ramp up to x has the value min(x, z) at z.",
            f"Read “{_SPACE}” again: equation (2).",
            _I + "print(of([1], [0.2], [1], [0.7]))   # the section at 0.7, at 0.2: should print 0.2",
        ),
        Misconception(
            "product for min",
            _with(np.multiply),
            "You use the kernel x·z. The kernel of this space is min(x, z).",
            f"Read “{_SPACE}” again: equation (3).",
            _I + "print(of([1], [0.5], [1], [0.5]))   # the squared norm of the section at 0.5: should print 0.5",
        ),
        Misconception(
            "areas under products",
            _with(_areas),
            "You integrate f·g. The inner product of this space is the integral of the slopes, ∫ f′g′.",
            f"Read “{_SPACE}” again: equation (1).",
            _I + "print(of([1], [0.5], [1], [0.5]))   # the slope is 1 on half of [0, 1]: should print 0.5",
        ),
        Misconception(
            "no widths",
            lambda alpha, X, beta, Z: _by_steps(alpha, X, beta, Z, lambda f, g, width: f * g),
            "You add slope times slope without the width of each interval. ∫ f′g′ is slope times slope times width.",
            f"Read “{_SPACE}” again: equation (1), an integral.",
            _I + "print(of([1], [0.5], [1], [0.5]))   # both slopes are 1, on half of [0, 1]: should print 0.5",
        ),
        Misconception(
            "rises for slopes",
            lambda alpha, X, beta, Z: _by_steps(alpha, X, beta, Z, lambda f, g, width: f * g * width**2),
            "You add Δf Δg, rise times rise. Slope times slope times width is Δf Δg / Δx.",
            f"Read “{_SPACE}” again: equation (1) has slopes.",
            _I + "print(of([1], [0.5], [1], [0.5]))   # a rise of 0.5 over a width of 0.5: should print 0.5",
        ),
        Misconception(
            "coefficients alone",
            _with(lambda x, z: np.ones_like(x * z)),
            "You multiply coefficients as if k were 1 everywhere. Multiply each pair also by min(x_i, z_j).",
            f"Read “{_BACK}” again: equation (4).",
            _I + "print(of([1], [0.1], [1], [0.9]), of([1], [0.8], [1], [0.9]))   # should print 0.1 and 0.8",
        ),
        Misconception(
            "one sum for two",
            lambda alpha, X, beta, Z: float(
                sum(a * b * min(x, z) for a, x, b, z in zip(alpha, X, beta, Z, strict=False))
            ),
            "You add only pairs with i = j. (4) is a double sum over all pairs of i and j.",
            f"Read “{_BACK}” again: equation (4), a double sum.",
            _I + "print(of([1, 1], [0.5, 0.5], [1, 1], [0.4, 0.4]))   # four pairs, 4 · 0.4: should print 1.6",
        ),
        Misconception(
            "β left out",
            lambda alpha, X, beta, Z: _inner(alpha, X, np.ones_like(beta), Z),
            "You add the values f(z_j) without β_j. Multiply each of them by β_j first.",
            f"Read “{_BACK}” again: (4) is Σ_j β_j f(z_j).",
            _I + "print(of([1], [0.5], [1], [0.4]), of([1], [0.5], [3], [0.4]))   # should print 0.4 and 1.2",
        ),
        Misconception(
            "α left out",
            lambda alpha, X, beta, Z: _inner(np.ones_like(alpha), X, beta, Z),
            "You leave out the α_i. f is Σ α_i k(x_i, ·).",
            f"Read “{_BACK}” again: equation (4).",
            _I + "print(of([2], [0.5], [1], [0.4]))   # should print 0.8",
        ),
        Misconception(
            "norm of f",
            lambda alpha, X, beta, Z: _inner(alpha, X, alpha, X),
            "You compute αᵀKα, the squared norm of f, without g. (4) has α on one side and β on the other.",
            f"Read “{_BACK}” again: equation (4), with min(x_i, z_j).",
            _I + "print(of([1], [0.5], [1], [0.4]))   # f at 0.4: should print 0.4",
        ),
        Misconception(
            "absolute value",
            lambda alpha, X, beta, Z: abs(_inner(alpha, X, beta, Z)),
            "You return the absolute value. An inner product can be negative, and only a squared norm cannot.",
            f"Read “{_BACK}” again: equation (4).",
            _I + "print(of([-2], [0.5], [1], [0.4]))   # should print -0.8",
        ),
        Misconception(
            "normalised",
            lambda alpha, X, beta, Z: _inner(alpha, X, beta, Z)
            / np.sqrt(_inner(alpha, X, alpha, X) * _inner(beta, Z, beta, Z)),
            "You return the cosine of the angle. The inner product is not divided by the norms.",
            f"Read “{_BACK}” again: equation (4).",
            _I + "print(of([2], [0.5], [1], [0.5]), of([4], [0.5], [1], [0.5]))   # should print 1 and 2",
        ),
    ),
    step=f"Read “{_BACK}” again: equation (4), with k = min.",
    experiment=_I + "print(of([1, -2], [0.3, 0.8], [1], [0.5]))   # f at 0.5 should be 0.3 - 2 · 0.5 = -0.7",
    sizes=lambda alpha, X, beta, Z: {"n": len(alpha), "m": len(beta)},
    observations=(
        Observation(
            "A squared norm is negative.",
            lambda v, alpha, X, beta, Z: bool(
                alpha.shape == beta.shape and np.all(alpha == beta) and np.all(X == Z) and np.all(np.asarray(v) < -1e-9)
            ),
        ),
        Observation(
            "The inner product is nearly right, as from an integral over a grid. The slopes are constant between the points, so "
            "(4) is exact.",
            _near,
            early=True,
        ),
    ),
)  # fmt: skip


# -- 9.2


def min_norm_interpolant(x, y, xq):
    """f(xq) = Σ_j α_j min(xq, x_j), Kα = y."""
    return _solved(x, y, xq)


def _solved(x, y, xq, k=np.minimum):
    return k(xq[:, None], x) @ np.linalg.solve(k(x[:, None], x), y)


def _by_another(k):
    return lambda x, y, xq: _solved(x, y, xq, k)


def _polygon(x, y, xq, *, before="line", after="constant"):
    order = np.argsort(x)
    x, y = x[order], y[order]
    f = np.interp(xq, x, y)
    if before == "line":
        f = np.where(xq < x[0], y[0] * xq / x[0], f)
    elif before == "on":
        f = np.where(xq < x[0], y[0] + (y[1] - y[0]) / (x[1] - x[0]) * (xq - x[0]), f)
    elif before == "zero":
        f = np.where(xq < x[0], 0.0, f)
    if after == "on":
        f = np.where(xq > x[-1], y[-1] + (y[-1] - y[-2]) / (x[-1] - x[-2]) * (xq - x[-1]), f)
    elif after == "zero":
        f = np.where(xq > x[-1], 0.0, f)
    elif after == "down":
        f = np.where(xq > x[-1], y[-1] * (1 - xq) / max(1 - x[-1], 1e-300), f)
    return f


def _measured(rng, where, *, shuffled=False):
    """Data and queries ``where(x, rng, how many)`` wants them, one of them a point of the data."""
    found = []
    for n, q in ((3, 5), (4, 6), (5, 4)):
        x = (np.arange(n) + rng.uniform(0.45, 0.95, n)) / (n + 0.6)
        y, xq = rng.normal(size=n), where(x, rng, q)
        order = rng.permutation(n) if shuffled else np.arange(n)
        found.append((x[order], y[order], rng.permutation(xq)))
    return found


def _inside(x, rng, q):
    """Between the first and the last point; at the second f is known."""
    return np.append(x[0] + (x[-1] - x[0]) * rng.uniform(0.05, 0.95, q - 1), x[1])


def _at_both_ends(x, rng, q):
    ends = x[0] * rng.uniform(0.3, 0.8), x[-1] + (1 - x[-1]) * rng.uniform(0.3, 0.9)
    return np.append(_inside(x, rng, q - 2), ends)


def _between(rng):
    """Points from left to right, queries between them, on which the mistakes that are wrong there differ from the right answer."""
    for _ in attempts("min_norm_interpolant"):
        found = _measured(rng, _inside)
        mistakes = [
            mistake.wrong for mistake in MIN_NORM_INTERPOLANT.misconceptions if mistake.name not in _AT_THE_ENDS
        ]
        if telling(found, min_norm_interpolant, mistakes):
            return found


def _with_ends(rng):
    """Points from left to right, with queries at both ends, on which no two mistakes agree."""
    for _ in attempts("min_norm_interpolant"):
        found = _measured(rng, _at_both_ends)
        # np.interp alone does the same as with a sort here, where the points are sorted
        mistakes = [mistake.wrong for mistake in MIN_NORM_INTERPOLANT.misconceptions if mistake.name != _AS_IT_IS]
        if telling(found, min_norm_interpolant, mistakes):
            return found


def _out_of_order(rng):
    for _ in attempts("min_norm_interpolant"):
        found = _measured(rng, _inside, shuffled=True)
        if all((np.diff(x) < 0).any() for x, _, _ in found):
            return found


def _misses(f, x, y, xq):
    """Whether f is not y_i at a query x_i."""
    query, point = np.nonzero(xq[:, None] == x)
    f = np.asarray(f, dtype=float)
    return bool(f.shape == xq.shape and np.any(np.abs(f[query] - y[point]) > 1e-7 * np.abs(y).max()))


_F = USE + "def f(*at):   # through (0.2, 0.4), (0.5, 0.1), (0.9, 0.3)\n" \
    "    return min_norm_interpolant(np.array([0.2, 0.5, 0.9]), np.array([0.4, 0.1, 0.3]), np.array(at, dtype=float))\n"  # fmt: skip

_AS_IT_IS = "np.interp as it is"
_AT_THE_ENDS = (  # mistakes that are right between the points, where all these are polygons
    _AS_IT_IS,
    "goes on straight",
    "constant before the first point",
    "down to 0 at 1",
    "0 after the last point",
    "0 before the first point",
    "straight on at both ends",
    "max for min",
    "fastened at 1",
)

MIN_NORM_INTERPOLANT = Exercise(
    name="min_norm_interpolant",
    chapter=CHAPTER,
    number="9.2",
    returns="f at the queries, shape (q,)",
    reference=min_norm_interpolant,
    properties=(
        Property("is the function of smallest norm between the points", 1, _between),
        Property(
            "is so before the first point and after the last",
            2,
            _with_ends,
            hint="Your answer fails only before the first point or after the last. All functions of the space are 0 at 0, and after the "
            "last point no value requires a slope.",
        ),
        Property(
            "is so in whatever order the points come",
            1,
            _out_of_order,
            hint="Your answer fails only when the points are not sorted. np.interp needs sorted points, with y in "
            "the same order. Use i = np.argsort(x), then x[i] and y[i].",
        ),
    ),
    promises=(
        Promise("have queries between the points alone", lambda x, y, xq: (
            x.min() < xq.min() and xq.max() < x.max()), of=(0, 2)),
        Promise("have queries before the first point and after the last", lambda x, y, xq: (
            0 < xq.min() < x.min() and x.max() < xq.max() < 1), of=(1,)),
        Promise("have a query at a point of the data", lambda x, y, xq: np.isin(xq, x).any(), of=(0, 1, 2)),
        Promise("come from left to right", lambda x, y, xq: (np.diff(x) > 0.01).all(), of=(0, 1)),
        Promise("do not come from left to right", lambda x, y, xq: (np.diff(x) < 0).any(), of=(2,)),
    ),
    misconceptions=(
        Misconception(
            "goes on straight",
            lambda x, y, xq: _polygon(x, y, xq, after="on"),
            "After the last point you continue in the last direction. This adds slope, and no value requires it. Stay constant.",
            f"Read “{_LEAST}” again: what the sections do after their point.",
            _F + "print(f(0.9, 1.0))   # should print 0.3 both times",
        ),
        Misconception(
            "constant before the first point",
            lambda x, y, xq: _polygon(x, y, xq, before="constant"),
            "Before the first point you stay at its height. All functions of this space are 0 at 0, so use the line from 0.",
            f"Read “{_SPACE}” again: where the functions of (1) begin.",
            _F + "print(f(0.0, 0.1))   # should print 0 and 0.2",
        ),
        Misconception(
            "max for min",
            _by_another(np.maximum),
            "You use the sections of max(x, z), which is not a kernel. The ramp up to x is min(x, z).",
            f"Read “{_SPACE}” again: equation (2).",
            _F + "print(f(0.0, 0.05))   # a line from 0 up to the first point: should print 0 and 0.1",
        ),
        Misconception(
            _AS_IT_IS,
            lambda x, y, xq: np.interp(xq, x, y),
            "You use np.interp as it is, so f is constant before the first point. Here a line leads from 0 to it. Also sort the points.",
            f"Read “{_SPACE}” again: where the functions of (1) begin.",
            _F + "print(f(0.1, 0.15))   # half of the way up to the first point, and three quarters: should print 0.2 and 0.3",
        ),
        Misconception(
            "fastened at 1",
            _by_another(lambda a, b: 1 - np.maximum(a, b)),
            "You use the kernel 1 - max(x, z). Its functions are 0 at 1, but those of this space are 0 at 0.",
            f"Read “{_SPACE}” again: which functions (1) has.",
            _F + "print(f(0.0, 1.0))   # should print 0 and 0.3",
        ),
        Misconception(
            "down to 0 at 1",
            lambda x, y, xq: _polygon(x, y, xq, after="down"),
            "After the last point you go down to 0 at 1. The functions of this space are fixed only at 0. Stay constant.",
            f"Read “{_SPACE}” again: which functions (1) has.",
            _F + "print(f(0.95))   # should print 0.3",
        ),
        Misconception(
            "0 after the last point",
            lambda x, y, xq: _polygon(x, y, xq, after="zero"),
            "You return 0 after the last point. A section is constant there, not 0.",
            f"Read “{_SPACE}” again: a ramp up to x, then flat.",
            _F + "print(f(1.0))   # should print 0.3",
        ),
        Misconception(
            "0 before the first point",
            lambda x, y, xq: _polygon(x, y, xq, before="zero"),
            "You return 0 before the first point. A line leads from 0 to it.",
            f"Read “{_SPACE}” again: a ramp up to x, then flat.",
            _F + "print(f(0.1))   # should print 0.2",
        ),
        Misconception(
            "straight on at both ends",
            lambda x, y, xq: _polygon(x, y, xq, before="on", after="on"),
            "You prolong the first and the last piece. Before the first point a line leads from 0, and after the last f is constant.",
            f"Read “{_LEAST}” again: the two ends.",
            _F + "print(f(0.1, 1.0))   # should print 0.2 and 0.3",
        ),
        Misconception(
            "y for α",
            lambda x, y, xq: np.minimum(xq[:, None], x) @ y,
            "You use y as the coefficients. Then f does not meet the data. Solve Kα = y.",
            f"Read “{_LEAST}” again: equation (7).",
            _F + "print(f(0.2, 0.5, 0.9))   # should be the data: 0.4, 0.1, 0.3",
        ),
        Misconception(
            "divided by the diagonal",
            lambda x, y, xq: np.minimum(xq[:, None], x) @ (y / x),
            "You divide y_i by k(x_i, x_i), as if the sections were orthogonal. They are not, so solve Kα = y.",
            f"Read “{_LEAST}” again: equation (7).",
            _F + "print(f(0.5, 0.9))   # should be the data: 0.1, 0.3",
        ),
        Misconception(
            "nearest point",
            lambda x, y, xq: y[np.abs(xq[:, None] - x).argmin(axis=1)],
            "You return the value of the nearest point. That is a step function, which is not in the space. f is a polygon.",
            f"Read “{_LEAST}” again: f is a sum of ramps, a polygon.",
            _F + "print(f(0.35))   # halfway between two points: should print 0.25",
        ),
    ),
    step=f"Read “{_LEAST}” again: equations (6) and (7), with K_ij = min(x_i, x_j).",
    experiment=_F + "print(f(0.1, 0.35, 0.7, 1.0))   # should print 0.2, 0.25, 0.2, 0.3: a line from 0, two midpoints, constant",
    sizes=lambda x, y, xq: {"n": len(x), "q": len(xq)},
    observations=(Observation("f does not meet the data. At a query that is one of the x_i it must be y_i.", _misses),),
)  # fmt: skip
