"""Exams: what is chosen, what is written, and what platforms are given."""

from __future__ import annotations

import csv
import io
import itertools
import re
import sys
import xml.etree.ElementTree as ElementTree
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from kcourse.commands.cli import main
from kcourse.paper_problems import Choice, Free, Gaps, Numbers, Order, bank, exam_bank, find
from kcourse.paper_problems.bank import chapters
from kcourse.paper_problems.browser import QUIET, find_browser
from kcourse.paper_problems.canvas import package
from kcourse.paper_problems.exam import credit, make, variants, write
from kcourse.paper_problems.moodle import quiz
from kcourse.paper_problems.page_data import written
from kcourse.paper_problems.selection import Row, choose, kind_of, name_of, pool_of, sizes, usual
from tests.rows import each

ROOT = Path(__file__).resolve().parents[2]
EVERYTHING = [problem for stem in chapters() for problem in exam_bank(stem)]
ONE_OF_EACH = [find(name) for name in ("ch03_ridge/left_out", "ch03_ridge/two_points", "ch03_ridge/repeated",
                                       "ch06_svm/kkt", "ch06_svm/rounds", "ch06_svm/lagrange")]  # fmt: skip
OWN = """
from kcourse.paper_problems import Free, Problem, Step

PROBLEMS = (
    Problem(
        name="small", title="Small λ", kind=Free((Step("says that f interpolates", 2),)), level=2, minutes=5, points=2,
        chapter="3", draw=lambda rng: {"n": int(rng.integers(3, 9))},
        statement="What does kernel ridge regression on $@n$ points become for small $\\\\lambda$?",
        solution="It interpolates.",
    ),
)
"""


@pytest.fixture(scope="module")
def drawn():
    return variants(EVERYTHING, 3, seed=7)


def chosen(stems, minutes, seed):
    pool = pool_of(stems)
    return choose(pool, usual(stems, minutes, pool), seed)


def shared(one, other):
    """The share of the shorter exam's problems that are in the other."""
    return len(set(one) & set(other)) / min(len(one), len(other))


def test_problems_are_chosen_by_minutes_from_all_chapters_most_of_them_held_back():
    stems = ["ch03_ridge", "ch05_margin", "ch06_svm"]
    exam = chosen(stems, 60, seed=2027)
    assert 54 <= sum(p.minutes for p in exam) <= 60 and exam == chosen(stems, 60, seed=2027)
    assert {kind_of(p) for p in exam} == {"free", "numbers", "choice"} and len(set(exam)) == len(exam)
    assert {p.chapter for p in exam} == set(stems) and exam != chosen(stems, 60, seed=2028)
    assert sum(p.minutes for p in exam if p.bank == "practice") <= 0.3 * 60
    with pytest.raises(ValueError, match="no problem for this blueprint takes 1 min or less"):
        chosen(["ch03_ridge"], 1, seed=0)


@pytest.mark.parametrize("stems", [*([stem] for stem in chapters()), ["ch03_ridge", "ch05_margin", "ch06_svm"]])
def test_successive_seeds_share_no_problem_and_any_two_share_few(stems):
    minutes, most = (45, 0.4) if len(stems) == 1 else (90, 0.25)
    exams = [chosen(stems, minutes, seed) for seed in range(15)]
    assert all(minutes - 5 <= sum(p.minutes for p in exam) <= minutes for exam in exams)
    assert not any(set(one) & set(other) for one, other in itertools.pairwise(exams))
    pairs = [shared(one, other) for one, other in itertools.combinations(exams, 2)]
    assert sum(pairs) / len(pairs) <= most


