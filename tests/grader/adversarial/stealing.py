"""Answers that are not one's own: solutions, checks, solvers, other people's files; and what must not be carried out.

Where a theft succeeded, the answer would be right, or something would lie in the open folder of the bait.
"""

from __future__ import annotations

from tests.grader.adversarial.cases import FILE, WAITS, answers, runs
from tests.grader.adversarial.misbehaving import SAME

_GONE = "FileNotFoundError|PermissionError|NotADirectoryError"
_REFUSED = "Your answer uses"
_USE = "\nreturn answer(K, lam)"

READING = [
    answers("reads the solution", "import json\nfor cell in json.load(open('«solution»'))['cells']:\n"
            "  if 'def effective_df' in ''.join(cell['source']): exec(''.join(cell['source']), globals())\n"
            "return effective_df(K, lam)", _GONE),
    answers("reads the checks", "names = {}\n"
            "exec(open('«course»/kcourse/chapters/ch03_ridge/measure.py').read(), names)\n"
            "return names['effective_df'](K, lam)", _GONE),
    answers("reads another student's", "text = open('«other»').read()\nraise ValueError(text)", _GONE),
    answers("lists the others", "import os\nnames = os.listdir('«inbox»')\nraise ValueError(names)", _GONE),
    answers("looks for notebooks", "import os\nfound = [f for d, _, fs in "
            "os.walk('/') for f in fs if f.endswith('.ipynb')]\nreturn len(found)"),
    answers("reads the seed", "return float(open('«inbox»/../out/seed.txt').read())", _GONE),
    answers("reads its own file", f"return len(open('«inbox»/reads its own file/{FILE}').read())", _GONE),
    answers("reads the passwords", "raise ValueError(open('/etc/shadow').read())", _GONE),
    answers("reads the grader's memory", "import os\nreturn len(open(f'/proc/{os.getppid()}/mem', 'rb').read(9))",
            "Error"),
    answers("reads the zygote's memory", "import glob\nfor p in glob.glob('/proc/[0-9]*/environ'):\n"
            "  if b'adversarial' in open(p, 'rb').read(): return 0.0\nraise LookupError", "Error"),
]  # fmt: skip

IMPORTING = [
    answers("imports the solver", "from kcourse.ridge import KernelRidge\nreturn KernelRidge(K).effective_df", _REFUSED,
            review=True),
    answers("imports scikit-learn", "from sklearn.kernel_ridge import KernelRidge\n"
            "return KernelRidge(kernel='precomputed').fit(K, K)", _REFUSED, review=True),
    answers("imports the checks", "from kcourse.checks import exercise\nreturn "
            "exercise('effective_df').reference(K, lam)", "AttributeError"),
    answers("imports the reference", "from kcourse.chapters.ch03_ridge.measure import effective_df as answer" + _USE,
            "returned None", review=True),
    answers("imports the grader", "from kcourse_grader.marking.grade import hidden_cases\n"
            "return hidden_cases('effective_df', 3)", _REFUSED, review=True),
    answers("importlib",
            "import importlib\nanswer = importlib.import_module('kcourse.' + 'ri' + 'dge').loo_path" + _USE,
            _REFUSED, review=True),
    answers("__import__",
            "answer = __import__('kcourse.chapters.ch03_ridge.measure', fromlist=['x']).effective_df" + _USE,
            "returned None", review=True),
    answers("another path", "import sys\nsys.meta_path[:] = sys.meta_path[2:]\nsys.path[:0] = ['«course»']\n"
            "for n in [n for n in sys.modules if n.startswith('kcourse')]: del sys.modules[n]\n"
            "from kcourse.chapters.ch03_ridge.measure import effective_df as answer" + _USE, "ModuleNotFoundError",
            review=True),
    answers("another path of the package", "import kcourse, sys\nkcourse.__path__.append('«course»/kcourse')\n"
            "sys.meta_path[:] = sys.meta_path[2:]\nfrom kcourse.ridge import KernelRidge\nreturn 0.0",
            "ModuleNotFoundError"),
    answers("runs a module", "import runpy\nanswer = runpy.run_path('«course»/kcourse/chapters/ch03_ridge/measure.py')"
            "['effective_df']" + _USE, _GONE),
    answers("loads a source file", "from importlib.machinery import SourceFileLoader as L\n"
            "answer = L('x', '«course»/kcourse/chapters/ch03_ridge/measure.py').load_module().effective_df" + _USE,
            _GONE),
    answers("asks for the source", "import inspect, kcourse.checks as c\nraise "
            "ValueError(inspect.getsource(c.exercise))"),
    answers("asks the check", "from kcourse.checks import check\nreturn check(effective_df)", "returned None"),
    answers("looks through memory", "import gc\nfor o in gc.get_objects():\n"
            "  if type(o).__name__ == 'Exercise': return o.reference(K, lam)\nraise LookupError", "LookupError",
            review=True),
    answers("looks through classes", "for c in object.__subclasses__():\n"
            "  if c.__name__ in ('Exercise', 'Property', 'Misconception'): return 25.0\nraise LookupError",
            "LookupError", review=True),
]  # fmt: skip

