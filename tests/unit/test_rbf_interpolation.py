"""kcourse.rbf: interpolation, the regularisation network and the generalised network; separability."""

import re
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from kcourse.kernels import Constant, Gaussian, InverseMultiquadric, Multiquadric, Sigmoid, ThinPlate
from kcourse.rbf import (
    GeneralizedRBF,
    RBFInterpolator,
    RegularizationNetwork,
    cover_count,
    cover_probability,
    monomials,
    separating_weights,
)
from tests.rows import each
from tests.unit.refused import refused

N, D, T = 14, 2, 3
_rng = np.random.default_rng(0)
X, XQ = _rng.standard_normal((N, D)), _rng.standard_normal((5, D))
Y1, Y2 = _rng.standard_normal(N), _rng.standard_normal((N, T))
BASES = [Gaussian(0.7), InverseMultiquadric(0.8), Multiquadric(0.6), ThinPlate(2.0), 3 * ThinPlate(1.0)]
HEXAGON = np.vstack([np.zeros(2), [[np.cos(a), np.sin(a)] for a in np.arange(6) * np.pi / 3]])


@each("y, degree, kernel", product([Y1, Y2, Y1[:, None]], [None, 0, 1, 2], BASES))
def test_it_solves_its_equations_and_passes_through_every_point(kernel, degree, y):
    model = RBFInterpolator(kernel, degree=degree)
    assert model.fit(X, y) is model
    used = (1 if "ThinPlate" in repr(kernel) else -1) if degree is None else degree
    q = comb(D + used, D) if used >= 0 else 0
    assert model.dual_coef_.shape == y.shape and model.poly_coef_.shape == (q, *y.shape[1:])
    np.testing.assert_allclose(model.predict(X), y, rtol=0, atol=1e-10)
    P = monomials(X, used) if used >= 0 else np.zeros((N, 0))
    np.testing.assert_allclose(P.T @ model.dual_coef_, np.zeros((q, *y.shape[1:])), atol=1e-9)
    if degree is None or degree < 2:  # the system written out, with plain monomials
        A = np.block([[kernel(X), P], [P.T, np.zeros((q, q))]])
        wb = np.linalg.solve(A, np.concatenate([y, np.zeros((q, *y.shape[1:]))]))
        np.testing.assert_allclose(model.dual_coef_, wb[:N], rtol=1e-6, atol=1e-8)
        PQ = monomials(XQ, used) if used >= 0 else np.zeros((5, 0))
        np.testing.assert_allclose(model.predict(XQ), kernel(XQ, X) @ wb[:N] + PQ @ wb[N:], rtol=1e-7, atol=1e-8)


def test_degree_minus_1_means_no_polynomial():
    model = RBFInterpolator(ThinPlate(1.0), degree=-1).fit(X, Y1)
    np.testing.assert_allclose(model.dual_coef_, np.linalg.solve(ThinPlate(1.0)(X), Y1), rtol=1e-8)
    assert model.poly_coef_.shape == (0,) and model.scale_ is None


@pytest.mark.parametrize("kernel", BASES[:3], ids=repr)
def test_the_condition_number_is_that_of_the_matrix(kernel):
    model = RBFInterpolator(kernel).fit(X, Y1)
    assert 0.999 <= model.rcond_ * np.linalg.cond(kernel(X), 1) < 3  # LAPACK's estimate is from this side


def test_one_point_is_enough_where_there_is_no_polynomial():
    model = RBFInterpolator(Multiquadric(2.0)).fit([[1.0, 1.0]], [7.0])
    assert model.dual_coef_.tolist() == [3.5] and model.predict([[1.0, 1.0]]).tolist() == [7.0]
    flat = RBFInterpolator(Multiquadric(2.0), degree=0).fit([[1.0, 1.0]], [7.0])
    assert flat.dual_coef_.tolist() == [0.0] and flat.predict(XQ) == pytest.approx([7.0] * 5)


