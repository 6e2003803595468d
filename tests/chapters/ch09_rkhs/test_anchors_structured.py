"""Anchors of chapter 9, strings and graphs, computed through kcourse.

The curriculum's numbers, written down before kcourse could compute them: of its derivation, of exercises 9.3 to 9.5,
what goes wrong in them, and its errata, digit for digit.
"""

from __future__ import annotations

import numpy as np
import pytest

from kcourse.graphs import Graph, WeisfeilerLehman, alkanes, wiener_index
from kcourse.kernels import Normalized
from kcourse.strings import Spectrum

HUMAN = "FVNQHLCGSHLVEALYLVCGERGFFYTPKT"
PIG = "FVNQHLCGSHLVEALYLVCGERGFFYTPKA"
PRINTED = "FVNQHLCGSHLVEALYLVCGERGFFFYTPKA"  # in source 001


def ring(n, first=0):
    return [(first + i, first + (i + 1) % n) for i in range(n)]


P3, P4 = Graph.from_edges([(0, 1), (1, 2)]), Graph.from_edges([(0, 1), (1, 2), (2, 3)])
C3, C6 = Graph.from_edges(ring(3)), Graph.from_edges(ring(6))
S4 = Graph.from_edges([(0, 1), (0, 2), (0, 3)])


# ---------------------------------------------------------------- anchors


def test_two_words():
    K = Spectrum(2)(["banana", "ananas"])
    assert K.tolist() == [[9, 8], [8, 9]]
    assert Normalized(Spectrum(2))(["banana"], ["ananas"]).item() == pytest.approx(8 / 9, rel=1e-15)


def test_insulin_of_pigs_and_humans():
    assert Spectrum(3)([PIG], [HUMAN]).item() == 27
    assert Normalized(Spectrum(3))([PIG], [HUMAN]).item() == pytest.approx(27 / 28, rel=1e-15)
    assert round(27 / 28, 6) == 0.964286


@pytest.mark.parametrize(("one", "other", "values"), [(P3, C3, [9, 12, 12]), (P4, S4, [16, 22, 22])])
def test_weisfeiler_and_lehman_on_small_graphs(one, other, values):
    assert [WeisfeilerLehman(h)([one], [other]).item() for h in (0, 1, 2)] == values


def test_wiener_indices_of_the_alkanes_of_4_to_6_carbon_atoms():
    indices = [wiener_index(molecule) for molecule in alkanes(6, n_min=4)]
    assert indices == [10, 9, 20, 18, 16, 35, 32, 31, 29, 28]


# ---------------------------------------------------------------- errata


def test_the_printed_insulin_has_one_letter_too_many():  # E24
    assert len(PRINTED) == 31 and len(PIG) == len(HUMAN) == 30
    for i in (23, 24, 25):
        assert PRINTED[:i] + PRINTED[i + 1 :] == PIG
    assert Spectrum(3).diag([PRINTED, PIG]).tolist() == [29, 28]


def test_the_spectrum_kernel_is_an_inner_product_of_counts():  # E80
    strings = [PRINTED, PIG, HUMAN, "banana"]
    N = Spectrum(3).features(strings)
    np.testing.assert_array_equal(N @ N.T, Spectrum(3)(strings))


def test_bag_of_words_and_the_spectrum_inside_words_are_two_kernels():  # E81
    mails = ["buy now buy cheap", "now buy", "cheaply"]
    words = [tuple(mail.split()) for mail in mails]
    assert Spectrum(1)(words).tolist() == [[6, 3, 0], [3, 2, 0], [0, 0, 1]]
    assert Spectrum(3)(mails)[0, 2] > 0  # "cheap" and "cheaply" share pieces, not words


# ---------------------------------------------------------------- misconceptions, with the number that refutes each


def test_the_memory_needed_is_not_20_to_the_k():
    counts, kmers = Spectrum(3).counts([PIG])
    assert counts.shape == (1, 28) and len(kmers) == 28 and 20**3 == 8000


def test_str_count_leaves_overlaps_out():
    assert Spectrum(2)(["aaaa"], ["aaa"]).item() == 6
    assert "aaaa".count("aa") * "aaa".count("aa") == 2


def test_weisfeiler_and_lehman_do_not_tell_all_graphs_apart():
    two_rings = Graph.from_edges(ring(3) + ring(3, first=3))
    assert WeisfeilerLehman(3)([C6, two_rings]).tolist() == [[144, 144], [144, 144]]


# the graphs of exercise 9.5
