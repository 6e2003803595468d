"""Which way imports go, read from the sources and watched at run time.

``base ← kernels, dual ← strings, graphs, rkhs, each solver ← chapters' marks ← grading ← commands``; the engine of the
checks and what runs in the sandbox know no solver, and no chapter knows another.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.rows import each

ROOT = Path(__file__).resolve().parents[2]

FLOOR = {"base.validation", "base.linalg", "base.cholesky", "base.estimator", "base.sparse"}
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


# A part is named by its folder or file; of two names that fit, the longer one says more.
RULES = {
    "base": Rule(set()),
    **{part: Rule(FLOOR - {part}, NUMERIC) for part in FLOOR},
    # scikit-learn's tags are made when scikit-learn asks
    "base.renaming": Rule(set()),
    "base.routing": Rule(set(), set(), {"sklearn in get_metadata_routing"}),
    "base.estimator": Rule(
        FLOOR | {"base.routing", "base.renaming"},
        NUMERIC,
        {"sklearn in __sklearn_tags__", "pandas in _as_asked", "polars in _as_asked"},
    ),
    "base.files": Rule(set()),  # tools/bootstrap.py imports it before anything is installed
    "base.threads": Rule(set(), set(), {"threadpoolctl in limit"}),
    "base.pace": Rule(set(), {"numpy"}),
    **{part: Rule(FLOOR, NUMERIC) for part in SHARED},
    **{part: Rule(FLOOR | SHARED | {"base.renaming"}, NUMERIC) for part in ROOMS},
    "datasets": Rule({"base.validation"}, {"numpy"}, {"sklearn in load_diabetes", "matplotlib in load_terrain"}),
    "sandboxed": Rule(set(), {"numpy"}),  # it is copied into the sandbox, where there is nothing else of ours
    # matplotlib brings contourpy and PIL
    "lab": Rule({"base.threads"}, {"numpy", "matplotlib", "contourpy", "anywidget", "traitlets", "IPython", "PIL"}),
    "checks": Rule({"base.threads", "sandboxed.calls", "sandboxed.offered", "datasets"}, NUMERIC, {"IPython"}),
    "chapters": Rule({"checks", "datasets", "chapters.gaussian_slips", *LIBRARY}, NUMERIC),
    "chapters.*.paper_problems": Rule({"paper_problems"}, {"numpy"}),
    "chapters.*.figures": Rule(
        {"lab", "base.threads"}, {"numpy", "matplotlib"}
    ),  # no solver: they are passed what they draw
    "grading": Rule(
        {
            "",
            "base.files",
            "base.pace",
            "base.threads",
            "checks",
            "sandboxed",
            "grading.intake",
            "grading.tables",
            "grading.walls",
        },
        NUMERIC,
        {"distributed in _cluster", "tqdm"},
    ),
    "grading.walls": Rule({"", "base.threads", "sandboxed"}, set(), {"matplotlib in _font_lists"}),
    "grading.intake": Rule({"", "checks", "grading.record"}, set(), {"IPython"}),
    "grading.tables": Rule(
        {"base.files", "checks", "sandboxed.removal", "grading.intake", "grading.record"},
        set(),
        {"jinja2", "markupsafe", "matplotlib in picture"},
    ),
    "paper_problems": Rule(
        {"paper_problems", "chapters"}, {"numpy"}
    ),  # it finds the chapters' problems by their folders
    "paper_problems.drill": Rule({"paper_problems"}, {"anywidget", "traitlets", "IPython"}),
    "paper_problems.markup": Rule({"paper_problems"}, {"nbconvert"}),
    "paper_problems.exam": Rule(
        {
            "paper_problems",
            "paper_problems.browser",
            "paper_problems.markup",
            "paper_problems.moodle",
            "paper_problems.canvas",
            "slides",
        },
        {"numpy", "jinja2"},
    ),
    "paper_problems.moodle": Rule({"paper_problems", "paper_problems.markup"}),
    "paper_problems.canvas": Rule({"paper_problems", "paper_problems.markup"}, {"numpy"}, {"text2qti in package"}),
    "slides": Rule(set(), {"bs4", "fontTools", "jinja2", "nbconvert", "pygments"}),
    "commands": Rule({"", "base.files", "base.threads", "paper_problems.exam", "commands", "grading", "slides"}),
    "commands.doctor": Rule({"", "base.files", "base.threads", "commands.work"}),
    "commands.work": Rule({"base.files"}),
    "commands.release": Rule({"", "base.files", "base.threads", "slides"}),
    # the release starts it as a program: it has the checks write down what they know
    "commands.sealing": Rule({"base.threads", "checks", "sandboxed.calls"}, {"numpy"}),
    "__main__": Rule({"commands.cli"}),
    "": Rule(set()),  # kcourse/__init__.py: loads its modules by name, on first use
}


def part_of(module: str) -> str:
    """The longest name in RULES that fits: "kcourse.lab.figures" belongs to "lab", "kcourse" itself to ""."""
    inside = module.partition(".")[2]
    parts = inside.split(".")
    if parts[0] == "chapters" and parts[-1] in ("paper_problems", "figures"):
        return f"chapters.*.{parts[-1]}"
    names = [".".join(parts[:n]) for n in range(len(parts), 0, -1)]
    return next((name for name in names if name in RULES), parts[0])


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
                for alias in child.names:  # `from kcourse.base import threads` imports kcourse.base.threads
                    deeper = f"{source}.{alias.name}"
                    yield (deeper if source == "kcourse" or _is_module(deeper) else source), function, child.lineno
            inside = child.name if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) else function
            yield from walk(child, inside)

    yield from walk(tree, "")


def _is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


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
            if not _allowed(name, module, rule, part):
                found.append(f"{line}: kcourse.{part} imports {name}")
        elif top not in rule.packages and not (function and {top, f"{top} in {function}"} & rule.lazily):
            found.append(f"{line}: kcourse.{part} imports {name}{f' in {function}' if function else ''}")
    return found


def _allowed(name: str, module: str, rule: Rule, part: str) -> bool:
    """The modules of one part know each other, and so do those of one chapter."""
    inside = name.partition(".")[2]
    if inside.startswith("chapters.ch"):
        return part != "chapters.*.figures" and name.split(".")[2] == module.split(".")[2]
    return part_of(name) == part or any(inside == p or (p and inside.startswith(p + ".")) for p in rule.parts)


def modules():
    for path in sorted((ROOT / "kcourse").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        yield path, ".".join(parts[:-1] if is_package else parts), is_package


@each(("path", "module", "is_package"), list(modules()))
def test_imports_go_one_way(path, module, is_package):
    assert faults(path.read_text(encoding="utf-8"), module, is_package) == []


HEAVY = ["matplotlib", "ipywidgets", "sklearn", "IPython", "pandas", "PIL"]
SLOW = [
    *HEAVY,
    "scipy.optimize",
    "scipy.stats",
    "scipy.sparse",
]  # half a second, which each check and each override would take


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
            {"kcourse", "kcourse.base", "kcourse.kernels", "kcourse.ridge"},
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


def test_the_grader_loads_nothing_that_most_grades_do_not_need():
    loaded = loaded_after("import kcourse_grader")
    assert "kcourse.checks" in loaded and [name for name in SLOW if name in loaded] == []
