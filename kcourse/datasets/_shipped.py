"""Loaders of the data files in ``files/`` of this package; ``files/README.md`` lists their sources."""

from __future__ import annotations

import csv
import io
from importlib import resources

import numpy as np

from kcourse.datasets._dataset import Dataset, SequenceDataset

__all__ = ["load_co2", "load_geyser", "load_mcycle", "load_peptides", "load_synth"]

_MASS_TERMS = 'MASS copyright file: "Our understanding is that the dataset files MASS/data/*.rda are not copyright"'
_SYNTH_FILES = {"train": "synth.tr.csv", "test": "synth.te.csv"}


def load_mcycle(*, return_X_y: bool = False) -> Dataset | tuple[np.ndarray, np.ndarray]:
    r"""Load the motorcycle data: head acceleration (g) against time after a simulated impact (ms), n = 133.

    39 of the 133 times repeat an earlier one (94 are distinct), so nearest neighbours need a rule for ties. The
    spread of y changes strongly with time.

    Parameters
    ----------
    return_X_y : bool, default False
        Return only the pair ``(X, y)``.

    Returns
    -------
    Dataset
        ``X`` (133, 1): time after impact in ms, 2.4 to 57.6, ascending. ``y`` (133,): head acceleration in g
        (multiples of the acceleration of free fall), -134 to 75. With ``return_X_y``, the two arrays.

    Notes
    -----
    Origin: R package MASS 7.3-58.2, ``mcycle``; Silverman (1985), *Some aspects of the spline smoothing
    approach to non-parametric regression curve fitting*, J. R. Statist. Soc. B 47, 1-52.

    Terms: "Our understanding is that the dataset files MASS/data/\*.rda are not copyright" (MASS).

    Examples
    --------
    >>> from kcourse.datasets import load_mcycle
    >>> load_mcycle()
    Dataset('mcycle': X (133, 1), y (133,))
    >>> X, y = load_mcycle(return_X_y=True)
    >>> len(y) - len(set(X[:, 0]))
    39
    """
    table = _read_table("mcycle.csv")
    data = Dataset(
        name="mcycle",
        X=table[:, :1],
        y=table[:, 1],
        feature_names=("time",),
        target_name="acceleration",
        units={"time": "ms", "acceleration": "g"},
        description="Head acceleration against time after a simulated motorcycle impact (helmet test).",
        origin="R package MASS 7.3-58.2, mcycle; Silverman (1985), J. R. Statist. Soc. B 47, 1-52",
        terms=_MASS_TERMS,
    )
    return (data.X, data.y) if return_X_y else data


def load_geyser(*, return_X_y: bool = False) -> Dataset | tuple[np.ndarray, np.ndarray]:
    r"""Load the Old Faithful data: X = wait *before* an eruption (min), y = its duration (min), n = 299.

    The eruptions are consecutive, 1 to 15 August 1985, in order of time. A long wait tends to precede a short
    eruption (correlation -0.64), and a long eruption tends to precede a long wait. R's ``faithful`` pairs each
    eruption with the wait *after* it, so its slope has the opposite sign. Durations of exactly 2, 3 and 4 min
    include eruptions at night that were recorded only as short, medium and long.

    Parameters
    ----------
    return_X_y : bool, default False
        Return only the pair ``(X, y)``.

    Returns
    -------
    Dataset
        ``X`` (299, 1): waiting time in min, 43 to 108. ``y`` (299,): duration in min, 0.83 to 5.45. With
        ``return_X_y``, the two arrays.

    Notes
    -----
    Origin: R package MASS 7.3-58.2, ``geyser``; Azzalini and Bowman (1990), *A look at some data on the Old
    Faithful geyser*, Applied Statistics 39, 357-365.

    Terms: "Our understanding is that the dataset files MASS/data/\*.rda are not copyright" (MASS).

    Examples
    --------
    >>> import numpy as np
    >>> from kcourse.datasets import load_geyser
    >>> load_geyser()
    Dataset('geyser': X (299, 1), y (299,))
    >>> X, y = load_geyser(return_X_y=True)
    >>> round(float(np.corrcoef(X[:, 0], y)[0, 1]), 2)
    -0.64
    """
    table = _read_table("geyser.csv")
    data = Dataset(
        name="geyser",
        X=table[:, :1],
        y=table[:, 1],
        feature_names=("waiting",),
        target_name="duration",
        units={"waiting": "min", "duration": "min"},
        description="Old Faithful, 1-15 August 1985: the wait before each eruption, and how long it lasted.",
        origin="R package MASS 7.3-58.2, geyser; Azzalini and Bowman (1990), Applied Statistics 39, 357-365",
        terms=_MASS_TERMS,
    )
    return (data.X, data.y) if return_X_y else data


