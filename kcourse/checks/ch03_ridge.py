"""Exercises of chapter 3, kernel ridge regression: properties, right answers, and the slips that have a name.

The wrong answers come from the literature's own slips, from issue threads and from forum questions. Their values on
the course's canonical inputs are in ``tests/checks/test_ch03_ridge.py``.
"""

from __future__ import annotations

import numpy as np

from kcourse.checks.spec import Exercise, Misconception, Property
from kcourse.kernels import Gaussian
from kcourse.ridge import loo_path

__all__ = ["EXERCISES"]

CHAPTER = "ch03_ridge"
Rng = np.random.Generator

_USE = "import numpy as np\n"
_TWO_POINTS = _USE + "K = np.array([[1.0, 0.5], [0.5, 1.0]]); y = np.array([1.0, -1.0])\n"


# -- fresh inputs: d ≥ 2 where points are drawn, no two sizes alike, no σ or λ near 1, a diagonal other than 1


def _gram(rng: Rng, n: int, *, twin: bool = False) -> np.ndarray:
    """A Gram matrix of n random points: Gaussian and linear parts, so that its diagonal is neither 1 nor constant.

    With ``twin`` two of the points coincide and it is singular.
    """
    X = rng.normal(size=(n, 3))
    if twin:
        X[1] = X[0]
    K = rng.uniform(1.3, 2.0) * Gaussian(rng.uniform(1.3, 1.9))(X) + 0.2 * (X @ X.T)
    K = (K + K.T) / 2
    if twin:  # to the last bit, so that their difference is exactly the zero function
        K[1], K[:, 1] = K[0].copy(), K[0].copy()
        K[1, 1] = K[0, 1] = K[1, 0] = K[0, 0]
    return K


def _lam(rng: Rng) -> float:
    return float(rng.uniform(0.15, 0.45))


def _system(rng: Rng, *, twin: bool = False, whole: bool = False) -> tuple:
    n = int(rng.integers(5, 9))
    y = rng.integers(-4, 5, size=n) if whole else rng.normal(size=n)
    if whole:
        y[0] = 3  # not all of them 0
    return _gram(rng, n, twin=twin), y, _lam(rng)


def _regression(rng: Rng, *, queries: int | None = None) -> tuple:
    n, q = int(rng.integers(6, 9)), int(rng.integers(3, 6))
    X = rng.normal(size=(n, 2))
    Xq = rng.normal(size=(q if queries is None else queries, 2))
    return X, rng.normal(size=n) + 1.0, Xq, float(rng.uniform(1.3, 2.0)), _lam(rng)


def _features(rng: Rng, n: int, d: int) -> tuple:
    return rng.normal(size=(n, d)), rng.normal(size=n), _lam(rng)


def _lam_n(*args) -> dict[str, float]:
    """Sizes of a call (K or Phi, y, lam)."""
    return {"n": float(len(args[1])), "λ": float(args[2])}


# -- 3.1


def krr_fit(K, y, lam):
    """α = (K + λI)⁻¹ y."""
    return np.linalg.solve(K + lam * np.eye(len(K)), y)


def _with_inverse_of_K(K, y, lam):
    # (KK + λK)⁻¹Ky, as one gets by setting the gradient to 0 and solving at once
    return np.linalg.solve(K @ K + lam * K, K @ y)


