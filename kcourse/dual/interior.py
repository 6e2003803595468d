"""An interior-point method, for Gram matrices of low rank.

For such matrices the active-set methods of `kcourse.dual.block` can be slow: hundreds of multipliers are neither at a
corner nor determined by K, and if the K_ii of an outlier is 1e30 times that of the others, pair steps are short. If
K = GGᵀ and G has r columns, each step of an interior-point method costs O(nr²), and the number of steps hardly depends
on the problem [Fine and Scheinberg 2001].
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import qr, solve_triangular

__all__ = ["interior_point", "low_rank_factor"]

_ROUNDING = 1e-13  # a residual below this share of K_ii counts as 0
_STEPS, _LOST = 150, 8  # most steps; most steps in a row without a better β, after which only rounding is left
_INSIDE = 0.99  # share of the distance to the bound that a step may cover
_AFRESH = 50  # turns after which an inverse is recomputed
_NEAR = 1e-9  # stop if the duality gap is below this share of the objective


def low_rank_factor(K: np.ndarray, most: int) -> np.ndarray | None:
    """Return G (n, r), r ≤ ``most``, with GGᵀ = K up to the rounding of each K_ii; None if K needs more columns.

    This is a pivoted Cholesky factor. The pivot has the largest residual of K_ii *relative* to K_ii, because the
    largest K_ii may belong to an outlier.

    >>> low_rank_factor(np.array([[4.0, 2.0], [2.0, 1.0]]), 2)
    array([[2.],
           [1.]])
    """
    lengths = np.sqrt(np.maximum(K.diagonal(), 0.0))
    left, lengths = (lengths > 0).astype(float), np.where(lengths > 0, lengths, 1.0)
    G = np.empty((most, len(K)))
    for r in range(most + 1):
        k = int(left.argmax())
        if left[k] <= _ROUNDING:
            return (G[:r] * lengths).T
        if r == most:
            return None
        row = K[k] / lengths[k] / lengths - G[:r, k] @ G[:r]
        row /= np.sqrt(left[k])
        left = np.maximum(left - row * row, 0.0)
        left[k] = 0.0
        G[r] = row


@np.errstate(all="ignore")  # an overflow gives no better β and ends the search
def interior_point(
    G: np.ndarray, p: np.ndarray, lower: np.ndarray, upper: np.ndarray, epsilon: float
) -> tuple[np.ndarray, np.ndarray] | None:
    """Return two nearly optimal β for K = GGᵀ: one strictly inside the box, one with at most r + 1 not at corners.

    Mehrotra's predictor-corrector method for  max qᵀv - ½‖Hᵀv‖²  over 0 ≤ v ≤ u, σᵀv = 0. Here β_i is a v with σ = 1
    (if it may be positive) minus a v with σ = -1 (if it may be negative). The slack w is u - v, and s, t ≥ 0 are the
    multipliers of v ≥ 0 and w ≥ 0. The result is None if the box has no interior.
    """
    place, sign = _halves(lower, upper)
    u = np.where(sign > 0, upper[place], -lower[place])
    if not (np.any(sign > 0) and np.any(sign < 0) and np.all(np.isfinite(u))):
        return None
    # as Σβ = 0, G may be translated; near the origin less precision is lost
    q, H = sign * p[place] - epsilon, sign[:, None] * (G - np.median(G, axis=0))[place]
    # feasible start: Σβ = 0, the multipliers balance all slopes, and the products vs and wt are similar
    v = 0.5 * u
    for side in (sign > 0, sign < 0):
        v[side] *= min(v[sign > 0].sum(), v[sign < 0].sum()) / v[side].sum()
    slope = q - H @ (H.T @ v)
    s, t = (np.maximum(x, 0.0) + np.abs(slope).max() for x in (-slope, slope))
    w, b, highest, best, lost = u - v, 0.0, -np.inf, None, 0
    for _ in range(_STEPS):
        y = H.T @ v
        slope, dual = q - H @ y - sign * b, q @ v - 0.5 * y @ y
        lost += 1
        if dual > highest:
            highest, best, lost = dual, v, 0
        # ½‖y‖² + Σ u max(slope, 0) is the primal objective
        gap = 0.5 * y @ y + u @ np.maximum(slope, 0.0) - dual
        if lost == _LOST or not gap > _NEAR * abs(dual):
            break
        try:
            v, w, s, t, b = _step(H, sign, v, w, s, t, b, slope + s - t)
        except np.linalg.LinAlgError:  # only rounding is left of the direction
            break
    if best is None:
        return None
    return tuple(np.bincount(place, sign * x, len(p)) for x in (best, _vertex(np.column_stack([H, sign]), best, u)))


def _vertex(H, v, u):
    """Return v with the same Hᵀv and as many entries as possible at 0 or u; at most rank(H) entries lie between.

    If K has low rank, β need not be unique, and the interior-point method ends in the middle of all optimal β. This
    function moves one v after another to its nearer end, while a basis of other entries compensates. A basis entry
    that meets its own end first is replaced with that v.
    """
    v, room = v.copy(), np.minimum(v, u - v)[:, None]
    A = H / np.maximum(np.linalg.norm(room * H, axis=0), 1e-300)
    # the basis: independent entries far from both ends
    _, R, order = qr((room * A).T, mode="economic", pivoting=True, check_finite=False)
    size = np.abs(R.diagonal())
    rank = int(np.sum(size > _ROUNDING * size[0]))
    basis, others = order[:rank], order[rank:]
    inverse = None
    for turn, j in enumerate(others):
        if inverse is None or turn % _AFRESH == 0:
            inverse = np.linalg.pinv(A[basis].T)
        # if v_j rises by 1, the basis changes by -d
        d = inverse @ A[j]
        to = 0.0 if v[j] < 0.5 * u[j] else u[j]
        step = abs(to - v[j])
        move = -d if to > v[j] else d
        room = np.where(move > 0, u[basis] - v[basis], -v[basis]) / move
        room[move == 0] = np.inf
        k = int(room.argmin())
        if room[k] < step:
            v[basis] += room[k] * move
            v[j] += room[k] if to > v[j] else -room[k]
            v[basis[k]] = u[basis[k]] if move[k] > 0 else 0.0
            # j replaces basis entry k (a Gauss-Jordan step)
            row = inverse[k] / d[k]
            inverse -= np.outer(d, row)
            inverse[k] = row
            basis[k] = j
        else:
            v[basis] += step * move
            v[j] = to
    return v


def _step(H, sign, v, w, s, t, b, residual):
    """Take a predictor-corrector step: Newton's direction for vs = wt = 0, then corrected and centred."""
    solve = _solver(H, sign, s / v + t / w)

    def towards(c, d):
        """Return the directions that lead to vs = c and wt = d."""
        dv, db = solve(residual - s + t + c / v - d / w)
        return dv, db, c / v - s - s / v * dv, d / w - t + t / w * dv

    dv, db, ds, dt = towards(0.0, 0.0)
    mu, (x, z) = v @ s + w @ t, _reach(v, w, s, t, dv, ds, dt)
    after = (v + x * dv) @ (s + z * ds) + (w - x * dv) @ (t + z * dt)
    centre = (after / mu) ** 3 * mu / (2 * len(v))
    dv, db, ds, dt = towards(centre - ds * dv, centre + dt * dv)
    a = min(1.0, _INSIDE * min(_reach(v, w, s, t, dv, ds, dt)))
    return v + a * dv, w - a * dv, s + a * ds, t + a * dt, b + a * db


