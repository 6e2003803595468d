"""``kcourse doctor``: what is wrong with an installation, in plain words, and what fixes it.

The standard library alone is imported here: NumPy may be what is broken. Whatever could crash or wait for ever is tried
in a process of its own. Nothing is changed.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import kcourse
from kcourse.base.files import can_write, holder, home_instead
from kcourse.base.threads import VARIABLES
from kcourse.commands.work import FOLDERS, WORK, find_course, grader_is_installed

__all__ = ["Finding", "examine", "report"]

OLDEST = (3, 11)
ROOM = 200e6  # bytes; an installation has a gigabyte, somebody's work a few megabytes
PATIENCE = 120  # seconds: a first start reads from a slow disk what later ones have in memory
GOOD, NOTE, BAD = "✓", "–", "✗"
BETTER_SANDBOX = "from kcourse_grader.sandbox.sandbox import available_tier as t; raise SystemExit(t() - 1)"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: ``mark`` is ✓ (well), – (good to know) or ✗ (fix this), ``fix`` how."""

    mark: str
    says: str
    fix: str = ""


def report(folder: Path | None = None) -> int:
    """Print what was found; returns 0 if nothing has to be fixed, 1 otherwise."""
    print(f"kcourse {kcourse.__version__} on {platform.system()}, Python {platform.python_version()} in {sys.prefix}")
    faults = 0
    for finding in examine(folder or Path.cwd()):
        print(f"{finding.mark} {finding.says}" + (f"\n    → {finding.fix}" if finding.fix else ""), flush=True)
        faults += finding.mark == BAD
    if faults:
        print(f"\n{'One thing has' if faults == 1 else f'{faults} things have'} to be fixed (✗), the first one first.")
    else:
        print("\nEverything that the course needs works here.")
    return 1 if faults else 0


def examine(folder: Path, environment: Mapping[str, str] = os.environ) -> Iterator[Finding]:
    """Look at everything, as somebody who stands in ``folder``; gives findings as they come."""
    course = find_course(folder)
    yield from python_itself(sys.version_info[:2])
    if course and (who := holder(course / ".venv.lock")):
        says = f".venv is being set up just now ({who})"
        yield Finding(BAD, says, "wait until that has ended, then ask again")
        return  # half an environment: all that follows would be wrong in a minute
    yield from which_course(course, Path(kcourse.__file__).parent)
    lab = course is not None or installed("jupyterlab") is not None  # else somebody wants the library alone
    again = set_up_again(course)
    missing = list(packages({"", "lab"} if lab else {""}, again))
    yield from missing or [Finding(GOOD, f"what {'the chapters need' if lab else 'the library needs'} is installed")]
    yield from shadows(folder, course)
    yield from variables(environment)
    if any(finding.mark == BAD for finding in missing):
        return  # all that follows would only say it again
    yield from computes(again)
    if lab:
        yield from kernel(again)
        yield from sliders(Path(sys.prefix), again)
    if course:
        yield from course_folder(course, shutil.disk_usage(course).free)
    yield from for_lecturers(course)


def python_itself(version: tuple[int, ...]) -> Iterator[Finding]:
    said = ".".join(map(str, version))
    if version < OLDEST:
        wanted = ".".join(map(str, OLDEST))
        yield Finding(BAD, f"Python {said} is too old: {wanted} or newer is needed", "install a newer one, begin anew")


def set_up_again(course: Path | None) -> str:
    """How whoever stands there sets the environment up again: a clone makes one, an unpacked archive has pins."""
    if course is None:
        return f'{_python()} -m pip install "kcourse[lab]"'
    if not (course / "tools" / "bootstrap.py").is_file():
        return f"in the course's folder: {_python()} -m pip install -r requirements.txt"
    if (course / ".venv").resolve() != Path(sys.prefix).resolve() and not _elsewhere(course):
        return f'in the course\'s folder: {_python()} -m pip install -e ".[lab]"'  # somebody's own environment
    # what make lab has once set up it takes for whole
    return f"in the course's folder: delete the folder .venv (it holds nothing of yours), then: {MAKE_LAB}"


MAKE_LAB = r"py -3 tools\bootstrap.py lab" if os.name == "nt" else "make lab"


def _elsewhere(course: Path) -> bool:
    """Whether the kcourse that runs belongs to another folder: then what has to be fixed is this one's .venv."""
    return Path(kcourse.__file__).resolve().parents[1] != course.resolve()


def _python() -> str:
    """This Python, for a line that is copied into a terminal."""
    return f'"{sys.executable}"' if " " in sys.executable else sys.executable


