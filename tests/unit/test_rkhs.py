"""kcourse.rkhs: functions of an RKHS, interpolation, Mercer pairs and the two-sample test, and what is refused."""

import pickle
import re

import numpy as np
import pytest

from kcourse.kernels import Brownian, Constant, Gaussian, Linear, Polynomial, Sigmoid
from kcourse.rkhs import MercerPairs, MMDTest, RKHSFunction, brownian_mercer, interpolate, mmd2, mmd_test
from kcourse.strings import Spectrum
from tests.rows import each
from tests.unit.refused import refused

RNG = np.random.default_rng(0)
X, Z, Q = RNG.standard_normal((7, 2)), RNG.standard_normal((4, 2)), RNG.standard_normal((5, 2))
ALPHA, BETA = RNG.standard_normal(7), RNG.standard_normal(4)
KERNEL = Gaussian(1.3)
F, G = RKHSFunction(KERNEL, X, ALPHA), RKHSFunction(KERNEL, Z, BETA)


def test_values_and_norms_are_their_sums():
    np.testing.assert_allclose(
        F(Q), [sum(a * KERNEL([x], [q])[0, 0] for a, x in zip(ALPHA, X, strict=True)) for q in Q]
    )
    assert F.norm2 == pytest.approx(ALPHA @ KERNEL(X) @ ALPHA, rel=1e-14)
    assert F.norm == pytest.approx(np.sqrt(F.norm2), rel=1e-15)
    assert F.inner(G) == pytest.approx(ALPHA @ KERNEL(X, Z) @ BETA, rel=1e-14)
    assert F.distance(G) == pytest.approx(np.sqrt(F.norm2 - 2 * F.inner(G) + G.norm2), rel=1e-12)
    assert isinstance(F.inner(G), float) and isinstance(F.norm2, float) and isinstance(F.norm, float)
    assert F.distance(F) == pytest.approx(0, abs=1e-7)


def test_arithmetic():
    np.testing.assert_allclose((F + G)(Q), F(Q) + G(Q), rtol=1e-13)
    np.testing.assert_allclose((F - G)(Q), F(Q) - G(Q), rtol=1e-12)
    np.testing.assert_allclose((-F)(Q), -F(Q), rtol=1e-15)
    for three in (3, 3.0, np.float64(3.0), np.int64(3)):
        np.testing.assert_allclose((three * F)(Q), 3 * F(Q), rtol=1e-14)
        np.testing.assert_allclose((F * three)(Q), 3 * F(Q), rtol=1e-14)
        np.testing.assert_allclose((F / three)(Q), F(Q) / 3, rtol=1e-14)
    assert (F + G).coef.shape == (11,)


@pytest.mark.parametrize("other", ["x", None, [1.0], np.ones(2), True])
def test_arithmetic_with_what_is_no_function_or_number(other):
    for operation in (
        lambda: F + other, lambda: F - other, lambda: other + F, lambda: F * other, lambda: other * F,
        lambda: F / other if other is not True else F + True,
    ):  # fmt: skip
        with pytest.raises(TypeError):
            operation()


def test_functions_of_different_spaces_do_not_mix():
    other = RKHSFunction(Gaussian(1.4), X, ALPHA)
    for operation in (lambda: F + other, lambda: F.inner(other), lambda: F.distance(other)):
        with pytest.raises(
            ValueError, match=r"two functions of one RKHS.*Gaussian\(sigma=1.3\) and Gaussian\(sigma=1.4\)"
        ):
            operation()
    refused("inner needs an RKHSFunction, got ndarray", F.inner, X, error=TypeError)
    # kernels that are equal are one space, and so is one function of one's own
    twin = RKHSFunction(Gaussian(1.3), X, ALPHA)
    assert F.inner(twin) == pytest.approx(F.norm2, rel=1e-13)  # products of K(X, X) and of K(X) are summed apart
    own = Gaussian(1.3).__call__
    assert RKHSFunction(own, X, ALPHA).inner(RKHSFunction(own, Z, BETA)) == pytest.approx(F.inner(G), rel=1e-14)


def test_a_function_is_a_value():
    points, coef = X.copy(), ALPHA.copy()
    f = RKHSFunction(KERNEL, points, coef)
    points[:], coef[:] = 0, 0
    np.testing.assert_array_equal(f(Q), F(Q))
    with pytest.raises(ValueError, match="read-only"):
        f.coef[0] = 1.0
    with pytest.raises(AttributeError):
        f.coef = coef
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(f))(Q), F(Q))
    assert repr(f) == "RKHSFunction(Gaussian(sigma=1.3), 7 points)"
    assert repr(RKHSFunction(KERNEL, X[:1], [1])) == "RKHSFunction(Gaussian(sigma=1.3), 1 point)"


