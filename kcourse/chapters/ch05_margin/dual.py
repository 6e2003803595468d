"""Exercises 5.3, 5.4 and 5.7: from multipliers to the plane, the value of the dual, and a report on both."""

from __future__ import annotations

from typing import Any

import numpy as np

from kcourse.chapters.ch05_margin.common import CHAPTER, USE, flat, known_problem, pair, right_w_wrong_b
from kcourse.checks.compare import as_numbers, close
from kcourse.checks.spec import Exercise, Misconception, Observation, Promise, Property, attempts

__all__ = ["DUAL_VALUE", "MARGIN_REPORT", "RECOVER_W_B"]

_LINES = "Lagrange multipliers and the KKT conditions"
_DUAL = "The dual"
_HAND = "Three points with pencil and paper"


# -- 5.3


def recover_w_b(alpha, X, y):
    """w = Σ α_i y_i x_i, and b from y_i (wᵀx_i + b) = 1 at the support vectors."""
    return _plane(alpha, X, y)


def _plane(alpha, X, y, *, weigh=lambda alpha, y: alpha * y, bias=lambda y, u: y - u, who=lambda a: a > 1e-8 * a.max()):
    w = weigh(alpha, y) @ X
    return np.append(w, np.mean(bias(y, X @ w)[who(alpha)]))


def _first_taken_for_positive(alpha, X, y):
    w = (alpha * y) @ X
    return np.append(w, 1 - X[np.flatnonzero(alpha > 1e-8 * alpha.max())[0]] @ w)


def _between_the_means(alpha, X, y):
    w = (alpha * y) @ X
    return np.append(w, -0.5 * w @ (X[y > 0].mean(axis=0) + X[y < 0].mean(axis=0)))


def _solved(rng, shapes, dust=0.0):
    """α, X, y with the solution known; ``shapes`` says d, support vectors of each class, others, and the classes of the
    first and the last support vector: any one that is taken for positive is somewhere negative."""
    found = []
    for d, support, others, ends in shapes:
        for _ in attempts("recover_w_b"):
            X, y, alpha = known_problem(rng, d, support, others)
            on = y[alpha > 0]
            if (on[0], on[-1]) == ends and not 0.6 < alpha.sum() < 1.6 and abs(recover_w_b(alpha, X, y)[-1]) > 0.2:
                break
        found.append((np.where(alpha == 0, dust * rng.uniform(0.2, 1, len(alpha)), alpha), X, y))
    return found


def _optimal(alpha, X, y):
    """Whether y f is 1 at the support vectors and above 1 elsewhere."""
    plane, on = recover_w_b(alpha, X, y), alpha > 1e-8 * alpha.max()
    margins = y * (X @ plane[:-1] + plane[-1])
    return np.allclose(margins[on], 1) and abs(alpha @ y) < 1e-9 and margins[~on].min() > 1.1


_CLEAN = (2, (2, 1), 4, (-1, 1)), (3, (1, 3), 5, (1, -1)), (4, (3, 2), 3, (-1, -1))


def _summed(alpha, X, y):
    w, on = (alpha * y) @ X, alpha > 1e-8 * alpha.max()
    return np.append(w, np.sum((y - X @ w)[on]))


_DUSTY = (2, (1, 2), 5, (-1, 1)), (3, (2, 1), 4, (-1, -1))
_R = USE + "X = np.array([[3.0, 3], [4, 3], [1, 1]]); y = np.array([1, 1, -1]); alpha = np.array([0.25, 0, 0.25])\n" \
    "w, b = recover_w_b(alpha, X, y)\n"  # fmt: skip

