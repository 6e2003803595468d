"""Kernels of strings [001, "Noyau spectral"]: how many k-mers, pieces of k letters, two strings share.

========================  =========================================================================================
name                      k(x, z) = Σ over pairs (u, v), u a k-mer of x and v one of z, each as often as it occurs, of
========================  =========================================================================================
Spectrum(k)               1 if u = v
Gapped(k, gaps)           the number of ways to choose k - gaps positions at which u and v agree
Mismatch(k, m, alphabet)  the number of k-mers that differ from u, and from v, in at most m positions
========================  =========================================================================================

A point is a string over any alphabet, or a tuple of words: ``Spectrum(1)`` of tuples of words is the bag of words
of a text, ``Spectrum(3)`` of its strings looks inside the words (source 001 mentions e-mails and means both).
Kernels add up: ``Spectrum(1) + Spectrum(2) + Spectrum(3)`` counts pieces of several lengths.

The source asks: is it positive semi-definite, what does it cost? It is, because k(x, z) = N(x)ᵀN(z) with the vector N
of counts. It costs O(k(|x| + |z|)), not |alphabet|^k: only k-mers that occur are numbered, and all pairs of n strings
come from one sparse product.
"""

from kcourse.strings.kernels import Gapped, Mismatch, Spectrum

__all__ = ["Gapped", "Mismatch", "Spectrum"]
