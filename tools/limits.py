"""Compare the size of the project with ``limits.toml``: ``python -m tools.limits``, a part of ``make lint``."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMITS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
NOTES = re.compile(r"(?s)<details><summary>For the lecturer\b.*?</details>|<!-- slide.*?-->|\*\*In one hour[^\n]*")


def sizes() -> Iterator[tuple[str, float, float]]:
    """Yield the name, the size and the limit of each limited thing."""
    files = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for folder, most in LIMITS["lines"].items():
        own = [ROOT / name for name in files.splitlines() if name.startswith(f"{folder}/")]
        yield f"lines of {folder}/", sum(len(path.read_bytes().splitlines()) for path in own if path.exists()), most
    for name, most in LIMITS["words"].items():
        path = ROOT / name if name.endswith(".md") else next((ROOT / "notebooks").glob(f"{name}_*.ipynb"))
        yield f"words of {name}", len(reader_text(path).split()), most
    for path in sorted((ROOT / "notebooks").glob("ch*.ipynb")):
        took = json.loads(path.read_text(encoding="utf-8"))["metadata"]["kcourse"].get("core_seconds", 0)
        most = LIMITS["lectures"].get(path.stem.partition("_")[0], LIMITS["lectures"]["core_seconds"])
        yield f"core-seconds of {path.stem}", took, most


def reader_text(path: Path) -> str:
    """Return a page, or the Markdown of a lecture without slides, lecturer's notes and the links of its plan."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return text
    cells = (cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")
    return NOTES.sub("", "\n".join("".join(cell["source"]) for cell in cells))


def main() -> int:
    over = [(name, size, most) for name, size, most in sizes() if size > most]
    for name, size, most in over:
        print(f"{name}: {size:g} exceed the limit of {most:g}. Shorten it, or raise the limit in tools/limits.toml "
              "and say there why.", file=sys.stderr)  # fmt: skip
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
