"""The walls, and what is left behind them. Those who run against them are in tests/grader/adversarial."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest

from kcourse.execution import clock
from kcourse_grader.marking.grade import grade_submission, reach_of
from kcourse_grader.marking.quotable import Quotable
from kcourse_grader.sandbox.box import readable_paths
from kcourse_grader.sandbox.inside import harden, processes
from kcourse_grader.sandbox.probe import WALLS, _bait, probe
from kcourse_grader.sandbox.sandbox import NoSandbox, Sandbox, _bwrap_command, _sweep
from tests.grader.conftest import QUICK, TIERS, needs
from tests.grader.notebooks import FULL, SHEET, SOLVED, sheet_cells, solved, submission
from tests.timeouts import scaled

SEED = 3
LONG = replace(QUICK, cell=scaled(5.0), cells=scaled(15.0), call=scaled(5.0), calls=scaled(9.0))


def grade(sandbox, cells):
    start = time.monotonic()
    result = grade_submission(submission(cells), sandbox, SEED)
    assert time.monotonic() - start < scaled(20)
    return result


def test_every_wall_stands(sandbox):
    report = probe(sandbox)
    assert report.stands, report.text
    assert report.text.count("\n") == 1 and "no network" in report.text


HEADERS = [*Path("/usr/include").glob("x86_64*/asm/unistd_64.h"), Path("/usr/include/asm-generic/unistd.h")]


@pytest.mark.skipif(len(HEADERS) < 2 or not HEADERS[-1].exists(), reason="the kernel's headers are not here")
@pytest.mark.parametrize(("column", "header"), [(0, HEADERS[0]), (1, HEADERS[-1])], ids=["x86_64", "aarch64"])
def test_refused_calls_have_the_numbers_of_the_kernels_headers(column, header):
    said = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text(encoding="utf-8")))
    ours = {name: both[column] for name, both in (harden._REFUSED | harden._LOOKED_AT).items()}
    # headers that are older than the newest calls do not know them
    there = {name: number for name, number in ours.items() if name in said or number is None}
    assert len(there) > 70 and there == {name: said.get(name) and int(said[name]) for name in there}


@pytest.mark.skipif(not TIERS, reason="no sandbox works here")
@pytest.mark.parametrize("name", ["near", "far" * 40], ids=len)  # longer than a socket's name may be
def test_the_probe_sees_walls_that_are_not_there(monkeypatch, name):
    with tempfile.TemporaryDirectory(prefix=name) as folder:  # not below pytest's, which others may not enter
        Path(folder).chmod(0o755)
        monkeypatch.setattr("tempfile.tempdir", folder)
        with Sandbox(0, QUICK) as open_air:
            report = probe(open_air)
    fallen = {wall for wall, _ in report.falls}
    assert ("network", "a local datagram arrived") in report.falls
    assert {"network", "writing", "reading"} <= fallen < set(WALLS) and "NOT verified" in report.text


def test_a_tier_has_a_number():
    with pytest.raises(ValueError, match="tier must be"):
        Sandbox(7)


def test_nothing_is_left_running(sandbox):
    inside = "if os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0: time.sleep(987.25)\n  os._exit(0)"
    grade(sandbox, solved(f"import os, time\n{inside}"))
    if sandbox.tier != 1:
        pid = sandbox.started["pid"]
        assert Path(f"/proc/{pid}/task/{pid}/children").read_text() == ""
    users = subprocess.run(["ps", "-eo", "uid"], capture_output=True, text=True, check=True).stdout.split()
    assert os.geteuid() != 0 or str(100_000 + os.getpid() % 50_000) not in users


def test_nothing_is_left_for_the_next_one(sandbox):
    places = "import os\nplaces = (os.environ['HOME'], '/tmp', '/dev/shm', '.')\n"
    leave = places + "for d in places:\n  try: open(d + '/left', 'w').write('x')\n  except OSError: pass"
    look = places + "assert not [d for d in places if os.path.exists(d + '/left')]"
    grade(sandbox, solved(leave))
    assert grade(sandbox, solved(look)).notes == []


@pytest.mark.skipif(not TIERS, reason="no sandbox works here")
def test_a_sandbox_that_cannot_be_cleaned_is_thrown_away(monkeypatch):
    with Sandbox(TIERS[-1], QUICK, *reach_of(SHEET)) as opened:
        real = opened._channel.receive

        def receive(deadline):
            message = real(deadline)
            if "clean" in message:
                raise EOFError
            return message

        monkeypatch.setattr(opened._channel, "receive", receive)
        result = grade(opened, SOLVED.values())
        assert result.score == FULL and "could not be removed" in result.review[0]
        assert opened._process is None  # and the next one has a new one
        assert grade(opened, SOLVED.values()).review == []


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such timers")
def test_time_is_shared_so_that_something_is_left(monkeypatch):
    used = iter([0.0, 4.0, 4.0, 7.0, 7.0, 8.5, 8.5, 10.1, 10.1, 12.6])
    monkeypatch.setattr(clock, "_used", lambda: next(used))
    monkeypatch.setattr(clock, "_now", lambda: 0.0)
    given = []
    monkeypatch.setattr(clock, "_set", lambda seconds, *_: given.append(round(seconds, 2)))
    budget = clock.Budget(5.0, 10.0, 2.0)
    for _ in range(5):
        with budget.turn():
            pass
    assert given == [5.0, 3.0, 1.5, 0.75, 0.05]
    with pytest.raises(clock.Spent), budget.turn():
        pass


def test_what_sleeps_uses_its_time_up_too(monkeypatch):
    monkeypatch.setattr(clock, "_now", iter([0.0, 6.0]).__next__)
    assert clock.Stopwatch(3.0, iter([1.0, 1.5]).__next__).seconds() == 2.0
    monkeypatch.setattr(clock, "_now", iter([0.0, 6.0]).__next__)
    assert clock.Stopwatch(3.0, iter([1.0, 5.0]).__next__).seconds() == 4.0


CROWD = """\
import os, time
import numpy as np
def answer():
    read, write = os.pipe()
    for _ in range(3):
        if os.fork() == 0:
            x = np.ones(10**7)
            os.write(write, b"x")
            time.sleep(9)
    full = b""
    while len(full) < 3:
        full += os.read(read, 3)
    time.sleep(0.3)
    return 1.5
