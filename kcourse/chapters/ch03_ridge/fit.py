"""Exercises 3.1 to 3.3: the coefficients, the predictions, the weights."""

from __future__ import annotations

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
    lams,
    n_times_lambda,
    regression,
    regressions,
    solve,
    systems,
)
from kcourse.chapters.gaussian_mistakes import GAUSSIAN_MISTAKES
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property, sensitive
from kcourse.kernels import Gaussian

__all__ = ["KRR_FIT", "KRR_FIT_PREDICT", "RIDGE_DUAL_W", "fit_or_fail", "krr_fit"]


# -- 3.1


def krr_fit(K, y, lam):
    """α = (K + λI)⁻¹ y."""
    return np.linalg.solve(K + lam * np.eye(len(K)), y)


def fit_or_fail(K, y, lam):
    """The same for the mistakes, which may leave a singular system."""
    return solve(K + lam * np.eye(len(K)), y)


def _equations_hold(value, K, y, lam):
    """Which rows of (K + λI)α = y hold."""
    gap = np.abs(K @ value + lam * value - y)
    return gap < 1e-8 * (np.abs(y).max() + np.abs(value).max())


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
            hint="Your answer fails only when two points coincide. Then K has two equal rows and no inverse, but "
            "(K + λI)α = y still has exactly one solution.",
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
            "You solve Kα = y, where λ is missing, so f follows the noise. Solve (K + λI)α = y.",
            "Read “The criterion in α” again: the penalty λαᵀKα adds λKα to the gradient, and λI comes from there.",
            _K2 + "for lam in (0.1, 10.0):\n    print(lam, krr_fit(K, y, lam))   # must shrink as lam grows",
        ),
        n_times_lambda(
            fit_or_fail,
            lambda K, y, lam: len(K),
            USE + "for n in (1, 2, 10):\n"
            "    print(n, krr_fit(np.eye(n), np.ones(n), 0.5)[0])   # unrelated points: must not depend on n",
        ),
        Misconception(
            "gradient solved with KK + lambda I",
            lambda K, y, lam: solve(K @ K + lam * np.eye(len(K)), K @ y),
            "You solve (KK + λI)α = Ky, as if the penalty were λαᵀα. It is λαᵀKα, with the gradient 2λKα. Solve "
            "(K + λI)α = y.",
            "Read “The criterion in α” again: every term of the gradient (4) has a K in front.",
            _K2 + "a = krr_fit(K, y, 0.5)\nprint(-2*K@y + 2*K@K@a + 2*0.5*K@a)   # the gradient: should print 0",
        ),
        Misconception(
            "lambda added to every entry",
            lambda K, y, lam: solve(K + lam, y),
            "You add λ to every entry of K, as `K + lam` does. λI adds λ to the diagonal only. Multiply λ by the "
            "identity matrix.",
            "Read “First way: push-through” again: I is the identity matrix, 1 on the diagonal and 0 elsewhere.",
            USE + "print(krr_fit(np.eye(2), np.array([1.0, 0.0]), 0.5))   # unrelated points: the second α should be 0",
        ),
        Misconception(
            "diagonal replaced by lambda",
            lambda K, y, lam: solve(K - np.diag(np.diag(K)) + lam * np.eye(len(K)), y),
            "You replace the diagonal of K by λ, as `np.fill_diagonal(A, lam)` does. K + λI keeps every k(x_i, x_i). "
            "Add λ to it.",
            "Read “First way: push-through” again: the bracket is the whole Gram matrix, plus λI.",
            USE + "print(krr_fit(9 * np.eye(2), np.ones(2), 1.0))   # unrelated points: should print 1/(9 + 1) twice",
        ),
        Misconception(
            "lambda K for lambda I",
            lambda K, y, lam: solve((1 + lam) * K, y),
            "You solve (K + λK)α = y. The gradient is 0 where KKα + λKα = Ky, and cancelling one K leaves λα. Solve "
            "(K + λI)α = y.",
            "Read “The criterion in α” again, its step 5: the bracket that must vanish is y - (K + λI)α.",
            _K2 + "print(np.round(1e6 * krr_fit(K, y, 1e6), 3), y)   # a huge λ leaves α = y/λ: should be equal",
        ),
        Misconception(
            "multiplies, does not solve",
            lambda K, y, lam: (K + lam * np.eye(len(K))) @ y,
            "You return (K + λI)y. But α is the vector that K + λI maps to y, so a linear system has to be solved.",
            "Read “First way: push-through” again: the bracket has the exponent -1.",
            _K2 + "print((K + 0.25 * np.eye(2)) @ krr_fit(K, y, 0.25), y)   # should be equal",
        ),
        Misconception(
            "fitted values",
            lambda K, y, lam: K @ fit_or_fail(K, y, lam),
            "You return Kα, the fitted values. The exercise asks for the coefficients. Return α itself.",
            "Read “The predictor” again: α is computed once, and only then do kernel values turn it into values of f.",
            _K2 + "print(np.round(K @ krr_fit(K, y, 1e-9), 6), y)   # hardly any penalty: should be equal",
        ),
        Misconception(
            "entrywise reciprocal",
            lambda K, y, lam: (1 / (K + lam * np.eye(len(K)))) @ y,
            "You take the reciprocal of every entry of K + λI, as `1 / A` and `A**-1` do in NumPy. That is not the "
            "inverse matrix. Use `np.linalg.solve`.",
            "Read “Solve, never invert” again: solving the system needs no inverse.",
            USE + "print(krr_fit(2 * np.eye(2) + 1e-6, np.ones(2), 1.0))   # nearly 3 I: should be near 1/3",
        ),
        Misconception(
            "one triangular solve of two",
            lambda K, y, lam: np.linalg.solve(np.linalg.cholesky(K + lam * np.eye(len(K))), y),
            "You return L⁻¹y, after the first of two triangular solves. Since K + λI = LLᵀ, the system Lᵀα = L⁻¹y is "
            "left. Solve it as well.",
            "Read “Solve, never invert” again: a Cholesky factor takes two triangular solves.",
            USE + "print(krr_fit(np.array([[8.0]]), np.array([9.0]), 1.0))   # one point: should print 9/(8 + 1), not 9/√(8 + 1)",
        ),
        Misconception(
            "second triangular solve without the transpose",
            lambda K, y, lam: np.linalg.solve(L := np.linalg.cholesky(K + lam * np.eye(len(K))), np.linalg.solve(L, y)),
            "You solve with L twice. Since K + λI = LLᵀ, the second factor is Lᵀ. After Lb = y, solve Lᵀα = b.",
            "Read “Solve, never invert” again: K + λI = LLᵀ, whose second factor is upper triangular.",
            _K2 + "a = krr_fit(K, y, 0.25)\nprint(a + a[::-1])   # α must have the symmetry of the two points: 0, 0",
        ),
        Misconception(
            "mean of y subtracted",
            Changed(fit_or_fail, lambda K, y, lam: (K, y - y.mean(), lam)),
            "You subtract the mean of y first. The exercise asks for the α of y itself, and the method has no "
            "intercept. Use y as it is.",
            "Read “No intercept” again: subtracting the mean is one of three cures, not part of the method.",
            _K2 + "print(krr_fit(K, np.array([1.0, 1.0]), 0.5))   # equal targets, but not 0: α must not be 0",
        ),
    ),
    step="Read “Two ways to the same α” again: both ways end at one system, (K + λI)α = y.",
    experiment=USE + "K = np.array([[1.0, 0.2, 0.1], [0.2, 1.0, 0.4], [0.1, 0.4, 1.0]]); y = np.array([1.0, 2.0, -1.0])\n"
    "print((K + 0.5 * np.eye(3)) @ krr_fit(K, y, 0.5), y)   # the system: should be equal",
    observations=(
        Observation(
            "Some rows of (K + λI)α = y hold for your α, and others do not. Does every diagonal entry of K get its λ?",
            lambda value, K, y, lam: bool(0 < np.sum(_equations_hold(value, K, y, lam)) < len(y)),
        ),
    ),
    sizes=lambda K, y, lam: {"n": len(y), "λ": lam},
    allowed=KERNELS,
)  # fmt: skip


