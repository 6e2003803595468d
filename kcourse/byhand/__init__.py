"""Problems for a pencil: drawn with fresh numbers, for drills in the lectures, for exams, for Moodle and Canvas.

A chapter's problems stand in ``kcourse/chapters/chNN_name/byhand.py`` as ``PROBLEMS``. Each knows its right answer, the
slips that lead to a wrong one, with a sentence and a share of the points, and a worked solution: see `problem`.
"""

from kcourse.byhand.bank import bank, find
from kcourse.byhand.exact import Unfit, exact, fit, inverse, solve
from kcourse.byhand.problem import Choice, Drawn, Gap, Gaps, Numbers, Order, Problem, Slip, draw

__all__ = [
    "Choice", "Drawn", "Gap", "Gaps", "Numbers", "Order", "Problem", "Slip", "Unfit", "bank", "by_hand", "draw",
    "exact", "find", "fit", "inverse", "solve",
]  # fmt: skip


def by_hand(chapter: str) -> None:
    """Show the problems of a chapter, one at a time, with fields to answer in; for notebooks."""
    from kcourse.byhand.drill import show  # it needs Jupyter's packages

    show(chapter)
