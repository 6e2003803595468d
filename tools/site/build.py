"""Write the pages of the site, have Sphinx render them, and add the files that they show.

    notebooks/, exercises/, docs/, benchmarks/RESULTS.md, docstrings   ->  .build/site/pages  ->  site/

Pictures, interactive figures, slides and MathJax are files with relative addresses. So the site works from a folder as
well as from a server, and needs nothing from the network.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kcourse.paper_problems.bank import chapters as with_problems
from kcourse.paper_problems.browser import QUIET, find_browser
from kcourse.slides.page import letters
from tools import figures
from tools.cells import made_from
from tools.freshness import Freshness
from tools.site import book, chapters, guides, paper_problems
from tools.site.chapters import Chapter
from tools.site.course import DOCS, ROOT, CannotBuild, Course

MATHJAX = "static/mathjax/es5/tex-svg.js"  # of django-static-mathjax: one file, no fonts to load
# pages that authors write: path in the repository → path on the site
PAGES = {
    "docs/index.md": "index.md",
    "docs/chapters.md": "notebooks/index.md",
    "docs/exercises.md": "exercises/index.md",
    "docs/slides.md": "slides.md",
    "docs/study.md": "study.md",
    "docs/measured.md": "measured.md",
    "docs/teach.md": "teach.md",
    "docs/plans.md": "plans/index.md",
    "docs/grading.md": "grading.md",
    "docs/exams.md": "exams.md",
    "docs/hub.md": "hub.md",
    "docs/publish.md": "publish.md",
    "docs/reference.md": "api/index.md",
    "docs/blocks.md": "blocks.md",
    "docs/accessibility.md": "accessibility.md",
    "docs/overview.md": "overview.md",
    "docs/promises.md": "promises.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "CONTRIBUTING.md": "contribute.md",
    "CHANGELOG.md": "changes.md",
    "benchmarks/RESULTS.md": "benchmarks.md",
}
NEEDED = ("sphinx", "myst_nb", "pydata_sphinx_theme", "sphinx_revealjs", "mathjax")  # the extra "site", and "slides"
MARK = ".kcourse-site"  # marks a folder that this program made and may replace
# contents of pages that have no list of the pages below them
BELOW = {
    "study.md": ("measured",),
    "teach.md": ("plans/index", "grading", "exams", "publish", "hub"),
    "contribute.md": ("promises", "changes", "overview", "accessibility", "conduct"),
    "api/index.md": ("../blocks",),
}
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")


@dataclass
class Site(Course):
    """The site: what is built, and where."""

    out: Path
    most: int = 80  # pictures of an interactive figure
    drawn: Iterable[str] | None = None  # stems whose interactive figures are drawn; None: all
    work: Path = ROOT / ".build" / "site"

    @property
    def pages(self) -> Path:
        return self.work / "pages"

    @property
    def new(self) -> Path:
        """The folder of the new site, which replaces the old one only when it is complete."""
        return self.work / "new"

    def build(self) -> int:
        """Build everything; return Sphinx's exit code."""
        if missing := [name for name in NEEDED if find_spec(name) is None]:
            raise CannotBuild(f"not installed: {', '.join(missing)}. Use make site, which installs what it needs, or "
                              'run pip install -e ".[site]"')  # fmt: skip
        self._check_place()
        for folder in (self.pages, self.new):
            shutil.rmtree(folder, ignore_errors=True)
        self.new.mkdir(parents=True)
        self.pages.mkdir(parents=True)
        (self.work / ".gitignore").write_text("*\n")
        frames = self._frames()
        self._lay_out(frames)
        code = self._sphinx()
        if code == 0:
            self._beside(frames)
            self._decks()
            self._put()
        else:
            self.say(
                f"Nothing was replaced; {self.out} is unchanged. The pages named above are copies in .build. Fix "
                "their sources (docs/, notebooks/src, docstrings)."
            )
        return code

    def _check_place(self) -> None:
        """Refuse to replace a folder that contains anything but a site."""
        ours = self.out == ROOT / "site" or (self.out / MARK).exists()
        if self.out.exists() and not ours and (not self.out.is_dir() or any(self.out.iterdir())):
            raise CannotBuild(f"{self.out} exists and is not a site. Name another folder, or empty it.")
        if not self.deck_stems and any((self.out / "slides").glob("*.html")):
            raise CannotBuild(f"{self.out} is a complete site, and a quick one has no slides. Name another folder with "
                              f"--quick --out {self.out.name}-quick, or delete {self.out.name} first.")  # fmt: skip

    def _put(self) -> None:
        """Replace the old site with the new one."""
        (self.new / MARK).touch()
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(self.new, self.out)

    # ---- the pages

    def _lay_out(self, frames: dict[str, dict[str, Any]]) -> None:
        for chapter in self.lectures:
            found = frames.get(chapter.stem, {})
            self._write_notebook("notebooks", chapter, self._moving(chapter.stem, found))
        for sheet in self.sheets:
            self._write_notebook("exercises", sheet, lambda output, cell: "")
        for source, name in PAGES.items():
            if (ROOT / source).exists():
                text = (ROOT / source).read_text(encoding="utf-8")
                text = guides.filled(self._linked(text, ROOT / source, name), self)
                text = text.replace("<!-- made: first look -->", self._first_look(frames))
                self._write(name, text + (guides.contents(BELOW[name]) if name in BELOW else ""))
        for name, text in guides.pages(self).items():
            self._write(name, text)

    def _write_notebook(self, folder: str, chapter: Chapter, moving: Callable[[dict[str, Any], str], str]) -> None:
        content = chapters.page(chapter, guides.bar(self, chapter, folder), moving, self.new / "pictures")
        self._write(f"{folder}/{chapter.stem}.ipynb", json.dumps(content, ensure_ascii=False))

    def _moving(self, stem: str, found: dict[str, Any]) -> Callable[[dict[str, Any], str], str]:
        def html(output: dict[str, Any], cell: str) -> str:
            pictures = self.new / "pictures"
            if cell in found:
                left = " and ".join(f"“{label}”" for label in found[cell]["left"])
                note = f'<p class="kc-note">{left}: only in the notebook, when you run it.</p>' if left else ""
                return chapters.moving_figure(output, found[cell], f"../moving/{stem}/", pictures, note)
            return chapters.moving_states(output, pictures)

        return html

    def _first_look(self, frames: dict[str, dict[str, Any]]) -> str:
        """Return the start page's interactive figure, for the front page, which is one folder higher."""
        start = self.start_page
        cell, output = next((cell, output) for cell in start.cells for output in cell.get("outputs", [])
                            if chapters.states_of(output))  # fmt: skip
        made = self._moving(start.stem, frames.get(start.stem, {}))(output, cell["id"])
        return made.replace('"../', '"').replace('loading="lazy"', 'loading="eager"')

    def _write(self, name: str, text: str) -> None:
        path = self.pages / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def _linked(self, text: str, source: Path, page: str) -> str:
        """Convert links to files of the repository into links from ``page`` to their pages on the site."""

        def link(match: re.Match[str]) -> str:
            words, target = match.groups()
            address, mark, anchor = target.partition("#")
            file = source.parent / address
            if not address or not file.exists():  # another site, or a page that Sphinx knows
                return match[0]
            path = file.resolve().relative_to(ROOT).as_posix()
            there = PAGES.get(path, path if (self.pages / path).exists() else "")
            if not there:
                return self.at_home(path, words)
            return f"[{words}]({os.path.relpath(there, os.path.dirname(page) or '.')}{mark}{anchor})"

        return _LINK.sub(link, text)

    def at_home(self, path: str, words: str = "") -> str:
        """Return a link to a file of the repository, or only its words if the repository's address is not known."""
        home = self.settings["repository"]
        words = words or f"`{path}`"
        return f"[{words}]({home}/blob/{self.settings['branch']}/{path})" if home else words

    # ---- interactive figures

    def _frames(self) -> dict[str, dict[str, Any]]:
        """Return the pictures of each chapter's interactive figures, drawn again if the chapter has changed."""
        stems = [c.stem for c in self.lectures if c.moves and (self.drawn is None or c.stem in set(self.drawn))]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return dict(zip(stems, pool.map(self._drawn, stems), strict=True))

    def frames_folder(self, stem: str) -> Path:
        return self.work / "frames" / f"{self.most}" / stem

    def _drawn(self, stem: str) -> dict[str, Any]:
        notebook, folder = ROOT / "notebooks" / f"{stem}.ipynb", self.frames_folder(stem)
        mark = folder / "made-from.txt"
        now = made_from(notebook, Path(__file__).with_name("frames.py"), Freshness(ROOT))
        if not mark.exists() or mark.read_text() != now:
            self.say(f"drawing the interactive figures of {stem}")
            command = [sys.executable, "-m", "tools.site.frames", notebook, folder, "--most", str(self.most)]
            subprocess.run(command, cwd=ROOT, check=True)
            mark.write_text(now)
        return json.loads((folder / "frames.json").read_text(encoding="utf-8"))

    # ---- Sphinx, and the other files

    def _sphinx(self) -> int:
        options = ["-q", "-W", "--keep-going", "-E", "-c", str(DOCS), "-d", str(self.work / "trees")]
        html = self.work / "html"  # not in the site itself, because myst-nb writes its inputs next to its output
        shutil.rmtree(html, ignore_errors=True)
        command = [sys.executable, "-m", "sphinx", "-b", "html", *options, str(self.pages), str(html)]
        done = subprocess.run(command, cwd=ROOT, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)})
        if done.returncode == 0:
            shutil.copytree(html, self.new, dirs_exist_ok=True, ignore=shutil.ignore_patterns("_sources", ".buildinfo"))
        return done.returncode

    def _beside(self, frames: dict[str, Any]) -> None:
        for stem in frames:
            kept = shutil.ignore_patterns("*.txt", "*.json")
            shutil.copytree(self.frames_folder(stem), self.new / "moving" / stem, ignore=kept)
        static = self.new / "_static"
        (static / "mathjax").mkdir()
        package = find_spec("mathjax")
        shutil.copy(Path(package.submodule_search_locations[0], MATHJAX), static / "mathjax")
        written = {letter for page in self.new.rglob("*.html") for letter in page.read_text(encoding="utf-8")}
        (static / "letters.css").write_text(letters("".join(sorted(written))), encoding="utf-8")  # as on the slides
        for name, known_as in {
            "lab/explorer": "kcourseExplorer",
            "paper_problems/paper_problems": "kcourseProblemFields",
        }.items():
            file = ROOT / "kcourse" / f"{name}.js"
            shutil.copy(file.with_suffix(".css"), static)
            # a plain script, because browsers do not load modules from a folder
            script = file.read_text(encoding="utf-8").replace(
                "export default { render };", f"window.{known_as} = render;"
            )
            (static / file.name).write_text(f"(() => {{\n{script}}})();\n", encoding="utf-8")
        (self.new / "paper_problems").mkdir()
        for stem in with_problems():
            text = paper_problems.variants(stem, 100 if self.drawn is None else 5)
            (self.new / "paper_problems" / f"{stem}.js").write_text(text, encoding="utf-8")

    def _decks(self) -> None:
        """Build the slides, and their PDFs with a page for each slide."""
        from kcourse.slides import build, drawn_for

        if self.decks is None:
            figures.draw(ROOT, self.deck_stems, self.say)
        for stem in self.deck_stems:
            notebook, deck = ROOT / "notebooks" / f"{stem}.ipynb", self.new / "slides" / f"{stem}.html"
            build(notebook, deck, drawn_for(ROOT, stem))
        if self.printed_stems:
            self._print()

    def _print(self) -> None:
        from playwright.sync_api import sync_playwright

        from tools.slides import print_deck

        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(), args=list(QUIET))
            for stem in self.printed_stems:
                deck = self.new / "slides" / f"{stem}.html"
                self._kept(deck.with_suffix(".pdf"), [deck], lambda deck=deck: print_deck(browser, deck))
            if self.prints_book:
                folders = (self.pages, self.new / "pictures", DOCS)
                everything = sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())
                self._kept(self.new / book.FILE, everything,
                           lambda: book.print_book(self, browser, self.pages, self.new, self.work))  # fmt: skip
            browser.close()

    def _kept(self, product: Path, sources: Iterable[Path], make: Callable[[], object]) -> None:
        """Make a file, or copy the one that was made earlier from the same sources."""
        digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:32]
        kept = self.work / "kept" / product.stem / f"{digest}{product.suffix}"
        if not kept.exists():
            self.say(f"printing {product.stem}")
            make()
            shutil.rmtree(kept.parent, ignore_errors=True)
            kept.parent.mkdir(parents=True)
            shutil.copy(product, kept)
        shutil.copy(kept, product)
