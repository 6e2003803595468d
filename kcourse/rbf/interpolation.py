"""Interpolation with radial basis functions, Φw = d [002, "Problème d'interpolation"]."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np

from kcourse.base.cholesky import warn_of_rounding
from kcourse.base.estimator import Regressor
from kcourse.base.linalg import in_strips
from kcourse.base.validation import check_kernel, check_number, check_targets
from kcourse.kernels import Kernel, gram
from kcourse.rbf.linear import solve_constrained, solve_definite, solve_symmetric
from kcourse.rbf.separability import monomials

__all__ = ["RBFInterpolator"]


class RBFInterpolator(Regressor):
    """RBF interpolation or smoothing: s(x) = Σ_i w_i φ(‖x - x_i‖) + p(x), with s(x_i) = d_i if ``lam`` is 0.

    Without a polynomial, Φw = d [002, "Interpolation"]. With one, the side condition Pᵀw = 0 determines its
    coefficients:  [Φ P; Pᵀ 0] [w; b] = [d; 0].

    With ``lam`` > 0, s is a smoother: [Φ ± λI  P; Pᵀ 0] [w; b] = [d; 0] minimises Σ_i (d_i - s(x_i))² ± λ wᵀΦw, with +
    if the basis is positive definite on Pᵀw = 0 and - if it is negative definite there. For a thin plate
    [Duchon 1977; Wahba 1990] wᵀΦw is the bending energy, up to a factor; p does not bend and is not penalised.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        the basis φ.
    degree : int or None
        degree of the polynomial p; -1 for none, None for the smallest that the basis needs (see the notes).
    lam : float ≥ 0
        penalty parameter λ, next to the sum of squared errors; with 0, s interpolates. SciPy's ``smoothing`` is λ for
        the Gaussian and the thin plate, λ/c for the multiquadric and λc for the inverse one (see the notes).

    Attributes
    ----------
    dual_coef_ : (n,) or (n, t) array
        w.
    poly_coef_ : (q,) or (q, t) array
        b, for ``monomials((x - shift_) / scale_, degree)``; empty without a polynomial.
    shift_, scale_ : (d,) arrays
        map the points into [-1, 1], so that p does not depend on the units of x.
    rcond_ : float
        estimated reciprocal condition number of the system in the 1-norm, of Φ on Pᵀw = 0 if it is definite there; w
        loses about -log10(rcond_) digits of precision.
    X_fit_ : (n, d) array
        the points (a copy), without those of weight 0.

    Notes
    -----
    Distinct x_i are *not* enough for every φ, contrary to the source [002, "Théorème de Micchelli"]: Φ of φ = r² has
    rank d + 2 at most, and thin plates fail on a point with a regular hexagon around it. Correct is:

    ==============================  ====================================================  ==============
    basis                           Φ of distinct points                                  needs
    ==============================  ====================================================  ==============
    Gaussian, InverseMultiquadric   positive definite                                     nothing
    Multiquadric                    one positive, n - 1 negative eigenvalues: invertible  nothing
                                    but not positive definite; degree 0 makes it so on
                                    Pᵀw = 0, up to sign
    ThinPlate                       may be singular; positive definite on Pᵀw = 0         degree 1
    ==============================  ====================================================  ==============

    With ``lam`` > 0 the basis must be definite, so the multiquadric needs degree 0. A positive semi-definite basis
    without a polynomial then gives `RegularizationNetwork`.

    An invertible Φ may be ill-conditioned: the wider φ is compared with the spacing of the points, the worse. SciPy's
    ``RBFInterpolator`` has ``epsilon = 1/c`` (Gaussian: 1/(√2 σ)), the multiquadric divided by -c, the inverse one
    multiplied by c, degree 0 for both by default, and does not refuse a system that is singular in floating point.
    Time O(n³), memory n² numbers.

    Raises
    ------
    ValueError
        from ``fit``: repeated points (unless ``lam`` > 0); points that do not determine the polynomial; a singular
        system; with ``lam`` > 0 a basis that is not known to be definite, or a degree that is too low for it.

    Warns
    -----
    UserWarning
        from ``fit``, for a positive definite basis: if rounding errors may change the values at the points by more than
        1e-3 of the largest |d_i|.

    >>> from kcourse.kernels import Multiquadric
    >>> model = RBFInterpolator(Multiquadric(c=0.5**0.5)).fit([[-1.0], [0.0], [1.0]], [1.0, 2.0, 1.0])
    >>> model.dual_coef_.round(6), model.predict([[0.5]]).round(6)
    (array([ 1.742383, -3.207365,  1.742383]), array([1.620704]))
    """

    def __init__(self, kernel: Callable, *, degree: int | None = None, lam: float = 0.0) -> None:
        self.kernel = kernel
        self.degree = degree
        self.lam = lam

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RBFInterpolator:
        """Fit w and p to points ``X`` (n, d) and values ``y`` (n,), or (n, t); return self.

        ``sample_weight`` (n,) gives the number of copies that each row stands for, fractions included; rows of
        weight 0 are left out. Other weights matter only if ``lam`` > 0, because an interpolant has no residuals.
        """
        kernel, lam = check_kernel(self.kernel), check_number(self.lam, "lam", at_least=0.0)
        degree = _check_degree(self.degree, kernel, lam)
        points = self._fit_points(X, kernel)
        weights, points, y = self._fit_weights(sample_weight, points, check_targets(y, len(points)))
        if lam == 0:
            _refuse_repeated(points)
        shift, scale = _unit_box(points) if degree >= 0 else (None, None)
        if degree >= 0 and (q := comb(points.shape[1] + degree, degree)) > len(points):
            raise ValueError(_undetermined(degree, q, len(points), f"at most {len(points)}"))
        P = monomials((points - shift) / scale, degree) if degree >= 0 else np.zeros((len(points), 0))
        _refuse_undetermined(P, degree)
        Phi = gram(kernel, points)
        if lam > 0:
            sign = _definite(kernel)[0] or 1  # a plain function is assumed to be positive definite
            Phi.flat[:: len(Phi) + 1] += sign * lam / (1.0 if weights is None else weights)
        (sign, order), diagonal = _definite(kernel), Phi.diagonal().copy()
        w, b, rcond = _solve(Phi, P, y, sign=sign if degree >= order - 1 else 0)
        if not rcond > np.finfo(float).eps:
            raise ValueError(_singular(kernel, degree, rcond))
        if (sign, order) == (1, 0):
            warn_of_rounding(w, y, diagonal, "lam")
        self._remember_features(X, points)
        self.X_fit_, self.dual_coef_, self.poly_coef_, self.rcond_ = points, w, b, rcond
        self.shift_, self.scale_ = shift, scale
        self._kernel, self._degree = kernel, degree
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return s(x) for each row of ``X`` (q, d): (q,) or (q, t)."""
        return in_strips(self._values, self._new_points(X), len(self.X_fit_))

    def _values(self, X: np.ndarray) -> np.ndarray:
        s = gram(self._kernel, X, self.X_fit_) @ self.dual_coef_
        if self._degree >= 0:
            s += monomials((X - self.shift_) / self.scale_, self._degree) @ self.poly_coef_
        return s

    def _feature_weights(self) -> None:
        return None  # a polynomial may be added to the linear kernel


