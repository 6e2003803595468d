"""Write the slides as one HTML file, and serve it with the speaker's view."""

from __future__ import annotations

import base64
import functools
import html
import importlib.util
import io
import re
import string
import threading
import webbrowser
from collections.abc import Callable
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import accumulate
from pathlib import Path

from fontTools import subset
from jinja2 import Environment, FileSystemLoader
from pygments.formatters import HtmlFormatter
from pygments.styles.tango import TangoStyle

from kcourse.slides.deck import Slide, slides_of
from kcourse.slides.drawn import read_with_drawn
from kcourse.slides.questions import asks, clicks

__all__ = ["SIZE", "build", "find_chapter", "halves", "letters", "show", "time"]

SIZE = (1280, 720)
COURSE = "Kernel methods"
# The fonts of the figures, from matplotlib. With them, lines break at the same places on every machine.
FACES = {
    "DejaVuSans.ttf": 'font-family: "Deck"',
    "DejaVuSans-Bold.ttf": 'font-family: "Deck"; font-weight: bold',
    "DejaVuSans-Oblique.ttf": 'font-family: "Deck"; font-style: italic',
    "DejaVuSansMono.ttf": 'font-family: "Deck Mono"',
}
HERE = Path(__file__).parent


def build(notebook: Path, deck: Path, drawn: Path | None = None) -> Path:
    """Write the slides of an executed ``notebook`` to the file ``deck`` and return its path.

    The figures are those of the file ``drawn`` (`kcourse.slides.drawn`), if it was made from this notebook.
    """
    slides = slides_of(read_with_drawn(notebook, drawn))
    environment = Environment(loader=FileSystemLoader(HERE), trim_blocks=True, lstrip_blocks=True, autoescape=False)
    reveal = package("sphinx_revealjs", "_static/revealjs")
    numbered = re.match(r"ch0*(\d+[a-z]?)_", notebook.stem)
    text = environment.get_template("deck.html.jinja").render(
        title=_words(slides[0].title if slides else "") or notebook.stem,
        course=f"{COURSE} · Chapter {numbered[1]}" if numbered else COURSE,
        picture=_emblem(slides),
        clock=_clock(slides),
        slides=slides,
        progress=_progress(slides),
        width=SIZE[0],
        height=SIZE[1],
        styles=[_read(reveal / "dist/reset.css"), _read(reveal / "dist/reveal.css"), _code_style(),
                _letters(slides), _read(HERE / "deck.css")],
        scripts=[_script(reveal / "dist/reveal.js"), _script(reveal / "plugin/notes/notes.js"),
                 _script(HERE / "fit.js")],
        mathjax=_script(package("mathjax", "static/mathjax/es5/tex-svg.js")),
    )  # fmt: skip
    deck.parent.mkdir(parents=True, exist_ok=True)
    deck.write_text(text, encoding="utf-8")
    return deck


def _emblem(slides: list[Slide]) -> str | None:
    """Return the picture for the title page: one that answers no question of its section, from the first half.

    Later pictures may answer the chapter's question, so the start of an interactive figure is better than those.
    """
    asked, quiet, moving = False, {}, None
    for at, slide in enumerate(slides):
        asked = asked and not slide.starts
        if slide.picture and not asked:
            quiet.setdefault(at < len(slides) / 2, slide.picture)
        moving = moving or (slide.picture if slide.moves else None)
        asked = asked or any(asks(block) for click in clicks(slide) for block in click)
    return quiet.get(True) or moving or quiet.get(False)


def _clock(slides: list[Slide]) -> list[str]:
    """Return when each page begins and how long it takes, for the speaker: "0:12, 1½ min"."""
    starts = [0.0, *accumulate(slide.minutes for slide in slides)]
    return [f"{time(at)}, {halves(slide.minutes)} min" for at, slide in zip(starts, slides, strict=False)]


def time(minutes: float) -> str:
    """Return minutes as on a clock: "1:05"."""
    return f"{int(minutes) // 60}:{int(minutes) % 60:02d}"


