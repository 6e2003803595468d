"""The same numbers on every machine: ``python -m tools.machines [--list] [names] [-- options of pytest]``.

Runs what rounding can change (unit tests, laws, references, doctests, and the notebooks against their stored outputs)
on every machine that this one can play: each set of OpenBLAS's kernels that its processor runs, NumPy without AVX-512
and with nothing but its baseline, two BLAS threads, a stand-in BLAS (tools/stand_in), the oldest and the newest
supported versions, and WebAssembly (tools/wasm.py, which runs what readers of a browser's edition run), in environments
under .build/machines that are kept. ``make test-machines`` calls this.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from kcourse.base import threads
from tools import test

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".build" / "machines"
ANCHORS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/chapters/*/test_anchors*.py"))
TESTS = ("tests/unit", "tests/laws", "tests/reference", "kcourse", *ANCHORS)
KERNELS = ("Prescott", "Nehalem", "Sandybridge", "Haswell", "Zen", "SkylakeX", "Cooperlake", "Sapphirerapids")
if platform.machine().lower() in ("aarch64", "arm64"):
    KERNELS = ("ARMV8", "CortexA57", "NeoverseN1", "NeoverseV1")
# a product first: kernels that the processor cannot run end here and not in a test
IN_FORCE = """
import json, numpy, scipy.linalg, threadpoolctl
numpy.ones((64, 64)) @ scipy.linalg.cho_factor(numpy.eye(64))[0]
libraries = [each for each in threadpoolctl.threadpool_info() if each["internal_api"] == "openblas"]
print(json.dumps(sorted({each["architecture"] for each in libraries})))
"""
DISPATCHED = """
import json
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
print(json.dumps([name for name in __cpu_dispatch__ if __cpu_features__[name]]))
"""


@dataclass(frozen=True)
class Machine:
    """One way to run the tests: variables, an environment of its own with versions that uv resolves, or a program."""

    name: str
    what: str
    env: dict[str, str] = field(default_factory=dict)
    resolution: str = ""
    runs: Callable[[list[str]], tuple[int, int, bool]] | None = None  # as `run`, given the options of pytest


def machines(in_force: Callable[[str], list[str]], features: list[str]) -> tuple[list[Machine], list[str]]:
    """All that can be played here, and a line for each that cannot.

    ``in_force`` says which kernels answer when some are asked for, ``features`` what NumPy found in the processor.
    """
    from tools import wasm  # which makes its environment as this file does

    found, left_out, answered = [], [], {}
    for asked in KERNELS:
        name, answer = asked.lower(), "+".join(in_force(asked))
        if not answer:
            left_out.append(f"{name}: no OpenBLAS here, or its {asked} kernels do not run on this processor")
        elif answer in answered:
            left_out.append(f"{name}: {answer} kernels answer, as they do for {answered[answer]}")
        else:
            answered[answer] = name
            found.append(Machine(name, f"OpenBLAS's {answer} kernels", {"OPENBLAS_CORETYPE": asked}))
    wide = [feature for feature in features if feature.startswith("AVX512") or feature == "X86_V4"]
    for name, off, kernels in (("no-avx512", wide, "Haswell"), ("baseline", features, "Nehalem")):
        if off:  # with the kernels that OpenBLAS takes on such a processor
            env = {"NPY_DISABLE_CPU_FEATURES": ",".join(off), "OPENBLAS_CORETYPE": kernels}
            found.append(Machine(name, f"NumPy without {', '.join(off)}, {kernels} kernels if there are any", env))
        else:
            left_out.append(f"{name}: NumPy uses no such features here")
    found.append(Machine("two-threads", "two BLAS threads", dict.fromkeys(threads.VARIABLES, "2")))
    path = os.pathsep.join(filter(None, [str(ROOT / "tools" / "stand_in"), os.environ.get("PYTHONPATH")]))
    found.append(Machine("stand-in", "a BLAS with other signs and other last bits", {"PYTHONPATH": path}))
    found.append(Machine("oldest", "the oldest direct dependencies", resolution="lowest-direct"))
    found.append(Machine("newest", "the newest versions of everything", resolution="highest"))
    found.append(Machine("wasm", "CPython for WebAssembly: 32 bits, no threads, no processes", runs=wasm.run))
    return found, left_out


def chosen(found: list[Machine], names: list[str]) -> list[Machine]:
    """The machines of these names, in their order; without names all of them."""
    unknown = set(names) - {machine.name for machine in found}
    if unknown:
        raise SystemExit(f"machines: no {', '.join(sorted(unknown))} here; there are {' '.join(m.name for m in found)}")
    return [machine for machine in found if not names or machine.name in names]


def selection(options: list[str]) -> list[str]:
    """What pytest is to run: the options, and where they name no file everything that rounding can change."""
    if any((ROOT / option.partition("::")[0]).exists() for option in options):
        return options
    notebooks = [path for folder in ("notebooks", "solutions") for path in sorted((ROOT / folder).glob("*.ipynb"))]
    return [*TESTS, *(path.relative_to(ROOT).as_posix() for path in notebooks), *options]


def environment(extra: dict[str, str]) -> dict[str, str]:
    """The variables of a run: those of `tools.test`, and nothing of the caller's about kernels."""
    mine = ("OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES", "NPY_ENABLE_CPU_FEATURES", "VIRTUAL_ENV")
    return {name: value for name, value in test.environment().items() if name not in mine} | extra


