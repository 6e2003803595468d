"""The exercises of every sheet: canonical numbers, right and wrong answers, hints, what the sheet promises."""

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

from kcourse.checks.experiments import experiment_for
from kcourse.checks.judge import judge
from kcourse.checks.spec import Exercise
from kcourse.execution.calls import Failure, Outcome
from tests.chapters.marking import cases, long_ones_wait, marked, seeds
from tests.chapters.tables import ALL, adds_up

ROOT = Path(__file__).parents[2]
START = (ROOT / "notebooks/src/00_start_here.py").read_text(encoding="utf-8")

EXERCISES = [spec for table in ALL for spec in table.specs]
TABLE = {spec.name: table for table in ALL for spec in table.specs}
SLOW = {name for table in ALL for name in table.SLOW}
by_exercise = pytest.mark.parametrize("spec", EXERCISES, ids=lambda spec: spec.name)


def sheet(spec: Exercise) -> str:
    """The source of the sheet that an exercise belongs to."""
    return (ROOT / f"solutions/src/{spec.chapter}.py").read_text(encoding="utf-8")


def lecture(spec: Exercise) -> str:
    """The source of the lecture whose sections an exercise names: that is where its links lead."""
    return (ROOT / f"notebooks/src/{spec.chapter}.py").read_text(encoding="utf-8")


def count(name: str, most: int) -> int:
    """Fewer seeds for what costs a hundred times more, such as the search over a grid."""
    return 2 if name in SLOW else most


NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


@pytest.mark.parametrize("table", ALL, ids=lambda table: table.chapter)
def test_a_sheet_counts_its_functions_and_agrees_on_what_it_refuses(table):
    assert len({(spec.allowed, spec.refused) for spec in table.specs}) == 1, "they run in one sandbox"
    begins = re.search(r"^# (\w+) functions", sheet(table.specs[0]), re.MULTILINE)
    assert begins and begins[1] == NUMBERS[len(table.specs)]
    raising = {(spec.name, mistake.name) for spec in table.specs for mistake in spec.misconceptions if mistake.error}
    assert {(name, mistake) for mistake, (name, _) in table.RAISING.items()} == raising
    alone = {(spec.name, i) for spec in table.specs for i in range(1, len(spec.properties))}
    assert set(table.ONLY) == alone, "ONLY has {(exercise, number of the property): an answer}"


# -- (a) the curriculum's numbers, on its canonical inputs


def the_curriculums_numbers(spec):
    table = TABLE[spec.name]
    mistakes = {mistake.name: mistake.wrong for mistake in spec.misconceptions}
    for name, line, mistake, number in table.CATALOGUE:
        if name == spec.name:
            function = spec.reference if line == "right" else mistakes[mistake]
            np.testing.assert_allclose(function(*table.CANONICAL[name]), number, atol=6e-7, err_msg=line)


# -- (b) right answers in other styles, and the solutions themselves


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


@by_exercise
def test_right_answers_in_any_style_get_full_points(spec, subtests):
    name = spec.name
    styles = [function for exercise, function in TABLE[name].RIGHT if exercise == name]
    assert len(styles) >= 3, f"RIGHT of tests/chapters needs three right answers to {name}"
    for function in (*styles, solution(spec.chapter)[name]):
        for seed in seeds(name, count(name, 5)):
            with subtests.test(msg=getattr(function, "__name__", type(function).__name__), seed=seed):
                result = marked(name, function, seed)
                assert (result.status, result.points, result.hints) == ("passed", spec.points, ())
                assert not experiment_for(spec, function), "an experiment shows a mistake that it does not have"
    # who calls an earlier answer that is wrong gets `spec.answer`: what `reference` returns may be joined
    given = cases(name, 0)
    result = judge(spec, given, outcomes(spec.answer, given), seed=0)
    assert (result.status, result.hints) == ("passed", ())
    if spec.gives:
        values = [spec.answer(*case.args) for case in given]
        assert all(isinstance(value, tuple) and len(value) > 1 for value in values)


# -- (c) wrong answers that nobody foresaw, that raise, that fail one property alone


