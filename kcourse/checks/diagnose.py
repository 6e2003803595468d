"""What can be said of a wrong answer that nobody foresaw, without telling the right one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kcourse.checks.compare import Trial, as_numbers, close, ratio, scaled_by
from kcourse.checks.spec import RTOL, Exercise

__all__ = ["diagnose", "unknown"]

Trials = Sequence[Trial]


def diagnose(exercise: Exercise, trials: Trials) -> str:
    """One or two sentences on how the values differ from the right ones, or "" if nothing can be said.

    ``trials`` are all calls of the properties that do not hold; none of them raised an exception.
    """
    wrong = [t for t in trials if not t.right]
    for talk in (_none, _not_numbers):
        if sentence := talk(exercise, wrong):
            return sentence
    if sentence := _stale(exercise, trials):
        return sentence
    for talk in (_wrong_shape, _not_finite, *_ON_VALUES):
        if sentence := talk(exercise, wrong):
            return sentence
    return _sometimes(exercise, trials)


def unknown(exercise: Exercise) -> str:
    """What to say when nothing else can be said."""
    return (
        f"The values of {exercise.name} are not the right ones, and the slip is none that this check knows. Try the "
        "experiment below, by hand if you can, and compare your lines one by one with the derivation."
    )


# -- no array of the right shape and with finite numbers


def _none(exercise: Exercise, wrong: Trials) -> str:
    if all(t.value is None for t in wrong):
        return (
            f"{exercise.name} returned None: is there a `return` at the end? It should return {exercise.returns}."
        )
    if any(t.value is None for t in wrong):
        return f"{exercise.name} returned None on some inputs: every branch needs a `return`."
    return ""


def _not_numbers(exercise: Exercise, wrong: Trials) -> str:
    trial = next((t for t in wrong if as_numbers(t.value) is None), None)
    if trial is None:
        return ""
    value, name = trial.value, exercise.name
    if isinstance(value, (tuple, list)):
        right = [i for i, entry in enumerate(value) if close(entry, trial.expected, trial.scale)]
        if right:
            return (
                f"{name} returned a {type(value).__name__} of {len(value)} things, of which [{right[0]}] is the right "
                "one: return that one alone."
            )
    array = np.asarray(value, dtype=object) if isinstance(value, (tuple, list)) else np.asarray(value)
    if array.dtype.kind == "c" or any(isinstance(entry, complex) for entry in array.flat):
        same = np.shape(value) == np.shape(trial.expected) and close(np.real(value), trial.expected, trial.scale)
        why = "The real parts are right. " if same else ""
        return (
            f"{name} returned complex numbers; it should return {exercise.returns}, as real numbers. {why}Where do "
            "they come from: the root of a negative number, or np.linalg.eig where eigh is meant?"
        )
    kind = f"an array of {value.dtype}" if isinstance(value, np.ndarray) else f"a {type(value).__name__}"
    called = " It is a function: a pair of brackets is missing after its name." if callable(value) else ""
    return f"{name} returned {kind}; it should return {exercise.returns}, as real numbers.{called}"


def _stale(exercise: Exercise, trials: Trials) -> str:
    """Something that does not depend on the arguments, or on those of an earlier call."""
    wrong = [i for i, t in enumerate(trials) if not t.right]
    first = trials[wrong[0]]
    if len(wrong) > 1 and all(close(trials[i].value, first.value, 0.0) for i in wrong):
        return (
            f"{exercise.name} returns the same whatever its arguments are: does it use a variable of the notebook, or "
            "numbers typed in, where an argument is meant?"
        )
    if all(any(close(trials[i].value, earlier.expected) for earlier in trials[:i]) for i in wrong):
        return (
            f"{exercise.name} gives back what was right in an earlier call: something is kept between calls, in a "
            "global variable, a default argument or a cache."
        )
    return ""


def _wrong_shape(exercise: Exercise, wrong: Trials) -> str:
    trial = next((t for t in wrong if _differs_in_shape(t)), None)
    if trial is None:
        return ""
    got, want = as_numbers(trial.value), as_numbers(trial.expected)
    sentence = f"{exercise.name} returned shape {got.shape}, expected {want.shape}: {exercise.returns}."
    return f"{sentence} {_why_shape(exercise, trial, got, want)}".rstrip()


def _differs_in_shape(trial: Trial) -> bool:
    shape, want = np.shape(as_numbers(trial.value)), np.shape(trial.expected)
    return shape != want and not (want == () and np.size(trial.value) == 1)


def _why_shape(exercise: Exercise, trial: Trial, got: np.ndarray, want: np.ndarray) -> str:
    if got.size == want.size:
        if close(got.reshape(want.shape), want, trial.scale):
            return "The numbers are right, only the shape is not: try np.ravel, or drop a [:, None]."
        return "A column of shape (n, 1) is not (n,): try np.ravel, or drop a [:, None]." if want.ndim == 1 else ""
    if want.ndim == 0:
        if close(got.sum(), want, trial.scale):
            return "Their sum is the right number: it is still to be taken."
        return "One number is asked for: is a sum, a trace or an inner product missing?"
    if got.ndim == 0:
        return "One number came back: was a sum or a mean taken too much, or an inner product for an array?"
    if got.ndim == 2 and want.ndim == 1:
        if got.shape[0] == got.shape[1] and close(np.diag(got), want, trial.scale):
            return "Its diagonal holds the right numbers: a matrix was made where a vector was meant."
        return "A matrix came back: does a column (n, 1) meet a row (n,), which NumPy blows up to (n, n)?"
    if abs(got.size - want.size) == 1 and got.ndim == 1:
        return "That is one entry too " + ("few" if got.size < want.size else "many") + ": look at the ends of loops."
    sizes = {k: v for k, v in exercise.sizes(*trial.args).items() if float(v).is_integer()}
    names = [next((k for k, v in sizes.items() if v == size), "") for size in (got.size, want.size)]
    return f"You return {names[0]} numbers where {names[1]} are meant." if got.ndim == 1 and all(names) else ""


def _not_finite(exercise: Exercise, wrong: Trials) -> str:
    trial = next((t for t in wrong if not np.isfinite(as_numbers(t.value)).all()), None)
    if trial is None:
        return ""
    bad, size = int(np.sum(~np.isfinite(as_numbers(trial.value)))), np.size(trial.value)
    what = f"{bad} of {size} entries that are" if size > 1 else "a number that is"
    warned = f" NumPy warned: {trial.outcome.warned}." if trial.outcome.warned else ""
    return (
        f"{exercise.name} returned {what} NaN or infinite: look for a division by 0, the square root or logarithm of "
        f"a negative number, or an np.empty that was never filled.{warned}"
    )


# -- the right shape, other numbers


def _own_argument(exercise: Exercise, wrong: Trials) -> str:
    for i, name in enumerate(exercise.parameters):
        if all(close(t.value, t.args[i]) for t in wrong):
            return f"{exercise.name} gives its argument {name} back unchanged; it should return {exercise.returns}."
    if all(close(t.value, np.zeros(np.shape(t.expected)), 1e-9) for t in wrong):
        return f"{exercise.name} returns only zeros: was the result ever written into the array?"
    return ""


def _constant_factor(exercise: Exercise, wrong: Trials) -> str:
    expected = [t.expected for t in wrong]
    factor = scaled_by(exercise, wrong, expected)
    if factor == "-1":
        return f"Right up to the sign: {exercise.name} returns minus the right answer."
    if factor:
        return f"Right up to a factor: {exercise.name} returns {factor} times the right answer, on every input tried."
    ratios = [ratio(t.value, t.expected) for t in wrong if np.size(t.expected) > 1]
    if not ratios or any(r is None for r in ratios):
        return ""
    if len(ratios) > 1 and np.allclose(ratios, ratios[0], rtol=RTOL):
        return f"Right up to a factor: {exercise.name} returns the right answer times one and the same constant."
    return (
        f"Within each call {exercise.name} is proportional to the right answer, but the factor is not 1 and "
        "changes from call to call: a normalisation that depends on the input is missing, or one too many."
    )


def _put_through(exercise: Exercise, wrong: Trials) -> str:
    """The right numbers, put through something."""
    with np.errstate(all="ignore"):
        for words, turn in _TURNS.items():
            if all(close(t.value, turn(as_numbers(t.expected))) for t in wrong):
                return f"{exercise.name} returns {words}."
        if all(close(t.value, exercise.sizes(*t.args).get("n", np.nan) - as_numbers(t.expected)) for t in wrong):
            return f"{exercise.name} returns n minus the right answer."
    return ""


_TURNS = {
    "the square of the right answer": np.square,
    "the square root of the right answer": np.sqrt,
    "one over the right answer": np.reciprocal,
    "the right answer without its signs, as np.abs gives it": np.abs,
    "the right answer plus 1": lambda e: e + 1,
    "the right answer minus 1": lambda e: e - 1,
    "1 minus the right answer": lambda e: 1 - e,
}


def _transposed(exercise: Exercise, wrong: Trials) -> str:
    if all(np.ndim(t.expected) == 2 and close(np.transpose(t.value), t.expected, t.scale) for t in wrong):
        return f"{exercise.name} returns the transpose of the right matrix."
    return ""


def _permuted(exercise: Exercise, wrong: Trials) -> str:
    wrong = [t for t in wrong if np.size(t.expected) > 1]
    if not wrong or any(np.ndim(t.expected) != 1 for t in wrong):
        return ""
    if all(close(as_numbers(t.value)[::-1], t.expected) for t in wrong):
        return f"{exercise.name} returns the right numbers in reverse order."
    if all(close(np.sort(as_numbers(t.value)), np.sort(as_numbers(t.expected))) for t in wrong):
        asked = ", ".join(exercise.parts) if exercise.parts else "the order of the points"
        return f"{exercise.name} returns the right numbers in another order than asked for: {asked}."
    return ""


def _part(exercise: Exercise, wrong: Trials) -> str:
    """For answers of several parts: which are right."""
    if not exercise.parts:
        return ""
    ok = [
        all(close(as_numbers(t.value)[i], as_numbers(t.expected)[i]) for t in wrong)
        for i in range(len(exercise.parts))
    ]
    right = [p for p, fine in zip(exercise.parts, ok, strict=True) if fine]
    off = [p for p, fine in zip(exercise.parts, ok, strict=True) if not fine]
    if not right or not off:
        return ""
    are = [f"{' and '.join(names)} {'are' if len(names) > 1 else 'is'}" for names in (right, off)]
    return f"Of what {exercise.name} returns, {are[0]} right, but {are[1]} not."


def _offset(exercise: Exercise, wrong: Trials) -> str:
    def constant(trial: Trial) -> bool:
        gap = as_numbers(trial.value) - as_numbers(trial.expected)
        return close(gap, np.full(gap.shape, gap.mean())) and abs(gap.mean()) > 0

    several = [t for t in wrong if np.size(t.expected) > 1]
    if several and not exercise.parts and all(constant(t) for t in several):
        return (
            f"Within each call {exercise.name} differs from the right answer by one constant: something is added to "
            "or subtracted from every entry (a mean, an intercept?)."
        )
    return ""


def _rounded(exercise: Exercise, wrong: Trials) -> str:
    if all(close(t.value, np.trunc(as_numbers(t.expected))) or _whole(t.value) for t in wrong):
        return (
            f"{exercise.name} returns whole numbers: an array of integers (np.zeros_like of integers, dtype=int), a //, "
            "an int() or a round cuts off the rest. Make arrays with np.zeros(n), which holds floats."
        )
    digits = next((d for d in range(1, 7) if all(_rounds_to(t, d) for t in wrong)), 0)
    if digits:
        return f"{exercise.name} returns the right numbers rounded to {digits} decimals: leave them as they are."
    return ""


def _whole(value: Any) -> bool:
    return np.asarray(value).dtype.kind in "iu"


def _rounds_to(trial: Trial, digits: int) -> bool:
    return np.allclose(as_numbers(trial.value), np.round(as_numbers(trial.expected), digits), rtol=0.0, atol=1e-12)


def _nearly(exercise: Exercise, wrong: Trials) -> str:
    worst = max(_relative_gap(t) for t in wrong)
    if 0 < worst < 1e-3:
        return (
            f"{exercise.name} is nearly right: it agrees to about {int(-np.log10(worst))} digits, "
            f"{-np.log10(RTOL):.0f} are asked for. Single precision, a small number added for safety, an iteration "
            "that stops early?"
        )
    return ""


def _relative_gap(trial: Trial) -> float:
    a, b = as_numbers(trial.value), as_numbers(trial.expected)
    size = trial.scale or float(np.max(np.abs(b), initial=0.0))
    return float(np.max(np.abs(a - b), initial=0.0)) / size if size else np.inf


def _some(exercise: Exercise, wrong: Trials) -> str:
    """Some entries right and some not: say where."""
    for trial in wrong if not exercise.parts else ():
        a, b = as_numbers(trial.value), as_numbers(trial.expected)
        if a.ndim != 1 or a.size < 3:
            continue
        bad = np.flatnonzero(~(np.abs(a - b) <= RTOL * np.abs(b).max()))
        if 0 < bad.size <= a.size // 2:
            places = {(0,): "the first is", (a.size - 1,): "the last is"}
            where = places.get(tuple(bad), f"those with index {', '.join(map(str, bad[:5]))} are")
            return (
                f"{a.size - bad.size} of {a.size} entries are right; {where} not. Look at the ends of your loops and "
                "slices, and at what is special about these points."
            )
    return ""


def _sometimes(exercise: Exercise, trials: Trials) -> str:
    """Some calls right and some not: say what sets them apart."""
    right, wrong = ([exercise.sizes(*t.args) for t in trials if t.right is side] for side in (True, False))
    if not right:
        return ""
    sentence = f"{exercise.name} is right on some of the random inputs and wrong on others."
    apart = []
    for symbol in right[0]:
        a, b = [s[symbol] for s in right], [s[symbol] for s in wrong]
        if max(a) < min(b) or max(b) < min(a):
            apart.append(f"the {'smaller' if max(a) < min(b) else 'larger'} {symbol}")
    if apart:
        return f"{sentence} The right ones have {' and '.join(apart)}: is a size or a limit written into the code?"
    return f"{sentence} So the formula may be right: what else changes from call to call?"


# in this order: the most telling first
_ON_VALUES = (
    _own_argument,
    _constant_factor,
    _put_through,
    _transposed,
    _permuted,
    _part,
    _offset,
    _rounded,
    _nearly,
    _some,
)
