"""Exercises of chapter 2, the kernel trick: properties, right answers, and the mistakes that have a name."""

from kcourse.chapters.ch02_kernels.classify import CLASSIFY_BY_GRAM, KERNEL_PERCEPTRON, NEAREST_MEAN_SCORE
from kcourse.chapters.ch02_kernels.gram import FEATURE_DISTANCE2, GAUSSIAN_GRAM, IS_PSD, POLY2_FEATURES

__all__ = ["EXERCISES"]

EXERCISES = (
    POLY2_FEATURES,
    GAUSSIAN_GRAM,
    IS_PSD,
    FEATURE_DISTANCE2,
    NEAREST_MEAN_SCORE,
    KERNEL_PERCEPTRON,
    CLASSIFY_BY_GRAM,
)
