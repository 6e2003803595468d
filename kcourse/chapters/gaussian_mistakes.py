"""Wrong versions of the Gaussian exp(-‖x-z‖²/(2σ²)) that any exercise may meet, with a hint for each.

A chapter adds the step to read again and the experiment, which call its own function.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

__all__ = ["GAUSSIAN_MISTAKES", "differences", "gaussian", "squares"]

Kernel = Callable[[np.ndarray, np.ndarray, float], np.ndarray]


def differences(X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """x_i - z_j for all pairs, (n, m, d)."""
    return X[:, None, :] - Z[None, :, :]


def squares(X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """‖x_i - z_j‖² for all pairs, (n, m)."""
    return (differences(X, Z) ** 2).sum(axis=2)


def gaussian(X: np.ndarray, Z: np.ndarray, sigma: float) -> np.ndarray:
    """exp(-‖x_i - z_j‖²/(2σ²)) for all pairs, (n, m)."""
    return np.exp(-squares(X, Z) / (2 * sigma**2))


# name -> the kernel as a function (X, Z, sigma), and the hint
GAUSSIAN_MISTAKES: dict[str, tuple[Kernel, str]] = {
    "exponent without the 2": (
        lambda X, Z, s: np.exp(-squares(X, Z) / s**2),
        "Your kernel is exp(-‖x-z‖²/σ²). In this course the Gaussian is exp(-‖x-z‖²/(2σ²)).",
    ),
    "all of 2 sigma squared": (
        lambda X, Z, s: np.exp(-squares(X, Z) / (2 * s) ** 2),
        "Your kernel is exp(-‖x-z‖²/(2σ)²), and (2σ)² is 4σ². Only σ is squared: write 2σ².",
    ),
    "brackets missing in the exponent": (
        lambda X, Z, s: np.exp(-squares(X, Z) / 2 * s**2),
        "Your exponent multiplies by σ², because Python reads `/ 2 * sigma**2` from left to right. Write "
        "`/ (2 * sigma**2)`.",
    ),
    "sigma used as gamma": (
        lambda X, Z, s: np.exp(-s * squares(X, Z)),
        "Your kernel is exp(-σ‖x-z‖²). You use σ as scikit-learn's gamma, which is 1/(2σ²).",
    ),
    "sigma not squared": (
        lambda X, Z, s: np.exp(-squares(X, Z) / (2 * s)),
        "Your kernel is exp(-‖x-z‖²/(2σ)). Square σ, so that the exponent has no unit.",
    ),
    "one over sigma for gamma": (
        lambda X, Z, s: np.exp(-squares(X, Z) / s),
        "Your kernel is exp(-‖x-z‖²/σ). The factor of ‖x-z‖², scikit-learn's gamma, is 1/(2σ²), not 1/σ.",
    ),
    "distance not squared": (
        lambda X, Z, s: np.exp(-np.sqrt(squares(X, Z)) / (2 * s**2)),
        "Your exponent contains the distance ‖x-z‖ instead of its square ‖x-z‖².",
    ),
    "neither distance nor sigma squared": (
        lambda X, Z, s: np.exp(-np.sqrt(squares(X, Z)) / (2 * s)),
        "Your kernel is exp(-‖x-z‖/(2σ)). Square both the distance and σ.",
    ),
    "Laplacian kernel": (
        lambda X, Z, s: np.exp(-np.sqrt(squares(X, Z)) / s),
        "Your kernel is the Laplacian exp(-‖x-z‖/σ). Use the Gaussian exp(-‖x-z‖²/(2σ²)).",
    ),
    "Laplacian kernel with the L1 norm": (
        lambda X, Z, s: np.exp(-np.abs(differences(X, Z)).sum(2) / s),
        "Your kernel is exp(-‖x-z‖₁/σ), scikit-learn's Laplacian. Use the Gaussian exp(-‖x-z‖²/(2σ²)).",
    ),
    "linear kernel": (
        lambda X, Z, s: X @ Z.T,
        "Your kernel is the linear one, xᵀz, which does not contain σ. Use the Gaussian.",
    ),
    "distance squared twice": (
        lambda X, Z, s: np.exp(-(squares(X, Z) ** 2) / (2 * s**2)),
        "You square the squared distance again, so the exponent contains ‖x-z‖⁴ instead of ‖x-z‖².",
    ),
    "minus sign missing": (
        lambda X, Z, s: np.exp(squares(X, Z) / (2 * s**2)),
        "Your kernel is exp(+‖x-z‖²/(2σ²)), which grows with the distance. The minus sign is missing.",
    ),
    "distances feature by feature": (
        lambda X, Z, s: np.exp(-(np.abs(differences(X, Z)).sum(2) ** 2) / (2 * s**2)),
        "You square the sum of the absolute differences. ‖x-z‖² is the sum of the squared differences.",
    ),
    "summed before squaring": (
        lambda X, Z, s: np.exp(-(differences(X, Z).sum(2) ** 2) / (2 * s**2)),
        "You add the differences of the features before you square them. Square each difference, then add.",
    ),
    "mean over the features": (
        lambda X, Z, s: np.exp(-squares(X, Z) / X.shape[1] / (2 * s**2)),
        "You average the squared differences over the features, or divide by d. ‖x-z‖² is their sum.",
    ),
    "first feature only": (
        lambda X, Z, s: np.exp(-squares(X[:, :1], Z[:, :1]) / (2 * s**2)),
        "You use the first column of X and ignore the others. The distance contains all d features.",
    ),
}
