"""Sphinx's settings for the site. ``make site`` lays out the pages (tools/site) and calls Sphinx with this file."""

from __future__ import annotations

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

import kcourse
from tools.site import docstrings

project = "kcourse"
author = "the kcourse authors"
copyright = "the kcourse authors; code BSD-3-Clause, text and figures CC BY 4.0"  # noqa: A001
version = release = kcourse.__version__
language = "en"

extensions = ["myst_nb", "sphinx.ext.autodoc"]
exclude_patterns: list[str] = []
templates_path = ["_templates"]

nb_execution_mode = "off"  # notebooks are shown as they are stored
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
myst_enable_extensions = ["amsmath", "dollarmath"]
myst_dmath_double_inline = True
myst_dmath_allow_labels = False  # "$$ … $$ (1)" is prose after a formula
myst_heading_anchors = 4

autodoc_typehints = "none"  # docstrings say what a value means, and its shape
autodoc_member_order = "groupwise"
default_role = "py:obj"
add_module_names = False

html_theme = "pydata_sphinx_theme"
html_title = "kcourse"
html_static_path = ["_static"]
html_css_files = ["letters.css", "explorer.css", "paper_problems.css", "site.css"]
html_js_files = [("explorer.js", {"defer": "defer"}), ("moving.js", {"defer": "defer"}),
                 ("paper_problems.js", {"defer": "defer"}), ("paper_problems_page.js", {"defer": "defer"}),
                 ("reach.js", {"defer": "defer"}), "formulas.js"]  # fmt: skip
html_math_renderer = "as_written"
html_copy_source = False
html_domain_indices = False
html_show_sphinx = False
html_show_search_summary = True
html_search_scorer = str(Path(__file__).with_name("search_order.js"))
html_sidebars = {"index": [], "slides": [], "search": [], "genindex": []}
toc_object_entries_show_parents = "hide"
html_context = {"default_mode": "auto"}
html_theme_options = {
    "logo": {"text": "kcourse"},
    "navbar_end": ["theme-switcher"],
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "search_bar_text": "Search the course …",
    "secondary_sidebar_items": ["page-toc"],
    "primary_sidebar_end": [],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_toc_level": 2,
    "navigation_depth": 2,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}


def as_written(self, node) -> None:
    """A formula in MathJax's own marks: no numbering and no environment around what has its own."""
    inline = node.tagname == "math"
    tag, begin, end = ("span", r"\(", r"\)") if inline else ("div", r"\[", r"\]")
    self.body.append(self.starttag(node, tag, "", CLASS="math"))
    self.body.append(begin + self.encode(node.astext()) + end + f"</{tag}>" + ("" if inline else "\n"))
    raise nodes.SkipNode


def read_as_written(app, what, name, obj, options, lines: list[str]) -> None:
    lines[:] = docstrings.rst(lines)


def formulas_need_mathjax(app, pagename, templatename, context, doctree) -> None:
    """MathJax is 2 MB: only pages with formulas load it."""
    if 'class="math' in context.get("body", ""):
        app.add_js_file("mathjax/tex-svg.js", defer="defer", priority=900)


def the_search_knows_the_glossary(app, pagename, templatename, context, doctree) -> None:
    """A term of the glossary is found first in the chapter that defines it (search_order.js)."""
    if pagename == "search":
        glossary = json.loads((Path(app.srcdir) / "notebooks" / "glossary.ipynb").read_text(encoding="utf-8"))
        table = glossary["cells"][-1]["source"]
        rows = re.findall(r"^\| (.+?) \|.*\| \[\w+\]\((\w+)\.ipynb\) \|$", table, re.MULTILINE)
        defined = {term.lower(): f"notebooks/{stem}" for term, stem in rows}
        app.add_js_file(None, body=f"const DEFINED = {json.dumps(defined, ensure_ascii=False)};")


def corners_are_no_headings(app, pagename, templatename, context, doctree) -> None:
    """An empty cell in a table's first row names nothing."""
    if "body" in context:
        context["body"] = re.sub(r'<th class="head">\s*(<p>\s*</p>)?\s*</th>', "<td></td>", context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("as_written", (as_written, None), (as_written, None))
    app.connect("autodoc-process-docstring", read_as_written)
    app.connect("html-page-context", corners_are_no_headings)
    app.connect("html-page-context", formulas_need_mathjax)
    app.connect("html-page-context", the_search_knows_the_glossary)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
