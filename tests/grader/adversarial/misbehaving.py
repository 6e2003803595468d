"""Answers that misbehave when they are called: each costs its own points, and the others get theirs."""

from __future__ import annotations

from tests.grader.adversarial.cases import TOO_LONG, WAITS, answers

ENDED, SAME = "ended the whole program", "returned the same value in"

_DEAF = "import signal\nsignal.signal(14, signal.SIG_IGN)\n"
WRITES = "import os, struct, json\ndef frame(m, fds=range(3, 64)):\n  t = json.dumps(m).encode()\n  for fd in fds:\n" \
          "    try: os.write(fd, struct.pack('!QQ', len(t), 0) + t)\n    except OSError: pass\n"  # fmt: skip

NEVER_ENDING = [
    answers("loop", "while True: pass", TOO_LONG),
    answers("sleep", "import time\ntime.sleep(1000)", WAITS),
    answers("swallows interrupts", "while True:\n  try:\n    while True: pass\n  except BaseException: pass", TOO_LONG),
    answers("ignores the alarm", "import signal\nsignal.signal(14, signal.SIG_IGN)\nwhile True: pass", TOO_LONG,
            review=True),
    answers("blocks all signals", "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))\n"
            "while True: pass", TOO_LONG, review=True),
    answers("switches the timer off", "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0)\nwhile True: pass",
            TOO_LONG, review=True),
    answers("stops itself", "import os\nos.kill(os.getpid(), 19)", TOO_LONG),
    answers("stops its parent", "import os\nos.kill(os.getppid(), 19)\nreturn 0.0", "|", ends=False),
    answers("a signal from a socket", "import fcntl, os, socket, struct\na, b = socket.socketpair()\n"
            "fcntl.ioctl(a, 0x8901, struct.pack('i', os.getppid()))\nfcntl.ioctl(a, 0x5452, struct.pack('i', 1))\n"
            "b.send(b'x')\nreturn 0.0", "PermissionError", review=True),
    answers("waits for input", "return float(input('trace? '))", "EOFError"),
    answers("prints", "while True: print('x' * 10_000)", TOO_LONG),
    answers("a lock that nobody opens", "import threading\nthreading.Lock().acquire()\nlock = threading.Lock()\n"
            "lock.acquire()\nlock.acquire()", WAITS, review=True),
    answers("an array that never comes", "class F:\n  def __array__(self, *a, **k):\n    while True: pass\nreturn F()",
            TOO_LONG),
    answers("an end that others wait for", "while True: pass", r"krr_fit\(.*took too long .* a loop without",
            "krr_fit is still wrong .* this function earns 4 of 4", at="krr_fit", review=True),
    answers("slow where K is singular", "import time\nif np.linalg.matrix_rank(K) < len(K): time.sleep(9)\n"
            "return np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K))", WAITS, lost={"effective_df": 2}),
]  # fmt: skip

ENDING = [
    answers("leaves", "import os\nos._exit(0)", ENDED, review=True),
    answers("raises SystemExit", "raise SystemExit", "SystemExit"),
    answers("raises KeyboardInterrupt", "raise KeyboardInterrupt", ENDED),
    answers("raises GeneratorExit", "raise GeneratorExit", "raised GeneratorExit"),
    answers("aborts", "import os\nos.abort()", ENDED),
    answers("crashes", "import ctypes\nctypes.string_at(1)", ENDED, review=True),
    answers("kills itself", "import os\nos.kill(os.getpid(), 9)", ENDED),
    answers("kills its parent", "import os\nos.kill(os.getppid(), 9)\nreturn 0.0", "|"),
    answers("kills everything", "import os\nos.kill(-1, 9)\nos.kill(os.getppid(), 9)\nos._exit(0)", review=True),
    answers("kills its group", "import os\nos.killpg(0, 9)", ENDED),
    answers("recursion", "return effective_df(K, lam)", "RecursionError"),
    answers("recursion without a limit", "import sys\nsys.setrecursionlimit(10**9)\n"
            "def down(x): return sorted([x], key=down)\nreturn down(0)", ENDED),
    answers("hangs up in atexit", "import atexit\natexit.register(lambda: [0 for _ in iter(int, 1)])\nreturn 0.0",
            SAME),
    answers("an end that is none", "import os\nos._exit = lambda *a: None\nreturn 0.0", review=True),
]  # fmt: skip

