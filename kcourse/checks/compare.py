"""Compare an answer with the right one: as numbers, up to a tolerance, up to a factor."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kcourse.checks.spec import RTOL, Args, Case, Exercise
from kcourse.execution.calls import Outcome

__all__ = [
    "NEAR",
    "Trial",
    "answers",
    "as_numbers",
    "asks_yes_or_no",
    "bounded",
    "close",
    "factors_named",
    "half_of_the_parts",
    "holds_complex",
    "nearly",
    "ratio",
    "real",
    "rearranged",
    "relation",
]

NEAR = 1e-3  # relative error below which an answer is nearly right
_MOST_PARTS = 5  # an answer of more parts is not tried in other orders
_LARGE, _LARGER = 10_000, 10  # numbers of entries that are always allowed; multiple of the expected number
_REAL = {bool, int, float, str, type(None)}  # types of entries that need not be looked into


@dataclass(frozen=True)
class Trial:
    """One call of the answer, with everything that is known about it."""

    case: Case
    outcome: Outcome
    expected: Any
    scale: float | None = None
    right: bool = False
    given: Any = None  # the value before the exercise's view

    @property
    def args(self) -> Args:
        return self.case.args

    @property
    def value(self) -> Any:
        return self.outcome.value


def as_numbers(value: Any) -> np.ndarray | None:
    """Return ``value`` as a float array (from lists, ints, tuples of numbers), or None if it holds no real numbers."""
    if value is None:
        return None
    try:
        raw = np.asarray(value)
        if raw.dtype.kind not in "biufO":
            return None
        if raw.dtype.kind == "O" and any(isinstance(entry, (str, bytes, complex, type(None))) for entry in raw.flat):
            return None  # astype would turn "1.5" into a number, and None into NaN
        return raw.astype(float)
    except (Exception, SystemExit):  # ragged lists, and errors in a student's own class
        return None


def holds_complex(value: Any) -> bool:
    """Whether a value, or a list of values, contains complex numbers."""
    if isinstance(value, (list, tuple)):
        try:
            return any(type(item) not in _REAL and holds_complex(item) for item in value)
        except Exception:  # a student's own kind of tuple
            return False
    return isinstance(value, complex) or (isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind == "c")


def real(value: Any) -> Any:
    """Return ``value`` with real numbers instead of complex ones whose imaginary parts are 0 up to rounding."""
    if not holds_complex(value):
        return value
    if isinstance(value, (list, tuple)):
        return type(value)(map(real, value))
    return np.real_if_close(value)[()]


def bounded(value: Any, expected: int) -> Any:
    """Return ``value``; if it has many more entries than ``expected``, only its numbers as one array, or its type.

    So nothing that is computed from it later takes longer than for an answer of the right size.
    """
    if not isinstance(value, (list, tuple, np.ndarray)):
        return value if _is_short(value) else _only(type(value).__name__)
    most = max(_LARGE, _LARGER * expected)
    if (value.size if isinstance(value, np.ndarray) else len(value)) > _LARGER * most:
        what = f"of shape {value.shape}" if isinstance(value, np.ndarray) else f"of {len(value)} values"
        return _only(f"{type(value).__name__} {what}")
    if (numbers := as_numbers(value)) is not None:
        return numbers if numbers.size > most else value
    if holds_complex(value) or _entries(value, most) <= most:
        return value
    return _only(f"{type(value).__name__} of {len(value)} values")


def _only(what: str) -> Any:
    """Return an object that has nothing but the name of its type."""
    return type(what, (), {})()


def _is_short(value: Any) -> bool:
    """Whether the entries of a value may be read: those of a student's own class may never end."""
    own = type(value).__module__ not in ("builtins", "collections") and hasattr(type(value), "__getitem__")
    return not own or hasattr(type(value), "__array__")


def _entries(value: Any, most: int) -> int:
    """Return how many entries a nested list has, counted up to ``most``."""
    if isinstance(value, np.ndarray):
        return value.size
    if not isinstance(value, (list, tuple)):
        return 1
    count = len(value)
    for item in value:
        if count > most:
            break
        count += _entries(item, most - count) - 1
    return count


