"""What holds of string kernels, whatever the strings. Their definitions are in the table of kernels."""

from collections import Counter

import numpy as np
from hypothesis import strategies as st

from kcourse.strings import Gapped, Mismatch, Spectrum
from tests.kernels import KERNELS, LETTERS, STRINGS, kmers, matrix
from tests.laws.law import laws

law = laws(50)

strings = st.text(LETTERS, max_size=12)
unicode_strings = st.text(max_size=8)
lists = st.lists(strings, min_size=1, max_size=5)
ks = st.integers(1, 4)
kernels = st.one_of([row.drawn for row in KERNELS.values() if row.takes is STRINGS])


@law(st.lists(strings | unicode_strings, min_size=1, max_size=4), st.lists(strings, min_size=1, max_size=3), ks)
def test_the_spectrum_kernel_counts_what_dictionaries_do_in_any_alphabet(X, Z, k):
    np.testing.assert_array_equal(Spectrum(k)(X, Z), matrix(Spectrum(k), X, Z))
    counts, words = Spectrum(k).counts(X)
    assert [dict(zip(words, row, strict=True)) for row in counts.toarray()] == [
        {word: Counter(kmers(x, k))[word] for word in words} for x in X
    ]
    assert words == sorted({word for x in X for word in kmers(x, k)})


@law(lists, kernels, st.permutations(LETTERS))
def test_renaming_the_letters_changes_nothing(X, kernel, names):
    table = str.maketrans(LETTERS, "".join(names))
    np.testing.assert_array_equal(kernel([x.translate(table) for x in X]), kernel(X))
    if not isinstance(kernel, Mismatch):  # which has its alphabet
        wide = str.maketrans(LETTERS, "\U0001f642Ωz")
        np.testing.assert_array_equal(kernel([x.translate(wide) for x in X]), kernel(X))


@law(lists, kernels)
def test_reading_backwards_changes_nothing(X, kernel):
    np.testing.assert_array_equal(kernel([x[::-1] for x in X]), kernel(X))


@law(strings, strings, lists, kernels)
def test_writing_two_strings_in_one_never_loses_a_kmer(x, y, Z, kernel):
    joined, apart = kernel([x + y], Z), kernel([x], Z) + kernel([y], Z)
    assert np.all(joined >= apart)  # k - 1 new k-mers stand across the seam
    if kernel.k == 1:
        np.testing.assert_array_equal(joined, apart)


@law(strings, strings, ks)
def test_at_most_k_minus_1_kmers_stand_across_the_seam(x, y, k):
    def total(string):
        return Spectrum(k).counts([string])[0].sum()

    assert 0 <= total(x + y) - total(x) - total(y) <= k - 1


@law(lists, ks, st.data())
def test_the_ends_of_the_families_are_the_spectrum_kernel(X, k, data):
    np.testing.assert_array_equal(Gapped(k, 0)(X), Spectrum(k)(X))
    np.testing.assert_array_equal(Mismatch(k, 0, alphabet=LETTERS)(X), Spectrum(k)(X))
    # more gaps, or more mismatches, match more
    g = data.draw(st.integers(0, k - 1))
    assert np.all(Gapped(k, g)(X) >= Spectrum(k)(X)) and np.all(Mismatch(k, g, alphabet=LETTERS)(X) >= Spectrum(k)(X))


@law(lists, ks)
def test_a_longer_kmer_is_a_common_shorter_one(X, k):
    # two equal (k+1)-mers begin with two equal k-mers, and no two of them with the same two
    assert np.all(Spectrum(k + 1)(X) <= Spectrum(k)(X))


@law(st.lists(st.lists(st.sampled_from(["to", "be", "or", "not"]), max_size=6).map(tuple), min_size=1, max_size=4), ks)
def test_words_count_as_letters_do(texts, k):
    letter = {"to": "a", "be": "b", "or": "c", "not": "d"}
    as_strings = ["".join(letter[word] for word in text) for text in texts]
    np.testing.assert_array_equal(Spectrum(k)(texts), Spectrum(k)(as_strings))
    np.testing.assert_array_equal(
        Mismatch(k, k - 1, alphabet=tuple(letter))(texts), Mismatch(k, k - 1, alphabet="abcd")(as_strings)
    )
