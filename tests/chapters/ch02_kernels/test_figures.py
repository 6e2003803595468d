"""What only the figures of chapter 2 promise; `tests/chapters/test_figures.py` has the rest."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from kcourse.chapters.ch02_kernels import figures
from tests.chapters.ch02_kernels import figures as examples

pytestmark = pytest.mark.usefixtures("style")


def red(explorer):
    pixels = np.asarray(Image.open(io.BytesIO(explorer.picture)).convert("RGB")).astype(int)
    return int(np.sum((pixels[..., 0] > 150) & (pixels[..., 1] < 100) & (pixels[..., 2] < 100)))


def test_a_colour_that_the_first_picture_does_not_have_is_there_when_it_is_needed():
    explorer = examples.definiteness_explorer()
    assert red(explorer) == 0
    explorer.set(k1="(1 + xz)²", how="tanh k₁", verdict="shown")
    assert red(explorer) > 100
    explorer.set(how="k₁²")
    assert red(explorer) == 0


@pytest.mark.parametrize(
    ("b", "c", "there"), [(-0.5, 1.0, True), (2.0, 1.0, False), (2.0, 4.0, True), (1.0, 0.0, False)]
)
def test_arrows_are_there_if_and_only_if_the_matrix_is_positive_semi_definite(b, c, there):
    explorer = figures.arrows_explorer()
    explorer.set(b=b, c=c, numbers="shown")
    assert ("two arrows with these inner products" in explorer.alt) is there
    least = np.linalg.eigvalsh([[1, b], [b, c]])[0]
    assert f"smallest eigenvalue {least:.3g}" in explorer.alt or abs(least) < 1e-12
    first, second = explorer.fig.axes[0].lines
    if there:
        tips = np.array([[line.get_xdata()[1], line.get_ydata()[1]] for line in (first, second)])
        np.testing.assert_allclose(tips @ tips.T, [[1, b], [b, c]], atol=1e-12)
    assert first.get_visible() is there
