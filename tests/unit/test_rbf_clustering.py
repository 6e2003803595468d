"""kcourse.rbf: k-means in batches and on line."""

import numpy as np
import pytest

from kcourse.rbf import BayesRBFClassifier, KMeansResult, RBFNetwork, RBFNetworkClassifier, kmeans, online_kmeans
from kcourse.rbf.clustering import _partition, _refill
from tests.rows import each
from tests.unit.refused import refused

_rng = np.random.default_rng(0)
MEANS = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0], [7.0, 7.0]])
X = (MEANS[:, None] + _rng.standard_normal((4, 25, 2))).reshape(-1, 2)


def cost(X, centers, labels):
    return sum(np.sum((x - centers[k]) ** 2) for x, k in zip(X, labels, strict=True))


def textbook(X, centers, rounds=300):
    """Lloyd's iteration as it is written."""
    for _ in range(rounds):
        labels = np.array([np.argmin([np.sum((x - c) ** 2) for c in centers]) for x in X])
        new = np.array([X[labels == k].mean(axis=0) for k in range(len(centers))])
        if np.allclose(new, centers, rtol=0, atol=1e-14):
            return new, labels
        centers = new
    raise AssertionError


@pytest.mark.parametrize("init", ["k-means++", "random", MEANS + 0.5])
def test_it_finds_four_groups_that_are_there(init):
    result = kmeans(X, 4, init=init, rng=1)
    assert isinstance(result, KMeansResult) and result.converged
    assert len(np.unique(result.labels.reshape(4, 25), axis=1).ravel()) == 4
    order = np.argsort(result.centers @ [1.0, 3.0])
    np.testing.assert_allclose(result.centers[order], MEANS[np.argsort(MEANS @ [1.0, 3.0])], atol=0.6)


