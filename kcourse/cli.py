"""The command ``kcourse``: ``kcourse lab`` opens the course in JupyterLab, ``kcourse grade`` marks submissions."""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import kcourse
from kcourse import threads

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
    _grade_options(commands)
    options, rest = parser.parse_known_args(argv)
    if options.command == "lab":
        return lab(rest)
    if rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    return grade(options)


def _grade_options(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "grade",
        help="mark a folder of submissions",
        description="Mark the notebooks in a folder or a zip archive, in a sandbox. The same command again continues "
        "where it stopped.",
        epilog="Exit codes: 0 done; 1 the grader itself failed on some; 2 nothing to grade, or a wrong option; 3 no "
        "sandbox; 130 stopped by Ctrl-C.",
    )
    parser.add_argument("submissions", type=Path, help="folder (one per student, or flat), zip archive, or notebook")
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for grades.csv, grades.json, report and feedback"
    )
    parser.add_argument("--sheet", help="the sheet that all of them answer (default: each is recognised)")
    parser.add_argument("--jobs", type=int, default=1, help="how many to grade at once (default: 1)")
    parser.add_argument("--seed", type=int, help="of the hidden inputs (default: that of the last run, or a new one)")
    parser.add_argument("--dask", metavar="ADDRESS", help="grade on the workers of this Dask scheduler")
    parser.add_argument("--unsafe", action="store_true", help="go on where no sandbox holds: you trust every author")


def grade(options: argparse.Namespace) -> int:
    """Mark submissions; see ``docs/grading.md``."""
    missing = [name for name in ("jinja2", "IPython", "tqdm", "matplotlib") if importlib.util.find_spec(name) is None]
    if missing:
        print(f'kcourse grade needs {", ".join(missing)}: pip install ".[grade]" in the clone', file=sys.stderr)
        return 2
    if sys.platform == "win32":
        print("kcourse grade runs on Linux (Windows: in WSL), and on macOS with --unsafe.", file=sys.stderr)
        return 3
    from kcourse.grading import grade_folder

    return grade_folder(
        options.submissions, options.out, sheet=options.sheet, jobs=options.jobs, seed=options.seed,
        dask=options.dask, unsafe=options.unsafe,
    )  # fmt: skip


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
    env = {**os.environ, **threads.settings(), "JUPYTER_PREFER_ENV_PATH": "1"}  # the kernel of this environment
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
