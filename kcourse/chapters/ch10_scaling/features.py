"""Exercises 10.1 and 10.2: random Fourier features with phases, and Nyström's features."""

from __future__ import annotations

import itertools

import numpy as np

from kcourse.chapters.gaussian_mistakes import GAUSSIAN_MISTAKES, gaussian
from kcourse.checks.spec import RTOL, Exercise, Misconception, Observation, Promise, Property, attempts, telling

__all__ = ["CHAPTER", "NYSTROM_FEATURES", "RFF", "USE", "width"]

CHAPTER = "ch10_scaling"
USE = "import numpy as np\n"  # how an experiment begins
_COSINES = "Random Fourier features"
_NYSTROM = "Nyström, from the representer theorem"


def width(rng):
    """σ, not near 1."""
    return float(rng.choice([rng.uniform(0.45, 0.75), rng.uniform(1.4, 2.2)]))


# -- 10.1


def rff(X, W, b, sigma):
    """√(2/D) cos(XW/σ + b)."""
    return _waves(X, W, b, sigma)


def _waves(X, W, b, sigma, *, wave=np.cos, factor=lambda n, D: np.sqrt(2 / D), angle=lambda A, b, s: A / s + b):
    return factor(len(X), W.shape[1]) * wave(angle(X @ W, b, sigma))


def _with(**how):
    return lambda X, W, b, sigma: _waves(X, W, b, sigma, **how)


def _pairs(X, W, b, sigma):
    A = X @ W / sigma
    return np.hstack([np.cos(A), np.sin(A)]) / np.sqrt(W.shape[1])


def _half_and_half(X, W, b, sigma):
    half = W.shape[1] // 2
    A = X @ W[:, :half] / sigma
    return np.hstack([np.cos(A), np.sin(A)]) * np.sqrt(2 / W.shape[1])


