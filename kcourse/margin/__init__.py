"""Perceptrons, the maximum-margin classifier, and its KKT conditions [000, 002, 003; chapter 5].

==================  ==============================================================================================
Perceptron          separating hyperplane by w ← w + y_i x_i at each mistake
KernelPerceptron    perceptron in feature space; its coefficients count mistakes
MaxMargin           hyperplane with the maximum margin, 2/‖w‖
kkt_report          which KKT conditions hold, which fail, and at which points
signed_distances    (wᵀx + b)/‖w‖
margin_width        2/‖w‖
canonical           (w, b) scaled so that min y f(x) = 1
mistake_bound       (R/γ)², Novikoff's bound on the mistakes of a perceptron
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