RECOVER_W_B = Exercise(
    name="recover_w_b",
    chapter=CHAPTER,
    number="5.3",
    returns="w and b, `return w, b`, of shape (d,) and one number",
    reference=recover_w_b,
    properties=(
        Property("gives the plane of the multipliers", 3, lambda r: _solved(r, _CLEAN)),
        Property(
            "also does so if multipliers that should be 0 are 1e-17",
            1,
            lambda r: _solved(r, _DUSTY, dust=3e-17),
            hint="Your answer fails only if multipliers that should be 0 are 1e-17, as solvers return them. Use a tolerance, such as "
            "1e-8 times the largest multiplier, to select the support vectors.",
        ),
    ),
    promises=(
        Promise("have multipliers that are optimal", lambda alpha, X, y: _optimal(alpha, X, y), of=(0, 1)),
        Promise("have a sum of multipliers away from 1", lambda alpha, X, y: not 0.6 < alpha.sum() < 1.6, of=(0, 1)),
        Promise("have b away from 0", lambda *args: abs(recover_w_b(*args)[-1]) > 0.2, of=(0, 1)),
        Promise("have dust for 0", lambda alpha, X, y: 0 < alpha.min() < 1e-16, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "wᵀx + b = 1 for each support vector",
            lambda alpha, X, y: _plane(alpha, X, y, bias=lambda y, u: 1 - u),
            "You set wᵀx + b = 1 at every support vector. At those of class -1 it is -1, so use b = y - wᵀx.",
            f"Read “{_HAND}” again: the equation for b contains the label.",
            _R + "print(y * (X @ w + b))   # should print 1, 1.5, 1",
        ),
        Misconception(
            "first support vector taken for positive",
            _first_taken_for_positive,
            "You take b from the first support vector as if its class were +1. Use b = y - wᵀx with its label.",
            f"Read “{_HAND}” again: the equation for b contains the label.",
            _R + "print(recover_w_b(alpha[::-1], X[::-1], y[::-1])[1], b)   # should be equal: only the order differs",
        ),
        Misconception(
            "wᵀx added to the label",
            lambda alpha, X, y: _plane(alpha, X, y, bias=lambda y, u: y + u),
            "You compute b = y + wᵀx. At a support vector wᵀx + b = y, so b = y - wᵀx.",
            f"Read “{_HAND}” again: solve its equation for b.",
            _R + "print(b)   # should print -2, which is 1 - (3 + 3)/2 and also -1 - (1 + 1)/2",
        ),
        Misconception(
            "b summed over the support vectors",
            _summed,
            "You sum y - wᵀx over the support vectors. Each of them gives b, so take the mean.",
            f"Read “{_HAND}” again: each of the two points gives b.",
            _R + "print(b, '= -2, from each of the two support vectors')",
        ),
        Misconception(
            "b from all points",
            lambda alpha, X, y: _plane(alpha, X, y, who=lambda a: a > -1),
            "You average y - wᵀx over all points. Only support vectors have y f(x) = 1, so average over those.",
            f"Read “{_HAND}” again: points with α = 0 do not give b.",
            _R + "print(b, '= -2, whatever the second point does')",
        ),
        Misconception(
            "labels forgotten in w",
            lambda alpha, X, y: _plane(alpha, X, y, weigh=lambda alpha, y: alpha),
            "You leave out the labels in w. The formula is w = Σ α_i y_i x_i, so multiply α by y.",
            f"Read “{_LINES}” again: w in (5) contains the labels.",
            _R + "print(w)   # should print 0.5, 0.5",
        ),
        Misconception(
            "b with the other sign",
            lambda alpha, X, y: _plane(alpha, X, y) * np.append(np.ones(X.shape[1]), -1.0),
            "You return -b. At a support vector wᵀx + b = y, so b = y - wᵀx.",
            f"Read “{_HAND}” again: solve its equation for b.",
            _R + "print(X[0] @ w + b)   # should print 1: a support vector of class +1",
        ),
        Misconception(
            "no b",
            lambda alpha, X, y: np.append((alpha * y) @ X, 0.0),
            "You return b = 0, which puts the plane through the origin. A support vector gives b = y - wᵀx.",
            f"Read “{_HAND}” again: a support vector gives b.",
            _R + "print(b)   # should print -2, which is 1 - (3 + 3)/2",
        ),
        Misconception(
            "label beside w alone",
            lambda alpha, X, y: _plane(alpha, X, y, bias=lambda y, u: 1 - y * u),
            "You solve y wᵀx + b = 1. The label multiplies the whole sum, y(wᵀx + b) = 1, so b = y - wᵀx.",
            f"Read “{_HAND}” again: the label multiplies wᵀx + b.",
            _R + "print(X[2] @ w + b)   # should print -1: a support vector of class -1",
        ),
        Misconception(
            "halfway between the means",
            _between_the_means,
            "You put the plane halfway between the class means. It lies halfway between the margin lines, so compute b from support vectors.",
            f"Read “{_HAND}” again: b comes from the support vectors.",
            _R + "print(b)   # should print -2: the second point is not a support vector",
        ),
        Misconception(
            "multipliers that sum to one",
            lambda alpha, X, y: _plane(alpha / alpha.sum(), X, y),
            "You divide the multipliers by their sum. Their scale matters, because Σα = ‖w‖². Use them as they are.",
            f"Read “{_LINES}” again: (5) uses the multipliers as they are.",
            _R + "print(w @ w, alpha.sum())   # should be equal at the optimum",
        ),
    ),
    observations=(right_w_wrong_b("recover_w_b", recover_w_b),),
    step=f"Read “{_HAND}” again: w is a sum over the support vectors, and each of them gives b.",
    experiment=USE + "X = np.array([[0.0, 2], [4, 2], [1, 0]]); y = np.array([1, 1, -1])   # two points of class +1, one of class -1\n"
    "w, b = recover_w_b(np.array([0.375, 0.125, 0.5]), X, y)\n"
    "print(w, b)   # should print 0, 1 and -1",
    sizes=lambda alpha, X, y: {"n": len(y), "d": X.shape[1]},
    view=flat,
    gives=pair,
    chained=True,
)  # fmt: skip


