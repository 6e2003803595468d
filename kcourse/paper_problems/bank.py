"""Find all problems in the folders of the chapters."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

from kcourse.paper_problems.problem import Problem

__all__ = ["bank", "chapters", "find"]


def chapters() -> list[str]:
    """Return the stems of the chapters that have problems, in order."""
    return sorted(file.parent.name for file in Path(__file__).parents[1].glob("chapters/*/paper_problems.py"))


@cache
def bank(chapter: str) -> tuple[Problem, ...]:
    """Return the problems of a chapter, given its stem ("ch03_ridge") or its beginning; ValueError if it has none."""
    found = [stem for stem in chapters() if stem == chapter] or [s for s in chapters() if s.startswith(chapter)]
    if not chapter or not found:
        raise ValueError(f"no chapter {chapter!r} with paper problems. Available: {', '.join(chapters())}")
    return tuple(
        replace(problem, chapter=stem)
        for stem in found
        for problem in import_module(f"kcourse.chapters.{stem}.paper_problems").PROBLEMS
    )


def find(name: str) -> Problem:
    """Return a problem by its name, "ch03_ridge/least_norm"; ValueError if it does not exist."""
    chapter, _, own = name.partition("/")
    for problem in bank(chapter):
        if problem.name == own:
            return problem
    raise ValueError(f"{chapter} has no problem {own!r}. Available: {', '.join(p.name for p in bank(chapter))}")
