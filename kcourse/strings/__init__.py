"""String kernels [001, "Noyau spectral"], which count the common k-mers (substrings of k letters) of two strings.

========================  =========================================================================================
name                      k(x, z) = Σ over all pairs of a k-mer u of x and a k-mer v of z, with multiplicity, of
========================  =========================================================================================
Spectrum(k)               1 if u = v
Gapped(k, gaps)           the number of ways to choose k - gaps positions at which u and v agree
Mismatch(k, m, alphabet)  the number of k-mers that differ from u, and from v, in at most m positions
========================  =========================================================================================

A point is a string over any alphabet, or a tuple of words. ``Spectrum(1)`` of tuples of words is the bag of words of a
text; ``Spectrum(3)`` of strings compares parts of words (source 001 mentions e-mails and means both). Kernels can be
added: ``Spectrum(1) + Spectrum(2) + Spectrum(3)`` counts substrings of three lengths.

The source asks whether the kernel is positive semi-definite and what it costs. It is positive semi-definite, because
k(x, z) = N(x)ᵀN(z) with the vector N of counts. It costs O(k(|x| + |z|)), not |alphabet|^k, because only k-mers that
occur are numbered. All pairs of n strings come from one sparse product.
"""

from kcourse.strings.kernels import Gapped, Mismatch, Spectrum

__all__ = ["Gapped", "Mismatch", "Spectrum"]
