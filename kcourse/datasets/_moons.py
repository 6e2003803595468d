"""Synthetic data: the double moon, two half rings of points [002, "Exemple"; Haykin]."""

from __future__ import annotations

import numpy as np

from kcourse.base.validation import check_number, check_positive, check_rng
from kcourse.datasets._dataset import Dataset

__all__ = ["make_double_moon"]


def make_double_moon(
    n: int = 1000,
    *,
    distance: float = -5.0,
    radius: float = 10.0,
    width: float = 6.0,
    rng: int | np.random.Generator,
    return_X_y: bool = False,
) -> Dataset | tuple[np.ndarray, np.ndarray]:
    """Draw n points of two half moons, each a half ring of mean radius r and width w, uniform over its area.

    The upper moon (label 1) is centred at the origin and open below; the lower one (label -1) is centred at
    (r, -distance) and open above. If ``distance`` > 0, a straight line separates them. The more negative it is, the
    deeper each moon reaches into the other; below -√(r(r - w)), here -6.32, they overlap.

    Parameters
    ----------
    n : int ≥ 2, default 1000
        Number of points; the upper moon has one more if n is odd.
    distance : float, default -5
        Vertical distance d between the moons.
    radius, width : float > 0, defaults 10 and 6
        r and w, in the units of ``distance``; w is at most 2r.
    rng : int or numpy.random.Generator
        Seed, or Generator to draw from; there is no default, so that every result can be reproduced.
    return_X_y : bool, default False
        Return only the pair ``(X, y)``.

    Returns
    -------
    Dataset
        ``X`` (n, 2): the points, upper moon first. ``y`` (n,): 1 or -1. With ``return_X_y``, the two arrays.

    Raises
    ------
    TypeError
        If ``rng`` is neither a seed nor a Generator (for example None), or another argument is not a number.
    ValueError
        If ``n`` < 2, ``radius`` or ``width`` is not positive, or ``width`` > 2 ``radius``.

    Notes
    -----
    Origin: computed; the example of [002, lines 533-543], whose figures and data are lost.

    Terms: none needed, because the data are computed here.

    Examples
    --------
    >>> from kcourse.datasets import make_double_moon
    >>> make_double_moon(200, rng=0)
    Dataset('double_moon': X (200, 2), y (200,))
    """
    n = check_number(n, "n", at_least=2, integer=True)
    distance = check_number(distance, "distance")
    radius, width = check_positive(radius, "radius"), check_positive(width, "width")
    if width > 2 * radius:
        raise ValueError(f"width is {width:g}, more than twice the radius {radius:g}: the ring would have no inside.")
    rng = check_rng(rng)
    upper = np.arange(n) < n - n // 2
    # the order of these two draws fixes every number that the chapter quotes
    r = np.sqrt(rng.uniform((radius - width / 2) ** 2, (radius + width / 2) ** 2, n))  # uniform over the area
    angle = rng.uniform(0.0, np.pi, n)
    x, y = r * np.cos(angle), r * np.sin(angle)
    data = Dataset(
        name="double_moon",
        X=np.column_stack([np.where(upper, x, radius + x), np.where(upper, y, -distance - y)]),
        y=np.where(upper, 1, -1),
        feature_names=("x1", "x2"),
        target_name="moon",
        units={"x1": "", "x2": "", "moon": ""},
        description=f"{n} points of two half rings, r = {radius:g}, w = {width:g}, d = {distance:g}.",
        origin="Computed by kcourse.datasets.make_double_moon",
        terms="None needed: computed here, nobody else's data in it.",
    )
    return (data.X, data.y) if return_X_y else data
