"""Wrong answers to chapter 6b as students write them: each named mistake, what fails one property alone, and others."""

from __future__ import annotations

import numpy as np

from tests.chapters.student_answers import Mistakes, Wrong, changed, mistakes_into, wrong_into

MISTAKES: Mistakes = {}
mistake = mistakes_into(MISTAKES)


# 6b.1

mistake("eps_insensitive", "not clipped")(lambda r, eps: abs(r) - eps)
mistake("eps_insensitive", "squared")(lambda r, eps: np.maximum(abs(r) - eps, 0) ** 2)
mistake("eps_insensitive", "one side")(lambda r, eps: np.maximum(r - eps, 0))
mistake("eps_insensitive", "jump at ε")(lambda r, eps: np.where(abs(r) > eps, abs(r), 0))
mistake("eps_insensitive", "signed")(lambda r, eps: np.sign(r) * np.maximum(abs(r) - eps, 0))
mistake("eps_insensitive", "counted")(lambda r, eps: (abs(r) > eps).astype(float))
mistake("eps_insensitive", "squared outside")(lambda r, eps: np.where(abs(r) > eps, r**2, 0))
mistake("eps_insensitive", "ε inside the absolute value")(lambda r, eps: abs(r - eps))
mistake("eps_insensitive", "no tube")(lambda r, eps: np.sqrt(r**2))


mistake("eps_insensitive", "Huber's loss")(lambda r, eps: np.where(abs(r) < eps, r**2 / 2, eps * abs(r) - eps**2 / 2))
mistake("eps_insensitive", "tube of width ε")(lambda r, eps: np.maximum(abs(r) - eps / 2, 0))


# 6b.3


def pegasos(X, y, lam, order):
    """A right answer."""
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        f = w @ X[i]
        hit = y[i] * f < 1
        push = eta * y[i] * X[i]
        shrunk = (1 - 1 / t) * w
        w = shrunk + hit * push
    return w


mistake.changes(
    "pegasos",
    pegasos,
    {
        "step 1/t": ("1 / (lam * t)", "1 / t", "1 - 1 / t", "1 - lam / t"),
        "no λ": ("1 / (lam * t)", "1 / t"),
        "no shrink": ("(1 - 1 / t) * w", "w"),
        "margin tested after the shrink": ("f = w", "f = (1 - 1 / t) * w"),
        "updates where y f ≥ 1": ("f < 1", "f >= 1"),
        "t from 2": ("order, 1", "order, 2"),
        "mistakes alone": ("f < 1", "f <= 0"),
        "label missing in the update": ("eta * y[i]", "eta"),
        "mean of all w": (
            *("w = np", "w = total = np", "return w", "return total / t"),
            *("+ hit * push", "+ hit * push\n        total = total + w"),
        ),
        "no shrink without a violation": ("shrunk + hit * push", "shrunk + push if hit else w"),
        "the new point also shrinks": ("shrunk + hit * push", "(1 - 1 / t) * (w + hit * push)"),
    },
)


# 6b.2


def svr_pair(K, y, beta, C, eps, i, j):
    """A right answer: β_i rises and β_j falls to the top of the parabola, at most to the next kink or wall."""
    g = y - K @ beta
    rise = g[i] - eps * (1 if beta[i] >= 0 else -1)
    fall = g[j] - eps * (1 if beta[j] > 0 else -1)
    slope = rise - fall
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    top = slope / eta if eta > 0 else np.inf
    up = C - beta[i] if beta[i] >= 0 else -beta[i]
    down = beta[j] + C if beta[j] <= 0 else beta[j]
    t = min(top, up, down)
    new = beta.copy()
    new[i] += t
    new[j] -= t
    return new


kink_i, kink_j = " if beta[i] >= 0 else -beta[i]", " if beta[j] <= 0 else beta[j]"

