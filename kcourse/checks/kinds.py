"""Describe an answer that is not an array of the right shape with finite numbers, or that ignores its input.

Each talk takes the exercise and trials, and returns a sentence or "". It says what this answer is, and names a cause
only if nothing else gives the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kcourse.checks.compare import Trial, as_numbers, asks_yes_or_no, close, ratio, rearranged
from kcourse.checks.spec import Exercise

__all__ = ["TALKS"]

Trials = Sequence[Trial]

_SEVERAL = 20  # a longer list is not a list of separate results
_SPOKEN_LIKE_A_CONSONANT = ("uf", "un", "us")  # a ufunc, a unit


def _a(value: Any) -> str:
    """Return the name of its type with its article: a list, an int, an ndarray."""
    name = type(value).__name__
    vowel = name[:1].lower() in tuple("aeiou") and not name.lower().startswith(_SPOKEN_LIKE_A_CONSONANT)
    return f"{'an' if vowel or name.startswith('ndarray') else 'a'} {name}"


def _kind(value: Any) -> str:
    """Return the name of its type with its article, or the shape of an array."""
    return f"an array of shape {value.shape}" if isinstance(value, np.ndarray) else _a(value)


def _none(exercise: Exercise, trials: Trials) -> str:
    if all(t.value is None for t in trials):
        return f"{exercise.name} returned None: is there a `return` at the end? It should return {exercise.returns}."
    if any(t.value is None for t in trials):
        return f"{exercise.name} returned None on some inputs and not on others. Every branch needs a `return`."
    return ""


def _several_things(exercise: Exercise, trials: Trials) -> str:
    """The right answer in a tuple or a list together with something else."""
    wrong = [t for t in trials if not t.right]
    if any(
        not isinstance(t.value, (tuple, list)) or len(t.value) > _SEVERAL or not np.shape(t.expected) for t in wrong
    ):
        return ""
    right = set.intersection(
        *({i for i, entry in enumerate(t.value) if close(entry, t.expected, t.scale)} for t in wrong)
    )
    if not right:
        return ""
    return (
        f"{exercise.name} returned {_a(wrong[0].value)} of {len(wrong[0].value)} values. Item "
        f"[{min(right)}] is right. Return only this item."
    )


def _parts_missing(exercise: Exercise, trials: Trials) -> str:
    trial = next((t for t in trials if np.shape(as_numbers(t.value)) != (len(exercise.parts),)), None)
    if not exercise.parts or trial is None:
        return ""
    what = _kind(trial.value)
    if isinstance(trial.value, (tuple, list, dict)):
        what += f" of {len(trial.value)}"
    if isinstance(trial.value, (tuple, list)) and len(trial.value) == len(exercise.parts):
        at, entry = next((i, e) for i, e in enumerate(trial.value) if np.shape(as_numbers(e)) or as_numbers(e) is None)
        is_ = "None: it was never given a value" if entry is None else _kind(entry)
        what += f" in which [{at}], {exercise.parts[at]}, is {is_}"
    return (
        f"{exercise.name} should return {len(exercise.parts)} numbers, `return {', '.join(exercise.parts)}`. It "
        f"returned {what}."
    )


def _not_numbers(exercise: Exercise, trials: Trials) -> str:
    trial = next((t for t in trials if as_numbers(t.value) is None), None)
    if trial is None:
        return ""
    real_ones = ", as real numbers" if np.shape(trial.expected) and not asks_yes_or_no(trials) else ""
    value, should = trial.value, f"it should return {exercise.returns}{real_ones}"
    entries = [value]
    if isinstance(value, (tuple, list, np.ndarray)):
        entries = list(value.flat) if isinstance(value, np.ndarray) else value
    if any(isinstance(entry, complex) for entry in entries):
        same = "The real parts are right. " if close(_real(value), trial.expected, trial.scale) else ""
        return (
            f"{exercise.name} returned complex numbers; {should}. {same}Do you take the root of a negative number, or "
            "use np.linalg.eig instead of eigh?"
        )
    kind = _a(value)
    if isinstance(value, (tuple, list, np.ndarray)):
        odd = [type(e).__name__ for e in entries if as_numbers(e) is None]
        if set(odd) <= {"NoneType"} and isinstance(exercise.answer(*trial.args), tuple):
            return _unlike_parts(exercise, [t for t in trials if not t.right])
        kind += f" with an entry of type {odd[0]}" if odd else " of items of different shapes"
    called = " That is a function: a pair of brackets is missing after its name." if callable(value) else ""
    return f"{exercise.name} returned {kind}; {should}.{called}"


def wrong_order(exercise: Exercise) -> str:
    """Return the sentence for an answer whose parts are right, but exchanged."""
    return f"{exercise.name} returned the right values in the wrong order; it should return {exercise.returns}."


def _unlike_parts(exercise: Exercise, trials: Trials) -> str:
    """For answers that are tuples of different things: exchanged, or how many were returned, of which shapes."""
    if all(isinstance(t.given, (tuple, list)) and not t.right and rearranged(exercise, t) for t in trials):
        return wrong_order(exercise)
    given = trials[0].given
    if not isinstance(given, (tuple, list)):
        numbers = as_numbers(given)
        one = _a(given) if numbers is None or not numbers.ndim else f"one array, of shape {numbers.shape}"
        return f"{exercise.name} returned {one}; it should return {exercise.returns}."
    shapes = ", ".join(str(np.shape(part)) if as_numbers(part) is not None else _a(part) for part in given[:_SEVERAL])
    return (
        f"{exercise.name} returned {_a(given)} of {len(given)} values, of shapes {shapes}; it should return "
        f"{exercise.returns}. {things_told(exercise, [t for t in trials if not t.right])}"
    ).rstrip()


_ORDER = ("first", "second", "third", "fourth", "fifth")


def things_told(exercise: Exercise, wrong: Trials) -> str:
    """For answers that are several things: which are right in all wrong calls, and what is wrong with the others."""
    pairs = [(t.given, exercise.answer(*t.args)) for t in wrong]
    if not all(isinstance(given, (tuple, list)) and isinstance(right, tuple) for given, right in pairs):
        return ""
    if not all(1 < len(given) == len(right) <= len(_ORDER) for given, right in pairs):
        return ""
    for i, which in enumerate(_ORDER[: len(pairs[0][1])]):  # compared like the answer
        turned = [[p.T if j == i and isinstance(p, np.ndarray) else p for j, p in enumerate(t.given)] for t in wrong]
        if all(close(exercise.seen(tuple(g), t.args), t.expected, t.scale) for g, t in zip(turned, wrong, strict=True)):
            return f"Only the {which} is wrong: rows and columns have changed places."
    states = [_state([(given[i], right[i]) for given, right in pairs]) for i in range(len(pairs[0][1]))]
    told = [f"the {which} is {state}" for which, state in zip(_ORDER, states, strict=False) if state]
    if not told:
        return ""
    left = [which for which, state in zip(_ORDER, states, strict=False) if not state]
    more = ""
    if "right" in states and left:
        more = f"; the {left[0]} is wrong" if len(left) == 1 else "; the others are wrong"
    return f"Of the {_NUMBERS[len(states)]} values that {exercise.name} returns, {' and '.join(told)}{more}."


_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}


def _state(pairs: Sequence[tuple[Any, Any]]) -> str:
    """Return what one of several things is in all calls: right, None, right except for its shape; otherwise ""."""
    if all(close(given, right) for given, right in pairs):
        return "right"
    if all(given is None for given, _ in pairs):
        return "None"
    shaped = [(as_numbers(given), as_numbers(right)) for given, right in pairs]
    if any(given is None for given, _ in shaped):
        return ""
    if all(given.shape != right.shape and given.size == right.size and close(given.reshape(right.shape), right)
           for given, right in shaped):  # fmt: skip
        return f"right except for its shape, {shaped[0][0].shape} instead of {shaped[0][1].shape}"
    return ""


def _real(value: Any) -> Any:
    try:
        return np.real(value)
    except Exception:  # a ragged list
        return None


def _stale(exercise: Exercise, trials: Trials) -> str:
    """A result that does not depend on the arguments, or depends on those of an earlier call."""
    wrong = [i for i, t in enumerate(trials) if not t.right]
    first = trials[wrong[0]]
    if asks_yes_or_no(trials):  # there are only two answers: two wrong ones are often equal
        if all(np.size(t.value) == 1 and close(t.value, first.value) for t in trials):
            return f"{exercise.name} returned {bool(np.all(first.value))} in all calls."
        return ""
    if len(wrong) > 1 and all(close(t.value, first.value, 0.0) for t in trials):
        return (
            f"{exercise.name} returned the same value in {len(wrong)} calls with different arguments. Which line "
            "should use them?"
        )
    # whole numbers may be those of another call by chance
    telling = all(np.any(as_numbers(trials[i].expected) % 1) for i in wrong)
    if telling and all(any(_is_kept(trials[i], earlier) for earlier in trials[:i]) for i in wrong):
        return f"{exercise.name} returned the right answer of an earlier call. Is something kept between calls?"
    return ""


def _is_kept(trial: Trial, earlier: Trial) -> bool:
    """Whether the value is the right answer of an earlier call, which is not merely a multiple of this one's."""
    return close(trial.value, earlier.expected) and ratio(earlier.expected, trial.expected) is None


