"""Exercises of chapter 9, RKHS, strings and graphs: properties, right answers, and the mistakes that have a name."""

from kcourse.chapters.ch09_rkhs.graphs import WL_KERNEL
from kcourse.chapters.ch09_rkhs.space import MIN_NORM_INTERPOLANT, RKHS_INNER
from kcourse.chapters.ch09_rkhs.strings import COSINE_NORMALIZE, SPECTRUM_CV, SPECTRUM_KERNEL

__all__ = ["EXERCISES"]

EXERCISES = (RKHS_INNER, MIN_NORM_INTERPOLANT, SPECTRUM_KERNEL, COSINE_NORMALIZE, WL_KERNEL, SPECTRUM_CV)
