"""The checks of the students' edition: they use tables that were generated when the edition was packed.

For each drawn input, a table holds the values of the right answer, of each known mistake and of each pair of mistakes;
none of these exists as code. Nothing is known about other inputs, so these checks say less. The tables are made by
``kcourse_grader.release.answer_tables``. The grader has the complete checks and draws its own inputs.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from kcourse.checks.spec import Args, Changed, Exercise, Misconception, Observation, Property

__all__ = ["LISTS", "PLAIN", "NotKnown", "Packed", "Sheet", "Table"]


class NotKnown(ValueError):
    """No table contains the requested value."""


class Packed:
    """Values as JSON, with their arrays in one separate run of bytes; half of each symmetric matrix is stored."""

    def __init__(self, data: bytes = b"") -> None:
        self.data = bytearray(data)
        self.places: dict[tuple, int] = {}

    def keep(self, array: np.ndarray) -> int:
        """Store the bytes of an array and return their place; equal bytes are stored once."""
        content = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        key = (hashlib.sha256(content).digest(), len(content))
        if key not in self.places:
            self.places[key] = len(self.data)
            self.data += content
        return self.places[key]

    def take(self, dtype: str, place: int, shape: Sequence[int]) -> np.ndarray:
        """Return a copy of the array at this place."""
        count = int(np.prod(shape, dtype=int))
        found = np.frombuffer(self.data, np.dtype(dtype).newbyteorder("<"), count, place)
        return found.astype(np.dtype(dtype)).reshape(shape)

    def write(self, value: Any) -> Any:
        """Return ``value`` as JSON: arrays, numbers, strings, None, tuples and lists of them; TypeError for others."""
        if value is None or type(value) in (bool, int, float, str):
            return value
        if isinstance(value, np.generic):
            return {"scalar": [value.dtype.str, self.keep(np.asarray(value))]}
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            if value.ndim == 2 and len(value) > 2 and np.array_equal(value, value.T):
                return {"symmetric": [value.dtype.str, self.keep(value[np.triu_indices(len(value))]), len(value)]}
            return {"array": [value.dtype.str, self.keep(value), list(value.shape)]}
        if type(value) in (tuple, list):
            return {type(value).__name__: [self.write(item) for item in value]}
        raise TypeError(f"a table cannot hold {type(value).__name__} {value!r:.60}")

    def read(self, node: Any) -> Any:
        """Return the value that `write` turned into this node."""
        if not isinstance(node, dict):
            return node
        [(kind, content)] = node.items()
        if kind in ("tuple", "list"):
            items = [self.read(item) for item in content]
            return tuple(items) if kind == "tuple" else items
        if kind == "scalar":
            return self.take(*content, ())[()]
        if kind == "array":
            return self.take(*content)
        dtype, place, n = content
        whole, (i, j) = np.empty((n, n), dtype), np.triu_indices(n)
        whole[i, j] = whole[j, i] = self.take(dtype, place, i.shape)
        return whole


class _Row:
    """One call, drawn for a property or made by an experiment, and its known values."""

    def __init__(self, packed: Packed, node: dict[str, Any]) -> None:
        self.packed, self.node = packed, node
        self.property, self.draw = node["property"], node.get("draw")

    @cached_property
    def args(self) -> Args:
        return self.packed.read(self.node["args"])

    @cached_property
    def right(self) -> Any:
        return self.packed.read(self.node["right"])

    def number(self, value: Any, like: Any) -> np.ndarray | None:
        """Return what a mistake gives: 0 means the right answer, None an error, anything else a place of numbers."""
        if value is None or value == 0:
            return None if value is None else like
        shape = np.shape(like)
        if isinstance(value, int):
            return self.packed.take("f4", value - 1, shape).astype(float)
        dtype, place, *shape = value
        return self.packed.take(dtype, place, shape).astype(float)


class Table:
    """The table of one exercise; its rows are read when they are needed."""

    def __init__(self, folder: Path, told: dict[str, Any]) -> None:
        self.folder, self.told = folder, told
        self.view: Callable[..., Any] | None = None
        self._met: dict[tuple[int, ...], _Row] = {}

    @cached_property
    def rows(self) -> list[_Row]:
        file = self.folder / self.told["name"]
        try:
            words, data = (file.with_suffix(kind).read_bytes() for kind in (".json", ".bin"))
        except OSError:
            words = data = b""
        if hashlib.sha256(words + data).hexdigest() != self.told["digest"]:
            raise RuntimeError(
                f"kcourse is damaged: the tables of {self.told['name']} have changed since they were packed. Install "
                "its wheel again, from the archive of the course."
            )
        packed = Packed(data)
        return [_Row(packed, node) for node in json.loads(words)]

    @property
    def has_numbers(self) -> bool:
        """Whether an argument is a number that an answer may replace by another."""
        return any(isinstance(value, float) for value in self.rows[0].args)

    def row(self, args: Args) -> _Row:
        """The row of these arguments; NotKnown if there is none."""
        found = self._met.get(tuple(map(id, args)))
        found = found or next((row for row in self.rows if _equal(row.args, args)), None)
        if found is None:
            raise NotKnown(f"{self.told['name']}: the table does not contain these arguments")
        return found

    def drawn(self, prop: int, rng: np.random.Generator) -> list[Args]:
        """Return the inputs of one draw for a property."""
        draws = sorted({row.draw for row in self.rows if row.property == prop})
        chosen = draws[int(rng.integers(len(draws)))]
        rows = [row for row in self.rows if row.property == prop and row.draw == chosen]
        self._met |= {tuple(map(id, row.args)): row for row in rows}
        return [row.args for row in rows]

    def right(self, *args: Any) -> Any:
        """Return the right answer."""
        return self.row(args).right

    def beside(self, name: str) -> Callable[..., Any]:
        """Return a function that looks up another known value of a row, for a view or an observation."""

        def known(*args: Any) -> Any:
            row = self.row(args)
            return row.right if not name else row.packed.read(row.node["beside"][name])

        return known

    def named(self, what: str) -> Callable[..., Any]:
        """Return a function that looks up the ``sizes`` or the ``scale`` of a row."""
        return lambda *args: self.row(args).node[what]

    def seen(self, value: Any, *args: Any) -> Any:
        """Return the compared part of a value; the value of a mistake is stored in this form."""
        return value.numbers if isinstance(value, _Seen) else self.view(value, *args) if self.view else value

    def mistake(self, i: int) -> Callable[..., Any]:
        """Return the ``i``-th mistake as a function; it also accepts arguments that another mistake has changed."""

        def wrong(*args: Any) -> Any:
            first = args[0] if args and isinstance(args[0], _By) else None
            args = args[1:] if first else args
            try:
                row = self.row(args)
            except NotKnown:
                row = self._ignoring(i, args)
            value = row.node["pairs"][str(first.mistake)][i] if first else row.node["mistakes"][i]
            right = self.seen(row.right, *row.args)
            found = row.number(value, row.right if right is None else right)
            if found is None:
                raise ValueError("the mistake gives no result for these arguments")
            return _Seen(found) if self.view else found

        return wrong

    def _ignoring(self, i: int, args: Args) -> _Row:
        """Return the row whose arguments are these except for one halved number that the mistake ignores."""
        for row in self._met.values():
            for at in row.node["blind"].get(str(i), ()):
                if args[at] == 2 * row.args[at] and _equal(
                    [*row.args[:at], *row.args[at + 1 :]], [*args[:at], *args[at + 1 :]]
                ):
                    return row
        raise NotKnown("the table does not contain these arguments")


class _Seen:
    """Numbers to which the view has been applied already."""

    def __init__(self, numbers: Any) -> None:
        self.numbers = numbers


class _By:
    """A mark for arguments that a mistake has changed."""

    def __init__(self, mistake: int) -> None:
        self.mistake = mistake


class _Shifted(Changed):
    """A mistake that changes arguments; the table holds what other mistakes give for the changed ones."""

    def __call__(self, *args: Any) -> Any:
        return self.formula(*args)


class Sheet:
    """The exercises of one chapter; their tables are in the folder of ``file``."""

    def __init__(self, file: str) -> None:
        folder = Path(file).parent / "tables"
        told = json.loads((folder / "exercises.json").read_text(encoding="utf-8"))
        self.tables = {each["name"]: Table(folder, each) for each in told}

    def known(self, exercise: str, name: str = "") -> Callable[..., Any]:
        """Return a function that looks up ``name`` for an exercise's inputs; without a name, the right answer."""
        return self.tables[exercise].beside(name)

    def exercises(self, looks: dict[str, dict[str, Any]]) -> tuple[Exercise, ...]:
        """Return the exercises; ``looks`` inspect an answer: functions ``view``, ``gives`` and ``observations``."""
        return tuple(_exercise(table, looks[name]) for name, table in self.tables.items())


