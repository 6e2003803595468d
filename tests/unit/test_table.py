"""``kcourse.lab.table``: the same numbers as text and as a table that a screen reader can walk through."""

import re
import sys

import numpy as np
import pytest
from bs4 import BeautifulSoup

from kcourse.lab import table
from tests.rows import each
from tools.prose import TAG, numbers

METHODS = {"method": "", "error (g²)": ".1f", "points": ",d", "minus ridge": "{:+.2f} ± {:.2f}"}
ROWS = {
    "the <mean> & all": (2353.04, 1, (1822.5, 31)),
    "ridge": (np.float64(530.96), 20_000, None),
    "window": (531.04, np.int64(133), (-0.004, 2.126)),
    "nothing": (np.nan, 0, "not tried"),
}


@pytest.fixture
def shown(monkeypatch):
    """Shows a table as in a notebook; returns its HTML, parsed, and its text."""
    module = sys.modules["kcourse.lab.table"]  # its name in the package is the function's
    said = []
    monkeypatch.setattr(module, "get_ipython", lambda: type("Shell", (), {"kernel": None})())
    monkeypatch.setattr(module, "display", lambda bundle, raw: said.append(bundle))

    def show(*arguments, **named):
        table(*arguments, **named)
        bundle = said.pop()
        assert list(bundle) == ["text/html", "text/plain"] and said == []
        return BeautifulSoup(bundle["text/html"], "html.parser"), bundle["text/plain"]

    return show


def test_a_table_that_answers_waits_behind_a_line_that_opens(shown):
    page, _ = shown("Errors", METHODS, ROWS, answer="The errors")
    assert page.details.summary.b.get_text() == "The errors" and page.details.table and "open" not in page.details.attrs


def cells(page):
    return [[" ".join(cell.get_text().split()) for cell in row.find_all(["th", "td"])] for row in page.find_all("tr")]


def test_a_table_has_a_caption_headers_and_escaped_words(shown):
    page, text = shown("Errors, n < 200", METHODS, ROWS)
    assert page.caption.get_text() == "Errors, n < 200" and "n &lt; 200" in str(page)
    assert [cell["scope"] for cell in page.thead.find_all("th")] == ["col"] * 4
    assert [row.find("th")["scope"] for row in page.tbody.find_all("tr")] == ["row"] * 4
    assert all(len(row.find_all("td")) == 3 for row in page.tbody.find_all("tr"))
    assert cells(page) == [
        ["method", "error (g²)", "points", "minus ridge"],
        ["the <mean> & all", "2353.0", "1", "+1822.50 ± 31.00"],
        ["ridge", "531.0", "20 000", "–no value"],
        ["window", "531.0", "133", "0.00 ± 2.13"],  # of nothing the sign is rounding
        ["nothing", "–no value", "0", "not tried"],
    ]
    assert not re.search('color|background|<style|class=(?!"kcourse-table)', str(page))  # the page decides on both


def test_text_and_html_have_the_same_numbers_each_in_its_column(shown):
    page, text = shown("Errors of 3 methods", METHODS, ROWS, best={"error (g²)": "least"})
    read = [number.value for number in numbers(TAG.sub(" ", str(page)))]
    assert read == [number.value for number in numbers(text)] and 20_000 in read
    head, *lines = text.splitlines()[1:]
    at = head.index("points") + len("points")
    assert [line[:at].split("  ")[-1].strip() for line in lines] == ["1", "20\u202f000", "133", "0"]
    left = [["text-align:left" in cell.get("style", "") for cell in row.find_all(["th", "td"])]
            for row in page.find_all("tr")]  # fmt: skip
    assert left == [[True, False, False, False]] * 5 and "text-align:right" in page.table["style"]


@pytest.mark.parametrize(
    ("best", "marked"),
    [
        ({"error (g²)": "least"}, ["531.0", "531.0"]),  # what is printed alike is marked alike; NaN is not the least
        ({"error (g²)": "greatest"}, ["2353.0"]),
        ({"minus ridge": "least"}, ["0.00 ± 2.13"]),
        ({"points": ["ridge", "nothing"], "error (g²)": ["window"]}, ["20 000", "531.0", "0"]),
        ({}, []),
    ],
)
def test_the_best_is_marked_by_weight_and_a_word(shown, best, marked):
    page, text = shown("Errors", METHODS, ROWS, best=best)
    found = [" ".join(strong.get_text().split()) for strong in page.find_all("strong")]
    assert found == marked and [strong.parent.get_text().split()[0] for strong in page.find_all("strong")] == [
        "best"
    ] * len(marked)
    assert text.count("best ") == len(marked)


def test_powers_of_ten_signs_and_lists_of_cells(shown):
    page, text = shown("Far", {"σ": "g", "condition": ".1e", "w": "({:.1f}, {:.1f})"},
                       [(0.5, 6.4e6, (-1, 2)), (0.5, 5e-78, (1, -0.02))])  # fmt: skip
    assert cells(page)[1:] == [["0.5", "6.4 × 10⁶", "(−1.0, 2.0)"], ["0.5", "5.0 × 10⁻⁷⁸", "(1.0, 0.0)"]]
    assert [number.value for number in numbers(text)][1] == 6.4e6


@each(
    ("arguments", "words"),
    [
        (("Errors", METHODS, {"ridge": (1, 2)}), "rows: \\['ridge'\\] has 3 cells with its header, but columns has 4"),
        (("Errors", {"n": "d", "error": ".1f"}, [(1, 2, 3)]), "None where"),
        (("Errors", METHODS, {}), "rows is empty"),
        (("Errors", {"": "", "error": ".1f"}, {"a": 1}), "every header in columns=\\['', 'error'\\] need"),
        ((" ", {"a": "", "error": ".1f"}, {"a": 1}), "the caption"),
        (("Errors", METHODS, ROWS, {"eror": "least"}), "'eror', which is not a column.*error"),
        (("Errors", METHODS, ROWS, {"method": "least"}), "'method', which is not a column"),
        (("Errors", METHODS, ROWS, {"points": "largest"}), "'largest'; give 'least', 'greatest' or a list"),
        (("Errors", METHODS, ROWS, {"points": ["rigde"]}), "\\['rigde'\\], but no row has"),
        (("Errors", {"a": "", "b": ""}, {"x": "y"}, {"b": "least"}), "the column contains no number"),
        (("Errors", {"a": "", "b": ".1f"}, {"x": ((1, 2),)}), "the format '.1f', which"),
        (("Errors", {"a": "", "b": "d"}, {"x": 0.5}), "column 'b' has the format 'd', which .* 0.5"),
    ],
)
def test_errors_name_the_argument_and_the_fix(arguments, words):
    with pytest.raises(ValueError, match=words):
        table(*arguments)