@pytest.mark.parametrize("spec", [long_ones_wait(spec.name, spec) for spec in EXERCISES])
def test_other_wrong_answers_get_what_they_are_worth(spec, subtests):
    told = {mistake.name: mistake.hint for mistake in spec.misconceptions}
    for wrong in (wrong for wrong in TABLE[spec.name].WRONG if wrong.exercise == spec.name):
        for seed in seeds(spec.name, 1 if spec.name in SLOW or spec.name == "krr_fit_predict" else 2):
            for default in wrong.function.__defaults__ or ():
                default.clear()  # the cache that one of them keeps
            with subtests.test(msg=wrong.function.__name__, seed=seed):
                result = marked(spec.name, wrong.function, seed)
                said = " ".join(result.hints)
                assert said and result.points < result.max_points
                assert result.misconception == wrong.name
                assert result.hints[0] == told.get(wrong.name, result.hints[0])
                assert adds_up(said)
                assert bool(result.step) is bool(result.experiment)
                # a name, a shape or a library that does it is no step of the derivation
                assert result.step or "raised" in result.hints[0] or result.status == "refused"
    # mistakes that raise, and properties that fail alone
    table, name = TABLE[spec.name], spec.name
    raising = [
        (mistake, function)
        for mistake, (of, functions) in table.RAISING.items()
        if of == name
        for function in functions
    ]
    for mistake, function in raising:
        for seed in seeds(name, 15):
            with subtests.test(msg=mistake, seed=seed):
                result = marked(name, function, seed)
                assert result.misconception == mistake and result.points < result.max_points
                assert "(size" not in result.hints[0]
                assert result.points or "raised" in result.hints[1]
    for i in range(1, len(spec.properties)):
        for seed in seeds(name, count(name, 5)):
            with subtests.test(msg=f"property {i} alone", seed=seed):
                result = marked(name, table.ONLY[name, i], seed)
                full = [p.points == p.max_points for p in result.properties]
                assert full == [j != i for j in range(len(spec.properties))]
                assert result.status == "partial"
                assert spec.properties[i].hint in result.hints
                assert result.misconception is None


# -- (d) hints


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


def texts(spec: Exercise) -> list[tuple[str, str, str, str]]:
    """(name, hint, step, experiment) of every mistake, and of what is said without one."""
    return [(mistake.name, mistake.hint, mistake.step, mistake.experiment) for mistake in spec.misconceptions] + [
        ("", "", spec.step, spec.experiment)
    ]


def hints_are_short_and_name_sections_that_exist(spec):
    for name, hint, step, _ in texts(spec):
        titles = re.findall(r"“([^”]+)”", step)
        assert titles, (name, "names no section")
        assert set(titles) <= headings(START if "start page" in step else lecture(spec)), name
        assert "“" not in hint, name
    sentences = [(name, s) for name, hint, step, _ in texts(spec) for s in (hint, step)]
    sentences += [(p.says, p.hint) for p in spec.properties] + [(o.says, o.says) for o in spec.observations]
    for name, text in sentences:
        ends = re.findall(r"[.?](?= |$)", re.sub(r"exercise (\d+)\.", r"exercise \1", text))
        assert len(ends) <= 3, name
        assert len(text) <= 420, name
        assert not re.search(r"!|\bsimply\b|\bjust\b|\bobviously\b|(?<!\bs)ize\b|izing|ized\b|color|center\b", text), (
            name
        )
        assert not re.search(r"\d\.\d\d", text), f"{name}: a number that looks like a value"
    assert len({hint for _, hint, *_ in texts(spec)}) == len(spec.misconceptions) + 1


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


PROMISE = (
    r"should (?:be|print),? ((?:(?:-?[\d./]+|True|False)(?:, | and | )?)+)"
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


def answer_of(spec: Exercise, function):
    """The function as a student writes it: what `reference` and the mistakes return may be joined."""
    return lambda *args: spec.gives(function(*args)) if spec.gives else function(*args)


def experiments_run_expose_the_mistake_and_keep_their_promise(spec):
    """Who has fixed the mistake must not learn from its experiment that it is still there."""
    wrong = {mistake.name: mistake.wrong for mistake in spec.misconceptions}
    names, seen = solution(spec.chapter), {}
    for name, _, _, code in texts(spec):
        right = printed(code, names)
        assert right and not right.startswith("raised"), (name, right)
        assert f"{spec.name}(" in code and len(code.splitlines()) <= 7, name
        assert max(map(len, code.splitlines())) <= 120, name
        if wrong.get(name):
            answer = answer_of(spec, wrong[name])
            assert printed(code, {**names, spec.name: answer}) != right, f"{name}: its experiment does not show it"
        if ":" not in name:  # "alpha: …", a mistake in a part that another exercise asks for: these share one
            assert code not in seen, (name, seen.get(code))
        seen[code] = name
        if words := promised(code):
            out = right.strip()
            out = out[out.rindex("[[") :] if out.endswith("]]") else out.splitlines()[-1]
            truths = [word for word in words if word in ("True", "False")]
            assert re.findall("True|False", out) == truths or not truths, (name, words, out)
            assert all(comes(word, out) for word in words if word not in truths), (name, words, out)


# -- (e) the sheet


def the_sheet_says_what_the_spec_says(spec):
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


SAID = (
    the_curriculums_numbers,
    hints_are_short_and_name_sections_that_exist,
    experiments_run_expose_the_mistake_and_keep_their_promise,
    the_sheet_says_what_the_spec_says,
)


@by_exercise
def test_what_is_said_of_an_exercise_is_true(spec, subtests):
    for holds in SAID:
        with subtests.test(msg=holds.__name__):
            holds(spec)
