"""The table of the term, and what each exercise tells of a class."""

from __future__ import annotations

import csv
import io
import math
import re
from dataclasses import asdict

import numpy as np
import pytest

from kcourse.checks import exercises
from kcourse.checks.judge import Result
from kcourse.commands.cli import main
from kcourse_grader.marking.record import Grade, nothing_handed_in
from kcourse_grader.reports.items import correlation, in_words, interval
from kcourse_grader.reports.report import as_csv
from tests.rows import each

A, B, C = "ch01_neighbors", "ch02_kernels", "ch03_ridge"
WORTH = {sheet: sum(spec.points for spec in exercises(sheet)) for sheet in (A, B, C)}


def grade(student, sheet, share, **more):
    """A grade with about this share of each exercise, and the first mistake where it is not all of it."""
    results = []
    for spec in exercises(sheet):
        mistake = "" if share == 1 else spec.misconceptions[0].name
        result = Result(spec.name, round(share * spec.points, 2), spec.points, "partial", misconception=mistake, seed=1)
        results.append(asdict(result))
    return Grade(student, f"{student}.ipynb", sheet, "graded", results, **more)


@pytest.fixture
def term(tmp_path, capsys):
    """Write each list of grades as a folder of results, merge them; returns the exit code and what was said."""

    def made(*shares, options=(), texts=()):
        folders = []
        for i, grades in enumerate(shares):
            (tmp_path / f"r{i}").mkdir(exist_ok=True)
            (tmp_path / f"r{i}" / "grades.csv").write_text("\ufeff" + as_csv(grades), encoding="utf-8")
            folders.append(str(tmp_path / f"r{i}"))
        for name, text in texts:
            (tmp_path / name).write_text(text, encoding="utf-8")
        options = [str(tmp_path / o) if o.endswith(".csv") else o for o in options]
        code = main(["term", *folders, "--out", str(tmp_path / "term"), *options])
        return code, capsys.readouterr().err

    made.folder = tmp_path
    return made


def table(path):
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def test_the_mark_is_the_weighted_mean_without_the_lowest(term):
    shares = {"al": {A: 1, B: 0.5, C: 0}, "bo": {A: 0.5, B: 0.5, C: 1}, "cy": {B: 1}}
    grades = [grade(who, sheet, share) for who, mine in shares.items() for sheet, share in mine.items()]
    weights = ("weights.csv", f"sheet;weight\n{A};1\n{B};2,5\n{C};3\nch04_gp;2\n")
    code, said = term(grades, options=["--weights", "weights.csv", "--drop", "1"], texts=[weights])
    assert code == 0 and "Nothing is graded yet for ch04_gp" in said
    rows = {row["student"]: row for row in table(term.folder / "term/term.csv")}
    # al loses C; bo the heavier of two equal ones; of cy, who handed in B alone, C (0, and heavier than A) is dropped
    for who, right in {"al": (1 + 1.25) / 3.5, "bo": (0.5 + 3) / 4, "cy": 2.5 / 3.5}.items():
        assert float(rows[who]["percent"]) == pytest.approx(100 * right, abs=0.3)
    assert [rows[who]["dropped"] for who in ("al", "bo", "cy")] == [C, B, C]
    assert rows["cy"]["missing"] == f"{A} {C}" and rows["cy"][f"{A} (of {WORTH[A]:g})"] == ""
    assert rows["al"][f"{C} (of {WORTH[C]:g})"] == "0" and rows["al"]["missing"] == ""  # what was handed in


def test_a_stray_sheet_gives_way_to_the_one_that_was_due(term):
    first = [*(grade(who, A, 1) for who in "abcde"), grade("a", B, 0.5), grade("e", B, 0.5)]
    code, _ = term(first[:-1] + [grade("e", C, 1)], [grade(who, B, 1) for who in "abcd"])
    rows = {row["student"]: row for row in table(term.folder / "term/term.csv")}
    assert code == 0 and float(rows["a"]["percent"]) == 100 and C not in "".join(rows["a"])


