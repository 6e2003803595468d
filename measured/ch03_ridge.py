"""Measurements for chapter 3: cost and accuracy of solving, and prediction errors on the crash data.

The chapter uses how the costs grow with n, not the speed. Rounding errors differ between processors in the last
digits, so the figure would also differ; the chapter verifies its statements on each computer. On the crash data and
on the diabetes data, every method selects its settings by the smallest leave-one-out error on its nine training folds.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable

import numpy as np
from scipy.linalg import cho_factor
from scipy.linalg import cho_solve as solve_by_factor

from kcourse import Gaussian, KernelRidge, Linear, loo_path
from kcourse.base.cholesky import cho_solve, cho_with_ridge
from kcourse.datasets import load_diabetes, load_mcycle, make_sinc
from measured import Claim, Row, table
from measured.common import times

D, QUERIES, LAM = 10, 500, 0.1


@table("median seconds, d = 10", over=(500, 707, 1000, 1414, 2000, 2828, 4000), of="sizes n", timed=True)
def ch03_cost(n: int) -> Row:
    rng = np.random.default_rng(n)
    X, Xq, y = rng.normal(size=(n, D)), rng.normal(size=(QUERIES, D)), rng.normal(size=n)
    kernel = Gaussian(sigma=3.0)
    K = kernel(X)
    L = cho_with_ridge(K.copy(), LAM)
    alpha = cho_solve(L, y)

    def seconds(call: Callable[[], object]) -> float:
        return statistics.median(times(call, 9 if n <= 1500 else 5, time.perf_counter))

    copying = seconds(lambda: K.copy())
    return {
        "n": n,
        "gram": seconds(lambda: kernel(X)),
        "factor": seconds(lambda: cho_with_ridge(K.copy(), LAM)) - copying,
        "solve": seconds(lambda: cho_solve(L, y)),
        f"predict_{QUERIES}": seconds(lambda: kernel(Xq, X) @ alpha),
    }


@table("relative residual of (K + λI)α = y", over=tuple(range(27)), of="penalties", timed=True)
def ch03_residuals(step: int) -> Row:
    """α by the inverse and by Cholesky's factor, where λ grows from 1e-13 to 1 by half a power of ten."""
    lam = 10.0 ** (-13 + step / 2)
    X = make_sinc(n=30, noise=0.15, rng=0).X
    y = np.sinc(X[:, 0])
    A = Gaussian(1.0)(X) + lam * np.eye(30)
    alphas = {"inverse": np.linalg.inv(A) @ y, "cholesky": solve_by_factor(cho_factor(A, lower=True), y)}
    return {"lambda": lam} | {way: float(np.linalg.norm(A @ a - y) / np.linalg.norm(y)) for way, a in alphas.items()}


# ---------------------------------------------------------------- the crash: x, y to learn from, at to predict at


def left_out(S: np.ndarray, y: np.ndarray) -> float:
    """Leave-one-out error of ŷ = Sy, where step 8 of the chapter applies; infinite where a point has none near it."""
    room = 1 - np.diag(S)
    return float(np.mean(((y - S @ y) / room) ** 2)) if room.min() > 1e-9 else math.inf


def powers(x: np.ndarray, degree: int) -> np.ndarray:
    return np.polynomial.chebyshev.chebvander((x - 30) / 27.6, degree)  # 2.4…57.6 ms to [-1, 1]


def polynomial(x: np.ndarray, y: np.ndarray, at: np.ndarray) -> np.ndarray:
    degree = min(range(21), key=lambda d: left_out(powers(x, d) @ np.linalg.pinv(powers(x, d)), y))
    return powers(at, degree) @ (np.linalg.pinv(powers(x, degree)) @ y)


def average_weights(at: np.ndarray, x: np.ndarray, sigma: float) -> np.ndarray:
    # the exponents are those of the nearest point at most, so that no sum is 0
    far = (at[:, None] - x) ** 2 / (2 * sigma**2)
    W = np.exp(far.min(axis=1, keepdims=True) - far)
    return W / W.sum(axis=1, keepdims=True)