def load_synth(subset: str = "train", *, return_X_y: bool = False) -> Dataset | tuple[np.ndarray, np.ndarray]:
    r"""Load Ripley's synthetic two-class problem in the plane; each class is a mixture of two Gaussians.

    Each class has half of the points of each subset, in order of class, so shuffle before you make folds. The
    Bayes rule has an error of 8.0 % on this test set.

    Parameters
    ----------
    subset : {"train", "test"}, default "train"
        250 training points or 1000 test points.
    return_X_y : bool, default False
        Return only the pair ``(X, y)``.

    Returns
    -------
    Dataset
        ``X`` (250, 2) or (1000, 2): coordinates, without unit. ``y`` (250,) or (1000,): class 0 or 1, int.
        With ``return_X_y``, the two arrays.

    Raises
    ------
    ValueError
        If ``subset`` is neither "train" nor "test".

    Notes
    -----
    Origin: R package MASS 7.3-58.2, ``synth.tr`` and ``synth.te``; Ripley (1994), *Neural networks and
    related methods for classification*, J. R. Statist. Soc. B 56, 409-456.

    Terms: "Our understanding is that the dataset files MASS/data/\*.rda are not copyright" (MASS).

    Examples
    --------
    >>> from kcourse.datasets import load_synth
    >>> load_synth()
    Dataset('synth (train)': X (250, 2), y (250,))
    >>> X, y = load_synth("test", return_X_y=True)
    >>> X.shape, int(y.sum())
    ((1000, 2), 500)
    """
    if not isinstance(subset, str) or subset not in _SYNTH_FILES:
        raise ValueError(f"subset is {subset!r}; write subset='train' (250 points) or subset='test' (1000 points).")
    table = _read_table(_SYNTH_FILES[subset])
    data = Dataset(
        name=f"synth ({subset})",
        X=table[:, :2],
        y=table[:, 2].astype(np.int64),
        feature_names=("xs", "ys"),
        target_name="class",
        units={"xs": "", "ys": "", "class": ""},
        description="Ripley's synthetic problem: two classes, each a mixture of two Gaussians in the plane.",
        origin=(
            f"R package MASS 7.3-58.2, {_SYNTH_FILES[subset].removesuffix('.csv')}; "
            "Ripley (1994), J. R. Statist. Soc. B 56, 409-456"
        ),
        terms=_MASS_TERMS,
    )
    return (data.X, data.y) if return_X_y else data


def load_co2(*, return_X_y: bool = False) -> Dataset | tuple[np.ndarray, np.ndarray]:
    """Load the Mauna Loa record: monthly mean CO2 (ppm) against time (decimal year), 1958 to 2001, n = 521.

    Each value is the mean of the measured weeks of that month. Five months without measurements are left out
    (June and October 1958, February to April 1964), so the times are not quite equally spaced.

    Parameters
    ----------
    return_X_y : bool, default False
        Return only the pair ``(X, y)``.

    Returns
    -------
    Dataset
        ``X`` (521, 1): decimal year, year + (month - 1)/12, from March 1958 to December 2001. ``y`` (521,):
        CO2 in ppm (parts per million), 313.4 to 373.8. With ``return_X_y``, the two arrays.

    Notes
    -----
    Origin: monthly means of the weekly Mauna Loa file in statsmodels 0.15.0.

    Terms: "This is public domain." (statsmodels).

    Examples
    --------
    >>> from kcourse.datasets import load_co2
    >>> load_co2()
    Dataset('co2': X (521, 1), y (521,))
    >>> X, y = load_co2(return_X_y=True)
    >>> round(float(X[0, 0]), 4), round(float(y.mean()), 4)
    (1958.1667, 339.8227)
    """
    table = _read_table("co2_monthly.csv")
    year, month = table[:, 0], table[:, 1]
    data = Dataset(
        name="co2",
        X=(year + (month - 1) / 12)[:, None],
        y=table[:, 2],
        feature_names=("time",),
        target_name="CO2",
        units={"time": "year", "CO2": "ppm"},
        description="CO2 in the air at Mauna Loa, monthly means of weekly values, March 1958-December 2001.",
        origin="Monthly means of the weekly Mauna Loa file in statsmodels 0.15.0 (missing weeks left out)",
        terms='statsmodels: "This is public domain."',
    )
    return (data.X, data.y) if return_X_y else data


