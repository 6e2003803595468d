"""Write docs/overview.md, the whole project in tables: ``python -m tools.overview [--time]`` (``make overview``).

What can be counted is counted in the notebooks, the slides and the files. ``docs/overview.toml`` has the rest: how a
reader judged each chapter, and the times and sizes that ``--time`` measures in a new clone and writes there.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kcourse.slides import slides_of
from tools import limits, pacing

ROOT = Path(__file__).resolve().parent.parent
PAGE, DATA = ROOT / "docs" / "overview.md", ROOT / "docs" / "overview.toml"
MEASURED = "\n[measured]\n"  # begins the part of overview.toml that --time writes
COMMANDS = ("make lab", "make test", "make test-rest", "make release")
NOT_PROSE = re.compile(r"```.*?```|^\|[^\n]*$|^#+ [^\n]*$", re.DOTALL | re.MULTILINE)
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`", re.DOTALL)
TAG = re.compile(r"<[^>]+>")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
FOR_THE_READER = re.compile(r"\b(show|table|explore)\(")


def of_lecture(path: Path) -> dict[str, float]:
    """Return what is counted in a lecture, by the keys of [at_most] in overview.toml."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    slides, markdown = slides_of(notebook), limits.reader_text(path)
    plain = LINK.sub(r"\1", TAG.sub(" ", FORMULA.sub(" F ", NOT_PROSE.sub(" ", markdown))))
    code = [(cell, "".join(cell["source"])) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    every = "\n".join(text for _, text in code)
    words = plain.split()
    per_1000 = 1000 / len(words)
    return {
        "words": len(words),
        "numbers": per_1000 * sum(bool(re.search(r"\d", word)) for word in words),
        "colons": per_1000 * len(re.findall(r":(?=\s+[a-z])", plain)),
        "brackets": per_1000 * len(re.findall(r"\((?!\d+[a-z]?\))", plain)),
        "bold": len(re.findall(r"\*\*.+?\*\*", markdown, re.DOTALL)),
        "folds": markdown.count("<details"),
        "tables": len(re.findall(r"^\|[-: |]+\|\s*$|^table\(", f"{markdown}\n{every}", re.MULTILINE)),
        "claims": len(re.findall(r"\bmeasured\(", every)),
        "checks": sum("verify(" in text and not FOR_THE_READER.search(text) for cell, text in code if _is_folded(cell)),
        "pages": len(slides),
        "minutes": pacing.minutes(slides),
        "core-s": notebook["metadata"]["kcourse"]["core_seconds"],
    }


def _is_folded(cell: dict[str, Any]) -> bool:
    return cell["metadata"].get("jupyter", {}).get("source_hidden", False)


def page(data: dict[str, Any]) -> Iterator[str]:
    """Yield the paragraphs of the page."""
    stems = sorted(path.stem for path in (ROOT / "notebooks").glob("ch*.ipynb"))
    chapters = [stem.partition("_")[0].removeprefix("ch").lstrip("0") for stem in stems]
    counted = [of_lecture(ROOT / "notebooks" / f"{stem}.ipynb") | {"recasts": data["recasts"][stem]} for stem in stems]
    yield "# The whole in tables"
    yield "Made by `make overview`."
    yield "## Chapters"
    yield bullets(data["means"])
    rows = ([name, *(row[name] for row in counted), most] for name, most in data["at_most"].items())
    yield table(["chapter", *chapters, "at most"], rows)
    yield "## How a reader judged the chapters"
    yield data["judged"]
    scores = zip(data["criteria"], *(data["scores"][stem] for stem in stems), strict=True)
    yield table(["chapter", *chapters], scores)
    yield bullets(data["criteria"])
    yield "## Times and sizes"
    yield table(["command or file", "time or size"], data["measured"].items())
    yield "## Lines of Python"
    lines = (row for row in limits.sizes() if row[0].startswith("lines"))
    yield table(["folder", "lines", "at most"], ((name.removeprefix("lines of "), *sizes) for name, *sizes in lines))


def bullets(says: dict[str, str]) -> str:
    return "\n".join(f"- **{name}:** {text}" for name, text in says.items())


def table(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    lines = [list(head), *([f"{cell:.0f}" if isinstance(cell, float) else cell for cell in row] for row in rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


# ---------------------------------------------------------------- times


def in_a_clone() -> Iterator[tuple[str, str]]:
    """Yield each command with its time, and each product with its size, in a clone of the last commit."""
    env = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "MAKEFLAGS", "MAKELEVEL")}
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "kcourse"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        files = subprocess.run(["git", "ls-files", "-z"], cwd=clone, capture_output=True, text=True, check=True).stdout
        names = files.split("\0")[:-1]
        yield f"{len(names)} files of a clone", megabytes(sum((clone / name).stat().st_size for name in names))
        took = {}
        for command in COMMANDS:
            start = time.monotonic()
            if command == "make lab":
                until_it_answers(clone, env)
            else:
                subprocess.run(command.split(), cwd=clone, env=env, check=True)
            took[command] = time.monotonic() - start
            yield f"`{command}`", seconds(took[command])
        yield (
            "`.ci/run`, which runs `make test` and `make test-rest`",
            seconds(took["make test"] + took["make test-rest"]),
        )
        for file in sorted((clone / "dist").glob("*.zip")):
            yield file.name, megabytes(file.stat().st_size)


def until_it_answers(clone: Path, env: dict[str, str]) -> None:
    command = ["make", "lab", "LAB_ARGS=--no-browser --port 0"]
    with subprocess.Popen(command, cwd=clone, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          start_new_session=True) as lab:  # fmt: skip
        for line in lab.stdout or ():
            if re.search(r"http://\S+token=", line):
                break
        os.killpg(lab.pid, signal.SIGTERM)


def seconds(time: float) -> str:
    return f"{time:.0f} s"


def megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.overview", description="Write docs/overview.md.")
    parser.add_argument("--time", action="store_true", help="measure times and sizes in a new clone (twenty minutes)")
    options = parser.parse_args()
    text = DATA.read_text(encoding="utf-8")
    if options.time:
        lines = [f'"{name}" = "{value}"\n' for name, value in in_a_clone()]
        text = text.partition(MEASURED)[0] + MEASURED + "".join(lines)
        DATA.write_text(text, encoding="utf-8")
    PAGE.write_text("\n\n".join(page(tomllib.loads(text))) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
