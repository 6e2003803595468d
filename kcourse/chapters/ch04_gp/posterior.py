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
    """Mean and variance of f at new points: K* A⁻¹ y and k** - diag(K* A⁻¹ K*ᵀ)."""
    return _posterior(K, Ks, kss, y, noise_var)


def _posterior(K, Ks, kss, y, noise_var, *, reduce=1.0, finish=lambda v: v):
    A = K + noise_var * np.eye(len(y))
    W = np.linalg.solve(A, np.column_stack([y, Ks.T]))
    return np.stack([Ks @ W[:, 0], finish(kss - reduce * np.sum(Ks.T * W[:, 1:], axis=0))])


def _with_inverse(Ks, kss, y, inverse):
    return np.stack([Ks @ inverse @ y, kss - np.sum(Ks @ inverse * Ks, axis=1)])


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


def _half_solved(K, Ks, kss, y, noise_var):
    """The mean from L⁻¹y, as if L Lᵀ were solved after one triangle."""
    L = np.linalg.cholesky(K + noise_var * np.eye(len(y)))
    return np.stack([Ks @ np.linalg.solve(L, y), _posterior(K, Ks, kss, y, noise_var)[1]])


def _squares_of_the_whole(K, Ks, kss, y, noise_var):
    """Σv² with v = A⁻¹K*ᵀ, where it is L⁻¹K*ᵀ whose squares are wanted."""
    whole = np.linalg.solve(K + noise_var * np.eye(len(y)), Ks.T)
    return np.stack([_posterior(K, Ks, kss, y, noise_var)[0], kss - np.sum(whole**2, axis=0)])


_G = USE + "one = np.ones((1, 1)); ks = np.array([[1.0], [0.5]]); kss = np.ones(2)   # one measurement, two points\n" \
    "m, v = gp_posterior(one, ks, kss, np.array([1.0]), 0.25)\n"  # fmt: skip