def _own_frequencies(X, W, b, sigma):
    """The lecture's cell as it stands, with the draws that it makes."""
    A = X @ np.random.default_rng(0).normal(size=(X.shape[1], W.shape[1] // 2)) / sigma
    return np.hstack([np.cos(A), np.sin(A)]) * np.sqrt(2 / W.shape[1])


def _unit_waves(X, W, b, sigma):
    F = _waves(X, W, b, sigma)
    return F / np.linalg.norm(F, axis=1, keepdims=True)


def _inner_products(X, W, b, sigma):
    F = _waves(X, W, b, sigma)
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
    return [(F := _waves(X, W, sign * b, sigma, wave=wave)) @ F.T for wave, sign in ways]


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
    "def k(sigma=1.5, D=200_000, X=X):\n"
    "    Z = np.asarray(rff(X, rng.normal(size=(2, D)), rng.uniform(0, 2 * np.pi, D), sigma))[: len(X)]\n"
    "    return (Z @ Z.T).round(2)\n"
)

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
            hint="Your answer fails only when there is one point, or one feature: is an axis lost on the way?",
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
            _with(factor=lambda n, D: np.sqrt(1 / D)),
            "Your factor is √(1/D): that is for pairs of cosine and sine over D frequencies. One cosine of a random phase has "
            "the mean square ½, so with phases it is √(2/D).",
            f"Read “{_COSINES}” again: step 5.",
            _R + "print(k())   # the diagonal should be 1",
        ),
        Misconception(
            "times σ",
            _with(angle=lambda A, b, s: A * s + b),
            "Your frequencies are σW; a narrow kernel has high frequencies, so they are W/σ.",
            f"Read “{_COSINES}” again: the distribution of ω.",
            _R + "print(k(0.5)[0, 1], k(4.0)[0, 1])   # wider, so more alike: should be near 0 and 0.78",
        ),
        Misconception(
            "γ for the variance",
            _with(angle=lambda A, b, s: A / (np.sqrt(2) * s) + b),
            "The variance of your frequencies is γ = 1/(2σ²); it is 2γ = 1/σ². Your kernel is √2 times too wide.",
            f"Read “{_COSINES}” again: the variance in scikit-learn's letters.",
            _R + "print(k(2.0)[0, 1], np.exp(-8 / 8).round(2))   # should be equal",
        ),
        Misconception(
            "divided by σ²",
            _with(angle=lambda A, b, s: A / s**2 + b),
            "You divide the frequencies by σ²: 1/σ² is their variance, and 1/σ their standard deviation.",
            f"Read “{_COSINES}” again: the distribution of ω.",
            _R + "print(k(3.0)[0, 1])   # at distance √8: should print 0.64",
        ),
        Misconception(
            "σ left out",
            _with(angle=lambda A, b, s: A + b),
            "σ plays no part in your frequencies, which are W/σ.",
            f"Read “{_COSINES}” again: the distribution of ω.",
            _R + "print(k(0.5)[0, 1], k(4.0)[0, 1])   # must differ: near 0 and 0.78",
        ),
        Misconception(
            "features divided by σ",
            lambda X, W, b, sigma: _waves(X, W, b, sigma, angle=lambda A, b, s: A + b) / sigma,
            "You divide the features by σ, where the frequencies are meant: the width belongs into the cosine.",
            f"Read “{_COSINES}” again: the distribution of ω.",
            _R + "print(k(0.5)[1, 1], k(4.0)[1, 1])   # a point with itself: should print 1, 1",
        ),
        Misconception(
            "frequencies times 2π",
            _with(angle=lambda A, b, s: 2 * np.pi * A / s + b),
            "Your frequencies are 2π times too large: ω is an angle for each unit of length already.",
            f"Read “{_COSINES}” again: the distribution of ω.",
            _R + "print(k(4.0)[0, 1])   # at distance √8: should print 0.78",
        ),
        Misconception(
            "no phase",
            _with(angle=lambda A, b, s: A / s),
            "The phases b are missing: a cosine alone is cos ωᵀx, largest at the origin, and not a function of x − z.",
            f"Read “{_COSINES}” again: the second kind in step 5.",
            _R + "print(k(4.0))   # the diagonal should be 1, wherever a point lies",
        ),
        Misconception(
            "one phase for all",
            lambda X, W, b, sigma: _waves(X, W, b[0], sigma),
            "All your cosines have the first phase. Each frequency needs one of its own, or the term cos(u + v + 2b) does not average to 0.",
            f"Read “{_COSINES}” again: the second kind in step 5.",
            USE + "W, b = np.zeros((1, 2)), np.array([0.0, np.pi / 2])\n"
            "print(rff(np.ones((1, 1)), W, b, 2.0).round(2))   # the cosines of 0 and of a right angle: should print 1 and 0",
        ),
        Misconception(
            "cosine and sine added",
            _with(wave=lambda u: np.cos(u) + np.sin(u)),
            "You add the sine of each angle to its cosine. That is √2 times the cosine of another phase, so φ(x)ᵀφ(x) is 2 on average and not 1.",
            f"Read “{_COSINES}” again: the two kinds in step 5.",
            _R + "print(k(2.0))   # the diagonal should be 1",
        ),
        Misconception(
            "phase outside the cosine",
            lambda X, W, b, sigma: np.sqrt(2 / W.shape[1]) * (np.cos(X @ W / sigma) + b),
            "You add the phases to the cosines; they are added to the angles, inside the bracket.",
            f"Read “{_COSINES}” again: the second kind in step 5.",
            _R + "print(k())   # a cosine is 1 at most: the diagonal should be 1",
        ),
        Misconception(
            "sine without phase",
            _with(wave=np.sin, angle=lambda A, b, s: A / s),
            "You take the sine and no phase: at the origin all your features are 0.",
            f"Read “{_COSINES}” again: the second kind in step 5.",
            _R + "print(k(X=np.zeros((1, 2))))   # a point with itself: should print 1",
        ),
        Misconception(
            "phase divided, too",
            _with(angle=lambda A, b, s: (A + b) / s),
            "You divide the phases by σ as well: they are angles, uniform over a whole turn, whatever the width.",
            f"Read “{_COSINES}” again: the second kind in step 5.",
            _R + "print(k(3.0))   # the diagonal should be 1",
        ),
        Misconception(
            "phase times the angle",
            _with(angle=lambda A, b, s: A / s * b),
            "You multiply the angle by b; a phase is added.",
            f"Read “{_COSINES}” again: the second kind in step 5.",
            _R + "print(k()[0, 1], np.exp(-8 / 4.5).round(2))   # should be equal",
        ),
        Misconception(
            "points centred",
            lambda X, W, b, sigma: _waves(X - X.mean(axis=0), W, b, sigma),
            "You take the mean of the points away first, so the features of a point depend on which others came with it.",
            f"Read “{_COSINES}” again: step 5, where φ(x) knows x alone.",
            USE + "X, W, b = np.array([[0.0, 1.0], [2.0, -1.0]]), np.array([[1.0], [2.0]]), np.zeros(1)\n"
            "print(rff(X + 1, W, b, 2.0)[0] == rff(X, W, b, 2.0)[0])   # another point has another feature: should print False",
        ),
        Misconception(
            "√(2/d)",
            lambda X, W, b, sigma: _waves(X, W, b, sigma) * np.sqrt(W.shape[1] / len(W)),
            "You divide by d, the columns of X; a mean over the D draws divides by D.",
            f"Read “{_COSINES}” again: step 5.",
            _R + "print(k(D=40)[0, 0] < 3)   # a mean over forty features: should print True",
        ),
        Misconception(
            "D forgotten",
            _with(factor=lambda n, D: np.sqrt(2)),
            "Your factor is √2: the inner product has to be a mean over the D features, not their sum.",
            f"Read “{_COSINES}” again: step 5.",
            _R + "print(k(D=10)[0, 0] < 3)   # a mean over ten features: should print True",
        ),
        Misconception(
            "no root",
            _with(factor=lambda n, D: 2 / D),
            "Your factor is 2/D; it is applied to both points of an inner product, so its root belongs to each.",
            f"Read “{_COSINES}” again: step 5.",
            _R + "print(k(D=50)[0, 0] > 0.5)   # near 1: should print True",
        ),
        Misconception(
            "mean over the points",
            _with(factor=lambda n, D: np.sqrt(2 / n)),
            "You divide by the number of points; the mean is over the D features.",
            f"Read “{_COSINES}” again: step 5.",
            _R + "print(k(D=2000)[0, 0] < 2)   # a mean of numbers between 0 and 2: should print True",
        ),
        Misconception(
            "rows of length 1",
            _unit_waves,
            "You scale each row to length 1. With phases φ(x)ᵀφ(x) is 1 only on average; whoever divides by its root has other features.",
            f"Read “{_COSINES}” again: the factor in step 5, and φ(x)ᵀφ(x) in step 6.",
            USE + "one = np.ones((1, 1))   # a point, a frequency, and no phase\n"
            "print(rff(0 * one, one, np.zeros(1), 2.0).round(2))   # √2 times the cosine of 0: should print 1.41",
        ),
        Misconception(
            "their inner products",
            _inner_products,
            "You return the inner products φ(x)ᵀφ(z) of all pairs of points, n × n; asked are the features, from which they are made.",
            f"Read “{_COSINES}” again: step 5, what φ(x) is.",
            USE + "print(np.shape(rff(np.ones((5, 2)), np.ones((2, 3)), np.ones(3), 2.0)))   # should print (5, 3)",
        ),
        Misconception(
            "pairs",
            _pairs,
            "You return pairs, cosine and sine of each frequency, 2D columns. They estimate k better, but asked are D with "
            "phases: b is not used.",
            f"Read “{_COSINES}” again: the two kinds in step 5.",
            USE + "print(np.shape(rff(np.ones((4, 2)), np.ones((2, 3)), np.ones(3), 2.0)))   # should print (4, 3)",
        ),
        Misconception(
            "frequencies of your own",
            _own_frequencies,
            "You draw frequencies yourself, as the lecture's cell does. Here the chance is given: W and b.",
            f"Read “{_COSINES}” again: the second kind in step 5.",
            USE + "print(rff(np.ones((1, 2)), np.zeros((2, 2)), np.zeros(2), 2.0))   # every angle is 0: should print 1 and 1",
        ),
        Misconception(
            "pairs of half the frequencies",
            _half_and_half,
            "You return pairs of cosine and sine of the first half of the frequencies. They are features of this kernel, but not "
            "these: asked are D frequencies, each with its phase.",
            f"Read “{_COSINES}” again: the two kinds in step 5.",
            USE + "W = np.array([[1.0, 0.0]]); b = np.zeros(2)\n"
            "print(rff(np.array([[0.0]]), W, b, 2.0))   # both cosines are 1 there: should print 1 and 1",
        ),
    ),
    step=f"Read “{_COSINES}” again: step 5, the second kind, with the frequencies W/σ.",
    experiment=_R + "print(k())   # should be near 1 on the diagonal and 0.17 beside it",
    sizes=lambda X, W, b, sigma: {"n": len(X), "d": X.shape[1], "D": W.shape[1], "σ": sigma},
    view=_rff_products,
    view_name="the inner products of your features",
)  # fmt: skip


