"""kcourse.rbf: networks of Gaussian units, for regression and classification, and the one that is a Bayes rule."""

from itertools import product

import numpy as np
import pytest

from kcourse.datasets import make_double_moon
from kcourse.kernels import Gaussian
from kcourse.rbf import (
    BayesRBFClassifier,
    RBFNetwork,
    RBFNetworkClassifier,
    bayes_weights,
    kmeans,
    normalized_basis,
    online_kmeans,
    spread,
    supervised_gradients,
)
from tests.rows import each
from tests.unit.refused import refused

_rng = np.random.default_rng(0)
X, XQ = _rng.standard_normal((60, 2)), _rng.standard_normal((7, 2))
Y1 = np.sin(2 * X[:, 0]) + 0.1 * _rng.standard_normal(60)
Y2 = np.column_stack([Y1, X[:, 1] ** 2, X[:, 0]])
LABELS = np.array(["a", "b", "c"])[np.digitize(X[:, 0], [-0.5, 0.5])]
MOON, SIDE = make_double_moon(400, distance=-5, rng=0, return_X_y=True)


def units(X, T, sigma):
    return np.exp(-np.sum((X[:, None] - T) ** 2, axis=2) / (2 * np.asarray(sigma) ** 2))


@each("y, lam, bias", product([Y1, Y2, Y1[:, None]], [1e-3, 2.0], [True, False]))
def test_the_output_layer_is_ridge_regression_with_a_free_bias(y, lam, bias):
    T, sigma = X[:5], np.array([0.5, 0.8, 1.0, 1.5, 2.0])
    model = RBFNetwork(5, centers=T, sigma=sigma, lam=lam, bias=bias)
    assert model.fit(X, y) is model
    Phi = units(X, T, sigma)
    np.testing.assert_allclose(model.hidden(X), Phi, rtol=1e-12)
    A = np.column_stack([Phi, np.ones(60)]) if bias else Phi
    penalty = np.diag([lam] * 5 + [0.0] * bias)
    wb = np.linalg.solve(A.T @ A + penalty, A.T @ y)
    np.testing.assert_allclose(model.output_weights_, wb[:5], rtol=1e-8, atol=1e-11)
    np.testing.assert_allclose(model.intercept_, wb[5] if bias else 0.0 * y[0], rtol=1e-8, atol=1e-10)
    assert model.output_weights_.shape == (5, *y.shape[1:]) and np.shape(model.intercept_) == y.shape[1:]
    B = np.column_stack([units(XQ, T, sigma), np.ones(7)]) if bias else units(XQ, T, sigma)
    np.testing.assert_allclose(model.predict(XQ), B @ wb, rtol=1e-8, atol=1e-11)


def test_without_penalty_it_is_the_pseudo_inverse():
    for T in (X[:5], X[[0, 0, 1]]):  # the second has columns that are equal
        model = RBFNetwork(len(T), centers=T, sigma=1.0, lam=0.0, bias=False).fit(X, Y1)
        np.testing.assert_allclose(model.output_weights_, np.linalg.pinv(Gaussian(1.0)(X, T)) @ Y1, rtol=1e-8)


@pytest.mark.parametrize("least", [1e-3, 1e-6])
def test_units_far_from_the_origin_and_narrow_ones_keep_their_digits(least):
    T, sigma = X[:3] + 1e4, np.array([least, 1e-2, 10.0])
    near = T + least
    model = RBFNetwork(3, centers=T, sigma=sigma).fit(X + 1e4, Y1)
    np.testing.assert_allclose(model.hidden(near), units(near, T, sigma), rtol=1e-8, atol=1e-300)


