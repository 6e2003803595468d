"""Exercises 6.2 and 6.4: the bias from the multipliers, and one step of SMO."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch06_svm.common import CHAPTER, USE, gram, led_by, solved
from kcourse.checks.spec import Exercise, Misconception, Observation, Promise, Property, attempts, telling

__all__ = ["BIAS_FROM_ALPHA", "SMO_PAIR"]

_BIAS = "The bias: one value or an interval"
_PAIRS = "SMO: two multipliers at a time"
_CASES = "The Lagrangian: two multipliers for each point"


# -- 6.2


def bias_from_alpha(alpha, K, y, C):
    """Mean of y_i - Σ_j α_j y_j K_ij over the free support vectors."""
    return _bias(alpha, K, y, C)


def _free(alpha, y, C):
    """0 < α < C, up to rounding."""
    return (alpha > 1e-8 * C) & (alpha < C * (1 - 1e-8))


def _bias(alpha, K, y, C, *, who=_free, each=lambda y, u: y - u, collect=np.mean, labels=True):
    u = K @ (alpha * y if labels else alpha)
    return float(collect(each(y, u)[who(alpha, y, C)]))


def _biased(**how):
    return lambda alpha, K, y, C: _bias(alpha, K, y, C, **how)


def _among_the_free(alpha, K, y, C):
    free = _free(alpha, y, C)
    return _bias(np.where(free, alpha, 0.0), K, y, C)


def _machines(rng, sizes, dust=False, only=(0, 0, 0)):
    """Solutions on which no two mistakes agree, with free support vectors of both classes, or of one ``only``."""
    for _ in attempts("bias_from_alpha"):
        found = [_finished(rng, *how) for how in zip(sizes, only, strict=False)]
        if telling(found, bias_from_alpha, [mistake.wrong for mistake in BIAS_FROM_ALPHA.misconceptions]):
            return [(_dusty(rng, a, C), K, y, C) for a, K, y, C in found] if dust else found


def _finished(rng, n, only=0):
    """α, K, y, C of a solution whose first support vector is bound, with free ones of both classes, or of one ``only``.

    The median over all support vectors is also b: by Σαy = 0 the bound ones of one class cannot outnumber the rest. The
    medians over all points and over those that are not bound differ from b.
    """
    for _ in attempts("bias_from_alpha"):
        _, K = gram(rng, n)
        # one of the other class to three, and a small C: the few end at the bound
        y = rng.permutation(np.resize(only * np.array([1.0, 1, 1, -1]) if only else [1.0, -1.0, 1.0], n))
        C = float(rng.uniform(0.3, 0.8) if only else rng.choice([rng.uniform(0.3, 0.8), rng.uniform(1.4, 2.2)]))
        alpha, b = solved(K, y, C)
        free, bound = (alpha > 0.05 * C) & (alpha < 0.95 * C), alpha == C
        clear = np.all(free | bound | (alpha == 0))
        each = y - K @ (alpha * y)
        right = abs(b) > 0.05 and np.allclose(each[free], b, atol=1e-10)
        classes = {only} if only else {-1, 1}
        if not (clear and right and free.sum() >= 2 and bound.any() and set(y[free]) == classes):
            continue
        if all(abs(np.median(each[group]) - b) > 1e-3 for group in (alpha >= 0, ~bound)):
            order = led_by(bound, alpha)
            return alpha[order], K[np.ix_(order, order)], y[order], C


def _dusty(rng, alpha, C):
    """Multipliers as a solver leaves them: 1e-17 for 0, and the number below C for C."""
    alpha = np.where(alpha == 0, rng.uniform(1, 3, len(alpha)) * 1e-17, alpha)
    return np.where(alpha == C, C * (1 - 4.4e-16), alpha)


_F = USE + "K = np.outer([0.0, 1, 2, 3], [0, 1, 2, 3]); y = np.array([-1.0, -1, 1, 1]); alpha = np.array([1, 9, 9, 1]) / 18\n" \
    "def b(shift=0.0, s=1):   # the chapter's four points, C = 1/2; K plus a constant gives the same f\n" \
    "    return bias_from_alpha(alpha[::s], K[::s, ::s] + shift, y[::s], 0.5)\n"  # fmt: skip
# six points, C = 0.8: f(x) = x - 1; x = 0 and 2 are free, 1 and 1.2 bound
_G = USE + "x = np.array([-1.5, 0, 1, 2, 3.5, 1.2]); y = np.repeat([-1, 1], 3); alpha = np.array([0, 21, 40, 21, 0, 40]) / 50\n" \
    "def b(*at):   # some of these points, in this order: u = x, C = 0.8\n" \
    "    s = list(at)\n    return np.round(bias_from_alpha(alpha[s], np.outer(x, x)[np.ix_(s, s)], y[s], 0.8), 9)\n"  # fmt: skip
_WHERE = f"Read “{_BIAS}” again"

BIAS_FROM_ALPHA = Exercise(
    name="bias_from_alpha",
    chapter=CHAPTER,
    number="6.2",
    returns="the bias, one number",
    reference=bias_from_alpha,
    properties=(
        Property("is the bias from the free support vectors", 1, lambda r: _machines(r, (8, 10, 9))),
        Property(
            "is also right if the multipliers have rounding errors",
            1,
            lambda r: _machines(r, (9, 8), dust=True),
            hint="Your answer fails only if a multiplier that should be 0 is 1e-17, or one that should be C is slightly smaller, as "
            "solvers return them. Use a tolerance at both bounds, such as 1e-8 * C.",
        ),
        Property(
            "is also right if all free support vectors are of one class",
            1,
            lambda r: _machines(r, (8, 9), only=(-1, 1)),
            hint="Your answer fails only if all free support vectors are of one class. Each of them gives b, whatever its label. Average "
            "over all of them.",
        ),
    ),
    promises=(
        Promise("have free support vectors that agree, and a bound one first", lambda alpha, K, y, C: (
            np.ptp((y - K @ (alpha * y))[_free(alpha, y, C)]) < 1e-9 and _free(alpha, y, C).sum() > 1
            and alpha[alpha > 1e-9][0] > C * (1 - 1e-9))),
        Promise("have b away from 0", lambda *args: abs(bias_from_alpha(*args)) > 0.05),
        Promise("have free ones of both classes", lambda alpha, K, y, C: len(set(y[_free(alpha, y, C)])) == 2, of=(0, 1)),
        Promise("have free ones of one class, and of the other", lambda found: (
            [set(y[_free(alpha, y, C)]) for alpha, K, y, C in found] == [{-1}, {1}]), (2,), together=True),
        Promise("have no multiplier exactly at a bound", lambda alpha, K, y, C: (
            0 < alpha.min() < 1e-16 and C * (1 - 1e-15) < alpha.max() < C), of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "all support vectors",
            _biased(who=lambda alpha, y, C: alpha > 0),
            "You average over all points with α > 0. Bound ones may not have y f = 1, and rounding leaves zeros at 1e-17. Use "
            "1e-8·C < α < C - 1e-8·C.",
            f"{_WHERE}: only free support vectors give b.",
            _G + "print(b(0, 1, 2, 3, 4, 5))   # should print -1: x = 0 and x = 2 are free",
        ),
        Misconception(
            "bound ones alone",
            _biased(who=lambda alpha, y, C: alpha >= C * (1 - 1e-8)),
            "You average over the bound support vectors, with α = C. They only satisfy y f ≤ 1. Use the free ones, 0 < α < C.",
            f"Read “{_CASES}” again, step 4: only one case has y f = 1.",
            _G + "print(b(0, 1, 2, 3, 4, 5), '= -1: x = 1 and 1.2 are bound')",
        ),
        Misconception(
            "sign reversed",
            _biased(each=lambda y, u: u - y),
            "You return -b. At a free support vector u + b = y, so b = y - u.",
            f"{_WHERE}: solve the equation for b.",
            _F + "print(2 / 3 * 3 + b())   # should print 1: the last point is free, of class +1",
        ),
        Misconception(
            "1 for the label",
            _biased(each=lambda y, u: 1.0 - u),
            "You set f = 1 at every free support vector. At those of class -1 it is -1, so use b = y - u.",
            f"{_WHERE}: the equation contains the label.",
            _F + "print(0.0 + b())   # should print -1: the first point is free, of class -1",
        ),
        Misconception(
            "label beside u alone",
            _biased(each=lambda y, u: 1.0 - y * u),
            "You solve y u + b = 1. The label multiplies the whole sum, y(u + b) = 1, so b = y - u.",
            f"{_WHERE}: the label multiplies f with its b.",
            _F + "print(b(s=1), b(s=-1))   # should print -1 -1: only the order differs",
        ),
        Misconception(
            "all points",
            _biased(who=lambda alpha, y, C: alpha > -1),
            "You average over all points. Only those with 0 < α < C are certain to have y f = 1, so use those.",
            f"Read “{_CASES}” again, step 4: only one case has y f = 1.",
            _G + "print(b(0, 1, 2, 3, 4, 5), b(1, 2, 3, 5))   # should print -1 -1: the second call omits α = 0",
        ),
        Misconception(
            "zeros counted as free",
            _biased(who=lambda alpha, y, C: alpha < C * (1 - 1e-8)),
            "You include points with α = 0. They may lie anywhere outside the margin. Use only 0 < α < C.",
            f"Read “{_CASES}” again, step 4: free means 0 < α < C.",
            _G + "print(b(0, 1, 2, 3, 5), '= -1: the first point has α = 0')",
        ),
        Misconception(
            "labels forgotten in the sum",
            _biased(labels=False),
            "You leave out the labels in u. It is u_i = Σ_j α_j y_j K_ij, so multiply α by y.",
            f"{_WHERE}: the sum contains α_j and y_j.",
            _F + "print(b() - b(shift=1.0))   # should print 0: Σαy = 0 cancels a constant in the kernel",
        ),
        Misconception(
            "sum for mean",
            _biased(collect=np.sum),
            "You sum y - u over the free support vectors. Each of them gives b, so take the mean.",
            f"{_WHERE}: all free support vectors give the same b.",
            _F + "print(b(s=-1), '= -1 from each of two free support vectors')",
        ),
        Misconception(
            "labels left out",
            _biased(each=lambda y, u: -u),
            "You average -u. At a free support vector u + b = y, so average y - u.",
            f"{_WHERE}: y_i f(x_i) = 1 means f(x_i) = y_i.",
            USE + "x = np.array([0.0, 0, 2]); y = np.array([-1, -1, 1]); alpha = np.array([1, 1, 2]) / 4   # f(x) = x + b, all three free\n"
            "print(bias_from_alpha(alpha, np.outer(x, x), y, 1.0))   # should print -1: f is the label at each",
        ),
        Misconception(
            "first support vector",
            _biased(who=lambda alpha, y, C: np.arange(len(y)) == np.argmax(alpha > 1e-8 * C)),
            "You take b from one support vector, the first or the largest. It is bound here, so y f may not be 1. Use the free ones.",
            f"{_WHERE}: only free support vectors give b.",
            _G + "print(b(2, 0, 1, 3, 4, 5))   # should print -1, also with a bound one first",
        ),
        Misconception(
            "sum over the free support vectors alone",
            _among_the_free,
            "You sum α_j y_j K_ij over free support vectors only. All support vectors enter f. Only the mean is over free ones.",
            f"{_WHERE}: the sum over j contains all support vectors.",
            _G + "print(b(0, 1, 2, 3, 4, 5), '= -1: f = x + b contains all four support vectors')",
        ),
    ),
    step=f"{_WHERE}: average b = y_i - Σ_j α_j y_j K_ij over all free i.",
    experiment=_F + "print(b())   # should print -1, for the chapter's four points",
    sizes=lambda alpha, K, y, C: {"n": len(y), "C": C},
)  # fmt: skip


# -- 6.4


def smo_pair(K, y, alpha, b, C, i, j):
    """α_j + y_j (E_i - E_j)/η, clipped to [L, H], and α_i so that Σ α y is constant; unchanged if η ≤ 0."""
    if K[i, i] + K[j, j] - 2 * K[i, j] <= 0:
        return np.array(alpha, dtype=float)
    return _pair(K, y, alpha, b, C, i, j)


def _segment(a_i, a_j, C, same):
    return (max(0.0, a_i + a_j - C), min(C, a_i + a_j)) if same else (max(0.0, a_j - a_i), min(C, C + a_j - a_i))


def _pair(
    K, y, alpha, b, C, i, j, *, sign=1.0, labels=True, target=True, curve=-2.0, divide=True, signed=True,
    segment=_segment, partner="kept",
):  # fmt: skip
    if K[i, i] + K[j, j] - 2 * K[i, j] <= 0:
        raise ArithmeticError("a mistake cannot be recognised here")
    E = K @ (alpha * y if labels else alpha) + b - target * y
    eta = K[i, i] + K[j, j] + curve * K[i, j] if divide else 1.0
    direction = y[j] if signed else 1.0
    top = alpha[j] + sign * direction * (E[i] - E[j]) / eta
    low, high = segment(alpha[i], alpha[j], C, y[i] == y[j])
    out = np.array(alpha, dtype=float)
    out[j] = min(max(top, low), high)
    gone = alpha[j] - (top if partner == "top" else out[j])
    if partner != "left":
        out[i] += gone if partner == "no labels" else gone * y[i] * y[j]
    return out


def _mistake(**how):
    return lambda K, y, alpha, b, C, i, j: _pair(K, y, alpha, b, C, i, j, **how)


def _whole(a_i, a_j, C, same):
    return 0.0, C


_INTERVAL = ("not clipped", "α_i by the unclipped step", "clipped to [0, C] alone", "cases of [L, H] exchanged")


def _inside(rng):
    """Pairs of two classes and of one whose steps end inside, on which no two mistakes in the step agree."""
    for _ in attempts("smo_pair"):
        found = [_step_that_ends(rng, k < 2, "inside", 5 + k % 3, rising=k % 2) for k in range(4)]
        shallow = any(K[i, i] + K[j, j] - 2 * K[i, j] < 0.9 for K, *_, i, j in found)  # η ≤ 0 is not η ≤ 1
        others = [mistake.wrong for mistake in SMO_PAIR.misconceptions if mistake.name not in _INTERVAL[:3]]
        if shallow and telling(found, smo_pair, others):
            return found


def _everywhere(rng, same):
    """Pairs of one class or of two whose steps end inside and at each of four bounds.

    No two mistakes in [L, H] agree, and no other mistake is right on all of them.
    """
    ends = ("inside", "low", "low for the other", "high", "high for the other")
    for _ in attempts("smo_pair"):
        found = [_step_that_ends(rng, same, end, 5 + k % 3, rising=k % 2) for k, end in enumerate(ends)]
        mistakes = {mistake.name: mistake.wrong for mistake in SMO_PAIR.misconceptions}
        if same:  # the labels cancel
            del mistakes["α_i without the labels"], mistakes["targets forgotten"]
        seen = all(telling(found, smo_pair, [wrong]) for wrong in mistakes.values())
        if seen and telling(found, smo_pair, [mistakes[name] for name in _INTERVAL]):
            return found


def _step_that_ends(rng, same, end, n, rising):
    """A pair of one class or of two whose step ends in this way; the lecture's t is positive, or negative if not rising."""
    for _ in attempts("smo_pair"):
        _, K = gram(rng, n, 3, width=1.4)
        y, C = (
            rng.permutation(np.resize([1.0, -1.0, 1.0, -1.0], n)),
            float(rng.choice([rng.uniform(0.4, 0.8), rng.uniform(1.5, 2.5)])),
        )
        alpha, b = rng.uniform(0.1, 0.9, n) * C, float(rng.normal())
        E = K @ (alpha * y) + b - y
        for i, j in rng.permutation([(i, j) for i in range(n) for j in range(n) if i != j]).tolist():
            if (y[i] == y[j]) == same and (E[j] > E[i]) == rising and _ends_at(K, y, alpha, C, E, i, j, end):
                return K, y, alpha, b, C, i, j


