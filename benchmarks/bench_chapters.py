"""*Run all* of each chapter, in a kernel that a hub or an editor started: nobody has set a thread there.

Beside it the same with as many threads of linear algebra as there are processors, which is what NumPy does by itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.harness import Limit, Row
from kcourse import threads

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
RUN = "from nbclient.cli import main; main()"
EVERY_THREAD = dict.fromkeys(threads.VARIABLES, str(os.cpu_count()))


def run_all(path: Path, *, copies: int = 1, variables: dict[str, str] | None = None) -> float:
    """Seconds until ``copies`` of the notebook, started together, have run from top to bottom; nothing is saved."""
    env = {name: value for name, value in os.environ.items() if name not in threads.VARIABLES}
    env |= {"JUPYTER_PREFER_ENV_PATH": "1"} | (variables or {})
    start = time.perf_counter()
    command = [sys.executable, "-c", RUN, path.name]
    running = [
        subprocess.Popen(command, cwd=path.parent, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(copies)
    ]
    for process in running:
        said, _ = process.communicate()
        if process.returncode:
            raise RuntimeError(f"{path.name} failed:\n{said}")
    return time.perf_counter() - start


def rows() -> Iterator[Row | Limit]:
    for path in sorted(NOTEBOOKS.glob("ch*.ipynb")):
        for copies, words, most in ((1, "", 30), (2, " beside a copy of itself", 60)):
            yield Limit(
                f"run all of {path.stem}{words}", "s", most,
                lambda path=path, copies=copies: run_all(path, copies=copies),
            )  # fmt: skip
            yield Row(
                f"run all of {path.stem}{words}", "the same with every thread", 1.1,
                ours=lambda path=path, copies=copies: run_all(path, copies=copies),
                theirs=lambda path=path, copies=copies: run_all(path, copies=copies, variables=EVERY_THREAD),
                runs=2,
            )  # fmt: skip
