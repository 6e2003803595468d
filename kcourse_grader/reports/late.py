"""Deduction for lateness: an amount for each day, and optionally a largest amount."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["LateRule", "read_rule"]

_AMOUNT = re.compile(r"([0-9]+(?:[.,][0-9]+)?)\s*(%?)")


@dataclass(frozen=True)
class LateRule:
    """The amount for a day and the largest amount, each in points or in percent of the sheet's points."""

    a_day: tuple[float, bool]
    most: tuple[float, bool] | None = None

    def off(self, days: int | None, earned: float, worth: float) -> float:
        """Return the points to deduct from ``earned`` on a sheet that is ``worth`` this many; at most ``earned``."""

        def points(amount: tuple[float, bool]) -> float:
            return amount[0] * worth / 100 if amount[1] else amount[0]

        off = points(self.a_day) * (days or 0)
        if self.most is not None:
            off = min(off, points(self.most))
        return round(min(off, earned), 2)


def read_rule(a_day: str | None, most: str | None) -> LateRule | None:
    """Return the rule of ``--late-off`` and ``--late-most``, or None; ValueError for an invalid amount."""
    if a_day is None:
        if most is not None:
            raise ValueError("--late-most needs --late-off. Give both, for example --late-off 10% --late-most 50%.")
        return None
    return LateRule(_amount("--late-off", a_day), None if most is None else _amount("--late-most", most))


def _amount(option: str, text: str) -> tuple[float, bool]:
    match = _AMOUNT.fullmatch(text.strip())
    value = float(match[1].replace(",", ".")) if match else -1.0
    if match is None or (match[2] and value > 100):
        raise ValueError(f"{option} {text!r}: write points (2.5) or a percentage of the sheet's points (10%).")
    return value, bool(match[2])