def close(value: Any, expected: Any, scale: float | None = None, rtol: float = RTOL) -> bool:
    """Whether ``value`` is ``expected`` up to ``rtol``, relative to ``scale`` or to the largest entry of ``expected``.

    The shapes must be equal, but where one number is expected, an array with one number is accepted.
    """
    a, b = as_numbers(value), as_numbers(expected)
    if a is None or b is None or (a.shape != b.shape and not (b.ndim == 0 and a.size == 1)):
        return False
    if not np.isfinite(b).all():  # nothing is close to infinity
        return False
    with np.errstate(invalid="ignore", over="ignore"):
        gap = float(np.max(np.abs(a - b), initial=0.0))
    allowed = rtol * (scale if scale is not None else float(np.max(np.abs(b), initial=0.0)))
    return bool(gap <= max(allowed, np.finfo(float).tiny))  # a NaN is never close


def asks_yes_or_no(trials: Sequence[Trial]) -> bool:
    """Whether the right answers are True or False: then 0 and 1 say nothing about signs, factors or earlier calls."""
    return all(isinstance(t.expected, (bool, np.bool_)) for t in trials)


def answers(exercise: Exercise, value: Any, target: Any, scale: float | None = None, rtol: float = RTOL) -> bool:
    """Whether ``value`` equals ``target`` within tolerance; each part of an answer is compared on its own scale."""
    if not exercise.parts:
        return close(value, target, scale, rtol)
    return close(value, target, rtol=rtol) and all(
        close(a, b, rtol=rtol) for a, b in zip(as_numbers(value), as_numbers(target), strict=True)
    )


def nearly(exercise: Exercise, trial: Trial) -> bool:
    """Whether a wrong value has the right numbers in another shape or order, or only their first three digits."""
    if rearranged(exercise, trial):
        return True
    value, expected = as_numbers(trial.value), as_numbers(trial.expected)
    if trial.outcome.failure is not None or value is None or not np.any(expected % 1):
        return False  # whole numbers may be near, or the same in another order, by chance
    if value.size == expected.size and np.unique(expected).size > 2:
        in_order = np.empty(expected.size)
        in_order[np.argsort(expected, axis=None)] = np.sort(value, axis=None)
        if answers(exercise, in_order.reshape(expected.shape), expected, trial.scale):
            return True
    return answers(exercise, value, expected, trial.scale, NEAR)


def rearranged(exercise: Exercise, trial: Trial) -> bool:
    """Whether the right numbers came transposed, in another shape, backwards, or as parts in another order."""
    value = real(bounded(trial.given, np.size(trial.expected)))
    if trial.outcome.failure is not None or not np.ndim(trial.expected) or holds_complex(value):
        return False
    expected = exercise.right(*trial.args) if exercise.view else trial.expected
    ways: list[Any] = []
    if (numbers := as_numbers(value)) is not None:
        ways = [numbers.T]
        if exercise.gives is None and numbers.size == np.size(whole := exercise.reference(*trial.args)):
            ways += (numbers.reshape(np.shape(whole), order=order) for order in "CF")
        if numbers.size == max(numbers.shape, default=1):  # a column, a row or a vector
            ways += numbers.ravel(), numbers.ravel()[::-1]
    if _is_several(exercise, value) and 1 < len(value) <= _MOST_PARTS:
        ways += itertools.permutations(value)
    return any(answers(exercise, exercise.seen(way, trial.args), expected, trial.scale) for way in ways)


def half_of_the_parts(exercise: Exercise, trials: Sequence[Trial]) -> set[int]:
    """Return the properties in whose calls at least half of the entries of a tuple of different things are right.

    The others must have been computed, so they are not None, and not always the same number.
    """
    if not exercise.parts and exercise.gives is None:
        return set()
    wanted = [exercise.answer(*t.args) for t in trials]
    given = [_parts_of(exercise, t, len(right)) for t, right in zip(trials, wanted, strict=True)]
    computed = [_computed(values) for values in zip(*filter(None, given), strict=True)]
    found = set()
    for i in {t.case.property for t in trials}:
        own = [(a, b) for t, a, b in zip(trials, given, wanted, strict=True) if t.case.property == i]
        if all(parts for parts, _ in own):
            right = np.all([list(map(_same_numbers, *both)) for both in own], axis=0)
            if 2 * right.sum() >= right.size and np.all(right | computed):
                found.add(i)
    return found


def _is_several(exercise: Exercise, value: Any) -> bool:
    """Whether a value consists of the parts of an answer."""
    return isinstance(value, (tuple, list)) or bool(exercise.parts and isinstance(value, np.ndarray) and value.ndim)


