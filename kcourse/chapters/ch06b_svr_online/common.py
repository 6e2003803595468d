"""Inputs for the exercises of chapter 6b on which no two mistakes give the same answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kcourse.checks.spec import Exercise, attempts, telling

__all__ = ["CHAPTER", "USE", "gram", "told_apart"]

CHAPTER = "ch06b_svr_online"
USE = "import numpy as np\n"  # the first line of an experiment


def gram(rng: np.random.Generator, n: int) -> np.ndarray:
    """A Gram matrix of full rank whose diagonal is not constant."""
    X = rng.normal(size=(n, 3))
    return rng.uniform(1.3, 2.2) * np.exp(-((X[:, None] - X[None]) ** 2).sum(-1) / 4) + 0.3 * X @ X.T


def told_apart(
    draw: Callable[[], Sequence[tuple]], exercise: Callable[[], Exercise], unnamed: Sequence[Callable] = ()
) -> Sequence[tuple]:
    """Draw until the right answer and all mistakes of ``exercise()`` differ from each other on some of the inputs.

    Each of ``unnamed``, wrong answers without a hint of their own, must also differ from all of these.
    """
    spec = exercise()
    mistakes = [mistake.wrong for mistake in spec.misconceptions if mistake.wrong]
    for _ in attempts(spec.name):
        found = draw()
        with np.errstate(all="ignore"):
            known = telling(found, spec.reference, mistakes)
            if known and all(telling(found, wrong, [spec.reference, *mistakes]) for wrong in unnamed):
                return found
    raise AssertionError("attempts has an end")
