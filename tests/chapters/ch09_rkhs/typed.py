"""Each named slip of chapter 9 as a student would type it."""

from __future__ import annotations

from collections import Counter

import numpy as np
from scipy.integrate import trapezoid
from scipy.interpolate import interp1d

from tests.chapters.student_answers import Typed, typist

TYPED: Typed = {}
typed = typist(TYPED)


# -- 9.1


def rkhs_inner(alpha, X, beta, Z):
    K = np.minimum(X[:, None], Z[None])
    return alpha @ K @ beta


slips = {
    "max for min": ("minimum", "maximum"),
    "product for min": ("minimum", "multiply"),
    "min squared": ("Z[None])", "Z[None]) ** 2"),
    "coefficients alone": ("alpha @ K @ beta", "np.sum(np.outer(alpha, beta))"),
    "β left out": ("K @ beta", "K.sum(axis=1)"),
    "α left out": ("alpha @ K", "K.sum(axis=0)"),
    "distance for the kernel": ("np.minimum(X[:, None], Z[None])", "np.abs(X[:, None] - Z)"),
    "fastened at 1": ("np.minimum", "1 - np.maximum"),
}
typed.changes("rkhs_inner", rkhs_inner, slips)


def by_slopes(alpha, X, beta, Z):
    at = np.concatenate([[0], np.union1d(X, Z)])
    df = np.diff(alpha @ np.minimum.outer(X, at))
    dg = np.diff(beta @ np.minimum.outer(Z, at))
    dx = np.diff(at)
    return np.sum((df / dx) * (dg / dx) * dx)


slips = {"no widths": ("dx) * dx)", "dx))"), "rises for slopes": ("(df / dx) * (dg / dx) * dx", "df * dg")}
typed.changes("rkhs_inner", by_slopes, slips)
typed("rkhs_inner", "normalised")(
    lambda alpha, X, beta, Z: (
        rkhs_inner(alpha, X, beta, Z) / np.sqrt(rkhs_inner(alpha, X, alpha, X) * rkhs_inner(beta, Z, beta, Z))
    )
)
typed("rkhs_inner", "one sum for two")(
    lambda alpha, X, beta, Z: sum(a * b * min(x, z) for a, x, b, z in zip(alpha, X, beta, Z, strict=False))
)


@typed("rkhs_inner", "areas under products")
def _(alpha, X, beta, Z):
    u = np.linspace(0, 1, 10001)
    f = alpha @ np.minimum(X[:, None], u)
    g = beta @ np.minimum(Z[:, None], u)
    return trapezoid(f * g, u)


# -- 9.2


def min_norm_interpolant(x, y, xq):
    k = np.minimum
    K = k(x[:, None], x)
    alpha = np.linalg.solve(K, y)
    return k(xq[:, None], x) @ alpha


slips = {
    "max for min": ("minimum", "maximum"),
    "Gaussian kernel": ("np.minimum", "lambda a, b: np.exp(-((a - b) ** 2) / 2)"),
    "fastened at 1": ("np.minimum", "lambda a, b: 1 - np.maximum(a, b)"),
    "y for α": ("np.linalg.solve(K, y)", "y"),
    "divided by the diagonal": ("np.linalg.solve(K, y)", "y / np.diag(K)"),
}
typed.changes("min_norm_interpolant", min_norm_interpolant, slips)


def as_a_polygon(x, y, xq):
    i = np.argsort(x)
    points = np.append(0, x[i]), np.append(0, y[i])
    return np.interp(xq, *points)


slips = {
    "down to 0 at 1": (
        "x[i])",
        "x[i], 1]",
        "y[i])",
        "y[i], 0]",
        "np.append(0, x",
        "np.r_[0, x",
        "np.append(",
        "np.r_[",
    ),
    "0 after the last point": ("*points)", "*points, right=0)"),
    "0 before the first point": ("np.interp(xq, *points)", "np.interp(xq, *points) * (xq >= x.min())"),
}
typed.changes("min_norm_interpolant", as_a_polygon, slips)
typed("min_norm_interpolant", "goes on straight")(
    lambda x, y, xq: interp1d(np.append(0, x), np.append(0, y), fill_value="extrapolate")(xq)
)
typed("min_norm_interpolant", "straight on at both ends")(lambda x, y, xq: interp1d(x, y, fill_value="extrapolate")(xq))


