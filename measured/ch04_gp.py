"""Measurements for chapter 4: forecasts from many dates, bands on thirty points, and the cost of a process.

A cut is the first of January of a year: the model is trained on earlier data and tested on the ten following years.
Neighbouring cuts share most of their years, so eighteen cuts are two or three independent decades, not eighteen.
"""

from __future__ import annotations

import statistics
import warnings
from collections.abc import Callable
from functools import cache

import numpy as np

from benchmarks.harness import peak_megabytes
from kcourse import Gaussian, GaussianProcess, Periodic, RationalQuadratic
from kcourse.datasets import load_co2, make_sinc
from kcourse.gp.evidence import Hyper, log_evidence
from measured import Claim, Row, table
from measured.common import times

Array = np.ndarray
CUTS = tuple(range(1975, 1993))
ROUND = (50.0, 50.0, 2.0, 100.0, 1.0, 1.0, 1.0, 0.1, 0.1, 0.1)  # guessed, from nothing


@cache
def air() -> tuple[Array, Array, Array]:
    """Times, the year of each, and ppm."""
    co2 = load_co2()
    return co2.X, np.floor(co2.X[:, 0] + 1e-6).astype(int), co2.y


def process(numbers: tuple[float, ...], **how: object) -> GaussianProcess:
    """The chapter's kernel with these heights, lengths and noise."""
    trend, long, season, slow, shape, medium, years, short, months, noise = numbers
    kernel = (
        trend**2 * Gaussian(long)
        + season**2 * Gaussian(slow) * Periodic(period=1.0, sigma=shape)
        + medium**2 * RationalQuadratic(years, 1.0)
        + short**2 * Gaussian(months)
    )
    return GaussianProcess(kernel, noise_variance=noise**2, **how)


@cache
def learned(cut: int) -> tuple[Array, Array]:
    """Mean, and standard deviation of a new measurement: ten years of twelve months, learned before the cut."""
    X, year, ppm = air()
    past = year < cut
    held = [name for name in process(ROUND).fit(X[:2], ppm[:2]).theta_names_ if name.endswith(("period", "alpha"))]
    level = ppm[past].mean()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # before some dates a number ends at a bound
        gp = process(ROUND, optimize=True, fixed=held).fit(X[past], ppm[past] - level)
    mean, sd = gp.predict((cut + np.arange(120) / 12)[:, None], return_std=True, with_noise=True)
    return (mean + level).reshape(10, 12), sd.reshape(10, 12)


# ---------------------------------------------------------------- the drift forecast, and bands from past misses


@cache
def years() -> dict[int, Array]:
    """The twelve months of each year; NaN where one was not measured."""
    X, year, ppm = air()
    found = {int(y): np.full(12, np.nan) for y in np.unique(year)}
    for t, y, value in zip(X[:, 0], year, ppm, strict=True):
        found[int(y)][round(12 * (t - y))] = value
    return found


def drifting(cut: int, window: int = 10) -> Array:
    """Last year's months, and for each year ahead the mean yearly rise of the last years on top: ten years."""
    last = years()[cut - 1]
    rise = np.nanmean(last - years()[cut - 1 - window]) / window  # months that both years have
    return last + rise * np.arange(1, 11)[:, None]


def came(cut: int) -> Array:
    return np.array([years()[y] for y in range(cut, cut + 10) if y in years()])


def past_misses(cut: int, forecast: Callable[[int], Array], first: int = 1969) -> Array:
    """RMS error of the same forecast in its first, second, … tenth year, made at all earlier dates, known by now."""
    squares: list[list[Array]] = [[] for _ in range(10)]
    for earlier in range(first, cut):  # 1969 is the first date with ten years before it
        guess, then = forecast(earlier), came(earlier)
        for h in range(min(10, cut - earlier)):
            squares[h].append((then[h] - guess[h]) ** 2)
    sd = np.zeros(10)
    for h in range(10):
        # a year so far ahead that none has been judged yet: in proportion
        sd[h] = np.sqrt(np.mean(squares[h])) if squares[h] else sd[h - 1] * (h + 1) / h
    return sd[:, None] * np.ones(12)


@table("forecasts of ten years of CO₂ from the start of a year: RMSE (ppm), % outside, half width at the end (ppm)",
       over=CUTS, of="cuts", slow=True, tol=0.02)  # fmt: skip
