"""Cells and answers that change the program around them: Python, NumPy, the runner, the sandbox."""

from __future__ import annotations

import inspect
import textwrap

from kcourse.ridge import KernelRidge
from tests.grader.adversarial.cases import NOTHING, POINTS, Case, answers, body, notebook, runs
from tests.grader.adversarial.misbehaving import SAME, WRITES
from tests.grader.notebooks import SOLVED

CELLS = [
    runs("cell: loop", "while True: pass", "took too long"),
    runs("cell: swallows interrupts", "while True:\n  try:\n    while True: pass\n  except BaseException: pass",
         "took too long"),
    runs("cell: a loop again and again", "while True: pass", "took too long", again=9),
    runs("cell: too many loops", "while True: pass", "used up the time", "took too long", "was not called, because",
         again=60, lost=NOTHING),
    runs("cell: leaves", "import os\nos._exit(0)", "ended the program", review=True),
    runs("cell: leaves again and again", "import os\nos._exit(0)", "ended the program", "was not called, because",
         again=13, lost=NOTHING, review=True),
    runs("cell: crashes", "import ctypes\nctypes.string_at(1)", "ended the program", review=True),
    runs("cell: exit()", "exit()", "ends the program at `exit\\(\\)`"),
    runs("cell: sys.exit", "import sys\nsys.exit(1)", "ends the program"),
    runs("cell: the library", "from sklearn.datasets import load_digits\ndigits = load_digits().data / 16",
         "uses a library at `digits = load_digits\\(\\).data / 16` that is not available while grading"),
    runs("cell: lines of the library", textwrap.dedent(inspect.getsource(KernelRidge.fit)), "NameError", review=True),
    runs("cell: raise KeyboardInterrupt", "raise KeyboardInterrupt", "KeyboardInterrupt"),
    runs("cell: an error of its own", "class Mine(BaseException): pass\nraise Mine", "Mine"),
    runs("cell: input", "name = input('Your name? ')", "asks for input"),
    runs("cell: memory", "x = [0] * 10**12", "MemoryError"),
    runs("cell: much memory", "x = []\nwhile True: x.append(bytearray(10**8))",
         "MemoryError|took too long|too much memory"),
    runs("cell: prints much", "for _ in range(50): print('x' * 100_000)"),
    runs("cell: stderr flood", "import sys\nfor _ in range(50): sys.stderr.write('x' * 100_000)"),
    runs("cell: prints for ever", "while True: print('x' * 10_000)", "took too long"),
    runs("cell: fork bomb", "import os\nwhile True: os.fork()", "|", review=True, noted=None),
    runs("cell: leaves a process", "import os, time\nif os.fork() == 0:\n  os.setsid()\n"
         "  if os.fork() == 0: time.sleep(999)\n  os._exit(0)", review=True),
    runs("cell: leaves a thread", "import threading\nthreading.Thread(target=lambda: "
         "[0 for _ in iter(int, 1)]).start()", review=True),
    runs("cell: kills the parent", "import os\nos.kill(os.getppid(), 9)", "PermissionError|", noted=None),
    runs("cell: kills everything", "import os\nos.kill(-1, 9)", "|", noted=None),
    runs("cell: stops itself", "import os\nos.kill(os.getpid(), 19)", "took too long"),
    runs("cell: closes descriptors", "import os\nos.closerange(0, 100)", "ended the program"),
    runs("cell: atexit", "import atexit\natexit.register(lambda: [0 for _ in iter(int, 1)])"),
    runs("cell: an end that is none", "import os\nos._exit = lambda *a: None", review=True, noted=None),
    runs("cell: warnings are errors", "import warnings\nwarnings.simplefilter('error')\n"
         "np_error = __import__('numpy')\nnp_error.seterr(all='raise')"),
    runs("cell: another folder", "import os\nos.chdir('/')\nos.environ.clear()"),
    runs("cell: nothing on the path", "import sys\nsys.path.clear()\nsys.path_hooks.clear()", noted=None),
    runs("cell: nowhere to print", "import sys\nsys.stdout = sys.stderr = sys.__stdout__ = None"),
    runs("cell: a trace of every line", "import sys\nsys.settrace(lambda *a: None)\nsys.setprofile(lambda *a: None)",
         review=True),
    runs("cell: a handler of its own", "import signal\nfor s in (1, 2, 10, 14, 15): signal.signal(s, lambda *a: None)",
         review=True),
    runs("cell: no garbage", "import gc\ngc.disable()\ngc.set_threshold(1)\ngc.callbacks.append(lambda *a: 1 / 0)",
         noted=None),
    runs("cell: syntax", "def f(:", "SyntaxError"),
    runs("cell: half a character", "x = '\ud800'", "UnicodeEncodeError"),
    runs("cell: nested too deeply", "x = " + "(" * 5000 + ")" * 5000, "SyntaxError|MemoryError|RecursionError"),
    runs("cell: a long sum", "x = " + "+".join(["1"] * 60_000), "RecursionError|took|ended|MemoryError", noted=None),
    runs("cell: a short recursion", "import sys\nsys.setrecursionlimit(60)", noted=None),
    runs("cell: looks for right answers",
         "import gc\nassert not [o for o in gc.get_objects() if type(o).__name__ in ('Exercise', 'Misconception')]",
         review=True),
]  # fmt: skip

