"""Measurements for chapter 8: axes and denoisers on new rings, digit splits and wine folds; and the costs.

There are only 1797 digits and 178 wines, which all splits share, so the spread over splits does not describe other
writers or other vineyards. In a table all methods select their settings from equally many candidates, on pictures or
wines that are not used for testing. The chapter uses the growth of the times, not the speed.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.linalg import eigh
from scipy.spatial.distance import cdist
from sklearn.base import ClassifierMixin
from sklearn.datasets import load_digits, load_wine, make_circles
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kcourse import Gaussian, KernelFisherDiscriminant, Linear
from kcourse.kpca import KernelPCA, center, center_rows
from measured import Claim, Row, table
from measured.common import times

Array = np.ndarray
SIGMA, Q = 30.0, 20


# ---------------------------------------------------------------- two rings, drawn anew


def best_cut(scores: Array, inner: Array) -> float:
    """The share (%) of points on the right side of the best threshold on one line of scores."""
    seen = np.append(0, np.cumsum(inner[np.argsort(scores)]))  # inner ones among the first 0, 1, …, n points
    right = (seen + np.sum(1 - inner) - (np.arange(len(inner) + 1) - seen)) / len(inner)
    return 100 * max(right.max(), 1 - right.min())


@table("points of two rings on the right side of the best cut (%)", 20, of="draws of the rings")
def ch08_rings(draw: int) -> Row:
    X, inner = make_circles(400, factor=0.3, noise=0.05, random_state=draw)
    row: Row = {}
    for name, sigma in (
        ("γ = 0.1", 5**0.5), ("γ = 1", 0.5**0.5), ("γ = 10", 0.05**0.5), ("γ = 100", 0.005**0.5),
        *((f"σ = {s:g}", s) for s in (1.0, 4.0, 0.5, 0.4, 0.32, 0.25)),
    ):  # fmt: skip
        cuts = [best_cut(s, inner) for s in KernelPCA(Gaussian(sigma), n_components=3).fit_transform(X).T]
        row |= {f"first at {name}": cuts[0], f"two at {name}": max(cuts[:2]), f"third at {name}": cuts[2]}
    row["wrong from 0.25 to 0.5"] = 100 - min(row[f"first at σ = {s}"] for s in ("0.5", "0.4", "0.32", "0.25"))
    return row


# ---------------------------------------------------------------- digits, cleaned

NOISES = (2, 4, 8)
AXES = (2, 3, 5, 8, 10, 12, 15, 20, 25, 30, 40, 50)
WINDOWS = (4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 15.0, 18.0)
KERNELS, MANY = (20.0, 30.0, 40.0), (20, 100, 200, 400)
Cleaner = Callable[[Array, float], Array]


def split(draw: int) -> tuple[Array, Array, Array, np.random.Generator]:
    """A drawer of 1000 clean digits, 200 to choose settings with, 597 that judge; and what draws the noise."""
    rng = np.random.default_rng(draw)
    pictures = load_digits().data[rng.permutation(1797)]
    return pictures[:1000], pictures[1000:1200], pictures[1200:], rng


def neighbours(noisy: Array, X: Array, width: float) -> Array:
    """The mean of the drawer with the weights of a Gaussian window."""
    d2 = np.sum(noisy**2, axis=1)[:, None] - 2 * noisy @ X.T + np.sum(X**2, axis=1)
    weights = np.exp(-(d2 - d2.min(axis=1, keepdims=True)) / (2 * width**2))
    return weights @ X / weights.sum(axis=1, keepdims=True)


def local_axes(noisy: Array, s: float, X: Array, width: float) -> Array:
    """Linear PCA that shrinks, with the mean and the axes of a window of the drawer around each noisy picture."""
    d2 = np.sum(noisy**2, axis=1)[:, None] - 2 * noisy @ X.T + np.sum(X**2, axis=1)
    weights = np.exp(-(d2 - d2.min(axis=1, keepdims=True)) / (2 * width**2))
    weights /= weights.sum(axis=1, keepdims=True)
    means, (i, j) = weights @ X, np.triu_indices(X.shape[1])
    C = np.empty((len(noisy), X.shape[1], X.shape[1]))
    C[:, i, j] = C[:, j, i] = weights @ (X[:, i] * X[:, j]) - means[:, i] * means[:, j]
    off_mean = (noisy - means)[:, :, None]
    return means + (C @ np.linalg.solve(C + s**2 * np.eye(X.shape[1]), off_mean))[:, :, 0]  # v / (v + s²) on each axis


def by_axes(noisy: Array, s: float, model: KernelPCA, K: Array, q: int, how: str = "as it came") -> Array:
    """Pre-images from q axes. The row of kernels: times what noise s took from it, or over its own largest entry."""
    row = model.kernel(noisy, model.X_fit_)
    if how == "told":
        row *= np.exp(noisy.shape[1] * s**2 / (2 * model.kernel.sigma**2))
    elif how == "levelled":
        row /= row.max(axis=1, keepdims=True)
    scores = center_rows(row, K) @ model.dual_coef_
    return model.pre_image(np.where(np.arange(scores.shape[1]) < q, scores, 0.0), tol=1e-3).points


def cleaners(X: Array) -> dict[str, list[Cleaner]]:
    """Twelve candidates for each method; linear PCA that shrinks has nothing to choose."""
    mean = X.mean(axis=0)
    _, spread, V = np.linalg.svd(X - mean, full_matrices=False)

    def project(noisy: Array, s: float, q: int) -> Array:
        return mean + (noisy - mean) @ V[:q].T @ V[:q]

    def shrink(noisy: Array, s: float) -> Array:
        kept = spread**2 / len(X)  # the variance λ/n along each axis
        return mean + (noisy - mean) @ V.T * (kept / (kept + s**2)) @ V

    fits = [(KernelPCA(Gaussian(w), n_components=max(MANY)).fit(X), Gaussian(w)(X)) for w in KERNELS]
    pairs = [(model, K, q) for model, K in fits for q in MANY]
    return {
        "linear PCA": [partial(project, q=q) for q in AXES],
        "neighbours": [lambda noisy, s, w=w: neighbours(noisy, X, w) for w in WINDOWS],
        "kernel PCA": [partial(by_axes, model=m, K=K, q=q) for m, K, q in pairs],
        "levelled kernel PCA": [partial(by_axes, model=m, K=K, q=q, how="levelled") for m, K, q in pairs],
        "shrunk linear PCA": [shrink],
        "shrunk local PCA": [partial(local_axes, X=X, width=w) for w in WINDOWS],
        "rescaled kernel PCA": [partial(by_axes, model=m, K=K, q=q, how="told") for m, K, q in pairs],
    }


def off(after: Array, clean: Array) -> float:
    """The mean over pictures of the root of the mean squared error of their pixels."""
    return float(np.mean(np.sqrt(np.mean((after - clean) ** 2, axis=1))))


@table("mean error of a cleaned picture (grey levels)", 20, of="splits of the digits, with fresh noise", slow=True,
       tol=2e-3)  # fmt: skip
def ch08_bill(draw: int) -> Row:
    """Settings for each noise; and, for those who were told nothing, one setting for all three."""
    X, choose, judge, rng = split(draw)
    row: Row = {}
    loud = {s: (choose + s * rng.standard_normal(choose.shape), judge + s * rng.standard_normal(judge.shape))
            for s in NOISES}  # fmt: skip
    for s in NOISES:
        row[f"as it came at {s}"] = off(loud[s][1], judge)
    for name, candidates in cleaners(X).items():
        tried = np.array([[off(clean_up(loud[s][0], s), choose) for clean_up in candidates] for s in NOISES])
        for at, s in enumerate(NOISES):
            best = int(tried[at].argmin())
            row[f"{name} at {s}"], row[f"{name} at {s} chose"] = off(candidates[best](loud[s][1], s), judge), best
        if name == "levelled kernel PCA":  # what each change is worth at 8: the row alone, then q, then σ as well
            kept, at_30 = row["kernel PCA at 8 chose"], range(len(MANY), 2 * len(MANY))
            row["levelled alone at 8"] = off(candidates[kept](loud[8][1], 8), judge)
            again = min(at_30, key=lambda i: tried[-1][i])
            row["levelled with q anew at 8"] = off(candidates[again](loud[8][1], 8), judge)
        if "shrunk" not in name and "rescaled" not in name:
            best = int(tried.mean(axis=0).argmin())
            row[f"{name} with one setting chose"] = best
            for s in NOISES:
                row[f"{name} with one setting at {s}"] = off(candidates[best](loud[s][1], s), judge)
    return row


@table("mean error of a cleaned picture (grey levels), noise 8 unless said, kernel PCA with σ = 30", 10,
       of="splits of the digits, with fresh noise", slow=True, tol=2e-3)  # fmt: skip
def ch08_division(draw: int) -> Row:
    """What the division does by itself, and what more rounds do for local PCA; pictures and noise of the bill."""
    X, choose, clean, rng = split(draw)
    noises = {s: (rng.standard_normal(choose.shape), rng.standard_normal(clean.shape)) for s in NOISES}
    noisy = clean + 8 * noises[8][1]
    model, K = KernelPCA(Gaussian(SIGMA), n_components=max(MANY)).fit(X), Gaussian(SIGMA)(X)
    row: Row = {f"{q} axes {how}": off(by_axes(noisy, 8, model, K, q, how), clean)
                for q in (10, 100, 400) for how in ("as it came", "levelled")}  # fmt: skip
    for s in (8, 4):  # local PCA, its window around what it gave before; a width for each round
        known = at = choose + s * noises[s][0]
        loud = found = clean + s * noises[s][1]
        for turn in (1, 2, 3):
            tried = [off(around(at, known, s, X, width), choose) for width in WINDOWS]
            width = WINDOWS[int(np.argmin(tried))]
            at, found = around(at, known, s, X, width), around(found, loud, s, X, width)
            row[f"local PCA in round {turn}" + " at 4" * (s == 4)] = off(found, clean)
    return row


def around(at: Array, noisy: Array, s: float, X: Array, width: float) -> Array:
    """``local_axes`` with its window around ``at`` and not around the noisy picture."""
    found = np.empty_like(noisy)
    for i, d2 in enumerate(cdist(at, X, "sqeuclidean")):
        weights = np.exp(-(d2 - d2.min()) / (2 * width**2))
        mean = weights @ X / weights.sum()
        C = (X - mean).T @ (weights[:, None] * (X - mean)) / weights.sum()
        found[i] = mean + C @ np.linalg.solve(C + s**2 * np.eye(len(C)), noisy[i] - mean)
    return found


@table("mean error of a cleaned picture (grey levels), kernel PCA with up to 600 axes", 20,
       of="splits of the digits, with fresh noise", slow=True, tol=2e-3)  # fmt: skip
def ch08_axes(draw: int) -> Row:
    """Four hundred axes are the most that the bill offers, and at 2 and 4 the most are chosen: what do 600 change?

    Pictures and noise of the bill. Twelve candidates: three widths with 100, 200, 400 or 600 axes.
    """
    X, choose, judge, rng = split(draw)
    loud = {s: (choose + s * rng.standard_normal(choose.shape), judge + s * rng.standard_normal(judge.shape))
            for s in NOISES}  # fmt: skip
    fits = [(KernelPCA(Gaussian(w), n_components=600).fit(X), Gaussian(w)(X)) for w in KERNELS]
    row: Row = {}
    for s in (2, 4):
        for how, name in (("as it came", "kernel PCA"), ("levelled", "levelled kernel PCA")):
            pairs = [partial(by_axes, model=m, K=K, q=q, how=how) for m, K in fits for q in (100, 200, 400, 600)]
            best = int(np.argmin([off(clean_up(loud[s][0], s), choose) for clean_up in pairs]))
            row[f"{name} at {s}"], row[f"{name} at {s} chose"] = off(pairs[best](loud[s][1], s), judge), best
        windows = [partial(local_axes, X=X, width=w) for w in WINDOWS]
        best = int(np.argmin([off(clean_up(loud[s][0], s), choose) for clean_up in windows]))
        row[f"shrunk local PCA at {s}"] = off(windows[best](loud[s][1], s), judge)
        row[f"apart at {s}"] = abs(row[f"shrunk local PCA at {s}"] - row[f"kernel PCA at {s}"])
    return row


@table("of 597 new digits misread by the nearest neighbour in the drawer", 20,
       of="splits of the digits, with fresh noise", slow=True)  # fmt: skip
def ch08_reader(draw: int) -> Row:
    """Does who reads pictures read more when they are cleaned? With the settings that the bill chose."""
    X, _, clean, rng = split(draw)
    labels = load_digits().target[np.random.default_rng(draw).permutation(1797)]
    reader = KNeighborsClassifier(1).fit(X, labels[:1000])
    model, K = KernelPCA(Gaussian(20.0), n_components=400).fit(X), Gaussian(20.0)(X)
    row: Row = {}
    for s, q, width in ((4, 400, 8.0), (8, 100, 10.0)):
        noisy = clean + s * rng.standard_normal(clean.shape)
        for name, pictures in {
            "noisy": noisy,
            "cleaned": by_axes(noisy, s, model, K, q, "levelled"),
            "neighbours": neighbours(noisy, X, width),
        }.items():
            row[f"{name} at {s}"] = np.sum(reader.predict(pictures) != labels[1200:])
    return row


@table(
    "of the noise (%), with 316 axes or all, and noise 4", 20, of="splits of the digits, with fresh noise", slow=True
)
def ch08_noise(draw: int) -> Row:
    """What comes back in the pictures; and what the axes hold of the move that the noise makes in the feature space."""
    X, _, clean, rng = split(draw)
    clean = clean[:200]
    e = 4 * rng.standard_normal(clean.shape)
    row: Row = {}
    for width, q in ((20.0, 316), (30.0, 316), (60.0, 316), (300.0, 316), (30.0, None)):
        model = KernelPCA(Gaussian(width), n_components=q).fit(X)
        named = f"at σ = {width:g}" + ("" if q else " with all axes")
        scores = model.transform(clean + e)
        back = model.pre_image(scores, tol=1e-3).points - clean
        row[f"back {named}"] = 100 * np.sum(back * e) / np.sum(e * e)
        moved = 2 - 2 * np.exp(-np.sum(e**2, axis=1) / (2 * width**2))  # ‖φ(x + e) - φ(x)‖²
        row[f"held {named}"] = 100 * np.mean(np.sum((scores - model.transform(clean)) ** 2, axis=1) / moved)
    return row


@table("mean error of a cleaned picture (grey levels), noise 4, 200 axes, σ = 30", 10,
       of="splits of the digits, with fresh noise", slow=True, tol=2e-3)  # fmt: skip
def ch08_inverse(draw: int) -> Row:
    """scikit-learn's ridge from scores to pictures, one change after the other, and the pre-image."""
    X, choose, clean, rng = split(draw)
    choose_noisy, noisy = (pictures + 4 * rng.standard_normal(pictures.shape) for pictures in (choose, clean))
    bells = 1 / (2 * SIGMA**2)
    model = TheirKernelPCA(200, kernel="rbf", gamma=bells, fit_inverse_transform=True, eigen_solver="dense").fit(X)
    scores = {name: model.transform(those) for name, those in (("X", X), ("choose", choose_noisy), ("new", noisy))}
    alphas, mean = (1.0, 0.1, 0.01, 1e-3, 1e-4, 1e-5), X.mean(axis=0)

    def ridge(gamma: float, alpha: float, less: Array | float) -> dict[str, Array]:
        machine = KernelRidge(kernel="rbf", gamma=gamma, alpha=alpha).fit(scores["X"], X - less)
        return {name: machine.predict(scores[name]) + less for name in ("choose", "new")}

    def best(gammas: tuple[float, ...], less: Array | float) -> float:
        tried = [ridge(gamma, alpha, less) for gamma in gammas for alpha in alphas]
        return off(min(tried, key=lambda back: off(back["choose"], choose))["new"], clean)

    as_it_is = model.inverse_transform(scores["new"])
    same = np.abs(as_it_is - ridge(bells, 1.0, 0.0)["new"]).max()
    assert same < 1e-6, same
    ours = KernelPCA(Gaussian(SIGMA), n_components=200).fit(X)
    return {
        "as it is": off(as_it_is, clean),
        "alpha chosen": best((bells,), 0.0),
        "alpha chosen and centred": best((bells,), mean),
        "alpha and gamma chosen": best((1.0, 3.0, 5.0, 10.0), 0.0),
        "alpha and gamma chosen and centred": best((1.0, 3.0, 5.0, 10.0), mean),
        "pre-image": off(ours.pre_image(ours.transform(noisy), tol=1e-3).points, clean),
    }


