"""Base classes of the estimators: parameters, feature names and scikit-learn's protocol.

An estimator keeps its constructor's arguments unchanged under their own names, sets learned attributes whose names
end in ``_``, and works in scikit-learn's ``clone``, ``Pipeline`` and ``GridSearchCV``. scikit-learn is never loaded
here: its tags and error classes are used only if it is loaded already. pandas and polars are imported only if a table
is requested.
"""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable
from html import escape
from typing import Any, ClassVar, Self

import numpy as np

from kcourse.base.routing import Routed
from kcourse.base.validation import check_labels, check_points, check_targets, check_weights, is_sparse

__all__ = ["Classifier", "Estimator", "NotFittedError", "Regressor", "Transformer"]


def nested_params(own: dict[str, Any], deep: bool) -> dict[str, Any]:
    """Return ``own`` and, if ``deep``, the parameters of its settable values as ``name__parameter``."""
    params = dict(own)
    for name, value in own.items() if deep else ():
        if hasattr(value, "with_params") and not isinstance(value, type):
            params |= {f"{name}__{inner}": v for inner, v in value.get_params().items()}
    return params


def route_params(owner: Any, names: set[str], params: dict[str, Any]) -> dict[str, Any]:
    """Turn ``{"kernel__sigma": 2}`` into ``{"kernel": owner.kernel with sigma=2}``; refuse unknown names."""
    own = {name: value for name, value in params.items() if "__" not in name}
    for name in [name.partition("__")[0] for name in params]:
        if name not in names:
            raise ValueError(f"{type(owner).__name__} has no parameter {name!r}; it has {', '.join(sorted(names))}.")
    for name, value in params.items():
        head, deep, rest = name.partition("__")
        if deep:
            part = own.get(head, getattr(owner, head))
            if not hasattr(part, "with_params"):
                raise ValueError(f"{head} of {type(owner).__name__} has no parameter {rest!r}: it is {part!r}.")
            own[head] = part.with_params(**{rest: value})
    return own


class NotFittedError(ValueError, AttributeError):
    """Error: a method or attribute that requires ``fit`` was used before ``fit``."""


