"""The names that kcourse gives: which ones, where from, and that each is explained."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import subprocess
import sys
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path

import pytest

import kcourse
from kcourse import Kernel
from kcourse.base.estimator import Estimator
from kcourse.checks import exercises
from kcourse.commands.cli import main
from tests.promised import PROMISED, kept, names, options
from tests.rows import each

# the modules whose kernels and estimators are given at the top
CORE = ["gp", "graphs", "kernels", "kpca", "margin", "neighbors", "rbf", "ridge", "rkhs", "scaling", "strings", "svm"]
GROUND = ["base.validation", "base.linalg", "base.cholesky", "base.estimator", "dual"]
PUBLIC = ["kcourse", "kcourse.datasets", "kcourse.lab", "kcourse.chapters.ch03_ridge.figures", "kcourse.lab.figures",
          "kcourse.lab.verify", "kcourse.lab.widgets", *(f"kcourse.{name}" for name in CORE + GROUND)]  # fmt: skip

# public names whose docstring has no example that runs, and why
NO_EXAMPLE = {
    "Kernel": "abstract",
}
# these draw or display, or serve the solvers only; prose explains them
NEED_NO_EXAMPLE = ("kcourse.lab", "kcourse.chapters", *(f"kcourse.{name}" for name in GROUND))


def public():
    for module in PUBLIC:
        for name in import_module(module).__all__:
            if name != "__version__":
                yield module, name


def test_the_names_at_the_top_are_the_kernels_and_the_estimators():
    assert set(kcourse._HOME.values()) == set(CORE)
    assert set(kcourse.__all__) == {"__version__", *kcourse._HOME}
    assert len(kcourse.__all__) == len(set(kcourse.__all__))
    for home in CORE:
        module = import_module(f"kcourse.{home}")
        given = {name for name, where in kcourse._HOME.items() if where == home}
        assert given <= set(module.__all__)
        classes = {name for name in module.__all__ if inspect.isclass(getattr(module, name))}
        assert {name for name in classes if issubclass(getattr(module, name), (Estimator, Kernel))} <= given


@each("name", sorted(kcourse._HOME))
def test_a_name_is_the_object_of_its_module(name):
    home = import_module(f"kcourse.{kcourse._HOME[name]}")
    assert getattr(kcourse, name) is getattr(home, name)
    module = getattr(home, name).__module__
    assert module == home.__name__ or module.startswith(home.__name__ + ".")  # a package gives its modules' names


def test_what_is_promised_is_there(subtests):
    for make in (names, options):
        now = make()
        for name, promised in PROMISED[make.__name__].items():
            with subtests.test(name):
                assert kept(promised, now[name]), "docs/promises.md says what may change"
    points = {spec.name: spec.points for spec in exercises()}
    assert points == {name: row["most"] for name, row in PROMISED["points"].items()}


@pytest.mark.parametrize(
    ("now", "holds"),
    [(["a", "*", "b=1", "c=2", ".fit"], True), (["a", "b=1"], False), (["a", "*", "b=2", ".fit"], False),
     (["*", "a", "b=1", ".fit"], False), (["a", "c", "*", "b=1", ".fit"], False)],
)  # fmt: skip
def test_a_promise_allows_additions_that_no_caller_notices(now, holds):
    assert kept(["a", "*", "b=1", ".fit"], now) == holds


def test_type_checkers_and_editors_see_the_same_names():
    tree = ast.parse(Path(kcourse.__file__).read_text(encoding="utf-8"))
    [block] = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    seen = {alias.name: statement.module for statement in block.body for alias in statement.names}
    assert seen == {name: f"kcourse.{home}" for name, home in kcourse._HOME.items()}


def test_dir_and_star_give_the_public_names():
    assert dir(kcourse) == sorted(kcourse.__all__)
    names: dict[str, object] = {}
    exec("from kcourse import *", names)
    assert set(kcourse.__all__) <= set(names)


@pytest.mark.parametrize("name", ["KernelRigde", "gram", "np", "_nothing"])
def test_an_unknown_name_is_an_attribute_error(name):
    with pytest.raises(AttributeError, match=f"module 'kcourse' has no attribute '{name}'"):
        getattr(kcourse, name)
    with pytest.raises(ImportError, match=f"cannot import name '{name}'"):
        exec(f"from kcourse import {name}", {})


@each("module", PUBLIC)
def test_every_module_says_what_it_is_and_what_it_gives(module):
    loaded = import_module(module)
    assert loaded.__doc__ and len(loaded.__doc__.split()) > 5
    names = list(loaded.__all__)
    assert names == sorted(set(names), key=names.index) and all(hasattr(loaded, name) for name in names)
    assert [n for n in names if n != "__version__"] == sorted(n for n in names if n != "__version__")


@each(("module", "name"), list(public()))
def test_every_public_name_is_explained_most_with_an_example(module, name):
    thing = getattr(import_module(module), name)
    text = inspect.getdoc(thing)
    assert text and len(text.split()) >= 4, f"{module}.{name} has no docstring"
    assert text.splitlines()[0].endswith((".", ":", "]")), "the first line is a sentence"
    # a record that some function returns is shown by that function's example
    record = is_dataclass(thing) and not issubclass(thing, Kernel)
    if name not in NO_EXAMPLE and not record and not module.startswith(NEED_NO_EXAMPLE):
        assert ">>>" in text, f"{module}.{name} has no example"


@each(("module", "name"), list(public()))
def test_every_public_method_is_explained(module, name):
    thing = getattr(import_module(module), name)
    if not inspect.isclass(thing):
        return
    methods = {key: value for key, value in vars(thing).items() if callable(value) or isinstance(value, property)}
    for key in methods:
        if not key.startswith("_") and not isinstance(methods[key], type):
            assert inspect.getdoc(getattr(thing, key)), f"{module}.{name}.{key} has no docstring"


def test_the_version_is_that_of_the_project_and_the_command_says_it():
    root = Path(kcourse.__file__).resolve().parents[1]
    for file, begins in (("pyproject.toml", 'version = "'), ("CITATION.cff", "version: "), ("CHANGELOG.md", "## [")):
        assert f"\n{begins}{kcourse.__version__}" in (root / file).read_text(encoding="utf-8")
    said = subprocess.run(
        [sys.executable, "-m", "kcourse", "--version"], capture_output=True, text=True, check=True, cwd=root
    )
    assert said.stdout == f"kcourse {kcourse.__version__}\n"


def test_without_the_grader_students_have_their_commands_and_are_told_where_the_others_are(monkeypatch, capsys):
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "kcourse_grader" else find_spec(name))
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "check" in (said := capsys.readouterr().out) and "grade" not in said
    with pytest.raises(SystemExit, match="2"):
        main(["grade", "submissions", "--out", "results"])
    assert "in the instructors' archive" in capsys.readouterr().err


PROGRAM = """
import numpy as np
from kcourse import SVC, Gaussian, GaussianProcess, KernelPCA, KernelRidge, Linear
from kcourse.rkhs import mmd2

X = np.random.default_rng(0).random((20, 2))
model = KernelRidge(Gaussian(0.5) + 1.0, lam=0.1).fit(X, X[:, 0])
score: float = model.set_params(lam=0.2).fit(X, X[:, 0]).score(X, X[:, 0])
labels: np.ndarray = SVC(Gaussian(1.0), C=1.0).fit(X, X[:, 0] > 0.5).predict(X)
distance: float = mmd2(Gaussian(1.0), X, X + 1.0)
mean, sd = GaussianProcess(2 * Gaussian(1.0) * Linear()).fit(X, X[:, 0]).predict(X, return_std=True)
axes = KernelPCA(Gaussian(1.0), n_components=2).set_output(transform="polars").fit(X).transform(X)
"""


@pytest.mark.slow
def test_a_users_program_is_checked_by_its_types(tmp_path):
    (tmp_path / "right.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(PROGRAM + "KernelRidge(Gaussian(0.5), lam='large')\n", encoding="utf-8")
    root = Path(kcourse.__file__).parents[1]
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "right.py", "wrong.py"]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root)}, capture_output=True, text=True, check=False
    )
    assert done.stdout.count("error:") == 1 and "wrong.py:13: error: Argument" in done.stdout, done.stdout + done.stderr
