"""What a part reaches, and what a random change looks like."""

from __future__ import annotations

import ast

import pytest

from tools import mutants, parts


def test_a_chapter_reaches_what_has_its_name_or_that_of_an_exercise():
    option, words = parts.options(["ch03"])
    assert option == "-k" and {"ch03", "krr_fit", "krr_tune"} <= set(words.split(" or "))
    own = "ch06b or eps_insensitive or svr_pair or pegasos or budget_perceptron or choose_eps"
    assert parts.options(["ch06b_svr_online"]) == ["-k", own]


def test_a_part_reaches_who_imports_it_the_nearest_first_and_its_notebooks():
    found = parts.options(["ridge"])
    assert {"tests/unit/test_ridge.py", "kcourse/ridge.py", "notebooks/ch03_ridge.ipynb"} <= set(found)
    assert not {"tests/unit/test_kpca.py", "notebooks/ch08_kpca.ipynb"} & set(found)
    assert found.index("tests/unit/test_ridge.py") < found.index("tests/zoo/test_sheets.py")
    lower = parts.options(["base.linalg"])  # by way of the kernels
    assert {"tests/unit/test_strings.py", "tests/unit/test_linalg.py", "notebooks/ch05_margin.ipynb"} <= set(lower)


@pytest.mark.parametrize(("names", "said"), [(["rigde"], "no part 'rigde'; there are"), (["ch03", "gp"], "not both")])
def test_what_is_no_part_is_an_error_that_names_those_that_are(names, said):
    with pytest.raises(ValueError, match=said):
        parts.options(names)


def test_a_mutant_is_a_program_that_differs_in_one_place(tmp_path):
    source = 'def f(x: int = 3) -> "0":\n    """1 + 1"""\n    return -x if x < 2 and not x else f(x * 2, key=True)\n'
    (tmp_path / "module.py").write_text(source)
    found = mutants.mutants(tmp_path / "module.py")
    assert {line for line, _ in found} == {1, 3} and len({text for _, text in found}) == len(found)
    for _, text in found:
        ast.parse(text)
        assert '"""1 + 1"""' in text and "x: int" in text and '-> "0"' in text
    changed = "".join(text.replace(" ", "") for _, text in found)
    for piece in ("x<=2", "x<2ornot", "x/2", "key=(False)", "(4)", "x<2and(x)"):
        assert piece in changed, piece
