"""The exercises of every sheet: canonical numbers, mutation matrix, alternatives, hints, what the sheet promises."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import io
import re
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from kcourse.checks import exercise
from kcourse.checks.judge import judge
from kcourse.checks.spec import Exercise
from kcourse.sandboxed.calls import Failure, Outcome
from tests.chapters.marking import cases, known, marked
from tests.chapters.tables import ALL, adds_up

ROOT = Path(__file__).parents[2]
START = (ROOT / "notebooks/src/00_start_here.py").read_text(encoding="utf-8")

EXERCISES = [spec for table in ALL for spec in table.specs]
NAMES = [spec.name for spec in EXERCISES]
PROPERTIES = [(spec, i) for spec in EXERCISES for i in range(len(spec.properties))]
SLIPS = [(spec, slip) for spec in EXERCISES for slip in spec.misconceptions]
CATALOGUE = [(*row, table) for table in ALL for row in table.CATALOGUE]
RAISING = [(slip, *how) for table in ALL for slip, how in table.RAISING.items()]
ONLY = [(name, i, function) for table in ALL for (name, i), function in table.ONLY.items()]
RIGHT = [row for table in ALL for row in table.RIGHT]
WRONG = [wrong for table in ALL for wrong in table.WRONG]
SLOW = {name for table in ALL for name in table.SLOW}


def sheet(spec: Exercise) -> str:
    """The source of the sheet that an exercise belongs to."""
    return (ROOT / f"solutions/src/{spec.chapter}.py").read_text(encoding="utf-8")


def lecture(spec: Exercise) -> str:
    """The source of the lecture whose sections an exercise names: that is where its links lead."""
    return (ROOT / f"notebooks/src/{spec.chapter}.py").read_text(encoding="utf-8")


def seeds(name: str, count: int) -> range:
    """Fewer for what costs a hundred times more, such as the search over a grid."""
    return range(2 if name in SLOW else count)


@pytest.mark.parametrize("table", ALL, ids=lambda table: table.specs[0].chapter)
def test_the_exercises_of_a_sheet_agree_on_what_they_refuse(table):
    assert len({(spec.allowed, spec.refused) for spec in table.specs}) == 1, "they run in one sandbox"


# -- (a) the curriculum's numbers, on its canonical inputs


@pytest.mark.parametrize(
    ("name", "line", "slip", "number", "table"), CATALOGUE, ids=[f"{row[0]}-{row[1][:30]}" for row in CATALOGUE]
)
def test_the_curriculums_numbers(name, line, slip, number, table):
    spec = exercise(name)
    function = spec.reference if line == "right" else {m.name: m.wrong for m in spec.misconceptions}[slip]
    np.testing.assert_allclose(function(*table.CANONICAL[name]), number, atol=6e-7)


# -- (b) mutation matrix


def outcomes(function, given) -> list[Outcome]:
    """What `call_all` would give, without its watch, which refuses what belongs to kcourse."""
    out = []
    for case in given:
        try:
            with np.errstate(all="ignore"):
                out.append(Outcome(value=function(*case.args)))
        except Exception as error:
            out.append(Outcome(failure=Failure(type(error).__name__, str(error))))
    return out


@pytest.mark.parametrize(("spec", "slip"), [(e, m) for e, m in SLIPS if m.wrong], ids=lambda v: v.name)
def test_each_misconception_is_told_its_own_hint(spec, slip):
    """The function that recognises a slip, by itself; whether it is the slip `test_typed` says, on more seeds."""
    given = cases(spec.name, 0)
    result = judge(known(spec.name), given, outcomes(slip.wrong, given))
    assert result.misconception == slip.name
    assert result.points < result.max_points
    assert result.status == ("partial" if result.points else "failed")
    assert result.hints[0] == slip.hint
    assert result.messages[-2:] == (slip.step, slip.experiment)


def test_all_misconceptions_that_raise_are_tried():
    assert {(name, slip) for slip, name, _ in RAISING} == {(spec.name, slip.name) for spec, slip in SLIPS if slip.error}


@pytest.mark.parametrize(("slip", "name", "functions"), RAISING, ids=[f"{row[1]}-{row[0]}" for row in RAISING])
def test_misconceptions_that_raise(slip, name, functions):
    for function in functions:
        for seed in range(15):
            result = marked(name, function, seed)
            assert (seed, result.misconception) == (seed, slip) and result.points < result.max_points
            assert "(size" not in result.hints[0]
            assert ("raised" in result.hints[1]) if result.points == 0 else True


# -- (c) right answers in other styles, and the solutions themselves


@pytest.mark.parametrize(
    ("name", "function"), RIGHT, ids=lambda v: v if isinstance(v, str) else getattr(v, "__name__", type(v).__name__)
)
def test_right_answers_in_other_styles_get_full_points(name, function):
    for seed in seeds(name, 5):
        result = marked(name, function, seed)
        assert (result.status, result.points, result.hints) == ("passed", exercise(name).points, ())


@pytest.mark.parametrize("name", NAMES)
def test_there_are_five_alternatives(name):
    assert sum(n == name for n, _ in RIGHT) >= 5, f"RIGHT of tests/chapters needs five right answers to {name}"


@pytest.mark.parametrize("name", NAMES)
def test_the_sheets_own_solution_passes(name):
    for seed in seeds(name, 8):
        assert marked(name, solution(exercise(name).chapter)[name], seed).status == "passed"


@pytest.mark.parametrize("spec", EXERCISES, ids=NAMES)
def test_what_stands_in_for_an_answer_is_right_and_of_the_form_that_the_sheet_asks_for(spec):
    """Who calls an earlier answer that is wrong is given ``spec.answer``: what `reference` returns may be joined."""
    given = cases(spec.name, 0)
    result = judge(spec, given, outcomes(spec.answer, given), seed=0)
    assert (result.status, result.hints) == ("passed", ())
    if spec.gives:
        values = [spec.answer(*case.args) for case in given]
        assert all(isinstance(value, tuple) and len(value) > 1 for value in values)


# -- plausible wrong answers that are not in the catalogue


@pytest.mark.parametrize("wrong", WRONG, ids=lambda w: f"{w.exercise}-{w.function.__name__}")
def test_wrong_answers_that_nobody_foresaw(wrong):
    for seed in range(1 if wrong.exercise in SLOW or wrong.exercise == "krr_fit_predict" else 2):
        for default in wrong.function.__defaults__ or ():
            default.clear()  # the cache that one of them keeps
        result = marked(wrong.exercise, wrong.function, seed)
        assert result.points < result.max_points
        assert result.misconception == wrong.name
        assert wrong.says in " ".join(result.hints)
        assert adds_up(" ".join(result.hints))
        assert result.hints and bool(result.step) is bool(result.experiment)
        # a name, a shape or a library that does it is no step of the derivation
        assert result.step or "raised" in result.hints[0] or result.status == "refused"


# -- (d) properties


@pytest.mark.parametrize(("spec", "i"), PROPERTIES, ids=lambda v: getattr(v, "name", v))
def test_each_property_is_failed_by_a_misconception(spec, i):
    given = cases(spec.name, 0)
    results = (
        judge(known(spec.name), given, outcomes(slip.wrong, given)) for slip in spec.misconceptions if slip.wrong
    )
    assert any(not result.properties[i].points for result in results)


def test_each_property_but_the_first_is_tried_alone():
    wanted = {(spec.name, i) for spec in EXERCISES for i in range(1, len(spec.properties))}
    assert {(name, i) for name, i, _ in ONLY} == wanted, "ONLY has {(exercise, number of the property): an answer}"


NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


@pytest.mark.parametrize("table", ALL, ids=lambda table: table.chapter)
def test_a_sheet_begins_with_the_number_of_its_functions(table):
    begins = re.search(r"^# (\w+) functions", sheet(table.specs[0]), re.MULTILINE)
    assert begins and begins[1] == NUMBERS[len(table.specs)]


@pytest.mark.parametrize(("name", "i", "function"), ONLY, ids=[f"{name}-{i}" for name, i, _ in ONLY])
def test_each_property_can_be_the_only_one_that_fails(name, i, function):
    spec = exercise(name)
    for seed in seeds(name, 5):
        result = marked(name, function, seed)
        assert [p.points > 0 for p in result.properties] == [j != i for j in range(len(spec.properties))]
        assert result.status == "partial"
        assert spec.properties[i].hint in result.hints
        assert result.misconception is None


# -- (e) hints


@functools.cache
def solution(chapter: str) -> dict:
    """The functions of the solved sheet, and what it imports from NumPy, SciPy, the kernels and Python itself."""
    names: dict = {}
    cells = (ROOT / f"solutions/src/{chapter}.py").read_text(encoding="utf-8").split("\n# %%")
    for cell in cells:
        if cell.startswith(' key="imports"'):
            lines = re.findall(
                r"^(?:import|from) (?:numpy|scipy|kcourse\.kernels|collections|itertools)\b.*$", cell, re.MULTILINE
            )
            exec("\n".join(lines), names)
        if cell.startswith(" exercise="):
            exec(cell.split("\n", 1)[1], names)
    return names


def headings(source: str) -> set[str]:
    return set(re.findall(r"^# #+ (.+)$", source, re.MULTILINE))


def texts():
    """(exercise, name, hint, step, experiment) of every slip, and of what is said without one."""
    for spec, slip in SLIPS:
        yield spec, slip.name, slip.hint, slip.step, slip.experiment
    for spec in EXERCISES:
        yield spec, "", "", spec.step, spec.experiment


@pytest.mark.parametrize("spec", EXERCISES, ids=NAMES)
def test_steps_name_sections_that_exist(spec):
    for of, name, hint, step, _ in texts():
        if of is spec:
            titles = re.findall(r"“([^”]+)”", step)
            assert titles, (name, "names no section")
            assert set(titles) <= headings(START if "start page" in step else lecture(spec)), name
            assert "“" not in hint, name


@pytest.mark.parametrize("spec", EXERCISES, ids=NAMES)
def test_hints_are_short_and_well_spoken(spec):
    sentences = [(name, s) for of, name, hint, step, _ in texts() if of is spec for s in (hint, step)]
    sentences += [(p.says, p.hint) for p in spec.properties] + [(o.says, o.says) for o in spec.observations]
    for name, text in sentences:
        ends = re.findall(r"[.?](?= |$)", re.sub(r"exercise (\d+)\.", r"exercise \1", text))
        assert len(ends) <= (3 if ":" in name else 2), name
        assert len(text) <= 420, name
        assert not re.search(r"!|\bsimply\b|\bjust\b|\bobviously\b|(?<!\bs)ize\b|izing|ized\b|color|center\b", text), (
            name
        )
        assert not re.search(r"\d\.\d\d", text), f"{name}: a number that looks like a value"
    assert len({hint for of, _, hint, *_ in texts() if of is spec}) == len(spec.misconceptions) + 1


def printed(code: str, names: dict) -> str:
    """What the code prints, or the exception that ends it."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            exec(code, dict(names))
        except Exception as error:
            return f"raised {type(error).__name__}: {error}"
    return out.getvalue()


