"""Make the checks of the students' edition: tables of right answers and mistakes instead of code.

For each exercise, inputs are drawn, and the values of the right answer, of each mistake and of each pair of mistakes
are stored. `kcourse.checks.answer_tables` reads them. Only the functions that inspect an answer stay code: ``view``,
``gives`` and the observations. They are copied together with everything that they call.

These functions may call a right answer, or a part of an answer or mistake, only through a function that takes the
exercise's own arguments. The values of that function are stored as well (example: ``_errors`` of ``krr_tune``). The
release stops with an error where this is not so. A check that needs right answers on other inputs must test
``exercise.answer_table`` first and say less in this edition. No other module that students get, such as figures or
paper problems, may contain an answer. ``tests/checks/test_answer_tables.py`` compares the verdicts of both editions,
and ``tests/grader/test_release.py`` tests what the wheel must not contain.

``python -m kcourse_grader.release.answer_tables STEM FOLDER`` runs in the folder whose kcourse is packed. It writes
the chapter's ``marks.py`` and ``tables`` into FOLDER.
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
from kcourse.checks.answer_tables import LISTS, PLAIN, Packed
from kcourse.checks.compare import Trial, as_numbers, close
from kcourse.checks.experiments import printed
from kcourse.checks.judge import gives_of, pairs_of, unheard
from kcourse.checks.spec import RTOL
from kcourse.execution.calls import Outcome

__all__ = ["write_tables"]

MOST, LEAST = 12, 5  # number of draws for a property
_ROOM = 60_000  # bytes for a property; beyond that only LEAST draws are made
_LARGE = 300_000  # bytes of a draw from which on only one is made

_HEAD = '''"""The exercises of this sheet in the students' edition, made when it was packed.

``tables`` has the values of right answers and known mistakes on drawn inputs; this file inspects an answer.
"""

from __future__ import annotations

{imports}
from kcourse.checks.answer_tables import Sheet

__all__ = ["EXERCISES"]

_SHEET = Sheet(__file__)
'''


def write_tables(stem: str, folder: Path, most: int = MOST) -> None:
    """Write the students' edition of a chapter's checks into ``folder``, with at most ``most`` draws for a property.

    Raises
    ------
    ValueError
        for a view or an observation that needs code of an answer; the text says how to rewrite it.
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
    """Return the texts of an exercise."""
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
    shown = [_known(spec, Case(0, args), beside, packed) | {"property": None} for args in _of_experiments(spec)]
    return rows + list({_json(row): row for row in shown}.values()), bytes(packed.data)


def _of_experiments(spec: Exercise) -> list[tuple]:
    """Return the arguments of the calls that the experiments make."""
    found: list[tuple] = []
    for text in dict.fromkeys([spec.experiment, *(mistake.experiment for mistake in spec.misconceptions)]):
        printed(spec, lambda *args: found.append(args) or spec.answer(*args), text)
    return found


def _known(spec: Exercise, case: Case, beside: dict[str, Callable], packed: Packed) -> dict[str, Any]:
    """Return the arguments of a call, the right answer, and what a view or an observation asks for."""
    scale = spec.properties[case.property].scale
    return {
        "property": case.property,
        "args": packed.write(case.args),
        "right": packed.write(spec.reference(*case.args)),
        "scale": float(scale(*case.args)) if scale else None,
        "beside": {name: packed.write(known(*case.args)) for name, known in beside.items()},
    }


def _row(spec: Exercise, case: Case, beside: dict[str, Callable], packed: Packed) -> dict[str, Any]:
    """Return one call with the values of the right answer, the mistakes and their pairs."""
    known = _known(spec, case, beside, packed)
    trial = Trial(case, Outcome(), spec.right(*case.args), known["scale"])
    mistakes = spec.misconceptions
    places = {f"{a.name} + {b.name}": (i, j) for i, a in enumerate(mistakes) for j, b in enumerate(mistakes)}
    pairs: dict[str, list] = {}
    for pair in pairs_of(spec):
        first, second = places[pair.name]
        values = pairs.setdefault(str(second), [None] * len(mistakes))
        values[first] = _number(spec, gives_of(spec, pair, trial), trial, packed)
    return known | {
        "sizes": {name: float(size) for name, size in spec.sizes(*case.args).items()},
        "mistakes": [
            _number(spec, None if s.wrong is None else gives_of(spec, s, trial), trial, packed) for s in mistakes
        ],
        "pairs": pairs,
        "blind": {str(i): found for i, mistake in enumerate(mistakes) if (found := _blind(spec, mistake, trial))},
    }


