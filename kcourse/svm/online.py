"""Online support vector machines [000, "SVMs", the online versions; chapter 6].

`Pegasos` minimises the soft-margin objective by stochastic sub-gradient steps, and `BudgetPerceptron` learns from a
stream with a memory of fixed size. Neither of them forms or solves a quadratic program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kcourse.base.estimator import Classifier
from kcourse.base.validation import (
    check_kernel,
    check_labels,
    check_magnitude,
    check_no_overflow,
    check_number,
    check_points,
    check_positive,
    check_rng,
    check_targets,
    is_sparse,
    stacked,
)
from kcourse.kernels import Linear, expansion, gram

__all__ = ["BudgetPerceptron", "Pegasos", "pegasos_steps"]

_BLOCK = 64  # steps whose inner products are computed at once


def pegasos_steps(X: Any, y: Any, order: Any, *, lam: float) -> np.ndarray:
    """Return w after the steps of Pegasos in a given order, written as in the text.

    At step t with point i = order[t-1], for  λ/2 ‖w‖² + (1/n) Σ (1 - y_i wᵀx_i)₊  [Shalev-Shwartz et al. 2011]:

        w ← (1 - ηλ) w + η y_i x_i  if  y_i wᵀx_i < 1,  else  w ← (1 - ηλ) w       η = 1/(λt)

    Parameters
    ----------
    X : (n, d) array
        points; there is no bias.
    y : (n,) array
        labels, -1 and 1.
    order : (T,) array of int
        the point of each step.
    lam : float > 0
        penalty parameter λ next to the *mean* of the losses; 1/(nC) for the C of SVC.

    >>> from kcourse.svm.online import pegasos_steps
    >>> X = [[0.9, 0.1], [-0.7, -0.9], [-0.5, 0.2], [-1.0, -0.2]]
    >>> pegasos_steps(X, [1, -1, 1, -1], [3, 0, 2, 2, 3, 2, 1], lam=0.2).round(6)
    array([0.357143, 0.714286])
    """
    X, lam = check_points(X), check_positive(lam, "lam")
    y = check_targets(y, len(X))
    if np.any(np.abs(y) != 1):
        raise ValueError(f"y has {y[np.abs(y) != 1][0]:g}; the steps need -1 and 1.")
    w = np.zeros(X.shape[1])
    for t, i in enumerate(_order(order, len(X)), start=1):
        eta = 1.0 / (lam * t)
        violated = y[i] * (w @ X[i]) < 1.0
        w *= 1.0 - 1.0 / t  # 1 - ηλ
        if violated:
            w += eta * y[i] * X[i]
    return w


class Pegasos(Classifier):
    """Support vector classifier without bias, trained by stochastic sub-gradient steps (Pegasos).

    Minimises ½‖w‖² + C Σ_i (1 - y_i wᵀφ(x_i))₊ [000, "Classificateurs à marge maximale", with the sign of the loss
    corrected]: nC times the objective of `pegasos_steps`, with λ = 1/(nC). After t steps

        w = (1/(λt)) Σ_i α_i y_i φ(x_i),   α_i = number of draws of point i at which y_i wᵀφ(x_i) < 1

    so that a kernel requires only the counts α. With the linear kernel, w itself is stored.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite.
    C : float > 0
        penalty per unit of slack, as in SVC. For scikit-learn's ``SGDClassifier(alpha=λ)``, λ = 1/(nC); where a
        text has ‖w‖² without ½, its C is twice this one.
    epochs : int ≥ 1
        number of steps divided by n; each step draws a point at random.
    average : bool
        whether to return the mean of w over the second half of the steps, which is less noisy than the last w.
    rng : int or numpy Generator
        seed or generator for drawing the points.

    Attributes
    ----------
    dual_coef_ : (n,) array
        signed coefficients of f(x) = Σ_i coef_i k(x, x_i): α_i y_i/(λT), or their mean.
    counts_ : (n,) array of int
        α, the margin violations (updates) of each point.
    support_ : array of int
        indices with α_i > 0; more than in the exact solution, however many steps are made.
    weights_, coef_ : (d,) and (1, d) arrays
        w, for the linear kernel only; ``coef_`` in scikit-learn's shape.
    objective_ : float
        ½‖w‖² + C Σ hinge losses.
    n_steps_ : int
        number of steps T.
    X_fit_ : (n, d) array
        the training points (a copy), without those of weight 0.
    classes_ : (2,) array
        the labels; the second is y = +1.

    Notes
    -----
    The distance of the objective to its minimum falls like 1/(λT), up to a logarithm, for any n; for a large C that
    is slow. There is no bias because this rate requires a penalty on every parameter. With ``kernel + 1`` a bias is
    part of w and therefore penalised. Time: O(d) per step with the linear kernel; otherwise the Gram matrix, then O(n)
    per update. The steps are a readable Python loop; where speed matters, minimise the same objective with
    scikit-learn's ``SGDClassifier(loss="hinge", alpha=1/(nC), fit_intercept=False)`` or
    ``LinearSVC(loss="hinge", fit_intercept=False)``, and with a kernel use `SVC`, which has a bias.

    >>> import numpy as np
    >>> from kcourse.svm.online import Pegasos
    >>> X = np.array([[2.0, 0.0], [1.0, 1.0], [-1.0, -2.0], [-2.0, 0.5]])
    >>> model = Pegasos(C=1.0, epochs=500, average=True).fit(X, [1, 1, 0, 0])
    >>> model.predict([[3.0, 1.0], [-3.0, 1.0]]), round(model.objective_, 2)
    (array([1, 0]), 0.26)
    """

    _uses_kernel_only = True

    _binary_only = True

    def __init__(
        self,
        kernel: Callable = Linear(),  # noqa: B008
        *,
        C: float = 1.0,
        epochs: int = 50,
        average: bool = False,
        rng: int | np.random.Generator = 0,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.epochs = epochs
        self.average = average
        self.rng = rng

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Pegasos:
        """Fit the classifier to ``X`` (n, d) and labels ``y`` (n,) of two classes, in random order; return self.

        ``sample_weight`` (n,) gives the number of copies that each row stands for, fractions included: the probability
        of drawing it and its loss are multiplied by the weight. Rows of weight 0 are left out.
        """
        kernel, C = check_kernel(self.kernel), check_positive(self.C, "C")
        epochs = check_number(self.epochs, "epochs", at_least=1, integer=True)
        average, rng = _flag(self.average, "average"), check_rng(self.rng)
        points = self._fit_points(X, kernel)
        classes, codes = self._fit_labels(y, len(points), sample_weight=sample_weight)
        w, points = self._fit_weights(sample_weight, points)
        n, y = len(points), 2.0 * codes - 1.0
        if w is None:
            lam, order = 1.0 / (n * C), rng.integers(n, size=epochs * n, dtype=np.int32)
        else:
            lam, order = 1.0 / (w.sum() * C), rng.choice(n, size=epochs * n, p=w / w.sum()).astype(np.int32)
        linear = isinstance(kernel, Linear) and not is_sparse(points)
        if linear:
            hits = _hits_linear(y[:, None] * _of_sane_size(points), order, lam)
        else:
            G = _finite(gram(kernel, points))
            G *= y
            G *= y[:, None]
            hits = _hits_kernel(G, order, lam)
        coef = _iterate(order, hits, y, lam, average)
        # f at the training points, and ‖w‖²
        f = points @ (points.T @ coef) if linear else y * (G @ (y * coef))
        hinge = np.maximum(0.0, 1.0 - y * f)
        objective = 0.5 * coef @ f + C * (hinge.sum() if w is None else w @ hinge)
        self._remember_features(X, points)
        self.classes_, self.X_fit_, self._kernel = classes, points, kernel
        self.dual_coef_, self.counts_ = coef, np.bincount(order[hits], minlength=n)
        self.support_, self.objective_, self.n_steps_ = np.flatnonzero(self.counts_), float(objective), len(order)
        self._order, self._hits, self._y, self._lam = order, hits, y, lam
        self.__dict__.pop("weights_", None)  # of an earlier fit
        if isinstance(kernel, Linear):
            self.weights_ = points.T @ coef
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return f(x) = Σ_i coef_i k(x, x_i) for each row of ``X`` (q, d), shape (q,)."""
        X = self._new_points(X)
        if hasattr(self, "weights_"):
            return X @ self.weights_
        return expansion(self._kernel, X, self.X_fit_[self.support_], self.dual_coef_[self.support_])

    def dual_coef_at(self, steps: int, *, average: bool = False) -> np.ndarray:
        """Return the coefficients (n,) of the same run after ``steps`` ≤ T steps, without fitting again.

        >>> from kcourse.svm.online import Pegasos
        >>> model = Pegasos(epochs=10).fit([[1.0], [-1.0]], [1, -1])
        >>> model.dual_coef_at(1).tolist(), (model.dual_coef_at(20) == model.dual_coef_).all()
        ([0.0, -2.0], np.True_)
        """
        self._check_fitted()
        steps = check_number(steps, "steps", at_least=1, integer=True)
        if steps > self.n_steps_:
            raise ValueError(f"steps is {steps}, but the fit made only {self.n_steps_}; fit with more epochs.")
        return _iterate(self._order[:steps], self._hits[:steps], self._y, self._lam, average)


