"""Measurements for chapter 8: components of new rings, denoisers on digits, discriminants on wine; and the costs.

There are only 1797 digits and 178 wines, which all splits share, so the spread over splits does not describe other
writers or other vineyards. In a table all methods that select a setting select from equally many, on pictures or
wines that are not used for testing. The chapter uses the growth of the times, not the speed.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.linalg import eigh
from sklearn.base import ClassifierMixin
from sklearn.datasets import load_digits, load_wine, make_circles
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kcourse import Gaussian, KernelFisherDiscriminant
from kcourse.kpca import KernelPCA, center
from measured import Claim, Row, table
from measured.common import times

Array = np.ndarray
SIGMA, Q = 30.0, 20


def row_normalised(sigma: float) -> Callable[[Array, Array], Array]:
    """The Gaussian kernel with each row divided by its largest entry, which is 1 for a training point already."""

    def kernel(X: Array, Z: Array) -> Array:
        rows = Gaussian(sigma)(X, Z)
        return rows / rows.max(axis=1, keepdims=True)

    return kernel


# ---------------------------------------------------------------- two rings, drawn anew


def best_cut(scores: Array, inner: Array) -> float:
    """The share (%) of points on the right side of the best threshold on one line of scores."""
    seen = np.append(0, np.cumsum(inner[np.argsort(scores)]))  # inner ones among the first 0, 1, …, n points
    right = (seen + np.sum(1 - inner) - (np.arange(len(inner) + 1) - seen)) / len(inner)
    return 100 * max(right.max(), 1 - right.min())


@table("points of two rings on the correct side of the best threshold (%)", 20, of="draws of the rings")
def ch08_rings(draw: int) -> Row:
    X, inner = make_circles(400, factor=0.3, noise=0.05, random_state=draw)
    row: Row = {}
    for sigma in (1.0, 0.5, 0.4, 0.32, 0.25):
        scores = KernelPCA(Gaussian(sigma), n_components=1).fit_transform(X)
        row[f"first at σ = {sigma:g}"] = best_cut(scores[:, 0], inner)
    row["wrong from 0.25 to 0.5"] = 100 - min(row[f"first at σ = {s}"] for s in ("0.5", "0.4", "0.32", "0.25"))
    return row


# ---------------------------------------------------------------- digits, denoised

NOISES = (2, 4, 8)
AXES = (2, 3, 5, 8, 10, 12, 15, 20, 25, 30, 40, 50)
WINDOWS = (4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 15.0, 18.0)
KERNELS, MANY = (20.0, 30.0, 40.0), (20, 100, 200, 400)
Denoiser = Callable[[Array], Array]


def split(draw: int) -> tuple[Array, Array, Array, np.random.Generator]:
    """1000 clean training pictures, 200 for validation, 597 for testing; and the generator of the noise."""
    rng = np.random.default_rng(draw)
    pictures = load_digits().data[rng.permutation(1797)]
    return pictures[:1000], pictures[1000:1200], pictures[1200:], rng


def window(noisy: Array, X: Array, width: float) -> Array:
    """The weights of a Gaussian window around each noisy picture; each row has the sum 1."""
    d2 = np.sum(noisy**2, axis=1)[:, None] - 2 * noisy @ X.T + np.sum(X**2, axis=1)
    weights = np.exp(-(d2 - d2.min(axis=1, keepdims=True)) / (2 * width**2))
    return weights / weights.sum(axis=1, keepdims=True)


def by_axes(noisy: Array, model: KernelPCA, q: int, normalise: bool) -> Array:
    """Pre-images from q axes; the rows of kernels as they are, or each divided by its largest entry."""
    kernel = row_normalised(model.kernel.sigma) if normalise else model.kernel
    row = kernel(noisy, model.X_fit_)
    scores = (row - model.kernel(model.X_fit_).mean(axis=0)) @ model.dual_coef_  # the entries of each α sum to 0
    return model.pre_image(np.where(np.arange(scores.shape[1]) < q, scores, 0.0), tol=1e-3).points


def denoisers(X: Array) -> dict[str, list[Denoiser]]:
    """Twelve settings of each method."""
    mean = X.mean(axis=0)
    V = np.linalg.svd(X - mean, full_matrices=False)[2]
    pairs = [(KernelPCA(Gaussian(w), n_components=max(MANY)).fit(X), q) for w in KERNELS for q in MANY]
    return {
        "linear PCA": [lambda noisy, q=q: mean + (noisy - mean) @ V[:q].T @ V[:q] for q in AXES],
        "mean of neighbours": [lambda noisy, w=w: window(noisy, X, w) @ X for w in WINDOWS],
        "kernel PCA": [partial(by_axes, model=m, q=q, normalise=False) for m, q in pairs],
        "row-normalised kernel PCA": [partial(by_axes, model=m, q=q, normalise=True) for m, q in pairs],
    }


def error(after: Array, clean: Array) -> float:
    """The mean over pictures of the root of the mean squared error of their pixels."""
    return float(np.mean(np.sqrt(np.mean((after - clean) ** 2, axis=1))))


@table("mean error of a denoised picture (grey levels)", 20, of="splits of the digits, with fresh noise", slow=True,
       tol=2e-3)  # fmt: skip
def ch08_denoise(draw: int) -> Row:
    """Each method with the setting that is best on the validation pictures at the same noise."""
    X, choose, test, rng = split(draw)
    noisy = {s: (choose + s * rng.standard_normal(choose.shape), test + s * rng.standard_normal(test.shape))
             for s in NOISES}  # fmt: skip
    row: Row = {}
    for name, candidates in denoisers(X).items():
        for s in NOISES:
            best = int(np.argmin([error(denoise(noisy[s][0]), choose) for denoise in candidates]))
            row[f"{name} at {s}"], row[f"{name} at {s} chose"] = error(candidates[best](noisy[s][1]), test), best
    return row


@table("of 597 test digits misclassified, noise 8", 20, of="splits of the digits, with fresh noise", slow=True)
def ch08_reader(draw: int) -> Row:
    """Two classifiers on noisy and on denoised pictures; a window's width is selected on the validation pictures."""
    X, choose, test, rng = split(draw)
    labels = load_digits().target[np.random.default_rng(draw).permutation(1797)]
    votes, nearest = np.eye(10)[labels[:1000]], KNeighborsClassifier(1).fit(X, labels[:1000])
    model = KernelPCA(Gaussian(20.0), n_components=400).fit(X)
    validation, new = (those + 8 * rng.standard_normal(those.shape) for those in (choose, test))
    denoise = partial(by_axes, model=model, q=100, normalise=True)

    def misread(pictures: Array, width: float, right: Array) -> int:
        return int(np.sum((window(pictures, X, width) @ votes).argmax(axis=1) != right))

    row: Row = {}
    for name, (a, b) in {"noisy": (validation, new), "denoised": (denoise(validation), denoise(new))}.items():
        width = min((0.5, 1.0, 2.0, *WINDOWS), key=lambda w: misread(a, w, labels[1000:1200]))
        row[f"window; {name}"], row[f"width; {name}"] = misread(b, width, labels[1200:]), width
        row[f"nearest neighbour; {name}"] = np.sum(nearest.predict(b) != labels[1200:])
    return row