KRR_FIT = Exercise(
    name="krr_fit",
    chapter=CHAPTER,
    number="3.1",
    returns="the coefficients α, shape (n,)",
    reference=krr_fit,
    properties=(
        Property("solves (K + λI)α = y on random Gram matrices", 2, lambda r: [_system(r) for _ in range(3)]),
        Property(
            "works when two points coincide, so that K is singular",
            1,
            lambda r: [_system(r, twin=True) for _ in range(2)],
            hint="Your formula needs K⁻¹, which does not exist when two points coincide. Nothing but K + λI is to be "
            "inverted: K(K + λI) = (K + λI)K lets K cancel without an inverse.",
        ),
        Property(
            "works when y holds whole numbers",
            1,
            lambda r: [_system(r, whole=True)],
            hint="With whole numbers in y your α is cut to whole numbers: an array made like y has its integer type. "
            "Start from np.zeros(len(y)), or from y.astype(float).",
        ),
    ),
    misconceptions=(
        Misconception(
            "no lambda",
            lambda K, y, lam: np.linalg.solve(K, y),
            "Your α solves Kα = y: λ is missing, so f passes through every point, noise and all.",
            "Read “Second way: a criterion in α” again: the penalty λ αᵀKα adds λKα to the gradient, and that is "
            "where λI comes from.",
            _TWO_POINTS + "for lam in (0.1, 10.0):\n    print(lam, krr_fit(K, y, lam))   # must shrink as lam grows",
        ),
        Misconception(
            "n times lambda",
            lambda K, y, lam: np.linalg.solve(K + len(K) * lam * np.eye(len(K)), y),
            "You put nλ where λ stands: that is the convention of a criterion with the mean of the squared errors; "
            "ours has their sum.",
            "Read “Which λ?” again: λ beside the mean is 1/n times λ beside the sum.",
            _TWO_POINTS + "a = krr_fit(K, y, 0.5)\nprint((K + 0.5 * np.eye(2)) @ a - y)   # must be 0",
        ),
        Misconception(
            "lambda over n",
            lambda K, y, lam: np.linalg.solve(K + lam / len(K) * np.eye(len(K)), y),
            "You divide λ by n, but here λ stands beside the sum of the squared errors and enters as it is.",
            "Read “Which λ?” again, the row for the sum.",
            _TWO_POINTS + "a = krr_fit(K, y, 0.5)\nprint((K + 0.5 * np.eye(2)) @ a - y)   # must be 0",
        ),
        Misconception(
            "gradient solved with KK + lambda I",
            lambda K, y, lam: np.linalg.solve(K @ K + lam * np.eye(len(K)), K @ y),
            "You solve (KK + λI)α = Ky; the penalty in the RKHS is λ αᵀKα, not λ αᵀα, so its gradient is λKα.",
            "Read “Second way: a criterion in α” again: the gradient is -2Ky + 2KKα + 2λKα, and K cancels.",
            _TWO_POINTS + "a = krr_fit(K, y, 0.5)\nprint(-2*K@y + 2*K@K@a + 2*0.5*K@a)   # the gradient: must be 0",
        ),
        Misconception(
            "lambda squared",
            lambda K, y, lam: np.linalg.solve(K + lam**2 * np.eye(len(K)), y),
            "You add λ² to the diagonal; the penalty is λ‖f‖², with λ to the first power.",
            "Read “First way: push-through” again: λ enters the normal equations as λI.",
            _TWO_POINTS + "a = krr_fit(K, y, 0.5)\nprint((K + 0.5 * np.eye(2)) @ a - y)   # must be 0",
        ),
        Misconception(
            "half lambda",
            lambda K, y, lam: np.linalg.solve(K + lam / 2 * np.eye(len(K)), y),
            "You add λ/2: either both terms of the criterion carry a ½ or neither does, and the ½ cancels.",
            "Read “Which λ?” again: ½Σ(y - f)² + (λ/2)‖f‖² has the same minimiser as Σ(y - f)² + λ‖f‖².",
            _TWO_POINTS + "a = krr_fit(K, y, 0.5)\nprint((K + 0.5 * np.eye(2)) @ a - y)   # must be 0",
        ),
        Misconception(
            "twice lambda",
            lambda K, y, lam: np.linalg.solve(K + 2 * lam * np.eye(len(K)), y),
            "You add 2λ: the 2 of the penalty's gradient was kept and the 2 of the squared error's was dropped.",
            "Read “Second way: a criterion in α” again: every term of the gradient carries the same 2.",
            _TWO_POINTS + "a = krr_fit(K, y, 0.5)\nprint((K + 0.5 * np.eye(2)) @ a - y)   # must be 0",
        ),
        Misconception(
            "lambda added to every entry",
            lambda K, y, lam: np.linalg.solve(K + lam, y),
            "`K + lam` adds λ to every entry of K; λI adds it to the diagonal only.",
            "Read “First way: push-through” again: I is the identity matrix, 1 on the diagonal and 0 elsewhere.",
            _USE + "print(np.zeros((2, 2)) + 0.5)\nprint(np.zeros((2, 2)) + 0.5 * np.eye(2))",
        ),
        Misconception(
            "minus lambda",
            lambda K, y, lam: np.linalg.solve(K - lam * np.eye(len(K)), y),
            "You subtract λ from the diagonal: that rewards large f, and K - λI may even be singular.",
            "Read “Second way: a criterion in α” again and follow the sign of the penalty.",
            _TWO_POINTS + "for lam in (0.1, 10.0):\n    print(lam, krr_fit(K, y, lam))   # must shrink as lam grows",
        ),
        Misconception(
            "fitted values",
            lambda K, y, lam: K @ krr_fit(K, y, lam),
            "You return Kα, the fitted values; the exercise asks for α itself.",
            "Read “The predictor” again: α is found once, and K only turns it into values f(x_i).",
            _TWO_POINTS + "a = krr_fit(K, y, 0.5)\nprint((K + 0.5 * np.eye(2)) @ a - y)   # must be 0",
        ),
        Misconception(
            "multiplies, does not solve",
            lambda K, y, lam: (K + lam * np.eye(len(K))) @ y,
            "You return (K + λI)y; α is what K + λI has to be multiplied with to give y, so a system must be solved.",
            "Read “First way: push-through” again, its last line: there is an inverse.",
            _TWO_POINTS + "a = krr_fit(K, y, 0.5)\nprint((K + 0.5 * np.eye(2)) @ a - y)   # must be 0",
        ),
        Misconception(
            "diagonal only",
            lambda K, y, lam: y / (np.diag(K) + lam),
            "You divide by the diagonal of K + λI, as if the points did not know of each other; the whole matrix "
            "belongs into the system.",
            "Read “Second way: a criterion in α” again: every f(x_i) depends on all α_j.",
            _TWO_POINTS + "a = krr_fit(K, y, 0.5)\nprint((K + 0.5 * np.eye(2)) @ a - y)   # must be 0",
        ),
    ),
    sizes=_lam_n,
)


# -- 3.2


def krr_fit_predict(X, y, Xq, sigma, lam):
    """f(x_q) = k(x_q)ᵀ (K + λI)⁻¹ y with the Gaussian kernel."""
    k = Gaussian(sigma)
    return k(Xq, X) @ krr_fit(k(X), y, lam)


