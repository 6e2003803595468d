"""What is written: tables, pages, the class report."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import asdict
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest

from kcourse.checks.judge import Result
from kcourse.paper_problems.browser import QUIET
from kcourse_grader.marking.grade import grade_submission, hidden_cases
from kcourse_grader.marking.record import Grade
from kcourse_grader.reports.report import _bins, as_csv, as_gradescope, page_name, title, write_reports
from tests.browser.conftest import find_browser
from tests.grader.tiny import BLANK, EXERCISES, NAMES, SHEET, SOLVED, TITLE, solved, submission, tiny_sheet  # noqa: F401 (a fixture)


@pytest.fixture(scope="module")
def grades(one_sandbox):
    evil = "<script>alert(1)</script>"
    wrong = solved(shifted="def shifted(v, c):\n    raise ValueError(v)  # <b>bold</b>\n")
    return [
        grade_submission(submission(SOLVED.values(), "ada"), one_sandbox, 3),
        grade_submission(submission(BLANK.values(), "bob"), one_sandbox, 3),
        grade_submission(submission(wrong, evil), one_sandbox, 3),
        Grade("=cmd|' /C calc'!A0", "+x.ipynb", SHEET, "error", review=["@fault"]),
        Grade("eve", "eve.ipynb", "", "unrecognised", notes=["none of the sheets"]),
    ]


@pytest.fixture(scope="module")
def out(grades, tmp_path_factory):
    folder = tmp_path_factory.mktemp("out")
    write_reports(grades, folder, 1)
    return folder


def test_scores_are_counted_in_equal_parts_and_the_last_holds_full_marks():
    bins = _bins([0, 2, 9.9, 10], 10)
    assert [part["label"] for part in bins][::4] == ["0 to below 2", "8 to 10"]
    assert [(part["count"], part["width"]) for part in bins] == [(1, 25), (1, 25), (0, 0), (0, 0), (2, 50)]


def test_the_table(grades):
    rows = list(csv.DictReader(as_csv(grades).splitlines()))
    last = ["in_place", "mistakes", "needs_review"]
    assert list(rows[0]) == ["student", "file", "sheet", "score", "max", "status", *NAMES, *last]
    ada = rows[0]
    told = [ada[column] for column in ("score", "max", "status", "shifted", "needs_review")]
    assert told == ["10", "10", "graded", "4", ""]
    assert not any(
        cell.startswith(("=", "+", "-", "@")) for row in csv.reader(as_csv(grades).splitlines()) for cell in row
    )


@pytest.mark.parametrize("separator", list(";,|\t"))
def test_no_cell_is_a_formula_where_the_separator_is_another(separator):
    names = [f"a{separator}=1+1{separator}b", f"a{separator} '-2+3", f"{separator}@x", "\t=1", "＝1+1", "a\n=1"]
    table = as_csv([Grade(name, name, SHEET, "error", review=[name]) for name in names])
    for cell in re.split(rf"[{separator}\n]", table):
        assert not cell.strip(' "').startswith(tuple("=+-@＝\t"))


def test_spreadsheet_programs_know_the_encoding(tmp_path):
    write_reports([Grade("Zoë 名前", "x.ipynb", SHEET, "error")], tmp_path, 1)
    data = (tmp_path / "grades.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfstudent,") and data.count(b"\xef\xbb\xbf") == 1
    pandas = pytest.importorskip("pandas")
    assert pandas.read_csv(tmp_path / "grades.csv").student[0] == "Zoë 名前"


def test_gradescope(grades):
    everyone = as_gradescope(grades)
    ada = everyone["ada"][SHEET]
    assert ada["score"] == 10 and [t["name"] for t in ada["tests"]] == NAMES
    for results in everyone.values():
        for result in results.values():
            assert set(result) <= {"score", "output", "output_format", "visibility", "tests", "extra_data"}
            for test in result["tests"]:
                assert set(test) == {
                    "name", "number", "score", "max_score", "status", "output", "output_format", "visibility",
                }  # fmt: skip
                assert 0 <= test["score"] <= test["max_score"] and test["status"] in ("passed", "failed")
    json.dumps(everyone)


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.tags, self.loads = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        loads = ("src", "action") if tag == "a" else ("src", "href", "action")
        self.loads += [value for name, value in attrs if name in loads]
        if tag not in ("meta", "br", "link", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("page", ["report.html", "feedback"])
def test_pages_are_whole_self_contained_and_escaped(out, page):
    files = [out / page] if page.endswith("html") else sorted((out / page).iterdir())
    for file in files:
        text = file.read_text(encoding="utf-8")
        reader = _Reader()
        reader.feed(text)
        assert reader.open == [] and reader.loads == [] and ("html", {"lang": "en"}) in reader.tags
        assert not {"script", "b", "iframe"} & {tag for tag, _ in reader.tags}
        ids = [attrs["id"] for _, attrs in reader.tags if "id" in attrs]
        assert len(set(ids)) == len(ids) and [tag for tag, _ in reader.tags].count("h1") == 1


def test_no_seed_on_any_page(grades, tmp_path):
    for grade in grades:
        for result in grade.results:
            result["seed"] = 987654321
    write_reports(grades, tmp_path, 1)
    told = [p.read_text(encoding="utf-8") for p in tmp_path.rglob("*.*") if p.is_file()]
    assert len(told) >= 3 + 2 * len(grades) - 2 and not any("987654321" in text for text in told)


def test_what_was_marked_on_is_listed_with_both_counts(out, grades):
    wrong = next(grade for grade in grades if grade.student.startswith("<"))
    on = {r["name"]: (r["alone"], r["points"], r["instead"]) for r in wrong.results if r["instead"]}
    assert on == {"total": (0, 3, ("shifted",))}
    text = (out / "report.html").read_text(encoding="utf-8")
    assert "in place of earlier wrong ones: 1" in text and text.count('<td class="number">0</td>') >= 1
    row = next(r for r in csv.DictReader(as_csv(grades).splitlines()) if r["student"] == wrong.student)
    assert row["in_place"].startswith("total: 0 as handed in, 3 with a right shifted")
    page = (out / "feedback" / f"{page_name(wrong)}.html").read_text(encoding="utf-8")
    assert "with a right one in its place this function earns 3 of 3" in page


def test_the_class_report_leads_to_the_pages_of_those_to_look_at(out, grades):
    links = re.findall(r'href="([^"]+)"', (out / "report.html").read_text(encoding="utf-8"))
    graded = [(grade, result) for grade in grades for result in grade.results if grade.status == "graded"]
    on = sum(bool(result["instead"]) for _, result in graded)
    less = sum(result["points"] < result["max_points"] for _, result in graded)
    mistakes = sum(bool(result["misconception"]) for _, result in graded)
    assert len(links) == sum(bool(grade.review) for grade in grades) + on + less + mistakes and min(on, less) > 0
    assert all((out / unquote(link.partition("#")[0])).is_file() for link in links)
    pages = {link.partition("#")[0]: link.partition("#")[2] for link in links if "#" in link}
    assert all(f'id="{name}"' in (out / unquote(page)).read_text(encoding="utf-8") for page, name in pages.items())


def test_answers_that_no_check_knows_stand_together_and_without_names(one_sandbox, tmp_path):
    odd = "def shifted(v, c):\n    # by ada, who is proud of it\n    return cube(v) + c  # ada\n\nada = 1\n"
    cubes = ("def cube(v):\n    return v ** 3\n", "cube = lambda v: v * v * v  # and other inputs than ada's\n")
    handed_in = [submission(solved(cube, shifted=odd), name) for name, cube in zip(("ada", "bob"), cubes, strict=True)]
    handed_in.append(submission(solved(shifted="def shifted(v, c):\n    return v * v + c\n"), "eve"))
    grades = [grade_submission(one, one_sandbox, 3) for one in handed_in]
    write_reports(grades, tmp_path, 1, submissions=handed_in)
    text = (tmp_path / "unknown.md").read_text(encoding="utf-8")
    assert re.findall("^## .*", text, re.MULTILINE) == ["## shifted, 2 of them", "## shifted, 1 of them"]
    assert "\n    def shifted(v, c):\n        return cube(v) + c\n    def cube(v):\n        return v ** 3\n" in text
    assert "Chapter 98: tiny, 0 of 4 points. The hint was:\n\n> " in text
    assert not re.search(r"\b(ada|bob|eve)\b", text)


BOXES = """[...document.querySelectorAll('table')].map(t => t.parentElement).map(b => [b.className, b.tabIndex,
b.ariaLabel, b.scrollWidth > b.clientWidth, getComputedStyle(b).backgroundImage.split('gradient').length])"""


def test_on_a_phone_a_table_scrolls_in_its_box_and_the_page_does_not(tmp_path):
    """Names of forty letters, open folds, dark and light; a shadow at its edge says that a table goes on."""
    from playwright.sync_api import sync_playwright

    mistake = {"misconception": "a long name " * 4, "seed": 1}
    results = [asdict(Result(s.name, 0, s.points, "failed", **mistake)) for s in EXERCISES]
    more = {"review": ["not looked at: " + "y" * 60], "days_late": 2}
    grades = [Grade("x" * 40 + str(i), "x.ipynb", SHEET, "graded", results, **more) for i in range(3)]
    write_reports(grades, tmp_path, 1)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_browser(), args=list(QUIET))
        for width, wider in ((390, True), (1200, False)):
            page = chromium.new_page(viewport={"width": width, "height": 800})
            page.goto((tmp_path / "report.html").as_uri())
            page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
            assert page.evaluate("document.documentElement.scrollWidth") == width
            boxes = page.evaluate(BOXES)
            assert all(name == "wide" and at == 0 and label and shadows == 5 for name, at, label, _, shadows in boxes)
            assert any(more for *_, more, _ in boxes) or not wider
            page.goto(next((tmp_path / "feedback").iterdir()).as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") == width
        chromium.close()


def test_a_page_has_ones_own_line_no_hidden_value_and_nobody_elses_name(out, grades):
    pages = [(out / "feedback" / f"{page_name(grade)}.html").read_text(encoding="utf-8") for grade in grades[:3]]
    for grade, text in zip(grades[:2], pages, strict=False):
        assert grade.student in text
        assert not any(other in text for other in ("ada", "bob", "eve.ipynb") if not other.startswith(grade.student))
    assert "raise ValueError(v)" in pages[2] and "&lt;b&gt;" in pages[2]
    for case in hidden_cases("shifted", 3):
        for number in case.args[0].ravel()[:20]:
            assert f"{number:.6f}" not in pages[2] or number == int(number)


def test_the_class_report_says_who_is_to_be_looked_at_and_what_was_hardest_if_anything_was(out, grades, tmp_path):
    write_reports([grades[0]], tmp_path, 1)
    whole, alone = ((folder / "report.html").read_text(encoding="utf-8") for folder in (out, tmp_path))
    assert "median 6" in whole and "bubblewrap" in whole and "@fault" in whole
    assert "Most difficult" in whole and "Most difficult" not in alone
    assert title(SHEET) == TITLE and title("ch07a_rbf_nets") == "Chapter 7a: rbf nets" and title("") == "Your sheet"
