"""Draw the figures of chapters for their slides: ``python -m tools.figures notebooks/ch03_ridge.ipynb FILE``.

The chapter's cells run again and draw for a page of 1280 × 720 px (`PAGE`), with larger letters. Contents and alt texts
are those of the notebook. The pictures are kept in ``.build`` until the chapter changes.
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

# A figure has 1120 × 470 px on a slide. At 130 px per inch, ten points are 18 px, which the last row can read, and most
# figures keep at least nine tenths of their size. Pictures have 1.5 times as many dots, for screens of 1920 × 1080.
PAGE = Page(width=1120 / 130, height=470 / 130, letters=10, dpi=195)


def draw(root: Path, stems: Sequence[str], say: Callable[[str], None] = print) -> None:
    """Draw the figures of the chapters that have changed, as many at a time as there are processors.

    ValueError if the figures of a chapter cannot be drawn.
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
    """Run the notebook's cells in its folder; return cell id → the pictures that it shows."""
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
    parser = argparse.ArgumentParser(prog="python -m tools.figures", description="Draw the figures of a chapter.")
    parser.add_argument("notebook", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--made-from", default="", help="digest to store with the pictures")
    options = parser.parse_args(arguments)
    os.environ.update(threads.settings({}))
    file, notebook = options.file.resolve(), options.notebook.resolve()
    told = {"made_from": options.made_from, "notebook": fingerprint(notebook), "cells": run(notebook)}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