class Estimator(Routed):
    """Base class of all estimators; see the docstring of the module."""

    _expanded_in: ClassVar[str] = "X_fit_"  # name of the points whose coefficients are ``dual_coef_``
    _coef_in_rows: ClassVar[bool] = False  # whether ``coef_`` has two dimensions even for one target

    n_features_in_: int | None  # None if the points are not rows of numbers
    feature_names_in_: np.ndarray
    _kernel: Any  # of estimators with a kernel: the kernel of the last fit
    _uses_kernel_only = False  # if True, points may be anything that the kernel compares, even sparse

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the constructor's arguments by name; if ``deep``, also those of the kernel (``kernel__sigma``)."""
        return nested_params({name: getattr(self, name) for name in self._parameter_names()}, deep)

    def set_params(self, **params: Any) -> Self:
        """Set constructor arguments by name (``kernel__sigma`` for those of the kernel); returns self."""
        for name, value in route_params(self, set(self._parameter_names()), params).items():
            setattr(self, name, value)
        return self

    @property
    def coef_(self) -> np.ndarray:
        """Weights of the features in a linear model, for example with the kernel `Linear`.

        The shape is scikit-learn's: (d,), or (t, d) for t targets; for classifiers and `SVR` (1, d), or one row per
        binary classifier. Other models raise an AttributeError, because tools such as ``RFE`` would mistake
        ``dual_coef_``, the coefficients of points, for weights of features.
        """
        self._check_fitted()
        w = self._feature_weights()
        if w is None:
            raise AttributeError(
                f"this {type(self).__name__} has no coef_ (weights of features): it is not linear in the features. "
                "Coefficients of its points are dual_coef_, those of hidden units output_weights_."
            )
        return np.atleast_2d(w) if self._coef_in_rows else w

    def _feature_weights(self) -> np.ndarray | None:
        """Return w of f(x) = wᵀx + b, or one row per target or binary classifier; None if f is not linear in x."""
        if hasattr(self, "weights_"):
            return self.weights_
        if not (hasattr(self, "dual_coef_") and getattr(self._kernel, "linear", False)):
            return None
        # w = Σ_i β_i x_i
        return self.dual_coef_.T @ getattr(self, self._expanded_in)

    def __repr__(self) -> str:
        signature = inspect.signature(type(self).__init__).parameters
        shown = []
        for name in self._parameter_names():
            value = getattr(self, name)
            if signature[name].default is inspect.Parameter.empty:
                shown.append(repr(value))
            elif repr(value) != repr(signature[name].default):  # compared as text, because an array has no truth value
                shown.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"

    def _repr_html_(self) -> str | None:
        """Return HTML for notebooks: a line that expands to a table of parameters; None if scikit-learn shows text."""
        config: dict[str, Any] = getattr(sys.modules.get("sklearn"), "get_config", dict)()
        if config.get("display", "diagram") != "diagram":
            return None
        state = "fitted" if self.__sklearn_is_fitted__() else "not fitted"
        shown = ((name, repr(value)) for name, value in self.get_params(deep=False).items())
        rows = "".join(
            f'<tr><th scope="row">{name}</th><td><code>{escape(text if len(text) <= 200 else text[:197] + "...")}'
            "</code></td></tr>"
            for name, text in shown
        )
        table = f"<table><caption>Parameters</caption>{rows}</table>" if rows else ""
        return f"<details><summary><code>{escape(repr(self))}</code> ({state})</summary>{table}</details>"

    # -- input: its features are stored by fit and compared with those of later input

    def _fit_points(self, X: Any, kernel: Any = None) -> np.ndarray:
        """Check the training points and return a copy, because the caller may change the original.

        Rows of numbers (n, d), or (n,) objects if ``kernel`` compares objects such as strings or graphs.
        """
        if getattr(kernel, "structured", False):
            return kernel.check_points(X, "X")
        if self._takes_sparse(kernel) and is_sparse(X):
            return kernel.check_points(X, "X")
        return np.array(check_points(X))

    def _takes_sparse(self, kernel: Any) -> bool:
        return self._uses_kernel_only and getattr(kernel, "takes_sparse", False) is True

    def _fit_weights(self, sample_weight: Any, *arrays: np.ndarray) -> tuple[Any, ...]:
        """Check the sample weights; return them and the ``arrays`` without the points of weight 0.

        A weight w acts like w copies of the point, so a point of weight 0 has no effect at all.
        """
        w = check_weights(sample_weight, len(arrays[0]))
        if w is None or w.all():
            return None if w is None else np.array(w), *arrays
        return w[w > 0], *(a[w > 0] for a in arrays)

    def _remember_features(self, X: Any, points: np.ndarray) -> None:
        """Store number and names of the features; ``fit`` calls this after everything that can fail."""
        names = _column_names(X)
        self.n_features_in_ = points.shape[1] if points.ndim == 2 else None
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_  # of an earlier fit

    def _new_points(self, X: Any) -> np.ndarray:
        """Check the points given to a fitted estimator: same number and same names of features as in ``fit``."""
        self._check_fitted()
        if self.n_features_in_ is None:
            return self._kernel.check_points(X, "X")
        self._check_feature_names(X)
        sparse = is_sparse(X) and self._takes_sparse(getattr(self, "_kernel", None))
        points = self._kernel.check_points(X, "X") if sparse else check_points(X)
        if points.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {points.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input, as in fit."
            )
        return points

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise _not_fitted_class()(f"this {type(self).__name__} is not fitted yet: call fit(X, y) first.")

    def _check_feature_names(self, X: Any) -> None:
        then, now = getattr(self, "feature_names_in_", None), _column_names(X)
        if then is None and now is None:
            return
        if then is None:
            warnings.warn(
                f"X has feature names, but {type(self).__name__} was fitted without feature names", stacklevel=4
            )
        elif now is None:
            warnings.warn(
                f"X does not have valid feature names, but {type(self).__name__} was fitted with feature names",
                stacklevel=4,
            )
        elif len(then) != len(now) or np.any(then != now):
            raise ValueError(_names_differ(list(then), list(now)))

    # -- scikit-learn's protocol

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_in_")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        sparse = self._takes_sparse(getattr(self, "kernel", None))
        return Tags(estimator_type=None, target_tags=TargetTags(required=False), input_tags=InputTags(sparse=sparse))


