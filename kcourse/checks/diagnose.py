"""What can be said of a wrong answer that nobody foresaw, without telling the right one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kcourse.checks.spec import RTOL, Args, Exercise

__all__ = ["as_numbers", "close", "diagnose", "scaled_by"]

Triple = tuple[Args, Any, Any]  # arguments, the student's value, the right value


def as_numbers(value: Any) -> np.ndarray | None:
    """``value`` as a float array (lists, ints and tuples of numbers are fine), or None if it holds no real numbers."""
    try:
        raw = np.asarray(value)
        if raw.dtype.kind not in "biufO":
            return None
        return raw.astype(float)
    except (TypeError, ValueError):
        return None


def close(value: Any, expected: Any, scale: float | None = None) -> bool:
    """Whether ``value`` is ``expected`` up to RTOL, relative to ``scale`` or to the largest entry of ``expected``."""
    a, b = as_numbers(value), as_numbers(expected)
    if a is None or b is None or a.shape != b.shape:
        return False
    with np.errstate(invalid="ignore", over="ignore"):
        gap = float(np.max(np.abs(a - b), initial=0.0))
    allowed = RTOL * (scale if scale is not None else float(np.max(np.abs(b), initial=0.0)))
    return gap <= max(allowed, np.finfo(float).tiny)  # a NaN is never close


def diagnose(exercise: Exercise, triples: Sequence[Triple]) -> tuple[str, ...]:
    """One or two sentences on how the values differ from the right ones."""
    args, value, expected = triples[0]
    name, want = exercise.name, as_numbers(expected)
    if all(v is None for _, v, _ in triples):
        return (f"{name} returned None: is there a `return` at the end? It should return {exercise.returns}.",)
    if value is None:
        return (f"{name} returned None on some inputs: every branch needs a `return`.",)
    got = as_numbers(value)
    if got is None:
        return (_not_numbers(name, value, exercise),)
    if got.shape != want.shape:
        return (_shapes(exercise, got, want),)
    if not np.isfinite(got).all():
        return (_not_finite(name, got),)
    for talk in (
        _own_argument,
        _constant_factor,
        _of_a_scalar,
        _transposed,
        _permuted,
        _offset,
        _rounded,
        _nearly,
        _some,
    ):
        sentence = talk(exercise, triples)
        if sentence:
            return (sentence,)
    return (
        f"The values of {name} are not the right ones, and the slip is none that this check knows. Try it where you "
        "can do the sum by hand: two points, a round λ. Then compare line by line with the derivation.",
    )


def scaled_by(exercise: Exercise, triples: Sequence[Triple]) -> str:
    """Name the factor between value and target if it is one and the same expression in every call, else ""."""
    candidates: set[str] | None = None
    for args, value, target in triples:
        ratio = _ratio(value, target)
        if ratio is None:
            return ""
        fits = {text for text, number in _factors(exercise, args).items() if np.isclose(ratio, number, rtol=1e-6)}
        candidates = fits if candidates is None else candidates & fits
        if not candidates:
            return ""
    return min(candidates, key=len) if candidates else ""


def _ratio(value: Any, target: Any) -> float | None:
    """The one factor c with value = c · target, or None."""
    a, b = as_numbers(value), as_numbers(target)
    if a is None or b is None or a.shape != b.shape or a.size == 0 or not np.isfinite(a).all():
        return None
    norm = float(np.sum(b * b))
    if norm == 0:
        return None
    c = float(np.sum(a * b)) / norm
    if c == 0 or not close(a, c * b):
        return None
    return c


def _factors(exercise: Exercise, args: Args) -> dict[str, float]:
    """Factors that a slip may leave behind: signs, twos, and the named numbers of the call."""
    factors = {"-1": -1.0, "2": 2.0, "1/2": 0.5, "-2": -2.0, "-1/2": -0.5, "4": 4.0, "1/4": 0.25}
    sizes = {k: v for k, v in exercise.sizes(*args).items() if v > 0 and v != 1}
    for symbol, size in sizes.items():
        factors |= {symbol: size, f"1/{symbol}": 1 / size, f"{symbol}²": size**2, f"1/{symbol}²": size**-2,
                    f"√{symbol}": size**0.5, f"1/√{symbol}": size**-0.5, f"-{symbol}": -size, f"-1/{symbol}": -1 / size,
                    f"2{symbol}": 2 * size, f"1/(2{symbol})": 0.5 / size}  # fmt: skip
    for a, size_a in sizes.items():
        for b, size_b in sizes.items():
            if a < b:
                factors |= {f"{a}·{b}": size_a * size_b, f"{a}/{b}": size_a / size_b, f"{b}/{a}": size_b / size_a}
    return factors


def _constant_factor(exercise: Exercise, triples: Sequence[Triple]) -> str:
    factor = scaled_by(exercise, triples)
    if factor == "-1":
        return f"Right up to the sign: {exercise.name} returns minus the right answer."
    if factor:
        return f"Right up to a factor: {exercise.name} returns {factor} times the right answer, on every input tried."
    ratios = [_ratio(value, expected) for _, value, expected in triples]
    several = any(np.size(expected) > 1 for *_, expected in triples)
    if several and all(r is not None for r in ratios):
        return (
            f"Within each call {exercise.name} is proportional to the right answer, but the factor is not 1 and "
            "changes from call to call: a normalisation that depends on the input is missing, or one too many."
        )
    return ""


def _own_argument(exercise: Exercise, triples: Sequence[Triple]) -> str:
    for i, name in enumerate(exercise.parameters):
        if all(close(value, args[i]) for args, value, _ in triples):
            return f"{exercise.name} gives its argument {name} back unchanged; it should return {exercise.returns}."
    if all(close(value, np.zeros(np.shape(expected)), 1.0) for _, value, expected in triples):
        return f"{exercise.name} returns only zeros: was the result ever written into the array?"
    return ""


def _of_a_scalar(exercise: Exercise, triples: Sequence[Triple]) -> str:
    """For answers that are one number: the right number, put through something."""
    if any(np.size(expected) != 1 for *_, expected in triples):
        return ""
    turns = {
        "the square of the right number": lambda r, n: r * r,
        "the square root of the right number": lambda r, n: np.sqrt(r) if r > 0 else np.nan,
        "one over the right number": lambda r, n: 1 / r if r else np.nan,
        "n minus the right number": lambda r, n: n - r,
        "one more than the right number": lambda r, n: r + 1,
        "one less than the right number": lambda r, n: r - 1,
    }
    for words, turn in turns.items():
        if all(
            close(float(np.ravel(value)[0]), turn(float(np.ravel(expected)[0]), exercise.sizes(*args).get("n", np.nan)))
            for args, value, expected in triples
        ):
            return f"{exercise.name} returns {words}."
    return ""


def _transposed(exercise: Exercise, triples: Sequence[Triple]) -> str:
    if all(np.ndim(e) == 2 and close(np.transpose(v), e) for _, v, e in triples):
        return f"{exercise.name} returns the transpose of the right matrix."
    return ""


def _permuted(exercise: Exercise, triples: Sequence[Triple]) -> str:
    if any(np.ndim(e) != 1 or np.size(e) < 2 for *_, e in triples):
        return ""
    if all(close(np.ravel(as_numbers(v))[::-1], e) for _, v, e in triples):
        return f"{exercise.name} returns the right numbers in reverse order."
    if all(close(np.sort(as_numbers(v)), np.sort(as_numbers(e))) for _, v, e in triples):
        return f"{exercise.name} returns the right numbers in another order: keep the order of the points."
    return ""


def _offset(exercise: Exercise, triples: Sequence[Triple]) -> str:
    def constant(value: Any, expected: Any) -> bool:
        gap = as_numbers(value) - as_numbers(expected)
        return gap.size > 1 and close(gap, np.full(gap.shape, gap.mean())) and abs(gap.mean()) > 0

    if all(constant(v, e) for _, v, e in triples):
        return (
            f"Within each call {exercise.name} differs from the right answer by one constant: something is added to "
            "or subtracted from every entry (a mean, an intercept?)."
        )
    return ""


def _rounded(exercise: Exercise, triples: Sequence[Triple]) -> str:
    if all(close(as_numbers(v), np.trunc(as_numbers(e))) or np.asarray(v).dtype.kind in "iu" for _, v, e in triples):
        return (
            f"{exercise.name} returns whole numbers: an array made with np.zeros_like of integers (or dtype=int) cuts "
            "off what is written into it. Make it with np.zeros(n), or give dtype=float."
        )
    return ""


def _nearly(exercise: Exercise, triples: Sequence[Triple]) -> str:
    worst = max(_relative_gap(v, e) for _, v, e in triples)
    if worst < 1e-3:
        return (
            f"{exercise.name} is nearly right: it agrees to about {int(-np.log10(worst))} digits, {-np.log10(RTOL):.0f}"
            " are asked for. Single precision, a small number added for safety, an iteration that stops early?"
        )
    return ""


def _some(exercise: Exercise, triples: Sequence[Triple]) -> str:
    """Some entries right and some not: say where."""
    for _, value, expected in triples:
        a, b = as_numbers(value), as_numbers(expected)
        if a.ndim != 1 or a.size < 3:
            continue
        wrong = np.flatnonzero(~np.isclose(a, b, rtol=RTOL, atol=RTOL * np.abs(b).max()))
        if 0 < wrong.size <= a.size // 2:
            where = "the last" if list(wrong) == [a.size - 1] else "the first" if list(wrong) == [0] else "some"
            entry = "entry is" if where != "some" else "entries are"
            return (
                f"{a.size - wrong.size} of {a.size} entries are right; {where} {entry} not (index "
                f"{', '.join(map(str, wrong[:5]))}). Look at the ends of your loops and slices."
            )
    return ""


def _relative_gap(value: Any, expected: Any) -> float:
    a, b = as_numbers(value), as_numbers(expected)
    size = float(np.max(np.abs(b), initial=0.0))
    return float(np.max(np.abs(a - b), initial=0.0)) / size if size else np.inf


def _not_numbers(name: str, value: Any, exercise: Exercise) -> str:
    kind = f"an array of {value.dtype}" if isinstance(value, np.ndarray) else f"a {type(value).__name__}"
    return f"{name} returned {kind}; it should return {exercise.returns}, as real numbers."


def _shapes(exercise: Exercise, got: np.ndarray, want: np.ndarray) -> str:
    sentence = f"{exercise.name} returned shape {got.shape}, expected {want.shape}: {exercise.returns}."
    if got.size == want.size and close(got.reshape(want.shape), want):
        return sentence + " The numbers are right, only the shape is not: try np.ravel, or drop a [:, None]."
    if got.shape == want.shape[::-1]:
        return sentence + " Rows and columns seem to have changed places: which argument belongs on the left?"
    if want.ndim == 0 and got.size > 1:
        return sentence + " One number is asked for: is a sum, a trace or an inner product missing?"
    return sentence


def _not_finite(name: str, got: np.ndarray) -> str:
    bad = int(np.sum(~np.isfinite(got)))
    return (
        f"{name} returned {bad} entries of {got.size} that are NaN or infinite: look for a division by 0, the square "
        "root or logarithm of a negative number, or the inverse of a singular matrix."
    )


# in this order: the most telling first
_TALKS = (
    _own_argument,
    _constant_factor,
    _of_a_scalar,
    _transposed,
    _permuted,
    _offset,
    _rounded,
    _nearly,
    _some,
)
