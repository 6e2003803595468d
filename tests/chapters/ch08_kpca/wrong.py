"""Wrong answers to chapter 8 that are not typed elsewhere.

``@wrong(exercise, name)`` expects that misconception to be named, ``@wrong(exercise)`` none.
"""

from __future__ import annotations

from tests.chapters.ch08_kpca.typed import (
    center_gram,
    center_test_gram,
    denoise,
    explained_ratio,
    kernel_fisher,
    kernel_pca,
    paired_report,
)
from tests.chapters.student_answers import changed
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)

wrong("center_gram", "last term forgotten")(changed(center_gram, " + columns @ U", ""))
wrong("center_gram")(lambda K: center_gram(K) / len(K))

wrong("center_test_gram", "not centred")(lambda K, Kq: Kq + 0.0)
wrong("center_test_gram")(changed(center_test_gram, "M = K", "M = np.vstack([K, Kq])", " - rows + overall", ""))

wrong("kernel_pca", "smallest eigenvalues")(changed(kernel_pca, "argsort(-lam)", "argsort(lam)"))
wrong("kernel_pca")(changed(kernel_pca, "return scores", "return np.abs(scores)"))

wrong("explained_ratio")(changed(explained_ratio, "centred(K)", "K", "lam.sum()", "lam[:q].sum()"))

wrong("kernel_fisher", "from class 1 to class 0")(changed(kernel_fisher, "M[1] - M[0]", "M[0] - M[1]"))
wrong("kernel_fisher")(changed(kernel_fisher, "lam * np", "1e-12 * np"))

uncentred = "center_test_gram(K, Kq)", "Kq", "center_gram(K)", "K"
wrong("denoise", "axes through the origin")(changed(denoise, *uncentred, " + 1 / len(X)", ""))
wrong("denoise")(lambda X, Xq, sigma, q, steps: (Xq + denoise(X, Xq, sigma, q, steps)) / 2)

SHORT = """before, Z = Z, W @ X / W.sum(axis=1, keepdims=True)
        if np.abs(Z - before).max() < 1e-3:
            break"""
wrong("denoise")(changed(denoise, "Z = W @ X / W.sum(axis=1, keepdims=True)", SHORT))

wrong("paired_report")(changed(paired_report, "np.sqrt(squares)", "squares", "a - b", "b - a"))
