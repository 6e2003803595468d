"""Figures that `make slides` draws again for slides, with type that can be read from the last row.

They are in the course's ``.build``, in a file for each chapter that names the state of its notebook. If the file is
missing, as in a hand-out, or the notebook has changed, the slides show the notebook's own pictures.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

__all__ = ["drawn_for", "fingerprint", "read_with_drawn"]


def drawn_for(course: Path, stem: str) -> Path:
    """Return the path of the file with the figures for a chapter's slides."""
    return course / ".build" / "slides" / f"{stem}.json"


def fingerprint(notebook: Path) -> str:
    """Return a hash of a notebook, which identifies its state."""
    return hashlib.sha256(notebook.read_bytes()).hexdigest()


def read_with_drawn(notebook: Path, drawn: Path | None = None) -> dict[str, Any]:
    """Read an executed notebook, with the pictures of the file ``drawn`` if it exists and was made from this notebook.

    ValueError if the drawn pictures of a cell, or their alt texts, differ from those in the notebook.
    """
    content: dict[str, Any] = json.loads(notebook.read_text(encoding="utf-8"))
    if drawn is None or not drawn.exists():
        return content
    told = json.loads(drawn.read_text(encoding="utf-8"))
    if told["notebook"] != fingerprint(notebook):
        return content
    for cell in content["cells"]:
        stored = [output for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
        found = told["cells"].get(cell["id"], [])
        if [_words(output) for output in found] != [_words(output) for output in stored]:
            raise ValueError(
                f"{notebook.name}: the pictures of cell {cell['id']!r} are out of date. Run make notebooks"
            )
        for output, other in zip(stored, found, strict=True):
            output["data"]["image/png"], output["metadata"] = other["data"]["image/png"], other["metadata"]
    return content


def _words(output: dict[str, Any]) -> list[str]:
    """Return the alt texts of a figure's pictures, which are the same at every size."""
    states = output["metadata"].get("kcourse", {}).get("states", [])
    return [output["metadata"]["image/png"]["alt"], *(f"{state['says']} {state['alt']}" for state in states)]