GREEDY = [
    answers("memory", "return np.ones(10**10)", "MemoryError"),
    answers("much memory bit by bit", "x = []\nwhile True: x.append(np.ones(10**7))", review=None),
    answers("much memory in many processes", "import os, time\nfor i in range(9):\n  if os.fork() == 0:\n"
            "    x = np.ones(2 * 10**7)\n    time.sleep(99)\ntime.sleep(99)", f"{ENDED}|{TOO_LONG}", review=True),
    answers("memory that is no process's", "import os\nfor i in range(40):\n"
            "  os.write(os.memfd_create('x'), bytes(10**7))\nreturn 0.0", "PermissionError"),
    answers("memory that nobody maps", "import mmap\nx = mmap.mmap(-1, 10**7)\nx.write(bytes(10**7))\n"
            "x.madvise(mmap.MADV_DONTNEED)\nreturn 0.0", "PermissionError"),
    answers("zeros that are shared", "import mmap, os\nx = mmap.mmap(os.open('/dev/zero', os.O_RDWR), 10**7)\n"
            "x.write(bytes(10**7))\nx.madvise(mmap.MADV_DONTNEED)\nreturn 0.0", "PermissionError|OSError"),
    answers("a list without an end", "x = []\nwhile True: x += [x] * 10**6", review=None),
    answers("fork bomb", "import os\nwhile True: os.fork()", review=True),
    answers("thread bomb", "import threading, time\n"
            "while True: threading.Thread(target=time.sleep, args=(9,), daemon=True).start()", review=True),
    answers("opens files for ever", "x = []\nwhile True: x.append(open('/dev/null'))", "OSError"),
    answers("a large file", "import os\nwith open(os.environ['HOME'] + '/x', 'wb') as f:\n"
            "  for _ in range(30): f.write(bytes(10**6))\nreturn 0.0", "OSError"),
    answers("fills the disk", "import os\nfor i in range(15):\n  with open(f\"{os.environ['HOME']}/{i}\", 'wb') as f:\n"
            "    f.write(bytes(10**7))\nreturn 0.0", f"OSError|{SAME}", ends=True),
    answers("leaves a daemon", "import os, time\nif os.fork() == 0:\n  os.setsid()\n  "
            "if os.fork() == 0: time.sleep(999)\n  os._exit(0)\nreturn 0.0", f"{SAME}|ended", review=True),
    answers("leaves a busy thread", "import threading\n"
            "threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()\nreturn 0.0", review=True),
    answers("a power tower", "return 9**9**9", TOO_LONG),
    answers("a pattern that backtracks", "import re\nre.match('(a+)+b', 'a' * 99)", TOO_LONG),
]  # fmt: skip

FRAMES = [
    answers("writes to every descriptor", "import os\nfor fd in range(64):\n  try: os.write(fd, os.urandom(5000))\n"
            "  except OSError: pass"),
    answers("writes frames", WRITES + "for m in ({'begin': 'x', 'i': 0}, {'begin': 'call', 'i': -1}, "
            "{'i': [], 'outcome': 3}, {'name': [], 'problem': 1}, {'i': 0, 'cell': []}): frame(m)"),
    answers("writes no frames", WRITES + "for m in (None, 7, [], 'x', [[[]]], {'$': 'tuple', 'items': 3}, "
            "{'$': 'array', 'at': 9}): frame(m)"),
    answers("announces a large frame", "import os, struct\nfor fd in range(3, 64):\n"
            "  try: os.write(fd, struct.pack('!QQ', 10**12, 10**12))\n  except OSError: pass"),
    answers("writes half a frame", "import os, struct, time\nfor fd in range(3, 64):\n"
            "  try: os.write(fd, struct.pack('!QQ', 1000, 0))\n  except OSError: pass\ntime.sleep(99)",
            f"{TOO_LONG}|{ENDED}"),
    answers("sends a pickle", "import os, struct, io\nf = io.BytesIO()\nnp.save(f, np.array([print], object))\n"
            "a = f.getvalue()\nt = b'{\"i\": 0, \"outcome\": {\"value\": {\"$\": \"array\", \"at\": 0}}}'\n"
            "for fd in range(3, 64):\n"
            "  try: os.write(fd, struct.pack('!QQQ', len(t), len(a) + 8, len(a)) + t + a)\n  except OSError: pass"),
    answers("reports for ever", WRITES + "while True: frame({'begin': 'call', 'i': 0})"),
    answers("reports cells for ever", WRITES + "while True: frame({'i': 0, 'cell': {'status': 'x' * 1000}})"),
    answers("reports for ever and cannot be stopped", _DEAF + WRITES + "while True: frame({'begin': 'call', 'i': 0})",
            review=True),
    answers("reports about the next one", _DEAF + WRITES + "while True: frame({'begin': 'call', 'i': 19})",
            review=True),
    answers("reports itself for ever", _DEAF + WRITES + "while True:\n"
            "  for i in range(30): frame({'i': i, 'outcome': {'value': 0.0}})", review=True),
    answers("one array many times", "import io, json, os, struct\nf = io.BytesIO()\n"
            "np.lib.format.write_array(f, np.ones(125_000), version=(1, 0))\na = f.getvalue()\n"
            "t = json.dumps({'i': 0, 'outcome': {'value': [{'$': 'array', 'at': 0}] * 900}}).encode()\n"
            "for fd in range(3, 64):\n  try:\n    with open(fd, 'wb', closefd=False) as pipe:\n"
            "      pipe.write(struct.pack('!QQQ', len(t), len(a) + 8, len(a)) + t + a)\n  except OSError: pass", ENDED),
    answers("says it is done", WRITES + "frame({'done': True})", ENDED),
    answers("closes every descriptor", "import os\nos.closerange(0, 100)"),
    answers("walks the frames", "import sys\nf = sys._getframe()\nwhile f:\n  for x in list(f.f_locals.values()):\n"
            "    if hasattr(x, 'job'): x.job.job['calls'].clear()\n  f = f.f_back\nreturn 0.0", review=True),
    answers("forges what it gives", "import sys\nf = sys._getframe()\nwhile f:\n  for x in list(f.f_locals.values()):\n"
            "    if hasattr(x, 'channel'): x.channel.send = lambda *a, **k: None\n  f = f.f_back\nreturn 0.0",
            f"{ENDED}|{SAME}", review=True),
]  # fmt: skip

