"""Measurements behind the statements of the chapters: behaviour over random replicates, cost over sizes.

Each module here belongs to a chapter and has its name. A function of one draw (a seed, a split, an order, a size)
returns named numbers, and `table` makes a table of it. A `Claim` says which number is smaller than which, and in how
many draws; the chapter names the claim in the cell next to its sentence: ``measured("chNN_name", "claim")``. ``make
measure`` runs what is stale and writes ``kcourse/measured_data/chNN_name.csv``, one row for each draw.

>>> @table("errors among a hundred", draws=10, of="splits")
... def ch00_toy(draw):
...     return {"careful": 3 + draw % 2, "quick": 9 - draw % 3}
>>> ch00_toy.over[:3], ch00_toy(1)
((0, 1, 2), {'careful': 4, 'quick': 8})
>>> Claim("care-pays", ch00_toy, less="careful", than="quick", holds=10, unit="errors").holds
10
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Claim", "Table", "table"]

Row = dict[str, float]


@dataclass(frozen=True)
class Table:
    """Table of a function of one draw, evaluated for all its draws; created by `table`.

    Attributes
    ----------
    function : callable
        draw → {name: number}, with the same names for each draw.
    what : str
        description of the measured quantity, with its unit.
    over : tuple
        the draws.
    of : str
        what the draws are, in the plural: "splits".
    timed : bool
        whether it measures seconds, memory or rounding errors, which are not reproducible.
    slow : bool
        whether a draw takes more than about two seconds, so that only the weekly run repeats it.
    tol : float
        relative tolerance when another version or computer repeats a number.
    off : float
        absolute tolerance, in the unit of the number, for counts of points so near a boundary that rounding decides.
    """

    function: Callable[[Any], Row]
    what: str
    over: tuple[Any, ...]
    of: str
    timed: bool = False
    slow: bool = False
    tol: float = 1e-4
    off: float = 1e-9

    def __call__(self, draw: Any) -> Row:
        return self.function(draw)

    @property
    def name(self) -> str:
        return self.function.__name__


def table(
    what: str,
    draws: int = 0,
    *,
    over: Sequence[Any] = (),
    of: str = "draws",
    timed: bool = False,
    slow: bool = False,
    tol: float = 1e-4,
    off: float = 1e-9,
) -> Callable[[Callable[[Any], Row]], Table]:
    """Make a table of a function, for the draws 0 … ``draws`` - 1 or for the draws in ``over``."""
    if bool(draws) == bool(over):
        raise ValueError("table: give either draws, their number, or over, the draws themselves.")
    return lambda function: Table(function, what, tuple(over or range(draws)), of, timed, slow, tol, off)


@dataclass(frozen=True)
class Claim:
    """Claim that ``less`` is smaller than ``than`` in at least ``holds`` draws.

    Attributes
    ----------
    id : str
        name of the claim in the chapter.
    table : Table
        the table with the measured numbers.
    less, than : str or number
        names of numbers in the table; ``than`` may be a number.
    holds : int
        number of draws in which the claim must hold.
    unit : str
        unit of the difference.
    """

    id: str
    table: Table
    less: str
    than: str | float
    holds: int
    unit: str = ""

    def __post_init__(self) -> None:
        if not 0 < self.holds <= len(self.table.over):
            raise ValueError(f"claim {self.id!r}: holds={self.holds} of {len(self.table.over)} {self.table.of}.")
