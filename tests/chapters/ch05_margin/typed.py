"""Each named slip of chapter 5 as a student would type it."""

from __future__ import annotations

import numpy as np

from tests.chapters.typed import Typed, typist

TYPED: Typed = {}
typed = typist(TYPED)

# -- 5.1

typed("signed_distance", "no norm")(lambda X, w, b: X @ w + b)
typed("signed_distance", "b alone divided")(lambda X, w, b: X @ w + b / np.sqrt(w @ w))
typed("signed_distance", "absolute value")(lambda X, w, b: np.abs(X @ w + b) / np.linalg.norm(w))
typed("signed_distance", "norm squared")(lambda X, w, b: (X @ w + b) / (w @ w))
typed("signed_distance", "b not divided")(lambda X, w, b: X @ w / np.linalg.norm(w) + b)
typed("signed_distance", "b in the norm")(lambda X, w, b: (X @ w + b) / np.linalg.norm(np.append(w, b)))
typed("signed_distance", "b with the other sign")(lambda X, w, b: (X @ w - b) / np.linalg.norm(w))
typed("signed_distance", "b forgotten")(lambda X, w, b: X @ w / np.sqrt(np.sum(w**2)))
typed("signed_distance", "sum of absolute values for the norm")(lambda X, w, b: (X @ w + b) / np.abs(w).sum())
typed("signed_distance", "divided by the length of the point")(
    lambda X, w, b: np.array([(w @ x + b) / np.linalg.norm(x) for x in X])
)
typed("signed_distance", "multiplied by the norm")(lambda X, w, b: (X @ w + b) * np.linalg.norm(w))

# -- 5.2


@typed("canonical", "w alone scaled")
def _(w, b, X, y):
    return w / min(y * (X @ w + b)), b


@typed("canonical", "mean for the least")
def _(w, b, X, y):
    scale = np.mean(y * (X @ w + b))
    return w / scale, b / scale


@typed("canonical", "largest for the least")
def _(w, b, X, y):
    scale = np.max(y * (X @ w + b))
    return w / scale, b / scale


@typed("canonical", "positive class alone")
def _(w, b, X, y):
    nearest = np.min(X[y == 1] @ w + b)
    return w / nearest, b / nearest


@typed("canonical", "negative class alone")
def _(w, b, X, y):
    nearest = min(-(w @ x_i + b) for x_i, y_i in zip(X, y, strict=True) if y_i == -1)
    return w / nearest, b / nearest


@typed("canonical", "labels forgotten")
def _(w, b, X, y):
    nearest = np.min(X @ w + b)
    return w / nearest, b / nearest


@typed("canonical", "distance for y f")
def _(w, b, X, y):
    nearest = np.min(y * (X @ w + b) / np.linalg.norm(w))
    return w / nearest, b / nearest


@typed("canonical", "b left out of the margins")
def _(w, b, X, y):
    nearest = np.min(y * (X @ w))
    return w / nearest, b / nearest


@typed("canonical", "multiplied instead of divided")
def _(w, b, X, y):
    nearest = np.min(y * (X @ w + b))
    return w * nearest, b * nearest


# -- 5.3


def supporting(alpha):
    return np.flatnonzero(alpha > 1e-6 * max(alpha))


def weights(alpha, X, y):
    return sum(a * y_i * x_i for a, y_i, x_i in zip(alpha, y, X, strict=True))


@typed("recover_w_b", "wᵀx + b = 1 for each support vector")
def _(alpha, X, y):
    w = weights(alpha, X, y)
    return w, np.mean([1 - w @ X[i] for i in supporting(alpha)])


@typed("recover_w_b", "first support vector taken for positive")
def _(alpha, X, y):
    w = weights(alpha, X, y)
    first = supporting(alpha)[0]
    return w, 1 - w @ X[first]


@typed("recover_w_b", "wᵀx added to the label")
def _(alpha, X, y):
    w = weights(alpha, X, y)
    s = supporting(alpha)
    return w, np.mean(y[s] + X[s] @ w)


