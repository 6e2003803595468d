"""Exercises 4.1, 4.3, 4.4 and 4.6: conditioning, drawing, the bridge, and a forecast that is checked."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from kcourse.chapters.gaussian_mistakes import squares
from kcourse.checks.spec import Exercise, Misconception, Observation, Promise, Property, attempts, sensitive

__all__ = ["BRIDGE_COV", "CHAPTER", "FORECAST_COVERAGE", "GP_POSTERIOR", "GP_SAMPLE", "USE", "both"]

CHAPTER = "ch04_gp"
KERNELS = ("kcourse.kernels",)  # what an answer may call
USE = "import numpy as np\n"  # how an experiment begins


def both(value, *_):
    """Two arrays of one length, as one array of two rows."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return None
    first, second = (np.asarray(part, dtype=float) for part in value)
    return np.stack([first, second]) if first.shape == second.shape and first.ndim == 1 else None


# -- 4.1


def gp_posterior(K, Ks, kss, y, noise_var):
    """Mean and variance of f at new places: K* A⁻¹ y and k** - diag(K* A⁻¹ K*ᵀ)."""
    return _posterior(K, Ks, kss, y, noise_var)


def _posterior(K, Ks, kss, y, noise_var, *, reduce=1.0, finish=lambda v: v):
    A = K + noise_var * np.eye(len(y))
    W = np.linalg.solve(A, np.column_stack([y, Ks.T]))
    return np.stack([Ks @ W[:, 0], finish(kss - reduce * np.sum(Ks.T * W[:, 1:], axis=0))])


def _gauss(X, Z, ell):
    return np.exp(-squares(X, Z) / (2 * ell**2))


def _questions(rng, shapes=((6, 4), (8, 3), (5, 9))):
    """Matrices of a process with prior variances that are neither 1 nor equal."""
    found = []
    for n, q in shapes:
        X, Xq = rng.uniform(-2, 2, (n, 2)), rng.uniform(-2, 2, (q, 2))
        ell, scale = rng.uniform(0.7, 1.4), rng.uniform(1.5, 3.0)

        def k(A, B, ell=ell, scale=scale):
            return scale * _gauss(A, B, ell) + 0.3 * A @ B.T

        kss = np.diag(k(Xq, Xq)).copy()
        noise = rng.uniform(0.15, 0.5) if found else rng.uniform(0.004, 0.01)
        found.append((k(X, X), k(Xq, X), kss, rng.normal(size=n) + 0.5, float(noise)))
    return found


def _mean_centred(K, Ks, kss, y, noise_var):
    mean, var = _posterior(K, Ks, kss, y - y.mean(), noise_var)
    return np.stack([mean + y.mean(), var])


def _mean_added(K, Ks, kss, y, noise_var):
    mean, var = _posterior(K, Ks, kss, y, noise_var)
    return np.stack([mean + y.mean(), var])


def _half_solved(K, Ks, kss, y, noise_var):
    """The mean from L⁻¹y, as if L Lᵀ were solved after one triangle."""
    L = np.linalg.cholesky(K + noise_var * np.eye(len(y)))
    return np.stack([Ks @ np.linalg.solve(L, y), _posterior(K, Ks, kss, y, noise_var)[1]])


def _squares_of_the_whole(K, Ks, kss, y, noise_var):
    """Σv² with v = A⁻¹K*ᵀ, where it is L⁻¹K*ᵀ whose squares are wanted."""
    whole = np.linalg.solve(K + noise_var * np.eye(len(y)), Ks.T)
    return np.stack([_posterior(K, Ks, kss, y, noise_var)[0], kss - np.sum(whole**2, axis=0)])


_G = USE + "one = np.ones((1, 1)); ks = np.array([[1.0], [0.5]]); kss = np.ones(2)   # one measurement, two places\n" \
    "m, v = gp_posterior(one, ks, kss, np.array([1.0]), 0.25)\n"  # fmt: skip