@each("unit, make", product([1e-9, 1e-3, 1e6, 1e12], [ThinPlate, Multiquadric, Gaussian, InverseMultiquadric]))
def test_the_unit_of_the_points_does_not_matter(make, unit):
    for degree in (None, 1):
        said = RBFInterpolator(make(0.7), degree=degree).fit(X, Y1)
        other = RBFInterpolator(make(0.7 * unit), degree=degree).fit(unit * X + 5 * unit, Y1)
        np.testing.assert_allclose(other.predict(unit * XQ + 5 * unit), said.predict(XQ), rtol=1e-8, atol=1e-8)
        if make is not Multiquadric or degree == 1:
            assert other.rcond_ == pytest.approx(said.rcond_, rel=0.5)


def test_lost_digits_of_the_values_are_told_with_a_lam_that_suffices():
    x, y = np.linspace(0, 1, 6)[:, None], (-1.0) ** np.arange(6)
    with pytest.warns(UserWarning, match="take lam of at least") as told:
        RBFInterpolator(Gaussian(2.2)).fit(x, y)
    lam = float(re.search(r"at least (\S+)\.$", str(told[0].message))[1])
    RBFInterpolator(Gaussian(2.2), lam=lam).fit(x, y)  # a warning is an error in tests
    RBFInterpolator(Gaussian(2.2)).fit(x, np.sin(x[:, 0]))


def test_constant_features_and_more_features_than_points():
    points = np.column_stack([X, np.full(N, 3.0)])
    np.testing.assert_allclose(RBFInterpolator(Gaussian(0.7)).fit(points, Y1).predict(points), Y1, atol=1e-10)
    RBFInterpolator(Multiquadric(0.7), degree=0).fit(points, Y1)
    with pytest.raises(ValueError, match="4 coefficients.* 14 point.* determine 3 of them"):
        RBFInterpolator(ThinPlate(1.0)).fit(points, Y1)
    wide = np.random.default_rng(1).standard_normal((6, 40))
    np.testing.assert_allclose(RBFInterpolator(Gaussian(3.0)).fit(wide, Y1[:6]).predict(wide), Y1[:6], atol=1e-10)


def test_strings_have_no_polynomials():
    class Same(Constant):
        structured = True

    with pytest.raises(ValueError, match="no polynomials of strings or graphs: take degree=-1"):
        RBFInterpolator(Same(1.0), degree=0).fit([["a"]], [1.0])


def test_what_cannot_be_interpolated_is_refused_with_the_fix():
    refused(r"X\[1\] and X\[3\] are the same point", RBFInterpolator(Gaussian(0.3)).fit, X[[0, 1, 2, 1]], Y1[:4])
    refused("3 coefficients.* 2 point", RBFInterpolator(ThinPlate()).fit, X[:2], Y1[:2])
    refused("determine 2 of them .points on a line", RBFInterpolator(ThinPlate()).fit, X[:, :1] * [1, 2], Y1)
    refused("wide a basis. .* RegularizationNetwork", RBFInterpolator(Gaussian(100.0)).fit, X, Y1)
    refused("negative definite of order 1: take degree=0", RBFInterpolator(Multiquadric(1e6)).fit, X, Y1)
    refused("order 2: take degree=1", RBFInterpolator(ThinPlate(), degree=-1).fit, HEXAGON, Y1[:7])
    refused("positive definite, such as Gaussian", RBFInterpolator(lambda A, B: A @ B.T).fit, X, Y1)
    refused("basis that is known to be definite", RBFInterpolator(Sigmoid(), lam=1.0).fit, X, Y1)
    refused("Take degree=1, or lam=0", RBFInterpolator(ThinPlate(), degree=0, lam=1.0).fit, X, Y1)
    refused("Take degree=0, or lam=0", RBFInterpolator(Multiquadric(), degree=-1, lam=1.0).fit, X, Y1)


