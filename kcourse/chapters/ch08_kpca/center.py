"""Exercises 8.1 and 8.2: centring a Gram matrix, and rows of new points."""

from __future__ import annotations

import numpy as np

from kcourse.checks.spec import Exercise, Misconception, Observation, Promise, Property

__all__ = ["CENTER_GRAM", "CENTER_TEST_GRAM", "CHAPTER", "USE", "center_gram", "center_test_gram", "points_and_gram"]

CHAPTER = "ch08_kpca"
USE = "import numpy as np\n"  # how an experiment begins
_ORIGIN, _FOUR = "Centring the Gram matrix", "Question 4: where does a point lie on the axes?"


def points_and_gram(rng: np.random.Generator, n: int, q: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A Gram matrix (n, n) with a diagonal that is not constant, and rows (q, n) of other points."""
    F = rng.normal(size=(n + q, 3)) + rng.uniform(0.4, 1.0, 3)
    K = (F @ F.T + 0.5) ** 2 * rng.uniform(0.2, 0.4)
    K = (K + K.T) / 2
    return K[:n, :n].copy(), K[n:, :n].copy()


# -- 8.1


def center_gram(K):
    """K - UK - KU + UKU."""
    return _four(K)


def _four(K, rows=1.0, columns=1.0, total=1.0):
    return K - rows * K.mean(axis=1, keepdims=True) - columns * K.mean(axis=0) + total * K.mean()


def _both_by_rows(K):
    m = K.mean(axis=1, keepdims=True)
    return K - 2 * m + K.mean()


_K = (
    USE
    + "K = np.array([[1.0, 0.0], [0.0, 3.0]])   # φ₁ = (1, 0), φ₂ = (0, √3)\nC = np.asarray(center_gram(K.copy()))\n"
)

CENTER_GRAM = Exercise(
    name="center_gram",
    chapter=CHAPTER,
    number="8.1",
    returns="the centred Gram matrix, shape (n, n)",
    reference=center_gram,
    properties=(
        Property("is the Gram matrix of the deviations from the mean", 3, lambda r: [
            (points_and_gram(r, n)[0],) for n in (5, 8, 6)]),
    ),
    promises=(
        Promise("have a diagonal that is not constant", lambda K, *_: np.ptp(np.diag(K)) > 0.1),
    ),
    misconceptions=(
        Misconception(
            "overall mean taken away",
            lambda K: K - K.mean(),
            "You subtract the mean of all entries. This does not move the origin to the mean of the features. Subtract row and column means also.",
            f"Read “{_ORIGIN}” again: (1) has four terms.",
            _K + "print(C.sum(axis=1))   # deviations sum to 0, so the rows should be 0, 0",
        ),
        Misconception(
            "row means alone",
            lambda K: _four(K, columns=0, total=0),
            "You subtract only the mean of each row. The result is not symmetric. Subtract the mean of each column too, and add the overall mean.",
            f"Read “{_ORIGIN}” again: both arguments of the inner product are deviations.",
            _K + "print(C - C.T, 'should print 0: a Gram matrix is symmetric')",
        ),
        Misconception(
            "column means alone",
            lambda K: _four(K, rows=0, total=0),
            "You subtract only the mean of each column. The result is not symmetric. Subtract the mean of each row too, and add the overall mean.",
            f"Read “{_ORIGIN}” again: both arguments of the inner product are deviations.",
            _K + "print(C[0, 1] - C[1, 0])   # a Gram matrix is symmetric: should print 0",
        ),
        Misconception(
            "last term forgotten",
            lambda K: _four(K, total=0),
            "You leave out the last term of (1). The overall mean is subtracted with the rows and again with the columns, so add it once.",
            f"Read “{_ORIGIN}” again: (1) has four terms.",
            _K + "print(C.sum())   # the sum of all deviations has length 0: should print 0",
        ),
        Misconception(
            "last term subtracted",
            lambda K: _four(K, total=-1),
            "You subtract the overall mean. It is the product of two minus signs, so add it.",
            f"Read “{_ORIGIN}” again: the sign of UKU in (1).",
            _K + "print(np.diag(C) >= 0)   # squared lengths: must all be True",
        ),
        Misconception(
            "ones for one over n",
            lambda K: K - len(K) * (K.mean(axis=0) + K.mean(axis=1, keepdims=True)) + len(K) ** 2 * K.mean(),
            "Your U has ones as its entries. Then UK has sums instead of means. Use 1/n.",
            f"Read “{_ORIGIN}” again: what the entries of U are.",
            _K + "print(C[0, 0])   # φ₁ is half as far from the mean as from φ₂, squared 4/4: should print 1",
        ),
        Misconception(
            "column means twice",
            lambda K: K - 2 * K.mean(axis=0) + K.mean(),
            "You subtract the mean of column j twice. A mean without keepdims=True has shape (n,) and is subtracted along the columns. "
            "Subtract the mean of row i with keepdims=True.",
            f"Read “{_ORIGIN}” again: (1) averages K_il and K_lj.",
            _K + "print(C[1, 0] - C[0, 1])   # a Gram matrix is symmetric, here too: should print 0",
        ),
        Misconception(
            "row means twice",
            _both_by_rows,
            "You subtract the mean of row i twice. One of the two must be the mean of column j.",
            f"Read “{_ORIGIN}” again: (1) averages K_il and K_lj.",
            _K + "print(C - C.T, 'should print 0: row i and column j have different means')",
        ),
        Misconception(
            "only one of the two means",
            lambda K: _four(K, rows=0.5, columns=0.5, total=0),
            "You subtract half of each mean. Subtract both means, and add the overall mean.",
            f"Read “{_ORIGIN}” again: (1) expands a product of two differences.",
            _K + "print(C[1, 1])   # φ₂ is 1 away from the mean, too: should print 1",
        ),
        Misconception(
            "made of length one",
            lambda K: K / np.sqrt(np.outer(np.diag(K), np.diag(K))),
            "You divide by the lengths of the features. This gives unit vectors and does not move the origin. Subtract means instead.",
            f"Read “{_ORIGIN}” again: (1) subtracts and does not divide.",
            _K + "print(C[1].sum(), 'should print 0: deviations from the mean sum to 0')",
        ),
    ),
    observations=(
        Observation(
            "The rows of your matrix do not sum to 0, but those of a centred Gram matrix do.",
            lambda value, K: bool(np.abs(np.asarray(value).sum(axis=1)).max() > 1e-6 * np.abs(K).max()),
        ),
    ),
    step=f"Read “{_ORIGIN}” again: equation (1).",
    experiment=_K + "print(C)   # φ₁ and φ₂ are 2 apart, each 1 from the mean: should print 1, -1 in one row, -1, 1 in the other",
    sizes=lambda K: {"n": len(K)},
)  # fmt: skip


# -- 8.2


def center_test_gram(K, Kq):
    """Kq - VK - KqU + VKU."""
    return _rows(K, Kq)


def _rows(K, Kq, *, columns=None, own=1.0, total=None):
    columns = K.mean(axis=0) if columns is None else columns
    total = K.mean() if total is None else total
    return Kq - columns - own * Kq.mean(axis=1, keepdims=True) + total


def _as_if_new_were_training(K, Kq):
    return _rows(K, Kq, columns=Kq.mean(axis=0), total=Kq.mean())


def _with_new(rng, sizes=((5, 3), (4, 7), (7, 2))):
    return [points_and_gram(rng, n, q) for n, q in sizes]


_Q = USE + "K = np.array([[1.0, 0.0], [0.0, 3.0]])\n" \
    "def of(*rows):\n    return np.asarray(center_test_gram(K.copy(), np.array(rows, dtype=float)))\n"  # fmt: skip

CENTER_TEST_GRAM = Exercise(
    name="center_test_gram",
    chapter=CHAPTER,
    number="8.2",
    returns="the centred rows, shape (m, n)",
    reference=center_test_gram,
    properties=(
        Property("centres new rows with the mean of the training points", 3, _with_new),
        Property(
            "does so for a single new point",
            1,
            lambda r: _with_new(r, ((4, 1), (6, 1))),
            hint="Your answer fails only for a single new point. Then the result must have shape (1, n). A squeeze or an index "
            "that drops an axis removes this axis.",
        ),
    ),
    promises=(
        Promise("have a diagonal that is not constant", lambda K, *_: np.ptp(np.diag(K)) > 0.1, of=(0, 1)),
    ),
    misconceptions=(
        Misconception(
            "not centred",
            lambda K, Kq: Kq,
            "You return the rows as they are. The axes belong to centred features, so centre the new rows with (5).",
            f"Read “{_FOUR}” again: equation (5).",
            _Q + "print(of([1, 0], [0, 3]))   # the training points once more: should be the centred K, 1, -1 and -1, 1",
        ),
        Misconception(
            "means of the new points",
            _as_if_new_were_training,
            "You centre with the means of the new points. Then a score depends on which other points are scored with it. Use means of K.",
            f"Read “{_FOUR}” again: which mean (5) uses.",
            _Q + "print(of([4, 0])[0] - of([4, 0], [0, 9])[0])   # one point, alone and in company: should print 0, 0",
        ),
        Misconception(
            "column means of the new rows",
            lambda K, Kq: _rows(K, Kq, columns=Kq.mean(axis=0)),
            "You take the column means from the new rows. Both the column means and the overall mean must come from K.",
            f"Read “{_FOUR}” again: VK in (5) has the column means of K.",
            _Q + "print(of([4, 0])[0, 0])   # 4 - 1/2 - 2 + 1: should print 2.5",
        ),
        Misconception(
            "last term forgotten",
            lambda K, Kq: _rows(K, Kq, total=0.0),
            "You leave out the last term of (5). Add the mean of all entries of K.",
            f"Read “{_FOUR}” again: (5) has four terms.",
            _Q + "print(of([4, 0]).sum())   # the deviations of the training points sum to 0: should print 0",
        ),
        Misconception(
            "mean of the row forgotten",
            lambda K, Kq: _rows(K, Kq, own=0.0),
            "You leave out the mean of the new row itself. It centres the training features. Subtract it from its row.",
            f"Read “{_FOUR}” again: K_q U in (5).",
            _Q + "print(of([4, 0]).sum(), 'should print 0: the deviations of the training points sum to 0')",
        ),
        Misconception(
            "column means alone",
            lambda K, Kq: _rows(K, Kq, own=0.0, total=0.0),
            "You subtract only the column means of K. This is enough for scores, because the entries of α sum to 0, but not for "
            "the inner products here. Use all of (5).",
            f"Read “{_FOUR}” again: all four terms of (5).",
            _Q + "print(of([1, 0])[0])   # a training point once more: should print 1, -1",
        ),
        Misconception(
            "column means twice",
            lambda K, Kq: Kq - 2 * K.mean(axis=0) + K.mean(),
            "You subtract the column means of K twice. One of the two must be the mean of the new row itself.",
            f"Read “{_FOUR}” again: K_q U in (5).",
            _Q + "print(of([6, 0])[0])   # 6 - 1/2 - 3 + 1 and 0 - 3/2 - 3 + 1: should print 3.5, -3.5",
        ),
        Misconception(
            "both means along the columns",
            lambda K, Kq: Kq - Kq.mean(axis=0) - K.mean(axis=0) + K.mean(),
            "You subtract column means of K and of the new rows. A mean without keepdims=True has shape (n,) and is subtracted along the columns. "
            "Subtract the mean of each new row with keepdims=True.",
            f"Read “{_FOUR}” again: VK and K_q U in (5).",
            _Q + "print(of([8, 0])[0])   # 8 - 1/2 - 4 + 1 and 0 - 3/2 - 4 + 1: should print 4.5, -4.5",
        ),
        Misconception(
            "no keepdims",
            None,
            "Your means of the new rows have shape (m,), and NumPy broadcasts such an array along the n columns. With "
            "`keepdims=True` they have shape (m, 1), one for each row.",
            f"Read “{_FOUR}” again: K_q U in (5) has the same number in all columns of a row.",
            _Q + "print(of([4, 0], [0, 9], [1, 1]).shape)   # should print (3, 2)",
            error=r"broadcast together with shapes \((\d+),\d+\) \(\1,\)",
        ),
        Misconception(
            "means of all points, old and new",
            lambda K, Kq: _rows(K, Kq, columns=np.vstack([K, Kq]).mean(axis=0), total=np.vstack([K, Kq]).mean()),
            "You average over training and new points together. The origin is the mean of the training features only, so use means of K.",
            f"Read “{_FOUR}” again: which mean (5) uses.",
            _Q + "print(of([6, 6])[0])   # 6 - 1/2 - 6 + 1 and 6 - 3/2 - 6 + 1: should print 0.5, -0.5",
        ),
        Misconception(
            "last term subtracted",
            lambda K, Kq: _rows(K, Kq, total=-K.mean()),
            "You subtract the overall mean. It is the product of two minus signs, so add it.",
            f"Read “{_FOUR}” again: the sign of VKU in (5).",
            _Q + "print(of([0, 0])[0])   # 0 - 1/2 - 0 + 1 and 0 - 3/2 - 0 + 1: should print 0.5, -0.5",
        ),
        Misconception(
            "overall mean of the new rows",
            lambda K, Kq: _rows(K, Kq, total=Kq.mean()),
            "You add the mean of the new rows. The last term of (5) is the mean of all entries of K.",
            f"Read “{_FOUR}” again: VKU in (5).",
            _Q + "print(of([4, 0])[0], of([4, 0], [0, 9])[0])   # should be equal: the same point, alone and in company",
        ),
    ),
    step=f"Read “{_FOUR}” again: equation (5).",
    experiment=_Q + "print(of([4, 0])[0])   # 4 - 1/2 - 2 + 1 and 0 - 3/2 - 2 + 1: should print 2.5, -2.5",
    sizes=lambda K, Kq: {"n": len(K), "m": len(Kq)},
)  # fmt: skip
