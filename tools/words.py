"""Find words that the texts do not use (words.toml): ``python -m tools.words``, a part of ``make lint``."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tools.lint import CODE_SPAN

ROOT = Path(__file__).resolve().parent.parent
TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
WORDS = {
    re.compile(rf"(?<![\w-])(?:{word})(?![\w-])".replace(" ", r"\s+"), re.IGNORECASE): instead
    for word, instead in TABLE["words"].items()
}
CODE = re.compile(rf"{CODE_SPAN.pattern}|\$\$.*?\$\$|\$[^$\n]*\$", CODE_SPAN.flags)
QUOTED = re.compile(r"(#|<!--) words: \w")  # followed by the reason why this line may


def found(path: Path) -> Iterator[tuple[int, str, str]]:
    """Yield line, word and replacement for each word of ``path`` that the project does not use."""
    whole = path.read_text(encoding="utf-8")
    lines = whole.splitlines()
    for first, last, text in _of_python(whole) if path.suffix == ".py" else [(1, len(lines), whole)]:
        plain = CODE.sub(lambda code: re.sub(r"[^\n]", "_", code[0]), text) if path.suffix in (".py", ".md") else text
        for word, instead in WORDS.items():
            for hit in word.finditer(plain):
                line = min(last, first + plain.count("\n", 0, hit.start()))
                if not QUOTED.search(lines[line - 1]):
                    yield line, " ".join(hit[0].split()), instead


def _of_python(source: str) -> Iterator[tuple[int, int, str]]:
    """Yield a program's strings and the Markdown of a notebook's source, each with its first and last line."""
    for node in ast.walk(ast.parse(re.sub(r"^%", "#", source, flags=re.MULTILINE))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.end_lineno or node.lineno, node.value
    for cell in re.finditer(r"^# %%[^\n]*\[markdown\][^\n]*\n((?:#[^\n]*\n)*)", source, re.MULTILINE):
        first, text = source.count("\n", 0, cell.start(1)) + 1, re.sub(r"^# ?", "", cell[1], flags=re.MULTILINE)
        yield first, first + text.count("\n"), text


def main() -> int:
    listed = subprocess.run(["git", "ls-files", "-z", *TABLE["files"]], cwd=ROOT, capture_output=True, check=True)
    paths = [Path(name) for name in listed.stdout.decode().split("\0") if name and (ROOT / name).exists()]
    hits = [(path, *hit) for path in paths for hit in sorted(found(ROOT / path))]
    for path, line, word, instead in hits:
        print(f"{path.as_posix()}:{line}: instead of “{word}” write: {instead}", file=sys.stderr)
    return 1 if hits else 0


if __name__ == "__main__":
    sys.exit(main())