@table("of 597 new digits misclassified by the nearest neighbour on scores, σ = 30", 20, of="splits of the digits")
def ch08_uncentred(draw: int) -> Row:
    pictures, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(draw).permutation(1797)
    train, new = order[:1000], order[1200:]
    model = KernelPCA(Gaussian(SIGMA), n_components=10).fit(pictures[train])
    scores, raw = model.transform(pictures[new]), Gaussian(SIGMA)(pictures[new], pictures[train]) @ model.dual_coef_
    nearest = KNeighborsClassifier(1).fit(model.transform(pictures[train]), labels[train])
    return {
        "centred": np.sum(nearest.predict(scores) != labels[new]),
        "not centred": np.sum(nearest.predict(raw) != labels[new]),
    }


# ---------------------------------------------------------------- wines that the axes have not seen


def wine_methods() -> dict[str, list[ClassifierMixin]]:
    """Eight candidates where something is to be selected."""

    def fisher(kernel: Any, lam: float = 0.1) -> KernelFisherDiscriminant:
        return KernelFisherDiscriminant(kernel, lam=lam)

    def two_axes(kernel: Any) -> Any:
        return make_pipeline(KernelPCA(kernel), KNeighborsClassifier(1))

    return {
        "two axes at σ = 3": [two_axes(Gaussian(3.0))],
        "two axes at σ = 1": [two_axes(Gaussian(1.0))],
        "two axes at σ = 1; rows normalised": [two_axes(row_normalised(1.0))],
        "LDA": [LinearDiscriminantAnalysis()],
        "kernel LDA": [fisher(Gaussian(w), lam) for w in (2.0, 3.0, 5.0, 8.0) for lam in (0.1, 1.0)],
        "kernel LDA at σ = 3": [fisher(Gaussian(3.0))],
        "kernel LDA at σ = 3; rows normalised": [fisher(row_normalised(3.0))],
        "kernel LDA at σ = 1": [fisher(Gaussian(1.0))],
        "kernel LDA at σ = 1; rows normalised": [fisher(row_normalised(1.0))],
        **{f"kernel LDA at σ = 1 with λ = {lam:g}": [fisher(Gaussian(1.0), lam)] for lam in (1e-3, 1e-2, 1, 10, 100)},
    }


