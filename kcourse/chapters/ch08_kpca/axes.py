"""Exercises 8.3 to 8.5: principal axes of a Gram matrix, their share of the variance, and Fisher's axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from kcourse.chapters.ch08_kpca.center import CHAPTER, USE, center_gram, points_and_gram
from kcourse.checks.compare import close, ratio
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property, sensitive

__all__ = ["EXPLAINED_RATIO", "KERNEL_FISHER", "KERNEL_PCA"]

_ORIGIN, _EIGENVALUE = "Centring the Gram matrix", "What an eigenvalue measures"
_FOUR, _LDA = "Four questions: the principal axes", "Fisher's discriminant: an axis that uses the labels"
_TRIES = 200


def _spectrum(K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues, decreasing, and unit eigenvectors as columns."""
    lam, B = np.linalg.eigh((K + K.T) / 2)
    return lam[::-1], B[:, ::-1]


def _as_it_comes(K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues and eigenvectors of the centred matrix, in the order of ``eig``."""
    lam, B = np.linalg.eig(center_gram(K))
    return lam.real, B.real


def _matrix(rng: np.random.Generator, n: int, q: int, *, jumbled: bool = False) -> np.ndarray:
    """A Gram matrix whose first q eigenvalues, centred or not, are well apart from each other and from the next.

    ``jumbled``: one for which ``eig``, which promises no order, does not happen to begin with the q largest.
    """
    found = None
    for _ in range(_TRIES):
        K = points_and_gram(rng, n)[0] + np.diag(rng.uniform(0.1, 0.4, n))
        gaps = [lam[:q] / np.maximum(lam[1 : q + 1], 1e-9) for lam in (_spectrum(C)[0] for C in (center_gram(K), K))]
        if min(g.min() for g in gaps) > 1.1:
            found = K
            first = np.sort(_as_it_comes(K)[0][:q])[::-1]
            if not jumbled or not close(first, _spectrum(center_gram(K))[0][:q]):
                return K
    if found is not None:  # a LAPACK that sorts
        return found
    raise RuntimeError(f"exercises 8.3, 8.4: no matrix with eigenvalues apart in {_TRIES} tries")


# -- 8.3


def joined(value: Any, K: np.ndarray, *_: Any) -> np.ndarray | None:
    """(scores, λ) as one array, λ below the scores, each axis with the sign that makes its first large score positive.

    Where λ is 0 up to rounding the score is the root of a rounding error, NaN half of the time: 0 stands for it.
    """
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return None
    scores, lam = (np.asarray(part, dtype=float) for part in value)
    if scores.ndim != 2 or lam.shape != scores.shape[1:]:
        return None
    nothing = np.abs(lam) < 1e-10 * np.trace(K)
    return np.vstack([_signed(np.where(nothing, 0.0, scores)), np.where(nothing, 0.0, lam)])


def _signed(S: np.ndarray) -> np.ndarray:
    if not np.isfinite(S).all() or not S.size:
        return S
    large = np.abs(S) > np.abs(S).max(axis=0) / 2  # the largest itself may be one of two, -1 and 1
    return S * np.where(S[large.argmax(axis=0), np.arange(S.shape[1])] < 0, -1.0, 1.0)


def kernel_pca(K, q):
    """√λ_k b_k, and λ_k, of the centred Gram matrix."""
    return _pca(K, q)


def _pca(K, q, *, prepare=center_gram, length=lambda lam, n: np.sqrt(lam), tell=lambda lam, n: lam, least=False):
    lam, B = _spectrum(prepare(K))
    if least:
        lam, B = lam[::-1], B[:, ::-1]
    lam, B, n = lam[:q], B[:, :q], len(K)
    with np.errstate(all="ignore"):
        return joined((B * length(lam, n), tell(lam, n)), K)


def _lower(C):
    """What ``eigh`` makes of a matrix that is not symmetric: it looks at the lower triangle alone."""
    return np.tril(C) + np.tril(C, -1).T


def _in_no_order(K, q):
    lam, B = (part[..., :q] for part in _as_it_comes(K))
    with np.errstate(all="ignore"):
        return joined((B * np.sqrt(lam), lam), K)


def _times_uncentred(K, q):
    lam, B = (part[..., :q] for part in _spectrum(center_gram(K)))
    return joined((K @ B / np.sqrt(lam), lam), K)


def _parts(both: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return both[:-1], both[-1]


def _some(value: np.ndarray, K: np.ndarray, q: int, *, scores: bool) -> bool:
    """Whether exactly one of scores and λ is right: the scores, or λ."""
    right = kernel_pca(K, q)
    if value.shape != right.shape:
        return False
    first, second = close(value[:-1], right[:-1]), close(value[-1], right[-1])
    return first and not second if scores else second and not first


_S = USE + "F = np.array([[2.0, 0], [-2, 0], [0, 1], [0, -1]])   # sum of squares 8 along one axis, 2 along the other\n"
_G = USE + "G = np.array([[0.0, 1], [0, -1], [2, 0], [-2, 0]])   # sum of squares 2 along one axis, 8 along the other\n"
_T = USE + "K = np.array([[1.0, 0.0, -1.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 1.0]])   # -1, 0, 1 on a line\n" \
    "s, lam = kernel_pca(K.copy() + 5, 1)   # + 5: far from the origin, the same deviations\n" \
    "s, lam = np.abs(np.ravel(s)), np.ravel(lam)\n"  # fmt: skip

_L = USE + "s, lam = kernel_pca(np.outer([0.0, 1, 2], [0.0, 1, 2]), 1)   # 0, 1, 2 on a line\n"

KERNEL_PCA = Exercise(
    name="kernel_pca",
    chapter=CHAPTER,
    number="8.3",
    returns="scores and eigenvalues, `return scores, lam`, of shape (n, q) and (q,)",
    reference=kernel_pca,
    properties=(
        Property("gives scores of the training points, up to signs, and λ", 4, lambda r: [
            (_matrix(r, n, q, jumbled=q == 4), q) for n, q in ((6, 2), (9, 3), (7, 4))]),
        Property(
            "does so for a single axis",
            1,
            lambda r: [(_matrix(r, n, 1), 1) for n in (5, 8)],
            hint="Your answer fails only for q = 1. Then scores must have shape (n, 1) and λ shape (1,).",
        ),
    ),
    promises=(
        Promise("have eigenvalues well apart, centred or not", lambda K, q: all(
            (lam[:q] / np.maximum(lam[1 : q + 1], 1e-9)).min() > 1.1
            for lam in (_spectrum(C)[0] for C in (K, center_gram(K)))), of=(0, 1)),
    ),
    misconceptions=(
        Misconception(
            "not centred",
            lambda K, q: _pca(K, q, prepare=lambda K: K),
            "You do not centre K. Then the first axis points from the origin towards the mean. Centre K first.",
            f"Read “{_ORIGIN}” again: PCA looks at deviations from the mean.",
            _T + "print(lam)   # scores 1, 0, 1, squared and summed: should print 2",
        ),
        Misconception(
            "unit eigenvectors for scores",
            lambda K, q: _pca(K, q, length=lambda lam, n: 1.0),
            "You return unit eigenvectors as scores. With α = b/√λ the scores Kα are √λ times the unit eigenvectors.",
            f"Read “{_FOUR}” again: question 4, on the training points.",
            _T + "print(s)   # the points lie at -1, 0, 1: should print 1, 0, 1",
        ),
        Misconception(
            "alpha of length one",
            lambda K, q: _pca(K, q, length=lambda lam, n: lam),
            "You multiply K by unit eigenvectors. Then the axes have length √λ. Use α = b/√λ.",
            f"Read “{_FOUR}” again: the root in (3).",
            _T + "print(s @ s / lam)   # λ is the sum of the squared scores: should print 1",
        ),
        Misconception(
            "coefficients for scores",
            lambda K, q: _pca(K, q, length=lambda lam, n: 1 / np.sqrt(lam)),
            "You return the coefficients α = b/√λ. The scores are Kα.",
            f"Read “{_FOUR}” again: question 4.",
            _T + "print(s @ s, lam, 'should be equal: the sum of the squared scores is λ')",
        ),
        Misconception(
            "smallest eigenvalues",
            lambda K, q: _pca(K, q, least=True),
            "You take the first columns of eigh. It sorts in ascending order, so they belong to the smallest eigenvalues. Take the last ones.",
            f"Read “{_FOUR}” again: the first axis has the largest sum of squares.",
            _T + "print(lam > 0.1)   # one direction has all the variance: should print True",
        ),
        Misconception(
            "sorted upwards",
            lambda K, q: _pca(K, q)[:, ::-1],
            "You return the correct axes in ascending order, as eigh sorts them. The largest eigenvalue comes first.",
            f"Read “{_FOUR}” again: λ₁ is the largest.",
            _S + "s, lam = kernel_pca(F @ F.T, 2)\nprint(lam[0] > lam[1])   # should print True",
        ),
        Misconception(
            "in no order",
            _in_no_order,
            "You use `eig`, which does not sort. The first q eigenvalues need not be the largest. Use `eigh`, which sorts in ascending order.",
            f"Read “{_FOUR}” again: λ₁ is the largest.",
            _G + "print(np.ravel(kernel_pca(G @ G.T, 2)[1]))   # should print 8, 2",
        ),
        Misconception(
            "scores of features that were not centred",
            _times_uncentred,
            "You compute Kα with K not centred. Then all scores on an axis are wrong by one constant. Use the centred matrix.",
            f"Read “{_FOUR}” again: K means the centred matrix there.",
            USE + "s, lam = kernel_pca(np.outer([0.0, 1, 2], [0.0, 1, 2]), 1)\n"
            "print(abs(np.sum(s)) < 1e-9)   # deviations from the mean sum to 0: should print True",
        ),
        Misconception(
            "variance reported",
            lambda K, q: _pca(K, q, tell=lambda lam, n: lam / n),
            "You return λ/n, the variances, with correct scores. Return the eigenvalues themselves.",
            f"Read “{_EIGENVALUE}” again: (6) relates eigenvalues and variances.",
            _T + "print(lam, 'should print 2, the sum of the squared scores')",
        ),
        Misconception(
            "axes of K over n",
            lambda K, q: _pca(K, q, prepare=lambda K: center_gram(K) / len(K)),
            "You use K/n. Then λ are variances and the scores are √n times too small. Use K itself.",
            f"Read “{_EIGENVALUE}” again: λ is an eigenvalue of K itself, and (6) divides it by n.",
            _T + "print(lam @ lam, s @ s)   # λ = 2, and so are the squared scores, summed: should print 4, 2",
        ),
        Misconception(
            "column means alone",
            lambda K, q: _pca(K, q, prepare=lambda K: _lower(K - K.mean(axis=0))),
            "You subtract only column means. The matrix is not symmetric, and eigh uses its lower triangle only. Use all four terms of (1).",
            f"Read “{_ORIGIN}” again: both arguments of the inner product are deviations.",
            _L + "print(lam)   # deviations -1, 0, 1, squared and summed: should print 2",
        ),
        Misconception(
            "row means alone",
            lambda K, q: _pca(K, q, prepare=lambda K: _lower(K - K.mean(axis=1, keepdims=True))),
            "You subtract only row means. The matrix is not symmetric, and eigh uses its lower triangle only. Use all four terms of (1).",
            f"Read “{_ORIGIN}” again: both arguments of the inner product are deviations.",
            _L + "print(lam**2, 'should print 4: λ is 1 + 0 + 1, the squared deviations')",
        ),
    ),
    observations=(
        Observation("The scores are correct, but the eigenvalues are not.", lambda v, K, q: _some(v, K, q, scores=True)),
        Observation("The eigenvalues are correct, but the scores are not.", lambda v, K, q: _some(v, K, q, scores=False)),
    ),
    step=f"Read “{_FOUR}” again: (3), (4) and question 4.",
    experiment=_T + "print(s, lam)   # should print 1, 0, 1 and 2",
    sizes=lambda K, q: {"n": len(K), "q": q},
    view=joined,
    gives=_parts,
    chained=True,
)  # fmt: skip


# -- 8.4


def explained_ratio(K, q):
    """λ_k / tr K̃."""
    C = center_gram(K)
    return _spectrum(C)[0][:q] / np.trace(C)


def _without_rounding(value: Any, *_: Any) -> np.ndarray:
    """The share of an eigenvalue that is 0 up to rounding is 0."""
    value = np.asarray(value, dtype=float)
    return np.where(np.abs(value) < 1e-12, 0.0, value)


def _shares(K, q, *, prepare=center_gram, turn=lambda lam: lam, whole=None):
    lam = turn(_spectrum(prepare(K))[0])
    return lam[:q] / (lam.sum() if whole is None else whole(K, lam))


_R = _S + "def of(q, shift=(0.0, 0.0)):\n    G = F + np.array(shift)\n    return np.ravel(explained_ratio(G @ G.T, q))\n"  # fmt: skip

EXPLAINED_RATIO = Exercise(
    name="explained_ratio",
    chapter=CHAPTER,
    number="8.4",
    returns="the shares of the first q axes, shape (q,)",
    reference=explained_ratio,
    properties=(
        Property("is the share of all variance, axis by axis", 3, lambda r: [
            (_matrix(r, n, q, jumbled=q == 4), q) for n, q in ((6, 2), (7, 4), (8, 1))]),
    ),
    promises=(
        Promise("have eigenvalues well apart, centred or not", lambda K, q: all(
            (lam[:q] / np.maximum(lam[1 : q + 1], 1e-9)).min() > 1.1
            for lam in (_spectrum(C)[0] for C in (K, center_gram(K))))),
    ),
    misconceptions=(
        Misconception(
            "share of what is kept",
            lambda K, q: _shares(K, q, whole=lambda K, lam: lam[:q].sum()),
            "You divide by the sum of the q kept eigenvalues. Then their shares always sum to 1. Divide by the trace.",
            f"Read “{_EIGENVALUE}” again: (7) divides by the trace, the sum of all eigenvalues.",
            _R + "print(of(1))   # 8 of 10: should print 0.8",
        ),
        Misconception(
            "trace of the matrix that was not centred",
            lambda K, q: _shares(K, q, whole=lambda K, lam: np.trace(K)),
            "You divide by the trace of K before centring. It counts the distance of the mean from the origin as variance. Centre first.",
            f"Read “{_EIGENVALUE}” again: two wrong ratios are common.",
            _R + "print(of(2, shift=(3, 1)).sum())   # a shift changes no variance: should print 1",
        ),
        Misconception(
            "not centred",
            lambda K, q: _shares(K, q, prepare=lambda K: K),
            "You do not centre K. These are shares of squared distances from the origin. Centre K first.",
            f"Read “{_ORIGIN}” again: PCA looks at deviations from the mean.",
            _R + "print(of(1, shift=(0, 3)))   # a shift changes no variance: should print 0.8",
        ),
        Misconception(
            "eigenvalues before centring",
            lambda K, q: _spectrum(K)[0][:q] / np.trace(center_gram(K)),
            "You use the eigenvalues of K before centring, with the correct trace. Take those of the centred matrix.",
            f"Read “{_EIGENVALUE}” again: both parts of (7) belong to the centred matrix.",
            _R + "print(of(2, shift=(1, 2)))   # a shift changes no variance: should print 0.8, 0.2",
        ),
        Misconception(
            "in no order",
            lambda K, q: _as_it_comes(K)[0][:q] / np.trace(center_gram(K)),
            "You use `eigvals`, which does not sort. The first q eigenvalues need not be the largest. Use `eigvalsh` and reverse the order.",
            f"Read “{_FOUR}” again: λ₁ is the largest.",
            _G + "print(np.ravel(explained_ratio(G @ G.T, 2)))   # 8 and 2 of 10: should print 0.8, 0.2",
        ),
        Misconception(
            "squared eigenvalues",
            lambda K, q: _shares(K, q, turn=lambda lam: lam**2),
            "You square the eigenvalues. They are sums of squares already, so use them as they are.",
            f"Read “{_EIGENVALUE}” again: (6), λ is n times a variance.",
            _R + "print(of(2))   # 8 and 2 of 10: should print 0.8, 0.2",
        ),
        Misconception(
            "summed up",
            lambda K, q: np.cumsum(explained_ratio(K, q)),
            "You return cumulative sums. Return the share of each axis.",
            f"Read “{_EIGENVALUE}” again: (7) is for one axis.",
            _R + "print(of(2)[1])   # the second axis alone: should print 0.2",
        ),
        Misconception(
            "smallest axes",
            lambda K, q: explained_ratio(K, len(K))[::-1][:q],
            "You return the shares of the smallest eigenvalues. eigh sorts in ascending order, so take the last ones.",
            f"Read “{_FOUR}” again: λ₁ is the largest.",
            _R + "print(of(1)[0] > 0.5)   # should print True",
        ),
        Misconception(
            "sorted upwards",
            lambda K, q: explained_ratio(K, q)[::-1],
            "You return the correct shares in ascending order, as eigh sorts them. The largest comes first.",
            f"Read “{_FOUR}” again: λ₁ is the largest.",
            _R + "print(of(2)[0] > of(2)[1])   # 8 before 2: should print True",
        ),
        Misconception(
            "percent",
            lambda K, q: 100 * explained_ratio(K, q),
            "You return percent. A share lies between 0 and 1, so do not multiply by 100.",
            f"Read “{_EIGENVALUE}” again: (7) has no factor.",
            _R + "print(of(2).sum())   # two axes hold everything here: should print 1",
        ),
        Misconception(
            "variances instead of shares",
            lambda K, q: explained_ratio(K, q) * np.trace(center_gram(K)) / len(K),
            "You return variances, λ/n. Divide by the total variance to get shares.",
            f"Read “{_EIGENVALUE}” again: from (6) to (7).",
            _R + "print(of(1)[0])   # has no unit: should print 0.8",
        ),
        Misconception(
            "eigenvalues instead of shares",
            lambda K, q: explained_ratio(K, q) * np.trace(center_gram(K)),
            "You return the eigenvalues. Divide them by the sum of all eigenvalues, the trace.",
            f"Read “{_EIGENVALUE}” again: equation (7).",
            _R + "print(of(4).sum())   # all shares together: should print 1",
        ),
    ),
    step=f"Read “{_EIGENVALUE}” again: equation (7).",
    experiment=_R + "print(of(2))   # 8/10 and 2/10: should print 0.8, 0.2",
    sizes=lambda K, q: {"n": len(K), "q": q},
    view=_without_rounding,
)  # fmt: skip


# -- 8.5


def kernel_fisher(K, y, lam):
    """The unit vector along (N + λI)⁻¹(M₁ - M₀)."""
    return _axis(K, y, lam)


def _deviations(C):
    return C - C.mean(axis=1, keepdims=True)


def _axis(K, y, lam, *, within=_deviations, penalty=None, count=lambda m: 1.0):
    N, y = np.zeros(K.shape), np.asarray(y)
    for label in (0, 1):
        C = K[:, y == label]
        D = within(C)
        N += D @ D.T / count(C.shape[1])
    a = np.linalg.solve(N + (lam * np.eye(len(K)) if penalty is None else penalty(K, lam)), _gap(K, y))
    return a / np.linalg.norm(a)


def _gap(K, y):
    return K[:, y == 1].mean(axis=1) - K[:, y == 0].mean(axis=1)


def _of_means(K, y, lam):
    d = _gap(K, y)
    return d / np.linalg.norm(d)


def _unscaled(K, y, lam):
    N = sum(_deviations(C) @ C.T for C in (K[:, y == 0], K[:, y == 1]))
    return np.linalg.solve(N + lam * np.eye(len(K)), _gap(K, y))


def _scatter_of_one(K, y, lam):
    D = _deviations(K[:, y == 1])
    a = np.linalg.solve(D @ D.T + lam * np.eye(len(K)), _gap(K, y))
    return a / np.linalg.norm(a)


def _ridge(K, y, lam):
    s = np.where(y == 1, 1.0, -1.0)
    a = np.linalg.solve(K + lam * np.eye(len(K)), s)
    return a / np.linalg.norm(a)


def _in_two_points(a, K, y, lam):
    """Whether the scores of each class are one number, and the two numbers differ."""
    f = K @ a
    f0, f1 = f[y == 0], f[y == 1]
    return max(np.ptp(f0), np.ptp(f1)) < 1e-6 * abs(f1.mean() - f0.mean())


def _axis_alone(value, K, y, lam):
    """The value; of a multiple of the right axis, what is asked: the axis, its length, or its direction, as 3 divides n."""
    right = kernel_fisher(K, y, lam)
    factor = ratio(value, right)
    if factor is None:
        return None
    return (right, abs(factor) * right, np.sign(factor) * right)[len(y) % 3]


def _two_classes(rng, shapes=((2, 4), (5, 4), (3, 6))):
    found = []
    for n0, n1 in shapes:
        K = points_and_gram(rng, n0 + n1)[0] * 0.2 + np.diag(rng.uniform(0.2, 0.6, n0 + n1))
        y = rng.permutation(np.repeat([0, 1], [n0, n1]))
        lam = float(rng.uniform(0.15, 0.6) if rng.random() < 0.5 else rng.uniform(1.6, 3.0))
        found.append((K, y, lam) if found else (K / 3, y, lam / 30))  # one with small eigenvalues and a small λ
    return found


def _exchanged_classes(rng):
    """Labels and their opposites: a sign that does not depend on the labels is wrong for one of the two."""
    [(K, y, lam)] = _two_classes(rng, ((5, 3),))
    return [(K, y, lam), (K, 1 - y, lam)]


_Y = USE + "K = np.diag([1.0, 2.0, 3.0]); y = np.array([0, 1, 1])\n" \
    "a = np.asarray(kernel_fisher(K, y, 0.5))   # N = [[0, 0, 0], [0, 2, -3], [0, -3, 4.5]]\n"  # fmt: skip

KERNEL_FISHER = Exercise(
    name="kernel_fisher",
    chapter=CHAPTER,
    number="8.5",
    returns="α of length 1, shape (n,)",
    reference=kernel_fisher,
    properties=(
        Property("is Fisher's axis, up to a factor", 3, sensitive(_two_classes, kernel_fisher)),
        Property(
            "is Fisher's axis, also in its length",
            1,
            lambda r: _two_classes(r, ((3, 4), (6, 4))),
            hint="Your answer fails only in its length. Divide α by its norm √(αᵀα).",
        ),
        Property(
            "is Fisher's axis, also in its direction",
            1,
            _exchanged_classes,
            hint="Your answer fails only in its direction. α points from class 0 to class 1: the mean score of class 1 must be larger. "
            "An eigenvector can have either sign.",
        ),
    ),
    promises=(
        Promise("have a diagonal that is not constant", lambda K, *_: np.ptp(np.diag(K)) > 0.1, of=(0, 1, 2)),
        Promise("have both classes, not equally often", lambda K, y, lam: (
            0 < y.mean() < 1 and y.mean() != 0.5), of=(0, 1, 2)),
        Promise("have a number of points that tells the axis from its length and its direction", lambda K, y, lam: len(y) % 3 == 0),
        Promise("are told by that number to be about the length", lambda K, y, lam: len(y) % 3 == 1, of=(1,)),
        Promise("are told by that number to be about the direction", lambda K, y, lam: len(y) % 3 == 2, of=(2,)),
    ),
    misconceptions=(
        Misconception(
            "centring within the classes forgotten",
            lambda K, y, lam: _axis(K, y, lam, within=lambda C: C),
            "You do not centre the classes in N. Then the distance of a class from the origin counts as scatter. Subtract M_c.",
            f"Read “{_LDA}” again: I - 11ᵀ/n_c in N.",
            _Y + "print(a[0] / a[1])   # class 0 is one point, with no scatter; -7 over 9.5: should print -14/19",
        ),
        Misconception(
            "penalty on the norm of f",
            lambda K, y, lam: _axis(K, y, lam, penalty=lambda K, lam: lam * K),
            "You add λK, the penalty on ‖f‖². The exercise has the penalty on ‖α‖², so add λI.",
            f"Read “{_LDA}” again: (11), and the last sentence on ridge regression.",
            _Y + "print(a[0] / a[2])   # -7 over 6.75: should print -28/27",
        ),
        Misconception(
            "from class 1 to class 0",
            lambda K, y, lam: -_axis(K, y, lam),
            "Your axis points from class 1 to class 0. It must point from 0 to 1, so use M₁ - M₀.",
            f"Read “{_LDA}” again: M₁ - M₀ in (11).",
            _Y + "print(a @ K @ (y - np.mean(y)) > 0)   # class 1 has the larger scores: should print True",
        ),
        Misconception(
            "means only",
            _of_means,
            "You return the difference of the means. It ignores the within-class scatter. Solve with N + λI.",
            f"Read “{_LDA}” again: (11) has an inverse.",
            _Y + "print(a[1] / a[2])   # 9.5 over 6.75; the means would give 2/3: should print 38/27",
        ),
        Misconception(
            "not made of length one",
            _unscaled,
            "You return the correct direction with another length. Divide α by its norm.",
            f"Read “{_LDA}” again: (11) gives α up to a factor, and the exercise fixes it.",
            _Y + "print(a @ a)   # should print 1",
        ),
        Misconception(
            "scatter of class 1 only",
            _scatter_of_one,
            "Your N has the scatter of class 1 only. N is a sum over both classes.",
            f"Read “{_LDA}” again: N before (11) is a sum over the classes.",
            USE + "K = np.diag([1.0, 2.0, 3.0]); y = np.array([0, 0, 1])\n"
            "a = np.asarray(kernel_fisher(K, y, 0.5))\nprint(a[0] / a[1])   # the entries are as -3, -2 and 12: should print 1.5",
        ),
        Misconception(
            "mean scatter of each class",
            lambda K, y, lam: _axis(K, y, lam, count=lambda m: m),
            "You divide the scatter of each class by its number of points. N is a sum over all points, so do not divide.",
            f"Read “{_LDA}” again: N before (11) has no such factor.",
            _Y + "print(38 - 27 * a[1] / a[2])   # the entries are as -7, 9.5 and 6.75: should print 0",
        ),
        Misconception(
            "covariances of the classes",
            lambda K, y, lam: _axis(K, y, lam, count=lambda m: m - 1),
            "You divide the scatter of each class by its number of points minus one, as np.cov does. N is a sum over all points.",
            f"Read “{_LDA}” again: N before (11) has no such factor.",
            USE + "K = np.diag([1.0, 2, 2, 1, 1, 3]); y = np.array([0, 0, 0, 1, 1, 1])\n"
            "a = np.asarray(kernel_fisher(K, y, 0.5))\nprint(3 * a[1] / a[0])   # should print 2",
        ),
        Misconception(
            "centred along the wrong axis",
            lambda K, y, lam: _axis(K, y, lam, within=lambda C: C - C.mean(axis=0)),
            "You subtract from each column the mean of its own entries. Subtract the mean column of the class, M_c.",
            f"Read “{_LDA}” again: K_c is multiplied by I - 11ᵀ/n_c from the right.",
            _Y + "print(14 * a[1] / a[0])   # the entries are as -7, 9.5 and 6.75: should print -19",
        ),
        Misconception(
            "penalty subtracted",
            lambda K, y, lam: _axis(K, y, lam, penalty=lambda K, lam: -lam * np.eye(len(K))),
            "You subtract λI. The penalty makes N + λI positive definite, so add it.",
            f"Read “{_LDA}” again: why there is a penalty.",
            _Y + "print(a[0] < 0)   # the point of class 0 pulls down: should print True",
        ),
        Misconception(
            "centred first",
            Changed(kernel_fisher, lambda K, y, lam: (center_gram(K), y, lam)),
            "You centre K first, as for PCA. With the penalty λ‖α‖² this gives another axis. N centres each class by itself, so use K as it is.",
            f"Read “{_LDA}” again: in N each class is centred by itself.",
            _Y + "print(19 * a[0] / (2 * a[1]))   # the entries are as -7, 9.5 and 6.75: should print -7",
        ),
        Misconception(
            "ridge regression",
            _ridge,
            "You solve kernel ridge regression on ±1 without an intercept. It has another penalty and no intercept, so its axis differs. Use (11).",
            f"Read “{_LDA}” again: the regression there has an intercept b and a penalty on α.",
            _Y + "print(-9.5 * a[0] / a[1])   # the entries are as -7, 9.5 and 6.75: should print 7",
        ),
    ),
    observations=(
        Observation(
            "The scores within each class are equal. This happens without the penalty λ, because the axis memorises the labels.",
            _in_two_points,
        ),
    ),
    step=f"Read “{_LDA}” again: N, M_c and equation (11).",
    experiment=_Y + "print(a / a[0])   # (N + 0.5 I)⁻¹(-1, 1, 1.5) is as -7, 9.5, 6.75: should print 1, -19/14, -27/28",
    sizes=lambda K, y, lam: {"n": len(y), "λ": lam},
    view=_axis_alone,
)  # fmt: skip
