"""Anchors of chapter 3, computed through kcourse.

The curriculum's numbers, written down before kcourse could compute them: of its derivation, its exercises and what
goes wrong in them, digit for digit.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from kcourse import Constant, Gaussian, KernelRidge, Linear
from kcourse.datasets import load_diabetes, make_sinc

SINC = make_sinc(rng=0)
GRID = np.arange(-3, 3, 0.05)[:, None]


def sinc_rmse(sigma, lam):
    model = KernelRidge(Gaussian(sigma), lam=lam).fit(SINC.X, SINC.y)
    return np.sqrt(np.mean((model.predict(GRID) - np.sinc(GRID[:, 0])) ** 2))


# ---------------------------------------------------------------- anchors


def test_two_points():
    model = KernelRidge(Gaussian(1.0), lam=0.5).fit([[0.0], [1.0]], [1.0, -1.0])
    alpha = 1 / (1 + 0.5 - np.exp(-0.5))
    assert alpha == pytest.approx(1.1192325857, abs=5e-11)
    np.testing.assert_allclose(model.dual_coef_, [alpha, -alpha], rtol=1e-14)
    assert model.predict([[0.0]])[0] == pytest.approx(0.4403837071, abs=5e-11)


@pytest.mark.parametrize(
    ("sigma", "rmse", "df", "loo"),
    [(0.2, 0.184071, 12.5520, 0.044965), (0.5, 0.086013, 8.1260, 0.028521), (1.0, 0.141554, 5.2317, 0.043831)],
)
def test_sinc_errors_degrees_of_freedom_and_leave_one_out(sigma, rmse, df, loo):
    model = KernelRidge(Gaussian(sigma), lam=0.5).fit(SINC.X, SINC.y)
    assert sinc_rmse(sigma, 0.5) == pytest.approx(rmse, abs=5e-7)
    assert model.effective_df() == pytest.approx(df, abs=5e-5)
    assert np.mean(model.loo_residuals() ** 2) == pytest.approx(loo, abs=5e-7)
    path = model.loo_path([0.5])
    assert path.df[0] == pytest.approx(df, abs=5e-5) and path.mse[0] == pytest.approx(loo, abs=5e-7)


def test_diabetes_is_the_same_through_442_numbers_and_through_10():
    X, y = load_diabetes(return_X_y=True)
    dual = KernelRidge(Linear(), lam=1.0).fit(X, y).predict(X)
    assert dual[:3].tolist() == pytest.approx([30.53987004, -61.13487760, 13.97999181], abs=5e-9)
    primal = Ridge(alpha=1.0, fit_intercept=False).fit(X, y).predict(X)
    np.testing.assert_allclose(dual, primal, rtol=0, atol=5e-13)


# ---------------------------------------------------------------- misconceptions, with the number that refutes each


def test_there_is_no_intercept():
    model = KernelRidge(Gaussian(0.5), lam=0.5).fit(SINC.X, SINC.y + 5)
    assert model.predict([[100.0]])[0] == 0.0
    shift = model.predict(GRID) - KernelRidge(Gaussian(0.5), lam=0.5).fit(SINC.X, SINC.y).predict(GRID)
    assert np.abs(shift - 5).max() > 0.5  # predictions do not follow the shift
    # a constant kernel gives a penalised constant, which follows almost
    wide = KernelRidge(Gaussian(0.5) + Constant(1e6), lam=0.5)
    follows = wide.fit(SINC.X, SINC.y + 5).predict(GRID) - wide.fit(SINC.X, SINC.y).predict(GRID)
    np.testing.assert_allclose(follows, 5, atol=1e-3)


@pytest.mark.parametrize("lam", [1e-6, 0.5, 10, 1000])
def test_no_coefficient_is_zero(lam):
    assert np.all(KernelRidge(Gaussian(0.5), lam=lam).fit(SINC.X, SINC.y).dual_coef_ != 0)


@pytest.mark.parametrize(
    ("sigma", "gap", "called", "right"),
    [(0.2, 0.7243, 0.3132, 0.1841), (0.5, 0.0, 0.086, 0.086), (1.0, 0.3713, 0.2709, 0.1416)],
)
def test_swapped_arguments_agree_by_luck_where_both_are_equal(sigma, gap, called, right):
    # E62: krr(x, y, Lambda, sigma) for krr(X, y, sigma, Lambda): trained with width λ and penalty σ, drawn with width σ
    lam = 0.5
    alpha = KernelRidge(Gaussian(lam), lam=sigma).fit(SINC.X, SINC.y).dual_coef_
    drawn = Gaussian(sigma)(GRID, SINC.X) @ alpha
    meant = KernelRidge(Gaussian(sigma), lam=lam).fit(SINC.X, SINC.y).predict(GRID)
    assert np.abs(drawn - meant).max() == pytest.approx(gap, abs=5e-5)
    assert np.sqrt(np.mean((drawn - np.sinc(GRID[:, 0])) ** 2)) == pytest.approx(called, abs=5e-5)
    assert sinc_rmse(sigma, lam) == pytest.approx(right, abs=5e-5)


# ---------------------------------------------------------------- exercises: the canonical inputs and right answers


def test_exercise_3_3_the_primal_weights_from_the_dual():
    Phi, y = np.array([[1.0, 2, 0], [0, 1, -1], [2, 0, 1]]), [1.0, 3.0, -1.0]
    alpha = KernelRidge(Linear(), lam=0.5).fit(Phi, y).dual_coef_
    assert (Phi.T @ alpha).tolist() == pytest.approx([0.141079, 0.589212, -1.477178], abs=5e-7)
    assert alpha.tolist() == pytest.approx([-0.639004, 1.86722, 0.390041], abs=5e-7)  # the catalogued mistake
