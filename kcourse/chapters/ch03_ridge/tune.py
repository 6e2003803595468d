"""Exercise 3.7: the search over both grids."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kcourse.chapters.ch03_ridge.common import CHAPTER, KERNELS, USE, Rng
from kcourse.chapters.ch03_ridge.measure import from_hat, krr_loo_residuals, loo_or_fail
from kcourse.chapters.gaussian_mistakes import GAUSSIAN_MISTAKES, gaussian
from kcourse.checks.spec import Exercise, Misconception, Observation, Promise, Property, attempts
from kcourse.kernels import Gaussian
from kcourse.ridge import loo_path

__all__ = ["KRR_TUNE"]


def krr_tune(X, y, sigmas, lams):
    """The (σ, λ) with the smallest mean squared leave-one-out residual, and that mean square."""
    paths = [loo_path(Gaussian(s)(X), y, lams) for s in sigmas]
    i = int(np.argmin([p.mse.min() for p in paths]))
    j = int(np.argmin(paths[i].mse))
    return float(sigmas[i]), float(lams[j]), float(paths[i].mse[j])


def _search(X, y, sigmas, lams, score, kernel=gaussian):
    """The pair with the smallest ``score(K, y, lam)``, and that score; the first of equal ones, as `argmin` finds it."""
    grams = [(s, kernel(X, X, s)) for s in sigmas]
    pairs = ((score(K, y, lam), s, lam) for s, K in grams for lam in lams)
    best, sigma, lam = min(pairs, key=lambda pair: pair[0])
    return sigma, lam, best


def _by(residuals, summary=lambda r: np.mean(r**2), kernel=gaussian):
    """The search by a summary of residuals, a function (K, y, lam), or with another kernel."""
    return lambda X, y, sigmas, lams: _search(
        X, y, sigmas, lams, lambda K, y, lam: float(summary(residuals(K, y, lam))), kernel
    )


def _sigma_first(X, y, sigmas, lams):
    sigma, _, _ = krr_tune(X, y, sigmas, lams[:1])
    return krr_tune(X, y, [sigma], lams)


def _lambda_first(X, y, sigmas, lams):
    _, lam, _ = krr_tune(X, y, sigmas[:1], lams)
    return krr_tune(X, y, sigmas, [lam])


def _worst(X, y, sigmas, lams):
    sigma, lam, score = _search(X, y, sigmas, lams, lambda K, y, lam: -np.mean(krr_loo_residuals(K, y, lam) ** 2))
    return sigma, lam, -score


def _indices(X, y, sigmas, lams):
    sigma, lam, score = krr_tune(X, y, sigmas, lams)
    return list(sigmas).index(sigma), list(lams).index(lam), score


def _exchanged(X, y, sigmas, lams):
    """The pair with its indices exchanged, as `j, i = np.unravel_index(…)` gives it."""
    sigma, lam, score = krr_tune(X, y, sigmas, lams)
    return sigmas[list(lams).index(lam)], lams[list(sigmas).index(sigma)], score


def _accumulates(X, y, sigmas, lams):
    """The search in which penalties add up, as with `K += lam * np.eye(n)` in the inner loop."""
    sigma, total, score = krr_tune(X, y, sigmas, np.cumsum(lams))
    return sigma, lams[list(np.cumsum(lams)).index(total)], score


_ABSOLUTE = _by(krr_loo_residuals, lambda r: np.mean(np.abs(r)))
_GCV_SCORE = _by(from_hat(lambda r, h, y: r / (1 - h.mean())))


def _curve(rng: Rng, n: int, grid: tuple[int, int], wanted: Callable[..., bool]) -> tuple:
    """A noisy wave in the plane, and grids in random order with their best pair inside; ``wanted`` takes all four."""
    for _ in attempts("krr_tune"):
        X = rng.uniform(-2.0, 2.0, size=(n, 2))
        y = np.sin(1.5 * X[:, 0]) + 0.5 * X[:, 1] + 0.3 * rng.normal(size=n) + 0.3
        sigmas, lams = _candidates(rng, 0.25, 9.0, grid[0]), _candidates(rng, 0.002, 20.0, grid[1])
        i, j = _best(_tables(X, y, sigmas, lams)[0])
        if not _inside((sigmas[i], lams[j]), sigmas, lams) or not wanted(X, y, sigmas, lams):
            continue
        if krr_tune(X, y, sigmas, lams)[:2] == (sigmas[i], lams[j]):
            return X, y, sigmas, lams


def _at_the_ends(X: np.ndarray, y: np.ndarray, sigmas: np.ndarray, lams: np.ndarray) -> list[tuple]:
    """The grids with the best σ first and the best λ last, and the other way round."""
    i, j = _best(_tables(X, y, sigmas, lams)[0])
    first, last = (np.append(g[k], np.delete(g, k)) for g, k in ((sigmas, i), (lams, j)))
    return [(X, y, first, np.roll(last, -1)), (X, y, np.roll(first, -1), last)]


def _inside(pair: Sequence[float], *grids: np.ndarray) -> bool:
    """Whether each number is inside its grid, by its position and by its size."""
    return all(best in g[1:-1] and g.min() < best < g.max() for best, g in zip(pair, grids, strict=False))


def _tables(X: np.ndarray, y: np.ndarray, sigmas: np.ndarray, lams: np.ndarray, half: float = 0.5) -> tuple:
    """Errors of all pairs, apart from rounding: mean square, mean absolute residual, and GCV; a row for each σ.

    It is fast, because most draws are rejected. Without ``half`` the exponent has no factor 1/2.
    """
    squares = half * np.sum((X[:, None] - X) ** 2, axis=2)
    mu, Q = np.linalg.eigh(np.exp(-squares / sigmas[:, None, None] ** 2))
    shrunk = 1 / (mu[:, :, None] + lams)
    alpha, diagonal = Q @ (shrunk * (y @ Q)[:, :, None]), Q**2 @ shrunk
    residuals = alpha / diagonal
    gcv = alpha / diagonal.mean(axis=1, keepdims=True)
    return np.mean(residuals**2, axis=1), np.mean(np.abs(residuals), axis=1), np.mean(gcv**2, axis=1)


def _best(table: np.ndarray) -> tuple[int, int]:
    i, j = np.unravel_index(table.argmin(), table.shape)
    return int(i), int(j)


def _missed(*grids: tuple) -> set[int]:
    """Which searches miss the best pair on some of the grids: by one row or column, or by a mean, and then the other."""
    found = set()
    for T in (_tables(*grid)[0] for grid in grids):
        rows = [column.argmin() for column in (T[:, 0], T[:, -1], T.mean(axis=1))]
        columns = [row.argmin() for row in (T[0], T[-1], T.mean(axis=0))]
        pairs = [*((i, T[i].argmin()) for i in rows), *((T[:, j].argmin(), j) for j in columns), (rows[0], columns[0])]
        found |= {k for k, pair in enumerate(pairs) if pair != _best(T)}
    return found


_ALL_SEARCHES = set(range(7))


def _by_other_errors(*grid: np.ndarray) -> list[bool]:
    """Whether absolute residuals, GCV, and a kernel without the 2 choose other pairs."""
    square, absolute, gcv = _tables(*grid)
    return [_best(other) != _best(square) for other in (absolute, gcv, _tables(*grid, half=1.0)[0])]


def _candidates(rng: Rng, least: float, most: float, count: int) -> np.ndarray:
    return rng.permutation(np.geomspace(least, most, count) * np.exp(rng.uniform(-0.25, 0.25, size=count)))


def _error_of_the_pair(value, X, y, sigmas, lams):
    """Whether the error is that of the pair that comes with it; False if the pair is not a candidate."""
    sigma, lam, mse = value
    candidate = np.ix_(np.equal(sigmas, sigma), np.equal(lams, lam))
    return bool(np.isclose(mse, _errors(X, y, sigmas, lams)[candidate], rtol=1e-6).any())


def _errors(X, y, sigmas, lams):
    """The mean squared leave-one-out residuals of all pairs, a row for each σ."""
    return np.array([[np.mean(krr_loo_residuals(Gaussian(s)(X), y, lam) ** 2) for lam in lams] for s in sigmas])


def _ends(rng):
    """One candidate of each, and grids whose best pair is at the ends; a pair that is chosen otherwise is another."""

    def wanted(*grid):
        return _missed(*_at_the_ends(*grid)) == _ALL_SEARCHES and all(_by_other_errors(*grid))

    X, y, sigmas, lams = _curve(rng, 10, (5, 7), wanted)
    return [(X, y, sigmas[1:2], lams[:1]), *_at_the_ends(X, y, sigmas, lams)]


_TUNE = (  # with four digits, because the last ones differ between right answers
    "tune = lambda sigmas, lams: [float(f'{v:.4g}') for v in krr_tune(X, y, np.array(sigmas), np.array(lams))]\n"
)
_CRASH = USE + "from kcourse.datasets import load_mcycle\nX, y = load_mcycle().X, load_mcycle().y\n" + _TUNE
_FAR = USE + "X, y = np.array([[0.0], [99.0]]), np.array([1.0, 2.0])   # two points far apart\n" + _TUNE

KRR_TUNE = Exercise(
    name="krr_tune",
    chapter=CHAPTER,
    number="3.7",
    returns="(sigma, lam, mse): the best width, the best λ and their mean squared leave-one-out residual",
    reference=krr_tune,
    properties=(
        Property(
            "finds the pair with the smallest leave-one-out error",
            3,
            lambda r: [
                _curve(r, 13, (4, 5), lambda *grid: _missed(grid) == _ALL_SEARCHES),
                _curve(r, 17, (5, 4), lambda *grid: all(_by_other_errors(*grid))),
                _curve(r, 16, (4, 6), lambda *grid: krr_tune(*grid)[:2] != _accumulates(*grid)[:2]),
            ],
        ),
        Property(
            "tries the first and the last candidates as well, and works with a single one of each",
            1,
            _ends,
            hint="Your answer fails only when the best pair is at the ends of the grids, or when each grid has one entry. Try "
            "every candidate, the first and the last included.",
        ),
    ),
    promises=(
        Promise(
            "have their best pair inside both grids",
            lambda X, y, sigmas, lams: _inside(krr_tune(X, y, sigmas, lams), sigmas, lams),
        ),
        Promise(
            "have their best pair at the ends",
            lambda X, y, sigmas, lams: krr_tune(X, y, sigmas, lams)[:2] in ((sigmas[0], lams[-1]), (sigmas[-1], lams[0])),
            of=(1,),
        ),
        Promise("show searches that do not compare all pairs", lambda found: _missed(*found) == _ALL_SEARCHES, (0, 1), True),
    ),
    misconceptions=(
        Misconception(
            "training error",
            _by(from_hat(lambda r, h, y: r)),
            "You choose by the training error. It prefers the most flexible fit, because every point helps to predict "
            "itself. Use the leave-one-out residuals.",
            "Read “Leave-one-out without refitting” again: each point is predicted by a model that has not seen it.",
            _CRASH + "for widths in ([3.0], [3.0, 0.01]):\n"
            "    print(tune(widths, [0.1]))   # a width of 0.01 ms reaches no neighbour: must not be chosen",
        ),
        Misconception(
            "indices, not values",
            _indices,
            "You return the positions of the best pair in the two grids. The exercise asks for the values. Return "
            "sigmas[i] and lams[j].",
            "Read “Back to the crash: nested cross-validation” again: `tune` there looks the values up before it returns.",
            _FAR + "print(tune([5.0], [0.25]))   # one candidate each: should begin with 5.0, 0.25",
        ),
        Misconception(
            "rows and columns exchanged",
            _exchanged,
            "You look up σ with the index of λ, and λ with that of σ. If the table has a row for each σ, the "
            "first index belongs to σ.",
            "Read “Back to the crash: nested cross-validation” again: `tune` there has a row for each width and a column for each λ.",
            _CRASH + "print(tune([0.01, 3.0], [0.1, 1e6])[:2])   # too narrow, too stiff, and a good pair: should print 3.0, 0.1",
            error="IndexError",
        ),
        Misconception(
            "largest, not smallest",
            _worst,
            "You return the pair with the largest error. Use argmin instead of argmax, or turn the comparison round.",
            "Read “Back to the crash: nested cross-validation” again: `tune` there takes the argmin of its table.",
            _CRASH + "print(tune([3.0], [0.1])[2], tune([3.0, 0.01], [0.1])[2])   # more choice: must not be larger",
        ),
        Misconception(
            "mean absolute residual",
            _ABSOLUTE,
            "You average the absolute residuals. The exercise asks for the mean of their squares. Square the residuals "
            "before you average them.",
            "Read “Back to the crash: nested cross-validation” again: its errors have the unit g².",
            _FAR + "mse = tune([1.0], [0.5])[2]; y = 10 * y   # ten times the unit\n"
            "print(tune([1.0], [0.5])[2] / mse)   # should print 100",
        ),
        Misconception(
            "root of the mean square",
            _by(krr_loo_residuals, lambda r: np.sqrt(np.mean(r**2))),
            "You return the root of the mean square. The pair is right, but the exercise asks for the mean square. "
            "Leave out the root.",
            "Read “Back to the crash: nested cross-validation” again: its table is in g², and the root would be in g.",
            _FAR + "print(tune([1.0], [0.5])[2])   # residuals 1 and 2, (1 + 4)/2: should print 2.5",
        ),
        Misconception(
            "GCV",
            _GCV_SCORE,
            "You choose by generalised cross-validation, with tr(H)/n instead of H_ii. Leave-one-out has a denominator "
            "for each point. Divide by 1 - H_ii.",
            "Read “Leave-one-out without refitting” again: the denominator of (12) has an index i.",
            _CRASH + "from kcourse.kernels import Gaussian\n"
            'mse = np.mean(krr_loo_residuals(Gaussian(3.0)(X), y, 0.1) ** 2)\n'
            'print(tune([3.0], [0.1])[2], float(f"{mse:.4g}"))   # should be equal',
        ),
        Misconception(
            "sigma first, then lambda",
            _sigma_first,
            "You choose σ with the first λ, and then λ for this σ. Another pair can have a smaller error. Compare all "
            "pairs.",
            "Read “Choosing σ and λ together” again: the good settings form a slanted valley.",
            _CRASH + "print(tune([1.0, 3.0, 9.0], [1e-4, 1e-2, 1.0]))\n"
            "print(tune([1.0, 3.0, 9.0], [1.0, 1e-2, 1e-4]))   # another order of the λ: should be equal",
        ),
        Misconception(
            "lambda first, then sigma",
            _lambda_first,
            "You choose λ with the first σ, and then σ for this λ. Another pair can have a smaller error. Compare all "
            "pairs.",
            "Read “Choosing σ and λ together” again: a wider kernel needs a smaller λ.",
            _CRASH + "print(tune([0.5, 3.0, 9.0], [1e-4, 0.1, 10.0]))\n"
            "print(tune([9.0, 3.0, 0.5], [1e-4, 0.1, 10.0]))   # another order of the widths: should be equal",
        ),
        Misconception(
            "lambda accumulates",
            _accumulates,
            "You add each λ to a matrix that still holds the earlier ones, as `K += lam * np.eye(n)` does. Build K + λI "
            "anew for each λ.",
            "Read “Solve, never invert” again: each λ has its own matrix K + λI.",
            USE + "X, y = np.zeros((2, 1)), np.ones(2)   # two equal points: the larger λ is, the larger the residual\n"
            + _TUNE + "print(tune([1.0], [3.0, 1.0]))   # must choose λ = 1, with error (1/2)²",
        ),
        Misconception(
            "exponent without the 2",
            _by(loo_or_fail, kernel=GAUSSIAN_MISTAKES["exponent without the 2"][0]),
            GAUSSIAN_MISTAKES["exponent without the 2"][1],
            "Read “Notation” on the start page: the σ of exp(-‖x-z‖²/σ²) is √2 times ours.",
            USE + "X, y = np.array([[0.0, 0.0], [1.0, 3.0]]), np.ones(2)   # two points at distance √10\n"
            + _TUNE + "mse = (1 - np.exp(-5 / 4.0**2) / (1 + 1))**2   # each is predicted by k/(1 + λ)\n"
            'print(tune([4.0], [1.0])[2], float(f"{mse:.4g}"))   # should be equal',
        ),
    ),
    step="Read “Back to the crash: nested cross-validation” again: one table for all pairs, and one minimum over it.",
    experiment=USE + "X, y = np.array([[0.0], [1.0]]), np.array([1.0, 2.0])   # each is predicted by k/(1 + λ) times the other\n"
    + _TUNE + "mse = lambda s, lam: np.mean((y - np.exp(-1 / (2 * s**2)) / (1 + lam) * y[::-1])**2)\n"
    "pairs = [[s, lam, float(f'{mse(s, lam):.4g}')] for s in (1.0, 3.0, 9.0) for lam in (0.01, 1.0)]\n"
    "print(min(pairs, key=lambda p: p[2]), tune([1.0, 3.0, 9.0], [0.01, 1.0]))   # should be equal",
    observations=(
        Observation(
            "On one of the inputs you return a σ or a λ that is not a candidate. Take both from the two grids.",
            lambda value, X, y, sigmas, lams: bool(value[0] not in sigmas or value[1] not in lams),
            early=True,
        ),
        Observation(
            "The error that you return is right for your pair, but another pair has a smaller one. Do you try all pairs "
            "and keep the best one?",
            _error_of_the_pair,
            early=True,
        ),
        Observation(
            "The error that you return is not the mean squared leave-one-out residual of your pair. Get it right for a "
            "single pair first.",
            lambda *call: not _error_of_the_pair(*call),
        ),
    ),
    sizes=lambda X, y, sigmas, lams: {"n": len(y)},
    allowed=KERNELS,
    parts=("sigma", "lam", "mse"),
)  # fmt: skip
