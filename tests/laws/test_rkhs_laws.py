"""What holds in every RKHS, whatever the kernel, the points and the coefficients."""

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kcourse.kernels import Brownian, Constant, Gaussian, HistogramIntersection, Laplacian, Linear, Matern, Polynomial
from kcourse.rkhs import RKHSFunction, interpolate, mmd2, mmd_test
from tests.laws.law import laws

law = laws(40)

D = 2
sixteenths = st.integers(0, 48).map(lambda i: i / 16)  # the histogram kernel wants no negative numbers
strict = st.one_of(
    st.builds(Gaussian, st.floats(0.2, 1.0)),
    st.builds(Laplacian, st.floats(0.2, 5.0)),
    st.builds(Matern, st.just(1.5), st.floats(0.2, 2.0)),
)
kernels = st.one_of(
    strict,
    st.just(HistogramIntersection()),
    st.builds(Linear),
    st.builds(Polynomial, gamma=st.floats(0.1, 1.0), coef0=st.floats(0.0, 1.0), degree=st.integers(1, 3)),
    st.builds(lambda s, c: Gaussian(s) + Constant(c), st.floats(0.2, 5.0), st.floats(0.0, 2.0)),
)
QUERIES = np.array([[0.0, 0.0], [1.5, 2.0], [0.3, 0.7]])


@st.composite
def points(draw, n_max=6, d=D):
    return draw(arrays(float, (draw(st.integers(1, n_max)), d), elements=sixteenths))


@st.composite
def functions(draw, kernel, n_max=6):
    X = draw(points(n_max))
    coef = draw(arrays(float, len(X), elements=st.integers(-32, 32).map(lambda i: i / 16)))
    return RKHSFunction(kernel, X, coef)


@st.composite
def in_one_space(draw, how_many=2):
    kernel = draw(kernels)
    return kernel, *(draw(functions(kernel)) for _ in range(how_many))


def size(*functions_):
    """What rounding is measured by: Σ |α_i| |α_j| max|k|."""
    return sum(np.abs(f.coef).sum() ** 2 * np.abs(f.kernel(f.X)).max() for f in functions_) + 1e-300


@law(in_one_space())
def test_values_are_inner_products_with_sections(space):
    kernel, f, _ = space
    values = [f.inner(RKHSFunction(kernel, [q], [1.0])) for q in QUERIES]
    np.testing.assert_allclose(f(QUERIES), values, rtol=1e-10, atol=1e-12 * size(f) ** 0.5 * 10)


@law(in_one_space())
def test_no_value_exceeds_norm_times_root_of_the_diagonal(space):
    kernel, f, _ = space
    assert np.all(np.abs(f(QUERIES)) <= f.norm * np.sqrt(kernel.diag(QUERIES)) + 1e-6 * size(f) ** 0.5)


@law(in_one_space())
def test_cauchy_schwarz_parallelogram_and_triangle(space):
    _, f, g = space
    rounding = 1e-10 * size(f, g)
    assert abs(f.inner(g)) <= f.norm * g.norm + rounding + 1e-6 * size(f, g) ** 0.5 * (f.norm + g.norm)
    assert abs((f + g).norm2 + (f - g).norm2 - 2 * f.norm2 - 2 * g.norm2) <= rounding
    assert abs((f + g).norm2 - (f - g).norm2 - 4 * f.inner(g)) <= rounding  # polarisation
    assert (f + g).norm <= f.norm + g.norm + 1e-6 * size(f, g) ** 0.5


@law(in_one_space(3), st.floats(-3, 3), st.floats(-3, 3))
def test_the_inner_product_is_bilinear_and_symmetric(space, a, b):
    _, f, g, h = space
    rounding = 1e-10 * size(f, g, h) * 10
    assert abs((a * f + b * g).inner(h) - a * f.inner(h) - b * g.inner(h)) <= rounding
    assert abs(f.inner(g) - g.inner(f)) <= rounding
    assert f.norm2 >= 0 and abs((a * f).norm2 - a * a * f.norm2) <= rounding


@law(strict, points(), st.integers(0, 2**16))
def test_any_other_interpolant_has_a_larger_norm(kernel, X, seed):
    X = np.unique(X, axis=0)
    rng = np.random.default_rng(seed)
    y = rng.standard_normal(len(X))
    f = interpolate(kernel, X, y)
    np.testing.assert_allclose(f(X), y, atol=1e-7)
    # a function g of the space less its projection is 0 at the points
    g = RKHSFunction(kernel, rng.uniform(0, 3, (4, D)) + 0.01, rng.standard_normal(4))
    zero = g - g.project(X)
    np.testing.assert_allclose(zero(X), 0, atol=1e-7)
    other = f + zero
    np.testing.assert_allclose(other(X), y, atol=1e-6)
    assert abs(f.inner(zero)) <= 1e-5 * (1 + f.norm2)
    assert other.norm2 >= f.norm2 - 1e-5 * (1 + f.norm2)
    assert abs(other.norm2 - f.norm2 - zero.norm2) <= 1e-5 * (1 + f.norm2)


@law(strict, points(), st.integers(0, 2**16))
def test_more_conditions_never_make_the_norm_smaller(kernel, X, seed):
    X = np.unique(X, axis=0)
    y = np.random.default_rng(seed).standard_normal(len(X))
    norms = [interpolate(kernel, X[:n], y[:n]).norm2 for n in range(1, len(X) + 1)]
    assert np.all(np.diff(norms) >= -1e-7 * norms[-1])


