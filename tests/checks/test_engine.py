"""The marking engine: statuses, diagnosis of answers that nobody foresaw, determinism, and how a verdict is shown."""

from __future__ import annotations

import ast
import functools
import importlib.util
import linecache
import re
import subprocess
import sys
import tracemalloc
import types
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.interpolate
from nbgrader.utils import get_partial_grade

import kcourse
from kcourse import checks
from kcourse.checks import Exercise, Misconception, Observation, Property, check, exercise, exercises, run
from kcourse.checks.judge import judge
from kcourse.checks.spec import attempts
from kcourse.checks.verdict import Verdict, as_html, as_text
from kcourse.datasets import load_mcycle
from kcourse.execution.calls import Outcome, call, call_all
from kcourse.kernels import Gaussian
from kcourse.lab import verify
from tests.chapters.marking import cases, known, marked
from tests.rows import each
from tools.links import anchor


def right(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)), y)


def said(function, name="krr_fit", seed=3):
    """All that the verdict on a wrong answer says first."""
    result = run(name, function, seed)
    assert result.points < result.max_points
    return " ".join(result.hints)


def notebook_cell(code: str, **names: object) -> dict:
    """Run code as IPython runs a cell: a file name of its own, whose lines linecache knows."""
    filename, names = f"/tmp/ipykernel_{hash(code)}/cell.py", {"__name__": "__main__", "np": np, **names}
    linecache.cache[filename] = (len(code), None, code.splitlines(keepends=True), filename)
    exec(compile(code, filename, "exec"), names)
    return names


