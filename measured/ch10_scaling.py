"""Measurements for chapter 10: landmarks, random features and subsamples, and all methods on the digits.

All rows of a table select their settings on training data by one rule: by leave-one-out, which ridge regression gives
without refitting, or, if different methods are compared, by the errors on a quarter of the training data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from zlib import crc32

import numpy as np
from numpy.linalg import eigh
from scipy.linalg import cho_factor, cho_solve
from scipy.spatial import cKDTree
from sklearn.datasets import load_digits
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

from kcourse import Gaussian, KernelRidge, KNNClassifier, Nystrom, NystromRidge, ParzenClassifier
from kcourse.datasets import load_terrain, make_sinc
from kcourse.rbf import kmeans
from kcourse.scaling import leverage_scores, pivoted_landmarks
from measured import Claim, Row, table
from measured.maps import ch10_alone, ch10_bells, ch10_heard, ch10_near, ch10_near_seconds, ch10_rows  # noqa: F401 (this chapter's, too)

Array = np.ndarray
PRICES = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)  # λ
SIZES = (20, 40, 80, 160, 320)  # m
LEARN = 1000


@cache
def land() -> tuple[Array, Array]:
    return load_terrain(return_X_y=True)


@cache
def digits() -> tuple[Array, Array]:
    pixels, labels = load_digits(return_X_y=True)
    return pixels / 16, labels


def dealt(draw: int) -> tuple[Array, ...]:
    X, labels = digits()
    order = np.random.default_rng(draw).permutation(len(X))
    seen, new = order[:LEARN], order[LEARN:]
    return X[seen], labels[seen], X[new], labels[new]


# ---------------------------------------------------------------- ridge regression, by leave-one-out


def price(U: Array, s: Array, Y: Array) -> tuple[float, float]:
    """λ with the least leave-one-out error of the smoother U diag(s/(s + λ)) Uᵀ, and this error."""
    seen, squares, errors = U.T @ Y, U**2, {}
    for lam in PRICES:
        keep = s / (s + lam)
        errors[lam] = np.mean(((Y - U @ (keep[:, None] * seen)) / (1 - squares @ keep)[:, None]) ** 2)
    best = min(errors, key=errors.get)
    return best, errors[best]


def exact(K: Array, Y: Array) -> tuple[Array, float]:
    """α of kernel ridge regression, and its leave-one-out error."""
    s, U = eigh(K)
    s = np.maximum(s, 0)
    lam, error = price(U, s, Y)
    return U @ ((U.T @ Y) / (s + lam)[:, None]), error


def linear(F: Array, Y: Array) -> tuple[Array, float]:
    """w of ridge regression on features, and its leave-one-out error."""
    s, V = eigh(F.T @ F)
    s, V = s[s > 1e-12 * s[-1]], V[:, s > 1e-12 * s[-1]]
    U = F @ V / np.sqrt(s)
    lam, error = price(U, s, Y)
    return V @ ((np.sqrt(s) / (s + lam))[:, None] * (U.T @ Y)), error


def root(K_mm: Array) -> Array:
    """S with S Sᵀ = K_mm⁻¹ (a pseudo-inverse)."""
    w, U = eigh(K_mm)
    kept = w > 1e-12 * w[-1]
    return U[:, kept] / np.sqrt(w[kept])


def waves(X: Array, omega: Array) -> Array:
    return np.hstack([np.cos(X @ omega), np.sin(X @ omega)]) / np.sqrt(omega.shape[1])


def phased(X: Array, omega: Array, b: Array) -> Array:
    return np.sqrt(2 / len(b)) * np.cos(X @ omega + b)


def three_ways(
    X: Array, Y: Array, new: Array, widths: tuple[float, ...], wrong: Callable[[Array], float], rng: np.random.Generator
) -> Row:
    """Errors of landmarks, cosines and a subsample at each size and width, and at the width that each would choose."""
    order, draws = rng.permutation(len(X)), rng.standard_normal((X.shape[1], max(SIZES) // 2))
    found: dict[str, dict[float, tuple[float, float]]] = {}
    for sigma in widths:
        K, K_new = Gaussian(sigma)(X), Gaussian(sigma)(new, X)
        a, loo = exact(K, Y)
        found.setdefault("exact", {})[sigma] = loo, wrong(K_new @ a)
        for m in SIZES:
            at, omega = order[:m], draws[:, : m // 2] / sigma
            S = root(K[np.ix_(at, at)])
            w, loo = linear(K[:, at] @ S, Y)
            found.setdefault(f"{m} landmarks", {})[sigma] = loo, wrong(K_new[:, at] @ (S @ w))
            w, loo = linear(waves(X, omega), Y)
            found.setdefault(f"{m} random features", {})[sigma] = loo, wrong(waves(new, omega) @ w)
            a, loo = exact(K[np.ix_(at, at)], Y[at])
            found.setdefault(f"subsample of {m}", {})[sigma] = loo, wrong(K_new[:, at] @ a)
    row = {}
    for name, at_width in found.items():
        best = min(at_width, key=lambda sigma: at_width[sigma][0])
        row |= {name: at_width[best][1], f"width of {name}": best}
    return row | {f"{name} at {s}": e for name, at_width in found.items() for s, (_, e) in at_width.items()}


@table("digits of 797 that are wrong (%), 1000 to learn from", draws=60, of="splits", slow=True)
def ch10_digits(draw: int) -> Row:
    """One against the rest, without an intercept, for all; a pixel goes from 0 to 1."""
    X, labels, new, right = dealt(draw)
    return three_ways(
        X,
        np.eye(10)[labels],
        new,
        (0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0),
        lambda f: 100 * np.mean(f.argmax(axis=1) != right),
        np.random.default_rng(draw),
    )


@table("error of a map of 1000 heights at 2000 other places (m)", draws=20, of="draws of places", slow=True)
def ch10_heights(draw: int) -> Row:
    (X, y), rng = land(), np.random.default_rng(draw)
    order = rng.permutation(len(X))
    seen, new = order[:LEARN], order[LEARN : LEARN + 2000]
    level = y[seen].mean()
    return three_ways(
        X[seen],
        (y[seen] - level)[:, None],
        X[new],
        (0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0),
        lambda f: np.sqrt(np.mean((f[:, 0] + level - y[new]) ** 2)),
        rng,
    )


@table("error of a map of 1000 heights at 2000 other places, σ = 1.4 km (m)", draws=400, of="draws of places")
def ch10_poor_gram(draw: int) -> Row:
    """80 random features, whose Gram matrix is off by more than all of K, and as many points."""
    (X, y), rng, m = land(), np.random.default_rng(draw), 80
    order = rng.permutation(len(X))
    seen, new = order[:LEARN], order[LEARN : LEARN + 2000]
    level, bell, omega = y[seen].mean(), Gaussian(1.4), rng.standard_normal((2, m // 2)) / 1.4
    w, _ = linear(waves(X[seen], omega), (y[seen] - level)[:, None])
    a, _ = exact(bell(X[seen[:m]]), (y[seen[:m]] - level)[:, None])
    said = {"random features": waves(X[new], omega) @ w, "subsample": bell(X[new], X[seen[:m]]) @ a}
    return {name: np.sqrt(np.mean((f[:, 0] + level - y[new]) ** 2)) for name, f in said.items()}


@table("random features in pairs and with phases: digits wrong (%), error of a map (m)", draws=60, of="draws")
def ch10_kinds(draw: int) -> Row:
    """As many features of both kinds, each with its width and its λ from leave-one-out on 1000 points."""
    pixels, labels, strange, right = dealt(draw)
    (X, y), rng = land(), np.random.default_rng(draw)
    order = rng.permutation(len(X))
    seen, new = order[:LEARN], order[LEARN : LEARN + 2000]
    level, row = y[seen].mean(), {}
    for data, (A, Y, B, wrong) in {
        "digits": (pixels, np.eye(10)[labels], strange, lambda f: 100 * np.mean(f.argmax(axis=1) != right)),
        "map": (
            X[seen],
            (y[seen] - level)[:, None],
            X[new],
            lambda f: np.sqrt(np.mean((f[:, 0] + level - y[new]) ** 2)),
        ),
    }.items():
        for m in (80, 320):
            omega, b = rng.standard_normal((A.shape[1], m)), rng.uniform(0, 2 * np.pi, m)
            tried: dict[str, list[tuple[float, float]]] = {"pairs": [], "phases": []}
            for sigma in (1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0):
                for kind, (F, G) in {
                    "pairs": [waves(P, omega[:, : m // 2] / sigma) for P in (A, B)],
                    "phases": [phased(P, omega / sigma, b) for P in (A, B)],
                }.items():
                    w, loo = linear(F, Y)
                    tried[kind].append((loo, wrong(G @ w)))
            row |= {f"{data} with {m} {kind}": min(each)[1] for kind, each in tried.items()}
    return row


# ---------------------------------------------------------------- what the others know


@table("error of two maps at 5000 places set aside (m)", draws=20, of="lots", slow=True)
def ch10_bells_drawn(draw: int) -> Row:
    """Both with one width: 1 km, the best of A, and 1.2 km, the best of B."""
    (X, y), rng = land(), np.random.default_rng(draw)
    order = rng.permutation(len(X))
    learn, new = order[:100_000], order[100_000:105_000]
    level = y[learn].mean()
    Z, heights = X[learn[:800]], y[learn[:800]] - level
    models = {
        "A": KernelRidge(Gaussian(1.0), lam=0.1).fit(Z, heights),
        "B": NystromRidge(Gaussian(1.0), landmarks=Z, lam=0.1).fit(X[learn], y[learn] - level),
        "A at 1.2": KernelRidge(Gaussian(1.2), lam=0.1).fit(Z, heights),
        "B at 1.2": NystromRidge(Gaussian(1.2), landmarks=Z, lam=0.1).fit(X[learn], y[learn] - level),
    }
    return {name: np.sqrt(np.mean((f.predict(X[new]) + level - y[new]) ** 2)) for name, f in models.items()}


@table("error of the map, readings off by 100 m, in fourteen megabytes (m)", draws=20, of="flights", slow=True)
def ch10_fourteen(draw: int) -> Row:
    """500 bells that ask 100 000 readings; an exact fit of 1300; all 100 000 kept, and the mean of the nearest.

    Width and λ of the exact fit by leave-one-out; the bells' width and the number of neighbours at places set aside.
    """
    (X, y), rng = land(), np.random.default_rng([2, draw])
    order = rng.permutation(len(X))
    learn, choose, new = order[:100_000], order[100_000:105_000], order[105_000:110_000]
    level = y[learn].mean()
    at = learn[rng.integers(len(learn), size=100_000)]
    P, heights = X[at], y[at] - level + 100 * rng.standard_normal(100_000)

    def off(f: Array, where: Array) -> float:
        return float(np.sqrt(np.mean((f + level - y[where]) ** 2)))

    tried = []
    for sigma in (0.85, 1.0, 1.2, 1.4, 1.7, 2.0):
        a, loo = exact(Gaussian(sigma)(P[:1300]), heights[:1300, None])
        tried.append((loo, off((Gaussian(sigma)(X[new], P[:1300]) @ a)[:, 0], new)))
    bells = []
    for sigma in (1.0, 1.2, 1.4, 1.7):
        model = NystromRidge(Gaussian(sigma), landmarks=X[learn[:500]], lam=1.0).fit(P, heights)
        bells.append((off(model.predict(X[choose]), choose), off(model.predict(X[new]), new)))
    tree, near = cKDTree(P), []
    for k in (10, 30, 100):
        each = [off(heights[tree.query(X[where], k)[1]].mean(axis=1), where) for where in (choose, new)]
        near.append((*each, k))
    return {"1300 exactly": min(tried)[1], "500 bells": min(bells)[1], "nearest": min(near)[1], "of": min(near)[2]}


@table("error of the curve", draws=100, of="sets of measurements")
def ch10_sinc(draw: int) -> Row:
    """1000 noisy measurements; each method has its width and its λ from leave-one-out on what it learns from."""
    noisy, curve = make_sinc(1000, rng=draw), np.arange(-3, 3, 0.05)[:, None]
    X, y, truth = noisy.X, noisy.y[:, None], np.sinc(curve)
    order = np.random.default_rng(draw).permutation(1000)
    found: dict[str, list[tuple[float, float]]] = {}
    for sigma in (0.35, 0.5, 0.7, 1.0):
        K, K_new = Gaussian(sigma)(X), Gaussian(sigma)(curve, X)

        def learnt(name: str, f: Array, loo: float) -> None:
            found.setdefault(name, []).append((loo, np.sqrt(np.mean((f - truth) ** 2))))

        a, loo = exact(K, y)
        learnt("all", K_new @ a, loo)
        for m in (5, 10, 20, 40):
            at = order[:m]
            S = root(K[np.ix_(at, at)])
            w, loo = linear(K[:, at] @ S, y)
            learnt(f"{m} landmarks", K_new[:, at] @ (S @ w), loo)
            a, loo = exact(K[np.ix_(at, at)], y[at])
            learnt(f"subsample of {m}", K_new[:, at] @ a, loo)
    row = {name: min(tried)[1] for name, tried in found.items()}
    return row | {f"{k} times all": k * row["all"] for k in (1.01, 1.2, 3)}


# ---------------------------------------------------------------- which landmarks


FLOWN, VALLEY = 1000, 900


def told_by_others(U: Array, s: Array, y: Array) -> dict[float, Array]:
    """Leave-one-out errors of the smoother U diag(s/(s + λ)) Uᵀ at all points, for each λ."""
    keeps = {lam: s / (s + lam) for lam in PRICES}
    return {lam: (y - U @ (keep * (U.T @ y))) / (1 - U**2 @ keep) for lam, keep in keeps.items()}


@table("error on the whole map, after a flight (m)", draws=60, of="flights", slow=True)
def ch10_flights(draw: int) -> Row:
    """1000 heights, nine tenths of them over one valley; landmarks chosen in four ways.

    Each map has its width and λ from leave-one-out, whose errors count alike, or, "by land", each for the land that its
    reading stands for.
    """
    (X, y), rng = land(), np.random.default_rng(draw)
    valley, level = (X < 7).all(axis=1), y.mean()
    inside, outside = np.flatnonzero(valley), np.flatnonzero(~valley)
    flown = np.concatenate([rng.choice(inside, VALLEY, False), rng.choice(outside, FLOWN - VALLEY, False)])
    new = rng.choice(np.setdiff1d(np.arange(len(X)), flown), 3000, False)
    P, heights = X[flown], y[flown] - level
    shares = np.repeat([valley.mean() / VALLEY, 1 - valley.mean()], [VALLEY, FLOWN - VALLEY])
    shares[VALLEY:] /= FLOWN - VALLEY
    counts, lot = (25, 50, 100, 200), rng.permutation(FLOWN)
    groups = {m: kmeans(P, m, n_init=1, rng=draw).centers for m in counts}
    row: Row = {}
    tried: dict[str, list[tuple[float, float, float, float, Array]]] = {}
    for sigma in (0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0, 11.0):
        bell = Gaussian(sigma)
        s, U = eigh(bell(P))
        kept = s > 1e-12 * s[-1]
        s, U = s[kept], U[:, kept]
        leverage = U**2 @ (s / (s + 0.1))
        if sigma == 1.4:
            row |= {"valley": leverage[:VALLEY].mean(), "outside": leverage[VALLEY:].mean()}
        smoothers = {"all": (P, U, s)}
        for m in counts:
            for name, Z in {
                "by lot": P[lot[:m]],
                "leverage": P[rng.choice(FLOWN, m, False, p=leverage / leverage.sum())],
                "pivots": P[pivoted_landmarks(bell, P, m, rng=draw)],
                "k-means": groups[m],
            }.items():
                F = bell(P, Z) @ root(bell(Z))
                s, V = eigh(F.T @ F)
                kept = s > 1e-12 * s[-1]
                smoothers[f"{m} {name}"] = Z, F @ V[:, kept] / np.sqrt(s[kept]), s[kept]
        for name, (Z, U, s) in smoothers.items():
            for lam, errors in told_by_others(U, s, heights).items():
                found = np.mean(errors**2), shares @ errors**2, sigma, lam, Z
                tried.setdefault(name, []).append(found)
    for name, each in tried.items():
        for rule, how in enumerate(("", " by land")):
            *_, sigma, lam, Z = min(each, key=lambda one, rule=rule: one[rule])
            model = NystromRidge(Gaussian(sigma), landmarks=Z, lam=lam).fit(P, heights)
            row[name + how] = np.sqrt(np.mean((model.predict(X[new]) + level - y[new]) ** 2))
            row[f"width of {name}{how}"] = sigma
    return row


@table("error on the whole map, after a flight, 200 landmarks by lot (m)", draws=60, of="other flights")
def ch10_flight_rules(draw: int) -> Row:
    """What decides there: the width by land, or λ. Each of both by land, or with errors that count alike."""
    (X, y), rng = land(), np.random.default_rng([1, draw])
    valley, level = (X < 7).all(axis=1), y.mean()
    flown = np.concatenate(
        [rng.choice(np.flatnonzero(at), k, False) for at, k in ((valley, VALLEY), (~valley, FLOWN - VALLEY))]
    )
    new = rng.choice(np.setdiff1d(np.arange(len(X)), flown), 3000, False)
    P, heights, Z = X[flown], y[flown] - level, X[flown[rng.permutation(FLOWN)[:200]]]
    shares = np.repeat([valley.mean() / VALLEY, 1 - valley.mean()], [VALLEY, FLOWN - VALLEY])
    shares[VALLEY:] /= FLOWN - VALLEY
    tried: dict[float, dict[float, tuple[float, float]]] = {}
    for sigma in (0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0, 11.0):
        F = Gaussian(sigma)(P, Z) @ root(Gaussian(sigma)(Z))
        s, V = eigh(F.T @ F)
        kept = s > 1e-12 * s[-1]
        told = told_by_others(F @ V[:, kept] / np.sqrt(s[kept]), s[kept], heights)
        tried[sigma] = {lam: (np.mean(errors**2), shares @ errors**2) for lam, errors in told.items()}
    row = {}
    for rule, how in enumerate(("width alike", "width by land")):
        sigma = min(tried, key=lambda w, rule=rule: min(each[rule] for each in tried[w].values()))
        for other, then in enumerate((" and λ alike", " and λ by land")):
            lam = min(tried[sigma], key=lambda price, other=other, sigma=sigma: tried[sigma][price][other])
            model = NystromRidge(Gaussian(sigma), landmarks=Z, lam=lam).fit(P, heights)
            row[how + then] = np.sqrt(np.mean((model.predict(X[new]) + level - y[new]) ** 2))
    return row


@table("digits with 100 landmarks: relative error of the Gram matrix, and per cent wrong", draws=60, of="splits")
def ch10_landmarks(draw: int) -> Row:
    X, labels, new, right = dealt(draw)
    rng, Y, row = np.random.default_rng(draw), np.eye(10)[labels], {}
    for sigma in (1.0, 2.0):
        bell = Gaussian(sigma)
        K, leverage = bell(X), leverage_scores(bell, X, lam=0.1)
        values = np.linalg.eigvalsh(K)
        row |= {
            f"least at {sigma}": leverage.min(),
            f"greatest at {sigma}": leverage.max(),
            f"sum at {sigma}": leverage.sum(),
        }
        row[f"best possible at {sigma}"] = np.linalg.norm(values[:-100]) / np.linalg.norm(values)
        grouped = kmeans(X, 100, n_init=1, rng=draw).centers
        spread, far = [0], np.full(len(X), np.inf)  # the digits are in random order
        while len(spread) < 100:
            far = np.minimum(far, ((X - X[spread[-1]]) ** 2).sum(axis=1))
            spread.append(int(far.argmax()))
        for name, Z in {
            "by lot": X[rng.permutation(len(X))[:100]],
            "leverage": X[rng.choice(len(X), 100, False, p=leverage / leverage.sum())],
            "pivots": X[pivoted_landmarks(bell, X, 100, rng=draw)],
            "k-means": grouped,
            "the farthest digits": X[spread],  # each the farthest from those before it
            "the digits nearest to centres": X[np.unique(cKDTree(X).query(grouped)[1])],  # nothing lies between points
        }.items():
            features = Nystrom(bell, landmarks=Z).fit(X)
            F = features.transform(X)
            row[f"{name} at {sigma}"] = np.linalg.norm(K - F @ F.T) / np.linalg.norm(K)
            said = (features.transform(new) @ linear(F, Y)[0]).argmax(axis=1)
            row[f"wrong with {name} at {sigma}"] = 100 * np.mean(said != right)
    return row


HOLE, FEW = 3, 500  # half the width of a hole, and landmarks


def holes(draw: int) -> list[tuple[Array, Array]]:
    """Heights on the rim of holes, and in their middle, less the rim's mean: in the west, the middle and the east."""
    heights, r, rng = land()[1].reshape(344, 403), HOLE, np.random.default_rng(draw)
    rim = [(i, j) for i in range(-r, r + 1) for j in range(-r, r + 1) if max(abs(i), abs(j)) == r]
    found = []
    for first, last, n in ((r, 200, 20_000), (210, 270, 3000), (280, 403 - r, 3000)):
        rows, columns = np.meshgrid(np.arange(r, 344 - r), np.arange(first, last), indexing="ij")
        at = rng.choice(rows.size, n, False)
        i, j = rows.ravel()[at], columns.ravel()[at]
        around = np.stack([heights[i + a, j + b] for a, b in rim], axis=1)
        level = around.mean(axis=1)
        found.append((around - level[:, None], heights[i, j] - level))
    return found


