"""Output of the notebooks: figures with alt text, sliders that redraw them, tables, and ``verify``.

It needs matplotlib and anywidget; the solvers do not. It imports no solver: figures get their data as arguments.
Importing it limits linear algebra to one thread (`kcourse.base.threads`), however the kernel was started.
"""

from kcourse.base import threads
from kcourse.lab.figures import cycle, show, use_style
from kcourse.lab.measured import measured
from kcourse.lab.table import table
from kcourse.lab.verify import verify
from kcourse.lab.widgets import explore, log_slider, moving, slider, switch

threads.limit()

__all__ = [
    "cycle", "explore", "log_slider", "measured", "moving", "show", "slider", "switch", "table", "use_style", "verify",
]  # fmt: skip