@table("mean error of a cleaned picture (grey levels), noise 4", 13, of="runs of the file", slow=True, tol=2e-3)
def ch08_hands(draw: int) -> Row:
    """Half of a run of the file is cleaned, by a drawer with the other half or with none of it; once more, shuffled.

    Settings are chosen on other pictures, with the drawer that has none of the run; the drawers differ in 69 pictures.
    """
    pictures, row = load_digits().data, {}
    for file, order in (("", np.arange(1797)), ("; shuffled", np.random.default_rng(100 + draw).permutation(1797))):
        rng = np.random.default_rng(draw)
        run = np.array_split(order, 13)[draw]
        judge, own = np.array_split(rng.permutation(run), 2)
        rest = rng.permutation(np.setdiff1d(order, run))
        choose, clean = pictures[rest[1000:1200]], pictures[judge]
        chosen_noisy, noisy = (those + 4 * rng.standard_normal(those.shape) for those in (choose, clean))
        without = cleaners(pictures[rest[:1000]])
        within = cleaners(pictures[np.append(rest[: 1000 - len(own)], own)])
        for name in ("levelled kernel PCA", "neighbours"):
            best = int(np.argmin([off(clean_up(chosen_noisy, 4), choose) for clean_up in without[name]]))
            for part, drawer in (("none", without), ("half", within)):
                row[f"{name}; {part} of the run{file}"] = off(drawer[name][best](noisy, 4), clean)
    return row


