"""Each named slip of chapter 6 as a student would type it."""

from __future__ import annotations

import numpy as np

from tests.chapters.typed import Typed, typist

TYPED: Typed = {}
typed = typist(TYPED)


# 6.1


def hinge(m):
    return np.maximum(0, 1 - m)


@typed("svm_primal", "printed loss")
def _(w, b, X, y, C):
    loss = 0
    for x_i, y_i in zip(X, y, strict=True):
        loss += max(0, y_i * (w @ x_i + b) - 1)
    return 0.5 * w @ w + C * loss


@typed("svm_primal", "no half")
def _(w, b, X, y, C):
    return w @ w + C * sum(max(0, 1 - y[i] * (w @ X[i] + b)) for i in range(len(y)))


@typed("svm_primal", "mean of the slacks")
def _(w, b, X, y, C):
    return 0.5 * w @ w + C * hinge(y * (X @ w + b)).mean()


@typed("svm_primal", "b outside of the bracket")
def _(w, b, X, y, C):
    return 0.5 * np.dot(w, w) + C * np.sum(np.maximum(0, 1 - (y * (X @ w) + b)))


@typed("svm_primal", "bias penalised")
def _(w, b, X, y, C):
    return 0.5 * (w @ w + b**2) + C * np.sum(hinge(y * (X @ w + b)))


@typed("svm_primal", "count of mistakes")
def _(w, b, X, y, C):
    return 0.5 * w @ w + C * np.sum(y * (X @ w + b) < 0)


@typed("svm_primal", "squared hinge")
def _(w, b, X, y, C):
    return 0.5 * w @ w + C * np.sum(np.maximum(0, 1 - y * (X @ w + b)) ** 2)


@typed("svm_primal", "not clipped")
def _(w, b, X, y, C):
    xi = 1 - y * (X @ w + b)
    return 0.5 * np.linalg.norm(w) ** 2 + C * xi.sum()


@typed("svm_primal", "labels forgotten")
def _(w, b, X, y, C):
    return 0.5 * w @ w + C * np.maximum(0, 1 - (X @ w + b)).sum()


@typed("svm_primal", "no bias in f")
def _(w, b, X, y, C):
    return 0.5 * w @ w + C * np.maximum(0, 1 - y * (X @ w)).sum()


@typed("svm_primal", "no C")
def _(w, b, X, y, C):
    return 0.5 * w @ w + hinge(y * (X @ w + b)).sum()


@typed("svm_primal", "norm not squared")
def _(w, b, X, y, C):
    return 0.5 * np.linalg.norm(w) + C * hinge(y * (X @ w + b)).sum()


@typed("svm_primal", "price on the norm")
def _(w, b, X, y, C):
    return C * 0.5 * w @ w + hinge(y * (X @ w + b)).sum()


@typed("svm_primal", "perceptron's loss")
def _(w, b, X, y, C):
    return 0.5 * w @ w + C * np.maximum(0, -y * (X @ w + b)).sum()


@typed("svm_primal", "absolute value")
def _(w, b, X, y, C):
    return 0.5 * w @ w + C * np.abs(1 - y * (X @ w + b)).sum()


@typed("svm_primal", "slacks alone")
def _(w, b, X, y, C):
    return C * np.maximum(0, 1 - y * (X @ w + b)).sum()


@typed("svm_primal", "minus b")
def _(w, b, X, y, C):
    return 0.5 * w @ w + C * np.maximum(0, 1 - y * (X @ w - b)).sum()


@typed("svm_primal", "mistakes alone pay")
def _(w, b, X, y, C):
    f = X @ w + b
    wrong = np.sign(f) != y
    return 0.5 * w @ w + C * (1 - y * f)[wrong].sum()


@typed("svm_primal", "distance for margin")
def _(w, b, X, y, C):
    far = y * (X @ w + b) / np.linalg.norm(w)
    return 0.5 * w @ w + C * np.maximum(0, 1 - far).sum()


@typed("svm_primal", "largest slack alone")
def _(w, b, X, y, C):
    return 0.5 * w @ w + C * hinge(y * (X @ w + b)).max()


# 6.2


def without_b(alpha, K, y):
    return K @ (alpha * y)


def is_free(alpha, C):
    return (alpha > 1e-7 * C) & (alpha < (1 - 1e-7) * C)


@typed("bias_from_alpha", "all support vectors")
def _(alpha, K, y, C):
    sv = alpha > 1e-7 * C
    return np.mean(y[sv] - without_b(alpha, K, y)[sv])


@typed("bias_from_alpha", "bound ones alone")
def _(alpha, K, y, C):
    bound = np.isclose(alpha, C)
    return np.mean((y - without_b(alpha, K, y))[bound])


