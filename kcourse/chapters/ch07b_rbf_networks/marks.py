"""Exercises of chapter 7, RBF networks: properties, right answers, and the mistakes that have a name."""

from kcourse.chapters.ch07b_rbf_networks.centers import ONLINE_KMEANS, SPREAD
from kcourse.chapters.ch07b_rbf_networks.train import LMS, RBF_GRADS
from kcourse.chapters.ch07b_rbf_networks.whole import RBF_NETWORK

__all__ = ["EXERCISES"]

EXERCISES = (SPREAD, ONLINE_KMEANS, LMS, RBF_GRADS, RBF_NETWORK)
