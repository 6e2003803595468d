"""tools/bootstrap.py: what it would run and say, on machines that lack this or that. Nothing is installed."""

from __future__ import annotations

import ast
import builtins
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools import bootstrap

ROOT = Path(bootstrap.__file__).resolve().parent.parent


class Killed(BaseException):
    """No handler of bootstrap's runs: what ``kill -9`` leaves, this leaves."""


class Machine:
    """A machine whose programs are recorded, not run."""

    def __init__(self) -> None:
        self.ran: list[list[str]] = []
        self.options: list[dict] = []
        self.codes: dict[str, int] = {}  # a word of the command -> its exit code
        self.programs: dict[str, str] = {}
        self.killed_at: int | None = None  # the command that does not live to its end

    def run(self, command, *, check=False, **options):
        command = [str(word) for word in command]
        self.ran.append(command)
        self.options.append(options)
        if len(self.ran) - 1 == self.killed_at:
            raise Killed
        code = next((code for word, code in self.codes.items() if word in command), 0)
        if check and code:
            raise subprocess.CalledProcessError(code, command)
        if "venv" in command:
            make_python()
        return SimpleNamespace(returncode=code)

    def which(self, name, path=None):
        return self.programs.get(f"{path}/{name}" if path else name)


def make_python() -> None:
    bootstrap._python().parent.mkdir(parents=True, exist_ok=True)
    bootstrap._python().write_text("", encoding="utf-8")


@pytest.fixture
def machine(tmp_path, monkeypatch):
    (tmp_path / "requirements").mkdir()
    (tmp_path / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    for profile in bootstrap.PROFILES:
        (tmp_path / "requirements" / f"{profile}.txt").write_text(f"{profile}==1\n", encoding="utf-8")
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / ".venv")
    machine = Machine()
    machine.programs["uv"] = "/opt/uv"
    monkeypatch.setattr(bootstrap.subprocess, "run", machine.run)
    monkeypatch.setattr(bootstrap.shutil, "which", machine.which)
    return machine


def test_it_needs_nothing_but_the_standard_library():
    tree = ast.parse(Path(bootstrap.__file__).read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    # kcourse.base.files imports nothing else: pyproject.toml, lint-imports
    assert names <= sys.stdlib_module_names | {"__future__", "kcourse.base.files"}
    program = "import sys; sys.path.insert(0, '.'); import kcourse.base.files; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-S", "-c", program], cwd=ROOT, check=False).returncode == 0


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize("argv", [[], ["all"], ["lab", "dev"], ["--help"], ["LAB"]])
def test_an_unknown_profile_is_told_the_two_that_there_are(machine, capsys, argv):
    assert bootstrap.main(argv) == 2
    assert capsys.readouterr().err == "usage: python tools/bootstrap.py [--exactly] lab|dev\n"
    assert machine.ran == []


def test_with_uv_the_environment_is_made_and_filled_by_uv(machine, tmp_path, capsys):
    assert bootstrap.main(["lab"]) == 0
    python, venv = str(bootstrap._python()), str(tmp_path / ".venv")
    pins = str(tmp_path / "requirements" / "lab.txt")
    assert machine.ran == [
        ["/opt/uv", "venv", "--quiet", "--allow-existing", "--python", sys.executable, venv],
        ["/opt/uv", "pip", "install", "--python", python, "--quiet", "--compile-bytecode", "-r", pins],
        ["/opt/uv", "pip", "install", "--python", python, "--quiet", "--no-deps", "-e", str(tmp_path)],
    ]
    assert "Setting up .venv for 'lab'" in capsys.readouterr().out


def test_without_uv_one_is_put_into_the_environment_or_pip_does_it(machine, tmp_path, capsys):
    del machine.programs["uv"]
    machine.programs[f"{tmp_path / '.venv' / 'bin'}/uv"] = "/venv/uv"
    if bootstrap.os.name == "nt":
        machine.programs[f"{bootstrap._python().parent}/uv"] = "/venv/uv"
    assert bootstrap.main(["dev"]) == 0
    assert machine.ran[0] == [sys.executable, "-m", "venv", str(tmp_path / ".venv")]
    assert machine.ran[1][:4] == [str(bootstrap._python()), "-m", "pip", "install"] and machine.ran[1][-1] == "uv"
    assert [command[0] for command in machine.ran[2:]] == ["/venv/uv", "/venv/uv"]
    machine.codes["uv"] = 1
    bootstrap._stamp("dev").unlink()
    machine.ran.clear()
    assert bootstrap.main(["dev"]) == 0
    assert [command[1:4] for command in machine.ran[2:]] == [["-m", "pip", "install"]] * 2


