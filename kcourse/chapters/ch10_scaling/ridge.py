"""Exercises 10.3 and 10.4: the generalised network, and the same for points that come in blocks."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch10_scaling.features import CHAPTER, USE, apart, width
from kcourse.chapters.gaussian_slips import GAUSSIAN_SLIPS, gaussian
from kcourse.checks.spec import RTOL, Changed, Exercise, Misconception, Promise, Property, attempts, telling

__all__ = ["GENERALISED_RBF", "MEMORY", "STREAM_RIDGE"]

MEMORY, _MANY_ROWS = 5_000_000, 100_000  # bytes for the arrays of 10.4, and rows of which K_nm takes eight times that
_NYSTROM = "Nyström, from the representer theorem"
_OTHERS = "What the others know"
_STREAM = "A million readings"
_PRACTICE = "In practice"
_NOTATION = "Read “Notation” on the start page"


def _solve(A, b):
    """Of what is singular the shortest solution, as of what is not."""
    if not np.isfinite(A).all():  # of a width of 0, say, if somebody asks; LAPACK would print that it minds
        raise np.linalg.LinAlgError("there is no solution")
    return np.linalg.lstsq(A, b, rcond=1e-13)[0]


# -- 10.3


def generalised_rbf(X, d, T, sigma, lam):
    """Gw with (GᵀG + λG_0) w = Gᵀd."""
    return _network(X, d, T, sigma, lam)


def _network(X, d, T, sigma, lam, *, kernel=gaussian, price=lambda G_0, lam: lam * G_0, right=lambda G, d: G.T @ d):
    G, G_0 = kernel(X, T, sigma), kernel(T, T, sigma)
    return G @ _solve(G.T @ G + price(G_0, lam), right(G, d))


def _network_with(**how):
    return lambda *args: _network(*args, **how)


def _other_factor(G_0, lam):
    L = np.linalg.cholesky(G_0)
    return lam * L.T @ L


def _weights(X, d, T, sigma, lam):
    G, G_0 = gaussian(X, T, sigma), gaussian(T, T, sigma)
    return _solve(G.T @ G + lam * G_0, G.T @ d)


def _with_intercept(X, d, T, sigma, lam):
    """Gw + b, b without a price: as if targets and columns of G had their means removed."""
    G, G_0 = gaussian(X, T, sigma), gaussian(T, T, sigma)
    rest = G - G.mean(axis=0)
    return rest @ _solve(rest.T @ rest + lam * G_0, rest.T @ d) + np.mean(d)


def _mean_removed(X, d, T, sigma, lam):
    return generalised_rbf(X, d - np.mean(d), T, sigma, lam) + np.mean(d)


def _at_centres(X, d, T, sigma, lam):
    return gaussian(T, T, sigma) @ _weights(X, d, T, sigma, lam)


def _all_centres(X, d, T, sigma, lam):
    K = gaussian(X, X, sigma)
    return K @ np.linalg.solve(K + lam * np.eye(len(X)), d)


def _subsample(X, d, T, sigma, lam):
    """Ridge regression on the centres alone, with the first targets: of centres that are the first points, their own."""
    return gaussian(X, T, sigma) @ np.linalg.solve(gaussian(T, T, sigma) + lam * np.eye(len(T)), d[: len(T)])


def _more(**changes):
    """The right formula with another λ."""
    return Changed(generalised_rbf, lambda X, d, T, sigma, lam: (X, d, T, sigma, changes["lam"](lam, len(X), len(T))))


def _case(rng, n, d, m, inside, small=False):
    """Points, targets, centres, none of which is without points near it; with ``inside`` the centres are points."""
    sigma = width(rng)
    lam = float(rng.uniform(0.02, 0.05) if small else rng.choice([rng.uniform(0.15, 0.5), rng.uniform(1.6, 3.0)]))
    T = apart("generalised_rbf", rng, m, d, sigma, 0.05)
    X = T[np.resize(np.arange(m), n)] + 0.8 * sigma * rng.normal(size=(n, d))
    if inside:
        X[:m] = T
    return X, 2 * rng.normal(size=n), T, sigma, lam


def _at(T, X):
    """Which centres are points."""
    return (T[:, None] == X).all(axis=2).any(axis=1)


def _fitted_with_a_little_more(X, d, T, sigma, lam):
    """With 1e-6 on the diagonal, for safety."""
    return _network(X, d, T, sigma, lam, price=lambda G_0, lam: lam * G_0 + 1e-6 * np.eye(len(T)))


def _of_points(rng):
    """On which no two slips agree, and 1e-6 on the diagonal is seen."""
    for _ in attempts("generalised_rbf"):
        found = [_case(rng, n, d, m, True, n == 7) for n, d, m in ((7, 2, 3), (9, 3, 4), (6, 3, 2))]
        slips = [m.wrong for m in GENERALISED_RBF.misconceptions if m.name not in _OF_OTHER_SHAPE]
        seen = telling(found, generalised_rbf, [_fitted_with_a_little_more], least=3 * RTOL)
        if seen and telling(found, generalised_rbf, slips):
            return found


def _elsewhere(rng):
    return [_case(rng, n, d, m, False) for n, d, m in ((8, 2, 3), (5, 3, 2))]


_OF_OTHER_SHAPE = ("weights", "at the centres")

_G = USE + "X = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 0.7], [2.2, 4.0]])\n" \
    "def f(d=(1, 0, 2, -1), T=X[:2], sigma=2.0, lam=0.3):\n" \
    "    return np.round(generalised_rbf(X, np.array(d, dtype=float), T, sigma, lam), 3)\n"  # fmt: skip
_STEP_1 = f"Read “{_NYSTROM}” again: step 1."

_KERNELS = (
    ("exponent without the 2", 1.5, 0.404), ("sigma used as gamma", 2.5, 0.822),
    ("distance not squared", 3.0, 0.886), ("Laplacian kernel", 4.0, 0.942),
)  # fmt: skip

GENERALISED_RBF = Exercise(
    name="generalised_rbf",
    chapter=CHAPTER,
    number="10.3",
    returns="the fitted values, shape (n,)",
    reference=generalised_rbf,
    properties=(
        Property("is the generalised network on centres that are points", 3, _of_points),
        Property(
            "is so on centres that are no points",
            1,
            _elsewhere,
            hint="Your answer went wrong only where the centres are not among the points, as those of k-means are not: (2) asks nothing "
            "of them.",
        ),
    ),
    promises=(
        Promise("have centres that keep apart", lambda X, d, T, sigma, lam: (
            np.linalg.eigvalsh(gaussian(T, T, sigma))[0] > 0.05), of=(0, 1)),
        Promise("have centres that are points", lambda X, d, T, sigma, lam: _at(T, X).all()),
        Promise("have centres that are no points", lambda X, d, T, sigma, lam: not _at(T, X).any(), of=(1,)),
        Promise("show a little more on the diagonal", lambda found: telling(
            found, generalised_rbf, [_fitted_with_a_little_more], least=2 * RTOL), together=True),
    ),
    misconceptions=(
        Misconception(
            "λI for λG₀",
            _network_with(price=lambda G_0, lam: lam * np.eye(len(G_0))),
            "Your price is λ‖w‖²; it is that of the function, λ‖f‖² = λ wᵀG₀w.",
            f"Read “{_NYSTROM}” again: (1) and (2).",
            _G + "print(f(lam=3.0))   # must be 0.35, 0.189, 0.108, 0.027",
        ),
        Misconception(
            "no price",
            _network_with(price=lambda G_0, lam: 0.0 * G_0),
            "Your weights are those of least squares: λ plays no part.",
            f"Read “{_NYSTROM}” again: (2).",
            _G + "print(f(lam=0.3)[0], f(lam=3.0)[0])   # must fall: to 0.35 from 1.009",
        ),
        Misconception(
            "all points as centres",
            _all_centres,
            "You put a bell on every point: that is kernel ridge regression, of which (2) is the small version.",
            f"Read “{_NYSTROM}” again: (1), where f has m terms.",
            _G + "print(f()[3])   # two bells at X[:2] say this at X[3]: must be -0.074",
        ),
        Misconception(
            "on the centres alone",
            _subsample,
            "You learn from the targets at the centres only: a subsample. In (1) all n targets stand.",
            f"Read “{_OTHERS}” again.",
            _G + "print(f(d=(1, 0, 2, -1))[0], f(d=(1, 0, 9, -1))[0])   # a target elsewhere counts: must be 1.009 and 1.714",
        ),
        Misconception(
            "mean of the targets taken away",
            _network_with(right=lambda G, d: G.T @ (d - d.mean())),
            "You take the mean of the targets away first; (1) has no intercept, and all of d is on its right-hand side.",
            f"Read “{_NYSTROM}” again: (1) and (2).",
            _G + "print(f(d=(2, 2, 2, 2))[0] > 1)   # all targets are 2, and a bell stands on the first point: must be True",
        ),
        Misconception(
            "mean of the targets as an intercept",
            _mean_removed,
            "You take the mean of the targets away and add it to what comes out: an intercept, which (1) has not.",
            f"Read “{_NYSTROM}” again: f in (1) has m terms and no constant.",
            _G + "X = 50 * X\nprint(f(d=(3, 3, 3, 3), T=X[:1])[3])   # far from the only centre: must be 0",
        ),
        Misconception(
            "free intercept",
            _with_intercept,
            "You add a constant b that costs nothing, as `Ridge` of scikit-learn does by default; in (1) f is a sum of bells alone.",
            f"Read “{_PRACTICE}” again: the trap of the intercept.",
            _G + "print(f(T=X[:2] + 90))   # where no centre is near nothing can be said: must be 0",
        ),
        Misconception(
            "λ nλ",
            _more(lam=lambda lam, n, m: n * lam),
            "Your λ is n times what it should be: here it stands beside the sum of squared errors, not beside their mean.",
            f"{_NOTATION}: the strength of the penalty.",
            _G + "print(f()[0])   # must be 1.009",
        ),
        Misconception(
            "λ/n",
            _more(lam=lambda lam, n, m: lam / n),
            "Your λ is divided by n; it stands beside the sum of squared errors as it is.",
            f"{_NOTATION}: the strength of the penalty.",
            _G + "print(f()[1])   # must be 0.314",
        ),
        Misconception(
            "λ squared",
            _more(lam=lambda lam, n, m: lam**2),
            "Your λ is squared.",
            _STEP_1,
            _G + "print(f(lam=2.0)[0])   # must be 0.457",
        ),
        Misconception(
            "weights",
            _weights,
            "You return the weights w, one for each centre; asked is what the network says at the points, Gw.",
            f"Read “{_NYSTROM}” again: f in (1).",
            _G + "print(np.shape(f()))   # as many as points: must be (4,)",
        ),
        Misconception(
            "at the centres",
            _at_centres,
            "You return what the network says at the centres; asked are the fitted values, at all points.",
            f"Read “{_NYSTROM}” again: f in (1).",
            _G + "print(len(f()))   # one for each point: must be 4",
        ),
        Misconception(
            "G₀² for G₀",
            _network_with(price=lambda G_0, lam: lam * G_0 @ G_0),
            "Your price is λ‖G₀w‖², the squares of the values at the centres; it is λ wᵀG₀w.",
            f"Read “{_NYSTROM}” again: (1).",
            _G + "print(f()[:2])   # must be 1.009 and 0.314",
        ),
        Misconception(
            "factor on the wrong side",
            _network_with(price=_other_factor),
            "With G₀ = LLᵀ your features are GL⁻¹; then the price is λ wᵀLᵀLw. They are GL⁻ᵀ: solve with L for the columns of Gᵀ.",
            f"Read “{_NYSTROM}” again: step 4. Any S with SSᵀ = G₀⁻¹ will do.",
            _G + "print(f(lam=3.0)[:2])   # must be 0.35 and 0.189",
        ),
        Misconception(
            "inverse of G₀",
            _network_with(price=lambda G_0, lam: lam * np.linalg.pinv(G_0)),
            "Your price has the inverse of G₀; ‖f‖² of f = Σ w_j k(t_j, ·) is wᵀG₀w.",
            f"Read “{_NYSTROM}” again: (1).",
            _G + "print(f()[2:])   # must be 0.204 and -0.074",
        ),
        *(
            Misconception(
                name,
                _network_with(kernel=GAUSSIAN_SLIPS[name][0]),
                GAUSSIAN_SLIPS[name][1],
                f"{_NOTATION}: the kernel is exp(-‖x-z‖²/(2σ²)).",
                _G + f"print(f(d=(1, 1, 1, 1), sigma={at}, lam=1e-6)[2])   # must be {must}",
            )
            for name, at, must in _KERNELS
        ),
    ),
    step=f"{_STEP_1} G is the kernel of points and centres, G₀ that of the centres, and the fitted values are Gw.",
    experiment=_G + "print(f())   # must be 1.009, 0.314, 0.204, -0.074",
    sizes=lambda X, d, T, sigma, lam: {"n": len(X), "m": len(T), "d": X.shape[1], "λ": lam, "σ": sigma},
)  # fmt: skip


# -- 10.4


def stream_ridge(X, y, Z, sigma, lam, rows, Xq):
    """k(Xq, Z) a with (Σ K_bᵀK_b + λK_mm) a = Σ K_bᵀy_b."""
    if len(Z) > 500 or np.shape(y) != (len(X),):  # many rows are an input here: so many landmarks would be too large
        raise ValueError("as many targets as points, and no more landmarks than the sheet has")
    return _blockwise(X, y, Z, sigma, lam, rows, Xq, kernel=_quick)


def _quick(X, Z, sigma):
    """The Gaussian kernel without an array of differences."""
    s = (X**2).sum(axis=1)[:, None] + (Z**2).sum(axis=1) - 2 * X @ Z.T
    return np.exp(-np.maximum(s, 0) / (2 * sigma**2))


def _blocks(n, rows):
    return [slice(i, min(i + rows, n)) for i in range(0, n, rows)]


def _blockwise(
    X, y, Z, sigma, lam, rows, Xq, *, blocks=_blocks, each=lambda lam, count: lam, targets=lambda y, b: y[b],
    price=lambda K, lam: lam * K, kernel=gaussian,
):  # fmt: skip
    m = len(Z)
    S, c, count = np.zeros((m, m)), np.zeros(m), 0
    for b in blocks(len(X), rows):
        K = kernel(X[b], Z, sigma)
        S, c, count = S + K.T @ K, c + K.T @ targets(y, b)[: len(K)], count + 1
    if not count:
        return np.zeros(len(Xq))
    return kernel(Xq, Z, sigma) @ _solve(S + price(kernel(Z, Z, sigma), each(lam, count)), c)


def _few(wrong):
    """A slip; of so many rows that it would take long it says nothing."""

    def asked(X, *rest):
        if len(X) >= _MANY_ROWS:
            raise ValueError("too many rows to try a slip on")
        return wrong(X, *rest)

    return asked


def _streamed_with(**how):
    return _few(lambda *args: _blockwise(*args, **how))


def _streamed_more(change):
    """The right formula with another λ."""
    return Changed(stream_ridge, lambda X, y, Z, sigma, lam, rows, Xq: (X, y, Z, sigma, change(lam, X), rows, Xq))


def _one_row_more(n, rows):
    return [slice(b.start, min(b.stop + 1, n)) for b in _blocks(n, rows)]


def _whole_blocks(n, rows):
    return _blocks(n - n % rows, rows)


def _all_but_the_last(n, rows):
    return _blocks(n, rows)[:-1]


@_few
def _mean_of_models(X, y, Z, sigma, lam, rows, Xq):
    """A machine for each block, and the mean of what they say."""
    said = [_blockwise(X[b], y[b], Z, sigma, lam, rows, Xq) for b in _blocks(len(X), rows)]
    return np.mean(said, axis=0)


@_few
def _mean_put_back(X, y, Z, sigma, lam, rows, Xq):
    return _blockwise(X, y - y.mean(), Z, sigma, lam, rows, Xq) + y.mean()


@_few
def _alone(X, y, Z, sigma, lam, rows, Xq):
    """The landmarks are taken for the first points, as in the sheet's mountains."""
    return gaussian(Xq, Z, sigma) @ np.linalg.solve(gaussian(Z, Z, sigma) + lam * np.eye(len(Z)), y[: len(Z)])


