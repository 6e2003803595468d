"""kcourse.kpca: centring, axes, scores, pre-images and discriminants, and what is refused."""

import re
import warnings
from itertools import product

import numpy as np
import pytest

from kcourse.base.estimator import NotFittedError
from kcourse.kernels import Constant, Gaussian, Laplacian, Linear, Polynomial, Sigmoid, ThinPlate
from kcourse.kpca import KernelFisherDiscriminant, KernelPCA, PreImages, center, center_rows, fisher_direction
from kcourse.kpca.spectrum import _dense, _lanczos, _range_of_rest, top_eigenpairs
from tests.rows import each
from tests.unit.refused import refused

N, D = 17, 3
RNG = np.random.default_rng(0)
X, XQ = RNG.standard_normal((N, D)), RNG.standard_normal((5, D))
Y = np.repeat([2, 5, 9], [5, 6, 6])
KERNELS = [Gaussian(1.3), 2 * Laplacian(0.7) + 0.5, Linear(), Polynomial(degree=3)]


def features_of(function):
    """A kernel with a known feature map, as a plain function."""
    return lambda A, B: function(A) @ function(B).T


def squares(A):
    return np.column_stack([A, A**2])


def test_centring_is_that_of_features():
    F, G = squares(X), squares(XQ)
    K, Kq = F @ F.T, G @ F.T
    np.testing.assert_allclose(center(K), (F - F.mean(axis=0)) @ (F - F.mean(axis=0)).T, atol=1e-12)
    np.testing.assert_allclose(center_rows(Kq, K), (G - F.mean(axis=0)) @ (F - F.mean(axis=0)).T, atol=1e-12)


def test_a_centred_matrix_is_symmetric_to_the_last_bit_and_its_argument_is_left_alone():
    K = Gaussian(1.0)(np.random.default_rng(1).standard_normal((300, 2)))
    before = K.copy()
    centred = center(K)
    np.testing.assert_array_equal(centred, centred.T)
    np.testing.assert_array_equal(K, before)
    np.testing.assert_allclose(centred.sum(axis=0), 0, atol=1e-12)
    K.flags.writeable = False
    np.testing.assert_array_equal(center(K), centred)
    np.testing.assert_array_equal(center(np.asfortranarray(K)), centred)
    rows = K[:4].copy()
    center_rows(rows, K)
    np.testing.assert_array_equal(rows, K[:4])
    np.testing.assert_allclose(center_rows(rows, K), centred[:4], atol=1e-14)


def test_centring_refuses_what_is_no_gram_matrix():
    refused(re.escape("K has shape (2, 3); a Gram matrix is square"), center, np.ones((2, 3)))
    refused("K is not symmetric", center, [[1.0, 2.0], [0.0, 1.0]])
    refused(re.escape("Kq has shape (3, 2) and K (3, 3)"), center_rows, np.ones((3, 2)), np.eye(3))
    refused(re.escape("Kq has shape (3,)"), center_rows, np.ones(3), np.eye(3))
    assert center([[5.0]]) == 0


@each("n, q", product([30, 250], [1, 3, 20, 29]))
def test_the_largest_eigenpairs_by_every_way(n, q):
    K = center(Gaussian(2.0)(np.random.default_rng(n).standard_normal((n, 4))))
    w, V, low = top_eigenpairs(K, q)
    np.testing.assert_allclose(w, np.linalg.eigvalsh(K)[::-1][:q], rtol=0, atol=1e-13 * n)
    np.testing.assert_allclose(K @ V, V * w, atol=1e-12 * n)
    np.testing.assert_allclose(V.T @ V, np.eye(q), atol=1e-12)
    assert -1e-12 * n < low < w[-1] + 1e-12
    largest = V[np.abs(V).argmax(axis=0), np.arange(q)]
    assert np.all(largest > 0)


def test_the_sign_does_not_hang_on_rounding_where_two_entries_are_as_large():
    # eigenvectors (1, 0, -1)/√2, whose first and last entry differ by rounding
    for noise in (0.0, 1e-15, -1e-15):
        K = np.array([[1 + noise, 0.0, -1.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 1.0]])
        assert top_eigenpairs(K, 1)[1][0, 0] > 0


