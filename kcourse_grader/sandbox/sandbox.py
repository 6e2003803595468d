"""Start the sandbox, send it jobs, and read the results.

Inside, a submission sees Python, NumPy, SciPy, matplotlib and the sheet's part of kcourse.

======  =====================================  =======================================================
tier    how                                    what a submission can reach
======  =====================================  =======================================================
1       bubblewrap and seccomp, and limits     its own files and processes only, no network
2       Landlock and seccomp, and limits       the same files read-only; no sockets, no signals outside
0       limits only (``--unsafe``)             everything that the grading user can reach
======  =====================================  =======================================================

`Sandbox` starts one zygote (see `inside.worker`) and sends it jobs; `probe` tests the isolation from inside.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import kcourse
from kcourse.base import threads
from kcourse.execution import codec, import_stubs
from kcourse.execution.calls import within_reach
from kcourse_grader.sandbox.box import build_box, readable_paths
from kcourse_grader.sandbox.inside import harden, removal

__all__ = ["Limits", "NoSandbox", "Sandbox", "available_tier"]

# imported by sheets, but without influence on an answer
SILENT = ("kcourse.lab", "kcourse.checks", "kcourse.chapters", "kcourse.paper_problems")
PRELOAD = (
    "numpy", "scipy.linalg", "scipy.optimize", "scipy.sparse.linalg", "scipy.spatial.distance", "scipy.special",
    "matplotlib.pyplot", "inspect", "traceback", "dataclasses",
)  # fmt: skip
# equal hashes, and therefore the same order of sets, in every run: a second run gives the same grades
_ENVIRONMENT = {
    **threads.settings({}), "MPLBACKEND": "agg", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0",
}  # fmt: skip
_PREFIX = "kcourse-grade-"
_TOLD = (
    "cell",
    "cells",
    "call",
    "calls",
    "patience",
    "job",
    "restarts",
    "together",
    "processes",
)  # passed on
# the kernel's own limit is this multiple of the allowed processes, so that the same user can start other programs;
# the supervisor ends a submission that has more than the allowed number
_BRAKE = 20
_CLEANING = 30.0  # seconds
_REPLY = 1_000_000  # bytes of an answer to a question
_LARGER = 2  # room for other inputs, as a multiple of the room for a submission's own inputs
# a mapping of /dev/zero is memory that is not counted for any process; bound like this, it cannot be opened
_NO_ZERO = ("--ro-bind", "/dev/null", "/dev/zero")
_BOX, _SCRATCH = "/box", "/scratch"  # paths inside; not below /tmp, because the course itself may be there


Answer = Callable[[str, list], Any]
Then = Callable[[dict, Callable[..., list[dict]]], None]


class NoSandbox(RuntimeError):
    """This machine offers no working sandbox, and ``--unsafe`` was not given."""


@dataclass(frozen=True)
class Limits:
    """What one submission may use: CPU seconds, bytes, counts."""

    cell: float = 5.0
    cells: float = 15.0  # all cells together
    call: float = 3.0
    calls: float = 12.0  # all calls of one exercise
    patience: float = 3.0  # seconds of real time for each of these seconds
    job: float = 180.0  # seconds of real time for everything, about the sum of the CPU seconds
    restarts: int = 12
    memory: int = 2_000_000_000  # of each process
    together: int = 3_000_000_000  # of all processes
    file_size: int = 20_000_000
    processes: int = 40  # processes and threads together
    files: int = 64

    def times(self, slowness: float) -> Limits:
        """Return these limits with all seconds multiplied by ``slowness``."""
        seconds = ("cell", "cells", "call", "calls", "job")
        return replace(self, **{name: slowness * getattr(self, name) for name in seconds})


def _first_reason(error: OSError) -> str:
    """Return the system's message; if several files could not be copied, the message about the first."""
    told = error.args[0][0][-1] if isinstance(error, shutil.Error) and isinstance(error.args[0], list) else error
    return getattr(told, "strerror", None) or str(told)


def available_tier() -> int:
    """Return the best tier that works here: 1, 2, or 0 for none."""
    if not sys.platform.startswith("linux"):
        return 0
    if _bwrap_works():
        return 1
    enough = harden.landlock_abi() >= (4 if os.geteuid() == 0 else 6)  # version 4 restricts TCP, version 6 signals
    return 2 if enough and harden.knows_calls() else 0


