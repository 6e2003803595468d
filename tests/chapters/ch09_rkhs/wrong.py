"""Wrong answers to chapter 9 that are not typed elsewhere.

``@wrong(exercise, name)`` expects that misconception to be named, ``@wrong(exercise)`` none.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from tests.chapters.ch09_rkhs.typed import min_norm_interpolant, spectrum_cv, spectrum_kernel, wl_kernel
from tests.chapters.student_answers import changed
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


@wrong("rkhs_inner")
def by_midpoints(alpha, X, beta, Z):
    t = (np.arange(200) + 0.5) / 200
    return np.mean((alpha @ (t <= X[:, None])) * (beta @ (t <= Z[:, None])))


wrong("min_norm_interpolant", "constant before the first point")(
    lambda x, y, xq: np.interp(xq, np.sort(x), y[np.argsort(x)])
)
wrong("min_norm_interpolant", "nearest point")(lambda x, y, xq: [y[np.argmin(np.abs(x - q))] for q in xq])
wrong("min_norm_interpolant", "np.interp as it is")(lambda x, y, xq: np.interp(xq, x, y))
wrong("min_norm_interpolant")(changed(min_norm_interpolant, "solve(K", "solve(K + 1e-3 * np.eye(len(x))"))

lost = changed(spectrum_kernel, "len(s) - k + 1", "len(s) - k", "len(t) - k + 1", "len(t) - k")
tails = changed(spectrum_kernel, "len(s) - k + 1", "len(s)", "len(t) - k + 1", "len(t)")
wrong("spectrum_kernel", "last piece lost")(lost)
wrong("spectrum_kernel", "tails for pieces")(tails)
wrong("spectrum_kernel")(lambda s, t, k: len(set(s) & set(t)))


@wrong("cosine_normalize", "rows alone")
def by_rows(K):
    d = np.diag(K)
    return np.where(np.outer(d, d) > 0, K / np.where(d > 0, d, 1)[:, None], 0)


wrong("cosine_normalize")(lambda K: K / K.mean())

wrong("wl_kernel", "last round alone")(lambda G, H, h: wl_kernel(G, H, h) - (wl_kernel(G, H, h - 1) if h else 0))
wrong("wl_kernel", "own colour in the bag")(changed(wl_kernel, "(c, *bag)", "tuple(sorted([c, *bag]))"))


@wrong("wl_kernel")
def degrees_alone(G, H, h):
    N, M = (Counter(np.bincount(np.ravel(edges), minlength=len(names)).tolist()) for edges, names in (G, H))
    return sum(n * M[d] for d, n in N.items())


wrong("spectrum_cv", "nλ for λ")(changed(spectrum_cv, "lam * np", "len(A) * lam * np"))
wrong("spectrum_cv")(lambda strings, y, fold, k, lam: spectrum_cv(strings, y, fold, k, 0.5))
