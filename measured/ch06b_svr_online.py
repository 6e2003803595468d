"""What support vector machines cost as n grows.

Points of Ripley's mixture, whose classes overlap: a fixed fraction become support vectors. The chapter reads growth off
the table, not speed.
"""

from __future__ import annotations

import numpy as np

from kcourse import SVC, Gaussian
from kcourse.svm import BudgetPerceptron, Pegasos, smo
from measured import Row, table
from measured.common import least

CENTRES = np.array([[-0.7, 0.3], [0.3, 0.3], [-0.3, 0.7], [0.4, 0.7]])  # two of each class
KERNEL, C, DEAR, BUDGET, QUERIES = Gaussian(0.3), 1.0, 1000.0, 100, 1000
STEPS = 10_000_000  # more than any of these problems wants


def drawn(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    label, bell = rng.integers(2, size=n), rng.integers(2, size=n)
    return CENTRES[2 * label + bell] + np.sqrt(0.03) * rng.standard_normal((n, 2)), 2 * label - 1


@table("least seconds of the processor, C = 1, dear 1000", over=(500, 1000, 2000, 4000, 8000), of="sizes n", timed=True)
def ch06b_cost(n: int) -> Row:
    X, y = drawn(n, n)
    queries, _ = drawn(QUERIES, 0)
    runs = 5 if n <= 2000 else 2
    K = KERNEL(X)
    model = SVC(KERNEL, C=C).fit(X, y)
    return {
        "n": n,
        "smo": least(lambda: smo(K, y, C, max_iter=STEPS), runs),
        "smo_steps": smo(K, y, C, max_iter=STEPS)[2],
        "smo_steps_dear": smo(K, y, DEAR, max_iter=STEPS)[2] if n <= 2000 else np.nan,
        "svc": least(lambda: SVC(KERNEL, C=C).fit(X, y), runs),
        "svc_dear": least(lambda: SVC(KERNEL, C=DEAR).fit(X, y), runs),
        f"predict_{QUERIES}": least(lambda: model.predict(queries), runs),
        "pegasos_pass": least(lambda: Pegasos(C=C, epochs=1).fit(X, y), runs),
        f"budget_{BUDGET}_pass": least(lambda: BudgetPerceptron(KERNEL, budget=BUDGET).fit(X, y), runs),
        "support": len(model.support_),
    }
