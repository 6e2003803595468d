"""Anchors of chapter 9, first half (RKHS), computed through kcourse.

The curriculum's numbers, written down before kcourse could compute them: of its derivation, its exercises, what goes
wrong in them, its errata, and what its source computes, digit for digit.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

from kcourse.kernels import Brownian, Constant, Gaussian, Linear
from kcourse.rkhs import MercerPairs, RKHSFunction, brownian_mercer, interpolate


def column(x):
    return np.asarray(x, dtype=float)[:, None]


def section(kernel, x):
    """φ(x) = k(x, ·)."""
    return RKHSFunction(kernel, [np.atleast_1d(x)], [1.0])


def energy(f, points):
    """∫ f'² of a polygon with corners at ``points`` (which contain 0)."""
    points = np.sort(points)
    return np.sum(np.diff(f(column(points))) ** 2 / np.diff(points))


# ---------------------------------------------------------------- anchors: the space of min(s, t)


def test_the_norm_of_a_parabola():
    # ‖x²‖² = ∫ (2x)² = 4/3 is the limit of yᵀK⁻¹y, here 4/3 - h²/3 exactly, as the nodes fill [0, 1]
    for n in (4, 10, 100):
        x = np.arange(1, n + 1) / n
        assert interpolate(Brownian(), column(x), x**2).norm2 == pytest.approx(4 / 3 - 1 / (3 * n**2), rel=1e-10)


def test_the_norm_of_a_sine():
    # sin(πx/2) = e_1/√2, the first Mercer function
    assert brownian_mercer(1).norm2([1 / np.sqrt(2)]) == pytest.approx(np.pi**2 / 8, rel=1e-14)
    x = np.arange(1, 401) / 400
    norm2 = interpolate(Brownian(), column(x), np.sin(np.pi * x / 2)).norm2
    assert norm2 == pytest.approx(np.pi**2 / 8, rel=1e-5) and norm2 < np.pi**2 / 8


def test_the_inner_product_of_a_parabola_with_a_section_is_its_value():
    x = np.arange(1, 11) / 10
    f = interpolate(Brownian(), column(x), x**2)
    assert f.inner(section(Brownian(), 0.5)) == pytest.approx(0.25, abs=1e-14)
    # the integral itself, ∫ f' 1{y ≤ ½}
    assert quad(lambda y: 2 * y * (y <= 0.5), 0, 1, points=[0.5])[0] == pytest.approx(0.25, abs=1e-14)


def test_an_interpolant():
    f = interpolate(Brownian(), column([0.2, 0.5, 0.9]), [0.4, 0.1, 0.3])
    assert f.norm2 == pytest.approx(1.2, abs=1e-13)
    assert f(column([0.35, 1.0])).tolist() == pytest.approx([0.25, 0.3], abs=1e-14)
    # both ways of check (4): yᵀK⁻¹y = Σ Δy²/Δx
    assert energy(f, [0, 0.2, 0.5, 0.9, 1.0]) == pytest.approx(1.200000, abs=1e-13)


def test_mercer_eigenvalues_of_min():
    values = brownian_mercer(4).eigenvalues
    assert values.tolist() == pytest.approx([0.405285, 0.045032, 0.016211, 0.008271], abs=5e-7)
    assert brownian_mercer(100_000).eigenvalues.sum() == pytest.approx(0.5, abs=2e-6)


# ---------------------------------------------------------------- misconceptions and errata


def cantor(level):
    """Corners of the level-th approximation of the Cantor function, and which pieces are flat."""
    x, y = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    for _ in range(level):
        x, y = np.concatenate([x / 3, 2 / 3 + x / 3]), np.concatenate([y / 2, 0.5 + y / 2])
    return x, y


@pytest.mark.parametrize(
    ("level", "flat", "energy_"), [(2, 0.5556, 2.25), (4, 0.8025, 5.06), (6, 0.9122, 11.39), (8, 0.961, 25.63)]
)
def test_differentiable_almost_everywhere_is_not_enough(level, flat, energy_):
    # E21: the Cantor function is flat on [0, 1] but for a set of length 0, so ∫ f'² = 0, and rises to 1. Its polygons
    # leave the space: f must be absolutely continuous
    x, y = cantor(level)
    f = interpolate(Brownian(), column(x[1:]), y[1:])
    assert f.norm2 == pytest.approx(1.5**level, rel=1e-9)
    assert f.norm2 == pytest.approx(energy_, abs=6e-3)
    share = np.sum(np.diff(x)[np.diff(y) == 0])
    assert share == pytest.approx(1 - (2 / 3) ** level, rel=1e-12) == pytest.approx(flat, abs=5e-5)
    # Σ α_i k(x_i, 1), where Σ|α_i| grows from 16 to 13,000: each term rounds
    assert f([[1.0]])[0] == pytest.approx(1.0, abs=4 * np.finfo(float).eps * np.abs(f.coef).sum())


def test_min_is_no_kernel_on_negative_numbers():
    with pytest.raises(ValueError, match="negative entries"):  # E19: min(-1, -1) = -1
        section(Brownian(), -1.0)
    with pytest.raises(ValueError, match="a squared norm is -1 < 0"):
        _ = section(lambda A, B: np.minimum(A, B.T), -1.0).norm2


def test_an_interpolant_does_not_go_on_linearly():
    f = interpolate(Brownian(), column([0.2, 0.5, 0.9]), [0.4, 0.1, 0.3])
    assert f(column([0.9, 0.95, 1.0, 7.0])).tolist() == pytest.approx([0.3] * 4, abs=1e-13)
    assert f(column([0.0, 0.05, 0.1])).tolist() == pytest.approx([0.0, 0.1, 0.2], abs=1e-13)


# ---------------------------------------------------------------- what source 001 says and asks


