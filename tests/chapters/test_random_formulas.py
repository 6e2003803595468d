"""Random wrong formulas: a mistake is named only if it explains the answer, and not by chance.

A named mistake explains every call of the check. It does so by chance if it does not explain the same formula on
other inputs; then its name, and all that is said with it, is untrue. Nor does a formula get full points by chance.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.chapters.marking import marked

COUNT, AGAIN, RATE = 160, (1, 2, 3), 0.005  # formulas for each exercise, other seeds, of those that are named

_PLAIN = ("K", "np.linalg.inv(K)", "K * K", "K @ K", "(I - K)", "np.exp(-K)", "K.T", "np.tril(K)")
_WITH_LAM = (
    "(K + lam * I)", "np.linalg.inv(K + lam * I)", "K @ np.linalg.inv(K + lam * I)", "(K + lam)", "(K - lam * I)",
    "(K + n * lam * I)", "(K + lam / n * I)", "(K + lam**2 * I)", "(lam * K + I)", "np.linalg.inv(K) * lam",
)  # fmt: skip
_NUMBERS, _NUMBERS_WITH_LAM = ("n", "2", "n**2", "(n - 1)"), ("lam", "n * lam", "(1 + lam)", "lam / n", "np.sqrt(lam)")


class Grammar:
    """Formulas of products, quotients, axes and arguments, of which hardly any is right."""

    def __init__(self, seed: int, lam: bool) -> None:
        self.rng = np.random.default_rng(seed)
        self.matrices, self.numbers = _PLAIN + lam * _WITH_LAM, _NUMBERS + lam * _NUMBERS_WITH_LAM

    def one_of(self, *choices: str) -> str:
        return str(self.rng.choice(choices))

    def matrix(self) -> str:
        a, b = self.one_of(*self.matrices), self.one_of(*self.matrices)
        return self.one_of(a, a, a, a, f"({a} @ {b})", f"({a} * {b})", f"({a} / {b})")

    def scaled(self, formula: str) -> str:
        number = self.one_of(*self.numbers)
        return self.one_of(
            formula, formula, formula, f"({formula}) / {number}", f"({formula}) * {number}", f"({formula})**2",
            f"({formula}) + {number}", f"np.abs({formula})",
        )  # fmt: skip

    def vector(self, v: str) -> str:
        m, other = self.matrix(), self.matrix()
        return self.scaled(self.one_of(
            f"{m} @ {v}", f"{m} @ {v}", f"({m} * {v}).sum(axis=0)", f"({m} * {v}).sum(axis=1)", f"{v} / np.diag({m})",
            f"{v} * np.diag({m})", f"({m} @ {v}) / np.diag({other})", f"{v} - {m} @ {v}",
            f"np.full(n, ({m} * {v}).sum())",
        ))  # fmt: skip

    def number(self) -> str:
        m, other, number = self.matrix(), self.matrix(), self.one_of(*self.numbers)
        return self.scaled(self.one_of(
            f"np.trace({m})", f"({m}).sum()", f"np.trace({m}) / np.trace({other})", f"np.trace({m} / {other})",
            f"(np.diag({m}) / np.diag({other})).sum()", f"np.trace({m}) / (np.trace({m}) + {number})", f"({m}).mean()",
            f"(np.linalg.eigvalsh({m}) / (np.linalg.eigvalsh({m}) + {number})).sum()", f"np.linalg.norm({m})**2",
        ))  # fmt: skip

    def form(self, v: str) -> str:
        m = self.matrix()
        return self.scaled(self.one_of(
            f"{v} @ {m} @ {v}", f"({m} @ {v}).sum()", f"({v} * {m} * {v}).sum()", f"({m} * {v}).sum()", f"{v} @ {v}",
            f"np.sqrt({v} @ {m} @ {v})", f"np.linalg.norm({m} @ {v})", f"np.abs({v}) @ {m} @ np.abs({v})",
            f"np.trace({m}) * ({v} @ {v})", f"np.outer({v}, {v} @ {m})[0].sum()",
        ))  # fmt: skip

    def less_means(self, K: str) -> str:
        """Gram matrix, or rows of new points, less and more some means of them."""
        means = [f"{K}.mean(axis=0)", "K.mean(axis=0)", f"{K}.mean(axis=1, keepdims=True)", f"{K}.mean()", "K.mean()"]
        means += ["np.diag(K)", "np.diag(K).mean()"]
        signs = [self.one_of("-", "-", "+") + self.one_of("", "", "", "2 * ", "n * ") for _ in range(4)]
        terms = [f"{sign}{self.one_of(*means)}" for sign in signs]
        return f"{K} " + " ".join(terms[: self.rng.integers(1, 4)])


EXERCISES = {
    "krr_fit": ("K, y, lam", lambda g: g.vector("y")),
    "krr_loo_residuals": ("K, y, lam", lambda g: g.vector("y")),
    "effective_df": ("K, lam", lambda g: g.number()),
    "rkhs_norm2": ("K, alpha", lambda g: g.form("alpha")),
    "center_gram": ("K", lambda g: g.less_means("K")),
    "center_test_gram": ("K, Kq", lambda g: g.less_means("Kq")),
}


QUICK = ("krr_fit", "effective_df", "center_gram")  # the others wait


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in EXERCISES]
)
def test_nothing_is_named_or_passed_by_chance(name):
    arguments, draw = EXERCISES[name]
    grammar, named, untrue, lucky = Grammar(len(name), "lam" in arguments), 0, [], []
    for _ in range(COUNT):
        formula = draw(grammar)
        space = {"np": np}
        exec(f"def {name}({arguments}):\n    n, I = len(K), np.eye(len(K))\n    return {formula}", space)
        result = marked(name, space[name], 0)
        if result.status == "passed" and {marked(name, space[name], seed).status for seed in AGAIN} != {"passed"}:
            lucky.append(formula)
        if result.misconception is None:
            continue
        named += 1
        others = {marked(name, space[name], seed).misconception for seed in AGAIN}
        if others != {result.misconception}:
            untrue.append((formula, result.misconception, others))
    assert named >= 3  # or nothing is tried
    assert len(untrue) <= RATE * COUNT, untrue
    assert not lucky