def ask(program: str, **extra: str) -> list[str]:
    """What a program prints as JSON in a process with these variables; nothing if it fails."""
    done = subprocess.run([sys.executable, "-c", program], env=environment(extra), capture_output=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else []


def make_python(machine: Machine) -> str:
    """The interpreter that plays the machine; one with versions of its own is made, or brought up to date."""
    if not machine.resolution:
        return sys.executable
    python = venv(FOLDER / machine.name, base_python(machine))
    how = ["--upgrade", "--resolution", machine.resolution, "--python", python, "-e", f"{ROOT}[dev]"]
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", *how]
    subprocess.run(command, check=True, env=environment({}))
    return python


def venv(place: Path, base: str = sys.executable) -> str:
    """The interpreter of an environment, which is made if it is not there."""
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        command = [sys.executable, "-m", "uv", "venv", "--quiet", "--allow-existing", "--python", base, str(place)]
        subprocess.run(command, check=True)
    return str(python)


def base_python(machine: Machine) -> str:
    """The newest supported Python for the newest versions, the oldest for the oldest, or this one if it is not here."""
    for minor in (13, 12) if machine.resolution == "highest" else (11,):
        python = shutil.which(f"python3.{minor}")
        if python and subprocess.run([python, "-c", "import venv"], check=False, capture_output=True).returncode == 0:
            return python
    return sys.executable


def run(machine: Machine, options: list[str]) -> tuple[int, int, bool]:
    """Run pytest there; returns how many passed, how many failed, and whether all is well."""
    report = FOLDER / f"{machine.name}.xml"
    report.unlink(missing_ok=True)
    try:
        if machine.runs:
            return machine.runs(options)
        python = make_python(machine)
    except subprocess.CalledProcessError as error:
        print(f"machines: {machine.name} could not be set up ({error}); uv's message is above")
        return 0, 0, False
    how = ["-q", "-n", str(min(4, os.cpu_count() or 1)), "--dist", "loadfile"]
    command = [python, "-m", "pytest", *how, f"--junitxml={report}", *selection(options)]
    code = subprocess.run(command, cwd=ROOT, env=environment(machine.env), check=False).returncode
    if not report.exists():
        return 0, 0, False
    counts = ElementTree.parse(report).getroot().find("testsuite").attrib
    failed = int(counts["failures"]) + int(counts["errors"])
    return int(counts["tests"]) - failed - int(counts["skipped"]), failed, code == 0


def main(arguments: list[str]) -> int:
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    names, options = arguments[:cut], arguments[cut + 1 :]
    found, left_out = machines(lambda asked: ask(IN_FORCE, OPENBLAS_CORETYPE=asked), ask(DISPATCHED))
    if names == ["--list"]:
        print("\n".join(f"{machine.name:<12}{machine.what}" for machine in found), *left_out, sep="\n")
        return 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows, well = [], True
    for machine in chosen(found, names):
        print(f"\n== {machine.name}: {machine.what}", flush=True)
        start = time.monotonic()
        passed, failed, fine = run(machine, options)
        rows.append(f"{machine.name:<16}{passed:>8}{failed:>8}{time.monotonic() - start:>10.0f}{'' if fine else '  !'}")
        well = well and fine
    print(f"\n{'machine':<16}{'passed':>8}{'failed':>8}{'seconds':>10}", *rows, sep="\n")
    if not names:
        print(*(f"left out: {line}" for line in left_out), sep="\n")
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
