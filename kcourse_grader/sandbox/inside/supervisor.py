"""A *supervisor* handles one notebook: it forks runners, watches them, and reports the results to the grader.

The grader says first which cells to execute, and then which function to call on which inputs, one function at a time.
The supervisor does not know right answers, and gets the inputs of a function only when its turn comes. They are in
*shared input*, memory that the supervisor shares with the runner and empties after each function. If a runner hangs,
dies or sends an invalid message, everything that it started is ended. The next function gets a new runner, which
skips the cells that were fatal. So a bad cell or answer costs only its own points.
"""

from __future__ import annotations

import mmap
import os
import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass

if os.name == "posix":  # on other systems this file is only read for its documentation
    import resource

from kcourse.execution import codec
from kcourse_grader.sandbox.inside import processes, removal, runner
from kcourse_grader.sandbox.inside.job import QUESTIONS, Job, failed

_now = time.monotonic
_LARGEST = 1_500_000  # bytes of an outcome
_ROOM = 3  # seen from outside, a call may grow by this many times the bytes that its arrays may take,
_LOADED = 8_000_000  # plus these bytes for libraries that are loaded on first use
_CLOSE_LOOK = 0.004  # seconds between two such measurements
_TOKEN = re.compile("[0-9a-f]{16}")
_OF_A_CELL = ("status", "error", "line", "lineno", "waited", "slept")
_LOST = (EOFError, TimeoutError, MemoryError, BrokenPipeError, codec.FrameError)


class _Spent(TimeoutError):
    """The CPU time was exceeded; a plain TimeoutError means that the real time was exceeded."""


class _Fat(MemoryError):
    """A call used more memory than this exercise allows."""


class _Crowded(MemoryError):
    """No process could be started, for an unknown reason."""