@table(
    "error of the height in the middle of a hole, from the 24 on its rim (m)", draws=10, of="lots of holes", slow=True
)
def ch10_holes(draw: int) -> Row:
    """20 000 holes in the west of the map to learn from; settings are chosen in the middle, and errors are of the east.

    Twelve settings for each method. A fit of the subsample takes as many multiplications as 500 landmarks.
    """
    (A, y), *others = holes(draw)
    size = A.std()
    A, others, rng = A / size, [(B / size, right) for B, right in others], np.random.default_rng([1, draw])
    tried: dict[str, list[tuple[float, float]]] = {}

    def told(name: str, *said: Array) -> None:
        both = [np.sqrt(np.mean((f - right) ** 2)) for f, (_, right) in zip(said, others, strict=True)]
        tried.setdefault(name, []).append((both[0], both[1]))

    told("mean of the rim", *(np.zeros(len(right)) for _, right in others))
    for lam in 10.0 ** np.arange(-5, 7):
        w = np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T @ y)
        told("a plane", *(B @ w for B, _ in others))
    near = [cKDTree(A).query(B, 80)[1] for B, _ in others]
    spread, *spreads = (B.std(axis=1) + 1 / size for B in (A, *(B for B, _ in others)))  # and a metre, for flat rims
    alike = cKDTree(A / spread[:, None])
    near_in_shape = [alike.query(B / s[:, None], 80)[1] for (B, _), s in zip(others, spreads, strict=True)]
    for k in (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60, 80):
        told("nearest neighbours", *(y[at[:, :k]].mean(axis=1) for at in near))
        told("nearest in shape", *(s * (y / spread)[at[:, :k]].mean(axis=1)
                                   for at, s in zip(near_in_shape, spreads, strict=True)))  # fmt: skip
    cheap = 2500
    draws = rng.standard_normal((A.shape[1], FEW // 2))
    for sigma in np.sqrt(A.shape[1]) * np.array([0.5, 0.7, 1.0, 1.4]):
        bell, Z, omega = Gaussian(sigma), A[:FEW], draws / sigma
        S = root(bell(Z))
        ways = {
            "landmarks": lambda B, bell=bell, Z=Z, S=S: bell(B, Z) @ S,
            "random features": lambda B, omega=omega: waves(B, omega),
        }
        for name, features in ways.items():
            F, new = features(A), [features(B) for B, _ in others]
            G, c = F.T @ F, F.T @ y
            for lam in (1e-4, 1e-2, 1.0):
                w = np.linalg.solve(G + lam * np.eye(len(G)), c)
                told(name, *(B @ w for B in new))
        K, new = bell(A[:cheap]), [bell(B, A[:cheap]) for B, _ in others]
        for lam in (1e-4, 1e-2, 1.0):
            a = np.linalg.solve(K + lam * np.eye(cheap), y[:cheap])
            told("subsample", *(B @ a for B in new))
    return {name: min(each)[1] for name, each in tried.items()}


# ---------------------------------------------------------------- the course's methods on the digits

Gram = Callable[[Array, Array, float], Array]
Fit = Callable[[Array, Array, float], tuple[Array, Array]]
Prices = tuple[float, ...]
Family = Callable[..., list[Array]]  # (X, labels, new points, which alone) → labels, for each setting
WIDTHS = (1.0, 1.4, 2.0, 2.8)
FEATURES = 320


def gaussian(A: Array, B: Array, sigma: float) -> Array:
    return Gaussian(sigma)(A, B)


def plane(A: Array, B: Array, sigma: float) -> Array:
    return A @ B.T


def through(Z: Array, A: Array, B: Array, sigma: float) -> Array:
    S = root(gaussian(Z, Z, sigma))
    return (gaussian(A, Z, sigma) @ S) @ (gaussian(B, Z, sigma) @ S).T


def lots(A: Array, B: Array, sigma: float) -> Array:
    return through(A[:FEATURES], A, B, sigma)


def centres(A: Array, B: Array, sigma: float) -> Array:
    return through(grouped(A.tobytes(), len(A)), A, B, sigma)


@cache
def grouped(points: bytes, n: int) -> Array:
    return kmeans(np.frombuffer(points).reshape(n, -1), FEATURES, n_init=1, rng=0).centers


def cosines(A: Array, B: Array, sigma: float) -> Array:
    lot = crc32(A[0].tobytes())  # the first that is learnt from: each split has frequencies of its own, tuned or fitted
    omega = np.random.default_rng(lot).standard_normal((A.shape[1], FEATURES // 2)) / sigma
    return waves(A, omega) @ waves(B, omega).T


def cosines_with_phases(A: Array, B: Array, sigma: float) -> Array:
    rng = np.random.default_rng(crc32(A[0].tobytes()))
    omega, b = rng.standard_normal((A.shape[1], FEATURES)) / sigma, rng.uniform(0, 2 * np.pi, FEATURES)
    return phased(A, omega, b) @ phased(B, omega, b).T


# each of these returns a column of α, and b, of f(x) = Σ α_i k(x_i, x) + b for each column of signs


def ridge(K: Array, T: Array, lam: float) -> tuple[Array, Array]:
    found = cho_solve(cho_factor(K + lam * np.eye(len(K))), np.column_stack([T, np.ones(len(K))]))
    b = found[:, :-1].sum(axis=0) / found[:, -1].sum()
    return found[:, :-1] - b * found[:, -1:], b


def machine(K: Array, T: Array, C: float) -> tuple[Array, Array]:
    A, fits = np.zeros(T.shape), [SVC(kernel="precomputed", C=C).fit(K, t) for t in T.T]
    for a, fitted in zip(A.T, fits, strict=True):
        a[fitted.support_] = fitted.dual_coef_[0]
    return A, np.array([fitted.intercept_[0] for fitted in fits])


def fisher(K: Array, T: Array, lam: float) -> tuple[Array, Array]:
    """Kernel LDA of two classes, one column."""
    means = np.column_stack([K[:, T[:, 0] == sign].mean(axis=1) for sign in (1, -1)])
    within = K - np.where(T[:, 0] == 1, means[:, :1], means[:, 1:])
    a = np.linalg.solve(within @ within.T + lam * np.eye(len(K)), means[:, :1] - means[:, 1:])
    return a, -a.T @ means.mean(axis=1)


def perceptron(K: Array, T: Array, passes: int) -> tuple[Array, Array]:
    A = np.zeros(T.shape)
    for a, t in zip(A.T, T.T, strict=True):
        f = np.zeros(len(K))
        for _ in range(passes):
            before = a.copy()
            for i in range(len(K)):
                if t[i] * f[i] <= 0:
                    a[i] += t[i]
                    f += t[i] * K[i]
            if np.array_equal(a, before):
                break
    return A, np.zeros(T.shape[1])


def by_pairs(fit: Fit, K: Array, labels: Array, K_new: Array, price: float) -> Array:
    """A machine for each pair of digits; most votes win, and among equals those that are surer."""
    if fit is machine:  # libsvm deals and counts in the same way, in one call
        fitted = SVC(kernel="precomputed", C=price, decision_function_shape="ovr").fit(K, labels)
        return fitted.decision_function(K_new.T).argmax(axis=1)
    votes = np.zeros((10, K_new.shape[1]))
    for one, other in combinations(range(10), 2):
        at = np.flatnonzero((labels == one) | (labels == other))
        a, b = fit(K[np.ix_(at, at)], np.where(labels[at] == one, 1.0, -1.0)[:, None], price)
        f = a[:, 0] @ K_new[at] + b
        sure = np.sign(f) + 1e-3 * np.tanh(f)
        votes[one] += sure
        votes[other] -= sure
    return votes.argmax(axis=0)


def against_rest(fit: Fit, K: Array, labels: Array, K_new: Array, price: float) -> Array:
    """A machine for each digit; the largest f wins."""
    A, b = fit(K, np.where(labels[:, None] == np.arange(10), 1.0, -1.0), price)
    return (A.T @ K_new + b[:, None]).argmax(axis=0)


def machines(coding: Callable, fit: Fit, gram: Gram, prices: Prices, widths: Prices = WIDTHS) -> Family:
    """What they say, in turn, of each width and each price (or of one of them alone)."""
    settings = [(sigma, price) for sigma in widths for price in prices]

    def say(X: Array, labels: Array, new: Array, only: int | None = None) -> list[Array]:
        asked = settings if only is None else [settings[only]]
        grams = {sigma: (gram(X, X, sigma), gram(X, new, sigma)) for sigma in {sigma for sigma, _ in asked}}
        return [coding(fit, grams[sigma][0], labels, grams[sigma][1], price) for sigma, price in asked]

    return say


def plain(made: Callable, settings: Sequence[float]) -> Family:
    """The same of a classifier of the course with one setting."""

    def say(X: Array, labels: Array, new: Array, only: int | None = None) -> list[Array]:
        asked = settings if only is None else [settings[only]]
        return [made(setting).fit(X, labels).predict(new) for setting in asked]

    return say


def wrong(say: Family, X: Array, labels: Array, new: Array, right: Array) -> float:
    """Per cent wrong with the setting that was best on the last quarter of what there is to learn from."""
    cut = 3 * len(X) // 4
    missed = [np.sum(said != labels[cut:]) for said in say(X[:cut], labels[:cut], X[cut:])]
    return 100 * np.mean(say(X, labels, new, int(np.argmin(missed)))[0] != right)


LAM, SLACK, PASSES = (1e-3, 1e-1), (1.0, 10.0), (3, 30)  # two prices beside four widths
EIGHT = tuple(10.0 ** np.linspace(-2, 1.5, 8))  # eight for those who have no width


@table("digits of 797 that are wrong (%), 1000 to learn from", draws=60, of="splits", slow=True)
def ch10_course(draw: int) -> Row:
    """Eight settings for each row; a machine for each pair of digits, wherever a method knows two classes."""
    X, labels, new, right = dealt(draw)
    rows = {
        "nearest neighbours": plain(KNNClassifier, range(1, 9)),
        "windows": plain(ParzenClassifier, np.linspace(0.2, 0.9, 8)),
        "perceptron": machines(by_pairs, perceptron, gaussian, PASSES),
        "ridge": machines(by_pairs, ridge, gaussian, LAM),
        "linear ridge": machines(by_pairs, ridge, plane, EIGHT, (1.0,)),
        "support vectors": machines(by_pairs, machine, gaussian, SLACK),
        "linear support vectors": machines(by_pairs, machine, plane, EIGHT, (1.0,)),
        "kernel LDA": machines(by_pairs, fisher, gaussian, LAM),
        "landmarks": machines(by_pairs, ridge, lots, LAM),
        "centres": machines(by_pairs, ridge, centres, LAM),
        "random features": machines(by_pairs, ridge, cosines, LAM),
        "random features with phases": machines(by_pairs, ridge, cosines_with_phases, LAM),
    }
    row = {name: wrong(say, X, labels, new, right) for name, say in rows.items()}
    row["subsample"] = wrong(rows["ridge"], X[:FEATURES], labels[:FEATURES], new, right)
    return row


@table("digits of 797 that are wrong (%), 1000 to learn from", draws=40, of="splits", slow=True)
def ch10_coding(draw: int) -> Row:
    """Kernel, coding and loss, each changed alone; eight settings for each machine; 320 features by squares."""
    found, row = dealt(draw), {}
    for coding, how in (("by pairs", by_pairs), ("against the rest", against_rest)):
        row |= {
            f"planes {coding} squares": wrong(machines(how, ridge, plane, EIGHT, (1.0,)), *found),
            f"planes {coding} hinge": wrong(machines(how, machine, plane, EIGHT, (1.0,)), *found),
            f"bells {coding} squares": wrong(machines(how, ridge, gaussian, LAM), *found),
            f"bells {coding} hinge": wrong(machines(how, machine, gaussian, SLACK), *found),
            f"bells {coding} perceptron": wrong(machines(how, perceptron, gaussian, PASSES), *found),
            f"landmarks {coding}": wrong(machines(how, ridge, lots, LAM), *found),
            f"random features {coding}": wrong(machines(how, ridge, cosines, LAM), *found),
        }
    return row


@table("digits of 797 that are wrong (%), 1000 to learn from", draws=40, of="splits", slow=True)
def ch10_rest(draw: int) -> Row:
    """320 features that 1000 points share, a machine for each digit against the rest, and the nearest neighbours."""
    found = dealt(draw)
    return {
        "nearest neighbours": wrong(plain(KNNClassifier, range(1, 9)), *found),
        "landmarks": wrong(machines(against_rest, ridge, lots, LAM), *found),
        "random features": wrong(machines(against_rest, ridge, cosines, LAM), *found),
    }


@table("digits of 797 that are wrong (%), 320 features as scikit-learn makes them", 20, of="splits", slow=True)
def ch10_defaults(draw: int) -> Row:
    """At their default gamma, with pixels from 0 to 16 and to 1, and with a gamma from threefold cross-validation."""
    X, labels, new, right = dealt(draw)
    row: Row = {}
    for features in (RBFSampler, Nystroem):
        plain = Pipeline([("first", features(n_components=320, random_state=draw)), ("then", RidgeClassifier(0.1))])
        widths = {"first__gamma": [1 / (2 * s**2) for s in (1.0, 1.4, 2.0, 2.8, 4.0)]}
        chosen = GridSearchCV(plain, widths, cv=3)
        for how, model, scale in (("on 0 to 16", plain, 16), ("on 0 to 1", plain, 1), ("chosen", chosen, 1)):
            said = model.fit(scale * X, labels).predict(scale * new)
            row[f"{features.__name__} {how}"] = 100 * np.mean(said != right)
    return row


CLAIMS = [
    Claim("triangles", ch10_near, less="triangles", than="nearest", holds=20, unit="m"),
    Claim("scale-16", ch10_defaults, less="Nystroem on 0 to 1", than="Nystroem on 0 to 16", holds=20, unit="per cent"),
    Claim(
        "default-width", ch10_defaults, less="RBFSampler chosen", than="RBFSampler on 0 to 1", holds=20, unit="per cent"
    ),
    Claim(
        "chosen-nystroem", ch10_defaults, less="Nystroem chosen", than="Nystroem on 0 to 1", holds=19, unit="per cent"
    ),
    Claim("fourteen-near", ch10_fourteen, less="nearest", than="500 bells", holds=20, unit="m"),
    Claim("fourteen-exact", ch10_fourteen, less="500 bells", than="1300 exactly", holds=20, unit="m"),
    Claim("everybody", ch10_bells_drawn, less="B", than="A", holds=20, unit="m"),
    Claim("sinc-20", ch10_sinc, less="20 landmarks", than="1.01 times all", holds=85),
    Claim("sinc-10", ch10_sinc, less="10 landmarks", than="1.2 times all", holds=70),
    Claim("sinc-alone", ch10_sinc, less="3 times all", than="subsample of 40", holds=80),
    *(
        Claim(f"flights-{chosen}", ch10_flights, less=f"200 {chosen}", than="200 by lot", holds=59, unit="m")
        for chosen in ("leverage", "pivots", "k-means")
    ),
    *(
        Claim(
            f"flights-{chosen}-{few}",
            ch10_flights,
            less=f"{few} {chosen} by land",
            than=f"{few} by lot by land",
            holds=times,
            unit="m",
        )
        for few, times in ((50, 53), (100, 45))
        for chosen in ("leverage", "pivots", "k-means")
    ),
    *(
        Claim(
            f"flights-width-{chosen}", ch10_flights, less="200 by lot by land", than=f"200 {chosen}", holds=55, unit="m"
        )
        for chosen in ("leverage", "pivots", "k-means")
    ),
    Claim("flights-pivots-centres", ch10_flights, less="200 pivots", than="200 k-means", holds=31, unit="m"),
    Claim("flights-wide", ch10_flights, less="width of 200 k-means", than="width of 25 k-means", holds=55, unit="km"),
    Claim("flights-wide-error", ch10_flights, less="25 k-means", than="200 k-means", holds=45, unit="m"),
    Claim(
        "flights-rule",
        ch10_flight_rules,
        less="width by land and λ alike",
        than="width alike and λ by land",
        holds=50,
        unit="m",
    ),
    Claim(
        "centres-narrow",
        ch10_landmarks,
        less="wrong with k-means at 1.0",
        than="wrong with by lot at 1.0",
        holds=60,
        unit="per cent",
    ),
    Claim(
        "centres-wide",
        ch10_landmarks,
        less="wrong with k-means at 2.0",
        than="wrong with by lot at 2.0",
        holds=60,
        unit="per cent",
    ),
    Claim(
        "spread",
        ch10_landmarks,
        less="wrong with the farthest digits at 1.0",
        than="wrong with by lot at 1.0",
        holds=57,
        unit="per cent",
    ),
    Claim(
        "spread-wide",
        ch10_landmarks,
        less="wrong with the farthest digits at 2.0",
        than="wrong with by lot at 2.0",
        holds=50,
        unit="per cent",
    ),
    Claim(
        "between",
        ch10_landmarks,
        less="wrong with k-means at 1.0",
        than="wrong with the digits nearest to centres at 1.0",
        holds=57,
        unit="per cent",
    ),
    Claim(
        "between-wide",
        ch10_landmarks,
        less="wrong with k-means at 2.0",
        than="wrong with the digits nearest to centres at 2.0",
        holds=48,
        unit="per cent",
    ),
    Claim("spread-gram", ch10_landmarks, less="by lot at 1.0", than="the farthest digits at 1.0", holds=60),
    Claim(
        "phases-320", ch10_kinds, less="digits with 320 phases", than="digits with 320 pairs", holds=33, unit="per cent"
    ),
    Claim("poor-gram", ch10_poor_gram, less="random features", than="subsample", holds=290, unit="m"),
    Claim("poor-gram-own", ch10_heights, less="80 random features", than="subsample of 80", holds=20, unit="m"),
    Claim("wider", ch10_heights, less="width of 320 landmarks", than="width of 80 landmarks", holds=20, unit="km"),
    Claim("heights-320", ch10_heights, less="320 landmarks", than="320 random features", holds=20, unit="m"),
    Claim(
        "narrow",
        ch10_digits,
        less="subsample of 320 at 1.0",
        than="320 random features at 1.0",
        holds=60,
        unit="per cent",
    ),
    Claim(
        "good",
        ch10_digits,
        less="320 random features at 2.0",
        than="subsample of 320 at 2.0",
        holds=35,
        unit="per cent",
    ),
    Claim("digits-320", ch10_digits, less="320 landmarks", than="320 random features", holds=58, unit="per cent"),
    Claim(
        "narrow-waves",
        ch10_digits,
        less="320 random features at 2.0",
        than="320 random features at 0.7",
        holds=60,
        unit="per cent",
    ),
    Claim(
        "narrow-bells", ch10_digits, less="320 landmarks at 2.0", than="320 landmarks at 0.7", holds=60, unit="per cent"
    ),
    Claim("three-ideas", ch10_course, less="support vectors", than="nearest neighbours", holds=42, unit="per cent"),
    Claim("ridge-neighbours", ch10_course, less="ridge", than="nearest neighbours", holds=54, unit="per cent"),
    Claim("features", ch10_course, less="random features", than="subsample", holds=54, unit="per cent"),
    Claim("lots", ch10_course, less="landmarks", than="subsample", holds=58, unit="per cent"),
    Claim("rest-neighbours", ch10_rest, less="nearest neighbours", than="random features", holds=33, unit="per cent"),
    *(
        Claim(f"holes-{worse}", ch10_holes, less="landmarks", than=errs, holds=10, unit="m")
        for worse, errs in (
            ("neighbours", "nearest neighbours"),
            ("shape", "nearest in shape"),
            ("plane", "a plane"),
            ("subsample", "subsample"),
        )  # fmt: skip
    ),
    Claim("centres-features", ch10_course, less="centres", than="random features", holds=36, unit="per cent"),
    Claim("first-function", ch10_course, less="linear support vectors", than="perceptron", holds=48, unit="per cent"),
    Claim("first-function-ridge", ch10_course, less="linear ridge", than="perceptron", holds=44, unit="per cent"),
    Claim(
        "pairs-squares",
        ch10_coding,
        less="planes by pairs squares",
        than="planes against the rest squares",
        holds=40,
        unit="per cent",
    ),
    Claim(
        "pairs-hinge",
        ch10_coding,
        less="planes by pairs hinge",
        than="planes against the rest hinge",
        holds=40,
        unit="per cent",
    ),
    Claim(
        "rest-loss",
        ch10_coding,
        less="planes against the rest hinge",
        than="planes against the rest squares",
        holds=38,
        unit="per cent",
    ),
    Claim(
        "bells-loss", ch10_coding, less="bells by pairs squares", than="bells by pairs hinge", holds=24, unit="per cent"
    ),
    Claim(
        "bells-loss-rest",
        ch10_coding,
        less="bells against the rest squares",
        than="bells against the rest hinge",
        holds=24,
        unit="per cent",
    ),
    *(
        Claim(
            f"bells-planes-{loss}",
            ch10_coding,
            less=f"bells by pairs {loss}",
            than=f"planes by pairs {loss}",
            holds=40,
            unit="per cent",
        )
        for loss in ("squares", "hinge")
    ),
    Claim(
        "perceptron-rest",
        ch10_coding,
        less="bells against the rest perceptron",
        than="bells by pairs perceptron",
        holds=32,
        unit="per cent",
    ),
    Claim(
        "rest-features",
        ch10_coding,
        less="landmarks against the rest",
        than="random features against the rest",
        holds=34,
        unit="per cent",
    ),
    Claim(
        "perceptron-hinge",
        ch10_coding,
        less="bells against the rest hinge",
        than="bells against the rest perceptron",
        holds=39,
        unit="per cent",
    ),
]
