"""The answers of the chapter's exam problems, computed in another way."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from scipy import integrate, optimize
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KNeighborsRegressor

from kcourse import Gaussian, KNNRegressor, NadarayaWatson, ParzenDensity
from tests.paper_problems.other_ways import floats

__all__ = ["OTHER_WAYS"]


def between(a: int, sigma: int, p: int, q: int) -> list[float]:
    """c and m from the library's curve, whose log odds are a straight line; height and slope by differences."""
    f = NadarayaWatson(Gaussian(float(sigma))).fit([[0], [a]], [p, q]).predict
    odds = [float(np.log((f([[x]])[0] - p) / (q - f([[x]])[0]))) for x in (0.0, 1.0)]
    m = optimize.brentq(lambda x: f([[x]])[0] - (p + q) / 2, 0, a)
    return [odds[1] - odds[0], m, f([[m]])[0], (f([[m + 1e-4]])[0] - f([[m - 1e-4]])[0]) / 2e-4]


def two_means(k: int, x: list[int], y: np.ndarray) -> list[float]:
    points = floats(x)[:, None]
    return [KNNRegressor(k).fit(points, y).predict(points).mean(), y.mean()]


def end_error(m: int, v: int) -> tuple[int, float]:
    """The best k of all 21, from the rows of the library's matrix."""
    x = np.arange(21.0)[:, None]
    rows = [KNNRegressor(k).fit(x, x[:, 0]).smoother_matrix([[0.0]])[0] for k in range(1, 22)]
    errors = [(row @ (m * x[:, 0])) ** 2 + v * row @ row for row in rows]
    assert all(np.sign(errors[i + 1] - errors[i]) == (1 if i >= np.argmin(errors) else -1) for i in range(20))
    middle = [KNNRegressor(k).fit(x, x[:, 0]).smoother_matrix([[10.0]])[0] for k in range(1, 22, 2)]
    np.testing.assert_allclose([row @ x[:, 0] for row in middle], 10)
    return int(np.argmin(errors)) + 1, min(errors)


def integrated(x: list[int], sigma: int) -> list[float]:
    density = ParzenDensity(float(sigma)).fit(floats(x)[:, None])
    line = np.linspace(min(x) - 12 * sigma, max(x) + 12 * sigma, 20_001)
    p = density.density(line[:, None])
    mean = integrate.trapezoid(line * p, line)
    return [mean, integrate.trapezoid((line - mean) ** 2 * p, line)]


def left_out(r: int, s: Any, e: int) -> list[float]:
    """From a point of weight 1 among others of weight 1/s - 1 and target 0, then from r copies of all of them."""
    other = 1 / float(s) - 1
    y = e / (1 - float(s))  # so that the residual is e
    return [y, y - (r - 1) * y / ((r - 1) + r * other)]


def by_counting(na: int, nb: int, nc: int, heights: list[int]) -> float:
    """As a smoother of indicators; the weights of a class add up to its number of points times its density."""
    weights = np.repeat(floats(heights), [na, nb, nc])
    return float(np.average(np.repeat([1, 0, 0], [na, nb, nc]), weights=weights))


def refitted(k: int, x: np.ndarray, y: np.ndarray) -> float:
    said = cross_val_predict(KNeighborsRegressor(k), x[:, None], y + 0.0, cv=LeaveOneOut())
    return float(np.mean((y - said) ** 2))


def all_noises(weights: list[Any], g: list[int], gx: int, v: int) -> list[float]:
    """Over the eight signs of a noise that is plus or minus its standard deviation."""
    noises = np.sqrt(v) * floats(list(itertools.product((-1, 1), repeat=3)))
    f = np.average(floats(g) + noises, axis=1, weights=floats(weights))
    return [(f.mean() - gx) ** 2, f.var()]


def fitted_line(q: int, x: list[int], weights: list[Any], y: list[int]) -> float:
    return float(np.polyval(np.polyfit(floats(x), floats(y), 1, w=np.sqrt(floats(weights))), q))


OTHER_WAYS = {
    "two_points": between, "three_claims": two_means, "at_the_end": end_error, "spread": integrated, "copies": left_out,
    "share": by_counting, "one_more": refitted, "two_terms": all_noises, "line_at_end": fitted_line,
}  # fmt: skip
