"""Exercise 10.4: ridge regression on landmarks, for points that come in blocks."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch10_scaling.features import CHAPTER, USE, apart, width
from kcourse.chapters.gaussian_mistakes import GAUSSIAN_MISTAKES, gaussian
from kcourse.checks.spec import RTOL, Changed, Exercise, Misconception, Promise, Property, attempts, telling

__all__ = ["MEMORY", "STREAM_RIDGE"]

MEMORY = 5_000_000  # bytes for the arrays of 10.3 and 10.4
_MANY_ROWS = 7_000  # too many to try mistakes on
_NYSTROM = "Nyström, from the representer theorem"
_OTHERS = "Nyström is not a subsample"
_STREAM = "Streaming a million readings"
_NOTATION = "Read “Notation” on the start page"


def _solve(A, b):
    """Of what is singular the shortest solution, as of what is not."""
    if not np.isfinite(A).all():  # of a width of 0, say, if somebody asks; LAPACK would print that it minds
        raise np.linalg.LinAlgError("there is no solution")
    return np.linalg.lstsq(A, b, rcond=1e-13)[0]


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
    penalty=lambda K, lam: lam * K, kernel=gaussian,
):  # fmt: skip
    m = len(Z)
    S, c, count = np.zeros((m, m)), np.zeros(m), 0
    for b in blocks(len(X), rows):
        K = kernel(X[b], Z, sigma)
        S, c, count = S + K.T @ K, c + K.T @ targets(y, b)[: len(K)], count + 1
    if not count:
        return np.zeros(len(Xq))
    return kernel(Xq, Z, sigma) @ _solve(S + penalty(kernel(Z, Z, sigma), each(lam, count)), c)


def _few(wrong):
    """A mistake; of so many rows that it would take long it says nothing."""

    def asked(X, *rest):
        if len(X) >= _MANY_ROWS:
            raise ValueError("too many rows to try a mistake on")
        return wrong(X, *rest)

    return asked


def _streamed_with(**how):
    return _few(lambda *args: _blockwise(*args, **how))


def _whole_blocks(n, rows):
    return _blocks(n - n % rows, rows)


def _all_but_the_last(n, rows):
    return _blocks(n, rows)[:-1]


@_few
def _mean_of_models(X, y, Z, sigma, lam, rows, Xq):
    """A model for each block, and the mean of their predictions."""
    return np.mean([_blockwise(X[b], y[b], Z, sigma, lam, rows, Xq) for b in _blocks(len(X), rows)], axis=0)


@_few
def _alone(X, y, Z, sigma, lam, rows, Xq):
    """The landmarks are taken for the first points, as in the sheet's mountains."""
    return gaussian(Xq, Z, sigma) @ np.linalg.solve(gaussian(Z, Z, sigma) + lam * np.eye(len(Z)), y[: len(Z)])


@_few
def _weights_at_the_kernels(X, y, Z, sigma, lam, rows, Xq):
    F = np.linalg.solve(np.linalg.cholesky(gaussian(Z, Z, sigma)), gaussian(X, Z, sigma).T).T
    return gaussian(Xq, Z, sigma) @ np.linalg.solve(F.T @ F + lam * np.eye(len(Z)), F.T @ y)


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
    """Rows that do not go into n, and once do, on which no two mistakes agree."""
    for _ in attempts("stream_ridge"):
        first = _first_flight(rng, 13, 2, 3, 5, 4)
        found = [first, *(_flight(rng, *sizes) for sizes in ((38, 3, 4, 9, 6), (18, 3, 2, 6, 5)))]
        if telling(found, stream_ridge, [m.wrong for m in STREAM_RIDGE.misconceptions]):
            return found


def _odd_sizes(rng):
    """All in one block, with room left; one row at a time; a last block of full size."""
    return [_first_flight(rng, 13, 2, 3, 50, 4), _flight(rng, 9, 3, 2, 1, 5), _flight(rng, 20, 2, 3, 5, 4)]


