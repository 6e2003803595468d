"""k nearest neighbours: the search with its ties, the two estimators, the path of leave-one-out."""

from itertools import product

import numpy as np
import pytest

from kcourse.neighbors import KNNClassifier, KNNRegressor, SmoothingPath, knn_loo_path, search
from kcourse.neighbors.search import NeighborSearch
from tests.rows import each
from tests.unit.refused import refused

RNG = np.random.default_rng(0)
N, D, T = 23, 3, 2
X, XQ = RNG.standard_normal((N, D)), RNG.standard_normal((7, D))
Y1, Y2 = RNG.standard_normal(N), RNG.standard_normal((N, T))
LABELS = np.array(["a", "b", "c"])[np.arange(N) % 3]


def nearest(X, Q, k):
    """The definition: a stable sort of the squared distances."""
    squares = np.array([np.sum((x - X) ** 2, axis=1) for x in Q])
    order = np.argsort(squares, axis=1, kind="stable")[:, :k]
    return np.sqrt(np.take_along_axis(squares, order, axis=1)), order


def agree(X, Q, k):
    distances, indices = NeighborSearch(X).query(Q, k)
    expected, order = nearest(X, Q, k)
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_allclose(distances, expected, rtol=1e-14)


def points(kind, n, d, rng):
    return kinds(n, d, rng)[kind]


