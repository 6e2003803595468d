"""Build the edition that runs in a browser without a server: ``python -m tools.lite`` (``make lite``) writes dist/lite.

JupyterLite is JupyterLab without a server program. Its kernel is Pyodide, which is Python compiled to WebAssembly. This
program makes static files for any web server: the course as students get it (no solutions), kcourse as a wheel that
each kernel loads, and what the sliders need. They do **not** contain NumPy, SciPy, matplotlib and scikit-learn for
WebAssembly: a reader's browser loads these and Pyodide itself from Pyodide's public server.

JupyterLite would also pack other extensions of JupyterLab, so it has its own environment, .venv-lite.
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
IN_BROWSER = "3.14"  # the Python version of that Pyodide
# names in Pyodide's own distribution: what kcourse imports, also where no cell shows it
FROM_PYODIDE = ("matplotlib", "scikit-learn", "scipy", "threadpoolctl", "tqdm", "traitlets", "typing-extensions")
# pure Python packages that Pyodide does not have: they are added to the edition
OUR_WHEELS = ("anywidget", "ipywidgets", "psygnal", "jupyterlab-widgets")
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
# Pyodide's worker resolves relative names from extensions/@jupyterlite/…/static; this leads to the root
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
    """Write the edition into the folder ``out``, replacing an old one; return the folder."""
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
    """Return JupyterLite's settings, by which each kernel starts with these packages."""
    packages = [*FROM_PYODIDE, *(f"{TO_ROOT}pypi/{name}" for name in wheels)]
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "kcourse",
            "litePluginSettings": {KERNEL: {"loadPyodideOptions": {"packages": packages}}},
        },
    }


def _open_the_start_page(front: Path) -> None:
    """Let the root page lead to the course; its other content, JupyterLite's settings, is read by other pages."""
    text = front.read_text(encoding="utf-8")
    if text.count("<head>") != 1:
        raise LiteError("JupyterLite's root page has a new form. Adapt tools/lite.py.")
    leap = f'<head>\n    <script>location.replace("lab/index.html?path={START}");</script>'
    front.write_text(text.replace("<head>", leap), encoding="utf-8")


def set_up(say: Callable[[str], None] = print) -> None:
    """Make .venv-lite and download the wheels, unless both match the pins; only this step needs the network."""
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
            last = (done.stderr.strip().splitlines() or ["without a message"])[-1]
            raise LiteError(f"setting up .venv-lite failed: {last}. The first time, this needs the network.")
    mark.write_text(wanted, encoding="utf-8")


def pins(path: Path) -> dict[str, str]:
    """Return name → pin for the packages in a requirements file."""
    found = [line.split()[0] for line in path.read_text(encoding="utf-8").splitlines() if re.match(r"[\w.-]+==", line)]
    return {pin.partition("==")[0]: pin for pin in found}


def _program(name: str) -> str:
    return str(VENV / ("Scripts" if os.name == "nt" else "bin") / name)


def _plain() -> dict[str, str]:
    """Return the caller's variables without those that would lead to another environment."""
    ours = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "JUPYTER_PATH", "JUPYTER_PREFER_ENV_PATH")
    return {name: value for name, value in os.environ.items() if name not in ours} | {"JUPYTER_PREFER_ENV_PATH": "1"}


if __name__ == "__main__":
    sys.exit(main())
