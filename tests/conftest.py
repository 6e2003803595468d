"""Hypothesis: the same examples in every run of `make test`, and ten times as many every week in CI, also the same."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# a busy machine is slow, not wrong; and what is found shall be found again
USUAL = {"derandomize": True, "deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", **USUAL)
settings.register_profile("weekly", **USUAL, print_blob=True)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE") or "quick"
WEEKLY = PROFILE == "weekly"
settings.load_profile(PROFILE)


def examples(count: int) -> settings:
    """As many examples of a law; put it above ``@given``."""
    return settings(max_examples=count * 10 if WEEKLY else count)