GP_POSTERIOR = Exercise(
    name="gp_posterior",
    chapter=CHAPTER,
    number="4.1",
    returns="mean and variance of f at the new places, `return mean, var`, both of shape (q,)",
    reference=gp_posterior,
    properties=(
        Property(
            "gives mean and variance of f, for one matrix after another", 3, sensitive(_questions, gp_posterior)
        ),
        Property(
            "works for a single new place",
            1,
            lambda r: _questions(r, ((6, 1), (4, 1))),
            hint="Your answer fails only for a single new place: both parts must have shape (1,) then. A squeeze, or a product that "
            "sums over everything, loses it.",
        ),
    ),
    promises=(
        Promise("have prior variances that are neither 1 nor equal", lambda K, Ks, kss, y, v: (
            kss.min() > 1.1 and np.ptp(kss) > 0.05 and np.ptp(np.diag(K)) > 0.05)),
        Promise("have one new place", lambda K, Ks, kss, y, v: len(kss) == 1, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "standard deviation for the noise variance",
            lambda K, Ks, kss, y, v: _posterior(K, Ks, kss, y, np.sqrt(v)),
            "You add σ_n to the diagonal where σ_n² belongs: what the function is given is a variance already.",
            "Read “Find the error” again: the first of its two mistakes, the other way round.",
            _G + "print(m[0])   # 1/(1 + 0.25): should print 0.8",
        ),
        Misconception(
            "noise variance squared",
            lambda K, Ks, kss, y, v: _posterior(K, Ks, kss, y, v**2),
            "You square the noise variance once more: it is σ_n² already.",
            "Read “Find the error” again: a variance is not a standard deviation.",
            _G + "print(m[0], 'should print 0.8, which is 1/(1 + 0.25)')",
        ),
        Misconception(
            "variance of a new measurement",
            lambda K, Ks, kss, y, v: _posterior(K, Ks, kss, y, v) + np.array([[0.0], [v]]),
            "Your variance is that of a new measurement, larger by σ_n²; asked is that of the curve f.",
            "Read “A band that never saw the data” again: there are two bands.",
            _G + "print(v[0])   # 1 - 1/1.25: should print 0.2",
        ),
        Misconception(
            "standard deviation for variance",
            lambda K, Ks, kss, y, v: _posterior(K, Ks, kss, y, v, finish=lambda e: np.sqrt(np.maximum(e, 0))),
            "You return the standard deviation; the variance is asked for.",
            "Read “Conditioning” again: (3) has a covariance, and its diagonal is what is meant.",
            _G + "print(v[0] / m[0])   # 0.2 over 0.8: should print 1/4",
        ),
        Misconception(
            "no noise",
            lambda K, Ks, kss, y, v: _posterior(K, Ks, kss, y, 1e-12),
            "The noise is missing: your mean passes through every measurement.",
            "Read “Conditioning” again: A is K + σ_n²I.",
            _G + "print(v[0])   # a noisy measurement leaves some doubt: should print 0.2, not 0",
        ),
        Misconception(
            "noise in every entry",
            lambda K, Ks, kss, y, v: _posterior(K + v, Ks, kss, y, 0.0),
            "You add σ_n² to every entry of K; noises of two measurements have nothing to do with each other, so it stands on the "
            "diagonal alone.",
            "Read “Conditioning” again: A is K + σ_n²I, with an I.",
            USE + "m, v = gp_posterior(np.eye(2), np.array([[1.0, 0.0]]), np.ones(1), np.array([1.0, 0.0]), 0.25)\n"
            "print(m[0])   # the second measurement says nothing of this place: should print 0.8",
        ),
        Misconception(
            "noise in the mean alone",
            lambda K, Ks, kss, y, v: np.stack([_posterior(K, Ks, kss, y, v)[0], _posterior(K, Ks, kss, y, 0.0)[1]]),
            "Your mean knows of the noise and your variance does not: both are made with A = K + σ_n²I.",
            "Read “Conditioning” again: one A in both lines of (3).",
            _G + "print(m[0] + v[0])   # 1/1.25 and 1 - 1/1.25: should print 1",
        ),
        Misconception(
            "prior variance",
            lambda K, Ks, kss, y, v: _posterior(K, Ks, kss, y, v, reduce=0.0),
            "Your variance is that of the prior: what the measurements teach has not been subtracted.",
            "Read “Conditioning” again: the covariance in (3) has two terms.",
            _G + "print(v)   # the nearer place must have the smaller variance",
        ),
        Misconception(
            "reduction added",
            lambda K, Ks, kss, y, v: _posterior(K, Ks, kss, y, v, reduce=-1.0),
            "You add the reduction where it is to be subtracted: measuring makes a band narrower.",
            "Read “Conditioning” again: the sign of the second term in (3).",
            _G + "print(v < kss)   # should print True, True",
        ),
        Misconception(
            "prior variance of one",
            lambda K, Ks, kss, y, v: _posterior(K, Ks, np.ones(len(kss)), y, v),
            "You take 1 for the prior variance, as a plain Gaussian kernel has it; here it is `kss`.",
            "Read “Conditioning” again: K** is the prior covariance of the new places.",
            _G + "print(gp_posterior(one, ks, 5 * kss, np.array([1.0]), 0.25)[1] - v)   # four more prior variance: should print 4, 4",
        ),
        Misconception(
            "y centred",
            _mean_centred,
            "You subtract the mean of y and add it again: a sensible habit, but the process asked for has the prior mean 0.",
            "Read “The mean is kernel ridge regression” again: the third of its conditions.",
            _G + "print(m[1])   # half as alike, so half of 0.8: should print 0.4",
        ),
        Misconception(
            "variance and mean exchanged",
            lambda K, Ks, kss, y, v: _posterior(K, Ks, kss, y, v)[::-1],
            "Mean and variance have changed places: the mean comes first.",
            "Read “Conditioning” again: (3) names the mean first.",
            _G + "print(m[0], v[0])   # should print 0.8, then 0.2",
        ),
        Misconception(
            "noise in the cross covariances",
            lambda K, Ks, kss, y, v: _posterior(K, Ks + v * np.eye(*Ks.shape), kss, y, v),
            "You add σ_n²I to K*, too: noise belongs to the measurements alone, that is to A.",
            "Read “Conditioning” again: only the block A carries σ_n².",
            _G + "print(m[0], 'should print 0.8: the noise of y is not in f')",
        ),
        Misconception(
            "mean of y added",
            _mean_added,
            "You add the mean of y to the forecast and have not subtracted it before; here the prior mean is 0, and neither is done.",
            "Read “The mean is kernel ridge regression” again: the third of its conditions.",
            _G + "print(gp_posterior(one, 0 * ks, kss, np.array([3.0]), 0.25)[0])   # nothing in common: should print 0, 0",
        ),
        Misconception(
            "mean solved half way",
            _half_solved,
            "Your mean is K* L⁻¹y: A = LLᵀ takes two triangles, L and then Lᵀ, and the second is missing.",
            "Read “Conditioning” again: the mean in (3) has the whole of A⁻¹.",
            _G + "print(1 / m[0])   # the prior variance and the noise: should print 1.25",
        ),
        Misconception(
            "squares of the whole solution",
            _squares_of_the_whole,
            "Your reduction is the sum of squares of A⁻¹K*ᵀ, that is K* A⁻²K*ᵀ: squares belong to L⁻¹K*ᵀ, with A = LLᵀ.",
            "Read “Conditioning” again: the covariance in (3) has A⁻¹ once.",
            _G + "print(1 - v[1])   # 0.5 · 0.5 / 1.25: should print 0.2",
        ),
    ),
    observations=(
        Observation(
            "gp_posterior returned a negative variance.",
            lambda value, K, Ks, kss, y, v: value.shape == (2, len(kss)) and value[1].min() < -1e-9 * kss.max(),
        ),
    ),
    step="Read “Conditioning” again: equation (3), one system with A for the mean and one for each new place.",
    experiment=USE + "K = np.array([[1.0, 0.5], [0.5, 1.0]]); ks = np.array([[1.0, 0.5]])   # two measurements, one place\n"
    "m, v = gp_posterior(K, ks, np.ones(1), np.array([2.0, 0.0]), 0.5)\n"
    "print(m, v)   # the inverse of A is [[3, -1], [-1, 3]] / 4, so m should be 1.25 and v 0.3125",
    sizes=lambda K, Ks, kss, y, noise_var: {"n": len(y), "q": len(kss), "σ_n²": noise_var},
    allowed=KERNELS,
    view=both,
    gives=tuple,
)  # fmt: skip


