"""Which way imports go: DESIGN.md's rule, read from the sources and watched at run time.

``validation, linalg, estimator ← kernels, dual ← strings, graphs, rkhs, each solver ← checks ← grading ← cli``
"""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

FLOOR = {"validation", "linalg", "estimator"}
SHARED = {"kernels", "dual"}
ROOMS = {
    "strings", "graphs", "rkhs", "neighbors", "ridge", "gp", "margin", "svm", "rbf", "kpca", "scaling",
}  # fmt: skip
LIBRARY = FLOOR | SHARED | ROOMS
NUMERIC = {"numpy", "scipy"}


@dataclass(frozen=True)
class Rule:
    """What a part of kcourse may import: parts of kcourse, packages, and packages inside functions alone."""

    parts: frozenset[str] | set[str]
    packages: frozenset[str] | set[str] = frozenset()
    lazily: frozenset[str] | set[str] = frozenset()  # "package" or "package in function"


RULES = {
    **{part: Rule(FLOOR - {part}, NUMERIC) for part in FLOOR},
    # scikit-learn's tags are made when scikit-learn asks
    "estimator": Rule(FLOOR, NUMERIC, {"sklearn in __sklearn_tags__", "pandas in _as_asked"}),
    **{part: Rule(FLOOR, NUMERIC) for part in SHARED},
    **{part: Rule(FLOOR | SHARED, NUMERIC) for part in ROOMS},
    "datasets": Rule({"datasets", "validation"}, {"numpy"}, {"sklearn in load_diabetes", "matplotlib in load_terrain"}),
    "threads": Rule(set(), set(), {"threadpoolctl in limit"}),
    "lab": Rule({"lab", "threads"}, {"numpy", "matplotlib", "anywidget", "traitlets", "IPython", "PIL"}),
    "checks": Rule({"checks", "datasets", "threads", *LIBRARY}, NUMERIC, {"IPython"}),
    # its worker is copied into the sandbox, beside these, which it then imports by their bare names
    "grading": Rule(
        {"grading", "checks", "datasets", "files", "threads", "", *LIBRARY},
        NUMERIC
        | {"calls", "cells", "clock", "codec", "harden", "hollow", "processes", "removal", "runner", "supervisor"},
        {
            "IPython",
            "distributed in _cluster",
            "jinja2",
            "markupsafe",
            "matplotlib in _font_lists",
            "tqdm",
        },
    ),
    "files": Rule(set()),  # tools/bootstrap.py imports it before anything is installed
    "work": Rule({"files"}),
    "slides": Rule({"slides"}, {"bs4", "jinja2", "nbconvert", "pygments"}),
    "doctor": Rule({"", "files", "threads", "work"}),
    "release": Rule({"", "files", "slides"}),
    "cli": Rule({"", "doctor", "grading", "release", "slides", "files", "threads", "work"}),
    "__main__": Rule({"cli"}),
    "": Rule(set()),  # kcourse/__init__.py: loads its modules by name, on first use
}


def part_of(module: str) -> str:
    """ "kcourse.lab.figures" belongs to "lab", "kcourse" itself to ""."""
    return module.partition(".")[2].partition(".")[0]


def imports(tree: ast.Module, module: str, is_package: bool):
    """(absolute name, function it stands in or "", line) of every import that runs."""

    def walk(node: ast.AST, function: str):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            if isinstance(child, ast.Import):
                yield from ((alias.name, function, child.lineno) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                package = module.split(".") if is_package else module.split(".")[:-1]
                base = package[: len(package) - child.level + 1] if child.level else []
                source = ".".join([*base, *([child.module] if child.module else [])])
                # `from kcourse import ridge` imports kcourse.ridge
                for alias in child.names:
                    yield (f"{source}.{alias.name}" if source == "kcourse" else source), function, child.lineno
            inside = child.name if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) else function
            yield from walk(child, inside)

    yield from walk(tree, "")


def faults(source: str, module: str, is_package: bool = False) -> list[str]:
    """What the module imports against the rules, as "line: what"."""
    part = part_of(module)
    if part not in RULES:
        return [f"1: kcourse.{part} is new: say in RULES what it may import"]
    rule, found = RULES[part], []
    for name, function, line in imports(ast.parse(source), module, is_package):
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names:
            continue
        if top == "kcourse":
            if part_of(name) not in rule.parts | {part}:  # the modules of one part know each other
                found.append(f"{line}: kcourse.{part} imports {name}")
        elif top not in rule.packages and not (function and {top, f"{top} in {function}"} & rule.lazily):
            found.append(f"{line}: kcourse.{part} imports {name}{f' in {function}' if function else ''}")
    return found


