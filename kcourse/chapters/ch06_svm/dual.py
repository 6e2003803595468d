"""Exercises 6.2 and 6.4: the bias that belongs to multipliers, and the best step of a pair."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch06_svm.common import CHAPTER, USE, gram, led_by, solved
from kcourse.checks.spec import Exercise, Misconception, Observation, Promise, Property, attempts, telling

__all__ = ["BIAS_FROM_ALPHA", "SMO_PAIR"]

_BIAS = "One bias, or an interval"
_PAIRS = "Two at a time"
_CASES = "Two multipliers for each point"


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


def _half_way(alpha, K, y, C):
    """Between the nearest points of the two classes, as for the hard margin."""
    u = K @ (alpha * y)
    return float(-0.5 * (u[y > 0].min() + u[y < 0].max()))


def _machines(rng, sizes, dust=False, only=(0, 0, 0)):
    """Finished machines on which no two mistakes agree, with free support vectors of both classes, or of one ``only``."""
    for _ in attempts("bias_from_alpha"):
        found = [_finished(rng, *how) for how in zip(sizes, only, strict=False)]
        if telling(found, bias_from_alpha, [mistake.wrong for mistake in BIAS_FROM_ALPHA.misconceptions]):
            return [(_dusty(rng, a, C), K, y, C) for a, K, y, C in found] if dust else found


def _finished(rng, n, only=0):
    """α, K, y, C of a machine in which the first support vector is bound; free ones of both classes, or of one ``only``.

    The median over all support vectors is b, too: by Σαy = 0 the late ones of one class cannot outnumber the rest. Not so
    the median over all points, or over those that are not late.
    """
    for _ in attempts("bias_from_alpha"):
        _, K = gram(rng, n)
        # one of the other class to three, and cheap slack: the few end at the lid
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
    "def b(shift=0.0, s=1):   # the machine of the chapter, C = 1/2; a kernel plus a constant is the same machine\n" \
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
        Property("is the bias that the free support vectors agree on", 1, lambda r: _machines(r, (8, 10, 9))),
        Property(
            "is so where multipliers came with rounding errors",
            1,
            lambda r: _machines(r, (9, 8), dust=True),
            hint="Your answer fails only when a multiplier that should be 0 is 1e-17, or one that should be C is the number below it, as "
            "solvers return them. Leave some room at both walls, such as 1e-8 * C.",
        ),
        Property(
            "is so where all free ones are of one class",
            1,
            lambda r: _machines(r, (8, 9), only=(-1, 1)),
            hint="Your answer fails only when all free support vectors are of one class. A free one of either class says the whole b: ask all "
            "of them, whatever their labels.",
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
        Promise("have no multiplier at a wall, to the last bit", lambda alpha, K, y, C: (
            0 < alpha.min() < 1e-16 and C * (1 - 1e-15) < alpha.max() < C), of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "all support vectors",
            _biased(who=lambda alpha, y, C: alpha > 1e-8 * C),
            "You average over all support vectors; the bound ones, α = C, have a slack, so y f is not 1 there.",
            f"{_WHERE}: from any free support vector.",
            _G + "print(b(0, 1, 2, 3, 4, 5))   # free are x = 0 and x = 2: should print -1",
        ),
        Misconception(
            "bound ones alone",
            _biased(who=lambda alpha, y, C: alpha >= C * (1 - 1e-8)),
            "You average over the bound support vectors, α = C: of those only y f ≤ 1 is known.",
            f"Read “{_CASES}” again, step 4: in which case is y f exactly 1?",
            _G + "print(b(0, 1, 2, 3, 4, 5), 'should print -1; bound are x = 1 and 1.2, where f is 0 and 0.2')",
        ),
        Misconception(
            "sign turned round",
            _biased(each=lambda y, u: u - y),
            "The sign of b is turned round: from u + b = y follows b = y - u.",
            f"{_WHERE}: solve for b.",
            _F + "print(2 / 3 * 3 + b())   # f at the last point, free and of class +1: should print 1",
        ),
        Misconception(
            "1 for the label",
            _biased(each=lambda y, u: 1.0 - u),
            "You take f for 1 at every free support vector; at those of class -1 it is -1.",
            f"{_WHERE}: a source forgets the label, too.",
            _F + "print(0.0 + b())   # f at the first point, free and of class -1: should print -1",
        ),
        Misconception(
            "label beside u alone",
            _biased(each=lambda y, u: 1.0 - y * u),
            "You solve y u + b = 1; the label belongs to the whole bracket, y(u + b) = 1.",
            f"{_WHERE}: y_i f(x_i) = 1, and f has its b in it.",
            _F + "print(b(s=1), b(s=-1), 'should print -1 and -1: the order of the points does not matter')",
        ),
        Misconception(
            "label beside u, and outside",
            _biased(each=lambda y, u: y - y * u),
            "You solve u y + b = y; the label stands once: from y(u + b) = 1 follows b = y - u.",
            f"{_WHERE}: y_i f(x_i) = 1, and 1/y_i is y_i.",
            _F + "print(bias_from_alpha(alpha, K, -y, 0.5))   # the classes exchanged, f(x) = 1 - 2x/3: should print 1",
        ),
        Misconception(
            "all points",
            _biased(who=lambda alpha, y, C: alpha > -1),
            "You average over all points; those with α = 0 are somewhere beyond the margin, those with α = C inside.",
            f"Read “{_CASES}” again, step 4: in which case is y f exactly 1?",
            _G + "print(b(0, 1, 2, 3, 4, 5), b(1, 2, 3, 5))   # without those who have no say: should print -1 and -1",
        ),
        Misconception(
            "zeros taken for free",
            _biased(who=lambda alpha, y, C: alpha < C * (1 - 1e-8)),
            "You take those with α = 0 along: a point without a say may lie anywhere beyond its margin.",
            f"Read “{_CASES}” again, step 4: free is 0 < α < C.",
            _G + "print(b(0, 1, 2, 3, 5), 'should print -1, wherever the first point lies, which has α = 0')",
        ),
        Misconception(
            "labels forgotten in the sum",
            _biased(labels=False),
            "The labels are missing in u_i = Σ_j α_j y_j K_ij.",
            f"{_WHERE}: both α_j and y_j stand in the sum.",
            _F + "print(b() - b(shift=1.0))   # a constant in the kernel is cancelled by Σαy = 0: should print 0",
        ),
        Misconception(
            "sum for mean",
            _biased(collect=np.sum),
            "You add up what the free support vectors say; each of them says the whole b, so it is their mean.",
            f"{_WHERE}: all free ones agree.",
            _F + "print(b(s=-1), 'two free ones, and each says -1')",
        ),
        Misconception(
            "labels left out",
            _biased(each=lambda y, u: -u),
            "Your b is the mean of -u: the label itself, y_i, is missing in y_i - u_i.",
            f"{_WHERE}: y_i f(x_i) = 1 says f(x_i) = y_i.",
            USE + "x = np.array([0.0, 0, 2]); y = np.array([-1, -1, 1]); alpha = np.array([1, 1, 2]) / 4   # f(x) = x + b, all three free\n"
            "print(bias_from_alpha(alpha, np.outer(x, x), y, 1.0))   # f should be the label at each of them: -1",
        ),
        Misconception(
            "first support vector",
            _biased(who=lambda alpha, y, C: np.arange(len(y)) == np.argmax(alpha > 1e-8 * C)),
            "You take b from the first support vector; where that one is bound, y f is not 1.",
            f"{_WHERE}: from any support vector that is free.",
            _G + "print(b(2, 0, 1, 3, 4, 5))   # a bound one first: must still be -1",
        ),
        Misconception(
            "half way between the classes",
            _half_way,
            "You put the boundary halfway between the nearest points of the two classes; with slack these lie inside the margin.",
            f"{_WHERE}: the four points, of which two are bound.",
            _G + "print(b(5, 4, 3, 2, 1, 0), 'should print -1: the nearest of the two classes, 1 and 1.2, are bound')",
        ),
        Misconception(
            "sum over the free alone",
            _among_the_free,
            "Your sum Σ_j α_j y_j K_ij runs over the free support vectors; the bound ones belong to f, too. Free is only who is asked for b.",
            f"{_WHERE}: the sum over j has all support vectors in it.",
            _G + "print(b(0, 1, 2, 3, 4, 5), 'should print -1: f = x + b is made of all four support vectors')",
        ),
        Misconception(
            "positive ones alone",
            _biased(who=lambda alpha, y, C: (alpha > 1e-8 * C) & (y > 0)),
            "You average over the support vectors of class +1, the bound ones with them.",
            f"{_WHERE}: free is what counts, not the class.",
            _G + "print(b(1, 2, 3, 5))   # free are the first and the third, one of either class: should print -1",
        ),
    ),
    step=f"{_WHERE}: b = y_i - Σ_j α_j y_j K_ij for a free i, averaged over all of them.",
    experiment=_F + "print(b())   # the chapter's four points: should print -1",
    sizes=lambda alpha, K, y, C: {"n": len(y), "C": C},
)  # fmt: skip


# -- 6.4


def smo_pair(K, y, alpha, b, C, i, j):
    """α_j + y_j (E_i - E_j)/η, clipped to [L, H], and α_i so that Σ α y stays; unchanged where η ≤ 0."""
    if K[i, i] + K[j, j] - 2 * K[i, j] <= 0:
        return np.array(alpha, dtype=float)
    return _pair(K, y, alpha, b, C, i, j)


def _segment(a_i, a_j, C, same):
    return (max(0.0, a_i + a_j - C), min(C, a_i + a_j)) if same else (max(0.0, a_j - a_i), min(C, C + a_j - a_i))


def _pair(
    K, y, alpha, b, C, i, j, *, sign=1.0, labels=True, target=True, curve=-2.0, divide=True, label=None,
    signed=True, segment=_segment, partner="kept",
):  # fmt: skip
    if K[i, i] + K[j, j] - 2 * K[i, j] <= 0:
        raise ArithmeticError("what a mistake does here says nothing of it")
    E = K @ (alpha * y if labels else alpha) + b - target * y
    eta = K[i, i] + K[j, j] + curve * K[i, j] if divide else 1.0
    direction = y[j if label is None else i] if signed else 1.0
    top = alpha[j] + sign * direction * (E[i] - E[j]) / eta
    low, high = segment(alpha[i], alpha[j], C, y[i] == y[j])
    out = np.array(alpha, dtype=float)
    out[j] = min(max(top, low), high)
    gone = alpha[j] - (top if partner == "top" else out[j])
    if partner != "left":
        out[i] += gone if partner == "no labels" else -gone * y[i] * y[j] if partner == "minus" else gone * y[i] * y[j]
    if partner == "one side" and y[j] * (top - alpha[j]) > 0:  # t < 0 in the lecture's letters
        out[i], out[j] = alpha[i] + y[i] * y[j] * (alpha[j] - top), top
    if partner == "clipped":
        out[i] = min(max(out[i], 0.0), C)
    return out


def _mistake(**how):
    return lambda K, y, alpha, b, C, i, j: _pair(K, y, alpha, b, C, i, j, **how)


def _whole(a_i, a_j, C, same):
    return 0.0, C


def _steps(rng):
    """Pairs of two classes and of one, that end inside and at each of four walls, on which no two mistakes agree."""
    for _ in attempts("smo_pair"):
        found = []
        for same in (False, True):
            for end in ("inside", "low", "low for the other", "high", "high for the other"):
                found.append(_step_that_ends(rng, same, end, 5 + len(found) % 3, rising=len(found) % 2))
        shallow = any(K[i, i] + K[j, j] - 2 * K[i, j] < 0.9 for K, *_, i, j in found)  # η ≤ 0 is not η ≤ 1
        if shallow and telling(found, smo_pair, [mistake.wrong for mistake in SMO_PAIR.misconceptions]):
            return found


def _step_that_ends(rng, same, end, n, rising):
    """A pair of one class or of two whose step ends so; t in the lecture's letters is above 0, or (not rising) below."""
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
    """Whether the step ends there, clearly: inside, or at a wall that is α_j's own or that of α_i."""
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
    """Whether the pair is of one class, and at which wall its step ends, if at one."""
    low, high = _segment(alpha[i], alpha[j], C, y[i] == y[j])
    return bool(y[i] == y[j]), [low, high].index(end) if (end := smo_pair(K, y, alpha, b, C, i, j)[j]) in (
        low,
        high,
    ) else -1


