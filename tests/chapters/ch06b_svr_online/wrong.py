"""Wrong answers to chapter 6b that are not typed: two slips at once, and others, as students might write them."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch06b_svr_online.typed import budget_perceptron, pegasos, svr_pair
from tests.chapters.student_answers import changed
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)

wrong("eps_insensitive", "squared + tube of width ε")(lambda r, eps: np.maximum(np.abs(r) - eps / 2, 0) ** 2)
wrong("eps_insensitive")(lambda r, eps: np.where(np.abs(r) > eps, np.abs(r) - eps, -np.abs(r) / 2))

wrong("pegasos", "index for time")(changed(pegasos, "t, i in enumerate(order, 1):", "i in order:\n        t = i + 1"))
wrong("pegasos", "t from 2 + λ and 1/λ exchanged")(changed(pegasos, "order, 1", "order, 2", "1 / (lam * t)", "lam / t"))
wrong("pegasos")(  # steps on all points
    changed(pegasos, "f = w @ X[i]", "f = X @ w", "y[i] * f < 1", "1", "y[i] * X[i]", "(y * (y * f < 1)) @ X / len(y)")
)

wrong("svr_pair", "half a step + ε forgotten")(
    changed(svr_pair, "slope / eta", "slope / (2 * eta)", "rise - fall", "g[i] - g[j]")
)
wrong("svr_pair")(changed(svr_pair, "new[j] -= t", "new[j] -= t / 2"))  # Σβ is changed
wrong("svr_pair")(  # the soft threshold of one coordinate of a lasso
    changed(
        svr_pair,
        *("rise - fall", "g[i] - g[j]"),
        *("min(top, up, down)", "np.clip(np.sign(top) * max(abs(top) - eps, 0), -C - beta[i], C - beta[i])"),
    )
)

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
wrong("choose_eps")(lambda F, y, widths: 1.1 * widths.max())