def _number(spec: Exercise, value: Any, trial: Trial, packed: Packed) -> Any:
    """Store a mistake's value as `Table` reads it, in single precision if that is enough to recognise it."""
    if value is None:
        return None
    numbers = np.asarray(as_numbers(value))
    if _as_good(spec, numbers, trial.expected, trial.scale, 1e-3 * RTOL):
        return 0
    with np.errstate(over="ignore"):
        short = numbers.astype("f4")
    # a single number x is also compared as 1 - x, which may leave few digits
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
    """Return which float arguments the mistake ignores: it gives the same value when they are doubled."""
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
    """Return the names, in the written module, of the functions that inspect an answer."""
    return {
        "view": code.name(spec.view, spec) if spec.view else None,
        "gives": code.name(spec.gives, spec) if spec.gives else None,
        "observations": [code.name(observation.holds, spec) for observation in spec.observations],
    }


class _Code:
    """The functions that inspect answers, copied under new names."""

    def __init__(self, specs: tuple[Exercise, ...]) -> None:
        self.specs = specs
        self.beside: dict[str, dict[str, Callable]] = {spec.name: {} for spec in specs}
        self.written: dict[tuple[str, int], str] = {}
        self.kept: list[Any] = []  # keeps the objects alive, so that ids stay unique
        self.parts: list[str] = []
        self.count = 0
        self.imports: set[str] = set()
        self.answers = _answers(specs)

    def text(self, looks: dict[str, dict[str, Any]]) -> str:
        """Return the text of the module."""
        rows = []
        for name, each in looks.items():
            entries = [f'"view": {each["view"]}', f'"gives": {each["gives"]}']
            entries.append(f'"observations": [{", ".join(each["observations"])}]')
            rows.append(f'    "{name}": {{{", ".join(entries)}}},\n')
        head = _HEAD.format(imports="\n".join(sorted(self.imports)))
        return "\n\n".join([head, *self.parts, f"EXERCISES = _SHEET.exercises({{\n{''.join(rows)}}})\n"])

    def name(self, thing: Any, spec: Exercise) -> str:
        """Return the name of ``thing`` in the module, after writing it there."""
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
        raise ValueError(
            f"{spec.name}: a function that inspects its answers uses {thing!r:.80}, which cannot be copied"
        )

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
        """Store a part of an answer as its values on the exercise's own inputs."""
        if not _needs(function, spec):
            raise ValueError(
                f"{spec.name}: a function that inspects its answers calls {function.__name__}, which is part of an "
                "answer or of a mistake and must not be handed out. Let it call a function of the exercise's own "
                f"arguments ({', '.join(spec.parameters)}), whose values can be stored."
            )
        self.beside[spec.name][function.__name__] = function
        return f'_SHEET.known("{spec.name}", "{function.__name__}")'


def _answers(specs: tuple[Exercise, ...]) -> set[types.CodeType]:
    """Return the code of right answers, mistakes and all that they call, except functions that inspect answers."""
    looks = {f.__code__ for spec in specs for f in (spec.view, spec.gives) if isinstance(f, types.FunctionType)}
    mistakes = [mistake.wrong for spec in specs for mistake in spec.misconceptions]
    return _reached([*(spec.reference for spec in specs), *mistakes], looks)


def _needs(function: Callable, spec: Exercise) -> bool:
    """Whether a function takes as many required arguments as the exercise."""
    wanted = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    return len(wanted) == len(spec.parameters)


def _reached(start: list[Any], but: set[types.CodeType]) -> set[types.CodeType]:
    """Return the code of all chapter functions that these functions are, call or contain, directly or indirectly."""
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
    """Return a copy of a function's syntax tree."""
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
    """Yield the outer names that the function uses, with their values; remove docstrings and annotations."""
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
            raise ValueError(f"{function.__qualname__}: the name {name} is not defined in its module")


class _Renamed(ast.NodeTransformer):
    """Replace names with their names in the written module."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.parse(self.names[node.id], mode="eval").body if node.id in self.names else node


def main(arguments: list[str]) -> int:
    """Write the tables of a chapter; `kcourse_grader.release.archives` runs this in a separate folder."""
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