def _many(rng):
    """K_nm would take so much more than what is allowed that it is seen from outside, too; and one row at a time.

    An answer that takes ``rows`` for the number of blocks has all in one there.
    """
    found = []
    for n, high, rows in ((100_000, 5, 1000), (7_000, 10, 1)):
        sigma = float(rng.uniform(1.4, 2.2))
        Z = np.stack(np.meshgrid(np.arange(10.0), np.arange(float(high))), axis=-1).reshape(-1, 2) * 1.6 * sigma
        X = rng.uniform(0, 1, (n, 2)) * [15 * sigma, 1.4 * high * sigma]
        y = np.sin(X[:, 0] / sigma) + rng.normal(size=n)
        found.append((X, y, Z, sigma, 2.5, rows, X[:7] + 0.1))
    return found


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
        Property("predicts like the model that is fitted to all blocks", 3, _flights),
        Property(
            "does so for blocks of any size: one row, all rows, more than there are",
            1,
            _odd_sizes,
            hint="Your answer fails only for special sizes of the blocks. Try a single row, a last block that is full, and one "
            "block that is larger than the data.",
        ),
        Property(
            "learns from 100 000 rows with arrays of 5 MB at most",
            2,
            _many,
            hint="Your answer fails only if there are many rows, and 5 MB are allowed. Keep the two sums, and compute the kernel "
            "of one block of `rows` points at a time.",
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
        Promise("would need eight times what is allowed, or more than that and have single rows", lambda X, y, Z, s, lam, rows, Xq: (
            len(X) * len(Z) * 8 >= (MEMORY if rows == 1 else 8 * MEMORY)), (2,)),
    ),
    misconceptions=(
        Misconception(
            "λ for each block",
            _streamed_with(each=lambda lam, count: count * lam),
            "You add λK_mm for each block, or divide the sums by the number of blocks. Add λK_mm once, to the complete sums.",
            f"{_SUMS}: both sides of (2) are sums over points, and λK_mm is not.",
            _S + "print(f(rows=2) - f(rows=10))   # how the data are cut changes nothing: should print 0",
        ),
        Misconception(
            "last block lost",
            _streamed_with(blocks=_whole_blocks),
            "You leave out the rows after the last whole block. n need not be a multiple of `rows`: use a shorter last block.",
            f"{_SUMS}: all points are used.",
            _S + "print(f(rows=4) - f(rows=5))   # ten rows, once with a last block of two: should print 0",
        ),
        Misconception(
            "last block always lost",
            _streamed_with(blocks=_all_but_the_last),
            "You leave out the last block, even if it is full. `range(0, n - rows, rows)` ends before it: use `range(0, n, rows)`.",
            f"{_SUMS}: all points are used.",
            _S + "print(f(rows=99))   # one block, which is also the last one: must not be 0",
        ),
        Misconception(
            "last block alone",
            _streamed_with(blocks=lambda n, rows: _blocks(n, rows)[-1:]),
            "You use the last block only. The sums are set to 0 inside the loop, or overwritten: write `+=`.",
            f"{_SUMS}: blocks are added up.",
            _S + "print(f(rows=2) - f(rows=5))   # five blocks, two blocks: should print 0",
        ),
        Misconception(
            "first targets for all blocks",
            _streamed_with(targets=lambda y, b: y[: b.stop - b.start]),
            "You use the first targets for each block. Cut y like X.",
            f"{_SUMS}: y_i multiplies k_m(x_i).",
            _S + "print(f(rows=3) - f(rows=10))   # four blocks, one block: should print 0",
        ),
        Misconception(
            "mean of the models",
            _mean_of_models,
            "You fit a model for each block and average the predictions. Add the sums of the blocks, and solve (2) once.",
            f"{_SUMS}: the two sums over all points.",
            _S + "print(f(rows=1) - f(rows=10))   # ten blocks, one block: should print 0",
        ),
        Misconception(
            "λI for λK_mm",
            _streamed_with(penalty=lambda K, lam: lam * np.eye(len(K))),
            "Your penalty is λ‖a‖². The penalty of f is λ‖f‖² = λ aᵀK_mm a: add λK_mm.",
            f"Read “{_NYSTROM}” again: (1) and (2).",
            _S + "print(f(lam=3.0))   # should print 0.096 and 0.377",
        ),
        Misconception(
            "no penalty",
            _streamed_with(penalty=lambda K, lam: 0.0 * K),
            "You do not use λ. Add λK_mm to the sum on the left of (2).",
            f"Read “{_NYSTROM}” again: (2).",
            _S + "print(f(lam=0.3) - f(lam=30.0))   # must not be 0",
        ),
        Misconception(
            "λ nλ",
            Changed(stream_ridge, lambda X, y, Z, sigma, lam, rows, Xq: (X, y, Z, sigma, len(X) * lam, rows, Xq)),
            "You multiply λ by n. In this course λ is next to the sum of squared errors, not their mean: use λ as it is.",
            f"{_NOTATION}: the strength of the penalty.",
            _S + "print(f())   # should print -0.207 and 0.356",
        ),
        Misconception(
            "on the landmarks alone",
            _alone,
            "You learn only from the targets of the landmarks. This is a subsample. Equation (2) uses all targets.",
            f"Read “{_OTHERS}” again.",
            _S + "print(f(n=10) - f(n=5))   # more rows, another model: must not be 0",
        ),
        Misconception(
            "weights of features at the kernels",
            _weights_at_the_kernels,
            "You solve for the weights w of features φ = L⁻¹k_m and multiply kernels by them. The coefficients of kernels are "
            "a = L⁻ᵀw.",
            f"Read “{_NYSTROM}” again: step 4, w and a.",
            _S + "print(f(rows=10))   # should print -0.207 and 0.356",
        ),
        Misconception(
            "exponent without the 2",
            Changed(
                stream_ridge, lambda X, y, Z, sigma, lam, rows, Xq: (X, y, Z, sigma / np.sqrt(2), lam, rows, Xq)
            ),
            GAUSSIAN_MISTAKES["exponent without the 2"][1],
            f"{_NOTATION}: the kernel is exp(-‖x-z‖²/(2σ²)).",
            _S + "Z = X[:1]; X = np.repeat(X[:1], 10, axis=0); X[8, 0] += 2.0; y = np.ones(10)\n"
            "v = f(lam=1e-9, sigma=2.0)\nprint(v[1] / v[0])   # 2.0 from its landmark: should print 0.61",
        ),
    ),
    step=f"{_SUMS}: the two sums, and (2), which is solved once at the end.",
    experiment=_S + "print(f(rows=1), f(rows=4), f(rows=99))   # however the data are cut: should print -0.207 and 0.356",
    sizes=lambda X, y, Z, sigma, lam, rows, Xq: {"n": len(X), "m": len(Z), "λ": lam, "σ": sigma, "rows": rows},
    memory=MEMORY,
)  # fmt: skip
