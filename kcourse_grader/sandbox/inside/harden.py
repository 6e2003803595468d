"""Functions by which a process gives up privileges and sets limits before it runs untrusted code.

Each function acts on the calling process, which cannot undo it. They use Linux system calls and work only there.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from collections.abc import Iterable, Mapping

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

if os.name == "posix":  # on other systems this file is only read for its documentation
    import resource

    _libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG, _SIGKILL = 1, 9
_PR_SET_DUMPABLE, _PR_SET_KEEPCAPS, _PR_SET_SECCOMP, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 4, 8, 22, 36, 38
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same numbers on every architecture
_READ = 1 << 0 | 1 << 2 | 1 << 3  # execute, read a file, list a folder
_SCOPES = 1 << 0 | 1 << 1  # abstract sockets, signals


def limit(*, memory: int, file_size: int, processes: int, files: int, cpu: int) -> None:
    """Limit memory and file size (bytes), this user's processes, open files, and CPU time (seconds)."""
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
    """Limit only the memory, in bytes."""
    _limit(resource.RLIMIT_AS, size)


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def drop_user(uid: int, *, pass_closed_folders: bool = False) -> None:
    """Become the unprivileged user ``uid`` for good, if this process is root and ``uid`` is not 0.

    ``pass_closed_folders`` keeps the right to read other users' files, for a Python that is installed in root's home;
    `restrict_files` then limits which files can be read.
    """
    if os.geteuid() == 0 and uid:
        if pass_closed_folders:
            _prctl(_PR_SET_KEEPCAPS, 1)
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        if pass_closed_folders:
            # only CAP_DAC_READ_SEARCH, not inheritable: struct __user_cap_header, then two __user_cap_data
            if _libc.capset(struct.pack("Ii", 0x20080522, 0), struct.pack("6I", 1 << 2, 1 << 2, 0, 0, 0, 0)) != 0:
                raise OSError(ctypes.get_errno(), "capset failed")
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent has ended, so that they can be found and ended."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    """Let the kernel end this process when its parent ends. A change of user cancels this."""
    _prctl(_PR_SET_PDEATHSIG, _SIGKILL)


def unreadable() -> None:
    """Prevent other processes of the same user from reading or changing this process's memory."""
    _prctl(_PR_SET_DUMPABLE, 0)


def landlock_abi() -> int:
    """Return the version of Landlock that the kernel offers, 0 for none."""
    return max(0, _libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1))


