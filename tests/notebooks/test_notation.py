"""The chapters keep to the table of notation on the start page, as far as a pattern can tell.

Each row of the table has a pattern that finds its formula in the chapters, and most have one that finds another
convention. Cells that show one do so to warn of it: they are listed, each with its reason, and a cell that is listed
and shows none fails, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.rows import each

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NORM = r"\\(?:\||lVert) ?[^$|]*?\\(?:\||rVert)"  # of something, in TeX

# The row of the table -> where its formula must occur: a chapter, and the formula
USED = {
    "width of the Gaussian": (("ch02", r"\\exp.{0,9}-" + NORM + r"\^2/\(2\\sigma\^2\)"),),
    "width of the Laplacian": (("ch02", r"\\exp\(-" + NORM + r"/\\sigma\)"),),
    "strength of the penalty": (("ch03", r"\\sum_i.{0,20}\^2\+\\lambda"), ("ch04", r"\\lambda=\\sigma_n\^2")),
    "penalty on slack": (("ch06", r"\\tfrac12\\\|w\\\|\^2\+C\\sum_\{?i"),),
    "margin": (("ch05", r"\\frac2\{\\\|w\\\|\}"), ("ch05", r"\$?1/\\\|w\\\|")),
    "slack, tube": (("ch06_", r"\\xi_i\\ge0"), ("ch06b", r"\|y_i-f\(x_i\)\|-\\varepsilon")),
    "coefficients": (("ch03", r"\\sum_\{?[ij].{0,6}\\alpha_j ?k\(x_j,\\cdot\)"), ("ch06", r"dual_coef_")),
    "sizes": (("ch01", r"\$n\$ points"), ("ch03", r"n\\times D"), ("ch07b", r"\$m\$ centres")),
    "targets, transpose": (("ch01", r"target \$y_i"), ("ch03", r"\\Phi\^\\top")),
    "“positive”": (("ch02", r"p\.s\.d\."), ("ch02", r"\*strictly positive definite\*")),
}

# What another convention looks like -> the cells that show it, and why
OTHERS = {
    # a squared distance in an exponent, not over 2σ²
    "width of the Gaussian": (
        r"(?:\\exp.{0,12}?|e\^\{)-(?:\\tfrac12|\\frac12|\\frac ?|\\gamma ?|[a-z])?\{?"
        + NORM
        + r"\^2(?!\}?/\(2\\sigma|\}\{2\\sigma)",
        {
            "ch02_kernels#gauss": "σ = 1, taken apart",
            "ch07a_rbf_interpolation#definite": "a mixture of all widths",
        },
    ),
    # γ in the words of a cell that does not say what it is in σ
    "gamma": (
        r"^(?!.*1/\(2\\sigma\^2\))(?!.*2\\gamma=1/\\sigma\^2).*(?:\\gamma|γ)",
        {
            "ch05_margin#bound": "the margin, with b as one of the weights",
        },
    ),
    # the price without its ½
    "penalty on slack": (
        r"(?<!\\tfrac12)(?<!\\frac12)\\\|w\\\|\^2\+C",
        {"ch06_svm#gap": "the duality gap, where the norm comes once from P and once from D"},
    ),
    # a penalty beside a mean
    "strength of the penalty": (
        r"\\(?:frac|tfrac)1n\\sum_i[^$]{0,40}\+[^$]{0,30}\\lambda[^$]{0,30}"
        + NORM
        + r"|\\lambda[^$]{0,14}\^2\+\\frac1n\\sum",
        {
            "ch03_ridge#which-lambda": "the table that translates",
            "ch06b_svr_online#online": "what a stream minimises, with its λ in terms of C",
        },
    ),
    # ε with an index, which would be a slack
    "slack, tube": (r"\\(?:var)?epsilon_", {"ch01_neighbors#trade": "noise"}),
    # a stroke for the transpose
    "targets, transpose": (r"\b[XKRw]'[XKRwyx(]", {"ch03_ridge#find-error-more": "a lecture, in quotation marks"}),
    "“positive”": (
        r"[Aa]ll (?:its )?eigenvalues (?:are )?positive(?! or)",
        {"ch02_kernels#words": "one source, quoted"},
    ),
}

# scikit-learn's gamma is written as what it means; where it is not, the cell is about the default, or not about width
GAMMA = re.compile(r"(?<!Polynomial\()(?<!Sigmoid\()\bgamma=(?!1 / )")  # in those two it is no width
PLAIN_GAMMA = {
    "ch02_kernels#sklearn-code": "of a polynomial",
    "ch02_kernels#cost-verify": "of scikit-learn's Laplacian",
    "ch03_ridge#no-intercept-verify": "the default, 1/d",
    "ch06_svm#sklearn-verify": "the default, 'scale'",
    "ch10_scaling#practice-default": "'scale'",
    "ch10_scaling#practice-verify": "1/2, for σ = 1",
}


@cache
def cells() -> list[tuple[str, str, str]]:
    """All cells of the chapters, as (place, kind, text)."""
    return [
        (f"{path.stem}#{cell['id']}", cell["cell_type"], "".join(cell["source"]))
        for path in sorted(FOLDER.glob("ch*.ipynb"))
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
    ]


def found(pattern: str, kind: str, flags: int = re.DOTALL) -> Iterator[str]:
    return (place for place, its, text in cells() if its == kind and re.search(pattern, text, flags))


def written(listed: dict[str, str]) -> set[str]:
    """Those of the listed cells whose chapter exists."""
    stems = {place.partition("#")[0] for place, _, _ in cells()}
    return {place for place in listed if place.partition("#")[0] in stems}


def rows() -> list[str]:
    start = json.loads((FOLDER / "00_start_here.ipynb").read_text(encoding="utf-8"))["cells"]
    table = "".join(next(cell["source"] for cell in start if cell["id"] == "notation"))
    return [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("| ")][1:]


def test_every_row_of_the_table_is_held_to_something() -> None:
    assert rows() == list(USED)
    assert OTHERS.keys() - {"gamma"} <= set(rows())


@each(("row", "chapter", "formula"), [(r, c, f) for r, where in USED.items() for c, f in where])
def test_a_row_is_what_its_chapter_writes(row: str, chapter: str, formula: str) -> None:
    kinds = ("markdown", "code") if formula == "dual_coef_" else ("markdown",)
    assert any(place.startswith(chapter) for kind in kinds for place in found(formula, kind)), (row, formula)


@pytest.mark.parametrize("convention", OTHERS)
def test_no_chapter_writes_it_otherwise_but_to_warn(convention: str) -> None:
    pattern, allowed = OTHERS[convention]
    there = set(found(pattern, "markdown"))
    assert not there - allowed.keys(), "another convention than the start page's"
    assert not written(allowed) - there, "listed, and not there any more"


def test_scikit_learns_gamma_is_written_as_what_it_means() -> None:
    there = set(found(GAMMA.pattern, "code"))
    assert there == written(PLAIN_GAMMA)
