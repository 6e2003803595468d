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
RUN = """
import sys
import nbformat
from nbclient import NotebookClient
from tools.kernels import ThisPythonsKernel

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, kernel_manager_class=ThisPythonsKernel, kernel_name="python3").execute()
"""
EVERY_THREAD = dict.fromkeys(threads.VARIABLES, str(os.cpu_count()))


def run_all(path: Path, **variables: str) -> float:
    """Seconds until the notebook has run from top to bottom; nothing is saved."""
    env = {name: value for name, value in os.environ.items() if name not in threads.VARIABLES}
    env |= {"PYTHONPATH": str(ROOT)} | variables
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", RUN, path.name], cwd=path.parent, env=env, check=True, capture_output=True)
    return time.perf_counter() - start


def rows() -> Iterator[Limit]:
    for path in sorted((ROOT / "notebooks").glob("ch*.ipynb")):
        yield Limit(f"run all of {path.stem}", "s", 30, lambda path=path: run_all(path))
    ridge = ROOT / "notebooks" / "ch03_ridge.ipynb"  # one chapter tells
    yield Limit(
        "run all of ch03_ridge with one thread", "of the time", 1.1,
        lambda: run_all(ridge) / run_all(ridge, **EVERY_THREAD), peer="the same with every thread",
    )  # fmt: skip
