"""Mutation testing: change one place of the code at random and run the tests: ``make mutants PART=checks COUNT=20``.

Each mutant runs in a copy of the project, with the tests that import the changed module, until one fails; tests with
the fewest imports run first. Surviving mutants are listed: either no test covers the code, or the change has no effect,
which a person must decide. The same seed gives the same mutants.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import functools
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from kcourse import checks
from tools import freshness, test

ROOT = test.ROOT
SLOW = ("tests/browser/", "tests/site/", "notebooks/", "tests/grader/test_release.py")  # minutes; the last needs git
# sandboxes take longest
LAST = ("tests/grader/adversarial/", "tests/grader/test_nbgrader.py", "tests/grader/test_batch.py")
NEAREST = 8  # files of tests
COPIED = ("kcourse", "kcourse_grader", "tests", "tools", "notebooks", "exercises", "solutions", "docs", "benchmarks",
          "measured", "requirements", "deploy")  # fmt: skip
IGNORED = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")

_COMPARE = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
            ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}  # fmt: skip
_OPERATE = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
            ast.Pow: ast.Mult, ast.Mod: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr}  # fmt: skip


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield possible replacements of ``node``."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARE:
        yield ast.Compare(node.left, [_COMPARE[type(node.ops[0])](), *node.ops[1:]], node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATE:
        yield ast.BinOp(node.left, _OPERATE[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values)
        yield node.values[0]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.Call) and node.keywords and node.keywords[-1].arg:
        yield ast.Call(node.func, node.args, node.keywords[:-1])


def mutants(path: Path) -> list[tuple[int, str]]:
    """Return (line, source with one change) for each change in a module; docstrings and annotations stay."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    skipped = {id(inner) for node in ast.walk(tree) for field in ("annotation", "returns")
               if (note := getattr(node, field, None)) for inner in ast.walk(note)}  # fmt: skip
    found = []
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    data = source.encode()
    for node in ast.walk(tree):
        if id(node) in skipped or not hasattr(node, "lineno"):
            continue
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        for other in changes(node):
            text = f"({ast.unparse(ast.fix_missing_locations(other))})".encode()
            mutated = (data[:begin] + text + data[end:]).decode()
            try:
                if ast.dump(ast.parse(mutated)) != ast.dump(tree):
                    found.append((node.lineno, mutated))
            except SyntaxError:  # for example in an f-string
                continue
    return found


def modules(part: str) -> set[Path]:
    """Return the files of a part of kcourse (``checks``) or of the grader (``kcourse_grader.sandbox``)."""
    path = ROOT / (part if part.partition(".")[0] in freshness.OURS else f"kcourse.{part}").replace(".", "/")
    found = {path.with_suffix(".py")} if path.with_suffix(".py").is_file() else set(path.rglob("*.py"))
    if not found:
        raise ValueError(f"no module or package named {part!r}")
    return found


@functools.cache
def imports(root: Path = ROOT) -> dict[str, set[Path]]:
    """Return the files of kcourse that each test file imports, directly or indirectly."""
    fresh, found = freshness.Freshness(root), {}
    for path in (root / "tests").rglob("test_*.py"):
        found[path.relative_to(root).as_posix()] = imported = fresh.modules(path)
        if root / "kcourse/checks/__init__.py" in imported:  # it loads each chapter's marks by their name
            imported |= {p for stem in checks.CHAPTERS for p in (root / "kcourse/chapters" / stem).glob("*.py")}
        if root / "kcourse/commands/cli.py" in imported:  # it loads the grader's commands by their name
            imported.add(root / "kcourse_grader/commands.py")
    return found


def tests_of(module: Path) -> list[str]:
    """Return the test files that import a module, the ones with the fewest imports first."""
    found = {name: len(imported) for name, imported in imports().items() if module in imported}
    folder = "tests/grader/adversarial"
    started = [f"{folder}/test_hostile.py", f"{folder}/test_sheets.py"] if "kcourse_grader" in module.parts else []
    started += ["tests/grader/test_sandbox.py"] if "inside" in module.parts else []
    return sorted({*found, *started}, key=lambda name: (name.startswith(LAST), found.get(name, 0), name))


def killed_by(folder: Path, tests: list[str], seconds: float) -> str:
    """Return the first test that fails, "time" if the time runs out, or "" if all pass."""
    for some, workers in ((tests[:NEAREST], "0"), (tests[NEAREST:], "2")):  # mostly the first ones fail, in seconds
        if not some:
            continue
        options = ["-q", "-x", "-n", workers, "--no-header", "--tb=no", "-p", "no:cacheprovider"]
        options += ["-m", "not slow and not weekly"]
        env = test.environment()
        try:
            done = subprocess.run(
                [sys.executable, "-m", "pytest", *options, *some], cwd=folder, env=env, capture_output=True, text=True,
                timeout=seconds, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return "time"
        if done.returncode:
            failed = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", done.stdout, re.MULTILINE)
            return failed[1] if failed else f"exit {done.returncode}"
    return ""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", default=["checks"], help="modules and packages of kcourse (checks)")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=600, help="time limit for the tests of one mutant")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the copy of the project is removed
    try:
        files = sorted({file for part in options.parts for file in modules(part)})
    except ValueError as problem:
        print(f"make mutants: {problem}", file=sys.stderr)
        return 2
    every = [(file, line, text) for file in files for line, text in mutants(file)]
    chosen = random.Random(options.seed).sample(every, min(options.count, len(every)))
    print(f"{len(chosen)} of {len(every)} mutants of {len(files)} files")
    alive = []
    with tempfile.TemporaryDirectory(prefix="kcourse-mutants-") as name:
        folder = Path(name)
        for part in COPIED:
            shutil.copytree(ROOT / part, folder / part, ignore=IGNORED)
        for file in (path for path in ROOT.iterdir() if path.is_file()):
            shutil.copy(file, folder)
        for k, (file, line, text) in enumerate(chosen, 1):
            place, before = file.relative_to(ROOT), file.read_text(encoding="utf-8")
            tests = [name for name in tests_of(file) if not name.startswith(SLOW)]
            (folder / place).write_text(text, encoding="utf-8")
            start = time.monotonic()
            by = killed_by(folder, tests, options.seconds)
            shutil.copy(file, folder / place)
            print(f"{k:3d} {place}:{line}: {by or 'ALIVE'} ({time.monotonic() - start:.0f} s)")
            changed = [x for x in difflib.ndiff(before.splitlines(), text.splitlines()) if x[0] in "-+"]
            print("\n".join(f"      {x}" for x in changed), flush=True)
            alive += [] if by else [f"{place}:{line}"]
    print(f"{len(alive)} of {len(chosen)} mutants survived: {', '.join(alive)}" if alive else "No mutant survived.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