# -- 3.2


def krr_fit_predict(X, y, Xq, sigma, lam):
    """f(x_q) = k(x_q)ᵀ (K + λI)⁻¹ y with the Gaussian kernel."""
    k = Gaussian(sigma)
    return k(Xq, X) @ krr_fit(k(X), y, lam)


def _predict_or_fail(X, y, Xq, sigma, lam):
    """The same for the mistakes, which may leave a singular system."""
    return Gaussian(sigma)(Xq, X) @ fit_or_fail(Gaussian(sigma)(X), y, lam)


def _with(name):
    """The whole prediction with a wrong Gaussian, and the hint for it."""
    kernel, hint = GAUSSIAN_MISTAKES[name]
    return lambda X, y, Xq, sigma, lam: kernel(Xq, X, sigma) @ fit_or_fail(kernel(X, X, sigma), y, lam), hint


def _mean_added(X, y, Xq, sigma, lam):
    return y.mean() + krr_fit_predict(X, y - y.mean(), Xq, sigma, lam)


def _moving_average(X, y, Xq, sigma, lam):
    weights = Gaussian(sigma)(Xq, X)
    return weights @ y / weights.sum(axis=1)


def _standardised(X, y, Xq, sigma, lam):
    mean, std = X.mean(axis=0), X.std(axis=0)
    return (X - mean) / std, y, (Xq - mean) / std, sigma, lam