# -- requirements of the bases, and their error messages


def _definite(kernel: Callable) -> tuple[int, int]:
    """Return (sign, order): the sign of wᵀΦw if Pᵀw = 0 for all polynomials of degree < order; (0, 0) if unknown."""
    return (kernel.definiteness_sign, kernel.definiteness_order) if isinstance(kernel, Kernel) else (0, 0)


def _check_degree(degree: int | None, kernel: Callable, lam: float) -> int:
    """Return the given degree, or the smallest that makes the basis definite on Pᵀw = 0 if it must be."""
    sign, order = _definite(kernel)
    if lam > 0 and sign == 0 and isinstance(kernel, Kernel):
        raise ValueError(
            f"lam = {lam:g} requires a basis that is known to be definite; otherwise wᵀΦw is not a penalty. {kernel!r} "
            "is not. Take Gaussian, InverseMultiquadric, Multiquadric or ThinPlate, or lam=0 for interpolation."
        )
    if degree is None:
        # the multiquadric (order 1, negative) is invertible without a polynomial: the source's own example
        return order - 1 if sign > 0 or lam > 0 else -1
    degree = check_number(degree, "degree", at_least=-1, integer=True, why="-1 means no polynomial.")
    if degree >= 0 and getattr(kernel, "structured", False):
        raise ValueError(f"degree is {degree}, but there are no polynomials of strings or graphs: take degree=-1.")
    if lam > 0 and degree < order - 1:
        raise ValueError(
            f"degree is {degree} and lam = {lam:g}, but {kernel!r} is {kernel.definiteness}: below degree {order - 1} "
            f"wᵀΦw is not a penalty. Take degree={order - 1}, or lam=0."
        )
    return degree