def _parts_of(exercise: Exercise, trial: Trial, count: int) -> list[np.ndarray | None]:
    """Return the ``count`` parts of an answer as numbers, or an empty list if there are more or fewer."""
    value = real(bounded(trial.given, np.size(trial.expected)))
    if trial.outcome.failure is not None or not _is_several(exercise, value) or len(value) != count:
        return []
    if exercise.view is not None:  # it fixes what is free, such as signs
        with contextlib.suppress(Exception):  # a wrong value may raise anything there
            seen = exercise.seen(value, trial.args)
            value = exercise.gives(seen) if exercise.gives else seen
    return [as_numbers(part) for part in value]


def _same_numbers(a: np.ndarray | None, b: Any) -> bool:
    return a is not None and a.size == np.size(b) and close(a.reshape(np.shape(b)), b)


def _computed(values: Iterable[np.ndarray | None]) -> bool:
    values = list(values)
    if any(a is None or not a.size or not np.isfinite(a).all() for a in values):
        return False
    numbers = np.concatenate([a.ravel() for a in values])
    return bool(np.ptp(numbers) > 0)


def ratio(value: Any, target: Any) -> float | None:
    """Return the factor c with value = c · target, or None."""
    a, b = as_numbers(value), as_numbers(target)
    if a is None or b is None or a.size == 0 or not np.isfinite(a).all():
        return None
    if a.size == b.size == 1:
        a = a.reshape(b.shape)
    if a.shape != b.shape:
        return None
    norm = float(np.sum(b * b))
    if norm == 0:
        return None
    c = float(np.sum(a * b)) / norm
    return c if c != 0 and close(a, c * b) else None


def relation(exercise: Exercise, trials: Sequence[Trial], targets: Iterable[Any]) -> str:
    """Return what turns the targets into the values in every call ("n times", "the square of"), or ""."""
    found: set[str] | None = None
    for trial, target in zip(trials, targets, strict=True):
        wanted = as_numbers(target)
        if wanted is None or not np.isfinite(wanted).all() or not wanted.any():
            return ""  # where the target is 0, every 1 is "1 more than" it
        named = _names(exercise, trial, wanted)
        found = named if found is None else found & named
        if not found:
            return ""
    return min(found, key=len) if found else ""


def _names(exercise: Exercise, trial: Trial, target: np.ndarray) -> set[str]:
    if close(trial.value, target):  # they are equal
        return set()
    sizes = exercise.sizes(*trial.args)
    names = {text for text, turn in _TURNS.items() if close(trial.value, turn(target))}
    if close(trial.value, sizes.get("n", np.nan) - target):
        names.add("n minus")
    c = ratio(trial.value, target)
    return names if c is None else names | {f"{factor} times" for factor in factors_named(c, sizes)}


_TURNS = {
    "the square of": np.square,
    "the square root of": np.sqrt,
    "one over": np.reciprocal,
    "the absolute value of": np.abs,
    "1 minus": lambda e: 1 - e,
    "1 more than": lambda e: e + 1,
    "1 less than": lambda e: e - 1,
}


def factors_named(number: float, sizes: dict[str, float]) -> set[str]:
    """Return the expressions in signs, twos and named sizes that have this value: factors that a mistake may cause."""
    known = {
        "-1": -1.0,
        "2": 2.0,
        "1/2": 0.5,
        "-2": -2.0,
        "-1/2": -0.5,
        "4": 4.0,
        "1/4": 0.25,
        "√2": 2**0.5,
        "1/√2": 0.5**0.5,
    }
    sizes = {k: v for k, v in sizes.items() if v > 0 and v != 1}
    if sizes.get("n", 0) > 2:
        sizes["(n - 1)"] = sizes["n"] - 1
    for symbol, size in sizes.items():
        known |= {symbol: size, f"1/{symbol}": 1 / size, f"{symbol}²": size**2, f"1/{symbol}²": size**-2,
                  f"√{symbol}": size**0.5, f"1/√{symbol}": size**-0.5, f"-{symbol}": -size, f"-1/{symbol}": -1 / size,
                  f"2{symbol}": 2 * size, f"1/(2{symbol})": 0.5 / size, f"{symbol}/2": size / 2,
                  f"√2 {symbol}": 2**0.5 * size, f"{symbol}/√2": 0.5**0.5 * size}  # fmt: skip
    for a, size_a in sizes.items():
        for b, size_b in sizes.items():
            if a < b:
                known |= {f"{a}·{b}": size_a * size_b, f"{a}/{b}": size_a / size_b, f"{b}/{a}": size_b / size_a}
    return {text for text, value in known.items() if np.isclose(number, value, rtol=RTOL)}
