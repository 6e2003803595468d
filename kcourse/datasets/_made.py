"""Synthetic data: noisy samples of the sinc function."""

from __future__ import annotations

import numpy as np

from kcourse.base.validation import check_number, check_rng
from kcourse.datasets._dataset import Dataset

__all__ = ["make_sinc"]


def make_sinc(
    n: int = 30, *, noise: float = 0.15, rng: int | np.random.Generator, return_X_y: bool = False
) -> Dataset | tuple[np.ndarray, np.ndarray]:
    """Draw n noisy samples of sinc: y = sin(πx)/(πx) + noise·N(0, 1), x uniform in [-3, 3).

    The function is NumPy's ``np.sinc``, with the π (zeros at ±1, ±2, ±3), not sin(x)/x. The n values of x are
    drawn first, then the n values of the noise. One seed therefore gives the same x for every ``noise``, and the
    same noise up to its scale. The course measures test errors against ``np.sinc`` on ``np.arange(-3, 3, 0.05)``.

    Parameters
    ----------
    n : int, default 30
        Number of samples.
    noise : float ≥ 0, default 0.15
        Standard deviation of the noise, in the units of y.
    rng : int or numpy.random.Generator
        Seed, or Generator to draw from; there is no default, so that every result can be reproduced.
    return_X_y : bool, default False
        Return only the pair ``(X, y)``.

    Returns
    -------
    Dataset
        ``X`` (n, 1): x, in the order drawn (not sorted). ``y`` (n,): the noisy values. Both are pure
        numbers. With ``return_X_y``, the two arrays.

    Raises
    ------
    TypeError
        If ``rng`` is neither a seed nor a Generator (for example None), or ``n`` or ``noise`` is not a number.
    ValueError
        If ``n`` < 1, ``noise`` < 0 or not finite, or a negative seed is given.

    Notes
    -----
    Origin: computed; the example of [004, lines 27-28], drawn with a seed.

    Terms: none needed, because the data are computed here.

    Examples
    --------
    >>> from kcourse.datasets import make_sinc
    >>> make_sinc(rng=0)
    Dataset('sinc': X (30, 1), y (30,))
    >>> X, y = make_sinc(3, noise=0.0, rng=0, return_X_y=True)
    >>> X[:, 0].round(4).tolist(), y.round(4).tolist()
    ([0.8218, -1.3813, -2.7542], [0.2057, -0.2146, 0.0806])
    """
    n = check_number(n, "n", at_least=1, integer=True)
    noise = check_number(noise, "noise", at_least=0.0)
    rng = check_rng(rng)
    # the order of these two draws fixes every number that the chapters quote for "sinc, default_rng(0)"
    x = rng.uniform(-3.0, 3.0, n)
    e = rng.standard_normal(n)
    data = Dataset(
        name="sinc",
        X=x[:, None],
        y=np.sinc(x) + noise * e,  # y = sin(πx)/(πx) + noise·e
        feature_names=("x",),
        target_name="y",
        units={"x": "", "y": ""},
        description=f"{n} samples of sin(πx)/(πx), x uniform in [-3, 3), Gaussian noise of sd {noise:g}.",
        origin="Computed by kcourse.datasets.make_sinc",
        terms="None needed: computed here, nobody else's data in it.",
    )
    return (data.X, data.y) if return_X_y else data
