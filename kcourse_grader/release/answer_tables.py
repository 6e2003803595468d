"""Make the checks of the students' edition: tables of right answers and mistakes instead of code.

For each exercise inputs are drawn, and what the right answer, each mistake and each pair of mistakes gives is written
down (`kcourse.checks.answer_tables` reads it). What stays code are the functions that look at an answer: its ``view``,
what it ``gives``, and its observations. They are copied with all that they call, and where that is part of an answer or
of a mistake, its values on the drawn inputs are stored in its place.

Run as ``python -m kcourse_grader.release.answer_tables STEM FOLDER``, in the folder whose kcourse is packed: the
chapter's ``marks.py`` and ``tables`` are written into FOLDER.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import hashlib
import inspect
import json
import sys
import types
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from kcourse.base import threads
from kcourse.checks import Case, Changed, Exercise, exercises
from kcourse.checks.answer_tables import LISTS, PLAIN, Packed, fingerprint
from kcourse.checks.compare import Trial, as_numbers, close
from kcourse.checks.experiments import printed
from kcourse.checks.judge import gives_of, pairs_of, unheard
from kcourse.checks.spec import RTOL
from kcourse.execution.calls import Outcome

__all__ = ["write_tables"]

MOST, LEAST = 12, 5  # draws of a property
_ROOM = 60_000  # bytes of a property, as far as LEAST allows
_LARGE = 300_000  # bytes of a draw that is made once

_HEAD = '''"""The exercises of this sheet in the students' edition, made when it was packed.

