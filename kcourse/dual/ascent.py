"""The current iterate β of the dual solver, and the steps that improve it."""

from __future__ import annotations

import numpy as np

from kcourse.dual.block import Block, balanced, free
from kcourse.dual.interior import interior_point, low_rank_factor
from kcourse.dual.problem import EPS, INF, dual_objective, kkt_gap, kkt_slopes, residual
from kcourse.dual.rows import GramRows

__all__ = ["LOW_RANK", "Ascent", "snapped"]

_ULPS = 8  # rounding error of a sum, in units of machine epsilon times the sum of absolute values
LOW_RANK = 2  # K counts as low-rank if a factor with n / LOW_RANK columns suffices
_INTERIOR = 300  # the interior-point method takes so many times n r² multiplications
_AT_CORNERS = 1e-3  # relative loss of D that is accepted for a solution with multipliers at their corners


class Ascent:
    """Current iterate β with f = p - Kβ, its slopes and its gap."""

    def __init__(self, rows, p, A, B, epsilon, tol, beta):
        self.rows, self.p, self.A, self.B, self.epsilon, self.tol = rows, p, A, B, epsilon, tol
        self.beta, self.n_iter, self.noise, self.block, self.factor = beta, 0, None, None, None
        self.refresh()

    def refresh(self):
        """Recompute f, which accumulates rounding errors, and its slopes."""
        self.f = residual(self.rows, self.beta, self.p)
        self.look()

    def look(self):
        """Compute the slopes and the gap from f."""
        self.up, self.lo = kkt_slopes(self.beta, self.f, self.A, self.B, self.epsilon)
        self.gap = kkt_gap(self.up, self.lo)

    def weigh(self):
        """Return by how much the gap exceeds the rounding error of f, which requires the rows of all β_i ≠ 0."""
        S = np.flatnonzero(self.beta)
        # f_i = p_i - Σ_j K_ij β_j: each term is rounded
        self.noise = _ULPS * EPS * (np.abs(self.p) + self.rows.sizes(S, self.beta[S]))
        return kkt_gap(self.up - self.noise, self.lo + self.noise)

    def objective(self):
        """Return the dual objective D(β)."""
        return dual_objective(self.beta, self.f, self.p, self.epsilon)

    def improve(self, W, tol, max_iter, rounds=INF, work=INF):
        """Solve for the multipliers ``W`` with the others fixed, in at most ``rounds``; return whether any changed."""
        whole = len(W) == self.rows.n
        if whole and self.block:
            block = self.block
            block.put(self.beta, self.f, self.noise)
        else:
            block = Block(self.rows.block(W), self.beta[W], self.f[W], self.A[W], self.B[W], self.epsilon)
            self.block = block if whole else None
        self.n_iter += max(block.solve(tol, max_iter - self.n_iter, rounds, work), 1)
        better = np.array(block.beta)
        d = better - self.beta[W]
        changed = np.flatnonzero(d)
        self.beta[W] = better
        if not whole:
            self.f -= self.rows.times(W[changed], d[changed])
            self.look()
        return len(changed) > 0

    def jump(self):
        """Replace β with an interior-point solution if D is higher there; K must have low rank."""
        found = interior_point(self.factor, self.p, self.A, self.B, self.epsilon) or ()
        scale, reached = np.sqrt(np.abs(self.rows.K.diagonal())), self.objective()
        for beta in found:
            beta = balanced(np.clip(beta, self.A, self.B), 0.0, self.A, self.B, scale)
            objective = dual_objective(beta, residual(self.rows, beta, self.p), self.p, self.epsilon)
            if objective > reached:
                self.beta, reached = beta, objective
            reached -= _AT_CORNERS * abs(reached)
        self.refresh()

    def worth_a_jump(self):
        """Return whether an interior-point method should be faster now, and the work after which to check again."""
        n, work = self.rows.n, self.block.work
        most = n // LOW_RANK
        factored = n * most**2 / 2
        loose = int(np.sum(free(self.beta, self.A, self.B, self.epsilon)))
        tried = most if work >= factored else min(loose, most)
        self.factor = low_rank_factor(self.rows.K, tried)
        if self.factor is None:
            return False, INF if tried == most else factored
        # K does not determine the free multipliers if they outnumber its rank; or Newton's steps are expensive
        cost = _INTERIOR * n * self.factor.shape[1] ** 2
        return loose > self.factor.shape[1] or work >= cost, cost

    def snap(self):
        """Recompute f, and move multipliers within rounding of a corner onto it, unless the gap rises above tol."""
        self.refresh()
        scale = np.sqrt(np.abs(self.rows.K.diagonal())) if isinstance(self.rows, GramRows) else np.ones(self.rows.n)
        beta = snapped(self.beta, self.A, self.B, scale)
        if np.any(beta != self.beta):
            before = self.beta, self.f, self.up, self.lo, self.gap
            self.beta = beta
            self.refresh()
            if self.gap > max(before[-1], self.tol):
                self.beta, self.f, self.up, self.lo, self.gap = before


def snapped(beta, A, B, scale):
    """Return β with entries within rounding of a corner moved onto it, because free multipliers determine b.

    Moved entries are small compared with the largest β and hardly change f (by |β_i| K_ij ≤ |β_i| √(K_ii K_jj)).
    """
    size = np.abs(beta)
    rounding = 1e-14 * np.minimum(size.max(), np.max(size * scale) / np.maximum(scale, 1e-100))
    for corner in (A, B, np.zeros_like(A)):
        with np.errstate(invalid="ignore"):
            beta = np.where(np.abs(beta - corner) <= rounding, corner, beta)
    return beta
