"""Neighbours and windows against scikit-learn and closed forms."""

from itertools import product

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import gaussian_kde, multivariate_normal, norm
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KernelDensity, KNeighborsClassifier, KNeighborsRegressor
from sklearn.neighbors import NearestCentroid as SklearnCentroid

from kcourse import Linear
from kcourse.neighbors import KNNClassifier, KNNRegressor, NearestCentroid, ParzenDensity, knn_loo_path
from tests.rows import each


def data(n, d, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, np.sin(X[:, 0]) + 0.1 * rng.standard_normal(n), (X[:, :2].sum(axis=1) > 0) + (X[:, 0] > 1).astype(int)


@each(("n", "d"), [(60, 2), (500, 2), (800, 5), (700, 20), (5000, 3), (5000, 11)])
@each("k", [1, 5, 50])
def test_neighbours_without_ties_are_scikit_learns(n, d, k):
    (X, y, labels), Q = data(n, d), data(200, d, 1)[0]
    ours, theirs = KNNRegressor(k).fit(X, y), KNeighborsRegressor(k).fit(X, y)
    np.testing.assert_allclose(ours.predict(Q), theirs.predict(Q), rtol=1e-12, atol=1e-13)
    distances, indices = theirs.kneighbors(Q)
    np.testing.assert_array_equal(ours.kneighbors(Q)[1], indices)
    np.testing.assert_allclose(ours.kneighbors(Q)[0], distances, rtol=1e-7)
    np.testing.assert_allclose(ours.smoother_matrix(Q), theirs.kneighbors_graph(Q).toarray() / k)
    ours, theirs = KNNClassifier(k).fit(X, labels), KNeighborsClassifier(k).fit(X, labels)
    np.testing.assert_array_equal(ours.predict(Q), theirs.predict(Q))  # its ties of votes, too
    np.testing.assert_allclose(ours.predict_proba(Q), theirs.predict_proba(Q), rtol=1e-12)


@each(("n", "d"), [(60, 2), (700, 20), (5000, 3)])
@each("k", [1, 5, 50])
def test_neighbours_that_count_by_distance_are_scikit_learns(n, d, k):
    (X, y, labels), Q = data(n, d), data(200, d, 1)[0]
    Q[:5] = X[:5]  # at distance 0
    Y = np.column_stack([y, -2 * y + 1])
    for targets in (y, Y):
        ours = KNNRegressor(k, weights="distance").fit(X, targets)
        theirs = KNeighborsRegressor(k, weights="distance").fit(X, targets)
        np.testing.assert_allclose(ours.predict(Q), theirs.predict(Q), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(ours.smoother_matrix(Q) @ targets, ours.predict(Q), rtol=1e-12, atol=1e-13)
    ours = KNNClassifier(k, weights="distance").fit(X, labels)
    theirs = KNeighborsClassifier(k, weights="distance").fit(X, labels)
    np.testing.assert_allclose(ours.predict_proba(Q), theirs.predict_proba(Q), rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(ours.predict(Q), theirs.predict(Q))


def test_the_path_by_distance_is_leave_one_out_by_scikit_learn():
    X, y, labels = data(50, 2)
    X[7], Y = X[3], np.column_stack([y, -y])  # and one point twice
    by = {"weights": "distance"}
    path, votes = KNNRegressor(1, **by).fit(X, Y).loo_path(), KNNClassifier(1, **by).fit(X, labels).loo_path()
    for k in (1, 7, 49):
        one_out = cross_val_predict(KNeighborsRegressor(k, **by), X, Y, cv=LeaveOneOut())
        np.testing.assert_allclose(path.predictions[k - 1], one_out, rtol=1e-9, atol=1e-12)
        residuals = KNNRegressor(k, **by).fit(X, Y).loo_residuals()
        np.testing.assert_allclose(residuals, Y - one_out, rtol=1e-9, atol=1e-9)
        one_out = cross_val_predict(KNeighborsClassifier(k, **by), X, labels, cv=LeaveOneOut())
        np.testing.assert_array_equal(votes.predictions[k - 1], one_out)
    np.testing.assert_array_equal(knn_loo_path(X, Y, 9, **by).predictions, path.predictions[:9])


@pytest.mark.parametrize("d, sigma", list(product([2, 5], [0.3, 2.0])))
def test_densities_are_scikit_learns(d, sigma):
    X, Q = data(300, d)[0], 3 * data(40, d, 1)[0]
    # as one leaf: their tree loses the tails
    theirs, ours = KernelDensity(bandwidth=sigma, leaf_size=300).fit(X), ParzenDensity(sigma).fit(X)
    np.testing.assert_allclose(ours.log_density(Q), theirs.score_samples(Q), rtol=1e-9)
    assert ours.score(Q) == pytest.approx(theirs.score(Q), rel=1e-10)


def test_weighted_densities_are_scikit_learns():
    rng = np.random.default_rng(0)
    X, w = rng.standard_normal((40, 2)), rng.uniform(0, 3, 40) + 1e-3
    theirs, ours = KernelDensity(bandwidth=0.7, leaf_size=300), ParzenDensity(0.7)
    Q = rng.standard_normal((9, 2))
    theirs, ours = theirs.fit(X, sample_weight=w), ours.fit(X, sample_weight=w)
    np.testing.assert_allclose(ours.log_density(Q), theirs.score_samples(Q), rtol=1e-10)


@pytest.mark.parametrize("rule, w", list(product(["silverman", "scott"], [None, np.linspace(0.1, 3.0, 40)])))
def test_widths_by_rule_are_scipys(rule, w):
    X = np.random.default_rng(0).standard_normal((40, 3)) * [1.0, 5.0, 1e-3] + [0.0, 1e3, 7.0]
    one = gaussian_kde(X[:, 1], rule, weights=w)
    ours = ParzenDensity(rule).fit(X[:, 1:2], sample_weight=w)
    np.testing.assert_allclose(ours.sigma_, np.sqrt(one.covariance[0, 0]), rtol=1e-10)
    np.testing.assert_allclose(ours.density(X[:, 1:2]), one(X[:, 1]), rtol=1e-9)
    # with more features SciPy's Gaussian has the covariance of the points, ours its diagonal
    theirs = np.sqrt(np.diag(gaussian_kde(X.T, rule, weights=w).covariance))
    np.testing.assert_allclose(ParzenDensity(rule).fit(X, sample_weight=w).sigma_, theirs, rtol=1e-10)


def test_the_tails_are_right_where_scikit_learns_tree_loses_them():
    X, Q = data(300, 5)[0], 3 * data(40, 5, 1)[0]
    each = np.stack([multivariate_normal(x, 0.09 * np.eye(5)).logpdf(Q) for x in X])
    exact = logsumexp(each, axis=0) - np.log(300)
    np.testing.assert_allclose(ParzenDensity(0.3).fit(X).log_density(Q), exact, rtol=1e-11)
    assert np.abs(KernelDensity(bandwidth=0.3).fit(X).score_samples(Q) - exact).max() > 1  # or the note is out of date


def test_the_expected_density_is_the_truth_smoothed():
    # for x_i ~ N(0, s²):  E p(x) = N(x; 0, s² + σ²); equally likely x_i in place of random ones
    s, sigma = 1.5, 0.4
    X = norm.ppf((np.arange(20000) + 0.5) / 20000, scale=s)[:, None]
    x = np.linspace(-4, 4, 9)[:, None]
    np.testing.assert_allclose(
        ParzenDensity(sigma).fit(X).density(x), norm.pdf(x[:, 0], scale=np.hypot(s, sigma)), 1e-4
    )


def test_draws_have_the_moments_of_the_density():
    X = data(30, 2)[0]
    draws = ParzenDensity((0.5, 2.0)).fit(X).sample(200_000, rng=0)
    np.testing.assert_allclose(draws.mean(axis=0), X.mean(axis=0), atol=0.03)
    np.testing.assert_allclose(np.cov(draws.T, bias=True), np.cov(X.T, bias=True) + np.diag([0.25, 4.0]), atol=0.06)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_linear_nearest_mean_is_the_nearest_centroid(n_classes):
    X, _, labels = data(200, 4)
    X, labels = X[labels < n_classes], labels[labels < n_classes]
    Q = data(300, 4, 1)[0]
    expected = SklearnCentroid().fit(X, labels).predict(Q)
    np.testing.assert_array_equal(NearestCentroid(Linear()).fit(X, labels).predict(Q), expected)
