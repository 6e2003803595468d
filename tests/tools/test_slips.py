"""What is changed of a solution."""

from __future__ import annotations

from tools import slips

TEXT = """def f(X, y):
    \"\"\"Not here: 1 + 1.\"\"\"
    ### BEGIN SOLUTION
    z = X.T @ y - 2
    return z, np.mean(y, axis=0)
    ### END SOLUTION
"""


def test_one_place_of_the_body_is_changed_at_a_time():
    lines = [line for line, _ in slips.changed(TEXT)]
    wanted = [
        "z = y @ X.T - 2",
        "z = X @ y - 2",
        "z = X.T * y - 2",
        "z = X.T @ y + 2",
        "z = X.T @ y - 1",
        "z = X.T @ y",
    ]
    wanted += ["return (np.mean(y, axis=0), z)", "return (z, np.mean(y, axis=1))", "return (z, np.mean(y))"]
    assert set(wanted) <= set(lines) and len(lines) == len(set(text for _, text in slips.changed(TEXT)))
    assert all("Not here: 1 + 1." in text for _, text in slips.changed(TEXT))