@each("y, kernel", product([Y1, Y2], BASES))
def test_a_penalty_makes_it_the_least_of_its_criterion(kernel, y):
    model, sign = RBFInterpolator(kernel, lam=0.3).fit(X, y), kernel.definiteness_sign
    Phi = kernel(X)
    tail = model.predict(X) - Phi @ model.dual_coef_

    def cost(w, p):
        bent = np.sum(w * (Phi @ w))
        assert sign * bent >= -1e-9
        return np.sum((y - Phi @ w - p) ** 2) + 0.3 * sign * bent

    least = cost(model.dual_coef_, tail)
    P = monomials(X, model._degree) if model._degree >= 0 else np.zeros((N, 0))
    null = np.eye(N) - P @ np.linalg.pinv(P)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        w = model.dual_coef_ + 0.01 * null @ rng.standard_normal(y.shape)
        p = tail + 0.01 * P @ rng.standard_normal((P.shape[1], *y.shape[1:]))
        assert cost(w, p) > least


def test_a_large_penalty_leaves_the_polynomial_and_a_small_one_the_interpolant():
    flat = RBFInterpolator(ThinPlate(1.0), lam=1e9).fit(X, Y1).predict(XQ)
    A = monomials(X, 1)
    np.testing.assert_allclose(flat, monomials(XQ, 1) @ np.linalg.lstsq(A, Y1, rcond=None)[0], atol=1e-6)
    near = RBFInterpolator(ThinPlate(1.0), lam=1e-10).fit(X, Y1).predict(XQ)
    np.testing.assert_allclose(near, RBFInterpolator(ThinPlate(1.0)).fit(X, Y1).predict(XQ), atol=1e-6)


def test_with_a_penalty_points_may_repeat_and_positive_bases_give_the_regularisation_network():
    again, y = np.vstack([X, X[:3]]), np.r_[Y1, Y1[:3] + 1]
    model = RBFInterpolator(Gaussian(0.7), lam=0.2).fit(again, y)
    network = RegularizationNetwork(Gaussian(0.7), lam=0.2).fit(again, y)
    np.testing.assert_allclose(model.predict(XQ), network.predict(XQ), rtol=1e-9)
    RBFInterpolator(ThinPlate(1.0), lam=0.2).fit(again, y)
    plain = RBFInterpolator(lambda A, B: Gaussian(0.7)(A, B), lam=0.2).fit(again, y)  # a function is taken as positive
    np.testing.assert_allclose(plain.predict(XQ), network.predict(XQ), rtol=1e-9)


@each("y, kernel, lam", product([Y1, Y2, Y1[:, None]], BASES[:2], [1e-3, 0.5, 20.0]))
def test_the_networks_solve_their_equations(kernel, lam, y):
    model = RegularizationNetwork(kernel, lam=lam).fit(X, y)
    np.testing.assert_allclose((kernel(X) + lam * np.eye(N)) @ model.dual_coef_, y, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(model.predict(XQ), kernel(XQ, X) @ model.dual_coef_, rtol=1e-12)
    centers = X[:5] + 0.1
    model = GeneralizedRBF(kernel, centers=centers, lam=lam).fit(X, y)
    G, G0 = kernel(X, centers), kernel(centers)
    np.testing.assert_allclose((G.T @ G + lam * G0) @ model.dual_coef_, G.T @ y, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(model.predict(XQ), kernel(XQ, centers) @ model.dual_coef_, rtol=1e-12)
    assert model.dual_coef_.shape == (5, *y.shape[1:])


def test_a_penalty_tames_centres_that_nearly_coincide():
    # the normal equations would have a condition number near 1e20; by the representer theorem more centres than the
    # points themselves change nothing
    best = RegularizationNetwork(Gaussian(1.0), lam=0.3).fit(X, Y1).predict(XQ)
    for gap in (0.0, 1e-12, 1e-7, 1e-3, 0.5):
        model = GeneralizedRBF(Gaussian(1.0), centers=np.vstack([X, X + gap, XQ]), lam=0.3).fit(X, Y1)
        np.testing.assert_allclose(model.predict(XQ), best, rtol=0, atol=1e-7)


def test_centres_that_are_given_twice_change_nothing():
    # what QR leaves of the second one is rounding, which by chance may be above eps: so many points
    for seed in range(40):
        A = np.random.default_rng(seed).standard_normal(X.shape)
        few = GeneralizedRBF(Gaussian(1.0), centers=A[:4], lam=0.3).fit(A, Y1).predict(XQ)
        twice = GeneralizedRBF(Gaussian(1.0), centers=np.vstack([A[:4], A[:4]]), lam=0.3).fit(A, Y1)
        np.testing.assert_allclose(twice.predict(XQ), few, rtol=1e-9, atol=1e-9)


def test_without_penalty_any_basis_will_do_and_the_shortest_weights_are_taken():
    for kernel in BASES:
        G = kernel(X, X[:6])
        w = GeneralizedRBF(kernel, centers=X[:6], lam=0).fit(X, Y1).dual_coef_
        np.testing.assert_allclose(w, np.linalg.lstsq(G, Y1, rcond=None)[0], rtol=1e-8)
    doubled = GeneralizedRBF(Gaussian(0.7), centers=X[[0, 1, 0, 1]], lam=0).fit(X, Y1).dual_coef_
    np.testing.assert_allclose(doubled, np.linalg.pinv(Gaussian(0.7)(X, X[[0, 1, 0, 1]])) @ Y1, rtol=1e-8)


def test_centres_are_drawn_from_distinct_points():
    doubled = np.vstack([X[:4], X[:4]])
    model = GeneralizedRBF(Gaussian(0.7), centers=4, lam=0.1, rng=3).fit(doubled, Y1[:8])
    np.testing.assert_array_equal(model.centers_, X[:4])
    with pytest.warns(UserWarning, match="centers = 5, but X has only 4 distinct points"):
        fewer = GeneralizedRBF(Gaussian(0.7), centers=5, lam=0.1).fit(doubled, Y1[:8])
    np.testing.assert_array_equal(fewer.centers_, X[:4])
    drawn = [GeneralizedRBF(Gaussian(0.7), centers=4, rng=seed).fit(X, Y1).centers_ for seed in (0, 0, 1)]
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])


