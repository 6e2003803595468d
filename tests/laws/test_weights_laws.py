"""What a sample weight means in every estimator that takes one: so many copies of its point."""

import inspect
from functools import partial

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import kcourse
from kcourse import Constant, Gaussian, KernelRidge, Laplacian, Linear, Multiquadric, Polynomial, loo_path
from kcourse.base.estimator import Classifier, Estimator
from kcourse.kernels import gram
from kcourse.kpca import KernelFisherDiscriminant
from kcourse.neighbors import NadarayaWatson, NearestCentroid, ParzenClassifier, ParzenDensity
from kcourse.rbf import (
    BayesRBFClassifier,
    GeneralizedRBF,
    RBFInterpolator,
    RBFNetwork,
    RBFNetworkClassifier,
    RegularizationNetwork,
    kmeans,
    supervised_gradients,
)
from kcourse.scaling import NystromRidge
from kcourse.svm import SVC, SVR, Pegasos
from tests.laws.law import laws
from tests.rows import each
from tests.unit.refused import refused

law = laws(25)

sixteenths = st.integers(-32, 32).map(lambda i: i / 16)
COPIES = st.integers(0, 4)
QUERIES = np.array([[0.0, 0.0], [1.5, -2.0], [-0.3, 0.7], [60.0, 9.0]])
LANDMARKS = np.array([[0.0, 0.0], [1.0, -1.0], [-2.0, 0.5]])
MODELS = {
    "BayesRBFClassifier": lambda s: BayesRBFClassifier(1),
    "GeneralizedRBF": lambda s: GeneralizedRBF(Gaussian(s), centers=LANDMARKS, lam=0.3),
    "GeneralizedRBF, no penalty": lambda s: GeneralizedRBF(Gaussian(s), centers=LANDMARKS[:1], lam=0.0),
    "KernelFisherDiscriminant": lambda s: KernelFisherDiscriminant(Gaussian(s), lam=0.5),
    "KernelRidge": lambda s: KernelRidge(Gaussian(s), lam=0.3),
    "KernelRidge, intercept": lambda s: KernelRidge(Polynomial(gamma=0.2, degree=2), lam=s, intercept=True),
    "NadarayaWatson": lambda s: NadarayaWatson(Gaussian(s)),
    "NadarayaWatson, Laplacian": lambda s: NadarayaWatson(3 * Laplacian(s)),
    "NadarayaWatson, no logarithms": lambda s: NadarayaWatson(Gaussian(s) + Constant(0.01)),
    "NearestCentroid": lambda s: NearestCentroid(Gaussian(s)),
    "NearestCentroid, linear": lambda s: NearestCentroid(Linear()),
    "NystromRidge": lambda s: NystromRidge(Gaussian(s), landmarks=LANDMARKS, lam=0.3, block=4),
    "ParzenClassifier": lambda s: ParzenClassifier(s),
    "ParzenDensity": lambda s: ParzenDensity(s),
    "RBFInterpolator": lambda s: RBFInterpolator(Gaussian(s), lam=0.3),
    "RBFInterpolator, negative": lambda s: RBFInterpolator(Multiquadric(s), lam=0.3),
    "RBFNetwork": lambda s: RBFNetwork(2, centers=LANDMARKS[1:], sigma=s, lam=0.2),
    "RBFNetwork, no bias": lambda s: RBFNetwork(2, centers=LANDMARKS[1:], sigma=s, lam=0.2, bias=False),
    "RBFNetworkClassifier": lambda s: RBFNetworkClassifier(2, centers=LANDMARKS[1:], sigma=s, lam=0.2),
    "RegularizationNetwork": lambda s: RegularizationNetwork(Gaussian(s), lam=0.3),
}
MACHINES = {  # which are solved to a tolerance, and whose b may be any of an interval
    "SVC": lambda s: SVC(Gaussian(s), C=0.7, tol=1e-10),
    "SVC, balanced": lambda s: SVC(Linear(), C=2.0, tol=1e-10, class_weight="balanced"),
    "SVC, SMO": lambda s: SVC(Gaussian(s), C=0.7, tol=1e-9, solver="smo"),
    "SVR": lambda s: SVR(Gaussian(s), C=1.5, epsilon=0.1, tol=1e-10),
}
DRAWN = {"Pegasos": lambda s: Pegasos(Gaussian(s))}  # whose points are drawn: as often as they weigh, on average
every_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
every_machine = pytest.mark.parametrize("make", MACHINES.values(), ids=MACHINES)
LEAVE_ONE_OUT = ("KernelRidge", "KernelRidge, intercept", "NadarayaWatson", "NadarayaWatson, no logarithms")