@table("mean error of a cleaned picture (grey levels), noise 4", 10, of="splits of the digits, with fresh noise",
       slow=True, tol=2e-3)  # fmt: skip
def ch08_drawer(draw: int) -> Row:
    """What a larger drawer is worth, twelve candidates each; and whether it matters where the way back begins."""
    X, choose, clean, rng = split(draw)
    choose_noisy, noisy = (those + 4 * rng.standard_normal(those.shape) for those in (choose, clean))
    row: Row = {}
    for n in (125, 250, 500, 1000):
        fits = [(KernelPCA(Gaussian(w), n_components=min(max(MANY), n - 1)).fit(X[:n]), Gaussian(w)(X[:n]))
                for w in KERNELS]  # fmt: skip
        methods: dict[str, list[Cleaner]] = {
            "levelled kernel PCA": [partial(by_axes, model=m, K=K, q=q, how="levelled") for m, K in fits for q in MANY],
            "neighbours": [lambda noisy, s, w=w, D=X[:n]: neighbours(noisy, D, w) for w in WINDOWS],
        }
        for name, candidates in methods.items():
            best = int(np.argmin([off(clean_up(choose_noisy, 4), choose) for clean_up in candidates]))
            row[f"{name} of {n}"] = off(candidates[best](noisy, 4), clean)
    model = KernelPCA(Gaussian(SIGMA), n_components=200).fit(X)
    scores = model.transform(noisy)
    gamma, Z = scores @ model.dual_coef_.T + 1 / len(X), noisy
    for _ in range(10):
        W = gamma * Gaussian(SIGMA)(Z, X)
        Z = W @ X / W.sum(axis=1, keepdims=True)
    found = model.pre_image(scores, tol=1e-3).points
    row["begun at the nearest feature"], row["begun at the noisy picture"] = off(found, clean), off(Z, clean)
    row["apart"] = np.abs(found - Z).max()
    return row


