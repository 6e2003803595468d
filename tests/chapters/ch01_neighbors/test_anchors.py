"""The numbers of chapter 1: of its data, of its exercises, and of what goes wrong."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kcourse import Gaussian
from kcourse.datasets import load_mcycle, load_synth
from kcourse.neighbors import (
    KNNClassifier,
    KNNRegressor,
    NadarayaWatson,
    ParzenClassifier,
    ParzenDensity,
    knn_loo_path,
    nw_loo_path,
)

X, Y, XQ = [[0], [1], [2], [4]], [0, 1, 4, 16], [[0.9], [3.2]]


def digits(value, decimals):
    return np.round(np.asarray(value, dtype=float), decimals).tolist()


# ---------------------------------------------------------------- anchors


def test_three_points():
    f = NadarayaWatson(Gaussian(1.0)).fit([[0], [1], [2]], [0, 1, 4]).predict([[1]])[0]
    assert f == pytest.approx((1 + 4 * np.exp(-0.5)) / (1 + 2 * np.exp(-0.5)), rel=1e-14)
    assert f"{f:.10f}" == "1.5481372381"


def test_the_best_width_for_mcycle():
    times, accel = load_mcycle(return_X_y=True)
    path = nw_loo_path(times, accel, np.round(np.arange(0.3, 6, 0.01), 2))
    assert path.best == 0.91 and f"{path.error.min():.2f}" == "595.94"
    model = NadarayaWatson(Gaussian(0.91)).fit(times, accel)
    S = model.smoother_matrix(times)
    shortcut = np.mean(((accel - S @ accel) / (1 - np.diagonal(S))) ** 2)
    assert f"{shortcut:.6f}" == f"{np.mean(model.loo_residuals() ** 2):.6f}" == "595.938874"


def test_the_best_k_for_mcycle_depends_on_what_a_tie_is():
    times, accel = load_mcycle(return_X_y=True)
    path = knn_loo_path(times, accel)
    assert path.best == 10 and f"{path.error.min():.2f}" == "583.47"
    # the times are multiples of 0.2 ms; in whole numbers all equal distances are ties, and rounding parts none
    exact = knn_loo_path(np.round(10 * times), accel)
    assert exact.best == 8 and f"{exact.error.min():.2f}" == "585.60"


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


def test_cover_and_hart():
    # labels that are wrong with probability 0.1 everywhere: 1-NN errs where exactly one of two labels is wrong
    rng = np.random.default_rng(0)
    points, flips = rng.random((40_000, 1)), rng.random(40_000) < 0.1
    labels = (points[:, 0] > 0.5) ^ flips
    error = KNNClassifier(1).fit(points, labels).loo_path(1).error[0]
    assert 2 * 0.1 * 0.9 == pytest.approx(0.18) and error == pytest.approx(0.18, abs=4 * np.sqrt(0.18 * 0.82 / 40_000))


# ---------------------------------------------------------------- misconceptions


def test_one_neighbour_is_not_the_simplest_model():
    train, test = load_synth(), load_synth("test")
    errors = []
    for k in (1, 31):
        model = KNNClassifier(k).fit(train.X, train.y)
        errors += [1 - model.score(train.X, train.y), 1 - model.score(test.X, test.y)]
    assert digits(errors, 3) == [0.0, 0.150, 0.112, 0.084]


def test_a_larger_width_is_a_simpler_model():
    times, accel = load_mcycle(return_X_y=True)
    error = nw_loo_path(times, accel, [0.5, 0.91, 5.0]).error
    assert digits(error, 1) == [660.0, 595.9, 1178.8]
    widest = NadarayaWatson(Gaussian(1e6)).fit(times, accel)
    np.testing.assert_allclose(widest.predict(times), accel.mean(), rtol=1e-6)
    assert widest.effective_df() == pytest.approx(1.0)


def test_a_density_may_exceed_1():
    assert f"{ParzenDensity(0.01).fit([[0]]).density([[0]])[0]:.2f}" == "39.89"


def test_inputs_need_scaling():
    points, labels = load_wine(return_X_y=True)
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    raw = cross_val_score(KNNClassifier(5), points, labels, cv=folds).mean()
    scaled = cross_val_score(make_pipeline(StandardScaler(), KNNClassifier(5)), points, labels, cv=folds).mean()
    assert digits([raw, scaled], 3) == [0.675, 0.961]


def test_the_shape_of_the_kernel_matters_less_than_its_width():
    # ∫K² · √∫u²K, by which kernels are compared at their best widths
    u = np.linspace(-9, 9, 180_001)
    costs = []
    for K in (np.maximum(0.75 * (1 - u**2), 0), ParzenDensity(1.0).fit([[0]]).density(u[:, None])):
        costs.append(np.trapezoid(K**2, u) * np.sqrt(np.trapezoid(u**2 * K, u)))
    assert f"{costs[0] / costs[1]:.3f}" == "0.951"


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
