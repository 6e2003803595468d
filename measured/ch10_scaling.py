"""Measurements for chapter 10: landmarks, random features and subsamples, and all methods on the digits.

All rows of a table select their settings on training data by one rule: by leave-one-out, which ridge regression gives
without refitting, or, if different methods are compared, by the errors on a quarter of the training data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from zlib import crc32

import numpy as np
from numpy.linalg import eigh
from scipy.linalg import cho_factor, cho_solve
from scipy.spatial import cKDTree
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

from kcourse import Gaussian, KNNClassifier, NystromRidge, ParzenClassifier
from kcourse.datasets import load_terrain
from kcourse.rbf import kmeans
from kcourse.scaling import pivoted_landmarks
from measured import Claim, Row, table
from measured.maps import ch10_rows  # noqa: F401 (this chapter's, too)

Array = np.ndarray
PRICES = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)  # λ
SIZES = (20, 80, 320)  # m
LEARN = 1000


@cache
def land() -> tuple[Array, Array]:
    return load_terrain(return_X_y=True)


@cache
def digits() -> tuple[Array, Array]:
    pixels, labels = load_digits(return_X_y=True)
    return pixels / 16, labels


def dealt(draw: int) -> tuple[Array, ...]:
    X, labels = digits()
    order = np.random.default_rng(draw).permutation(len(X))
    seen, new = order[:LEARN], order[LEARN:]
    return X[seen], labels[seen], X[new], labels[new]


# ---------------------------------------------------------------- ridge regression, by leave-one-out


def price(U: Array, s: Array, Y: Array) -> tuple[float, float]:
    """Return λ with the smallest leave-one-out error of the smoother U diag(s/(s + λ)) Uᵀ, and this error."""
    seen, squares, errors = U.T @ Y, U**2, {}
    for lam in PRICES:
        keep = s / (s + lam)
        errors[lam] = np.mean(((Y - U @ (keep[:, None] * seen)) / (1 - squares @ keep)[:, None]) ** 2)
    best = min(errors, key=errors.get)
    return best, errors[best]


def exact(K: Array, Y: Array) -> tuple[Array, float]:
    """α of kernel ridge regression, and its leave-one-out error."""
    s, U = eigh(K)
    s = np.maximum(s, 0)
    lam, error = price(U, s, Y)
    return U @ ((U.T @ Y) / (s + lam)[:, None]), error


def linear(F: Array, Y: Array) -> tuple[Array, float]:
    """w of ridge regression on features, and its leave-one-out error."""
    s, V = eigh(F.T @ F)
    s, V = s[s > 1e-12 * s[-1]], V[:, s > 1e-12 * s[-1]]
    U = F @ V / np.sqrt(s)
    lam, error = price(U, s, Y)
    return V @ ((np.sqrt(s) / (s + lam))[:, None] * (U.T @ Y)), error


def root(K_mm: Array) -> Array:
    """S with S Sᵀ = K_mm⁻¹ (a pseudo-inverse)."""
    w, U = eigh(K_mm)
    kept = w > 1e-12 * w[-1]
    return U[:, kept] / np.sqrt(w[kept])


def waves(X: Array, omega: Array) -> Array:
    return np.hstack([np.cos(X @ omega), np.sin(X @ omega)]) / np.sqrt(omega.shape[1])


def phased(X: Array, omega: Array, b: Array) -> Array:
    return np.sqrt(2 / len(b)) * np.cos(X @ omega + b)


def three_ways(
    X: Array, Y: Array, new: Array, widths: tuple[float, ...], wrong: Callable[[Array], float], rng: np.random.Generator
) -> Row:
    """Return errors of landmarks, random features and a subsample at each size and width, and at their own widths."""
    order, draws = rng.permutation(len(X)), rng.standard_normal((X.shape[1], max(SIZES) // 2))
    found: dict[str, dict[float, tuple[float, float]]] = {}
    for sigma in widths:
        K, K_new = Gaussian(sigma)(X), Gaussian(sigma)(new, X)
        a, loo = exact(K, Y)
        found.setdefault("exact", {})[sigma] = loo, wrong(K_new @ a)
        for m in SIZES:
            at, omega = order[:m], draws[:, : m // 2] / sigma
            S = root(K[np.ix_(at, at)])
            w, loo = linear(K[:, at] @ S, Y)
            found.setdefault(f"{m} landmarks", {})[sigma] = loo, wrong(K_new[:, at] @ (S @ w))
            w, loo = linear(waves(X, omega), Y)
            found.setdefault(f"{m} random features", {})[sigma] = loo, wrong(waves(new, omega) @ w)
            a, loo = exact(K[np.ix_(at, at)], Y[at])
            found.setdefault(f"subsample of {m}", {})[sigma] = loo, wrong(K_new[:, at] @ a)
    row = {}
    for name, at_width in found.items():
        best = min(at_width, key=lambda sigma: at_width[sigma][0])
        row |= {name: at_width[best][1], f"width of {name}": best}
    return row | {f"{name} at {s}": e for name, at_width in found.items() for s, (_, e) in at_width.items()}


@table("digits of 797 that are wrong (%), and RMSE of a map (m), 1000 points to learn from", 20, of="draws", slow=True)
def ch10_features(draw: int) -> Row:
    """Digits with one output for each digit, without an intercept, pixels from 0 to 1; heights at 2000 other places."""
    X, labels, new, right = dealt(draw)
    row = {}
    for name, value in three_ways(
        X,
        np.eye(10)[labels],
        new,
        (0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0),
        lambda f: 100 * np.mean(f.argmax(axis=1) != right),
        np.random.default_rng(draw),
    ).items():
        row[f"digits: {name}"] = value
    (P, y), rng = land(), np.random.default_rng(draw)
    order = rng.permutation(len(P))
    seen, other = order[:LEARN], order[LEARN : LEARN + 2000]
    level = y[seen].mean()
    for name, value in three_ways(
        P[seen],
        (y[seen] - level)[:, None],
        P[other],
        (0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0),
        lambda f: np.sqrt(np.mean((f[:, 0] + level - y[other]) ** 2)),
        rng,
    ).items():
        row[f"mountains: {name}"] = value
    return row


# ---------------------------------------------------------------- which landmarks


FLOWN, VALLEY = 1000, 900


def told_by_others(U: Array, s: Array, y: Array) -> dict[float, Array]:
    """Leave-one-out errors of the smoother U diag(s/(s + λ)) Uᵀ at all points, for each λ."""
    keeps = {lam: s / (s + lam) for lam in PRICES}
    return {lam: (y - U @ (keep * (U.T @ y))) / (1 - U**2 @ keep) for lam, keep in keeps.items()}


@table("RMSE on the whole map after a flight, 200 landmarks (m)", draws=40, of="flights", slow=True)
def ch10_flights(draw: int) -> Row:
    """Use 1000 heights, nine tenths of them over one valley, and landmarks chosen in four ways.

    Each map has its width and λ from leave-one-out errors, which are unweighted, or, "by area", weighted with the area
    for which a height stands.
    """
    (X, y), rng = land(), np.random.default_rng(draw)
    valley, level, m = (X < 7).all(axis=1), y.mean(), 200
    inside, outside = np.flatnonzero(valley), np.flatnonzero(~valley)
    flown = np.concatenate([rng.choice(inside, VALLEY, False), rng.choice(outside, FLOWN - VALLEY, False)])
    new = rng.choice(np.setdiff1d(np.arange(len(X)), flown), 3000, False)
    P, heights = X[flown], y[flown] - level
    shares = np.repeat([valley.mean() / VALLEY, 1 - valley.mean()], [VALLEY, FLOWN - VALLEY])
    shares[VALLEY:] /= FLOWN - VALLEY
    uniform, groups = rng.permutation(FLOWN)[:m], kmeans(P, m, n_init=1, rng=draw).centers
    row: Row = {}
    tried: dict[str, list[tuple[float, float, float, float, Array]]] = {}
    for sigma in (0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0, 11.0):
        kernel = Gaussian(sigma)
        s, U = eigh(kernel(P))
        kept = s > 1e-12 * s[-1]
        s, U = s[kept], U[:, kept]
        leverage = U**2 @ (s / (s + 0.1))
        if sigma == 1.4:
            row |= {"valley": leverage[:VALLEY].mean(), "outside": leverage[VALLEY:].mean()}
        smoothers = {"all": (P, U, s)}
        for name, Z in {
            "uniform": P[uniform],
            "leverage": P[rng.choice(FLOWN, m, False, p=leverage / leverage.sum())],
            "pivots": P[pivoted_landmarks(kernel, P, m, rng=draw)],
            "k-means": groups,
        }.items():
            F = kernel(P, Z) @ root(kernel(Z))
            s, V = eigh(F.T @ F)
            kept = s > 1e-12 * s[-1]
            smoothers[name] = Z, F @ V[:, kept] / np.sqrt(s[kept]), s[kept]
        for name, (Z, U, s) in smoothers.items():
            for lam, errors in told_by_others(U, s, heights).items():
                found = np.mean(errors**2), shares @ errors**2, sigma, lam, Z
                tried.setdefault(name, []).append(found)
    for name, each in tried.items():
        for rule, how in enumerate(("", " by area")):
            *_, sigma, lam, Z = min(each, key=lambda one, rule=rule: one[rule])
            model = NystromRidge(Gaussian(sigma), landmarks=Z, lam=lam).fit(P, heights)
            row[name + how] = np.sqrt(np.mean((model.predict(X[new]) + level - y[new]) ** 2))
            row[f"width of {name}{how}"] = sigma
    return row


# ---------------------------------------------------------------- where no neighbour is near


HOLE, FEW = 3, 500  # half the width of a hole, and landmarks


def holes(draw: int) -> list[tuple[Array, Array]]:
    """Heights on the rim of holes, and in their middle, less the rim's mean: in the west, the middle and the east."""
    heights, r, rng = land()[1].reshape(344, 403), HOLE, np.random.default_rng(draw)
    rim = [(i, j) for i in range(-r, r + 1) for j in range(-r, r + 1) if max(abs(i), abs(j)) == r]
    found = []
    for first, last, n in ((r, 200, 20_000), (210, 270, 3000), (280, 403 - r, 3000)):
        rows, columns = np.meshgrid(np.arange(r, 344 - r), np.arange(first, last), indexing="ij")
        at = rng.choice(rows.size, n, False)
        i, j = rows.ravel()[at], columns.ravel()[at]
        around = np.stack([heights[i + a, j + b] for a, b in rim], axis=1)
        level = around.mean(axis=1)
        found.append((around - level[:, None], heights[i, j] - level))
    return found