@each("seed", range(8))
def test_copies_of_an_eigenvalue_that_lanczos_misses_are_found(seed):
    n, q = 480, 20
    values = np.concatenate([np.full(q, 5.0), np.linspace(0, 4.5, n - q)])
    Q = np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))[0]
    K = (Q * values) @ Q.T
    w, V, _ = top_eigenpairs((K + K.T) / 2, q)
    np.testing.assert_allclose(w, np.full(q, 5.0), rtol=1e-12)
    np.testing.assert_allclose(V.T @ V, np.eye(q), atol=1e-11)


def test_when_lanczos_misses_one_lapack_is_asked(monkeypatch):
    values = np.concatenate([[9.0, 9.0, 4.0], np.linspace(0, 1, 297)])
    K, V = np.diag(values), np.eye(300)
    monkeypatch.setattr("kcourse.kpca.spectrum._lanczos", lambda K, q: (values[[0, 2]], V[:, [0, 2]]))
    np.testing.assert_allclose(top_eigenpairs(K, 2)[0], [9.0, 9.0], rtol=1e-14)


def test_lanczos_by_itself(monkeypatch):
    monkeypatch.setattr("kcourse.kpca.spectrum._dense", None)
    K = center(Gaussian(2.0)(np.random.default_rng(0).standard_normal((300, 3))))
    w, V = _lanczos(K, 4)
    np.testing.assert_allclose(w, np.linalg.eigvalsh(K)[::-1][:4], rtol=1e-12)
    np.testing.assert_allclose(K @ V, V * w, atol=1e-11)


def test_an_eigenvalue_that_was_missed_shows_in_the_rest():
    values = np.concatenate([[9.0, 9.0, 4.0], np.linspace(0, 1, 297)])
    K, V = np.diag(values), np.eye(300)
    low, high, ended = _range_of_rest(K, values[[0, 2]], V[:, [0, 2]], 20)
    assert high == pytest.approx(9.0, rel=1e-9) and low >= 0 and not ended
    low, high, ended = _range_of_rest(K, values[:3], V[:, :3], 20)
    assert 0.9 < high <= 1 + 1e-12 and low >= -1e-12 and not ended
    K[-1, -1] = -2.0
    assert _range_of_rest(K, values[:3], V[:, :3], 20)[0] == pytest.approx(-2.0, rel=1e-6)


def test_where_little_is_left_the_look_at_the_rest_ends_early():
    # rank 3 and q = 2 of 250: the Krylov space of the rest has dimension 2
    values, V = np.concatenate([[9.0, 4.0], np.zeros(248)]), np.eye(250)
    assert _range_of_rest(np.diag(values), values[:2], V[:, :2], 20) == (0.0, 0.0, True)
    F = np.random.default_rng(0).standard_normal((250, 3))
    K = center(F @ F.T)
    w, V, low = top_eigenpairs(K, 2)
    assert abs(low) < 1e-10
    np.testing.assert_allclose(w, np.linalg.eigvalsh(K)[::-1][:2], rtol=1e-12)


def test_where_lanczos_does_not_converge_lapack_does():
    K = np.diag(np.linspace(1, 1 + 1e-6, 300))  # hardly any gap
    w, _ = _lanczos(K, 5)
    np.testing.assert_allclose(w, np.linspace(1, 1 + 1e-6, 300)[::-1][:5], rtol=1e-14)
    np.testing.assert_array_equal(_dense(K, 5)[0], w)  # it is LAPACK's answer


