"""Measurements for chapter 4: forecasts from many dates, bands on thirty points, and the cost of a process.

A cut is the first of January of a year: the model is trained on earlier data and tested on the ten following years.
Neighbouring cuts share most of their years, so eighteen cuts are two or three independent decades, not eighteen.
"""

from __future__ import annotations

import statistics
import warnings
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
PRINTED = (66.0, 67.0, 2.4, 90.0, 1.3, 0.66, 1.2, 0.18, 0.134, 0.19)  # the book's, rounded
ROUND = (50.0, 50.0, 2.0, 100.0, 1.0, 1.0, 1.0, 0.1, 0.1, 0.1)  # guessed, from nothing
ONES = (1.0,) * 10


@cache
def air() -> tuple[Array, Array, Array]:
    """Times, the year of each, and ppm."""
    co2 = load_co2()
    return co2.X, np.floor(co2.X[:, 0] + 1e-6).astype(int), co2.y


def process(numbers: tuple[float, ...], alpha: float, **how: object) -> GaussianProcess:
    """The chapter's kernel with these heights, lengths and noise."""
    trend, long, season, slow, shape, medium, years, short, months, noise = numbers
    kernel = (
        trend**2 * Gaussian(long)
        + season**2 * Gaussian(slow) * Periodic(period=1.0, sigma=shape)
        + medium**2 * RationalQuadratic(years, alpha)
        + short**2 * Gaussian(months)
    )
    return GaussianProcess(kernel, noise_variance=noise**2, **how)


