"""What the exercises of chapter 3 share: fresh inputs, promises, a stricter solve, and the mistake nλ."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kcourse.checks.spec import Changed, Misconception, Promise, Property
from kcourse.kernels import Gaussian

CHAPTER = "ch03_ridge"
KERNELS = ("kcourse.kernels",)  # what an answer may call
USE = "import numpy as np\n"  # how an experiment begins
Rng = np.random.Generator

# "Type: text" of an exception that NumPy or SciPy raises if shapes do not match, for any way to write a product
SHAPES = r"(ValueError|LinAlgError): .*(mismatch|not aligned|broadcast|ncompatible|shape)"


# -- fresh inputs: n, d and q differ, λ lies below 1 and above 1 but not near it, and diagonals are not 1


def gram(rng: Rng, n: int, *, twin: bool = False) -> np.ndarray:
    """A Gram matrix of n random points: Gaussian and linear parts, so that its diagonal is neither 1 nor constant.

    With ``twin`` two of the points coincide, so that it is singular.
    """
    X = rng.normal(size=(n, 3))
    if twin:
        X[1] = X[0]
    K = rng.uniform(1.3, 2.0) * Gaussian(rng.uniform(1.3, 1.9))(X) + 0.2 * (X @ X.T)
    K = (K + K.T) / 2
    if twin:  # equal to the last bit, so that their difference is exactly the function 0
        K[1], K[:, 1] = K[0].copy(), K[0].copy()
        K[1, 1] = K[0, 1] = K[1, 0] = K[0, 0]
    return K


def lams(rng: Rng) -> list[float]:
    """Three λ, one of them above 1 and one small, in random order."""
    lams = [rng.uniform(0.03, 0.06), rng.uniform(0.3, 0.6), rng.uniform(1.7, 3.0)]
    return [float(lam) for lam in rng.permutation(lams)]


def systems(rng: Rng, count: int = 3, *, twin: bool = False, whole: bool = False) -> list[tuple]:
    """(K, y, λ), with a different n each time."""
    sizes = rng.permutation([5, 7, 10])
    return [
        (gram(rng, n, twin=twin), _targets(rng, n, whole), lam)
        for n, lam in zip(sizes[:count], lams(rng)[:count], strict=True)
    ]


VARIED = Promise("have a diagonal that is not constant", lambda K, *_: np.ptp(np.diag(K)) > 0.1)
TWINS = Promise("have two points that coincide, to the last bit", lambda K, *_: (K[0] == K[1]).all(), of=(1,))
EITHER_SIDE = Promise(
    "have λ below 1 and above 1, and a different n each",
    lambda found: {args[-1] > 1 for args in found} == {True, False} and len({len(a[0]) for a in found}) == len(found),
    together=True,
)
WHOLE = Promise(
    "have targets that are whole numbers, not all 0", lambda K, y, lam: y.dtype.kind == "i" and y.any(), (2,)
)


def _targets(rng: Rng, n: int, whole: bool) -> np.ndarray:
    if not whole:
        return rng.normal(size=n) + 0.4
    y = rng.integers(-4, 5, size=n)
    y[0] = 3  # so that not all are 0
    return y


def regressions(rng: Rng) -> list[tuple]:
    """(X, y, Xq, σ, λ) in two and three dimensions, with fewer queries than points and with more."""
    # no width equals a λ, so that an answer that swaps the two is wrong on every input
    narrow, wide, wider = rng.uniform(0.7, 0.85), rng.uniform(1.2, 1.35), rng.uniform(1.45, 1.62)
    shapes = [(6, 2, 4, narrow), (8, 3, 5, wide), (7, 2, 10, wider)]
    return [regression(rng, *shape, lam) for shape, lam in zip(shapes, lams(rng), strict=True)]


def regression(rng: Rng, n: int, d: int, q: int, sigma: float, lam: float, shift: float = 0.0) -> tuple:
    X, Xq = rng.normal(size=(n, d)), rng.normal(size=(q, d)) + shift
    return X, rng.normal(size=n) + 1.0, Xq, float(sigma), lam


WHOLE_NUMBERS = Property(
    "works when y holds whole numbers",
    1,
    lambda r: systems(r, 1, whole=True),
    hint="Your answer fails only when y holds whole numbers. An array made like y, as np.zeros_like(y) makes it, holds "
    "integers and cuts off decimals. Start from np.zeros(len(y)) or y.astype(float).",
)


def features(rng: Rng, *shapes: tuple[int, int]) -> list[tuple]:
    return [
        (rng.normal(size=shape), rng.normal(size=shape[0]) + 0.4, lam)
        for shape, lam in zip(shapes, lams(rng), strict=False)
    ]


# -- for mistakes


def solve(A, b):
    """Return what ``np.linalg.solve`` does, or raise LinAlgError if A is singular up to rounding."""
    probe = np.linalg.solve(A, np.cos(np.arange(len(A)) + 1.0))  # huge if A is nearly singular, whatever b is
    if np.abs(probe).max() * np.abs(A).max() > 1e10:
        raise np.linalg.LinAlgError("singular to rounding")
    return np.linalg.solve(A, b)


def n_times_lambda(formula: Callable, size: Callable[..., int], experiment: str) -> Misconception:
    """nλ for λ in an exercise whose last argument is λ; ``size(*args)`` is its n."""
    return Misconception(
        "n times lambda",
        Changed(formula, lambda *args: (*args[:-1], size(*args) * args[-1])),
        "You use nλ instead of λ. That belongs to a criterion with the mean of the squared errors, and ours has their "
        "sum. Use λ itself.",
        "Read “Which λ?” again, the row with the factor 1/n.",
        experiment,
    )
