"""What a process gives up before it runs code that nobody trusts: users, files, sockets, memory, time.

Each function acts on the calling process and cannot be undone by it. Linux only, through its system calls.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = [
    "adopt_orphans",
    "die_with_parent",
    "drop_user",
    "forbid_calls",
    "knows_calls",
    "landlock_abi",
    "limit",
    "limit_memory",
    "restrict_files",
    "unreadable",
]

if os.name == "posix":  # elsewhere this file is read, for its documentation, and not used
    import resource

    _libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG, _SIGKILL = 1, 9
_PR_SET_DUMPABLE, _PR_SET_KEEPCAPS, _PR_SET_SECCOMP, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 4, 8, 22, 36, 38
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same numbers on every architecture
_READ = 1 << 0 | 1 << 2 | 1 << 3  # execute, read a file, list a folder
_SCOPES = 1 << 0 | 1 << 1  # abstract sockets, signals


def limit(*, memory: int, file_size: int, processes: int, files: int, cpu: int) -> None:
    """Set limits: bytes of memory and of a file, number of this user's processes and of open files, CPU seconds."""
    limit_memory(memory)
    for kind, value in (
        (resource.RLIMIT_FSIZE, file_size),
        (resource.RLIMIT_NPROC, processes),
        (resource.RLIMIT_NOFILE, files),
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_CORE, 0),
    ):
        _limit(kind, value)


def limit_memory(size: int) -> None:
    """Set the limit of memory alone, in bytes."""
    _limit(resource.RLIMIT_AS, size)


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def drop_user(uid: int, *, pass_closed_folders: bool = False) -> None:
    """Become the unprivileged user ``uid`` for good, if this process is root and ``uid`` is not 0.

    ``pass_closed_folders`` keeps the right to read what only others may, for a Python that lies in root's home;
    `restrict_files` says what there is to read.
    """
    if os.geteuid() == 0 and uid:
        if pass_closed_folders:
            _prctl(_PR_SET_KEEPCAPS, 1)
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        if pass_closed_folders:
            # CAP_DAC_READ_SEARCH alone, not to be inherited: struct __user_cap_header, two of __user_cap_data
            if _libc.capset(struct.pack("Ii", 0x20080522, 0), struct.pack("6I", 1 << 2, 1 << 2, 0, 0, 0, 0)) != 0:
                raise OSError(ctypes.get_errno(), "capset failed")
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def adopt_orphans() -> None:
    """Become the parent of whatever process its own parent leaves behind, so that it can be found and ended."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    """Let the kernel end this process when its parent is gone. Becoming another user undoes it."""
    _prctl(_PR_SET_PDEATHSIG, _SIGKILL)


def unreadable() -> None:
    """Let no other process of the same user read or change this one's memory."""
    _prctl(_PR_SET_DUMPABLE, 0)


def landlock_abi() -> int:
    """Return the version of Landlock that the kernel offers, 0 for none."""
    return max(0, _libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1))