VALUES = [
    answers("large answer", "return np.ones((2000, 2000))", "too large|shape"),
    answers("dict", "return {1: 2}", "a dict"),
    answers("coroutine", "async def f(): return 1.5\nreturn f()", "a coroutine"),
    answers("list in itself", "x = []\nx.append(x)\nreturn x", "a list"),
    answers("doubled list", "x = [1.0]\nfor _ in range(60): x = [x, x]\nreturn x", ends=False, review=None),
    answers("long list", "return [0.5] * 10**6", "too large|shape|too long", ends=False, review=None),
    answers("large number", "return 10**400"),
    answers("not a number", "return float('nan')", "NaN or infinite"),
    answers("record", "return np.zeros(3, 'f8,i4,U9')"),
    answers("date", "return np.datetime64('2026-01-01')"),
    answers("no entries", "return np.zeros((0, 3, 0))", f"shape|{SAME}"),
    answers("many dimensions", "return np.zeros((1,) * 32)"),
    answers("fakes an array", "class F(np.ndarray):\n  def __array_function__(self, *a, **k): return True\n"
            "  def __eq__(self, o): return True\nreturn np.zeros(()).view(F)", review=True),
    answers("equals everything", "class F(float):\n  def __eq__(self, o): return True\n"
            "  __lt__ = __le__ = __ge__ = __eq__\n"
            "  def __sub__(self, o): return 0.0\n  __rsub__ = __sub__\nreturn F(7)"),
    answers("claims to be a float", "class F:\n  __class__ = property(lambda self: float)\nreturn F()"),
    answers("an array on demand", "class F:\n  def __array__(self, *a, **k): return np.zeros(3, object)\nreturn F()"),
    answers("any attribute", "class F:\n  def __getattr__(self, name): return self\n  "
            "def __call__(self, *a, **k): return self\nreturn F()"),
    answers("points at memory", "class F:\n  __array_interface__ = {'shape': (9,), "
            "'typestr': '<f8', 'data': (8, False), 'version': 3}\nreturn F()"),
    answers("fights back", "class F:\n  def __array__(self, *a, **k): raise SystemExit\n"
            "  def __deepcopy__(self, m): raise KeyboardInterrupt\nreturn [F()]"),
    answers("an exception that fights back", "class E(Exception):\n  def __str__(self): raise SystemExit\nraise E",
            "E|ended"),
    answers("an exception group", "raise ExceptionGroup('x', [ValueError(1)] * 1000)", "ExceptionGroup"),
    answers("changes what it gave", "global kept\nkept = globals().get('kept', np.zeros(()))\nkept += 1\nreturn kept"),
    answers("changes its arguments", "K[:] = 0.0\nreturn float(K.sum())", "changes its argument K"),
]  # fmt: skip
