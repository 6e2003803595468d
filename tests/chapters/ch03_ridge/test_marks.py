"""What only the exercises of chapter 3 promise; `test_sheets` has the rest."""

from __future__ import annotations

import re

import pytest

from kcourse.checks import exercise
from kcourse.kernels import Gaussian
from tests.chapters.ch03_ridge.catalogue import CANONICAL


def test_the_curriculums_exception():
    """3.2, "K(train,test) used, transposed shapes": ValueError."""
    X, y, Xq, sigma, lam = CANONICAL["krr_fit_predict"]
    with pytest.raises(ValueError, match=r"matmul") as caught:
        Gaussian(sigma)(X, Xq) @ exercise("krr_fit").reference(Gaussian(sigma)(X), y, lam)
    slips = {m.name: m for m in exercise("krr_fit_predict").misconceptions}
    assert re.search(slips["train and query points swapped"].error, f"ValueError: {caught.value}")
