"""kcourse.scaling: features and streaming ridge, each against its definition; every way in; every error."""

import contextlib
import gc
import io
import pickle
import re
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from itertools import product
from multiprocessing import get_context

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import kcourse.scaling.ridge as ridge_module
from kcourse import GaussianProcess, KernelRidge
from kcourse.kernels import Gaussian, Laplacian, Linear, Matern, Polynomial, RationalQuadratic, Sigmoid, gram
from kcourse.scaling import Nystrom, NystromRidge, RandomFourierFeatures, TextBar, leverage_scores, pivoted_landmarks
from tests.rows import each
from tests.unit.refused import refused

KERNELS = [Gaussian(1.3), 2 * Laplacian(0.7) + 0.5, Polynomial(degree=3), Matern(1.5) * Linear() + 1]
N, D, M, LAM = 333, 3, 17, 0.3
RNG = np.random.default_rng(0)
X, XQ = RNG.standard_normal((N, D)), RNG.standard_normal((29, D))
Y1, Y2 = np.sin(2 * X[:, 0]) + 0.1 * RNG.standard_normal(N), RNG.standard_normal((N, 2))
Z = X[:M] + 0.1


def minimiser(kernel, Z, lam, X, y):
    """f at XQ, from a least-squares problem in coordinates where K_mm is I: nothing is squared."""
    w, U = np.linalg.eigh(gram(kernel, Z))
    kept = w > len(Z) * np.finfo(float).eps * w[-1]
    T = U[:, kept] / np.sqrt(w[kept])
    F = gram(kernel, X, Z) @ T
    A = np.vstack([F, np.sqrt(lam) * np.eye(F.shape[1])])
    v = np.linalg.lstsq(A, np.concatenate([y, np.zeros((F.shape[1], *y.shape[1:]))]), rcond=None)[0]
    return gram(kernel, XQ, Z) @ (T @ v), v


def same(a, b):
    """Two fits are the same to the last bit."""
    np.testing.assert_array_equal(a.dual_coef_, b.dual_coef_)
    np.testing.assert_array_equal(a.landmarks_, b.landmarks_)


def ridge(**changed):
    return NystromRidge(Gaussian(1.3), **{"n_landmarks": M, "lam": LAM, "block": 50} | changed)


