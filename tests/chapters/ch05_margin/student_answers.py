"""Wrong answers to chapter 5 as students write them: each named mistake, what fails one property alone, and others."""

from __future__ import annotations

import numpy as np

from tests.chapters.student_answers import Mistakes, Wrong, changed, mistakes_into, wrong_into

MISTAKES: Mistakes = {}
mistake = mistakes_into(MISTAKES)

# -- 5.1

mistake("signed_distance", "no norm")(lambda X, w, b: X @ w + b)
mistake("signed_distance", "b alone divided")(lambda X, w, b: X @ w + b / np.sqrt(w @ w))
mistake("signed_distance", "absolute value")(lambda X, w, b: np.abs(X @ w + b) / np.linalg.norm(w))
mistake("signed_distance", "norm squared")(lambda X, w, b: (X @ w + b) / (w @ w))
mistake("signed_distance", "b not divided")(lambda X, w, b: X @ w / np.linalg.norm(w) + b)
mistake("signed_distance", "b in the norm")(lambda X, w, b: (X @ w + b) / np.linalg.norm(np.append(w, b)))
mistake("signed_distance", "b with the other sign")(lambda X, w, b: (X @ w - b) / np.linalg.norm(w))
mistake("signed_distance", "b forgotten")(lambda X, w, b: X @ w / np.sqrt(np.sum(w**2)))
mistake("signed_distance", "sum of absolute values for the norm")(lambda X, w, b: (X @ w + b) / np.abs(w).sum())
mistake("signed_distance", "divided by the length of the point")(lambda X, w, b: (X @ w + b) / np.sqrt(np.sum(X**2, 1)))
mistake("signed_distance", "multiplied by the norm")(lambda X, w, b: (X @ w + b) * np.linalg.norm(w))

# -- 5.2


def canonical(w, b, X, y):
    """A right answer."""
    f = X @ w + b
    m = y * f
    scale = 1 / np.min(m)
    return scale * w, scale * b


mistake.changes(
    "canonical",
    canonical,
    {
        "w alone scaled": ("scale * b", "b"),
        "mean for the minimum": ("np.min", "np.mean"),
        "maximum for the minimum": ("np.min", "np.max"),
        "positive class alone": ("np.min(m)", "np.min(f[y == 1])"),
        "negative class alone": ("np.min(m)", "np.min(-f[y == -1])"),
        "labels forgotten": ("y * f", "f"),
        "distance for y f": ("y * f", "y * f / np.linalg.norm(w)"),
        "b left out of the margins": (" + b", ""),
        "multiplied instead of divided": ("1 / np.min", "np.min"),
    },
)

# -- 5.3


def recover_w_b(alpha, X, y):
    """A right answer."""
    s = alpha > 1e-6 * max(alpha)
    w = (alpha * y) @ X
    u = X @ w
    each = y - u
    b = np.mean(each[s])
    return w, b


mistake.changes(
    "recover_w_b",
    recover_w_b,
    {
        "wᵀx + b = 1 for each support vector": ("y - u", "1 - u"),
        "first support vector taken for positive": ("y - u", "1 - u", "np.mean(each[s])", "each[s][0]"),
        "wᵀx added to the label": ("y - u", "y + u"),
        "b summed over the support vectors": ("np.mean", "np.sum"),
        "b from all points": ("each[s]", "each"),
        "labels forgotten in w": ("alpha * y", "alpha"),
        "no b": ("np.mean(each[s])", "0.0"),
        "label beside w alone": ("y - u", "1 - y * u"),
        "halfway between the means": ("np.mean(each[s])", "-(np.mean(u[y == 1]) + np.mean(u[y == -1])) / 2"),
        "multipliers that sum to one": ("alpha * y", "alpha / np.sum(alpha) * y"),
    },
)

# -- 5.4


def dual_value(alpha, K, y):
    """A right answer."""
    v = alpha * y
    double = v @ K @ v
    return np.sum(alpha) - 0.5 * double


mistake.changes(
    "dual_value",
    dual_value,
    {
        "no half": ("0.5 * ", ""),
        "half before both terms": ("np.sum(alpha)", "0.5 * np.sum(alpha)"),
        "label of one point only": ("v @ K", "alpha @ K"),
        "labels forgotten": ("alpha * y", "alpha"),
        "no linear term": ("np.sum(alpha)", ""),
        "labels in the linear term": ("np.sum(alpha)", "np.sum(v)"),
        "diagonal only": ("v @ K @ v", "np.sum(v**2 * np.diag(K))"),
        "both factors on the columns": ("v @ K @ v", "np.sum(K * v * v)"),
        "quadratic term added": ("- 0.5", "+ 0.5"),
        "diagonal left out": ("v @ K @ v", "v @ K @ v - np.sum(v**2 * np.diag(K))"),
        "each pair once": ("@ K @", "@ np.tril(K) @"),
    },
)

# -- 5.5

mistake("margin_width", "half width")(lambda w: 1 / np.linalg.norm(w))
mistake("margin_width", "norm squared")(lambda w: 2 / (w @ w))
mistake("margin_width", "upside down")(lambda w: np.linalg.norm(w) / 2)
mistake("margin_width", "sum of absolute values for the norm")(lambda w: 2 / np.linalg.norm(w, 1))
mistake("margin_width", "largest entry for the norm")(lambda w: 2 / np.linalg.norm(w, np.inf))
mistake("margin_width", "multiplied by the norm")(lambda w: 2 * np.linalg.norm(w))

