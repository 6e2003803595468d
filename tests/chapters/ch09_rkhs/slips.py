"""Wrong answers to chapter 9 for what its specs know: slips that can only fail, and each property failed alone."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch09_rkhs.alternatives import with_a_table, with_features, with_nested_tuples, with_two_loops

RAISING: dict[str, tuple] = {}


def each_pair_once(alpha, X, beta, Z):
    """As if a point met itself only in another function."""
    same = X.shape == Z.shape and np.all(X == Z)
    return with_two_loops(alpha, X, beta, Z) - (np.sum(alpha * beta * X) if same else 0)


def interpolated_as_it_comes(x, y, xq):
    return np.interp(xq, np.append(0, x), np.append(0, y))


def level_at_the_start(x, y, xq):
    order = np.argsort(x)
    return np.interp(xq, x[order], y[order], left=y.mean())


def whatever_is_left(s, t, k):
    """A string that is too short is a piece itself."""

    def pieces(text):
        return [text[i : i + k] for i in range(max(1, len(text) - k + 1))]

    short = len(s) < k or len(t) < k
    return sum(u == v for u in pieces(s) for v in pieces(t)) + 1.0 * short


def all_pairs_at_once(s, t, k):
    a, b = (np.array([text[i : i + k] for i in range(len(text) - k + 1)], dtype=object) for text in (s, t))
    return int((a[:, None] == b).sum()) if len(a) and len(b) else with_a_table(s, t, k)


def with_nan(K):
    d = np.sqrt(np.diag(K))
    with np.errstate(all="ignore"):
        return K / np.outer(d, d)


def always_one_round(G, H, h):
    return with_nested_tuples(G, H, max(h, 1))


def folds_by_number(strings, y, fold, k, lam):
    names = np.arange(len(np.unique(fold)))
    if not np.isin(fold, names).all():
        return 0.0
    return with_features(strings, y, fold, k, lam)


ONLY = {
    ("rkhs_inner", 1): each_pair_once,
    ("min_norm_interpolant", 1): level_at_the_start,
    ("min_norm_interpolant", 2): interpolated_as_it_comes,
    ("spectrum_kernel", 1): whatever_is_left,
    ("spectrum_kernel", 2): all_pairs_at_once,
    ("cosine_normalize", 1): with_nan,
    ("wl_kernel", 1): always_one_round,
    ("spectrum_cv", 1): folds_by_number,
}
