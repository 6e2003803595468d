"""kcourse.base.estimator: parameters, the memory of features, the score, scikit-learn's protocol."""

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import sklearn
import sklearn.exceptions
from sklearn.gaussian_process.kernels import RBF
from sklearn.metrics import r2_score

from kcourse import Gaussian, KernelRidge, Laplacian, Linear
from kcourse.base.estimator import Classifier, NotFittedError, Regressor, Transformer
from kcourse.base.validation import check_labels, check_number
from tests.rows import each
from tests.unit.refused import refused


class Mean(Regressor):
    """Predicts the mean, shrunk; the smallest regressor there is."""

    def __init__(self, kernel=None, *, shrink=0.0, steps=3, shift=None):
        self.kernel, self.shrink, self.steps, self.shift = kernel, shrink, steps, shift

    def fit(self, X, y):
        points = self._fit_points(X)
        self.mean_ = (1 - check_number(self.shrink, "shrink")) * np.mean(y, axis=0)
        self._remember_features(X, points)
        return self

    def predict(self, X):
        n = len(self._new_points(X))
        return np.broadcast_to(self.mean_, (n, *np.shape(self.mean_))).copy()


X = np.array([[0.0, 1.0], [1.0, 0.5], [2.0, -1.0]])
Y = np.array([1.0, -1.0, 3.0])
FRAME = pd.DataFrame(X, columns=["a", "b"])


def test_parameters_are_the_arguments_themselves():
    kernel, shift = Gaussian(2), np.ones(2)
    model = Mean(kernel, shrink=0.5, shift=shift)
    assert model.get_params(deep=False) == {"kernel": kernel, "shrink": 0.5, "steps": 3, "shift": shift}
    assert model.get_params(deep=False)["shift"] is shift
    assert model.get_params() == {**model.get_params(deep=False), "kernel__sigma": 2.0}
    assert Mean(Gaussian).get_params() == {"kernel": Gaussian, "shrink": 0.0, "steps": 3, "shift": None}  # a class


def test_parameters_are_set_by_name_also_inside_the_kernel():
    model = Mean(3 * Gaussian(2))
    assert model.set_params(shrink=0.25, kernel__right__sigma=5) is model
    assert model.shrink == 0.25 and model.kernel == 3 * Gaussian(5)
    assert model.set_params(kernel__sigma=9, kernel=Laplacian(1)).kernel == Laplacian(9)
    assert model.set_params().kernel == Laplacian(9)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"shrink": 0.5, "gamma": 1}, "Mean has no parameter 'gamma'; it has kernel, shift, shrink, steps"),
        ({"shrink": 0.5, "kernel__gamma": 1}, "Gaussian has no parameter 'gamma'; it has sigma"),
        ({"shrink": 0.5, "kernel__sigma": -1}, "sigma must be positive"),
        ({"shrink": 0.5, "steps__x": 1}, "steps of Mean has no parameter 'x': it is 3"),
    ],
)
def test_setting_fails_as_a_whole_or_not_at_all(params, message):
    model = Mean(Gaussian(2))
    refused(message, model.set_params, **params)
    assert model.get_params() == Mean(Gaussian(2)).get_params()


def test_every_parameter_that_is_listed_can_be_set():
    for model in (KernelRidge(2 * Gaussian(1.0) + Linear()), KernelRidge(RBF(1.0)), KernelRidge(np.dot)):
        for name, value in model.get_params().items():
            model.set_params(**{name: value})


def test_an_estimator_is_shown_with_what_differs_from_the_defaults():
    assert repr(Mean()) == "Mean()" and repr(Mean(shift=np.array([1, 2]))) == "Mean(shift=array([1, 2]))"
    assert repr(Mean(Gaussian(2), shrink=0.5)) == "Mean(kernel=Gaussian(sigma=2.0), shrink=0.5)"
    assert repr(KernelRidge(Linear())) == "KernelRidge(Linear())"
    assert repr(KernelRidge(Linear(), lam=0.25)) == "KernelRidge(Linear(), lam=0.25)"


def test_before_fit_the_error_is_ours_and_scikit_learns():
    for call in (lambda m: m.predict(X), lambda m: m.score(X, Y)):
        with pytest.raises(NotFittedError, match=r"this Mean is not fitted yet: call fit\(X, y\) first") as caught:
            call(Mean())
        assert isinstance(caught.value, sklearn.exceptions.NotFittedError)
        assert isinstance(caught.value, (ValueError, AttributeError))
        again = pickle.loads(pickle.dumps(caught.value))  # as it travels from a worker process
        assert isinstance(again, NotFittedError) and str(again) == str(caught.value)


