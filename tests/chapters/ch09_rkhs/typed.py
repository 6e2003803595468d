"""Each named slip of chapter 9 as a student would type it."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import numpy as np
from scipy.integrate import trapezoid
from scipy.interpolate import interp1d

from tests.chapters.ch09_rkhs.alternatives import with_nested_tuples
from tests.chapters.typed import Typed, typist

TYPED: Typed = {}
typed = typist(TYPED)


# -- 9.1


@typed("rkhs_inner", "max for min")
def _(alpha, X, beta, Z):
    return alpha @ np.maximum(X[:, None], Z) @ beta


@typed("rkhs_inner", "product for min")
def _(alpha, X, beta, Z):
    return sum(a * b * x * z for a, x in zip(alpha, X, strict=True) for b, z in zip(beta, Z, strict=True))


@typed("rkhs_inner", "areas under products")
def _(alpha, X, beta, Z):
    u = np.linspace(0, 1, 10001)
    f = alpha @ np.minimum(X[:, None], u)
    g = beta @ np.minimum(Z[:, None], u)
    return trapezoid(f * g, u)


def steps(alpha, X, beta, Z):
    """Rises of f and of g between all points, and the widths."""
    at = np.concatenate([[0], np.union1d(X, Z)])
    return np.diff(alpha @ np.minimum.outer(X, at)), np.diff(beta @ np.minimum.outer(Z, at)), np.diff(at)


@typed("rkhs_inner", "no widths")
def _(alpha, X, beta, Z):
    df, dg, dx = steps(alpha, X, beta, Z)
    return np.sum((df / dx) * (dg / dx))


@typed("rkhs_inner", "rises for slopes")
def _(alpha, X, beta, Z):
    df, dg, _ = steps(alpha, X, beta, Z)
    return df @ dg


@typed("rkhs_inner", "coefficients alone")
def _(alpha, X, beta, Z):
    return np.sum(np.outer(alpha, beta))


@typed("rkhs_inner", "β left out")
def _(alpha, X, beta, Z):
    return sum(alpha @ np.minimum(X, z) for z in Z)


@typed("rkhs_inner", "α left out")
def _(alpha, X, beta, Z):
    return sum(beta @ np.minimum(x, Z) for x in X)


@typed("rkhs_inner", "distance for the kernel")
def _(alpha, X, beta, Z):
    return alpha @ np.abs(X[:, None] - Z) @ beta


@typed("rkhs_inner", "fastened at 1")
def _(alpha, X, beta, Z):
    return alpha @ (1 - np.maximum(X[:, None], Z)) @ beta


@typed("rkhs_inner", "normalised")
def _(alpha, X, beta, Z):
    def inner(a, x, b, z):
        return a @ np.minimum.outer(x, z) @ b

    return inner(alpha, X, beta, Z) / np.sqrt(inner(alpha, X, alpha, X) * inner(beta, Z, beta, Z))


# -- 9.2


def in_order(x, y):
    """The points from left to right, with (0, 0) before them."""
    i = np.argsort(x)
    return np.append(0, x[i]), np.append(0, y[i])


def least_norm(x, y, xq):
    """The right one."""
    return np.interp(xq, *in_order(x, y))


@typed("min_norm_interpolant", "goes on straight")
def _(x, y, xq):
    return interp1d(*in_order(x, y), fill_value="extrapolate")(xq)


@typed("min_norm_interpolant", "max for min")
def _(x, y, xq):
    alpha = np.linalg.solve(np.maximum(x[:, None], x), y)
    return np.maximum(xq[:, None], x) @ alpha


@typed("min_norm_interpolant", "Gaussian kernel")
def _(x, y, xq):
    alpha = np.linalg.solve(np.exp(-((x[:, None] - x) ** 2) / 2), y)
    return np.exp(-((xq[:, None] - x) ** 2) / 2) @ alpha


@typed("min_norm_interpolant", "fastened at 1")
def _(x, y, xq):
    alpha = np.linalg.solve(1 - np.maximum(x[:, None], x), y)
    return (1 - np.maximum(xq[:, None], x)) @ alpha


@typed("min_norm_interpolant", "down to 0 at 1")
def _(x, y, xq):
    order = np.argsort(x)
    return np.interp(xq, [0, *x[order], 1], [0, *y[order], 0])


@typed("min_norm_interpolant", "0 after the last point")
def _(x, y, xq):
    return np.interp(xq, *in_order(x, y), right=0)


@typed("min_norm_interpolant", "0 before the first point")
def _(x, y, xq):
    return np.where(xq < x.min(), 0, least_norm(x, y, xq))


@typed("min_norm_interpolant", "straight on at both ends")
def _(x, y, xq):
    return interp1d(x, y, fill_value="extrapolate")(xq)


@typed("min_norm_interpolant", "y for α")
def _(x, y, xq):
    return np.minimum(xq[:, None], x) @ y


@typed("min_norm_interpolant", "divided by the diagonal")
def _(x, y, xq):
    K = np.minimum(x[:, None], x)
    return np.minimum(xq[:, None], x) @ (y / np.diag(K))


# -- 9.3


def pieces(s, k):
    return [s[i : i + k] for i in range(len(s) - k + 1)]


def spectrum(s, t, k):
    """The right one."""
    return sum(a == b for a in pieces(s, k) for b in pieces(t, k))


@typed("spectrum_kernel", "each piece once")
def _(s, t, k):
    return len(set(pieces(s, k)) & set(pieces(t, k)))


@typed("spectrum_kernel", "the smaller of the counts")
def _(s, t, k):
    N, M = Counter(pieces(s, k)), Counter(pieces(t, k))
    return sum(min(N[u], M[u]) for u in N)


@typed("spectrum_kernel", "the larger of the counts")
def _(s, t, k):
    N, M = Counter(pieces(s, k)), Counter(pieces(t, k))
    return sum(max(N[u], M[u]) for u in N if u in M)


@typed("spectrum_kernel", "str.count")
def _(s, t, k):
    return sum(s.count(u) * t.count(u) for u in set(pieces(s, k)))


@typed("spectrum_kernel", "normalised")
def _(s, t, k):
    norms = sqrt(spectrum(s, s, k) * spectrum(t, t, k))
    return spectrum(s, t, k) / norms if norms else 0


@typed("spectrum_kernel", "shorter pieces, too")
def _(s, t, k):
    return sum(spectrum(s, t, length) for length in range(1, k + 1))


@typed("spectrum_kernel", "place by place")
def _(s, t, k):
    return sum(a == b for a, b in zip(pieces(s, k), pieces(t, k), strict=False))


@typed("spectrum_kernel", "each piece of s once")
def _(s, t, k):
    return sum(pieces(t, k).count(u) for u in set(pieces(s, k)))


@typed("spectrum_kernel", "each piece of t once")
def _(s, t, k):
    return sum(pieces(s, k).count(u) for u in set(pieces(t, k)))


@typed("spectrum_kernel", "pieces that do not overlap")
def _(s, t, k):
    N = Counter(s[i : i + k] for i in range(0, len(s) - k + 1, k))
    M = Counter(t[i : i + k] for i in range(0, len(t) - k + 1, k))
    return sum(n * M[u] for u, n in N.items())


@typed("spectrum_kernel", "last piece of s lost")
def _(s, t, k):
    return sum(pieces(t, k).count(s[i : i + k]) for i in range(len(s) - k))


@typed("spectrum_kernel", "last piece of t lost")
def _(s, t, k):
    M = Counter(t[i : i + k] for i in range(len(t) - k))
    return sum(M[u] for u in pieces(s, k))


@typed("spectrum_kernel", "last piece not looked up")
def _(s, t, k):
    def counted(text):
        different = {text[i : i + k] for i in range(len(text) - k)}
        return {u: sum(text[i:].startswith(u) for i in range(len(text))) for u in different}

    N, M = counted(s), counted(t)
    return sum(n * M.get(u, 0) for u, n in N.items())


@typed("spectrum_kernel", "k + 1 letters")
def _(s, t, k):
    N = Counter(s[i : i + k + 1] for i in range(len(s) - k + 1))
    M = Counter(t[i : i + k + 1] for i in range(len(t) - k + 1))
    return sum(n * M[u] for u, n in N.items())


# -- 9.4


@typed("cosine_normalize", "divided by the largest")
def _(K):
    return K / K.max()


@typed("cosine_normalize", "divided by the trace")
def _(K):
    return K / np.trace(K)


def over(K, below):
    """K / below, and 0 where a length is 0."""
    C = np.zeros(K.shape)
    for i in range(len(K)):
        for j in range(len(K)):
            if K[i, i] > 0 and K[j, j] > 0:
                C[i, j] = K[i, j] / below[i, j]
    return C


@typed("cosine_normalize", "columns alone")
def _(K):
    d = np.diag(K)
    return K / np.where(d > 0, d, np.inf)


@typed("cosine_normalize", "no square root")
def _(K):
    return over(K, np.outer(np.diag(K), np.diag(K)))


@typed("cosine_normalize", "mean of the two")
def _(K):
    d = np.diag(K)
    return over(K, (d[:, None] + d[None, :]) / 2)


@typed("cosine_normalize", "norms of the rows")
def _(K):
    length = np.linalg.norm(K, axis=1)
    return over(K, np.outer(length, length))


@typed("cosine_normalize", "cosine of the rows")
def _(K):
    length = np.linalg.norm(K, axis=1)
    return over(K @ K.T, np.outer(length, length))


# -- 9.5


def around(G, both_ways=True):
    """The neighbours of each atom."""
    edges, names = G
    near = [[] for _ in names]
    for u, v in edges:
        near[u].append(v)
        if both_ways:
            near[v].append(u)
    return near


def bag(own, others):
    return own, tuple(sorted(others))


def refined(colours, near, mix=bag):
    """The combination of each atom; equal combinations get equal numbers when both graphs are given together."""
    return [[mix(c[i], [c[j] for j in of[i]]) for i in range(len(c))] for c, of in zip(colours, near, strict=True)]


def one_table(mixed):
    table = {m: number for number, m in enumerate(sorted(set(mixed[0] + mixed[1]), key=repr))}
    return [[table[m] for m in graph] for graph in mixed]


def rounds(G, H, mix=bag, near=around):
    """The colours of both graphs before the first round and after each, without an end; rightly, but for ``mix``."""
    colours, of = [list(G[1]), list(H[1])], [near(G), near(H)]
    while True:
        yield colours
        colours = one_table(refined(colours, of, mix))


def common(colours):
    N, M = Counter(colours[0]), Counter(colours[1])
    return sum(N[c] * M[c] for c in N)


def up_to(h, rounds):
    return [next(rounds) for _ in range(h + 1)]


@typed("wl_kernel", "sets of neighbours")
def _(G, H, h):
    return sum(map(common, up_to(h, rounds(G, H, lambda own, others: (own, tuple(sorted(set(others))))))))


@typed("wl_kernel", "joined without a sign between")
def _(G, H, h):
    total, colours, of = 0, [list(G[1]), list(H[1])], [around(G), around(H)]
    for _ in range(h + 1):
        total += common(colours)
        colours = refined(colours, of, lambda own, others: own + "".join(sorted(others)))
    return total


@typed("wl_kernel", "names not counted")
def _(G, H, h):
    return sum(common(c) for c in up_to(h, rounds(G, H))[1:])


@typed("wl_kernel", "own colour left out")
def _(G, H, h):
    return sum(map(common, up_to(h, rounds(G, H, lambda own, others: tuple(sorted(others))))))


@typed("wl_kernel", "a table for each graph")
def _(G, H, h):
    near, colours, total = [around(G), around(H)], [list(G[1]), list(H[1])], 0
    for _ in range(h + 1):
        total += common(colours)
        for g, mixed in enumerate(refined(colours, near)):
            table = {}
            for m in mixed:
                if m not in table:
                    table[m] = len(table)
            colours[g] = [table[m] for m in mixed]
    return total


@typed("wl_kernel", "a sorted table for each graph")
def _(G, H, h):
    near, colours, total = [around(G), around(H)], [list(G[1]), list(H[1])], 0
    for _ in range(h + 1):
        total += common(colours)
        for g, mixed in enumerate(refined(colours, near)):
            table = {m: number for number, m in enumerate(sorted(set(mixed)))}
            colours[g] = [table[m] for m in mixed]
    return total


@typed("wl_kernel", "one round too few")
def _(G, H, h):
    return sum(common(c) for c, _ in zip(rounds(G, H), range(h), strict=False))


@typed("wl_kernel", "one round too many")
def _(G, H, h):
    return sum(common(c) for c, _ in zip(rounds(G, H), range(h + 2), strict=False))


@typed("wl_kernel", "number and kinds of neighbours")
def _(G, H, h):
    return sum(map(common, up_to(h, rounds(G, H, lambda own, others: (own, len(others), sorted_set(others))))))


def sorted_set(others):
    return tuple(sorted(set(others)))


@typed("wl_kernel", "edges one way")
def _(G, H, h):
    return sum(map(common, up_to(h, rounds(G, H, near=lambda graph: around(graph, both_ways=False)))))


@typed("wl_kernel", "neighbours in their order")
def _(G, H, h):
    return sum(map(common, up_to(h, rounds(G, H, lambda own, others: (own, tuple(others))))))


@typed("wl_kernel", "the smaller of the counts")
def _(G, H, h):
    return sum((Counter(c[0]) & Counter(c[1])).total() for c in up_to(h, rounds(G, H)))


@typed("wl_kernel", "each colour once")
def _(G, H, h):
    return sum(len(set(c[0]) & set(c[1])) for c in up_to(h, rounds(G, H)))


# -- 9.6


def cosines(strings, k):
    K = np.array([[spectrum(s, t, k) for t in strings] for s in strings], dtype=float)
    return over(K, np.sqrt(np.outer(np.diag(K), np.diag(K))))


def hits(K, y, fold, lam):
    """Which strings are right, rightly."""
    right = np.zeros(len(y), dtype=bool)
    for name in np.unique(fold):
        new, old = fold == name, fold != name
        alpha = np.linalg.solve(K[old][:, old] + lam * np.eye(old.sum()), y[old])
        right[new] = np.where(K[new][:, old] @ alpha > 0, 1, -1) == y[new]
    return right


@typed("spectrum_cv", "not normalised")
def _(strings, y, fold, k, lam):
    K = np.array([[spectrum(s, t, k) for t in strings] for s in strings], dtype=float)
    return hits(K, y, fold, lam).mean()


@typed("spectrum_cv", "tested on what was learnt")
def _(strings, y, fold, k, lam):
    K = cosines(strings, k)
    alpha = np.linalg.solve(K + lam * np.eye(len(y)), y)
    return np.mean(np.where(K @ alpha > 0, 1, -1) == y)


@typed("spectrum_cv", "α of all points")
def _(strings, y, fold, k, lam):
    K = cosines(strings, k)
    alpha = np.linalg.solve(K + lam * np.eye(len(y)), y)
    right = 0
    for name in set(fold.tolist()):
        new, old = fold == name, fold != name
        f = K[np.ix_(new, old)] @ alpha[old]
        right += np.sum(np.where(f > 0, 1, -1) == y[new])
    return right / len(y)


@typed("spectrum_cv", "trained on the fold")
def _(strings, y, fold, k, lam):
    K = cosines(strings, k)
    right = np.zeros(len(y), dtype=bool)
    for name in np.unique(fold):
        new = fold == name
        alpha = np.linalg.solve(K[np.ix_(new, new)] + lam * np.eye(new.sum()), y[new])
        right[new] = np.where(K[np.ix_(new, new)] @ alpha > 0, 1, -1) == y[new]
    return right.mean()


@typed("spectrum_cv", "mean of the folds")
def _(strings, y, fold, k, lam):
    right = hits(cosines(strings, k), y, fold, lam)
    return np.mean([right[fold == name].mean() for name in np.unique(fold)])


@typed("spectrum_cv", "errors for hits")
def _(strings, y, fold, k, lam):
    return np.mean(~hits(cosines(strings, k), y, fold, lam))


@typed("spectrum_cv", "number for share")
def _(strings, y, fold, k, lam):
    return hits(cosines(strings, k), y, fold, lam).sum()


@typed("spectrum_cv", "percent")
def _(strings, y, fold, k, lam):
    return 100 * hits(cosines(strings, k), y, fold, lam).mean()


@typed("spectrum_cv", "λ everywhere")
def _(strings, y, fold, k, lam):
    K = cosines(strings, k)
    right = np.zeros(len(y), dtype=bool)
    for name in np.unique(fold):
        new, old = fold == name, fold != name
        alpha = np.linalg.solve(K[np.ix_(old, old)] + lam, y[old])
        right[new] = np.where(K[np.ix_(new, old)] @ alpha > 0, 1, -1) == y[new]
    return right.mean()


@typed("spectrum_cv", "with an intercept")
def _(strings, y, fold, k, lam):
    K, right = cosines(strings, k), []
    for name in np.unique(fold):
        new, old = fold == name, fold != name
        alpha = np.linalg.inv(K[old][:, old] + lam * np.eye(old.sum())) @ (y[old] - np.mean(y[old]))
        right.extend(np.where(K[new][:, old] @ alpha + np.mean(y[old]) > 0, 1, -1) == y[new])
    return np.mean(right)


@typed("spectrum_cv", "each piece once")
def _(strings, y, fold, k, lam):
    K = np.array([[len(set(pieces(s, k)) & set(pieces(t, k))) for t in strings] for s in strings], dtype=float)
    length = np.sqrt(np.where(np.diag(K) > 0, np.diag(K), np.inf))
    return hits(K / np.outer(length, length), y, fold, lam).mean()


def values(strings, y, fold, k, lam):
    K, f = cosines(strings, k), np.zeros(len(y))
    for name in np.unique(fold):
        new, old = fold == name, fold != name
        f[new] = K[new][:, old] @ np.linalg.inv(K[old][:, old] + lam * np.eye(old.sum())) @ y[old]
    return f


@typed("spectrum_cv", "undecided is class +1")
def _(strings, y, fold, k, lam):
    return np.mean(np.where(values(strings, y, fold, k, lam) >= 0, 1, -1) == y)


@typed("spectrum_cv", "undecided is no class")
def _(strings, y, fold, k, lam):
    return np.mean(np.sign(values(strings, y, fold, k, lam)) == y)


@typed("spectrum_cv", "λ squared")
def _(strings, y, fold, k, lam):
    K = cosines(strings, k)
    right = []
    for name in np.unique(fold):
        new, old = fold == name, fold != name
        alpha = np.linalg.inv(K[old][:, old] + lam**2 * np.eye(old.sum())) @ y[old]
        right.extend(np.where(K[new][:, old] @ alpha > 0, 1, -1) == y[new])
    return np.mean(right)


# -- slips that were met later


@typed("rkhs_inner", "one sum for two")
def _(alpha, X, beta, Z):
    total = 0.0
    for i in range(min(len(alpha), len(beta))):
        total += alpha[i] * beta[i] * min(X[i], Z[i])
    return total


@typed("spectrum_kernel", "str.count in t")
def _(s, t, k):
    return sum(t.count(s[i : i + k]) for i in range(len(s) - k + 1))


@typed("wl_kernel", "normalised")
def _(G, H, h):
    k = with_nested_tuples
    return k(G, H, h) / sqrt(k(G, G, h)) / sqrt(k(H, H, h))


@typed("wl_kernel", "colours changed in place")
def _(G, H, h):
    total, state = 0, []
    for edges, names in (G, H):
        around = {v: [] for v in range(len(names))}
        for u, v in edges:
            around[u].append(v)
            around[v].append(u)
        state.append((dict(enumerate(names)), around))
    for step in range(h + 1):
        first, second = (list(colour.values()) for colour, _ in state)
        total += sum(a == b for a in first for b in second)
        if step == h:
            break
        for colour, around in state:
            for v in colour:
                colour[v] = f"<{colour[v]}|{','.join(sorted(colour[u] for u in around[v]))}>"
    return total


@typed("wl_kernel", "number of neighbours alone")
def _(G, H, h):
    return sum(map(common, up_to(h, rounds(G, H, lambda own, others: (own, len(others))))))


@typed("spectrum_cv", "roles exchanged")
def _(strings, y, fold, k, lam):
    K, right = cosines(strings, k), np.zeros(len(y), dtype=bool)
    for name in np.unique(fold):
        old, new = fold == name, fold != name
        alpha = np.linalg.solve(K[old][:, old] + lam * np.eye(old.sum()), y[old])
        right[new] = np.where(K[new][:, old] @ alpha > 0, 1, -1) == y[new]
    return right.mean()


@typed("spectrum_cv", "roles exchanged, all verdicts")
def _(strings, y, fold, k, lam):
    K, right = cosines(strings, k), []
    for name in np.unique(fold):
        old, new = fold == name, fold != name
        alpha = np.linalg.inv(K[old][:, old] + lam * np.eye(old.sum())) @ y[old]
        right.extend(np.where(K[new][:, old] @ alpha > 0, 1, -1) == y[new])
    return np.mean(right)


@typed("rkhs_inner", "min squared")
def _(alpha, X, beta, Z):
    return sum(a * b * min(x, z) ** 2 for a, x in zip(alpha, X, strict=True) for b, z in zip(beta, Z, strict=True))


@typed("wl_kernel", "divided by the sizes")
def _(G, H, h):
    return with_nested_tuples(G, H, h) / len(G[1]) / len(H[1])
