"""The files that a submission can see: the packages, our own files, and what Python needs from the system."""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import os
import re
import shutil
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import kcourse
from kcourse.execution.packages import BROUGHT, OPTIONAL

__all__ = ["build_box", "package_paths", "readable_paths"]

PACKAGES = (*BROUGHT, *(name for name in OPTIONAL if importlib.util.find_spec(name)))


def build_box(folder: Path, parts: Sequence[str], refused: Sequence[str] = ()) -> None:
    """Fill ``folder`` with everything that the sandbox imports: links to packages, and copies of our own files.

    ``parts`` are the modules of kcourse to include, ``refused`` the modules of other packages to leave out.
    """
    site, own = folder / "site", folder / "own"
    site.mkdir()
    own.mkdir()
    for path, without in _without(refused):
        if without:
            (site / path.name).mkdir()
            for part in without:
                (site / path.name / part.name).symlink_to(part)
        else:
            (site / path.name).symlink_to(path)
    source = Path(kcourse.__file__).parent
    for part in parts:
        *packages, name = part.split(".")[1:]
        for depth in range(len(packages) + 1):
            into = Path(*packages[:depth])
            (site / "kcourse" / into).mkdir(parents=True, exist_ok=True)
            shutil.copy(source / into / "__init__.py", site / "kcourse" / into)
        if (source / into / name).is_dir():
            _copy(source / into / name, site / "kcourse" / into)
        else:
            shutil.copy(source / into / f"{name}.py", site / "kcourse" / into)
    (folder / "matplotlib").mkdir()
    for path in _font_lists():  # creating a list takes seconds
        shutil.copy(path, folder / "matplotlib")
    inside = Path(__file__).parent / "inside"
    for package, folder_of in ((source / "execution", "kcourse"), (inside, "kcourse_grader/sandbox")):
        _copy(package, own / folder_of)
    for name in ("kcourse", "kcourse_grader", "kcourse_grader/sandbox"):
        (own / name / "__init__.py").touch()


def _copy(package: Path, into: Path) -> None:
    shutil.copytree(package, into / package.name, ignore=shutil.ignore_patterns("__pycache__"))


def _font_lists() -> list[Path]:
    """Return this user's font lists of matplotlib, creating one if necessary."""
    import matplotlib.font_manager

    return sorted(Path(matplotlib.get_cachedir()).glob("fontlist*.json"))


@lru_cache
def package_paths(names: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the files and folders of these packages and of their dependencies, from their metadata."""
    found: dict[Any, Path] = {}
    queue, seen = list(names), set()
    while queue:
        name = queue.pop()
        if name in seen:
            continue
        seen.add(name)
        distribution = importlib.metadata.distribution(name)
        for requirement in distribution.requires or ():
            if "extra ==" not in requirement:
                needed = re.match(r"[\w.-]+", requirement).group()
                with contextlib.suppress(importlib.metadata.PackageNotFoundError):
                    importlib.metadata.distribution(needed)
                    queue.append(needed)
        for file in distribution.files or ():
            top = file.parts[0]
            if top not in found and top not in ("..", "__pycache__") and not top.endswith(".dist-info"):
                found[top] = Path(distribution.locate_file(top)).resolve()
    return tuple(sorted(found.values()))


def _without(refused: Sequence[str]) -> Iterator[tuple[Path, tuple[Path, ...]]]:
    """Yield each package's path and, if something in it is refused, the paths of its other contents, else ()."""
    for path in package_paths(PACKAGES):
        gone = {name.partition(".")[2] for name in refused if name.partition(".")[0] == path.name}
        yield path, tuple(sorted(p for p in path.iterdir() if p.stem not in gone)) if gone else ()


@lru_cache
def readable_paths(refused: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the paths of Python without site-packages, of the packages without refused modules, and of libraries."""
    stdlib = Path(sysconfig.get_path("stdlib")).resolve()
    paths = {Path(sys.executable).resolve(), *(p for path, without in _without(refused) for p in without or (path,))}
    paths |= {p for p in stdlib.iterdir() if p.name not in ("site-packages", "dist-packages", "__pycache__")}
    for folder in _library_folders():
        if paths.isdisjoint((folder, *folder.parents)):
            paths |= _without_python(folder)
    for loader in ("/lib64", "/lib"):  # the folder of the dynamic loader
        paths |= {p.parent for p in Path(loader).resolve().glob("ld-linux*.so*")}
    paths |= {Path(p) for p in ("/etc/ld.so.cache", "/dev/urandom", "/dev/null") if os.path.exists(p)}
    return tuple(sorted({str(p) for p in paths}))


def _library_folders() -> set[Path]:
    """Return the folders of the shared libraries that this process has loaded."""
    files = {line.split(maxsplit=5)[-1] for line in Path("/proc/self/maps").read_text().splitlines()}
    return {Path(file).parent for file in files if file.startswith("/") and ".so" in file}


def _without_python(folder: Path) -> set[Path]:
    """Return a folder of libraries; if it also contains Python installations, only its library files."""
    if "site-packages" in folder.parts or "dist-packages" in folder.parts or folder.name == "lib-dynload":
        return set()
    if any(folder.glob("python3*")):
        return {p for p in folder.iterdir() if ".so" in p.name}
    return {folder}