def test_the_callers_environment_does_not_leak_in(machine, monkeypatch, tmp_path):
    for name in ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME"):
        monkeypatch.setenv(name, "/elsewhere")
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy")
    bootstrap.main(["lab"])
    for options in machine.options:
        assert not {"VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME"} & set(options["env"])
        assert options["env"]["HTTPS_PROXY"] == "http://proxy" and options["cwd"] == tmp_path


def test_a_failure_names_the_command_and_what_to_try(machine, capsys):
    machine.codes["-r"] = 7
    assert bootstrap.main(["lab"]) == 1
    said = capsys.readouterr().err
    assert "'/opt/uv pip install --python …' failed with exit code 7" in said
    assert "check the connection or the proxy" in said


def test_after_a_failure_the_next_call_goes_on_and_trusts_nothing_that_is_installed(machine):
    bootstrap.main(["lab"])
    kept = bootstrap.VENV / "kept"
    kept.write_text("", encoding="utf-8")
    bootstrap._stamp("lab").write_text("of older pins", encoding="utf-8")
    machine.codes["-r"] = 1  # no network: nothing was changed
    assert bootstrap.main(["lab"]) == 1 and not bootstrap._is_current("lab")
    machine.codes.clear()
    machine.ran.clear()
    assert bootstrap.main(["lab"]) == 0 and kept.exists()
    assert [("--reinstall" in command) for command in machine.ran] == [False, True, False]
    assert bootstrap._is_current("lab")


# ---------------------------------------------------------------- killed, interrupted, two at once


@pytest.mark.parametrize("command", [0, 1, 2, 3])
def test_killed_at_any_command_the_next_call_begins_anew(machine, command, capsys):
    del machine.programs["uv"]
    machine.killed_at = command
    with pytest.raises(Killed):
        bootstrap.main(["lab"])
    (bootstrap.VENV / "half").write_text("a package without its end", encoding="utf-8")
    assert not bootstrap._is_current("lab")
    machine.killed_at = None
    machine.ran.clear()
    assert bootstrap.main(["lab"]) == 0 and bootstrap._is_current("lab")
    assert "venv" in machine.ran[0] and not (bootstrap.VENV / "half").exists()
    assert "made again" in capsys.readouterr().out
    assert {path.name for path in bootstrap.ROOT.glob(".venv*")} == {".venv", ".venv.lock"}


def test_an_environment_whose_python_does_not_run_is_made_anew(machine):
    del machine.programs["uv"]
    bootstrap.VENV.mkdir()
    make_python()
    machine.codes["import pip"] = 1
    assert bootstrap.main(["lab"]) == 0
    assert any("venv" in command for command in machine.ran[:2])


def test_a_second_terminal_waits_for_the_first_and_finds_all_done(machine, monkeypatch, capsys):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(bootstrap.ROOT / ".venv.lock")], cwd=ROOT, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    holder.stdout.readline()

    def waiting(holder_says):
        bootstrap_says(holder_says)
        make_python()
        bootstrap._stamp("lab").write_text(bootstrap._fingerprint("lab"), encoding="utf-8")
        holder.kill()  # -9: nothing is left to unlock

    bootstrap_says = bootstrap._say_who
    monkeypatch.setattr(bootstrap, "_say_who", waiting)
    assert bootstrap.main(["lab"]) == 0
    holder.communicate()
    said = capsys.readouterr().out
    assert "Waiting" in said and f"(process {holder.pid}, dev, since " in said
    assert "Setting up" not in said and machine.ran == []


HOLDS = """
import sys
from pathlib import Path
from kcourse.base.files import locked
with locked(Path(sys.argv[1]), "dev", print):
    print("held", flush=True)
    sys.stdin.read()
"""


# ---------------------------------------------------------------- the stamp