# -- 10.2


def nystrom_features(X, landmarks, sigma):
    """K_nm K_mm^(-1/2), of the eigenvalues above rounding."""
    return _features(X, landmarks, sigma)


def _features(X, Z, sigma, *, kernel=gaussian, power=-0.5):
    w, U = np.linalg.eigh(kernel(Z, Z, sigma))
    kept = w > 1e-10 * w[-1]
    return kernel(X, Z, sigma) @ (U[:, kept] * w[kept] ** power) @ U[:, kept].T


def _with_a_little_more(X, Z, sigma, little=1e-3):
    """With 1e-3, or so much, on the diagonal, for safety."""
    w, U = np.linalg.eigh(gaussian(Z, Z, sigma) + little * np.eye(len(Z)))
    return gaussian(X, Z, sigma) @ (U / np.sqrt(w)) @ U.T


def _powers(power):
    return lambda X, Z, sigma: _features(X, Z, sigma, power=power)


def _by_another(kernel):
    return lambda X, Z, sigma: _features(X, Z, sigma, kernel=kernel)


def _factor_on_the_wrong_side(X, Z, sigma):
    return gaussian(X, Z, sigma) @ np.linalg.inv(np.linalg.cholesky(gaussian(Z, Z, sigma)))


def _entry_by_entry(X, Z, sigma):
    return gaussian(X, Z, sigma) @ gaussian(Z, Z, sigma) ** -0.5


