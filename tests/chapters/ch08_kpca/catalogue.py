"""The curriculum's numbers for the exercises of chapter 8, on its canonical inputs.

SLOW: exercises whose answers take long, and are drawn fewer seeds.
"""

from __future__ import annotations

import numpy as np

from kcourse.kernels import Gaussian

SLOW: tuple[str, ...] = ()

X = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 0.7], [2.2, 4.0]])
XQ = np.array([[1.0, 1.0], [4.0, 4.0], [0.0, 3.0]])
KERNEL = Gaussian(2.0)
K = KERNEL(X)
CANONICAL = {
    "center_gram": (K,),
    "center_test_gram": (K, KERNEL(XQ, X)),
    "kernel_pca": (K, 2),
    "explained_ratio": (K, 2),
    "kernel_fisher": (KERNEL(np.vstack([X, [3.0, 3.0]])), np.array([0, 0, 1, 1, 1]), 0.1),
}
# exercise, line of the catalogue, our name for it ("" for the right answer), and its number; matrices by the first
# eight entries that the curriculum prints, scores without signs
CATALOGUE = [
    ("explained_ratio", "right", "", [0.484021, 0.348464]),
    ("explained_ratio", "divided by the q kept", "share of what is kept", [0.581417, 0.418583]),
    ("explained_ratio", "trace of uncentred K", "trace of the matrix that was not centred", [0.233007, 0.16775]),
    ("explained_ratio", "squared eigenvalues", "squared eigenvalues", [0.610469, 0.31641]),
    ("kernel_fisher", "right", "", [-0.562695, -0.72067, 0.325027, 0.122345, 0.208324]),
    ("kernel_fisher", "within-class centring forgotten", "centring within the classes forgotten",
     [-0.373104, -0.687602, 0.466541, 0.259803, 0.320684]),
    ("kernel_fisher", "mu K, not mu I", "penalty on the norm of f",
     [-0.216968, -0.734464, 0.482963, 0.421988, 0.046482]),
    ("kernel_fisher", "M0-M1", "from class 1 to class 0", [0.562695, 0.72067, -0.325027, -0.122345, -0.208324]),
    ("kernel_fisher", "means only", "means only", [-0.664784, -0.281523, 0.204107, 0.431617, 0.500852]),
]  # fmt: skip
# (exercise, line, our name, the first eight entries): tried by tests/chapters/ch08_kpca/test_anchors.py
FIRST_EIGHT = [
    ("center_gram", "right", "",
     [0.561337, -0.057997, -0.162924, -0.340416, -0.057997, 0.252147, -0.131853, -0.062297]),
    ("center_gram", "minus the global mean", "overall mean taken away",
     [0.481399, 0.01666, -0.213237, -0.444698, 0.01666, 0.481399, -0.027571, -0.011984]),
    ("center_gram", "rows only", "column means alone",
     [0.521368, -0.097966, -0.202892, -0.380385, 0.056629, 0.366773, -0.017226, 0.052329]),
    ("center_gram", "last term forgotten", "last term forgotten",
     [0.042736, -0.576598, -0.681524, -0.859017, -0.576598, -0.266454, -0.650454, -0.580898]),
    ("center_gram", "U of ones, not 1/n", "ones for one over n",
     [5.468558, 4.385439, 4.655425, 4.639838, 4.385439, 4.231798, 4.222711, 4.454172]),
    ("center_gram", "last term subtracted", "last term subtracted",
     [-0.475865, -1.095199, -1.200125, -1.377618, -1.095199, -0.785055, -1.169055, -1.099499]),
    ("center_test_gram", "right", "",
     [0.185716, 0.134817, -0.022964, -0.297568, -0.218821, -0.19482, -0.040542, 0.454184]),
    ("center_test_gram", "not centred (source 001:208)", "not centred",
     [0.778801, 0.882497, 0.599745, 0.271173, 0.018316, 0.196912, 0.226219, 0.666977]),
    ("center_test_gram", "centred with test means", "means of the new points",
     [0.22129, 0.079506, 0.084973, -0.385768, -0.183247, -0.250132, 0.067395, 0.365984]),
    ("center_test_gram", "column means of Kq", "column means of the new rows",
     [0.290425, 0.148641, 0.154108, -0.316633, -0.114112, -0.180996, 0.13653, 0.435119]),
    ("center_test_gram", "global term forgotten", "last term forgotten",
     [-0.332885, -0.383784, -0.541565, -0.816169, -0.737422, -0.713421, -0.559143, -0.064417]),
    ("kernel_pca", "right", "",
     [0.619446, 0.363195, 0.009244, 0.139921, 0.120373, 0.694813, 0.730575, 0.191697]),
    ("kernel_pca", "not centred", "not centred",
     [0.664974, 0.60866, 0.902065, 0.036712, 0.705853, 0.105309, 0.60255, 0.740121]),
    ("kernel_pca", "alpha=b (unit b)", "alpha of length one",
     [0.598024, 0.29751, 0.008924, 0.114616, 0.11621, 0.569154, 0.70531, 0.157028]),
    ("kernel_pca", "alpha=b/lambda", "unit eigenvectors for scores",
     [0.641636, 0.443382, 0.009575, 0.170813, 0.124685, 0.848216, 0.756746, 0.234021]),
    ("kernel_pca", "lambda/n reported", "variance reported",
     [0.619446, 0.363195, 0.009244, 0.139921, 0.120373, 0.694813, 0.730575, 0.191697]),
]  # fmt: skip
