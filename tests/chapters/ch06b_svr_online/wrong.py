"""Wrong answers to chapter 6b that are not typed: two slips at once, and others, as students might write them."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch06b_svr_online.typed import budget_perceptron, pegasos, svr_pair
from tests.chapters.tables import Wrong, collector
from tests.chapters.typed import changed

WRONG: list[Wrong] = []
wrong = collector(WRONG)

wrong("eps_insensitive", "squared + tube of width ε")(lambda r, eps: np.maximum(np.abs(r) - eps / 2, 0) ** 2)
wrong("eps_insensitive")(lambda r, eps: np.where(np.abs(r) > eps, np.abs(r) - eps, -np.abs(r) / 2))

wrong("pegasos", "index for time")(changed(pegasos, "t, i in enumerate(order, 1):", "i in order:\n        t = i + 1"))
wrong("pegasos", "t from 2 + λ and 1/λ exchanged")(changed(pegasos, "order, 1", "order, 2", "1 / (lam * t)", "lam / t"))


@wrong("pegasos")
def batch_steps(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t in range(1, len(order) + 1):
        late = y * (X @ w) < 1
        w = (1 - 1 / t) * w + (late * y) @ X / (lam * t * len(y))
    return w


wrong("svr_pair", "half a step + ε forgotten")(
    changed(svr_pair, "slope / eta", "slope / (2 * eta)", "rise - fall", "g[i] - g[j]")
)


@wrong("svr_pair")
def soft_threshold_of_the_step(K, y, beta, C, eps, i, j):
    """As for one coordinate of a lasso."""
    g = y - K @ beta
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    t = (g[i] - g[j]) / max(eta, 1e-9)
    t = np.sign(t) * max(abs(t) - eps, 0)
    new = beta.copy()
    new[i] = np.clip(beta[i] + t, -C, C)
    new[j] = beta[j] - (new[i] - beta[i])
    return new


wrong("budget_perceptron")(  # one drawn by lot is forgotten
    changed(
        budget_perceptron,
        *("memory = []", "memory, lot = [], np.random.default_rng(0).integers"),
        *(
            "memory = memory[-budget:]",
            "if len(memory) > budget:\n                del memory[lot(len(memory))]",
        ),
    )
)
wrong("choose_eps")(lambda F, y, widths: widths[0])