def test_functions_refuse():
    refused("coef has 6 entries and X has 7 rows", RKHSFunction, KERNEL, X, ALPHA[:6])
    refused(re.escape("coef has shape (7, 1); expected (n,)"), RKHSFunction, KERNEL, X, ALPHA[:, None])
    refused(re.escape("X has shape (7,)"), RKHSFunction, KERNEL, ALPHA, ALPHA)
    refused("kernel must be a kernel", RKHSFunction, "gaussian", X, ALPHA, error=TypeError)
    refused("feature", F, np.ones((3, 5)))
    with pytest.raises(ValueError, match="the factor must be finite"):
        F * np.inf


def test_a_negative_squared_norm_is_an_error_and_rounding_is_none():
    f = RKHSFunction(Sigmoid(gamma=1.0, coef0=-1.0), [[0.5], [0.1]], [1.0, 0.0])
    with pytest.raises(ValueError, match="a squared norm is -.* the kernel is not positive semi-definite"):
        _ = f.norm
    cancelled = RKHSFunction(KERNEL, np.vstack([X, X[::-1]]), np.concatenate([ALPHA, -ALPHA[::-1]]))
    assert 0 <= cancelled.norm2 < 1e-13


def test_words():
    kernel = Spectrum(1)
    f = RKHSFunction(kernel, ["abc", "cd"], [1.0, 2.0])
    np.testing.assert_array_equal(f(["c", "ab"]), [3.0, 2.0])
    assert (f + f).norm2 == 4 * f.norm2 == 4 * (3 + 2 * 2 * 1 + 4 * 2)
    g = interpolate(kernel, ["abc", "cd"], [1.0, 2.0])
    np.testing.assert_allclose(g(["abc", "cd"]), [1.0, 2.0], atol=1e-14)
    assert mmd2(kernel, ["ab", "c"], ["c", "ab"]) == 0.0
    assert mmd2(kernel, ["a"], ["b"]) == 2.0


def test_an_interpolant_takes_the_values():
    y = RNG.standard_normal(7)
    f = interpolate(KERNEL, X, y)
    np.testing.assert_allclose(f(X), y, atol=1e-11)
    assert f.norm2 == pytest.approx(y @ np.linalg.solve(KERNEL(X), y), rel=1e-10)
    np.testing.assert_array_equal(interpolate(KERNEL, X.tolist(), y.tolist()).coef, f.coef)
    assert interpolate(KERNEL, X, np.zeros(7)).norm2 == 0


def test_repeated_points_are_one_condition_or_two_that_are_named():
    y = RNG.standard_normal(7)
    twice = interpolate(KERNEL, np.vstack([X, X[3:]]), np.concatenate([y, y[3:]]))
    np.testing.assert_array_equal(twice.X, X)
    np.testing.assert_array_equal(twice.coef, interpolate(KERNEL, X, y).coef)
    with pytest.raises(ValueError, match=re.escape("X[1] and X[7] are the same point, but y[1] = 1 and y[7] = 5")):
        interpolate(KERNEL, np.vstack([X, X[1:2]]), [0, 1, 2, 3, 4, 5, 6, 5])


def test_where_the_gram_matrix_is_singular_an_interpolant_may_exist_or_not():
    w = np.array([2.0, -1.0])
    f = interpolate(Linear(), X, X @ w)  # 7 points in a plane: rank 2
    np.testing.assert_allclose(f(Q), Q @ w, atol=1e-12)
    assert f.norm == pytest.approx(np.linalg.norm(w), rel=1e-12)
    with pytest.raises(
        ValueError, match="no function of this RKHS takes these values.*7 distinct points has rank 2.*Kernel"
    ):
        interpolate(Linear(), X, np.arange(7.0))
    # f(0) = 0 for all functions of the space of min(s, t)
    np.testing.assert_allclose(interpolate(Brownian(), [[0.0], [0.5]], [0.0, 2.0])([[0.25]]), [1.0], atol=1e-14)
    refused("no function of this RKHS takes these values", interpolate, Brownian(), [[0.0], [0.5]], [1.0, 2.0])
    # points too close to be told apart in floating point
    refused("up to rounding", interpolate, Gaussian(1.0), [[0.0], [1e-9]], [0.0, 1.0])
    refused("up to rounding", interpolate, Gaussian(10.0), np.linspace(0, 1, 30)[:, None], np.arange(30) % 2)