# ---------------------------------------------------------------- Nyström's features


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_nystrom_features_are_their_formula(kernel):
    model = Nystrom(kernel, landmarks=Z)
    assert model.fit(X) is model and model.rank_ == M
    w, U = np.linalg.eigh(gram(kernel, Z))
    np.testing.assert_allclose(model.root_, U @ np.diag(w**-0.5) @ U.T, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(model.transform(XQ), gram(kernel, XQ, Z) @ model.root_, rtol=1e-9, atol=1e-9)
    F = model.transform(XQ)
    K_hat = gram(kernel, XQ, Z) @ np.linalg.solve(gram(kernel, Z), gram(kernel, XQ, Z).T)
    np.testing.assert_allclose(F @ F.T, K_hat, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(model.residual(XQ), np.diag(gram(kernel, XQ) - F @ F.T), atol=1e-9)


def test_landmarks_are_rows_without_repetition_and_nested():
    few, many = (Nystrom(Gaussian(), n_landmarks=m, rng=3).fit(X).landmarks_ for m in (10, N))
    np.testing.assert_array_equal(few, many[:10])
    np.testing.assert_array_equal(np.sort(many, axis=0), np.sort(X, axis=0))
    assert not np.array_equal(few, Nystrom(Gaussian(), n_landmarks=10, rng=4).fit(X).landmarks_)
    rng = np.random.default_rng(3)
    np.testing.assert_array_equal(few, Nystrom(Gaussian(), n_landmarks=10, rng=rng).fit(X).landmarks_)
    assert not np.array_equal(few, Nystrom(Gaussian(), n_landmarks=10, rng=rng).fit(X).landmarks_)


def test_every_row_is_as_likely_a_landmark_as_any_other():
    count = np.zeros(9)
    for seed in range(2000):
        chosen = Nystrom(Gaussian(), n_landmarks=3, rng=seed).fit(np.arange(9.0)[:, None]).landmarks_
        count[chosen[:, 0].astype(int)] += 1
    assert np.abs(count - 2000 / 3).max() < 4 * np.sqrt(2000 * (1 / 3) * (2 / 3))


def test_the_same_landmark_twice_costs_rank_and_nothing_else():
    twice = np.vstack([Z, Z, Z[:4] + 1e-9])
    once, model = Nystrom(Gaussian(1.3), landmarks=Z).fit(X), Nystrom(Gaussian(1.3), landmarks=twice).fit(X)
    assert (model.rank_, model.root_.shape) == (M, (38, 38))
    F, G = once.transform(XQ), model.transform(XQ)
    np.testing.assert_allclose(G @ G.T, F @ F.T, atol=1e-8)
    a, b = ridge(landmarks=Z).fit(X, Y1), ridge(landmarks=twice).fit(X, Y1)
    assert b.rank_ == M
    np.testing.assert_allclose(a.predict(XQ), b.predict(XQ), atol=1e-8)


def test_landmarks_on_which_the_kernel_is_zero_give_features_that_are_zero():
    model = Nystrom(Linear(), landmarks=np.zeros((2, D))).fit(X)
    assert model.rank_ == 0 and not model.transform(XQ).any()
    fit = NystromRidge(Linear(), landmarks=np.zeros((2, D))).fit(X, Y1)
    assert fit.rank_ == 0 and not fit.predict(XQ).any() and fit.norm2_ == 0 and fit.effective_df() == 0


def test_pivoted_landmarks_span_what_there_is_and_stop():
    flat = RNG.standard_normal((60, 2)) @ RNG.standard_normal((2, 5))
    chosen = pivoted_landmarks(Linear(), flat, 60)
    assert len(chosen) == 2
    assert len(Nystrom(Linear(), n_landmarks=60, landmarks="pivoted").fit(flat).landmarks_) == 2
    assert len(pivoted_landmarks(Linear(), np.zeros((4, 2)), 3)) == 1  # any point spans nothing
    assert Nystrom(Linear(), n_landmarks=3, landmarks="pivoted").fit_transform(np.zeros((4, 2))).tolist() == 4 * [[0.0]]
    everything = pivoted_landmarks(Laplacian(), X[:40], 40)
    assert sorted(everything) == list(range(40))
    assert len(set(pivoted_landmarks(Gaussian(), np.repeat(X[:5], 8, axis=0), 30))) == 5


def test_pivoted_landmarks_are_drawn_by_what_is_left():
    # squared lengths 1 and 3 on two axes: the first landmark is the second point three times in four
    first = [pivoted_landmarks(Linear(), np.diag([1.0, np.sqrt(3)]), 2, rng=seed)[0] for seed in range(2000)]
    assert np.mean(first) == pytest.approx(0.75, abs=4 * np.sqrt(0.75 * 0.25 / 2000))


def test_pivoted_landmarks_are_better_where_points_are_clustered():
    rng = np.random.default_rng(1)
    points = np.vstack([0.05 * rng.standard_normal((960, 2)), 6 * rng.standard_normal((40, 2))])
    kernel, left = Gaussian(0.5), {}
    for how in ("uniform", "pivoted"):
        models = [Nystrom(kernel, n_landmarks=30, landmarks=how, rng=s).fit(points) for s in range(5)]
        left[how] = np.mean([model.residual(points).sum() for model in models])
    assert left["pivoted"] < 0.5 * left["uniform"]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_leverage_is_the_diagonal_of_the_hat_matrix(kernel):
    # what the fit at x_i becomes when y_i alone is 1
    model = KernelRidge(kernel, lam=LAM)
    own = [model.fit(X[:40], np.eye(40)[i]).predict(X[[i]])[0] for i in range(40)]
    scores = leverage_scores(kernel, X[:40], LAM)
    np.testing.assert_allclose(scores, own, atol=1e-8)
    assert scores.sum() == pytest.approx(model.effective_df(), rel=1e-8)
    assert np.all((scores > 0) & (scores < 1))


def test_leverage_is_the_variance_that_is_left_over_the_noise():
    process = GaussianProcess(Gaussian(1.3), noise_variance=LAM).fit(X[:40], Y1[:40])
    variance = process.predict(X[:40], return_std=True)[1] ** 2
    np.testing.assert_allclose(leverage_scores(Gaussian(1.3), X[:40], LAM), variance / LAM, atol=1e-9)
    refused("lam", leverage_scores, Gaussian(), X, 0.0)
    refused("X", leverage_scores, Gaussian(), [[np.nan]], 1.0)


# ---------------------------------------------------------------- random Fourier features


def test_pairs_are_cosines_and_sines_of_the_frequencies():
    model = RandomFourierFeatures(Gaussian(1.3), n_features=20, rng=1).fit(X)
    A = XQ @ model.frequencies_
    assert model.frequencies_.shape == (D, 10) and model.phases_ is None
    np.testing.assert_allclose(model.transform(XQ), np.hstack([np.cos(A), np.sin(A)]) / np.sqrt(10), atol=1e-15)


def test_phases_are_cosines_with_a_shift():
    model = RandomFourierFeatures(Gaussian(1.3), n_features=21, paired=False, rng=1).fit(X)
    assert model.frequencies_.shape == (D, 21) and model.phases_.shape == (21,)
    assert model.phases_.min() >= 0 and 5 < model.phases_.max() < 2 * np.pi
    expected = np.sqrt(2 / 21) * np.cos(XQ @ model.frequencies_ + model.phases_)
    np.testing.assert_allclose(model.transform(XQ), expected, atol=1e-15)


@pytest.mark.parametrize("scale", [0.0, 1e-300, 1e-8, 1.0, 1e3, 1e7])
def test_sines_and_cosines_through_the_tangent_are_exact(scale):
    model = RandomFourierFeatures(Gaussian(1.0), n_features=2).fit(np.zeros((1, 1)))
    model.frequencies_ = np.ones((1, 1))
    x = np.concatenate([np.linspace(-7, 7, 2001), np.pi * np.arange(-9, 10), np.pi / 2 * np.arange(-9, 10)]) * scale
    expected = np.column_stack([np.cos(x), np.sin(x)])
    np.testing.assert_allclose(model.transform(x[:, None]), expected, rtol=0, atol=5e-16 + 4e-16 * (scale > 1e2))


def test_frequencies_know_the_dimension_only():
    a = RandomFourierFeatures(Gaussian(), rng=5).fit(X)
    b = RandomFourierFeatures(Gaussian(), rng=5).fit(100 + 3 * XQ)
    np.testing.assert_array_equal(a.frequencies_, b.frequencies_)


@each("paired", [True, False])
@each(
    "kernel",
    [Gaussian(1.3), Gaussian((0.7, 1.3, 4.0)), Laplacian(1.7), Matern(0.8, 1.3), Matern(1.5, 0.9), Matern(np.inf, 1.3),
     RationalQuadratic(1.3, 0.6)],
)  # fmt: skip
def test_features_average_to_the_kernel(kernel, paired):
    count = 200_000
    points = np.array([[0.2, -0.1, 0.4], [0.9, 0.3, 0.1], [-0.4, 0.8, 1.9]])
    F = RandomFourierFeatures(kernel, n_features=count, paired=paired, rng=2).fit_transform(points)
    # an entry is a mean of bounded terms, of variance at most ½ a pair, 1 otherwise: five standard errors
    np.testing.assert_allclose(F @ F.T, kernel(points), atol=5 / np.sqrt(count))
    if paired:
        np.testing.assert_allclose(np.sum(F * F, axis=1), 1.0, rtol=1e-12)


# ---------------------------------------------------------------- Nyström ridge


@each("y, lam, kernel", product([Y1, Y2, Y1[:, None]], [1e-4, 0.3, 50.0], KERNELS))
def test_a_fit_solves_its_equation(kernel, lam, y):
    model = NystromRidge(kernel, landmarks=Z, lam=lam)
    assert model.fit(X, y) is model
    f, v = minimiser(kernel, Z, lam, X, y)
    scale = np.abs(f).max()
    np.testing.assert_allclose(model.predict(XQ), f, rtol=0, atol=1e-8 * scale)
    K, Kmm, a = gram(kernel, X, Z), gram(kernel, Z), model.dual_coef_
    # (K_nmᵀK_nm + λK_mm) a = K_nmᵀ y
    np.testing.assert_allclose(K.T @ (K @ a) + lam * Kmm @ a, K.T @ y, atol=1e-7 * np.abs(K.T @ y).max())
    np.testing.assert_allclose(model.norm2_, np.sum(v * v, axis=0), rtol=1e-7)
    np.testing.assert_allclose(model.norm2_, np.sum(a * (Kmm @ a), axis=0), rtol=1e-6)
    assert a.shape == (M, *y.shape[1:]) and model.predict(XQ).shape == (len(XQ), *y.shape[1:])
    mu = np.linalg.eigvalsh(K @ np.linalg.pinv(Kmm, rcond=1e-13) @ K.T)
    assert model.effective_df() == pytest.approx(np.sum(mu / (mu + lam)), rel=1e-6)
    assert type(model.effective_df()) is float and isinstance(model.norm2_, float if y.ndim == 1 else np.ndarray)


@each("lam, sigma", product([1e-2, 1e-4, 1e-6], [0.3, 1.0, 3.0]))
def test_what_is_left_out_of_all_points_is_bounded_as_it_says(sigma, lam):
    kernel, points = Gaussian(sigma), X[:100]
    exact = KernelRidge(kernel, lam=lam).fit(points, Y1[:100]).predict(XQ)
    ours = NystromRidge(kernel, landmarks=points, lam=lam).fit(points, Y1[:100]).predict(XQ)
    largest = np.linalg.eigvalsh(kernel(points))[-1]
    bound = np.sqrt(100 * np.finfo(float).eps * largest) * np.linalg.norm(Y1[:100]) / lam
    assert np.abs(ours - exact).max() <= bound


def used(monkeypatch):
    """The names of the ways that fits take, in their order."""
    names = []
    for name in ("_fast", "_stable"):
        way = getattr(ridge_module, name)
        monkeypatch.setattr(ridge_module, name, lambda *a, name=name, way=way: (names.append(name), way(*a))[1])
    return names


@pytest.mark.parametrize(
    ("sigma", "lam", "way"), [(0.5, 0.1, "_fast"), (2.0, 0.1, "_fast"), (8.0, 1e-3, "_stable"), (60.0, 0.1, "_stable")]
)
def test_rounding_decides_the_way_and_either_is_exact(monkeypatch, sigma, lam, way):
    names = used(monkeypatch)
    landmarks = np.random.default_rng(5).standard_normal((40, D))
    model = NystromRidge(Gaussian(sigma), landmarks=landmarks, lam=lam).fit(X, Y1)
    assert names == [way]
    f, _ = minimiser(Gaussian(sigma), landmarks, lam, X, Y1)
    assert np.abs(model.predict(XQ) - f).max() < (1e-11 if way == "_fast" else 2e-8) * np.abs(f).max()


@pytest.mark.parametrize(
    ("sigma", "lam", "way", "f", "tol"),
    [
        # Σ|a_j| is 160: other orders of the rows and of the sums change f by up to 2e-13
        (0.5, 2**-3, "_fast",
         [-0.405111821317096, -0.076423725578588, -0.024750964246182, -0.107332265743907, -0.240824782112068], 1e-12),
        (4.0, 2**-10, "_stable",
         [-0.363218481333207, -0.201678753043615, -0.243570360618125, -0.179587502338977, -0.105587195279314], 2e-6),
        (32.0, 2**-3, "_stable",
         [-0.234503029201821, -0.222914769231916, -0.211206520269961, -0.220850604753539, -0.209180740508055], 1e-8),
    ],
)  # fmt: skip
def test_the_equation_solved_in_60_digits(monkeypatch, sigma, lam, way, f, tol):
    # K_mm has condition 1e5, 1e16 and worse; leaving out what is above rounding would give 3e-5 in the second case
    names, i = used(monkeypatch), np.arange(60)
    points = np.column_stack([7 * i % 61, 23 * i % 59]) / 32 - 1
    model = NystromRidge(Gaussian(sigma), landmarks=points[:40:2], lam=lam).fit(points, 11 * i % 53 / 32 - 1)
    np.testing.assert_allclose(model.predict(points[:5] + 0.25), f, rtol=0, atol=tol)
    assert names == [way]


def test_where_the_forecast_was_wrong_the_slow_way_follows(monkeypatch):
    # landmarks near 0 know nothing of how large the rest is: K_mm is small and even, K_nm is huge
    names = used(monkeypatch)
    far, near = 1e8 * X, 1e-3 * np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.3, 0.0, 1.0]])
    model = NystromRidge(Linear(), landmarks=near, lam=1e-9).fit(far, Y1)
    assert names[0] == "_fast"
    expected = XQ @ np.linalg.lstsq(far, Y1, rcond=None)[0]
    np.testing.assert_allclose(model.predict(XQ), expected, rtol=1e-6)
    monkeypatch.setattr(ridge_module, "gradient", lambda kernel, Z, a, block: (1e3 * np.ones_like(a),))
    again = NystromRidge(Gaussian(0.8), landmarks=Z, lam=LAM).fit(X, Y1)  # its steps do not shrink
    assert names[-2:] == ["_fast", "_stable"]
    np.testing.assert_allclose(again.predict(XQ), minimiser(Gaussian(0.8), Z, LAM, X, Y1)[0], atol=1e-10)


