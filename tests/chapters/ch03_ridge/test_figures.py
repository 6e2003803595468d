"""What only the figures of chapter 3 promise; `tests/chapters/test_figures.py` has the rest."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from tests.chapters.ch03_ridge import figures as examples
from tests.chapters.ch03_ridge.figures import CRASH, SINC, krr

pytestmark = pytest.mark.usefixtures("style")


def curves(explorer):
    """The (x, y) data of every moving line that is a curve."""
    lines = [artist for ax in explorer.fig.axes for artist in ax.lines if artist.get_animated()]
    return [artist.get_data() for artist in lines if len(artist.get_xdata()) > 2]


def picture(explorer):
    """The picture that the reader sees now, as an RGB array."""
    return np.asarray(Image.open(io.BytesIO(explorer.picture)).convert("RGB"))


def test_the_width_explorer_draws_the_curve_of_the_width_that_is_set():
    explorer = examples.width_explorer()
    for sigma in (0.8 * 10**-0.4, 8.0, 80.0):
        has_the_curve_of_the_width(explorer, sigma)


def has_the_curve_of_the_width(explorer, sigma):
    data = CRASH
    explorer.set(sigma=sigma)
    model = krr(data, explorer.values()["sigma"])
    [(x, curve)] = curves(explorer)
    assert x[0] < data.X.min() and x[-1] > data.X.max()
    assert np.diff(x).max() <= min(explorer.controls["sigma"].stops) / 8 * (1 + 1e-9)  # the narrowest bell looks round
    np.testing.assert_array_equal(curve, model.predict(x[:, None]))
    assert explorer.fig.axes[0].get_title(loc="left") == f"σ = {sigma:.3g} ms"
    assert f"{sigma:.3g} ms" in explorer.alt and f"{model.effective_df():.1f} free parameters" in explorer.alt
    assert explorer.controls["sigma"].label == "width σ"


def reads_out_the_fit(explorer, sigma, lam):
    explorer.set(sigma=sigma, lam=lam, answers="shown")
    sigma, lam, _ = explorer.values().values()
    model = krr(SINC, sigma, lam)
    [(x, curve)] = curves(explorer)
    assert np.diff(x).max() <= min(explorer.controls["sigma"].stops) / 8 * (1 + 1e-9)
    np.testing.assert_array_equal(curve, model.predict(x[:, None]))
    mse = np.mean(model.loo_residuals() ** 2)
    for part in (
        f"σ = {sigma:.3g} and λ = {lam:.3g}",
        f"{model.effective_df():.1f} effective degrees of freedom",
        f"squared norm {model.norm2_:.3g} and leave-one-out error {mse:.3g}",
        "0 coefficients are zero",
    ):
        assert part in explorer.alt
    right = explorer.fig.axes[1]
    star, ring = (artist.get_data() for artist in right.lines)
    assert (ring[0][0], ring[1][0]) == (sigma, lam)
    best = mean_loo(star[0][0], star[1][0])
    nearby = [mean_loo(star[0][0] * a, star[1][0] * b) for a in (0.7, 1, 1.4) for b in (0.1, 1, 10)]
    assert best == min(nearby) and f"least error is at σ = {star[0][0]:.2g}, λ = {star[1][0]:.2g}" in explorer.alt


def test_the_smoothing_explorer_keeps_its_answers_until_they_are_asked_for_and_reads_out_the_fit():
    explorer = examples.smoothing_explorer()
    assert explorer.values()["answers"] == "hidden"
    covered = picture(explorer)
    left = int(0.62 * covered.shape[1])
    assert (covered[:, left:] == 255).mean() > 0.95  # a sheet with a few words on it
    for word in ("coefficient", "error", "freedom"):
        assert word not in explorer.alt
    explorer.set(lam=50.0)
    np.testing.assert_array_equal(picture(explorer)[:, left:], covered[:, left:])  # the ring would tell
    explorer.set(answers="shown")
    assert (picture(explorer)[:, left:] == 255).mean() < 0.9 and "0 coefficients are zero" in explorer.alt
    true = np.asarray(explorer.fig.canvas.buffer_rgba())[:, :, :3]
    assert np.abs(picture(explorer) - true.astype(float)).mean() < 3  # the first picture had none of these colours
    for sigma, lam in ((0.5, 0.5), (0.05 * 10**0.5, 5e-6), (5 * 10**-0.1, 50.0)):
        reads_out_the_fit(explorer, sigma, lam)


def mean_loo(sigma, lam):
    return np.mean(krr(SINC, sigma, lam).loo_residuals() ** 2)
