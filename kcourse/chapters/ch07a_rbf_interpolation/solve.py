"""Exercises 7a.1 and 7a.2: weights of an interpolant, and of a model with fewer basis functions than points."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.gaussian_mistakes import gaussian, squares
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property, attempts

__all__ = ["CHAPTER", "GENERALIZED_WEIGHTS", "INTERPOLATION", "RBF_INTERPOLATE", "USE", "apart", "distances"]

CHAPTER = "ch07a_rbf_interpolation"
INTERPOLATION = ("scipy.interpolate",)  # refused, because it solves the exercises
USE = "import numpy as np\n"  # the first line of an experiment
_BASIS, _WHICH, _FEWER = (
    "Interpolation: a basis function on every point",
    "For which basis functions? Micchelli's theorem",
    "Fewer basis functions than points",
)


def distances(A, B):
    """‖a - b‖ for all pairs, by differences."""
    return np.sqrt(squares(A, B))


# -- 7a.1


def rbf_interpolate(X, y, c):
    """w with Φw = y, Φ_ji = √(‖x_j - x_i‖² + c²)."""
    return _weights(_multiquadrics(X, y, c), y)


def _multiquadrics(X, y, c):
    return np.sqrt(distances(X, X) ** 2 + c**2)


def _weights(Phi, y):
    return np.linalg.solve(Phi, y)


def _interpolated(phi):
    """The mistake with another function of distance and c."""
    return lambda X, y, c: _weights(phi(distances(X, X), c), y)


def _with_constant(X, y, c):
    n = len(y)
    A = np.ones((n + 1, n + 1))
    A[:n, :n], A[n, n] = np.sqrt(distances(X, X) ** 2 + c**2), 0.0
    return np.linalg.solve(A, np.append(y, 0.0))[:n]


def _spots(rng, sizes=((4, 2), (5, 3), (6, 4)), at=0.0):
    """Points far from each other, so that no matrix is ill-conditioned; the mean of y is not 0.

    There are d + 2 points, because without its root the matrix of multiquadrics has rank d + 2.
    """
    found = []
    for n, d in sizes:
        X = apart(rng, n, d)
        c = float(rng.uniform(0.4, 0.8) if len(found) % 2 else rng.uniform(1.3, 1.8))
        found.append((X + at, rng.normal(size=n) + 2 * rng.choice([-1.0, 1.0]), c))
    return found


def apart(rng, n, d, least=0.7):
    """n points; no two are nearer than ``least`` or close in a coordinate."""
    X = np.empty((0, d))
    for _ in attempts("chapter 7a"):
        x = rng.uniform(-2, 2, size=d)
        if np.all(np.linalg.norm(X - x, axis=1) > least) and np.all(np.abs(X - x) > 0.05):
            X = np.vstack([X, x])
        if len(X) == n:
            return X


def _apart(X, least):
    return np.sort(distances(X, X), axis=1)[:, 1].min() > least


_W = USE + "def w(X, y, c):\n" \
    "    return rbf_interpolate(np.array(X, dtype=float), np.array(y, dtype=float), c)\n" \
    "X = [[0, 0], [3, 4]]   # 5 apart; with c = 12 the root is 13\n"  # fmt: skip

RBF_INTERPOLATE = Exercise(
    name="rbf_interpolate",
    chapter=CHAPTER,
    number="7a.1",
    returns="the weights w, shape (n,)",
    reference=rbf_interpolate,
    properties=(
        Property("interpolates all points with multiquadrics", 2, _spots),
        Property(
            "does so for a single point",
            1,
            lambda r: [(r.normal(size=(1, d)), r.normal(size=1) + 3, float(r.uniform(1.4, 2.5))) for d in (2, 3)],
            hint="Your answer fails only for a single point. The result must have shape (1,); a squeeze or a list of distances "
            "without the diagonal loses it.",
        ),
        Property(
            "does so for map coordinates, millions of metres from 0",
            1,
            lambda r: _spots(r, ((4, 2),), at=np.array([5e5, 4e6])),
            hint="Your answer fails only far from the origin. The difference of two large squares loses its precision. Subtract the "
            "coordinates first, then square.",
        ),
    ),
    promises=(
        Promise("are apart in every coordinate", lambda X, y, c: _apart(X, 0.69) and all(
            np.diff(np.sort(x)).min() > 0.049 for x in X.T), of=(0, 2)),
        Promise("have no more than d + 2 points", lambda X, y, c: len(X) <= X.shape[1] + 2, of=(0, 1, 2)),
        Promise("have targets with a mean that is not 0", lambda X, y, c: abs(y.mean()) > 0.05, of=(0, 1, 2)),
        Promise("have c on either side of 1", lambda found: {c > 1 for *_, c in found} == {True, False}, together=True),
        Promise("are far from the origin", lambda X, y, c: np.abs(X).min() > 1e5, of=(2,)),
    ),
    misconceptions=(
        Misconception(
            "squared distance instead of the distance",
            _interpolated(lambda r, c: np.sqrt(r**4 + c**2)),
            "You use the squared distance as r, so r² is squared again. Use √(r² + c²) with r = ‖x_j - x_i‖.",
            f"Read “{_BASIS}” again: the matrix of the system contains φ of the distance.",
            _W + "print(w(X, [0, 1], 12))   # 13/25 and -12/25: should print 0.52, -0.48",
        ),
        Misconception(
            "inverse multiquadric",
            _interpolated(lambda r, c: 1 / np.sqrt(r**2 + c**2)),
            "You use 1/√(r² + c²), the inverse multiquadric. The multiquadric is √(r² + c²). Do not invert it.",
            f"Read “{_WHICH}” again: the table of basis functions.",
            _W + "print(w([[0, 0]], [1], 4))   # φ(0) = 4: should print 0.25",
        ),
        Misconception(
            "multiplied instead of solved",
            lambda X, y, c: np.sqrt(distances(X, X) ** 2 + c**2) @ y,
            "You return Φy. The weights satisfy Φw = y, so solve this system for w.",
            f"Read “{_BASIS}” again: which letter of the system is unknown.",
            _W + "print(w([[0, 0]], [1], 5))   # φ(0) = 5: should print 0.2",
        ),
        Misconception(
            "no root",
            _interpolated(lambda r, c: r**2 + c**2),
            "You use r² + c², without the root. Its matrix is singular for many points. Use √(r² + c²).",
            f"Read “{_WHICH}” again: why r² fails, and the table of basis functions.",
            _W + "print(w([[0, 0]], [6], 3))   # φ(0) = 3: should print 2",
        ),
        Misconception(
            "c not squared",
            _interpolated(lambda r, c: np.sqrt(r**2 + c)),
            "You use √(r² + c). Both terms are squares of lengths. Write √(r² + c²).",
            f"Read “{_BASIS}” again: the example with three points.",
            _W + "print(w([[0, 0]], [2], 4))   # φ(0) = 4: should print 0.5",
        ),
        Misconception(
            "distance not squared",
            _interpolated(lambda r, c: np.sqrt(r + c**2)),
            "You use √(r + c²). Both terms are squares of lengths. Write √(r² + c²).",
            f"Read “{_BASIS}” again: the multiquadric of the example with three points.",
            _W + "print(w(X, [25, 0], 12))   # Φ contains 12 and 13, its determinant is -25: should print -12, 13",
        ),
        Misconception(
            "scaled to 1 at 0",
            _interpolated(lambda r, c: np.sqrt(1 + r**2 / c**2)),
            "You use √(1 + r²/c²), which is divided by c, so your weights are c times too large. Use √(r² + c²).",
            f"Read “{_BASIS}” again: φ(0) in the example with three points.",
            _W + "print(w([[0, 0]], [10], 4))   # φ(0) = 4: should print 2.5",
        ),
        Misconception(
            "targets centred",
            Changed(rbf_interpolate, lambda X, y, c: (X, y - np.mean(y), c)),
            "You subtract the mean of y. Here the surface passes through y itself. Solve Φw = y.",
            f"Read “{_BASIS}” again: the right side of the system.",
            _W + "print(w(X, [50, 50], 12))   # 50/(12 + 13): should print 2, 2",
        ),
        Misconception(
            "with a constant",
            _with_constant,
            "Your weights sum to 0, as with a free constant. This interpolant has no constant. Solve Φw = y.",
            f"Read “{_BASIS}” again: the system contains basis functions only.",
            _W + "print(w(X, [-25, 0], 12))   # should print 12, -13",
        ),
        Misconception(
            "Cholesky",
            None,
            "You use a Cholesky factor. The matrix of multiquadrics has n - 1 negative eigenvalues, so it has no such factor. Use np.linalg.solve.",
            f"Read “{_WHICH}” again: the signs of the eigenvalues.",
            _W + "w(X, [1, 1], 12)   # runs with np.linalg.solve\n"
            "print(np.linalg.eigvalsh([[12.0, 13], [13, 12]]))   # your Φ: should print -1, 25",
            error="leading minor|not positive definite",
        ),
        Misconception(
            "norm without axis",
            None,
            "Your Φ is singular or not a matrix, perhaps because np.linalg.norm without axis returns a single number. Φ needs a distance for each pair. Use axis=2.",
            f"Read “{_BASIS}” again: the system has a distance for each pair.",
            USE + "D = np.zeros((5, 5, 2))\nprint(np.linalg.norm(D, axis=2).shape, np.linalg.norm(D))\n"
            "print(rbf_interpolate(np.eye(2), np.ones(2), 2.0).shape)   # one weight for each point: should print 2",
            error="Singular matrix|0-dimensional",
        ),
        Misconception(
            "singular, according to SciPy",
            None,
            "SciPy reports a singular matrix. Φ of multiquadrics is not singular, but assume_a='pos' fails, and so does a norm without axis. Use np.linalg.solve and axis=2.",
            f"Read “{_WHICH}” again: the signs of the eigenvalues.",
            _W + "print(w(X, [38, 37], 12))   # Φ contains 12 and 13: should print 1, 2",
            error="singular matrix detected|Matrix is singular",
        ),
    ),
    step=f"Read “{_BASIS}” again: n equations for n weights.",
    experiment=_W + "print(w(X, [1, 0], 12))   # Φ contains 12 and 13, its determinant is -25: should print -0.48, 0.52",
    sizes=lambda X, y, c: {"n": len(y), "d": X.shape[1], "c": c},
    refused=INTERPOLATION,
    observations=(
        Observation(
            "With your weights the interpolant does not take the values y at the points.",
            lambda value, X, y, c: not np.allclose(_multiquadrics(X, y, c) @ value, y),
        ),
    ),
)  # fmt: skip


# -- 7a.2


def generalized_weights(X, y, T, sigma, lam):
    """The shortest w with (GᵀG + λG₀) w = Gᵀy."""
    return _network(gaussian(X, T, sigma), gaussian(T, T, sigma), y, lam)


def _network(G, G0, y, lam):
    A = G.T @ G + lam * G0
    if not np.isfinite(A).all():  # for example at σ = 0, where LAPACK would print a warning
        raise np.linalg.LinAlgError("there is no solution")
    return np.linalg.lstsq(A, G.T @ y, rcond=1e-12)[0]


def _penalised(penalty):
    """The mistake with another matrix instead of λG₀."""

    def wrong(X, y, T, sigma, lam):
        G, G0 = gaussian(X, T, sigma), gaussian(T, T, sigma)
        return _network(G, penalty(G, G0, lam), y, 1.0)

    return wrong


def _linear_decay(X, y, T, sigma, lam):
    G, G0 = (np.exp(-distances(A, T) / (2 * sigma**2)) for A in (X, T))
    return _network(G, G0, y, lam)


def _few(rng, sizes=((9, 2, 4), (11, 3, 5), (8, 2, 3)), lam=None):
    """Points near the centres, which are far from each other compared with σ."""
    found = []
    for n, d, m in sizes:
        T = apart(rng, m, d, least=1.3)
        sigma = float(rng.uniform(0.62, 0.8) if len(found) % 2 else rng.uniform(1.15, 1.3))
        for _ in attempts("generalized_weights"):
            X = np.concatenate([T, T[rng.integers(0, m, size=n - m)]]) + 0.45 * rng.normal(size=(n, d))
            if gaussian(X, T, sigma).max(axis=0).min() > 0.1:
                break
        penalty = float(rng.uniform(0.2, 0.5) if len(found) % 2 else rng.uniform(1.4, 2.2)) if lam is None else lam
        found.append((X, 2 * rng.normal(size=n) + rng.choice([-1.5, 1.5]), T, sigma, penalty))
    return found


def _doubled(rng):
    """One centre twice, so that the system is singular and the penalty of the function is the same.

    There are five, because a root of G₀ with its rounding errors fails on every second only.
    """
    sizes = ((10, 2, 3), (9, 3, 4), (10, 2, 3), (9, 3, 4), (10, 2, 3))
    return [(X, y, np.vstack([T, T[:1]]), sigma, lam) for X, y, T, sigma, lam in _few(rng, sizes)]


_G = USE + "def w(X, y, T, sigma=1.0, lam=0.5):\n" \
    "    X, y, T = (np.array(v, dtype=float) for v in (X, y, T))\n" \
    "    return generalized_weights(X, y, T, sigma, lam)\n"  # fmt: skip

GENERALIZED_WEIGHTS = Exercise(
    name="generalized_weights",
    chapter=CHAPTER,
    number="7a.2",
    returns="the weights w, one for each centre, shape (m,)",
    reference=generalized_weights,
    properties=(
        Property("minimises the criterion with fewer basis functions than points", 3, _few),
        Property(
            "is least squares for λ = 0",
            1,
            lambda r: _few(r, ((9, 2, 4), (10, 3, 5)), lam=0.0),
            hint="Your answer fails only for λ = 0. The system is ordinary least squares then, so do not divide by λ.",
        ),
        Property(
            "also if a centre occurs twice",
            1,
            _doubled,
            hint="Your answer fails only if two centres are equal, which makes the system singular. np.linalg.lstsq and np.linalg.pinv return "
            "the shortest of its solutions. If you take a root of G₀, first set eigenvalues below 1e-12 of the largest to 0.",
        ),
    ),
    promises=(
        Promise("have centres that are apart", lambda X, y, T, sigma, lam: _apart(np.unique(T, axis=0), 1.29), of=(0, 1, 2)),
        Promise("have points near each centre", lambda X, y, T, sigma, lam: (
            gaussian(X, T, sigma).max(axis=0).min() > 0.1), of=(0, 1, 2)),
        Promise("are far from singular", lambda X, y, T, sigma, lam: np.linalg.cond(gaussian(X, T, sigma)) < 100, of=(0, 1)),
        Promise("have λ = 0", lambda X, y, T, sigma, lam: lam == 0, of=(1,)),
        Promise("have a centre twice", lambda X, y, T, sigma, lam: len(np.unique(T, axis=0)) == len(T) - 1, of=(2,)),
    ),
    misconceptions=(
        Misconception(
            "λI instead of λG₀",
            _penalised(lambda G, G0, lam: lam * np.eye(len(G0))),
            "You penalise the weights with λI. The criterion penalises the function, λwᵀG₀w. Use λG₀.",
            f"Read “{_FEWER}” again: the criterion.",
            _G + "print(w([[0], [0]], [2, 7], [[0], [0]]))   # 9/(2 + λ), half for each of two equal centres: should print 1.8, 1.8",
        ),
        Misconception(
            "no λ",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, sigma, 0.0)),
            "You leave λ out, which is least squares. Add λG₀ to GᵀG.",
            f"Read “{_FEWER}” again: the second term of the system.",
            _G + "print(w([[0]], [1], [[0]]))   # 1/(1 + λ): should print 2/3",
        ),
        Misconception(
            "nλ instead of λ",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, sigma, len(y) * lam)),
            "You multiply λ by n. That belongs to a mean of squared errors, but here it is their sum. Use λG₀.",
            f"Read “{_FEWER}” again: the criterion.",
            _G + "print(w([[0], [0]], [1, 1], [[0]]))   # 2/(2 + λ): should print 0.8",
        ),
        Misconception(
            "2λ instead of λ",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, sigma, 2 * lam)),
            "You use 2λ. Both terms of the gradient contain a factor 2, which cancels. Use λG₀.",
            f"Read “{_FEWER}” again: the gradient of the criterion.",
            _G + "print(w([[0]], [3], [[0]]))   # 3/(1 + λ): should print 2",
        ),
        Misconception(
            "λ squared",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, sigma, lam**2)),
            "You use λ². In a stacked least-squares system, write √λ times a root of G₀, because the system squares both.",
            f"Read “{_FEWER}” again: the criterion.",
            _G + "print(w([[0]], [10], [[0]], lam=3.0))   # 10/(1 + λ): should print 2.5",
        ),
        Misconception(
            "root of λ",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, sigma, max(lam, 0.0) ** 0.5)),
            "You use √λ. It belongs in a stacked least-squares system with a root of G₀. With G₀ itself, use λ.",
            f"Read “{_FEWER}” again: the factor of G₀ in the system.",
            _G + "print(w([[0]], [9], [[0]], lam=0.25))   # 9/(1 + λ): should print 7.2",
        ),
        Misconception(
            "G₀ squared",
            _penalised(lambda G, G0, lam: lam * G0.T @ G0),
            "You use G₀ᵀG₀, which penalises the values at the centres. The penalty of the function is λwᵀG₀w. Use G₀ once.",
            f"Read “{_FEWER}” again: the second term of the criterion.",
            _G + "print(w([[0]], [1], [[0], [0]], lam=1.0).sum())   # 1/(1 + λ): should print 0.5",
        ),
        Misconception(
            "a basis function on every point",
            lambda X, y, T, sigma, lam: np.linalg.solve(gaussian(X, X, sigma) + lam * np.eye(len(y)), y),
            "You return n weights, as in kernel ridge regression. Here the basis functions are centred at the m rows of T. Return m weights.",
            f"Read “{_FEWER}” again: the shapes of G and G₀.",
            _G + "print(len(w([[0], [1], [2]], [1, 2, 3], [[0], [2]])))   # two centres: should print 2",
        ),
        Misconception(
            "predictions instead of weights",
            lambda X, y, T, sigma, lam: gaussian(X, T, sigma) @ generalized_weights(X, y, T, sigma, lam),
            "You return the values of f at the points. Return the weights w.",
            f"Read “{_FEWER}” again: what the system is solved for.",
            _G + "print(len(w([[0], [1], [2]], [1, 2, 3], [[0]])))   # one centre: should print 1",
        ),
        Misconception(
            "σ without its 2",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, sigma / np.sqrt(2), lam)),
            "You use exp(-r²/σ²). In this course the Gaussian is exp(-r²/(2σ²)). Write 2σ² in the denominator.",
            "Read “Notation” on the start page: the width of the Gaussian.",
            _G + "print(w([[1]], [1], [[0]], 1.0, 0.0))   # exp(1/2): should print 1.649",
        ),
        Misconception(
            "σ not squared",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, np.sqrt(sigma), lam)),
            "You divide by 2σ. The Gaussian is exp(-r²/(2σ²)). Square σ.",
            "Read “Notation” on the start page: the width of the Gaussian.",
            _G + "print(w([[1]], [1], [[0]], 2.0, 0.0))   # exp(1/8): should print 1.133",
        ),
        Misconception(
            "distance not squared",
            _linear_decay,
            "You use exp(-r/(2σ²)). The Gaussian is exp(-r²/(2σ²)). Square the distance.",
            "Read “Notation” on the start page: the width of the Gaussian.",
            _G + "print(w([[2]], [1], [[0]], 1.0, 0.0))   # exp(2): should print 7.389",
        ),
    ),
    step=f"Read “{_FEWER}” again: the matrix G of points and centres, the matrix G₀ of centres, and the system for w.",
    experiment=_G + "r = np.sqrt(2 * np.log(2))   # the Gaussian is 1/2 there\n"
    "print(w([[0], [0]], [1, 3], [[0]]), w([[0], [r]], [1, 0], [[0], [r]]))   # should print 1.6, and 0.75, -0.25",
    sizes=lambda X, y, T, sigma, lam: {"n": len(y), "m": len(T), "d": X.shape[1], "σ": sigma, "λ": lam},
    refused=INTERPOLATION,
)  # fmt: skip
