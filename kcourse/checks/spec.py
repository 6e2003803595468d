"""What an exercise is: its points, its properties, its right answer, and the wrong ones it knows by name."""

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
    "sensitive",
    "telling",
]

RTOL = 1e-6  # relative to the largest entry of the right answer, so that an entry near 0 is not held to more digits

_FOR_SAFETY = 1e-6

Args = tuple[Any, ...]


def attempts(of: str, until: Callable[[], bool] = lambda: False, most: int = 10_000) -> Iterator[int]:
    """Count the turns of a loop that draws inputs for exercise ``of`` until they will do.

    A wish that no input can fulfil would hang the sheet; after ``most`` turns it is a RuntimeError that says whose.
    """
    for turn in range(most):
        if until():
            return
        yield turn
    raise RuntimeError(f"{of}: none of {most} drawn inputs is as its generator wishes; it wishes too much")


def telling(found: Sequence[tuple], right: Callable, mistakes: Sequence[Callable], least: float = 1e-3) -> bool:
    """Whether any two of the right answer and the mistakes differ on some of these inputs, by more than ``least``."""
    most: Any = 0.0
    for args in found:
        wanted = np.ravel(np.asarray(right(*args), dtype=float))
        given = [wanted, *(np.ravel(np.asarray(wrong(*args), dtype=float)) for wrong in mistakes)]
        size = max(1e-12, float(np.abs(wanted).max()))
        most = np.maximum(most, [[np.abs(a - b).max() / size for a in given] for b in given])
    return bool(most[np.triu_indices(len(most), 1)].min() > least)


def sensitive(inputs: Callable[[Any], list[tuple]], right: Callable, at: int = -1) -> Callable[[Any], list[tuple]]:
    """``inputs`` drawn until 1e-6 more of argument ``at``, which some add to a diagonal for safety, is seen.

    It does where that number, a λ or a variance, is small, and so is some eigenvalue beside it.
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
    for the answer that has all other properties but fails this one, whatever the reason: it must be true of all of
    them. ``scale(*args)`` is the size against which an error is measured where the right answer itself is (near) 0.
    """

    says: str
    points: int
    inputs: Callable[[np.random.Generator], Sequence[Args]]
    hint: str = ""
    scale: Callable[..., float] | None = None


@dataclass(frozen=True)
class Changed:
    """A mistake that is the right formula with other arguments: nλ for λ, say.

    Two mistakes at once are recognised if at least one of them is of this kind: it says what becomes of the arguments,
    the other what is computed from them.
    """

    formula: Callable[..., Any]
    change: Callable[..., Args]

    def __call__(self, *args: Any) -> Any:
        return self.formula(*self.change(*args))


@dataclass(frozen=True)
class Misconception:
    """A wrong answer worth a sentence of its own.

    ``wrong(*args)`` computes it, so that it is recognised on whatever input was drawn. Where it can only fail,
    ``error`` recognises it: a regular expression searched in "Type: text" of the exception. The three texts: which
    mistake it is, in a sentence or two; the step of the derivation to read again; an experiment of a few lines that
    calls the student's function and shows the mistake.
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

    ``holds(value, *args)`` is asked on every wrong call (of the right shape, with finite numbers); one yes is enough,
    so ``says`` must be true of each. With ``early`` it is asked before two mistakes at once are looked for, too, and
    said there if it holds in all of them.
    """

    says: str
    holds: Callable[..., bool]
    early: bool = False


@dataclass(frozen=True)
class Promise:
    """What makes inputs good questions: a mistake that shows on them, a best pair that is not on the edge of its grid.

    ``says`` completes "The inputs …". ``holds(*args)`` is asked of each call of the properties ``of``, counted from 0;
    with ``together`` of all calls of a property at once, a list of tuples. Marking does not ask: the tests do, on many
    seeds. What all exercises promise is in ``tests/chapters/test_promises.py``, too.
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

    ``returns`` says in words what comes back, shape first; ``parts`` names the entries if they are different things.
    ``step`` and ``experiment`` are for a wrong answer without a name. ``sizes(*args)`` names the numbers of a call
    that a wrong factor may be made of ({"λ": 0.3, "n": 7}). ``allowed`` are the parts of kcourse that an answer may
    call, ``refused`` those of SciPy that it may not, because they do the exercise.
    ``view(value, *args)`` is what is compared, where many answers are right (features, by their inner products)
    or a tuple is meant; of a value that it cannot take, it returns None or raises, and the value itself is compared.
    ``view_name``, in the plural, is what sentences about factors call that something.
    ``gives(value)`` makes of what ``reference`` returns what an answer returns, where that is a tuple of unlike parts.
    ``memory`` is how many bytes the arrays of a call may take at one time, besides its arguments; 0 sets no limit.
    ``limit`` is said where NaN or infinities came back: what the right answer has where NumPy divides 0 by 0.
    ``chained`` says that each entry depends on those before it: then it means nothing which of them come out right.
    ``promises`` are what the generators of its inputs promise beyond that.
    ``answer_table`` is that by which the students' edition judges (`kcourse.checks.answer_tables`): there
    ``reference`` and mistakes are known on drawn inputs only.
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
        """What the exercise is worth."""
        return sum(p.points for p in self.properties)

    @property
    def signature(self) -> str:
        """The head of the function, as the sheet states it."""
        return f"{self.name}({', '.join(self.parameters)})"

    @property
    def answer(self) -> Callable[..., Any]:
        """A right answer, to be called by others."""
        gives, reference = self.gives, self.reference
        if gives is None:
            return reference

        @functools.wraps(reference)
        def right(*args: Any, **keywords: Any) -> Any:
            return gives(reference(*args, **keywords))

        return right

    def seen(self, value: Any, args: Args) -> Any:
        """What of ``value`` is compared."""
        if self.view is None:
            return value
        try:
            viewed = self.view(value, *args)
        except Exception:  # whatever a student's value does when it is taken for what it should be
            return value
        return value if viewed is None else viewed

    def right(self, *args: Any) -> Any:
        """What of the right answer is compared."""
        return self.seen(self.reference(*args), args)

    def cases(self, seed: int) -> list[Case]:
        """Fresh inputs for every property; the same for the same seed, each property with a stream of its own."""
        streams = np.random.default_rng(seed).spawn(len(self.properties))
        return [
            Case(i, tuple(args))
            for i, (prop, rng) in enumerate(zip(self.properties, streams, strict=True))
            for args in prop.inputs(rng)
        ]
