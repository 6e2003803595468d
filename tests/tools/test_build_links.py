"""Chapters that a lecture speaks of become links, and so do the sections of its plan."""

from __future__ import annotations

import json
import re

import pytest

from tools import build


@pytest.fixture
def course(project):
    for stem in ("ch02_kernels", "ch06_svm", "ch06b_svr_online", "ch07a_rbf_interpolation", "ch07b_rbf_networks"):
        project.write(f"notebooks/src/{stem}.py", "# %% [markdown]\n# # One\n")
    return project


def prose(project, *cells, name="notebooks/src/ch03_ridge.py"):
    text = "\n\n".join("# %% [markdown]\n# " + cell.replace("\n", "\n# ") for cell in cells) + "\n"
    return [cell.source for cell in project.cells(text, name)]


def test_the_first_mention_in_a_section_is_a_link(course):
    first, second, third = prose(
        course,
        "# Ridge\nAs in chapter 2, and chapter 6's loss.",
        "See Chapter 2.",
        "## More\nChapter 2 again (chapter 6).",
    )
    assert first == "# Ridge\nAs in [chapter 2](ch02_kernels.ipynb), and [chapter 6](ch06_svm.ipynb)'s loss."
    assert second == "See Chapter 2."
    assert third == "## More\n[Chapter 2](ch02_kernels.ipynb) again ([chapter 6](ch06_svm.ipynb))."


def test_of_a_chapter_with_two_lectures_the_one_that_is_named(course):
    (text,) = prose(course, "Chapters 6 and 7; chapter 6, chapter 7b and chapter 7a.")
    assert text == (
        "Chapters 6 and 7; [chapter 6](ch06_svm.ipynb), [chapter 7b](ch07b_rbf_networks.ipynb) "
        "and [chapter 7a](ch07a_rbf_interpolation.ipynb)."
    )


@pytest.mark.parametrize(
    "text",
    [
        "chapter 9 is not written yet, and chapter 20 is another book's",
        "this is chapter 3 itself",
        "`chapter 2` and $x$ is chapter-2",
        "```\nchapter 2\n```",
        "### After chapter 2",
        '<span title="chapter 2">two</span>',
        "[chapter 2, kernels](ch02_kernels.ipynb), which is chapter 2",
    ],
)
def test_what_is_left_as_it_is(course, text):
    assert prose(course, text) == [text]


def test_a_second_lecture_links_to_the_first(course):
    (text,) = prose(course, "the first part of chapter 6", name="notebooks/src/ch06b_svr_online.py")
    assert text == "the first part of [chapter 6](ch06_svm.ipynb)"


def test_the_plan_links_what_an_hour_is_enough_for_and_what_a_first_reading_can_skip(project):
    tagged = {"**Reading:** two hours.": [], "## The *kernel* trick: how?": ["hour"], "### Proof": ["later"],
              "## Two α": [], "## End": ["hour"]}  # fmt: skip
    cells = (f"# %% [markdown] tags={json.dumps(tags)}\n# {text}\n\n" for text, tags in tagged.items())
    plan, *sections = project.cells("".join(cells))
    assert sections[2].source == '## Two α<span id="Two-%CE%B1"></span>'  # JupyterLab does not decode a link's name
    hour, later = plan.source.split("skip")
    assert re.findall(r"\(#.+?\)", hour) == ["(#The-kernel-trick:-how?)", "(#End)"]
    assert re.findall(r"\(#.+?\)", later) == ["(#Proof)"]


def test_a_new_chapter_makes_the_others_stale(project):
    project.write("notebooks/src/ch03_ridge.py", "# %% [markdown]\n# # Ridge\n# chapter 4 goes on\n")
    assert project.build() == []
    assert "up to date notebooks/ch03_ridge.ipynb" in (project.build(), project.said)[1]
    project.write("notebooks/src/ch04_gp.py", "# %% [markdown]\n# # Processes\n")
    assert project.build() == []
    assert "[chapter 4](ch04_gp.ipynb)" in "".join(project.notebook("notebooks/ch03_ridge.ipynb")["cells"][0]["source"])


ERRATA = """# %% [markdown] key="top"
# E01 and E99; `E01`.

# %% [markdown] key="E01"
# ### E01. A *name*, misspelt
# Not as in E02.

# %% [markdown] key="E02"
# ### E02. One sign

# %% [markdown] key="E03"
# See chapter 2.
"""
COVERAGE = """[errata]
E01 = ["ch02_kernels#lift", "ch02_kernels#count", "00_start_here#names"]
E02 = ["ch06b_svr_online#tube"]
"""


@pytest.fixture
def with_errata(course):
    course.write("notebooks/src/coverage.toml", COVERAGE)
    course.write("notebooks/src/00_start_here.py", '# %% [markdown] key="names"\n# ## Names\n')
    course.write("notebooks/src/ch06b_svr_online.py", '# %% [markdown] key="tube"\n# # A tube\n')
    kernels = '# %% [markdown] key="lift"\n# ## Lift *it*: how?\n\n# %% key="count"\n1\n'
    course.write("notebooks/src/ch02_kernels.py", kernels)
    return course


def test_an_erratum_links_to_the_sections_that_repair_it_and_entries_to_each_other(with_errata):
    top, first, second, third = (c.source for c in with_errata.cells(ERRATA, "notebooks/src/errata.py"))
    assert top == "[E01](#E01.-A-name,-misspelt) and E99; `E01`."
    assert first == (
        "### E01. A *name*, misspelt\nNot as in [E02](#E02.-One-sign).\n\n*In the course:* "
        "[chapter 2, *Lift it: how?*](ch02_kernels.ipynb#Lift-it:-how?); "
        "[start page, *Names*](00_start_here.ipynb#Names)."
    )
    assert second.endswith("*In the course:* [chapter 6b, *A tube*](ch06b_svr_online.ipynb#A-tube).")
    assert third == "See [chapter 2](ch02_kernels.ipynb)."


def test_an_erratum_that_is_placed_needs_an_entry(with_errata):
    text = ERRATA.replace('key="E02"', 'key="E04"')
    source, _ = build.prepare(with_errata.write("notebooks/src/errata.py", text), with_errata.root, with_errata.lookup)
    assert [str(p) for p in source.problems] == [
        "notebooks/src/errata.py:1: E02 of coverage.toml has no entry. Add a text cell with key='E02'"
    ]


@pytest.mark.parametrize("lost", ["ch02_kernels#gone", "ch99_nowhere#lift"])
def test_an_erratum_that_is_placed_nowhere_is_named(with_errata, lost):
    with_errata.write("notebooks/src/coverage.toml", COVERAGE.replace("ch06b_svr_online#tube", lost))
    source, _ = build.prepare(
        with_errata.write("notebooks/src/errata.py", ERRATA), with_errata.root, with_errata.lookup
    )
    assert [str(p) for p in source.problems] == [
        f"notebooks/src/errata.py:9: coverage.toml places E02 at {lost}, which is not a cell"
    ]
