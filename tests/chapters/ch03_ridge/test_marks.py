"""What only the exercises of chapter 3 promise; `test_sheets` has the rest."""

from __future__ import annotations

import re

import numpy as np
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


def test_inputs_are_varied_and_hide_nothing():
    """d ≥ 2, as many queries as neither n nor d, no σ or λ near 1, and a diagonal other than 1."""
    for seed in range(10):
        for case in exercise("krr_fit_predict").cases(seed):
            X, y, Xq, sigma, lam = case.args
            assert X.shape[1] >= 2 and len(Xq) not in (len(X), X.shape[1])
            assert abs(sigma - 1) > 0.1 and abs(lam - 1) > 0.1 and abs(sigma - lam) > 0.05
        systems = [case.args for case in exercise("krr_fit").cases(seed) if case.property == 0]
        assert len({len(y) for _, y, _ in systems}) == 3
        assert min(lam for *_, lam in systems) < 1 < max(lam for *_, lam in systems)
        assert all(np.ptp(np.diag(K)) > 0.1 for K, _, _ in systems)
        assert {
            Phi.shape[0] - Phi.shape[1] > 0 for Phi, _, _ in (c.args for c in exercise("ridge_dual_w").cases(seed))
        } == {
            True,
            False,
        }