mistake.changes(
    "svr_pair",
    svr_pair,
    {
        "ε forgotten": ("rise - fall", "g[i] - g[j]"),
        "sign of ε": ("g[i] - eps", "g[i] + eps", "g[j] - eps", "g[j] + eps"),
        "2ε whatever the signs": ("rise - fall", "g[i] - g[j] - 2 * eps"),
        "sign of 0 taken for 0": (
            *("(1 if beta[i] >= 0 else -1)", "np.sign(beta[i])"),
            *("(1 if beta[j] > 0 else -1)", "np.sign(beta[j])"),
        ),
        "0 rises as if from below": ("1 if beta[i] >= 0", "1 if beta[i] > 0"),
        "0 falls as if from above": ("1 if beta[j] > 0", "1 if beta[j] >= 0"),
        "kinks passed": (kink_i, "", kink_j, ""),
        "on beyond the kink": (
            *("top = slope", "top = 0 if slope < 1e-12 else slope"),
            *("return new", "return svr_pair(K, y, new, C, eps, i, j) if t > 1e-12 else new"),
        ),
        "bounds C away": ("C - beta[i]", "C", "beta[j] + C", "C"),
        "i and j exchanged": ("g = y", "i, j = j, i\n    g = y"),
        "gradient with the other sign": ("y - K @ beta", "K @ beta - y"),
        "not clipped": ("min(top, up, down)", "top"),
    },
)


# 6b.4


def budget_perceptron(K, y, order, budget):
    """A right answer."""
    memory = []
    for i in order:
        f = sum(y[j] * K[j, i] for j in memory)
        if y[i] * f <= 0:
            memory.append(i)
            memory = memory[-budget:]
    c = np.zeros(len(y))
    for j in memory:
        c[j] += y[j]
    return c


mistake.changes(
    "budget_perceptron",
    budget_perceptron,
    {
        "never forgets": ("memory[-budget:]", "memory"),
        "one entry too many": ("-budget:", "-budget - 1 :"),
        "one entry too few": ("memory[-budget:]", "memory[1:] if len(memory) >= budget else memory"),
        "closed when full": ("if y[i]", "if len(memory) < budget and y[i]"),
        "forgets before the test": ("f = sum", "memory = memory[len(memory) // budget :]\n        f = sum"),
        "all entries of the oldest": (
            "memory[-budget:]",
            "[j for j in memory if j != memory[0]] if len(memory) > budget else memory",
        ),
        "each point once": ("if y[i]", "if i not in memory and y[i]"),
        "every point enters": ("y[i] * f <= 0", "True"),
        "memory stays empty": ("f <= 0", "f > 0"),
        "margin violations for mistakes": ("y[i] * f <= 0", "1 - y[i] * f > 0"),
        "labels missing in f": ("y[j] * K[j, i]", "K[j, i]"),
        "labels missing in c": ("c[j] += y[j]", "c[j] += 1"),
    },
)


# 6b.5


def unseen(F, y):
    """Forecasts of each width for the points of the blocks that it was trained without, (m, n)."""
    size = len(y) // F.shape[1]
    return np.hstack([F[:, b, b * size : (b + 1) * size] for b in range(F.shape[1])])


def per_block(F, y):
    return np.array([e.mean(axis=1) for e in np.split(np.abs(unseen(F, y) - y), F.shape[1], axis=1)]).T


def least(widths, errors):
    """Of equals the widest, as the sheet asks."""
    return max(w for w, e in zip(widths, errors, strict=True) if e == min(errors))


for name, errors_of in {
    "training errors": lambda F, y, w: np.abs(F - y).sum(axis=(1, 2)) - np.abs(unseen(F, y) - y).sum(axis=1),
    "blocks that alternate": lambda F, y, w: sum(abs(F[:, i % F.shape[1], i] - y[i]) for i in range(len(y))),
    "all forecasts": lambda F, y, w: np.abs(F - y).sum(axis=2).sum(axis=1),
    "mean of the models": lambda F, y, w: np.abs(F.mean(axis=1) - y).sum(axis=1),
    "its own ε-insensitive loss": lambda F, y, w: np.maximum(np.abs(unseen(F, y) - y) - w[:, None], 0).sum(axis=1),
    "squared": lambda F, y, w: np.linalg.norm(unseen(F, y) - y, axis=1),
    "signs cancel": lambda F, y, w: np.abs(np.sum(unseen(F, y) - y, axis=1)),
}.items():
    mistake("choose_eps", name)(lambda F, y, widths, of=errors_of: least(widths, of(F, y, widths)))

