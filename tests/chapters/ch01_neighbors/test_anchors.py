"""The numbers of chapter 1: of its data, of its exercises, and of what goes wrong."""

from __future__ import annotations

import numpy as np
import pytest

from kcourse import Gaussian
from kcourse.datasets import load_synth
from kcourse.neighbors import (
    KNNRegressor,
    NadarayaWatson,
    ParzenClassifier,
    ParzenDensity,
)

# ---------------------------------------------------------------- anchors


def test_three_points():
    f = NadarayaWatson(Gaussian(1.0)).fit([[0], [1], [2]], [0, 1, 4]).predict([[1]])[0]
    assert f == pytest.approx((1 + 4 * np.exp(-0.5)) / (1 + 2 * np.exp(-0.5)), rel=1e-14)
    assert f"{f:.10f}" == "1.5481372381"


MEANS = np.array([[-0.7, 0.3], [0.3, 0.3], [-0.3, 0.7], [0.4, 0.7]])  # Ripley's mixture, variance 0.03


def test_bayes_rule_on_ripleys_data():
    test = load_synth("test")
    rule = ParzenClassifier(np.sqrt(0.03)).fit(MEANS, [0, 0, 1, 1])  # the truth is a Parzen density
    assert np.sum(rule.predict(test.X) != test.y) == 80  # 0.0800 exactly
    # the mixture's own error: ∫ min(p₀, p₁)/2, by quadrature
    step = 0.01
    u, v = np.arange(-1.8, 1.6, step), np.arange(-0.8, 1.8, step)
    grid = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
    p0, p1 = (ParzenDensity(np.sqrt(0.03)).fit(c).density(grid) for c in (MEANS[:2], MEANS[2:]))
    assert np.sum(p0 + p1) / 2 * step**2 == pytest.approx(1.0, abs=1e-9)
    error = np.sum(np.minimum(p0, p1)) / 2 * step**2
    assert f"{error:.4f}" == "0.0893"
    assert abs(error - 0.0891) < 2 * np.sqrt(0.09 * 0.91 / 2e6)  # what 2 million draws gave


# ---------------------------------------------------------------- misconceptions


def test_a_density_may_exceed_1():
    assert f"{ParzenDensity(0.01).fit([[0]]).density([[0]])[0]:.2f}" == "39.89"


def test_the_indicator_of_neighbours_is_no_mercer_kernel():
    points = np.array([[0.0], [1.0], [1.9], [4.0]])
    K = 2 * KNNRegressor(2).fit(points, np.zeros(4)).smoother_matrix(points)
    assert np.abs(K - K.T).max() == 1.0
    assert np.linalg.eigvalsh((K + K.T) / 2).min() < -0.1


def test_weights_far_from_the_data_are_no_0_over_0():
    model = NadarayaWatson(Gaussian(0.5)).fit([[0], [1]], [7.0, 2.0])
    with np.errstate(invalid="ignore"):
        K = Gaussian(0.5)([[41.0]], [[0], [1]])
        assert np.isnan(K @ [7.0, 2.0] / K.sum())
    assert f"{model.predict([[41.0]])[0]:.6f}" == "2.000000"  # the nearest y, and no trend continued
    assert f"{model.predict([[-41.0]])[0]:.6f}" == "7.000000"


def test_the_two_gaussians_of_the_source():
    # exp(-d²/σ²) and exp(-d²/(2σ²)) at d = 1, σ = 0.7
    as_in_15, as_in_30 = Gaussian(0.7 / np.sqrt(2))([[0]], [[1]])[0, 0], Gaussian(0.7)([[0]], [[1]])[0, 0]
    assert (f"{as_in_15:.6f}", f"{as_in_30:.6f}") == ("0.129923", "0.360448")
