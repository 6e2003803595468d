"""deploy/Dockerfile, as far as it can be tried without Docker: its files are enough, and hold no solutions."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kcourse.commands import cli, work

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """The folder as the container sees it: what Dockerfile.dockerignore lets through."""
    ignore = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in ignore if line and not line.startswith("#")]
    assert rules[0] == "*"
    names = [rule[1:] for rule in rules if rule.startswith("!")]
    left_out = [re.compile(r.replace("**/", "(.*/)?") + "(/.*)?") for r in rules[1:] if not r.startswith("!")]
    for name in names:
        for path in [ROOT / name, *(ROOT / name).rglob("*")]:
            below = path.relative_to(ROOT).as_posix()
            if path.is_file() and not any(rule.fullmatch(below) for rule in left_out):
                (tmp_path / below).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, tmp_path / below)
    return tmp_path


def test_what_is_copied_is_the_course_without_solutions(image: Path) -> None:
    assert work.find_course(image) == image
    assert not (image / "solutions").exists() and not (image / "tests").exists()
    assert not (image / "notebooks" / "src").exists() and (image / "notebooks" / "data").is_dir()
    assert not any("BEGIN SOLUTION" in path.read_text(encoding="utf-8") for path in image.rglob("*.ipynb"))


def test_it_is_what_the_set_up_asks_for(image: Path) -> None:
    """bootstrap.py finds what it reads, and pyproject.toml what it names."""
    asked = "import sys; sys.path.insert(0, 'tools'); import bootstrap; bootstrap._fingerprint('lab'); bootstrap.ROOT"
    subprocess.run([sys.executable, "-c", asked], cwd=image, check=True)
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", "made"]
    subprocess.run(command, cwd=image, check=True, capture_output=True)
    assert list((image / "made").glob("kcourse-*.whl"))


def test_its_last_command_is_one_of_ours(image: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = re.search(r"^CMD \[(.*)\]$", DOCKERFILE, re.MULTILINE)[1]
    program, verb, *options = re.findall(r'"([^"]*)"', command)
    assert program == ".venv/bin/kcourse" and verb == "lab"
    started = []
    monkeypatch.chdir(image)
    monkeypatch.setattr(cli, "to_its_end", lambda line, **_: started.append(line) or (0, False))
    assert cli.main([verb, *options]) == 0
    assert started[0][-2:] == options and f"--ServerApp.root_dir={image / work.WORK}" in started[0]


def test_binder_does_not_find_it() -> None:
    """A Dockerfile in one of these places would be taken instead of environment.yml."""
    assert not [place for place in ("", "binder", ".binder") if (ROOT / place / "Dockerfile").exists()]
