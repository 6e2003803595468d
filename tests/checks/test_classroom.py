"""`deploy/classroom`: what a runner does with it, as far as it can be tried here; the network is the set-up's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

import pytest
import yaml

from kcourse.checks import exercise
from kcourse.commands.cli import main
from kcourse.sheets.self_check import as_summary
from tests.grader.notebooks import BLANK, ROOT, SHEET, as_bytes

HERE = f"my_work/exercises/{SHEET}_sheet.ipynb"
FORGOT = "def krr_fit(K, y, lam):\n    return np.linalg.solve(K, y)\n"
[FORGOTTEN] = [mistake.hint for mistake in exercise("krr_fit").misconceptions if mistake.name == "no lambda"]
GITHUB = yaml.safe_load((ROOT / "deploy/classroom/github.yml").read_text(encoding="utf-8"))
GITLAB = yaml.safe_load((ROOT / "deploy/classroom/gitlab-ci.yml").read_text(encoding="utf-8"))
INSTALL = re.search(r"^\.venv/bin/(pip install .+)$", (ROOT / "docs/release/students.md").read_text("utf-8"), re.M)[1]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="these runners have a shell of Unix")


@pytest.fixture
def checkout(tmp_path):
    """A student's repository, as a runner has checked it out, with the command on the path; runs a script there."""
    course = tmp_path / "ada"
    for name in (f"exercises/{SHEET}_sheet.ipynb", "notebooks/00_start_here.ipynb", "notebooks/ch05_margin.ipynb"):
        for place in (course / name, course / "my_work" / name):
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place)
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    (bin_ / "kcourse").write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m kcourse "$@"\n')
    (bin_ / "kcourse").chmod(0o755)

    def run(script, shell, **env):
        (tmp_path / "script.sh").write_text(script)
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{bin_}:{os.environ['PATH']}", "CI": "true", **env}
        command = [*shell, str(tmp_path / "script.sh")]
        return subprocess.run(command, cwd=course, env=env, capture_output=True, text=True, check=False)

    def github():
        [step] = [step for step in GITHUB["jobs"]["check"]["steps"] if step.get("name") == "Check"]
        summary = tmp_path / "step_summary"
        summary.touch()  # as the runner does, for each step
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail"]  # `bash {0}` of a step, as GitHub runs it
        env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary), "GITHUB_WORKSPACE": str(course)}
        return run(step["run"], shell, **env), summary.read_text(encoding="utf-8")

    def gitlab():
        job = GITLAB["check"]
        env = {"GITLAB_CI": "true", "CI_PROJECT_DIR": str(course), "CI_JOB_NAME": "check"}
        done = run("\n".join(job["script"]), ["sh", "-e"], **env)
        [path] = job["artifacts"]["paths"]
        return done, (course / path).read_text(encoding="utf-8")

    run.course, run.runners = course, {"github": github, "gitlab": gitlab}
    return run


@pytest.mark.parametrize("runner", ["github", pytest.param("gitlab", marks=pytest.mark.slow)])
def test_a_push_has_its_verdicts_in_the_summary(checkout, runner):
    done, summary = checkout.runners[runner]()
    assert (done.returncode, summary) == (0, "Nothing is answered yet.\n"), done.stderr
    cells = [*(BLANK | {"krr_fit": FORGOT}).values()]
    (checkout.course / HERE).write_bytes(as_bytes(cells))
    done, summary = checkout.runners[runner]()
    assert done.returncode == 1, done.stderr  # the job is red until all is right
    assert summary.count("## ") == 1 and f"## {HERE}\n\n0 of " in summary and FORGOTTEN in summary
    assert "krr_fit: not yet right" in summary and FORGOTTEN in done.stdout and "```text\n" in summary


def test_the_set_up_is_what_students_are_told():
    [step] = [step for step in GITHUB["jobs"]["check"]["steps"] if step.get("name") == "Set up"]
    assert step["run"] == INSTALL and GITLAB["check"]["before_script"] == [INSTALL]
    assert GITLAB["check"]["artifacts"]["when"] == "always"  # a red job, above all, has verdicts
    assert GITHUB["permissions"] == {"contents": "read"}


def test_nothing_ends_the_block_of_a_verdict():
    text = as_summary("a*b.ipynb", "ValueError: ```` <b>\n1 of 2 right, 3 of 9 points.\n")
    assert text == (
        "## a\\*b.ipynb\n\n1 of 2 right, 3 of 9 points.\n\n"
        "`````text\nValueError: ```` <b>\n1 of 2 right, 3 of 9 points.\n`````\n\n"
    )
    assert len(as_summary("x", "y" * 10**6)) < 70_000


def test_a_folder_without_notebooks_is_no_success(tmp_path, capsys):
    notebooks = str(ROOT / "exercises")
    for arguments, says in (
        ([str(tmp_path)], "has no notebooks"), ([notebooks, "krr_fit"], "names of exercises need a file"),
        ([notebooks, "--summary", "gone/verdicts.md"], "--summary gone/verdicts.md: No such file or directory\n"),
    ):  # fmt: skip
        assert main(["check", *arguments]) == 2 and says in capsys.readouterr().err