def ten_folds(seed: int) -> StratifiedKFold:
    return StratifiedKFold(10, shuffle=True, random_state=seed)


@table("of 178 wines misclassified, each when it was new", 20, of="partitions into ten folds", slow=True)
def ch08_wines(draw: int) -> Row:
    X, y = load_wine(return_X_y=True)
    row: Row = dict.fromkeys(wine_methods(), 0.0)
    for learn, new in ten_folds(draw).split(X, y):
        for name, candidates in wine_methods().items():
            chosen = candidates[0]
            if len(candidates) > 1:
                chosen = candidates[int(np.argmin([held_out(c, X[learn], y[learn], draw) for c in candidates]))]
            row[name] += misses(chosen, X[learn], y[learn], X[new], y[new])
    return row


def held_out(model: ClassifierMixin, X: Array, y: Array, seed: int) -> int:
    """How many of the training wines are misclassified when they are left out, in ten folds of their own."""
    return sum(misses(model, X[a], y[a], X[b], y[b]) for a, b in ten_folds(seed).split(X, y))


def misses(model: ClassifierMixin, X: Array, y: Array, new: Array, labels: Array) -> int:
    return int(np.sum(make_pipeline(StandardScaler(), model).fit(X, y).predict(new) != labels))


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


CLAIMS = [
    Claim("rings-first", ch08_rings, less="wrong from 0.25 to 0.5", than=0.1, holds=20, unit="%"),
    Claim("axes-4", ch08_denoise, less="row-normalised kernel PCA at 4", than="mean of neighbours at 4", holds=20,
          unit="grey levels"),
    Claim("fades-8", ch08_denoise, less="mean of neighbours at 8", than="kernel PCA at 8", holds=20,
          unit="grey levels"),
    Claim("normalised-8", ch08_denoise, less="row-normalised kernel PCA at 8", than="kernel PCA at 8", holds=20,
          unit="grey levels"),
    Claim("wines-row", ch08_wines, less="kernel LDA at σ = 1; rows normalised", than="kernel LDA at σ = 1", holds=20,
          unit="wines"),
    Claim("uncentred-costs", ch08_uncentred, less="centred", than="not centred", holds=20, unit="digits"),
]  # fmt: skip
