"""Run a notebook's cells without a kernel, for programs that draw its figures in another way."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # it imports packages that WebAssembly does not have
    from tools.freshness import Freshness

__all__ = ["made_from", "run_cells"]


def run_cells(
    notebook: Path, begin: Callable[[str], object], failed: Callable[[str, Exception], object] | None = None
) -> None:
    """Run the code of ``notebook`` in its folder; call ``begin`` with each cell's id. Printed text is dropped.

    If ``failed`` is given, it is called with the error that a cell raised, and the next cells still run.
    """
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.chdir(notebook.parent), contextlib.redirect_stdout(io.StringIO()):
        for cell in cells:
            if cell["cell_type"] == "code":
                begin(cell["id"])
                try:
                    exec(compile("".join(cell["source"]), f"{notebook.stem}:{cell['id']}", "exec"), names)
                except Exception as error:
                    if failed is None:
                        raise
                    failed(cell["id"], error)


def made_from(notebook: Path, drawer: Path, freshness: Freshness) -> str:
    """Return a digest of what a notebook's pictures are made from; ``drawer`` is the program that makes them."""
    source = notebook.parent / "src" / f"{notebook.stem}.py"
    texts = [path.read_text(encoding="utf-8") for path in (notebook, drawer, Path(__file__))]
    return hashlib.sha256("\n".join([freshness.made_from(source), *texts]).encode()).hexdigest()
