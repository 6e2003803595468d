"""The machinery: what a table is made from, what is refused, what is kept, what a line says."""

from __future__ import annotations

import pytest

from kcourse.lab import measured
from measured import Claim, table
from tools import measure

MODULE = '''
from measured import Claim, table
from measured.common import least

NOISE = 2

def spread(draw):
    """How far."""
    return NOISE * draw

@table("errors among a hundred", draws=4, of="splits")
def ch03_toy(draw):
    return {"careful": 3 + spread(draw), "quick": 9 + 2 * spread(draw)}

OTHER = 1
CLAIMS = [
    Claim("care-pays", ch03_toy, less="careful", than="quick", holds=4, unit="errors"),
    Claim("few", ch03_toy, less="careful", than=9, holds=3),
]
'''
CHAPTER = """# %% [markdown]
# # 3 Toy

# %% hide="input"
toy = measured("ch03_toy", "care-pays", "few")
"""


class Course:
    """A project with one chapter that measures."""

    def __init__(self, root):
        self.root = root
        (root / "kcourse/measured_data").mkdir(parents=True)
        (root / "measured").mkdir()
        (root / "measured/common.py").write_text("", encoding="utf-8")
        self.module, self.chapter, self.table = MODULE, CHAPTER, root / "kcourse/measured_data/ch03_toy.csv"
        (root / "notebooks/src").mkdir(parents=True)
        (root / "notebooks/src/ch03_toy.py").write_text(CHAPTER, encoding="utf-8")
        self.write()

    def write(self, old="", new=""):
        self.module = self.module.replace(old, new)
        (self.root / "measured/ch03_toy.py").write_text(self.module, encoding="utf-8")

    def faults(self):
        return list(measure.faults(self.root, "ch03_toy", self.chapter))

    def measure(self, **options):
        return measure.measure(self.root, **options)


@pytest.fixture
def course(tmp_path):
    return Course(tmp_path)


def test_from_the_function_to_the_line_in_the_notebook(course, monkeypatch, capsys):
    assert course.measure() == [] and course.faults() == []
    monkeypatch.setitem(measured.__globals__, "DATA", course.table.parent)
    capsys.readouterr()
    columns = measured("ch03_toy", "care-pays", "few")
    assert capsys.readouterr().out.splitlines() == [
        "✓ measured on 4 splits: careful below quick in 4, by 9.0 ± 1.3 errors (6 to 12)",
        "✓ measured on 4 splits: careful below 9 in 3: 6.0 ± 1.3 (3 to 9)",
    ]
    assert {name: list(column) for name, column in columns.items()} == {
        "careful": [3, 5, 7, 9],
        "quick": [9, 13, 17, 21],
    }
    with pytest.raises(KeyError, match="no claim 'many' rests on ch03_toy.csv.*care-pays, few"):
        measured("ch03_toy", "many")
    with pytest.raises(FileNotFoundError, match="no table 'ch03_toys'"):
        measured("ch03_toys")
    course.table.write_text(course.table.read_text("utf-8").replace('"holds": 3', '"holds": 4'), encoding="utf-8")
    with pytest.raises(AssertionError, match=r"careful below 9 in 3: .* 4"):
        measured("ch03_toy", "few")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("NOISE = 2", "NOISE = 3", "older than its function"),
        ("draws=4", "draws=5", "older than its function"),
        ("holds=3", "holds=2", "descriptions have changed"),
        ("a hundred", "hundred", "descriptions have changed"),
        ('"few", ch', '"none", ch', "no cell of the chapter calls measured('ch03_toy', 'none')"),
        ("How far.", "So far.", ""),
        ("OTHER = 1", "OTHER = 2", ""),
        ("import least", "import least, times", ""),
    ],
)
def test_what_the_build_refuses(course, old, new, fault):
    course.measure()
    course.write(old, new)
    found = course.faults()
    assert not found if not fault else any(fault in line for line in found), found


def test_what_is_imported_from_measured_counts(course):
    course.write("return NOISE * draw", "return NOISE * draw + 0 * bool(least)")
    course.measure()
    (course.root / "measured/common.py").write_text("UNUSED = 1\n", encoding="utf-8")
    assert course.faults() == []
    (course.root / "measured/common.py").write_text("def least():\n    return 1\n", encoding="utf-8")
    assert ["older than its function" in line for line in course.faults()] == [True]


def test_a_claim_that_does_not_hold_is_measured_and_refused(course):
    course.write("holds=3", "holds=4")
    said = ["ch03_toy, few: holds in 3 of 4 splits, but should in 4"]
    assert course.measure() == said
    [said] = course.faults()
    assert said.endswith("ch03_toy.csv: the claim 'few' holds in 3 of 4 splits, but should in 4")


def test_only_what_is_stale_is_measured_and_what_was_done_before_a_stop_is_kept(course, monkeypatch):
    asked = []

    def counted(root, task, stop=None):
        if task[2] == stop:
            raise KeyboardInterrupt
        asked.append(task[2])
        return real(root, task)

    real = measure.row
    monkeypatch.setattr(measure, "row", lambda root, task: counted(root, task, stop=2))
    with pytest.raises(KeyboardInterrupt):
        course.measure()
    assert asked == [0, 1] and not course.table.exists()
    monkeypatch.setattr(measure, "row", counted)
    course.measure()
    course.write("How far", "So far")
    before = course.table.read_bytes()
    course.measure()
    assert asked == [0, 1, 2, 3] and course.table.read_bytes() == before and course.faults() == []
    (course.root / measure.KEPT).rename(course.root / "elsewhere")  # as after a fresh clone
    course.measure()
    assert asked == [0, 1, 2, 3]
    course.measure(force=True)
    assert asked == [0, 1, 2, 3] * 2


def test_a_repeated_run_names_what_is_no_longer_as_it_was(course):
    course.measure()
    assert measure.check(course.root) == []
    course.table.write_text(course.table.read_text("utf-8").replace("5,13", "5,14"), encoding="utf-8")
    assert measure.check(course.root) == ["ch03_toy(1): quick was 14 and is now 13"]


def test_faults_of_an_author_are_named(course):
    with pytest.raises(ValueError, match="give either draws, their number, or over"):
        table("nothing")
    with pytest.raises(ValueError, match="claim 'x': holds=3 of 2 draws"):
        Claim("x", table("what", 2)(dict), less="a", than="b", holds=3)
    course.write('than="quick"', 'than="quack"')
    with pytest.raises(ValueError, match="claim 'care-pays' names 'quack'. Available: careful, quick"):
        course.measure()
    course.write('than="quack"', 'than="quick"')
    course.write('"careful"', '"care, full"')
    with pytest.raises(ValueError, match="ch03_toy names 'care, full'"):
        course.measure()
    course.write('"care, full"', '"careful"')
    course.write("spread(draw), ", "spread(draw), **({'more': 1} if draw else {}), ")
    with pytest.raises(ValueError, match=r"ch03_toy\(1\) returns careful, more, quick"):
        course.measure()
