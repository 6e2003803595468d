"""The descendants of one of our processes: measure their memory and time, and end them. Linux only, through /proc."""

from __future__ import annotations

import contextlib
import mmap
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Load", "end_below", "fork", "load_below", "peak_below"]

_fork = getattr(os, "fork", None)  # before any cell could replace it
_PAGE = mmap.PAGESIZE
_TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PATIENCE = 2.0  # seconds in which a failing fork is tried again, because other processes may end
_ENDING = 20.0  # seconds in which killed processes must end


@dataclass
class Load:
    """What processes use together: bytes of memory, threads, CPU seconds."""

    held: int = 0
    tasks: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class _Process:
    pid: int
    parent: int
    ended: bool
    faults: int
    seconds: float  # including children that it has waited for
    threads: int


def fork() -> int:
    """Call `os.fork`, and try again for a while if other users' processes leave no room."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            return _fork()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def load_below(pid: int) -> Load:
    """Measure what the descendants of a process use.

    A child shares each page of memory with its parent until one of them writes to it, which counts as a page fault.
    """
    load, resident = Load(), {pid: _resident(pid)}
    for process in _below(pid):
        shared = resident.get(process.parent, 0)
        own = resident[process.pid] = _resident(process.pid)
        load.held += max(0, own - shared) + min(shared, _PAGE * process.faults)
        load.tasks += 0 if process.ended else process.threads
        load.seconds += process.seconds
    return load


def peak_below(pid: int) -> int:
    """Return the peak memory in bytes, including mapped files, of the processes below ``pid``.

    Memory that a process further down shares with its parent counts once.
    """
    total, known = 0, {pid: 0}
    for process in _below(pid):
        known[process.pid] = _resident(process.pid)
        if process.parent == pid:
            total += _resident(process.pid, ("VmHWM:",))
        else:
            total += max(0, known[process.pid] - known.get(process.parent, 0))
    return total


def end_below(pid: int, keep: int | None = None, *, alone: bool = False) -> None:
    """End the descendants of this process, ``pid``, except for its child ``keep``.

    ``alone`` means that all other visible processes, except for the first, are its descendants. Raises RuntimeError
    if they do not end.
    """
    deadline = time.monotonic() + _ENDING
    while time.monotonic() < deadline:
        if alone and keep is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
        left = _stopped(pid, keep)
        for process in left:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, os.WNOHANG)
        if not left:
            return
        time.sleep(0.0005)
    raise RuntimeError("processes that do not end")


def _stopped(pid: int, keep: int | None) -> set[int]:
    """Stop the descendants of ``pid`` except for its child ``keep``, and return them.

    Stopped processes still count under the limit of processes, so a fork bomb that has reached it cannot go on.
    """
    found: set[int] = set()
    for _ in range(100):
        new = {p.pid for p in _below(pid) if p.pid != keep and not (p.ended and p.parent == keep)} - found
        for process in new:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGSTOP)
        if not new:
            break
        found |= new
    return found


def _below(pid: int) -> Iterator[_Process]:
    """Yield all descendants, parents before their children."""
    queue = _children(pid)
    while queue:
        if process := _look(queue.pop()):
            yield process
            queue += _children(process.pid)


def _look(pid: int) -> _Process | None:
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat") as file:
        words = file.read().rpartition(")")[2].split()  # fields 3, 4, … of proc(5)
        seconds = sum(map(int, words[11:15])) / _TICK
        return _Process(pid, int(words[1]), words[0] in "ZX", int(words[7]), seconds, int(words[17]))
    return None


def _resident(pid: int, kinds: tuple[str, ...] = ("RssAnon:", "RssShmem:")) -> int:
    """Return the memory of a process in bytes; by default without mapped files."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/status") as file:
        return sum(1024 * int(line.split()[1]) for line in file if line.startswith(kinds))
    return 0


def _children(pid: int) -> list[int]:
    """Return the children of all threads of a process."""
    found = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children") as file:
                found += map(int, file.read().split())
    return found
