"""Numbers in prose: what counts as a claim, and what backs it."""

from __future__ import annotations

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from kcourse.lab import figures
from tools import build, prose

CODE = 'n = 133  # 0.71\nlam = 1e-3\nname = "0.72"\n"""0.73"""\nx = 1_500 * 47905'
PRINTED = "score 0.9791\n[100 200.5] -0.535\n1.2345e-04, 12,345 and 1e+06"


def faults(project, markdown):
    """Line and number of each claim that is not backed by CODE or PRINTED."""
    text = f"# %% [markdown]\n# {markdown}\n\n# %%\n" + CODE
    source, products = build.prepare(project.write("notebooks/src/x.py", text), project.root, None)
    assert source.problems == []
    (notebook,) = products.values()
    notebook.cells[1].outputs = [
        new_output("stream", name="stdout", text=PRINTED),
        new_output("execute_result", data={"text/html": '<td width="777.5">55.25</td>'}),
        new_output("display_data", data={"text/plain": "<Figure 640x480.5>", "image/png": ""}),
    ]
    prose.check_prose(source, notebook)
    return [(problem.line, problem.message.split("gives ")[1]) for problem in source.problems]


@pytest.mark.parametrize(
    "markdown",
    [
        "133 points, $n=133$, 0.979, 0.98, 0.9791, 1.0",
        "97.9 % or 97.9% or $97.91\\,\\%$ or 97.9 per cent",
        "falls by 0.535 or −0.54",
        "$\\lambda = 0.001$ or $1.0 \\times 10^{-3}$ or 1.0·10⁻³ or 1e-3",
        "1.23e-4, $1.2345\\cdot 10^{-4}$",
        "47905, 47,905, 47 905, 47\N{THIN SPACE}905, $47\\,905$, $47{,}905$, 12345, 1500, 10⁶, 1e6",
        "the points 100, 200.5 and (100 133)",
        "55.25 in a table",
        "5 folds, 99 points, 10^{-6}",
        "in 1985 and 2024, from 1998–2003, (Smith, 1998a)",
        "see §5.4, §§ 5.4–5.6, exercise 3.1, exercises 3.1, 3.2 and 3.12, chapter 10, eq. (3.12), p. 331",
        "`0.77` and ``0.77 ` 0.78``\n#\n# ```\n# 0.79\n#\n# 0.78\n# ```",
        "[text](https://x.org/12.34/500) https://x.org/12.34 <a href='777.5' style=\"width: 0.5em\">link</a>",
        "<!-- 0.77 -->",
        "47&nbsp;905 and 12&#8239;345",
        "scikit 1.6.1, version 2.3, Python 3.11, v1.2",
        "$$\\frac{1}{2} \\tag{3.12}$$",
        "ch03, R2D200",
        "$$a=b \\tag{1}$$\n#\n# in 1988, and $c$",
    ],
)
def test_backed_or_no_claim(project, markdown):
    assert faults(project, markdown) == []


@pytest.mark.parametrize(
    ("markdown", "number"),
    [
        ("0.71 stands in a comment", "0.71"),
        ("0.72 stands in a string", "0.72"),
        ("0.73 stands in a docstring", "0.73"),
        ("0.978 is rounded wrongly", "0.978"),
        ("0.97910 has more digits than 0.9791, 0.97915 more than are known", "0.97915"),
        ("132 points", "132"),
        ("$n = 2000$", "2000"),
        ("1950.5 is no year", "1950.5"),
        ("98.9 %", "98.9 %"),
        ("97.9 without its sign", "97.9"),
        ("47,906 rows", "47,906"),
        ("$47\\,906$ rows", "47\N{THIN SPACE}906"),
        ("$\\approx0.77$", "0.77"),
        ("_0.77_ and **133**", "0.77"),
        ("2.0 × 10⁻³", "2.0 × 10⁻³"),
        ("640 pixels", "640"),
        ("777.5 in an attribute", "777.5"),
        ("exercise 3.1 and 0.77", "0.77"),
        ("table 0.77", "0.77"),
        ("<b>0.77</b>", "0.77"),
        ("if a < b, then 0.77 > 0.001", "0.77"),
        ("[0.77](x)", "0.77"),
        ("a stray ` tick\n#\n# 0.77 and `code`", "0.77"),
    ],
)
def test_claims_without_backing(project, markdown, number):
    assert [found for _, found in faults(project, markdown)] == [number]


def test_the_line_of_the_number_is_named(project):
    assert faults(project, "Title\n#\n# `some\n# code` 133\n# and 0.77") == [(6, "0.77")]


def test_bibliographies_can_be_exempt(project):
    text = '# %% [markdown] numbers="free"\n# Vol. 5, 331–350, 0.77\n'
    source, _ = build.prepare(project.write("notebooks/src/x.py", text), project.root, None)
    prose.check_prose(source, new_notebook(cells=[new_code_cell("1")]))
    assert source.problems == []


def words(alt, summary="The picture in words"):
    """A figure's folded words, as kcourse.lab displays them."""
    said = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "display", lambda bundle, **_: said.append(bundle))
        figures.show_words(alt, summary)
    return new_output("display_data", data=said[0])


def test_the_words_beneath_a_figure_are_prose_and_prove_nothing(project):
    text = "# %% [markdown]\n# The least is 0.77.\n\n# %%\nx = 0.55\n"
    source, products = build.prepare(project.write("notebooks/src/x.py", text), project.root, None)
    (notebook,) = products.values()
    notebook.cells[1].outputs = [
        words("A curve that falls to 0.77 & stays above 0.55 everywhere."),
        words("What an explorer says of its first picture: 0.88.", "The first picture in words"),
    ]
    prose.check_prose(source, notebook)
    assert [str(problem).partition("x.py:")[2] for problem in source.problems] == [
        "2: nothing in the notebook's outputs or code gives 0.77",
        "5: alt: nothing in the notebook's outputs or code gives 0.77",
    ]
