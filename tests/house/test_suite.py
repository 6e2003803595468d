"""How the suite is started: parts, groups, the notebooks' BLAS, and Ctrl-C."""

from __future__ import annotations

import ast
import importlib
import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

import conftest
from tests.machine import patient
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
        assert hasattr(there, name) or (ROOT / f"{module.replace('.', '/')}/{name}.py").is_file(), (file, module, name)


def collected(*options: str) -> set[str]:
    command = [sys.executable, "-m", "tools.test", "--collect-only", "-q", *options]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return {line for line in output.splitlines() if "::" in line}


def test_a_chapter_is_its_rows_and_its_notebooks_and_a_module_the_tests_named_after_it() -> None:
    stem, files = suite.part("ch03")
    assert stem == "ch03_ridge"
    assert {"tests/chapters/ch03_ridge", "notebooks/ch03_ridge.ipynb", "solutions/ch03_ridge_sheet.ipynb"} <= set(files)
    stem, files = suite.part("ridge")
    assert stem == "" and {"kcourse/ridge.py", "tests/unit/test_ridge.py", "tests/laws/test_ridge_laws.py"} <= set(files)
    with pytest.raises(ValueError, match="no part named 'rigde'"):
        suite.part("rigde")


def test_of_a_chapter_no_other_is_collected() -> None:
    found = collected("--part", "ch03", "tests/chapters/test_sheets.py")
    assert any("krr_fit" in test for test in found) and not any("knn_regress" in test for test in found)


@pytest.mark.parametrize("suite_of", [suite.USUAL, suite.REST])
def test_make_test_and_the_rest_are_everything(monkeypatch, suite_of) -> None:
    names = [f"{begins}[{k}]" if "[" not in begins else f"{begins}-{k}]" for begins, *_ in LEFT for k in range(40)]
    items = [SimpleNamespace(nodeid=name) for name in [*names, "tests/unit/test_ridge.py::test_x"]]
    left = {item.nodeid for item in items if is_left(item.nodeid)}
    assert "tests/unit/test_ridge.py::test_x" not in left
    for begins, keep, _ in LEFT:
        here = [name for name in names if name.startswith(begins)]
        assert 0 < len(left & set(here)) and (keep == 0) <= (left >= set(here)), begins
    options = SimpleNamespace(keyword="", markexpr="")
    config = SimpleNamespace(
        option=options,
        args_source=1,
        ArgsSource=SimpleNamespace(TESTPATHS=1),
        hook=SimpleNamespace(pytest_deselected=lambda items: None),
    )
    monkeypatch.setenv(suite.SUITE, suite_of)
    conftest.pytest_collection_modifyitems(config, kept := list(items))
    assert {item.nodeid for item in kept} == (left if suite_of == suite.REST else {i.nodeid for i in items} - left)
    with pytest.raises(pytest.UsageError, match="leaves out what there is not"):
        conftest.pytest_collection_modifyitems(config, items[len(items) // 2 :])


def test_what_is_named_is_run_instead_of_everything_the_longest_first() -> None:
    files = [line.split("::")[0] for line in collected("tests/house/test_environment.py", "exercises")]
    sheets = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "exercises").glob("*.ipynb"))
    assert list(dict.fromkeys(files)) == [*sheets, "tests/house/test_environment.py"]


def test_without_names_everything_is_run_and_each_notebook_once(monkeypatch, pytestconfig) -> None:
    given = []
    monkeypatch.setattr("tools.test.to_its_end", lambda command, **_: given.append(command) or (3, False))
    monkeypatch.setattr(suite, "other_blas_kernel", lambda: "")
    assert suite.main(["-k", "ridge"]) == 3 and given[0][-2:] == ["-k", "ridge"]
    assert not [word for word in given[0] if (ROOT / word).exists() and word != sys.executable]
    matched = [p for pattern in pytestconfig.getini("testpaths") for p in ROOT.glob(pattern) if p.suffix == ".ipynb"]
    folders = ("notebooks", "solutions", "exercises")
    assert sorted(matched) == sorted(path for folder in folders for path in (ROOT / folder).glob("*.ipynb"))


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


