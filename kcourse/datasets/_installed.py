"""Loaders of data from other installed packages; kcourse contains no copy of them."""

from __future__ import annotations

import numpy as np

from kcourse.datasets._dataset import Dataset

__all__ = ["load_diabetes", "load_terrain"]


def load_diabetes(*, scaled: bool = True, return_X_y: bool = False) -> Dataset | tuple[np.ndarray, np.ndarray]:
    """Load scikit-learn's diabetes data: ten measurements and the disease progression a year later, n = 442.

    Parameters
    ----------
    scaled : bool, default True
        True: every column of X is centred and divided by its standard deviation times √n, so that it has mean 0
        and sum of squares 1. Typical entries are therefore about 1/√442 ≈ 0.05, not about 1.
        False: the measured numbers.
    return_X_y : bool, default False
        Return only the pair ``(X, y)``.

    Returns
    -------
    Dataset
        ``X`` (442, 10): age, sex, bmi (body mass index), bp (average blood pressure) and six serum
        measurements, s1 to s6; pure numbers if scaled, else age in years, bmi in kg/m², sex coded 1 or 2;
        scikit-learn states no unit for the other columns. ``y`` (442,): progression one year after baseline, a
        quantitative score without unit, 25 to 346, never scaled or centred. With ``return_X_y``, the two
        arrays.

    Raises
    ------
    ImportError
        If scikit-learn is not installed.

    Notes
    -----
    Origin: the installed scikit-learn; Efron, Hastie, Johnstone and Tibshirani (2004), *Least angle
    regression*, Annals of Statistics 32, 407-499,
    https://www4.stat.ncsu.edu/~boos/var.select/diabetes.html.

    Terms: the scikit-learn package is BSD-3-Clause; its description of the data gives the source but no licence.

    Examples
    --------
    >>> from kcourse.datasets import load_diabetes
    >>> load_diabetes()
    Dataset('diabetes': X (442, 10), y (442,))
    >>> X, y = load_diabetes(scaled=False, return_X_y=True)
    >>> [float(v) for v in X[0, :3]], float(y[0])
    ([59.0, 2.0, 32.1], 151.0)
    """
    try:
        # imported here, because kcourse itself must not require scikit-learn
        from sklearn.datasets import load_diabetes as load
    except ImportError as error:
        raise ImportError("scikit-learn is needed for load_diabetes: pip install scikit-learn") from error
    raw = load(scaled=scaled)
    units = dict.fromkeys([*raw.feature_names, "progression"], "")
    if not scaled:
        units |= {"age": "years", "bmi": "kg/m²"}
    data = Dataset(
        name="diabetes" if scaled else "diabetes (raw)",
        X=raw.data,
        y=raw.target,
        feature_names=tuple(raw.feature_names),
        target_name="progression",
        units=units,
        description="Ten measurements of 442 diabetes patients, and how the disease progressed in a year.",
        origin=(
            "scikit-learn's load_diabetes; Efron, Hastie, Johnstone and Tibshirani (2004), "
            "Annals of Statistics 32, 407-499, https://www4.stat.ncsu.edu/~boos/var.select/diabetes.html"
        ),
        terms=(
            "The scikit-learn package is BSD-3-Clause; its description of the data names the source and no "
            "licence. Loaded from the installation, not redistributed."
        ),
    )
    return (data.X, data.y) if return_X_y else data


def load_terrain(*, return_X_y: bool = False) -> Dataset | tuple[np.ndarray, np.ndarray]:
    """Load matplotlib's terrain: heights of the mountains north of Jacksboro, Tennessee, on a grid, n = 138 632.

    Parameters
    ----------
    return_X_y : bool, default False
        Return only the pair ``(X, y)``.

    Returns
    -------
    Dataset
        ``X`` (138632, 2): kilometres east and north of the south-western corner. ``y`` (138632,): height in metres,
        whole numbers from 236 to 1076. The points start at the north-western corner and run eastwards, 403 points per
        line, 344 lines: ``y.reshape(344, 403)`` is the map, north at the top. With ``return_X_y``, the two arrays.

    Raises
    ------
    ImportError
        If matplotlib is not installed.

    Notes
    -----
    Origin: ``jacksboro_fault_dem.npz`` in the sample data of the installed matplotlib, a grid with a spacing of three
    arc seconds, 36.45° to 36.73° N and 84.41° to 84.08° W. One degree counts as 110.95 km to the north, and as
    111.32 km times the cosine of the middle latitude to the east, which is accurate to a few tenths of 1 %.

    Terms: those of the matplotlib package (its licence is based on that of Python), which states no separate terms for
    the data. Loaded from the installation, not redistributed.

    Examples
    --------
    >>> from kcourse.datasets import load_terrain
    >>> land = load_terrain()
    >>> land
    Dataset('terrain': X (138632, 2), y (138632,))
    >>> float(land.y.min()), float(land.y.max()), land.X.max(axis=0).round(1)
    (236.0, 1076.0, array([29.9, 31.7]))
    """
    try:
        # imported here, because kcourse itself must not require matplotlib
        from matplotlib.cbook import get_sample_data
    except ImportError as error:
        raise ImportError("matplotlib is needed for load_terrain: pip install matplotlib") from error
    with np.load(get_sample_data("jacksboro_fault_dem.npz", asfileobj=False)) as file:
        height, step = file["elevation"].astype(float), float(file["dx"])
        middle = np.radians(0.5 * float(file["ymin"] + file["ymax"]))
    lines, columns = height.shape
    north, east = np.mgrid[:lines, :columns]
    X = np.column_stack([east.ravel() * step * 111.32 * np.cos(middle), (lines - 1 - north.ravel()) * step * 110.95])
    data = Dataset(
        name="terrain",
        X=X,
        y=height.ravel(),
        feature_names=("east", "north"),
        target_name="height",
        units={"east": "km", "north": "km", "height": "m"},
        description="Heights of the mountains north of Jacksboro, Tennessee, on a grid of three seconds of arc.",
        origin="jacksboro_fault_dem.npz among matplotlib's sample data",
        terms=(
            "The matplotlib package has a licence based on that of Python and says nothing of the data apart. "
            "Loaded from the installation, not redistributed."
        ),
    )
    return (data.X, data.y) if return_X_y else data
