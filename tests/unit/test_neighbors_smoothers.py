"""Nadaraya–Watson and the nearest mean: against their sums, far from the data, without a point, and refused."""

from itertools import product

import numpy as np
import pytest

from kcourse import Constant, Gaussian, Laplacian, Linear, Matern, Polynomial
from kcourse.neighbors import KNNRegressor, NadarayaWatson, NearestCentroid, nw_loo_path, weights
from kcourse.strings import Spectrum
from tests.rows import each
from tests.unit.refused import refused

RNG = np.random.default_rng(0)
N, D, T = 19, 3, 2
X, XQ = RNG.standard_normal((N, D)), RNG.standard_normal((6, D))
Y1, Y2 = RNG.standard_normal(N), RNG.standard_normal((N, T))
LABELS = np.array(["a", "b", "c"])[np.arange(N) % 3]
SIGMAS = np.array([0.7, 3.0, 0.2])


def box(A, B):
    """1 within a distance of 1.5, else 0: a kernel that is no Mercer kernel and vanishes."""
    return (np.linalg.norm(np.asarray(A)[:, None] - np.asarray(B), axis=2) < 1.5).astype(float)


KERNELS = [Gaussian(0.8), Gaussian((0.5, 1.0, 3.0)), 2 * Gaussian(0.8), Laplacian(0.6), Matern(1.5, 0.9),
           Gaussian(0.8) + 0.1, Polynomial(degree=2, coef0=1.0), box]  # fmt: skip


@each("y, kernel", product([Y1, Y2, Y1[:, None]], KERNELS))
def test_a_prediction_is_the_weighted_mean(kernel, y):
    model = NadarayaWatson(kernel)
    assert model.fit(X, y) is model
    Q = X[:6] + 0.1
    K = kernel(Q, X)
    S = K / K.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict(Q), S @ y, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(model.smoother_matrix(Q), S, rtol=1e-10, atol=1e-14)
    K = kernel(X, X)
    assert model.effective_df() == pytest.approx(np.sum(np.diagonal(K) / K.sum(axis=1)), rel=1e-10)
    if kernel is not box:  # which leaves some point alone
        np.fill_diagonal(K, 0)
        np.testing.assert_allclose(model.loo_residuals(), y - ((K @ y).T / K.sum(axis=1)).T, rtol=1e-9)


@pytest.mark.parametrize("kernel", [Gaussian(0.8), Laplacian(0.6), Matern(1.5, 0.9)], ids=repr)
def test_blocks_do_not_matter(monkeypatch, kernel):
    model = NadarayaWatson(kernel).fit(X, Y2)
    whole = [model.predict(XQ), model.smoother_matrix(XQ), model.loo_residuals(), model.effective_df()]
    monkeypatch.setattr(weights, "_BLOCK", 3 * N)  # three rows, and a last block of one
    parts = [model.predict(XQ), model.smoother_matrix(XQ), model.loo_residuals(), model.effective_df()]
    for a, b in zip(whole, parts, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-11, atol=1e-13)


@each("kernel, scale", product([Gaussian(0.5), 3 * Gaussian(0.5), Laplacian(0.01), Gaussian(1e-12)], [40.0, 1e4, 1e8]))
def test_far_from_the_data_it_is_the_nearest_neighbour(kernel, scale):
    model = NadarayaWatson(kernel).fit([[0.0, 0], [1, 0], [2, 0], [0, 5]], [5.0, 7.0, 2.0, 3.0])
    Q = scale * np.array([[1.0, 0.1], [-1.0, -0.3], [0.1, 1.0]])
    np.testing.assert_allclose(model.predict(Q), [2.0, 5.0, 3.0], rtol=1e-9)
    assert np.isfinite(model.smoother_matrix(Q)).all()


@pytest.mark.parametrize("kernel", [Gaussian, Laplacian])
def test_where_every_square_overflows_the_nearest_point_still_has_the_weight(monkeypatch, kernel):
    A, y = np.array([[0.0, 1e200], [3e200, 0.0], [-1e200, 0.0]]), [1.0, 2.0, 3.0]
    model = NadarayaWatson(kernel(1.0)).fit(A, y)
    assert model.predict([[2e200, 1e180], [-1e250, 1.0], [0.0, 1e200]]).tolist() == [2.0, 2.0, 1.0]
    # 0 and 2 are 1.41e200 apart, 0 and 1 3.2e200; from 1e250 all are equally near, whose mean is 2
    assert model.loo_residuals().tolist() == [1.0 - 3.0, 2.0 - 1.0, 3.0 - 1.0]
    monkeypatch.setattr(weights, "_BLOCK", 2 * len(A))
    assert model.loo_residuals().tolist() == [1.0 - 3.0, 2.0 - 1.0, 3.0 - 1.0]
    # a width for each feature: the first hardly counts
    model = NadarayaWatson(kernel((1e9, 1.0))).fit(A, y)
    assert model.predict([[2e200, 0.9e200]]).tolist() == [1.0]


