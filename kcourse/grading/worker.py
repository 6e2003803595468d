"""The side of the grader that runs inside the sandbox: it executes notebooks and calls their functions.

One *zygote* a sandbox imports NumPy, SciPy and matplotlib once and then waits for jobs. For a job it forks a *runner*,
which gives up its rights (see ``harden``), executes the cells and calls each function, the calls of one in a fork.
Nothing here knows right answers. If a runner hangs, dies or talks nonsense, the zygote kills everything that it
started and forks another, which skips what was fatal; so one bad cell or call costs itself and not the rest.

This file is copied into the sandbox and needs NumPy alone; its neighbours ``cells``, ``codec``, ``harden``, ``hollow``,
``processes`` and ``calls`` are copied with it.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import mmap
import os
import shutil
import signal
import sys
import time
import types
from dataclasses import asdict
from typing import Any

if __package__:
    from kcourse.checks import calls
    from kcourse.grading import cells, codec, harden, hollow, processes
else:  # in the sandbox, where they lie in one folder
    import calls
    import cells
    import codec
    import harden
    import hollow
    import processes

_now = time.monotonic


# ---------------------------------------------------------------- the zygote


def zygote(channel: codec.Channel) -> None:
    """Prepare once, then do jobs until the other side hangs up."""
    config = channel.receive()
    _prepare(config)
    harden.unreadable()
    harden.adopt_orphans()
    channel.send({"ready": True, "pid": os.getpid(), "uid": os.geteuid(), "abi": harden.landlock_abi()})
    _silence()
    gc.collect()
    gc.freeze()  # what is shared with the runners is not touched, so not copied, when they collect
    with contextlib.suppress(EOFError, BrokenPipeError, codec.HungUp):
        while True:
            job = channel.receive()
            work = Job(job, config, channel.read_fd)
            result = work.run()
            try:
                channel.send(result, most_text=codec.MAX_TEXT)
            except codec.FrameError:  # only frames that no runner of ours writes can add up to that
                channel.send(result | {"outcomes": [_failed("ProcessDied")] * len(job["calls"])})


def _silence() -> None:
    """What a submission prints goes nowhere: a pipe would fill up, a file grow."""
    null = os.open("/dev/null", os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)


def _prepare(config: dict) -> None:
    sys.path[:] = config["path"]
    sys.meta_path[:0] = [
        hollow.Hollow(tuple(config["refused"]), hollow.Refused),
        hollow.Hollow(tuple(config["silent"]), hollow.silent),
    ]
    for name in config["preload"]:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    if "matplotlib.pyplot" in sys.modules:  # the first figure reads fonts and styles
        pyplot = sys.modules["matplotlib.pyplot"]
        pyplot.subplots()[0].canvas.draw()
        pyplot.close("all")


class Job:
    """One notebook: its cells, the functions to call and with what."""

    def __init__(self, job: dict, config: dict, life: int) -> None:
        self.job, self.config, self.limits, self.life = job, config, job["limits"], life
        # all outcomes together must fit into the answer to the grader
        self.most = min(1_500_000, codec.MAX_FRAME * 2 // 3 // max(1, len(job["calls"]) + len(job["cells"])))
        self.cells: dict[int, dict] = {}  # by number: what became of it
        self.outcomes: dict[int, dict] = {}  # by number of the call
        self.problems: dict[str, str] = {}
        self.fatal: set[int] = set()  # cells that no runner survives
        self.ends = _now() + self.limits["total"]

    def run(self) -> dict:
        """Fork runners until every cell and call has an outcome or time is up."""
        starts = 0
        while _now() < self.ends and starts < self.limits["restarts"]:
            starts += 1
            if self._one_runner():
                break
        out_of_time = _now() >= self.ends
        for i in range(len(self.job["calls"])):
            self.outcomes.setdefault(i, _failed("TookTooLong" if out_of_time else "ProcessDied"))
        return {
            "cells": [self.cells.get(i, {"status": "not run"}) for i in range(len(self.job["cells"]))],
            "outcomes": [self.outcomes[i] for i in range(len(self.job["calls"]))],
            "problems": self.problems,
            "runners": starts,
        }

    def _one_runner(self) -> bool:
        """Follow a runner as far as it comes; True if it came to the end."""
        read, write = os.pipe()
        folder = _fresh_folder(self.config)
        pid = os.fork()
        if pid == 0:
            os.close(read)
            _as_runner(self, codec.Channel(-1, write), folder)
        os.close(write)
        channel = codec.Channel(
            read, -1, most=self.most, most_text=self.most // 6, life=self.life, watch=lambda: self._weigh(pid)
        )
        doing = ("cell", -1)
        try:
            for _ in range(4 * len(self.job["cells"]) + 4 * len(self.job["calls"]) + 100):
                seconds = self.limits[doing[0]] * 1.5 + 1
                message = channel.receive(min(_now() + seconds, self.ends))
                if not isinstance(message, dict):
                    raise codec.FrameError("a message is a dict")
                if "done" in message:
                    if self._unfinished(doing):
                        raise codec.FrameError("it is not")
                    return True
                doing = self._note(message, doing) or doing
            raise codec.FrameError("there is not that much to say")
        except (EOFError, TimeoutError, MemoryError, codec.FrameError) as error:
            self._blame(*doing, error)
            return False
        finally:
            os.close(read)
            processes.kill_everything(pid, self.config)
            shutil.rmtree(folder, ignore_errors=True)

    def _weigh(self, runner: int) -> None:
        """Raise if all processes of the submission together hold too much; each of them has a limit of its own.

        What earlier calls have left behind is ended first: it came back to the zygote.
        """
        if processes.held_below(os.getpid()) <= self.limits["together"]:
            return
        orphans = [pid for pid in processes.children(os.getpid()) if pid != runner]
        if not orphans:
            raise MemoryError
        for pid in orphans:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)

    def _unfinished(self, doing: tuple[str, int]) -> bool:
        """Whether outcomes are missing that come before anything else: those of the function that is called."""
        name = self.job["calls"][doing[1]]["name"] if doing[0] == "call" else None
        return any(i not in self.outcomes and name in (None, call["name"]) for i, call in enumerate(self.job["calls"]))

    def _note(self, message: dict, doing: tuple[str, int]) -> tuple[str, int] | None:
        """Keep what a runner reports, in the form in which it is passed on; return what it is about to do, if said."""
        name = message.get("name")
        if type(name) is str:
            if name in self.job["functions"]:
                self.problems[name] = str(message.get("problem"))[:500]
            return None
        kind = next((kind for kind in ("begin", "cell", "outcome") if kind in message), None)
        about = message.get(kind)
        counts = {"cell": len(self.job["cells"]), "call": len(self.job["calls"])}
        of = about if kind == "begin" else "call" if kind == "outcome" else "cell"
        i = message.get("i")
        if type(of) is not str or of not in counts or type(i) is not int or not 0 <= i < counts[of]:
            raise codec.FrameError("a message about nothing")
        if of == "call" and i in self.outcomes:  # from a process that an earlier answer left behind
            return None
        if doing[0] == "call":  # an answer speaks of itself alone
            other = of == "cell" or self.job["calls"][i]["name"] != self.job["calls"][doing[1]]["name"]
            if other and (kind != "begin" or of == "cell" or self._unfinished(doing)):
                raise codec.FrameError("a message about something else")
        if kind == "begin":
            return of, i
        if not isinstance(about, dict):
            raise codec.FrameError("a report is a dict")
        if kind == "cell":
            self.cells[i] = {str(key)[:20]: item for key, item in about.items() if type(item) in (str, int)}
        else:
            self.outcomes.setdefault(i, about)
        return None

    def _blame(self, kind: str, i: int, error: Exception) -> None:
        """Whatever a runner was about when it was lost is not tried again."""
        late = isinstance(error, TimeoutError)
        if kind == "call":
            # a fork takes care of what happens to a call; it takes intent to come here
            for k, call in enumerate(self.job["calls"]):
                if call["name"] == self.job["calls"][i]["name"]:
                    self.outcomes.setdefault(k, _failed("TookTooLong" if late else "ProcessDied"))
        elif i in self.fatal:  # a runner that lies about where it is
            self.ends = 0.0
        else:
            self.fatal.add(i)
            self.cells[i] = {"status": "timeout" if late else "died"}


def _failed(kind: str) -> dict:
    return {"failure": {"kind": kind, "text": "", "where": "", "line": "", "lineno": 0, "stub": False, "helper": ""}}


def _fresh_folder(config: dict) -> str:
    """A folder for the runner alone; the last one's is gone."""
    folder = os.path.join(config["tmp"], f"work-{os.getpid()}")
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder, 0o700)
    if os.geteuid() == 0 and config["uid"]:
        os.chown(folder, config["uid"], config["uid"])
    return folder