@pytest.mark.parametrize("centers", ["kmeans", "online", "random"])
def test_centres_are_placed_as_said(centers):
    model = RBFNetwork(6, centers=centers, rng=4).fit(X, Y1)
    assert model.centers_.shape == (6, 2)
    first = RBFNetwork(6, centers="random", rng=4).fit(X, Y1).centers_
    if centers == "random":
        assert all((X == t).all(axis=1).any() for t in first) and len(np.unique(first, axis=0)) == 6
        assert model.n_iter_ == 0
    elif centers == "online":
        rng = np.random.default_rng(4)
        rng.choice(60, 6, replace=False)
        np.testing.assert_array_equal(model.centers_, online_kmeans(X, first, rng=rng).centers)
        assert model.n_iter_ == 60
    else:
        again = kmeans(X, 6, init=model.centers_)
        np.testing.assert_allclose(again.centers, model.centers_, rtol=1e-12)
        assert model.n_iter_ > 1
    assert not np.array_equal(model.centers_, RBFNetwork(6, centers=centers, rng=5).fit(X, Y1).centers_)


def test_widths_follow_the_rule():
    for sigma, expected in [
        ("dmax", lambda T: np.full(6, spread(T))),
        ("median", lambda T: np.full(6, spread(T, rule="median"))),
        ("neighbors", lambda T: spread(T, rule="neighbors")),
        (0.7, lambda T: np.full(6, 0.7)),
        (np.arange(1.0, 7), lambda T: np.arange(1.0, 7)),
    ]:
        model = RBFNetwork(6, sigma=sigma).fit(X, Y1)
        np.testing.assert_allclose(model.sigma_, expected(model.centers_), rtol=1e-14)


def test_supervised_centres_lower_the_error_to_where_nothing_falls():
    fixed = RBFNetwork(4, lam=1e-3).fit(X, Y1)
    model = RBFNetwork(4, centers="supervised", lam=1e-3, max_iter=500).fit(X, Y1)

    def objective(m):
        return np.sum((Y1 - m.predict(X)) ** 2) + 1e-3 * np.sum(m.output_weights_**2)

    assert objective(model) < 0.7 * objective(fixed) and 1 < model.n_iter_ <= 500
    inside = np.abs(np.log(model.sigma_ / fixed.sigma_)) < np.log(30) - 1e-6
    g = supervised_gradients(X, Y1, model.output_weights_, model.centers_, model.sigma_**-2.0, bias=model.intercept_)
    assert np.abs(g.centers).max() < 1e-2 and np.abs(g.precisions / model.sigma_**2)[inside].max() < 1e-2
    assert g.bias == pytest.approx(0, abs=1e-9)
    short = RBFNetwork(4, centers="supervised", lam=1e-3, max_iter=3).fit(X, Y1)
    assert objective(model) <= objective(short) < objective(fixed) and short.n_iter_ == 3


@each("scale, centers", product([1e-6, 1e5], ["kmeans", "online", "random", "supervised"]))
def test_the_unit_of_the_points_does_not_matter(centers, scale):
    for sigma in ("dmax", "median", "neighbors"):
        one = RBFNetwork(5, centers=centers, sigma=sigma, max_iter=5).fit(X, Y1)
        other = RBFNetwork(5, centers=centers, sigma=sigma, max_iter=5).fit(scale * X, Y1)
        np.testing.assert_allclose(other.predict(scale * XQ), one.predict(XQ), rtol=1e-4, atol=1e-5)


def test_more_features_than_points_and_constant_features():
    wide = np.random.default_rng(1).standard_normal((8, 50))
    wide[:, 3] = 7.0
    for centers in ("kmeans", "random", "online", "supervised"):
        model = RBFNetwork(3, centers=centers).fit(wide, Y1[:8])
        assert np.isfinite(model.predict(wide)).all()


def test_a_class_is_the_largest_of_the_outputs():
    model = RBFNetworkClassifier(8).fit(X, LABELS)
    T = RBFNetwork(8).fit(X, (LABELS[:, None] == np.array(["a", "b", "c"])).astype(float))
    np.testing.assert_allclose(model.outputs(XQ), T.predict(XQ), rtol=1e-12)
    np.testing.assert_array_equal(model.decision_function(XQ), model.outputs(XQ))
    np.testing.assert_array_equal(model.predict(XQ), np.array(["a", "b", "c"])[model.outputs(XQ).argmax(axis=1)])
    assert model.score(X, LABELS) > 0.9 and model.output_weights_.shape == (8, 3)


