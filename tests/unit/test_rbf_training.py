"""kcourse.rbf: spreads, LMS and the gradients of a supervised network; the double moon."""

import warnings
from itertools import product

import numpy as np
import pytest

from kcourse.datasets import make_double_moon
from kcourse.rbf import lms, lms_limit, spread, supervised_gradients
from tests.unit.refused import refused

_rng = np.random.default_rng(0)
PHI, D1, D2 = _rng.standard_normal((30, 4)), _rng.standard_normal(30), _rng.standard_normal((30, 2))


def test_the_rules_on_a_line():
    T = [[0.0], [1.0], [4.0], [10.0]]
    assert spread(T) == pytest.approx(10 / np.sqrt(8))
    assert spread(T, rule="median") == 2.0  # nearest: 1, 1, 3, 6
    np.testing.assert_allclose(spread(T, rule="neighbors"), [2.5, 2.0, 3.5, 7.5])
    np.testing.assert_allclose(spread(T, rule="neighbors", neighbors=1), [1, 1, 3, 6])
    np.testing.assert_allclose(spread(T, rule="neighbors", neighbors=99), [5, 13 / 3, 13 / 3, 25 / 3])
    assert type(spread(T)) is type(spread(T, rule="median")) is float


def test_d_max_is_no_side_of_the_box():
    assert spread([[0.0, 0.0], [3.0, 4.0]]) == pytest.approx(5 / 2)


def test_spreads_that_do_not_exist():
    refused("one centre has no distance to another: give the width as a number", spread, [[1.0]])
    refused('centres coincide, so the rule "dmax" gives a width of 0', spread, [[1.0], [1.0]])
    refused("centres coincide", spread, [[1.0], [1.0], [2.0], [2.0]], rule="median")
    refused("centres coincide", spread, [[1.0], [1.0], [2.0]], rule="neighbors", neighbors=1)
    refused("rule must be", spread, [[1.0], [2.0]], rule="mean")
    refused("neighbors must be at least 1", spread, [[1.0], [2.0]], rule="neighbors", neighbors=0)
    refused(r"T has shape \(2,\)", spread, [1.0, 2.0])


@pytest.mark.parametrize("d", [D1, D2, D2[:, :1]], ids=["one target", "two targets", "one column"])
def test_lms_takes_the_steps_of_its_table(d):
    order = [3, 0, 3, 29, 7]
    w = np.zeros((4, *d.shape[1:]))
    errors = []
    for i in order:
        e = d[i] - PHI[i] @ w
        errors.append(e)
        w = w + 0.05 * np.multiply.outer(PHI[i], e)
    result = lms(PHI, d, eta=0.05, order=order)
    np.testing.assert_allclose(result.weights, w, rtol=1e-13)
    np.testing.assert_allclose(result.errors, errors, rtol=1e-12)
    twice = lms(PHI, d, eta=0.05, order=order, epochs=2)
    np.testing.assert_array_equal(twice.weights, lms(PHI, d, eta=0.05, order=order * 2).weights)


def test_the_limit_is_2_over_the_largest_eigenvalue():
    assert lms_limit(PHI) == pytest.approx(2 / np.linalg.eigvalsh(PHI.T @ PHI / 30).max(), rel=1e-12)
    assert lms_limit(np.zeros((2, 3))) == np.inf
    limit = lms_limit(PHI)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lms(PHI, D1, eta=0.999 * limit, order=[0])
    with pytest.warns(RuntimeWarning, match="is not below 2/λ_max = .*LMS diverges"):
        lms(PHI, D1, eta=limit, order=[0])
    with pytest.warns(RuntimeWarning), pytest.raises(ValueError, match="diverged: .* at step [0-9]+; take a smaller"):
        lms(PHI, D1, eta=3 * limit, epochs=400)


def test_the_limit_is_where_the_mean_diverges():
    # the mean of w follows w ← w + η (p - R w), whose matrix is I - ηR
    R = PHI.T @ PHI / 30
    for factor, grows in ((0.99, False), (1.01, True)):
        assert (np.abs(np.linalg.eigvals(np.eye(4) - factor * lms_limit(PHI) * R)).max() > 1) == grows


