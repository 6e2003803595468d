"""Anchors of chapter 10, computed through kcourse.

The curriculum's numbers, written down before kcourse could compute them: of its derivation, its exercises and what
goes wrong in them, digit for digit. The draws of landmarks and frequencies behind its averages are not recorded, so
averages are compared within their spread; only what depends on no draw is compared digit for digit.
"""

from __future__ import annotations

import contextlib
import tracemalloc
from pathlib import Path

import nbformat
import numpy as np
import pytest
from sklearn.datasets import load_digits

from kcourse.checks import exercise
from kcourse.datasets import load_terrain
from kcourse.kernels import Gaussian
from kcourse.scaling import Nystrom, NystromRidge, RandomFourierFeatures

SMALL = np.array([[0, 0], [1, 2], [3, 0.7], [2.2, 4]])

# ---------------------------------------------------------------- derivation


def test_zero_error_on_the_landmarks():
    X = np.random.default_rng(0).normal(size=(200, 3))
    model = Nystrom(Gaussian(1.5), n_landmarks=20).fit(X)
    np.testing.assert_allclose(model.residual(model.landmarks_), 0, atol=1e-12)
    F = model.transform(X)
    np.testing.assert_allclose(F @ model.transform(model.landmarks_).T, Gaussian(1.5)(X, model.landmarks_), atol=1e-12)


def test_generalised_rbf_networks_are_nystrom_ridge():
    X = np.random.default_rng(0).normal(size=(200, 3))
    d, T, lam = np.sin(X[:, 0]), X[:20], 0.3
    G, G0 = Gaussian(1.5)(X, T), Gaussian(1.5)(T)
    w = np.linalg.solve(G.T @ G + lam * G0, G.T @ d)
    model = NystromRidge(Gaussian(1.5), landmarks=T, lam=lam).fit(X, d)
    np.testing.assert_allclose(model.predict(X), G @ w, atol=3e-12)  # quoted: 3e-13, at sizes not recorded
    np.testing.assert_allclose(model.dual_coef_, w, atol=1e-8)


@pytest.mark.parametrize(
    ("paired", "theory", "quoted"), [(True, "1.998e-03", 2.015e-3), (False, "3.499e-03", 3.506e-3)]
)
def test_means_and_variances_of_random_features(paired, theory, quoted):
    # D = 200, ‖δ‖ = σ
    sigma, D, draws = 1.3, 200, 6000
    X, k = np.array([[0.0, 0.0], [0.6 * sigma, 0.8 * sigma]]), np.exp(-0.5)
    assert f"{k:.5f}" == "0.60653"
    z = (
        RandomFourierFeatures(Gaussian(sigma), n_features=D, paired=paired, rng=s).fit_transform(X)
        for s in range(draws)
    )
    products = np.array([a @ b for a, b in z])
    variance = ((1 - k**2) ** 2 if paired else 1 + k**4 / 2 - k**2) / D
    assert f"{variance:.3e}" == theory
    assert products.mean() == pytest.approx(k, abs=4 * np.sqrt(variance / draws))
    assert products.var() == pytest.approx(variance, rel=4 * np.sqrt(2 / draws))
    assert quoted == pytest.approx(variance, rel=0.01)  # "theory agrees to 1 %"


# ---------------------------------------------------------------- anchors: sinc, n = 3000


# ---------------------------------------------------------------- anchors: digits, γ = ½, 1200 to train with

DIGITS = load_digits()
X, LABELS, Y = DIGITS.data / 16, DIGITS.target, np.eye(10)[DIGITS.target]


# ---------------------------------------------------------------- exercises: the right answers


INPUTS = {
    "rff": (
        np.array([[0, 1], [2, -1], [0.5, 0.5]]), np.random.default_rng(0).normal(size=(2, 4000)),
        np.random.default_rng(1).uniform(0, 2 * np.pi, 4000), 1.3,
    ),
    "nystrom_features": (SMALL, SMALL[:2], 2.0),
}  # fmt: skip


@pytest.mark.parametrize("name", INPUTS)
def test_the_sheets_right_features_are_the_librarys(name):
    F, X = exercise(name).reference(*INPUTS[name]), INPUTS[name][0]
    ours = RandomFourierFeatures(Gaussian(1.3), n_features=4000, paired=False).fit(X)
    if name == "rff":
        ours.frequencies_, ours.phases_ = INPUTS[name][1] / 1.3, INPUTS[name][2]
    else:
        ours = Nystrom(Gaussian(2.0), landmarks=SMALL[:2]).fit(X)
    np.testing.assert_allclose(F @ F.T, ours.transform(X) @ ours.transform(X).T, atol=1e-12)


# ---------------------------------------------------------------- other misconceptions, with their numbers


def test_random_features_do_not_look_at_the_data():
    a, b = (RandomFourierFeatures(Gaussian(1.3), rng=0).fit(points) for points in (SMALL, 50 - 9 * SMALL))
    np.testing.assert_array_equal(a.frequencies_, b.frequencies_)


def test_gamma_is_half_the_variance_of_the_frequencies():
    gamma = 0.37
    model = RandomFourierFeatures(Gaussian(1 / np.sqrt(2 * gamma)), n_features=200_000).fit(SMALL)
    assert model.frequencies_.var() == pytest.approx(2 * gamma, rel=0.02)


@pytest.mark.parametrize("error", [NotImplementedError, ValueError])
def test_the_sheet_stops_counting_memory_whatever_an_answer_raises(error):
    """Counting that goes on makes all later cells slow, and the next run of this one sees an old peak."""
    sheet = nbformat.read(Path(__file__).parents[3] / "exercises" / "ch10_scaling_sheet.ipynb", as_version=4)
    code = next(cell.source for cell in sheet.cells if cell.id == "mountains-run")

    def stream_ridge(*_args):
        raise error

    with contextlib.suppress(ValueError):
        exec(code, {"np": np, "tracemalloc": tracemalloc, "load_terrain": load_terrain, "stream_ridge": stream_ridge})
    tracing = tracemalloc.is_tracing()
    tracemalloc.stop()
    assert not tracing
