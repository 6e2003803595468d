"""A small project in a temporary folder, for the build to work on."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools import build

SPECS = {
    "krr_fit": SimpleNamespace(points=4, chapter="ch03_ridge"),
    "krr_predict": SimpleNamespace(points=2.5, chapter="ch03_ridge"),
    "gp_mean": SimpleNamespace(points=1, chapter="ch04_gp"),
}


class Project:
    """Writes sources, and builds them with a fake of ``kcourse.checks.exercise``."""

    lecture = "notebooks/src/ch03_ridge.py"
    sheet = "solutions/src/ch03_ridge.py"
    lookup = staticmethod(SPECS.__getitem__)

    def __init__(self, root: Path) -> None:
        self.root = root
        self.said: list[str] = []

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def notebook(self, name: str) -> dict:
        return json.loads((self.root / name).read_text(encoding="utf-8"))

    def build(self, *stems: str, force: bool = False) -> list[str]:
        self.said.clear()
        problems = build.build(self.root, stems, force=force, lookup=self.lookup, say=self.said.append)
        return [str(problem) for problem in problems]

    def check(self, *stems: str) -> list[str]:
        return build.check(self.root, stems, lookup=self.lookup)

    def lint(self, text: str, name: str = lecture) -> list[str]:
        """The faults that are seen without running anything, as "line: message"."""
        source, _ = build.prepare(self.write(name, text), self.root, self.lookup)
        assert all(problem.path == name for problem in source.problems)
        return [f"{problem.line}: {problem.message}" for problem in sorted(source.problems)]

    def cells(self, text: str, name: str = lecture) -> list:
        """The cells of the first product, not executed."""
        source, products = build.prepare(self.write(name, text), self.root, self.lookup)
        assert source.problems == []
        return next(iter(products.values())).cells


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)