def _combines(vector, columns):
    """Whether a vector is a combination of the columns; None if there are so many of them that every vector is one."""
    if columns.shape[1] >= len(columns):
        return None
    rest = vector - columns @ np.linalg.lstsq(columns, vector, rcond=None)[0]
    return bool(np.linalg.norm(rest) <= 1e-8 * np.linalg.norm(vector))


_X2 = USE + "x = np.array([[0.0], [1.0]]); y = np.array([1.0, -1.0])\n"
# one point at the origin of the plane and hardly any penalty: f(z) is k(z, 0), so that the kernel can be seen
_SEE = USE + "def k(z, s):   # what your kernel is\n" \
    "    return krr_fit_predict(np.zeros((1, 2)), np.ones(1), np.array([z]), s, 1e-12)[0]\n"  # fmt: skip

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
            hint="Your answer fails only for a single query. With one row in Xq it must have shape (1,). np.squeeze, "
            "float() and a sum over all axes lose this axis.",
        ),
        Property(
            "goes back to 0 far away from the data",
            1,
            lambda r: [regression(r, 7, 2, 4, 1.4, lams(r)[0], shift=40.0)],
            hint="Your answer fails only far away from all data. There every k(x, x_i) is 0, and so is f(x), because "
            "kernel ridge regression has no intercept.",
            scale=lambda X, y, Xq, sigma, lam: float(np.abs(y).max()),
        ),
    ),
    promises=(
        EITHER_SIDE,
        Promise("have σ apart from λ", lambda X, y, Xq, sigma, lam: abs(sigma - lam) > 0.05, of=(0, 1, 2)),
        Promise("have one query", lambda X, y, Xq, sigma, lam: len(Xq) == 1, of=(1,)),
        Promise("are out of every point's reach", lambda X, y, Xq, s, lam: Gaussian(s)(Xq, X).max() < 1e-100, of=(2,)),
        Promise(
            "have more queries than points at least once",
            lambda found: any(len(Xq) > len(X) for X, y, Xq, sigma, lam in found),
            together=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "sigma and lambda swapped in the fit",
            lambda X, y, Xq, sigma, lam: Gaussian(sigma)(Xq, X) @ krr_fit(Gaussian(lam)(X), y, sigma),
            "You compute α with width λ and penalty σ, but predict with width σ. The fit needs width σ and penalty λ. "
            "Pass both by name.",
            "Read “Find the error” again: a published program calls `fit(x, y, lam, sigma)`, and the function "
            "is `fit(X, y, sigma, lam)`.",
            _X2 + "print(krr_fit_predict(x, y, x, 1.0, 1e-9))   # hardly any penalty: must give y back",
        ),
        Misconception(
            "sigma and lambda swapped everywhere",
            Changed(krr_fit_predict, lambda X, y, Xq, sigma, lam: (X, y, Xq, lam, sigma)),
            "You use λ as the width and σ as the penalty, in the fit and in the prediction. Pass both by name, as in "
            "`sigma=sigma, lam=lam`.",
            "Read “Find the error” again, its defence of three characters.",
            _X2 + "print(krr_fit_predict(x, y, x + 3.0, 5.0, 0.01))   # a wide kernel still reaches the data: must not be 0",
        ),
        Misconception(
            "sigma and lambda swapped when predicting",
            lambda X, y, Xq, sigma, lam: Gaussian(lam)(Xq, X) @ fit_or_fail(Gaussian(sigma)(X), y, lam),
            "You fit with width σ, but predict with width λ. The prediction needs the kernel of the fit. Use width σ in "
            "both.",
            "Read “Find the error” again: that program also fits with one width and predicts with another.",
            _X2 + "print(krr_fit_predict(x, y, x, 1.0, 0.01))   # little penalty: must come near y",
        ),
        Misconception(
            "train and query points swapped",
            None,
            "You multiply arrays whose shapes do not match. k(Xq, X) has shape (q, n), and α has shape (n,). Write "
            "k(Xq, X) @ α.",
            "Read “The predictor” again: k(x)ᵀ has n entries, which meet the n entries of α.",
            _X2 + "xq = np.array([[0.2], [0.4], [0.6]])\nprint(krr_fit_predict(x, y, xq, 1.0, 0.5).shape)   # should print (3,)",
            error=r"matmul: .*mismatch|not aligned",
        ),
        Misconception(
            "no lambda",
            Changed(_predict_or_fail, lambda X, y, Xq, sigma, lam: (X, y, Xq, sigma, 0.0)),
            "You fit without λ, so f follows the noise. α solves (K + λI)α = y. Add λ to the diagonal of K first.",
            "Read “The criterion in α” again: the penalty puts λI into (K + λI)α = y.",
            _X2 + "for lam in (0.1, 1e6):\n    print(krr_fit_predict(x, y, x, 1.0, lam))   # must go to 0",
        ),
        n_times_lambda(
            _predict_or_fail,
            lambda X, y, Xq, sigma, lam: len(X),
            USE + "for n in (1, 10):   # points so far apart that they have no influence on each other\n"
            "    x = 50.0 * np.arange(n)[:, None]\n"
            "    print(krr_fit_predict(x, np.ones(n), x[:1], 1.0, 0.5))   # must not depend on n",
        ),
        Misconception(
            "exponent without the 2",
            *_with("exponent without the 2"),
            "Read “Notation” on the start page: the σ of exp(-‖x-z‖²/σ²) is √2 times ours.",
            _SEE + "print(k([1.3, 0.0], 1.3), np.exp(-1 / 2))   # at distance σ: should be equal",
        ),
        Misconception(
            "distance not squared",
            *_with("distance not squared"),
            "Read “Notation” on the start page: the Gaussian has the squared distance, the Laplacian the distance.",
            _SEE + "print(1 - k([0.001, 0.0], 1.0))   # flat at its maximum: should be below a millionth",
        ),
        Misconception(
            "predicts the training points",
            lambda X, y, Xq, sigma, lam: Gaussian(sigma)(X) @ fit_or_fail(Gaussian(sigma)(X), y, lam),
            "You return the fit at the training points. A prediction needs the kernel between queries and points. "
            "Multiply k(Xq, X) by α.",
            "Read “The predictor” again: `predict_at` takes a row k(x)ᵀ for each query.",
            _X2 + "print(krr_fit_predict(x, y, np.array([[0.5]]), 1.0, 0.5).shape)   # one query: should print (1,)",
        ),
        Misconception(
            "moving average",
            _moving_average,
            "You return the average of y, weighted with the kernel, as chapter 1 does. This method solves for its "
            "coefficients. Compute α, then k(Xq, X)α.",
            "Read “A crash, in 133 measurements” again: this chapter solves for the coefficients of the sum.",
            _X2 + "print(krr_fit_predict(x[:1], y[:1], x[:1] + 3.0, 1.0, 0.5))   # away from its one point f must fall to 0",
        ),
        Misconception(
            "mean of y added",
            _mean_added,
            "You subtract the mean of y and add it back. That model has an intercept, and this one has none. Use y as "
            "it is.",
            "Read “No intercept” again: this is the first of its three cures.",
            _X2 + "print(krr_fit_predict(x, y + 7, x + 50.0, 1.0, 0.5))   # far away: should print 0",
        ),
        Misconception(
            "inputs standardised",
            Changed(krr_fit_predict, _standardised),
            "You standardise the columns of X, which changes all distances. Here σ has the unit of X. Use X and Xq as "
            "they are.",
            "Read “The same in scikit-learn” again: standardising is a step of the pipeline before the method.",
            _X2 + "print(krr_fit_predict(x, y, x, 1.0, 0.5), krr_fit_predict(9 * x, y, 9 * x, 9.0, 0.5))   # should be equal\n"
            "print(krr_fit_predict(x, y, x, 0.1, 0.5))   # for so narrow a kernel should be y/(1 + λ)",
        ),
    ),
    step="Read “The predictor” again and compare with its example of two points.",
    experiment=_X2 + "c = np.exp(-1 / 2); a = 1 / (1 + 0.5 - c)   # the two points of the chapter\n"
    "print(krr_fit_predict(x, y, x, 1.0, 0.5), a * (1 - c), -a * (1 - c))   # should be equal",
    observations=(
        Observation(
            "Far away from all points your f is not 0. There every k(x, x_i) is 0, and the method has no intercept.",
            lambda value, X, y, Xq, s, lam: bool(
                Gaussian(s)(Xq, X).max() < 1e-100 and np.abs(value).max() > 1e-6 * np.abs(y).max()
            ),
        ),
        Observation(
            "Your predictions are k(Xq, X)a with the right kernel, but a is not α. Compare a with the α of exercise 3.1.",
            lambda value, X, y, Xq, sigma, lam: _combines(value, Gaussian(sigma)(Xq, X)) is True,
        ),
        Observation(
            "Your predictions are not k(Xq, X)a for any coefficients a. Check the kernel between queries and points "
            "first: its exponent, its distances, its width. To exchange its rows and columns use .T, not reshape.",
            lambda value, X, y, Xq, sigma, lam: _combines(value, Gaussian(sigma)(Xq, X)) is False,
        ),
    ),
    sizes=lambda X, y, Xq, sigma, lam: {"n": len(X), "q": len(Xq), "d": X.shape[1], "σ": sigma, "λ": lam},
    allowed=KERNELS,
)  # fmt: skip