def learned(cut: int, start: tuple[float, ...], *fixed: str) -> GaussianProcess:
    """Fitted to what came before the cut; all but what is fixed climbs from ``start``."""
    X, year, ppm = air()
    past = year < cut
    names = process(start, 1.0).fit(X[:2], ppm[:2]).theta_names_
    held = [name for name in names if name.endswith(fixed)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what ends at a bound the table tells
        return process(start, 1.0, optimize=True, fixed=held).fit(X[past], ppm[past] - ppm[past].mean())


def judged(gp: GaussianProcess, cut: int) -> tuple[float, float, float, float]:
    """RMSE, per cent outside the 95 % band, mean of what came less the forecast, half width in the last month."""
    X, year, ppm = air()
    later = (year >= cut) & (year < cut + 10)
    mean, sd = gp.predict(X[later], return_std=True, with_noise=True)
    miss = ppm[later] - mean - ppm[year < cut].mean()
    outside = 100 * np.mean(np.abs(miss) > 1.96 * sd)
    return float(np.sqrt(np.mean(miss**2))), float(outside), float(miss.mean()), float(1.96 * sd[-1])


# ---------------------------------------------------------------- the arithmetic


@cache
def years() -> dict[int, Array]:
    """The twelve months of each year; NaN where one was not measured."""
    X, year, ppm = air()
    found = {int(y): np.full(12, np.nan) for y in np.unique(year)}
    for t, y, value in zip(X[:, 0], year, ppm, strict=True):
        found[int(y)][round(12 * (t - y))] = value
    return found


def drifting(cut: int, window: int) -> Array:
    """Last year's months, and each year the mean yearly rise of the last ``window`` years on top: ten years."""
    last = years()[cut - 1]
    rise = np.nanmean(last - years()[cut - 1 - window]) / window if window else 0.0  # months that both years have
    return last + rise * np.arange(1, 11)[:, None]


def came(cut: int) -> Array:
    return np.array([years()[y] for y in range(cut, cut + 10) if y in years()])


def past_misses(cut: int, window: int) -> Array:
    """RMS error of the same arithmetic in its first, second, … tenth year, made at all earlier dates, known by now."""
    squares: list[list[Array]] = [[] for _ in range(10)]
    for earlier in range(max(1966, 1959 + window), cut):  # from 1965 on no year lacks a month; of ten years: 1969
        guess, then = drifting(earlier, window), came(earlier)
        for h in range(min(10, cut - earlier)):
            squares[h].append((then[h] - guess[h]) ** 2)
    sd = np.zeros(10)
    for h in range(10):
        # a year so far ahead that none has been judged yet: in proportion
        sd[h] = np.sqrt(np.mean(squares[h])) if squares[h] else sd[h - 1] * (h + 1) / h
    return sd


@table("forecasts of ten years of CO₂ from the start of a year: RMSE (ppm), per cent outside, half width (ppm)",
       over=CUTS, of="cuts", slow=True, tol=0.02)  # fmt: skip
def ch04_cuts(cut: int) -> Row:
    """Learnt from round numbers before each cut; as printed; and the arithmetic with several windows."""
    X, year, ppm = air()
    past = year < cut
    honest, bent, low = (
        learned(cut, ROUND, "period", "alpha"), learned(cut, ROUND, "period"), learned(cut, ONES, "period", "alpha")
    )  # fmt: skip
    row: Row = {"cut": cut}
    printed = process(PRINTED, 0.78).fit(X[past], ppm[past] - ppm[past].mean())
    for name, gp in {"learned": honest, "as printed": printed, "with α learned": bent, "from ones": low}.items():
        row[name], row[f"{name}: outside"], row[f"{name}: lean"], row[f"{name}: half width"] = judged(gp, cut)
    row["α"] = float(np.exp(bent.kernel_.theta[[n.endswith("alpha") for n in bent.kernel_.theta_names]][0]))
    row["log p(y)"], row["log p(y) from ones"] = honest.log_marginal_likelihood_, low.log_marginal_likelihood_
    for window in (0, 2, 3, 5, 10):
        miss = came(cut) - drifting(cut, window)
        name = f"drift of {window} years" if window else "last year again"
        row[name] = float(np.sqrt(np.mean(miss**2)))
        sd = past_misses(cut, window)
        row[f"{name}: outside"] = float(100 * np.mean(np.abs(miss) > 1.96 * sd[:, None]))
        row[f"{name}: half width"] = float(1.96 * sd[-1])
    return row


@table("the same, learnt from the highest of five starts: round numbers, and four times each by a random factor",
       over=CUTS, of="cuts", slow=True, tol=0.02)  # fmt: skip
def ch04_starts(cut: int) -> Row:
    """The factors are exp(z) with z from N(0, 1)."""
    rng = np.random.default_rng([4, cut])
    starts = [ROUND, *(tuple(ROUND * np.exp(z)) for z in rng.normal(size=(4, 10)))]
    found = [learned(cut, start, "period", "alpha") for start in starts]
    best = max(found, key=lambda gp: gp.log_marginal_likelihood_)
    rmse, outside, _, width = judged(best, cut)
    heights = [gp.log_marginal_likelihood_ for gp in found]
    return {
        "cut": cut,
        "log p(y) of the first": heights[0],
        "log p(y) of the highest": max(heights),
        "starts that end lower": sum(height < max(heights) - 0.1 for height in heights),
        "error": rmse,
        "outside": outside,
        "half width": width,
    }


# ---------------------------------------------------------------- thirty points of sinc


@table("thirty points of sinc with noise 0.15, ℓ = 0.5: per cent inside; noise that the evidence chooses (sd)",
       draws=200, of="training sets")  # fmt: skip
def ch04_sinc(draw: int) -> Row:
    data, rng = make_sinc(n=30, noise=0.15, rng=draw), np.random.default_rng([4, draw])
    at = rng.uniform(-3, 3, (2000, 1))
    new = np.sinc(at[:, 0]) + rng.normal(scale=0.15, size=2000)
    mean, sd = GaussianProcess(Gaussian(0.5), noise_variance=0.15**2).fit(data.X, data.y).predict(at, return_std=True)

    def inside(values: Array, band: Array) -> float:
        return float(100 * np.mean(np.abs(values - mean) <= 1.96 * band))

    chosen = GaussianProcess(1.0 * Gaussian(1.0), noise_variance=0.1, optimize=True).fit(data.X, data.y)
    return {
        "measurements in the band of the curve": inside(new, sd),
        "measurements in their own band": inside(new, np.sqrt(sd**2 + 0.15**2)),
        "the curve in its band": inside(np.sinc(at[:, 0]), sd),
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


@table("fifty places a fifth apart: condition of K + jitter · I, and the relative residual of a solve",
       over=tuple(range(13)), of="length scales", timed=True)  # fmt: skip
def ch04_condition(step: int) -> Row:
    """ℓ from 0.1 to 6.3; the least eigenvalue without jitter is rounding alone from ℓ = 1 on."""
    length = 0.1 * 10 ** (0.15 * step)
    K, row = Gaussian(length)(np.linspace(0, 9.8, 50)[:, None]), {"length": length}
    for jitter in (0.0, 1e-10, 1e-6, 1e-2):
        w = np.linalg.eigvalsh(K + jitter * np.eye(50))
        row[f"jitter {jitter:g}"] = min(w[-1] / max(w[0], 1e-300), 1e17)
    try:
        np.linalg.cholesky(K)
        row["factor"] = 1
    except np.linalg.LinAlgError:
        row["factor"] = 0
    return row


# ---------------------------------------------------------------- and what is said of it

CLAIMS = [
    Claim("arithmetic-nearer", ch04_cuts, less="drift of 10 years", than="learned", holds=10, unit="ppm"),
    Claim("past-misses", ch04_cuts, less="drift of 10 years: outside", than=10, holds=18, unit="per cent"),
    Claim(
        "half-as-wide",
        ch04_cuts,
        less="learned: half width",
        than="drift of 10 years: half width",
        holds=18,
        unit="ppm",
    ),
    Claim("two-summits", ch04_cuts, less="log p(y) from ones", than="log p(y)", holds=18, unit="nats"),
    Claim(
        "higher-summit", ch04_starts, less="log p(y) of the first", than="log p(y) of the highest", holds=3, unit="nats"
    ),
    Claim(
        "band-of-the-curve",
        ch04_sinc,
        less="measurements in the band of the curve",
        than=90,
        holds=200,
        unit="per cent",
    ),
    Claim("noise-too-low", ch04_sinc, less="noise", than=0.15, holds=110),
]