@typed("bias_from_alpha", "sign turned round")
def _(alpha, K, y, C):
    return np.mean((without_b(alpha, K, y) - y)[is_free(alpha, C)])


@typed("bias_from_alpha", "1 for the label")
def _(alpha, K, y, C):
    return np.mean(1 - without_b(alpha, K, y)[is_free(alpha, C)])


@typed("bias_from_alpha", "label beside u alone")
def _(alpha, K, y, C):
    return np.mean((1 - y * without_b(alpha, K, y))[is_free(alpha, C)])


@typed("bias_from_alpha", "label beside u, and outside")
def _(alpha, K, y, C):
    free = is_free(alpha, C)
    return np.mean(y[free] * (1 - without_b(alpha, K, y)[free]))


@typed("bias_from_alpha", "all points")
def _(alpha, K, y, C):
    return np.mean(y - without_b(alpha, K, y))


@typed("bias_from_alpha", "zeros taken for free")
def _(alpha, K, y, C):
    free = alpha < C - 1e-7 * C
    return np.mean((y - without_b(alpha, K, y))[free])


@typed("bias_from_alpha", "labels forgotten in the sum")
def _(alpha, K, y, C):
    u = K @ alpha
    return np.mean((y - u)[is_free(alpha, C)])


@typed("bias_from_alpha", "sum for mean")
def _(alpha, K, y, C):
    return np.sum((y - without_b(alpha, K, y))[is_free(alpha, C)])


@typed("bias_from_alpha", "labels left out")
def _(alpha, K, y, C):
    return np.mean(-without_b(alpha, K, y)[is_free(alpha, C)])


@typed("bias_from_alpha", "first support vector")
def _(alpha, K, y, C):
    i = np.flatnonzero(alpha > 1e-7 * C)[0]
    return y[i] - np.sum(alpha * y * K[i])


@typed("bias_from_alpha", "half way between the classes")
def _(alpha, K, y, C):
    u = without_b(alpha, K, y)
    return -(u[y == 1].min() + u[y == -1].max()) / 2


@typed("bias_from_alpha", "sum over the free alone")
def _(alpha, K, y, C):
    free = is_free(alpha, C)
    u = K[np.ix_(free, free)] @ (alpha[free] * y[free])
    return np.mean(y[free] - u)


@typed("bias_from_alpha", "positive ones alone")
def _(alpha, K, y, C):
    positive = (alpha > 1e-7 * C) & (y == 1)
    return np.mean(1 - without_b(alpha, K, y)[positive])


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


def curvature(K, i, j):
    return K[i, i] + K[j, j] - 2 * K[i, j]


def errors(K, y, alpha, b, i, j):
    f = K @ (alpha * y) + b
    return f[i] - y[i], f[j] - y[j]


def one_class(alpha, C, i, j):
    return max(0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])


def two_classes(alpha, C, i, j):
    return max(0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])


def ends(y, alpha, C, i, j):
    return one_class(alpha, C, i, j) if y[i] == y[j] else two_classes(alpha, C, i, j)


def with_partner(y, alpha, i, j, a_j):
    """A copy in which α_j is a_j and α_i has followed."""
    new = alpha.astype(float)
    new[j] = a_j
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - a_j)
    return new


@typed("smo_pair", "not clipped")
def _(K, y, alpha, b, C, i, j):
    eta, (E_i, E_j), (L, H) = curvature(K, i, j), errors(K, y, alpha, b, i, j), ends(y, alpha, C, i, j)
    if eta <= 0 or L == H:
        return alpha.copy()
    return with_partner(y, alpha, i, j, alpha[j] + y[j] * (E_i - E_j) / eta)


@typed("smo_pair", "wrong sign of the step")
def _(K, y, alpha, b, C, i, j):
    eta, (E_i, E_j), (L, H) = curvature(K, i, j), errors(K, y, alpha, b, i, j), ends(y, alpha, C, i, j)
    if eta <= 0 or L == H:
        return alpha.copy()
    return with_partner(y, alpha, i, j, np.clip(alpha[j] + y[j] * (E_j - E_i) / eta, L, H))


@typed("smo_pair", "half a step")
def _(K, y, alpha, b, C, i, j):
    eta, (E_i, E_j), (L, H) = curvature(K, i, j), errors(K, y, alpha, b, i, j), ends(y, alpha, C, i, j)
    if eta <= 0 or L == H:
        return alpha.copy()
    return with_partner(y, alpha, i, j, np.clip(alpha[j] + 0.5 * y[j] * (E_i - E_j) / eta, L, H))


