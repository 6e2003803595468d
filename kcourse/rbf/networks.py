"""RBF networks: a hidden layer of Gaussian units and a linear output layer [002, "Réseaux RBF"]."""

from __future__ import annotations

from typing import Any

import numpy as np

from kcourse.base.estimator import Classifier, Estimator, Regressor
from kcourse.base.linalg import in_strips, of_half_sq_dists
from kcourse.base.validation import check_number, check_points, check_positive, check_rng, check_squares, check_targets
from kcourse.rbf.clustering import at_most_distinct, check_count, draw_centers, kmeans, online_kmeans
from kcourse.rbf.linear import least_squares
from kcourse.rbf.training import spread, supervised_gradients

__all__ = ["RBFNetwork", "RBFNetworkClassifier"]

_WAYS = ("kmeans", "online", "random", "supervised")
_RULES = ("dmax", "median", "neighbors")


def hidden_layer(X: np.ndarray, T: np.ndarray, sigma: np.ndarray) -> np.ndarray:
    """Return the activations φ_j(x_i) = exp(-‖x_i - t_j‖² / (2σ_j²)), shape (n, m)."""
    # lengths are relative to a centre and in units of the smallest width, to avoid loss of precision
    origin, unit = T.mean(axis=0), sigma.min()
    per_unit = (unit / sigma) ** 2

    def apply(S: np.ndarray) -> None:
        S *= per_unit
        np.exp(S, out=S)

    return of_half_sq_dists((X - origin) / unit, (T - origin) / unit, apply)