class Regressor(Estimator):
    """Base class of estimators of real targets: adds the score R² and scikit-learn's tags of a regressor."""

    predict: Callable[..., Any]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return R² = 1 - Σ(y_i - f(x_i))² / Σ(y_i - ȳ)²; the mean over the targets if there are several.

        1 is perfect, 0 is as good as the constant ȳ, and negative values are worse than ȳ. With ``sample_weight``
        (n,), the sums and the mean ȳ are weighted.
        """
        predicted = self.predict(X)
        y = check_targets(y, len(predicted))
        if y.size != predicted.size:
            raise ValueError(
                f"y has shape {y.shape} and the predictions have {predicted.shape}; give as many targets as in fit."
            )
        y = y.reshape(predicted.shape)  # (n,) and (n, 1) are the same targets
        w = check_weights(sample_weight, len(y))
        residual = np.average((y - predicted) ** 2, axis=0, weights=w)
        spread = np.average((y - np.average(y, axis=0, weights=w)) ** 2, axis=0, weights=w)
        # as in scikit-learn, constant y scores 1 if predicted exactly and 0 otherwise
        constant = np.where(residual == 0, 1.0, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            r2 = np.where(spread > 0, 1 - residual / spread, constant)
        return float(np.mean(r2))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import RegressorTags

        tags = super().__sklearn_tags__()
        tags.estimator_type = "regressor"
        tags.regressor_tags = RegressorTags()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags


class Classifier(Estimator):
    """Base class of classifiers: adds ``classes_``, ``predict``, the accuracy and scikit-learn's tags.

    ``fit`` sets ``classes_``, the sorted labels. With two classes, ``decision_function`` has shape (q,) and is
    positive for the second class.
    """

    classes_: np.ndarray
    decision_function: Callable[..., np.ndarray]
    _binary_only = False
    _coef_in_rows = True

    def _fit_labels(
        self, y: Any, n: int, *, at_least: int = 2, sample_weight: Any = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (classes, codes): the sorted labels, and for each entry of ``y`` the index of its class.

        Points of weight 0 are ignored, so a class whose points all have weight 0 does not count.
        """
        (_, y) = self._fit_weights(sample_weight, check_labels(y, n))
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) < at_least:
            raise ValueError(
                f"y has one class only, {classes[0].item()!r}; {type(self).__name__} needs at least two classes."
            )
        if self._binary_only and len(classes) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: y has "
                f"{len(classes)} classes; compare two classes at a time, or one with the rest."
            )
        return classes, codes.reshape(-1)

    def predict(self, X: Any) -> np.ndarray:
        """Return the label of each row of ``X`` (q, d), shape (q,): the class with the largest decision value."""
        f = self.decision_function(X)
        return self.classes_[(f > 0).astype(int) if f.ndim == 1 else np.argmax(f, axis=1)]

    @property
    def predict_proba(self) -> Any:
        """Class probabilities, in models that define them; other models raise an error that says how to get them."""
        name = type(self).__name__
        raise AttributeError(
            f"{name} has no predict_proba: its decision values are not probabilities. To get probabilities, wrap it in "
            f"sklearn.calibration.CalibratedClassifierCV({name}(...), cv=5), which fits them to held-out data."
        )

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy: the fraction of the rows of ``X`` whose label is predicted correctly.

        With ``sample_weight`` (n,), the fraction is weighted.
        """
        predicted = self.predict(X)
        right = predicted == check_labels(y, len(predicted))
        return float(np.average(right, weights=check_weights(sample_weight, len(right))))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags

        tags = super().__sklearn_tags__()
        tags.estimator_type = "classifier"
        tags.classifier_tags = ClassifierTags(multi_class=not self._binary_only)
        tags.target_tags.required = True
        return tags


class Transformer(Estimator):
    """Base class of transformers: adds ``fit_transform``, names of the output features and scikit-learn's tags.

    Subclasses define ``_n_features_out`` and ``transform``, which returns ``self._as_asked(features, X)``.
    """

    fit: Callable[..., Any]
    _sklearn_output_config: dict[str, str]

    @property
    def _n_features_out(self) -> int:
        raise NotImplementedError

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the output features, shape (q,): "kernelpca0", "kernelpca1", ….

        ``input_features`` is part of scikit-learn's protocol; if given, it must equal the column names in ``fit``.
        """
        self._check_fitted()
        given, known = np.asarray(input_features, dtype=object), getattr(self, "feature_names_in_", None)
        if input_features is not None and known is not None and not np.array_equal(given, known):
            raise ValueError(f"input_features is not equal to feature_names_in_, {known.tolist()}.")
        if input_features is not None and len(given) != self.n_features_in_:
            raise ValueError(
                f"input_features should have length equal to the number of features in fit, {self.n_features_in_}; "
                f"it has {len(given)}."
            )
        name = type(self).__name__.lower()
        return np.array([f"{name}{j}" for j in range(self._n_features_out)], dtype=object)

    def set_output(self, *, transform: str | None = None) -> Self:
        """Choose the type that ``transform`` and ``fit_transform`` return, also after ``fit`` or cloning; returns self.

        "pandas": a DataFrame with the names of `get_feature_names_out` and the index of X, if it has one. "polars": a
        polars DataFrame. "default": an array. None: no change.
        """
        if transform not in (None, "default", "pandas", "polars"):
            raise ValueError(f'transform must be "default", "pandas", "polars" or None, got {transform!r}.')
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}  # the name that scikit-learn's clone copies
        return self

    def _as_asked(self, features: np.ndarray, X: Any) -> Any:
        """Return the features as requested by `set_output`, or else by scikit-learn's ``set_config`` if loaded."""
        asked = getattr(self, "_sklearn_output_config", {}).get("transform")
        if asked is None:
            config = getattr(sys.modules.get("sklearn"), "get_config", None)
            asked = config()["transform_output"] if config else "default"
        if asked == "default":
            return features
        if asked == "polars":
            import polars

            return polars.DataFrame(features, schema=self.get_feature_names_out().tolist(), orient="row")
        import pandas as pd

        index = X.index if isinstance(X, (pd.DataFrame, pd.Series)) else None
        return pd.DataFrame(features, columns=self.get_feature_names_out(), index=index, copy=False)

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Fit to ``X`` and return its features, shape (n, q)."""
        return self.fit(X, y).transform(X)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import TransformerTags

        tags = super().__sklearn_tags__()
        tags.transformer_tags = TransformerTags()
        return tags


def _not_fitted_class() -> type[NotFittedError]:
    """Return our error class, derived also from scikit-learn's class if that is loaded: its tools catch that class."""
    exceptions = sys.modules.get("sklearn.exceptions")
    if exceptions is None:
        return NotFittedError
    pickled_as_ours = {"__reduce__": lambda error: (NotFittedError, error.args)}
    return type("NotFittedError", (NotFittedError, exceptions.NotFittedError), pickled_as_ours)


def _column_names(X: Any) -> np.ndarray | None:
    """Return the column names of a data frame if all are strings, otherwise None; mixed types are an error."""
    columns = getattr(X, "columns", None)
    if columns is None or not hasattr(X, "dtypes"):
        return None
    names = np.asarray(columns, dtype=object)
    strings = [isinstance(name, str) for name in names]
    if any(strings) and not all(strings):
        raise TypeError(
            "Feature names are only supported if all input features have string names, but X mixes strings and "
            "other types: rename with X.columns = X.columns.astype(str)."
        )
    return names if len(names) and all(strings) else None


def _names_differ(then: list[str], now: list[str]) -> str:
    message = ["The feature names should match those that were passed during fit."]
    for title, names in (
        ("Feature names unseen at fit time:", [n for n in now if n not in then]),
        ("Feature names seen at fit time, yet now missing:", [n for n in then if n not in now]),
    ):
        if names:
            message += [title, *(f"- {name}" for name in sorted(names)[:5])]
            message += ["- ..."] if len(names) > 5 else []
    if len(message) == 1:
        message.append("Feature names must be in the same order as they were in fit.")
    return "\n".join(message) + "\n"
