"""What must be true when all cases are fed: nothing runs, nothing lies about, nothing was told."""

from __future__ import annotations

import html
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from kcourse.checks import exercises
from kcourse_grader.marking.grade import hidden_cases
from tests.grader.notebooks import BLANK, ROOT, SHEET, SOLVED

_NUMBER = re.compile(r"\d+\.\d{4,}")
_HEX = re.compile(r"[0-9a-f]{16,}")
_TOKEN = re.compile(r"written-by-[\w:,.'()-]+")


@cache
def hidden_inputs(seed: int) -> tuple[frozenset[str], str, frozenset[str]]:
    """Inputs and right values of the sheet's hidden cases: first digits, bytes as hexadecimal, the longer strings."""
    digits, raw, strings = set(), [], set()
    for spec in exercises(SHEET):
        for case in hidden_cases(spec.name, seed):
            for value in (*case.args, spec.reference(*case.args)):
                if isinstance(value, (str, list, tuple)):
                    strings |= {word for word in _strings(value) if len(word) >= 7}
                    continue
                array = np.asarray(value, dtype=float)
                raw.append(array.tobytes().hex())
                digits |= {found[0][:7] for number in array.flat if (found := _NUMBER.match(f"{abs(number):.9f}"))}
    return frozenset(digits), " ".join(raw), frozenset(strings)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _strings(part)


@cache
def solution_lines() -> tuple[str, ...]:
    """Lines of the right answers that the sheet does not have."""
    blank = "\n".join(BLANK.values())
    lines = {line.strip() for source in SOLVED.values() for line in source.splitlines()}
    return tuple(sorted(line for line in lines if len(line) > 20 and line not in blank and "SOLUTION" not in line))


def told(page: str, own: str, seed: int, places: list[str]) -> list[str]:
    """What a page says that its student should not read there; ``own`` is what the student wrote."""
    text = html.unescape(page)
    found = [f"written by another: {word}" for word in set(_TOKEN.findall(text)) - set(_TOKEN.findall(own))]
    found += [f"solution: {line}" for line in solution_lines() if line in text and line not in own]
    digits, raw, strings = hidden_inputs(seed)
    found += [f"hidden: {n}" for n in _NUMBER.findall(text) if n[:7] in digits and n not in own]
    found += [f"hidden: {h}" for h in _HEX.findall(text) if any(h[i : i + 16] in raw for i in range(len(h) - 15))]
    found += [f"hidden: {word}" for word in strings if word in text and word not in own]
    paths = [*places, str(ROOT), sys.prefix, tempfile.gettempdir() + "/", "/scratch", "/box", "Traceback"]
    return found + [f"path: {p}" for p in paths if p in text and p not in own]


def running(pid: int) -> list[str]:
    """All processes below this one, as long as they live."""
    parents, words = {}, {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                stat = Path(entry.path, "stat").read_text()
            except OSError:
                continue
            state, parent = stat.rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(entry.name)], words[int(entry.name)] = int(parent), stat.split(" ", 2)[1]
    below = {pid}
    for _ in parents:
        below |= {child for child, parent in parents.items() if parent in below}
    return [f"{p} {words[p]}" for p in sorted(below - {pid})]


def listing(folder: Path) -> dict[str, tuple[int, int]]:
    """What lies in a folder, with sizes and times."""
    return {str(p): (p.lstat().st_size, p.lstat().st_mtime_ns) for p in sorted(folder.rglob("*"))}


def left_behind() -> Iterator[str]:
    """Files that the cases try to leave wherever they can."""
    for place in {tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm", "/etc", str(ROOT), os.path.expanduser("~")}:
        yield from (str(path) for path in Path(place).glob("kcourse-case-left*"))
