"""What becomes of exp(-‖x-z‖²/(2σ²)) in a hurry: wrong Gaussians that any sheet may meet, with the sentence for each.

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
        "Your kernel is exp(-‖x-z‖²/σ²); in this course σ always means exp(-‖x-z‖²/(2σ²)).",
    ),
    "all of 2 sigma squared": (
        lambda X, Z, s: np.exp(-squares(X, Z) / (2 * s) ** 2),
        "Your kernel is exp(-‖x-z‖²/(2σ)²), and (2σ)² is 4σ²; it is 2σ²: σ alone is squared.",
    ),
    "brackets missing in the exponent": (
        lambda X, Z, s: np.exp(-squares(X, Z) / 2 * s**2),
        "Your exponent multiplies by σ²: Python reads `/ 2 * sigma**2` from left to right, so write "
        "`/ (2 * sigma**2)`.",
    ),
    "sigma used as gamma": (
        lambda X, Z, s: np.exp(-s * squares(X, Z)),
        "Your kernel is exp(-σ‖x-z‖²): σ was used as scikit-learn's gamma, which is 1/(2σ²).",
    ),
    "sigma not squared": (
        lambda X, Z, s: np.exp(-squares(X, Z) / (2 * s)),
        "Your kernel is exp(-‖x-z‖²/(2σ)): σ is not squared, so the exponent has a unit left.",
    ),
    "one over sigma for gamma": (
        lambda X, Z, s: np.exp(-squares(X, Z) / s),
        "Your kernel is exp(-‖x-z‖²/σ): scikit-learn's gamma is 1/(2σ²), not 1/σ.",
    ),
    "distance not squared": (
        lambda X, Z, s: np.exp(-np.sqrt(squares(X, Z)) / (2 * s**2)),
        "Your kernel has ‖x-z‖ in the exponent where ‖x-z‖² belongs: f gets a kink at every training point.",
    ),
    "neither distance nor sigma squared": (
        lambda X, Z, s: np.exp(-np.sqrt(squares(X, Z)) / (2 * s)),
        "Your kernel is exp(-‖x-z‖/(2σ)): neither the distance nor σ is squared, and both should be.",
    ),
    "Laplacian kernel": (
        lambda X, Z, s: np.exp(-np.sqrt(squares(X, Z)) / s),
        "Your kernel is the Laplacian exp(-‖x-z‖/σ); the Gaussian exp(-‖x-z‖²/(2σ²)) is asked for.",
    ),
    "Laplacian kernel with the L1 norm": (
        lambda X, Z, s: np.exp(-np.abs(differences(X, Z)).sum(2) / s),
        "Your kernel is exp(-‖x-z‖₁/σ), scikit-learn's Laplacian; the Gaussian exp(-‖x-z‖²/(2σ²)) is asked for.",
    ),
    "linear kernel": (
        lambda X, Z, s: X @ Z.T,
        "Your kernel is the linear one, xᵀz, and σ plays no part; the Gaussian is asked for.",
    ),
    "distance squared twice": (
        lambda X, Z, s: np.exp(-(squares(X, Z) ** 2) / (2 * s**2)),
        "You square the squared distance once more: the exponent has ‖x-z‖⁴.",
    ),
    "minus sign missing": (
        lambda X, Z, s: np.exp(squares(X, Z) / (2 * s**2)),
        "Your kernel is exp(+‖x-z‖²/(2σ²)), which grows with the distance: the minus sign is missing.",
    ),
    "distances feature by feature": (
        lambda X, Z, s: np.exp(-(np.abs(differences(X, Z)).sum(2) ** 2) / (2 * s**2)),
        "You square the sum of the absolute differences; ‖x-z‖² is the sum of the squared differences.",
    ),
    "summed before squaring": (
        lambda X, Z, s: np.exp(-(differences(X, Z).sum(2) ** 2) / (2 * s**2)),
        "You add the differences of the features before you square: ‖x-z‖² squares each one and then adds.",
    ),
    "mean over the features": (
        lambda X, Z, s: np.exp(-squares(X, Z) / X.shape[1] / (2 * s**2)),
        "You average the squared differences over the features (or divide by d); ‖x-z‖² is their sum.",
    ),
    "first feature only": (
        lambda X, Z, s: np.exp(-squares(X[:, :1], Z[:, :1]) / (2 * s**2)),
        "You use the first column of X and ignore the others; the distance is taken over all d features.",
    ),
}
