"""One sandbox of each tier for many tests: starting it takes as long as grading ten notebooks."""

import os
import sys
from functools import cache

import pytest

from kcourse_grader.sandbox.sandbox import Limits, NoSandbox, Sandbox, available_tier
from tests.timeouts import scaled

# the command does not run there, and files have no modes
collect_ignore_glob = ["test_batch.py"] if sys.platform == "win32" else []
# short for those who do not end by themselves, not too short for the right answers beside them on a busy machine
QUICK = Limits(
    cell=scaled(0.6),
    cells=scaled(2.4),
    call=scaled(0.6),
    calls=scaled(2.4),
    patience=1.5,
    together=800_000_000,
)


@cache
def why_not(tier):
    """What this machine lacks for a tier, and how to get it; "" if the tier works."""
    if not sys.platform.startswith("linux"):
        return "the sandbox needs Linux"
    from kcourse_grader.sandbox.inside import harden

    if tier == 1 and available_tier() != 1:
        return "tier 1 needs bubblewrap that may make namespaces (Debian: apt install bubblewrap)"
    if tier == 2 and not (harden.knows_calls() and harden.landlock_abi() >= 6):
        return "tier 2 needs Linux 6.12 or newer with Landlock, on x86-64 or ARM64"
    return ""


def needs(tier):
    """Skip where a tier does not work; in CI, a missing bubblewrap is a failure."""
    if reason := why_not(tier):
        wanted = os.environ.get("CI") and tier == 1 and sys.platform.startswith("linux")
        (pytest.fail if wanted else pytest.skip)(reason)


TIERS = [tier for tier in (1, 2) if not why_not(tier)]


@pytest.fixture(scope="session")
def sandboxes():
    """The sandbox of a tier, started when it is first asked for."""
    opened = {}

    def of_tier(tier):
        needs(tier)
        if tier not in opened:
            try:
                opened[tier] = Sandbox(tier, QUICK).__enter__()
            except NoSandbox as error:
                pytest.fail(str(error))
        return opened[tier]

    yield of_tier
    for sandbox in opened.values():
        sandbox.close()


@pytest.fixture(scope="session", params=(1, 2), ids=lambda tier: f"tier{tier}")
def sandbox(request, sandboxes):
    return sandboxes(request.param)


@pytest.fixture(scope="session")
def one_sandbox(sandboxes):
    return sandboxes(TIERS[-1] if TIERS else 1)