@pytest.mark.parametrize("spec", EXERCISES, ids=NAMES)
def test_experiments_run_and_expose_the_slip(spec):
    wrong = {slip.name: slip.wrong for slip in spec.misconceptions}
    seen: dict[str, str] = {}
    for of, name, _, _, code in texts():
        if of is not spec:
            continue
        right = printed(code, solution(spec.chapter))
        assert right and not right.startswith("raised"), (name, right)
        assert f"{spec.name}(" in code and len(code.splitlines()) <= 7, name
        assert max(map(len, code.splitlines())) <= 120, name
        if wrong.get(name):
            assert printed(code, {**solution(spec.chapter), spec.name: wrong[name]}) != right, (
                f"{name}: its experiment does not show it"
            )
        if ":" not in name:  # "alpha: …", a slip in a part that another exercise asks for: these share one
            assert code not in seen, (name, seen.get(code))
        seen[code] = name


PROMISE = (
    r"must (?:be|come out),? ((?:(?:-?[\d./]+|True|False)(?:, | and | )?)+)"
    r"(?:(?:both|each) time.*|for (?:every|either).*)?$"
)


def promised(code: str) -> list[str]:
    """What the last comment says must come out, if it ends with numbers, True or False."""
    match = re.search(PROMISE, code)
    return [word.rstrip(".") for word in re.split(r", | and | ", match[1].strip()) if word] if match else []