# ---------------------------------------------------------------- the runner


def _as_runner(job: Job, channel: codec.Channel, folder: str) -> None:
    """Never returns."""
    try:
        _give_up_rights(job.config, folder, keep=channel.write_fd)
        Runner(job, channel).run()
    finally:
        os._exit(0)


def _give_up_rights(config: dict, folder: str, keep: int) -> None:
    os.setsid()
    os.closerange(3, keep)
    os.closerange(keep + 1, 1024)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(config["environment"], HOME=folder, TMPDIR=folder, MPLCONFIGDIR=folder)
    harden.limit(**config["limits"])
    if config["landlock"]:  # first: only root may be able to open the paths that stay readable
        harden.restrict_files(config["readable"], [folder, "/dev/null"])
    harden.drop_user(config["uid"], pass_closed_folders=config["closed"])
    if config["filtered"]:
        harden.forbid_calls()


class Runner:
    """Executes the cells, then makes the calls. What it says is believed by nobody."""

    def __init__(self, job: Job, channel: codec.Channel) -> None:
        self.job, self.channel, self.pid = job, channel, os.getpid()
        self.at = mmap.mmap(-1, 4)  # shared with the forks that call
        self.cells = cells.Cells(job.job["cells"], job.job["functions"], job.limits["cell"], channel.send)

    def run(self) -> None:
        self.cells.run(leave_out=self.job.fatal)
        gc.freeze()
        for name, parameters in self.job.job["functions"].items():
            self._signature(name, parameters)
        for name in self.job.job["functions"]:
            self._calls(name)
        self.channel.send({"done": True})

    def _signature(self, name: str, parameters: list[str]) -> None:
        function = self.cells.function(name)
        spec = types.SimpleNamespace(
            name=name, parameters=tuple(parameters), signature=f"{name}({', '.join(parameters)})"
        )
        if function is None:
            problem = "missing"
        elif not callable(function):
            problem = f"{name} is no function but of type {type(function).__name__}."
        else:
            problem = calls.signature_problem(spec, function)
        if problem:
            self.channel.send({"name": name, "problem": problem})

    def _calls(self, name: str) -> None:
        """Call an answer on all its inputs, in a fork: in another one from the next input on if that is lost."""
        todo = [
            i for i, call in enumerate(self.job.job["calls"]) if call["name"] == name and i not in self.job.outcomes
        ]
        function = self.cells.function(name)
        if not callable(function):
            for i in todo:
                self.channel.send({"begin": "call", "i": i})
                self.channel.send({"i": i, "outcome": _failed("NotDefined")})
            return
        late = 0  # calls that took too long: the others still have to be called, too
        while todo and late < _LATE:
            pid = self._fork()
            if pid == 0:
                try:
                    self._in_fork(function, todo, self.job.limits["call"] / (4 if late else 1))
                finally:
                    os._exit(0)
            status = os.waitpid(pid, 0)[1]
            at = int.from_bytes(self.at[:4], "little")  # which call it was in, if it tells the truth
            lost = next((k for k, i in enumerate(todo) if i == at), 0)
            if at == _AFTER and status == 0:
                return
            too_long = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM
            late += too_long
            self.channel.send({"i": todo[lost], "outcome": _failed("TookTooLong" if too_long else "ProcessDied")})
            todo = todo[lost + 1 :]
        for i in todo:
            self.channel.send({"i": i, "outcome": _failed("TookTooLong")})

    def _fork(self) -> int:
        try:
            return os.fork()
        except OSError:  # too many run already: whichever cell left them behind is what no runner survives
            if self.cells.crowded is not None:
                self.channel.send({"begin": "cell", "i": self.cells.crowded})
            raise

    def _in_fork(self, function: Any, todo: list[int], seconds: float) -> None:
        pid = os.getpid()
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # the end; who blocks it is ended by the zygote
        for i in todo:
            self.at[:4] = i.to_bytes(4, "little")
            self.channel.send({"begin": "call", "i": i})
            signal.setitimer(signal.ITIMER_REAL, seconds)
            outcome = _outcome(function, self.job.job["calls"][i], self.job.most)
            signal.setitimer(signal.ITIMER_REAL, 0)
            if os.getpid() != pid:  # a fork that the answer has made comes out of it, too
                return
            self.channel.send({"i": i, "outcome": outcome})
        self.at[:4] = _AFTER.to_bytes(4, "little")


_AFTER = 2**32 - 1  # all calls of a fork are made
_LATE = 3  # calls of one function that may take too long before the rest counts as such


def _outcome(function: Any, call: dict, most: int) -> dict:
    spec = types.SimpleNamespace(allowed=tuple(call["allowed"]), parameters=tuple(call["parameters"]))
    outcome = calls.call(spec, function, tuple(call["args"]))
    failure = outcome.failure and asdict(outcome.failure)
    library = outcome.library
    if failure and failure["kind"] == "LibraryRefused":
        failure, library = None, failure["text"]
    message = {
        "value": outcome.value,
        "failure": failure,
        "changed": list(outcome.changed),
        "library": library,
        "warned": outcome.warned[:500],
    }
    try:
        codec.pack({"i": 0, "outcome": message}, most - 100, most // 6 - 100)
    except codec.FrameError:
        message["value"] = codec.Foreign(f"{type(outcome.value).__name__[:100]} that is too large")
    except BaseException:  # it fights back when it is looked at
        message["value"] = codec.Foreign(type(outcome.value).__name__[:100])
    return message


def main() -> None:
    """Start the zygote; the two descriptors stand on the command line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the grader's to handle
    zygote(codec.Channel(int(sys.argv[1]), int(sys.argv[2])))
