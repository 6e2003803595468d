"""Points off for lateness, by a rule that was said beforehand: so much a day, and no more than so much."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["LateRule", "read_rule"]

_AMOUNT = re.compile(r"([0-9]+(?:[.,][0-9]+)?)\s*(%?)")


@dataclass(frozen=True)
class LateRule:
    """What a day costs, and what all of them may: points, or percent of what the sheet is worth."""

    a_day: tuple[float, bool]
    most: tuple[float, bool] | None = None

    def off(self, days: int | None, earned: float, worth: float) -> float:
        """The points that are taken off ``earned``, on a sheet that is ``worth`` so many; never more than there are."""

        def points(amount: tuple[float, bool]) -> float:
            return amount[0] * worth / 100 if amount[1] else amount[0]

        off = points(self.a_day) * (days or 0)
        if self.most is not None:
            off = min(off, points(self.most))
        return round(min(off, earned), 2)


def read_rule(a_day: str | None, most: str | None) -> LateRule | None:
    """The rule of ``--late-off`` and ``--late-most``; None without one. ValueError for what is no amount."""
    if a_day is None:
        if most is not None:
            raise ValueError("--late-most bounds what --late-off takes: give that, too, as --late-off 10%.")
        return None
    return LateRule(_amount("--late-off", a_day), None if most is None else _amount("--late-most", most))


def _amount(option: str, text: str) -> tuple[float, bool]:
    match = _AMOUNT.fullmatch(text.strip())
    value = float(match[1].replace(",", ".")) if match else -1.0
    if match is None or (match[2] and value > 100):
        raise ValueError(f"{option} {text!r}: write points, as 2.5, or a share of the sheet's points, as 10%.")
    return value, bool(match[2])