# -- 4.3


def gp_sample(mean, cov, Z):
    """mean + L z for each row z of Z, L the lower Cholesky factor."""
    return mean + Z @ np.linalg.cholesky(cov).T


def _normal(rng, *, count=None):
    found = []
    for n, s in ((3, 5), (4, 2), (5, 7)):
        F = rng.normal(size=(n, n)) + 0.6 * np.eye(n)
        found.append((rng.normal(size=n), F @ F.T + 0.2 * np.eye(n), rng.normal(size=(count or s, n))))
    return found


def _root_of(draws, cov, Z):
    """Whether the draws are R z for a root R of the covariance, RRᵀ = cov."""
    R = np.linalg.lstsq(Z, draws, rcond=None)[0].T
    size = np.abs(cov).max()
    return np.abs(R @ R.T - cov).max() < 1e-9 * size and np.abs(Z @ R.T - draws).max() < 1e-9 * size


_Z = USE + "cov = np.array([[4.0, 2.0], [2.0, 5.0]])   # its lower Cholesky factor is [[2, 0], [1, 2]]\n" \
    "def draw(z, mean=(0.0, 0.0)):\n    return np.asarray(gp_sample(np.array(mean), cov, np.array([z])))[0]\n"  # fmt: skip

GP_SAMPLE = Exercise(
    name="gp_sample",
    chapter=CHAPTER,
    number="4.3",
    returns="the draws, shape (s, n): one a row",
    reference=gp_sample,
    properties=(
        Property("turns given normal numbers into draws by the lower Cholesky factor", 2, _normal),
        Property(
            "makes one draw as well as many",
            1,
            lambda r: _normal(r, count=1)[:2],
            hint="Your answer fails only for a single draw: with one row in Z the result must be one row, of shape (1, n).",
        ),
    ),
    promises=(
        Promise("are far from singular", lambda mean, cov, Z: np.linalg.eigvalsh(cov)[0] > 0.1, of=(0, 1)),
        Promise("make one draw", lambda mean, cov, Z: len(Z) == 1, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "factor without the transpose",
            lambda mean, cov, Z: mean + Z @ np.linalg.cholesky(cov),
            "You multiply Z by L; draws stand in rows here, so it is Z Lᵀ. What you make has the covariance LᵀL.",
            "Read “From two numbers to a function” again: f = Lz for a column z is zᵀLᵀ for a row.",
            _Z + "print(draw([1.0, 0.0]))   # the first column of L: should print 2, 1",
        ),
        Misconception(
            "covariance for its factor",
            lambda mean, cov, Z: mean + Z @ cov,
            "You multiply by the covariance itself; what makes a draw is a root of it.",
            "Read “From two numbers to a function” again: Cov(Lz) = LLᵀ.",
            _Z + "print(draw([0.0, 1.0]))   # the second column of L: should print 0, 2",
        ),
        Misconception(
            "mean forgotten",
            lambda mean, cov, Z: Z @ np.linalg.cholesky(cov).T,
            "The mean is not added.",
            "Read “From two numbers to a function” again: (2) has mean 0; elsewhere it has to be added.",
            _Z + "print(draw([0.0, 0.0], mean=(3.0, -1.0)))   # no noise: should print 3, -1",
        ),
        Misconception(
            "standard deviations alone",
            lambda mean, cov, Z: mean + Z * np.sqrt(np.diag(cov)),
            "You scale each number by its standard deviation: so the values do not know of each other.",
            "Read “Two numbers that know of each other” again: it is the correlation that counts.",
            _Z + "print(draw([1.0, 0.0]), 'the first number moves both values: should print 2, 1')",
        ),
        Misconception(
            "variances for standard deviations",
            lambda mean, cov, Z: mean + Z * np.diag(cov),
            "You multiply by the variances, entry by entry: neither their roots nor the correlations are there.",
            "Read “Two numbers that know of each other” again.",
            _Z + "print(draw([1.0, 0.0])[0])   # should print 2, the root of the variance 4",
        ),
        Misconception(
            "mean scaled, too",
            lambda mean, cov, Z: (mean + Z) @ np.linalg.cholesky(cov).T,
            "You add the mean before multiplying by the factor; it is added to the draw, last.",
            "Read “From two numbers to a function” again: f = Lz, and then the mean.",
            _Z + "print(draw([0.0, 0.0], mean=(1.0, 1.0)))   # should print 1, 1",
        ),
        Misconception(
            "symmetric root",
            lambda mean, cov, Z: mean + Z @ (lambda w, V: V * np.sqrt(w) @ V.T)(*np.linalg.eigh(cov)),
            "You use another root of the covariance. The distribution is the same and the numbers are not; asked is the lower Cholesky "
            "factor, so that the same Z gives the same draw everywhere.",
            "Read “From two numbers to a function” again: K = LLᵀ.",
            _Z + "print(draw([0.0, 1.0])[0])   # the factor is lower triangular: should print 0",
        ),
    ),
    observations=(
        Observation(
            "gp_sample makes draws that have the right covariance, by another root of it; asked is the lower Cholesky factor, so that "
            "the same Z gives the same draw everywhere.",
            lambda value, mean, cov, Z: value.shape == Z.shape and len(Z) > len(mean) and _root_of(value - mean, cov, Z),
        ),
    ),
    step="Read “From two numbers to a function” again: equation (2), for draws in rows.",
    experiment=_Z + "print(draw([1.0, 0.0]), draw([0.0, 1.0]))   # the columns of L: should print 2, 1 and 0, 2",
    sizes=lambda mean, cov, Z: {"n": len(mean), "s": len(Z)},
    allowed=KERNELS,
)  # fmt: skip


