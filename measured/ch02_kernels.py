"""Measurements for chapter 2: error rates on handwritten digits by new writers and by known writers.

Every method selects its settings by one rule on its training digits: the smallest number of errors when each of seven
parts is left out in turn. If the test digits are by new writers, the parts are the seven forms; otherwise random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from sklearn.datasets import load_digits
from sklearn.svm import SVC

from kcourse import Gaussian, KernelPerceptron
from measured import Claim, Row, table
from measured.common import least

WIDTHS, SLACKS = (0.7, 1.0, 1.4, 2.0), (1.0, 10.0)
# where each of the forms begins, with 0 1 2 3 …; the eighth has lost its first digit
FORMS = (0, 130, 256, 386, 516, 646, 776, 906, 1029, 1157, 1287, 1415, 1545, 1667)


@cache
def digits() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pixels (1797, 64) from 0 to 1, which digit, and on which form (0 to 13)."""
    data = load_digits()
    return data.data / 16, data.target, np.searchsorted(FORMS, np.arange(len(data.target)), side="right") - 1


class Split:
    """Training digits, with the part (0 to 6) of each, and test digits; by new writers or by the same."""

    def __init__(self, draw: int, new_writers: bool) -> None:
        _, which, form = digits()
        rng = np.random.default_rng(draw)
        if new_writers:
            place = np.argsort(rng.permutation(14))[form]  # the forms in a random order: the first seven learn
            learns = place < 7
        else:
            order = rng.permutation(len(which))
            place, learns = order % 7, order < 900
        self.learn, self.judge = rng.permutation(np.flatnonzero(learns)), np.flatnonzero(~learns)
        self.part = place[self.learn]

    def errors(self, wrong: Callable[..., int], settings: Sequence) -> int:
        """How often the method is wrong: ``wrong(setting, learn, judge)``, with the setting that the rule chooses."""

        def left_out(setting: object) -> int:
            return sum(wrong(setting, self.learn[self.part != p], self.learn[self.part == p]) for p in range(7))

        chosen = min(settings, key=left_out) if len(settings) > 1 else settings[0]
        return wrong(chosen, self.learn, self.judge)


# ---------------------------------------------------------------- three rules, each given a Gram matrix of all digits


def perceptron(K: np.ndarray, y: np.ndarray, learn: np.ndarray, judge: np.ndarray) -> int:
    """Errors of the kernel perceptron with b: a feature that is always 1."""

    def kernel(A: np.ndarray, B: np.ndarray) -> np.ndarray:  # points are their numbers
        return K[np.ix_(A[:, 0].astype(int), B[:, 0].astype(int))] + 1

    model = KernelPerceptron(kernel).fit(learn[:, None], y[learn])
    return int(np.sum(model.predict(judge[:, None]) != y[judge]))


def margin(K: np.ndarray, C: float, y: np.ndarray, learn: np.ndarray, judge: np.ndarray) -> int:
    """Errors of the widest margin with slack (chapter 6)."""
    model = SVC(kernel="precomputed", C=C).fit(K[np.ix_(learn, learn)], y[learn])
    return int(np.sum(model.predict(K[np.ix_(judge, learn)]) != y[judge]))


def neighbour(K: np.ndarray, y: np.ndarray, learn: np.ndarray, judge: np.ndarray) -> int:
    """Errors of the nearest image: ‖φ(x) - φ(z)‖², without k(x, x), which is the same for all z."""
    squares = K[learn, learn] - 2 * K[np.ix_(judge, learn)]
    return int(np.sum(y[learn][squares.argmin(axis=1)] != y[judge]))


# ---------------------------------------------------------------- Gram matrices of all digits


@cache
def linear() -> np.ndarray:
    return digits()[0] @ digits()[0].T


@cache
def gaussians(blur: bool = False) -> list[np.ndarray]:
    """One for each width; with ``blur`` of the mean of each picture and its eight shifts."""
    X = digits()[0]
    if blur:
        wide = np.pad(X.reshape(-1, 8, 8), ((0, 0), (1, 1), (1, 1)))
        shifts = [np.roll(wide, (r, c), axis=(1, 2)) for r in (-1, 0, 1) for c in (-1, 0, 1)]
        X = np.mean(shifts, axis=0).reshape(len(X), -1)
    return [Gaussian(sigma)(X) for sigma in WIDTHS]


