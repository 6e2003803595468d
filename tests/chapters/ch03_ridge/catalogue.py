"""The curriculum's numbers for the exercises of chapter 3, on its canonical inputs.

SLOW: exercises whose answers take long, and are drawn fewer seeds.
"""

from __future__ import annotations

import numpy as np

from kcourse.kernels import Gaussian

SLOW = ("krr_tune",)

x = np.array([0.0, 1.0, 2.5])
Y = np.array([1.0, -1.0, 0.5])
K = Gaussian(1.0)(x[:, None])
ALPHA = np.linalg.solve(K + 0.5 * np.eye(3), Y)
PHI = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, -1.0], [2.0, 0.0, 1.0]])
CANONICAL = {
    "krr_fit": (K, Y, 0.3),
    "krr_fit_predict": (x[:, None], Y, np.array([[0.4], [2.0]]), 0.6, 0.3),
    "ridge_dual_w": (PHI, np.array([1.0, 3.0, -1.0]), 0.5),
    "krr_loo_residuals": (K, Y, 0.5),
    "effective_df": (2 * K, 0.5),
    "rkhs_norm2": (K, ALPHA),
}
# exercise, line of the catalogue, our name for it ("" for the right answer), and its number
CATALOGUE = [
    ("krr_fit", "right", "", [1.52125, -1.666108, 0.749282]),
    ("krr_fit", "no lambda (interpolates)", "no lambda", [2.883916, -3.208552, 1.414954]),
    ("krr_fit", "n*lambda (mean loss, source 004:6)", "n times lambda", [0.78673, -0.843959, 0.389172]),
    ("krr_fit", "(KK+lI)^-1 K y", "gradient solved with KK + lambda I", [0.78913, -0.82634, 0.393028]),
    ("krr_fit", "lambda added to every entry", "lambda added to every entry", [2.710168, -3.249689, 1.229077]),
    ("krr_fit_predict", "right", "", [0.179089, 0.057492]),
    ("krr_fit_predict", "sigma and lambda swapped in the call (source 004:32)", "sigma and lambda swapped in the fit",
     [0.122356, 0.067028]),
    ("krr_fit_predict", "both swapped everywhere", "sigma and lambda swapped everywhere", [0.172778, 0.075501]),
    ("ridge_dual_w", "right", "", [0.141079, 0.589212, -1.477178]),
    ("ridge_dual_w", "w = Phi alpha (source 000:56)", "w = Phi alpha", [3.095436, 1.477178, -0.887967]),
    ("ridge_dual_w", "returns alpha (same shape when n=d!)", "returns alpha", [-0.639004, 1.86722, 0.390041]),
    ("ridge_dual_w", "primal without lambda (pinv)", "no lambda", [1.0, 0.0, -3.0]),
    ("ridge_dual_w", "(X'X+lI)^-1 X y (source 000:42)", "Phi y for Phi^T y", [1.60166, -0.016598, -0.887967]),
    ("krr_loo_residuals", "right", "", [1.448118, -1.500739, 0.814186]),
    ("krr_loo_residuals", "training residuals", "training residuals", [0.57952, -0.629554, 0.285949]),
    ("krr_loo_residuals", "divided twice (GCV-like square)", "divided twice", [3.618592, -3.577483, 2.318239]),
    ("krr_loo_residuals", "GCV denominator (mean of H)", "GCV denominator", [1.484816, -1.61301, 0.732644]),
    ("effective_df", "right", "", 2.234917),
    ("effective_df", "trace K", "trace of K", 6.0),
    ("effective_df", "rank", "rank", 3.0),
    ("effective_df", "tr (K+lI)^-1", "trace of the inverse", 1.530165),
    ("effective_df", "tr H^2", "trace of H squared", 1.714628),
    ("rkhs_norm2", "right", "", 1.0762),
    ("rkhs_norm2", "alpha'alpha", "alpha'alpha", 3.255794),
    ("rkhs_norm2", "||K alpha||^2 (values, not norm)", "values, not norm", 0.359852),
    ("rkhs_norm2", "square root", "square root", 1.037401),
]  # fmt: skip
