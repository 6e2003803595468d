"""Sheets: markers, nbgrader's metadata, and exercises without solutions."""

from __future__ import annotations

import warnings

import pytest
from nbgrader.nbgraderformat import MetadataValidator

from tools import build

FIT = '''\
# %% exercise="krr_fit"
def krr_fit(K, y, lam):
    """Coefficients, shape (n,)."""
    n = len(y)
    ### BEGIN SOLUTION
    secret = K + lam * n
    return secret / y
    ### END SOLUTION
'''
CHECK_FIT = '# %% check="krr_fit"\ncheck(krr_fit)\n'
SHEET_TEXT = f"# %% [markdown]\n# Fit it.\n\n# %%\nfrom x import check\n\n{FIT}\n{CHECK_FIT}"


@pytest.fixture
def products(project):
    source, products = build.prepare(project.write(project.sheet, SHEET_TEXT), project.root, project.lookup)
    assert source.problems == []
    return list(products.values())


def test_exercise_keeps_signature_and_docstring_and_raises(products):
    code = products[1].cells[2].source
    assert code == (
        'def krr_fit(K, y, lam):\n    """Coefficients, shape (n,)."""\n    n = len(y)\n    raise NotImplementedError'
    )
    names = {}
    exec(code, names)
    with pytest.raises(NotImplementedError):
        names["krr_fit"]([], [], 1)


def test_exercise_holds_no_solution_text_anywhere(products):
    solution, exercise = map(str, products)
    assert "secret" in solution and "### BEGIN SOLUTION" in solution
    assert "secret" not in exercise and "SOLUTION" not in exercise
    assert all(cell.outputs == [] and cell.execution_count is None for cell in products[1].cells[1:])


def test_nbgrader_accepts_the_metadata(products):
    for notebook in products:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            MetadataValidator().validate_nb(notebook)
        plain, other_plain, exercise, check = (cell.metadata for cell in notebook.cells)
        assert "nbgrader" not in plain and "nbgrader" not in other_plain
        one, other = exercise["nbgrader"], check["nbgrader"]
        assert (one["solution"], one["grade"], one["locked"], one["grade_id"]) == (True, False, False, "krr_fit")
        assert (other["solution"], other["grade"], other["locked"], other["points"]) == (False, True, True, 4)


def test_only_graded_cells_are_locked_and_only_in_the_exercise(products):
    solution, exercise = ([{**c.metadata, "nbgrader": 0} for c in nb.cells] for nb in products)
    assert solution == [{"nbgrader": 0}] * 4
    assert exercise[:2] == solution[:2]
    assert exercise[2:] == [
        {"nbgrader": 0, "deletable": False},
        {"nbgrader": 0, "deletable": False, "editable": False},
    ]


def test_ids_of_graded_cells_do_not_change_with_the_solution(products, project):
    assert [cell.id for cell in products[0].cells[2:]] == ["krr_fit", "check-krr_fit"]
    assert [cell.id for cell in products[0].cells] == [cell.id for cell in products[1].cells]


BAD = [
    (8, FIT.replace("    ### BEGIN SOLUTION\n", "    n = 0\n") + CHECK_FIT, "no '### BEGIN SOLUTION' above"),
    (2, FIT.replace("    ### END SOLUTION\n", "") + CHECK_FIT, "no '### END SOLUTION' after the last"),
    (6, FIT.replace("    secret =", "    ### BEGIN SOLUTION\n    secret =") + CHECK_FIT, "close the one above"),
    (5, FIT.replace("### BEGIN", "# BEGIN") + CHECK_FIT, "write the marker as"),
    (10, FIT + '# %% check="krr_fit"\ncheck( krr_fit )\n', "exactly check(krr_fit)"),
    (2, FIT, "has no check below it"),
    (2, CHECK_FIT, "a check without an exercise above it: 'krr_fit'"),
    (2, (FIT + CHECK_FIT).replace("krr_fit", "krr_go"), "knows no exercise 'krr_go'"),
    (2, (FIT + CHECK_FIT).replace("krr_fit", "gp_mean"), "the sheet ch04_gp"),
    (2, FIT.replace("def krr_fit", "def fit") + CHECK_FIT, "must define only the function krr_fit"),
    (2, FIT.replace('"""Coefficients, shape (n,)."""', "pass") + CHECK_FIT, "needs a docstring"),
    (3, "# %%\nx = 1\n# ### BEGIN SOLUTION\n", 'only in a cell with exercise="…"'),
    (1, '# %% numbers="free"\n1\n', "unknown key 'numbers'"),
    (12, FIT + CHECK_FIT + CHECK_FIT.replace("check=", 'key="again" check='), "a second check of 'krr_fit'"),
    (12, FIT + CHECK_FIT + FIT, "duplicate key 'krr_fit'"),
]


@pytest.mark.parametrize(("line", "text", "words"), BAD)
def test_faults_of_sheets(project, line, text, words):
    faults = project.lint(text, project.sheet)
    assert any(fault.startswith(f"{line}: ") and words in fault for fault in faults), faults


def test_markers_that_cut_the_docstring_are_a_fault(project):
    text = FIT.replace("    ### BEGIN SOLUTION\n", "").replace("    n =", "    ### BEGIN SOLUTION\n    n =")
    text = text.replace('    """Coe', '    ### BEGIN SOLUTION\n    """Coe').replace(
        "    ### BEGIN SOLUTION\n    n", "    n"
    )
    (fault,) = project.lint(text + CHECK_FIT, project.sheet)
    assert fault.startswith("2: the solution markers of krr_fit")


def test_markers_in_a_lecture_are_a_fault(project):
    (fault,) = project.lint("# %%\nx = 1\n### BEGIN SOLUTION\n")
    assert fault == "3: solution markers are allowed only in solutions/src"


def test_a_sheet_makes_a_solution_and_an_exercise(project):
    project.write(project.sheet, "# %%\ncheck = print\n\n" + FIT + "\n" + CHECK_FIT)
    faults = project.build()
    (fault,) = faults  # print(krr_fit) shows the function's address
    assert fault.startswith(f"{project.sheet}:14: stdout shows a memory address")
    assert not (project.root / "solutions/ch03_ridge_sheet.ipynb").exists()
    assert not (project.root / "exercises/ch03_ridge_sheet.ipynb").exists()

    project.write(project.sheet, "# %%\ncheck = callable\n\n" + FIT + "\n" + CHECK_FIT)
    assert project.build() == []
    assert [line.split(" (")[0] for line in project.said] == [
        "built solutions/ch03_ridge_sheet.ipynb",
        "built exercises/ch03_ridge_sheet.ipynb",
    ]
    solution = project.notebook("solutions/ch03_ridge_sheet.ipynb")
    assert solution["cells"][2]["outputs"][0]["data"]["text/plain"] == ["True"]
    assert solution["cells"][2]["metadata"]["nbgrader"]["points"] == 4
    stored = (project.root / "exercises/ch03_ridge_sheet.ipynb").read_text()
    assert "secret" not in stored and "SOLUTION" not in stored and "raise NotImplementedError" in stored
    exercise = project.notebook("exercises/ch03_ridge_sheet.ipynb")
    assert [cell["outputs"] for cell in exercise["cells"]] == [[], [], []]
    assert project.check() == []
