"""Wrong answers to chapter 2 that are not typed: two slips at once, and others, as students might write them."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from tests.chapters.ch02_kernels.alternatives import keeping_the_values
from tests.chapters.student_answers import changed
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)

wrong("poly2_features")(lambda X: np.column_stack([X[:, 0] ** 3, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 3]))
wrong("poly2_features", "the matrix itself")(lambda X: (X @ X.T) ** 2)


def expanded(X, Z, sigma):
    D = (X**2).sum(1)[:, None] + (Z**2).sum(1) - 2 * X @ Z.T
    return np.exp(-D / (2 * sigma**2))


wrong("gaussian_gram", "product once in the square")(changed(expanded, "- 2 * X", "- X"))
wrong("gaussian_gram", "plus in the square")(changed(expanded, "- 2 * X", "+ 2 * X"))
wrong("gaussian_gram")(lambda X, Z, sigma: np.exp(np.sqrt(cdist(X, Z, "sqeuclidean"))))
wrong("is_psd", "symmetry not looked at + no tolerance")(lambda K, tol: bool(np.linalg.eigvalsh(K)[0] >= 0))
wrong("is_psd", "strictly positive + symmetry not looked at")(lambda K, tol: bool(np.linalg.eigvalsh(K)[0] >= tol))


@wrong("is_psd")
def some_vectors_drawn_at_random(K, tol):
    rng = np.random.default_rng(0)
    return all(c @ K @ c >= -tol * np.abs(K).max() for c in rng.normal(size=(20, len(K))))


wrong("nearest_mean_score")(
    lambda K, y, Kq: 2 * np.median(Kq[:, y == 1], axis=1) - 2 * np.median(Kq[:, y == -1], axis=1)
)
wrong("kernel_perceptron")(lambda K, y, epochs: 0.3 * keeping_the_values(K, y, epochs) * y)


def counts(K, y, epochs, is_mistake, order=1):
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        for i in range(len(y))[::order]:
            alpha[i] += is_mistake(y[i], sum(alpha[j] * y[j] * K[i, j] for j in range(len(y))))
    return alpha


wrong("kernel_perceptron", "undecided is class -1")(
    lambda K, y, epochs: counts(K, y, epochs, lambda label, f: (1 if f > 0 else -1) != label)
)
wrong("kernel_perceptron", "undecided is class +1")(
    lambda K, y, epochs: counts(K, y, epochs, lambda label, f: (-1 if f < 0 else 1) != label)
)
wrong("kernel_perceptron", "margin of one")(lambda K, y, epochs: counts(K, y, epochs, lambda label, f: label * f <= 1))


wrong("kernel_perceptron", "one added to the kernel")(
    lambda K, y, epochs: counts(K + 1, y, epochs, lambda label, f: label * f <= 0)
)
wrong("kernel_perceptron", "from the last to the first")(
    lambda K, y, epochs: counts(K, y, epochs, lambda label, f: label * f <= 0, order=-1)
)
wrong("kernel_perceptron", "own term left out")(
    lambda K, y, epochs: counts(K - np.diag(np.diag(K)), y, epochs, lambda label, f: label * f <= 0)
)
wrong("kernel_perceptron")(lambda K, y, epochs: counts(K, y, epochs, lambda label, f: label * f <= 0.5))
wrong("classify_by_gram")(lambda K, y, train, test, epochs: (0, 0))
wrong("feature_distance2")(lambda K: -(K**3))
wrong("feature_distance2")(lambda K: K**2 + 1)
