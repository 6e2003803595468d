"""Run every test: ``python -m tools.test [options of pytest]``. ``make test`` calls this, and so does CI.

Notebooks first take their share of the processors, so that the two workers finish together. Options restrict the
run to the ordinary tests: ``python -m tools.test -k ridge``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(options: list[str]) -> int:
    env = {
        **os.environ,
        # one thread: several workers with several BLAS threads each fight over the processors
        **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
        "PYTHONHASHSEED": "0",
        "JUPYTER_PLATFORM_DIRS": "1",
        "JUPYTER_PREFER_ENV_PATH": "1",
        # kernels must find this environment first, whatever is installed elsewhere
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
    }
    workers = str(min(4, os.cpu_count() or 1))
    command = [sys.executable, "-m", "pytest", "-n", workers, "--dist", "loadfile", *options]
    return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
