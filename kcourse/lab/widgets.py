"""Sliders that redraw a figure: the figure is built once; a change moves its artists and sends one new picture.

The controls are those of the browser (``explorer.js``), so arrow keys work and a screen reader reads the value with its
unit. Each control has a fixed number of stops; this module sets the values and texts of the stops.
"""

from __future__ import annotations

import gc
import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import dropwhile
from typing import Any, TypeVar

import anywidget
import matplotlib.pyplot as plt
import numpy as np
import traitlets
from IPython import get_ipython
from IPython.display import display
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from PIL import Image

from kcourse.lab.figures import SHOWN_DPI, check_alt, fit, grouped, packed, show_words, stored_dpi, with_white

__all__ = ["Control", "Explorer", "explore", "log_slider", "moving", "slider", "switch"]

_Artist = TypeVar("_Artist", bound=Artist)
_MOVING = "moves"
_SHARPEST = 2.0  # times SHOWN_DPI: more would take time and hardly look better


@dataclass(frozen=True)
class Control:
    """A control that chooses a value: a slider, or a choice between a few words.

    Attributes
    ----------
    label : str
        the symbol and its meaning.
    stops : tuple
        the values, in order.
    texts : tuple of str
        the text of each value, with its unit.
    start : int
        the stop to begin with.
    kind : {"slider", "choice"}
    """

    label: str
    stops: tuple[Any, ...]
    texts: tuple[str, ...]
    start: int
    kind: str = "slider"

    def stop_at(self, value: Any) -> int:
        """Return the number of the stop with this value; raise ValueError if no stop has it."""
        for i, stop in enumerate(self.stops):
            if stop == value or (isinstance(stop, (int, float)) and math.isclose(stop, value, rel_tol=1e-9)):
                return i
        raise ValueError(f"{self.label} has no stop at {value!r}; available: {', '.join(self.texts)}.")


def slider(
    label: str, low: float, high: float, value: float, step: float, unit: str = "", dates: bool = False
) -> Control:
    """Return a slider with equal steps; ``label`` has the symbol, ``unit`` follows each value. An int step makes ints.

    With ``dates`` the stops are years, which are written without a space between thousands.
    """
    if not step > 0 or not low <= high:
        raise ValueError(
            f"the slider {label!r} goes from {low} to {high} in steps of {step}; low ≤ high and step > 0 are needed."
        )
    # rounded, so that 0.1 three times is 0.3
    stops = [low + i * step if isinstance(step, int) else round(low + i * step, 12) + 0.0
             for i in range(int((high - low) / step + 1e-9) + 1)]  # fmt: skip
    control = _slider(label, stops, value, unit)
    return replace(control, texts=tuple(str(stop) for stop in stops)) if dates else control


def log_slider(
    label: str, low: float, high: float, value: float, per_decade: int = 20, unit: str = "", whole: bool = False
) -> Control:
    """Return a slider with equal ratios from about 10^``low`` to about 10^``high``; ``value`` is one of its stops.

    With ``whole`` the stops are rounded to integers, for counts.
    """
    if not value > 0:
        raise ValueError(f"the slider {label!r} starts at {value}; a logarithmic slider must start above 0.")
    start = math.log10(value)
    # stops are counted from the value; the last stops lie inside the range
    below, above = int((start - low) * per_decade + 1e-9), int((high - start) * per_decade + 1e-9)
    stops = [value * 10 ** (i / per_decade) for i in range(-below, above + 1)]
    if whole:
        stops = sorted({round(stop) for stop in stops})
    return _slider(label, stops, value, unit)


def _slider(label: str, stops: Sequence[float], value: float, unit: str) -> Control:
    for digits in range(3, 17):  # as many digits as distinguish the stops
        texts = [_as_read(stop, digits) for stop in stops]
        if len(set(texts)) == len(texts):
            break
    control = Control(label, tuple(stops), tuple(f"{text} {unit}".strip() for text in texts), 0)
    return replace(control, start=control.stop_at(value))


def _as_read(stop: float, digits: int) -> str:
    if isinstance(stop, int):
        return grouped(stop)
    if 1000 <= abs(stop) < 1e6 and stop == round(stop):
        return f"{stop:.0f}"
    return f"{stop:.{digits}g}"


def switch(label: str, options: list[str], value: str | None = None) -> Control:
    """Return a control that offers a few words."""
    return Control(label, tuple(options), tuple(options), options.index(value) if value else 0, "choice")


