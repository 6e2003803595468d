"""What is written: tables, pages, the class report."""

from __future__ import annotations

import csv
import json
import re
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest

from kcourse.checks import exercises
from kcourse.grading.grade import grade_submission, hidden_cases
from kcourse.grading.record import Grade
from kcourse.grading.tables.report import as_csv, as_gradescope, page_name, title, write_reports
from tests.grading.making import BLANK, SHEET, SOLVED, solved, submission

NAMES = [spec.name for spec in exercises(SHEET)]


@pytest.fixture(scope="module")
def grades(one_sandbox):
    evil = "<script>alert(1)</script>"
    wrong = solved(krr_fit="def krr_fit(K, y, lam):\n    raise ValueError(K)  # <b>bold</b>\n")
    made = [
        grade_submission(submission(SOLVED.values(), "ada"), one_sandbox, 3),
        grade_submission(submission(BLANK.values(), "bob"), one_sandbox, 3),
        grade_submission(submission(wrong, evil), one_sandbox, 3),
        Grade("=cmd|' /C calc'!A0", "+x.ipynb", SHEET, "error", review=["@fault"]),
        Grade("eve", "eve.ipynb", "", "unrecognised", notes=["none of the sheets"]),
    ]
    return made


@pytest.fixture(scope="module")
def out(grades, tmp_path_factory):
    folder = tmp_path_factory.mktemp("out")
    write_reports(grades, folder, 1)
    return folder


def test_the_table(grades):
    rows = list(csv.DictReader(as_csv(grades).splitlines()))
    assert list(rows[0]) == ["student", "file", "sheet", "score", "max", "status", *NAMES, "in_place", "needs_review"]
    ada = rows[0]
    assert (ada["score"], ada["max"], ada["status"], ada["krr_fit"], ada["needs_review"]) == (
        "25",
        "25",
        "graded",
        "4",
        "",
    )


def test_no_cell_is_a_formula(grades):
    rows = csv.reader(as_csv(grades).splitlines())
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)


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
    assert ada["score"] == 25 and [t["name"] for t in ada["tests"]] == NAMES
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


def test_a_page_has_ones_own_line_and_no_hidden_value(out, grades):
    text = (out / "feedback" / f"{page_name(grades[2])}.html").read_text(encoding="utf-8")
    assert "raise ValueError(K)" in text and "&lt;b&gt;" in text
    for case in hidden_cases("krr_fit", 3):
        for number in case.args[0].ravel()[:20]:
            assert f"{number:.6f}" not in text or number == int(number)


def test_a_page_has_nobody_elses_name(out, grades):
    for grade in grades[:2]:
        text = (out / "feedback" / f"{page_name(grade)}.html").read_text(encoding="utf-8")
        assert grade.student in text
        assert not any(other in text for other in ("ada", "bob", "eve.ipynb") if not other.startswith(grade.student))


def test_no_seed_on_any_page(grades, tmp_path):
    for grade in grades:
        for result in grade.results:
            result["seed"] = 987654321
    write_reports(grades, tmp_path, 1)
    told = [p.read_text(encoding="utf-8") for p in tmp_path.rglob("*.*") if p.is_file()]
    assert len(told) >= 3 + 2 * len(grades) - 2 and not any("987654321" in text for text in told)


def test_the_class_report(out):
    text = (out / "report.html").read_text(encoding="utf-8")
    for words in ("5 submissions", "median 21", "bubblewrap", "@fault", "krr_fit"):
        assert words in text


def test_one_submission_is_not_many(grades, tmp_path):
    write_reports([grades[0]], tmp_path, 1)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert '<p class="soft">1 submission · ' in text and "<p>1 submission, median 25 of 25 points" in text


def test_where_everybody_has_everything_nothing_was_hardest(out, grades, tmp_path):
    write_reports([grades[0]], tmp_path, 1)
    for folder, there in ((out, True), (tmp_path, False)):
        assert ("What was hardest" in (folder / "report.html").read_text(encoding="utf-8")) == there


def test_what_was_marked_on_is_listed_with_both_counts(out, grades):
    wrong = next(grade for grade in grades if grade.student.startswith("<"))
    on = {r["name"]: (r["alone"], r["points"], r["instead"]) for r in wrong.results if r["instead"]}
    assert on == {"krr_fit_predict": (0, 4, ("krr_fit",)), "ridge_dual_w": (0, 3, ("krr_fit",))}
    text = (out / "report.html").read_text(encoding="utf-8")
    assert "in the place of a wrong one: 2" in text and text.count('<td class="number">0</td>') >= 2
    row = next(r for r in csv.DictReader(as_csv(grades).splitlines()) if r["student"] == wrong.student)
    assert row["in_place"].startswith("krr_fit_predict 0 by itself, 4 with a right krr_fit; ridge_dual_w 0 by itself")
    page = (out / "feedback" / f"{page_name(wrong)}.html").read_text(encoding="utf-8")
    assert "with a right one in its place this function earns 4 of 4" in page


def test_the_class_report_leads_to_the_pages_of_those_to_look_at(out, grades):
    links = re.findall(r'href="([^"]+)"', (out / "report.html").read_text(encoding="utf-8"))
    graded = [(grade, result) for grade in grades for result in grade.results if grade.status == "graded"]
    on = sum(bool(result["instead"]) for _, result in graded)
    less = sum(result["points"] < result["max_points"] for _, result in graded)
    slips = sum(bool(result["misconception"]) for _, result in graded)
    assert len(links) == sum(bool(grade.review) for grade in grades) + on + less + slips and min(on, less) > 0
    assert all((out / unquote(link.partition("#")[0])).is_file() for link in links)
    pages = {link.partition("#")[0]: link.partition("#")[2] for link in links if "#" in link}
    assert all(f'id="{name}"' in (out / unquote(page)).read_text(encoding="utf-8") for page, name in pages.items())


def test_titles():
    assert title("ch03_ridge") == "Chapter 3: ridge" and title("") == "Your sheet"