@typed("recover_w_b", "b summed over the support vectors")
def _(alpha, X, y):
    w = weights(alpha, X, y)
    b = 0
    for i in supporting(alpha):
        b += y[i] - w @ X[i]
    return w, b


@typed("recover_w_b", "b from all points")
def _(alpha, X, y):
    w = weights(alpha, X, y)
    return w, np.mean(y - X @ w)


@typed("recover_w_b", "labels forgotten in w")
def _(alpha, X, y):
    w = alpha @ X
    s = supporting(alpha)
    return w, np.mean(y[s] - X[s] @ w)


@typed("recover_w_b", "no b")
def _(alpha, X, y):
    return weights(alpha, X, y), 0.0


@typed("recover_w_b", "label beside w alone")
def _(alpha, X, y):
    w = weights(alpha, X, y)
    s = supporting(alpha)
    return w, np.mean(1 - y[s] * (X[s] @ w))


@typed("recover_w_b", "half way between the means")
def _(alpha, X, y):
    w = weights(alpha, X, y)
    middle = (X[y == 1].mean(axis=0) + X[y == -1].mean(axis=0)) / 2
    return w, -w @ middle


@typed("recover_w_b", "multipliers that sum to one")
def _(alpha, X, y):
    alpha = alpha / np.sum(alpha)
    w = weights(alpha, X, y)
    s = supporting(alpha)
    return w, np.mean(y[s] - X[s] @ w)


# -- 5.4


def quadratic(alpha, K, y):
    return (alpha * y) @ K @ (alpha * y)


typed("dual_value", "no half")(lambda alpha, K, y: np.sum(alpha) - quadratic(alpha, K, y))
typed("dual_value", "half before both terms")(lambda alpha, K, y: 0.5 * (np.sum(alpha) - quadratic(alpha, K, y)))
typed("dual_value", "label of one point only")(lambda alpha, K, y: alpha.sum() - 0.5 * alpha @ K @ (alpha * y))
typed("dual_value", "labels forgotten")(lambda alpha, K, y: alpha.sum() - 0.5 * alpha @ K @ alpha)
typed("dual_value", "no linear term")(lambda alpha, K, y: -quadratic(alpha, K, y) / 2)
typed("dual_value", "labels in the linear term")(lambda alpha, K, y: alpha @ y - quadratic(alpha, K, y) / 2)
typed("dual_value", "diagonal only")(lambda alpha, K, y: np.sum(alpha) - 0.5 * np.sum((alpha * y) ** 2 * np.diag(K)))
typed("dual_value", "both factors on the columns")(
    lambda alpha, K, y: np.sum(alpha) - 0.5 * np.sum(K * (alpha * y) * (alpha * y))
)
typed("dual_value", "root of the double sum")(lambda alpha, K, y: np.sum(alpha) - 0.5 * np.sqrt(quadratic(alpha, K, y)))
typed("dual_value", "quadratic term added")(lambda alpha, K, y: np.sum(alpha) + 0.5 * quadratic(alpha, K, y))
typed("dual_value", "squared norm for the double sum")(
    lambda alpha, K, y: np.sum(alpha) - 0.5 * np.sum((K @ (alpha * y)) ** 2)
)


@typed("dual_value", "diagonal left out")
def _(alpha, K, y):
    n, double = len(y), 0
    for i in range(n):
        for j in range(n):
            if i != j:
                double += alpha[i] * alpha[j] * y[i] * y[j] * K[i, j]
    return sum(alpha) - double / 2


@typed("dual_value", "each pair once")
def _(alpha, K, y):
    double = 0
    for i in range(len(y)):
        for j in range(i + 1):
            double += alpha[i] * alpha[j] * y[i] * y[j] * K[i, j]
    return sum(alpha) - double / 2


# -- 5.5

