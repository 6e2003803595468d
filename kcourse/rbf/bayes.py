"""RBF networks as Bayes classifiers: units are mixture components, outputs posteriors [002, "Théorie de Bayes"]."""

from __future__ import annotations

from typing import Any

import numpy as np

from kcourse.base.estimator import Classifier
from kcourse.base.linalg import distances
from kcourse.base.validation import check_number, check_points, check_positive, check_rng, check_squares, check_targets
from kcourse.rbf.clustering import at_most_distinct, check_count, kmeans, variance

__all__ = ["BayesRBFClassifier", "bayes_weights", "normalized_basis"]


def normalized_basis(X: Any, T: Any, sigma: Any, *, priors: Any = None) -> np.ndarray:
    """Return the normalised basis φ_j(x) = p(x|j) p(j) / Σ_m p(x|m) p(m) = p(j|x) for Gaussian p(x|j): (n, m).

    [002, "Théorie de Bayes"]; the source writes j instead of m inside the sum, which would give 1/M everywhere. Rows
    sum to 1, however far x is from all centres (the quotient is computed from logarithms).

    Parameters
    ----------
    X : (n, d) array
        points.
    T : (m, d) array
        means t_j.
    sigma : float > 0 or (m,) array
        widths σ_j.
    priors : (m,) array or None
        p(j) up to a common factor; None: all equal.

    >>> normalized_basis([[0.0], [50.0]], [[-1.0], [1.0]], 1.0).round(4)
    array([[0.5, 0.5],
           [0. , 1. ]])
    """
    X = check_points(X)
    T = check_points(T, "T", n_features=X.shape[1])
    sigma = (
        np.full(len(T), check_positive(sigma, "sigma")) if np.ndim(sigma) == 0 else _of_units(sigma, len(T), "sigma")
    )
    priors = np.ones(len(T)) if priors is None else _of_units(priors, len(T), "priors", zero=True)
    return _posterior(_log_joint(X, T, sigma, priors))[0]


def bayes_weights(unit_given_class: Any, class_priors: Any) -> np.ndarray:
    """Return the weights w_kj = p(j|c_k) P(c_k) / p(j) = p(c_k|j), with p(j) = Σ_k p(j|c_k) P(c_k): shape (m, c).

    With `normalized_basis` and these weights the outputs are Σ_j w_kj φ_j(x) = p(c_k|x), if x is independent of
    the class given the unit [002, "Théorie de Bayes"].

    Parameters
    ----------
    unit_given_class : (m, c) array
        p(j|c_k); columns sum to 1.
    class_priors : (c,) array
        P(c_k); they sum to 1.

    >>> bayes_weights([[0.9, 0.2], [0.1, 0.8]], [0.5, 0.5]).round(4)
    array([[0.8182, 0.1818],
           [0.1111, 0.8889]])
    """
    M = check_points(unit_given_class, "unit_given_class")
    priors = _of_units(class_priors, M.shape[1], "class_priors", zero=True)
    for name, sums in (("columns of unit_given_class", M.sum(axis=0)), ("class_priors", priors.sum())):
        if M.min() < 0 or not np.allclose(sums, 1.0, rtol=0, atol=1e-8):
            raise ValueError(f"probabilities must be at least 0 and sum to 1; the {name} sum to {sums}.")
    joint = M * priors
    if joint.sum(axis=1).min() == 0:
        raise ValueError("a unit has p(j|c_k) P(c_k) = 0 for all classes, so p(c_k|j) is 0/0: leave it out.")
    return joint / joint.sum(axis=1, keepdims=True)


