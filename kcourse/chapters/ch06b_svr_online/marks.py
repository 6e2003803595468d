"""Exercises of chapter 6, ε-SVR and learning on line: properties, right answers, and the mistakes that have a name."""

from kcourse.chapters.ch06b_svr_online.choice import CHOOSE_EPS
from kcourse.chapters.ch06b_svr_online.loss import EPS_INSENSITIVE
from kcourse.chapters.ch06b_svr_online.pair import SVR_PAIR
from kcourse.chapters.ch06b_svr_online.stream import BUDGET_PERCEPTRON, PEGASOS

__all__ = ["EXERCISES"]

EXERCISES = (EPS_INSENSITIVE, SVR_PAIR, PEGASOS, BUDGET_PERCEPTRON, CHOOSE_EPS)