class Explorer(anywidget.AnyWidget):
    """A figure, its controls and the function that redraws it, as `explore` displays them.

    ``set(sigma=2)`` does the same as moving the slider, so that a test needs no browser. ``alt`` is the text
    alternative of the current picture and ``picture`` its PNG.
    """

    _esm = files("kcourse.lab").joinpath("explorer.js").read_text(encoding="utf-8")
    _css = files("kcourse.lab").joinpath("explorer.css").read_text(encoding="utf-8")

    faces = traitlets.List().tag(sync=True)  # name, label, kind and texts of each control
    at = traitlets.Dict().tag(sync=True, echo_update=False)  # name of each control -> number of its stop
    density = traitlets.Float(1.0).tag(sync=True, echo_update=False)  # screen dots per CSS pixel
    picture = traitlets.Bytes().tag(sync=True)
    alt = traitlets.Unicode().tag(sync=True)
    width = traitlets.Int().tag(sync=True)
    problem = traitlets.Unicode().tag(sync=True)  # why the picture does not show the current setting

    def __init__(
        self,
        fig: Figure,
        update: Callable[..., str],
        controls: dict[str, Control],
        states: Sequence[dict[str, Any]] = (),
    ) -> None:
        self.fig, self.update, self.controls = fig, update, controls
        start = {name: control.start for name, control in controls.items()}
        alt = check_alt(update(**self._values(start)))
        self._canvas = FigureCanvasAgg(fig)
        fig.set_dpi(SHOWN_DPI)
        fit(fig)
        fig.draw_without_rendering()  # computes the layout ...
        fig.set_layout_engine("none")  # ... once: a new layout for every key press takes time and moves the axes
        # Moving artists are drawn over a stored background, in a tenth of the time of drawing ticks and labels again.
        # Legends do not move, but must stay above moving lines, and dots above a moving band.
        above = [artist for ax in fig.axes for artist in _drawn_after_one_that_moves(ax)]
        self._moving = [a for a in fig.findobj() if _moves(a) or isinstance(a, Legend) or a in above]
        for artist in self._moving:
            artist.set_animated(True)
        self._keep_background(stored_dpi() / SHOWN_DPI)
        ground, first = self._drawn(), self._draw_moving()
        entries, pictures = [], []
        for state in states:
            entries.append(self._state(start, state))
            pictures.append(self._draw_moving())
        self._palette = _palette([ground, first, *pictures])
        self.stored, self.metadata = packed(first, fig, alt, self._palette)
        if states:
            for entry, picture in zip(entries, pictures, strict=True):
                entry["png"] = packed(picture, fig, entry["alt"], self._palette)[0]["image/png"]
            labels = [control.label for control in controls.values()]
            self.metadata["kcourse"] = {"controls": labels, "states": entries}
            update(**self._values(start))
        self._keep_background(1.0)
        faces = [
            {"name": name, "label": c.label, "kind": c.kind, "texts": list(c.texts)} for name, c in controls.items()
        ]
        width = self.metadata["image/png"]["width"]
        super().__init__(faces=faces, at=start, alt=alt, width=width, picture=self._draw())
        self.observe(self._moved, names="at")
        self.observe(self._sharpened, names="density")

    def values(self) -> dict[str, Any]:
        """Return the current value of every control, by name."""
        return self._values(self.at)

    def set(self, **values: Any) -> None:
        """Move controls as a reader would."""
        self.at = self.at | {name: self.controls[name].stop_at(value) for name, value in values.items()}

    def _state(self, start: dict[str, int], state: dict[str, Any]) -> dict[str, Any]:
        """Return the texts of a picture for the deck, which has no kernel: alt text and moved controls."""
        values, questions = _split(state)
        at = start | {name: self.controls[name].stop_at(value) for name, value in values.items()}
        alt = check_alt(self.update(**self._values(at)))
        moved = (self.controls[name] for name in values)
        says = ", ".join(
            f"{c.label}: {c.texts[c.stop_at(values[name])]}" for name, c in zip(values, moved, strict=True)
        )
        fit(self.fig)
        return {"png": "", "alt": alt, "says": says, "questions": questions}

    def _values(self, at: dict[str, int]) -> dict[str, Any]:
        return {name: control.stops[at[name]] for name, control in self.controls.items()}

    @traitlets.validate("at")
    def _is_a_stop(self, proposal: dict[str, Any]) -> dict[str, int]:
        at = proposal["value"]
        if at.keys() != self.controls.keys() or not all(0 <= at[n] < len(c.stops) for n, c in self.controls.items()):
            raise traitlets.TraitError(f"at={at} is not a setting of {', '.join(self.controls)}.")
        return at

    def _moved(self, _change: Any) -> None:
        # While a picture is drawn, the browser sends only the last value of a dragged slider (ipywidgets' throttle),
        # so no outdated picture is drawn.
        try:
            alt = check_alt(self.update(**self.values()))
        except Exception as error:  # the picture does not show the setting: tell the reader, then the log
            self.problem = f"This setting cannot be drawn ({type(error).__name__}: {error})."
            raise
        with self.hold_sync():  # one message for all three
            self.alt, self.picture, self.problem = alt, self._draw(), ""

    def _sharpened(self, _change: Any) -> None:
        self._keep_background(min(max(self.density, 1.0), _SHARPEST))
        self.picture = self._draw()

    def _keep_background(self, density: float) -> None:
        self.fig.set_dpi(SHOWN_DPI * density)
        self._canvas.draw()
        self._background = self._canvas.copy_from_bbox(self.fig.bbox)

    def _draw_moving(self) -> Image.Image:
        self._canvas.restore_region(self._background)
        for artist in sorted(self._moving, key=Artist.get_zorder):
            self.fig.draw_artist(artist)
        return self._drawn()

    def _drawn(self) -> Image.Image:
        return Image.fromarray(np.asarray(self._canvas.buffer_rgba())).convert("RGB")

    def _draw(self) -> bytes:
        buffer = io.BytesIO()
        picture = self._draw_moving().quantize(palette=self._palette, dither=Image.Dither.NONE)
        picture.save(buffer, "png", compress_level=1)
        return buffer.getvalue()

    def show(self) -> None:
        """Display controls and picture; without a kernel, only the picture of the starting values."""
        view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        # a front end with a kernel shows the first, a page without a kernel the second
        bundle = {"application/vnd.jupyter.widget-view+json": view, **self.stored, "text/plain": self.alt}
        display(bundle, raw=True, metadata=self.metadata)
        show_words(self.alt, "The first picture in words")


