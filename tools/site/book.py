"""The whole course as one PDF: Sphinx puts all chapters on one page, and the browser prints it.

Contents, outline and references lead to places in the file; links to other pages of the site are removed. Answers are
open. Folded code is left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tools.site.course import DOCS, ROOT, CannotBuild, Course

__all__ = ["FILE", "print_book"]

FILE = "kernel-methods.pdf"
_FOOTER = '<div style="width:100%; font:8px sans-serif; text-align:center"><span class="pageNumber"></span></div>'
_STYLE = ".bd-article h2 { break-before: page; } .kcourse-words { display: none; }"
_BARE = """() => {
  for (const link of document.querySelectorAll('a[href]'))
    if (!/^(#|https?:)/.test(link.getAttribute('href'))) link.removeAttribute('href');
  for (const picture of document.images) picture.loading = 'eager';
  for (const fold of document.querySelectorAll('.bd-article details')) {
    fold.open = !fold.matches('.hide, .kcourse-verified, .kcourse-words');
  }
  return Promise.all([...document.images].map((picture) => picture.decode().catch(() => 0)));
}"""


def contents(course: Course) -> str:
    """Return the first page: the table of contents, followed by all chapters."""
    lectures = [(f"{c.number} {c.title}".strip(), f"notebooks/{c.stem}") for c in course.lectures]
    listed = "\n".join(f"- [{name}]({place}.ipynb)" for name, place in lectures)
    below = "\n".join(place for _, place in lectures)
    return f"# Kernel methods\n\n{listed}\n\n```{{toctree}}\n{below}\n```\n"


def print_book(course: Course, browser: Any, pages: Path, new: Path, work: Path) -> None:
    """Write the PDF of ``pages`` (Sphinx's sources) into ``new``, the folder of the new site."""
    sources, made = work / "book", work / "book-html"
    for folder in (sources, made):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(pages, sources)
    (sources / "book.md").write_text(contents(course), encoding="utf-8")
    options = ["-q", "-E", "-c", str(DOCS), "-d", str(work / "book-trees"), "-D", "root_doc=book"]
    command = [sys.executable, "-m", "sphinx", "-b", "singlehtml", *options, str(sources), str(made)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, check=False, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise CannotBuild(f"Sphinx could not make the page of the whole course:\n{done.stderr[-2000:]}")
    place = new / "book"  # in a folder, so that the addresses of pictures are right; removed after printing
    shutil.copytree(made, place)
    shutil.copytree(new / "_static" / "mathjax", place / "_static" / "mathjax", dirs_exist_ok=True)
    page = browser.new_page()
    page.goto((place / "book.html").as_uri())
    page.wait_for_selector("body[data-typeset=done]", state="attached", timeout=600_000)
    page.add_style_tag(content=_STYLE)
    page.evaluate(_BARE)
    page.pdf(path=new / FILE, prefer_css_page_size=True, print_background=True, outline=True, tagged=True,
             display_header_footer=True, header_template="<span></span>", footer_template=_FOOTER)  # fmt: skip
    page.close()
    shutil.rmtree(place)