"""


def test_all_processes_together_have_a_limit(sandbox):
    call = {"name": "answer", "args": {}}
    enough, tight = (
        sandbox.run([CROWD], {"answer": []}, [call], replace(QUICK, call=3.0, together=size))["outcomes"][0]
        for size in (500_000_000, 150_000_000)
    )
    assert enough["value"] == 1.5
    assert tight["failure"]["kind"] == "ProcessDied"


TAKES = {  # ways to what a sheet refuses: cells after which `found` is it, if that can be had at all
    "its name": "",
    "without those who stand in its way": "import sys\nsys.meta_path[:] = sys.meta_path[-3:]\n"
    "for name in [name for name in sys.modules if name.startswith(PACKAGE)]: del sys.modules[name]\n",
    "unwatched": "import sys, threading\nsys.setprofile(None)\nthreading.setprofile(None)\n",
}
BY_FILE = """import importlib.util, os, sys, types
for place in (*sys.path, *sys.modules[PACKAGE.partition('.')[0]].__path__, '/'):
    for folder, _, files in os.walk(place):
        if folder.endswith(os.sep + PACKAGE.replace('.', os.sep)) and '__init__.py' in files:
            spec = importlib.util.spec_from_file_location('mine', folder + '/__init__.py',
                                                          submodule_search_locations=[folder])
            sys.modules['mine'] = module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            found = getattr(module, NAME)