def line_weights(at: np.ndarray, x: np.ndarray, sigma: float) -> np.ndarray:
    """Of the line that fits best near each point, by the same weights: its height there."""
    W, away = average_weights(at, x, sigma), x - at[:, None]
    first, second = (W * away).sum(axis=1, keepdims=True), (W * away**2).sum(axis=1, keepdims=True)
    return W * (second - first * away) / (second - first**2)


def local(weights: Callable[..., np.ndarray], widths: np.ndarray) -> Callable[..., np.ndarray]:
    def recipe(x: np.ndarray, y: np.ndarray, at: np.ndarray) -> np.ndarray:
        sigma = min(widths, key=lambda s: left_out(weights(x, x, s), y))
        return weights(at, x, sigma) @ y

    return recipe


def spline(x: np.ndarray, y: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The smoothing spline as kernel ridge: the kernel ∫(s - u)₊(t - u)₊ du, and a line that is not penalised."""

    def kernel(s: np.ndarray, t: np.ndarray) -> np.ndarray:
        low = np.minimum(s[:, None], t)
        return low**2 * (3 * np.maximum(s[:, None], t) - low) / 6

    def line(t: np.ndarray) -> np.ndarray:
        return np.column_stack([np.ones_like(t), t])

    Q = np.linalg.qr(line(x), mode="complete")[0][:, 2:]  # orthogonal to all lines
    mu, U = np.linalg.eigh(Q.T @ kernel(x, x) @ Q)
    V = Q @ U
    Vy, mu = V.T @ y, mu.clip(min=0)

    def error(lam: float) -> float:
        keep = lam / (mu + lam)  # what is left of each direction: the residual
        return float(np.mean((V @ (keep * Vy) / (V**2 @ keep)) ** 2))

    lam = min(PENALTIES_OF_SPLINES, key=error)
    alpha = V @ (Vy / (mu + lam))
    slope = np.linalg.lstsq(line(x), y - kernel(x, x) @ alpha - lam * alpha, rcond=None)[0]
    return kernel(at, x) @ alpha + line(at) @ slope


def ridge(x: np.ndarray, y: np.ndarray, at: np.ndarray) -> np.ndarray:
    X, paths = x[:, None], {s: loo_path(Gaussian(s)(x[:, None]), y, RIDGE_LAMS) for s in RIDGE_SIGMAS}
    sigma = min(paths, key=lambda s: paths[s].mse.min())
    return KernelRidge(Gaussian(sigma), lam=paths[sigma].best_lam).fit(X, y).predict(at[:, None])


PENALTIES_OF_SPLINES = np.logspace(-2, 5, 57)
RIDGE_SIGMAS, RIDGE_LAMS = np.logspace(-0.3, 1.3, 33), np.logspace(-3, 2, 41)
RECIPES: dict[str, Callable[..., np.ndarray]] = {
    "polynomial": polynomial,
    "window": local(average_weights, np.arange(0.5, 5, 0.05)),
    "local line": local(line_weights, np.arange(0.5, 5, 0.05)),
    "smoothing spline": spline,
    "kernel ridge": ridge,
}


@table("mean squared error (g²), ten folds of whole times; inside: without the first and the last time", 20,
       of="partitions into folds")  # fmt: skip
def ch03_crash(draw: int) -> Row:
    crash = load_mcycle()
    x, y = crash.X[:, 0], crash.y
    times = np.unique(x)
    fold = (np.random.default_rng(draw).permutation(len(times)) % 10)[np.searchsorted(times, x)]
    squared = {name: np.empty(len(y)) for name in RECIPES}
    for name, recipe in RECIPES.items():
        for k in range(10):
            learn, judge = fold != k, fold == k
            squared[name][judge] = (y[judge] - recipe(x[learn], y[learn], x[judge])) ** 2
    row = {name: float(errors.mean()) for name, errors in squared.items()}
    row["best rival"] = min(error for name, error in row.items() if name != "kernel ridge")
    row["polynomial inside"] = float(squared["polynomial"][(x > x.min()) & (x < x.max())].mean())
    # paired, time by time: measurements at one time are not independent of each other
    lag = squared["smoothing spline"] - squared["kernel ridge"]
    by_time = np.array([(lag[x == t] - lag.mean()).sum() for t in times])
    return row | {"spline behind": float(lag.mean()), "2 s.e.": 2 * float(np.sqrt(np.sum(by_time**2)) / len(y))}


# ---------------------------------------------------------------- the patients: is a curve better than a plane?

PATIENT_LAMS = np.logspace(-1, 4, 21)
PATIENT_KERNELS = {"linear": [Linear()], "Gaussian": [Gaussian(sigma) for sigma in (2, 4, 8, 16, 32)]}


@table("mean squared error of the progression score, ten folds; ahead: of the Gaussian, patient by patient", 20,
       of="partitions into folds")  # fmt: skip
def ch03_patients(draw: int) -> Row:
    X, y = load_diabetes(return_X_y=True)
    fold = np.random.default_rng(draw).permutation(len(y)) % 10
    squared = {name: np.empty(len(y)) for name in ("mean", *PATIENT_KERNELS)}
    for k in range(10):
        learn, judge = fold != k, fold == k
        Z, mean = (X - X[learn].mean(axis=0)) / X[learn].std(axis=0), y[learn].mean()
        squared["mean"][judge] = (y[judge] - mean) ** 2
        for name, kernels in PATIENT_KERNELS.items():
            paths = [loo_path(kernel(Z[learn]), y[learn] - mean, PATIENT_LAMS) for kernel in kernels]
            best = min(range(len(paths)), key=lambda i: paths[i].mse.min())
            model = KernelRidge(kernels[best], lam=paths[best].best_lam).fit(Z[learn], y[learn] - mean)
            squared[name][judge] = (y[judge] - mean - model.predict(Z[judge])) ** 2
    ahead = squared["linear"] - squared["Gaussian"]
    row = {name: float(errors.mean()) for name, errors in squared.items()}
    return row | {"ahead": float(ahead.mean()), "2 s.e.": 2 * float(ahead.std() / np.sqrt(len(y)))}


# ---------------------------------------------------------------- how far one draw of 30 points can be trusted


@table("the penalty that leave-one-out chooses, 30 points of sinc, σ = 0.5", 1000, of="draws of the points")
def ch03_penalty(draw: int) -> Row:
    """The ratio of the chosen penalty to the one that is best for the true curve."""
    sinc, lams, t = make_sinc(n=30, noise=0.15, rng=draw), np.logspace(-5, 2, 57), np.arange(-3, 3, 0.05)
    kernel = Gaussian(0.5)
    K, Kt = kernel(sinc.X), kernel(t[:, None], sinc.X)
    path = loo_path(K, sinc.y, lams)
    off = [np.mean((Kt @ np.linalg.solve(K + v * np.eye(30), sinc.y) - np.sinc(t)) ** 2) for v in lams]
    ratio = path.best_lam / lams[np.argmin(off)]
    return {"ratio": float(ratio), "nearness": float(min(ratio, 1 / ratio))}


# ---------------------------------------------------------------- and what is said of it

CLAIMS = [
    Claim("ridge-is-best", ch03_crash, less="kernel ridge", than="best rival", holds=20, unit="g²"),
    Claim("spline-is-near", ch03_crash, less="spline behind", than="2 s.e.", holds=14, unit="g²"),
    Claim("ends-cost-polynomials", ch03_crash, less="polynomial inside", than="polynomial", holds=19, unit="g²"),
    Claim("penalty-is-uncertain", ch03_penalty, less="nearness", than=0.5, holds=450),
    Claim("gaussian-is-better", ch03_patients, less="Gaussian", than="linear", holds=18),
    Claim("gain-is-noise", ch03_patients, less="ahead", than="2 s.e.", holds=18),
]