GP_POSTERIOR = Exercise(
    name="gp_posterior",
    chapter=CHAPTER,
    number="4.1",
    returns="mean and variance of f at the new points, `return mean, var`, both of shape (q,)",
    reference=gp_posterior,
    properties=(
        Property(
            "gives mean and variance of f, for one matrix after another", 3, sensitive(_questions, gp_posterior)
        ),
        Property(
            "works for a single new point",
            1,
            lambda r: _questions(r, ((6, 1), (4, 1))),
            hint="Your answer fails only for a single new point, where mean and variance must have shape (1,). Do not use "
            "`np.squeeze`, and sum along one axis only.",
        ),
    ),
    promises=(
        Promise("have prior variances that are neither 1 nor equal", lambda K, Ks, kss, y, v: (
            kss.min() > 1.1 and np.ptp(kss) > 0.05 and np.ptp(np.diag(K)) > 0.05)),
        Promise("have one new point", lambda K, Ks, kss, y, v: len(kss) == 1, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "standard deviation for the noise variance",
            lambda K, Ks, kss, y, v: _posterior(K, Ks, kss, y, np.sqrt(v)),
            "You add σ_n to the diagonal instead of σ_n². The argument `noise_var` is already a variance. Add `noise_var` itself.",
            "Read “Find the error” again: the first of its two mistakes is the reverse of yours.",
            _G + "print(m[0])   # 1/(1 + 0.25): should print 0.8",
        ),
        Misconception(
            "variance of a new measurement",
            lambda K, Ks, kss, y, v: _posterior(K, Ks, kss, y, v) + np.array([[0.0], [v]]),
            "You return the variance of a new measurement, which is larger by σ_n². Return the variance of the curve f.",
            "Read “The posterior variance does not depend on y” again: it separates the two variances.",
            _G + "print(v[0])   # 1 - 1/1.25: should print 0.2",
        ),
        Misconception(
            "standard deviation for variance",
            lambda K, Ks, kss, y, v: _posterior(K, Ks, kss, y, v, finish=lambda e: np.sqrt(np.maximum(e, 0))),
            "You return the standard deviation. Return the variance, without the square root.",
            "Read “Conditioning” again: the variance is the diagonal of the covariance in (3).",
            _G + "print(v[0] / m[0])   # 0.2 over 0.8: should print 1/4",
        ),
        Misconception(
            "no noise",
            lambda K, Ks, kss, y, v: _posterior(K, Ks, kss, y, 1e-12),
            "You solve with K alone, so the noise is missing and the mean interpolates the measurements. Solve with A = K + σ_n²I.",
            "Read “Conditioning” again: A is K + σ_n²I.",
            _G + "print(v[0])   # should print 0.2: a noisy measurement leaves some variance",
        ),
        Misconception(
            "noise in every entry",
            lambda K, Ks, kss, y, v: _posterior(K + v, Ks, kss, y, 0.0),
            "You add σ_n² to every entry of K. The noise of two measurements is independent, so only the diagonal grows. Add "
            "`noise_var * np.eye(n)`.",
            "Read “Conditioning” again: A is K + σ_n²I, with the identity matrix.",
            USE + "m, v = gp_posterior(np.eye(2), np.array([[1.0, 0.0]]), np.ones(1), np.array([1.0, 0.0]), 0.25)\n"
            "print(m[0])   # should print 0.8: the second measurement has covariance 0 with this point",
        ),
        Misconception(
            "prior variance",
            lambda K, Ks, kss, y, v: _posterior(K, Ks, kss, y, v, reduce=0.0),
            "You return the prior variance. The measurements reduce it, so subtract the diagonal of K* A⁻¹ K*ᵀ.",
            "Read “Conditioning” again: the covariance in (3) has two terms.",
            _G + "print(v)   # the nearer point must have the smaller variance",
        ),
        Misconception(
            "reduction added",
            lambda K, Ks, kss, y, v: _posterior(K, Ks, kss, y, v, reduce=-1.0),
            "You add K* A⁻¹ K*ᵀ to the prior variance. A measurement cannot increase the variance of f, so subtract this term.",
            "Read “Conditioning” again: the sign of the second term in (3).",
            _G + "print(v < kss)   # should print True, True",
        ),
        Misconception(
            "prior variance of one",
            lambda K, Ks, kss, y, v: _posterior(K, Ks, np.ones(len(kss)), y, v),
            "You use 1 as the prior variance, which holds for the Gaussian kernel of height 1. In general it is `kss`, so use that.",
            "Read “Conditioning” again: K** is the prior covariance of the new points.",
            _G + "print(gp_posterior(one, ks, 5 * kss, np.array([1.0]), 0.25)[1] - v)   # should print 4, 4",
        ),
        Misconception(
            "mean solved with L alone",
            _half_solved,
            "You compute the mean as K* L⁻¹y. Because A = LLᵀ, you must solve twice, first with L and then with Lᵀ.",
            "Read “Conditioning” again: the mean in (3) contains A⁻¹, which is L⁻ᵀL⁻¹.",
            _G + "print(1 / m[0])   # should print 1.25, the prior variance plus that of the noise",
        ),
        Misconception(
            "K inverted before the noise",
            lambda K, Ks, kss, y, v: _with_inverse(Ks, kss, y, np.linalg.inv(K) + v * np.eye(len(y))),
            "You add σ_n²I to the inverse of K. The inverse of a sum is not the sum of the inverses. Add σ_n²I to K, then solve.",
            "Read “Conditioning” again: (3) contains the inverse of A = K + σ_n²I.",
            _G + "print(m[0])   # should print 0.8, which is 1/(1 + 0.25)",
        ),
        Misconception(
            "mean without the inverse",
            lambda K, Ks, kss, y, v: np.stack([Ks @ y, _posterior(K, Ks, kss, y, v)[1]]),
            "You compute the mean as K* y. The conditional mean is K* A⁻¹ y, so solve with A first.",
            "Read “Conditioning” again: the mean in (3) contains A⁻¹.",
            _G + "print(m[0])   # should print 0.8, which is 1/1.25",
        ),
        Misconception(
            "squares of the whole solution",
            _squares_of_the_whole,
            "You sum the squares of A⁻¹K*ᵀ, which gives the diagonal of K* A⁻² K*ᵀ. Sum the squares of L⁻¹K*ᵀ, where A = LLᵀ.",
            "Read “Conditioning” again: the covariance in (3) contains A⁻¹ once.",
            _G + "print(1 - v[1])   # should print 0.2, which is 0.5 · 0.5 / 1.25",
        ),
    ),
    observations=(
        Observation(
            "gp_posterior returned a negative variance.",
            lambda value, K, Ks, kss, y, v: value.shape == (2, len(kss)) and value[1].min() < -1e-9 * kss.max(),
        ),
    ),
    step="Read “Conditioning” again: equation (3) has one linear system for the mean and one for each new point.",
    experiment=USE + "K = np.array([[1.0, 0.5], [0.5, 1.0]]); ks = np.array([[1.0, 0.5]])   # two measurements, one point\n"
    "m, v = gp_posterior(K, ks, np.ones(1), np.array([2.0, 0.0]), 0.5)\n"
    "print(m, v)   # the inverse of A is [[3, -1], [-1, 3]] / 4, so m should be 1.25 and v 0.3125",
    sizes=lambda K, Ks, kss, y, noise_var: {"n": len(y), "q": len(kss), "noise_var": noise_var},
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
        # large numbers, so that 1e-6 on the diagonal for safety does not matter
        found.append((5 * rng.normal(size=n), 25 * (F @ F.T + 0.2 * np.eye(n)), rng.normal(size=(count or s, n))))
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
            hint="Your answer fails only for a single draw. If Z has one row, return one row, of shape (1, n).",
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
            "You return mean + Z L, whose rows have the covariance LᵀL. The draws are rows, so multiply Z by Lᵀ. SciPy's cholesky returns Lᵀ by default.",
            "Read “From two numbers to a function” again: f = Lz for a column z is fᵀ = zᵀLᵀ for a row.",
            _Z + "print(draw([1.0, 0.0]))   # the first column of L: should print 2, 1",
        ),
        Misconception(
            "covariance for its factor",
            lambda mean, cov, Z: mean + Z @ cov,
            "You multiply Z by the covariance itself. The draws then have the covariance squared. Multiply by its Cholesky factor, Z Lᵀ.",
            "Read “From two numbers to a function” again: the covariance of Lz is LLᵀ.",
            _Z + "print(draw([0.0, 1.0]))   # the second column of L: should print 0, 2",
        ),
        Misconception(
            "mean forgotten",
            lambda mean, cov, Z: Z @ np.linalg.cholesky(cov).T,
            "You do not add the mean, so all draws are centred at 0. Return mean + Z Lᵀ.",
            "Read “From two numbers to a function” again: (2) has mean 0, so add another mean to the draw.",
            _Z + "print(draw([0.0, 0.0], mean=(3.0, -1.0)))   # should print 3, -1: z = 0 gives the mean",
        ),
        Misconception(
            "standard deviations alone",
            lambda mean, cov, Z: mean + Z * np.sqrt(np.diag(cov)),
            "You multiply each number by a standard deviation, so the entries of a draw are independent. Use the Cholesky factor of the whole covariance.",
            "Read “Two correlated numbers” again: the correlation is in the off-diagonal entry.",
            _Z + "print(draw([1.0, 0.0]))   # should print 2, 1: the first number changes both entries",
        ),
        Misconception(
            "mean multiplied by the factor",
            lambda mean, cov, Z: (mean + Z) @ np.linalg.cholesky(cov).T,
            "You add the mean before you multiply by the factor. That changes the mean of the draws. Add the mean to Z Lᵀ.",
            "Read “From two numbers to a function” again: first f = Lz, then the mean.",
            _Z + "print(draw([0.0, 0.0], mean=(1.0, 1.0)))   # should print 1, 1",
        ),
        Misconception(
            "symmetric root",
            lambda mean, cov, Z: mean + Z @ (lambda w, V: V * np.sqrt(w) @ V.T)(*np.linalg.eigh(cov)),
            "You use the symmetric square root of the covariance. The distribution is the same, but the draws of a given Z differ. Use "
            "the lower Cholesky factor.",
            "Read “From two numbers to a function” again: K = LLᵀ.",
            _Z + "print(draw([0.0, 1.0])[0])   # should print 0: the factor is lower triangular",
        ),
    ),
    observations=(
        Observation(
            "gp_sample returns draws with the right covariance, but from another square root of it. Use the lower Cholesky factor.",
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
            lambda r: [(np.concatenate([[0.0], np.roll(np.sort(r.uniform(0.1, 0.9, 3)), 1), [1.0]]),) for _ in range(2)],
            hint="Your answer fails only if t contains 0 or 1. The bridge is 0 there, so these rows and columns are 0. Do not divide by t or "
            "by 1 - t.",
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
            "You return the covariance of Brownian motion itself. Conditioning on f(1) = 0 subtracts k(s, 1) k(1, t) = st.",
            "Read “Known without noise: the Brownian bridge” again: equation (4) has a second term.",
            _B + "print(np.diag(C))   # the first and the last should be equal",
        ),
        Misconception(
            "maximum for minimum",
            lambda t: np.maximum.outer(t, t) - np.outer(t, t),
            "You take the larger of the two times. The covariance of Brownian motion is the smaller one, min(s, t).",
            "Read “Known without noise: the Brownian bridge” again: k(s, t) = min(s, t).",
            _B + "print(np.linalg.eigvalsh(C).min())   # a covariance has no negative eigenvalue",
        ),
        Misconception(
            "diagonal only",
            lambda t: np.diag(t * (1 - t)),
            "You return a diagonal matrix. Its variances are right, but the values at two times are correlated. Compute min(s, t) - st for every pair.",
            "Read “Known without noise: the Brownian bridge” again: (4) is a function of two times.",
            _B + "print(C[0, 1])   # should print 1/8, which is 1/4 - 1/8",
        ),
        Misconception(
            "plus for minus",
            lambda t: np.minimum.outer(t, t) + np.outer(t, t),
            "You add st. Conditioning reduces the variance, so subtract st.",
            "Read “Known without noise: the Brownian bridge” again: the second term of (4) is subtracted.",
            _B + "print(C[1, 1])   # should print 1/4, which is 1/2 - 1/4",
        ),
        Misconception(
            "times sorted first",
            lambda t: bridge_cov(np.sort(t)),
            "You sort the times, so the rows are in another order than `t`. Row i must belong to t[i]. Do not sort.",
            "Read “Known without noise: the Brownian bridge” again: (4) holds for two times in any order.",
            USE + "print(np.diag(bridge_cov(np.array([0.5, 0.25]))))   # should print 1/4, 3/16",
        ),
        Misconception(
            "variance repeated along rows",
            lambda t: np.minimum.outer(t, t) * (1 - t),
            "You multiply min(s, t) by 1 - t, also where s is larger than t. The covariance is min(s, t)·(1 - max(s, t)).",
            "Read “Known without noise: the Brownian bridge” again: (4) is symmetric in s and t.",
            _B + "print(np.abs(C - C.T).max())   # should print 0: a covariance is symmetric",
        ),
        Misconception(
            "square of the minimum subtracted",
            lambda t: np.minimum.outer(t, t) - np.minimum.outer(t, t) ** 2,
            "You subtract min(s, t)². Conditioning on f(1) = 0 subtracts k(s, 1) k(1, t) = st.",
            "Read “Known without noise: the Brownian bridge” again: use (3) with one point, at time 1.",
            _B + "print(C[0, 2])   # should print 1/16, which is 1/4 - 3/16",
        ),
    ),
    observations=(
        Observation(
            "bridge_cov returned a matrix that is not symmetric. A covariance matrix is symmetric.",
            lambda value, t: value.ndim == 2 and value.shape[0] == value.shape[1] and np.abs(value - value.T).max() > 1e-9,
        ),
    ),
    step="Read “Known without noise: the Brownian bridge” again: use (3) with one point at time 1, without noise, and k(1, 1) = 1.",
    experiment=_B + "print(16 * C)   # should print 3 2 1, 2 4 2, 1 2 3",
    sizes=lambda t: {"n": len(t)},
    allowed=KERNELS,
)  # fmt: skip


