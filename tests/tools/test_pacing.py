"""Lectures that cannot be held as they say: too long, an answer beside its question, a question without one."""

from __future__ import annotations

import re

import pytest

from kcourse.slides import slides_of
from tools import pacing
from tools.source import read

TITLE = """# %% [markdown] slide="slide"
# # Ridge
#
# **Lecture:** one 45-minute lecture.
# %% [markdown] slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Slowly. Can be skipped: Second; A proof.
#
# </details>
"""


def cell(text: str, slide: str) -> str:
    lines = "\n".join(f"# {line}".rstrip() for line in text.split("\n"))
    return f'# %% [markdown] slide="{slide}"\n{lines}\n'


def note(minutes: int, text: str = "Ask.") -> str:
    return cell(f"<details><summary>For the lecturer ({minutes} min)</summary>\n\n{text}\n\n</details>", "notes")


SECTIONS = (
    *(cell("## First\n\nWords.", "slide"), note(20), cell("## Second\n\nWords.", "slide"), note(16)),
    *(cell("**A proof.** Words.", "subslide"), note(5)),
)


def faults(project, *parts, states=(), shows="") -> list[str]:
    """What is wrong with a lecture of these cells, as "line: message"; an explorer may stand at its end.

    Or a cell of code shows this, as HTML.
    """
    source = read(project.write(project.lecture, "".join(parts)), project.root)
    notebook = source.notebook()
    for cell in notebook.cells:
        cell.setdefault("outputs", [])
    if states:
        stored = [{"png": "", "alt": "", "says": "", "questions": list(state)} for state in states]
        notebook.cells[-1].outputs = [
            {"output_type": "display_data", "data": {}, "metadata": {"kcourse": {"states": stored}}}
        ]
    for cell in notebook.cells if shows else ():
        if cell.cell_type == "code":
            cell.outputs = [{"output_type": "display_data", "data": {"text/html": shows}, "metadata": {}}]
    pacing.check(source, notebook)
    return [f"{problem.line}: {problem.message}" for problem in sorted(source.problems)]


def test_the_minutes_are_those_of_the_notes_and_of_pages_that_have_none(project):
    assert faults(project, TITLE, *SECTIONS) == []
    [fault] = faults(
        project, TITLE, *SECTIONS, cell("**More.** " + 60 * "Words. ", "subslide"), 6 * cell("Few.", "subslide")
    )
    assert fault.startswith("2: the pages take 46 minutes, but the lecture promises 35 to 45.")
    assert fault.endswith("by section: Ridge 1, First 20, Second 25")
    [fault] = faults(project, TITLE.replace("**Lecture:**", "A lecture:"), *SECTIONS)
    assert fault.startswith("1: there are lecturer's notes, but no line")


@pytest.mark.parametrize(
    ("shown", "minutes"),
    [("Words.", 0.5), ("$$x$$", 1), (60 * "Words. ", 1), (3 * "<figure>a</figure>", 1.5)],
)
def test_a_page_without_a_note_takes_a_minute_if_there_is_much_to_say(shown, minutes):
    page = {"cell_type": "markdown", "id": "a", "metadata": {"slideshow": {"slide_type": "slide"}}, "source": shown}
    assert [slide.minutes for slide in slides_of({"cells": [page]})] == [minutes]


def test_two_lectures_end_with_a_section(project):
    two = TITLE.replace("one 45-minute lecture", "two 45-minute lectures").replace("; A proof", "")
    halves = [
        cell(f"## {name}\n\nWords.", "slide") + note(minutes) for name, minutes in (("Second", 40), ("Third", 44))
    ]
    assert faults(project, two, *halves) == []
    halves[0] = halves[0].replace("40 min", "1 min") + cell("**Long.** Words.", "subslide") + note(44)
    [fault] = faults(project, two, *halves)
    assert "lectures of 1, 45, 44 minutes instead of 2 of at most 45" in fault