@pytest.mark.parametrize("scale", [1e-150, 1e-12, 1e12, 1e140])
def test_y_of_any_size(scale):
    model, reference = ridge(landmarks=Z).fit(X, scale * Y1), ridge(landmarks=Z).fit(X, Y1)
    np.testing.assert_allclose(model.predict(XQ), scale * reference.predict(XQ), rtol=1e-9)


@pytest.mark.parametrize("scale", [1e-100, 1e-12, 1e12, 1e100])
def test_a_kernel_of_any_size(scale):
    model = NystromRidge(scale * Gaussian(1.3), landmarks=Z, lam=scale * LAM).fit(X, Y1)
    np.testing.assert_allclose(model.predict(XQ), ridge(landmarks=Z).fit(X, Y1).predict(XQ), rtol=1e-8)


# ---------------------------------------------------------------- ways in: all give the same bits


def blocks_of(size, X=X, y=Y1):
    def blocks():
        for start in range(0, len(X), size):
            yield X[start : start + size], y[start : start + size]

    return blocks


@pytest.fixture
def files(tmp_path):
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", Y1)
    np.save(tmp_path / "fortran.npy", np.asfortranarray(X))
    np.save(tmp_path / "single.npy", X.astype(np.float32))
    raw = np.memmap(tmp_path / "raw", float, "w+", offset=24, shape=(N, D))
    raw[:] = X
    raw.flush()
    return tmp_path


