"""Each named slip of chapter 6 as a student would type it."""

from __future__ import annotations

import numpy as np

from tests.chapters.student_answers import Typed, typist

TYPED: Typed = {}
typed = typist(TYPED)


# 6.1


def svm_primal(w, b, X, y, C):
    """A right answer."""
    f = X @ w + b
    m = y * f
    slack = np.maximum(0, 1 - m)
    price = C * slack.sum()
    return 0.5 * w @ w + price


typed.changes(
    "svm_primal",
    svm_primal,
    {
        "printed loss": ("1 - m", "m - 1"),
        "no half": ("0.5 * ", ""),
        "mean of the slacks": ("sum()", "mean()"),
        "b outside of the bracket": ("X @ w + b", "X @ w", "y * f", "y * f + b"),
        "bias penalised": ("w @ w", "(w @ w + b**2)"),
        "count of mistakes": ("np.maximum(0, 1 - m)", "m < 0"),
        "squared hinge": ("slack.sum()", "(slack**2).sum()"),
        "not clipped": ("np.maximum(0, 1 - m)", "1 - m"),
        "labels forgotten": ("y * f", "f"),
        "no bias in f": (" + b", ""),
        "no C": ("C * ", ""),
        "norm not squared": ("w @ w", "np.linalg.norm(w)"),
        "price on the norm": ("C * ", "", "0.5", "C * 0.5"),
        "perceptron's loss": ("1 - m", "-m"),
        "absolute value": ("np.maximum(0, 1 - m)", "np.abs(1 - m)"),
        "slacks alone": ("0.5 * w @ w + ", ""),
        "minus b": ("+ b", "- b"),
        "mistakes alone pay": ("np.maximum(0, 1 - m)", "(1 - m)[np.sign(f) != y]"),
        "distance for margin": ("y * f", "y * f / np.linalg.norm(w)"),
        "largest slack alone": ("sum()", "max()"),
    },
)


# 6.2


def bias_from_alpha(alpha, K, y, C):
    """A right answer."""
    free = (alpha > 1e-7 * C) & (alpha < C * (1 - 1e-7))
    u = K @ (alpha * y)
    each = y - u
    return np.mean(each[free])


typed.changes(
    "bias_from_alpha",
    bias_from_alpha,
    {
        "all support vectors": (" & (alpha < C * (1 - 1e-7))", ""),
        "bound ones alone": ("(alpha > 1e-7 * C) & (alpha <", "(alpha >"),
        "sign turned round": ("y - u", "u - y"),
        "1 for the label": ("y - u", "1 - u"),
        "label beside u alone": ("y - u", "1 - y * u"),
        "label beside u, and outside": ("y - u", "y * (1 - u)"),
        "all points": ("each[free]", "each"),
        "zeros taken for free": ("(alpha > 1e-7 * C) & ", ""),
        "labels forgotten in the sum": ("alpha * y", "alpha"),
        "sum for mean": ("np.mean", "np.sum"),
        "labels left out": ("y - u", "-u"),
        "first support vector": ("np.mean(each[free])", "each[alpha > 1e-7 * C][0]"),
        "half way between the classes": ("np.mean(each[free])", "-(u[y == 1].min() + u[y == -1].max()) / 2"),
        "sum over the free alone": ("alpha * y", "alpha * y * free"),
        "positive ones alone": ("alpha < C * (1 - 1e-7)", "y == 1"),
    },
)


# 6.3

typed("margin_violators", "|f| ≤ 1")(lambda f, y: np.abs(f) <= 1)
typed("margin_violators", "on the margin alone")(lambda f, y: np.isclose(y * f, 1))
typed("margin_violators", "mistakes alone")(lambda f, y: y * f < 0)
typed("margin_violators", "margin left out")(lambda f, y: 1 - y * f > 0)
typed("margin_violators", "labels forgotten")(lambda f, y: f <= 1)
typed("margin_violators", "safe ones")(lambda f, y: y * f >= 1)
typed("margin_violators", "the others")(lambda f, y: y * f > 1)
typed("margin_violators", "inside |f| < 1")(lambda f, y: (-1 < f) & (f < 1))
typed("margin_violators", "mistakes left out")(lambda f, y: (y * f > 0) & (y * f <= 1))
typed("margin_violators", "everybody")(lambda f, y: np.ones(len(f), dtype=bool))
typed("margin_violators", "slacks instead")(lambda f, y: np.maximum(0, 1 - y * f))
typed("margin_violators", "plus and minus one")(lambda f, y: np.where(y * f <= 1, 1, -1))
typed("margin_violators", "predicted positive")(lambda f, y: f > 0)
typed("margin_violators", "f ≤ y")(lambda f, y: f <= y)
typed("margin_violators", "|f - y| ≤ 1")(lambda f, y: np.abs(y - f) <= 1)