@table("of 597 new digits misread by the nearest neighbour on scores, σ = 30", 20, of="splits of the digits")
def ch08_uncentred(draw: int) -> Row:
    pictures, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(draw).permutation(1797)
    train, new = order[:1000], order[1200:]
    row: Row = {}
    model = KernelPCA(Gaussian(SIGMA), n_components=40).fit(pictures[train])
    scores, raw = model.transform(pictures[new]), Gaussian(SIGMA)(pictures[new], pictures[train]) @ model.dual_coef_
    drawn = model.transform(pictures[train])
    for q in (10, 40):
        reader = KNeighborsClassifier(1).fit(drawn[:, :q], labels[train])
        row[f"{q} axes"] = np.sum(reader.predict(scores[:, :q]) != labels[new])
        row[f"{q} axes without centring"] = np.sum(reader.predict(raw[:, :q]) != labels[new])
    return row


# ---------------------------------------------------------------- wines that the axes have not seen


def two_axes(kernel: Any) -> Any:
    return make_pipeline(KernelPCA(kernel), KNeighborsClassifier(1))


def wine_rivals() -> dict[str, list[ClassifierMixin]]:
    """Eight candidates each where something is to be chosen; those with a named width have one."""
    fisher = [KernelFisherDiscriminant(Gaussian(w), lam=lam) for w in (2.0, 3.0, 5.0, 8.0) for lam in (0.1, 1.0)]
    return {
        "nearest neighbours": [KNeighborsClassifier(k) for k in (1, 3, 5, 7, 9, 11, 15, 21)],
        "two linear axes": [two_axes(Linear())],
        "two axes at σ = 3": [two_axes(Gaussian(3.0))],
        "two axes at σ = 1": [two_axes(Gaussian(1.0))],
        "LDA": [LinearDiscriminantAnalysis()],
        "kernel LDA": fisher,
        "kernel LDA at σ = 3": [KernelFisherDiscriminant(Gaussian(3.0), lam=0.1)],
        "kernel LDA at σ = 1": [KernelFisherDiscriminant(Gaussian(1.0), lam=0.1)],
    }