def which_course(course: Path | None, package: Path) -> Iterator[Finding]:
    """Whether the kcourse that runs is the one of the folder, and its environment whole."""
    if course is None:
        says = "this folder is not in the course: sheets can be checked, chapters open in the course's folder alone"
        yield Finding(NOTE, says)
        return
    environment, again = course / ".venv", f"in the course's folder: {MAKE_LAB}"
    if (course / "pyproject.toml").is_file() and package.parent.resolve() != course.resolve():
        says = f"the course is in {course}, but the kcourse that runs is in {package}"
        yield Finding(BAD, says, f"{again} (or pip install -e {course}, if you keep an environment of your own)")
    if (environment / "kcourse-unfinished").exists():
        yield Finding(BAD, "the set-up of .venv was interrupted", again)
    elif (place := _text(environment / "kcourse-place")) not in ("", str(course)):
        yield Finding(BAD, f".venv was made in {place}; an environment cannot be moved or copied", again)
    elif (given := _given(course)) and (has := installed("kcourse")) not in (given, None):
        says = f"this folder has kcourse {given}, installed is {has}: an archive was unpacked over another"
        yield Finding(BAD, says, set_up_again(course))
    else:
        yield Finding(GOOD, f"the course is in {course}")


def _given(course: Path) -> str:
    """The version of the wheel in a student's folder, "" in a clone."""
    wheel = re.search(r"^\./kcourse-([^-]+)-\S+\.whl\s*$", _text(course / "requirements.txt"), re.MULTILINE)
    return wheel[1] if wheel else ""


def packages(extras: set[str], again: str) -> Iterator[Finding]:
    """What is missing or too old of what kcourse asks for, in one sentence for each."""
    try:
        asked = metadata.requires("kcourse") or ()
    except metadata.PackageNotFoundError:
        says = f"kcourse is not installed in {sys.prefix}: it is only found because of the folder you are in"
        yield Finding(BAD, says, again)
        return
    for line in asked:
        needed = re.fullmatch(r"([\w.-]+)>=([\d.]+)\S*(?:\s*;\s*extra\s*==\s*['\"](\w+)['\"])?", line)
        if needed is None or (needed[3] or "") not in extras:
            continue
        name, oldest, has = needed[1], needed[2], installed(needed[1])
        if has is None:
            yield Finding(BAD, f"{name} is not installed", again)
        elif _numbers(has) < _numbers(oldest):
            yield Finding(BAD, f"{name} {has} is too old: {oldest} or newer is needed", again)


def installed(name: str) -> str | None:
    """The version of a package, None if it is not there."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def shadows(folder: Path, course: Path | None) -> Iterator[Finding]:
    """Files that Python would import instead of a library, because they lie where a notebook runs."""
    known = {*sys.stdlib_module_names, "kcourse", "numpy", "scipy", "matplotlib", "sklearn", "IPython", "ipywidgets"}
    places = {folder.resolve()} | {course / top / below for top in ("", WORK) for below in FOLDERS if course}
    for place in sorted(places):
        for path in sorted(place.iterdir()) if place.is_dir() else ():
            module, package = path.suffix == ".py" and path.is_file(), (path / "__init__.py").is_file()
            name = path.stem if module else path.name if package else ""
            if name in known and path.resolve() != Path(kcourse.__file__).parent:
                says = f"{path} is imported instead of the library {name}"
                yield Finding(BAD, says, "give the file another name, then restart the kernel")


def variables(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Variables that change what Python imports, or how fast it is."""
    for name in ("PYTHONPATH", "PYTHONHOME"):
        if environment.get(name, "").strip():
            says = f"{name} is set ({environment[name]}): libraries from there come before the course's own"
            yield Finding(NOTE, says, f"if something is of a wrong version: unset {name}")
    backend = environment.get("MPLBACKEND", "")
    if backend and not backend.startswith("module://") and backend.lower() not in ("agg", "inline"):
        yield Finding(NOTE, f"MPLBACKEND is {backend}: figures may open in windows of their own", "unset MPLBACKEND")
    cores = os.cpu_count() or 1
    for name in VARIABLES:
        value = environment.get(name, "")
        if value.isdigit() and int(value) > cores:
            says = f"{name} is {value} on {cores} processors: chapters run slower for it"
            yield Finding(NOTE, says, f"unset {name}: the course then chooses one thread, which suits small matrices")


_COMPUTE = """
import numpy as np
from kcourse import Gaussian, KernelRidge
X = np.linspace(0, 3, 40)[:, None]
y = np.sin(X[:, 0])
model = KernelRidge(Gaussian(0.7), lam=0.01).fit(X, y)
K = np.exp(-(X - X.T) ** 2 / (2 * 0.7**2))
assert np.allclose((K + 0.01 * np.eye(40)) @ model.dual_coef_, y), "a linear system was solved wrongly"
"""


def computes(again: str) -> Iterator[Finding]:
    # -P: what lies beside has been named already
    done = _try([sys.executable, "-P", "-c", _COMPUTE])
    if done is None:
        yield Finding(GOOD, "a kernel machine learns, and the numbers are right")
    else:
        fix = f"{_whole(again)}; if that does not help, report the line above, please"
        yield Finding(BAD, f"the library does not compute: {done}", fix)