def test_the_same_data_give_the_same_bits():
    for K in (np.eye(300), np.diag(np.concatenate([[9.0, 4.0], np.zeros(298)]))):  # Lanczos starts anew, at random
        one, other = (top_eigenpairs(K, 3)[1] for _ in range(2))
        np.testing.assert_array_equal(one, other)
    big = np.random.default_rng(0).standard_normal((400, 3))
    for kernel in (Gaussian(1.0), Linear()):  # the second has rank 3: Lanczos runs out of space
        one, other = (KernelPCA(kernel, n_components=2).fit_transform(big) for _ in range(2))
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_definition(kernel):
    model = KernelPCA(kernel, n_components=3)
    scores = model.fit_transform(X)
    K = center(kernel(X))
    np.testing.assert_allclose(K @ model.dual_coef_, scores, atol=1e-10)  # [Kα^(k)]_i
    np.testing.assert_allclose(
        model.dual_coef_.T @ K @ model.dual_coef_, np.eye(3), atol=1e-9
    )  # ‖f^(k)‖ = 1, orthogonal
    np.testing.assert_allclose(np.sum(scores**2, axis=0), model.eigenvalues_, rtol=1e-10)
    np.testing.assert_allclose(model.transform(X), scores, atol=1e-9)
    np.testing.assert_allclose(model.transform(XQ), center_rows(kernel(XQ, X), kernel(X)) @ model.dual_coef_, atol=1e-9)
    np.testing.assert_allclose(model.explained_variance_ratio_, model.eigenvalues_ / np.trace(K), rtol=1e-12)
    np.testing.assert_allclose(model.dual_coef_.sum(axis=0), 0, atol=1e-10)
    assert model.transform(XQ).shape == (5, 3) and model.dual_coef_.shape == (N, 3)


def test_all_components_and_how_many_there_are():
    assert KernelPCA(Gaussian(1.0), n_components=None).fit(X).dual_coef_.shape == (N, N - 1)
    assert KernelPCA(Linear(), n_components=None).fit(X).dual_coef_.shape == (N, D)
    assert KernelPCA(Linear(), n_components=None).fit(X[:3]).dual_coef_.shape == (3, 2)
    ratios = KernelPCA(Gaussian(1.0), n_components=None).fit(X).explained_variance_ratio_
    assert ratios.sum() == pytest.approx(1.0, rel=1e-12) and np.all(np.diff(ratios) <= 0)


@pytest.mark.parametrize(
    ("kernel", "points", "q", "rank"),
    [
        (Linear(), X, 4, 3),
        (Linear(), X[:, :1], 2, 1),
        (Gaussian(1.0), X, N, N - 1),
        (Gaussian(1.0), X, 1000, N - 1),
        (Gaussian(1.0), np.repeat(X[:4], 3, axis=0), 4, 3),
        (Linear(), np.random.default_rng(0).standard_normal((300, 3)), 4, 3),  # by Lanczos
    ],
)
def test_more_components_than_there_are_name_the_rank(kernel, points, q, rank):
    with pytest.raises(ValueError, match=f"n_components = {q}, but .* has rank {rank}: .* at most {rank}, or None"):
        KernelPCA(kernel, n_components=q).fit(points)
    assert KernelPCA(kernel, n_components=rank).fit(points).dual_coef_.shape[1] == rank


@pytest.mark.parametrize("points, q", list(product([X[:1], np.ones((5, 2)), np.full((3, 1), 1e9)], [1, None])))
def test_points_that_are_all_equal_have_no_axis(points, q):
    for kernel in (Gaussian(1.0), Linear()):
        refused("has rank 0: .*nothing varies", KernelPCA(kernel, n_components=q).fit, points)


@pytest.mark.parametrize("kernel", [Sigmoid(gamma=1.0, coef0=-1.0), ThinPlate()], ids=repr)
def test_kernels_that_are_not_semi_definite_are_refused_small_and_large(kernel):
    for n in (30, 300):
        with pytest.raises(ValueError, match="not positive semi-definite on these points"):
            KernelPCA(kernel, n_components=2).fit(np.random.default_rng(0).standard_normal((n, 3)))


def test_a_kernel_that_overflows_is_refused():
    for model in (KernelPCA(Linear()), KernelFisherDiscriminant(Linear())), (KernelPCA(Polynomial(degree=5)),):
        with np.errstate(over="ignore", invalid="ignore"), pytest.raises(ValueError, match="overflows"):
            for m in model:
                m.fit(X * 1e200, Y)


@pytest.mark.parametrize("scale", [1e-60, 1e-8, 1e8, 1e60])
def test_huge_and_tiny_scales(scale):
    ours = KernelPCA(Linear(), n_components=3)
    np.testing.assert_allclose(
        ours.fit_transform(scale * X), scale * KernelPCA(Linear(), n_components=3).fit_transform(X), rtol=1e-9
    )
    np.testing.assert_allclose(
        KernelPCA(Gaussian(scale), n_components=3).fit_transform(scale * X),
        KernelPCA(Gaussian(1.0), n_components=3).fit_transform(X),
        atol=1e-12,
    )


