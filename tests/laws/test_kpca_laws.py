"""What holds of kernel PCA and kernel LDA, whatever the points and the kernel."""

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kcourse.kernels import Constant, Linear
from kcourse.kpca import KernelFisherDiscriminant, KernelPCA, center, center_rows, fisher_direction
from tests.laws.law import QUERIES, D, close, kernels, laws, sixteenths

law = laws(30)


@st.composite
def points(draw, n_min=3, n_max=9):
    X = draw(arrays(float, (draw(st.integers(n_min, n_max)), D), elements=sixteenths))
    assume(len(np.unique(X, axis=0)) > 2 and np.linalg.matrix_rank(X - X.mean(axis=0)) == D)
    return X


@st.composite
def labelled(draw, classes=2):
    X = draw(points(n_min=2 * classes + 1))
    y = np.arange(len(X)) % classes
    assume(len({tuple(X[y == c].mean(axis=0)) for c in range(classes)}) == classes)
    return X, y


def every_axis(kernel, X):
    return KernelPCA(kernel, n_components=None).fit(X)


@law(points(), kernels)
def test_scores_are_centred_and_uncorrelated_with_variances_lambda_over_n(X, kernel):
    model = every_axis(kernel, X)
    scores = model.fit_transform(X)
    close(scores.sum(axis=0), np.zeros(scores.shape[1]))
    close(scores.T @ scores / len(X), np.diag(model.eigenvalues_ / len(X)))


@law(points(), kernels)
def test_all_axes_keep_all_distances(X, kernel):
    scores, K = every_axis(kernel, X).fit_transform(X), kernel(X)
    squares = np.sum((scores[:, None] - scores) ** 2, axis=2)
    close(squares, K.diagonal()[:, None] + K.diagonal() - 2 * K)


@law(points(), kernels)
def test_axes_are_orthonormal_functions(X, kernel):
    model = every_axis(kernel, X)
    kept = model.eigenvalues_ > 1e-6 * model.eigenvalues_[0]
    # to the last digits, also where λ is small: K is not centred, and the mean feature is larger than most axes
    assert np.all(np.abs(model.dual_coef_.sum(axis=0)) <= 1e-14 * np.abs(model.dual_coef_).sum(axis=0))
    A = model.dual_coef_[:, kept]
    close(A.T @ kernel(X) @ A, np.eye(A.shape[1]), rtol=1e-7)


@law(points(), kernels, st.floats(0.0, 20.0))
def test_a_constant_added_to_the_kernel_changes_nothing(X, kernel, c):
    one, other = KernelPCA(kernel, n_components=2), KernelPCA(kernel + Constant(c), n_components=2)
    close(other.fit(X).eigenvalues_, one.fit(X).eigenvalues_)
    # rounding turns an axis by ε λ₁/(λ₂ - λ₃): where two of them vary as much, anywhere in their plane
    first, second, *rest = every_axis(kernel, X).eigenvalues_
    assume(second > 1e-3 * first and first > 1.001 * second and (not rest or second > 1.001 * rest[0]))
    close(np.abs(other.transform(QUERIES)), np.abs(one.transform(QUERIES)), rtol=1e-6)


@law(points(), kernels, st.floats(0.01, 100.0))
def test_a_factor_of_the_kernel_is_a_factor_of_the_variances(X, kernel, c):
    one, other = every_axis(kernel, X), every_axis(c * kernel, X)
    q = min(len(one.eigenvalues_), len(other.eigenvalues_))
    close(other.eigenvalues_[:q], c * one.eigenvalues_[:q], rtol=1e-8)
    close(other.explained_variance_ratio_[:q], one.explained_variance_ratio_[:q], rtol=1e-8)


@law(points(), kernels, st.randoms(use_true_random=False))
def test_the_order_of_the_points_does_not_matter(X, kernel, random):
    order = list(range(len(X)))
    random.shuffle(order)
    one, other = KernelPCA(kernel, n_components=2).fit(X), KernelPCA(kernel, n_components=2).fit(X[order])
    close(other.eigenvalues_, one.eigenvalues_)
    assume(one.eigenvalues_[0] > 1.001 * one.eigenvalues_[1])
    close(np.abs(other.transform(QUERIES)[:, 0]), np.abs(one.transform(QUERIES)[:, 0]), rtol=1e-6)


@law(points(), kernels, st.integers(2, 3))
def test_points_given_several_times_give_the_same_axes(X, kernel, times):
    one = KernelPCA(kernel, n_components=2).fit(X)
    other = KernelPCA(kernel, n_components=2).fit(np.tile(X, (times, 1)))
    close(other.eigenvalues_, times * one.eigenvalues_)
    close(other.explained_variance_ratio_, one.explained_variance_ratio_)


