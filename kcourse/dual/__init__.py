"""The quadratic program of SVC, SVR and the hard-margin SVM, and a fast exact solver for it.

    maximise   D(β) = pᵀβ - ε‖β‖₁ - ½ βᵀKβ      subject to   A ≤ β ≤ B  and  1ᵀβ = 0

β is signed: f(x) = Σ_i β_i k(x, x_i) + b. The support vector classifier has p = y, ε = 0 and the box y·[0, C], so
that β_i = y_i α_i [002, "SVM non-linéaires"]. The hard margin has C = ∞. ε-SVR has its ε and the box [-C, C], with
β = α - α* and ‖β‖₁ = Σ(α + α*), because at most one of α_i and α_i* is not 0 [000, "SVMs", last remark].

**When is β optimal?** Let f = p - Kβ, the gradient of the smooth part. Raising β_i slightly changes D at the rate
up_i = f_i - ε (f_i + ε where β_i < 0); lowering β_j changes it at the rate -lo_j with lo_j = f_j + ε (f_j - ε where
β_j > 0). Because Σβ = 0, one β rises as another falls, and D cannot rise if and only if (Karush, Kuhn and Tucker)

    gap = max up_i over β_i < B_i   -   min lo_j over β_j > A_j   ≤ 0.

Every b between the two values satisfies all conditions, because b is the multiplier of 1ᵀβ = 0. If a support vector is
free (inside its box), the two are equal and b is unique. For ε = 0 the gap is that of [Keerthi and others, 2001].

**Parts of the solver.** Sequential minimal optimisation (SMO, `kcourse.dual.block`) changes β in pairs; it quickly
finds *which* multipliers are free, but converges slowly to their *values*. Newton's method finds these values from one
linear system, with steps kept inside the box (`kcourse.dual.active_set`). The two methods alternate. Large problems are
solved on working sets, starting from the solution for every fourth point (`kcourse.dual.solver`), until the recomputed
gap in double precision (`kcourse.dual.ascent`) is at most ``tol``. If that takes many rounds and K has low rank, an
interior-point method does most of the work (`kcourse.dual.interior`). For many small problems, such as pairs of
classes, the SMO steps are taken together (`kcourse.dual.many`). `kcourse.dual.problem` contains the optimality
conditions, `kcourse.dual.rows` computes the requested parts of K.

Ablations on 600 random problems show that each part is needed. 1117 points with outliers, a quadratic kernel and
C = 4·10⁶ take 2 s; they take more than a minute without Newton's method, without freeing violators in it, or if it
stops at the first bound. 2460 points with a quartic kernel take 18 s, but more than five minutes without the interior
point. 4000 noisy points, classes 9 to 1, take 0.35 s at C = 100, but 2.7 s without the first guess.
"""

from kcourse.dual.many import solve_many
from kcourse.dual.problem import (
    ConvergenceWarning,
    DualSolution,
    UnboundedDualError,
    certify,
    kkt_slopes,
)
from kcourse.dual.rows import KernelRows
from kcourse.dual.solver import solve_dual

__all__ = [
    "ConvergenceWarning",
    "DualSolution",
    "KernelRows",
    "UnboundedDualError",
    "certify",
    "kkt_slopes",
    "solve_dual",
    "solve_many",
]
