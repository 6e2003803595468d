"""A *runner* runs one notebook: it gives up its privileges, executes the cells, and calls functions when ordered.

The calls of one function are made in a fork. If the fork is lost, another fork continues with the next input. No other
process trusts what a runner says.
"""

from __future__ import annotations

import contextlib
import gc
import mmap
import os
import signal
import threading
import time
import types
from collections.abc import Collection
from dataclasses import asdict
from typing import Any

if os.name == "posix":  # on other systems this file is only read for its documentation
    import resource

from kcourse.execution import calls, clock, codec, import_stubs
from kcourse.execution.cells import AFTER_ITS_CELL, Cells
from kcourse_grader.sandbox.inside import harden, processes
from kcourse_grader.sandbox.inside.job import Job, failed

_wait, _read = os.waitpid, os.read  # before any cell could replace them
_AFTER = 2**32 - 1  # marks that all calls of a fork are made
_LATE = 3  # calls of one function that may take too long before it is no longer called
_LOOK, _LOOKS = 0.3, 1.0  # seconds to inspect one function, and all functions, before they are called
_CRUMB = 0.02  # with fewer seconds left, no call is made
_LINGER = 2.0  # longest wait in seconds for the supervisor to measure a fork's memory, before and after a call
_TIMES = (signal.SIGPROF, signal.SIGALRM, signal.SIGXCPU, clock.ASLEEP) if os.name == "posix" else ()


def begin(job: Job, folder: str, orders: int, replies: int, cells: int, answers: dict[str, int]) -> None:
    """Become a runner; never returns. It reads from ``orders`` and ``replies`` and writes to the other pipes."""
    try:
        at = mmap.mmap(-1, 4)  # made before the filter refuses shared memory
        _give_up_rights(job, folder, (orders, replies, cells, *answers.values()))
        Runner(job, at, orders, replies, cells, answers).run(job.fatal)
    finally:
        os._exit(0)


def _give_up_rights(job: Job, folder: str, keep: Collection[int]) -> None:
    config, parent = job.config, os.getppid()
    os.setsid()
    _close_all_but(keep)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(config["environment"], HOME=folder, TMPDIR=folder, MPLCONFIGDIR=folder)
    harden.limit(**config["limits"], processes=job.crowd)
    if config["landlock"]:  # first, because perhaps only root can open the readable paths
        harden.restrict_files(config["readable"], [folder, "/dev/null"])
    harden.drop_user(config["uid"], pass_closed_folders=config["closed"])
    harden.die_with_parent()
    if config["filtered"]:
        harden.forbid_calls(parent)


def _close_all_but(keep: Collection[int]) -> None:
    first = 3
    for fd in sorted(keep):
        os.closerange(first, fd)
        first = fd + 1
    os.closerange(first, 1024)


