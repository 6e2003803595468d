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
    lambda_mistakes,
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


def _refitted(K, y, lam, block):
    """n refits, with ``block(K, keep)`` for the Gram matrix of the points that are kept."""
    residuals = np.empty(len(y))
    for i in range(len(y)):
        keep = np.delete(np.arange(len(y)), i)
        residuals[i] = y[i] - K[i, keep] @ solve(block(K, keep) + lam * np.eye(len(keep)), y[keep])
    return residuals


def _lonely(system: tuple) -> tuple:
    """Make the last point like no other."""
    K, y, lam = system
    K[-1, :-1] = K[:-1, -1] = 0.0
    return K, y, lam


_REFIT = (
    USE
    + "x = np.array([0.0, 1.0, 2.5]); y = np.array([1.0, -1.0, 0.5])\n"
    + "K = np.exp(-(x[:, None] - x)**2 / 2); keep = [1, 2]          # leave point 0 out\n"
    + "a = np.linalg.solve(K[np.ix_(keep, keep)] + 0.5 * np.eye(2), y[keep])\n"
)
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
            "leaves y_i for a point that is like no other",
            1,
            lambda r: [_lonely(s) for s in systems(r, 2)],
            hint="Your answer fails only when k(x_i, x_j) = 0 for all other points: such a point is predicted by 0 "
            "once it is left out, so its residual is y_i itself.",
        ),
        WHOLE_NUMBERS,
    ),
    promises=(
        VARIED,
        EITHER_SIDE,
        Promise("end with a point that is like no other", lambda K, y, lam: not K[-1, :-1].any(), of=(1,)),
        WHOLE,
    ),
    misconceptions=(
        Misconception(
            "training residuals",
            from_hat(lambda r, h, y: r),
            "These are the training residuals y - Kα: every point helped to predict itself.",
            "Read “Leave-one-out without refitting” again: each residual is still to be divided by 1 - H_ii.",
            _K3 + "print(krr_loo_residuals(K, y, 1e-6))   # f passes through all points, but misses the one left out: not 0",
        ),
        Misconception(
            "coefficients over λ",
            lambda K, y, lam: fit_or_fail(K, y, lam) / lam,
            "You divide α_i by λ: λα_i are the training residuals, and the residual without point i is α_i over the diagonal entry "
            "[(K + λI)⁻¹]_ii.",
            "Read “Leave-one-out without refitting” again: equation (13).",
            USE + "for lam in (0.5, 2.0):   # unrelated points, predicted by 0\n"
            "    print(krr_loo_residuals(np.eye(2), np.array([3.0, -1.0]), lam))   # should print 3, -1 both times",
        ),
        Misconception(
            "sign flipped",
            lambda K, y, lam: -loo_or_fail(K, y, lam),
            "Right up to the sign: a residual is y - f, what is observed minus what is predicted.",
            "Read “Leave-one-out without refitting” again: it looks at y_i minus f₋ᵢ(x_i), in this order.",
            USE + "print(krr_loo_residuals(np.eye(2), np.array([3.0, -1.0]), 0.5))   # unrelated points: should print 3, -1",
        ),
        Misconception(
            "divided twice",
            from_hat(lambda r, h, y: r / (1 - h) ** 2),
            "You divide by (1 - H_ii)²: the square belongs to the squared error, not to the residual.",
            "Read “Leave-one-out without refitting” again: equation (12) divides by 1 - H_ii once.",
            USE + "for scale in (1.0, 9.0, 99.0):   # unrelated points, predicted by 0\n"
            "    print(krr_loo_residuals(scale * np.eye(2), np.ones(2), 1.0))   # should print 1, 1 each time",
        ),
        Misconception(
            "square root in the denominator",
            from_hat(lambda r, h, y: r / np.sqrt(1 - h)),
            "You divide by √(1 - H_ii), as for studentised residuals; leave-one-out divides by 1 - H_ii.",
            "Read “Leave-one-out without refitting” again: the algebra before equation (12) has no root.",
            USE + "for scale in (3.0, 24.0):   # unrelated points, predicted by 0\n"
            "    print(krr_loo_residuals(scale * np.eye(3), np.ones(3), 1.0))   # should print 1, 1, 1 both times",
        ),
        Misconception(
            "multiplied, not divided",
            from_hat(lambda r, h, y: r * (1 - h)),
            "You multiply by 1 - H_ii where you should divide: a left-out point is missed by more, not by less.",
            "Read “Leave-one-out without refitting” again: its check says that left-out residuals are larger than training residuals.",
            _K3 + "train = y - K @ np.linalg.solve(K + 0.5 * np.eye(3), y)\n"
            "print(np.abs(krr_loo_residuals(K, y, 0.5)) > np.abs(train))   # should print True three times",
        ),
        Misconception(
            "multiplied by the diagonal of the inverse",
            lambda K, y, lam: fit_or_fail(K, y, lam) * np.diag(_inv(K + lam * np.eye(len(K)))),
            "You multiply α_i by [(K + λI)⁻¹]_ii; it must be divided by it.",
            "Read “Leave-one-out without refitting” again: in (13) the diagonal stands below the line.",
            USE + "print(krr_loo_residuals(3 * np.eye(2), np.ones(2), 1.0))   # unrelated points, predicted by 0: should print 1, 1",
        ),
        Misconception(
            "K[keep, keep] is not a block",
            lambda K, y, lam: _refitted(K, y, lam, lambda K, keep: K[keep, keep]),
            "`K[keep, keep]` takes only the diagonal entries of the block of the kept points; `K[np.ix_(keep, keep)]` takes "
            "the whole block.",
            "Read “Leave-one-out without refitting” again: the fit without point i needs all pairs of the others.",
            _K3 + "keep = [1, 2]; print(K[keep, keep].shape, K[np.ix_(keep, keep)].shape)\n"
            "print(krr_loo_residuals(K, y, 0.5))   # the first should be y[0] - K[0, keep] @ (fit with the 2 × 2 block)",
        ),
        Misconception(
            "inverse in place of H",
            lambda K, y, lam: (y - (G := _inv(K + lam * np.eye(len(K)))) @ y) / (1 - np.diag(G)),
            "You use (K + λI)⁻¹ where H = K(K + λI)⁻¹ is meant: the factor K is missing, and Hy must be the fitted values.",
            "Read “Effective degrees of freedom” again: H is defined at its beginning, as the matrix that maps y to the fit.",
            USE + "print(krr_loo_residuals(np.ones((2, 2)), np.array([2.0, 2.0]), 1.0))   # its twin predicts 2/(1 + λ): should print 1, 1",
        ),
        Misconception(
            "divided by H_ii",
            from_hat(lambda r, h, y: r / h),
            "You divide by H_ii; it must be 1 - H_ii, what the point does not contribute to its own prediction.",
            "Read “Leave-one-out without refitting” again: collecting f₋ᵢ(x_i) on one side leaves 1 - H_ii.",
            _K3 + "print(krr_loo_residuals(K, y, 1e9), y)   # nothing is fitted any more: should be equal",
        ),
        Misconception(
            "GCV denominator",
            from_hat(lambda r, h, y: r / (1 - h.mean())),
            "You divide every residual by the same 1 - tr(H)/n: that is generalised cross-validation; leave-one-out "
            "has each point's own H_ii.",
            "Read “Leave-one-out without refitting” again: the denominator of (12) has an index i.",
            USE + "print(krr_loo_residuals(np.diag([1.0, 99.0]), np.ones(2), 1.0))   # unrelated points: should print 1, 1",
        ),
        Misconception(
            "divided by the diagonal of K + lambda I",
            lambda K, y, lam: fit_or_fail(K, y, lam) / (np.diag(K) + lam),
            "You divide α_i by K_ii + λ, the diagonal of K + λI: it is the diagonal of the inverse that stands below the line.",
            "Read “Leave-one-out without refitting” again: in (13) the matrix is inverted first, then its entry ii is taken.",
            USE + "for lam in (1.0, 4.0):\n"
            "    print(krr_loo_residuals(2 * np.eye(2), np.ones(2), lam))   # unrelated points, predicted by 0: should print 1, 1",
        ),
        # two ways to the same numbers: y - Kα + K_ii α = (K_ii + λ)α
        Misconception(
            "diagonal of K for diagonal of the inverse",
            lambda K, y, lam: fit_or_fail(K, y, lam) * (np.diag(K) + lam),
            "You compute α_i (K_ii + λ): either 1/(K_ii + λ) was taken for the diagonal of the inverse, or the term of point "
            "i was dropped from f while all other α_j, which were fitted with it, were kept.",
            "Read “Leave-one-out without refitting” again: in (13) the matrix is inverted first, then its entry ii is taken.",
            _REFIT + "print(y[0] - K[0, keep] @ a, krr_loo_residuals(K, y, 0.5)[0])   # should be equal",
        ),
        Misconception(
            "no lambda in the denominator",
            lambda K, y, lam: fit_or_fail(K, y, lam) / np.diag(_inv(K)),
            "Your denominator is the diagonal of K⁻¹, without λ: it is that of (K + λI)⁻¹, as in the numerator.",
            "Read “Leave-one-out without refitting” again: (13) has the same inverse above and below the line.",
            USE + "for lam in (0.01, 1.0):   # unrelated points, predicted by 0 whatever λ\n"
            "    print(krr_loo_residuals(np.eye(2), np.ones(2), lam))   # should print 1, 1 both times",
        ),
        Misconception(
            "returns alpha",
            fit_or_fail,
            "You return α; the leave-one-out residual is α_i divided by [(K + λI)⁻¹]_ii.",
            "Read “Leave-one-out without refitting” again: α_i is the numerator of (13).",
            _K3 + "for lam in (1e3, 1e6):\n    print(krr_loo_residuals(K, y, lam))   # the fit vanishes: must come near y",
        ),
        Misconception(
            "predictions, not residuals",
            lambda K, y, lam: y - loo_or_fail(K, y, lam),
            "You return the left-out predictions f₋ᵢ(x_i); the residuals y_i - f₋ᵢ(x_i) are asked for.",
            "Read “Leave-one-out without refitting” again: what is squared and averaged later is y_i - f₋ᵢ(x_i).",
            USE + "print(krr_loo_residuals(np.ones((2, 2)), np.ones(2), 1e-9))   # its twin predicts each point well: should be near 0",
        ),
        Misconception(
            "target set to 0",
            from_hat(lambda r, h, y: r + h * y),
            "You set y_i to 0 instead of leaving the point out: then f is pulled towards 0 there, which no data asked for.",
            "Read “Leave-one-out without refitting” again: the trick puts f₋ᵢ(x_i) in the place of y_i, not 0.",
            USE + "print(krr_loo_residuals(np.ones((2, 2)), np.array([7.0, 7.0]), 1e-9))   # twins with equal targets: should be near 0",
        ),
        Misconception(
            "no lambda",
            Changed(loo_or_fail, lambda K, y, lam: (K, y, 0.0)),
            "λ is missing from K + λI: these are the leave-one-out residuals of the interpolating fit.",
            "Read “Leave-one-out without refitting” again: in (13) it is (K + λI)⁻¹ in both places.",
            _K3 + "for lam in (0.1, 10.0):\n    print(krr_loo_residuals(K, y, lam))   # must change with λ",
        ),
        *lambda_mistakes(
            loo_or_fail,
            lambda K, y, lam: len(K),
            {
                "n times lambda": USE + "for n in (2, 5):   # n equal points, and λ = n - 1\n"
                "    print(krr_loo_residuals(np.ones((n, n)), np.ones(n), n - 1.0)[0])   # should print 1/2 both times",
                "lambda over n": USE + "for n in (2, 5):   # n equal points, and λ = 1\n"
                "    print(1 / krr_loo_residuals(np.ones((n, n)), np.ones(n), 1.0)[0])   # should be n",
                "lambda squared": USE + "for lam in (0.5, 2.0):   # two equal points\n"
                "    print(krr_loo_residuals(np.ones((2, 2)), np.ones(2), lam)[0] * (1 + lam) / lam)   # should print 1 both times",
                "half lambda": USE + "print(krr_loo_residuals(np.ones((2, 2)), np.ones(2), 1.0))   # twin: 1/(1 + λ), should print 1/2",
                "twice lambda": USE + "print(krr_loo_residuals(np.ones((2, 2)), np.ones(2), 3.0))   # twin: 1/(1 + λ), should print 3/4",
            },
        ),
        Misconception(
            "lambda added to every entry",
            lambda K, y, lam: loo_or_fail(K + lam * (1 - np.eye(len(K))), y, lam),
            "`K + lam` adds λ to every entry of K; λI adds it to the diagonal only.",
            "Read “Leave-one-out without refitting” again: it is the inverse of K + λI, with I the identity matrix.",
            USE + "print(krr_loo_residuals(np.eye(2), np.array([1.0, 0.0]), 0.5))   # unrelated points: should print 1, 0",
        ),
        Misconception(
            "squared",
            lambda K, y, lam: loo_or_fail(K, y, lam) ** 2,
            "You return the squared residuals; leave the squaring to whoever averages them.",
            "Read “Leave-one-out without refitting” again: (12) and (13) are residuals, with their sign.",
            USE + "print(krr_loo_residuals(np.eye(2), np.array([1.0, -1.0]), 0.5))   # one above f, one below: the signs must differ",
        ),
    ),
    step="Read “Leave-one-out without refitting” again and follow one index i from (12) to (13).",
    experiment=_K3 + "for i in range(3):   # n refits\n    keep = np.delete(np.arange(3), i)\n"
    "    a = np.linalg.solve(K[np.ix_(keep, keep)] + 0.5 * np.eye(2), y[keep])\n"
    "    print(y[i] - K[i, keep] @ a, krr_loo_residuals(K, y, 0.5)[i])   # should be equal",
    observations=(
        Observation(
            "On one of the inputs a residual of yours is smaller than the training residual y_i - f(x_i), with point i "
            "included: leaving a point out can only make the error at this point larger.",
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


_EIG = USE + "K = np.diag([4.0, 1.0])   # eigenvalues 4 and 1\n"


def _whole_trace(K, lam):
    """tr K K⁻¹, which NumPy cannot compute where two points coincide."""
    if np.linalg.cond(K) > 1e12:
        raise np.linalg.LinAlgError
    return float(len(K))


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
            hint="Your answer fails only when two points coincide: such a K has no inverse, since one of its "
            "eigenvalues is 0 up to rounding; K + λI is safe.",
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
            "You return tr K: λ plays no part in it, but a stronger penalty must leave fewer degrees of freedom.",
            "Read “Effective degrees of freedom” again: the trace is that of H = K(K + λI)⁻¹, which maps y to the fit.",
            _EIG + "print(effective_df(100 * K, 0.5))   # however large K is, must stay below n = 2",
        ),
        Misconception(
            "rank",
            lambda K, lam: float(np.linalg.matrix_rank(K)),
            "You return the rank of K, the limit λ → 0; with λ > 0 every direction counts for less than 1.",
            "Read “Effective degrees of freedom” again: an eigenvalue μ counts μ/(μ + λ), not 1.",
            USE + "print(effective_df(np.diag([1.0, 0.001]), 0.1))   # the second direction is nearly erased: should be near 1, not 2",
        ),
        Misconception(
            "trace of the inverse",
            lambda K, lam: np.trace(_inv(K + lam * np.eye(len(K)))),
            "You return tr (K + λI)⁻¹: the factor K before it is missing.",
            "Read “Effective degrees of freedom” again: H = K(K + λI)⁻¹ maps y to the fitted values.",
            _EIG + "print(effective_df(K, 1e-9))   # hardly any penalty: must come near n = 2",
        ),
        Misconception(
            "trace of H squared",
            lambda K, lam: np.trace(_hat(K, lam) @ _hat(K, lam)),
            "You return tr H²: another measure of complexity (of the variance); the one asked for is tr H.",
            "Read “Effective degrees of freedom” again: the sum (11) has μ/(μ + λ), not its square.",
            USE + "print(effective_df(np.array([[1.0]]), 1.0))   # one direction with w = λ: should print 1/2",
        ),
        Misconception(
            "trace of 2H - HH",
            lambda K, lam: np.trace(2 * _hat(K, lam) - _hat(K, lam) @ _hat(K, lam)),
            "You return tr(2H - HHᵀ), another definition in the literature; here degrees of freedom are tr H.",
            "Read “Effective degrees of freedom” again: equation (11) is the trace of H itself.",
            USE + "print(effective_df(np.array([[1.0]]), 9.0))   # one direction with w = 1, λ = 9: should print 1/10",
        ),
        Misconception(
            "residual degrees of freedom",
            lambda K, lam: len(K) - _df(K, lam),
            "You return n - tr H, what is left for the residuals; the fit itself uses tr H.",
            "Read “Effective degrees of freedom” again: a larger λ means a simpler fit, so the number must fall.",
            _EIG + "print(effective_df(K, 1e9))   # a huge penalty leaves no freedom: must come near 0",
        ),
        Misconception(
            "no lambda",
            _whole_trace,
            "You return n: without λ, K K⁻¹ = I and every point counts fully.",
            "Read “Effective degrees of freedom” again: an eigenvalue μ counts μ/(μ + λ), which is 1 only for λ = 0.",
            _EIG + "for lam in (0.1, 10.0):\n    print(lam, effective_df(K, lam))   # must fall as lam grows",
            error="LinAlgError: (Singular|$)",
        ),
        *lambda_mistakes(
            _df,
            lambda K, lam: len(K),
            {
                "n times lambda": USE + "for n in (1, 10):\n"
                "    print(effective_df(np.eye(n), 1.0) / n)   # each of n unrelated points: should print 1/2",
                "lambda over n": USE + "for n in (1, 10):\n"
                "    print(effective_df(np.eye(n), 3.0) / n)   # each of n unrelated points: should print 1/4",
                "lambda squared": USE + "for lam in (0.5, 2.0):\n"
                "    print(effective_df(np.eye(1), lam) * (1 + lam))   # should print 1 both times",
                "half lambda": USE + "print(effective_df(np.eye(2), 1.0))   # two directions with w = λ: should print 1/2 + 1/2",
                "twice lambda": USE + "print(effective_df(np.diag([3.0]), 3.0))   # one direction with w = λ = 3: should print 1/2",
            },
        ),
        Misconception(
            "lambda added to every entry",
            lambda K, lam: np.trace(K @ _inv(K + lam)),
            "`K + lam` adds λ to every entry of K; λI adds it to the diagonal only.",
            "Read “Effective degrees of freedom” again: λ is added to every eigenvalue, which only λI does.",
            USE + "print(effective_df(np.eye(3), 1e6))   # a huge penalty: must come near 0",
        ),
        Misconception(
            "eigenvalues squared",
            lambda K, lam: np.sum(np.linalg.eigvalsh(K) ** 2 / (np.linalg.eigvalsh(K) ** 2 + lam)),
            "You add up μ²/(μ² + λ): the squares belong to the singular values of Φ, and the eigenvalues μ of K are those "
            "squares already.",
            "Read “Effective degrees of freedom” again: equation (11) has μ/(μ + λ) with μ an eigenvalue of K.",
            USE + "print(effective_df(np.diag([4.0]), 4.0))   # an eigenvalue equal to λ: should print 1/2",
        ),
        Misconception(
            "sum of all entries",
            lambda K, lam: _hat(K, lam).sum(),
            "You add up all entries of H; a trace adds up its diagonal.",
            "Read “Effective degrees of freedom” again: tr H = Σ_i H_ii.",
            USE + "K = np.array([[2.0, 1.0], [1.0, 2.0]])   # eigenvalues 3 and 1\n"
            "print(effective_df(K, 1.0), 3/(3 + 1) + 1/(1 + 1))   # should be equal",
        ),
        Misconception(
            "diagonal, not summed",
            lambda K, lam: np.diag(_hat(K, lam)),
            "You return the diagonal of H; its sum is asked for, one number.",
            "Read “Effective degrees of freedom” again: counting the factors of (10) means adding them up.",
            _EIG + "print(np.shape(effective_df(K, 1.0)))   # one number: should print ()",
        ),
        Misconception(
            "diagonal of K only",
            lambda K, lam: np.sum(np.diag(K) / (np.diag(K) + lam)),
            "You add up K_ii/(K_ii + λ), as the entrywise `K / (K + λI)` does: that would be right for the eigenvalues of K, "
            "which are not its diagonal.",
            "Read “Effective degrees of freedom” again: the μ_j of (11) come from the eigenbasis of K.",
            USE + "print(effective_df(np.ones((5, 5)), 1e-6))   # five copies of one point: must come near 1",
        ),
        Misconception(
            "the wrong factor inverted",
            lambda K, lam: np.trace(_inv(K) @ (K + lam * np.eye(len(K)))),
            "You return tr K⁻¹(K + λI): the wrong factor is inverted, so your number grows with λ.",
            "Read “Effective degrees of freedom” again: H = K(K + λI)⁻¹, and K itself is never inverted.",
            USE + "for lam in (1.0, 5.0):\n    print(effective_df(2 * np.eye(2), lam))   # must fall, from 4/3",
        ),
        Misconception(
            "as if K were the identity",
            lambda K, lam: len(K) / (1 + lam),
            "You return n/(1 + λ), which is right for unrelated points with k(x, x) = 1; the entries of K must play a part.",
            "Read “Effective degrees of freedom” again: each eigenvalue μ of K counts μ/(μ + λ).",
            USE + "for scale in (1.0, 100.0):\n    print(effective_df(scale * np.eye(2), 1.0))   # must grow with K",
        ),
        Misconception(
            "ratio of two traces",
            lambda K, lam: np.trace(K) / np.trace(K + lam * np.eye(len(K))),
            "You divide tr K by tr(K + λI): the trace of a product is not the product of the traces.",
            "Read “Effective degrees of freedom” again: each eigenvalue has a denominator μ_j + λ of its own.",
            USE + "print(effective_df(np.eye(7), 1e-9))   # seven unrelated points, hardly any penalty: must come near 7",
        ),
        Misconception(
            "lambda once beside the trace",
            lambda K, lam: np.trace(K) / (np.trace(K) + lam),
            "You return tr K/(tr K + λ), as if there were one direction with all the variance: each eigenvalue is shrunk by "
            "itself, and only then are they added up.",
            "Read “Effective degrees of freedom” again: the sum (11) has a fraction for each eigenvalue μ_j.",
            USE + "for n in (1, 4):   # n unrelated points, each counting 1/(1 + 1)\n"
            "    print(effective_df(np.eye(n), 1.0) / n)   # should print 1/2 both times",
        ),
        Misconception(
            "minus lambda",
            lambda K, lam: np.trace(K @ _inv(K - lam * np.eye(len(K)))),
            "You subtract λ from the diagonal of K: then an eigenvalue counts μ/(μ - λ), more than 1 or less than 0.",
            "Read “Effective degrees of freedom” again: λ is added, and each factor lies between 0 and 1.",
            _EIG + "for lam in (0.1, 0.5, 0.9):\n    print(lam, effective_df(K, lam))   # must fall, and stay below 2",
        ),
        Misconception(
            "entrywise product with the inverse",
            lambda K, lam: np.trace(K * _inv(K + lam * np.eye(len(K)))),
            "`K * G` multiplies entry by entry; the product of matrices is `K @ G`.",
            "Read “Effective degrees of freedom” again: H is a product of matrices, it maps y to the fitted values.",
            USE + "K = np.ones((2, 2))   # eigenvalues 2 and 0\nprint(effective_df(K, 2.0))   # should print 2/(2 + 2) + 0",
        ),
    ),
    step="Read “Effective degrees of freedom” again, from H to equation (11).",
    experiment=USE + "K = np.array([[5.0, 3.0], [3.0, 5.0]])   # eigenvalues 8 and 2\n"
    "print(effective_df(K, 2.0), 8/(8 + 2) + 2/(2 + 2))   # should be equal",
    observations=(
        Observation(
            "Degrees of freedom lie between 0 and n, for each eigendirection counts for something between 0 and 1; on one "
            "of the inputs your number does not.",
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
    return [(gram(rng, n, twin=twin), rng.normal(size=n) * 1.7) for n in rng.permutation([5, 7, 10])]


def _zero_function(function: tuple) -> tuple:
    """α = (c, -c, 0, …) on two points that coincide: f = 0, although α is not."""
    K, alpha = function
    # a power of 2, so that αᵀKα is exactly 0 in every order of summation (its root, too)
    alpha[0], alpha[1], alpha[2:] = 2.0, -2.0, 0.0
    return K, alpha


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
            "is 0 for two equal sections that cancel",
            1,
            lambda r: [_zero_function(f) for f in _functions(r, twin=True)[:2]],
            hint="Your answer fails only when two points coincide and their coefficients are c and -c: f is 0 "
            "everywhere and so is its norm, although α is not 0 and K has no inverse.",
            scale=lambda K, alpha: float(alpha @ np.abs(K) @ alpha + alpha @ alpha),
        ),
    ),
    promises=(
        VARIED,
        TWINS,
        Promise("are the function 0, to the last bit", lambda K, a: a.any() and not (K @ a).any() and a @ K @ a == 0, (1,)),
    ),
    misconceptions=(
        Misconception(
            "alpha'alpha",
            lambda K, alpha: alpha @ alpha,
            "You return αᵀα, as if the k(x_i, ·) were orthonormal; their inner products are the entries of K.",
            "Read “The norm in the penalty” again: ⟨k(x_i, ·), k(x_j, ·)⟩ = k(x_i, x_j).",
            USE + "K = np.ones((2, 2))   # two points that coincide\n"
            "print(rkhs_norm2(K, np.array([1.0, -1.0])))   # f = 0: should print 0",
        ),
        Misconception(
            "values, not norm",
            lambda K, alpha: (K @ alpha) @ (K @ alpha),
            "You return ‖Kα‖², the sum of the squared values f(x_i): how large f is at the points, not how long it is.",
            "Read “The norm in the penalty” again: αᵀKα has one K.",
            _ONE + "print(rkhs_norm2(K, np.array([1.0])))   # ‖k(x, ·)‖² = k(x, x): should print 4",
        ),
        Misconception(
            "square root",
            lambda K, alpha: np.sqrt(alpha @ K @ alpha),
            "You return ‖f‖; its square ‖f‖² is asked for, the quantity that λ multiplies.",
            "Read “The norm in the penalty” again: (8) is the squared norm, and the penalty is λ times it.",
            _ONE + "print(rkhs_norm2(K, np.array([6.0])) / rkhs_norm2(K, np.array([2.0])))   # three times f: should print 9",
        ),
        Misconception(
            "norm of the values",
            lambda K, alpha: np.linalg.norm(K @ alpha),
            "You return the length of the vector Kα of values f(x_i): neither K nor the square is where it belongs.",
            "Read “The norm in the penalty” again: ‖f‖ is a length in the RKHS, and its square is αᵀKα.",
            USE + "for c in (4.0, 9.0):   # one point with k(x, x) = c, and f = k(x, ·)/c\n"
            "    print(rkhs_norm2(np.array([[c]]), np.array([1 / c])))   # should be c/c² = 1/c",
        ),
        Misconception(
            "diagonal only",
            lambda K, alpha: np.sum(np.diag(K) * alpha**2),
            "You add up α_i² k(x_i, x_i) only; the cross terms 2 α_i α_j k(x_i, x_j) are missing.",
            "Read “The norm in the penalty” again: the sum in (8) runs over all pairs i, j.",
            USE + "K = np.ones((2, 2))   # two points that coincide, so the two f below are one\n"
            "print(rkhs_norm2(K, np.array([1.0, 1.0])), rkhs_norm2(K, np.array([2.0, 0.0])))   # should be equal",
        ),
        Misconception(
            "each pair once",
            lambda K, alpha: alpha @ np.triu(K) @ alpha,
            "You count each pair i < j once, but (i, j) and (j, i) are both in the sum: the cross terms need a factor 2.",
            "Read “The norm in the penalty” again: in (8) both i and j run over all points.",
            USE + "K = np.ones((2, 2))   # two points that coincide: f = 2 k(x, ·)\n"
            "print(rkhs_norm2(K, np.array([1.0, 1.0])))   # should print 2² k(x, x) = 4",
        ),
        Misconception(
            "one alpha of each pair",
            lambda K, alpha: np.sum(K * alpha**2),
            "You multiply K_ij by α_j² where α_i α_j belongs: `alpha * K * alpha` scales the columns twice and the rows never.",
            "Read “The norm in the penalty” again: each k(x_i, x_j) goes with one α_i and one α_j.",
            USE + "K = np.ones((2, 2))\nprint(rkhs_norm2(K, np.array([0.0, 3.0])))   # f = 3 k(x, ·): should print 9",
        ),
        Misconception(
            "diagonal missing",
            lambda K, alpha: alpha @ (K - np.diag(np.diag(K))) @ alpha,
            "The terms α_i² k(x_i, x_i) are missing: the sum runs over i = j as well.",
            "Read “The norm in the penalty” again: in (8) no pair is left out.",
            USE + "print(rkhs_norm2(np.eye(2), np.array([3.0, 4.0])))   # orthonormal sections: should print 3² + 4²",
        ),
        Misconception(
            "return inside the loop",
            lambda K, alpha: alpha[0] * (K[0] @ alpha),
            "Only the terms with i = 0 are added up: a `return` that is indented too far ends the loop in its first round.",
            "Read “The norm in the penalty” again: in (8) i runs over all points, not only over the first.",
            USE + "print(rkhs_norm2(np.eye(2), np.array([0.0, 5.0])))   # the second point alone: should print 25",
        ),
        Misconception(
            "last term only",
            lambda K, alpha: alpha[-1] ** 2 * K[-1, -1],
            "You return the last term of the sum: write `+=` in the loop, where `=` forgets what came before.",
            "Read “The norm in the penalty” again: (8) adds up n² terms.",
            USE + "print(rkhs_norm2(np.eye(2), np.array([5.0, 0.0])))   # the first point alone: should print 25",
        ),
        Misconception(
            "sum of the values",
            lambda K, alpha: np.sum(K @ alpha),
            "You add up the values f(x_i); each is still to be multiplied by its α_i.",
            "Read “The norm in the penalty” again: the double sum has an α_i outside and an α_j inside.",
            _ONE + "print(rkhs_norm2(K, np.array([-1.0])))   # a squared length: must not be negative",
        ),
        Misconception(
            "inverse of K",
            lambda K, alpha: alpha @ solve(K, alpha),
            "You return αᵀK⁻¹α: that is the norm for given values f(x_i); for given coefficients it is αᵀKα.",
            "Read “The norm in the penalty” again and look which of the two, α or the values Kα, stands outside.",
            USE + "for c in (1.0, 100.0):\n    print(rkhs_norm2(c * np.eye(1), np.ones(1)))   # ‖k(x, ·)‖² = k(x, x): should be c",
        ),
        Misconception(
            "values, not summed",
            lambda K, alpha: K @ alpha,
            "You return the values Kα, one for each point; the inner product with α is missing.",
            "Read “The norm in the penalty” again: αᵀ(Kα) is one number.",
            USE + "print(np.shape(rkhs_norm2(np.eye(2), np.array([1.0, 2.0]))))   # one number: should print ()",
        ),
        Misconception(
            "products, not summed",
            lambda K, alpha: alpha * (K @ alpha),
            "You return the n products α_i f(x_i); their sum is asked for, `alpha @ (K @ alpha)`.",
            "Read “The norm in the penalty” again: (8) sums over i as well as over j.",
            USE + "print(rkhs_norm2(np.eye(3), np.ones(3)))   # three orthonormal sections: should be one number, 3",
        ),
    ),
    step="Read “The norm in the penalty” again and write out (8) for two points.",
    experiment=USE + "K = np.array([[2.0, 1.0], [1.0, 2.0]])\n"
    "print(rkhs_norm2(K, np.array([1.0, 3.0])), 1*1*2 + 2*(1*3*1) + 3*3*2)   # (8) for two points: should be equal",
    observations=(
        Observation(
            "A squared norm is never negative; on one of the inputs your number is.",
            lambda value, K, alpha: bool(value < -1e-9),
        ),
    ),
    sizes=lambda K, alpha: {"n": len(K)},
    allowed=KERNELS,
)  # fmt: skip
