"""Wrong answers to chapter 9 as students write them: each named mistake, what fails one property alone, and others."""

from __future__ import annotations

from collections import Counter

import numpy as np
from scipy.integrate import trapezoid
from scipy.interpolate import interp1d

from tests.chapters.ch09_rkhs.right_answers import with_a_table, with_features, with_nested_tuples, with_two_loops
from tests.chapters.student_answers import Mistakes, Wrong, changed, mistakes_into, wrong_into

MISTAKES: Mistakes = {}
mistake = mistakes_into(MISTAKES)


# -- 9.1


def rkhs_inner(alpha, X, beta, Z):
    K = np.minimum(X[:, None], Z[None])
    return alpha @ K @ beta


mistakes = {
    "max for min": ("minimum", "maximum"),
    "product for min": ("minimum", "multiply"),
    "coefficients alone": ("alpha @ K @ beta", "np.sum(np.outer(alpha, beta))"),
    "β left out": ("K @ beta", "K.sum(axis=1)"),
    "α left out": ("alpha @ K", "K.sum(axis=0)"),
    "absolute value": ("alpha @ K @ beta", "abs(alpha @ K @ beta)"),
}
mistake.changes("rkhs_inner", rkhs_inner, mistakes)


def by_slopes(alpha, X, beta, Z):
    at = np.concatenate([[0], np.union1d(X, Z)])
    df = np.diff(alpha @ np.minimum.outer(X, at))
    dg = np.diff(beta @ np.minimum.outer(Z, at))
    dx = np.diff(at)
    return np.sum((df / dx) * (dg / dx) * dx)


mistakes = {"no widths": ("dx) * dx)", "dx))"), "rises for slopes": ("(df / dx) * (dg / dx) * dx", "df * dg")}
mistake.changes("rkhs_inner", by_slopes, mistakes)
mistake("rkhs_inner", "normalised")(
    lambda alpha, X, beta, Z: (
        rkhs_inner(alpha, X, beta, Z) / np.sqrt(rkhs_inner(alpha, X, alpha, X) * rkhs_inner(beta, Z, beta, Z))
    )
)
mistake("rkhs_inner", "norm of f")(lambda alpha, X, beta, Z: rkhs_inner(alpha, X, alpha, X))
mistake("rkhs_inner", "one sum for two")(
    lambda alpha, X, beta, Z: sum(a * b * min(x, z) for a, x, b, z in zip(alpha, X, beta, Z, strict=False))
)


@mistake("rkhs_inner", "areas under products")
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


mistakes = {
    "max for min": ("minimum", "maximum"),
    "fastened at 1": ("np.minimum", "lambda a, b: 1 - np.maximum(a, b)"),
    "y for α": ("np.linalg.solve(K, y)", "y"),
    "divided by the diagonal": ("np.linalg.solve(K, y)", "y / np.diag(K)"),
}
mistake.changes("min_norm_interpolant", min_norm_interpolant, mistakes)


def as_a_polygon(x, y, xq):
    i = np.argsort(x)
    points = np.append(0, x[i]), np.append(0, y[i])
    return np.interp(xq, *points)


