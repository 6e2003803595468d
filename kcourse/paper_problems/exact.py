"""Exact arithmetic for numbers that are computed with pencil and paper, and these numbers as LaTeX."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

__all__ = ["Unfit", "exact", "fit", "inverse", "solve", "tex"]

LARGEST, DENOMINATOR = 999, 99  # largest numbers for pencil and paper


class Unfit(ValueError):
    """These numbers do not make a problem for pencil and paper: draw others."""


def exact(values: Any) -> Any:
    """Return integers, or arrays of them, as fractions; an array keeps its shape (``dtype=object``)."""
    made = np.array([Fraction(v) for v in np.ravel(np.asarray(values, dtype=object))], dtype=object)
    return made.reshape(np.shape(values)) if np.ndim(values) else made[0]


def solve(A: Any, b: Any) -> Any:
    """Return the exact x with A x = b, for A (n, n) and b (n,) or (n, m); Unfit if A is singular.

    The entries of A and b are integers or fractions.
    """
    left, right = exact(A), exact(b)
    n = len(left)
    rows = np.column_stack([left, right.reshape(n, -1)])
    for j in range(n):
        pivot = next((i for i in range(j, n) if rows[i, j] != 0), None)
        if pivot is None:
            raise Unfit("a singular matrix")
        rows[[j, pivot]] = rows[[pivot, j]]
        rows[j] = rows[j] / rows[j, j]
        for i in set(range(n)) - {j}:
            rows[i] = rows[i] - rows[i, j] * rows[j]
    return rows[:, n:].reshape(right.shape)


def inverse(A: Any) -> Any:
    """Return the exact inverse of a matrix (n, n) of integers or fractions; Unfit if it is singular."""
    return solve(A, np.eye(len(A), dtype=int))


def fit(*values: Any, denominator: int = DENOMINATOR, largest: int = LARGEST) -> None:
    """Raise Unfit if a numerator is above ``largest`` or a denominator above ``denominator``."""
    for value in np.concatenate([np.ravel(np.asarray(v, dtype=object)) for v in values]):
        if isinstance(value, Fraction | int | np.integer):
            if abs(Fraction(value).numerator) > largest or Fraction(value).denominator > denominator:
                raise Unfit(f"{value} is too long for pencil and paper")
        elif not abs(value) <= largest:
            raise Unfit(f"{value} is too long for pencil and paper")


def tex(value: Any, sign: str = "") -> str:
    r"""Return a number, a vector, a matrix or a list as LaTeX; words do not change.

    ``sign`` "+" writes a term of a sum, with its sign and a space after it; "(" puts a negative number in parentheses.

    >>> from fractions import Fraction
    >>> tex(Fraction(-3, 4)), tex(2, "+"), tex(-2, "("), tex([1, 0.5]), tex(-0.001)
    ('-\\tfrac{3}{4}', '+ 2', '(-2)', '1, 0.5', '0')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return ", ".join(tex(v) for v in value)
    if isinstance(value, np.ndarray) and value.ndim == 1:
        return "(" + ", ".join(tex(v) for v in value) + ")"
    if isinstance(value, np.ndarray) and value.ndim == 2:
        rows = (" & ".join(tex(v) for v in row) for row in value)
        return r"\begin{pmatrix} " + r" \\ ".join(rows) + r" \end{pmatrix}"
    number = Fraction(value) if isinstance(value, int | np.integer) else value
    if isinstance(number, Fraction):
        size = abs(number)
        text = str(size.numerator) if size.denominator == 1 else rf"\tfrac{{{size.numerator}}}{{{size.denominator}}}"
    else:
        number = round(float(number), 2)
        text = f"{abs(number):.2f}".rstrip("0").rstrip(".")
    minus = bool(number < 0)
    if sign == "+":
        return f"{'-' if minus else '+'} {text}"
    return f"({'-' + text})" if minus and sign == "(" else "-" * minus + text
