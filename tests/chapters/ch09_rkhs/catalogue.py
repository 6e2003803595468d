"""The curriculum's numbers for the exercises of chapter 9, on its canonical inputs.

SLOW: exercises whose answers take long, and are drawn fewer seeds.
"""

from __future__ import annotations

import numpy as np

SLOW: tuple[str, ...] = ("spectrum_cv",)

STRINGS = ["abab", "baba", "cdcd", "dcdc", "abba", "cddc"]
CANONICAL = {
    "rkhs_inner": (np.array([1.0, -2.0]), np.array([0.3, 0.8]), np.array([0.5]), np.array([0.4])),
    "min_norm_interpolant": (
        np.array([0.2, 0.5, 0.9]), np.array([0.4, 0.1, 0.3]), np.array([0.1, 0.35, 0.7, 1.0]),
    ),
    "spectrum_kernel": ("banana", "ananas", 2),
    "cosine_normalize": (np.array([[9.0, 8, 0], [8, 9, 1], [0, 1, 4]]),),
    "wl_kernel": (
        ([(0, 1), (1, 2), (2, 0), (2, 3)], "CCCN"), ([(0, 1), (1, 2), (1, 3), (3, 4)], "CCNCC"), 2,
    ),
    "spectrum_cv": (STRINGS, np.array([1.0, 1, -1, -1, 1, -1]), np.array([0, 1, 0, 1, 0, 1]), 2, 0.1),
}  # fmt: skip
# exercise, line of the catalogue, our name for it ("" for the right answer), and its number
K = CANONICAL["cosine_normalize"][0]
CATALOGUE = [
    ("rkhs_inner", "right", "", -0.25),
    ("rkhs_inner", "max", "max for min", -0.6),
    ("rkhs_inner", "product x z", "product for min", -0.26),
    ("rkhs_inner", "L2 inner product of the functions", "areas under products", -0.135583),
    ("rkhs_inner", "coefficients only", "coefficients alone", -0.5),
    ("min_norm_interpolant", "right", "", [0.2, 0.25, 0.2, 0.3]),
    ("min_norm_interpolant", "linear extrapolation after x_n", "goes on straight", [0.2, 0.25, 0.2, 0.35]),
    ("min_norm_interpolant", "constant before x_1 (f(0)!=0)", "constant before the first point", [0.4, 0.25, 0.2, 0.3]),
    ("min_norm_interpolant", "1-max(x,y) kernel (f(1)=0)", "fastened at 1", [0.4, 0.25, 0.2, 0.0]),
    ("spectrum_kernel", "right", "", 8),
    ("spectrum_kernel", "set of common k-mers", "each k-mer once", 2),
    ("spectrum_kernel", "min of counts (intersection)", "the smaller of the counts", 4),
    ("spectrum_kernel", "str.count (no overlaps)", "str.count", 8),
    ("spectrum_kernel", "range(len-k): last k-mer lost", "last k-mer lost", 6),
    ("spectrum_kernel", "all lengths <= k summed", "also shorter k-mers", 21),
    ("cosine_normalize", "right", "", K / np.outer([3, 3, 2], [3, 3, 2])),
    ("cosine_normalize", "divide by the max", "divided by the largest", K / 9),
    ("cosine_normalize", "divide by the trace", "divided by the trace", K / 22),
    ("cosine_normalize", "divide by K_ii (rows)", "rows alone", K / [[9], [9], [4]]),
    ("cosine_normalize", "no square root", "no square root", K / np.outer([9, 9, 4], [9, 9, 4])),
    ("wl_kernel", "right", "", 18),
    ("wl_kernel", "sets, not multisets of neighbours", "sets of neighbours", 25),
    ("wl_kernel", "last iteration only", "last round alone", 1),
    ("wl_kernel", "own label left out", "own colour left out", 21),
    ("wl_kernel", "a label table per graph", "a table for each graph", 23),
    ("wl_kernel", "h-1 iterations", "one round too few", 17),
    ("spectrum_cv", "right", "", 1.0),
]  # fmt: skip