def halves(minutes: float) -> str:
    """Return whole and half minutes: "1½"."""
    return f"{int(minutes) or ''}{'½' * (minutes % 1 > 0)}" or "0"


def _progress(slides: list[Slide]) -> list[str]:
    """Return a progress bar for each page: a segment for each section, the current one marked."""
    of = [at - 1 for at in accumulate(int(slide.starts or not i) for i, slide in enumerate(slides))]
    return ["".join('<i class="now"></i>' if at == own else "<i></i>" for at in range(of[-1] + 1)) for own in of]


def _letters(slides: list[Slide]) -> str:
    written = html.unescape("".join("".join((slide.title, *slide.parts)) for slide in slides))
    return letters(written + string.printable + COURSE + "·")


def letters(characters: str) -> str:
    """Return the fonts as a style sheet with only these letters: about 60 kB instead of 2.4 MB."""
    return "\n".join(_face(file, look, characters) for file, look in FACES.items())


def _face(file: str, look: str, characters: str) -> str:
    options = subset.Options(flavor="woff", layout_features=["kern"], hinting=False)
    options.drop_tables += ["FFTM"]  # the date of the font
    path = str(package("matplotlib", f"mpl-data/fonts/ttf/{file}"))
    with subset.load_font(path, options) as font:
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=characters)
        subsetter.subset(font)
        subset.save_font(font, into := io.BytesIO(), options)
    data = base64.b64encode(into.getvalue()).decode("ascii")
    return f'@font-face {{ {look}; src: url("data:font/woff;base64,{data}") format("woff"); }}'


def _words(title: str) -> str:
    """Return a title without tags, for the browser's tab and the PDF's window."""
    return re.sub(r"<[^>]+>", "", title)


def package(name: str, below: str) -> Path:
    """Return the path of a file in an installed package, without importing the package."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"the package {name}, which the slides need, is not installed", name=name)
    return Path(spec.submodule_search_locations[0], below)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _script(path: Path) -> str:
    """Return a script that can be put between <script> and </script>."""
    return _read(path).replace("</script", "<\\/script")


# colours of the style with a contrast below 4.5 on the grey of code (WCAG AA), and their replacements
_DARKER = {"#4e9a06": "#38710a", "#ce5c00": "#a34700", "#c4a000": "#7d6600", "#f57900": "#9c4d00"}


def _code_style() -> str:
    class Readable(TangoStyle):
        styles = {
            token: " ".join(_DARKER.get(word, word) for word in look.split())
            for token, look in TangoStyle.styles.items()
        }

    return HtmlFormatter(style=Readable).get_style_defs(".highlight")


def find_chapter(course: Path, name: str) -> Path:
    """Return the notebook of a chapter, by its stem ("ch03_ridge") or its beginning ("ch03").

    Of a chapter in two parts, ch06_… and ch06b_…, "ch06" is the first and "ch06b" the second. Notebooks that are not
    lectures (errata, glossary) have no number and are not found.
    """
    numbered = re.compile(r"(ch)?\d")
    chapters = sorted(p for p in (course / "notebooks").glob("*.ipynb") if numbered.match(p.stem))
    for fits in (name.__eq__, lambda stem: stem.startswith(f"{name}_"), lambda stem: stem.startswith(name)):
        found = [p for p in chapters if fits(p.stem)]
        if len(found) == 1:
            return found[0]
    what = f"{name!r} is ambiguous:" if found else f"no chapter {name!r}. Available:"
    raise ValueError(f"{what} {', '.join(p.stem for p in found or chapters)}.")


def show(deck: Path, say: Callable[[str], None] = print, open_page: Callable[[str], object] = webbrowser.open) -> None:
    """Open the slides in the browser and serve them, only on this machine, until Ctrl-C.

    The speaker's view is a second window that controls the first; browsers allow this only for pages from a server.
    """
    handler = functools.partial(_Quiet, directory=str(deck.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        address = f"http://127.0.0.1:{server.server_port}/{deck.name}"
        say(f"{address}\nS: speaker's view   F: full screen   O: overview   ?: all keys   Ctrl-C here: stop")
        threading.Timer(0.2, open_page, [address]).start()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass
