"""Parzen windows: densities, draws, and Bayes' rule with them."""

from itertools import product

import numpy as np
import pytest

from kcourse.neighbors import ParzenClassifier, ParzenDensity, weights
from tests.unit.refused import refused

RNG = np.random.default_rng(0)
N, D = 17, 3
X, XQ = RNG.standard_normal((N, D)), RNG.standard_normal((5, D))
LABELS = np.array(["a", "b", "c"])[np.array([0, 1, 2, 1, 1, 0, 2, 1, 1, 1, 0, 2, 2, 1, 1, 1, 1])]
WIDTHS = [0.6, (0.4, 1.0, 2.5)]


def density(X, Q, sigma):
    """The formula, as a loop."""
    sigma = np.broadcast_to(sigma, X.shape[1])
    constant = np.prod(np.sqrt(2 * np.pi) * sigma)
    return np.array([np.mean(np.exp(-0.5 * np.sum(((x - X) / sigma) ** 2, axis=1))) / constant for x in Q])


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_widths_by_rule_have_the_unit_of_the_points(scale):
    factor = {"scott": N ** (-1 / (D + 4)), "silverman": (N * (D + 2) / 4) ** (-1 / (D + 4))}
    for rule, by in factor.items():
        model = ParzenDensity(rule).fit(scale * X)
        np.testing.assert_allclose(model.sigma_, scale * np.std(X, axis=0, ddof=1) * by, rtol=1e-12)
    assert ParzenDensity(0.3).fit(X).sigma_ == 0.3
    same = ParzenDensity(model.sigma_).fit(scale * X)
    np.testing.assert_array_equal(same.log_density(scale * XQ), model.log_density(scale * XQ))


def test_widths_that_no_rule_gives():
    refused(r"feature 0 of X does not .*\(n_samples = 1\)", ParzenDensity("silverman").fit, [[1.0, 2.0]])
    refused("feature 1 of X does not.*leave it out", ParzenDensity("scott").fit, [[1.0, 0.1], [2.0, 0.1], [3.0, 0.1]])
    refused("sigma must be a width.*got 'Silverman'", ParzenDensity("Silverman").fit, [[1.0], [2.0]])


@pytest.mark.parametrize("sigma", WIDTHS)
def test_the_density_is_its_formula(sigma):
    model = ParzenDensity(sigma)
    assert model.fit(X) is model
    p = density(X, XQ, sigma)
    np.testing.assert_allclose(model.density(XQ), p, rtol=1e-11)
    np.testing.assert_allclose(model.log_density(XQ), np.log(p), rtol=1e-11)
    assert model.score(XQ) == pytest.approx(np.log(p).sum(), rel=1e-11) and type(model.score(XQ)) is float
    np.testing.assert_array_equal(
        ParzenDensity(sigma).fit(X, "what y is does not matter").density(XQ), model.density(XQ)
    )


def test_blocks_do_not_matter(monkeypatch):
    density_, rule = ParzenDensity(0.6).fit(X), ParzenClassifier(0.6).fit(X, LABELS)
    whole = [density_.log_density(XQ), density_.loo_log_density(), rule.predict_log_proba(XQ)]
    monkeypatch.setattr(weights, "_BLOCK", 2 * N)
    for a, b in zip(
        whole, [density_.log_density(XQ), density_.loo_log_density(), rule.predict_log_proba(XQ)], strict=True
    ):
        np.testing.assert_allclose(b, a, rtol=1e-11)


def test_far_away_the_logarithm_is_finite_and_the_density_is_0():
    model = ParzenDensity(0.5).fit([[0.0, 0.0], [0.0, 2.0]])
    log_p = model.log_density([[300.0, 0.0], [300.0, 1.0]])
    # the nearer point alone, and both of them equally
    alone = -0.5 * 300**2 / 0.25 - np.log(2) - np.log(2 * np.pi * 0.25)
    both = -0.5 * (300**2 + 1) / 0.25 - np.log(2 * np.pi * 0.25)
    np.testing.assert_allclose(log_p, [alone + np.log1p(np.exp(-8.0)), both], rtol=1e-13)
    assert model.density([[300.0, 0.0]]).tolist() == [0.0]
    assert model.log_density([[1e200, 0.0]]).tolist() == [-np.inf]


def test_many_features_neither_over_nor_underflow():
    A = np.random.default_rng(2).standard_normal((20, 3000))
    log_p = ParzenDensity(0.01).fit(A).log_density(A)
    # each point is alone: the constant of one Gaussian, over n
    np.testing.assert_allclose(log_p, -1500 * np.log(2 * np.pi * 1e-4) - np.log(20), rtol=1e-12)


def test_one_point_and_copies():
    assert ParzenDensity(2.0).fit([[1.0]]).density([[1.0]])[0] == pytest.approx(1 / np.sqrt(8 * np.pi))
    refused("leave-one-out needs at least 2 training points", ParzenDensity(2.0).fit([[1.0]]).loo_log_density)
    refused("leave-one-out needs at least 2 training points", ParzenDensity(2.0).fit([[1.0]]).loo_path, [1.0])
    once, twice = ParzenDensity(0.7).fit(X), ParzenDensity(0.7).fit(np.vstack([X, X]))
    np.testing.assert_allclose(twice.log_density(XQ), once.log_density(XQ), rtol=1e-12)
    # if every point has a copy, a smaller width always looks better
    error = twice.loo_path([1e-3, 1e-6, 1e-9, 0.5]).error
    assert error[2] < error[1] < error[0] < error[3]


