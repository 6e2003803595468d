"""Wrong answers to chapter 6 as students write them: each named mistake, what fails one property alone, and others."""

from __future__ import annotations

import numpy as np

from tests.chapters.student_answers import Mistakes, Wrong, changed, mistakes_into, wrong_into

MISTAKES: Mistakes = {}
mistake = mistakes_into(MISTAKES)


# 6.1


def svm_primal(w, b, X, y, C):
    """A right answer."""
    f = X @ w + b
    m = y * f
    slack = np.maximum(0, 1 - m)
    price = C * slack.sum()
    return 0.5 * w @ w + price


mistake.changes(
    "svm_primal",
    svm_primal,
    {
        "half before both terms": ("0.5 * w @ w + price", "0.5 * (w @ w + price)"),
        "C before both terms": ("C * ", "", "return 0.5 * w @ w + price", "return C * (0.5 * w @ w + price)"),
        "slack divided by the norm": ("np.maximum(0, 1 - m)", "np.maximum(0, 1 - m) / np.linalg.norm(w)"),
        "printed loss": ("1 - m", "m - 1"),
        "no half": ("0.5 * ", ""),
        "mean of the slacks": ("sum()", "mean()"),
        "no C": ("C * ", ""),
        "bias penalised": ("w @ w", "(w @ w + b**2)"),
        "count of mistakes": ("np.maximum(0, 1 - m)", "m < 0"),
        "squared hinge": ("slack.sum()", "(slack**2).sum()"),
        "not clipped": ("np.maximum(0, 1 - m)", "1 - m"),
        "labels forgotten": ("y * f", "f"),
    },
)


# 6.2


def bias_from_alpha(alpha, K, y, C):
    """A right answer."""
    free = (alpha > 1e-7 * C) & (alpha < C * (1 - 1e-7))
    u = K @ (alpha * y)
    each = y - u
    return np.mean(each[free])


mistake.changes(
    "bias_from_alpha",
    bias_from_alpha,
    {
        "all support vectors": ("(alpha > 1e-7 * C) & (alpha < C * (1 - 1e-7))", "alpha > 0"),
        "bound ones alone": ("(alpha > 1e-7 * C) & (alpha <", "(alpha >"),
        "sign reversed": ("y - u", "u - y"),
        "1 for the label": ("y - u", "1 - u"),
        "label beside u alone": ("y - u", "1 - y * u"),
        "all points": ("each[free]", "each"),
        "zeros counted as free": ("(alpha > 1e-7 * C) & ", ""),
        "labels forgotten in the sum": ("alpha * y", "alpha"),
        "sum for mean": ("np.mean", "np.sum"),
        "labels left out": ("y - u", "-u"),
        "first support vector": ("np.mean(each[free])", "each[alpha > 1e-7 * C][0]"),
        "sum over the free support vectors alone": ("alpha * y", "alpha * y * free"),
    },
)


# 6.3

mistake("margin_violators", "|f| ≤ 1")(lambda f, y: np.abs(f) <= 1)
mistake("margin_violators", "on the margin line alone")(lambda f, y: np.isclose(y * f, 1))
mistake("margin_violators", "misclassified points alone")(lambda f, y: y * f < 0)
mistake("margin_violators", "margin line left out")(lambda f, y: 1 - y * f > 0)
mistake("margin_violators", "labels forgotten")(lambda f, y: f <= 1)
mistake("margin_violators", "points outside the margin")(lambda f, y: y * f >= 1)
mistake("margin_violators", "reversed")(lambda f, y: y * f > 1)
mistake("margin_violators", "inside |f| < 1")(lambda f, y: (-1 < f) & (f < 1))
mistake("margin_violators", "misclassified points left out")(lambda f, y: (y * f > 0) & (y * f <= 1))
mistake("margin_violators", "slacks returned")(lambda f, y: np.maximum(0, 1 - y * f))
mistake("margin_violators", "plus and minus one")(lambda f, y: np.where(y * f <= 1, 1, -1))
mistake("margin_violators", "f ≤ y")(lambda f, y: f <= y)


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

