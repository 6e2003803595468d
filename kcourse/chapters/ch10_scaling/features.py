"""Exercises 10.1 and 10.2: random Fourier features with phases, and Nyström's features."""

from __future__ import annotations

import itertools
from functools import partial

import numpy as np

from kcourse.chapters.gaussian_mistakes import GAUSSIAN_MISTAKES, gaussian
from kcourse.checks.spec import (
    RTOL,
    Changed,
    Exercise,
    Misconception,
    Observation,
    Promise,
    Property,
    attempts,
    telling,
)

__all__ = ["CHAPTER", "NYSTROM_FEATURES", "RFF", "USE", "width"]

CHAPTER = "ch10_scaling"
USE = "import numpy as np\n"  # how an experiment begins
_FOURIER = "Random Fourier features"
_NYSTROM = "Nyström, from the representer theorem"


def width(rng):
    """σ, not near 1."""
    return float(rng.choice([rng.uniform(0.45, 0.75), rng.uniform(1.4, 2.2)]))


# -- 10.1


def rff(X, W, b, sigma):
    """√(2/D) cos(XW/σ + b)."""
    return np.sqrt(2 / W.shape[1]) * np.cos(X @ W / sigma + b)


def _with_factor(factor):
    return lambda X, W, b, sigma: factor(W.shape[1]) * np.cos(X @ W / sigma + b)


def _pairs(X, W, b, sigma):
    A = X @ W / sigma
    return np.hstack([np.cos(A), np.sin(A)]) / np.sqrt(W.shape[1])


