"""Figures that were drawn once more for a deck, with type that can be read from the last row (`make slides` does).

They lie in the course's ``.build``, in a file for each chapter that says of which notebook they are. Where there is
none, as in a hand-out, or where the notebook has changed since, the deck has the notebook's own pictures.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

__all__ = ["drawn_for", "fingerprint", "read_with_drawn"]


def drawn_for(course: Path, stem: str) -> Path:
    """The file that has the figures of a chapter's deck, if they were drawn."""
    return course / ".build" / "slides" / f"{stem}.json"


def fingerprint(notebook: Path) -> str:
    """What tells a notebook from any other state of it."""
    return hashlib.sha256(notebook.read_bytes()).hexdigest()


def read_with_drawn(notebook: Path, drawn: Path | None = None) -> dict[str, Any]:
    """An executed notebook, its pictures those of the file ``drawn`` if that is there and was made from it.

    ValueError if a cell was drawn that has other pictures, or other words for them.
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
            raise ValueError(f"{notebook.name}: cell {cell['id']!r} shows other pictures than it holds: make notebooks")
        for output, other in zip(stored, found, strict=True):
            output["data"]["image/png"], output["metadata"] = other["data"]["image/png"], other["metadata"]
    return content


def _words(output: dict[str, Any]) -> list[str]:
    """The words of a figure's pictures: what was drawn, the same at every size."""
    states = output["metadata"].get("kcourse", {}).get("states", [])
    return [output["metadata"]["image/png"]["alt"], *(f"{state['says']} {state['alt']}" for state in states)]