mistakes = {
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
mistake.changes("min_norm_interpolant", as_a_polygon, mistakes)
mistake("min_norm_interpolant", "goes on straight")(
    lambda x, y, xq: interp1d(np.append(0, x), np.append(0, y), fill_value="extrapolate")(xq)
)
mistake("min_norm_interpolant", "straight on at both ends")(
    lambda x, y, xq: interp1d(x, y, fill_value="extrapolate")(xq)
)


# -- 9.3


def spectrum_kernel(s, t, k):
    N = Counter(s[i : i + k] for i in range(len(s) - k + 1))
    M = Counter(t[j : j + k] for j in range(len(t) - k + 1))
    return sum(N[u] * M[u] for u in N)


mistakes = {
    "each k-mer once": ("N[u] * M[u]", "u in M"),
    "the smaller of the counts": ("N[u] * M[u]", "min(N[u], M[u])"),
    "str.count": ("N[u] * M[u]", "s.count(u) * t.count(u)"),
    "str.count in t": ("M[u]", "t.count(u)"),
    "place by place": (
        "N[u] * M[u] for u in N", "s[i : i + k] == t[i : i + k] for i in range(min(len(s), len(t)) - k + 1)",
    ),
    "each k-mer of s once": ("N[u] * M[u]", "M[u]"),
    "each k-mer of t once": ("M[u]", "(u in M)"),
    "k-mers that do not overlap": (
        "(len(s) - k + 1)", "(0, len(s) - k + 1, k)", "(len(t) - k + 1)", "(0, len(t) - k + 1, k)",
    ),
}  # fmt: skip
mistake.changes("spectrum_kernel", spectrum_kernel, mistakes)
mistake("spectrum_kernel", "normalised")(
    lambda s, t, k: spectrum_kernel(s, t, k) / (np.sqrt(spectrum_kernel(s, s, k) * spectrum_kernel(t, t, k)) or np.inf)
)
mistake("spectrum_kernel", "also shorter k-mers")(
    lambda s, t, k: sum(spectrum_kernel(s, t, length) for length in range(1, k + 1))
)


# -- 9.4


def cosine_normalize(K):
    length = np.sqrt(np.diag(K))
    below = np.outer(length, length)
    return np.divide(K, below, out=np.zeros(K.shape), where=np.outer(np.diag(K), K.diagonal()) > 0)


mistakes = {
    "columns alone": ("np.outer(length, length)", "length**2 + 0 * K"),
    "one length, rows": ("np.outer(length, length)", "length[:, None] + 0 * K"),
    "one length, columns": ("np.outer(length, length)", "length + 0 * K"),
    "no square root": ("np.sqrt(np.diag(K))\n", "np.diag(K)\n"),
    "mean of the two": ("np.outer(length, length)", "(length[:, None] ** 2 + length**2) / 2"),
    "norms of the rows": ("np.sqrt(np.diag(K))\n", "np.linalg.norm(K, axis=1)\n"),
    "cosine of the rows": ("np.sqrt(np.diag(K))\n", "np.linalg.norm(K, axis=1)\n", "divide(K", "divide(K @ K.T"),
}
mistake.changes("cosine_normalize", cosine_normalize, mistakes)
mistake("cosine_normalize", "norm of each row")(lambda K: K / np.maximum(np.linalg.norm(K, axis=1), 1e-99)[:, None])
mistake("cosine_normalize", "norm of each column")(lambda K: K / np.maximum(np.linalg.norm(K, axis=0), 1e-99))
mistake("cosine_normalize", "divided by the largest")(lambda K: K / K.max())
mistake("cosine_normalize", "divided by the trace")(lambda K: K / np.trace(K))


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
mistakes = {
    "sets of neighbours": ("*bag)", "*sorted(set(bag)))"),
    "joined without a sign between": ("(c, *bag)", "''.join([c, *bag])", NUMBERED, "mixed"),
    "names not counted": ("return total", "return total - sum(a == b for a in G[1] for b in H[1])"),
    "own colour left out": ("(c, *bag)", "tuple(bag)"),
    "a table for each graph": ("        table = {}\n", "", "bags = ", "table = {}\n            bags = "),
    "one round too few": ("range(h + 1)", "range(h)"),
    "one round too many": ("range(h + 1)", "range(h + 2)"),
    "edges one way": ("of[v].append(u)", "pass"),
    "neighbours in their order": ("sorted(own[v] for v in of)", "[own[v] for v in of]"),
    "colours changed in place": ("mixed = [", IN_PLACE, "(c, *bag)", "c", NUMBERED, "mixed"),
}
mistake.changes("wl_kernel", wl_kernel, mistakes)


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
mistakes = {
    "not normalised": ("cosine_normalize(gram(strings, k))", "gram(strings, k)"),
    "tested on the training strings": ("fold == name", "fold == fold", "fold != name", "fold == fold"),
    "α of all points": ("K[np.ix_(old, old)]", "K", "y[old]", "y", "@ alpha", "@ alpha[old]"),
    "mean of the folds": ("right.mean()", OF_FOLDS),
    "0 for class -1": ("np.where(f > 0, 1, -1) == y", "(f > 0) == y"),
    "classes exchanged": ("f > 0", "f < 0"),
    "λ everywhere": ("lam * np.eye(len(A))", "lam"),
    "with an intercept": ("y[old]", "y[old] - y[old].mean()", "@ alpha", "@ alpha + y[old].mean()"),
    "undecided is class +1": ("f > 0", "f >= 0"),
    "undecided is class 0": ("np.where(f > 0, 1, -1)", "np.sign(f)"),
    "roles exchanged": EXCHANGED,
}  # fmt: skip
mistake.changes("spectrum_cv", spectrum_cv, mistakes)


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


def nothing_without_a_piece(strings, y, fold, k, lam):
    """A string without a piece is never right."""
    short = sum(len(s) < k for s, label in zip(strings, y, strict=True) if label < 0)
    return with_features(strings, y, fold, k, lam) - short / len(y)


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
    ("spectrum_cv", 2): nothing_without_a_piece,
}


