"""Chapters that a lecture speaks of become links."""

from __future__ import annotations

import pytest


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


def test_bibliographies_have_other_books_chapters(course):
    text = '# %% [markdown] numbers="free"\n# A book, 2004, chapter 2.\n'
    assert course.cells(text)[0].source == "A book, 2004, chapter 2."


def test_a_new_chapter_makes_the_others_stale(project):
    project.write("notebooks/src/ch03_ridge.py", "# %% [markdown]\n# # Ridge\n# chapter 4 goes on\n")
    assert project.build() == []
    assert "up to date notebooks/ch03_ridge.ipynb" in (project.build(), project.said)[1]
    project.write("notebooks/src/ch04_gp.py", "# %% [markdown]\n# # Processes\n")
    assert project.build() == []
    assert "[chapter 4](ch04_gp.ipynb)" in "".join(project.notebook("notebooks/ch03_ridge.ipynb")["cells"][0]["source"])