def test_without_eta_no_step_overshoots_and_what_can_be_solved_is():
    truth = np.array([1.0, -2.0, 0.5, 3.0])
    result = lms(PHI, PHI @ truth, epochs=60)
    np.testing.assert_allclose(result.weights, truth, rtol=1e-6)
    distance = [np.linalg.norm(lms(PHI, PHI @ truth, order=range(k)).weights - truth) for k in range(1, 30)]
    assert np.all(np.diff(distance) <= 1e-12)
    assert lms(np.zeros((2, 2)), [1.0, 2.0]).weights.tolist() == [0, 0]


def test_decreasing_steps_come_to_rest_at_least_squares_and_constant_ones_do_not():
    best = np.linalg.lstsq(PHI, D1, rcond=None)[0]
    steps = np.arange(30 * 400)
    rest = lms(PHI, D1, eta=1 / (10 + 0.5 * steps), epochs=400).weights
    jumping = lms(PHI, D1, eta=0.1, epochs=400).weights
    assert np.linalg.norm(rest - best) < 0.02 < 0.05 < np.linalg.norm(jumping - best)


def test_orders_are_drawn_from_the_seed():
    one, same, other = (lms(PHI, D1, rng=seed).weights for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)


def test_lms_refuses_what_makes_no_sense():
    refused("eta must be positive", lms, PHI, d=D1, eta=0.0)
    refused("eta must be a number", lms, PHI, error=TypeError, d=D1, eta="big")
    refused(r"eta has shape \(2,\); expected a number, or 30 positive", lms, PHI, d=D1, eta=[0.1, 0.1])
    refused("or 2 positive .*one for each step", lms, PHI, d=D1, eta=[0.1, -0.1], order=[0, 1])
    refused("order must be row numbers 0…29", lms, PHI, d=D1, order=[30])
    refused("epochs must be at least 1", lms, PHI, d=D1, epochs=0)
    refused("rng must be", lms, PHI, error=TypeError, d=D1, rng=None)
    refused("d has 3 entries and X has 30 rows", lms, PHI, d=D1[:3])


def numerical(f, at):
    at = np.asarray(at, dtype=float)
    gradient = np.zeros_like(at)
    for i in np.ndindex(at.shape):
        h = np.zeros_like(at)
        h[i] = 1e-6
        gradient[i] = (f(at + h) - f(at - h)) / 2e-6
    return gradient


@pytest.mark.parametrize("round_units, outputs", list(product([True, False], [(), (2,)])))
def test_gradients_are_what_small_changes_say(round_units, outputs):
    rng = np.random.default_rng(4)
    X, T = rng.standard_normal((9, 3)), rng.standard_normal((4, 3))
    d, w, b = rng.standard_normal((9, *outputs)), rng.standard_normal((4, *outputs)), rng.standard_normal(outputs)
    P = rng.uniform(0.5, 2, 4)
    if not round_units:
        L = rng.standard_normal((4, 3, 3))
        P = L @ L.transpose(0, 2, 1) + np.eye(3)

    def error(w, T, P, b):
        total = 0.0
        for j in range(9):
            y = b
            for i in range(4):
                D = X[j] - T[i]
                y = y + w[i] * np.exp(-(D @ D * P[i] if round_units else D @ P[i] @ D) / 2)
            total += 0.5 * np.sum((d[j] - y) ** 2)
        return total

    g = supervised_gradients(X, d, w, T, P, bias=b)
    assert g.error == pytest.approx(error(w, T, P, b), rel=1e-13)
    for said, at, f in (
        (g.weights, w, lambda v: error(v, T, P, b)),
        (g.centers, T, lambda v: error(w, v, P, b)),
        (g.precisions, P, lambda v: error(w, T, v, b)),
        (g.bias, b, lambda v: error(w, T, P, v)),
    ):
        assert np.shape(said) == np.shape(at)
        np.testing.assert_allclose(said, numerical(f, at), rtol=1e-6, atol=1e-7)


