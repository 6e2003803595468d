"""Hypothesis: the same examples in every run of `make test`; new ones, and ten times as many, every week in CI."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("quick", derandomize=True, deadline=None, database=None)
settings.register_profile("weekly", deadline=None, database=None, print_blob=True)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE") or "quick"
settings.load_profile(PROFILE)


def examples(count: int) -> settings:
    """As many examples of a law; put it above ``@given``."""
    return settings(max_examples=count * 10 if PROFILE == "weekly" else count)