REACHING_OUT = [
    answers("a connection", "import socket\nsocket.create_connection(('127.0.0.1', 9), 1)\nreturn 0.0", "Error",
            review=True),
    answers("a packet", "import socket\nsocket.socket(socket.AF_INET, "
            "socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 9))\nreturn 0.0", "Error", review=True),
    answers("a server", "import socket\ns = socket.create_server(('127.0.0.1', 0))\ns.settimeout(0.2)\ns.accept()",
            "Error", review=True),
    answers("asks the web", "import urllib.request\nurllib.request.urlopen('http://example.org', timeout=1)", "raised"),
    answers("starts a program", "import subprocess\nsubprocess.run(['sh', '-c', 'touch «open»/left'], check=True)",
            _GONE, review=True),
    answers("a shell", "import os\nreturn os.system('touch «open»/left; cp «other» «open»/left')", review=True),
    answers("becomes another program", "import os\nos.execv('/bin/sh', ['sh', '-c', 'touch «open»/left'])", _GONE),
    answers("many processes", "import multiprocessing\nreturn sum(multiprocessing.Pool(4).map(abs, [1.0]))",
            "returned the same value in", review=True),
    answers("writes outside", "import os\nfor d in ('«open»', '«inbox»', '«course»', "
            "'/tmp', '/var/tmp', '/dev/shm', '/etc'):\n"
            "  try: open(d + '/kcourse-case-left', 'w').write('x')\n  except OSError: pass\nreturn 0.0", SAME),
    answers("changes another's file", "open('«other»', 'a').write('x')", _GONE),
    answers("deletes another's file", "import os\nos.remove('«other»')", _GONE),
    answers("deletes everything", "import shutil\nshutil.rmtree('/', ignore_errors=True)\nreturn 0.0"),
    answers("changes the sandbox", "import calls\nopen(calls.__file__, 'w').write('')", "Error"),
    answers("a link out", "import os\nos.symlink('«other»', os.environ['HOME'] + '/x')\n"
            "raise ValueError(open(os.environ['HOME'] + '/x').read())", _GONE),
    answers("a pipe at home", "import os\nos.mkfifo(os.environ['HOME'] + '/x')\nopen(os.environ['HOME'] + '/x').read()",
            f"{WAITS}|Error"),
    answers("shared memory", "from multiprocessing import shared_memory\n"
            "shared_memory.SharedMemory('kcourse-case-left', True, 99)\nreturn 0.0", review=True),
    runs("cell: sockets", "import socket\nsocket.create_connection(('127.0.0.1', 9), 1)", "Error", review=True),
    runs("cell: programs", "import subprocess\nsubprocess.run(['sh', '-c', 'touch «open»/left'])", _GONE, review=True),
    runs("cell: writes outside", "for d in ('«open»', '«inbox»', '/tmp', '/var/tmp', '/dev/shm'):\n"
         "  try: open(d + '/kcourse-case-left', 'w').write('x')\n  except OSError: pass"),
    runs("cell: imports the solver", "from kcourse.ridge import loo_path\nfrom sklearn.svm import SVC"),
]  # fmt: skip

# no hidden input may come out as the text of something
LEAKING = [
    answers("in the text", "raise ValueError(repr(K.tolist()))", "ValueError"),
    answers("in the type", "raise type('E' + K.tobytes().hex()[:200], (Exception,), {})", "Exception"),
    answers("in the type of the value", "return type('E' + K.tobytes().hex()[:200], (), {})()", "object"),
    answers("in the line", "import linecache\nfor name in list(linecache.cache):\n"
            "  linecache.cache[name] = (1, None, ['E' + K.tobytes().hex()[:200] + '\\n'] * 99, name)\nraise ValueError",
            "ValueError"),
    answers("in the function", "import types\ndef g(): raise ValueError\n"
            "types.FunctionType(g.__code__.replace(co_name='E' + K.tobytes().hex()[:200]), globals())()", "ValueError"),
    answers("as a library", "class E: pass\nE.__module__ = 'sklearn'\nraise ImportError(K.tobytes().hex())",
            "ImportError"),
    answers("in a warning", "import warnings\nwarnings.warn(repr(K.tolist()))\nreturn np.nan", "NaN"),
    answers("in the name of an argument", "globals()['effective_df'] = eval('lambda ' "
            "+ 'E' + K.tobytes().hex()[:99] + ': 0')\nraise ValueError"),
]  # fmt: skip

# right where the author looked, and only there
FAKING = [
    answers("knows the examples", "return {(3, 0.5): 2.234917, (2, 0.5): 1.2}[len(K), lam]", "KeyError"),
    answers("right for three points", "return 2.234917 if len(K) == 3 else -1.0"),
    answers("right at another time", "import time\nright = np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K))\n"
            "return right if time.time() > 4e9 else -right", "minus the right answer"),
    answers("right the first time", "import sys\nsys.tries = getattr(sys, 'tries', 0) + 1\n"
            "return np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K)) if sys.tries < 2 else 1.0"),
    answers("right at home", "import os\nright = np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K))\n"
            "return right if os.path.exists('/home/me') else 0.0", SAME),
    answers("wrong in the middle", "right = np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K))\n"
            "return right**2 / len(K) if 0.3 < lam < 0.6 else right", "random inputs", lost={"effective_df": 1}),
    answers("random", "return np.random.default_rng(7).random()"),
    answers("random and never the same", "return np.random.default_rng().random() - 9"),
]  # fmt: skip
