"""The outer loop of the dual solver: working sets, first guess and stopping."""

from __future__ import annotations

import sys
import warnings
from itertools import count
from typing import Any

import numpy as np

from kcourse.dual.ascent import LOW_RANK, Ascent
from kcourse.dual.block import Block, free
from kcourse.dual.problem import (
    INF,
    ConvergenceWarning,
    DualSolution,
    checked,
    kkt_slopes,
    residual,
    solution_of,
)
from kcourse.dual.rows import KernelRows, rows_of

__all__ = ["solve_dual"]

_WHOLE = 1000  # up to this number of points, the working set contains all points
_SET = 300  # number of violators in a smaller working set
_ROUNDS = 60  # most rounds on one working set: it may need more points
_STALLED, _RISE = 20, 1e-6  # after so many rounds without this relative rise of D, only rounding is left
_RISE_OF_PART = 1e-10  # the same on working sets, where a round costs less and gains less
_SLOWLY = 21  # after so many rounds on all multipliers, check whether K has low rank
_GUESSED = 20  # most recomputations of f for the first guess
_COARSE = 4  # the first guess uses every fourth point
_WILD = 1e6  # the first guess is discarded if max |f| exceeds the median by this factor
_WATCHED = 2  # every second point of the first guess is always in the first working set
_LOOSE = 0.4  # tolerance of the first guess, in standard deviations of p
_RATE, _SMALL = 0.1, 0.6  # tolerance of a working set: this share of the gap, so many standard deviations of p


def solve_dual(
    K: Any, p: Any, lower: Any, upper: Any, *, epsilon: float = 0.0, tol: float = 1e-3, max_iter: int = 10_000_000
) -> DualSolution:
    """Maximise pᵀβ - ε‖β‖₁ - ½βᵀKβ over lower ≤ β ≤ upper, 1ᵀβ = 0.

    Parameters
    ----------
    K : (n, n) array, or `KernelRows`
        Gram matrix; not modified.
    p : (n,) array
        targets.
    lower, upper : (n,) arrays
        the box A ≤ 0 ≤ B; entries may be infinite.
    epsilon : float ≥ 0
        half the width of the tube.
    tol : float > 0
        the gap to reach, in units of p.
    max_iter : int
        maximum number of pair steps.

    Warns
    -----
    ConvergenceWarning
        if the final gap is larger than ``tol``; the message says whether ``max_iter`` or rounding is the reason.

    Raises
    ------
    UnboundedDualError
        if some bounds are infinite and D has no maximum.

    >>> import numpy as np
    >>> y = np.array([1.0, -1.0])
    >>> solution = solve_dual(np.eye(2), y, np.minimum(0, 5 * y), np.maximum(0, 5 * y))
    >>> solution.beta, solution.objective, solution.bias_interval
    (array([ 1., -1.]), 1.0, (0.0, 0.0))
    """
    rows = rows_of(K)
    p, lower, upper = checked(rows.n, p=p, lower=lower, upper=upper)
    at = _solve(rows, p, lower, upper, epsilon, tol, max_iter)
    if at.gap > tol:
        warnings.warn(_unfinished(at, tol, max_iter), ConvergenceWarning, stacklevel=_caller())
    return solution_of(at.beta, at.f, p, lower, upper, epsilon, at.n_iter)


def _unfinished(at: Ascent, tol: float, max_iter: int) -> str:
    """Return the warning for a gap above ``tol``: its size, the reason and a remedy."""
    text = f"the dual solver stopped after {at.n_iter} steps with a gap of {at.gap:.3g} > tol = {tol:g}: "
    if at.n_iter >= max_iter:
        return text + f"max_iter = {max_iter} steps were not enough. Raise max_iter, lower C or raise tol."
    if at.gap > 1e4 * at.noise.max():
        return text + (
            f"in {_STALLED} rounds neither the gap nor the objective improved by more than rounding. β is feasible but "
            "not optimal: take a larger tol or a smaller C, and check that the kernel is positive semi-definite."
        )
    return text + (
        f"rounding hides the rest, because double precision gives f = p - Kβ only to about {at.noise.max():.1g}. Take "
        "a larger tol, a smaller C, or a kernel whose values k(x, x) differ less from point to point."
    )


