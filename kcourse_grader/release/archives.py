"""``kcourse release``: pack an archive for students and one for instructors from a clone of the course.

The students' archive has lectures without the lecturer's notes, sheets without solutions, the environment, and kcourse
as a wheel, so students need neither git nor the repository. The checks in it use tables (`answer_tables`): the wheel
contains no code of a right answer or a mistake, and no checks of chapters that are not handed out. The instructors'
archive has kcourse with the grader, lectures with notes, solutions, slides and the grading guide.
The same clone gives the same bytes on machines with the same rounding. Links to missing chapters become plain words.

The network is not used. Files that git does not know, such as private notes or marks, are left out. In the package
itself such a file stops the release, because a module that was never added would be missing from the class's wheel.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import posixpath
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

import kcourse
from kcourse.base import threads
from kcourse.base.files import locked, write_whole
from kcourse.commands.work import START, is_note
from kcourse.slides import build, drawn_for
from kcourse_grader.release import addresses

__all__ = ["release", "student_files", "student_pages"]

_ALWAYS = ("00_start_here", "errata", "glossary")  # pages that belong to no chapter
_LINK = re.compile(r"\[([^\[\]]+)\]\(([^()\s#]+\.ipynb)(?:#[^()\s]*)?\)")
_PACKED = ("pyproject.toml", "kcourse", "kcourse_grader", "notebooks", "exercises", "solutions", "docs", "requirements")
_CHAPTERS, _GRADER, _TABULATE = "kcourse/chapters/", "kcourse_grader", "kcourse_grader.release.answer_tables"
_BORN = (2020, 2, 2, 0, 0, 0)  # the date of every file in an archive, so that the bytes do not depend on the day
Files = dict[str, bytes]


def student_files(course: Path, *, public: bool = False) -> Files:
    """Return the students' files of all chapters by name: pages, environment, licences, wheel.

    The ``public`` wheel has the version of the project, without a digest, which indexes of packages do not accept.
    """
    ours = _known(course)
    return student_pages(course) | _rest(course, _wheel(course, ours, _lectures(course, [], ours), public=public))


def student_pages(course: Path) -> Files:
    """Return the lectures, the sheets without solutions and the README of all chapters, by name."""
    lectures = _lectures(course, [], _known(course))
    return _pages(course, lectures, lectures, notes=False) | {"README.md": _readme(course, "students")}


def release(
    course: Path,
    out: Path,
    chapters: Sequence[str] = (),
    say: Callable[[str], None] = print,
    *,
    handed_out: Sequence[str] = (),
    draws: int | None = None,
) -> tuple[Path, Path]:
    """Write both archives into the folder ``out``; return their paths, the students' first.

    Parameters
    ----------
    course : path
        a clone of the course.
    out : path
        output folder; it is created if necessary.
    chapters : sequence of str
        beginnings of chapter names ("ch03", "ch06b"); by default all chapters.
    say : callable
        called with a sentence for each step.
    handed_out : sequence of str
        beginnings of the names of chapters that students already have: links to them are kept, and their checks too.
    draws : int, optional
        largest number of draws of each property's inputs in the students' checks.

    Raises
    ------
    ValueError
        for a folder that is not a clone, an unknown chapter, a file of kcourse that git does not know, or a page that
        would contain a solution.
    RuntimeError
        if the wheel cannot be built.
    """
    if not (course / "pyproject.toml").is_file():
        raise ValueError(f"{course} is not a clone of the course. Run this command in the folder of a clone.")
    ours = _known(course)
    if ours is not None:
        _say_what_differs(course, say)
    lectures = _lectures(course, chapters, ours)
    there = _lectures(course, [*chapters, *handed_out] if chapters else [], ours)
    before = _lectures(course, handed_out, ours) if handed_out else []
    if twice := [stem for stem in before if stem in lectures and stem not in _ALWAYS]:
        raise ValueError(f"{', '.join(twice)} is both in --chapters and in --handed-out. Name it in only one of them.")
    say(f"Packing the lectures {', '.join(s for s in lectures if s not in _ALWAYS)}")
    _say_what_is_replaced(out / f"kcourse-{kcourse.__version__}-students.zip", there, say)
    say("Generating the tables for the students' checks (one or two minutes for all chapters)")
    students = _pages(course, lectures, there, notes=False) | _rest(course, _wheel(course, ours, there, draws))
    instructors = _pages(course, lectures, there, notes=True) | _rest(course, _wheel(course, ours))
    instructors |= _only_for_instructors(course, lectures, say)
    name = f"kcourse-{kcourse.__version__}"
    students["README.md"] = instructors["README.md"] = _readme(course, "students")
    instructors["README-instructors.md"] = _readme(course, "instructors")
    written = []
    out.mkdir(parents=True, exist_ok=True)
    # both archives belong to one release, even if another process writes into the same folder
    with locked(
        out / ".kcourse.lock", "kcourse release", lambda holder: say(f"Waiting for another kcourse ({holder})")
    ):
        for audience, files in (("students", students), ("instructors", instructors)):
            path = out / f"{name}-{audience}.zip"
            # without the version, so that the next archive is unpacked over this one
            write_whole(path, _archive(files, f"kcourse-{audience}"))
            say(f"{path}: {len(files)} files, {path.stat().st_size / 1e6:.1f} MB")
            written.append(path)
    return written[0], written[1]


def _readme(course: Path, audience: str) -> bytes:
    text = (course / "docs" / "release" / f"{audience}.md").read_text(encoding="utf-8")
    project = (course / "pyproject.toml").read_text(encoding="utf-8")
    oldest = re.search(r'requires-python = ">=([\d.]+)"', project)
    line = addresses.in_a_line(addresses.read(course), START)
    text = text.replace("{buttons}\n\n", f"Without installing anything: {line}.\n\n" if line else "")
    return text.replace("{version}", kcourse.__version__).replace("{python}", oldest[1] if oldest else "3.11").encode()


def _lectures(course: Path, chapters: Sequence[str], ours: set[str] | None) -> list[str]:
    """Return the names of the pages to hand out; notebooks without a source are private and left out."""
    sources = sorted((course / "notebooks" / "src").glob("*.py"))
    known = [path.stem for path in sources if ours is None or path.relative_to(course).as_posix() in ours]
    unknown = [c for c in chapters if not c or not any(s.startswith(c) and s not in _ALWAYS for s in known)]
    if unknown:
        there = ", ".join(stem for stem in known if stem not in _ALWAYS)
        raise ValueError(f"no chapter named {' or '.join(map(repr, unknown))}. Available: {there}")
    return [s for s in known if s in _ALWAYS or not chapters or any(s.startswith(c) for c in chapters)]


def _sheets(course: Path, lectures: Iterable[str]) -> list[str]:
    """Return the names of these lectures' sheets."""
    return [f"{stem}_sheet" for stem in lectures if (course / "solutions" / "src" / f"{stem}.py").exists()]