def ten_folds(seed: int) -> StratifiedKFold:
    return StratifiedKFold(10, shuffle=True, random_state=seed)


@table("of 178 wines wrong, each when it was new", 20, of="partitions into ten folds", slow=True)
def ch08_wines(draw: int) -> Row:
    X, y = load_wine(return_X_y=True)
    row: Row = dict.fromkeys(wine_rivals(), 0.0)
    alone = 0  # wines on which only one of the two errs
    narrow = dict.fromkeys((1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0), 0)
    for learn, new in ten_folds(draw).split(X, y):
        wrong = {}
        for name, candidates in wine_rivals().items():
            chosen = candidates[0]
            if len(candidates) > 1:
                chosen = candidates[int(np.argmin([held_out(c, X[learn], y[learn], draw) for c in candidates]))]
            wrong[name] = misses(chosen, X[learn], y[learn], X[new], y[new])
            row[name] += np.sum(wrong[name])
        alone += np.sum(wrong["kernel LDA"] != wrong["LDA"])
        for lam in narrow:
            model = KernelFisherDiscriminant(Gaussian(1.0), lam=lam)
            narrow[lam] += np.sum(misses(model, X[learn], y[learn], X[new], y[new]))
    row["kernel LDA at σ = 1 with the best λ of six"] = min(narrow.values())  # chosen with hindsight
    row["kernel LDA from LDA"] = abs(row["kernel LDA"] - row["LDA"])
    row["2 s.e. of kernel LDA"] = 2 * alone**0.5
    return row