@pytest.mark.not_in_wasm(reason="no memory maps")
@pytest.mark.parametrize("sigma", [1.3, 8.0], ids=["fast", "stable"])
def test_however_the_data_come_the_result_is_the_same_to_the_last_bit(files, sigma):
    model = NystromRidge(Gaussian(sigma), n_landmarks=M, lam=LAM, block=50)
    reference = clone(model).fit(X, Y1)

    def check(*given):
        same(clone(model).fit(*given), reference)

    check(X.tolist(), Y1.tolist())
    check(np.asfortranarray(X), Y1)
    check(pd.DataFrame(X, columns=["a", "b", "c"]), pd.Series(Y1))
    check(files / "X.npy", files / "y.npy")
    check(str(files / "X.npy"), Y1)
    check(files / "fortran.npy", Y1)
    check(np.load(files / "X.npy", mmap_mode="r"), np.load(files / "y.npy", mmap_mode="r"))
    check(np.memmap(files / "raw", float, "r", offset=24, shape=(N, D)), Y1)
    check(np.memmap(files / "raw", float, "r+", offset=24, shape=(N, D)), Y1)
    for size in (1, 7, 50, 64, 1000):
        check(blocks_of(size))
    check(list(blocks_of(33)()))
    check(tuple((list(a), list(b)) for a, b in blocks_of(33)()))