@st.composite
def weighted(draw, weights=COPIES):
    """X (n, 2), y (n,), labels (n,) and weights of which at least two are positive, in two classes."""
    n = draw(st.integers(3, 8))
    X = draw(arrays(float, (n, 2), elements=sixteenths))
    y = draw(arrays(float, n, elements=sixteenths))
    labels = np.array(draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n)))
    w = np.array(draw(st.lists(weights, min_size=n, max_size=n)))
    assume(len(set(labels[w > 0])) >= 2)
    return X, y, labels, w


def answers(model):
    """What the model says, and what it says of itself."""
    said = [
        getattr(model, method)(QUERIES)
        for method in ("predict_proba", "decision_function", "log_density")
        if hasattr(model, method)
    ]
    if not said:
        said = [model.predict(QUERIES)]
    if hasattr(model, "effective_df"):
        said.append(model.effective_df())
    return [*said, getattr(model, "norm2_", 0.0)]


def same(model, other, rtol=1e-9):
    for a, b in zip(answers(model), answers(other), strict=True):
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * max(1.0, np.max(np.abs(b))))


def target(model, y, labels):
    return labels if isinstance(model, Classifier) else y


def same_machine(model, X, other, X_other):
    """The same functions up to b, and an optimal b that both have."""
    left, right = (np.atleast_2d(m.dual_coef_) @ gram(m.kernel, P, QUERIES) for m, P in ((model, X), (other, X_other)))
    np.testing.assert_allclose(left, right, atol=2e-4)
    np.testing.assert_allclose(model.dual_objective_, other.dual_objective_, rtol=1e-6, atol=1e-7)
    for (low, high), (least, most) in zip(
        np.atleast_2d(model.bias_interval_), np.atleast_2d(other.bias_interval_), strict=True
    ):
        assert max(low, least) <= min(high, most) + 2e-4


@every_machine
@law(data=weighted(), s=st.floats(0.3, 4.0))
def test_a_whole_weight_is_so_many_copies_in_a_support_vector_machine_too(make, data, s):
    X, y, labels, w = data
    model = make(s)
    d = target(model, y, labels)
    copies, kept = np.repeat(np.arange(len(X)), w), w > 0
    same_machine(model.fit(X, d, sample_weight=w), X, make(s).fit(X[copies], d[copies]), X[copies])
    assert not np.any(np.isin(model.support_, np.flatnonzero(~kept)))
    assert np.all(model.dual_coef_[..., ~kept] == 0) and np.all(model.slacks_[..., ~kept] == 0)
    same_machine(model, X, make(s).fit(X[kept], d[kept], sample_weight=w[kept].tolist()), X[kept])
    same_machine(make(s).fit(X, d, sample_weight=np.ones(len(X))), X, make(s).fit(X, d), X)
    # twice all weights is twice C
    if "balanced" not in repr(model):
        same_machine(make(s).fit(X, d, sample_weight=2.0 * w), X, make(s).set_params(C=2 * model.C).fit(X, d, w), X)