# -- 5.4


def dual_value(alpha, K, y):
    """Σα_i - ½ Σ_ij α_i α_j y_i y_j K_ij."""
    return _dual(alpha, K, y)


def _dual(alpha, K, y, *, first=1.0, half=0.5, labels=True):
    v = alpha * y if labels else alpha
    return float(first * np.sum(alpha) - half * v @ K @ v)


def _multipliers(rng):
    """Any multipliers, feasible or not, and a Gram matrix whose diagonal is not constant."""
    found = []
    for n, d in ((5, 2), (8, 3), (6, 2)):
        X = rng.normal(size=(n, d)) * rng.uniform(0.7, 1.4)
        K = (X @ X.T + 0.4) ** 2 + np.diag(rng.uniform(0.05, 0.3, n))
        alpha = rng.uniform(0.05, 0.6, n) * (rng.random(n) < 0.8)
        alpha[0] = 0.3
        found.append((alpha, K, rng.permutation(np.resize([1.0, -1.0, 1.0], n))))
    return found


_V = USE + "K = np.array([[2.0, 1.0], [1.0, 3.0]]); y = np.array([1, -1])\n" \
    "def D(*a):\n    return dual_value(np.array(a), K, y)\n"  # fmt: skip

DUAL_VALUE = Exercise(
    name="dual_value",
    chapter=CHAPTER,
    number="5.4",
    returns="the value of the dual, one number",
    reference=dual_value,
    properties=(Property("is the value of the dual, for any α and any Gram matrix", 3, _multipliers),),
    promises=(
        Promise("have a diagonal that is not constant", lambda alpha, K, y: np.ptp(np.diag(K)) > 0.1),
    ),
    misconceptions=(
        Misconception(
            "no half",
            lambda alpha, K, y: _dual(alpha, K, y, half=1.0),
            "You leave out the ½ before the double sum. The dual is Σα_i - ½‖w‖².",
            f"Read “{_DUAL}” again: (7) has the factor ½ before the double sum.",
            _V + "print(D(1.0, 0.0))   # should print 0, which is 1 - 2/2",
        ),
        Misconception(
            "half before both terms",
            lambda alpha, K, y: 0.5 * float(alpha.sum() - (alpha * y) @ K @ (alpha * y)),
            "You multiply both terms by ½. Only the double sum has the factor ½.",
            f"Read “{_DUAL}” again: (7) has no factor before Σα_i.",
            _V + "print(D(0.01, 0.0) / 0.01)   # should print 0.99",
        ),
        Misconception(
            "label of one point only",
            lambda alpha, K, y: float(alpha.sum() - 0.5 * (alpha * y) @ K @ alpha),
            "You leave out one of the two labels in the double sum. It contains y_i y_j, so multiply both vectors by y.",
            f"Read “{_DUAL}” again: y_i y_j in (7).",
            _V + "print(D(1.0, 1.0), D(0.0, 1.0))   # should print 0.5, -0.5",
        ),
        Misconception(
            "labels forgotten",
            lambda alpha, K, y: _dual(alpha, K, y, labels=False),
            "Your double sum does not depend on the labels. It contains y_i y_j, so weight its rows and its columns by α y.",
            f"Read “{_DUAL}” again: y_i y_j in (7).",
            _V + "print(D(1.0, 1.0))   # should print 0.5, which is 2 - (2 - 1 - 1 + 3)/2",
        ),
        Misconception(
            "sign reversed",
            lambda alpha, K, y: -_dual(alpha, K, y),
            "You return minus the dual, which a minimiser needs. Return the dual itself.",
            f"Read “{_DUAL}” again: (7) is maximised.",
            _V + "print(D(0.1, 0.0) > 0)   # should print True: for small α the linear term dominates",
        ),
        Misconception(
            "no linear term",
            lambda alpha, K, y: _dual(alpha, K, y, first=0.0),
            "You leave out the term Σα_i. The dual is Σα_i - ½‖w‖².",
            f"Read “{_DUAL}” again: (7) has two terms.",
            _V + "print(D(0.5, 0.0))   # should print 0.25, which is 0.5 - 0.25",
        ),
        Misconception(
            "labels in the linear term",
            lambda alpha, K, y: float((alpha * y).sum() - 0.5 * (alpha * y) @ K @ (alpha * y)),
            "You use Σα_i y_i as the linear term, which is 0 for every feasible α. Use Σα_i.",
            f"Read “{_DUAL}” again: the linear term of (7) has no labels.",
            _V + "print(D(0.0, 0.1) > 0)   # should print True: the linear term of class -1 is also positive",
        ),
        Misconception(
            "diagonal only",
            lambda alpha, K, y: float(alpha.sum() - 0.5 * alpha**2 @ np.diag(K)),
            "You sum only the terms with i = j. The double sum runs over all pairs, so use vᵀKv with v = α y.",
            f"Read “{_DUAL}” again: (7) has two indices.",
            _V + "print(D(1.0, 1.0) - D(1.0, 0.0) - D(0.0, 1.0))   # should print 1, which is -α₁α₂y₁y₂k",
        ),
        Misconception(
            "diagonal left out",
            lambda alpha, K, y: float(_dual(alpha, K, y) + 0.5 * alpha**2 @ np.diag(K)),
            "You leave out the terms with i = j. The double sum runs over all pairs, also each point with itself.",
            f"Read “{_DUAL}” again: both indices in (7) run from 1 to n.",
            _V + "print(D(1.0, 0.0), '= 0: one point has the term with itself')",
        ),
        Misconception(
            "both factors on the columns",
            lambda alpha, K, y: float(alpha.sum() - 0.5 * np.sum(alpha * y * K * alpha * y)),
            "You multiply K by α y twice with `*`, which weights only the columns. Write v @ K @ v with v = α y.",
            f"Read “{_DUAL}” again: (7) weights rows and columns.",
            _V + "print(D(1.0, 1.0), '= 0.5, which is 2 - (2 - 1 - 1 + 3)/2')",
        ),
        Misconception(
            "each pair once",
            lambda alpha, K, y: float(alpha.sum() - 0.5 * np.sum(np.triu(np.outer(alpha * y, alpha * y) * K))),
            "You count each pair i ≠ j once. The double sum contains it twice, as (i, j) and (j, i). Sum over all pairs.",
            f"Read “{_DUAL}” again: both sums in (7) run over all points.",
            _V + "print(D(0.5, 0.5) - D(0.5, 0.0) - D(0.0, 0.5))   # should print 0.25, the term of the pair",
        ),
        Misconception(
            "quadratic term added",
            lambda alpha, K, y: _dual(alpha, K, y, half=-0.5),
            "You add the quadratic term. Subtract it, because otherwise the dual has no maximum.",
            f"Read “{_DUAL}” again: the sign of the second term in (7).",
            _V + "print(D(10.0, 10.0) < 0)   # should print True: for large α the quadratic term dominates",
        ),
    ),
    step=f"Read “{_DUAL}” again: use equation (7).",
    experiment=_V + "print(D(1.0, 0.0), D(0.0, 1.0), D(1.0, 1.0))   # should print 0, -0.5 and 0.5",
    sizes=lambda alpha, K, y: {"n": len(y)},
)  # fmt: skip


