"""The students' edition judges by tables: the same points, status and misconception as the whole one."""

from __future__ import annotations

import functools
import importlib.util
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kcourse.checks
from kcourse.checks import Exercise, Observation, exercises
from kcourse.checks.answer_tables import NotKnown, Packed
from kcourse.checks.experiments import experiment_for
from kcourse.checks.judge import Result, judge
from kcourse.execution.calls import call_all
from kcourse_grader.release import answer_tables
from tests.chapters.marking import seeds
from tests.chapters.tables import Table
from tests.conftest import WEEKLY
from tests.grader.notebooks import SOLVED
from tests.rows import each

DRAWS = 2
WHOLE = {spec.name: spec for spec in exercises()}
_MADE: dict[str, dict[str, Exercise]] = {}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


def tabulated(folder: Path, stem: str) -> dict[str, Exercise]:
    """The exercises of a sheet in the students' edition."""
    if stem not in _MADE:
        answer_tables.write_tables(stem, folder / stem, DRAWS)
        _MADE[stem] = {spec.name: spec for spec in opened(folder / stem)}
    return _MADE[stem]


def opened(made: Path) -> tuple[Exercise, ...]:
    found = importlib.util.spec_from_file_location(f"sealed_{made.name}", made / "marks.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module.EXERCISES


@functools.cache
def known(name: str) -> list[Callable]:
    """The answers of the chapter's tables, right and wrong."""
    table, spec = Table(WHOLE[name].chapter), WHOLE[name]
    found = [function for (of, _), function in table.MISTAKES.items() if of == name]
    found += [function for of, functions in table.RAISING.values() if of == name for function in functions]
    found += [table.ONLY[name, i] for i in range(1, len(spec.properties))]
    found += [wrong.function for wrong in table.WRONG if wrong.exercise == name]
    return found + [function for of, function in table.RIGHT if of == name]


QUICK = ("krr_fit", "rkhs_norm2", "canonical", "parzen_density")  # the others wait
LONG = ("krr_tune", "rbf_network", "spectrum_cv", "spectrum_kernel", "stream_ridge")  # every fifth answer


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in WHOLE]
)
def test_the_same_verdict_on_every_known_answer(name: str, folder: Path) -> None:
    """On the drawn inputs; the calls are made once for both editions, and so are those of the right answer."""
    table = tabulated(folder, WHOLE[name].chapter)[name]
    whole = replace(WHOLE[name], reference=_once(WHOLE[name].reference))
    assert len(known(name)) > 5
    for i, function in list(enumerate(known(name)))[:: 5 if name in LONG and not WEEKLY else 1]:
        for seed in seeds(name, 2):
            cases = table.cases(seed)
            outcomes = call_all(whole, function, cases)
            one, other = (judge(spec, cases, outcomes, seed=seed) for spec in (whole, table))
            said = (i, getattr(function, "__name__", ""), one.misconception, seed)
            assert told(one) == told(other), said
            if one.misconception or one.points == one.max_points:
                assert one.messages == other.messages, said


def told(result: Result) -> tuple:
    return result.points, result.status, result.misconception, result.properties, result.unknown


def _once(function):
    given: dict[tuple[int, ...], tuple] = {}

    @functools.wraps(function)
    def once(*args: object) -> object:
        key = tuple(map(id, args))
        if key not in given:
            given[key] = args, function(*args)  # kept, so that no other has its id
        return given[key][1]

    return once


@pytest.fixture
def students(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Exercise]:
    """Chapter 3, as students have it installed."""
    table = tabulated(folder, "ch03_ridge")
    monkeypatch.setattr(kcourse.checks, "exercises", lambda _chapter=None: tuple(table.values()))
    monkeypatch.setattr(kcourse.checks, "CHAPTERS", ("ch03_ridge",))
    return table


def test_calls_differ_and_a_seed_gives_the_same_again(students: dict[str, Exercise]) -> None:
    drawn = {repr([case.args for case in students["krr_fit"].cases(seed)]) for seed in range(40)}
    assert len(drawn) == DRAWS**3
    one, other = (kcourse.checks.run("krr_fit", lambda K, y, lam: y, seed=7) for _ in range(2))
    assert one == other


def test_nothing_is_known_of_other_inputs(students: dict[str, Exercise]) -> None:
    spec = students["krr_fit"]
    with pytest.raises(NotKnown, match="krr_fit: the table does not contain"):
        spec.reference(np.eye(2), np.ones(2), 0.75)
    mistake = next(s for s in spec.misconceptions if s.name == "n times lambda")
    with pytest.raises(NotKnown):
        mistake.wrong(np.eye(2), np.ones(2), 0.75)
    case = spec.cases(0)[0]
    same = tuple(np.copy(a) if isinstance(a, np.ndarray) else a for a in case.args)
    np.testing.assert_array_equal(spec.reference(*same), spec.reference(*case.args))


