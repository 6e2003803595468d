"""What is refused, and with which words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

__all__ = ["refused"]


def refused(
    words: str, call: Callable, /, *arguments: object, error: type[Exception] = ValueError, **named: object
) -> None:
    """``call`` of the arguments raises the error, whose message matches the words."""
    with pytest.raises(error, match=words):
        call(*arguments, **named)
