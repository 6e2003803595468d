"""Find all problems: in the folders of the chapters, and the instructors' problems in the grader's package."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

from kcourse.paper_problems.problem import Problem

__all__ = ["bank", "chapters", "exam_bank", "find", "stems_of"]

_HELD_BACK = "kcourse_grader.exam_problems"  # which students do not have


def chapters() -> list[str]:
    """Return the stems of the chapters that have problems, in order."""
    return sorted(file.parent.name for file in Path(__file__).parents[1].glob("chapters/*/paper_problems.py"))


@cache
def bank(chapter: str) -> tuple[Problem, ...]:
    """Return the problems of a chapter, named as `stems_of` reads it; ValueError if it has none."""
    return tuple(
        replace(problem, chapter=stem)
        for stem in stems_of([chapter])
        for problem in import_module(f"kcourse.chapters.{stem}.paper_problems").PROBLEMS
    )


@cache
def exam_bank(chapter: str) -> tuple[Problem, ...]:
    """Return a chapter's problems for practice and, if the grader is installed, those for exams alone."""
    practice = bank(chapter)
    stems = dict.fromkeys(problem.chapter for problem in practice)
    return (*practice, *(replace(p, chapter=stem, bank="exam") for stem in stems for p in _held_back(stem)))


def _held_back(stem: str) -> tuple[Problem, ...]:
    try:
        return import_module(f"{_HELD_BACK}.{stem}").PROBLEMS
    except ModuleNotFoundError as missing:
        if not (missing.name or "").startswith("kcourse_grader"):
            raise
        return ()  # the students' edition, or a chapter without exam problems


def stems_of(wanted: Sequence[str]) -> list[str]:
    """Return the chapters' stems: "3", "ch03" and "ch03_ridge" are equal; "7" is 7a and 7b, "6" is 6 without 6b.

    ValueError for a chapter without problems; of no names all chapters.
    """
    found = []
    for name in wanted:
        number = re.fullmatch(r"(\d+)([a-z]?)", name)
        begin = f"ch{int(number[1]):02d}{number[2]}" if number else name
        stems = [s for s in chapters() if re.match(rf"{re.escape(begin)}(_|$)", s)]
        stems = stems or [s for s in chapters() if begin and s.startswith(begin)]  # both parts of chapter 7
        if not stems:
            raise ValueError(f"no chapter {name!r} with paper problems. Available: {', '.join(chapters())}")
        found += [stem for stem in stems if stem not in found]
    return found or chapters()


def find(name: str, own: Iterable[Problem] = ()) -> Problem:
    """Return the problem named "ch03_ridge/least_norm" or "3/least_norm", of the bank or of ``own``; or ValueError."""
    chapter, _, wanted = name.partition("/")
    stems = stems_of([chapter])
    known = [*(p for stem in stems for p in exam_bank(stem)), *(p for p in own if p.chapter in stems)]
    for problem in known:
        if problem.name == wanted:
            return problem
    raise ValueError(f"{chapter} has no problem {wanted!r}. Available: {', '.join(p.name for p in known)}")
