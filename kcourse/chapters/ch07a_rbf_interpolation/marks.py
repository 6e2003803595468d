"""The exercises of chapter 7a, RBF interpolation, in the order of the sheet."""

from kcourse.chapters.ch07a_rbf_interpolation.plate import THIN_PLATE
from kcourse.chapters.ch07a_rbf_interpolation.solve import GENERALIZED_WEIGHTS, RBF_INTERPOLATE

__all__ = ["EXERCISES"]

EXERCISES = (RBF_INTERPOLATE, GENERALIZED_WEIGHTS, THIN_PLATE)