@every_model
@law(data=weighted(), s=st.floats(0.3, 4.0))
def test_a_whole_weight_is_so_many_copies_and_0_is_none(make, data, s):
    X, y, labels, w = data
    model = make(s)
    d = target(model, y, labels)
    same(model.fit(X, d, sample_weight=w), make(s).fit(X.repeat(w, axis=0), d.repeat(w)))
    kept = w > 0
    same(model, make(s).fit(X[kept], d[kept], sample_weight=w[kept].tolist()))


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0)], ids=repr)
def test_pegasos_draws_a_point_as_often_as_it_weighs(kernel):
    rng = np.random.default_rng(0)
    X, w = rng.standard_normal((30, 2)), rng.integers(0, 5, 30)
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(30) > 0, 1, -1)
    model = Pegasos(kernel, C=0.3, epochs=3000, average=True).fit(X, y, sample_weight=w)
    copies = np.repeat(np.arange(30), w)
    other = Pegasos(kernel, C=0.3, epochs=1500, average=True).fit(X[copies], y[copies])
    assert model.objective_ == pytest.approx(other.objective_, rel=1e-3) and len(model.X_fit_) == np.sum(w > 0)
    np.testing.assert_allclose(model.decision_function(QUERIES), other.decision_function(QUERIES), rtol=0.01, atol=0.02)
    f = model.decision_function(X)
    loss = 0.3 * np.sum(w * np.maximum(0, 1 - y * f))
    norm2 = 2 * (model.objective_ - loss)
    assert norm2 == pytest.approx(model.dual_coef_ @ gram(kernel, model.X_fit_) @ model.dual_coef_, rel=1e-9)


@law(data=weighted(st.floats(0.1, 5.0)), s=st.floats(0.3, 4.0), c=st.sampled_from([1e-9, 0.3, 1e12]))
def test_only_the_ratios_of_weights_count_where_nothing_is_penalised(data, s, c):
    X, y, labels, w = data
    for name in ("NadarayaWatson", "NearestCentroid", "ParzenClassifier", "ParzenDensity"):
        d = target(MODELS[name](s), y, labels)
        same(MODELS[name](s).fit(X, d, sample_weight=c * w), MODELS[name](s).fit(X, d, sample_weight=w))
    ridge = KernelRidge(Gaussian(s), lam=0.3 * c).fit(X, y, sample_weight=c * w)  # and there λ scales with them
    same(ridge, KernelRidge(Gaussian(s), lam=0.3).fit(X, y, sample_weight=w))


@pytest.mark.parametrize("name", LEAVE_ONE_OUT)
@law(data=weighted(st.floats(1e-6, 1e3)), s=st.floats(0.3, 4.0))
def test_leaving_out_is_fitting_without_the_point_and_all_its_weight(name, data, s):
    X, y, _, w = data
    model = MODELS[name](s).fit(X, y, sample_weight=w)
    rest = ~np.eye(len(y), dtype=bool)
    refits = [MODELS[name](s).fit(X[r], y[r], sample_weight=w[r]).predict(X[~r])[0] for r in rest]
    np.testing.assert_allclose(model.loo_residuals(), y - refits, rtol=1e-6, atol=1e-6)


@law(data=weighted(st.floats(1e-3, 1e3)), s=st.floats(0.3, 4.0))
def test_paths_are_leave_one_out_at_each_value_with_the_weighted_mean(data, s):
    X, y, _, w = data
    for intercept in (False, True):
        path = KernelRidge(Gaussian(s), intercept=intercept).fit(X, y, sample_weight=w).loo_path([0.1, 2.0])
        for j, lam in enumerate(path.lams):
            one = KernelRidge(Gaussian(s), lam=lam, intercept=intercept).fit(X, y, sample_weight=w)
            np.testing.assert_allclose(path.residuals[j], one.loo_residuals(), rtol=1e-6, atol=1e-6)
            np.testing.assert_allclose(path.mse[j], np.average(one.loo_residuals() ** 2, weights=w), rtol=1e-6)
            np.testing.assert_allclose([path.df[j], path.norm2[j]], [one.effective_df(), one.norm2_], rtol=1e-6)
    two = np.column_stack([y, 1 - y])
    for d in (y, two):
        path = NadarayaWatson(Gaussian(s)).fit(X, d, sample_weight=w).loo_path([s, 2 * s])
        residuals = NadarayaWatson(Gaussian(2 * s)).fit(X, d, sample_weight=w).loo_residuals()
        np.testing.assert_allclose(d - path.predictions[1], residuals, rtol=1e-7, atol=1e-7)
        np.testing.assert_allclose(
            path.error[1], np.average((residuals**2).reshape(len(w), -1).mean(axis=1), weights=w), rtol=1e-7, atol=1e-12
        )


