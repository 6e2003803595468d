"""One sandbox for many tests: starting it takes as long as grading ten notebooks."""

import sys

import pytest

from kcourse.grading.grade import open_sandbox
from kcourse.grading.sandbox import Limits, NoSandbox, available_tier

# the command does not run there, and files have no modes
collect_ignore_glob = ["test_batch.py"] if sys.platform == "win32" else []
QUICK = Limits(cell=0.5, call=0.5, total=4, together=800_000_000)


def works(tier):
    if not sys.platform.startswith("linux"):
        return False
    from kcourse.grading import harden

    if tier == 1:
        return available_tier() == 1
    return harden.knows_calls() and harden.landlock_abi() >= 6


TIERS = [tier for tier in (1, 2) if works(tier)]


@pytest.fixture(scope="session", params=TIERS, ids=lambda tier: f"tier{tier}")
def sandbox(request):
    try:
        with open_sandbox(request.param, QUICK) as opened:
            yield opened
    except NoSandbox as error:
        pytest.fail(str(error))


@pytest.fixture(scope="session")
def one_sandbox():
    if not TIERS:
        pytest.skip("no sandbox works here")
    with open_sandbox(TIERS[-1], QUICK) as opened:
        yield opened
