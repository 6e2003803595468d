"""Make the project's own environment in .venv: ``python tools/bootstrap.py lab`` (or ``dev``).

Standard library only, because it runs before anything is installed; the same on Linux, macOS and Windows.
It uses uv where there is one or where one can be installed into .venv, and pip otherwise. It does nothing
when .venv already holds what pyproject.toml and the pinned requirements ask for.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OLDEST = (3, 11)
PROFILES = ("lab", "dev")  # each one holds all of the one before


def main(argv: list[str]) -> int:
    if len(argv) != 1 or argv[0] not in PROFILES:
        print("usage: python tools/bootstrap.py lab|dev", file=sys.stderr)
        return 2
    if sys.version_info < OLDEST:
        return _with_newer_python(argv)
    profile = argv[0]
    if _is_current(profile):
        return 0
    print(f"Setting up .venv for '{profile}' (once; a minute or less)", flush=True)
    try:
        _install(profile)
    except subprocess.CalledProcessError as error:
        print(
            f"bootstrap: '{' '.join(map(str, error.cmd[:4]))} …' failed with exit code {error.returncode}.\n"
            "Its message is above. If it speaks of the network, check the connection or the proxy and call "
            "make again;\nif .venv looks broken, delete the folder .venv and call make again.",
            file=sys.stderr,
        )
        return 1
    _stamp(profile).write_text(_fingerprint(profile), encoding="utf-8")
    return 0


def _install(profile: str) -> None:
    requirements = ROOT / "requirements" / f"{profile}.txt"
    uv = shutil.which("uv")
    if not _python().exists():
        _make_venv(uv)
    uv = uv or _uv_into_venv()
    pip = [uv, "pip", "install", "--python", str(_python())] if uv else [str(_python()), "-m", "pip", "install"]
    # one call for the pins and one for the project itself, so that pip need not resolve its extras again
    _run([*pip, "--quiet", "-r", str(requirements)])
    _run([*pip, "--quiet", "--no-deps", "-e", str(ROOT)])


def _make_venv(uv: str | None) -> None:
    if uv:
        _run([uv, "venv", "--quiet", "--allow-existing", "--python", sys.executable, str(VENV)])
        return
    try:
        import ensurepip  # noqa: F401  (Debian ships it apart from python3)
    except ImportError:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise SystemExit(
            f"bootstrap: this Python cannot make environments. On Debian or Ubuntu: sudo apt install "
            f"python{version}-venv; or install uv. Then call make again."
        ) from None
    _run([sys.executable, "-m", "venv", str(VENV)])


def _uv_into_venv() -> str | None:
    """uv inside .venv: it installs everything in seconds where pip takes half a minute."""
    quiet = [str(_python()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv"]
    if subprocess.run(quiet, stderr=subprocess.DEVNULL, check=False).returncode == 0:
        return shutil.which("uv", path=str(_python().parent))
    print("bootstrap: no uv for this machine, going on with pip", flush=True)
    return None


def _run(command: list[str]) -> None:
    # no VIRTUAL_ENV or PYTHONPATH of the caller's may leak into ours
    env = {k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME")}
    subprocess.run(command, check=True, env=env, cwd=ROOT)


def _python() -> Path:
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _stamp(profile: str) -> Path:
    return VENV / f"kcourse-{profile}.stamp"


def _fingerprint(profile: str) -> str:
    digest = hashlib.sha256(str(ROOT).encode())
    for path in (ROOT / "pyproject.toml", ROOT / "requirements" / f"{profile}.txt"):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _is_current(profile: str) -> bool:
    enough = PROFILES[PROFILES.index(profile) :]
    return _python().exists() and any(
        _stamp(p).exists() and _stamp(p).read_text(encoding="utf-8") == _fingerprint(p) for p in enough
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
