"""Simulate another BLAS and LAPACK: results are as accurate, but have other signs and other last bits.

Python imports this module at its start if the folder is on PYTHONPATH, so it affects tests, the processes that they
start, and notebook kernels. Eigenvectors and singular vectors get other signs. Results of solving, factoring or
multiplying change by one unit in the last place. The change depends only on the value: the same call gives the same
bits, symmetric and triangular matrices stay so, and whole numbers do not change. The operator @ and internal calls of
NumPy and SciPy cannot be changed here.
"""

from __future__ import annotations

from functools import wraps

import numpy as np
import scipy.linalg


def nudged(a):
    """Move every number up or down by one unit in the last place, depending on its bits."""
    if not isinstance(a, np.ndarray) or a.dtype != np.float64:
        return a
    up = (np.abs(a).view(np.int64) >> 1) & 1 == 1  # depends on |a|, so that nudged(-a) = -nudged(a)
    return np.where(a == np.rint(a), a, np.copysign(np.nextafter(np.abs(a), np.where(up, np.inf, 0.0)), a))


def flipped(V):
    """Change the sign of every second column, starting with the first."""
    return V * np.where(np.arange(V.shape[-1]) % 2, 1.0, -1.0)


def of_values(result):
    return nudged(result) if isinstance(result, np.ndarray) else result


def of_first(result):
    return nudged(result[0]), *result[1:]


def of_eigen(result):
    """Change (w, V) or w, keeping the order of the eigenvalues."""
    if isinstance(result, np.ndarray):
        return np.sort(nudged(result))
    pair = np.sort(nudged(result[0])), nudged(flipped(result[1]))
    return type(result)(*pair) if hasattr(result, "_fields") else pair


def of_svd(result):
    """Change (U, s, Vᵀ) or s; both vectors of a pair change their sign."""
    if isinstance(result, np.ndarray):
        return -np.sort(-nudged(result))
    U, s, Vt = result
    parts = nudged(flipped(U)), -np.sort(-nudged(s)), nudged(flipped(Vt.T).T)
    return type(result)(*parts) if hasattr(result, "_fields") else parts


def of_qr(result):
    """Change (Q, R), (CQ, R) or R; a column of Q and its row of R change their sign."""
    if isinstance(result, np.ndarray):
        return nudged(flipped(result.T).T)
    pair = nudged(flipped(result[0])), nudged(flipped(result[1].T).T)
    return type(result)(*pair) if hasattr(result, "_fields") else pair


def replace(module, names, change):
    for name in names.split():
        setattr(module, name, wrapped(getattr(module, name), change))


def wrapped(function, change):
    @wraps(function)
    def stand_in(*args, **options):
        return change(function(*args, **options))

    return stand_in


def replace_in_triangle(module, names):
    """Replace functions whose result is one triangle; the other triangle and the memory stay unchanged."""
    for name in names.split():
        setattr(module, name, wrapped_in_triangle(getattr(module, name)))


def wrapped_in_triangle(function):
    @wraps(function)
    def stand_in(*args, lower=False, **options):
        result = function(*args, lower=lower, **options)
        matrix = result[0] if isinstance(result, tuple) else result
        rows, columns = np.indices(matrix.shape, sparse=True)
        np.copyto(matrix, nudged(matrix), where=rows >= columns if lower else rows <= columns)
        return result

    return stand_in


for library in (np.linalg, scipy.linalg):
    replace(library, "solve inv pinv cholesky", of_values)
    replace(library, "lstsq", of_first)
    replace(library, "eigh eigvalsh", of_eigen)
    replace(library, "svd", of_svd)
replace(np.linalg, "qr", of_qr)
replace(scipy.linalg, "eigh_tridiagonal", of_eigen)
replace(scipy.linalg, "solve_triangular cho_solve", of_values)
replace(scipy.linalg, "qr_multiply", of_qr)
replace(scipy.linalg.lapack, "dpotrs dtrtrs", of_first)
replace(scipy.linalg.blas, "dsymv dsymm dtrsv dtrmm", of_values)
replace_in_triangle(scipy.linalg.lapack, "dpotrf dpotri dtrtri dlauum")
replace_in_triangle(scipy.linalg.blas, "dsyrk")
