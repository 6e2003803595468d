"""What holds of approximate features and of ridge regression on them, whatever the points and the kernel."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kcourse import KernelRidge
from kcourse.kernels import Constant, Gaussian, Linear, gram
from kcourse.scaling import Nystrom, NystromRidge, RandomFourierFeatures, pivoted_landmarks
from tests.laws.law import D, close, kernels, lams, laws, sixteenths

law = laws(40)

seeds = st.integers(0, 2**32)


@st.composite
def data(draw, n_min=1, n_max=12):
    """X (n, 2) with repeated points now and then, y (n,), and a number of landmarks."""
    n = draw(st.integers(n_min, n_max))
    X = draw(arrays(float, (n, D), elements=sixteenths))
    return X, draw(arrays(float, n, elements=sixteenths)), draw(st.integers(1, n))


def approximation(kernel, X, m, seed, how="uniform"):
    F = Nystrom(kernel, n_landmarks=m, rng=seed, landmarks=how).fit_transform(X)
    return F @ F.T


@law(data(), kernels, seeds)
def test_nystrom_is_exact_on_the_landmarks_and_everywhere_with_all_of_them(Xym, kernel, seed):
    X, _, m = Xym
    model = Nystrom(kernel, n_landmarks=m, rng=seed).fit(X)
    Z, scale = model.landmarks_, np.abs(gram(kernel, X)).max()
    close(model.transform(Z) @ model.transform(X).T / (scale or 1), gram(kernel, Z, X) / (scale or 1), rtol=1e-6)
    close(approximation(kernel, X, len(X), seed) / (scale or 1), gram(kernel, X) / (scale or 1), rtol=1e-6)


@law(data(), kernels, seeds, st.sampled_from(["uniform", "pivoted"]))
def test_what_nystrom_leaves_is_positive_semi_definite_and_shrinks(Xym, kernel, seed, how):
    X, _, m = Xym
    K = gram(kernel, X)
    small = 1e-6 * max(np.abs(K).max(), 1e-30)
    left = [K - approximation(kernel, X, j, seed, how) for j in range(1, m + 1)]
    assert min(np.linalg.eigvalsh(E)[0] for E in left) > -small
    # more landmarks: E_j - E_(j+1) is positive semi-definite, so every unitarily invariant norm falls
    for more, less in zip(left, left[1:], strict=False):
        assert np.linalg.eigvalsh(more - less)[0] > -small
        for norm in ("nuc", "fro", 2):
            assert np.linalg.norm(less, norm) <= np.linalg.norm(more, norm) + small
    residual = Nystrom(kernel, n_landmarks=m, rng=seed, landmarks=how).fit(X).residual(X)
    np.testing.assert_allclose(residual, np.diag(left[-1]), atol=small)


@law(data(n_min=4), st.sampled_from([0.0, 0.5]), seeds)
def test_a_kernel_of_finite_rank_is_exact_once_the_landmarks_span(Xym, constant, seed):
    X, kernel = Xym[0], Linear() + Constant(constant)
    m = len(pivoted_landmarks(kernel, X, len(X), rng=seed))
    assert m == max(1, np.linalg.matrix_rank(kernel(X))) <= D + 1
    close(approximation(kernel, X, m, seed, "pivoted"), kernel(X), rtol=1e-7)


@law(data(), kernels, lams, seeds)
def test_all_points_as_landmarks_are_kernel_ridge_regression(Xym, kernel, lam, seed):
    X, y, _ = Xym
    exact = KernelRidge(kernel, lam=lam).fit(X, y)
    model = NystromRidge(kernel, n_landmarks=len(X), lam=lam, rng=seed).fit(X, y)
    close(model.predict(X), exact.predict(X), rtol=1e-6)
    close(model.norm2_, exact.norm2_, rtol=1e-5)
    close(model.effective_df(), exact.effective_df(), rtol=1e-6)


@law(data(), kernels, lams, seeds, st.integers(1, 13), st.integers(1, 13))
def test_blocks_change_rounding_only_and_the_way_in_nothing(Xym, kernel, lam, seed, block, size):
    X, y, m = Xym

    def fit(*given, **changed):
        return NystromRidge(kernel, n_landmarks=m, lam=lam, rng=seed, **changed).fit(*given)

    def blocks():
        return ((X[i : i + size], y[i : i + size]) for i in range(0, len(X), size))

    one, cut = fit(X, y), fit(X, y, block=block)
    close(cut.predict(X), one.predict(X), rtol=1e-6)
    np.testing.assert_array_equal(fit(blocks, block=block).dual_coef_, cut.dual_coef_)
    with ThreadPoolExecutor(2) as pool:
        np.testing.assert_array_equal(fit(X, y, block=block, executor=pool).dual_coef_, cut.dual_coef_)


@law(data(), kernels, lams, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(Xym, kernel, lam, random):
    X, y, m = Xym
    order = random.sample(range(len(X)), len(X))
    a, b = (NystromRidge(kernel, landmarks=X[:m], lam=lam).fit(X[i], y[i]) for i in (slice(None), order))
    close(a.predict(X), b.predict(X), rtol=1e-6)


@law(data(), kernels, lams, seeds, st.floats(-3, 3))
def test_the_fit_is_linear_in_y_and_scales_with_the_kernel(Xym, kernel, lam, seed, a):
    X, y, m = Xym
    z = np.roll(y, 1) + 1

    def predictions(target, k=kernel, strength=lam):
        return NystromRidge(k, n_landmarks=m, lam=strength, rng=seed).fit(X, target).predict(X)

    close(predictions(a * y + z), a * predictions(y) + predictions(z), rtol=1e-6)
    close(predictions(y, 7.0 * kernel, 7.0 * lam), predictions(y), rtol=1e-6)
    both = predictions(np.column_stack([y, z]))
    close(both, np.column_stack([predictions(y), predictions(z)]), rtol=1e-6)


@law(data(), kernels, seeds)
def test_more_landmarks_never_fit_worse(Xym, kernel, seed):
    # over a larger span the least of the objective is not larger
    X, y, m = Xym
    lam, least = 0.5, []
    for j in (m, len(X)):
        model = NystromRidge(kernel, n_landmarks=j, lam=lam, rng=seed).fit(X, y)
        least.append(np.sum((y - model.predict(X)) ** 2) + lam * model.norm2_)
    assert least[1] <= least[0] * (1 + 1e-7) + 1e-9


@law(st.floats(0.3, 3.0), st.booleans(), st.integers(0, 10**6))
def test_random_features_average_to_the_kernel_with_the_variance_of_theory(sigma, paired, seed):
    draws, D_ = 400, 50
    delta, k = sigma * np.array([0.6, -0.8]), np.exp(-0.5)  # ‖δ‖ = σ
    X = np.array([[0.7, -1.1], [0.7, -1.1] + delta])
    products = []
    for draw in range(draws):
        model = RandomFourierFeatures(Gaussian(sigma), n_features=D_, paired=paired, rng=seed + draw)
        z = model.fit_transform(X)
        products.append(z[0] @ z[1])
    variance = ((1 - k**2) ** 2 if paired else 1 + k**4 / 2 - k**2) / D_
    assert abs(np.mean(products) - k) < 4.5 * np.sqrt(variance / draws)
    assert abs(np.var(products) / variance - 1) < 4.5 * np.sqrt(2 / draws)


@law(data(), seeds, st.floats(0.3, 3.0))
def test_random_features_depend_on_differences_only(Xym, seed, sigma):
    X = Xym[0]
    F, shifted = (
        RandomFourierFeatures(Gaussian(sigma), n_features=30, rng=seed).fit_transform(points)
        for points in (X, X + [0.5, -2.0])
    )
    close(F @ F.T, shifted @ shifted.T, rtol=1e-12)