def held_out(model: ClassifierMixin, X: Array, y: Array, seed: int) -> int:
    """How many of those that are learnt from are wrong when they are left out, ten folds once more."""
    return sum(np.sum(misses(model, X[a], y[a], X[b], y[b])) for a, b in ten_folds(seed).split(X, y))


def misses(model: ClassifierMixin, X: Array, y: Array, new: Array, labels: Array) -> Array:
    return make_pipeline(StandardScaler(), model).fit(X, y).predict(new) != labels


# ---------------------------------------------------------------- what it costs


def all_axes(X: Array) -> Array:
    """Every eigenvalue and eigenvector, by LAPACK."""
    return eigh(center(Gaussian(SIGMA)(X)))[0][::-1][:Q]


def few_axes(X: Array) -> Array:
    return KernelPCA(Gaussian(SIGMA), n_components=Q).fit(X).eigenvalues_


def theirs(X: Array) -> Array:
    model = TheirKernelPCA(Q, kernel="rbf", gamma=1 / (2 * SIGMA**2), eigen_solver="arpack", random_state=0)
    return model.fit(X).eigenvalues_


def digits_and_more(n: int) -> Array:
    """The digits, and beyond 1697 the same once more with a little noise: no two are alike."""
    pictures = load_digits().data[:1697]
    more = np.random.default_rng(n).standard_normal((max(n - 1697, 0), 64))
    return np.vstack([pictures, np.resize(pictures, more.shape) + more])[:n]


