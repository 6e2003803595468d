"""Figures: one style, and one way to show them, with a text alternative for readers who cannot see them."""

from __future__ import annotations

import base64
import html
import io
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

__all__ = ["Page", "check_alt", "cycle", "fit", "folded", "grouped", "picture_of", "show", "show_words", "use_style"]

_DPI = 160  # resolution of stored pictures: sharp on a projector; shown as if it were 100 dots per inch
SHOWN_DPI = 100
_COMPRESSED = 7  # of 9: the last two levels save a tenth of the bytes and take ten times as long


@dataclass(frozen=True)
class Page:
    """The page that pictures are drawn for outside a notebook.

    Attributes
    ----------
    width, height : float
        largest size of a picture, in inches.
    letters : float
        smallest readable type, in points.
    dpi : int
        dots per inch of the picture.
    """

    width: float
    height: float
    letters: float
    dpi: int


# None in a notebook, where a cell sets the size of its figure; `tools.figures` sets the page of a deck
page: Page | None = None


def use_style() -> None:
    """Give all later figures the course's look (colours, line styles, labels, opaque background)."""
    with as_file(files("kcourse.lab") / "kcourse.mplstyle") as path:
        plt.style.use(path)


def cycle(i: int) -> dict[str, Any]:
    """Return colour and line style number ``i`` of the course's cycle, for ``ax.plot(..., **cycle(1))``."""
    styles = list(plt.rcParams["axes.prop_cycle"])
    return dict(styles[i % len(styles)])


def show(fig: Figure, alt: str, answer: str = "") -> None:
    """Display ``fig`` as a PNG, with the text alternative ``alt`` folded below it, and close it.

    Parameters
    ----------
    fig : matplotlib Figure
    alt : str
        what a reader who cannot see the picture must know: what is drawn, and what it shows. A sentence or two.
    answer : str
        title of the line that hides the picture until the reader opens it, if the picture answers a question.
    """
    alt = check_alt(alt)
    picture, metadata = picture_of(fig, alt)
    plt.close(fig)
    if answer:  # a browser shows the HTML, a deck the picture
        size = f'alt="{html.escape(alt)}" width="{metadata["image/png"]["width"]}"'
        picture["text/html"] = folded(f'<img {size} src="data:image/png;base64,{picture["image/png"]}">', answer)
    display({**picture, "text/plain": alt}, raw=True, metadata=metadata)
    show_words(alt)


def folded(content: str, answer: str) -> str:
    """Return HTML ``content`` that answers a question, hidden until the reader opens the line ``answer``."""
    summary = f"<summary><b>{html.escape(answer)}</b> (open this once you have written down your answer)</summary>"
    return f'<details class="kcourse-answer">{summary}{content}</details>'


def show_words(alt: str, what: str = "The picture in words") -> None:
    """Display ``alt`` below a line that the reader can open, because JupyterLab does not read out alt texts."""
    fold = (
        f'<details class="kcourse-words" style="opacity:0.8;font-size:85%">'
        f"<summary>{what}</summary>{html.escape(alt)}</details>"
    )
    display({"text/html": fold, "text/plain": ""}, raw=True, metadata={})


def fit(fig: Figure) -> None:
    """Fit ``fig`` to ``page``, if it is set: no larger than the page allows, and no letter smaller than its type.

    A figure that is too wide keeps its shape, so that the text below it has as much room as in the notebook. If it is
    then still too high, it keeps its width.
    """
    if page is None:
        return
    width, height = fig.get_size_inches()
    smaller = min(1, page.width / width)
    fig.set_size_inches(width * smaller, min(height * smaller, page.height))
    for text in fig.findobj(Text):
        text.set_fontsize(max(text.get_fontsize(), page.letters))


def picture_of(fig: Figure, alt: str) -> tuple[dict[str, str], dict[str, Any]]:
    """Return ``fig`` as a display bundle ``{"image/png": …}`` and its metadata: alt text, and the width to show it at.

    The picture is sharp (its resolution is higher than shown) and small (256 colours are enough for lines and flat
    areas). For a ``page``, the metadata also hold the height of the smallest letters in dots.
    """
    return packed(drawn(fig), fig, alt)


def stored_dpi() -> int:
    """Return the dots per inch of stored pictures."""
    return page.dpi if page else _DPI


def drawn(fig: Figure) -> Image.Image:
    """Draw ``fig`` at the stored resolution, twice as fast as ``savefig``, which draws everything twice."""
    fit(fig)
    dpi, canvas = fig.dpi, fig.canvas
    own = FigureCanvasAgg(fig)
    fig.set_dpi(stored_dpi())
    try:
        own.draw()
        return Image.fromarray(np.asarray(own.buffer_rgba())).convert("RGB")
    finally:
        fig.set_dpi(dpi)
        fig.set_canvas(canvas)


def packed(
    picture: Image.Image, fig: Figure, alt: str, palette: Image.Image | None = None
) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the display bundle and the metadata of a picture, in the colours of ``palette`` or in its own."""
    small = io.BytesIO()
    coloured = picture.quantize(256, palette=palette, dither=Image.Dither.NONE)
    (coloured if palette else with_white(coloured)).save(small, "png", compress_level=_COMPRESSED)
    metadata: dict[str, Any] = {"image/png": {"alt": alt, "width": round(fig.get_figwidth() * SHOWN_DPI)}}
    if page and (letters := [text.get_fontsize() for text in fig.findobj(Text) if text.get_text().strip()]):
        metadata["image/png"]["letters"] = round(min(letters) / 72 * stored_dpi(), 1)
    return {"image/png": base64.b64encode(small.getvalue()).decode("ascii")}, metadata


def with_white(picture: Image.Image) -> Image.Image:
    """Make the lightest greys white: averaging colours creates them, and the background would become grey."""
    colours = np.reshape(picture.getpalette(), (-1, 3))
    colours[(colours >= 248).all(axis=1)] = 255
    picture.putpalette(colours.ravel().tolist())
    return picture


def grouped(count: float) -> str:
    """Return a count as text: a whole number with a narrow space between groups of three digits."""
    return f"{count:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def check_alt(alt: str) -> str:
    """Return ``alt`` on one line; raise ValueError if it is too short to describe a picture."""
    alt = " ".join(alt.split())
    if len(alt) < 20:
        raise ValueError(f"alt={alt!r} is too short to describe the picture: say what is drawn and what it shows.")
    return alt
