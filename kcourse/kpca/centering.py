"""Centring a Gram matrix in feature space [001, "ACP à noyau (1/3)"]."""

from __future__ import annotations

from typing import Any

import numpy as np

from kcourse.base.linalg import strips
from kcourse.base.validation import check_gram, check_points

__all__ = ["center", "center_in_place", "center_rows"]


def center(K: Any) -> np.ndarray:
    """Return the centred Gram matrix, of φ(x_i) - φ̄ with the mean φ̄ of the n features; ``K`` is not changed.

    K - U K - K U + U K U,  U = [1/n]  [001, "ACP à noyau (1/3)"]; all four terms are needed. Its rows sum to 0, so one
    of its eigenvalues is 0 and its rank is at most n - 1.

    Parameters
    ----------
    K : (n, n) array
        Gram matrix.

    >>> center([[1.0, 0.0], [0.0, 3.0]])
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    return center_in_place(np.array(check_gram(K), order="C"))[0]


def center_rows(Kq: Any, K: Any) -> np.ndarray:
    """Return ⟨φ(x_q) - φ̄, φ(x_i) - φ̄⟩ for new points x_q, shape (q, n), with the mean φ̄ of the **training** points.

    K_q - V K - K_q U + V K U,  U = [1/n] of shape (n, n), V = [1/n] of shape (q, n). Source 001 ("ACP à noyau (3/3)")
    projects new points with the uncentred k(x_i, x), although K was centred. New rows must also be centred, and with
    the training means: with the means of K_q, the scores of one point would depend on the other new points.

    Parameters
    ----------
    Kq : (q, n) array
        k(x_q, x_i), a row for each new point.
    K : (n, n) array
        Gram matrix of the training points, not centred.

    >>> center_rows([[4.0, 0.0]], [[1.0, 0.0], [0.0, 3.0]])
    array([[ 2.5, -2.5]])
    """
    K, Kq = check_gram(K), np.array(check_points(Kq, "Kq"))
    if Kq.shape[1] != len(K):
        raise ValueError(
            f"Kq has shape {Kq.shape} and K {K.shape}; Kq needs a row for each new point and a column for each of the "
            f"{len(K)} training points: pass kernel(Xq, X)."
        )
    return centered_rows(Kq, K.mean(axis=0))


def center_in_place(K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Centre ``K`` in place, exactly symmetric; return it and the column means that it had."""
    means = K.mean(axis=0)
    # K_ij - m_i - m_j + m̄ = K_ij - (c_i + c_j)
    c = means - 0.5 * means.mean()
    for rows in strips(len(K), 64):
        K[rows] -= c[rows, None] + c
    return K, means


def centered_rows(Kq: np.ndarray, means: np.ndarray) -> np.ndarray:
    """Centre the rows of ``Kq`` in place, with the column ``means`` of the training Gram matrix."""
    Kq -= means
    Kq -= Kq.mean(axis=1, keepdims=True)  # mean of k(x_q, x_i) - m_i over i: the row mean minus m̄
    return Kq