def test_pre_images_of_the_linear_kernel_are_the_reconstructions_of_pca():
    model = KernelPCA(Linear(), n_components=2).fit(X)
    U = np.linalg.svd(X - X.mean(axis=0))[2][:2]
    back = model.inverse_transform(model.transform(XQ))
    np.testing.assert_allclose(back, X.mean(axis=0) + (XQ - X.mean(axis=0)) @ U.T @ U, atol=1e-12)
    found = model.pre_image(model.transform(XQ))
    assert isinstance(found, PreImages) and found.converged.all() and found.n_iter == 0
    np.testing.assert_allclose(found.distance2, 0, atol=1e-12)
    everything = KernelPCA(Linear(), n_components=3).fit(X)
    np.testing.assert_allclose(everything.inverse_transform(everything.transform(XQ)), XQ, atol=1e-12)


@pytest.mark.parametrize("sigma", [1.0, (0.7, 2.0, 1.1)])
def test_with_all_axes_the_pre_image_of_a_training_point_is_itself(sigma):
    model = KernelPCA(Gaussian(sigma), n_components=None).fit(X)
    found = model.pre_image(model.transform(X))
    assert found.converged.all()
    np.testing.assert_allclose(found.points, X, atol=1e-6)
    np.testing.assert_allclose(found.distance2, 0, atol=1e-12)


@pytest.mark.parametrize("sigma", [0.8, (0.7, 2.0, 1.1)])
def test_pre_images_of_the_gaussian_are_local_minima_of_the_distance(sigma):
    kernel, q = Gaussian(sigma), 3
    model = KernelPCA(kernel, n_components=q).fit(X)
    scores = np.vstack([model.transform(XQ), 3 * model.transform(X[:4]), -model.transform(X[4:8])])
    found = model.pre_image(scores)
    assert found.converged.all() and 0 < found.n_iter < 1000

    def distance2(Z):  # from inner products of features alone: p = φ̄ + Σ_k s_k Σ_i α_i φ(x_i)
        gamma = scores @ model.dual_coef_.T + 1 / N
        return 1 - 2 * np.sum(gamma * kernel(Z, X), axis=1) + np.sum((gamma @ kernel(X)) * gamma, axis=1)

    np.testing.assert_allclose(found.distance2, distance2(found.points), atol=1e-12)
    for seed in range(20):
        step = 1e-3 * np.random.default_rng(seed).standard_normal(found.points.shape)
        assert np.all(distance2(found.points + step) >= found.distance2 - 1e-12)
    # no training point is nearer
    best = np.min([distance2(np.tile(x, (len(scores), 1))) for x in X], axis=0)
    assert np.all(found.distance2 <= best + 1e-12)


def test_steps_of_the_fixed_point_never_lose_where_the_plain_one_would():
    # far out, weights of both signs: the plain iteration jumps past the nearest point, or away from it
    kernel = Gaussian(1.5)
    model = KernelPCA(kernel, n_components=3).fit(X)
    scores = -30 * model.transform(np.random.default_rng(1).standard_normal((40, 3)))
    before = None
    for max_iter in (1, 2, 3, 5, 8, 13, 1000):
        found = model.pre_image(scores, max_iter=max_iter)
        assert before is None or np.all(found.distance2 <= before + 1e-9)
        before = found.distance2
    assert found.converged.all()


def test_a_combination_that_is_negative_at_all_training_points():
    # then the fixed point's denominator is negative everywhere, and it would lead to the point that is furthest away
    line, kernel = np.array([[0.0], [1.0], [2.0], [3.5]]), Gaussian(3.0)
    model = KernelPCA(kernel, n_components=None).fit(line)
    f = kernel(line) @ model.dual_coef_  # the axes at the training points
    k = int(np.flatnonzero(np.all(f > 0, axis=0) | np.all(f < 0, axis=0))[0])
    scores = np.zeros((1, 3))
    scores[0, k] = -50 * np.sign(f[0, k])
    gamma = scores @ model.dual_coef_.T + 1 / 4
    assert np.all(gamma @ kernel(line) < 0)
    found = model.pre_image(scores, max_iter=50)
    best = np.min(1 - 2 * gamma @ kernel(line)) + gamma[0] @ kernel(line) @ gamma[0]
    assert np.all(np.isfinite(found.points)) and found.distance2[0] < best - 1e-3


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_how_near_is_near_enough_is_measured_in_widths(scale):
    one = KernelPCA(Gaussian(1.0), n_components=3).fit(X)
    other = KernelPCA(Gaussian(scale), n_components=3).fit(scale * X)
    found, same = one.pre_image(one.transform(XQ)), other.pre_image(other.transform(scale * XQ))
    assert abs(found.n_iter - same.n_iter) <= 1
    np.testing.assert_allclose(same.points, scale * found.points, rtol=1e-6, atol=1e-7 * scale)