@cache
def shifted() -> list[np.ndarray]:
    """The same for the mean of φ over a picture and its eight shifts by one pixel.

    Of the 81 pairs of shifts (s, t) only t - s matters: w of them have the same.
    """
    wide = np.pad(digits()[0].reshape(-1, 8, 8), ((0, 0), (2, 2), (2, 2)))
    X = wide.reshape(len(wide), -1)
    squares = np.sum(X**2, axis=1)
    K = [np.zeros((len(X), len(X))) for _ in WIDTHS]
    for row, col in ((r, c) for r in range(-2, 3) for c in range(-2, 3) if (r, c) >= (0, 0)):
        Z = np.roll(wide, (row, col), axis=(1, 2)).reshape(len(X), -1)
        D = squares[:, None] + squares - 2 * X @ Z.T
        w = (3 - abs(row)) * (3 - abs(col)) / 81
        for total, sigma in zip(K, WIDTHS, strict=True):
            part = w * np.exp(D / (-2 * sigma**2))
            total += part if row == col == 0 else part + part.T  # the opposite shift
    return K


# ---------------------------------------------------------------- what is measured


def odd_or_even(split: Split) -> Row:
    y = np.where(digits()[1] % 2 == 1, 1, -1)
    return {
        "plane": split.errors(lambda K, *at: perceptron(K, y, *at), [linear()]),
        "Gaussian": split.errors(lambda K, *at: perceptron(K, y, *at), gaussians()),
        "neighbour": split.errors(lambda K, *at: neighbour(K, y, *at), [linear()]),
    }


@table("errors, odd or even, among some 900 digits by new writers", 60, of="partitions of the forms")
def ch02_new_writers(draw: int) -> Row:
    return odd_or_even(Split(draw, new_writers=True))


@table("errors, odd or even, among 897 digits by writers of training digits", 60, of="random halves")
def ch02_same_writers(draw: int) -> Row:
    return odd_or_even(Split(draw, new_writers=False))


@table("errors, odd or even, among some 900 digits by new writers", 60, of="partitions of the forms", slow=True)
def ch02_alike(draw: int) -> Row:
    split, y = Split(draw, new_writers=True), np.where(digits()[1] % 2 == 1, 1, -1)
    of_shifts = [(K, C) for K in shifted() for C in SLACKS]
    return {
        "perceptron": split.errors(lambda K, *at: perceptron(K, y, *at), gaussians()),
        "perceptron with shifts": split.errors(lambda K, *at: perceptron(K, y, *at), shifted()),
        "neighbour": split.errors(lambda K, *at: neighbour(K, y, *at), [linear()]),
        "neighbour with shifts": split.errors(lambda K, *at: neighbour(K, y, *at), shifted()),
        "neighbour of blurs": split.errors(lambda K, *at: neighbour(K, y, *at), gaussians(blur=True)),
        "margin with shifts": split.errors(lambda at, *who: margin(*at, y, *who), of_shifts),
    }


@table("seconds of the processor, Gaussian, d = 64", over=(500, 1000, 2000, 4000, 8000), of="sizes n", timed=True)
def ch02_cost(n: int) -> Row:
    X, kernel = np.random.default_rng(n).random((n, 64)), Gaussian(3.0)
    weights = np.ones(n)
    return {
        "n": n,
        "Gram matrix": least(lambda: kernel(X), 3),
        "predictions": least(lambda: kernel(X[:1000], X) @ weights, 3),
    }


# ---------------------------------------------------------------- and what is said of it

CLAIMS = [
    Claim("kernel-beats-plane", ch02_new_writers, less="Gaussian", than="plane", holds=60, unit="errors"),
    Claim("neighbour-beats-kernel", ch02_new_writers, less="neighbour", than="Gaussian", holds=48, unit="errors"),
    Claim("neighbour-gains", ch02_alike, less="neighbour with shifts", than="neighbour", holds=40, unit="errors"),
    Claim("perceptron-gains", ch02_alike, less="perceptron with shifts", than="perceptron", holds=34, unit="errors"),
    Claim("blur-is-worse", ch02_alike, less="neighbour", than="neighbour of blurs", holds=56, unit="errors"),
    Claim("margin-is-better", ch02_alike, less="margin with shifts", than="neighbour", holds=40, unit="errors"),
]
