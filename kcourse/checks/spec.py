"""The parts of an exercise: points, properties, right answer and known mistakes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = [
    "Case",
    "Changed",
    "Exercise",
    "Misconception",
    "Observation",
    "Promise",
    "Property",
    "RTOL",
    "attempts",
    "each_wrong",
    "sensitive",
    "telling",
]

RTOL = 1e-6  # relative to the largest entry, so that an entry near 0 needs no more digits than others

_FOR_SAFETY = 1e-6

Args = tuple[Any, ...]


def attempts(of: str, until: Callable[[], bool] = lambda: False, most: int = 10_000) -> Iterator[int]:
    """Count the turns of a loop that draws inputs for exercise ``of`` until ``until()`` is true.

    After ``most`` turns a RuntimeError names the exercise, because a condition that no input meets would hang
    the sheet.
    """
    for turn in range(most):
        if until():
            return
        yield turn
    raise RuntimeError(f"{of}: none of {most} drawn inputs meets the condition of its generator, which is too strict")


def telling(found: Sequence[tuple], right: Callable, mistakes: Sequence[Callable], least: float = 1e-3) -> bool:
    """Whether the right answer and the mistakes all differ pairwise on some input by more than ``least``."""
    most: Any = 0.0
    for args in found:
        wanted = np.ravel(np.asarray(right(*args), dtype=float))
        given = [wanted, *(np.ravel(np.asarray(wrong(*args), dtype=float)) for wrong in mistakes)]
        size = max(1e-12, float(np.abs(wanted).max()))
        most = np.maximum(most, [[np.abs(a - b).max() / size for a in given] for b in given])
    return bool(most[np.triu_indices(len(most), 1)].min() > least)


def each_wrong(
    inputs: Callable[[Any], Sequence[tuple]], exercise: Callable[[], Exercise], names: Sequence[str] = ()
) -> Callable[[Any], Sequence[tuple]]:
    """Return a generator that draws ``inputs`` until no mistake is right on all of them.

    A mistake then has the same points on every draw. These are the mistakes of ``exercise()``, or those of ``names``.
    """

    def drawn(rng: np.random.Generator) -> Sequence[tuple]:
        spec = exercise()
        mistakes = [m.wrong for m in spec.misconceptions if m.wrong and (not names or m.name in names)]
        for _ in attempts(spec.name):
            found = inputs(rng)
            with np.errstate(all="ignore"):
                if all(telling(found, spec.reference, [wrong]) for wrong in mistakes):
                    return found
        raise AssertionError("attempts has an end")

    return drawn


def sensitive(inputs: Callable[[Any], list[tuple]], right: Callable, at: int = -1) -> Callable[[Any], list[tuple]]:
    """Return a generator that draws ``inputs`` until adding 1e-6 to argument ``at`` changes the right answer.

    Some students add 1e-6 to a diagonal for safety. It matters if the argument (a λ, a variance) and some eigenvalue
    are small.
    """

    def little_more(*args: Any) -> Any:
        changed = list(args)
        changed[at] += _FOR_SAFETY
        return right(*changed)

    def drawn(rng: np.random.Generator) -> list[tuple]:
        for _ in attempts(right.__name__):
            found = inputs(rng)
            if telling(found, right, [little_more], least=3 * RTOL):
                return found

    return drawn


@dataclass(frozen=True)
class Property:
    """One thing that a right answer does, worth ``points``.

    ``says`` completes "Your answer …". ``inputs(rng)`` makes fresh random arguments, a list of tuples. ``hint`` is
    shown if only this property fails, for whatever reason, so it must be true of every such answer. ``scale(*args)`` is
    the scale of an error if the right answer itself is (near) 0.
    """

    says: str
    points: int
    inputs: Callable[[np.random.Generator], Sequence[Args]]
    hint: str = ""
    scale: Callable[..., float] | None = None


@dataclass(frozen=True)
class Changed:
    """A mistake that is the right formula with other arguments: nλ instead of λ, for example.

    Two mistakes at once are recognised if at least one of them is of this kind: it changes the arguments from which the
    other computes.
    """

    formula: Callable[..., Any]
    change: Callable[..., Args]

    def __call__(self, *args: Any) -> Any:
        return self.formula(*self.change(*args))


@dataclass(frozen=True)
class Misconception:
    """A wrong answer with a hint of its own.

    ``wrong(*args)`` computes it, so that it is recognised on any drawn input. If it can only fail, the regular
    expression ``error`` is searched in "Type: text" of the exception. The three texts are the ``hint``, which says in a
    sentence or two what the mistake is; the ``step`` of the derivation to read again; and an ``experiment`` of a few
    lines that calls the student's function and shows the mistake.
    """

    name: str
    wrong: Callable[..., Any] | None
    hint: str
    step: str
    experiment: str
    error: str = ""


@dataclass(frozen=True)
class Observation:
    """Something that can be seen of a wrong answer without knowing the mistake: "a squared norm is never negative".

    ``holds(value, *args)`` is called for every wrong call (of the right shape, with finite numbers). If it holds in
    at least half of them, ``says`` is shown, and in how many. With ``early`` it is also called before two mistakes at
    once are tried, and shown then if it holds in all wrong calls.
    """

    says: str
    holds: Callable[..., bool]
    early: bool = False


@dataclass(frozen=True)
class Promise:
    """A condition on the inputs: a certain mistake changes the result, or the best pair is inside its grid.

    ``says`` completes "The inputs …". ``holds(*args)`` is called for each call of the properties ``of``, counted from
    0; with ``together``, once for all calls of a property, a list of tuples. Only the tests call it, on many seeds.
    ``tests/chapters/test_promises.py`` has the conditions that all exercises meet.
    """

    says: str
    holds: Callable[..., bool]
    of: tuple[int, ...] = (0,)
    together: bool = False


@dataclass(frozen=True)
class Case:
    """One call of the student's function: arguments drawn for one property."""

    property: int
    args: Args


