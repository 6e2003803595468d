"""Exercise 6b.5: which ε, by the errors that are left out."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch06b_svr_online.common import CHAPTER, USE, told_apart
from kcourse.checks.spec import Exercise, Misconception, Observation, Promise, Property, attempts

__all__ = ["CHOOSE_EPS"]

_GEYSER = "How many eruptions?"


def choose_eps(F, y, widths):
    """The width whose left-out forecasts have the least mean absolute error; of equals the widest."""
    errors = _errors(F, y, widths)
    return float(np.max(widths[errors == errors.min()]))


def _block(k, n):
    return np.arange(n) * k // n


def _left_out(F, y):
    """What each machine says of each point, (m, n), by the fit that did not see its block."""
    _, k, n = F.shape
    return F[:, _block(k, n), np.arange(n)]


def _errors(F, y, widths, *, said=_left_out, loss=lambda r, eps: np.abs(r), collect=lambda e: e.mean(axis=-1)):
    return collect(loss(y - said(F, y), widths[:, None]))


def _chosen(best=np.argmin, **how):
    return lambda F, y, widths: float(widths[best(_errors(F, y, widths, **how))])


def _by_block(F, y, widths):
    """Mean absolute error of each width in each block, (m, k)."""
    m, k, n = F.shape
    return np.abs(y - _left_out(F, y)).reshape(m, k, n // k).mean(axis=2)


def _in_training(F, y, widths):
    m, k, n = F.shape
    seen = _block(k, n) != np.arange(k)[:, None]
    return float(widths[np.argmin((np.abs(y - F) * seen).sum(axis=(1, 2)))])


def _by_votes(F, y, widths):
    wins = np.bincount(_by_block(F, y, widths).argmin(axis=0), minlength=len(widths))
    return float(widths[wins.argmax()])


def _mean_of_the_choices(F, y, widths):
    return float(widths[_by_block(F, y, widths).argmin(axis=0)].mean())


_SIZES = ((5, 3, 24), (6, 4, 20), (5, 4, 28), (7, 3, 21), (6, 5, 30), (4, 3, 18), (7, 4, 32), (6, 3, 27))


def _forecasts(rng, m, k, n):
    """Forecasts that learnt points err less than points left out, in units of 1/64, so that sums are exact.

    How much less, and how they err, is another thing for each width, so that each rule chooses another.
    """
    y = np.cumsum(rng.normal(size=n)) * 3
    widths = rng.permutation(np.arange(1, m + 1) * float(rng.uniform(0.3, 0.9)))
    left_out = _block(k, n) == np.arange(k)[:, None]
    scale = np.where(left_out, rng.uniform(2.0, 2.8, (m, 1, 1)), rng.uniform(0.8, 2.0, (m, 1, 1)))
    tails = np.where(rng.random((m, 1, 1)) < 0.5, rng.laplace(size=(m, k, n)), rng.uniform(-1.7, 1.7, (m, k, n)))
    F = y + scale * rng.uniform(0.6, 1.4, (m, k, 1)) * tails + rng.normal(size=(m, k, 1))
    return np.round(64 * F) / 64, np.round(64 * y) / 64, widths


def _decided(F, y, widths):
    """Whether the rules of the mistakes have one best width each: which of equals they would take, shows nowhere.

    Counts and entries are often equal, and sums in units of 1/64 now and then.
    """
    _, k, n = F.shape
    every, own = np.abs(y - F), _block(k, n) == np.arange(k)[:, None]
    scores = [
        _errors(F, y, widths, loss=lambda r, eps: np.abs(r) > eps),
        -np.bincount(_by_block(F, y, widths).argmin(axis=0), minlength=len(widths)),
        *(_errors(F, y, widths, collect=lambda e, of=of: of(e, axis=-1)) for of in (np.median, np.max)),
        _errors(F, y, widths, loss=lambda r, eps: r, collect=lambda e: np.abs(e.sum(axis=-1))),
        (every * ~own).sum(axis=(1, 2)),
        every.sum(axis=(1, 2)),
        np.abs((y - F).sum(axis=1)).sum(axis=1),
        every[:, np.arange(n) % k, np.arange(n)].sum(axis=1),
    ]
    return all(np.sum(score == score.min()) == 1 for score in scores)


def _lists(rng):
    """Lists of widths in any order, whose best is ahead by two per cent at least.

    In the last two a wider one comes within two per cent: near is not equal.
    """

    def draw():
        found = []
        for size in _SIZES:
            near = len(found) >= len(_SIZES) - 2
            for _ in attempts("choose_eps"):
                F, y, widths = _forecasts(rng, *size)
                errors = _errors(F, y, widths)
                best, next_ = np.argsort(errors)[:2]
                lead = errors[next_] / errors[best]
                wanted = (1.001 < lead < 1.02 and widths[next_] > widths[best]) if near else lead > 1.02
                if wanted and _decided(F, y, widths):
                    found.append((F, y, widths))
                    break
        return found

    return told_apart(draw, lambda: CHOOSE_EPS)


def _as_good(F, y, best, twin):
    """Left-out forecasts for the twin whose errors are other ones, with the same sum to the last bit."""
    _, k, n = F.shape
    off = y - _left_out(F, y)
    sum_ = np.abs(off[best]).sum()
    other = np.round(64 * off[twin] * sum_ / np.abs(off[twin]).sum()) / 64
    last = np.abs(other).argmax()
    other[last] += np.sign(other[last]) * (sum_ - np.abs(other).sum())
    F[twin, _block(k, n), np.arange(n)] = y - other


def _equals(rng):
    """Two widths are equally good, and the best: the wider of them is not the widest of all.

    Their errors differ, so that squares, medians, single blocks and the like are not equal, and who judges by those is
    known whichever of equals he takes. k and n are powers of two: any order of sums and means gives the same number.
    """
    found = []
    for m, k, n in ((6, 4, 16), (7, 4, 32), (6, 8, 32), (5, 4, 16)):
        for _ in attempts("choose_eps"):
            F, y, widths = _forecasts(rng, m, k, n)
            best = int(np.argmin(_errors(F, y, widths)))
            twin, others = int(rng.integers(m)), np.sort(_errors(F, y, widths))[1:]
            if twin != best:
                _as_good(F, y, best, twin)
            first, last = sorted((best, twin))
            wide = first if len(found) % 2 else last  # either place in the list
            if (
                twin != best
                and widths[wide] == max(widths[[best, twin]])
                and widths[wide] < widths.max()
                and (others[0] > 1.02 * _errors(F, y, widths).min())
                and _decided(F, y, widths)
            ):
                found.append((F, y, widths))
                break
    return found


_H = USE + "y = np.array([0.0, 4, 0, 4]); eps = np.array([2.0, 1.0])   # two blocks of two points\n" \
    "def choice(*left_out, seen=0.0, y=y, eps=eps):   # r of the points left out, a row for each ε; r of the others\n" \
    "    r = np.full((len(eps), 2, 4), seen); r[:, [0, 0, 1, 1], range(4)] = left_out\n" \
    "    return choose_eps(y - r, y, eps)\n"  # fmt: skip
_FOLDS = f"Read “{_GEYSER}” again"

CHOOSE_EPS = Exercise(
    name="choose_eps",
    chapter=CHAPTER,
    number="6b.5",
    returns="the chosen ε, one number",
    reference=choose_eps,
    properties=(
        Property("chooses by the mean absolute error of what was left out", 3, _lists),
        Property(
            "takes the widest of equals",
            1,
            _equals,
            hint="Your answer fails only when two widths are equally good. Of these take the widest, wherever it stands in the list.",
        ),
    ),
    promises=(
        Promise("have one best width, which is neither always the widest nor always the first", lambda found: (
            any(choose_eps(*args) != args[2].max() for args in found) and any(choose_eps(*args) != args[2][0] for args in found)
            and all(np.diff(np.sort(_errors(*args))[:2]) > 0 for args in found)), together=True),
        Promise("have two best widths", lambda F, y, widths: (
            np.sum(_errors(F, y, widths) == _errors(F, y, widths).min()) == 2), of=(1,)),
        Promise("have blocks of one size", lambda F, y, widths: len(y) % F.shape[1] == 0, of=(0, 1)),
    ),
    misconceptions=(
        Misconception(
            "chosen in training",
            _in_training,
            "You judge each machine by the points that it has learnt from; judge it by the block that it has not seen.",
            f"{_FOLDS}: what is left out judges.",
            _H + "print(choice([2, 2, 2, 2], [1, 1, 1, 1], seen=np.array([0.0, 3])[:, None, None]))   # should print 1",
        ),
        Misconception(
            "all forecasts",
            lambda F, y, widths: float(widths[np.abs(y - F).mean(axis=(1, 2)).argmin()]),
            "You average over all forecasts, those of learnt points, too; of each point only one counts, by the fit that left it out.",
            f"{_FOLDS}: what is left out judges.",
            _H + "print(choice([2, 2, 2, 2], [1, 1, 1, 1], seen=np.array([0.0, 9])[:, None, None]))   # should print 1",
        ),
        Misconception(
            "mean of the fits",
            lambda F, y, widths: float(widths[np.abs(y - F.mean(axis=1)).mean(axis=1).argmin()]),
            "You average the forecasts of all fits before you compare; most of these have learnt the point. One counts, that which left it out.",
            f"{_FOLDS}: what is left out judges.",
            _H + "print(choice([2, 2, 2, 2], [1, 1, 1, 1], seen=np.array([-2.0, 5])[:, None, None]))   # should print 1",
        ),
        Misconception(
            "blocks that alternate",
            _chosen(said=lambda F, y: F[:, np.arange(len(y)) % F.shape[1], np.arange(len(y))]),
            "Your blocks alternate, i mod k; here a block is points in a row, i k // n. So you judge by fits that have learnt the point.",
            f"{_FOLDS}: consecutive eruptions.",
            _H + "print(choice([1, 3, 3, 1], [2, 1, 1, 2], seen=np.array([0.0, 4])[:, None, None]))   # should print 1",
        ),
        Misconception(
            "first block alone",
            lambda F, y, widths: float(widths[_by_block(F, y, widths)[:, 0].argmin()]),
            "You judge by the first block alone; each block has its turn.",
            f"{_FOLDS}: in turn.",
            _H + "print(choice([1, 1, 4, 4], [2, 2, 2, 2]))   # 10 against 8: should print 1",
        ),
        Misconception(
            "last block alone",
            lambda F, y, widths: float(widths[_by_block(F, y, widths)[:, -1].argmin()]),
            "You judge by the last block alone; each block has its turn.",
            f"{_FOLDS}: in turn.",
            _H + "print(choice([5, 5, 1, 1], [2, 2, 2, 2]))   # 12 against 8: should print 1",
        ),
        Misconception(
            "widths sorted, errors not",
            lambda F, y, widths: float(np.sort(widths)[_errors(F, y, widths).argmin()]),
            "You sort the widths and leave their errors as they are; F[a] belongs to widths[a], in the order given.",
            f"{_FOLDS}: the least mean |error|, and whose it is.",
            _H + "print(choice([1, 1, 1, 1], [4, 4, 4, 4]))   # the first, 4 against 16: should print 2",
        ),
        Misconception(
            "best block counts",
            lambda F, y, widths: float(widths[_by_block(F, y, widths).min(axis=1).argmin()]),
            "You compare the best blocks; it is the mean over all.",
            f"{_FOLDS}: in turn, and all of them count.",
            _H + "print(choice([4, 4, 1, 1], [2, 2, 2, 2]))   # 10 against 8: should print 1",
        ),
        Misconception(
            "worst block counts",
            lambda F, y, widths: float(widths[_by_block(F, y, widths).max(axis=1).argmin()]),
            "You compare the worst blocks; it is the mean over all.",
            f"{_FOLDS}: in turn, and all of them count.",
            _H + "print(choice([3, 3, 3, 3], [4, 4, 1, 1]))   # 12 against 10: should print 1",
        ),
        Misconception(
            "each block has a vote",
            _by_votes,
            "You take the width that wins most blocks; by how much it wins counts, too: the mean over all points.",
            f"{_FOLDS}: mean |error|.",
            USE + "eps, y = np.array([2.0, 1.0]), np.zeros(6); R = np.zeros((2, 3, 6))   # three blocks of two points\n"
            "R[:, np.arange(6) // 2, range(6)] = [1, 1, 1, 1, 9, 9], [2, 2, 2, 2, 1, 1]\n"
            "print(choose_eps(y - R, y, eps))   # 22 against 10: should print 1",
        ),
        Misconception(
            "mean of the choices",
            _mean_of_the_choices,
            "You choose in each block, and average the choices, which need not stand in the list; average the errors, and choose once.",
            f"{_FOLDS}: mean |error|.",
            _H + "print(choice([1, 1, 4, 4], [3, 3, 1, 1]))   # one of the list: should print 1",
        ),
        Misconception(
            "by each tube's own loss",
            _chosen(loss=lambda r, eps: np.maximum(np.abs(r) - eps, 0)),
            "You judge each width by its own loss, which charges less the wider the tube is; judge all by one loss, |error|.",
            f"{_FOLDS}: what matters to a visitor.",
            _H + "print(choice([3, 3, 3, 3], [2.5, 2.5, 2.5, 2.5]))   # 12 against 10: should print 1",
        ),
        Misconception(
            "who is outside the own tube",
            _chosen(loss=lambda r, eps: np.abs(r) > eps),
            "You count who is outside each tube, and fewer are outside a wider one whatever it says; judge all by one loss, |error|.",
            f"{_FOLDS}: what matters to a visitor.",
            _H + "print(choice([1.5, 1.5, 1.5, 1.5], [1.25, 1.25, 1.25, 1.25]))   # 6 against 5: should print 1",
        ),
        Misconception(
            "squared",
            _chosen(loss=lambda r, eps: r**2),
            "You judge by squares; here it is the mean |error|, in which one gross error has no more say than its size.",
            f"{_FOLDS}: mean |error|.",
            _H + "print(choice([3, 3, 3, 3], [1, 1, 1, 8]))   # 12 against 11: should print 1",
        ),
        Misconception(
            "median",
            _chosen(collect=lambda e: np.median(e, axis=-1)),
            "You take the median of the errors; it is their mean.",
            f"{_FOLDS}: mean |error|.",
            _H + "print(choice([1, 1, 1, 9], [2, 2, 2, 2]))   # 12 against 8: should print 1",
        ),
        Misconception(
            "largest error",
            _chosen(collect=lambda e: e.max(axis=-1)),
            "You compare the largest errors; it is their mean.",
            f"{_FOLDS}: mean |error|.",
            _H + "print(choice([4, 4, 4, 4], [5, 1, 1, 1]))   # 16 against 8: should print 1",
        ),
        Misconception(
            "signs cancel",
            _chosen(loss=lambda r, eps: r, collect=lambda e: np.abs(e.mean(axis=-1))),
            "You average before you take the absolute value, so that errors of two signs cancel.",
            f"{_FOLDS}: mean |error|.",
            _H + "print(choice([4, -4, 4, -4], [1, 1, 1, 1]))   # 16 against 4: should print 1",
        ),
        Misconception(
            "no absolute value",
            _chosen(loss=lambda r, eps: r),
            "Your errors keep their signs, and the most negative wins; take |error|.",
            f"{_FOLDS}: mean |error|.",
            _H + "print(choice([-4, -4, -4, -4], [1, 1, 1, 1]))   # 16 against 4: should print 1",
        ),
        Misconception(
            "the other sign, no absolute value",
            _chosen(loss=lambda r, eps: -r),
            "Your errors, f - y, keep their signs, and the most negative wins; take |error|.",
            f"{_FOLDS}: mean |error|.",
            _H + "print(choice([4, 4, 4, 4], [1, 1, 1, 1]), 'should print 1.0: 16 against 4')",
        ),
        Misconception(
            "greatest error wins",
            _chosen(best=np.argmax),
            "You take the width with the greatest error.",
            f"{_FOLDS}: the least mean |error|.",
            _H + "print(choice([3, 3, 3, 3], [1, 1, 1, 1]))   # 12 against 4: should print 1",
        ),
        Misconception(
            "narrowest",
            lambda F, y, widths: float(widths.min()),
            "You return the narrowest width, whatever the errors are.",
            f"{_FOLDS}: folds that may choose ε.",
            _H + "print(choice([1, 1, 1, 1], [3, 3, 3, 3]))   # 4 against 12: should print 2",
        ),
        Misconception(
            "widest",
            lambda F, y, widths: float(widths.max()),
            "You return the widest width, whatever the errors are.",
            f"{_FOLDS}: folds that may choose ε.",
            _H + "print(choice([2, 2, 2, 2], [1, 1, 1, 1]))   # 8 against 4: should print 1",
        ),
        Misconception(
            "its place in the list",
            lambda F, y, widths: float(np.argmin(_errors(F, y, widths))),
            "You return where the best width stands in the list; return the width itself.",
            f"{_FOLDS}: ε is a width, in minutes there.",
            _H + "print(choice([1, 1, 1, 1], [2, 2, 2, 2]))   # 4 against 8, the first in the list: should print 2",
        ),
        Misconception(
            "its error",
            lambda F, y, widths: float(_errors(F, y, widths).min()),
            "You return the least error; return the width that has it.",
            f"{_FOLDS}: ε is a width, in minutes there.",
            _H + "print(choice([9, 9, 9, 9], [3, 3, 3, 3]))   # the second: should print 1",
        ),
    ),
    observations=(
        Observation(
            "choose_eps returned a number that is not in the list of widths.",
            lambda value, F, y, widths: np.size(value) == 1 and np.abs(widths - np.ravel(value)[0]).min() > 1e-9,
            early=True,
        ),
    ),
    step=f"{_FOLDS}: each point by the fit that left out its block, the mean |error|, the least of these.",
    experiment=_H + "print(choice([2, 2, 2, 2], [1, 1, 1, 1], seen=0.5))   # 8 against 4: should print 1\n"
    "print(choice([1, 1, 1, 2], [1, 1, 1, 2]))   # equal: the widest, should print 2",
    sizes=lambda F, y, widths: {"m": len(widths), "k": F.shape[1], "n": len(y)},
)  # fmt: skip
