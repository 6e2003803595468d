"""Support vector machines that learn point by point [000, "SVMs", the on-line versions; chapter 6].

`Pegasos` descends the soft-margin objective by one point at a time, `BudgetPerceptron` sees a stream with a memory of
fixed size. Neither ever forms or solves a quadratic program.
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
from kcourse.kernels import Linear, gram

__all__ = ["BudgetPerceptron", "Pegasos", "pegasos_steps"]

_BLOCK = 64  # steps whose inner products are taken at once


def pegasos_steps(X: Any, y: Any, order: Any, *, lam: float) -> np.ndarray:
    """Return w after the steps of Pegasos in a given order, as the text has them: one line of Python for each.

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
        λ beside the *mean* of the losses: 1/(nC) for the C of SVC.

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
    """The soft-margin SVM without bias by stochastic sub-gradient steps, with weights or with a kernel.

    Minimises ½‖w‖² + C Σ_i (1 - y_i wᵀφ(x_i))₊ [000, "Classificateurs à marge maximale", with the sign of the loss
    put right]: nC times the objective of `pegasos_steps`, with λ = 1/(nC). After t steps

        w = (1/(λt)) Σ_i α_i y_i φ(x_i),   α_i = how often point i was drawn while y_i wᵀφ(x_i) < 1

    so that a kernel needs nothing but counts. The linear kernel keeps w itself.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite.
    C : float > 0
        weight of the losses beside ½‖w‖², as in SVC. scikit-learn's ``SGDClassifier(alpha=λ)`` has 1/(nC); where a
        text has ‖w‖² without ½, its C is twice this one.
    epochs : int ≥ 1
        the steps are ``epochs`` times n, each with a point drawn at random.
    average : bool
        whether to take the mean of w over the second half of the steps instead of the last w: less noise.
    rng : int or numpy Generator
        what the points are drawn with.

    Attributes
    ----------
    dual_coef_ : (n,) array
        signed coefficients of f(x) = Σ_i coef_i k(x, x_i): α_i y_i/(λT), or their mean.
    counts_ : (n,) array of int
        α.
    support_ : array of int
        the points with α_i > 0. Their number does not fall to that of the exact solution.
    weights_, coef_ : (d,) and (1, d) arrays
        w, for the linear kernel only; ``coef_`` in scikit-learn's shape.
    objective_ : float
        ½‖w‖² + C Σ hinge.
    n_steps_ : int
        T.
    X_fit_ : (n, d) array
        the training points (a copy), without those of weight 0.
    classes_ : (2,) array
        the labels; the second is y = +1.

    Notes
    -----
    The objective approaches its minimum like 1/(λT), up to a logarithm, however many points there are; for a large C
    that is slow. There is no bias, as the minimum of an objective with a free bias has no such rate. ``kernel + 1``
    has a bias that is part of w, and thus penalised. Linear: time O(d) a step. Kernel: the Gram matrix, then O(n) for
    each step that counts. The steps are a loop in Python, to be read; where speed counts take the same objective in
    scikit-learn's ``SGDClassifier(loss="hinge", alpha=1/(nC), fit_intercept=False)`` or
    ``LinearSVC(loss="hinge", fit_intercept=False)``, and with a kernel `SVC`, which has a bias.

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
        """Learn from ``X`` (n, d) and labels ``y`` (n,) of two classes, in random order; returns self.

        ``sample_weight`` (n,) says how many copies of its point each row stands for, fractions of one too: it is drawn
        as often, and its loss counts as much. Rows of weight 0 are left out.
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
        return gram(self._kernel, X, self.X_fit_[self.support_]) @ self.dual_coef_[self.support_]

    def dual_coef_at(self, steps: int, *, average: bool = False) -> np.ndarray:
        """Return the coefficients (n,) that the same run had after ``steps`` ≤ T steps: one fit shows the whole path.

        >>> from kcourse.svm.online import Pegasos
        >>> model = Pegasos(epochs=10).fit([[1.0], [-1.0]], [1, -1])
        >>> model.dual_coef_at(1).tolist(), (model.dual_coef_at(20) == model.dual_coef_).all()
        ([0.0, -2.0], np.True_)
        """
        self._check_fitted()
        steps = check_number(steps, "steps", at_least=1, integer=True)
        if steps > self.n_steps_:
            raise ValueError(f"steps is {steps}, and the fit made {self.n_steps_}; fit with more epochs.")
        return _iterate(self._order[:steps], self._hits[:steps], self._y, self._lam, average)


def _iterate(order: np.ndarray, hits: np.ndarray, y: np.ndarray, lam: float, average: bool) -> np.ndarray:
    """The coefficients after these steps, or their mean over the second half of them."""
    T = len(order)
    # w_t = 1/(λt) Σ_{s≤t, hit} y_s φ(x_s), for (1 - 1/t)(1 - 1/(t-1))⋯ telescopes
    weight = np.full(T, 1.0 / T)
    if average:
        # the mean over t = m+1 … T gives the hit of step s the weight Σ_{t ≥ max(s, m+1)} 1/t / (T - m)
        m = T // 2
        tail = np.cumsum(1.0 / np.arange(T, m, -1))[::-1] / (T - m)
        weight = np.concatenate([np.full(m, tail[0]), tail])
    return y * np.bincount(order[hits], weights=weight[hits], minlength=len(y)) / lam


def _hits_kernel(G: np.ndarray, order: np.ndarray, lam: float) -> np.ndarray:
    """Which steps found y_i f(x_i) < 1, where G_ij = y_i y_j k(x_i, x_j)."""
    return _run(G, np.zeros(len(G)), order.tolist(), 0, lam)