typed("margin_width", "half width")(lambda w: 1 / np.linalg.norm(w))
typed("margin_width", "norm squared")(lambda w: 2 / (w @ w))
typed("margin_width", "upside down")(lambda w: np.linalg.norm(w) / 2)
typed("margin_width", "sum of absolute values for the norm")(lambda w: 2 / np.linalg.norm(w, 1))
typed("margin_width", "largest entry for the norm")(lambda w: 2 / np.linalg.norm(w, np.inf))
typed("margin_width", "multiplied by the norm")(lambda w: 2 * np.linalg.norm(w))

# -- 5.6


def passes(mistake=lambda f, y: y * f <= 0, w_step=lambda x, y: y * x, b_step=lambda y: y):
    """The perceptron, with another test or another step."""

    def perceptron(X, y, epochs):
        w, b, updates = np.zeros(X.shape[1]), 0.0, 0
        for _ in range(epochs):
            changed = False
            for i in range(len(X)):
                if mistake(X[i] @ w + b, y[i]):
                    w = w + w_step(X[i], y[i])
                    b = b + b_step(y[i])
                    updates += 1
                    changed = True
            if not changed:
                break
        return w, b, updates

    return perceptron


typed("perceptron", "never starts")(passes(mistake=lambda f, y: y * f < 0))
typed("perceptron", "bias never changed")(passes(b_step=lambda y: 0))
typed("perceptron", "updates where it is right")(passes(mistake=lambda f, y: y * f >= 0))
typed("perceptron", "label forgotten in w")(passes(w_step=lambda x, y: x))
typed("perceptron", "label forgotten in b")(passes(b_step=lambda y: 1))
typed("perceptron", "b moved the wrong way")(passes(b_step=lambda y: -y))
typed("perceptron", "margin of one")(passes(mistake=lambda f, y: y * f < 1))
typed("perceptron", "undecided is class +1")(passes(mistake=lambda f, y: y != (1 if f >= 0 else -1)))
typed("perceptron", "one pass")(lambda X, y, epochs: passes()(X, y, 1))
typed("perceptron", "from the last to the first")(lambda X, y, epochs: passes()(X[::-1], y[::-1], epochs))


@typed("perceptron", "asked without b")
def _(X, y, epochs):
    w, b, updates = np.zeros(X.shape[1]), 0, 0
    for _ in range(epochs):
        done = True
        for x_i, y_i in zip(X, y, strict=True):
            if y_i * np.dot(w, x_i) <= 0:
                w, b, updates, done = w + y_i * x_i, b + y_i, updates + 1, False
        if done:
            break
    return w, b, updates


@typed("perceptron", "label beside w alone")
def _(X, y, epochs):
    w, b, updates = np.zeros(X.shape[1]), 0, 0
    for _ in range(epochs):
        before = updates
        for x_i, y_i in zip(X, y, strict=True):
            if y_i * w @ x_i + b <= 0:
                w, b, updates = w + y_i * x_i, b + y_i, updates + 1
        if updates == before:
            break
    return w, b, updates


@typed("perceptron", "all at once")
def _(X, y, epochs):
    w, b, updates = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(epochs):
        wrong = y * (X @ w + b) <= 0
        if not wrong.any():
            break
        w = w + (y[wrong, None] * X[wrong]).sum(axis=0)
        b = b + y[wrong].sum()
        updates += wrong.sum()
    return w, b, updates


@typed("perceptron", "first mistake of each pass")
def _(X, y, epochs):
    w, b, updates = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(epochs):
        for x_i, y_i in zip(X, y, strict=True):
            if y_i * (w @ x_i + b) <= 0:
                w, b, updates = w + y_i * x_i, b + y_i, updates + 1
                break
        else:
            break
    return w, b, updates


@typed("perceptron", "undecided is right later on")
def _(X, y, epochs):
    w, b, updates = np.zeros(X.shape[1]), 0, 0
    for _ in range(epochs):
        for x, label in zip(X, y, strict=True):
            f = w @ x + b
            if np.sign(f) == -label or not (w.any() or b):
                w, b, updates = w + label * x, b + label, updates + 1
    return w, b, updates


