"""Sliders that redraw a figure: the figure is built once, a change moves its artists and pushes one new picture."""

from __future__ import annotations

import base64
import html
import io
import math
from collections.abc import Callable
from typing import Any, TypeVar

import ipywidgets as widgets
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from kcourse.lab.figures import SHOWN_DPI, check_alt, picture_of

__all__ = ["Explorer", "explore", "log_slider", "moving", "slider", "switch"]

_Artist = TypeVar("_Artist", bound=Artist)
_MOVING = "moves"

_LAYOUT = {"width": "min(46em, 95%)"}
_STYLE = {"description_width": "14em"}


def slider(label: str, low: float, high: float, value: float, step: float) -> widgets.Widget:
    """A slider with equal steps; ``label`` says the symbol and the unit. An int step makes an int slider."""
    kind = widgets.IntSlider if isinstance(step, int) else widgets.FloatSlider
    return kind(value=value, min=low, max=high, step=step, description=label, layout=_LAYOUT, style=_STYLE)


def log_slider(label: str, low: float, high: float, value: float, per_decade: int = 20) -> widgets.Widget:
    """A slider with equal ratios, from about 10^``low`` to about 10^``high``; ``value`` is one of its stops."""
    step, start = 1 / per_decade, math.log10(value)
    # stops are counted from the lower end: put it a whole number of steps below the starting value
    below, above = int((start - low) / step + 1e-9), int((high - start) / step + 1e-9)
    return widgets.FloatLogSlider(
        value=value,
        base=10,
        min=start - below * step,
        max=start + above * step,
        step=step,
        description=label,
        readout_format=".3g",
        layout=_LAYOUT,
        style=_STYLE,
    )


def switch(label: str, options: list[str], value: str | None = None) -> widgets.Widget:
    """A choice between a few words, worked with the arrow keys."""
    return widgets.ToggleButtons(
        options=options, value=value or options[0], description=label, style={**_STYLE, "button_width": "auto"}
    )


class Explorer:
    """A figure, its controls and the function that redraws it; what `explore` displays.

    ``set(sigma=2)`` does what moving the slider does, so that a test needs no browser. ``alt`` is the text
    alternative of the present picture and ``picture`` the widget that holds it.
    """

    def __init__(self, fig: Figure, update: Callable[..., str], controls: dict[str, widgets.Widget]) -> None:
        self.fig, self.update, self.controls = fig, update, controls
        self.alt = check_alt(update(**self.values()))
        self._canvas = FigureCanvasAgg(fig)
        fig.set_dpi(SHOWN_DPI)
        fig.draw_without_rendering()  # lays the axes out ...
        fig.set_layout_engine("none")  # ... once: a layout for every key press takes time and makes axes jump
        self._stored, self._metadata = picture_of(fig, self.alt)
        # the colours of the first picture serve all others: 3 ms to encode one instead of 10
        self._palette = Image.open(io.BytesIO(base64.b64decode(self._stored["image/png"])))
        # What moves is drawn over a background that is kept: a tenth of the time of drawing ticks and labels anew.
        self._moving = fig.findobj(match=_moves)
        for artist in self._moving:
            artist.set_animated(True)
        self._canvas.draw()
        self._background = self._canvas.copy_from_bbox(fig.bbox)
        self.picture = widgets.HTML()
        self._push()
        for control in controls.values():
            control.observe(self._changed, names="value")

    def values(self) -> dict[str, Any]:
        """The present value of every control, by name."""
        return {name: control.value for name, control in self.controls.items()}

    def set(self, **values: Any) -> None:
        """Move controls, as a reader would."""
        for name, value in values.items():
            self.controls[name].value = value

    def _changed(self, _change: Any) -> None:
        # While one picture is drawn the browser holds back all but the last value of a slider that is dragged
        # (ipywidgets' throttle), so no stale picture is ever drawn and nothing needs to be dropped here.
        self.alt = check_alt(self.update(**self.values()))
        self._push()

    def _push(self) -> None:
        self._canvas.restore_region(self._background)
        for artist in sorted(self._moving, key=lambda a: a.get_zorder()):
            self.fig.draw_artist(artist)
        buffer = io.BytesIO()
        picture = Image.fromarray(np.asarray(self._canvas.buffer_rgba())).convert("RGB")
        picture.quantize(palette=self._palette, dither=Image.Dither.NONE).save(buffer, "png", compress_level=1)
        source = base64.b64encode(buffer.getvalue()).decode("ascii")
        alt, width = html.escape(self.alt, quote=True), self._metadata["image/png"]["width"]
        self.picture.value = (
            f'<img alt="{alt}" width="{width}" style="max-width:100%;height:auto" src="data:image/png;base64,{source}">'
        )

    def show(self) -> None:
        """Display controls and picture; where no kernel runs, the picture of the starting values stands alone."""
        box = widgets.VBox([*self.controls.values(), self.picture])
        view = {"version_major": 2, "version_minor": 0, "model_id": box.model_id}
        # a front end with a kernel takes the first, a page without one the second: one output, one figure
        bundle = {"application/vnd.jupyter.widget-view+json": view, **self._stored, "text/plain": self.alt}
        display(bundle, raw=True, metadata=self._metadata)


def explore(fig: Figure, update: Callable[..., str], **controls: widgets.Widget) -> Explorer:
    """Display ``fig`` with ``controls``; each change calls ``update`` with all their values by name.

    ``update`` moves artists of ``fig`` (``set_ydata``, ``set_text``, …) and returns the text alternative of the
    picture that results. Mark the artists that it moves with ``moving(artist)``; all the rest is drawn once.
    Keep the returned Explorer in a name, so that the notebook does not print it.
    """
    plt.close(fig)  # pyplot must not show it a second time
    explorer = Explorer(fig, update, controls)
    explorer.show()
    return explorer


def moving(artist: _Artist) -> _Artist:
    """Mark an artist as one that ``update`` changes; returns it."""
    artist.set_gid(_MOVING)
    return artist


def _moves(artist: Artist) -> bool:
    return artist.get_gid() == _MOVING
