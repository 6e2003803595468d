"""``kcourse check FILE``: a sheet in the terminal is told what its checks would tell it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kcourse.checks import exercises

ROOT = Path(__file__).resolve().parents[2]
STEM = "ch03_ridge"
FORGOT = "import numpy as np\n\ndef krr_fit(K, y, lam):\n    return np.linalg.solve(K, y)\n"
RIGHT = FORGOT.replace("solve(K,", "solve(K + lam * np.eye(len(K)),")


def check(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "kcourse", "check", *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, env=env)


def notebook(path: Path, *sources: str) -> Path:
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": s} for s in sources]
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return path


def test_a_solved_sheet_is_right() -> None:
    done = check(ROOT / "solutions" / f"{STEM}_sheet.ipynb")
    total = sum(spec.points for spec in exercises(STEM))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(f"7 of 7 right, {total:g} of {total:g} points.\n") and not done.stderr


def test_a_blank_sheet_is_told_what_is_missing() -> None:
    done = check(ROOT / "exercises" / f"{STEM}_sheet.ipynb")
    names = ", ".join(spec.name for spec in exercises(STEM))
    assert done.returncode == 1 and f"Not attempted yet: {names}." in done.stdout


def test_a_slip_is_called_by_its_name(tmp_path: Path) -> None:
    done = check(notebook(tmp_path / "mine.ipynb", FORGOT, "check(krr_fit)"), "--seed", 3)
    assert done.returncode == 1
    assert "✗ krr_fit: not yet right — 0 of 4 points" in done.stdout and "λ is missing" in done.stdout
    assert "check" not in done.stderr


def test_a_python_file_is_a_sheet_too(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(f"# %% my answers\n{RIGHT}\nprint('noise')\n")
    done = check("mine.py", "krr_fit", cwd=tmp_path)
    assert done.returncode == 0 and "1 of 1 right, 4 of 4 points." in done.stdout and "noise" not in done.stdout


def test_cells_that_fail_are_told_and_the_rest_is_marked(tmp_path: Path) -> None:
    done = check(notebook(tmp_path / "mine.ipynb", "data = open('nowhere.csv')", RIGHT), "krr_fit")
    assert done.returncode == 0
    assert "FileNotFoundError in cell 1 of the file, line 1: " in done.stdout and "nowhere.csv" in done.stdout


def test_cells_run_where_the_file_lies(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("from numpy.linalg import solve")
    (tmp_path / "data.txt").write_text("4")
    cells = ("import helper\nopen('data.txt').close()", RIGHT.replace("np.linalg.solve", "helper.solve"))
    done = check(notebook(tmp_path / "mine.ipynb", *cells), "krr_fit", cwd=ROOT)
    assert done.returncode == 0 and "Error" not in done.stdout, done.stdout + done.stderr


def test_what_the_grader_reads_is_read(tmp_path: Path) -> None:
    cells = ("%matplotlib inline\nfrom kcourse.lab import show, use_style\nuse_style()", RIGHT, RIGHT)
    done = check(notebook(tmp_path / "mine.ipynb", *cells), "krr_fit")
    assert done.returncode == 0 and "Error" not in done.stdout
    assert "krr_fit is defined more than once: the last one counts." in done.stdout


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "the file is empty"),
        ("no notebook", "not a notebook"),
        (json.dumps({"cells": [{"cell_type": "code", "source": "x = 1"}]}), "defines no function of any sheet"),
    ],
)
def test_what_is_no_sheet_is_refused_in_a_sentence(tmp_path: Path, content: str, sentence: str) -> None:
    (tmp_path / "mine.ipynb").write_text(content)
    done = check(tmp_path / "mine.ipynb")
    assert done.returncode == 2 and sentence in done.stderr and "Traceback" not in done.stderr


def test_unknown_names_and_bad_options_are_refused(tmp_path: Path) -> None:
    mine = notebook(tmp_path / "mine.ipynb", RIGHT)
    done = check(mine, "krr_fitt")
    assert done.returncode == 2 and "has no exercise krr_fitt; the sheet's are krr_fit," in done.stderr
    assert check(mine, "--seed", "-1").returncode == 2
    assert "No such file" in check(tmp_path / "nowhere.ipynb").stderr
    (tmp_path / "latin.py").write_bytes("# é\n".encode("latin-1") + RIGHT.encode())
    assert "UTF-8" in check(tmp_path / "latin.py").stderr
