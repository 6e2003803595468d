"""kcourse.ridge: the fit, its norm, degrees of freedom and leave-one-out errors, each against its definition."""

import re
from itertools import product

import numpy as np
import pytest

from kcourse import Constant, Gaussian, KernelRidge, Laplacian, Linear, LooPath, Matern, Polynomial, loo_path
from tests.rows import each
from tests.unit.refused import refused

KERNELS = [Gaussian(1.3), 2 * Laplacian(0.7) + 0.5, Linear(), Polynomial(degree=3), Matern(1.5) * Linear() + 1]
N, D, T = 13, 3, 2
RNG = np.random.default_rng(0)
X, XQ = RNG.standard_normal((N, D)), RNG.standard_normal((5, D))
Y1, Y2 = RNG.standard_normal(N), RNG.standard_normal((N, T))
LAMS = np.array([3.0, 0.02, 40.0, 0.2, 0.02])  # in no order, and one twice


def solve(kernel, lam, y):
    """α from its equation."""
    return np.linalg.solve(kernel(X) + lam * np.eye(N), y)


def leave_one_out(kernel, lam, y):
    """y_i - f₋ᵢ(x_i) by fitting n times."""
    residuals = []
    for i in range(N):
        rest = np.arange(N) != i
        model = KernelRidge(kernel, lam=lam).fit(X[rest], y[rest])
        residuals.append(y[i] - model.predict(X[[i]])[0])
    return np.array(residuals)