def test_what_is_set_up_is_not_set_up_again(machine, capsys):
    bootstrap.main(["lab"])
    before = len(machine.ran)
    capsys.readouterr()
    assert bootstrap.main(["lab"]) == 0 and len(machine.ran) == before
    assert capsys.readouterr().out == ""


def test_dev_holds_all_of_lab_but_not_the_other_way_round(machine):
    bootstrap.main(["dev"])
    before = len(machine.ran)
    bootstrap.main(["lab"])
    assert len(machine.ran) == before
    bootstrap._stamp("dev").unlink()
    bootstrap.main(["lab"])
    assert not bootstrap._is_current("dev") and bootstrap._is_current("lab")


@pytest.mark.parametrize("changed", ["pyproject.toml", "requirements/lab.txt"])
def test_a_change_of_what_is_needed_sets_up_again(machine, tmp_path, changed):
    bootstrap.main(["lab"])
    assert bootstrap._is_current("lab")
    (tmp_path / changed).write_text("something == 2\n", encoding="utf-8")
    assert not bootstrap._is_current("lab")


@pytest.mark.parametrize(("key", "minor"), [("version", 1), ("version_info", 1), ("version_info", 0)])  # venv, uv
def test_a_chosen_python_replaces_the_environment_of_another_version(machine, capsys, key, minor):
    bootstrap.main(["lab"])
    major, ours = sys.version_info[:2]
    (bootstrap.VENV / "pyvenv.cfg").write_text(f"home = /opt\n{key} = {major}.{ours + minor}.0\n", encoding="utf-8")
    assert bootstrap.main(["lab"]) == 0 and len(machine.ran) == 3
    assert bootstrap.main(["--exactly", "lab"]) == 0 and len(machine.ran) == 3 + 3 * minor
    assert not minor or "made again" in capsys.readouterr().out


def test_a_folder_that_moved_is_set_up_again(machine, tmp_path, monkeypatch):
    bootstrap.main(["lab"])
    moved = tmp_path / "moved"
    moved.mkdir()
    for path in ("requirements", "pyproject.toml", ".venv"):
        (tmp_path / path).rename(moved / path)
    monkeypatch.setattr(bootstrap, "ROOT", moved)
    monkeypatch.setattr(bootstrap, "VENV", moved / ".venv")
    assert not bootstrap._is_current("lab")  # scripts in .venv carry the old path


# ---------------------------------------------------------------- machines that lack something


def test_without_ensurepip_the_package_to_install_is_named(machine, monkeypatch):
    del machine.programs["uv"]
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name == "ensurepip":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(SystemExit) as caught:
        bootstrap.main(["lab"])
    version = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    assert f"sudo apt install {version}" in str(caught.value)
    assert machine.ran == []
    machine.programs["uv"] = "/opt/uv"  # uv needs no ensurepip
    assert bootstrap.main(["lab"]) == 0


def old_python(monkeypatch):
    monkeypatch.setattr(bootstrap, "sys", SimpleNamespace(
        version_info=(3, 10, 4), version="3.10.4 (main)", executable="/usr/bin/python3", stderr=sys.stderr,
    ))  # fmt: skip


def test_an_old_python_says_which_one_is_needed(machine, monkeypatch, capsys):
    old_python(monkeypatch)
    assert bootstrap.main(["lab"]) == 1
    said = capsys.readouterr().err
    assert "Python 3.11 or newer is needed, but this is 3.10.4" in said and "make lab PYTHON=python3.12" in said
    assert machine.ran == []


def test_an_old_python_hands_over_to_a_newer_one_that_works(machine, monkeypatch):
    old_python(monkeypatch)
    machine.programs |= {"python3.13": "/broken/python3.13", "python3.11": "/usr/bin/python3.11"}
    machine.codes["/broken/python3.13"] = 127  # a shim without a Python behind it
    assert bootstrap.main(["dev"]) == 0
    assert machine.ran[-1] == ["/usr/bin/python3.11", bootstrap.__file__, "dev"]
    machine.codes["dev"] = 3
    assert bootstrap.main(["dev"]) == 3  # its exit code is ours
    assert bootstrap.main(["--exactly", "dev"]) == 1  # the old one was asked for by name