def _exp(X, Z, factor, power=2.0):
    distance = np.sqrt(((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2))
    return np.exp(-factor * distance**power)


def _with(kernel):
    """The whole prediction with another kernel function (X, Z, sigma)."""
    return lambda X, y, Xq, sigma, lam: kernel(Xq, X, sigma) @ krr_fit(kernel(X, X, sigma), y, lam)


def _mean_added(X, y, Xq, sigma, lam):
    return y.mean() + krr_fit_predict(X, y - y.mean(), Xq, sigma, lam)


_GAUSS = _USE + "x = np.array([[0.0], [1.0]]); y = np.array([1.0, -1.0])\n"

KRR_FIT_PREDICT = Exercise(
    name="krr_fit_predict",
    chapter=CHAPTER,
    number="3.2",
    returns="the predictions f(x_q), shape (q,), one for each row of Xq",
    reference=krr_fit_predict,
    properties=(
        Property("predicts new points in two dimensions", 2, lambda r: [_regression(r) for _ in range(3)]),
        Property(
            "answers a single query with an array of one number",
            1,
            lambda r: [_regression(r, queries=1)],
            hint="With one row in Xq the answer has shape (1,): np.squeeze, float() or a sum over everything lose it.",
        ),
        Property(
            "goes back to 0 far away from the data",
            1,
            lambda r: [(X, y, Xq + 600.0, s, lam) for X, y, Xq, s, lam in [_regression(r)]],
            hint="Far from all data every k(x, x_i) is 0, so f(x) is 0: kernel ridge regression has no intercept.",
            scale=lambda X, y, Xq, sigma, lam: float(np.abs(y).max()),
        ),
    ),
    misconceptions=(
        Misconception(
            "sigma and lambda swapped in the fit",
            lambda X, y, Xq, sigma, lam: Gaussian(sigma)(Xq, X) @ krr_fit(Gaussian(lam)(X), y, sigma),
            "Somewhere on the way to the fit σ and λ changed places: α was computed with width λ and penalty σ.",
            "Read “Find the error” again: a published example calls `krr(x, y, Lambda, sigma)` where the function "
            "is `krr(X, y, sigma, Lambda)`.",
            _GAUSS + "print(krr_fit_predict(x, y, x, 1.0, 1e-9))   # no penalty, so it must give y back",
        ),
        Misconception(
            "sigma and lambda swapped everywhere",
            lambda X, y, Xq, sigma, lam: krr_fit_predict(X, y, Xq, lam, sigma),
            "σ and λ have changed places throughout: λ is used as the width and σ as the penalty.",
            "Read “Find the error” again, and call your helpers with keywords: `sigma=sigma, lam=lam`.",
            _GAUSS + "print(krr_fit_predict(x, y, x, 1.0, 1e-9))   # no penalty, so it must give y back",
        ),
        Misconception(
            "train and query points swapped",
            None,
            "The kernel matrix of the prediction lies on its side: it needs a row for each query and a column for "
            "each training point, k(Xq, X).",
            "Read “The predictor” again: row q of the matrix is k(x_q)ᵀ, n numbers that meet the n entries of α.",
            _GAUSS + "xq = np.array([[0.2], [0.4], [0.6]])\nprint(krr_fit_predict(x, y, xq, 1.0, 0.5).shape)   # (3,)",
            error="ValueError: matmul: Input operand 1 has a mismatch",
        ),
        Misconception(
            "lambda added when predicting",
            lambda X, y, Xq, sigma, lam: (Gaussian(sigma)(Xq, X) + lam) @ krr_fit(Gaussian(sigma)(X), y, lam),
            "You add λ to the kernel matrix of the prediction as well; λ belongs to the fit only.",
            "Read “The predictor” again: f(x) = Σ α_i k(x, x_i), and λ has done its work inside α.",
            _GAUSS + "print(krr_fit_predict(x, y, x + 50.0, 1.0, 0.5))   # far away: must be 0",
        ),
        Misconception(
            "no lambda",
            lambda X, y, Xq, sigma, lam: krr_fit_predict(X, y, Xq, sigma, 0.0),
            "The fit forgets λ: your curve passes through every training point.",
            "Read “Second way: a criterion in α” again: (K + λI)α = y.",
            _GAUSS + "for lam in (0.1, 1e6):\n    print(krr_fit_predict(x, y, x, 1.0, lam))   # must go to 0",
        ),
        Misconception(
            "n times lambda",
            lambda X, y, Xq, sigma, lam: krr_fit_predict(X, y, Xq, sigma, len(X) * lam),
            "You put nλ where λ stands: that is the convention of the mean squared error; ours has the sum.",
            "Read “Which λ?” again.",
            _GAUSS + "a = 1 / (1 + 0.5 - np.exp(-0.5))            # two points, by hand\n"
            "print(krr_fit_predict(x, y, x, 1.0, 0.5)[0] - a * (1 - np.exp(-0.5)))   # must be 0",
        ),
        Misconception(
            "exponent without the 2",
            _with(lambda X, Z, s: _exp(X, Z, 1 / s**2)),
            "Your kernel is exp(-‖x-z‖²/σ²); in this course σ always means exp(-‖x-z‖²/(2σ²)).",
            "Read the notation on the start page: the σ of exp(-‖x-z‖²/σ²) is √2 times ours.",
            _USE + "print(np.exp(-0.5))   # k(x, z) for points at distance σ, whatever σ",
        ),
        Misconception(
            "sigma used as gamma",
            _with(lambda X, Z, s: _exp(X, Z, s)),
            "Your kernel is exp(-σ‖x-z‖²): σ was used as scikit-learn's gamma, which is 1/(2σ²).",
            "Read “The same in scikit-learn” again: gamma has the units of 1/x², σ those of x.",
            _USE + "print(np.exp(-0.5))   # k(x, z) for points at distance σ, whatever σ",
        ),
        Misconception(
            "sigma not squared",
            _with(lambda X, Z, s: _exp(X, Z, 1 / (2 * s))),
            "Your kernel is exp(-‖x-z‖²/(2σ)): σ is not squared, so the exponent has a unit left.",
            "Read the notation on the start page: exp(-‖x-z‖²/(2σ²)).",
            _USE + "print(np.exp(-0.5))   # k(x, z) for points at distance σ, whatever σ",
        ),
        Misconception(
            "distance not squared",
            _with(lambda X, Z, s: _exp(X, Z, 1 / (2 * s**2), power=1.0)),
            "Your kernel has ‖x-z‖ in the exponent where ‖x-z‖² belongs: a kink at every training point.",
            "Read the notation on the start page: exp(-‖x-z‖²/(2σ²)).",
            _USE + "print(np.exp(-2.0))   # k(x, z) for points at distance 2σ",
        ),
        Misconception(
            "distances feature by feature",
            _with(lambda X, Z, s: np.exp(-(np.abs(X[:, None] - Z[None]).sum(2) ** 2) / (2 * s**2))),
            "You square the sum of the absolute differences; ‖x-z‖² is the sum of the squared differences.",
            "Look at ‖x-z‖² in two dimensions: Pythagoras, not the way round the block.",
            _USE + "d = np.array([3.0, 4.0])\nprint((d**2).sum(), np.abs(d).sum()**2)   # 25 and 49",
        ),
        Misconception(
            "predicts the training points",
            lambda X, y, Xq, sigma, lam: Gaussian(sigma)(X) @ krr_fit(Gaussian(sigma)(X), y, lam),
            "You return the fit at the training points X; the predictions are asked for at Xq.",
            "Read “The predictor” again: K(Xq, X), not K(X, X).",
            _GAUSS + "print(krr_fit_predict(x, y, np.array([[0.5]]), 1.0, 0.5).shape)   # (1,)",
        ),
        Misconception(
            "returns alpha",
            lambda X, y, Xq, sigma, lam: krr_fit(Gaussian(sigma)(X), y, lam),
            "You return α; the predictions are k(Xq, X) α.",
            "Read “The predictor” again, its last line.",
            _GAUSS + "print(krr_fit_predict(x, y, np.array([[0.5]]), 1.0, 0.5).shape)   # (1,)",
        ),
        Misconception(
            "mean of y added",
            _mean_added,
            "You centre y and add the mean back: a sensible model, but not the one asked for, which has no intercept.",
            "Read “No intercept” again: that is kernel ridge regression on y - ȳ.",
            _GAUSS + "print(krr_fit_predict(x, y + 7, x + 50.0, 1.0, 0.5))   # far away: must be 0",
        ),
    ),
    sizes=lambda X, y, Xq, sigma, lam: {"n": len(X), "q": len(Xq), "σ": sigma, "λ": lam},
    allowed=("kcourse.kernels",),
)


# -- 3.3


def ridge_dual_w(Phi, y, lam):
    """w = Φᵀα with α = (ΦΦᵀ + λI)⁻¹ y."""
    return Phi.T @ krr_fit(Phi @ Phi.T, y, lam)


_PHI = _USE + "Phi = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, -1.0]]); y = np.array([1.0, 3.0])\n"

RIDGE_DUAL_W = Exercise(
    name="ridge_dual_w",
    chapter=CHAPTER,
    number="3.3",
    returns="the weights w, shape (d,)",
    reference=ridge_dual_w,
    properties=(
        # square too: with n = d a transpose that was forgotten raises no error
        Property(
            "gives the weights when there are more features than points",
            2,
            lambda r: [_features(r, 4, 7), _features(r, 5, 8), _features(r, 5, 5)],
        ),
        Property(
            "gives the weights when there are more points than features",
            1,
            lambda r: [_features(r, 9, 3)],
            hint="With n > d the matrix ΦΦᵀ is singular; only ΦΦᵀ + λI may be inverted.",
        ),
    ),
    misconceptions=(
        Misconception(
            "w = Phi alpha",
            lambda Phi, y, lam: Phi @ krr_fit(Phi @ Phi.T, y, lam),
            "You compute Φα; w is a combination of the rows of Φ, so it is Φᵀα (a lecture prints it without the "
            "transpose, too).",
            "Read “First way: push-through” again: w = Σ α_i φ(x_i), and φ(x_i) is row i of Φ.",
            _PHI + "print(ridge_dual_w(Phi, y, 0.5).shape)   # one weight for each of 3 features",
            error="matmul: Input operand 1 has a mismatch",
        ),
        Misconception(
            "returns alpha",
            lambda Phi, y, lam: krr_fit(Phi @ Phi.T, y, lam),
            "You return α, one number for each point; w = Φᵀα has one for each feature.",
            "Read “First way: push-through” again: α lives in the space of the points, w in that of the features.",
            _PHI + "print(ridge_dual_w(Phi, y, 0.5).shape)   # one weight for each of 3 features",
        ),
        Misconception(
            "no lambda",
            lambda Phi, y, lam: np.linalg.pinv(Phi) @ y,
            "Your w is the least-squares solution: λ is missing.",
            "Read “Ridge regression, the primal” again: the penalty λwᵀw adds λI.",
            _PHI + "for lam in (0.1, 1e6):\n    print(ridge_dual_w(Phi, y, lam))   # must go to 0",
        ),
        Misconception(
            "Phi y for Phi^T y",
            lambda Phi, y, lam: np.linalg.solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), Phi @ y),
            "You have (ΦᵀΦ + λI)⁻¹Φy: a transpose is missing before y, as in a printed lecture; Φy does not even exist "
            "unless n = d.",
            "Read “Find the error” again: the gradient of the squared error is -2Φᵀ(y - Φw).",
            _PHI + "print(Phi.shape, y.shape, (Phi.T @ y).shape)",
        ),
        Misconception(
            "n times lambda",
            lambda Phi, y, lam: ridge_dual_w(Phi, y, len(y) * lam),
            "You put nλ where λ stands: that is the convention of the mean squared error; ours has the sum.",
            "Read “Which λ?” again.",
            _PHI + "w = ridge_dual_w(Phi, y, 0.5)\nprint(Phi.T @ (Phi @ w - y) + 0.5 * w)   # the gradient: must be 0",
        ),
        Misconception(
            "lambda squared",
            lambda Phi, y, lam: ridge_dual_w(Phi, y, lam**2),
            "You add λ²; the penalty is λwᵀw, with λ to the first power.",
            "Read “Ridge regression, the primal” again.",
            _PHI + "w = ridge_dual_w(Phi, y, 0.5)\nprint(Phi.T @ (Phi @ w - y) + 0.5 * w)   # the gradient: must be 0",
        ),
        Misconception(
            "fitted values",
            lambda Phi, y, lam: Phi @ ridge_dual_w(Phi, y, lam),
            "You return the fitted values Φw; the weights w are asked for.",
            "Read “First way: push-through” again: w = Φᵀα comes before any prediction.",
            _PHI + "print(ridge_dual_w(Phi, y, 0.5).shape)   # one weight for each of 3 features",
        ),
    ),
    sizes=lambda Phi, y, lam: {"n": len(y), "d": Phi.shape[1], "λ": lam},
)