def test_what_asks_the_right_answer_on_other_inputs_says_less(students: dict[str, Exercise]) -> None:
    """The whole edition finds out that 1/λ stands where λ is meant."""
    result = kcourse.checks.run("krr_fit", lambda K, y, lam: np.linalg.solve(K + np.eye(len(K)) / lam, y), seed=0)
    assert result.points == 0 and result.misconception is None
    assert "A wrong number in the right formula is recognised only when the sheet is graded." in result.hints[0]


def test_who_calls_a_wrong_answer_is_told_so(students: dict[str, Exercise]) -> None:
    home: dict = {"__name__": "__main__"}
    for cell in (SOLVED | {"krr_fit": "def krr_fit(K, y, lam):\n    return y\n"}).values():
        exec(cell, home)
    result = kcourse.checks.run("krr_fit_predict", home["krr_fit_predict"], seed=0)
    assert result.points < result.max_points and not result.instead
    assert result.hints[0].startswith("krr_fit (3.1) is not right yet, and krr_fit_predict calls it")
    home["krr_fit"] = lambda K, y, lam: np.linalg.solve(K + lam * np.eye(len(K)), y)
    assert kcourse.checks.run("krr_fit_predict", home["krr_fit_predict"], seed=0).status == "passed"


def test_an_answer_that_looks_into_the_table_is_refused_here_and_fails_where_it_is_graded(
    students: dict[str, Exercise],
) -> None:
    """The grader has inputs of its own, and no table."""
    table = students["krr_fit"].answer_table

    def krr_fit(K, y, lam):
        return table.right(K, y, lam)

    assert kcourse.checks.run("krr_fit", krr_fit, seed=0).status == "refused"
    whole = WHOLE["krr_fit"]
    cases = whole.cases(0)
    assert judge(whole, cases, call_all(whole, krr_fit, cases)).points == 0


def test_an_experiment_shows_the_mistake_as_in_the_whole_edition(students: dict[str, Exercise]) -> None:
    for function in known("krr_fit")[:40]:
        one, other = (experiment_for(spec["krr_fit"], function) for spec in (WHOLE, students))
        assert one == other


@pytest.mark.parametrize("damage", [lambda f: f.write_bytes(bytes(f.stat().st_size)), lambda f: f.unlink()])
def test_damaged_tables_judge_nobody(folder: Path, tmp_path: Path, damage) -> None:
    tabulated(folder, "ch03_ridge")
    shutil.copytree(folder / "ch03_ridge", tmp_path / "ch03_ridge")
    damage(tmp_path / "ch03_ridge" / "tables" / "krr_fit.bin")
    fit, predict, *_ = opened(tmp_path / "ch03_ridge")
    with pytest.raises(RuntimeError, match="tables of krr_fit .* Install its wheel again"):
        fit.cases(0)
    assert predict.cases(0)


def test_a_sheet_that_is_not_there_is_named(students: dict[str, Exercise]) -> None:
    with pytest.raises(KeyError, match="no exercise 'smo_pair' in this edition.*ch03_ridge"):
        kcourse.checks.run("smo_pair", lambda: None)


def test_an_observation_that_needs_an_answer_on_other_inputs_stops_the_release() -> None:
    spec = WHOLE["krr_fit"]

    def doubled(value, K, y, lam):
        return _refit(value, K, y)

    def _refit(value, K, y):
        return spec.reference(K, y, 2.0) is value

    doubled.__module__ = _refit.__module__ = "kcourse.chapters.ch03_ridge.fit"
    bent = replace(spec, observations=(Observation("Never.", doubled),))
    with pytest.raises(ValueError, match="krr_fit: .* uses .*which cannot be copied"):
        answer_tables._looks(bent, answer_tables._Code((bent,)))
    own = [s for s in exercises("ch03_ridge") if s.name == "krr_loo_residuals"]
    with pytest.raises(ValueError, match="calls _inv, which is part of an answer"):
        code = answer_tables._Code(tuple(own))
        code._stored(own[0].reference.__globals__["_inv"], own[0])


@each("value", [
    None, True, 3, 0.1, float("inf"), "aab", np.float64(1 / 3), np.int64(-4), np.arange(6).reshape(2, 3),
    np.array([[2.0, 1 / 3, 0.1], [1 / 3, 1.0, 0.2], [0.1, 0.2, 3.0]]), np.zeros((0, 2)), np.array([True, False]),
    (1, (2.5, "x"), [np.ones(2), None]), [], (),
])  # fmt: skip
def test_what_is_packed_comes_out_to_the_last_bit(value: object) -> None:
    packed = Packed()
    node = packed.write(value)
    again = Packed(bytes(packed.data)).read(node)
    np.testing.assert_equal(again, value)
    assert type(again) is type(value) and getattr(again, "dtype", None) == getattr(value, "dtype", None)
    with pytest.raises(TypeError, match="a table cannot hold complex"):
        packed.write(1j)
