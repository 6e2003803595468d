"""The support vector classifier and ε-support vector regression, both on the solver of `kcourse.dual`.

    minimise  ½‖w‖² + Σ_i C_i ξ_i,   f(x) = <w, φ(x)> + b = Σ_i β_i k(x, x_i) + b

Beside ½‖w‖² and the **sum** of the slacks. Where a text leaves the ½ out [000, "SVMs", the quadratic program], its C is
twice this one; where it averages the slacks and has λ/2 ‖w‖², C = 1/(nλ). The bias b carries no penalty.
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
from kcourse.base.linalg import strips
from kcourse.base.validation import check_kernel, check_labels, check_number, check_positive, check_targets, only_column
from kcourse.dual import DualSolution, KernelRows, certify, solve_dual, solve_many
from kcourse.kernels import Kernel, Linear, gram
from kcourse.svm.smo import smo

__all__ = ["SVC", "SVR"]

_ROOM = 200e6  # bytes for kernel values; a fit takes about as much, and half as much again
_IN_PAIR, _SHARED = 400, 0.5  # up to so many points in a pair share a Gram matrix that fits in this part of the room
_SMALL = 200  # up to so many points in a pair, all pairs take their steps together
_VALUES = 2**22  # of the kernel at a time, for predictions
_WHY_C = "it multiplies the sum of the slacks, beside ½‖w‖²."


class SVC(Classifier):
    """Support vector classifier: the widest margin that a sum of violations is worth [000, "SVMs"; 002; 003].

    Two classes, y = -1 for ``classes_[0]`` and y = 1 for ``classes_[1]``:

        min ½‖w‖² + C Σ ξ_i,  ξ_i = (1 - y_i f(x_i))₊      (primal)
        max Σ α_i - ½ ΣΣ α_i α_j y_i y_j k(x_i, x_j),  0 ≤ α_i ≤ C,  Σ α_i y_i = 0      (dual)
        f(x) = Σ_i α_i y_i k(x, x_i) + b

    and at the solution  α_i = 0 ⇒ y_i f(x_i) ≥ 1;  0 < α_i < C ⇒ y_i f(x_i) = 1;  α_i = C ⇒ y_i f(x_i) ≤ 1.
    More classes: one machine for each pair, which vote.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite. With a kernel that is not, such as ``Sigmoid``, the dual is not concave: what is found
        is a stationary point (no pair has a slope above ``tol``, or a warning says so), not the best one.
    C : float > 0
        price of a slack; the larger, the *less* regular. 1/C has the units of k. ``np.inf`` allows none: the hard
        margin (`MaxMargin` has it with its geometry), and an error if no function of the kernel separates the classes.
    class_weight : None, "balanced" or a dictionary
        C times this for the points of a class; "balanced" is n / (number of classes · points of the class), where
        points that have weights count by them.
    tol : float > 0
        largest violation of the conditions that is left, in units of y f(x).
    solver : "newton" or "smo"
        the fast solver of `kcourse.dual`, or the lecture's `kcourse.svm.smo`.
    max_iter : int
        steps of SMO at most, for each pair of classes; a `kcourse.dual.ConvergenceWarning` tells if they are too few.

    Attributes
    ----------
    dual_coef_ : (n,) array; (P, n) for P = c(c-1)/2 pairs of c > 2 classes
        β_i = y_i α_i, one for each training point, 0 off the support; scikit-learn's ``dual_coef_`` on it.
    multipliers_ : as dual_coef_
        α_i in [0, C], with weights in [0, C w_i].
    intercept_ : float; (P,)
        b, the middle of ``bias_interval_``.
    bias_interval_ : (low, high); (P, 2) array
        every b in it is optimal to within ``tol``. Without a free support vector (0 < α_i < C) it may be wide.
    support_, support_vectors_ : (m,) indices, and those points
        where some α_i > 0.
    n_support_ : (c,) array
        support vectors of each class.
    weights_, coef_ : (d,) and (1, d) arrays; both (P, d)
        w, for the linear kernel only; ``coef_`` has scikit-learn's shape, f > 0 votes for the second class of a pair.
    slacks_ : as dual_coef_
        ξ_i; in a pair of more classes 0 for points of others.
    norm2_ : float; (P,)
        ‖w‖² = βᵀKβ; the margin is 2/‖w‖ wide.
    dual_objective_, primal_objective_ : float; (P,)
        they enclose the optimum.
    kkt_gap_ : float
        the largest violation, computed afresh in double precision when the solver is done: at most ``tol``, or a
        `kcourse.dual.ConvergenceWarning` says why not.
    n_iter_ : int
        steps of SMO.

    Notes
    -----
    - With a kernel that takes them (`Linear`, `Polynomial`, `Gaussian`, their cosines), X may be sparse: it stays so,
      and so do ``support_vectors_``.
    - The loss is (1 - yf)₊; printed as (yf - 1)₊ [000] it would reward errors and be least for w = 0.
    - Its slope jumps at yf = 1, so conjugate gradients [000] do not apply: sub-gradients do (`Pegasos`), or the dual.
    - ξ_i is no distance; the distance to the margin line of one's class is ξ_i/‖w‖, and only ξ_i > 1 is an error [002].
    - Besides α_i (1 - ξ_i - y_i f_i) = 0 [002] optimality needs (C - α_i) ξ_i = 0.
    - w lives in feature space: Σ α_i y_i k(x_i, x_j) [002] is f(x_j) - b, not a component of w.
    - C → ∞ gives a hard margin, and training accuracy 1, only if the classes can be separated [000].
    - The fraction of support vectors has a limit as n grows that the noise decides (twice the Bayes risk for universal
      kernels and C that grow rightly), approached slowly from above: not a figure to expect at n = 1000.
    - The kernel machine is Boser, Guyon and Vapnik's (1992), the soft margin Cortes and Vapnik's (1995).
    - One pair takes about as long as in libsvm, and up to three times, some milliseconds, where few points or few
      support vectors make either quick: a step takes five microseconds here. Pairs of up to 200 points take their
      steps together (`kcourse.dual.solve_many`): 100 classes of 30 points take some three times as long, a thousand
      digits of ten classes four times; where speed counts take scikit-learn's ``SVC``.
    - Points of more than two classes, at most 400 in each pair, share one Gram matrix, of n² numbers, where it fits
      into 100 MB.
    - **Memory** is bounded, by 200 MB for kernel values, as in libsvm: where the Gram matrix of a pair does not fit,
      some rows are kept, others computed again, and working sets are smaller. With 20 000 points, two features and
      30 % of the labels flipped, a Gaussian takes some 240 MB, as in libsvm, and less time than there. A kernel that is
      a plain function, or of strings or graphs, and ``solver="smo"`` take n² numbers.

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
        """Learn from ``X`` (n, d) and the labels ``y`` (n,), two or more different ones; returns self.

        ``sample_weight`` (n,) says how many copies of its point each row stands for, fractions of one too: C times
        that is the price of its slack. Rows of weight 0 are not seen, and a class that has no others is none; in the
        attributes they keep their places, with 0.

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
        if len(classes) > 2:  # a class after the other: the points of a pair are two runs, then
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

        With c > 2 classes, shape (q, c): the votes of the pairs, plus less than ⅓ for how clearly they were won, so
        that equal votes are told apart; as scikit-learn's ``decision_function_shape="ovr"``.
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
    """ε-support vector regression: errors up to ε cost nothing, beyond it linearly [000, "SVMs", last remark].

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
        price of leaving the tube; the larger, the less regular. Units of y/k.
    epsilon : float ≥ 0
        half the width of the tube, in units of y; the larger, the *fewer* support vectors. 0 is the least sum of
        absolute deviations.
    tol : float > 0
        largest violation of the conditions that is left, in units of y.
    max_iter : int
        as in `SVC`.

    Attributes
    ----------
    dual_coef_ : (n,) array
        β_i = α_i - α*_i, 0 off the support; scikit-learn's ``dual_coef_`` on it.
    multipliers_ : (2, n) array
        α (points above the tube) and α* (below it), in [0, C]; never both of a point.
    slacks_ : (n,) array
        (|y_i - f(x_i)| - ε)₊.
    intercept_, bias_interval_, support_, support_vectors_, weights_, norm2_, kkt_gap_, n_iter_
        as in `SVC` with two classes.
    dual_objective_, primal_objective_ : float
        the two values above; they enclose the optimum.

    Notes
    -----
    With squares instead of the tube this is a least-squares support vector machine. It is kernel ridge regression, as
    [000] says, only without b: with b, f follows y + 5 everywhere, and far from the data it returns to b, not to 0.

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
        """Learn from ``X`` (n, d) and ``y`` (n,); returns self.

        ``sample_weight`` (n,) as in `SVC`: a point may cost C times its weight.

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
    """Set the attributes from one fit for each pair; ``scalar``: there is one pair only."""

    def stacked(name):
        values = np.array([getattr(fit, name) for fit in fits])
        return float(values[0]) if scalar else values

    def spread(name):
        """One row for each pair, 0 for points that it did not see."""
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
    """Σ_i β_i k(x, x_i) + b over the support, (q,) or one column for each pair."""
    if hasattr(model, "weights_"):
        return X @ model.weights_.T + model.intercept_
    if len(model.support_) == 0:
        return np.full(len(X), model.intercept_)
    f = np.empty((len(X), *model.dual_coef_.T.shape[1:]))
    for rows in strips(len(X), max(1, _VALUES // len(model.support_))):
        K = gram(model._kernel, X[rows], model.support_vectors_)
        f[rows] = K @ model.dual_coef_.T[model.support_] + model.intercept_
    return f


@dataclass(frozen=True, eq=False)
class _Fit:
    """The solution of one quadratic program, on these of the points, and what follows from it."""

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
        """From a `DualSolution` for the targets ``p``; ``slacks_of`` takes the values f(x_i)."""
        low, high = solution.bias_interval
        bias = 0.5 * (low + high)
        expansion = p - solution.f  # Kβ
        slacks, norm2 = slacks_of(expansion + bias), float(solution.beta @ expansion)
        # a hard margin allows no slack: what is left is within tol
        primal = 0.5 * norm2 + float(np.where(np.isfinite(C), C, 0.0) @ slacks)
        return cls(
            members, solution.beta, slacks, (low, high), bias, norm2, primal, solution.objective, solution.gap,
            solution.n_iter,
        )  # fmt: skip


def _steps(max_iter: Any) -> int:
    return check_number(max_iter, "max_iter", at_least=1, integer=True)


def _pair(codes: np.ndarray, first: int, second: int, prices: np.ndarray) -> tuple[np.ndarray, ...]:
    """Which points are of the two classes, their signs y, and the box of β = yα."""
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
    """The slacks where f has these values."""
    return np.maximum(1.0 - sign * values, 0.0)


def _whole_gram(kernel: Callable, points: np.ndarray, *, everything: bool = False) -> np.ndarray | None:
    """The Gram matrix, where an entry is dear; otherwise None: the solver computes what it needs."""
    if everything or not isinstance(kernel, Kernel) or kernel.structured:
        return gram(kernel, points)
    return None


@contextmanager
def _memory(n: int) -> Iterator[None]:
    """Say what helps, where memory ends."""
    try:
        yield
    except MemoryError:
        raise MemoryError(
            f"memory ended: {n} points with {_ROOM / 1e6:g} MB of kernel values: take fewer points or landmarks "
            "(kcourse.scaling). A kernel that is a plain function, or of strings or graphs, and "
            f"solver='smo' take n² numbers, here {8e-6 * n**2:.0f} MB."
        ) from None


def _part(K: np.ndarray, members: np.ndarray) -> np.ndarray:
    """K on points of two classes, which are one or two runs: slices copy them fast."""
    if len(members) == len(K):
        return K
    ends = [0, *np.flatnonzero(np.diff(members) > 1) + 1, len(members)]
    runs = [slice(members[a], members[b - 1] + 1) for a, b in pairwise(ends)]
    return np.concatenate([np.concatenate([K[run, other] for other in runs], axis=1) for run in runs])


def _class_weights(class_weight: Any, y: Any, classes: np.ndarray, codes: np.ndarray, w: np.ndarray) -> np.ndarray:
    """One factor of C for each class; ``w`` are the weights of the points that weigh anything, of all ``y``."""
    if class_weight is None:
        return np.ones(len(classes))
    if isinstance(class_weight, str) and class_weight == "balanced":
        return w.sum() / (len(classes) * np.bincount(codes, w))
    if not isinstance(class_weight, dict):
        raise ValueError(
            f"class_weight must be None, 'balanced' or a dictionary {{label: weight}}, got {class_weight!r}."
        )
    known = np.unique(check_labels(y, np.shape(y)[0])).tolist()  # those without a point of weight, too
    if unknown := [label for label in class_weight if label not in known]:
        raise ValueError(f"class_weight names {unknown[0]!r}, but y has only {known}.")
    weights = {label: check_positive(w, f"class_weight[{label!r}]") for label, w in class_weight.items()}
    return np.array([weights.get(label, 1.0) for label in classes.tolist()])


def _one_target(y: Any, n: int) -> np.ndarray:
    """Return y as (n,) floats; a column (n, 1) is taken with a warning, as scikit-learn does."""
    y = np.array(check_targets(y, n))
    if y.ndim == 1:
        return y
    if y.shape[1] > 1:
        raise ValueError(f"y has shape {y.shape}; a support vector machine learns one target: fit one for each column.")
    return only_column(y)
