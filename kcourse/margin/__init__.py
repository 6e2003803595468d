"""Perceptrons, the classifier of maximum margin, and the conditions of its optimality [000, 002, 003; chapter 5].

==================  ==============================================================================================
Perceptron          the first hyperplane without mistakes, w ← w + y_i x_i at each
KernelPerceptron    the same in feature space; its coefficients are counts of mistakes
MaxMargin           the one hyperplane with the widest margin, 2/‖w‖
kkt_report          which condition of optimality holds, which fails, and at which points
signed_distances    (wᵀx + b)/‖w‖
margin_width        2/‖w‖
canonical           (w, b) scaled so that min y f(x) = 1
mistake_bound       (R/γ)², which no perceptron exceeds
==================  ==============================================================================================
"""

from kcourse.margin.geometry import canonical, margin_width, mistake_bound, signed_distances
from kcourse.margin.kkt import KKTReport, kkt_report
from kcourse.margin.maximum import MaxMargin
from kcourse.margin.perceptron import KernelPerceptron, Perceptron

__all__ = [
    "KKTReport",
    "KernelPerceptron",
    "MaxMargin",
    "Perceptron",
    "canonical",
    "kkt_report",
    "margin_width",
    "mistake_bound",
    "signed_distances",
]
