"""What holds of interpolation, of networks and of k-means, whatever the points."""

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kcourse.kernels import Gaussian, InverseMultiquadric, Laplacian, Matern, Multiquadric, ThinPlate
from kcourse.rbf import (
    BayesRBFClassifier,
    GeneralizedRBF,
    RBFInterpolator,
    RegularizationNetwork,
    cover_count,
    cover_probability,
    kmeans,
    online_kmeans,
    separating_weights,
    spread,
)
from tests.laws.law import laws

law = laws(25)

D = 2
quarters = st.integers(-12, 12).map(lambda i: i / 4)
widths = st.floats(0.3, 3.0)
psd = st.one_of(
    st.builds(Gaussian, st.floats(0.3, 1.0)),
    st.builds(InverseMultiquadric, widths),
    st.builds(Laplacian, widths),
    st.builds(Matern, st.sampled_from([1.5, 2.5]), st.floats(0.3, 1.5)),
)
bases = st.one_of(psd, st.builds(Multiquadric, widths), st.builds(ThinPlate, widths))


@st.composite
def points(draw, n_min=1, n_max=10):
    """Distinct points of a grid (n, 2)."""
    return np.array(draw(st.lists(st.tuples(quarters, quarters), min_size=n_min, max_size=n_max, unique=True)))


@st.composite
def data(draw, n_min=4, n_max=10):
    X = draw(points(n_min, n_max))
    return X, draw(arrays(float, len(X), elements=quarters))


QUERIES = np.array([[0.1, 0.0], [1.5, -2.0], [-0.3, 0.7], [4.0, 4.0]])


def close(a, b, rtol=1e-7):
    np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * max(1.0, np.max(np.abs(b))))


def interpolate(kernel, X, y, degree=None):
    """The model, or nothing where the points are on a line and a polynomial is needed."""
    if np.linalg.matrix_rank(np.column_stack([X, np.ones(len(X))])) < 3:
        assume(not (isinstance(kernel, ThinPlate) or degree == 1))
    model = RBFInterpolator(kernel, degree=degree).fit(X, y)
    assume(model.rcond_ > 1e-9)
    return model


@law(data(), bases)
def test_interpolation_passes_through_every_point(Xy, kernel):
    X, y = Xy
    close(interpolate(kernel, X, y).predict(X), y)


@law(data(n_min=5), bases)
def test_a_left_out_error_is_a_weight_over_the_diagonal_of_the_inverse(Xy, kernel):
    X, y = Xy
    w = interpolate(kernel, X, y).dual_coef_
    slope = interpolate(kernel, X, np.eye(len(y))[0]).dual_coef_[0]  # (A⁻¹)_00
    others = interpolate(kernel, X[1:], y[1:])
    error = y[0] - others.predict(X[:1])[0]
    assert abs(w[0] - slope * error) <= 1e-5 * max(1.0, np.abs(w).max(), abs(slope * error))


@law(data(), bases, st.floats(0, 6.3), quarters, quarters, st.booleans())
def test_turning_shifting_and_mirroring_the_points_turns_the_function(Xy, kernel, angle, a, b, mirror):
    X, y = Xy
    Q = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ np.diag([1, -1 if mirror else 1])
    one, other = interpolate(kernel, X, y), interpolate(kernel, X @ Q.T + [a, b], y)
    close(other.predict(QUERIES @ Q.T + [a, b]), one.predict(QUERIES))


@law(data(), bases, quarters, quarters, quarters)
def test_polynomials_are_reproduced_up_to_the_degree(Xy, kernel, a, b, c):
    X, _ = Xy
    close(interpolate(kernel, X, X @ [a, b] + c, degree=1).predict(QUERIES), QUERIES @ [a, b] + c)


@law(data(), bases, st.floats(-3, 3))
def test_interpolation_is_linear_in_the_values(Xy, kernel, a):
    X, y = Xy
    z = np.cos(3 * y)
    close(
        interpolate(kernel, X, a * y + z).predict(QUERIES),
        a * interpolate(kernel, X, y).predict(QUERIES) + interpolate(kernel, X, z).predict(QUERIES),
    )


@law(data(), st.floats(0.3, 2.0), st.floats(0.3, 3.0))
def test_the_unit_of_a_thin_plate_does_not_matter(Xy, c, other):
    # s² log s with another unit differs by a multiple of ‖x - z‖², which acts as a polynomial on Pᵀw = 0
    X, y = Xy
    close(interpolate(ThinPlate(c), X, y).predict(QUERIES), interpolate(ThinPlate(other), X, y).predict(QUERIES))


@law(points(2, 10), widths)
def test_a_multiquadric_matrix_has_one_positive_eigenvalue(X, c):
    values = np.linalg.eigvalsh(Multiquadric(c)(X))
    assume(np.abs(values).min() > 1e-10)
    assert np.sum(values > 0) == 1


