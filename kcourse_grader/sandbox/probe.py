"""Self-test of the sandbox: try from inside what a hostile submission would try.

The attempts run as a cell and a call of a submission. Wherever possible their result is observed from outside (whether
a packet arrived, a file exists, a process still runs), because code inside could claim anything.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import kcourse
from kcourse_grader.sandbox.sandbox import Sandbox, folder_of_this_process

__all__ = ["Proof", "probe"]

TIERS = {0: "none", 1: "bubblewrap", 2: "Landlock and seccomp"}
WALLS = ("network", "writing", "reading", "processes", "course", "user", "namespaces", "limits")
_SAYS = {
    "network": "no network", "writing": "no writing outside", "reading": "no reading of other files",
    "processes": "no access to other processes", "course": "no checks, solutions or solvers", "user": "no privileges",
    "namespaces": "no namespaces or mounts", "limits": "limits on memory and time",
}  # fmt: skip


@dataclass(frozen=True)
class Proof:
    """Result of the self-test: ``falls`` are pairs of a protection and the attempt that got past it."""

    tier: int
    falls: tuple[tuple[str, str], ...] = ()

    @property
    def stands(self) -> bool:
        """Whether no attempt succeeded."""
        return not self.falls

    @property
    def text(self) -> str:
        """The result in two lines, for the instructor."""
        fallen = {wall for wall, _ in self.falls}
        good = ", ".join(_SAYS[wall] for wall in WALLS if wall not in fallen) or "nothing"
        bad = "; ".join(f"{_SAYS.get(wall, wall)}: {what}" for wall, what in self.falls)
        return f"Sandbox: {TIERS[self.tier]}; verified: {good}.\n" + (
            f"NOT verified: {bad}." if bad else "Submissions cannot affect anything outside the sandbox."
        )


def probe(sandbox: Sandbox) -> Proof:
    """Try to break out of ``sandbox``, which must be running, and return the result."""
    token = secrets.token_hex(8)
    falls: list[tuple[str, str]] = []
    with _bait(token) as bait:
        places = _places(sandbox)
        facts = {
            "token": token, "tcp": bait.tcp.getsockname()[1], "udp": bait.udp.getsockname()[1],
            "datagrams": ["\0kcourse-datagram-" + token, str(bait.secret.parent / "datagram")],
            "places": places, "files": [str(bait.secret), *_files_of_the_course()], "parent": os.getpid(),
            "victim": bait.victim.pid, "root": os.geteuid() == 0,
        }  # fmt: skip
        call = {"name": "try_walls", "args": [json.dumps(facts)]}
        patient = replace(sandbox.limits, cell=10.0, cells=30.0, call=10.0, calls=10.0)
        ran = sandbox.run([_ATTEMPTS], {"try_walls": ("facts",)}, [call], limits=patient)
        falls += _told(ran["outcomes"][0])
        falls += [("network", f"{kind} arrived") for kind in bait.arrived()]
        for place in places:
            for file in Path(place).glob(f"*{token}*"):
                falls.append(("writing", f"a file in {place}"))
                file.unlink()
        if bait.victim.poll() is not None:
            falls.append(("processes", "another process was ended"))
    return Proof(sandbox.tier, tuple(dict.fromkeys(falls)))


def _told(outcome: dict) -> list[tuple[str, str]]:
    """Return the attempts that succeeded by their own report; with an invalid report, nothing counts as verified."""
    try:
        told = json.loads(outcome["value"])
        if told.pop("finished") is not True:
            raise ValueError
        return [(wall, str(what)[:200]) for wall, gaps in told.items() for what in gaps]
    except (KeyError, TypeError, ValueError, AttributeError):
        kind = str((outcome.get("failure") or {}).get("kind", "no answer"))[:100]
        return [(wall, f"the self-test did not finish ({kind})") for wall in WALLS]


def _places(sandbox: Sandbox) -> list[str]:
    """Return folders in which a submission must not be able to write."""
    inside = [str(path) for path in sandbox.folders]
    places = [os.path.expanduser("~"), "/etc", "/var/tmp", "/tmp", "/dev/shm", sysconfig.get_path("purelib"), *inside]
    return [place for place in dict.fromkeys(places) if os.path.isdir(place)]


def _files_of_the_course() -> list[str]:
    """Return files that give answers away: checks, solutions, solvers, and scikit-learn."""
    source = Path(kcourse.__file__).parent
    files = [*sorted(source.glob("chapters/*/marks.py"))[:2], source / "ridge.py"]
    files += sorted((source.parent / "solutions").glob("*.ipynb"))[:2]
    sklearn = importlib.util.find_spec("sklearn")
    files += [Path(sklearn.origin)] if sklearn and sklearn.origin else []
    return [str(file) for file in files if file.is_file()]


@dataclass
class _Bait:
    """Targets outside the sandbox: listening sockets, a file, a process."""

    tcp: socket.socket
    udp: socket.socket
    abstract: socket.socket
    datagrams: tuple[socket.socket, ...]
    secret: Path
    victim: subprocess.Popen

    def arrived(self) -> Iterator[str]:
        """Yield what arrived over the network."""
        for name, listening in (("a TCP connection", self.tcp), ("a local connection", self.abstract)):
            with contextlib.suppress(OSError):
                listening.accept()[0].close()
                yield name
        with contextlib.suppress(OSError):
            self.udp.recv(100)
            yield "a UDP packet"
        for listening in self.datagrams:
            with contextlib.suppress(OSError):
                listening.recv(100)
                yield "a local datagram"


@contextlib.contextmanager
def _bait(token: str) -> Iterator[_Bait]:
    folder = folder_of_this_process()
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)  # only the sandbox should protect it, not its permissions
        secret = folder / "secret"
        secret.write_text(token)
        secret.chmod(0o644)
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0kcourse-{token}")
        abstract.listen()
        datagrams = tuple(stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) for _ in range(2))
        place = os.open(folder, os.O_PATH)  # a socket's name has at most 107 bytes, and TMPDIR may be longer
        stack.callback(os.close, place)
        names = (f"\0kcourse-datagram-{token}", f"/proc/self/fd/{place}/datagram")
        for listening, name in zip(datagrams, names, strict=True):
            listening.bind(name)
        (folder / "datagram").chmod(0o777)
        for listening in (tcp, udp, abstract, *datagrams):
            listening.setblocking(False)
        program = [sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.read()", f"kcourse-{token}"]
        victim = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)  # ends with this process
        stack.callback(victim.stdin.close)
        stack.callback(victim.wait)
        stack.callback(victim.kill)
        yield _Bait(tcp, udp, abstract, datagrams, secret, victim)


_ATTEMPTS = r"""
import contextlib, ctypes, glob, importlib, json, os, resource, signal, socket


