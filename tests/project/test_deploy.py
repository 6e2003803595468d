"""deploy/: the container as far as it can be tried without Docker, and the hub's files as far as without a hub.

tools/hub.py runs them with JupyterHub; here programs are recorded and not run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from traitlets.config import Config, PyFileConfigLoader

from kcourse.commands import work
from tests.timeouts import scaled
from tools import hub

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy" / "hub"
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "hub.md").read_text(encoding="utf-8")
START = (DEPLOY / "start").read_text(encoding="utf-8")
OURS = r"KCOURSE_[A-Z]+"


# ---------------------------------------------------------------- the container


def test_the_image_is_made_of_what_students_get() -> None:
    """The commands in its head name the archive's folder; what it installs are the archive's pins and the hub's own."""
    assert (
        "docker build -f deploy/Dockerfile --build-context hub=deploy/hub -t kcourse dist/kcourse-students"
        in DOCKERFILE
    )
    assert re.findall(r"^COPY (.*)$", DOCKERFILE, re.MULTILINE) == [". .", "--from=hub . deploy/hub"]
    assert re.findall(r" -r (\S+)", DOCKERFILE) == ["requirements.txt", "/dev/stdin"]
    wanted = [line for line in (DEPLOY / "requirements.txt").read_text(encoding="utf-8").splitlines() if "==" in line]
    assert {line.partition("==")[0] for line in wanted} >= {"jupyterhub", "nbgitpuller"}
    assert not (ROOT / "deploy" / "Dockerfile.dockerignore").exists()  # it would hide what the archive has


# ---------------------------------------------------------------- what a hub starts for each student


class Machine:
    """A student's machine whose programs are recorded."""

    def __init__(self, folder: Path) -> None:
        self.home, self.course, self.programs = folder / "home", folder / "course", folder / "bin"
        for place in (self.home, self.course, self.programs):
            place.mkdir()
        self.log = folder / "log"
        for name in ("gitpuller", "kcourse", "jupyterhub-singleuser", "jupyter-lab"):
            self.put(name)
        (self.programs / "python3").symlink_to(sys.executable)

    def put(self, name: str, code: int = 0) -> None:
        note = f'#!/bin/sh\necho "{name} in $PWD, $OMP_NUM_THREADS: $*" >> "{self.log}"\nexit {code}\n'
        (self.programs / name).write_text(note)
        (self.programs / name).chmod(0o755)

    def start(self, *options: str, **more: str) -> tuple[int, list[str]]:
        """The script's exit code, and the programs that it called, a line each."""
        path = f"{self.programs}{os.pathsep}/usr/bin{os.pathsep}/bin"
        env = {"HOME": str(self.home), "PATH": path, "KCOURSE_COURSE": str(self.course), "PYTHONPATH": str(ROOT)} | more
        self.log.write_text("")
        done = subprocess.run([DEPLOY / "start", *options], env=env, check=False, capture_output=True, text=True)
        self.said = done.stderr
        return done.returncode, self.log.read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    if os.name == "nt":
        pytest.skip("a script of a Unix shell; hubs run there")
    return Machine(tmp_path)


HUB = {"JUPYTERHUB_API_TOKEN": "…"}


def test_the_copies_are_laid_out_before_the_server_starts_with_the_courses_settings(machine: Machine) -> None:
    code, (lays_out, serves) = machine.start("--port=1", **HUB)
    assert code == 0 and lays_out == f"kcourse in {machine.course}, : work --into {machine.home}/my_work"
    assert serves.startswith(f"jupyterhub-singleuser in {machine.home}, 1: --ServerApp.root_dir={machine.home} ")
    [settings] = re.findall(r"--LabApp.app_settings_dir=(\S+)", serves)
    assert "fetchNews" in (Path(settings) / "overrides.json").read_text(encoding="utf-8")
    assert "@jupyter/nbgrader" in (Path(settings) / "page_config.json").read_text(encoding="utf-8")
    assert serves.endswith("--port=1")


def test_what_is_asked_for_is_pulled_first_and_a_pull_that_fails_is_not_the_end(machine: Machine) -> None:
    where = {"KCOURSE_REPOSITORY": "https://code.example/us/course", "KCOURSE_BRANCH": "term"}
    code, (pulls, _, serves) = machine.start(**HUB, **where)
    assert code == 0 and pulls.endswith(f": https://code.example/us/course term {machine.course}")
    machine.put("gitpuller", 1)
    assert machine.start(**HUB, **where) == (0, [pulls, _, serves])


