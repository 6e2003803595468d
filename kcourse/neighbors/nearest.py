"""k-nearest-neighbour regression and classification [000, "Modèles à noyau"]."""

from __future__ import annotations

from typing import Any

import numpy as np

from kcourse.base.estimator import Classifier, Estimator, Regressor
from kcourse.base.validation import check_number, check_points, check_targets
from kcourse.neighbors.path import SmoothingPath, check_rest, squared_error
from kcourse.neighbors.search import NeighborSearch

__all__ = ["KNNClassifier", "KNNRegressor", "knn_loo_path"]


class _Nearest(Estimator):
    """Base class of regression and classification: neighbours, and the smoother matrix."""

    def __init__(self, n_neighbors: int = 5, *, weights: str = "uniform") -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights

    def _check_k(self, n: int) -> int:
        k = check_number(self.n_neighbors, "n_neighbors", at_least=1, integer=True)
        if k > n:
            raise ValueError(
                f"n_neighbors = {k} is more than the number of training points, n_samples = {n}. "
                f"Take n_neighbors of at most {n}."
            )
        return k

    def kneighbors(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return distances and indices of the k training points nearest to each row of ``X``: (q, k), nearest first.

        Ties go to the smallest index.
        """
        X = self._new_points(X)
        return self._search.query(X, self._k)

    def smoother_matrix(self, X: Any) -> np.ndarray:
        """Return S (q, n) with S_ij = 1/k if x_j is among the k nearest to row i of ``X``, else 0; rows sum to 1.

        With ``weights="distance"`` the entries are the weights divided by their sum.
        """
        distances, nearest = self.kneighbors(X)
        S = np.zeros((len(nearest), len(self.X_fit_)))
        W = _weights(distances, self._by_distance)
        np.put_along_axis(S, nearest, W / W.sum(axis=1, keepdims=True), axis=1)
        return S

    def effective_df(self) -> float:
        """Return the effective degrees of freedom, tr S at the training points: n/k if no point repeats.

        A point with k or more copies of smaller index is not among its own neighbours and contributes 0. With
        ``weights="distance"`` f reproduces the training targets, and tr S is n if no point repeats.
        """
        self._check_fitted()
        distances, nearest = self._search.query(self.X_fit_, self._k)
        itself = nearest == np.arange(len(nearest))[:, None]
        if not self._by_distance:
            return float(np.sum(itself) / self._k)
        W = _weights(distances, True)
        return float(np.sum(np.sum(W * itself, axis=1) / W.sum(axis=1)))


class KNNRegressor(_Nearest, Regressor):
    """k-nearest-neighbour regression: the mean of y over the k nearest training points [000, "Modèles à noyau"].

    f(x) = Σ_i y_i K(x, x_i) / Σ_j K(x, x_j),   K(x, x_i) = 1 if x_i is among the k nearest to x, else 0.

    The source takes the k nearest sometimes of u and sometimes of v; here they are those of x, the first argument.

    Parameters
    ----------
    n_neighbors : int in 1…n
        k. A *smaller* k is more flexible: k = 1 reproduces y, k = n gives the mean of y everywhere.
    weights : "uniform" or "distance"
        K(x, x_i) of the k nearest: 1, or 1/‖x - x_i‖; then f reproduces y at a training point (or the mean over its
        copies among the k nearest) and is continuous except where the set of the k nearest changes.

    Attributes
    ----------
    X_fit_ : (n, d) array
        the training points (a copy).
    y_fit_ : (n,) or (n, t) array
        the training targets.
    n_features_in_ : int
        d.
    feature_names_in_ : (d,) array
        column names, if X was a data frame.

    Notes
    -----
    **Ties.** Distances are compared as the floating-point numbers ``np.sum((x - X)**2, axis=1)``; ties go to the
    smallest index. So the order of repeated points matters, and rounding may break ties that exist in decimals:
    14.6 - 14.2 and 15.0 - 14.6 are the same float, 0.3 - 0.2 and 0.2 - 0.1 are not. scikit-learn does not specify ties.

    Distances are Euclidean; for other metrics use scikit-learn's ``KNeighborsRegressor(metric=…)``. Scale the features
    first, because distances mix their units. Time and memory: `fit` O(n log n); for each point of `predict` about
    O(log n) if d is small, otherwise O(nd).

    >>> from kcourse.neighbors import KNNRegressor
    >>> model = KNNRegressor(n_neighbors=2).fit([[0], [1], [2], [4]], [0, 1, 4, 16])
    >>> model.predict([[0.9], [3.2]])
    array([ 0.5, 10. ])
    """

    def fit(self, X: Any, y: Any) -> KNNRegressor:
        """Store ``X`` (n, d) and ``y`` (n,), or (n, t) for t targets that share X; return self.

        Raises
        ------
        TypeError, ValueError
            for k, X or y that cannot be used, naming it and the fix.
        """
        points = self._fit_points(X)
        y = np.array(check_targets(y, len(points)))
        by_distance = _check_rule(self.weights)
        k, search = self._check_k(len(points)), NeighborSearch(points)
        self._remember_features(X, points)
        self.X_fit_, self.y_fit_, self._k, self._search, self._by_distance = points, y, k, search, by_distance
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the mean target of the k nearest points for each row of ``X`` (q, d): (q,) or (q, t)."""
        distances, nearest = self.kneighbors(X)
        if self._by_distance:
            W = _weights(distances, True)
            return (np.einsum("qk,qk...->...q", W, self.y_fit_[nearest]) / W.sum(axis=1)).T
        # f(x) = 1/k Σ y_i over the k nearest
        return self.y_fit_[nearest].mean(axis=1)

    def loo_residuals(self) -> np.ndarray:
        """Return the leave-one-out residuals y_i - f₋ᵢ(x_i), with the same k: (n,) or (n, t)."""
        self._check_fitted()
        return self.y_fit_ - self.loo_path(self._k).predictions[-1]

    def loo_path(self, n_max: int | None = None) -> SmoothingPath:
        """Return leave-one-out predictions and mean squared errors of k = 1…``n_max``; see `knn_loo_path`."""
        self._check_fitted()
        return _mean_path(*_other_neighbors(self._search, n_max), self.y_fit_, self._by_distance)


class KNNClassifier(_Nearest, Classifier):
    """k-nearest-neighbour classification by majority vote [000, "Modèles à noyau", for labels].

    p(c | x) is the fraction of the k nearest training points, or of their weights, with label c; the label with the
    largest fraction is predicted.

    Parameters
    ----------
    n_neighbors : int in 1…n
        k. A *smaller* k is more flexible: k = 1 always has training error 0 on distinct points.
    weights : "uniform" or "distance"
        weight of the vote of a neighbour: 1, or 1/‖x - x_i‖; at a training point, only it and its copies vote.

    Attributes
    ----------
    classes_ : (c,) array
        the labels, sorted.
    X_fit_, n_features_in_, feature_names_in_
        as in `KNNRegressor`.

    Notes
    -----
    **Ties.** Ties between distances go to the smallest index, ties between labels to the first in ``classes_``, as in
    scikit-learn. As n grows, the error of k = 1 tends to at most twice the Bayes error R (Cover and Hart): 2R(1-R) for
    two classes whose noise is the same everywhere, for example 0.18 for R = 0.1.

    >>> from kcourse.neighbors import KNNClassifier
    >>> model = KNNClassifier(n_neighbors=3).fit([[0], [1], [2], [4]], ["a", "a", "b", "b"])
    >>> model.predict([[0.9], [3.2]]).tolist(), model.predict_proba([[3.2]]).round(3)
    (['a', 'b'], array([[0.333, 0.667]]))
    """

    def fit(self, X: Any, y: Any) -> KNNClassifier:
        """Store ``X`` (n, d) and the labels ``y`` (n,); return self.

        Raises
        ------
        TypeError, ValueError
            for k, X or y that cannot be used, naming it and the fix.
        """
        points = self._fit_points(X)
        classes, codes = self._fit_labels(y, len(points))
        by_distance = _check_rule(self.weights)
        k, search = self._check_k(len(points)), NeighborSearch(points)
        self._remember_features(X, points)
        self.X_fit_, self.classes_, self._codes, self._k, self._search = points, classes, codes, k, search
        self._by_distance = by_distance
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the fraction of votes for each class, in the order of ``classes_``: (q, c)."""
        distances, nearest = self.kneighbors(X)
        q, c = len(nearest), len(self.classes_)
        ballots = self._codes[nearest] + c * np.arange(q)[:, None]
        if self._by_distance:
            W = _weights(distances, True)
            votes = np.bincount(ballots.ravel(), W.ravel(), minlength=q * c).reshape(q, c)
            return votes / votes.sum(axis=1, keepdims=True)
        return np.bincount(ballots.ravel(), minlength=q * c).reshape(q, c) / self._k

    def predict(self, X: Any) -> np.ndarray:
        """Return the label with most votes for each row of ``X`` (q, d), ties to the first label: (q,)."""
        p = self.predict_proba(X)
        return self.classes_[np.argmax(p, axis=1)]

    def loo_path(self, n_max: int | None = None) -> SmoothingPath:
        """Return leave-one-out labels and error rates of k = 1…``n_max`` (n - 1 if not given)."""
        self._check_fitted()
        distances, nearest = _other_neighbors(self._search, n_max)
        n, m = nearest.shape
        W = _weights(distances, self._by_distance)
        votes, labels = np.zeros((n, len(self.classes_))), np.empty((m, n), dtype=self.classes_.dtype)
        for k in range(m):
            votes[np.arange(n), self._codes[nearest[:, k]]] += W[:, k]  # add the next neighbour
            labels[k] = self.classes_[np.argmax(votes, axis=1)]
        error = np.mean(labels != self.classes_[self._codes], axis=1)
        return SmoothingPath(values=np.arange(1, m + 1), predictions=labels, error=error)


def knn_loo_path(X: Any, y: Any, n_max: int | None = None, *, weights: str = "uniform") -> SmoothingPath:
    """Return leave-one-out predictions of k-nearest-neighbour regression for k = 1…n_max, from one search.

    With the other points in order of distance from x_i, f₋ᵢ(x_i) for k is the mean of their first k targets: a running
    sum. The time is that of one search with n_max neighbours; memory O(n·n_max).

    Parameters
    ----------
    X : (n, d) array
        points, n ≥ 2.
    y : (n,) or (n, t) array
        targets.
    n_max : int in 1…n-1, optional
        largest k; n - 1 if not given.
    weights : "uniform" or "distance"
        as in `KNNRegressor`.

    >>> from kcourse.neighbors import knn_loo_path
    >>> path = knn_loo_path([[0], [1], [2], [4]], [0, 1, 4, 16])
    >>> path.values, path.error.round(3), path.best
    (array([1, 2, 3]), array([38.75 , 50.438, 72.333]), 1)
    """
    X = check_points(X)
    y = check_targets(y, len(X))
    by_distance = _check_rule(weights)
    return _mean_path(*_other_neighbors(NeighborSearch(X), n_max), y, by_distance)


def _check_rule(weights: Any) -> bool:
    """Return whether neighbours are weighted by distance."""
    if not (isinstance(weights, str) and weights in ("uniform", "distance")):
        raise ValueError(
            f'weights must be "uniform" or "distance", got {weights!r}; for another function of the distance take '
            "NadarayaWatson."
        )
    return weights == "distance"


def _weights(distances: np.ndarray, by_distance: bool) -> np.ndarray:
    """Return the weights of the neighbours (q, k), nearest first, relative to the first: 1, or 1/distance.

    Neighbours at distance 0 have weight 1, and then the others have weight 0.
    """
    if not by_distance:
        return np.ones(distances.shape)
    first = distances[:, :1]
    return np.divide(first, distances, out=np.ones(distances.shape), where=(distances > 0) & np.isfinite(first))


def _mean_path(distances: np.ndarray, nearest: np.ndarray, y: np.ndarray, by_distance: bool) -> SmoothingPath:
    """Return the running means of y over the ordered neighbours (n, m)."""
    k = np.arange(1, nearest.shape[1] + 1)
    if by_distance:
        W = _weights(distances, True).T.reshape(len(k), len(y), *[1] * (y.ndim - 1))
        predictions = np.cumsum(W * y[nearest.T], axis=0) / np.cumsum(W, axis=0)
    else:
        predictions = np.cumsum(y[nearest.T], axis=0) / k.reshape(-1, *[1] * y.ndim)
    return SmoothingPath(values=k, predictions=predictions, error=squared_error(y, predictions))


def _other_neighbors(search: NeighborSearch, n_max: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Return distances and indices of the m other points nearest to each training point: (n, m), nearest first."""
    n = check_rest(len(search.points))
    m = n - 1 if n_max is None else check_number(n_max, "n_max", at_least=1, integer=True)
    if m >= n:
        raise ValueError(f"n_max = {m} is more than the {n - 1} points that remain when one of {n} is left out.")
    distances, nearest = search.query(search.points, m + 1)
    itself = nearest == np.arange(n)[:, None]
    itself[~itself.any(axis=1), -1] = True  # if more than m copies come before it, drop the last
    return distances[~itself].reshape(n, m), nearest[~itself].reshape(n, m)