def test_networks_refuse_what_they_cannot_do():
    refused("lam must be positive, got 0; .* take RBFInterpolator", RegularizationNetwork(Gaussian(), lam=0).fit, X, Y1)
    refused("negative.* penalty.*RBFInterpolator", RegularizationNetwork(Multiquadric()).fit, X, Y1)
    refused("positive definite of order 2: wᵀKw may be negative", RegularizationNetwork(ThinPlate()).fit, X, Y1)
    refused("is indefinite: ", RegularizationNetwork(Sigmoid()).fit, X, Y1)
    refused("not positive definite: the smallest", RegularizationNetwork(lambda A, B: -A @ B.T, lam=1e-3).fit, X, Y1)
    refused(r"penalty.*GeneralizedRBF\(kernel, lam=0\)", GeneralizedRBF(Multiquadric()).fit, X, Y1)
    refused("their Gram matrix has the eigenvalue -", GeneralizedRBF(lambda A, B: -A @ B.T).fit, X, Y1)
    refused("centers = 99 is more than n_samples = 14", GeneralizedRBF(Gaussian(), centers=99).fit, X, Y1)
    refused("centers has shape .1, 1.; expected 2 feature", GeneralizedRBF(Gaussian(), centers=[[0.0]]).fit, X, Y1)


def test_cover_counts_what_there_is():
    for n, d in product(range(1, 7), range(1, 5)):
        points = np.random.default_rng(10 * n + d).standard_normal((n, d))
        if n <= 5:
            labellings = product([-1, 1], repeat=n)
            assert sum(separating_weights(points, y, bias=False) is not None for y in labellings) == cover_count(n, d)
        assert cover_probability(n, d) == float(Fraction(cover_count(n, d), 2**n))
    assert cover_count(400, 200) == 2**399 and type(cover_count(400, 200)) is int
    assert cover_count(20_000, 10_000) == 2**19_999  # a sum of binomials, each from nothing, took minutes
    for n, d in ((3000, 1400), (2500, 600), (3000, 3000)):
        assert cover_probability(n, d) == pytest.approx(float(Fraction(cover_count(n, d), 2**n)), rel=1e-12)
    assert cover_probability(10**6, 500_000) == pytest.approx(0.5, rel=1e-12)


