"""The problem on one working set: sequential minimal optimisation, and Newton's method on the free multipliers."""

from __future__ import annotations

import numpy as np
from scipy.linalg.lapack import dpotrf

from kcourse.base.validation import check_no_overflow
from kcourse.dual.active_set import climb
from kcourse.dual.problem import EPS, INF, UnboundedDualError, kkt_gap, kkt_slopes

__all__ = ["Block"]

_PATIENCE = 8  # steps between free multipliers, which leave both free, before SMO hands over to Newton
_FEW_ROUNDS, _MORE = 20, 4  # from that round on Newton may also free violators, so many times the rounds
_WORTH = 0.01
_REFINED = 6  # times that a factor is used: it is rounded, and what it leaves is computed afresh
_FEW = 3  # such steps at the start, before it pays to look for the best partner


class Block:
    """The problem for one working set, whose Gram matrix ``K`` is at hand: its state, and the two ways to go on.

    A multiplier is *free* if a small change either way is allowed and changes D smoothly: inside its box and, if ε > 0,
    not at the kink 0. ``up`` is what D gains per unit if a multiplier rises (-∞ where it may not), ``lo`` what it loses
    per unit if one falls (∞ where it may not); the best pair is the one of largest ``up`` and least ``lo``. Both are
    kept for all multipliers, so that a step need not ask who may move. ``patience`` is how many steps SMO may take
    without a change of who is free before Newton is asked. ``noise`` is the rounding error of each f_i, where it
    matters: a slope counts as far as it exceeds it.

    ``rounds`` counts how often the two have taken turns, ``work`` the multiplications of Newton's method.

    β is a list: single numbers are read from lists faster than from arrays.
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
        # ½ K_ii; a little more, so that a gain is never 0/0 where points are equal; one number, if all are the same
        self.half = diagonal * (0.5 + 2e-15) + 1e-300
        self.half = self.half.item(0) if np.all(diagonal == diagonal[0]) else self.half
        self.infinite = INF in self.upper or -INF in self.lower

    def solve(self, tol, max_iter, max_rounds=INF, max_work=INF):
        """Alternate until the gap is ``tol`` or f needs computing afresh; return how many steps of SMO that took."""
        n_iter = 0
        while n_iter < max_iter and self.rounds < max_rounds and self.work < max_work:
            self.gain, self.rounds = 0.0, self.rounds + 1
            n_iter += self.smo(tol, max_iter - n_iter, self.wait)
            if self.gap() <= tol:
                break
            by_smo = self.gain
            # a factor that gained less than the steps before it came too early
            many = self.rounds > _FEW_ROUNDS
            done = self.newton(0.1 * tol if many else INF, _MORE * self.rounds if many else 0)
            self.wait = 1 if self.gain > 2 * by_smo else 2 if done else 2 * self.wait
            if self.infinite:
                self.check_bounded()
            if self.gap() <= tol or EPS * self.largest * sum(map(abs, self.beta)) > 0.1 * tol:
                break
        return n_iter

    def check_bounded(self):
        """Raise if Σ β_i φ(x_i) is 0 beside the β_i themselves: two points of the classes' hulls that coincide."""
        beta = np.array(self.beta)
        if beta @ self.K @ beta <= 1e-13 * np.abs(beta).sum() ** 2 * max(self.diagonal):
            raise UnboundedDualError()

    def gap(self):
        """How far the conditions are violated."""
        return kkt_gap(*self.slopes)

    def move(self, k, f_k, new):
        """Set β_k, and its slopes from f_k."""
        epsilon = self.epsilon
        self.beta[k] = new
        noise = self.noise[k]
        self.up[k] = f_k - noise - (epsilon if new >= 0 else -epsilon) if new < self.upper[k] else -INF
        self.lo[k] = f_k + noise - (epsilon if new > 0 else -epsilon) if new > self.lower[k] else INF

    @np.errstate(all="ignore")  # ∞ - ∞ and 0/0, where there is no room
    def smo(self, tol, max_iter, wait=1):
        """Climb along pairs until hardly a step changes which multipliers are free; return the number of steps."""
        slopes, up, lo, K, diagonal = self.slopes, self.up, self.lo, self.K, self.diagonal
        half, beta, epsilon, noise = self.half, self.beta, self.epsilon, self.noise
        lower, upper, gain, patience = self.lower, self.upper, 0.0, wait * self.patience
        t, c = np.empty(len(beta)), np.empty(len(beta))
        # looked up once: a step takes microseconds
        subtract, multiply, divide, sqrt = np.subtract, np.multiply, np.divide, np.sqrt
        highest, lowest, slope_up, slope_down = up.argmax, lo.argmin, up.item, lo.item
        settled = n_iter = 0
        while n_iter < max_iter and settled < patience:
            i = int(highest())
            up_i, K_i = slope_up(i), K[i]
            second_order = self.stayed > _FEW
            if second_order:  # of largest gain, (up_i - lo_j)² / (K_ii + K_jj - 2 K_ij); its root has a sign
                subtract(half + 0.5 * diagonal[i], K_i, c)
                sqrt(c, c)
                subtract(up_i, lo, t)
                divide(t, c, t)
                j = int(t.argmax())
            if not second_order or up_i - slope_down(j) <= tol:  # j is the steepest: as good, while steps end at bounds
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
            if stays and free:  # both were free before, and are
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
        """Return how far β_i may rise and β_j fall (to the first corner), both new, and whether that is all of it."""
        b_i, b_j = self.beta[i], self.beta[j]
        top = 0.0 if self.epsilon and b_i < 0 else self.upper[i]
        bottom = 0.0 if self.epsilon and b_j > 0 else self.lower[j]
        if step < top - b_i and step < b_j - bottom:
            return step, b_i + step, b_j - step, True
        step = min(top - b_i, b_j - bottom)
        if step == INF:
            raise UnboundedDualError
        # at a corner up to rounding is at the corner
        new_i = top if step >= (1 - 1e-14) * (top - b_i) else b_i + step
        new_j = bottom if step >= (1 - 1e-14) * (b_j - bottom) else b_j - step
        return step, new_i, new_j, False

    @np.errstate(all="ignore")
    def newton(self, tol=INF, more=0):
        """Put the free multipliers where they are best, the others fixed; tell whether that could be done.

        With ``more``, so many of those that violate the conditions most may leave their corner.
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
        self.patience = _PATIENCE + m // 8  # the more there are, the more a factor costs
        # who is free may go both ways, the others away from their corner; nobody crosses the kink
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
            if curvature > slope:  # the factor is rounded: not so far, then
                t = slope / curvature
                d, Kd = t * d, t * Kd
                y = np.clip(x + d, a, b)
                slope, curvature = t * slope, t * slope
            gain = slope - 0.5 * curvature
            moved, total = True, total + gain
            f -= Kd
            # what it leaves of the gradient is the next one
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
        """Which ``more`` of the others violate the conditions most."""
        middle = 0.5 * (self.up.max() + self.lo.min())
        v = np.maximum(self.up - middle, middle - self.lo)
        v[loose] = -INF
        return (v > 0) & (v >= np.partition(v, -min(more, len(v)))[-min(more, len(v))])

    def values(self, beta):
        """f, from the slopes."""
        epsilon, rise, fall = self.epsilon, 0.0, 0.0
        if epsilon:
            rise, fall = np.where(beta >= 0, epsilon, -epsilon), np.where(beta > 0, epsilon, -epsilon)
        return np.where(self.up > -INF, self.up + self.hidden + rise, self.lo - self.hidden + fall)

    def put(self, beta, f, noise=None):
        """Set all multipliers, and the slopes from f."""
        if noise is not None:
            self.hidden, self.noise = noise, noise.tolist()
        self.beta = beta.tolist()
        self.slopes[:] = kkt_slopes(beta, f, self.A, self.B, self.epsilon)
        self.up -= self.hidden
        self.lo += self.hidden


def balanced(y, total, a, b, size):
    """y with Σy = ``total`` up to rounding, by a change of one that has room and changes f little."""
    k = int((np.minimum(y - a, b - y) / np.sqrt(size + 1e-300)).argmax())
    y[k] = np.clip(y[k] - (y.sum() - total), a[k], b[k])
    return y


def free(beta, lower, upper, epsilon):
    """Which multipliers are free: inside their box and not at the kink."""
    inside = (beta > lower) & (beta < upper)
    return inside & (beta != 0) if epsilon else inside
