"""Exercises of chapter 7, RBF networks: properties, right answers, and the slips that have a name."""

from kcourse.checks.ch07b_rbf_networks_centres import ONLINE_KMEANS, SPREAD
from kcourse.checks.ch07b_rbf_networks_train import LMS, RBF_GRADS
from kcourse.checks.ch07b_rbf_networks_whole import RBF_NETWORK

__all__ = ["EXERCISES"]

EXERCISES = (SPREAD, ONLINE_KMEANS, LMS, RBF_GRADS, RBF_NETWORK)
