"""kcourse: kernel methods, written to be read.

The solvers import NumPy and SciPy and nothing else. The names below load their module on first use, so that
``import kcourse`` stays quick; ``kcourse.lab`` (what notebooks show), ``kcourse.checks`` (what marks the
exercises) and ``kcourse.datasets`` are imported by name.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# public name -> the module that defines it; a test holds this equal to the modules' own __all__
_HOME = {
    "Brownian": "kernels",
    "Constant": "kernels",
    "Gaussian": "kernels",
    "Histogram": "kernels",
    "InverseMultiquadric": "kernels",
    "Kernel": "kernels",
    "KernelRidge": "ridge",
    "Laplacian": "kernels",
    "Linear": "kernels",
    "LooPath": "ridge",
    "Matern": "kernels",
    "Multiquadric": "kernels",
    "Normalized": "kernels",
    "Periodic": "kernels",
    "Polynomial": "kernels",
    "Precomputed": "kernels",
    "RationalQuadratic": "kernels",
    "Sigmoid": "kernels",
    "ThinPlate": "kernels",
    "feature_distance": "kernels",
    "is_psd": "kernels",
    "loo_path": "ridge",
}

__all__ = ["__version__", *_HOME]

if TYPE_CHECKING:  # what type checkers and editors see
    from kcourse.kernels import (  # noqa: F401
        Brownian,
        Constant,
        Gaussian,
        Histogram,
        InverseMultiquadric,
        Kernel,
        Laplacian,
        Linear,
        Matern,
        Multiquadric,
        Normalized,
        Periodic,
        Polynomial,
        Precomputed,
        RationalQuadratic,
        Sigmoid,
        ThinPlate,
        feature_distance,
        is_psd,
    )
    from kcourse.ridge import KernelRidge, LooPath, loo_path  # noqa: F401


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'kcourse' has no attribute {name!r}")
    value = getattr(import_module(f"kcourse.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
