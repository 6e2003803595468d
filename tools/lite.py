"""Build the edition that runs in a browser alone: ``python -m tools.lite`` (``make lite``) writes dist/lite.

JupyterLite is JupyterLab whose server is the browser itself; its kernel is Pyodide, Python compiled to WebAssembly.
What is built here are static files that any web server can hand out. They hold the course as students get it (no
solutions), kcourse as a wheel that each kernel has from its start, and what the sliders need. **NumPy, SciPy,
matplotlib and scikit-learn for WebAssembly are not among them**: whoever opens the edition fetches those, and Pyodide
itself, from Pyodide's public server.

JupyterLite wants an environment without other extensions of JupyterLab, which it would pack as well: .venv-lite.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from kcourse.commands.work import START
from kcourse_grader.release.archives import student_files

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "requirements" / "lite.txt"
VENV = ROOT / ".venv-lite"
OUT = ROOT / "dist" / "lite"
IN_BROWSER = "3.14"  # the Python of that Pyodide
# from Pyodide's own distribution, by its names: what kcourse imports, also where a cell does not show it
FROM_PYODIDE = ("matplotlib", "scikit-learn", "scipy", "threadpoolctl", "tqdm", "traitlets", "typing-extensions")
# not in it, and pure Python: handed out beside the course
OUR_WHEELS = ("anywidget", "ipywidgets", "psygnal", "jupyterlab-widgets")
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
# where Pyodide's worker looks for what is named relative to it: from extensions/@jupyterlite/…/static to the root
TO_ROOT = "../../../../"


class LiteError(RuntimeError):
    """The edition cannot be built; the text says why."""


def main() -> int:
    try:
        out = build()
    except (LiteError, ValueError, RuntimeError) as problem:
        print(f"lite: {problem}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    print(f"{out.relative_to(ROOT)}: {size / 1e6:.0f} MB. To try it: {sys.executable} -m http.server -d {out} 8000")
    return 0


def build(out: Path = OUT, say: Callable[[str], None] = print) -> Path:
    """Write the edition into the folder ``out``, anew; returns it."""
    set_up(say)
    files = student_files(ROOT)
    made = ROOT / ".build" / "lite"
    shutil.rmtree(made, ignore_errors=True)
    shutil.rmtree(out, ignore_errors=True)
    wheels = sorted((VENV / "wheels").glob("*.whl"))
    for name, content in files.items():
        wheel = name.endswith(".whl")
        if wheel or name.startswith(("notebooks/", "exercises/")) or name.startswith("LICENSE"):
            path = made / ("wheels" if wheel else "contents") / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            wheels += [path] if wheel else []
    (made / "jupyter-lite.json").write_text(json.dumps(settings([w.name for w in wheels]), indent=1), encoding="utf-8")
    command = [_program("jupyter"), "lite", "build", "--lite-dir", str(made), "--contents", str(made / "contents"),
               "--output-dir", str(out), "--apps", "lab"]  # fmt: skip
    command += [argument for wheel in wheels for argument in ("--piplite-wheels", str(wheel))]
    say("Building (half a minute)")
    done = subprocess.run(command, cwd=made, capture_output=True, text=True, check=False, env=_plain())
    if done.returncode:
        raise LiteError("jupyter lite build failed:\n" + "\n".join(done.stderr.splitlines()[-5:]))
    _open_the_start_page(out / "index.html")
    return out


def settings(wheels: list[str]) -> dict:
    """JupyterLite's settings: each kernel starts with these packages."""
    packages = [*FROM_PYODIDE, *(f"{TO_ROOT}pypi/{name}" for name in wheels)]
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "kcourse",
            "litePluginSettings": {KERNEL: {"loadPyodideOptions": {"packages": packages}}},
        },
    }


def _open_the_start_page(front: Path) -> None:
    """Have the root page lead to the course; what else it holds is JupyterLite's settings, which other pages read."""
    text = front.read_text(encoding="utf-8")
    if text.count("<head>") != 1:
        raise LiteError("JupyterLite's root page has changed its shape: see tools/lite.py")
    leap = f'<head>\n    <script>location.replace("lab/index.html?path={START}");</script>'
    front.write_text(text.replace("<head>", leap), encoding="utf-8")


def set_up(say: Callable[[str], None] = print) -> None:
    """Make .venv-lite and fetch the wheels, unless both are there as the pins say; this alone needs the network."""
    mark, wanted = VENV / "kcourse-lite.stamp", hashlib.sha256(PINS.read_bytes()).hexdigest()
    if mark.is_file() and mark.read_text(encoding="utf-8") == wanted:
        return
    say("Setting up .venv-lite (once; a minute or less)")
    shutil.rmtree(VENV, ignore_errors=True)
    ours = [pin for name, pin in pins(PINS).items() if name in OUR_WHEELS]
    steps = (
        [sys.executable, "-m", "venv", str(VENV)],
        [_program("python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(PINS)],
        [_program("python"), "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--platform",
         "any", "--implementation", "py", "--abi", "none", "--python-version", IN_BROWSER,
         "--dest", str(VENV / "wheels"), *ours],
    )  # fmt: skip
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False, env=_plain())
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise LiteError(f"setting up .venv-lite failed: {last}. The first time this needs the network.")
    mark.write_text(wanted, encoding="utf-8")


def pins(path: Path) -> dict[str, str]:
    """What a file of requirements pins: the name of each package, and the pin."""
    found = [line.split()[0] for line in path.read_text(encoding="utf-8").splitlines() if re.match(r"[\w.-]+==", line)]
    return {pin.partition("==")[0]: pin for pin in found}


def _program(name: str) -> str:
    return str(VENV / ("Scripts" if os.name == "nt" else "bin") / name)


def _plain() -> dict[str, str]:
    """No variable of the caller's that would lead to another environment."""
    ours = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "JUPYTER_PATH", "JUPYTER_PREFER_ENV_PATH")
    return {name: value for name, value in os.environ.items() if name not in ours} | {"JUPYTER_PREFER_ENV_PATH": "1"}


if __name__ == "__main__":
    sys.exit(main())
