"""Exercises of chapter 3, kernel ridge regression: properties, right answers, and the slips that have a name.

The wrong answers come from the literature's own slips, from issue threads and from forum questions. Their values on
the course's canonical inputs are in ``tests/checks/test_ch03_ridge.py``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Property
from kcourse.kernels import Gaussian
from kcourse.ridge import loo_path

__all__ = ["EXERCISES"]

CHAPTER = "ch03_ridge"
KERNELS = ("kcourse.kernels",)  # what an answer may call
Rng = np.random.Generator

# "Type: text" of an exception that NumPy raises when shapes do not fit, whichever product was written
_SHAPES = r"ValueError: .*(mismatch|not aligned|broadcast|einsum|einstein|shape)"


# -- fresh inputs: n, d and q all different, no σ or λ near 1 but some on either side, a diagonal other than 1


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


def _lams(rng: Rng) -> list[float]:
    """Three λ, one of them above 1, in random order."""
    lams = [rng.uniform(0.1, 0.25), rng.uniform(0.3, 0.6), rng.uniform(1.7, 3.0)]
    return [float(lam) for lam in rng.permutation(lams)]


def _systems(rng: Rng, count: int = 3, *, twin: bool = False, whole: bool = False) -> list[tuple]:
    """(K, y, λ), each with another n."""
    sizes = rng.permutation([5, 7, 10])
    return [
        (_gram(rng, n, twin=twin), _targets(rng, n, whole), lam)
        for n, lam in zip(sizes[:count], _lams(rng)[:count], strict=True)
    ]


def _targets(rng: Rng, n: int, whole: bool) -> np.ndarray:
    if not whole:
        return rng.normal(size=n) + 0.4
    y = rng.integers(-4, 5, size=n)
    y[0] = 3  # not all of them 0
    return y


def _regressions(rng: Rng) -> list[tuple]:
    """(X, y, Xq, σ, λ) in two and three dimensions, with fewer queries than points and with more."""
    narrow, wide, wider = rng.uniform(0.7, 0.85), rng.uniform(1.3, 1.6), rng.uniform(1.7, 2.1)
    shapes = [(6, 2, 4, narrow), (8, 3, 5, wide), (7, 2, 10, wider)]
    return [_regression(rng, *shape, lam) for shape, lam in zip(shapes, _lams(rng), strict=True)]


def _regression(rng: Rng, n: int, d: int, q: int, sigma: float, lam: float, shift: float = 0.0) -> tuple:
    X, Xq = rng.normal(size=(n, d)), rng.normal(size=(q, d)) + shift
    return X, rng.normal(size=n) + 1.0, Xq, float(sigma), lam


def _features(rng: Rng, *shapes: tuple[int, int]) -> list[tuple]:
    return [
        (rng.normal(size=shape), rng.normal(size=shape[0]) + 0.4, lam)
        for shape, lam in zip(shapes, _lams(rng), strict=False)
    ]


# -- slips of λ, which every exercise can make


def _solve(A, b):
    """``np.linalg.solve``, but LinAlgError where A is singular to rounding and the result would be noise."""
    if np.linalg.cond(A) > 1e10:
        raise np.linalg.LinAlgError("singular to rounding")
    return np.linalg.solve(A, b)


_LAMBDA = {
    "n times lambda": (
        lambda lam, n: n * lam,
        "You put nλ where λ stands: that belongs to a criterion with the mean of the squared errors, and ours has "
        "their sum.",
        "Read “Which λ?” again: λ beside the mean is 1/n times λ beside the sum.",
    ),
    "lambda over n": (
        lambda lam, n: lam / n,
        "You divide λ by n, but here λ stands beside the sum of the squared errors and enters as it is.",
        "Read “Which λ?” again, its first row: the sum of the squares goes with K + λI.",
    ),
    "lambda squared": (
        lambda lam, n: lam**2,
        "You use λ² where λ stands: the penalty is λ‖f‖², with λ to the first power.",
        "Read “First way: push-through” again: λ enters the normal equations as λI and stays what it is.",
    ),
    "half lambda": (
        lambda lam, n: lam / 2,
        "You use λ/2 where λ stands: a ½ before the penalty needs a ½ before the errors, and then both cancel.",
        "Read “Which λ?” again, its second row: ½ on both terms leaves λ as it is.",
    ),
    "twice lambda": (
        lambda lam, n: 2 * lam,
        "You use 2λ where λ stands: the 2 from the penalty's gradient was kept, the one from the errors' was dropped.",
        "Read “Second way: a criterion in α” again: every term of the gradient carries the same 2.",
    ),
}  # fmt: skip


def _lambda_slips(formula: Callable, size: Callable[..., int], experiments: dict[str, str]) -> list[Misconception]:
    """The slips of λ in an exercise whose last argument is λ; ``size(*args)`` is its n."""

    def slip(change):
        return Changed(formula, lambda *args: (*args[:-1], change(args[-1], size(*args))))

    return [Misconception(name, slip(_LAMBDA[name][0]), *_LAMBDA[name][1:], code) for name, code in experiments.items()]


_USE = "import numpy as np\n"


# -- 3.1


def krr_fit(K, y, lam):
    """α = (K + λI)⁻¹ y."""
    return np.linalg.solve(K + lam * np.eye(len(K)), y)


def _fit(K, y, lam):
    """The same for the slips, which may leave a singular system."""
    return _solve(K + lam * np.eye(len(K)), y)


def _with_bias(K, y, lam):
    """α and b of the model with a bias that is not penalised."""
    n = len(K)
    bordered = np.block([[K + lam * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    solution = np.linalg.solve(bordered, np.append(y, 0.0))
    return solution[:n], solution[n]


_K2 = _USE + "K = np.array([[1.0, 0.5], [0.5, 1.0]]); y = np.array([1.0, -1.0])\n"

KRR_FIT = Exercise(
    name="krr_fit",
    chapter=CHAPTER,
    number="3.1",
    returns="the coefficients α, shape (n,)",
    reference=krr_fit,
    properties=(
        Property("solves (K + λI)α = y on random Gram matrices", 2, _systems),
        Property(
            "works when two points coincide, so that K is singular",
            1,
            lambda r: _systems(r, 2, twin=True),
            hint="Your answer goes wrong only where two points coincide: such a K has no inverse and no Cholesky factor, "
            "and K + λI has both. Since K(K + λI) = (K + λI)K, no step of the derivation needs K⁻¹.",
        ),
        Property(
            "works when y holds whole numbers",
            1,
            lambda r: _systems(r, 1, whole=True),
            hint="Your answer goes wrong only where y holds whole numbers: an array made like y takes over its integer "
            "type. Start from np.zeros(len(y)), or from y.astype(float).",
        ),
    ),
    misconceptions=(
        Misconception(
            "no lambda",
            Changed(_fit, lambda K, y, lam: (K, y, 0.0)),
            "Your α solves Kα = y: λ is missing, so f passes through every point, noise and all.",
            "Read “Second way: a criterion in α” again: the penalty λ αᵀKα adds λKα to the gradient, and that is "
            "where λI comes from.",
            _K2 + "for lam in (0.1, 10.0):\n    print(lam, krr_fit(K, y, lam))   # must shrink as lam grows",
        ),
        *_lambda_slips(
            _fit,
            lambda K, y, lam: len(K),
            {
                "n times lambda": _USE + "for n in (1, 2, 10):\n"
                "    print(n, krr_fit(np.eye(n), np.ones(n), 0.5)[0])   # unrelated points: must not depend on n",
                "lambda over n": _USE + "for n in (1, 4):\n"
                "    print(n, krr_fit(np.zeros((n, n)), np.ones(n), 0.5)[0])   # K = 0 leaves y/λ = 2, for every n",
                "lambda squared": _USE + "for lam in (0.1, 0.2):   # K = 0 leaves y/λ: twice λ must halve α\n"
                "    print(lam, krr_fit(np.zeros((1, 1)), np.ones(1), lam))",
                "half lambda": _USE + "print(krr_fit(np.array([[1.0]]), np.array([1.0]), 1.0))   # must be 1/(1 + 1)",
                "twice lambda": _K2 + "a = krr_fit(K, y, 0.5)\n"
                "print((y - K @ a) / a)   # residual over coefficient: must be λ = 0.5 at both points",
            },
        ),
        Misconception(
            "gradient solved with KK + lambda I",
            lambda K, y, lam: _solve(K @ K + lam * np.eye(len(K)), K @ y),
            "You solve (KK + λI)α = Ky: the penalty in the RKHS is λ αᵀKα, not λ αᵀα, so its gradient is λKα.",
            "Read “Second way: a criterion in α” again: in the gradient -2Ky + 2KKα + 2λKα every term has a K in front.",
            _K2 + "a = krr_fit(K, y, 0.5)\nprint(-2*K@y + 2*K@K@a + 2*0.5*K@a)   # the gradient: must be 0",
        ),
        Misconception(
            "least norm among the optimal",
            lambda K, y, lam: np.linalg.pinv(K @ (K + lam * np.eye(len(K)))) @ K @ y,
            "Your α gives the best f, but where K is singular many α do, and you return another one than (K + λI)⁻¹y: "
            "what K maps to 0 has been thrown away.",
            "Read “Second way: a criterion in α” again, its step 5: once K has cancelled, (K + λI)α = y is left, and "
            "it has one solution.",
            _USE + "K = np.ones((2, 2)); y = np.array([1.0, -1.0])   # two equal points\n"
            "print((K + 0.5 * np.eye(2)) @ krr_fit(K, y, 0.5), y)   # must agree",
        ),
        Misconception(
            "lambda added to every entry",
            lambda K, y, lam: _solve(K + lam, y),
            "`K + lam` adds λ to every entry of K; λI adds it to the diagonal only.",
            "Read “First way: push-through” again: I is the identity matrix, 1 on the diagonal and 0 elsewhere.",
            _USE + "print(krr_fit(np.eye(2), np.array([1.0, 0.0]), 0.5))   # unrelated points: the second α must be 0",
        ),
        Misconception(
            "lambda K for lambda I",
            lambda K, y, lam: _solve((1 + lam) * K, y),
            "You solve (K + λK)α = y: when K cancels from KKα + λKα = Ky, the penalty keeps λα, that is λI.",
            "Read “Second way: a criterion in α” again, its step 5: the bracket that must vanish is y - (K + λI)α.",
            _K2 + "for lam in (1.0, 1e6):\n    print(lam * krr_fit(K, y, lam))   # for a huge λ this must come near y",
        ),
        Misconception(
            "lambda added after inverting",
            lambda K, y, lam: _solve(K, y) + lam * y,
            "You add λI to the inverse of K: it must be added to K first, and then the system is solved.",
            "Read “First way: push-through” again: the inverse is taken of the whole bracket K + λI.",
            _K2 + "for lam in (1.0, 1e6):\n    print(np.abs(krr_fit(K, y, lam)).max())   # a huge λ must push α to 0",
        ),
        Misconception(
            "minus lambda",
            lambda K, y, lam: _solve(K - lam * np.eye(len(K)), y),
            "You subtract λ from the diagonal: that rewards a large f, and K - λI may even be singular.",
            "Read “Second way: a criterion in α” again and follow the sign of the penalty.",
            _K2 + "for lam in (0.1, 0.3, 0.45):\n    print(lam, np.abs(krr_fit(K, y, lam)).max())   # must fall",
        ),
        Misconception(
            "fitted values",
            lambda K, y, lam: K @ _fit(K, y, lam),
            "You return Kα, the fitted values; the exercise asks for α itself.",
            "Read “The predictor” again: α is found once, and only then does K turn it into values f(x_i).",
            _K2 + "print(K @ krr_fit(K, y, 1e-9), y)   # hardly any penalty: Kα must come near y",
        ),
        Misconception(
            "multiplies, does not solve",
            lambda K, y, lam: (K + lam * np.eye(len(K))) @ y,
            "You return (K + λI)y; α is what K + λI has to be multiplied with to give y, so a system must be solved.",
            "Read “First way: push-through” again: the bracket has the exponent -1.",
            _K2 + "print((K + 0.5 * np.eye(2)) @ krr_fit(K, y, 0.5), y)   # must agree",
        ),
        Misconception(
            "entrywise reciprocal",
            lambda K, y, lam: (1 / (K + lam * np.eye(len(K)))) @ y,
            "You take 1 over every entry of K + λI, as `1 / A` and `A**-1` do in NumPy; the inverse of a matrix is "
            "something else.",
            "Read “Solve, never invert” again: solving the system needs no inverse at all.",
            _USE + "print(krr_fit(2 * np.eye(2) + 1e-6, np.ones(2), 1.0))   # nearly 3 I: must be near 1/3",
        ),
        Misconception(
            "entrywise product with y",
            lambda K, y, lam: np.linalg.inv(K + lam * np.eye(len(K))) * y,
            "`inv(…) * y` multiplies entry by entry and leaves a matrix; the product of matrix and vector is `@`.",
            "Read “Solve, never invert” again: `solve` takes y along and returns (n,) numbers.",
            _K2 + "print(np.shape(krr_fit(K, y, 0.5)))   # must be (2,)",
        ),
        Misconception(
            "diagonal only",
            lambda K, y, lam: y / (np.diag(K) + lam),
            "You divide by the diagonal of K + λI, as if the points did not know of each other; the whole matrix "
            "belongs into the system.",
            "Read “Second way: a criterion in α” again: every f(x_i) depends on all α_j.",
            _K2 + "print(krr_fit(K, np.array([1.0, 0.0]), 0.5))   # point 2 has a neighbour: its α must not be 0",
        ),
        Misconception(
            "lambda missing at the last point",
            lambda K, y, lam: _solve(K + lam * np.diag(np.arange(len(K)) < len(K) - 1), y),
            "The last diagonal entry of K did not get its λ: the loop over the diagonal ends one step early.",
            "Read “First way: push-through” again: λI has a λ at every one of the n places.",
            _USE + "print(krr_fit(np.zeros((3, 3)) + 1e-9 * np.eye(3), np.ones(3), 1.0))   # all three must be near 1",
        ),
        Misconception(
            "lambda missing at the first point",
            lambda K, y, lam: _solve(K + lam * np.diag(np.arange(len(K)) > 0), y),
            "The first diagonal entry of K did not get its λ: indices start at 0, so the loop is `for i in range(n)`.",
            "Read “First way: push-through” again: λI has a λ at every one of the n places.",
            _USE + "print(krr_fit(np.eye(2), np.ones(2), 1.0))   # two points alike: both α must be equal",
        ),
        Misconception(
            "one triangular solve of two",
            lambda K, y, lam: np.linalg.solve(np.linalg.cholesky(K + lam * np.eye(len(K))), y),
            "You return L⁻¹y: of the two triangular solves of the Cholesky way, the second one, with Lᵀ, is missing.",
            "Read “Solve, never invert” again: K + λI = LLᵀ, and both factors must be undone.",
            _USE + "print(krr_fit(np.array([[8.0]]), np.array([9.0]), 1.0))   # one point: must be 9/(8 + 1), not 9/√(8 + 1)",
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
            _USE + "K = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.5], [0.0, 0.5, 3.0]]); y = np.array([1.0, 0.0, 2.0])\n"
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
            Changed(_fit, lambda K, y, lam: (K, (y - y.mean()) / y.std(), lam)),
            "You standardise y first: a sensible habit, but the system asked for has y itself on its right.",
            "Read “Which λ?” again: the targets of the criterion are the y_i as they are measured.",
            _K2 + "print(krr_fit(K, 10 * y, 0.5) / krr_fit(K, y, 0.5))   # the system is linear in y: must be 10, 10",
        ),
        Misconception(
            "mean of y subtracted",
            Changed(_fit, lambda K, y, lam: (K, y - y.mean(), lam)),
            "You subtract the mean of y first: a sensible habit, but the system asked for has y itself on its right.",
            "Read “No intercept” again: centring y is one of its cures, and not part of the method.",
            _K2 + "print(krr_fit(K, np.array([1.0, 1.0]), 0.5))   # equal targets, but not 0: α must not be 0",
        ),
    ),
    step="Read “Three ways to the same α” again: all of them end at one system, (K + λI)α = y.",
    experiment=_USE + "K = np.array([[1.0, 0.2, 0.1], [0.2, 1.0, 0.4], [0.1, 0.4, 1.0]]); y = np.array([1.0, 2.0, -1.0])\n"
    "print((K + 0.5 * np.eye(3)) @ krr_fit(K, y, 0.5) - y)   # must be 0",
    sizes=lambda K, y, lam: {"n": len(y), "λ": lam},
    allowed=KERNELS,
)  # fmt: skip

# what may go wrong with α in the exercises that need it: the rest of the answer is right
_ALPHA_SLIPS = (
    "gradient solved with KK + lambda I",
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


def _slips_of_alpha(answer: Callable, experiment: str) -> list[Misconception]:
    """The slips of krr_fit in an exercise that calls it; ``answer(fit)`` is the function with another krr_fit."""
    return [
        Misconception(
            f"alpha: {slip.name}",
            answer(slip.wrong),
            f"The rest is right, but α is not the one of exercise 3.1. {slip.hint}",
            slip.step,
            experiment,
        )
        for slip in KRR_FIT.misconceptions
        if slip.name in _ALPHA_SLIPS
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
    return lambda X, y, Xq, sigma, lam: kernel(Xq, X, sigma) @ _fit(kernel(X, X, sigma), y, lam)


def _differences(X, Z):
    return X[:, None, :] - Z[None, :, :]


def _squares(X, Z):
    return (_differences(X, Z) ** 2).sum(axis=2)


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


_X2 = _USE + "x = np.array([[0.0], [1.0]]); y = np.array([1.0, -1.0])\n"
# one point at the origin of the plane and hardly any penalty: f(z) is k(z, 0), so the kernel can be looked at
_SEE = _USE + "def k(z, s):   # what your kernel is\n" \
    "    return krr_fit_predict(np.zeros((1, 2)), np.ones(1), np.array([z]), s, 1e-12)[0]\n"  # fmt: skip

KRR_FIT_PREDICT = Exercise(
    name="krr_fit_predict",
    chapter=CHAPTER,
    number="3.2",
    returns="the predictions f(x_q), shape (q,), one for each row of Xq",
    reference=krr_fit_predict,
    properties=(
        Property("predicts new points in two and three dimensions", 2, _regressions),
        Property(
            "answers a single query with an array of one number",
            1,
            lambda r: [_regression(r, 7, 2, 1, 1.4, lam) for lam in _lams(r)[:2]],
            hint="Your answer goes wrong only for a single query. With one row in Xq it must have shape (1,): np.squeeze, "
            "float() or a sum over everything lose it.",
        ),
        Property(
            "goes back to 0 far away from the data",
            1,
            lambda r: [_regression(r, 7, 2, 4, 1.4, _lams(r)[0], shift=40.0)],
            hint="Your answer goes wrong only far from all data: there every k(x, x_i) is 0 and so is f(x), for kernel "
            "ridge regression has no intercept.",
            scale=lambda X, y, Xq, sigma, lam: float(np.abs(y).max()),
        ),
    ),
    misconceptions=(
        Misconception(
            "sigma and lambda swapped in the fit",
            lambda X, y, Xq, sigma, lam: Gaussian(sigma)(Xq, X) @ krr_fit(Gaussian(lam)(X), y, sigma),
            "On the way to the fit σ and λ changed places: α was computed with width λ and penalty σ.",
            "Read “Find the error” again: a published program calls `krr(x, y, Lambda, sigma)` where the function "
            "is `krr(X, y, sigma, Lambda)`.",
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
            lambda X, y, Xq, sigma, lam: Gaussian(lam)(Xq, X) @ _fit(Gaussian(sigma)(X), y, lam),
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
            _USE + "x = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]); y = np.ones(3)   # n = 3, d = 2\n"
            "print(krr_fit_predict(x, y, x[:2], 1.0, 0.5).shape)   # two queries: must be (2,)",
            error=r"solve1?: .*mismatch|ncompatible dimensions|Shapes of A .* and B",
        ),
        Misconception(
            "all pairs of differences",
            None,
            "Two arrays are combined entry by entry, and their shapes do not fit: the differences of all pairs are "
            "`X[:, None, :] - Z[None, :, :]`, of shape (n, m, d), squared and then summed over the last axis.",
            "Read “The predictor” again: `kernel_slow` writes the same as two loops.",
            _USE + "x = np.arange(6.0).reshape(3, 2)   # three points in the plane\n"
            "print(krr_fit_predict(x, np.ones(3), x[:2], 1.0, 0.5).shape)   # two queries: must be (2,)",
            error="operands could not be broadcast together with shapes",
        ),
        Misconception(
            "train and query points swapped",
            None,
            "Two shapes do not meet. In the prediction the kernel matrix is k(Xq, X), with a row for each query and a column "
            "for each of the n points, and it is the columns that meet the n numbers of α.",
            "Read “The predictor” again: row q of the matrix is k(x_q)ᵀ, n numbers that meet the n entries of α.",
            _X2 + "xq = np.array([[0.2], [0.4], [0.6]])\nprint(krr_fit_predict(x, y, xq, 1.0, 0.5).shape)   # must be (3,)",
            error=_SHAPES,
        ),
        Misconception(
            "lambda added when predicting",
            lambda X, y, Xq, sigma, lam: (Gaussian(sigma)(Xq, X) + lam) @ _fit(Gaussian(sigma)(X), y, lam),
            "You add λ to the kernel matrix of the prediction as well; λ belongs to the fit only.",
            "Read “The predictor” again: f(x) = Σ α_i k(x, x_i), and λ has done its work inside α.",
            _X2 + "print(krr_fit_predict(x, np.array([1.0, 2.0]), x + 50.0, 1.0, 0.5))   # far away: must be 0",
        ),
        Misconception(
            "no lambda",
            Changed(_predict_with(_fit), lambda X, y, Xq, sigma, lam: (X, y, Xq, sigma, 0.0)),
            "The fit forgets λ: your curve passes through every training point.",
            "Read “Second way: a criterion in α” again: the penalty puts λI into (K + λI)α = y.",
            _X2 + "for lam in (0.1, 1e6):\n    print(krr_fit_predict(x, y, x, 1.0, lam))   # must go to 0",
        ),
        *_lambda_slips(
            _predict_with(_fit),
            lambda X, y, Xq, sigma, lam: len(X),
            {
                "n times lambda": _USE + "for n in (1, 10):   # points so far apart that they ignore each other\n"
                "    x = 50.0 * np.arange(n)[:, None]\n"
                "    print(krr_fit_predict(x, np.ones(n), x[:1], 1.0, 0.5))   # must not depend on n",
                "lambda over n": _USE + "for n in (1, 10):   # n equal measurements of 1, and λ = n\n"
                "    x = np.zeros((n, 1))\n    print(krr_fit_predict(x, np.ones(n), x[:1], 1.0, float(n)))   # must be n/(n + n)",
                "lambda squared": _USE + "x = np.zeros((1, 1))\nfor lam in (0.5, 2.0):\n"
                "    print(krr_fit_predict(x, np.ones(1), x, 1.0, lam) * (1 + lam))   # must be 1 both times",
                "half lambda": _USE + "x = np.zeros((1, 1))\n"
                "print(krr_fit_predict(x, np.ones(1), x, 1.0, 1.0))   # one point, λ = 1: must be 1/(1 + 1)",
                "twice lambda": _USE + "x = np.zeros((1, 1))\n"
                "print(krr_fit_predict(x, np.ones(1), x, 1.0, 3.0))   # one point, λ = 3: must be 1/(1 + 3)",
            },
        ),
        Misconception(
            "exponent without the 2",
            _with(lambda X, Z, s: np.exp(-_squares(X, Z) / s**2)),
            "Your kernel is exp(-‖x-z‖²/σ²); in this course σ always means exp(-‖x-z‖²/(2σ²)).",
            "Read “Notation” on the start page: the σ of exp(-‖x-z‖²/σ²) is √2 times ours.",
            _SEE + "print(k([1.3, 0.0], 1.3), np.exp(-1 / 2))   # at distance σ: must agree",
        ),
        Misconception(
            "brackets missing in the exponent",
            _with(lambda X, Z, s: np.exp(-_squares(X, Z) / 2 * s**2)),
            "Your exponent multiplies by σ²: Python reads `/ 2 * sigma**2` from left to right, so write "
            "`/ (2 * sigma**2)`.",
            "Read “Notation” on the start page: σ² stands below the line, so a larger σ makes a wider kernel.",
            _SEE + "for s in (0.5, 1.0, 2.0):\n    print(k([1.0, 0.0], s))   # must grow with the width",
        ),
        Misconception(
            "sigma used as gamma",
            _with(lambda X, Z, s: np.exp(-s * _squares(X, Z))),
            "Your kernel is exp(-σ‖x-z‖²): σ was used as scikit-learn's gamma, which is 1/(2σ²).",
            "Read “The same in scikit-learn” again: gamma has the unit 1/x², σ that of x.",
            _SEE + "for s in (0.5, 1.0, 2.0):\n    print(k([s, 0.0], s))   # at distance σ each time: must not change",
        ),
        Misconception(
            "sigma not squared",
            _with(lambda X, Z, s: np.exp(-_squares(X, Z) / (2 * s))),
            "Your kernel is exp(-‖x-z‖²/(2σ)): σ is not squared, so the exponent has a unit left.",
            "Read “Notation” on the start page: ‖x-z‖² stands over 2σ², a square over a square.",
            _SEE + "for unit in (1.0, 10.0):   # centimetres, millimetres\n"
            "    print(k([2.0 * unit, 0.0], 1.5 * unit))   # must agree",
        ),
        Misconception(
            "one over sigma for gamma",
            _with(lambda X, Z, s: np.exp(-_squares(X, Z) / s)),
            "Your kernel is exp(-‖x-z‖²/σ): scikit-learn's gamma is 1/(2σ²), not 1/σ.",
            "Read “The same in scikit-learn” again, the row for σ of its dictionary.",
            _SEE + "print(k([2.0, 0.0], 1.0), k([4.0, 0.0], 2.0))   # both at distance 2σ: must agree",
        ),
        Misconception(
            "distance not squared",
            _with(lambda X, Z, s: np.exp(-np.sqrt(_squares(X, Z)) / (2 * s**2))),
            "Your kernel has ‖x-z‖ in the exponent where ‖x-z‖² belongs: f gets a kink at every training point.",
            "Read “Notation” on the start page: the Gaussian has the squared distance, the Laplacian the distance.",
            _SEE + "print(1 - k([0.001, 0.0], 1.0))   # flat at its top: must be below a millionth",
        ),
        Misconception(
            "Laplacian kernel",
            _with(lambda X, Z, s: np.exp(-np.sqrt(_squares(X, Z)) / s)),
            "Your kernel is the Laplacian exp(-‖x-z‖/σ); the Gaussian exp(-‖x-z‖²/(2σ²)) is asked for.",
            "Read “Notation” on the start page, where the two stand one above the other.",
            _SEE + "print((1 - k([0.02, 0.0], 1.0)) / (1 - k([0.01, 0.0], 1.0)))   # twice the distance: must be near 4",
        ),
        Misconception(
            "Laplacian kernel with the L1 norm",
            _with(lambda X, Z, s: np.exp(-np.abs(_differences(X, Z)).sum(2) / s)),
            "Your kernel is exp(-‖x-z‖₁/σ), scikit-learn's Laplacian; the Gaussian exp(-‖x-z‖²/(2σ²)) is asked for.",
            "Read “Notation” on the start page, the rows of the Gaussian and of the Laplacian.",
            _SEE + "r = 1 / np.sqrt(2)\nprint(k([1.0, 0.0], 1.0), k([r, r], 1.0))   # both at distance 1: must agree",
        ),
        Misconception(
            "linear kernel",
            lambda X, y, Xq, sigma, lam: Xq @ X.T @ _fit(X @ X.T, y, lam),
            "Your kernel is the linear one, xᵀz, and σ plays no part; the Gaussian is asked for.",
            "Read “The predictor” again: `kernel_slow` is the Gaussian kernel.",
            _SEE + "print(k([0.0, 0.0], 1.0))   # k(x, x) of a Gaussian: must be 1",
        ),
        Misconception(
            "distance squared twice",
            _with(lambda X, Z, s: np.exp(-(_squares(X, Z) ** 2) / (2 * s**2))),
            "You square the squared distance once more: the exponent has ‖x-z‖⁴.",
            "Read “Notation” on the start page: σ² below the line has the unit of ‖x-z‖².",
            _SEE + "print(k([2.0, 0.0], 2.0), k([1.0, 0.0], 1.0))   # both at distance σ: must agree",
        ),
        Misconception(
            "minus sign missing",
            _with(lambda X, Z, s: np.exp(_squares(X, Z) / (2 * s**2))),
            "Your kernel is exp(+‖x-z‖²/(2σ²)), which grows with the distance: the minus sign is missing.",
            "Read “The predictor” again: in `kernel_slow` the exponent starts with a minus.",
            _SEE + "print(k([0.0, 0.0], 1.0), k([2.0, 0.0], 1.0))   # the second must be the smaller one",
        ),
        Misconception(
            "kernel normalised as a density",
            _with(lambda X, Z, s: np.exp(-_squares(X, Z) / (2 * s**2)) / (np.sqrt(2 * np.pi) * s) ** X.shape[1]),
            "Your kernel carries the factor of a normal density; here k(x, x) = 1, and such a factor would act as a "
            "change of λ.",
            "Read “The predictor” again: `kernel_slow` has the exponential and nothing before it.",
            _USE + "x = np.zeros((1, 2))\nfor s in (0.5, 2.0):\n"
            "    print(krr_fit_predict(x, np.ones(1), x, s, 1.0))   # must be 1/(1 + λ) = 1/2 for every width",
        ),
        Misconception(
            "kernel with one sigma too many",
            _with(lambda X, Z, s: np.exp(-_squares(X, Z) / (2 * s**2)) / (np.sqrt(2 * np.pi) * s)),
            "Your kernel carries the factor 1/(σ√(2π)) of a normal density; here k(x, x) = 1, and such a factor would act "
            "as a change of λ.",
            "Read “The predictor” again: `kernel_slow` has the exponential alone.",
            _USE + "x = np.zeros((1, 1))\nfor s in (0.5, 2.0):\n"
            "    print(krr_fit_predict(x, np.ones(1), x, s, 1.0))   # must be 1/(1 + λ) = 1/2 for every width",
        ),
        Misconception(
            "distances feature by feature",
            _with(lambda X, Z, s: np.exp(-(np.abs(_differences(X, Z)).sum(2) ** 2) / (2 * s**2))),
            "You square the sum of the absolute differences; ‖x-z‖² is the sum of the squared differences.",
            "Read “The predictor” again: `kernel_slow` squares each difference and then adds, as Pythagoras does.",
            _SEE + "print(k([3.0, 4.0], 5.0), k([5.0, 0.0], 5.0))   # both at distance 5: must agree",
        ),
        Misconception(
            "summed before squaring",
            _with(lambda X, Z, s: np.exp(-(_differences(X, Z).sum(2) ** 2) / (2 * s**2))),
            "You add the differences of the features before you square: ‖x-z‖² squares each one and then adds.",
            "Read “The predictor” again: in `kernel_slow` the square stands inside np.sum.",
            _SEE + "print(k([1.0, -1.0], 1.0))   # not the same point as the origin: must be below 1",
        ),
        Misconception(
            "mean over the features",
            _with(lambda X, Z, s: np.exp(-_squares(X, Z) / X.shape[1] / (2 * s**2))),
            "You average the squared differences over the features (or divide by d); ‖x-z‖² is their sum.",
            "Read “The same in scikit-learn” again: dividing by d is what its default gamma does.",
            _X2 + "wide = np.column_stack([x, 0 * x])   # the same two points, in the plane\n"
            "print(krr_fit_predict(x, y, x, 1.0, 0.5), krr_fit_predict(wide, y, wide, 1.0, 0.5))   # must agree",
        ),
        Misconception(
            "first feature only",
            _with(lambda X, Z, s: np.exp(-_squares(X[:, :1], Z[:, :1]) / (2 * s**2))),
            "You use the first column of X and ignore the others; the distance is taken over all d features.",
            "Read “The predictor” again: `kernel_slow` takes whole rows X1[i] and X2[j].",
            _SEE + "print(k([0.0, 1.0], 1.0), k([1.0, 0.0], 1.0))   # both at distance 1: must agree",
        ),
        Misconception(
            "predicts the training points",
            lambda X, y, Xq, sigma, lam: Gaussian(sigma)(X) @ _fit(Gaussian(sigma)(X), y, lam),
            "You return the fit at the training points X; the predictions are asked for at Xq.",
            "Read “The predictor” again: the rows of the matrix are queries, K(Xq, X) and not K(X, X).",
            _X2 + "print(krr_fit_predict(x, y, np.array([[0.5]]), 1.0, 0.5).shape)   # one query: must be (1,)",
        ),
        Misconception(
            "returns alpha",
            lambda X, y, Xq, sigma, lam: _fit(Gaussian(sigma)(X), y, lam),
            "You return α; the predictions are k(Xq, X) α.",
            "Read “The predictor” again: each f(x) is a sum of kernel values, weighted with α.",
            _X2 + "print(krr_fit_predict(x, y, x, 1.0, 1e-9) - y)   # hardly any penalty, at the data: must be near 0",
        ),
        Misconception(
            "y in place of alpha",
            lambda X, y, Xq, sigma, lam: Gaussian(sigma)(Xq, X) @ y,
            "You multiply the kernel matrix with y; it must be α = (K + λI)⁻¹y, for with y every neighbour is counted in full.",
            "Read “The predictor” again: the weights of f(x) = Σ α_i k(x, x_i) are α, not y.",
            _USE + "x = np.zeros((5, 1))   # five measurements of 1 at one place\n"
            "print(krr_fit_predict(x, np.ones(5), x[:1], 1.0, 0.5))   # must stay below 1",
        ),
        Misconception(
            "moving average",
            _moving_average,
            "You return the average of y, weighted with the kernel: that is chapter 1's Nadaraya–Watson, and it solves no system.",
            "Read “Back to the crash” again, where the moving average and kernel ridge regression are compared.",
            _X2 + "print(krr_fit_predict(x[:1], y[:1], x[:1] + 3.0, 1.0, 0.5))   # away from its one point f must fall to 0",
        ),
        Misconception(
            "with a free bias",
            _biased,
            "You fit a free bias b besides the kernel part: a sensible model, but not the one asked for, which has no "
            "intercept.",
            "Read “No intercept” again: the bordered system there is another method, the least-squares SVM.",
            _X2 + "print(krr_fit_predict(x, y + 3, x - 50.0, 1.0, 0.5))   # far away: must be 0, not b",
        ),
        Misconception(
            "inputs standardised",
            Changed(krr_fit_predict, _standardised),
            "You standardise the columns of X first, which changes all distances: here σ is meant in the units of X as it is.",
            "Read “The same in scikit-learn” again: whether to standardise is a choice to be made before, and not here.",
            _X2 + "print(krr_fit_predict(x, y, x, 1.0, 0.5), krr_fit_predict(9 * x, y, 9 * x, 9.0, 0.5))   # must agree\n"
            "print(krr_fit_predict(x, y, x, 0.1, 0.5))   # and with so narrow a kernel be y/(1 + λ)",
        ),
        Misconception(
            "mean of y added",
            _mean_added,
            "You centre y and add the mean back: a sensible model, but not the one asked for, which has no intercept.",
            "Read “No intercept” again: that is kernel ridge regression on y - ȳ.",
            _X2 + "print(krr_fit_predict(x, y + 7, x + 50.0, 1.0, 0.5))   # far away: must be 0",
        ),
        *_slips_of_alpha(
            _predict_with,
            _USE + "x = np.array([[0.0], [0.0], [50.0]])   # two equal points, and one that is far away\n"
            "print(krr_fit_predict(x, np.array([1.0, 1.0, 0.0]), x, 1.0, 0.5))   # must be 2/(2 + λ), the same, 0",
        ),
    ),
    step="Read “The predictor” again and compare with its two points by hand.",
    experiment=_X2 + "c = np.exp(-1 / 2); a = 1 / (1 + 0.5 - c)   # the two points of the chapter, by hand\n"
    "print(krr_fit_predict(x, y, x, 1.0, 0.5), a * (1 - c), -a * (1 - c))   # must agree",
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
    """The weights by the primal; LinAlgError where without λ they are not unique."""
    return _solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), Phi.T @ y)


def _singular(turn):
    """The weights by the singular values, with ``turn(s, lam)`` for s/(s² + λ)."""

    def weights(Phi, y, lam):
        U, s, Vt = np.linalg.svd(Phi, full_matrices=False)
        return Vt.T @ (turn(s, lam) * (U.T @ y))

    return weights


_PHI = _USE + "Phi = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, -1.0]]); y = np.array([1.0, 3.0])   # n = 2, d = 3\n"

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
            lambda r: _features(r, (4, 7), (6, 9), (5, 5)),
        ),
        Property(
            "gives the weights when there are more points than features",
            1,
            lambda r: _features(r, (9, 3), (7, 2)),
            hint="Your answer goes wrong only for n > d: there ΦΦᵀ has no inverse, and ΦΦᵀ + λI has one.",
        ),
    ),
    misconceptions=(
        Misconception(
            "w = Phi alpha",
            lambda Phi, y, lam: Phi @ _fit(Phi @ Phi.T, y, lam),
            "You compute Φα; w is a combination of the rows of Φ, so it is Φᵀα (a lecture prints it without the "
            "transpose, too).",
            "Read “First way: push-through” again: w = Σ α_i φ(x_i), and φ(x_i) is row i of Φ.",
            _PHI + "print(ridge_dual_w(Phi, y, 0.5).shape)   # must be (3,), one weight for each feature",
            error=_SHAPES,
        ),
        Misconception(
            "Phi'Phi in the dual system",
            lambda Phi, y, lam: Phi.T @ _fit(Phi.T @ Phi, y, lam),
            "You solve with ΦᵀΦ, which is d × d; α has an entry for each point, so its system has K = ΦΦᵀ, n × n.",
            "Read “First way: push-through” again: ΦᵀΦ belongs to w, ΦΦᵀ to α.",
            _PHI + "print((Phi.T @ Phi).shape, (Phi @ Phi.T).shape, y.shape)\nprint(ridge_dual_w(Phi, y, 0.5))",
            error=_SHAPES,
        ),
        Misconception(
            "Phi y for Phi^T y",
            lambda Phi, y, lam: _solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), Phi @ y),
            "You have (ΦᵀΦ + λI)⁻¹Φy: a transpose is missing before y, as in a printed lecture; Φy does not even exist "
            "unless n = d.",
            "Read “Find the error” again, the first of the printed slips below the program.",
            _PHI + "w = ridge_dual_w(Phi, y, 0.5)\nprint(Phi.T @ (y - Phi @ w) - 0.5 * w)   # equation (1): must be 0",
            error=_SHAPES,
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
            lambda Phi, y, lam: _fit(Phi @ Phi.T, y, lam),
            "You return α, one number for each point; w = Φᵀα has one for each feature.",
            "Read “First way: push-through” again: α lives in the space of the points, w in that of the features.",
            _USE + "Phi = 3 * np.eye(2); y = np.array([1.0, 3.0])\n"
            "print(Phi @ ridge_dual_w(Phi, y, 1e-9), y)   # hardly any penalty: Φw must come near y",
        ),
        Misconception(
            "no lambda",
            Changed(_primal, lambda Phi, y, lam: (Phi, y, 0.0)),
            "Your w is the least-squares solution: λ is missing.",
            "Read “Ridge regression, the primal” again: the penalty λwᵀw adds λI.",
            _PHI + "for lam in (0.1, 1e6):\n    print(ridge_dual_w(Phi, y, lam))   # must go to 0",
        ),
        *_lambda_slips(
            ridge_dual_w,
            lambda Phi, y, lam: len(y),
            {
                "n times lambda": _USE + "for n in (1, 10):   # a feature for each point\n"
                "    print(ridge_dual_w(np.eye(n), np.ones(n), 0.5)[0])   # must not depend on n",
                "lambda over n": _USE + "for n in (1, 10):   # one feature, always 1, and λ = n\n"
                "    print(ridge_dual_w(np.ones((n, 1)), np.ones(n), float(n)))   # must be n/(n + n)",
                "lambda squared": _USE + "for lam in (0.5, 2.0):\n"
                "    print(ridge_dual_w(np.eye(1), np.ones(1), lam) * (1 + lam))   # must be 1 both times",
                "half lambda": _USE + "print(ridge_dual_w(np.eye(1), np.ones(1), 1.0))   # one of each: must be 1/(1 + λ) = 1/2",
                "twice lambda": _PHI + "w = ridge_dual_w(Phi, y, 0.5)\n"
                "print(Phi.T @ (y - Phi @ w) / w)   # must be λ = 0.5 in every entry",
            },
        ),
        Misconception(
            "fitted values",
            lambda Phi, y, lam: Phi @ ridge_dual_w(Phi, y, lam),
            "You return the fitted values Φw; the weights w are asked for.",
            "Read “First way: push-through” again: w = Φᵀα comes before any prediction.",
            _USE + "print(ridge_dual_w(np.ones((1, 4)), np.ones(1), 0.5))   # one point with 4 features: must be 4 equal weights",
        ),
        Misconception(
            "Phi^T y",
            lambda Phi, y, lam: Phi.T @ y,
            "You return Φᵀy: no system is solved, and λ plays no part.",
            "Read “First way: push-through” again: w = Φᵀα, and α is not y but (K + λI)⁻¹y.",
            _USE + "print(ridge_dual_w(3 * np.eye(2), np.ones(2), 1.0))   # must be 3/(9 + 1) twice",
        ),
        Misconception(
            "singular values not squared",
            _singular(lambda s, lam: 1 / (s + lam)),
            "You divide by s + λ; with singular values s of Φ each direction gets the factor s/(s² + λ).",
            "Read “Ridge regression, the primal” again: ΦᵀΦ, and so s², stands beside λ.",
            _USE + "print(ridge_dual_w(np.array([[2.0]]), np.ones(1), 1.0))   # s = 2: must be 2/(4 + 1)",
        ),
        Misconception(
            "shrinks without dividing",
            _singular(lambda s, lam: s**2 / (s**2 + lam)),
            "Your factor is s²/(s² + λ), which shrinks the fitted values; for the weights it is s/(s² + λ).",
            "Read “Ridge regression, the primal” again: w is (ΦᵀΦ + λI)⁻¹Φᵀy, with one Φ more below the line than above.",
            _USE + "for s in (1.0, 10.0):\n    print(s * ridge_dual_w(np.array([[s]]), np.ones(1), 1e-9))   # Φw must come near y = 1",
        ),
        Misconception(
            "features centred",
            Changed(ridge_dual_w, lambda Phi, y, lam: (Phi - Phi.mean(axis=0), y, lam)),
            "You subtract the mean of each feature first; the exercise takes Φ as it is, for the model has no intercept.",
            "Read “No intercept” again: centring changes the model, and is a choice of its own.",
            _USE + "print(ridge_dual_w(np.ones((4, 1)), np.ones(4), 0.5))   # a constant feature: its weight must not be 0",
        ),
        *_slips_of_alpha(
            _weights_with,
            _USE + "Phi = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])   # rows 1 and 2 are equal\n"
            "print(ridge_dual_w(Phi, np.array([1.0, 1.0, 0.0]), 0.5))   # must be 2/(2 + λ) and 0",
        ),
    ),
    step="Read “First way: push-through” again, with the shape of every array written beside it.",
    experiment=_PHI + "w = ridge_dual_w(Phi, y, 0.5)\n"
    "print((Phi.T @ Phi + 0.5 * np.eye(3)) @ w, Phi.T @ y)   # equation (1), the primal: must agree",
    sizes=lambda Phi, y, lam: {"n": len(y), "d": Phi.shape[1], "λ": lam},
    allowed=KERNELS,
)  # fmt: skip


# -- 3.4


def krr_loo_residuals(K, y, lam):
    """y_i - f₋ᵢ(x_i) = α_i / [(K + λI)⁻¹]_ii."""
    G = np.linalg.inv(K + lam * np.eye(len(K)))
    return (G @ y) / np.diag(G)


def _inv(A):
    return _solve(A, np.eye(len(A)))


def _loo(K, y, lam):
    """The same for the slips, which may leave a singular system."""
    G = _inv(K + lam * np.eye(len(K)))
    return (G @ y) / np.diag(G)


def _hat(K, lam):
    return K @ _inv(K + lam * np.eye(len(K)))


def _from_hat(turn):
    """``turn`` of the training residuals, the diagonal of H, and y."""
    return lambda K, y, lam: turn(y - _hat(K, lam) @ y, np.diag(_hat(K, lam)), y)


def _refitted(K, y, lam, block):
    """n refits, with ``block(K, keep)`` for the Gram matrix of the points that are kept."""
    residuals = np.empty(len(y))
    for i in range(len(y)):
        keep = np.delete(np.arange(len(y)), i)
        residuals[i] = y[i] - K[i, keep] @ _solve(block(K, keep) + lam * np.eye(len(keep)), y[keep])
    return residuals


def _lonely(system: tuple) -> tuple:
    """Make the last point like no other."""
    K, y, lam = system
    K[-1, :-1] = K[:-1, -1] = 0.0
    return K, y, lam


_REFIT = (
    _USE
    + "x = np.array([0.0, 1.0, 2.5]); y = np.array([1.0, -1.0, 0.5])\n"
    + "K = np.exp(-(x[:, None] - x)**2 / 2); keep = [1, 2]          # leave point 0 out, by hand\n"
    + "a = np.linalg.solve(K[np.ix_(keep, keep)] + 0.5 * np.eye(2), y[keep])\n"
)
_K3 = _USE + "x = np.array([0.0, 1.0, 2.5]); y = np.array([1.0, -1.0, 0.5])\nK = np.exp(-(x[:, None] - x)**2 / 2)\n"

KRR_LOO = Exercise(
    name="krr_loo_residuals",
    chapter=CHAPTER,
    number="3.4",
    returns="the leave-one-out residuals y_i - f₋ᵢ(x_i), shape (n,)",
    reference=krr_loo_residuals,
    properties=(
        Property("equals n refits, each without one point", 2, _systems),
        Property(
            "leaves y_i for a point that is like no other",
            1,
            lambda r: [_lonely(s) for s in _systems(r, 2)],
            hint="Your answer goes wrong only where k(x_i, x_j) = 0 for all other points: such a point is predicted by 0 "
            "once it is left out, so its residual is y_i itself.",
        ),
        Property(
            "works when y holds whole numbers",
            1,
            lambda r: _systems(r, 1, whole=True),
            hint="Your answer goes wrong only where y holds whole numbers: an array made like y takes over its integer "
            "type. Start from np.zeros(len(y)), or from y.astype(float).",
        ),
    ),
    misconceptions=(
        Misconception(
            "training residuals",
            _from_hat(lambda r, h, y: r),
            "These are the training residuals y - Kα: every point helped to predict itself.",
            "Read “Leave-one-out without refitting” again: each residual is still to be divided by 1 - H_ii.",
            _K3 + "print(krr_loo_residuals(K, y, 1e-6))   # f passes through all points, but misses the one left out: not 0",
        ),
        Misconception(
            "sign flipped",
            lambda K, y, lam: -_loo(K, y, lam),
            "Right up to the sign: a residual is y - f, what is observed minus what is predicted.",
            "Read “Leave-one-out without refitting” again: it looks at y_i minus f₋ᵢ(x_i), in this order.",
            _USE + "print(krr_loo_residuals(np.eye(2), np.array([3.0, -1.0]), 0.5))   # unrelated points, predicted by 0: must be 3, -1",
        ),
        Misconception(
            "divided twice",
            _from_hat(lambda r, h, y: r / (1 - h) ** 2),
            "You divide by (1 - H_ii)²: the square belongs to the squared error, not to the residual.",
            "Read “Leave-one-out without refitting” again: equation (12) divides by 1 - H_ii once.",
            _USE + "for scale in (1.0, 9.0, 99.0):   # unrelated points, predicted by 0\n"
            "    print(krr_loo_residuals(scale * np.eye(2), np.ones(2), 1.0))   # must be 1, 1 each time",
        ),
        Misconception(
            "square root in the denominator",
            _from_hat(lambda r, h, y: r / np.sqrt(1 - h)),
            "You divide by √(1 - H_ii), as for studentised residuals; leave-one-out divides by 1 - H_ii.",
            "Read “Leave-one-out without refitting” again: the algebra before equation (12) has no root.",
            _USE + "for scale in (3.0, 24.0):   # unrelated points, predicted by 0\n"
            "    print(krr_loo_residuals(scale * np.eye(3), np.ones(3), 1.0))   # must be 1, 1, 1 both times",
        ),
        Misconception(
            "multiplied, not divided",
            _from_hat(lambda r, h, y: r * (1 - h)),
            "You multiply by 1 - H_ii where you should divide: a left-out point is missed by more, not by less.",
            "Read “Leave-one-out without refitting” again: “left-out residuals are larger than training residuals”.",
            _K3 + "train = y - K @ np.linalg.solve(K + 0.5 * np.eye(3), y)\n"
            "print(np.abs(krr_loo_residuals(K, y, 0.5)) > np.abs(train))   # must be True three times",
        ),
        Misconception(
            "multiplied by the diagonal of the inverse",
            lambda K, y, lam: _fit(K, y, lam) * np.diag(_inv(K + lam * np.eye(len(K)))),
            "You multiply α_i by [(K + λI)⁻¹]_ii; it must be divided by it.",
            "Read “Leave-one-out without refitting” again: in (13) the diagonal stands below the line.",
            _USE + "print(krr_loo_residuals(3 * np.eye(2), np.ones(2), 1.0))   # unrelated points, predicted by 0: must be 1, 1",
        ),
        Misconception(
            "K[keep, keep] is not a block",
            lambda K, y, lam: _refitted(K, y, lam, lambda K, keep: K[keep, keep]),
            "`K[keep, keep]` takes only the diagonal entries of the block of the kept points; `K[np.ix_(keep, keep)]` takes "
            "the whole block.",
            "Read “Leave-one-out without refitting” again: the fit without point i needs all pairs of the others.",
            _K3 + "keep = [1, 2]; print(K[keep, keep].shape, K[np.ix_(keep, keep)].shape)\n"
            "print(krr_loo_residuals(K, y, 0.5))   # the first must be y[0] - K[0, keep] @ (fit with the 2 × 2 block)",
        ),
        Misconception(
            "divided by H_ii",
            _from_hat(lambda r, h, y: r / h),
            "You divide by H_ii; it must be 1 - H_ii, what the point does not contribute to its own prediction.",
            "Read “Leave-one-out without refitting” again: collecting f₋ᵢ(x_i) on one side leaves 1 - H_ii.",
            _K3 + "print(krr_loo_residuals(K, y, 1e9), y)   # nothing is fitted any more: must agree",
        ),
        Misconception(
            "GCV denominator",
            _from_hat(lambda r, h, y: r / (1 - h.mean())),
            "You divide every residual by the same 1 - tr(H)/n: that is generalised cross-validation; leave-one-out "
            "has each point's own H_ii.",
            "Read “Leave-one-out without refitting” again: the denominator of (12) has an index i.",
            _USE + "print(krr_loo_residuals(np.diag([1.0, 99.0]), np.ones(2), 1.0))   # unrelated points: must be 1, 1",
        ),
        # two ways to the same numbers: y - Kα + K_ii α = (K_ii + λ)α
        Misconception(
            "diagonal of K for diagonal of the inverse",
            lambda K, y, lam: _fit(K, y, lam) * (np.diag(K) + lam),
            "You compute α_i (K_ii + λ): either 1/(K_ii + λ) was taken for the diagonal of the inverse, or the term of point "
            "i was dropped from f while all other α_j, which were fitted with it, were kept.",
            "Read “Leave-one-out without refitting” again: in (13) the matrix is inverted first, then its entry ii is taken.",
            _REFIT + "print(y[0] - K[0, keep] @ a, krr_loo_residuals(K, y, 0.5)[0])   # must agree",
        ),
        Misconception(
            "no lambda in the denominator",
            lambda K, y, lam: _fit(K, y, lam) / np.diag(_inv(K)),
            "Your denominator is the diagonal of K⁻¹, without λ: it is that of (K + λI)⁻¹, as in the numerator.",
            "Read “Leave-one-out without refitting” again: (13) has the same inverse above and below the line.",
            _USE + "for lam in (0.01, 1.0):   # unrelated points, predicted by 0 whatever λ\n"
            "    print(krr_loo_residuals(np.eye(2), np.ones(2), lam))   # must be 1, 1 both times",
        ),
        Misconception(
            "returns alpha",
            _fit,
            "You return α; the leave-one-out residual is α_i divided by [(K + λI)⁻¹]_ii.",
            "Read “Leave-one-out without refitting” again: α_i is the numerator of (13).",
            _K3 + "for lam in (1e3, 1e6):\n    print(krr_loo_residuals(K, y, lam))   # the fit vanishes: must come near y",
        ),
        Misconception(
            "predictions, not residuals",
            lambda K, y, lam: y - _loo(K, y, lam),
            "You return the left-out predictions f₋ᵢ(x_i); the residuals y_i - f₋ᵢ(x_i) are asked for.",
            "Read “Leave-one-out without refitting” again: what is squared and averaged later is y_i - f₋ᵢ(x_i).",
            _USE + "print(krr_loo_residuals(np.ones((2, 2)), np.ones(2), 1e-9))   # its twin predicts each point well: must be near 0",
        ),
        Misconception(
            "target set to 0",
            _from_hat(lambda r, h, y: r + h * y),
            "You set y_i to 0 instead of leaving the point out: then f is pulled towards 0 there, which no data asked for.",
            "Read “Leave-one-out without refitting” again: the trick puts f₋ᵢ(x_i) in the place of y_i, not 0.",
            _USE + "print(krr_loo_residuals(np.ones((2, 2)), np.array([7.0, 7.0]), 1e-9))   # twins with equal targets: must be near 0",
        ),
        Misconception(
            "no lambda",
            Changed(_loo, lambda K, y, lam: (K, y, 0.0)),
            "λ is missing from K + λI: these are the leave-one-out residuals of the interpolating fit.",
            "Read “Leave-one-out without refitting” again: in (13) it is (K + λI)⁻¹ in both places.",
            _K3 + "for lam in (0.1, 10.0):\n    print(krr_loo_residuals(K, y, lam))   # must change with λ",
        ),
        *_lambda_slips(
            _loo,
            lambda K, y, lam: len(K),
            {
                "n times lambda": _USE + "for n in (2, 5):   # n equal points, and λ = n - 1\n"
                "    print(krr_loo_residuals(np.ones((n, n)), np.ones(n), n - 1.0)[0])   # must be 1/2 both times",
                "lambda over n": _USE + "for n in (2, 5):   # n equal points, and λ = 1\n"
                "    print(1 / krr_loo_residuals(np.ones((n, n)), np.ones(n), 1.0)[0])   # must be n",
                "lambda squared": _USE + "for lam in (0.5, 2.0):   # two equal points\n"
                "    print(krr_loo_residuals(np.ones((2, 2)), np.ones(2), lam)[0] * (1 + lam) / lam)   # must be 1 both times",
                "half lambda": _USE + "print(krr_loo_residuals(np.ones((2, 2)), np.ones(2), 1.0))   # the twin predicts 1/(1 + λ): must be 1/2",
                "twice lambda": _USE + "print(krr_loo_residuals(np.ones((2, 2)), np.ones(2), 3.0))   # the twin predicts 1/(1 + λ): must be 3/4",
            },
        ),
        Misconception(
            "lambda added to every entry",
            lambda K, y, lam: _loo(K + lam * (1 - np.eye(len(K))), y, lam),
            "`K + lam` adds λ to every entry of K; λI adds it to the diagonal only.",
            "Read “Leave-one-out without refitting” again: it is the inverse of K + λI, with I the identity matrix.",
            _USE + "print(krr_loo_residuals(np.eye(2), np.array([1.0, 0.0]), 0.5))   # unrelated points: must be 1, 0",
        ),
        Misconception(
            "squared",
            lambda K, y, lam: _loo(K, y, lam) ** 2,
            "You return the squared residuals; leave the squaring to whoever averages them.",
            "Read “Leave-one-out without refitting” again: (12) and (13) are residuals, with their sign.",
            _USE + "print(krr_loo_residuals(np.eye(2), np.array([1.0, -1.0]), 0.5))   # one above f, one below: the signs must differ",
        ),
    ),
    step="Read “Leave-one-out without refitting” again and follow one index i from (12) to (13).",
    experiment=_REFIT + "print(krr_loo_residuals(K, y, 0.5)[0] - (y[0] - K[0, keep] @ a))   # must be 0",
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
    """The same for the slips, which may leave a singular system."""
    return np.trace(_hat(K, lam))


_EIG = _USE + "K = np.diag([4.0, 1.0])   # eigenvalues 4 and 1\n"

EFFECTIVE_DF = Exercise(
    name="effective_df",
    chapter=CHAPTER,
    number="3.5",
    returns="the effective degrees of freedom, one number",
    reference=effective_df,
    properties=(
        Property("is tr K(K + λI)⁻¹ on random Gram matrices", 2, lambda r: [s[::2] for s in _systems(r)]),
        Property(
            "works when two points coincide, so that K is singular",
            1,
            lambda r: [s[::2] for s in _systems(r, 2, twin=True)],
            hint="Your answer goes wrong only where two points coincide: such a K has no inverse and no Cholesky factor, "
            "and one of its eigenvalues is 0 up to rounding; K + λI is safe.",
        ),
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
            "Read “Effective degrees of freedom” again: an eigenvalue w counts w/(w + λ), not 1.",
            _USE + "print(effective_df(np.diag([1.0, 0.001]), 0.1))   # the second direction is nearly erased: must be near 1, not 2",
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
            "Read “Effective degrees of freedom” again: the sum (11) has w/(w + λ), not its square.",
            _USE + "print(effective_df(np.array([[1.0]]), 1.0))   # one direction with w = λ: must be 1/2",
        ),
        Misconception(
            "trace of 2H - HH",
            lambda K, lam: np.trace(2 * _hat(K, lam) - _hat(K, lam) @ _hat(K, lam)),
            "You return tr(2H - HHᵀ), another definition in the literature; here degrees of freedom are tr H.",
            "Read “Effective degrees of freedom” again: equation (11) is the trace of H itself.",
            _USE + "print(effective_df(np.array([[1.0]]), 9.0))   # one direction with w = 1, λ = 9: must be 1/10",
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
            lambda K, lam: float(len(K)),
            "You return n: without λ, K K⁻¹ = I and every point counts fully.",
            "Read “Effective degrees of freedom” again: an eigenvalue w counts w/(w + λ), which is 1 only for λ = 0.",
            _EIG + "for lam in (0.1, 10.0):\n    print(lam, effective_df(K, lam))   # must fall as lam grows",
        ),
        *_lambda_slips(
            _df,
            lambda K, lam: len(K),
            {
                "n times lambda": _USE + "for n in (1, 10):\n"
                "    print(effective_df(np.eye(n), 1.0) / n)   # each of n unrelated points: must be 1/2",
                "lambda over n": _USE + "for n in (1, 10):\n"
                "    print(effective_df(np.eye(n), 3.0) / n)   # each of n unrelated points: must be 1/4",
                "lambda squared": _USE + "for lam in (0.5, 2.0):\n"
                "    print(effective_df(np.eye(1), lam) * (1 + lam))   # must be 1 both times",
                "half lambda": _USE + "print(effective_df(np.eye(2), 1.0))   # two directions with w = λ: must be 1/2 + 1/2",
                "twice lambda": _USE + "print(effective_df(np.diag([3.0]), 3.0))   # one direction with w = λ = 3: must be 1/2",
            },
        ),
        Misconception(
            "lambda added to every entry",
            lambda K, lam: np.trace(K @ _inv(K + lam)),
            "`K + lam` adds λ to every entry of K; λI adds it to the diagonal only.",
            "Read “Effective degrees of freedom” again: λ is added to every eigenvalue, which only λI does.",
            _USE + "print(effective_df(np.eye(3), 1e6))   # a huge penalty: must come near 0",
        ),
        Misconception(
            "eigenvalues squared",
            lambda K, lam: np.sum(np.linalg.eigvalsh(K) ** 2 / (np.linalg.eigvalsh(K) ** 2 + lam)),
            "You add up w²/(w² + λ): the squares belong to the singular values of Φ, and the eigenvalues w of K are those "
            "squares already.",
            "Read “Effective degrees of freedom” again: equation (11) has w/(w + λ) with w an eigenvalue of K.",
            _USE + "print(effective_df(np.diag([4.0]), 4.0))   # an eigenvalue equal to λ: must be 1/2",
        ),
        Misconception(
            "sum of all entries",
            lambda K, lam: _hat(K, lam).sum(),
            "You add up all entries of H; a trace adds up its diagonal.",
            "Read “Effective degrees of freedom” again: tr H = Σ_i H_ii.",
            _USE + "K = np.array([[2.0, 1.0], [1.0, 2.0]])   # eigenvalues 3 and 1\n"
            "print(effective_df(K, 1.0), 3/(3 + 1) + 1/(1 + 1))   # must agree",
        ),
        Misconception(
            "diagonal, not summed",
            lambda K, lam: np.diag(_hat(K, lam)),
            "You return the diagonal of H; its sum is asked for, one number.",
            "Read “Effective degrees of freedom” again: counting the factors of (10) means adding them up.",
            _EIG + "print(np.shape(effective_df(K, 1.0)))   # one number: must be ()",
        ),
        Misconception(
            "diagonal of K only",
            lambda K, lam: np.sum(np.diag(K) / (np.diag(K) + lam)),
            "You add up K_ii/(K_ii + λ): that would be right for the eigenvalues of K, which are not its diagonal.",
            "Read “Effective degrees of freedom” again: the w_j of (11) come from the eigenbasis of K.",
            _USE + "print(effective_df(np.ones((5, 5)), 1e-6))   # five copies of one point: must come near 1",
        ),
        Misconception(
            "ratio of two traces",
            lambda K, lam: np.trace(K) / np.trace(K + lam * np.eye(len(K))),
            "You divide tr K by tr(K + λI): the trace of a product is not the product of the traces.",
            "Read “Effective degrees of freedom” again: each eigenvalue has a denominator w_j + λ of its own.",
            _USE + "print(effective_df(np.eye(7), 1e-9))   # seven unrelated points, hardly any penalty: must come near 7",
        ),
        Misconception(
            "minus lambda",
            lambda K, lam: np.trace(K @ _inv(K - lam * np.eye(len(K)))),
            "You subtract λ from the diagonal of K: then an eigenvalue counts w/(w - λ), more than 1 or less than 0.",
            "Read “Effective degrees of freedom” again: λ is added, and each factor lies between 0 and 1.",
            _EIG + "for lam in (0.1, 0.5, 0.9):\n    print(lam, effective_df(K, lam))   # must fall, and stay below 2",
        ),
        Misconception(
            "entrywise product with the inverse",
            lambda K, lam: np.trace(K * _inv(K + lam * np.eye(len(K)))),
            "`K * G` multiplies entry by entry; the product of matrices is `K @ G`.",
            "Read “Effective degrees of freedom” again: H is a product of matrices, it maps y to the fitted values.",
            _USE + "K = np.ones((2, 2))   # eigenvalues 2 and 0\nprint(effective_df(K, 2.0))   # must be 2/(2 + 2) + 0",
        ),
    ),
    step="Read “Effective degrees of freedom” again, from H to equation (11).",
    experiment=_USE + "K = np.array([[5.0, 3.0], [3.0, 5.0]])   # eigenvalues 8 and 2\n"
    "print(effective_df(K, 2.0), 8/(8 + 2) + 2/(2 + 2))   # must agree",
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
    return [(_gram(rng, n, twin=twin), rng.normal(size=n) * 1.7) for n in rng.permutation([5, 7, 10])]


def _zero_function(function: tuple) -> tuple:
    """α = (c, -c, 0, …) on two points that coincide: f = 0, although α is not."""
    K, alpha = function
    # a power of 2, so that αᵀKα is exactly 0 in every order of summation (its root, too)
    alpha[0], alpha[1], alpha[2:] = 2.0, -2.0, 0.0
    return K, alpha


_ONE = _USE + "K = np.array([[4.0]])   # one point with k(x, x) = 4\n"

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
            hint="Your answer goes wrong only where two points coincide and their coefficients are c and -c: f is 0 "
            "everywhere and so is its norm, although α is not 0 and K has no inverse and no Cholesky factor.",
            scale=lambda K, alpha: float(alpha @ np.abs(K) @ alpha + alpha @ alpha),
        ),
    ),
    misconceptions=(
        Misconception(
            "alpha'alpha",
            lambda K, alpha: alpha @ alpha,
            "You return αᵀα, as if the k(x_i, ·) were orthonormal; their inner products are the entries of K.",
            "Read “The norm that is paid” again: ⟨k(x_i, ·), k(x_j, ·)⟩ = k(x_i, x_j).",
            _USE + "K = np.ones((2, 2))   # two points that coincide\n"
            "print(rkhs_norm2(K, np.array([1.0, -1.0])))   # f = 0: must be 0",
        ),
        Misconception(
            "values, not norm",
            lambda K, alpha: (K @ alpha) @ (K @ alpha),
            "You return ‖Kα‖², the sum of the squared values f(x_i): how large f is at the points, not how long it is.",
            "Read “The norm that is paid” again: αᵀKα has one K.",
            _ONE + "print(rkhs_norm2(K, np.array([1.0])))   # ‖k(x, ·)‖² = k(x, x): must be 4",
        ),
        Misconception(
            "square root",
            lambda K, alpha: np.sqrt(alpha @ K @ alpha),
            "You return ‖f‖; its square ‖f‖² is asked for, the quantity that λ multiplies.",
            "Read “The norm that is paid” again: (8) is the squared norm, and the penalty is λ times it.",
            _ONE + "print(rkhs_norm2(K, np.array([6.0])) / rkhs_norm2(K, np.array([2.0])))   # three times f: must be 9",
        ),
        Misconception(
            "norm of the values",
            lambda K, alpha: np.linalg.norm(K @ alpha),
            "You return the length of the vector Kα of values f(x_i): neither K nor the square is where it belongs.",
            "Read “The norm that is paid” again: ‖f‖ is a length in the RKHS, and its square is αᵀKα.",
            _USE + "for c in (4.0, 9.0):   # one point with k(x, x) = c, and f = k(x, ·)/c\n"
            "    print(rkhs_norm2(np.array([[c]]), np.array([1 / c])))   # must be c/c² = 1/c",
        ),
        Misconception(
            "diagonal only",
            lambda K, alpha: np.sum(np.diag(K) * alpha**2),
            "You add up α_i² k(x_i, x_i) only; the cross terms 2 α_i α_j k(x_i, x_j) are missing.",
            "Read “The norm that is paid” again: the sum in (8) runs over all pairs i, j.",
            _USE + "K = np.ones((2, 2))   # two points that coincide, so the two f below are one\n"
            "print(rkhs_norm2(K, np.array([1.0, 1.0])), rkhs_norm2(K, np.array([2.0, 0.0])))   # must agree",
        ),
        Misconception(
            "each pair once",
            lambda K, alpha: alpha @ np.triu(K) @ alpha,
            "You count each pair i < j once, but (i, j) and (j, i) are both in the sum: the cross terms need a factor 2.",
            "Read “The norm that is paid” again: in (8) both i and j run over all points.",
            _USE + "K = np.ones((2, 2))   # two points that coincide: f = 2 k(x, ·)\n"
            "print(rkhs_norm2(K, np.array([1.0, 1.0])))   # must be 2² k(x, x) = 4",
        ),
        Misconception(
            "one alpha of each pair",
            lambda K, alpha: np.sum(K * alpha**2),
            "You multiply K_ij by α_j² where α_i α_j belongs: `alpha * K * alpha` scales the columns twice and the rows never.",
            "Read “The norm that is paid” again: each k(x_i, x_j) goes with one α_i and one α_j.",
            _USE + "K = np.ones((2, 2))\nprint(rkhs_norm2(K, np.array([0.0, 3.0])))   # f = 3 k(x, ·): must be 9",
        ),
        Misconception(
            "diagonal missing",
            lambda K, alpha: alpha @ (K - np.diag(np.diag(K))) @ alpha,
            "The terms α_i² k(x_i, x_i) are missing: the sum runs over i = j as well.",
            "Read “The norm that is paid” again: in (8) no pair is left out.",
            _USE + "print(rkhs_norm2(np.eye(2), np.array([3.0, 4.0])))   # orthonormal sections: must be 3² + 4²",
        ),
        Misconception(
            "return inside the loop",
            lambda K, alpha: alpha[0] * (K[0] @ alpha),
            "Only the terms with i = 0 are added up: a `return` that is indented too far ends the loop in its first round.",
            "Read “The norm that is paid” again: in (8) i runs over all points, not only over the first.",
            _USE + "print(rkhs_norm2(np.eye(2), np.array([0.0, 5.0])))   # the second point alone: must be 25",
        ),
        Misconception(
            "last term only",
            lambda K, alpha: alpha[-1] ** 2 * K[-1, -1],
            "You return the last term of the sum: write `+=` in the loop, where `=` forgets what came before.",
            "Read “The norm that is paid” again: (8) adds up n² terms.",
            _USE + "print(rkhs_norm2(np.eye(2), np.array([5.0, 0.0])))   # the first point alone: must be 25",
        ),
        Misconception(
            "sum of the values",
            lambda K, alpha: np.sum(K @ alpha),
            "You add up the values f(x_i); each is still to be multiplied by its α_i.",
            "Read “The norm that is paid” again: the double sum has an α_i outside and an α_j inside.",
            _ONE + "print(rkhs_norm2(K, np.array([-1.0])))   # a squared length: must not be negative",
        ),
        Misconception(
            "inverse of K",
            lambda K, alpha: alpha @ _solve(K, alpha),
            "You return αᵀK⁻¹α: that is the norm for given values f(x_i); for given coefficients it is αᵀKα.",
            "Read “The norm that is paid” again and look which of the two, α or the values Kα, stands outside.",
            _USE + "for c in (1.0, 100.0):\n    print(rkhs_norm2(c * np.eye(1), np.ones(1)))   # ‖k(x, ·)‖² = k(x, x): must be c",
        ),
        Misconception(
            "values, not summed",
            lambda K, alpha: K @ alpha,
            "You return the values Kα, one for each point; the inner product with α is missing.",
            "Read “The norm that is paid” again: αᵀ(Kα) is one number.",
            _USE + "print(np.shape(rkhs_norm2(np.eye(2), np.array([1.0, 2.0]))))   # one number: must be ()",
        ),
        Misconception(
            "products, not summed",
            lambda K, alpha: alpha * (K @ alpha),
            "You return the n products α_i f(x_i); their sum is asked for, `alpha @ (K @ alpha)`.",
            "Read “The norm that is paid” again: (8) sums over i as well as over j.",
            _USE + "print(rkhs_norm2(np.eye(3), np.ones(3)))   # three orthonormal sections: must be one number, 3",
        ),
    ),
    step="Read “The norm that is paid” again and write out (8) for two points.",
    experiment=_USE + "K = np.array([[2.0, 1.0], [1.0, 2.0]])\n"
    "print(rkhs_norm2(K, np.array([1.0, 3.0])), 1*1*2 + 2*(1*3*1) + 3*3*2)   # (8) for two points: must agree",
    observations=(
        Observation(
            "A squared norm is never negative; on one of the inputs your number is.",
            lambda value, K, alpha: bool(value < -1e-9),
        ),
    ),
    sizes=lambda K, alpha: {"n": len(K)},
    allowed=KERNELS,
)  # fmt: skip


# -- 3.7: all of it together, on data


def krr_tune(X, y, sigmas, lams):
    """The (σ, λ) of least mean squared leave-one-out residual, and that mean square."""
    paths = [loo_path(Gaussian(s)(X), y, lams) for s in sigmas]
    i = int(np.argmin([p.mse.min() for p in paths]))
    j = int(np.argmin(paths[i].mse))
    return float(sigmas[i]), float(lams[j]), float(paths[i].mse[j])


def _search(X, y, sigmas, lams, score):
    """The pair of least ``score(K, y, lam)``, with that score."""
    grams = [(s, Gaussian(s)(X)) for s in sigmas]
    best, sigma, lam = min((score(K, y, lam), s, lam) for s, K in grams for lam in lams)
    return sigma, lam, best


def _by(residuals, summary=lambda r: np.mean(r**2)):
    """The search by a summary of other residuals, a function (K, y, lam)."""
    return lambda X, y, sigmas, lams: _search(
        X, y, sigmas, lams, lambda K, y, lam: float(summary(residuals(K, y, lam)))
    )


def _sigma_first(X, y, sigmas, lams):
    sigma, _, _ = krr_tune(X, y, sigmas, lams[:1])
    return krr_tune(X, y, [sigma], lams)


def _lambda_first(X, y, sigmas, lams):
    _, lam, _ = krr_tune(X, y, sigmas[:1], lams)
    return krr_tune(X, y, sigmas, [lam])


def _worst(X, y, sigmas, lams):
    sigma, lam, score = _search(X, y, sigmas, lams, lambda K, y, lam: -np.mean(krr_loo_residuals(K, y, lam) ** 2))
    return sigma, lam, -score


def _indices(X, y, sigmas, lams):
    sigma, lam, score = krr_tune(X, y, sigmas, lams)
    return list(sigmas).index(sigma), list(lams).index(lam), score


def _accumulates(X, y, sigmas, lams):
    """What `K += lam * np.eye(n)` in the inner loop does: the penalties add up."""
    sigma, total, score = krr_tune(X, y, sigmas, np.cumsum(lams))
    return sigma, lams[list(np.cumsum(lams)).index(total)], score


_ABSOLUTE, _GCV_SCORE = _by(krr_loo_residuals, lambda r: np.mean(np.abs(r))), _by(
    _from_hat(lambda r, h, y: r / (1 - h.mean()))
)  # fmt: skip


def _curve(rng: Rng, n: int, grid: tuple[int, int], unlike: tuple[Callable, ...] = ()) -> tuple:
    """A noisy wave in the plane, and grids in random order with their best pair inside.

    The searches ``unlike`` find another pair.
    """
    while True:
        X = rng.uniform(-2.0, 2.0, size=(n, 2))
        y = np.sin(1.5 * X[:, 0]) + 0.5 * X[:, 1] + 0.3 * rng.normal(size=n) + 0.3
        sigmas, lams = _candidates(rng, 0.25, 9.0, grid[0]), _candidates(rng, 0.002, 20.0, grid[1])
        right = krr_tune(X, y, sigmas, lams)
        inside = all(
            best in g[1:-1] and g.min() < best < g.max() for best, g in zip(right, (sigmas, lams), strict=False)
        )
        if inside and all(right[:2] != search(X, y, sigmas, lams)[:2] for search in unlike):
            return X, y, sigmas, lams


def _candidates(rng: Rng, least: float, most: float, count: int) -> np.ndarray:
    return rng.permutation(np.geomspace(least, most, count) * np.exp(rng.uniform(-0.25, 0.25, size=count)))


def _is_right_for_another_pair(value, X, y, sigmas, lams):
    sigma, lam, mse = value
    if sigma not in sigmas or lam not in lams:
        return False
    return bool(np.isclose(mse, np.mean(krr_loo_residuals(Gaussian(sigma)(X), y, lam) ** 2), rtol=1e-6))


_CRASH = "from kcourse.datasets import load_mcycle\nX, y = load_mcycle().X, load_mcycle().y\n"
_FAR = _USE + "X, y = np.array([[0.0], [99.0]]), np.array([1.0, 2.0])   # two points that ignore each other\n"

# what may go wrong with the residuals: the search itself is right
_RESIDUAL_SLIPS = [
    Misconception(
        f"residuals: {slip.name}",
        _by(slip.wrong),
        f"The search is right, but the residuals are not those of exercise 3.4. {slip.hint}",
        slip.step,
        _USE + "X, y = np.array([[0.0], [0.0], [99.0]]), np.array([1.0, 1.0, 3.0])   # twins, and one far away\n"
        "print(krr_tune(X, y, [1.0], [3.0])[2])   # residuals 3/4, 3/4 and 3: must be (9/16 + 9/16 + 9)/3",
    )
    for slip in KRR_LOO.misconceptions
    if slip.name not in ("training residuals", "GCV denominator", "sign flipped", "squared")
]

KRR_TUNE = Exercise(
    name="krr_tune",
    chapter=CHAPTER,
    number="3.7",
    returns="(sigma, lam, mse): the best width, the best λ and their mean squared leave-one-out residual",
    reference=krr_tune,
    properties=(
        Property(
            "finds the pair of least leave-one-out error",
            3,
            lambda r: [
                _curve(r, 13, (4, 5), (_sigma_first, _lambda_first)),
                _curve(r, 17, (5, 4), (_ABSOLUTE,)),
                _curve(r, 16, (4, 6), (_GCV_SCORE, _accumulates)),
            ],
        ),
        Property(
            "works with a single candidate of each",
            1,
            lambda r: [(X, y, s[1:2], lam[:1]) for X, y, s, lam in [_curve(r, 12, (3, 3))]],
            hint="Your answer goes wrong only where each grid has one entry: then the answer is that pair and its error.",
        ),
    ),
    misconceptions=(
        Misconception(
            "training error",
            _by(_from_hat(lambda r, h, y: r)),
            "You choose by the training error, which the narrowest kernel with the least penalty always wins.",
            "Read “Leave-one-out without refitting” again: a point must not help to predict itself.",
            _CRASH + "for widths in ([3.0], [3.0, 0.01]):\n"
            "    print(krr_tune(X, y, widths, [0.1]))   # a width of 0.01 ms sees no neighbour: must not be chosen",
        ),
        Misconception(
            "lambda before sigma",
            lambda X, y, sigmas, lams: tuple(np.array(krr_tune(X, y, sigmas, lams))[[1, 0, 2]]),
            "The right pair in the wrong order: return (sigma, lam, mse).",
            "Read “Back to the crash” again: `tune` there returns the width first.",
            _FAR + "print(krr_tune(X, y, [2.0], [0.5]))   # one candidate each: must begin with 2.0, 0.5",
        ),
        Misconception(
            "indices, not values",
            _indices,
            "You return the places of the best pair in the grids; the values sigmas[i] and lams[j] are asked for.",
            "Read “Back to the crash” again: `tune` there looks the values up before it returns.",
            _FAR + "print(krr_tune(X, y, [5.0], [0.25]))   # one candidate each: must begin with 5.0, 0.25",
        ),
        Misconception(
            "largest, not smallest",
            _worst,
            "You return the pair with the largest error: argmax where argmin belongs, or a comparison the wrong way round.",
            "Read “Back to the crash” again: `tune` there takes the argmin of its table.",
            _CRASH + "print(krr_tune(X, y, [3.0], [0.1])[2], krr_tune(X, y, [3.0, 0.01], [0.1])[2])   # more choice: must not be larger",
        ),
        Misconception(
            "mean absolute residual",
            _ABSOLUTE,
            "You average the absolute residuals; the mean of their squares is asked for.",
            "Read “Leave-one-out without refitting” again: the path shows the mean squared error.",
            _FAR + "print(krr_tune(X, 10 * y, [1.0], [0.5])[2] / krr_tune(X, y, [1.0], [0.5])[2])   # ten times the unit: must be 100",
        ),
        Misconception(
            "root of the mean square",
            _by(krr_loo_residuals, lambda r: np.sqrt(np.mean(r**2))),
            "The right pair; but your error is the root of the mean square: leave the square.",
            "Read “Back to the crash” again: its table is in g², the root would be in g.",
            _FAR + "print(krr_tune(X, y, [1.0], [0.5])[2])   # residuals 1 and 2: must be (1 + 4)/2",
        ),
        Misconception(
            "sum, not mean",
            _by(krr_loo_residuals, lambda r: np.sum(r**2)),
            "The right pair; but your error is the sum of the squared residuals, n times their mean.",
            "Read “Leave-one-out without refitting” again: the path shows the mean squared error, whatever n is.",
            _USE + "for n in (2, 4):   # n points that ignore each other, all with residual 1\n"
            "    print(krr_tune(99.0 * np.arange(n)[:, None], np.ones(n), [1.0], [0.5])[2])   # must be 1 both times",
        ),
        Misconception(
            "variance of the residuals",
            _by(krr_loo_residuals, np.var),
            "You take the variance of the residuals, which subtracts their mean first; the mean of their squares is asked for.",
            "Read “Leave-one-out without refitting” again: a fit that is off by a constant must not count as perfect.",
            _FAR + "print(krr_tune(X, np.ones(2), [1.0], [0.5])[2])   # both residuals are 1: must be 1",
        ),
        Misconception(
            "GCV",
            _GCV_SCORE,
            "You choose by generalised cross-validation, with tr(H)/n for every H_ii: close, but leave-one-out is "
            "asked for.",
            "Read “Leave-one-out without refitting” again: the denominator of (12) has an index i.",
            _CRASH + "print(krr_tune(X, y, [3.0], [0.1])[2], np.mean(krr_loo_residuals(Gaussian(3.0)(X), y, 0.1) ** 2))   # must agree",
        ),
        Misconception(
            "sigma first, then lambda",
            _sigma_first,
            "You choose σ with the first λ and then λ for that σ; the best pair may be another: try all pairs.",
            "Read “Turn the knobs” again: the good settings lie along a slanted valley.",
            _CRASH + "print(krr_tune(X, y, [1.0, 3.0, 9.0], [1e-4, 1e-2, 1.0]))\n"
            "print(krr_tune(X, y, [1.0, 3.0, 9.0], [1.0, 1e-2, 1e-4]))   # another order of the λ: must agree",
        ),
        Misconception(
            "lambda first, then sigma",
            _lambda_first,
            "You choose λ with the first σ and then σ for that λ; the best pair may be another: try all pairs.",
            "Read “Turn the knobs” again: for another width the best λ is another.",
            _CRASH + "print(krr_tune(X, y, [0.5, 3.0, 9.0], [1e-4, 0.1, 10.0]))\n"
            "print(krr_tune(X, y, [9.0, 3.0, 0.5], [1e-4, 0.1, 10.0]))   # another order of the widths: must agree",
        ),
        Misconception(
            "lambda accumulates",
            _accumulates,
            "In your inner loop the λ pile up: each is added to a K that still holds those before it, as `K += lam * np.eye(n)` "
            "or `K[i, i] += lam` do. Make K + λI anew for each λ.",
            "Read “Solve, never invert” again: there each λ has its own matrix K + λI, and K stays what it is.",
            _USE + "X, y = np.zeros((2, 1)), np.ones(2)   # twins: the larger λ is, the larger the residual\n"
            "print(krr_tune(X, y, [1.0], [3.0, 1.0]))   # must choose λ = 1, with error (1/2)²",
        ),
        *_RESIDUAL_SLIPS,
    ),
    step="Read “Back to the crash” again: all pairs in one table, and one minimum over it.",
    experiment=_CRASH + "pairs = [krr_tune(X, y, [s], [lam]) for s in (1.0, 3.0, 9.0) for lam in (0.01, 1.0)]\n"
    "print(min(pairs, key=lambda p: p[2]), krr_tune(X, y, [1.0, 3.0, 9.0], [0.01, 1.0]))   # must agree",
    observations=(
        Observation(
            "On one of the inputs you return a σ or a λ that is none of the candidates: the pair must come from the two grids.",
            lambda value, X, y, sigmas, lams: bool(value[0] not in sigmas or value[1] not in lams),
        ),
        Observation(
            "The error that you return is right for your pair, but another pair has a smaller one: are all pairs tried, and is "
            "the best one kept?",
            _is_right_for_another_pair,
        ),
    ),
    sizes=lambda X, y, sigmas, lams: {"n": len(y)},
    allowed=KERNELS,
    parts=("sigma", "lam", "mse"),
)  # fmt: skip


EXERCISES = (KRR_FIT, KRR_FIT_PREDICT, RIDGE_DUAL_W, KRR_LOO, EFFECTIVE_DF, RKHS_NORM2, KRR_TUNE)
