"""Convert the stored notebooks of the course to notebooks of the site; nothing is run.

Figures become files with their alt texts. Interactive figures become pictures with the same controls as in JupyterLab
(`frames`). Formulas in the summary of a fold are set, and each page links to its slides and its sheet and says how to
run it.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from kcourse.commands.work import is_note
from kcourse.slides import state_says
from tools.links import STEM
from tools.site import paper_problems

_FORMULA = re.compile(r"(?<![$\\])\$(?!\$)([^$]+)(?<!\\)\$(?!\$)")
_CODE = re.compile(r"`([^`]+)`")
_SUMMARY = re.compile(r"<summary>.*?</summary>", re.DOTALL)
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_HEADING = re.compile(r"^```.*?^```|^#{1,4} +(.+?) *$", re.MULTILINE | re.DOTALL)
_PLACE = re.compile(r"\]\((?P<file>[\w./-]*\.ipynb)?#(?P<anchor>[^)]+)\)")


@dataclass(frozen=True)
class Chapter:
    """A notebook of the course."""

    path: Path
    cells: list[dict[str, Any]] = field(repr=False)

    @classmethod
    def read(cls, path: Path) -> Chapter:
        return cls(path, json.loads(path.read_text(encoding="utf-8"))["cells"])

    @property
    def stem(self) -> str:
        return self.path.stem

    @property
    def number(self) -> str:
        """The chapter's number, such as "3" or "6b"; "" for the start page."""
        match = STEM.match(self.stem)
        return match[1] + match[2] if match else ""

    @property
    def title(self) -> str:
        """The heading at the top, as text."""
        return next(match[1] for cell in self.cells if (match := _TITLE.search(source(cell))))

    @property
    def says(self) -> str:
        """The first sentence below the title that is not only "The first part of chapter …"."""
        text = " ".join(source(self.cells[0]).partition("\n")[2].split())
        sentences = re.split(r"(?<=[.?!])\s", text)
        return next((said for said in sentences if not re.match(r"The \w+ part of \[?chapter \d+", said)), "")

    @property
    def moves(self) -> bool:
        """Whether it has interactive figures."""
        return any(states_of(output) for cell in self.cells for output in cell.get("outputs", []))


def source(cell: dict[str, Any]) -> str:
    """Return the text of a cell, without the second names that headings have for JupyterLab."""
    return re.sub(r'<span id="[^"]*"></span>', "", joined(cell["source"]))


def joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def page(chapter: Chapter, bar: str, moving: Callable[[dict[str, Any], str], str], pictures: Path) -> dict[str, Any]:
    """Return a notebook for the site, without lecturer's notes, and write its pictures into ``pictures``.

    ``bar`` is shown below the title. ``moving(output, cell id)`` returns the HTML of an interactive figure.
    """
    cells: list[dict[str, Any]] = []
    labels: set[str] = set()
    for cell in (cell for cell in chapter.cells if not is_note(cell)):
        cells.append(
            _text(cell, chapter.stem, labels) if cell["cell_type"] == "markdown" else _code(cell, moving, pictures)
        )
        if bar and len(cells) == 1:
            cells.append({"cell_type": "markdown", "id": "kc-bar", "metadata": {}, "source": bar})
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
                "language_info": {"name": "python", "pygments_lexer": "ipython3"}}  # fmt: skip
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _text(cell: dict[str, Any], stem: str, labels: set[str]) -> dict[str, Any]:
    text = _SUMMARY.sub(lambda match: set_in_html(match[0]), source(cell))
    if "later" in cell["metadata"].get("tags", []):
        text = re.sub("$", "\n\n*A first reading can skip this section.*\n", text, count=1, flags=re.MULTILINE)
    return {"cell_type": "markdown", "id": cell["id"], "metadata": {}, "source": _labelled(text, stem, labels)}


def _labelled(text: str, stem: str, labels: set[str]) -> str:
    """Give each heading a label, and point links to headings (by their words, as in JupyterLab) to the labels."""

    def heading(match: re.Match[str]) -> str:
        name = label(stem, anchor(match[1])) if match[1] else ""
        if not name or name in labels:
            return match[0]
        labels.add(name)
        return f"({name})=\n{match[0]}"

    text = _HEADING.sub(heading, text)
    return _PLACE.sub(lambda m: f"](#{label(Path(m['file'] or stem).stem, unquote(m['anchor']))})", text)


def anchor(heading: str) -> str:
    """Return the name of a heading within its notebook, as JupyterLab makes it."""
    return re.sub(r"[*_`]", "", heading).replace(" ", "-")


def label(stem: str, anchor: str) -> str:
    """Return the name of a heading within the site, without dots, formulas and other scripts."""
    return f"{stem}-{hashlib.sha256(anchor.encode()).hexdigest()[:8]}"


