"""The suite as a whole, tests and notebooks: its order, the notebooks' BLAS, and what each part took."""

from __future__ import annotations

import contextlib
import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import nbval.kernel
import pytest

from tests.machine import SLOWNESS, measured, patient
from tests.thorough import LEFT, is_left
from tools.kernels import KernelBesideOthers
from tools.test import ALL, BUDGET, PART, PARTS, PER_LECTURE, REST, ROOT, STRICT, SUITE, USUAL

# What takes longest comes first, so that no worker is left with it when the others are done.
FIRST = ("tests/zoo/", "tests/grading/test_nbgrader.py", "tests/browser/", "tests/site/test_site.py", "notebooks/",
         "solutions/", "exercises/", "tests/chapters/", "tests/checks/", "tests/grading/", "tests/tools/",
         "tests/reference/test_manners.py")  # fmt: skip


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # each worker collects for itself, and their lists must agree
    if addresses := [item.nodeid for item in items if " at 0x" in item.nodeid]:
        raise pytest.UsageError(f"a test's name has an address in it: {addresses[0]}; give ids=")
    suite = os.environ.get(SUITE, ALL)
    stale = [begins for begins, *_ in LEFT if not any(item.nodeid.startswith(begins) for item in items)]
    if stale and not _selected(config):
        raise pytest.UsageError(f"tests/thorough.py leaves out what there is not: {', '.join(stale)}")
    if suite != ALL and (not _selected(config) or os.environ.get(PART)):
        sides: dict[bool, list[pytest.Item]] = {True: [], False: []}
        for item in items:
            sides[is_left(item.nodeid)].append(item)
        config.hook.pytest_deselected(items=sides[suite == USUAL])
        items[:] = sides[suite == REST]
    items.sort(key=lambda item: next((i for i, name in enumerate(FIRST) if item.nodeid.startswith(name)), len(FIRST)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """A notebook's kernel is started before its first cell, and takes this variable along; see tools/test.py."""
    kernel = os.environ.get("KCOURSE_NOTEBOOKS_CORETYPE")
    with pytest.MonkeyPatch.context() as patch:
        if kernel and item.path.suffix == ".ipynb":
            patch.setenv("OPENBLAS_CORETYPE", kernel)
        return (yield)


# ---------------------------------------------------------------- what each part took


def part_of(nodeid: str) -> str:
    """The part of the suite that a test belongs to: a folder of tests/, but for those that `PARTS` names."""
    folders = nodeid.split("::")[0].split("/")
    name = folders[1] if folders[0] == "tests" else folders[0]
    return PARTS.get(name, name)


def core_seconds() -> float:
    """What this process and all that it started have computed, in all threads, the ended and (on Linux) the living."""
    total, queue = sum(os.times()[:4]), _children(os.getpid())
    while queue:
        pid = queue.pop()
        with contextlib.suppress(OSError):
            ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]
            total += sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
        queue += _children(pid)
    return total


def _children(pid: int) -> list[int]:
    found = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    return found


class Meter:
    """Reads off after each test, where tests run; what it reads travels with the test's last report."""

    def pytest_collection_finish(self) -> None:
        self.at = self.start = core_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> Iterator[None]:
        report = yield
        if call.when == "teardown":
            before, self.at = self.at, core_seconds()
            # less than nothing where something ended that was nobody's child any more
            took = {part_of(item.nodeid): max(0.0, self.at - before), "start": self.start}
            report.user_properties.append(("core-seconds", took))
            self.start = 0.0
        return report


class Bill:
    """Adds up what all workers have read off."""

    def __init__(self, workers: int) -> None:
        self.workers, self.took = workers, Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            self.took.update(dict(report.user_properties).get("core-seconds", {}))

    def total(self) -> str:
        """What each part has taken."""
        bill = ", ".join(f"{part} {took:.0f}" for part, took in sorted(self.took.items()))
        return f"core-seconds: {bill}; {sum(self.took.values()):.0f} in all"

    def lines(self, chapters: int, lectures: int = 0) -> tuple[str, list[str]]:
        """The line at the end, and a line for each part that takes half as much again as it may on this machine."""
        times = {part: max(lectures, chapters) if part in PER_LECTURE else chapters for part in BUDGET}
        may = {part: round(patient(alone + each * times[part])) for part, (alone, each) in BUDGET.items()}
        took = self.took | {"start": self.took["start"] / self.workers}
        bill = ", ".join(f"{part} {took.get(part, 0):.0f} of {most}" for part, most in may.items())
        over = [f"{part} took {took[part]:.0f} core-seconds of {may.get(part, 0)}, see BUDGET in tools/test.py"
                for part in took if took[part] > 1.5 * may.get(part, 0)]  # fmt: skip
        return f"core-seconds: {bill}; {sum(took.values()):.0f} of {sum(may.values())} in all", over


def pytest_configure(config: pytest.Config) -> None:
    nbval.kernel.KernelManager = KernelBesideOthers
    os.environ.setdefault(SLOWNESS, f"{measured():.2f}")  # workers are told what the first process has measured
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        # a shell's `&` has a program ignore Ctrl-C, and all that it starts, too: those that tests interrupt shall not
        signal.signal(signal.SIGINT, signal.default_int_handler)
    worker, workers = hasattr(config, "workerinput"), len(config.getoption("tx", None) or ())
    if worker or not workers:
        config.pluginmanager.register(Meter())
    if not worker and not _selected(config):
        config.pluginmanager.register(Bill(workers or 1), "bill")


def _selected(config: pytest.Config) -> bool:
    """Whether somebody has named what to run: then nothing of it is left out, and no bill is made."""
    options = config.option.keyword or config.option.markexpr
    return bool(options) or config.args_source is not config.ArgsSource.TESTPATHS


def pytest_sessionfinish(session: pytest.Session) -> None:
    bill = session.config.pluginmanager.get_plugin("bill")
    if bill and os.environ.get(STRICT) and session.exitstatus == 0 and bill.lines(*_chapters())[1]:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if bill := config.pluginmanager.get_plugin("bill"):
        line, over = bill.lines(*_chapters())
        if os.environ.get(SUITE) != USUAL:  # a budget is that of `make test`
            line, over = bill.total(), []
        terminalreporter.write_line(line)
        for text in over:
            terminalreporter.write_line(text, red=True)


def _chapters() -> tuple[int, int]:
    """How many sheets there are, each a chapter to the bill, and how many lectures."""
    sheets, lectures = (ROOT / "exercises").glob("ch*_sheet.ipynb"), (ROOT / "notebooks").glob("ch*.ipynb")
    return len(list(sheets)), len(list(lectures))
