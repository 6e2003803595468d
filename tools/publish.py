"""Lay out the public course: ``python -m tools.publish [--check]`` (``make publish``, ``make publish-check``).

    the students' files, site/, deploy/public/*.yml  ->  dist/public, a clone of the public repository

``--check`` changes nothing and prints a sentence for each thing that is missing, with the step of docs/publish.md.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import kcourse
from kcourse_grader.release import addresses
from kcourse_grader.release.archives import student_files, student_pages
from tools.build import check

ROOT = Path(__file__).resolve().parent.parent
WHEEL = f"kcourse-{kcourse.__version__}-py3-none-any.whl"


def lay_out(course: Path = ROOT) -> Path:
    """Write the public course; return its folder. Files of other names stay, such as those of git."""
    out = course / "dist" / "public"
    files = student_files(course, public=True)
    files |= {f".github/workflows/{path.name}": path.read_bytes() for path in (course / "deploy/public").glob("*.yml")}
    for path in [*(out / name for name in ("notebooks", "exercises", "site")), *out.glob("*.whl")]:
        path.unlink() if path.is_file() else shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(course / "site", out / "site")
    for name, content in files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(content)
    return out


def missing(course: Path = ROOT) -> Iterator[str]:
    """Yield a sentence for each thing that is missing, and what to do."""
    said, out = addresses.read(course), course / "dist" / "public"
    if not said["wheel"]:
        yield "docs/site.toml: wheel has no value, so a notebook alone cannot install kcourse. Write it (step 3)."
    elif said["wheel"] != addresses.NAME and not said["wheel"].endswith(f"/{WHEEL}"):
        yield f"docs/site.toml: wheel does not end with /{WHEEL}, the name of this version. Correct it (step 3)."
    if not addresses.links(said, ""):
        yield "docs/site.toml: no service has a value, so no page has a button. Write one, such as colab (step 3)."
    if stale := check(course):
        yield f"Notebooks are not as their sources say ({stale[0]}). Run make notebooks."
    if not (out / ".git").exists():
        yield "dist/public is not a clone of the public repository. Clone it (step 5)."
    if not all(path.exists() for path in (out / "site", out / WHEEL)):
        yield "dist/public does not contain this version of the course. Run make publish (step 6)."
        return
    if not (out / "site" / "slides").exists():
        yield "dist/public has no slides. Run make publish without SITE_ARGS=--quick (step 6)."
    if betrayed := sorted(_with_answers(out)):
        yield f"{betrayed[0]} contains answers. Do not push it. Run make publish again (step 6)."
    pages = student_pages(course)
    if any(not (out / name).is_file() or (out / name).read_bytes() != pages[name] for name in pages):
        yield "dist/public is older than your pages or settings. Run make publish again (step 6)."
    changed = _run("git", "-C", out, "status", "--porcelain")
    if changed is None or changed or _run("git", "-C", out, "log", "--branches", "--not", "--remotes", "--oneline"):
        yield "dist/public has changes that are not pushed. Commit and push them (step 7)."
    elif said["wheel"] and (fault := _fault_of_download(said, out / WHEEL)):
        yield fault


def _with_answers(out: Path) -> Iterator[str]:
    """Yield the files that have a solution's mark, and a wheel that has the grader."""
    for path in out.rglob("*"):
        if path.suffix == ".whl" and "kcourse_grader/__init__.py" in zipfile.ZipFile(path).namelist():
            yield path.name
        elif path.suffix in (".ipynb", ".html", ".js") and b"BEGIN SOLUTION" in path.read_bytes():
            yield path.relative_to(out).as_posix()


def _fault_of_download(said: dict[str, str], wheel: Path) -> str:
    """Return what is wrong with the wheel that pip gets, or an empty string."""
    version = f"=={kcourse.__version__}" if said["wheel"] == addresses.NAME else ""
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as ours:
        install = (sys.executable, "-m", "uv", "pip", "install", "--no-deps", "--no-cache", "--target", folder)
        if _run(*install, addresses.requirement(said) + version) is None:
            return f"{said['wheel']}: pip cannot install kcourse {kcourse.__version__} from there. Do step 7, or 11."
        names = [name for name in ours.namelist() if not name.endswith("/RECORD")]
        there = {name: Path(folder, name) for name in names}
        if not all(path.is_file() and path.read_bytes() == ours.read(name) for name, path in there.items()):
            return f"{said['wheel']} has another kcourse {kcourse.__version__}. Raise the version and publish again."
    return ""


def _run(*command: object) -> str | None:
    """Return what a command prints; None if it fails."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    return None if done.returncode else done.stdout.strip()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.publish", description="Lay out the public course.")
    parser.add_argument("--check", action="store_true", help="change nothing, and list what is missing")
    try:
        if not parser.parse_args(arguments).check:
            print(f"{lay_out().relative_to(ROOT)} is complete. Commit and push it (docs/publish.md, step 7).")
            return 0
        sentences = list(missing())
    except (ValueError, RuntimeError) as problem:
        sentences = [str(problem)]
    print(*sentences or ["Nothing is missing."], sep="\n")
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
