"""What the exercises of chapter 7, second part, share: inputs on which no two slips agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from kcourse.checks.spec import Exercise, telling

__all__ = ["CHAPTER", "USE", "squares", "told_apart"]

CHAPTER = "ch07b_rbf_networks"
USE = "import numpy as np\n"  # how an experiment begins


def squares(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """‖a_i - b_j‖², shape (n, m)."""
    D = A[:, None] - B
    return np.einsum("ijd,ijd->ij", D, D)


def told_apart(
    rng: np.random.Generator, draw: Callable[[np.random.Generator], Sequence[tuple]], exercise: Callable[[], Exercise]
) -> Sequence[tuple]:
    """Draw until the right answer and all slips of ``exercise()`` differ from each other on some of the inputs."""
    spec = exercise()
    slips = [slip.wrong for slip in spec.misconceptions if slip.wrong]
    for _ in range(200):
        found = draw(rng)
        with np.errstate(all="ignore"):
            if telling(found, spec.reference, slips):
                return found
    raise RuntimeError(f"{spec.name}: in 200 draws no inputs on which all slips differ")
