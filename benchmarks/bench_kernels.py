"""Gram matrices, and what importing the library costs."""

from __future__ import annotations

import statistics
import subprocess
import sys
from functools import partial

import numpy as np
from sklearn.gaussian_process import kernels as gp
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel

from benchmarks.harness import Limit, Row
from kcourse import Gaussian, Laplacian, Linear, Matern, Polynomial
from kcourse.rkhs import mmd2

their_gaussian = partial(rbf_kernel, gamma=1 / 18)


def rows():
    for n, d, bar in [(4000, 2, 0.7), (4000, 20, 0.7), (4000, 200, 1.0)]:
        yield Row(
            f"Gaussian Gram matrix, n = {n}, d = {d}", "rbf_kernel", bar, Gaussian(3.0), their_gaussian,
            setup=lambda n=n, d=d: np.random.default_rng(0).normal(size=(n, d)), runs=9, memory=400,
        )  # fmt: skip
    yield Row(
        "squared MMD, n = m = 1500, d = 5", "means of three of rbf_kernel", 1.2,
        lambda XZ: mmd2(Gaussian(3.0), *XZ),
        lambda XZ: sum(f * their_gaussian(*S).mean() for f, S in ((1, XZ[:1]), (1, XZ[1:]), (-2, XZ))),
        setup=lambda: np.random.default_rng(0).normal(size=(2, 1500, 5)),
    )  # fmt: skip
    others = [
        ("linear", "linear_kernel", 1.1, Linear(), linear_kernel),
        ("cubic", "polynomial_kernel", 0.8, Polynomial(gamma=0.05, degree=3),
         lambda X: polynomial_kernel(X, gamma=0.05, coef0=1, degree=3)),
        ("Laplacian", "Matern(nu=0.5)", 1.1, Laplacian(3.0), gp.Matern(3.0, nu=0.5)),
        ("Matérn 3/2", "Matern(nu=1.5)", 1.2, Matern(1.5, 3.0), gp.Matern(3.0, nu=1.5)),
    ]  # fmt: skip
    for name, peer, bar, ours, theirs in others:
        for d in (2, 20):
            yield Row(
                f"{name} Gram matrix, n = 4000, d = {d}", peer, bar, ours, theirs,
                setup=lambda d=d: np.random.default_rng(0).normal(size=(4000, d)), runs=5, memory=400,
            )  # fmt: skip
    yield Limit("import kcourse, in a fresh Python that has NumPy's files warm", "ms", 30, import_milliseconds)


def import_milliseconds() -> float:
    """Median over fresh interpreters, above what an empty one takes."""
    program = "import time; start = time.perf_counter(); import kcourse; print(time.perf_counter() - start)"
    return 1e3 * statistics.median(
        float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)
        for _ in range(9)
    )
