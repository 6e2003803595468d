"""The search for the next slips: what is changed, and what is said of it."""

from __future__ import annotations

from kcourse.checks import exercise
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


def test_answers_that_pass_or_are_not_known_are_listed():
    spec = exercise("krr_fit")
    text, names = slips.solution(spec)
    answers = [slips.tried(spec, line, other, names, seeds=2) for line, other in slips.changed(text)]
    lines = slips.report(spec, answers)
    assert lines[0] == f"3.1 krr_fit: {len(answers)} changed answers"
    assert [line for line in lines if "passes" in line] == []
    assert [line for line in lines if "not known" in line] == [
        "  not known, 1 of them: return np.linalg.solve(lam * np.eye(len(y)), y)"
    ]
