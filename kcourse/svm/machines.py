"""The support vector classifier and ε-support vector regression, both on the solver of `kcourse.dual`.

    minimise  ½‖w‖² + Σ_i C_i ξ_i,   f(x) = <w, φ(x)> + b = Σ_i β_i k(x, x_i) + b

C multiplies the **sum** of the slacks, and ‖w‖² has the factor ½. Where a text omits the ½ [000, "SVMs", the quadratic
program], its C is twice this one; where it averages the slacks and has λ/2 ‖w‖², C = 1/(nλ). b is not penalised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from kcourse.base.estimator import Classifier, Regressor
from kcourse.base.validation import check_kernel, check_labels, check_number, check_positive, check_targets, only_column
from kcourse.dual import DualSolution, KernelRows, certify, solve_dual, solve_many
from kcourse.kernels import Kernel, Linear, expansion, gram
from kcourse.svm.smo import smo

__all__ = ["SVC", "SVR"]

_ROOM = 200e6  # bytes for kernel values; a fit takes at most about 1.5 times as much
_IN_PAIR, _SHARED = 400, 0.5  # most points in a pair for a shared Gram matrix, and the fraction of _ROOM it may fill
_SMALL = 200  # most points in a pair for which the programs of all pairs are solved together
_WHY_C = "it multiplies the sum of the slacks, next to ½‖w‖²."


class SVC(Classifier):
    """Support vector classifier with a soft margin [000, "SVMs"; 002; 003].

    Two classes, y = -1 for ``classes_[0]`` and y = 1 for ``classes_[1]``:

        min ½‖w‖² + C Σ ξ_i,  ξ_i = (1 - y_i f(x_i))₊      (primal)
        max Σ α_i - ½ ΣΣ α_i α_j y_i y_j k(x_i, x_j),  0 ≤ α_i ≤ C,  Σ α_i y_i = 0      (dual)
        f(x) = Σ_i α_i y_i k(x, x_i) + b

    and at the solution  α_i = 0 ⇒ y_i f(x_i) ≥ 1;  0 < α_i < C ⇒ y_i f(x_i) = 1;  α_i = C ⇒ y_i f(x_i) ≤ 1.
    With more than two classes, one classifier is fitted for each pair of classes, and these classifiers vote.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite. With an indefinite kernel such as ``Sigmoid`` the dual is not concave, and the solver
        finds a stationary point (no pair has a slope above ``tol``, or a warning says so), which may not be optimal.
    C : float > 0
        penalty per unit of slack; larger C means *less* regularisation. 1/C has the units of k. ``np.inf`` gives the
        hard margin (see also `MaxMargin`), and an error if no function of the kernel separates the classes.
    class_weight : None, "balanced" or a dictionary
        factor of C for the points of each class; "balanced" is n / (number of classes · points of the class), where
        weighted points count with their weights.
    tol : float > 0
        largest remaining violation of the KKT conditions, in units of y f(x).
    solver : "newton" or "smo"
        the fast solver of `kcourse.dual`, or the textbook's `kcourse.svm.smo`.
    max_iter : int
        maximum number of SMO steps for each pair of classes; too few cause a `kcourse.dual.ConvergenceWarning`.

    Attributes
    ----------
    dual_coef_ : (n,) array; (P, n) for P = c(c-1)/2 pairs of c > 2 classes
        β_i = y_i α_i for each training point; scikit-learn's ``dual_coef_`` has the support vectors only.
    multipliers_ : as dual_coef_
        α_i in [0, C], with weights in [0, C w_i].
    intercept_ : float; (P,)
        b, the middle of ``bias_interval_``.
    bias_interval_ : (low, high); (P, 2) array
        every b in it is optimal to within ``tol``. Without a free support vector (0 < α_i < C) it may be wide.
    support_, support_vectors_ : (m,) indices, and those points
        support vectors: α_i > 0 in at least one pair.
    n_support_ : (c,) array
        number of support vectors in each class.
    weights_, coef_ : (d,) and (1, d) arrays; both (P, d)
        w, for the linear kernel only; ``coef_`` has scikit-learn's shape, f > 0 votes for the second class of a pair.
    slacks_ : as dual_coef_
        ξ_i; with more than two classes, 0 for points outside the pair.
    norm2_ : float; (P,)
        ‖w‖² = βᵀKβ; the margin is 2/‖w‖ wide.
    dual_objective_, primal_objective_ : float; (P,)
        lower and upper bound on the minimum of the primal.
    kkt_gap_ : float
        largest KKT violation, recomputed in double precision at the end: at most ``tol``, or a
        `kcourse.dual.ConvergenceWarning` says why not.
    n_iter_ : int
        number of SMO steps.

    Notes
    -----
    - X may be sparse with a kernel that accepts sparse input (`Linear`, `Polynomial`, `Gaussian`, their cosines). It
      is not converted, and ``support_vectors_`` is sparse as well.
    - The loss is (1 - yf)₊; the printed (yf - 1)₊ [000] would reward errors.
    - Its slope jumps at yf = 1, so conjugate gradients [000] do not apply; use sub-gradients (`Pegasos`) or the dual.
    - ξ_i is not a distance: the distance to the margin of the own class is ξ_i/‖w‖, and only ξ_i > 1 is an error [002].
    - Optimality requires (C - α_i) ξ_i = 0 in addition to α_i (1 - ξ_i - y_i f_i) = 0 [002].
    - w is a vector in feature space: Σ α_i y_i k(x_i, x_j) [002] is f(x_j) - b, not a component of w.
    - C → ∞ gives a hard margin, and training accuracy 1, only if the classes can be separated [000].
    - As n grows, the fraction of support vectors tends slowly, from above, to a limit set by the noise (twice the Bayes
      risk for universal kernels and a suitable growth of C). At n = 1000 it may be far above this limit.
    - The SVM with kernels is due to Boser, Guyon and Vapnik (1992), the soft margin to Cortes and Vapnik (1995).
    - One pair of classes takes about as long as in libsvm, and up to three times as long (a few milliseconds) if there
      are few points or few support vectors. Pairs of up to 200 points are solved together
      (`kcourse.dual.solve_many`): 100 classes of 30 points take about three times as long as in libsvm, a thousand
      digits of ten classes four times. Where speed matters, use scikit-learn's ``SVC``.
    - With `Linear` and many more points than features the primal is faster, because w has only d entries: take
      `Pegasos` or scikit-learn's ``LinearSVC``. With 20 000 points and ten features ``LinearSVC`` takes a twelfth of
      the time of this class, and this class less than libsvm.
    - With more than two classes and at most 400 points in each pair, all pairs share one Gram matrix of n² numbers if
      it fits into 100 MB.
    - **Memory** for kernel values is limited to 200 MB, as in libsvm. If the Gram matrix of a pair does not fit, some
      rows are kept, others are recomputed, and working sets are smaller. With 20 000 points, two features and 30 % of
      the labels flipped, a Gaussian takes about 240 MB, as in libsvm, and less time than libsvm. A kernel that is a
      plain function, a kernel of strings or graphs, and ``solver="smo"`` take n² numbers.

    scikit-learn: ``SVC(C=C, tol=tol)`` with ``gamma = 1/(2σ²)``; its ``predict`` breaks ties of votes by class order.

    >>> import numpy as np
    >>> from kcourse import Linear
    >>> from kcourse.svm import SVC
    >>> model = SVC(Linear(), C=5.0).fit([[0.0], [1.0], [2.0], [3.0]], [-1, -1, 1, 1])
    >>> model.multipliers_, model.intercept_, model.predict([[1.4], [1.6]])
    (array([0., 2., 2., 0.]), -3.0, array([-1,  1]))
    """

    _uses_kernel_only = True

    def __init__(
        self,
        kernel: Callable,
        *,
        C: float = 1.0,
        class_weight: Any = None,
        tol: float = 1e-3,
        solver: str = "newton",
        max_iter: int = 10_000_000,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.class_weight = class_weight
        self.tol = tol
        self.solver = solver
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> SVC:
        """Fit the classifier to ``X`` (n, d) and labels ``y`` (n,) of two or more classes; return self.

        ``sample_weight`` (n,) gives the number of copies that each row stands for, fractions included; the penalty
        per unit of its slack is C times this weight. Rows of weight 0 are ignored, and so is a class that has only
        such rows; their entries in the attributes are 0.

        Raises
        ------
        TypeError, ValueError
            for an argument that cannot be used, naming it and the fix.
        """
        kernel, tol, max_iter = check_kernel(self.kernel), check_positive(self.tol, "tol"), _steps(self.max_iter)
        hard = isinstance(self.C, (float, np.floating)) and self.C == np.inf
        C = np.inf if hard else check_positive(self.C, "C", _WHY_C)
        if hard and self.solver == "smo":
            raise ValueError("solver='smo' needs a finite C; for the hard margin, C=np.inf, take solver='newton'.")
        if self.solver not in ("newton", "smo"):
            raise ValueError(f"solver must be 'newton' or 'smo', got {self.solver!r}.")
        points = self._fit_points(X, kernel)
        classes, codes = self._fit_labels(y, len(points), sample_weight=sample_weight)
        w, rows, seen = self._fit_weights(sample_weight, np.arange(len(points)), points)
        w = np.ones(len(rows)) if w is None else w
        if len(classes) > 2:  # sorted by class, so that each pair consists of two slices
            order = np.argsort(codes, kind="stable")
            codes, w, rows, seen = codes[order], w[order], rows[order], seen[order]
        prices = C * _class_weights(self.class_weight, y, classes, codes, w)[codes] * w
        in_pair = np.sort(np.bincount(codes))[-2:].sum()
        shared = len(classes) > 2 and 8 * len(seen) ** 2 <= _SHARED * _ROOM and in_pair <= _IN_PAIR
        pairs = [_pair(codes, *two, prices) for two in combinations(range(len(classes)), 2)]
        with _memory(len(seen)):
            whole = _whole_gram(kernel, seen, everything=shared or self.solver == "smo")
            if whole is not None and self.solver == "newton" and len(pairs) > 1 and in_pair <= _SMALL and not hard:
                solutions = solve_many(whole, pairs, tol=tol, max_iter=max_iter)
            else:
                solutions = []
                for members, *problem in pairs:
                    K = KernelRows(kernel.on_points(seen[members]), _ROOM) if whole is None else _part(whole, members)
                    solutions.append(_solved(K, *problem, tol, self.solver, max_iter))
        fits = [
            _Fit.of(rows[members], solution, sign, partial(_missed, sign), prices[members])
            for solution, (members, sign, *_) in zip(solutions, pairs, strict=True)
        ]
        self._remember_features(X, points)
        self.classes_ = classes
        _learn(self, kernel, fits, points, scalar=len(pairs) == 1)
        self.n_support_ = np.bincount(codes[np.isin(rows, self.support_)], minlength=len(classes))
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return f(x) for each row of ``X`` (q, d), shape (q,), positive for ``classes_[1]``.

        With c > 2 classes the shape is (q, c): the votes of the pairs, plus a term below ⅓ that breaks ties by the
        sum of the decision values, as scikit-learn's ``decision_function_shape="ovr"``.
        """
        f = _values(self, self._new_points(X))
        if f.ndim == 1:
            return f
        c = len(self.classes_)
        votes, confidence = np.zeros((len(f), c)), np.zeros((len(f), c))
        for column, (first, second) in zip(f.T, combinations(range(c), 2), strict=True):
            votes[:, first] += column <= 0
            votes[:, second] += column > 0
            confidence[:, first] -= column
            confidence[:, second] += column
        return votes + confidence / (3 * (np.abs(confidence) + 1))