def _hits_linear(Z: np.ndarray, order: np.ndarray, lam: float) -> np.ndarray:
    """The same from the rows z_i = y_i x_i. Inside a block of steps w changes along the rows of the block alone, so
    that their Gram matrix, one small product, spares a product of d numbers at each step."""
    hits, v = np.zeros(len(order), dtype=bool), np.zeros(Z.shape[1])
    for start in range(0, len(order), _BLOCK):
        B = Z[order[start : start + _BLOCK]]
        hit = _run(B @ B.T, B @ v, range(len(B)), start, lam)
        v += hit @ B
        hits[start : start + _BLOCK] = hit
    return hits


def _run(G: np.ndarray, g: np.ndarray, order: Any, done: int, lam: float) -> np.ndarray:
    """The steps ``done`` + 1, …: hits, from g_i = λ(t-1) y_i f(x_i), which is kept up to date in place."""
    hits = np.zeros(len(order), dtype=bool)
    limits = lam * np.arange(done, done + len(order))
    limits[: done == 0] = np.inf  # at the first step f = 0, and it counts
    for s, (i, limit) in enumerate(zip(order, limits.tolist(), strict=True)):
        # y_i f(x_i) < 1 before the shrink
        if g[i] < limit:
            hits[s] = True
            g += G[i]
    return hits


class BudgetPerceptron(Classifier):
    """The kernel perceptron for streams: at most ``budget`` points are kept, for two classes.

    f(x) = Σ_j y_j k(x, x_j) over the points in memory. A mistake, y f(x) ≤ 0, puts (x, y) into memory; if that is
    one too many, one is forgotten [000, "SVMs", on-line versions near O(n)].

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite.
    budget : int ≥ 1
        points in memory at most.
    forget : "oldest" or "smallest"
        the point that came first, or the one whose own vote matters least: the largest y_j (f(x_j) - y_j k(x_j, x_j)),
        what the others say of it [Crammer, Kandola, Singer 2003].
    epochs : int ≥ 1
        passes over the points in ``fit``; ``partial_fit`` makes one.
    shuffle : bool
        whether ``fit`` takes a new order for each pass instead of the order of the rows.
    rng : int or numpy Generator
        what the orders are drawn with, if ``shuffle``.

    Attributes
    ----------
    X_fit_ : (m, d) array
        the points in memory, m ≤ budget, the oldest first.
    dual_coef_ : (m,) array
        their labels y_j = ±1, the coefficients of f.
    n_updates_ : int
        mistakes since ``fit`` or the first ``partial_fit``.
    n_seen_ : int
        points since then.
    classes_ : (2,) array
        the labels; the second is y = +1.

    Notes
    -----
    With a budget that is never reached this is `KernelPerceptron`; as that it takes no ``sample_weight``. A small one
    can do much harm: what was learned is forgotten again, and each order of the points ends elsewhere. Time O(budget)
    kernel values for each point that comes, whatever was seen before. The points are taken in a loop in Python; where
    speed counts and the kernel is linear, scikit-learn's ``Perceptron(fit_intercept=False)`` has the steps and
    ``partial_fit``, without a budget.

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
        """Start with an empty memory, and see ``X`` (n, d) with labels ``y`` (n,) ``epochs`` times; returns self."""
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
        """See more points, in the order of the rows; returns self.

        ``classes``, both labels, is needed at the first call unless ``y`` has both. kernel, budget and forget may
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
        return gram(self._kernel, X, self.X_fit_) @ self.dual_coef_

    def _settings(self) -> tuple[Callable, int, str]:
        budget = check_number(self.budget, "budget", at_least=1, integer=True)
        if self.forget not in ("oldest", "smallest"):
            raise ValueError(f"forget must be 'oldest' or 'smallest', got {self.forget!r}.")
        return check_kernel(self.kernel), budget, self.forget


def _stream(kernel, stored, coef, points, y, budget, forget):
    """Let ``points`` pass by the memory (``stored``, ``coef``); returns the new memory and the count of mistakes."""
    mistakes = 0
    for start in range(0, len(points), _BLOCK):
        block = slice(start, start + _BLOCK)
        stored, coef, wrong = _pass_by(kernel, stored, coef, points[block], y[block], budget, forget)
        mistakes += wrong
    return (stored, coef), mistakes


def _pass_by(kernel, stored, coef, points, y, budget, forget):
    """One block of points, whose kernel values against the memory and each other are taken at once."""
    m, mistakes = len(stored), 0
    pool, c = stacked([stored, points]), np.concatenate([coef, np.zeros(len(points))])
    first = 0 if forget == "smallest" else m  # the rows of K that are needed
    K = _finite(gram(kernel, pool[first:], pool))
    memory = list(range(m))  # places in the pool, the oldest first
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
    """The place in ``memory`` of the largest y_j (f(x_j) - y_j k(x_j, x_j)); of equals, up to rounding, the oldest."""
    K, c = K[np.ix_(memory, memory)], c[memory]
    rounding = 1e-10 * K.diagonal().max()
    np.fill_diagonal(K, 0.0)
    votes = c * (K @ c)
    return int(np.argmax(votes >= votes.max() - rounding))


def _codes(model: Classifier, y: Any, n: int, known: np.ndarray | None, classes: Any) -> tuple[np.ndarray, np.ndarray]:
    """The two classes, and ``y`` as ±1, when a part of the labels arrives."""
    if classes is not None:
        given, _ = model._fit_labels(classes, len(classes))
        if known is not None and not np.array_equal(given, known):
            raise ValueError(f"classes is {given.tolist()}, and it was {known.tolist()} at the first call.")
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
        raise ValueError(f"y has the label {y[strange][0].item()!r}, which is none of the classes {known.tolist()}.")
    return known, np.where(y == known[1], 1.0, -1.0)


def _order(order: Any, n: int) -> list[int]:
    """``order`` as places in n rows."""
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