# -- 4.6


def forecast_coverage(K, Ks, kss, y, noise_var, y_new):
    """(RMSE, coverage of the 95 % band for new measurements) of a process on y - mean(y)."""
    return _forecast(K, Ks, kss, y, noise_var, y_new)


def _forecast(K, Ks, kss, y, noise_var, y_new, *, centre=True, with_noise=True, quantile=1.96, error=None,
              back=True, ends=(-1, 1), width=lambda var, noise: np.sqrt(var + noise)):  # fmt: skip
    shift = y.mean() if centre else 0.0
    mean, var = _posterior(K, Ks, kss, y - shift, noise_var)
    sd = width(np.maximum(var, 0), noise_var * with_noise)
    miss = y_new - mean - shift * back
    rmse = np.sqrt(np.mean(miss**2)) if error is None else error(miss)
    inside = np.all([side * miss <= quantile * sd for side in ends], axis=0)
    return np.array([rmse, np.mean(inside)])


_FORECAST_MISTAKES = {
    "band of the curve": {"with_noise": False},
    "not centred": {"centre": False},
    "mean not added back": {"back": False},
    "one standard deviation": {"quantile": 1.0},
    "two standard deviations": {"quantile": 2.0},
    "upper end alone": {"ends": (1,)},
    "lower end alone": {"ends": (-1,)},
    "variance for standard deviation": {"width": lambda var, noise: var + noise},
    "mean square without its root": {"error": lambda miss: np.mean(miss**2)},
    "mean absolute error": {"error": lambda miss: np.mean(np.abs(miss))},
}

