"""Make the project's own environment in .venv: ``python tools/bootstrap.py lab`` (or ``dev``).

It uses only the standard library, because it runs before anything is installed, on Linux, macOS and Windows. It uses
uv if there is one or if one can be installed into .venv, and otherwise pip. It does nothing if .venv already has what
pyproject.toml and the pinned requirements ask for. With ``--exactly``, which make passes on if you choose a PYTHON, the
.venv of another version is made again.

It may be interrupted at any moment. An environment cannot be built elsewhere and moved, because its programs contain
its path. So .venv contains a mark from before the first change until after the last. A marked environment is moved
away and made again. Two calls at the same time take turns.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OLDEST = (3, 11)
PROFILES = ("lab", "dev")  # each contains the one before
STARTED, FAILED = "started", "failed"  # contents of the mark


def main(argv: list[str]) -> int:
    exactly, argv = argv[:1] == ["--exactly"], [word for word in argv if word != "--exactly"]
    if len(argv) != 1 or argv[0] not in PROFILES:
        print("usage: python tools/bootstrap.py [--exactly] lab|dev", file=sys.stderr)
        return 2
    if sys.version_info < OLDEST:
        return _with_newer_python(argv, exactly)
    profile = argv[0]
    if _is_current(profile, exactly):
        return 0
    sys.path.insert(0, str(ROOT))
    from kcourse.base.files import locked

    try:
        with locked(ROOT / ".venv.lock", profile, _say_who) as lock:  # another process may do it meanwhile
            return 0 if _is_current(profile, exactly) else _set_up(profile, lock, exactly)
    except OSError as error:
        print(
            f"bootstrap: {error}.\nCheck that the disk is not full, that you may write in the course folder, and that "
            "no program is using .venv. Then run this command again.",
            file=sys.stderr,
        )
        return 1
    except KeyboardInterrupt:
        print("\nbootstrap: stopped. The next call starts again.", file=sys.stderr)
        return 130


def _say_who(holder: str) -> None:
    print(f"Waiting for another set-up of .venv to finish ({holder})", flush=True)


def _set_up(profile: str, lock: int, exactly: bool) -> int:
    print(f"Setting up .venv for '{profile}' (once; a minute or less)", flush=True)
    again = _mark().exists() and _mark().read_text(encoding="utf-8") == FAILED
    kept = (again or not _mark().exists()) and not (exactly and _is_of_another_python()) and _works() and _made_here()
    if VENV.exists() and not kept:
        print("(.venv is unfinished, broken, or from another folder or Python, so it is made again)", flush=True)
        _move_away()
    for old in ROOT.glob(".venv-old-*"):
        shutil.rmtree(old, ignore_errors=True)
    VENV.mkdir(exist_ok=True)
    _mark().write_text(STARTED, encoding="utf-8")
    _place().write_text(str(ROOT), encoding="utf-8")
    try:
        _install(profile, lock, again)
    except subprocess.CalledProcessError as error:
        _mark().write_text(FAILED, encoding="utf-8")
        print(
            f"bootstrap: '{' '.join(map(str, error.cmd[:4]))} …' failed with exit code {error.returncode}.\n"
            "Its message is above. If it is about the network, check the connection or the proxy. Then run this "
            "command again.",
            file=sys.stderr,
        )
        return 1
    _stamp(profile).write_text(_fingerprint(profile), encoding="utf-8")
    _mark().unlink()
    return 0


def _install(profile: str, lock: int, again: bool) -> None:
    requirements = ROOT / "requirements" / f"{profile}.txt"
    uv = shutil.which("uv")
    if not _python().exists():
        _make_venv(uv, lock)
    uv = uv or _uv_into_venv(lock)
    # compile byte code now, as pip does, because later starts then take half as long
    pip = [uv, "pip", "install", "--python", str(_python())] if uv else [str(_python()), "-m", "pip", "install"]
    options = (["--compile-bytecode"] if uv else []) + (["--reinstall" if uv else "--force-reinstall"] if again else [])
    # separate calls for the pins and the project, so that pip does not resolve the extras again
    _run([*pip, "--quiet", *options, "-r", str(requirements)], lock)
    _run([*pip, "--quiet", "--no-deps", "-e", str(ROOT)], lock)


def _make_venv(uv: str | None, lock: int) -> None:
    # if .venv's own Python called this, it has just been moved away, so use the Python that made it
    python = sys._base_executable if Path(sys.prefix) == VENV else sys.executable
    if uv:
        _run([uv, "venv", "--quiet", "--allow-existing", "--python", python, str(VENV)], lock)
        return
    try:
        import ensurepip  # noqa: F401  (a separate package on Debian)
    except ImportError:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise SystemExit(
            f"bootstrap: this Python cannot make environments. On Debian or Ubuntu, run sudo apt install "
            f"python{version}-venv, or install uv. Then run make again."
        ) from None
    _run([python, "-m", "venv", str(VENV)], lock)


def _uv_into_venv(lock: int) -> str | None:
    """Install uv into .venv, because it takes seconds where pip takes half a minute; None if that fails."""
    quiet = [str(_python()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv"]
    try:
        _run(quiet, lock, stderr=subprocess.DEVNULL)
    except subprocess.CalledProcessError:
        print("bootstrap: uv is not available for this machine, so pip is used", flush=True)
        return None
    return shutil.which("uv", path=str(_python().parent))


def _run(command: list[str], lock: int, **options) -> None:
    from kcourse.base.files import home_instead

    # the caller's VIRTUAL_ENV and PYTHONPATH must not affect ours
    env = {k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME")}
    env |= home_instead(VENV)
    if os.name != "nt":
        options["pass_fds"] = [lock]  # if we are killed, others still wait until this command has ended
    subprocess.run(command, check=True, env=env, cwd=ROOT, **options)


def _works() -> bool:
    """Whether the environment's Python runs and packages can be installed."""
    if not _python().exists():
        return False
    test = [str(_python()), "-c", "" if shutil.which("uv") else "import pip"]
    try:
        return subprocess.run(test, stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:  # not a program at all
        return False


def _made_here() -> bool:
    """Whether it was made in this folder; programs contain its path, so a moved environment is broken."""
    try:
        return _place().read_text(encoding="utf-8") == str(ROOT)
    except (OSError, ValueError):
        return True  # the author made it in another way


def _is_of_another_python() -> bool:
    """Whether the environment has another minor version than the Python that runs this."""
    text = config.read_text(encoding="utf-8", errors="replace") if (config := VENV / "pyvenv.cfg").is_file() else ""
    return re.search(rf"^version.*= *{sys.version_info.major}\.{sys.version_info.minor}\b", text, re.MULTILINE) is None


def _move_away() -> None:
    """Rename .venv, because renaming is atomic and deleting takes a while."""
    names = (VENV.with_name(f".venv-old-{n}") for n in itertools.count())
    VENV.rename(next(name for name in names if not name.exists()))


def _python() -> Path:
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _place() -> Path:
    return VENV / "kcourse-place"


def _mark() -> Path:
    return VENV / "kcourse-unfinished"


def _stamp(profile: str) -> Path:
    return VENV / f"kcourse-{profile}.stamp"


def _fingerprint(profile: str) -> str:
    digest = hashlib.sha256(str(ROOT).encode())
    for path in (ROOT / "pyproject.toml", ROOT / "requirements" / f"{profile}.txt"):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _is_current(profile: str, exactly: bool = False) -> bool:
    enough = PROFILES[PROFILES.index(profile) :]
    return (
        _python().exists()
        and not _mark().exists()
        and not (exactly and _is_of_another_python())
        and any(_stamp(p).exists() and _stamp(p).read_text(encoding="utf-8") == _fingerprint(p) for p in enough)
    )


def _with_newer_python(argv: list[str], exactly: bool) -> int:
    for minor in () if exactly else (13, 12, 11, 14):
        python = shutil.which(f"python3.{minor}")
        if python and subprocess.run([python, "-c", ""], check=False).returncode == 0:
            return subprocess.run([python, __file__, *argv], check=False).returncode
    print(
        f"bootstrap: Python {'.'.join(map(str, OLDEST))} or newer is needed, but this is {sys.version.split()[0]}. "
        "Install a newer one and run, for example: make lab PYTHON=python3.12",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
