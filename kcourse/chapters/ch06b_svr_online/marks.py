"""The exercises of chapter 6b, ε-SVR and online learning, in the order of the sheet."""

from kcourse.chapters.ch06b_svr_online.choice import CHOOSE_EPS
from kcourse.chapters.ch06b_svr_online.loss import EPS_INSENSITIVE
from kcourse.chapters.ch06b_svr_online.pair import SVR_PAIR
from kcourse.chapters.ch06b_svr_online.stream import BUDGET_PERCEPTRON, PEGASOS

__all__ = ["EXERCISES"]

EXERCISES = (EPS_INSENSITIVE, SVR_PAIR, PEGASOS, BUDGET_PERCEPTRON, CHOOSE_EPS)
