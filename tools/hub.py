"""Test the hub of docs/hub.md with a class: ``python -m tools.hub [--students 6] [--chapter ch06_svm]``.

It installs deploy/hub/requirements.txt and the proxy from npm into .build/hub and starts JupyterHub with
deploy/hub/trial_config.py. Then all students log in at the same time, their servers start, and each opens a chapter and
runs all of its cells in a kernel. The program prints how long this took.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kcourse_grader.release.archives import student_files
from tools import wasm
from tools.test import environment

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".build" / "hub"
DEPLOY = ROOT / "deploy" / "hub"
PROXY = "configurable-http-proxy@5"
LONGEST = 120.0  # seconds from the first click to the end of chapter 6, for six students on two cores
PATIENCE = 900.0  # seconds


class HubError(RuntimeError):
    """The hub cannot be tested, or fails the test; the text says why."""


def set_up() -> Path:
    """Make or update the environment of the hub; return the folder of its programs."""
    if shutil.which("npm") is None:
        raise HubError("npm is not installed. Install it, because JupyterHub's proxy comes from npm.")
    python = wasm.venv(FOLDER / "env")
    install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", python]
    commands = [
        [*install, "--reinstall-package", "kcourse", "-r", str(DEPLOY / "requirements.txt")],
        ["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(FOLDER / "node"), PROXY],
    ]
    for command in commands:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise HubError(f"{command[0]} failed; it needs the network: {done.stderr.strip()[-400:]}")
    return Path(python).parent


def lay_out_course(folder: Path) -> Path:
    """Write the course as students get it into a folder, with read-only files."""
    for name, content in student_files(ROOT).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o444)
    return folder


@dataclass
class Student:
    """A student with a browser: a session, a server, a kernel."""

    hub: str
    name: str
    password: str
    times: dict[str, float] = field(default_factory=dict)  # seconds after the first click

    def __post_init__(self) -> None:
        import requests  # installed with JupyterLab's server

        self.web = requests.Session()

    def log_in(self) -> None:
        """Log in with the hub's form, and get a token for the requests of a page's scripts."""
        self.begun = time.perf_counter()
        self._get("/hub/login")
        form = {"username": self.name, "password": self.password, "_xsrf": self.web.cookies["_xsrf"]}
        page = self.web.post(f"{self.hub}/hub/login", data=form, params={"next": "/hub/home"}, timeout=PATIENCE)
        if "logout" not in page.text:
            raise HubError(f"{self.name} cannot log in: {page.status_code}")
        xsrf = {"X-XSRFToken": self.web.cookies.get("_xsrf", path="/hub/"), "Referer": f"{self.hub}/hub/token"}
        made = self.web.post(f"{self.hub}/hub/api/users/{self.name}/tokens", json={}, headers=xsrf, timeout=PATIENCE)
        self.token = {"Authorization": f"token {_said(made)['token']}"}

    def start(self) -> None:
        """Start the server, as a link to a chapter does."""
        self.web.post(f"{self.hub}/hub/api/users/{self.name}/server", headers=self.token, timeout=PATIENCE)
        while not self._get(f"/hub/api/users/{self.name}", headers=self.token).json()["server"]:
            if time.perf_counter() - self.begun > PATIENCE:
                raise HubError(f"the server of {self.name} did not start")
            time.sleep(0.5)
        self.times["server"] = time.perf_counter() - self.begun

    def read(self, path: str) -> None:
        """Open a notebook and run all of its cells in a new kernel."""
        at = f"/user/{self.name}/api"
        cells = self._get(f"{at}/contents/my_work/{path}", headers=self.token).json()["content"]["cells"]
        self.times["opened"] = time.perf_counter() - self.begun
        asked = {"path": f"my_work/{path}", "type": "notebook", "name": "", "kernel": {"name": "python3"}}
        made = self.web.post(f"{self.hub}{at}/sessions", json=asked, headers=self.token, timeout=PATIENCE)
        kernel = _said(made)["kernel"]["id"]
        line = Line(f"{self.hub.replace('http', 'ws', 1)}{at}/kernels/{kernel}/channels", self.token)
        for cell in cells:
            if cell["cell_type"] == "code":
                line.run(cell["source"], f"{self.name}, {path}")
        line.close()
        self.times["read"] = time.perf_counter() - self.begun

    def _get(self, path: str, **options: Any) -> Any:
        answer = self.web.get(self.hub + path, timeout=PATIENCE, **options)
        if answer.status_code != 200:
            raise HubError(f"{self.name}: {path} answers {answer.status_code}")
        return answer


def _said(answer: Any) -> Any:
    if answer.status_code not in (200, 201):
        raise HubError(f"{answer.url} answers {answer.status_code}: {answer.text[:200]}")
    return answer.json()


class Line:
    """The connection to a kernel; a lost connection is made again, as JupyterLab does."""

    def __init__(self, address: str, token: dict[str, str]) -> None:
        self.address, self.token, self.lost = f"{address}?session_id={uuid.uuid4().hex}", token, 0
        self._connect()

    def run(self, code: str, whose: str) -> None:
        """Execute one cell; HubError if it raises."""
        asked = uuid.uuid4().hex
        header = {"msg_id": asked, "msg_type": "execute_request", "username": "", "session": "trial", "version": "5.3"}
        content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False}
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
        self.line.send(json.dumps(message))
        while True:
            said = self._next(whose)
            answer = json.loads(said) if isinstance(said, str) else {}  # bytes: an interactive figure's arrays
            if answer.get("msg_type") == "execute_reply" and answer["parent_header"].get("msg_id") == asked:
                if answer["content"]["status"] != "ok":
                    raise HubError(f"{whose}: {answer['content'].get('ename')}: {answer['content'].get('evalue')}")
                return

    def close(self) -> None:
        self.line.close()

    def _connect(self) -> None:
        import websocket  # installed with Jupyter's server

        self.line = websocket.create_connection(self.address, header=self.token, timeout=PATIENCE)

    def _next(self, whose: str) -> str | bytes:
        import websocket

        while True:
            try:
                return self.line.recv()
            except websocket.WebSocketException as problem:
                self.lost += 1
                if self.lost > 5:
                    raise HubError(f"{whose}: {problem}") from None
                print(f"{whose}: {problem} Connecting again.", file=sys.stderr)
                self._connect()  # the server has kept the messages


@contextmanager
def hub(programs: Path, folder: Path, **more: str) -> Iterator[tuple[str, str]]:
    """Run a hub in ``folder``; yield its address and the password of all users."""
    password, ports = secrets.token_hex(8), _free_ports(3)
    own = {name: value for name, value in environment().items() if not name.startswith(("JUPYTER", "KCOURSE"))}
    env = own | more | {
        "PATH": os.pathsep.join([str(programs), str(FOLDER / "node" / "node_modules" / ".bin"), os.environ["PATH"]]),
        "TRIAL_PASSWORD": password,
    }  # fmt: skip
    command = [str(programs / "jupyterhub"), "-f", str(DEPLOY / "trial_config.py"),
               f"--JupyterHub.bind_url=http://127.0.0.1:{ports[0]}", f"--JupyterHub.hub_port={ports[1]}",
               f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{ports[2]}"]  # fmt: skip
    address, log = f"http://127.0.0.1:{ports[0]}", folder / "hub.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            command, cwd=folder, env=env, stdout=out, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        _wait_for(f"{address}/hub/api", process, log)
        yield address, password
    except HubError as problem:
        raise HubError(f"{problem}\n{log.read_text()[-6000:]}") from None
    finally:
        process.send_signal(signal.SIGINT)  # it stops servers and proxy as well
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def _wait_for(address: str, process: subprocess.Popen, log: Path) -> None:
    import requests

    begun = time.monotonic()
    while time.monotonic() - begun < 120 and process.poll() is None:
        try:
            if requests.get(address, timeout=5).status_code == 200:
                return
        except requests.ConnectionError:
            pass
        time.sleep(0.3)
    raise HubError(f"the hub did not start. See {log}")


def class_reads(chapter: str, count: int, **more: str) -> list[Student]:
    """Let ``count`` students at the same time log in, start a server, open the chapter and run all of it."""
    programs = set_up()
    with tempfile.TemporaryDirectory() as name:
        course = lay_out_course(Path(name) / "course")
        settings = more or {"KCOURSE_COURSE": str(course)}
        with hub(programs, Path(name), **settings) as (address, password):
            students = [Student(address, f"student{i}", password) for i in range(1, count + 1)]

            def from_the_first_click(student: Student) -> None:
                student.log_in()
                student.start()
                student.read(f"notebooks/{chapter}.ipynb")

            with ThreadPoolExecutor(count) as pool:
                list(pool.map(from_the_first_click, students))
    return students


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.hub", description="Test the hub of docs/hub.md.")
    parser.add_argument("--students", type=int, default=6)
    parser.add_argument("--chapter", default="ch06_svm")
    options = parser.parse_args(arguments)
    try:
        students = class_reads(options.chapter, options.students)
    except HubError as problem:
        print(f"hub: {problem}", file=sys.stderr)
        return 1
    for student in students:
        print(student.name, *(f"{what} {seconds:.0f} s" for what, seconds in student.times.items()), sep="  ")
    last = max(student.times["read"] for student in students)
    print(f"{len(students)} students have read {options.chapter} after {last:.0f} s")
    return 0 if last <= LONGEST else 1


if __name__ == "__main__":
    sys.exit(main())
