"""kcourse.kpca against scikit-learn, and against explicit features."""

import numpy as np
import pytest
from sklearn import decomposition
from sklearn.datasets import load_digits, load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.preprocessing import StandardScaler

from kcourse.kernels import Gaussian, Linear, Polynomial
from kcourse.kpca import KernelFisherDiscriminant, KernelPCA
from tests.rows import each

WINE = load_wine()
X = StandardScaler().fit_transform(WINE.data)
TRAIN, TEST = X[::2], X[1::2]
Y = WINE.target[::2]


def same_up_to_sign(a, b, **tolerance):
    signs = np.sign(np.sum(a * b, axis=0))
    np.testing.assert_allclose(a, b * signs, **tolerance)


@each("q", [1, 2, 7, 40])
@each(
    ("kernel", "theirs"),
    [
        (Gaussian(3.0), {"kernel": "rbf", "gamma": 1 / 18}),
        (Polynomial(gamma=0.1, coef0=2.0, degree=3), {"kernel": "poly", "gamma": 0.1, "coef0": 2.0, "degree": 3}),
    ],
)
def test_kernel_pca(kernel, theirs, q):
    ours = KernelPCA(kernel, n_components=q).fit(TRAIN)
    peer = decomposition.KernelPCA(q, eigen_solver="dense", **theirs).fit(TRAIN)
    np.testing.assert_allclose(ours.eigenvalues_, peer.eigenvalues_, rtol=1e-10)
    same_up_to_sign(ours.transform(TEST), peer.transform(TEST), rtol=0, atol=1e-10 * np.sqrt(ours.eigenvalues_[0]))
    same_up_to_sign(ours.fit_transform(TRAIN), peer.fit_transform(TRAIN), rtol=0, atol=1e-10 * ours.eigenvalues_[0])


@pytest.mark.parametrize("q", [2, 20])
def test_kernel_pca_of_many_points(q):
    digits = load_digits().data[:600]
    ours = KernelPCA(Gaussian(34.0), n_components=q).fit(digits)
    peer = decomposition.KernelPCA(q, kernel="rbf", gamma=1 / (2 * 34.0**2), eigen_solver="dense").fit(digits)
    np.testing.assert_allclose(ours.eigenvalues_, peer.eigenvalues_, rtol=1e-12)
    same_up_to_sign(ours.transform(digits[:50]), peer.transform(digits[:50]), rtol=0, atol=1e-11)


def test_ordinary_pca():
    ours, peer = KernelPCA(Linear(), n_components=5).fit(TRAIN), PCA(5).fit(TRAIN)
    same_up_to_sign(ours.transform(TEST), peer.transform(TEST), rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours.explained_variance_ratio_, peer.explained_variance_ratio_, rtol=1e-12)
    np.testing.assert_allclose(ours.eigenvalues_ / (len(TRAIN) - 1), peer.explained_variance_, rtol=1e-12)
    back = peer.inverse_transform(peer.transform(TEST))
    np.testing.assert_allclose(ours.inverse_transform(ours.transform(TEST)), back, rtol=0, atol=1e-12)


def test_denoising_digits_brings_them_closer_to_the_clean_ones():
    digits = load_digits().data
    train, clean = digits[:400], digits[400:420]
    noisy = clean + 4 * np.random.default_rng(0).standard_normal(clean.shape)
    ours = KernelPCA(Gaussian(30.0), n_components=40).fit(train)
    found = ours.pre_image(ours.transform(noisy), tol=1e-4)
    assert found.converged.all()
    # 1 - 2 g(z) + ‖p‖² as scikit-learn's parts give it
    peer = decomposition.KernelPCA(40, kernel="rbf", gamma=1 / 1800, eigen_solver="dense").fit(train)
    assert np.sum((found.points - clean) ** 2) < 0.6 * np.sum((noisy - clean) ** 2)
    # scores of the point found are near those asked for
    gap = np.abs(np.abs(peer.transform(found.points)) - np.abs(peer.transform(noisy)))
    assert gap.max() < 0.2


def test_fisher_with_the_linear_kernel_tends_to_linear_discriminant_analysis():
    peer = LinearDiscriminantAnalysis(solver="eigen").fit(TRAIN, Y)
    ours = KernelFisherDiscriminant(Linear(), lam=1e-7).fit(TRAIN, Y)
    w = TRAIN.T @ ours.dual_coef_  # the axes in the input space
    cosines = [abs(a @ b) / np.linalg.norm(a) / np.linalg.norm(b) for a, b in zip(w.T, peer.scalings_.T, strict=False)]
    assert np.min(cosines) > 1 - 1e-8  # "cosine 1.00000000"
    same_up_to_sign(w, peer.scalings_[:, :2], rtol=1e-4)  # in length too: unit variance within classes
    theirs = peer.transform(TEST) - peer.transform(TRAIN).mean(axis=0)
    same_up_to_sign(ours.transform(TEST), theirs, rtol=0, atol=1e-5)


def test_two_equally_large_classes_have_the_log_odds_of_linear_discriminant_analysis():
    first, second = (np.flatnonzero(Y == c)[:24] for c in (0, 1))
    both = np.concatenate([first, second])
    ours = KernelFisherDiscriminant(Linear(), lam=1e-7).fit(TRAIN[both], Y[both])
    peer = LinearDiscriminantAnalysis(solver="lsqr", priors=[0.5, 0.5]).fit(TRAIN[both], Y[both])
    np.testing.assert_allclose(ours.decision_function(TEST), peer.decision_function(TEST), rtol=1e-3, atol=1e-3)
    np.testing.assert_array_equal(ours.predict(TEST), peer.predict(TEST))


def test_polynomial_fisher_is_linear_fisher_on_products():
    # with explicit features F: w = Fᵀα, K = FFᵀ
    A = TRAIN[:, :2]
    F = np.column_stack([A[:, 0] ** 2, A[:, 1] ** 2, np.sqrt(2) * A[:, 0] * A[:, 1], np.sqrt(2) * A, np.ones(len(A))])
    np.testing.assert_allclose(F @ F.T, Polynomial(degree=2)(A), atol=1e-12)
    by_kernel = KernelFisherDiscriminant(Polynomial(degree=2), lam=0.3).fit(A, Y)
    by_features = KernelFisherDiscriminant(Linear(), lam=0.3).fit(F, Y)
    np.testing.assert_allclose(by_kernel.transform(A), by_features.transform(F), atol=1e-7)
