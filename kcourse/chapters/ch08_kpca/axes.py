"""Exercises 8.3 to 8.5: principal axes of a Gram matrix, their share of the variance, and Fisher's axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from kcourse.chapters.ch08_kpca.center import CHAPTER, USE, center_gram, points_and_gram
from kcourse.checks.compare import close
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property, sensitive

__all__ = ["EXPLAINED_RATIO", "KERNEL_FISHER", "KERNEL_PCA"]

_ORIGIN, _FOUR, _EIGENVALUE = "Move the origin", "Four questions", "What an eigenvalue is"
_LDA = "Axes that know the classes"
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
            if not jumbled or not close(_as_it_comes(K)[0][:q], _spectrum(center_gram(K))[0][:q]):
                return K
    if found is not None:  # a LAPACK that sorts
        return found
    raise RuntimeError(f"exercises 8.3, 8.4: no matrix with eigenvalues apart in {_TRIES} tries")


# -- 8.3


def joined(value: Any, K: np.ndarray, *_: Any) -> np.ndarray | None:
    """(scores, λ) as one array, λ below the scores, each axis with the sign that makes its largest score positive.

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
    return S * np.where(S[np.abs(S).argmax(axis=0), np.arange(S.shape[1])] < 0, -1.0, 1.0)


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