def _approximation(X, Z, sigma):
    F = _features(X, Z, sigma)
    return F @ F.T


def _exact(X, Z, sigma):
    w, U = np.linalg.eigh(gaussian(X, X, sigma))
    return U * np.sqrt(np.maximum(w, 0))


def _diagonal(X, Z, sigma):
    return gaussian(X, Z, sigma) / np.sqrt(len(Z))


def _unit_rows(X, Z, sigma):
    F = _features(X, Z, sigma)
    return F / np.linalg.norm(F, axis=1, keepdims=True)


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


def _some(rng, n, d, m, inside, beside=False):
    """Landmarks and points, ``inside`` with landmarks among them; ``beside``: the last landmark is near the first."""
    sigma = width(rng)
    Z = apart("nystrom_features", rng, m - beside, d, sigma, 0.02)
    if beside:
        step = rng.normal(size=d)
        Z = np.vstack([Z, Z[0] + 0.1 * sigma * step / np.linalg.norm(step)])
    X = Z[rng.integers(m, size=n)] + 0.7 * sigma * rng.normal(size=(n, d))
    if inside:
        X[:m] = Z
    return rng.permutation(X), Z, sigma


# the right products, and those with 1e-6 more on the diagonal
_LITTLE = (
    lambda *a: _products(nystrom_features(*a), *a),
    [lambda *a: _products(_with_a_little_more(*a, little=1e-6), *a)],
)


