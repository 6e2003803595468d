"""Parzen density estimation, and Bayes' rule with one density for each class."""

from __future__ import annotations

from typing import Any

import numpy as np

from kcourse.base.estimator import Classifier, Estimator
from kcourse.base.validation import check_number, check_rng
from kcourse.kernels import Gaussian
from kcourse.neighbors.path import SmoothingPath, check_rest, check_sigmas, weight_of_rest
from kcourse.neighbors.smoothers import in_units, leave_one_out_squares
from kcourse.neighbors.weights import blocks, log_gaussian, relative_log

__all__ = ["ParzenClassifier", "ParzenDensity"]


class ParzenDensity(Estimator):
    """Parzen density estimator with a Gaussian at each point [000, "Fenêtre de Parzen"].

    p(x) = 1/n Σ_i (2πσ²)^(-d/2) exp(-‖x - x_i‖²/(2σ²))

    The source uses these windows for regression (see `NadarayaWatson`), where their constant cancels; here it makes
    ∫ p = 1. A density has the unit of 1/x^d and may exceed 1. If points have weights, w_i / Σ_j w_j replaces 1/n.

    Parameters
    ----------
    sigma : float > 0, or d of them, or "silverman" or "scott"
        width σ, in the units of x: one, or one for each feature; ``bandwidth`` in scikit-learn's ``KernelDensity``.
        The rules multiply the standard deviation s_j of each feature by (n (d+2)/4)^(-1/(d+4)) [Silverman, 1986,
        §4.3.2] or n^(-1/(d+4)) [Scott, 1992, §6.3.2]. They are optimal for a Gaussian distribution with independent
        features and smooth too much for one with several modes; see `loo_path`.

    Attributes
    ----------
    sigma_ : float or (d,) tuple
        σ as given, or computed by the rule; for one feature a float.
    X_fit_ : (n, d) array
        the training points (a copy), without those of weight 0.
    n_features_in_ : int
        d.
    feature_names_in_ : (d,) array
        column names, if X was a data frame.

    Notes
    -----
    The sum over all points is computed from logarithms, so log p is accurate in the tails. ``KernelDensity`` adds and
    subtracts bounds over a tree and loses precision there (scikit-learn's issues 7492, 25799); with ``leaf_size`` ≥ n
    it agrees. Its rules of the same names omit s_j and require standardised features. SciPy's ``gaussian_kde`` uses
    the covariance of the points, the rules here its diagonal. In SciPy and here the rules depend only on relative
    weights: n is (Σ_i w_i)² / Σ_i w_i².

    >>> from kcourse.neighbors import ParzenDensity
    >>> model = ParzenDensity(sigma=0.8).fit([[0, 0], [1, 0], [0, 2]])
    >>> model.density([[0.5, 0.5], [1, 1]]).round(6)
    array([0.123933, 0.072702])
    """

    def __init__(self, sigma: float | tuple[float, ...] | str = 1.0) -> None:
        self.sigma = sigma

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> ParzenDensity:
        """Store ``X`` (n, d); ``y`` is ignored and exists for pipelines; return self.

        ``sample_weight`` (n,) gives the number of copies that each row stands for, fractions included; rows of
        weight 0 are left out.

        Raises
        ------
        TypeError, ValueError
            for σ, X or weights that cannot be used, naming it and the fix; the rules give no width for a constant
            feature.
        """
        w, points = self._fit_weights(sample_weight, self._fit_points(X))
        sigma = _by_rule(self.sigma, points, w) if isinstance(self.sigma, str) else _check_widths(self.sigma, points)
        self._remember_features(X, points)
        self.X_fit_, self.sigma_, self._sigma, self._w = points, sigma, sigma, w
        self._log_w = None if w is None else np.log(w)
        return self

    def log_density(self, X: Any) -> np.ndarray:
        """Return log p(x) for each row of ``X`` (q, d), finite even far from the data: (q,)."""
        X = self._new_points(X)
        n, log_p = len(self.X_fit_), np.empty(len(X))
        for rows in blocks(len(X), n):
            log_p[rows] = _log_sum_exp(_plus(log_gaussian(X[rows], self.X_fit_, self._sigma), self._log_w))
        # log p(x) = log Σ_i exp(-½‖(x - x_i)/σ‖²) - log n - Σ_j log σ_j - d/2 log 2π
        total = n if self._w is None else self._w.sum()
        return log_p - np.log(total) - _log_volume(self._sigma, X.shape[1])

    def density(self, X: Any) -> np.ndarray:
        """Return p(x) for each row of ``X`` (q, d): (q,), in units of 1/x^d."""
        return np.exp(self.log_density(X))

    def score(self, X: Any, y: Any = None) -> float:
        """Return the total log-likelihood Σ log p(x) of the rows of ``X``, as scikit-learn's ``KernelDensity`` does.

        It is not a probability. On the training points it grows without limit as σ → 0; see `loo_path`.
        """
        return float(np.sum(self.log_density(X)))

    def sample(self, n: int = 1, rng: int | np.random.Generator = 0) -> np.ndarray:
        """Return ``n`` samples from p, (n, d): a training point drawn at random, by weight, plus noise of width σ."""
        self._check_fitted()
        n, rng = check_number(n, "n", at_least=1, integer=True), check_rng(rng)
        m, p = len(self.X_fit_), None if self._w is None else self._w / self._w.sum()
        chosen = self.X_fit_[rng.integers(m, size=n) if p is None else rng.choice(m, size=n, p=p)]
        return chosen + rng.standard_normal(chosen.shape) * self._sigma

    def loo_log_density(self) -> np.ndarray:
        """Return the leave-one-out log densities log p₋ᵢ(x_i), without point i and its weight, same σ: (n,)."""
        self._check_fitted()
        X, n = self.X_fit_, check_rest(len(self.X_fit_))
        log_p = np.empty(n)
        for rows in blocks(n, n):
            L = _plus(log_gaussian(X[rows], X, self._sigma), self._log_w)
            L[np.arange(len(L)), np.arange(rows.start, rows.stop)] = -np.inf
            log_p[rows] = _log_sum_exp(L)
        return log_p - self._log_rest() - _log_volume(self._sigma, X.shape[1])

    def _log_rest(self) -> float | np.ndarray:
        """Return the logarithm of the number, or total weight, of the points other than each point."""
        return np.log(len(self.X_fit_) - 1 if self._w is None else weight_of_rest(self._w))

    def loo_path(self, sigmas: Any) -> SmoothingPath:
        """Return log p₋ᵢ(x_i) for each σ of ``sigmas`` (m,), one for all features; the best σ has the largest mean.

        If every point has a copy, the mean grows without limit as σ → 0. Such data were rounded, and σ should not be
        smaller than the rounding.
        """
        self._check_fitted()
        sigmas, (n, d) = check_sigmas(sigmas), self.X_fit_.shape
        check_rest(n)
        predictions = np.empty((len(sigmas), n))
        points, precisions = in_units(self.X_fit_, sigmas)
        for rows, nearest, minus_half, W in leave_one_out_squares(points):
            for j, precision in enumerate(precisions):
                np.exp(np.multiply(minus_half, precision, out=W), out=W)
                sums = W.sum(axis=1) if self._w is None else W @ self._w
                predictions[j, rows] = np.log(sums) - 0.5 * precision * nearest
        predictions -= self._log_rest() + np.array([[_log_volume(sigma, d)] for sigma in sigmas])
        error = -np.average(predictions, axis=1, weights=self._w)
        return SmoothingPath(values=sigmas, predictions=predictions, error=error)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.estimator_type = "density_estimator"
        return tags


