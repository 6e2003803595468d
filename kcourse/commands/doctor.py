"""``kcourse doctor``: check an installation and say how to fix it.

This module imports only the standard library, because NumPy may be broken. Anything that could crash or hang runs in a
separate process. Nothing is changed.
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
ROOM = 200e6  # bytes; an installation takes a gigabyte, a student's work a few megabytes
PATIENCE = 120  # seconds: a first start reads everything from a slow disk
GOOD, NOTE, BAD = "✓", "–", "✗"
BETTER_SANDBOX = "from kcourse_grader.sandbox.sandbox import available_tier as t; raise SystemExit(t() - 1)"


@dataclass(frozen=True)
class Finding:
    """The result of one test: ``mark`` is ✓ (works), – (good to know) or ✗ (fix this); ``fix`` says how."""

    mark: str
    says: str
    fix: str = ""


def report(folder: Path | None = None) -> int:
    """Print all findings; return 0 if nothing needs fixing, 1 otherwise."""
    print(f"kcourse {kcourse.__version__} on {platform.system()}, Python {platform.python_version()} in {sys.prefix}")
    faults = 0
    for finding in examine(folder or Path.cwd()):
        print(f"{finding.mark} {finding.says}" + (f"\n    → {finding.fix}" if finding.fix else ""), flush=True)
        faults += finding.mark == BAD
    if faults:
        problems = "One problem needs" if faults == 1 else f"{faults} problems need"
        print(f"\n{problems} fixing (✗). Start with the first one.")
    else:
        print("\nEverything that the course needs works.")
    return 1 if faults else 0


def examine(folder: Path, environment: Mapping[str, str] = os.environ) -> Iterator[Finding]:
    """Check everything as seen from ``folder``; yield the findings one by one."""
    course = find_course(folder)
    yield from python_itself(sys.version_info[:2])
    if course and (who := holder(course / ".venv.lock")):
        says = f".venv is being set up at the moment ({who})"
        yield Finding(BAD, says, "wait until the set-up has ended, then run kcourse doctor again")
        return  # the environment is incomplete: other findings would soon be wrong
    yield from which_course(course, Path(kcourse.__file__).parent)
    lab = course is not None or installed("jupyterlab") is not None  # otherwise only the library is wanted
    again = set_up_again(course)
    missing = list(packages({"", "lab"} if lab else {""}, again))
    yield from missing or [
        Finding(GOOD, f"all packages that the {'chapters need' if lab else 'library needs'} are installed")
    ]
    yield from shadows(folder, course)
    yield from variables(environment)
    if any(finding.mark == BAD for finding in missing):
        return  # the other tests would only repeat this
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
        yield Finding(
            BAD, f"Python {said} is too old; you need {wanted} or newer", "install it, then set up the course again"
        )


def set_up_again(course: Path | None) -> str:
    """Return how to set up the environment again: in a clone with make, in an unpacked archive from its pins."""
    if course is None:
        return f'{_python()} -m pip install "kcourse[lab]"'
    if not (course / "tools" / "bootstrap.py").is_file():
        return f"in the course's folder: {_python()} -m pip install -r requirements.txt"
    if (course / ".venv").resolve() != Path(sys.prefix).resolve() and not _elsewhere(course):
        return f'in the course\'s folder: {_python()} -m pip install -e ".[lab]"'  # the user's own environment
    # make lab does not repair an environment that it has set up
    return f"in the course's folder: delete the folder .venv (it contains none of your files), then: {MAKE_LAB}"


MAKE_LAB = r"py -3 tools\bootstrap.py lab" if os.name == "nt" else "make lab"


def _elsewhere(course: Path) -> bool:
    """Whether the kcourse that runs belongs to another folder: then this folder's .venv needs fixing."""
    return Path(kcourse.__file__).resolve().parents[1] != course.resolve()


def _python() -> str:
    """Return the path of this Python, quoted for a terminal."""
    return f'"{sys.executable}"' if " " in sys.executable else sys.executable