def _iterate(order: np.ndarray, hits: np.ndarray, y: np.ndarray, lam: float, average: bool) -> np.ndarray:
    """Return the coefficients after these steps, or their mean over the second half of the steps."""
    T = len(order)
    # w_t = 1/(λt) Σ_{s≤t, hit} y_s φ(x_s), for (1 - 1/t)(1 - 1/(t-1))⋯ telescopes
    weight = np.full(T, 1.0 / T)
    if average:
        # in the mean over t = m+1 … T the hit of step s has the weight Σ_{t ≥ max(s, m+1)} 1/t / (T - m)
        m = T // 2
        tail = np.cumsum(1.0 / np.arange(T, m, -1))[::-1] / (T - m)
        weight = np.concatenate([np.full(m, tail[0]), tail])
    return y * np.bincount(order[hits], weights=weight[hits], minlength=len(y)) / lam


def _hits_kernel(G: np.ndarray, order: np.ndarray, lam: float) -> np.ndarray:
    """Return which steps are hits, y_i f(x_i) < 1 (margin violations), from G_ij = y_i y_j k(x_i, x_j)."""
    return _run(G, np.zeros(len(G)), order.tolist(), 0, lam)


def _hits_linear(Z: np.ndarray, order: np.ndarray, lam: float) -> np.ndarray:
    """Return which steps are hits, from the rows z_i = y_i x_i. Within a block of steps w changes only along the rows
    of this block, so its small Gram matrix replaces an inner product in d dimensions at each step."""
    hits, v = np.zeros(len(order), dtype=bool), np.zeros(Z.shape[1])
    for start in range(0, len(order), _BLOCK):
        B = Z[order[start : start + _BLOCK]]
        hit = _run(B @ B.T, B @ v, range(len(B)), start, lam)
        v += hit @ B
        hits[start : start + _BLOCK] = hit
    return hits


