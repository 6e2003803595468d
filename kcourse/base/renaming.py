"""Names that have changed: what the old one still does, how it says so, and until when.

The policy stands in CONTRIBUTING, "Changing a name".
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

__all__ = ["Renamed", "keep_old_names", "with_new_names"]


class Renamed(NamedTuple):
    """The name that took the place of an old one, and the first version without the old one."""

    to: str
    gone_in: str


def with_new_names(
    owner: str, renamed: Mapping[str, Renamed], params: dict[str, Any], stacklevel: int
) -> dict[str, Any]:
    """``params`` by their new names, with a warning for each old one; ``old__inner`` as well."""
    new: dict[str, Any] = {}
    for name, value in params.items():
        head, deep, rest = name.partition("__")
        if head in renamed:
            _warn(owner, head, renamed[head], stacklevel + 1)
            name = renamed[head].to + deep + rest
            if name in params:
                raise TypeError(
                    f"{owner} was given {head} and {renamed[head].to}: two names of one thing; give the second."
                )
        new[name] = value
    return new


def keep_old_names(cls: type, renamed: Mapping[str, Renamed]) -> None:
    """Let ``cls`` take old names in its constructor and answer to them as attributes and methods."""
    init: Callable[..., None] = cls.__init__  # type: ignore[misc]

    @functools.wraps(init)  # by which inspect.signature, and get_params, see the new names alone
    def takes_old_names(self: Any, *args: Any, **params: Any) -> None:
        init(self, *args, **with_new_names(cls.__name__, renamed, params, stacklevel=2))

    cls.__init__ = takes_old_names  # type: ignore[misc]
    for old, new in renamed.items():
        setattr(cls, old, _alias(cls.__name__, old, new))


def _alias(owner: str, old: str, new: Renamed) -> property:
    def get(self: Any) -> Any:
        _warn(owner, old, new, 2)
        return getattr(self, new.to)

    return property(get, doc=f"The old name of ``{new.to}``, until version {new.gone_in}.")


def _warn(owner: str, old: str, new: Renamed, stacklevel: int) -> None:
    warnings.warn(
        f"{old} of {owner} is {new.to} now; the old name goes with version {new.gone_in}.",
        FutureWarning,
        stacklevel=stacklevel + 1,
    )
