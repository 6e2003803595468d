"""Many small problems side by side: the pairs of many classes, each step taken in all of them at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from kcourse.base.validation import check_no_overflow
from kcourse.dual.problem import INF, DualSolution, kkt_slopes, solution_of
from kcourse.dual.solver import solve_dual

__all__ = ["solve_many"]

_VALUES = 2**22  # of the kernel at a time
_PER_POINT = 5  # steps for each point of the largest problem: who takes more is better off with Newton's method
_FEW = 4  # problems that go on: no more is saved by their company
_BELOW = 0.1  # of tol is what the steps leave, since the next costs little


def solve_many(
    K: np.ndarray, problems: Sequence[tuple[np.ndarray, ...]], *, tol: float = 1e-3, max_iter: int = 10_000_000
) -> list[DualSolution]:
    """Return what `solve_dual` returns (to ``tol``) for each of the ``problems``, sooner if they are many and small.

    One step on sixty points is a few microseconds of arithmetic, and ten times as much around it: here the steps of
    all are rows of one array. What is left after some steps for each point goes to `solve_dual`.

    Parameters
    ----------
    K : (n, n) array
        Gram matrix of all points.
    problems : sequence of (members, p, lower, upper)
        (m,) indices into K, and on those the targets and the (finite) box, as in `solve_dual`.
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
        where, p, A, B = np.zeros((len(some), m), int), *np.zeros((3, len(some), m))  # no room where a problem is over
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
    """Indices of problems of like size, as many as there is room for."""
    order = np.argsort(sizes, kind="stable")[::-1]
    while len(order):
        many = max(1, _VALUES // sizes[order[0]] ** 2)
        yield order[:many]
        order = order[many:]


@np.errstate(all="ignore")  # ∞ - ∞ and 0/0, where there is no room
def _climb(K, p, A, B, tol, max_iter):
    """`kcourse.dual.block.Block.smo` with ε = 0 for P problems, (P, m, m) and (P, m); return all β and their steps."""
    betas, steps = np.zeros_like(p), np.zeros(len(p), int)
    diagonal = K.diagonal(axis1=1, axis2=2).copy()
    up, lo = kkt_slopes(betas, p, A, B)
    on, beta = np.arange(len(p)), betas.copy()  # who goes on; all but K and the results is theirs
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
        # j of largest gain (up_i - lo_j)² / (K_ii + K_jj - 2 K_ij); its root has a sign
        root = np.sqrt(np.maximum((0.5 + 2e-15) * (k_ii[:, None] + diagonal) - K_i, 1e-300))
        j = ((up_i[:, None] - lo) / root).argmax(axis=1)
        lo_j, b_i, b_j, k_ij = lo[r, j], beta[r, i], beta[r, j], K_i[r, j]
        curvature = k_ii + diagonal[r, j] - 2.0 * k_ij
        room_i, room_j = B[r, i] - b_i, b_j - A[r, j]
        t = np.minimum(np.where(curvature > 0, (up_i - lo_j) / curvature, INF), np.minimum(room_i, room_j))
        # at a corner up to rounding is at the corner
        beta[r, i] = np.where(t >= (1 - 1e-14) * room_i, B[r, i], b_i + t)
        beta[r, j] = np.where(t >= (1 - 1e-14) * room_j, A[r, j], b_j - t)
        change = t[:, None] * (K_i - K[on, j])
        up -= change
        lo -= change
        for k, f_k in ((i, up_i - change[r, i]), (j, lo_j - change[r, j])):
            up[r, k], lo[r, k] = kkt_slopes(beta[r, k], f_k, A[r, k], B[r, k])
    return betas, steps