def test_graders_who_shared_the_work_are_merged(term):
    mine = [grade("Ada_1", A, 1, id="1"), *(nothing_handed_in(n, A) for n in ("Bo_2", "Cy_3"))]
    other = [grade("Bo_2", A, 0.5, id="2"), grade("ada", B, 1, id="1"), nothing_handed_in("Ada_1", A)]
    for found, number in zip([*mine[1:], other[2]], "231", strict=True):
        found.id = number
    code, said = term(mine, other)
    assert code == 0 and "Ada_1 and ada have the same id, 1" in said
    rows = {row["id"]: row for row in table(term.folder / "term/term.csv")}
    assert rows["1"]["percent"] == "100.00" and rows["3"]["missing"] == f"{A} {B}" and len(rows) == 3
    assert rows["2"]["missing"] == B


def test_lateness_and_points_by_hand_come_from_the_results(term):
    late = grade("al", A, 1, days_late=2)
    late.points_off = 2.5
    set_by_hand = nothing_handed_in("bo", A)
    set_by_hand.set_to = 3.0
    lost = Grade("cy", "cy.ipynb", A, "unreadable", [dict(r, points=0) for r in late.results])
    code, said = term([late, set_by_hand, lost, Grade("di", "x.ipynb", "", "unrecognised")])
    rows = {row["student"]: row for row in table(term.folder / "term/term.csv")}
    column = f"{A} (of {WORTH[A]:g})"
    assert code == 0 and (rows["al"][column], rows["al"]["points_off"]) == (f"{WORTH[A] - 2.5:g}", "2.5")
    assert rows["bo"][column] == "3" and rows["bo"]["missing"] == "" and rows["cy"][column] == "0"
    assert re.search(r"not be graded: \S+grades.csv, line 4: cy, ch01_neighbors, unreadable", said)
    assert "line 5: di, no sheet, unrecognised" in said and said.startswith("4 students, 1 sheet")
    assert (rows["di"]["missing"], rows["di"]["percent"]) == (A, "0.00")  # and is not forgotten


def test_pseudonyms_are_told_apart_by_the_key_beside_them(term):
    grades = [grade("student-0a1b2", A, 1)]
    code, said = term(grades)
    assert code == 2 and "line 2: student-0a1b2 is a pseudonym" in said
    assert term(grades, texts=[("r0/names.csv", "\ufeffname,student\nstudent-0a1b2,ada\n")])[0] == 0
    assert table(term.folder / "term/term.csv")[0]["student"] == "ada"


def test_results_of_an_older_version_and_none_at_all(term):
    (term.folder / "r9").mkdir()
    code, said = term(options=[str(term.folder / "r9")])
    assert code == 2 and "r9/grades.csv does not exist" in said
    (term.folder / "r9/grades.csv").write_text("student,file,sheet,score,max,status\n")
    code, said = term(options=[str(term.folder / "r9")])
    assert code == 2 and "line 1: no column mistakes" in said


def test_statistics_of_each_exercise_agree_with_numpy(term):
    rng = np.random.default_rng(5)
    specs = exercises(A)
    points = np.array([[rng.integers(0, spec.points + 1) for spec in specs] for _ in range(30)], dtype=float)
    points[:, 1] = specs[1].points  # who all have: it tells nobody apart
    grades = [grade(f"s{i:02d}", A, 0.5) for i in range(30)]
    for found, row in zip(grades, points, strict=True):
        for result, value in zip(found.results, row, strict=True):
            result["points"] = value
        found.results[0]["misconception"] = specs[0].misconceptions[int(row[0]) % 2].name
    assert term(grades[:17], grades[17:])[0] == 0
    rows = table(term.folder / "term/exercises.csv")
    assert [row["exercise"] for row in rows] == [spec.name for spec in specs]
    for j, row in enumerate(rows):
        assert float(row["mean_share"]) == pytest.approx(points[:, j].mean() / specs[j].points, abs=1e-3)
        assert float(row["all_points"]) == pytest.approx((points[:, j] == specs[j].points).mean(), abs=1e-3)
        if j == 1:
            assert row["discrimination"] == row["from"] == ""
        else:
            r = np.corrcoef(points[:, j], np.delete(points, j, 1).sum(1))[0, 1]
            assert float(row["discrimination"]) == pytest.approx(r, abs=0.01) and row["submissions"] == "30"
            assert float(row["from"]) < r < float(row["to"])
    mistakes = [row for row in table(term.folder / "term/mistakes.csv") if row["exercise"] == specs[0].name]
    odd = int((points[:, 0] % 2).sum())
    assert {row["mistake"]: int(row["submissions"]) for row in mistakes} == {
        in_words(specs[0], specs[0].misconceptions[0].name): 30 - odd,
        in_words(specs[0], specs[0].misconceptions[1].name): odd,
    }  # fmt: skip
    assert (term.folder / "term/exercises.png").stat().st_size > 10_000


