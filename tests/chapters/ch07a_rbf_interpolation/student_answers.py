"""Wrong answers to chapter 7a as students write them: each named mistake, what fails one property alone, and others."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.spatial.distance import cdist

from tests.chapters.student_answers import Mistakes, Wrong, changed, mistakes_into, wrong_into

MISTAKES: Mistakes = {}
mistake = mistakes_into(MISTAKES)


# 7a.1


def rbf_interpolate(X, y, c):
    """A right answer."""
    r = cdist(X, X)
    Phi = np.sqrt(r**2 + c**2)
    return np.linalg.solve(Phi, y)


mistake.changes(
    "rbf_interpolate",
    rbf_interpolate,
    {
        "squared distance instead of the distance": ("X, X", "X, X, 'sqeuclidean'"),
        "inverse multiquadric": ("np.sqrt", "1 / np.sqrt"),
        "multiplied instead of solved": ("np.linalg.solve(Phi, y)", "Phi @ y"),
        "no root": ("np.sqrt", ""),
        "c not squared": ("c**2", "c"),
        "distance not squared": ("r**2 + c**2", "r + c**2"),
        "scaled to 1 at 0": ("r**2 + c**2", "(r / c) ** 2 + 1"),
        "targets centred": ("Phi, y", "Phi, y - y.mean()"),
        "with a constant": ("Phi, y)", "np.block([[Phi, 1 + 0 * y[:, None]], [1 + 0 * y, 0]]), [*y, 0])[:-1]"),
    },
)

# 7a.2


def generalized_weights(X, y, T, sigma, lam):
    """A right answer."""
    width, square = 2 * sigma**2, "sqeuclidean"
    G = np.exp(-cdist(X, T, square) / width)
    G0 = np.exp(-cdist(T, T, square) / width)
    A = G.T @ G + lam * G0
    return np.linalg.lstsq(A, G.T @ y, rcond=None)[0]


mistake.changes(
    "generalized_weights",
    generalized_weights,
    {
        "λI instead of λG₀": ("* G0", "* np.eye(len(T))"),
        "no λ": ("A, G.T @ y", "G, y"),
        "nλ instead of λ": ("lam *", "lam * len(X) *"),
        "2λ instead of λ": ("lam *", "2 * lam *"),
        "λ squared": ("lam *", "lam**2 *"),
        "root of λ": ("lam *", "np.sqrt(lam) *"),
        "G₀ squared": ("* G0", "* G0.T @ G0"),
        "a basis function on every point": (
            *("X, T, square", "X, X, square", "T, T, square", "X, X, square"),
            *("A, G.T @ y", "G + lam * np.eye(len(X)), y"),
        ),
        "σ without its 2": ("2 * sigma**2", "sigma**2"),
        "σ not squared": ("sigma**2", "sigma"),
        "distance not squared": ("X, T, square", "X, T", "T, T, square", "T, T"),
    },
)


# 7a.3


def thin_plate(X, y, Xq):
    """A right answer."""

    def plates(A):
        r = cdist(A, X)
        return r**2 * np.log(np.where(r > 0, r, 1))

    def plane(A):
        return np.column_stack([np.ones(len(A)), A])

    n, P = len(X), plane(X)
    corner = np.zeros(2 * P.shape[1:])
    A = np.block([[plates(X), P], [P.T, corner]])
    s = np.linalg.solve(A, np.append(y, corner[0]))
    return plates(Xq) @ s[:n] + plane(Xq) @ s[n:]


mistake.changes(
    "thin_plate",
    thin_plate,
    {
        "no polynomial": ("np.column_stack([np.ones(len(A)), A])", "np.zeros((len(A), 0))", "corner[0]", "[]"),
        "constant alone": ("len(A)), A]", "len(A))]"),
        "no constant": ("np.ones(len(A)), ", ""),
        "plane fitted first": (
            "s = np.linalg.solve(A, np.append(y, corner[0]))",
            "v = np.linalg.lstsq(P, y, rcond=None)[0]\n    s = np.append(np.linalg.solve(plates(X), y - P @ v), v)",
        ),
        "polynomial left out of the prediction": (" + plane(Xq) @ s[n:]", ""),
        "r ln r": ("r**2", "r"),
        "logarithm alone": ("r**2 * ", ""),
        "r² ln(1 + r)": ("np.where(r > 0, r, 1)", "1 + r"),
        "r³": ("np.log(np.where(r > 0, r, 1))", "r"),
        "squared distance instead of the distance": ("A, X)", "A, X, 'sqeuclidean')"),
        "weights instead of values": ("plates(Xq) @ s[:n] + plane(Xq) @ s[n:]", "s[:n]"),
    },
)


RAISING = {
    "Cholesky": (
        "rbf_interpolate",
        [
            lambda X, y, c: scipy.linalg.cho_solve(scipy.linalg.cho_factor(np.hypot(cdist(X, X), c)), y),
            changed(rbf_interpolate, "Phi, y", "np.linalg.cholesky(Phi) @ np.linalg.cholesky(Phi).T, y"),
        ],
    ),
    "singular, according to SciPy": (
        "rbf_interpolate",
        [lambda X, y, c: scipy.linalg.solve(np.full(2 * y.shape, c), y, assume_a="gen")],
    ),
    "norm without axis": (
        "rbf_interpolate",
        [
            changed(rbf_interpolate, "cdist(X, X)", "np.linalg.norm(X[:, None] - X)"),
            changed(rbf_interpolate, "cdist(X, X)", "np.array([[np.linalg.norm(X - a) for _ in X] for a in X])"),
        ],
    ),
}


def solved_plainly(X, y, T, sigma, lam):
    """Not the shortest where there are several."""
    w = generalized_weights(X, y, T, sigma, lam)
    twin = np.linalg.norm(T[:, None] - T, axis=2) + np.eye(len(T)) == 0
    if twin.any():
        i, j = np.argwhere(twin)[0]
        w[i], w[j] = w[i] + w[j], 0.0
    return w


ONLY = {
    ("thin_plate", 1): changed(  # 0 where a point meets itself in the system, and a logarithm of 0 where a query does
        thin_plate,
        *("np.where(r > 0, r, 1)", "r + (A is X) * np.eye(len(A), len(X))"),
    ),
    ("rbf_interpolate", 1): changed(rbf_interpolate, "np.linalg.solve(Phi, y)", "np.squeeze(np.linalg.solve(Phi, y))"),
    ("rbf_interpolate", 2): changed(  # squares multiplied out
        rbf_interpolate,
        "r = cdist(X, X)",
        "q = np.sum(X**2, 1)\n    r = np.maximum(q[:, None] - 2 * X @ X.T + q, 0) ** 0.5",
    ),
    ("generalized_weights", 1): changed(  # divided by λ
        generalized_weights, "    width, ", "    if lam == 0:\n        return np.zeros(len(T))\n    width, "
    ),
    ("generalized_weights", 2): solved_plainly,
}


WRONG: list[Wrong] = []
wrong = wrong_into(WRONG)

wrong("rbf_interpolate", "c not squared + targets centred")(
    changed(rbf_interpolate, "c**2", "c", "Phi, y", "Phi, y - y.mean()")
)
wrong("rbf_interpolate")(changed(rbf_interpolate, "Phi, y", "-Phi, y"))
wrong("rbf_interpolate")(changed(rbf_interpolate, "c**2)", "c**2) + 0.01 * np.eye(len(y))"))


wrong("generalized_weights", "σ without its 2 + 2λ instead of λ")(
    changed(generalized_weights, "2 * sigma**2", "sigma**2", "lam *", "2 * lam *")
)
wrong("generalized_weights", "predictions instead of weights")(
    changed(generalized_weights, "return np", "return G @ np")
)
wrong("generalized_weights")(lambda X, y, T, sigma, lam: y[cdist(T, X).argmin(axis=1)])

wrong("thin_plate", "side conditions left out")(
    changed(thin_plate, "solve(A, np.append(y, corner[0]))", "pinv(A[:n]) @ y")
)
wrong("thin_plate")(changed(thin_plate, "r**2 * np.log(np.where(r > 0, r, 1))", "np.hypot(r, 0.3)"))


@wrong("thin_plate")
def scipy_does_it(X, y, Xq):
    from scipy.interpolate import RBFInterpolator

    return RBFInterpolator(X, y)(Xq)