@each("y, lam, kernel", product([Y1, Y2, Y1[:, None]], [0.02, 0.7, 50.0], KERNELS))
def test_a_fit_solves_its_equation(kernel, lam, y):
    model = KernelRidge(kernel, lam=lam)
    assert model.fit(X, y) is model
    alpha, K = solve(kernel, lam, y), kernel(X)
    assert model.dual_coef_.shape == y.shape
    np.testing.assert_allclose(model.dual_coef_, alpha, rtol=1e-8, atol=1e-11)
    np.testing.assert_allclose(model.predict(XQ), kernel(XQ, X) @ alpha, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(model.norm2_, np.sum(alpha * (K @ alpha), axis=0), rtol=1e-8)
    H = np.linalg.solve(K + lam * np.eye(N), K)
    assert model.effective_df() == pytest.approx(np.trace(H), rel=1e-9)
    np.testing.assert_allclose(model.loo_residuals(), leave_one_out(kernel, lam, y), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("y, lam", list(product([Y1, Y2], [1e6, 1e12, 1e18])))
def test_a_huge_lam_costs_no_digits(lam, y):
    # α → y/λ, so ‖f‖² → yᵀKy/λ² and df → tr K/λ, with relative errors of about ‖K‖/λ
    K, model = Gaussian(1.3)(X), KernelRidge(Gaussian(1.3), lam=lam).fit(X, y)
    first_order = 3 * np.linalg.norm(K) / lam + 1e-13
    np.testing.assert_allclose(model.norm2_, np.sum(y * (K @ y), axis=0) / lam**2, rtol=first_order)
    assert model.effective_df() == pytest.approx(N / lam, rel=first_order, abs=0)
    path = model.loo_path([lam])
    np.testing.assert_allclose(path.norm2[0], model.norm2_, rtol=1e-12)
    assert path.df[0] == pytest.approx(model.effective_df(), rel=1e-12, abs=0)


def test_one_point_is_enough():
    # α = y / (k + λ),  H = k / (k + λ),  and without the point f = 0
    model = KernelRidge(Constant(3.0), lam=0.5).fit([[1.0]], [7.0])
    assert model.dual_coef_.tolist() == pytest.approx([2.0]) and model.effective_df() == pytest.approx(3 / 3.5)
    assert model.loo_residuals().tolist() == pytest.approx([7.0]) and model.norm2_ == pytest.approx(12.0)


def test_duplicates_and_contradictions_are_no_trouble():
    model = KernelRidge(Gaussian(), lam=0.5).fit([[0.0], [0.0]], [1.0, 2.0])
    assert model.predict([[0.0]])[0] == pytest.approx(3 / 2.5)  # Σy / (2 + λ)


def test_a_path_does_not_change_its_matrix():
    K = Gaussian()(X)
    before = K.copy()
    loo_path(K, Y1, LAMS)
    np.testing.assert_array_equal(K, before)


@each("y, kernel", product([Y1, Y2], KERNELS))
def test_the_path_is_what_single_fits_say_in_the_order_of_the_grid(kernel, y):
    path = KernelRidge(kernel).fit(X, y).loo_path(LAMS)
    assert isinstance(path, LooPath)
    np.testing.assert_array_equal(path.lams, LAMS)
    assert path.residuals.shape == (len(LAMS), *y.shape) and path.norm2.shape == (len(LAMS), *y.shape[1:])
    assert path.mse.shape == path.df.shape == (len(LAMS),)
    for j, lam in enumerate(LAMS):
        single = KernelRidge(kernel, lam=lam).fit(X, y)
        np.testing.assert_allclose(path.residuals[j], single.loo_residuals(), rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(path.norm2[j], single.norm2_, rtol=1e-8)
        assert path.df[j] == pytest.approx(single.effective_df(), rel=1e-9)
        assert path.mse[j] == pytest.approx(np.mean(single.loo_residuals() ** 2), rel=1e-8)
    assert path.best_lam == LAMS[np.argmin(path.mse)] and type(path.best_lam) is float


@pytest.mark.parametrize("lams", [[0.1, 1.0, 10.0], [10.0, 1.0, 0.1], [1.0, 10.0, 0.1]])
def test_of_equally_good_lams_the_largest_is_best_and_it_need_not_be_at_an_end(lams):
    path = loo_path(Gaussian()(X), np.zeros(N), lams)  # every fit is perfect
    np.testing.assert_array_equal(path.mse, np.zeros(3))
    assert path.best_lam == 10.0
    path = LooPath(lams=np.array([3.0, 1.0, 2.0]), residuals=None, mse=np.array([5.0, 4.0, 4.0]), df=None, norm2=None)
    assert path.best_lam == 2.0


def test_the_path_of_a_singular_matrix_is_exact():
    # K = 11ᵀ: 1ᵀ(K + λI)⁻¹ = 1ᵀ/(n + λ), so f₋ᵢ = (Σy - y_i)/(n - 1 + λ)
    path = loo_path(np.ones((N, N)), Y1, [1e-3, 0.5])
    for lam, residuals, df in zip(path.lams, path.residuals, path.df, strict=True):
        np.testing.assert_allclose(residuals, Y1 - (Y1.sum() - Y1) / (N - 1 + lam), rtol=0, atol=1e-8)
        assert df == pytest.approx(N / (N + lam), rel=1e-9)


def test_a_grid_that_is_none_is_refused():
    path = KernelRidge(Gaussian()).fit(X, Y1).loo_path
    refused(r"lams is empty; give at least one value, such as np\.logspace", path, [])
    refused(r"lams\[1\] must be positive, got 0; it multiplies", path, [1.0, 0.0])
    refused(r"lams\[0\] must be finite", path, [np.nan])
    refused(r"lams\[0\] must be a number, got str", path, ["1"], error=TypeError)
    refused(r"lams\[0\] must be a number, got NoneType", path, None, error=TypeError)
    refused(r"lams has shape \(2, 2\); expected \(m,\)", path, [[1.0, 2.0], [3.0, 4.0]])


def test_a_matrix_that_is_no_gram_matrix_is_refused():
    refused(r"K has shape \(2, 3\); a Gram matrix is square", loo_path, np.ones((2, 3)), [1.0, 2.0], [0.5, 3.0])
    refused("y has 1 entries and X has 2 rows", loo_path, np.eye(2), [1.0], [0.5, 3.0])
    refused("K is not symmetric", loo_path, [[1.0, 0.5], [0.25, 1.0]], [1.0, 2.0], [0.5, 3.0])
    refused(
        "K is not positive semi-definite: its smallest eigenvalue is -1",
        loo_path,
        [[1.0, 2.0], [2.0, 1.0]],
        [1.0, 2.0],
        [0.5, 3.0],
    )


def minus_distance(A, B):
    """-|x - z|: symmetric, and negative on Σα = 1."""
    return -np.abs(A - B.T)


def test_an_indefinite_kernel_is_refused_with_its_smallest_eigenvalue_and_what_to_do():
    x, y = np.arange(4.0)[:, None], [1.0, 0.0, 2.0, 1.0]
    smallest = np.linalg.eigvalsh(minus_distance(x, x))[0]
    with pytest.raises(ValueError) as caught:
        KernelRidge(minus_distance, lam=0.5).fit(x, y)
    message = str(caught.value)
    assert f"smallest eigenvalue of the Gram matrix K is {smallest:.3g}." in message
    assert "plus lam = 0.5 times the identity" in message
    assert "The kernel is not positive semi-definite on these points" in message and "choose one that is" in message
    lam = float(re.search(r"lam larger than (\S+) and", message)[1])
    assert lam == pytest.approx(-smallest, rel=1e-2)
    KernelRidge(minus_distance, lam=1.01 * lam).fit(x, y)


def test_a_singular_kernel_with_a_tiny_lam_is_told_apart_and_the_lam_named_is_enough():
    x = np.linspace(0, 1, 60)[:, None]  # a Gaussian this wide has numerical rank 6
    with pytest.raises(ValueError, match="is 0 up to rounding: take lam of at least") as caught:
        KernelRidge(Gaussian(3.0), lam=1e-25).fit(x, x[:, 0])
    lam = float(re.search(r"at least (\S+)\.$", str(caught.value))[1])
    assert lam < 1e-9
    model = KernelRidge(Gaussian(3.0), lam=lam).fit(x, x[:, 0])
    np.testing.assert_allclose(model.predict(x), x[:, 0], rtol=0, atol=1e-4)


@pytest.mark.filterwarnings("ignore:(overflow|invalid value) encountered:RuntimeWarning")
@pytest.mark.parametrize(("kernel", "scale"), [(Polynomial(degree=300), 100.0), (Linear(), 1e200)])
def test_a_kernel_that_overflows_is_refused_with_the_fix(kernel, scale):
    refused("the kernel overflows on these points; scale X down", KernelRidge(kernel).fit, scale * X, Y1)


def _cloud(n=15, t=None, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2))
    return X, rng.standard_normal(n if t is None else (n, t)) + 5


@pytest.mark.parametrize("t", [None, 1, 3])
def test_the_intercept_solves_the_bordered_system(t):
    X, y = _cloud(t=t)
    model = KernelRidge(Gaussian(0.7), lam=0.3, intercept=True).fit(X, y)
    n = len(X)
    bordered = np.block([[Gaussian(0.7)(X) + 0.3 * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    solution = np.linalg.solve(bordered, np.concatenate([y, np.zeros((1, *y.shape[1:]))]))
    np.testing.assert_allclose(model.dual_coef_, solution[:n], rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(model.intercept_, solution[n], rtol=1e-12)
    assert np.shape(model.intercept_) == y.shape[1:]
    np.testing.assert_allclose(model.dual_coef_.sum(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(model.predict(X), y - 0.3 * model.dual_coef_, rtol=1e-12)  # the residual is λα
    assert np.all(model.predict(X[:1] + 1e3) == model.intercept_)  # far away


def test_without_asking_there_is_no_intercept():
    X, y = _cloud()
    assert KernelRidge(Gaussian(0.7)).fit(X, y).intercept_ == 0.0
    assert KernelRidge(Gaussian(0.7)).fit(X, _cloud(t=2)[1]).intercept_.tolist() == [0.0, 0.0]
    for bad in (1, "yes", None):
        with pytest.raises(TypeError, match="intercept must be True or False, got"):
            KernelRidge(Gaussian(), intercept=bad).fit(X, y)
        refused("intercept must be True or False, got", loo_path, np.eye(15), y, [1.0], error=TypeError, intercept=bad)


@pytest.mark.parametrize("t", [None, 3])
def test_leave_one_out_with_an_intercept_is_that_of_refits(t):
    X, y = _cloud(t=t)
    model = KernelRidge(Gaussian(0.7), lam=0.3, intercept=True).fit(X, y)
    rows = np.arange(len(X))
    refits = np.stack(
        [
            y[i]
            - KernelRidge(Gaussian(0.7), lam=0.3, intercept=True).fit(X[rows != i], y[rows != i]).predict(X[[i]])[0]
            for i in rows
        ]
    )
    np.testing.assert_allclose(model.loo_residuals(), refits, rtol=1e-9)
    path = model.loo_path([5.0, 0.3])
    np.testing.assert_allclose(path.residuals[1], refits, rtol=1e-9)
    np.testing.assert_allclose(path.df[1], model.effective_df(), rtol=1e-10)
    np.testing.assert_allclose(path.norm2[1], model.norm2_, rtol=1e-9)


def test_degrees_of_freedom_with_an_intercept_are_the_trace_of_the_smoother():
    X, _ = _cloud()
    model = KernelRidge(Gaussian(0.7), lam=0.3, intercept=True).fit(X, np.eye(15))
    assert model.effective_df() == pytest.approx(np.trace(model.predict(X)), rel=1e-12)
    smooth = KernelRidge(Gaussian(0.7), lam=1e9, intercept=True).fit(X, np.eye(15))
    assert 1 < smooth.effective_df() < 1 + 1e-6  # the mean of y, and nothing else


def test_one_point_with_an_intercept_is_its_own_mean():
    model = KernelRidge(Gaussian(), intercept=True).fit([[1.0]], [3.0])
    assert model.predict([[0.0], [9.0]]).tolist() == pytest.approx([3.0, 3.0], rel=1e-15)
    refused("leaving out the only point leaves nothing", model.loo_residuals)
    refused("leaving out the only point leaves nothing", model.loo_path, [1.0])


def test_the_squared_loss_machine_with_intercept_is_not_kernel_ridge_regression():
    X, y = _cloud()
    with_b = KernelRidge(Gaussian(0.7), lam=0.3, intercept=True).fit(X, y).predict(X)
    without = KernelRidge(Gaussian(0.7), lam=0.3).fit(X, y).predict(X)
    centred = KernelRidge(Gaussian(0.7), lam=0.3).fit(X, y - y.mean()).predict(X) + y.mean()
    assert np.abs(with_b - without).max() > 0.1 and np.abs(with_b - centred).max() > 1e-3


@pytest.mark.filterwarnings("ignore:rounding errors may change the fitted values")
@each("kernel, n, w", product([Gaussian(0.5), Gaussian(3), Linear(), Polynomial(1, 1, 3)], [30, 100, 200], [None, 3]))
def test_where_lam_drowns_in_rounding_the_fit_is_refused_and_elsewhere_df_is_at_most_the_rank(kernel, n, w):
    rng = np.random.default_rng(n)
    points, y = rng.uniform(size=(n, 1)), rng.standard_normal(n)
    refused = 0
    for lam in 10.0 ** np.arange(-18, -9):
        try:
            df = KernelRidge(kernel, lam=lam).fit(points, y, None if w is None else np.full(n, w)).effective_df()
        except ValueError as error:
            assert "take lam of at least" in str(error)
            refused += 1
        else:
            assert 0 < df < 25  # of a kernel whose eigenvalues fall fast
    assert 0 < refused < 9


def test_an_outlier_of_huge_norm_does_not_make_lam_look_small():
    points = np.vstack([[[1e5, -1e5]], np.random.default_rng(0).standard_normal((9, 2))])  # k = 1e31 beside 1
    model = KernelRidge(Polynomial(degree=3), lam=0.5).fit(points, np.arange(10.0))
    alone = KernelRidge(Polynomial(degree=3), lam=0.5).fit(points[1:], np.arange(1.0, 10.0))
    assert np.abs(model.predict(points[1:]) - alone.predict(points[1:])).max() < 5


def test_a_tiny_lam_is_fine_where_the_matrix_is_regular():
    points = 10.0 * np.arange(50)[:, None]
    model = KernelRidge(Gaussian(1.0), lam=1e-17).fit(points, points[:, 0])
    np.testing.assert_allclose(model.predict(points), points[:, 0], atol=1e-12)
    assert model.effective_df() <= 50 * (1 + 1e-14)


@pytest.mark.parametrize("sample_weight, intercept", list(product([None, np.linspace(0.5, 3.0, 20)], [False, True])))
def test_degrees_of_freedom_stay_below_n_however_little_lam(intercept, sample_weight):
    x = np.linspace(-3, 3, 20)[:, None]
    K = Gaussian(0.907)(x)  # all of its eigenvalues are above their rounding, the least hardly
    for lam in (1e-22, 1e-17, 1e-3, 1.0, 1e6, 1e14):
        model = KernelRidge(Gaussian(0.907), lam=lam, intercept=intercept).fit(x, x[:, 0], sample_weight=sample_weight)
        df = model.effective_df()
        assert intercept <= df <= 20
        if not intercept and sample_weight is None and lam > 1e-9:
            mu = np.linalg.eigvalsh(K)
            np.testing.assert_allclose(df, np.sum(mu / (mu + lam)), rtol=1e-8)


def test_a_path_does_not_begin_below_the_rounding_of_eigenvalues():
    K = Gaussian(2.0)(np.linspace(-3, 3, 30)[:, None])
    with pytest.raises(ValueError, match="singular up to rounding.*lam = 1e-19 does not lift above 0.*Use larger lams"):
        loo_path(K, np.ones(30), [1e-19, 1.0])
    assert np.all(np.diff(loo_path(K, np.ones(30), [1e-12, 1e-6, 1.0]).df) < 0)


def test_a_query_far_away_leaves_the_others_as_they_are():
    x = np.linspace(0, 1, 30)[:, None]
    model = KernelRidge(Gaussian(0.2), lam=0.01).fit(x, np.sin(6 * x[:, 0]))
    np.testing.assert_allclose(model.predict([[0.5], [1e15]])[0], model.predict([[0.5]])[0], rtol=1e-9)
