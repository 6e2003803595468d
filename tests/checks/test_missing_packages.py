"""Who uses a package that is not there when the answer is graded is told so, with all points or without."""

import textwrap

from kcourse.checks import run
from kcourse.checks.verdict import as_text
from tests.rows import each

RIGHT = "np.linalg.solve(K + lam * np.eye(len(K)), y)"


def result(above, body):
    names = {}
    exec("import numpy as np\n" + above + "\ndef krr_fit(K, y, lam):\n" + textwrap.indent(body, "    "), names)
    return run("krr_fit", names["krr_fit"], 3)


@each(("above", "body"), [
    ("import hypothesis", f"assert hypothesis\nreturn {RIGHT}"),
    ("", f"from hypothesis.strategies import floats\nreturn {RIGHT}"),
    ("import hypothesis\ndef fit(K, y, lam):\n    hypothesis\n    return " + RIGHT, "return fit(K, y, lam)"),
])  # fmt: skip
def test_a_right_answer_that_will_fail_elsewhere_is_told_so(above, body):
    found = result(above, body)
    [sentence] = found.remarks
    assert found.status == "passed" and "uses hypothesis, which is not available" in sentence
    assert f"Note: {sentence}" in as_text(found)


@each(("above", "body"), [
    ("import hypothesis", f"return {RIGHT}"),
    ("import pandas as pd, scipy.linalg, math, joblib", f"pd, scipy, math, joblib\nreturn {RIGHT}"),
    ("from tqdm import tqdm", f"for _ in tqdm(range(2)):\n    pass\nreturn {RIGHT}"),
    ("class A:\n    hypothesis = 1", f"A.hypothesis\nreturn {RIGHT}"),
    ("import hypothesis", "hypothesis\nraise NotImplementedError"),
])  # fmt: skip
def test_nobody_else_is(above, body):
    assert result(above, body).remarks == ()