# -- 9.3


def spectrum_kernel(s, t, k):
    N = Counter(s[i : i + k] for i in range(len(s) - k + 1))
    M = Counter(t[j : j + k] for j in range(len(t) - k + 1))
    return sum(N[u] * M[u] for u in N)


NOT_LAST = "for u in {s[i : i + k] for i in range(len(s) - k)} & {t[j : j + k] for j in range(len(t) - k)}"
slips = {
    "each piece once": ("N[u] * M[u]", "u in M"),
    "the smaller of the counts": ("N[u] * M[u]", "min(N[u], M[u])"),
    "the larger of the counts": ("N[u] * M[u] for u in N", "max(N[u], M[u]) for u in N & M"),
    "str.count": ("N[u] * M[u]", "s.count(u) * t.count(u)"),
    "str.count in t": ("M[u]", "t.count(u)"),
    "place by place": (
        "N[u] * M[u] for u in N", "s[i : i + k] == t[i : i + k] for i in range(min(len(s), len(t)) - k + 1)",
    ),
    "each piece of s once": ("N[u] * M[u]", "M[u]"),
    "each piece of t once": ("M[u]", "(u in M)"),
    "pieces that do not overlap": (
        "(len(s) - k + 1)", "(0, len(s) - k + 1, k)", "(len(t) - k + 1)", "(0, len(t) - k + 1, k)",
    ),
    "last piece of s lost": ("len(s) - k + 1", "len(s) - k"),
    "last piece of t lost": ("len(t) - k + 1", "len(t) - k"),
    "last piece not looked up": ("for u in N", NOT_LAST),
    "k + 1 letters": ("i + k]", "i + k + 1]", "j + k]", "j + k + 1]"),
}  # fmt: skip
typed.changes("spectrum_kernel", spectrum_kernel, slips)
typed("spectrum_kernel", "normalised")(
    lambda s, t, k: spectrum_kernel(s, t, k) / (np.sqrt(spectrum_kernel(s, s, k) * spectrum_kernel(t, t, k)) or np.inf)
)
typed("spectrum_kernel", "shorter pieces, too")(
    lambda s, t, k: sum(spectrum_kernel(s, t, length) for length in range(1, k + 1))
)


# -- 9.4


def cosine_normalize(K):
    length = np.sqrt(np.diag(K))
    below = np.outer(length, length)
    return np.divide(K, below, out=np.zeros(K.shape), where=np.outer(np.diag(K), K.diagonal()) > 0)


slips = {
    "columns alone": ("np.outer(length, length)", "length**2 + 0 * K"),
    "no square root": ("np.sqrt(np.diag(K))\n", "np.diag(K)\n"),
    "mean of the two": ("np.outer(length, length)", "(length[:, None] ** 2 + length**2) / 2"),
    "norms of the rows": ("np.sqrt(np.diag(K))\n", "np.linalg.norm(K, axis=1)\n"),
    "cosine of the rows": ("np.sqrt(np.diag(K))\n", "np.linalg.norm(K, axis=1)\n", "divide(K", "divide(K @ K.T"),
}
typed.changes("cosine_normalize", cosine_normalize, slips)
typed("cosine_normalize", "divided by the largest")(lambda K: K / K.max())
typed("cosine_normalize", "divided by the trace")(lambda K: K / np.trace(K))


# -- 9.5


def wl_kernel(G, H, h):
    near = [[[] for _ in names] for _, names in (G, H)]
    for of, (edges, _) in zip(near, (G, H), strict=True):
        for u, v in edges:
            of[u].append(v)
            of[v].append(u)
    colours, total = [list(names) for _, names in (G, H)], 0
    for _ in range(h + 1):
        N, M = map(Counter, colours)
        total += sum(N[c] * M[c] for c in N)
        table = {}
        for g, own in enumerate(colours):
            bags = [sorted(own[v] for v in of) for of in near[g]]
            mixed = [(c, *bag) for c, bag in zip(own, bags, strict=True)]
            colours[g] = [table.setdefault(m, len(table)) for m in mixed]
    return total


NUMBERED = "[table.setdefault(m, len(table)) for m in mixed]"
IN_PLACE = """for i, of in enumerate(near[g]):
                own[i] = f"<{own[i]}|{','.join(sorted(own[v] for v in of))}>"
            mixed = ["""
