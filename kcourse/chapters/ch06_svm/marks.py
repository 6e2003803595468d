"""Exercises of chapter 6, support vector machines: properties, right answers, and the mistakes that have a name."""

from kcourse.chapters.ch06_svm.dual import BIAS_FROM_ALPHA, SMO_PAIR
from kcourse.chapters.ch06_svm.primal import MARGIN_VIOLATORS, SVM_PRIMAL
from kcourse.chapters.ch06_svm.train import SVM_TRAIN

__all__ = ["EXERCISES"]

EXERCISES = (SVM_PRIMAL, BIAS_FROM_ALPHA, MARGIN_VIOLATORS, SMO_PAIR, SVM_TRAIN)