def comes(word: str, out: str) -> bool:
    """Whether this number is in what was printed, to the digits that are written out; a fraction exactly."""
    least = 0.5001 * 10.0 ** -len(word.partition(".")[2]) if "." in word else 1e-6
    numbers = re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", out)
    return any(abs(float(number) - float(Fraction(word))) <= least for number in numbers)


@pytest.mark.parametrize("spec", EXERCISES, ids=NAMES)
def test_what_an_experiment_promises_comes_out(spec):
    """Somebody who has mended the slip must not be told by its experiment that it is there."""
    for of, name, _, _, code in texts():
        if of is spec and (words := promised(code)):
            out = printed(code, solution(spec.chapter)).strip()
            out = out[out.rindex("[[") :] if out.endswith("]]") else out.splitlines()[-1]
            truths = [word for word in words if word in ("True", "False")]
            assert re.findall("True|False", out) == truths or not truths, (name, words, out)
            assert all(comes(word, out) for word in words if word not in truths), (name, words, out)


# -- (f) the sheet


@pytest.mark.parametrize("spec", EXERCISES, ids=NAMES)
def test_the_sheet_says_what_the_spec_says(spec):
    number = re.escape(spec.number)
    points = re.search(rf"^# ## {number} .* \((\d+) points?\)$", sheet(spec), re.MULTILINE)
    assert points and int(points[1]) == spec.points
    (function,) = [
        node
        for node in ast.walk(ast.parse(sheet(spec)))
        if isinstance(node, ast.FunctionDef) and node.name == spec.name
    ]
    assert (
        tuple(a.arg for a in function.args.args)
        == spec.parameters
        == tuple(inspect.signature(spec.reference).parameters)
    )
    assert spec.signature == f"{function.name}({ast.unparse(function.args)})"
    assert re.search(rf'^# %% check="{spec.name}"\ncheck\({spec.name}\)$', sheet(spec), re.MULTILINE)
