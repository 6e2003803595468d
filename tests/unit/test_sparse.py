"""Sparse points: the same results as from dense ones, without making them dense."""

import pickle
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

import kcourse as kc
from kcourse.base.sparse import SparsePoints
from tests.rows import each
from tests.unit.refused import refused

RNG = np.random.default_rng(0)
N, D = 60, 70
DENSE = np.where(RNG.random((N, D)) < 0.2, RNG.standard_normal((N, D)), 0.0)
DENSE[:, 0] += 1.0
DENSE[5] = DENSE[6]
X, Y, T = sp.csr_array(DENSE), np.where(DENSE @ RNG.standard_normal(D) > 0, 1, -1), DENSE[:, :9].sum(axis=1)
Y[5] = Y[6]
KERNELS = [kc.Linear(), kc.Polynomial(gamma=0.3, degree=3), kc.Sigmoid(gamma=0.3, coef0=-0.2), kc.Gaussian(2.0)]
KERNELS += [kc.Gaussian(tuple(np.linspace(1, 3, D))), kc.Normalized(kc.Linear())]
KERNELS += [0.5 * kc.Linear() + kc.Constant(2.0) * kc.Gaussian(3.0) + 1]
MODELS = [
    (lambda k: kc.KernelRidge(k, lam=0.1, intercept=True), T, "predict"),
    (lambda k: kc.SVC(k, tol=1e-8), Y, "decision_function"),
    (lambda k: kc.SVC(k, tol=1e-8), np.arange(N) % 3, "decision_function"),
    (lambda k: kc.SVR(k, tol=1e-8), T, "predict"),
    (lambda k: kc.KernelPCA(k, n_components=2), None, "transform"),
    (lambda k: kc.KernelFisherDiscriminant(k, lam=0.1), Y, "transform"),
    (kc.KernelPerceptron, Y, "decision_function"),
    (kc.MaxMargin, Y, "decision_function"),
    (lambda k: kc.Pegasos(k, epochs=3), Y, "decision_function"),
    (kc.NearestCentroid, Y, "decision_function"),
    (lambda k: kc.Nystrom(k, n_landmarks=9, landmarks="pivoted"), None, "transform"),
    (lambda k: kc.RegularizationNetwork(k, lam=0.1), T, "predict"),
    (lambda k: kc.GeneralizedRBF(k, centers=20, lam=0.1), T, "predict"),
    (lambda k: kc.NystromRidge(k, n_landmarks=20, lam=0.1, block=17), T, "predict"),
    (lambda k: kc.BudgetPerceptron(k, budget=10, epochs=2), Y, "decision_function"),
    (kc.GaussianProcess, T, "predict"),
]
PLACED = [  # on points of the user's own
    (lambda k: kc.GeneralizedRBF(k, centers=X[:20], lam=0.1), T, "predict"),
    (lambda k: kc.NystromRidge(k, landmarks=X[:20], lam=0.1), T, "predict"),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_kernels_of_sparse_points_are_those_of_dense_ones(kernel):
    K = kernel(X)
    assert type(K) is np.ndarray
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(K, kernel(DENSE), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(kernel.diag(X), kernel.diag(DENSE), rtol=1e-12)
    for A, B in ((X, X[:7]), (DENSE, X[:7]), (X, DENSE[:7])):
        np.testing.assert_allclose(kernel(A, B), kernel(DENSE, DENSE[:7]), rtol=1e-12, atol=1e-12)
    on = kernel.on_points(X)
    np.testing.assert_allclose(
        on.part(np.arange(9)).rows(np.array([3])), kernel(DENSE)[3:4, :9], rtol=1e-12, atol=1e-12
    )


@each("kernel", [KERNELS[0], KERNELS[3], KERNELS[5], KERNELS[6]])
@each(("make", "y", "method"), MODELS + PLACED)
def test_estimators_learn_and_tell_the_same_from_sparse_points(make, y, method, kernel):
    dense, sparse = (make(kernel).fit(P, *[] if y is None else [y]) for P in (DENSE, X))
    expected = getattr(dense, method)(DENSE[:20])
    for Q in (X[:20], sp.coo_matrix(DENSE[:20]), DENSE[:20]):
        found = getattr(pickle.loads(pickle.dumps(sparse)), method)(Q)
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())
    np.testing.assert_allclose(getattr(dense, method)(X[:20]), expected, rtol=1e-8, atol=1e-9)
    refused(f"X has {D - 1} features, but .* is expecting {D}", getattr(sparse, method), X[:, 1:])
    assert clone(sparse).__sklearn_tags__().input_tags.sparse


def test_weights_of_windows_too():
    dense, sparse = (kc.NadarayaWatson(kc.Gaussian(2.0)).fit(P, T, np.arange(N)) for P in (DENSE, X))
    np.testing.assert_allclose(sparse.predict(X), dense.predict(DENSE), rtol=1e-9)
    np.testing.assert_allclose(sparse.loo_residuals(), dense.loo_residuals(), rtol=1e-8, atol=1e-10)


@each(("make", "y", "method"), MODELS)
@each("kernel", [kc.Linear(), kc.Gaussian(3.0), kc.Normalized(kc.Linear())])
def test_nothing_is_made_dense(make, y, method, kernel):
    wide = sp.csr_array((X.data, X.indices * 10_000, X.indptr), shape=(N, 700_000))  # 336 MB, if it were dense
    tracemalloc.start()
    try:
        getattr(make(kernel).fit(wide, *[] if y is None else [y]), method)(wide[:5])
        assert tracemalloc.get_traced_memory()[1] < 120e6  # weights of a linear machine are dense, 5.6 MB each
    finally:
        tracemalloc.stop()


def test_a_process_learns_its_parameters_from_sparse_points():
    noisy = T + np.random.default_rng(1).standard_normal(N)
    dense, sparse = (kc.GaussianProcess(3.0 * kc.Gaussian(2.0), optimize=True).fit(P, noisy) for P in (DENSE, X))
    np.testing.assert_allclose(sparse._hyper.theta, dense._hyper.theta, rtol=1e-3, atol=1e-3)
    deviations = (model.predict(P, return_std=True)[1] for model, P in ((dense, DENSE), (sparse, X)))
    np.testing.assert_allclose(*deviations, rtol=1e-3)
    for kernel in (
        kc.Gaussian(0.01),
        kc.Gaussian(2.0),
        kc.Linear() + 0.5 * kc.Polynomial(gamma=0.3, degree=2),
    ):  # the first is the identity
        dense, sparse = (kc.GaussianProcess(kernel).fit(P[6:], noisy[6:]) for P in (DENSE, X))
        gradients = [model.log_marginal_likelihood(eval_gradient=True)[1] for model in (dense, sparse)]
        np.testing.assert_allclose(*gradients, rtol=1e-6, atol=1e-9)
    with pytest.raises(TypeError, match="take one sigma"):
        kc.GaussianProcess(kc.Gaussian((1.0,) * D), optimize=True).fit(X, T)


def test_centres_are_distinct_rows_of_sparse_points():
    zero = X.copy()
    zero.data[:1] = 0.0  # an entry that is held and is 0
    rows = sp.vstack([zero, sp.csr_array(zero.toarray())])
    with pytest.warns(UserWarning, match=f"X has only {N - 1} distinct points"):
        model = kc.GeneralizedRBF(kc.Gaussian(2.0), centers=N, lam=0.1).fit(rows, [*T, *T])
    assert model.centers_.shape == (N - 1, D)


def test_random_features_and_streams_of_sparse_points():
    dense, sparse = (kc.RandomFourierFeatures(kc.Gaussian(2.0), n_features=6).fit_transform(P) for P in (DENSE, X))
    np.testing.assert_allclose(sparse, dense, rtol=1e-9, atol=1e-12)
    stream = kc.BudgetPerceptron(kc.Linear(), budget=10)
    for rows in (X[:20], DENSE[20:40], X[40:]):
        stream.partial_fit(rows, Y[: rows.shape[0]], classes=[-1, 1])
    order = np.concatenate([Y[:20], Y[:20], Y[: N - 40]])
    whole = kc.BudgetPerceptron(kc.Linear(), budget=10).fit(DENSE, order)
    np.testing.assert_allclose(stream.decision_function(X), whole.decision_function(DENSE), rtol=1e-9, atol=1e-9)
    weights = np.arange(N) % 3
    dense, sparse = (kc.NystromRidge(kc.Gaussian(2.0), n_landmarks=9).fit(P, T, weights).predict(X) for P in (DENSE, X))
    np.testing.assert_allclose(sparse, dense, rtol=1e-8, atol=1e-10)


def test_what_is_learned_from_is_a_copy_and_its_entries_are_added_up():
    given = sp.coo_array((np.array([1.0, 2.0, 4.0]), (np.array([0, 0, 1]), np.array([1, 1, 0]))), shape=(2, 2))
    model = kc.KernelRidge(kc.Linear(), lam=1.0).fit(given, [1.0, 2.0])
    given.data[:] = 0.0
    assert isinstance(model.X_fit_, SparsePoints) and model.X_fit_.toarray().tolist() == [[0.0, 3.0], [4.0, 0.0]]
    mine = sp.csr_array(np.eye(3))
    model = kc.KernelRidge(kc.Linear(), lam=1.0).fit(mine, [1.0, 2.0, 3.0])
    mine.data[:] = 0.0
    assert model.X_fit_.toarray().tolist() == np.eye(3).tolist()


def test_sparse_points_that_are_none_are_refused():
    model = kc.KernelRidge(kc.Linear())
    refused("X contains NaN or infinity", model.fit, sp.csr_array([[np.nan, 1.0], [0.0, 1.0]]), [0.0, 0.0])
    refused("X is empty", model.fit, sp.csr_array(np.zeros((0, 2))), [])
    refused(r"X has 0 feature\(s\)", model.fit, sp.csr_array(np.zeros((2, 0))), [0.0, 0.0])
    refused("Complex data not supported", model.fit, sp.csr_array([[1j, 0.0], [0.0, 1.0]]), [0.0, 0.0])
    refused("sigma has 2 widths and the points have 70", kc.Gaussian((1.0, 2.0)), X)


def test_elsewhere_sparse_points_are_refused_as_before():
    for model in (kc.KernelRidge(kc.Laplacian(1.0)), kc.KernelRidge(kc.Linear() + kc.Laplacian(1.0)), kc.SVR(np.dot),
                  kc.RBFInterpolator(kc.Gaussian(1.0)), kc.KNNRegressor(3)):  # fmt: skip
        refused(r"X is a sparse matrix; .* pass X.toarray\(\)", model.fit, X, T, error=TypeError)
    with pytest.raises(TypeError, match="fit to a dense array"):
        kc.KernelPCA(kc.Linear(), n_components=2).fit(X).pre_image(np.zeros((1, 2)))