def test_a_blueprint_own_problems_and_old_exams_change_the_choice(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("KCOURSE_CHROMIUM", "none")
    plan, own = tmp_path / "plan.csv", tmp_path / "own.py"
    plan.write_text("chapters,kind,level,bank,minutes\n3 5,numbers,1,practice,12\n6,free,,,30\n", encoding="utf-8")
    own.write_text(OWN, encoding="utf-8")
    options = ["exam", "--blueprint", str(plan), "--seed", "3", "--variants", "1", "--out"]
    assert main([*options, str(tmp_path / "old")]) == 0
    old = csv.DictReader((tmp_path / "old/numbers.csv").read_text(encoding="utf-8").splitlines())
    problems = [find(row["problem"]) for row in old]
    for problem in problems:
        assert (problem.chapter == "ch06_svm") == (kind_of(problem) == "free")
        assert kind_of(problem) == "free" or (problem.level == 1 and problem.bank == "practice")
    assert main([*options, str(tmp_path / "new"), "--list", "--avoid", str(tmp_path / "old")]) == 0
    listed = capsys.readouterr().out.split("points in all")[-2]
    assert not any(name_of(problem) in listed for problem in problems)
    assert main(["exam", "--problems", "ch03_ridge/small", "--own", str(own), "--seed", "3", "--list"]) == 0
    assert "5 min   2 points  own       free     level 2  ch03_ridge/small: Small λ" in capsys.readouterr().out


@each(("old", "new", "said"), [
    ('"It interpolates."', '"$@m$"', "own.py, problem 'small': KeyError: 'm'"),
    ("says that f", "says that $@m$", "own.py, problem 'small': KeyError: 'm'"),
    ("minutes=5", "minutes=-5", "minutes and points must be above 0"),
    ('chapter="3"', 'chapter="7"', "chapter '7' has two parts. Write for example 7a"),
    ('"small"', '"freedom"', "a problem named ch03_ridge/freedom, and this name is taken"),
    ("PROBLEMS =", "MINE =", "while it was loaded: ValueError: it has no list PROBLEMS"),
])  # fmt: skip
def test_what_is_wrong_in_an_own_file_is_told(old, new, said, tmp_path, capsys):
    own = tmp_path / "own.py"
    assert old in OWN
    own.write_text(OWN.replace(old, new), encoding="utf-8")
    assert main(["exam", "--own", str(own), "--problems", "3/freedom", "--seed", "3", "--list"]) == 2
    assert said in capsys.readouterr().err


def test_an_own_figure_and_variants_that_differ_in_their_options_reach_the_platforms(tmp_path):
    figure = """
def figure(n):
    from matplotlib.figure import Figure
    return Figure(), 'a line "through 0"'
"""
    text = figure + OWN.replace('chapter="3"', 'chapter="3", figure=figure')
    (tmp_path / "own.py").write_text(text, encoding="utf-8")
    names = ["ch03_ridge/small", "ch02_kernels/rules"]
    make(tmp_path / "out", names=names, own=[tmp_path / "own.py"], seed=1, count=4, places=["moodle", "canvas"])
    root = ElementTree.parse(tmp_path / "out/moodle.xml").getroot()
    assert 'alt="a line &quot;through 0&quot;"' in root.findtext("question[2]/questiontext/text")
    with zipfile.ZipFile(tmp_path / "out/canvas.zip") as archive:
        assert any(name.endswith(".png") for name in archive.namelist())
        name = next(n for n in archive.namelist() if re.search(r"assessment_[^/]+\.xml$", n) and "meta" not in n)
        assert archive.read(name).count(b"<item ") >= 2 + 4


def test_without_the_grader_an_exam_has_practice_problems(monkeypatch):
    monkeypatch.setitem(sys.modules, "kcourse_grader.exam_problems.ch03_ridge", None)
    pool = exam_bank.__wrapped__("ch03_ridge")
    assert pool == bank("ch03_ridge")
    rows = usual(["ch03_ridge"], 20, pool)
    assert rows == [Row(("ch03_ridge",), 20)] and choose(pool, rows, 1)


def test_the_guide_has_the_sizes_of_the_bank():
    assert sizes() in (ROOT / "docs/exams.md").read_text(encoding="utf-8")


def test_on_paper_the_same_seed_gives_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setenv("KCOURSE_CHROMIUM", "none")  # the weekly run prints
    said = []
    options = {"title": "Kernels", "count": 2, "seed": 3, "minutes": 30, "date": "1 May", "aids": "none"}
    one, two = (write(ONE_OF_EACH, tmp_path / name, say=said.append, **options) for name in "ab")
    names = ["mathjax.js", "numbers.csv", *(f"{what}-{v}.html" for v in "AB" for what in ("variant", "solutions"))]
    assert [f.name for f in one] == names
    assert [f.read_bytes() for f in one] == [f.read_bytes() for f in two] and "open the .html files" in said[0]
    sheet, solved = (f.read_text(encoding="utf-8") for f in one[2:4])
    assert sheet.count("<section>") == solved.count("<section>") == 6
    assert sheet.count("<table") == 1 < solved.count("<table")
    assert 'class="blank"' in sheet and "☐" in sheet and "2 wrong gaps" in solved and "wrong" not in sheet
    assert "@" not in re.sub("@page|@bottom", "", sheet)
    assert "1 May" in sheet and "Aids: none" in sheet and sheet.count("<td>2</td>") >= 2  # the table of points
    rows = list(csv.DictReader(io.StringIO(one[1].read_text(encoding="utf-8"))))
    assert len(rows) == 12 and {row["variant"] for row in rows} == {"A", "B"}
    assert rows[0]["problem"] == "ch03_ridge/left_out"
    assert re.fullmatch(r"h = \S+; y = \S+; f = \S+", rows[0]["numbers"])


def test_a_browser_prints_it(tmp_path):
    files = write(ONE_OF_EACH[:1], tmp_path, title="Kernels", count=1, seed=3, minutes=30, paper="Letter")
    pdfs = [f for f in files if f.suffix == ".pdf"]
    assert [f.name for f in pdfs] == ["variant-A.pdf", "solutions-A.pdf"]
    for pdf in pdfs:
        content = pdf.read_bytes()
        assert content.startswith(b"%PDF") and b"D:20000101000000" in content and b"MediaBox [0 0 612 792]" in content


@pytest.mark.slow
def test_the_space_for_the_working_is_as_high_as_the_solution_and_nothing_is_wider_than_the_page(tmp_path, monkeypatch):
    from playwright.sync_api import sync_playwright

    browser = find_browser()
    monkeypatch.setenv("KCOURSE_CHROMIUM", "none")
    write(EVERYTHING, tmp_path, count=1, seed=5, minutes=90, say=lambda text: None)
    heights = "found => found.map(each => each.getBoundingClientRect().height)"
    wide = """found => found.filter(each => each.getBoundingClientRect().right
        > each.closest("section").getBoundingClientRect().right + 2).map(each => each.closest("section").innerText)"""
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=browser, args=list(QUIET)).new_page()
        found = []
        for name, part in (("variant-A", ".space"), ("solutions-A", ".solution")):
            page.goto((tmp_path / f"{name}.html").as_uri())
            page.evaluate("MathJax.startup.promise")
            found.append(page.eval_on_selector_all(part, heights))
            assert page.eval_on_selector_all("mjx-container", wide) == []
    low = [name_of(p) for p, space, used in zip(EVERYTHING, *found, strict=True) if space < used]
    assert not low