@pytest.mark.not_in_wasm(reason="no memory maps")
def test_parts_and_private_copies_of_maps_are_read_as_they_are(files):
    mapped = np.load(files / "X.npy", mmap_mode="r")
    same(ridge().fit(mapped[30:], Y1[30:]), ridge().fit(X[30:], Y1[30:]))
    same(ridge().fit(mapped[:, :2], Y1), ridge().fit(X[:, :2], Y1))
    private = np.load(files / "X.npy", mmap_mode="c")
    private[:] += 1
    same(ridge().fit(private, Y1), ridge().fit(X + 1, Y1))
    same(ridge().fit(files / "single.npy", Y1), ridge().fit(X.astype(np.float32), Y1))


def test_two_targets_in_blocks():
    same(ridge().fit(blocks_of(41, y=Y2)), ridge().fit(X, Y2))
    same(ridge(landmarks=Z).fit(blocks_of(41, y=Y2)), ridge(landmarks=Z).fit(X, Y2))


@pytest.mark.parametrize(("sigma", "way"), [(1.0, "_fast"), (9.0, "_stable")])
def test_long_blocks_are_computed_in_strips(monkeypatch, sigma, way):
    names, big = used(monkeypatch), np.random.default_rng(8).standard_normal((2500, 2))
    model = NystromRidge(Gaussian(sigma), n_landmarks=10, lam=1e-2, block=2500).fit(big, big[:, 0])
    other = NystromRidge(Gaussian(sigma), n_landmarks=10, lam=1e-2, block=99).fit(big, big[:, 0])
    assert names == [way, way]
    np.testing.assert_allclose(model.predict(big), other.predict(big), rtol=0, atol=1e-7)
    np.testing.assert_allclose(model.predict(big), Gaussian(sigma)(big, model.landmarks_) @ model.dual_coef_, atol=1e-8)
    K, Kmm = Gaussian(sigma)(big, model.landmarks_), Gaussian(sigma)(model.landmarks_)
    w, U = np.linalg.eigh(Kmm)
    mu = np.linalg.svd(K @ (U / np.sqrt(w)), compute_uv=False) ** 2
    assert model.effective_df() == pytest.approx(np.sum(mu / (mu + 1e-2)), rel=1e-6)


# ---------------------------------------------------------------- executors: the same bits from all of them


class InThisThread(Executor):
    """Runs at once; remembers how many results waited at one time."""

    def __init__(self):
        self.waiting = self.most = self.calls = 0

    def submit(self, work, block):
        self.waiting += 1
        self.calls += 1
        self.most = max(self.most, self.waiting)
        future = Future()
        future.set_result(work(block))
        taken = future.result
        future.result = lambda: (setattr(self, "waiting", self.waiting - 1), taken())[1]
        return future


@pytest.mark.parametrize("in_flight", [1, 3, 8])
def test_no_more_blocks_wait_than_were_allowed(in_flight, monkeypatch):
    monkeypatch.setattr("kcourse.scaling.blocks._IN_FLIGHT", in_flight)
    executor = InThisThread()
    same(ridge(executor=executor).fit(X, Y1), ridge().fit(X, Y1))
    assert executor.most == min(in_flight, 7) and executor.calls >= 7 and executor.waiting == 0


def test_after_an_error_what_has_not_begun_is_cancelled():
    futures = []

    class Stuck(Executor):
        def submit(self, work, block):
            futures.append(Future())
            if len(futures) == 1:
                futures[0].set_exception(OSError("the worker is gone"))
            return futures[-1]

    refused("the worker is gone", ridge(executor=Stuck()).fit, X, Y1, error=OSError)
    assert [future.cancelled() for future in futures] == [False] + 6 * [True]


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.mark.not_in_wasm(reason="no processes")
def test_processes_change_no_bit(processes, files):
    reference = ridge().fit(X, Y1)
    for given in ((X, Y1), (files / "X.npy", files / "y.npy"), (blocks_of(13),)):
        same(ridge(executor=processes).fit(*given), reference)
    stable = NystromRidge(Gaussian(8.0), n_landmarks=M, lam=LAM, block=50)
    same(clone(stable).set_params(executor=processes).fit(X, Y1), stable.fit(X, Y1))