@_few
def _exactly(X, y, Z, sigma, lam, rows, Xq):
    K = gaussian(X, X, sigma)
    return gaussian(Xq, X, sigma) @ np.linalg.solve(K + lam * np.eye(len(X)), y)


def _flight(rng, n, d, m, rows, q, lam=None):
    sigma = width(rng)
    lam = float(rng.choice([rng.uniform(0.15, 0.5), rng.uniform(1.6, 3.0)])) if lam is None else lam
    Z = apart("stream_ridge", rng, m, d, sigma, 0.05)
    X = Z[np.resize(np.arange(m), n)] + 0.8 * sigma * rng.normal(size=(n, d))
    # as on a journey: what comes later is elsewhere, and higher
    order = np.argsort(X[:, 0])
    X = X[order]
    Xq = Z[np.resize(np.arange(m), q)] + 0.5 * sigma * rng.normal(size=(q, d))  # one is near where the flight begins
    return X, rng.normal(size=n) + np.linspace(-2, 2, n), Z, sigma, lam, rows, Xq


def _with_a_little_more(X, y, Z, sigma, lam, rows, Xq, little=1e-6):
    """With 1e-6 on the diagonal, for safety."""
    A, K = gaussian(Z, Z, sigma), gaussian(X, Z, sigma)
    return gaussian(Xq, Z, sigma) @ np.linalg.solve(K.T @ K + lam * A + little * np.eye(len(Z)), K.T @ y)