mistake.changes(
    "smo_pair",
    smo_pair,
    {
        "not clipped": ("np.clip(alpha[j] + step, L, H)", "alpha[j] + step"),
        "wrong sign of the step": ("E[i] - E[j]", "E[j] - E[i]"),
        "α_i without the labels": ("y[i] * y[j] * ", ""),
        "α_i by the unclipped step": ("(alpha[j] - new[j])", "-step"),
        "clipped to [0, C] alone": to_the_square,
        "cases of [L, H] exchanged": ("y[i] == y[j]", "y[i] != y[j]"),
        "targets forgotten": ("b - y", "b"),
        "labels forgotten in f": ("K @ (alpha * y)", "K @ alpha"),
        "η with a plus": ("- 2 * K[i, j]", "+ 2 * K[i, j]"),
        "not divided by η": (" / eta", ""),
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


mistake.changes(
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
mistake("svm_train", "C divided by n")(lambda K, y, C, tol: svm_train(K, y, C / len(y), tol))
mistake("svm_train", "C halved")(lambda K, y, C, tol: svm_train(K, y, C / 2, tol))
mistake("svm_train", "λ for C")(lambda K, y, C, tol: svm_train(K, y, 1 / C, tol))


RAISING: dict[str, tuple] = {}
ONLY = {
    ("bias_from_alpha", 1): changed(bias_from_alpha, "1e-7 * C", "0", "C * (1 - 1e-7)", "C"),  # compared exactly
    ("bias_from_alpha", 2): changed(bias_from_alpha, "each[free]", "each[free & (y > 0)]"),
    ("margin_violators", 1): lambda f, y: np.where(y > 0, f <= 1, f > -1),
    ("smo_pair", 1): changed(smo_pair, "max(0, alpha[i] + alpha[j] - C)", "0"),
    ("smo_pair", 2): changed(smo_pair, "min(C, C + alpha[j] - alpha[i])", "C"),
    ("smo_pair", 3): changed(smo_pair, "eta <= 0 or ", "", "/ eta", "/ max(eta, 1e-9)"),  # to the end of a line
    ("svm_train", 1): changed(  # the mean of nobody
        svm_train,
        *("gap <= tol", "gap <= tol / 1000"),
        *("alpha, b", "alpha, np.mean((y - K @ beta)[(alpha > 1e-6 * C) & (alpha < C * (1 - 1e-6))])"),
    ),
}


WRONG: list[Wrong] = []
wrong = wrong_into(WRONG)

wrong("svm_primal", "no half + half before both terms")(changed(svm_primal, "0.5 * ", "", "price = C", "price = C / 2"))
wrong("svm_primal")(changed(svm_primal, "np.maximum(0, 1 - m)", "np.logaddexp(0, -m)"))
wrong("svm_primal")(changed(svm_primal, "C * ", "-C * "))

wrong("bias_from_alpha", "labels forgotten in the sum + minus")(
    changed(bias_from_alpha, "alpha * y", "alpha", "y - u", "u - y")
)
# near the right number: the median of those that are not late, and half from each class
wrong("bias_from_alpha")(lambda alpha, K, y, C: np.median((y - K @ (alpha * y))[alpha < 0.999 * C]))
wrong("bias_from_alpha")(
    changed(bias_from_alpha, "np.mean(each[free])", "sum(np.mean(each[free & (y == s)]) for s in (1, -1)) / 2")
)

wrong("margin_violators")(lambda f, y: np.abs(y * f - 1) < 0.5)
wrong("margin_violators")(lambda f, y: np.where(y * f <= 1))  # indices
wrong("margin_violators")(lambda f, y: np.ones(len(y), dtype=bool))

wrong("smo_pair", "α_i unchanged")(changed(smo_pair, "new = alpha.copy()", "new = alpha = alpha.copy()"))
wrong("smo_pair", "label missing in the step")(changed(smo_pair, "step = y[j] * ", "step = "))
wrong("smo_pair")(changed(smo_pair, "return new", "return (alpha + new) / 2"))
wrong("smo_pair")(changed(smo_pair, "(alpha[j] - new[j])", "(alpha[j] - new[j]) / 2"))  # Σαy is changed
wrong("smo_pair")(changed(smo_pair, "np.clip(alpha[j] + step, L, H)", "alpha[j] - 3.7 * C * y[j]"))  # out of the box

wrong("svm_train", "bias with the other sign")(changed(svm_train, "alpha, b", "alpha, -b"))
# a gap that is too large, multipliers outside the box, b a little off, a sum that is not 0
wrong("svm_train")(changed(svm_train, "if gap <= tol", "if gradient[i] - gradient[j] <= tol"))
wrong("svm_train")(changed(svm_train, "gap <= tol", "gap <= tol * (gap - beta @ K @ beta / 2 + beta @ y)"))
wrong("svm_train")(lambda K, y, C, tol: svm_train(K, y, 3 * C, tol))
wrong("svm_train")(changed(svm_train, "alpha, b", "alpha, b + 0.5"))


@wrong("svm_train")
def one_at_a_time(K, y, C, tol):
    alpha = np.zeros(len(y))
    for _ in range(200):
        for i in range(len(y)):
            alpha[i] = np.clip(alpha[i] + (1 - y[i] * (K[i] @ (alpha * y))) / K[i, i], 0, C)
    return alpha, 0.0