# -- 4.4


def bridge_cov(t):
    """min(s, t) - s t."""
    return np.minimum.outer(t, t) - np.outer(t, t)


def _times(rng):
    return [(rng.permutation(np.sort(rng.uniform(0.05, 0.95, n))),) for n in (3, 5, 4)]


_B = USE + "t = np.array([0.25, 0.5, 0.75])\nC = bridge_cov(t)\n"

BRIDGE_COV = Exercise(
    name="bridge_cov",
    chapter=CHAPTER,
    number="4.4",
    returns="the covariance matrix, shape (n, n)",
    reference=bridge_cov,
    properties=(
        Property("is the covariance of the bridge, at times in any order", 2, _times),
        Property(
            "is 0 at both ends",
            1,
            lambda r: [(np.concatenate([[0.0], r.uniform(0.1, 0.9, 3), [1.0]]),) for _ in range(2)],
            hint="Your answer fails only when t holds 0 or 1: a bridge is held there, so its rows and columns are 0, and nothing has to be "
            "divided by.",
        ),
    ),
    promises=(
        Promise("have no two times equal", lambda t: len(np.unique(t)) == len(t), of=(0, 1)),
        Promise("have times out of order", lambda found: any((np.diff(t) < 0).any() for (t,) in found), together=True),
        Promise("have both ends", lambda t: {0.0, 1.0} <= set(t), of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "unconditioned",
            lambda t: np.minimum.outer(t, t),
            "Your matrix is that of Brownian motion itself: nothing has been conditioned on.",
            "Read “Another prior: Brownian motion” again: equation (4) subtracts what f(1) = 0 teaches.",
            _B + "print(np.diag(C))   # symmetric about the middle: the first and the last should be equal",
        ),
        Misconception(
            "maximum for minimum",
            lambda t: np.maximum.outer(t, t) - np.outer(t, t),
            "You take the larger of the two times; the covariance of Brownian motion is the smaller.",
            "Read “Another prior: Brownian motion” again: k(s, t) = min(s, t).",
            _B + "print(np.linalg.eigvalsh(C).min())   # a covariance has no negative eigenvalue",
        ),
        Misconception(
            "diagonal only",
            lambda t: np.diag(t * (1 - t)),
            "Your matrix is diagonal: the variances are right, and times that are near each other know of each other.",
            "Read “Another prior: Brownian motion” again: (4) is a function of two times.",
            _B + "print(C[0, 1])   # 1/4 - 1/8: should print 1/8",
        ),
        Misconception(
            "plus for minus",
            lambda t: np.minimum.outer(t, t) + np.outer(t, t),
            "You add st; conditioning takes variance away.",
            "Read “Another prior: Brownian motion” again: the sign in (4).",
            _B + "print(C[1, 1])   # 1/2 - 1/4: should print 1/4",
        ),
        Misconception(
            "product of the bridges' variances",
            lambda t: np.outer(t * (1 - t), t * (1 - t)),
            "You multiply t(1 - t) of the two times; (4) is min(s, t) - st.",
            "Read “Another prior: Brownian motion” again: equation (4).",
            _B + "print(C[0, 0], 3 / 16)   # should be equal",
        ),
        Misconception(
            "times sorted first",
            lambda t: bridge_cov(np.sort(t)),
            "You sort the times first: row i belongs to t[i], in the order in which the times came.",
            "Read “Another prior: Brownian motion” again: (4) is a function of two times, whatever their order, and needs no sorting.",
            USE + "print(np.diag(bridge_cov(np.array([0.5, 0.25]))))   # t(1 - t): should print 1/4, 3/16",
        ),
        Misconception(
            "variance repeated along rows",
            lambda t: np.minimum.outer(t, t) * (1 - t),
            "You multiply min(s, t) by 1 - t of the column only: for s above t that is s's turn, so the matrix is not symmetric.",
            "Read “Another prior: Brownian motion” again: (4) may be written min(s, t)·(1 - max(s, t)).",
            _B + "print(np.abs(C - C.T).max())   # a covariance is symmetric: should print 0",
        ),
        Misconception(
            "conditioned on one's own square",
            lambda t: np.minimum.outer(t, t) - np.minimum.outer(t, t) ** 2,
            "You subtract min(s, t)²; what is subtracted is k(s, 1) k(1, t) = st.",
            "Read “Another prior: Brownian motion” again: (3) with one point, at time 1.",
            _B + "print(C[0, 2])   # 1/4 - 3/16: should print 1/16",
        ),
    ),
    observations=(
        Observation(
            "bridge_cov returned a matrix that is not symmetric, and a covariance is.",
            lambda value, t: value.ndim == 2 and value.shape[0] == value.shape[1] and np.abs(value - value.T).max() > 1e-9,
        ),
    ),
    step="Read “Another prior: Brownian motion” again: (3) with one point at time 1, no noise, and k(1, 1) = 1.",
    experiment=_B + "print(16 * C)   # should print 3 2 1, 2 4 2, 1 2 3",
    sizes=lambda t: {"n": len(t)},
    allowed=KERNELS,
)  # fmt: skip