def _number(stem: str) -> str:
    return stem.partition("_")[0]


def _git(course: Path, *arguments: str) -> list[str]:
    """Return the names that a git command prints in the course's folder; RuntimeError if it fails."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}  # hooks set these
    command = ["git", *arguments, "-z", "--", *_PACKED]
    try:
        done = subprocess.run(command, cwd=course, capture_output=True, text=True, check=False, env=own)
    except OSError as error:
        raise RuntimeError(f"git: {error.strerror}") from None
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["git failed"])[-1])
    return done.stdout.split("\0")[:-1]


def _known(course: Path) -> set[str] | None:
    """Return the files that git knows; None outside a git repository, where every file counts as the course's.

    If git fails inside a repository, the release stops, because otherwise private files would be packed.
    """
    try:
        names = set(_git(course, "ls-files"))
    except RuntimeError as problem:
        if (course / ".git").exists():
            raise RuntimeError(f"git could not list the files of the course ({problem})") from None
        return None
    return names if "pyproject.toml" in names else None


def _say_what_differs(course: Path, say: Callable[[str], None]) -> None:
    """Say which files are left out, and which packed files have changes that are not committed."""
    others = _git(course, "ls-files", "--others", "--exclude-standard")
    if package := [name for name in others if name.startswith(("kcourse/", f"{_GRADER}/"))]:
        raise ValueError(
            f"git does not know {', '.join(package)}, so the wheel would not contain it. Run git add on files that "
            "belong to kcourse, and move other files out of that folder."
        )
    if others:
        say(f"Left out, because git does not know them: {', '.join(others)}")
    if changed := _git(course, "diff", "HEAD", "--name-only", "--relative"):
        say(f"Packed with changes that are not committed: {', '.join(changed)}")


def _say_what_is_replaced(last: Path, there: list[str], say: Callable[[str], None]) -> None:
    """Warn if the new wheel lacks the checks of a chapter that the class already has."""
    if last.is_file():
        with contextlib.suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(last) as archive:
            sheets = [Path(n).stem.removesuffix("_sheet") for n in archive.namelist() if n.endswith("_sheet.ipynb")]
            if lost := sorted({_number(sheet) for sheet in sheets if sheet not in there}):
                say(
                    f"The previous archive in {last.parent} contains {', '.join(lost)}. If the class has it, pack "
                    f"again with --handed-out {' '.join(lost)}. Otherwise unpacking removes its checks and links."
                )


def _pages(course: Path, lectures: list[str], there: list[str], *, notes: bool) -> Files:
    """Return lectures and sheets, with links only to the pages ``there``, and with or without lecturer's notes."""
    names = [*lectures, *_sheets(course, lectures)]
    known = {_page(stem) for stem in [*there, *_sheets(course, there)]}
    files, said = {}, addresses.read(course)
    for page in map(_page, names):
        content = (course / page).read_bytes()
        edited = _edited(content, lambda text, page=page: _as_handed_out(text, page, known), notes=notes)
        files[page] = addresses.public(edited, page, said)
    _betray_nothing(files)
    return files