# -- 3.4


def krr_loo_residuals(K, y, lam):
    """y_i - f₋ᵢ(x_i) = α_i / [(K + λI)⁻¹]_ii."""
    G = np.linalg.inv(K + lam * np.eye(len(K)))
    return (G @ y) / np.diag(G)


def _hat(K, lam):
    return K @ np.linalg.inv(K + lam * np.eye(len(K)))


def _lonely(rng: Rng) -> tuple:
    """A Gram matrix in which the last point is like no other."""
    K, y, lam = _system(rng)
    K[-1, :-1] = K[:-1, -1] = 0.0
    return K, y, lam


_REFIT = (
    _USE
    + "x = np.array([0.0, 1.0, 2.5]); y = np.array([1.0, -1.0, 0.5])\n"
    + "K = np.exp(-(x[:, None] - x)**2 / 2); keep = [1, 2]          # leave point 0 out, by hand\n"
    + "a = np.linalg.solve(K[np.ix_(keep, keep)] + 0.5 * np.eye(2), y[keep])\n"
)

KRR_LOO = Exercise(
    name="krr_loo_residuals",
    chapter=CHAPTER,
    number="3.4",
    returns="the leave-one-out residuals y_i - f₋ᵢ(x_i), shape (n,)",
    reference=krr_loo_residuals,
    properties=(
        Property("equals n refits, each without one point", 2, lambda r: [_system(r) for _ in range(3)]),
        Property(
            "leaves y_i for a point that is like no other",
            1,
            lambda r: [_lonely(r) for _ in range(2)],
            hint="A point with k(x_i, x_j) = 0 for all others is predicted by 0 once it is left out, so its residual "
            "is y_i itself.",
        ),
        Property(
            "works when y holds whole numbers",
            1,
            lambda r: [_system(r, whole=True)],
            hint="With whole numbers in y your residuals are cut to whole numbers: start from np.zeros(len(y)).",
        ),
    ),
    misconceptions=(
        Misconception(
            "training residuals",
            lambda K, y, lam: y - _hat(K, lam) @ y,
            "These are the training residuals y - Kα: every point helped to predict itself.",
            "Read “Leave-one-out without refitting” again: each residual is still to be divided by 1 - H_ii.",
            _REFIT + "print(y[0] - K[0, keep] @ a, krr_loo_residuals(K, y, 0.5)[0])   # must agree",
        ),
        Misconception(
            "sign flipped",
            lambda K, y, lam: -krr_loo_residuals(K, y, lam),
            "Right up to the sign: a residual is y - f, what is observed minus what is predicted.",
            "Read “Leave-one-out without refitting” again, its first line.",
            _REFIT + "print(y[0] - K[0, keep] @ a, krr_loo_residuals(K, y, 0.5)[0])   # must agree",
        ),
        Misconception(
            "divided twice",
            lambda K, y, lam: (y - _hat(K, lam) @ y) / (1 - np.diag(_hat(K, lam))) ** 2,
            "You divide by (1 - H_ii)²: the square belongs to the squared error, not to the residual.",
            "Read “Leave-one-out without refitting” again: r_i / (1 - H_ii), once.",
            _REFIT + "print(y[0] - K[0, keep] @ a, krr_loo_residuals(K, y, 0.5)[0])   # must agree",
        ),
        Misconception(
            "GCV denominator",
            lambda K, y, lam: (y - _hat(K, lam) @ y) / (1 - np.trace(_hat(K, lam)) / len(K)),
            "You divide every residual by the same 1 - tr(H)/n: that is generalised cross-validation; leave-one-out "
            "has each point's own H_ii.",
            "Read “Leave-one-out without refitting” again: the denominator has an index i.",
            _REFIT + "print(y[0] - K[0, keep] @ a, krr_loo_residuals(K, y, 0.5)[0])   # must agree",
        ),
        Misconception(
            "diagonal of K for diagonal of the inverse",
            lambda K, y, lam: krr_fit(K, y, lam) * (np.diag(K) + lam),
            "You take 1/(K_ii + λ) for [(K + λI)⁻¹]_ii: the diagonal of an inverse is not the inverse of the diagonal.",
            "Read “Leave-one-out without refitting” again: invert the matrix first, then take its diagonal.",
            _USE + "A = np.array([[2.0, 1.0], [1.0, 2.0]])\nprint(np.diag(np.linalg.inv(A)), 1 / np.diag(A))",
        ),
        Misconception(
            "returns alpha",
            krr_fit,
            "You return α; the leave-one-out residual is α_i divided by [(K + λI)⁻¹]_ii.",
            "Read “Leave-one-out without refitting” again, its last line.",
            _REFIT + "print(y[0] - K[0, keep] @ a, krr_loo_residuals(K, y, 0.5)[0])   # must agree",
        ),
        Misconception(
            "predictions, not residuals",
            lambda K, y, lam: y - krr_loo_residuals(K, y, lam),
            "You return the left-out predictions f₋ᵢ(x_i); the residuals y_i - f₋ᵢ(x_i) are asked for.",
            "Read “Leave-one-out without refitting” again, its first line.",
            _REFIT + "print(y[0] - K[0, keep] @ a, krr_loo_residuals(K, y, 0.5)[0])   # must agree",
        ),
        Misconception(
            "no lambda",
            lambda K, y, lam: np.linalg.solve(K, y) / np.diag(np.linalg.inv(K)),
            "λ is missing from K + λI: these are the leave-one-out residuals of the interpolating fit.",
            "Read “Leave-one-out without refitting” again: it is (K + λI)⁻¹ in both places.",
            _REFIT + "print(y[0] - K[0, keep] @ a, krr_loo_residuals(K, y, 0.5)[0])   # must agree",
        ),
        Misconception(
            "n times lambda",
            lambda K, y, lam: krr_loo_residuals(K, y, len(K) * lam),
            "You put nλ where λ stands: that is the convention of the mean squared error; ours has the sum.",
            "Read “Which λ?” again.",
            _REFIT + "print(y[0] - K[0, keep] @ a, krr_loo_residuals(K, y, 0.5)[0])   # must agree",
        ),
        Misconception(
            "squared",
            lambda K, y, lam: krr_loo_residuals(K, y, lam) ** 2,
            "You return the squared residuals; leave the squaring to whoever averages them.",
            "Read “Leave-one-out without refitting” again, its first line.",
            _REFIT + "print(y[0] - K[0, keep] @ a, krr_loo_residuals(K, y, 0.5)[0])   # must agree",
        ),
    ),
    sizes=_lam_n,
)


