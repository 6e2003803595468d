"""Exercises 5.3, 5.4 and 5.7: from multipliers to the plane, the value of the dual, and a report on both."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch05_margin.common import CHAPTER, USE, flat, known_problem, pair, right_w_wrong_b
from kcourse.checks.spec import Exercise, Misconception, Promise, Property, attempts

__all__ = ["DUAL_VALUE", "MARGIN_REPORT", "RECOVER_W_B"]

_LINES = "A price for every point"
_DUAL = "The dual"
_HAND = "Three points by hand"


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
        Property("finds the plane of the multipliers", 3, lambda r: _solved(r, _CLEAN)),
        Property(
            "does so where a multiplier that should be 0 came as 1e-17",
            1,
            lambda r: _solved(r, _DUSTY, dust=3e-17),
            hint="Your answer fails only when multipliers that should be 0 are 1e-17, as solvers return them. Take for support vectors "
            "those that are large against rounding.",
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
            "You take wᵀx + b for 1 at every support vector; at those of class -1 it is -1.",
            f"Read “{_HAND}” again: b comes from y_n(wᵀx_n + b) = 1, with the label.",
            _R + "print(y * (X @ w + b))   # at the support vectors it should be 1: 1, 1.5, 1",
        ),
        Misconception(
            "first support vector taken for positive",
            _first_taken_for_positive,
            "You take b from the first support vector, as if it were of class +1; where it is not, b is off by 2.",
            f"Read “{_HAND}” again: b comes from y_n(wᵀx_n + b) = 1, with the label.",
            _R + "print(recover_w_b(alpha[::-1], X[::-1], y[::-1])[1], b)   # the same points in another order: should be equal",
        ),
        Misconception(
            "wᵀx added to the label",
            lambda alpha, X, y: _plane(alpha, X, y, bias=lambda y, u: y + u),
            "You compute b = y + wᵀx; from wᵀx + b = y it is y - wᵀx.",
            f"Read “{_HAND}” again: solve for b.",
            _R + "print(b)   # 1 - (3 + 3)/2 from the first point, -1 - (1 + 1)/2 from the third: should print -2 from both",
        ),
        Misconception(
            "b summed over the support vectors",
            _summed,
            "You add up y - wᵀx over the support vectors; each of them gives b by itself, so take their mean, or any one.",
            f"Read “{_HAND}” again: b from either of two points.",
            _R + "print(b, 'should print -2, which each of the two support vectors gives')",
        ),
        Misconception(
            "b from all points",
            lambda alpha, X, y: _plane(alpha, X, y, who=lambda a: a > -1),
            "You average y - wᵀx over all points; only at support vectors is y f(x) equal to 1.",
            f"Read “{_HAND}” again: what slackness says where α = 0.",
            _R + "print(b, 'should print -2, whatever the second point does')",
        ),
        Misconception(
            "labels forgotten in w",
            lambda alpha, X, y: _plane(alpha, X, y, weigh=lambda alpha, y: alpha),
            "The labels are missing in w = Σ α_i y_i x_i: you add the points of both classes.",
            f"Read “{_LINES}” again: stationarity in w, (5).",
            _R + "print(w)   # from the negative to the positive: 2/4, 2/4",
        ),
        Misconception(
            "b with the other sign",
            lambda alpha, X, y: _plane(alpha, X, y) * np.append(np.ones(X.shape[1]), -1.0),
            "b has the other sign: wᵀx + b = y gives b = y - wᵀx.",
            f"Read “{_HAND}” again: solve for b.",
            _R + "print(X[0] @ w + b)   # a support vector of class +1: should print 1",
        ),
        Misconception(
            "no b",
            lambda alpha, X, y: np.append((alpha * y) @ X, 0.0),
            "Your b is 0: the plane goes through the origin.",
            f"Read “{_HAND}” again: slackness at a support vector gives b.",
            _R + "print(b)   # 1 - (3 + 3)/2 at the first point: should print -2",
        ),
        Misconception(
            "label beside w alone",
            lambda alpha, X, y: _plane(alpha, X, y, bias=lambda y, u: 1 - y * u),
            "You solve y wᵀx + b = 1; the label belongs to the whole bracket, y(wᵀx + b) = 1.",
            f"Read “{_HAND}” again: the bracket in y_n(wᵀx_n + b) = 1.",
            _R + "print(X[2] @ w + b)   # a support vector of class -1: should print -1",
        ),
        Misconception(
            "half way between the means",
            _between_the_means,
            "You put the plane half way between the means of the classes; it lies half way between their support vectors.",
            f"Read “{_HAND}” again: b comes from the support vectors alone.",
            _R + "print(b)   # the second point supports nothing and must not matter: -2",
        ),
        Misconception(
            "multipliers that sum to one",
            lambda alpha, X, y: _plane(alpha / alpha.sum(), X, y),
            "You divide the multipliers by their sum. They are no weights of a mean: Σα = ‖w‖² carries the scale.",
            f"Read “{_LINES}” again: (5) takes the multipliers as they are.",
            _R + "print(w @ w, alpha.sum())   # at the optimum the two should be equal",
        ),
    ),
    observations=(right_w_wrong_b("recover_w_b", recover_w_b),),
    step=f"Read “{_HAND}” again: w is a sum over the support vectors, and each of them gives b.",
    experiment=USE + "X = np.array([[0.0, 2], [4, 2], [1, 0]]); y = np.array([1, 1, -1])   # the board of “Forces in equilibrium”\n"
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
            "The ½ before the double sum is missing.",
            f"Read “{_DUAL}” again: (7) inherits the ½ of ½‖w‖².",
            _V + "print(D(1.0, 0.0))   # 1 - 2/2: should print 0",
        ),
        Misconception(
            "half before both terms",
            lambda alpha, K, y: 0.5 * float(alpha.sum() - (alpha * y) @ K @ (alpha * y)),
            "The ½ stands before both terms; it belongs to the double sum alone.",
            f"Read “{_DUAL}” again: (7) has no factor before Σα_i.",
            _V + "print(D(0.01, 0.0) / 0.01)   # for small α hardly more than the linear term: should print 0.99",
        ),
        Misconception(
            "label of one point only",
            lambda alpha, K, y: float(alpha.sum() - 0.5 * (alpha * y) @ K @ alpha),
            "One of the two labels is missing in the double sum: y_i and y_j both belong to it.",
            f"Read “{_DUAL}” again: y_i y_j in (7).",
            _V + "print(D(1.0, 1.0), D(0.0, 1.0))   # should print 0.5, -0.5",
        ),
        Misconception(
            "labels forgotten",
            lambda alpha, K, y: _dual(alpha, K, y, labels=False),
            "The labels are missing in the double sum.",
            f"Read “{_DUAL}” again: y_i y_j in (7).",
            _V + "print(D(1.0, 1.0))   # 2 - (2 - 1 - 1 + 3)/2: should print 0.5",
        ),
        Misconception(
            "sign turned round",
            lambda alpha, K, y: -_dual(alpha, K, y),
            "You return minus the dual, which a minimiser wants; asked is the value itself.",
            f"Read “{_DUAL}” again: (7) is to be made large.",
            _V + "print(D(0.1, 0.0) > 0)   # for small α the linear term wins: should print True",
        ),
        Misconception(
            "no linear term",
            lambda alpha, K, y: _dual(alpha, K, y, first=0.0),
            "The term Σα_i is missing.",
            f"Read “{_DUAL}” again: (7) has two terms.",
            _V + "print(D(0.5, 0.0))   # 0.5 - 0.25: should print 0.25",
        ),
        Misconception(
            "labels in the linear term",
            lambda alpha, K, y: float((alpha * y).sum() - 0.5 * (alpha * y) @ K @ (alpha * y)),
            "Your linear term is Σα_i y_i, which is 0 for every feasible α; it is Σα_i.",
            f"Read “{_DUAL}” again: where the linear term comes from, the 1 of each constraint.",
            _V + "print(D(0.0, 0.1) > 0)   # the linear term of class -1 is positive, too: should print True",
        ),
        Misconception(
            "diagonal only",
            lambda alpha, K, y: float(alpha.sum() - 0.5 * alpha**2 @ np.diag(K)),
            "Only the terms i = j are there; the double sum runs over all pairs.",
            f"Read “{_DUAL}” again: two indices in (7).",
            _V + "print(D(1.0, 1.0) - D(1.0, 0.0) - D(0.0, 1.0))   # what the pair adds, -α₁α₂y₁y₂k: should print 1",
        ),
        Misconception(
            "diagonal left out",
            lambda alpha, K, y: float(_dual(alpha, K, y) + 0.5 * alpha**2 @ np.diag(K)),
            "The terms i = j are missing: the double sum runs over all pairs, each point with itself included.",
            f"Read “{_DUAL}” again: both indices in (7) run from 1 to n.",
            _V + "print(D(1.0, 0.0), 'should print 0: one point alone has the term with itself')",
        ),
        Misconception(
            "both factors on the columns",
            lambda alpha, K, y: float(alpha.sum() - 0.5 * np.sum(alpha * y * K * alpha * y)),
            "You multiply K by α y twice with `*`: both times it is the columns that are weighted, and never the rows.",
            f"Read “{_DUAL}” again: i for the rows, j for the columns; a product with @ does it.",
            _V + "print(D(1.0, 1.0), 'should print 0.5, which is 2 - (2 - 1 - 1 + 3)/2')",
        ),
        Misconception(
            "root of the double sum",
            lambda alpha, K, y: float(alpha.sum() - 0.5 * np.sqrt((alpha * y) @ K @ (alpha * y))),
            "You subtract ‖w‖/2; the double sum is ‖w‖² already, without a root.",
            f"Read “{_DUAL}” again: (7) inherits ½‖w‖².",
            _V + "print(D(2.0, 0.0))   # 2 - 8/2: should print -2",
        ),
        Misconception(
            "each pair once",
            lambda alpha, K, y: float(alpha.sum() - 0.5 * np.sum(np.triu(np.outer(alpha * y, alpha * y) * K))),
            "You count each pair i ≠ j once; the double sum has it twice, and the ½ is for that.",
            f"Read “{_DUAL}” again: both sums in (7) run over all points.",
            _V + "print(D(0.5, 0.5) - D(0.5, 0.0) - D(0.0, 0.5))   # what the pair adds: should print 0.25",
        ),
        Misconception(
            "quadratic term added",
            lambda alpha, K, y: _dual(alpha, K, y, half=-0.5),
            "You add the quadratic term; it is subtracted, or the dual would have no maximum.",
            f"Read “{_DUAL}” again: the sign of the second term in (7).",
            _V + "print(D(10.0, 10.0) < 0)   # for large α the quadratic term wins: should print True",
        ),
        Misconception(
            "squared norm for the double sum",
            lambda alpha, K, y: float(alpha.sum() - 0.5 * np.sum((K @ (alpha * y)) ** 2)),
            "You take the squared length of Kv; with v_i = α_i y_i it is vᵀKv.",
            f"Read “{_DUAL}” again: ‖w‖² is a double sum with K once.",
            _V + "print(D(2.0, 0.0) - 2 * D(1.0, 0.0))   # -½·2·(4 - 2): should print -2",
        ),
    ),
    step=f"Read “{_DUAL}” again: equation (7).",
    experiment=_V + "print(D(1.0, 0.0), D(0.0, 1.0), D(1.0, 1.0))   # should print 0, -0.5 and 0.5",
    sizes=lambda alpha, K, y: {"n": len(y)},
)  # fmt: skip


# -- 5.7


def margin_report(K, y, alpha):
    """b, width, Σα_i y_i, least y f, largest |α_i (y_i f_i - 1)|."""
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
            y[np.flatnonzero(alpha == 0)[0]] *= -1  # a point that supports nothing comes to lie on the wrong side
            found.append((K, y, alpha))
        if _telling(found):
            return found


def _telling(found):
    """Whether each mistake gives something of its own on one of these inputs, and no right number is near 0."""
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
        Property("reports on multipliers that are not quite optimal", 3, lambda r: _rough(r, ((2, 2), (1, 1), (2, 2)))),
        Property(
            "also where one class has more support vectors",
            2,
            lambda r: _rough(r, ((1, 3), (4, 2))),
            hint="Your answer fails only when the classes have different numbers of support vectors. The b asked for is one mean over "
            "all of them, whatever their class.",
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
            "Your b is half way between the means of the two classes; asked is one mean over all support vectors, each counting once.",
            f"Read “{_HAND}” again, and the docstring: which mean is meant.",
            _K + "print(ask(0.2, 0.2, 0.3)[0])   # the mean of y - u, -5, -6.1, -3: should print -4.7",
        ),
        Misconception(
            "half width",
            _reported(width=lambda norm2: 1 / np.sqrt(norm2)),
            "Your width is the distance from the plane to one edge, half of what is asked for.",
            "Read “The widest strip” again: the width in (3).",
            _K + "print(ask(0.25, 0, 0.25)[1]**2)   # the squared distance from (1, 1) to (3, 3): should print 8",
        ),
        Misconception(
            "width by the squared norm",
            _reported(width=lambda norm2: 2 / norm2),
            "Your width divides by ‖w‖²: the root is missing.",
            "Read “The widest strip” again: the width in (3).",
            _K + "print(ask(0.25, 0, 0.25)[1] / ask(0.5, 0, 0.5)[1])   # twice the α is twice the w: should print 2",
        ),
        Misconception(
            "labels forgotten in the norm",
            _reported(norm2=lambda K, y, alpha: alpha @ K @ alpha),
            "The labels are missing in ‖w‖² = Σ_ij α_i α_j y_i y_j K_ij.",
            f"Read “{_DUAL}” again: the double sum of (7) is ‖w‖².",
            _K + "print(ask(0.25, 0, 0.25)[1]**2, 'should print 8: from (1, 1) to (3, 3)')",
        ),
        Misconception(
            "Σα for the squared norm",
            _reported(norm2=lambda K, y, alpha: alpha.sum()),
            "You take Σα for ‖w‖². The two agree at the optimum alone, and whether this is one is the question.",
            f"Read “{_DUAL}” again: what holds at the optimum, and why.",
            _K + "print(ask(1.0, 0, 1.0)[1]**2)   # w is (2, 2): should print 4/8",
        ),
        Misconception(
            "b from all points",
            _reported(bias=lambda y, u, alpha: np.mean(y - u)),
            "Your b is a mean over all points; only where α > 0 is y f(x) equal to 1.",
            f"Read “{_HAND}” again: b comes from the support vectors.",
            _K + "print(ask(0.25, 0, 0.25)[0])   # should print -2",
        ),
        Misconception(
            "wᵀx + b = 1 for each support vector",
            _reported(bias=lambda y, u, alpha: np.mean((1 - u)[alpha > 0])),
            "Your b takes f(x) for 1 at every support vector; at those of class -1 it is -1.",
            f"Read “{_HAND}” again: y_n(wᵀx_n + b) = 1, with the label.",
            _K + "print(ask(0.25, 0, 0.25)[3])   # the support vectors are nearest, with y f = 1",
        ),
        Misconception(
            "labels forgotten in the balance",
            _reported(balance=lambda alpha, y: np.sum(alpha)),
            "Your balance is Σα_i: the labels are missing, which make the two sides pull against each other.",
            "Read “Forces in equilibrium” again: (6).",
            _K + "print(ask(0.25, 0, 0.25)[2])   # in equilibrium: should print 0",
        ),
        Misconception(
            "balance without its sign",
            _reported(balance=lambda alpha, y: np.abs(np.sum(alpha * y))),
            "Your balance has lost its sign, which says which class pulls harder.",
            "Read “Forces in equilibrium” again, and the docstring: Σ α_i y_i as it is.",
            _K + "print(ask(0.25, 0, 0.5)[2])   # the negative class pulls harder: should print -0.25",
        ),
        Misconception(
            "labels forgotten in the least margin",
            _reported(closest=lambda f, y: np.min(f)),
            "You report the least f(x), a point far on the negative side; asked is the least y f(x).",
            "Read “A scale that is free” again: which product is 1 at the nearest point.",
            _K + "print(ask(0.25, 0, 0.25)[3] > 0)   # all are on their right side: should print True",
        ),
        Misconception(
            "distance to the plane for y f",
            _reported(closest=lambda f, y: np.min(np.abs(f))),
            "You report the least |f(x)|, which cannot show that a point is on the wrong side.",
            "Read “A scale that is free” again: right means y f(x) > 0.",
            _K + "y = np.array([1, -1, -1])\nprint(ask(0.3, 0.1, 0.1)[3] < 0)   # one point is on the wrong side: should print True",
        ),
        Misconception(
            "least margin of the support vectors alone",
            _least_of_support,
            "Your least y f(x) is that of the support vectors; every point has its constraint, and the others may break theirs.",
            f"Read “{_LINES}” again: the first row of the table of conditions is about all points.",
            _K + "y = np.array([1, -1, -1])\nprint(ask(0.25, 0, 0.25)[3])   # the second point supports nothing and is wrong: -1.5",
        ),
        Misconception(
            "slackness with its sign",
            _reported(slack=lambda alpha, m: np.max(alpha * (m - 1))),
            "Your slackness is the largest product with its sign; a product far below 0 is as far from 0.",
            f"Read “{_LINES}” again, and the docstring: the largest absolute value.",
            _K + "print(ask(0.1, 0, 0.1)[4])   # w (0.2, 0.2), b = -0.8, both y f = 0.4: should print 0.06",
        ),
        Misconception(
            "sum for the largest slackness",
            _reported(slack=lambda alpha, m: np.sum(np.abs(alpha * (m - 1)))),
            "You add up the products of all points; asked is the largest.",
            "Read “A price for every point” again, and the docstring: which number is meant.",
            _K + "print(ask(0.5, 0, 0.5)[4])   # w (1, 1), b = -4: each product is 0.5·(2 - 1), the largest 0.5",
        ),
        Misconception(
            "slackness without the one",
            _reported(slack=lambda alpha, m: np.max(np.abs(alpha * m))),
            "Your products are α_i y_i f(x_i); the constraint is y f(x) - 1 ≥ 0, and it is its slack that is multiplied.",
            f"Read “{_LINES}” again: slackness, with its - 1.",
            _K + "print(ask(0.25, 0, 0.25)[4])   # at the optimum nothing is left: should print 0",
        ),
        Misconception(
            "b left out of f",
            _reported(shift=False),
            "Your y f(x) comes without b: b is right, and then not used.",
            f"Read “{_DUAL}” again: f(x) = Σ α_i y_i k(x_i, x) + b.",
            _K + "print(ask(0.25, 0, 0.25)[3])   # y f at the nearest points, b included: should print 1",
        ),
    ),
    step=f"Read “{_HAND}” again: each of the five numbers is a line there; K and α are all that is needed.",
    experiment=_K + "print(ask(0.2, 0.2, 0.3))   # w is (1.1, 0.9): should print -4.7, 1.407, 0.1, 1.3, 0.51",
    sizes=lambda K, y, alpha: {"n": len(y), "number of support vectors": int(np.sum(alpha > 0))},
    parts=("b", "width", "balance", "closest", "slackness"),
)  # fmt: skip
