"""Time support vector machines for growing n, and write the table that chapter 6 plots.

    python benchmarks/svm_cost.py                       # prints the table
    python benchmarks/svm_cost.py --write notebooks/data/ch06_cost.csv

Points of Ripley's mixture, whose classes overlap: a fixed fraction become support vectors. One BLAS thread; seconds of
the processor, the least of several runs. The chapter reads growth off the table, not speed.
"""

from __future__ import annotations

import os

from kcourse.base import threads

# before NumPy is loaded: with more threads on a shared machine the same call varies several-fold
os.environ.update(threads.settings({}))

import time
from collections.abc import Callable

import _table
import numpy as np

from kcourse import SVC, Gaussian
from kcourse.svm import BudgetPerceptron, Pegasos
from kcourse.svm import smo as textbook_smo

SIZES = (500, 1000, 2000, 4000, 8000)
CENTRES = np.array([[-0.7, 0.3], [0.3, 0.3], [-0.3, 0.7], [0.4, 0.7]])  # two of each class
KERNEL, C, DEAR, BUDGET, QUERIES = Gaussian(0.3), 1.0, 1000.0, 100, 1000


def drawn(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    label, bell = rng.integers(2, size=n), rng.integers(2, size=n)
    return CENTRES[2 * label + bell] + np.sqrt(0.03) * rng.standard_normal((n, 2)), 2 * label - 1


def seconds(call: Callable[[], object], runs: int) -> float:
    """Least processor time of ``runs`` calls after one that is not counted."""
    return min(_table.times(call, runs, time.process_time))


def smo(K: np.ndarray, y: np.ndarray, C: float) -> tuple:
    return textbook_smo(K, y, C, max_iter=10_000_000)


def row(n: int) -> tuple[float, ...]:
    X, y = drawn(n, n)
    queries, _ = drawn(QUERIES, 0)
    runs = 5 if n <= 2000 else 2
    K = KERNEL(X)
    model = SVC(KERNEL, C=C).fit(X, y)
    return (
        n,
        seconds(lambda: smo(K, y, C), runs),
        smo(K, y, C)[2],
        smo(K, y, DEAR)[2] if n <= 2000 else np.nan,
        seconds(lambda: SVC(KERNEL, C=C).fit(X, y), runs),
        seconds(lambda: SVC(KERNEL, C=DEAR).fit(X, y), runs),
        seconds(lambda: model.predict(queries), runs),
        seconds(lambda: Pegasos(C=C, epochs=1).fit(X, y), runs),
        seconds(lambda: BudgetPerceptron(KERNEL, budget=BUDGET).fit(X, y), runs),
        len(model.support_),
    )


if __name__ == "__main__":
    columns = f"n,smo,smo_steps,smo_steps_dear,svc,svc_dear,predict_{QUERIES},pegasos_pass,budget_{BUDGET}_pass,support"
    _table.main(
        __doc__, "svm_cost.py", f"least processor seconds, C = {C:g}, dear {DEAR:g}; ", columns, map(row, SIZES)
    )
