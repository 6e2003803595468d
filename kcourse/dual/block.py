"""The problem on one working set: sequential minimal optimisation (SMO), and Newton's method for free multipliers."""

from __future__ import annotations

import numpy as np
from scipy.linalg.lapack import dpotrf

from kcourse.base.validation import check_no_overflow
from kcourse.dual.active_set import climb
from kcourse.dual.problem import EPS, INF, UnboundedDualError, kkt_gap, kkt_slopes

__all__ = ["Block"]

_PATIENCE = 8  # SMO steps that keep both multipliers free before Newton's method takes over
_FEW_ROUNDS, _MORE = 20, 4  # after 20 rounds Newton may also free violators: 4 times the number of rounds
_WORTH = 0.01
_REFINED = 6  # uses of one Cholesky factor, with iterative refinement against its rounding errors
_FEW = 3  # unclipped steps before the search for the second-order partner pays


class Block:
    """State of the problem on one working set with Gram matrix ``K``, and its two methods, SMO and Newton.

    A multiplier is *free* if it can change both ways and D is smooth there: it is inside its box and, if ε > 0, not at
    the kink 0. ``up`` is the gain of D per unit if a multiplier rises (-∞ if it cannot), ``lo`` the loss per unit if it
    falls (∞ if it cannot). The steepest pair has the largest ``up`` and the smallest ``lo``. Both are stored for all
    multipliers, so that a step need not test which may move. ``patience`` is the number of SMO steps without a change
    of the free set before Newton's method starts. ``noise`` is the rounding error of each f_i, if it matters: only the
    part of a slope above it counts.

    ``rounds`` counts the alternations of the two methods, ``work`` the multiplications of Newton's method.

    β is a list, because single numbers are read faster from lists than from arrays.
    """

    def __init__(self, K, beta, f, lower, upper, epsilon):
        self.K, self.epsilon, self.patience, self.stayed, self.gain = K, epsilon, _PATIENCE, 0, 0.0
        self.A, self.B = lower, upper
        self.lower, self.upper = lower.tolist(), upper.tolist()
        self.hidden, self.noise = np.zeros(len(f)), [0.0] * len(f)
        self.slopes = np.empty((2, len(f)))
        self.up, self.lo = self.slopes
        self.put(beta, f)
        self.rounds, self.wait, self.work = 0, 1, 0.0
        diagonal = K.diagonal().copy()
        check_no_overflow(diagonal)
        self.diagonal, self.largest = diagonal.tolist(), float(np.abs(diagonal).max())
        # slightly more than ½ K_ii, so that equal points do not give 0/0; one number if all are equal
        self.half = diagonal * (0.5 + 2e-15) + 1e-300
        self.half = self.half.item(0) if np.all(diagonal == diagonal[0]) else self.half
        self.infinite = INF in self.upper or -INF in self.lower

    def solve(self, tol, max_iter, max_rounds=INF, max_work=INF):
        """Alternate until the gap is ``tol`` or f must be recomputed; return the number of SMO steps."""
        n_iter = 0
        while n_iter < max_iter and self.rounds < max_rounds and self.work < max_work:
            self.gain, self.rounds = 0.0, self.rounds + 1
            n_iter += self.smo(tol, max_iter - n_iter, self.wait)
            if self.gap() <= tol:
                break
            by_smo = self.gain
            # if Newton gained less than SMO before it, it came too early, so wait longer next time
            many = self.rounds > _FEW_ROUNDS
            done = self.newton(0.1 * tol if many else INF, _MORE * self.rounds if many else 0)
            self.wait = 1 if self.gain > 2 * by_smo else 2 if done else 2 * self.wait
            if self.infinite:
                self.check_bounded()
            if self.gap() <= tol or EPS * self.largest * sum(map(abs, self.beta)) > 0.1 * tol:
                break
        return n_iter

    def check_bounded(self):
        """Raise if Σ β_i φ(x_i) is 0 relative to the β_i, because then the hulls of the two classes meet."""
        beta = np.array(self.beta)
        if beta @ self.K @ beta <= 1e-13 * np.abs(beta).sum() ** 2 * max(self.diagonal):
            raise UnboundedDualError()

    def gap(self):
        """Return the largest violation of the KKT conditions."""
        return kkt_gap(*self.slopes)

    def move(self, k, f_k, new):
        """Set β_k, and compute its slopes from f_k."""
        epsilon = self.epsilon
        self.beta[k] = new
        noise = self.noise[k]
        self.up[k] = f_k - noise - (epsilon if new >= 0 else -epsilon) if new < self.upper[k] else -INF
        self.lo[k] = f_k + noise - (epsilon if new > 0 else -epsilon) if new > self.lower[k] else INF

    @np.errstate(all="ignore")  # ∞ - ∞ and 0/0 occur at the bounds
    def smo(self, tol, max_iter, wait=1):
        """Take pair steps (SMO) until the set of free multipliers hardly changes; return the number of steps."""
        slopes, up, lo, K, diagonal = self.slopes, self.up, self.lo, self.K, self.diagonal
        half, beta, epsilon, noise = self.half, self.beta, self.epsilon, self.noise
        lower, upper, gain, patience = self.lower, self.upper, 0.0, wait * self.patience
        t, c = np.empty(len(beta)), np.empty(len(beta))
        # local names, because a step takes microseconds
        subtract, multiply, divide, sqrt = np.subtract, np.multiply, np.divide, np.sqrt
        highest, lowest, slope_up, slope_down = up.argmax, lo.argmin, up.item, lo.item
        settled = n_iter = 0
        while n_iter < max_iter and settled < patience:
            i = int(highest())
            up_i, K_i = slope_up(i), K[i]
            second_order = self.stayed > _FEW
            if second_order:  # j with the largest gain (up_i - lo_j)² / (K_ii + K_jj - 2 K_ij); we compare signed roots
                subtract(half + 0.5 * diagonal[i], K_i, c)
                sqrt(c, c)
                subtract(up_i, lo, t)
                divide(t, c, t)
                j = int(t.argmax())
            if not second_order or up_i - slope_down(j) <= tol:  # steepest j: as good while steps are clipped
                j = int(lowest())
                if up_i - slope_down(j) <= tol:
                    break
            n_iter += 1
            lo_j, b_i, b_j = slope_down(j), beta[i], beta[j]
            free = b_i > lower[i] and b_j < upper[j] and (not epsilon or (b_i and b_j))
            slope, curvature = up_i - lo_j, diagonal[i] + diagonal[j] - 2.0 * K_i.item(j)
            step, new_i, new_j, stays = self.step(i, j, slope / curvature if curvature > 0 else INF)
            self.stayed += stays
            gain += step * (slope - 0.5 * step * curvature)
            subtract(K_i, K[j], t)
            multiply(t, step, t)
            subtract(slopes, t, slopes)
            if stays and free:  # both were free and stay free
                settled += 1
                beta[i], beta[j] = new_i, new_j
                continue
            if not stays:
                settled = max(settled - 1, 0)
            self.move(i, up_i + noise[i] + (epsilon if b_i >= 0 else -epsilon) - t.item(i), new_i)
            self.move(j, lo_j - noise[j] + (epsilon if b_j > 0 else -epsilon) - t.item(j), new_j)
        self.gain += gain
        return n_iter

    def step(self, i, j, step):
        """Return ``step`` limited to the first corner, the new β_i and β_j, and whether the step was not limited."""
        b_i, b_j = self.beta[i], self.beta[j]
        top = 0.0 if self.epsilon and b_i < 0 else self.upper[i]
        bottom = 0.0 if self.epsilon and b_j > 0 else self.lower[j]
        if step < top - b_i and step < b_j - bottom:
            return step, b_i + step, b_j - step, True
        step = min(top - b_i, b_j - bottom)
        if step == INF:
            raise UnboundedDualError
        # a value within rounding of a corner is set to the corner
        new_i = top if step >= (1 - 1e-14) * (top - b_i) else b_i + step
        new_j = bottom if step >= (1 - 1e-14) * (b_j - bottom) else b_j - step
        return step, new_i, new_j, False

    @np.errstate(all="ignore")
    def newton(self, tol=INF, more=0):
        """Maximise D over the free multipliers, with the others fixed; return whether any moved.

        In addition, the ``more`` multipliers that violate the conditions most may leave their corners.
        """
        beta, epsilon = np.array(self.beta), self.epsilon
        f = self.values(beta)
        loose = free(beta, self.A, self.B, epsilon)
        if more:
            loose = loose | self.worst(more, loose)
        F = np.flatnonzero(loose)
        m, x, up, lo = len(F), beta[F], self.up[F], self.lo[F]
        if m < 2:
            return False
        self.patience = _PATIENCE + m // 8  # factors of larger systems cost more
        # free multipliers may move both ways, the others only away from their corner; none crosses the kink
        middle = 0.5 * (self.up.max() + self.lo.min())
        may = free(x, self.A[F], self.B[F], epsilon)
        rises = up - middle >= middle - lo
        a, b = np.where(may | ~rises, self.A[F], x), np.where(may | rises, self.B[F], x)
        g = f[F]
        if epsilon:
            right = (x > 0) | ((x == 0) & rises)
            a, b = np.where(right, np.maximum(a, 0.0), a), np.where(right, b, np.minimum(b, 0.0))
            g = g - np.where(right, epsilon, -epsilon)
        K_F = self.K.take(F, axis=0)
        M = K_F.take(F, axis=1)
        size = M.diagonal().copy()
        L = M.copy()
        L.flat[:: m + 1] += 1e-11 * size + 1e-20 * size.max()
        L, failed = dpotrf(L.T, lower=True, overwrite_a=True, clean=False)
        self.work += m**3 / 6
        if failed:
            return False
        moved, total = False, 0.0
        g -= np.median(g)
        for _ in range(_REFINED):
            y, work = climb(M, L, g, x, a, b, tol)
            self.work += work
            y = balanced(y, x.sum(), a, b, size)
            d = y - x
            Kd = d @ K_F
            slope, curvature = float(d @ g), float(d @ Kd[F])
            if abs(d.sum()) > 1e-13 * np.abs(y).sum() or not slope > 0:
                break
            if curvature > slope:  # rounding errors of the factor made the step too long
                t = slope / curvature
                d, Kd = t * d, t * Kd
                y = np.clip(x + d, a, b)
                slope, curvature = t * slope, t * slope
            gain = slope - 0.5 * curvature
            moved, total = True, total + gain
            f -= Kd
            # the remaining gradient is that of the next refinement
            x, g = y, g - Kd[F]
            inside = g[(y > a) & (y < b)]
            if len(inside) < 2 or np.ptp(inside) <= tol or gain < _WORTH * total:
                break
            g -= np.median(inside)
        self.gain += total
        if moved:
            beta[F] = x
            self.put(beta, f)
        return moved

    def worst(self, more, loose):
        """Return a mask of the ``more`` multipliers not in ``loose`` that violate the conditions most."""
        middle = 0.5 * (self.up.max() + self.lo.min())
        v = np.maximum(self.up - middle, middle - self.lo)
        v[loose] = -INF
        return (v > 0) & (v >= np.partition(v, -min(more, len(v)))[-min(more, len(v))])

    def values(self, beta):
        """Return f, recovered from the slopes."""
        epsilon, rise, fall = self.epsilon, 0.0, 0.0
        if epsilon:
            rise, fall = np.where(beta >= 0, epsilon, -epsilon), np.where(beta > 0, epsilon, -epsilon)
        return np.where(self.up > -INF, self.up + self.hidden + rise, self.lo - self.hidden + fall)

    def put(self, beta, f, noise=None):
        """Set all multipliers, and compute the slopes from f."""
        if noise is not None:
            self.hidden, self.noise = noise, noise.tolist()
        self.beta = beta.tolist()
        self.slopes[:] = kkt_slopes(beta, f, self.A, self.B, self.epsilon)
        self.up -= self.hidden
        self.lo += self.hidden


def balanced(y, total, a, b, size):
    """Return y with Σy = ``total`` up to rounding: it changes one entry far from its bounds with little effect on f."""
    k = int((np.minimum(y - a, b - y) / np.sqrt(size + 1e-300)).argmax())
    y[k] = np.clip(y[k] - (y.sum() - total), a[k], b[k])
    return y


def free(beta, lower, upper, epsilon):
    """Return a mask of the free multipliers: inside their box and not at the kink."""
    inside = (beta > lower) & (beta < upper)
    return inside & (beta != 0) if epsilon else inside