@law(data(), psd)
def test_interpolation_is_the_limit_of_the_regularisation_network(Xy, kernel):
    X, y = Xy
    exact = interpolate(kernel, X, y)
    gaps = [np.abs(RegularizationNetwork(kernel, lam=lam).fit(X, y).predict(X) - y).max() for lam in (1.0, 1e-3, 1e-9)]
    assert gaps[2] <= gaps[1] + 1e-12 and gaps[1] <= gaps[0] + 1e-12
    assume(exact.rcond_ > 1e-4)
    close(RegularizationNetwork(kernel, lam=1e-11).fit(X, y).predict(QUERIES), exact.predict(QUERIES), rtol=1e-5)


@law(data(), points(1, 6), psd, st.floats(-3, 2).map(lambda e: 10**e))
def test_the_generalised_network_is_kernel_ridge_regression_with_nystroms_kernel(Xy, T, kernel, lam):
    (X, y), G0 = Xy, kernel(T)
    assume(np.linalg.cond(G0) < 1e6)
    G = kernel(X, T)
    # K ≈ G G₀⁻¹ Gᵀ,  α = (K + λI)⁻¹ y,  f(x) = k̃(x, X) α
    alpha = np.linalg.solve(G @ np.linalg.solve(G0, G.T) + lam * np.eye(len(X)), y)
    ridge = kernel(QUERIES, T) @ np.linalg.solve(G0, G.T @ alpha)
    close(GeneralizedRBF(kernel, centers=T, lam=lam).fit(X, y).predict(QUERIES), ridge, rtol=1e-6)


@law(data(), psd, st.floats(-3, 2).map(lambda e: 10**e))
def test_with_all_points_as_centres_it_is_the_regularisation_network(Xy, kernel, lam):
    X, y = Xy
    ours = GeneralizedRBF(kernel, centers=X, lam=lam).fit(X, y)
    close(ours.predict(QUERIES), RegularizationNetwork(kernel, lam=lam).fit(X, y).predict(QUERIES), rtol=1e-6)


@law(data(), points(2, 6), psd, st.floats(-2, 2).map(lambda e: 10**e), st.integers(0, 3))
def test_its_weights_minimise_the_cost(Xy, T, kernel, lam, seed):
    X, y = Xy
    w = GeneralizedRBF(kernel, centers=T, lam=lam).fit(X, y).dual_coef_

    def cost(v):
        return np.sum((y - kernel(X, T) @ v) ** 2) + lam * v @ kernel(T) @ v

    step = np.random.default_rng(seed).standard_normal(len(T))
    assert cost(w) <= min(cost(w + 1e-3 * step), cost(w - 1e-3 * step)) + 1e-9 * cost(w)


@law(points(3, 30), st.integers(1, 3), st.integers(0, 5))
def test_k_means_never_rises_and_ends_where_both_steps_rest(X, k, seed):
    result = kmeans(X, k, n_init=1, rng=seed)
    assert np.all(np.diff(result.history) <= 1e-12 * np.sum(X**2)) and result.converged
    squares = np.sum((X[:, None] - result.centers) ** 2, axis=2)
    own = squares[np.arange(len(X)), result.labels]
    assert np.all(own <= squares.min(axis=1) + 1e-12)
    for j in range(k):
        close(result.centers[j], X[result.labels == j].mean(axis=0), rtol=1e-12)
    assert result.inertia == pytest.approx(own.sum(), rel=1e-12, abs=1e-12)


@law(points(3, 20), arrays(float, (3, 2), elements=st.floats(-50, 50)))
def test_no_group_is_empty_wherever_the_centres_start(X, init):
    result = kmeans(X, 3, init=init)
    assert sorted(set(result.labels)) == [0, 1, 2] and np.isfinite(result.centers).all()
    assert np.all(np.diff(result.history) <= 1e-9 * np.sum((X - X.mean(axis=0)) ** 2) + 1e-9)


@law(points(2, 20), points(1, 4))
def test_on_line_with_1_over_n_each_centre_is_the_mean_of_what_it_won(X, T):
    total, count = np.zeros(T.shape), np.zeros(len(T))
    for n in range(1, len(X) + 1):
        before = online_kmeans(X, T, order=range(n - 1)).centers if n > 1 else T
        after = online_kmeans(X, T, order=range(n)).centers
        j = int(np.argmin(np.sum((X[n - 1] - before) ** 2, axis=1)))
        total[j] += X[n - 1]
        count[j] += 1
        close(after[j], total[j] / count[j], rtol=1e-13)
        others = np.arange(len(T)) != j
        np.testing.assert_array_equal(after[others], before[others])


