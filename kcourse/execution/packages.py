"""The packages that an answer finds where it is graded."""

from __future__ import annotations

__all__ = ["BROUGHT", "OPTIONAL", "SHOWING"]

BROUGHT = ("numpy", "scipy", "matplotlib")
OPTIONAL = ("pandas", "joblib")  # if they are installed there, as with the extra "grade"
SHOWING = ("IPython", "ipywidgets", "tqdm")  # packages that only display things; stubs replace them
