"""Read from Gradescope's export who handed in which folder, and when.

The export has a folder ``submission_123`` for each submission, and beside them ``submission_metadata.yml``::

    submission_123:
      :submitters:
      - :name: Ada Lovelace
        :sid: '4711'
        :email: ada@example.org
      :created_at: 2026-11-20 17:59:00.000000000 Z

The time may also be a mapping with the key ``utc``. A group has several submitters and one folder.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

__all__ = ["METADATA", "Submitters", "local_time", "submitters_of"]

METADATA = "submission_metadata.yml"
_TIME = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)[ T](?P<time>\d\d:\d\d:\d\d)(?:\.\d+)?\s*(?:Z|UTC|(?P<zone>[+-]\d\d:?\d\d))?"
)


@dataclass(frozen=True)
class Submitters:
    """The students' names and numbers, and the local time of the submission."""

    people: tuple[tuple[str, str], ...]
    when: datetime | None


def submitters_of(data: bytes) -> dict[str, Submitters]:
    """Return folder → submitters from the content of the file; ValueError if it is something else."""
    import yaml

    try:
        # this loader makes texts, lists and mappings only, also of Ruby's own types
        records = yaml.load(data.decode("utf-8-sig"), Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
        return {folder: _submitters(record) for folder, record in records.items()}
    except (yaml.YAMLError, UnicodeError, AttributeError, KeyError, TypeError):
        raise ValueError(f"{METADATA} is not as Gradescope writes it. Export the submissions again.") from None


def _submitters(record: dict[str, Any]) -> Submitters:
    made = record.get(":created_at", "")
    people = tuple((person[":name"], person.get(":sid", "")) for person in record[":submitters"])
    return Submitters(people, local_time(made["utc"] if isinstance(made, dict) else made))


def local_time(text: str) -> datetime | None:
    """Return "2026-11-20 17:59:00.000000 UTC" as local time, without a zone as UTC; None for other text."""
    if found := _TIME.fullmatch(text):
        with contextlib.suppress(ValueError, OverflowError, OSError):
            when = datetime.fromisoformat(f"{found['day']}T{found['time']}{found['zone'] or '+00:00'}")
            return when.astimezone().replace(tzinfo=None)
    return None