mistake("choose_eps", "widths sorted, errors not")(
    lambda F, y, widths: sorted(widths)[np.abs(unseen(F, y) - y).sum(axis=1).argmin()]
)
mistake("choose_eps", "mean of the choices")(lambda F, y, widths: np.mean(widths[per_block(F, y).argmin(axis=0)]))
mistake("choose_eps", "votes of the blocks")(
    lambda F, y, widths: widths[np.bincount(per_block(F, y).argmin(axis=0)).argmax()]
)
mistake("choose_eps", "its index")(lambda F, y, widths: np.abs(unseen(F, y) - y).sum(axis=1).argmin())
mistake("choose_eps", "its error")(lambda F, y, widths: np.abs(unseen(F, y) - y).mean(axis=1).min())


RAISING: dict[str, tuple] = {
    "one truth value of many": ("eps_insensitive", [lambda r, eps: max(np.abs(r) - eps, 0)]),
    "t from 0": ("pegasos", [changed(pegasos, "order, 1", "order, 0")]),
}


def the_narrowest_of_equals(F, y, widths):
    errors = np.abs(unseen(F, y) - y).mean(axis=1)
    return widths[errors == errors.min()].min()


ONLY = {
    ("eps_insensitive", 1): lambda r, eps: eps * np.maximum(np.abs(r) / eps - 1, 0),
    ("svr_pair", 1): changed(svr_pair, "else np.inf", "else 0"),  # no step without a parabola, as in 6.4
    ("pegasos", 1): changed(pegasos, "f < 1", "f <= 1"),
    ("budget_perceptron", 1): changed(budget_perceptron, "y[i] * f <= 0", "y[i] != (1 if f >= 0 else -1)"),
    ("choose_eps", 1): the_narrowest_of_equals,
}


WRONG: list[Wrong] = []
wrong = wrong_into(WRONG)

wrong("eps_insensitive", "squared + tube of width ε")(lambda r, eps: np.maximum(np.abs(r) - eps / 2, 0) ** 2)
wrong("eps_insensitive")(lambda r, eps: np.where(np.abs(r) > eps, np.abs(r) - eps, -np.abs(r) / 2))

wrong("pegasos")(changed(pegasos, "t, i in enumerate(order, 1):", "i in order:\n        t = i + 1"))
wrong("pegasos", "t from 2 + no λ")(changed(pegasos, "order, 1", "order, 2", "1 / (lam * t)", "1 / t"))
wrong("pegasos")(  # steps on all points
    changed(pegasos, "f = w @ X[i]", "f = X @ w", "y[i] * f < 1", "1", "y[i] * X[i]", "(y * (y * f < 1)) @ X / len(y)")
)

wrong("svr_pair", "gradient with the other sign + ε forgotten")(
    changed(svr_pair, "y - K @ beta", "K @ beta - y", "rise - fall", "g[i] - g[j]")
)
wrong("svr_pair")(changed(svr_pair, "slope / eta", "slope / (2 * eta)"))
wrong("svr_pair")(changed(svr_pair, "new[j] -= t", "new[j] -= t / 2"))  # Σβ is changed
wrong("svr_pair")(  # the soft threshold of one coordinate of a lasso
    changed(
        svr_pair,
        *("rise - fall", "g[i] - g[j]"),
        *("min(top, up, down)", "np.clip(np.sign(top) * max(abs(top) - eps, 0), -C - beta[i], C - beta[i])"),
    )
)

wrong("budget_perceptron")(  # a random entry is deleted
    changed(
        budget_perceptron,
        *("memory = []", "memory, lot = [], np.random.default_rng(0).integers"),
        *(
            "memory = memory[-budget:]",
            "if len(memory) > budget:\n                del memory[lot(len(memory))]",
        ),
    )
)
wrong("budget_perceptron")(changed(budget_perceptron, "y[i] * f <= 0", "f <= 0"))
wrong("budget_perceptron")(changed(budget_perceptron, "memory[-budget:]", "memory[-budget:]\n        break"))
wrong("choose_eps")(lambda F, y, widths: widths[0])
wrong("choose_eps")(lambda F, y, widths: 1.1 * widths.max())
