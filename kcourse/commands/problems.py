"""How a command tells what is missing or wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["Told", "reported"]


class Told:
    """The exit code of a command whose problems are told."""

    code = 0


@contextmanager
def reported(command: str, set_up: str) -> Iterator[Told]:
    """Say what is missing or wrong, in a sentence; ``set_up`` is how one gets what is missing."""
    told = Told()
    try:
        yield told
    except ModuleNotFoundError as missing:
        print(f"kcourse {command} needs {missing.name}: {set_up}", file=sys.stderr)
        told.code = 2
    except (OSError, ValueError, RuntimeError) as problem:
        print(f"kcourse {command}: {problem}", file=sys.stderr)
        told.code = 2
