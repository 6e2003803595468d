"""Pencil-and-paper problems, and how their numbers are drawn.

A `Problem` has functions: ``draw(rng)`` returns the numbers of its statement, ``work(…)`` computes the ``answer`` and
other results from them, and each `Misconception` computes a wrong answer. Their arguments are names of these numbers
and results. Statement and solution are Markdown with formulas in $…$, in which ``@name`` is replaced by a number as
LaTeX: ``@{+b}`` is a term of a sum, "+ 3" or "- 3", and ``@{(b}`` has parentheses if it is negative. A draw is rejected
and repeated if a function raises `Unfit`, if a number is too long for pencil and paper, or if two answers are equal.
"""

from __future__ import annotations

import inspect
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Template
from typing import Any

import numpy as np

from kcourse.paper_problems.exact import Unfit, fit, tex

__all__ = [
    "Choice", "Drawn", "Field", "Free", "Gap", "Gaps", "Misconception", "Numbers", "Order", "Problem", "Step", "draw",
    "called", "filled", "inserted", "option", "steps_of",
]  # fmt: skip

Answer = tuple[Any, ...]  # the value of each field
TRIES = 400
LETTERS = "ABCDEFGH"


@dataclass(frozen=True)
class Misconception:
    """A known mistake and the answer that it leads to.

    Attributes
    ----------
    says : str
        in words without formulas, so that a screen reader can read it. For numbers it continues "You get this …": "if λ
        is left out". For a choice or an order it is a complete sentence that says why the answer is wrong.
    answer : function or value
        the wrong answer, in the form of the right one; the function may return None if the mistake changes nothing.
    credit : float
        share of the points that it still earns, below 1.
    """

    says: str
    answer: Any
    credit: float = 0.0


@dataclass(frozen=True)
class Field:
    """A field for an answer: a number (no ``options``), or one of several options."""

    label: str
    options: tuple[str, ...] = ()


# ---------------------------------------------------------------- kinds of answers


@dataclass(frozen=True)
class Numbers:
    """An answer of one or several numbers: a fraction, a vector, a matrix row by row, the ends of an interval.

    Attributes
    ----------
    labels : str or sequence of str
        text before each field.
    rounded : bool
        whether the answer has two decimals; otherwise it is an integer or a fraction.
    columns : int
        fields in a row, if they form a matrix.
    """

    labels: str | Sequence[str]
    rounded: bool = False
    columns: int = 0

    def room(self, value: float) -> float:
        """Return the tolerance: fractions may be typed with two decimals, small ones with two digits; if the answer is
        rounded, intermediate results may also be rounded.
        """
        return 0.01 if self.rounded else 0.005 if abs(value) >= 0.1 or value == 0 else 0.05 * abs(float(value))

    @property
    def asks(self) -> str:
        return "Give two decimals." if self.rounded else "Give integers or fractions."

    def fields(self) -> tuple[Field, ...]:
        return tuple(Field(label) for label in ([self.labels] if isinstance(self.labels, str) else self.labels))

    def answer(self, value: Any) -> Answer:
        found = tuple(np.ravel(np.asarray(value, dtype=object)))
        if len(found) != len(self.fields()):
            raise ValueError(f"the answer must have {len(self.fields())} numbers, got {len(found)}")
        for each in found:
            if not np.isfinite(float(each)):
                raise Unfit("not a finite number")
        if self.rounded:
            return tuple(round(float(each), 2) + 0.0 for each in found)
        fit(found)
        if any(isinstance(each, float) and each != round(each, 2) for each in found):
            raise ValueError("an answer that is not a fraction needs rounded=True")
        return found

    def same(self, a: Answer, b: Answer) -> bool:
        """Whether the two answers are too close to be distinguished."""
        return all(abs(float(x) - float(y)) <= 1.1 * (self.room(x) + self.room(y)) for x, y in zip(a, b, strict=True))


@dataclass(frozen=True)
class Choice:
    """A choice between the right answer and those of the mistakes, in random order."""

    asks = "Choose one."

    def same(self, a: Answer, b: Answer) -> bool:
        return a == b


@dataclass(frozen=True)
class Order:
    """Lines of a derivation in random order; the answer is their letters in the right order.

    The answer of a mistake is also an order: ``(0, 2, 1, 3)`` are the lines, counted from 0 in the right order.
    """

    lines: tuple[str, ...]
    asks = "Give the letters in the right order, for example BADC."

    def same(self, a: Answer, b: Answer) -> bool:
        return a == b


@dataclass(frozen=True)
class Gap:
    """A gap of a derivation: the right entry, and wrong entries with a sentence that says why they are wrong."""

    right: str
    wrong: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Gaps:
    """Gaps (1), (2), … of a derivation, each with several entries to choose from."""

    gaps: tuple[Gap, ...]
    asks = "Choose one for each gap."

    def same(self, a: Answer, b: Answer) -> bool:
        return a == b