# -- 4.6


def forecast_coverage(K, Ks, kss, y, noise_var, y_new):
    """(RMSE, coverage of the 95 % band for new measurements) of a process on y - mean(y)."""
    return _forecast(K, Ks, kss, y, noise_var, y_new)


def _forecast(K, Ks, kss, y, noise_var, y_new, *, centre=True, with_noise=True, quantile=1.96, root=True, error=None,
              back=True, ends=(-1, 1)):  # fmt: skip
    shift = y.mean() if centre else 0.0
    mean, var = _posterior(K, Ks, kss, y - shift, noise_var)
    sd = var + noise_var * with_noise
    sd = np.sqrt(np.maximum(sd, 0)) if root else sd
    miss = y_new - mean - shift * back
    rmse = np.sqrt(np.mean(miss**2)) if error is None else error(miss)
    inside = np.all([side * miss <= quantile * sd for side in ends], axis=0)
    return np.array([rmse, np.mean(inside)])


_FORECAST_MISTAKES = {
    "band of the curve": {"with_noise": False},
    "not centred": {"centre": False},
    "mean not added back": {"back": False},
    "one standard deviation": {"quantile": 1.0},
    "one-sided quantile": {"quantile": 1.645},
    "two standard deviations": {"quantile": 2.0},
    "upper end alone": {"ends": (1,)},
    "lower end alone": {"ends": (-1,)},
    "variance for standard deviation": {"root": False},
    "mean square without its root": {"error": lambda miss: np.mean(miss**2)},
    "mean absolute error": {"error": lambda miss: np.mean(np.abs(miss))},
}