def _ends_at(K, y, alpha, C, E, i, j, end):
    """Whether the step clearly ends there: inside, or at a bound of α_j or of α_i."""
    low, high = _segment(alpha[i], alpha[j], C, y[i] == y[j])
    top, room = alpha[j] + y[j] * (E[i] - E[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), 0.05 * C
    ends = {
        "inside": low + room < top < high - room,
        "low": top < low - room and low == 0,
        "low for the other": top < low - room and low > room,
        "high": top > high + room and high == C,
        "high for the other": top > high + room and high < C - room,
    }
    return ends[end] and min(abs(alpha[j] - low), abs(alpha[j] - high), abs(alpha[j] - top)) > room


def _where_it_ends(K, y, alpha, b, C, i, j):
    """Whether the pair is of one class, and the bound at which its step ends (-1: inside)."""
    low, high = _segment(alpha[i], alpha[j], C, y[i] == y[j])
    return bool(y[i] == y[j]), [low, high].index(end) if (end := smo_pair(K, y, alpha, b, C, i, j)[j]) in (
        low,
        high,
    ) else -1


def _no_curvature(rng):
    """Two equal points, of two classes and of one, and a matrix that is not a Gram matrix."""
    found = []
    for k, n in enumerate((5, 6, 7)):
        _, K = gram(rng, n)
        y, C = np.resize([1.0, -1.0, -1.0], n), float(rng.uniform(0.4, 0.9) if k else rng.uniform(1.5, 2.5))
        i, j = ((0, 1), (2, 1), (0, 2))[k]
        if k < 2:  # equal points
            K[j], K[:, j] = K[i], K[:, i]
            K[j, j] = K[i, j] = K[j, i] = K[i, i]
        else:
            K[i, j] = K[j, i] = 0.5 * (K[i, i] + K[j, j]) + rng.uniform(0.2, 0.5)
        found.append((K, y, rng.uniform(0.2, 0.8, n) * C, float(rng.normal()), C, i, j))
    return found


_S = USE + "K = np.outer([0.0, 1, 2, 3], [0, 1, 2, 3]); y = np.array([-1, -1, 1, 1])   # the chapter's four points\n" \
    "def step(i, j, *alpha, C=0.5):\n    return smo_pair(K, y, np.array(alpha, dtype=float), 0.0, C, i, j)\n"  # fmt: skip
_TWO = f"Read “{_PAIRS}” again"

SMO_PAIR = Exercise(
    name="smo_pair",
    chapter=CHAPTER,
    number="6.4",
    returns="all multipliers after the step, shape (n,)",
    reference=smo_pair,
    properties=(
        Property("takes the best step of a pair", 1, _inside),
        Property(
            "stops at both ends of [L, H] for points of one class",
            1,
            lambda r: _everywhere(r, True),
            hint="Your answer fails only for two points of one class. There α_i + α_j is constant. Find the values of α_j for which both "
            "multipliers are in [0, C].",
        ),
        Property(
            "stops at both ends of [L, H] for points of two classes",
            1,
            lambda r: _everywhere(r, False),
            hint="Your answer fails only for two points of different classes. There α_j - α_i is constant. Find the values of α_j for "
            "which both multipliers are in [0, C].",
        ),
        Property(
            "returns α unchanged if η ≤ 0",
            1,
            _no_curvature,
            hint="Your answer fails only if η ≤ 0, for two equal points or a matrix that is not a Gram matrix. The parabola then has no "
            "maximum, so return α unchanged.",
        ),
    ),
    promises=(
        Promise("end inside", lambda *args: _where_it_ends(*args)[1] == -1),
        Promise("are of one class", lambda *args: _where_it_ends(*args)[0], of=(1,)),
        Promise("are of two classes", lambda *args: not _where_it_ends(*args)[0], of=(2,)),
        Promise("end at either end", lambda found: {_where_it_ends(*args)[1] for args in found} == {-1, 0, 1}, (1, 2), together=True),
        Promise("have η ≤ 0", lambda K, y, a, b, C, i, j: K[i, i] + K[j, j] - 2 * K[i, j] <= 0, of=(3,)),
        Promise("are of two classes and of one", lambda found: (
            {bool(y[i] == y[j]) for _, y, *_, i, j in found} == {True, False}), (0, 3), together=True),
    ),
    misconceptions=(
        Misconception(
            "not clipped",
            _mistake(segment=lambda a_i, a_j, C, same: (-np.inf, np.inf)),
            "You step to the maximum of the parabola without clipping. The multipliers must stay in the box, so clip α_j to [L, H].",
            f"{_TWO}, step 7: t is clipped.",
            _S + "print(step(1, 2, 0, 0, 0, 0))   # should print 0, 1/2, 1/2, 0: the maximum is at 2, C = 1/2",
        ),
        Misconception(
            "wrong sign of the step",
            _mistake(sign=-1.0),
            "You step by y_j (E_j - E_i)/η, which decreases the dual. The step is y_j (E_i - E_j)/η.",
            f"{_TWO}, step 7: E = f - y has the opposite sign of y - f in g.",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=5.0))   # should print 0, 2, 2, 0: E is 1 and -1, η is 1",
        ),
        Misconception(
            "label missing in the step",
            _mistake(signed=False),
            "You leave out the label in the step. α_j changes by y_j (E_i - E_j)/η, which has the other sign for class -1.",
            f"{_TWO}, step 7: α_j changes with its label.",
            _S + "print(step(2, 1, 0, 0, 0, 0))   # should print 0, 1/2, 1/2, 0: j is of class -1",
        ),
        Misconception(
            "α_i unchanged",
            _mistake(partner="left"),
            "You leave α_i unchanged, so Σ α_i y_i changes. Add y_i y_j times the old α_j minus the new one. Keep the old α_j until then.",
            f"{_TWO}: one multiplier alone cannot change.",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=9.0) @ y)   # should print 0, the old Σαy",
        ),
        Misconception(
            "α_i without the labels",
            _mistake(partner="no labels"),
            "You add to α_i what α_j loses. For two classes both increase or both decrease, so multiply this change by y_i y_j.",
            f"{_TWO}, step 7: y_i α_i increases by what y_j α_j loses.",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=1.5))   # should print 0, 1.5, 1.5, 0: two classes increase together",
        ),
        Misconception(
            "α_i by the unclipped step",
            _mistake(partner="top"),
            "You change α_i by the unclipped step. α_j is clipped, so Σ α_i y_i changes. Clip first, then compute α_i.",
            f"{_TWO}, step 7: the same t changes both.",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=0.25))   # should print 0, 1/4, 1/4, 0: both stop at C",
        ),
        Misconception(
            "clipped to [0, C] alone",
            _mistake(segment=_whole),
            "You clip α_j to [0, C], but α_i can then leave this interval. Clip α_j to [L, H], which keeps both inside.",
            f"{_TWO}, step 7: both multipliers stay in the box.",
            _S + "print(step(0, 1, 0.25, 0, 0.25, 0))   # should print 0, 1/4, 1/4, 0: α₀ can only decrease to 0",
        ),
        Misconception(
            "cases of [L, H] exchanged",
            _mistake(segment=lambda a_i, a_j, C, same: _segment(a_i, a_j, C, not same)),
            "You exchange the two cases of [L, H]. Within one class α_i + α_j is constant, with two classes α_j - α_i.",
            f"{_TWO}: y_i α_i + y_j α_j is constant.",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=2.5), step(0, 1, 0.5, 0, 0.5, 0))   # should print 0 2 2 0 and 0 1/2 1/2 0",
        ),
        Misconception(
            "targets forgotten",
            _mistake(target=False),
            "You use E = f. The error is E = f - y, so subtract the labels.",
            f"{_TWO}, step 7: g contains y - f.",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=4.0))   # should print 0, 2, 2, 0: f is 0, E is 1 and -1",
        ),
        Misconception(
            "labels forgotten in f",
            _mistake(labels=False),
            "You leave out the labels in f. It is f_i = Σ_k α_k y_k K_ik + b, so multiply α by y.",
            f"{_TWO}, step 7, and “{_CASES}”: w = Σ α_i y_i φ(x_i).",
            _S + "print(step(3, 0, 0, 0.5, 0.5, 0))   # should print 1/18, 1/2, 1/2, 1/18",
        ),
        Misconception(
            "η with a plus",
            _mistake(curve=2.0),
            "You add 2 k_ij in η. It is a squared distance, k_ii + k_jj - 2 k_ij, so subtract.",
            f"{_TWO}, step 7: η is a squared distance.",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=8.0))   # should print 0, 2, 2, 0: η = 1 + 4 - 4 = 1",
        ),
        Misconception(
            "not divided by η",
            _mistake(divide=False),
            "You step by the slope itself. The maximum of the parabola is at the slope divided by η.",
            f"{_TWO}, step 7: the maximum is at g/η.",
            _S + "print(step(0, 2, 0, 0, 0, 0, C=3.0))   # should print 1/2, 0, 1/2, 0: slope 2, η = 4",
        ),
    ),
    observations=(
        Observation(
            "smo_pair changes Σ α_i y_i. A step must keep this sum constant.",
            lambda value, K, y, alpha, b, C, i, j: value.shape == alpha.shape and abs((value - alpha) @ y) > 1e-6,
            early=True,
        ),
        Observation(
            "smo_pair returns a multiplier outside the box 0 ≤ α ≤ C.",
            lambda value, K, y, alpha, b, C, i, j: value.min() < -1e-6 or value.max() > C + 1e-6,
            early=True,
        ),
    ),
    step=f"{_TWO}, step 7: compute slope and curvature, then clip.",
    experiment=USE + "x = np.array([1.0, 2, 4, 5]); K = np.outer(x, x); y = np.array([-1, -1, 1, 1]); alpha = np.full(4, 0.1)\n"
    "print(smo_pair(K, y, alpha, 0.0, 0.5, 2, 1))   # should print 0.1 0.3 0.3 0.1: g = 0.8, η = 4\n"
    "print(smo_pair(K, y, alpha, 0.0, 0.5, 3, 2))   # should print 0.1 0.1 0.2 0: clipped at t = -0.1",
    sizes=lambda K, y, alpha, b, C, i, j: {"n": len(y), "C": C},
    chained=True,
)  # fmt: skip
