"""Which products are up to date: what the last builds were made from, and what they made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

BUILDERS = ("build", "ledger", "lint", "outputs", "prose", "sheets", "source")
USED = (".py", ".csv", ".mplstyle")  # files of kcourse that can change what a notebook shows


class Ledger:
    """Digests in ``.build/ledger.json``, which git does not see."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.file = root / ".build" / "ledger.json"
        try:
            self.entries = json.loads(self.file.read_text())
        except (OSError, ValueError):
            self.entries = {}  # none yet, or damaged: everything is stale
        library = root / "kcourse"
        unused = [library / name for name in ("grading", "cli.py", "__main__.py")]
        used = [path for path in sorted(library.glob("**/*")) if path.suffix in USED]
        used = [path for path in used if not any(path.is_relative_to(place) for place in unused)]
        self.shared = _digest([*used, *(Path(__file__).with_name(f"{name}.py") for name in BUILDERS)])

    def is_fresh(self, source: Path, products: list[str]) -> bool:
        """Whether the products are those that this source and this library made."""
        paths = [self.root / name for name in products]
        known = self.entries.get(products[0])
        return all(path.exists() for path in paths) and known == self._entry(source, paths)

    def record(self, source: Path, products: list[str]) -> None:
        self.entries[products[0]] = self._entry(source, [self.root / name for name in products])
        self.file.parent.mkdir(exist_ok=True)
        (self.file.parent / ".gitignore").write_text("*\n")
        self.file.write_text(json.dumps(self.entries, indent=1, sort_keys=True) + "\n")

    def _entry(self, source: Path, products: list[Path]) -> list[str]:
        return [self.shared, _digest([source]), _digest(products)]


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"{path.name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