def kinds(n, d, rng):
    """Data that are hard in different ways."""
    A = rng.standard_normal((n, d))
    return {
        "in general position": A,
        "on a grid": rng.integers(-2, 3, (n, d)).astype(float),
        "rounded": np.round(A, 1),
        "far from 0": 1e6 + 1e-6 * A,
        "with an outlier": np.vstack([1e9 * A[:1], A[1:]]),
        "with sentinels": np.where(rng.random((n, d)) < 0.1, 1e29, A),
        "of all sizes": A * 10.0 ** rng.integers(-8, 9, (n, 1)),
        "repeated": A[rng.integers(0, max(1, n // 5), n)],
        "in tight clusters": 1e3 * rng.integers(0, 3, (n, 1)) + 1e-4 * A,
    }


@each("kind", kinds(2, 1, RNG))
@each(("n", "d"), [(5, 2), (300, 1), (300, 2), (1200, 4), (300, 8), (900, 30)])
def test_the_search_is_the_stable_sort_of_the_squared_distances(kind, n, d):
    # d = 1, 2, 4 take the tree, the others the product
    rng = np.random.default_rng(n + d)
    A, Q = points(kind, n, d, rng), points(kind, 40, d, rng)
    Q = np.vstack([Q, A[: min(n, 10)], (A[:1] + A[-1:]) / 2])
    for k in {1, 3, min(n, 14), n // 2, n}:
        agree(A, Q, k)


@pytest.mark.parametrize("size, d", list(product(["_PAIRS", "_CACHE", "_WIDTH"], [2, 9])))
def test_the_size_of_the_blocks_does_not_matter(monkeypatch, size, d):
    rng = np.random.default_rng(5)
    A, Q = points("on a grid", 700, d, rng), points("rounded", 90, d, rng)
    monkeypatch.setattr(search, size, 64)
    for k in (1, 4, 90):
        agree(A, Q, k)


@pytest.mark.parametrize("d", [1, 2, 12])
def test_equal_points_are_taken_in_their_order(d):
    agree(np.full((500, d), 0.1), np.full((3, d), 0.3), 7)
    assert KNNRegressor(2).fit(np.zeros((4, d)), [1.0, 2.0, 8.0, 9.0]).predict(np.ones((1, d))).tolist() == [1.5]


@each("exponent, d", product([-1000, -600, -120, 120, 600, 1000], [2, 10]))
def test_scales_that_no_square_survives(exponent, d):
    rng = np.random.default_rng(1)
    A, Q = rng.standard_normal((400, d)), np.vstack([rng.standard_normal((9, d)), np.zeros((1, d))])
    distances, indices = NeighborSearch(np.ldexp(A, exponent)).query(np.ldexp(Q, exponent), 5)
    expected, order = nearest(A, Q, 5)
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_allclose(np.ldexp(distances, -exponent), expected, rtol=1e-14)


def test_a_query_so_far_that_all_points_are_equally_near():
    distances, indices = NeighborSearch(X).query(np.array([[1e200, 0.0, 1e200], [0.1, 0.2, 0.3]]), 2)
    assert indices[0].tolist() == [0, 1] and distances[0].tolist() == pytest.approx([2**0.5 * 1e200] * 2)
    np.testing.assert_array_equal(indices[1:], nearest(X, np.array([[0.1, 0.2, 0.3]]), 2)[1])


def test_single_precision_alone_would_choose_wrongly():
    # two points whose squares differ by 1e-10 of their size
    A = np.zeros((300, 8))
    A[:, 0] = 1 + 1e-10 * np.arange(300)[::-1]
    agree(A, np.zeros((1, 8)), 3)


@pytest.mark.parametrize("distance", [1e3, 1e8, 1e15, 1e16, 1e17])
def test_from_afar_squares_that_round_to_the_same_number_are_ties(distance):
    rng = np.random.default_rng(4)
    A, Q = rng.standard_normal((300, 9)), distance * rng.standard_normal((20, 9))
    agree(A, Q, 5)
    agree(A[:, :2], Q[:, :2], 5)


@pytest.mark.parametrize("outlier", [1.0, 1e5, 1e9, 1e20])
def test_few_points_contend_however_far_others_are(outlier):
    rng = np.random.default_rng(6)
    A = rng.standard_normal((900, 20))
    A[0] *= outlier
    for X in (A, 1e6 + 1e-6 * A[1:]):
        assert NeighborSearch(X)._by_product(X[1:50], 5).shape[1] < 40


def test_equal_points_are_searched_for_once():
    rng = np.random.default_rng(7)
    A = rng.integers(0, 2, (3000, 3)).astype(float)
    assert len(NeighborSearch(A).X) == 8 and len(NeighborSearch(np.vstack([A, -0.0 * A[:1]])).X) == 8
    for k in (1, 7, 400, 3000):
        agree(A, np.vstack([A[:9], 0.5 + A[:3]]), k)


def test_few_points_contend_even_where_some_queries_are_far_off_themselves(monkeypatch):
    rng = np.random.default_rng(8)
    A = np.where(rng.random((3000, 20)) < 0.01, 1e9, rng.standard_normal((3000, 20)))
    model, in_double = NeighborSearch(A), []
    within = model._within_rounding
    counting = lambda Q, right, k: in_double.append(len(Q) * (right.dtype == float)) or within(Q, right, k)  # noqa: E731
    monkeypatch.setattr(model, "_within_rounding", counting)
    contenders = np.sum(model._by_product(A[:500], 5) < 3000, axis=1)
    near = np.abs(A[:500]).max(axis=1) < 10
    assert contenders[near].max() <= 64 and contenders.mean() < 0.1 * 3000
    assert sum(in_double) <= np.sum(~near)  # the others are done in single precision
    agree(A, A[:40], 5)


@pytest.mark.parametrize("told_apart", [True, False])
def test_equal_rows_are_found_whether_or_not_their_sums_tell_all_others_apart(told_apart, monkeypatch):
    rng = np.random.default_rng(9)
    A = rng.integers(0, 30, (2000, 2)) * 2.0**-3  # few digits, where sums of them would coincide most easily
    monkeypatch.setattr(search.np, "array_equal", lambda *arrays: told_apart)
    assert len(NeighborSearch(A).X) == len({tuple(row) for row in A.tolist()})
    agree(A, A[:30] + 0.0625, 9)


def test_a_tree_is_asked_where_points_differ_in_few_directions_only():
    A = np.random.default_rng(0).standard_normal((900, 10))
    assert NeighborSearch(A).tree is None and NeighborSearch(A * [1e4, *[1] * 9]).tree is not None
    agree(A * [1e4, *[1] * 9], A[:30] * [1e4, *[1] * 9] + 0.1, 5)


@each("y, k", product([Y1, Y2, Y1[:, None]], [1, 4, N]))
def test_the_prediction_is_the_mean_over_the_neighbours_and_linear_in_y(k, y):
    model = KNNRegressor(k)
    assert model.fit(X, y) is model
    _, order = nearest(X, XQ, k)
    expected = np.array([y[row].mean(axis=0) for row in order])
    np.testing.assert_allclose(model.predict(XQ), expected, rtol=1e-13, atol=1e-15)
    S = model.smoother_matrix(XQ)
    assert S.shape == (7, N) and set(np.unique(S)) <= {0.0, 1 / k}
    np.testing.assert_allclose(S.sum(axis=1), 1.0)
    np.testing.assert_allclose(S @ y, expected, rtol=1e-12, atol=1e-14)
    assert model.effective_df() == pytest.approx(N / k) and type(model.effective_df()) is float
    distances, indices = model.kneighbors(XQ)
    np.testing.assert_array_equal(indices, order)
    assert np.all(np.diff(distances, axis=1) >= 0)


def test_the_trace_counts_who_is_among_his_own_neighbours():
    # three copies: the first two are the neighbours of all three
    model = KNNRegressor(2).fit([[0.0], [0.0], [0.0], [5.0]], [1, 2, 3, 4])
    S = model.smoother_matrix(model.X_fit_)
    assert S.tolist() == [[0.5, 0.5, 0, 0]] * 3 + [[0.5, 0, 0, 0.5]]
    assert model.effective_df() == np.trace(S) == 1.5


@pytest.mark.parametrize("k", [1, 4, N])
def test_votes_are_fractions_and_the_first_of_equal_labels_wins(k):
    model = KNNClassifier(k).fit(X, LABELS)
    _, order = nearest(X, XQ, k)
    votes = np.array([[np.mean(LABELS[row] == c) for c in "abc"] for row in order])
    np.testing.assert_allclose(model.predict_proba(XQ), votes, rtol=1e-14)
    np.testing.assert_array_equal(model.predict(XQ), np.array(["a", "b", "c"])[np.argmax(votes, axis=1)])
    np.testing.assert_allclose(model.smoother_matrix(XQ) @ (LABELS[:, None] == ["a", "b", "c"]), votes, rtol=1e-13)
    assert model.effective_df() == pytest.approx(N / k)


def test_ties_go_to_the_first_label_and_the_smallest_index():
    model = KNNClassifier(2).fit([[0.0], [1.0], [9.0]], ["b", "a", "b"])
    assert model.predict([[0.1]]).tolist() == ["a"] and model.predict_proba([[0.1]]).tolist() == [[0.5, 0.5]]
    # 0.75 lies as far from 0.5 as from 1
    assert KNNRegressor(1).fit([[1.0], [0.5]], [10.0, 20.0]).predict([[0.75]]).tolist() == [10.0]
    assert KNNRegressor(1).fit([[0.5], [1.0]], [20.0, 10.0]).predict([[0.75]]).tolist() == [20.0]


def test_the_labels_are_those_of_fit_and_one_neighbour_repeats_them():
    for y in (np.arange(N) % 2 == 0, np.arange(N) % 4 - 7, LABELS):
        model = KNNClassifier(1).fit(X, y)
        np.testing.assert_array_equal(model.predict(X), y)
        assert model.predict(X).dtype == np.unique(y).dtype and model.score(X, y) == 1.0


def test_one_point_is_enough_for_a_regressor():
    model = KNNRegressor(1).fit([[1.0, 2.0]], [7.0])
    assert model.predict([[5.0, 5.0]]).tolist() == [7.0] and model.effective_df() == 1.0
    refused("leave-one-out needs at least 2 training points", model.loo_path)


def copies():
    """Points with up to six copies each, in mixed order."""
    rng = np.random.default_rng(3)
    A = np.repeat(rng.standard_normal((6, 2)), [1, 6, 2, 4, 1, 3], axis=0)[rng.permutation(17)]
    return A, rng.standard_normal((17, 2)), np.arange(17) % 3


@pytest.mark.parametrize("n_max", [None, 1, 5])
def test_the_path_is_what_refits_say(n_max):
    A, y, labels = copies()
    path, votes = KNNRegressor(1).fit(A, y).loo_path(n_max), KNNClassifier(1).fit(A, labels).loo_path(n_max)
    assert isinstance(path, SmoothingPath)
    m = n_max or 16
    assert path.values.tolist() == votes.values.tolist() == list(range(1, m + 1))
    assert path.predictions.shape == (m, 17, 2) and votes.predictions.shape == (m, 17)
    for k in path.values:
        for i in range(17):
            rest = np.arange(17) != i
            one = KNNRegressor(int(k)).fit(A[rest], y[rest]).predict(A[[i]])[0]
            np.testing.assert_allclose(path.predictions[k - 1, i], one, rtol=1e-12, atol=1e-14)
            assert votes.predictions[k - 1, i] == KNNClassifier(int(k)).fit(A[rest], labels[rest]).predict(A[[i]])[0]
    np.testing.assert_allclose(path.error, np.mean((y - path.predictions) ** 2, axis=(1, 2)))
    np.testing.assert_allclose(votes.error, np.mean(votes.predictions != labels, axis=1))
    same = knn_loo_path(A.tolist(), y.tolist(), n_max)
    np.testing.assert_array_equal(same.predictions, path.predictions)


def test_the_path_has_no_scale():
    A, y, _ = copies()
    for exponent in (-900, 900):
        path = knn_loo_path(np.ldexp(A, exponent), y, 4)
        np.testing.assert_array_equal(path.predictions, knn_loo_path(A, y, 4).predictions)


def test_residuals_of_the_fitted_k():
    model = KNNRegressor(4).fit(X, Y2)
    np.testing.assert_allclose(model.loo_residuals(), Y2 - model.loo_path().predictions[3], rtol=1e-13)
    refused("n_max = 23 is more than the 22 points", KNNRegressor(N).fit(X, Y1).loo_residuals)


def test_the_best_of_a_path_and_its_labels():
    path = knn_loo_path(X, np.zeros(N))
    assert path.best == N - 1 and type(path.best) is int
    path = SmoothingPath(values=np.array([3.0, 1.0, 2.0]), predictions=None, error=np.array([5.0, 4.0, 4.0]))
    assert path.best == 2.0 and type(path.best) is float
    path = KNNClassifier(2).fit(X, LABELS).loo_path(3)
    assert path.predictions.dtype.kind == "U" and set(path.predictions.ravel()) <= set("abc")


def test_a_k_that_cannot_be_is_refused():
    for cls in (KNNRegressor, KNNClassifier):
        refused("n_neighbors = 24 is more than .*n_samples = 23", cls(24).fit, X, np.arange(N) % 2)
    for path in (lambda n_max: knn_loo_path(X, Y1, n_max), KNNClassifier(1).fit(X, LABELS).loo_path):
        refused("n_max = 23 is more than the 22 points .*one of 23", path, N)
        refused("n_max must be at least 1", path, 0)
        refused("n_max must be an integer", path, 1.5, error=TypeError)


def test_by_distance_a_training_point_is_its_own_prediction_and_copies_share():
    model = KNNRegressor(3, weights="distance").fit([[0.0], [0.0], [1.0], [4.0]], [1.0, 3.0, 10.0, 5.0])
    assert model.predict([[0.0], [1.0]]).tolist() == [2.0, 10.0]
    assert model.predict([[3.0]]) == pytest.approx([(5 + 10 / 2 + 1 / 3) / (1 + 1 / 2 + 1 / 3)])
    assert model.effective_df() == 3.0  # two copies are half of their prediction each
    assert model.effective_df() == pytest.approx(np.trace(model.smoother_matrix(model.X_fit_)))


@pytest.mark.parametrize("unit", [1e-200, 1.0, 1e200])
def test_distances_of_any_size_are_ratios(unit):
    model = KNNClassifier(3, weights="distance").fit(unit * np.array([[0.0], [1.0], [4.0]]), ["a", "b", "b"])
    np.testing.assert_allclose(
        model.predict_proba(unit * np.array([[0.5], [3.0]])), [[7 / 15, 8 / 15], [2 / 11, 9 / 11]]
    )
    assert np.isfinite(model.predict_proba([[1.7e308]])).all()


@pytest.mark.parametrize("rule", [None, "nearest", abs, 1])
def test_other_rules_are_refused(rule):
    with pytest.raises(ValueError, match='weights must be "uniform" or "distance", got'):
        KNNRegressor(2, weights=rule).fit([[0.0], [1.0]], [1.0, 2.0])
    refused("weights must be", KNNClassifier(2, weights=rule).fit, [[0.0], [1.0]], [1, 2])