def which_course(course: Path | None, package: Path) -> Iterator[Finding]:
    """Check whether the kcourse that runs belongs to this folder, and whether its environment is complete."""
    if course is None:
        says = "this folder is not in the course: you can check sheets here, but open chapters in the course's folder"
        yield Finding(NOTE, says)
        return
    environment, again = course / ".venv", f"in the course's folder: {MAKE_LAB}"
    if (course / "pyproject.toml").is_file() and package.parent.resolve() != course.resolve():
        says = f"the course is in {course}, but the kcourse that runs is in {package}"
        yield Finding(BAD, says, f"{again} (or pip install -e {course}, if you use your own environment)")
    if (environment / "kcourse-unfinished").exists():
        yield Finding(BAD, "the set-up of .venv was interrupted", again)
    elif (place := _text(environment / "kcourse-place")) not in ("", str(course)):
        yield Finding(BAD, f".venv was made in {place}, but an environment cannot be moved or copied", again)
    elif (given := _given(course)) and (has := installed("kcourse")) not in (given, None):
        says = f"this folder has kcourse {given}, but {has} is installed. Perhaps you unpacked one archive over another"
        yield Finding(BAD, says, set_up_again(course))
    else:
        yield Finding(GOOD, f"the course is in {course}")


def _given(course: Path) -> str:
    """Return the version of the wheel in a student's folder, or "" in a clone."""
    wheel = re.search(r"^\./kcourse-([^-]+)-\S+\.whl\s*$", _text(course / "requirements.txt"), re.MULTILINE)
    return wheel[1] if wheel else ""


def packages(extras: set[str], again: str) -> Iterator[Finding]:
    """Yield a finding for each required package that is missing or too old."""
    try:
        asked = metadata.requires("kcourse") or ()
    except metadata.PackageNotFoundError:
        says = f"kcourse is not installed in {sys.prefix}; Python finds it only in the current folder"
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
            yield Finding(BAD, f"{name} {has} is too old; you need {oldest} or newer", again)


def installed(name: str) -> str | None:
    """Return the version of a package, or None if it is not installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def shadows(folder: Path, course: Path | None) -> Iterator[Finding]:
    """Find files in the folders of notebooks that Python would import instead of a library."""
    known = {*sys.stdlib_module_names, "kcourse", "numpy", "scipy", "matplotlib", "sklearn", "IPython", "ipywidgets"}
    places = {folder.resolve()} | {course / top / below for top in ("", WORK) for below in FOLDERS if course}
    for place in sorted(places):
        for path in sorted(place.iterdir()) if place.is_dir() else ():
            module, package = path.suffix == ".py" and path.is_file(), (path / "__init__.py").is_file()
            name = path.stem if module else path.name if package else ""
            if name in known and path.resolve() != Path(kcourse.__file__).parent:
                says = f"Python imports {path} instead of the library {name}"
                yield Finding(BAD, says, "rename it, then restart the kernel")


def variables(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Find environment variables that change what Python imports, or how fast it is."""
    for name in ("PYTHONPATH", "PYTHONHOME"):
        if environment.get(name, "").strip():
            says = f"{name} is set ({environment[name]}): Python imports libraries from there first"
            yield Finding(NOTE, says, f"if a library has the wrong version: unset {name}")
    backend = environment.get("MPLBACKEND", "")
    if backend and not backend.startswith("module://") and backend.lower() not in ("agg", "inline"):
        yield Finding(NOTE, f"MPLBACKEND is {backend}: figures may open in windows of their own", "unset MPLBACKEND")
    cores = os.cpu_count() or 1
    for name in VARIABLES:
        value = environment.get(name, "")
        if value.isdigit() and int(value) > cores:
            says = f"{name} is {value}, but there are {cores} processors: chapters run more slowly"
            yield Finding(NOTE, says, f"unset {name}: the course then uses one thread, which suits small matrices")


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
    # -P: files that shadow a library have been reported already
    done = _try([sys.executable, "-P", "-c", _COMPUTE])
    if done is None:
        yield Finding(GOOD, "the library computes a ridge regression, and the numbers are right")
    else:
        fix = f"{_whole(again)}; if this does not help, please report the line above"
        yield Finding(BAD, f"the library does not work: {done}", fix)


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
    """Check whether a notebook's kernel starts, belongs to this environment and finds the course."""
    chosen = {"JUPYTER_PREFER_ENV_PATH": "1", **home_instead(Path(sys.prefix))}  # as `kcourse lab` starts it
    done = _try([sys.executable, "-P", "-c", _KERNEL], {**os.environ, **chosen})
    if done is None:
        yield Finding(GOOD, "a notebook's kernel starts and finds the course")
        return
    inside = done.startswith(("ImportError", "ModuleNotFoundError"))  # the kernel starts, but an import fails
    fix = _whole(again) if inside else f"{_python()} -m ipykernel install --sys-prefix"
    yield Finding(BAD, f"a notebook's kernel does not work: {done}", fix)