# -- 3.5


def effective_df(K, lam):
    """tr K(K + λI)⁻¹."""
    return float(np.trace(_hat(K, lam)))


_EIG = _USE + "K = np.diag([4.0, 1.0])   # eigenvalues 4 and 1\n"

EFFECTIVE_DF = Exercise(
    name="effective_df",
    chapter=CHAPTER,
    number="3.5",
    returns="the effective degrees of freedom, one number",
    reference=effective_df,
    properties=(
        Property(
            "is tr K(K + λI)⁻¹ on random Gram matrices",
            2,
            lambda r: [_system(r)[::2] for _ in range(3)],
        ),
        Property(
            "works when two points coincide, so that K is singular",
            1,
            lambda r: [_system(r, twin=True)[::2] for _ in range(2)],
            hint="Your formula needs K⁻¹, which does not exist when two points coincide; invert K + λI only.",
        ),
    ),
    misconceptions=(
        Misconception(
            "trace of K",
            lambda K, lam: np.trace(K),
            "You return tr K: λ plays no part in it, but a stronger penalty must leave fewer degrees of freedom.",
            "Read “Effective degrees of freedom” again: the trace is that of H = K(K + λI)⁻¹, which maps y to the fit.",
            _EIG + "for lam in (0.1, 10.0):\n    print(lam, effective_df(K, lam))   # must fall as lam grows",
        ),
        Misconception(
            "rank",
            lambda K, lam: float(np.linalg.matrix_rank(K)),
            "You return the rank of K, the limit λ → 0; with λ > 0 every direction counts for less than 1.",
            "Read “Effective degrees of freedom” again: an eigenvalue w counts w/(w + λ).",
            _EIG + "print(effective_df(K, 1.0), 4/5 + 1/2)   # must agree",
        ),
        Misconception(
            "trace of the inverse",
            lambda K, lam: np.trace(np.linalg.inv(K + lam * np.eye(len(K)))),
            "You return tr (K + λI)⁻¹: the factor K before it is missing.",
            "Read “Effective degrees of freedom” again: H = K(K + λI)⁻¹ maps y to the fitted values.",
            _EIG + "print(effective_df(K, 1.0), 4/5 + 1/2)   # must agree",
        ),
        Misconception(
            "trace of H squared",
            lambda K, lam: np.trace(_hat(K, lam) @ _hat(K, lam)),
            "You return tr H²: another measure of complexity (of the variance); the one asked for is tr H.",
            "Read “Effective degrees of freedom” again: the sum of w/(w + λ), not of its squares.",
            _EIG + "print(effective_df(K, 1.0), 4/5 + 1/2)   # must agree",
        ),
        Misconception(
            "residual degrees of freedom",
            lambda K, lam: len(K) - effective_df(K, lam),
            "You return n - tr H, what is left for the residuals; the fit itself uses tr H.",
            "Read “Effective degrees of freedom” again: with λ → ∞ the fit uses none.",
            _EIG + "print(effective_df(K, 1e9))   # must be close to 0",
        ),
        Misconception(
            "no lambda",
            lambda K, lam: float(len(K)),
            "You return n: without λ, K K⁻¹ = I and every point counts fully.",
            "Read “Effective degrees of freedom” again: an eigenvalue w counts w/(w + λ).",
            _EIG + "for lam in (0.1, 10.0):\n    print(lam, effective_df(K, lam))   # must fall as lam grows",
        ),
        Misconception(
            "n times lambda",
            lambda K, lam: effective_df(K, len(K) * lam),
            "You put nλ where λ stands: that is the convention of the mean squared error; ours has the sum.",
            "Read “Which λ?” again.",
            _EIG + "print(effective_df(K, 1.0), 4/5 + 1/2)   # must agree",
        ),
        Misconception(
            "sum of all entries",
            lambda K, lam: _hat(K, lam).sum(),
            "You add up all entries of H; a trace adds up its diagonal.",
            "Read “Effective degrees of freedom” again: tr H = Σ_i H_ii.",
            _USE + "A = np.array([[1.0, 2.0], [3.0, 4.0]])\nprint(np.trace(A), A.sum())",
        ),
        Misconception(
            "diagonal, not summed",
            lambda K, lam: np.diag(_hat(K, lam)),
            "You return the diagonal of H; its sum is asked for, one number.",
            "Read “Effective degrees of freedom” again: tr H = Σ_i H_ii.",
            _EIG + "print(np.ndim(effective_df(K, 1.0)))   # must be 0",
        ),
        Misconception(
            "entrywise product with the inverse",
            lambda K, lam: np.trace(K * np.linalg.inv(K + lam * np.eye(len(K)))),
            "`K * G` multiplies entry by entry; the product of matrices is `K @ G`.",
            "Read “Effective degrees of freedom” again: H is the matrix that maps y to the fitted values.",
            _USE + "A = np.array([[1.0, 2.0], [3.0, 4.0]])\nprint(A * A)\nprint(A @ A)",
        ),
    ),
    sizes=lambda K, lam: {"n": len(K), "λ": lam},
)


