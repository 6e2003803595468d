"""Draw the interactive figures of a chapter at some stops of their controls, for pages without a kernel.

    python -m tools.site.frames notebooks/ch03_ridge.ipynb FOLDER --most 80

This runs the notebook's cells in this process and writes a picture for each setting and ``frames.json`` into FOLDER.
For each figure, ``frames.json`` has the controls, the stops that were drawn, and the file and alt text for each
setting. Settings are all combinations of the stops that `kept` selects, so that a reader can move every control. Files
are named by their content, so settings that look the same share a file.
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

SHARPNESS = 1.25  # dots of a picture per dot of the page: between standard and high-resolution screens
HERE_ONLY = "on this machine"  # a control with this label measures times, and would show the builder's machine


def kept(stops: Sequence[int], musts: Sequence[set[int]], most: int, choices: Sequence[int] = ()) -> list[list[int]]:
    """Return which stops of each control are drawn (numbers below ``stops``): ``most`` settings, if possible.

    ``musts`` are always included (the start of the figure, and what its slides show). For a slider, some stops are
    enough. A choice needs all of its words, so ``choices`` are kept complete, the longest first, if there are at most
    2.5 times ``most`` settings. Then the control with the fewest stops gets the next stop, which is the one farthest
    from those it has, until ``most`` is reached.
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
    """Write the pictures of an interactive figure; return the data with which a page shows them."""
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
    """Store a picture; return its file's name."""
    from PIL import Image

    small = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").save(small, "webp", lossless=True, quality=60, method=4)
    name = hashlib.sha256(small.getvalue()).hexdigest()[:16] + ".webp"
    (folder / name).write_bytes(small.getvalue())
    return name


def _unseen(fig: Any, alt: str) -> tuple[dict[str, str], dict[str, Any]]:
    """Replace the pictures of all other figures, which are not needed here."""
    return {"image/png": ""}, {"image/png": {"width": 0}}


def run(notebook: Path, folder: Path, most: int) -> dict[str, dict[str, Any]]:
    """Run the notebook's cells in its folder, draw each interactive figure when it is shown; return them by cell id."""
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

        def show(self) -> None:  # draw now, because a later cell may change the variables that its function reads
            found[running] = draw(self, states[id(self)], folder, most)

    widgets.Explorer = Drawn
    figures.picture_of = _unseen
    run_cells(notebook, begin)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.site.frames", description="Draw interactive figures.")
    parser.add_argument("notebook", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=80, help="pictures for each figure (default: 80)")
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