def test_what_could_not_be_held_is_refused_before_it_begins():
    with pytest.raises(ValueError, match=r"degree = 1000 in 2 variables .*501,501 products.* 1,000 points .*4.0 GB"):
        monomials(np.ones((1000, 2)), 1000)
    with pytest.raises(ValueError, match="degree 40 has 10272278170 coefficients.* 5 point.* determine at most 5"):
        RBFInterpolator(Gaussian(), degree=40).fit(np.random.default_rng(0).random((5, 10)), np.ones(5))
    for c in (1e-160, 1e160):
        refused("measure x in another unit", Multiquadric, c)
    assert cover_probability(5000, 10) == 0.0 < cover_probability(400, 100) < 1e-20 and cover_probability(3, 7) == 1.0


@pytest.mark.parametrize(("n", "d"), [(0, 1), (1, 0), (-1, 2)])
def test_cover_needs_a_point_and_a_dimension(n, d):
    refused("must be at least 1", cover_count, n, d)
    refused("n must be an integer", cover_count, 2.0, 1, error=TypeError)


def test_separating_weights_separate_whatever_the_scale():
    rng = np.random.default_rng(0)
    for scale in (1e-8, 1.0, 1e8):
        Phi = scale * rng.standard_normal((20, 3))
        y = np.sign(Phi @ [1.0, -2.0, 0.5])
        for bias in (False, True):
            w, b = separating_weights(Phi, y, bias=bias)
            assert w.shape == (3,) and type(b) is float and np.all(y * (Phi @ w + b) > 0)
        assert separating_weights(np.vstack([Phi, Phi[:1]]), np.append(y, -y[0])) is None
    assert separating_weights([[1.0], [2.0]], [1, 1]) is not None
    assert separating_weights([[0.0], [2.0]], [1, 1], bias=False) is None  # 0 is on every hyperplane through 0


@pytest.mark.parametrize("y", [[0, 1], [1, 2], [[1], [-1]]])
def test_a_labelling_is_of_minus_and_plus_1(y):
    refused("labels -1 and .1", separating_weights, [[0.0], [1.0]], y)


def test_monomials_are_all_products_once():
    P = monomials(XQ, 3)
    assert P.shape == (5, comb(5, 3))
    x, z = XQ.T
    expected = [x**0, x, z, x * x, x * z, z * z, x**3, x * x * z, x * z * z, z**3]
    np.testing.assert_allclose(P, np.column_stack(expected), rtol=1e-13)
    np.testing.assert_array_equal(monomials(XQ, 0), np.ones((5, 1)))
    # a high degree costs what its table holds, not what writing out its factors would (a minute, and gigabytes)
    np.testing.assert_allclose(monomials([[0.5, 2.0]], 600)[0, -601:], 0.5 ** np.arange(600, -601, -2.0), rtol=1e-12)
    refused("products of 600 entries of X overflow; scale X down", monomials, [[4.0, 1.0]], 600)
    refused("degree must be at least 0", monomials, XQ, -1)


@pytest.mark.parametrize("places", ["twice", "equispaced", "random", "equispaced, twice"])
def test_with_all_points_as_centres_it_is_the_regularisation_network(places):
    for seed in range(100):
        rng = np.random.default_rng(seed)
        n, d = int(rng.integers(5, 60)), 1 if "equispaced" in places else int(rng.integers(1, 4))
        points = np.linspace(-3, 3, n)[:, None] if d == 1 else rng.uniform(-3, 3, (n, d))
        centers = np.vstack([points, points]) if "twice" in places else points
        y = np.sinc(points[:, 0]) + 0.1 * rng.standard_normal(n)
        kernel, lam = Gaussian(10 ** rng.uniform(-1, 1)), 10 ** rng.uniform(-3, 1)
        few = GeneralizedRBF(kernel, centers=centers, lam=lam).fit(points, y)
        expected = RegularizationNetwork(kernel, lam=lam).fit(points, y)
        np.testing.assert_allclose(few.predict(points), expected.predict(points), atol=1e-6, err_msg=str(seed))
        # w = (y - f)/λ on distinct points: directions of G₀ that are rounding get no weight
        assert np.linalg.norm(few.dual_coef_) <= 1.01 * np.linalg.norm(y) / lam
