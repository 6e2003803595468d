"""Which multipliers to work on, in what order, and when to stop."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from kcourse.dual.block import Block
from kcourse.dual.problem import (
    INF,
    DualSolution,
    GramRows,
    KernelRows,
    checked,
    kkt_gap,
    kkt_slopes,
    residual,
    solution_of,
)

__all__ = ["solve_dual"]

_WHOLE = 1000  # up to so many points the working set is all of them
_SET = 300  # violators in a working set otherwise
_COARSE = 4  # the first guess is made from every so many-th point
_WATCHED = 2  # every so many-th of those is in the first working set in any case
_LOOSE = 0.4  # the gap at which that guess is good enough, in standard deviations of p
_RATE, _SMALL = 0.1, 0.6  # a working set is solved to this share of the gap, and to so many standard deviations of p


def solve_dual(
    K: Any, p: Any, lower: Any, upper: Any, *, epsilon: float = 0.0, tol: float = 1e-3, max_iter: int = 10_000_000
) -> DualSolution:
    """Maximise pᵀβ - ε‖β‖₁ - ½βᵀKβ over lower ≤ β ≤ upper, 1ᵀβ = 0.

    Parameters
    ----------
    K : (n, n) array, or `KernelRows`
        Gram matrix (it is not written to).
    p : (n,) array
        targets.
    lower, upper : (n,) arrays
        the box A ≤ 0 ≤ B; entries may be infinite.
    epsilon : float ≥ 0
        half the width of the tube.
    tol : float > 0
        the gap to reach, in units of p.
    max_iter : int
        pair steps at most.

    Raises
    ------
    UnboundedDualError
        with infinite bounds, if D has no maximum.

    >>> import numpy as np
    >>> y = np.array([1.0, -1.0])
    >>> solution = solve_dual(np.eye(2), y, np.minimum(0, 5 * y), np.maximum(0, 5 * y))
    >>> solution.beta, solution.objective, solution.bias_interval
    (array([ 1., -1.]), 1.0, (0.0, 0.0))
    """
    rows = K if isinstance(K, KernelRows) else GramRows(K)
    p, lower, upper = checked(rows.n, p=p, lower=lower, upper=upper)
    beta, f, gap, n_iter = _solve(rows, p, lower, upper, epsilon, tol, max_iter)
    if gap > tol:
        warnings.warn(
            f"the dual solver stopped after {n_iter} steps with a gap of {gap:.3g} > tol = {tol:g}: scale the "
            "features, or take a larger tol.",
            RuntimeWarning,
            stacklevel=3,
        )
    return solution_of(beta, f, p, lower, upper, epsilon, n_iter)


def _solve(rows, p, A, B, epsilon, tol, max_iter):
    """Improve on one working set after another; return β, f = p - Kβ computed afresh, the gap and the steps."""
    if rows.n <= _WHOLE:
        rows = GramRows(rows.block(np.arange(rows.n)))
    W, beta, n_iter, best, stalled = np.arange(rows.n), np.zeros(rows.n), 0, INF, 0
    if isinstance(rows, KernelRows):
        W, beta, n_iter = _guess(rows, p, A, B, epsilon, tol, max_iter)
    f = residual(rows, beta, p)
    gap, small = kkt_gap(*kkt_slopes(beta, f, A, B, epsilon)), _SMALL * float(p.std())
    while gap > tol and n_iter < max_iter and stalled < (2 if len(W) == rows.n else 20):
        if len(W) < rows.n:
            chosen = _working_set(beta, f, A, B, epsilon)
            W = np.union1d(W, chosen) if len(W) else chosen
        block = Block(rows.block(W), beta[W], f[W], A[W], B[W], epsilon)
        near = tol if len(W) == rows.n else max(0.5 * tol, min(_RATE * gap, small))
        n_iter += max(block.solve(near, max_iter - n_iter), 1)
        better = np.array(block.beta)
        d = better - beta[W]
        changed = np.flatnonzero(d)
        if not len(changed):
            break  # rounding leaves no step that helps
        beta[W] = better
        if len(W) < rows.n:
            f -= rows.times(W[changed], d[changed])
            gap = kkt_gap(*kkt_slopes(beta, f, A, B, epsilon))
        if len(W) == rows.n or gap <= tol:  # f has gathered rounding: it counts what is true afresh
            beta = _snapped(beta, A, B)
            f = residual(rows, beta, p)
            gap = kkt_gap(*kkt_slopes(beta, f, A, B, epsilon))
        best, stalled = (gap, 0) if gap < best else (best, stalled + 1)
        if len(W) < rows.n:
            W = W[:0]  # the next one is chosen afresh
    if gap > tol:  # or else f is fresh
        f = residual(rows, beta, p)
        gap = kkt_gap(*kkt_slopes(beta, f, A, B, epsilon))
    return beta, f, gap, n_iter


def _snapped(beta, A, B):
    """β with what is at a corner up to rounding put there: it decides who is free, and so what b may be."""
    rounding = 1e-14 * np.abs(beta).max()
    for corner in (A, B, np.zeros_like(A)):
        with np.errstate(invalid="ignore"):
            beta = np.where(np.abs(beta - corner) <= rounding, corner, beta)
    return beta


def _guess(rows, p, A, B, epsilon, tol, max_iter):
    """A start for many points: (working set, β, steps), from a quarter of the points with four times the box.

    That problem has nearly the same f, so it tells which points will have multipliers. Those inside their box are
    kept; what lies at bounds is handed out anew, to the points that violate most. All these make the working set,
    with some points that need no multiplier: they keep f from running wild where the others are not.
    """
    S = np.argsort(p, kind="stable")[::_COARSE]
    loose = max(tol, _LOOSE * float(p.std()))
    small, _, _, n_iter = _solve(rows.part(S), p[S], _COARSE * A[S], _COARSE * B[S], epsilon, loose, max_iter)
    beta = np.zeros(len(p))
    beta[S] = small
    r = residual(rows, beta, p)
    up, lo = kkt_slopes(small, r[S], _COARSE * A[S], _COARSE * B[S], epsilon)
    b = 0.5 * (up.max() + lo.min())
    r -= b if np.isfinite(b) else 0.0  # y - f(x); S may have one class only, which leaves b open
    beta[S] = np.where((small > A[S]) & (small < B[S]), small, 0.0)
    for sign, box in ((1.0, B), (-1.0, -A)):
        mass = np.maximum(sign * small, 0.0).sum() - np.maximum(sign * beta, 0.0).sum()
        worst = np.argsort(-sign * r)
        worst = worst[(box[worst] > 0) & (beta[worst] == 0)]
        if mass > 0:
            beta[worst] = sign * np.clip(mass - (np.cumsum(box[worst]) - box[worst]), 0.0, box[worst])
    if abs(beta.sum()) > 1e-9 * np.abs(beta).sum():  # the boxes were too small for it
        beta[:] = 0.0
    return np.union1d(np.flatnonzero(beta), S[::_WATCHED]), beta, n_iter


def _working_set(beta, f, A, B, epsilon):
    """Indices of the free multipliers and of points that violate the conditions most; all, if they are few."""
    up, lo = kkt_slopes(beta, f, A, B, epsilon)
    chosen = _free(beta, A, B, epsilon)
    for v, least in ((up, lo.min()), (-lo, -up.max())):
        bad = np.flatnonzero(v > least)
        if len(bad) > _SET // 2:
            bad = bad[np.argpartition(-v[bad], _SET // 2)[: _SET // 2]]
        chosen[bad] = True
    return np.flatnonzero(chosen)


def _free(beta, A, B, epsilon):
    free = (beta > A) & (beta < B)
    return free & (beta != 0) if epsilon else free