@dataclass(frozen=True)
class Exercise:
    """A function that students write, and everything needed to mark it.

    ``returns`` describes the return value in words, shape first; ``parts`` names the entries if they are different
    things. ``step`` and ``experiment`` are for an unknown mistake. ``sizes(*args)`` names the numbers of a call that a
    wrong factor may consist of ({"λ": 0.3, "n": 7}). ``allowed`` are the parts of kcourse that an answer may call,
    ``refused`` those of SciPy that it may not, because they solve the exercise.
    ``view(value, *args)`` is compared instead of the value if many answers are right (features, by their inner
    products) or if the answer is a tuple; if it returns None or raises, the value itself is compared.
    ``view_name``, in the plural, names the view in sentences about factors.
    ``gives(value)`` turns the value of ``reference`` into that of an answer, if that is a tuple of different parts.
    ``memory`` is how many bytes the arrays of a call may take at one time, without its arguments; 0 sets no limit.
    ``limit`` is shown if NaN or infinities were returned: the right answer where NumPy divides 0 by 0.
    ``chained`` means that each entry depends on those before it: then it does not matter which of them are right.
    ``promises`` are further conditions that the generators of its inputs meet.
    ``answer_table`` is the table of the students' edition (`kcourse.checks.answer_tables`): there ``reference`` and
    mistakes are known only on drawn inputs.
    """

    name: str
    chapter: str
    number: str
    returns: str
    reference: Callable[..., Any]
    properties: tuple[Property, ...]
    misconceptions: tuple[Misconception, ...]
    step: str
    experiment: str
    sizes: Callable[..., dict[str, float]]
    observations: tuple[Observation, ...] = ()
    promises: tuple[Promise, ...] = ()
    allowed: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    view: Callable[..., Any] | None = None
    gives: Callable[[Any], Any] | None = None
    limit: str = ""
    view_name: str = ""
    chained: bool = False
    memory: int = 0
    answer_table: Any = None
    parameters: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", tuple(inspect.signature(self.reference).parameters))
        names = [m.name for m in self.misconceptions]
        if len(set(names)) != len(names):
            raise ValueError(f"{self.name}: two misconceptions have the same name")

    @property
    def points(self) -> int:
        """The points of the exercise."""
        return sum(p.points for p in self.properties)

    @property
    def signature(self) -> str:
        """The first line of the function, as in the sheet."""
        return f"{self.name}({', '.join(self.parameters)})"

    @property
    def answer(self) -> Callable[..., Any]:
        """A right answer that other answers can call."""
        gives, reference = self.gives, self.reference
        if gives is None:
            return reference

        @functools.wraps(reference)
        def right(*args: Any, **keywords: Any) -> Any:
            return gives(reference(*args, **keywords))

        return right

    def seen(self, value: Any, args: Args) -> Any:
        """Return the compared part of ``value``."""
        if self.view is None:
            return value
        try:
            viewed = self.view(value, *args)
        except Exception:  # a student's value may raise anything when the view is applied
            return value
        return value if viewed is None else viewed

    def right(self, *args: Any) -> Any:
        """Return the compared part of the right answer."""
        return self.seen(self.reference(*args), args)

    def cases(self, seed: int) -> list[Case]:
        """Return inputs for every property; the seed determines them, and each property has its own random stream."""
        streams = np.random.default_rng(seed).spawn(len(self.properties))
        return [
            Case(i, tuple(args))
            for i, (prop, rng) in enumerate(zip(self.properties, streams, strict=True))
            for args in prop.inputs(rng)
        ]
