"""Exercises of chapter 8, kernel PCA and kernel LDA: properties, right answers, and the mistakes that have a name."""

from kcourse.chapters.ch08_kpca.axes import EXPLAINED_RATIO, KERNEL_FISHER, KERNEL_PCA
from kcourse.chapters.ch08_kpca.center import CENTER_GRAM, CENTER_TEST_GRAM
from kcourse.chapters.ch08_kpca.denoise import DENOISE, PAIRED_REPORT

__all__ = ["EXERCISES"]

EXERCISES = (CENTER_GRAM, CENTER_TEST_GRAM, KERNEL_PCA, EXPLAINED_RATIO, KERNEL_FISHER, DENOISE, PAIRED_REPORT)