class SVR(Regressor):
    """Support vector regression with the ε-insensitive loss [000, "SVMs", last remark].

        min ½‖w‖² + C Σ (|y_i - f(x_i)| - ε)₊      (primal)
        max yᵀβ - ε‖β‖₁ - ½ βᵀKβ,  -C ≤ β_i ≤ C,  Σ β_i = 0      (dual; β = α - α*)
        f(x) = Σ_i β_i k(x, x_i) + b

    and at the solution  |r_i| < ε ⇒ β_i = 0;  0 < |β_i| < C ⇒ |r_i| = ε;  |β_i| = C ⇒ |r_i| ≥ ε,  r_i = y_i - f(x_i),
    with β_i of the sign of r_i.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite.
    C : float > 0
        penalty per unit of error outside the tube; larger C means less regularisation. Units of y/k.
    epsilon : float ≥ 0
        half the width of the tube, in units of y; a larger ε gives *fewer* support vectors. With 0 the loss is the
        absolute error.
    tol : float > 0
        largest remaining violation of the KKT conditions, in units of y.
    max_iter : int
        as in `SVC`.

    Attributes
    ----------
    dual_coef_ : (n,) array
        β_i = α_i - α*_i for each training point; scikit-learn's ``dual_coef_`` has the support vectors only.
    multipliers_ : (2, n) array
        α (points above the tube) and α* (below it), in [0, C]; at most one of them is positive for a point.
    slacks_ : (n,) array
        (|y_i - f(x_i)| - ε)₊.
    intercept_, bias_interval_, support_, support_vectors_, weights_, norm2_, kkt_gap_, n_iter_
        as in `SVC` with two classes.
    dual_objective_, primal_objective_ : float
        the two values above: lower and upper bound on the minimum of the primal.

    Notes
    -----
    With the squared loss this becomes the least-squares support vector machine. That is kernel ridge regression, as
    [000] says, only without b: with b, y + 5 gives f + 5 everywhere, and far from the data f tends to b, not to 0.

    >>> import numpy as np
    >>> from kcourse import Linear
    >>> from kcourse.svm import SVR
    >>> model = SVR(Linear(), C=10.0, epsilon=0.5).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> model.dual_coef_, model.intercept_, model.predict([[4.0]])
    (array([-0.25,  0.  ,  0.25]), 0.5, array([2.5]))
    """

    _coef_in_rows = True
    _uses_kernel_only = True

    def __init__(
        self,
        kernel: Callable,
        *,
        C: float = 1.0,
        epsilon: float = 0.1,
        tol: float = 1e-3,
        max_iter: int = 10_000_000,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.epsilon = epsilon
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> SVR:
        """Fit the regression to ``X`` (n, d) and ``y`` (n,); return self.

        ``sample_weight`` (n,) as in `SVC`: the penalty of a point is C times its weight.

        Raises
        ------
        TypeError, ValueError
            for an argument that cannot be used, naming it and the fix.
        """
        kernel, C, tol = check_kernel(self.kernel), check_positive(self.C, "C", _WHY_C), check_positive(self.tol, "tol")
        max_iter = _steps(self.max_iter)
        epsilon = float(check_number(self.epsilon, "epsilon", at_least=0, why="it is half the width of a tube."))
        points = self._fit_points(X, kernel)
        y = _one_target(y, len(points))
        w, rows, seen, y = self._fit_weights(sample_weight, np.arange(len(points)), points, y)
        box = np.full(len(y), C) if w is None else C * w
        with _memory(len(seen)):
            whole = _whole_gram(kernel, seen)
            K = KernelRows(kernel.on_points(seen), _ROOM) if whole is None else whole
            solution = solve_dual(K, y, -box, box, epsilon=epsilon, tol=tol, max_iter=max_iter)
        fit = _Fit.of(rows, solution, y, lambda values: np.maximum(np.abs(y - values) - epsilon, 0.0), box)
        self._remember_features(X, points)
        _learn(self, kernel, [fit], points, scalar=True)
        self.multipliers_ = np.stack([np.maximum(self.dual_coef_, 0.0), np.maximum(-self.dual_coef_, 0.0)])
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return f(x) = Σ_i β_i k(x, x_i) + b for each row of ``X`` (q, d), shape (q,)."""
        return _values(self, self._new_points(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags


def _learn(model: SVC | SVR, kernel: Callable, fits: list[_Fit], points: np.ndarray, *, scalar: bool) -> None:
    """Set the fitted attributes of ``model`` from one fit per pair; ``scalar`` if there is only one pair."""

    def stacked(name):
        values = np.array([getattr(fit, name) for fit in fits])
        return float(values[0]) if scalar else values

    def spread(name):
        """Return one row for each pair, with 0 for points outside the pair."""
        values = np.zeros((len(fits), len(points)))
        for row, fit in zip(values, fits, strict=True):
            row[fit.members] = getattr(fit, name)
        return values[0] if scalar else values

    model.dual_coef_, model.slacks_ = spread("beta"), spread("slacks")
    model.multipliers_ = np.abs(model.dual_coef_)
    model.intercept_, model.norm2_ = stacked("bias"), stacked("norm2")
    model.bias_interval_ = fits[0].interval if scalar else stacked("interval")
    model.dual_objective_, model.primal_objective_ = stacked("dual"), stacked("primal")
    model.kkt_gap_, model.n_iter_ = max(fit.gap for fit in fits), sum(fit.n_iter for fit in fits)
    model.support_ = np.unique(np.concatenate([fit.members[fit.beta != 0] for fit in fits]))
    model.support_vectors_, model._kernel = points[model.support_], kernel
    model.__dict__.pop("weights_", None)  # of an earlier fit
    if isinstance(kernel, Linear):
        # w = Σ β_i x_i
        model.weights_ = model.dual_coef_.T[model.support_].T @ model.support_vectors_


def _values(model: SVC | SVR, X: np.ndarray) -> np.ndarray:
    """Return Σ_i β_i k(x, x_i) + b over the support vectors, (q,) or one column for each pair."""
    if hasattr(model, "weights_"):
        return X @ model.weights_.T + model.intercept_
    if len(model.support_) == 0:
        return np.full(len(X), model.intercept_)
    return expansion(model._kernel, X, model.support_vectors_, model.dual_coef_.T[model.support_]) + model.intercept_


@dataclass(frozen=True, eq=False)
class _Fit:
    """Solution of the quadratic program of one pair of classes, and the quantities derived from it."""

    members: np.ndarray
    beta: np.ndarray
    slacks: np.ndarray
    interval: tuple[float, float]
    bias: float
    norm2: float
    primal: float
    dual: float
    gap: float
    n_iter: int

    @classmethod
    def of(cls, members: np.ndarray, solution: DualSolution, p: np.ndarray, slacks_of: Callable, C: np.ndarray) -> _Fit:
        """Create a fit from a `DualSolution` for the targets ``p``; ``slacks_of`` maps the values f(x_i) to slacks."""
        low, high = solution.bias_interval
        bias = 0.5 * (low + high)
        expansion = p - solution.f  # Kβ
        slacks, norm2 = slacks_of(expansion + bias), float(solution.beta @ expansion)
        # the hard margin has no slacks; violations within tol count as 0
        primal = 0.5 * norm2 + float(np.where(np.isfinite(C), C, 0.0) @ slacks)
        return cls(
            members, solution.beta, slacks, (low, high), bias, norm2, primal, solution.objective, solution.gap,
            solution.n_iter,
        )  # fmt: skip


def _steps(max_iter: Any) -> int:
    return check_number(max_iter, "max_iter", at_least=1, integer=True)


def _pair(codes: np.ndarray, first: int, second: int, prices: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the indices of the points of two classes, their signs y, and the bounds of β = yα."""
    members = np.flatnonzero((codes == first) | (codes == second))
    sign = np.where(codes[members] == second, 1.0, -1.0)
    C = prices[members]
    return members, sign, np.minimum(0.0, C * sign), np.maximum(0.0, C * sign)


def _solved(
    K: Any, sign: np.ndarray, lower: np.ndarray, upper: np.ndarray, tol: float, solver: str, max_iter: int
) -> DualSolution:
    if solver == "newton":
        return solve_dual(K, sign, lower, upper, tol=tol, max_iter=max_iter)
    alpha, _, n_iter = smo(K, sign, upper - lower, tol=tol, max_iter=max_iter)
    return certify(K, sign * alpha, sign, lower, upper, n_iter=n_iter)


def _missed(sign: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the slacks ξ_i for the values f(x_i)."""
    return np.maximum(1.0 - sign * values, 0.0)


def _whole_gram(kernel: Callable, points: np.ndarray, *, everything: bool = False) -> np.ndarray | None:
    """Return the Gram matrix if its entries are expensive; otherwise None, and the solver computes what it needs."""
    if everything or not isinstance(kernel, Kernel) or kernel.structured:
        return gram(kernel, points)
    return None


@contextmanager
def _memory(n: int) -> Iterator[None]:
    """Replace a MemoryError with one that says what to do."""
    try:
        yield
    except MemoryError:
        raise MemoryError(
            f"out of memory with {n} points and {_ROOM / 1e6:g} MB of kernel values; take fewer points, or landmarks "
            "(kcourse.scaling). A kernel that is a plain function, or of strings or graphs, and "
            f"solver='smo' take n² numbers, here {8e-6 * n**2:.0f} MB."
        ) from None


def _part(K: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Return K on the points of two classes, copied by slices because they are one or two runs of indices."""
    if len(members) == len(K):
        return K
    ends = [0, *np.flatnonzero(np.diff(members) > 1) + 1, len(members)]
    runs = [slice(members[a], members[b - 1] + 1) for a, b in pairwise(ends)]
    return np.concatenate([np.concatenate([K[run, other] for other in runs], axis=1) for run in runs])


def _class_weights(class_weight: Any, y: Any, classes: np.ndarray, codes: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return one factor of C for each class; ``w`` holds the positive weights, ``y`` the labels of all points."""
    if class_weight is None:
        return np.ones(len(classes))
    if isinstance(class_weight, str) and class_weight == "balanced":
        return w.sum() / (len(classes) * np.bincount(codes, w))
    if not isinstance(class_weight, dict):
        raise ValueError(
            f"class_weight must be None, 'balanced' or a dictionary {{label: weight}}, got {class_weight!r}."
        )
    known = np.unique(check_labels(y, np.shape(y)[0])).tolist()  # also classes with only zero weights
    if unknown := [label for label in class_weight if label not in known]:
        raise ValueError(f"class_weight names {unknown[0]!r}, but y has only {known}.")
    weights = {label: check_positive(w, f"class_weight[{label!r}]") for label, w in class_weight.items()}
    return np.array([weights.get(label, 1.0) for label in classes.tolist()])


def _one_target(y: Any, n: int) -> np.ndarray:
    """Return y as (n,) floats; accept a column (n, 1) with a warning, as scikit-learn does."""
    y = np.array(check_targets(y, n))
    if y.ndim == 1:
        return y
    if y.shape[1] > 1:
        raise ValueError(f"y has shape {y.shape}; a support vector machine learns one target: fit one for each column.")
    return only_column(y)