def explore(
    fig: Figure, update: Callable[..., str], *, states: Sequence[dict[str, Any]] = (), **controls: Control
) -> Explorer:
    """Display ``fig`` with ``controls``; each change calls ``update`` with all their values by name.

    ``states`` are settings whose pictures the deck shows one after the other. Each holds the values of the controls
    that differ from the start, and as ``"question"`` the number or numbers of the questions above that it answers:
    ``{"sigma": 80, "question": 1}`` or ``{"sigma": 80, "question": (1, 3)}``.

    ``update`` moves artists of ``fig`` (``set_ydata``, ``set_text``, …) and returns the text alternative of the new
    picture. Mark the artists that it moves with ``moving(artist)``; all others are drawn once, except those above a
    moving one. Assign the returned Explorer to a name, so that the notebook does not print it.
    """
    plt.close(fig)  # pyplot must not show it a second time
    of_this_run = _shown_by_this_run()
    explorer = Explorer(fig, update, controls, states)
    of_this_run.append(explorer)
    explorer.show()
    return explorer


_shown: dict[str, tuple[str, list[Explorer]]] = {}  # for each cell: its last run, and the explorers that it showed


def _shown_by_this_run() -> list[Explorer]:
    """Return the explorers that this run of the cell has shown; close those of an earlier run.

    Their output is gone, and each holds a figure of ten megabytes.
    """
    shell = get_ipython()
    if shell is None or not hasattr(shell, "kernel"):
        return []
    asked = shell.get_parent()
    cell = asked.get("metadata", {}).get("cellId") or asked.get("content", {}).get("code", "")
    run = asked.get("header", {}).get("msg_id", "")
    known, explorers = _shown.get(cell, (run, []))
    if known != run:
        for explorer in explorers:
            explorer.close()
        explorers = []
        gc.collect()  # figures are in reference cycles, and Python does not see how large they are
    _shown[cell] = run, explorers
    return explorers


def _palette(pictures: Sequence[Image.Image]) -> Image.Image:
    """Return one palette for all pictures of an explorer: encoding a picture takes 3 ms instead of 10."""
    width, height = pictures[0].width // 2, pictures[0].height // 2  # half size is enough to find the colours
    column = Image.new("RGB", (width, height * len(pictures)))
    for k, picture in enumerate(pictures):
        column.paste(picture.resize((width, height), Image.Resampling.NEAREST), (0, k * height))
    return with_white(column.quantize(256, dither=Image.Dither.NONE))


def _split(state: dict[str, Any]) -> tuple[dict[str, Any], list[int]]:
    """Return the values of a state, and the numbers of the questions that it answers."""
    values = {name: value for name, value in state.items() if name != "question"}
    questions = state.get("question", ())
    return values, [questions] if isinstance(questions, int) else list(questions)


def moving(artist: _Artist) -> _Artist:
    """Mark an artist as one that ``update`` changes, and return it."""
    artist.set_gid(_MOVING)
    return artist


def _moves(artist: Artist) -> bool:
    return artist.get_gid() == _MOVING


def _drawn_after_one_that_moves(ax: Axes) -> list[Artist]:
    """Return the artists that matplotlib draws after the first moving one, without frame, ticks and titles."""
    inside = sorted(_inside(ax), key=Artist.get_zorder)  # stable: for equal zorder, the last added is drawn last
    return list(dropwhile(lambda artist: not _moves(artist), inside))


def _inside(ax: Axes) -> list[Artist]:
    data = {*ax.lines, *ax.collections, *ax.patches, *ax.images, *ax.texts, *ax.artists, *ax.tables}
    return [artist for artist in ax.get_children() if artist in data]