@pytest.mark.parametrize("k", [1, 2, 3, 7])
def test_it_does_what_the_textbook_does(k):
    start = X[:: len(X) // k][:k]
    centers, labels = textbook(X, start)
    result = kmeans(X, k, init=start)
    np.testing.assert_allclose(result.centers, centers, rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(result.labels, labels)
    assert result.inertia == pytest.approx(cost(X, centers, labels), rel=1e-12)
    assert result.n_iter == len(result.history) and result.history[-1] == result.inertia
    assert np.all(np.diff(result.history) <= 0)


def test_equally_near_is_the_first_and_counts_once():
    points = np.array([[0.0], [1.0], [2.0]])
    result = kmeans(points, 2, init=[[0.0], [2.0]])  # the middle is as near to both
    np.testing.assert_array_equal(result.labels, [0, 0, 1])
    np.testing.assert_array_equal(result.centers, [[0.5], [2.0]])
    sums, _ = _partition(np.column_stack([points, np.ones(3)]), np.array([[0.0], [2.0]]), None, np.empty((2, 128)))
    np.testing.assert_array_equal(sums, [[1.0, 2.0], [2.0, 1.0]])


def test_many_points_go_through_in_strips():
    rng = np.random.default_rng(2)
    points = rng.standard_normal((25_000, 3))
    sums, cost = _partition(np.column_stack([points, np.ones(len(points))]), points[:4], None, np.empty((4, 128)))
    squares = np.sum((points[:, None] - points[:4]) ** 2, axis=2)
    labels = squares.argmin(axis=1)
    np.testing.assert_array_equal(sums[:, -1], np.bincount(labels))
    np.testing.assert_allclose(sums[:, :-1], [points[labels == k].sum(axis=0) for k in range(4)], rtol=1e-9)
    assert cost + np.sum(points**2) == pytest.approx(squares.min(axis=1).sum(), rel=1e-12)


def test_a_centre_that_nobody_is_nearest_to_moves_to_the_farthest_point():
    points = np.array([[0.0], [1.0], [2.0], [10.0]])
    result = kmeans(points, 2, init=[[1.0], [500.0]])
    assert result.centers[:, 0].tolist() == [1.0, 10.0] and result.inertia == 2.0
    assert np.all(np.diff(result.history) <= 1e-12)
    three = kmeans(points, 3, init=[[1.0], [500.0], [600.0]])  # two of them, at two different points
    assert sorted(set(three.labels)) == [0, 1, 2] and three.inertia == pytest.approx(0.5)


def test_two_centres_without_points_move_to_two_points():
    points = np.array([[0.0], [1.0], [2.0], [10.0], [10.5]])
    moved = _refill(points, np.array([[1.0], [500.0], [600.0]]), np.array([5.0, 0.0, 0.0]))
    assert moved[:, 0].tolist() == [1.0, 10.5, 0.0]  # 10 is near 10.5 by then


@pytest.mark.parametrize("tol", [1e-3, 0.1])
def test_a_tolerance_ends_earlier_but_not_with_an_empty_group(tol):
    points = np.random.default_rng(3).uniform(size=(500, 2))
    early, late = (kmeans(points, 9, init=points[:9], tol=t) for t in (tol, 0.0))
    assert early.n_iter < late.n_iter and not early.converged and late.converged
    assert late.inertia < early.inertia < early.history[0]
    lost = np.vstack([points[:8], [[50.0, 50.0]]])
    assert len(set(kmeans(points, 9, init=lost, tol=1e9).labels)) == 9
    refused("tol must be at least 0", kmeans, points, 2, tol=-1.0)


def test_as_many_groups_as_points_and_no_more():
    result = kmeans(X[:9], 9, rng=0)
    assert result.inertia == pytest.approx(0, abs=1e-25) and len(set(result.labels)) == 9
    points = np.repeat(X[:3], 4, axis=0)
    assert kmeans(points, 3, rng=0).inertia < 1e-25
    for init in ("k-means++", "random", X[:4]):
        refused("only 3 distinct point", kmeans, points, 4, init=init)


@pytest.mark.parametrize(("scale", "shift"), [(1e-9, 0.0), (1e9, 0.0), (1.0, 1e7)])
def test_units_and_origin_do_not_matter(scale, shift):
    here, there = kmeans(X, 4, rng=0), kmeans(scale * X + shift, 4, rng=0)
    np.testing.assert_array_equal(here.labels, there.labels)
    np.testing.assert_allclose(there.centers, scale * here.centers + shift, rtol=1e-8)
    assert there.inertia == pytest.approx(scale**2 * here.inertia, rel=1e-6)


def test_more_starts_are_never_worse_and_a_seed_repeats():
    rng = np.random.default_rng(3)
    points = rng.uniform(size=(60, 2))
    costs = [kmeans(points, 8, n_init=n, rng=0).inertia for n in (1, 3, 30)]
    assert costs[0] >= costs[1] >= costs[2] and costs[0] > costs[2]
    np.testing.assert_array_equal(kmeans(points, 8, rng=5).centers, kmeans(points, 8, rng=5).centers)


def test_one_careful_start_is_as_good_as_scikit_learns_and_the_number_of_starts_is_as_there(monkeypatch):
    from sklearn.cluster import KMeans

    from kcourse.rbf import clustering

    rng = np.random.default_rng(0)
    points = 3 * rng.standard_normal((20, 10))[rng.integers(20, size=1500)] + rng.standard_normal((1500, 10))
    ours = [kmeans(points, 20, rng=seed).inertia for seed in range(9)]
    theirs = [KMeans(20, random_state=seed).fit(points).inertia_ for seed in range(9)]
    single = [kmeans(points, 20, init="k-means++", rng=seed).inertia for seed in range(9)]
    many = [kmeans(points, 20, init="k-means++", n_init=3, rng=seed).inertia for seed in range(3)]
    assert many == [kmeans(points, 20, n_init=3, rng=seed).inertia for seed in range(3)]
    assert np.median(ours) < 1.03 * np.median(theirs) and np.median(ours) < np.median(single)
    starts, lloyd = [], clustering._lloyd
    monkeypatch.setattr(clustering, "_lloyd", lambda *a: starts.append(1) or lloyd(*a))
    once = ({}, {"init": "k-means++"}, {"init": points[:8]})
    for options, count in (*((o, 1) for o in once), ({"init": "random"}, 10), ({"n_init": 3}, 3)):
        starts.clear()
        kmeans(points, 8, **options)
        assert len(starts) == count


def test_an_end_before_the_end_is_said():
    points = np.random.default_rng(3).uniform(size=(200, 2))
    result = kmeans(points, 9, max_iter=2, rng=0, n_init=1)
    assert not result.converged and result.n_iter == 2
    assert result.inertia == pytest.approx(cost(points, result.centers, result.labels))
    assert result.inertia <= result.history[-1]
    np.testing.assert_array_equal(result.labels, ((points[:, None] - result.centers) ** 2).sum(axis=2).argmin(axis=1))


def test_the_arguments_stay_as_they_are():
    points, start = X.copy(), X[:4].copy()
    start[0] = 900.0
    kept = start.copy()
    kmeans(points, 4, init=start)
    online_kmeans(points, start)
    np.testing.assert_array_equal(points, X)
    np.testing.assert_array_equal(start, kept)


def test_k_means_refuses_what_makes_no_sense():
    refused("k must be at least 1", kmeans, X, k=0)
    refused("k = 101 is more than n_samples = 100", kmeans, X, k=101)
    refused("k must be an integer", kmeans, X, error=TypeError, k=2.0)
    refused("n_init must be at least 1", kmeans, X, k=2, n_init=0)
    refused("max_iter must be at least 1", kmeans, X, k=2, max_iter=0)
    refused("rng must be an integer seed", kmeans, X, error=TypeError, k=2, rng=None)
    refused('init must be "greedy", "k-means..", "random" or', kmeans, X, k=2, init="best")
    refused("init has 2 rows and k = 3", kmeans, X, k=3, init=X[:2])
    refused("init has shape .2, 1.; expected 2 feature", kmeans, X, k=2, init=[[0.0], [1.0]])


def test_on_line_only_the_winner_moves_by_eta_of_the_way():
    result = online_kmeans([[1.0, 0.0]], [[0.0, 0.0], [5.0, 5.0]], eta=0.25, order=[0])
    np.testing.assert_array_equal(result.centers, [[0.25, 0.0], [5.0, 5.0]])
    assert (result.n_iter, result.converged, result.labels.tolist()) == (1, False, [0])
    assert result.inertia == pytest.approx(0.75**2) and result.history.tolist() == [result.inertia]


def test_the_order_may_be_a_part_or_passes_or_drawn():
    part = online_kmeans(X, MEANS, eta=0.1, order=[3, 3, 7])
    assert part.n_iter == 3
    np.testing.assert_array_equal(part.centers[1:], MEANS[1:])
    np.testing.assert_array_equal(
        online_kmeans(X, MEANS, eta=0.1, order=[1, 2], epochs=2).centers,
        online_kmeans(X, MEANS, eta=0.1, order=[1, 2, 1, 2]).centers,
    )
    drawn = [online_kmeans(X, 4, eta=0.1, rng=seed).centers for seed in (0, 0, 1)]
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])
    passes = online_kmeans(X, MEANS, epochs=3)
    assert passes.n_iter == 300 and len(passes.history) == 3 and passes.inertia < 1.2 * kmeans(X, 4).inertia


