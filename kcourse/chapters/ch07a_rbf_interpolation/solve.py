"""Exercises 7a.1 and 7a.3: weights of an interpolant, and of a network with fewer bells than points."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.gaussian_mistakes import gaussian, squares
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property, attempts

__all__ = ["CHAPTER", "GENERALIZED_WEIGHTS", "INTERPOLATION", "RBF_INTERPOLATE", "USE", "apart", "distances"]

CHAPTER = "ch07a_rbf_interpolation"
INTERPOLATION = ("scipy.interpolate",)  # what 7a.1 and 7a.4 replace, and the others do not need
USE = "import numpy as np\n"  # how an experiment begins
_BELL, _WHICH, _FEWER = "A bell on every point", "Which bells can be solved?", "Fewer bells than points"


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


def _bowls(phi):
    """The mistake with another function of distance and c."""
    return lambda X, y, c: _weights(phi(distances(X, X), c), y)


def _measured(length):
    """The mistake with another length of the differences."""
    return lambda X, y, c: _weights(np.sqrt(length(X[:, None] - X) ** 2 + c**2), y)


def _with_constant(X, y, c):
    n = len(y)
    A = np.ones((n + 1, n + 1))
    A[:n, :n], A[n, n] = np.sqrt(distances(X, X) ** 2 + c**2), 0.0
    return np.linalg.solve(A, np.append(y, 0.0))[:n]


def _own_bell_left_out(X, y, c):
    Phi = np.sqrt(distances(X, X) ** 2 + c**2)
    np.fill_diagonal(Phi, 0.0)
    return _weights(Phi, y)


def _spots(rng, sizes=((4, 2), (5, 3), (6, 4)), at=0.0):
    """Points that keep apart, so that every formula has digits to spare; y has a mean that is not 0.

    There are d + 2 points: without its root a multiquadric has rank d + 2, and with more would be singular.
    """
    found = []
    for n, d in sizes:
        X = apart(rng, n, d)
        c = float(rng.uniform(0.4, 0.8) if len(found) % 2 else rng.uniform(1.3, 1.8))
        found.append((X + at, rng.normal(size=n) + 2 * rng.choice([-1.0, 1.0]), c))
    return found


def apart(rng, n, d, least=0.7):
    """So many points of which no two are nearer than ``least``, nor alike in a coordinate."""
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
        Property("makes the multiquadrics pass through all points", 2, _spots),
        Property(
            "does so for a single point, too",
            1,
            lambda r: [(r.normal(size=(1, d)), r.normal(size=1) + 3, float(r.uniform(1.4, 2.5))) for d in (2, 3)],
            hint="Your answer fails only for a single point: what comes back must have shape (1,) then. A squeeze, or a "
            "list of distances without the diagonal, loses it.",
        ),
        Property(
            "does so for map coordinates, millions of units from 0",
            1,
            lambda r: _spots(r, ((4, 2),), at=np.array([5e5, 4e6])),
            hint="Your answer fails only far from the origin. Squares of large coordinates that are subtracted from each other "
            "leave no digits: take differences first, and square those.",
        ),
    ),
    promises=(
        Promise("keep apart, in every coordinate", lambda X, y, c: _apart(X, 0.69) and all(
            np.diff(np.sort(x)).min() > 0.049 for x in X.T), of=(0, 2)),
        Promise("have no more than d + 2 points", lambda X, y, c: len(X) <= X.shape[1] + 2, of=(0, 1, 2)),
        Promise("have targets with a mean that is not 0", lambda X, y, c: abs(y.mean()) > 0.05, of=(0, 1, 2)),
        Promise("have c on either side of 1", lambda found: {c > 1 for *_, c in found} == {True, False}, together=True),
        Promise("are far from the origin", lambda X, y, c: np.abs(X).min() > 1e5, of=(2,)),
    ),
    misconceptions=(
        Misconception(
            "squared distance for the distance",
            _bowls(lambda r, c: np.sqrt(r**4 + c**2)),
            "You put the squared distance in the place of r, so that r² is squared once more.",
            f"Read “{_BELL}” again: φ is a function of the distance, and (4) has the distance in it.",
            _W + "print(w(X, [0, 1], 12))   # 13/25 and -12/25: should print 0.52, -0.48",
        ),
        Misconception(
            "inverse multiquadric",
            _bowls(lambda r, c: 1 / np.sqrt(r**2 + c**2)),
            "You take one over the root: that is the inverse multiquadric, another basis.",
            f"Read “{_WHICH}” again: the table with the four functions.",
            _W + "print(w([[0, 0]], [1], 4))   # one bowl of height 4: should print 0.25",
        ),
        Misconception(
            "multiplied for solved",
            lambda X, y, c: np.sqrt(distances(X, X) ** 2 + c**2) @ y,
            "You return Φy; w is what Φ has to be multiplied with to give y, so a system must be solved.",
            f"Read “{_BELL}” again: which of the three letters in (4) is unknown.",
            _W + "print(w([[0, 0]], [1], 5))   # one bowl of height 5: should print 0.2",
        ),
        Misconception(
            "no root",
            _bowls(lambda r, c: r**2 + c**2),
            "The root is missing: r² + c² is no multiquadric, and with many points its Φ is singular.",
            f"Read “{_WHICH}” again: what was wrong with r², and the table.",
            _W + "print(w([[0, 0]], [6], 3))   # one bowl of height 3: should print 2",
        ),
        Misconception(
            "c not squared",
            _bowls(lambda r, c: np.sqrt(r**2 + c)),
            "Beneath the root stands c where c² is meant: a length must be added to a length, squared to squared.",
            f"Read “{_BELL}” again: the example with three points, where c² is given.",
            _W + "print(w([[0, 0]], [2], 4))   # one bowl of height 4: should print 0.5",
        ),
        Misconception(
            "c outside the root",
            _bowls(lambda r, c: r + c),
            "You add c to the distance; it is c² that is added to r², beneath the root, and rounds the tip of the cone.",
            f"Read “{_BELL}” again: the multiquadric of the example with three points.",
            _W + "print(w(X, [25, 0], 12))   # 12 and 13 on top, over -25: should print -12, 13",
        ),
        Misconception(
            "bowls of height 1",
            _bowls(lambda r, c: np.sqrt(1 + r**2 / c**2)),
            "Your bowls are √(1 + r²/c²), as SciPy has them but for the sign: all are divided by c, and so the weights are c times too large.",
            f"Read “{_BELL}” again: φ(0) in the example with three points.",
            _W + "print(w([[0, 0]], [10], 4))   # one bowl of height 4: should print 2.5",
        ),
        Misconception(
            "Gaussian",
            _bowls(lambda r, c: np.exp(-(r**2) / (2 * c**2))),
            "You interpolate with Gaussian bells; asked for are multiquadrics, which are bowls.",
            f"Read “{_WHICH}” again: the table with the four functions.",
            _W + "print(w([[0, 0]], [7], 2))   # one bowl of height 2: should print 3.5",
        ),
        Misconception(
            "city-block distance",
            _measured(lambda D: np.abs(D).sum(axis=2)),
            "You add up the absolute differences of the coordinates; the distance is the root of the sum of their squares.",
            f"Read “{_BELL}” again: ‖x_j - x_i‖ in (4) is the Euclidean length.",
            _W + "print(w(X, [1, 1], 12))   # 1/(12 + 13): should print 0.04, 0.04",
        ),
        Misconception(
            "largest difference for the distance",
            _measured(lambda D: np.abs(D).max(axis=2)),
            "You take the largest difference among the coordinates; all of them make the distance.",
            f"Read “{_BELL}” again: ‖x_j - x_i‖ in (4) is the Euclidean length.",
            _W + "print(w(X, [2, 2], 12))   # 2/(12 + 13): should print 0.08, 0.08",
        ),
        Misconception(
            "differences added with their signs",
            _measured(lambda D: D.sum(axis=2)),
            "You add up the differences of the coordinates with their signs, so that they cancel each other.",
            f"Read “{_BELL}” again: ‖x_j - x_i‖ in (4) is the Euclidean length.",
            _W + "print(w([[0, 0], [4, -3]], [3, 3], 12))   # 3/(12 + 13): should print 0.12, 0.12",
        ),
        Misconception(
            "first coordinate alone",
            _measured(lambda D: D[:, :, 0]),
            "You measure along the first coordinate only.",
            f"Read “{_BELL}” again: in (4) x is a point, with all its coordinates.",
            _W + "print(w([[1, 0], [0, np.sqrt(24)]], [4, 4], 12))   # 5 apart: should print 0.16, 0.16",
        ),
        Misconception(
            "own bowl left out",
            _own_bell_left_out,
            "The diagonal of your Φ is 0; there r is 0, but φ(0) is c: a point's own bowl counts at the point.",
            f"Read “{_BELL}” again: the example with three points has c on the diagonal.",
            _W + "print(w(X, [5, 5], 12))   # 5/(12 + 13): should print 0.2, 0.2",
        ),
        Misconception(
            "values for weights",
            lambda X, y, c: np.array(y),
            "You return y, what the surface is worth at the points; asked for are the weights of the bowls.",
            f"Read “{_BELL}” again: weights are no heights.",
            _W + "print(w([[0, 0]], [8], 2))   # a weight of 4 on a bowl of height 2: should print 4",
        ),
        Misconception(
            "targets centred",
            Changed(rbf_interpolate, lambda X, y, c: (X, y - np.mean(y), c)),
            "You subtract the mean of y first: a sensible habit with bells that fall to 0, but the surface asked for passes through y itself.",
            f"Read “{_BELL}” again: y stands on the right of (4) as it is.",
            _W + "print(w(X, [50, 50], 12))   # 50/(12 + 13): should print 2, 2",
        ),
        Misconception(
            "with a constant",
            _with_constant,
            "Your weights sum to 0: they belong to a surface with a free constant. The one asked for has none.",
            f"Read “{_BELL}” again: (4) has bowls only; the constant comes in a later step.",
            _W + "print(w(X, [-25, 0], 12))   # should print 12, -13",
        ),
        Misconception(
            "other sign",
            lambda X, y, c: -rbf_interpolate(X, y, c),
            "Your weights have the opposite sign: they belong to the bowl turned upside down, as SciPy has it.",
            f"Read “{_BELL}” again: φ is the root itself, without a minus.",
            _W + "print(w([[0, 0]], [9], 2))   # a bowl of height 2: should print 4.5",
        ),
        Misconception(
            "Cholesky",
            None,
            "You ask for a Cholesky factor, and only positive definite matrices have one; a multiquadric has n - 1 negative eigenvalues.",
            f"Read “{_WHICH}” again: the signs of the eigenvalues in step 6.",
            _W + "w(X, [1, 1], 12)   # runs with np.linalg.solve\n"
            "print(np.linalg.eigvalsh([[12.0, 13], [13, 12]]))   # your Φ: should print -1, 25",
            error="leading minor|not positive definite",
        ),
        Misconception(
            "norm without axis",
            None,
            "Your Φ is singular, or no matrix at all; that of multiquadrics on distinct points never is. Are its entries all alike, as "
            "np.linalg.norm makes them without axis?",
            f"Read “{_BELL}” again: (4) has a distance for each pair.",
            USE + "D = np.zeros((5, 5, 2))\nprint(np.linalg.norm(D, axis=2).shape, np.linalg.norm(D))\n"
            "print(rbf_interpolate(np.eye(2), np.ones(2), 2.0).shape)   # one weight for each point: should print 2",
            error="Singular matrix|0-dimensional",
        ),
        Misconception(
            "singular, says SciPy",
            None,
            "SciPy calls your Φ singular, which that of multiquadrics on distinct points never is; it says so also if assume_a='pos' asks for a "
            "Cholesky factor, which only positive definite matrices have. Or are all entries alike, as np.linalg.norm makes them without axis?",
            f"Read “{_WHICH}” again: the signs of the eigenvalues in step 6; and in “{_BELL}” that (4) has a distance for each pair.",
            _W + "print(w(X, [38, 37], 12))   # Φ has 12 and 13 in it, and is not singular: should print 1, 2",
            error="singular matrix detected|Matrix is singular",
        ),
    ),
    step=f"Read “{_BELL}” again: (4) is a system with n equations, and n weights are unknown.",
    experiment=_W + "print(w(X, [1, 0], 12))   # Φ has 12 and 13 in it, determinant -25: should print -0.48, 0.52",
    sizes=lambda X, y, c: {"n": len(y), "d": X.shape[1], "c": c},
    refused=INTERPOLATION,
    observations=(
        Observation(
            "The values at the points are not y: with your weights the surface misses them.",
            lambda value, X, y, c: not np.allclose(_multiquadrics(X, y, c) @ value, y),
        ),
    ),
)  # fmt: skip


# -- 7a.3


def generalized_weights(X, y, T, sigma, lam):
    """The shortest w with (GᵀG + λG₀) w = Gᵀy."""
    return _network(gaussian(X, T, sigma), gaussian(T, T, sigma), y, lam)


def _network(G, G0, y, lam):
    A = G.T @ G + lam * G0
    if not np.isfinite(A).all():  # of a width of 0, say, if somebody asks; LAPACK would print that it minds
        raise np.linalg.LinAlgError("there is no solution")
    return np.linalg.lstsq(A, G.T @ y, rcond=1e-12)[0]


def _priced(price):
    """The mistake with something else in the place of λG₀."""

    def wrong(X, y, T, sigma, lam):
        G, G0 = gaussian(X, T, sigma), gaussian(T, T, sigma)
        return _network(G, price(G, G0, lam), y, 1.0)

    return wrong


def _normalized(X, y, T, sigma, lam):
    G = gaussian(X, T, sigma)
    return _network(G / G.sum(axis=1, keepdims=True), gaussian(T, T, sigma), y, lam)


def _linear_decay(X, y, T, sigma, lam):
    G, G0 = (np.exp(-distances(A, T) / (2 * sigma**2)) for A in (X, T))
    return _network(G, G0, y, lam)


def _few(rng, sizes=((9, 2, 4), (11, 3, 5), (8, 2, 3)), lam=None):
    """Points in reach of the centres, which keep apart against the width."""
    found = []
    for n, d, m in sizes:
        T = apart(rng, m, d, least=1.3)
        sigma = float(rng.uniform(0.62, 0.8) if len(found) % 2 else rng.uniform(1.15, 1.3))
        for _ in attempts("generalized_weights"):
            X = np.concatenate([T, T[rng.integers(0, m, size=n - m)]]) + 0.45 * rng.normal(size=(n, d))
            if gaussian(X, T, sigma).max(axis=0).min() > 0.1:
                break
        price = float(rng.uniform(0.2, 0.5) if len(found) % 2 else rng.uniform(1.4, 2.2)) if lam is None else lam
        found.append((X, 2 * rng.normal(size=n) + rng.choice([-1.5, 1.5]), T, sigma, price))
    return found


def _doubled(rng):
    """One centre twice: the price of the function does not change, and the system is singular.

    Five, since a root of G₀ with its rounding errors goes wrong on every second only; of more, a hint would not say “only where”.
    """
    sizes = ((10, 2, 3), (9, 3, 4), (10, 2, 3), (9, 3, 4), (10, 2, 3))
    return [(X, y, np.vstack([T, T[:1]]), sigma, lam) for X, y, T, sigma, lam in _few(rng, sizes)]


_G = USE + "def w(X, y, T, sigma=1.0, lam=0.5):\n" \
    "    X, y, T = (np.array(v, dtype=float) for v in (X, y, T))\n" \
    "    return generalized_weights(X, y, T, sigma, lam)\n"  # fmt: skip

GENERALIZED_WEIGHTS = Exercise(
    name="generalized_weights",
    chapter=CHAPTER,
    number="7a.3",
    returns="the weights w, one for each centre, shape (m,)",
    reference=generalized_weights,
    properties=(
        Property("minimises the criterion with fewer bells than points", 3, _few),
        Property(
            "is least squares for λ = 0",
            1,
            lambda r: _few(r, ((9, 2, 4), (10, 3, 5)), lam=0.0),
            hint="Your answer fails only for λ = 0, where nothing is charged for. The system is least squares then, and there is "
            "nothing to divide by λ.",
        ),
        Property(
            "also where a centre comes twice",
            1,
            _doubled,
            hint="Your answer fails only when two centres are the same: the system is singular, and np.linalg.lstsq and np.linalg.pinv return the "
            "shortest of many solutions. In a root of G₀ the eigenvalue 0 is a rounding error of either sign, and its root is no longer small, so "
            "leave out those below 1e-12 of the largest first.",
        ),
    ),
    promises=(
        Promise("have centres that keep apart", lambda X, y, T, sigma, lam: _apart(np.unique(T, axis=0), 1.29), of=(0, 1, 2)),
        Promise("have points in reach of each centre", lambda X, y, T, sigma, lam: (
            gaussian(X, T, sigma).max(axis=0).min() > 0.1), of=(0, 1, 2)),
        Promise("are far from singular", lambda X, y, T, sigma, lam: np.linalg.cond(gaussian(X, T, sigma)) < 100, of=(0, 1)),
        Promise("have λ = 0", lambda X, y, T, sigma, lam: lam == 0, of=(1,)),
        Promise("have a centre twice", lambda X, y, T, sigma, lam: len(np.unique(T, axis=0)) == len(T) - 1, of=(2,)),
    ),
    misconceptions=(
        Misconception(
            "λI for λG₀",
            _priced(lambda G, G0, lam: lam * np.eye(len(G0))),
            "You charge for the weights, λI; the price is on the function, λG₀, from centre to centre.",
            f"Read “{_FEWER}” again: the criterion above (10), and why it is not I.",
            _G + "print(w([[0], [0]], [2, 7], [[0], [0]]))   # 9/(2 + λ), half for each of two equal centres: should print 1.8, 1.8",
        ),
        Misconception(
            "no λ",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, sigma, 0.0)),
            "λ plays no part: that is least squares, without a price on the function.",
            f"Read “{_FEWER}” again: the second term of (10).",
            _G + "print(w([[0]], [1], [[0]]))   # 1/(1 + λ): should print 2/3",
        ),
        Misconception(
            "nλ for λ",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, sigma, len(y) * lam)),
            "You multiply λ with the number of points: that belongs to a mean of squared errors, and here it is their sum.",
            f"Read “{_FEWER}” again: what stands beside λ in the criterion.",
            _G + "print(w([[0], [0]], [1, 1], [[0]]))   # 2/(2 + λ): should print 0.8",
        ),
        Misconception(
            "λ/n for λ",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, sigma, lam / len(y))),
            "You divide λ by the number of points, as if the errors had been averaged on the other side.",
            f"Read “{_FEWER}” again: the sum of squares in the criterion.",
            _G + "print(w([[0], [0]], [5, 5], [[0]]))   # 10/(2 + λ): should print 4",
        ),
        Misconception(
            "2λ for λ",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, sigma, 2 * lam)),
            "You have 2λ where λ is meant: both terms of the slope carry a 2, and it cancels.",
            f"Read “{_FEWER}” again: the line above (10).",
            _G + "print(w([[0]], [3], [[0]]))   # 3/(1 + λ): should print 2",
        ),
        Misconception(
            "λ/2 for λ",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, sigma, lam / 2)),
            "You have half of λ: the criterion carries no ½ on one of its terms only.",
            f"Read “{_FEWER}” again: the criterion above (10), and its slope.",
            _G + "print(w([[0]], [6], [[0]]))   # 6/(1 + λ): should print 4",
        ),
        Misconception(
            "λ squared",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, sigma, lam**2)),
            "Your λ comes in squared. In a stacked least-squares system the root of λ stands beside a root of G₀: the system squares both.",
            f"Read “{_FEWER}” again: the criterion above (10), where λ stands beside a square.",
            _G + "print(w([[0]], [10], [[0]], lam=3.0))   # 10/(1 + λ): should print 2.5",
        ),
        Misconception(
            "root of λ",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, sigma, max(lam, 0.0) ** 0.5)),
            "You charge with the root of λ. That belongs beside a root of G₀, in a stacked least-squares system; beside G₀ it is λ.",
            f"Read “{_FEWER}” again: (10), and what stands beside G₀ there.",
            _G + "print(w([[0]], [9], [[0]], lam=0.25))   # 9/(1 + λ): should print 7.2",
        ),
        Misconception(
            "λ subtracted",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, sigma, -lam)),
            "You subtract the price, which rewards what it should restrain. Only a negative basis wants a minus, and the Gaussian is positive.",
            f"Read “{_FEWER}” again: the sign between the two terms of (10).",
            _G + "print(w([[0]], [1], [[0]]) < 1)   # the price pulls towards 0: should print True",
        ),
        Misconception(
            "G₀ squared",
            _priced(lambda G, G0, lam: lam * G0.T @ G0),
            "Your price has G₀ᵀG₀: that charges for values at the centres. The price of the function has G₀ once.",
            f"Read “{_FEWER}” again: the second term of the criterion is a form with G₀ in its middle.",
            _G + "print(w([[0]], [1], [[0], [0]], lam=1.0).sum())   # 1/(1 + λ): should print 0.5",
        ),
        Misconception(
            "GᵀG for G₀",
            _priced(lambda G, G0, lam: lam * G.T @ G),
            "Your price has GᵀG in the place of G₀: so everything is divided by 1 + λ, and nothing is made calmer.",
            f"Read “{_FEWER}” again: which matrix goes from centre to centre.",
            _G + "print(w([[1]], [1], [[0]]))   # g/(g² + λ), g = exp(-1/2): should print 0.699",
        ),
        Misconception(
            "inverse of G₀",
            _priced(lambda G, G0, lam: lam * np.linalg.pinv(G0)),
            "Your price has the inverse of G₀: that is right for values at the centres, and these are weights.",
            f"Read “{_FEWER}” again: the second term of (10).",
            _G + "print(w([[0]], [3], [[0], [0]], lam=2.0).sum())   # 3/(1 + λ): should print 1",
        ),
        Misconception(
            "a bell on every point",
            lambda X, y, T, sigma, lam: np.linalg.solve(gaussian(X, X, sigma) + lam * np.eye(len(y)), y),
            "You return a weight for each point, ridge regression with n bells; here the bells stand on the centres T.",
            f"Read “{_FEWER}” again: the shapes of the two matrices.",
            _G + "print(len(w([[0], [1], [2]], [1, 2, 3], [[0], [2]])))   # two centres: should print 2",
        ),
        Misconception(
            "predictions for weights",
            lambda X, y, T, sigma, lam: gaussian(X, T, sigma) @ generalized_weights(X, y, T, sigma, lam),
            "You return what the network says at the points; asked for are its weights.",
            f"Read “{_FEWER}” again: what (10) is solved for.",
            _G + "print(len(w([[0], [1], [2]], [1, 2, 3], [[0]])))   # one centre: should print 1",
        ),
        Misconception(
            "σ without its 2",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, sigma / np.sqrt(2), lam)),
            "Your bell is exp(-r²/σ²); this course has 2σ² below.",
            "Read “Notation” on the start page: the width of the Gaussian.",
            _G + "print(w([[1]], [1], [[0]], 1.0, 0.0))   # exp(1/2): should print 1.649",
        ),
        Misconception(
            "σ not squared",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y, T, np.sqrt(sigma), lam)),
            "Your bell has 2σ below where 2σ² is meant.",
            "Read “Notation” on the start page: the width of the Gaussian.",
            _G + "print(w([[1]], [1], [[0]], 2.0, 0.0))   # exp(1/8): should print 1.133",
        ),
        Misconception(
            "distance not squared",
            _linear_decay,
            "Your bell has the distance above where its square is meant.",
            "Read “Notation” on the start page: the width of the Gaussian.",
            _G + "print(w([[2]], [1], [[0]], 1.0, 0.0))   # exp(2): should print 7.389",
        ),
        Misconception(
            "bells that sum to one",
            _normalized,
            "You divide the bells at each point by their sum; (10) takes them as they are.",
            f"Read “{_FEWER}” again: the entries of the n by m matrix.",
            _G + "print(w([[3]], [1], [[0]], 1.0, 0.0))   # exp(9/2): should print 90.017",
        ),
        Misconception(
            "targets centred",
            Changed(generalized_weights, lambda X, y, T, sigma, lam: (X, y - np.mean(y), T, sigma, lam)),
            "You subtract the mean of y first: a sensible habit with bells, but the weights asked for belong to y itself.",
            f"Read “{_FEWER}” again: y stands in (10) as it is.",
            _G + "print(w([[0], [0]], [1, 1], [[0]], 1.0, 0.0))   # a bell of height 1 does it: should print 1",
        ),
    ),
    step=f"Read “{_FEWER}” again: two matrices, one from points to centres and one from centre to centre, and equation (10).",
    experiment=_G + "r = np.sqrt(2 * np.log(2))   # so far off a bell is worth 1/2\n"
    "print(w([[0], [0]], [1, 3], [[0]]), w([[0], [r]], [1, 0], [[0], [r]]))   # should print 1.6, and 0.75, -0.25",
    sizes=lambda X, y, T, sigma, lam: {"n": len(y), "m": len(T), "d": X.shape[1], "σ": sigma, "λ": lam},
    refused=INTERPOLATION,
)  # fmt: skip
