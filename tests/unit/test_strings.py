"""Kernels of strings: what comes in, what comes out, what is said when it cannot."""

import re
from collections import Counter
from math import comb

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from kcourse.datasets import load_peptides
from kcourse.kernels import Constant, Normalized, feature_distance, gram
from kcourse.ridge import KernelRidge
from kcourse.strings import Gapped, Mismatch, Spectrum
from tests.kernels import examples_that
from tests.rows import each
from tests.unit.refused import refused

AMINO_ACIDS = "ACDEFGHIKLMNPQRSTVWY"
WORDS = ["banana", "ananas", "bandana", "", "a", "nab"]


@examples_that(lambda kernel: isinstance(kernel, (Spectrum, Gapped, Mismatch)))
def test_strings_shorter_than_k_have_no_kmers(kernel):
    words, short = ["abacab", "cabb"], ["", "ab", "a", "cb"]
    short = [word for word in short if len(word) < kernel.k]
    assert short and not kernel(short, words).any() and not kernel.diag(short).any()
    assert kernel([""]).tolist() == [[0.0]] and kernel(["", ""]).shape == (2, 2)


@each(
    "points",
    [
        tuple(WORDS), np.array(WORDS), np.array(WORDS, dtype=object), pd.Series(WORDS),
        pd.Series(WORDS, index=range(9, 3, -1)), pd.Index(WORDS), np.array(WORDS, dtype=np.dtypes.StringDType()),
        dict.fromkeys(WORDS).keys(),
    ],
)  # fmt: skip
def test_whatever_holds_strings_will_do(points):
    np.testing.assert_array_equal(Spectrum(2)(points), Spectrum(2)(WORDS))
    checked = Spectrum(2).check_points(points)
    assert checked.dtype == object and checked.shape == (6,) and all(type(word) is str for word in checked)


def test_any_alphabet_will_do():
    greek, emoji, mixed = ["αβγαβ", "βγα"], ["🙂🙃🙂", "🙃🙂"], ["aé🙂\x00é", "é🙂\ud800"]
    assert Spectrum(2)(greek).tolist() == [[6.0, 2.0], [2.0, 2.0]]
    assert Spectrum(2)(emoji).tolist() == [[2.0, 1.0], [1.0, 1.0]]
    assert Spectrum(2)(mixed).tolist() == [[4.0, 1.0], [1.0, 2.0]]
    assert Spectrum(1)(["é"], ["e\u0301"]).item() == 0  # two ways to write it are two: normalise before


def test_long_kmers_do_not_overflow():
    # 26 letters and k = 40: codes would need 188 bits
    rng = np.random.default_rng(0)
    piece = "".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), 60))
    twin = piece[:45] + piece[45].swapcase() + piece[46:]
    assert Spectrum(40)([piece], [piece, twin]).tolist() == [[21.0, 6.0]]
    everything = "".join(map(chr, range(0x4E00, 0x4E00 + 3000)))
    assert Spectrum(7)([everything], [everything, everything[::-1], everything[5:2000]]).tolist() == [
        [2994.0, 0.0, 1989.0]
    ]
    counts, kmers = Spectrum(7).counts([everything])
    assert kmers == [everything[i : i + 7] for i in range(2994)] and counts.sum() == 2994


