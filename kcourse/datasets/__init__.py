"""The data sets of the course, with their units, origin and terms of use.

====================  ====================================  =====================  ==========
call                  what                                  shape of X             y
====================  ====================================  =====================  ==========
``load_mcycle``       head acceleration after an impact     (133, 1) ms            (133,) g
``load_geyser``       Old Faithful: wait, then eruption     (299, 1) min           (299,) min
``load_synth``        Ripley's two classes in the plane     (250 or 1000, 2)       0 or 1
``load_co2``          monthly CO2 at Mauna Loa              (521, 1) decimal year  (521,) ppm
``load_peptides``     antimicrobial or transmembrane        412 strings            1 or 0
``load_diabetes``     disease progression (scikit-learn's)  (442, 10)              (442,)
``load_terrain``      a map of mountains (matplotlib's)     (138632, 2) km         (138632,) m
``make_sinc``         noisy samples of sin(πx)/(πx)         (n, 1)                 (n,)
``make_double_moon``  two half rings that interlock         (n, 2)                 1 or -1
====================  ====================================  =====================  ==========

All but ``load_diabetes`` and ``load_terrain`` need only NumPy and read files of the package (``files/README.md`` lists
their sources). Each call returns a new object whose arrays are read-only, so that no notebook cell can change what a
later cell loads. Use ``data.X.copy()`` for an array that you want to change, and ``return_X_y=True`` to get only the
pair ``(X, y)``.
"""

from __future__ import annotations

from kcourse.datasets._dataset import Dataset, SequenceDataset
from kcourse.datasets._installed import load_diabetes, load_terrain
from kcourse.datasets._made import make_sinc
from kcourse.datasets._moons import make_double_moon
from kcourse.datasets._shipped import load_co2, load_geyser, load_mcycle, load_peptides, load_synth

__all__ = [
    "Dataset",
    "SequenceDataset",
    "load_co2",
    "load_diabetes",
    "load_geyser",
    "load_mcycle",
    "load_peptides",
    "load_synth",
    "load_terrain",
    "make_double_moon",
    "make_sinc",
]
