"""What chapter 7b says beyond the anchors of `ch07a_rbf_interpolation`: laws as equations, comparisons as ranges."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from kcourse.datasets import load_synth
from kcourse.rbf import BayesRBFClassifier, RBFNetworkClassifier, lms, lms_limit, spread

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


def test_with_a_bias_least_squares_outputs_sum_to_1_and_leave_the_band():
    train, new = load_synth(), load_synth("test")
    squares = RBFNetworkClassifier(6).fit(train.X, train.y).outputs(new.X)
    np.testing.assert_allclose(squares.sum(axis=1), 1, atol=1e-9)
    assert 0.15 < np.mean((squares < 0).any(axis=1)) < 0.45
    bayes = BayesRBFClassifier(6).fit(train.X, train.y)
    assert 0.08 < 1 - bayes.score(new.X, new.y) < 0.11
    far = [[50.0, 50.0]]
    assert bayes.predict_proba(far).max() > 0.999 and bayes.log_density(far)[0] < bayes.log_density(train.X).min() - 100