@pytest.mark.not_in_wasm(reason="no processes")
def test_before_fit_the_error_needs_no_scikit_learn():
    code = (
        "import sys\nfrom kcourse import Gaussian, KernelRidge\nfrom kcourse.base.estimator import NotFittedError\n"
        "try:\n    KernelRidge(Gaussian()).predict([[0.0]])\nexcept Exception as error:\n"
        "    assert type(error) is NotFittedError and 'not fitted yet' in str(error), repr(error)\n"
        "    assert 'sklearn' not in sys.modules\n    print('raised')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "raised\n", done.stderr


def test_names_of_columns_are_remembered_and_forgotten_by_the_next_fit():
    model = Mean().fit(FRAME, Y)
    assert list(model.feature_names_in_) == ["a", "b"] and model.feature_names_in_.dtype == object
    assert not hasattr(model.fit(X, Y), "feature_names_in_")
    assert not hasattr(model.fit(pd.DataFrame(X), Y), "feature_names_in_")  # columns 0 and 1 are numbers, not names


@pytest.mark.parametrize(
    ("at_fit", "later", "message"),
    [
        (FRAME, X, "X does not have valid feature names, but Mean was fitted with feature names"),
        (X, FRAME, "X has feature names, but Mean was fitted without feature names"),
    ],
)
def test_missing_names_are_a_warning_that_points_at_the_caller(at_fit, later, message):
    model = Mean().fit(at_fit, Y)
    with pytest.warns(UserWarning, match=message) as caught:
        model.predict(later)
    assert [warning.filename for warning in caught] == [__file__]


def test_names_that_are_half_numbers_are_refused_with_the_fix():
    with pytest.raises(TypeError, match=r"X\.columns = X\.columns\.astype\(str\)"):
        Mean().fit(pd.DataFrame(X, columns=["a", 1]), Y)


class Echo(Regressor):
    """Predicts the columns of X."""

    def __init__(self, columns=slice(None)):
        self.columns = columns

    def predict(self, X):
        return np.asarray(X)[:, self.columns]


@pytest.mark.parametrize("columns", [0, slice(0, 1), slice(0, 2)])
def test_the_score_is_that_of_scikit_learn(columns):
    rng = np.random.default_rng(0)
    predicted, y = rng.standard_normal((2, 9, 2))
    y[:, 1] = 4.0  # one target is constant
    echo = Echo(columns)
    expected = r2_score(y[:, columns], predicted[:, columns])
    score = echo.score(predicted, y[:, columns])
    assert type(score) is float and score == pytest.approx(expected, rel=1e-13)
    assert echo.score(y, y[:, columns]) == 1.0


@pytest.mark.parametrize("columns", [0, slice(0, 2)])
def test_the_weighted_score_is_that_of_scikit_learn(columns):
    rng = np.random.default_rng(0)
    predicted, y = rng.standard_normal((2, 9, 2))
    w = np.array([0.0, 1, 2, 0.5, 0, 3, 1, 1, 7])
    expected = r2_score(y[:, columns], predicted[:, columns], sample_weight=w)
    assert Echo(columns).score(predicted, y[:, columns], w) == pytest.approx(expected, rel=1e-13)
    refused("sample_weight has 2 entries", Echo(columns).score, predicted, y[:, columns], sample_weight=[1, 2])


def test_one_column_of_targets_counts_as_a_vector():
    assert Echo(0).score([[0.0], [2.0], [3.0]], [[0.0], [2.0], [4.0]]) == pytest.approx(1 - 1 / 8)
    assert Echo(slice(0, 1)).score([[0.0], [2.0], [3.0]], [0.0, 2.0, 4.0]) == pytest.approx(1 - 1 / 8)


def test_targets_that_do_not_fit_the_predictions_are_refused():
    refused(r"y has shape \(3, 2\) and the predictions have \(3,\)", Echo(0).score, X, np.zeros((3, 2)))
    refused("y has 2 entries and X has 3 rows", Echo(0).score, X, np.zeros(2))
    refused("y contains NaN", Echo(0).score, X, [0.0, np.nan, 1.0])
    refused("requires y to be passed", Echo(0).score, X, None)


class Nearest(Classifier):
    """The class of the nearest mean; the smallest classifier there is."""

    def fit(self, X, y):
        points = self._fit_points(X)
        classes, codes = self._fit_labels(y, len(points))
        self.means_ = np.stack([points[codes == c].mean(axis=0) for c in range(len(classes))])
        self.classes_ = classes
        self._remember_features(X, points)
        return self

    def decision_function(self, X):
        f = -((self._new_points(X)[:, None] - self.means_) ** 2).sum(axis=2)
        return f[:, 1] - f[:, 0] if len(self.classes_) == 2 else f


class Two(Nearest):
    _binary_only = True


P = np.array([[0.0, 0.0], [5.0, 5.0], [0.0, 1.0]])
LABELS = [
    ([2, 7, 2], [2, 7]),
    ([2.0, -1.0, 2.0], [-1.0, 2.0]),
    ([True, False, True], [False, True]),
    (["b", "a", "b"], ["a", "b"]),
    (np.array(["b", "a", "b"], dtype=object), ["a", "b"]),
    (np.array([3, 1, 3], dtype=object), [1, 3]),
    (pd.Series(["b", "a", "b"], index=[5, 6, 7]), ["a", "b"]),
    (("x", "y", "x"), ["x", "y"]),
]


@each(("y", "classes"), LABELS)
def test_labels_come_back_as_they_were(y, classes):
    model = Nearest().fit(P, y)
    assert model.classes_.tolist() == classes
    assert model.predict(P).tolist() == list(y)
    assert model.score(P, y) == 1.0 and model.score(P[::-1], np.asarray(y)) == 1.0
    assert model.score(P[:2], list(y)[1::-1]) == 0.0


def test_with_two_classes_the_second_is_the_positive_one():
    model = Nearest().fit(P, [4, 9, 4])
    f = model.decision_function(P)
    assert f.shape == (3,) and (f > 0).tolist() == [False, True, False]
    assert Nearest().fit(P, [4, 9, 5]).decision_function(P).shape == (3, 3)


def test_what_are_no_labels():
    refused("the target y is None; pass the .n,. labels y", Nearest().fit, X, None)
    refused("y has 2 entries and X has 3 rows", Nearest().fit, X, [1, 2])
    refused(r"y has shape \(3, 2\); expected \(n,\)", Nearest().fit, X, [[1, 2], [1, 2], [1, 2]])
    refused(r"y is continuous \(it has 0.5\).*regressor", Nearest().fit, X, [0.5, 1.0, 0.0])
    refused("y contains NaN", Nearest().fit, X, [np.nan, 1.0, 0.0])
    refused("y holds complex128 entries; labels are", Nearest().fit, X, [1j, 2, 3], error=TypeError)
    refused("y mixes labels of type int, str", Nearest().fit, X, np.array([1, "a", 2], dtype=object), error=TypeError)
    refused("y has missing values", Nearest().fit, X, np.array([None, "a", "b"], dtype=object))
    refused(r"y has one class only, .*1.*; Nearest needs at least two classes", Nearest().fit, X, [1, 1, 1])


@pytest.mark.not_in_wasm(reason="no processes")
def test_a_column_of_labels_is_taken_with_a_warning():
    with pytest.warns(sklearn.exceptions.DataConversionWarning, match="A column-vector y was passed .*pass y.ravel"):
        assert Nearest().fit(P, [[1], [2], [1]]).predict(P).tolist() == [1, 2, 1]
    program = (
        "import warnings; warnings.simplefilter('error')\n"
        "from kcourse.base.validation import check_labels\n"
        "try: check_labels([[1], [2]], 2)\n"
        "except UserWarning as w: print(type(w).__name__)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout == "UserWarning\n"  # without scikit-learn there is no class of its own


def test_a_machine_for_two_classes_says_so():
    refused("Only binary classification is supported.*y has 3 classes", Two().fit, X, [1, 2, 3])
    assert Two().fit(X, [1, 2, 1]).__sklearn_tags__().classifier_tags.multi_class is False
    tags = Nearest().__sklearn_tags__()
    assert tags.estimator_type == "classifier" and tags.classifier_tags.multi_class and tags.target_tags.required


def test_labels_are_not_copied_into_another_type():
    assert check_labels(np.array([1, 2], dtype=np.int8), 2).dtype == np.int8
    assert check_labels(np.array(["a", "bb"]), 2).dtype.kind == "U"


class Shift(Transformer):
    def __init__(self):
        pass

    def fit(self, X, y=None):
        points = self._fit_points(X)
        self.mean_ = points.mean(axis=0)
        self._remember_features(X, points)
        return self

    _n_features_out = 2

    def transform(self, X):
        return self._as_asked(self._new_points(X) - self.mean_, X)


def test_a_table_is_given_where_one_is_asked_for():
    rows = FRAME.set_index(pd.Index(["x", "y", "z"]))
    model = Shift()
    assert model.set_output(transform="pandas") is model
    table = model.fit_transform(rows)
    assert table.columns.tolist() == ["shift0", "shift1"] and table.index.tolist() == ["x", "y", "z"]
    np.testing.assert_array_equal(table.to_numpy(), X - X.mean(axis=0))
    again = pickle.loads(pickle.dumps(model))
    assert again.set_output(transform=None).transform(rows).equals(table)
    assert sklearn.base.clone(model).fit(X).transform(X.tolist()).index.tolist() == [0, 1, 2]
    assert type(model.set_output(transform="default").transform(rows)) is np.ndarray
    refused("\"polars\" or None, got 'arrow'", model.set_output, transform="arrow")


def test_a_notebook_shows_parameters_and_whether_it_is_fitted():
    model = KernelRidge(Gaussian(2.0) + 1.0, lam=0.25)
    shown = model._repr_html_()
    assert "(not fitted)" in shown and '<th scope="row">lam</th><td><code>0.25</code></td>' in shown
    assert "(fitted)" in model.fit(X, Y)._repr_html_()
    assert "&lt;b&gt;" in KernelRidge("<b>")._repr_html_()
    assert "<table>" not in Shift()._repr_html_()
    with sklearn.config_context(display="text"):
        assert model._repr_html_() is None


def test_names_of_features_need_a_fit():
    refused("call fit", Shift().get_feature_names_out, error=NotFittedError)
