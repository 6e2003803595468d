"""k-means clustering, batch and online: unsupervised placement of the centres [002, "k-means"]."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from itertools import pairwise
from numbers import Integral
from typing import Any

import numpy as np

from kcourse.base.linalg import distances, strips
from kcourse.base.validation import check_number, check_points, check_rng, check_squares, check_weights, is_sparse

__all__ = ["KMeansResult", "kmeans", "online_kmeans"]

_DRAWS = {"greedy": lambda k: 2 + int(np.log(k)), "k-means++": lambda k: 1}  # for each centre


@dataclass(frozen=True, eq=False)
class KMeansResult:
    """Result of k-means: centroids, labels, cost and convergence.

    Attributes
    ----------
    centers : (k, d) array
        the centroids.
    labels : (n,) array of int
        index of the centre nearest to each point; ties go to the smaller index.
    inertia : float
        Σ_i ‖x_i - μ_{labels[i]}‖², in squared units of x; weighted if the points are.
    n_iter : int
        number of Lloyd iterations, or of points shown online.
    history : array
        cost after each partition (online: after each pass); in batch mode it never rises.
    converged : bool
        whether another iteration would change nothing (online: always False, because this is not checked).

    >>> kmeans([[0.0], [1.0], [9.0], [10.0]], 2, rng=0).inertia
    1.0
    """

    centers: np.ndarray
    labels: np.ndarray
    inertia: float
    n_iter: int
    history: np.ndarray = field(repr=False)
    converged: bool


def kmeans(
    X: Any,
    k: int,
    *,
    init: Any = None,
    n_init: int | None = None,
    max_iter: int = 300,
    tol: float = 0.0,
    rng: Any = 0,
    sample_weight: Any = None,
) -> KMeansResult:
    """Partition the points into k groups by Lloyd's iteration: nearest centre, then mean, until nothing changes.

    min over r and μ of Σ_i Σ_k r_ik ‖x_i - μ_k‖², where r_ik = 1 for one k and 0 otherwise [002, "k-means"]: each of
    the two steps can only lower the cost. The result is a *local* minimum: in the example the cost is 1 or 25. So
    the first centres are spread out at random, or the best of ``n_init`` starts is kept.

    Parameters
    ----------
    X : (n, d) array
        the points.
    k : int
        number of groups, at most the number of distinct points.
    init : "greedy", "k-means++", "random" or (k, d) array, optional
        first centres. "k-means++": points drawn with probability proportional to the squared distance from those
        already drawn (Arthur and Vassilvitskii 2007); "greedy": each the best of 2 + ⌊log k⌋ such draws, as in
        scikit-learn's "k-means++"; "random": points drawn uniformly; or the centres. Default: "greedy" if ``n_init``
        is not given either, otherwise "k-means++".
    n_init : int, optional
        number of starts; default 1, but 10 for "random", as in scikit-learn; always 1 from given centres.
    max_iter : int
        maximum number of iterations of a start.
    tol : float ≥ 0
        a start ends when Σ_k ‖step of μ_k‖² is at most tol times the mean variance of the features, as in
        scikit-learn; with 0, when nothing changes.
    rng : int or Generator
        seed or generator for the first centres.
    sample_weight : (n,) array, optional
        number of copies that each row stands for, fractions included: weights in the sum, in the means and in the
        draws of centres. Rows of weight 0 only get a label.

    Notes
    -----
    The source does not treat empty groups, whose mean would be 0/0. Here the centre of an empty group moves to the
    point that is farthest from all centres, which also lowers the cost; the other points are reassigned in the next
    iteration. scikit-learn's ``KMeans(algorithm="lloyd", tol=0)`` from the same ``init`` gives the same result if no
    group becomes empty. Its default ``tol=1e-4`` stops earlier than ours.
    Time O(ndk) per iteration; at both defaults, 1.4 to 2.6 times that of scikit-learn's compiled ``KMeans``.

    >>> X = [[0.0, 0.0], [0.0, 1.0], [5.0, 0.0], [5.0, 1.0]]
    >>> [kmeans(X, 2, init=start).inertia for start in ([[0, 0.5], [5, 0.5]], [[2.5, 0], [2.5, 1]])]
    [1.0, 25.0]
    """
    X = everything = check_points(X)
    w = check_weights(sample_weight, len(X))
    if w is not None and not w.all():
        X, w = X[w > 0], w[w > 0]
    check_squares(X)
    if init is None:
        init = "greedy" if n_init is None else "k-means++"
    if n_init is None:
        n_init = 10 if isinstance(init, str) and init == "random" else 1
    k, n_init, max_iter, rng = _check_options(X, k, n_init, max_iter, rng)
    tol = check_number(tol, "tol", at_least=0.0)
    centre = X.mean(axis=0)  # near 0 the expanded squares lose less precision
    X = X - centre
    given = not isinstance(init, str)
    if given:
        init = check_points(init, "init", n_features=X.shape[1]) - centre
        if len(init) != k:
            raise ValueError(f"init has {len(init)} rows and k = {k}; give one row for each centre.")
    elif init not in _DRAWS and init != "random":
        raise ValueError(f'init must be "greedy", "k-means++", "random" or a (k, d) array, got {init!r}.')
    best = None
    for _ in range(1 if given else n_init):
        if given:
            start = init
        else:
            start = draw_centers(X, k, rng, "k") if init == "random" else _plus_plus(X, k, rng, w, _DRAWS[init](k))
        result = _lloyd(X, start, max_iter, tol * variance(X, w), w)
        if best is None or result.inertia < best.inertia:
            best = result
    labels = best.labels if len(everything) == len(X) else _nearest(everything - centre, best.centers)
    return replace(best, centers=best.centers + centre, labels=labels)


def variance(X: np.ndarray, w: np.ndarray | None) -> float:
    """Return the mean variance of the features, weighted by ``w``."""
    if w is None:
        return X.var(axis=0).mean()
    return np.average((X - np.average(X, axis=0, weights=w)) ** 2, axis=0, weights=w).mean()


def online_kmeans(
    X: Any, centers: Any, *, eta: float | None = None, order: Any = None, epochs: int = 1, rng: Any = 0
) -> KMeansResult:
    """Cluster points online by sequential k-means: only the nearest centre J moves, μ_J ← μ_J + η (x - μ_J).

    [002, "Apprentissage séquentiel, k-means"; MacQueen 1967]

    Parameters
    ----------
    X : (n, d) array
        the points.
    centers : int, or (k, d) array
        number of points to draw as first centres, or the centres.
    eta : float in (0, 1], or None
        step size. None is 1/n_j, with n_j the number of points assigned to centre j so far, including this one: then
        μ_j is exactly their mean, without the first centre. With a constant η, as in the source, old points lose
        weight like (1-η)^t; the centre does not converge but has standard deviation σ √(η/(2-η)).
    order : sequence of row numbers, or None
        rows to show, in this order; rows may be missing or repeated. None: all rows, in a new random order for each
        pass.
    epochs : int
        passes through ``order``.
    rng : int or Generator
        seed or generator for the first centres and orders that are not given.

    >>> X = [[0, 0], [4, 4], [1, 0], [5, 4]]
    >>> online_kmeans(X, [[0.5, 0.5], [3, 3]], eta=0.2, order=[0, 1, 2, 3, 0]).centers
    array([[0.416, 0.256],
           [3.56 , 3.36 ]])
    """
    X, rng = check_points(X), check_rng(rng)
    if isinstance(centers, Integral):
        T = draw_centers(X, centers, rng, "centers")
    else:
        T = np.array(check_points(centers, "centers", n_features=X.shape[1]))
    if eta is not None and not 0 < check_number(eta, "eta") <= 1:
        raise ValueError(f"eta must lie in (0, 1], got {eta:g}: above 1 a centre overshoots. None means 1/n_j.")
    epochs = check_number(epochs, "epochs", at_least=1, integer=True)
    given = None if order is None else check_order(order, len(X))
    won, history, shown = np.zeros(len(T)), [], 0
    for _ in range(epochs):
        for i in rng.permutation(len(X)) if given is None else given:
            D = X[i] - T
            J = np.einsum("kd,kd->k", D, D).argmin()
            won[J] += 1
            T[J] += (1 / won[J] if eta is None else eta) * D[J]
            shown += 1
        labels = _nearest(X - X.mean(axis=0), T - X.mean(axis=0))
        history.append(_own_squares(X, T, labels).sum())
    return KMeansResult(T, labels, float(history[-1]), shown, np.array(history), converged=False)


def draw_centers(points: np.ndarray, m: Any, rng: np.random.Generator, name: str) -> np.ndarray:
    """Return m distinct training points, drawn without replacement, in the order of ``points``."""
    m = check_count(m, len(points), name)
    distinct = _first_of_each(points)
    if m > len(distinct):
        raise ValueError(f"{name} = {m}, but X has only {len(distinct)} distinct points; take at most as many centres.")
    return points[np.sort(rng.choice(distinct, m, replace=False))]


def _first_of_each(points: Any) -> np.ndarray:
    """Return the row numbers of the first copy of each distinct point, ascending; of strings and graphs, all rows."""
    if points.ndim == 1:
        return np.arange(len(points))
    if not is_sparse(points):
        return np.sort(np.unique(points, axis=0, return_index=True)[1])
    points, first = points.copy(), {}
    points.eliminate_zeros()
    for i, (a, b) in enumerate(pairwise(points.indptr)):
        first.setdefault((points.indices[a:b].tobytes(), points.data[a:b].tobytes()), i)
    return np.array(list(first.values()))


def check_count(m: Any, n: int, name: str) -> int:
    """Return ``m`` checked as a number of centres, 1…n."""
    m = check_number(m, name, at_least=1, integer=True)
    if m > n:
        raise ValueError(f"{name} = {m} is more than n_samples = {n}; take at most one centre for each point.")
    return m


def at_most_distinct(m: int, points: np.ndarray, name: str) -> int:
    """Return ``m``, or with a warning the number of distinct points if that is smaller."""
    distinct = len(_first_of_each(points)) if points.ndim == 2 else m
    if distinct < m:
        warnings.warn(
            f"{name} = {m}, but X has only {distinct} distinct points; all of them become centres.", stacklevel=5
        )
    return min(m, distinct)


def check_order(order: Any, n: int) -> np.ndarray:
    """Return ``order`` checked as row numbers 0…n-1."""
    rows = np.asarray(order)
    if rows.ndim != 1 or rows.size == 0 or rows.dtype.kind not in "iu" or rows.min() < 0 or rows.max() >= n:
        raise ValueError(f"order must be row numbers 0…{n - 1}, at least one, such as range({n}); got {order!r}.")
    return rows


def _check_options(X, k, n_init, max_iter, rng):
    k = check_count(k, len(X), "k")
    n_init = check_number(n_init, "n_init", at_least=1, integer=True)
    return k, n_init, check_number(max_iter, "max_iter", at_least=1, integer=True), check_rng(rng)


def _plus_plus(X: np.ndarray, k: int, rng: np.random.Generator, w: np.ndarray | None, draws: int) -> np.ndarray:
    even = w is None or w.min() == w.max()  # then draw as without weights
    chosen = [int(rng.integers(len(X)) if even else rng.choice(len(X), p=w / w.sum()))]
    squares = np.full(len(X), np.inf)
    for _ in range(1, k):
        D = X - X[chosen[-1]]
        np.minimum(squares, np.einsum("ij,ij->i", D, D), out=squares)
        if squares.max() == 0:
            raise ValueError(_too_few(len(chosen), k))
        # the first point at which the running sum exceeds a number drawn from [0, total)
        running = np.cumsum(squares if w is None else w * squares)
        drawn = np.searchsorted(running, rng.uniform(0, 1 - 1e-15, draws) * running[-1], side="right")
        if draws > 1:  # keep the draw with the smallest sum
            left = np.minimum(squares[:, None], distances(X, X[drawn], squared=True))
            drawn = drawn[[(left if w is None else w[:, None] * left).sum(axis=0).argmin()]]
        chosen.append(int(drawn[0]))
    return X[chosen]


def _lloyd(X: np.ndarray, centers: np.ndarray, max_iter: int, tol: float, w: np.ndarray | None) -> KMeansResult:
    rows = np.column_stack([X, np.ones(len(X))])
    total, history = np.einsum("ij,ij->", X, X) if w is None else w @ np.einsum("ij,ij->i", X, X), []
    room = np.empty((len(centers), max(128, 50_000 // len(centers))))  # allocated once, because allocation is slow
    for _ in range(max_iter):
        # 1. r_ik = 1 for the nearest centre;  2. μ_k = Σ_i r_ik x_i / Σ_i r_ik
        sums, cost = _partition(rows, centers, w, room)
        history.append(max(total + cost, 0.0))
        count = sums[:, -1:]
        before, centers = centers, sums[:, :-1] / count if count.min() > 0 else _refill(X, centers, count[:, 0])
        step = np.sum((centers - before) ** 2)
        if step <= tol and count.min() > 0:
            break
    converged = bool(step == 0)
    labels = _nearest(X, centers)
    squares = _own_squares(X, centers, labels)
    inertia = float(squares.sum() if w is None else w @ squares)
    if converged:
        history[-1] = inertia  # the same cost, without the rounding of the expanded squares
    return KMeansResult(centers, labels, inertia, len(history), np.array(history), converged)


def _partition(
    rows: np.ndarray, centers: np.ndarray, w: np.ndarray | None, room: np.ndarray
) -> tuple[np.ndarray, float]:
    """Return weighted Σ_i r_ik (x_i, 1) for each k and Σ_i min_k ‖x_i - μ_k‖² - ‖x_i‖²; ``rows`` are (x_i, 1).

    Two matrix products in strips as wide as ``room``, which is overwritten: the 0-1 matrix r is faster than finding
    the index of each minimum.
    """
    # ‖x - μ_k‖² - ‖x‖² = (-2μ_k, ‖μ_k‖²)ᵀ (x, 1)
    left = np.column_stack([-2 * centers, np.einsum("kd,kd->k", centers, centers)])
    sums, cost = np.zeros(left.shape), 0.0
    for strip in strips(len(rows), room.shape[1]):
        part = rows[strip]
        S = np.matmul(left, part.T, out=room[:, : len(part)])
        least = S.min(axis=0)
        r = np.equal(S, least, out=S)
        if w is not None:
            part, least = w[strip, None] * part, w[strip] * least
        won = r @ part
        if (won[:, -1].sum() if w is None else r.sum()) > len(part):  # ties go to the smaller index
            won = np.eye(len(r))[:, r.argmax(axis=0)] @ part
        sums += won
        cost += least.sum()
    return sums, cost


def _nearest(X: np.ndarray, centers: np.ndarray) -> np.ndarray:
    labels, squares = np.empty(len(X), dtype=np.intp), np.einsum("kd,kd->k", centers, centers)
    for rows in strips(len(X), 1024):
        labels[rows] = (squares - 2 * (X[rows] @ centers.T)).argmin(axis=1)
    return labels


def _own_squares(X: np.ndarray, centers: np.ndarray, labels: np.ndarray) -> np.ndarray:
    D = X - centers[labels]
    return np.einsum("ij,ij->i", D, D)


def _refill(X: np.ndarray, centers: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Move the centre of each empty group to the point that is farthest from all centres."""
    distinct = len(np.unique(X, axis=0))
    if distinct < len(centers):
        raise ValueError(_too_few(distinct, len(centers)))
    centers, far = centers.copy(), _own_squares(X, centers, _nearest(X, centers))
    for j in np.flatnonzero(count == 0):
        centers[j] = X[far.argmax()]
        D = X - centers[j]
        far = np.minimum(far, np.einsum("ij,ij->i", D, D))
    return centers


def _too_few(distinct: int, k: int) -> str:
    return f"X has only {distinct} distinct point(s) and k = {k}; take at most as many groups as points."