# -- 3.6


def rkhs_norm2(K, alpha):
    """‖f‖² = αᵀKα."""
    return float(alpha @ K @ alpha)


def _function(rng: Rng, *, twin: bool = False) -> tuple:
    K = _gram(rng, int(rng.integers(5, 9)), twin=twin)
    return K, rng.normal(size=len(K)) * 1.7


def _zero_function(rng: Rng) -> tuple:
    """α = (c, -c, 0, …) on two points that coincide: f = 0, although α is not."""
    K, alpha = _function(rng, twin=True)
    # a power of 2, so that αᵀKα is exactly 0 in every order of summation (its root, too)
    alpha[0], alpha[1], alpha[2:] = 2.0, -2.0, 0.0
    return K, alpha


_NORM = _USE + "K = np.array([[1.0, 1.0], [1.0, 1.0]])   # two points that coincide\n"

RKHS_NORM2 = Exercise(
    name="rkhs_norm2",
    chapter=CHAPTER,
    number="3.6",
    returns="the squared norm ‖f‖² in the RKHS, one number",
    reference=rkhs_norm2,
    properties=(
        Property("is ‖Σ α_i k(x_i, ·)‖² for random α", 2, lambda r: [_function(r) for _ in range(3)]),
        Property(
            "is 0 for two equal sections that cancel",
            1,
            lambda r: [_zero_function(r) for _ in range(2)],
            hint="If two points coincide and their coefficients are c and -c, f is 0 everywhere and so is its norm, "
            "although α is not.",
            scale=lambda K, alpha: float(alpha @ np.abs(K) @ alpha + alpha @ alpha),
        ),
    ),
    misconceptions=(
        Misconception(
            "alpha'alpha",
            lambda K, alpha: alpha @ alpha,
            "You return αᵀα, as if the k(x_i, ·) were orthonormal; their inner products are the entries of K.",
            "Read “The norm that is paid” again: ⟨k(x_i, ·), k(x_j, ·)⟩ = k(x_i, x_j).",
            _NORM + "print(rkhs_norm2(K, np.array([1.0, -1.0])))   # f = 0, so must be 0",
        ),
        Misconception(
            "values, not norm",
            lambda K, alpha: (K @ alpha) @ (K @ alpha),
            "You return ‖Kα‖², the sum of the squared values f(x_i): how large f is at the points, not how long it is.",
            "Read “The norm that is paid” again: αᵀKα has one K.",
            _USE + "K = np.array([[4.0]])\nprint(rkhs_norm2(K, np.array([1.0])))   # ‖k(x, ·)‖² = k(x, x) = 4",
        ),
        Misconception(
            "square root",
            lambda K, alpha: np.sqrt(alpha @ K @ alpha),
            "You return ‖f‖; its square ‖f‖² is asked for, the quantity that λ multiplies.",
            "Read “The norm that is paid” again: the penalty is λ‖f‖².",
            _USE + "K = np.array([[4.0]])\nprint(rkhs_norm2(K, np.array([1.0])))   # ‖k(x, ·)‖² = k(x, x) = 4",
        ),
        Misconception(
            "diagonal only",
            lambda K, alpha: np.sum(np.diag(K) * alpha**2),
            "You add up α_i² k(x_i, x_i) only; the cross terms 2 α_i α_j k(x_i, x_j) are missing.",
            "Read “The norm that is paid” again: the sum runs over all pairs i, j.",
            _NORM + "print(rkhs_norm2(K, np.array([1.0, -1.0])))   # f = 0, so must be 0",
        ),
        Misconception(
            "sum of the values",
            lambda K, alpha: np.sum(K @ alpha),
            "You add up the values f(x_i); each is still to be multiplied by its α_i.",
            "Read “The norm that is paid” again: Σ_i α_i Σ_j k(x_i, x_j) α_j.",
            _USE + "K = np.array([[4.0]])\nprint(rkhs_norm2(K, np.array([-1.0])))   # a squared length: never negative",
        ),
        Misconception(
            "inverse of K",
            lambda K, alpha: alpha @ np.linalg.solve(K, alpha),
            "You return αᵀK⁻¹α: that is the norm for given values f(x_i); for given coefficients it is αᵀKα.",
            "Read “The norm that is paid” again and look which of the two, α or the values Kα, stands outside.",
            _USE + "K = np.array([[4.0]])\nprint(rkhs_norm2(K, np.array([1.0])))   # ‖k(x, ·)‖² = k(x, x) = 4",
        ),
        Misconception(
            "values, not summed",
            lambda K, alpha: K @ alpha,
            "You return the values Kα, one for each point; the inner product with α is missing.",
            "Read “The norm that is paid” again: αᵀ(Kα) is one number.",
            _NORM + "print(np.ndim(rkhs_norm2(K, np.array([1.0, 2.0]))))   # must be 0",
        ),
    ),
    sizes=lambda K, alpha: {"n": len(K)},
)