"""
CLONED = """from types import FunctionType
call = found.__call__
again = FunctionType(call.__code__, call.__globals__, "again", call.__defaults__, call.__closure__)
found = lambda *made: lambda *given: again(kind(*made), *given)
"""
USE = {
    "kcourse.kernels": "Gaussian(2.0)(np.ones((2, 1)))[0, 0] == 1.0",
    "scipy.interpolate": "RBFInterpolator(np.arange(5.0)[:, None], np.ones(5))([[2.0]])[0] > 0.9",
}


@pytest.mark.slow
@pytest.mark.parametrize("package", USE)
def test_what_a_sheet_refuses_is_not_there(sandbox, package):
    name = USE[package].partition("(")[0]
    begin = f"import numpy as np\nPACKAGE, NAME = {package!r}, {name!r}\nfound = None\n"
    fetch = f"from {package} import {name}\nkind = found = {name}\n"
    ways = [*(way + fetch for way in TAKES.values()), fetch + CLONED, BY_FILE]
    answer = f"def answer(x):\n    {name} = found\n    return bool({USE[package]})"
    call, there = {"name": "answer", "args": [1.0]}, []
    for refused in (True, False):
        allowed = ("kcourse.kernels",) if package == "kcourse.kernels" and not refused else ()
        sandbox.admit(allowed, (package,) if package.startswith("scipy") and refused else ())
        ran = [sandbox.run([begin, way, answer], {"answer": ["x"]}, [call], LONG)["outcomes"][0] for way in ways]
        there.append([outcome.get("value") is True for outcome in ran])
        assert not refused or ran[0]["library"].startswith(package)  # and is told so
    assert not any(there[0]) and all(there[1]), there  # none of the ways is one without reason


def test_what_needs_something_refused_only_to_show_it_goes_on(one_sandbox):
    cells = ["from scipy.interpolate import RBFInterpolator as R\nimport scipy.stats",
             "def answer(x, surface=R([[0.0]], [1.0])): return x + scipy.stats.norm.cdf(0.0)",
             "import numpy as np\nnp.asarray(R([[0.0]], [1.0])([[2.0]]))"]  # fmt: skip
    one_sandbox.admit((), ("scipy.interpolate",))
    ran = one_sandbox.run(cells, {"answer": ["x"]}, [{"name": "answer", "args": [1.0]}], LONG)
    assert ran["outcomes"][0]["value"] == 1.5 and not ran["outcomes"][0]["library"]
    assert [cell["status"] for cell in ran["cells"]] == ["ok", "ok", "failed"]


GREEDY = {  # 40 MB for the time of a kernel of so many entries, and what keeps the process from counting them
    "as it is": "return work(np.ones(5 * 10**6))",
    "stopped": "import tracemalloc\n  tracemalloc.stop()\n  return work(np.ones(5 * 10**6))",
    "cleared": "import tracemalloc\n  x = np.ones(5 * 10**6)\n  tracemalloc.clear_traces()\n  return work(x)",
    "in files": "x = [np.memmap(f'f{i}', float, 'w+', shape=10**6) for i in range(5)]\n  for part in x: part[:] = 1\n"
    "  return float(sum(map(work, x)))",
    "in a fork": "import os\n  r, w = os.pipe()\n  if os.fork() == 0:\n"
    "    os.write(w, b'%f' % work(np.ones(5 * 10**6)))\n    os._exit(0)\n  return float(os.read(r, 99))",
    "in C": "from ctypes import CDLL, c_void_p, memset\n  c = CDLL(None)\n  c.calloc.restype = c_void_p\n"
    "  memset(c.calloc(5 * 10**6, 8), 1, 4 * 10**7)\n  return work(np.ones(5)) * 1e6",
}
WORK = """import numpy as np
def work(x):
  for i in range(0, len(x), 1000): x[i : i + 1000] **= 2.5
  return float(x.sum())