@pytest.fixture(scope="module")
def dask_client():
    """Two worker processes of a real cluster on this machine."""
    distributed = pytest.importorskip("distributed")
    quiet = {"dashboard_address": "127.0.0.1:0", "host": "127.0.0.1"}
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, **quiet)
    client = distributed.Client(cluster)
    yield client
    gc.collect()  # a future that is collected later asks a loop that is closed, and pytest reports it
    for part in (client, cluster):
        with contextlib.suppress(RuntimeError):  # on a busy machine its loop may have been closed before
            part.close()


def test_a_dask_cluster_changes_no_bit(dask_client, files):
    reference = ridge().fit(X, Y1)
    for given in ((X, Y1), (files / "X.npy", Y1), (blocks_of(13),)):
        same(ridge(executor=dask_client.get_executor()).fit(*given), reference)
    same(ridge(executor=dask_client).fit(X, Y1), reference)


def test_blocks_of_a_cluster_stay_where_they_are(dask_client):
    import dask.array as da

    A, b = da.from_array(X, chunks=(50, -1)), da.from_array(Y1, chunks=50)
    delayed = list(zip(A.to_delayed().ravel(), b.to_delayed().ravel(), strict=True))
    far = ridge(executor=dask_client)
    for sigma in (1.3, 8.0):  # both ways
        far.set_params(kernel__sigma=sigma)
        reference = NystromRidge(Gaussian(sigma), n_landmarks=M, lam=LAM, block=50).fit(X, Y1)
        futures = [dask_client.submit(lambda i: (X[i : i + 50], Y1[i : i + 50]), i) for i in range(0, N, 50)]
        persisted = dask_client.persist([A, b])
        for given in ((A, b), persisted, (delayed,), (futures,)):
            same(clone(far).fit(*given), reference)


def test_of_a_dask_array_only_landmarks_and_sums_come_here(dask_client, monkeypatch):
    import dask.array as da

    wide = np.column_stack([X, np.zeros((N, 500))])
    fetched, result = [], type(dask_client.submit(len, "a")).result

    def weighed(future, *more):
        fetched.append(len(pickle.dumps(result(future, *more))))
        return result(future, *more)

    monkeypatch.setattr(type(dask_client.submit(len, "b")), "result", weighed)
    model = ridge(executor=dask_client).fit(da.from_array(wide, chunks=(50, -1)), da.from_array(Y1, chunks=50))
    same(model, ridge().fit(wide, Y1))
    assert len(fetched) > 14 and sum(fetched) < wide.nbytes / 4 and max(fetched) < wide[:50].nbytes / 2


def test_blocks_that_are_delayed_or_in_futures_need_no_cluster():
    dask = pytest.importorskip("dask")
    reference = ridge().fit(X, Y1)
    pairs = list(blocks_of(50)())
    delayed = [dask.delayed(pair) for pair in pairs]
    with ThreadPoolExecutor(2) as pool:
        for executor in (None, pool):
            same(ridge(executor=executor).fit(delayed), reference)
            same(ridge(executor=executor).fit([pool.submit(lambda p=p: p) for p in pairs]), reference)
            halves = [(dask.delayed(a), b) for a, b in pairs]
            same(ridge(executor=executor, landmarks=reference.landmarks_).fit(halves), reference)
    with pytest.raises(ValueError, match="y of block 1 contains NaN"):
        ridge().fit([*delayed[:1], dask.delayed((X[50:], np.where(Y1[50:] > 0, np.nan, Y1[50:])))])
    refused("block 0 is ndarray and not a pair", ridge().fit, [dask.delayed(X)])
    refused(r"block 1 has points of shape \(2,\)", ridge().fit, [delayed[0], dask.delayed((X[:9, :2], Y1[:9]))])
    refused("sample_weight .* arrays", ridge().fit, delayed, sample_weight=np.ones(N))


def test_arrays_of_dask_that_do_not_fit_together_are_refused(dask_client):
    da = pytest.importorskip("dask.array")
    for A, b in (
        (da.from_array(X, chunks=(50, 2)), da.from_array(Y1, chunks=50)),
        (da.from_array(X, chunks=(50, -1)), da.from_array(Y1, chunks=60)),
        (da.from_array(X, chunks=(50, -1)), Y1),
    ):
        with pytest.raises(ValueError, match="must hold whole rows, and y .*same rows"):
            ridge(executor=dask_client).fit(A, b)
    futures = [dask_client.submit(lambda: (X, Y1))]
    refused("pass executor=client", ridge().fit, futures)
    with pytest.raises(ValueError, match="pass executor=client"):
        ridge(executor=dask_client.get_executor()).fit(da.from_array(X, chunks=(50, -1)), da.from_array(Y1, chunks=50))


