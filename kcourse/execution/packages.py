"""What of others' packages an answer finds where it is graded."""

from __future__ import annotations

__all__ = ["BROUGHT", "OPTIONAL", "SHOWING"]

BROUGHT = ("numpy", "scipy", "matplotlib")
OPTIONAL = ("pandas", "joblib")  # if they are installed there; the extra "grade" does it
SHOWING = ("IPython", "ipywidgets", "tqdm")  # what only shows things: something stands in for it