@table(
    "error of the height in the middle of a hole, from the 24 on its rim (m)", draws=10, of="draws of holes", slow=True
)
def ch10_holes(draw: int) -> Row:
    """20 000 holes in the west of the map to learn from; settings are chosen in the middle, and errors are of the east.

    Twelve settings for each method. A fit of the subsample takes as many multiplications as 500 landmarks.
    """
    (A, y), *others = holes(draw)
    size = A.std()
    A, others, rng = A / size, [(B / size, right) for B, right in others], np.random.default_rng([1, draw])
    tried: dict[str, list[tuple[float, float]]] = {}

    def told(name: str, *said: Array) -> None:
        both = [np.sqrt(np.mean((f - right) ** 2)) for f, (_, right) in zip(said, others, strict=True)]
        tried.setdefault(name, []).append((both[0], both[1]))

    told("mean of the rim", *(np.zeros(len(right)) for _, right in others))
    for lam in 10.0 ** np.arange(-5, 7):
        w = np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T @ y)
        told("linear ridge", *(B @ w for B, _ in others))
    near = [cKDTree(A).query(B, 80)[1] for B, _ in others]
    spread, *spreads = (B.std(axis=1) + 1 / size for B in (A, *(B for B, _ in others)))  # and a metre, for flat rims
    alike = cKDTree(A / spread[:, None])
    near_in_shape = [alike.query(B / s[:, None], 80)[1] for (B, _), s in zip(others, spreads, strict=True)]
    for k in (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60, 80):
        told("nearest neighbours", *(y[at[:, :k]].mean(axis=1) for at in near))
        told("nearest in shape", *(s * (y / spread)[at[:, :k]].mean(axis=1)
                                   for at, s in zip(near_in_shape, spreads, strict=True)))  # fmt: skip
    cheap = 2500
    draws = rng.standard_normal((A.shape[1], FEW // 2))
    for sigma in np.sqrt(A.shape[1]) * np.array([0.5, 0.7, 1.0, 1.4]):
        bell, Z, omega = Gaussian(sigma), A[:FEW], draws / sigma
        S = root(bell(Z))
        ways = {
            "landmarks": lambda B, bell=bell, Z=Z, S=S: bell(B, Z) @ S,
            "random features": lambda B, omega=omega: waves(B, omega),
        }
        for name, features in ways.items():
            F, new = features(A), [features(B) for B, _ in others]
            G, c = F.T @ F, F.T @ y
            for lam in (1e-4, 1e-2, 1.0):
                w = np.linalg.solve(G + lam * np.eye(len(G)), c)
                told(name, *(B @ w for B in new))
        K, new = bell(A[:cheap]), [bell(B, A[:cheap]) for B, _ in others]
        for lam in (1e-4, 1e-2, 1.0):
            a = np.linalg.solve(K + lam * np.eye(cheap), y[:cheap])
            told("subsample", *(B @ a for B in new))
    return {name: min(each)[1] for name, each in tried.items()}


# ---------------------------------------------------------------- the course's methods on the digits

Gram = Callable[[Array, Array, float], Array]
Fit = Callable[[Array, Array, float], tuple[Array, Array]]
Prices = tuple[float, ...]
Family = Callable[..., list[Array]]  # (X, labels, new points, which alone) → labels, for each setting
WIDTHS = (1.0, 1.4, 2.0, 2.8)
FEATURES = 320


def gaussian(A: Array, B: Array, sigma: float) -> Array:
    return Gaussian(sigma)(A, B)


def plane(A: Array, B: Array, sigma: float) -> Array:
    return A @ B.T


def through(Z: Array, A: Array, B: Array, sigma: float) -> Array:
    S = root(gaussian(Z, Z, sigma))
    return (gaussian(A, Z, sigma) @ S) @ (gaussian(B, Z, sigma) @ S).T


def lots(A: Array, B: Array, sigma: float) -> Array:
    return through(A[:FEATURES], A, B, sigma)


def centres(A: Array, B: Array, sigma: float) -> Array:
    return through(grouped(A.tobytes(), len(A)), A, B, sigma)


@cache
def grouped(points: bytes, n: int) -> Array:
    return kmeans(np.frombuffer(points).reshape(n, -1), FEATURES, n_init=1, rng=0).centers


def cosines(A: Array, B: Array, sigma: float) -> Array:
    lot = crc32(A[0].tobytes())  # the first that is learnt from: each split has frequencies of its own, tuned or fitted
    omega = np.random.default_rng(lot).standard_normal((A.shape[1], FEATURES // 2)) / sigma
    return waves(A, omega) @ waves(B, omega).T


def cosines_with_phases(A: Array, B: Array, sigma: float) -> Array:
    rng = np.random.default_rng(crc32(A[0].tobytes()))
    omega, b = rng.standard_normal((A.shape[1], FEATURES)) / sigma, rng.uniform(0, 2 * np.pi, FEATURES)
    return phased(A, omega, b) @ phased(B, omega, b).T


# each of these returns a column of α, and b, of f(x) = Σ α_i k(x_i, x) + b for each column of signs


def ridge(K: Array, T: Array, lam: float) -> tuple[Array, Array]:
    found = cho_solve(cho_factor(K + lam * np.eye(len(K))), np.column_stack([T, np.ones(len(K))]))
    b = found[:, :-1].sum(axis=0) / found[:, -1].sum()
    return found[:, :-1] - b * found[:, -1:], b


def machine(K: Array, T: Array, C: float) -> tuple[Array, Array]:
    A, fits = np.zeros(T.shape), [SVC(kernel="precomputed", C=C).fit(K, t) for t in T.T]
    for a, fitted in zip(A.T, fits, strict=True):
        a[fitted.support_] = fitted.dual_coef_[0]
    return A, np.array([fitted.intercept_[0] for fitted in fits])


def fisher(K: Array, T: Array, lam: float) -> tuple[Array, Array]:
    """Kernel LDA of two classes, one column."""
    means = np.column_stack([K[:, T[:, 0] == sign].mean(axis=1) for sign in (1, -1)])
    within = K - np.where(T[:, 0] == 1, means[:, :1], means[:, 1:])
    a = np.linalg.solve(within @ within.T + lam * np.eye(len(K)), means[:, :1] - means[:, 1:])
    return a, -a.T @ means.mean(axis=1)


def perceptron(K: Array, T: Array, passes: int) -> tuple[Array, Array]:
    A = np.zeros(T.shape)
    for a, t in zip(A.T, T.T, strict=True):
        f = np.zeros(len(K))
        for _ in range(passes):
            before = a.copy()
            for i in range(len(K)):
                if t[i] * f[i] <= 0:
                    a[i] += t[i]
                    f += t[i] * K[i]
            if np.array_equal(a, before):
                break
    return A, np.zeros(T.shape[1])


def by_pairs(fit: Fit, K: Array, labels: Array, K_new: Array, price: float) -> Array:
    """Fit a classifier for each pair of digits; most votes win, and ties are broken by the outputs."""
    if fit is machine:  # libsvm deals and counts in the same way, in one call
        fitted = SVC(kernel="precomputed", C=price, decision_function_shape="ovr").fit(K, labels)
        return fitted.decision_function(K_new.T).argmax(axis=1)
    votes = np.zeros((10, K_new.shape[1]))
    for one, other in combinations(range(10), 2):
        at = np.flatnonzero((labels == one) | (labels == other))
        a, b = fit(K[np.ix_(at, at)], np.where(labels[at] == one, 1.0, -1.0)[:, None], price)
        f = a[:, 0] @ K_new[at] + b
        sure = np.sign(f) + 1e-3 * np.tanh(f)
        votes[one] += sure
        votes[other] -= sure
    return votes.argmax(axis=0)


def machines(coding: Callable, fit: Fit, gram: Gram, prices: Prices, widths: Prices = WIDTHS) -> Family:
    """Predict with each width and each penalty in turn, or with one of them only."""
    settings = [(sigma, price) for sigma in widths for price in prices]

    def say(X: Array, labels: Array, new: Array, only: int | None = None) -> list[Array]:
        asked = settings if only is None else [settings[only]]
        grams = {sigma: (gram(X, X, sigma), gram(X, new, sigma)) for sigma in {sigma for sigma, _ in asked}}
        return [coding(fit, grams[sigma][0], labels, grams[sigma][1], price) for sigma, price in asked]

    return say


def plain(made: Callable, settings: Sequence[float]) -> Family:
    """The same of a classifier of the course with one setting."""

    def say(X: Array, labels: Array, new: Array, only: int | None = None) -> list[Array]:
        asked = settings if only is None else [settings[only]]
        return [made(setting).fit(X, labels).predict(new) for setting in asked]

    return say


def wrong(say: Family, X: Array, labels: Array, new: Array, right: Array) -> float:
    """Return the % of errors with the setting that was best on the last quarter of the training data."""
    cut = 3 * len(X) // 4
    missed = [np.sum(said != labels[cut:]) for said in say(X[:cut], labels[:cut], X[cut:])]
    return 100 * np.mean(say(X, labels, new, int(np.argmin(missed)))[0] != right)


LAM, SLACK, PASSES = (1e-3, 1e-1), (1.0, 10.0), (3, 30)  # two prices beside four widths
EIGHT = tuple(10.0 ** np.linspace(-2, 1.5, 8))  # eight for those who have no width


@table("digits of 797 that are wrong (%), 1000 to learn from", draws=60, of="splits", slow=True)
def ch10_course(draw: int) -> Row:
    """Use eight settings for each method, and all pairs of digits for methods of two classes."""
    X, labels, new, right = dealt(draw)
    rows = {
        "nearest neighbours": plain(KNNClassifier, range(1, 9)),
        "windows": plain(ParzenClassifier, np.linspace(0.2, 0.9, 8)),
        "perceptron": machines(by_pairs, perceptron, gaussian, PASSES),
        "ridge": machines(by_pairs, ridge, gaussian, LAM),
        "linear ridge": machines(by_pairs, ridge, plane, EIGHT, (1.0,)),
        "support vectors": machines(by_pairs, machine, gaussian, SLACK),
        "linear support vectors": machines(by_pairs, machine, plane, EIGHT, (1.0,)),
        "kernel LDA": machines(by_pairs, fisher, gaussian, LAM),
        "landmarks": machines(by_pairs, ridge, lots, LAM),
        "centres": machines(by_pairs, ridge, centres, LAM),
        "random features": machines(by_pairs, ridge, cosines, LAM),
        "random features with phases": machines(by_pairs, ridge, cosines_with_phases, LAM),
    }
    row = {name: wrong(say, X, labels, new, right) for name, say in rows.items()}
    row["subsample"] = wrong(rows["ridge"], X[:FEATURES], labels[:FEATURES], new, right)
    return row


@table("digits of 797 that are wrong (%), 320 features as scikit-learn makes them", 20, of="splits", slow=True)
def ch10_defaults(draw: int) -> Row:
    """Compare the default gamma, 1/(d Var X), and a gamma from threefold cross-validation; all else is the same.

    ``gamma="scale"`` of `RBFSampler` is 1/(d Var X); `Nystroem` gets the number. Pixels go from 0 to 16, or to 1.
    """
    X, labels, new, right = dealt(draw)
    row: Row = {}
    for features in (RBFSampler, Nystroem):
        plain = Pipeline([("first", features(n_components=320, random_state=draw)), ("then", RidgeClassifier(0.1))])
        widths = {"first__gamma": [1 / (2 * s**2) for s in (1.0, 1.4, 2.0, 2.8, 4.0)]}
        chosen = GridSearchCV(plain, widths, cv=3)
        tried = [("chosen on 0 to 1", chosen, 1)]
        for factor in (16, 1):
            scale = "scale" if features is RBFSampler else 1 / (X.shape[1] * (factor * X).var())
            scaled = clone(plain).set_params(first__gamma=scale)
            tried += [(f"default on 0 to {factor}", plain, factor), (f"scale on 0 to {factor}", scaled, factor)]
        for how, model, factor in tried:
            said = model.fit(factor * X, labels).predict(factor * new)
            row[f"{features.__name__} {how}"] = 100 * np.mean(said != right)
    return row


CLAIMS = [
    Claim(
        "scale",
        ch10_defaults,
        less="RBFSampler scale on 0 to 16",
        than="RBFSampler default on 0 to 1",
        holds=20,
        unit="%",
    ),
    Claim("area", ch10_flights, less="uniform by area", than="pivots", holds=32, unit="m"),
    Claim(
        "all-targets",
        ch10_features,
        less="mountains: 80 landmarks",
        than="mountains: subsample of 80",
        holds=20,
        unit="m",
    ),
    Claim("holes", ch10_holes, less="landmarks", than="nearest in shape", holds=10, unit="m"),
    Claim("features", ch10_course, less="random features", than="subsample", holds=54, unit="%"),
]
