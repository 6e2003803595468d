"""What runs under WebAssembly, and what it must not import. It is not run here."""

from __future__ import annotations

import json

import pytest

from tools import lite, wasm, wasm_guest
from tools.wasm import ROOT


def test_what_the_edition_does_not_pack_is_refused_there():
    there = ["numpy", "scipy", "sklearn", "joblib", "PIL", "dateutil", "json", "_ssl", "pandas", "networkx", "lxml"]
    packed = [*lite.FROM_PYODIDE, *lite.OUR_WHEELS, *wasm.KERNEL]
    refused = wasm_guest.not_packed(there, packed)
    assert {"networkx", "lxml"} <= refused <= {"networkx", "lxml", "pandas"}
    with pytest.raises(ModuleNotFoundError, match="the edition does not pack it"):
        wasm_guest.NotPacked(refused).find_spec("networkx")
    assert wasm_guest.NotPacked(refused).find_spec("numpy") is None


def test_cells_that_fail_and_answers_that_lose_points_are_told(tmp_path):
    forgot = "def krr_fit(K, y, lam):\n    return np.linalg.solve(K, y)\ncheck(krr_fit)"
    imports = "import numpy as np\nfrom kcourse.checks import check"
    sources = [imports, "assert np.pi == 3, 'not so'", forgot, "krr_fit"]
    cells = [{"cell_type": "code", "id": f"c{i}", "source": s} for i, s in enumerate(sources)]
    path = tmp_path / "n.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    found = wasm_guest.notebook(path)
    assert [where for where, _ in found] == ["c1", "krr_fit"]
    assert found[0][1] == "AssertionError: not so" and "0 of 4 points" in found[1][1]


def test_the_unit_tests_that_are_left_out_are_there():
    names = {path.name for path in (ROOT / "tests" / "unit").glob("test_*.py")}
    assert {f"test_{name}.py" for name in wasm.NOT_THERE} <= names
    assert len(wasm.of_the_library()) == len(names) - len(wasm.NOT_THERE)
