"""How the scripts beside this one print the small tables that chapters draw, or write them."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np


def main(doc: str, script: str, head: str, columns: str, rows: Iterable[tuple]) -> None:
    """Print the table of a script: where it was made, the names of its columns, its rows; ``--write FILE`` keeps it."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--write", type=Path, help="write the table to this file")
    options = parser.parse_args()
    made = f"{platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}, one thread"
    lines = [f"# {head}{made}; made by benchmarks/{script}", columns]
    lines += [",".join(v if isinstance(v, str) else f"{v:.6g}" for v in row) for row in rows]
    print("\n".join(lines))
    if options.write:
        options.write.write_text("\n".join(lines) + "\n", encoding="utf-8")


def times(call: Callable[[], object], runs: int, clock: Callable[[], float]) -> list[float]:
    """What ``runs`` calls take by ``clock``, after one that is not counted."""
    found = []
    for _ in range(runs + 1):
        start = clock()
        call()
        found.append(clock() - start)
    return found[1:]