_KERNEL = """
import sys
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="python3", startup_timeout=60)
try:
    code = "import sys, kcourse.lab, kcourse.checks; print(sys.prefix)"
    said = []
    reply = client.execute_interactive(code, timeout=60, output_hook=said.append, allow_stdin=False)
    if reply["content"]["status"] != "ok":
        raise SystemExit(f"{reply['content']['ename']}: {reply['content']['evalue']}")
    prefix = "".join(m["content"]["text"] for m in said if m["msg_type"] == "stream").strip()
    if prefix != sys.prefix:
        raise SystemExit(f"the kernel “Python 3” runs in {prefix}")
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
"""


def kernel(again: str) -> Iterator[Finding]:
    """Whether a notebook's kernel starts, is this environment's, and finds the course."""
    chosen = {"JUPYTER_PREFER_ENV_PATH": "1", **home_instead(Path(sys.prefix))}  # as `kcourse lab` starts it
    done = _try([sys.executable, "-P", "-c", _KERNEL], {**os.environ, **chosen})
    if done is None:
        yield Finding(GOOD, "a notebook's kernel starts and finds the course")
        return
    inside = done.startswith(("ImportError", "ModuleNotFoundError"))  # it starts, and what it imports is broken
    fix = _whole(again) if inside else f"{_python()} -m ipykernel install --sys-prefix"
    yield Finding(BAD, f"a notebook's kernel does not work: {done}", fix)


def _whole(again: str) -> str:
    """The same for packages that are there and broken: pip leaves those as they are unless it is told."""
    return again.replace("pip install ", "pip install --force-reinstall ")


def sliders(prefix: Path, again: str) -> Iterator[Finding]:
    if (prefix / "share" / "jupyter" / "labextensions" / "anywidget").is_dir():
        yield Finding(GOOD, "JupyterLab has what the sliders need")
    else:
        yield Finding(BAD, "JupyterLab lacks the extension of anywidget: sliders will not move", _whole(again))


def course_folder(course: Path, free: float) -> Iterator[Finding]:
    """Whether one can work here: room, rights, and copies that can be read."""
    if not can_write(course):
        says = f"{course} cannot be written: there is no place for your copies"
        yield Finding(
            BAD, says, "copy the course to where you may write and set it up there, or read it: kcourse lab --originals"
        )
    if free < ROOM:
        yield Finding(BAD, f"the disk has {free / 1e6:.0f} MB left", "make room: what you write could not be saved")
    for path in sorted((course / WORK).rglob("*.ipynb")):
        if not any(part.startswith(".") for part in path.relative_to(course).parts) and (why := _damage(path)):
            says = f"{path.relative_to(course)} cannot be opened: {why}"
            to = f" to {path.stem}.txt, since what it holds is text," if path.is_file() else ""
            fix = f"rename it{to} and open the course again for a fresh one"
            yield Finding(BAD, says, fix)


def _damage(path: Path) -> str:
    if path.exists() and not path.is_file():
        return "it is a folder" if path.is_dir() else "it is no ordinary file"
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        return error.strerror or str(error)
    except (ValueError, RecursionError):
        return "it is no valid JSON, after a merge or a full disk perhaps"
    return "" if isinstance(content, dict) and isinstance(content.get("cells"), list) else "it is no notebook"


def for_lecturers(course: Path | None) -> Iterator[Finding]:
    """What is there for decks and for grading; whoever studies needs neither."""
    clone = course is not None and (course / "Makefile").is_file() and os.name != "nt"
    absent = [finding.says.split()[0] for finding in packages({"slides"}, "")]
    if absent:
        yield Finding(NOTE, f"to show slides, {', '.join(absent)} would be needed", _extra("slides", clone))
    else:
        yield Finding(GOOD, "slides can be made")
    if not grader_is_installed():
        return  # what students install has no grader
    absent = [finding.says.split()[0] for finding in packages({"grade"}, "")]
    if absent:
        yield Finding(NOTE, f"to grade, {', '.join(absent)} would be needed", _extra("grade", False))
    elif not sys.platform.startswith("linux"):
        yield Finding(NOTE, "grading in a sandbox needs Linux (on Windows: WSL); on macOS there is --unsafe")
    elif _try([sys.executable, "-c", BETTER_SANDBOX]):
        fix = "install bubblewrap (Debian: apt install bubblewrap), or see docs/grading.md"
        yield Finding(NOTE, "grading has the second of its two sandboxes, or none", fix)
    else:
        yield Finding(GOOD, "grading has its better sandbox")


def _extra(name: str, clone: bool) -> str:
    return f"in the course's folder: make {name}" if clone else f'{_python()} -m pip install "kcourse[{name}]"'


def _try(command: list[str], environment: Mapping[str, str] | None = None) -> str | None:
    """Run a command; None if all is well, else the last thing that it said."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False, env=environment
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no answer for {PATIENCE} seconds"
    except OSError as error:
        return str(error)
    if done.returncode == 0:
        return None
    lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
    return lines[-1].strip() if lines else f"it ended with code {done.returncode}"


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""


def _numbers(version: str) -> tuple[int, ...]:
    """1.10.0rc1 as (1, 10, 0): enough to say that something is too old."""
    return tuple(int(part) for part in re.findall(r"\d+", re.split(r"[a-z+]", version, maxsplit=1)[0]))