def _own_frequencies(X, W, b, sigma):
    """The lecture's cell as it stands, with the draws that it makes."""
    A = X @ np.random.default_rng(0).normal(size=(X.shape[1], W.shape[1] // 2)) / sigma
    return np.hstack([np.cos(A), np.sin(A)]) * np.sqrt(2 / W.shape[1])


def _inner_products(X, W, b, sigma):
    F = rff(X, W, b, sigma)
    return F @ F.T


def _rff_products(value, X, W, b, sigma):
    """Inner products. Sine for cosine, or the phase with a minus, is as good: then those of the reference."""
    if np.iscomplexobj(value):
        return None
    Z = np.asarray(value, dtype=float)
    if Z.ndim != 2 or len(Z) != len(X):
        return None
    products = Z @ Z.T
    if Z.shape[1] == W.shape[1]:
        Z = rff(X, W, b, sigma)
        if any(np.allclose(products, as_good, rtol=1e-9, atol=1e-9) for as_good in _as_good(X, W, b, sigma)):
            return Z @ Z.T
    return products


def _as_good(X, W, b, sigma):
    """The inner products with cosine or sine, and the phase with either sign."""
    ways = itertools.product((np.cos, np.sin), (1, -1))
    return [2 / W.shape[1] * (F := wave(X @ W / sigma + sign * b)) @ F.T for wave, sign in ways]


def _draws(rng):
    """Points and numbers of several sizes, on which no two mistakes agree; D is even, so that √(2/D) is 1/√half."""
    for _ in attempts("rff"):
        found = [
            (rng.normal(size=(n, d)), rng.normal(size=(d, D)), rng.uniform(0, 2 * np.pi, D), width(rng))
            for n, d, D in ((4, 2, 8), (6, 3, 10), (5, 2, 12))
        ]
        if telling([_as_seen(args) for args in found], _seen(rff), [_seen(m.wrong) for m in RFF.misconceptions]):
            return found


def _as_seen(args):
    return args


def _seen(function):
    return lambda *args: _rff_products(function(*args), *args)


def _single(rng):
    """One point, and one feature: where a shape is easily lost."""
    return [
        (rng.normal(size=(1, 3)), rng.normal(size=(3, 6)), rng.uniform(0, 6, 6), width(rng)),
        (rng.normal(size=(4, 2)), rng.normal(size=(2, 1)), rng.uniform(0, 6, 1), width(rng)),
    ]


_R = (
    USE + "X = np.array([[0.0, 1.0], [2.0, -1.0]])   # 2.83 apart\n"
    "rng = np.random.default_rng(0)\n"
    "def k(sigma=1.5, D=2_000, X=X):\n"
    "    Z = np.asarray(rff(X, rng.normal(size=(2, D)), rng.uniform(0, 2 * np.pi, D), sigma))[: len(X)]\n"
    "    return (Z @ Z.T).round(1)\n"
)
_STEP_5 = f"Read “{_FOURIER}” again: step 5, "
_OMEGA = f"Read “{_FOURIER}” again: the distribution of ω."

RFF = Exercise(
    name="rff",
    chapter=CHAPTER,
    number="10.1",
    returns="features, shape (n, D): a row for each point",
    reference=rff,
    properties=(
        Property("has the inner products of random Fourier features", 3, _draws, scale=lambda *a: 1.0),
        Property(
            "does so for a single point and for a single feature",
            1,
            _single,
            hint="Your answer fails only if there is one point, or one feature. An axis may be lost on the way.",
            scale=lambda *a: 1.0,
        ),
    ),
    promises=(
        Promise("have an even D", lambda X, W, b, sigma: W.shape[1] % 2 == 0),
        Promise("are one point, or one feature", lambda X, W, b, sigma: 1 in (len(X), W.shape[1]), of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "√(1/D)",
            _with_factor(lambda D: np.sqrt(1 / D)),
            "You multiply by √(1/D), which is for pairs over D frequencies. A cosine with a random phase has the mean "
            "square ½, so the factor is √(2/D).",
            _STEP_5 + "the second kind.",
            _R + "print(k())   # the diagonal should be 1",
        ),
        Misconception(
            "times σ",
            Changed(rff, lambda X, W, b, sigma: (X, W, b, 1 / sigma)),
            "You multiply the frequencies by σ. A narrow kernel has high frequencies: divide W by σ.",
            _OMEGA,
            _R + "print(k(0.5)[0, 1], k(4.0)[0, 1])   # wider, so more alike: should be near 0 and 0.8",
        ),
        Misconception(
            "γ for the variance",
            Changed(rff, lambda X, W, b, sigma: (X, W, b, np.sqrt(2) * sigma)),
            "You give the frequencies the variance γ = 1/(2σ²), so your kernel is √2 times too wide. Their variance is "
            "2γ = 1/σ².",
            f"Read “{_FOURIER}” again: the variance in scikit-learn's notation.",
            _R + "print(k(2.1)[0, 1], np.exp(-8 / (2 * 2.1**2)).round(1))   # should be equal",
        ),
        Misconception(
            "divided by σ²",
            Changed(rff, lambda X, W, b, sigma: (X, W, b, sigma**2)),
            "You divide the frequencies by σ². Their variance is 1/σ², so their standard deviation is 1/σ: divide by σ.",
            _OMEGA,
            _R + "print(k(2.8)[0, 1])   # at distance √8: should print 0.6",
        ),
        Misconception(
            "σ left out",
            Changed(rff, lambda X, W, b, sigma: (X, W, b, 1.0)),
            "You do not use σ. The entries of W have the variance 1, and the frequencies are W/σ.",
            _OMEGA,
            _R + "print(k(0.5)[0, 1], k(4.0)[0, 1])   # must differ: near 0 and 0.8",
        ),
        Misconception(
            "no phase",
            Changed(rff, lambda X, W, b, sigma: (X, W, 0 * b, sigma)),
            "You do not use the phases. Without them cos(u + v) does not average to 0, so the inner products do not depend on x − z "
            "only. Add b.",
            _STEP_5 + "the second kind.",
            _R + "print(k(4.0))   # the diagonal should be 1, wherever a point is",
        ),
        Misconception(
            "phase also divided",
            Changed(rff, lambda X, W, b, sigma: (X, W, b / sigma, sigma)),
            "You also divide the phases by σ. They are uniform over a whole turn for every width: divide W only.",
            _STEP_5 + "the second kind.",
            _R + "print(k(3.0))   # the diagonal should be 1",
        ),
        Misconception(
            "D forgotten",
            _with_factor(lambda D: np.sqrt(2)),
            "You multiply by √2, so your inner products are sums over the D features. They should be means: multiply by √(2/D).",
            _STEP_5 + "the factor.",
            _R + "print(k(D=10)[0, 0] < 3)   # a mean over ten features: should print True",
        ),
        Misconception(
            "no root",
            _with_factor(lambda D: 2 / D),
            "You multiply by 2/D. An inner product contains the factor twice, so each feature gets the root √(2/D).",
            _STEP_5 + "the factor.",
            _R + "print(k(D=50)[0, 0] > 0.5)   # near 1: should print True",
        ),
        Misconception(
            "their inner products",
            _inner_products,
            "You return the inner products of all pairs of points, n × n. Return the features φ(x), a row for each point.",
            _STEP_5 + "what φ(x) is.",
            USE + "print(np.shape(rff(np.ones((5, 2)), np.ones((2, 3)), np.ones(3), 2.0)))   # should print (5, 3)",
        ),
        Misconception(
            "pairs",
            _pairs,
            "You return pairs of cosine and sine, 2D columns, and do not use b. Return the other kind, D cosines with phases.",
            _STEP_5 + "the two kinds.",
            USE + "print(np.shape(rff(np.ones((4, 2)), np.ones((2, 3)), np.ones(3), 2.0)))   # should print (4, 3)",
        ),
        Misconception(
            "frequencies of your own",
            _own_frequencies,
            "You draw frequencies yourself, as the lecture does. Here W and b are the random numbers: use them.",
            _STEP_5 + "the second kind.",
            USE + "print(rff(np.ones((1, 2)), np.zeros((2, 2)), np.zeros(2), 2.0))   # every angle is 0: should print 1 and 1",
        ),
    ),
    step=_STEP_5 + "the second kind, with the frequencies W/σ.",
    experiment=USE + "X, W = np.array([[1.5 * np.pi, 0.0]]), np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])\n"
    "b = np.array([0.0, np.pi / 2, 0.0])   # the angles are π, π/2 and π\n"
    "print(rff(X, W, b, 1.5).round(2))   # √(2/3) times their cosines: should print -0.82, 0 and -0.82",
    sizes=lambda X, W, b, sigma: {"n": len(X), "d": X.shape[1], "D": W.shape[1], "σ": sigma},
    view=_rff_products,
    view_name="the inner products of your features",
)  # fmt: skip


# -- 10.2


def nystrom_features(X, landmarks, sigma):
    """K_nm K_mm^(-1/2), of the eigenvalues above rounding."""
    return _features(X, landmarks, sigma)


def _features(X, Z, sigma, *, power=-0.5):
    w, U = np.linalg.eigh(gaussian(Z, Z, sigma))
    kept = w > 1e-10 * w[-1]
    return gaussian(X, Z, sigma) @ (U[:, kept] * w[kept] ** power) @ U[:, kept].T


def _without_a_threshold(X, Z, sigma):
    """All eigenvalues, with the signs that rounding gives some of them taken away."""
    w, U = np.linalg.eigh(gaussian(Z, Z, sigma))
    return gaussian(X, Z, sigma) @ (U / np.sqrt(np.abs(w) + 1e-300))


def _with_a_little_more(X, Z, sigma, little=1e-3):
    """With 1e-3, or so much, on the diagonal, for safety."""
    w, U = np.linalg.eigh(gaussian(Z, Z, sigma) + little * np.eye(len(Z)))
    return gaussian(X, Z, sigma) @ (U / np.sqrt(w)) @ U.T


def _inverse(X, Z, sigma):
    """K_nm K_mm⁻¹; of a singular K_mm an error, as np.linalg.inv."""
    K_mm = gaussian(Z, Z, sigma)
    if np.linalg.matrix_rank(K_mm, tol=1e-10, hermitian=True) < len(Z):
        raise ValueError("K_mm is singular")
    return gaussian(X, Z, sigma) @ np.linalg.inv(K_mm)


def _powers(power):
    return lambda X, Z, sigma: _features(X, Z, sigma, power=power)


def _factor_on_the_wrong_side(X, Z, sigma):
    return gaussian(X, Z, sigma) @ np.linalg.inv(np.linalg.cholesky(gaussian(Z, Z, sigma)))


def _eigenvectors_in_rows(X, Z, sigma):
    w, U = np.linalg.eigh(gaussian(Z, Z, sigma))
    kept = w > 1e-10 * w[-1]
    return gaussian(X, Z, sigma) @ (U[kept].T * w[kept] ** -0.5) @ U[kept]


def _entry_by_entry(X, Z, sigma):
    return gaussian(X, Z, sigma) @ gaussian(Z, Z, sigma) ** -0.5


def _approximation(X, Z, sigma):
    F = _features(X, Z, sigma)
    return F @ F.T


def _products(value, X, landmarks, sigma):
    """What is compared: features are right if these are."""
    F = np.asarray(value, dtype=float)
    return F @ F.T if F.ndim == 2 and len(F) == len(X) and not np.iscomplexobj(value) else None


def apart(of, rng, m, d, sigma, least):
    """m points, for exercise ``of``, not too close to each other: no eigenvalue of their Gram matrix is below ``least``."""
    for _ in attempts(of):
        Z = 1.5 * rng.normal(size=(m, d))
        if np.linalg.eigvalsh(gaussian(Z, Z, sigma))[0] > least:
            return Z


def _some(rng, n, d, m, inside, beside=0.0, sigma=None):
    """Landmarks and points, ``inside`` with landmarks among them; the last landmark is ``beside`` σ from the first."""
    sigma = width(rng) if sigma is None else sigma
    Z = apart("nystrom_features", rng, m - bool(beside), d, sigma, 0.02)
    if beside:
        step = rng.normal(size=d)
        Z = np.vstack([Z, Z[0] + beside * sigma * step / np.linalg.norm(step)])
    X = Z[rng.integers(m, size=n)] + 0.7 * sigma * rng.normal(size=(n, d))
    if inside:
        X[:m] = Z
    return rng.permutation(X), Z, sigma


def _seen_products(function):
    return lambda *args: _products(function(*args), *args)


# the right products, and those with 1e-6 more on the diagonal
_LITTLE = _seen_products(nystrom_features), [_seen_products(partial(_with_a_little_more, little=1e-6))]


def _shows_a_little(found):
    """Whether 1e-6 more on the diagonal is wrong, and 1e-4 nearly right: an answer has the same points on every draw."""
    return telling(found, *_LITTLE, least=3 * RTOL) and not telling(found, *_LITTLE, least=9 * RTOL)


def _problems(rng):
    for _ in attempts("nystrom_features"):
        found = [_some(rng, *sizes) for sizes in ((6, 2, 3, True, 0.13), (5, 3, 2, False), (7, 3, 4, True))]
        if not _shows_a_little(found):
            continue
        mistakes = [_seen_products(mistake.wrong) for mistake in NYSTROM_FEATURES.misconceptions]
        if telling(found, _seen_products(nystrom_features), mistakes):
            return found


_NEAR = 1e-9  # distance of landmarks in units of σ: the smallest eigenvalues of K_mm are rounding errors then


def _nearly_equal(rng):
    """Two landmarks occur again, one of them four times, exactly and up to 1e-9 σ; another is 0.06 σ away from the first.

    That one has an eigenvalue that is small, but no rounding error: about 5e-4 of the largest.

    If landmarks were exactly equal, an answer without a threshold would be right, because K_nm is 0 along the
    eigenvectors of the eigenvalues that are rounding errors. With 1e-9 σ it is about 1e-9 there, and divided by the
    root of 1e-16 this is large. σ is large, so that distances from ‖x‖² - 2xᵀz + ‖z‖² have small rounding errors.
    """
    found = []
    for n, d, m in ((7, 2, 4), (6, 3, 4)):
        for _ in attempts("nystrom_features"):
            X, Z, sigma = _some(rng, n, d, m, True, 0.06, sigma=float(rng.uniform(1.4, 2.2)))
            steps = rng.normal(size=(4, d))
            steps *= _NEAR * sigma / np.linalg.norm(steps, axis=1)[:, None]
            Z = np.vstack([Z, Z[:2], Z[[0, 0, 1, 2]] + steps])
            none = _seen_products(_without_a_threshold)
            if _shows_a_little([(X, Z, sigma)]) and telling([(X, Z, sigma)], _LITTLE[0], [none], 1e-4):
                found.append((X, Z, sigma))
                break
    return found


_F = USE + "X = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 0.7], [2.2, 4.0]])\n" \
    "def K(sigma=2.0, X=X, Z=X[:2]):\n    F = np.asarray(nystrom_features(X, Z, sigma))\n    return (F @ F.T).round(3)\n"  # fmt: skip
_STEP_4 = f"Read “{_NYSTROM}” again: step 4."

_KERNELS = {
    "exponent without the 2": (lambda s: s / np.sqrt(2), "print(K(2.0)[0, 1])   # two landmarks: should print 0.535"),
    "sigma used as gamma": (
        lambda s: 1 / np.sqrt(2 * s),
        "print(K(4.0)[0, 1] > K(1.0)[0, 1])   # wider, so more alike: should print True",
    ),
    "sigma not squared": (np.sqrt, "print(K(4.0)[0, 1])   # two landmarks: should print 0.855"),
}

NYSTROM_FEATURES = Exercise(
    name="nystrom_features",
    chapter=CHAPTER,
    number="10.2",
    returns="features, shape (n, m): a row for each point",
    reference=nystrom_features,
    properties=(
        Property("has Nyström's inner products", 3, _problems),
        Property(
            "has them also if landmarks are equal or nearly equal",
            1,
            _nearly_equal,
            hint="Your answer fails only if landmarks are equal or nearly equal. Leave out the eigenvalues of K_mm that are rounding "
            "errors, for example those below 1e-10 times the largest.",
        ),
    ),
    promises=(
        Promise("have landmarks that are not close together", lambda X, Z, sigma: (
            np.linalg.eigvalsh(gaussian(Z, Z, sigma))[0] > 0.001)),
        Promise("show a little more on the diagonal", lambda found: telling(found, *_LITTLE, least=2 * RTOL), (0,), together=True),
        Promise(
            "have four different landmarks, the others equal or nearly equal to them, and show a missing threshold",
            lambda X, Z, sigma: len(Z) == 10 and len(np.unique(Z, axis=0)) == 8 and len(np.unique(Z.round(6), axis=0)) == 4
            and telling([(X, Z, sigma)], _seen_products(nystrom_features), [_seen_products(_without_a_threshold)], 20 * RTOL),
            of=(1,),
        ),
    ),
    misconceptions=(
        Misconception(
            "K_mm⁻¹ for its root",
            _inverse,
            "You multiply by K_mm⁻¹. An inner product contains both sides, so each of them gets the root: multiply by K_mm^(-½).",
            _STEP_4,
            _F + "print(K()[0, :2])   # exact on the landmarks: should print 1 and 0.535",
            error="LinAlgError",
        ),
        Misconception(
            "kernels with the landmarks, no more",
            _powers(0.0),
            "Your features have the inner products of K_nm. These count landmarks that are alike twice. Multiply K_nm by K_mm^(-½).",
            _STEP_4,
            _F + "print(K()[0, 0])   # a landmark with itself: should print 1",
        ),
        Misconception(
            "a little more on the diagonal",
            _with_a_little_more,
            "You add a small number to the diagonal of K_mm. Then K̂ is not exact on the landmarks. Leave out the eigenvalues that are "
            "rounding errors instead.",
            f"Read “{_NYSTROM}” again: step 3, where K̂ is exact.",
            USE + "Z = np.array([[0.0, 0.0], [0.01, 0.0]]); F = np.asarray(nystrom_features(Z, Z, 2.0))\n"
            "print(np.ptp(F, axis=0).max() > 0.001)   # two landmarks have features that differ: should print True",
        ),
        Misconception(
            "K_mm^(+½)",
            _powers(0.5),
            "You multiply by the root of K_mm. Multiply by the root of its inverse, K_mm^(-½).",
            _STEP_4,
            _F + "print(K()[1, :2])   # exact on the landmarks: should print 0.535 and 1",
        ),
        Misconception(
            "factor on the wrong side",
            _factor_on_the_wrong_side,
            "You multiply by L⁻¹, where K_mm = LLᵀ. Then the inner products contain (LᵀL)⁻¹ instead of K_mm⁻¹. Multiply by L⁻ᵀ.",
            f"{_STEP_4} Any S with SSᵀ = K_mm⁻¹ can replace the root.",
            _F + "print(K()[:2, 2])   # the whole rows of landmarks are exact: should print 0.305 and 0.491",
        ),
        Misconception(
            "eigenvectors in rows",
            _eigenvectors_in_rows,
            "You take the rows of U as eigenvectors. `np.linalg.eigh` returns them in columns: K_mm^(-½) is U diag(w^(-½)) Uᵀ.",
            _STEP_4,
            _F + "Z = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 1.0]])\n"
            "print(K(X=Z, Z=Z)[0])   # exact on the landmarks: should print 1, 0.882 and 0.287",
        ),
        Misconception(
            "power of each entry",
            _entry_by_entry,
            "You take the power −½ of each entry of K_mm. The power of a matrix is U diag(w^(-½)) Uᵀ, from its eigenvalues.",
            _STEP_4,
            _F + "print(K(4.0)[0, :2])   # exact on the landmarks: should print 1 and 0.855",
        ),
        Misconception(
            "the approximation itself",
            _approximation,
            "You return K_nm K_mm⁻¹ K_mn, the approximated Gram matrix. Return the features whose inner products these are.",
            f"Read “{_NYSTROM}” again: (3), and step 4.",
            USE + "X = np.arange(10.0).reshape(5, 2)\nprint(np.shape(nystrom_features(X, X[:2], 2.0)))   # should print (5, 2)",
        ),
        *(
            Misconception(
                name,
                Changed(nystrom_features, lambda X, Z, sigma, change=change: (X, Z, change(sigma))),
                GAUSSIAN_MISTAKES[name][1],
                "Read “Notation” on the start page: the kernel is exp(-‖x-z‖²/(2σ²)).",
                _F + look,
            )
            for name, (change, look) in _KERNELS.items()
        ),
    ),
    observations=(
        Observation(
            "Your k̂(x, x) is larger than k(x, x) = 1 at some point. A projection is never longer than the vector that is projected.",
            lambda v, X, landmarks, sigma: bool(
                np.ndim(v) == 2 and np.shape(v)[0] == np.shape(v)[1] and np.diag(v).max() > 1 + 1e-6
            ),
        ),
    ),
    step=f"Read “{_NYSTROM}” again: steps 2 and 4.",
    experiment=_F + "print(K()[0])   # should print 1, 0.535, 0.305, 0.074",
    sizes=lambda X, landmarks, sigma: {"n": len(X), "m": len(landmarks), "d": X.shape[1], "σ": sigma},
    view=_products,
    view_name="the inner products of your features",
)  # fmt: skip