def test_where_there_is_no_course_yet_the_log_says_what_to_try(machine: Machine) -> None:
    machine.course.rmdir()
    machine.put("gitpuller", 1)
    env = {"KCOURSE_REPOSITORY": "/srv/course.git", **HUB}
    code, [pulls] = machine.start(**env)
    assert code == 1 and pulls.startswith("gitpuller") and "try: git ls-remote /srv/course.git" in machine.said


def test_what_is_laid_out_is_closed_to_others(machine: Machine) -> None:
    (machine.programs / "kcourse").write_text('#!/bin/sh\nmkdir "$3"\n')
    machine.start(**HUB)
    assert (machine.home / "my_work").stat().st_mode & 0o007 == 0


def test_without_copies_no_server_is_started(machine: Machine) -> None:
    machine.put("kcourse", 1)
    code, programs = machine.start(**HUB)
    assert code == 1 and len(programs) == 1


def test_a_container_is_a_students_server_or_without_a_hub_jupyterlab(machine: Machine) -> None:
    _, usual = machine.start("--debug", **HUB)
    assert machine.start("jupyterhub-singleuser", "--debug", **HUB) == (0, usual)  # as KubeSpawner names the program
    _, (_, alone) = machine.start()
    assert alone.startswith("jupyter-lab in ") and "--no-browser --ip=0.0.0.0 " in alone
    assert machine.start(OMP_NUM_THREADS="4", **HUB)[1][1].startswith(f"jupyterhub-singleuser in {machine.home}, 4:")


# ---------------------------------------------------------------- the hub, and the page


def configured(name: str, monkeypatch: pytest.MonkeyPatch) -> Config:
    """What a file of the hub's sets."""
    found = Config()

    def load(file: str) -> None:
        code = compile(Path(file).read_text(encoding="utf-8"), file, "exec")
        exec(code, {"get_config": lambda: found, "load_subconfig": load, "__file__": file})

    monkeypatch.setenv("PATH", os.environ["PATH"])  # which it adds to
    load(str(DEPLOY / name))
    return found


def test_the_hub_starts_what_there_is_and_opens_what_is_laid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    config = configured("jupyterhub_config.py", monkeypatch)
    assert config.Spawner.cmd == [str(DEPLOY / "start")] and os.access(DEPLOY / "start", os.X_OK)
    assert config.Spawner.default_url == f"/lab/tree/{work.WORK}/{work.START}"
    assert f"--LabApp.default_url={config.Spawner.default_url}" in START
    [service], [role] = config.JupyterHub.services, config.JupyterHub.load_roles
    assert service["name"] in role["services"] and service["command"][1:3] == ["-m", "jupyterhub_idle_culler"]


def test_a_file_of_ones_own_as_the_page_has_it_adds_to_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [example] = re.findall(r"```python\n(load_subconfig.*?)```", PAGE, re.DOTALL)
    own = tmp_path / "jupyterhub_config.py"
    own.write_text(example.replace("/srv/hub/config", DEPLOY.as_posix()), encoding="utf-8")
    monkeypatch.setenv("PATH", os.environ["PATH"])  # which it adds to
    config = PyFileConfigLoader(own.name, str(tmp_path)).load_config()  # it passes over a file that is not there
    assert config.Spawner.environment == {"KCOURSE_COURSE": "/srv/kcourse-students"}
    assert config.Spawner.cmd == [str(DEPLOY / "start")] and config.Authenticator.allowed_users


def test_the_page_names_what_there_is() -> None:
    listed = set(re.findall(r"^\| `(\S+)` \|", PAGE, re.MULTILINE))
    assert listed == {path.name for path in DEPLOY.iterdir() if not path.name.startswith("__")}
    assert set(re.findall(OURS, PAGE)) == set(re.findall(OURS, START))
    assert "--into" in START and hub.PROXY in PAGE
    for kind, name in re.findall(r"user-redirect/lab/tree/my_work/(\w+)/(\w+\.ipynb)", PAGE):
        assert (ROOT / kind / name).is_file()


# ---------------------------------------------------------------- all of it


@pytest.mark.weekly
@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="memory is read, and processes are ended, as Linux does"
)
def test_a_class_that_starts_at_once_reads_chapter_6() -> None:
    """JupyterHub, its proxy and nbgitpuller from the registries, six students; see tools/hub.py."""
    try:
        hub.set_up()
    except hub.HubError as problem:
        if not os.environ.get("CI"):
            pytest.skip(str(problem))
        raise
    students = hub.class_reads("ch06_svm", 6)
    assert len(students) == 6
    # other tests run beside it; alone, `python -m tools.hub` holds them to half of that
    assert max(student.times["read"] for student in students) < scaled(2 * hub.LONGEST)