_S = USE + "F = np.array([[2.0, 0], [-2, 0], [0, 1], [0, -1]])   # spread 8 along one axis, 2 along the other\n"
_G = USE + "G = np.array([[0.0, 1], [0, -1], [2, 0], [-2, 0]])   # spread 2 along one axis, 8 along the other\n"
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
            hint="Your answer fails only for q = 1: scores must be one column, of shape (n, 1), and λ one entry, of shape (1,).",
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
            "K has not been centred: your first axis points from the origin towards the mean.",
            f"Read “{_ORIGIN}” again: PCA looks at deviations from the mean.",
            _T + "print(lam)   # scores 1, 0, 1, squared and summed: should print 2",
        ),
        Misconception(
            "unit eigenvectors for scores",
            lambda K, q: _pca(K, q, length=lambda lam, n: 1.0),
            "Your scores are the unit eigenvectors, as α = b/λ would give them; a score is √λ times that, since it is f that has length 1.",
            f"Read “{_FOUR}” again: question 4, on the training points.",
            _T + "print(s)   # the points lie at -1, 0, 1: should print 1, 0, 1",
        ),
        Misconception(
            "alpha of length one",
            lambda K, q: _pca(K, q, length=lambda lam, n: lam),
            "You multiply K by unit eigenvectors: α = b/√λ is missing, and your axes have the length √λ.",
            f"Read “{_FOUR}” again: the root in (3).",
            _T + "print(s @ s / lam)   # λ is the sum of the squared scores: should print 1",
        ),
        Misconception(
            "coefficients for scores",
            lambda K, q: _pca(K, q, length=lambda lam, n: 1 / np.sqrt(lam)),
            "You return the coefficients α = b/√λ; scores are Kα.",
            f"Read “{_FOUR}” again: question 4.",
            _T + "print(s @ s, lam, 'should be equal: the sum of the squared scores is λ')",
        ),
        Misconception(
            "divided by the eigenvalue",
            lambda K, q: _pca(K, q, length=lambda lam, n: 1 / lam),
            "You divide by λ; the length of f asks for its root.",
            f"Read “{_FOUR}” again: question 2, why the root is there.",
            _T + "print(s.max())   # the points lie at -1, 0, 1: should print 1",
        ),
        Misconception(
            "smallest eigenvalues",
            lambda K, q: _pca(K, q, least=True),
            "You take the first columns that eigh gives: those of the smallest eigenvalues, since it sorts upwards.",
            f"Read “{_FOUR}” again: the axis of largest spread comes first.",
            _T + "print(lam > 0.1)   # one direction has all the spread: should print True",
        ),
        Misconception(
            "sorted upwards",
            lambda K, q: _pca(K, q)[:, ::-1],
            "The right axes, in the wrong order: the largest eigenvalue comes first, and eigh sorts upwards.",
            f"Read “{_FOUR}” again: λ₁ is the largest.",
            _S + "s, lam = kernel_pca(F @ F.T, 2)\nprint(lam[0] > lam[1])   # should print True",
        ),
        Misconception(
            "in no order",
            _in_no_order,
            "Your axes come in no order, since `eig` promises none: the first q need not be the largest. `eigh` sorts, upwards.",
            f"Read “{_FOUR}” again: λ₁ is the largest.",
            _G + "print(np.ravel(kernel_pca(G @ G.T, 2)[1]))   # should print 8, 2",
        ),
        Misconception(
            "scores of features that were not centred",
            _times_uncentred,
            "Your axes and λ are right, but the scores are Kα with K as it came: all scores on an axis are off by one constant.",
            f"Read “{_FOUR}” again: from question 1 on, K means the centred matrix.",
            USE + "s, lam = kernel_pca(np.outer([0.0, 1, 2], [0.0, 1, 2]), 1)\n"
            "print(abs(np.sum(s)) < 1e-9)   # deviations from the mean sum to 0: should print True",
        ),
        Misconception(
            "variance reported",
            lambda K, q: _pca(K, q, tell=lambda lam, n: lam / n),
            "The scores are right, but you return λ/n, the variances; the eigenvalues themselves are asked for.",
            f"Read “{_EIGENVALUE}” again: (6) says which is which.",
            _T + "print(lam, 'should print 2, the sum of the squared scores')",
        ),
        Misconception(
            "sample variance reported",
            lambda K, q: _pca(K, q, tell=lambda lam, n: lam / (n - 1)),
            "The scores are right, but you return λ/(n - 1), the variances; the eigenvalues themselves are asked for.",
            f"Read “{_EIGENVALUE}” again: λ is a sum, no mean.",
            _T + "print(lam / 2)   # two points at distance 1: should print 1",
        ),
        Misconception(
            "axes of K over n",
            lambda K, q: _pca(K, q, prepare=lambda K: center_gram(K) / len(K)),
            "You take the axes of K/n: your λ are variances, and your scores √n times too small.",
            f"Read “{_EIGENVALUE}” again: λ belongs to K itself, and (6) divides it by n.",
            _T + "print(lam @ lam, s @ s)   # λ = 2, and so are the squared scores, summed: should print 4, 2",
        ),
        Misconception(
            "axes of K over n - 1",
            lambda K, q: _pca(K, q, prepare=lambda K: center_gram(K) / (len(K) - 1)),
            "You take the axes of K/(n - 1): your λ are sample variances, and your scores √(n - 1) times too small.",
            f"Read “{_EIGENVALUE}” again: λ belongs to K itself, and a variance is made of it afterwards.",
            _S + "s, lam = kernel_pca(F @ F.T, 1)\nprint(lam)   # 2² and 2², the spread along the first axis: should print 8",
        ),
        Misconception(
            "scores of variance one",
            lambda K, q: _pca(K, q, length=lambda lam, n: np.sqrt(n)),
            "Your scores all have variance 1: they have been whitened, and how far the points spread is lost.",
            f"Read “{_EIGENVALUE}” again: the variance of a score is λ/n.",
            _T + "print(np.var(s * [-1, 0, 1]))   # the points lie at -1, 0, 1: should print 2/3",
        ),
        Misconception(
            "overall mean taken away",
            lambda K, q: _pca(K, q, prepare=lambda K: K - K.mean()),
            "You centre by the mean of all entries; that is not the Gram matrix of deviations.",
            f"Read “{_ORIGIN}” again: four terms in (1).",
            USE + "F = np.array([[1.0, 0], [0, 2], [0, 0]])\nprint(kernel_pca(F @ F.T, 1)[1])   # should print 2.8685",
        ),
        Misconception(
            "column means alone",
            lambda K, q: _pca(K, q, prepare=lambda K: _lower(K - K.mean(axis=0))),
            "You take away the mean of each column and stop: the matrix is not symmetric, and eigh looks at its lower triangle alone.",
            f"Read “{_ORIGIN}” again: both arguments of the inner product are moved.",
            _L + "print(lam)   # deviations -1, 0, 1, squared and summed: should print 2",
        ),
        Misconception(
            "row means alone",
            lambda K, q: _pca(K, q, prepare=lambda K: _lower(K - K.mean(axis=1, keepdims=True))),
            "You take away the mean of each row and stop: the matrix is not symmetric, and eigh looks at its lower triangle alone.",
            f"Read “{_ORIGIN}” again: both arguments of the inner product are moved.",
            _L + "print(lam**2, 'should print 4: λ is 1 + 0 + 1, the squared deviations')",
        ),
        Misconception(
            "singular values of the roots",
            lambda K, q: _pca(K, q, tell=lambda lam, n: np.sqrt(lam)),
            "The scores are right, but instead of λ you return √λ, the length of a column of scores.",
            f"Read “{_FOUR}” again: the spread along an axis is λ.",
            _T + "print(lam**2)   # 2 squared: should print 4",
        ),
    ),
    observations=(
        Observation("The scores are right, the eigenvalues are not.", lambda v, K, q: _some(v, K, q, scores=True)),
        Observation("The eigenvalues are right, the scores are not.", lambda v, K, q: _some(v, K, q, scores=False)),
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
            "You divide by the sum of the q eigenvalues that are kept: then they always explain everything.",
            f"Read “{_EIGENVALUE}” again: (7) has the trace, over all eigenvalues.",
            _R + "print(of(1))   # 8 of 10: should print 0.8",
        ),
        Misconception(
            "trace of the matrix that was not centred",
            lambda K, q: _shares(K, q, whole=lambda K, lam: np.trace(K)),
            "You divide by the trace of K before centring; that counts the distance of the mean from the origin as variance.",
            f"Read “{_EIGENVALUE}” again: two look-alikes below (7).",
            _R + "print(of(2, shift=(3, 1)).sum())   # a shift changes no variance: should print 1",
        ),
        Misconception(
            "not centred",
            lambda K, q: _shares(K, q, prepare=lambda K: K),
            "K has not been centred: these are shares of squared distances from the origin, not of the variance.",
            f"Read “{_ORIGIN}” again: PCA looks at deviations from the mean.",
            _R + "print(of(1, shift=(0, 3)))   # a shift changes no variance: should print 0.8",
        ),
        Misconception(
            "eigenvalues before centring",
            lambda K, q: _spectrum(K)[0][:q] / np.trace(center_gram(K)),
            "You divide by the right trace, but the eigenvalues are those of K before centring.",
            f"Read “{_EIGENVALUE}” again: both parts of (7) belong to the centred matrix.",
            _R + "print(of(2, shift=(1, 2)))   # a shift changes no variance: should print 0.8, 0.2",
        ),
        Misconception(
            "in no order",
            lambda K, q: _as_it_comes(K)[0][:q] / np.trace(center_gram(K)),
            "Your shares come in no order, since `eig` promises none: the first q need not be the largest. `eigh` sorts, upwards.",
            f"Read “{_FOUR}” again: λ₁ is the largest.",
            _G + "print(np.ravel(explained_ratio(G @ G.T, 2)))   # 8 and 2 of 10: should print 0.8, 0.2",
        ),
        Misconception(
            "squared eigenvalues",
            lambda K, q: _shares(K, q, turn=lambda lam: lam**2),
            "You square the eigenvalues; they are sums of squares already.",
            f"Read “{_EIGENVALUE}” again: (6), λ is n times a variance.",
            _R + "print(of(2))   # 8 and 2 of 10: should print 0.8, 0.2",
        ),
        Misconception(
            "roots of the eigenvalues",
            lambda K, q: _shares(K, q, turn=lambda lam: np.sqrt(np.maximum(lam, 0))),
            "You take roots of the eigenvalues: standard deviations do not add up, variances do.",
            f"Read “{_EIGENVALUE}” again: (7) has λ itself.",
            _R + "print(of(2)[0] / of(2)[1])   # 8 over 2: should print 4",
        ),
        Misconception(
            "summed up",
            lambda K, q: np.cumsum(explained_ratio(K, q)),
            "You return running totals; the share of each axis is asked for.",
            f"Read “{_EIGENVALUE}” again: (7) is for one axis.",
            _R + "print(of(2)[1])   # the second axis alone: should print 0.2",
        ),
        Misconception(
            "smallest axes",
            lambda K, q: explained_ratio(K, len(K))[::-1][:q],
            "These are the shares of the smallest eigenvalues: eigh sorts upwards.",
            f"Read “{_FOUR}” again: λ₁ is the largest.",
            _R + "print(of(1)[0] > 0.5)   # should print True",
        ),
        Misconception(
            "sorted upwards",
            lambda K, q: explained_ratio(K, q)[::-1],
            "The right shares, in the wrong order: the largest comes first, and eigh sorts upwards.",
            f"Read “{_FOUR}” again: λ₁ is the largest.",
            _R + "print(of(2)[0] > of(2)[1])   # 8 before 2: should print True",
        ),
        Misconception(
            "percent",
            lambda K, q: 100 * explained_ratio(K, q),
            "You return percent; a share lies between 0 and 1.",
            f"Read “{_EIGENVALUE}” again: (7) has no factor.",
            _R + "print(of(2).sum())   # two axes hold everything here: should print 1",
        ),
        Misconception(
            "variances instead of shares",
            lambda K, q: explained_ratio(K, q) * np.trace(center_gram(K)) / len(K),
            "You return variances, λ/n; a share is what remains when they are divided by all variance.",
            f"Read “{_EIGENVALUE}” again: from (6) to (7).",
            _R + "print(of(1)[0])   # has no unit: should print 0.8",
        ),
        Misconception(
            "eigenvalues instead of shares",
            lambda K, q: explained_ratio(K, q) * np.trace(center_gram(K)),
            "You return the eigenvalues; they are still to be divided by their sum, the trace.",
            f"Read “{_EIGENVALUE}” again: equation (7).",
            _R + "print(of(4).sum())   # all shares together: should print 1",
        ),
        Misconception(
            "divided by the largest",
            lambda K, q: _shares(K, q, whole=lambda K, lam: lam[0]),
            "You divide by the largest eigenvalue: the first share is 1 then, whatever the data are.",
            f"Read “{_EIGENVALUE}” again: what stands below the line in (7).",
            _R + "print(of(2)[0])   # 8 of 10, not all: should print 0.8",
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


def _axis(K, y, lam, *, within=_deviations, price=None, means=lambda C: C.mean(axis=1), count=lambda m: 1.0):
    N, M = np.zeros(K.shape), []
    for label in (0, 1):
        C = K[:, np.asarray(y) == label]
        M.append(means(C))
        D = within(C)
        N += D @ D.T / count(C.shape[1])
    a = np.linalg.solve(N + (lam * np.eye(len(K)) if price is None else price(K, lam)), M[1] - M[0])
    return a / np.linalg.norm(a)


def _gap(K, y):
    return K[:, y == 1].mean(axis=1) - K[:, y == 0].mean(axis=1)


def _of_means(K, y, lam):
    d = _gap(K, y)
    return d / np.linalg.norm(d)


def _unscaled(K, y, lam):
    d = K[:, y == 1].mean(axis=1) - K[:, y == 0].mean(axis=1)
    N = sum((C - C.mean(axis=1, keepdims=True)) @ C.T for C in (K[:, y == 0], K[:, y == 1]))
    return np.linalg.solve(N + lam * np.eye(len(K)), d)


def _function_of_length_one(K, y, lam):
    a = _axis(K, y, lam)
    return a / np.sqrt(a @ K @ a)


def _scatter_of(label, K, y, lam):
    D = _deviations(K[:, y == label])
    a = np.linalg.solve(D @ D.T + lam * np.eye(len(K)), K[:, y == 1].mean(axis=1) - K[:, y == 0].mean(axis=1))
    return a / np.linalg.norm(a)


def _ridge(K, y, lam):
    s = np.where(y == 1, 1.0, -1.0)
    a = np.linalg.solve(K + lam * np.eye(len(K)), s)
    return a / np.linalg.norm(a)


def _without_price(K, y, lam):
    """What a pseudo-inverse of N gives: nothing of the directions in which the classes have no spread."""
    d, D = _gap(K, y), np.hstack([_deviations(K[:, y == label]) for label in (0, 1)])
    a = np.linalg.pinv(D @ D.T, rcond=1e-12, hermitian=True) @ d
    return a / np.linalg.norm(a)


def _in_two_points(a, K, y, lam):
    """Whether the scores of each class are one number, and the two numbers differ."""
    f = K @ a
    f0, f1 = f[y == 0], f[y == 1]
    return max(np.ptp(f0), np.ptp(f1)) < 1e-6 * abs(f1.mean() - f0.mean())


def _two_classes(rng, shapes=((3, 4), (5, 3), (2, 6))):
    found = []
    for n0, n1 in shapes:
        K = points_and_gram(rng, n0 + n1)[0] * 0.2 + np.diag(rng.uniform(0.2, 0.6, n0 + n1))
        y = rng.permutation(np.repeat([0, 1], [n0, n1]))
        lam = float(rng.uniform(0.15, 0.6) if rng.random() < 0.5 else rng.uniform(1.6, 3.0))
        found.append((K, y, lam) if found else (K / 3, y, lam / 30))  # one with small eigenvalues and a small λ
    return found


_Y = USE + "K = np.diag([1.0, 2.0, 3.0]); y = np.array([0, 1, 1])\n" \
    "a = np.asarray(kernel_fisher(K, y, 0.5))   # N = [[0, 0, 0], [0, 2, -3], [0, -3, 4.5]]\n"  # fmt: skip

KERNEL_FISHER = Exercise(
    name="kernel_fisher",
    chapter=CHAPTER,
    number="8.5",
    returns="α of length 1, shape (n,)",
    reference=kernel_fisher,
    properties=(Property("is Fisher's axis, from class 0 to class 1", 5, sensitive(_two_classes, kernel_fisher)),),
    promises=(
        Promise("have a diagonal that is not constant", lambda K, *_: np.ptp(np.diag(K)) > 0.1),
        Promise("have both classes, not equally often", lambda K, y, lam: 0 < y.mean() < 1 and y.mean() != 0.5),
    ),
    misconceptions=(
        Misconception(
            "centring within the classes forgotten",
            lambda K, y, lam: _axis(K, y, lam, within=lambda C: C),
            "The classes have not been centred in N: the distance of a class from the origin counts as spread.",
            f"Read “{_LDA}” again: I - 11ᵀ/n_c in N.",
            _Y + "print(a[0] / a[1])   # class 0 is one point, without spread; -7 over 9.5: should print -14/19",
        ),
        Misconception(
            "price on the norm of f",
            lambda K, y, lam: _axis(K, y, lam, price=lambda K, lam: lam * K),
            "You add λK. That is a price, too, on ‖f‖² instead of ‖α‖²; asked is λI.",
            f"Read “{_LDA}” again: (11), and the end of the regression in disguise.",
            _Y + "print(a[0] / a[2])   # -7 over 6.75: should print -28/27",
        ),
        Misconception(
            "from class 1 to class 0",
            lambda K, y, lam: -_axis(K, y, lam),
            "Your axis points from class 1 to class 0; the task says from 0 to 1.",
            f"Read “{_LDA}” again: M₁ - M₀ in (11).",
            _Y + "print(a @ K @ (y - np.mean(y)) > 0)   # class 1 has the larger scores: should print True",
        ),
        Misconception(
            "means only",
            _of_means,
            "You return the difference of the means: the spread within the classes is not taken into account.",
            f"Read “{_LDA}” again: (11) has an inverse.",
            _Y + "print(a[1] / a[2])   # 9.5 over 6.75; the means would give 2/3: should print 38/27",
        ),
        Misconception(
            "not made of length one",
            _unscaled,
            "The direction is right, but its length is not 1.",
            f"Read “{_LDA}” again: α is given up to a factor, and the task fixes it.",
            _Y + "print(a @ a)   # should print 1",
        ),
        Misconception(
            "f made of length one",
            _function_of_length_one,
            "You make the axis f of length 1, α·Kα = 1; the task asks for α·α = 1.",
            f"Read “{_LDA}” again: α is given up to a factor, and the task fixes it.",
            _Y + "print(np.linalg.norm(a))   # the length of α: should print 1",
        ),
        Misconception(
            "scatter of class 1 alone",
            lambda K, y, lam: _scatter_of(1, K, y, lam),
            "Your N has the scatter of class 1 alone, as if a loop had forgotten class 0; N is a sum over both.",
            f"Read “{_LDA}” again: N in step 4 is a sum over the classes.",
            USE + "K = np.diag([1.0, 2.0, 3.0]); y = np.array([0, 0, 1])\n"
            "a = np.asarray(kernel_fisher(K, y, 0.5))\nprint(a[0] / a[1])   # the entries are as -3, -2 and 12: should print 1.5",
        ),
        Misconception(
            "scatter of class 0 alone",
            lambda K, y, lam: _scatter_of(0, K, y, lam),
            "Your N has the scatter of class 0 alone, as if a loop had ended after it; N is a sum over both.",
            f"Read “{_LDA}” again: N in step 4 is a sum over the classes.",
            USE + "K = np.diag([1.0, 2.0, 3.0]); y = np.array([0, 1, 1])\n"
            "a = np.asarray(kernel_fisher(K, y, 0.5))\nprint(a[1] / a[2])   # the entries are as -7, 9.5 and 6.75: should print 1.407",
        ),
        Misconception(
            "mean scatter of each class",
            lambda K, y, lam: _axis(K, y, lam, count=lambda m: m),
            "You divide the scatter of each class by its number of points; N is a sum over all points.",
            f"Read “{_LDA}” again: N in step 4 has no such factor.",
            _Y + "print(38 - 27 * a[1] / a[2])   # the entries are as -7, 9.5 and 6.75: should print 0",
        ),
        Misconception(
            "covariances of the classes",
            lambda K, y, lam: _axis(K, y, lam, count=lambda m: m - 1),
            "You divide the scatter of each class by its number of points less one, as np.cov does; N is a sum over all points.",
            f"Read “{_LDA}” again: N in step 4 has no such factor.",
            USE + "K = np.diag([1.0, 2, 2, 1, 1, 3]); y = np.array([0, 0, 0, 1, 1, 1])\n"
            "a = np.asarray(kernel_fisher(K, y, 0.5))\nprint(3 * a[1] / a[0])   # should print 2",
        ),
        Misconception(
            "centred along the wrong axis",
            lambda K, y, lam: _axis(K, y, lam, within=lambda C: C - C.mean(axis=0)),
            "In N you take from each column the mean of its own entries; what is taken away is the mean column of the class, M_c.",
            f"Read “{_LDA}” again: K_c times I - 11ᵀ/n_c, from the right.",
            _Y + "print(14 * a[1] / a[0])   # the entries are as -7, 9.5 and 6.75: should print -19",
        ),
        Misconception(
            "price subtracted",
            lambda K, y, lam: _axis(K, y, lam, price=lambda K, lam: -lam * np.eye(len(K))),
            "You subtract λI where it is added.",
            f"Read “{_LDA}” again: why there is a price at all.",
            _Y + "print(a[0] < 0)   # the point of class 0 pulls down: should print True",
        ),
        Misconception(
            "centred first",
            Changed(kernel_fisher, lambda K, y, lam: (center_gram(K), y, lam)),
            "You centre K first, as for PCA. Each class is centred by itself in N, and with λ‖α‖² a centred K gives another axis.",
            f"Read “{_LDA}” again: in N each class is centred by itself, so K comes as it is.",
            _Y + "print(19 * a[0] / (2 * a[1]))   # the entries are as -7, 9.5 and 6.75: should print -7",
        ),
        Misconception(
            "pseudo-inverse without the price",
            _without_price,
            "λ is missing. N alone has no inverse, and a pseudo-inverse, as lstsq has one, leaves out the very directions in which the "
            "classes have no spread.",
            f"Read “{_LDA}” again: why there is a price on α.",
            _Y + "print(abs(a[0]) > 0.1)   # the entries are as -7, 9.5 and 6.75: should print True",
        ),
        Misconception(
            "price squared",
            Changed(kernel_fisher, lambda K, y, lam: (K, y, lam**2)),
            "You square λ; it is added as it is.",
            f"Read “{_LDA}” again: λI in (11).",
            _Y + "c = np.asarray(kernel_fisher(K, y, 3.0))\nprint(c[1] / c[2])   # (7.5 + 4.5) over (3 + 7.5): should print 8/7",
        ),
        Misconception(
            "n times the price",
            Changed(kernel_fisher, lambda K, y, lam: (K, y, len(y) * lam)),
            "You add nλ; here λ stands beside a sum over all points, not beside a mean.",
            f"Read “{_LDA}” again: N in step 4 is a sum.",
            _Y + "print(27 * a[1] / a[2])   # should print 38",
        ),
        Misconception(
            "sums for means",
            lambda K, y, lam: _axis(K, y, lam, means=lambda C: C.sum(axis=1)),
            "You take sums of columns for the M_c; they are means, and the classes differ in size.",
            f"Read “{_LDA}” again: M_c is the mean of the columns of a class.",
            _Y + "print(9.5 * a[0] / a[1])   # the entries are as -7, 9.5 and 6.75: should print -7",
        ),
        Misconception(
            "ridge regression",
            _ridge,
            "You solve kernel ridge regression on ±1 without an intercept: near, but with another price and another mean.",
            f"Read “{_LDA}” again: the regression in disguise has b, and a price on α.",
            _Y + "print(-9.5 * a[0] / a[1])   # the entries are as -7, 9.5 and 6.75: should print 7",
        ),
    ),
    observations=(
        Observation(
            "The scores of each class are one number: so it is without the price λ, where an axis learns the labels by heart.",
            _in_two_points,
        ),
    ),
    step=f"Read “{_LDA}” again: N, M_c and equation (11).",
    experiment=_Y + "print(a / a[0])   # (N + 0.5 I)⁻¹(-1, 1, 1.5) is as -7, 9.5, 6.75: should print 1, -19/14, -27/28",
    sizes=lambda K, y, lam: {"n": len(y), "λ": lam},
)  # fmt: skip
