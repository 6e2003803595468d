"""Item analysis: the mean share, discrimination and common mistakes of each exercise.

Difficulty is the mean share of the points (the item's *p*), so a larger value means an easier exercise. Discrimination
is the corrected item–total correlation: Pearson's *r* between the points of the exercise and the sum of all others of
its sheet. Its 95 % interval is Fisher's, tanh(artanh r ± 1.96/√(n − 3)) for n submissions. The interval is rough,
because it assumes two normally distributed quantities.
"""

from __future__ import annotations

import math
import re
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kcourse.checks import CHAPTERS, Exercise, exercises
from kcourse_grader.reports.results import Row

__all__ = ["Item", "as_tables", "correlation", "in_words", "interval", "items_of", "picture"]

_FEWEST = 4  # submissions: Fisher's interval needs more than three


@dataclass(frozen=True)
class Item:
    """Statistics of an exercise over ``count`` submissions.

    Attributes
    ----------
    mean_share, full : float
        the mean share of its points, and the share of submissions with full points.
    discrimination : float or None
        corrected item–total correlation; None for too few submissions, or if one quantity is constant.
    mistakes : tuple of (str, int)
        the mistakes that were recognised, in words, the most frequent first.
    """

    sheet: str
    name: str
    number: str
    count: int
    mean_share: float
    full: float
    discrimination: float | None
    mistakes: tuple[tuple[str, int], ...]


def items_of(rows: Sequence[Row]) -> list[Item]:
    """Return the exercises of the sheets in ``rows``, in the order of the course."""
    found = []
    for sheet in CHAPTERS:
        mine = [row for row in rows if row.sheet == sheet and row.points]
        for spec in exercises(sheet) if mine else ():
            points = [row.points.get(spec.name, 0.0) for row in mine]
            rest = [sum(row.points.values()) - own for row, own in zip(mine, points, strict=True)]
            mistakes = Counter(in_words(spec, m) for row in mine for name, m in row.mistakes if name == spec.name)
            found.append(
                Item(
                    sheet, spec.name, spec.number, len(mine), statistics.mean(points) / spec.points,
                    sum(own == spec.points for own in points) / len(mine), correlation(points, rest),
                    tuple(sorted(mistakes.items(), key=lambda item: (-item[1], item[0]))),
                )
            )  # fmt: skip
    return found


def in_words(spec: Exercise, mistake: str) -> str:
    """Return the first sentence that a student reads about a mistake; ``mistake`` is a name, or two as "a + b"."""
    hints = {known.name: known.hint for known in spec.misconceptions}
    parts = mistake.split(" + ")  # a name may contain a sum
    pairs = ((" + ".join(parts[:i]), " + ".join(parts[i:])) for i in range(len(parts)))
    names = next((pair for pair in pairs if hints.keys() >= set(pair) - {""}), (mistake,))
    return " ".join(re.split(r"(?<=[.!?])\s", hints.get(name, name))[0] for name in names if name)


def correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return Pearson's correlation; None if it is not defined, or for fewer than four pairs."""
    if len(one) < _FEWEST or len(set(one)) == 1 or len(set(other)) == 1:
        return None
    return statistics.correlation(one, other)


def interval(r: float, n: int) -> tuple[float, float]:
    """Return Fisher's 95 % interval of a correlation ``r`` of ``n`` pairs, n > 3."""
    if abs(r) > 1 - 1e-9:
        return r, r
    middle, width = math.atanh(r), 1.96 / math.sqrt(n - 3)
    return math.tanh(middle - width), math.tanh(middle + width)


def as_tables(items: Sequence[Item]) -> dict[str, list[list[str]]]:
    """Return the rows of exercises.csv and mistakes.csv, headers first."""
    exercises_ = [
        ["sheet", "number", "exercise", "submissions", "mean_share", "all_points", "discrimination", "from", "to"]
    ]
    mistakes = [["sheet", "number", "exercise", "mistake", "submissions", "share"]]
    for item in items:
        r = item.discrimination
        ends = ["", "", ""] if r is None else [f"{x:.2f}" for x in (r, *interval(r, item.count))]
        place = [item.sheet, item.number, item.name]
        exercises_.append([*place, str(item.count), f"{item.mean_share:.3f}", f"{item.full:.3f}", *ends])
        mistakes += [[*place, mistake, str(count), f"{count / item.count:.3f}"] for mistake, count in item.mistakes]
    return {"exercises.csv": exercises_, "mistakes.csv": mistakes}


def picture(items: Sequence[Item], path: Path) -> None:
    """Draw mean share, discrimination and the most frequent mistake of each exercise."""
    from matplotlib.figure import Figure

    sheets = list(dict.fromkeys(item.sheet for item in items))
    rows: list[Item | str] = [row for s in sheets for row in (s, *(item for item in items if item.sheet == s))]
    figure = Figure(figsize=(12, 0.34 * len(rows) + 1.1), layout="constrained")
    left, right, words = figure.subplots(1, 3, sharey=True, width_ratios=(3, 3, 6))
    for y, row in enumerate(rows):
        if isinstance(row, str):
            count = next(item.count for item in items if item.sheet == row)
            words.text(0, y, f"{count} submissions", va="center", color="0.35")
            continue
        left.barh(y, row.mean_share, color="#4477aa", height=0.62)
        inside = row.mean_share > 0.8
        left.text(
            row.mean_share + (-0.02 if inside else 0.02), y, f"{100 * row.mean_share:.0f} %", va="center",
            ha="right" if inside else "left", color="white" if inside else "black",
        )  # fmt: skip
        if row.discrimination is None:
            right.text(0.03, y, "not defined", va="center", color="0.35")
        else:
            right.plot(interval(row.discrimination, row.count), (y, y), color="#aa3377", lw=1.5)
            right.plot(row.discrimination, y, "o", color="#aa3377", ms=6)
        if row.mistakes:
            mistake, count = row.mistakes[0]
            mistake = mistake if len(mistake) <= 64 else f"{mistake[:63]}…"
            words.text(0, y, f"{count} of {row.count}: {mistake}", va="center")
    left.set(
        ylim=(len(rows) - 0.4, -0.6), xlim=(0, 1), xticks=(0, 0.5, 1), xticklabels=("0", "50 %", "100 %"),
        title="Mean share of the points",
    )  # fmt: skip
    left.set_yticks(range(len(rows)), [row if isinstance(row, str) else f"{row.number} {row.name}" for row in rows])
    for label, row in zip(left.get_yticklabels(), rows, strict=True):
        label.set_fontweight("bold" if isinstance(row, str) else "normal")
    left.tick_params(axis="y", length=0)
    right.set(xlim=(-1, 1), xticks=(-1, 0, 1), title="Correlation with the rest\nof the sheet, 95 % interval")
    right.axvline(0, color="0.6", lw=0.8)
    right.tick_params(axis="y", length=0)
    words.set_title("Most frequent mistake", loc="left")
    words.set_xlim(0, 1)
    words.axis("off")
    for axes in (left, right):
        axes.spines[["top", "right", "left"]].set_visible(False)
    figure.get_layout_engine().set(wspace=0.07)  # otherwise the ends of two scales touch
    figure.savefig(path, dpi=130)
