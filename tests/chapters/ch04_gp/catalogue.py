"""The curriculum's numbers for the exercises of chapter 4, on its canonical inputs.

SLOW: exercises whose answers take long, and are drawn fewer seeds.
"""

from __future__ import annotations

import numpy as np

from kcourse.kernels import Gaussian

SLOW = ("forecast_coverage", "gp_log_marginal")

x = np.array([0.0, 1.0, 2.5])
Y = np.array([1.0, -1.0, 0.5])
K = Gaussian(1.0)(x[:, None])
XQ = np.array([[0.4], [2.0]])
CANONICAL = {
    "gp_posterior": (K, Gaussian(1.0)(XQ, x[:, None]), np.ones(2), Y, 0.25),
    "gp_log_marginal": (K, Y, 0.25),
    "gp_sample": (np.array([1.0, -1.0]), np.array([[2.0, 0.6], [0.6, 0.5]]), np.array([[1.0, 0], [0, 1], [1, -1]])),
    "bridge_cov": (np.array([0.25, 0.5, 0.8]),),
    "lml_grad_log_ell": (x, Y, 0.7, 0.25),
}
# exercise, line of the catalogue, our name for it ("" for the right answer), and its number
CATALOGUE = [
    ("gp_posterior", "right", "", [[0.099839, -0.158523], [0.15952, 0.246562]]),
    ("gp_posterior", "noise sd, not variance", "standard deviation for the noise variance",
     [[0.081286, -0.10213], [0.261168, 0.356752]]),
    ("gp_posterior", "variance of y (adds noise)", "variance of a new measurement",
     [[0.099839, -0.158523], [0.40952, 0.496562]]),
    ("gp_posterior", "standard deviation", "standard deviation for variance",
     [[0.099839, -0.158523], [0.399399, 0.49655]]),
    ("gp_posterior", "no noise in K", "no noise", [[0.138182, -0.307097], [0.02368, 0.084773]]),
    ("gp_posterior", "prior variance (forgets the reduction)", "prior variance", [[0.099839, -0.158523], [1.0, 1.0]]),
    ("gp_log_marginal", "right", "", -4.85103),
    ("gp_log_marginal", "log det without 1/2", "log det without a half", -5.010771),
    ("gp_log_marginal", "no constant", "no constant", -2.094214),
    ("gp_log_marginal", "sum log diag L halved again", "log det quartered", -4.771159),
    ("gp_log_marginal", "quadratic term without 1/2", "fit without a half", -6.785502),
    ("gp_log_marginal", "sign (negative log)", "negative", 4.85103),
    ("gp_sample", "right", "", [[2.414214, -0.575736], [1.0, -0.434315], [2.414214, -1.141421]]),
    ("gp_sample", "Z L, not Z L' (wrong covariance)", "factor without the transpose",
     [[2.414214, -1.0], [1.424264, -0.434315], [1.989949, -1.565685]]),
    ("gp_sample", "Z cov", "covariance for its factor", [[3.0, -0.4], [1.6, -0.5], [2.4, -0.9]]),
    ("gp_sample", "no mean", "mean forgotten", [[1.414214, 0.424264], [0.0, 0.565685], [1.414214, -0.141421]]),
    ("gp_sample", "sqrt of the diagonal only", "standard deviations alone",
     [[2.414214, -1.0], [1.0, -0.292893], [2.414214, -1.707107]]),
    ("bridge_cov", "right", "", [[0.1875, 0.125, 0.05], [0.125, 0.25, 0.1], [0.05, 0.1, 0.16]]),
    ("bridge_cov", "unconditioned min", "unconditioned", [[0.25, 0.25, 0.25], [0.25, 0.5, 0.5], [0.25, 0.5, 0.8]]),
    ("bridge_cov", "max", "maximum for minimum", [[0.1875, 0.375, 0.6], [0.375, 0.25, 0.4], [0.6, 0.4, 0.16]]),
    ("bridge_cov", "diag only t(1-t)", "diagonal only", [[0.1875, 0, 0], [0, 0.25, 0], [0, 0, 0.16]]),
    ("bridge_cov", "plus, not minus", "plus for minus",
     [[0.3125, 0.375, 0.45], [0.375, 0.75, 0.9], [0.45, 0.9, 1.44]]),
    ("lml_grad_log_ell", "right", "", -1.010418),
    ("lml_grad_log_ell", "d/d ell, not d/d log ell", "slope in the length itself", -1.443454),
    # the listed "without 1/2" also divides by ℓ; the plain mistake is twice the slope
    ("lml_grad_log_ell", "without 1/2", "without the halves", -2.020836),
    ("lml_grad_log_ell", "data-fit term only", "term of fit only", -1.228875),
]  # fmt: skip