# -- 3.3


def ridge_dual_w(Phi, y, lam):
    """w = Φᵀα with α = (ΦΦᵀ + λI)⁻¹ y."""
    return Phi.T @ krr_fit(Phi @ Phi.T, y, lam)


def _primal(Phi, y, lam):
    """The weights by the primal; LinAlgError where they are not unique without λ, for n < D."""
    return solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), Phi.T @ y)


def _dual(Phi, y, lam):
    """The weights by the dual; LinAlgError where they do not fit y without λ, for n > D."""
    return Phi.T @ fit_or_fail(Phi @ Phi.T, y, lam)


_PHI = USE + "Phi = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, -1.0]]); y = np.array([1.0, 3.0])   # n = 2, D = 3\n"

RIDGE_DUAL_W = Exercise(
    name="ridge_dual_w",
    chapter=CHAPTER,
    number="3.3",
    returns="the weights w, shape (D,)",
    reference=ridge_dual_w,
    properties=(
        # square as well: for n = D a missing transpose raises no error
        Property(
            "gives the weights when there are at least as many features as points",
            2,
            sensitive(lambda r: features(r, (4, 7), (6, 9), (5, 5)), ridge_dual_w),
        ),
        Property(
            "gives the weights when there are more points than features",
            1,
            lambda r: features(r, (9, 3), (7, 2)),
            hint="Your answer fails only for n > D. Then ΦΦᵀ has no inverse, but ΦΦᵀ + λI has one.",
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
            "You compute Φα. But w = Σ α_i φ(x_i) combines the rows of Φ, which is Φᵀα. Transpose Φ.",
            "Read “First way: push-through” again: φ(x_i) is row i of Φ.",
            _PHI + "print(ridge_dual_w(Phi, y, 0.5).shape)   # should print (3,), one weight for each feature",
            error=SHAPES,
        ),
        Misconception(
            "Phi'Phi in the dual system",
            lambda Phi, y, lam: Phi.T @ fit_or_fail(Phi.T @ Phi, y, lam),
            "You solve for α with ΦᵀΦ, which is D × D. But α has an entry for each point, so its matrix is n × n. Use "
            "K = ΦΦᵀ.",
            "Read “First way: push-through” again: ΦᵀΦ belongs to w, ΦΦᵀ to α.",
            _PHI + "print((Phi.T @ Phi).shape, (Phi @ Phi.T).shape, y.shape)\nprint(ridge_dual_w(Phi, y, 0.5))",
            error=SHAPES,
        ),
        Misconception(
            "Phi y for Phi^T y",
            lambda Phi, y, lam: solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), Phi @ y),
            "You compute (ΦᵀΦ + λI)⁻¹Φy, where a transpose is missing. Φy exists only for n = D. Write Φᵀy, as in "
            "equation (1).",
            "Read “Find the error” again, the first line of the list below the program.",
            _PHI + "w = ridge_dual_w(Phi, y, 0.5)\nprint(Phi.T @ (y - Phi @ w), 0.5 * w)   # equation (1), sorted: should be equal",
            error=SHAPES,
        ),
        Misconception(
            "identity of the wrong size",
            None,
            "You add matrices of different sizes. ΦΦᵀ is n × n and ΦᵀΦ is D × D. Give I the size of the matrix to which "
            "you add it.",
            "Read “First way: push-through” again: equation (3) has an I with index D on its left and with index n on its right.",
            _PHI + "print((Phi @ Phi.T).shape, np.eye(len(Phi)).shape, np.eye(Phi.shape[1]).shape)\n"
            "print(ridge_dual_w(Phi, y, 0.5))",
            error=r"broadcast together with shapes \((\d+),\1\) \((\d+),\2\)",
        ),
        Misconception(
            "returns alpha",
            lambda Phi, y, lam: fit_or_fail(Phi @ Phi.T, y, lam),
            "You return α, with one number for each point. The weights have one number for each feature. Return w = Φᵀα.",
            "Read “First way: push-through” again: α has n entries, and w has D.",
            USE + "Phi = 3 * np.eye(2); y = np.array([1.0, 3.0])\n"
            "print(np.round(Phi @ ridge_dual_w(Phi, y, 1e-9), 6), y)   # hardly any penalty, so Φw is near y: should be equal",
        ),
        Misconception(
            "no lambda",
            Changed(_dual, lambda Phi, y, lam: (Phi, y, 0.0)),
            "You return the least-squares solution, the shortest if there are several, because λ is missing. Solve "
            "(ΦΦᵀ + λI)α = y.",
            "Read “Ridge regression, the primal” again: the penalty λ‖w‖² adds λI.",
            _PHI + "for lam in (0.1, 1e6):\n    print(ridge_dual_w(Phi, y, lam))   # must go to 0",
        ),
        Misconception(
            "no lambda in the normal equations",
            Changed(_primal, lambda Phi, y, lam: (Phi, y, 0.0)),
            "You solve ΦᵀΦw = Φᵀy, the normal equations of least squares. λ is missing, and for D > n they have many "
            "solutions. Add λI to ΦᵀΦ.",
            "Read “Ridge regression, the primal” again: equation (1) has λI, which makes its matrix invertible.",
            USE + "for lam in (1.0, 99.0):\n    print(ridge_dual_w(np.eye(2), np.ones(2), lam))   # should print 1/(1 + λ) twice",
        ),
        n_times_lambda(
            ridge_dual_w,
            lambda Phi, y, lam: len(y),
            USE + "for n in (1, 10):   # a feature for each point\n"
            "    print(ridge_dual_w(np.eye(n), np.ones(n), 0.5)[0])   # must not depend on n",
        ),
        Misconception(
            "fitted values",
            lambda Phi, y, lam: Phi @ ridge_dual_w(Phi, y, lam),
            "You return the fitted values Φw. The exercise asks for the weights. Return w = Φᵀα.",
            "Read “First way: push-through” again: w = Φᵀα comes before any prediction.",
            USE + "print(ridge_dual_w(np.ones((1, 4)), np.ones(1), 0.5))   # one point, 4 features: should print 4 equal weights",
        ),
        Misconception(
            "Phi^T y",
            lambda Phi, y, lam: Phi.T @ y,
            "You return Φᵀy, so no system is solved and λ plays no part. w = Φᵀα needs α, not y. Solve for α first.",
            "Read “First way: push-through” again: w = Φᵀα with α = (K + λI)⁻¹y.",
            USE + "print(ridge_dual_w(3 * np.eye(2), np.ones(2), 1.0))   # should print 3/(9 + 1) twice",
        ),
        Misconception(
            "features centred",
            Changed(ridge_dual_w, lambda Phi, y, lam: (Phi - Phi.mean(axis=0), y, lam)),
            "You subtract the mean of each feature first. That gives the weights of a model with an intercept, and this "
            "one has none. Use Φ as it is.",
            "Read “No intercept” again: centring changes the model.",
            USE + "print(ridge_dual_w(np.ones((4, 1)), np.ones(4), 0.5))   # a constant feature: its weight must not be 0",
        ),
    ),
    step="Read “First way: push-through” again, and write the shape of every array next to it.",
    experiment=_PHI + "w = ridge_dual_w(Phi, y, 0.5)\n"
    "print((Phi.T @ Phi + 0.5 * np.eye(3)) @ w, Phi.T @ y)   # equation (1), the primal: should be equal",
    observations=(
        Observation(
            "Your w is not Φᵀa for any a, but w = Φᵀα is a combination of the n rows of Φ.",
            lambda value, Phi, y, lam: _combines(value, Phi.T) is False,
        ),
        Observation(
            "Your w is Φᵀa, but a is not α. Compare a with the α of exercise 3.1 for K = ΦΦᵀ.",
            lambda value, Phi, y, lam: _combines(value, Phi.T) is True,
        ),
    ),
    sizes=lambda Phi, y, lam: {"n": len(y), "D": Phi.shape[1], "λ": lam},
    allowed=KERNELS,
)  # fmt: skip