# -- 5.6


def perceptron(X, y, epochs):
    """A right answer."""
    w, b, updates = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(epochs):
        before = updates
        for x, label in zip(X, y, strict=True):
            f = w @ x + b
            if label * f <= 0:
                w = w + label * x
                b = b + label
                updates += 1
        if updates == before:
            break
    return w, b, updates


mistake.changes(
    "perceptron",
    perceptron,
    {
        "never starts": ("f <= 0", "f < 0"),
        "bias never changed": ("b + label", "b"),
        "updates where it is right": ("f <= 0", "f >= 0"),
        "label forgotten in w": ("label * x", "x"),
        "labels forgotten in w and b": ("label * x", "x", "b + label", "b + 1"),
        "margin of one": ("f <= 0", "f < 1"),
        "f = 0 is class +1": ("label * f <= 0", "label != (1 if f >= 0 else -1)"),
        "one pass": ("range(epochs)", "range(1)"),
        "test without b": ("w @ x + b", "w @ x"),
        "all at once": ("before = updates", "before, v, c = updates, w, b", "w @ x + b", "v @ x + c"),
        "f = 0 is right later on": ("label * f <= 0", "np.sign(f) == -label or not (w.any() or b)"),
    },
)

# -- 5.7


def margin_report(K, y, alpha):
    """A right answer."""
    v = alpha * y
    u = K @ v
    s = alpha > 0
    each = y - u
    b = np.mean(each[s])
    f = u + b
    m = y * f
    norm2 = v @ u
    return b, 2 / np.sqrt(norm2), np.sum(v), np.min(m), np.max(np.abs(alpha * (m - 1)))


mistake.changes(
    "margin_report",
    margin_report,
    {
        "mean of the two classes' means": ("np.mean(each[s])", "sum(np.mean(each[s & (y == k)]) for k in (1, -1)) / 2"),
        "b from all points": ("each[s]", "each"),
        "wᵀx + b = 1 for each support vector": ("y - u", "1 - u"),
        "width by the squared norm": ("np.sqrt(norm2)", "norm2"),
        "labels forgotten in the norm": ("v @ u", "alpha @ K @ alpha"),
        "Σα for the squared norm": ("v @ u", "np.sum(alpha)"),
        "labels forgotten in the balance": ("np.sum(v)", "np.sum(alpha)"),
        "labels forgotten in closest": ("np.min(m)", "np.min(f)"),
        "closest among the support vectors alone": ("np.min(m)", "np.min(m[s])"),
        "slackness without the one": ("m - 1", "m"),
        "b left out of f": ("u + b", "u"),
    },
)


RAISING: dict[str, tuple] = {}
ONLY = {
    ("signed_distance", 1): lambda X, w, b: np.squeeze((X @ w + b) / np.linalg.norm(w)),
    ("canonical", 1): changed(canonical, "np.min(m)", "np.min(m[m >= 1])"),
    ("recover_w_b", 1): changed(recover_w_b, "1e-6 * max(alpha)", "0"),
    ("perceptron", 1): changed(perceptron, "label * f <= 0", "label * f < 0 or f == 0 and X[0, 0] % 0.5"),
    ("perceptron", 2): changed(perceptron, "range(epochs)", "range(max(epochs, 60))"),
    ("margin_report", 1): changed(margin_report, "return b", "return b + 0.1 * np.sum(y[s])"),  # no mean of two means
}


WRONG: list[Wrong] = []
wrong = wrong_into(WRONG)

wrong("signed_distance", "no norm + b with the other sign")(lambda X, w, b: X @ w - b)
wrong("signed_distance")(lambda X, w, b: np.sign(X @ w + b))

wrong("canonical", "unit norm")(lambda w, b, X, y: (w / np.sqrt(w @ w), b / np.sqrt(w @ w)))
wrong("canonical")(changed(canonical, "scale * b", "2 * scale * b + 1"))

wrong("recover_w_b", "b with the other sign")(changed(recover_w_b, "w, b", "w, -b"))
wrong("recover_w_b")(changed(recover_w_b, "np.mean(each[s])", "alpha @ each"))

wrong("dual_value", "no linear term + minus")(lambda alpha, K, y: 0.5 * (alpha * y) @ K @ (alpha * y))
wrong("dual_value", "sign reversed")(changed(dual_value, "np.sum(alpha) - 0.5", "-np.sum(alpha) + 0.5"))

wrong("margin_width")(lambda w: np.sqrt(2) / np.linalg.norm(w))

wrong("perceptron", "f = 0 is class -1")(changed(perceptron, "label * f <= 0", "label != (1 if f > 0 else -1)"))
wrong("perceptron")(changed(perceptron, "zip(X, y", "zip(X[X[:, 0].argsort()], y[X[:, 0].argsort()]"))
wrong("perceptron")(changed(perceptron, "return w, b", "return w, b + 1"))
wrong("perceptron")(changed(perceptron, "updates += 1", "updates += 1\n                break"))
wrong("perceptron")(changed(perceptron, "return w, b", "return 0.1 * w, 0.1 * b"))  # a learning rate

wrong("margin_report")(changed(margin_report, "np.mean(each[s])", "each[s][0]"))  # b alone: the rest follows from it
wrong("margin_report", "half width")(changed(margin_report, "2 / np.sqrt", "1 / np.sqrt"))
wrong("margin_report")(changed(margin_report, "np.max", "np.mean"))