def try_walls(facts):
    facts = json.loads(facts)
    token, got = facts["token"], {}

    def fell(wall, what):
        got.setdefault(wall, []).append(what)

    @contextlib.contextmanager
    def attempt(wall, what):
        try:
            yield
        except BaseException:
            return
        fell(wall, what)

    with attempt("network", "TCP"):
        socket.create_connection(("127.0.0.1", facts["tcp"]), 1).send(b"x")
    with attempt("network", "a local socket"):
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(1)
        s.connect("\0kcourse-" + token)
    with contextlib.suppress(OSError):  # observed from outside, because sending succeeds even if nobody listens
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", facts["udp"]))
    with contextlib.suppress(OSError):  # a name that is short enough
        place = os.open(os.path.dirname(facts["datagrams"][1]), os.O_PATH)
        facts["datagrams"].append(f"/proc/self/fd/{place}/datagram")
    for name in facts["datagrams"]:  # through a socket of a pair, without opening a new one
        for end in ("connect", "sendto"):
            with contextlib.suppress(OSError):
                a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
                a.sendto(b"x", name) if end == "sendto" else (a.connect(name), a.send(b"x"))
    if not got:
        with attempt("network", "a name was looked up"):
            socket.getaddrinfo("example.org", 80)

    for place in facts["places"]:
        with contextlib.suppress(OSError):  # observed from outside, because the sandbox may have such a folder
            with open(os.path.join(place, "kcourse-" + token), "w") as file:
                file.write("x")
    for path in facts["files"]:
        with attempt("reading", path):
            open(path, "rb").read(1)
        with attempt("reading", "listing of " + os.path.dirname(path)):
            assert os.path.basename(path) in os.listdir(os.path.dirname(path))

    mine = (1, os.getpid(), os.getppid())
    for pid, what in ((facts["parent"], "the grader"), (facts["victim"], "another process")):
        if pid not in mine:
            with attempt("processes", what + " takes signals"):
                os.kill(pid, 0)
            with attempt("processes", what + " can be traced"):
                assert ctypes.CDLL(None).ptrace(0x4206, pid, 0, 0) == 0
            with attempt("processes", what + " can be read"):
                open("/proc/%d/environ" % pid, "rb").read(1)
    if facts["victim"] not in mine:
        with contextlib.suppress(OSError):  # observed from outside
            os.kill(facts["victim"], signal.SIGTERM)
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        with attempt("processes", "other processes are visible"):
            assert token.encode() in open(path, "rb").read()

    for name in ("kcourse.checks", "kcourse_grader", "kcourse.ridge", "kcourse.commands.cli", "sklearn", "IPython"):
        with attempt("course", "import " + name):
            assert importlib.import_module(name).__file__

    if facts["root"] and 0 in (os.getuid(), os.geteuid(), os.getgid()):
        fell("user", "it is root")
    with attempt("user", "it can become root"):
        assert facts["root"]
        os.setuid(0)
    libc, home = ctypes.CDLL(None, use_errno=True), os.environ["HOME"].encode()
    clone = {"x86_64": 56, "aarch64": 220}.get(os.uname().machine)
    for flag, what in ((0x10000000, "user"), (0x10020000, "mount"), (0x50000000, "network")):
        with attempt("namespaces", "a " + what + " namespace"):
            assert libc.unshare(flag) == 0
        with attempt("namespaces", "a process in a " + what + " namespace"):
            pid = libc.syscall(clone, flag | signal.SIGCHLD, 0, 0, 0, 0) if clone else -1
            if pid == 0:
                os._exit(0)
            assert pid > 0
        with attempt("namespaces", "a process in a " + what + " namespace (clone3)"):
            pid = libc.syscall(435, (ctypes.c_uint64 * 11)(flag, 0, 0, 0, signal.SIGCHLD), 88)
            if pid == 0:
                os._exit(0)
            assert pid > 0
    with attempt("namespaces", "a file system was mounted"):
        assert libc.mount(b"x", home, b"tmpfs", 0, None) == 0
    with attempt("namespaces", "a file system was opened"):
        assert libc.syscall(430, b"tmpfs", 0) >= 0

    for kind in ("AS", "FSIZE", "NPROC", "NOFILE", "CPU"):
        if resource.getrlimit(getattr(resource, "RLIMIT_" + kind))[0] == resource.RLIM_INFINITY:
            fell("limits", kind)
    with open(os.path.join(os.environ["HOME"], "mine"), "w") as file:
        file.write("its own folder is writable")
    return json.dumps(got | {"finished": True})
"""