@pytest.mark.not_in_wasm(reason="no memory maps")
def test_workers_are_sent_the_place_of_mapped_rows_and_not_the_rows(tmp_path):
    wide = np.zeros((100, 5000))
    wide[:, :D] = X[:100]
    np.save(tmp_path / "wide.npy", wide)
    sizes = []

    class Sizes(InThisThread):
        def submit(self, work, block):
            sizes.append(len(pickle.dumps(block)))
            return super().submit(work, block)

    model = partial(NystromRidge, Gaussian(), landmarks=wide[:2], block=50)
    a = model(executor=Sizes()).fit(tmp_path / "wide.npy", Y1[:100])
    assert max(sizes) < 2000
    same(a, model().fit(wide, Y1[:100]))


@pytest.mark.not_in_wasm(reason="no memory maps")
def test_an_error_in_a_worker_is_the_error_of_fit_and_stops_the_rest(files):
    bad = X.copy()
    bad[130, 1] = np.nan
    np.save(files / "bad.npy", bad)
    said = re.escape("X[100:150] contains NaN or infinity (1 of 150 entries, the first at (30, 1))")
    with ThreadPoolExecutor(2) as pool:
        for executor in (None, pool):
            model = ridge(executor=executor, landmarks=Z)
            refused(said, model.fit, files / "bad.npy", Y1)
            assert not hasattr(model, "dual_coef_")


def test_progress_is_told_of_every_block_of_every_pass():
    told = []
    ridge(progress=lambda done, total: told.append((done, total))).fit(X, Y1)
    one_pass = [(done, N) for done in (50, 100, 150, 200, 250, 300, 333)]
    assert told[:7] == one_pass and told[7:14] == one_pass and len(told) % 7 == 0
    told.clear()
    ridge(progress=lambda done, total: told.append((done, total))).fit(blocks_of(20))
    assert told[:7] == one_pass


def test_the_bar_is_silent_at_first_and_then_one_line(monkeypatch):
    clock, out = iter([10.0, 11.0, 13.0, 14.0, 50.0, 51.0]), io.StringIO()
    monkeypatch.setattr("kcourse.scaling.blocks.time.monotonic", lambda: next(clock))
    bar = TextBar(after=2.0, file=out)
    for done in (25, 50, 75, 100):
        bar(done, 100)
    assert out.getvalue() == "\r[###############.....] 75 of 100 rows\r[####################] 100 of 100 rows\n"
    bar(50, 100)
    bar(100, 100)  # the next pass was quick
    assert out.getvalue().count("\n") == 1


def test_true_is_the_bar_and_says_nothing_of_a_short_fit(capsys):
    ridge(progress=True).fit(X, Y1)
    assert capsys.readouterr() == ("", "")
    ridge(progress=TextBar(after=0.0)).fit(X, Y1)
    assert "] 333 of 333 rows\n" in capsys.readouterr().err


# ---------------------------------------------------------------- manners


def test_one_point_and_one_landmark():
    assert ridge(n_landmarks=1).fit([[0.0, 1.0]], [2.0]).predict([[0.0, 1.0]])[0] == pytest.approx(2 / (1 + LAM))
    assert Nystrom(Gaussian(), n_landmarks=1).fit_transform([[0.0, 1.0]]).tolist() == [[1.0]]
    assert RandomFourierFeatures(Gaussian(), n_features=2).fit_transform([[0.0, 0.0]]).tolist() == [[1.0, 0.0]]


def test_landmarks_are_a_copy():
    mine = Z.copy()
    fitted = [Nystrom(Gaussian(), landmarks=mine).fit(X), ridge(landmarks=mine).fit(X, Y1)]
    before = [fitted[0].transform(XQ), fitted[1].predict(XQ)]
    mine[:] = 0
    np.testing.assert_array_equal(fitted[0].transform(XQ), before[0])
    np.testing.assert_array_equal(fitted[1].predict(XQ), before[1])


@pytest.mark.not_in_wasm(reason="no threads")
def test_pickles_and_clones_leave_the_pool_where_it_is():
    with ThreadPoolExecutor(2) as pool:
        model = ridge(executor=pool, progress=lambda done, total: None).fit(X, Y1)
        assert clone(model).executor is pool and clone(model).progress is model.progress
        assert clone(model).landmarks == "uniform" and not hasattr(clone(model), "dual_coef_")
        loaded = pickle.loads(pickle.dumps(model))
        assert loaded.executor is None and loaded.progress is False and model.executor is pool
        np.testing.assert_array_equal(loaded.predict(XQ), model.predict(XQ))
        search = GridSearchCV(model, {"kernel__sigma": [0.01, 1.3]}, cv=3).fit(X, Y1)
        assert search.best_params_ == {"kernel__sigma": 1.3}