def test_a_tiny_width_keeps_its_digits_and_a_huge_one_is_the_mean():
    model = NadarayaWatson(Gaussian(1e-9)).fit(X, Y1)
    np.testing.assert_array_equal(model.predict(X), Y1)
    np.testing.assert_allclose(model.predict(XQ), KNNRegressor(1).fit(X, Y1).predict(XQ), rtol=1e-12)
    assert model.effective_df() == N
    model = NadarayaWatson(Gaussian(1e9)).fit(X, Y1)
    np.testing.assert_allclose(model.predict(XQ), np.full(6, Y1.mean()), rtol=1e-12)
    assert model.effective_df() == pytest.approx(1.0)


def test_two_points_equally_near_share_the_weight_however_small_the_width():
    for kernel in (Gaussian(1e-3), Laplacian(1e-3), Gaussian(1e-200)):
        assert NadarayaWatson(kernel).fit([[0.0], [1.0]], [2.0, 4.0]).predict([[0.5]]).tolist() == [3.0]


@each("y, kernel", product([Y1, Y2], [Gaussian(0.8), 2 * Gaussian((1.0, 2.0, 3.0)), Laplacian(0.6), Matern(1.5)]))
def test_the_path_is_that_of_single_fits(kernel, y):
    path = NadarayaWatson(kernel).fit(X, y).loo_path(SIGMAS)
    np.testing.assert_array_equal(path.values, SIGMAS)
    assert path.predictions.shape == (3, *y.shape) and path.error.shape == (3,)
    plain = kernel if not hasattr(kernel, "right") else kernel.right
    for j, sigma in enumerate(SIGMAS):
        residuals = NadarayaWatson(plain.with_params(sigma=float(sigma))).fit(X, y).loo_residuals()
        np.testing.assert_allclose(y - path.predictions[j], residuals, rtol=1e-10, atol=1e-12)
        assert path.error[j] == pytest.approx(np.mean(residuals**2), rel=1e-10)
    assert path.best == SIGMAS[np.argmin(path.error)]


@pytest.mark.parametrize("exponent", [-1000, 0, 1000])
def test_the_path_of_extreme_widths_and_scales(exponent):
    A = np.ldexp(np.array([[0.0], [1.0], [3.0], [3.0]]), exponent)
    path = nw_loo_path(A, [1.0, 2.0, 6.0, 10.0], np.ldexp([2.0**-30, 2.0**20], exponent))
    np.testing.assert_allclose(path.predictions, [[2, 1, 10, 6], [6, 17 / 3, 13 / 3, 3]], rtol=1e-9)
    path = nw_loo_path(A, [1.0, 2.0, 6.0, 10.0], [1e-320, 1e308])
    assert np.isfinite(path.predictions).all()


def test_the_path_is_the_same_in_small_blocks(monkeypatch):
    from kcourse.neighbors import smoothers

    whole = nw_loo_path(X, Y2, SIGMAS)
    monkeypatch.setattr(smoothers, "_CACHE", 2 * N)
    np.testing.assert_allclose(nw_loo_path(X, Y2, SIGMAS).predictions, whole.predictions, rtol=1e-12)


def test_strings_will_do_where_the_kernel_takes_them():
    words, y = ["abc", "bcd", "xyz"], [1.0, 2.0, 9.0]
    model = NadarayaWatson(Spectrum(1)).fit(words, y)
    np.testing.assert_allclose(model.predict(["ab", "zd"]), [(2 * 1 + 2) / 3, (2 + 9) / 2])
    assert NearestCentroid(Spectrum(1)).fit(words, [0, 0, 1]).predict(["ab", "zz"]).tolist() == [0, 1]


def negative(A, B):
    return Gaussian(1.0)(A, B) - 0.2


