"""The suite as a whole, tests and notebooks: which tests run, in which order, and the notebooks' BLAS."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator

import nbval.kernel
import pytest
from xdist.scheduler import LoadScopeScheduling

from tests.timeouts import SLOWNESS, slowness
from tools.kernels import KernelBesideOthers
from tools.limits import LIMITS
from tools.test import SUITE

MARKS = {"usual": "not slow and not weekly", "rest": "slow and not weekly"}
# The longest files come first, so that no worker is left with one when the others are done.
FIRST = (
    "tests/grader/adversarial/", "tests/browser/", "tests/site/", "notebooks/", "solutions/", "tests/grader/",
    "tests/chapters/",
)  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    nbval.kernel.KernelManager = KernelBesideOthers
    os.environ.setdefault(SLOWNESS, f"{slowness():.2f}")  # the first process measures it for all workers
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        # a shell's `&` has a program and its children ignore Ctrl-C; some tests interrupt what they start
        signal.signal(signal.SIGINT, signal.default_int_handler)
    named = config.option.keyword or config.option.markexpr or config.args_source is not config.ArgsSource.TESTPATHS
    if not named:
        config.option.markexpr = MARKS.get(os.environ.get(SUITE, ""), "")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # each worker collects for itself, and their lists must agree
    if addresses := [item.nodeid for item in items if " at 0x" in item.nodeid]:
        raise pytest.UsageError(f"a test's name has an address in it: {addresses[0]}; give ids=")
    everything = config.args_source is config.ArgsSource.TESTPATHS and not config.option.keyword
    if everything and len(items) > LIMITS["tests"]["collected"]:
        raise pytest.UsageError(f"{len(items)} tests are more than tools/limits.toml allows; parametrise by exercise, "
                                "take tests.rows.each for cheap rows, or raise the limit and say why")  # fmt: skip
    items.sort(key=lambda item: next((i for i, name in enumerate(FIRST) if item.nodeid.startswith(name)), len(FIRST)))


class ByFileOrExercise(LoadScopeScheduling):
    """Give a worker a whole file, whose tests share what they build; of the exercises' tests all of one exercise."""

    def _split_scope(self, nodeid: str) -> str:
        file, _, test = nodeid.partition("::")
        row = re.search(r"\[(\w+)", test) if file.startswith(("tests/chapters/", "tests/checks/")) else None
        return row[1] if row else file


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFileOrExercise | None:
    return ByFileOrExercise(config, log) if config.getvalue("dist") == "loadscope" else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """A notebook's kernel is started before its first cell, and takes this variable along; see tools/test.py."""
    kernel = os.environ.get("KCOURSE_NOTEBOOKS_CORETYPE")
    with pytest.MonkeyPatch.context() as patch:
        if kernel and item.path.suffix == ".ipynb":
            patch.setenv("OPENBLAS_CORETYPE", kernel)
        return (yield)