def _first_flight(rng, n, *sizes):
    """One with a small λ, on which even 1e-6 on the diagonal is seen at any rate."""
    for _ in attempts("stream_ridge"):
        found = _flight(rng, n, *sizes, lam=float(rng.uniform(0.02, 0.05)))
        if telling([found], stream_ridge, [_with_a_little_more], least=3 * RTOL):
            return found


def _flights(rng):
    """Rows that do not go into n, and once do, on which no two slips agree."""
    for _ in attempts("stream_ridge"):
        first = _first_flight(rng, 13, 2, 3, 5, 4)
        found = [first, *(_flight(rng, *sizes) for sizes in ((38, 3, 4, 9, 6), (18, 3, 2, 6, 5)))]
        if telling(found, stream_ridge, [m.wrong for m in STREAM_RIDGE.misconceptions]):
            return found


def _odd_sizes(rng):
    """All in one block, with room left; one row at a time; a last block of full size."""
    return [_first_flight(rng, 13, 2, 3, 50, 4), _flight(rng, 9, 3, 2, 1, 5), _flight(rng, 20, 2, 3, 5, 4)]


def _many(rng):
    """K_nm would take so much more than what is allowed that it is seen from outside, too."""
    sigma = float(rng.uniform(1.4, 2.2))
    Z = np.stack(np.meshgrid(np.arange(10.0), np.arange(5.0)), axis=-1).reshape(-1, 2) * 1.6 * sigma
    X = rng.uniform(0, 1, (_MANY_ROWS, 2)) * [15 * sigma, 7 * sigma]
    y = np.sin(X[:, 0] / sigma) + rng.normal(size=_MANY_ROWS)
    return [(X, y, Z, sigma, 2.5, 1000, X[:7] + 0.1)]