def _wrong_shape(exercise: Exercise, trials: Trials) -> str:
    bad = [t for t in trials if _differs_in_shape(t)]
    if not bad:
        return ""
    got, want = as_numbers(bad[0].value), as_numbers(bad[0].expected)
    if isinstance(exercise.answer(*bad[0].args), tuple):
        return _unlike_parts(exercise, bad)
    # the shape of a view means nothing to a student who returned something else
    if exercise.view is not None and bad[0].value is not bad[0].given:
        given = as_numbers(bad[0].given)
        kind = _a(bad[0].given) if given is None else f"shape {given.shape}"
        return f"{exercise.name} returned {kind}; it should return {exercise.returns}."
    sentence = f"{exercise.name} returned shape {got.shape}, expected {want.shape}: {exercise.returns}."
    if 0 < got.size < want.size and got.ndim == want.ndim == 1 and close(got, want[: got.size], np.abs(want).max()):
        return f"{sentence} The entries that you return are right, the others are missing."
    shapes = {as_numbers(t.value).shape for t in trials}
    if got.ndim and len(shapes) == 1 and len({np.shape(t.expected)[:1] for t in trials}) > 1:
        return f"{sentence} The shape was the same in all calls, although the shapes of the arguments differ."
    return f"{sentence} {_why_shape(exercise, bad)}".rstrip()


