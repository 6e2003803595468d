"""How the suite is started: parts, groups, the notebooks' BLAS, and Ctrl-C."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

import conftest
from tests.timeouts import scaled
from tools import test as suite
from tools.test import ROOT


def test_what_the_benchmarks_import_of_the_course_exists() -> None:
    """They run by hand only, and some import inside a function: an old name would be found out in the middle."""
    found = [
        (path.name, node.module, alias.name)
        for path in (ROOT / "benchmarks").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "kcourse"
        for alias in node.names
    ]
    assert len(found) > 20
    for file, module, name in found:
        there = importlib.import_module(module)
        assert hasattr(there, name) or importlib.util.find_spec(f"{module}.{name}"), (file, module, name)


def collected(*options: str) -> set[str]:
    command = [sys.executable, "-m", "tools.test", "--collect-only", "-q", *options]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return {line for line in output.splitlines() if "::" in line}


def test_a_chapter_is_its_rows_and_its_notebooks_and_a_module_the_tests_named_after_it() -> None:
    stem, files = suite.part("ch03")
    assert stem == "ch03_ridge"
    assert {"tests/chapters/ch03_ridge", "notebooks/ch03_ridge.ipynb", "solutions/ch03_ridge_sheet.ipynb"} <= set(files)
    stem, files = suite.part("ridge")
    assert stem == "" and {"kcourse/ridge.py", "tests/unit/test_ridge.py", "tests/laws/test_ridge_laws.py"} <= set(
        files
    )
    with pytest.raises(ValueError, match="no part named 'rigde'"):
        suite.part("rigde")


def test_of_a_chapter_no_other_is_collected() -> None:
    found = collected("--part", "ch03", "tests/chapters/test_sheets.py")
    assert any("krr_fit" in test for test in found) and not any("knn_regress" in test for test in found)


def test_notebooks_run_under_a_blas_kernel_that_is_not_the_usual_one(monkeypatch) -> None:
    name = suite.other_blas_kernel()
    if not name:
        pytest.skip("this machine's BLAS is not OpenBLAS, or has one kernel")
    assert suite._blas_kernels({"OPENBLAS_CORETYPE": name}) not in ("", suite._blas_kernels({}))
    monkeypatch.setenv("KCOURSE_NOTEBOOKS_CORETYPE", name)
    monkeypatch.setenv("OPENBLAS_CORETYPE", "mine")
    for file, expected in [("notebooks/00_start_here.ipynb", name), ("tests/unit/test_ridge.py", "mine")]:
        steps = conftest.pytest_runtest_setup(SimpleNamespace(path=ROOT / file))
        next(steps)
        assert os.environ["OPENBLAS_CORETYPE"] == expected  # as a kernel finds it that is started now
        with pytest.raises(StopIteration):
            next(steps)
        assert os.environ["OPENBLAS_CORETYPE"] == "mine"


@pytest.mark.skipif(os.name == "nt", reason="a terminal's Ctrl-C is sent otherwise there")
def test_ctrl_c_leaves_a_program_its_time_to_put_things_away() -> None:
    theirs = """if True:
        import sys, time
        try:
            print("on", flush=True)
            time.sleep(30)
        except KeyboardInterrupt:
            time.sleep(1)
            print("put away", flush=True)
            sys.exit(7)"""
    ours = f"""if True:
        import sys
        from kcourse.commands.cli import to_its_end
        print(to_its_end([sys.executable, '-c', {theirs!r}]))"""
    process = subprocess.Popen(
        [sys.executable, "-c", ours], cwd=ROOT, text=True, stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout.readline() == "on\n"
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=scaled(60))[0] == "put away\n(7, True)\n"