class Supervisor:
    """The supervisor of one job, from its cells to the last call."""

    def __init__(self, channel: codec.Channel, config: dict) -> None:
        self.channel, told = channel, channel.receive()
        shared_input = mmap.mmap(-1, max(1, min(told.pop("room"), codec.MAX_FRAME)))
        self.job = Job(config=config, shared_input=shared_input, seen=mmap.mmap(-1, 4), **told)
        self.limits = self.job.limits
        self.cells: dict[int, dict] = {}  # cell number → its result
        self.problems: dict[str, str] = {}
        self.hopeless = False  # whether starting another runner makes no sense
        self.settled = False  # whether a runner has reached the end of the cells
        self.starts = 0
        self.left = 3 * self.limits["cells"]  # seconds for all executions of the cells together
        self.end = _now() + self.limits["job"]
        self.running: _Running | None = None

    def serve(self) -> None:
        """Report the results of the cells, then make the calls that the grader orders, until it ends the job."""
        self._start()
        self._tell({"cells": self._cells(), "problems": self.problems})
        while True:
            order = self.channel.receive()
            if "end" in order:
                break
            outcomes = self._call(order["call"], order["count"], order["size"], order["right"])
            try:
                self.channel.send({"outcomes": outcomes}, most_text=codec.MAX_TEXT)
            except codec.FrameError:  # only forged frames can be this large in sum
                self.channel.send({"outcomes": [failed("ProcessDied")] * len(outcomes)})
        self._stop()
        self._tell({"cells": self._cells(), "runners": self.starts})

    def _tell(self, message: dict) -> None:
        """Report the results of the cells, reduced to their status if the message would be too long."""
        try:
            self.channel.send(message, most_text=codec.MAX_TEXT)
        except codec.FrameError:
            bare = [{"status": cell.get("status", "failed")} for cell in message["cells"]]
            self.channel.send(message | {"cells": bare})

    def _cells(self) -> list[dict]:
        return [self.cells.get(i, {"status": "not run"}) for i in range(len(self.job.cells))]

    def _start(self) -> bool:
        """Fork runners until one has executed all cells; return whether one has."""
        while self.running is None and not self.hopeless and not self._lost():
            self.starts += 1
            self.running = _Running(self.job)
            doing, watch, told = -1, self._watch("cell", "cells"), len(self.job.fatal)
            try:
                for message in self._reports(self.running.cells, watch, 4 * len(self.job.cells) + 100):
                    if message.get("begin") == "cell":
                        doing = self._number(message, len(self.job.cells))
                        watch.begin()
                    else:
                        self._note(message)
                        told += "cell" in message
                if told < len(self.job.cells):
                    raise codec.FrameError("it is not done")
                processes.end_below(os.getpid(), keep=self.running.pid)  # processes that cells left running
                self.settled = True
            except _LOST as error:
                self._stop()
                self._blame(doing, error)
            self.left -= max(watch.seconds, (_now() - watch.began) / self.limits["patience"])
        return self.running is not None

    def _call(self, name: str, count: int, size: int, right: list[str]) -> list[dict]:
        """Have a function called on the next inputs; for the functions in ``right``, ask the grader."""
        there = self._start()  # before the inputs arrive, because the cells must not see them
        self.channel.send({"ready": True})
        inputs = memoryview(self.job.shared_input)[:size]
        self.channel.receive_bytes(inputs)
        outcomes: dict[int, dict] = {}
        allowed = self.job.functions[name]["memory"]
        doing, watch = 0, self._watch("call", "calls", allowed and _ROOM * allowed + _LOADED)
        try:
            if there:
                self.running.order({"call": name, "count": count, "size": size, "right": right})
                most = min(_LARGEST, codec.MAX_FRAME * 2 // 3 // max(1, count))
                lines = 4 * count + 100 + (QUESTIONS if right else 0)
                for message in self._reports(self.running.calls[name], watch, lines, most):
                    if "ask" in message:
                        self._pass_on(message, right, size)
                        continue
                    i = self._number(message, count)
                    if message.get("begin") == "call":
                        doing = i
                        watch.begin()
                    elif type(message.get("outcome")) is dict:
                        if watch.room:  # measure again while the result is in memory
                            watch()
                        outcomes.setdefault(i, message["outcome"])
                    else:
                        raise codec.FrameError("a message about something else")
                    looked = int.from_bytes(self.job.seen[:4], "little") + 1
                    self.job.seen[:4] = (looked % 2**32).to_bytes(4, "little")  # the waiting fork continues
                if len(outcomes) < count:
                    raise codec.FrameError("it is not done")
                processes.end_below(os.getpid(), keep=self.running.pid)
        except _LOST as error:  # ordinary failures are handled by the fork; this takes intent
            self._stop()
            outcomes.setdefault(doing, _blamed(error))
        inputs[:] = bytes(size)
        if right:
            self.job.shared_input[size:] = bytes(len(self.job.shared_input) - size)
        rest = failed("NotCalled" if there else "NotReached")
        if _now() > self.end:
            rest = failed("TookTooLong", waited=True)
        return [outcomes.get(i) or rest for i in range(count)]

    def _pass_on(self, message: dict, right: list[str], size: int) -> None:
        """Have the grader answer a question, and put its reply after the inputs."""
        name, args, token = message["ask"], message.get("args"), message.get("token")
        if name not in right or type(args) is not list or type(token) is not str or not _TOKEN.fullmatch(token):
            raise codec.FrameError("no question")
        self.channel.send({"ask": name, "args": args}, most_text=codec.MAX_TEXT)
        length = self.channel.receive()["size"]
        self.channel.receive_bytes(memoryview(self.job.shared_input)[size : size + length])
        try:
            os.write(self.running.replies, bytes.fromhex(token) + length.to_bytes(8, "big"))
        except BlockingIOError:  # it asks without reading the replies
            raise codec.FrameError("no question") from None

    def _lost(self) -> bool:
        """Whether no attempts or no time are left to start another runner."""
        return self.starts >= self.limits["restarts"] or self.left <= 0 or _now() > self.end

    def _reports(self, fd: int, watch: _Watch, count: int, most: int = _LARGEST) -> Iterator[dict]:
        """Yield a runner's messages until it says that it is done."""
        channel = codec.Channel(fd, -1, most=most, most_text=most // 6, life=self.channel.read_fd, watch=watch)
        if watch.room:
            channel.look = _CLOSE_LOOK
        for _ in range(count):
            message = channel.receive(watch.deadline)
            if not isinstance(message, dict):
                raise codec.FrameError("a message is a dict")
            if "crowded" in message:
                raise _Crowded
            if "done" in message:
                return
            yield message
        raise codec.FrameError("there is not that much to say")

    def _number(self, message: dict, count: int) -> int:
        i = message.get("i")
        if type(i) is not int or not 0 <= i < count:
            raise codec.FrameError("a message about nothing")
        return i

    def _note(self, message: dict) -> None:
        """Store what a runner reports about cells and functions, in the form in which it is passed on."""
        if self.settled:  # reported already
            return
        name, report = message.get("name"), message.get("cell")
        if type(name) is str and name in self.job.functions:
            self.problems[name] = str(message.get("problem"))[:500]
        elif isinstance(report, dict):
            i = self._number(message, len(self.job.cells))
            self.cells[i] = {key: _short(report[key]) for key in _OF_A_CELL if type(report.get(key)) in (str, int)}
        else:
            raise codec.FrameError("a message about nothing")

    def _blame(self, i: int, error: Exception) -> None:
        """Mark the cell in which a runner was lost, so that it is not executed again."""
        if i < 0 or i in self.job.fatal:  # the runner lies about its position
            self.hopeless = True
            return
        self.job.fatal.add(i)
        late = isinstance(error, TimeoutError)
        self.cells[i] = {"status": "timeout" if late else "died", "waited": int(late and type(error) is TimeoutError)}

    def _stop(self) -> None:
        """End the runner and everything that it has started."""
        processes.end_below(os.getpid(), alone=self.job.config["alone"])
        if self.running is not None:
            self.running.forget()
            self.running = None

    def _watch(self, each: str, total: str, room: int = 0) -> _Watch:
        return _Watch(self.limits, self.limits[each], self.limits[total], self.end, room, self.running)


def _short(item: str | int) -> str | int:
    return item[:200] if type(item) is str else max(-1, min(item, 10**6))


def _blamed(error: Exception) -> dict:
    if isinstance(error, _Fat):
        return failed("MemoryError")
    late = isinstance(error, TimeoutError)
    return failed("TookTooLong" if late else "ProcessDied", waited=type(error) in (TimeoutError, _Crowded))


class _Running:
    """A runner and its pipes: for orders, for replies, for reports on cells, and one for each function.

    With one pipe for each function, a process that an answer leaves running cannot report on another answer.
    """

    def __init__(self, job: Job) -> None:
        functions = job.functions
        reads, writes = zip(*(os.pipe() for _ in range(3 + len(functions))), strict=True)
        self.folder = _fresh_folder(job.config)
        self.pid = processes.fork()
        if self.pid == 0:
            told = dict(zip(functions, writes[3:], strict=True))
            runner.begin(job, self.folder, reads[0], reads[1], writes[2], told)
        self.orders, self.replies, self.cells = writes[0], writes[1], reads[2]
        self.calls = dict(zip(functions, reads[3:], strict=True))
        os.set_blocking(self.replies, False)
        for fd in (*reads[:2], *writes[2:]):
            os.close(fd)

    def order(self, what: dict) -> None:
        """Send the next order."""
        codec.Channel(-1, self.orders).send(what)

    def forget(self) -> None:
        """Close the pipes and remove the folder of a runner that has ended."""
        for fd in (self.orders, self.replies, self.cells, *self.calls.values()):
            os.close(fd)
        removal.remove(self.folder)


def _fresh_folder(config: dict) -> str:
    """Make a runner's folder: its name cannot be guessed, and the runner cannot rename it."""
    parent = os.path.join(config["tmp"], secrets.token_hex(16))
    folder = os.path.join(parent, "home")
    os.mkdir(parent, 0o711)
    os.mkdir(folder, 0o700)
    if os.geteuid() == 0 and config["uid"]:
        os.chown(folder, config["uid"], config["uid"])
    return folder


@dataclass
class _Watch:
    """Measure now and then what all processes of the submission use together, and raise if that is too much.

    Honest processes end themselves in time (see ``clock``), so this check can allow more.
    """

    limits: dict
    each: float
    total: float
    end: float  # deadline of the whole job, whatever a runner says
    room: int = 0  # bytes by which a call may grow; 0: not limited
    running: _Running | None = None

    def __post_init__(self) -> None:
        self.peak = 0
        self.began = self.turned = _now()
        self.before = self.seconds = 0.0
        self.before = self._load().seconds
        self.mark: float | None = 0.0  # CPU seconds when this cell or call began; None: not measured yet

    def begin(self) -> None:
        """Note that the next cell or call begins."""
        self.turned, self.mark = _now(), None
        self.peak = processes.peak_below(self.running.pid) if self.room else 0

    @property
    def deadline(self) -> float:
        """The limit on real time, for processes that use no CPU time."""
        patience = self.limits["patience"]
        total = self.began + patience * _late(self.total)
        return min(self.turned + patience * _late(self.each), total, self.end)

    def __call__(self) -> None:
        load = self._load()
        self.seconds = load.seconds - self.before
        if load.held > self.limits["together"] or load.tasks > self.limits["processes"]:
            raise MemoryError
        # measured from outside, because code inside could be manipulated; includes files and forks
        if self.room and self.peak and processes.peak_below(self.running.pid) - self.peak > self.room:
            raise _Fat
        self.mark = self.seconds if self.mark is None else self.mark
        if self.seconds > _late(self.total) or self.seconds - self.mark > _late(self.each):
            raise _Spent

    @staticmethod
    def _load() -> processes.Load:
        load = processes.load_below(os.getpid())
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        load.seconds += ended.ru_utime + ended.ru_stime
        return load


def _late(seconds: float) -> float:
    return 1.5 * seconds + 1
