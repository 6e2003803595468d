"""What only the figures of chapter 2 promise; `tests/chapters/test_figures.py` has the rest."""

from __future__ import annotations

import io
import re

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


def test_the_meter_proves_what_it_refutes():
    explorer = examples.definiteness_explorer()
    for how in ("k₁ − k₂", "min(k₁, k₂)", "tanh k₁"):
        explorer.set(k1="(1 + xz)²", how=how, k2="cos", verdict="shown")
        assert "Proof" in explorer.alt, (how, explorer.alt)
        assert "the least eigenvalue is -" in explorer.alt, how
        points, c, value = re.search(
            r"at x = (.+?) with c = (.+?) Σ cᵢcⱼ k\(xᵢ, xⱼ\) = (\S+?)\.?$", explorer.alt
        ).groups()
        x = np.array([min(examples.X9, key=lambda v, p=p: abs(v - float(p))) for p in points.split(", ")])
        c = np.array([float(v) for v in c.split(", ")])
        K1, K2 = (1 + np.outer(x, x)) ** 2, np.cos(3 * np.subtract.outer(x, x))
        by_hand = c @ figures.HOW[how](K1, K2) @ c
        assert by_hand < 0 and by_hand == pytest.approx(float(value), rel=0.01)
    explorer.set(how="√|k₁|")
    assert "it takes more" in explorer.alt
    for how in ("k₁ + k₂", "k₁ · k₂", "exp k₁", "k₁²"):
        explorer.set(how=how)
        assert "no eigenvalue is negative" in explorer.alt, how


@pytest.mark.parametrize(
    ("b", "c", "there"), [(-0.5, 1.0, True), (2.0, 1.0, False), (2.0, 4.0, True), (1.0, 0.0, False)]
)
def test_arrows_are_there_if_and_only_if_the_matrix_is_positive_semi_definite(b, c, there):
    explorer = figures.arrows_explorer()
    explorer.set(b=b, c=c, numbers="shown")
    assert ("two arrows with these inner products" in explorer.alt) is there
    least = np.linalg.eigvalsh([[1, b], [b, c]])[0]
    assert f"least eigenvalue {least:.3g}" in explorer.alt or abs(least) < 1e-12
    first, second = explorer.fig.axes[0].lines
    if there:
        tips = np.array([[line.get_xdata()[1], line.get_ydata()[1]] for line in (first, second)])
        np.testing.assert_allclose(tips @ tips.T, [[1, b], [b, c]], atol=1e-12)
    assert first.get_visible() is there