def test_round_units_are_full_ones_with_a_multiple_of_the_identity():
    rng = np.random.default_rng(5)
    X, T, d, w, p = (
        rng.standard_normal((9, 2)),
        rng.standard_normal((3, 2)),
        np.ones(9),
        np.ones(3),
        np.array([1, 2, 3.0]),
    )
    one, full = (supervised_gradients(X, d, w, T, P) for P in (p, p[:, None, None] * np.eye(2)))
    np.testing.assert_allclose(full.centers, one.centers, rtol=1e-12)
    np.testing.assert_allclose(np.trace(full.precisions, axis1=1, axis2=2), one.precisions, rtol=1e-12)


def test_steps_along_minus_the_gradients_descend():
    rng = np.random.default_rng(6)
    X = rng.uniform(-2, 2, (40, 1))
    d = np.sin(2 * X[:, 0])
    w, T, p = np.full(4, 0.1), np.array([[-1.5], [-0.5], [0.5], [1.5]]), np.ones(4)
    errors = []
    for _ in range(60):
        g = supervised_gradients(X, d, w, T, p)
        errors.append(g.error)
        w, T, p = w - 0.02 * g.weights, T - 0.02 * g.centers, p - 0.02 * g.precisions
    assert np.all(np.diff(errors) < 0) and errors[-1] < 0.2 * errors[0]


def test_gradients_refuse_shapes_that_do_not_fit():
    right = {"X": [[0.0, 0.0]], "d": [1.0], "w": [1.0], "T": [[0.0, 0.0]], "precisions": [1.0]}
    refused("must .* columns", supervised_gradients, **right | {"T": [[0.0]]})
    refused("must .* columns", supervised_gradients, **right | {"w": [[1.0]]})
    refused("w has 2 entries", supervised_gradients, **right | {"w": [1.0, 2.0]})
    refused(r"precisions has shape \(\); expected \(1,\)", supervised_gradients, **right | {"precisions": 1.0})


@pytest.mark.parametrize(("r", "w", "d"), [(10.0, 6.0, -5.0), (4.0, 1.0, 2.0)])
def test_each_moon_is_a_half_ring(r, w, d):
    data = make_double_moon(2001, radius=r, width=w, distance=d, rng=0)
    upper, lower = data.X[data.y == 1], data.X[data.y == -1] - [r, -d]
    assert (len(upper), len(lower)) == (1001, 1000)
    assert upper[:, 1].min() >= 0 >= lower[:, 1].max()
    for half in (upper, lower):
        length = np.linalg.norm(half, axis=1)
        assert r - w / 2 <= length.min() < r - 0.49 * w and r + 0.49 * w < length.max() <= r + w / 2
        # uniform over the area: half of it lies inside √((a² + b²)/2)
        middle = np.sqrt(((r - w / 2) ** 2 + (r + w / 2) ** 2) / 2)
        assert np.mean(length < middle) == pytest.approx(0.5, abs=0.05)


def test_they_touch_where_it_is_said():
    touch = np.sqrt(10 * 4)

    def inside(d):
        X = make_double_moon(200_000, distance=d, rng=0).X[100_000:]
        return np.sum((X[:, 1] > 0) & (np.abs(np.linalg.norm(X, axis=1) - 10) < 3))

    assert inside(-touch + 0.01) == 0 < inside(-touch - 0.1)
    assert round(touch, 2) == 6.32


def test_a_seed_gives_the_same_moon():
    one, same = make_double_moon(50, rng=3), make_double_moon(50, rng=3)
    np.testing.assert_array_equal(one.X, same.X)
    X, y = make_double_moon(50, rng=3, return_X_y=True)
    np.testing.assert_array_equal(X, one.X)
    np.testing.assert_array_equal(y, one.y)


def test_moons_that_cannot_be_drawn():
    refused("n must be at least 2", make_double_moon, rng=0, n=1)
    refused("radius must be positive", make_double_moon, rng=0, radius=0)
    refused("width must be positive", make_double_moon, rng=0, width=-1)
    refused("width is 21, more than twice the radius 10", make_double_moon, rng=0, width=21)
    refused("distance must be finite", make_double_moon, rng=0, distance=np.nan)
    refused("rng must be an integer seed", make_double_moon, error=TypeError, rng=None)
