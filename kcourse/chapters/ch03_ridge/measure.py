"""Exercises 3.4 to 3.6: leave-one-out, degrees of freedom, norm."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch03_ridge.common import (
    CHAPTER,
    EITHER_SIDE,
    KERNELS,
    TWINS,
    USE,
    VARIED,
    WHOLE,
    WHOLE_NUMBERS,
    Rng,
    gram,
    n_times_lambda,
    solve,
    systems,
)
from kcourse.chapters.ch03_ridge.fit import fit_or_fail, krr_fit
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property, sensitive

__all__ = ["EFFECTIVE_DF", "KRR_LOO", "RKHS_NORM2", "from_hat", "krr_loo_residuals", "loo_or_fail"]


# -- 3.4


def krr_loo_residuals(K, y, lam):
    """y_i - f₋ᵢ(x_i) = α_i / [(K + λI)⁻¹]_ii."""
    G = np.linalg.inv(K + lam * np.eye(len(K)))
    return (G @ y) / np.diag(G)


def _inv(A):
    return solve(A, np.eye(len(A)))


def loo_or_fail(K, y, lam):
    """The same for the mistakes, which may leave a singular system."""
    G = _inv(K + lam * np.eye(len(K)))
    return (G @ y) / np.diag(G)


def _hat(K, lam):
    return K @ _inv(K + lam * np.eye(len(K)))


def from_hat(turn):
    """``turn`` of the training residuals, the diagonal of H, and y."""

    def residuals(K, y, lam):
        H = _hat(K, lam)
        return turn(y - H @ y, np.diag(H), y)

    return residuals


def _refitted_without_the_block(K, y, lam):
    """n refits with K[keep, keep], which is a vector, where K[np.ix_(keep, keep)] should be."""
    residuals = np.empty(len(y))
    for i in range(len(y)):
        keep = np.delete(np.arange(len(y)), i)
        residuals[i] = y[i] - K[i, keep] @ solve(K[keep, keep] + lam * np.eye(len(keep)), y[keep])
    return residuals


def _lonely(system: tuple) -> tuple:
    """Make the kernel 0 between the last point and all others."""
    K, y, lam = system
    K[-1, :-1] = K[:-1, -1] = 0.0
    return K, y, lam


_K3 = USE + "x = np.array([0.0, 1.0, 2.5]); y = np.array([1.0, -1.0, 0.5])\nK = np.exp(-(x[:, None] - x)**2 / 2)\n"

KRR_LOO = Exercise(
    name="krr_loo_residuals",
    chapter=CHAPTER,
    number="3.4",
    returns="the leave-one-out residuals y_i - f₋ᵢ(x_i), shape (n,)",
    reference=krr_loo_residuals,
    properties=(
        Property("equals n refits, each without one point", 2, sensitive(systems, krr_loo_residuals)),
        Property(
            "gives y_i for a point whose kernel values with all others are 0",
            1,
            lambda r: [_lonely(s) for s in systems(r, 2)],
            hint="Your answer fails only when k(x_i, x_j) = 0 for all other points. Once it is left out, such a point is "
            "predicted by 0, so its residual is y_i itself.",
        ),
        WHOLE_NUMBERS,
    ),
    promises=(
        VARIED,
        EITHER_SIDE,
        Promise("end with a point whose kernel values with all others are 0", lambda K, y, lam: not K[-1, :-1].any(), of=(1,)),
        WHOLE,
    ),
    misconceptions=(
        Misconception(
            "training residuals",
            from_hat(lambda r, h, y: r),
            "You return the training residuals y - Kα. There every point helps to predict itself. Divide each one by "
            "1 - H_ii.",
            "Read “Leave-one-out without refitting” again: equation (12) starts from the training residual.",
            _K3 + "print(krr_loo_residuals(K, y, 0.01))   # f passes near all points, but misses the one left out: not near 0",
        ),
        Misconception(
            "divided twice",
            from_hat(lambda r, h, y: r / (1 - h) ** 2),
            "You divide by (1 - H_ii)². The square belongs to the squared residual. Divide by 1 - H_ii once.",
            "Read “Leave-one-out without refitting” again, from step 8 to equation (12).",
            USE + "for scale in (1.0, 9.0, 99.0):   # unrelated points, predicted by 0\n"
            "    print(krr_loo_residuals(scale * np.eye(2), np.ones(2), 1.0))   # should print 1, 1 each time",
        ),
        Misconception(
            "square root in the denominator",
            from_hat(lambda r, h, y: r / np.sqrt(1 - h)),
            "You divide by √(1 - H_ii), as for studentised residuals. Equation (12) has no root. Divide by 1 - H_ii.",
            "Read “Leave-one-out without refitting” again: the algebra before equation (12) has no root.",
            USE + "for scale in (3.0, 24.0):   # unrelated points, predicted by 0\n"
            "    print(krr_loo_residuals(scale * np.eye(3), np.ones(3), 1.0))   # should print 1, 1, 1 both times",
        ),
        Misconception(
            "K[keep, keep] is not a block",
            _refitted_without_the_block,
            "You use `K[keep, keep]`, which holds only the diagonal entries of the kept points. The refit needs all "
            "their pairs. Write `K[np.ix_(keep, keep)]`.",
            "Read “Leave-one-out without refitting” again: f₋ᵢ is a fit to all other points.",
            _K3 + "keep = [1, 2]; print(K[keep, keep].shape, K[np.ix_(keep, keep)].shape)\n"
            "print(krr_loo_residuals(K, y, 0.5))   # the first should be y[0] - K[0, keep] @ (fit with the 2 × 2 block)",
        ),
        Misconception(
            "inverse in place of H",
            lambda K, y, lam: (y - (G := _inv(K + lam * np.eye(len(K)))) @ y) / (1 - np.diag(G)),
            "You use (K + λI)⁻¹ in place of H. The matrix that maps y to the fitted values is H = K(K + λI)⁻¹. Multiply "
            "by K.",
            "Read “Effective degrees of freedom” again: its first line defines H.",
            USE + "print(krr_loo_residuals(np.ones((2, 2)), np.array([2.0, 2.0]), 1.0))   # two equal points: should print 1, 1",
        ),
        Misconception(
            "divided by H_ii",
            from_hat(lambda r, h, y: r / h),
            "You divide by H_ii. When f₋ᵢ(x_i) is collected on one side of the equation, the factor 1 - H_ii is left. "
            "Divide by 1 - H_ii.",
            "Read “Leave-one-out without refitting” again, the line before equation (12).",
            _K3 + "print(np.round(krr_loo_residuals(K, y, 1e9), 3), y)   # for so large a λ nothing is fitted: should be equal",
        ),
        Misconception(
            "GCV denominator",
            from_hat(lambda r, h, y: r / (1 - h.mean())),
            "You divide every residual by 1 - tr(H)/n, which is generalised cross-validation. Leave-one-out has a "
            "denominator for each point. Divide residual i by 1 - H_ii.",
            "Read “Leave-one-out without refitting” again: the denominator of (12) has an index i.",
            USE + "print(krr_loo_residuals(np.diag([1.0, 99.0]), np.ones(2), 1.0))   # unrelated points: should print 1, 1",
        ),
        Misconception(
            "divided by the diagonal of K + lambda I",
            lambda K, y, lam: fit_or_fail(K, y, lam) / (np.diag(K) + lam),
            "You divide α_i by K_ii + λ, the diagonal of K + λI. Equation (13) has the diagonal of the inverse. Invert "
            "first, then take the diagonal.",
            "Read “Leave-one-out without refitting” again: in (13) the index ii is outside the inverse.",
            USE + "for lam in (1.0, 4.0):\n"
            "    print(krr_loo_residuals(2 * np.eye(2), np.ones(2), lam))   # unrelated points, predicted by 0: should print 1, 1",
        ),
        # two ways to the same numbers: y - Kα + K_ii α = (K_ii + λ)α
        Misconception(
            "diagonal of K for diagonal of the inverse",
            lambda K, y, lam: fit_or_fail(K, y, lam) * (np.diag(K) + lam),
            "You compute α_i(K_ii + λ). This takes term i out of f, but keeps coefficients that were fitted with point i. "
            "Refit without point i, or use (13).",
            "Read “Leave-one-out without refitting” again: f₋ᵢ is another fit than f.",
            _K3 + "keep = [1, 2]   # leave point 0 out\n"
            "a = np.linalg.solve(K[np.ix_(keep, keep)] + 0.5 * np.eye(2), y[keep])\n"
            "print(y[0] - K[0, keep] @ a, krr_loo_residuals(K, y, 0.5)[0])   # should be equal",
        ),
        Misconception(
            "returns alpha",
            fit_or_fail,
            "You return α. In equation (13) α_i is only the numerator. Divide it by the diagonal entry [(K + λI)⁻¹]_ii.",
            "Read “Leave-one-out without refitting” again, its step 9.",
            _K3 + "for lam in (1e3, 1e6):\n    print(krr_loo_residuals(K, y, lam))   # the fit vanishes: must come near y",
        ),
        Misconception(
            "target set to 0",
            from_hat(lambda r, h, y: r + h * y),
            "You set y_i to 0 instead of leaving point i out, which pulls f towards 0 at x_i. Step 8 replaces y_i with "
            "f₋ᵢ(x_i).",
            "Read “Leave-one-out without refitting” again: the trick of step 8 leaves an error of 0 at point i.",
            USE + "print(np.round(krr_loo_residuals(np.ones((2, 2)), np.array([7.0, 7.0]), 1e-9), 3))   # equal points: should print 0, 0",
        ),
        Misconception(
            "no lambda",
            Changed(loo_or_fail, lambda K, y, lam: (K, y, 0.0)),
            "You leave λ out, so these are leave-one-out residuals of the fit that interpolates. Equation (13) has (K + λI)⁻¹ "
            "in both places. Add λI to K.",
            "Read “Leave-one-out without refitting” again, equation (13).",
            _K3 + "for lam in (0.1, 10.0):\n    print(krr_loo_residuals(K, y, lam))   # must change with λ",
        ),
    ),
    step="Read “Leave-one-out without refitting” again, and follow one index i from step 8 to (13).",
    experiment=_K3 + "for i in range(3):   # n refits\n    keep = np.delete(np.arange(3), i)\n"
    "    a = np.linalg.solve(K[np.ix_(keep, keep)] + 0.5 * np.eye(2), y[keep])\n"
    "    print(y[i] - K[i, keep] @ a, krr_loo_residuals(K, y, 0.5)[i])   # should be equal",
    observations=(
        Observation(
            "On one of the inputs a residual of yours is smaller than the training residual y_i - f(x_i). Leaving a "
            "point out can only make its residual larger.",
            lambda value, K, y, lam: bool(np.any(np.abs(value) < 0.999 * np.abs(y - K @ krr_fit(K, y, lam)))),
        ),
    ),
    sizes=lambda K, y, lam: {"n": len(y), "λ": lam},
    allowed=KERNELS,
)  # fmt: skip


# -- 3.5


def effective_df(K, lam):
    """tr K(K + λI)⁻¹."""
    return float(np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K)))


def _df(K, lam):
    """The same for the mistakes, which may leave a singular system."""
    return np.trace(_hat(K, lam))


def _whole_trace(K, lam):
    """tr K K⁻¹, which NumPy cannot compute where two points coincide."""
    if np.linalg.cond(K) > 1e12:
        raise np.linalg.LinAlgError
    return float(len(K))


_EIG = USE + "K = np.diag([4.0, 1.0])   # eigenvalues μ = 4 and 1\n"

EFFECTIVE_DF = Exercise(
    name="effective_df",
    chapter=CHAPTER,
    number="3.5",
    returns="the effective degrees of freedom, one number",
    reference=effective_df,
    properties=(
        Property("is tr K(K + λI)⁻¹ on random Gram matrices", 2, sensitive(
            lambda r: [s[::2] for s in systems(r)], effective_df)),
        Property(
            "works when two points coincide, so that K is singular",
            1,
            lambda r: [s[::2] for s in systems(r, 2, twin=True)],
            hint="Your answer fails only when two points coincide. Then K has no inverse, because one of its eigenvalues "
            "is 0 up to rounding, but K + λI has one.",
        ),
    ),
    promises=(
        VARIED,
        EITHER_SIDE,
        TWINS,
    ),
    misconceptions=(
        Misconception(
            "trace of K",
            lambda K, lam: np.trace(K),
            "You return tr K, in which λ plays no part. A larger penalty must leave fewer degrees of freedom. Return "
            "the trace of H.",
            "Read “Effective degrees of freedom” again: H = K(K + λI)⁻¹ maps y to the fitted values.",
            _EIG + "print(effective_df(100 * K, 0.5))   # however large K is, must stay below n = 2",
        ),
        Misconception(
            "rank",
            lambda K, lam: float(np.linalg.matrix_rank(K)),
            "You return the rank of K, which is the limit λ → 0. For λ > 0 an eigenvalue μ counts only μ/(μ + λ). Add "
            "up these fractions.",
            "Read “Effective degrees of freedom” again, equation (11).",
            USE + "print(effective_df(np.diag([1.0, 0.001]), 0.1))   # the second direction is nearly erased: should be near 1, not 2",
        ),
        Misconception(
            "trace of the inverse",
            lambda K, lam: np.trace(_inv(K + lam * np.eye(len(K)))),
            "You return the trace of (K + λI)⁻¹. The matrix that maps y to the fitted values is H = K(K + λI)⁻¹. "
            "Multiply by K first.",
            "Read “Effective degrees of freedom” again: its first line defines H.",
            _EIG + "print(effective_df(K, 1e-9))   # hardly any penalty: must come near n = 2",
        ),
        Misconception(
            "trace of H squared",
            lambda K, lam: np.trace(_hat(K, lam) @ _hat(K, lam)),
            "You return tr H², which is another measure of complexity. Equation (11) adds up μ/(μ + λ), not its square. "
            "Return tr H.",
            "Read “Effective degrees of freedom” again, from (10) to (11).",
            USE + "print(effective_df(np.array([[1.0]]), 1.0))   # one direction with μ = λ: should print 1/2",
        ),
        Misconception(
            "no lambda",
            _whole_trace,
            "You return n, because K K⁻¹ = I without λ. For λ > 0 an eigenvalue μ counts less than 1. Add λI before "
            "you invert.",
            "Read “Effective degrees of freedom” again: a factor μ/(μ + λ) is 1 only for λ = 0.",
            _EIG + "for lam in (0.1, 10.0):\n    print(lam, effective_df(K, lam))   # must fall as lam grows",
            error="LinAlgError: (Singular|$)",
        ),
        n_times_lambda(
            _df,
            lambda K, lam: len(K),
            USE + "for n in (1, 10):\n"
            "    print(effective_df(np.eye(n), 1.0) / n)   # each of n unrelated points: should print 1/2",
        ),
        Misconception(
            "lambda squared",
            Changed(_df, lambda K, lam: (K, lam**2)),
            "You use λ² instead of λ. The penalty λ‖f‖² has λ to the first power, so an eigenvalue μ counts μ/(μ + λ).",
            "Read “Effective degrees of freedom” again: H has λI in its bracket.",
            USE + "for lam in (0.5, 2.0):\n"
            "    print(effective_df(np.eye(1), lam) * (1 + lam))   # should print 1 both times",
        ),
        Misconception(
            "lambda added to every entry",
            lambda K, lam: np.trace(K @ _inv(K + lam)),
            "You add λ to every entry of K, as `K + lam` does. λI adds λ to the diagonal only. Multiply λ by the "
            "identity matrix.",
            "Read “Effective degrees of freedom” again: λ is added to every eigenvalue, which only λI does.",
            USE + "print(effective_df(np.eye(3), 1e6))   # a huge penalty: must come near 0",
        ),
        Misconception(
            "eigenvalues squared",
            lambda K, lam: np.sum(np.linalg.eigvalsh(K) ** 2 / (np.linalg.eigvalsh(K) ** 2 + lam)),
            "You add up μ²/(μ² + λ). The eigenvalues μ of K are the squared singular values of Φ already. Do not square "
            "them again.",
            "Read “Effective degrees of freedom” again: equation (11) has μ/(μ + λ).",
            USE + "print(effective_df(np.diag([4.0]), 4.0))   # an eigenvalue μ = λ: should print 1/2",
        ),
        Misconception(
            "sum of all entries",
            lambda K, lam: _hat(K, lam).sum(),
            "You add up all entries of H. A trace is the sum of the diagonal entries. Use `np.trace`.",
            "Read “Effective degrees of freedom” again: tr H = Σ_i H_ii.",
            USE + "K = np.array([[2.0, 1.0], [1.0, 2.0]])   # eigenvalues μ = 3 and 1\n"
            "print(effective_df(K, 1.0), 3/(3 + 1) + 1/(1 + 1))   # should be equal",
        ),
        Misconception(
            "diagonal of K only",
            lambda K, lam: np.sum(np.diag(K) / (np.diag(K) + lam)),
            "You add up K_ii/(K_ii + λ), as the entrywise `K / (K + λI)` does. Equation (11) has the eigenvalues of K. "
            "Solve with the matrix instead.",
            "Read “Effective degrees of freedom” again: the μ_j of (11) come from the eigenbasis of K.",
            USE + "print(effective_df(np.ones((5, 5)), 1e-6))   # five copies of one point: must come near 1",
        ),
        Misconception(
            "entrywise product with the inverse",
            lambda K, lam: np.trace(K * _inv(K + lam * np.eye(len(K)))),
            "You multiply entry by entry, as `K * G` does. H is a product of matrices. Write `K @ G`.",
            "Read “Effective degrees of freedom” again: H maps y to the fitted values.",
            USE + "K = np.ones((2, 2))   # eigenvalues μ = 2 and 0\nprint(effective_df(K, 2.0))   # 2/(2 + 2) + 0: should print 1/2",
        ),
    ),
    step="Read “Effective degrees of freedom” again, from H to equation (11).",
    experiment=USE + "K = np.array([[4.0, 2.0], [2.0, 4.0]])   # eigenvalues μ = 6 and 2\n"
    "print(effective_df(K, 1.0), 6/(6 + 1) + 2/(2 + 1))   # should be equal",
    observations=(
        Observation(
            "Degrees of freedom lie between 0 and n, because each eigenvalue of K counts between 0 and 1. On one of the "
            "inputs your number does not.",
            lambda value, K, lam: bool(not 0 <= value <= len(K)),
        ),
    ),
    sizes=lambda K, lam: {"n": len(K), "λ": lam},
    allowed=KERNELS,
)  # fmt: skip


# -- 3.6


def rkhs_norm2(K, alpha):
    """‖f‖² = αᵀKα."""
    return float(alpha @ K @ alpha)


def _functions(rng: Rng, *, twin: bool = False) -> list[tuple]:
    found = [(gram(rng, n, twin=twin), rng.normal(size=n) * 1.7) for n in rng.permutation([5, 7, 10])]
    K, alpha = found[0]
    alpha *= -np.sign(np.sum(K @ alpha))  # a negative sum of the values, which differs from its absolute value
    return found


def _zero_function(function: tuple) -> tuple:
    """α = (c, -c, 0, …) on two points that coincide, so that f = 0 although α is not 0."""
    K, alpha = function
    # a power of 2, so that αᵀKα is exactly 0 in every order of summation
    alpha[0], alpha[1], alpha[2:] = 2.0, -2.0, 0.0
    return K, alpha


def _twins(rng: Rng) -> list[tuple]:
    """α = (c, -c, …) on two points that coincide: alone, where most wrong formulas also give 0, and with others."""
    *alone, (K, alpha) = _functions(rng, twin=True)
    alpha[1] = -alpha[0]
    return [*map(_zero_function, alone), (K, alpha)]


_ONE = USE + "K = np.array([[4.0]])   # one point with k(x, x) = 4\n"

RKHS_NORM2 = Exercise(
    name="rkhs_norm2",
    chapter=CHAPTER,
    number="3.6",
    returns="the squared norm ‖f‖² in the RKHS, one number",
    reference=rkhs_norm2,
    properties=(
        Property("is ‖Σ α_i k(x_i, ·)‖² for random α", 2, _functions),
        Property(
            "leaves out two equal sections that cancel",
            1,
            _twins,
            hint="Your answer fails only when two points coincide and their coefficients are c and -c. Their sections "
            "cancel, although α is not 0 and K has no inverse. If no others are left, the norm is 0.",
            scale=lambda K, alpha: float(alpha @ np.abs(K) @ alpha + alpha @ alpha),
        ),
    ),
    promises=(
        VARIED,
        TWINS,
        Promise("are the function 0, to the last bit, in all calls but one", lambda found: (
            [bool(a.any() and not (K @ a).any() and a @ K @ a == 0) for K, a in found] == [True, True, False]), (1,), True),
    ),
    misconceptions=(
        Misconception(
            "alpha'alpha",
            lambda K, alpha: alpha @ alpha,
            "You return αᵀα, as if the sections k(x_i, ·) were orthonormal. Their inner products are the entries of K. "
            "Put K between the two α.",
            "Read “The norm in the penalty” again: ⟨k(x_i, ·), k(x_j, ·)⟩ = k(x_i, x_j).",
            USE + "K = np.ones((2, 2))   # two points that coincide\n"
            "print(rkhs_norm2(K, np.array([1.0, -1.0])))   # f = 0: should print 0",
        ),
        Misconception(
            "values, not norm",
            lambda K, alpha: (K @ alpha) @ (K @ alpha),
            "You return ‖Kα‖², the sum of the squared values f(x_i). It measures f at the points only. Equation (8) has "
            "one K, not two.",
            "Read “The norm in the penalty” again, its equation (8).",
            _ONE + "print(rkhs_norm2(K, np.array([1.0])))   # ‖k(x, ·)‖² = k(x, x): should print 4",
        ),
        Misconception(
            "square root",
            lambda K, alpha: np.sqrt(alpha @ K @ alpha),
            "You return ‖f‖. The exercise asks for ‖f‖², which λ multiplies in the penalty. Leave out the root.",
            "Read “The norm in the penalty” again: (8) is the squared norm.",
            _ONE + "print(rkhs_norm2(K, np.array([6.0])) / rkhs_norm2(K, np.array([2.0])))   # three times f: should print 9",
        ),
        Misconception(
            "diagonal only",
            lambda K, alpha: np.sum(np.diag(K) * alpha**2),
            "You add up only the terms with i = j. The cross terms α_iα_j k(x_i, x_j) are missing. Sum over all pairs.",
            "Read “The norm in the penalty” again: in (8) i and j both run over all points.",
            USE + "K = np.ones((2, 2))   # two points that coincide, so the two f below are one\n"
            "print(rkhs_norm2(K, np.array([1.0, 1.0])), rkhs_norm2(K, np.array([2.0, 0.0])))   # should be equal",
        ),
        Misconception(
            "each pair once",
            lambda K, alpha: alpha @ np.triu(K) @ alpha,
            "You count each pair i < j once. The sum (8) contains (i, j) and (j, i). Count the cross terms twice.",
            "Read “The norm in the penalty” again: in (8) i and j run independently.",
            USE + "K = np.ones((2, 2))   # two points that coincide: f = 2 k(x, ·)\n"
            "print(rkhs_norm2(K, np.array([1.0, 1.0])))   # 2² k(x, x): should print 4",
        ),
        Misconception(
            "one alpha of each pair",
            lambda K, alpha: np.sum(K * alpha**2),
            "You multiply K_ij by α_j². In `alpha * K * alpha` both factors scale the columns. Multiply K_ij by α_i and "
            "α_j.",
            "Read “The norm in the penalty” again: each k(x_i, x_j) has the factors α_i and α_j.",
            USE + "K = np.ones((2, 2))\nprint(rkhs_norm2(K, np.array([0.0, 3.0])))   # f = 3 k(x, ·): should print 9",
        ),
        Misconception(
            "diagonal missing",
            lambda K, alpha: alpha @ (K - np.diag(np.diag(K))) @ alpha,
            "You leave out the terms with i = j. The sum (8) runs over all i and j. Add the terms α_i² k(x_i, x_i).",
            "Read “The norm in the penalty” again: (8) leaves no pair out.",
            USE + "print(rkhs_norm2(np.eye(2), np.array([3.0, 4.0])))   # orthonormal sections: should print 25",
        ),
        Misconception(
            "return inside the loop",
            lambda K, alpha: alpha[0] * (K[0] @ alpha),
            "You add up only the terms with i = 0. A `return` inside the outer loop ends it in its first round, for "
            "example. Sum over all i.",
            "Read “The norm in the penalty” again: in (8) i runs over all points, not only over the first.",
            USE + "print(rkhs_norm2(np.eye(2), np.array([0.0, 5.0])))   # the second point alone: should print 25",
        ),
        Misconception(
            "sum of the values",
            lambda K, alpha: np.sum(K @ alpha),
            "You add up the values f(x_i). In (8) each value is multiplied by its α_i. Multiply before you add.",
            "Read “The norm in the penalty” again: the double sum has an α_i outside and an α_j inside.",
            _ONE + "print(rkhs_norm2(K, np.array([-1.0])))   # a squared length: must not be negative",
        ),
        Misconception(
            "inverse of K",
            lambda K, alpha: alpha @ solve(K, alpha),
            "You return αᵀK⁻¹α. The inverse belongs to the values f(x_i), and α holds coefficients. Use K itself.",
            "Read “The norm in the penalty” again: (8) starts from coefficients.",
            USE + "for c in (1.0, 100.0):\n    print(rkhs_norm2(c * np.eye(1), np.ones(1)))   # ‖k(x, ·)‖² = k(x, x): should be c",
        ),
    ),
    step="Read “The norm in the penalty” again, and write out (8) for two points.",
    experiment=USE + "K = np.array([[2.0, 1.0], [1.0, 2.0]])\n"
    "print(rkhs_norm2(K, np.array([1.0, 3.0])), 1*1*2 + 2*(1*3*1) + 3*3*2)   # (8) for two points: should be equal",
    observations=(
        Observation(
            "A squared norm is never negative. On one of the inputs your number is.",
            lambda value, K, alpha: bool(value < -1e-9),
        ),
    ),
    sizes=lambda K, alpha: {"n": len(K)},
    allowed=KERNELS,
)  # fmt: skip
