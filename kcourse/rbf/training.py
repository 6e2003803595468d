"""Training strategies for RBF networks: widths, LMS, gradients [002, "Stratégies d'apprentissage"]."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from kcourse.base.linalg import distances
from kcourse.base.validation import check_number, check_points, check_positive, check_rng, check_targets, check_weights
from kcourse.rbf.clustering import check_order

__all__ = ["LmsResult", "RBFGradients", "lms", "lms_limit", "spread", "supervised_gradients"]


def spread(T: Any, *, rule: str = "dmax", neighbors: int = 2) -> float | np.ndarray:
    """Return the width σ of Gaussian units at the centres ``T``, from the distances between them.

    ============  ========================================================================  =============
    rule          σ                                                                         shape
    ============  ========================================================================  =============
    "dmax"        d_max/√(2m), d_max the largest distance [002, "centres fixes"]            one number
    "median"      median over the centres of the distance to the nearest other one          one number
    "neighbors"   for each centre the mean distance to its ``neighbors`` nearest ones       (m,)
    ============  ========================================================================  =============

    With "dmax", exp(-r²/(2σ²)) = exp(-m r²/d_max²). The source says that this avoids units that are too narrow or too
    wide, but σ is of order d_max m^(-1/2) and the spacing of the centres of order d_max m^(-1/d), which agree only for
    d = 2. For 100 centres on a line the nearest one is a twentieth of a width away, and Φ is nearly singular; in a cube
    of ten dimensions it is four to five widths away, and units hardly overlap. The other rules follow the spacing.

    Parameters
    ----------
    T : (m, d) array
        centres, at least two.
    rule : str
        see the table.
    neighbors : int
        number of nearest other centres, for "neighbors"; all of them if there are fewer.

    >>> spread([[0, 0], [3, 0], [0, 4], [1, 1]])
    1.7677669529663687
    >>> spread([[0, 0], [3, 0], [0, 4], [1, 1]], rule="neighbors", neighbors=1).round(4)
    array([1.4142, 2.2361, 3.1623, 1.4142])
    """
    T = check_points(T, "T")
    neighbors = check_number(neighbors, "neighbors", at_least=1, integer=True)
    if len(T) == 1:
        raise ValueError("one centre has no distance to another: give the width as a number, such as sigma=1.0.")
    D = distances(T)
    if rule == "dmax":
        # σ = d_max / √(2m)
        sigma = float(D.max() / np.sqrt(2 * len(T)))
    elif rule in ("median", "neighbors"):
        np.fill_diagonal(D, np.inf)
        nearest = np.sort(D, axis=1)[:, : min(neighbors, len(T) - 1)]
        sigma = float(np.median(nearest[:, 0])) if rule == "median" else nearest.mean(axis=1)
    else:
        raise ValueError(f'rule must be "dmax", "median" or "neighbors", got {rule!r}.')
    if not np.min(sigma) > 0:
        raise ValueError(f'centres coincide, so the rule "{rule}" gives a width of 0: drop the repeated ones.')
    return sigma


@dataclass(frozen=True, eq=False)
class LmsResult:
    """Result of the LMS algorithm: weights and errors.

    Attributes
    ----------
    weights : (m,) or (m, t) array
        w after the last step.
    errors : (steps,) or (steps, t) array
        e(n) = d(n) - w(n)ᵀφ(n), before step n.

    >>> lms([[1.0], [1.0]], [1.0, 1.0], eta=0.5, order=[0, 1]).errors
    array([1. , 0.5])
    """

    weights: np.ndarray
    errors: np.ndarray


def lms_limit(Phi: Any) -> float:
    """Return 2/λ_max, λ_max the largest eigenvalue of R = (1/n) Σ φ_i φ_iᵀ: LMS with larger η diverges in the mean.

    Below 2/max ‖φ_i‖², which is smaller, no single step overshoots, so LMS does not diverge for any order of the rows.

    >>> lms_limit([[2.0, 0.0], [0.0, 1.0]])
    1.0
    """
    Phi = check_points(Phi, "Phi")
    largest = float(np.linalg.norm(Phi, 2)) ** 2 / len(Phi)
    return 2 / largest if largest > 0 else np.inf


def lms(Phi: Any, d: Any, *, eta: Any = None, order: Any = None, epochs: int = 1, rng: Any = 0) -> LmsResult:
    """Train the output layer online by least mean squares (LMS): e = d(n) - wᵀφ(n), w ← w + η e φ(n), from w = 0.

    [002, "Calcul des poids"; Widrow and Hoff 1960]. The input of this layer is φ(x(n)), the output of the hidden
    layer; the source's table has x(n) instead.

    Parameters
    ----------
    Phi : (n, m) array
        rows φ(x_i); a column of ones gives a bias.
    d : (n,) or (n, t) array
        desired outputs.
    eta : float > 0, one for each step, or None
        step size, in units of 1/‖φ‖². None is 1/max ‖φ_i‖², which never overshoots. With a constant η, w converges
        to the least-squares weights only if these have no residuals; otherwise w fluctuates around them, less for
        smaller η. With a sequence that decreases like 1/n, w converges.
    order : sequence of row numbers, or None
        rows to show, in this order; None: all rows, in a new random order for each pass.
    epochs : int
        passes through ``order``.
    rng : int or Generator
        seed or generator for orders that are not given.

    Warns
    -----
    RuntimeWarning
        if a constant η is not below `lms_limit`.

    Raises
    ------
    ValueError
        if w overflows, naming the step.

    >>> Phi = [[1, 0.5], [0.2, 1], [0.7, 0.7]]
    >>> lms(Phi, [1, 0, 0.5], eta=0.3, order=[0, 1, 2, 0, 1]).weights.round(6)
    array([0.495857, 0.127324])
    """
    Phi = check_points(Phi, "Phi")
    d, rng = check_targets(d, len(Phi), "d"), check_rng(rng)
    epochs = check_number(epochs, "epochs", at_least=1, integer=True)
    rows = None if order is None else check_order(order, len(Phi))
    orders = [rng.permutation(len(Phi)) if rows is None else rows for _ in range(epochs)]
    rows = np.concatenate(orders)
    w, errors = np.zeros((Phi.shape[1], *d.shape[1:])), np.empty((len(rows), *d.shape[1:]))
    for step, (i, rate) in enumerate(zip(rows, _rates(eta, Phi, len(rows)), strict=True)):
        # e(n) = d(n) - w(n)ᵀφ(n),  w(n+1) = w(n) + η e(n) φ(n)
        errors[step] = d[i] - Phi[i] @ w
        w += rate * np.multiply.outer(Phi[i], errors[step])
        if not np.abs(errors[step]).max() < 1e150:  # beyond it the square would overflow
            raise ValueError(f"LMS diverged: the error exceeds 1e150 at step {step}; take a smaller eta, or None.")
    return LmsResult(w, errors)


def _rates(eta: Any, Phi: np.ndarray, steps: int) -> np.ndarray:
    if eta is None:
        largest = np.einsum("ij,ij->i", Phi, Phi).max()
        return np.full(steps, 1 / largest if largest > 0 else 1.0)
    if np.ndim(eta) == 0:
        eta, limit = check_positive(eta, "eta"), lms_limit(Phi)
        if eta >= limit:
            warnings.warn(
                f"eta = {eta:g} is not below 2/λ_max = {limit:g}, so LMS diverges in the mean.",
                RuntimeWarning,
                stacklevel=3,
            )
        return np.full(steps, eta)
    rates = check_targets(eta, len(eta), "eta")
    if rates.shape != (steps,) or rates.min() <= 0:
        raise ValueError(
            f"eta has shape {rates.shape}; expected a number, or {steps} positive numbers, one for each step."
        )
    return rates


@dataclass(frozen=True, eq=False)
class RBFGradients:
    """Error E and its partial derivatives, each in the shape of its parameter.

    Attributes
    ----------
    error : float
        E = ½ Σ_i e_i².
    weights : (m,) or (m, t) array
        ∂E/∂w_j.
    centers : (m, d) array
        ∂E/∂t_j.
    precisions : (m,) or (m, d, d) array
        ∂E/∂p_j where P_j = p_j I, or ∂E/∂P_j.
    bias : float or (t,) array
        ∂E/∂b.

    >>> supervised_gradients([[0.0]], [1.0], [0.5], [[0.0]], [1.0]).error
    0.125
    """

    error: float
    weights: np.ndarray
    centers: np.ndarray
    precisions: np.ndarray
    bias: float | np.ndarray


def supervised_gradients(
    X: Any, d: Any, w: Any, T: Any, precisions: Any, *, bias: Any = 0.0, sample_weight: Any = None
) -> RBFGradients:
    """Return the gradients of E = ½ Σ_i e_i² with respect to weights, centres, precisions and bias.

    The errors are e_i = d_i - b - Σ_j w_j G(s_ij), with s_ij = (x_i - t_j)ᵀ P_j (x_i - t_j), P_j = Σ_j⁻¹ and
    G(s) = exp(-s/2). With G' = dG/ds = -G/2 and Q_ij = (x_i - t_j)(x_i - t_j)ᵀ:

        ∂E/∂w_j = -Σ_i e_i G(s_ij)
        ∂E/∂t_j = 2 w_j Σ_i e_i G'(s_ij) P_j (x_i - t_j)
        ∂E/∂P_j = -w_j Σ_i e_i G'(s_ij) Q_ij

    [002, "centres sélectionnés par apprentissage supervisé"]. The source's ∂E/∂w_j has no minus, so its step
    w - η ∂E/∂w increases E. The other two are correct if G' is the derivative with respect to the *squared* norm s,
    not the norm ‖·‖_C of the source's notation; with ‖x‖²_C = xᵀCᵀCx, CᵀC = ½Σ⁻¹ (Haykin) they have no factor 2.

    Parameters
    ----------
    X : (n, d) array
        points.
    d : (n,) or (n, t) array
        desired outputs.
    w : (m,) or (m, t) array
        weights.
    T : (m, d) array
        centres t_j.
    precisions : (m,) or (m, d, d) array
        1/σ_i² of isotropic units, or symmetric Σ_i⁻¹, in inverse squared units of x.
    bias : float or (t,) array
        b.
    sample_weight : (n,) array, optional
        weight of e_i² in E.

    >>> g = supervised_gradients([[0.0], [2.0]], [1.0, 0.0], [0.5], [[1.0]], [1.0])
    >>> g.weights.round(6), g.centers.round(6)
    (array([-0.238651]), array([[0.303265]]))
    """
    X, T = check_points(X), check_points(T, "T")
    d, w = check_targets(d, len(X), "d"), check_targets(w, len(T), "w")
    if X.shape[1] != T.shape[1] or d.shape[1:] != w.shape[1:]:
        raise ValueError(f"X {X.shape} and T {T.shape} must match in columns, and so must d {d.shape} and w {w.shape}.")
    P = np.asarray(precisions, dtype=float)
    m, dim = T.shape
    if P.shape not in ((m,), (m, dim, dim)):
        raise ValueError(f"precisions has shape {P.shape}; expected ({m},), 1/σ² each, or {(m, dim, dim)}, Σ⁻¹ each.")
    round_units = P.ndim == 1
    if round_units:
        squares = distances(X, T, squared=True)
        G = np.exp(-0.5 * squares * P)
    else:
        D = X[:, None] - T
        G = np.exp(-0.5 * np.einsum("ija,jab,ijb->ij", D, P, D))
    e = error = d - G @ w - bias
    v = check_weights(sample_weight, len(X))
    if v is not None:
        e = (e.T * v).T
    # A_ij = -2 w_j e_i G'(s_ij), the common factor of the last two gradients
    A = G * (e.reshape(len(X), -1) @ w.reshape(m, -1).T)
    pull = A.T @ X - A.sum(axis=0)[:, None] * T  # Σ_i A_ij (x_i - t_j)
    return RBFGradients(
        error=0.5 * float(np.sum(e * error)),
        weights=-G.T @ e,
        centers=-P[:, None] * pull if round_units else -np.einsum("jab,jb->ja", P, pull),
        precisions=0.5 * np.sum(A * squares, axis=0) if round_units else 0.5 * np.einsum("ij,ija,ijb->jab", A, D, D),
        bias=-e.sum(axis=0) if e.ndim == 2 else -float(e.sum()),
    )
