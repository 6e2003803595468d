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

from benchmarks.harness import Limit
from kcourse.base import threads

ROOT = Path(__file__).parents[1]
NOTEBOOKS = ROOT / "notebooks"
RUN = """
import sys
import nbformat
from nbclient import NotebookClient
from tools.kernels import ThisPythonsKernel

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, kernel_manager_class=ThisPythonsKernel, kernel_name="python3").execute()
"""
EVERY_THREAD = dict.fromkeys(threads.VARIABLES, str(os.cpu_count()))


def run_all(path: Path, *, copies: int = 1, variables: dict[str, str] | None = None) -> float:
    """Seconds until ``copies`` of the notebook, started together, have run from top to bottom; nothing is saved."""
    env = {name: value for name, value in os.environ.items() if name not in threads.VARIABLES}
    env |= {"PYTHONPATH": str(ROOT)} | (variables or {})
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


def share_of_every_thread(path: Path) -> float:
    """The time of one run as a share of that with every thread, which is run but once: it may take minutes."""
    return run_all(path) / run_all(path, variables=EVERY_THREAD)


def rows() -> Iterator[Limit]:
    chapters = sorted(NOTEBOOKS.glob("ch*.ipynb"))
    for path in chapters:
        for copies, words, most in ((1, "", 30), (2, " beside a copy of itself", 60)):
            yield Limit(
                f"run all of {path.stem}{words}",
                "s",
                most,
                lambda path=path, copies=copies: run_all(path, copies=copies),
            )
    ridge = next(path for path in chapters if path.stem == "ch03_ridge")  # one chapter tells
    yield Limit(
        f"run all of {ridge.stem} with one thread",
        "of the time",
        1.1,
        lambda: share_of_every_thread(ridge),
        peer="the same with every thread",
    )