@table("median seconds of the processor, digits, d = 64, q = 20",
       over=(200, 283, 400, 566, 800, 1131, 1600, 2263, 3200, 4525), of="sizes n", timed=True)  # fmt: skip
def ch08_cost(n: int) -> Row:
    X, new = digits_and_more(n), load_digits().data[-100:]
    right = all_axes(X)
    assert np.abs(few_axes(X) - right).max() < 1e-9 * right[0]
    assert np.abs(theirs(X) - right).max() < 1e-9 * right[0]
    model = KernelPCA(Gaussian(SIGMA), n_components=Q).fit(X)
    scores = model.transform(new)
    calls = {
        "all_axes": lambda: all_axes(X),
        "few_axes": lambda: few_axes(X),
        "sklearn_few": lambda: theirs(X),
        "score_100": lambda: model.transform(new),
        "pre_image_100": lambda: model.pre_image(scores, tol=1e-3),
    }
    runs = 9 if n < 600 else 5 if n < 2000 else 2
    return {"n": n} | {name: statistics.median(times(call, runs)) for name, call in calls.items()}


@table("scores of a thousand digits, beside those of linear PCA", over=(30.0, 3e2, 3e3, 3e4, 3e5, 3e6), of="widths",
       timed=True)  # fmt: skip
def ch08_wide(sigma: float) -> Row:
    """The wider the kernel, the nearer to linear PCA, until rounding eats what is left of the differences."""
    X = load_digits().data[:1000]
    U, size, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    model = KernelPCA(Gaussian(sigma), n_components=None).fit(X)
    row: Row = {"σ": sigma, "axes": len(model.eigenvalues_)}
    for k in (1, 20):
        if k > len(model.eigenvalues_):
            row[f"off on axis {k}"] = np.nan
            continue
        mine, linear = sigma * model.dual_coef_[:, k - 1] * model.eigenvalues_[k - 1], U[:, k - 1] * size[k - 1]
        row[f"off on axis {k}"] = np.linalg.norm(mine * np.sign(mine @ linear) - linear) / size[k - 1]
    return row


