"""Exercises 9.3, 9.4 and 9.6: the spectrum kernel, the cosine, and peptides under folds."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np

from kcourse.chapters.ch09_rkhs.space import CHAPTER, USE
from kcourse.checks.compare import close
from kcourse.checks.spec import Exercise, Misconception, Observation, Promise, Property, attempts, telling

__all__ = ["COSINE_NORMALIZE", "SPECTRUM_CV", "SPECTRUM_KERNEL"]

_COUNT = "The spectrum kernel: count common k-mers"
_LEAST = "The function of smallest norm, and the representer theorem"
_FOOL = "The peptides: grouped cross-validation"


# -- 9.3


def spectrum_kernel(s, t, k):
    """Σ_u N_u(s) N_u(t) over strings u of k letters."""
    return _common(s, t, k)


def _pieces(s, k):
    return Counter(s[i : i + k] for i in range(len(s) - k + 1))


def _common(s, t, k, pieces=_pieces, each=lambda n, m: n * m):
    N, M = pieces(s, k), pieces(t, k)
    return sum(each(n, M[u]) for u, n in N.items() if u in M)


def _another(**how):
    return lambda s, t, k: _common(s, t, k, **how)


def _words(rng, n):
    return "".join(rng.choice(list("abc"), n))


def _pairs(rng):
    """Words of three letters, of different lengths, with pieces in common, on which no two mistakes agree."""
    for _ in attempts("spectrum_kernel"):
        found = [(_words(rng, n), _words(rng, m), k) for n, m, k in ((12, 9, 2), (10, 14, 1), (13, 11, 2))]
        found.append(("aabaaa", "baaaab" + _words(rng, 3), 2))  # overlaps with themselves
        found += [("aabac", "acbaab", 2), ("acbaab", "aabac", 2)]  # a last k-mer that occurs only there, and is shared
        if any(s[-k:] == t[-k:] for s, t, k in found):  # with s[i : i + k + 1] the shorter ends may count
            continue
        if not all(spectrum_kernel(*args) for args in found):
            continue
        if telling(found, spectrum_kernel, [mistake.wrong for mistake in SPECTRUM_KERNEL.misconceptions]):
            return found


def _short(rng):
    return [(_words(rng, 1), _words(rng, 7), 2), (_words(rng, 6), _words(rng, 1), 2), (_words(rng, 4), "", 1)]


MEMORY = 1_000_000  # bytes: what a call may hold; a table of all pairs of k-mers takes more, one of all k-mers does not


def _long(rng):
    """Two strings of more than a thousand letters, which share k-mers; two loops over all pairs take seconds."""
    return [(_words(rng, 1100), _words(rng, 1050), 2)]


SPECTRUM_KERNEL = Exercise(
    name="spectrum_kernel",
    chapter=CHAPTER,
    number="9.3",
    returns="the kernel, one whole number",
    reference=spectrum_kernel,
    properties=(
        Property("counts common k-mers, as often as they occur", 1, _pairs),
        Property(
            "is 0 where a string has fewer than k letters",
            1,
            _short,
            hint="Your answer fails only for a string with fewer than k letters. It has no k-mer, so the kernel is 0.",
            scale=lambda s, t, k: 1.0,
        ),
        Property(
            "takes strings of a thousand letters without a table of all pairs of k-mers",
            1,
            _long,
            hint="Your answer fails only for long strings. Count the k-mers of each string in a dictionary, and go through the k-mers "
            "that occur.",
        ),
    ),
    promises=(
        Promise("have something in common", lambda s, t, k: spectrum_kernel(s, t, k) > 0),
        Promise("have a string with fewer than k letters", lambda s, t, k: min(len(s), len(t)) < k, of=(1,)),
        Promise("are too long for a table of all pairs", lambda s, t, k: len(s) * len(t) > MEMORY, of=(2,)),
    ),
    misconceptions=(
        Misconception(
            "each k-mer once",
            _another(each=lambda n, m: 1),
            "You count each common k-mer once. Its count is N_u(s) times N_u(t).",
            f"Read “{_COUNT}” again: equation (10).",
            "print(spectrum_kernel('banana', 'banana', 2))   # ba, an, an, na, na: 1 + 4 + 4, should print 9",
        ),
        Misconception(
            "the smaller of the counts",
            _another(each=min),
            "You take the smaller of the two counts. (10) multiplies them.",
            f"Read “{_COUNT}” again: equation (10).",
            "print(spectrum_kernel('aaa', 'aaa', 2))   # aa twice in both, should print 4",
        ),
        Misconception(
            "each k-mer of s once",
            _another(each=lambda n, m: m),
            "You count each k-mer of the first string once. (10) multiplies both counts.",
            f"Read “{_COUNT}” again: the product of both counts in (10).",
            "print(spectrum_kernel('aaa', 'aa', 2))   # aa twice, times once: should print 2",
        ),
        Misconception(
            "each k-mer of t once",
            _another(each=lambda n, m: n),
            "You count each k-mer of the second string once. (10) multiplies both counts.",
            f"Read “{_COUNT}” again: the product of both counts in (10).",
            "print(spectrum_kernel('aa', 'aaa', 2))   # aa once, times twice: should print 2",
        ),
        Misconception(
            "str.count",
            lambda s, t, k: sum(s.count(u) * t.count(u) for u in {*_pieces(s, k), *_pieces(t, k)}),
            "You count with str.count, which does not overlap. In aaa it finds aa once. Count at every position.",
            f"Read “{_COUNT}” again: overlaps included.",
            "print(spectrum_kernel('aaaa', 'aaa', 2))   # three times twice, should print 6",
        ),
        Misconception(
            "str.count in t",
            lambda s, t, k: sum(n * t.count(u) for u, n in _pieces(s, k).items()),
            "You count in the second string with t.count, which does not overlap. In aaa it finds aa once.",
            f"Read “{_COUNT}” again: overlaps included, in both strings.",
            "print(spectrum_kernel('aaab', 'aaaab', 2))   # aa twice, times three times, and ab: should print 7",
        ),
        Misconception(
            "last k-mer lost",
            _another(pieces=lambda s, k: Counter(s[i : i + k] for i in range(len(s) - k))),
            "You leave out the last k-mer. A string of ℓ letters has ℓ - k + 1 k-mers.",
            f"Read “{_COUNT}” again: how many k-mers a string has.",
            "print(spectrum_kernel('ab', 'ab', 2))   # one k-mer each, should print 1",
        ),
        Misconception(
            "tails for k-mers",
            _another(pieces=lambda s, k: Counter(s[i : i + k] for i in range(len(s)))),
            "Your last k-mers are shorter than k, because s[i : i + k] returns a shorter string at the end. Stop at len(s) - k.",
            f"Read “{_COUNT}” again: ℓ - k + 1 k-mers.",
            "print(spectrum_kernel('ab', 'cb', 2))   # ab and cb are different: should print 0",
        ),
        Misconception(
            "k-mers that do not overlap",
            _another(pieces=lambda s, k: Counter(s[i : i + k] for i in range(0, len(s) - k + 1, k))),
            "You cut the string into k-mers that do not overlap. A k-mer begins at every letter.",
            f"Read “{_COUNT}” again: ℓ - k + 1 k-mers, overlaps included.",
            "print(spectrum_kernel('abc', 'bc', 2))   # ab and bc: should print 1",
        ),
        Misconception(
            "place by place",
            lambda s, t, k: sum(s[i : i + k] == t[i : i + k] for i in range(min(len(s), len(t)) - k + 1)),
            "You compare k-mers at equal positions. (10) compares each k-mer with each.",
            f"Read “{_COUNT}” again: N_s(x) does not depend on the position.",
            "print(spectrum_kernel('xab', 'ab', 2))   # ab is in both: should print 1",
        ),
        Misconception(
            "also shorter k-mers",
            lambda s, t, k: sum(_common(s, t, j) for j in range(1, k + 1)),
            "You add the kernels of all lengths up to k. (10) counts only k-mers.",
            f"Read “{_COUNT}” again: what a k-mer is.",
            "print(spectrum_kernel('ab', 'ba', 2))   # letters in common, no 2-mer: should print 0",
        ),
        Misconception(
            "normalised",
            lambda s, t, k: _common(s, t, k) / np.sqrt(max(_common(s, s, k) * _common(t, t, k), 1)),
            "You return the cosine. Return the kernel itself, a whole number; the cosine is the next exercise.",
            f"Read “{_COUNT}” again: equation (10).",
            "print(spectrum_kernel('abab', 'abab', 2))   # ab twice, ba once: should print 5",
        ),
    ),
    step=f"Read “{_COUNT}” again: equation (10), with a dictionary of the k-mers that occur.",
    experiment="print(spectrum_kernel('banana', 'ananas', 2))   # an: 2·2, na: 2·2: should print 8",
    sizes=lambda s, t, k: {"k": k, "len(s)": len(s), "len(t)": len(t)},
    memory=MEMORY,
)  # fmt: skip


# -- 9.4


def cosine_normalize(K):
    """K_ij / √(K_ii K_jj), 0 where one of the two is 0."""
    return _over(K, lambda d: np.sqrt(np.outer(d, d)))


def _over(K, size):
    with np.errstate(all="ignore"):
        below = size(K.diagonal())
        return np.where(np.outer(K.diagonal(), K.diagonal()) > 0, K / np.where(below == 0, 1.0, below), 0.0)


def _scaled(size):
    return lambda K: _over(K, size)


def _counted(rng, *, empty=False):
    """Gram matrices of signed counts whose diagonals differ; a point that has nothing, if asked."""
    found = []
    for n, d in ((4, 3), (6, 5), (5, 7)):
        N = rng.integers(0, 6, (n, d)) + 0.0
        N[np.arange(n), rng.integers(d, size=n)] += 1 + np.arange(n)
        N *= rng.choice([-1, 1], N.shape)
        if empty:
            N[rng.integers(n)] = 0.0
        found.append(N @ N.T)
    return [K if i else K / 140 for i, K in enumerate(found)]  # in the first all lengths are below 1


def _grams(rng, *, empty=False):
    """Gram matrices with negative entries, on which no two mistakes agree where no point has nothing."""
    for _ in attempts("cosine_normalize"):
        found = [(K,) for K in _counted(rng, empty=empty)]
        if any(cosine_normalize(K).min() > -0.1 for (K,) in found):
            continue
        if empty or telling(found, cosine_normalize, [mistake.wrong for mistake in COSINE_NORMALIZE.misconceptions]):
            return found


_K = USE + "K = np.array([[9.0, 8, 0], [8, 9, 1], [0, 1, 4]])\n"

COSINE_NORMALIZE = Exercise(
    name="cosine_normalize",
    chapter=CHAPTER,
    number="9.4",
    returns="the cosines, shape (n, n)",
    reference=cosine_normalize,
    properties=(
        Property("divides by the lengths of both features", 2, _grams),
        Property(
            "gives 0 for a point whose feature is 0",
            1,
            lambda r: _grams(r, empty=True),
            hint="Your answer fails only when some K_ii is 0. Such a point has no direction, so its row and column are 0.",
        ),
    ),
    promises=(
        Promise("have a diagonal that is not constant", lambda K, *_: np.ptp(np.diag(K)) > 0.1 * K.max(), of=(0, 1)),
        Promise("have negative entries", lambda K: K.min() < 0, of=(0, 1)),
        Promise("have lengths above 0", lambda K: np.diag(K).min() > 0),
        Promise("have lengths below 1 first, and above 1", lambda found: (
            np.diag(found[0][0]).max() < 1 < np.diag(found[1][0]).min()), together=True),
        Promise("have a point that has nothing", lambda K: (np.diag(K) == 0).sum() == 1, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "divided by the largest",
            lambda K: K / K.max(),
            "You divide all entries by one number, the largest. Divide each by its own two lengths, √K_ii and √K_jj.",
            f"Read “{_COUNT}” again: the cosine divides by √(k(x,x) k(z,z)).",
            _K + "print(np.diag(cosine_normalize(K)))   # each point with itself: should print 1, 1, 1",
        ),
        Misconception(
            "divided by the trace",
            lambda K: K / np.trace(K),
            "You divide all entries by the trace. Divide each by its own two lengths, √K_ii and √K_jj.",
            f"Read “{_COUNT}” again: the cosine divides by √(k(x,x) k(z,z)).",
            _K + "print(np.trace(cosine_normalize(K)))   # three points, each with itself: should print 3",
        ),
        Misconception(
            "rows alone",
            _scaled(lambda d: d[:, None] * np.ones(len(d))),
            "You divide row i by K_ii, so the result is not symmetric. Divide by both lengths, √K_ii and √K_jj.",
            f"Read “{_COUNT}” again: the lengths of *both* features, √K_ii and √K_jj.",
            _K + "C = cosine_normalize(K)\nprint(C[1, 2], C[2, 1])   # should be equal: 1/6",
        ),
        Misconception(
            "columns alone",
            _scaled(lambda d: np.ones(len(d))[:, None] * d),
            "You divide column j by K_jj, so the result is not symmetric. Divide by both lengths, √K_ii and √K_jj.",
            f"Read “{_COUNT}” again: the lengths of *both* features, √K_ii and √K_jj.",
            _K + "C = cosine_normalize(K)\nprint(C[2, 1], C[1, 2])   # should be equal: 1/6",
        ),
        Misconception(
            "one length, rows",
            _scaled(lambda d: np.sqrt(d)[:, None] * np.ones(len(d))),
            "You divide row i by √K_ii only. Divide also by the length of the other feature, √K_jj.",
            f"Read “{_COUNT}” again: the lengths of *both* features, √K_ii and √K_jj.",
            _K + "print(cosine_normalize(K)[0, 1])   # 8/(3·3): should print 8/9",
        ),
        Misconception(
            "one length, columns",
            _scaled(lambda d: np.ones(len(d))[:, None] * np.sqrt(d)),
            "You divide column j by √K_jj only. Divide also by the length of the other feature, √K_ii.",
            f"Read “{_COUNT}” again: the lengths of *both* features, √K_ii and √K_jj.",
            _K + "print(cosine_normalize(K)[1, 0])   # 8/(3·3): should print 8/9",
        ),
        Misconception(
            "no square root",
            _scaled(lambda d: np.outer(d, d)),
            "You divide by K_ii K_jj, the product of the squared lengths. Take its square root.",
            f"Read “{_COUNT}” again: √(k(x,x) k(z,z)).",
            _K + "print(cosine_normalize(K)[2, 2])   # the third point with itself: should print 1",
        ),
        Misconception(
            "mean of the two",
            _scaled(lambda d: (d[:, None] + d) / 2),
            "You divide by the mean of K_ii and K_jj. The cosine divides by their *geometric* mean, √(K_ii K_jj).",
            f"Read “{_COUNT}” again: √(k(x,x) k(z,z)).",
            _K + "print(cosine_normalize(K)[1, 2])   # 1/√(9·4): should print 1/6",
        ),
        Misconception(
            "norms of the rows",
            lambda K: K / np.maximum(np.linalg.norm(K, axis=1)[:, None] * np.linalg.norm(K, axis=1), 1e-300),
            "You divide by the norms of two rows of K. The length of a feature is √K_ii.",
            f"Read “{_COUNT}” again: k(x,x) is the squared length of φ(x).",
            _K + "print(cosine_normalize(K)[0, 0])   # the first point with itself: should print 1",
        ),
        Misconception(
            "norm of each row",
            lambda K: K / np.maximum(np.linalg.norm(K, axis=1)[:, None], 1e-300),
            "You divide each row of K by its norm. The length of a feature is √K_ii; divide by √K_ii √K_jj.",
            f"Read “{_COUNT}” again: k(x,x) is the squared length of φ(x).",
            _K + "print(cosine_normalize(K)[1, 1])   # the second point with itself: should print 1",
        ),
        Misconception(
            "norm of each column",
            lambda K: K / np.maximum(np.linalg.norm(K, axis=0), 1e-300),
            "You divide each column of K by its norm. The length of a feature is √K_jj; divide by √K_ii √K_jj.",
            f"Read “{_COUNT}” again: k(x,x) is the squared length of φ(x).",
            _K + "print(cosine_normalize(K)[2, 1])   # 1/√(9·4): should print 1/6",
        ),
        Misconception(
            "cosine of the rows",
            lambda K: (K @ K) / np.maximum(np.sqrt(np.outer(np.diag(K @ K), np.diag(K @ K))), 1e-300),
            "You take the cosine of two *rows of K*. The entries of K are already inner products of features.",
            f"Read “{_COUNT}” again: k(x,z)/√(k(x,x) k(z,z)).",
            _K + "print(cosine_normalize(K)[0, 2])   # they share nothing: should print 0",
        ),
    ),
    step=f"Read “{_COUNT}” again: k(x,z)/√(k(x,x) k(z,z)).",
    experiment=_K + "print(cosine_normalize(K))   # should print ones on the diagonal, 8/9 and 1/6 next to it",
    sizes=lambda K: {"n": len(K)},
    observations=(
        Observation(
            "A cosine is above 1 or below -1.",
            lambda v, K: bool(np.abs(np.asarray(v, dtype=float)).max() > 1 + 1e-9),
        ),
    ),
)  # fmt: skip


# -- 9.6


def spectrum_cv(strings, y, fold, k, lam):
    """Share of strings that ridge regression on y = ±1 has right, with the cosine of the spectrum, folds held out."""
    return _held_out(strings, y, fold, k, lam)


def _gram(strings, k):
    return _gram_of(tuple(strings), k)


@lru_cache(maxsize=64)  # each mistake asks for the same
def _gram_of(strings, k):
    pieces = [_pieces(s, k) for s in strings]
    column = {u: j for j, u in enumerate(dict.fromkeys(u for counts in pieces for u in counts))}
    N = np.zeros((len(strings), len(column)))
    for row, counts in zip(N, pieces, strict=True):
        row[[column[u] for u in counts]] = list(counts.values())
    K = N @ N.T
    K.setflags(write=False)
    return K


def _held_out(strings, y, fold, k, lam, *, by_fold=False, least=0.0, above=1, below=-1, zero=-1, **how):
    right, shares = np.zeros(len(y)), []
    for new, f in _values(strings, y, fold, k, lam, **how):
        right[new] = np.where(f > least, above, np.where(f < 0, below, zero)) == y[new]
        shares.append(right[new].mean())
    return float(np.mean(shares if by_fold else right))


def _values(
    strings, y, fold, k, lam, *, normalise=cosine_normalize, penalty=lambda K, lam: lam * np.eye(len(K)),
    seen=lambda fold, j: fold != j, judged=lambda fold, j: fold == j, cut=False, intercept=False,
):  # fmt: skip
    """Yield, for each fold, which strings are held out and their values f."""
    K = normalise(_gram(strings, k))
    every = np.linalg.solve(K + penalty(K, lam), y) if cut else None
    for j in np.unique(fold):
        new, old = judged(fold, j), seen(fold, j)
        inner = K[np.ix_(old, old)]
        level = y[old].mean() if intercept else 0.0
        alpha = every[old] if cut else np.linalg.solve(inner + penalty(inner, lam), y[old] - level)
        yield new, K[np.ix_(new, old)] @ alpha + level


def _smallest(*args):
    """The smallest |f| of all strings."""
    return min(np.abs(f).min() for _, f in _values(*args))


def _how(**how):
    return lambda *args: _held_out(*args, **how)


def _everywhere(K, lam):
    if np.linalg.cond(K + lam) > 1e8:
        raise ValueError("K and λ everywhere is singular: what comes out is rounding")
    return np.full(K.shape, lam)


_CV_MISTAKES = {
    "not normalised": _how(normalise=lambda K: K),
    "tested on the training strings": _how(seen=lambda fold, j: fold >= -1),
    "α of all points": _how(cut=True),
    "roles exchanged": _how(seen=lambda fold, j: fold == j, judged=lambda fold, j: fold != j),
    "mean of the folds": _how(by_fold=True),
    "0 for class -1": _how(below=0, zero=0),
    "classes exchanged": _how(above=-1, below=1),
    "λ everywhere": _how(penalty=_everywhere),
    "nλ for λ": _how(penalty=lambda K, lam: lam * len(K) * np.eye(len(K))),
    "with an intercept": _how(intercept=True),
}
_TIES = {"undecided is class +1": _how(zero=1), "undecided is class 0": _how(zero=0)}
_LARGEST = 34  # strings of a call
_LARGE = 1e4  # a λ that makes all f small
_ON_THE_FOLD = _how(seen=lambda fold, j: fold == j)
# trained on the fold, another λ or another k: shares come in steps, and none of these may be right by luck
_NEAR = [
    _ON_THE_FOLD,
    *(_how(penalty=lambda K, lam, c=c: c * np.eye(len(K))) for c in (0.01, 0.1, 0.5, 1.0)),
    *(lambda s, y, f, k, lam, j=j: _held_out(s, y, f, j, lam) for j in (1, 2, 3)),
]


_ABOVE_0 = [_how(least=c) for c in (1e-3, 0.01)]  # f may be small and above 0


def _or_right(mistake):
    """What a mistake gives, and where it raises an error, the right answer."""

    def given(*args):
        try:
            return mistake(*args)
        except ValueError:
            return spectrum_cv(*args)

    return given


def _families(rng, *, odd=False):
    """Strings of two classes that share k-mers within families, some long.

    f is never 0, but small in the first call. The folds differ in size, unless they have odd names. Then they are
    equal, so that the mean of their shares is right.
    """
    sizes = (20, 25, 30, 35) if odd else (22, 26, 30, _LARGEST)
    told = [_or_right(mistake) for name, mistake in _CV_MISTAKES.items() if not (odd and name == "mean of the folds")]
    for _ in attempts("spectrum_cv"):
        found = [_task(rng, n, k, odd, lam) for n, k, lam in zip(sizes, (3, 2, 3, 2), (_LARGE, 0, 0, 0), strict=True)]
        if not telling(found, spectrum_cv, told, least=0.01):
            continue
        wanted = [spectrum_cv(*args) for args in found]
        if any(mistake(*found[0]) == wanted[0] for mistake in _ABOVE_0):
            continue
        if all(sum(mistake(*a) != w for a, w in zip(found, wanted, strict=True)) > 1 for mistake in _NEAR):
            return found


def _task(rng, n, k, odd, lam):
    """One without ties on which most of ``_NEAR`` are wrong, so that a set on which all are wrong is soon found."""
    for _ in attempts("spectrum_cv"):
        args = _any_task(rng, n, k, odd, equal=odd)
        args = (*args[:-1], lam or args[-1])
        if _smallest(*args) < 1e-6:
            continue
        # a model that learns from the fold is mostly right on all of it: not always, or "return 1.0" is called so
        if n >= _LARGEST and _ON_THE_FOLD(*args) == 1:
            continue
        right = spectrum_cv(*args)
        if sum(mistake(*args) != right for mistake in _NEAR) >= len(_NEAR) - 2:
            return args


def _any_task(rng, n, k, odd, *, equal):
    y = rng.permutation(np.resize([1.0, -1.0], n))
    strings = []
    for label in y:
        letters = rng.choice(list("abcd"), rng.integers(5, 13), p=(0.4, 0.3, 0.15, 0.15)[:: int(label)])
        strings.append("".join(letters) * int(rng.choice([1, 1, 3])))
    fold = rng.choice(5, n, p=(0.1, 0.15, 0.2, 0.25, 0.3))  # not as many as letters in a k-mer
    fold[:5] = range(5)
    if equal:
        fold = rng.permutation(np.arange(n) % 5)
    lam = float(10 ** rng.choice([rng.uniform(-1.5, -0.2), rng.uniform(0.2, 1)]))
    return strings, y, (np.array([7, 2, 5, 11, 3])[fold] if odd else fold), k, lam


def _ties(rng):
    """Strings that share no k-mer with any other, or have none: there f is exactly 0, which is class -1.

    The folds are of equal size. Another k is not right on all of them.
    """
    for _ in attempts("spectrum_cv"):
        found = _some_ties(rng)
        if all(any(other(*args) != spectrum_cv(*args) for args in found) for other in (_longer, _shorter)):
            return found


def _some_ties(rng):
    found = []
    for n, k in ((20, 2), (25, 3)):
        strings, y, fold, _, lam = _any_task(rng, n, k, False, equal=True)
        below, above = np.flatnonzero(y < 0)[:3], np.flatnonzero(y > 0)[:1]
        for i, letters in zip((*below, *above), ("efgh", "ijkl", "a", "mnop"), strict=True):
            strings[i] = letters
        found.append((strings, y, fold, k, lam))
    return found


_V = USE + "strings = ['abab', 'baba', 'cdcd', 'dcdc', 'abba', 'cddc']; y = np.array([1.0, 1, -1, -1, 1, -1])\n" \
    "def share(fold, k=2, lam=0.1):\n    return spectrum_cv(strings, y, np.array(fold), k, lam)\n"  # fmt: skip


def _again(what):
    return f"Read the exercise again: {what}. The folds are those of “{_FOOL}”."


_RIDGE = f"Read the exercise again, and chapter 3: α = (K + λI)⁻¹y. “{_LEAST}” has Kα = y, without λ."


def _longer(strings, y, fold, k, lam):
    return spectrum_cv(strings, y, fold, k + 1, lam)


def _shorter(strings, y, fold, k, lam):
    return spectrum_cv(strings, y, fold, k - 1, lam)


def _mistake(name, hint, step, experiment):
    return Misconception(name, (_CV_MISTAKES | _TIES)[name], hint, step, experiment)


SPECTRUM_CV = Exercise(
    name="spectrum_cv",
    chapter=CHAPTER,
    number="9.6",
    returns="the share of strings that are right, one number",
    reference=spectrum_cv,
    properties=(
        Property("is right on strings that were held out", 2, _families),
        Property(
            "takes folds of any names",
            1,
            lambda r: _families(r, odd=True),
            hint="Your answer fails only when the folds are not called 0, 1, 2, … Take their names from np.unique(fold).",
        ),
        Property(
            "puts a string with f = 0 into class -1",
            1,
            _ties,
            hint="Your answer fails only with a string that shares no k-mer with the others, or has none. Its f is 0, so its class is -1.",
        ),
    ),
    promises=(
        Promise("have folds of different sizes", lambda strings, y, fold, k, lam: (
            len(set(np.unique(fold, return_counts=True)[1])) > 1)),
        Promise("have folds of equal size", lambda strings, y, fold, k, lam: (
            len(set(np.unique(fold, return_counts=True)[1])) == 1), of=(1, 2)),
        Promise("have no tie", lambda *args: _smallest(*args) > 1e-7, of=(0, 1)),
        Promise("have small f above 0", lambda found: (
            all(mistake(*found[0]) != spectrum_cv(*found[0]) for mistake in _ABOVE_0)), of=(0, 1), together=True),
        Promise("have folds of other names", lambda strings, y, fold, k, lam: (
            set(fold) != set(range(len(set(fold))))), of=(1,)),
        Promise("have four strings that share nothing with the others, three of them of class -1", lambda strings, y, *_: (
            sorted(y[[s == "a" or set(s).isdisjoint("abcd") for s in strings]]) == [-1, -1, -1, 1]), of=(2,)),
        Promise("have a string without a k-mer", lambda strings, y, fold, k, lam: min(map(len, strings)) < k, of=(2,)),
    ),
    misconceptions=(
        _mistake(
            "not normalised",
            "You use the spectrum kernel as it is. Then long strings have a large kernel with all others. Use cosines.",
            f"Read “{_FOOL}” again: normalised spectrum kernels.",
            USE + "strings = ['ab', 'bc' * 9, 'bcbcab']; y = np.array([1.0, -1, -1])   # the long one is near the last, by its angle\n"
            "print(3 * spectrum_cv(strings, y, np.array([0, 0, 1]), 2, 0.1))   # two of three are right: should print 2",
        ),
        _mistake(
            "tested on the training strings",
            "You train on all strings, also on those of the fold. Train only on the strings outside the fold.",
            f"Read “{_FOOL}” again: ten folds.",
            USE + "print(spectrum_cv(['aaa', 'bbb'], np.array([1.0, -1]), np.array([0, 1]), 1, 0.1))   # f = 0, should print 0.5",
        ),
        _mistake(
            "α of all points",
            "You solve for α once, with all strings, and leave out rows afterwards. Solve again for each fold.",
            f"Read “{_FOOL}” again: each fold is held out in turn.",
            USE + "strings = ['bb', 'aa', 'abbb', 'aa']; y = np.array([1.0, -1, 1, -1])   # each is like its own class\n"
            "print(spectrum_cv(strings, y, np.arange(4), 1, 0.1))   # one held out after the other: should print 1",
        ),
        _mistake(
            "roles exchanged",
            "You train on the fold and predict for the others. Train on the others, and predict for the fold.",
            f"Read “{_FOOL}” again: ten folds, of which one is held out at a time.",
            USE + "print(spectrum_cv(['aa', 'aa', 'bb'], np.array([1.0, 1, -1]), np.arange(3), 2, 0.1))   # from two others: should print 1",
        ),
        _mistake(
            "mean of the folds",
            "You average the shares of the folds, which differ in size. Each *string* counts once.",
            _again("the share of *strings*"),
            _V + "print(6 * share([0, 0, 0, 0, 0, 1]))   # of six strings: should print a whole number",
        ),
        _mistake(
            "0 for class -1",
            "You compare y with f > 0, which is 0 for class -1, but there y is -1. Compare f > 0 with y > 0.",
            _again("y is ±1"),
            _V + "print(share([0, 0, 1, 1, 2, 2]), share([1, 0, 1, 0, 1, 0]))   # two clear classes: should print large shares",
        ),
        _mistake(
            "λ everywhere",
            "You add λ to every entry of K. It belongs only on the diagonal: λ times the identity.",
            _RIDGE,
            USE + "strings = ['bb', 'aa', 'aa', 'baa', 'abb']; y = np.array([-1.0, 1, 1, 1, -1])   # each is like its own class\n"
            "print(spectrum_cv(strings, y, np.arange(5), 1, 0.5))   # should print 1",
        ),
        _mistake(
            "nλ for λ",
            "You multiply λ by the number of strings. Here λ belongs to the *sum* of squared errors: (K + λI)α = y.",
            _RIDGE,
            USE + "strings = ['abb', 'aba', 'bb', 'aa', 'bb']; y = np.array([-1.0, 1, -1, 1, -1])   # each is like its own class\n"
            "print(spectrum_cv(strings, y, np.arange(5), 1, 0.5))   # should print 1",
        ),
        _mistake(
            "with an intercept",
            "You subtract the mean of the labels and add it to f. The exercise says ridge regression without an intercept.",
            _RIDGE,
            USE + "strings = ['ab', 'ab', 'cd']; y = np.array([1.0, 1, -1])   # cd shares nothing with the others: f = 0\n"
            "print(spectrum_cv(strings, y, np.arange(3), 2, 0.1))   # should print 1",
        ),
        _mistake(
            "classes exchanged",
            "You put f < 0 into class +1, and all else into class -1. Use np.where(f > 0, 1, -1).",
            _again("class +1 if f > 0, class -1 if f ≤ 0"),
            _V + "print(share([0, 1, 0, 1, 2, 2]))   # two clear classes: should print 1",
        ),
        _mistake(
            "undecided is class +1",
            "You put f = 0 into class +1, as f >= 0 does. Only f > 0 is class +1.",
            _again("f = 0 is class -1"),
            USE + "print(spectrum_cv(['ab', 'cd'], np.array([-1.0, -1]), np.arange(2), 2, 0.1))   # f = 0 twice, should print 1",
        ),
        _mistake(
            "undecided is class 0",
            "You return the class 0 where f = 0, as np.sign does. It is class -1: use np.where(f > 0, 1, -1).",
            _again("f = 0 is class -1"),
            USE + "print(spectrum_cv(['ab', 'cd', 'ef'], -np.ones(3), np.arange(3), 2, 0.1))   # f = 0 three times, should print 1",
        ),
    ),
    step=f"Read the exercise again: α = (K + λI)⁻¹y on the strings outside the fold, f = Kα on those inside. The folds are those of “{_FOOL}”.",
    experiment=_V + "print(share([0, 1, 0, 1, 0, 1]))   # two clear classes: should print 1",
    observations=(
        Observation(
            "You use substrings of k + 1 letters. A k-mer has k letters: use s[i : i + k].",
            lambda value, *args: close(value, _longer(*args)),
            early=True,
        ),
        Observation(
            "You use substrings of k - 1 letters. A k-mer has k letters: use s[i : i + k].",
            lambda value, *args: close(value, _shorter(*args)),
            early=True,
        ),
    ),
    sizes=lambda strings, y, fold, k, lam: {"n": len(y), "k": k, "λ": lam, "folds": len(np.unique(fold))},
)  # fmt: skip
