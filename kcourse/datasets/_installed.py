"""Loaders of data that other installed packages carry; nothing of it is copied into kcourse."""

from __future__ import annotations

import numpy as np

from kcourse.datasets._dataset import Dataset

__all__ = ["load_diabetes"]


def load_diabetes(*, scaled: bool = True, return_X_y: bool = False) -> Dataset | tuple[np.ndarray, np.ndarray]:
    """Load scikit-learn's diabetes data: ten measurements, and disease progression a year later, n = 442.

    Parameters
    ----------
    scaled : bool, default True
        True: every column of X has its mean taken away and is divided by its standard deviation times √n,
        so that each column has mean 0 and sum of squares 1 (its entries are about 1/√442 ≈ 0.05 in size,
        not about 1).
        False: the numbers as measured.
    return_X_y : bool, default False
        Return the pair ``(X, y)`` alone.

    Returns
    -------
    Dataset
        ``X`` (442, 10): age, sex, bmi (body mass index), bp (average blood pressure) and six serum
        measurements, s1 to s6; pure numbers if scaled, else age in years, bmi in kg/m², sex coded 1 or 2;
        scikit-learn states no unit for the rest. ``y`` (442,): progression one year after baseline, a
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

    Terms: the scikit-learn package is BSD-3-Clause; its description names the source but no licence of the
    data.

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
        # imported here, so that kcourse itself never needs scikit-learn
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