@law(data=weighted(st.floats(1e-3, 1e3)), s=st.floats(0.3, 4.0))
def test_a_density_left_out_is_that_of_the_rest(data, s):
    X, _, _, w = data
    model, rest = ParzenDensity(s).fit(X, sample_weight=w), ~np.eye(len(w), dtype=bool)
    refits = [ParzenDensity(s).fit(X[r], sample_weight=w[r]).log_density(X[~r])[0] for r in rest]
    np.testing.assert_allclose(model.loo_log_density(), refits, rtol=1e-9, atol=1e-9)
    path = model.loo_path([0.7, s])
    np.testing.assert_allclose(path.predictions[1], refits, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(path.error[1], -np.average(refits, weights=w), rtol=1e-9, atol=1e-9)


def test_a_weight_that_dwarfs_the_rest_leaves_the_rest_its_digits():
    X, w = np.array([[0.0], [1.0], [2.5]]), np.array([1e25, 2.0, 3.0])
    left_out = ParzenDensity(1.0).fit(X, sample_weight=w).loo_log_density()[0]
    assert left_out == pytest.approx(ParzenDensity(1.0).fit(X[1:], sample_weight=w[1:]).log_density(X[:1])[0], 1e-13)


@each("name", LEAVE_ONE_OUT)
@each("extreme", [1e-150, 1e-20, 1e20, 1e150])
def test_one_weight_may_be_nothing_or_everything(name, extreme):
    rng = np.random.default_rng(0)
    X, y, w = rng.standard_normal((8, 2)), rng.standard_normal(8), np.r_[extreme, np.ones(7)]
    model = MODELS[name](1.0).fit(X, y, sample_weight=w)
    rest = MODELS[name](1.0).fit(X[1:], y[1:])
    np.testing.assert_allclose(model.loo_residuals()[0], y[0] - rest.predict(X[:1])[0], rtol=1e-9)
    if extreme < 1:
        np.testing.assert_allclose(model.predict(QUERIES[:3]), rest.predict(QUERIES[:3]), rtol=1e-9)
    elif name.startswith("KernelRidge"):
        np.testing.assert_allclose(model.predict(X[:1]), y[0], rtol=1e-9)  # it has to pass there


@law(data=weighted())
def test_groups_and_descents_weigh_their_points(data):
    X, y, _, w = data
    copies, start = np.repeat(np.arange(len(X)), w), LANDMARKS[1:]
    assume(len(np.unique(X[copies], axis=0)) >= 2)
    one, other = kmeans(X, 2, init=start, sample_weight=w), kmeans(X[copies], 2, init=start)
    np.testing.assert_allclose(one.inertia, other.inertia, atol=1e-9)
    np.testing.assert_array_equal(one.labels[copies], other.labels)
    np.testing.assert_allclose(one.centers, other.centers, atol=1e-12)
    args = (0.3 * LANDMARKS[:, 0], LANDMARKS, np.ones(3))
    g = supervised_gradients(X, y, *args, sample_weight=w)
    for name, value in vars(supervised_gradients(X[copies], y[copies], *args)).items():
        np.testing.assert_allclose(getattr(g, name), value, atol=1e-10)


def test_centres_are_drawn_by_weight():
    X = np.array([[0.0], [1.0], [5.0], [6.0]])
    found = [kmeans(X, 1, sample_weight=[0, 1e-9, 1, 0], max_iter=1, n_init=1, rng=seed) for seed in range(5)]
    assert all(f.centers[0, 0] == pytest.approx(5.0, abs=1e-6) and f.labels.tolist() == [0] * 4 for f in found)
    model = RBFNetwork(2, sigma=1.0).fit(X, X[:, 0], sample_weight=[1, 1, 3, 1])
    np.testing.assert_allclose(np.sort(model.centers_[:, 0]), [0.5, 5.25])


def test_draws_are_of_the_points_by_weight():
    model = ParzenDensity(1e-3).fit([[0.0], [1.0], [2.0]], sample_weight=[1, 0, 3])
    drawn = np.round(model.sample(4000, rng=0)[:, 0])
    assert set(drawn) == {0.0, 2.0} and np.mean(drawn == 2) == pytest.approx(0.75, abs=0.03)


def test_smoothers_say_their_weighted_matrix():
    X, y, w = np.array([[0.0], [1.0], [3.0]]), np.array([1.0, 2.0, -4.0]), np.array([0.5, 2.0, 1.0])
    model = NadarayaWatson(Gaussian(1.0)).fit(X, y, sample_weight=w)
    S = model.smoother_matrix(X)
    np.testing.assert_allclose(S @ y, model.predict(X), rtol=1e-14)
    np.testing.assert_allclose(S.sum(axis=1), 1.0)
    assert model.effective_df() == pytest.approx(np.trace(S))


def test_every_estimator_that_takes_weights_is_held_to_these_laws():
    public = {name: getattr(kcourse, name) for name in kcourse.__all__}
    estimators = {n: c for n, c in public.items() if inspect.isclass(c) and issubclass(c, Estimator)}
    take = {name for name, cls in estimators.items() if "sample_weight" in inspect.signature(cls.fit).parameters}
    assert take == {name.split(",")[0] for name in (*MODELS, *MACHINES, *DRAWN)}


def test_weights_that_are_none_are_refused():
    for make in (*MODELS.values(), *MACHINES.values(), *DRAWN.values()):
        fit = partial(make(1.0).fit, np.eye(3)[:, :2], [0, 1, 1])
        refused(r"sample_weight\[1\] is -2; ", fit, sample_weight=[1, -2, 1])
        refused("all 3 weights are zero", fit, sample_weight=[0, 0, 0])
        refused(r"sample_weight\[1\] is 4.94066e-324; positive weights", fit, sample_weight=[1, 5e-324, 1])
        refused(r"sample_weight\[2\] is 1e\+300; positive weights", fit, sample_weight=[1, 2, 1e300])
        refused("sample_weight has 2 entries and X has 3 rows", fit, sample_weight=[1, 2])
        refused("sample weights must be 1D", fit, sample_weight=[[1], [1], [1]])
        refused("sample weights must be 1D", fit, sample_weight=2.0)
        refused("sample_weight contains NaN", fit, sample_weight=[1, np.nan, 1])
        refused("sample_weight holds", fit, error=TypeError, sample_weight=["a", "b", "c"])


@pytest.mark.parametrize("cls", [NearestCentroid, ParzenClassifier])
def test_a_class_without_weight_is_none(cls):
    argument = Gaussian(1.0) if cls is NearestCentroid else 1.0
    model = cls(argument).fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "c", "a"], sample_weight=[1, 0, 2, 1])
    assert model.classes_.tolist() == ["a", "c"] and model.X_fit_.shape == (3, 1)
    refused("one class only", cls(argument).fit, [[0.0], [1.0]], ["a", "b"], sample_weight=[1, 0])