def _reach(v, w, s, t, dv, ds, dt):
    """Return the largest step of (v, w) and that of (s, t) before one of their entries is 0."""
    return tuple(
        min([1 / _INSIDE, *((-x[d < 0] / d[d < 0]).min(initial=np.inf) for x, d in pairs)])
        for pairs in (((v, dv), (w, -dv)), ((s, ds), (t, dt)))
    )


def _solver(H, sign, theta):
    """Return the function r ↦ (d, e) with (HHᵀ + Θ) d + e σ = r, σᵀd = 0.

    It solves the least-squares problem min ‖z‖² + ‖Θ^-½ (Hz + eσ - r)‖²; then d = Θ⁻¹(r - Hz - eσ). With rows sorted
    by size, QR is accurate in every row, even if others are much larger.
    """
    n, r = H.shape
    root = 1 / np.sqrt(theta)
    A = np.vstack([root[:, None] * np.column_stack([H, sign]), np.eye(r, r + 1)])
    order = np.argsort(-np.abs(A).max(axis=1))
    Q, R, columns = qr(A[order], mode="economic", pivoting=True, check_finite=False, overwrite_a=True)

    def solve(rhs):
        z = np.empty(r + 1)
        z[columns] = solve_triangular(R, Q.T @ np.append(root * rhs, np.zeros(r))[order], check_finite=False)
        return (rhs - H @ z[:-1] - z[-1] * sign) / theta, z[-1]

    return solve


def _halves(lower, upper):
    """Return for each v the index i of its β_i, and its sign."""
    up, down = np.flatnonzero(upper > 0), np.flatnonzero(lower < 0)
    return np.append(up, down), np.repeat([1.0, -1.0], [len(up), len(down)])