@law(points(2, 8), st.floats(0.1, 10))
def test_spreads_are_lengths(T, scale):
    for rule in ("dmax", "median", "neighbors"):
        close(spread(scale * T + 3, rule=rule), scale * spread(T, rule=rule), rtol=1e-9)
    d_max = max(np.linalg.norm(s - t) for s in T for t in T)
    r = np.linalg.norm(QUERIES[0] - T[0])
    close(Gaussian(spread(T))(QUERIES[:1], T[:1])[0, 0], np.exp(-len(T) * r**2 / d_max**2), rtol=1e-12)


@law(points(6, 20), st.integers(1, 5), st.integers(0, 3))
def test_posteriors_sum_to_1_and_em_never_falls(X, m, seed):
    model = BayesRBFClassifier(m, rng=seed).fit(X, np.arange(len(X)) % 3)
    P = model.predict_proba(QUERIES)
    assert P.min() >= 0 and np.all(np.diff(model.log_likelihood_) > -1e-9)
    close(P.sum(axis=1), np.ones(4), rtol=1e-13)
    close(model.output_weights_.sum(axis=1)[model.priors_ > 1e-9], 1.0, rtol=1e-9)
    close(model.priors_.sum(), 1.0, rtol=1e-9)
    # Σ_j p(c|j) p(j) is the share of the class: what is modelled is what was seen
    close(model.priors_ @ model.output_weights_, np.bincount(np.arange(len(X)) % 3) / len(X), rtol=1e-9)


@law(st.integers(2, 60), st.integers(2, 60))
def test_covers_count_is_a_triangle_of_pascal(n, d):
    assert cover_count(n, d) == cover_count(n - 1, d) + cover_count(n - 1, d - 1)
    assert cover_count(n, d) == (2**n if n <= d else cover_count(n, d)) <= 2**n
    assert cover_probability(2 * d, d) == 0.5
    assert cover_probability(n, d) >= cover_probability(n + 1, d)
    assert cover_count(n, 1) == 2 and cover_count(1, d) == 2


@law(points(2, 2), widths, widths)
def test_two_bells_without_a_bias_never_do_xor(T, sigma, other):
    """On a threshold of their ratio ‖x‖² plus an affine function is constant, which has one sum over both diagonals."""
    corners, xor = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]), np.array([-1, -1, 1, 1])
    Phi = np.column_stack([Gaussian(sigma)(corners, T[:1]), Gaussian(other)(corners, T[1:])])
    assert separating_weights(Phi, xor, bias=False) is None
    logs = np.log(np.maximum(Phi, 1e-300))
    if Phi.min() > 1e-200:
        close(logs[0] + logs[1] - logs[2] - logs[3], [0.0, 0.0])


@law(points(2, 8), st.integers(0, 255), st.booleans())
def test_a_separation_proves_itself_and_none_is_missed(X, bits, bias):
    y = np.array([1 if bits >> i & 1 else -1 for i in range(len(X))])
    found = separating_weights(X, y, bias=bias)
    if found is not None:
        w, b = found
        assert np.all(y * (X @ w + b) > 0) and (bias or b == 0)
    else:  # no direction out of many separates
        for angle in np.linspace(0, 2 * np.pi, 181):
            f = X @ [np.cos(angle), np.sin(angle)]
            low, high = np.max(f[y < 0], initial=-np.inf), np.min(f[y > 0], initial=np.inf)
            assert low >= high - 1e-9 if bias else not (low < -1e-9 and high > 1e-9)


@law(st.sampled_from([np.abs, np.cos, lambda x: np.sign(x) * np.sqrt(np.abs(x))]), st.floats(0.1, 0.5))
def test_more_units_bring_the_error_on_a_continuous_function_below_any_bound(f, bound):
    x = np.linspace(-1, 1, 201)
    errors = []
    for m in (3, 9, 27, 81):
        centres = np.linspace(-1, 1, m)[:, None]
        model = RBFInterpolator(Laplacian(1.0)).fit(centres, f(centres[:, 0]))
        errors.append(np.abs(model.predict(x[:, None]) - f(x)).max())
    assert errors[-1] < min(bound, 0.5 * errors[0])


@law(arrays(float, (8, D), elements=quarters), st.floats(0.01, 10.0), st.integers(0, 2**16))
def test_a_regularisation_network_minimises_its_cost(X, lam, seed):
    rng = np.random.default_rng(seed)
    d, kernel = rng.standard_normal(len(X)), Gaussian(0.8)
    G, w = kernel(X), RegularizationNetwork(kernel, lam=lam).fit(X, d).dual_coef_

    def cost(w):
        return np.sum((d - G @ w) ** 2) + lam * w @ G @ w

    for _ in range(5):
        assert cost(w + rng.normal(size=len(w))) >= cost(w) - 1e-10
