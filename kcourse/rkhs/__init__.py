"""Functions of a reproducing kernel Hilbert space, and distances of samples in it [001, "RKHS"; chapter 9].

The RKHS H of a kernel is made of the sections k(x, ·), with ⟨k(x, ·), k(z, ·)⟩ = k(x, z); so f(x) = ⟨f, k(x, ·)⟩ for
all f in H. `RKHSFunction` is a finite combination of sections, `interpolate` finds the one of least norm through given
values, `brownian_mercer` expands the kernel min(s, t), and `mmd2` measures how far apart the means of two samples are.
"""

from kcourse.rkhs.function import RKHSFunction, interpolate
from kcourse.rkhs.mercer import MercerPairs, brownian_mercer
from kcourse.rkhs.mmd import MMDTest, mmd2, mmd_test

__all__ = ["MMDTest", "MercerPairs", "RKHSFunction", "brownian_mercer", "interpolate", "mmd2", "mmd_test"]
