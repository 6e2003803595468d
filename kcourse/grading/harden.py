"""What a process gives up before it runs code that nobody trusts: users, files, sockets, memory, time.

Each function acts on the calling process and cannot be undone by it. Linux only, through its system calls; this file
is copied into the sandbox and needs the standard library alone.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["adopt_orphans", "drop_user", "forbid_calls", "landlock_abi", "limit", "restrict_files", "unreadable"]

if os.name == "posix":  # elsewhere this file is read, for its documentation, and not used
    import resource

    _libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_DUMPABLE, _PR_SET_KEEPCAPS, _PR_SET_SECCOMP, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 4, 8, 22, 36, 38
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same numbers on every architecture
_READ = 1 << 0 | 1 << 2 | 1 << 3  # execute, read a file, list a folder
_SCOPES = 1 << 0 | 1 << 1  # abstract sockets, signals


def limit(*, memory: int, file_size: int, processes: int, files: int, cpu: int) -> None:
    """Set limits: bytes of memory and of a file, number of this user's processes and of open files, CPU seconds."""
    for kind, value in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, file_size),
        (resource.RLIMIT_NPROC, processes),
        (resource.RLIMIT_NOFILE, files),
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_CORE, 0),
    ):
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


# What Landlock does not see: numbers by machine, of what opens sockets or reaches into other processes (io_uring_setup,
# ptrace, process_vm_readv and _writev, pidfd_getfd, open_by_handle_at), what changes other files of this user without
# opening them (chmod, chown, utime, xattr and kin), what tells other processes of this user how to run (setpriority,
# sched_set…, ioprio_set), memory and queues shared by name (System V, mq_open), memory that is no process's
# (memfd_create, memfd_secret), keys, and namespaces.
@dataclass(frozen=True)
class _Machine:
    audit: int
    denied: tuple[int, ...]
    prlimit: int  # refused for other processes


_MACHINES = {
    "x86_64": _Machine(
        0xC000003E,
        (41, 425, 101, 310, 311, 438, 304)
        + (90, 91, 92, 93, 94, 132, 235, 260, 261, 268, 280, 452, 188, 189, 190, 197, 198, 199, 463, 466)
        + (141, 142, 144, 203, 251, 314)
        + (29, 30, 31, 64, 65, 66, 68, 69, 70, 71, 220, 240, 248, 249, 250, 272, 308, 319, 447),
        302,
    ),
    "aarch64": _Machine(
        0xC00000B7,
        (198, 425, 117, 270, 271, 438, 265)
        + (52, 53, 54, 55, 88, 452, 5, 6, 7, 14, 15, 16, 463, 466)
        + (140, 118, 119, 122, 30, 274)
        + (*range(186, 197), 180, 217, 218, 219, 97, 268, 279, 447),
        261,
    ),
}


def knows_calls() -> bool:
    """Whether the numbers of this machine's system calls are known."""
    return os.uname().machine in _MACHINES and struct.calcsize("P") == 8


def forbid_calls() -> None:
    """Make every new socket, and reaching into other processes and files of this user, fail with EPERM (seccomp)."""
    if not knows_calls():
        raise OSError(f"no seccomp filter is known for {os.uname().machine}")
    machine = _MACHINES[os.uname().machine]
    load, equal, at_least, give = 0x20, 0x15, 0x35, 0x06
    allow, refuse, kill = 0x7FFF0000, 0x00050001, 0x80000000
    count = len(machine.denied)
    # (code, jump if true, if false, operand); struct seccomp_data: number at 0, architecture at 4, arguments from 16
    program = [(load, 0, 0, 4), (equal, 1, 0, machine.audit), (give, 0, 0, kill), (load, 0, 0, 0)]
    program.append((at_least, count + 4, 0, 0x40000000))  # the x32 numbers of the same calls
    program += [(equal, count - i + 3, 0, number) for i, number in enumerate(machine.denied)]
    program += [
        (equal, 0, 2, machine.prlimit),
        (load, 0, 0, 16),
        (equal, 0, 1, 0),
    ]  # whose limits: 0 for mine
    program += [(give, 0, 0, allow), (give, 0, 0, refuse)]
    code = b"".join(struct.pack("HBBI", *step) for step in program)
    buffer = ctypes.create_string_buffer(code)
    head = struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer))
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _prctl(_PR_SET_SECCOMP, 2, ctypes.c_char_p(head))


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
