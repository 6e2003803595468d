"""All problems, found by the chapters' folders."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

from kcourse.paper_problems.problem import Problem

__all__ = ["bank", "chapters", "find"]


def chapters() -> list[str]:
    """The stems of the chapters that have problems, in order."""
    return sorted(file.parent.name for file in Path(__file__).parents[1].glob("chapters/*/paper_problems.py"))


@cache
def bank(chapter: str) -> tuple[Problem, ...]:
    """The problems of a chapter, by its stem ("ch03_ridge") or how that begins; ValueError if there is none."""
    found = [stem for stem in chapters() if stem == chapter] or [s for s in chapters() if s.startswith(chapter)]
    if not chapter or not found:
        raise ValueError(f"no chapter {chapter!r} with paper problems; there are {', '.join(chapters())}")
    return tuple(
        replace(problem, chapter=stem)
        for stem in found
        for problem in import_module(f"kcourse.chapters.{stem}.paper_problems").PROBLEMS
    )


def find(name: str) -> Problem:
    """The problem "ch03_ridge/least_norm"; ValueError if there is none."""
    chapter, _, own = name.partition("/")
    for problem in bank(chapter):
        if problem.name == own:
            return problem
    raise ValueError(f"{chapter} has no problem {own!r}; it has {', '.join(p.name for p in bank(chapter))}")
