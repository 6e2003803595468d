"""Run every test: ``python -m tools.test [options of pytest]``. ``make test`` calls this, and so does CI.

Two runs of pytest. The first: unit tests, laws, references, doctests, the build, the checks, the browser, and every
lecture and solution cell by cell against its stored outputs. The second: the exercise sheets as they are handed out,
which have no outputs to compare with but must run. Options (``-k ridge``) select from the first and leave out the
second.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(options: list[str]) -> int:
    workers = str(min(4, os.cpu_count() or 1))
    strict = ["-n", workers, "--dist", "loadfile", "--nbval"]
    code = run_pytest([*strict, "tests", "kcourse", *notebooks("notebooks", "solutions"), *options])
    if code == 0 and not options:
        code = run_pytest(["--nbval-lax", *notebooks("exercises")])
    return code


def notebooks(*folders: str) -> list[str]:
    """The notebooks of these folders, one by one: pytest would take a folder's src/ for modules with doctests."""
    return [path.relative_to(ROOT).as_posix() for folder in folders for path in sorted((ROOT / folder).glob("*.ipynb"))]


def run_pytest(arguments: list[str]) -> int:
    """Run pytest with this interpreter, its kernels and one BLAS thread; returns its exit code."""
    env = {
        **os.environ,
        # several workers with several BLAS threads each fight over the processors
        **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
        "PYTHONHASHSEED": "0",
        "JUPYTER_PLATFORM_DIRS": "1",
        "JUPYTER_PREFER_ENV_PATH": "1",  # kernels of this environment, whatever is installed elsewhere
        "PYTHONUTF8": "1",
    }
    command = [sys.executable, "-m", "pytest", "--nbval-current-env", *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