class ParzenClassifier(Classifier):
    """Parzen classifier: Bayes' rule with a Parzen density for each class [000, "Fenêtre de Parzen", for labels].

    p(c | x) = π_c p_c(x) / Σ_b π_b p_b(x),   p_c(x) = 1/n_c Σ_{i in c} (2πσ²)^(-d/2) exp(-‖x - x_i‖²/(2σ²))

    With π_c = n_c/n this is Nadaraya–Watson regression on indicators of the classes. If points have weights, the sums
    are weighted, and n_c is the weight of class c.

    Parameters
    ----------
    sigma : float > 0, or d of them
        width, in the units of x: one, or one for each feature.
    priors : (c,) array, optional
        π, in the order of ``classes_``, with sum 1; the fractions n_c/n if not given.

    Attributes
    ----------
    classes_ : (c,) array
        the labels, sorted.
    priors_ : (c,) array
        π.
    X_fit_, n_features_in_, feature_names_in_
        as in `ParzenDensity`.

    >>> from kcourse.neighbors import ParzenClassifier
    >>> model = ParzenClassifier(sigma=0.5).fit([[0], [1], [3]], ["a", "a", "b"])
    >>> model.predict([[1.5], [2.5], [900.0]]).tolist(), model.predict_proba([[2.0]]).round(3)
    (['a', 'b', 'b'], array([[0.501, 0.499]]))
    """

    def __init__(self, sigma: float | tuple[float, ...] = 1.0, *, priors: Any = None) -> None:
        self.sigma = sigma
        self.priors = priors

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ParzenClassifier:
        """Store ``X`` (n, d) and the labels ``y`` (n,), and count the classes; return self.

        ``sample_weight`` (n,) gives the number of copies that each row stands for, fractions included; rows of
        weight 0 are left out, and so is a class that has only such rows.

        Raises
        ------
        TypeError, ValueError
            for σ, priors, X, y or weights that cannot be used, naming it and the fix.
        """
        points = self._fit_points(X)
        sigma = _check_widths(self.sigma, points)
        classes, codes = self._fit_labels(y, len(points), sample_weight=sample_weight)
        w, points = self._fit_weights(sample_weight, points)
        order, counts = np.argsort(codes, kind="stable"), np.bincount(codes)
        mass = counts if w is None else np.bincount(codes, w)
        priors = mass / mass.sum() if self.priors is None else _check_priors(self.priors, classes)
        self._remember_features(X, points)
        self.X_fit_, self.classes_, self.priors_, self._counts, self._sigma = points, classes, priors, counts, sigma
        self._by_class, self._mass = points[order], mass  # so that each class is a slice
        self._log_w = None if w is None else np.log(w[order])
        return self

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Return log p(c | x), in the order of ``classes_``: (q, c); the largest is accurate even far from the data."""
        X = self._new_points(X)
        with np.errstate(divide="ignore"):  # a prior may be 0
            log_each = np.log(self.priors_) - np.log(self._mass)
        ends = np.cumsum(self._counts)
        joint = np.empty((len(X), len(ends)))
        for rows in blocks(len(X), len(self._by_class)):
            L = log_gaussian(X[rows], self._by_class, self._sigma)
            L = _plus(relative_log(L, X[rows], self._by_class, self._sigma), self._log_w)
            for c, end in enumerate(ends):
                # log π_c - log n_c + log Σ_{i in c} exp(-½‖(x - x_i)/σ‖²), up to a term common to all classes
                joint[rows, c] = log_each[c] + _log_sum_exp(L[:, end - self._counts[c] : end])
        return joint - _log_sum_exp(joint.copy())[:, None]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return p(c | x), in the order of ``classes_``: (q, c); each row sums to 1."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> np.ndarray:
        """Return the label of largest p(c | x) for each row of ``X`` (q, d), ties to the first label: (q,)."""
        log_p = self.predict_log_proba(X)
        return self.classes_[np.argmax(log_p, axis=1)]


def _check_widths(sigma: Any, points: np.ndarray) -> float | tuple[float, ...]:
    """Return σ checked as the width of a Gaussian on these points."""
    kernel = Gaussian(sigma)
    kernel(points[:1])
    return kernel.sigma


def _by_rule(rule: str, points: np.ndarray, w: np.ndarray | None) -> float | tuple[float, ...]:
    """Return σ_j = s_j · factor(n, d), with s_j² the unbiased variance of feature j; n and s_j are weighted."""
    if rule not in ("silverman", "scott"):
        raise ValueError(f'sigma must be a width, one for each feature, "silverman" or "scott", got {rule!r}.')
    n, d = points.shape
    spread = np.ptp(points, axis=0)
    if not spread.all():
        j = int(np.argmin(spread))
        raise ValueError(
            f'sigma="{rule}" computes the width from the variance of each feature, but feature {j} of X does not vary '
            f"(n_samples = {n}): leave it out, or give a width as a number."
        )
    share = np.full(n, 1 / n) if w is None else w / w.sum()
    n_effective = n if w is None else 1 / np.sum(share**2)
    deviation = (points - points[0]) / spread  # avoids overflow and cancellation
    deviation -= share @ deviation
    with np.errstate(divide="ignore", invalid="ignore"):  # one point may have all the weight
        s = spread * np.sqrt(share @ deviation**2 / (1 - 1 / n_effective))
    factor = (n_effective * ((d + 2) / 4 if rule == "silverman" else 1)) ** (-1 / (d + 4))
    sigma = tuple((s * factor).tolist())
    return _check_widths(sigma[0] if d == 1 else sigma, points)


def _plus(L: np.ndarray, log_w: np.ndarray | None) -> np.ndarray:
    """Return log w_i k(x, x_i), written over ``L``."""
    if log_w is not None:
        L += log_w
    return L


def _check_priors(priors: Any, classes: np.ndarray) -> np.ndarray:
    """Return a checked copy of the priors, one for each class."""
    if np.shape(priors) != classes.shape:
        raise ValueError(
            f"priors has shape {np.shape(priors)}; expected ({len(classes)},), one for each of the classes "
            f"{classes.tolist()}."
        )
    priors = np.array([check_number(p, f"priors[{i}]", at_least=0) for i, p in enumerate(priors)])
    if abs(priors.sum() - 1) > 1e-8:
        raise ValueError(f"priors must sum to 1, got {priors.sum():.10g}; divide them by their sum.")
    return priors


def _log_volume(sigma: float | tuple[float, ...], d: int) -> float:
    """Return log Π_j √(2π) σ_j, the logarithm of the integral of the Gaussian."""
    return 0.5 * d * np.log(2 * np.pi) + float(np.sum(np.log(np.broadcast_to(sigma, d))))


def _log_sum_exp(L: np.ndarray) -> np.ndarray:
    """Return log Σ_j exp(L_ij) without overflow, overwriting ``L``; -inf for a row of -inf.

    SciPy's ``logsumexp`` allocates several arrays of that size and takes seven times as long.
    """
    largest = L.max(axis=1)
    largest[largest == -np.inf] = 0.0
    L -= largest[:, None]
    with np.errstate(divide="ignore"):
        return largest + np.log(np.exp(L, out=L).sum(axis=1))
