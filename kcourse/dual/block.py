"""The problem on one working set: sequential minimal optimisation, and Newton's method on the free multipliers."""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import dtrsv
from scipy.linalg.lapack import dpotrf

from kcourse.dual.problem import INF, UnboundedDualError, kkt_gap, kkt_slopes
from kcourse.validation import check_no_overflow

__all__ = ["Block"]

_PATIENCE = 8  # steps between free multipliers, which leave both free, before SMO hands over to Newton
_FEW = 3  # such steps at the start, before it pays to look for the best partner
_STALLED = 100  # rounds without a smaller gap: rounding, or a kernel that is not positive semi-definite


class Block:
    """The problem for one working set, whose Gram matrix ``K`` is at hand: its state, and the two ways to go on.

    The state is β as a list (single numbers are read from lists faster than from arrays) and the two slopes of each
    multiplier. Where both slopes are equal the multiplier is free: inside its box and, if ε > 0, not at the kink 0.
    """

    def __init__(self, K, beta, f, lower, upper, epsilon):
        self.K, self.patience, self.stayed = K, _PATIENCE, 0
        self.A, self.B, self.epsilon = lower, upper, epsilon
        self.beta, self.lower, self.upper = beta.tolist(), lower.tolist(), upper.tolist()
        self.slopes = np.stack(kkt_slopes(beta, f, lower, upper, epsilon))
        self.up, self.lo = self.slopes
        diagonal = K.diagonal().copy()
        check_no_overflow(diagonal)
        self.diagonal = diagonal.tolist()
        # ½ K_ii; a little more, so that a gain is never 0/0 where points are equal; one number, if all are the same
        self.half = diagonal * (0.5 + 2e-15) + 1e-300
        self.half = self.half.item(0) if np.all(diagonal == diagonal[0]) else self.half
        self.infinite = INF in self.upper or -INF in self.lower

    def solve(self, tol, max_iter):
        """Alternate until the gap is ``tol``; return how many steps of SMO that took."""
        n_iter, best, stalled = 0, INF, 0
        while n_iter < max_iter and stalled < _STALLED:
            steps = self.smo(tol, max_iter - n_iter)
            n_iter += steps
            if steps < self.patience or self.gap() <= tol or (self.newton() and self.gap() <= tol):
                break
            if self.infinite:
                self.check_bounded()
            best, stalled = (self.gap(), 0) if self.gap() < best else (best, stalled + 1)
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
        self.up[k] = f_k - (epsilon if new >= 0 else -epsilon) if new < self.upper[k] else -INF
        self.lo[k] = f_k - (epsilon if new > 0 else -epsilon) if new > self.lower[k] else INF

    @np.errstate(all="ignore")  # ∞ - ∞ and 0/0, where there is no room
    def smo(self, tol, max_iter):
        """Climb along pairs until hardly a step changes which multipliers are free; return the number of steps."""
        slopes, up, lo, K, diagonal = self.slopes, self.up, self.lo, self.K, self.diagonal
        half, beta, epsilon = self.half, self.beta, self.epsilon
        t, c = np.empty(len(beta)), np.empty(len(beta))
        # looked up once: a step takes microseconds
        subtract, multiply, divide, sqrt = np.subtract, np.multiply, np.divide, np.sqrt
        highest, lowest, slope_up, slope_down = up.argmax, lo.argmin, up.item, lo.item
        settled = n_iter = 0
        while n_iter < max_iter and settled < self.patience:
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
            free = slope_down(i) == up_i and slope_up(j) == lo_j
            slope, curvature = up_i - lo_j, diagonal[i] + diagonal[j] - 2.0 * K_i.item(j)
            step, new_i, new_j, stays = self.step(i, j, slope / curvature if curvature > 0 else INF)
            self.stayed += stays
            subtract(K_i, K[j], t)
            multiply(t, step, t)
            subtract(slopes, t, slopes)
            if stays and free:  # both were free before, and are
                settled += 1
                beta[i], beta[j] = new_i, new_j
                continue
            if not stays:
                settled = max(settled - 1, 0)
            self.move(i, up_i + (epsilon if b_i >= 0 else -epsilon) - t.item(i), new_i)
            self.move(j, lo_j + (epsilon if b_j > 0 else -epsilon) - t.item(j), new_j)
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
    def newton(self):
        """Put the free multipliers where they are best, the others fixed; tell whether that could be done."""
        F = np.flatnonzero(self.slopes[0] == self.slopes[1])
        m, epsilon, beta = len(F), self.epsilon, self.beta
        if m < 2:
            return False
        self.patience = _PATIENCE + m // 8  # the more there are, the more a factor costs
        free = F.tolist()
        x, g = np.array([beta[k] for k in free]), self.slopes[0, F]
        a, b = self.A[F], self.B[F]
        if epsilon:
            a, b = np.where(x > 0, 0.0, a), np.where(x < 0, 0.0, b)
        K_F = self.K.take(F, axis=0)
        M = K_F.take(F, axis=1)
        M.flat[:: m + 1] += 1e-11 * M.diagonal().max()
        L, failed = dpotrf(M.T, lower=True, overwrite_a=True, clean=False)
        if failed:
            return False
        y = _walk(L, g - g.mean(), x, a, b)
        roomy = int(np.minimum(y - a, b - y).argmax())
        y[roomy] = np.clip(y[roomy] - (y - x).sum(), a[roomy], b[roomy])  # rounding would add up: Σβ stays 0
        Kd = (y - x) @ K_F
        if abs((y - x).sum()) > 1e-13 * np.abs(y).sum() or (y - x) @ (g - 0.5 * Kd[F]) < 0:
            return False
        self.slopes -= Kd
        for k, new, at_end in zip(free, y.tolist(), ((y == a) | (y == b)).tolist(), strict=True):
            if at_end:
                self.move(k, self.slopes.item(0, k) + np.sign(beta[k]) * epsilon, new)
            beta[k] = new
        return True


def _walk(L, g, x, a, b):
    """Maximise gᵀd - ½ dᵀLLᵀd over Σd = 0 and a ≤ x + d ≤ b, as far as bounds that are met are not left: x + d.

    P = M⁻¹ - Σ_r q_r q_rᵀ with M = LLᵀ maps a gradient to the best step. Each q takes one direction out, M-orthogonal
    to those before: the first keeps Σd = 0, and when a multiplier meets its bound one more fixes it there.
    """
    m = len(x)

    def inverse(v):
        return dtrsv(L, dtrsv(L, v, lower=True), lower=True, trans=1)

    u = inverse(np.ones(m))
    Q = np.empty((m, m))
    Q[0] = u / np.sqrt(u.sum())
    d = inverse(g) - Q[0] * (Q[0] @ g)
    x, e, fixed = x.copy(), np.zeros(m), np.zeros(m, bool)
    for r in range(1, m):
        room = np.where(d > 0, b, a)
        room -= x
        room /= d
        room[d == 0] = INF
        k = int(room.argmin())
        t = room.item(k)
        if not t < 1:
            x += d
            break
        x += t * d
        x[k], fixed[k] = b[k] if d[k] > 0 else a[k], True
        e[k] = 1.0
        q = inverse(e)
        e[k] = 0.0
        q -= Q[:r, k] @ Q[:r]  # the column k of P
        q_k = q.item(k)
        if not q_k > 0:  # nothing is left to move
            break
        d -= (d.item(k) / q_k) * q
        d *= 1 - t
        d[fixed] = 0.0
        q *= 1 / np.sqrt(q_k)
        Q[r] = q
    return np.clip(x, a, b)