def _series(rng, *, near=False):
    """A wave with a level, its future and a process for it, where every mistake changes one of the two numbers."""
    found = []
    for _ in attempts("forecast_coverage", until=lambda: len(found) == 2):
        n, q = 24 + 3 * len(found), 40
        t = np.sort(rng.uniform(0, 6, n))[:, None]
        ahead = np.sort(rng.uniform(*((0, 6) if near else (5, 9)), q))[:, None]
        noise, ell, scale = float(rng.uniform(0.15, 0.4)), rng.uniform(0.8, 1.3), rng.uniform(1.2, 2.0)
        level = rng.uniform(4, 8)
        y = level + np.sin(2 * t[:, 0]) + np.sqrt(noise) * rng.normal(size=n)
        y_new = level + np.sin(2 * ahead[:, 0]) + np.sqrt(noise) * rng.normal(size=q)
        case = (scale * _gauss(t, t, ell), scale * _gauss(ahead, t, ell), np.full(q, scale), y, noise, y_new)
        mean, var = _posterior(*case[:3], y - y.mean(), noise)
        # what tells the ends of the band apart: one above it, three below it, and one outside by a hair
        y_new[:5] = (mean + y.mean() + np.resize([2.5, -2.5, -2.8, -2.5, 1.98], q) * np.sqrt(var + noise))[:5]
        answers = [_forecast(*case, **how) for how in ({}, *_FORECAST_MISTAKES.values())]
        if min(np.abs(a - b).max() for a, b in combinations(answers, 2)) > 1e-3 and 0.02 < answers[0][1] < 0.999:
            found.append(case)
    return found