@pytest.mark.parametrize(
    ("few", "all_of_them"),
    [
        (lambda m: Nystrom(Gaussian(), n_landmarks=m).fit(X).transform(Z), N),
        (lambda m: pivoted_landmarks(Gaussian(), X, m), N),
        (lambda m: ridge(n_landmarks=m).fit(X, Y1).predict(Z), N),
        (lambda m: ridge(n_landmarks=m).fit(blocks_of(20)).predict(Z), N),
    ],
)
def test_more_landmarks_than_points_are_all_points_and_a_warning(few, all_of_them):
    with pytest.warns(UserWarning, match="n_landmarks = 334 is more than the number of points, n_samples = 333"):
        more = few(N + 1)
    np.testing.assert_array_equal(more, few(all_of_them))


# ---------------------------------------------------------------- what goes wrong, and what is said


@np.errstate(over="ignore", invalid="ignore")
def test_what_is_wrong_is_said():
    refused(r"landmarks has shape \(17, 2\); expected 3", Nystrom(Gaussian(), landmarks=Z[:, :2]).fit, X)
    refused("landmarks is not positive semi-definite", Nystrom(Sigmoid(1.0, -1.0), n_landmarks=9).fit, X)
    refused("the kernel overflows on these points; scale X down", Nystrom(Linear(), landmarks=1e200 * Z).fit, X)
    refused("features are .* for Gaussian", RandomFourierFeatures(Linear()).fit, X, error=TypeError)
    refused(r"sigma has 2 widths and X has 3 feature\(s\)", RandomFourierFeatures(Gaussian((1.0, 2.0))).fit, X)
    refused("n_features must be even, got 7", RandomFourierFeatures(Gaussian(), n_features=7).fit, X)
    refused(r"got 'pivoted'; pivoted_landmarks\(", ridge(landmarks="pivoted").fit, X, Y1)
    refused("requires y to be passed, but the target y is None", ridge().fit, X)
    refused(r"leave y out: fit\(X\)", ridge().fit, blocks_of(20), Y1)
    refused("X is a generator, .* fit reads the data several times: pass a function", ridge().fit, blocks_of(20)())
    refused("X gave no blocks", ridge().fit, lambda: iter([]))
    refused(r"X of block 1 has shape \(333, 2\); expected 3", ridge().fit, [(X, Y1), (X[:, :2], Y1)])
    refused("y of block 1 has 332 entries", ridge().fit, [(X, Y1), (X, Y1[1:])])
    refused(r"block 1 is ndarray and not a pair \(X_block, y_block\)", ridge().fit, [(X, Y1), X])
    refused(r"overflows in X\[0:333\]: scale X or y", NystromRidge(Linear(), landmarks=np.eye(3)).fit, 1e160 * X, Y1)


def test_a_function_that_returns_the_same_generator_is_found_out():
    generator = blocks_of(20)()
    refused("X gave 333 rows when it was first read.* 0 now", ridge().fit, lambda: generator)
    refused("X gave no blocks. If it is a function, it must return a fresh iterator", ridge().fit, lambda: generator)


@pytest.mark.not_in_wasm(reason="no memory maps")
@pytest.mark.parametrize("shape", [(N,), (N, 2, 2), (0, 3), (3, 0)])
def test_files_of_the_wrong_shape(tmp_path, shape):
    np.save(tmp_path / "a.npy", np.zeros(shape))
    refused("X ", ridge().fit, tmp_path / "a.npy", np.zeros(shape[0]))


def test_rounding_that_a_small_pivot_has_divided_is_no_landmark():
    rng = np.random.default_rng(0)
    for seed in range(2000):
        X = rng.integers(-48, 49, (8, 2)) / 16  # points of the plane: two landmarks span them
        assert len(pivoted_landmarks(Linear(), X, 8, rng=seed)) == 2


def test_rows_without_weight_are_no_landmarks():
    rng = np.random.default_rng(0)
    X, y, w = rng.normal(size=(60, 2)), rng.normal(size=60), np.arange(60) % 3 * 1.0
    models = [NystromRidge(Gaussian(1.0), n_landmarks=12, lam=0.1) for _ in range(2)]
    with_zeros, without = models[0].fit(X, y, w), models[1].fit(X[w > 0], y[w > 0], w[w > 0])
    np.testing.assert_array_equal(with_zeros.landmarks_, without.landmarks_)
    np.testing.assert_allclose(with_zeros.predict(X), without.predict(X), rtol=1e-8)


def test_a_fit_that_fails_late_changes_nothing():
    model = ridge().fit(X, Y1)
    f, df = model.predict(XQ), model.effective_df()
    refused("n_landmarks must be at least 1", model.set_params(lam=7.0, n_landmarks=0).fit, X[:5], Y1[:5])
    np.testing.assert_array_equal(model.predict(XQ), f)
    assert model.effective_df() == df
