"""The first process in the sandbox, the *zygote*.

It imports NumPy, SciPy and matplotlib once. It does not read a job itself. It forks a *supervisor*, which reads the
job and forks *runners* (see ``supervisor`` and ``runner``), so the memory from which the next job is forked contains
nothing of this one. When the supervisor is done, the zygote ends the job's remaining processes and removes its
files. If it cannot, it ends itself and the whole sandbox.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import select
import signal
import sys

from kcourse.execution import codec, import_stubs
from kcourse_grader.sandbox.inside import harden, pools, processes, removal
from kcourse_grader.sandbox.inside.supervisor import Supervisor

_DONE, _LOST, _HUNG_UP = 0, 1, 2  # how a supervisor ends


def main() -> None:
    """Start the zygote with the two file descriptors on the command line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the grader handles Ctrl-C
    signal.signal(signal.SIGIO, signal.SIG_IGN)  # a submission could make the kernel send this signal
    zygote(codec.Channel(int(sys.argv[1]), int(sys.argv[2])))


def zygote(channel: codec.Channel) -> None:
    """Prepare once, then have jobs done until the grader closes the channel."""
    config = channel.receive()
    _prepare(config)
    harden.unreadable()
    harden.adopt_orphans()
    channel.send({"ready": True, "pid": os.getpid(), "uid": os.geteuid(), "abi": harden.landlock_abi()})
    _silence()
    gc.collect()
    gc.freeze()  # so garbage collection in the forks does not touch, and copy, shared pages
    while True:
        select.select([channel.read_fd], [], [])  # wait for a job or the end
        pid = processes.fork()
        if pid == 0:
            _supervise(channel, config)
        how = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        processes.end_below(os.getpid(), alone=config["alone"])
        if how != _DONE or not removal.empty(config["tmp"]):
            return
        with contextlib.suppress(BrokenPipeError):
            channel.send({"clean": True})


def _supervise(channel: codec.Channel, config: dict) -> None:
    """Run a supervisor in this process; never returns."""
    how = _LOST
    try:
        harden.die_with_parent()
        harden.adopt_orphans()
        harden.limit_memory(config["limits"]["memory"])  # because it reads what submissions write
        Supervisor(channel, config).serve()
        how = _DONE
    except (EOFError, BrokenPipeError, codec.HungUp):
        how = _HUNG_UP
    finally:
        with contextlib.suppress(RuntimeError):
            processes.end_below(os.getpid(), alone=config["alone"])
        os._exit(how)


def _silence() -> None:
    """Discard what a submission prints, because a pipe would fill up and a file would grow."""
    null = os.open("/dev/null", os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)


def _prepare(config: dict) -> None:
    sys.path[:] = config["path"]
    for name in [name for name in sys.modules if name.partition(".")[0] in ("kcourse", "kcourse_grader")]:
        del sys.modules[name]  # a submission should import the sheet's part of kcourse under these names
    sys.meta_path[:0] = [
        import_stubs.StubFinder(tuple(config["refused"]), import_stubs.Refused),
        import_stubs.StubFinder(tuple(config["silent"]), import_stubs.silent),
    ]
    for name in config["preload"]:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    pools.stand_in()
    if "matplotlib.pyplot" in sys.modules:  # the first figure reads fonts and styles
        pyplot = sys.modules["matplotlib.pyplot"]
        pyplot.subplots()[0].canvas.draw()
        pyplot.close("all")
