"""Predictions at many points take little memory, and are those at a few points."""

import tracemalloc
from functools import partial

import numpy as np

from kcourse import Gaussian, KernelRidge
from kcourse.gp import GaussianProcess
from kcourse.kernels import ThinPlate
from kcourse.kpca import KernelFisherDiscriminant, KernelPCA
from kcourse.margin import KernelPerceptron, MaxMargin
from kcourse.neighbors import NadarayaWatson, NearestCentroid
from kcourse.rbf import GeneralizedRBF, RBFInterpolator, RBFNetwork, RegularizationNetwork
from kcourse.rkhs import RKHSFunction
from kcourse.scaling import NystromRidge
from kcourse.svm import SVC, SVR
from tests.rows import each

N, Q = 200, 5000
RNG = np.random.default_rng(0)
X, XQ = RNG.standard_normal((N, 2)), RNG.standard_normal((Q, 2))
LABELS = RNG.integers(2, size=N)
Y = X[:, 0] + LABELS
K = Gaussian(0.5)
PREDICTIONS = [
    KernelRidge(K).fit(X, Y).predict,
    NystromRidge(K, n_landmarks=N).fit(X, Y).predict,
    GaussianProcess(K).fit(X, Y).predict,
    partial(GaussianProcess(K).fit(X, np.stack([Y, -Y], axis=1)).predict, return_std=True),
    RegularizationNetwork(K).fit(X, Y).predict,
    GeneralizedRBF(K, centers=X).fit(X, Y).predict,
    RBFInterpolator(ThinPlate()).fit(X, Y).predict,
    RBFNetwork(N, centers=X).fit(X, Y).predict,
    KernelPCA(K).fit(X).transform,
    KernelFisherDiscriminant(K).fit(X, LABELS).decision_function,
    SVC(K).fit(X, LABELS).decision_function,
    SVR(K, epsilon=0.0).fit(X, Y).predict,
    MaxMargin(Gaussian(0.1)).fit(X, LABELS).decision_function,
    KernelPerceptron(K).fit(X, LABELS).decision_function,
    NearestCentroid(K).fit(X, LABELS).decision_function,
    NadarayaWatson(K).fit(X, Y).predict,
    RKHSFunction(K, X, Y),
]


@each("predict", PREDICTIONS)
def test_predictions_take_less_than_a_tenth_of_all_kernel_values_and_do_not_depend_on_the_strips(monkeypatch, predict):
    few = [predict(XQ[rows]) for rows in (slice(10), slice(Q - 10, Q))]  # imports, too
    for name in ("base.linalg._AT_ONCE", "neighbors.weights._BLOCK"):
        monkeypatch.setattr(f"kcourse.{name}", 20 * N)
    tracemalloc.start()
    try:
        many = predict(XQ)
        assert tracemalloc.get_traced_memory()[1] < 8 * Q * N / 10
    finally:
        tracemalloc.stop()
    for value, first, last in zip(*((v if isinstance(v, tuple) else (v,)) for v in (many, *few)), strict=True):
        np.testing.assert_allclose(value[:10], first, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(value[-10:], last, rtol=1e-9, atol=1e-12)