@dataclass(frozen=True)
class Step:
    """A step of a free answer: what must be on the paper, as Markdown, and its points."""

    text: str
    points: float


@dataclass(frozen=True)
class Free:
    """Free working: a derivation, a sketch, a counterexample. A person marks it, step by step."""

    steps: tuple[Step, ...]
    asks = "Show your working."

    def same(self, a: Answer, b: Answer) -> bool:
        return False


Kind = Numbers | Choice | Order | Gaps | Free


# ---------------------------------------------------------------- problems


@dataclass(frozen=True, eq=False)
class Problem:
    """A problem, from which any number of variants are drawn; see the module's docstring.

    Attributes
    ----------
    name : str
        an identifier, unique in its chapter.
    title : str
    kind : Numbers, Choice, Order, Gaps or Free
    draw : function of a Generator
        returns a dict of the numbers in the statement.
    work : function of these numbers, by name
        returns a dict with the ``answer`` and other results that the solution shows; may be None for Order, Gaps and
        Free.
    statement, solution : str
        Markdown.
    mistakes : tuple of Misconception
        empty for Gaps, which have their own, and for Free.
    minutes : float
    points : int
    level : int
        1 one line, 2 a few lines, 3 a short derivation.
    figure : function, or None
        takes numbers and results by name, returns a matplotlib figure and its text alternative.
    chapter : str
        stem of the chapter; set by `bank`.
    bank : str
        "practice"; "exam" if only exams use it, so that nobody has practised with it; or "own". Set when it is loaded.

    Raises
    ------
    ValueError
        if minutes, points or level are impossible, or the points differ from the sum of the steps' points.
    """

    name: str
    title: str
    kind: Kind
    statement: str
    solution: str
    minutes: float
    points: int
    level: int
    draw: Callable[[np.random.Generator], dict[str, Any]]
    work: Callable[..., dict[str, Any]] | None = None
    mistakes: tuple[Misconception, ...] = ()
    figure: Callable[..., Any] | None = None
    chapter: str = ""
    bank: str = "practice"

    def __post_init__(self) -> None:
        if not (self.minutes > 0 and self.points > 0 and self.level in (1, 2, 3)):
            raise ValueError(f"{self.name}: minutes and points must be above 0, and level must be 1, 2 or 3")
        if isinstance(self.kind, Free) and sum(step.points for step in self.kind.steps) != self.points:
            raise ValueError(f"{self.name}: its points are {self.points}, but its steps' points have another sum")

    @property
    def proves(self) -> bool:
        """Whether it is a derivation in steps."""
        return isinstance(self.kind, Order | Gaps)


@dataclass(frozen=True)
class Drawn:
    """A problem with its numbers.

    Attributes
    ----------
    problem : Problem
    seed : int
    names : dict
        the numbers, and the results of ``work``.
    shown : tuple of str
        the names of the numbers.
    statement, solution : str
        Markdown.
    fields : tuple of Field
    right : tuple
        the right entry of each field: a number, or words (one of the options; letters).
    wrong : tuple of (Misconception, tuple)
        each mistake that applies to these numbers, and its entries.
    """

    problem: Problem
    seed: int
    names: Mapping[str, Any] = field(repr=False)
    shown: tuple[str, ...]
    statement: str = field(repr=False)
    solution: str = field(repr=False)
    fields: tuple[Field, ...]
    right: Answer
    wrong: tuple[tuple[Misconception, Answer], ...]

    @property
    def asked(self) -> tuple[str, frozenset[str]]:
        """The statement and the options, in whatever order: what makes it another question."""
        return self.statement, frozenset(text for field in self.fields for text in field.options)


def draw(problem: Problem, seed: int) -> Drawn:
    """Draw the problem's numbers; ``seed`` determines them. RuntimeError if no draw fits."""
    rng = np.random.default_rng([seed, zlib.crc32(f"{problem.chapter}/{problem.name}".encode())])
    unfit = Unfit("")
    for _ in range(TRIES):
        try:
            return _drawn(problem, seed, rng)
        except Unfit as error:
            unfit = error
    raise RuntimeError(f"{problem.name}: none of {TRIES} draws fits; reason for the last one: {unfit}")