def _bwrap_works() -> bool:
    program = shutil.which("bwrap")
    if not program:
        return False
    command = [program, *_namespaces(), "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "/bin/true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _namespaces() -> list[str]:
    """Return bubblewrap's isolation options; root keeps the rights to change its user and to clean up."""
    separate = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    options = [*separate, "--die-with-parent", "--new-session", "--as-pid-1", "--clearenv", "--cap-drop", "ALL"]
    if os.geteuid() != 0:
        return ["--unshare-user", *(["--disable-userns"] if _disables_userns() else []), *options]
    kept = ("CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER")
    return [*options, *(word for capability in kept for word in ("--cap-add", capability))]


@lru_cache
def _disables_userns() -> bool:
    """Whether bubblewrap can forbid user namespaces (from 0.8 on); otherwise only seccomp forbids them."""
    program = [shutil.which("bwrap") or "bwrap", "--unshare-user", "--disable-userns"]
    command = [*program, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "/bin/true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _bwrap_command(box: Path, paths: Sequence[str], program: Sequence[str]) -> list[str]:
    command = [shutil.which("bwrap") or "bwrap", *_namespaces()]
    for name in ("bin", "lib", "lib32", "lib64"):
        if os.path.islink(f"/{name}"):
            command += ["--symlink", os.readlink(f"/{name}"), f"/{name}"]
    outside = [path for path in paths if not path.startswith("/dev/")]
    for folder in sorted({str(p) for path in outside for p in Path(path).parents if str(p) != "/"}):
        command += ["--perms", "0755", "--dir", folder]  # otherwise only the owner could read them
    for path in outside:
        command += ["--ro-bind", path, path]
    command += ["--ro-bind", str(box), _BOX]
    return [*command, "--proc", "/proc", "--dev", "/dev", *_NO_ZERO,
            "--size", "100000000", "--perms", "0711", "--tmpfs", _SCRATCH,
            *(word for item in _ENVIRONMENT.items() for word in ("--setenv", *item)),
            "--setenv", "MPLCONFIGDIR", f"{_BOX}/matplotlib",
            "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", _SCRATCH, *program]  # fmt: skip


# ---------------------------------------------------------------- the sandbox


@dataclass
class Sandbox:
    """A running zygote in isolation; give it jobs with `run`. Use it in a ``with`` statement.

    ``allowed`` are the modules of kcourse that this sheet's answers may use, in addition to those that every sheet may
    use; ``refused`` are modules of SciPy that they may not use. The rest of kcourse and the refused modules are not in
    the sandbox, neither loaded nor as files. `kcourse.execution.import_stubs.Refused` takes their place.
    """

    tier: int
    limits: Limits = field(default_factory=Limits)
    allowed: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.tier not in (0, 1, 2):
            raise ValueError(f"tier must be 0, 1 or 2, got {self.tier!r}.")
        self._process: subprocess.Popen | None = None
        self._folder: Path | None = None
        self.started: dict[str, Any] = {}

    def __enter__(self) -> Sandbox:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def admit(self, allowed: Sequence[str], refused: Sequence[str] = ()) -> None:
        """Switch to these modules of kcourse and without those of SciPy; a change ends the present zygote."""
        if (tuple(allowed), tuple(refused)) != (self.allowed, self.refused):
            self.close()
            self.allowed, self.refused = tuple(allowed), tuple(refused)

    def start(self) -> None:
        """Start the zygote; a running one is ended first."""
        self.close()
        self._folder = folder_of_this_process()
        atexit.register(self.close)
        self._folder.chmod(0o755)
        box, tmp = self._folder / "box", self._folder / "tmp"
        box.mkdir()
        tmp.mkdir(mode=0o755)
        tmp.chmod(0o711)
        try:
            build_box(box, self._parts, self.refused)
        except OSError as error:
            self.close()
            raise NoSandbox(
                f"the sandbox cannot be created in {tempfile.gettempdir()}: {_first_reason(error)}. Set TMPDIR to a "
                "folder with 50 MB of free space."
            ) from None
        inside = Path(_BOX) if self.tier == 1 else box
        down_read, down_write = os.pipe()
        up_read, up_write = os.pipe()
        python = [os.path.realpath(sys.executable), "-s", "-S", "-P", "-B", "-W", "ignore"]
        places = [str(inside / "own"), str(inside / "site")]
        code = f"import sys; sys.path[:0] = {places}; from kcourse_grader.sandbox.inside import worker; worker.main()"
        program = [*python, "-c", code, str(down_read), str(up_write)]
        paths = readable_paths(self.refused)
        if self.tier == 1:
            program = _bwrap_command(box, paths, program)
        self._process = subprocess.Popen(
            program, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            pass_fds=(down_read, up_write), close_fds=True, start_new_session=True,
            env={"PATH": "/usr/bin:/bin", "MPLCONFIGDIR": str(inside / "matplotlib"), **_ENVIRONMENT},
        )  # fmt: skip
        os.close(down_read)
        os.close(up_write)
        self._channel = codec.Channel(up_read, down_write, most_text=codec.MAX_TEXT)
        self._channel.send(self._config(inside, tmp, paths))
        try:
            self.started = self._channel.receive(time.monotonic() + 60)
        except (EOFError, TimeoutError, codec.FrameError) as error:
            said = self._last_words()
            self.close()
            raise NoSandbox(f"the sandbox of tier {self.tier} did not start ({error!r}): {said}") from None

    def _config(self, inside: Path, tmp: Path, paths: Sequence[str]) -> dict[str, Any]:
        limits = self.limits
        return {
            "path": [str(inside / "site"), *_stdlib_path()],
            "refused": ["sklearn", "kcourse_grader", *self.refused, *_not_in((*self._parts, *SILENT))],
            "silent": list(SILENT),
            "preload": [*PRELOAD, *self._parts],
            "environment": _ENVIRONMENT,
            "limits": {
                "memory": limits.memory, "file_size": limits.file_size, "files": limits.files,
                "cpu": int(1.5 * max(limits.cells, limits.calls)) + 2,
            },
            "uid": 100_000 + os.getpid() % 50_000 if os.geteuid() == 0 else 0,
            "alone": self.tier == 1,
            "landlock": self.tier == 2,
            "filtered": self.tier == 2 or (self.tier == 1 and harden.knows_calls()),
            "closed": self.tier != 1 and _closed(paths),
            "readable": [*paths, str(inside)],
            "tmp": _SCRATCH if self.tier == 1 else str(tmp),
        }  # fmt: skip

    @property
    def _parts(self) -> tuple[str, ...]:
        """The modules of kcourse inside the sandbox."""
        return tuple(name for name in within_reach(self.allowed) if name not in (*SILENT, import_stubs.__name__))

    @property
    def folders(self) -> list[Path]:
        """The sandbox's folders on the outer disk; a submission must not be able to write to any of them."""
        return [self._folder, *(p for p in self._folder.rglob("*") if p.is_dir() and not p.is_symlink())][:20]

    def run(
        self,
        cells: Sequence[str],
        functions: dict[str, Sequence[str]],
        calls: Sequence[dict],
        limits: Limits | None = None,
        then: Then | None = None,
    ) -> dict:
        """Execute ``cells``, make ``calls``; return {"cells": [...], "outcomes": [...], "problems": {...}}.

        Each call is {"name", "args"}, with "memory" if its memory is limited.
        After all calls, ``then`` is called with the results and with a function that repeats the calls of one name,
        while other answers are replaced with functions that ask the grader. This function takes the name, the names
        to replace, the callback that answers (name, arguments), and optionally other inputs of similar size; it
        returns the outcomes.
        Whatever the submission does, ``run`` returns. The result contains "lost" if the sandbox itself ended, which
        says nothing about the submission.
        """
        try:
            if self._process is None or self._process.poll() is not None:
                self.start()
            return self._converse(cells, functions, calls, limits or self.limits, then)
        except (EOFError, TimeoutError, OSError, codec.FrameError):
            self.close()  # the next job starts a new one
            lost = {"failure": {"kind": "ProcessDied"}}
            return {
                "cells": [{"status": "not run"}] * len(cells),
                "outcomes": [lost] * len(calls), "problems": {}, "runners": 0, "lost": True,
            }  # fmt: skip

    def _converse(
        self,
        cells: Sequence[str],
        functions: dict[str, Sequence[str]],
        calls: Sequence[dict],
        limits: Limits,
        then: Then | None,
    ) -> dict:
        """Send the cells, then one function after the other, each with its inputs only when its turn comes."""
        at = {name: [i for i, call in enumerate(calls) if call["name"] == name] for name in functions}
        inputs = {name: codec.pack([list(calls[i]["args"]) for i in mine]) for name, mine in at.items() if mine}
        room = max(map(len, inputs.values()), default=0) * (_LARGER if then else 1)
        patience = (3 * limits.cells + limits.calls + 10) * max(2.0, 2 * limits.patience)
        memory = {call["name"]: call.get("memory", 0) for call in calls}
        job = {
            "cells": list(cells),
            "functions": {
                name: {"parameters": list(parameters), "memory": memory.get(name, 0)}
                for name, parameters in functions.items()
            },
            "limits": {name: getattr(limits, name) for name in _TOLD},
            "room": room + (_REPLY if then else 0),
            "crowd": _tasks_of_this_user() + _BRAKE * limits.processes,
        }
        self._channel.send(job)
        begun = self._hear(patience, cells=len(cells))
        outcomes: list[dict] = [{}] * len(calls)

        def make_calls(
            name: str, right: Sequence[str] = (), answer: Answer | None = None, others: Sequence[tuple] | None = None
        ) -> list[dict]:
            frame = inputs[name] if others is None else codec.pack([list(args) for args in others])
            count = len(at[name] if others is None else others)
            if len(frame) > room:
                raise ValueError(f"these inputs take {len(frame)} bytes, and there is room for {room}")
            self._channel.send({"call": name, "count": count, "size": len(frame), "right": list(right)})
            self._hear(patience)
            self._channel.send_bytes(frame)
            while "ask" in (heard := self._hear(patience)):
                self._reply(heard, right, answer)
            return _held_to_form(heard, outcomes=count)["outcomes"]

        for name in inputs:
            for i, outcome in zip(at[name], make_calls(name), strict=True):
                outcomes[i] = outcome
        if then is not None:
            then({"cells": begun["cells"], "outcomes": outcomes, "problems": begun["problems"]}, make_calls)
        self._channel.send({"end": True})
        ended = self._hear(patience, cells=len(cells))
        try:
            clean = self._channel.receive(time.monotonic() + _CLEANING) == {"clean": True}
        except (EOFError, TimeoutError):
            clean = False
        if not clean:  # the next job must not meet remains of this one
            self.close()
        return {
            "cells": ended["cells"], "outcomes": outcomes, "problems": begun["problems"],
            "runners": ended["runners"], "clean": clean,
        }  # fmt: skip

    def _reply(self, question: dict, right: Sequence[str], answer: Answer | None) -> None:
        """Send the value that ``answer`` gives to a question, or a message without a value."""
        name, args = question["ask"], question.get("args")
        if answer is None or name not in right or not isinstance(args, list):
            raise codec.FrameError("no question")
        try:
            frame = codec.pack({"value": answer(name, args)}, _REPLY)
        except Exception:  # a right answer may raise anything on a submission's arguments
            frame = codec.pack({})
        self._channel.send({"size": len(frame)})
        self._channel.send_bytes(frame)

    def _hear(self, patience: float, **counts: int) -> dict:
        """Receive the next message and check its form, although no submission's code runs in the supervisor."""
        return _held_to_form(self._channel.receive(time.monotonic() + patience), **counts)

    def close(self) -> None:
        """End the zygote and everything in the sandbox, and remove its folder."""
        atexit.unregister(self.close)
        if self._process is not None:
            self._channel.close()  # then the zygote ends everything it has started, and itself
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_CLEANING)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process.stderr.close()
            self._process = None
        if self._folder is not None:
            removal.remove(self._folder)
            self._folder = None
        _sweep()  # here as well, because a killed grader's worker may have outlived our start

    def _last_words(self) -> str:
        with contextlib.suppress(Exception):
            self._process.kill()
            return self._process.stderr.read(4000).decode(errors="replace").strip()
        return ""


def _held_to_form(result: Any, **counts: int) -> dict:
    """Return ``result`` if it is a dict whose lists have this many dicts, else raise FrameError."""
    if not isinstance(result, dict) or not isinstance(result.setdefault("problems", {}), dict):
        raise codec.FrameError("not a result")
    for key, count in counts.items():
        items = result.get(key)
        if not isinstance(items, list) or len(items) != count or not all(isinstance(item, dict) for item in items):
            raise codec.FrameError("not a result")
    return result


def _not_in(parts: Sequence[str]) -> list[str]:
    """Return the modules of kcourse outside ``parts``; a package that contains some of them is entered."""
    found, queue = [], [Path(kcourse.__file__).parent]
    while queue:
        for path in sorted(queue.pop().iterdir()):
            name = ".".join(("kcourse", *path.relative_to(Path(kcourse.__file__).parent).with_suffix("").parts))
            module = (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").is_file()
            if not module or name in parts:
                continue
            if any(part.startswith(f"{name}.") for part in parts):
                queue.append(path)
            else:
                found.append(name)
    return found


def folder_of_this_process() -> Path:
    """Make a temporary folder; if this process is killed, the next grader removes it."""
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))


