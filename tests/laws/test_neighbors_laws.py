"""What holds of neighbours and windows, whatever the points, the kernel, k and σ."""

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kcourse import Gaussian, Laplacian, Matern, Polynomial
from kcourse.neighbors import (
    KNNClassifier,
    KNNRegressor,
    NadarayaWatson,
    NearestCentroid,
    ParzenClassifier,
    ParzenDensity,
    knn_loo_path,
    nw_loo_path,
)
from tests.laws.law import QUERIES, D, close, laws, sixteenths

law = laws(40)

eighths = st.integers(-24, 24).map(lambda i: i / 8)
widths = st.floats(-1.0, 1.0).map(lambda e: 10.0**e)
windows = st.one_of(
    st.builds(Gaussian, widths),
    st.builds(Laplacian, widths),
    st.builds(lambda s, c: c * Gaussian(s), widths, widths),
    st.builds(lambda s: Matern(1.5, s) + 1e-3, widths),
    st.builds(lambda v: Polynomial(degree=2, coef0=v), st.floats(0.1, 1.0)),
)
radial = st.one_of(st.builds(Gaussian, widths), st.builds(Laplacian, widths))


@st.composite
def data(draw, n_min=1, n_max=9, elements=sixteenths):
    """X (n, 2), with repeated points now and then, and y (n,)."""
    n = draw(st.integers(n_min, n_max))
    return draw(arrays(float, (n, D), elements=elements)), draw(arrays(float, n, elements=sixteenths))


@st.composite
def labelled(draw, n_classes=2):
    """X (n, 2) and labels of which each class has at least two points."""
    n = draw(st.integers(2 * n_classes, 11))
    y = np.concatenate([np.arange(n_classes).repeat(2), draw(arrays(int, n, elements=st.integers(0, n_classes - 1)))])
    return draw(arrays(float, (len(y), D), elements=sixteenths)), y