WHOLE = f"ada,,{A},1,{WORTH[A]},graded,"
BROKEN = [  # rows, options or weights, what is said
    (f"ada,,{A},1,{WORTH[A]},graded,\nada,,{A},2,{WORTH[A]},graded,", "", "line 3: ada has 2 points"),
    (f"ada,,{A},1l,{WORTH[A]},graded,", "", "line 2: score is '1l'"),
    (f"ada,,{A},999,{WORTH[A]},graded,", "", "line 2: 999 of"),
    ("ada,,ch99,1,2,graded,", "", "line 2: no sheet named 'ch99'"),
    (f"ada,,{A},1,3,graded,\nbo,,{A},1,4,graded,", "", "line 3: ch01_neighbors is worth 4 points"),
    ("ada,,ch01", "", "line 2: 3 cells, but 7 columns"),
    (f"ada,,{A},0,0,graded,", "", "line 2: max is 0"),
    (f"ada,,{A},{'9' * 400},{WORTH[A]},graded,", "", "which is not a number"),
    (f'"ada,,{A},1,3,graded,', "", "Is a quotation mark missing"),
    ("ada,,,0,0,unrecognised,", "", "no student has a grade"),
    (WHOLE, "--drop 1", "--drop 1: write 0 to 0"),
    (WHOLE, "--drop -1", "--drop -1"),
    (WHOLE, "sheet,weights\n", "weights.csv, line 1: the columns must be sheet, weight; got sheet, weights"),
    (WHOLE, "sheet,weight\nch3_ridge,1\n", "line 2: no sheet named 'ch3_ridge'. Available: ch03_ridge"),
    (WHOLE, f"sheet,weight\n\n{A},1\n{A},2\n", f"line 4: {A} is listed twice"),
    (WHOLE, f"sheet,weight\n{A},one\n", "line 2: the weight of ch01_neighbors is 'one'"),
    (WHOLE, f"sheet,weight\n{A},-1\n", "is '-1'; write 0 or more"),
    (WHOLE, f"sheet,weight\n{B},1\n", f"there is no weight for {A}"),
    (WHOLE, f"sheet,weight\n{A},0\n", "weight above 0"),
]


@each(("rows", "more", "says"), BROKEN)
def test_a_table_or_weights_that_cannot_be_are_named_with_their_line(term, rows, more, says):
    (term.folder / "r").mkdir(exist_ok=True)
    (term.folder / "r/grades.csv").write_text(f"student,id,sheet,score,max,status,mistakes\n{rows}\n", encoding="utf-8")
    weights = [("weights.csv", more)] if more.startswith("sheet") else []
    options = ["--weights", "weights.csv"] if weights else more.split()
    code, said = term(options=[str(term.folder / "r"), *options], texts=weights)
    assert code == 2 and says in said and not (term.folder / "term").exists()


def test_a_mistake_is_told_in_words():
    known = {m.name: m.hint for m in exercises(C)[0].misconceptions}
    one, other = "gradient solved with KK + lambda I", "no lambda"
    first, second = (in_words(exercises(C)[0], name) for name in (one, other))
    assert known[one].startswith(first) and known[other].startswith(second)
    assert in_words(exercises(C)[0], f"{one} + {other}") == f"{first} {second}"


def test_a_correlation_of_few_or_of_equals_is_none():
    assert correlation([1, 2, 3], [1, 2, 3]) is None and correlation([1] * 5, range(5)) is None
    assert correlation(range(4), range(4)) == pytest.approx(1)
    low, high = interval(0.5, 28)
    assert (math.atanh(high) - math.atanh(low)) / 2 == pytest.approx(1.96 / 5) and low < 0.5 < high
