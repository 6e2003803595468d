"""Make the project's own environment in .venv: ``python tools/bootstrap.py lab`` (or ``dev``).

Standard library only, because it runs before anything is installed; the same on Linux, macOS and Windows.
It uses uv where there is one or where one can be installed into .venv, and pip otherwise. It does nothing
when .venv already holds what pyproject.toml and the pinned requirements ask for.

It may be killed at any moment: an environment cannot be built elsewhere and moved, since its programs carry its path,
so .venv holds a mark from before the first change until after the last, and a marked one is moved away and made anew.
Two at once take turns.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OLDEST = (3, 11)
PROFILES = ("lab", "dev")  # each one holds all of the one before
STARTED, FAILED = "started", "failed"  # what the mark says


def main(argv: list[str]) -> int:
    if len(argv) != 1 or argv[0] not in PROFILES:
        print("usage: python tools/bootstrap.py lab|dev", file=sys.stderr)
        return 2
    if sys.version_info < OLDEST:
        return _with_newer_python(argv)
    profile = argv[0]
    if _is_current(profile):
        return 0
    sys.path.insert(0, str(ROOT))
    from kcourse.base.files import locked

    try:
        with locked(ROOT / ".venv.lock", profile, _say_who) as lock:
            return 0 if _is_current(profile) else _set_up(profile, lock)  # who was waited for may have done it
    except OSError as error:
        print(
            f"bootstrap: {error}.\nIs the disk full, may the folder of the course not be written, or does a program "
            "use .venv? See to it, then call again.",
            file=sys.stderr,
        )
        return 1
    except KeyboardInterrupt:
        print("\nbootstrap: stopped; the next call begins again", file=sys.stderr)
        return 130


def _say_who(holder: str) -> None:
    print(f"Waiting for another set-up of .venv to end ({holder})", flush=True)


def _set_up(profile: str, lock: int) -> int:
    print(f"Setting up .venv for '{profile}' (once; a minute or less)", flush=True)
    again = _mark().exists() and _mark().read_text(encoding="utf-8") == FAILED
    if VENV.exists() and not ((again or not _mark().exists()) and _works() and _made_here()):
        print("(.venv is unfinished, broken or from another folder: making it anew)", flush=True)
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
            "Its message is above. If it speaks of the network, check the connection or the proxy. Then call again.",
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
    # byte code is compiled now, as pip always does: later starts take half as long
    pip = [uv, "pip", "install", "--python", str(_python())] if uv else [str(_python()), "-m", "pip", "install"]
    options = (["--compile-bytecode"] if uv else []) + (["--reinstall" if uv else "--force-reinstall"] if again else [])
    # one call for the pins and one for the project itself, so that pip need not resolve its extras again
    _run([*pip, "--quiet", *options, "-r", str(requirements)], lock)
    _run([*pip, "--quiet", "--no-deps", "-e", str(ROOT)], lock)


def _make_venv(uv: str | None, lock: int) -> None:
    # called by .venv's own Python, which has just been moved away, the one that made it is meant
    python = sys._base_executable if Path(sys.prefix) == VENV else sys.executable
    if uv:
        _run([uv, "venv", "--quiet", "--allow-existing", "--python", python, str(VENV)], lock)
        return
    try:
        import ensurepip  # noqa: F401  (Debian ships it apart from python3)
    except ImportError:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise SystemExit(
            f"bootstrap: this Python cannot make environments. On Debian or Ubuntu: sudo apt install "
            f"python{version}-venv; or install uv. Then call make again."
        ) from None
    _run([python, "-m", "venv", str(VENV)], lock)


def _uv_into_venv(lock: int) -> str | None:
    """uv inside .venv: it installs everything in seconds where pip takes half a minute."""
    quiet = [str(_python()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv"]
    try:
        _run(quiet, lock, stderr=subprocess.DEVNULL)
    except subprocess.CalledProcessError:
        print("bootstrap: no uv for this machine, going on with pip", flush=True)
        return None
    return shutil.which("uv", path=str(_python().parent))


def _run(command: list[str], lock: int, **options) -> None:
    from kcourse.base.files import home_instead

    # no VIRTUAL_ENV or PYTHONPATH of the caller's may leak into ours
    env = {k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME")}
    env |= home_instead(VENV)
    if os.name != "nt":
        options["pass_fds"] = [lock]  # if we are killed, nobody else begins before this command has ended
    subprocess.run(command, check=True, env=env, cwd=ROOT, **options)


def _works() -> bool:
    """Whether the environment's Python runs and can be installed into."""
    if not _python().exists():
        return False
    test = [str(_python()), "-c", "" if shutil.which("uv") else "import pip"]
    try:
        return subprocess.run(test, stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:  # not a program at all
        return False


def _made_here() -> bool:
    """Whether it was made in this folder: its programs carry its path, so a moved one is half an environment."""
    try:
        return _place().read_text(encoding="utf-8") == str(ROOT)
    except (OSError, ValueError):
        return True  # somebody else made it, who knows what they do


def _move_away() -> None:
    """Rename .venv, which happens whole or not at all; to delete it takes a while."""
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


def _is_current(profile: str) -> bool:
    enough = PROFILES[PROFILES.index(profile) :]
    return (
        _python().exists()
        and not _mark().exists()
        and any(_stamp(p).exists() and _stamp(p).read_text(encoding="utf-8") == _fingerprint(p) for p in enough)
    )


def _with_newer_python(argv: list[str]) -> int:
    for minor in (13, 12, 11, 14):
        python = shutil.which(f"python3.{minor}")
        if python and subprocess.run([python, "-c", ""], check=False).returncode == 0:
            return subprocess.run([python, __file__, *argv], check=False).returncode
    print(
        f"bootstrap: Python {'.'.join(map(str, OLDEST))} or newer is needed, this is {sys.version.split()[0]}. "
        "Install one and call again, for example: make lab PYTHON=python3.12",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