def _no_curvature(rng):
    """Two points in one place, of two classes and of one; and a matrix that is no Gram matrix."""
    found = []
    for k, n in enumerate((5, 6, 7)):
        _, K = gram(rng, n)
        y, C = np.resize([1.0, -1.0, -1.0], n), float(rng.uniform(0.4, 0.9) if k else rng.uniform(1.5, 2.5))
        i, j = ((0, 1), (2, 1), (0, 2))[k]
        if k < 2:  # twins
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
        Property("takes the best step of a pair, inside the box", 3, _steps),
        Property(
            "leaves α as it is where η ≤ 0",
            1,
            _no_curvature,
            hint="Your answer fails only when η ≤ 0: for two points in one place, or a matrix that is no Gram matrix. The parabola has no "
            "top there, so return α as it came.",
        ),
    ),
    promises=(
        Promise("end inside and at either wall, in pairs of two classes and of one", lambda found: (
            len({_where_it_ends(*args) for args in found}) == 6), together=True),
        Promise("have η ≤ 0", lambda K, y, a, b, C, i, j: K[i, i] + K[j, j] - 2 * K[i, j] <= 0, of=(1,)),
        Promise("are of two classes and of one", lambda found: (
            {bool(y[i] == y[j]) for _, y, *_, i, j in found} == {True, False}), (1,), together=True),
    ),
    misconceptions=(
        Misconception(
            "not clipped",
            _mistake(segment=lambda a_i, a_j, C, same: (-np.inf, np.inf)),
            "You take the top of the parabola wherever it lies; the step ends at the walls of the box, L and H.",
            f"{_TWO}: t is clipped at the first wall.",
            _S + "print(step(1, 2, 0, 0, 0, 0))   # the top is 2, the lid is 1/2: should print 0, 1/2, 1/2, 0",
        ),
        Misconception(
            "wrong sign of the step",
            _mistake(sign=-1.0),
            "The step goes the wrong way, down the parabola: it is y_j (E_i - E_j), in this order.",
            f"{_TWO}, step 7: g has the opposite signs of E = f - y.",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=5.0))   # E is 1 and -1, η is 1: should print 0, 2, 2, 0",
        ),
        Misconception(
            "label missing in the step",
            _mistake(signed=False),
            "The label is missing in the step: α_j moves by y_j (E_i - E_j)/η, so for a point of class -1 the other way.",
            f"{_TWO}: what t does to α_j.",
            _S + "print(step(2, 1, 0, 0, 0, 0))   # the second of the pair is of class -1: should print 0, 1/2, 1/2, 0",
        ),
        Misconception(
            "half a step",
            _mistake(sign=0.5),
            "You go half of the way: the top of the parabola is at (E_i - E_j)/η, without a ½.",
            f"{_TWO}: where the parabola has its top.",
            _S + "print(step(3, 0, 0, 0, 0, 0, C=9.0))   # slope 2, η = 9: should print 2/9, 0, 0, 2/9",
        ),
        Misconception(
            "partner left",
            _mistake(partner="left"),
            "α_i stays where it was, and Σ α_i y_i = 0 is broken. (If it was meant to move: was the old α_j kept?)",
            f"{_TWO}: why one alone cannot move.",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=9.0) @ y)   # Σαy must stay 0",
        ),
        Misconception(
            "partner without labels",
            _mistake(partner="no labels"),
            "α_i takes what α_j lost whatever the classes are; with two classes both go up or both go down, y_i y_j says which.",
            f"{_TWO}, step 7: it is y_i α_i that rises by what y_j α_j loses.",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=1.5))   # two classes rise together: should print 0, 1.5, 1.5, 0",
        ),
        Misconception(
            "partner the wrong way",
            _mistake(partner="minus"),
            "α_i moves the wrong way: it changes by y_i y_j times the old α_j minus the new one.",
            f"{_TWO}, step 7: the sum Σ α_i y_i stays.",
            _S + "print(step(0, 1, 0.5, 0, 0.5, 0) @ y)   # Σαy must stay 0",
        ),
        Misconception(
            "partner by the unclipped step",
            _mistake(partner="top"),
            "α_i moves by the whole step, though α_j was stopped at a wall: clip first, then let α_i follow.",
            f"{_TWO}: one t for both.",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=0.25))   # both stop at the lid: should print 0, 1/4, 1/4, 0",
        ),
        Misconception(
            "clipped to [0, C] alone",
            _mistake(segment=_whole),
            "You clip α_j to [0, C]; then α_i may leave the box. [L, H] keeps both inside.",
            f"{_TWO}: neither α may leave the box.",
            _S + "print(step(0, 1, 0.25, 0, 0.25, 0))   # α_0 can only go down to 0: should print 0, 1/4, 1/4, 0",
        ),
        Misconception(
            "each clipped for itself",
            _mistake(segment=_whole, partner="clipped"),
            "You clip each of the two to [0, C] for itself; so they move by different amounts, and Σ α_i y_i changes.",
            f"{_TWO}: one t for both, so clip α_j to [L, H].",
            _S + "print(step(0, 1, 0.25, 0, 0.25, 0) @ y)   # Σαy was 0 and must stay 0",
        ),
        Misconception(
            "clipped on one side",
            _mistake(partner="one side"),
            "You stop the step at the walls only where it goes one way; where t is negative, the pair leaves the box.",
            f"{_TWO}: t is clipped at the first wall, whichever way it goes.",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=0.75))   # t is negative, the lid is 3/4: should print 0, 0.75, 0.75, 0",
        ),
        Misconception(
            "segment of one class",
            _mistake(segment=lambda a_i, a_j, C, same: _segment(a_i, a_j, C, True)),
            "You use the L and H of one class for every pair; with two classes α_j - α_i stays, not the sum.",
            f"{_TWO}: on which line may a pair of two classes move?",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=3.0))   # two classes, both may rise: should print 0, 2, 2, 0",
        ),
        Misconception(
            "segment of two classes",
            _mistake(segment=lambda a_i, a_j, C, same: _segment(a_i, a_j, C, False)),
            "You use the L and H of two classes for every pair; within one class α_i + α_j stays, not the difference.",
            f"{_TWO}: on which line may a pair of one class move?",
            _S + "print(step(0, 1, 0.5, 0, 0.5, 0))   # as in the chapter: should print 0, 1/2, 1/2, 0",
        ),
        Misconception(
            "segments exchanged",
            _mistake(segment=lambda a_i, a_j, C, same: _segment(a_i, a_j, C, not same)),
            "Your two cases are exchanged: α_i + α_j stays within one class, α_j - α_i with two.",
            f"{_TWO}: what stays is y_i α_i + y_j α_j.",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=2.5), step(0, 1, 0.5, 0, 0.5, 0))   # should print 0 2 2 0 and 0 1/2 1/2 0",
        ),
        Misconception(
            "targets forgotten",
            _mistake(target=False),
            "Your E is f; it is f - y, the error.",
            f"{_TWO}, step 7: the labels in g.",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=4.0))   # f is 0 and the errors are 1 and -1: should print 0, 2, 2, 0",
        ),
        Misconception(
            "labels forgotten in f",
            _mistake(labels=False),
            "The labels are missing in f_i = Σ_k α_k y_k K_ik + b.",
            f"{_TWO}, step 7, and “{_CASES}”: w = Σ α_i y_i φ(x_i).",
            _S + "print(step(3, 0, 0, 0.5, 0.5, 0))   # as in the chapter: should print 1/18, 1/2, 1/2, 1/18",
        ),
        Misconception(
            "η with a plus",
            _mistake(curve=2.0),
            "Your η adds 2 k_ij; it is the squared distance of the two points, k_ii + k_jj - 2 k_ij.",
            f"{_TWO}, step 7: what is said of η below (8).",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=8.0))   # η = 1 + 4 - 4 = 1: should print 0, 2, 2, 0",
        ),
        Misconception(
            "η with k_ij once",
            _mistake(curve=-1.0),
            "Your η subtracts k_ij once; the square of a difference has it twice.",
            f"{_TWO}, step 7: what is said of η below (8).",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=7.0))   # η = 1 + 4 - 2·2 = 1: should print 0, 2, 2, 0",
        ),
        Misconception(
            "not divided by η",
            _mistake(divide=False),
            "The step is the slope itself; the top of the parabola is at slope divided by η.",
            f"{_TWO}: its top is at g/η.",
            _S + "print(step(0, 2, 0, 0, 0, 0, C=3.0))   # slope 2, η = 4: should print 1/2, 0, 1/2, 0",
        ),
        Misconception(
            "label of the other",
            _mistake(label="i"),
            "You multiply by y_i where it is α_j that moves: its own label says which way is up. With one class it makes no difference.",
            f"{_TWO}, step 7: y_j α_j is what changes.",
            _S + "print(step(1, 2, 0, 0, 0, 0, C=6.0), 'should print 0, 2, 2, 0')",
        ),
    ),
    observations=(
        Observation(
            "Σ α_i y_i is not what it was before the step; the pair has to move along the line where it stays.",
            lambda value, K, y, alpha, b, C, i, j: value.shape == alpha.shape and abs((value - alpha) @ y) > 1e-6,
            early=True,
        ),
        Observation(
            "A multiplier has left the box 0 ≤ α ≤ C.",
            lambda value, K, y, alpha, b, C, i, j: value.min() < -1e-6 or value.max() > C + 1e-6,
            early=True,
        ),
    ),
    step=f"{_TWO}: slope, curvature, and the wall that is met first.",
    experiment=USE + "x = np.array([1.0, 2, 4, 5]); K = np.outer(x, x); y = np.array([-1, -1, 1, 1]); alpha = np.full(4, 0.1)\n"
    "print(smo_pair(K, y, alpha, 0.0, 0.5, 2, 1))   # g = 0.8, η = 4, t = 0.2: should print 0.1 0.3 0.3 0.1\n"
    "print(smo_pair(K, y, alpha, 0.0, 0.5, 3, 2))   # g = -0.6, η = 1, clipped at t = -0.1: should print 0.1 0.1 0.2 0",
    sizes=lambda K, y, alpha, b, C, i, j: {"n": len(y), "C": C},
    chained=True,
)  # fmt: skip
