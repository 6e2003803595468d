"""The answers of the chapter's exam problems, computed in another way."""

from __future__ import annotations

OTHER_WAYS = {}
