"""Run the tests: ``python -m tools.test [--all | --rest | --part …] [options of pytest]``, for ``make test`` and CI.

Without options it runs what every commit must pass. ``--rest`` runs the tests that are marked ``slow``. ``--all`` also
runs the ``weekly`` tests, with more draws. If you name files, tests or an expression, these run instead, whatever their
marks. ``--part ch03`` runs the tests and notebooks of a chapter, ``--part ridge`` the tests named after a module.
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
from tests.chapter_choice import PART

ROOT = Path(__file__).resolve().parent.parent
SUITE = "KCOURSE_TESTS"  # says to conftest.py which tests run if no test is named
# files with rows for each chapter
BY_CHAPTER = ("tests/chapters/test_*.py", "tests/paper_problems/test_problems.py", "tests/measured/test_tables.py",
              "tests/notebooks/test_glossary.py", "tests/notebooks/test_notation.py")  # fmt: skip

# Kernels without FMA, which no processor of the last ten years chooses, and the kernel for any ARM processor.
_OTHER_KERNELS = ("Sandybridge", "Nehalem", "ARMV8")


def main(options: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.test", add_help=False, allow_abbrev=False)
    parser.add_argument("--all", dest="suite", action="store_const", const="all", default="usual")
    parser.add_argument("--rest", dest="suite", action="store_const", const="rest")
    parser.add_argument("--part")
    chosen, options = parser.parse_known_args(options)
    env = environment() | {"KCOURSE_NOTEBOOKS_CORETYPE": other_blas_kernel(), SUITE: chosen.suite}
    if chosen.suite == "all":
        env.setdefault("HYPOTHESIS_PROFILE", "weekly")
    if chosen.part:
        try:
            stem, files = part(chosen.part)
        except ValueError as problem:
            print(f"make test: {problem}", file=sys.stderr)
            return 2
        env |= {PART: stem} if stem else {}
        options = ["-m", "not slow and not weekly", *files, *options]
    # conftest.py distributes the tests; one worker more than processors, because some tests wait for browsers and
    # sandboxes
    workers = ["-n", str(min(5, (os.cpu_count() or 1) + 1)), "--dist", "loadscope", "--no-loadscope-reorder"]
    command = [sys.executable, "-m", "pytest", *workers, *options]
    code, _ = to_its_end(command, cwd=ROOT, env=env)  # after Ctrl-C, pytest ends its workers and prints its results
    return code


def part(name: str) -> tuple[str, list[str]]:
    """Return a chapter's stem ("" for a module of kcourse) and the files of its tests; ValueError for other names."""
    sources = sorted((ROOT / "notebooks" / "src").glob("ch*.py"))
    if stem := next((p.stem for p in sources if p.stem == name or p.stem.startswith(f"{name}_")), ""):
        patterns = [f"tests/chapters/{stem}", *BY_CHAPTER, f"notebooks/{stem}.ipynb", f"*/{stem}_sheet.ipynb"]
    else:
        patterns = [f"tests/**/test_{name}*.py", f"tests/{name}", f"tests/{name.removeprefix('kcourse_')}"]
        patterns += [name] if name == "kcourse_grader" else []
        patterns += [f"{package}/{name}{end}" for package in ("kcourse", "kcourse_grader") for end in (".py", "")]
    files = sorted({path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern)})
    if not files:
        raise ValueError(f"no part named {name!r}. Name a chapter (ch03) or a module or package of kcourse (ridge).")
    return stem, files


def environment() -> dict[str, str]:
    """Return the environment variables for tests, whatever the caller has set."""
    env = {
        **os.environ,
        **threads.settings({}),  # several workers with several threads each would slow each other down
        **home_instead(Path(sys.prefix)),
        "PYTHONHASHSEED": "0",
        "JUPYTER_PLATFORM_DIRS": "1",
        "JUPYTER_PREFER_ENV_PATH": "1",  # use this environment's kernels
        "PYTHONUTF8": "1",
    }
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # otherwise hundreds of processes compile the same files
    return env


def other_blas_kernel() -> str:
    """Return a value of OPENBLAS_CORETYPE that this machine can run but does not choose itself, or "".

    The stored outputs were made with the kernel of the author's processor. Notebooks are compared with another kernel,
    because the course must not contain numbers that are true only on one processor.
    """
    usual = _blas_kernels({})
    return next((name for name in _OTHER_KERNELS if _blas_kernels({"OPENBLAS_CORETYPE": name}) not in ("", usual)), "")


def _blas_kernels(more: dict[str, str]) -> str:
    """Return NumPy's BLAS kernels, or ""; a new process is needed because the choice is made on import."""
    ask = "import numpy, threadpoolctl; print(*[i.get('architecture') for i in threadpoolctl.threadpool_info()])"
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"} | more
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, env=env, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
