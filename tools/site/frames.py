"""Draw the explorers of a chapter at some stops of their controls, for pages that have no kernel.

    python -m tools.site.frames notebooks/ch03_ridge.ipynb FOLDER --most 80

runs the notebook's cells in this process and writes to FOLDER a picture for each setting and ``frames.json``, in which
each explorer has its controls, the stops that were drawn, and for each setting the file and the words of its picture.
Settings are all combinations of the stops that are kept, so that a reader may move every control; which are kept,
`kept` says. Files are named by their content: settings that look the same share one.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import itertools
import json
import math
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kcourse.base import threads
from tools.cells import run_cells

SHARPNESS = 1.25  # dots of a picture for each of the page: between a plain screen and a sharp one
HERE_ONLY = "on this machine"  # a control whose label says so measures, and would show what the builder's machine took


def kept(stops: Sequence[int], musts: Sequence[set[int]], most: int, choices: Sequence[int] = ()) -> list[list[int]]:
    """Which stops of each control are drawn: numbers below ``stops``, of at most ``most`` settings in all if it may be.

    ``musts`` are always among them (where the explorer starts, and what its deck shows). Of a slider some stops tell
    the rest; the words of a choice do not, so ``choices`` are kept whole, the longest first, for up to two and a half
    times as many settings. Then the control with fewest gets the next stop, the one that is farthest from those it has:
    the ends first, then the gaps.
    """
    found = [sorted(must) for must in musts]
    for i in sorted(choices, key=lambda i: -stops[i]):
        others = math.prod(max(len(found[j]), min(2, n)) for j, n in enumerate(stops) if j != i)
        if stops[i] * others <= 2.5 * most:
            found[i] = list(range(stops[i]))
    growing = [i for i, n in enumerate(stops) if n > len(found[i])]
    while growing:
        i = min(growing, key=lambda i: len(found[i]))
        if math.prod(map(len, found)) // len(found[i]) * (len(found[i]) + 1) > most:
            growing.remove(i)
            continue
        far = max(set(range(stops[i])) - set(found[i]), key=lambda stop: (_gap(stop, found[i]), -stop))
        found[i] = sorted([*found[i], far])
        if len(found[i]) == stops[i]:
            growing.remove(i)
    return found


def _gap(stop: int, taken: list[int]) -> int:
    return min(abs(stop - other) for other in taken)


def draw(explorer: Any, states: Sequence[dict[str, Any]], folder: Path, most: int) -> dict[str, Any]:
    """Write the pictures of an explorer; returns what a page must know to show them."""
    controls, start = explorer.controls, dict(explorer.at)
    free = [name for name, control in controls.items() if HERE_ONLY not in control.label and len(control.stops) > 1]
    musts = [{start[name]} | {controls[name].stop_at(s[name]) for s in states if name in s} for name in free]
    choices = [i for i, name in enumerate(free) if controls[name].kind == "choice"]
    stops = kept([len(controls[name].stops) for name in free], musts, most, choices)
    explorer.density = SHARPNESS
    pictures: dict[tuple[str, str], int] = {}
    frames = []
    for setting in itertools.product(*stops):
        explorer.at = start | dict(zip(free, setting, strict=True))
        frames.append(pictures.setdefault((_write(explorer.picture, folder), explorer.alt), len(pictures)))
    explorer.at = start
    faces = [
        {"name": name, "label": controls[name].label, "kind": controls[name].kind,
         "texts": [controls[name].texts[stop] for stop in of]}
        for name, of in zip(free, stops, strict=True)
    ]  # fmt: skip
    at = {name: of.index(start[name]) for name, of in zip(free, stops, strict=True)}
    left = [controls[name].label for name in controls if name not in free]
    return {"faces": faces, "at": at, "frames": frames, "pictures": list(pictures), "left": left}


def _write(png: bytes, folder: Path) -> str:
    """Store a picture; returns its file's name."""
    from PIL import Image

    small = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").save(small, "webp", lossless=True, quality=60, method=4)
    name = hashlib.sha256(small.getvalue()).hexdigest()[:16] + ".webp"
    (folder / name).write_bytes(small.getvalue())
    return name


def _unseen(fig: Any, alt: str) -> tuple[dict[str, str], dict[str, Any]]:
    """In the place of a picture: nobody looks at figures that are no explorers."""
    return {"image/png": ""}, {"image/png": {"width": 0}}


def run(notebook: Path, folder: Path, most: int) -> dict[str, dict[str, Any]]:
    """Run the notebook's cells where they stand and draw each explorer when it is shown; by the id of its cell."""
    import matplotlib

    matplotlib.use("agg")
    from kcourse.lab import figures, widgets

    found: dict[str, dict[str, Any]] = {}
    states: dict[int, Sequence[dict[str, Any]]] = {}
    running = ""

    def begin(cell: str) -> None:
        nonlocal running
        running = cell

    class Drawn(widgets.Explorer):
        def __init__(self, fig: Any, update: Any, controls: Any, given: Sequence[dict[str, Any]] = ()) -> None:
            super().__init__(fig, update, controls)  # the states' own pictures are in the stored notebook
            states[id(self)] = given

        def show(self) -> None:  # at once: what its function reads may be rebound by a later cell
            found[running] = draw(self, states[id(self)], folder, most)

    widgets.Explorer = Drawn
    figures.picture_of = _unseen
    run_cells(notebook, begin)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.site.frames", description="Draw a chapter's explorers.")
    parser.add_argument("notebook", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=80, help="pictures of an explorer (default: 80)")
    options = parser.parse_args(arguments)
    os.environ.update(threads.settings({}))
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    found = run(options.notebook.resolve(), options.folder.resolve(), options.most)
    text = json.dumps(found, ensure_ascii=False, indent=1)
    (options.folder / "frames.json").write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
