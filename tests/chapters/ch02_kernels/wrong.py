"""Wrong answers to chapter 2 that are not in the catalogue, as students might write them, and what they must be told.

``@wrong(exercise, name)`` expects that misconception to be named ("a + b": two slips at once), ``@wrong(exercise,
says=…)`` no misconception, and a sentence that contains the text. Where it contains none, any will do.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from tests.chapters.ch02_kernels.alternatives import keeping_the_values, with_indicator_vectors
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


@wrong("poly2_features", says="returned shape")
def features_in_columns(X):
    return np.array([X[:, 0] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 2])


@wrong("poly2_features")
def cubes(X):
    return np.column_stack([X[:, 0] ** 3, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 3])


@wrong("poly2_features", "the matrix itself")
def the_kernel_itself(X):
    return (X @ X.T) ** 2


@wrong("poly2_features", says="entries that are NaN")
def root_of_the_product(X):
    return np.column_stack([X[:, 0] ** 2, np.sqrt(2 * X[:, 0] * X[:, 1]), X[:, 1] ** 2])


@wrong("gaussian_gram", "product once in the square")
def expanded_without_the_2(X, Z, sigma):
    D = (X**2).sum(1)[:, None] + (Z**2).sum(1) - X @ Z.T
    return np.exp(-D / (2 * sigma**2))


@wrong("gaussian_gram", "plus in the square")
def expanded_with_a_plus(X, Z, sigma):
    D = (X**2).sum(1)[:, None] + (Z**2).sum(1) + 2 * X @ Z.T
    return np.exp(-D / (2 * sigma**2))


@wrong("gaussian_gram", says="transpose")
def columns_for_rows(X, Z, sigma):
    return np.exp(-cdist(Z, X, "sqeuclidean") / (2 * sigma**2))


@wrong("gaussian_gram", says="returned shape")
def of_the_first_set_alone(X, Z, sigma):
    return np.exp(-cdist(X, X, "sqeuclidean") / (2 * sigma**2))


@wrong("gaussian_gram", says="an entry above 1")
def growing_with_the_distance(X, Z, sigma):
    return np.exp(np.sqrt(cdist(X, Z, "sqeuclidean")))


@wrong("is_psd", says="True to everything")
def an_optimist(K, tol):
    return True


@wrong("is_psd", says="One True or False is asked for")
def one_for_each_eigenvalue(K, tol):
    return np.linalg.eigvalsh(K) >= -tol


@wrong("is_psd", says="False where it should say True")
def asks_for_a_unit_diagonal(K, tol):
    values = np.linalg.eigvalsh((K + K.T) / 2)
    return bool(np.allclose(K, K.T) and values[0] >= -tol * np.abs(values).max() and np.allclose(np.diag(K), 1))


@wrong("is_psd", "symmetry not looked at + no tolerance")
def in_one_line(K, tol):
    return bool(np.linalg.eigvalsh(K)[0] >= 0)


@wrong("is_psd", "strictly positive + symmetry not looked at")
def the_sign_of_tol_turned(K, tol):
    return bool(np.linalg.eigvalsh(K)[0] >= tol)


@wrong("is_psd", "strictly positive + symmetry not looked at")
def by_plain_cholesky(K, tol):
    try:
        np.linalg.cholesky(K)
    except np.linalg.LinAlgError:
        return False
    return True


@wrong("is_psd", "leading minors + symmetry not looked at")
def corners(K, tol):
    size = np.abs(K).max()
    return all(np.linalg.det(K[:i, :i]) >= -tol * size**i for i in range(1, len(K) + 1))


@wrong("is_psd", says="says True where it should say False; what it says False to is right")
def some_vectors_drawn_at_random(K, tol):
    rng = np.random.default_rng(0)
    return all(c @ K @ c >= -tol * np.abs(K).max() for c in rng.normal(size=(20, len(K))))


@wrong("feature_distance2", says="It is the sum of the right numbers")
def sum_of_all(K):
    return float(np.sum(np.diag(K)[:, None] + np.diag(K) - 2 * K))


@wrong("feature_distance2")
def to_the_mean(K):
    return np.diag(K) - 2 * K.mean(axis=1) + K.mean()


@wrong("nearest_mean_score", says="returned shape")
def scores_of_the_training_points(K, y, Kq):
    return with_indicator_vectors(K, y, K)


@wrong("nearest_mean_score")
def medians(K, y, Kq):
    return 2 * np.median(Kq[:, y == 1], axis=1) - 2 * np.median(Kq[:, y == -1], axis=1)


@wrong("kernel_perceptron", says="returned shape")
def one_count_for_all(K, y, epochs):
    return [keeping_the_values(K, y, epochs).sum()]


@wrong("kernel_perceptron", says="whole numbers of at least 0")
def with_a_learning_rate(K, y, epochs):
    return 0.3 * keeping_the_values(K, y, epochs) * y


def counts(K, y, epochs, is_mistake, order=1):
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        for i in range(len(y))[::order]:
            alpha[i] += is_mistake(y[i], sum(alpha[j] * y[j] * K[i, j] for j in range(len(y))))
    return alpha


@wrong("kernel_perceptron", "undecided is class -1")
def zero_is_not_positive(K, y, epochs):
    return counts(K, y, epochs, lambda label, f: (1 if f > 0 else -1) != label)


@wrong("kernel_perceptron", "undecided is class +1")
def zero_is_not_negative(K, y, epochs):
    return counts(K, y, epochs, lambda label, f: (-1 if f < 0 else 1) != label)


@wrong("kernel_perceptron", "margin of one")
def hinge(K, y, epochs):
    return counts(K, y, epochs, lambda label, f: label * f <= 1)


@wrong("kernel_perceptron", "one added to the kernel")
def with_a_bias(K, y, epochs):
    alpha, b = np.zeros(len(y)), 0.0
    for _ in range(epochs):
        for i in range(len(y)):
            if y[i] * (K[i] @ (alpha * y) + b) <= 0:
                alpha[i] += 1
                b += y[i]
    return alpha


@wrong("kernel_perceptron", "from the last to the first")
def backwards(K, y, epochs):
    return counts(K, y, epochs, lambda label, f: label * f <= 0, order=-1)


@wrong("kernel_perceptron", "own term left out")
def by_the_others(K, y, epochs):
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        for i in range(len(y)):
            others = np.arange(len(y)) != i
            alpha[i] += y[i] * (K[i, others] @ (alpha * y)[others]) <= 0
    return alpha


@wrong("kernel_perceptron", says="only from the second round on")
def stops_at_every_second_round(K, y, epochs):
    return counts(K, y, (epochs + 1) // 2, lambda label, f: label * f <= 0)


@wrong("kernel_perceptron", says="none that this check knows")
def margin_of_a_half(K, y, epochs):
    return counts(K, y, epochs, lambda label, f: label * f <= 0.5)


@wrong("classify_by_gram", says="should return 2 numbers")
def the_better_of_the_two(K, y, train, test, epochs):
    return 3


@wrong("classify_by_gram")
def nobody_errs(K, y, train, test, epochs):
    return 0, 0


@wrong("is_psd", says="and False where it should say True")
def sum_of_the_entries(K, tol):
    return bool(K.sum() > 0)


@wrong("feature_distance2", says="a negative number")
def cubes_of_products(K):
    return -(K**3)


@wrong("feature_distance2", says="not 0 on the diagonal")
def squares_of_products(K):
    return K**2 + 1
