"""Inputs for the exercises of chapter 7b on which no two mistakes give the same answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kcourse.checks.spec import Exercise, attempts, telling

__all__ = ["CHAPTER", "USE", "told_apart"]

CHAPTER = "ch07b_rbf_networks"
USE = "import numpy as np\n"  # the first line of an experiment


def told_apart(
    rng: np.random.Generator, draw: Callable[[np.random.Generator], Sequence[tuple]], exercise: Callable[[], Exercise]
) -> Sequence[tuple]:
    """Draw until the right answer and all mistakes of ``exercise()`` differ from each other on some of the inputs."""
    spec = exercise()
    mistakes = [mistake.wrong for mistake in spec.misconceptions if mistake.wrong]
    for _ in attempts(spec.name):
        found = draw(rng)
        with np.errstate(all="ignore"):
            if telling(found, spec.reference, mistakes):
                return found