def _run(G: np.ndarray, g: np.ndarray, order: Any, done: int, lam: float) -> np.ndarray:
    """Return the hits of the steps ``done`` + 1, …, from g_i = λ(t-1) y_i f(x_i), which is updated in place."""
    hits = np.zeros(len(order), dtype=bool)
    limits = lam * np.arange(done, done + len(order))
    limits[: done == 0] = np.inf  # at the first step f = 0, which is a hit
    for s, (i, limit) in enumerate(zip(order, limits.tolist(), strict=True)):
        # y_i f(x_i) < 1 before w is multiplied by 1 - ηλ
        if g[i] < limit:
            hits[s] = True
            g += G[i]
    return hits


class BudgetPerceptron(Classifier):
    """Kernel perceptron with a budget: an online classifier of two classes that stores at most ``budget`` points.

    f(x) = Σ_j y_j k(x, x_j) over the points in memory. After a mistake, y f(x) ≤ 0, (x, y) is stored; if the budget
    is then exceeded, one point is removed [000, "SVMs", online versions near O(n)].

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite.
    budget : int ≥ 1
        maximum number of points in memory.
    forget : "oldest" or "smallest"
        which point is removed: the oldest, or the one with the smallest influence, which has the largest margin
        y_j (f(x_j) - y_j k(x_j, x_j)) without its own term [Crammer, Kandola, Singer 2003].
    epochs : int ≥ 1
        passes over the points in ``fit``; ``partial_fit`` makes one.
    shuffle : bool
        whether ``fit`` draws a new order for each pass instead of using the order of the rows.
    rng : int or numpy Generator
        seed or generator for the orders, if ``shuffle``.

    Attributes
    ----------
    X_fit_ : (m, d) array
        the points in memory, m ≤ budget, the oldest first.
    dual_coef_ : (m,) array
        their labels y_j = ±1, the coefficients of f.
    n_updates_ : int
        number of mistakes since ``fit`` or the first ``partial_fit``.
    n_seen_ : int
        number of points seen since then.
    classes_ : (2,) array
        the labels; the second is y = +1.

    Notes
    -----
    With a budget that is never reached this is `KernelPerceptron`, and like it has no ``sample_weight``. A small budget
    can lower the accuracy considerably, and the result then depends strongly on the order of the points. Each new
    point takes O(budget) kernel values. The points are processed in a Python loop; where speed matters and the
    kernel is linear, scikit-learn's ``Perceptron(fit_intercept=False)`` makes the same steps and has ``partial_fit``,
    without a budget.

    >>> import numpy as np
    >>> from kcourse import Gaussian
    >>> from kcourse.svm.online import BudgetPerceptron
    >>> model = BudgetPerceptron(Gaussian(1.0), budget=2)
    >>> for x, y in zip([[0.0], [1.0], [3.0], [0.2]], ["a", "b", "a", "a"]):
    ...     _ = model.partial_fit([x], [y], classes=["a", "b"])
    >>> model.X_fit_.ravel(), model.dual_coef_, model.n_updates_
    (array([3. , 0.2]), array([-1., -1.]), 4)
    """

    _binary_only = True
    _uses_kernel_only = True

    def __init__(
        self,
        kernel: Callable,
        *,
        budget: int = 100,
        forget: str = "oldest",
        epochs: int = 1,
        shuffle: bool = False,
        rng: int | np.random.Generator = 0,
    ) -> None:
        self.kernel = kernel
        self.budget = budget
        self.forget = forget
        self.epochs = epochs
        self.shuffle = shuffle
        self.rng = rng

    def fit(self, X: Any, y: Any) -> BudgetPerceptron:
        """Empty the memory, then learn from ``X`` (n, d) with labels ``y`` (n,) in ``epochs`` passes; return self."""
        kernel, budget, forget = self._settings()
        epochs = check_number(self.epochs, "epochs", at_least=1, integer=True)
        shuffle, rng = _flag(self.shuffle, "shuffle"), check_rng(self.rng)
        points = self._fit_points(X, kernel)
        n = len(points)
        classes, codes = self._fit_labels(y, n)
        order = np.concatenate([rng.permutation(n) if shuffle else np.arange(n) for _ in range(epochs)])
        memory = points[:0], np.zeros(0)
        memory, mistakes = _stream(kernel, *memory, points[order], 2.0 * codes[order] - 1.0, budget, forget)
        self._remember_features(X, points)
        self.classes_, self._kernel = classes, kernel
        (self.X_fit_, self.dual_coef_), self.n_updates_, self.n_seen_ = memory, mistakes, len(order)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> BudgetPerceptron:
        """Learn from more points, in the order of the rows; return self.

        The first call requires ``classes``, both labels, unless ``y`` contains both. kernel, budget and forget may
        change between calls; a smaller budget takes effect at the next mistake.
        """
        kernel, budget, forget = self._settings()
        first = not self.__sklearn_is_fitted__()
        points = self._fit_points(X, kernel) if first else self._new_points(X)
        known = None if first else self.classes_
        classes, signs = _codes(self, y, len(points), known, classes)
        stored, coef = (points[:0], np.zeros(0)) if first else (self.X_fit_, self.dual_coef_)
        memory, mistakes = _stream(kernel, stored, coef, points, signs, budget, forget)
        if first:
            self._remember_features(X, points)
            self.n_updates_ = self.n_seen_ = 0
        self.classes_, self._kernel, (self.X_fit_, self.dual_coef_) = classes, kernel, memory
        self.n_updates_ += mistakes
        self.n_seen_ += len(points)
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return f(x) = Σ_j y_j k(x, x_j), over the points in memory, for each row of ``X`` (q, d), shape (q,)."""
        X = self._new_points(X)
        return expansion(self._kernel, X, self.X_fit_, self.dual_coef_)

    def _settings(self) -> tuple[Callable, int, str]:
        budget = check_number(self.budget, "budget", at_least=1, integer=True)
        if self.forget not in ("oldest", "smallest"):
            raise ValueError(f"forget must be 'oldest' or 'smallest', got {self.forget!r}.")
        return check_kernel(self.kernel), budget, self.forget


def _stream(kernel, stored, coef, points, y, budget, forget):
    """Show ``points`` to the memory (``stored``, ``coef``); return the new memory and the number of mistakes."""
    mistakes = 0
    for start in range(0, len(points), _BLOCK):
        block = slice(start, start + _BLOCK)
        stored, coef, wrong = _pass_by(kernel, stored, coef, points[block], y[block], budget, forget)
        mistakes += wrong
    return (stored, coef), mistakes


def _pass_by(kernel, stored, coef, points, y, budget, forget):
    """Show one block of points; compute their kernel values with the memory and with each other at once."""
    m, mistakes = len(stored), 0
    pool, c = stacked([stored, points]), np.concatenate([coef, np.zeros(len(points))])
    first = 0 if forget == "smallest" else m  # the rows of K that are needed
    K = _finite(gram(kernel, pool[first:], pool))
    memory = list(range(m))  # indices into the pool, the oldest first
    for i in range(m, len(pool)):
        # a mistake: y_i f(x_i) ≤ 0
        if y[i - m] * (K[i - first] @ c) > 0:
            continue
        c[i] = y[i - m]
        memory.append(i)
        mistakes += 1
        while len(memory) > budget:
            c[memory.pop(0 if forget == "oldest" else _least_needed(K, c, memory))] = 0.0
    return pool[memory], c[memory], mistakes


def _least_needed(K: np.ndarray, c: np.ndarray, memory: list[int]) -> int:
    """Return the index in ``memory`` of the largest y_j (f(x_j) - y_j k(x_j, x_j)); ties go to the oldest point."""
    K, c = K[np.ix_(memory, memory)], c[memory]
    rounding = 1e-10 * K.diagonal().max()
    np.fill_diagonal(K, 0.0)
    votes = c * (K @ c)
    return int(np.argmax(votes >= votes.max() - rounding))


def _codes(model: Classifier, y: Any, n: int, known: np.ndarray | None, classes: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the two classes and ``y`` as ±1, where ``y`` is one part of the labels."""
    if classes is not None:
        given, _ = model._fit_labels(classes, len(classes))
        if known is not None and not np.array_equal(given, known):
            raise ValueError(f"classes is {given.tolist()}, but it was {known.tolist()} at the first call.")
        known = given
    y = check_labels(y, n)
    if known is None:
        if np.all(y == y[0]):
            raise ValueError(
                f"y has one class only, {y[0].item()!r}: at the first partial_fit pass classes=, both labels."
            )
        known, _ = model._fit_labels(y, n)
    strange = ~np.isin(y, known)
    if strange.any():
        raise ValueError(f"y has the label {y[strange][0].item()!r}, which is not one of the classes {known.tolist()}.")
    return known, np.where(y == known[1], 1.0, -1.0)


def _order(order: Any, n: int) -> list[int]:
    """Return ``order`` as a list of row indices 0…n-1."""
    order = np.asarray(order)
    if order.ndim != 1 or (order.size and order.dtype.kind not in "iu"):
        raise TypeError(f"order must be (T,) whole numbers, got shape {order.shape} of {order.dtype}.")
    if order.size and not 0 <= order.min() <= order.max() < n:
        raise ValueError(f"order has {order.min()} … {order.max()}; it may name the rows 0 … {n - 1} of X.")
    return order.tolist()


def _flag(value: Any, name: str) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {type(value).__name__} {value!r}.")
    return bool(value)


def _of_sane_size(X: np.ndarray) -> np.ndarray:
    check_magnitude(X, most="1e140")
    return X


def _finite(K: np.ndarray) -> np.ndarray:
    check_no_overflow(K)
    return K