def restrict_files(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Allow this process only these paths, no TCP, and no signals to processes outside (Landlock)."""
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
                of_files = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15  # rights that a rule for a file may contain
                allowed = rights & all_files & (~0 if os.path.isdir(path) else of_files)
                _call(_ADD_RULE, ruleset, 1, struct.pack("=Qi", allowed, fd), 0)
                os.close(fd)
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _call(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


# System calls by name, with their numbers on x86_64 (<asm/unistd_64.h>) and on aarch64 (<asm-generic/unistd.h>), or
# None; from 424 on both are the same. First the calls that Landlock does not control and that no answer needs.
_REFUSED: dict[str, tuple[int | None, int | None]] = {
    # opening, naming and connecting sockets
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "io_uring_setup": (425, 425),
    # access to other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "open_by_handle_at": (304, 265), "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    # changing this user's files without opening them
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54),
    "utime": (132, None), "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16), "removexattrat": (466, 466),
    # changing the scheduling of this user's processes
    "setpriority": (141, 140), "ioprio_set": (251, 30), "sched_setparam": (142, 118), "sched_setattr": (314, 274),
    "sched_setscheduler": (144, 119), "sched_setaffinity": (203, 122),
    # shared memory and queues with a name, and memory that belongs to no process
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195),
    "semget": (64, 190), "semop": (65, 193), "semctl": (66, 191), "semtimedop": (220, 192),
    "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187), "mq_open": (240, 180),
    "memfd_create": (319, 279), "memfd_secret": (447, 447),
    # keys
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    # namespaces
    "unshare": (272, 97), "setns": (308, 268),
    # mounts
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442), "open_tree_attr": (467, 467),
    # access to the kernel
    "perf_event_open": (298, 241), "bpf": (321, 280), "userfaultfd": (323, 282),
}  # fmt: skip
# calls that are refused only with some arguments
_LOOKED_AT: dict[str, tuple[int, int]] = {
    "prlimit64": (302, 261),  # for other processes
    "clone": (56, 220),  # where it makes namespaces
    "clone3": (435, 435),  # a filter cannot read its flags; if the call does not exist, libc uses clone instead
    "fcntl": (72, 25), "ioctl": (16, 29),  # where they send signals
    "mmap": (9, 222),  # where the memory is shared and not in a file: it can outlive the process
    "socketpair": (53, 199),  # except where neither end can be connected to anything else
    # signals to the parent or to another process group
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
}  # fmt: skip
_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_…, and the columns above in their order


def _numbers(calls: Mapping[str, tuple[int | None, int | None]], machine: str) -> dict[str, int]:
    """Return the numbers of the calls that exist on this machine."""
    column = list(_AUDIT).index(machine)
    return {name: number for name, both in calls.items() if (number := both[column]) is not None}


_NAMESPACES = 0x7E020000  # CLONE_NEW…: cgroup, uts, ipc, user, pid, net, ns
_SET_OWNER, _SET_SIGNAL, _SET_OWNER_EX = 8, 10, 15
_FIOSETOWN, _SIOCSPGRP, _FIOASYNC = 0x8901, 0x8902, 0x5452
_SHARED_ANONYMOUS = 0x01 | 0x20


def knows_calls() -> bool:
    """Whether the numbers of this machine's system calls are known."""
    return os.uname().machine in _AUDIT and struct.calcsize("P") == 8


_LOAD, _AND, _EQUAL, _AT_LEAST, _ANY_BIT, _GIVE = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _NO_SUCH_CALL, _KILL = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
Step = tuple[int, int, int, int]  # code, steps to skip if true, if false, operand


def forbid_calls(parent: int) -> None:
    """Make sockets, namespaces, shared memory and access to other processes fail with EPERM (seccomp).

    ``parent`` is the supervising process. Signals to it, and to process groups other than this one, also fail.
    """
    if not knows_calls():
        raise OSError(f"no seccomp filter is known for {os.uname().machine}")
    machine = os.uname().machine
    call = _numbers(_LOOKED_AT, machine)
    # struct seccomp_data: number at 0, architecture at 4, arguments from 16
    program: list[Step] = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, _AUDIT[machine]), (_GIVE, 0, 0, _KILL), (_LOAD, 0, 0, 0)]
    program += [(_AT_LEAST, 0, 1, 0x40000000), (_GIVE, 0, 0, _REFUSE)]  # the x32 numbers of the same calls
    for number in _numbers(_REFUSED, machine).values():
        program += _rule(number)
    program += _rule(call["clone3"], verdict=_NO_SUCH_CALL)
    program += _rule(call["clone"], _argument(0), [(_ANY_BIT, 0, 1, _NAMESPACES)])
    program += _rule(call["prlimit64"], _argument(0), [(_EQUAL, 1, 0, 0)])  # process number 0 means this process
    for command in (_SET_OWNER, _SET_SIGNAL, _SET_OWNER_EX):
        program += _rule(call["fcntl"], _argument(1), [(_EQUAL, 0, 1, command)])
    for command in (_FIOSETOWN, _SIOCSPGRP, _FIOASYNC):
        program += _rule(call["ioctl"], _argument(1), [(_EQUAL, 0, 1, command)])
    flags = [*_argument(3), (_AND, 0, 0, _SHARED_ANONYMOUS)]
    program += _rule(call["mmap"], flags, [(_EQUAL, 0, 1, _SHARED_ANONYMOUS)])
    program += _rule(call["socketpair"], _argument(0), [(_EQUAL, 1, 0, 1)])  # except AF_UNIX
    program += _rule(call["socketpair"], [*_argument(1), (_AND, 0, 0, 0xF)], [(_EQUAL, 1, 0, 1)])  # except SOCK_STREAM
    for name in ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
        program += _rule(call[name], _argument(0), [(_EQUAL, 0, 1, parent)])
    program += _rule(call["kill"], _argument(0), [(_EQUAL, 2, 0, -os.getpgrp() % 2**32), (_AT_LEAST, 0, 1, 2**31)])
    program.append((_GIVE, 0, 0, _ALLOW))
    buffer = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in program))
    head = struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer))
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _prctl(_PR_SET_SECCOMP, 2, ctypes.c_char_p(head))


def _argument(i: int) -> list[Step]:
    """Load the lower half of the call's argument ``i``."""
    return [(_LOAD, 0, 0, 16 + 8 * i)]


def _rule(number: int, look: Iterable[Step] = (), test: Iterable[Step] = (), verdict: int = _REFUSE) -> list[Step]:
    """Return steps that give ``verdict`` on this call, unless ``test`` of what ``look`` loads skips the verdict."""
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
