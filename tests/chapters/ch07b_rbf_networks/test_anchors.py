"""What chapter 7b says beyond the anchors of `ch07a_rbf_interpolation`: laws as equations, comparisons as ranges."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kcourse.datasets import load_synth, make_double_moon
from kcourse.rbf import BayesRBFClassifier, RBFNetworkClassifier, kmeans, lms, lms_limit, spread

RNG = np.random.default_rng(7)
ROWS, WANTED = RNG.normal(size=(4, 3)), RNG.normal(size=4)


def test_the_mean_of_lms_over_all_draws_obeys_its_law():
    best = np.linalg.lstsq(ROWS, WANTED, rcond=None)[0]
    R = ROWS.T @ ROWS / 4
    for steps, eta in ((1, 0.4), (3, 0.2), (5, 0.1)):
        mean = np.mean([lms(ROWS, WANTED, eta=eta, order=o).weights for o in product(range(4), repeat=steps)], axis=0)
        law = best - np.linalg.matrix_power(np.eye(3) - eta * R, steps) @ best
        np.testing.assert_allclose(mean, law, rtol=0, atol=1e-13)


def test_the_mean_of_lms_diverges_beyond_the_limit_and_not_below():
    eigenvalues = np.linalg.eigvalsh(ROWS.T @ ROWS / 4)
    for factor, grows in ((0.99, False), (1.01, True)):
        assert (np.abs(1 - factor * lms_limit(ROWS) * eigenvalues).max() > 1) == grows


def test_lms_leaves_no_error_only_where_least_squares_leaves_none():
    left = {}
    for name, d in (("exact", ROWS @ np.ones(3)), ("noisy", WANTED)):
        w = lms(ROWS, d, eta=0.1, epochs=3000, rng=0).weights
        left[name] = np.abs(w - np.linalg.lstsq(ROWS, d, rcond=None)[0]).max()
    assert left["exact"] < 1e-9 and left["noisy"] > 1e-3


@pytest.mark.parametrize("length", [2.0, 5.0, 100.0])
def test_the_bad_end_of_k_means_is_as_many_times_the_best_as_you_like(length):
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [length, 0.0], [length, 1.0]])
    bad = kmeans(corners, 2, init=[[length / 2, 0], [length / 2, 1]])
    assert bad.converged and bad.inertia == pytest.approx(length**2 * kmeans(corners, 2, rng=0).inertia, rel=1e-12)


def test_the_rule_goes_with_the_spacing_in_the_plane_and_in_no_other_dimension():
    """Lattices of m = k^d centres: d_max is √d (k - 1) spacings, so σ is √d (k - 1)/√(2 k^d) of them."""
    ratios = {}
    for d, sides in ((1, (9, 81)), (2, (9, 27)), (3, (5, 9))):
        for k in sides:
            T = np.stack(np.meshgrid(*[np.arange(k, dtype=float)] * d), axis=-1).reshape(-1, d)
            assert spread(T) == pytest.approx(np.sqrt(d) * (k - 1) / np.sqrt(2 * k**d))
            ratios[d, k] = spread(T, rule="median") / spread(T)
    assert ratios[1, 81] < 0.4 * ratios[1, 9]
    assert ratios[2, 27] == pytest.approx(ratios[2, 9], rel=0.1)
    assert ratios[3, 9] > 1.2 * ratios[3, 5]


def test_six_bells_must_be_well_placed_and_twenty_need_not():
    X, y = make_double_moon(1000, distance=-5, rng=3, return_X_y=True)
    new, truth = make_double_moon(3000, distance=-5, rng=4, return_X_y=True)

    def wrong(way, m, seed):
        return 1 - RBFNetworkClassifier(m, centers=way, rng=seed).fit(X, y).score(new, truth)

    lots = {m: [wrong("random", m, seed) for seed in range(6)] for m in (6, 20)}
    assert max(lots[20]) < 0.01 < min(lots[6])
    assert wrong("supervised", 6, 0) < 0.005


def test_with_a_bias_least_squares_outputs_sum_to_1_and_leave_the_band():
    train, new = load_synth(), load_synth("test")
    squares = RBFNetworkClassifier(6).fit(train.X, train.y).outputs(new.X)
    np.testing.assert_allclose(squares.sum(axis=1), 1, atol=1e-9)
    assert 0.15 < np.mean((squares < 0).any(axis=1)) < 0.45
    bayes = BayesRBFClassifier(6).fit(train.X, train.y)
    assert 0.08 < 1 - bayes.score(new.X, new.y) < 0.11
    far = [[50.0, 50.0]]
    assert bayes.predict_proba(far).max() > 0.999 and bayes.log_density(far)[0] < bayes.log_density(train.X).min() - 100


def test_on_wine_nobody_beats_the_planes_by_much():
    X, y = load_wine(return_X_y=True)
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=5)
    models = {
        "planes": RidgeClassifier(),
        "three bells": RBFNetworkClassifier(3, sigma="median"),
        "lonely": RBFNetworkClassifier(24, centers="random"),
    }
    right = {
        name: cross_val_score(make_pipeline(StandardScaler(), m), X, y, cv=folds).mean() for name, m in models.items()
    }
    assert right["planes"] > 0.975 and right["three bells"] < right["planes"] + 0.01 and right["lonely"] < 0.93
