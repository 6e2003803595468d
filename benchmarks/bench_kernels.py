"""Gram matrices, and what importing the library costs."""

from __future__ import annotations

import statistics
import subprocess
import sys

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel

from benchmarks.harness import Limit, Row
from kcourse import Gaussian


def rows():
    for n, d, bar in [(4000, 2, 0.5), (4000, 20, 0.5), (4000, 200, 0.85)]:
        yield Row(
            f"Gaussian Gram matrix, n = {n}, d = {d}",
            "rbf_kernel",
            bar,
            ours=lambda X: Gaussian(3.0)(X),
            theirs=lambda X: rbf_kernel(X, gamma=1 / 18),
            setup=lambda n=n, d=d: np.random.default_rng(0).normal(size=(n, d)),
            runs=9,
            memory=400,
        )
    yield Limit("import kcourse, in a fresh Python that has NumPy's files warm", "ms", 150, import_milliseconds)


def import_milliseconds() -> float:
    """Median over fresh interpreters, above what an empty one takes."""
    program = "import time; start = time.perf_counter(); import kcourse; print(time.perf_counter() - start)"
    return 1e3 * statistics.median(
        float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)
        for _ in range(9)
    )
