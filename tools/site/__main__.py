"""``python -m tools.site`` (``make site``): build the site in ``site/``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from kcourse_grader.release import addresses
from tools.site.build import Site
from tools.site.course import ROOT, CannotBuild


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.site", description="Build the site.")
    parser.add_argument("--out", type=Path, default=ROOT / "site", help="the folder (default: site)")
    parser.add_argument(
        "--quick", action="store_true",
        help="run nothing: leave out the slides, and give interactive figures only the pictures of the slides",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    quick = () if options.quick else None
    try:
        site = Site(options.out.resolve(), drawn=quick, decks=quick)
        code = site.build()
    except (CannotBuild, addresses.WrongSettings) as problem:
        print(problem, file=sys.stderr)
        return 2
    if code:
        return code
    if not options.quick and (stale := _stale()):
        print("\nSome notebooks are stale. Run make notebooks, then make site:", *stale, sep="\n  ")
    print(f"open {site.out / 'index.html'}")
    return 0


def _stale() -> list[str]:
    """Return what `make notebooks` would change; nothing in a students' copy, which has no solutions."""
    if find_spec("jupytext") is None or not (ROOT / "solutions" / "src").exists():
        return []
    from tools.build import check

    return check(ROOT)


if __name__ == "__main__":
    sys.exit(main())