@typed("perceptron", "set, not added")
def _(X, y, epochs):
    w, b, updates = 0 * X[0], 0, 0
    for _ in range(epochs):
        for x, label in zip(X, y, strict=True):
            if label * (x @ w + b) <= 0:
                w = label * x
                b = label
                updates += 1
    return w, b, updates


@typed("perceptron", "passes counted")
def _(X, y, epochs):
    w, b, count = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(epochs):
        count += 1
        clean = True
        for x_i, y_i in zip(X, y, strict=True):
            if y_i * (w @ x_i + b) <= 0:
                w, b, clean = w + y_i * x_i, b + y_i, False
        if clean:
            break
    return w, b, count


# -- 5.7


def report(K, y, alpha, b=None, norm2=None, **numbers):
    """The right five numbers, but for those that are given."""
    v = alpha * y
    b = np.mean((y - K @ v)[alpha > 0]) if b is None else b
    m = y * (K @ v + b)
    right = {
        "width": 2 / np.sqrt(v @ K @ v if norm2 is None else norm2),
        "balance": v.sum(),
        "closest": m.min(),
        "slackness": np.abs(alpha * (m - 1)).max(),
    }
    return b, *(right | numbers).values()


def margins(K, y, alpha):
    """f(x_i), with the right b."""
    u = K @ (alpha * y)
    return u + np.mean(y[alpha > 0] - u[alpha > 0])


@typed("margin_report", "mean of the two classes' means")
def _(K, y, alpha):
    r, s = y - K @ (alpha * y), alpha > 0
    return report(K, y, alpha, b=(np.mean(r[s & (y == 1)]) + np.mean(r[s & (y == -1)])) / 2)


@typed("margin_report", "b from all points")
def _(K, y, alpha):
    return report(K, y, alpha, b=np.mean(y - K @ (alpha * y)))


@typed("margin_report", "wᵀx + b = 1 for each support vector")
def _(K, y, alpha):
    return report(K, y, alpha, b=np.mean([1 - K[i] @ (alpha * y) for i in np.flatnonzero(alpha)]))


@typed("margin_report", "width by the squared norm")
def _(K, y, alpha):
    return report(K, y, alpha, width=2 / ((alpha * y) @ K @ (alpha * y)))


@typed("margin_report", "labels forgotten in the norm")
def _(K, y, alpha):
    return report(K, y, alpha, norm2=alpha @ K @ alpha)


@typed("margin_report", "Σα for the squared norm")
def _(K, y, alpha):
    return report(K, y, alpha, norm2=alpha.sum())


@typed("margin_report", "labels forgotten in the balance")
def _(K, y, alpha):
    return report(K, y, alpha, balance=alpha.sum())


@typed("margin_report", "balance without its sign")
def _(K, y, alpha):
    return report(K, y, alpha, balance=abs(alpha @ y))


@typed("margin_report", "labels forgotten in the least margin")
def _(K, y, alpha):
    return report(K, y, alpha, closest=np.min(margins(K, y, alpha)))


@typed("margin_report", "distance to the plane for y f")
def _(K, y, alpha):
    return report(K, y, alpha, closest=np.min(np.abs(margins(K, y, alpha))))


@typed("margin_report", "least margin of the support vectors alone")
def _(K, y, alpha):
    return report(K, y, alpha, closest=np.min((y * margins(K, y, alpha))[alpha > 0]))


@typed("margin_report", "slackness with its sign")
def _(K, y, alpha):
    return report(K, y, alpha, slackness=np.max(alpha * (y * margins(K, y, alpha) - 1)))


@typed("margin_report", "sum for the largest slackness")
def _(K, y, alpha):
    return report(K, y, alpha, slackness=np.sum(np.abs(alpha * (y * margins(K, y, alpha) - 1))))


@typed("margin_report", "slackness without the one")
def _(K, y, alpha):
    return report(K, y, alpha, slackness=np.max(np.abs(alpha * y * margins(K, y, alpha))))


@typed("margin_report", "b left out of f")
def _(K, y, alpha):
    m = y * (K @ (alpha * y))
    return report(K, y, alpha, closest=m.min(), slackness=np.max(np.abs(alpha * (m - 1))))