class BayesRBFClassifier(Classifier):
    """RBF network classifier whose outputs are posteriors: p(c_k|x) = Σ_j p(c_k|j) p(j|x), with m Gaussian units.

    The model of [002, "Théorie de Bayes"]: each class is a mixture of the same m isotropic Gaussians,
    p(x|c_k) = Σ_j p(x|j) p(j|c_k), so p(x) = Σ_j p(x|j) p(j). EM fits all parameters at once, from k-means centres,
    by maximising the likelihood Π_i p(x_i, c_i) = Π_i Σ_j p(j) p(x_i|j) p(c_i|j).

        E:  r_ij ∝ p(j) p(x_i|j) p(c_i|j),   Σ_j r_ij = 1
        M:  p(j) = Σ_i r_ij/n,  t_j = Σ_i r_ij x_i/Σ_i r_ij,  dσ_j² = Σ_i r_ij ‖x_i - t_j‖²/Σ_i r_ij,
            p(c_k|j) = Σ_{i in c_k} r_ij/Σ_i r_ij

    Parameters
    ----------
    n_centers : int
        m, the number of units, shared by all classes; if there are fewer distinct points, all become centres, with a
        warning.
    max_iter : int
        maximum number of EM iterations.
    tol : float ≥ 0
        EM stops when the mean log-likelihood rises by less than this.
    min_sigma : float > 0
        smallest width, as a fraction of √(Σ_j var(x_j)/d) over all points; it keeps the likelihood finite.
    rng : int or Generator
        seed or generator for k-means.

    Attributes
    ----------
    classes_ : (c,) array
        the sorted labels.
    centers_, sigma_, priors_ : (m, d), (m,), (m,) arrays
        t_j, σ_j and p(j).
    output_weights_ : (m, c) array
        w_kj = p(c_k|j), a row for each unit.
    log_likelihood_ : (n_iter_ + 1,) array
        the mean of log p(x_i, c_i) before the first iteration and after each one; it never falls.
    n_iter_ : int
        number of iterations.

    Notes
    -----
    Outputs lie in [0, 1] and sum to 1 exactly because the basis is normalised and w_kj = p(c_k|j); those of
    `RBFNetworkClassifier` do not. The model also gives p(x): a low `log_density` marks a novel point.

    >>> X, y = [[-2.0], [-1.0], [1.0], [2.0]], ["left", "left", "right", "right"]
    >>> BayesRBFClassifier(2).fit(X, y).predict_proba([[0.0], [1.5]]).round(4)
    array([[0.5, 0.5],
           [0. , 1. ]])
    """

    def __init__(
        self, n_centers: int = 10, *, max_iter: int = 100, tol: float = 1e-6, min_sigma: float = 0.01, rng: Any = 0
    ) -> None:
        self.n_centers = n_centers
        self.max_iter = max_iter
        self.tol = tol
        self.min_sigma = min_sigma
        self.rng = rng

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> BayesRBFClassifier:
        """Fit the mixture to ``X`` (n, d) and labels ``y`` (n,) by EM; return self.

        ``sample_weight`` (n,) gives the number of copies that each row stands for, fractions included; it multiplies
        the log-likelihood of the point. Rows of weight 0 are left out, and so is a class that has only such rows.
        """
        max_iter = check_number(self.max_iter, "max_iter", at_least=1, integer=True)
        tol, share = check_number(self.tol, "tol", at_least=0.0), check_positive(self.min_sigma, "min_sigma")
        rng, points = check_rng(self.rng), self._fit_points(X)
        classes, codes = self._fit_labels(y, len(points), sample_weight=sample_weight)
        w, points = self._fit_weights(sample_weight, points)
        m = at_most_distinct(check_count(self.n_centers, len(points), "n_centers"), points, "n_centers")
        check_squares(points)
        least = share * np.sqrt(variance(points, w)) or 1.0  # if all points are equal, any width works
        R = np.eye(m)[kmeans(points, m, init="k-means++", rng=rng, sample_weight=w).labels]
        history = []
        for _ in range(max_iter + 1):
            unit = _maximise(points, codes, R if w is None else w[:, None] * R, least, len(classes))
            R, values = _expect(points, codes, unit)
            history.append(np.average(values, weights=w))
            if len(history) == 1:
                continue
            if history[-1] - history[-2] < tol:
                break
        self._remember_features(X, points)
        self.classes_, self.log_likelihood_, self.n_iter_ = classes, np.array(history), len(history) - 1
        self.centers_, self.sigma_, self.priors_, self.output_weights_ = unit
        return self

    def hidden(self, X: Any) -> np.ndarray:
        """Return the normalised basis φ_j(x) = p(j|x), shape (q, m); rows sum to 1."""
        return _posterior(self._log_joint(X))[0]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the posteriors p(c_k|x) = Σ_j w_kj φ_j(x), shape (q, c)."""
        P = self.hidden(X) @ self.output_weights_
        return P / P.sum(axis=1, keepdims=True)  # the sum is 1 up to rounding

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the posteriors (q, c), or for two classes p(c_2|x) - p(c_1|x), shape (q,)."""
        P = self.predict_proba(X)
        return P[:, 1] - P[:, 0] if P.shape[1] == 2 else P

    def log_density(self, X: Any) -> np.ndarray:
        """Return log p(x), shape (q,); where it is low, x is a novel point and its posteriors are unreliable."""
        return _posterior(self._log_joint(X))[1]

    def _log_joint(self, X: Any) -> np.ndarray:
        return _log_joint(self._new_points(X), self.centers_, self.sigma_, self.priors_)


def _log_joint(X: np.ndarray, T: np.ndarray, sigma: np.ndarray, priors: np.ndarray) -> np.ndarray:
    """Return log p(j) + log p(x_i|j), shape (n, m)."""
    # log N(x; t, σ²I) = -½‖x - t‖²/σ² - d log(σ√(2π))
    with np.errstate(divide="ignore"):  # a unit of prior 0 has log 0
        offset = np.log(priors) - X.shape[1] * np.log(sigma * np.sqrt(2 * np.pi))
    return offset - 0.5 * (distances(X, T) / sigma) ** 2


def _posterior(L: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return exp(L)/Σ_j exp(L) and log Σ_j exp(L) for each row."""
    top = L.max(axis=1, keepdims=True)
    if not np.isfinite(top).all():
        raise ValueError("X has rows so far from all centres that squared distances overflow; scale X down.")
    E = np.exp(L - top)
    total = E.sum(axis=1, keepdims=True)
    return E / total, (top + np.log(total))[:, 0]


def _expect(X: np.ndarray, codes: np.ndarray, unit: tuple) -> tuple[np.ndarray, np.ndarray]:
    """Do the E step: return r_ij and log p(x_i, c_i)."""
    T, sigma, priors, W = unit
    with np.errstate(divide="ignore"):
        return _posterior(_log_joint(X, T, sigma, priors) + np.log(W[:, codes].T))


def _maximise(X: np.ndarray, codes: np.ndarray, R: np.ndarray, least: float, n_classes: int) -> tuple:
    """Do the M step: return (t, σ, p(j), p(c|j))."""
    N = np.maximum(R.sum(axis=0), np.finfo(float).tiny)  # a unit with zero responsibility keeps a prior of 0
    T = R.T @ X / N[:, None]
    squares = np.einsum("ij,ij->j", R, distances(X, T, squared=True))
    sigma = np.maximum(np.sqrt(squares / (X.shape[1] * N)), least)
    W = R.T @ np.eye(n_classes)[codes] / N[:, None]
    return T, sigma, N / R.sum(), W


def _of_units(values: Any, m: int, name: str, *, zero: bool = False) -> np.ndarray:
    values = check_targets(values, m, name)
    if values.ndim != 1 or values.min() < 0 or (values.min() == 0 and not zero) or values.max() == 0:
        raise ValueError(f"{name} must be {m} positive numbers, one for each; got {values}.")
    return values
