"""Exercises 3.1 to 3.3: the coefficients, the predictions, the weights."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kcourse.chapters.ch03_ridge.common import (
    CHAPTER,
    EITHER_SIDE,
    KERNELS,
    SHAPES,
    TWINS,
    USE,
    VARIED,
    WHOLE,
    WHOLE_NUMBERS,
    features,
    lambda_mistakes,
    lams,
    regression,
    regressions,
    solve,
    systems,
)
from kcourse.chapters.gaussian_mistakes import GAUSSIAN_MISTAKES, squares
from kcourse.checks.spec import Changed, Exercise, Misconception, Promise, Property, sensitive
from kcourse.kernels import Gaussian

__all__ = ["KERNEL_MISTAKES", "KRR_FIT", "KRR_FIT_PREDICT", "RIDGE_DUAL_W", "fit_or_fail"]


# -- 3.1


def krr_fit(K, y, lam):
    """α = (K + λI)⁻¹ y."""
    return np.linalg.solve(K + lam * np.eye(len(K)), y)


def fit_or_fail(K, y, lam):
    """The same for the mistakes, which may leave a singular system."""
    return solve(K + lam * np.eye(len(K)), y)


def _with_bias(K, y, lam):
    """α and b of the model with a bias that is not penalised."""
    n = len(K)
    bordered = np.block([[K + lam * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    solution = np.linalg.solve(bordered, np.append(y, 0.0))
    return solution[:n], solution[n]


_K2 = USE + "K = np.array([[1.0, 0.5], [0.5, 1.0]]); y = np.array([1.0, -1.0])\n"

KRR_FIT = Exercise(
    name="krr_fit",
    chapter=CHAPTER,
    number="3.1",
    returns="the coefficients α, shape (n,)",
    reference=krr_fit,
    properties=(
        Property("solves (K + λI)α = y on random Gram matrices", 2, systems),
        Property(
            "works when two points coincide, so that K is singular",
            1,
            lambda r: systems(r, 2, twin=True),
            hint="Your answer fails only when two points coincide: such a K has no inverse, and Cholesky's algorithm "
            "breaks down on it; K + λI has no such trouble, and no step of the derivation needs K⁻¹.",
        ),
        WHOLE_NUMBERS,
    ),
    promises=(
        VARIED,
        EITHER_SIDE,
        TWINS,
        WHOLE,
    ),
    misconceptions=(
        Misconception(
            "no lambda",
            Changed(fit_or_fail, lambda K, y, lam: (K, y, 0.0)),
            "Your α solves Kα = y: λ is missing, so f passes through every point, noise and all.",
            "Read “The criterion in α” again: the penalty λ αᵀKα adds λKα to the gradient, and that is "
            "where λI comes from.",
            _K2 + "for lam in (0.1, 10.0):\n    print(lam, krr_fit(K, y, lam))   # must shrink as lam grows",
        ),
        *lambda_mistakes(
            fit_or_fail,
            lambda K, y, lam: len(K),
            {
                "n times lambda": USE + "for n in (1, 2, 10):\n"
                "    print(n, krr_fit(np.eye(n), np.ones(n), 0.5)[0])   # unrelated points: must not depend on n",
                "lambda over n": USE + "for n in (1, 4):\n"
                "    print(n, krr_fit(np.zeros((n, n)), np.ones(n), 0.5)[0])   # K = 0 leaves y/λ = 2, for every n",
                "lambda squared": USE + "for lam in (0.1, 0.2):   # K = 0 leaves y/λ: twice λ must halve α\n"
                "    print(lam, krr_fit(np.zeros((1, 1)), np.ones(1), lam))",
                "half lambda": USE + "print(krr_fit(np.array([[1.0]]), np.array([1.0]), 1.0))   # should print 1/(1 + 1)",
                "twice lambda": _K2 + "a = krr_fit(K, y, 0.5)\n"
                "print((y - K @ a) / a)   # residual over coefficient: should be λ = 0.5 at both points",
            },
        ),
        Misconception(
            "gradient solved with KK + lambda I",
            lambda K, y, lam: solve(K @ K + lam * np.eye(len(K)), K @ y),
            "You solve (KK + λI)α = Ky: the penalty in the RKHS is λ αᵀKα, not λ αᵀα, so its gradient is λKα.",
            "Read “The criterion in α” again: in the gradient -2Ky + 2KKα + 2λKα every term has a K in front.",
            _K2 + "a = krr_fit(K, y, 0.5)\nprint(-2*K@y + 2*K@K@a + 2*0.5*K@a)   # the gradient: should print 0",
        ),
        Misconception(
            "KK for K",
            lambda K, y, lam: solve(K @ K + lam * np.eye(len(K)), y),
            "You solve (KK + λI)α = y, a mixture: KK stands in the gradient, together with Ky; once a K has cancelled, K + λI "
            "and y are left.",
            "Read “The criterion in α” again, its step 5: one K cancels from every term.",
            USE + "print(krr_fit(np.array([[3.0]]), np.array([4.0]), 1.0))   # one point: should print 4/(3 + 1), not 4/(9 + 1)",
        ),
        Misconception(
            "least norm among the optimal",
            lambda K, y, lam: np.linalg.pinv(K @ (K + lam * np.eye(len(K)))) @ K @ y,
            "Your α gives the best f, but where K is singular many α do, and you return another one than (K + λI)⁻¹y: "
            "what K maps to 0 has been thrown away.",
            "Read “The criterion in α” again, its step 5: once K has cancelled, (K + λI)α = y is left, and "
            "it has one solution.",
            USE + "K = np.ones((2, 2)); y = np.array([1.0, -1.0])   # two equal points\n"
            "print((K + 0.5 * np.eye(2)) @ krr_fit(K, y, 0.5), y)   # should be equal",
        ),
        Misconception(
            "lambda added to every entry",
            lambda K, y, lam: solve(K + lam, y),
            "`K + lam` adds λ to every entry of K; λI adds it to the diagonal only.",
            "Read “First way: push-through” again: I is the identity matrix, 1 on the diagonal and 0 elsewhere.",
            USE + "print(krr_fit(np.eye(2), np.array([1.0, 0.0]), 0.5))   # unrelated points: the second α should be 0",
        ),
        Misconception(
            "diagonal replaced by lambda",
            lambda K, y, lam: solve(K - np.diag(np.diag(K)) + lam * np.eye(len(K)), y),
            "The diagonal of your matrix is λ: `np.fill_diagonal(A, lam)` writes over the k(x_i, x_i), to which λ is to be "
            "added.",
            "Read “First way: push-through” again: the bracket is the whole Gram matrix, plus λI.",
            USE + "print(krr_fit(9 * np.eye(2), np.ones(2), 1.0))   # unrelated points: should print 1/(9 + 1) twice",
        ),
        Misconception(
            "diagonal taken as 1",
            lambda K, y, lam: solve(K - np.diag(np.diag(K)) + (1 + lam) * np.eye(len(K)), y),
            "The diagonal of your matrix is 1 + λ, as if k(x, x) were 1 for every kernel: add λ to what stands there.",
            "Read “First way: push-through” again: the diagonal of K = ΦΦᵀ holds the squared lengths of the φ(x_i).",
            USE + "for scale in (1.0, 4.0):\n"
            "    print(krr_fit(scale * np.eye(2), np.ones(2), 1.0) * (scale + 1))   # should print 1, 1 both times",
        ),
        Misconception(
            "lambda K for lambda I",
            lambda K, y, lam: solve((1 + lam) * K, y),
            "You solve (K + λK)α = y: when K cancels from KKα + λKα = Ky, the penalty keeps λα, that is λI.",
            "Read “The criterion in α” again, its step 5: the bracket that must vanish is y - (K + λI)α.",
            _K2 + "print(1e6 * krr_fit(K, y, 1e6), y)   # a huge λ leaves α = y/λ: must come near y",
        ),
        Misconception(
            "lambda added after inverting",
            lambda K, y, lam: solve(K, y) + lam * y,
            "You add λI to the inverse of K: it must be added to K first, and then the system is solved.",
            "Read “First way: push-through” again: the inverse is taken of the whole bracket K + λI.",
            _K2 + "for lam in (1.0, 1e6):\n    print(np.abs(krr_fit(K, y, lam)).max())   # a huge λ must push α to 0",
        ),
        Misconception(
            "minus lambda",
            lambda K, y, lam: solve(K - lam * np.eye(len(K)), y),
            "You subtract λ from the diagonal: that rewards a large f, and K - λI may even be singular.",
            "Read “The criterion in α” again and follow the sign of the penalty.",
            _K2 + "for lam in (0.1, 0.3, 0.45):\n    print(lam, np.abs(krr_fit(K, y, lam)).max())   # must fall",
        ),
        Misconception(
            "fitted values",
            lambda K, y, lam: K @ fit_or_fail(K, y, lam),
            "You return Kα, the fitted values; the exercise asks for α itself.",
            "Read “The predictor” again: α is found once, and only then does K turn it into values f(x_i).",
            _K2 + "print(K @ krr_fit(K, y, 1e-9), y)   # hardly any penalty: Kα must come near y",
        ),
        Misconception(
            "multiplies, does not solve",
            lambda K, y, lam: (K + lam * np.eye(len(K))) @ y,
            "You return (K + λI)y; α is what K + λI has to be multiplied with to give y, so a system must be solved.",
            "Read “First way: push-through” again: the bracket has the exponent -1.",
            _K2 + "print((K + 0.25 * np.eye(2)) @ krr_fit(K, y, 0.25), y)   # should be equal",
        ),
        Misconception(
            "entrywise reciprocal",
            lambda K, y, lam: (1 / (K + lam * np.eye(len(K)))) @ y,
            "You take 1 over every entry of K + λI, as `1 / A` and `A**-1` do in NumPy; the inverse of a matrix is "
            "something else.",
            "Read “Solve, never invert” again: solving the system needs no inverse at all.",
            USE + "print(krr_fit(2 * np.eye(2) + 1e-6, np.ones(2), 1.0))   # nearly 3 I: should be near 1/3",
        ),
        Misconception(
            "entrywise product with y",
            lambda K, y, lam: np.linalg.inv(K + lam * np.eye(len(K))) * y,
            "`inv(…) * y` multiplies entry by entry and leaves a matrix; the product of matrix and vector is `@`.",
            "Read “Solve, never invert” again: `solve` takes y along and returns (n,) numbers.",
            _K2 + "print(np.shape(krr_fit(K, y, 0.5)))   # should print (2,)",
        ),
        Misconception(
            "diagonal only",
            lambda K, y, lam: y / (np.diag(K) + lam),
            "You divide by the diagonal of K + λI, as if the points did not know of each other; the whole matrix "
            "belongs in the system.",
            "Read “The criterion in α” again: every f(x_i) depends on all α_j.",
            _K2 + "print(krr_fit(K, np.array([1.0, 0.0]), 0.5))   # point 2 has a neighbour: its α must not be 0",
        ),
        Misconception(
            "lambda missing at the last point",
            lambda K, y, lam: solve(K + lam * np.diag(np.arange(len(K)) < len(K) - 1), y),
            "The last diagonal entry of K did not get its λ: the loop over the diagonal ends one step early.",
            "Read “First way: push-through” again: λI has a λ at every one of the n places.",
            USE + "print(krr_fit(np.zeros((3, 3)) + 1e-9 * np.eye(3), np.ones(3), 1.0))   # all three should be near 1",
        ),
        Misconception(
            "lambda missing at the first point",
            lambda K, y, lam: solve(K + lam * np.diag(np.arange(len(K)) > 0), y),
            "The first diagonal entry of K did not get its λ: indices start at 0, so the loop is `for i in range(n)`.",
            "Read “First way: push-through” again: λI has a λ at every one of the n places.",
            USE + "print(krr_fit(np.eye(2), np.ones(2), 1.0))   # two points alike: both α should be equal",
        ),
        Misconception(
            "one triangular solve of two",
            lambda K, y, lam: np.linalg.solve(np.linalg.cholesky(K + lam * np.eye(len(K))), y),
            "You return L⁻¹y: of the two triangular solves of the Cholesky way, the second one, with Lᵀ, is missing.",
            "Read “Solve, never invert” again: K + λI = LLᵀ, and both factors must be undone.",
            USE + "print(krr_fit(np.array([[8.0]]), np.array([9.0]), 1.0))   # one point: should print 9/(8 + 1), not 9/√(8 + 1)",
        ),
        Misconception(
            "second triangular solve without the transpose",
            lambda K, y, lam: np.linalg.solve(L := np.linalg.cholesky(K + lam * np.eye(len(K))), np.linalg.solve(L, y)),
            "You solve with L twice: after Lb = y comes Lᵀα = b, with the transpose.",
            "Read “Solve, never invert” again: K + λI = LLᵀ, whose second factor is an upper triangle.",
            _K2 + "a = krr_fit(K, y, 0.25)\nprint(a + a[::-1])   # α must have the symmetry of the two points: 0, 0",
        ),
        Misconception(
            "eigenvectors and their transpose exchanged",
            lambda K, y, lam: (U := np.linalg.eigh(K)[1]).T @ (U @ y / (np.linalg.eigvalsh(K) + lam)),
            "U and Uᵀ have changed places: `eigh` puts the eigenvectors into the columns of U, so α = U (Uᵀy / (w + λ)).",
            "Read “Effective degrees of freedom” again: equation (10) has Q on its left and Qᵀ on its right.",
            USE + "K = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.5], [0.0, 0.5, 3.0]]); y = np.array([1.0, 0.0, 2.0])\n"
            "a = krr_fit(K, y, 0.5)\nprint(K @ a + 0.5 * a)   # must give y back, 1, 0, 2",
        ),
        Misconception(
            "with a free bias",
            lambda K, y, lam: _with_bias(K, y, lam)[0],
            "Your α belongs to a model with a free bias b, the bordered system; the one asked for has none.",
            "Read “No intercept” again: the bordered system is one of its cures, and not part of the method.",
            _K2 + "print(krr_fit(K, np.array([5.0, 5.0]), 0.5).sum())   # the α of a bordered system add up to 0: must not be 0",
        ),
        Misconception(
            "y standardised",
            Changed(fit_or_fail, lambda K, y, lam: (K, (y - y.mean()) / y.std(), lam)),
            "You standardise y first: a sensible habit, but the system asked for has y itself on its right.",
            "Read “Which λ?” again: the targets of the criterion are the y_i as they are measured.",
            _K2 + "print(krr_fit(K, 10 * y, 0.5) / krr_fit(K, y, 0.5))   # the system is linear in y: should print 10, 10",
        ),
        Misconception(
            "mean of y subtracted",
            Changed(fit_or_fail, lambda K, y, lam: (K, y - y.mean(), lam)),
            "You subtract the mean of y first: a sensible habit, but the system asked for has y itself on its right.",
            "Read “No intercept” again: centring y is one of its cures, and not part of the method.",
            _K2 + "print(krr_fit(K, np.array([1.0, 1.0]), 0.5))   # equal targets, but not 0: α must not be 0",
        ),
    ),
    step="Read “Two ways to the same α” again: both of them end at one system, (K + λI)α = y.",
    experiment=USE + "K = np.array([[1.0, 0.2, 0.1], [0.2, 1.0, 0.4], [0.1, 0.4, 1.0]]); y = np.array([1.0, 2.0, -1.0])\n"
    "print((K + 0.5 * np.eye(3)) @ krr_fit(K, y, 0.5), y)   # the system: should be equal",
    sizes=lambda K, y, lam: {"n": len(y), "λ": lam},
    allowed=KERNELS,
)  # fmt: skip

# what may go wrong with α in the exercises that need it: the rest of the answer is right
_ALPHA_MISTAKES = (
    "gradient solved with KK + lambda I",
    "KK for K",
    "diagonal replaced by lambda",
    "lambda added to every entry",
    "lambda K for lambda I",
    "lambda added after inverting",
    "minus lambda",
    "fitted values",
    "multiplies, does not solve",
    "entrywise reciprocal",
    "diagonal only",
    "one triangular solve of two",
    "second triangular solve without the transpose",
    "mean of y subtracted",
    "y standardised",
)


def _mistakes_of_alpha(answer: Callable, experiment: str) -> list[Misconception]:
    """The mistakes of krr_fit in an exercise that calls it; ``answer(fit)`` is the function with another krr_fit."""
    return [
        Misconception(
            f"alpha: {mistake.name}",
            answer(mistake.wrong),
            f"The rest is right, but α is not the one of exercise 3.1. {mistake.hint}",
            mistake.step,
            experiment,
        )
        for mistake in KRR_FIT.misconceptions
        if mistake.name in _ALPHA_MISTAKES
    ]


# -- 3.2


def krr_fit_predict(X, y, Xq, sigma, lam):
    """f(x_q) = k(x_q)ᵀ (K + λI)⁻¹ y with the Gaussian kernel."""
    k = Gaussian(sigma)
    return k(Xq, X) @ krr_fit(k(X), y, lam)


def _predict_with(fit):
    """The whole prediction with another krr_fit."""
    return lambda X, y, Xq, sigma, lam: Gaussian(sigma)(Xq, X) @ fit(Gaussian(sigma)(X), y, lam)


def _with(kernel):
    """The whole prediction with another kernel, a function (X, Z, sigma)."""
    return lambda X, y, Xq, sigma, lam: kernel(Xq, X, sigma) @ fit_or_fail(kernel(X, X, sigma), y, lam)


def _mean_added(X, y, Xq, sigma, lam):
    return y.mean() + krr_fit_predict(X, y - y.mean(), Xq, sigma, lam)


def _moving_average(X, y, Xq, sigma, lam):
    weights = Gaussian(sigma)(Xq, X)
    return weights @ y / weights.sum(axis=1)


def _biased(X, y, Xq, sigma, lam):
    alpha, b = _with_bias(Gaussian(sigma)(X), y, lam)
    return Gaussian(sigma)(Xq, X) @ alpha + b


def _standardised(X, y, Xq, sigma, lam):
    mean, std = X.mean(axis=0), X.std(axis=0)
    return (X - mean) / std, y, (Xq - mean) / std, sigma, lam


_X2 = USE + "x = np.array([[0.0], [1.0]]); y = np.array([1.0, -1.0])\n"
# one point at the origin of the plane and hardly any penalty: f(z) is k(z, 0), so the kernel can be looked at
_SEE = USE + "def k(z, s):   # what your kernel is\n" \
    "    return krr_fit_predict(np.zeros((1, 2)), np.ones(1), np.array([z]), s, 1e-12)[0]\n"  # fmt: skip

# name, kernel as a function (X, Z, sigma), hint, step, experiment
KERNEL_MISTAKES = (
    (
        "exponent without the 2",
        *GAUSSIAN_MISTAKES["exponent without the 2"],
        "Read “Notation” on the start page: the σ of exp(-‖x-z‖²/σ²) is √2 times ours.",
        _SEE + "print(k([1.3, 0.0], 1.3), np.exp(-1 / 2))   # at distance σ: should be equal",
    ),
    (
        "brackets missing in the exponent",
        *GAUSSIAN_MISTAKES["brackets missing in the exponent"],
        "Read “Notation” on the start page: σ² stands below the line, so a larger σ makes a wider kernel.",
        _SEE + "for s in (0.5, 1.0, 2.0):\n    print(k([1.0, 0.0], s))   # must grow with the width",
    ),
    (
        "sigma used as gamma",
        *GAUSSIAN_MISTAKES["sigma used as gamma"],
        "Read “The same in scikit-learn” again: gamma has the unit 1/x², σ that of x.",
        _SEE + "for s in (0.5, 1.0, 2.0):\n    print(k([s, 0.0], s))   # at distance σ each time: must not change",
    ),
    (
        "sigma not squared",
        *GAUSSIAN_MISTAKES["sigma not squared"],
        "Read “Notation” on the start page: ‖x-z‖² stands over 2σ², a square over a square.",
        _SEE + "for unit in (1.0, 10.0):   # centimetres, millimetres\n"
        "    print(k([2.0 * unit, 0.0], 1.5 * unit))   # should be equal",
    ),
    (
        "one over sigma for gamma",
        *GAUSSIAN_MISTAKES["one over sigma for gamma"],
        "Read “The same in scikit-learn” again, the row for σ of its dictionary.",
        _SEE + "print(k([2.0, 0.0], 1.0), k([4.0, 0.0], 2.0))   # both at distance 2σ: should be equal",
    ),
    (
        "distance not squared",
        *GAUSSIAN_MISTAKES["distance not squared"],
        "Read “Notation” on the start page: the Gaussian has the squared distance, the Laplacian the distance.",
        _SEE + "print(1 - k([0.001, 0.0], 1.0))   # flat at its top: should be below a millionth",
    ),
    (
        "Laplacian kernel",
        *GAUSSIAN_MISTAKES["Laplacian kernel"],
        "Read “Notation” on the start page, where the two stand one above the other.",
        _SEE + "print((1 - k([0.02, 0.0], 1.0)) / (1 - k([0.01, 0.0], 1.0)))   # twice the distance: should be near 4",
    ),
    (
        "Laplacian kernel with the L1 norm",
        *GAUSSIAN_MISTAKES["Laplacian kernel with the L1 norm"],
        "Read “Notation” on the start page, the rows of the Gaussian and of the Laplacian.",
        _SEE + "r = 1 / np.sqrt(2)\nprint(k([1.0, 0.0], 1.0), k([r, r], 1.0))   # both at distance 1: should be equal",
    ),
    (
        "linear kernel",
        *GAUSSIAN_MISTAKES["linear kernel"],
        "Read “The predictor” again: `kernel_slow` is the Gaussian kernel.",
        _SEE + "print(k([0.0, 0.0], 1.0))   # k(x, x) of a Gaussian: should print 1",
    ),
    (
        "distance squared twice",
        *GAUSSIAN_MISTAKES["distance squared twice"],
        "Read “Notation” on the start page: σ² below the line has the unit of ‖x-z‖².",
        _SEE + "print(k([2.0, 0.0], 2.0), k([1.0, 0.0], 1.0))   # both at distance σ: should be equal",
    ),
    (
        "minus sign missing",
        *GAUSSIAN_MISTAKES["minus sign missing"],
        "Read “The predictor” again: in `kernel_slow` the exponent starts with a minus.",
        _SEE + "print(k([0.0, 0.0], 1.0), k([2.0, 0.0], 1.0))   # the second should be the smaller one",
    ),
    (
        "kernel normalised as a density",
        lambda X, Z, s: np.exp(-squares(X, Z) / (2 * s**2)) / (np.sqrt(2 * np.pi) * s) ** X.shape[1],
        "Your kernel carries the factor of a normal density; here k(x, x) = 1, and such a factor would act as a "
        "change of λ.",
        "Read “The predictor” again: `kernel_slow` has the exponential and nothing before it.",
        USE + "x = np.zeros((1, 2))\nfor s in (0.5, 2.0):\n"
        "    print(krr_fit_predict(x, np.ones(1), x, s, 1.0))   # should print 1/(1 + λ) = 1/2 for every width",
    ),
    (
        "kernel with one sigma too many",
        lambda X, Z, s: np.exp(-squares(X, Z) / (2 * s**2)) / (np.sqrt(2 * np.pi) * s),
        "Your kernel carries the factor 1/(σ√(2π)) of a normal density; here k(x, x) = 1, and such a factor would act "
        "as a change of λ.",
        "Read “The predictor” again: `kernel_slow` has the exponential alone.",
        USE + "x = np.zeros((1, 1))\nfor s in (0.5, 2.0):\n"
        "    print(krr_fit_predict(x, np.ones(1), x, s, 1.0))   # should print 1/(1 + λ) = 1/2 for every width",
    ),
    (
        "distances feature by feature",
        *GAUSSIAN_MISTAKES["distances feature by feature"],
        "Read “The predictor” again: `kernel_slow` squares each difference and then adds, as Pythagoras does.",
        _SEE + "print(k([3.0, 4.0], 5.0), k([5.0, 0.0], 5.0))   # both at distance 5: should be equal",
    ),
    (
        "summed before squaring",
        *GAUSSIAN_MISTAKES["summed before squaring"],
        "Read “The predictor” again: in `kernel_slow` the square stands inside np.sum.",
        _SEE + "print(k([1.0, -1.0], 1.0))   # not the same point as the origin: should be below 1",
    ),
    (
        "mean over the features",
        *GAUSSIAN_MISTAKES["mean over the features"],
        "Read “The same in scikit-learn” again: dividing by d is what its default gamma does.",
        _X2 + "wide = np.column_stack([x, 0 * x])   # the same two points, in the plane\n"
        "print(krr_fit_predict(x, y, x, 1.0, 0.5), krr_fit_predict(wide, y, wide, 1.0, 0.5))   # should be equal",
    ),
    (
        "first feature only",
        *GAUSSIAN_MISTAKES["first feature only"],
        "Read “The predictor” again: `kernel_slow` subtracts whole rows, `a` of A and `b` of B.",
        _SEE + "print(k([0.0, 1.0], 1.0), k([1.0, 0.0], 1.0))   # both at distance 1: should be equal",
    ),
)  # fmt: skip

KRR_FIT_PREDICT = Exercise(
    name="krr_fit_predict",
    chapter=CHAPTER,
    number="3.2",
    returns="the predictions f(x_q), shape (q,), one for each row of Xq",
    reference=krr_fit_predict,
    properties=(
        Property("predicts new points in two and three dimensions", 2, sensitive(regressions, krr_fit_predict)),
        Property(
            "answers a single query with an array of one number",
            1,
            lambda r: [regression(r, 7, 2, 1, 1.4, lam) for lam in lams(r)[:2]],
            hint="Your answer fails only for a single query. With one row in Xq it must have shape (1,): np.squeeze, "
            "float() or a sum over everything lose it.",
        ),
        Property(
            "goes back to 0 far away from the data",
            1,
            lambda r: [regression(r, 7, 2, 4, 1.4, lams(r)[0], shift=40.0)],
            hint="Your answer fails only far from all data: there every k(x, x_i) is 0 and so is f(x), for kernel "
            "ridge regression has no intercept.",
            scale=lambda X, y, Xq, sigma, lam: float(np.abs(y).max()),
        ),
    ),
    promises=(
        EITHER_SIDE,
        Promise("have σ apart from λ", lambda X, y, Xq, sigma, lam: abs(sigma - lam) > 0.05, of=(0, 1, 2)),
        Promise("have one query", lambda X, y, Xq, sigma, lam: len(Xq) == 1, of=(1,)),
        Promise("are out of every point's reach", lambda X, y, Xq, s, lam: Gaussian(s)(Xq, X).max() < 1e-100, of=(2,)),
    ),
    misconceptions=(
        Misconception(
            "sigma and lambda swapped in the fit",
            lambda X, y, Xq, sigma, lam: Gaussian(sigma)(Xq, X) @ krr_fit(Gaussian(lam)(X), y, sigma),
            "On the way to the fit σ and λ changed places: α was computed with width λ and penalty σ.",
            "Read “Find the error” again: a published program calls `fit(x, y, lam, sigma)` where the function "
            "is `fit(X, y, sigma, lam)`.",
            _X2 + "print(krr_fit_predict(x, y, x, 1.0, 1e-9))   # hardly any penalty: must give y back",
        ),
        Misconception(
            "sigma and lambda swapped everywhere",
            Changed(krr_fit_predict, lambda X, y, Xq, sigma, lam: (X, y, Xq, lam, sigma)),
            "σ and λ have changed places throughout: λ is used as the width and σ as the penalty.",
            "Read “Find the error” again, and call your helpers with keywords: `sigma=sigma, lam=lam`.",
            _X2 + "print(krr_fit_predict(x, y, x + 3.0, 5.0, 0.01))   # a wide kernel still sees the data: must not be 0",
        ),
        Misconception(
            "sigma and lambda swapped when predicting",
            lambda X, y, Xq, sigma, lam: Gaussian(lam)(Xq, X) @ fit_or_fail(Gaussian(sigma)(X), y, lam),
            "The fit is right, but the kernel of the prediction has the width λ.",
            "Read “Find the error” again: that program uses two widths, one in the fit and one in the prediction.",
            _X2 + "print(krr_fit_predict(x, y, x, 1.0, 0.01))   # little penalty: must come near y",
        ),
        Misconception(
            "matrix of the fit is not n by n",
            None,
            "The system for α has the wrong size: its matrix is k(X, X) + λI, with n rows and n columns, one for each entry "
            "of y, whatever d and the number of queries are.",
            "Read “The predictor” again: the queries enter only after α is known.",
            USE + "x = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]); y = np.ones(3)   # n = 3, d = 2\n"
            "print(krr_fit_predict(x, y, x[:2], 1.0, 0.5).shape)   # two queries: should print (2,)",
            error=r"solve1?: .*mismatch|ncompatible|same number of rows",
        ),
        Misconception(
            "all pairs of differences",
            None,
            "Two arrays are combined entry by entry, and their shapes do not fit: the differences of all pairs are "
            "`Xq[:, None, :] - X[None, :, :]`, of shape (q, n, d), squared and then summed over the last axis.",
            "Read “The predictor” again: `kernel_slow` writes the same as two loops.",
            USE + "x = np.arange(6.0).reshape(3, 2)   # three points in the plane\n"
            "print(krr_fit_predict(x, np.ones(3), x[:2], 1.0, 0.5).shape)   # two queries: should print (2,)",
            error="operands could not be broadcast together with shapes",
        ),
        Misconception(
            "train and query points swapped",
            None,
            "Two shapes do not meet. In the prediction the kernel matrix is k(Xq, X), with a row for each query and a column "
            "for each of the n points, and it is the columns that meet the n numbers of α.",
            "Read “The predictor” again: row q of the matrix is k(x_q)ᵀ, n numbers that meet the n entries of α.",
            _X2 + "xq = np.array([[0.2], [0.4], [0.6]])\nprint(krr_fit_predict(x, y, xq, 1.0, 0.5).shape)   # should print (3,)",
            error=SHAPES,
        ),
        Misconception(
            "lambda added when predicting",
            lambda X, y, Xq, sigma, lam: (Gaussian(sigma)(Xq, X) + lam * np.eye(len(Xq), len(X)))
            @ fit_or_fail(Gaussian(sigma)(X), y, lam),
            "You add λ to the diagonal of the prediction's kernel matrix as well; λ belongs to the fit only.",
            "Read “The predictor” again: k(x) holds plain kernel values, and λI stands inside the inverse only.",
            _X2 + "far = np.array([[50.0], [51.0]])\n"
            "print(krr_fit_predict(x, y, far, 1.0, 0.5))   # no kernel value reaches that far: should print 0",
        ),
        Misconception(
            "lambda added to every entry when predicting",
            lambda X, y, Xq, sigma, lam: (Gaussian(sigma)(Xq, X) + lam) @ fit_or_fail(Gaussian(sigma)(X), y, lam),
            "You add λ to every entry of the prediction's kernel matrix; λ belongs to the fit only.",
            "Read “The predictor” again: f(x) = Σ α_i k(x, x_i), and λ has done its work inside α.",
            _X2 + "print(krr_fit_predict(x, np.array([1.0, 2.0]), x + 50.0, 1.0, 0.5))   # far away: should print 0",
        ),
        Misconception(
            "no lambda",
            Changed(_predict_with(fit_or_fail), lambda X, y, Xq, sigma, lam: (X, y, Xq, sigma, 0.0)),
            "The fit forgets λ: your curve passes through every training point.",
            "Read “The criterion in α” again: the penalty puts λI into (K + λI)α = y.",
            _X2 + "for lam in (0.1, 1e6):\n    print(krr_fit_predict(x, y, x, 1.0, lam))   # must go to 0",
        ),
        *lambda_mistakes(
            _predict_with(fit_or_fail),
            lambda X, y, Xq, sigma, lam: len(X),
            {
                "n times lambda": USE + "for n in (1, 10):   # points so far apart that they ignore each other\n"
                "    x = 50.0 * np.arange(n)[:, None]\n"
                "    print(krr_fit_predict(x, np.ones(n), x[:1], 1.0, 0.5))   # must not depend on n",
                "lambda over n": USE + "for n in (1, 10):   # n equal measurements of 1, and λ = n\n"
                "    x = np.zeros((n, 1))\n    print(krr_fit_predict(x, np.ones(n), x[:1], 1.0, float(n)))   # should be n/(n + n)",
                "lambda squared": USE + "x = np.zeros((1, 1))\nfor lam in (0.5, 2.0):\n"
                "    print(krr_fit_predict(x, np.ones(1), x, 1.0, lam) * (1 + lam))   # should print 1 both times",
                "half lambda": USE + "x = np.zeros((1, 1))\n"
                "print(krr_fit_predict(x, np.ones(1), x, 1.0, 1.0))   # one point, λ = 1: should print 1/(1 + 1)",
                "twice lambda": USE + "x = np.zeros((1, 1))\n"
                "print(krr_fit_predict(x, np.ones(1), x, 1.0, 3.0))   # one point, λ = 3: should print 1/(1 + 3)",
            },
        ),
        *(Misconception(name, _with(kernel), *texts) for name, kernel, *texts in KERNEL_MISTAKES),
        Misconception(
            "predicts the training points",
            lambda X, y, Xq, sigma, lam: Gaussian(sigma)(X) @ fit_or_fail(Gaussian(sigma)(X), y, lam),
            "You return the fit at the training points X; the predictions are asked for at Xq.",
            "Read “The predictor” again: the rows of the matrix are queries, K(Xq, X) and not K(X, X).",
            _X2 + "print(krr_fit_predict(x, y, np.array([[0.5]]), 1.0, 0.5).shape)   # one query: should print (1,)",
        ),
        Misconception(
            "returns alpha",
            lambda X, y, Xq, sigma, lam: fit_or_fail(Gaussian(sigma)(X), y, lam),
            "You return α; the predictions are k(Xq, X) α.",
            "Read “The predictor” again: each f(x) is a sum of kernel values, weighted with α.",
            _X2 + "print(krr_fit_predict(x, y, x, 1.0, 1e-9) - y)   # hardly any penalty, at the data: should be near 0",
        ),
        Misconception(
            "y in place of alpha",
            lambda X, y, Xq, sigma, lam: Gaussian(sigma)(Xq, X) @ y,
            "You multiply the kernel matrix with y; it must be α = (K + λI)⁻¹y, for with y every neighbour is counted in full.",
            "Read “The predictor” again: the weights of f(x) = Σ α_i k(x, x_i) are α, not y.",
            USE + "x = np.zeros((5, 1))   # five measurements of 1 at one place\n"
            "print(krr_fit_predict(x, np.ones(5), x[:1], 1.0, 0.5))   # must stay below 1",
        ),
        Misconception(
            "moving average",
            _moving_average,
            "You return the average of y, weighted with the kernel: that is chapter 1's Nadaraya–Watson, and it solves no system.",
            "Read “Back to the crash: nested cross-validation” again, where the moving average and kernel ridge regression are compared.",
            _X2 + "print(krr_fit_predict(x[:1], y[:1], x[:1] + 3.0, 1.0, 0.5))   # away from its one point f must fall to 0",
        ),
        Misconception(
            "with a free bias",
            _biased,
            "You fit a free bias b besides the kernel part: a sensible model, but not the one asked for, which has no "
            "intercept.",
            "Read “No intercept” again: the bordered system there is another method, the least-squares SVM.",
            _X2 + "print(krr_fit_predict(x, y + 3, x - 50.0, 1.0, 0.5))   # far away: should print 0, not b",
        ),
        Misconception(
            "inputs standardised",
            Changed(krr_fit_predict, _standardised),
            "You standardise the columns of X first, which changes all distances: here σ is meant in the units of X as it is.",
            "Read “The same in scikit-learn” again: whether to standardise is a choice to be made before, and not here.",
            _X2 + "print(krr_fit_predict(x, y, x, 1.0, 0.5), krr_fit_predict(9 * x, y, 9 * x, 9.0, 0.5))   # should be equal\n"
            "print(krr_fit_predict(x, y, x, 0.1, 0.5))   # and with so narrow a kernel be y/(1 + λ)",
        ),
        Misconception(
            "last term only",
            lambda X, y, Xq, sigma, lam: Gaussian(sigma)(Xq, X)[:, -1] * fit_or_fail(Gaussian(sigma)(X), y, lam)[-1],
            "You return the last term of Σ α_i k(x, x_i): write `+=` in the loop, where `=` forgets what came before.",
            "Read “The predictor” again: f(x) is the sum over all n training points.",
            _X2 + "print(krr_fit_predict(x, y, x[:1], 0.01, 1e-9))   # at the first point, hardly any penalty: must come near 1",
        ),
        Misconception(
            "mean of y added",
            _mean_added,
            "You centre y and add the mean back: a sensible model, but not the one asked for, which has no intercept.",
            "Read “No intercept” again: that is kernel ridge regression on y - ȳ.",
            _X2 + "print(krr_fit_predict(x, y + 7, x + 50.0, 1.0, 0.5))   # far away: should print 0",
        ),
        *_mistakes_of_alpha(
            _predict_with,
            USE + "x = np.array([[0.0], [0.0], [50.0]])   # two equal points, and one that is far away\n"
            "print(krr_fit_predict(x, np.array([1.0, 1.0, 0.0]), x, 1.0, 0.5))   # should print 2/(2 + λ), the same, 0",
        ),
    ),
    step="Read “The predictor” again and compare with its two points by hand.",
    experiment=_X2 + "c = np.exp(-1 / 2); a = 1 / (1 + 0.5 - c)   # the two points of the chapter\n"
    "print(krr_fit_predict(x, y, x, 1.0, 0.5), a * (1 - c), -a * (1 - c))   # should be equal",
    sizes=lambda X, y, Xq, sigma, lam: {"n": len(X), "q": len(Xq), "d": X.shape[1], "σ": sigma, "λ": lam},
    allowed=KERNELS,
)  # fmt: skip


# -- 3.3


def ridge_dual_w(Phi, y, lam):
    """w = Φᵀα with α = (ΦΦᵀ + λI)⁻¹ y."""
    return Phi.T @ krr_fit(Phi @ Phi.T, y, lam)


def _weights_with(fit):
    """The weights with another krr_fit."""
    return lambda Phi, y, lam: Phi.T @ fit(Phi @ Phi.T, y, lam)


def _primal(Phi, y, lam):
    """The weights by the primal; LinAlgError where without λ they are not unique, for n < d."""
    return solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), Phi.T @ y)


def _dual(Phi, y, lam):
    """The weights by the dual; LinAlgError where without λ they do not fit y, for n > d."""
    return Phi.T @ fit_or_fail(Phi @ Phi.T, y, lam)


def _singular(turn):
    """The weights by the singular values, with ``turn(s, lam)`` for s/(s² + λ)."""

    def weights(Phi, y, lam):
        U, s, Vt = np.linalg.svd(Phi, full_matrices=False)
        return Vt.T @ (turn(s, lam) * (U.T @ y))

    return weights


_PHI = USE + "Phi = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, -1.0]]); y = np.array([1.0, 3.0])   # n = 2, d = 3\n"

RIDGE_DUAL_W = Exercise(
    name="ridge_dual_w",
    chapter=CHAPTER,
    number="3.3",
    returns="the weights w, shape (d,)",
    reference=ridge_dual_w,
    properties=(
        # square too: with n = d a transpose that was forgotten raises no error
        Property(
            "gives the weights when there are at least as many features as points",
            2,
            sensitive(lambda r: features(r, (4, 7), (6, 9), (5, 5)), ridge_dual_w),
        ),
        Property(
            "gives the weights when there are more points than features",
            1,
            lambda r: features(r, (9, 3), (7, 2)),
            hint="Your answer fails only for n > d: there ΦΦᵀ has no inverse, and ΦΦᵀ + λI has one.",
        ),
    ),
    promises=(
        Promise("have as many features as points, or more", lambda Phi, y, lam: Phi.shape[1] >= len(Phi)),
        Promise("have more points than features", lambda Phi, y, lam: Phi.shape[1] < len(Phi), of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "w = Phi alpha",
            lambda Phi, y, lam: Phi @ fit_or_fail(Phi @ Phi.T, y, lam),
            "You compute Φα; w is a combination of the rows of Φ, so it is Φᵀα (a lecture prints it without the "
            "transpose, too).",
            "Read “First way: push-through” again: w = Σ α_i φ(x_i), and φ(x_i) is row i of Φ.",
            _PHI + "print(ridge_dual_w(Phi, y, 0.5).shape)   # should print (3,), one weight for each feature",
            error=SHAPES,
        ),
        Misconception(
            "Phi'Phi in the dual system",
            lambda Phi, y, lam: Phi.T @ fit_or_fail(Phi.T @ Phi, y, lam),
            "You solve with ΦᵀΦ, which is d × d; α has an entry for each point, so its system has K = ΦΦᵀ, n × n.",
            "Read “First way: push-through” again: ΦᵀΦ belongs to w, ΦΦᵀ to α.",
            _PHI + "print((Phi.T @ Phi).shape, (Phi @ Phi.T).shape, y.shape)\nprint(ridge_dual_w(Phi, y, 0.5))",
            error=SHAPES,
        ),
        Misconception(
            "Phi y for Phi^T y",
            lambda Phi, y, lam: solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), Phi @ y),
            "You have (ΦᵀΦ + λI)⁻¹Φy: a transpose is missing before y, as in a printed lecture; Φy does not even exist "
            "unless n = d.",
            "Read “Find the error” again, the first of the printed mistakes below the program.",
            _PHI + "w = ridge_dual_w(Phi, y, 0.5)\nprint(Phi.T @ (y - Phi @ w), 0.5 * w)   # equation (1), sorted: should be equal",
            error=SHAPES,
        ),
        Misconception(
            "identity of the wrong size",
            None,
            "The identity has the wrong size: ΦΦᵀ is n × n and ΦᵀΦ is d × d, so λI must be made with n rows for the one and "
            "with d for the other.",
            "Read “First way: push-through” again: equation (3) has an I with index d on its left and with index n on its right.",
            _PHI + "print((Phi @ Phi.T).shape, np.eye(len(Phi)).shape, np.eye(Phi.shape[1]).shape)\n"
            "print(ridge_dual_w(Phi, y, 0.5))",
            error="operands could not be broadcast",
        ),
        Misconception(
            "returns alpha",
            lambda Phi, y, lam: fit_or_fail(Phi @ Phi.T, y, lam),
            "You return α, one number for each point; w = Φᵀα has one for each feature.",
            "Read “First way: push-through” again: α lives in the space of the points, w in that of the features.",
            USE + "Phi = 3 * np.eye(2); y = np.array([1.0, 3.0])\n"
            "print(Phi @ ridge_dual_w(Phi, y, 1e-9), y)   # hardly any penalty: Φw must come near y",
        ),
        Misconception(
            "no lambda",
            Changed(_dual, lambda Phi, y, lam: (Phi, y, 0.0)),
            "Your w is the least-squares solution (the shortest, where there are several): λ is missing.",
            "Read “Ridge regression, the primal” again: the penalty λwᵀw adds λI.",
            _PHI + "for lam in (0.1, 1e6):\n    print(ridge_dual_w(Phi, y, lam))   # must go to 0",
        ),
        Misconception(
            "no lambda in the normal equations",
            Changed(_primal, lambda Phi, y, lam: (Phi, y, 0.0)),
            "You solve ΦᵀΦw = Φᵀy, the normal equations of least squares: λ is missing, and for d > n they have no unique "
            "solution.",
            "Read “Ridge regression, the primal” again: equation (1) has λI, which makes its matrix invertible.",
            USE + "for lam in (1.0, 99.0):\n    print(ridge_dual_w(np.eye(2), np.ones(2), lam))   # should print 1/(1 + λ) twice",
        ),
        *lambda_mistakes(
            ridge_dual_w,
            lambda Phi, y, lam: len(y),
            {
                "n times lambda": USE + "for n in (1, 10):   # a feature for each point\n"
                "    print(ridge_dual_w(np.eye(n), np.ones(n), 0.5)[0])   # must not depend on n",
                "lambda over n": USE + "for n in (1, 10):   # one feature, always 1, and λ = n\n"
                "    print(ridge_dual_w(np.ones((n, 1)), np.ones(n), float(n)))   # should be n/(n + n)",
                "lambda squared": USE + "for lam in (0.5, 2.0):\n"
                "    print(ridge_dual_w(np.eye(1), np.ones(1), lam) * (1 + lam))   # should print 1 both times",
                "half lambda": USE + "print(ridge_dual_w(np.eye(1), np.ones(1), 1.0))   # one of each: should print 1/(1 + λ) = 1/2",
                "twice lambda": _PHI + "w = ridge_dual_w(Phi, y, 0.5)\n"
                "print(Phi.T @ (y - Phi @ w) / w)   # should be λ = 0.5 in every entry",
            },
        ),
        Misconception(
            "fitted values",
            lambda Phi, y, lam: Phi @ ridge_dual_w(Phi, y, lam),
            "You return the fitted values Φw; the weights w are asked for.",
            "Read “First way: push-through” again: w = Φᵀα comes before any prediction.",
            USE + "print(ridge_dual_w(np.ones((1, 4)), np.ones(1), 0.5))   # one point with 4 features: should print 4 equal weights",
        ),
        Misconception(
            "Phi^T y",
            lambda Phi, y, lam: Phi.T @ y,
            "You return Φᵀy: no system is solved, and λ plays no part.",
            "Read “First way: push-through” again: w = Φᵀα, and α is not y but (K + λI)⁻¹y.",
            USE + "print(ridge_dual_w(3 * np.eye(2), np.ones(2), 1.0))   # should print 3/(9 + 1) twice",
        ),
        Misconception(
            "singular values not squared",
            _singular(lambda s, lam: 1 / (s + lam)),
            "You divide by s + λ; with singular values s of Φ each direction gets the factor s/(s² + λ).",
            "Read “Ridge regression, the primal” again: ΦᵀΦ, and so s², stands beside λ.",
            USE + "print(ridge_dual_w(np.array([[2.0]]), np.ones(1), 1.0))   # s = 2: should print 2/(4 + 1)",
        ),
        Misconception(
            "shrinks without dividing",
            _singular(lambda s, lam: s**2 / (s**2 + lam)),
            "Your factor is s²/(s² + λ), which shrinks the fitted values; for the weights it is s/(s² + λ).",
            "Read “Ridge regression, the primal” again: w is (ΦᵀΦ + λI)⁻¹Φᵀy, with one Φ more below the line than above.",
            USE + "for s in (1.0, 10.0):\n    print(s * ridge_dual_w(np.array([[s]]), np.ones(1), 1e-9))   # Φw must come near y = 1",
        ),
        Misconception(
            "last term only",
            lambda Phi, y, lam: Phi[-1] * fit_or_fail(Phi @ Phi.T, y, lam)[-1],
            "You return the last term of w = Σ α_i φ(x_i): write `+=` in the loop, where `=` forgets what came before.",
            "Read “First way: push-through” again: w is the sum over all n rows of Φ.",
            USE + "print(ridge_dual_w(np.eye(3), np.ones(3), 1.0))   # a feature for each point: should be three equal weights",
        ),
        Misconception(
            "features centred",
            Changed(ridge_dual_w, lambda Phi, y, lam: (Phi - Phi.mean(axis=0), y, lam)),
            "You subtract the mean of each feature first; the exercise takes Φ as it is, for the model has no intercept.",
            "Read “No intercept” again: centring changes the model, and is a choice of its own.",
            USE + "print(ridge_dual_w(np.ones((4, 1)), np.ones(4), 0.5))   # a constant feature: its weight must not be 0",
        ),
        *_mistakes_of_alpha(
            _weights_with,
            USE + "Phi = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])   # rows 1 and 2 are equal\n"
            "print(ridge_dual_w(Phi, np.array([1.0, 1.0, 0.0]), 0.5))   # should print 2/(2 + λ) and 0",
        ),
    ),
    step="Read “First way: push-through” again, with the shape of every array written beside it.",
    experiment=_PHI + "w = ridge_dual_w(Phi, y, 0.5)\n"
    "print((Phi.T @ Phi + 0.5 * np.eye(3)) @ w, Phi.T @ y)   # equation (1), the primal: should be equal",
    sizes=lambda Phi, y, lam: {"n": len(y), "d": Phi.shape[1], "λ": lam},
    allowed=KERNELS,
)  # fmt: skip
