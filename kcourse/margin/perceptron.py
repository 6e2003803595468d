"""Perceptron algorithm, linear and with a kernel [000, "Classificateurs à marge maximale"].

    on a mistake, y_i f(x_i) ≤ 0:   w ← w + y_i x_i,  b ← b + y_i        (with a kernel: α_i ← α_i + 1)

It stops at the first hyperplane without mistakes, which depends on the order of the points. For more than two classes
one classifier is trained for each class against the rest, and the largest f(x) gives the prediction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import tee
from math import hypot, sqrt
from typing import Any

import numpy as np

from kcourse.base.estimator import Classifier
from kcourse.base.validation import check_kernel, check_magnitude, check_no_overflow, check_number, check_rng
from kcourse.kernels import expansion, gram
from kcourse.margin.geometry import mistake_bound

__all__ = ["KernelPerceptron", "Perceptron"]

EPS = float(np.finfo(float).eps)
_PATIENCE, _POINTS = 10, 100_000  # allowed without a gain: 10 passes plus those that show 100 000 points
_GAIN = 0.05  # relative decrease of the smallest number of mistakes that counts as a gain


class _Machines(Classifier):
    """Base class of both perceptrons: one classifier for two classes, or one for each of c > 2 classes."""

    def _orders(self, n: int, count: int) -> tuple[Iterator[np.ndarray | None], ...]:
        """Return iterators over the orders of the points in each pass, the same for ``count`` classifiers."""
        return tee(_orders(n, self.epochs, self.shuffle, self.rng), count)

    def _learn(self, passes: list[list[int]], **learned: np.ndarray) -> None:
        """Set the attributes ``learned``, one entry per classifier, and those derived from the mistakes."""
        mistakes = np.zeros((max(map(len, passes)), len(passes)), dtype=int)
        for column, counts in zip(mistakes.T, passes, strict=True):
            column[: len(counts)] = counts
        self.n_iter_, self.converged_ = len(mistakes), all(counts[-1] == 0 for counts in passes)
        self.mistakes_ = mistakes[:, 0] if len(passes) == 1 else mistakes
        for name, values in {**learned, "n_updates_": mistakes.sum(axis=0)}.items():
            one = values[0].item() if values.ndim == 1 else values[0]
            setattr(self, name, one if len(passes) == 1 else values)


class Perceptron(_Machines):
    """Rosenblatt's perceptron with bias: f(x) = wᵀx + b, updated at each mistake.

    Parameters
    ----------
    epochs : int ≥ 1
        maximum number of passes; fewer after a pass without mistakes, or if more passes do not help (see the notes).
    shuffle : bool
        whether to draw a new order for each pass instead of using the order of the rows.
    rng : int or numpy Generator
        seed or generator for the orders, if ``shuffle``.

    Attributes
    ----------
    weights_ : (d,) array; (c, d) for c > 2 classes
        w; ``coef_`` has it in scikit-learn's shape, (1, d) or (c, d).
    intercept_ : float; (c,) array
        b.
    n_updates_ : int; (c,) array
        number of mistakes, each of which is one update.
    mistakes_ : (n_iter_,) array of int; (n_iter_, c)
        number of mistakes in each pass; 0 after the classifier of a class has stopped.
    n_iter_ : int
        number of passes; with c > 2 classes, the largest.
    converged_ : bool
        whether the last pass was without mistakes: then the hyperplane separates the classes (each of c hyperplanes
        one class from the others).
    mistake_bound_ : float; (c,) array
        (R/γ)² ≥ ``n_updates_`` for the separating hyperplane found, infinite if not converged; see `mistake_bound`.
    classes_ : (2,) or (c,) array
        the labels; with two classes the second is y = +1.

    Notes
    -----
    **It also stops if more passes do not help.** After M mistakes no hyperplane separates the classes by more than
    γ = ‖(w, b)‖/M, since each mistake adds at least γ to the component of (w, b) along its unit normal. So fitting ends
    if for 10 + 100 000/n passes the smallest number of mistakes in a pass has not fallen by a twentieth, and Novikoff's
    bound for this γ, (RM/‖(w, b)‖)² with R = max ‖(x, 1)‖, exceeds the number of points in ``epochs`` passes, so that
    convergence within them is not certain. The result is the same as with ``epochs=n_iter_``.

    A mistake is y f(x) ≤ 0, not < 0: otherwise w = 0 would never be updated. Values that rounding cannot distinguish
    from 0 count as 0. scikit-learn's ``Perceptron`` with ``tol=None, shuffle=False, max_iter=n_iter_`` is the same
    algorithm without early stopping, also one against the rest for more classes. Each mistake takes a few microseconds
    here, so a pass over noisy points takes ten to forty times as long as in scikit-learn.

    With more than two classes, that a hyperplane separates each class from all others is a stronger condition than
    that the largest of c linear functions gives the class. Which separating hyperplane is found depends on the order of
    the points; usually it is far from that with the maximum margin (`MaxMargin`). There is no ``sample_weight``,
    because the algorithm does not minimise a sum over points.

    >>> from kcourse.margin import Perceptron
    >>> model = Perceptron(epochs=10).fit([[3, 3], [4, 3], [1, 1]], [1, 1, -1])
    >>> model.weights_, model.intercept_, model.n_updates_
    (array([1., 1.]), -3.0, 7)
    """

    def __init__(self, *, epochs: int = 100, shuffle: bool = False, rng: int | np.random.Generator = 0) -> None:
        self.epochs = epochs
        self.shuffle = shuffle
        self.rng = rng

    def fit(self, X: Any, y: Any) -> Perceptron:
        """Fit w and b to ``X`` (n, d) and labels ``y`` (n,); return self."""
        points = self._fit_points(X)
        classes, codes = self._fit_labels(y, len(points))
        A, signs = np.column_stack([points, np.ones(len(points))]), _one_against_the_rest(codes)
        _check_size(A)
        R2 = np.einsum("ij,ij->i", A, A).max()
        W, passes, bounds = np.zeros((len(signs), A.shape[1])), [], []
        for w, y, orders in zip(W, signs, self._orders(len(A), len(signs)), strict=True):
            # z_i = y_i (x_i, 1): a mistake is (w, b)ᵀz_i ≤ 0, and its correction is (w, b) + z_i
            Z, mistakes = y[:, None] * A, []
            for order in orders:
                mistakes.append(_correct(Z if order is None else Z[order], w, sum(mistakes)))
                if mistakes[-1] == 0 or _in_vain(mistakes, w @ w, R2, len(A), self.epochs):
                    break
            found = mistakes[-1] == 0 and np.any(w[:-1])
            bounds.append(mistake_bound(points, y, w[:-1], w[-1]) if found else np.inf)
            passes.append(mistakes)
        self._remember_features(X, points)
        self.classes_ = classes
        self._learn(passes, weights_=W[:, :-1].copy(), intercept_=W[:, -1], mistake_bound_=np.array(bounds))
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return f(x) = wᵀx + b for each row of ``X`` (q, d), shape (q,) or (q, c); the largest gives the class."""
        X = self._new_points(X)
        return X @ self.weights_.T + self.intercept_


