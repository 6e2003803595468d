"""Kernels of strings: growth with the letters and the strings."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.harness import Growth
from kcourse.strings import Gapped, Mismatch, Spectrum

LETTERS = "ACDEFGHIKLMNPQRSTVWY"


def strings(n, length=300, letters=LETTERS):
    rng = np.random.default_rng(0)
    return ["".join(rng.choice(list(letters), length)) for _ in range(n)]


def rows():
    yield Growth("Spectrum(3), 300 letters", (250, 500, 1000, 2000), strings, Spectrum(3), expected="n²", runs=3)
    for name, kernel in (("Gapped(5, 2)", Gapped(5, gaps=2)), ("Mismatch(5, 1)", Mismatch(5, m=1, alphabet=LETTERS))):
        yield Growth(f"{name}, 200 letters", (50, 100, 200), partial(strings, length=200), kernel, "n to n²", runs=3)
    yield Growth(
        "Spectrum(12), 20 strings of n letters", (2000, 8000, 32000), partial(strings, 20), Spectrum(12),
        expected="n, or n log n to sort", runs=3,
    )  # fmt: skip