@pytest.mark.parametrize("kernel", [Brownian(), Gaussian(0.7), Linear() + Constant(0.3)], ids=repr)
def test_reproducing_property_and_geometry(kernel):
    # 001-13: ⟨f, k(x, ·)⟩ = f(x); 001-15: ⟨φ(x), φ(z)⟩ = k(x, z)
    rng = np.random.default_rng(0)
    f = RKHSFunction(kernel, rng.uniform(0, 1, (6, 1)), rng.standard_normal(6))
    for x, z in rng.uniform(0, 1, (10, 2)):
        assert f.inner(section(kernel, x)) == pytest.approx(f([[x]])[0], abs=1e-13)
        assert section(kernel, x).inner(section(kernel, z)) == pytest.approx(kernel([[x]], [[z]])[0, 0], abs=1e-14)


def test_coefficients_that_give_one_function_give_one_inner_product():
    # 001-14 (Aronszajn): the inner product built from k is one of functions, not of coefficients
    X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    f, same = RKHSFunction(Linear(), X, [1.0, 2.0, 0.0]), RKHSFunction(Linear(), X, [0.0, 1.0, 1.0])
    g = RKHSFunction(Linear(), [[3.0, -1.0]], [2.0])
    assert f.inner(g) == same.inner(g) == 2.0 and f.norm2 == same.norm2 == 5.0 and f.distance(same) == 0.0


def test_the_space_of_the_linear_kernel():
    # 001-18: f(x) = wᵀx with ‖f‖ = ‖w‖
    rng = np.random.default_rng(0)
    X, alpha, Q = rng.standard_normal((5, 3)), rng.standard_normal(5), rng.standard_normal((4, 3))
    f, w = RKHSFunction(Linear(), X, alpha), X.T @ alpha
    np.testing.assert_allclose(f(Q), Q @ w, rtol=1e-13)
    assert f.norm == pytest.approx(np.linalg.norm(w), rel=1e-13)


def test_the_norm_of_the_gaussian_space_weighs_high_frequencies():
    # 001-18: ‖f‖² = (1/2π) ∫ |f̂(ω)|²/k̂(ω) dω, with k̂(ω) = √(2π) σ exp(-σ²ω²/2)
    sigma, X, alpha = 0.7, np.array([-0.4, 0.3, 1.1]), np.array([1.0, -2.0, 0.5])
    f = RKHSFunction(Gaussian(sigma), column(X), alpha)

    def spectral(omega):
        k_hat = np.sqrt(2 * np.pi) * sigma * np.exp(-0.5 * (sigma * omega) ** 2)
        f_hat = np.sum(alpha * np.exp(-1j * omega * X)) * k_hat
        return abs(f_hat) ** 2 / k_hat / (2 * np.pi)

    assert quad(spectral, -12, 12, limit=200)[0] == pytest.approx(f.norm2, rel=1e-9)
    # the constant 1 is not in it: the least norm of a function that is 1 on ever more points grows without bound
    norms = [interpolate(Gaussian(0.1), column(np.arange(n) * 0.2), np.ones(n)).norm2 for n in (10, 100, 1000)]
    assert norms[1] / norms[0] == pytest.approx(10, rel=0.05) and norms[2] / norms[1] == pytest.approx(10, rel=0.01)


def test_the_exercise_of_source_001():
    # 001-20, 001-21 (E21b): f(x) = ∫ f'(y) 1{y ≤ x} dy = ∫ f'(y) ∂_y min(x, y) dy, so k = min
    def df(y):
        return 3 * np.cos(3 * y) + y

    for x in (0.2, 0.55, 1.0):
        assert quad(df, 0, x)[0] == pytest.approx(np.sin(3 * x) + x**2 / 2, abs=1e-12)
    # 001-22: φ(x) rises with slope 1 up to x and is constant after it; ‖φ(x)‖² = ∫ 1{y ≤ x} = x
    phi = section(Brownian(), 0.4)
    assert phi(column([0.0, 0.1, 0.4, 0.7, 1.0])).tolist() == [0.0, 0.1, 0.4, 0.4, 0.4]
    assert phi.norm2 == 0.4 == pytest.approx(energy(phi, [0, 0.4, 1.0]), abs=1e-15)


def test_norms_in_the_space_of_min_are_energies():
    rng = np.random.default_rng(0)
    X, alpha = rng.uniform(0, 1, 7), rng.standard_normal(7)
    f = RKHSFunction(Brownian(), column(X), alpha)
    assert f.norm2 == pytest.approx(energy(f, np.append(X, [0, 1])), rel=1e-12)


def test_mercer_functions_are_eigenfunctions():
    pairs = brownian_mercer(5)
    assert isinstance(pairs, MercerPairs)

    def e(j, t):
        return pairs.eigenfunctions([[t]])[0, j]

    for j in range(5):
        for x in (0.15, 0.6, 1.0):
            integral = quad(lambda z, j=j, x=x: min(x, z) * e(j, z), 0, 1, points=[x])[0]
            assert integral == pytest.approx(pairs.eigenvalues[j] * e(j, x), abs=1e-10)
    t, w = np.polynomial.legendre.leggauss(40)
    E = pairs.eigenfunctions(column((t + 1) / 2))
    np.testing.assert_allclose(E.T @ (w[:, None] / 2 * E), np.eye(5), atol=1e-13)


def test_coefficients_of_mercer_functions_give_norms():
    # f = k(x, ·) = Σ λ_j e_j(x) e_j has ‖f‖² = Σ λ_j e_j(x)² → x
    pairs = brownian_mercer(20_000)
    c = pairs.eigenvalues * pairs.eigenfunctions([[0.3]])[0]
    assert pairs.norm2(c) == pytest.approx(0.3, abs=1e-4)