@pytest.mark.parametrize("suite_of", [suite.USUAL, suite.REST])
def test_make_test_and_the_rest_are_everything(monkeypatch, suite_of) -> None:
    names = [f"{begins}[{k}]" if "[" not in begins else f"{begins}-{k}]" for begins, *_ in LEFT for k in range(40)]
    items = [SimpleNamespace(nodeid=name) for name in [*names, "tests/unit/test_ridge.py::test_x"]]
    left = {item.nodeid for item in items if is_left(item.nodeid)}
    assert "tests/unit/test_ridge.py::test_x" not in left
    for begins, keep, _ in LEFT:
        here = [name for name in names if name.startswith(begins)]
        assert 0 < len(left & set(here)) and (keep == 0) <= (left >= set(here)), begins
    options = SimpleNamespace(keyword="", markexpr="")
    config = SimpleNamespace(
        option=options,
        args_source=1,
        ArgsSource=SimpleNamespace(TESTPATHS=1),
        hook=SimpleNamespace(pytest_deselected=lambda items: None),
    )
    monkeypatch.setenv(suite.SUITE, suite_of)
    conftest.pytest_collection_modifyitems(config, kept := list(items))
    assert {item.nodeid for item in kept} == (left if suite_of == suite.REST else {i.nodeid for i in items} - left)
    with pytest.raises(pytest.UsageError, match="leaves out what there is not"):
        conftest.pytest_collection_modifyitems(config, items[len(items) // 2 :])


def test_what_is_named_is_run_instead_of_everything_the_longest_first() -> None:
    files = [line.split("::")[0] for line in collected("tests/house/test_environment.py", "exercises")]
    sheets = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "exercises").glob("*.ipynb"))
    assert list(dict.fromkeys(files)) == [*sheets, "tests/house/test_environment.py"]


def test_without_names_everything_is_run_and_each_notebook_once(monkeypatch, pytestconfig) -> None:
    given = []
    monkeypatch.setattr("tools.test.to_its_end", lambda command, **_: given.append(command) or (3, False))
    monkeypatch.setattr(suite, "other_blas_kernel", lambda: "")
    assert suite.main(["-k", "ridge"]) == 3 and given[0][-2:] == ["-k", "ridge"]
    assert not [word for word in given[0] if (ROOT / word).exists() and word != sys.executable]
    matched = [p for pattern in pytestconfig.getini("testpaths") for p in ROOT.glob(pattern) if p.suffix == ".ipynb"]
    folders = ("notebooks", "solutions", "exercises")
    assert sorted(matched) == sorted(path for folder in folders for path in (ROOT / folder).glob("*.ipynb"))


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


def test_the_meter_reads_what_this_process_and_others_compute(pytestconfig) -> None:
    before = conftest.core_seconds()
    burn = "import time; end = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
    subprocess.run([sys.executable, "-c", burn], check=True)
    if sys.platform != "win32":  # which does not say what ended processes took
        assert 0.25 < conftest.core_seconds() - before < 5


def test_a_chapter_of_two_lectures_pays_twice_for_notebooks_and_decks_and_once_for_its_sheet(monkeypatch) -> None:
    monkeypatch.setenv(SLOWNESS, "1")
    bill = Bill(workers=1)
    line, _ = bill.lines(chapters=1, lectures=2)
    for part, (alone, each) in BUDGET.items():
        assert f"{part} 0 of {alone + each * (2 if part in PER_LECTURE else 1)}" in line, part
    stems = {path.stem for path in (ROOT / "notebooks").glob("ch*.ipynb")}
    chapters, lectures = conftest._chapters()
    sheets = {path.stem.removesuffix("_sheet") for path in (ROOT / "exercises").glob("ch*.ipynb")}
    assert lectures == len(stems) and lectures - chapters == len(stems - sheets)
    assert sheets <= stems


@pytest.mark.parametrize(("slowness", "strict", "fails"), [("1", "", False), ("1", "yes", True), ("2", "yes", False)])
def test_a_part_that_takes_too_long_is_named_and_fails_where_that_is_asked(
    monkeypatch, slowness, strict, fails
) -> None:
    monkeypatch.setenv(SLOWNESS, "1")
    bill = Bill(workers=2)
    may = BUDGET["zoo"][0] + BUDGET["zoo"][1]
    for took in ({"zoo": may, "start": 2.0}, {"zoo": 0.4 * may, "start": 3.0}):
        bill.pytest_runtest_logreport(SimpleNamespace(when="teardown", user_properties=[("core-seconds", took)]))
    line, over = bill.lines(chapters=1)
    assert f"zoo {1.4 * may:.0f} of {may}" in line and "start 2 of" in line and over == []
    bill.took["zoo"] += 0.2 * may
    assert len(bill.lines(chapters=1)[1]) == 1 and bill.lines(chapters=CHAPTERS)[1] == []

    monkeypatch.setenv(SLOWNESS, slowness)
    monkeypatch.setenv(suite.STRICT, strict)
    monkeypatch.setattr(conftest, "_chapters", lambda: (1, 1))
    plugins = SimpleNamespace(get_plugin=lambda name: bill)
    session = SimpleNamespace(config=SimpleNamespace(pluginmanager=plugins), exitstatus=0)
    conftest.pytest_sessionfinish(session)
    assert bool(session.exitstatus) is fails


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
    assert process.communicate(timeout=patient(60))[0] == "put away\n(7, True)\n"
