"""WebAssembly's machine: what it is given, what it must not have, and what the guide says of it. It is not run here."""

from __future__ import annotations

import json
import re

import pytest

from tools import lite, wasm, wasm_guest
from tools.wasm import GUIDE, PLACE, ROOT, Run


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
    assert found["cells"] == 4 and [where for where, _ in found["failed"]] == ["c1", "krr_fit"]
    assert found["failed"][0][1] == "AssertionError: not so" and "0 of 4 points" in found["failed"][1][1]


def test_an_explorer_s_stops_are_timed_and_no_part_of_the_cells(tmp_path):
    source = (
        "import matplotlib.pyplot as plt\nfrom kcourse.lab import explore, slider\nimport time\n"
        "fig, ax = plt.subplots()\n"
        "def update(a):\n    time.sleep(0.05)\n    return f'A line that ends at the height {a}.'\n"
        "shown = explore(fig, update, a=slider('a', 0, 9, 4, 1))"
    )
    path = tmp_path / "n.ipynb"
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "id": "play", "source": source}]}), encoding="utf-8")
    found = wasm_guest.notebook(path)
    assert found["failed"] == [] and found["stops"]["play"] >= 50


def test_what_is_too_slow_or_wrong_is_a_line():
    run = Run("ch02", slow={"a": 3.0, "b": 61.0}, failed=[("c", "ValueError: no")], stops={"d": 299.0, "e": 301.0})
    assert run.complaints() == ["ch02, c: ValueError: no", "ch02, b: 61 s", "ch02, e: 301 ms a stop"]


def test_the_unit_tests_that_are_left_out_are_there():
    names = {path.name for path in (ROOT / "tests" / "unit").glob("test_*.py")}
    assert {f"test_{name}.py" for name in wasm.NOT_THERE} <= names
    assert len(wasm.of_the_library()) == len(names) - len(wasm.NOT_THERE)


def test_the_guide_has_the_times_of_every_lecture():
    rows = re.findall(
        r"^\| (\w+) \| \d+ s \| \d+ s \|", PLACE.search(GUIDE.read_text(encoding="utf-8"))[0], re.MULTILINE
    )
    assert rows == [path.stem for path in wasm.chosen([])[0] if path.stem != "glossary"]  # which has no code


def test_what_is_said_of_the_edition_is_said_in_one_place():
    """The guide's words follow from its table; the README points there and has no number that could differ."""
    guide, readme = GUIDE.read_text(encoding="utf-8"), (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"\| (ch\w+) \| (\d+) s \| (\d+) s", PLACE.search(guide)[0])
    slower = {name: int(there) / int(here) for name, there, here in rows}
    slow = {name: by for name, by in slower.items() if by > 4}
    others = [by for name, by in slower.items() if name not in slow]
    assert 2.5 <= min(others) and max(others) < 3.5 and "about three times the" in guide
    assert {name.split("_")[0] for name in slow} == {"ch03", "ch07a", "ch10"}
    assert round(min(slow.values())) == 4 and round(max(slow.values())) == 9
    assert "chapters 3, 7a and 10 four to nine times" in guide
    [paragraph] = [text for text in readme.split("\n\n") if text.startswith("**Without installing anything:**")]
    assert "docs/teach.md#handing-out" in paragraph and "times" not in paragraph
    for text in (guide, paragraph):
        assert re.search(r"no\s+chapter\s+has\s+been\s+run\s+in\s+Pyodide\s+itself", text, re.IGNORECASE)
