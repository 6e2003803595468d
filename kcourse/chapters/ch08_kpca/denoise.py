"""Exercises 8.6 and 8.7: points cleaned by kernel PCA, and an error that is reported as it should be."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from kcourse.chapters.ch08_kpca.center import CHAPTER, USE, center_gram, center_test_gram
from kcourse.chapters.gaussian_mistakes import gaussian
from kcourse.checks.spec import RTOL, Changed, Exercise, Misconception, Promise, Property, attempts

__all__ = ["DENOISE", "PAIRED_REPORT"]

_BACK, _FOUR, _BILL = "The way back", "Four questions", "The bill"


# -- 8.6


def denoise(X, Xq, sigma, q, steps):
    """Scores on q axes, weights β, and so many fixed-point steps from the points themselves."""
    return _clean(X, Xq, sigma, q, steps)


def _weights(X, Xq, sigma, q, *, centre=True, centre_new=True, own_means=False, mean=True, over=0.5, least=False,
             level=False):  # fmt: skip
    """β, a row for each new point; α = b over λ to the power ``over``."""
    K, Kq = gaussian(X, X, sigma), gaussian(Xq, X, sigma)
    Kq = Kq / Kq.max(axis=1, keepdims=True) if level else Kq
    lam, B = np.linalg.eigh(center_gram(K) if centre else K)
    order = np.arange(1, q + 1) if least else np.arange(len(K))[::-1][:q]
    alpha = B[:, order] / lam[order] ** over
    if own_means:
        Kq = Kq - Kq.mean(axis=0)
    elif centre and centre_new:
        Kq = center_test_gram(K, Kq)
    s = Kq @ alpha
    return s @ alpha.T + mean / len(X)


def _clean(X, Xq, sigma, q, steps, *, start=None, renew=True, divide=True, kernel=True, beta=None, clip=False, part=1.0,
           **how):  # fmt: skip
    beta = _weights(X, Xq, sigma, q, **how) if beta is None else beta
    Z = Xq if start is None else np.broadcast_to(start, Xq.shape)
    for _ in range(steps):
        W = beta * (gaussian(Z if renew else Xq, X, sigma) if kernel else 1.0)
        W = np.maximum(W, 0.0) if clip else W
        there = W @ X / (W.sum(axis=1, keepdims=True) if divide else 1.0)
        Z = there if part == 1 else Z + part * (there - Z)
    return Z


def _with_new_scores(X, Xq, sigma, q, steps):
    """Each step is the first one of the point where it begins."""
    for _ in range(steps):
        Xq = _clean(X, Xq, sigma, q, 1)
    return Xq


def _from_nearest_feature(X, Xq, sigma, q, steps):
    beta = _weights(X, Xq, sigma, q)
    return _clean(X, Xq, sigma, q, steps, beta=beta, start=X[np.argmax(beta @ gaussian(X, X, sigma), axis=1)])


def _from_nearest_point(X, Xq, sigma, q, steps):
    return _clean(X, Xq, sigma, q, steps, start=X[np.argmax(gaussian(Xq, X, sigma), axis=1)])


def _noisy(rng, cases):
    """X, noisy points, σ, q, steps: such that no denominator comes near 0 and λ_q and λ_(q+1) are apart."""
    return [_noisy_one(rng, *case) for case in cases]


def _noisy_one(rng, n, m, d, q, steps):
    """With many steps (40): who stops at a step shorter than 1e-3, 1e-4 or 1e-5 is seen to, who stops at 1e-6 never is."""
    for _ in attempts("denoise"):
        X = rng.normal(size=(n, d)) + rng.uniform(-1.5, 1.5, d)
        Xq = X[rng.choice(n, m, replace=False)] + 0.5 * rng.normal(size=(m, d))
        sigma = float(rng.uniform(1.4, 2.2))
        lam = np.linalg.eigvalsh(center_gram(gaussian(X, X, sigma)))[::-1]
        beta = _weights(X, Xq, sigma, q)
        path = [Xq]
        for _ in range(steps + 1):
            path.append(_clean(X, path[-1], sigma, q, 1, beta=beta))
        least = min(np.min(np.sum(beta * gaussian(Z, X, sigma), axis=1)) for Z in path)
        tells = _seen(path[:-1]) if steps > 10 else np.abs(path[-1] - path[-2]).max() > 1e-3
        if least > 0.3 and lam[q - 1] > 1.3 * lam[q] and tells:
            return X, Xq, sigma, q, steps


def _seen(path):
    """Whether stopping at a short step shows in the end, in units of what the check allows, for 1e-5 and more alone."""
    allowed, short = RTOL * np.abs(path[-1]).max(), [np.abs(b - a).max() for a, b in pairwise(path)]

    def off(tol):
        at = next((i + 1 for i, step in enumerate(short) if step < tol), len(short))
        return np.abs(path[at] - path[-1]).max() / allowed

    return min(map(off, (1e-3, 1e-4, 1e-5))) > 2 and off(1e-6) < 0.5


_N = USE + "X = np.array([[0.0], [1], [3], [4]])   # two pairs, on a line\n" \
    "def to(x, q=1, steps=1, sigma=2.0):\n    return np.ravel(denoise(X, np.array([[x]]), sigma, q, steps))[0]\n"  # fmt: skip

_H = USE + "sigma = 100 / np.sqrt(2 * np.log(2))   # the kernel of two points at distance 100 is 1/2\n" \
    "z = np.ravel(denoise(np.array([[0.0], [100]]), np.array([[-100.0]]), sigma, 1, 1))[0]\n"  # fmt: skip

DENOISE = Exercise(
    name="denoise",
    chapter=CHAPTER,
    number="8.6",
    returns="the cleaned points, shape (m, d)",
    reference=denoise,
    properties=(
        Property("does one step of the way back", 4, lambda r: _noisy(r, (
            (8, 4, 3, 2, 1), (10, 5, 4, 3, 1), (9, 1, 3, 2, 1)))),
        Property(
            "makes as many steps as asked, each from where the last one ended",
            2,
            lambda r: _noisy(r, ((9, 4, 3, 2, 3), (7, 4, 3, 2, 0), (8, 2, 4, 3, 40))),
            hint="Your answer is right for one step, and not for all other numbers of steps: each starts from the point that the last one "
            "found, with kernels taken there and the same β; with none, the noisy points come back as they are, and with many no step is left out because it is short.",
        ),
    ),
    promises=(
        Promise("have λ_q and λ_(q+1) apart", lambda X, Xq, sigma, q, steps: np.divide(
            *np.linalg.eigvalsh(center_gram(gaussian(X, X, sigma)))[::-1][q - 1 : q + 1]) > 1.3, of=(0, 1)),
        Promise("have no denominator near 0", lambda X, Xq, sigma, q, steps: min(
            np.min(np.sum(_weights(X, Xq, sigma, q) * gaussian(denoise(X, Xq, sigma, q, t), X, sigma), axis=1))
            for t in range(steps + 1)) > 0.3, of=(0, 1)),
        Promise("have several steps, or none", lambda X, Xq, sigma, q, steps: steps != 1, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "new rows not centred",
            lambda *a: _clean(*a, centre_new=False),
            "K has been centred, but not the rows of the new points: all scores are off by one constant for each axis.",
            f"Read “{_FOUR}” again: question 4 and equation (5).",
            _N + "print(to(1.0, q=3))   # with all axes nothing of a training point is thrown away: should print 1",
        ),
        Misconception(
            "nothing centred",
            lambda *a: _clean(*a, centre=False),
            "Neither K nor the new rows have been centred, and yet the mean feature is added.",
            "Read “Move the origin” again: PCA looks at deviations from the mean.",
            _N + "print(to(0.0) < 0.6)   # the first axis tells the pairs apart, so 0 goes to its pair: should print True",
        ),
        Misconception(
            "axes through the origin",
            lambda *a: _clean(*a, centre=False, mean=False),
            "You leave out the centring and the mean feature: that fits together, but its axes go through the origin and not through the mean.",
            "Read “Move the origin” again: what the first axis is without centring.",
            _N + "print(to(1.0) < 1)   # 1 belongs to the pair on the left, and one axis tells the pairs apart: should print True",
        ),
        Misconception(
            "mean feature forgotten",
            lambda *a: _clean(*a, mean=False),
            "The 1/n in β is missing: you go back from deviations and never add their mean.",
            f"Read “{_BACK}” again: p in (9) begins with the mean feature.",
            _N + "print(1.5 < to(2.2) < 2.9)   # a mean of the points near it, with positive weights: should print True",
        ),
        Misconception(
            "weights not renewed",
            lambda X, Xq, sigma, q, steps: _clean(X, Xq, sigma, q, steps, renew=False),
            "All your steps give the point of the first one: the kernels must be taken at the point where you are, not at the noisy one.",
            f"Read “{_BACK}” again: z occurs on both sides of (10).",
            _N + "print(abs(to(1.2, steps=2) - to(1.2)) > 1e-3)   # the second step goes further: should print True",
        ),
        Misconception(
            "β renewed",
            _with_new_scores,
            "You project anew in each step: β belongs to the noisy point, and only the kernels move along.",
            f"Read “{_BACK}” again: (10) looks for the feature of one projection, p.",
            _N + "print(abs(to(1.2, steps=2) - to(to(1.2))) > 1e-3)   # the second step still knows of 1.2: should print True",
        ),
        Misconception(
            "no kernel in the weights",
            lambda *a: _clean(*a, kernel=False),
            "You take Σβ_i x_i, the rule of the linear kernel; for the Gaussian each weight is β_i k(z, x_i).",
            f"Read “{_BACK}” again: (10).",
            _N + "print(abs(to(1.2, steps=3) - to(1.2, steps=2)) > 1e-4)   # it goes on moving: should print True",
        ),
        Misconception(
            "not divided by the sum of the weights",
            lambda *a: _clean(*a, divide=False),
            "The denominator of (10) is missing, or is Σβ_i, which is 1; it is the sum of the weights β_i k(z, x_i).",
            f"Read “{_BACK}” again: (10) is a weighted mean.",
            _N + "print(to(2.0), 'should print 2, the middle of the points')",
        ),
        Misconception(
            "unit eigenvectors for alpha",
            lambda *a: _clean(*a, over=0.0),
            "Your α are the unit eigenvectors; b/√λ is meant, and here it counts twice, in the scores and in β.",
            f"Read “{_FOUR}” again: (3) and (4).",
            _N + "print(to(3.0, q=3))   # all axes: a training point comes back, should print 3",
        ),
        Misconception(
            "scores for alpha",
            lambda *a: _clean(*a, over=-0.5),
            "Your α are the scores of the training points, √λ b, as exercise 8.3 returns them; b/√λ is meant, a score over its λ.",
            f"Read “{_FOUR}” again: (4), and question 4 on the training points.",
            _N + "print(to(1.0, q=3, steps=50))   # all axes: a training point stays where it is, should print 1",
        ),
        Misconception(
            "divided by the eigenvalue",
            lambda *a: _clean(*a, over=1.0),
            "Your α are b/λ; b/√λ makes the axes of length 1, and here it counts twice, in the scores and in β.",
            f"Read “{_FOUR}” again: the root in (3).",
            _N + "print(to(3.0, q=3, steps=2))   # all axes, two steps: a training point is still there, should print 3",
        ),
        Misconception(
            "smallest axes",
            lambda *a: _clean(*a, least=True),
            "You keep the axes of the smallest eigenvalues: what you throw away is the signal.",
            f"Read “{_FOUR}” again: eigh sorts upwards.",
            _N + "print(to(4.0) > 3.4)   # the first axis tells the pairs apart, so 4 goes to its pair: should print True",
        ),
        Misconception(
            "scores not used",
            lambda X, Xq, sigma, q, steps: _clean(X, Xq, sigma, q, steps, beta=np.full((len(Xq), len(X)), 1 / len(X))),
            "Your weights do not depend on the scores: that is a window mean, again and again.",
            f"Read “{_BACK}” again: β in (9).",
            _N + "print(to(0.5, q=3, steps=100) < 1)   # all axes keep the point near its place: should print True",
        ),
        Misconception(
            "two forgotten in the Gaussian",
            Changed(denoise, lambda X, Xq, sigma, q, steps: (X, Xq, sigma / np.sqrt(2), q, steps)),
            "Your Gaussian has no 2: it is exp(-‖x - z‖²/(2σ²)).",
            f"Read “{_BACK}” again: the slope has σ², and the kernel 2σ².",
            _H + "print(z)   # one axis, weights 15/16 and 1/16, kernels 1/2 and 1/16: should print 100/121",
        ),
        Misconception(
            "width not squared",
            Changed(denoise, lambda X, Xq, sigma, q, steps: (X, Xq, np.sqrt(sigma), q, steps)),
            "You divide by 2σ; the width is squared in the Gaussian.",
            f"Read “{_BACK}” again: the kernel is exp(-‖x - z‖²/(2σ²)).",
            _H + "print(121 * z)   # one axis, weights 15/16 and 1/16, kernels 1/2 and 1/16: should print 100",
        ),
        Misconception(
            "negative weights left out",
            lambda *a: _clean(*a, clip=True),
            "You set negative weights to 0; β may be negative, and such a point pushes the others away.",
            f"Read “{_BACK}” again: the weights of the mean are β_i k(z, x_i), with their signs.",
            _N + "print(to(5.0, q=2) > 4)   # the points on the left push it away, beyond the last point: should print True",
        ),
        Misconception(
            "half steps",
            lambda *a: _clean(*a, part=0.5),
            "You go half of the way in each step; the task says to use the formula itself, so a step ends where (10) says.",
            f"Read “{_BACK}” again: one step is one use of (10).",
            _H + "print(z > 0)   # from -100 one whole step leads to 100/121: should print True",
        ),
        Misconception(
            "starts at the mean of the points",
            lambda X, Xq, sigma, q, steps: _clean(X, Xq, sigma, q, steps, start=X.mean(axis=0)),
            "You start at the mean of the training points; the task says at the noisy point itself.",
            f"Read “{_BACK}” again: start somewhere and repeat; where, is said in the task.",
            _N + "print(to(1.2, steps=0))   # no step: should print 1.2",
        ),
        Misconception(
            "starts at the training point with the nearest feature",
            _from_nearest_feature,
            "You start as the lecture's `pre_image` does, at the training point whose feature is nearest; the task says at the noisy point itself.",
            f"Read “{_BACK}” again: start somewhere and repeat; where, is said in the task.",
            _N + "print(to(3.7, steps=0))   # no step, so nothing moves: should print 3.7",
        ),
        Misconception(
            "starts at the nearest training point",
            _from_nearest_point,
            "You start at the training point nearest to each noisy one; the task says at the noisy point itself.",
            f"Read “{_BACK}” again: start somewhere and repeat; where, is said in the task.",
            _N + "print(to(0.4, steps=0))   # no step, so nothing moves: should print 0.4",
        ),
        Misconception(
            "new rows centred with their own means",
            lambda *a: _clean(*a, own_means=True),
            "You centre the new rows with the means of the new points: what becomes of one then depends on who else is cleaned.",
            f"Read “{_FOUR}” again: below (5), whose mean it is.",
            _N + "print(np.round(to(4.0, q=3), 3))   # alone, and all axes: a training point comes back, should print 4",
        ),
        Misconception(
            "rows over their largest entry",
            lambda *a: _clean(*a, level=True),
            "You divide the new rows by their largest entries, as *The bill* does for much noise; here they are taken as they are.",
            f"Read “{_FOUR}” again: (5) has K_q itself.",
            _N + "print(to(6.0, q=3, steps=50) < 5)   # its row is faint, and as it is it leads back below 5: should print True",
        ),
        Misconception(
            "one step too few",
            Changed(denoise, lambda X, Xq, sigma, q, steps: (X, Xq, sigma, q, max(steps - 1, 0))),
            "You make one step less than asked.",
            f"Read “{_BACK}” again: one step is one use of (10).",
            _N + "print(abs(to(1.2) - 1.2) > 1e-3)   # a step moves it: should print True",
        ),
        Misconception(
            "one step too many",
            Changed(denoise, lambda X, Xq, sigma, q, steps: (X, Xq, sigma, q, steps + 1)),
            "You make one step more than asked.",
            f"Read “{_BACK}” again: one step is one use of (10).",
            _N + "print(to(0.3, steps=0), 'should print 0.3: no step')",
        ),
    ),
    step=f"Read “{_BACK}” again: (9), then (10).",
    experiment=_N + "print(to(2.0), to(1.0, q=3))   # the middle stays; all axes give a training point back: should print 2, 1",
    sizes=lambda X, Xq, sigma, q, steps: {"n": len(X), "d": X.shape[1], "σ": sigma, "q": q},
)  # fmt: skip


# -- 8.7


def paired_report(clean, first, second):
    """Mean errors of both, the mean difference, and its standard error."""
    return _report(clean, first, second)


def _of_picture(after, clean):
    return np.sqrt(np.mean((after - clean) ** 2, axis=1))


def _report(clean, first, second, *, error=_of_picture, turn=lambda d: d, spread=None):
    a, b = error(first, clean), error(second, clean)
    d = turn(a - b)
    se = d.std(ddof=1) / np.sqrt(len(d)) if spread is None else spread(a, b)
    return np.array([a.mean(), b.mean(), d.mean(), se])


def _over_everything(clean, first, second):
    right = _report(clean, first, second)
    a, b = (np.sqrt(np.mean((after - clean) ** 2)) for after in (first, second))
    return np.array([a, b, a - b, right[3]])


def _cleaned(rng, shapes=((12, 5), (9, 7), (15, 4))):
    found = []
    for n, d in shapes:
        clean = rng.normal(size=(n, d))
        each = rng.uniform(0.3, 2.5, (n, 1))
        found.append((clean, clean + each * rng.normal(size=(n, d)), clean + 0.6 * each * rng.normal(size=(n, d))))
    return found


_E = USE + "c = np.zeros((3, 4)); a = c + [[1.0], [2], [3]]; b = c + [[1.0], [1], [1]]   # off by 1, 2, 3 and by 1, 1, 1\n" \
    "one, two, gap, se = paired_report(c, a, b)\n"  # fmt: skip

PAIRED_REPORT = Exercise(
    name="paired_report",
    chapter=CHAPTER,
    number="8.7",
    returns="two mean errors, the mean difference and its standard error, `return first, second, difference, se`",
    reference=paired_report,
    parts=("mean error of the first", "mean error of the second", "mean difference", "standard error"),
    properties=(Property("reports both errors, and how sure their difference is", 4, _cleaned),),
    misconceptions=(
        Misconception(
            "spread of single pictures",
            lambda c, a, b: _report(c, a, b, spread=lambda p, q: (p - q).std(ddof=1)),
            "Your last number is the standard deviation of the differences; that of their mean is √m times smaller.",
            f"Read “{_BILL}” again: it is a mean over pictures whose error is wanted.",
            _E + "print(se)   # the differences are 0, 1, 2, of spread 1: should print 0.5774",
        ),
        Misconception(
            "divided by m under the root",
            lambda c, a, b: _report(c, a, b, spread=lambda p, q: (p - q).std() / np.sqrt(len(p))),
            "Your spread divides by m; from a sample it is m - 1, `ddof=1`.",
            f"Read “{_BILL}” again: the standard error there.",
            _E + "print(se**2)   # (1 + 0 + 1)/2 over 3: should print 1/3",
        ),
        Misconception(
            "variance of the mean",
            lambda c, a, b: _report(c, a, b, spread=lambda p, q: (p - q).var(ddof=1) / len(p)),
            "Your last number is the variance of the mean difference; its root is the standard error, in grey levels.",
            f"Read “{_BILL}” again: the standard error there.",
            _E + "print(3 * se**2)   # the variance of the differences, 1, is three times that of their mean: should print 1",
        ),
        Misconception(
            "half of an interval",
            lambda c, a, b: _report(c, a, b, spread=lambda p, q: 1.96 * (p - q).std(ddof=1) / np.sqrt(len(p))),
            "Your last number is half of an interval of 95 %, nearly two standard errors; one standard error is asked for.",
            f"Read “{_BILL}” again: the standard error there.",
            _E + "print(paired_report(c, 3 * a, b)[3])   # the differences are 2, 5, 8, of spread 3: should print 1.7321",
        ),
        Misconception(
            "not paired",
            lambda c, a, b: _report(
                c, a, b, spread=lambda p, q: np.sqrt((p.var(ddof=1) + q.var(ddof=1)) / len(p))
            ),
            "You add the variances of the two means, as if they came from different pictures; take the spread of the differences.",
            f"Read “{_BILL}” again: the same pictures and the same noise for both.",
            _E + "print(paired_report(c, a, 2 * a)[3], paired_report(c, a, a + 1)[3])   # a + 1 is 1 worse each time: 0",
        ),
        Misconception(
            "root over everything",
            _over_everything,
            "You take the root of the mean over all pixels of all pictures; asked is the error of each picture, and then their mean.",
            f"Read “{_BILL}” again: the first paragraph, how an error is defined.",
            _E + "print(one)   # the mean of 1, 2, 3: should print 2",
        ),
        Misconception(
            "no root",
            lambda c, a, b: _report(c, a, b, error=lambda after, clean: np.mean((after - clean) ** 2, axis=1)),
            "The root is missing: yours are mean squared errors, in squared grey levels.",
            f"Read “{_BILL}” again: the error of a picture is in grey levels.",
            _E + "print(one, 'should print 2, the mean of 1, 2, 3')",
        ),
        Misconception(
            "summed over pixels",
            lambda c, a, b: _report(c, a, b, error=lambda after, clean: np.linalg.norm(after - clean, axis=1)),
            "Your errors are distances of pictures, which grow with the number of pixels; take the mean over pixels below the root.",
            f"Read “{_BILL}” again: a mean squared error of pixels.",
            _E + "print(two)   # each pixel is off by 1: should print 1",
        ),
        Misconception(
            "absolute errors",
            lambda c, a, b: _report(c, a, b, error=lambda after, clean: np.mean(np.abs(after - clean), axis=1)),
            "You average absolute values; the root of the mean square is asked for.",
            f"Read “{_BILL}” again: how the error of a picture is defined.",
            _E + "print(paired_report(c[:2], c[:2] + [0, 0, 0, 2], b[:2])[0])   # one pixel of four off by 2: should print 1",
        ),
        Misconception(
            "second less first",
            lambda c, a, b: _report(c, a, b, turn=lambda d: -d),
            "Your difference has the other sign: first less second is asked for, negative where the first is better.",
            f"Read “{_BILL}” again: what its differences say.",
            _E + "print(gap)   # 2 less 1: should print 1",
        ),
        Misconception(
            "absolute differences",
            lambda c, a, b: _report(c, a, b, turn=np.abs),
            "You average absolute differences: where one cleaner is better here and the other there, they have to cancel.",
            f"Read “{_BILL}” again: a difference may be negative.",
            _E + "print(paired_report(c, b, a)[2])   # the other way round: should print -1",
        ),
        Misconception(
            "pixels for pictures",
            lambda c, a, b: _report(c.T, a.T, b.T),
            "You average over pictures first and then over pixels; a row is a picture.",
            f"Read “{_BILL}” again: an error for each picture.",
            _E + "print(se > 0.1)   # the three pictures differ: should print True",
        ),
    ),
    step=f"Read “{_BILL}” again: an error for each picture, then means, then the spread of the differences.",
    experiment=_E + "print(one, two, gap, se)   # should print 2, 1, 1, 0.5774",
    sizes=lambda clean, first, second: {"m": len(clean), "d": clean.shape[1]},
)  # fmt: skip
