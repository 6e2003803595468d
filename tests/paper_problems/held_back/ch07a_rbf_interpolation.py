"""The answers of the chapter's exam problems, computed in another way."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import interpolate, linalg, optimize

from tests.paper_problems.other_ways import floats, least

__all__ = ["OTHER_WAYS"]


def distances(points: Any) -> np.ndarray:
    return np.linalg.norm(points[:, None] - points[None], axis=2)


def last_value(x: list, c: int, values: list) -> float:
    """With the vector of the singular value 0."""
    _, size, rows = np.linalg.svd(distances(floats(x)[:, None]) ** 2 + c)
    assert size[2] > 1e-9 > size[3] / size[0]
    return -float(rows[3, :3] @ values / rows[3, 3])


def counterexample(c: int) -> np.ndarray:
    """By the interpolant of SciPy: a Gaussian with the value ½ at the distance of the two points."""
    points = np.array([[0.0], [1.0]])
    width = np.sqrt(np.log(2))
    s = interpolate.RBFInterpolator(points, [c, 1.0], kernel="gaussian", epsilon=width, degree=-1)
    at = np.linspace(-1, 2, 7)
    return np.linalg.lstsq(np.exp(-((width * np.subtract.outer(at, [0.0, 1.0])) ** 2)), s(at[:, None]))[0]


def moving(n: int, d: int, c: int) -> list[float]:
    """Eigenvalues and condition numbers of the matrix of real points."""
    points = d * np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])[:n]
    Phi = np.sqrt(distances(points) ** 2 + c**2)
    values = np.linalg.eigvalsh(Phi)

    def more(lam: float) -> float:
        return np.log(np.linalg.cond(Phi + lam * np.eye(n))) - np.log(np.linalg.cond(Phi))

    assert all(more(lam) > 0 for lam in np.linspace(0, -values[0], 20)[1:-1])
    return [values[-1], values[0], np.linalg.cond(Phi), optimize.brentq(more, -values[0] * 1.01, 1e4, xtol=1e-10)]


def weighted(g: int, h: int, v: int, lam: int, y: np.ndarray) -> np.ndarray:
    G = np.array([[g, h], [h, g]])
    return least(lambda w: (y - G @ w) ** 2 @ [1, v] + lam * w @ G @ w, 2)


def green(a: int, b: int, lam: Any, y: int) -> list[float]:
    """On a fine grid: the response to a point force, and the minimum of the criterion."""
    scale = np.sqrt(b / a)
    h, half = scale / 400, 6000
    rows = np.zeros((2, 2 * half + 1))
    rows[0, 1:], rows[1] = -b / h, a * h + 2 * b / h
    force = np.zeros(2 * half + 1)
    force[half] = 1
    G = linalg.solveh_banded(rows, force)
    rows[1, half] += 1 / float(lam)
    f = linalg.solveh_banded(rows, force * y / float(lam))
    return [400 * h / np.log(G[half] / G[half + 400]), G[half], f[half]]


def omitted(x: list, y: np.ndarray) -> list[float]:
    """By an interpolant of the other two points."""
    errors = []
    for i in range(3):
        others = [j for j in range(3) if j != i]
        w = linalg.solve(distances(floats(x)[others, None]), floats(y)[others])
        errors.append(y[i] - w @ np.abs(x[i] - floats(x)[others]))
    return errors


def polygon(x: list, y: np.ndarray) -> np.ndarray:
    """From the values of SciPy's interpolant, which writes the function with a minus."""
    s = interpolate.RBFInterpolator(floats(x)[:, None], floats(y), kernel="linear", degree=0)
    at = np.array([x[0] - 1.0, *x, x[2] + 1.0])
    return np.linalg.lstsq(np.column_stack([np.abs(np.subtract.outer(at, x)), np.ones(5)]), s(at[:, None]))[0]


def settings(c: int, lam: int, eps: Any) -> list[float]:
    """By comparison with SciPy's surface."""
    points, y = np.array([[0.0, 0.0], [3.0, 1.0], [1.0, 4.0], [-2.0, 2.0]]), np.array([1.0, -2.0, 3.0, 0.5])
    s = interpolate.RBFInterpolator(points, y, kernel="multiquadric", epsilon=1 / c, smoothing=lam / c, degree=0)
    ones = np.ones((4, 1))
    A = np.block([[np.sqrt(distances(points) ** 2 + c**2) - lam * np.eye(4), ones], [ones.T, np.zeros((1, 1))]])
    w = linalg.solve(A, [*y, 0])
    at = np.array([0.3, 0.7])
    np.testing.assert_allclose(s(at[None])[0], np.sqrt(np.sum((points - at) ** 2, axis=1) + c**2) @ w[:4] + w[4])
    variance = optimize.brentq(lambda v: 1 / (2 * v) - float(eps) ** 2, 1e-3, 1e3, xtol=1e-12)
    return [1 / c, lam / c, variance]


def centres(G: np.ndarray, G0: np.ndarray, lam: int, y: np.ndarray) -> np.ndarray:
    return least(lambda w: np.sum((y - G @ w) ** 2) + lam * w @ G0 @ w, 2)


OTHER_WAYS = {
    "squares": last_value,
    "claims": counterexample,
    "moving": moving,
    "weighted": weighted,
    "green": green,
    "omitted": omitted,
    "polygon": polygon,
    "settings": settings,
    "centres": centres,
}