CLAIMS = [
    Claim("rings-first", ch08_rings, less="wrong from 0.25 to 0.5", than=0.1, holds=20, unit="%"),
    Claim("clean-2", ch08_bill, less="kernel PCA at 2", than="shrunk linear PCA at 2", holds=20, unit="grey levels"),
    Claim("clean-4", ch08_bill, less="kernel PCA at 4", than="neighbours at 4", holds=20, unit="grey levels"),
    Claim("local-2", ch08_bill, less="shrunk local PCA at 2", than="kernel PCA at 2", holds=20, unit="grey levels"),
    Claim("local-4", ch08_bill, less="shrunk local PCA at 4", than="kernel PCA at 4", holds=20, unit="grey levels"),
    Claim("axes-2", ch08_axes, less="shrunk local PCA at 2", than="kernel PCA at 2", holds=20, unit="grey levels"),
    Claim("axes-4", ch08_axes, less="apart at 4", than=0.02, holds=20, unit="grey levels"),
    Claim("reader-8", ch08_reader, less="cleaned at 8", than="noisy at 8", holds=17, unit="digits"),
    Claim(
        "levelled-4",
        ch08_bill,
        less="levelled kernel PCA at 4",
        than="shrunk local PCA at 4",
        holds=20,
        unit="grey levels",
    ),
    Claim(
        "levelled-local-8",
        ch08_bill,
        less="levelled kernel PCA at 8",
        than="shrunk local PCA at 8",
        holds=20,
        unit="grey levels",
    ),
    Claim("drowned-8", ch08_bill, less="neighbours at 8", than="kernel PCA at 8", holds=20, unit="grey levels"),
    Claim("shrunk-8", ch08_bill, less="shrunk linear PCA at 8", than="kernel PCA at 8", holds=20, unit="grey levels"),
    Claim(
        "levelled-8",
        ch08_bill,
        less="levelled kernel PCA at 8",
        than="shrunk linear PCA at 8",
        holds=20,
        unit="grey levels",
    ),
    Claim(
        "untold-8",
        ch08_bill,
        less="levelled kernel PCA at 8",
        than="rescaled kernel PCA at 8",
        holds=20,
        unit="grey levels",
    ),
    Claim("alone-8", ch08_bill, less="kernel PCA at 8", than="levelled alone at 8", holds=20, unit="grey levels"),
    Claim(
        "division-10", ch08_division, less="10 axes levelled", than="10 axes as it came", holds=10, unit="grey levels"
    ),
    Claim(
        "division-100",
        ch08_division,
        less="100 axes levelled",
        than="100 axes as it came",
        holds=10,
        unit="grey levels",
    ),
    Claim(
        "division-400",
        ch08_division,
        less="400 axes as it came",
        than="400 axes levelled",
        holds=10,
        unit="grey levels",
    ),
    Claim(
        "local-again",
        ch08_division,
        less="local PCA in round 3",
        than="local PCA in round 1",
        holds=10,
        unit="grey levels",
    ),
    Claim(
        "open-8",
        ch08_bill,
        less="neighbours with one setting at 8",
        than="levelled kernel PCA with one setting at 8",
        holds=20,
        unit="grey levels",
    ),
    Claim(
        "open-4",
        ch08_bill,
        less="levelled kernel PCA with one setting at 4",
        than="neighbours with one setting at 4",
        holds=20,
        unit="grey levels",
    ),
    Claim(
        "open-2",
        ch08_bill,
        less="levelled kernel PCA with one setting at 2",
        than="neighbours with one setting at 2",
        holds=20,
        unit="grey levels",
    ),
    Claim(
        "plain-2",
        ch08_bill,
        less="kernel PCA with one setting at 2",
        than="levelled kernel PCA with one setting at 2",
        holds=20,
        unit="grey levels",
    ),
    *(
        Claim(f"inverse-{change}", ch08_inverse, less=better, than=worse, holds=10, unit="grey levels")
        for change, better, worse in (
            ("alpha", "alpha chosen", "as it is"),
            ("both", "alpha and gamma chosen and centred", "alpha chosen"),
            ("pre-image", "pre-image", "alpha and gamma chosen and centred"),
        )
    ),
    Claim("noise-apart", ch08_noise, less="back at σ = 20", than="held at σ = 20", holds=20, unit="%"),
    Claim("noise-back", ch08_noise, less="back at σ = 30", than="back at σ = 60", holds=20, unit="% of the noise"),
    Claim("noise-held", ch08_noise, less="held at σ = 30", than="held at σ = 60", holds=20, unit="% of the move"),
    Claim("noise-wide", ch08_noise, less="back at σ = 60", than="back at σ = 300", holds=20, unit="% of the noise"),
    Claim(
        "wines-narrow",
        ch08_wines,
        less="LDA",
        than="kernel LDA at σ = 1 with the best λ of six",
        holds=20,
        unit="wines",
    ),
    Claim("wines-plain", ch08_wines, less="kernel LDA from LDA", than="2 s.e. of kernel LDA", holds=20, unit="wines"),
    Claim("uncentred-costs", ch08_uncentred, less="10 axes", than="10 axes without centring", holds=20, unit="digits"),
    Claim(
        "hands-axes",
        ch08_hands,
        less="levelled kernel PCA; half of the run",
        than="levelled kernel PCA; none of the run",
        holds=13,
        unit="grey levels",
    ),
    Claim(
        "hands-neighbours",
        ch08_hands,
        less="neighbours; half of the run",
        than="neighbours; none of the run",
        holds=13,
        unit="grey levels",
    ),
    Claim(
        "hands-order",
        ch08_hands,
        less="levelled kernel PCA; none of the run",
        than="neighbours; none of the run",
        holds=13,
        unit="grey levels",
    ),
    Claim(
        "drawer-more",
        ch08_drawer,
        less="levelled kernel PCA of 1000",
        than="levelled kernel PCA of 500",
        holds=10,
        unit="grey levels",
    ),
    Claim("start-same", ch08_drawer, less="apart", than=0.05, holds=10, unit="grey levels"),
]
