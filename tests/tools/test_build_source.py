"""Sources: header keys, ids, and the faults that are seen without running."""

from __future__ import annotations

import pytest
from nbformat.v4 import new_notebook
from nbformat.validator import validate

TWO_CELLS = """\
# %% [markdown]
# Some text

# %%
x = 1
"""


def test_header_keys_become_metadata(project):
    first, second, third = project.cells(
        '# %% [markdown] key="intro" slide="slide"\n# # Title\n\n'
        '# %% key="plot" hide="input" tags=["wide"]\nx = 1\n\n'
        '# %% [markdown] numbers="free"\n# Smith, 17.5\n'
    )
    assert (first.id, first.metadata) == ("intro", {"slideshow": {"slide_type": "slide"}})
    assert second.id == "plot"
    assert second.metadata == {"jupyter": {"source_hidden": True}, "tags": ["wide", "hide-input"]}
    assert third.metadata == {}


def test_a_cell_inserted_above_changes_no_other_id(project):
    before = project.cells(TWO_CELLS)
    after = project.cells("# %%\nimport math\n\n" + TWO_CELLS)
    assert [cell.id for cell in after[1:]] == [cell.id for cell in before]
    assert after[0].id not in {cell.id for cell in before}


def test_ids_depend_on_text_and_type(project):
    code, prose, other = project.cells("# %%\n1\n\n# %% [markdown]\n# 1\n\n# %%\n2\n")
    assert len({code.id, prose.id, other.id}) == 3


def test_repeated_text_gets_valid_distinct_ids(project):
    cells = project.cells("# %%\nx = 1\n\n" * 3)
    assert [cell.id for cell in cells[1:]] == [f"{cells[0].id}-2", f"{cells[0].id}-3"]
    validate(new_notebook(cells=cells, nbformat_minor=5))


def test_headers_in_strings_and_fences_are_text(project):
    faults = project.lint(
        '# %%\nx = """\n# %% no cell\n"""\n\n'
        "# %% [markdown]\n# ```\n# %% no cell\n# ```\n# ![](a.png)\n\n# %%\nimport random\nrandom.random()\n"
    )
    assert [fault.split(":")[0] for fault in faults] == ["10", "14"]


@pytest.mark.parametrize(
    ("line", "text", "words"),
    [
        (4, '# %% key="a"\n1\n# %% key="a"\n2\n', "duplicate key 'a', first used at line 2"),
        (1, '# %% key="a b"\n1\n', "use at most 64 letters"),
        (1, f'# %% key="{"a" * 65}"\n1\n', "use at most 64 letters"),
        (3, '# %%\n1\n# %% slide="slides"\n2\n', "slide='slides': use slide, subslide"),
        (1, '# %% hide="output"\n1\n', 'hide="input"'),
        (1, '# %% [markdown] hide="input"\n# a\n', 'hide="input", on a code cell'),
        (1, '# %% sldie="slide"\n1\n', "unknown key 'sldie'"),
        (1, '# %% A title key="a"\n1\n', "unknown key 'title'"),
        (1, '# %% exercise="krr_fit"\n1\n', "unknown key 'exercise'"),
        (1, '# %% numbers="free"\n1\n', "unknown key 'numbers'"),
        (1, '# %% [markdown] numbers="no"\n# a\n', 'the only value is "free"'),
        (1, '# %% tags="wide"\n1\n', "'wide' is not of type 'array'"),
        (1, "# %% key=a\n1\n", "Write key="),
        (3, '# %%\n1\n# %%key="a"\n2\n', "a space is missing"),
        (1, "# %% [raw]\n# a\n", "only code cells and [markdown] cells"),
        (1, "import os\n\n# %%\n1\n", "text above the first '# %%' line"),
        (4, "# %%\n1\n\nx = = 2\n", "Python cannot parse"),
    ],
)
def test_faults_of_cells(project, line, text, words):
    (fault,) = project.lint(text)
    assert fault.startswith(f"{line}: ") and words in fault


@pytest.mark.parametrize(
    "call",
    [
        "np.random.rand(3)",
        "np.random.randn(3)",
        "np.random.seed(0)",
        "np.random.RandomState()",
        "np.random.default_rng()",
        "np.random.default_rng(None)",
        "np.random.default_rng(seed=None)",
        "numpy.random.permutation(3)",
        "npr.normal()",
        "normal()",
        "default_rng()",
        "random.random()",
        "random.Random()",
        "pick([1, 2])",
        "train_test_split(X)",
        "train_test_split(X, random_state=None)",
        "ms.KFold(5, shuffle=True)",
        "unknown(shuffle=True)",
        "make_moons(100)",
        "stats.norm.rvs(size=3)",
        "f(lambda: np.random.rand())",
    ],
)
def test_unseeded_calls_are_faults(project, call):
    (fault,) = project.lint(f"{IMPORTS}\n# %%\nx = 1\ny = {call}\n")
    assert fault.startswith("14: unseeded random call"), fault


