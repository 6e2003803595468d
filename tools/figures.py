"""Draw the figures of chapters with their decks' own type: ``python -m tools.figures notebooks/ch03_ridge.ipynb FILE``.

The same cells, run once more, make pictures for a page of 1280 × 720 (`PAGE`); what they show and the words for who
cannot see it stay those of the notebook. They are kept in ``.build`` until the chapter changes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from kcourse.base import threads
from kcourse.lab.figures import Page
from kcourse.slides.drawn import drawn_for, fingerprint
from tools.cells import made_from, run_cells
from tools.freshness import Freshness

HERE = Path(__file__).resolve().parent.parent

# A figure's place in a deck is 1120 × 470 px. At 130 of them to an inch ten points are 18 px, which the last row reads,
# and most figures keep nine tenths of their size and more. Half as many dots again are sharp on 1920 × 1080.
PAGE = Page(width=1120 / 130, height=470 / 130, letters=10, dpi=195)


def draw(root: Path, stems: Sequence[str], say: Callable[[str], None] = print) -> None:
    """Draw the figures of those of the chapters that have changed, as many at a time as there are processors.

    ValueError if a chapter no longer shows what its notebook holds.
    """
    freshness = Freshness(root)

    def one(stem: str) -> None:
        notebook, file = root / "notebooks" / f"{stem}.ipynb", drawn_for(root, stem)
        now = made_from(notebook, Path(__file__), freshness)
        if file.exists() and json.loads(file.read_text(encoding="utf-8"))["made_from"] == now:
            return
        say(f"drawing the figures of {stem}")
        command = [sys.executable, "-m", "tools.figures", notebook, file, "--made-from", now]
        done = subprocess.run(command, cwd=HERE, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            raise ValueError(f"the figures of {stem} cannot be drawn: {done.stderr.strip()}")

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, stems))


def run(notebook: Path) -> dict[str, list[dict[str, Any]]]:
    """Run the notebook's cells where they stand; returns what each shows as pictures, by its id."""
    import matplotlib

    matplotlib.use("agg")
    from kcourse.lab import figures, widgets

    found: dict[str, list[dict[str, Any]]] = {}
    running = ""

    def begin(cell: str) -> None:
        nonlocal running
        running = cell

    def display(data: dict[str, Any], raw: bool, metadata: dict[str, Any]) -> None:
        if "image/png" in data:
            found.setdefault(running, []).append({"data": {"image/png": data["image/png"]}, "metadata": metadata})

    figures.page = PAGE
    figures.display = widgets.display = display
    run_cells(notebook, begin)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.figures", description="Draw the figures of a deck.")
    parser.add_argument("notebook", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--made-from", default="", help="a digest that is stored with them")
    options = parser.parse_args(arguments)
    os.environ.update(threads.settings({}))
    file, notebook = options.file.resolve(), options.notebook.resolve()
    told = {"made_from": options.made_from, "notebook": fingerprint(notebook), "cells": run(notebook)}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