def test_moodle_reads_every_problem_as_what_it_is(drawn):
    root = ElementTree.fromstring(quiz(drawn))
    questions = root.findall("question")
    categories = [q for q in questions if q.get("type") == "category"]
    assert len(categories) == len(EVERYTHING) and len(questions) == 4 * len(EVERYTHING)
    assert categories[0].findtext("category/text").startswith("$course$/top/kcourse/ch01_neighbors/")
    asked = iter(q for q in questions if q.get("type") != "category")
    for column in zip(*drawn, strict=True):
        for one, question in zip(column, asked, strict=False):
            moodle_has(one, question)


def moodle_has(one, question):
    kind, cloze = one.problem.kind, question.get("type") == "cloze"
    text = question.findtext("questiontext/text")
    assert "$" not in text and "@" not in text.replace("@@PLUGINFILE@@", "") and question.findtext("name/text")
    assert question.findtext("generalfeedback/text") and question.find("questiontext").get("format") == "html"
    if cloze:
        parts = re.findall(r"\{1:(NUMERICAL|MULTICHOICE):((?:\\.|[^\\}])*)\}", text)
        assert len(parts) == len(one.fields) and isinstance(kind, Gaps | Numbers)
        for (_, entries), right in zip(parts, one.right, strict=True):
            correct = [entry for entry in re.split(r"(?<!\\)~", entries) if entry.startswith("=")]
            assert len(correct) == 1
            if isinstance(kind, Numbers):
                value, room = map(float, correct[0][1:].split(":"))
                assert abs(value - float(right)) <= room / 2
        return
    expected = {Numbers: "numerical", Choice: "multichoice", Order: "shortanswer", Free: "essay"}[type(kind)]
    assert question.get("type") == expected
    if isinstance(kind, Free):
        assert question.findtext("graderinfo/text").count("<li>") == len(kind.steps)
        return
    answers = question.findall("answer")
    fractions = [float(a.get("fraction")) for a in answers]
    assert fractions[0] == 100 and all(0 <= f < 100 for f in fractions[1:]) and len(answers) == len(one.wrong) + 1
    assert all(a.findtext("feedback/text") for a in answers) and question.findtext("defaultgrade")
    if isinstance(kind, Numbers):
        value, room = float(answers[0].findtext("text")), float(answers[0].findtext("tolerance"))
        assert abs(value - float(one.right[0])) <= room / 2