def test_pre_images_that_have_not_converged_say_so():
    model = KernelPCA(Gaussian(1.0), n_components=3).fit(X)
    scores = model.transform(XQ)
    found = model.pre_image(scores, max_iter=1)
    assert found.n_iter == 1 and not found.converged.any()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.inverse_transform(scores)
    original = KernelPCA.pre_image
    try:
        KernelPCA.pre_image = lambda self, s: original(self, s, max_iter=1)
        with pytest.warns(RuntimeWarning, match="5 of 5 pre-images have not converged"):
            model.inverse_transform(scores)
    finally:
        KernelPCA.pre_image = original


def test_pre_images_refuse():
    model = KernelPCA(Gaussian(1.0), n_components=3).fit(X)
    refused(re.escape("scores has shape (5, 2); expected 3 columns"), model.pre_image, np.ones((5, 2)))
    refused(re.escape("scores has shape (3,)"), model.pre_image, np.ones(3))
    refused("tol must be positive", model.pre_image, np.ones((1, 3)), tol=0)
    refused("max_iter must be at least 1", model.pre_image, np.ones((1, 3)), max_iter=0)
    with pytest.raises(ValueError, match=r"no rule for pre-images of Laplacian\(sigma=1.0\).*KernelRidge"):
        KernelPCA(Laplacian(1.0)).fit(X).pre_image(np.ones((1, 2)))
    with pytest.raises(NotFittedError):
        KernelPCA(Gaussian(1.0)).inverse_transform(np.ones((1, 2)))


def scatters(K, codes):
    """N and M by their sums, with centring matrices."""
    n, N, M = len(K), 0, 0
    for c in np.unique(codes):
        Kc = K[:, codes == c]
        m = Kc.shape[1]
        N = N + Kc @ (np.eye(m) - np.ones((m, m)) / m) @ Kc.T
        d = Kc.mean(axis=1) - K.mean(axis=1)
        M = M + m * np.outer(d, d)
    return N, M, n


@each("kernel, lam", product(KERNELS, [0.03, 5.0]))
def test_fisher_axes_solve_the_generalised_eigenproblem(kernel, lam):
    model = KernelFisherDiscriminant(kernel, lam=lam).fit(X, Y)
    N_, M, n = scatters(kernel(X), Y)
    R = N_ + lam * np.eye(n)
    np.testing.assert_allclose(
        M @ model.dual_coef_, R @ model.dual_coef_ * model.ratios_, rtol=1e-6, atol=1e-6 * np.abs(M).max()
    )
    np.testing.assert_allclose(model.dual_coef_.T @ R @ model.dual_coef_, n * np.eye(2), atol=1e-6)
    assert model.ratios_[0] >= model.ratios_[1] > 0
    scores = model.transform(X)
    np.testing.assert_allclose(scores.mean(axis=0), 0, atol=1e-8)
    np.testing.assert_allclose(model.means_, [scores[Y == c].mean(axis=0) for c in (2, 5, 9)], atol=1e-8)
    within = sum(np.sum((scores[Y == c] - scores[Y == c].mean(axis=0)) ** 2, axis=0) for c in (2, 5, 9)) / n
    assert np.all(within <= 1 + 1e-9)
    assert np.all(model.means_[-1] > model.means_[0])