def _exercise(table: Table, looks: dict[str, Any]) -> Exercise:
    told = table.told
    table.view = looks["view"]
    reference = table.right
    parameters = [inspect.Parameter(p, inspect.Parameter.POSITIONAL_OR_KEYWORD) for p in told["parameters"]]

    def right(*args: Any) -> Any:
        return reference(*args)

    right.__name__ = right.__qualname__ = told["name"]
    right.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return Exercise(
        **{name: told[name] for name in PLAIN},
        **{name: tuple(told[name]) for name in LISTS},
        reference=right,
        properties=tuple(_properties(table)),
        misconceptions=tuple(_misconceptions(table)),
        observations=tuple(
            Observation(each["says"], _careful(holds), each["early"])
            for each, holds in zip(told["observations"], looks["observations"], strict=True)
        ),
        sizes=table.named("sizes"),
        view=table.seen if looks["view"] else None,
        gives=looks["gives"],
        answer_table=table,
    )


PLAIN = ("name", "chapter", "number", "returns", "step", "experiment", "limit", "view_name", "chained", "memory")
LISTS = ("allowed", "refused", "parts")


def _properties(table: Table) -> Iterable[Property]:
    for i, each in enumerate(table.told["properties"]):

        def inputs(rng: np.random.Generator, i: int = i) -> list[Args]:
            return table.drawn(i, rng)

        scale = table.named("scale") if each["scaled"] else None
        yield Property(each["says"], each["points"], inputs, each["hint"], scale)


def _misconceptions(table: Table) -> Iterable[Misconception]:
    for i, each in enumerate(table.told["misconceptions"]):
        wrong: Callable[..., Any] | None = table.mistake(i)
        if each["kind"] == "raises":
            wrong = None
        elif each["kind"] == "changed":
            wrong = _Shifted(table.mistake(i), lambda *args, i=i: (_By(i), *args))
        yield Misconception(each["name"], wrong, each["hint"], each["step"], each["experiment"], each["error"])


def _careful(holds: Callable[..., bool]) -> Callable[..., bool]:
    """Return ``holds``, but False where it needs a value that is not in the tables."""

    def seen(value: Any, *args: Any) -> bool:
        try:
            return holds(value, *args)
        except NotKnown:
            return False

    return seen


def _equal(a: Any, b: Any) -> bool:
    if a is b:
        return True
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.shape(a) == np.shape(b) and bool(np.array_equal(a, b))
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(map(_equal, a, b))
    return bool(a == b)
