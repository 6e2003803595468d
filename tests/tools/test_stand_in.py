"""The BLAS of tools/stand_in is right, and differs from the usual one in signs and last bits."""

from __future__ import annotations

import subprocess
import sys

from tools import test

STAND_IN = """
import numpy as np
import scipy.linalg as sl
from scipy.linalg.blas import dsyrk
from scipy.linalg.lapack import dpotrf, dpotri
A = np.random.default_rng(0).standard_normal((6, 4))
K = A @ A.T + np.eye(6)
near = lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-13, atol=1e-13)
for eigh in (np.linalg.eigh, sl.eigh):
    (w, V), raw = eigh(K), eigh.__wrapped__(K)
    near(V * w @ V.T, K)
    near(V[:, ::2], -raw[1][:, ::2])
    near(V[:, 1::2], raw[1][:, 1::2])
    assert np.all(np.diff(w) >= 0) and np.any(w != raw[0])
for svd in (np.linalg.svd, sl.svd):
    U, s, Vt = svd(A, full_matrices=False)
    near(U * s @ Vt, A)
    near(U[:, 0], -svd.__wrapped__(A)[0][:, 0])
Q, R = np.linalg.qr(A)
near(Q @ R, A)
assert np.all(np.tril(R, -1) == 0) and np.any(np.diag(R) * np.diag(np.linalg.qr.__wrapped__(A)[1]) < 0)
upper = K.copy(order="F")
L, _ = dpotrf(upper, lower=True, clean=False, overwrite_a=True)
assert np.array_equal(np.triu(L, 1), np.triu(K, 1)) and np.shares_memory(L, upper)
assert np.array_equal(np.tril(L), np.linalg.cholesky(K))
near(np.tril(L) @ np.tril(L).T, K)
assert np.any(np.linalg.inv(K) != np.linalg.inv.__wrapped__(K))
assert np.array_equal(np.linalg.solve(K, A), np.linalg.solve(K, A))
assert np.array_equal(np.linalg.solve([[2.0, 0.0], [0.0, 0.5]], [4.0, 1.0]), [2.0, 2.0])
"""


def test_the_stand_in_is_right_and_differs():
    env = test.environment() | {"PYTHONPATH": str(test.ROOT / "tools" / "stand_in")}
    done = subprocess.run([sys.executable, "-c", STAND_IN], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
