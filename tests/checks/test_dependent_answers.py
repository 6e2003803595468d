"""A mistake costs its own exercise: who calls a wrong answer is marked with a right one in its place."""

import textwrap

import numpy as np

from kcourse.checks import check, exercise, exercises, run
from kcourse.checks.verdict import as_html, as_text
from tests.grader.notebooks import SOLVED
from tests.rows import each

SHEET = exercises("ch03_ridge")
FORGOT = "def krr_fit(K, y, lam):\n    return np.linalg.solve(K, y)\n"


def notebook(**answers):
    """The names of a notebook that has these answers instead of the solution's."""
    names = {}
    for source in (SOLVED | answers).values():
        exec(textwrap.dedent(source), names)
    return names


def verdicts(names, seed=5):
    return {spec.name: run(spec.name, names[spec.name], seed) for spec in SHEET}


def test_a_wrong_answer_costs_its_own_points_and_no_others():
    results = verdicts(notebook(krr_fit=FORGOT))
    lost = {name: r.max_points - r.points for name, r in results.items() if r.points < r.max_points}
    assert lost == {"krr_fit": 4}
    result = results["krr_fit_predict"]
    assert (result.status, result.instead, result.alone) == ("passed", ("krr_fit",), 1)
    sentence = "krr_fit is still wrong (3.1); with a right one in its place this function earns 4 of 4."
    assert result.hints == (sentence,) and sentence in as_text(result) and sentence in as_html(result)
    assert results["effective_df"].instead == () and results["effective_df"].alone is None


def test_what_is_not_written_is_not_called_wrong():
    result = verdicts(notebook(krr_fit="def krr_fit(K, y, lam):\n    raise NotImplementedError\n"))["ridge_dual_w"]
    assert result.points == 3 and result.hints[0].startswith("krr_fit is not written yet (3.1); with a right one")
    names = notebook()
    del names["krr_fit"]
    assert run("ridge_dual_w", names["ridge_dual_w"]).hints[0].startswith("krr_fit is not written yet (3.1);")
    assert "krr_fit" not in names


def test_helpers_of_ones_own_are_followed_and_everything_is_put_back():
    helper = "def solve_for(K, y, lam):\n    return krr_fit(K, y, lam)\n"
    names = notebook(krr_fit=FORGOT + helper, ridge_dual_w="def ridge_dual_w(Phi, y, lam):\n"
                     "    return Phi.T @ solve_for(Phi @ Phi.T, y, lam)\n")  # fmt: skip
    mine = names["krr_fit"]
    assert run("ridge_dual_w", names["ridge_dual_w"]).points == 3
    assert names["krr_fit"] is mine


def test_later_answers_get_no_right_ones_and_the_library_stays_refused():
    names = notebook(krr_fit="def krr_fit(K, y, lam):\n    return ridge_dual_w(K, y, lam)\n")
    assert run("krr_fit", names["krr_fit"]).instead == ()
    library = "def ridge_dual_w(Phi, y, lam):\n    from sklearn.linear_model import Ridge\n    krr_fit(Phi, y, lam)\n" \
              "    return Ridge(alpha=lam, fit_intercept=False).fit(Phi, y).coef_\n"  # fmt: skip
    assert verdicts(notebook(krr_fit=FORGOT, ridge_dual_w=library))["ridge_dual_w"].status == "refused"


@each("seed", range(3))
def test_a_partly_right_answer_keeps_what_it_has_alone(seed):
    """A function that makes up for its own wrong one does not lose by a right one."""
    cancels = "def krr_fit(K, y, lam):\n    return -np.linalg.solve(K + lam * np.eye(len(y)), y)\n"
    other = "def ridge_dual_w(Phi, y, lam):\n    w = -Phi.T @ krr_fit(Phi @ Phi.T, y, lam)\n    return w\n"
    assert run("ridge_dual_w", notebook(krr_fit=cancels, ridge_dual_w=other)["ridge_dual_w"], seed).points == 3


