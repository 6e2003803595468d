"""Find the next slips to name: ``make slips STEMS=krr_fit`` changes the sheets' own solutions, one place at a time.

Each changed answer is marked on several seeds. Listed are those that have full points on every seed (which of them are
the same program, a person must say), those that have them on some, by luck of the inputs, and those of which the check
can only say that it does not know them, the most frequent answers first.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from kcourse.checks import exercise, exercises
from kcourse.checks.diagnose import unknown
from kcourse.checks.judge import judge, passes
from kcourse.checks.spec import Case, Exercise
from kcourse.sandboxed.calls import call_all
from tools.mutants import changes
from tools.sheets import BEGIN
from tools.source import read

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 5  # for one answer on one seed


class Answer(NamedTuple):
    """A changed solution, and what became of it on each seed."""

    line: str  # the line that was changed, as it is now
    asked: int  # on so many seeds, fewer if it takes too long
    passed: int
    unknown: int
    value: str  # a digest of what it returns on the first


def solution(spec: Exercise) -> tuple[str, dict[str, Any]]:
    """The text of a solution, and the names of its sheet."""
    source = read(ROOT / "solutions" / "src" / f"{spec.chapter}.py", ROOT)
    names: dict[str, Any] = {}
    for cell in source.code_cells():
        if cell.exercise:
            exec(cell.node.source, names)
        elif cell.node.id == "imports":
            lines = (line for line in cell.node.source.splitlines() if not line.startswith(("use_style", "%")))
            exec("\n".join(lines), names)
    return next(cell.node.source for cell in source.code_cells() if cell.exercise == spec.name), names


def further(node: ast.AST) -> Iterator[ast.AST]:
    """What is often typed for ``node``, besides what any program is tested with (`tools.mutants`)."""
    yield from changes(node)
    if isinstance(node, ast.AugAssign):
        yield ast.Assign([node.target], node.value)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.MatMult)):
        yield node.left
        yield node.right
        if isinstance(node.op, (ast.Sub, ast.Div, ast.MatMult)):
            yield ast.BinOp(node.right, node.op, node.left)
        if isinstance(node.op, (ast.Mult, ast.MatMult)):
            yield ast.BinOp(node.left, ast.Mult() if isinstance(node.op, ast.MatMult) else ast.MatMult(), node.right)
    elif isinstance(node, ast.Attribute) and node.attr == "T":
        yield node.value
    elif isinstance(node, ast.Call):
        if len(node.args) == 1 and not node.keywords:
            yield node.args[0]  # the function is left out
        if len(node.args) == 2:
            yield ast.Call(node.func, node.args[::-1], node.keywords)
        for keyword in node.keywords:
            if keyword.arg == "axis" and isinstance(keyword.value, ast.Constant) and keyword.value.value in (0, 1):
                kept = [k for k in node.keywords if k is not keyword]
                other = ast.keyword("axis", ast.Constant(1 - keyword.value.value))
                yield ast.Call(node.func, node.args, [*kept, other])
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.ctx, ast.Load):
        yield ast.Tuple(node.elts[::-1], node.ctx)


def changed(text: str) -> Iterator[tuple[str, str]]:
    """(the changed line, the function) for each place of the body that may be another."""
    tree = ast.parse(text)
    body = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    begins = next(number for number, line in enumerate(text.splitlines(), 1) if line.strip() == BEGIN)
    seen = {ast.unparse(tree)}
    for parent in ast.walk(body):
        for name, value in ast.iter_fields(parent):
            nodes = value if isinstance(value, list) else [value]
            for at, node in enumerate(nodes):
                if not isinstance(node, (ast.expr, ast.AugAssign)) or node.lineno < begins:
                    continue
                for other in further(node):
                    ast.copy_location(other, node)
                    setattr(parent, name, [*nodes[:at], other, *nodes[at + 1 :]] if isinstance(value, list) else other)
                    now = ast.unparse(ast.fix_missing_locations(tree))
                    setattr(parent, name, value)
                    if now not in seen:
                        seen.add(now)
                        yield _differing(ast.unparse(tree), now), now


def _differing(before: str, after: str) -> str:
    old = before.splitlines()
    return next((line.strip() for line in after.splitlines() if line not in old), "")


def tried(spec: Exercise, line: str, text: str, names: dict[str, Any], seeds: int) -> Answer:
    """Mark a changed solution."""
    own = dict(names)
    exec(text, own)
    asked = passed = not_known = 0
    value = ""
    for seed in range(seeds):
        cases = spec.cases(seed)
        try:
            with _limited(SECONDS):
                outcomes = call_all(spec, own[spec.name], cases)
            result = judge(spec, cases, outcomes, seed=seed)
        except _TooLong:
            break
        asked += 1
        passed += result.status == "passed"
        not_known += unknown(spec) in result.hints
        if seed == 0:
            with np.printoptions(precision=4, threshold=20):
                value = repr([outcome.value for outcome in outcomes])
        if seed and not passed and not not_known:
            break
    return Answer(line, asked, passed, not_known, value)


def seeds_passed(spec: Exercise, text: str, names: dict[str, Any], seeds: Sequence[Sequence[Case]]) -> int:
    """On how many seeds, given as their calls, a changed solution has full points; what takes too long has none."""
    own, passed = dict(names), 0
    exec(text, own)
    for cases in seeds:
        try:
            with _limited(SECONDS), contextlib.redirect_stdout(io.StringIO()):
                passed += passes(spec, cases, call_all(spec, own[spec.name], cases))
        except _TooLong:
            break
    return passed


class _TooLong(BaseException):
    pass


@contextlib.contextmanager
def _limited(seconds: int) -> Iterator[None]:
    """Whatever takes more of the processor's time is stopped, where the system has such alarms."""

    def stop(*_: Any) -> None:
        raise _TooLong

    if not hasattr(signal, "SIGPROF"):
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def report(spec: Exercise, answers: list[Answer]) -> list[str]:
    """What an author should look at, as lines."""
    lines = [f"{spec.number} {spec.name}: {len(answers)} changed answers"]
    lines += [f"  passes, {a.passed} of {a.asked} seeds: {a.line}" for a in answers if a.passed]
    alike: dict[str, list[Answer]] = {}
    for answer in (a for a in answers if a.unknown and not a.passed):
        alike.setdefault(answer.value, []).append(answer)
    for group in sorted(alike.values(), key=len, reverse=True):
        lines.append(f"  not known, {len(group)} of them: {' | '.join(a.line for a in group[:3])}")
    return lines


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.slips", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="exercises, or the beginning of a chapter's name (default: all)")
    parser.add_argument("--seeds", type=int, default=10)
    options = parser.parse_args(arguments)
    known = [spec.name for spec in exercises()]
    chosen = [s for s in exercises() if not options.names or any(s.name == n or s.chapter.startswith(n)
                                                                 for n in options.names)]  # fmt: skip
    if not chosen:
        parser.error(f"no exercise or chapter {', '.join(options.names)}; there are {', '.join(known)}")
    for spec in map(exercise, (s.name for s in chosen)):
        text, names = solution(spec)
        answers = []
        with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            for line, other in tqdm(list(changed(text)), desc=spec.name, disable=None, leave=False):
                answers.append(tried(spec, line, other, names, options.seeds))
        print("\n".join(report(spec, answers)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
