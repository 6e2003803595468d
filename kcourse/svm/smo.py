"""Dual of the soft-margin SVM as in the textbook, and sequential minimal optimisation (SMO) step by step.

    maximise  Σ α_i - ½ ΣΣ α_i α_j y_i y_j k(x_i, x_j)   subject to  0 ≤ α_i ≤ C,  Σ α_i y_i = 0   [002]

Here α ≥ 0, as in the texts; `kcourse.dual` works with the signed β_i = y_i α_i.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from kcourse.base.validation import check_gram, check_number, check_positive, check_same_length, check_targets
from kcourse.dual import ConvergenceWarning

__all__ = ["smo", "smo_pair", "svm_qp"]


def svm_qp(K: Any, y: Any, C: float) -> np.ndarray:
    """Return the solution α of the dual, stated as in the textbook and solved by a general solver (SLSQP).

    Meant for reading and for checking other solvers with n up to about 100: each iteration takes O(n³) time.

    Parameters
    ----------
    K : (n, n) array
        Gram matrix, positive semi-definite.
    y : (n,) array
        labels, -1 and 1.
    C : float > 0
        penalty per unit of slack, next to ½‖w‖².

    >>> import numpy as np
    >>> x, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([-1, -1, 1, 1])
    >>> svm_qp(x @ x.T, y, C=0.5).round(6)
    array([0.055556, 0.5     , 0.5     , 0.055556])
    """
    from scipy.optimize import minimize

    K, y, C = _checked(K, y, C)
    H = y[:, None] * K * y  # H_ij = y_i y_j k(x_i, x_j)
    result = minimize(
        fun=lambda alpha: 0.5 * alpha @ H @ alpha - alpha.sum(),
        jac=lambda alpha: H @ alpha - 1.0,
        x0=np.zeros(len(y)),
        bounds=[(0.0, C)] * len(y),
        constraints={"type": "eq", "fun": lambda alpha: alpha @ y, "jac": lambda alpha: y},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    return np.clip(result.x, 0.0, C)


def smo_pair(K: Any, y: Any, alpha: Any, b: float, C: float, i: int, j: int) -> np.ndarray:
    """Return α after the optimal step that changes α_i and α_j only [Platt 1998].

    With E = f(x) - y and η = k_ii + k_jj - 2 k_ij,   α_j ← clip(α_j + y_j (E_i - E_j) / η, L, H),   where
    [L, H] keeps both inside [0, C], and α_i ← α_i + y_i y_j (old α_j - new α_j) keeps Σ α y. The bias cancels in
    E_i - E_j, so any b gives the same result.

    Parameters
    ----------
    K, y, C
        as in `svm_qp`.
    alpha : (n,) array
        multipliers, 0 ≤ α ≤ C (not changed).
    b : float
        bias of f(x) = Σ α_i y_i k(x, x_i) + b.
    i, j : int
        the pair, i ≠ j.

    >>> import numpy as np
    >>> x, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([-1, -1, 1, 1])
    >>> smo_pair(x @ x.T, y, np.zeros(4), 0.0, 0.5, 1, 2)
    array([0. , 0.5, 0.5, 0. ])
    """
    K, y, C = _checked(K, y, C)
    alpha = np.array(check_targets(alpha, len(y), "alpha"))
    i, j = (check_number(k, name, at_least=0, integer=True) for k, name in ((i, "i"), (j, "j")))
    if i == j or max(i, j) >= len(y):
        raise ValueError(f"i = {i} and j = {j} are not two different indices of 0…{len(y) - 1}; take two that differ.")
    E_i, E_j = K[[i, j]] @ (alpha * y) + b - y[[i, j]]
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    slope = y[j] * (E_i - E_j)
    # no curvature: go to the bound in the direction of the slope
    free = alpha[j] + slope / eta if eta > 0 else alpha[j] + np.inf * slope if slope else alpha[j]
    new_j = min(max(free, L), H)
    alpha[i] += y[i] * y[j] * (alpha[j] - new_j)
    alpha[i] = min(max(alpha[i], 0.0), C)  # rounding
    alpha[j] = new_j
    return alpha


def smo(K: Any, y: Any, C: Any, *, tol: float = 1e-3, max_iter: int = 100_000) -> tuple[np.ndarray, float, int]:
    """Solve the dual by sequential minimal optimisation with the maximal violating pair [Keerthi and others 2001].

    The derivative of the dual with respect to y_i α_i is f_i = y_i - Σ_j α_j y_j k_ij. The pair is i, with the largest
    f_i among those y_i α_i that may rise, and j, with the smallest f_j among those that may fall. The step goes to the
    maximum of the parabola or to the first bound. SMO stops when no pair has a slope above ``tol``.

    Parameters
    ----------
    K, y
        as in `svm_qp`.
    C : float > 0, or (n,) of them
        penalty per unit of slack, one for all points or one for each.
    tol : float > 0
        largest remaining slope f_i - f_j.
    max_iter : int
        maximum number of steps; a warning says if it was reached.

    Returns
    -------
    alpha : (n,) array
    b : float
        middle of the interval of optimal b.
    n_iter : int
        number of steps.

    >>> import numpy as np
    >>> x, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([-1, -1, 1, 1])
    >>> alpha, b, n_iter = smo(x @ x.T, y, C=5.0)
    >>> alpha, b
    (array([0., 2., 2., 0.]), -3.0)
    """
    K, y, C = _checked(K, y, C)
    tol, max_iter = check_positive(tol, "tol"), check_number(max_iter, "max_iter", at_least=1, integer=True)
    lower, upper = np.minimum(0.0, C * y), np.maximum(0.0, C * y)
    beta, f = np.zeros(len(y)), y.copy()  # β = αy and f = y - Kβ
    for n_iter in range(max_iter + 1):
        up, low = np.where(beta < upper, f, -np.inf), np.where(beta > lower, f, np.inf)
        i, j = up.argmax(), low.argmin()
        gap = up[i] - low[j]
        if gap <= tol:
            break
        if n_iter == max_iter:
            warnings.warn(
                f"smo stopped after max_iter = {max_iter} steps with a gap of {gap:.3g} > tol = {tol:g}; raise "
                "max_iter, or take a larger tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
            break
        curvature = K[i, i] + K[j, j] - 2 * K[i, j]
        step = gap / curvature if curvature > 0 else np.inf
        if step < upper[i] - beta[i] and step < beta[j] - lower[j]:
            beta[i] += step
            beta[j] -= step
        else:  # exactly to the bound, without rounding
            step = min(upper[i] - beta[i], beta[j] - lower[j])
            beta[i] = upper[i] if step == upper[i] - beta[i] else beta[i] + step
            beta[j] = lower[j] if step == beta[j] - lower[j] else beta[j] - step
        f -= step * (K[i] - K[j])
    return np.abs(beta), float(up[i] + low[j]) / 2, n_iter


def _checked(K: Any, y: Any, C: Any) -> tuple[np.ndarray, np.ndarray, Any]:
    K = check_gram(K)
    check_same_length(np.atleast_1d(y), len(K), of="K")
    y = check_targets(y, len(K))
    if np.ndim(C) == 0:
        C = check_positive(C, "C")
    else:
        C = check_targets(C, len(K), "C")
        check_positive(C.min(), "the smallest C")
    if y.ndim != 1 or not np.array_equal(np.unique(y), [-1.0, 1.0]):
        raise ValueError(f"y must contain both -1 and 1, got {np.unique(y)[:4].tolist()}.")
    return K, y, C
