"""Describe a wrong answer that is not a known mistake, without giving away the right one.

A sentence says what is true of the values in all wrong calls, and how many calls are right. It names a cause only where
nothing else produces such values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kcourse.checks import kinds
from kcourse.checks.compare import (
    NEAR,
    Trial,
    as_numbers,
    asks_yes_or_no,
    close,
    factors_named,
    ratio,
    relation,
)
from kcourse.checks.spec import RTOL, Exercise

__all__ = ["diagnose", "hunch", "nearly_right", "unknown"]

Trials = Sequence[Trial]

_LISTED = 8  # indices that a sentence lists at most
_EXACTLY = 1e-10  # relative error that rounding rarely exceeds
_BY_TABLES = " A wrong number in the right formula is recognised only when the sheet is graded."
_ENOUGH = 2  # right and wrong calls needed before a difference between them is reported
_LARGE = 10_000  # numbers in the arguments of a call that takes too long to be repeated


def diagnose(exercise: Exercise, trials: Trials, *, explained: bool = False) -> str:
    """Return how the values differ from the right ones, if that is certain; otherwise "".

    ``trials`` are all calls; some are wrong, none raised an exception. If the cause is ``explained`` already, only
    differences that hold to the last digit are reported, and no other cause is guessed.
    """
    wrong = [t for t in trials if not t.right]
    certain = () if asks_yes_or_no(trials) else _EXACT if explained else _CERTAIN
    if said := _first(kinds.TALKS, exercise, trials):
        return said
    right = len(trials) - len(wrong)
    if right > 1 == len(wrong):  # in one call a factor or a constant may be chance
        certain = tuple(talk for talk in certain if talk not in (_related, _offset))
    said = _first(certain, exercise, wrong)
    if not (said and right):
        return said
    return f"{said} This is true of {len(wrong)} of {len(trials)} calls; the rest {'are' if right > 1 else 'is'} right."


def hunch(exercise: Exercise, trials: Trials) -> str:
    """Return a vague sentence for an unknown mistake: which entries or inputs are wrong, or what is impossible."""
    wrong = [t for t in trials if not t.right]
    if asks_yes_or_no(trials):
        return _observed(exercise, wrong) or _yes_for_no(exercise, wrong)
    return _other_argument(exercise, trials) or _first(_VAGUE, exercise, wrong) or _sometimes(exercise, trials)


def unknown(exercise: Exercise, *, experiment: bool = True) -> str:
    """Return the sentence for an answer of which nothing is known; it mentions the ``experiment`` if one is shown."""
    more = _BY_TABLES if exercise.answer_table and exercise.answer_table.has_numbers else ""
    advice = "Try the experiment below, with pencil and paper if you can, and compare" if experiment else "Compare"
    return (
        f"{exercise.name} returns wrong values, and this is not a mistake that the check recognises. {advice} "
        f"your lines one by one with the derivation.{more}"
    )


def _first(talks: Sequence[Any], exercise: Exercise, trials: Trials) -> str:
    return next(filter(None, (talk(exercise, trials) for talk in talks)), "")


# -- each takes the wrong trials, which have the right shape and finite numbers, and returns a sentence or ""


def _yes_for_no(exercise: Exercise, wrong: Trials) -> str:
    """For answers that are True or False: which of the two is returned where the other is right."""
    said = [bool(as_numbers(t.value).item()) for t in wrong]
    if set(said) == {True, False}:
        return f"{exercise.name} returns True where False is right, and False where True is right."
    wrongly, right = said[0], not said[0]
    return f"{exercise.name} returns {wrongly} where {right} is right. Whenever it returns {right}, that is right."


def _own_argument(exercise: Exercise, wrong: Trials) -> str:
    for i, name in enumerate(exercise.parameters):
        if all(close(t.value, t.args[i]) for t in wrong) and _more_than_one_number(wrong):
            return f"{exercise.name} returns its argument {name} unchanged; it should return {exercise.returns}."
        two = exercise.parameters[i : i + 2]
        if len(two) == 2 and all(close(t.value, exercise.seen(t.args[i : i + 2], t.args), t.scale) for t in wrong):
            return f"{exercise.name} returns its arguments {', '.join(two)} unchanged."
    if all(close(t.value, np.zeros(np.shape(t.expected)), 1e-9) for t in wrong):
        return f"{exercise.name} returns only zeros, but the right numbers are not all zero."
    arrays = [np.ravel(t.value) for t in wrong if np.size(t.expected) > 1]
    if len(arrays) >= _ENOUGH and len(arrays) == len(wrong) and np.unique(every := np.concatenate(arrays)).size == 1:
        one = every[0] if every.dtype == bool else f"{every[0]:.4g}"
        return f"{exercise.name} returns {one} for every entry in all of these calls, which is wrong for some entries."
    return ""


def _more_than_one_number(wrong: Trials) -> bool:
    """Whether chance cannot explain the values: there is an array, or the numbers differ."""
    return any(np.size(t.value) > 1 for t in wrong) or len({np.asarray(t.value).tobytes() for t in wrong}) > 1


def _related(exercise: Exercise, wrong: Trials) -> str:
    # the two sides of the relation: the answer, or what the check compares instead
    given, right = f"{exercise.name} returns", "the right answer"
    if exercise.view_name:
        given, right = f"{exercise.view_name} are", "the right ones"
    how = relation(exercise, wrong, (t.expected for t in wrong))
    if not how and all(np.all(np.abs(t.expected) <= 1) and close(t.value, 100 * as_numbers(t.expected)) for t in wrong):
        how = "100 times"
    if how == "-1 times":
        return f"Right except for the sign: {given} minus {right}."
    if how:
        begins = "Right except for a factor" if how.endswith("times") else "Related to the right answer"
        return f"{begins}: {given} {how} {right}."
    ratios = [ratio(t.value, t.expected) for t in wrong if np.size(t.expected) > 1]
    if len(ratios) < _ENOUGH or any(r is None for r in ratios) or np.abs(np.subtract(ratios, 1)).max() < NEAR:
        return ""  # one call says nothing about others; values near the right ones are reported elsewhere
    if np.allclose(ratios, ratios[0], rtol=RTOL):
        return f"Right except for a factor: {given} {right} times the same constant in every call."
    return (
        f"Right except for a factor: {given} {right} multiplied by a factor that changes from call to call. "
        "Compare your normalisation with the formula, argument by argument."
    )


def _taken_away(exercise: Exercise, wrong: Trials) -> str:
    """An argument minus the right answer, or the other way round."""
    for i, name in enumerate(exercise.parameters):
        both = [(as_numbers(t.args[i]), as_numbers(t.expected), t) for t in wrong if np.size(t.expected) > 1]
        if not both or any(a is None or a.shape != b.shape for a, b, _ in both):
            continue
        if all(close(t.value, a - b, t.scale) for a, b, t in both):
            return f"{exercise.name} returns {name} minus the right answer."
        if all(close(t.value, b - a, t.scale) for a, b, t in both):
            return f"{exercise.name} returns the right answer minus {name}."
    return ""


def _transposed(exercise: Exercise, wrong: Trials) -> str:
    if all(np.ndim(t.expected) == 2 and close(np.transpose(as_numbers(t.value)), t.expected, t.scale) for t in wrong):
        return f"{exercise.name} returns the transpose of the right matrix."
    return ""


def _permuted(exercise: Exercise, wrong: Trials) -> str:
    several = [(as_numbers(t.value), as_numbers(t.expected)) for t in wrong if np.size(t.expected) > 1]
    if several and exercise.gives and all(b.ndim == 2 and close(a[::-1], b) for a, b in several):
        return kinds.wrong_order(exercise)
    if not several:
        return ""
    if all(b.ndim == 1 and close(a[::-1], b) for a, b in several):
        return f"{exercise.name} returns the right numbers in reverse order."
    if all(close(np.sort(a, axis=None), np.sort(b, axis=None)) for a, b in several):
        asked = f"; return {', '.join(exercise.parts)}" if exercise.parts else ""
        return f"{exercise.name} returns the right numbers in the wrong order{asked}."
    for late, (mine, right) in {"late": (slice(1, None), slice(-1)), "early": (slice(-1), slice(1, None))}.items():
        if all(b.ndim == 1 and a.size > 2 and close(a[mine], b[right]) for a, b in several):
            return f"{exercise.name} writes the right numbers one place too {late}: look at the indices of the loop."
    return ""


def _parts(exercise: Exercise, wrong: Trials) -> str:
    """For answers of several parts: which parts are right, and by what factor a single wrong part is off."""
    if not exercise.parts:
        return ""
    pairs = [(as_numbers(t.value), as_numbers(t.expected)) for t in wrong]
    off = [i for i in range(len(exercise.parts)) if not all(close(a[i], b[i]) for a, b in pairs)]
    right = [p for i, p in enumerate(exercise.parts) if i not in off]
    if not right or not off:
        return ""
    are = [
        f"{', '.join(names[:-1])}{' and ' * (len(names) > 1)}{names[-1]} {'are' if len(names) > 1 else 'is'}"
        for names in (right, [exercise.parts[i] for i in off])
    ]
    sizes = [exercise.sizes(*t.args) for t in wrong]
    named = [factors_named(a[off[0]] / b[off[0]], s) for (a, b), s in zip(pairs, sizes, strict=True)]
    factors = set.intersection(*named) if len(off) == 1 else set()
    by = f" (it is {min(factors, key=len)} times what it should be)" if factors else ""
    return f"{exercise.name} returns several numbers: {are[0]} right, but {are[1]} not{by}."


def _early(exercise: Exercise, wrong: Trials) -> str:
    """Return the first early observation that holds in all wrong calls."""
    for observation in exercise.observations:
        if observation.early and all(observation.holds(as_numbers(t.value), *t.args) for t in wrong):
            return observation.says
    return ""


def _offset(exercise: Exercise, wrong: Trials) -> str:
    def constant(trial: Trial) -> bool:
        gap = as_numbers(trial.value) - as_numbers(trial.expected)
        return close(gap, np.full(gap.shape, gap.mean())) and abs(gap.mean()) > 0

    several = [t for t in wrong if np.size(t.expected) > 1]
    if several and not exercise.parts and all(constant(t) for t in several):
        return (
            f"In each call, all entries that {exercise.name} returns differ from the right ones by the same constant. "
            "Is a mean or an intercept missing, or added too often?"
        )
    return ""


def _rounded(exercise: Exercise, wrong: Trials) -> str:
    digits = next((d for d in range(7) if all(_is_rounded(t, d) for t in wrong)), None)
    if digits:
        return f"{exercise.name} returns the right numbers rounded to {digits} decimals. Return them without rounding."
    if digits == 0 or all(close(t.value, np.trunc(as_numbers(t.expected))) for t in wrong):
        return (
            f"{exercise.name} returns the right numbers without their decimals. Possible causes: an array of integers "
            "(dtype=int, or np.zeros_like of integers), //, int() or round."
        )
    if all(np.asarray(t.value).dtype.kind in "iu" and not _whole(t.expected) for t in wrong):
        return (
            f"{exercise.name} returns whole numbers, but the right numbers are not whole. Did you return a count (a "
            "length, a rank), or write into an array of integers?"
        )
    return ""


def _is_rounded(trial: Trial, digits: int) -> bool:
    return np.allclose(as_numbers(trial.value), np.round(as_numbers(trial.expected), digits), rtol=0.0, atol=1e-12)


def _whole(value: Any) -> bool:
    numbers = as_numbers(value)
    return bool((numbers == np.round(numbers)).all())


def _relative_gap(trial: Trial) -> float:
    """Return the largest error of an entry relative to the scale of this call; inf if that scale is 0."""
    a, b = as_numbers(trial.value), as_numbers(trial.expected)
    size = trial.scale or float(np.max(np.abs(b), initial=0.0))
    return float(np.max(np.abs(a - b), initial=0.0)) / size if size else np.inf


def _nearly(exercise: Exercise, wrong: Trials) -> str:
    worst = max(_relative_gap(t) for t in wrong)
    if 0 < worst < NEAR:
        return (
            f"{exercise.name} is nearly right: it agrees to about {int(-np.log10(worst))} digits, but "
            f"{-np.log10(RTOL):.0f} are needed. Do you use single precision, add a small number for safety, or stop an "
            "iteration too early?"
        )
    return ""


def nearly_right(exercise: Exercise, trials: Trials) -> str:
    """Return a sentence if all wrong calls have too few right digits, and most right calls also have few; or ""."""
    wrong, right = ([t for t in trials if t.right is side] for side in (False, True))
    if any(as_numbers(t.value) is None or np.shape(as_numbers(t.value)) != np.shape(t.expected) for t in trials):
        return ""
    rough = [t for t in right if _EXACTLY < _relative_gap(t) < np.inf]
    return diagnose(exercise, trials) if 2 * len(rough) > len(right) and _nearly(exercise, wrong) else ""


# the most informative first
_CERTAIN = (_own_argument, _related, _taken_away, _transposed, _permuted, _early, _parts, _offset, _rounded, _nearly)

_EXACT = (_transposed, _permuted, _rounded)


def _other_argument(exercise: Exercise, trials: Trials) -> str:
    """The right formula with another value of one of its arguments, in every call where that matters."""
    if exercise.answer_table:  # the table has no right answers for other values
        return ""
    wrong = [t for t in trials if not t.right]
    wrong = [t for t in wrong if np.size(t.expected) > 1] or wrong  # one number may have several explanations
    small = [t for t in wrong if sum(a.size for a in t.args if isinstance(a, np.ndarray)) < _LARGE]
    end = "." if len(small) < len(wrong) else "; otherwise it is right."
    wrong = small
    for i, name in enumerate(exercise.parameters):
        if len(wrong) < 2 or not all(isinstance(t.args[i], float) and t.args[i] > 0 for t in wrong):
            continue
        if any(
            t.right and not close(_with_argument(exercise, t, i, 2 * t.args[i]), t.expected, t.scale) for t in trials
        ):
            continue
        used = []
        for trial in wrong:
            number = _argument_behind(exercise, trial, i)
            if number is None:
                break
            used.append(number)
        else:
            if sentence := _used(exercise, name, used, wrong, end):
                return sentence
    return ""


def _used(exercise: Exercise, name: str, used: list[float], wrong: Trials, end: str) -> str:
    named = [factors_named(u, exercise.sizes(*t.args)) for u, t in zip(used, wrong, strict=True)]
    if names := set.intersection(*named) - {"1/2", "2", "4", "1/4"}:
        return f"{exercise.name} uses {min(names, key=len)} instead of `{name}`{end}"
    if np.allclose(used, used[0], rtol=1e-5):
        return (
            f"{exercise.name} always computes the right answer for {name} = {used[0]:.4g}. It should use its argument "
            f"{name}."
        )
    if all(np.size(t.expected) > 1 for t in wrong):
        return f"{exercise.name} computes the right answer for another {name} than the one that it gets."
    return ""


def _with_argument(exercise: Exercise, trial: Trial, i: int, number: float) -> Any:
    return exercise.right(*trial.args[:i], number, *trial.args[i + 1 :])


def _argument_behind(exercise: Exercise, trial: Trial, i: int) -> float | None:
    """Return the number > 0 that, as argument ``i``, makes the right formula give the student's value; or None."""
    from scipy.optimize import minimize_scalar  # imported here: it takes half a second, and most answers never need it

    value = as_numbers(trial.value)

    def gap(log: float) -> float:
        return float(np.max(np.abs(as_numbers(_with_argument(exercise, trial, i, float(np.exp(log)))) - value)))

    grid = np.log(trial.args[i]) + np.linspace(-7, 7, 57)
    for best in grid[np.argsort([gap(g) for g in grid])[:4]]:  # the minimum may be near another grid point
        bounds = (best - 0.25, best + 0.25)
        found = float(minimize_scalar(gap, bounds=bounds, method="bounded", options={"xatol": 1e-11}).x)
        if gap(found) <= RTOL * np.abs(value).max():
            return float(np.exp(found))
    return None