def load_peptides(*, return_X_y: bool = False) -> SequenceDataset | tuple[tuple[str, ...], np.ndarray]:
    """Load 412 peptides as strings of amino-acid letters: label 1 = antimicrobial, 0 = transmembrane.

    Each class has 206 sequences, in order of class, so shuffle before you make folds. No sequence occurs twice.

    Parameters
    ----------
    return_X_y : bool, default False
        Return only the pair ``(X, y)``.

    Returns
    -------
    SequenceDataset
        ``X``, a tuple of 412 str over the 20 one-letter amino-acid codes, 8 to 56 letters long. ``y``
        (412,): label 1 (antimicrobial, AMP) or 0 (transmembrane, TM), int. With ``return_X_y``, the tuple
        and the array.

    Notes
    -----
    Origin: modlAMP 4.3.3, ``AMPvsTMset.csv``; Müller, Gabernet, Hiss and Schneider (2017), *modlAMP: Python
    for antimicrobial peptides*, Bioinformatics 33, 2753-2755, doi:10.1093/bioinformatics/btx285 (please
    cite it).

    Terms: BSD-3-Clause, ``files/AMPvsTMset.LICENSE.txt``; the terms of the databases used by modlAMP were not
    examined.

    Examples
    --------
    >>> from kcourse.datasets import load_peptides
    >>> data = load_peptides()
    >>> data.X[0], int(data.y[0])
    ('AAGAATVLLVIVLLAGSYLAVLA', 0)
    >>> int((data.y == 1).sum()), int((data.y == 0).sum())
    (206, 206)
    """
    # the first line, "412,1,TM,AMP", gives the numbers of sequences and columns and the names of classes 0 and 1
    rows = list(csv.reader(io.StringIO(_read_text("AMPvsTMset.csv"))))[1:]
    data = SequenceDataset(
        name="peptides",
        X=tuple(sequence for sequence, _ in rows),
        y=np.array([int(label) for _, label in rows], dtype=np.int64),
        feature_names=("sequence",),
        target_name="antimicrobial",
        units={"sequence": "", "antimicrobial": ""},
        description="Peptides in one-letter amino-acid codes: antimicrobial (1) or transmembrane (0).",
        origin=(
            "modlAMP 4.3.3, AMPvsTMset.csv; Müller, Gabernet, Hiss and Schneider (2017), "
            "Bioinformatics 33, 2753-2755, doi:10.1093/bioinformatics/btx285"
        ),
        terms=(
            "BSD-3-Clause, Copyright (c) 2016 - 2025 ETH Zurich, Switzerland; Alex Müller, Gisela Gabernet, "
            "Gisbert Schneider (files/AMPvsTMset.LICENSE.txt); upstream databases' own terms not examined"
        ),
    )
    return (data.X, data.y) if return_X_y else data


def _read_text(filename: str) -> str:
    # importlib.resources instead of a path, because the package may be in a zip file
    return (resources.files("kcourse.datasets") / "files" / filename).read_text(encoding="utf-8")


def _read_table(filename: str) -> np.ndarray:
    """Return the numbers below the header line as a float64 array (rows, columns)."""
    return np.loadtxt(io.StringIO(_read_text(filename)), delimiter=",", skiprows=1, ndmin=2)