@each("seed", range(20))
def test_the_rank_is_named_where_rounding_hides_that_the_gram_matrix_is_singular(seed):
    # Cholesky's algorithm succeeds for half of these, with a last pivot of 1e-16
    rng = np.random.default_rng(seed)
    points, w = rng.standard_normal((3, 2)), rng.standard_normal(2)
    f = interpolate(Linear(), points, points @ w)
    assert f.norm == pytest.approx(np.linalg.norm(w), rel=1e-12)
    assert np.abs(f.coef).max() < 100 * np.linalg.norm(w)
    refused("3 distinct points has rank 2 in floating point", interpolate, Linear(), points, rng.standard_normal(3))


def test_interpolation_refuses():
    refused("the smallest eigenvalue of its Gram matrix is -", interpolate, Sigmoid(gamma=1.0, coef0=-1.0), X, ALPHA)
    refused(re.escape("y has shape (7, 2); expected (n,)"), interpolate, KERNEL, X, np.ones((7, 2)))
    refused("y has 6 entries", interpolate, KERNEL, X, np.ones(6))


@pytest.mark.parametrize("scale", [1e-100, 1e100])
def test_interpolation_at_huge_and_tiny_scales(scale):
    f = interpolate(KERNEL, X, scale * ALPHA)
    np.testing.assert_allclose(f.coef, scale * interpolate(KERNEL, X, ALPHA).coef, rtol=1e-12)
    g = interpolate(Brownian(), [[scale], [2 * scale]], [1.0, 3.0])
    np.testing.assert_allclose(g([[1.5 * scale]]), [2.0], rtol=1e-12)


def test_a_projection_agrees_on_the_points_and_is_nearest():
    p = F.project(Z)
    np.testing.assert_allclose(p(Z), F(Z), atol=1e-11)
    assert (F - p).inner(p) == pytest.approx(0, abs=1e-11)
    assert F.norm2 == pytest.approx(p.norm2 + (F - p).norm2, rel=1e-11)
    for seed in range(5):
        other = RKHSFunction(KERNEL, Z, np.random.default_rng(seed).standard_normal(4))
        assert F.distance(p) <= F.distance(other)
    np.testing.assert_array_equal(F.project(X[:3]).X, X[:3])
    assert F.project(X).distance(F) < 1e-7


def test_truncated_kernels_tend_to_min():
    t = np.linspace(0, 1, 6)[:, None]
    for m in (1, 10, 1000):
        pairs = brownian_mercer(m)
        gap = np.abs(pairs(t) - np.minimum(t, t.T))
        assert gap.max() <= 2 / (np.pi**2 * m) * 1.01
        np.testing.assert_allclose(pairs(t, t[:2]), pairs(t)[:, :2], atol=1e-15)
        np.testing.assert_allclose(pairs.features(t) @ pairs.features(t).T, pairs(t), atol=1e-15)
        assert pairs.eigenvalues.shape == (m,) and pairs.eigenfunctions(t).shape == (6, m)
    f = RKHSFunction(brownian_mercer(500), t[1:], np.ones(5))  # a kernel like any other
    assert f.norm2 == pytest.approx(RKHSFunction(Brownian(), t[1:], np.ones(5)).norm2, rel=1e-2)


def test_norms_from_coefficients():
    pairs = MercerPairs(np.array([2.0, 0.5]), lambda t: np.ones((len(t), 2)))
    assert pairs.norm2([2.0, 1.0]) == 4.0
    refused(re.escape("c has shape (3,); expected (2,)"), pairs.norm2, [1.0, 2.0, 3.0])


def test_mercer_refuses():
    for m, error in ((0, ValueError), (2.0, TypeError)):
        refused("m must be", brownian_mercer, m, error=error)
    pairs = brownian_mercer(2)
    for t in ([[1.5]], [[-0.1]]):
        refused(r"t must lie in \[0, 1\]", pairs, t)
    refused("t has shape", pairs, [[0.1, 0.2]])


def test_mmd_is_its_means():
    A, B, C = KERNEL(X), KERNEL(Z), KERNEL(X, Z)
    assert mmd2(KERNEL, X, Z) == pytest.approx(A.mean() + B.mean() - 2 * C.mean(), rel=1e-13)
    off = [(K.sum() - K.trace()) / (len(K) * (len(K) - 1)) for K in (A, B)]
    assert mmd2(KERNEL, X, Z, unbiased=True) == pytest.approx(sum(off) - 2 * C.mean(), rel=1e-12)
    means = [RKHSFunction(KERNEL, S, np.full(len(S), 1 / len(S))) for S in (X, Z)]
    assert mmd2(KERNEL, X, Z) == pytest.approx(means[0].distance(means[1]) ** 2, rel=1e-12)
    assert isinstance(mmd2(KERNEL, X, Z), float) and isinstance(mmd2(KERNEL, X, Z, unbiased=True), float)


