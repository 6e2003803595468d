"""Kernels of strings: all pairs of a set, against dictionaries; growth with the letters and the strings."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import combinations

import numpy as np

from benchmarks.harness import Growth, Row
from kcourse.strings import Gapped, Mismatch, Spectrum

LETTERS = "ACDEFGHIKLMNPQRSTVWY"


def strings(n, length=300, letters=LETTERS):
    rng = np.random.default_rng(0)
    return ["".join(rng.choice(list(letters), length)) for _ in range(n)]


def inner(counters):
    """All pairs, each once, from dictionaries of counts."""
    K = np.empty((len(counters), len(counters)))
    for i, own in enumerate(counters):
        for j, other in enumerate(counters[: i + 1]):
            K[i, j] = K[j, i] = sum(count * other[s] for s, count in own.items() if s in other)
    return K


def spectrum_by_dictionaries(X, k):
    return inner([Counter(x[i : i + k] for i in range(len(x) - k + 1)) for x in X])


def gapped_by_dictionaries(X, k, gaps):
    kept = list(combinations(range(k), k - gaps))
    return inner(
        [Counter((S, *(x[i + p] for p in S)) for S in kept for i in range(len(x) - k + 1)) for x in X]
    )  # fmt: skip


def mismatch_by_dictionaries(X, k, letters):
    """One mismatch: each k-mer is counted for itself and for all its neighbours."""
    near = {}

    def neighbours(u):
        if u not in near:
            near[u] = [u, *(u[:p] + a + u[p + 1 :] for p in range(k) for a in letters if a != u[p])]
        return near[u]

    return inner([Counter(s for i in range(len(x) - k + 1) for s in neighbours(x[i : i + k])) for x in X])


def rows():
    for k in (1, 3, 6):
        yield Row(
            f"Spectrum({k}), 500 strings of 300 letters", "dictionaries", 0.012 if k > 1 else 0.02,
            Spectrum(k), partial(spectrum_by_dictionaries, k=k), setup=lambda: strings(500), runs=3,
        )  # fmt: skip
    yield Row(
        "Gapped(5, 2), 60 strings of 200 letters", "dictionaries", 0.06,
        Gapped(5, gaps=2), partial(gapped_by_dictionaries, k=5, gaps=2), setup=lambda: strings(60, 200), runs=3,
    )  # fmt: skip
    yield Row(
        "Mismatch(5, 1), 4 letters, 60 strings of 200 letters", "dictionaries", 0.06,
        Mismatch(5, m=1, letters="ACGT"), partial(mismatch_by_dictionaries, k=5, letters="ACGT"),
        setup=lambda: strings(60, 200, "ACGT"), runs=3,
    )  # fmt: skip
    yield Growth("Spectrum(3), 300 letters", (250, 500, 1000, 2000), strings, Spectrum(3), expected="n²", runs=3)
    yield Growth(
        "Spectrum(12), 20 strings of n letters", (2000, 8000, 32000), partial(strings, 20), Spectrum(12),
        expected="n, or n log n to sort", runs=3,
    )  # fmt: skip