@law(points(), kernels)
def test_ratios_sum_to_one(X, kernel):
    full = every_axis(kernel, X)
    close(full.explained_variance_ratio_.sum(), 1.0)
    for q in range(1, len(full.eigenvalues_)):
        model = KernelPCA(kernel, n_components=q).fit(X)
        close(model.explained_variance_ratio_, full.explained_variance_ratio_[:q])


@law(points(), st.integers(1, 2))
def test_the_linear_kernel_gives_ordinary_pca(X, q):
    model = KernelPCA(Linear(), n_components=q).fit(X)
    mean = X.mean(axis=0)
    _, s, Vt = np.linalg.svd(X - mean, full_matrices=False)
    close(model.eigenvalues_, s[:q] ** 2)
    close(model.explained_variance_ratio_, s[:q] ** 2 / np.sum(s**2))
    assume(s[0] > 1.001 * s[1])
    close(np.abs(model.transform(QUERIES)), np.abs((QUERIES - mean) @ Vt[:q].T), rtol=1e-7)


@law(points(), kernels, st.integers(0, 2**16))
def test_no_direction_beats_the_first_axis(X, kernel, seed):
    K, rng = center(kernel(X)), np.random.default_rng(seed)
    first = KernelPCA(kernel, n_components=1).fit(X).eigenvalues_[0]
    a = rng.standard_normal((len(X), 5))
    assert np.all(np.sum(a * (K @ K @ a), axis=0) <= first * np.sum(a * (K @ a), axis=0) * (1 + 1e-9))


@law(points(), kernels)
def test_centring_twice_is_centring_once_and_training_rows_are_rows_of_the_centred_matrix(X, kernel):
    K = kernel(X)
    close(center(center(K)), center(K))
    close(center_rows(K, K), center(K))
    U = np.full((len(X), len(X)), 1 / len(X))
    close(center(K), K - U @ K - K @ U + U @ K @ U)


@law(labelled(), kernels, st.floats(0.05, 10.0))
def test_the_fisher_axis_is_that_of_least_squares_on_labels(Xy, kernel, lam):
    # minimise Σ (y - b - Kα)² + λ‖α‖²
    X, y = Xy
    K, n = kernel(X), len(X)
    A = np.column_stack([K, np.ones(n)])
    penalty = lam * np.diag(np.append(np.ones(n), 0.0))
    alpha = np.linalg.solve(A.T @ A + penalty, A.T @ (2.0 * y - 1))[:n]
    close(fisher_direction(K, y, lam=lam), alpha / np.linalg.norm(alpha), rtol=1e-6)


@law(labelled(), kernels, st.floats(0.05, 10.0), st.integers(0, 2**16))
def test_no_direction_has_a_larger_fisher_ratio(Xy, kernel, lam, seed):
    X, y = Xy
    K = kernel(X)
    model = KernelFisherDiscriminant(kernel, lam=lam).fit(X, y)

    def ratio(a):  # of the scores Kα: between the classes over within, plus the penalty
        s = K @ a
        means = np.array([s[y == c].mean() for c in (0, 1)])
        return np.sum((means[y] - s.mean()) ** 2) / (np.sum((s - means[y]) ** 2) + lam * a @ a)

    close(ratio(model.dual_coef_[:, 0]), model.ratios_[0], rtol=1e-7)
    for a in np.random.default_rng(seed).standard_normal((5, len(X))):
        assert ratio(a) <= model.ratios_[0] * (1 + 1e-9)


@law(labelled(classes=3), kernels, st.floats(0.05, 10.0), st.randoms(use_true_random=False))
def test_order_and_names_of_the_points_and_classes_do_not_matter(Xy, kernel, lam, random):
    X, y = Xy
    order = list(range(len(X)))
    random.shuffle(order)
    one = KernelFisherDiscriminant(kernel, lam=lam).fit(X, y)
    other = KernelFisherDiscriminant(kernel, lam=lam).fit(X[order], np.array(["a", "b", "c"])[y[order]])
    close(other.ratios_, one.ratios_, rtol=1e-7)
    distances = [np.linalg.norm(m.transform(QUERIES)[:, None] - m.means_, axis=2) for m in (one, other)]
    close(distances[1], distances[0], rtol=1e-5)


@law(labelled(), st.floats(0.05, 10.0), kernels, st.floats(0.0, 5.0))
def test_swapped_labels_turn_the_axis_round(Xy, lam, kernel, c):
    X, y = Xy
    K = kernel(X)
    close(fisher_direction(K, 1 - y, lam=lam), -fisher_direction(K, y, lam=lam))
    # a constant kernel moves M_1 and M_0 alike, and no class has more spread for it
    close(fisher_direction(K + c, y, lam=lam), fisher_direction(K, y, lam=lam), rtol=1e-7)
