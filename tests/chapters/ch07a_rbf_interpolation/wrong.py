"""Wrong answers to chapter 7a that are not typed: two slips at once, and others, as students might write them."""

from __future__ import annotations

from scipy.spatial.distance import cdist

from tests.chapters.ch07a_rbf_interpolation.typed import (
    cover_count,
    generalized_weights,
    rbf_interpolate,
    thin_plate,
)
from tests.chapters.student_answers import changed
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)

wrong("rbf_interpolate", "other sign + targets centred")(changed(rbf_interpolate, "Phi, y", "-Phi, y - y.mean()"))
wrong("rbf_interpolate")(changed(rbf_interpolate, "c**2)", "c**2) + 0.01 * np.eye(len(y))"))

wrong("cover_count", "one term too many")(changed(cover_count, "return 0", "return 2"))
wrong("cover_count", "one point too few")(changed(cover_count, "n == 1", "n <= 2"))
wrong("cover_count", "n for n - 1")(changed(cover_count, "n == 1", "n == 0"))
wrong("cover_count")(lambda n, d: 2 ** (n - 1) + 2)
wrong("cover_count")(lambda n, d: 2 * (n // 2) + 1)
wrong("cover_count")(lambda n, d: 4 ** (n + 1))

wrong("generalized_weights", "targets centred + no λ")(
    changed(generalized_weights, "A, G.T @ y, rcond=None", "G, y - y.mean(), rcond=1e-7")
)
wrong("generalized_weights", "σ without its 2 + 2λ for λ")(
    changed(generalized_weights, "2 * sigma**2", "sigma**2", "lam *", "2 * lam *")
)
wrong("generalized_weights", "predictions for weights")(changed(generalized_weights, "return np", "return G @ np"))
wrong("generalized_weights")(lambda X, y, T, sigma, lam: y[cdist(T, X).argmin(axis=1)])

wrong("thin_plate", "side conditions left out")(
    changed(thin_plate, "solve(A, np.append(y, corner[0]))", "pinv(A[:n]) @ y")
)
wrong("thin_plate")(changed(thin_plate, "r**2 * np.log(np.where(r > 0, r, 1))", "np.hypot(r, 0.3)"))


@wrong("thin_plate")
def scipy_does_it(X, y, Xq):
    from scipy.interpolate import RBFInterpolator

    return RBFInterpolator(X, y)(Xq)