def restrict_files(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Leave this process these paths alone, no TCP, and no signal to processes outside (Landlock)."""
    abi = landlock_abi()
    all_files = (1 << {1: 13, 2: 14}.get(abi, 15 if abi < 5 else 16)) - 1
    # struct landlock_ruleset_attr: rights on files, on TCP (ABI 4), scopes (ABI 6)
    attributes = struct.pack("QQQ", all_files, 3 if abi >= 4 else 0, _SCOPES if abi >= 6 else 0)
    attributes = attributes[: 24 if abi >= 6 else 16 if abi >= 4 else 8]
    ruleset = _call(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    for paths, rights in ((readable, _READ), (writable, all_files)):
        for path in paths:
            with contextlib.suppress(FileNotFoundError):
                fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
                of_files = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15  # of what a rule for a file may say
                allowed = rights & all_files & (~0 if os.path.isdir(path) else of_files)
                _call(_ADD_RULE, ruleset, 1, struct.pack("=Qi", allowed, fd), 0)
                os.close(fd)
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _call(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


# What Landlock does not see: numbers by machine, of what opens sockets, names or reaches them (socket, io_uring_setup,
# connect, bind), reaches into other processes (ptrace, process_vm_readv and _writev, pidfd_getfd, open_by_handle_at,
# process_madvise, pidfd_send_signal), what changes other files of this user without opening them (chmod, chown, utime,
# xattr and kin), what tells other processes of this user how to run (setpriority, sched_set…, ioprio_set), memory and
# queues shared by name (System V, mq_open), memory that is no process's (memfd_create, memfd_secret), keys, namespaces
# (unshare, setns), what mounts (mount, umount, pivot_root, chroot, and those of the newer interface), and what looks
# into the kernel (bpf, perf_event_open, userfaultfd).
@dataclass(frozen=True)
class _Machine:
    audit: int
    denied: tuple[int, ...]
    prlimit: int  # refused for other processes
    clone: int  # refused where it makes namespaces
    fcntl: int  # refused where it sends signals
    ioctl: int  # so, too
    mmap: int  # refused where the memory is shared and in no file: it stays when no process has it mapped
    socketpair: int  # allowed where neither end can be connected to anything else
    kill: int
    kill_one: tuple[int, ...]  # tkill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo


_MOUNTS = (*range(428, 434), 442, 467)  # the same numbers everywhere, and so are these:
_ELSEWHERE = (424, 425, 438, 440, 447, 452, 463, 466)
_CLONE3 = 435  # its flags lie where a filter cannot look: libc uses clone if it is told that there is none
_MACHINES = {
    "x86_64": _Machine(
        audit=0xC000003E,
        denied=(41, 42, 49, 101, 310, 311, 304)
        + (90, 91, 92, 93, 94, 132, 235, 260, 261, 268, 280, 188, 189, 190, 197, 198, 199)
        + (141, 142, 144, 203, 251, 314)
        + (29, 30, 31, 64, 65, 66, 68, 69, 70, 71, 220, 240, 248, 249, 250, 272, 308, 319)
        + (155, 161, 165, 166, 298, 321, 323, *_MOUNTS, *_ELSEWHERE),
        prlimit=302, clone=56, fcntl=72, ioctl=16, mmap=9, socketpair=53, kill=62, kill_one=(200, 234, 129, 297),
    ),
    "aarch64": _Machine(
        audit=0xC00000B7,
        denied=(198, 203, 200, 117, 270, 271, 265)
        + (52, 53, 54, 55, 88, 5, 6, 7, 14, 15, 16)
        + (140, 118, 119, 122, 30, 274)
        + (*range(186, 197), 180, 217, 218, 219, 97, 268, 279)
        + (41, 51, 40, 39, 241, 280, 282, *_MOUNTS, *_ELSEWHERE),
        prlimit=261, clone=220, fcntl=25, ioctl=29, mmap=222, socketpair=199, kill=129, kill_one=(130, 131, 138, 240),
    ),
}  # fmt: skip
_NAMESPACES = 0x7E020000  # CLONE_NEW…: cgroup, uts, ipc, user, pid, net, and of mounts
_SET_OWNER, _SET_SIGNAL, _SET_OWNER_EX = 8, 10, 15
_FIOSETOWN, _SIOCSPGRP, _FIOASYNC = 0x8901, 0x8902, 0x5452
_SHARED_ANONYMOUS = 0x01 | 0x20


def knows_calls() -> bool:
    """Whether the numbers of this machine's system calls are known."""
    return os.uname().machine in _MACHINES and struct.calcsize("P") == 8


_LOAD, _AND, _EQUAL, _AT_LEAST, _ANY_BIT, _GIVE = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _NO_SUCH_CALL, _KILL = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
Step = tuple[int, int, int, int]  # code, steps to skip if true, if false, operand


def forbid_calls(parent: int) -> None:
    """Let sockets, namespaces, shared memory, and reaching into other processes fail with EPERM (seccomp).

    ``parent`` is who watches over this process: no signal goes there, nor to any group but the own.
    """
    if not knows_calls():
        raise OSError(f"no seccomp filter is known for {os.uname().machine}")
    machine = _MACHINES[os.uname().machine]
    # struct seccomp_data: number at 0, architecture at 4, arguments from 16
    program: list[Step] = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, machine.audit), (_GIVE, 0, 0, _KILL), (_LOAD, 0, 0, 0)]
    program += [(_AT_LEAST, 0, 1, 0x40000000), (_GIVE, 0, 0, _REFUSE)]  # the x32 numbers of the same calls
    for number in machine.denied:
        program += _rule(number)
    program += _rule(_CLONE3, verdict=_NO_SUCH_CALL)
    program += _rule(machine.clone, _argument(0), [(_ANY_BIT, 0, 1, _NAMESPACES)])
    program += _rule(machine.prlimit, _argument(0), [(_EQUAL, 1, 0, 0)])  # whose limits: 0 for mine
    for command in (_SET_OWNER, _SET_SIGNAL, _SET_OWNER_EX):
        program += _rule(machine.fcntl, _argument(1), [(_EQUAL, 0, 1, command)])
    for command in (_FIOSETOWN, _SIOCSPGRP, _FIOASYNC):
        program += _rule(machine.ioctl, _argument(1), [(_EQUAL, 0, 1, command)])
    flags = [*_argument(3), (_AND, 0, 0, _SHARED_ANONYMOUS)]
    program += _rule(machine.mmap, flags, [(_EQUAL, 0, 1, _SHARED_ANONYMOUS)])
    program += _rule(machine.socketpair, _argument(0), [(_EQUAL, 1, 0, 1)])  # but AF_UNIX
    program += _rule(machine.socketpair, [*_argument(1), (_AND, 0, 0, 0xF)], [(_EQUAL, 1, 0, 1)])  # but SOCK_STREAM
    for number in (machine.kill, *machine.kill_one):
        program += _rule(number, _argument(0), [(_EQUAL, 0, 1, parent)])
    program += _rule(machine.kill, _argument(0), [(_EQUAL, 2, 0, -os.getpgrp() % 2**32), (_AT_LEAST, 0, 1, 2**31)])
    program.append((_GIVE, 0, 0, _ALLOW))
    buffer = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in program))
    head = struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer))
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _prctl(_PR_SET_SECCOMP, 2, ctypes.c_char_p(head))


def _argument(i: int) -> list[Step]:
    """Look at the lower half of the call's argument ``i``."""
    return [(_LOAD, 0, 0, 16 + 8 * i)]


def _rule(number: int, look: Iterable[Step] = (), test: Iterable[Step] = (), verdict: int = _REFUSE) -> list[Step]:
    """Steps that give ``verdict`` on this call; on what ``look`` loads, unless ``test`` skips the step after it."""
    body = [*look, *test, (_GIVE, 0, 0, verdict)]
    again = [(_LOAD, 0, 0, 0)] if look else []
    return [(_EQUAL, 0, len(body) + len(again), number), *body, *again]


def _prctl(option: int, *arguments: object) -> None:
    values = [a if isinstance(a, ctypes.c_char_p) else ctypes.c_ulong(a) for a in (*arguments, 0, 0, 0, 0)[:4]]
    if _libc.prctl(option, *values) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl {option}: {os.strerror(number)}")


def _call(number: int, *arguments: object) -> int:
    result = _libc.syscall(number, *arguments)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"system call {number}: {os.strerror(error)}")
    return result