class Runner:
    """The process that executes the cells and then makes the calls."""

    def __init__(self, job: Job, at: mmap.mmap, orders: int, replies: int, cells: int, answers: dict[str, int]) -> None:
        self.job, self.limits, self.replies = job, job.limits, replies
        self.shared_input, self.at = job.shared_input, at  # `at` is shared with the forks
        self.orders, self.about_cells = codec.Channel(orders, -1), codec.Channel(-1, cells)
        self.one_at_a_time = threading.Lock()  # an answer may ask from several threads
        self.answers = {name: codec.Channel(-1, fd) for name, fd in answers.items()}
        budget = clock.Budget(self.limits["cell"], self.limits["cells"], self.limits["patience"])
        self.looks = clock.Budget(_LOOK, _LOOKS, self.limits["patience"])
        self.cells = Cells(job.cells, job.functions, budget, self._tell)

    def run(self, leave_out: Collection[int]) -> None:
        """Execute the cells except ``leave_out``, then follow orders until the pipe is closed."""
        self.cells.run(leave_out)
        gc.freeze()
        for name, function in self.job.functions.items():
            self._signature(name, function["parameters"])
        self.about_cells.send({"done": True})
        with contextlib.suppress(EOFError):
            while True:
                order = self.orders.receive()
                self._calls(order["call"], order["count"], order["size"], order["right"])

    def _tell(self, message: dict) -> None:
        """Send a message. If a cell has destroyed our modules, this fails here, so that this cell is blamed."""
        if failed and processes and calls:
            self.about_cells.send(message)

    def _signature(self, name: str, parameters: list[str]) -> None:
        function = self._function(name)
        spec = types.SimpleNamespace(
            name=name, parameters=tuple(parameters), signature=f"{name}({', '.join(parameters)})"
        )
        problem = "missing" if function is None else ""
        with contextlib.suppress(BaseException), self.looks.turn():  # inspecting an object may run its code
            if not callable(function):
                problem = problem or f"{name} is not a function; it has the type {type(function).__name__}."
            else:
                problem = calls.signature_problem(spec, function)
        if problem:
            self.about_cells.send({"name": name, "problem": problem})

    def _function(self, name: str) -> Any:
        if not name.endswith(AFTER_ITS_CELL):
            return self.cells.function(name)
        with contextlib.suppress(BaseException), self.looks.turn():  # the lookup compares objects
            return self.cells.function(name)
        return None

    def _calls(self, name: str, count: int, size: int, right: list[str]) -> None:
        """Call an answer on all inputs in shared memory, as long as it has time left.

        The answers named in ``right`` are replaced with functions that ask the grader.
        """
        channel, function = self.answers[name], self._function(name)
        todo, late, left = list(range(count)), 0, self.limits["calls"]
        while todo and late < _LATE and left > _CRUMB:
            if not callable(function):
                channel.send({"i": todo.pop(0), "outcome": failed("NotDefined")})
                continue
            stopwatch, pid = clock.Stopwatch(self.limits["patience"], _used_below), self._fork(channel)
            if pid == 0:
                try:
                    for other in right:
                        self.cells.names[other] = self._asking(other, channel, size)
                    self._in_fork(name, function, todo, size, left, 4 if late else 1)
                finally:
                    os._exit(0)
            status = _wait(pid, 0)[1]
            left -= stopwatch.seconds()
            at = int.from_bytes(self.at[:4], "little")  # the call in which the fork ended, if it tells the truth
            lost = next((k for k, i in enumerate(todo) if i == at), 0)
            if at == _AFTER and status == 0:
                todo = []
                break
            how = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
            late += _LATE if how == clock.ASLEEP else how in _TIMES
            kind = "Slept" if how == clock.ASLEEP else "TookTooLong" if how in _TIMES else "ProcessDied"
            outcome = failed(kind, waited=how == signal.SIGALRM)
            channel.send({"i": todo[lost], "outcome": outcome})
            todo = todo[lost + 1 :]
        for i in todo:
            channel.send({"i": i, "outcome": failed("NotCalled")})
        channel.send({"done": True})

    def _asking(self, name: str, channel: codec.Channel, size: int) -> Any:
        """Return a function that asks the grader for the right value of ``name``; the reply follows the inputs."""
        parameters = self.job.functions[name]["parameters"]

        def ask(*args: Any, **keywords: Any) -> Any:
            given = dict(zip(parameters, args, strict=False)) | keywords
            if len(args) + len(keywords) != len(parameters) or set(given) != set(parameters):
                raise TypeError(f"{name} takes the arguments {', '.join(parameters)}; it was called with others")
            token = os.urandom(8)  # a reply to a lost fork may still arrive
            question = {"ask": name, "token": token.hex(), "args": [given[key] for key in parameters]}
            with self.one_at_a_time:
                channel.send(question, 1_000_000, 1_000_000 // 6)
                while (reply := _read(self.replies, 16))[:8] != token:
                    pass
                answer = codec.whole(self.shared_input[size : size + int.from_bytes(reply[8:], "big")])
            if "value" not in answer:
                raise ValueError(f"{name} cannot be called with these arguments")
            return answer["value"]

        ask.__name__ = name
        return ask

    def _fork(self, channel: codec.Channel) -> int:
        with contextlib.suppress(ChildProcessError):
            while _wait(-1, os.WNOHANG)[0]:  # ended processes that cells had started
                pass
        try:
            return processes.fork()
        except OSError:
            channel.send({"crowded": True})
            raise

    def _in_fork(self, name: str, function: Any, todo: list[int], size: int, left: float, hurry: int) -> None:
        pid, channel, stopwatch = os.getpid(), self.answers[name], clock.Stopwatch(self.limits["patience"])
        harden.die_with_parent()
        for other in (self.orders.read_fd, self.about_cells.write_fd, *(c.write_fd for c in self.answers.values())):
            if other != channel.write_fd:
                os.close(other)
        inputs = codec.whole(self.shared_input[:size])
        job = self.job.functions[name]
        spec = types.SimpleNamespace(parameters=tuple(job["parameters"]), memory=job["memory"], allowed=(), refused=())
        if spec.memory:  # import what the call needs, before its memory is measured
            clock.set_deadly(self.limits["call"], self.limits["patience"])
            calls.bring_in(function)
            clock.off()
        most = min(1_500_000, codec.MAX_FRAME * 2 // 3 // len(inputs))
        for i in todo:
            self.at[:4] = i.to_bytes(4, "little")
            self._say(channel, {"begin": "call", "i": i}, wait=spec.memory > 0)
            seconds = min(self.limits["call"] / hurry, left - stopwatch.seconds())
            if seconds < _CRUMB:
                outcome = failed("NotCalled")
            else:
                clock.set_deadly(seconds, self.limits["patience"])
                outcome = _outcome(spec, function, inputs[i], most)
                clock.off()
            if os.getpid() != pid:  # the answer itself has forked
                return
            self._say(channel, {"i": i, "outcome": outcome}, wait=spec.memory > 0)
        self.at[:4] = _AFTER.to_bytes(4, "little")

    def _say(self, channel: codec.Channel, message: dict, *, wait: bool) -> None:
        """Send a message; with ``wait``, wait until the supervisor has measured this process's memory."""
        before, end = self.job.seen[:4], time.monotonic() + _LINGER
        channel.send(message)
        while wait and self.job.seen[:4] == before and time.monotonic() < end:
            time.sleep(0.0005)


def _used_below() -> float:
    """Return the CPU seconds of the children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _outcome(spec: Any, function: Any, args: list, most: int) -> dict:
    import_stubs.used.clear()  # the cells may have used a library for display, as the sheet does
    outcome = calls.call(spec, function, tuple(args), watched=False)
    failure = outcome.failure and asdict(outcome.failure)
    message = {
        "value": outcome.value,
        "failure": failure,
        "changed": list(outcome.changed),
        "library": "",
        "warned": outcome.warned[:500],
    }
    try:  # packing a value may run its code
        codec.pack({"i": 0, "outcome": message}, most - 100, most // 6 - 100)
    except codec.FrameError:
        message["value"] = codec.Foreign(f"{type(outcome.value).__name__[:100]} that is too large")
    except BaseException:  # the value's code failed, or its type is refused
        message["value"] = codec.Foreign(type(outcome.value).__name__[:100])
    if import_stubs.used:
        message["library"], message["failure"] = import_stubs.used[0], None
    return message