def test_a_budget_of_memory_is_measured_and_said():
    spec = exercise("stream_ridge")

    def all_rows_at_once(X, y, Z, sigma, lam, rows, Xq):
        return spec.reference(X, y, Z, sigma, lam, len(X), Xq)

    unwatched_spec = replace(spec, allowed=("kcourse.chapters",))
    for tracing in (False, True):  # whether or not a reader is counting, too
        if tracing:
            tracemalloc.start()
        cases = spec.cases(0)
        result = judge(spec, cases, call_all(unwatched_spec, all_rows_at_once, cases))
        assert tracemalloc.is_tracing() is tracing
        tracemalloc.stop()
        assert [p.points for p in result.properties] == [3, 1, 0]
        assert "MB at one time, but 5 MB are allowed" in result.hints[0] and result.hints[1] == spec.properties[2].hint

    def a_little_too_much(X, y, Z, sigma, lam, rows, Xq):
        return np.ones(spec.memory // 8 + 1)[: len(Xq)]

    assert "took 5.1 MB at one time" in call_all(unwatched_spec, a_little_too_much, cases)[-1].failure.text
    assert call_all(unwatched_spec, spec.reference, cases)[-1].failure is None
    assert call_all(replace(unwatched_spec, memory=0), all_rows_at_once, cases)[-1].failure is None


def test_a_stub_is_not_attempted_and_says_where():
    names = notebook_cell("def krr_fit(K, y, lam):\n    'Coefficients.'\n    raise NotImplementedError\n")
    result = run("krr_fit", names["krr_fit"])
    assert (result.status, result.points, len(result.properties)) == ("not_attempted", 0, 3)
    assert "line 3 of krr_fit is still `raise NotImplementedError`" in result.hints[0]
    assert (result.step, result.experiment) == ("", "")


def uses_sklearn(K, y, lam):
    from sklearn.kernel_ridge import KernelRidge

    return KernelRidge(alpha=lam, kernel="precomputed").fit(K, y).dual_coef_


def uses_kcourse(X, y, Xq, sigma, lam):
    return kcourse.KernelRidge(Gaussian(sigma), lam=lam).fit(X, y).predict(Xq)


def by_ridge_of_sklearn(Phi, y, lam):
    from sklearn.linear_model import Ridge as R

    return R(alpha=lam, fit_intercept=False).fit(Phi, y).coef_


def bowls_of_scipy(X, y, c):
    from scipy.interpolate import Rbf

    return Rbf(*X.T, y, epsilon=1 / c).nodes


@each(("name", "function", "library"), [
    ("krr_fit", uses_sklearn, "scikit-learn"),
    ("krr_fit", lambda K, y, lam: uses_sklearn(K, y, lam), "scikit-learn"),
    ("krr_fit", lambda K, y, lam: uses_sklearn(K, y, -1.0) + None, "scikit-learn"),  # even where it fails
    ("krr_fit", functools.partial(uses_sklearn), "scikit-learn"),
    ("krr_fit_predict", uses_kcourse, "kcourse.ridge"),
    ("krr_fit_predict", lambda *given: uses_kcourse(*given), "kcourse.ridge"),
    ("ridge_dual_w", by_ridge_of_sklearn, "scikit-learn"),
    ("krr_loo_residuals", lambda K, y, lam: kcourse.loo_path(K, y, [lam]).residuals[0], "kcourse.ridge"),
    ("krr_fit", lambda K, y, lam: exercise("krr_fit").reference(K, y, lam), "kcourse.chapters"),
    ("thin_plate", lambda X, y, Xq: scipy.interpolate.RBFInterpolator(X, y)(Xq), "scipy.interpolate"),
    ("rbf_interpolate", bowls_of_scipy, "scipy.interpolate"),
    ("krr_fit", exercise("krr_fit").reference, "kcourse.chapters"),
], ids=lambda v: getattr(v, "__name__", None))  # fmt: skip
def test_libraries_that_do_the_exercise_are_refused(name, function, library):
    result = run(name, function, seed=0)
    assert (result.status, result.points, result.misconception) == ("refused", 0, None)
    assert f"Your answer uses {library}" in result.hints[0] and "plain loops" in result.hints[0]


def tiny(**more) -> Exercise:
    """Row sums of a matrix."""
    return Exercise(
        **{
            **{"name": "row_sums", "chapter": "none", "number": "0.1", "returns": "the sums, shape (n,)"},
            "reference": lambda x: x.sum(axis=1),
            "properties": (Property("adds rows", 2, lambda r: [(r.normal(size=(n, 3)),) for n in (4, 6)]),),
            "misconceptions": (Misconception("columns", lambda x: x.sum(axis=0), "Columns.", "Step.", "print(1)"),),
            **{"step": "Read it again.", "experiment": "print(0)", "sizes": lambda x: {"n": len(x)}},
            **more,
        }
    )


def mark(spec, function, **more):
    cases = spec.cases(0)
    return judge(spec, cases, call_all(spec, function, cases), **more)


def rows(*shapes, points=1, spread=1.0, shift=0.0, **more):
    """A property on matrices of these shapes."""
    return Property(f"adds {shapes}, {spread:g}", points, lambda r: [(shift + spread * r.normal(size=shape),)
                                                                     for shape in shapes], **more)  # fmt: skip


def test_a_mistake_must_account_for_every_call():
    """Right where the mistake is wrong: then it is not this mistake, even if it agrees where the answer is wrong."""
    spec = tiny(properties=(rows((4, 3)), rows((3, 3))))
    result = mark(spec, lambda x: x.sum(axis=0) if x.shape[0] == x.shape[1] else x.sum(axis=1))
    assert (result.points, result.misconception) == (1, None)


def test_what_is_lost_later_may_follow_from_what_is_wrong_first():
    """A mistake is named though a later property gives NaN, if its calls of the first are explained; so is a factor."""
    spec = tiny(properties=(rows((4, 4)), rows((3, 3), spread=0.0), rows((5, 5), shift=1e3)))

    def lost(values, x):
        return values * np.nan if x.max() > 100 else values

    assert mark(spec, lambda x: lost(x.sum(axis=0), x)).misconception == "columns"
    assert "returns 2 times the right answer" in mark(spec, lambda x: lost(2 * x.sum(axis=1), x)).hints[0]
    assert "1 of 4 entries" in mark(spec, lambda x: np.append(x.sum(axis=0)[:-1], np.nan)).hints[0]
    odd = mark(spec, lambda x: lost(x.sum(axis=1) + x[:, 0] ** 2, x)).hints
    assert len(odd) == 1 and "5 of 5 entries that are NaN" in odd[0]  # nothing else can be said


def test_what_was_seen_in_one_call_or_by_chance_is_not_told_of_all():
    one, seen = tiny(properties=(rows((4, 3)),)), iter(range(4))
    assert "from call to call" not in mark(one, lambda x: 1.37 * x.sum(axis=1)).hints[0]
    tables = tiny(reference=lambda x: np.cumsum(x, axis=1), properties=(rows((4, 2), (4, 3)),), misconceptions=())
    assert "in all calls" not in mark(tables, lambda x: x[:, 0]).hints[0]
    spec = tiny(properties=(rows((4, 3), (4, 3)), rows((4, 3), (4, 3), spread=2.0)))
    hints = mark(spec, lambda x: x.sum(axis=1) if next(seen) < 2 else np.full(4, 3)).hints
    assert "the same whatever" not in " ".join(hints)


@each(("more", "told"), [(0, "It is right for the smaller n and wrong for the others."), (2, "")])
def test_what_sets_calls_apart_is_told_only_if_it_is_one_thing(more, told):
    drawn = rows((4, 3), (5, 3), (6, 3 + more), (7, 3 + more))
    spec = tiny(properties=(drawn,), sizes=lambda x: {"n": len(x), "d": x.shape[1]})
    (hint,) = mark(spec, lambda x: x.sum(axis=1) + (len(x) > 5) * np.arange(len(x)) ** 2).hints
    assert hint == f"row_sums is right on 2 of 4 random inputs. {told}".rstrip()


@each(("everywhere", "says"), [(3e-7, "nearly right"), (0.0, "Only where they are large.")])
def test_digits_that_are_few_everywhere_are_not_put_down_to_where_they_were_missed(everywhere, says):
    large = rows((4, 3), spread=1e3, hint="Only where they are large.")
    spec = tiny(properties=(rows(*[(4, 3)] * 4, points=2), large))

    def rough(x):
        share = 2e-6 if np.abs(x).max() > 50 else everywhere
        return x.sum(axis=1) + share * np.arange(4) * np.abs(x.sum(axis=1)).max()

    assert says in mark(spec, rough).hints[0] and len(mark(spec, rough).hints) == 1


@each(("easy", "told"), [([(3, 3)], False), ([(3, 3)] * 3, True)])
def test_a_hint_that_says_only_is_not_told_to_who_was_right_elsewhere_once_and_by_luck(easy, told):
    hard = rows((4, 3), (5, 3), (6, 3), points=2, hint="Only where it is hard.")
    spec = tiny(properties=(rows(*easy), hard), misconceptions=())
    hints = mark(spec, lambda x: x.sum(axis=1) if len(x) == 3 else x[:, 0] ** 3).hints
    assert any("Only where" in hint for hint in hints) is told


FEW = " This is true of 4 of 8 wrong calls."


@each(("largest", "told"), [(10.0, " This is true of 8 of 12 calls; the rest are right."), (1e5, FEW), (1e9, None)])
def test_what_is_seen_of_half_of_the_wrong_calls_is_counted(largest, told):
    spec = tiny(
        properties=tuple(rows(*[(4, 3)] * 4, spread=size) for size in (1.0, 1e3, 1e6)),
        observations=(Observation("Large.", lambda value, x: np.abs(value).max() > largest, early=True),),
    )
    hints = mark(spec, lambda x: x.sum(axis=1) * (1 + np.arange(4) * (np.abs(x).max() > 50))).hints
    assert hints[0] == "Large." + told if told else "Large." not in hints[0]


def test_two_misconceptions_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two misconceptions have the same name"):
        tiny(misconceptions=tiny().misconceptions * 2)


def _pair(x):
    return x.sum(axis=1), x[:, :2] ** 2


def _joined(value, x):
    return np.append(value[0], value[1]) if np.shape(value[1]) == (len(x), 2) else None


@each(("function", "says"), [
    (lambda x: (_pair(x)[0], _pair(x)[1].T), "Only the second is wrong: rows and columns"),
    (lambda x: (_pair(x)[0][:, None], _pair(x)[1] + 1), "the first is right except for its shape, (4, 1)"),
    (lambda x: (_pair(x)[0], None), "the first is right and the second is None."),
    (lambda x: (_pair(x)[0], _pair(x)[1] + 1), "the first is right; the second is wrong."),
    (lambda x: _pair(x)[::-1], "the right values in the wrong order"),
])  # fmt: skip
def test_of_several_things_it_is_said_which_are_right(function, says):
    spec = tiny(
        reference=lambda x: np.append(*_pair(x)),
        gives=lambda v: (v[: len(v) // 3], v[len(v) // 3 :].reshape(-1, 2)),
        view=_joined,
        misconceptions=(),
    )
    assert says in " ".join(mark(spec, function).hints)


def test_the_texts_of_exceptions_and_warnings_can_be_withheld():
    def leaks(x):
        raise ValueError(x[0, 0])

    def warns(x):
        warnings.warn(str(x[0, 0]), stacklevel=2)
        return np.full(len(x), np.nan)

    secret = str(tiny().cases(0)[0].args[0][0, 0])
    for function in (leaks, warns):
        shown, hidden = mark(tiny(), function), mark(tiny(), function, reveal=False)
        assert secret in " ".join(shown.messages) and secret not in " ".join(hidden.messages)
    assert "raised ValueError." in mark(tiny(), leaks, reveal=False).hints[0]


@each(("spoil", "text"), [
    (lambda a: None, "returned None: is there a `return`"),
    (lambda a: a if len(a) > 5 else None, "None on some inputs and not on others"),
    (lambda a: "alpha", "returned a str; it should return the coefficients"),
    (lambda a: [1.0, None], "a list with an entry of type NoneType"),
    (lambda a: [[1.0], [2.0, 3.0]], "a list of items of different shapes"),
    (lambda a: a.astype(str), "returned an ndarray with an entry of type str"),
    (lambda a: (v for v in a), "returned a generator"),
    (lambda a: a.sum, "a pair of brackets is missing"),
    (lambda a: a + 1j, "complex numbers; it should return the coefficients α, shape (n,), as real"),
    (lambda a: a * np.nan, "NaN or infinite"),
    (lambda a: a / 0.0, "NumPy warned: divide by zero"),
    (lambda a: np.where(np.arange(len(a)) == 1, np.inf, a), "1 of 5 entries that are NaN or infinite"),
    (lambda a: a[:, None], "only the shape is wrong: try np.ravel"),
    (lambda a: np.outer(a, a), "You return a matrix"),
    (lambda a: a[:, None] + 0 * a, "The diagonal of your matrix holds the right numbers"),
    (lambda a: a.sum(), "It is the sum of the right numbers"),
    (lambda a: a[:-1], "are right, the others are missing"),
    (lambda a: a[1:], "one entry too few"),
    (lambda a: np.append(a, 0), "one entry too many"),
    (lambda a: (a, 1), "a tuple of 2 values. Item [0] is right"),
    (lambda a: -a, "returns minus the right answer"),
    (lambda a: 2 * a, "returns 2 times the right answer"),
    (lambda a: a / len(a), "returns 1/n times the right answer"),
    (lambda a: 3.7 * a, "the right answer times the same constant"),
    (lambda a: a / np.abs(a).max(), "by a factor that changes from call to call"),
    (lambda a: np.abs(a), "the absolute value of the right answer"),
    (lambda a: a**2, "the square of the right answer"),
    (lambda a: a + 2.5, "by the same constant"),
    (lambda a: a[::-1], "in reverse order"),
    (lambda a: np.roll(a, 2), "the right numbers in the wrong order"),
    (lambda a: np.append(0.3, a[:-1]), "one place too late"),
    (lambda a: np.append(a[1:], 0.3), "one place too early"),
    (lambda a: a.astype(int), "without their decimals"),
    (lambda a: np.round(a, 2), "rounded to 2 decimals"),
    (lambda a: np.arange(len(a)), "but the right numbers are not whole"),
    (lambda a: a * (1 + 3e-5 * np.arange(len(a))), "agrees to about 3 digits"),
    (lambda a: a.astype(np.float16), "nearly right"),
    (lambda a: np.append(a[:-1], 7.0), "entries are right; the last is not"),
    (lambda a: np.where(np.isin(np.arange(len(a)), (1, 3)), 7.0, a), "with index 1, 3 are not"),
    (lambda a: np.zeros(len(a)), "returns only zeros"),
    (lambda a: np.full(len(a), a[0]), "returns are equal"),
    (lambda a: 3 * a[:2], "The shape was the same in all calls"),
    (lambda a: 1.25, "returned the same value in 6 calls with different arguments"),
    (lambda a: a if len(a) != 7 else a + np.arange(len(a)) ** 2, "is right on 3 of 6 random inputs."),
    (lambda a: np.cumsum(a) + np.arange(len(a)) ** 2, "not a mistake that the check recognises"),
])  # fmt: skip
def test_diagnosis_of_an_answer_that_nobody_foresaw(spoil, text):
    result = run("krr_fit", lambda K, y, lam: spoil(right(K, y, lam)), seed=3)
    assert text in " ".join(result.hints)
    assert result.points < 4 and result.misconception is None
    shows = "right on 3 of 6" not in text  # of seven points the experiment knows nothing, and so it is not shown
    assert result.step == exercise("krr_fit").step and result.experiment == exercise("krr_fit").experiment * shows


def test_an_experiment_is_taken_that_shows_this_very_answer():
    result = run("krr_fit", lambda K, y, lam: right(K, y, lam if lam == 0.5 else 1.7 * lam + 0.01), seed=3)
    assert result.misconception is None and result.experiment != exercise("krr_fit").experiment
    assert result.experiment in {mistake.experiment for mistake in exercise("krr_fit").misconceptions}


def test_the_experiment_of_two_mistakes_at_once_shows_both():
    def of_squares(K, lam):  # squared eigenvalues, and λ²: the experiment of the first has λ = 1
        w = np.linalg.eigvalsh(K)
        return np.sum(w**2 / (w**2 + lam**2))

    result = run("effective_df", of_squares, seed=0)
    first, _ = result.misconception.split(" + ")
    assert (
        result.experiment
        != {mistake.name: mistake.experiment for mistake in exercise("effective_df").misconceptions}[first]
    )


def arrangements(value, several):
    """The same numbers in other arrangements: a column, a row, backwards, transposed, parts exchanged."""
    if several:
        return [tuple(value)[::-1]]
    a = np.asarray(value)
    return [a[:, None], a[None], a[::-1]] if a.ndim == 1 else [a.T] if a.ndim else []


@each("spec", exercises())
def test_the_right_numbers_in_another_arrangement_earn_at_least_half(spec):
    given = cases(spec.name, 1)
    right = [spec.answer(*case.args) for case in given]
    ways = [arrangements(value, spec.parts or isinstance(value, tuple)) for value in right]
    for values in zip(*ways, strict=True):
        result = judge(known(spec.name), given, [Outcome(value=value) for value in values])
        assert spec.points / 2 <= result.points
        assert result.status == ("passed" if result.points == spec.points else "partial")
        assert result.hints or result.status == "passed"


@each("spec", [spec for spec in exercises() if spec.parts or spec.gives])
def test_at_least_half_of_the_parts_of_an_answer_earn_half(spec):
    def marked_with(wrong, change=lambda part: np.asarray(part) + 10.0):
        values = [
            tuple(change(part) if i < wrong else part for i, part in enumerate(spec.answer(*case.args)))
            for case in given
        ]
        return judge(known(spec.name), given, [Outcome(value=value) for value in values])

    given = cases(spec.name, 1)
    parts = len(spec.answer(*given[0].args))
    result = marked_with(parts // 2)
    assert (result.points, result.status) == (spec.points / 2, "partial") and result.hints
    assert marked_with(parts // 2 + 1).points == 0
    for constant in (None, 7.0):  # a part that was not computed
        assert marked_with(1, lambda part, constant=constant: constant).points == 0


@each("constant", [0.0, 1.0, -7.5])
@each("spec", exercises())
def test_an_answer_that_ignores_its_arguments_earns_nothing(spec, constant):
    # one number, or one for each target: where the right answer is 0, say, it would be right by chance
    for shaped in (lambda *args: constant, lambda *args: np.full(np.shape(args[1]), constant)):
        result = marked(spec.name, shaped, seed=1)
        assert (result.points, result.status) == (0, "failed") and result.hints


@each("value", [0.0, 2, True, np.float32(1), np.array(3.0), [4.0], np.eye(2), "5", None, [], np.array([])])
def test_every_exercise_says_something_about_every_value(value):
    for spec in exercises():
        if spec.name != "krr_tune" or isinstance(value, (list, str)):
            given = cases(spec.name, 1)
            result = judge(known(spec.name), given, [Outcome(value=value)] * len(given))
            assert result.points < result.max_points and result.hints and all(result.hints)
            assert as_text(result) and as_html(result)


class Hostile:
    def __array__(self, *args, **kwargs):
        raise RuntimeError("no")

    def __repr__(self):
        raise RuntimeError("no")

    __len__ = __eq__ = __bool__ = __repr__
    __hash__ = None


def test_an_array_of_one_number_is_a_number_with_a_remark():
    def boxed(K, alpha):
        return (alpha[None, :] @ K @ alpha[:, None]) * 1.0

    result = run("rkhs_norm2", boxed, seed=0)
    assert result.status == "passed" and result.hints == ()
    assert result.messages == result.remarks and "of shape (1, 1) instead of one number" in result.remarks[0]


def test_changing_an_argument_keeps_the_points_and_is_remarked():
    def in_place(K, y, lam):
        K += lam * np.eye(len(y))
        y *= 1
        return np.linalg.solve(K, y)

    result = run("krr_fit", in_place, seed=0)
    assert (result.status, result.points) == ("passed", 4)
    assert "changes its argument K in place" in result.remarks[0] and "K = K.copy()" in result.remarks[0]
    assert "changes its argument K in place" in " ".join(
        run("krr_fit", lambda K, y, lam: K.sort() or y, seed=0).messages
    )


def test_an_array_for_a_tuple_of_different_things_is_remarked():
    result = run("canonical", lambda w, b, X, y: np.append(w, b) / np.min(y * (X @ w + b)), seed=0)
    assert result.status == "passed" and "`return w, b`" in result.remarks[0]


def test_an_answer_that_misses_two_special_cases_is_told_of_both():
    def no_symmetry_and_no_scale(K, tol):
        return bool(np.linalg.eigvalsh(K)[0] >= -tol)

    special = [p.hint.replace(" only", "") for p in exercise("is_psd").properties[1:]]
    assert [*run("is_psd", no_symmetry_and_no_scale, seed=0).hints] == special


def test_a_copy_is_advised_that_can_hold_fractions():
    def in_place(X, T0, order, eta):
        for i in order:
            J = np.argmin(np.sum((X[i] - T0) ** 2, axis=1))
            T0[J] = T0[J] + eta * (X[i] - T0[J])
        return T0

    result = run("online_kmeans", in_place, seed=0)  # some of the calls give integers
    assert (result.status, result.points) == ("partial", 3)
    assert "T0 = np.array(T0, dtype=float)" in result.hints[0]  # it may be the cause, so it comes first


def test_the_students_own_line_in_a_file(tmp_path):
    file = tmp_path / "answers.py"
    file.write_text("import numpy as np\n\n\ndef krr_fit(K, y, lam):\n    # solve it\n    return np.linalg.inv(y)\n")
    spec = importlib.util.spec_from_file_location("answers", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert said(module.krr_fit).startswith(
        "Line 3 of krr_fit, `return np.linalg.inv(y)`, raised LinAlgError: 1-dimensional"
    )


def test_loops_in_plain_python_are_not_slowed_down_for_ever(monkeypatch):
    monkeypatch.setattr("kcourse.execution.calls._EVENTS", 1000)
    hooks = []

    def loops(K, y, lam):
        for count in (10, 1000):
            sum(0.0 for _ in range(count))
            hooks.append(sys.getprofile())
        return right(K, y, lam)

    spec = exercise("krr_fit")
    assert call(spec, loops, spec.cases(1)[0].args).failure is None
    assert hooks[0] is not None and hooks[1] is None


def test_warnings_are_neither_shown_nor_errors(capsys):
    def noisy(K, y, lam):
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        np.log(np.array([0.0, -1.0]))
        return right(K, y, lam)

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        assert run("krr_fit", noisy, seed=0).status == "passed"
    assert seen == [] and capsys.readouterr() == ("", "")
    with warnings.catch_warnings(), np.errstate(all="raise"):  # as a notebook may have set them
        warnings.simplefilter("error")
        assert run("krr_fit", noisy, seed=0).status == "passed"
        assert run("krr_fit_predict", lambda X, y, Xq, s, lam: Xq[:, 0] / 0, seed=0).status == "failed"
        assert np.geterr()["divide"] == "raise"


def test_the_same_seed_gives_the_same_verdict():
    wrong = functools.partial(lambda K, y, lam: right(K, y, lam) + 0.1 * (np.arange(len(y)) == 2))
    first, second = run("krr_fit", wrong, seed=11), run("krr_fit", wrong, seed=11)
    assert first == second and first.seed == 11
    for spec in exercises():
        for one, two in zip(spec.cases(5), spec.cases(5), strict=True):
            assert one.property == two.property
            for a, b in zip(one.args, two.args, strict=True):
                assert np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b


def test_without_a_seed_inputs_are_fresh_and_the_seed_is_told():
    seen = []

    def answer(K, y, lam):
        seen.append(lam)
        return right(K, y, lam) * 0.999

    first, second = run("krr_fit", answer), run("krr_fit", answer)
    half = len(seen) // 2
    assert first.seed != second.seed and seen[:half] != seen[half:]
    assert run("krr_fit", answer, seed=first.seed) == first


def test_properties_have_streams_of_their_own():
    """Adding a case to one property does not change the inputs of the next."""
    one, other = (tiny(properties=(rows(*shapes), rows((4, 3)))) for shapes in ([(2, 2)], [(9, 9)] * 2))
    np.testing.assert_array_equal(one.cases(4)[-1].args[0], other.cases(4)[-1].args[0])


@each(("function", "step"), [
    (lambda K, y, lam: K @ z, False),  # noqa: F821
    (lambda K, y, lam: K.solve(y), False),
    (lambda K, y, lam: K[:-1, :-1] @ y, False),
    (lambda K, y, lam: np.ones((2, 3)) + y, False),
    (lambda K, y, lam: y(0), False),
    (lambda K, y, lam: np.linalg.solve(K, y, lam), False),
    (lambda K, y, lam: 1 / 0, True),
    (lambda K, y, lam: np.linalg.cholesky(K - 99 * np.eye(len(K))), True),
])  # fmt: skip
def test_an_exception_about_a_name_or_a_shape_is_no_step_of_the_derivation(function, step):
    result = run("krr_fit", function, seed=0)
    assert "raised" in result.hints[0] and bool(result.step) is bool(result.experiment) is step


class Shell:
    """A kernel's shell: what came as a result and what was displayed beside it, as front ends are sent it."""

    kernel = object()

    def __init__(self):
        self.results, self.displayhook = [], self

    def start_displayhook(self): ...
    def write_output_prompt(self): ...
    def finish_displayhook(self): ...

    def write_format_data(self, data, metadata):
        self.results.append({"data": data, "metadata": metadata})


@pytest.fixture
def shell(monkeypatch):
    made, ipython = Shell(), types.ModuleType("IPython")
    ipython.get_ipython = lambda: made
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    return made


def test_no_number_of_the_input_is_in_any_message():
    """Hidden inputs and right answers stay hidden, even where an answer is nearly right."""
    from tests.chapters.ch03_ridge.student_answers import WRONG

    for wrong in WRONG:
        if wrong.exercise == "krr_tune":
            continue
        spec = exercise(wrong.exercise)
        cases = spec.cases(0)
        result = judge(spec, cases, call_all(spec, wrong.function, cases), reveal=False)
        text = " ".join((*result.hints, *result.remarks))
        values = [v for case in cases for a in (*case.args, spec.reference(*case.args)) for v in np.ravel(a)]
        hidden = {f"{abs(v):.3g}" for v in values if v != round(v)}
        assert not hidden & set(re.findall(r"(?<!exercise )\d+\.\d+", text)), (wrong.function.__name__, text)


def test_checks_does_without_ipython_and_matplotlib():
    code = (
        "import sys, kcourse.checks as c; c.exercises(); c.run('rkhs_norm2', lambda K, a: a @ K @ a);"
        "print([m for m in ('matplotlib', 'IPython', 'ipywidgets', 'sklearn') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout == "[]\n"


def _lifted(X):
    """Features with the inner products (x·z)²; any others with the same are as good."""
    return np.column_stack([X[:, 0] ** 2, 2**0.5 * X[:, 0] * X[:, 1], X[:, 1] ** 2])


LIFT = Exercise(
    name="lift", chapter="ch99", number="9.1", returns="features, one row for each point", reference=_lifted,
    properties=(Property("has the right inner products", 2, lambda rng: [(rng.normal(size=(n, 2)),) for n in (4, 6)]),),
    misconceptions=(Misconception("no root", lambda X: np.column_stack([X[:, 0] ** 2, X[:, 0] * X[:, 1], X[:, 1] ** 2]),
                                  "The mixed feature lacks its √2.", "Read again.", "print(1)"),),
    step="Read again.", experiment="print(1)", sizes=lambda X: {"n": len(X)},
    view=lambda value, X: np.inner(np.array(value, dtype=float), value) if np.ndim(value) == 2 else None,
)  # fmt: skip


@each(("function", "says"), [
    (lambda X: np.column_stack([X[:, 0] ** 2, X[:, 0] * X[:, 1], X[:, 1] ** 2]), "lacks its √2"),
    (lambda X: X[:, 0] ** 2, "returned shape (4,), expected (4, 3): features"),
    (lambda X: [[1.0], [2.0, 3.0]], "items of different shapes"),
])  # fmt: skip
def test_what_cannot_be_seen_so_is_spoken_of_as_it_is(function, says):
    result = mark(LIFT, function)
    assert result.points == 0 and says in " ".join(result.hints)


def _positive(x):
    return bool(x > 0)


ASK = Exercise(
    name="positive", chapter="ch99", number="9.2", returns="True or False", reference=_positive,
    properties=(Property("is right", 2, lambda rng: [(float(v),) for v in (1.5, -2.5, 0.5, 0.0, -1.5, 3.5)]),),
    misconceptions=(
        Misconception("zero is positive", lambda x: x >= 0, "Zero is not positive.", "Read again.", "print(1)"),
    ),
    step="Read again.", experiment="print(1)", sizes=lambda x: {},
)  # fmt: skip


@each(("function", "says"), [
    (lambda x: x >= 0, "Zero is not positive"),
    (lambda x: True, "returned True in all calls"),
    (lambda x: x < 0 or x > 3, "returns True where False is right, and False where True is right"),
    (lambda x: x > 1, "returns False where True is right. Whenever it returns True"),
    (lambda x: np.array([x > 0, x > 1]), "a single True or False"),
    (lambda x: "yes", "returned a str"),
])  # fmt: skip
def test_of_an_answer_that_is_yes_or_no_only_that_is_said(function, says):
    result = mark(ASK, function)
    assert result.points == 0 and says in " ".join(result.hints)
    assert not re.search("sign|factor|times|earlier call|whole numbers", " ".join(result.hints))


def test_nothing_is_close_to_infinity():
    from kcourse.checks.compare import close

    assert close([1.0], [0.0]) is False  # a plain one: recognising a mistake asks for it by identity
    assert not close([1.0, 2.0], [np.inf, 2.0]) and not close([np.inf], [np.inf]) and close([0.0], [0.0])


def test_inputs_that_cannot_be_drawn_are_an_error_with_a_name():
    with pytest.raises(RuntimeError, match="krr_fit: none of 20 drawn inputs"):
        for _ in attempts("krr_fit", most=20):
            pass
    found = []
    for turn in attempts("krr_fit", until=lambda: len(found) == 3, most=4):
        found.append(turn)
    assert found == [0, 1, 2]


def test_no_generator_of_inputs_can_run_for_ever():
    for file in sorted((Path(checks.__file__).parents[1] / "chapters").rglob("*.py")):
        loops = [node.lineno for node in ast.walk(ast.parse(file.read_text("utf8"))) if isinstance(node, ast.While)]
        assert not loops, f"{file.name}, lines {loops}: draw with `for _ in attempts(…)`, which has an end"


@each("wrong", [(0,), (2, 4)])
def test_entries_that_are_right_are_counted(wrong):
    def some_are_wrong(K, y, lam):
        alpha = np.linalg.solve(K + lam * np.eye(len(y)), y)
        alpha[list(wrong)] += 1.0 + np.arange(len(wrong))
        return alpha

    sizes = {len(case.args[1]) for case in exercise("krr_fit").cases(0)}
    [hint] = [hint for hint in run("krr_fit", some_are_wrong, 0).hints if "entries are right" in hint]
    right, n = map(int, re.match(r"(\d+) of (\d+) entries are right; ", hint).groups())
    assert n in sizes and right == n - len(wrong), hint


def verdict(name, change, seed):
    """On an answer that changes what the right one gives."""
    spec = exercise(name)
    cases = spec.cases(seed)
    return judge(spec, cases, [Outcome(value=change(spec.answer(*case.args), *case.args)) for case in cases])


@each(("name", "change", "says", "never"), [
    ("poly2_features", lambda F, *_: np.squeeze(F[:1]), "", "ravel"),
    ("is_psd", lambda yes, *_: "yes", "it should return True or False", "real numbers"),
    ("compare_smoothers", lambda four, *_: (None, *four[1:]), "in which [0]", "returned a tuple of 4."),
    ("loo_bandwidth", lambda pair, *_: pair[0], "returned a float; it should return", "expected ("),
    ("loo_bandwidth", lambda pair, *_: pair[::-1], "the right values in the wrong order", "different shapes"),
    ("kernel_pca", lambda pair, *_: pair[::-1], "the right values in the wrong order", "different shapes"),
    ("kernel_pca", lambda pair, *_: (pair[0].T, pair[1]), "2 values, of shapes", "different shapes"),
    ("gp_posterior", lambda pair, *_: (pair[0], pair[1] + 0.1 * np.arange(len(pair[1])) ** 2), "the first is right",
     "second is right"),
    ("margin_violators", lambda mask, *_: ~mask, "", "ends of your loops"),
])  # fmt: skip
def test_what_is_said_is_true_of_this_answer(name, change, says, never):
    for seed in range(3):
        said_of_it = " ".join(verdict(name, change, seed).hints)
        assert says in said_of_it and never not in said_of_it, (seed, said_of_it)


def stub(K, y, lam):
    raise NotImplementedError("to do")


@functools.wraps(stub)
def wrapped(*args):
    return stub(*args)


@each("function", [stub, wrapped, functools.partial(stub)])
def test_a_stub_with_a_text_or_inside_a_decorator_is_a_stub(function):
    assert run("krr_fit", function).status == "not_attempted"


def test_what_calls_a_stub_of_ones_own_is_told_so_and_a_librarys_is_an_error_like_any_other():
    cell = "def gram(X, sigma):\n    raise NotImplementedError\n"
    names = notebook_cell(cell + "def krr_fit_predict(X, y, Xq, sigma, lam):\n    return gram(X, sigma)\n")
    result = run("krr_fit_predict", names["krr_fit_predict"])
    assert result.status == "failed" and result.experiment == ""
    assert result.hints == ("krr_fit_predict calls gram, which is not written yet. Write gram first.",)
    exec("def inner():\n    raise NotImplementedError('no')", names)
    assert "raised NotImplementedError: no" in said(lambda K, y, lam: names["inner"]())


def checks_itself(K, y, lam):
    load_mcycle()
    alpha = right(K, y, lam)
    verify("the system", (K + lam * np.eye(len(y))) @ alpha, y)
    return alpha


buffer = np.empty(50)


def one_buffer_for_all(K, y, lam):
    buffer[: len(y)] = right(K, y, lam)
    return buffer[: len(y)]


class Solver:
    def __call__(self, K, y, lam):
        return right(K, y, lam)

    def fit(self, K, y, lam):
        return right(K, y, lam)


@each(
    "answer",
    [checks_itself, one_buffer_for_all, Solver(), Solver().fit, functools.partial(right), lambda *args: right(*args),
     lambda K, y, lam, verbose=False: right(K, y, lam), lambda A, b, penalty: right(A, b, penalty)],
)  # fmt: skip
def test_whatever_can_be_called_may_answer_and_looking_at_a_library_is_not_leaning_on_it(answer):
    assert run("krr_fit", answer, seed=0).status == "passed"


def test_an_exercise_allows_kernels_and_no_solver_and_without_that_they_are_refused():
    def predict(X, y, Xq, sigma, lam):
        k = 2.0 * kcourse.Gaussian(sigma) * 0.5  # the algebra of kernels, too
        return k(Xq, X) @ right(k(X), y, lam)

    assert (run("krr_fit_predict", predict, seed=0).status, exercise("krr_fit_predict").allowed) == (
        "passed", ("kcourse.kernels",),
    )  # fmt: skip
    assert run("krr_fit_predict", predict, seed=0).remarks == ()
    assert call(tiny(), lambda x: float(Gaussian(1.0)(x)[0, 1]), (np.eye(2),)).library == "kcourse.kernels"


def large_where(limit):
    return Observation("Too large.", lambda value, x: value.max() > limit)


@each(("more", "function", "says"), [
    ({"reference": lambda x: np.outer(x[0], x[1])}, lambda x: np.outer(x[1], x[0]), "the transpose of the right"),
    ({"reference": lambda x: np.cumsum(x, axis=0)}, lambda x: x - np.cumsum(x, axis=0), "x minus the right answer"),
    ({"limit": "0/0 is 1 here."}, lambda x: x.sum(axis=1) * np.nan, "never filled. 0/0 is 1 here."),
    ({"observations": (large_where(100),)}, lambda x: x.sum(axis=1) ** 3 + 1000.0, "Too large."),
])  # fmt: skip
def test_diagnosis_of_a_small_exercise(more, function, says):
    assert says in mark(tiny(misconceptions=(), **more), function).hints[0]


kept, lams = {}, []


def four_for_two(X, y, Xq, sigma):
    W = np.exp(-((Xq[:, None] - X) ** 2).sum(axis=2) / (4 * sigma**2))
    return W @ y / W.sum(axis=1)


def by_the_median(X, y, Xq, k):  # of one or two targets, as in all experiments, it is the mean
    D = ((Xq[:, None] - X) ** 2).sum(axis=2)
    return np.median(y[np.argsort(D, axis=1, kind="stable")[:, :k]], axis=1)


@each(("name", "function", "says", "never"), [
    ("krr_fit", lambda K, y, lam: y, "returns its argument y unchanged", ""),
    ("rkhs_norm2", lambda K, alpha: 0.0, "", "returns its argument alpha unchanged"),
    ("krr_fit", lambda K, y, lam: right(K, y, 0.5), "the right answer for lam = 0.5", ""),
    ("krr_fit", lambda K, y, lam: right(K, y, lam**0.5), "uses √λ instead of `lam`", ""),
    ("krr_fit", lambda K, y, lam: right(K, y, lam + 0.37), "the right answer for another lam than", ""),
    ("krr_fit", lambda K, y, lam: right(K, y, min(lam, 1.0)), "the smaller λ", "typed in"),
    ("krr_fit", lambda K, y, lam: kept.setdefault(len(y), right(K, y, lam)), "the right answer of an earlier call", ""),
    ("krr_fit", lambda K, y, lam: lams.append(lam) or right(K, y, sum(lams)), "right on 1 of 6 random inputs", ""),
    ("krr_fit", lambda K, y, lam: right(K, y, lam) * (3.7 if len(y) % 2 else 1), " of 6 calls; the rest ", ""),
    ("effective_df", lambda K, lam: np.trace(K) / lam, "", "plays no part"),
    ("nadaraya_watson", four_for_two, "uses √2 σ instead of", ""),
    ("knn_regress", by_the_median, "Compare your lines one by one with the derivation.", "experiment"),
])  # fmt: skip
def test_what_an_answer_does_with_its_arguments_is_told(name, function, says, never):
    text = said(function, name)
    assert says in text and not (never and never in text)


def weights(X, Z, sigma):
    return np.exp(-((X[:, None] - Z) ** 2).sum(axis=2) / (2 * sigma**2))


def only_zeros_far_away(X, y, Xq, sigma):
    W = weights(Xq, X, sigma)
    return W @ y / (W.sum(axis=1) + 1e-12)


def at_most_one(X, Xq, sigma):
    return np.minimum((weights(Xq, X, sigma) * (2 * np.pi * sigma**2) ** (-X.shape[1] / 2)).mean(axis=1), 1.0)


def few_digits(X, Z, sigma):
    D = (X**2).sum(1)[:, None] + (Z**2).sum(1) - 2 * X @ Z.T
    return np.exp(-np.maximum(D, 0) / (2 * sigma**2))


@each(
    ("name", "answer"),
    [("nadaraya_watson", only_zeros_far_away), ("parzen_density", at_most_one), ("gaussian_gram", few_digits)],
)
def test_a_property_that_fails_alone_has_its_own_hint_and_no_guess_beside_it(name, answer):
    for seed in range(5):
        assert run(name, answer, seed).hints == (exercise(name).properties[1].hint,)


WEIRD = [Hostile(), [Hostile()], object(), np, {1}, b"x", 10**400, [10**400, 1], ((), ()), [[]], np.array(["a"]),
         np.ma.masked, np.array([None, 1.0]), np.array([{}, 1]), np.zeros((2, 0, 3)), np.datetime64(0, "s"),
         ]  # fmt: skip


@pytest.mark.parametrize("value", WEIRD, ids=lambda value: type(value).__name__)
def test_no_value_breaks_the_engine(value):
    for name in ("krr_fit", "effective_df", "krr_tune"):
        given = cases(name, 1)
        result = judge(exercise(name), given, [Outcome(value=value)] * len(given))
        assert result.points < result.max_points and result.hints


class Odd(Exception):
    def __str__(self):
        raise RuntimeError


HEAD = "def krr_fit(K, y, lam):\n"


@each(("code", "says"), [
    (f"{HEAD}    '''Solve.\n\n    It.'''\n    return np.linalg.solve(\n        K,\n        y[:-1],\n    )\n",
     "Line 5 of krr_fit, `return np.linalg.solve(`, raised ValueError: solve"),
    (f"def ridge(K):\n    n = K.shape[2]\n    return n\n\n\n{HEAD}    return ridge(K)\n",
     "Line 2 of ridge, `n = K.shape[2]`, raised IndexError: tuple index out of range."),
    (f"{HEAD}    n = len(y)\n    return [y[i] / missing for i in range(n)]\n",
     "Line 3 of krr_fit, `return [y[i] / missing for i in range(n)]`, raised NameError: name 'missing'"),
    (f"{HEAD}    raise ValueError('very long ' * 100)\n", "…"),
    (f"{HEAD}    raise Odd\n", "raised Odd."),
    (f"{HEAD}    return krr_fit(K, y, lam)\n", "raised RecursionError"),
    (f"{HEAD}    raise SystemExit\n", "raised SystemExit, which ends the program"),
])  # fmt: skip
def test_the_students_own_line_in_a_notebook(code, says):
    text = said(notebook_cell(code, Odd=Odd)["krr_fit"])
    assert says in text and len(text) < 600


def test_a_line_whose_text_is_lost_and_an_exception_without_any_line_of_the_students():
    exec(compile(f"{HEAD}    return 1 / 0\n", "<gone>", "exec"), names := {})
    assert said(names["krr_fit"]).startswith("Line 2 of krr_fit raised ZeroDivisionError: division by zero.")
    assert said(functools.partial(np.linalg.cholesky), "krr_fit").startswith("krr_fit cannot be called as")
    assert "raised StopIteration" in run("rkhs_norm2", lambda *args: next(iter(())), seed=0).hints[0]


def test_the_profile_hook_is_restored_and_keyboard_interrupt_passes_through():
    def hook(*_):
        pass

    def interrupted(K, y, lam):
        raise KeyboardInterrupt

    sys.setprofile(hook)
    try:
        for function in (right, lambda K, y, lam: 1 / 0):
            run("krr_fit", function)
            assert sys.getprofile() is hook
        with pytest.raises(KeyboardInterrupt):
            run("krr_fit", interrupted)
        assert sys.getprofile() is hook
    finally:
        sys.setprofile(None)


@each(("answer", "text"), [
    (lambda K, y: y, "cannot be called as krr_fit(K, y, lam): too many positional arguments"),
    (lambda K, y, lam, sigma: y, "missing a required argument: 'sigma'"),
    (lambda y, K, lam: y, "The arguments are in another order than in krr_fit(K, y, lam)"),
])  # fmt: skip
def test_a_signature_that_differs(answer, text):
    result = run("krr_fit", answer)
    assert (result.status, result.points, result.max_points) == ("failed", 0, 4) and text in result.hints[0]


@each(("ask", "error", "says"), [
    (lambda: run("krr_fitt", right), KeyError, "no exercise 'krr_fitt'; did you mean krr_fit"),
    (lambda: exercises("ch99"), KeyError, "no exercises for chapter 'ch99'.*ch01_neighbors, "),
    (lambda: check(types.FunctionType(right.__code__, globals(), "kr_fit")), KeyError, "no exercise 'kr_fit'"),
    (lambda: check(np.ones(3)), TypeError, r"the function itself, as in check\(krr_fit\); got ndarray"),
    (lambda: run("krr_fit", np.ones(3)), TypeError, "the answer to krr_fit must be a function, got"),
])  # fmt: skip
def test_unknown_names_and_what_is_no_function(ask, error, says):
    with pytest.raises(error, match=says):
        ask()


def test_the_panel_is_escaped_labelled_and_says_what_the_text_says():
    result = run("krr_fit", lambda K, y, lam: np.linalg.solve(K, y), seed=0)
    html, text = as_html(result), as_text(result)
    assert html.startswith('<section role="status" aria-label="Check of krr_fit: not yet right"')
    assert 'data-status="failed"' in html and html.count("<details") == html.count("<summary") == 2
    for line in (result.hints[0], result.step, "0 of 4 points", *result.experiment.splitlines()):
        assert line in text
    assert result.hints[0] in html and "0 of 4 points" in html
    place = re.search("“([^”]+)”", result.step)[1].replace(" ", "-")
    assert f'“<a href="../notebooks/ch03_ridge.ipynb{anchor(place)}"' in html  # the section to read again
    second = run("pegasos", lambda X, y, lam, order: 1 / 0, seed=0)  # of a chapter's second lecture
    assert f"ch06b_svr_online.ipynb{anchor('Online learning: one point at a time')}" in as_html(second)
    assert "<a " not in as_html(mark(tiny(), lambda x: x.sum(axis=0)))

    script = '<script>alert("x")</script>'
    hostile = run("krr_fit", lambda K, y, lam: {}[script], seed=0)
    assert "<script" not in as_html(hostile) and "&lt;script&gt;" in as_html(hostile) and script in as_text(hostile)
    code = run("krr_fit", lambda K, y, lam: None, seed=0)
    assert ">return</code>" in as_html(code) and "`return`" in as_text(code)


def partly(K, y, lam):
    return right(K, y, lam).astype(y.dtype)


@each(
    ("function", "status", "points"),
    [(right, "passed", 4), (partly, "partial", 3), (lambda K, y, lam: y, "failed", 0), (uses_sklearn, "refused", 0),
     (stub, "not_attempted", 0)],
)  # fmt: skip
def test_every_status_has_a_label_and_nbgrader_reads_the_points(function, status, points, shell):
    answer = functools.wraps(function)(lambda *given: function(*given))
    answer.__name__ = "krr_fit"
    result = check(answer, seed=0).result
    assert result.status == status and as_text(result).startswith(("✓ krr_fit", "✗ krr_fit", "○ krr_fit"))
    assert 'aria-label="Check of krr_fit: ' in as_html(result)
    assert get_partial_grade(shell.results[-1], 4) == points


@each("function", [
    _lifted,
    lambda X: np.column_stack([X[:, 0] ** 2, X[:, 0] * X[:, 1], X[:, 1] * X[:, 0], X[:, 1] ** 2]),
    lambda X: [[a * a, 2**0.5 * a * b, b * b] for a, b in X],
])  # fmt: skip
def test_whatever_looks_the_same_to_the_exercise_is_right(function):
    result = mark(LIFT, function)
    assert (result.status, result.points, result.remarks) == ("passed", 2, ())


@each("function", [_positive, lambda x: np.bool_(x > 0), lambda x: int(x > 0), lambda x: [x > 0]])
def test_a_yes_may_be_a_one(function):
    assert mark(ASK, function).points == 2


def root_of_the_product(X):
    return np.column_stack([X[:, 0] ** 2, np.sqrt(2 * X[:, 0] * X[:, 1]), X[:, 1] ** 2])


def test_what_is_no_number_is_counted_in_what_was_returned():
    """Not in what is compared, which is another array."""
    for seed in range(5):
        (hint,) = run("poly2_features", root_of_the_product, seed).hints
        bad, size = map(int, re.search(r"returned (\d+) of (\d+) entries", hint).groups())
        assert size in (12, 21, 15) and 0 < bad <= size / 3


def test_whole_numbers_are_no_sign_where_they_are_asked_for():
    spec = exercise("classify_by_gram")
    for seed in range(6):
        drawn = spec.cases(seed)
        sorts = [spec.reference(K, y, np.sort(train), *more) for K, y, train, *more in (case.args for case in drawn)]
        result = judge(spec, drawn, [Outcome(value=tuple(map(int, value))) for value in sorts], seed=seed)
        assert result.hints == (spec.properties[1].hint,)


def test_a_stub_in_one_branch_is_an_error():
    def half(K, y, lam):
        if len(y) > 5:
            raise NotImplementedError
        return right(K, y, lam)

    result = run("krr_fit", half, seed=1)
    assert result.status in ("failed", "partial") and "raised NotImplementedError" in result.hints[0]


def krr_fit(K, y, lam):
    return right(K, y, lam) if lam else None


def test_check_shows_and_returns_the_points(capsys):
    verdict = check(krr_fit, seed=0)
    assert capsys.readouterr().out.startswith("✓ krr_fit: right — 4 of 4 points\n")
    assert isinstance(verdict, Verdict) and repr(verdict) == "4" and float(verdict) == 4.0
    assert verdict.result.status == "passed" and [p.points for p in verdict.result.properties] == [2, 1, 1]


def test_in_jupyter_a_panel_is_the_result_and_no_row_follows_it(shell):
    verdict = check(krr_fit, seed=0)
    [result] = shell.results
    assert set(result["data"]) == {"text/html", "text/plain"} and result["data"]["text/html"].startswith("<section")
    assert result["metadata"] == {}
    assert verdict._ipython_display_() is None and len(shell.results) == 1  # what IPython asks the cell's last value
