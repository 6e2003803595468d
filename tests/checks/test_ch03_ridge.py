"""The exercises of chapter 3: canonical numbers, mutation matrix, alternatives, hints, and what the sheet promises."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import io
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from kcourse.checks import exercise, exercises, run
from kcourse.checks.calls import Failure, Outcome, call_all
from kcourse.checks.judge import judge
from kcourse.kernels import Gaussian
from tests.checks.alternatives_ch03 import RIGHT
from tests.checks.slips_ch03 import ONLY, RAISING
from tests.checks.wrong_ch03 import WRONG

ROOT = Path(__file__).parents[2]
SHEET = (ROOT / "solutions/src/ch03_ridge.py").read_text(encoding="utf-8")
LECTURE = (ROOT / "notebooks/src/ch03_ridge.py").read_text(encoding="utf-8")
START = (ROOT / "notebooks/src/00_start_here.py").read_text(encoding="utf-8")

EXERCISES = exercises("ch03_ridge")
NAMES = [spec.name for spec in EXERCISES]
PROPERTIES = [(spec, i) for spec in EXERCISES for i in range(len(spec.properties))]
SLIPS = [(spec, slip) for spec in EXERCISES for slip in spec.misconceptions]


def seeds(name: str, count: int) -> range:
    """Fewer for the search over a grid, which costs a hundred times more."""
    return range(2 if name == "krr_tune" else count)


# -- (a) the curriculum's numbers, on its canonical inputs

x = np.array([0.0, 1.0, 2.5])
Y = np.array([1.0, -1.0, 0.5])
K = Gaussian(1.0)(x[:, None])
ALPHA = np.linalg.solve(K + 0.5 * np.eye(3), Y)
PHI = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, -1.0], [2.0, 0.0, 1.0]])
CANONICAL = {
    "krr_fit": (K, Y, 0.3),
    "krr_fit_predict": (x[:, None], Y, np.array([[0.4], [2.0]]), 0.6, 0.3),
    "ridge_dual_w": (PHI, np.array([1.0, 3.0, -1.0]), 0.5),
    "krr_loo_residuals": (K, Y, 0.5),
    "effective_df": (2 * K, 0.5),
    "rkhs_norm2": (K, ALPHA),
}
# line of the catalogue -> our name for it ("" is the right answer), and its number; part 4, chapter 03
CATALOGUE = [
    ("krr_fit", "right", "", [1.52125, -1.666108, 0.749282]),
    ("krr_fit", "no lambda (interpolates)", "no lambda", [2.883916, -3.208552, 1.414954]),
    ("krr_fit", "n*lambda (mean loss, source 004:6)", "n times lambda", [0.78673, -0.843959, 0.389172]),
    ("krr_fit", "(KK+lI)^-1 K y", "gradient solved with KK + lambda I", [0.78913, -0.82634, 0.393028]),
    ("krr_fit", "lambda^2", "lambda squared", [2.271109, -2.513531, 1.115815]),
    ("krr_fit", "lambda/2", "half lambda", [1.990081, -2.195415, 0.978529]),
    ("krr_fit", "lambda added to every entry", "lambda added to every entry", [2.710168, -3.249689, 1.229077]),
    ("krr_fit_predict", "right", "", [0.179089, 0.057492]),
    ("krr_fit_predict", "sigma and lambda swapped in the call (source 004:32)", "sigma and lambda swapped in the fit",
     [0.122356, 0.067028]),
    ("krr_fit_predict", "both swapped everywhere", "sigma and lambda swapped everywhere", [0.172778, 0.075501]),
    ("krr_fit_predict", "adds lambda at test too", "lambda added when predicting", [0.465452, -0.232434]),
    ("ridge_dual_w", "right", "", [0.141079, 0.589212, -1.477178]),
    ("ridge_dual_w", "w = Phi alpha (source 000:56)", "w = Phi alpha", [3.095436, 1.477178, -0.887967]),
    ("ridge_dual_w", "returns alpha (same shape when n=d!)", "returns alpha", [-0.639004, 1.86722, 0.390041]),
    ("ridge_dual_w", "primal without lambda (pinv)", "no lambda", [1.0, 0.0, -3.0]),
    ("ridge_dual_w", "(X'X+lI)^-1 X y (source 000:42)", "Phi y for Phi^T y", [1.60166, -0.016598, -0.887967]),
    ("krr_loo_residuals", "right", "", [1.448118, -1.500739, 0.814186]),
    ("krr_loo_residuals", "training residuals", "training residuals", [0.57952, -0.629554, 0.285949]),
    ("krr_loo_residuals", "sign flipped (f-y)", "sign flipped", [-1.448118, 1.500739, -0.814186]),
    ("krr_loo_residuals", "divided twice (GCV-like square)", "divided twice", [3.618592, -3.577483, 2.318239]),
    ("krr_loo_residuals", "GCV denominator (mean of H)", "GCV denominator", [1.484816, -1.61301, 0.732644]),
    ("effective_df", "right", "", 2.234917),
    ("effective_df", "trace K", "trace of K", 6.0),
    ("effective_df", "rank", "rank", 3.0),
    ("effective_df", "tr (K+lI)^-1", "trace of the inverse", 1.530165),
    ("effective_df", "tr H^2", "trace of H squared", 1.714628),
    ("rkhs_norm2", "right", "", 1.0762),
    ("rkhs_norm2", "alpha'alpha", "alpha'alpha", 3.255794),
    ("rkhs_norm2", "||K alpha||^2 (values, not norm)", "values, not norm", 0.359852),
    ("rkhs_norm2", "square root", "square root", 1.037401),
]  # fmt: skip


@pytest.mark.parametrize(("name", "line", "slip", "number"), CATALOGUE, ids=lambda v: str(v)[:30])
def test_the_curriculums_numbers(name, line, slip, number):
    spec = exercise(name)
    function = spec.reference if line == "right" else {m.name: m.wrong for m in spec.misconceptions}[slip]
    np.testing.assert_allclose(function(*CANONICAL[name]), number, atol=6e-7)


def test_the_curriculums_exception():
    """3.2, "K(train,test) used, transposed shapes": ValueError."""
    X, y, Xq, sigma, lam = CANONICAL["krr_fit_predict"]
    with pytest.raises(ValueError, match=r"matmul") as caught:
        Gaussian(sigma)(X, Xq) @ exercise("krr_fit").reference(Gaussian(sigma)(X), y, lam)
    slips = {m.name: m for m in exercise("krr_fit_predict").misconceptions}
    assert re.search(slips["train and query points swapped"].error, f"ValueError: {caught.value}")


# -- (b) mutation matrix


@functools.cache
def cases(name: str, seed: int):
    return exercise(name).cases(seed)


def marked(name: str, function, seed: int):
    """What ``run`` does, with inputs that are drawn once for all tests."""
    given = cases(name, seed)
    return judge(exercise(name), given, call_all(exercise(name), function, given), seed=seed)


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
    for seed in seeds(spec.name, 12):
        result = judge(spec, cases(spec.name, seed), outcomes(slip.wrong, cases(spec.name, seed)), seed=seed)
        assert (seed, result.misconception) == (seed, slip.name)
        assert result.points < result.max_points
        assert result.status == ("partial" if result.points else "failed")
        assert result.hints[0] == slip.hint
        assert result.messages[-2:] == (slip.step, slip.experiment)


def test_all_misconceptions_that_raise_are_tried():
    assert set(RAISING) == {slip.name for _, slip in SLIPS if slip.error}


@pytest.mark.parametrize("slip", RAISING)
def test_misconceptions_that_raise(slip):
    name, functions = RAISING[slip]
    for function in functions:
        for seed in range(15):
            result = run(name, function, seed)
            assert (seed, result.misconception, result.points) == (seed, slip, 0)
            assert "raised" in result.hints[1] and "(size" not in result.hints[0]


# -- (c) right answers in other styles, and the solutions themselves


@pytest.mark.parametrize(("name", "function"), RIGHT, ids=lambda v: getattr(v, "__name__", None) or str(v)[:40])
def test_right_answers_in_other_styles_get_full_points(name, function):
    for seed in seeds(name, 10):
        result = marked(name, function, 100 + seed)
        assert (result.status, result.points, result.hints) == ("passed", exercise(name).points, ())


@pytest.mark.parametrize("name", NAMES)
def test_at_least_three_alternatives(name):
    assert sum(n == name for n, _ in RIGHT) >= 5


@pytest.mark.parametrize("name", NAMES)
def test_the_sheets_own_solution_passes(name):
    for seed in seeds(name, 15):
        assert run(name, solution()[name], seed).status == "passed"


# -- plausible wrong answers that are not in the catalogue


@pytest.mark.parametrize("wrong", WRONG, ids=lambda w: f"{w.exercise}-{w.function.__name__}")
def test_wrong_answers_that_nobody_foresaw(wrong):
    for seed in range(1 if wrong.exercise in ("krr_tune", "krr_fit_predict") else 2):
        for default in wrong.function.__defaults__ or ():
            default.clear()  # the cache that one of them keeps
        result = marked(wrong.exercise, wrong.function, seed)
        assert result.points < result.max_points
        assert result.misconception == wrong.name
        assert wrong.says in " ".join(result.hints)
        assert result.hints and result.step and result.experiment


# -- (d) properties


@pytest.mark.parametrize(("spec", "i"), PROPERTIES, ids=lambda v: getattr(v, "name", v))
def test_each_property_is_failed_by_a_misconception(spec, i):
    given = cases(spec.name, 0)
    results = (judge(spec, given, outcomes(slip.wrong, given)) for slip in spec.misconceptions if slip.wrong)
    assert any(not result.properties[i].points for result in results)


def test_each_property_but_the_first_is_tried_alone():
    assert set(ONLY) == {(spec.name, i) for spec in EXERCISES for i in range(1, len(spec.properties))}


@pytest.mark.parametrize(("name", "i"), ONLY)
def test_each_property_can_be_the_only_one_that_fails(name, i):
    spec = exercise(name)
    for seed in seeds(name, 5):
        result = run(name, ONLY[name, i], seed)
        assert [p.points > 0 for p in result.properties] == [j != i for j in range(len(spec.properties))]
        assert result.status == "partial"
        assert spec.properties[i].hint in result.hints
        assert result.misconception is None


# -- (e) hints


@functools.cache
def solution() -> dict:
    """The functions of the solved sheet."""
    names: dict = {}
    exec("import numpy as np\nfrom kcourse.kernels import Gaussian\n", names)
    for cell in SHEET.split("\n# %%"):
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
            assert set(titles) <= headings(START if "start page" in step else LECTURE), name
            assert "“" not in hint, name


@pytest.mark.parametrize("spec", EXERCISES, ids=NAMES)
def test_hints_are_short_and_well_spoken(spec):
    sentences = [(name, s) for of, name, hint, step, _ in texts() if of is spec for s in (hint, step)]
    sentences += [(p.says, p.hint) for p in spec.properties] + [(o.says, o.says) for o in spec.observations]
    for name, text in sentences:
        ends = re.findall(r"[.?](?= |$)", text.replace("exercise 3.", "exercise 3"))
        assert len(ends) <= (2 if not name.startswith(("alpha:", "residuals:", "kernel:")) else 3), name
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
        right = printed(code, solution())
        assert right and not right.startswith("raised"), (name, right)
        assert f"{spec.name}(" in code and len(code.splitlines()) <= 7, name
        assert max(map(len, code.splitlines())) <= 120, name
        if wrong.get(name):
            assert printed(code, {**solution(), spec.name: wrong[name]}) != right, (
                f"{name}: its experiment does not show it"
            )
        if not name.startswith(("alpha:", "residuals:", "kernel:")):  # which share one
            assert code not in seen, (name, seen.get(code))
        seen[code] = name


# -- (f) the sheet


@pytest.mark.parametrize("spec", EXERCISES, ids=NAMES)
def test_the_sheet_says_what_the_spec_says(spec):
    number = re.escape(spec.number)
    points = re.search(rf"^# ## {number} .* \((\d+) points?\)$", SHEET, re.MULTILINE)
    assert points and int(points[1]) == spec.points
    (function,) = [
        node for node in ast.walk(ast.parse(SHEET)) if isinstance(node, ast.FunctionDef) and node.name == spec.name
    ]
    assert (
        tuple(a.arg for a in function.args.args)
        == spec.parameters
        == tuple(inspect.signature(spec.reference).parameters)
    )
    assert spec.signature == f"{function.name}({ast.unparse(function.args)})"
    assert re.search(rf'^# %% check="{spec.name}"\ncheck\({spec.name}\)$', SHEET, re.MULTILINE)


def test_inputs_are_varied_and_hide_nothing():
    """d ≥ 2, as many queries as neither n nor d, no σ or λ near 1, and a diagonal other than 1."""
    for seed in range(10):
        for case in cases("krr_fit_predict", seed):
            X, y, Xq, sigma, lam = case.args
            assert X.shape[1] >= 2 and len(Xq) not in (len(X), X.shape[1])
            assert abs(sigma - 1) > 0.1 and abs(lam - 1) > 0.1 and abs(sigma - lam) > 0.05
        systems = [case.args for case in cases("krr_fit", seed) if case.property == 0]
        assert len({len(y) for _, y, _ in systems}) == 3
        assert min(lam for *_, lam in systems) < 1 < max(lam for *_, lam in systems)
        assert all(np.ptp(np.diag(K)) > 0.1 for K, _, _ in systems)
        assert {Phi.shape[0] - Phi.shape[1] > 0 for Phi, _, _ in (c.args for c in cases("ridge_dual_w", seed))} == {
            True,
            False,
        }
