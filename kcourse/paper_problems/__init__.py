"""Pencil-and-paper problems with random numbers, for practice in the lectures, for exams, for Moodle and Canvas.

The problems of a chapter are in ``kcourse/chapters/chNN_name/paper_problems.py`` as ``PROBLEMS``. Each has a right
answer, known mistakes with a sentence and a share of the points, and a worked solution: see `problem`. Problems that
only exams use are in ``kcourse_grader/exam_problems``, in the same form.
"""

from kcourse.paper_problems.bank import bank, exam_bank, find
from kcourse.paper_problems.exact import Unfit, exact, fit, inverse, solve
from kcourse.paper_problems.problem import (
    Choice,
    Drawn,
    Free,
    Gap,
    Gaps,
    Misconception,
    Numbers,
    Order,
    Problem,
    Step,
    draw,
    option,
)

__all__ = [
    "Choice", "Drawn", "Free", "Gap", "Gaps", "Misconception", "Numbers", "Order", "Problem", "Step", "Unfit", "bank",
    "draw", "exact", "exam_bank", "find", "fit", "inverse", "option", "show_problems", "solve",
]  # fmt: skip


def show_problems(chapter: str) -> None:
    """Show the problems of a chapter in a notebook, one at a time, with fields for the answer."""
    from kcourse.paper_problems.drill import show  # needs Jupyter's packages

    show(chapter)