WRONG: list[Wrong] = []
wrong = wrong_into(WRONG)


@wrong("rkhs_inner")
def by_midpoints(alpha, X, beta, Z):
    t = (np.arange(200) + 0.5) / 200
    return np.mean((alpha @ (t <= X[:, None])) * (beta @ (t <= Z[:, None])))


wrong("rkhs_inner")(changed(rkhs_inner, "alpha @ K @ beta", "max(0, alpha @ K @ beta)"))
wrong("rkhs_inner")(changed(rkhs_inner, "X[:, None], Z[None]", "np.sort(X)[:, None], np.sort(Z)"))
wrong("rkhs_inner")(changed(rkhs_inner, "alpha @ K @ beta", "alpha @ np.triu(K) @ beta"))
wrong("min_norm_interpolant", "constant before the first point")(
    lambda x, y, xq: np.interp(xq, np.sort(x), y[np.argsort(x)])
)
wrong("min_norm_interpolant", "nearest point")(lambda x, y, xq: [y[np.argmin(np.abs(x - q))] for q in xq])
wrong("min_norm_interpolant", "np.interp as it is")(lambda x, y, xq: np.interp(xq, x, y))
wrong("min_norm_interpolant")(changed(as_a_polygon, "x[i]", "np.sort(x)", "y[i]", "y"))
wrong("min_norm_interpolant")(changed(min_norm_interpolant, "solve(K", "solve(K + 1e-3 * np.eye(len(x))"))

lost = changed(spectrum_kernel, "len(s) - k + 1", "len(s) - k", "len(t) - k + 1", "len(t) - k")
tails = changed(spectrum_kernel, "len(s) - k + 1", "len(s)", "len(t) - k + 1", "len(t)")
wrong("spectrum_kernel", "last k-mer lost")(lost)
wrong("spectrum_kernel", "tails for k-mers")(tails)
wrong("spectrum_kernel")(lambda s, t, k: len(set(s) & set(t)))


@wrong("cosine_normalize", "rows alone")
def by_rows(K):
    d = np.diag(K)
    return np.where(np.outer(d, d) > 0, K / np.where(d > 0, d, 1)[:, None], 0)


wrong("cosine_normalize")(lambda K: K / K.mean())
wrong("cosine_normalize")(lambda K: np.abs(cosine_normalize(K)))
wrong("cosine_normalize")(lambda K: np.clip(cosine_normalize(K), 0, 1))

wrong("wl_kernel", "last round alone")(lambda G, H, h: wl_kernel(G, H, h) - (wl_kernel(G, H, h - 1) if h else 0))
wrong("wl_kernel", "own colour in the bag")(changed(wl_kernel, "(c, *bag)", "tuple(sorted([c, *bag]))"))

wrong("wl_kernel")(changed(wl_kernel, "(c, *bag)", "(c, len(bag), frozenset(bag))"))
for letters in ("list(names)", "['CNO'.index(c) for c in names]"), ("list(names)", "list(map(ord, names))"):
    wrong("wl_kernel")(changed(wl_kernel, *letters, "(c, *bag)", "(c, len(bag), sum(bag))"))


@wrong("wl_kernel")
def degrees_alone(G, H, h):
    N, M = (Counter(np.bincount(np.ravel(edges), minlength=len(names)).tolist()) for edges, names in (G, H))
    return sum(n * M[d] for d, n in N.items())


wrong("spectrum_cv", "nλ for λ")(changed(spectrum_cv, "lam * np", "len(A) * lam * np"))
wrong("spectrum_cv")(lambda strings, y, fold, k, lam: spectrum_cv(strings, y, fold, k, 0.5))
wrong("spectrum_cv")(changed(spectrum_cv, "fold != name", "fold == name"))
for other in ("k + 1", "k - 1"):
    wrong("spectrum_cv")(changed(spectrum_cv, "gram(strings, k)", f"gram(strings, {other})"))
wrong("spectrum_cv")(changed(spectrum_cv, "right.mean()", "100 * right.mean()"))
wrong("spectrum_cv")(changed(spectrum_cv, "f > 0", "f > 1e-3"))
wrong("spectrum_cv")(changed(spectrum_cv, "f > 0", "f > 0.01"))