class KernelPerceptron(_Machines):
    """Kernel perceptron: f(x) = Σ_i α_i y_i k(x, x_i), where α_i is the number of mistakes at x_i.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite.
    epochs, shuffle, rng
        as for `Perceptron`.

    Attributes
    ----------
    counts_ : (n,) array of int; (c, n) for c > 2 classes
        α, the number of mistakes at each point.
    dual_coef_ : (n,) array; (c, n)
        α_i y_i, signed.
    support_ : array of int
        indices with α_i > 0 for at least one class.
    X_fit_ : (n, d) array
        the training points (a copy).
    n_updates_, mistakes_, n_iter_, converged_, classes_
        as for `Perceptron`.

    Notes
    -----
    It stops as `Perceptron` does, with ‖w‖² = Σ_ij α_i α_j y_i y_j k(x_i, x_j) and R² = max k(x, x).

    There is no bias. ``kernel + 1`` has one as part of w: ``KernelPerceptron(Linear() + 1)`` makes the same steps as
    `Perceptron`, with any number of classes. For the same reason as there, it has no ``sample_weight``. Time O(n) for
    each mistake, after O(n²d) for the Gram matrix, which takes n² numbers.

    >>> import numpy as np
    >>> from kcourse import Polynomial
    >>> from kcourse.margin import KernelPerceptron
    >>> X, y = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]), [-1, 1, 1, -1]  # exclusive or
    >>> model = KernelPerceptron(Polynomial(degree=2), epochs=5).fit(X, y)
    >>> model.counts_, model.converged_
    (array([1, 1, 1, 1]), True)
    """

    _uses_kernel_only = True

    def __init__(
        self, kernel: Callable, *, epochs: int = 100, shuffle: bool = False, rng: int | np.random.Generator = 0
    ) -> None:
        self.kernel = kernel
        self.epochs = epochs
        self.shuffle = shuffle
        self.rng = rng

    def fit(self, X: Any, y: Any) -> KernelPerceptron:
        """Fit α to ``X`` (n, d) and labels ``y`` (n,); return self."""
        kernel = check_kernel(self.kernel)
        points = self._fit_points(X, kernel)
        n = len(points)
        classes, codes = self._fit_labels(y, n)
        G, signs, passes = gram(kernel, points), _one_against_the_rest(codes), []
        check_no_overflow(G.diagonal())
        R2 = G.diagonal().max()
        counts = np.zeros(signs.shape, dtype=int)
        for alpha, y, orders in zip(counts, signs, self._orders(n, len(signs)), strict=True):
            # G_ij = y_i y_j k(x_i, x_j), so that y_i f(x_i) = (G α)_i
            G *= y
            G *= y[:, None]
            # margins = Gα and, for their rounding, |G|α
            mistakes, margins = [], np.zeros((2, n))
            for order in orders:
                mistakes.append(_correct_dual(G, alpha, margins, np.arange(n) if order is None else order))
                # ‖w‖² = αᵀGα
                if mistakes[-1] == 0 or _in_vain(mistakes, margins[0] @ alpha, R2, n, self.epochs):
                    break
            passes.append(mistakes)
            # restore k(x_i, x_j) exactly
            G *= y
            G *= y[:, None]
        self._remember_features(X, points)
        self.classes_, self.X_fit_, self._kernel = classes, points, kernel
        self.support_ = np.flatnonzero(counts.any(axis=0))
        self._learn(passes, counts_=counts, dual_coef_=counts * signs)
        return self

    def _feature_weights(self) -> np.ndarray | None:
        return self.dual_coef_ @ self.X_fit_ if getattr(self._kernel, "linear", False) else None

    def decision_function(self, X: Any) -> np.ndarray:
        """Return f(x) = Σ_i α_i y_i k(x, x_i) for each row of ``X`` (q, d), shape (q,) or (q, c)."""
        X = self._new_points(X)
        return expansion(self._kernel, X, self.X_fit_[self.support_], self.dual_coef_.T[self.support_])


