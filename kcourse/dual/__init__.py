"""The quadratic program that SVC, SVR and the hard margin share, and a fast exact solver for it.

    maximise   D(β) = pᵀβ - ε‖β‖₁ - ½ βᵀKβ      subject to   A ≤ β ≤ B  and  1ᵀβ = 0

β is signed: f(x) = Σ_i β_i k(x, x_i) + b. The support vector classifier has p = y, ε = 0 and the box y·[0, C], that is
β_i = y_i α_i [002, "SVM non-linéaires"]; the hard margin is C = ∞; ε-SVR has its ε and the box [-C, C], where
β = α - α* and ‖β‖₁ = Σ(α + α*) because at most one of each pair is not 0 [000, "SVMs", last remark].

**When is β optimal?** Let f = p - Kβ, the gradient of the smooth part. Raising β_i a little changes D at the rate
up_i = f_i - ε (f_i + ε where β_i < 0), lowering β_j at the rate -lo_j with lo_j = f_j + ε (f_j - ε where β_j > 0).
As Σβ = 0, one goes up by what another goes down, and D cannot rise if and only if (Karush, Kuhn and Tucker)

    gap = max up_i over β_i < B_i   -   min lo_j over β_j > A_j   ≤ 0.

Every b between the two satisfies all conditions: b is the multiplier of 1ᵀβ = 0. Where a support vector is free (inside
its box) both are equal and b is unique. For ε = 0 the gap is that of [Keerthi and others, 2001].

**Which part is for what.** Sequential minimal optimisation (SMO, `kcourse.dual.block`) climbs along pairs; it finds
quickly *which* multipliers are free and converges slowly to *what* they are. Newton's method, there, too, finds that by
one linear system, with its steps in a box (`kcourse.dual.active_set`); the two alternate. Many points are solved on
working sets, from a first guess made on every fourth point (`kcourse.dual.solver`), until the gap, computed afresh in
double precision (`kcourse.dual.ascent`), is at most ``tol``. Where that takes many rounds and K has low rank, an
interior-point method goes most of the way (`kcourse.dual.interior`). Many small problems, the pairs of many classes,
take SMO's steps together (`kcourse.dual.many`). `kcourse.dual.problem` has the problem and its certificate,
`kcourse.dual.rows` the parts of K that are asked for.

Each was taken away on 600 random problems, and each is needed. 1117 points with outliers, a quadratic kernel and
C = 4·10⁶ take 2 s, and have no end in a minute without Newton's method, without its steps that free violators, or where
it stops at the first bound. 2460 with a quartic kernel take 18 s, and have no end in five minutes without the interior
point. 4000 noisy points, one class nine times the other, take 0.35 s at C = 100, and 2.7 without the first guess.
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