# -- 5.7


def margin_report(K, y, alpha):
    """b, width, Σα_i y_i, smallest y f, largest |α_i (y_i f_i - 1)|."""
    return _report(K, y, alpha)


def _report(
    K,
    y,
    alpha,
    *,
    bias=lambda y, u, alpha: np.mean((y - u)[alpha > 0]),
    norm2=lambda K, y, alpha: (alpha * y) @ K @ (alpha * y),
    width=lambda norm2: 2 / np.sqrt(norm2),
    balance=lambda alpha, y: np.sum(alpha * y),
    closest=lambda f, y: np.min(y * f),
    slack=lambda alpha, m: np.max(np.abs(alpha * (m - 1))),
    shift=True,
):
    u = K @ (alpha * y)
    b = bias(y, u, alpha)
    f = u + b if shift else u
    return np.array([b, width(norm2(K, y, alpha)), balance(alpha, y), closest(f, y), slack(alpha, y * f)])


def _least_of_support(K, y, alpha):
    report = _report(K, y, alpha)
    report[3] = np.min((y * (K @ (alpha * y) + report[0]))[alpha > 0])
    return report


def _inner_products(K, y, alpha):
    return K @ (alpha * y)


def _with_its_own_b(value: Any, K, y, alpha):
    """What is compared: `closest` and `slackness` are right if they follow from the b that came with them."""
    numbers = as_numbers(value)
    if numbers is None or numbers.shape != (5,):
        return None
    m = y * (_inner_products(K, y, alpha) + numbers[0])
    follows = close(numbers[3], m.min()) and close(numbers[4], np.abs(alpha * (m - 1)).max())
    return np.append(numbers[:3], margin_report(K, y, alpha)[3:]) if follows else numbers


