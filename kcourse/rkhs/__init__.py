"""Reproducing kernel Hilbert spaces: functions, Mercer's expansion, and the MMD [001, "RKHS"; chapter 9].

The RKHS H of a kernel is spanned by the sections k(x, ·), with ⟨k(x, ·), k(z, ·)⟩ = k(x, z), so f(x) = ⟨f, k(x, ·)⟩
for all f in H. `RKHSFunction` is a finite combination of sections, `interpolate` finds the minimum-norm interpolant,
`brownian_mercer` expands the kernel min(s, t), and `mmd2` is the squared distance of the mean features of two samples.
"""

from kcourse.rkhs.function import RKHSFunction, interpolate
from kcourse.rkhs.mercer import MercerPairs, brownian_mercer
from kcourse.rkhs.mmd import MMDTest, mmd2, mmd_test

__all__ = ["MMDTest", "MercerPairs", "RKHSFunction", "brownian_mercer", "interpolate", "mmd2", "mmd_test"]
