"""Gaussian process regression as an estimator."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.linalg.lapack import dtrtrs

from kcourse.base.cholesky import ACCURACY, cho_inverse, cho_inverse_diag, relative_size, rounding, warn_of_rounding
from kcourse.base.estimator import Regressor
from kcourse.base.linalg import in_strips
from kcourse.base.validation import check_flag, check_kernel, check_number, check_rng, check_targets
from kcourse.gp.covariance import not_negative, symmetric_root
from kcourse.gp.evidence import LOG_2PI, Hyper, condition, log_evidence
from kcourse.gp.learn import maximize_evidence
from kcourse.gp.loo import LooPredictions
from kcourse.gp.units import AS_GIVEN, Units
from kcourse.kernels import expansion, gram, gram_diag

__all__ = ["GaussianProcess"]


class GaussianProcess(Regressor):
    """Gaussian process regression: a process with prior mean zero, conditioned on noisy values.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        prior covariance of f, in units of y²; for example, ``3 * Gaussian(0.5)`` has prior variance 3.
    noise_variance : float ≥ 0
        noise variance σ_n², in units of y²; scikit-learn's ``alpha``, ``KernelRidge``'s λ. 0 interpolates, if K is
        positive definite in floating point (see the notes).
    normalize_y : bool
        whether each target is scaled to mean 0 and standard deviation 1, as in scikit-learn. Then kernel, noise
        variance, `dual_coef_` and evidence refer to the scaled targets and have no unit; predictions, draws and `loo`
        are in units of y. A constant target is only centred.
    optimize : bool
        whether ``fit`` maximises log p(y) over the logarithms of the kernel's hyper-parameters and noise variance.
    fixed : sequence of str
        hyper-parameters that ``optimize`` does not change: names from ``kernel.theta_names``, or "noise_variance";
        "sigma" means all of "sigma[0]", "sigma[1]", …
    bounds : dict from such names to (low, high), or None
        bounds for ``optimize``; by default from 1e-5 to 1e5 times the start.
    n_restarts : int ≥ 0
        number of restarts of ``optimize`` at random points within the bounds and within a factor of 100 of the
        first start; the best result is kept.
    rng : int or Generator
        seed or generator for the restarts.

    Attributes
    ----------
    kernel_, noise_variance_ : Kernel, float
        given or learned values.
    theta_names_ : tuple of str
        names of the entries of θ: ``kernel_.theta_names``, then "noise_variance" unless that is 0.
    dual_coef_ : (n,) or (n, t) array
        α = (K + σ_n²I)⁻¹y.
    log_marginal_likelihood_ : float
        log p(y), summed over the targets.
    evidence_terms_ : (float, float, float)
        the three terms of log p(y): fit -½yᵀα, complexity -½ log det(K + σ_n²I), constant -n/2 log 2π.
    X_fit_, n_features_in_, feature_names_in_
        the training points (a copy), their number of features, and column names if X was a data frame.

    Notes
    -----
    The prior mean is zero: subtract the mean of y and add it to the predictions, or set ``normalize_y``. The posterior
    mean is kernel ridge regression. In addition, the process gives a standard deviation, which is valid only if f is a
    draw from this prior; for fixed hyper-parameters it does not depend on y, and it never exceeds that of the prior.
    Several targets share X, kernel and noise, and are independent of each other. There is no ``sample_weight``, because
    a repeated point is two observations; their mean with half the noise variance gives the same f but another evidence.
    Repeat the row, or use `KernelRidge`, whose weights give the mean. Time n³/3 for ``fit``, n³ for each step of
    ``optimize``, n² for the variance at a point; memory n² numbers. X may be sparse if the kernel accepts it; then
    ``optimize`` can learn only a single width of a `Gaussian`.

    Rounding errors matter if K is nearly singular and the noise variance is tiny. Let A = K + σ_n²I, w = A⁻¹k(x),
    s(x) = k(x, x) + Σ_i A_ii w_i², and e = (n + 100) ε with ε = 2.2e-16. Then var f(x) is accurate to about e s(x), and
    E f(x) to about e √(s(x) Σ_i A_ii α_i²), if the kernel values are accurate to 100 ε; those of a Gaussian are for
    points within ten widths. So at the training points of a small problem the standard deviation is accurate to 2e-7 of
    that of the prior. Far from these points w may be large. A warning tells you if the mean may be wrong by more than
    1e-3 of the largest |y_i|, or the standard deviation by more than 1e-3 of that of the prior.

    >>> from kcourse.gp import GaussianProcess
    >>> from kcourse.kernels import Gaussian, Periodic, RationalQuadratic
    >>> gp = GaussianProcess(Gaussian(1.0), noise_variance=0.25).fit([[0.0]], [1.0])
    >>> mean, sd = gp.predict([[0.0], [1.0]], return_std=True)
    >>> mean.round(6), (sd**2).round(6)
    (array([0.8     , 0.485225]), array([0.2     , 0.705696]))

    Parts of a kernel model parts of a series: here a trend, a changing season, slow and fast irregularities
    [GPML, §5.4.3, with the values printed there].

    >>> from kcourse.datasets import load_co2
    >>> year, ppm = load_co2(return_X_y=True)
    >>> season = 2.4**2 * Gaussian(90.0) * Periodic(period=1.0, sigma=1.3)
    >>> kernel = 66**2 * Gaussian(67.0) + season + 0.66**2 * RationalQuadratic(1.2, 0.78) + 0.18**2 * Gaussian(0.134)
    >>> co2 = GaussianProcess(kernel, noise_variance=0.19**2).fit(year, ppm - ppm.mean())
    >>> round(co2.log_marginal_likelihood_, 3)
    -117.023
    """

    _uses_kernel_only = True

    def __init__(
        self,
        kernel: Callable,
        *,
        noise_variance: float = 1.0,
        normalize_y: bool = False,
        optimize: bool = False,
        fixed: Sequence[str] = (),
        bounds: Mapping[str, tuple[float, float]] | None = None,
        n_restarts: int = 0,
        rng: int | np.random.Generator = 0,
    ) -> None:
        self.kernel = kernel
        self.noise_variance = noise_variance
        self.normalize_y = normalize_y
        self.optimize = optimize
        self.fixed = fixed
        self.bounds = bounds
        self.n_restarts = n_restarts
        self.rng = rng

    def fit(self, X: Any, y: Any) -> GaussianProcess:
        """Condition on ``X`` (n, d) and ``y`` (n,), or (n, t) for t targets that share X; returns self.

        Raises
        ------
        TypeError, ValueError
            for an invalid argument; the message names it and the fix. Also if K + σ_n²I is not positive definite in
            floating point; the message gives the smallest eigenvalue of K and a remedy.

        Warns
        -----
        UserWarning
            if ``optimize`` stopped early, or ended at a bound; if rounding errors matter at the training points.
        """
        kernel = check_kernel(self.kernel)
        hyper = Hyper(kernel, check_number(self.noise_variance, "noise_variance", at_least=0))
        points = self._fit_points(X, kernel)
        y = np.array(check_targets(y, len(points)))
        units = Units.of(y) if check_flag(self.normalize_y, "normalize_y") else AS_GIVEN
        y = units.seen(y)
        if self.optimize:
            options = {"fixed": self.fixed, "bounds": self.bounds, "n_restarts": self.n_restarts, "rng": self.rng}
            hyper = maximize_evidence(hyper, points, y, **options)
        K = gram(hyper.kernel, points)
        diagonal = K.diagonal() + hyper.noise
        L, alpha, terms = condition(K, y, hyper.noise)
        warn_of_rounding(alpha, y, diagonal, "noise_variance")
        self._remember_features(X, points)
        self.X_fit_, self.dual_coef_ = points, alpha
        self.evidence_terms_, self.log_marginal_likelihood_ = terms, sum(terms)
        self._hyper, self._L, self._y, self._units, self._diagonal = hyper, L, y, units, diagonal
        return self

    # learned values are stored once, in `Hyper`
    @property
    def kernel_(self) -> Callable:
        """Kernel, as given or learned."""
        self._check_fitted()
        return self._hyper.kernel

    @property
    def noise_variance_(self) -> float:
        """Noise variance σ_n², as given or learned."""
        self._check_fitted()
        return self._hyper.noise

    @property
    def theta_names_(self) -> tuple[str, ...]:
        """Names of the entries of θ."""
        self._check_fitted()
        return self._hyper.names

    @property
    def _kernel(self) -> Callable:
        return self._hyper.kernel  # the name that `Estimator` uses

    def predict(
        self, X: Any, *, return_std: bool = False, return_cov: bool = False, with_noise: bool = False
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """Return E f(x) for each row of ``X`` (q, d), shape (q,) or (q, t), and on request its uncertainty.

        ``return_std`` adds the standard deviation (q,) of f(x), ``return_cov`` the covariance (q, q). They are the same
        for every target; if ``normalize_y`` scaled several targets, they have a last axis for the targets. Before
        ``fit`` the method describes the prior: mean 0, and the variance of the kernel. ``with_noise`` describes a new
        *observation* y and adds σ_n² to the variance (in scikit-learn: a ``WhiteKernel`` as part of the kernel instead
        of ``alpha``). A variance that is negative by rounding is returned as 0; see the notes of the class for how
        accurate it is, and for the warning.
        """
        if return_std and return_cov:
            raise ValueError("return_std and return_cov are both True; choose one, as std² is the diagonal of cov.")
        if not self.__sklearn_is_fitted__():
            return self._predict_prior(X, return_std, return_cov, with_noise)
        X, units = self._new_points(X), self._units
        if not (return_std or return_cov or self._is_delicate()):
            return units.back(expansion(self.kernel_, X, self.X_fit_, self.dual_coef_))
        noise = self.noise_variance_ if with_noise else 0.0
        if return_cov:
            mean, cov, scale = self._posterior(X)
            self._warn_of_rounding(scale, "X")
            cov.flat[:: len(X) + 1] += noise
            return units.back(mean), units.spread(cov, 2)
        M = in_strips(self._moments, X, len(self.X_fit_))
        variance, scale, mean = M[:, 0], M[:, 1], M[:, 2:].reshape(len(X), *self.dual_coef_.shape[1:])
        self._warn_of_rounding(scale, "X")
        if not return_std:
            return units.back(mean)
        return units.back(mean), units.spread(np.sqrt(not_negative(variance, scale) + noise), 1)

    def _moments(self, X: np.ndarray) -> np.ndarray:
        """Return var f(x), the scale of its rounding, and E f(x) of one or t targets as columns, (q, 2 + t)."""
        mean, V = self._mean_and_reduction(X)
        prior = gram_diag(self.kernel_, X)
        # var f(x) = k(x, x) - ‖v‖²
        variance = prior - np.einsum("nq,nq->q", V, V)
        return np.column_stack([variance, self._rounding_scale(V, prior), mean])

    def _feature_weights(self) -> np.ndarray | None:
        w = super()._feature_weights()
        return None if w is None else (w.T * self._units.scale).T

    def _predict_prior(self, X: Any, return_std: bool, return_cov: bool, with_noise: bool) -> Any:
        kernel = check_kernel(self.kernel)
        X, noise = self._fit_points(X, kernel), check_number(self.noise_variance, "noise_variance", at_least=0)
        mean, noise = np.zeros(len(X)), noise if with_noise else 0.0
        if return_cov:
            return mean, gram(kernel, X) + noise * np.eye(len(X))
        if return_std:
            variance = gram_diag(kernel, X)
            return mean, np.sqrt(not_negative(variance, np.abs(variance)) + noise)
        return mean

    def _mean_and_reduction(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return k(x)ᵀα for each x, and the columns v = L⁻¹k(x), shape (n, q)  [GPML, algorithm 2.1]."""
        k = gram(self.kernel_, X, self.X_fit_)
        mean = k @ self.dual_coef_
        return mean, dtrtrs(self._L, k.T, lower=True, overwrite_b=True)[0]

    def _is_delicate(self) -> bool:
        """Whether the noise variance is so small that rounding errors may matter at some x."""
        return self._hyper.noise < _enough_noise(self._diagonal)

    def _rounding_scale(self, V: np.ndarray, prior: np.ndarray) -> np.ndarray:
        """Return s(x) = k(x, x) + Σ_i A_ii w_i², w = A⁻¹k(x), from the columns v = L⁻¹k(x), or a bound; shape (q,).

        Rounding changes var f(x) by at most e s(x); see the notes of the class.
        """
        if not self._is_delicate():
            return prior * (1 + np.max(self._diagonal) / self._hyper.noise)  # as ‖w‖² ≤ k(x, x)/σ_n²
        W = dtrtrs(self._L, V, lower=True, trans=1)[0]
        return prior + self._diagonal @ W**2

    def _warn_of_rounding(self, scale: np.ndarray, points: str) -> None:
        """Warn if rounding matters at one of the ``points`` with these s(x), shape (q,)."""
        if not self._is_delicate():
            return  # then s(x) is a bound
        lost, i = rounding(len(self._diagonal)), int(np.argmax(scale))
        size = relative_size((self.dual_coef_.T * np.sqrt(self._diagonal)).T, self._y)
        of_mean = lost * np.sqrt(scale[i]) * size
        of_sd = np.sqrt(lost * scale[i] / np.max(self._diagonal))
        if max(of_mean, of_sd) > ACCURACY:
            warnings.warn(
                f"rounding errors may change the mean at {points}[{i}] by {of_mean:.1g} of the largest |y|, and the "
                f"standard deviation by {of_sd:.1g} of the prior's, because the Gram matrix is nearly singular: take "
                f"noise_variance of at least {_enough_noise(self._diagonal):.1g}.",
                stacklevel=3,
            )

    def _posterior(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return mean (q,) or (q, t) and covariance (q, q) of f at the points, and the scale of rounding (q,)."""
        mean, V = self._mean_and_reduction(X)
        cov = gram(self.kernel_, X)
        scale = self._rounding_scale(V, cov.diagonal().copy())
        # cov(f(x), f(z)) = k(x, z) - v(x)ᵀv(z)
        cov -= V.T @ V
        np.fill_diagonal(cov, not_negative(cov.diagonal(), scale))
        return mean, cov, scale

    def sample(self, X: Any, n: int = 1, *, rng: int | np.random.Generator = 0) -> np.ndarray:
        """Return ``n`` draws of (f(x_1), …, f(x_q)), shape (n, q) or (n, q, t): posterior if fitted, prior if not.

        f = m + Sz with z ~ N(0, I) and S the symmetric root of the covariance, SS = cov. Unlike a Cholesky factor, S
        also exists for singular covariances (repeated points, smooth kernels on fine grids). For one seed, the draw
        is a continuous function of the hyper-parameters. Noise is not included; for draws of y add σ_n times standard
        normal numbers. O(q³).

        Draws are rougher than the functions of the RKHS: if it has infinite dimension, they almost surely do not lie
        in it. The squared norm fᵀK⁻¹f of a prior draw, restricted to q points, has mean q and so grows with q.
        """
        n, rng = check_number(n, "n", at_least=1, integer=True), check_rng(rng)
        units = AS_GIVEN
        if self.__sklearn_is_fitted__():
            X, units = self._new_points(X), self._units
            mean, cov, scale = self._posterior(X)
            self._warn_of_rounding(scale, "X")
        else:
            kernel = check_kernel(self.kernel)
            X = self._fit_points(X, kernel)
            mean, cov = np.zeros(len(X)), gram(kernel, X)
            scale = np.abs(cov.diagonal())
        Z = rng.standard_normal((n, *mean.shape))
        S = symmetric_root(cov, scale)
        return units.back(mean + (Z @ S if mean.ndim == 1 else S @ Z))

    def log_marginal_likelihood(
        self, theta: Any = None, *, eval_gradient: bool = False
    ) -> float | tuple[float, np.ndarray]:
        """Return log p(y) at ``theta``, natural logarithms in the order of ``theta_names_``; by default at the fit.

        ``eval_gradient`` adds the gradient in θ: ∂ log p/∂θ_p = ½ tr((ααᵀ - A⁻¹) ∂A/∂θ_p)  [GPML, equation 5.9].
        The data and all learned attributes are unchanged.
        """
        self._check_fitted()
        hyper = self._hyper if theta is None else self._hyper.at(theta)
        if eval_gradient:
            return log_evidence(hyper, self.X_fit_, self._y)
        return log_evidence(hyper, self.X_fit_, self._y, gradient=False)[0]

    def loo(self) -> LooPredictions:
        """Return leave-one-out predictions of each y_i from all others, without refitting; O(n³).

        With A = K + σ_n²I:  mean_i = y_i - α_i/[A⁻¹]_ii,  variance_i = 1/[A⁻¹]_ii  [GPML, equations 5.10-5.12].
        """
        self._check_fitted()
        variance = 1 / cho_inverse_diag(self._L)
        if self._is_delicate():
            self._warn_of_rounding(self._diagonal @ cho_inverse(self._L) ** 2 * variance**2, "X_fit_")
        residual, units = (self.dual_coef_.T * variance).T, self._units
        # log p(y_i | the others) = -½ log 2πσ_i² - ½ (y_i - μ_i)²/σ_i²
        log_density = -0.5 * (LOG_2PI + np.log(variance) + residual.T**2 / variance).T
        mean, variance = units.back(self._y - residual), units.spread(variance, 2)
        return LooPredictions(mean=mean, variance=variance, log_density=log_density - np.log(units.scale))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False  # the prior can also predict
        return tags


def _enough_noise(diagonal: np.ndarray) -> float:
    """Return a noise variance with which rounding errors do not matter at any x, from the diagonal (n,) of A."""
    n, lost = len(diagonal), rounding(len(diagonal))
    # ‖w‖² ≤ k(x, x)/σ_n² and ‖α‖ ≤ √n max |y|/σ_n²; half as much again, because messages round it to one digit
    return 1.5 * (float(diagonal.max()) or 1.0) * max(lost / ACCURACY**2, (lost * np.sqrt(n) / ACCURACY) ** (2 / 3))
