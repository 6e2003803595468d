"""Run the tests: ``python -m tools.test [--all | --rest | --part …] [options of pytest]``, for ``make test`` and CI.

Without options this is what everybody runs on every commit: unit tests, laws, references, doctests,
the build, the checks, the grader, the browser, and each notebook cell by cell against its stored outputs. ``--all`` is
everything, ``--rest`` what the former leaves to the latter (`tests/thorough.py` says what and why). Files, notebooks or
single tests that are named are run instead, and options like ``-k ridge`` select from everything. What is the same
however pytest is started (where tests are, their order, the bill at the end) is in pyproject.toml and in conftest.py.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from kcourse.base import threads
from kcourse.base.files import home_instead
from kcourse.commands.cli import to_its_end

ROOT = Path(__file__).resolve().parent.parent

SUITE, USUAL, REST, ALL = "KCOURSE_SUITE", "usual", "rest", "all"  # which of the tests are run, if none are named
PART = "KCOURSE_PART"  # whether what is named is a part: then, too, what takes long is left out
STRICT = "KCOURSE_STRICT_BUDGET"  # whether a part that takes too long is a failure: every week

# Core-seconds of each part of `make test`: what it may take by itself, and for each chapter besides. The aim is that it
# ends within 5 minutes on two quick cores that do nothing else: 600 core-seconds, some of which are spent waiting. The
# numbers are those of slow cores (900 in all) times 0.62, by which the whole suite was quicker on quick ones; a slower
# machine may take longer (tests/machine.py). What takes half as much again is named at the end.
BUDGET = {
    "start": (8, 0),  # of each worker: to import everything and to find all tests
    "unit": (34, 0),
    "laws": (25, 0),
    "reference": (10, 0),
    "doctests": (1, 0),
    "house": (19, 0),  # the house's rules and the build
    "measured": (2, 1),  # two draws of each table
    "byhand": (10, 0),  # forty draws of each problem, an exam
    "checks": (12, 8),  # and each chapter's explorers
    "zoo": (44, 2),
    "grading": (45, 0),
    "notebooks": (8, 9),  # by itself: the start page and the errata
    "browser": (34, 0),  # the course once, and a deck
    "site": (28, 1),  # built once; a look at each page, a long one at one of each kind
}
PER_LECTURE = ("notebooks", "browser", "site")  # a lecture may have no sheet
# what the parts are called whose files do not lie in a folder of that name below tests/
PARTS = {
    "kcourse": "doctests",
    "chapters": "checks",
    "exercises": "notebooks",
    "solutions": "notebooks",
    "tools": "house",
}

# Instructions without FMA, which no processor of the last ten years uses by itself; then those of any ARM processor.
_OTHER_KERNELS = ("Sandybridge", "Nehalem", "ARMV8")


def main(options: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.test", add_help=False, allow_abbrev=False)
    parser.add_argument("--all", dest="suite", action="store_const", const=ALL, default=USUAL)
    parser.add_argument("--rest", dest="suite", action="store_const", const=REST)
    parser.add_argument("--part", nargs="+", default=[])
    chosen, options = parser.parse_known_args(options)
    if chosen.part:
        from tools import parts

        try:
            selected = parts.options(chosen.part)
        except ValueError as problem:
            print(f"make test: {problem}", file=sys.stderr)
            return 2
        options = [*selected, *options]
    env = environment() | {"KCOURSE_NOTEBOOKS_CORETYPE": other_blas_kernel(), SUITE: chosen.suite}
    if chosen.part and "-k" not in options:  # of a chapter nothing is left out
        env[PART] = "yes"
    # whole files to each worker, the longest first (conftest.py puts them in that order); one more than processors,
    # since a quarter of the time is spent waiting for browsers, and for those of the zoo who sleep
    workers = ["-n", str(min(5, (os.cpu_count() or 1) + 1)), "--dist", "loadfile", "--no-loadscope-reorder"]
    command = [sys.executable, "-m", "pytest", *workers, *options]
    code, _ = to_its_end(command, cwd=ROOT, env=env)  # after Ctrl-C pytest ends its workers, and says what was found
    return code


def environment() -> dict[str, str]:
    """The variables that tests run with, whatever the caller has set."""
    env = {
        **os.environ,
        **threads.settings({}),  # several workers with several threads each fight over the processors
        **home_instead(Path(sys.prefix)),
        "PYTHONHASHSEED": "0",
        "JUPYTER_PLATFORM_DIRS": "1",
        "JUPYTER_PREFER_ENV_PATH": "1",  # kernels of this environment, whatever is installed elsewhere
        "PYTHONUTF8": "1",
    }
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes would compile the same files again
    return env


def other_blas_kernel() -> str:
    """A value of OPENBLAS_CORETYPE that this machine can run and would not choose, or "".

    The stored outputs were made with whatever their author's processor chose. A number that holds only there does not
    belong into the book, so the notebooks are compared under another one.
    """
    usual = _blas_kernels({})
    return next((name for name in _OTHER_KERNELS if _blas_kernels({"OPENBLAS_CORETYPE": name}) not in ("", usual)), "")


def _blas_kernels(more: dict[str, str]) -> str:
    """What NumPy computes with, "" if it cannot: asked in a process of its own, since the choice is made on import."""
    ask = "import numpy, threadpoolctl; print(*[i.get('architecture') for i in threadpoolctl.threadpool_info()])"
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"} | more
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, env=env, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