slips = {
    "sets of neighbours": ("*bag)", "*sorted(set(bag)))"),
    "joined without a sign between": ("(c, *bag)", "''.join([c, *bag])", NUMBERED, "mixed"),
    "names not counted": ("return total", "return total - sum(a == b for a in G[1] for b in H[1])"),
    "own colour left out": ("(c, *bag)", "tuple(bag)"),
    "a table for each graph": ("        table = {}\n", "", "bags = ", "table = {}\n            bags = "),
    "a sorted table for each graph": (NUMBERED, "[sorted(set(mixed)).index(m) for m in mixed]"),
    "one round too few": ("range(h + 1)", "range(h)"),
    "one round too many": ("range(h + 1)", "range(h + 2)"),
    "number of neighbours alone": ("(c, *bag)", "(c, len(bag))"),
    "number and kinds of neighbours": ("(c, *bag)", "(c, len(bag), *sorted(set(bag)))"),
    "edges one way": ("of[v].append(u)", "pass"),
    "neighbours in their order": ("sorted(own[v] for v in of)", "[own[v] for v in of]"),
    "the smaller of the counts": ("N[c] * M[c]", "min(N[c], M[c])"),
    "each colour once": ("N[c] * M[c]", "c in M"),
    "colours changed in place": ("mixed = [", IN_PLACE, "(c, *bag)", "c", NUMBERED, "mixed"),
}
typed.changes("wl_kernel", wl_kernel, slips)
typed("wl_kernel", "normalised")(lambda G, H, h: wl_kernel(G, H, h) / np.sqrt(wl_kernel(G, G, h) * wl_kernel(H, H, h)))
typed("wl_kernel", "divided by the sizes")(lambda G, H, h: wl_kernel(G, H, h) / len(G[1]) / len(H[1]))


# -- 9.6


def gram(strings, k, kernel=spectrum_kernel):
    return np.array([[kernel(s, t, k) for t in strings] for s in strings], dtype=float)


def spectrum_cv(strings, y, fold, k, lam):
    K = cosine_normalize(gram(strings, k))
    right = np.zeros(len(y), dtype=bool)
    for name in np.unique(fold):
        new = fold == name
        old = fold != name
        A = K[np.ix_(old, old)]
        alpha = np.linalg.solve(A + lam * np.eye(len(A)), y[old])
        f = K[np.ix_(new, old)] @ alpha
        right[new] = np.where(f > 0, 1, -1) == y[new]
    return right.mean()


OF_FOLDS = "np.mean([right[fold == name].mean() for name in np.unique(fold)])"
EXCHANGED = "new = fold == name", "old = fold == name", "old = fold != name", "new = fold != name"
slips = {
    "not normalised": ("cosine_normalize(gram(strings, k))", "gram(strings, k)"),
    "tested on what was learnt": ("fold == name", "fold == fold", "fold != name", "fold == fold"),
    "α of all points": ("K[np.ix_(old, old)]", "K", "y[old]", "y", "@ alpha", "@ alpha[old]"),
    "trained on the fold": ("fold != name", "fold == name"),
    "mean of the folds": ("right.mean()", OF_FOLDS),
    "errors for hits": ("right.mean()", "np.mean(~right)"),
    "number for share": ("right.mean()", "right.sum()"),
    "percent": ("right.mean()", "100 * right.mean()"),
    "λ everywhere": ("lam * np.eye(len(A))", "lam"),
    "λ squared": ("lam * np", "lam**2 * np"),
    "with an intercept": ("y[old]", "y[old] - y[old].mean()", "@ alpha", "@ alpha + y[old].mean()"),
    "each piece once": ("strings, k))", "strings, k, TYPED['spectrum_kernel', 'each piece once']))"),
    "undecided is class +1": ("f > 0", "f >= 0"),
    "undecided is no class": ("np.where(f > 0, 1, -1)", "np.sign(f)"),
    "roles exchanged": EXCHANGED,
    "roles exchanged, all verdicts": (
        *EXCHANGED, "np.zeros(len(y), dtype=bool)", "[]", "right.mean()", "np.mean(right)",
        "right[new] = np.where(f > 0, 1, -1) == y[new]", "right.extend(np.where(f > 0, 1, -1) == y[new])",
    ),
}  # fmt: skip
typed.changes("spectrum_cv", spectrum_cv, slips)