"""


def test_what_a_call_may_take_is_seen_from_outside(sandbox, subtests):
    call = {"name": "answer", "args": [1.0]}
    budgets = ((0, None), (200_000_000, None), (5_000_000, "MemoryError"))
    for (name, body), (memory, kind) in itertools.product(GREEDY.items(), budgets):
        with subtests.test(msg=name, memory=memory):
            cell = f"{WORK}def answer(x):\n  {body}"
            (outcome,) = sandbox.run([cell], {"answer": ["x"]}, [{**call, "memory": memory}], LONG)["outcomes"]
            assert (outcome["failure"] or {}).get("kind") == kind and (kind or outcome["value"] == 5e6)


@pytest.mark.slow
def test_who_sleeps_is_not_waited_for(sandbox):
    names = [f"f{i}" for i in range(9)]
    sleeps = [f"import time\ndef {name}(): time.sleep(9)\nif {name} is {names[0]}: time.sleep(9)" for name in names]
    calls = [{"name": name, "args": []} for name in names for _ in range(4)]
    for _ in range(2):  # while others are at the processor nobody can tell who sleeps
        start = time.monotonic()
        ran = sandbox.run(sleeps, {name: [] for name in names}, calls, replace(QUICK, patience=30.0))
        seconds, slept = time.monotonic() - start, [cell.get("slept") for cell in ran["cells"]]
        kinds = [(outcome["failure"] or {}).get("kind") for outcome in ran["outcomes"]]
        if kinds == ["Slept", *["NotCalled"] * 3] * 9 and slept == [1, *[None] * 8]:
            break
    else:
        assert os.getloadavg()[0] > os.cpu_count(), (kinds, slept)
        pytest.skip("others are at the processor")
    assert seconds < scaled(30)  # ten sleeps of nine seconds, were they waited for


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such timers")
@pytest.mark.parametrize(("crowd", "error"), [(False, clock._Slept), (True, clock._Waited)])
def test_who_may_have_been_kept_from_working_is_waited_for(monkeypatch, crowd, error):
    monkeypatch.setattr(clock, "_BLINK", 0.01)
    monkeypatch.setattr(clock, "_crowded", lambda: crowd)
    start, budget = time.monotonic(), clock.Budget(0.05, 9.0, 4.0)
    with pytest.raises(error), budget.turn():
        time.sleep(99)
    assert time.monotonic() - start > (0.2 if crowd else 0.05)
    assert budget.left < 8.96


def test_a_package_that_a_call_imports_is_no_memory_of_its_arrays(sandbox):
    cell = "def answer(x):\n  import scipy.stats, sqlite3\n  return float(scipy.stats.norm.cdf(0.0))"
    call = {"name": "answer", "args": [1.0], "memory": 5_000_000}
    (outcome,) = sandbox.run([cell], {"answer": ["x"]}, [call], LONG)["outcomes"]
    assert outcome["failure"] is None and outcome["value"] == 0.5


STALLS = """import json, os, struct, time
def stall(*_):
    frame = json.dumps({"begin": "call", "i": 0}).encode()
    while True:
        for fd in range(3, 64):
            try: os.write(fd, struct.pack("!QQ", len(frame), 0) + frame)
            except OSError: pass
        time.sleep(1)
