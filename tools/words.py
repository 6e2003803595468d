"""Find words that the texts do not use (words.toml): ``python -m tools.words``, a part of ``make lint``."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
WORDS = {re.compile(rf"(?<![\w-])(?:{word})(?![\w-])", re.I): instead for word, instead in TABLE["words"].items()}
FOLDERS = (
    "*.md",
    "*.html",
    "*.jinja",
    "*.js",
    *(f"{name}/*.py" for name in ("*/src", "kcourse", "kcourse_grader", "tools")),
)
CODE = re.compile(r"```.*?```|`[^`\n]*`|\$\$.*?\$\$|\$[^$\n]*\$", re.DOTALL)
QUOTED = re.compile(r"\bwords: \w.*")  # the reason why this line may


def found(path: Path) -> Iterator[tuple[int, str, str]]:
    """Line, word and replacement, for each word of ``path`` that the project does not use."""
    whole = path.read_text(encoding="utf-8")
    lines = whole.splitlines()
    for first, text in _of_python(whole) if path.suffix == ".py" else [(1, whole)]:
        plain = CODE.sub(lambda code: re.sub(r"[^\n]", "_", code[0]), text)
        for word, instead in WORDS.items():
            for hit in word.finditer(plain):
                line = first + plain.count("\n", 0, hit.start())
                if not QUOTED.search(lines[line - 1]):
                    yield line, " ".join(hit[0].split()), instead


def _of_python(source: str) -> Iterator[tuple[int, str]]:
    """The strings of a program that are texts, and the Markdown of a notebook's source, each with its first line."""
    for node in ast.walk(ast.parse(re.sub(r"^%", "#", source, flags=re.MULTILINE))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value
    for cell in re.finditer(r"^# %%[^\n]*\[markdown\][^\n]*\n((?:#[^\n]*\n)*)", source, re.MULTILINE):
        yield source.count("\n", 0, cell.start(1)) + 1, re.sub(r"^# ?", "", cell[1], flags=re.MULTILINE)


def is_edited(path: Path) -> bool:
    parts = {part.removesuffix(path.suffix) for part in path.parts}
    return not any(part == stem or part.startswith(f"{stem}_") for part in parts for stem in TABLE["not_yet"])


def main() -> int:
    listed = subprocess.run(["git", "ls-files", *FOLDERS], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [Path(name) for name in listed.splitlines() if (ROOT / name).exists() and not name.startswith("tests/")]
    hits = [(path, *hit) for path in paths if is_edited(path) for hit in sorted(found(ROOT / path))]
    for path, line, word, instead in hits:
        print(f"{path}:{line}: “{word}”: write {instead}", file=sys.stderr)
    return 1 if hits else 0


if __name__ == "__main__":
    sys.exit(main())
