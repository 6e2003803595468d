"""Wrong answers to chapter 9 that are not in the catalogue, as students might write them, and what they must be told.

``@wrong(exercise, name)`` expects that misconception to be named ("a + b": two slips at once), ``@wrong(exercise,
says=…)`` no misconception, and a sentence that contains the text. Where it contains none, any will do.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from tests.chapters.ch09_rkhs.alternatives import (
    _cosines,
    as_a_polygon,
    by_scaling,
    by_values_of_f,
    with_masks,
    with_nested_tuples,
    with_two_loops,
)
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


@wrong("rkhs_inner", says="returned shape")
def each_value(alpha, X, beta, Z):
    return np.minimum(X[:, None], Z[None, :]) @ beta


@wrong("rkhs_inner", says="minus the right answer")
def with_the_other_sign(alpha, X, beta, Z):
    return -with_two_loops(alpha, X, beta, Z)


@wrong("rkhs_inner", says="squared norm came out negative")
def of_differences(alpha, X, beta, Z):
    return -0.5 * alpha @ np.abs(X[:, None] - Z[None, :]) @ beta - np.sum(np.abs(alpha)) * np.sum(np.abs(beta))


@wrong("rkhs_inner")
def distance_of_the_two(alpha, X, beta, Z):
    two = with_two_loops
    return two(alpha, X, alpha, X) - 2 * two(alpha, X, beta, Z) + two(beta, Z, beta, Z)


@wrong("rkhs_inner", says="2 times the right answer")
def both_ways(alpha, X, beta, Z):
    return 2 * by_values_of_f(alpha, X, beta, Z)


@wrong("rkhs_inner", says="integral over a grid")
def by_midpoints(alpha, X, beta, Z):
    t = (np.arange(200) + 0.5) / 200
    return np.mean((alpha @ (t <= X[:, None])) * (beta @ (t <= Z[:, None])))


@wrong("min_norm_interpolant", "constant before the first point")
def np_interp(x, y, xq):
    order = np.argsort(x)
    return np.interp(xq, x[order], y[order])


@wrong("min_norm_interpolant", says="returned shape")
def coefficients(x, y, xq):
    return np.linalg.solve(np.minimum(x[:, None], x), y)[:2]


@wrong("min_norm_interpolant", says="f does not meet the data")
def ridge_in_between(x, y, xq):
    return np.minimum(xq[:, None], x) @ np.linalg.solve(np.minimum(x[:, None], x) + 0.5 * np.eye(len(x)), y)


@wrong("min_norm_interpolant", says="f does not meet the data")
def with_a_jitter(x, y, xq):
    return np.minimum(xq[:, None], x) @ np.linalg.solve(np.minimum(x[:, None], x) + 1e-3 * np.eye(len(x)), y)


@wrong("min_norm_interpolant", "nearest point")
def staircase(x, y, xq):
    return [y[np.argmin(np.abs(x - q))] for q in xq]


@wrong("min_norm_interpolant", says="minus the right answer")
def upside_down(x, y, xq):
    return -as_a_polygon(x, y, xq)


@wrong("spectrum_kernel", "last piece lost")
def one_too_few(s, t, k):
    return sum(s[i : i + k] == t[j : j + k] for i in range(len(s) - k) for j in range(len(t) - k))


@wrong("spectrum_kernel", says="only for strings of a thousand letters")
def a_table_of_all_pairs(s, t, k):
    def pieces(text):
        return [text[i : i + k] for i in range(max(0, len(text) - k + 1))]

    a, b = np.array(pieces(s), dtype=object), np.array(pieces(t), dtype=object)
    return int((a[:, None] == b[None, :]).sum()) if len(a) and len(b) else 0


@wrong("spectrum_kernel")
def letters_in_common(s, t, k):
    return len(set(s) & set(t))


@wrong("spectrum_kernel", "tails for pieces")
def with_their_shorter_rests(s, t, k):
    """range(len(s)) without asking for the length of what is cut."""
    N, M = (Counter(text[i : i + k] for i in range(len(text))) for text in (s, t))
    return sum(n * M[u] for u, n in N.items())


@wrong("spectrum_kernel", says="returned a list")
def the_pieces_themselves(s, t, k):
    return [s[i : i + k] for i in range(len(s) - k + 1) if s[i : i + k] in t] or ["none"]


@wrong("cosine_normalize", "rows alone")
def by_rows(K):
    d = np.diag(K)
    return np.where(np.outer(d, d) > 0, K / np.where(d > 0, d, 1)[:, None], 0)


@wrong("cosine_normalize")
def to_mean_one(K):
    return K / K.mean()


@wrong("cosine_normalize")
def centred(K):
    return K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()


@wrong("cosine_normalize", says="returned shape")
def diagonal_alone(K):
    return np.diag(by_scaling(K))


@wrong("wl_kernel", "last round alone")
def at_the_end(G, H, h):
    return with_nested_tuples(G, H, h) - (with_nested_tuples(G, H, h - 1) if h else 0)


@wrong("wl_kernel")
def degrees_alone(G, H, h):
    def degrees(graph):
        return Counter(np.bincount(np.ravel(graph[0]), minlength=len(graph[1])).tolist())

    N, M = degrees(G), degrees(H)
    return sum(n * M[d] for d, n in N.items())


@wrong("wl_kernel", says="returned shape")
def round_by_round(G, H, h):
    return [with_nested_tuples(G, H, t) for t in range(h + 2)]


@wrong("spectrum_cv", says="returned shape")
def right_or_wrong(strings, y, fold, k, lam):
    return np.ones(len(y))


@wrong("spectrum_cv")
def always_the_first_class(strings, y, fold, k, lam):
    return np.mean(y > 0)


@wrong("min_norm_interpolant", "np.interp as it is")
def np_interp_unsorted(x, y, xq):
    return np.interp(xq, x, y)


@wrong("spectrum_kernel", "tails for pieces")
def to_the_last_letter(s, t, k):
    return sum(s[i : i + k] == t[j : j + k] for i in range(len(s)) for j in range(len(t)))


@wrong("wl_kernel", "own colour in the bag")
def one_bag(G, H, h):
    state = [([*g[1]], g[0]) for g in (G, H)]
    total = 0
    for _ in range(h + 1):
        total += sum(a == b for a in state[0][0] for b in state[1][0])
        state = [
            (
                [
                    str(sorted([c[i], *(c[v] for u, v in e if u == i), *(c[u] for u, v in e if v == i)]))
                    for i in range(len(c))
                ],
                e,
            )
            for c, e in state
        ]
    return total


@wrong("spectrum_cv", "nλ for λ")
def ridge_of_the_mean(strings, y, fold, k, lam):
    K, right = _cosines(strings, k), np.zeros(len(y))
    for name in np.unique(fold):
        new, old = fold == name, fold != name
        alpha = np.linalg.solve(K[np.ix_(old, old)] + lam * old.sum() * np.eye(old.sum()), y[old])
        right[new] = np.where(K[np.ix_(new, old)] @ alpha > 0, 1, -1) == y[new]
    return right.mean()


@wrong("spectrum_cv")
def half_for_lam(strings, y, fold, k, lam):
    return with_masks(strings, y, fold, k, 0.5)