def test_the_unbiased_estimate_is_unbiased():
    # over all pairs of different points of a finite population of two values, exactly
    rng = np.random.default_rng(0)
    draws = [mmd2(Gaussian(0.5), a, b, unbiased=True) for a, b in rng.standard_normal((4000, 2, 3, 1))]
    biased = [mmd2(Gaussian(0.5), a, b) for a, b in rng.standard_normal((200, 2, 3, 1))]
    error = np.std(draws) / np.sqrt(len(draws))
    assert abs(np.mean(draws)) < 3 * error  # both samples come from one distribution
    assert np.min(draws) < 0 and np.mean(biased) > 10 * error and np.min(biased) >= 0


def test_mmd_refuses():
    refused("X has 1 and Z has 4, each needs 2", mmd2, KERNEL, X[:1], Z, unbiased=True)
    refused(re.escape("X has 2 feature(s) and Z has 3"), mmd2, KERNEL, X, np.ones((2, 3)))
    refused("Z is empty", mmd2, KERNEL, X, np.ones((0, 2)))
    refused("not positive semi-definite", mmd2, lambda A, B: -(A @ B.T), X, Z)
    assert mmd2(KERNEL, X[:1], X[:1]) == 0.0


def test_the_permutation_test():
    rng = np.random.default_rng(0)
    A, B = rng.standard_normal((30, 2)), rng.standard_normal((20, 2)) + [1.5, 0]
    found = mmd_test(KERNEL, A, B, n_permutations=300, rng=1)
    assert isinstance(found, MMDTest) and found.permuted.shape == (300,)
    assert found.mmd2 == mmd2(KERNEL, A, B)
    assert found.p_value == 1 / 301 and found.permuted.max() < found.mmd2
    same = mmd_test(KERNEL, A[:15], A[15:], n_permutations=300, rng=1)
    assert 0.05 < same.p_value < 1 and same.p_value == (1 + np.sum(same.permuted >= same.mmd2)) / 301
    # the permuted values are those of permuted samples
    pooled, values = np.vstack([A, B])[:6], []
    for seed in range(3000):
        order = np.random.default_rng(seed).permutation(6)
        values.append(mmd2(KERNEL, pooled[order[:2]], pooled[order[2:]]))
    permuted = mmd_test(KERNEL, pooled[:2], pooled[2:], n_permutations=600, rng=0).permuted
    np.testing.assert_allclose(np.unique(permuted.round(10)), np.unique(np.round(values, 10)))


def test_p_values_of_samples_from_one_distribution_are_uniform():
    rng = np.random.default_rng(0)
    p = [
        mmd_test(Gaussian(1.0), *rng.standard_normal((2, 8, 1)), n_permutations=99, rng=rng).p_value for _ in range(200)
    ]
    for level in (0.1, 0.3, 0.5, 0.8):
        assert abs(np.mean(np.array(p) <= level) - level) < 4 * np.sqrt(level * (1 - level) / 200)


def test_permutations_that_change_nothing_count():
    # one point against another: each division of two points gives the same number
    assert mmd_test(KERNEL, X[:1], X[1:2], n_permutations=50, rng=0).p_value == 1.0
    assert mmd_test(KERNEL, X, X, n_permutations=50, rng=0).p_value == 1.0
    assert mmd_test(Constant(2.0) + Polynomial(degree=3), X, X[::-1], n_permutations=50, rng=0).p_value == 1.0


def test_the_test_is_the_same_every_time_and_wants_a_seed():
    one, other = (mmd_test(KERNEL, X, Z, n_permutations=600, rng=3) for _ in range(2))
    np.testing.assert_array_equal(one.permuted, other.permuted)
    generator = mmd_test(KERNEL, X, Z, n_permutations=600, rng=np.random.default_rng(3))
    np.testing.assert_array_equal(one.permuted, generator.permuted)
    refused("rng must be an integer seed", mmd_test, KERNEL, X, Z, error=TypeError, rng=None)
    refused("rng", mmd_test, KERNEL, X, Z, error=TypeError)
    refused("n_permutations must be at least 1", mmd_test, KERNEL, X, Z, n_permutations=0, rng=0)
