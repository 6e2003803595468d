"""`make test-machines`: which machines it finds, what it runs on them, and that the stand-in is a BLAS, but another."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tools import machines
from tools.machines import Machine, chosen, environment, selection

NEW = ["X86_V3", "X86_V4", "AVX512_ICL"]


@pytest.fixture
def x86(monkeypatch):
    monkeypatch.setattr(machines, "KERNELS", ("Prescott", "Haswell", "Zen", "SkylakeX"))


def names(found):
    return [machine.name for machine in found]


def test_kernels_that_answer_for_others_or_do_not_run_are_left_out_with_a_line(x86):
    answers = {"Prescott": ["Katmai"], "Haswell": ["Haswell"], "Zen": ["Haswell"], "SkylakeX": []}
    found, left_out = machines.machines(answers.get, NEW)
    rest = ["no-avx512", "baseline", "two-threads", "stand-in", "oldest", "newest", "wasm"]
    assert names(found) == ["prescott", "haswell", *rest]
    assert found[1].env == {"OPENBLAS_CORETYPE": "Haswell"}
    assert left_out == [
        "zen: Haswell kernels answer, as they do for haswell",
        "skylakex: no OpenBLAS here, or its SkylakeX kernels do not run on this processor",
    ]


def test_only_features_that_numpy_found_are_switched_off(x86):
    def switched_off(features):
        found, _ = machines.machines(lambda asked: [], features)
        return {m.name: m.env["NPY_DISABLE_CPU_FEATURES"] for m in found if "NPY_DISABLE_CPU_FEATURES" in m.env}

    assert switched_off(NEW) == {"no-avx512": "X86_V4,AVX512_ICL", "baseline": "X86_V3,X86_V4,AVX512_ICL"}
    assert switched_off(["FMA3", "AVX2", "AVX512F"]) == {"no-avx512": "AVX512F", "baseline": "FMA3,AVX2,AVX512F"}
    assert switched_off(["AVX2"]) == {"baseline": "AVX2"}
    assert switched_off([]) == {}


def test_machines_are_chosen_by_name():
    found = [Machine("haswell", ""), Machine("stand-in", ""), Machine("oldest", "")]
    assert chosen(found, []) == found
    assert names(chosen(found, ["oldest", "haswell"])) == ["haswell", "oldest"]
    with pytest.raises(SystemExit, match="no zen here; there are haswell stand-in oldest"):
        chosen(found, ["zen"])


def test_a_file_takes_the_place_of_everything_and_an_option_does_not():
    everything = selection([])
    assert everything[:4] == ["tests/unit", "tests/laws", "tests/reference", "kcourse"]
    assert "notebooks/ch03_ridge.ipynb" in everything
    assert selection(["-k", "ridge"]) == [*everything, "-k", "ridge"]
    assert selection(["-x", "tests/unit/test_rkhs.py::test_functions_refuse"])[0] == "-x"


def test_the_callers_kernels_do_not_reach_a_machine(monkeypatch):
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "8")
    assert "OPENBLAS_CORETYPE" not in environment({})
    assert environment({"OPENBLAS_CORETYPE": "Zen"})["OPENBLAS_CORETYPE"] == "Zen"
    assert environment({})["OPENBLAS_NUM_THREADS"] == "1"


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
    [machine] = [m for m in machines.machines(lambda asked: [], [])[0] if m.name == "stand-in"]
    done = subprocess.run(
        [sys.executable, "-c", STAND_IN], env=environment(machine.env), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