def test_draws_are_training_points_plus_noise_and_repeatable():
    model = ParzenDensity((1e-9, 0.5)).fit([[0.0, 0.0], [10.0, 0.0]])
    draws = model.sample(4000, rng=3)
    assert draws.shape == (4000, 2)
    np.testing.assert_array_equal(draws, model.sample(4000, np.random.default_rng(3)))
    near = np.round(draws[:, 0])
    assert set(near) == {0.0, 10.0} and abs(np.mean(near == 0) - 0.5) < 0.04
    assert np.std(draws[:, 0] - near) < 2e-9 and np.std(draws[:, 1]) == pytest.approx(0.5, rel=0.05)
    assert model.sample().shape == (1, 2)


def test_draws_that_cannot_be_are_refused():
    refused("n must be at least 1", ParzenDensity().fit(X).sample, 0, 0)
    refused("n must be an integer", ParzenDensity().fit(X).sample, 2.5, 0, error=TypeError)
    refused("rng must be an integer seed or a numpy Generator", ParzenDensity().fit(X).sample, 2, None, error=TypeError)
    refused("rng is the seed -1", ParzenDensity().fit(X).sample, 2, -1)


@pytest.mark.parametrize("sigma, priors", list(product(WIDTHS, [None, [0.2, 0.5, 0.3], (0.0, 0.25, 0.75)])))
def test_the_posterior_is_bayes_rule(sigma, priors):
    model = ParzenClassifier(sigma, priors=priors)
    assert model.fit(X, LABELS) is model
    pi = np.array([3, 10, 4]) / 17 if priors is None else np.array(priors)
    np.testing.assert_allclose(model.priors_, pi)
    joint = np.stack([pi[c] * density(X[LABELS == "abc"[c]], XQ, sigma) for c in range(3)], axis=1)
    p = joint / joint.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(XQ), p, rtol=1e-10)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(XQ)), p, rtol=1e-10)
    np.testing.assert_array_equal(model.predict(XQ), np.array(["a", "b", "c"])[np.argmax(p, axis=1)])


def test_far_away_the_nearest_point_decides_and_the_odds_stay_finite():
    model = ParzenClassifier(0.5).fit([[0.0, 0], [2, 0], [1, 3]], ["l", "r", "u"])
    assert model.predict([[-900.0, 0], [900, 0], [1e6, 0], [0, 1e6]]).tolist() == ["l", "r", "r", "u"]
    log_p = model.predict_log_proba([[-900.0, 0.0]])
    # l is nearest: ½(902² - 900²)/σ² behind is r, ½(901² + 9 - 900²)/σ² behind is u
    np.testing.assert_allclose(log_p, [[0.0, -2 * (902**2 - 900**2), -2 * (901**2 + 9 - 900**2)]], rtol=1e-9)
    # at 1e200 all points are equally near
    np.testing.assert_allclose(model.predict_proba([[1e200, 0.0]]), [[1 / 3] * 3])
    huge = ParzenClassifier(0.5).fit([[0.0], [1e200]], [0, 1])
    assert huge.predict([[2e200], [-1e200], [0.4e200]]).tolist() == [1, 0, 0]


def test_equal_posteriors_go_to_the_first_label():
    model = ParzenClassifier(0.5).fit([[1.0], [-1.0]], ["b", "a"])
    assert model.predict([[0.0]]).tolist() == ["a"] and model.predict_proba([[0.0]]).tolist() == [[0.5, 0.5]]


def test_priors_that_are_none_are_refused():
    refused(
        r"priors has shape \(2,\); expected \(3,\), one for each", ParzenClassifier(priors=[0.5, 0.5]).fit, X, LABELS
    )
    refused(r"priors has shape \(\)", ParzenClassifier(priors=0.5).fit, X, LABELS)
    refused(r"priors\[2\] must be at least 0, got -0.1", ParzenClassifier(priors=[0.5, 0.6, -0.1]).fit, X, LABELS)
    refused("priors must sum to 1, got 1.5", ParzenClassifier(priors=[0.5, 0.5, 0.5]).fit, X, LABELS)
    refused(r"priors\[0\] must be a number", ParzenClassifier(priors=["a", "b", "c"]).fit, X, LABELS, error=TypeError)
    refused(r"priors\[0\] must be finite", ParzenClassifier(priors=[np.nan, 0.5, 0.5]).fit, X, LABELS)


def test_widths_that_are_none_are_refused():
    for estimator in (ParzenDensity, ParzenClassifier):
        refused("sigma has 2 widths and the points have 3 feature", estimator((1.0, 2.0)).fit, X, LABELS)
        refused(r"sigma\[2\] must be positive", estimator((1.0, 2.0, -3.0)).fit, X, LABELS)
