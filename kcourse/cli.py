"""The command ``kcourse``: today ``kcourse lab``, which opens the course in JupyterLab."""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import kcourse

START = "notebooks/00_start_here.ipynb"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="kcourse", description="A Jupyter course on kernel methods.")
    parser.add_argument("--version", action="version", version=f"kcourse {kcourse.__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser(
        "lab",
        help="open the course in JupyterLab; further options go to JupyterLab",
        description=f"Open {START} in JupyterLab. Options after 'lab' go to JupyterLab: kcourse lab --port 8899.",
    )
    options, rest = parser.parse_known_args(argv)
    if options.command == "lab":
        return lab(rest)
    parser.error(f"unknown command {options.command}")
    return 2


def lab(arguments: Sequence[str] = (), *, start: Path | None = None) -> int:
    """Start JupyterLab in the course's folder, on its first page."""
    root = find_course(start or Path.cwd())
    if root is None:
        print(
            f"kcourse: no {START} here or in a folder above. Change into the folder of the course first.",
            file=sys.stderr,
        )
        return 2
    if importlib.util.find_spec("jupyterlab") is None:
        print('kcourse: JupyterLab is not installed: pip install "kcourse[lab]"', file=sys.stderr)
        return 2
    command = [sys.executable, "-m", "jupyterlab", *lab_options(root), *arguments]
    env = {**os.environ, "JUPYTER_PREFER_ENV_PATH": "1"}  # this environment's kernel, whatever the user has installed
    try:
        return subprocess.run(command, cwd=root, env=env, check=False).returncode
    except KeyboardInterrupt:  # Ctrl-C is how one leaves JupyterLab
        return 0


def lab_options(root: Path) -> list[str]:
    """JupyterLab's options for the course."""
    settings = Path(kcourse.__file__).parent / "lab" / "settings"
    options = [
        f"--ServerApp.root_dir={root}",
        f"--LabApp.default_url=/lab/tree/{START}",
        f"--LabApp.app_settings_dir={settings}",  # overrides.json there: no news pop-up, no look-up on the network
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")  # a container's only user; JupyterLab listens on this machine only
    return options


def find_course(folder: Path) -> Path | None:
    """The nearest folder, from ``folder`` upwards, that holds the course."""
    return next((p for p in (folder, *folder.parents) if (p / START).is_file()), None)
