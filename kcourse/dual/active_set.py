"""Newton's method with box constraints: an active-set method that downdates the inverse of the Hessian."""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import dtrsv

__all__ = ["climb"]

_TOPS = 30  # conjugate gradient steps, at most, that end without meeting a bound (plus a quarter of the variables)
_ENOUGH = 1e-14  # stop if a step gains less than this share of the whole gain


class _Inverse:
    """Operator P that maps a gradient g to the Newton step P g with Σd = 0 and d = 0 at the fixed coordinates.

    Without constraints, P g = M⁻¹ g with M = LLᵀ. Each fixed coordinate removes one direction q, M-orthogonal to the
    earlier ones: M⁻¹ - Σ_r q_r q_rᵀ. This operator maps (1, …, 1) to u, and the constraint Σd = 0 then removes u.
    """

    def __init__(self, L: np.ndarray) -> None:
        m = len(L)
        self.L, self.Q, self.r, self.fixed = L, np.empty((m, m)), 0, np.zeros(m, bool)
        # ``open`` is 0 where a coordinate is fixed, because multiplying is faster than indexing
        self.open, self.ones, self.e, self.work = np.ones(m), np.ones(m), np.zeros(m), 0
        self.u = self._solve(self.ones)

    def __matmul__(self, g: np.ndarray) -> np.ndarray:
        Q = self.Q[: self.r]
        d = self._solve(g)
        d -= (Q @ g) @ Q
        d *= self.open
        return self.balance(d)

    def balance(self, d: np.ndarray) -> np.ndarray:
        """Subtract in place the multiple of u that makes Σd = 0."""
        d -= (d @ self.ones / (self.u @ self.ones)) * self.u
        return d

    def fix(self, k: int) -> np.ndarray | None:
        """Fix coordinate k; return P e_k scaled so that its entry k is 1, or None if too few coordinates are left."""
        self.e[k] = 1.0
        q = self._solve(self.e)
        self.e[k] = 0.0
        q -= self.Q[: self.r, k] @ self.Q[: self.r]
        q *= self.open
        u, q_k = self.u, q.item(k)
        way = q - (u.item(k) / (u @ self.ones)) * u
        way_k = way.item(k)
        self.fixed[k], self.open[k] = True, 0.0
        if not (q_k > 0 and way_k > 0 and self.r < len(q) - 2):
            return None
        np.multiply(q, 1 / np.sqrt(q_k), out=self.Q[self.r])
        self.r += 1
        u -= (u.item(k) / q_k) * q
        u *= self.open
        way *= 1 / way_k
        return way

    def _solve(self, v: np.ndarray) -> np.ndarray:
        self.work += (2 + self.r / len(v)) * v.size**2
        return dtrsv(self.L, dtrsv(self.L, v, lower=True), lower=True, trans=1)


@np.errstate(all="ignore")  # 0/0 and ∞ occur if a coordinate is at its bound or does not move
def climb(
    K: np.ndarray, L: np.ndarray, g: np.ndarray, x: np.ndarray, a: np.ndarray, b: np.ndarray, tol: float
) -> tuple[np.ndarray, float]:
    """Return x + d, where d maximises gᵀd - ½ dᵀKd over Σd = 0, a ≤ x + d ≤ b, if bounds once met are not left again.

    The second result is the approximate number of multiplications.

    K may be singular; M = LLᵀ, slightly larger, is not. The *active set* consists of the coordinates that have met a
    bound; they stay there. The first steps lead to the maximum for M. Conjugate gradients for K with preconditioner M
    follow (not if ``tol`` is ∞) until the gradients of the other coordinates agree to within ``tol``. In directions
    in which K is flat, the maximum is far away and a bound is met first.
    """
    P, x, start = _Inverse(L), x.copy(), x
    d = P @ g
    while True:
        k, t = _first_bound(x, d, a, b)
        if not t < 1:
            x += d
            break
        x += t * d
        x[k] = b[k] if d[k] > 0 else a[k]
        q = P.fix(k)
        if q is None:
            return np.clip(x, a, b), P.work
        # the gradient has shrunk by the factor 1 - t, and k is fixed
        d -= d.item(k) * q
        d *= 1 - t
        d *= P.open
        if tol < np.inf:
            P.balance(d)
    if tol == np.inf:
        return np.clip(x, a, b), P.work
    way = x - start
    left = K @ way
    whole, g = float(way @ (g - 0.5 * left)), g - left
    tops, d, before = 0, None, 0.0
    while tops < _TOPS + len(x) // 4:
        others = g[~P.fixed]
        if np.ptp(others) <= tol:
            break
        g -= np.median(others)  # a constant has no effect, as Σd = 0; the median is robust to outliers
        # conjugate gradients until a bound is met
        z = P @ g
        now = float(g @ z)
        d = z if d is None else z + (now / before) * d
        P.balance(d)
        Kd = K @ d
        slope, curvature, before = float(g @ d), float(d @ Kd), now
        if not slope > 0:
            break
        top = slope / curvature if curvature > 0 else np.inf
        k, t = _first_bound(x, d, a, b)
        t = min(t, top)
        gain = t * (slope - 0.5 * t * curvature)
        if not (t < np.inf and gain > _ENOUGH * whole):
            break
        x += t * d
        g -= t * Kd
        if t < top:
            x[k] = b[k] if d[k] > 0 else a[k]
            d = None
            if P.fix(k) is None:
                break
        else:
            tops += 1
    return np.clip(x, a, b), P.work


def _first_bound(x: np.ndarray, d: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[int, float]:
    """Return the coordinate of x + t d that meets its bound first, and the value of t there."""
    room = np.where(d > 0, b, a)
    room -= x
    room /= d
    room[d == 0] = np.inf
    k = int(room.argmin())
    return k, room.item(k)