What right answers and named mistakes give on drawn inputs is in ``tables``; here is what looks at an answer.
"""

from __future__ import annotations

{imports}
from kcourse.checks.answer_tables import Sheet

__all__ = ["EXERCISES"]

_SHEET = Sheet(__file__)
'''


def write_tables(stem: str, folder: Path, most: int = MOST) -> None:
    """Write the students' edition of a chapter's checks into ``folder``, with at most so many draws of a property.

    Raises
    ------
    ValueError
        for a view or an observation that cannot do without code of an answer: the text says how to write it.
    """
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    specs, told = exercises(stem), []
    code = _Code(specs)
    looks = {spec.name: _looks(spec, code) for spec in specs}
    for spec in specs:
        with unheard():
            rows, data = _table(spec, code.beside[spec.name], most)
            told.append(_told(spec))
        file = folder / "tables" / spec.name
        words = _json(rows).encode()
        told[-1]["digest"] = hashlib.sha256(words + data).hexdigest()
        file.with_suffix(".json").write_bytes(words)
        file.with_suffix(".bin").write_bytes(data)
    (folder / "tables" / "exercises.json").write_text(_json(told), encoding="utf-8", newline="\n")
    (folder / "marks.py").write_text(code.text(looks), encoding="utf-8", newline="\n")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


# -- words


def _told(spec: Exercise) -> dict[str, Any]:
    """What is said of an exercise, and what its experiments print of a right answer."""
    texts = dict.fromkeys([spec.experiment, *(mistake.experiment for mistake in spec.misconceptions)])
    return {
        **{name: getattr(spec, name) for name in PLAIN},
        **{name: list(getattr(spec, name)) for name in (*LISTS, "parameters")},
        "properties": [
            {"says": p.says, "points": p.points, "hint": p.hint, "scaled": p.scale is not None} for p in spec.properties
        ],
        "misconceptions": [
            {
                **{name: getattr(mistake, name) for name in ("name", "hint", "step", "experiment", "error")},
                "kind": "raises"
                if mistake.wrong is None
                else "changed"
                if isinstance(mistake.wrong, Changed)
                else "gives",
            }
            for mistake in spec.misconceptions
        ],
        "observations": [{"says": o.says, "early": o.early} for o in spec.observations],
        "printed": {fingerprint(t): fingerprint(printed(t, spec.name, spec.reference)) for t in texts if t},
    }


# -- numbers


def _table(spec: Exercise, beside: dict[str, Callable], most: int) -> tuple[list[dict], bytes]:
    packed, rows = Packed(), []
    for i, prop in enumerate(spec.properties):
        wanted, draw = most, 0
        while draw < wanted:
            before = len(packed.data)
            for args in prop.inputs(np.random.default_rng([zlib.crc32(spec.name.encode()), i, draw])):
                rows.append(_row(spec, Case(i, tuple(args)), beside, packed) | {"draw": draw})
            size, draw = len(packed.data) - before, draw + 1
            if draw == 1 and size:
                wanted = 1 if size > _LARGE else min(most, max(LEAST, _ROOM // size))
    return rows, bytes(packed.data)


def _row(spec: Exercise, case: Case, beside: dict[str, Callable], packed: Packed) -> dict[str, Any]:
    """One call, and what everybody gives there."""
    prop, right = spec.properties[case.property], spec.reference(*case.args)
    scale = float(prop.scale(*case.args)) if prop.scale else None
    like = spec.seen(right, case.args)
    trial = Trial(case, Outcome(), like, scale)
    mistakes = spec.misconceptions
    pairs: dict[str, list] = {}
    for pair in pairs_of(spec):
        first, second = next(
            (i, j)
            for i, a in enumerate(mistakes)
            for j, b in enumerate(mistakes)
            if pair.name == f"{a.name} + {b.name}"
        )
        values = pairs.setdefault(str(second), [None] * len(mistakes))
        values[first] = _number(spec, gives_of(spec, pair, trial), trial, packed)
    return {
        "property": case.property,
        "args": packed.write(case.args),
        "right": packed.write(right),
        "scale": scale,
        "sizes": {name: float(size) for name, size in spec.sizes(*case.args).items()},
        "beside": {name: packed.write(known(*case.args)) for name, known in beside.items()},
        "mistakes": [
            _number(spec, None if s.wrong is None else gives_of(spec, s, trial), trial, packed) for s in mistakes
        ],
        "pairs": pairs,
        "blind": {str(i): found for i, mistake in enumerate(mistakes) if (found := _blind(spec, mistake, trial))},
    }


def _number(spec: Exercise, value: Any, trial: Trial, packed: Packed) -> Any:
    """What a mistake gives, as `Table` reads it; in single precision where that is enough to tell it by."""
    if value is None:
        return None
    numbers = np.asarray(as_numbers(value))
    if _as_good(spec, numbers, trial.expected, trial.scale, 1e-3 * RTOL):
        return 0
    with np.errstate(over="ignore"):
        short = numbers.astype("f4")
    # of a single number it is asked what 1 minus it is, which may leave few digits
    kind = short if numbers.size > 1 and _as_good(spec, short, numbers, trial.scale, 0.1 * RTOL) else numbers
    place = packed.keep(kind)
    if kind is short and short.shape == np.shape(trial.expected):
        return place + 1
    return [kind.dtype.str[1:], place, *kind.shape]


def _as_good(spec: Exercise, value: np.ndarray, target: Any, scale: float | None, rtol: float) -> bool:
    wanted = as_numbers(target)
    if wanted is None or value.shape != wanted.shape or not close(value, wanted, scale, rtol):
        return False
    return not spec.parts or all(close(a, b, None, rtol) for a, b in zip(value, wanted, strict=True))


def _blind(spec: Exercise, mistake: Any, trial: Trial) -> list[int]:
    """Which numbers among the arguments the mistake does not look at: it gives the same for twice them."""
    if mistake.wrong is None or (gives := gives_of(spec, mistake, trial)) is None:
        return []
    found = []
    for i, number in enumerate(trial.args):
        if isinstance(number, float):
            args = (*trial.args[:i], 2 * number, *trial.args[i + 1 :])
            other = gives_of(spec, mistake, Trial(Case(0, args), Outcome(), None))
            if other is not None and close(other, gives):
                found.append(i)
    return found


# -- code


def _looks(spec: Exercise, code: _Code) -> dict[str, Any]:
    """The names of the functions that look at an answer, in the module that is written."""
    return {
        "view": code.name(spec.view, spec) if spec.view else None,
        "gives": code.name(spec.gives, spec) if spec.gives else None,
        "observations": [code.name(observation.holds, spec) for observation in spec.observations],
    }


class _Code:
    """The functions that look at answers, copied under names of their own."""

    def __init__(self, specs: tuple[Exercise, ...]) -> None:
        self.specs = specs
        self.beside: dict[str, dict[str, Callable]] = {spec.name: {} for spec in specs}
        self.written: dict[tuple[str, int], str] = {}
        self.kept: list[Any] = []  # so that no other has its id
        self.parts: list[str] = []
        self.count = 0
        self.imports: set[str] = set()
        self.answers = _answers(specs)

    def text(self, looks: dict[str, dict[str, Any]]) -> str:
        """The module."""
        rows = []
        for name, each in looks.items():
            entries = [f'"view": {each["view"]}', f'"gives": {each["gives"]}']
            entries.append(f'"observations": [{", ".join(each["observations"])}]')
            rows.append(f'    "{name}": {{{", ".join(entries)}}},\n')
        head = _HEAD.format(imports="\n".join(sorted(self.imports)))
        return "\n\n".join([head, *self.parts, f"EXERCISES = _SHEET.exercises({{\n{''.join(rows)}}})\n"])

    def name(self, thing: Any, spec: Exercise) -> str:
        """What ``thing`` is called in the module; it is written there first."""
        key = (spec.name, id(thing))
        if key not in self.written:
            self.kept.append(thing)
            self.written[key] = self._write(thing, spec)
        return self.written[key]

    def _write(self, thing: Any, spec: Exercise) -> str:
        if thing is None or type(thing) in (bool, int, float, str):
            return repr(thing)
        if type(thing) in (tuple, list) and all(type(t) in (bool, int, float, str) for t in thing):
            return repr(thing)
        if isinstance(thing, types.ModuleType):
            self.imports.add(f"import {thing.__name__}")
            return thing.__name__
        home = getattr(thing, "__module__", "") or ""
        if home == "builtins":
            return thing.__name__
        if isinstance(thing, types.FunctionType) and home.startswith("kcourse.chapters"):
            return self._function(thing, spec)
        if isinstance(thing, (types.FunctionType, type)) and getattr(sys.modules[home], thing.__name__, None) is thing:
            self.imports.add(f"from {home} import {thing.__name__}")
            return thing.__name__
        raise ValueError(f"{spec.name}: what looks at its answers uses {thing!r:.80}, which cannot be copied")

    def _function(self, function: types.FunctionType, spec: Exercise) -> str:
        if function is spec.reference:
            return f'_SHEET.known("{spec.name}")'
        if function.__code__ in self.answers or (_needs(function, spec) and _reached([function], set()) & self.answers):
            return self._stored(function, spec)
        node, label = _node_of(function.__code__), function.__name__.strip("<>_") or "f"
        self.count += 1
        label = f"_{spec.name}_{label}_{self.count}"
        used = {name: self.name(thing, spec) for name, thing in _used(function, node)}
        node = _Renamed(used).visit(node)
        if isinstance(node, ast.Lambda):
            self.parts.append(f"{label} = {ast.unparse(node)}")
        else:
            node.name, node.decorator_list = label, []
            self.parts.append(ast.unparse(node))
        return label

    def _stored(self, function: types.FunctionType, spec: Exercise) -> str:
        """A part of an answer, whose values on the exercise's own inputs are stored."""
        if not _needs(function, spec):
            raise ValueError(
                f"{spec.name}: what looks at its answers calls {function.__name__}, which is part of an answer or of a "
                "mistake and must not be handed out. Have it call a function of the exercise's own arguments "
                f"({', '.join(spec.parameters)}): what that gives can be stored."
            )
        self.beside[spec.name][function.__name__] = function
        return f'_SHEET.known("{spec.name}", "{function.__name__}")'


