"""What the chapters say about how methods behave, measured over draws; and what things cost, measured over sizes.

Each module here belongs to a chapter and has its name. A function of one draw (a seed, a split, an order, a size)
returns named numbers and is made a `table`; a `Claim` says which of them is less than which, and in how many draws. The
chapter names the claim in the cell beside its sentence: ``measured("chNN_name", "claim")``. ``make measure``
runs what is stale and writes ``notebooks/data/chNN_name.csv``, a row for each draw.

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
    """A function of one draw, over its draws; `table` makes one.

    Attributes
    ----------
    function : callable
        draw → {name: number}, the same names for each draw.
    what : str
        what is measured, with its unit, in words that a reader understands.
    over : tuple
        the draws.
    of : str
        what the draws are, in the plural: "splits".
    timed : bool
        whether it measures seconds, memory or rounding errors, which no later run repeats.
    slow : bool
        whether a draw takes more than some two seconds, so that only the weekly run repeats it.
    tol : float
        how far, relatively, a number may be from its old value where versions and machines differ.
    off : float
        the same in its unit, for counts of points so near a border that rounding may decide.
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
    """Make a table of a function: over the draws 0 … ``draws`` - 1, or over those that are named."""
    if bool(draws) == bool(over):
        raise ValueError("table: give either draws, their number, or over, the draws themselves.")
    return lambda function: Table(function, what, tuple(over or range(draws)), of, timed, slow, tol, off)


@dataclass(frozen=True)
class Claim:
    """In at least ``holds`` draws, ``less`` is less than ``than``.

    Attributes
    ----------
    id : str
        how the chapter calls it.
    table : Table
        what was measured.
    less, than : str or number
        names of the table's numbers; ``than`` may be a number.
    holds : int
        in how many draws it must hold.
    unit : str
        of the difference.
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
