"""Pin the requirements: ``python -m tools.pin [--upgrade]`` writes requirements/*.txt and environment.yml.

``pyproject.toml`` gives the required packages and their oldest versions; the pinned files give the tested versions. No
file contains the address of a package index.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAD = "# Pinned by `python -m tools.pin`; pyproject.toml says what is needed and why.\n"


def main(options: list[str]) -> int:
    """Write the pinned files."""
    for extra in ("lab", "dev"):
        command = ["uv", "pip", "compile", "--quiet", "--universal", "--no-emit-index-url", "--no-header",
                   "--python-version", "3.11", "--extra", extra, "pyproject.toml",
                   "-o", f"requirements/{extra}.txt", *options]  # fmt: skip
        if extra == "dev":
            command += ["--constraint", "requirements/lab.txt"]  # readers and authors run the same versions
        subprocess.run(command, cwd=ROOT, check=True)
        path = ROOT / "requirements" / f"{extra}.txt"
        text = re.sub(r"^#.*\n", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        path.write_text(HEAD + text, encoding="utf-8")
    (ROOT / "environment.yml").write_text(environment_yml(), encoding="utf-8")
    return 0


def environment_yml() -> str:
    """Return the conda environment of pyproject.toml: its dependencies and the extra "lab", with their bounds."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = project["dependencies"] + project["optional-dependencies"]["lab"]
    lines = [
        "# For conda and Binder; made from pyproject.toml by `python -m tools.pin`.",
        "#   conda env create -f environment.yml && conda activate kcourse && kcourse lab",
        "name: kcourse",
        "channels:",
        "  - conda-forge",
        "dependencies:",
        f"  - python{project['requires-python']}",
        *(f"  - {name}" for name in sorted(needed)),
        "  - pip",
        "  - pip:",
        "      - -e .",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