def _answers(specs: tuple[Exercise, ...]) -> set[types.CodeType]:
    """The code of right answers and mistakes, and of all that they call but for the functions that look at answers."""
    looks = {f.__code__ for spec in specs for f in (spec.view, spec.gives) if isinstance(f, types.FunctionType)}
    mistakes = [mistake.wrong for spec in specs for mistake in spec.misconceptions]
    return _reached([*(spec.reference for spec in specs), *mistakes], looks)


def _needs(function: Callable, spec: Exercise) -> bool:
    """Whether a function is called as the exercise's own are."""
    wanted = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    return len(wanted) == len(spec.parameters)


def _reached(start: list[Any], but: set[types.CodeType]) -> set[types.CodeType]:
    """The code of chapters' functions that these functions are, call or are made with, directly or not."""
    found: set[types.CodeType] = set()
    queue = list(start)
    while queue:
        item = queue.pop()
        if isinstance(item, Changed):
            queue += [item.formula, item.change]
        elif isinstance(item, dict):
            queue += item.values()
        elif isinstance(item, (tuple, list)):
            queue += item
        elif isinstance(item, types.FunctionType) and item.__module__.startswith("kcourse.chapters"):
            if item.__code__ in but or item.__code__ in found:
                continue
            found.add(item.__code__)
            queue += [item.__globals__[name] for name in _names(item.__code__) if name in item.__globals__]
            queue += [cell.cell_contents for cell in item.__closure__ or ()]
            queue += [*(item.__defaults__ or ()), *(item.__kwdefaults__ or {}).values()]
    return found


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from _names(part)


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text(encoding="utf-8"))