def _b_alone_is_wrong(value, K, y, alpha):
    right = margin_report(K, y, alpha)
    return [close(a, b) for a, b in zip(value, right, strict=True)] == [False, True, True, True, True]


def _reported(**how):
    return lambda K, y, alpha: _report(K, y, alpha, **how)


def _rough(rng, supports, others=5):
    """Gram matrices with multipliers from a solver that stopped early; together they tell every two mistakes apart."""
    for _ in attempts("margin_report"):
        found = []
        for k, support in enumerate(supports):
            X, y, alpha = known_problem(rng, 2 + k, support, others + k)
            K = X @ X.T if k % 2 else X @ X.T + 0.3 * (X @ X.T) ** 2 / np.max(X @ X.T)
            alpha = alpha * rng.uniform(0.7, 1.4, len(alpha))
            if k == 0:  # too small, above all in class +1: the balance is negative, and so is what slackness finds
                alpha *= np.where(y > 0, 0.5, 0.75)
            y[np.flatnonzero(alpha == 0)[0]] *= -1  # a point with α = 0 is on the wrong side
            found.append((K, y, alpha))
        if _telling(found):
            return found


def _telling(found):
    """Whether these inputs tell every two mistakes apart, and no right number is near 0."""
    rights = [margin_report(*args) for args in found]
    if any(np.abs(right).min() < 0.02 or abs(right[1] - 1) < 0.1 for right in rights):
        return False
    mistakes = [mistake.wrong for mistake in MARGIN_REPORT.misconceptions if mistake.name != _CLASSES]
    gaps = []
    for args, right in zip(found, rights, strict=True):
        given = np.array([right, *(wrong(*args) for wrong in mistakes)]) / np.abs(right)
        gaps.append(np.abs(given[:, None] - given[None]).max(axis=-1))
    most = np.max(gaps, axis=0)
    return most[np.triu_indices(len(most), 1)].min() > 1e-3


