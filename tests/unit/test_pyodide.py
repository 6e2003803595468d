"""In a browser's Python there are no threads, no processes and no Unix: what students use must not ask for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# what Pyodide's Python lacks, or has and cannot do
BROWSER = """
import sys, threading, subprocess

class Absent:
    names = {"fcntl", "termios", "resource", "grp", "pwd", "pty", "syslog", "_posixsubprocess", "_multiprocessing",
             "tkinter", "curses", "ensurepip", "venv"}
    def find_spec(self, name, path=None, target=None):
        if name in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in Absent.names:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Absent())

def refuse(*_, **__):
    raise RuntimeError("can't start new thread")

threading.Thread.start = refuse
subprocess.Popen.__init__ = refuse
"""

DONE = {
    "every public name": "import kcourse\n[getattr(kcourse, name) for name in kcourse.__all__]",
    "a check": (
        "import numpy as np\nfrom kcourse.checks import run\n"
        "answer = lambda K, y, lam: np.linalg.solve(K + lam * np.eye(len(y)), y)\n"
        "assert run('krr_fit', answer, seed=0).status == 'passed'"
    ),
    "the start page, with its slider": (
        "import json\nimport matplotlib\nmatplotlib.use('Agg')\n"
        "cells = json.load(open('notebooks/00_start_here.ipynb', encoding='utf-8'))['cells']\n"
        "names = {'__name__': '__main__'}\n"
        "for cell in cells:\n"
        "    if cell['cell_type'] == 'code':\n"
        "        exec(''.join(cell['source']), names)\n"
    ),
    "points that come in blocks": (
        "import numpy as np\nfrom kcourse import Gaussian, NystromRidge\n"
        "X = np.linspace(0, 1, 5000)[:, None]\nNystromRidge(Gaussian(0.2), n_landmarks=20, lam=1e-3).fit(X, X[:, 0])"
    ),
}


@pytest.mark.parametrize("what", DONE)
def test_it_needs_nothing_that_a_browser_has_not(what: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BROWSER + DONE[what]], capture_output=True, text=True, check=False, cwd=ROOT
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_stand_in_for_a_browser_refuses() -> None:
    for wish in ("import fcntl", "import threading; threading.Thread(target=print).start()"):
        done = subprocess.run([sys.executable, "-c", BROWSER + wish], capture_output=True, check=False)
        assert done.returncode != 0