# -- 3.7: all of it together, on data


def _search(X, y, sigmas, lams, score):
    """The pair of least ``score(K, y, lam)``, σ first, with that score."""
    table = [(score(Gaussian(s)(X), y, lam), s, lam) for s in sigmas for lam in lams]
    best, sigma, lam = min(table, key=lambda row: row[0])
    return sigma, lam, best


def krr_tune(X, y, sigmas, lams):
    """The (σ, λ) of least mean squared leave-one-out residual, and that mean square."""
    paths = [loo_path(Gaussian(s)(X), y, lams) for s in sigmas]
    i = int(np.argmin([p.mse.min() for p in paths]))
    j = int(np.argmin(paths[i].mse))
    return float(sigmas[i]), float(lams[j]), float(paths[i].mse[j])


def _loo_mse(K, y, lam):
    return float(np.mean(krr_loo_residuals(K, y, lam) ** 2))


def _train_mse(K, y, lam):
    return float(np.mean((y - _hat(K, lam) @ y) ** 2))


def _gcv(K, y, lam):
    H = _hat(K, lam)
    return float(np.mean(((y - H @ y) / (1 - np.trace(H) / len(K))) ** 2))


def _by(score):
    return lambda X, y, sigmas, lams: _search(X, y, sigmas, lams, score)


