"""Who has the course's own answers, up to names and layout."""

from __future__ import annotations

import ast
import inspect
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

import kcourse
from kcourse.checks import CHAPTERS
from kcourse.sheets.notebook import handed_out
from kcourse_grader.marking import similarity
from kcourse_grader.marking.similarity import OURS, matches_course
from kcourse_grader.reports import report
from tests.chapters.tables import Table
from tests.grader.notebooks import ROOT, sheet_cells
from tests.grader.tiny import submission


@pytest.mark.parametrize("sheet", CHAPTERS)
def test_who_has_the_courses_own_answers_is_listed_beside_it(sheet):
    """With other names, words and layout; so is the solved sheet, and nobody who wrote a right answer of their own."""
    files = sorted((Path(kcourse.__file__).parent / "chapters" / sheet).glob("*.py"))
    own = [
        matches_course("ada", [disguised(file)], files)
        for file in files
        if file.stem not in ("figures", "paper_problems")
    ]
    found = [pair for pair in own if pair]
    assert found and all(pair.other == OURS and 0 < pair.share <= 1 for pair in found)
    solved = ROOT / f"solutions/{sheet}_sheet.ipynb"
    leak = matches_course("eve", sheet_cells("solutions", sheet).values(), [solved], handed_out(sheet))
    assert leak and leak.share > 0.2 and matches_course("zoe", handed_out(sheet), [solved], handed_out(sheet)) is None
    honest = {f for _, f in Table(sheet).RIGHT if inspect.isfunction(f) and f.__name__ != "<lambda>"}
    cells = [textwrap.dedent(inspect.getsource(f)) for f in honest]
    assert len(cells) > 3 and matches_course("bob", cells, [*files, solved], handed_out(sheet)) is None


def disguised(file: Path) -> str:
    """The functions of a file under other names, without docstrings, with other comments."""
    tree = ast.parse(file.read_text())
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.name, node.returns = f"mine_{node.name}", ast.Name("object")
            node.body = [ast.Expr(ast.Constant("My own.")), *node.body[ast.get_docstring(node) is not None :]]
        elif isinstance(node, ast.arg):
            node.arg, node.annotation = f"{node.arg}_", None
        elif isinstance(node, ast.Name):
            node.id = f"{node.id}_"
    return ast.unparse(ast.fix_missing_locations(tree)).replace("\n    return", "\n\n    # so\n    return")


@pytest.mark.parametrize(
    "cell", ["def f(:", "%%time\ndef f(x): pass", "def f(x):\n    return " + "(" * 5000, "\0", "x" * 30_000]
)
def test_what_cannot_be_read_is_like_nobody(cell):
    assert matches_course("ada", [cell], [Path(similarity.__file__)]) is None


def test_the_report_lists_them_with_those_who_are_alike():
    own = disguised(Path(kcourse.__file__).parent / "chapters" / "ch03_ridge" / "tune.py")
    handed_in = [submission([cell], name) for name, cell in (("ada", own), ("bob", "x = 1"))]
    _, [(sheet, pair)] = report._alike([replace(s, sheet="ch03_ridge") for s in handed_in])
    assert (sheet, pair.one, pair.other) == ("ch03_ridge", "ada", OURS)
    assert "mine_krr_tune" in pair.piece and pair.share > 0.2
