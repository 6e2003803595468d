"""``kcourse release``: two archives, whole, the same every time, and nothing in the students' that is not theirs."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import types
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kcourse.checks import CHAPTERS, exercises
from kcourse.commands import cli
from kcourse_grader.release import archives
from kcourse_grader.release.answer_tables import _answers, _node_of
from tests.solutions import blocks, secrets
from tests.unit.refused import refused

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "solutions" / "src").glob("*.py"))
CHOSEN = ["ch03", "ch06"]


_TABLE = re.compile(r"kcourse/chapters/ch[^/]+/tables/")
DRAWS = 1  # of each input in the students' tables: how many there are is nothing to these tests


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return archives.release(ROOT, tmp_path_factory.mktemp("dist"), CHOSEN, say=lambda _: None, draws=DRAWS)


def wheel_of(files: dict[str, bytes]) -> dict[str, bytes]:
    (content,) = (content for name, content in files.items() if name.endswith(".whl"))
    with zipfile.ZipFile(io.BytesIO(content)) as wheel:
        return {name: wheel.read(name) for name in wheel.namelist()}


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}


def squeezed(text: str) -> str:
    """Its lines without margins and without empty ones."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def test_students_get_what_they_need_and_no_more(packed: tuple[Path, Path]) -> None:
    files = members(packed[0])
    assert {"README.md", "requirements.txt", "environment.yml", "LICENSE", "LICENSE-TEXT"} <= files.keys()
    pages = {name for name in files if name.endswith(".ipynb")}
    assert {"notebooks/ch03_ridge.ipynb", "notebooks/ch06b_svr_online.ipynb", "notebooks/00_start_here.ipynb"} <= pages
    assert {"exercises/ch06_svm_sheet.ipynb", "exercises/ch06b_svr_online_sheet.ipynb"} <= pages
    assert "notebooks/ch05_margin.ipynb" not in pages
    assert {name.rpartition("/")[0] for name in files} - {""} == {"notebooks", "exercises"}


def test_no_line_of_a_solution_is_handed_out(packed: tuple[Path, Path]) -> None:
    lines = {line for source in SOURCES for line in secrets(source)}
    assert len(lines) > 200
    for name, content in members(packed[0]).items():
        if name.startswith("exercises/"):
            plain = json.dumps(json.loads(content), ensure_ascii=False)
            betrayed = [line for line in lines if json.dumps(line, ensure_ascii=False)[1:-1] in plain]
            assert not betrayed, (name, betrayed)
        assert b"BEGIN SOLUTION" not in content


def test_no_solution_stands_in_the_wheel(packed: tuple[Path, Path]) -> None:
    """The library has the methods; but nobody finds four lines of a solution."""
    wheel = wheel_of(members(packed[0]))
    assert all(part.startswith(("kcourse/", "kcourse-")) for part in wheel)
    assert "kcourse/py.typed" in wheel  # without it type checkers look away
    parts = {p: squeezed(content.decode()) for p, content in wheel.items() if p.endswith(".py")}
    runs = [block[i : i + 4] for source in SOURCES for block in blocks(source) for i in range(len(block) - 3)]
    assert len(runs) > 50
    found = [(p, run) for run in runs for p, text in parts.items() if "\n".join(run) in text]
    assert not found


def test_no_answer_and_no_mistake_stands_in_the_wheel(packed: tuple[Path, Path]) -> None:
    """Neither the text of one, up to names and layout, nor a module that had them; and no table of another chapter."""
    wheel = wheel_of(members(packed[0]))
    chapters = {name.split("/")[2] for name in wheel if re.match(r"kcourse/chapters/ch[^/]+/(marks|tables)", name)}
    assert chapters == {"ch03_ridge", "ch06_svm", "ch06b_svr_online"}
    package = ROOT / "kcourse" / "chapters"
    stay = {"__init__.py", "figures.py", "paper_problems.py"}
    gone = {path for path in package.rglob("*.py") if path.name not in stay}
    assert len(gone) > 40
    for path in gone:
        name = path.relative_to(ROOT).as_posix()
        assert name not in wheel or b"when it was packed" in wheel[name], name
    assert not betrayed(wheel)
    assert not betrayed(members(packed[0]))
    assert b"reference=" not in wheel["kcourse/chapters/ch03_ridge/marks.py"]