def _mistake(name):
    return lambda K, Ks, kss, y, noise_var, y_new: _forecast(
        K, Ks, kss, y, noise_var, y_new, **_FORECAST_MISTAKES[name]
    )


_F = USE + "one = np.ones((1, 1)); kss = np.ones(4); far = np.zeros((4, 1))   # far from the only measurement: mean 10, sd 1\n" \
    "def ask(new, noise=0.25):\n" \
    "    return forecast_coverage(one, far, kss, np.array([10.0]), noise, np.array(new))\n"  # fmt: skip

FORECAST_COVERAGE = Exercise(
    name="forecast_coverage",
    chapter=CHAPTER,
    number="4.6",
    returns="two numbers, `return rmse, coverage`",
    reference=forecast_coverage,
    properties=(
        Property("reports error and coverage of a forecast", 3, _series),
        Property(
            "does so between the measurements, too",
            2,
            lambda r: _series(r, near=True),
            hint="Your answer fails only when the new places lie between the measurements: there the band of the curve is narrow, and "
            "what is left of it is the noise of the new measurement.",
        ),
    ),
    promises=(
        Promise("have some inside the band and some outside", lambda *args: 0.02 < _forecast(*args)[1] < 0.999, of=(0, 1)),
        Promise("show every mistake", lambda *args: all(
            np.abs(_forecast(*args, **how) - _forecast(*args)).max() > 1e-3 for how in _FORECAST_MISTAKES.values()), of=(0, 1)),
    ),
    misconceptions=(
        Misconception(
            "band of the curve",
            _mistake("band of the curve"),
            "Your band is that of the curve; what came are measurements, with noise of their own, so the variance is larger by σ_n².",
            "Read “A band that never saw the data” again: the two bands.",
            _F + "print(ask([12.1, 7.9, 10, 10])[1])   # within 1.96·√1.25 = 2.19 of 10: all four, so 1",
        ),
        Misconception(
            "not centred",
            _mistake("not centred"),
            "The mean of y was not subtracted first: a process of mean 0 pulls the forecast down to 0.",
            "Read “The mean is kernel ridge regression” again: the third condition.",
            _F + "print(ask([10.0, 10, 10, 10])[0])   # far away the forecast is the mean of y: should print 0",
        ),
        Misconception(
            "mean not added back",
            _mistake("mean not added back"),
            "The mean of y was subtracted and not added to the forecast, which is compared with what came as it is.",
            "Read “The mean is kernel ridge regression” again, the third condition, and the docstring: the mean is added to the forecast.",
            _F + "print(ask([10.0, 10, 10, 10])[0])   # far away the forecast is the mean of y, not 0: should print 0",
        ),
        Misconception(
            "one standard deviation",
            _mistake("one standard deviation"),
            "Your band is mean ± 1 standard deviation, which is one of 68 %.",
            "Read “A band that never saw the data” again, and the docstring: it says how many standard deviations.",
            _F + "print(ask([12.0, 8.0, 10, 10])[1])   # within 1.96 standard deviations: should print 1",
        ),
        Misconception(
            "one-sided quantile",
            _mistake("one-sided quantile"),
            "Your quantile leaves 5 % on each side; a 95 % band leaves half of 5 % on each.",
            "Read “A band that never saw the data” again, and the docstring: it says how many standard deviations.",
            _F + "print(ask([12.05, 7.95, 10, 10])[1], 'all four are within 2.19 of 10')",
        ),
        Misconception(
            "two standard deviations",
            _mistake("two standard deviations"),
            "Your band is mean ± 2 standard deviations, a little more than is asked for, and some of what came lies in between.",
            "Read “A band that never saw the data” again, and the docstring: it says how many standard deviations.",
            _F + "print(ask([12.21, 7.79, 10, 10])[1])   # 2.21 is beyond 1.96·√1.25 = 2.19: should print 1/2",
        ),
        Misconception(
            "upper end alone",
            _mistake("upper end alone"),
            "You count all that lies below the upper end of the band; what lies below its lower end is outside, too.",
            "Read “Was it any good?” again: its misses of 1992 and 1993 lie below the band.",
            _F + "print(ask([0.0, 10, 10, 10])[1])   # one of four is far below: should print 0.75",
        ),
        Misconception(
            "lower end alone",
            _mistake("lower end alone"),
            "You count all that lies above the lower end of the band; what lies above its upper end is outside, too.",
            "Read “Was it any good?” again: a band has two ends.",
            _F + "print(ask([20.0, 10, 10, 10])[1])   # one of four is far above: should print 0.75",
        ),
        Misconception(
            "variance for standard deviation",
            _mistake("variance for standard deviation"),
            "Your band is made of variances where standard deviations belong: the root is missing.",
            "Read “Conditioning” again: (3) gives a variance.",
            _F + "print(ask([12.3, 7.7, 10, 10])[1])   # 2.3 is beyond 1.96·√1.25: should print 1/2",
        ),
        Misconception(
            "mean square without its root",
            _mistake("mean square without its root"),
            "You return the mean square; the root mean square is asked for, in the units of y.",
            "Read “Was it any good?” again: its errors are in ppm, not in ppm².",
            _F + "print(ask([13.0, 7.0, 13.0, 7.0])[0])   # always 3 off: should print 3",
        ),
        Misconception(
            "mean absolute error",
            _mistake("mean absolute error"),
            "You average the absolute errors; the root of their mean square is asked for.",
            "Read “Was it any good?” again: RMSE.",
            _F + "print(ask([14.0, 10, 10, 10])[0])   # the root of 16/4: should print 2",
        ),
        Misconception(
            "coverage in per cent",
            lambda K, Ks, kss, y, v, y_new: _forecast(K, Ks, kss, y, v, y_new) * np.array([1.0, 100.0]),
            "Your coverage is in per cent; a fraction between 0 and 1 is asked for.",
            "Read “Was it any good?” again, and the docstring: a fraction.",
            _F + "print(ask([10.0, 10, 10, 20])[1])   # three of four: should print 0.75",
        ),
        Misconception(
            "fraction outside",
            lambda K, Ks, kss, y, v, y_new: (lambda r: np.array([r[0], 1 - r[1]]))(_forecast(K, Ks, kss, y, v, y_new)),
            "You count what lies outside the band; coverage is what lies inside.",
            "Read “Was it any good?” again: what the band holds.",
            _F + "print(ask([10.0, 10, 10, 10])[1])   # all inside: should print 1",
        ),
    ),
    step="Read “Was it any good?” again: subtract the mean, predict, add it, count with the band of a measurement.",
    experiment=_F + "print(ask([10.0, 12.0, 7.5, 14.0]))   # within 1.96·√1.25 = 2.19 of 10: should print 2.562 and 1/2",
    sizes=lambda K, Ks, kss, y, noise_var, y_new: {"n": len(y), "number of new ones": len(y_new), "σ_n²": noise_var},
    allowed=KERNELS,
    parts=("rmse", "coverage"),
)  # fmt: skip