_S = USE + "rng = np.random.default_rng(0); X = rng.normal(size=(10, 2)); y = X[:, 0] + 1; Z = X[:3]\n" \
    "def f(rows=4, lam=0.3, n=10, sigma=1.5):\n" \
    "    return np.round(stream_ridge(X[:n], y[:n], Z, sigma, lam, rows, X[7:9]), 3)\n"  # fmt: skip
_SUMS = f"Read “{_STREAM}” again"

STREAM_RIDGE = Exercise(
    name="stream_ridge",
    chapter=CHAPTER,
    number="10.4",
    returns="the predictions at Xq, shape (q,)",
    reference=stream_ridge,
    properties=(
        Property("is the machine that has seen all blocks", 3, _flights),
        Property(
            "is so for blocks of any size: one row, all rows, more than there are",
            1,
            _odd_sizes,
            hint="Your answer went wrong only for special sizes of the blocks: a single row, a last block that is full, or one block "
            "that is larger than the data.",
        ),
        Property(
            "learns from 100 000 rows with arrays of 5 MB at most",
            2,
            _many,
            hint="Your answer went wrong only where there are many rows: K_nm of all of them would take 40 MB, and 5 MB are allowed "
            "at one time, besides the arguments. Keep sums, and make the kernel of one block after the other.",
        ),
    ),
    promises=(
        Promise("have rows that do not go into n, and last some that do", lambda found: (
            [len(X) % rows > 0 for X, *_, rows, _ in found] == [1, 1, 0]), (0,), together=True),
        Promise("show a little more on the diagonal", lambda found: any(
            np.abs(_with_a_little_more(*args) - stream_ridge(*args)).max() > 2 * RTOL * np.abs(stream_ridge(*args)).max()
            for args in found), (0, 1), together=True),
        Promise("have one block, single rows, and a last block that is full", lambda found: (
            [np.sign(rows - len(X)) + (len(X) % rows == 0) for X, *_, rows, _ in found] == [1, 0, 0]), (1,), together=True),
        Promise("would need eight times what is allowed", lambda X, y, Z, s, lam, rows, Xq: len(X) * len(Z) * 8 >= 8 * MEMORY, (2,)),
    ),
    misconceptions=(
        Misconception(
            "λ for each block",
            _streamed_with(each=lambda lam, count: count * lam),
            "Your λ counts once for each block: λK_mm is added inside the loop, or the sums are divided by the number of blocks. "
            "It is added once, to the whole sums.",
            f"{_SUMS}: both sides of (2) are sums over points, and λK_mm is not.",
            _S + "print(f(rows=2) - f(rows=10))   # how the data are cut changes nothing: must be 0",
        ),
        Misconception(
            "last block lost",
            _streamed_with(blocks=_whole_blocks),
            "You leave out the rows after the last whole block: n need not be a multiple of `rows`.",
            f"{_SUMS}: all points are used.",
            _S + "print(f(rows=4) - f(rows=5))   # ten rows, once with a last block of two: must be 0",
        ),
        Misconception(
            "last block always lost",
            _streamed_with(blocks=_all_but_the_last),
            "You leave out the last block, also where it is full: `range(0, n - rows, rows)` ends before it.",
            f"{_SUMS}: all points are used.",
            _S + "print(f(rows=99))   # one block, which is the last one, too: must not be 0",
        ),
        Misconception(
            "first block alone",
            _streamed_with(blocks=lambda n, rows: _blocks(n, rows)[:1]),
            "Your machine knows the first block and no other.",
            f"{_SUMS}: blocks are added up.",
            _S + "print(f(rows=5) - f(rows=10))   # two blocks, one block: must be 0",
        ),
        Misconception(
            "last block alone",
            _streamed_with(blocks=lambda n, rows: _blocks(n, rows)[-1:]),
            "Your machine knows the last block and no other: are the sums set to 0 inside the loop, or overwritten?",
            f"{_SUMS}: blocks are added up.",
            _S + "print(f(rows=2) - f(rows=5))   # five blocks, two blocks: must be 0",
        ),
        Misconception(
            "blocks overlap",
            _streamed_with(blocks=_one_row_more),
            "Your blocks overlap: the last row of each is the first one of the next, too. A slice ends before its stop, so "
            "start : start + rows has `rows` rows.",
            f"{_SUMS}: each point is used once.",
            _S + "print(f(rows=1) - f(rows=99))   # ten blocks, one block: must be 0",
        ),
        Misconception(
            "first targets for all blocks",
            _streamed_with(targets=lambda y, b: y[: b.stop - b.start]),
            "You take the first targets for each block: y is cut like X.",
            f"{_SUMS}: y_i stands beside k_m(x_i).",
            _S + "print(f(rows=3) - f(rows=10))   # four blocks, one block: must be 0",
        ),
        Misconception(
            "mean of the machines",
            _mean_of_models,
            "You train a machine for each block and average what they say; asked is one machine: the blocks' sums are added, "
            "and (2) is solved once.",
            f"{_SUMS}: what is added up.",
            _S + "print(f(rows=1) - f(rows=10))   # ten blocks, one block: must be 0",
        ),
        Misconception(
            "mean of the targets as an intercept",
            _mean_put_back,
            "You take the mean of the targets away and add it to what comes out: an intercept, which (1) has not.",
            f"Read “{_NYSTROM}” again: f in (1) has m terms and no constant.",
            _S + "X = X + 50; print(stream_ridge(X, y, Z, 1.5, 0.3, 4, Z))   # no landmark is near a point: must be 0, 0, 0",
        ),
        Misconception(
            "λI for λK_mm",
            _streamed_with(price=lambda K, lam: lam * np.eye(len(K))),
            "Your price is λ‖a‖²; it is that of the function, λ‖f‖² = λ aᵀK_mm a.",
            f"Read “{_NYSTROM}” again: (1) and (2).",
            _S + "print(f(lam=3.0))   # must be 0.096 and 0.377",
        ),
        Misconception(
            "λ nλ",
            _streamed_more(lambda lam, X: len(X) * lam),
            "Your λ is n times what it should be: here it stands beside the sum of squared errors, not beside their mean.",
            f"{_NOTATION}: the strength of the penalty.",
            _S + "print(f())   # must be -0.207 and 0.356",
        ),
        Misconception(
            "λ/n",
            _streamed_more(lambda lam, X: lam / len(X)),
            "Your λ is divided by n; it stands beside the sum of squared errors as it is.",
            f"{_NOTATION}: the strength of the penalty.",
            _S + "print(f()[1])   # must be 0.356",
        ),
        Misconception(
            "no price",
            _streamed_with(price=lambda K, lam: 0.0 * K),
            "λ plays no part in your answer.",
            f"Read “{_NYSTROM}” again: (2).",
            _S + "print(f(lam=0.3) - f(lam=30.0))   # must not be 0",
        ),
        Misconception(
            "on the landmarks alone",
            _alone,
            "You learn from the landmarks' own targets only: a subsample, which needs no blocks.",
            f"Read “{_OTHERS}” again.",
            _S + "print(f(n=10) - f(n=5))   # more rows, another machine: must not be 0",
        ),
        Misconception(
            "all points as landmarks",
            _exactly,
            "You put a bell on every point: kernel ridge regression, whose Gram matrix grows like n².",
            f"Read “{_NYSTROM}” again: (1).",
            _S + "Z = np.array([[90.0, 90.0]])\nprint(f())   # a landmark far from everything says nothing: must be 0",
        ),
        *(
            Misconception(
                name,
                _streamed_with(kernel=GAUSSIAN_SLIPS[name][0]),
                GAUSSIAN_SLIPS[name][1],
                f"{_NOTATION}: the kernel is exp(-‖x-z‖²/(2σ²)).",
                _S + f"Z = X[:1]; X = np.repeat(X[:1], 10, axis=0); X[8, 0] += {far}; y = np.ones(10)\n"
                f"v = f(lam=1e-9, sigma=2.0)\nprint(v[1] / v[0])   # {far} from its landmark: must be {must}",
            )
            for name, far, must in (("exponent without the 2", 2.0, 0.61), ("distance not squared", 3.0, 0.32))
        ),
    ),
    step=f"{_SUMS}: the two sums, and (2), which is solved once, at the end.",
    experiment=_S + "print(f(rows=1), f(rows=4), f(rows=99))   # however the data are cut: must agree",
    sizes=lambda X, y, Z, sigma, lam, rows, Xq: {"n": len(X), "m": len(Z), "λ": lam, "σ": sigma, "rows": rows},
    memory=MEMORY,
)  # fmt: skip
