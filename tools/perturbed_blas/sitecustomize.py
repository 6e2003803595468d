"""Another BLAS and LAPACK than the one that is there: as right, but with other signs and other last bits.

Python imports this at its start wherever the folder is on PYTHONPATH, so the tests, the processes that they start and
the kernels of notebooks all get it. Eigenvectors and singular vectors come with other signs, and
what is solved, factored or multiplied is off by one unit in the last place. How is decided by the value itself: the
same call gives the same bits, what was symmetric or triangular stays so, 0 and whole numbers stay what they are. The
operator @ and what NumPy and SciPy call within themselves are out of reach from here.
"""

from __future__ import annotations

from functools import wraps

import numpy as np
import scipy.linalg


def nudged(a):
    """Every number up or down by one unit in the last place, as its bits say."""
    if not isinstance(a, np.ndarray) or a.dtype != np.float64:
        return a
    up = (np.abs(a).view(np.int64) >> 1) & 1 == 1  # by the modulus: -a is nudged to minus what a is nudged to
    return np.where(a == np.rint(a), a, np.copysign(np.nextafter(np.abs(a), np.where(up, np.inf, 0.0)), a))


def flipped(V):
    """Every second column with the other sign, from the first on."""
    return V * np.where(np.arange(V.shape[-1]) % 2, 1.0, -1.0)


def of_values(result):
    return nudged(result) if isinstance(result, np.ndarray) else result


def of_first(result):
    return nudged(result[0]), *result[1:]


def of_eigen(result):
    """(w, V), or w alone, in the order that they had."""
    if isinstance(result, np.ndarray):
        return np.sort(nudged(result))
    pair = np.sort(nudged(result[0])), nudged(flipped(result[1]))
    return type(result)(*pair) if hasattr(result, "_fields") else pair


def of_svd(result):
    """(U, s, Vᵀ), or s alone: both vectors of a pair have their sign changed."""
    if isinstance(result, np.ndarray):
        return -np.sort(-nudged(result))
    U, s, Vt = result
    parts = nudged(flipped(U)), -np.sort(-nudged(s)), nudged(flipped(Vt.T).T)
    return type(result)(*parts) if hasattr(result, "_fields") else parts


def of_qr(result):
    """(Q, R), or (CQ, R), or R alone: a column of Q and its row of R have their sign changed."""
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
    """Functions of which one triangle is the result; the other one, and the memory that it lies in, stay."""
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