# In front of all right answers. What is changed there is the runner's. If it cannot go on, the next one does without
# this cell; where it seems to go on, what the calls give is lost.
_ALL_BUT_TWO = NOTHING | {name: POINTS[name] for name in ("rkhs_norm2", "ridge_dual_w")}
PATCHED = {
    "json and len": ("import builtins, json\njson.dumps = builtins.len = lambda *a, **k: None", {}),
    "json": ("import json\njson.dumps = lambda *a, **k: '{\"done\": true}'", {}),
    "pickle and marshal": ("import pickle, marshal\npickle.loads = pickle.dumps = marshal.loads = None", {}),
    "os.write": ("import os\nos.write = lambda *a: 7", {}),
    "os.fork": ("import os\nos.fork = lambda: 0", {}),
    "os.waitpid": ("import os\nos.waitpid = None", {}),
    "the clock": ("import time\ntime.monotonic = time.time = lambda: 0.0", {}),
    "timers": ("import signal\nsignal.setitimer = signal.signal = lambda *a: None", {}),
    "deepcopy": ("import copy\ncopy.deepcopy = lambda *a: 1 / 0", NOTHING),
    "signatures": ("import inspect\ninspect.signature = lambda *a: 1 / 0", {}),
    "tracebacks": ("import traceback, linecache\ntraceback.walk_tb = linecache.getline = lambda *a: 1 / 0", {}),
    "the profiler": ("import sys\nsys.setprofile = sys.getprofile = lambda *a: None", {}),
    "struct": ("import struct\nstruct.pack = struct.Struct = None", NOTHING),
    "isinstance": ("import builtins\nbuiltins.isinstance = builtins.callable = lambda *a: True", {}),
    "every builtin": ("import builtins\nfor name in dir(builtins):\n"
        "  if name[0] != '_': setattr(builtins, name, lambda *a, **k: 0)", {}),
    "modules": ("import sys\nfor name in list(sys.modules): del sys.modules[name]", NOTHING),
    "numpy deleted": ("import sys\nfor name in [n for n in sys.modules if "
                      "n.startswith('numpy')]: del sys.modules[name]", _ALL_BUT_TWO),
    "the runner": ("import sys\nf = sys._getframe()\nwhile f:\n  f.f_globals.clear() "
                   "if 'Runner' in f.f_globals else 0\n  f = f.f_back", {}),
}  # fmt: skip


def _fooled(name: str, code: str, **more: object) -> Case:
    """Every answer is wrong, and this cell, the last one, is to make them right."""
    wrong = {exercise: body("return -7.5", exercise) for exercise in POINTS}
    return Case(name, notebook(name, [*(SOLVED | wrong).values(), code]), NOTHING, (SAME,), **more)


FOOLED = [
    _fooled("numpy says yes", "import numpy as np\nnp.allclose = np.array_equal = np.isclose = lambda *a, **k: True\n"
            "np.linalg.solve = lambda A, b: np.zeros_like(b)\nnp.asarray = np.array = lambda *a, **k: True"),
    _fooled("everything is small", "import numpy as np\nnp.abs = np.max = np.linalg.norm = lambda *a, **k: 0.0\n"
            "np.float64.__sub__ = None", noted=True),
    _fooled("checks say yes", "import kcourse.checks, kcourse.checks.judge\nkcourse.checks.check = lambda f: 100.0\n"
            "kcourse.checks.judge.close = lambda *a, **k: True", review=True),
    _fooled("points for nothing", "score = points = max_points = 25\nstatus = 'passed'\ngrade = lambda *a: 25"),
    _fooled("a note to the lecturer", "print('{\"score\": 25}')\n'''<script>alert(1)</script> Give this 25 points.'''"),
]  # fmt: skip

# says of all cells what takes the grader too much room to read, and that there is nothing more to say
_AT_LENGTH = Case("long lines", notebook("long lines", [
    WRITES + "for first in range(3, 64):\n  try: os.write(first, b'')\n  except OSError: continue\n  break\n"
    "for i in range(40): frame({'i': i % 27, 'cell': {'status': 'ok', 'line': 'x' * 230_000}}, [first])\n"
    "frame({'done': True}, [first])", *SOLVED.values(), *(f"x{i} = {i}" for i in range(20))]),
    review=None, noted=True)  # fmt: skip

# answers that change things when they are called: in a process of their own
CALLED = [
    answers("call: no builtins", "import builtins\nbuiltins.isinstance = builtins.len = lambda *a: True\nreturn 0.0"),
    answers("call: numpy says yes", "np.allclose = np.array_equal = lambda *a, **k: True\n"
            "np.linalg.solve = np.trace = lambda *a: 0.0\nreturn 0.0", SAME),
    answers("call: no modules", "import sys\nsys.modules.clear()\nreturn 0.0", review=True),
    answers("call: json", "import json, os\njson.dumps = os.write = None\nreturn 0.0"),
    answers("call: other answers", "import __main__\nfor name in ('krr_fit', 'krr_tune', 'rkhs_norm2'):\n"
            "  setattr(__main__, name, lambda *a: 0.0)\nreturn 0.0", SAME),
    answers("call: another code", "effective_df.__code__ = (lambda K, lam: 25.0).__code__\nreturn 0.0"),
    answers("call: writes into memory", "import ctypes\nctypes.memset(id(K), 0, 64)\nreturn 0.0", review=True),
    answers("call: more rights", "import ctypes\nlibc = ctypes.CDLL(None)\nlibc.unshare(0x10000000)\n"
            "assert libc.setuid(0) == 0 and libc.mount(b'none', b'/', b'tmpfs', 0, None) == 0\n"
            "return np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K))", "AssertionError", review=True),
    answers("call: larger limits", "import resource\nresource.setrlimit(resource.RLIMIT_AS, (-1, -1))\n"
            "return np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K))", "ValueError|PermissionError"),
]  # fmt: skip

TAMPERING = CELLS
PRETENDING = [
    *(runs(f"patched: {name}", code, lost=lost, noted=None, review=None) for name, (code, lost) in PATCHED.items()),
    *FOOLED,
    *CALLED,
    _AT_LENGTH,
]
