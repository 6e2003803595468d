"""Exercises of chapter 6, support vector machines: properties, right answers, and the slips that have a name."""

from kcourse.checks.ch06_svm_dual import BIAS_FROM_ALPHA, SMO_PAIR
from kcourse.checks.ch06_svm_online import EPS_INSENSITIVE, PEGASOS
from kcourse.checks.ch06_svm_primal import MARGIN_VIOLATORS, SVM_PRIMAL
from kcourse.checks.ch06_svm_train import SVM_TRAIN

__all__ = ["EXERCISES"]

EXERCISES = (SVM_PRIMAL, BIAS_FROM_ALPHA, MARGIN_VIOLATORS, PEGASOS, EPS_INSENSITIVE, SMO_PAIR, SVM_TRAIN)