def _caller() -> int:
    """Return the stacklevel of the first caller outside kcourse, so that the warning points to its call of fit."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("kcourse."):
        frame, level = frame.f_back, level + 1
    return level


def _solve(rows, p, A, B, epsilon, tol, max_iter, rounds=INF):
    """Solve the problem on successive working sets; return the `Ascent`."""
    if rows.n <= _WHOLE and not (isinstance(rows, KernelRows) and rows.held < rows.n):
        rows = rows.all()
    W, beta, n_iter = np.zeros(0, int), np.zeros(rows.n), 0
    if isinstance(rows, KernelRows) and np.all(np.isfinite(B - A)):
        W, beta, n_iter = _guess(rows, p, A, B, epsilon, tol, max_iter)
    at = Ascent(rows, p, A, B, epsilon, tol, beta)
    at.n_iter = n_iter
    if isinstance(rows, KernelRows):
        _by_parts(at, W, tol, max_iter)
    if at.gap > tol:
        if isinstance(rows, KernelRows):
            if rows.held < rows.n:
                _by_steps(at, tol, max_iter)
                return at
            rows.forget()
            at.rows = rows.all()
            at.refresh()
        _whole(at, tol, max_iter, rounds)
    return at


def _by_parts(at, W, tol, max_iter):
    """Solve on working sets of free multipliers and worst violators; after a stall, double the violators."""
    n, size, best, small, held = at.rows.n, _SET, INF, _SMALL * float(at.p.std()), at.rows.held
    stalled, highest = 0, at.objective()
    while at.gap > tol and at.n_iter < max_iter:
        W = np.union1d(W, _working_set(at, size))
        # stop when most points are in the set (a lower share after a stall), or all violators did not help
        if held < n and np.count_nonzero(free(at.beta, at.A, at.B, at.epsilon)) > held // 2:
            break  # each working set would undo the progress of another
        if held == n and (len(W) > (0.8 if size == _SET else 0.5) * n or size > max(n, _SET)):
            break
        if len(W) > held:
            W = _worst(at, held)
        changed = at.improve(W, max(0.5 * tol, min(_RATE * at.gap, small)), max_iter, _ROUNDS)
        if at.gap <= tol:
            at.snap()
        if not changed:  # rounding, because not even the worst violators moved: continue with all of K
            break
        if at.gap >= best:
            size *= 2
        objective, stalled = at.objective(), stalled + 1
        if objective > highest + _RISE_OF_PART * abs(highest):
            highest, stalled = objective, 0
        if held < n and stalled == _STALLED:
            break
        best, W = min(best, at.gap), W[:0]


def _by_steps(at, tol, max_iter):
    """Run SMO on all multipliers, which needs only two rows of K at a time: for lack of memory."""
    best = INF
    while at.gap > tol and at.n_iter < max_iter:
        block = Block(at.rows, at.beta, at.f, at.A, at.B, at.epsilon)
        at.n_iter += max(block.smo(0.9 * tol, max_iter - at.n_iter, INF), 1)
        at.beta = np.array(block.beta)
        at.snap()
        if at.gap > tol and at.gap > 0.5 * best:  # only rounding is left
            break
        best = at.gap
    if at.gap > tol:
        at.weigh()


def _whole(at, tol, max_iter, max_rounds):
    """Solve for all multipliers at once, and recompute f until the gap is small or stalls."""
    everything, lowest, best, stalled = np.arange(at.rows.n), INF, INF, 0
    highest, kept = at.objective(), at.beta.copy()
    patience, work = (_SLOWLY, at.rows.n**3 / LOW_RANK**2) if max_rounds == INF else (INF, INF)
    for rounds in count(1):
        if at.n_iter >= max_iter or rounds > max_rounds:
            return
        changed = at.improve(everything, tol, max_iter, patience, work)
        if at.block.rounds >= patience or at.block.work >= work:
            at.refresh()
            better, work = at.worth_a_jump()
            patience = INF
            if better:
                at.jump()
                work = INF
            if at.gap > tol:
                continue
        at.snap()
        if at.gap <= tol:
            return
        sure, objective = at.weigh(), at.objective()
        if sure <= tol or not changed:
            return
        # stalled: the gap is not halved, and D does not rise by more than its rounding error
        stalled += 1
        if sure < lowest:
            lowest, kept = sure, at.beta.copy()
        if sure < 0.5 * best:
            best, stalled = sure, 0
        if objective > highest + max(_RISE * abs(highest), np.linalg.norm(at.noise * at.beta)):
            highest, stalled = objective, 0
        if stalled == _STALLED:
            at.beta = kept
            at.refresh()
            return


def _guess(rows, p, A, B, epsilon, tol, max_iter):
    """Return a start for many points: (working set, β, steps), from a quarter of the points with four times the box.

    That smaller problem has nearly the same f, so it shows which points will be support vectors. Multipliers inside
    their box are kept; the total at the bounds is redistributed to the points that violate the conditions most. The
    working set contains these points and some with β = 0, which keep f bounded elsewhere.
    """
    S = np.argsort(p, kind="stable")[::_COARSE]
    loose = max(tol, _LOOSE * float(p.std()))
    start = _solve(rows.part(S), p[S], _COARSE * A[S], _COARSE * B[S], epsilon, loose, max_iter, _GUESSED)
    small, n_iter = start.beta, start.n_iter
    beta = np.zeros(len(p))
    beta[S] = small
    r = residual(rows, beta, p)
    up, lo = kkt_slopes(small, r[S], _COARSE * A[S], _COARSE * B[S], epsilon)
    b = 0.5 * (up.max() + lo.min())
    r -= b if np.isfinite(b) else 0.0  # y - f(x); if S has only one class, b is undetermined
    beta[S] = np.where((small > A[S]) & (small < B[S]), small, 0.0)
    for sign, box in ((1.0, B), (-1.0, -A)):
        mass = np.maximum(sign * small, 0.0).sum() - np.maximum(sign * beta, 0.0).sum()
        worst = np.argsort(-sign * r)
        worst = worst[(box[worst] > 0) & (beta[worst] == 0)]
        if mass > 0:
            beta[worst] = sign * np.clip(mass - (np.cumsum(box[worst]) - box[worst]), 0.0, box[worst])
    if abs(beta.sum()) > 1e-9 * np.abs(beta).sum():  # the boxes were too small for the total
        beta[:] = 0.0
    size = np.abs(residual(rows, beta, p))
    if size.max() > _WILD * np.median(size):  # outliers received too much
        beta[:] = 0.0
        beta[S] = small / _COARSE
    return np.union1d(np.flatnonzero(beta), S[::_WATCHED]), beta, n_iter


def _worst(at, many):
    """Return ``many`` indices: free multipliers (at most half), then the points that violate the conditions most."""
    middle = 0.5 * (at.up.max() + at.lo.min())
    v = np.maximum(at.up - middle, middle - at.lo)
    loose = np.flatnonzero(free(at.beta, at.A, at.B, at.epsilon))
    loose = loose[np.argsort(-v[loose], kind="stable")[: many // 2]]
    v[loose] = INF
    return np.sort(np.argpartition(-v, many - 1)[:many])


def _working_set(at, size):
    """Return the indices of the free multipliers and of at most ``size`` points that violate the conditions most."""
    chosen = free(at.beta, at.A, at.B, at.epsilon)
    for v, least in ((at.up, at.lo.min()), (-at.lo, -at.up.max())):
        bad = np.flatnonzero(v > least)
        if len(bad) > size // 2:
            bad = bad[np.argpartition(-v[bad], size // 2)[: size // 2]]
        chosen[bad] = True
    return np.flatnonzero(chosen)
