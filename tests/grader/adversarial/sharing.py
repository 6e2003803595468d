"""Those who look for what the one before has left, or leave something for the next one."""

from __future__ import annotations

from tests.grader.adversarial.cases import WAITS, answers, runs, token
from tests.grader.adversarial.misbehaving import WRITES as FRAMES

_RIGHT = "\nreturn np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K))"
# all memory near an object and below the end of the heap, without a fault: the kernel says what cannot be read
_SCAN = """import ctypes, os
libc = ctypes.CDLL(None)
libc.sbrk.restype = ctypes.c_void_p
read, write = os.pipe()
drow = b"erofeb-eno-eht-yb-nettirw"
for top in (libc.sbrk(0), id(libc) + 2**25, id([]) + 2**25, id(drow) + 2**25):
  for page in range((top & ~4095) - 2**26, top, 4096):
    if libc.write(write, ctypes.c_void_p(page), 4096) > 0 and drow in os.read(read, 4096)[::-1]:
      return 25.0
raise LookupError"""
_FRAMES = """def held():
  try: raise ValueError
  except ValueError as error: frame = error.__traceback__.tb_frame
  while frame:
    yield from frame.f_locals.values()
    frame = frame.f_back
"""
_NUMBERS = "{'x86_64': (56, 435), 'aarch64': (220, 435)}[__import__('os').uname().machine]"

LOOKING = [
    runs("the one before", f"'{token('the one before')} {'x' * 400}'\n" * 300),
    answers("memory of the one before", _SCAN, "LookupError", review=True),
    answers("results of the one before", _FRAMES + "for x in held():\n"
            "  if isinstance(x, dict) and {'outcomes', 'result'} & set(x): raise KeyError\nraise LookupError",
            "LookupError"),
    runs("cell: what lies in the shared input", _FRAMES + "for x in held():\n"
         "  given = getattr(x, 'shared_input', None)\n  assert given is None or not any(given[:])\nread = 1"),
    runs("cell: what comes next", _FRAMES + "for x in held():\n"
         "  assert not (isinstance(x, dict) and 'args' in str(x)[:10_000])"),
]  # fmt: skip

_HOME = "import os\nhome = os.environ['HOME']\n"
LEAVING = [
    runs("home: renamed", _HOME + "os.rename(home, home + '-2')\nos.symlink('/etc', home)", noted=None),
    runs("home: a link above", _HOME + "up = os.path.dirname(home)\nos.rename(up, up + '-2')\nos.symlink('/', up)",
         noted=None),
    runs("home: sticky", _HOME + "os.mkdir(home + '/x')\nopen(home + '/x/y', 'w').close()\n"
         "os.chmod(home + '/x', 0o1555)\nos.chmod(home, 0o1000)", noted=None),
    runs("home: unreadable", _HOME + "os.mkdir(home + '/x', 0)\nos.mkdir(home + '/y')\n"
         "open(home + '/y/z', 'w').close()\nos.umask(0o777)\nos.makedirs(home + '/z/z')\n"
         "os.chmod(home + '/y', 0)\nos.chmod(home, 0)", noted=None),
    runs("home: gone", _HOME + "os.rmdir(home)", noted=None),
    runs("home: many folders", "import os\nfor _ in range(4000):\n  os.mkdir('d')\n  os.chdir('d')\n"
         "open('x', 'w').close()"),
    runs("home: wide and deep", "import os\nfor i in range(300): os.makedirs(f'{i}/' + '/'.join('abcdefgh'))"),
    runs("home: beside it", _HOME + "for up in (os.path.dirname(home), os.path.dirname(os.path.dirname(home))):\n"
         "  try: os.symlink('/etc', up + '/work')\n  except OSError: pass\n"
         "  try: os.mkdir(up + '/x', 0)\n  except OSError: pass", noted=None),
    runs("leaves a process in another session", "import os, time\nif os.fork() == 0:\n  os.setsid()\n"
         "  if os.fork() == 0:\n    os.setsid()\n    time.sleep(999)\n  os._exit(0)", review=True),
    runs("leaves a bomb of sessions", "import os\nwhile True:\n  if os.fork() == 0: os.setsid()",
         "|", review=True, noted=None),
]  # fmt: skip

_CLONE = "import ctypes, os\nlibc = ctypes.CDLL(None)\nclone, clone3 = " + _NUMBERS + "\n"
NAMESPACES = [
    answers("a namespace of users", _CLONE + "pid = libc.syscall(clone, 0x10000000 | 17, 0, 0, 0, 0)\n"
            "if pid == 0: os._exit(0)\nassert pid > 0" + _RIGHT, "AssertionError", review=True),
    answers("a namespace by another call", _CLONE + "flags = (ctypes.c_uint64 * 11)(0x10000000, 0, 0, 0, 17)\n"
            "pid = libc.syscall(clone3, flags, 88)\nif pid == 0: os._exit(0)\nassert pid > 0" + _RIGHT,
            "AssertionError", review=True),
    answers("a file system of its own", "import ctypes, os\n"
            "got = ctypes.CDLL(None).mount(b'x', os.environ['HOME'].encode(), b'tmpfs', 0, None)\n"
            "assert got == 0" + _RIGHT, "AssertionError", review=True),
    answers("a datagram", "import socket\na, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
            "a.sendto(b'x', '/run/systemd/journal/dev-log')" + _RIGHT, "PermissionError", review=True),
    answers("a pair that connects", "import socket\na, b = socket.socketpair()\n"
            "a.connect('/run/systemd/journal/stdout')" + _RIGHT, "PermissionError", review=True),
    answers("a pair of its own", "import socket\na, b = socket.socketpair()\na.send(b'x')\nassert b.recv(1) == b'x'"
            + _RIGHT, lost={}, review=True),
    answers("signals whoever watches", "import os\nfor pid in range(1, os.getpid()):\n"
            "  try: os.kill(pid, 9 if pid != os.getppid() else 0)\n  except OSError: pass" + _RIGHT, lost={}),
]  # fmt: skip

EXCUSES = [
    answers("claims that there is no room", FRAMES + "frame({'crowded': True})\nimport time\ntime.sleep(9)", "ended",
            review=True),
]  # fmt: skip
HONEST = [
    answers("a loop costs its own", "while True: pass", "took too long", at="krr_loo_residuals",
            lost={"krr_loo_residuals": 0}),
    answers("a sleep costs its own", "import time\ntime.sleep(1000)", WAITS, at="krr_loo_residuals",
            lost={"krr_loo_residuals": 0}),
    runs("more than was asked", "import time\nend = time.process_time() + 0.9\n"
         "while time.process_time() < end: pass", again=3, ends=True),
    runs("an event loop", "import asyncio\nasync def f(): return 1\n"
         "assert asyncio.new_event_loop().run_until_complete(f())"),
]  # fmt: skip