def test_two_classes():
    two, labels = X[:11], np.where(Y[:11] == 2, "yes", "no")
    kernel, lam = Gaussian(1.3), 0.2
    model = KernelFisherDiscriminant(kernel, lam=lam).fit(two, labels)
    K = kernel(two)
    N_, _, n = scatters(K, labels)
    direction = np.linalg.solve(N_ + lam * np.eye(n), K[:, labels == "yes"].mean(1) - K[:, labels == "no"].mean(1))
    np.testing.assert_allclose(fisher_direction(K, labels, lam=lam), direction / np.linalg.norm(direction), atol=1e-12)
    axis = model.dual_coef_[:, 0]
    np.testing.assert_allclose(axis / np.linalg.norm(axis), direction / np.linalg.norm(direction), atol=1e-12)
    assert model.classes_.tolist() == ["no", "yes"] and model.means_[1, 0] > model.means_[0, 0]
    f = model.decision_function(XQ)
    assert f.shape == (5,)
    midpoint = model.means_.mean()
    np.testing.assert_array_equal(model.predict(XQ), np.where(model.transform(XQ)[:, 0] > midpoint, "yes", "no"))
    np.testing.assert_allclose(f, (model.transform(XQ)[:, 0] - midpoint) * np.diff(model.means_[:, 0]), atol=1e-12)


def test_prediction_is_the_class_of_the_nearest_mean():
    for q in (1, 2, None):
        model = KernelFisherDiscriminant(Gaussian(1.3), lam=0.2, n_components=q).fit(X, Y)
        s = model.transform(XQ)
        assert s.shape == (5, q or 2) and model.decision_function(XQ).shape == (5, 3)
        nearest = np.linalg.norm(s[:, None] - model.means_, axis=2).argmin(axis=1)
        np.testing.assert_array_equal(model.predict(XQ), model.classes_[nearest])
    assert KernelFisherDiscriminant(Gaussian(0.5), lam=1e-3).fit(X, Y).score(X, Y) == 1.0


def test_fisher_refuses():
    with pytest.raises(ValueError, match=r"n_components = 3, but 3 classes whose means span 2 dimension\(s\)"):
        KernelFisherDiscriminant(Gaussian(1.0), n_components=3).fit(X, Y)
    line = X[:, :1]
    assert KernelFisherDiscriminant(Linear()).fit(line, Y).dual_coef_.shape == (N, 1)
    refused("at most 1, or None", KernelFisherDiscriminant(Linear(), n_components=2).fit, line, Y)
    for kernel, points in ((Gaussian(1.0), np.ones((N, 2))), (Constant(3.0), X), (Linear(), np.zeros((N, 1)))):
        refused("the class means coincide", KernelFisherDiscriminant(kernel).fit, points, Y)
    mirrored = np.array([[-1.0], [1.0], [-2.0], [2.0]])
    refused("the class means coincide", KernelFisherDiscriminant(Linear()).fit, mirrored, [0, 0, 1, 1])
    refused("y has one class only", KernelFisherDiscriminant(Gaussian(1.0)).fit, X, np.ones(N, dtype=int))
    for lam in (0, -1.0):
        refused(r"lam must be positive.*it multiplies ‖α‖²", KernelFisherDiscriminant(Gaussian(1.0), lam=lam).fit, X, Y)
        refused("lam must be positive", fisher_direction, Gaussian(1.0)(X), Y, lam=lam)
    refused("y has 3 classes; one direction", fisher_direction, Gaussian(1.0)(X), Y, lam=1.0)
    with pytest.raises(ValueError, match="the scatter N within classes plus lam = 1e-20 .* is not positive definite"):
        KernelFisherDiscriminant(Gaussian(5.0), lam=1e-20).fit(X, Y)


def test_one_point_in_each_class_has_no_spread():
    model = KernelFisherDiscriminant(Gaussian(1.0), lam=0.5).fit(X[:3], [0, 1, 2])
    np.testing.assert_allclose(0.5 * np.sum(model.dual_coef_**2, axis=0), 3, rtol=1e-10)
    assert model.score(X[:3], [0, 1, 2]) == 1.0


@pytest.mark.parametrize("model", [KernelPCA(Gaussian(1)), KernelFisherDiscriminant(Gaussian(1), lam=0.1)], ids=repr)
def test_a_fit_that_fails_leaves_the_model_as_it_was(model):
    model.fit(X, Y)
    before = model.transform(XQ)
    refused("rank 0|coincide", model.fit, np.ones((N, D + 1)), Y)
    np.testing.assert_array_equal(model.transform(XQ), before)
