"""Exercises 8.6 and 8.7: denoising by kernel PCA, and the standard error of a paired difference."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from kcourse.chapters.ch08_kpca.center import CHAPTER, USE, center_gram, center_test_gram
from kcourse.chapters.gaussian_mistakes import gaussian
from kcourse.checks.compare import as_numbers, close
from kcourse.checks.spec import RTOL, Changed, Exercise, Misconception, Observation, Promise, Property, attempts

__all__ = ["DENOISE", "PAIRED_REPORT"]

_BACK, _RESULT, _PAIRS = "The way back: pre-images", "Comparing the denoisers", "How certain is a difference?"
_FOUR, _SCORE = "Four questions: the principal axes", "Question 4: where does a point lie on the axes?"


# -- 8.6


def denoise(X, Xq, sigma, q, steps):
    """Scores on q axes, weights β, and so many fixed-point steps from the points themselves."""
    return _clean(X, Xq, sigma, q, steps)


def _weights(X, Xq, sigma, q, *, centre=True, centre_new=True, mean=True, over=0.5, normalise=False):
    """β, a row for each new point; α = b over λ to the power ``over``."""
    K, Kq = gaussian(X, X, sigma), gaussian(Xq, X, sigma)
    Kq = Kq / Kq.max(axis=1, keepdims=True) if normalise else Kq
    lam, B = np.linalg.eigh(center_gram(K) if centre else K)
    alpha = B[:, ::-1][:, :q] / lam[::-1][:q] ** over
    if centre and centre_new:
        Kq = center_test_gram(K, Kq)
    s = Kq @ alpha
    return s @ alpha.T + mean / len(X)


def _clean(X, Xq, sigma, q, steps, *, start=None, renew=True, divide=True, kernel=True, beta=None, **how):
    beta = _weights(X, Xq, sigma, q, **how) if beta is None else beta
    Z = Xq if start is None else np.broadcast_to(start, Xq.shape)
    for _ in range(steps):
        W = beta * (gaussian(Z if renew else Xq, X, sigma) if kernel else 1.0)
        Z = W @ X / (W.sum(axis=1, keepdims=True) if divide else 1.0)
    return Z


def _with_new_scores(X, Xq, sigma, q, steps):
    """Each step is the first one of the point where it begins."""
    for _ in range(steps):
        Xq = _clean(X, Xq, sigma, q, 1)
    return Xq


def _one_more(X, Xq, sigma, q, steps):
    return _clean(X, Xq, sigma, q, steps + 1)


def _one_less(X, Xq, sigma, q, steps):
    return _clean(X, Xq, sigma, q, steps - 1)


def _from_nearest_feature(X, Xq, sigma, q, steps):
    beta = _weights(X, Xq, sigma, q)
    return _clean(X, Xq, sigma, q, steps, beta=beta, start=X[np.argmax(beta @ gaussian(X, X, sigma), axis=1)])


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
        Property("makes one fixed-point step", 3, lambda r: _noisy(r, (
            (8, 4, 3, 2, 1), (10, 5, 4, 3, 1), (9, 1, 3, 2, 1)))),
        Property(
            "ends at a pre-image after many steps, each from where the last one ended",
            2,
            lambda r: _noisy(r, ((8, 2, 4, 3, 40),)),
            hint="Your answer fails only for many steps. Each step starts at the result of the last one, with kernels there and the same β. "
            "Do not stop early.",
        ),
        Property(
            "makes as many steps as asked, also 3 and none",
            1,
            lambda r: _noisy(r, ((9, 4, 3, 2, 3), (7, 4, 3, 2, 0))),
            hint="Your answer fails only for a few steps or for none. Count the steps, let each start at the result of the last one, and "
            "return the noisy points for steps=0.",
        ),
    ),
    promises=(
        Promise("have λ_q and λ_(q+1) apart", lambda X, Xq, sigma, q, steps: np.divide(
            *np.linalg.eigvalsh(center_gram(gaussian(X, X, sigma)))[::-1][q - 1 : q + 1]) > 1.3, of=(0, 1, 2)),
        Promise("have no denominator near 0", lambda X, Xq, sigma, q, steps: min(
            np.min(np.sum(_weights(X, Xq, sigma, q) * gaussian(denoise(X, Xq, sigma, q, t), X, sigma), axis=1))
            for t in range(steps + 1)) > 0.3, of=(0, 1, 2)),
        Promise("have several steps, or none", lambda X, Xq, sigma, q, steps: steps != 1, of=(1, 2)),
    ),
    misconceptions=(
        Misconception(
            "new rows not centred",
            lambda *a: _clean(*a, centre_new=False),
            "You centre K, but not the rows of the new points. All scores on an axis are wrong by one constant. Centre the rows with (5).",
            f"Read “{_SCORE}” again: equation (5).",
            _N + "print(to(1.0, q=3))   # with all axes nothing of a training point is thrown away: should print 1",
        ),
        Misconception(
            "nothing centred",
            lambda *a: _clean(*a, centre=False),
            "You centre neither K nor the new rows, but you add the mean feature. Centre both.",
            "Read “Centring the Gram matrix” again: PCA looks at deviations from the mean.",
            _N + "print(to(0.0) < 0.6)   # the first axis tells the pairs apart, so 0 goes to its pair: should print True",
        ),
        Misconception(
            "mean feature forgotten",
            lambda *a: _clean(*a, mean=False),
            "You leave out the 1/n in β. The scores describe a deviation from the mean feature, so add the mean feature.",
            f"Read “{_BACK}” again: p in (9) begins with the mean feature.",
            _N + "print(1.5 < to(2.2) < 2.9)   # a mean of the points near it, with positive weights: should print True",
        ),
        Misconception(
            "weights not renewed",
            lambda X, Xq, sigma, q, steps: _clean(X, Xq, sigma, q, steps, renew=False),
            "You use the kernels at the noisy point in each step. Compute them at the current point.",
            f"Read “{_BACK}” again: z occurs on both sides of (10).",
            _N + "print(abs(to(1.2, steps=2) - to(1.2)) > 1e-3)   # the second step goes further: should print True",
        ),
        Misconception(
            "β renewed",
            _with_new_scores,
            "You compute β again in each step. It belongs to the noisy point. Only the kernels change.",
            f"Read “{_BACK}” again: (10) has one β, that of p.",
            _N + "print(abs(to(1.2, steps=2) - to(to(1.2))) > 1e-3)   # the second step still uses the β of 1.2: should print True",
        ),
        Misconception(
            "no kernel in the weights",
            lambda *a: _clean(*a, kernel=False),
            "You return Σβ_i x_i, the pre-image for the linear kernel. For the Gaussian kernel each weight is β_i k(z, x_i).",
            f"Read “{_BACK}” again: (10).",
            _N + "print(abs(to(1.2, steps=3) - to(1.2, steps=2)) > 1e-4)   # it goes on moving: should print True",
        ),
        Misconception(
            "not divided by the sum of the weights",
            lambda *a: _clean(*a, divide=False),
            "You leave out the denominator of (10), or divide by Σβ_i, which is 1. Divide by Σβ_i k(z, x_i).",
            f"Read “{_BACK}” again: (10) is a weighted mean.",
            _N + "print(to(2.0), 'should print 2, the middle of the points')",
        ),
        Misconception(
            "unit eigenvectors for alpha",
            lambda *a: _clean(*a, over=0.0),
            "You use unit eigenvectors as α. Use b/√λ, in the scores and in β.",
            f"Read “{_FOUR}” again: (3) and (4).",
            _N + "print(to(3.0, q=3))   # all axes: a training point comes back, should print 3",
        ),
        Misconception(
            "scores for alpha",
            lambda *a: _clean(*a, over=-0.5),
            "You use the scores of exercise 8.3, √λ b, as α. Divide them by λ to get b/√λ.",
            f"Read “{_FOUR}” again: (4), and the scores of the training points.",
            _N + "print(to(1.0, q=3, steps=50))   # all axes: a training point stays where it is, should print 1",
        ),
        Misconception(
            "two forgotten in the Gaussian",
            Changed(denoise, lambda X, Xq, sigma, q, steps: (X, Xq, sigma / np.sqrt(2), q, steps)),
            "You divide by σ² in the Gaussian. It is exp(-‖x - z‖²/(2σ²)), so divide by 2σ².",
            "Read “Centring the Gram matrix” again: the Gaussian kernel.",
            _H + "print(z)   # one axis, weights 15/16 and 1/16, kernels 1/2 and 1/16: should print 100/121",
        ),
        Misconception(
            "starts at the training point with the nearest feature",
            _from_nearest_feature,
            "You start at the training point with the nearest feature, like the chapter's `pre_image`. Start at the noisy point itself.",
            f"Read “{_BACK}” again: the start is free there, and the exercise fixes it.",
            _N + "print(to(3.7, steps=0))   # no step, so nothing moves: should print 3.7",
        ),
        Misconception(
            "rows normalised",
            lambda *a: _clean(*a, normalise=True),
            "You divide the new rows by their largest entries. The exercise uses them as they are.",
            f"Read “{_SCORE}” again: (5) has K_q itself.",
            _N + "print(to(6.0, q=3, steps=50) < 5)   # its row is faint and leads back below 5: should print True",
        ),
    ),
    observations=(
        Observation(
            "You make one step more than `steps`. Use (10) exactly `steps` times.",
            lambda value, *args: close(value, _one_more(*args)),
            early=True,
        ),
        Observation(
            "You make one step less than `steps`. Use (10) exactly `steps` times.",
            lambda value, *args: close(value, _one_less(*args)),
            early=True,
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


def _roles_aside(value, clean, first, second):
    """The value; where the number of pictures is even, with the roles of the methods exchanged if that makes it right."""
    numbers, right = as_numbers(value), paired_report(clean, first, second)
    if len(clean) % 2 or np.shape(numbers) != (4,):
        return None
    one, two, gap, error = numbers
    if close([two, one], right[:2]):
        one, two = two, one
    return np.array([one, two, -gap if close(-gap, right[2]) else gap, error])


def _denoised(rng, shapes):
    """Clean pictures and two results, of which the first is better in one case at least, and the second in another."""
    found = []
    for (n, d), better in zip(shapes, rng.permutation([0, 1, rng.integers(2)][: len(shapes)]), strict=True):
        clean, each = rng.normal(size=(n, d)), rng.uniform(0.3, 2.5, (n, 1))
        results = [clean + part * each * rng.normal(size=(n, d)) for part in (0.6, 1.0)]
        found.append((clean, results[better], results[1 - better]))
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
    properties=(
        Property("reports both errors, and how sure their difference is", 3, lambda r: _denoised(r, ((12, 5), (8, 7), (14, 4)))),
        Property(
            "gives the first method first, and first minus second",
            1,
            lambda r: _denoised(r, ((9, 5), (15, 6))),
            hint="Your answer fails only in the roles of the two methods. Return the error of the first, that of the second, and first "
            "minus second with its sign.",
        ),
    ),
    promises=(
        Promise("have an even number of pictures, for which roles do not count", lambda clean, *_: len(clean) % 2 == 0),
        Promise("have an odd number of pictures", lambda clean, *_: len(clean) % 2 == 1, of=(1,)),
        Promise("have differences of both signs", lambda found: (
            {paired_report(*args)[2] > 0 for args in found} == {True, False}), (0, 1), together=True),
    ),
    misconceptions=(
        Misconception(
            "standard deviation of single pictures",
            lambda c, a, b: _report(c, a, b, spread=lambda p, q: (p - q).std(ddof=1)),
            "You return the standard deviation of the differences. The standard error of their mean is √m times smaller.",
            f"Read “{_PAIRS}” again: s/√m is the standard error of a mean.",
            _E + "print(se)   # the differences are 0, 1, 2, with standard deviation 1: should print 0.5774",
        ),
        Misconception(
            "divided by m under the root",
            lambda c, a, b: _report(c, a, b, spread=lambda p, q: (p - q).std() / np.sqrt(len(p))),
            "You divide by m in the standard deviation. Use m - 1, `ddof=1`.",
            f"Read “{_PAIRS}” again: the standard error s/√m.",
            _E + "print(se**2)   # (1 + 0 + 1)/2 over 3: should print 1/3",
        ),
        Misconception(
            "first and second exchanged",
            Changed(paired_report, lambda c, a, b: (c, b, a)),
            "You exchange the two methods. Return the error of the first, that of the second, and first minus second.",
            f"Read “{_PAIRS}” again: first minus second.",
            _E + "print(one, two)   # the means of 1, 2, 3 and of 1, 1, 1: should print 2, 1",
        ),
        Misconception(
            "not paired",
            lambda c, a, b: _report(
                c, a, b, spread=lambda p, q: np.sqrt((p.var(ddof=1) + q.var(ddof=1)) / len(p))
            ),
            "You add the variances of the two means, as if they came from different pictures. Use the standard deviation of the differences.",
            f"Read “{_PAIRS}” again: both methods have the same pictures and the same noise.",
            _E + "print(paired_report(c, a, 2 * a)[3], paired_report(c, a, a + 1)[3])   # a + 1 is 1 worse each time: 0",
        ),
        Misconception(
            "root over everything",
            _over_everything,
            "You take the root of the mean over all pixels of all pictures. Compute the error of each picture, and then their mean.",
            f"Read “{_RESULT}” again: the error of one picture.",
            _E + "print(one)   # the mean of 1, 2, 3: should print 2",
        ),
        Misconception(
            "no root",
            lambda c, a, b: _report(c, a, b, error=lambda after, clean: np.mean((after - clean) ** 2, axis=1)),
            "You return mean squared errors. Take the root for each picture.",
            f"Read “{_RESULT}” again: the error of one picture.",
            _E + "print(one, 'should print 2, the mean of 1, 2, 3')",
        ),
        Misconception(
            "summed over pixels",
            lambda c, a, b: _report(c, a, b, error=lambda after, clean: np.linalg.norm(after - clean, axis=1)),
            "You return distances of pictures, which grow with the number of pixels. Take the mean over pixels before the root.",
            f"Read “{_RESULT}” again: the error of one picture.",
            _E + "print(two)   # each pixel is off by 1: should print 1",
        ),
        Misconception(
            "absolute errors",
            lambda c, a, b: _report(c, a, b, error=lambda after, clean: np.mean(np.abs(after - clean), axis=1)),
            "You average absolute values. Take the root of the mean square.",
            f"Read “{_RESULT}” again: the error of one picture.",
            _E + "print(paired_report(c[:2], c[:2] + [0, 0, 0, 2], b[:2])[0])   # one pixel of four off by 2: should print 1",
        ),
        Misconception(
            "second less first",
            lambda c, a, b: _report(c, a, b, turn=lambda d: -d),
            "You return second minus first. Return first minus second, which is negative if the first is better.",
            f"Read “{_PAIRS}” again: first minus second.",
            _E + "print(gap)   # 2 less 1: should print 1",
        ),
        Misconception(
            "sign of the difference lost",
            lambda c, a, b: np.abs(_report(c, a, b)),
            "You return the absolute value of the difference. Keep its sign, which says which method is better.",
            f"Read “{_PAIRS}” again: first minus second.",
            _E + "print(paired_report(c, b, a)[2])   # 1 minus 2: should print -1",
        ),
        Misconception(
            "absolute differences",
            lambda c, a, b: _report(c, a, b, turn=np.abs),
            "You average absolute differences. Keep the signs, so that differences in favour of either method cancel.",
            f"Read “{_PAIRS}” again: the mean of the differences.",
            _E + "print(paired_report(c, b, a)[2])   # the other way round: should print -1",
        ),
        Misconception(
            "pixels for pictures",
            lambda c, a, b: _report(c.T, a.T, b.T),
            "You average over pictures first and then over pixels. A row is a picture, so use axis=1 first.",
            f"Read “{_RESULT}” again: the error of one picture.",
            _E + "print(se > 0.1)   # the three pictures differ: should print True",
        ),
    ),
    step=f"Read “{_PAIRS}” again: the mean of the differences, and its standard error.",
    experiment=_E + "print(one, two, gap, se)   # should print 2, 1, 1, 0.5774",
    sizes=lambda clean, first, second: {"m": len(clean), "d": clean.shape[1]},
    view=_roles_aside,
)  # fmt: skip
