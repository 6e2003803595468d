"""What docs/promises.md promises, as lists: public names, options of commands, and the points of wrong answers.

``python -m tests.promised`` writes them to ``promised.json`` for a release. Nothing that is listed may go before 2.0.
"""

from __future__ import annotations

import inspect
import io
import json
import re
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout, suppress
from importlib import import_module
from pathlib import Path

import kcourse
from kcourse.commands import cli
from tests.chapters.marking import marked, seeds
from tests.chapters.tables import ALL

__all__ = ["PROMISED", "kept", "names", "options", "points"]

FILE = Path(__file__).with_suffix(".json")
PROMISED = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
MODULES = (*sorted({f"kcourse.{home}" for home in kcourse._HOME.values()}), "kcourse.datasets", "kcourse.dual",
           "kcourse.paper_problems")  # fmt: skip
INHERITED = ("get_metadata_routing", "set_")  # what scikit-learn asks of every estimator


def names() -> dict[str, list[str]]:
    """Return for each public name its parameters, and the names of a class, each with a dot."""
    places = [f"{module}.{name}" for module in MODULES for name in import_module(module).__all__]
    return {place: _of(place) for place in (*places, "kcourse.checks.check", "kcourse.checks.run")}


def _of(place: str) -> list[str]:
    module, _, name = place.rpartition(".")
    thing = getattr(import_module(module), name)
    if not callable(thing) or inspect.isclass(thing) and issubclass(thing, Exception):
        return []
    given = inspect.signature(thing).parameters.values()
    takes = [str(parameter.replace(annotation=inspect.Parameter.empty)) for parameter in given]
    by_name = [i for i, parameter in enumerate(given) if parameter.kind is parameter.KEYWORD_ONLY]
    if by_name:
        takes.insert(by_name[0], "*")
    own = [f".{key}" for key in dir(thing) if not key.startswith(("_", *INHERITED))] if inspect.isclass(thing) else []
    return [*takes, *own]


def options() -> dict[str, list[str]]:
    """Return the options of each command."""
    commands = re.search(r"{([\w,]+)}", _help())[1].split(",")
    return {command: sorted({*re.findall(r"(?<![\w-])--[\w-]+", _help(command))}) for command in commands}


def _help(*command: str) -> str:
    with redirect_stdout(io.StringIO()) as said, suppress(SystemExit):
        cli.main([*command, "--help"])
    return said.getvalue()


def points() -> dict[str, dict[str, float]]:
    """Return the most points of each exercise, and those of each mistake."""
    return {
        spec.name: {"most": spec.points} | {
            mistake: marked(spec.name, answer, seeds(spec.name, 1)[0]).points
            for (name, mistake), answer in table.MISTAKES.items() if name == spec.name
        }
        for table in ALL for spec in table.specs
    }  # fmt: skip


def kept(promised: Iterable[str], now: Iterable[str]) -> bool:
    """Whether all that was promised is there, in its order, and nothing else must be given."""
    new = [name for name in now if name not in promised]
    return [name for name in now if name in promised] == list(promised) and all(
        "=" in name or name.startswith((".", "-", "*")) for name in new
    )


if __name__ == "__main__":
    makers: tuple[Callable[[], dict], ...] = (names, options, points)
    parts = []
    for make in makers:
        lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(row, ensure_ascii=False)}" for key, row in make().items())
        parts.append(f'"{make.__name__}": {{\n{lines}\n}}')
    FILE.write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")
