"""Pre-images: inputs whose features are nearest to given combinations of features."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kcourse.kernels import Gaussian, Linear, gram

__all__ = ["PreImages"]


@dataclass(frozen=True, eq=False)
class PreImages:
    """Approximate pre-images z of combinations p = Σ_i β_i φ(x_i) of features.

    Attributes
    ----------
    points : (m, d) array
        z, in the units of x.
    distance2 : (m,) array
        squared residual ‖φ(z) - p‖²; 0 only if p has an exact pre-image and the search found it.
    converged : (m,) boolean array
        whether the steps became shorter than the tolerance.
    n_iter : int
        largest number of steps of a point.
    """

    points: np.ndarray
    distance2: np.ndarray
    converged: np.ndarray
    n_iter: int


def pre_image_rule(kernel: Any) -> str:
    """Return the name of the pre-image rule for ``kernel``, or raise an error that says what to do instead."""
    for kind, rule in ((Linear, "linear"), (Gaussian, "gaussian")):
        if isinstance(kernel, kind):
            return rule
    raise ValueError(
        f"there is no rule for pre-images of {kernel!r}, only for Gaussian and Linear kernels; learn the inverse by "
        "regression: KernelRidge(Gaussian(sigma=…), lam=…).fit(model.transform(X), X), then predict(scores)."
    )


def linear_pre_images(beta: np.ndarray, X: np.ndarray, norm2: np.ndarray) -> PreImages:
    """Return the exact pre-images z = Σ_i β_i x_i for the linear kernel."""
    Z = beta @ X
    distance2 = np.maximum(norm2 - np.sum(Z * Z, axis=1), 0.0)
    return PreImages(points=Z, distance2=distance2, converged=np.ones(len(Z), dtype=bool), n_iter=0)


def gaussian_pre_images(
    kernel: Callable, beta: np.ndarray, X: np.ndarray, norm2: np.ndarray, tol: float, max_iter: int
) -> PreImages:
    """Run Mika's fixed-point iteration for all rows of ``beta`` (m, n), with steps that never increase the distance.

    ‖φ(z) - p‖² = 1 - 2 g(z) + ‖p‖² with g(z) = Σ_i β_i k(z, x_i), and ∇g = Σ_i β_i k(z, x_i) (x_i - z)/σ².
    """
    start = np.argmax(beta @ gram(kernel, X), axis=1)  # the training point with the nearest feature
    Z, t = X[start].copy(), np.ones(len(beta))
    g, step = _value_and_step(kernel, beta, X, Z)
    converged, sigma = np.zeros(len(beta), dtype=bool), np.asarray(kernel.sigma)
    n_iter = 0
    while not converged.all() and n_iter < max_iter:
        n_iter += 1
        a = np.flatnonzero(~converged)
        trial = Z[a] + t[a, None] * step[a]
        g_trial, step_trial = _value_and_step(kernel, beta[a], X, trial)
        short = np.linalg.norm((trial - Z[a]) / sigma, axis=1) <= tol
        better = g_trial >= g[a]
        up = a[better]
        Z[up], g[up], step[up], t[up] = trial[better], g_trial[better], step_trial[better], 1.0
        t[a[~better]] /= 2
        converged[a[short]] = True
    return PreImages(points=Z, distance2=np.maximum(1 - 2 * g + norm2, 0.0), converged=converged, n_iter=n_iter)


def _value_and_step(kernel: Callable, beta: np.ndarray, X: np.ndarray, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return g(z) and the fixed-point step from z, a positive multiple of the gradient, for each row of ``Z``."""
    W = beta * gram(kernel, Z, X)
    g = W.sum(axis=1)
    # z ← Σ_i β_i k(z, x_i) x_i / g(z); where g ≤ 0 this step would descend: divide by Σ_i |β_i| k(z, x_i) there
    length = np.where(g > 0, g, np.abs(W).sum(axis=1))
    slope = W @ X - g[:, None] * Z
    return g, np.divide(slope, length[:, None], out=np.zeros_like(slope), where=length[:, None] > 0)