def test_long_and_repetitive_strings_are_quick_and_exact():
    n = 200_000
    K = Spectrum(3)(["a" * n, "ab" * (n // 2)])
    assert K.tolist() == [[(n - 2.0) ** 2, 0.0], [0.0, 2 * (n / 2 - 1.0) ** 2]]
    assert Spectrum(3).diag(["a" * n, "ab" * (n // 2)]).tolist() == K.diagonal().tolist()


def test_many_strings_are_computed_in_blocks():
    rng = np.random.default_rng(1)
    words = ["".join(rng.choice(list("abcdefgh"), 9)) for _ in range(1101)]
    K = Spectrum(4)(words)
    np.testing.assert_array_equal(K, K.T)
    for rows in (slice(0, 2), slice(998, 1003), slice(1100, 1101)):
        np.testing.assert_array_equal(K[rows], Spectrum(4)(words[rows], words))


def test_rare_and_common_kmers_are_both_counted():
    # over 200 strings "aaa" is common and goes through a dense product, the others are rare and go through a sparse one
    rng = np.random.default_rng(2)
    words = ["".join(rng.choice(list("abcdefghijkl"), 30)) + "a" * (i % 7) for i in range(200)]
    counted = [Counter(word[i : i + 3] for i in range(len(word) - 2)) for word in words]
    right = [[sum(c * other[s] for s, c in own.items()) for other in counted] for own in counted]
    np.testing.assert_array_equal(Spectrum(3)(words), right)
    np.testing.assert_array_equal(Spectrum(3)(words[:150], words[120:]), np.array(right)[:150, 120:])


def test_counts_and_features():
    counts, kmers = Spectrum(2).counts(["banana", "ananas", "x"])
    assert kmers == ["an", "as", "ba", "na"]
    assert counts.toarray().tolist() == [[2, 0, 1, 2], [2, 1, 0, 2], [0, 0, 0, 0]]
    assert counts.nnz == 6 and counts.has_canonical_format
    np.testing.assert_array_equal(Spectrum(2).features(["banana", "ananas", "x"]), counts.toarray())
    both = Spectrum(1) + Spectrum(2)
    F = both.features(WORDS)
    np.testing.assert_array_equal(F @ F.T, both(WORDS))
    counts, kmers = Spectrum(9).counts(["short"])
    assert counts.shape == (1, 0) and kmers == []
    refused("Gapped has no finite feature map here", Gapped(3).features, WORDS)


def test_tuples_of_words_are_texts():
    texts = [("dear", "sir", "dear", "madam"), ("dear", "dear"), ()]
    assert Spectrum(1)(texts).tolist() == [[6.0, 4.0, 0.0], [4.0, 4.0, 0.0], [0.0, 0.0, 0.0]]  # bag of words
    assert Spectrum(2)(texts).tolist() == [[3.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    counts, kmers = Spectrum(2).counts(texts)
    assert kmers == [("dear", "dear"), ("dear", "madam"), ("dear", "sir"), ("sir", "dear")]
    assert counts.toarray().tolist() == [[0, 1, 1, 1], [1, 0, 0, 0], [0, 0, 0, 0]]
    # a string is the row of its letters
    np.testing.assert_array_equal(Spectrum(2)([tuple(w) for w in WORDS], WORDS), Spectrum(2)(WORDS))
    assert Mismatch(1, m=0, alphabet=("dear", "sir", "madam"))(texts[:1], texts).tolist() == [[6.0, 4.0, 0.0]]


def test_gaps_and_mismatches_by_hand():
    # windows of "abcd": abc, bcd; patterns of two kept letters: ab·, a·c, ·bc, bc·, b·d, ·cd
    assert Gapped(3, gaps=1)(["abcd"], ["abcd", "abxd", "xbcx", "bcab"]).tolist() == [[6.0, 2.0, 2.0, 1.0]]
    # {a, b}: aa is within 1 of aa, ab, ba; bb of bb, ab, ba
    assert Mismatch(2, m=1, alphabet="ab")(["aa"], ["aa", "bb", "ab"]).tolist() == [[3.0, 2.0, 2.0]]
    # a letter that never occurs counts: with a third one each k-mer has 5 neighbours
    assert Mismatch(2, m=1, alphabet="abc")(["aa"], ["aa", "bb", "ab"]).tolist() == [[5.0, 2.0, 3.0]]
    # more neighbours than whole numbers of 64 bits
    wide = Mismatch(7, m=6, alphabet="".join(map(chr, range(0x4E00, 0x4E00 + 3000))))
    neighbours = sum(comb(7, t) * 2999**t for t in range(7))
    assert neighbours > 2**63 and wide.diag(["\u4e00" * 7]).item() == pytest.approx(neighbours, rel=1e-12)
    # one letter alone: nothing to mismatch with
    assert Mismatch(2, m=1, alphabet="a")(["aaa"]).tolist() == [[4.0]]


def test_composition_is_unchanged():
    kernel = 3 * Spectrum(2) + Constant(1)
    np.testing.assert_array_equal(kernel(WORDS), 3 * Spectrum(2)(WORDS) + 1)
    np.testing.assert_array_equal(kernel.diag(WORDS), 3 * Spectrum(2).diag(WORDS) + 1)
    np.testing.assert_array_equal(
        (Spectrum(1) * Gapped(2))(WORDS, ["ban"]), Spectrum(1)(WORDS, ["ban"]) * Gapped(2)(WORDS, ["ban"])
    )
    np.testing.assert_array_equal(sum([Spectrum(1), Spectrum(2)])(WORDS), Spectrum(1)(WORDS) + Spectrum(2)(WORDS))
    assert kernel.structured and repr(kernel) == "3 * Spectrum(k=2) + 1"
    np.testing.assert_array_equal(gram(kernel, WORDS), kernel(WORDS))
    assert feature_distance(Spectrum(2), ["banana"], ["banana", "ananas"]).tolist() == [[0.0, np.sqrt(2)]]
    assert kernel.theta_names == ("left__left__value", "right__value")
    K, pull = kernel.vjp(WORDS)
    assert pull(np.ones((6, 6))).tolist() == [3 * Spectrum(2)(WORDS).sum(), 36.0]


def test_normalised_strings_lie_on_the_sphere():
    kernel = Normalized(Spectrum(2))
    assert kernel(["banana"], ["ananas"]).item() == pytest.approx(8 / 9, rel=1e-15)
    np.testing.assert_array_equal(kernel(["banana", "ananas"]).diagonal(), 1.0)
    for call in (lambda: kernel(["banana", ""]), lambda: kernel.diag(["banana", "b"])):
        refused(r"X\[1\] has k\(x, x\) = 0, so it has no direction", call)
    refused(r"Z\[0\] has k\(x, x\) = 0", kernel, ["banana"], ["a"])
    assert (Normalized(Spectrum(2) + Constant(1)))(["", ""]).tolist() == [[1.0, 1.0], [1.0, 1.0]]


@each(
    ("points", "error", "said"),
    [
        ("banana", TypeError, r"X is one string; expected a list of strings: for one point write \[X\]"),
        (b"banana", TypeError, "X is one string"),
        (["banana", 3], TypeError, r"X\[1\] is int 3; a point is a string"),
        (["banana", None], TypeError, r"X\[1\] is NoneType None"),
        (pd.Series(["a", np.nan], dtype=object), TypeError, r"X\[1\] is float nan"),
        ([["banana"], ["ananas"]], TypeError, r"X\[0\] is list \['banana'\]; a point is a string, or a tuple"),
        ([1.0, 2.0], TypeError, r"X\[0\] is float 1.0"),
        (np.zeros((3, 2)), ValueError, r"X has shape \(3, 2\); expected \(n,\): one string for each point"),
        (np.array([["a"], ["b"]]), ValueError, r"X has shape \(2, 1\); expected \(n,\): pass X\[:, 0\]"),
        (pd.DataFrame({"s": ["a"]}), TypeError, r"X is a data frame; pass its column of strings, such as X\["),
        ([], ValueError, "X is empty: at least one string is needed"),
        ({"a", "b"}, TypeError, "X is set; expected a list, tuple or array of strings"),
        ((word for word in WORDS), TypeError, "X is generator"),
        (None, TypeError, "X is NoneType"),
    ],
)  # fmt: skip
def test_what_are_not_strings_is_said(points, error, said):
    for call in (
        Spectrum(2),
        Spectrum(2).diag,
        Spectrum(2).counts,
        Gapped(2),
        lambda X: KernelRidge(Spectrum(2)).fit(X, [1.0]),
    ):
        refused(said, call, points, error=error)
    if points is not None:  # kernel(X, None) is kernel(X)
        refused(re.sub(r"\bX\b", "Z", said), Spectrum(2), ["a"], points, error=error)


def test_parameters_that_make_no_sense_are_refused():
    refused("k must be at least 1, got 0", Spectrum, 0)
    refused("k must be an integer, got float 2.0", Spectrum, 2.0, error=TypeError)
    refused("k must be an integer", Spectrum, "ab", error=TypeError)
    refused("k must be an integer", Spectrum, True, error=TypeError)
    refused("gaps must be smaller than k = 3, got 3; with k gaps every k-mer", Gapped, 3, gaps=3)
    refused("gaps must be at least 0, got -1", Gapped, 3, gaps=-1)
    refused("k must be at least 1", Gapped, 0)
    refused("m must be smaller than k = 2, got 2; with m = k every", Mismatch, 2, m=2, alphabet="ab")
    refused("m must be an integer", Mismatch, 2, error=TypeError, m=0.5, alphabet="ab")
    refused("alphabet must contain each letter once, got 'aba'", Mismatch, 2, m=1, alphabet="aba")
    refused("alphabet must contain each letter once", Mismatch, 2, m=1, alphabet="")
    refused("alphabet must be a string such as 'ACGT', or .*, got 4", Mismatch, 2, error=TypeError, m=1, alphabet=4)
    refused("alphabet must be a string", Mismatch, 2, error=TypeError, m=1, alphabet=("a", 1))
    refused(r"X\[1\] has the letter 'N', .* = 'ACGT'", Mismatch(2, alphabet="ACGT"), ["ACG", "ACN"])
    refused("alphabet", Mismatch, 2, error=TypeError)
    refused(r"Z\[0\] has the letter 'a'", Mismatch(2, alphabet="ACGT"), ["ACG"], ["acg"])


def test_kernels_are_frozen_values():
    assert (
        Spectrum(3) == Spectrum(k=np.int64(3)) and hash(Spectrum(3)) == hash(Spectrum(3)) and Spectrum(3) != Spectrum(2)
    )
    assert Spectrum() == Spectrum(3) and type(Spectrum(np.int64(3)).k) is int
    assert repr(Gapped(4, gaps=2)) == "Gapped(k=4, gaps=2)"
    assert repr(Mismatch(2, alphabet="ab")) == "Mismatch(k=2, m=1, alphabet='ab')"
    assert Gapped(4, gaps=2).with_params(k=5) == Gapped(5, gaps=2) and Spectrum(2).get_params() == {"k": 2}
    with pytest.raises(AttributeError):
        Spectrum(3).k = 4


def test_fit_and_predict_on_strings():
    train, y = ["banana", "ananas", "bandana", "nab", "sand"], np.array([5.0, 5.0, 5.0, 1.0, 1.5])
    kernel = Spectrum(2) + Spectrum(1)
    model = KernelRidge(kernel, lam=0.5).fit(train, y)
    np.testing.assert_allclose(model.dual_coef_, np.linalg.solve(kernel(train) + 0.5 * np.eye(5), y), rtol=1e-12)
    np.testing.assert_allclose(model.predict(["ban", "zzz", ""]), kernel(["ban", "zzz", ""], train) @ model.dual_coef_)
    assert model.predict(["zzz"]).item() == 0 and model.n_features_in_ is None
    train[0] = "changed"
    assert model.X_fit_[0] == "banana"
    refused("X is one string", model.predict, "ban", error=TypeError)
    grid = GridSearchCV(KernelRidge(Spectrum(1)), {"kernel__k": [1, 2], "lam": [0.1, 1.0]}, cv=2).fit(
        WORDS, np.arange(6.0)
    )
    assert grid.best_params_["kernel__k"] in (1, 2)


def test_peptides_end_to_end():
    X, y = load_peptides(return_X_y=True)
    keep = np.random.default_rng(0).permutation(len(X))[:120]
    strings, y = np.array(X, dtype=object)[keep], y[keep]
    train, test = slice(0, 80), slice(80, 120)
    lengths = np.array([len(string) for string in strings[test]])
    assert max(np.mean((lengths < c) == (y[test] == label)) for c in range(60) for label in (0, 1)) < 0.8
    for kernel in (
        Spectrum(1),
        *(Normalized(k) for k in (Spectrum(1), Spectrum(2), Gapped(3), Mismatch(2, alphabet=AMINO_ACIDS))),
    ):
        model = KernelRidge(kernel + Constant(1.0), lam=0.1).fit(strings[train], 2.0 * y[train] - 1)
        assert np.mean((model.predict(strings[test]) > 0) == y[test]) >= 0.85, kernel
    K = Normalized(Spectrum(2))(strings)
    machine = SVC(kernel="precomputed", C=10).fit(K[train, train], y[train])
    assert machine.score(K[test, train], y[test]) >= 0.85
