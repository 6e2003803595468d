"""Faults of a source that can be found without running it: broken code, unseeded random calls, missing alt texts."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager

from tools.source import Cell, Problem, Source

LONGEST_LINE = 100  # characters of code
MOST_VERIFIED = 3  # in open code: `verify` shows this many sentences unfolded

# names of numpy.random that are fine with a seed; all other functions there use hidden global state
NEED_SEED = {"default_rng", "RandomState", "SeedSequence", "MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64"}
NEVER_DRAW = {"Generator", "BitGenerator"}
# names of scikit-learn that always draw (most others use random_state only for special solvers)
ALWAYS_DRAW = re.compile(
    r"sklearn\.(datasets\.make_\w+|.*\b(train_test_split|permutation_importance|KMeans|MiniBatchKMeans|Nystroem"
    r"|RBFSampler|RandomizedSearchCV|\w*ShuffleSplit|Repeated\w*KFold|RandomForest\w+|ExtraTrees\w+|MLP\w+|SGD\w+))"
)
SEED_ARGUMENTS = {"random_state", "rng", "seed"}

CODE_SPAN = re.compile(r"^ *```.*?^ *```|(`+)(?:(?!\n\s*\n).)*?\1", re.DOTALL | re.MULTILINE)
NO_ALT = re.compile(r"""!\[\s*\]|<img\b(?![^>]*\balt\s*=\s*["'][^"'])[^>]*>""", re.IGNORECASE)


def lint(source: Source) -> None:
    """Add the faults of the source to its problems."""
    trees = []
    for cell in source.code_cells():
        try:
            trees.append((cell, parse(cell.node.source)))
        except SyntaxError as error:
            source.complain(cell.line + (error.lineno or 1) - 1, f"Python cannot parse this cell: {error.msg}")
    names = _imported_names(tree for _, tree in trees)
    for cell, tree in trees:
        _lint_width(source, cell)
        _lint_folding(source, cell, tree)
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            if message := _unseeded(call, names):
                source.complain(cell.line + call.lineno - 1, message)
    for cell in source.markdown_cells():
        for offset in pictures_without_alt(cell.node.source):
            source.complain(cell.line + offset, "a picture without alt text. Write ![what it shows](…)")


def ruff(root: Path, paths: Sequence[Path]) -> list[Problem]:
    """Return what ruff finds by the rules in pyproject.toml; `lint` itself reports code that Python cannot parse."""
    if not paths or not (root / "pyproject.toml").exists():
        return []
    command = [sys.executable, "-m", "ruff", "check", "--output-format=json", "--no-cache", *map(str, paths)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode not in (0, 1):
        raise ValueError(f"ruff: {done.stderr.strip()}")
    return [
        Problem(Path(fault["filename"]).relative_to(root).as_posix(), fault["location"]["row"],
                f"{fault['message']} ({fault['code']})")
        for fault in json.loads(done.stdout) if fault["code"] not in (None, "invalid-syntax")
    ]  # fmt: skip


def _lint_width(source: Source, cell: Cell) -> None:
    for number, line in enumerate(cell.node.source.split("\n"), start=cell.line):
        if len(line) > LONGEST_LINE:
            source.complain(number, f"a line of {len(line)} characters; a notebook's page shows {LONGEST_LINE}")


def _lint_folding(source: Source, cell: Cell, tree: ast.Module) -> None:
    calls = sum(isinstance(n, ast.Call) and ast.unparse(n.func) == "verify" for n in ast.walk(tree))
    if calls > MOST_VERIFIED and not cell.node.metadata.get("jupyter", {}).get("source_hidden"):
        source.complain(
            cell.line,
            f"{calls} calls of verify in open code, but at most {MOST_VERIFIED} are allowed. Move calls that only back "
            'numbers of the text into a cell with hide="input"',
        )


def parse(code: str) -> ast.Module:
    """Return the syntax tree of a cell; IPython's magics are parsed and keep their line numbers."""
    return ast.parse(TransformerManager().transform_cell(code))


def blank(pattern: re.Pattern[str], text: str) -> str:
    """Replace matches with a space and their line breaks, so that the rest keeps its line numbers."""
    return pattern.sub(lambda match: " " + "\n" * match[0].count("\n"), text)


def pictures_without_alt(markdown: str) -> list[int]:
    """Return the line offsets of images without alt text."""
    text = blank(CODE_SPAN, markdown)
    return [text.count("\n", 0, match.start()) for match in NO_ALT.finditer(text)]


def _imported_names(trees: Iterator[ast.Module]) -> dict[str, str]:
    """Return imported name → full name: {"np": "numpy", "rand": "numpy.random.rand", …}."""
    names = {"np": "numpy"}  # np may come from a star import
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    top = alias.name.split(".")[0]
                    names[alias.asname or top] = alias.name if alias.asname else top
            elif isinstance(node, ast.ImportFrom):
                names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return names


def _full_name(node: ast.expr, names: dict[str, str]) -> str:
    """Return the dotted name of a called function with imports resolved; for a method of a value, only its name."""
    if isinstance(node, ast.Name):
        return names.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        return f"{_full_name(node.value, names)}.{node.attr}"
    return ""


def _unseeded(call: ast.Call, names: dict[str, str]) -> str:
    """Return why the call is an unseeded random call, or an empty string."""
    name = _full_name(call.func, names)
    module, _, function = name.rpartition(".")
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    advice = f"unseeded random call {name}"
    if module in ("numpy.random", "random"):
        if function in NEVER_DRAW:
            return ""
        if function not in NEED_SEED | {"Random"}:
            return f"{advice}. Draw from rng = np.random.default_rng(a seed)"
        arguments = [*call.args, *keywords.values()]
        return "" if arguments and not _is_none(arguments[0]) else f"{advice}. Give it a seed"
    shuffles = isinstance(keywords.get("shuffle"), ast.Constant) and keywords["shuffle"].value
    if function == "train_test_split" and "shuffle" in keywords and not shuffles:
        return ""
    # None stands for **arguments, which may contain a seed
    seeded = None in keywords or any(not _is_none(keywords[key]) for key in SEED_ARGUMENTS & keywords.keys())
    if (shuffles or function == "rvs" or ALWAYS_DRAW.fullmatch(name)) and not seeded:
        return f"{advice}. Give it random_state=a seed"
    return ""


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
