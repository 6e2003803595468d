"""docs/publish.md: each step takes away the sentence that asks for it, and what the steps show is valid."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from kcourse_grader.release import addresses, archives
from tests.grader.test_addresses import ROOT, small_course
from tools import publish

STEPS = (ROOT / "docs" / "publish.md").read_text(encoding="utf-8")


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A folder, and the address at which a server shows it."""
    folder = tmp_path_factory.mktemp("www")
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(SimpleHTTPRequestHandler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield folder, f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def write_wheel(path: Path, text: str, *more: str) -> bytes:
    """Write a small wheel of kcourse's name and version."""
    about = path.name.removesuffix("-py3-none-any.whl") + ".dist-info"
    files = {
        "kcourse/__init__.py": text,
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: kcourse\nVersion: {publish.kcourse.__version__}\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        **dict.fromkeys(more, ""),
    }
    files[f"{about}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{about}/RECORD"])
    with zipfile.ZipFile(path, "w") as wheel:
        for name, content in files.items():
            wheel.writestr(name, content)
    return path.read_bytes()


def test_what_is_missing_becomes_less_with_each_step(
    served: tuple[Path, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder, address = served
    course = small_course(tmp_path / "clone")
    out = course / "dist" / "public"

    def steps() -> list[str]:
        return [number for sentence in publish.missing(course) for number in re.findall(r"step (\d+)", sentence)]

    def git(*words: str, cwd: Path = out) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *words], cwd=cwd, check=True, capture_output=True)

    monkeypatch.setattr(publish, "check", lambda _: [])
    monkeypatch.setattr(
        archives, "_wheel", lambda *_, public: (publish.WHEEL, write_wheel(tmp_path / publish.WHEEL, "1"))
    )
    for name in ("requirements/lab.txt", "environment.yml", "LICENSE", "LICENSE-TEXT", "deploy/public/site.yml"):
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        (course / name).write_bytes((ROOT / name).read_bytes())
    (course / "site" / "slides").mkdir(parents=True)
    assert steps() == ["3", "3", "5", "6"]

    words = f'wheel = "{address}/{publish.WHEEL}"\nbinder = "https://b.example"'
    (course / "docs" / "site.toml").write_text(words.replace(publish.WHEEL, "kcourse-9-py3-none-any.whl"))
    assert steps() == ["3", "5", "6"]  # the wheel's name is another one
    (course / "docs" / "site.toml").write_text(words)
    git("init", "-q", "--bare", str(tmp_path / "hosted"), cwd=tmp_path)
    git("clone", "-q", str(tmp_path / "hosted"), str(out), cwd=tmp_path)
    assert steps() == ["6"]

    publish.lay_out(course)
    assert steps() == ["7"]
    (out / "site" / "page.html").write_text("### BEGIN SOLUTION")
    assert steps() == ["6", "7"]
    publish.lay_out(course)
    git("add", "--all")
    git("commit", "-qm", "The course")
    assert steps() == ["7"]
    git("push", "-q", "origin", "HEAD:main")
    git("fetch", "-q")
    [not_there] = publish.missing(course)
    write_wheel(folder / publish.WHEEL, "2")
    [another] = publish.missing(course)
    assert another != not_there
    write_wheel(folder / publish.WHEEL, "1")
    assert list(publish.missing(course)) == []

    (course / "docs" / "site.toml").write_text(words.replace("b.example", "c.example"))
    assert steps() == ["6"]
    write_wheel(out / publish.WHEEL, "1", "kcourse_grader/__init__.py")
    assert steps() == ["6", "6", "7"]


def test_the_steps_show_settings_and_names_that_exist() -> None:
    [toml] = re.findall(r"```toml\n(.*?)```", STEPS, re.DOTALL)
    said = addresses.settings(re.sub("^ +", "", toml, flags=re.MULTILINE))
    assert len(addresses.links(said, "a.ipynb")) == 3 and said["wheel"].endswith(f"/{publish.WHEEL}")
    assert re.findall(r"^(\d+)\. ", STEPS, re.MULTILINE) == [str(n) for n in range(1, 13)]
    _, wheel = (yaml.safe_load(path.read_text("utf-8")) for path in sorted((ROOT / "deploy/public").glob("*.yml")))
    assert wheel["jobs"]["upload"]["environment"] == "pypi"
    assert "workflow `wheel.yml`, environment `pypi`" in STEPS.replace("\n    ", " ")


@pytest.mark.weekly
def test_a_notebook_alone_runs_where_only_jupyter_is_installed(served: tuple[Path, str], tmp_path: Path) -> None:
    folder, address = served
    name, wheel = archives._wheel(ROOT, archives._known(ROOT), ["ch03_ridge"], draws=1, public=True)
    (folder / name).write_bytes(wheel)
    said, pip = addresses.settings(f'wheel = "{address}/{name}"'), [sys.executable, "-m", "uv", "pip", "install", "-q"]
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "env")], check=True)
    programs = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    made = subprocess.run([*pip, "--python", str(programs / "python"), "ipykernel", "nbclient"], check=False, env=env)
    if made.returncode and not os.environ.get("CI"):
        pytest.skip("the first step needs the network")
    (alone := tmp_path / "Mein Kurs – Übung 4").mkdir()
    for page in ("notebooks/ch03_ridge.ipynb", "exercises/ch03_ridge_sheet.ipynb"):
        notebook = alone / Path(page).name
        notebook.write_bytes(addresses.public((ROOT / page).read_bytes(), page, said))
        subprocess.run([programs / "jupyter", "execute", "--inplace", notebook.name], cwd=alone, check=True, env=env)
    assert "krr_fit: not attempted" in notebook.read_text(encoding="utf-8")
    assert list((tmp_path / "env").rglob("kcourse-*.dist-info"))