def _by_classes(y, u, alpha):
    on = alpha > 0
    return 0.5 * sum(np.mean((y - u)[on & (y == label)]) for label in (-1, 1))


_CLASSES = "mean of the two classes' means"
_K = USE + "X = np.array([[3.0, 3], [4, 3], [1, 1]]); y = np.array([1, 1, -1])\n" \
    "def ask(*a):\n    return np.round(margin_report(X @ X.T, y, np.array(a)), 6)\n"  # fmt: skip


MARGIN_REPORT = Exercise(
    name="margin_report",
    chapter=CHAPTER,
    number="5.7",
    returns="five numbers, `return b, width, balance, closest, slackness`",
    reference=margin_report,
    properties=(
        Property("reports on multipliers that are not optimal", 3, lambda r: _rough(r, ((2, 2), (1, 1), (2, 2)))),
        Property(
            "also does so if one class has more support vectors",
            2,
            lambda r: _rough(r, ((1, 3), (4, 2))),
            hint="Your answer fails only if the classes have different numbers of support vectors. Return b as the mean of y - u over "
            "all support vectors.",
        ),
    ),
    promises=(
        Promise("have no right number near 0, and no width near 1", lambda *args: (
            np.abs(margin_report(*args)).min() >= 0.02 and abs(margin_report(*args)[1] - 1) >= 0.1), of=(0, 1)),
        Promise("have unlike numbers of support vectors", lambda K, y, a: y[a > 0].sum() != 0, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            _CLASSES,
            _reported(bias=_by_classes),
            "You compute b as the mean of two class means. Return one mean over all support vectors.",
            f"Read “{_HAND}” again: the docstring says which mean to take.",
            _K + "print(ask(0.2, 0.2, 0.3)[0])   # should print -4.7, the mean of -5, -6.1, -3",
        ),
        Misconception(
            "half width",
            _reported(width=lambda norm2: 1 / np.sqrt(norm2)),
            "You return the distance from the plane to one margin line as the width. The full width is twice as large, 2/‖w‖.",
            "Read “The primal: the largest margin” again: the width in (3).",
            _K + "print(ask(0.25, 0, 0.25)[1]**2)   # should print 8, the squared distance from (1, 1) to (3, 3)",
        ),
        Misconception(
            "width by the squared norm",
            _reported(width=lambda norm2: 2 / norm2),
            "You divide by ‖w‖² in the width. Take the square root, because the width is 2/‖w‖.",
            "Read “The primal: the largest margin” again: the width in (3).",
            _K + "print(ask(0.25, 0, 0.25)[1] / ask(0.5, 0, 0.5)[1])   # should print 2: twice the α gives twice the w",
        ),
        Misconception(
            "labels forgotten in the norm",
            _reported(norm2=lambda K, y, alpha: alpha @ K @ alpha),
            "You leave out the labels in ‖w‖². It is Σ_ij α_i α_j y_i y_j K_ij.",
            f"Read “{_DUAL}” again: the double sum of (7) is ‖w‖².",
            _K + "print(ask(0.25, 0, 0.25)[1]**2, '= 8, from (1, 1) to (3, 3)')",
        ),
        Misconception(
            "Σα for the squared norm",
            _reported(norm2=lambda K, y, alpha: alpha.sum()),
            "You use Σα in place of ‖w‖². They agree only at the optimum. Compute ‖w‖² as the double sum.",
            f"Read “{_DUAL}” again: the double sum of (7) is ‖w‖².",
            _K + "print(ask(1.0, 0, 1.0)[1]**2)   # should print 0.5: w is (2, 2)",
        ),
        Misconception(
            "b from all points",
            _reported(bias=lambda y, u, alpha: np.mean(y - u)),
            "You average over all points to get b. Only points with α > 0 have y f(x) = 1, so average over those.",
            f"Read “{_HAND}” again: b comes from the support vectors.",
            _K + "print(ask(0.25, 0, 0.25)[0])   # should print -2",
        ),
        Misconception(
            "wᵀx + b = 1 for each support vector",
            _reported(bias=lambda y, u, alpha: np.mean((1 - u)[alpha > 0])),
            "You set f(x) = 1 at every support vector to get b. At those of class -1 it is -1, so use y instead of 1.",
            f"Read “{_HAND}” again: the equation for b contains the label.",
            _K + "print(ask(0.25, 0, 0.25)[3])   # should print 1: the support vectors are nearest",
        ),
        Misconception(
            "labels forgotten in the balance",
            _reported(balance=lambda alpha, y: np.sum(alpha)),
            "You return Σα_i as the balance. The labels are missing. Return Σα_i y_i.",
            "Read “Forces in equilibrium” again: (6) contains the labels.",
            _K + "print(ask(0.25, 0, 0.25)[2])   # should print 0, as (6) requires",
        ),
        Misconception(
            "labels forgotten in closest",
            _reported(closest=lambda f, y: np.min(f)),
            "You return the minimum of f(x) as `closest`, which belongs to a point of class -1. Return the minimum of y f(x).",
            "Read “The canonical form of a plane” again: the nearest point has y f(x) = 1.",
            _K + "print(ask(0.25, 0, 0.25)[3] > 0)   # should print True: all points are on their correct side",
        ),
        Misconception(
            "closest among the support vectors alone",
            _least_of_support,
            "You take `closest` over the support vectors only. Every point has a constraint that it can violate, so use all points.",
            f"Read “{_LINES}” again: the first condition holds for all points.",
            _K + "y = np.array([1, -1, -1])\nprint(ask(0.25, 0, 0.25)[3])   # should print -1.5: the second point is on the wrong side",
        ),
        Misconception(
            "slackness without the one",
            _reported(slack=lambda alpha, m: np.max(np.abs(alpha * m))),
            "You multiply α_i by y_i f(x_i) in the slackness. Multiply by y_i f(x_i) - 1, because the constraint is y f(x) - 1 ≥ 0.",
            f"Read “{_LINES}” again: complementary slackness contains - 1.",
            _K + "print(ask(0.25, 0, 0.25)[4])   # should print 0 at the optimum",
        ),
        Misconception(
            "b left out of f",
            _reported(shift=False),
            "You compute y f(x) without b. Add the b that you return to f.",
            f"Read “{_DUAL}” again: f contains b.",
            _K + "print(ask(0.25, 0, 0.25)[3])   # should print 1 with b included",
        ),
    ),
    observations=(
        Observation(
            "Only your b is wrong. The other four numbers are right, or follow from this b as they should.",
            _b_alone_is_wrong,
            early=True,
        ),
    ),
    step=f"Read “{_HAND}” again: it computes these numbers step by step.",
    experiment=_K + "print(ask(0.2, 0.2, 0.3))   # should print -4.7, 1.407, 0.1, 1.3, 0.51",
    sizes=lambda K, y, alpha: {"n": len(y), "number of support vectors": int(np.sum(alpha > 0))},
    parts=("b", "width", "balance", "closest", "slackness"),
    view=_with_its_own_b,
)  # fmt: skip