def test_of_two_classes_the_second_is_positive():
    model = RBFNetworkClassifier(20).fit(MOON, SIDE)
    f, outputs = model.decision_function(MOON), model.outputs(MOON)
    assert f.shape == (400,) and model.score(MOON, SIDE) > 0.99
    np.testing.assert_allclose(f, outputs[:, 1] - outputs[:, 0], rtol=1e-12)
    np.testing.assert_array_equal(model.predict(MOON), np.where(f > 0, 1, -1))


def test_outputs_sum_to_1_if_the_bias_is_free_and_not_otherwise():
    assert RBFNetworkClassifier(8).fit(X, LABELS).outputs(XQ).sum(axis=1) == pytest.approx(np.ones(7))
    sums = RBFNetworkClassifier(8, bias=False).fit(X, LABELS).outputs(XQ).sum(axis=1)
    assert np.abs(sums - 1).max() > 0.01


def test_networks_refuse_what_makes_no_sense():
    for make, y in ((RBFNetwork, Y1), (RBFNetworkClassifier, LABELS)):
        refused("n_centers = 61 is more than n_samples = 60", make(61).fit, X, y)
        refused("one centre has no distance to another: give the width as a number", make(1).fit, X, y)
        refused("centers has 1 rows.* n_centers is 10", make(centers=[[0.0, 0.0]]).fit, X, y)
        refused("centers has shape .1, 1.; expected 2 feature", make(centers=[[0.0]]).fit, X, y)
        refused("sigma has 2 entries", make(sigma=[1.0, 2.0]).fit, X, y)
        refused("expected one positive width, or 10, one .* centre", make(sigma=-np.ones(10)).fit, X, y)


def test_one_centre_is_enough_with_a_width():
    model = RBFNetwork(1, sigma=1.0).fit([[0.0, 1.0]], [3.0])
    assert model.predict(XQ) == pytest.approx([3.0] * 7)  # the bias does it


def test_the_normalised_basis_is_bayes_rule():
    T, sigma, prior = X[:4], np.array([0.5, 1.0, 2.0, 0.8]), np.array([1.0, 2.0, 0.0, 3.0])
    joint = prior * np.exp(-np.sum((XQ[:, None] - T) ** 2, axis=2) / (2 * sigma**2)) / (2 * np.pi * sigma**2)
    np.testing.assert_allclose(
        normalized_basis(XQ, T, sigma, priors=prior), joint / joint.sum(axis=1)[:, None], rtol=1e-12
    )
    np.testing.assert_allclose(normalized_basis(XQ, T, 0.7), units(XQ, T, 0.7) / units(XQ, T, 0.7).sum(axis=1)[:, None])
    far = normalized_basis([[1e6, 0.0]], [[0.0, 0.0], [1.0, 0.0]], 1e-3)
    np.testing.assert_array_equal(far, [[0.0, 1.0]])


def test_bayes_weights():
    given, prior = np.array([[0.5, 0.1], [0.2, 0.2], [0.3, 0.7]]), np.array([0.25, 0.75])
    expected = [[p[k] * prior[k] / (p @ prior) for k in (0, 1)] for p in given]
    np.testing.assert_allclose(bayes_weights(given, prior), expected, rtol=1e-14)


def test_probabilities_that_are_none_are_refused():
    for given, prior, message in [
        ([[0.5], [0.6]], [1.0], "columns of unit_given_class sum to"),
        ([[0.5], [0.5]], [0.9], "class_priors sum to"),
        ([[1.5], [-0.5]], [1.0], "at least 0"),
        ([[1.0], [0.0]], [1.0], "0/0: leave it out"),
        ([[0.5], [0.5]], [0.5, 0.5], "class_priors has 2 entries"),
    ]:
        refused(message, bayes_weights, given, prior)
    for options, message in [
        ({"sigma": 0.0}, "sigma must be positive"),
        ({"sigma": [1.0, 0.0]}, "sigma must be 2 positive numbers"),
        ({"sigma": 1.0, "priors": [0.0, 0.0]}, "priors must be 2 positive numbers"),
        ({"sigma": 1.0, "priors": [1.0]}, "priors has 1 entries"),
    ]:
        refused(message, normalized_basis, [[0.0]], [[0.0], [1.0]], **options)


