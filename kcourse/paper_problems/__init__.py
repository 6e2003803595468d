"""Problems for a pencil: drawn with fresh numbers, for drills in the lectures, for exams, for Moodle and Canvas.

A chapter's problems stand in ``kcourse/chapters/chNN_name/paper_problems.py`` as ``PROBLEMS``. Each knows its right
answer, the mistakes that lead to a wrong one, with a sentence and a share of the points, and a worked solution: see
`problem`.
"""

from kcourse.paper_problems.bank import bank, find
from kcourse.paper_problems.exact import Unfit, exact, fit, inverse, solve
from kcourse.paper_problems.problem import Choice, Drawn, Gap, Gaps, Misconception, Numbers, Order, Problem, draw

__all__ = [
    "Choice", "Drawn", "Gap", "Gaps", "Misconception", "Numbers", "Order", "Problem", "Unfit", "bank", "draw", "exact",
    "find", "fit", "inverse", "show_problems", "solve",
]  # fmt: skip


def show_problems(chapter: str) -> None:
    """Show the problems of a chapter, one at a time, with fields to answer in; for notebooks."""
    from kcourse.paper_problems.drill import show  # it needs Jupyter's packages

    show(chapter)
