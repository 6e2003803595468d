"""Many cheap rows in one test."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable

__all__ = ["each"]


def each(names: str | tuple[str, ...], values: Iterable, ids: object = None) -> Callable:
    """Like ``pytest.mark.parametrize``, but as one test: each row is a subtest, and a failure shows its values."""
    split = tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else tuple(names)
    single = isinstance(names, str) and len(split) == 1
    values = list(values)

    def decorate(function: Callable) -> Callable:
        taken = inspect.signature(function).parameters
        kept = [parameter for name, parameter in taken.items() if name not in split]
        if "subtests" not in taken:
            kept.append(inspect.Parameter("subtests", inspect.Parameter.POSITIONAL_OR_KEYWORD))

        @functools.wraps(function)
        def test(subtests: object, **fixtures: object) -> None:
            more = {"subtests": subtests} if "subtests" in taken else {}
            for row in values:
                given = dict(zip(split, (row,) if single else row, strict=True))
                with subtests.test(
                    **{name: str(getattr(value, "__name__", value))[:60] for name, value in given.items()}
                ):
                    function(**given, **fixtures, **more)

        test.__signature__ = inspect.Signature(kept)
        return test

    return decorate
