"""From the notebooks of the course, as they are stored, to the notebooks of the site.

Nothing is run here. Figures become files with their words beside them, explorers become pictures that answer to the
same controls as in JupyterLab (`frames`), formulas in the summary of a fold become formulas, and each page says where
its deck and its sheet are and how to run it.
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
    """A notebook of the course and what belongs to it."""

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
        """ "3", "6b", and "" for the start page."""
        match = STEM.match(self.stem)
        return match[1] + match[2] if match else ""

    @property
    def title(self) -> str:
        """The heading at the top, as text."""
        return next(match[1] for cell in self.cells if (match := _TITLE.search(source(cell))))

    @property
    def says(self) -> str:
        """What the first cell says below the title: its first sentence that says more than which part this is."""
        text = " ".join(source(self.cells[0]).partition("\n")[2].split())
        sentences = re.split(r"(?<=[.?!])\s", text)
        return next((said for said in sentences if not re.match(r"The \w+ part of \[?chapter \d+", said)), "")

    @property
    def moves(self) -> bool:
        """Whether it has explorers."""
        return any(states_of(output) for cell in self.cells for output in cell.get("outputs", []))


def source(cell: dict[str, Any]) -> str:
    """The text of a cell."""
    return joined(cell["source"])


def joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def page(chapter: Chapter, bar: str, moving: Callable[[dict[str, Any], str], str], pictures: Path) -> dict[str, Any]:
    """The notebook of the site: ``bar`` stands below the title, ``moving(output, cell id)`` makes an explorer's HTML.

    Pictures are written into the folder ``pictures``.
    """
    cells: list[dict[str, Any]] = []
    labels: set[str] = set()
    for cell in chapter.cells:
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
    return {"cell_type": "markdown", "id": cell["id"], "metadata": {}, "source": _labelled(text, stem, labels)}


def _labelled(text: str, stem: str, labels: set[str]) -> str:
    """Headings get a label, and links to a heading (in JupyterLab's way, by its words) lead to that."""

    def heading(match: re.Match[str]) -> str:
        name = label(stem, anchor(match[1])) if match[1] else ""
        if not name or name in labels:
            return match[0]
        labels.add(name)
        return f"({name})=\n{match[0]}"

    text = _HEADING.sub(heading, text)
    return _PLACE.sub(lambda m: f"](#{label(Path(m['file'] or stem).stem, unquote(m['anchor']))})", text)


def anchor(heading: str) -> str:
    """The name of a heading within its notebook, as JupyterLab makes it."""
    return re.sub(r"[*_`]", "", heading).replace(" ", "-")


def label(stem: str, anchor: str) -> str:
    """The name of a heading within the site, where dots, formulas and other scripts would make trouble."""
    return f"{stem}-{hashlib.sha256(anchor.encode()).hexdigest()[:8]}"


def set_in_html(text: str) -> str:
    """Formulas and code where Markdown is not read, that is, inside of an HTML tag."""
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
    if drills:  # paper problems: one place for what are three outputs in the notebook
        yield _as_html(paper_problems.place(drills[0]))
        return
    above = False  # an explorer: its words are live, so those of the first picture need not stand below it
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
    """The tag of a stored figure, whose file is written into ``pictures``, a folder beside the page's."""
    png = base64.b64decode(joined(output["data"]["image/png"]))
    name = _stored(png, pictures)
    told = output["metadata"]["image/png"]
    wide, high = size(png)
    return (
        f'<img class="kc-figure" src="../pictures/{name}" alt="{html.escape(told["alt"], quote=True)}" '
        f'width="{told["width"]}" height="{round(told["width"] * high / wide)}" loading="{loading}">'
    )


def _stored(png: bytes, pictures: Path) -> str:
    """Write a picture into the folder; returns its file's name."""
    name = f"{hashlib.sha256(png).hexdigest()[:16]}.png"
    pictures.mkdir(parents=True, exist_ok=True)
    (pictures / name).write_bytes(png)
    return name


def size(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG in dots."""
    return struct.unpack(">II", png[16:24])


def states_of(output: dict[str, Any]) -> list[dict[str, str]]:
    """What the deck shows of an explorer: the first picture, then its states, each with what moved."""
    stored = _ours(output).get("states", [])
    if not stored:
        return []
    first = {"png": output["data"]["image/png"], "alt": output["metadata"]["image/png"]["alt"], "says": "at first"}
    return [first, *stored]


def moving_states(output: dict[str, Any], pictures: Path) -> str:
    """An explorer that goes through the pictures of its deck: what a chapter has that has not been run for the site."""
    states = states_of(output)
    if not states:
        return ""
    shown = [[f"../pictures/{_stored(base64.b64decode(joined(s['png'])), pictures)}", s["alt"]] for s in states]
    face = {"name": "state", "label": "setting", "kind": "slider", "texts": [state_says(state) for state in states]}
    found = {"faces": [face], "at": {"state": 0}, "frames": list(range(len(states))), "pictures": shown, "left": []}
    controls = ", ".join(html.escape(label) for label in output["metadata"]["kcourse"].get("controls", []))
    note = (
        f'<p class="kc-note">Here it has {len(states)} settings: how it begins, and what its deck shows. '
        f"What the text says of its controls ({controls}) is for the notebook, when you run it.</p>"
    )
    return moving_figure(output, found, "", pictures, note)


def moving_figure(output: dict[str, Any], found: dict[str, Any], folder: str, pictures: Path, note: str = "") -> str:
    """The HTML of an explorer: its first picture, and the data that ``explorer.js`` makes it move with."""
    width = output["metadata"]["image/png"]["width"]
    shown = found | {"width": width, "pictures": [[folder + file, alt] for file, alt in found["pictures"]]}
    data = json.dumps({k: v for k, v in shown.items() if k != "left"}, ensure_ascii=False).replace("</", "<\\/")
    return (
        f'<div class="kc-moving">{picture(output, pictures)}<script type="application/json">{data}</script>{note}</div>'
    )
