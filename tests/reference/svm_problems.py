"""Random support vector problems of every kind: does the dual solver always end, and end right?

Each seed names one problem, classification or regression: points in clusters, twice, with outliers or badly scaled,
labels balanced or not and noisy, any kernel, one C or one for each point. `faults` has what must hold of a solution:
the problem is concave, so Karush, Kuhn and Tucker's conditions prove it. test_svm_survey.py solves some in each run,
and hundreds with up to 3000 points every week.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kcourse.dual import DualSolution, KernelRows, solve_dual
from kcourse.kernels import Constant, Gaussian, Laplacian, Linear, Polynomial, Precomputed
from tests.timeouts import TooLong, limited

DATA = "round", "clustered", "repeated", "outliers", "badly scaled"
KERNELS = "linear", "polynomial", "Gaussian", "narrow", "wide", "Laplacian", "low rank"
SECONDS = 600  # of the processor: every problem ends within these
EPS = np.finfo(float).eps
ENTRY = 1e-11  # of a kernel value: what squares may lose that are expanded, in strips as in blocks (`linalg`)


@dataclass(frozen=True, eq=False)
class Problem:
    """Maximise pᵀβ - ε‖β‖₁ - ½ βᵀKβ over the box, Σβ = 0."""

    name: str
    kernel: Callable
    X: np.ndarray
    p: np.ndarray
    C: np.ndarray
    epsilon: float
    tol: float
    is_svc: bool

    @property
    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """The least and the largest β."""
        if self.is_svc:
            return np.minimum(0.0, self.C * self.p), np.maximum(0.0, self.C * self.p)
        return -self.C, self.C


def problem(seed: int, most: int = 3000) -> Problem:
    """The problem of that seed, of 2 to ``most`` points."""
    rng = np.random.default_rng(seed)
    n, d = int(np.exp(rng.uniform(np.log(2), np.log(most + 1)))), int(rng.integers(1, 12))
    data, kind, is_svc = rng.choice(DATA), rng.choice(KERNELS), bool(rng.random() < 0.65)
    X = _points(rng, data, n, d)
    p, labels = _targets(rng, X, is_svc)
    kernel = _kernel(rng, kind, X)
    if kind == "low rank":
        X = np.arange(n)[:, None]
    C = np.full(n, 10 ** rng.uniform(-3, np.log10(5e6)))
    if one_each := rng.random() < 0.25:
        C *= 10 ** rng.uniform(-1, 1, n)
    tol = 1e-3 if rng.random() < 0.5 else 10 ** rng.uniform(-10, -1)
    epsilon = 0.0 if is_svc else float(rng.choice([0.0, 0.01, 0.1, 0.5]))
    name = (
        f"{seed}: {'SVC' if is_svc else 'SVR'}, {n} points in R^{d}, {data}, {labels}, {kernel!r:.60}, C = {C[0]:.2g}"
    )
    return Problem(f"{name}{' …' * one_each}, tol = {tol:.0e}", kernel, X, p, C, epsilon, tol, is_svc)


def _points(rng, data, n, d):
    X = rng.standard_normal((n, d))
    if data == "clustered":
        k = int(rng.integers(1, 8))
        X = 3 * rng.standard_normal((k, d))[rng.integers(k, size=n)] + 10 ** rng.uniform(-4, -0.5) * X
    elif data == "repeated":
        X = X[rng.integers(n, size=n)] if rng.random() < 0.5 else np.round(X)
    elif data == "outliers":
        few = rng.integers(n, size=1 + n // 100)
        X[few] *= 10 ** rng.uniform(1, 5, (len(few), 1))
    elif data == "badly scaled":
        X = X * 10 ** rng.uniform(-3, 3, d) + 10 ** rng.uniform(-2, 2)
    return X


def _targets(rng, X, is_svc):
    n, d = X.shape
    unit = np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0)
    Z = np.clip((X - X.mean(axis=0)) / unit, -3, 3)
    value = Z @ rng.standard_normal(d) + rng.uniform(0, 2) * np.sin(2 * Z[:, 0])
    noise = float(rng.choice([0.0, 0.1, 0.3]))
    if not is_svc:
        y = 10 ** rng.uniform(-1, 1) * (value + 2 * noise * rng.standard_normal(n))
        return y, f"noise {noise:g}"
    share = float(rng.choice([0.5, 0.5, 0.1, 0.02]))
    y = np.where(value > np.quantile(value, share), 1.0, -1.0)
    y = np.where(rng.random(n) < noise, -y, y)
    y[0], y[-1] = -1.0, 1.0
    return y, f"{share:.0%} negative, {noise:.0%} flipped"


def _kernel(rng, kind, X):
    n, d = X.shape
    typical = float(np.median(np.abs(X - np.median(X, axis=0)).sum(axis=1))) or 1.0
    if kind == "linear":
        return Linear()
    if kind == "polynomial":
        return (
            Polynomial(1, 1, int(rng.integers(2, 5))) if rng.random() < 0.7 else Linear() + Constant(3.0) * Polynomial()
        )
    if kind == "low rank":
        A = rng.standard_normal((n, int(rng.integers(1, 8))))
        return Precomputed(A @ A.T)
    power = {"Gaussian": (-0.3, 0.3), "narrow": (-2, -0.5), "wide": (1, 3), "Laplacian": (-1.5, 2)}[kind]
    return (Laplacian if kind == "Laplacian" else Gaussian)(typical * 10 ** rng.uniform(*power))


def judge(p: Problem) -> list[str]:
    """Solve the problem; what is wrong with the solution."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            with limited(SECONDS):
                rows = KernelRows(p.kernel.on_points(p.X))
                solution = solve_dual(rows, p.p, *p.box, epsilon=p.epsilon, tol=p.tol)
        except TooLong:
            return ["does not end"]
    return faults(p, p.kernel(p.X), solution, str(said[0].message) if said else "")


def faults(p: Problem, K: np.ndarray, solution: DualSolution, warning: str) -> list[str]:
    """What must hold of a solution and does not: Karush, Kuhn and Tucker's conditions, up to rounding."""
    beta, (lower, upper), found = solution.beta, p.box, []
    if np.any(beta < lower) or np.any(beta > upper) or abs(beta.sum()) > 1e-11 * max(np.abs(beta).sum(), 1e-300):
        found.append(f"infeasible: Σβ = {beta.sum():.2g} of {np.abs(beta).sum():.2g}")
    f, size = p.p - K @ beta, np.abs(p.p) + np.abs(K) @ np.abs(beta)
    rise, fall = np.where(beta >= 0, p.epsilon, -p.epsilon), np.where(beta > 0, p.epsilon, -p.epsilon)
    up, lo = np.where(beta < upper, f - rise, -np.inf), np.where(beta > lower, f - fall, np.inf)
    rounding = 50 * EPS * size  # of each f_i
    gap, sure = up.max() - lo.min(), (up - rounding).max() - (lo + rounding).min()
    if gap - solution.gap > 2 * rounding.max() + ENTRY * size.max():
        found.append(f"the gap is {gap:.2g}, not {solution.gap:.2g} as it says")
    if sure > p.tol and "rounding" not in warning:
        found.append(f"gap {gap:.2g} > tol = {p.tol:.1g}, {sure:.2g} of it no rounding ({warning or 'no warning'})")
    if gap > p.tol + 2 * rounding.max() and not warning:
        found.append("no warning")
    if sure > 1e3 * p.tol and sure > 1e4 * rounding.max():
        found.append(f"gap {gap:.2g} is called rounding, which is {rounding.max():.1g}")
    return found
