"""Figures: one style, and one way to show them, with the words for who cannot see them."""

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

_DPI = 160  # of stored pictures: sharp on a projector; shown at the size of 100 dots per inch
SHOWN_DPI = 100
_COMPRESSED = 7  # of 9: the last two levels save a tenth of the bytes and take ten times as long


@dataclass(frozen=True)
class Page:
    """What pictures are drawn for where they do not stand in a notebook's column.

    Attributes
    ----------
    width, height : float
        the room that a picture has, in inches.
    letters : float
        the smallest type that can be read there, in points.
    dpi : int
        dots of the picture for an inch.
    """

    width: float
    height: float
    letters: float
    dpi: int


# of a notebook none: figures are as large as their cells say; `tools.figures` sets that of a deck
page: Page | None = None


def use_style() -> None:
    """Give every figure from here on the course's look (colours, line styles, labels, opaque background)."""
    with as_file(files("kcourse.lab") / "kcourse.mplstyle") as path:
        plt.style.use(path)


def cycle(i: int) -> dict[str, Any]:
    """Return colour and line style number ``i`` of the course's cycle, for ``ax.plot(..., **cycle(1))``."""
    styles = list(plt.rcParams["axes.prop_cycle"])
    return dict(styles[i % len(styles)])


def show(fig: Figure, alt: str, answer: str = "") -> None:
    """Display ``fig`` as a PNG with the text alternative ``alt``, folded beneath it, and close it.

    Parameters
    ----------
    fig : matplotlib Figure
    alt : str
        what a reader who cannot see the picture must know: what is drawn, and what it shows. A sentence or two.
    answer : str
        if the picture answers what the text asks, what it is a picture of: it waits behind a line that says so.
    """
    alt = check_alt(alt)
    picture, metadata = picture_of(fig, alt)
    plt.close(fig)
    if answer:  # a browser takes this, a deck the picture
        size = f'alt="{html.escape(alt)}" width="{metadata["image/png"]["width"]}"'
        picture["text/html"] = folded(f'<img {size} src="data:image/png;base64,{picture["image/png"]}">', answer)
    display({**picture, "text/plain": alt}, raw=True, metadata=metadata)
    show_words(alt)


def folded(content: str, answer: str) -> str:
    """HTML ``content`` that answers a question, behind a line that opens and says what it is: ``answer``."""
    summary = f"<summary><b>{html.escape(answer)}</b> (open this once you have written down your answer)</summary>"
    return f'<details class="kcourse-answer">{summary}{content}</details>'


def show_words(alt: str, what: str = "The picture in words") -> None:
    """Display ``alt`` behind a line that opens: JupyterLab does not tell it to those who cannot see a picture."""
    fold = (
        f'<details class="kcourse-words" style="color:var(--jp-ui-font-color2,#555);font-size:85%">'
        f"<summary>{what}</summary>{html.escape(alt)}</details>"
    )
    display({"text/html": fold, "text/plain": ""}, raw=True, metadata={})


def fit(fig: Figure) -> None:
    """Make ``fig`` one for ``page``, if there is one: no larger than its room, and no letter smaller than its type.

    One that is too wide keeps its shape, so that what stands below it on the page has as much room as with the
    notebook's own picture; one that is then still too high keeps its width.
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

    The picture is sharp (made at a higher resolution than it is shown at) and small (256 colours are enough for
    lines and flat areas). One that is drawn for a ``page`` says, too, how many dots its smallest letters are high.
    """
    return packed(drawn(fig), fig, alt)


def stored_dpi() -> int:
    """Dots for an inch of a picture that is stored."""
    return page.dpi if page else _DPI


def drawn(fig: Figure) -> Image.Image:
    """``fig`` as sharp as it is stored: what ``savefig`` writes, in half its time, as that draws twice."""
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
    """The display bundle and the metadata of ``fig`` and its picture, in the colours of ``palette`` or in its own."""
    small = io.BytesIO()
    coloured = picture.quantize(256, palette=palette, dither=Image.Dither.NONE)
    (coloured if palette else with_white(coloured)).save(small, "png", compress_level=_COMPRESSED)
    metadata: dict[str, Any] = {"image/png": {"alt": alt, "width": round(fig.get_figwidth() * SHOWN_DPI)}}
    if page and (letters := [text.get_fontsize() for text in fig.findobj(Text) if text.get_text().strip()]):
        metadata["image/png"]["letters"] = round(min(letters) / 72 * stored_dpi(), 1)
    return {"image/png": base64.b64encode(small.getvalue()).decode("ascii")}, metadata


def with_white(picture: Image.Image) -> Image.Image:
    """Averaging colours leaves greys beside white, and the ground would be drawn in one of them: make them white."""
    colours = np.reshape(picture.getpalette(), (-1, 3))
    colours[(colours >= 248).all(axis=1)] = 255
    picture.putpalette(colours.ravel().tolist())
    return picture


def grouped(count: float) -> str:
    """A count as it is printed: whole, with a narrow gap between groups of three digits."""
    return f"{count:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def check_alt(alt: str) -> str:
    """Return ``alt`` on one line, or refuse it if it can hardly describe a picture."""
    alt = " ".join(alt.split())
    if len(alt) < 20:
        raise ValueError(f"alt={alt!r} is too short to stand for the picture: say what is drawn and what it shows.")
    return alt