# 6.4


def smo_pair(K, y, alpha, b, C, i, j):
    """A right answer."""
    E = K @ (alpha * y) + b - y
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    if y[i] == y[j]:
        L, H = max(0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:
        L, H = max(0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    if eta <= 0 or L == H:
        return alpha.copy()
    step = y[j] * (E[i] - E[j]) / eta
    new = alpha.copy()
    new[j] = np.clip(alpha[j] + step, L, H)
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


to_the_square = ("step, L, H", "step, 0, C", " or L == H", "")

typed.changes(
    "smo_pair",
    smo_pair,
    {
        "not clipped": ("np.clip(alpha[j] + step, L, H)", "alpha[j] + step"),
        "wrong sign of the step": ("E[i] - E[j]", "E[j] - E[i]"),
        "half a step": ("/ eta", "/ eta / 2"),
        "partner without labels": ("y[i] * y[j] * ", ""),
        "partner the wrong way": ("alpha[i] + y[i]", "alpha[i] - y[i]"),
        "partner by the unclipped step": ("(alpha[j] - new[j])", "-step"),
        "clipped to [0, C] alone": to_the_square,
        "each clipped for itself": (*to_the_square, "return new", "return np.clip(new, 0, C)"),
        "clipped on one side": ("step, L, H", "step, *((L, np.inf) if y[j] > 0 else (-np.inf, H))", " or L == H", ""),
        "segment of one class": ("y[i] == y[j]", "True"),
        "segment of two classes": ("y[i] == y[j]", "False"),
        "segments exchanged": ("y[i] == y[j]", "y[i] != y[j]"),
        "targets forgotten": ("b - y", "b"),
        "labels forgotten in f": ("K @ (alpha * y)", "K @ alpha"),
        "η with a plus": ("- 2 * K[i, j]", "+ 2 * K[i, j]"),
        "η with k_ij once": ("2 * K[i, j]", "K[i, j]"),
        "not divided by η": (" / eta", ""),
        "label of the other": ("step = y[j]", "step = y[i]"),
    },
)


# 6.5


def svm_train(K, y, C, tol):
    """A right answer: the pair that violates most, until the gap is small."""
    beta, low, high = np.zeros(len(y)), np.where(y > 0, 0, -C), np.where(y > 0, C, 0)  # β = α y
    for _ in range(20_000):
        gradient = y - K @ beta
        i = np.argmax(np.where(beta < high - 1e-12 * C, gradient, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12 * C, gradient, np.inf))
        b = (gradient[i] + gradient[j]) / 2
        gap = beta @ K @ beta - beta @ y + C * np.maximum(0, y * (gradient - b)).sum()
        if gap <= tol:
            break
        slope, eta = gradient[i] - gradient[j], K[i, i] + K[j, j] - 2 * K[i, j]
        step = min(slope / eta, high[i] - beta[i], beta[j] - low[j])
        beta[i] += step
        beta[j] -= step
    alpha = y * beta
    return alpha, b


typed.changes(
    "svm_train",
    svm_train,
    {
        "no bias": ("alpha, b", "alpha, 0.0"),
        "signed multipliers": ("return alpha", "return beta"),
        "bias from all support vectors": ("alpha, b", "alpha, np.mean((y - K @ beta)[alpha > 1e-7 * C])"),
        "bias from all points": ("alpha, b", "alpha, np.mean(y - K @ beta)"),
        "bias from the largest multiplier": ("alpha, b", "alpha, (y - K @ beta)[np.argmax(alpha)]"),
        "bias from the first support vector": (  # what one point says of b wants more digits than the gap
            *("alpha, b", "alpha, (y - K @ beta)[alpha > 1e-7 * C][0]", "gap <= tol", "gap <= tol / 1000"),
        ),
        "bias without the label": (
            *("alpha, b", "alpha, np.mean((1 - K @ beta)[(alpha > 1e-7 * C) & (alpha < C * (1 - 1e-7))])"),
        ),
    },
)
typed("svm_train", "C divided by n")(lambda K, y, C, tol: svm_train(K, y, C / len(y), tol))
typed("svm_train", "C halved")(lambda K, y, C, tol: svm_train(K, y, C / 2, tol))
typed("svm_train", "λ for C")(lambda K, y, C, tol: svm_train(K, y, 1 / C, tol))