def output_layer(
    Phi: np.ndarray, Y: np.ndarray, lam: float, bias: bool, w: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return W (m, t) and b (t,) that minimise ‖Y - ΦW - b‖² + λ‖W‖², rows weighted by ``w``; ``Y`` is (n, t)."""
    # at the minimum b = mean(Y) - mean(Φ) W, so subtracting the means eliminates b, which stays unpenalised
    at, level = (np.average(A, axis=0, weights=w) if bias else np.zeros(A.shape[1]) for A in (Phi, Y))
    penalty = np.sqrt(lam) * np.eye(Phi.shape[1]) if lam > 0 else None
    root = 1.0 if w is None else np.sqrt(w)[:, None]
    W = least_squares(root * (Phi - at), root * (Y - level), penalty)
    return W, level - at @ W


class _Network(Estimator):
    """Base class of both networks: parameters, the hidden layer, and the training of its units."""

    def __init__(
        self, n_centers: int = 10, *, centers: Any = "kmeans", sigma: Any = "dmax", bias: bool = True,
        lam: float = 1e-6, max_iter: int = 100, rng: Any = 0,
    ) -> None:  # fmt: skip
        self.n_centers = n_centers
        self.centers = centers
        self.sigma = sigma
        self.bias = bias
        self.lam = lam
        self.max_iter = max_iter
        self.rng = rng

    def hidden(self, X: Any) -> np.ndarray:
        """Return the outputs φ_j(x_i) of the hidden units, shape (q, m)."""
        return hidden_layer(self._new_points(X), self.centers_, self.sigma_)

    def _outputs(self, X: Any) -> np.ndarray:
        def of_rows(rows: np.ndarray) -> np.ndarray:
            return hidden_layer(rows, self.centers_, self.sigma_) @ self.output_weights_

        return in_strips(of_rows, self._new_points(X), len(self.centers_)) + self.intercept_

    def _train(self, X: np.ndarray, Y: np.ndarray, w: np.ndarray | None) -> tuple:
        """Return (T, σ, W, b, iterations) for targets Y (n, t) and weights w (n,) of the points."""
        lam = check_number(self.lam, "lam", at_least=0.0)
        max_iter = check_number(self.max_iter, "max_iter", at_least=1, integer=True)
        check_squares(X)
        T, n_iter = self._place(X, max_iter, w)
        sigma = self._widths(T)
        if isinstance(self.centers, str) and self.centers == "supervised":
            T, sigma, n_iter = _descend(X, Y, w, T, sigma, lam, self.bias, max_iter)
        return T, sigma, *output_layer(hidden_layer(X, T, sigma), Y, lam, self.bias, w), n_iter

    def _place(self, X: np.ndarray, max_iter: int, w: np.ndarray | None) -> tuple[np.ndarray, int]:
        m, rng = check_count(self.n_centers, len(X), "n_centers"), check_rng(self.rng)
        if not isinstance(self.centers, str):
            T = np.array(check_points(self.centers, "centers", n_features=X.shape[1]))
            if len(T) != m:
                raise ValueError(f"centers has {len(T)} rows, but n_centers is {m}; make them agree.")
            return T, 0
        if self.centers not in _WAYS:
            raise ValueError(f"centers must be one of {', '.join(map(repr, _WAYS))} or an array, got {self.centers!r}.")
        m = at_most_distinct(m, X, "n_centers")
        if self.centers == "random":
            return draw_centers(X, m, rng, "n_centers"), 0
        if self.centers == "online":
            found = online_kmeans(X, m, rng=rng)
        else:
            found = kmeans(X, m, init="k-means++", max_iter=max_iter, tol=1e-4, rng=rng, sample_weight=w)
        return found.centers, found.n_iter

    def _widths(self, T: np.ndarray) -> np.ndarray:
        sigma = self.sigma
        if isinstance(sigma, str):
            if sigma not in _RULES:
                raise ValueError(f"sigma must be a width, (m,) widths or a rule, {', '.join(_RULES)}; got {sigma!r}.")
            sigma = spread(T, rule=sigma)
        elif np.ndim(sigma) == 0:
            sigma = check_positive(sigma, "sigma", "it is a width, in the units of x.")
        else:
            sigma = check_targets(sigma, len(T), "sigma")
            if sigma.ndim != 1 or sigma.min() <= 0:
                raise ValueError(
                    f"sigma has shape {sigma.shape}; expected one positive width, or {len(T)}, one for each centre."
                )
        return np.broadcast_to(sigma, len(T)).astype(float)


def _descend(X, Y, w, T, sigma, lam, bias, max_iter) -> tuple[np.ndarray, np.ndarray, int]:
    """Optimise centres and widths for E = ½ Σe² + ½ λ‖W‖² by L-BFGS, with the optimal W and b at each step.

    At the optimal W the gradient of min_W E with respect to t and σ is the partial one (envelope theorem; "variable
    projection"), so the weights need no gradient steps.
    """
    from scipy.optimize import minimize

    m, unit = len(T), float(np.median(sigma))

    def unpack(theta):
        return T + unit * theta[: T.size].reshape(T.shape), sigma * np.exp(theta[T.size :])

    def objective(theta):
        t, s = unpack(theta)
        W, b = output_layer(hidden_layer(X, t, s), Y, lam, bias, w)
        g = supervised_gradients(X, Y, W, t, 1 / s**2, bias=b, sample_weight=w)
        # ∂E/∂log σ = -2/σ² ∂E/∂(1/σ²)
        return g.error + 0.5 * lam * np.sum(W * W), np.append(unit * g.centers, -2 * g.precisions / s**2)

    bounds = [(None, None)] * T.size + [(-np.log(30), np.log(30))] * m  # keep each width within a factor of 30
    found = minimize(
        objective, np.zeros(T.size + m), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": max_iter}
    )
    return *unpack(found.x), int(found.nit)


class RBFNetwork(_Network, Regressor):
    """RBF network regression with m Gaussian units: y(x) = b + Σ_j w_j exp(-‖x - t_j‖² / (2σ_j²)).

    Hybrid learning [002, "Stratégies d'apprentissage"]: first the centres t_j, unsupervised or supervised; then
    w = (ΦᵀΦ + λI)⁻¹Φᵀy, solved as a least-squares problem [002, "Calcul des poids"].

    Parameters
    ----------
    n_centers : int
        m, the number of hidden units; reduced, with a warning, to the number of distinct points.
    centers : str or (m, d) array
        "kmeans" (Lloyd's iteration, one start, ``tol=1e-4``), "online" (MacQueen's, one pass), "random" (distinct
        training points), "supervised" (k-means, then gradient-based optimisation of centres and widths, see
        `supervised_gradients`), or the centres themselves.
    sigma : str, float > 0 or (m,) array
        widths: a rule of `spread` ("dmax", "median", "neighbors"), one width, or one for each centre. "dmax" is the
        source's d_max/√(2m), for low dimensions; "median" and "neighbors" follow the spacing of the centres.
    bias : bool
        whether there is a unit φ_0 = 1. Without it even XOR under two Gaussians cannot be separated.
    lam : float ≥ 0
        λ of the penalty λ‖w‖² next to the sum of squared errors, without b; 0 is the source's pseudo-inverse.
    max_iter : int
        maximum number of iterations of k-means, and of the supervised optimisation.
    rng : int or Generator
        seed or generator for all random choices.

    Attributes
    ----------
    centers_ : (m, d) array
        t_j.
    sigma_ : (m,) array
        σ_j.
    output_weights_ : (m,) or (m, t) array
        w_j.
    intercept_ : float or (t,) array
        b; 0 without bias.
    n_iter_ : int
        number of iterations that placed the centres (0 if the method does not iterate).

    Notes
    -----
    More units do not always help: select m and σ by cross-validation
    (``GridSearchCV(model, {"n_centers": …, "sigma": …})``). Scale the features first, because each σ_j applies to all.
    `lms` trains the output layer on ``hidden(X)`` online. Time O(nmd) per iteration of k-means and O(nm²) for w.

    >>> XOR, y = [[0, 0], [1, 1], [0, 1], [1, 0]], [0.0, 0.0, 1.0, 1.0]
    >>> model = RBFNetwork(2, centers=[[1, 1], [0, 0]], sigma=0.5**0.5, lam=0.0).fit(XOR, y)
    >>> model.output_weights_.round(6), round(model.intercept_, 6)
    (array([-2.50265, -2.50265]), 2.841347)
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RBFNetwork:
        """Place the centres and compute the weights from ``X`` (n, d) and ``y`` (n,) or (n, t); return self.

        ``sample_weight`` (n,) gives the number of copies that each row stands for, fractions included; rows of
        weight 0 are left out. The "random" and "online" centres ignore the weights of the other rows.
        """
        points = self._fit_points(X)
        w, points, y = self._fit_weights(sample_weight, points, check_targets(y, len(points)))
        T, sigma, W, b, n_iter = self._train(points, y.reshape(len(y), -1), w)
        self._remember_features(X, points)
        self.centers_, self.sigma_, self.n_iter_ = T, sigma, n_iter
        self.output_weights_, self.intercept_ = (W[:, 0], float(b[0])) if y.ndim == 1 else (W, b)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return y(x) for each row of ``X`` (q, d): (q,) or (q, t)."""
        return self._outputs(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # a few local units cannot fit a plane in ten dimensions
        return tags


class RBFNetworkClassifier(_Network, Classifier):
    """RBF network classifier, with one output for each class: f_k(x) = b_k + Σ_j w_kj exp(-‖x - t_j‖² / (2σ_j²)).

    The targets are 1 for the class of a point and 0 for the others [002, "Réseaux classifieurs RBF"]; the prediction
    is the class with the largest output. Centres, widths and weights as in `RBFNetwork`.

    Parameters
    ----------
    n_centers : int
        m, the number of hidden units; reduced, with a warning, to the number of distinct points.
    centers : str or (m, d) array
        "kmeans" (Lloyd's iteration, one start, ``tol=1e-4``), "online" (MacQueen's, one pass), "random" (distinct
        training points), "supervised" (k-means, then gradient-based optimisation of centres and widths, see
        `supervised_gradients`), or the centres themselves.
    sigma : str, float > 0 or (m,) array
        widths: a rule of `spread` ("dmax", "median", "neighbors"), one width, or one for each centre. "dmax" is the
        source's d_max/√(2m), for low dimensions; "median" and "neighbors" follow the spacing of the centres.
    bias : bool
        whether there is a unit φ_0 = 1. Without it even XOR under two Gaussians cannot be separated.
    lam : float ≥ 0
        λ of the penalty λ‖w‖² next to the sum of squared errors, without b; 0 is the source's pseudo-inverse.
    max_iter : int
        maximum number of iterations of k-means, and of the supervised optimisation.
    rng : int or Generator
        seed or generator for all random choices.

    Attributes
    ----------
    classes_ : (c,) array
        the sorted labels.
    centers_ : (m, d) array
        t_j.
    sigma_ : (m,) array
        σ_j.
    output_weights_ : (m, c) array
        w_kj, a column for each class.
    intercept_ : (c,) array
        b; 0 without bias.
    n_iter_ : int
        number of iterations that placed the centres (0 if the method does not iterate).

    Notes
    -----
    The source interprets each output as a posterior p(c_k|x). Least squares only *approximates* it: outputs leave
    [0, 1], and without bias they do not sum to 1 (with the unpenalised bias they do). Exact posteriors require the
    normalised basis and w_kj = p(c_k|j), as in `BayesRBFClassifier`.

    >>> XOR, y = [[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "different", "different"]
    >>> model = RBFNetworkClassifier(2, centers=[[1, 1], [0, 0]], sigma=0.5**0.5).fit(XOR, y)
    >>> model.predict([[0, 1], [1, 1]]).tolist()
    ['different', 'same']
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RBFNetworkClassifier:
        """Place the centres and compute the weights from ``X`` (n, d) and labels ``y`` (n,); return self.

        ``sample_weight`` as in `RBFNetwork`; a class whose points all have weight 0 is left out.
        """
        points = self._fit_points(X)
        classes, codes = self._fit_labels(y, len(points), sample_weight=sample_weight)
        w, points = self._fit_weights(sample_weight, points)
        T, sigma, W, b, n_iter = self._train(points, np.eye(len(classes))[codes], w)
        self._remember_features(X, points)
        self.classes_, self.centers_, self.sigma_, self.n_iter_ = classes, T, sigma, n_iter
        self.output_weights_, self.intercept_ = W, b
        return self

    def outputs(self, X: Any) -> np.ndarray:
        """Return the outputs f_k(x), shape (q, c): approximate posteriors, not restricted to [0, 1]."""
        return self._outputs(X)

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the outputs (q, c), or for two classes y_2(x) - y_1(x), shape (q,)."""
        Y = self._outputs(X)
        return Y[:, 1] - Y[:, 0] if Y.shape[1] == 2 else Y