def _unit_box(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    low, high = points.min(axis=0), points.max(axis=0)
    half = (high - low) / 2
    return low + half, np.where(half > 0, half, 1.0)


def _refuse_repeated(points: np.ndarray) -> None:
    if points.ndim != 2:
        return  # strings and graphs: repetitions make Φ singular, which is reported later
    _, first, count = np.unique(points, axis=0, return_index=True, return_counts=True)
    if count.max() > 1:
        i = int(first[count > 1].min())
        twin = int(np.flatnonzero((points == points[i]).all(axis=1))[1])
        raise ValueError(
            f"X[{i}] and X[{twin}] are the same point, at which a function has one value. Average the targets of "
            "repeated points, or take RegularizationNetwork, which does not interpolate."
        )


def _refuse_undetermined(P: np.ndarray, degree: int) -> None:
    q = P.shape[1]
    if q == 0:
        return
    rank = int(np.linalg.matrix_rank(P))
    if rank < q:
        raise ValueError(_undetermined(degree, q, len(P), str(rank)))


def _undetermined(degree: int, q: int, n: int, rank: str) -> str:
    return (
        f"a polynomial of degree {degree} has {q} coefficients, but {n} point(s) of X determine {rank} of them "
        "(points on a line, for example, do not fix the slope across it): add points, omit a constant feature, or take "
        f"degree={'-1' if degree == 0 else degree - 1} or less with a basis that allows it."
    )


def _solve(Phi: np.ndarray, P: np.ndarray, y: np.ndarray, *, sign: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Solve [Φ P; Pᵀ 0] [w; b] = [d; 0], overwriting Φ; return w, b and the reciprocal condition number.

    ``sign`` is that of wᵀΦw on Pᵀw = 0, 0 if it is not known.
    """
    n, q = P.shape
    if q == 0:
        w, rcond = (solve_definite if sign > 0 else solve_symmetric)(Phi, y)
        return w, np.zeros((0, *y.shape[1:])), rcond
    if sign:
        Phi *= sign
        w, b, rcond = solve_constrained(Phi, P, y)
        return (sign * w).reshape(y.shape), b.reshape(q, *y.shape[1:]), rcond
    unit = max(Phi.max(), -Phi.min()) or 1.0  # makes the conditioning independent of the unit of φ
    A = np.zeros((n + q, n + q))
    np.divide(Phi, unit, out=A[:n, :n])
    A[:n, n:], A[n:, :n] = P, P.T
    solution, rcond = solve_symmetric(A, np.concatenate([y, np.zeros((q, *y.shape[1:]))]))
    return solution[:n] / unit, solution[n:], rcond


def _singular(kernel: Callable, degree: int, rcond: float) -> str:
    text = f"the interpolation matrix is singular in floating point (reciprocal condition {rcond:.1g}): "
    sign, order = _definite(kernel)
    if (sign, order) == (1, 0):
        return text + (
            "points are too close together for so wide a basis. Take a narrower basis or fewer points, or take "
            "RegularizationNetwork(kernel, lam=...), which is stable but does not pass through every point."
        )
    if order > 0:
        this = f"This basis is {kernel.definiteness}: take degree={order - 1}."
        return text + (
            "distinct points do not suffice for every basis. "
            + (this if degree < order - 1 else "Take a smaller c, or fewer points.")
        )
    return text + (
        "distinct points do not suffice for every basis. Take one that is positive definite, such as Gaussian or "
        "InverseMultiquadric, or a thin plate with its polynomial."
    )