@typed("smo_pair", "partner without labels")
def _(K, y, alpha, b, C, i, j):
    eta, (E_i, E_j), (L, H) = curvature(K, i, j), errors(K, y, alpha, b, i, j), ends(y, alpha, C, i, j)
    new = alpha.copy()
    if eta > 0 and L < H:
        new[j] = np.clip(alpha[j] + y[j] * (E_i - E_j) / eta, L, H)
        new[i] = alpha[i] + alpha[j] - new[j]
    return new


@typed("smo_pair", "partner the wrong way")
def _(K, y, alpha, b, C, i, j):
    eta, (E_i, E_j), (L, H) = curvature(K, i, j), errors(K, y, alpha, b, i, j), ends(y, alpha, C, i, j)
    new = alpha.copy()
    if eta > 0 and L < H:
        new[j] = np.clip(alpha[j] + y[j] * (E_i - E_j) / eta, L, H)
        new[i] = alpha[i] + y[i] * y[j] * (new[j] - alpha[j])
    return new


@typed("smo_pair", "partner by the unclipped step")
def _(K, y, alpha, b, C, i, j):
    eta, (E_i, E_j), (L, H) = curvature(K, i, j), errors(K, y, alpha, b, i, j), ends(y, alpha, C, i, j)
    new = alpha.copy()
    if eta > 0 and L < H:
        top = alpha[j] + y[j] * (E_i - E_j) / eta
        new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - top)
        new[j] = min(max(top, L), H)
    return new


@typed("smo_pair", "clipped to [0, C] alone")
def _(K, y, alpha, b, C, i, j):
    eta, (E_i, E_j) = curvature(K, i, j), errors(K, y, alpha, b, i, j)
    if eta <= 0:
        return alpha.copy()
    return with_partner(y, alpha, i, j, np.clip(alpha[j] + y[j] * (E_i - E_j) / eta, 0, C))


@typed("smo_pair", "each clipped for itself")
def _(K, y, alpha, b, C, i, j):
    eta, (E_i, E_j) = curvature(K, i, j), errors(K, y, alpha, b, i, j)
    new = alpha.copy()
    if eta > 0:
        new[j] = np.clip(alpha[j] + y[j] * (E_i - E_j) / eta, 0, C)
        new[i] = np.clip(alpha[i] + y[i] * y[j] * (alpha[j] - new[j]), 0, C)
    return new


@typed("smo_pair", "clipped on one side")
def _(K, y, alpha, b, C, i, j):
    eta, (E_i, E_j) = curvature(K, i, j), errors(K, y, alpha, b, i, j)
    new = alpha.copy()
    if eta > 0:
        room_i = C - alpha[i] if y[i] > 0 else alpha[i]
        room_j = alpha[j] if y[j] > 0 else C - alpha[j]
        t = min((E_j - E_i) / eta, room_i, room_j)
        new[i] += y[i] * t
        new[j] -= y[j] * t
    return new