def set_in_html(text: str) -> str:
    """Set formulas and code inside an HTML tag, where Markdown is not read."""
    text = _FORMULA.sub(lambda m: f'<span class="math">\\({html.escape(m[1], quote=False)}\\)</span>', text)
    return _CODE.sub(lambda m: f"<code>{html.escape(m[1])}</code>", text)


def _code(cell: dict[str, Any], moving: Callable[[dict[str, Any], str], str], pictures: Path) -> dict[str, Any]:
    folded = cell["metadata"].get("jupyter", {}).get("source_hidden", False)
    outputs = list(_outputs(cell, moving, pictures))
    return {"cell_type": "code", "id": cell["id"], "metadata": {"tags": ["hide-input"] if folded else []},
            "execution_count": None, "source": source(cell), "outputs": outputs}  # fmt: skip


def _outputs(
    cell: dict[str, Any], moving: Callable[[dict[str, Any], str], str], pictures: Path
) -> Iterator[dict[str, Any]]:
    drills = [
        o["metadata"]["kcourse"]["paper_problems"] for o in cell.get("outputs", []) if "paper_problems" in _ours(o)
    ]
    if drills:  # paper problems: one output instead of the notebook's three
        yield _as_html(paper_problems.place(drills[0]))
        return
    above = False  # after an interactive figure, whose words change, the first picture's words are left out
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        words = "kcourse-words" in joined(data.get("text/html", ""))
        if "image/png" in data:
            made = moving(output, cell["id"])
            answers = re.match(r"<details.*?</summary>", joined(data.get("text/html", "")))
            shown = made or picture(output, pictures)
            yield _as_html(f"{answers[0]}{shown}</details>" if answers else shown)
            above = bool(made)
        elif not (words and above):
            yield _as_html(joined(data["text/html"])) if "text/html" in data else output


def _ours(output: dict[str, Any]) -> dict[str, Any]:
    return output.get("metadata", {}).get("kcourse", {})


def _as_html(text: str) -> dict[str, Any]:
    return {"output_type": "display_data", "metadata": {}, "data": {"text/html": text}}


def picture(output: dict[str, Any], pictures: Path, loading: str = "lazy") -> str:
    """Return the tag of a stored figure, and write its file into ``pictures``, a folder next to the page's."""
    png = base64.b64decode(joined(output["data"]["image/png"]))
    name = _stored(png, pictures)
    told = output["metadata"]["image/png"]
    wide, high = size(png)
    return (
        f'<img class="kc-figure" src="../pictures/{name}" alt="{html.escape(told["alt"], quote=True)}" '
        f'width="{told["width"]}" height="{round(told["width"] * high / wide)}" loading="{loading}">'
    )


def _stored(png: bytes, pictures: Path) -> str:
    """Write a picture into the folder; return its file's name."""
    name = f"{hashlib.sha256(png).hexdigest()[:16]}.png"
    pictures.mkdir(parents=True, exist_ok=True)
    (pictures / name).write_bytes(png)
    return name


def size(png: bytes) -> tuple[int, int]:
    """Return width and height of a PNG in dots."""
    return struct.unpack(">II", png[16:24])


def states_of(output: dict[str, Any]) -> list[dict[str, str]]:
    """Return what the slides show of an interactive figure: the first picture, then its states with their settings."""
    stored = _ours(output).get("states", [])
    if not stored:
        return []
    first = {"png": output["data"]["image/png"], "alt": output["metadata"]["image/png"]["alt"], "says": "at first"}
    return [first, *stored]


def moving_states(output: dict[str, Any], pictures: Path) -> str:
    """Return the HTML of an interactive figure that shows only the pictures of its slides (quick sites)."""
    states = states_of(output)
    if not states:
        return ""
    shown = [[f"../pictures/{_stored(base64.b64decode(joined(s['png'])), pictures)}", s["alt"]] for s in states]
    face = {"name": "state", "label": "setting", "kind": "slider", "texts": [state_says(state) for state in states]}
    found = {"faces": [face], "at": {"state": 0}, "frames": list(range(len(states))), "pictures": shown, "left": []}
    controls = ", ".join(html.escape(label) for label in output["metadata"]["kcourse"].get("controls", []))
    note = (
        f'<p class="kc-note">Here the figure has {len(states)} settings: the first one and those on the slides. '
        f"Its controls ({controls}) work in the notebook, when you run it.</p>"
    )
    return moving_figure(output, found, "", pictures, note)


def moving_figure(output: dict[str, Any], found: dict[str, Any], folder: str, pictures: Path, note: str = "") -> str:
    """Return the HTML of an interactive figure: its first picture, and the data for ``explorer.js``."""
    width = output["metadata"]["image/png"]["width"]
    shown = found | {"width": width, "pictures": [[folder + file, alt] for file, alt in found["pictures"]]}
    data = json.dumps({k: v for k, v in shown.items() if k != "left"}, ensure_ascii=False).replace("</", "<\\/")
    return (
        f'<div class="kc-moving">{picture(output, pictures)}<script type="application/json">{data}</script>{note}</div>'
    )
