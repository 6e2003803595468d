"""A law: a property that is tried on as many drawn examples."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given

from tests.conftest import examples

__all__ = ["laws"]


def laws(count: int) -> Callable:
    """``given`` with as many examples."""
    return lambda *drawn, **named: lambda test: examples(count)(given(*drawn, **named)(test))
