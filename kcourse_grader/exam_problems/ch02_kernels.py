"""Exam problems of this chapter."""

from __future__ import annotations

from kcourse.paper_problems import Problem

PROBLEMS: tuple[Problem, ...] = ()