def _problems(rng):
    for _ in attempts("nystrom_features"):
        found = [_some(rng, *sizes) for sizes in ((6, 2, 3, True, True), (5, 3, 2, False), (7, 3, 4, True))]
        if not telling(found, *_LITTLE, least=3 * RTOL):
            continue
        mistakes = [
            (lambda *a, f=m.wrong: _products(f(*a), *a)) for m in NYSTROM_FEATURES.misconceptions if m.wrong is not None
        ]
        if telling(found, lambda *a: _products(nystrom_features(*a), *a), mistakes):
            return found


def _twice(rng):
    """Two landmarks stand there four times: K_mm has more eigenvalues that are rounding than others."""
    found = []
    for n, d, m in ((7, 2, 3), (5, 3, 3)):
        X, Z, sigma = _some(rng, n, d, m, True)
        found.append((X, np.vstack([Z, *[Z[:2]] * 3]), sigma))
    return found


_F = USE + "X = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 0.7], [2.2, 4.0]])\n" \
    "def K(sigma=2.0, X=X, Z=X[:2]):\n    F = np.asarray(nystrom_features(X, Z, sigma))\n    return (F @ F.T).round(3)\n"  # fmt: skip
_STEP_4 = f"Read “{_NYSTROM}” again: step 4."

_KERNELS = {
    "exponent without the 2": "print(K(2.0)[0, 1])   # two landmarks: should print 0.535",
    "brackets missing in the exponent": "print(K(1.0)[0, 1], K(4.0)[0, 1])   # must grow with the width: 0.082, 0.855",
    "sigma used as gamma": "print(K(4.0)[0, 1] > K(1.0)[0, 1])   # wider, so more alike: should print True",
    "sigma not squared": "print(K(4.0)[0, 1])   # two landmarks: should print 0.855",
    "distance not squared": "print(K(1.0)[0, 1])   # two landmarks: should print 0.082",
    "Laplacian kernel": "print(K(3.0)[0, 1])   # two landmarks: should print 0.757",
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
            "has them also where a landmark stands twice",
            1,
            _twice,
            hint="Your answer fails only when two landmarks are the same point, so that K_mm has no inverse: take the power −½ on "
            "the eigenvalues above rounding, and 0 on the rest.",
        ),
    ),
    promises=(
        Promise("have landmarks that keep apart", lambda X, Z, sigma: (
            np.linalg.eigvalsh(gaussian(Z, Z, sigma))[0] > 0.001)),
        Promise("show a little more on the diagonal", lambda found: telling(found, *_LITTLE, least=2 * RTOL), (0,), together=True),
        Promise("have landmarks that stand there again", lambda X, Z, sigma: 3 * len(np.unique(Z, axis=0)) == len(Z), of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "K_mm⁻¹ for its root",
            _powers(-1.0),
            "You multiply by K_mm⁻¹; an inner product has features on both sides, so each takes the root, K_mm^(-½).",
            _STEP_4,
            _F + "print(K()[0, :2])   # exact on the landmarks: should print 1 and 0.535",
        ),
        Misconception(
            "kernels with the landmarks, no more",
            _powers(0.0),
            "Your features have the inner products of K_nm's rows: landmarks that are alike are counted twice. K_mm^(-½) takes that away.",
            _STEP_4,
            _F + "print(K()[0, 0])   # a landmark with itself: should print 1",
        ),
        Misconception(
            "a little more on the diagonal",
            _with_a_little_more,
            "You add a small number to the diagonal of K_mm. Then K̂ is no projection, and is not exact on the landmarks; eigenvalues that are "
            "rounding are left out instead.",
            f"Read “{_NYSTROM}” again: step 3, where K̂ is exact.",
            USE + "Z = np.array([[0.0, 0.0], [0.01, 0.0]]); F = np.asarray(nystrom_features(Z, Z, 2.0))\n"
            "print(np.ptp(F, axis=0).max() > 0.001)   # two landmarks have features that differ: should print True",
        ),
        Misconception(
            "last landmark lost",
            lambda X, Z, sigma: _features(X, Z[:-1], sigma),
            "Your features know all landmarks but the last one.",
            f"Read “{_NYSTROM}” again: step 2, where the span is that of all m sections.",
            _F + "print(K()[1, 1])   # the second of two landmarks with itself: should print 1",
        ),
        Misconception(
            "K_mm^(+½)",
            _powers(0.5),
            "You multiply by the root of K_mm; it is the root of its inverse.",
            _STEP_4,
            _F + "print(K()[1, :2])   # exact on the landmarks: should print 0.535 and 1",
        ),
        Misconception(
            "factor on the wrong side",
            _factor_on_the_wrong_side,
            "With K_mm = LLᵀ you multiply by L⁻¹; then the product is K_nm(LᵀL)⁻¹K_mn. It is L⁻ᵀ: solve with L for the columns of K_mn.",
            f"{_STEP_4} Any S with SSᵀ = K_mm⁻¹ will do.",
            _F + "print(K()[:2, 2])   # the whole rows of landmarks are exact: should print 0.305 and 0.491",
        ),
        Misconception(
            "power of each entry",
            _entry_by_entry,
            "You take the power −½ of each entry of K_mm; of a matrix it is U diag(w^(-½)) Uᵀ, from its eigenvalues.",
            _STEP_4,
            _F + "print(K(4.0)[0, :2])   # exact on the landmarks: should print 1 and 0.855",
        ),
        Misconception(
            "the approximation itself",
            _approximation,
            "You return K_nm K_mm⁻¹ K_mn, the approximated Gram matrix; asked are the features whose inner products these are.",
            f"Read “{_NYSTROM}” again: (3), and step 4.",
            USE + "X = np.arange(10.0).reshape(5, 2)\nprint(np.shape(nystrom_features(X, X[:2], 2.0)))   # should print (5, 2)",
        ),
        Misconception(
            "exact features",
            _exact,
            "Your features have the exact kernel for inner products; those of Nyström see the points through the landmarks only.",
            f"Read “{_NYSTROM}” again: step 2.",
            _F + "far = np.array([[50.0, 50.0]])\nprint(K(X=far)[0, 0])   # no landmark is near: should print 0",
        ),
        Misconception(
            "mean over the landmarks",
            _diagonal,
            "You divide K_nm by √m, as if K_mm were m times the identity.",
            _STEP_4,
            _F + "print(K(1.0)[0, :2])   # exact on the landmarks: should print 1 and 0.082",
        ),
        Misconception(
            "rows of length 1",
            _unit_rows,
            "You scale each row to length 1; k̂(x, x) is smaller than 1 away from the landmarks, and that says how little they know.",
            f"Read “{_NYSTROM}” again: (4).",
            _F + "print(K()[2, 2])   # not a landmark: should print 0.244",
        ),
        *(
            Misconception(
                name,
                _by_another(GAUSSIAN_MISTAKES[name][0]),
                GAUSSIAN_MISTAKES[name][1],
                "Read “Notation” on the start page: the kernel is exp(-‖x-z‖²/(2σ²)).",
                _F + look,
            )
            for name, look in _KERNELS.items()
        ),
    ),
    observations=(
        Observation(
            "Your k̂(x, x) is larger than k(x, x) = 1 somewhere; a projection is never longer than what it is a projection of.",
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
