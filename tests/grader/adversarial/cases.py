"""What an adversarial case is: a file that somebody handed in, and the grade that it must get."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from kcourse.checks import exercises
from tests.grader.notebooks import ROOT, SHEET, SOLVED, as_bytes

POINTS = {spec.name: spec.points for spec in exercises(SHEET)}
TARGET = "effective_df"  # the answer that is replaced: no other one calls it
FILE = f"{SHEET}_sheet.ipynb"


@dataclass(frozen=True)
class Case:
    """A hostile or damaged notebook."""

    name: str  # also the student's
    data: bytes | Callable[[Path], None]  # what is handed in, or what puts the files there; «name» in it: a bait's path
    lost: dict[str, float] = field(default_factory=dict)  # points that are left of an exercise; others have full marks
    says: tuple[str, ...] = ()  # all of these stand in the feedback; "a|b" is either
    status: str = "graded"  # of the grade; "" if there is none, because nothing was handed in
    review: bool | None = False  # whether a human is asked to look at it; None where that depends on the sandbox
    noted: bool | None = False  # whether there are notes on the file; None for whatever
    file: str = FILE
    ends: bool | None = None  # whether it ends by itself, so that the grader may be patient; None: if nothing took long

    @property
    def expected(self) -> dict[str, float]:
        """The points of each exercise."""
        return POINTS | self.lost


TOO_LONG = "took too long"
WAITS = "waited without|took too long"  # the latter where many others are at the processor
NOTHING = dict.fromkeys(POINTS, 0)


def token(name: str) -> str:
    """Words that stand in this case's notebook and nowhere else."""
    return f"written-by-{'-'.join(name.split())}"


def body(code: str, name: str = TARGET) -> str:
    """An answer to ``name`` of these lines."""
    [spec] = [spec for spec in exercises(SHEET) if spec.name == name]
    lines = "\n".join(f"    {line}" for line in code.splitlines())
    return f"def {spec.signature}:\n{lines}\n"


def notebook(name: str, cells: list[str]) -> bytes:
    """A file with these cells, and one more that tells whose it is."""
    return as_bytes([*cells, f"# {token(name)}"])


def _looked_at(says: tuple[str, ...]) -> bool | None:
    """Every time-out is shown to a human."""
    return True if TOO_LONG in says else None if any(TOO_LONG in words for words in says) else False


def answers(name: str, code: str, *says: str, at: str = TARGET, **more: object) -> Case:
    """Somebody whose function ``at`` has these lines, all else being right."""
    lost = more.pop("lost", {at: 0})
    more.setdefault("review", _looked_at(says))
    return Case(name, notebook(name, list((SOLVED | {at: body(code, at)}).values())), lost, says, **more)


def runs(name: str, code: str, *says: str, again: int = 1, **more: object) -> Case:
    """Somebody with this cell, or several of them, before all right answers."""
    more.setdefault("review", _looked_at(says))
    more = {"lost": {}, "noted": bool(says), **more}
    return Case(name, notebook(name, [code] * again + list(SOLVED.values())), says=says, **more)


def book(kind: str = "solutions") -> dict:
    """The notebook of the solutions or of the exercises, as it is; without the figure, which takes its time."""
    content = json.loads((ROOT / kind / FILE).read_text(encoding="utf-8"))
    content["cells"] = [cell for cell in content["cells"] if cell.get("id") != "helmet-figure"]
    return content


def packed(content: object) -> bytes:
    """The file of a notebook; what UTF-8 does not know, JSON escapes."""
    return json.dumps(content).encode()
