"""The walls, and what becomes of those who run against them: each ends as a normal, explained grade."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kcourse.checks import exercises
from kcourse.grading import source
from kcourse.grading.grade import grade_submission, hidden_cases, open_sandbox
from kcourse.grading.probe import WALLS, probe
from kcourse.grading.sandbox import Sandbox, _bwrap_command, available_tier, readable_paths
from tests.grading.conftest import QUICK, TIERS
from tests.grading.making import SHEET, SOLVED, solved, submission

FULL = sum(spec.points for spec in exercises(SHEET))
SEED = 3


def body(code: str) -> str:
    lines = "\n".join(f"    {line}" for line in code.splitlines())
    return f"def effective_df(K, lam):\n{lines}\n"


def grade(sandbox, cells):
    start = time.monotonic()
    result = grade_submission(submission(cells), sandbox, SEED)
    assert time.monotonic() - start < 10
    return result


def points(result):
    return {r["name"]: r["points"] for r in result.results}


# ---------------------------------------------------------------- walls


def test_every_wall_stands(sandbox):
    report = probe(sandbox)
    assert report.stands, report.text
    assert report.text.count("\n") == 1 and "no network" in report.text


@pytest.mark.skipif(not TIERS, reason="no sandbox works here")
def test_the_probe_sees_walls_that_are_not_there():
    with open_sandbox(0, QUICK) as open_air:
        report = probe(open_air)
    fallen = {wall for wall, _ in report.falls}
    assert {"network", "writing", "reading"} <= fallen < set(WALLS) and "NOT verified" in report.text


def test_a_probe_that_cannot_run_proves_nothing(one_sandbox, monkeypatch):
    lost = {"outcomes": [{"failure": {"kind": "ProcessDied"}}]}
    monkeypatch.setattr(Sandbox, "run", lambda *_, **__: lost)
    report = probe(one_sandbox)
    assert {wall for wall, _ in report.falls} == set(WALLS)


def test_a_tier_has_a_number():
    with pytest.raises(ValueError, match="tier must be"):
        Sandbox(7)


# ---------------------------------------------------------------- answers that misbehave when they are called

TOO_LONG, ENDED = "took too long", "ended the whole program"
CALLED = {
    "loop": ("while True: pass", TOO_LONG),
    "sleep": ("import time\ntime.sleep(1000)", TOO_LONG),
    "swallows interrupts": ("while True:\n  try:\n    while True: pass\n  except BaseException: pass", TOO_LONG),
    "ignores the alarm": ("import signal\nsignal.signal(14, signal.SIG_IGN)\nwhile True: pass", TOO_LONG),
    "leaves": ("import os\nos._exit(0)", ENDED),
    "exits": ("import sys\nsys.exit()", "SystemExit"),
    "crashes": ("import ctypes\nctypes.string_at(1)", ENDED),
    "kills itself": ("import os\nos.kill(os.getpid(), 9)", ENDED),
    "kills everything": ("import os\nos.kill(-1, 9)\nos.kill(os.getppid(), 9)\nos._exit(0)", ""),
    "memory": ("return np.ones(10**10)", "MemoryError"),
    "much memory bit by bit": ("x = []\nwhile True: x.append(np.ones(10**7))", ""),
    "prints": ("while True: print('x' * 10_000)", TOO_LONG),
    "fork bomb": ("import os\nwhile True: os.fork()", ""),
    "thread bomb": (
        "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(9,), daemon=True).start()", "",
    ),
    "writes to every descriptor": ("import os\nfor fd in range(64):\n  try: os.write(fd, os.urandom(5000))\n"
                                   "  except OSError: pass", ""),
    "writes frames": ("import os, struct, json\nfor m in ({'begin': 'x', 'i': 0}, {'begin': 'call', 'i': -1}, "
                      "{'i': [], 'outcome': 3}, {'name': [], 'problem': 1}, {'i': 0, 'cell': []}):\n"
                      "  t = json.dumps(m).encode()\n  for fd in range(3, 64):\n"
                      "    try: os.write(fd, struct.pack('!QQ', len(t), 0) + t)\n    except OSError: pass", ""),
    "says it is done": ("import os, struct\nt = b'{\"done\": true}'\nfor fd in range(3, 64):\n"
                        "  try: os.write(fd, struct.pack('!QQ', len(t), 0) + t)\n  except OSError: pass", ""),
    "closes every descriptor": ("import os\nos.closerange(0, 100)", ""),
    "large answer": ("return np.ones((2000, 2000))", ""),
    "dict": ("return {1: 2}", "a dict"),
    "fakes an array": (
        "class F(np.ndarray):\n  def __array_function__(self, *a, **k): return True\n"
        "  def __eq__(self, o): return True\nreturn np.zeros(()).view(F)", "",
    ),
    "fights back": ("class F:\n  def __array__(self, *a, **k): raise SystemExit\n"
                    "  def __deepcopy__(self, m): raise KeyboardInterrupt\nreturn [F()]", ""),
}  # fmt: skip


@pytest.mark.parametrize(("code", "words"), CALLED.values(), ids=CALLED)
def test_a_call_that_misbehaves_costs_its_own_points(sandbox, code, words):
    result = grade(sandbox, solved(effective_df=body(code)))
    got = points(result)
    assert result.status == "graded" and got.pop("effective_df") == 0
    if code.startswith("import os, struct\nt"):
        return  # whoever says that all is done gets what was done
    assert sum(got.values()) == FULL - 3, result
    [hints] = [r["hints"] for r in result.results if r["name"] == "effective_df"]
    assert words in " ".join(hints)


# ---------------------------------------------------------------- cells that misbehave

CELLS = {
    "loop": ("while True: pass", "took too long"),
    "swallows interrupts": ("while True:\n  try:\n    while True: pass\n  except BaseException: pass", "took too long"),
    "leaves": ("import os\nos._exit(0)", "ended the program"),
    "stderr flood": ("import sys\nfor _ in range(50): sys.stderr.write('x' * 100_000)", ""),
    "raises": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "no Python": ("def f(:", "SyntaxError"),
    "half a character": ("x = '\ud800'", "UnicodeEncodeError"),
    "leaves a process": (
        "import os, time\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0: time.sleep(999)\n  os._exit(0)", "",
    ),
    "changes what it can reach": ("import builtins, json\njson.dumps = builtins.len = lambda *a, **k: None", None),
    "kills the parent": ("import os\nos.kill(os.getppid(), 9)", "PermissionError"),
    "looks for right answers": (
        "import gc\nassert not [o for o in gc.get_objects() if type(o).__name__ in ('Exercise', 'Misconception')]", "",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("code", "words"), CELLS.values(), ids=CELLS)
def test_a_cell_that_misbehaves_costs_itself(sandbox, code, words):
    result = grade(sandbox, solved(code))
    assert result.status == "graded"
    if words is not None:
        assert result.score == FULL
        assert words in " ".join(result.notes) if words else not result.notes


def test_nothing_is_left_running(sandbox):
    inside = (
        "import os, time\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0: time.sleep(987.25)\n  os._exit(0)"
    )
    grade(sandbox, solved(inside))
    pid = sandbox.started["pid"] if sandbox.tier != 1 else None
    if pid:
        assert Path(f"/proc/{pid}/task/{pid}/children").read_text() == ""
    users = subprocess.run(["ps", "-eo", "uid"], capture_output=True, text=True, check=True).stdout.split()
    assert os.geteuid() != 0 or str(100_000 + os.getpid() % 50_000) not in users


def test_nothing_is_left_for_the_next_one(sandbox):
    places = "import os\nplaces = (os.environ['HOME'], '/tmp', '/dev/shm', '.')\n"
    leave = places + "for d in places:\n  try: open(d + '/left', 'w').write('x')\n  except OSError: pass"
    look = places + "assert not [d for d in places if os.path.exists(d + '/left')]"
    grade(sandbox, solved(leave))
    assert grade(sandbox, solved(look)).notes == []


def test_wrong_answers_stay_wrong_whatever_numpy_says(sandbox):
    fake = (
        "import numpy as np\nnp.allclose = np.array_equal = np.isclose = lambda *a, **k: True\n"
        "np.linalg.solve = lambda A, b: np.zeros_like(b)\nnp.asarray = np.array = lambda *a, **k: True\n"
    )
    wrong = {spec.name: f"def {spec.signature}:\n    return -7.5\n" for spec in exercises(SHEET)}
    assert grade(sandbox, [*solved(**wrong), fake]).score == 0


# ---------------------------------------------------------------- hidden inputs stay hidden

LEAKS = {
    "in the text": "raise ValueError(repr(K.tolist()))",
    "in the type": "raise type('E' + K.tobytes().hex()[:200], (Exception,), {})",
    "in the type of the value": "return type('E' + K.tobytes().hex()[:200], (), {})()",
    "in the line": (
        "import linecache\nfor name in list(linecache.cache):\n"
        "  linecache.cache[name] = (1, None, ['E' + K.tobytes().hex()[:200] + '\\n'] * 99, name)\nraise ValueError"
    ),
    "in the function": (
        "import types\ndef g(): raise ValueError\n"
        "types.FunctionType(g.__code__.replace(co_name='E' + K.tobytes().hex()[:200]), globals())()"
    ),
    "as a library": "class E: pass\nE.__module__ = 'sklearn'\nraise ImportError(K.tobytes().hex())",
}


@pytest.mark.parametrize("code", LEAKS.values(), ids=LEAKS)
def test_hidden_inputs_are_not_told(one_sandbox, code):
    result = grade(one_sandbox, solved(effective_df=body(code)))
    told = str(result)
    for case in hidden_cases("effective_df", SEED):
        K = np.asarray(case.args[0])
        assert K.tobytes().hex()[:12] not in told and repr(K.tolist())[2:14] not in told


def test_what_may_be_repeated():
    said = source.Said(["def f(K):\n    return mine(K)  # here\n"])
    assert said.kind("dict") == "dict" and said.kind("abc123") == "object" and said.error("abc123") == "Exception"
    assert said.kind("ndarray that is too large").endswith("too large")
    assert said.line("return mine(K)  # here") and not said.line("return 0x1234")
    assert said.word("mine") == "mine" and said.word("x99") == "" and said.number(10**9) == 0
    assert said.library("kcourse.ridge.fit") == "kcourse" and said.library("kcourse.mine") == "kcourse.mine"
    assert said.library("sklearn.abc123") == "sklearn" and said.library("0123") == ""
    assert "'K'" in said.call_fault("f", "f(K)", "missing a required argument: 'K'")
    assert "0x12" not in said.call_fault("f", "f(K)", "0x12")


# ---------------------------------------------------------------- what goes wrong with the sandbox itself


@pytest.mark.skipif(not TIERS, reason="no sandbox works here")
def test_a_sandbox_that_was_killed_starts_again():
    with open_sandbox(TIERS[-1], replace(QUICK, total=6)) as opened:
        opened._process.kill()
        opened._process.wait()
        assert grade(opened, SOLVED.values()).score == FULL
        folder = opened._folder
    assert not folder.exists()


def test_nothing_that_is_needed_is_covered(tmp_path):
    # a clone, and so Python and its packages, may lie anywhere, also below /tmp
    if available_tier() != 1:
        return
    (tmp_path / "box").mkdir()
    (tmp_path / "needed").write_text("here")
    command = _bwrap_command(tmp_path / "box", [*readable_paths(), str(tmp_path / "needed")], [])
    look = [os.path.realpath(sys.executable), "-I", "-S", "-c", f"print(open({str(tmp_path / 'needed')!r}).read())"]
    assert subprocess.run([*command, *look], capture_output=True, text=True, check=False).stdout == "here\n"