def smoothers(n, kernel):
    return [NadarayaWatson(kernel), *(KNNRegressor(k) for k in {1, (n + 1) // 2, n})]


@law(data(), windows)
def test_rows_of_S_are_weights_that_sum_to_1_and_predictions_are_S_y(Xy, kernel):
    X, y = Xy
    for model in smoothers(len(y), kernel):
        S = model.fit(X, y).smoother_matrix(QUERIES)
        assert np.all(S >= 0)
        close(S.sum(axis=1), np.ones(4), rtol=1e-12)
        close(S @ y, model.predict(QUERIES), rtol=1e-11)
        assert np.all(model.predict(QUERIES) >= y.min() - 1e-9) and np.all(model.predict(QUERIES) <= y.max() + 1e-9)
        close(model.effective_df(), np.trace(model.smoother_matrix(X)))


@law(data(), windows, st.floats(-3, 3), st.floats(0.1, 3))
def test_a_smoother_keeps_constants_and_scales(Xy, kernel, a, b):
    X, y = Xy
    for model in smoothers(len(y), kernel):
        f = model.fit(X, y).predict(QUERIES)
        close(model.fit(X, a + b * y).predict(QUERIES), a + b * f)


@law(data(n_min=2), windows, st.randoms(use_true_random=False))
def test_the_order_of_the_points_does_not_matter(Xy, kernel, random):
    X, y = Xy
    order = list(range(len(y)))
    random.shuffle(order)
    close(
        NadarayaWatson(kernel).fit(X[order], y[order]).predict(QUERIES),
        NadarayaWatson(kernel).fit(X, y).predict(QUERIES),
    )
    # of neighbours it does not where no two are equally near
    squares = np.array([np.sort(np.sum((X - q) ** 2, axis=1)) for q in QUERIES])
    assume(np.diff(squares, axis=1).min() > 1e-9)
    for k in range(1, len(y) + 1):
        close(KNNRegressor(k).fit(X[order], y[order]).predict(QUERIES), KNNRegressor(k).fit(X, y).predict(QUERIES))


@law(data(), widths)
def test_a_huge_width_gives_the_mean_and_a_tiny_one_the_mean_of_the_nearest(Xy, scale):
    X, y = Xy
    assert np.allclose(NadarayaWatson(Gaussian(1e7 * scale)).fit(X, y).predict(QUERIES), y.mean(), atol=1e-9)
    assert np.allclose(KNNRegressor(len(y)).fit(X, y).predict(QUERIES), y.mean())
    squares = np.array([np.sum((X - q) ** 2, axis=1) for q in QUERIES])
    nearest = squares < squares.min(axis=1, keepdims=True) + 1e-9
    expected = nearest @ y / nearest.sum(axis=1)
    # a point may come twice; of two places equally near, rounding of ‖x - z‖²/σ² takes one
    one = [len(np.unique(X[near], axis=0)) == 1 for near in nearest]
    predicted = NadarayaWatson(Gaussian(1e-7 * scale)).fit(X, y).predict(QUERIES)
    close(np.where(one, predicted, expected), expected, rtol=1e-6)


@law(data(elements=eighths), radial, st.integers(1, 9), st.integers(-8, 8))
def test_moving_and_turning_everything_changes_nothing(Xy, kernel, k, shift):
    X, y = Xy
    k = min(k, len(y))
    quarter = np.array([[0.0, -1.0], [1.0, 0.0]])  # exact, so that ties stay ties
    for A, Q in ((X @ quarter, QUERIES @ quarter), (X + shift, QUERIES + shift)):
        close(NadarayaWatson(kernel).fit(A, y).predict(Q), NadarayaWatson(kernel).fit(X, y).predict(QUERIES))
        width = kernel.sigma
        close(ParzenDensity(width).fit(A).log_density(Q), ParzenDensity(width).fit(X).log_density(QUERIES))
    Q = np.round(8 * QUERIES) / 8
    for A, B in ((X @ quarter, Q @ quarter), (X + shift, Q + shift)):
        close(KNNRegressor(k).fit(A, y).predict(B), KNNRegressor(k).fit(X, y).predict(Q))
    angle = np.array([[0.6, -0.8], [0.8, 0.6]])
    close(
        NadarayaWatson(kernel).fit(X @ angle, y).predict(QUERIES @ angle),
        NadarayaWatson(kernel).fit(X, y).predict(QUERIES),
    )


@law(data(), widths, widths)
def test_a_change_of_units(Xy, sigma, unit):
    X, y = Xy
    one, other = NadarayaWatson(Gaussian(sigma)).fit(X, y), NadarayaWatson(Gaussian(unit * sigma)).fit(unit * X, y)
    close(other.predict(unit * QUERIES), one.predict(QUERIES), rtol=1e-8)
    p, q = ParzenDensity(sigma).fit(X), ParzenDensity(unit * sigma).fit(unit * X)
    close(q.log_density(unit * QUERIES), p.log_density(QUERIES) - D * np.log(unit), rtol=1e-8)


@law(data(), widths, st.floats(-3, 3), st.floats(-3, 3))
def test_the_prediction_minimises_the_weighted_squares(Xy, sigma, x, step):
    X, y = Xy
    kernel = Gaussian(sigma) + 1e-6
    c = NadarayaWatson(kernel).fit(X, y).predict([[x, 0.5]])[0]
    w = kernel([[x, 0.5]], X)[0]
    assert w @ (y - c) ** 2 <= w @ (y - c - step) ** 2 + 1e-12 * max(1.0, w.sum())


@law(data(n_min=2), windows)
def test_leave_one_out_of_weights_is_that_of_refits_and_the_shortcut(Xy, kernel):
    X, y = Xy
    model = NadarayaWatson(kernel).fit(X, y)
    residuals = model.loo_residuals()
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        close(residuals[i], y[i] - NadarayaWatson(kernel).fit(X[rest], y[rest]).predict(X[[i]])[0], rtol=1e-8)
    S = model.smoother_matrix(X)
    sure = np.diagonal(S) < 0.999  # else 0/0
    close(residuals[sure], (y - S @ y)[sure] / (1 - np.diagonal(S)[sure]), rtol=1e-8) if sure.any() else None


@law(data(n_min=2), st.lists(widths, min_size=1, max_size=4))
def test_leave_one_out_paths_are_those_of_refits(Xy, sigmas):
    X, y = Xy
    n = len(y)
    by_k, by_sigma, densities = knn_loo_path(X, y), nw_loo_path(X, y, sigmas), ParzenDensity().fit(X).loo_path(sigmas)
    for i in range(n):
        A, b, x = np.delete(X, i, axis=0), np.delete(y, i), X[[i]]
        close(by_k.predictions[:, i], [KNNRegressor(k).fit(A, b).predict(x)[0] for k in range(1, n)])
        close(by_sigma.predictions[:, i], [NadarayaWatson(Gaussian(s)).fit(A, b).predict(x)[0] for s in sigmas])
        close(densities.predictions[:, i], [ParzenDensity(s).fit(A).log_density(x)[0] for s in sigmas])
    close(by_k.error, np.mean((y - by_k.predictions) ** 2, axis=1))
    close(by_sigma.error, np.mean((y - by_sigma.predictions) ** 2, axis=1))
    close(densities.error, -np.mean(densities.predictions, axis=1))
    for path in (by_k, by_sigma, densities):
        assert path.error[list(path.values).index(path.best)] == path.error.min()


@law(arrays(float, st.integers(1, 6), elements=sixteenths), st.floats(0.2, 3.0))
def test_a_density_in_one_dimension_integrates_to_1(x, sigma):
    # a Riemann sum of a smooth function that decays is exact to rounding once its step is below the width
    grid = np.arange(-3 - 9 * sigma, 3 + 9 * sigma, sigma / 4)
    p = ParzenDensity(sigma).fit(x[:, None])
    close(p.density(grid[:, None]).sum() * sigma / 4, 1.0)
    # its mean is the data's, and its variance theirs plus σ²
    mean = grid @ p.density(grid[:, None]) * sigma / 4
    close(mean, x.mean())
    close((grid - mean) ** 2 @ p.density(grid[:, None]) * sigma / 4, x.var() + sigma**2)


@laws(10)(arrays(float, (3, 2), elements=sixteenths), st.floats(0.3, 1.0), st.floats(0.3, 1.0))
def test_a_density_in_the_plane_integrates_to_1(X, s, t):
    u, v = np.arange(-3 - 8 * s, 3 + 8 * s, s / 2), np.arange(-3 - 8 * t, 3 + 8 * t, t / 2)
    grid = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
    close(ParzenDensity((s, t)).fit(X).density(grid).sum() * s * t / 4, 1.0)


@law(labelled(n_classes=3), widths, st.lists(st.floats(0.05, 1.0), min_size=3, max_size=3))
def test_the_parzen_classifier_is_bayes_rule_on_parzen_densities(Xy, sigma, shares):
    X, y = Xy
    given_priors = np.array(shares) / np.sum(shares)
    counted = np.bincount(y) / len(y)
    log_p = np.stack([ParzenDensity(sigma).fit(X[y == c]).log_density(QUERIES) for c in range(3)], axis=1)
    for priors, pi in ((None, counted), (given_priors, given_priors)):
        joint = np.log(pi) + log_p
        expected = joint - joint.max(axis=1, keepdims=True)
        expected -= np.log(np.exp(expected).sum(axis=1, keepdims=True))
        close(ParzenClassifier(sigma, priors=priors).fit(X, y).predict_log_proba(QUERIES), expected)


@law(labelled(), widths)
def test_with_counted_priors_the_parzen_classifier_smooths_indicators(Xy, sigma):
    X, y = Xy
    p = ParzenClassifier(sigma).fit(X, y).predict_proba(QUERIES)
    close(p, NadarayaWatson(Gaussian(sigma)).fit(X, np.eye(2)[y]).predict(QUERIES))


@law(labelled(), widths)
def test_the_nearest_mean_is_the_parzen_classifier_up_to_the_norms(Xy, sigma):
    X, y = Xy
    model = NearestCentroid(Gaussian(sigma)).fit(X, y)
    densities = [ParzenDensity(sigma).fit(X[y == c]).density(QUERIES) for c in range(2)]
    constant = 2 * np.pi * sigma**2  # p_c = mean of k over the class, divided by this
    close(model.decision_function(QUERIES) - model.intercept_, 2 * constant * (densities[1] - densities[0]))
    K = Gaussian(sigma)(X)
    norms2 = [K[np.ix_(y == c, y == c)].mean() for c in range(2)]
    close(model.intercept_, norms2[0] - norms2[1])


@law(labelled(), st.integers(1, 4), st.integers(0, 5))
def test_a_copy_of_the_data_leaves_densities_alone_and_doubles_the_neighbours(Xy, k, seed):
    X, y = Xy
    twice = np.vstack([X, X])
    close(ParzenDensity(0.7).fit(twice).log_density(QUERIES), ParzenDensity(0.7).fit(X).log_density(QUERIES))
    squares = np.array([np.sort(np.sum((X - q) ** 2, axis=1)) for q in QUERIES])
    assume(np.diff(squares, axis=1).min() > 1e-9)
    double = KNNClassifier(2 * k).fit(twice, np.concatenate([y, y]))
    np.testing.assert_array_equal(double.predict_proba(QUERIES), KNNClassifier(k).fit(X, y).predict_proba(QUERIES))