def _first_loop_only(X, y, sigmas, lams):
    sigma, _, _ = _search(X, y, sigmas, lams[:1], _loo_mse)
    return _search(X, y, [sigma], lams, _loo_mse)


def _curve(rng: Rng, n: int = 24) -> tuple:
    """A noisy wave in the plane, and grids on which choosing σ first and λ afterwards ends at the wrong pair."""
    sigmas, lams = np.array([0.13, 0.5, 1.2, 2.7, 11.0]), np.array([14.0, 0.31, 0.003, 1.9, 0.04])
    while True:
        X = rng.uniform(-2.0, 2.0, size=(n, 2))
        y = np.sin(2.0 * X[:, 0]) + 0.3 * X[:, 1] + 0.25 * rng.normal(size=n)
        drawn = X, y, sigmas, lams
        best = krr_tune(*drawn)
        if best[:2] != _first_loop_only(*drawn)[:2] and best[1] != lams[0]:
            return drawn


_MCYCLE = (
    "from kcourse.datasets import load_mcycle\n"
    "data = load_mcycle()\n"
    "print(krr_tune(data.X, data.y, [1.0, 3.0, 9.0], [0.1, 1.0]))\n"
)

KRR_TUNE = Exercise(
    name="krr_tune",
    chapter=CHAPTER,
    number="3.7",
    returns="(sigma, lam, mse): the best width, the best λ and their mean squared leave-one-out residual",
    reference=krr_tune,
    properties=(
        Property("finds the pair of least leave-one-out error", 3, lambda r: [_curve(r) for _ in range(3)]),
        Property(
            "works with a single candidate of each",
            1,
            lambda r: [(X, y, s[2:3], lam[1:2]) for X, y, s, lam in [_curve(r)]],
            hint="With one σ and one λ the answer is that pair and its error: the grids are arrays of any length.",
        ),
    ),
    misconceptions=(
        Misconception(
            "training error",
            _by(_train_mse),
            "You choose by the training error, which the narrowest kernel with the least penalty always wins.",
            "Read “Leave-one-out without refitting” again: a point must not help to predict itself.",
            _MCYCLE + "# more and more narrow widths must not win: try sigmas [0.01, 3.0]",
        ),
        Misconception(
            "lambda before sigma",
            lambda X, y, sigmas, lams: tuple(np.array(krr_tune(X, y, sigmas, lams))[[1, 0, 2]]),
            "The right pair in the wrong order: return (sigma, lam, mse).",
            "Look at the docstring of the sheet: σ comes first.",
            _MCYCLE + "# the first number must be one of the sigmas",
        ),
        Misconception(
            "largest, not smallest",
            lambda X, y, sigmas, lams: _flip(_search(X, y, sigmas, lams, lambda K, y, lam: -_loo_mse(K, y, lam))),
            "You return the pair with the largest error: argmax where argmin belongs.",
            "An error is to be small.",
            _MCYCLE + "# the error of the returned pair must be the smallest of the table",
        ),
        Misconception(
            "mean absolute residual",
            _by(lambda K, y, lam: float(np.mean(np.abs(krr_loo_residuals(K, y, lam))))),
            "You average the absolute residuals; the mean of their squares is asked for.",
            "Look at the docstring of the sheet: mse is a mean of squares.",
            _MCYCLE + "# units: mse is in g², not in g",
        ),
        Misconception(
            "sum, not mean",
            _by(lambda K, y, lam: len(y) * _loo_mse(K, y, lam)),
            "The right pair; but your error is the sum of the squared residuals, n times their mean.",
            "Look at the docstring of the sheet: mse is a mean of squares.",
            _MCYCLE + "# the error must not grow when every point is entered twice",
        ),
        Misconception(
            "root of the mean square",
            _by(lambda K, y, lam: float(np.sqrt(_loo_mse(K, y, lam)))),
            "The right pair; but your error is the root of the mean square: leave the square.",
            "Look at the docstring of the sheet: mse, not rmse.",
            _MCYCLE + "# units: mse is in g², not in g",
        ),
        Misconception(
            "GCV",
            _by(_gcv),
            "You choose by generalised cross-validation, with tr(H)/n for every H_ii: close, but leave-one-out is "
            "asked for.",
            "Read “Leave-one-out without refitting” again: the denominator has an index i.",
            _MCYCLE + "# compare with krr_loo_residuals of exercise 3.4",
        ),
        Misconception(
            "sigma first, then lambda",
            _first_loop_only,
            "You choose σ with the first λ and then λ for that σ; the best pair may be another: try all pairs.",
            "Read “Leave-one-out without refitting” again: the map of the error has a slanted valley.",
            _MCYCLE + "# two loops, one inside the other, and one minimum over the whole table",
        ),
    ),
    sizes=lambda X, y, sigmas, lams: {"n": len(y)},
    allowed=("kcourse.kernels",),
)


def _flip(answer):
    sigma, lam, score = answer
    return sigma, lam, -score


EXERCISES = (KRR_FIT, KRR_FIT_PREDICT, RIDGE_DUAL_W, KRR_LOO, EFFECTIVE_DF, RKHS_NORM2, KRR_TUNE)