def modules():
    for path in sorted((ROOT / "kcourse").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        yield pytest.param(path, ".".join(parts[:-1] if is_package else parts), is_package, id="/".join(parts))


@pytest.mark.parametrize(("path", "module", "is_package"), list(modules()))
def test_imports_go_one_way(path, module, is_package):
    assert faults(path.read_text(encoding="utf-8"), module, is_package) == []


@pytest.mark.parametrize(
    ("module", "source", "said"),
    [
        ("kcourse.ridge", "from kcourse.gp import GaussianProcess", "kcourse.ridge imports kcourse.gp"),
        ("kcourse.ridge", "import kcourse.svm", "kcourse.ridge imports kcourse.svm"),
        ("kcourse.ridge", "from kcourse import gp", "kcourse.ridge imports kcourse.gp"),
        ("kcourse.ridge", "from . import gp", "kcourse.ridge imports kcourse.gp"),
        ("kcourse.ridge", "from .gp import f", "kcourse.ridge imports kcourse.gp"),
        ("kcourse.ridge", "def f():\n    from kcourse.lab import show", "kcourse.ridge imports kcourse.lab"),
        ("kcourse.ridge", "import sklearn", "kcourse.ridge imports sklearn"),
        ("kcourse.ridge", "def f():\n    import matplotlib.pyplot", "kcourse.ridge imports matplotlib.pyplot in f"),
        ("kcourse.ridge", "try:\n    import pandas\nexcept ImportError:\n    pass", "kcourse.ridge imports pandas"),
        ("kcourse.ridge", "class A:\n    import torch", "kcourse.ridge imports torch"),
        ("kcourse.linalg", "from kcourse.kernels import gram", "kcourse.linalg imports kcourse.kernels"),
        ("kcourse.estimator", "from kcourse.kernels import Kernel", "kcourse.estimator imports kcourse.kernels"),
        ("kcourse.estimator", "from sklearn.utils import Tags", "kcourse.estimator imports sklearn.utils"),
        ("kcourse.estimator", "def f():\n    import sklearn", "kcourse.estimator imports sklearn in f"),
        ("kcourse.kernels", "from kcourse.dual import solve", "kcourse.kernels imports kcourse.dual"),
        ("kcourse.kernels", "from kcourse import KernelRidge", "kcourse.kernels imports kcourse.KernelRidge"),
        ("kcourse.datasets._made", "import scipy", "kcourse.datasets imports scipy"),
        ("kcourse.datasets._made", "def f():\n    import sklearn", "kcourse.datasets imports sklearn in f"),
        ("kcourse.datasets._made", "from kcourse.kernels import Gaussian", "kcourse.datasets imports kcourse.kernels"),
        ("kcourse.lab.ch03_ridge", "from kcourse.ridge import KernelRidge", "kcourse.lab imports kcourse.ridge"),
        ("kcourse.lab.ch03_ridge", "from kcourse.checks import check", "kcourse.lab imports kcourse.checks"),
        ("kcourse.checks.show", "from IPython.display import display", "kcourse.checks imports IPython.display"),
        ("kcourse.checks.show", "from kcourse.lab import show", "kcourse.checks imports kcourse.lab"),
        ("kcourse.checks.spec", "from kcourse.grading import run", "kcourse.checks imports kcourse.grading"),
        ("kcourse.grading.batch", "from kcourse.cli import main", "kcourse.grading imports kcourse.cli"),
        ("kcourse.cli", "from kcourse.ridge import KernelRidge", "kcourse.cli imports kcourse.ridge"),
        ("kcourse", "from kcourse.ridge import KernelRidge", "kcourse. imports kcourse.ridge"),
        ("kcourse.trees", "", "kcourse.trees is new"),
    ],
)
def test_an_arrow_that_runs_back_up_is_seen(module, source, said):
    assert any(said in fault for fault in faults(source, module)), faults(source, module)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("kcourse.ridge", "import numpy as np\nfrom scipy.linalg import eigh\nfrom kcourse.kernels import gram"),
        ("kcourse.svm", "from kcourse.dual import solve\nfrom kcourse.estimator import Estimator\nimport json"),
        ("kcourse.checks.ch06_svm", "from kcourse.svm import SVC\nfrom kcourse.kernels import Gaussian"),
        ("kcourse.checks.show", "def f():\n    from IPython.display import display"),
        ("kcourse.datasets._installed", "def load_diabetes():\n    from sklearn.datasets import load_diabetes"),
        ("kcourse.cli", "import kcourse\ndef grade():\n    from kcourse.grading import run"),
        ("kcourse.ridge", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from sklearn.utils import Tags"),
    ],
)
def test_what_design_allows_is_allowed(module, source):
    assert faults(source, module) == []


HEAVY = ["matplotlib", "ipywidgets", "sklearn", "IPython", "pandas", "PIL"]


def loaded_after(code: str) -> set[str]:
    """The modules that a fresh interpreter holds after ``code`` and not before."""
    program = f"import sys\nbefore = set(sys.modules)\n{code}\nprint(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("code", "ours"),
    [
        ("import kcourse", {"kcourse"}),
        (
            "import kcourse.ridge",
            {"kcourse", *(f"kcourse.{name}" for name in ("estimator", "kernels", "linalg", "ridge", "validation"))},
        ),
    ],
)
def test_importing_the_library_loads_nothing_heavy(code, ours):
    loaded = loaded_after(code)
    assert [name for name in HEAVY if name in loaded] == []
    parts = {".".join(name.split(".")[:2]) for name in loaded if name.partition(".")[0] == "kcourse"}
    assert parts == ours
    if code == "import kcourse":
        assert "numpy" not in loaded  # the names load their module on first use


def test_a_fit_and_its_questions_load_nothing_heavy():
    loaded = loaded_after(
        "from kcourse import KernelRidge, Matern\n"
        "model = KernelRidge(Matern(0.7)).fit([[0.0], [1.0]], [1.0, -1.0])\n"
        "model.score([[0.5]], [0.0]), model.loo_path([1.0]), repr(model), model.get_params()"
    )
    assert "scipy" in loaded and [name for name in HEAVY if name in loaded] == []