def _observed(exercise: Exercise, wrong: Trials) -> str:
    """Return the observation that holds in the most wrong calls, at least in half, and in how many if not in all."""
    counts = [sum(bool(o.holds(as_numbers(t.value), *t.args)) for t in wrong) for o in exercise.observations]
    most = max(counts, default=0)
    if 2 * most < max(len(wrong), 1):
        return ""
    says = exercise.observations[counts.index(most)].says
    return says if most == len(wrong) else f"{says} This is true of {most} of {len(wrong)} wrong calls."


def _all_alike(exercise: Exercise, wrong: Trials) -> str:
    several = [as_numbers(t.value) for t in wrong if np.size(t.expected) > 1]
    if several and all(np.ptp(a) <= RTOL * np.abs(a).max() for a in several):
        return (
            f"In each call, all entries that {exercise.name} returns are equal. Which line should make them different?"
        )
    return ""


def _some(exercise: Exercise, wrong: Trials) -> str:
    """Say which entries are wrong if some are right."""
    if exercise.parts or exercise.chained:
        return ""
    for trial in wrong:
        a, b = as_numbers(trial.value), as_numbers(trial.expected)
        if a.ndim != 1 or a.size < 3 or trial.value is not trial.given:  # a view has other entries
            continue
        bad = np.flatnonzero(~(np.abs(a - b) <= RTOL * np.abs(b).max()))
        if 0 < bad.size <= a.size // 2:
            places = {(0,): "the first is", (a.size - 1,): "the last is"}
            more = f" and {bad.size - _LISTED} more" if bad.size > _LISTED else ""
            where = places.get(tuple(bad), f"those with index {', '.join(map(str, bad[:_LISTED]))}{more} are")
            return f"{a.size - bad.size} of {a.size} entries are right; {where} not. What is different there?"
    return ""


def _sometimes(exercise: Exercise, trials: Trials) -> str:
    """Say how right and wrong calls differ if some are right."""
    if exercise.chained:
        return ""
    unmet = {t.case.property for t in trials if not t.right}
    met = [t for t in trials if t.case.property in unmet]
    right, wrong = ([exercise.sizes(*t.args) for t in met if t.right is side] for side in (True, False))
    if not right:
        return ""
    apart = []
    for symbol in right[0]:
        a, b = [s[symbol] for s in right], [s[symbol] for s in wrong]
        if max(a) < min(b) or max(b) < min(a):
            apart.append(f"the {'smaller' if max(a) < min(b) else 'larger'} {symbol}")
    sentence = f"{exercise.name} is right on {len(right)} of {len(met)} random inputs."
    # one number may be right by chance, one call is easily the smallest, two causes decide nothing
    told = len(apart) == 1 and min(len(right), len(wrong)) >= _ENOUGH and any(np.size(t.expected) > 1 for t in met)
    return f"{sentence} It is right for {apart[0]} and wrong for the others." if told else sentence


_VAGUE = (_all_alike, _some, _observed, kinds.things_told)