def _page(stem: str) -> str:
    return f"{'exercises' if stem.endswith('_sheet') else 'notebooks'}/{stem}.ipynb"


def _rest(course: Path, wheel: tuple[str, bytes]) -> Files:
    """Return what the pages need: environment, licences, and kcourse."""
    name, content = wheel
    files = {name: content}
    pins = (course / "requirements" / "lab.txt").read_text(encoding="utf-8")
    files["requirements.txt"] = f"{pins.partition(chr(10))[2]}./{name}\n".encode()
    environment = (course / "environment.yml").read_text(encoding="utf-8").replace("- -e .", f"- ./{name}")
    files["environment.yml"] = environment.encode()
    for name in ("LICENSE", "LICENSE-TEXT"):
        files[name] = (course / name).read_bytes()
    return files


def _edited(content: bytes, edit: Callable[[str], str], *, notes: bool) -> bytes:
    """Return a notebook with its text cells changed by ``edit``, and with or without the lecturer's notes."""
    notebook = json.loads(content)
    cells = [cell for cell in notebook["cells"] if notes or not is_note(cell)]
    for cell in cells:
        if cell["cell_type"] == "markdown":
            cell["source"] = edit("".join(cell["source"])).splitlines(keepends=True)
    if cells == json.loads(content)["cells"]:
        return content
    return (json.dumps(notebook | {"cells": cells}, indent=1, ensure_ascii=False) + "\n").encode()


def _as_handed_out(text: str, page: str, known: set[str]) -> str:
    """Return a text with links to other than ``known`` pages as plain words."""

    def keep(match: re.Match) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), match[2]))
        return match[0] if "://" in match[2] or target in known else match[1]

    return _LINK.sub(keep, text)


def _betray_nothing(files: Files) -> None:
    """Stop the release if any page contains solutions, whatever the cause."""
    guilty = [name for name, content in files.items() if name.endswith(".ipynb") and b"BEGIN SOLUTION" in content]
    if guilty:
        raise ValueError(f"{', '.join(guilty)} contains solutions. Run make notebooks, then this command again.")


def _only_for_instructors(course: Path, lectures: list[str], say: Callable[[str], None]) -> Files:
    files = {
        f"solutions/{s}.ipynb": (course / "solutions" / f"{s}.ipynb").read_bytes() for s in _sheets(course, lectures)
    }
    for name in ("grading.md", "exams.md", "nbgrader_config.py"):
        files[f"docs/{name}"] = (course / "docs" / name).read_bytes()
    without = []
    with tempfile.TemporaryDirectory() as folder:
        for stem in lectures:
            if stem in _ALWAYS:
                continue
            notebook = course / "notebooks" / f"{stem}.ipynb"
            deck = build(notebook, Path(folder, f"{stem}.html"), drawn_for(course, stem))
            files[f"slides/{deck.name}"] = deck.read_bytes()
            printed = course / "slides" / f"{stem}.pdf"
            if printed.is_file() and printed.stat().st_mtime >= notebook.stat().st_mtime:
                files[f"slides/{printed.name}"] = printed.read_bytes()
            else:
                without.append(stem)
    if without:
        say(f"No printed slides of {', '.join(without)}. The command make release prints them if there is a browser.")
    return files


