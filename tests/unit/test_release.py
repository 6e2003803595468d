"""``kcourse release``: two archives, whole, the same every time, and nothing in the students' that is not theirs."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from kcourse import cli, release

ROOT = Path(__file__).resolve().parents[2]
CHOSEN = ["ch03", "ch06"]


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return release.release(ROOT, tmp_path_factory.mktemp("dist"), CHOSEN, say=lambda _: None)


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}


def squeezed(text: str) -> str:
    """Its lines without margins and without empty ones."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def blocks() -> list[list[str]]:
    """What stands between the markers of all solutions, line by line."""
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "solutions" / "src").glob("*.py")]
    found = [b for text in sources for b in re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", text, re.DOTALL)]
    return [squeezed(block).splitlines() for block in found]


def secrets() -> set[str]:
    """The lines that are not too general to betray anything."""
    return {line for block in blocks() for line in block if len(line) > 15}


def test_students_get_what_they_need_and_no_more(archives: tuple[Path, Path]) -> None:
    files = members(archives[0])
    assert {"README.md", "requirements.txt", "environment.yml", "LICENSE", "LICENSE-TEXT"} <= files.keys()
    pages = {name for name in files if name.endswith(".ipynb")}
    assert {"notebooks/ch03_ridge.ipynb", "notebooks/ch06b_svr_online.ipynb", "notebooks/00_start_here.ipynb"} <= pages
    assert "exercises/ch06_svm_sheet.ipynb" in pages and "notebooks/ch05_margin.ipynb" not in pages
    assert "notebooks/data/ch03_cost.csv" in files and "notebooks/data/ch05_cost.csv" not in files
    allowed = {"notebooks", "exercises", "notebooks/data"}
    assert {name.rpartition("/")[0] for name in files} - {""} == allowed


def test_no_line_of_a_solution_is_handed_out(archives: tuple[Path, Path]) -> None:
    lines = secrets()
    assert len(lines) > 200
    for name, content in members(archives[0]).items():
        if name.startswith("exercises/"):
            plain = json.dumps(json.loads(content), ensure_ascii=False)
            betrayed = [line for line in lines if json.dumps(line, ensure_ascii=False)[1:-1] in plain]
            assert not betrayed, (name, betrayed)
        assert b"BEGIN SOLUTION" not in content


def test_no_solution_stands_in_the_wheel(archives: tuple[Path, Path]) -> None:
    """The library has the methods, and the checks know what is right; but nobody finds four lines of a solution."""
    (content,) = (content for name, content in members(archives[0]).items() if name.endswith(".whl"))
    with zipfile.ZipFile(io.BytesIO(content)) as wheel:
        assert all(part.startswith(("kcourse/", "kcourse-")) for part in wheel.namelist())
        parts = {p: squeezed(wheel.read(p).decode()) for p in wheel.namelist() if p.endswith(".py")}
    runs = [block[i : i + 4] for block in blocks() for i in range(len(block) - 3)]
    assert len(runs) > 50
    found = [(p, run) for run in runs for p, text in parts.items() if "\n".join(run) in text]
    assert not found


def test_a_page_with_solutions_stops_the_release() -> None:
    with pytest.raises(ValueError, match="x.ipynb holds solutions"):
        release._betray_nothing({"exercises/x.ipynb": b"### BEGIN SOLUTION"})


def test_instructors_get_all_of_it_and_more(archives: tuple[Path, Path]) -> None:
    students, instructors = map(members, archives)
    assert students.items() <= instructors.items()
    more = instructors.keys() - students.keys()
    assert {"solutions/ch03_ridge_sheet.ipynb", "slides/ch06b_svr_online.html", "docs/grading.md"} <= more
    assert b"BEGIN SOLUTION" in instructors["solutions/ch03_ridge_sheet.ipynb"]


def test_the_same_clone_gives_the_same_bytes(archives: tuple[Path, Path], tmp_path: Path) -> None:
    again = release.release(ROOT, tmp_path / "new" / "folder", CHOSEN, say=lambda _: None)
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in archives]


def test_links_to_what_is_not_handed_out_are_plain_words(archives: tuple[Path, Path]) -> None:
    files = members(archives[0])
    seen = 0
    for name, content in files.items():
        if not name.endswith(".ipynb"):
            continue
        for cell in json.loads(content)["cells"]:
            for _, target in release._LINK.findall("".join(cell["source"]) if cell["cell_type"] == "markdown" else ""):
                if "://" not in target:
                    seen += 1
                    assert os.path.normpath(os.path.join(os.path.dirname(name), target)) in files, (name, target)
    assert seen > 20
    original = (ROOT / "notebooks" / "ch03_ridge.ipynb").read_text()
    assert "ch02_kernels.ipynb" in original and b"(ch02_kernels.ipynb" not in files["notebooks/ch03_ridge.ipynb"]


def test_the_environment_names_the_wheel(archives: tuple[Path, Path]) -> None:
    files = members(archives[0])
    (wheel,) = (name for name in files if name.endswith(".whl"))
    assert files["requirements.txt"].decode().splitlines()[-1] == f"./{wheel}"
    assert f"      - ./{wheel}" in files["environment.yml"].decode() and b"-e ." not in files["environment.yml"]
    assert not re.search(rb"https?://|--index|--find", files["requirements.txt"])
    assert b"{" not in files["README.md"], "a place was not filled in"


def test_the_wheel_works_without_the_repository(archives: tuple[Path, Path], tmp_path: Path) -> None:
    """`check`, `doctor` and `grade` from the installed files alone, in a folder that knows nothing of the course."""
    with zipfile.ZipFile(archives[1]) as archive:
        archive.extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        files.extractall(tmp_path / "installed")
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "in").mkdir(parents=True)
    shutil.copy(folder / "solutions" / "ch03_ridge_sheet.ipynb", elsewhere / "in" / "ada.ipynb")

    def kcourse(*arguments: str) -> str:
        command = [sys.executable, "-m", "kcourse", *arguments]
        env = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
        done = subprocess.run(command, cwd=elsewhere, capture_output=True, text=True, check=False, env=env)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    place = "import kcourse; print(kcourse.__file__)"
    asked = subprocess.run([sys.executable, "-c", place], cwd=elsewhere, capture_output=True, text=True, check=True,
                           env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")})  # fmt: skip
    assert asked.stdout.startswith(str(tmp_path))
    assert "7 of 7 right" in kcourse("check", "in/ada.ipynb")
    assert "numbers are right" in kcourse("doctor")
    if sys.platform.startswith("linux"):
        kcourse("grade", "in", "--out", "out")
        assert "ada" in (elsewhere / "out" / "grades.csv").read_text()


def test_what_cannot_be_packed_is_said(tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert cli.main(["release", "--chapters", "ch3", "--out", str(tmp_path)]) == 2
    assert "there is no chapter 'ch3'; there are ch01_neighbors" in capsys.readouterr().err
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "00_start_here.ipynb").touch()
    monkeypatch.chdir(tmp_path)
    assert cli.main(["release"]) == 2
    assert "is no clone of the course" in capsys.readouterr().err
