"""One thread for linear algebra, unless the user has decided otherwise."""

import json
import os
import subprocess
import sys

import pytest

from kcourse.base import threads
from kcourse.commands import cli

COUNT = """
import json, sys
import numpy, scipy.linalg
{}
from threadpoolctl import threadpool_info
print(json.dumps([p["num_threads"] for p in threadpool_info()]))
"""


def counts(importing, **variables):
    """How many threads each library has in a new Python, once ``importing`` has run after NumPy and SciPy."""
    env = {name: value for name, value in os.environ.items() if name not in threads.VARIABLES} | variables
    done = subprocess.run([sys.executable, "-c", COUNT.format(importing)], env=env, capture_output=True, check=True)
    return set(json.loads(done.stdout))


def test_a_variable_of_the_users_is_left_alone():
    assert threads.settings({}) == dict.fromkeys(threads.VARIABLES, "1")
    for name in threads.VARIABLES:
        assert threads.settings({name: "3"}) == {}
        assert threads.settings({name: " "}) == threads.settings({})


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one processor has one thread")
def test_importing_the_lab_limits_what_was_loaded_before():
    assert counts("import kcourse") != {1}  # else there is nothing to limit
    assert counts("import kcourse.lab") == {1}
    assert counts("import kcourse.lab", OPENBLAS_NUM_THREADS="2", MKL_NUM_THREADS="2") == {2}


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one processor has one thread")
def test_a_check_limits_too_and_run_does_not():
    define = "from kcourse.checks import check, run\ndef krr_fit(K, y, lam):\n    raise NotImplementedError\n"
    assert counts(f"{define}run('krr_fit', krr_fit)") != {1}
    quiet = "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()):\n    check(krr_fit)"
    assert counts(define + quiet) == {1}


def test_jupyterlab_is_started_with_them(monkeypatch, tmp_path):
    started = []
    monkeypatch.setattr(cli, "to_its_end", lambda command, env, **_: started.append(env) or (0, False))
    for name in threads.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "00_start_here.ipynb").write_text("{}")
    assert cli.lab(start=tmp_path) == 0
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    assert cli.lab(start=tmp_path) == 0
    assert [env.get("OMP_NUM_THREADS") for env in started] == ["1", "4"]
    assert [env.get("OPENBLAS_NUM_THREADS") for env in started] == ["1", None]