@typed("smo_pair", "segment of one class")
def _(K, y, alpha, b, C, i, j):
    eta, (E_i, E_j) = curvature(K, i, j), errors(K, y, alpha, b, i, j)
    L, H = max(0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    if eta <= 0 or L == H:
        return alpha.copy()
    return with_partner(y, alpha, i, j, np.clip(alpha[j] + y[j] * (E_i - E_j) / eta, L, H))


@typed("smo_pair", "segment of two classes")
def _(K, y, alpha, b, C, i, j):
    eta, (E_i, E_j) = curvature(K, i, j), errors(K, y, alpha, b, i, j)
    L, H = max(0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    if eta <= 0 or L == H:
        return alpha.copy()
    return with_partner(y, alpha, i, j, np.clip(alpha[j] + y[j] * (E_i - E_j) / eta, L, H))


@typed("smo_pair", "segments exchanged")
def _(K, y, alpha, b, C, i, j):
    eta, (E_i, E_j) = curvature(K, i, j), errors(K, y, alpha, b, i, j)
    L, H = two_classes(alpha, C, i, j) if y[i] == y[j] else one_class(alpha, C, i, j)
    if eta <= 0 or L == H:
        return alpha.copy()
    return with_partner(y, alpha, i, j, np.clip(alpha[j] + y[j] * (E_i - E_j) / eta, L, H))


@typed("smo_pair", "targets forgotten")
def _(K, y, alpha, b, C, i, j):
    eta, (L, H) = curvature(K, i, j), ends(y, alpha, C, i, j)
    E = K @ (alpha * y) + b
    if eta <= 0 or L == H:
        return alpha.copy()
    return with_partner(y, alpha, i, j, np.clip(alpha[j] + y[j] * (E[i] - E[j]) / eta, L, H))


@typed("smo_pair", "labels forgotten in f")
def _(K, y, alpha, b, C, i, j):
    eta, (L, H) = curvature(K, i, j), ends(y, alpha, C, i, j)
    E = K @ alpha + b - y
    if eta <= 0 or L == H:
        return alpha.copy()
    return with_partner(y, alpha, i, j, np.clip(alpha[j] + y[j] * (E[i] - E[j]) / eta, L, H))


@typed("smo_pair", "η with a plus")
def _(K, y, alpha, b, C, i, j):
    (E_i, E_j), (L, H) = errors(K, y, alpha, b, i, j), ends(y, alpha, C, i, j)
    eta = K[i, i] + K[j, j] + 2 * K[i, j]
    if eta <= 0 or L == H:
        return alpha.copy()
    return with_partner(y, alpha, i, j, np.clip(alpha[j] + y[j] * (E_i - E_j) / eta, L, H))


@typed("smo_pair", "η with k_ij once")
def _(K, y, alpha, b, C, i, j):
    (E_i, E_j), (L, H) = errors(K, y, alpha, b, i, j), ends(y, alpha, C, i, j)
    eta = K[i, i] + K[j, j] - K[i, j]
    if eta <= 0 or L == H:
        return alpha.copy()
    return with_partner(y, alpha, i, j, np.clip(alpha[j] + y[j] * (E_i - E_j) / eta, L, H))


@typed("smo_pair", "not divided by η")
def _(K, y, alpha, b, C, i, j):
    eta, (E_i, E_j), (L, H) = curvature(K, i, j), errors(K, y, alpha, b, i, j), ends(y, alpha, C, i, j)
    if eta <= 0 or L == H:
        return alpha.copy()
    return with_partner(y, alpha, i, j, np.clip(alpha[j] + y[j] * (E_i - E_j), L, H))


@typed("smo_pair", "label of the other")
def _(K, y, alpha, b, C, i, j):
    eta, (E_i, E_j), (L, H) = curvature(K, i, j), errors(K, y, alpha, b, i, j), ends(y, alpha, C, i, j)
    if eta <= 0 or L == H:
        return alpha.copy()
    return with_partner(y, alpha, i, j, np.clip(alpha[j] + y[i] * (E_i - E_j) / eta, L, H))


# 6.5


def trained(K, y, C, tol):
    """A machine that is right: the pair that violates most, until the gap is small."""
    beta, low, high = np.zeros(len(y)), np.where(y > 0, 0, -C), np.where(y > 0, C, 0)  # β = α y
    for _ in range(20_000):
        gradient = y - K @ beta
        i = np.argmax(np.where(beta < high - 1e-12 * C, gradient, -np.inf))
        j = np.argmin(np.where(beta > low + 1e-12 * C, gradient, np.inf))
        b = (gradient[i] + gradient[j]) / 2
        gap = beta @ K @ beta - beta @ y + C * np.maximum(0, y * (gradient - b)).sum()
        if gap <= tol:
            break
        step = min((gradient[i] - gradient[j]) / curvature(K, i, j), high[i] - beta[i], beta[j] - low[j])
        beta[i] += step
        beta[j] -= step
    return y * beta, b


@typed("svm_train", "no bias")
def _(K, y, C, tol):
    alpha, b = trained(K, y, C, tol)
    return alpha, 0.0


@typed("svm_train", "signed multipliers")
def _(K, y, C, tol):
    alpha, b = trained(K, y, C, tol)
    return y * alpha, b


@typed("svm_train", "bias from all support vectors")
def _(K, y, C, tol):
    alpha, _ = trained(K, y, C, tol)
    sv = alpha > 1e-7 * C
    return alpha, np.mean((y - K @ (alpha * y))[sv])


@typed("svm_train", "bias from all points")
def _(K, y, C, tol):
    alpha, _ = trained(K, y, C, tol)
    return alpha, np.mean(y - K @ (alpha * y))


@typed("svm_train", "bias from the largest multiplier")
def _(K, y, C, tol):
    alpha, _ = trained(K, y, C, tol)
    i = np.argmax(alpha)
    return alpha, y[i] - K[i] @ (alpha * y)


@typed("svm_train", "bias from the first support vector")
def _(K, y, C, tol):
    alpha, _ = trained(K, y, C, tol / 1000)  # what one point says of b wants more digits than the gap
    i = np.flatnonzero(alpha > 1e-7 * C)[0]
    return alpha, y[i] - K[i] @ (alpha * y)


@typed("svm_train", "bias without the label")
def _(K, y, C, tol):
    alpha, _ = trained(K, y, C, tol)
    return alpha, np.mean((1 - K @ (alpha * y))[is_free(alpha, C)])


typed("svm_train", "C divided by n")(lambda K, y, C, tol: trained(K, y, C / len(y), tol))
typed("svm_train", "C halved")(lambda K, y, C, tol: trained(K, y, C / 2, tol))
typed("svm_train", "λ for C")(lambda K, y, C, tol: trained(K, y, 1 / C, tol))
