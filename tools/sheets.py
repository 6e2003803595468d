"""Exercise sheets: add nbgrader's metadata to the solution, and make the exercise from it by nbgrader's steps.

A sheet's source marks two kinds of cells. ``exercise="krr_fit"`` defines that function with its answer between markers,
and ``check="krr_fit"`` calls ``check(krr_fit)``. All other cells are plain.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from nbformat import NotebookNode

from tools.lint import parse
from tools.source import Cell, Source

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
STUB = "raise NotImplementedError"

Lookup = Callable[[str], Any]  # name of an exercise -> its spec with .points and .chapter, or KeyError


def find_spec(name: str) -> Any:
    """Return the specification that the checks and the grader use."""
    from kcourse import checks  # late: a notebook without exercises needs no checks

    return checks.exercise(name)


def lint_markers(source: Source) -> None:
    """Check that solution markers come in pairs, and only in the exercise cells of sheets."""
    for cell in source.cells:
        inside = False
        for line, text in enumerate(cell.node.source.split("\n"), start=cell.line):
            if "BEGIN SOLUTION" not in text and "END SOLUTION" not in text:  # nbgrader's own test
                continue
            if not cell.exercise:
                where = 'a cell with exercise="…"' if source.is_sheet else "solutions/src"
                source.complain(line, f"solution markers are allowed only in {where}")
            elif text.strip() not in (BEGIN, END):
                source.complain(line, f"write the marker as {BEGIN!r} or {END!r} on its own line")
            elif (text.strip() == BEGIN) == inside:
                fix = f"close the one above with {END!r} first" if inside else f"no {BEGIN!r} above it"
                source.complain(line, f"unbalanced solution marker: {fix}")
            else:
                inside = not inside
        if inside:
            source.complain(cell.line, f"unbalanced solution marker: no {END!r} after the last {BEGIN!r}")


def lint_sheet(source: Source, lookup: Lookup) -> None:
    """Check that each exercise cell has one function that the checks know, and a check cell below it."""
    unchecked: dict[str, Cell] = {}
    checked: set[str] = set()
    for cell in source.code_cells():
        if cell.exercise:
            _lint_exercise(source, cell, lookup)
            unchecked[cell.exercise] = cell
        elif name := cell.check:
            if cell.node.source != f"check({name})":
                source.complain(cell.line, f'a cell with check="{name}" must contain exactly check({name})')
            if name not in unchecked:
                fault = "a second check of" if name in checked else "a check without an exercise above it:"
                source.complain(cell.line, f"{fault} {name!r}")
            unchecked.pop(name, None)
            checked.add(name)
    for name, cell in unchecked.items():
        source.complain(cell.line, f'exercise {name!r} has no check below it. Add a cell with check="{name}"')


def _lint_exercise(source: Source, cell: Cell, lookup: Lookup) -> None:
    name = cell.exercise
    try:
        chapter = lookup(name).chapter
    except KeyError:
        source.complain(cell.line, f"kcourse.checks knows no exercise {name!r}")
    else:
        if chapter != source.stem:
            source.complain(cell.line, f"exercise {name!r} belongs to the sheet {chapter}")
    if BEGIN not in cell.node.source:
        source.complain(cell.line, f"exercise {name!r} has no solution markers: {BEGIN!r} … {END!r}")
    function = _only_function(cell.node.source)
    if function is None or function.name != name:
        source.complain(cell.line, f"an exercise cell must define only the function {name}")
    elif not ast.get_docstring(function):
        source.complain(cell.line, f"{name} needs a docstring that states shapes and conventions")


def _only_function(code: str) -> ast.FunctionDef | None:
    """Return the function if the code consists of one function, else None."""
    try:
        body = parse(code).body
    except SyntaxError:
        return None
    return body[0] if len(body) == 1 and isinstance(body[0], ast.FunctionDef) else None


def add_nbgrader_metadata(source: Source, lookup: Lookup) -> None:
    """Add what nbgrader needs to release, grade and collect the sheet (schema 3); other cells stay plain."""
    for cell in source.code_cells():
        common = {"schema_version": 3, "task": False}
        if cell.exercise:
            common |= {"grade": False, "solution": True, "locked": False, "grade_id": cell.exercise}
        elif cell.check:
            common |= {"grade": True, "solution": False, "locked": True, "grade_id": f"check-{cell.check}"}
            common["points"] = lookup(cell.check).points
        else:
            continue
        cell.node.metadata["nbgrader"] = common


def exercise_from(solution: NotebookNode) -> NotebookNode:
    """Return the sheet for students, as nbgrader's release would make it."""
    # late, because importing nbgrader takes seconds
    from nbgrader.preprocessors import ClearOutput, ClearSolutions, LockCells

    notebook = NotebookNode(solution)
    for step in (ClearSolutions(code_stub={"python": STUB}), LockCells(), ClearOutput()):
        notebook, _ = step.preprocess(notebook, {})
    return notebook


def lint_stubs(source: Source, exercise: NotebookNode) -> None:
    """Check that the students' version keeps signature and docstring, and raises when it is called."""
    for cell, built in zip(source.cells, exercise.cells, strict=True):
        if cell.exercise:
            answer, stub = _only_function(cell.node.source), _only_function(built.source)
            if not (stub and _face(stub) == _face(answer) and STUB in map(ast.unparse, stub.body)):
                fix = "Put them below its docstring, indented like its body"
                source.complain(cell.line, f"the solution markers of {cell.exercise} break the function. {fix}")


def _face(function: ast.FunctionDef) -> tuple[str, str | None]:
    """Return the parts of a function that the student's version keeps."""
    return ast.dump(function.args), ast.get_docstring(function)