def _sweep() -> None:
    """Remove folders of killed graders."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        pid = folder.name.removeprefix(_PREFIX).partition("-")[0]
        with contextlib.suppress(OSError):
            if pid.isdigit() and not os.path.exists(f"/proc/{pid}") and folder.stat().st_uid == os.geteuid():
                removal.remove(folder)


def _closed(paths: Sequence[str]) -> bool:
    """Whether another user cannot reach these paths, for example root's own Python."""
    return any(not p.stat().st_mode & 0o001 for path in paths for p in Path(path).parents)


def _stdlib_path() -> list[str]:
    """Return the paths of the standard library."""
    stdlib = sysconfig.get_path("stdlib")
    places = [
        os.path.realpath(p) for p in (stdlib, sysconfig.get_path("platstdlib"), os.path.join(stdlib, "lib-dynload"))
    ]
    return list(dict.fromkeys(p for p in places if os.path.isdir(p)))


def _tasks_of_this_user() -> int:
    """Count this user's running processes and threads; the kernel counts them if submissions run as this user."""
    if os.geteuid() == 0:
        return 0
    mine = 0
    for entry in os.scandir("/proc"):
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and entry.stat().st_uid == os.geteuid():
                mine += len(os.listdir(f"/proc/{entry.name}/task"))
    return mine
