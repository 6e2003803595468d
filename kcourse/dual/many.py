"""Vectorised SMO for many small problems, such as pairs of classes: each step is taken in all problems at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from kcourse.base.validation import check_no_overflow
from kcourse.dual.problem import INF, DualSolution, kkt_slopes, solution_of
from kcourse.dual.solver import solve_dual

__all__ = ["solve_many"]

_VALUES = 2**22  # most kernel values at a time
_PER_POINT = 5  # most steps per point of the largest problem; after that, Newton's method is faster
_FEW = 4  # with fewer open problems, vectorisation saves nothing
_BELOW = 0.1  # the steps continue to this share of tol, because further steps cost little


def solve_many(
    K: np.ndarray, problems: Sequence[tuple[np.ndarray, ...]], *, tol: float = 1e-3, max_iter: int = 10_000_000
) -> list[DualSolution]:
    """Solve each of the ``problems`` as `solve_dual` does (to ``tol``), but faster if they are many and small.

    A step on sixty points takes a few microseconds of arithmetic and ten times as much overhead. Here the steps of all
    problems are rows of one array. Problems that are still open after a few steps per point go to `solve_dual`.

    Parameters
    ----------
    K : (n, n) array
        Gram matrix of all points.
    problems : sequence of (members, p, lower, upper)
        (m,) indices into K, and for these points the targets and the (finite) box, as in `solve_dual`.
    tol, max_iter
        as in `solve_dual`, for each problem.

    >>> import numpy as np
    >>> y = np.array([1.0, -1.0])
    >>> problems = [(np.array([0, k]), y, np.minimum(0, 5 * y), np.maximum(0, 5 * y)) for k in (1, 2)]
    >>> [solution.objective for solution in solve_many(np.diag([1.0, 1.0, 3.0]), problems)]
    [1.0, 0.5]
    """
    check_no_overflow(K.diagonal())
    found: list[Any] = [None] * len(problems)
    for some in _parts([len(members) for members, *_ in problems]):
        m = max(len(problems[k][0]) for k in some)
        where, p, A, B = np.zeros((len(some), m), int), *np.zeros((3, len(some), m))  # padding is an empty box
        for row, k in enumerate(some):
            for array, values in zip((where, p, A, B), problems[k], strict=True):
                array[row, : len(values)] = values
        Ks = K[where[:, :, None], where[:, None, :]]
        betas, steps = _climb(Ks, p, A, B, _BELOW * tol, min(max_iter, _PER_POINT * m))
        fs = p - np.matmul(Ks, betas[:, :, None])[:, :, 0]
        for k, beta, f, n_iter in zip(some, betas, fs, steps, strict=True):
            members, p_k, *box = problems[k]
            solution = solution_of(beta[: len(members)], f[: len(members)], p_k, *box, 0.0, int(n_iter))
            if not solution.gap <= tol:
                solution = solve_dual(K[np.ix_(members, members)], p_k, *box, tol=tol, max_iter=max_iter)
            found[k] = solution
    return found


def _parts(sizes: list[int]) -> Iterator[np.ndarray]:
    """Yield indices of problems of similar size, as many at a time as fit into `_VALUES` kernel values."""
    order = np.argsort(sizes, kind="stable")[::-1]
    while len(order):
        many = max(1, _VALUES // sizes[order[0]] ** 2)
        yield order[:many]
        order = order[many:]


@np.errstate(all="ignore")  # ∞ - ∞ and 0/0 occur at the bounds
def _climb(K, p, A, B, tol, max_iter):
    """Run SMO with ε = 0 on P problems at once, K (P, m, m), p (P, m); return all β and their numbers of steps."""
    betas, steps = np.zeros_like(p), np.zeros(len(p), int)
    diagonal = K.diagonal(axis1=1, axis2=2).copy()
    up, lo = kkt_slopes(betas, p, A, B)
    on, beta = np.arange(len(p)), betas.copy()  # open problems; all arrays but K and the results are theirs
    for step in range(max_iter + 1):
        i = up.argmax(axis=1)
        open_ = up.max(axis=1) - lo.min(axis=1) > tol
        over = np.count_nonzero(open_) < _FEW or step == max_iter
        if over or not open_.all():
            betas[on], steps[on] = beta, step
            if over:
                break
            on, i, beta, up, lo, A, B, diagonal = (a[open_] for a in (on, i, beta, up, lo, A, B, diagonal))
        r = np.arange(len(on))
        up_i, K_i, k_ii = up[r, i], K[on, i], diagonal[r, i]
        # j with the largest gain (up_i - lo_j)² / (K_ii + K_jj - 2 K_ij); we compare signed roots
        root = np.sqrt(np.maximum((0.5 + 2e-15) * (k_ii[:, None] + diagonal) - K_i, 1e-300))
        j = ((up_i[:, None] - lo) / root).argmax(axis=1)
        lo_j, b_i, b_j, k_ij = lo[r, j], beta[r, i], beta[r, j], K_i[r, j]
        curvature = k_ii + diagonal[r, j] - 2.0 * k_ij
        room_i, room_j = B[r, i] - b_i, b_j - A[r, j]
        t = np.minimum(np.where(curvature > 0, (up_i - lo_j) / curvature, INF), np.minimum(room_i, room_j))
        # a value within rounding of a corner is set to the corner
        beta[r, i] = np.where(t >= (1 - 1e-14) * room_i, B[r, i], b_i + t)
        beta[r, j] = np.where(t >= (1 - 1e-14) * room_j, A[r, j], b_j - t)
        change = t[:, None] * (K_i - K[on, j])
        up -= change
        lo -= change
        for k, f_k in ((i, up_i - change[r, i]), (j, lo_j - change[r, j])):
            up[r, k], lo[r, k] = kkt_slopes(beta[r, k], f_k, A[r, k], B[r, k])
    return betas, steps