def _whole(again: str) -> str:
    """Return the command for packages that are installed but broken, which pip would otherwise not replace."""
    return again.replace("pip install ", "pip install --force-reinstall ")


def sliders(prefix: Path, again: str) -> Iterator[Finding]:
    if (prefix / "share" / "jupyter" / "labextensions" / "anywidget").is_dir():
        yield Finding(GOOD, "JupyterLab has the extension for sliders")
    else:
        yield Finding(BAD, "JupyterLab lacks the extension anywidget, so sliders will not move", _whole(again))


def course_folder(course: Path, free: float) -> Iterator[Finding]:
    """Check disk space, permissions, and whether the copies can be read."""
    if not can_write(course):
        says = f"you may not write in {course}, so it has no place for your copies"
        fix = "copy the course to a folder where you may write, or only read it: kcourse lab --originals"
        yield Finding(BAD, says, fix)
    if free < ROOM:
        yield Finding(BAD, f"the disk has {free / 1e6:.0f} MB left", "free some space, or your work cannot be saved")
    for path in sorted((course / WORK).rglob("*.ipynb")):
        if not any(part.startswith(".") for part in path.relative_to(course).parts) and (why := _damage(path)):
            says = f"{path.relative_to(course)} cannot be opened: {why}"
            to = f" to {path.stem}.txt (it is a text file)" if path.is_file() else ""
            fix = f"rename it{to}, then open the course again to get a fresh copy"
            yield Finding(BAD, says, fix)


def _damage(path: Path) -> str:
    if path.exists() and not path.is_file():
        return "it is a folder" if path.is_dir() else "it is not an ordinary file"
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        return error.strerror or str(error)
    except (ValueError, RecursionError):
        return "it is not valid JSON, perhaps after a merge or because the disk was full"
    return "" if isinstance(content, dict) and isinstance(content.get("cells"), list) else "it is not a notebook"


def for_lecturers(course: Path | None) -> Iterator[Finding]:
    """Check what slides and grading need; students need neither."""
    clone = course is not None and (course / "Makefile").is_file() and os.name != "nt"
    absent = [finding.says.split()[0] for finding in packages({"slides"}, "")]
    if absent:
        yield Finding(NOTE, f"slides need {', '.join(absent)}, which you may install", _extra("slides", clone))
    else:
        yield Finding(GOOD, "the packages for slides are installed")
    if not grader_is_installed():
        return  # the students' edition has no grader
    absent = [finding.says.split()[0] for finding in packages({"grade"}, "")]
    if absent:
        yield Finding(NOTE, f"grading needs {', '.join(absent)}, which you may install", _extra("grade", False))
    elif not sys.platform.startswith("linux"):
        yield Finding(NOTE, "grading in a sandbox needs Linux or WSL; on macOS, add --unsafe if you trust all authors")
    elif _try([sys.executable, "-c", BETTER_SANDBOX]):
        fix = "install bubblewrap (Debian: apt install bubblewrap), or see docs/grading.md"
        yield Finding(NOTE, "grading can use only the weaker of its two sandboxes, or none", fix)
    else:
        yield Finding(GOOD, "grading can use the stronger of its two sandboxes")


def _extra(name: str, clone: bool) -> str:
    return f"in the course's folder: make {name}" if clone else f'{_python()} -m pip install "kcourse[{name}]"'


def _try(command: list[str], environment: Mapping[str, str] | None = None) -> str | None:
    """Run a command; return None if it succeeds, otherwise its last line of output."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False, env=environment
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no answer within {PATIENCE} seconds"
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
    """Return 1.10.0rc1 as (1, 10, 0), which is enough to compare versions."""
    return tuple(int(part) for part in re.findall(r"\d+", re.split(r"[a-z+]", version, maxsplit=1)[0]))