@pytest.mark.parametrize(
    "call",
    [
        "np.random.default_rng(0)",
        "np.random.default_rng(seed)",
        "np.random.RandomState(0)",
        "np.random.Generator(np.random.PCG64(1))",
        "np.random.default_rng(0).random()",
        "random.Random(0)",
        "rng.random(3)",
        "rng.shuffle(X)",
        "train_test_split(X, random_state=0)",
        "train_test_split(X, shuffle=False)",
        "train_test_split(X, **options)",
        "ms.KFold(5, shuffle=True, random_state=0)",
        "ms.KFold(5)",
        "make_moons(100, random_state=0)",
        "stats.norm.rvs(size=3, random_state=rng)",
        "make_sinc(100)",
    ],
)
def test_seeded_calls_are_fine(project, call):
    assert project.lint(f"{IMPORTS}\n# %%\n%matplotlib inline\ny = {call}\n") == []


IMPORTS = """\
# %%
import random
from random import choice as pick
import numpy
import numpy as np
import numpy.random as npr
from numpy.random import default_rng, normal
import sklearn.model_selection as ms
from sklearn.model_selection import train_test_split; from sklearn.datasets import make_moons
from scipy import stats
"""


def test_blank_lines_after_a_header_do_not_shift_lines(project):
    (fault,) = project.lint("# %%\n\n\nimport random\nrandom.random()\n")
    assert fault.startswith("5: ")
    assert project.cells("# %%\n\n\nx = 1\n")[0].source == "x = 1"


def test_comments_stay_comments_and_magics_magics(project):
    code = "# ls is the length scale\n# %timeit 1\n%time x = 1"
    assert project.cells(f"# %%\n{code}\n")[0].source == code


def test_random_calls_in_text_and_strings_are_fine(project):
    assert project.lint('# %% [markdown]\n# `np.random.rand()`\n\n# %%\nx = "np.random.rand()"  # rand()\n') == []


@pytest.mark.parametrize(
    "picture",
    ["![](a.png)", "![ ](a.png)", '<img src="a.png">', '<img src="a.png" alt="">', "<IMG\n# src=a>"],
)
def test_pictures_without_alt_are_faults(project, picture):
    (fault,) = project.lint(f"# %% [markdown]\n# Look:\n# \n# {picture}\n")
    assert fault.startswith("4: a picture without alt text")


@pytest.mark.parametrize("picture", ["![A plot](a.png)", '<img alt="A plot" src="a.png">', "`![](a.png)`"])
def test_pictures_with_alt_are_fine(project, picture):
    assert project.lint(f"# %% [markdown]\n# {picture}\n") == []


def test_a_line_that_the_page_of_a_notebook_cuts_off_is_a_fault(project):
    fits, too_long = "x = " + "1" * 96, "y = " + "1" * 97
    for header in ("# %%", '# %% hide="input"'):
        assert project.lint(f"{header}\n{fits}\n{too_long}\n") == [
            "3: a line of 101 characters; a notebook's page shows 100"
        ]


def test_open_code_that_mostly_verifies_is_a_fault(project):
    three, four = ('verify("it is so", True)\n' * times for times in (3, 4))
    assert project.lint(f"# %%\n{three}") == []
    assert project.lint(f'# %% hide="input"\n{four}') == []
    [fault] = project.lint(f"# %%\n{four}")
    assert fault.startswith("2: 4 calls of verify in open code") and 'hide="input"' in fault


def test_the_decks_text_is_no_part_of_what_a_reader_sees(project):
    [cell] = project.cells('# %% [markdown] slide="slide"\n# Prose.\n#\n# <!-- slide\n# - short\n# -->\n')
    assert cell.source == "Prose." and cell.metadata["kcourse"] == {"slide": "- short"}
    [empty] = project.cells("# %% [markdown]\n# Prose.\n#\n# <!-- slide -->\n")
    assert empty.metadata["kcourse"] == {"slide": ""}
    [fault] = project.lint("# %% [markdown]\n# <!-- slide\n# short\n# -->\n#\n# Prose.\n")
    assert fault.startswith("2: the text for the slide, <!-- slide … -->")
