"""The exercises of chapter 7b, RBF networks, in the order of the sheet."""

from kcourse.chapters.ch07b_rbf_networks.centers import ONLINE_KMEANS, SPREAD
from kcourse.chapters.ch07b_rbf_networks.cover import COVER_COUNT
from kcourse.chapters.ch07b_rbf_networks.train import LMS, RBF_GRADS
from kcourse.chapters.ch07b_rbf_networks.whole import RBF_NETWORK

__all__ = ["EXERCISES"]

EXERCISES = (COVER_COUNT, SPREAD, ONLINE_KMEANS, LMS, RBF_GRADS, RBF_NETWORK)
