"""The curriculum's numbers for the exercises of chapter 7, first part, on its canonical inputs.

SLOW: exercises whose answers take long, and are drawn less. A basis is not an argument, because functions are not
passed to the sandbox: it is the curriculum's multiquadric with its c. Its line "signed difference" does not
generalise, as the curriculum says. The numbers of `generalized_weights` were made by scikit-learn: `KernelRidge` on
the features of `Nystroem`; those of `thin_plate` by SciPy.
"""

from __future__ import annotations

import numpy as np

SLOW: tuple[str, ...] = ()

CANONICAL = {
    "rbf_interpolate": (np.array([[-1.0], [0.0], [1.0]]), np.array([1.0, 2.0, 1.0]), np.sqrt(0.5)),
    "generalized_weights": (
        np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [2.0, 1.0]]), np.array([1.0, 2.0, -1.0, 0.5]),
        np.array([[0.0, 0.0], [2.0, 1.0]]), 1.5, 0.3,
    ),
    # SciPy's RBFInterpolator, whose default is the thin plate
    "thin_plate": (
        np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([0.0, 0.0, 0.0, 1.0]),
        np.array([[2.0, 2.0], [0.0, 2.0]]),
    ),
}  # fmt: skip
# exercise, line of the catalogue, our name for it ("" for the right answer), and its number
CATALOGUE = [
    ("rbf_interpolate", "right", "", [1.742383, -3.207365, 1.742383]),
    ("rbf_interpolate", "phi of r^2", "squared distance instead of the distance", [-4.680286, 19.041412, -4.680286]),
    ("rbf_interpolate", "inverse multiquadric", "inverse multiquadric", [-0.164085, 1.603682, -0.164085]),
    ("rbf_interpolate", "w = Phi d (no inverse)", "multiplied instead of solved", [5.277917, 3.863703, 5.277917]),
    ("generalized_weights", "right", "", [0.884236, 0.279699]),
    ("thin_plate", "right", "", [2.097590, 0.548795]),
]  # fmt: skip