# wrong answers without a name, which also lose points on every input
_FORECAST_OTHERS = (
    {"quantile": 1.645},
    {"width": lambda var, noise: np.sqrt(var) + np.sqrt(noise)},
    {"width": lambda var, noise: np.sqrt(var) + noise},
)


def _series(rng, *, near=False):
    """A wave with a level, its future and a process for it, where every mistake changes one of the two numbers."""
    found = []
    for _ in attempts("forecast_coverage", until=lambda: len(found) == 2):
        n, q = 24 + 3 * len(found), 40 + 7 * len(found)
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
        others = [_forecast(*case, **how) for how in _FORECAST_OTHERS]
        apart = min(np.abs(a - b).max() for a, b in combinations(answers, 2))
        apart = min(apart, *(np.abs(other - answers[0]).max() for other in others))
        # without its level both numbers of a forecast are wrong
        level_shows = all(abs(answer[1] - answers[0][1]) > 1e-3 for answer in answers[2:4])
        if apart > 1e-3 and level_shows and 0.02 < answers[0][1] < 0.999:
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
        Property("gives the RMSE and the coverage of a forecast", 3, _series),
        Property(
            "also does so for new points between the measurements",
            2,
            lambda r: _series(r, near=True),
            hint="Your answer fails only if the new points lie between the measurements. There the band of the curve is narrow, so the "
            "noise of the new measurement matters most.",
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
            "You use the band of the curve. New measurements have noise of their own, so add σ_n² to the variance.",
            "Read “The posterior variance does not depend on y” again: it separates the two bands.",
            _F + "print(ask([12.1, 7.9, 10, 10])[1])   # should print 1: all four are within 1.96·√1.25 = 2.19 of 10",
        ),
        Misconception(
            "not centred",
            _mistake("not centred"),
            "You do not subtract the mean of y first. The prior mean is 0, so the forecast far from the data is 0. Subtract the mean, then add it.",
            "Read “The mean is kernel ridge regression” again: its third condition.",
            _F + "print(ask([10.0, 10, 10, 10])[0])   # should print 0: far away the forecast is the mean of y",
        ),
        Misconception(
            "mean not added back",
            _mistake("mean not added back"),
            "You subtract the mean of y but do not add it to the forecast. Add it before you compare with `y_new`.",
            "Read “The mean is kernel ridge regression” again, its third condition.",
            _F + "print(ask([10.0, 10, 10, 10])[0])   # should print 0: far away the forecast is the mean of y, not 0",
        ),
        Misconception(
            "one standard deviation",
            _mistake("one standard deviation"),
            "You use a band of ± 1 standard deviation, which is a band of 68 %. Multiply the standard deviation by the factor in the docstring.",
            "Read “The posterior variance does not depend on y” again: the docstring gives the number of standard deviations.",
            _F + "print(ask([12.0, 8.0, 10, 10])[1])   # should print 1: all are within 1.96 standard deviations",
        ),
        Misconception(
            "two standard deviations",
            _mistake("two standard deviations"),
            "You use a band of ± 2 standard deviations, which is slightly too wide. Multiply by the factor in the docstring, which is a little below 2.",
            "Read “The posterior variance does not depend on y” again: the docstring gives the number of standard deviations.",
            _F + "print(ask([12.21, 7.79, 10, 10])[1])   # should print 1/2: 2.21 is more than 1.96·√1.25 = 2.19",
        ),
        Misconception(
            "upper end alone",
            _mistake("upper end alone"),
            "You count all values below the upper end of the band. Values below its lower end are outside. Compare the absolute error.",
            "Read “How good was the forecast?” again: its misses of 1992 and 1993 lie below the band.",
            _F + "print(ask([0.0, 10, 10, 10])[1])   # should print 0.75: one of four is far below",
        ),
        Misconception(
            "lower end alone",
            _mistake("lower end alone"),
            "You count all values above the lower end of the band. Values above its upper end are outside. Compare the absolute error.",
            "Read “How good was the forecast?” again: a band has two ends.",
            _F + "print(ask([20.0, 10, 10, 10])[1])   # should print 0.75: one of four is far above",
        ),
        Misconception(
            "variance for standard deviation",
            _mistake("variance for standard deviation"),
            "You use the variance as the half width of the band. Take its square root first.",
            "Read “Conditioning” again: (3) gives a covariance, whose diagonal is the variance.",
            _F + "print(ask([12.3, 7.7, 10, 10])[1])   # should print 1/2: 2.3 is more than 1.96·√1.25",
        ),
        Misconception(
            "mean square without its root",
            _mistake("mean square without its root"),
            "You return the mean squared error. The RMSE is its square root, in the units of y.",
            "Read “How good was the forecast?” again: its errors are in ppm, not in ppm².",
            _F + "print(ask([13.0, 7.0, 13.0, 7.0])[0])   # should print 3: every error is 3",
        ),
        Misconception(
            "mean absolute error",
            _mistake("mean absolute error"),
            "You average the absolute errors. The RMSE is the square root of the mean squared error.",
            "Read “How good was the forecast?” again: RMSE.",
            _F + "print(ask([14.0, 10, 10, 10])[0])   # should print 2, which is √(16/4)",
        ),
        Misconception(
            "coverage in %",
            lambda K, Ks, kss, y, v, y_new: _forecast(K, Ks, kss, y, v, y_new) * np.array([1.0, 100.0]),
            "You return the coverage in %. Return a fraction between 0 and 1.",
            "Read “How good was the forecast?” again, and the docstring: a fraction.",
            _F + "print(ask([10.0, 10, 10, 20])[1])   # should print 0.75: three of four",
        ),
        Misconception(
            "fraction outside",
            lambda K, Ks, kss, y, v, y_new: (lambda r: np.array([r[0], 1 - r[1]]))(_forecast(K, Ks, kss, y, v, y_new)),
            "You return the fraction outside the band. The coverage is the fraction inside.",
            "Read “How good was the forecast?” again: what the band holds.",
            _F + "print(ask([10.0, 10, 10, 10])[1])   # should print 1: all are inside",
        ),
    ),
    step="Read “How good was the forecast?” again: subtract the mean, predict, add it, count with the band of a measurement.",
    experiment=_F + "print(ask([10.0, 12.0, 7.5, 14.0]))   # should print 2.562 and 1/2: the band is 10 ± 2.19",
    sizes=lambda K, Ks, kss, y, noise_var, y_new: {"n": len(y), "number of new points": len(y_new), "noise_var": noise_var},
    allowed=KERNELS,
    parts=("rmse", "coverage"),
)  # fmt: skip
