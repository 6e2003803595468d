"""What can be said of an answer that is no array of the right shape with finite numbers, or that ignores its input.

Each talk takes the exercise and trials, and returns a sentence or "".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kcourse.checks.compare import Trial, as_numbers, asks_yes_or_no, close
from kcourse.checks.spec import Exercise

__all__ = ["TALKS"]

Trials = Sequence[Trial]

_SEVERAL = 20  # things that somebody may have meant one by one
_SPOKEN_LIKE_A_CONSONANT = ("uf", "un", "us")  # a ufunc, a unit


def _a(value: Any) -> str:
    """The name of its type with its article: a list, an int, an ndarray."""
    name = type(value).__name__
    vowel = name[:1].lower() in tuple("aeiou") and not name.lower().startswith(_SPOKEN_LIKE_A_CONSONANT)
    return f"{'an' if vowel or name.startswith('ndarray') else 'a'} {name}"


def _none(exercise: Exercise, trials: Trials) -> str:
    if all(t.value is None for t in trials):
        return f"{exercise.name} returned None: is there a `return` at the end? It should return {exercise.returns}."
    if any(t.value is None for t in trials):
        return f"{exercise.name} returned None on some inputs and not on others: every branch needs a `return`."
    return ""


def _several_things(exercise: Exercise, trials: Trials) -> str:
    """The right answer in a tuple or a list with something else."""
    for trial in trials:
        if trial.right or not isinstance(trial.value, (tuple, list)) or len(trial.value) > _SEVERAL:
            continue
        right = [i for i, entry in enumerate(trial.value) if close(entry, trial.expected, trial.scale)]
        if right and np.shape(trial.expected):
            return (
                f"{exercise.name} returned {_a(trial.value)} of {len(trial.value)} things, of which "
                f"[{right[0]}] is the right one: return that one alone."
            )
    return ""


def _parts_missing(exercise: Exercise, trials: Trials) -> str:
    trial = next((t for t in trials if np.shape(as_numbers(t.value)) != (len(exercise.parts),)), None)
    if not exercise.parts or trial is None:
        return ""
    what = _a(trial.value)
    if isinstance(trial.value, (tuple, list, dict)):
        what += f" of {len(trial.value)}"
    return (
        f"{exercise.name} should return {len(exercise.parts)} numbers, `return {', '.join(exercise.parts)}`; it "
        f"returned {what}."
    )


def _not_numbers(exercise: Exercise, trials: Trials) -> str:
    trial = next((t for t in trials if as_numbers(t.value) is None), None)
    if trial is None:
        return ""
    value, should = trial.value, f"it should return {exercise.returns}, as real numbers"
    entries = [value]
    if isinstance(value, (tuple, list, np.ndarray)):
        entries = list(value.flat) if isinstance(value, np.ndarray) else value
    if any(isinstance(entry, complex) for entry in entries):
        same = "The real parts are right. " if close(_real(value), trial.expected, trial.scale) else ""
        return (
            f"{exercise.name} returned complex numbers; {should}. {same}Where do they come from: the root of a "
            "negative number, or np.linalg.eig where eigh is meant?"
        )
    kind = _a(value)
    if isinstance(value, (tuple, list, np.ndarray)):
        odd = [type(e).__name__ for e in entries if as_numbers(e) is None]
        kind += f" with an entry of type {odd[0]}" if odd else " of things of different shapes"
    called = " A function came back: a pair of brackets is missing after its name." if callable(value) else ""
    return f"{exercise.name} returned {kind}; {should}.{called}"


def _real(value: Any) -> Any:
    try:
        return np.real(value)
    except Exception:  # a ragged list
        return None


def _stale(exercise: Exercise, trials: Trials) -> str:
    """Something that does not depend on the arguments, or on those of an earlier call."""
    wrong = [i for i, t in enumerate(trials) if not t.right]
    first = trials[wrong[0]]
    if asks_yes_or_no(trials):  # of which there are two only: whoever is wrong twice has said the same twice
        if all(close(t.value, first.value) for t in trials):
            return f"{exercise.name} says {bool(np.all(first.value))} to everything: does it look at its argument?"
        return ""
    if len(wrong) > 1 and all(close(t.value, first.value, 0.0) for t in trials):
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


def _wrong_shape(exercise: Exercise, trials: Trials) -> str:
    bad = [t for t in trials if _differs_in_shape(t)]
    if not bad:
        return ""
    got, want = as_numbers(bad[0].value), as_numbers(bad[0].expected)
    if exercise.gives is not None and not isinstance(bad[0].value, tuple) and got.ndim and got.size < want.size:
        return f"{exercise.name} returned shape {got.shape}, one thing alone; it should return {exercise.returns}."
    sentence = f"{exercise.name} returned shape {got.shape}, expected {want.shape}: {exercise.returns}."
    if 0 < got.size < want.size and got.ndim == want.ndim == 1 and close(got, want[: got.size], np.abs(want).max()):
        return f"{sentence} Those that came back are right, the others are missing: does a `return` end the loop early?"
    shapes = {as_numbers(t.value).shape for t in trials}
    if got.ndim and len(shapes) == 1 and len({np.shape(t.expected) for t in trials}) > 1:
        return (
            f"{sentence} The shape is the same whatever the input is: is a variable of the notebook used where an "
            "argument is meant?"
        )
    return f"{sentence} {_why_shape(exercise, bad[0], got, want)}".rstrip()


def _differs_in_shape(trial: Trial) -> bool:
    got, want = as_numbers(trial.value), np.shape(trial.expected)
    return got.shape != want and not (want == () and got.size == 1)


def _why_shape(exercise: Exercise, trial: Trial, got: np.ndarray, want: np.ndarray) -> str:
    if got.ndim == want.ndim == 2 and close(got.T, want, trial.scale):
        return "It is the transpose of what is asked for: rows and columns have changed places."
    if got.size == want.size:
        if close(got.reshape(want.shape), want, trial.scale):
            how = "np.atleast_1d makes an array of it." if got.ndim == 0 else "try np.ravel, or drop a [:, None]."
            return f"The numbers are right, only the shape is not: {how}"
        return "A column of shape (n, 1) is not (n,): try np.ravel, or drop a [:, None]." if want.ndim == 1 else ""
    if want.ndim == 0:
        if close(got.sum(), want, trial.scale):
            return "Their sum is the right number: it is still to be taken."
        if asks_yes_or_no([trial]):
            return "One True or False is asked for: is an np.all missing?"
        return "One number is asked for: is a sum, a trace or an inner product missing?"
    if got.ndim == 0:
        return "One number came back: was a sum or a mean taken too much, or an inner product for an array?"
    if got.ndim == 2 and want.ndim == 1:
        if got.shape[0] == got.shape[1] and close(np.diag(got), want, trial.scale):
            return "Its diagonal holds the right numbers: a matrix was made where a vector was meant."
        return (
            "A matrix came back: is a product with a vector missing, or a `*` where `@` is meant, or does a column "
            "(n, 1) meet a row (n,), which NumPy blows up to (n, n)?"
        )
    if abs(got.size - want.size) == 1 and got.ndim == 1:
        return "That is one entry too " + ("few" if got.size < want.size else "many") + ": look at the ends of loops."
    sizes = {k: v for k, v in exercise.sizes(*trial.args).items() if float(v).is_integer()}
    names = [next((k for k, v in sizes.items() if v == size), "") for size in (got.size, want.size)]
    return f"You return {names[0]} numbers where {names[1]} are meant." if got.ndim == 1 and all(names) else ""


def _not_finite(exercise: Exercise, trials: Trials) -> str:
    trial = next((t for t in trials if not np.isfinite(as_numbers(t.value)).all()), None)
    if trial is None:
        return ""
    given = as_numbers(trial.given)
    numbers = as_numbers(trial.value) if given is None or np.isfinite(given).all() else given
    bad, size = int(np.sum(~np.isfinite(numbers))), numbers.size
    what = f"{bad} of {size} entries that are" if size > 1 else "a number that is"
    warned = f" NumPy warned: {trial.outcome.warned}." if trial.outcome.warned else ""
    return (
        f"{exercise.name} returned {what} NaN or infinite: look for a division by 0, the square root or logarithm of "
        f"a negative number, or an np.empty that was never filled.{warned}"
    )


TALKS: tuple[Any, ...] = (_none, _several_things, _parts_missing, _not_numbers, _stale, _wrong_shape, _not_finite)