"""


@pytest.mark.slow
def test_a_submission_has_an_end_whatever_it_says_that_it_begins(sandbox):
    names = ["one", "two", "three"]
    deaf = "\nimport signal\ndef deaf(*_):\n    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n    stall()\n"
    cells = [STALLS + deaf, *(f"{name} = lambda: deaf()" for name in names)]
    calls = [{"name": name, "args": {}} for name in names]
    start = time.monotonic()
    limits = replace(QUICK, call=9.0, calls=30.0, job=5.0)
    ran = sandbox.run(cells, {name: [] for name in names}, calls, limits)
    assert time.monotonic() - start < scaled(12)
    failures = [outcome["failure"] for outcome in ran["outcomes"]]
    assert [(f["kind"], f["waited"]) for f in failures] == [("TookTooLong", True)] * 3


@pytest.mark.parametrize(
    "members",
    ["def __getattr__(self, name): return self.inner[name]",
     "@property\n  def __signature__(self): raise SystemExit",
     "@property\n  def __signature__(self):\n    while True: pass",
     "@property\n  def __wrapped__(self):\n    import time\n    time.sleep(99)"],
    ids=["recursion", "leaves", "loop", "sleep"],
)  # fmt: skip
def test_an_answer_that_fights_back_when_it_is_looked_at_costs_no_other(sandbox, members):
    trace = f"class F:\n  {members}\n  def __call__(self, K, lam): return 1 / 0\neffective_df = F()"
    result = grade(sandbox, [*SOLVED.values(), trace, "x = 1"])
    assert {r["name"] for r in result.results if r["points"] < r["max_points"]} == {"effective_df"}


def test_what_a_killed_grader_leaves_is_swept_by_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with _bait("token") as bait:  # a folder of the same kind as the sandbox's
        assert bait.secret.parent.parent == tmp_path
        assert bait.secret.parent.name.startswith(f"kcourse-grade-{os.getpid()}-")
        gone = subprocess.Popen(["true"])
        gone.wait()
        (tmp_path / f"kcourse-grade-{gone.pid}-left").mkdir()
        _sweep()
        assert [p.name for p in tmp_path.iterdir()] == [bait.secret.parent.name]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not TIERS, reason="no sandbox works here")
def test_a_sandbox_that_was_killed_starts_again():
    with Sandbox(TIERS[-1], QUICK) as opened:
        opened._process.kill()
        opened._process.wait()
        assert grade(opened, SOLVED.values()).score == FULL
        folder = opened._folder
    assert not folder.exists()


def test_nothing_that_is_needed_is_covered(tmp_path):
    # a clone, and so Python and its packages, may lie anywhere, also below /tmp
    needs(1)
    (tmp_path / "box").mkdir()
    (tmp_path / "needed").write_text("here")
    command = _bwrap_command(tmp_path / "box", [*readable_paths(), str(tmp_path / "needed")], [])
    look = [os.path.realpath(sys.executable), "-I", "-S", "-c", f"print(open({str(tmp_path / 'needed')!r}).read())"]
    assert subprocess.run([*command, *look], capture_output=True, text=True, check=False).stdout == "here\n"


NO_ROOM = OSError(28, "No space left on device")


@pytest.mark.parametrize("error", [NO_ROOM, shutil.Error([("a", "b", NO_ROOM), ("c", "d", "e")])])
def test_without_room_there_is_a_sentence_and_nothing_is_left(monkeypatch, tmp_path, error):
    def full(*_):
        raise error

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("kcourse_grader.sandbox.sandbox.build_box", full)
    with pytest.raises(NoSandbox, match="No space left on device. Set TMPDIR"), Sandbox(2):
        pass
    assert not list(tmp_path.glob("kcourse-grade-*"))


@pytest.mark.parametrize(("megabytes", "status"), [(6, "passed"), (40, "failed")])
def test_memory_that_python_does_not_count_has_room_for_libraries_alone(sandbox, megabytes, status):
    """9.3 allows arrays of 1 MB; what of a library comes into memory at its first use is as little counted as this."""
    held = f"import mmap\n    held = mmap.mmap(-1, {megabytes} * 10**6, mmap.MAP_PRIVATE)\n" \
           f"    all(held.write(bytes(10**5)) for _ in range({megabytes} * 10))"  # fmt: skip
    solution = sheet_cells("solutions", "ch09_rkhs").values()
    cells = [re.sub(r"(def spectrum_kernel.*\n)", rf"\1    {held}\n", cell) for cell in solution]
    result = grade_submission(submission(cells, "held", "ch09_rkhs"), sandbox, SEED).results
    (said,) = [r for r in result if r["name"] == "spectrum_kernel"]
    assert said["status"] == status and ("MemoryError" in " ".join(said["hints"])) is (status == "failed")


def test_a_fork_that_fails_is_tried_again(monkeypatch):
    def fork():
        if next(fails):
            raise BlockingIOError
        return 7

    monkeypatch.setattr(processes, "_fork", fork)
    fails = iter([True, True, False])
    assert processes.fork() == 7
    monkeypatch.setattr(processes, "_PATIENCE", 0.1)
    fails = itertools.repeat(True)
    with pytest.raises(BlockingIOError):
        processes.fork()


def test_what_may_be_repeated_of_what_a_sandbox_says():
    said = Quotable(["def f(K):\n    return mine(K)  # here\n"])
    assert (said.kind("dict"), said.kind("abc123"), said.error("abc123")) == ("dict", "object", "Exception")
    assert said.kind("ndarray that is too large").endswith("too large")
    assert said.line("return mine(K)  # here") and not said.line("return 0x1234")
    assert said.word("mine") == "mine" and said.word("x99") == "" and said.number(10**9) == 0
    libraries = {"kcourse.ridge.fit": "kcourse", "kcourse.mine": "kcourse.mine", "sklearn.abc123": "sklearn",
                 "0123": "", "scipy.interpolate": "scipy.interpolate", "scipy.abc123": "scipy"}  # fmt: skip
    assert {name: said.library(name) for name in libraries} == libraries
    assert "'K'" in said.call_fault("f", "f(K)", "missing a required argument: 'K'")
    assert "0x12" not in said.call_fault("f", "f(K)", "0x12")


def test_a_probe_that_cannot_run_proves_nothing(one_sandbox, monkeypatch):
    lost = {"outcomes": [{"failure": {"kind": "ProcessDied"}}]}
    monkeypatch.setattr(Sandbox, "run", lambda *_, **__: lost)
    assert {wall for wall, _ in probe(one_sandbox).falls} == set(WALLS)