def _node_of(code: types.CodeType) -> Any:
    """A copy of a function's own piece of its source."""
    found = []
    places = [(p[0], p[2], p[1], p[3]) for p in code.co_positions() if None not in p and p[3]]
    for node in ast.walk(_tree(code.co_filename)):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            if code.co_firstlineno in (node.lineno, *(d.lineno for d in node.decorator_list)):
                found.append(node)
        elif isinstance(node, ast.Lambda) and code.co_name == "<lambda>" and node.lineno == code.co_firstlineno:
            begin, end = (node.body.lineno, node.body.col_offset), (node.body.end_lineno, node.body.end_col_offset)
            if all(begin <= (p[0], p[1]) and (p[2], p[3]) <= end for p in places):
                found.append(node)
    node = min(found, key=lambda n: len(ast.unparse(n)))
    copy = ast.parse(ast.unparse(node)).body[0]
    return copy.value if isinstance(copy, ast.Expr) else copy


def _used(function: types.FunctionType, node: ast.AST) -> Iterator[tuple[str, Any]]:
    """The names of its surroundings that the function uses, with what they stand for; its words are left behind."""
    bound = {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}
    bound |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    if isinstance(node, ast.FunctionDef):  # annotations are not evaluated
        for n in ast.walk(node):
            if isinstance(n, ast.FunctionDef):
                n.returns = None
                n.body = n.body[ast.get_docstring(n) is not None :]
            if isinstance(n, ast.arg):
                n.annotation = None
    inner = inspect.getclosurevars(function).nonlocals
    for name in sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)} - bound):
        if name in inner:
            yield name, inner[name]
        elif name in function.__globals__:
            yield name, function.__globals__[name]
        elif not hasattr(builtins, name):
            raise ValueError(f"{function.__qualname__}: {name} is not known where it stands")


class _Renamed(ast.NodeTransformer):
    """Names replaced by what stands for them in the module."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.parse(self.names[node.id], mode="eval").body if node.id in self.names else node


def main(arguments: list[str]) -> int:
    """Write the tables of a chapter; for `kcourse_grader.release.archives`, which starts it in a folder of its own."""
    stem, folder, *more = arguments
    with contextlib.suppress(ImportError):
        threads.limit()
    try:
        write_tables(stem, Path(folder), *map(int, more))
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