def _one_against_the_rest(codes: np.ndarray) -> np.ndarray:
    """Return y = ±1 for each classifier (k, n): one row, +1 for the second of two classes, or one row per class."""
    c = codes.max() + 1
    return np.where(codes == np.arange(c)[:, None], 1.0, -1.0)[1 if c == 2 else 0 :]


def _orders(n: int, epochs: Any, shuffle: Any, rng: Any) -> Iterator[np.ndarray | None]:
    """Yield the order of the points in each pass, None for that of the rows; the first call checks the arguments."""
    epochs = check_number(epochs, "epochs", at_least=1, integer=True)
    if not isinstance(shuffle, (bool, np.bool_)):
        raise TypeError(f"shuffle must be True or False, got {type(shuffle).__name__} {shuffle!r}.")
    rng = check_rng(rng)
    for _ in range(epochs):
        yield rng.permutation(n) if shuffle else None


def _in_vain(mistakes: list[int], norm2: float, R2: float, n: int, epochs: int) -> bool:
    """Return whether to stop: the smallest number of mistakes hardly falls, and convergence is not certain.

    With uᵀz_i ≥ γ for a unit u, M mistakes give ‖w‖ ≥ uᵀw ≥ Mγ, so that (R/γ)² ≥ R²M²/‖w‖².
    """
    patience = _PATIENCE + _POINTS // n
    recent, before = mistakes[-patience:], mistakes[:-patience]
    return bool(before) and min(recent) > (1 - _GAIN) * min(before) and R2 * (sum(mistakes) ** 2 / (epochs * n)) > norm2


def _correct(Z: np.ndarray, w: np.ndarray, before: int) -> int:
    """Make one pass, w ← w + z in place at each row with wᵀz ≤ 0 up to rounding; return the number of mistakes.

    The rounding bound counts the additions in w, a sum of ``before`` rows and more, and in wᵀz.

    Between two mistakes w does not change, so one product checks a block of rows; the block grows while there is no
    mistake.
    """
    (n, d), i, block, mistakes = Z.shape, 0, 16, 0
    sizes = np.sqrt(np.einsum("ij,ij->i", Z, Z))
    largest = float(sizes.max())
    # bound on the rounding of wᵀz in this pass: as wᵀz ≤ 0, each mistake adds at most ‖z‖² to ‖w‖²
    coarse = 2 * EPS * (before + n + d) * largest * hypot(sqrt(w.dot(w)), sqrt(n) * largest)
    while i < n:
        products = Z[i : i + block].dot(w)
        first = (products <= coarse).tobytes().find(1)
        if first >= 0 and products.item(first) > 0:  # check with the sharper bound
            rounding = EPS * (before + mistakes + d) * sqrt(w.dot(w))
            first = (products <= rounding * sizes[i : i + block]).tobytes().find(1)
        if first < 0:
            i, block = i + block, 2 * block
        else:
            i, block = i + first + 1, max(block // 2, 8)
            w += Z[i - 1]
            mistakes += 1
    return mistakes


def _correct_dual(G: np.ndarray, alpha: np.ndarray, margins: np.ndarray, order: np.ndarray) -> int:
    """Make one pass, α_i ← α_i + 1 where y_i f(x_i) ≤ 0 up to rounding; update ``margins``; return the count."""
    i, mistakes, done = 0, 0, int(alpha.sum())
    while i < len(order):
        rest = order[i:]
        wrong = margins[0, rest] <= EPS * (done + mistakes) * margins[1, rest]
        first = int(wrong.argmax())
        if not wrong[first]:
            break
        j = order[i + first]
        alpha[j] += 1
        margins[0] += G[j]
        margins[1] += np.abs(G[j])
        mistakes += 1
        i += first + 1
    return mistakes


def _check_size(Z: np.ndarray) -> None:
    """Check that no inner product of two rows overflows; wᵀz is a sum of such products, one per mistake."""
    check_magnitude(Z, most="1e140")
