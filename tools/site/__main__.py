"""``python -m tools.site`` (``make site``): build the site in ``site/``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.site.build import ROOT, Site


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.site", description="Build the site.")
    parser.add_argument("--out", type=Path, default=ROOT / "site", help="the folder (default: site)")
    parser.add_argument(
        "--quick", action="store_true",
        help="no decks, and explorers go through the pictures of the decks: nothing is run",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    quick = () if options.quick else None
    site = Site(options.out.resolve(), drawn=quick, decks=quick)
    if code := site.build():
        return code
    print(f"open {site.out / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