def ch04_cuts(cut: int) -> Row:
    """Two means, learned and drift, each with two bands: the learned kernel's, and one from its own past misses."""
    row: Row = {"cut": cut}
    for name, forecast in {"learned": lambda date: learned(date)[0], "drift": drifting}.items():
        miss = came(cut) - forecast(cut)
        row[name] = float(np.sqrt(np.mean(miss**2)))
        for band, sd in {"kernel": learned(cut)[1], "past-misses": past_misses(cut, forecast)}.items():
            row[f"{name} with the {band} band: outside"] = float(100 * np.mean(np.abs(miss) > 1.96 * sd))
            row[f"{name} with the {band} band: half width"] = float(1.96 * sd[-1, -1])
    miss = came(cut) - learned(cut)[0]
    late = past_misses(cut, lambda date: learned(date)[0], first=1970)  # without the earliest forecast
    row["learned with past misses from 1970: outside"] = float(100 * np.mean(np.abs(miss) > 1.96 * late))
    for window in range(3, 10):
        row[f"drift over {window} years"] = float(np.sqrt(np.mean((came(cut) - drifting(cut, window)) ** 2)))
    return row


# ---------------------------------------------------------------- thirty points of sinc


@table("thirty points of sinc with noise 0.15, ℓ = 0.5: % inside; noise that the evidence chooses (sd)",
       draws=200, of="training sets")  # fmt: skip
def ch04_sinc(draw: int) -> Row:
    data, rng = make_sinc(n=30, noise=0.15, rng=draw), np.random.default_rng([4, draw])
    at = rng.uniform(-3, 3, (2000, 1))
    new = np.sinc(at[:, 0]) + rng.normal(scale=0.15, size=2000)
    mean, sd = GaussianProcess(Gaussian(0.5), noise_variance=0.15**2).fit(data.X, data.y).predict(at, return_std=True)

    def inside(values: Array, band: Array) -> float:
        return float(100 * np.mean(np.abs(values - mean) <= 1.96 * band))

    given = {
        "measurements in the band of the curve": inside(new, sd),
        "measurements in their own band": inside(new, np.sqrt(sd**2 + 0.15**2)),
    }
    chosen = GaussianProcess(1.0 * Gaussian(1.0), noise_variance=0.1, optimize=True).fit(data.X, data.y)
    mean, sd = chosen.predict(at, return_std=True, with_noise=True)
    return given | {
        "measurements in the learned band": inside(new, sd),
        "noise": float(np.sqrt(chosen.noise_variance_)),
    }


# ---------------------------------------------------------------- what it costs

QUERIES = 500
SETUP = """
import numpy as np
from kcourse import Gaussian, GaussianProcess
from kcourse.gp.evidence import Hyper, log_evidence
rng = np.random.default_rng(0)
X, y = rng.normal(size=({n}, 10)), rng.normal(size={n})
log_evidence(Hyper(Gaussian(3.0), 0.1), X[:50], y[:50])
"""


@table("median seconds, megabytes at the peak, d = 10", over=(500, 707, 1000, 1414, 2000, 2828, 4000), of="sizes n",
       timed=True)  # fmt: skip
def ch04_cost(n: int) -> Row:
    """A fit; one step uphill, which is log p(y) with its slope; and 500 new places, with and without a band."""
    rng = np.random.default_rng(n)
    X, y, new = rng.normal(size=(n, 10)), rng.normal(size=n), rng.normal(size=(QUERIES, 10))
    gp = GaussianProcess(Gaussian(3.0), noise_variance=0.1)
    work, hyper = np.empty((n, n)), Hyper(Gaussian(3.0), 0.1)

    def seconds(call: object) -> float:
        return statistics.median(times(call, 5 if n <= 1500 else 3))

    row = {"n": n, "fit": seconds(lambda: gp.fit(X, y))}
    row["step uphill"] = seconds(lambda: log_evidence(hyper, X, y, work=work))
    row["500 means"] = seconds(lambda: gp.predict(new))
    row["500 means and variances"] = seconds(lambda: gp.predict(new, return_std=True))
    row["MB of a fit"] = peak_megabytes(
        SETUP.format(n=n), "GaussianProcess(Gaussian(3.0), noise_variance=0.1).fit(X, y)"
    )
    row["MB of a step"] = peak_megabytes(SETUP.format(n=n), "log_evidence(Hyper(Gaussian(3.0), 0.1), X, y)")
    return row


# ---------------------------------------------------------------- and what is said of it

CLAIMS = [
    Claim(
        "past-misses-wider",
        ch04_cuts,
        less="learned with the kernel band: half width",
        than="learned with the past-misses band: half width",
        holds=18,
        unit="ppm",
    ),
    Claim(
        "past-misses-hold-more",
        ch04_cuts,
        less="learned with the past-misses band: outside",
        than="learned with the kernel band: outside",
        holds=14,
        unit="%",
    ),
    Claim(
        "band-of-the-curve",
        ch04_sinc,
        less="measurements in the band of the curve",
        than=90,
        holds=200,
        unit="%",
    ),
    Claim("noise-too-low", ch04_sinc, less="noise", than=0.15, holds=110),
    Claim(
        "learned-holds-less",
        ch04_sinc,
        less="measurements in the learned band",
        than="measurements in their own band",
        holds=140,
        unit="%",
    ),
]