def test_a_right_answer_of_several_parts_comes_as_the_sheet_asks_for_it():
    names = notebook(canonical="def canonical(w, b, X, y):\n    raise NotImplementedError\n",
                     recover_w_b="def recover_w_b(alpha, X, y):\n    w = (alpha * y) @ X\n    u = X @ w\n"
                     "    return canonical(w, -0.5 * (u[y > 0].min() + u[y < 0].max()), X, y)\n")  # fmt: skip
    result = run("recover_w_b", names["recover_w_b"], 4)
    assert (result.status, result.instead) == ("passed", ("canonical",))
    w, b, updates = exercise("perceptron").answer(np.array([[2.0, 1.0]]), np.array([1.0]), epochs=3)
    assert (w.tolist(), b, updates) == ([2.0, 1.0], 1.0, 1)


def test_a_chain_of_answers_costs_the_first_one_only():
    """krr_tune calls krr_loo_residuals, which is right but for the krr_fit that it calls."""
    refits = """def krr_loo_residuals(K, y, lam):
    out = []
    for i in range(len(y)):
        keep = [j for j in range(len(y)) if j != i]
        out.append(y[i] - K[i, keep] @ krr_fit(K[np.ix_(keep, keep)], y[keep], lam))
    return np.array(out)
"""
    results = verdicts(notebook(krr_fit=FORGOT, krr_loo_residuals=refits), seed=7)
    assert {name for name, r in results.items() if r.points < r.max_points} == {"krr_fit"}
    assert results["krr_loo_residuals"].instead == ("krr_fit",)
    assert set(results["krr_tune"].instead) <= {"krr_fit"}


def test_a_class_of_ones_own_is_followed():
    code = """class Model:
    def fit(self, X, y, sigma, lam):
        self.k, self.X = Gaussian(sigma), X
        self.a = krr_fit(self.k(X), y, lam)
        return self
def krr_fit_predict(X, y, Xq, sigma, lam):
    m = Model().fit(X, y, sigma, lam)
    return m.k(Xq, X) @ m.a
"""
    assert verdicts(notebook(krr_fit=FORGOT, krr_fit_predict=code))["krr_fit_predict"].points == 4


def test_an_own_mistake_is_still_seen_and_named_and_a_right_answer_that_is_called_explains_nothing():
    wrong = SOLVED["ridge_dual_w"].replace("Phi.T @ alpha", "Phi @ alpha")
    result = run("ridge_dual_w", notebook(krr_fit=FORGOT, ridge_dual_w=wrong)["ridge_dual_w"], 5)
    assert (result.points, result.misconception) == (0, "w = Phi alpha")
    assert "this function still earns 0 of 3" in result.hints[0]
    result = run("ridge_dual_w", notebook(ridge_dual_w=wrong)["ridge_dual_w"], 5)
    assert result.instead == () and "krr_fit" not in result.hints[0]


def test_two_that_are_wrong_are_both_named():
    call = "(lambda K, y, lam: krr_loo_residuals(K, y, lam) + 0 * krr_fit(K, y, lam))("
    both, loo = (
        SOLVED["krr_tune"].replace("krr_loo_residuals(", call),
        "def krr_loo_residuals(K, y, lam):\n    return y\n",
    )
    result = run("krr_tune", notebook(krr_fit=FORGOT, krr_loo_residuals=loo, krr_tune=both)["krr_tune"], 3)
    assert result.points == 4 and result.instead == ("krr_fit", "krr_loo_residuals")
    assert result.hints[0].startswith("krr_fit (3.1) and krr_loo_residuals (3.4) are still wrong; with right ones in")


def test_a_lambda_is_checked_under_the_name_that_it_has():
    names = notebook(krr_fit="krr_fit = lambda K, y, lam: np.linalg.solve(K + lam * np.eye(len(y)), y)")
    assert float(check(names["krr_fit"], seed=1)) == 4
