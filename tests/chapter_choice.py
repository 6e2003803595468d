"""The chapters whose rows are tested: all of them, or the one of ``make test PART=ch03``."""

from __future__ import annotations

import os

from kcourse import checks

__all__ = ["CHAPTERS", "PART", "is_chosen"]

PART = "KCOURSE_PART"  # a chapter's stem


def is_chosen(stem: str) -> bool:
    """Whether the rows of this chapter are tested."""
    return os.environ.get(PART, stem) == stem


CHAPTERS = tuple(filter(is_chosen, checks.CHAPTERS))