def _drawn(problem: Problem, seed: int, rng: np.random.Generator) -> Drawn:
    shown = problem.draw(rng)
    names = shown | (called(problem.work, shown) if problem.work else {})
    kind = problem.kind
    if isinstance(kind, Gaps):
        fields, right, wrong = _gaps(kind, names, rng)
    elif isinstance(kind, Free):
        fields, right, wrong = (), (), ()
    elif isinstance(kind, Order):
        fields, right, wrong, names = _order(problem, kind, names, rng)
    else:
        fields, right, wrong = _answers(problem, kind, names, rng)
    answers = [right, *(answer for _, answer in wrong)]
    for i, a in enumerate(answers):
        for b in answers[:i]:
            if kind.same(a, b):
                raise Unfit(f"two answers are {a}")
    statement = filled(problem.statement, names)
    return Drawn(problem, seed, names, tuple(shown), statement, filled(problem.solution, names), fields, right, wrong)


def _answers(problem: Problem, kind: Numbers | Choice, names: dict, rng: np.random.Generator) -> tuple:
    found = [(mistake, _of(mistake.answer, names)) for mistake in problem.mistakes]
    applying = [(mistake, value) for mistake, value in found if value is not None]
    if isinstance(kind, Numbers):
        wrong = tuple((mistake, kind.answer(value)) for mistake, value in applying)
        return kind.fields(), kind.answer(names["answer"]), wrong
    texts = [filled(text, names) for text in (names["answer"], *(value for _, value in applying))]
    options = tuple(texts[i] for i in rng.permutation(len(texts)))
    wrong = tuple((mistake, (text,)) for (mistake, _), text in zip(applying, texts[1:], strict=True))
    return (Field("", options),), (texts[0],), wrong


def _gaps(kind: Gaps, names: dict, rng: np.random.Generator) -> tuple:
    fields, right = [], tuple(filled(gap.right, names) for gap in kind.gaps)
    wrong = []
    for i, gap in enumerate(kind.gaps):
        others = [(filled(text, names), says) for text, says in gap.wrong]
        texts = [right[i], *(text for text, _ in others)]
        fields.append(Field(f"({i + 1})", tuple(texts[j] for j in rng.permutation(len(texts)))))
        credit = 1 - 1 / len(kind.gaps)
        wrong += [(Misconception(says, None, credit), (*right[:i], text, *right[i + 1 :])) for text, says in others]
    return tuple(fields), right, tuple(wrong)


def _order(problem: Problem, kind: Order, names: dict, rng: np.random.Generator) -> tuple:
    n = len(kind.lines)
    shown = rng.permutation(n)  # line shown[j] of the right order has letter j
    letter = {int(line): LETTERS[j] for j, line in enumerate(shown)}
    spelled = ["".join(letter[line] for line in order) for order in (range(n), *(s.answer for s in problem.mistakes))]
    if LETTERS[:n] in spelled:
        raise Unfit("the lines are already in the order of an answer")
    lines = "\n".join(f"- **{LETTERS[j]}** {filled(kind.lines[line], names)}" for j, line in enumerate(shown))
    wrong = tuple((mistake, (text,)) for mistake, text in zip(problem.mistakes, spelled[1:], strict=True))
    return (Field("Order"),), (spelled[0],), wrong, names | {"lines": lines, "answer": spelled[0]}


def _of(answer: Any, names: Mapping[str, Any]) -> Any:
    return called(answer, names) if callable(answer) else answer


class _Text(Template):
    delimiter = "@"
    idpattern = r"(?a:[A-Za-z]\w*)"
    braceidpattern = r"(?a:[+(]?[A-Za-z]\w*)"


class _Written(dict):
    """The names of a text as LaTeX; "+" or "(" before a name sets its sign."""

    def __missing__(self, key: str) -> str:
        sign = key[0] if key[0] in "+(" else ""
        return tex(self["names"][key[len(sign) :]], sign)


def filled(text: str, names: Mapping[str, Any]) -> str:
    """Return the text with its numbers, and its parts (a), (b), … in paragraphs; KeyError for an unknown name."""
    lines = re.sub(r"\n[ ]+", "\n", _Text(text).substitute(_Written(names=names)).strip())
    return re.sub(r"(?:(?<!\n)\n|(?<=[.?!]) )(?=\([a-h]\) )", "\n\n", lines)


def steps_of(drawn: Drawn) -> list[tuple[float, str]]:
    """Return the points and the text of each step of a free answer; an empty list for other answers."""
    steps = drawn.problem.kind.steps if isinstance(drawn.problem.kind, Free) else ()
    return [(step.points, filled(step.text, drawn.names)) for step in steps]


def called(function: Callable[..., Any], names: Mapping[str, Any]) -> Any:
    """Call a function with those names that are its parameters."""
    return function(**{name: names[name] for name in inspect.signature(function).parameters})


def option(n: int) -> Callable[..., str | None]:
    """Return the answer of a mistake that chooses ``options[n]``, unless n is ``which``, the right one's number."""
    return lambda options, which: None if which == n else options[n]


def inserted(text: str) -> list[str]:
    """Return the names that a text inserts, without their signs."""
    return [name.lstrip("+(") for name in _Text(text).get_identifiers()]