def test_canvas_picks_one_of_each_group(drawn):
    content = package(drawn, "Kernels")
    assert content == package(drawn, "Kernels")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert "imsmanifest.xml" in archive.namelist() and archive.testzip() is None
        name = next(n for n in archive.namelist() if re.search(r"assessment_[^/]+\.xml$", n) and "meta" not in n)
        root = ElementTree.fromstring(archive.read(name))
    space = {"q": root.tag.partition("}")[0][1:]}
    sections = root.findall(".//q:section/q:section", space)
    assert len(sections) == len(EVERYTHING)
    assert all(s.findtext(".//q:selection_number", namespaces=space) == "1" for s in sections)
    items = root.findall(".//q:item", space)
    assert 2 * len(EVERYTHING) < len(items) <= 3 * len(EVERYTHING)
    kinds = Counter(i.findtext(".//q:fieldentry", namespaces=space) for i in items)
    assert set(kinds) == {"numerical_question", "multiple_choice_question", "essay_question"}
    assert "@" not in ElementTree.tostring(root, encoding="unicode")


def test_the_command_lists_and_writes_for_platforms(tmp_path, capsys):
    options = ["exam", "--chapters", "7", "--minutes", "20", "--seed", "1", "--out", str(tmp_path)]
    assert main([*options, "--list"]) == 0 and not any(tmp_path.iterdir())
    listed = capsys.readouterr().out
    assert "ch07a_rbf_interpolation/" in listed and "ch07b_rbf_networks/" in listed and "min" in listed
    assert main([*options, "--for", "moodle", "canvas"]) == 0
    assert sorted(f.name for f in tmp_path.iterdir()) == ["canvas.zip", "moodle.xml"]
    with pytest.raises(ValueError, match="Available: "):
        make(tmp_path / "new", stems=["ridge"], seed=0)


def test_variants_have_other_numbers_and_letters_and_the_scheme_gives_mistakes_their_part_in_half_points(drawn):
    assert [[d.problem for d in variant] for variant in drawn] == 3 * [EVERYTHING]
    columns = list(zip(*drawn, strict=True))
    same = [column[0].problem for column in columns if len({d.asked for d in column}) < 3]
    assert all(problem.proves or isinstance(problem.kind, Free) for problem in same)  # where the numbers play no part
    for column in columns:
        if isinstance(column[0].problem.kind, Choice):
            assert len({written(d, d.right) for d in column}) == 3
    assert drawn[0][0].statement != variants(EVERYTHING[:1], 1, seed=8)[0][0].statement
    for each_one in (d for variant in drawn for d in variant):
        if isinstance(each_one.problem.kind, Free):
            continue
        (answer, points, says), *wrong = credit(each_one)
        assert answer and float(points) == each_one.problem.points and says == "right"
        assert all(0 <= 2 * float(p) == int(2 * float(p)) < 2 * each_one.problem.points for _, p, _ in wrong)
        assert len({row[0] for row in wrong} | {answer}) == len(wrong) + 1


@each(("options", "said"), [
    ("--variants 0", "--variants must be 1 or more, got 0"),
    ("--chapters 12", "no chapter '12' with paper problems. Available: ch01_neighbors"),
    ("--problems ch03_ridge/x", "ch03_ridge has no problem 'x'"),
    ("--chapters 3 --problems ch03_ridge/freedom", "cannot be combined"),
    ("--problems ch03_ridge/freedom ch03_ridge/freedom", "names a problem twice"),
    ("--minutes 1", "takes 1 min or less"),
    ("--problems 3/freedom ch03/freedom", "names a problem twice"),
    ("--avoid nowhere", "--avoid nowhere: there is no nowhere. Name the folder of an exam"),
    ("--own nowhere.py", "--own nowhere.py is not a Python file"),
    ("--blueprint nowhere.csv --minutes 30", "--blueprint has its own minutes"),
])  # fmt: skip
def test_what_cannot_be_an_exam_is_told(options, said, tmp_path, capsys):
    assert main(["exam", "--seed", "1", "--out", str(tmp_path / "x"), *options.split()]) == 2
    assert said in capsys.readouterr().err and not (tmp_path / "x").exists()