def test_em_climbs_to_a_point_where_its_equations_hold():
    model = BayesRBFClassifier(4, max_iter=3000, tol=0.0).fit(X, LABELS)
    assert np.all(np.diff(model.log_likelihood_) >= -1e-12)
    assert len(model.log_likelihood_) == model.n_iter_ + 1
    T, sigma, prior, W = model.centers_, model.sigma_, model.priors_, model.output_weights_
    codes = np.searchsorted(model.classes_, LABELS)
    density = np.exp(-np.sum((X[:, None] - T) ** 2, axis=2) / (2 * sigma**2)) / (2 * np.pi * sigma**2)
    joint = prior * density * W[:, codes].T
    assert model.log_likelihood_[-1] == pytest.approx(np.mean(np.log(joint.sum(axis=1))), rel=1e-12)
    R = joint / joint.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(R.mean(axis=0), prior, atol=1e-5)
    np.testing.assert_allclose(R.T @ X / R.sum(axis=0)[:, None], T, atol=1e-4)
    np.testing.assert_allclose(R.T @ np.eye(3)[codes] / R.sum(axis=0)[:, None], W, atol=1e-4)
    squares = np.sum(R * np.sum((X[:, None] - T) ** 2, axis=2), axis=0) / (2 * R.sum(axis=0))
    np.testing.assert_allclose(np.sqrt(squares), sigma, atol=1e-4)
    # p(x), p(c|x)
    p_x = prior * np.exp(-np.sum((XQ[:, None] - T) ** 2, axis=2) / (2 * sigma**2)) / (2 * np.pi * sigma**2)
    np.testing.assert_allclose(model.log_density(XQ), np.log(p_x.sum(axis=1)), rtol=1e-10)
    np.testing.assert_allclose(model.predict_proba(XQ), p_x @ W / p_x.sum(axis=1, keepdims=True), rtol=1e-10)
    np.testing.assert_allclose(model.hidden(XQ), p_x / p_x.sum(axis=1, keepdims=True), rtol=1e-10)


def test_posteriors_are_probabilities_everywhere_and_far_points_are_novel():
    model = BayesRBFClassifier(12).fit(MOON, SIDE)
    grid = np.random.default_rng(0).uniform(-1e4, 1e4, (500, 2))
    P = model.predict_proba(grid)
    assert P.min() >= 0 and np.abs(P.sum(axis=1) - 1).max() < 1e-14
    assert model.score(MOON, SIDE) > 0.97
    np.testing.assert_array_equal(model.predict(MOON), model.classes_[model.predict_proba(MOON).argmax(axis=1)])
    np.testing.assert_allclose(model.decision_function(MOON), model.predict_proba(MOON) @ [-1, 1], atol=1e-15)
    assert model.log_density([[1000.0, 0.0]])[0] < model.log_density(MOON).min() - 100


def test_no_unit_collapses():
    points = np.vstack([X, np.repeat([[9.0, 9.0]], 5, axis=0)])
    labels = np.append(LABELS, ["z"] * 5)
    model = BayesRBFClassifier(5, min_sigma=0.05).fit(points, labels)
    least = 0.05 * np.sqrt(points.var(axis=0).mean())
    assert model.sigma_.min() == pytest.approx(least)
    assert model.predict([[9.0, 9.0]]).tolist() == ["z"] and np.all(np.diff(model.log_likelihood_) > -1e-9)
    same = BayesRBFClassifier(1).fit(np.ones((4, 2)), [0, 0, 0, 1])
    np.testing.assert_allclose(same.predict_proba([[1.0, 1.0], [5.0, 0.0]]), [[0.75, 0.25]] * 2)


def test_the_mixture_refuses_more_units_than_points_and_one_class():
    refused("n_centers = 61 is more than n_samples = 60", BayesRBFClassifier(61).fit, X, LABELS)
    refused("one class only", BayesRBFClassifier(2).fit, X, ["a"] * 60)