@law(strict, points(), st.integers(0, 2**16))
def test_the_interpolant_is_no_longer_than_the_function_it_was_sampled_from(kernel, X, seed):
    # the RKHS of a restriction: least norms of extensions
    rng = np.random.default_rng(seed)
    f = RKHSFunction(kernel, rng.uniform(0, 3, (4, D)), rng.standard_normal(4))
    p = f.project(np.unique(X, axis=0))
    assert p.norm2 <= f.norm2 * (1 + 1e-7) + 1e-9
    again = p.project(np.unique(X, axis=0))
    assert p.distance(again) <= 1e-4 * (1 + p.norm)


@law(strict, strict, points(), st.integers(0, 2**16))
def test_the_norm_of_a_sum_of_kernels_is_the_least_over_divisions(one, other, X, seed):
    X = np.unique(X, axis=0)
    alpha = np.random.default_rng(seed).standard_normal(len(X))
    parts = [RKHSFunction(kernel, X, alpha) for kernel in (one, other)]
    total = RKHSFunction(one + other, X, alpha)
    np.testing.assert_allclose(total(QUERIES), parts[0](QUERIES) + parts[1](QUERIES), atol=1e-12)
    np.testing.assert_allclose(total.norm2, parts[0].norm2 + parts[1].norm2, rtol=1e-10)
    # every f_1 of the first space is in the space of the sum, and no longer there
    assert interpolate(one + other, X, parts[0](X)).norm2 <= parts[0].norm2 * (1 + 1e-7)


@law(points(), points(), st.integers(0, 2**16))
def test_the_norm_of_a_product_of_two_spaces_is_the_product(X, Z, seed):
    rng = np.random.default_rng(seed)
    f = RKHSFunction(Gaussian(0.7), X, rng.standard_normal(len(X)))
    g = RKHSFunction(Laplacian(1.3), Z, rng.standard_normal(len(Z)))

    def product(A, B):  # k((x, z), (x', z')) = k(x, x') l(z, z')
        return f.kernel(A[:, :D], B[:, :D]) * g.kernel(A[:, D:], B[:, D:])

    pairs = np.hstack([np.repeat(X, len(Z), axis=0), np.tile(Z, (len(X), 1))])
    h = RKHSFunction(product, pairs, np.outer(f.coef, g.coef).ravel())
    np.testing.assert_allclose(h(np.hstack([QUERIES, QUERIES])), f(QUERIES) * g(QUERIES), atol=1e-10)
    np.testing.assert_allclose(h.norm2, f.norm2 * g.norm2, rtol=1e-9, atol=1e-10)


@law(points(d=1), st.integers(0, 2**16))
def test_the_norm_of_the_space_of_min_is_the_energy_of_a_polygon(X, seed):
    x = np.unique(X[X > 0])
    assume(x.size)
    y = np.random.default_rng(seed).standard_normal(len(x))
    f = interpolate(Brownian(), x[:, None], y)
    corners, values = np.append(0.0, x), np.append(0.0, y)
    energy = np.sum(np.diff(values) ** 2 / np.diff(corners))
    np.testing.assert_allclose(f.norm2, energy, rtol=1e-9)
    t = np.linspace(0, 4, 33)
    np.testing.assert_allclose(f(t[:, None]), np.interp(t, corners, values), atol=1e-9)


@law(kernels, points(), points())
def test_mmd_is_a_symmetric_squared_distance(kernel, X, Z):
    scale = np.abs(kernel(np.vstack([X, Z]))).max() + 1e-300
    value = mmd2(kernel, X, Z)
    assert value >= 0
    assert abs(value - mmd2(kernel, Z, X)) <= 1e-12 * scale
    means = [RKHSFunction(kernel, S, np.full(len(S), 1 / len(S))) for S in (X, Z)]
    assert abs(value - means[0].distance(means[1]) ** 2) <= 1e-12 * scale


@law(kernels, points(), st.integers(1, 3), st.randoms(use_true_random=False))
def test_mmd_is_zero_for_equal_samples_in_any_order_and_number(kernel, X, times, random):
    order = list(range(len(X)))
    random.shuffle(order)
    scale = np.abs(kernel(X)).max() + 1e-300
    assert mmd2(kernel, X, np.tile(X[order], (times, 1))) <= 1e-13 * scale
    assert mmd_test(kernel, X, X[order], n_permutations=20, rng=0).p_value == 1.0


@law(strict, points(), points())
def test_mmd_is_zero_for_equal_samples_only(kernel, X, Z):
    def shares(S):
        values, counts = np.unique(S, axis=0, return_counts=True)
        return dict(zip(map(tuple, values), counts / len(S), strict=True))

    a, b = shares(X), shares(Z)
    gap = max(abs(a.get(p, 0) - b.get(p, 0)) for p in a.keys() | b.keys())
    assert (mmd2(kernel, X, Z) > 1e-12) == (gap > 1e-12)


@law(points(), points())
def test_mmd_of_the_linear_kernel_is_the_squared_distance_of_means(X, Z):
    np.testing.assert_allclose(mmd2(Linear(), X, Z), np.sum((X.mean(axis=0) - Z.mean(axis=0)) ** 2), atol=1e-12)


@law(points(), points(), strict, st.floats(0.1, 10.0), st.floats(0.0, 5.0))
def test_mmd_is_linear_in_the_kernel_and_blind_to_constants(X, Z, kernel, a, c):
    np.testing.assert_allclose(mmd2(a * kernel + c, X, Z), a * mmd2(kernel, X, Z), rtol=1e-9, atol=1e-13 * (a + c))
    np.testing.assert_allclose(mmd2(kernel, X + 7.0, Z + 7.0), mmd2(kernel, X, Z), rtol=1e-9, atol=1e-13)