def test_paths_of_a_given_matrix_need_positive_weights():
    refused("leave these points out of K and y", loo_path, np.eye(2), [1.0, 2.0], [0.1], sample_weight=[1, 0])
    with pytest.raises(ValueError, match="leave these points out of X and y"):
        kcourse.neighbors.nw_loo_path([[0.0], [1.0]], [1.0, 2.0], [0.1], sample_weight=[1, 0])


def test_weights_go_with_arrays_and_files_and_not_with_streams(tmp_path):
    rng = np.random.default_rng(0)
    X, y, w = rng.standard_normal((40, 2)), rng.standard_normal(40), rng.uniform(0, 3, 40)
    model = NystromRidge(Gaussian(1.0), landmarks=LANDMARKS, lam=0.3, block=7)
    said = model.fit(X, y, sample_weight=w).predict(QUERIES)
    np.save(tmp_path / "X.npy", X)
    np.testing.assert_array_equal(model.fit(str(tmp_path / "X.npy"), y, sample_weight=w).predict(QUERIES), said)
    refused("sample_weight .* arrays, memory maps and files", model.fit, lambda: iter([(X, y)]), sample_weight=w)


def test_the_accuracy_is_weighted():
    model = NearestCentroid(Linear()).fit([[0.0], [1.0]], ["a", "b"])
    assert model.score([[0.0], [1.0], [2.0]], ["a", "a", "b"], sample_weight=[1, 2, 5]) == 0.75
