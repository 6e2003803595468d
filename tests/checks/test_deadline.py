"""An answer that does not end is stopped, whatever it does, and nothing of the checker is left half done."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import threading
import time
import tracemalloc
from collections.abc import Iterator

import numpy as np
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

import kcourse.checks
from kcourse.checks import check, run
from kcourse.execution.deadline import Deadline, TookTooLong, within
from tests.rows import each
from tools.kernels import ThisPythonsKernel

RIGHT = "def krr_fit(K, y, lam):\n    return np.linalg.solve(K + lam * np.eye(len(y)), y)\n"
ENDLESS = "def krr_fit(K, y, lam):\n    while True:\n        y = y + 1\n"
CALLS = "def ridge_dual_w(Phi, y, lam):\n    return Phi.T @ krr_fit(Phi @ Phi.T, y, lam)\n"
NOT_ON_WINDOWS = pytest.mark.skipif(os.name == "nt", reason="Windows sends no signal to a thread or a process")


def cell(code: str) -> dict:
    exec(compile(code, "<cell>", "exec"), names := {"np": np, "time": time, "__name__": "__main__"})
    return names


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    def state() -> tuple:
        waiting = [thread for thread in threading.enumerate() if "_send" in thread.name]
        return sys.getprofile(), signal.getsignal(signal.SIGINT), tracemalloc.is_tracing(), waiting

    before = state()
    yield
    assert state() == before


@pytest.fixture
def hurry(monkeypatch) -> None:
    """A short time for all calls. On a busy machine it may be over before the first call, which then ends at once."""
    monkeypatch.setattr(kcourse.checks, "_SECONDS", 0.1)


@each("body", [
    "while True: pass",
    "while True: np.linalg.solve(K + lam * np.eye(len(y)), y)",
    "return max(np.sqrt(i) for i in iter(int, 1))",
    "return np.vectorize(lambda v: [time.sleep(1e-4) for _ in iter(int, 1)])(y)",
    "\n    while True:\n        try:\n            np.linalg.inv(np.eye(300))\n        except:\n            pass",
])  # fmt: skip
def test_an_answer_without_an_end_is_stopped(body, hurry):
    result = run("krr_fit", cell(f"def krr_fit(K, y, lam):\n    {body}\n")["krr_fit"], seed=0)
    assert (result.status, result.points, result.experiment) == ("failed", 0, "")
    assert re.search(r" took too long .* in line \d of krr_fit\.", result.hints[0])


def test_a_check_in_the_answer_itself_is_one_error_with_the_fix(capsys):
    nested = cell("from kcourse.checks import check\ndef krr_fit(K, y, lam):\n    check(krr_fit)\n    return y\n")
    result = check(nested["krr_fit"]).result
    assert "raised RuntimeError: krr_fit calls check" in result.hints[0]
    assert capsys.readouterr().out.count("0 of 4") == 1


@NOT_ON_WINDOWS
def test_a_sleep_ends_and_without_that_signal_a_loop_does(hurry, monkeypatch):
    sleeps = cell("def krr_fit(K, y, lam):\n    time.sleep(1e6)\n")["krr_fit"]
    assert "took too long" in run("krr_fit", sleeps, seed=0).hints[0]
    monkeypatch.delattr(signal, "pthread_kill")
    assert "took too long" in run("krr_fit", cell(ENDLESS)["krr_fit"], seed=0).hints[0]


def test_after_a_call_that_took_too_long_no_other_is_made(hurry):
    calls = []

    def krr_fit(K, y, lam):
        calls.append(len(y))
        while True:
            pass

    run("krr_fit", krr_fit, seed=0)
    assert len(calls) <= 1


@pytest.mark.slow
def test_an_answer_that_calls_an_endless_one_keeps_its_points(monkeypatch):
    monkeypatch.setattr(kcourse.checks, "_SECONDS", 4.0)  # then a right one has a quarter of that
    result = run("ridge_dual_w", cell(ENDLESS + CALLS)["ridge_dual_w"], seed=0)
    assert result.points == result.max_points and result.instead == ("krr_fit",)


def test_elsewhere_nothing_is_limited(monkeypatch):
    results = []
    right = cell(RIGHT)["krr_fit"]
    thread = threading.Thread(target=lambda: results.append(run("krr_fit", right)))
    thread.start()
    thread.join()

    def no_threads(_self):
        raise RuntimeError("can't start new thread")  # as in WebAssembly

    monkeypatch.setattr(threading.Thread, "start", no_threads)
    results.append(run("krr_fit", right))
    assert [result.status for result in results] == ["passed"] * 2


def test_what_ends_in_time_is_never_stopped_later():
    for _ in range(30):
        with contextlib.suppress(TookTooLong), Deadline(0.001):
            time.sleep(0.002)
            assert within(int, "5") == 5
            within(lambda: time.sleep(0))
        time.sleep(0.001)  # a late signal would be a KeyboardInterrupt here


def test_an_interrupt_is_a_verdict_of_check_and_passes_through_run(capsys):
    names = cell("import signal\n" + RIGHT.replace("    return", "    signal.raise_signal(signal.SIGINT)\n    return"))
    with pytest.raises(KeyboardInterrupt):
        run("krr_fit", names["krr_fit"])
    result = check(names["krr_fit"]).result
    assert (result.status, result.points) == ("interrupted", 0)
    assert "line 2 of krr_fit" in result.hints[0] and result.hints[0] in capsys.readouterr().out


@NOT_ON_WINDOWS
def test_an_interrupt_at_any_time_leaves_nothing_half_done():
    names = cell(RIGHT.replace(" + lam * np.eye(len(y))", "") + CALLS)
    own, began = names["krr_fit"], time.perf_counter()
    run("ridge_dual_w", names["ridge_dual_w"], seed=0)
    usual, armed = time.perf_counter() - began, False

    def interrupt(*_):
        if armed:  # the signal may arrive after the end of the check
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, interrupt)
    for i in range(25):
        sender = threading.Timer(usual * i / 25, signal.pthread_kill, [threading.get_ident(), signal.SIGINT])
        sender.start()
        armed = True
        with contextlib.suppress(KeyboardInterrupt):
            run("ridge_dual_w", names["ridge_dual_w"], seed=0)
            armed = False
        armed = False
        sender.join()
        assert names["krr_fit"] is own and sys.getprofile() is None
    assert signal.signal(signal.SIGINT, before) is interrupt


@pytest.mark.slow
@NOT_ON_WINDOWS
def test_in_a_kernel_an_interrupt_gives_a_verdict_and_keeps_the_variables():
    cells = [f"from kcourse.checks import check\n{ENDLESS}", "check(krr_fit)", "print(krr_fit.__name__)"]
    book = new_notebook(cells=[new_code_cell(source) for source in cells])
    options = {"kernel_manager_class": ThisPythonsKernel, "extra_arguments": ["--log-level=ERROR"]}
    late = {"timeout_func": lambda cell: 5 if cell.source == cells[1] else None, "interrupt_on_timeout": True}
    NotebookClient(book, **options, **late).execute()
    [panel], [said] = (cell.outputs for cell in book.cells[1:])
    assert panel.data["text/plain"] == "0" and 'data-status="interrupted"' in panel.data["text/html"]
    assert said.text == "krr_fit\n"
