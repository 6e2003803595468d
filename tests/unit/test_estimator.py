"""kcourse.estimator: parameters, the memory of features, the score, scikit-learn's protocol."""

from __future__ import annotations

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
from sklearn.utils.validation import check_is_fitted

from kcourse import Gaussian, KernelRidge, Laplacian, Linear
from kcourse.estimator import NotFittedError, Regressor
from kcourse.validation import check_number


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


# ---------------------------------------------------------------- parameters


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
    with pytest.raises(ValueError, match=message):
        model.set_params(**params)
    assert model.get_params() == Mean(Gaussian(2)).get_params()


def test_every_parameter_that_is_listed_can_be_set():
    for model in (KernelRidge(2 * Gaussian(1.0) + Linear()), KernelRidge(RBF(1.0)), KernelRidge(np.dot)):
        for name, value in model.get_params().items():
            model.set_params(**{name: value})


def test_clone_copies_the_parameters_and_nothing_learned():
    model = KernelRidge(3 * Gaussian((1.0, 2.0)), lam=0.5).fit(X, Y)
    twin = sklearn.clone(model)
    assert twin.get_params() == model.get_params() and not hasattr(twin, "coef_")
    np.testing.assert_array_equal(twin.fit(X, Y).coef_, model.coef_)


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (Mean(), "Mean()"),
        (Mean(Gaussian(2), shrink=0.5), "Mean(kernel=Gaussian(sigma=2.0), shrink=0.5)"),
        (Mean(shift=np.array([1, 2])), "Mean(shift=array([1, 2]))"),
        (KernelRidge(Linear()), "KernelRidge(Linear())"),
        (KernelRidge(Linear(), lam=0.25), "KernelRidge(Linear(), lam=0.25)"),
    ],
)
def test_an_estimator_is_shown_with_what_differs_from_the_defaults(model, text):
    assert repr(model) == text


# ---------------------------------------------------------------- before fit, and when fit fails


def test_before_fit_the_error_is_ours_and_scikit_learns():
    for call in (lambda m: m.predict(X), lambda m: m.score(X, Y)):
        with pytest.raises(NotFittedError, match=r"this Mean is not fitted yet: call fit\(X, y\) first") as caught:
            call(Mean())
        assert isinstance(caught.value, sklearn.exceptions.NotFittedError)
        assert isinstance(caught.value, (ValueError, AttributeError))
        again = pickle.loads(pickle.dumps(caught.value))  # as it travels from a worker process
        assert isinstance(again, NotFittedError) and str(again) == str(caught.value)


def test_before_fit_the_error_needs_no_scikit_learn():
    code = (
        "import sys\nfrom kcourse import Gaussian, KernelRidge\nfrom kcourse.estimator import NotFittedError\n"
        "try:\n    KernelRidge(Gaussian()).predict([[0.0]])\nexcept Exception as error:\n"
        "    assert type(error) is NotFittedError and 'not fitted yet' in str(error), repr(error)\n"
        "    assert 'sklearn' not in sys.modules\n    print('raised')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "raised\n", done.stderr


def test_scikit_learn_sees_when_a_model_is_fitted():
    model = Mean()
    with pytest.raises(sklearn.exceptions.NotFittedError):
        check_is_fitted(model)
    check_is_fitted(model.fit(X, Y))


def test_a_fit_that_fails_leaves_the_model_as_it_was():
    model = Mean(shrink="much")
    with pytest.raises(TypeError, match="shrink must be a number"):
        model.fit(X, Y)
    with pytest.raises(NotFittedError):
        model.predict(X)
    model.set_params(shrink=0.0).fit(FRAME, Y).set_params(shrink="much")
    with pytest.raises(TypeError, match="shrink must be a number"):
        model.fit([[1.0]], [2.0])
    assert model.n_features_in_ == 2 and list(model.feature_names_in_) == ["a", "b"]
    np.testing.assert_array_equal(model.predict(FRAME), np.full(3, Y.mean()))


def test_training_points_are_copied():
    assert not np.shares_memory(Mean()._fit_points(X), X)


# ---------------------------------------------------------------- features


def test_features_are_counted_and_held_against_later_points():
    model = Mean().fit(X, Y)
    assert model.n_features_in_ == 2 and not hasattr(model, "feature_names_in_")
    with pytest.raises(ValueError, match="X has 3 features, but Mean is expecting 2 features"):
        model.predict(np.zeros((1, 3)))
    with pytest.raises(ValueError, match=r"X has shape \(2,\)"):
        model.predict([0.0, 1.0])


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


@pytest.mark.parametrize(
    ("columns", "parts"),
    [
        (["b", "a"], ["Feature names must be in the same order as they were in fit."]),
        (["a", "c"], ["unseen at fit time:\n- c\n", "seen at fit time, yet now missing:\n- b\n"]),
    ],
)
def test_other_names_are_an_error_that_lists_them(columns, parts):
    model = Mean().fit(FRAME, Y)
    with pytest.raises(ValueError, match="should match those that were passed during fit") as caught:
        model.predict(pd.DataFrame(X, columns=columns))
    assert all(part in str(caught.value) for part in parts)


def test_a_long_list_of_names_is_cut():
    wide = pd.DataFrame(np.zeros((3, 8)), columns=list("abcdefgh"))
    with pytest.raises(ValueError, match="- e\n- \\.\\.\\.") as caught:
        Mean().fit(wide, Y).predict(wide.rename(columns=str.upper))
    assert "- f" not in str(caught.value)


def test_names_that_are_half_numbers_are_refused_with_the_fix():
    with pytest.raises(TypeError, match=r"X\.columns = X\.columns\.astype\(str\)"):
        Mean().fit(pd.DataFrame(X, columns=["a", 1]), Y)


# ---------------------------------------------------------------- score


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


def test_one_column_of_targets_counts_as_a_vector():
    assert Echo(0).score([[0.0], [2.0], [3.0]], [[0.0], [2.0], [4.0]]) == pytest.approx(1 - 1 / 8)
    assert Echo(slice(0, 1)).score([[0.0], [2.0], [3.0]], [0.0, 2.0, 4.0]) == pytest.approx(1 - 1 / 8)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.zeros((3, 2)), r"y has shape \(3, 2\) and the predictions have \(3,\)"),
        (np.zeros(2), "y has 2 entries and X has 3 rows"),
        ([0.0, np.nan, 1.0], "y contains NaN"),
        (None, "requires y to be passed"),
    ],
)
def test_targets_that_do_not_fit_the_predictions_are_refused(y, message):
    with pytest.raises(ValueError, match=message):
        Echo(0).score(X, y)