def test_on_line_refuses_what_makes_no_sense():
    refused(r"eta must lie in \(0, 1\], got 0", online_kmeans, X, centers=3, eta=0.0)
    refused(r"eta must lie in \(0, 1\], got 1.5", online_kmeans, X, centers=3, eta=1.5)
    refused("eta must be a number", online_kmeans, X, error=TypeError, centers=3, eta="fast")
    refused("order must be row numbers 0…99", online_kmeans, X, centers=3, order=[])
    refused("order must be row numbers 0…99", online_kmeans, X, centers=3, order=[100])
    refused("order must be row numbers", online_kmeans, X, centers=3, order=[-1])
    refused("order must be row numbers", online_kmeans, X, centers=3, order=[0.5])
    refused("epochs must be at least 1", online_kmeans, X, centers=3, epochs=0)
    refused("centers = 101 is more than n_samples = 100", online_kmeans, X, centers=101)
    refused("centers has shape .1, 1.", online_kmeans, X, centers=[[0.0]])


@each(("scale", "says"), [(1e160, "beyond ±1e150.*scale X down"), (1e-200, "varies by less.*up")])
@each(
    "learn",
    [lambda X, y: kmeans(X, 2), lambda X, y: BayesRBFClassifier(2).fit(X, y), lambda X, y: RBFNetwork(2).fit(X, y),
     lambda X, y: RBFNetworkClassifier(2).fit(X, y)],
)  # fmt: skip
def test_points_whose_squares_are_none_are_refused(learn, scale, says):
    X = np.random.default_rng(0).normal(size=(20, 2))
    refused(says, learn, scale * X, np.arange(20) % 2)


def test_a_posterior_of_points_out_of_reach_is_refused_and_not_nan():
    X = np.random.default_rng(0).normal(size=(20, 2))
    model = BayesRBFClassifier(2).fit(X, np.arange(20) % 2)
    with pytest.raises(ValueError, match="so far from all centres"), np.errstate(over="ignore"):
        model.predict_proba(1e200 * X)


@pytest.mark.parametrize("init", ["k-means++", "random"])
def test_weights_that_are_all_alike_draw_the_same_starts(init):
    points = np.random.default_rng(4).random((40, 2))
    for seed in range(5):
        plain = kmeans(points, 6, init=init, n_init=1, rng=seed)
        for weight in (1.0, 0.3):
            weighted = kmeans(points, 6, init=init, n_init=1, rng=seed, sample_weight=np.full(40, weight))
            np.testing.assert_array_equal(weighted.labels, plain.labels)