def test_weights_that_cannot_be_are_refused():
    def fitted(kernel):
        return NadarayaWatson(kernel).fit(np.vstack([X, [[50.0, 50, 50]]]), np.append(Y1, 0.0))

    refused(r"the kernel has negative values \(.*-", fitted(Linear()).predict, XQ)
    refused("choose a kernel that is nowhere negative", fitted(negative).smoother_matrix, XQ)
    refused("the kernel has negative values", fitted(negative).loo_residuals)
    refused("all weights are 0 at row 2 of X: ", fitted(box).predict, np.vstack([X[:2], 99 + XQ]))
    refused("all weights are 0 at row 0 of X", fitted(0 * Gaussian(1.0)).predict, XQ)
    refused("underflows, at all training points. Take a wider", fitted(Matern(1.5)).predict, 9999 + XQ)
    refused(r"all weights are 0 at row \d+ of X: .* at all other training", fitted(box).loo_residuals)
    refused("<function box .*no width sigma to vary", fitted(box).loo_path, [1.0], error=TypeError)
    refused("Polynomial.* no width sigma to vary", fitted(Polynomial()).loo_path, [1.0], error=TypeError)
    refused("sigmas is empty; give at least one width, such as np", fitted(Gaussian()).loo_path, [])
    refused(r"sigmas\[1\] must be positive, got 0; it is a width", fitted(Gaussian()).loo_path, [1.0, 0])
    refused(r"sigmas has shape \(1, 1\); expected \(m,\)", fitted(Gaussian()).loo_path, [[1.0]])


def test_the_row_without_weights_is_counted_through_the_blocks(monkeypatch):
    monkeypatch.setattr(weights, "_BLOCK", 4 * N)
    Q = np.vstack([X[:9], [[99.0, 0, 0]], X[:3]])
    refused("at row 9 of X", NadarayaWatson(box).fit(X, Y1).predict, Q)


@pytest.mark.filterwarnings("ignore:(overflow|invalid value) encountered:RuntimeWarning")
def test_a_kernel_that_overflows_is_refused():
    model = NadarayaWatson(Polynomial(degree=300)).fit(X, Y1)
    refused("the kernel overflows on these points.*: scale X down", model.predict, 1e3 * XQ)


def test_leave_one_out_needs_two_points():
    model = NadarayaWatson(Gaussian()).fit([[1.0, 2.0]], [3.0])
    assert model.predict([[900.0, 0.0]]).tolist() == [3.0] and model.effective_df() == 1.0
    for call in (lambda: model.loo_residuals(), lambda: model.loo_path([1.0]), lambda: nw_loo_path([[1]], [1], [1])):
        refused("leave-one-out needs at least 2 training points", call)
    with pytest.raises(ValueError, match="leave-one-out needs at least 2 training points"):
        NadarayaWatson(Matern()).fit([[1.0]], [3.0]).loo_path([1.0])


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(degree=2), Gaussian(0.8) + Constant(0.3)], ids=repr)
@pytest.mark.parametrize("labels", [np.arange(N) % 2, LABELS], ids=["two classes", "three classes"])
def test_the_decision_is_the_distance_in_feature_space(kernel, labels):
    model = NearestCentroid(kernel)
    assert model.fit(X, labels) is model
    classes = np.unique(labels)
    distances = np.stack([
        kernel.diag(XQ) - 2 * kernel(XQ, X[labels == c]).mean(axis=1) + kernel(X[labels == c]).mean() for c in classes
    ], axis=1)  # fmt: skip
    f = model.decision_function(XQ)
    expected = distances[:, 0] - distances[:, 1] if len(classes) == 2 else kernel.diag(XQ)[:, None] - distances
    np.testing.assert_allclose(f, expected, rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(model.predict(XQ), classes[np.argmin(distances, axis=1)])
    np.testing.assert_allclose(kernel(XQ, X) @ model.dual_coef_ + model.intercept_, f, rtol=1e-12, atol=1e-13)
    assert model.dual_coef_.shape == ((N,) if len(classes) == 2 else (N, 3))
    assert (type(model.intercept_) is float) == (len(classes) == 2)


def test_the_means_need_two_classes():
    refused("y has one class only", NearestCentroid(Gaussian()).fit, X, np.ones(N, dtype=int))


@pytest.mark.parametrize("labels, weighted", list(product([np.arange(30) % 2, np.arange(30) % 3], [False, True])))
def test_linear_means_in_the_input_space_are_those_in_feature_space(labels, weighted):
    rng = np.random.default_rng(0)
    points, queries = rng.standard_normal((30, 4)) + 50, rng.standard_normal((9, 4)) + 50
    w = rng.uniform(0.1, 2.0, 30) if weighted else None
    direct = NearestCentroid(Linear()).fit(points, labels, sample_weight=w)
    by_kernel = NearestCentroid(lambda A, B: A @ B.T).fit(points, labels, sample_weight=w)
    np.testing.assert_allclose(direct.dual_coef_, by_kernel.dual_coef_)
    np.testing.assert_allclose(direct.intercept_, by_kernel.intercept_, rtol=1e-9)
    np.testing.assert_allclose(direct.decision_function(queries), by_kernel.decision_function(queries), atol=1e-8)
