"""SVC and SVR against scikit-learn's (libsvm), Gram matrix included.

Easy problems have many multipliers at C and few steps; hard ones (large C, noise) many steps. Both solvers get the same
tolerance 1e-3; ours meets it in double precision, libsvm's cache is single.
"""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Growth, Limit, Row, peak_megabytes

NOISE, SIGMA = 0.25, {"moons": 0.5, "checkerboard": 0.5, "digits": 2.0}
CS, SIZES = (0.1, 1.0, 10.0, 1000.0), (500, 1000, 2000, 4000)


def points(name, n):
    """(X, y) of n points, y = ±1."""
    from sklearn.datasets import load_digits, make_moons

    rng = np.random.default_rng(0)
    if name == "moons":
        X, y = make_moons(n, noise=NOISE, random_state=0)
        return X, 2 * y - 1
    if name == "checkerboard":
        X = rng.uniform(0, 4, (n, 2))
        return X, np.where(np.floor(X).sum(axis=1) % 2 == 0, 1, -1)
    digits, number = load_digits(return_X_y=True)
    if n <= len(digits):
        i = rng.permutation(len(digits))[:n]
        return digits[i] / 16, np.where(number[i] < 5, -1, 1)
    i = rng.integers(len(digits), size=n)  # more than there are: again, with a little noise
    return digits[i] / 16 + rng.normal(0, 0.05, (n, 64)), np.where(number[i] < 5, -1, 1)


def flipped(n, share):
    """(X, y) of n points in the plane, a share of them on the wrong side of a wave."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2))
    y = np.where(np.sin(2 * X[:, 0]) + X[:, 1] > 0, 1, -1)
    return X, np.where(rng.random(n) < share, -y, y)


def texts(n=2000, d=20_000, words=100):
    """(X, y): counts of words, sparse, of unit length, about two subjects; a tenth of the labels is wrong."""
    from scipy.sparse import csr_array, diags_array

    rng = np.random.default_rng(0)
    share = rng.gamma(2.0, 0.5, (2, d)) / np.arange(1, d + 1)
    y = rng.integers(2, size=n)
    X = csr_array(np.log1p(np.vstack([rng.multinomial(words, share[c] / share[c].sum()) for c in y])))
    X = csr_array(diags_array(1 / np.sqrt(X.multiply(X).sum(axis=1))) @ X)
    return X, np.where(rng.random(n) < 0.1, 1 - y, y)


def ten_classes(n):
    """(X, y) of n digits."""
    from sklearn.datasets import load_digits

    digits, number = load_digits(return_X_y=True)
    i = np.random.default_rng(0).permutation(len(digits))[:n]
    return digits[i] / 16, number[i]


def hundred_classes():
    """(X, y) of overlapping clouds in ten dimensions."""
    rng = np.random.default_rng(0)
    labels = np.arange(100).repeat(30)
    return 2 * rng.standard_normal((100, 10))[labels] + rng.standard_normal((3000, 10)), labels


def bar(name, n, C):
    """What holds on two kinds of processor. A fit of 500 points takes 2 ms, half of them around the steps."""
    if C >= 1000 and name == "moons":
        return 1.3 if n <= 500 else 0.6
    return 1.9 if n <= 500 else 1.5 if C >= 10 or n <= 1000 else 1.0


def regression(n):
    """(X, y): a smooth function of two inputs, with noise."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, (n, 2))
    return X, np.sin(2 * X[:, 0]) * np.cos(X[:, 1]) + 0.2 * rng.standard_normal(n)


def rows():
    from sklearn import svm

    from kcourse.kernels import Gaussian, Linear
    from kcourse.svm import SVC, SVR

    for name in SIGMA:
        sigma = SIGMA[name]
        for n in SIZES:
            for C in CS:
                yield Row(
                    f"SVC, {name}, n = {n}, C = {C:g}", "SVC", bar(name, n, C),
                    lambda data, C=C, s=sigma: SVC(Gaussian(s), C=C).fit(*data),
                    lambda data, C=C, s=sigma: svm.SVC(C=C, gamma=1 / (2 * s**2)).fit(*data),
                    setup=lambda name=name, n=n: points(name, n), runs=9 if n > 2000 else 31,
                )  # fmt: skip
    for n, most in ((500, 5.0), (1000, 4.5), (1797, 3.5)):  # 45 pairs of a few points each: steps in Python
        yield Row(
            f"SVC, ten classes of digits, n = {n}", "SVC", most,
            lambda data: SVC(Gaussian(2.0), C=10.0).fit(*data), lambda data: svm.SVC(C=10.0, gamma=1 / 8).fit(*data),
            setup=lambda n=n: ten_classes(n), runs=9,
        )  # fmt: skip
    yield Row(  # 4950 pairs of 60 points, which take their steps together
        "SVC, 100 classes of 30 points", "SVC", 5.0,
        lambda data: SVC(Gaussian(3.0)).fit(*data), lambda data: svm.SVC(gamma=1 / 18).fit(*data),
        setup=hundred_classes, runs=3,
    )  # fmt: skip
    for n in (200, 500, 1000, 2000):
        for C, most in ((1.0, 2.0 if n == 200 else 1.0), (100.0, 0.5 if n == 200 else 0.4)):
            yield Row(
                f"SVR, n = {n}, C = {C:g}", "SVR", most,
                lambda data, C=C: SVR(Gaussian(0.7), C=C, epsilon=0.1).fit(*data),
                lambda data, C=C: svm.SVR(C=C, gamma=1 / (2 * 0.7**2), epsilon=0.1).fit(*data),
                setup=lambda n=n: regression(n), runs=9 if n > 2000 else 31,
            )  # fmt: skip
    for name, kernel, options in (
        ("linear", Linear(), {"kernel": "linear"}), ("Gaussian", Gaussian(1.0), {"gamma": 0.5}),
    ):  # fmt: skip
        yield Row(
            f"SVC, {name}, 2000 sparse texts in 20000 words", "SVC", 3.0,
            lambda data, kernel=kernel: SVC(kernel).fit(*data),
            lambda data, options=options: svm.SVC(**options).fit(*data), setup=texts, runs=3,
        )  # fmt: skip
    for flip, sigma, C in ((0.3, 0.5, 1.0), (0.1, 0.5, 100.0), (0.5, 0.5, 1.0)):
        yield Row(
            f"SVC, n = 20000, {flip:.0%} of the labels flipped, C = {C:g}", "SVC", 1.5,
            lambda data, C=C, s=sigma: SVC(Gaussian(s), C=C).fit(*data),
            lambda data, C=C, s=sigma: svm.SVC(C=C, gamma=1 / (2 * s**2)).fit(*data),
            setup=lambda flip=flip: flipped(20_000, flip), runs=1,
        )  # fmt: skip
        yield Limit(
            f"the same, C = {C:g}: memory (the Gram matrix has 3200 MB)", "MB", 300,
            lambda flip=flip, C=C, s=sigma: peak_megabytes(
                "from benchmarks.bench_svm import flipped; from kcourse import Gaussian; from kcourse.svm import SVC;"
                f"SVC(Gaussian({s})).fit(*flipped(500, 0.1)); data = flipped(20_000, {flip})",
                f"SVC(Gaussian({s}), C={C}).fit(*data)",
            ),
        )  # fmt: skip
    yield Growth(
        "SVC, moons, C = 1000", (1000, 2000, 4000, 8000), lambda n: points("moons", n),
        lambda data: SVC(Gaussian(0.5), C=1000.0).fit(*data), expected="below n²", runs=3,
    )  # fmt: skip