@pytest.mark.weekly
def test_all_sheets_together_are_small_and_hold_no_answer() -> None:
    """As they are handed out, with all draws."""
    ours = archives._known(ROOT)
    _, content = archives._wheel(ROOT, ours, archives._lectures(ROOT, [], ours))
    with zipfile.ZipFile(io.BytesIO(content)) as wheel:
        sizes = [file.compress_size for file in wheel.infolist() if _TABLE.match(file.filename)]
        assert len(sizes) == 2 * len(exercises()) + len(CHAPTERS)
        assert sum(sizes) < 10e6
        assert not betrayed({name: wheel.read(name) for name in wheel.namelist()})
    lectures = archives._pages(
        ROOT, archives._lectures(ROOT, [], ours), archives._lectures(ROOT, [], ours), notes=False
    )
    assert not betrayed(lectures)


def betrayed(files: dict[str, bytes]) -> list[tuple[str, str]]:
    """The functions in these modules and notebooks that are a right answer, a mistake or a part of one."""
    codes = set().union(*(_answers(exercises(chapter)) for chapter in CHAPTERS))
    answers = {form: code.co_qualname for code in codes for form, size in forms(code) if size > 20}
    assert len(answers) > 300
    found = []
    for name, content in files.items():
        assert not name.endswith((".pyc", ".pkl", ".pickle", ".npy", ".npz")), name
        texts = [content.decode()] if name.endswith(".py") else []
        if name.endswith(".ipynb"):
            cells = json.loads(content)["cells"]
            texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        for text in texts:
            with contextlib.suppress(SyntaxError):  # a cell of IPython's own syntax
                found += [(name, answers[form]) for form, _ in forms(text) if form in answers]
    return found


def forms(of: str | types.CodeType) -> Iterator[tuple[str, int]]:
    """Each function and lambda, without words, annotations and names of its own, and how many nodes it has."""
    for node in ast.walk(ast.parse(of)) if isinstance(of, str) else [_node_of(of)]:
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            copy = ast.parse(ast.unparse(node)).body[0]
            for n in ast.walk(copy):
                if isinstance(n, ast.FunctionDef):
                    n.name, n.returns, n.decorator_list = "f", None, []
                    n.body = n.body[ast.get_docstring(n) is not None :]
                if isinstance(n, ast.arg):
                    n.annotation = None
            names: dict[str, str] = {}
            for n in ast.walk(copy):
                if isinstance(n, ast.Name):
                    n.id = names.setdefault(n.id, f"v{len(names)}")
                elif isinstance(n, ast.arg):
                    n.arg = names.setdefault(n.arg, f"v{len(names)}")
            copy = copy.value if isinstance(copy, ast.Expr) else copy
            yield ast.dump(copy), sum(not isinstance(n, ast.expr_context) for n in ast.walk(copy))


def test_lecturers_notes_are_for_lecturers(packed: tuple[Path, Path]) -> None:
    students, instructors = map(members, packed)
    note = b"For the lecturer ("
    page = "notebooks/ch03_ridge.ipynb"
    assert not any(note in content for name, content in students.items() if name.endswith(".ipynb"))
    assert instructors[page].count(note) > 15
    left, other = (json.loads(files[page])["cells"] for files in (students, instructors))
    notes = [cell for cell in other if "For the lecturer (" in "".join(cell["source"])]
    assert len(left) == len(other) - len(notes) and all(cell in other for cell in left)


def test_the_command_passes_on_what_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple] = []
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(archives, "release", lambda *given, **named: told.append((*given, named)))
    words = ["--chapters", "ch04", "--handed-out", "ch03", "--out", str(tmp_path)]
    assert cli.main(["release", *words]) == 0
    assert told == [(ROOT, tmp_path, ["ch04"], {"handed_out": ["ch03"]})]


