"""Report what is missing or wrong in a command."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["Told", "reported"]


class Told:
    """The exit code of a command that reports its problems."""

    code = 0


@contextmanager
def reported(command: str, set_up: str) -> Iterator[Told]:
    """Print what is missing or wrong, in a sentence; ``set_up`` says how to install a missing package."""
    told = Told()
    try:
        yield told
    except ModuleNotFoundError as missing:
        print(f"kcourse {command} needs {missing.name}. To install it: {set_up}", file=sys.stderr)
        told.code = 2
    except (OSError, ValueError, RuntimeError) as problem:
        print(f"kcourse {command}: {problem}", file=sys.stderr)
        told.code = 2