def _wheel(
    course: Path, ours: set[str] | None, tabulated: Sequence[str] | None = None, draws: int | None = None, *,
    public: bool = False,
) -> tuple[str, bytes]:  # fmt: skip
    """Build the wheel of kcourse from a copy of its files; return its name and content.

    With ``tabulated`` it is the students' edition, with the checks of only these chapters and without the grader.
    Unless it is ``public``, the version contains a digest of the content, as in 1.0.0+c12345678, because pip does not
    replace an installed package of the same version.
    """
    package = {
        path.relative_to(course).as_posix() for name in ("kcourse", _GRADER) for path in (course / name).rglob("*")
    }
    package = package & ours if ours is not None else {name for name in package if "__pycache__" not in name}
    names = sorted({"pyproject.toml", "README.md", "LICENSE", "LICENSE-TEXT", *package})
    files = {name: (course / name).read_bytes() for name in names if (course / name).is_file()}
    if tabulated is not None:
        files = _with_tables(files, tabulated, draws, course / ".build" / "answer_tables")
    digest = hashlib.sha256(b"".join(name.encode() + b"\0" + files[name] for name in sorted(files))).hexdigest()
    project, version = files["pyproject.toml"].decode(), f'\nversion = "{kcourse.__version__}"\n'
    if version not in project:
        raise RuntimeError(
            f"pyproject.toml and kcourse/__init__.py give different versions; {kcourse.__version__} is running"
        )
    if not public:
        files["pyproject.toml"] = project.replace(version, f'{version[:-2]}+c{digest[:8]}"\n', 1).encode()
    with tempfile.TemporaryDirectory() as folder:
        place = _laid_out(files, Path(folder, "course"))
        command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
        quiet = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False, env=quiet)
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode or not wheels:
            last = (done.stderr.strip().splitlines() or ["without a message"])[-1]
            raise RuntimeError(
                f"the wheel could not be built ({last}). Use make release, which installs what it needs."
            )
        return wheels[0].name, wheels[0].read_bytes()


def _laid_out(files: Files, folder: Path) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def _with_tables(files: Files, chapters: Sequence[str], draws: int | None, cache: Path) -> Files:
    """Replace the checks of all chapters with the students' checks of these chapters.

    The packed files themselves make the tables, in two or more processes at a time. The tables are kept in ``cache``
    under a digest of everything that they are made from.
    """
    checked = [stem for stem in chapters if f"{_CHAPTERS}{stem}/marks.py" in files]
    kept = {n: content for n, content in files.items() if not (_is_of_checks(n) or n.startswith(f"{_GRADER}/"))}
    with tempfile.TemporaryDirectory() as folder:
        place = _laid_out(files, Path(folder, "course"))

        def tabulate(stem: str) -> None:
            name = f"{stem}-{draws or 'all'}"
            kept_before = cache / f"{name}-{_made_from(files, stem)}.zip"
            if kept_before.is_file():
                zipfile.ZipFile(kept_before).extractall(folder)
                return
            command = [sys.executable, "-m", _TABULATE, stem, str(Path(folder, stem))]
            command += [str(draws)] if draws else []
            environment = {**os.environ, **threads.settings(), "PYTHONPATH": str(place), "PYTHONHASHSEED": "0"}
            done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False, env=environment)
            if done.returncode:
                raise RuntimeError(f"the tables for the checks of {stem} cannot be made: {done.stderr.strip()}")
            made = Path(folder, stem)
            contents = {p.relative_to(made).as_posix(): p.read_bytes() for p in sorted(made.rglob("*")) if p.is_file()}
            with contextlib.suppress(OSError):  # in a read-only course, the next release makes them again
                cache.mkdir(parents=True, exist_ok=True)
                for old in cache.glob(f"{name}-*.zip"):
                    old.unlink()
                write_whole(kept_before, _archive(contents, stem))

        with ThreadPoolExecutor(max(2, min(8, os.cpu_count() or 2))) as pool:
            list(pool.map(tabulate, checked))
        for stem in checked:
            made = Path(folder, stem)
            for path in sorted(p for p in made.rglob("*") if p.is_file()):
                kept[f"{_CHAPTERS}{stem}/{path.relative_to(made).as_posix()}"] = path.read_bytes()
    return kept


def _made_from(files: Files, stem: str) -> str:
    """Return the digest of what a chapter's tables depend on: kcourse without other chapters, and the versions."""
    others = re.compile(rf"{_CHAPTERS}ch(?!{stem.removeprefix('ch')}/)")
    program = f"{_TABULATE.replace('.', '/')}.py"
    used = {
        name: content
        for name, content in files.items()
        if (name.startswith("kcourse/") and not others.match(name)) or name == program
    }
    versions = [sys.version_info[:2], *(metadata.version(name) for name in ("numpy", "scipy"))]
    digest = hashlib.sha256(repr(versions).encode())
    for name in sorted(used):
        digest.update(name.encode() + b"\0" + used[name])
    return digest.hexdigest()[:32]


def _is_of_checks(name: str) -> bool:
    """Whether a file of the package belongs to a chapter's checks: all but its figures and its paper problems."""
    stays = name.endswith(("/__init__.py", "/figures.py", "/paper_problems.py"))
    return name.startswith(_CHAPTERS) and not stays


def _archive(files: Files, folder: str) -> bytes:
    """Return a zip whose bytes depend only on the files: sorted, with fixed dates and permissions."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(f"{folder}/{name}", _BORN)
            info.external_attr, info.create_system, info.compress_type = 0o644 << 16, 3, zipfile.ZIP_DEFLATED
            archive.writestr(info, files[name])
    return out.getvalue()