@pytest.mark.parametrize("chapters", [["ch03"], []])
def test_a_chapter_is_handed_out_before_or_now(tmp_path: Path, chapters: list[str]) -> None:
    with pytest.raises(ValueError, match="^ch03_ridge is both in"):
        archives.release(ROOT, tmp_path, chapters, handed_out=["ch03"])


@pytest.mark.slow
def test_archives_of_single_chapters_unpack_over_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies there is linked, what is linked lies there, and the checks of both go on."""
    monkeypatch.setattr(archives, "_only_for_instructors", lambda *_: {})  # decks take their time
    said: list[str] = []
    for chapter, before in (("ch05", []), ("ch03", ["ch05"])):
        path, _ = archives.release(ROOT, tmp_path / "dist", [chapter], said.append, handed_out=before, draws=DRAWS)
        with zipfile.ZipFile(path) as archive:
            archive.extractall(tmp_path)
    assert not any("--handed-out" in sentence for sentence in said)
    folder = tmp_path / "kcourse-students"
    pages = {page.relative_to(folder).as_posix() for page in folder.rglob("*.ipynb")}
    assert {"notebooks/ch05_margin.ipynb", "exercises/ch03_ridge_sheet.ipynb", "notebooks/errata.ipynb"} <= pages
    for start in ("notebooks/00_start_here.ipynb", "notebooks/errata.ipynb", "notebooks/glossary.ipynb"):
        linked = set(links(start, (folder / start).read_bytes()))
        assert linked <= pages, start
        assert {"notebooks/ch05_margin.ipynb", "notebooks/ch03_ridge.ipynb"} <= linked, start
    name = (folder / "requirements.txt").read_text().splitlines()[-1].removeprefix("./")
    with zipfile.ZipFile(folder / name) as wheel:
        checked = {part.split("/")[2] for part in wheel.namelist() if part.endswith("tables/exercises.json")}
    assert checked == {"ch03_ridge", "ch05_margin"}
    archives.release(ROOT, tmp_path / "dist", ["ch04"], said.append, draws=DRAWS)
    assert any("pack again with --handed-out ch03" in sentence for sentence in said)


def links(page: str, content: bytes) -> Iterator[str]:
    """The pages of the course that a page links."""
    for cell in json.loads(content)["cells"]:
        for _, target in archives._LINK.findall("".join(cell["source"]) if cell["cell_type"] == "markdown" else ""):
            if "://" not in target:
                yield os.path.normpath(os.path.join(os.path.dirname(page), target))


def test_a_page_with_solutions_stops_the_release() -> None:
    refused("x.ipynb contains solutions", archives._betray_nothing, {"exercises/x.ipynb": b"### BEGIN SOLUTION"})


def test_instructors_get_all_of_it_and_more(packed: tuple[Path, Path]) -> None:
    students, instructors = map(members, packed)
    own = {name for name in students if students[name] != instructors.get(name)}
    assert {"requirements.txt", "environment.yml", *(n for n in students if n.endswith(".whl"))} <= own
    assert {name.partition("/")[0] for name in own if "/" in name} <= {"notebooks", "exercises"}  # less is in them
    more = instructors.keys() - students.keys()
    assert {
        "solutions/ch03_ridge_sheet.ipynb",
        "slides/ch06b_svr_online.html",
        "docs/grading.md",
        "docs/exams.md",
    } <= more
    assert b"BEGIN SOLUTION" in instructors["solutions/ch03_ridge_sheet.ipynb"]


@pytest.mark.slow
def test_the_same_clone_gives_the_same_bytes(packed: tuple[Path, Path], tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(archives, "_made_from", lambda *_: "drawn-again")  # no table is kept under this name
    again = archives.release(ROOT, tmp_path / "new" / "folder", CHOSEN, say=lambda _: None, draws=DRAWS)
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in packed]


def test_links_to_what_is_not_handed_out_are_plain_words(packed: tuple[Path, Path]) -> None:
    files = members(packed[0])
    linked = [(name, target) for name in files if name.endswith(".ipynb") for target in links(name, files[name])]
    assert len(linked) > 20
    assert not [(name, target) for name, target in linked if target not in files]
    original = (ROOT / "notebooks" / "ch03_ridge.ipynb").read_text()
    assert "ch02_kernels.ipynb" in original and b"(ch02_kernels.ipynb" not in files["notebooks/ch03_ridge.ipynb"]


def test_the_environment_names_the_wheel(packed: tuple[Path, Path]) -> None:
    files = members(packed[0])
    (wheel,) = (name for name in files if name.endswith(".whl"))
    assert files["requirements.txt"].decode().splitlines()[-1] == f"./{wheel}"
    assert f"      - ./{wheel}" in files["environment.yml"].decode() and b"-e ." not in files["environment.yml"]
    assert not re.search(rb"https?://|--index|--find", files["requirements.txt"])
    assert b"{" not in files["README.md"], "a place was not filled in"


@pytest.mark.weekly
@pytest.mark.parametrize("audience", ["students", "instructors"])
def test_the_wheel_works_without_the_repository(packed: tuple[Path, Path], audience: str, tmp_path: Path) -> None:
    """`check`, `doctor` and `grade` from the installed files alone, in a folder that knows nothing of the course."""
    for path in packed:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(tmp_path)
    (wheel,) = (tmp_path / f"kcourse-{audience}").glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        files.extractall(tmp_path / "installed")
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "in").mkdir(parents=True)
    solution = tmp_path / "kcourse-instructors" / "solutions" / "ch03_ridge_sheet.ipynb"
    shutil.copy(solution, elsewhere / "in" / "ada.ipynb")
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}

    def kcourse(*arguments: str, code: int = 0) -> str:
        command = [sys.executable, "-m", "kcourse", *arguments]
        done = subprocess.run(command, cwd=elsewhere, capture_output=True, text=True, check=False, env=env)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    place = "import kcourse; print(kcourse.__file__)"
    command = [sys.executable, "-c", place]
    asked = subprocess.run(command, cwd=elsewhere, capture_output=True, text=True, check=True, env=env)
    assert asked.stdout.startswith(str(tmp_path))
    assert "7 of 7 right" in kcourse("check", "in/ada.ipynb")
    assert "numbers are right" in kcourse("doctor")
    if sys.platform.startswith("linux"):
        said = kcourse("grade", "in", "--out", "out", code=0 if audience == "instructors" else 2)
        if audience == "students":
            assert "this is the students' edition" in said
        else:
            assert "ada" in (elsewhere / "out" / "grades.csv").read_text()


def test_what_cannot_be_packed_is_said(tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert cli.main(["release", "--chapters", "ch3", "--out", str(tmp_path)]) == 2
    assert "no chapter named 'ch3'. Available: ch01_neighbors" in capsys.readouterr().err
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "00_start_here.ipynb").touch()
    monkeypatch.chdir(tmp_path)
    assert cli.main(["release"]) == 2
    assert "is not a clone of the course" in capsys.readouterr().err


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of its own, to be made untidy."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in names.split("\0")[:-1]:
        if not name.startswith(("tests/", "benchmarks/", "tools/")):
            (tmp_path / "clone" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / "clone" / name)
    git(tmp_path / "clone", "init", "-q")
    git(tmp_path / "clone", "add", "-A")
    git(tmp_path / "clone", "commit", "-qm", "all", "--no-verify")
    return tmp_path / "clone"


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True)


def test_what_git_does_not_know_stays_at_home(clone: Path, tmp_path: Path) -> None:
    """Marks beside the lectures: nobody means to hand them out."""
    private = ["notebooks/marks_2026.csv", "notebooks/exam.ipynb", "exercises/draft.ipynb"]
    for name in private:
        (clone / name).write_text("PRIVATE")
    with (clone / "kcourse" / "ridge.py").open("a") as file:
        file.write("# fixed today\n")
    said: list[str] = []
    students, instructors = archives.release(clone, tmp_path / "out", ["ch03"], say=said.append, draws=DRAWS)
    told = "\n".join(said)
    for name in private:
        assert name in told
    assert "Left out, because git does not know them: " in told
    assert "not committed: kcourse/ridge.py\n" in told
    for path in (students, instructors):
        files = members(path)
        with zipfile.ZipFile(io.BytesIO(next(c for n, c in files.items() if n.endswith(".whl")))) as wheel:
            files |= {name: wheel.read(name) for name in wheel.namelist()}
        assert not [name for name, content in files.items() if b"PRIVATE" in content or name in private]
        assert files["kcourse/ridge.py"].endswith(b"# fixed today\n")


def test_a_module_that_was_never_added_stops_the_release(clone: Path, tmp_path: Path) -> None:
    """It runs here, and would be missing from the wheel of the whole class."""
    (clone / "kcourse" / "checks" / "mine.py").touch()
    (clone / "kcourse" / "__pycache__").mkdir()
    (clone / "kcourse" / "__pycache__" / "mine.pyc").touch()  # what git is told to ignore is nobody's module
    with pytest.raises(ValueError, match=r"git does not know kcourse/checks/mine\.py, so the wheel"):
        archives.release(clone, tmp_path / "out", ["ch03"], say=lambda _: None)
    assert not (tmp_path / "out").exists()


def test_the_wheel_of_other_content_has_another_version(clone: Path) -> None:
    """pip leaves an installed version where it is: with the same number students would keep the old checks."""
    first, _ = archives._wheel(clone, archives._known(clone))
    with (clone / "kcourse" / "ridge.py").open("a") as file:
        file.write("# fixed\n")
    second, content = archives._wheel(clone, archives._known(clone))
    assert first != second
    public, _ = archives._wheel(clone, archives._known(clone), public=True)  # indexes refuse such versions
    assert public == f"{first.partition('+')[0]}-py3-none-any.whl"
    for name in (first, second):
        assert re.fullmatch(r"kcourse-[\d.]+\+c[0-9a-f]{8}-py3-none-any\.whl", name)
    with zipfile.ZipFile(io.BytesIO(content)) as wheel:
        (metadata,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
        assert f"\nVersion: {second.split('-')[1]}\n" in wheel.read(metadata).decode()


def test_the_next_archive_falls_into_the_same_folder(packed: tuple[Path, Path]) -> None:
    for path, folder in zip(packed, ("kcourse-students", "kcourse-instructors"), strict=True):
        with zipfile.ZipFile(path) as archive:
            assert {name.partition("/")[0] for name in archive.namelist()} == {folder}
    assert b"`kcourse-students`" in members(packed[0])["README.md"]


def test_without_git_all_is_packed_and_a_silent_git_stops_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert archives._known(tmp_path) is None  # an unpacked source archive
    (tmp_path / ".git").mkdir()  # broken
    refused("git could not list the files", archives._known, tmp_path, error=RuntimeError)


def test_two_releases_into_one_folder_do_not_mix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one waits until both archives of the first are there."""
    monkeypatch.setattr(archives, "_only_for_instructors", lambda *_: {})  # decks take their time
    holds = "import sys\nfrom pathlib import Path\nfrom kcourse.base.files import locked\n"
    holds += (
        "with locked(Path(sys.argv[1]), 'kcourse release', print):\n    print('held', flush=True)\n    sys.stdin.read()"
    )
    command = [sys.executable, "-c", holds, str(tmp_path / ".kcourse.lock")]
    said: list[str] = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as other:
        assert other.stdout.readline().strip() == b"held"

        def say(sentence: str) -> None:
            said.append(sentence)
            if sentence.startswith("Waiting"):
                assert not list(tmp_path.glob("*.zip"))
                other.stdin.close()

        archives.release(ROOT, tmp_path, ["ch03"], say=say, draws=DRAWS)
    assert any(f"Waiting for another kcourse (process {other.pid}, kcourse release" in s for s in said)
    assert len(list(tmp_path.glob("*.zip"))) == 2
