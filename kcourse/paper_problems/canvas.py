"""Problems for Canvas, as QTI 1.2, written by text2qti: each problem is a group, from which a quiz picks one question.

A single number becomes a numerical question; a wrong answer shows the solution. Several fields, or an order, become a
multiple choice between the right answer and those of the mistakes, each with its sentence. Free working becomes an
essay.
"""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from kcourse.paper_problems.markup import figure_of
from kcourse.paper_problems.page_data import listed, written
from kcourse.paper_problems.problem import Choice, Drawn, Free, Gaps, Numbers, steps_of

__all__ = ["package"]


def package(variants: Sequence[Sequence[Drawn]], title: str) -> bytes:
    """Return the zip archive that Canvas imports, for these variants (`kcourse.paper_problems.exam.variants`)."""
    from text2qti.config import Config
    from text2qti.qti import QTI
    from text2qti.quiz import Quiz

    with TemporaryDirectory() as folder:
        text = "\n".join([f"Quiz title: {title}", "", *_groups(variants, Path(folder))])
        made = QTI(Quiz(text, config=Config(), resource_path=folder)).zip_bytes()
    again = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(made)) as old, zipfile.ZipFile(again, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():  # without times, so that the same exam has the same bytes
            new.writestr(zipfile.ZipInfo(info.filename), old.read(info), zipfile.ZIP_DEFLATED)
    return again.getvalue()


def _groups(variants: Sequence[Sequence[Drawn]], folder: Path) -> list[str]:
    lines = []
    for column in zip(*variants, strict=True):
        questions = {drawn.asked: drawn for drawn in column}.values()
        same = len({drawn.statement for drawn in questions}) < len(questions)  # Canvas compares only texts
        lines += ["GROUP", "pick: 1", f"points per question: {column[0].problem.points}", ""]
        for number, drawn in enumerate(questions, start=1):
            lines += [f"Title: {drawn.problem.title}", *_question(drawn, number, folder, same), ""]
        lines += ["END_GROUP", ""]
    return lines


def _question(drawn: Drawn, number: int, folder: Path, same: bool) -> list[str]:
    kind = drawn.problem.kind
    one_number = isinstance(kind, Numbers) and len(drawn.fields) == 1
    parts = [drawn.statement, f"(Variant {number})" if same else ""]
    png, alt = figure_of(drawn)
    if png:
        file = folder / f"{drawn.problem.name}-{number}.png"
        file.write_bytes(base64.b64decode(png))
        parts.append(f"![{alt}]({file})")
    if isinstance(kind, Free):
        parts.append(kind.asks)
    elif one_number:
        parts.append("Give a decimal number with four decimals.")
    elif not isinstance(kind, Choice):
        labels = ", ".join(field.label for field in drawn.fields)
        parts += [listed(drawn), f"Which is right for {labels}?" if len(drawn.fields) > 1 else "Which order is right?"]
    lines = _item(f"{number}.", "\n\n".join(filter(None, parts)))
    if isinstance(kind, Free):
        steps = "\n".join(f"- {points:g}: {text}" for points, text in steps_of(drawn))
        return [*lines, *_item("...", f"{drawn.solution}\n\nPoints:\n\n{steps}"), "____"]
    lines += _item("-", drawn.solution)
    if one_number:
        return [*lines, f"=   {float(drawn.right[0]):.4f} +- {kind.room(drawn.right[0]):g}"]
    answers = {drawn.right: ""} | (
        _mixed(drawn) if isinstance(kind, Gaps) else {a: mistake.says for mistake, a in drawn.wrong}
    )
    shown = {a: a[0] if isinstance(kind, Choice) else written(drawn, a) for a in sorted(answers, key=str)}
    for letter, (answer, text) in zip("abcdefghijklmnop", shown.items(), strict=False):
        lines += _item(f"{'*' if answer == drawn.right else ''}{letter})", text)
        if answers[answer]:
            says = f"You get this {answers[answer]}." if isinstance(kind, Numbers) else answers[answer]
            lines += _item("...", says)
    return lines


def _mixed(drawn: Drawn) -> dict[tuple, str]:
    """Return wrong answers to all gaps at once, each gap wrong in about half of them.

    With one wrong gap in each, the right answer would be the one that most have in common.
    """
    rng, right = np.random.default_rng(drawn.seed), drawn.right
    found: dict[tuple, str] = {}
    while len(found) < 5:
        mistakes = [
            [(answer[i], mistake.says) for mistake, answer in drawn.wrong if answer[i] != right[i]]
            for i in range(len(right))
        ]
        taken = [each[rng.integers(len(each))] if rng.integers(2) else None for each in mistakes]
        if any(taken):
            answer = tuple(right[i] if t is None else t[0] for i, t in enumerate(taken))
            found[answer] = " ".join(f"({i + 1}) {t[1]}" for i, t in enumerate(taken) if t)
    return found


def _item(mark: str, text: str) -> list[str]:
    """Return an item in text2qti's language, with its later lines indented."""
    first, *rest = text.splitlines()
    width = " " * (len(mark) + 2)
    return [f"{mark}  {first}", *(width + line if line.strip() else "" for line in rest)]
