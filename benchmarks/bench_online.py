"""Maximum margin and on-line machines: against SVC with a huge C, LinearSVC, SGDClassifier; growth with n."""

from __future__ import annotations

import numpy as np
from sklearn import linear_model, svm

from benchmarks.harness import Growth, Row
from kcourse import Gaussian, Linear
from kcourse.margin import MaxMargin, Perceptron
from kcourse.svm.online import BudgetPerceptron, Pegasos

D, SIGMA = 10, 3.0
GAMMA = 1 / (2 * SIGMA**2)
EPOCHS = 10


def data(n, gap=0.0):
    """Two classes on the sides of a hyperplane: with a gap between them, or with noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((4 * n, D))
    f = X @ rng.standard_normal(D)
    f = f / np.std(f) if gap else f / np.std(f) + 0.3 * rng.standard_normal(4 * n)
    X, f = X[np.abs(f) > gap][:n], f[np.abs(f) > gap][:n]
    return X, np.where(f > 0, 1, -1)


def flipped(n, share):
    """Two classes on the sides of a hyperplane, and a share of them on the wrong one."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, D))
    y = np.where(X @ rng.standard_normal(D) > 0, 1, -1)
    return X, np.where(rng.random(n) < share, -y, y)


def sgd(Xy):
    model = linear_model.SGDClassifier("hinge", alpha=1 / len(Xy[1]), fit_intercept=False, max_iter=EPOCHS, tol=None)
    return model.fit(*Xy)


def pegasos(Xy):
    return Pegasos(C=1.0, epochs=EPOCHS).fit(*Xy)


def rows():
    for n in (200, 1000):
        for kernel, options in ((Linear(), {"kernel": "linear"}), (Gaussian(SIGMA), {"kernel": "rbf", "gamma": GAMMA})):
            yield Row(
                f"maximum margin, {kernel!r}, n = {n}, d = {D}", "SVC(C=1e10)", 2.0,
                lambda Xy, kernel=kernel: MaxMargin(kernel).fit(*Xy),
                lambda Xy, options=options: svm.SVC(C=1e10, **options).fit(*Xy),
                setup=lambda n=n: data(n, gap=0.1), runs=3,
            )  # fmt: skip
    for n in (1000, 20_000):
        task = f"Pegasos, {EPOCHS} epochs, n = {n}, d = {D}"
        yield Row(task, f"SGDClassifier, {EPOCHS} epochs", None, pegasos, sgd, setup=lambda n=n: data(n), runs=3)
        yield Row(
            task, "LinearSVC(loss='hinge')", None, pegasos,
            lambda Xy: svm.LinearSVC(loss="hinge", C=1.0, fit_intercept=False, max_iter=100_000).fit(*Xy),
            setup=lambda n=n: data(n), runs=3,
        )  # fmt: skip
    for share in (0.01, 0.3):
        yield Row(
            f"perceptron, n = 100000, d = {D}, {share:.0%} of the labels flipped, at most 100 passes",
            "scikit-learn's Perceptron, 100 passes", 5.0, lambda Xy: Perceptron().fit(*Xy),
            lambda Xy: linear_model.Perceptron(max_iter=100, tol=None, shuffle=False).fit(*Xy),
            setup=lambda share=share: flipped(100_000, share), runs=3,
        )  # fmt: skip
    yield Growth(
        "budget perceptron, 50 points", (1000, 4000, 16_000), data,
        lambda Xy: BudgetPerceptron(Gaussian(SIGMA), budget=50).fit(*Xy), expected="n", runs=3,
    )  # fmt: skip
