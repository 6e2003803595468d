"""Run the comparisons and write the table.

python -m benchmarks                    # every part, and write benchmarks/RESULTS.md
python -m benchmarks ridge svm          # some parts; prints only
"""

from __future__ import annotations

import os

from kcourse.base import threads

# before NumPy is loaded: with more threads on a shared machine the same call varies several-fold
os.environ.update(threads.settings({}))

import argparse
import platform
import sys
from importlib import import_module
from pathlib import Path

import numpy
import scipy
import sklearn

HERE = Path(__file__).parent
PARTS = sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of {', '.join(PARTS)} (default: all)")
    parser.add_argument("-k", dest="only", default="", help="only tasks whose text contains this")
    parser.add_argument("--write", type=Path, help="write the table to this file")
    options = parser.parse_args()
    if unknown := sorted(set(options.parts) - set(PARTS)):
        parser.error(f"no part {', '.join(unknown)}; there are {', '.join(PARTS)}")

    lines, missed = header(), 0
    print("\n".join(lines), flush=True)
    for part in options.parts or PARTS:
        for row in import_module(f"benchmarks.bench_{part}").rows():
            if options.only not in row.task:
                continue
            value, met = row.measure()
            missed += not met
            lines.append(f"| {row.task} | {row.peer} | {value} | {row.promise} | {'' if met else '**missed**'} |")
            print(lines[-1], flush=True)
    write = options.write or (None if options.parts or options.only else HERE / "RESULTS.md")
    if write:
        write.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"\n{missed} of {len(lines) - len(header())} bars missed." if missed else "\nEvery bar is met.")
    return 1 if missed else 0


def header() -> list[str]:
    return [
        "# Timings, side by side",
        "",
        f"Made by `make bench` on {processor()}: {platform.system()} {platform.machine()}, Python "
        f"{platform.python_version()}, numpy {numpy.__version__}, scipy {scipy.__version__}, scikit-learn "
        f"{sklearn.__version__}; one thread.",
        "",
        "A value is the median ratio of our time to the peer's, both run turn by turn in one process, with the least "
        "and the greatest ratio seen; `n^a` is how the time grows with n; MB is memory above the data.",
        "",
        "The solvers use NumPy and SciPy alone, so peers with compiled code of their own may be faster on small "
        "problems: libsvm for two classes and n ≤ 500 by a factor of 2.1 at most, which is milliseconds, and KMeans at "
        "its defaults by 2.6. The bars accept this, and what differs between processors.",
        "",
        "| task | peer | value | bar | |",
        "|---|---|---|---|---|",
    ]


def processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "an unnamed processor"


if __name__ == "__main__":
    sys.exit(main())