def test_a_deck_has_a_page_for_75_seconds(project):
    title = TITLE.replace("; A proof", "")
    [fault] = faults(project, title, *SECTIONS[:2], cell("## Second", "slide"), note(5), 34 * cell("Few.", "subslide"))
    assert fault.startswith("2: 37 pages are more than 36")


def test_what_may_be_left_out_is_named_and_is_there(project):
    [fault] = faults(project, TITLE.replace("Second; A proof", "A proof; Nothing"), *SECTIONS)
    assert fault.startswith("2: “Can be skipped” names “Nothing”")
    [fault] = faults(project, TITLE.replace("Can be skipped: ", "Leave out "), *SECTIONS)
    assert fault.startswith("2: notes name 0 minutes that can be skipped, but 5 are needed")


ASKED = cell("## First\n\nWhich is larger?", "slide")


@pytest.mark.parametrize(
    ("slide", "below", "seen"),
    [
        ("-", "The left one.", True),
        ("fragment", "The left one.", False),
        ("subslide", "The left one.", False),
        ("-", "And which is wider?", False),
        ("-", "$$x=1$$", True),
        ("-", "1. One\n2. And two?", False),
        ("-", "<details><summary>What just happened</summary>\n\nThe left one.\n\n</details>", False),
        ("-", "<details><summary>What just happened</summary>\n\nWhich?\n\nThe left one.\n\n</details>", True),
    ],
)
def test_an_answer_comes_a_click_after_its_question(project, slide, below, seen):
    below = cell(below, slide).replace('slide="-"', 'key="here"')
    found = faults(project, TITLE, ASKED, note(20), below, *SECTIONS[2:])
    assert len(found) == seen and all("together with the question “Which" in fault for fault in found)
    assert all(re.match("12: slide page 2, “First”: ", fault) for fault in found)


def test_a_note_stands_on_the_page_of_its_question(project):
    answer = cell("The left one.", "subslide")
    assert faults(project, TITLE, ASKED, note(20), answer, *SECTIONS[2:]) == []
    [fault] = faults(project, TITLE, ASKED, answer, note(20), *SECTIONS[2:])
    assert "12: slide page 2, “First”: its question has no note, but the page “The left one.” after it has" in fault
    [fault] = faults(project, TITLE, *SECTIONS, cell("**Predict first.** It falls, or rises.", "subslide"))
    assert "“Predict first” without a lecturer's note" in fault


BET = cell("**Predict first.**\n\n1. Left?\n2. Right?", "subslide"), note(2)
EXPLORER = '# %% key="play" hide="input"\nplay()\n'


@pytest.mark.parametrize(
    ("states", "said"),
    [([[1], [2]], None), ([[1, 2]], None), ([[1], []], "question 2 of “Predict first” has no state"),
     ([[1], [2], [3]], "answers question 3, which is not asked")],
)  # fmt: skip
def test_each_numbered_question_has_a_state_of_the_explorer_below(project, states, said):
    found = faults(project, TITLE, *SECTIONS[:-1], note(3), *BET, EXPLORER, states=states)
    assert [fault.partition(":")[0] for fault in found] == (["40"] if said else [])
    assert all(said in fault for fault in found)


FOLD = "<details><summary>{}</summary>\n\nIt falls.\n\n</details>"


@pytest.mark.parametrize(
    ("shows", "says", "said"),
    [
        (FOLD.format("The picture"), FOLD.format("Why"), []),
        ("<table>…</table>", FOLD.format("Why"), ["its output is open below “Predict first”"]),
        (FOLD.format("The picture"), "It falls.", ["“It falls.” is open below “Predict first”"]),
    ],
)
def test_an_answer_waits_behind_a_fold_in_the_notebook(project, shows, says, said):
    bet = cell("## First\n\n**Predict first:** what happens?", "slide"), note(20)
    code = '# %% hide="input"\nshow_it()\n'
    found = faults(
        project, TITLE, *bet, code, cell(says, "fragment"), *SECTIONS[2:3], note(16), *SECTIONS[4:], shows=shows
    )
    assert len(found) == len(said) and all(words in fault for words, fault in zip(said, found, strict=True)), found
