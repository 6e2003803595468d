"""The processes below the zygote: what they hold of the memory, and their end. Linux only, through /proc.

This file is copied into the sandbox and needs the standard library alone.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import shutil
import signal

__all__ = ["children", "held_below", "kill_everything"]

_PAGE = mmap.PAGESIZE


def kill_everything(pid: int, config: dict) -> None:
    """End the runner and all that it started."""
    with contextlib.suppress(ProcessLookupError):
        if os.getpid() == 1:
            os.kill(-1, signal.SIGKILL)  # everything in this sandbox but the zygote
        else:
            os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            break
        if os.getpid() != 1:
            _kill_orphans()
    if os.getpid() == 1:
        for name in os.listdir(config["tmp"]):
            path = os.path.join(config["tmp"], name)
            shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.unlink(path)


def _kill_orphans() -> None:
    """Without a process namespace: what left the runner's group came back to the zygote, its subreaper."""
    for child in children(os.getpid()):
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def held_below(pid: int) -> int:
    """Bytes of memory that the descendants of a process hold.

    A child shares its parent's memory until one of them writes to it, page by page, and each page is a fault then.
    """
    held, queue = 0, [(child, _resident(pid)) for child in children(pid)]
    while queue:
        child, shared = queue.pop()
        resident = _resident(child)
        held += max(0, resident - shared) + min(shared, _PAGE * _faults(child))
        queue += [(grandchild, resident) for grandchild in children(child)]
    return held


def _resident(pid: int) -> int:
    """Bytes of a process that are in no file."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/status") as file:
        return sum(1024 * int(line.split()[1]) for line in file if line.startswith(("RssAnon:", "RssShmem:")))
    return 0


def _faults(pid: int) -> int:
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[7])
    return 0


def children(pid: int) -> list[int]:
    """The children of a process, whichever of its threads has started them."""
    found = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children") as file:
                found += map(int, file.read().split())
    return found