def _differs_in_shape(trial: Trial) -> bool:
    got, want = as_numbers(trial.value), np.shape(trial.expected)
    return got.shape != want and not (want == () and got.size == 1)


def _why_shape(exercise: Exercise, bad: Trials) -> str:
    """Return what turns all of these into the right shape, or what may cause the wrong one."""
    pairs = [(as_numbers(t.value), as_numbers(t.expected), t.scale) for t in bad]
    got, want, _ = pairs[0]

    def makes(change: Callable[[np.ndarray, np.ndarray], Any]) -> bool:
        return all(close(change(g, w), w, scale) for g, w, scale in pairs)

    masks = all(np.asarray(t.expected).dtype == bool for t in bad)
    if masks and all(np.array_equal(np.ravel(t.value), np.flatnonzero(t.expected)) for t in bad):
        return "These are the indices of the entries that should be True. Return one True or False for each entry."
    if any((g.ndim, w.ndim) != (got.ndim, want.ndim) for g, w, _ in pairs):
        return ""
    if got.ndim == want.ndim == 2 and makes(lambda g, w: g.T):
        return "It is the transpose of the right matrix: rows and columns have changed places."
    if all(g.size == w.size for g, w, _ in pairs):
        if makes(lambda g, w: g.reshape(w.shape)):
            if got.ndim == 0:
                how = "np.atleast_1d turns the number into an array."
            elif got.ndim < want.ndim:
                lost = all(g.shape == np.squeeze(w).shape for g, w, _ in pairs)
                how = "an axis of length 1 was lost." if lost else "do not flatten the array."
            else:
                how = "try np.ravel, or drop a [:, None]." if want.ndim == 1 else "an axis of length 1 is too much."
            return f"The numbers are right, only the shape is wrong: {how}"
        return "Your result is a column, shape (n, 1). Return shape (n,)." if want.ndim == 1 and 1 in got.shape else ""
    if want.ndim == 0 and asks_yes_or_no(bad):
        return "Return a single True or False."
    if want.ndim == 0:
        wholes = {"sum": np.sum, "mean": np.mean} | ({"trace": np.trace} if got.ndim == 2 else {})
        whole = next((name for name, f in wholes.items() if makes(lambda g, w, f=f: f(g))), "")
        return f"Return the {whole} of these numbers, which is right." if whole else "Return a single number."
    if got.ndim == 0:
        whole = next((f for f in ("sum", "mean") if all(close(g, getattr(w, f)(), scale) for g, w, scale in pairs)), "")
        return (
            f"It is the {whole} of the right numbers: do not take the {whole}." if whole else "You return one number."
        )
    if got.ndim == 2 and want.ndim == 1:
        if all(g.shape[0] == g.shape[1] for g, _, _ in pairs) and makes(lambda g, w: np.diag(g)):
            return "The diagonal of your matrix holds the right numbers. Return it as a vector."
        for axis, along in enumerate(("columns", "rows")):
            if makes(lambda g, w, axis=axis: g.sum(axis=axis)):
                return f"The sums of its {along} are the right numbers: return these sums."
        return "You return a matrix. In NumPy, a column (n, 1) with a row (n,) makes a matrix, and so does np.outer."
    if got.ndim == 1 and len(gaps := {g.size - w.size for g, w, _ in pairs}) == 1 and abs(gap := min(gaps)) == 1:
        return "There is one entry too " + ("few." if gap < 0 else "many.")
    sizes = {k: v for k, v in exercise.sizes(*bad[0].args).items() if float(v).is_integer()}
    names = [next((k for k, v in sizes.items() if v == size), "") for size in (got.size, want.size)]
    return f"You return {names[0]} numbers instead of {names[1]}." if got.ndim == 1 and all(names) else ""


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
        f"{exercise.name} returned {what} NaN or infinite. Look for a division by 0, the square root or logarithm of "
        f"a negative number, or an np.empty that was never filled.{warned} {exercise.limit}"
    ).rstrip()


TALKS: tuple[Any, ...] = (_none, _several_things, _parts_missing, _not_numbers, _stale, _wrong_shape, _not_finite)
