"""Exercises 2.1 to 2.4: features, a Gram matrix, what is a Gram matrix, and distances from one."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.gaussian_mistakes import GAUSSIAN_MISTAKES, squares
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property

__all__ = ["CHAPTER", "FEATURE_DISTANCE2", "GAUSSIAN_GRAM", "IS_PSD", "POLY2_FEATURES", "USE", "gram"]

CHAPTER = "ch02_kernels"
USE = "import numpy as np\n"  # how an experiment begins


def gram(rng: np.random.Generator, n: int, rank: int = 3) -> np.ndarray:
    """A Gram matrix with a diagonal that is neither 1 nor constant."""
    F = rng.normal(size=(n, rank)) + 0.4
    K = F @ F.T
    return (K + K.T) / 2


# -- 2.1


def poly2_features(X):
    """Features whose inner products are (x·z)²: squares, and the mixed product with √2."""
    return np.column_stack([X[:, 0] ** 2, 2**0.5 * X[:, 0] * X[:, 1], X[:, 1] ** 2])


def _with_mixed(factor):
    return lambda X: np.column_stack([X[:, 0] ** 2, factor * X[:, 0] * X[:, 1], X[:, 1] ** 2])


def _inner_products(value, X):
    """What is compared: features are right if these are."""
    value = np.asarray(value, dtype=float)
    return value @ value.T if value.ndim == 2 and len(value) == len(X) else None


def _in_two_quadrants(rng, n):
    X = rng.uniform(0.5, 2.5, size=(n, 2))
    X[3:, 0] *= -1
    return X


_P = USE + "X = np.array([[1.0, 2.0], [3.0, -1.0], [0.0, 0.5]])\nPhi = np.asarray(poly2_features(X))\n"

POLY2_FEATURES = Exercise(
    name="poly2_features",
    chapter=CHAPTER,
    number="2.1",
    returns="features, shape (n, 3): a row for each point",
    reference=poly2_features,
    properties=(
        Property(
            "has inner products (xᵀz)²",
            2,
            lambda r: [(r.normal(size=(n, 2)) + 0.5,) for n in (4, 7, 5)],
        ),
        Property(
            "keeps its shape for a single point",
            1,
            # of a single point the norm alone is seen, which features of another kernel may have; so four points are drawn as
            # well, in two quadrants
            lambda r: [(_in_two_quadrants(r, n),) for n in (1, 1, 4)],
            hint="Your answer fails only for a single point. With one row in X the features must have shape (1, 3). A squeeze, "
            "or an index that drops an axis, loses it.",
        ),
    ),
    misconceptions=(
        Misconception(
            "no root of two",
            _with_mixed(1.0),
            "Your mixed feature is x₁x₂. In (x₁z₁ + x₂z₂)² the mixed term has the factor 2, so multiply the feature by √2.",
            "Read “Kernels: inner products of features” again: the middle term of (1) is 2x₁x₂z₁z₂.",
            _P + "print(Phi[0] @ Phi[2], (X[0] @ X[2]) ** 2, Phi[0] @ Phi[0], (X[0] @ X[0]) ** 2)   # should be equal in pairs",
        ),
        Misconception(
            "two for its root",
            _with_mixed(2.0),
            "Your mixed feature is 2x₁x₂. The factor 2 of the mixed term is a product of two features, so each of them has √2.",
            "Read “Kernels: inner products of features” again: each of the two φ contributes one factor to the product.",
            _P + "print(Phi[0] @ Phi[1], (X[0] @ X[1]) ** 2)   # should be equal",
        ),
        Misconception(
            "with a one inside",
            lambda X: np.column_stack([np.ones(len(X)), 2**0.5 * X, poly2_features(X)]),
            "Your features belong to (1 + xᵀz)². Leave out the constant and the coordinates themselves.",
            "Read “Kernels: inner products of features” again: (1) has no 1 inside the bracket.",
            USE + "Phi = np.asarray(poly2_features(np.zeros((1, 2))))\nprint(Phi @ Phi.T)   # (0ᵀ0)²: should print 0",
        ),
        Misconception(
            "coordinates themselves",
            lambda X: np.column_stack([X, np.zeros(len(X))]),
            "Your features have the inner products xᵀz. Use products of two coordinates, so that the inner product is squared.",
            "Read “Feature maps” again: the new coordinates are products of the old ones.",
            _P + "print(Phi[0] @ Phi[0], (X[0] @ X[0]) ** 2)   # should be equal",
        ),
        Misconception(
            "no mixed feature",
            lambda X: np.column_stack([X**2, np.zeros(len(X))]),
            "Your features are the two squares. The mixed product √2 x₁x₂ is missing.",
            "Read “Feature maps” again: φ has three coordinates.",
            USE + "Phi = np.asarray(poly2_features(np.array([[1.0, 1.0], [1.0, -1.0]])))\n"
            "print(Phi[0] @ Phi[1])   # the two points are perpendicular: should print 0",
        ),
        Misconception(
            "the matrix itself",
            lambda X: (X @ X.T) ** 2,
            "You return the matrix of all (xᵀz)². Return features, three numbers for each point, whose inner products "
            "are this matrix.",
            "Read “Kernels: inner products of features” again: φ takes one point, the kernel two.",
            USE + "for n in (2, 5):\n    print(np.shape(poly2_features(np.ones((n, 2)))))   # more points, and no more features",
        ),
        Misconception(
            "coordinates for squares",
            lambda X: np.column_stack([X[:, 0], 2**0.5 * X[:, 0] * X[:, 1], X[:, 1]]),
            "Your first and last features are x₁ and x₂. Use their squares.",
            "Read “Feature maps” again: φ begins with x₁².",
            USE + "for c in (1.0, 2.0):\n    Phi = np.asarray(poly2_features(np.array([[c, 0.0]])))\n"
            "    print(Phi @ Phi.T)   # should print 1, then 16",
        ),
        Misconception(
            "absolute values",
            lambda X: np.column_stack([X[:, 0] ** 2, np.abs(2**0.5 * X[:, 0] * X[:, 1]), X[:, 1] ** 2]),
            "Your mixed feature is |x₁x₂|. Keep its sign, which says in which pair of quadrants a point lies.",
            "Read “Kernels: inner products of features” again: the signs in x₁x₂z₁z₂ matter.",
            USE + "Phi = np.asarray(poly2_features(np.array([[1.0, 1.0], [1.0, -1.0]])))\n"
            "print(Phi[0] @ Phi[1])   # (1 - 1)²: should print 0",
        ),
    ),
    observations=(
        Observation(
            "The squared lengths of your features are right, but the inner products of different points are not (xᵀz)².",
            lambda value, X: np.allclose(np.diag(value), (X**2).sum(axis=1) ** 2),
        ),
    ),
    step="Read “Kernels: inner products of features” again: expand (x₁z₁ + x₂z₂)², and read off what belongs to x and what to z.",
    experiment=_P + "print(np.abs(Phi @ Phi.T - (X @ X.T) ** 2).max())   # should print 0, up to rounding",
    sizes=lambda X: {"n": len(X)},
    view=_inner_products,
    view_name="the inner products of your features",
)  # fmt: skip


# -- 2.2


def gaussian_gram(X, Z, sigma):
    """K_ij = exp(-‖x_i - z_j‖²/(2σ²)), differences first, so that points far from the origin keep their digits."""
    return np.exp(-squares(X, Z) / (2 * sigma**2))


def _pairs(rng, shift=0.0):
    shapes = [(4, 6, 2, rng.uniform(0.6, 0.8)), (7, 5, 3, rng.uniform(1.4, 1.8)), (3, 5, 4, rng.uniform(1.3, 1.6))]
    return [
        (rng.normal(size=(n, d)) + shift, rng.normal(size=(m, d)) + shift, float(sigma)) for n, m, d, sigma in shapes
    ]


_SEE = USE + "def k(x, z, s):   # one entry of your matrix\n" \
    "    return np.asarray(gaussian_gram(np.array([x]), np.array([z]), s))[0, 0]\n"  # fmt: skip
_GAUSSIANS = (  # name, step, experiment
    (
        "exponent without the 2",
        "Read “Notation” on the start page: the σ of exp(-‖x-z‖²/σ²) is √2 times ours.",
        _SEE + "print(np.log(k([0.0, 0.0], [1.3, 0.0], 1.3)))   # at distance σ: should print -1/2",
    ),
    (
        "all of 2 sigma squared",
        "Read “Notation” on the start page, its first row: the factor 2 multiplies σ².",
        _SEE + "print(np.log(k([0.0, 0.0], [0.6, 0.0], 0.6)))   # one σ apart: should print -1/2",
    ),
    (
        "brackets missing in the exponent",
        "Read “Notation” on the start page: σ² is in the denominator, so a larger σ makes a wider kernel.",
        _SEE + "for s in (0.5, 1.0, 2.0):\n    print(k([0.0, 0.0], [1.0, 0.0], s))   # must grow with the width",
    ),
    (
        "sigma used as gamma",
        "Read “The same in scikit-learn” again: gamma is 1/(2σ²).",
        _SEE
        + "for s in (0.5, 1.0, 2.0):\n    print(k([0.0, 0.0], [s, 0.0], s))   # at distance σ each time: must not change",
    ),
    (
        "sigma not squared",
        "Read “A menu of kernels” again: a width has the unit of x, so the exponent is a square over a square.",
        _SEE + "for unit in (1.0, 10.0):   # centimetres, millimetres\n"
        "    print(k([0.0, 0.0], [2.0 * unit, 0.0], 1.5 * unit))   # should be equal",
    ),
    (
        "distance not squared",
        "Read “Notation” on the start page: the Gaussian has the squared distance, the Laplacian the distance.",
        _SEE + "print(1 - k([0.0, 0.0], [0.001, 0.0], 1.0))   # flat at its top: should be below a millionth",
    ),
    (
        "Laplacian kernel",
        "Read “A menu of kernels” again: the table lists both kernels.",
        _SEE
        + "print((1 - k([0.0, 0.0], [0.02, 0.0], 1.0)) / (1 - k([0.0, 0.0], [0.01, 0.0], 1.0)))   # should be near 4",
    ),
    (
        "minus sign missing",
        "Read “The Gaussian has infinitely many features” again: the kernel falls with the distance, so the exponent is negative.",
        _SEE
        + "print(k([0.0, 0.0], [1.0, 0.0], 1.0), k([0.0, 0.0], [2.0, 0.0], 1.0))   # the second should be the smaller one",
    ),
    (
        "summed before squaring",
        "Read “Distances and means in feature space” again: a squared distance is a sum of squares.",
        _SEE + "print(k([0.0, 0.0], [1.0, -1.0], 1.0))   # two different points: should be below 1",
    ),
)

GAUSSIAN_GRAM = Exercise(
    name="gaussian_gram",
    chapter=CHAPTER,
    number="2.2",
    returns="the matrix K, shape (n, m): a row for each row of X, a column for each row of Z",
    reference=gaussian_gram,
    properties=(
        Property("is the Gaussian of all pairs, in two to four dimensions", 3, _pairs),
        Property(
            "keeps its digits far from the origin",
            1,
            lambda r: _pairs(r, shift=1e6)[:2],
            hint="Your answer fails only far from the origin, near 10⁶, where ‖x‖² + ‖z‖² - 2xᵀz subtracts huge "
                 "numbers. Take the differences first, in float64.",
        ),
    ),
    promises=(
        Promise("are far from the origin", lambda X, Z, sigma: min(X.min(), Z.min()) > 1e5 * sigma, of=(1,)),
    ),
    misconceptions=(
        *(Misconception(name, *GAUSSIAN_MISTAKES[name], step, code) for name, step, code in _GAUSSIANS),
        Misconception(
            "exponential forgotten",
            lambda X, Z, sigma: -squares(X, Z) / (2 * sigma**2),
            "You return the exponents -‖x-z‖²/(2σ²). The kernel is their exponential.",
            "Read “The Gaussian has infinitely many features” again: k is exp of that.",
            _SEE + "print(k([0.5, 1.0], [0.5, 1.0], 1.3))   # a point and itself: should print 1, not 0",
        ),
        Misconception(
            "rows that sum to one",
            lambda X, Z, sigma: gaussian_gram(X, Z, sigma) / gaussian_gram(X, Z, sigma).sum(axis=1, keepdims=True),
            "You divide each row by its sum, as the smoother of chapter 1 does. A Gram matrix contains the values k(x, z) themselves.",
            "Read “Distances and means in feature space” again: for the Gaussian kernel k(x, x) = 1.",
            USE + "print(np.diag(gaussian_gram(np.eye(2), np.eye(2), 0.8)))   # points and themselves: should print 1, 1",
        ),
        Misconception(
            "product once in the square",
            lambda X, Z, sigma: np.exp(-(squares(X, Z) + X @ Z.T) / (2 * sigma**2)),
            "Your squared distance is ‖x‖² + ‖z‖² - xᵀz. The square of a difference has the mixed term twice, so subtract 2xᵀz.",
            "Read “Distances and means in feature space” again: equation (5).",
            _SEE + "print(k([2.0, 1.0], [2.0, 1.0], 0.9))   # a point and itself, away from 0: should print 1",
        ),
    ),
    observations=(
        Observation(
            "gaussian_gram returned an entry above 1, but no two points are more alike than a point is to itself.",
            lambda value, X, Z, sigma: value.size and value.max() > 1 + 1e-9,
        ),
    ),
    step="Read “Notation” on the start page, its first row: exp(-‖x-z‖²/(2σ²)).",
    experiment=_SEE + "print(k([1.0, 2.0], [1.0, 2.0], 0.7), np.log(k([0.0, 0.0], [0.7, 0.0], 0.7)))   # should print 1 and -1/2",
    sizes=lambda X, Z, sigma: {"n": len(X), "m": len(Z), "σ": sigma, "d": X.shape[1]},
)  # fmt: skip


# -- 2.3


def is_psd(K, tol):
    """Symmetric, and no eigenvalue below -tol times the largest |eigenvalue|."""
    if not np.allclose(K, K.T, rtol=0, atol=tol * np.abs(K).max()):
        return False
    values = np.linalg.eigvalsh((K + K.T) / 2)
    return bool(values[0] >= -tol * np.abs(values).max())


def _verdict(test):
    """A yes or no from the eigenvalues of a symmetric matrix; False for others."""
    return lambda K, tol: bool(is_symmetric(K) and test(np.linalg.eigvalsh((K + K.T) / 2), tol))


def is_symmetric(K):
    return bool(np.abs(K - K.T).max() <= 1e-9 * max(1e-300, np.abs(K).max()))


def _whatever_tolerance(test):
    """A test that is made with 0, with -tol or with -tol in units of K: where these differ, a ValueError."""

    def answer(K, tol):
        size = max(1e-300, np.abs(K).max())
        said = {bool(test(M, t)) for M, t in ((K, 0.0), (K, tol), (K / size, tol))}
        if len(said) > 1:
            raise ValueError("the tolerance decides, and each has one of their own")
        return is_symmetric(K) and said.pop()

    return answer


def _leading_minors(K, tol):
    return all(np.linalg.det(K[:i, :i]) >= -tol for i in range(1, len(K) + 1))


def _two_by_two_minors(K, tol):
    lengths = np.diag(K)
    every = (K**2 <= np.outer(lengths, lengths) + tol).all()
    if every and lengths.min() < 0:
        raise ValueError("who compares pairs may or may not look at the diagonal, too")
    return every


def _mirrored(K, tol):
    """What a routine for symmetric matrices takes for K: its lower triangle, twice."""
    return np.tril(K) + np.tril(K, -1).T, tol


def _with_spectrum(rng, values):
    Q = np.linalg.qr(rng.normal(size=(len(values), len(values))))[0]
    K = Q @ np.diag(values) @ Q.T
    return (K + K.T) / 2


_TOL = 1e-9


def _matrices(rng):
    """Some p.s.d. and some not, such that each of the usual shortcuts goes wrong on one at least."""
    b = float(rng.uniform(0.3, 0.8))
    c = float(rng.uniform(1.5, 2.5))
    signs = rng.permutation([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
    return [
        (np.array([[1.0, -b], [-b, 1.0]]), _TOL),  # negative entries, and p.s.d.
        (np.array([[1.0, c], [c, 1.0]]), _TOL),  # positive entries, and not
        (-_with_spectrum(rng, [1.0, 2.0]), _TOL),  # two negative eigenvalues: the determinant is positive
        (np.diag(rng.permutation([0.0, 0.4, 1.6])), _TOL),  # an eigenvalue of 0, to the last bit
        (np.diag([0.0, -c]), _TOL),  # leading minors 0 and 0
        (np.diag([0.0, 1.0, *rng.permutation([2.0, 3.0, -1.0])]), _TOL),  # and so on
        (1.95 * np.eye(6) - 0.95 * np.outer(signs, signs), _TOL),  # every pair is in order, the six together are not
        (_with_spectrum(rng, [-1e-3, *rng.uniform(1.0, 3.0, size=7)]), _TOL),  # no vector drawn at random finds that
        (
            np.diag(rng.permutation([-1e-3, 1.0, 1.0, 1.2, 1.4, 2.0, 2.0, 3.0])),
            _TOL,
        ),  # nor that, which the diagonal shows
        (_with_spectrum(rng, [-0.3, 1.0, 2.0, 3.0]), _TOL),  # a positive trace, and not
        (_with_spectrum(rng, [0.2, 1.0, 4.0]), _TOL),
        (_with_spectrum(rng, [-0.2, -0.1, 1.5, 2.0, 3.0]), _TOL),
        (np.diag(rng.permutation([2.5, -1.0, 1.0])), _TOL),  # a positive trace and a negative entry on the diagonal
        (_with_spectrum(rng, [-4.0, -1.0, 2.0]), _TOL),  # a negative trace and a positive eigenvalue
    ]


def _asymmetric(rng):
    A = rng.normal(size=(3, 3))
    return [
        (np.array([[1.0, 0.6], [-0.6, 1.0]]), _TOL),
        (np.array([[2.0, 1.0], [0.7, 2.0]]), _TOL),  # each entry of the size of its mirror image
        (_with_spectrum(rng, [1.0, 2.0, 3.0]) + 0.2 * (A - A.T), _TOL),
    ]


def _rounded(rng):
    """Gram matrices in large and in small units, with eigenvalues that rounding has made a little negative.

    In the matrix of zeros the smallest eigenvalue is exactly -tol·max|μ|, which is a convention.
    """
    found: list[tuple] = [(np.zeros((3, 3)), _TOL)]
    for scale in (1e8, 1e-8):
        found.append((scale * _with_spectrum(rng, [-1e-12, 0.5, 2.0, 3.0]), _TOL))
        found.append((scale * _with_spectrum(rng, [-1e-3, 0.5, 2.0, 3.0]), _TOL))
    return found


_T = USE + "tol = 1e-9\n"

IS_PSD = Exercise(
    name="is_psd",
    chapter=CHAPTER,
    number="2.3",
    returns="True or False",
    reference=is_psd,
    properties=(
        Property("distinguishes Gram matrices from other symmetric matrices", 2, _matrices),
        Property(
            "returns False for a matrix that is not symmetric",
            1,
            _asymmetric,
            hint="Your answer fails only for matrices that are not symmetric, which are never Gram matrices. "
            "Compare K with K.T before you compute eigenvalues.",
        ),
        Property(
            "allows for rounding, relative to the largest eigenvalue",
            1,
            _rounded,
            hint="Your answer fails only when the entries are very large, very small or all 0. Test whether the smallest "
                 "eigenvalue is ≥ -tol times the largest absolute one: not -tol alone, not > and no division.",
        ),
    ),
    promises=(
        Promise(
            "are far from the tolerance on either side",
            lambda K, tol: not tol / 100 < -np.linalg.eigvalsh(K)[0] / max(1e-300, np.abs(K).max()) < 100 * tol,
            of=(0, 2),
        ),
        Promise("are far from symmetric", lambda K, tol: np.abs(K - K.T).max() > 0.01 * np.abs(K).max(), of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "entries for eigenvalues",
            _whatever_tolerance(lambda K, tol: (K >= -tol).all()),
            "You test the entries. A Gram matrix may have negative entries, and entries of at least 0 do not make one. Test the eigenvalues.",
            "Read “Which functions are kernels?” again: the matrices A and B.",
            _T + "print(is_psd(np.array([[1.0, -0.5], [-0.5, 1.0]]), tol))   # two arrows at 120°: should print True",
        ),
        Misconception(
            "determinant",
            _whatever_tolerance(lambda K, tol: np.linalg.det(K) >= -tol),
            "You test the determinant. Two negative eigenvalues have a positive product, so test the smallest eigenvalue.",
            "Read “Which functions are kernels?” again: no eigenvalue may be negative, not their product.",
            _T + "print(is_psd(-np.eye(2), tol))   # both eigenvalues are -1: should print False",
        ),
        Misconception(
            "strictly positive",
            _verdict(lambda v, tol: v[0] > tol * np.abs(v).max()),
            "You require eigenvalues above 0, or above +tol. Positive semi-definite allows 0, which repeated points "
            "have.",
            "Read “Which functions are kernels?” again: eigenvalues may be 0.",
            _T + "print(is_psd(np.ones((2, 2)), tol))   # one arrow, twice: should print True",
        ),
        Misconception(
            "leading minors",
            _whatever_tolerance(_leading_minors),
            "You test the determinants of the upper left corners. If they are at least 0, this proves nothing, because "
            "a first corner of 0 hides what follows.",
            "Read “Which functions are kernels?” again: no eigenvalue may be negative, whatever the determinants are.",
            _T + "print(is_psd(np.diag([0.0, -1.0]), tol))   # corners 0 and 0, an eigenvalue -1: should print False",
        ),
        Misconception(
            "no tolerance",
            Changed(is_psd, lambda K, tol: (K, 0.0)),
            "You compare with 0 and do not use `tol`. Rounding makes an eigenvalue 0 slightly negative.",
            "Read “Which functions are kernels?” again: eigenvalues may be 0, and one that is 0 is seldom computed as exactly 0.",
            _T + "print(is_psd(np.diag([1.0, -1e-12]), tol))   # within the tolerance: should print True",
        ),
        Misconception(
            "symmetry not looked at",
            Changed(is_psd, _mirrored),
            "You do not test whether K itself is symmetric. Only symmetric matrices are Gram matrices, whatever "
            "their eigenvalues are.",
            "Read “Which functions are kernels?” again: symmetry is the first half of the definition.",
            _T + "print(is_psd(np.array([[1.0, 0.9], [0.0, 1.0]]), tol))   # K_12 and K_21 differ: should print False",
        ),
        Misconception(
            "trace",
            _verdict(lambda v, tol: v.sum() >= -tol * np.abs(v).max()),
            "You test the trace. The sum of the eigenvalues may be positive although one of them is negative.",
            "Read “Which functions are kernels?” again: no eigenvalue may be negative, not their sum.",
            _T + "print(is_psd(np.array([[1.0, 2.0], [2.0, 1.0]]), tol))   # trace 2, eigenvalues 3 and -1: should print False",
        ),
        Misconception(
            "diagonal",
            lambda K, tol: bool(is_symmetric(K) and (np.diag(K) >= -tol * np.abs(K).max()).all()),
            "You test the diagonal. Squared lengths of at least 0 are necessary, but they are not sufficient.",
            "Read “Which functions are kernels?” again: B has a diagonal of ones.",
            _T + "print(is_psd(np.array([[0.0, 1.0], [1.0, 0.0]]), tol))   # lengths 0, product 1: should print False",
        ),
        Misconception(
            "two by two minors",
            _whatever_tolerance(_two_by_two_minors),
            "You compare K_ij² with K_ii K_jj for each pair. This is necessary, but for three and more points it is not "
            "sufficient.",
            "Read “Find the error” again: its three sentences pass every test of pairs.",
            _T + "print(is_psd(np.array([[1, 0.9, 0.1], [0.9, 1, 0.9], [0.1, 0.9, 1]]), tol))   # should print False",
        ),
        Misconception(
            "largest eigenvalue",
            _verdict(lambda v, tol: v[-1] >= -tol * np.abs(v).max()),
            "You test the largest eigenvalue. The smallest one must not be negative.",
            "Read “Which functions are kernels?” again: no eigenvalue is negative.",
            _T + "print(is_psd(np.diag([1.0, -1.0]), tol))   # one eigenvalue is -1: should print False, whatever the other is",
        ),
        Misconception(
            "negated",
            lambda K, tol: not is_psd(K, tol),
            "You return True for False and False for True. Return True if no eigenvalue is negative.",
            "Read “Which functions are kernels?” again: a Gram matrix has no negative eigenvalue.",
            _T + "print(is_psd(np.eye(2), tol), is_psd(-np.eye(3), tol))   # should print True, False",
        ),
        Misconception(
            "only symmetry",
            lambda K, tol: is_symmetric(K),
            "You return True for every symmetric matrix. Return False if an eigenvalue is negative; do not take its "
            "absolute value.",
            "Read “Which functions are kernels?” again: the second half of the definition is about eigenvalues.",
            _T + "print(is_psd(np.diag([1.0, -3.0]), tol))   # symmetric, with a negative eigenvalue: should print False",
        ),
    ),
    observations=(
        Observation(
            "is_psd returned True for a matrix that is not symmetric, but such a matrix is never a Gram matrix.",
            lambda value, K, tol: bool(value) and not np.allclose(K, K.T, rtol=0, atol=tol * np.abs(K).max()),
        ),
    ),
    step="Read “Which functions are kernels?” again: symmetric, and no eigenvalue negative.",
    experiment=_T + "for K in ([[1, -0.5], [-0.5, 1]], [[1, 2], [2, 1]], [[1, 1], [1, 1]], [[0, 1], [1, 0]], [[1e9, 0], [0, -1e-3]]):\n"
    "    print(is_psd(np.array(K, dtype=float), tol))   # A, B, C, E, and rounding beside 1e9: True, False, True, False, True",
    sizes=lambda K, tol: {"n": len(K)},
)  # fmt: skip


# -- 2.4


def feature_distance2(K):
    """‖φ_i - φ_j‖² = K_ii + K_jj - 2K_ij."""
    return np.diag(K)[:, None] + np.diag(K) - 2 * K


_D = (
    USE
    + "Phi = np.array([[1.0, 2.0], [3.0, -1.0], [0.0, 0.5]])   # features that we can see\nD2 = feature_distance2(Phi @ Phi.T)\n"
)

FEATURE_DISTANCE2 = Exercise(
    name="feature_distance2",
    chapter=CHAPTER,
    number="2.4",
    returns="the squared distances, shape (n, n)",
    reference=feature_distance2,
    properties=(
        Property("gives the squared distances of the images", 3, lambda r: [(gram(r, n),) for n in (4, 6, 5)]),
    ),
    promises=(
        Promise("have a diagonal that is not constant", lambda K, *_: np.ptp(np.diag(K)) > 0.1),
    ),
    misconceptions=(
        Misconception(
            "product once",
            lambda K: np.diag(K)[:, None] + np.diag(K) - K,
            "You subtract K_ij once. The square of a difference has the mixed term twice, so subtract 2 K_ij.",
            "Read “Distances and means in feature space” again: equation (5).",
            _D + "print(np.diag(D2))   # a point and itself: should print 0, 0, 0",
        ),
        Misconception(
            "unit diagonal",
            lambda K: 2 - 2 * K,
            "You return 2 - 2K. This is right only if the diagonal of K is 1.",
            "Read “Distances and means in feature space” again: the shortcut 2 - 2k(x, z) is wrong where k(x, x) is not 1.",
            _D + "print(np.diag(D2), 'should print 0, 0, 0')",
        ),
        Misconception(
            "root taken",
            lambda K: np.sqrt(np.maximum(feature_distance2(K), 0)),
            "You return the distances. Return their squares.",
            "Read “Distances and means in feature space” again: (5) has a square on its left.",
            _D + "print(D2[0, 1], np.sum((Phi[0] - Phi[1]) ** 2))   # should be equal",
        ),
        Misconception(
            "plus for minus",
            lambda K: np.diag(K)[:, None] + np.diag(K) + 2 * K,
            "You add 2 K_ij, which gives the squared length of the sum of two images. Subtract it.",
            "Read “Distances and means in feature space” again: the sign of the mixed term in (5).",
            _D + "print(D2[0, 0])   # a point and itself: should print 0",
        ),
        Misconception(
            "one diagonal only",
            lambda K: 2 * np.diag(K) - 2 * K,
            "You use k(z, z) twice and k(x, x) not at all. Add the diagonal as a column as well: np.diag(K)[:, None].",
            "Read “Distances and means in feature space” again: (5) has one term for each of the two points.",
            _D + "print(D2 - D2.T)   # distances are symmetric: should print 0",
        ),
        Misconception(
            "distances between the columns",
            lambda K: squares(K, K),
            "You compute distances between the columns of K, as if these were the images. K contains inner products, so "
            "use (5).",
            "Read “Distances and means in feature space” again: (5) needs no coordinates.",
            _D + "print(D2[1, 2], np.sum((Phi[1] - Phi[2]) ** 2), 'should be equal')",
        ),
        Misconception(
            "halved",
            lambda K: feature_distance2(K) / 2,
            "You return half of the squared distances, K_ii/2 + K_jj/2 - K_ij. Multiply by 2.",
            "Read “Distances and means in feature space” again: (5) has no ½.",
            USE + "print(feature_distance2(np.diag([1.0, 1.0]))[0, 1])   # perpendicular arrows of length 1: should print 2",
        ),
        Misconception(
            "lengths alone",
            lambda K: np.diag(K)[:, None] + np.diag(K) + 0 * K,
            "You add the two squared lengths, as if all images were perpendicular. The mixed term -2 K_ij is missing.",
            "Read “Distances and means in feature space” again: the last term of (5).",
            USE + "print(feature_distance2(np.ones((2, 2))))   # one and the same image: should be all 0",
        ),
        Misconception(
            "sign lost",
            lambda K: 2 * K - np.diag(K)[:, None] - np.diag(K),
            "You return minus the squared distances. A squared distance is never negative.",
            "Read “Distances and means in feature space” again: equation (5).",
            USE + "print(feature_distance2(np.diag([1.0, 3.0]))[0, 1])   # a squared distance: should print 4, not -4",
        ),
    ),
    observations=(
        Observation(
            "feature_distance2 returned a negative number, but no squared distance is negative.",
            lambda value, K: value.size and value.min() < -1e-9 * np.abs(K).max(),
        ),
        Observation(
            "feature_distance2 is not 0 on the diagonal, but every image has distance 0 from itself.",
            lambda value, K: value.ndim == 2 and np.abs(np.diag(value)).max() > 1e-9 * np.abs(K).max(),
        ),
    ),
    step="Read “Distances and means in feature space” again: expand the square of a difference.",
    experiment=_D + "print(D2)\nprint(((Phi[:, None] - Phi[None]) ** 2).sum(axis=2))   # should be equal",
    sizes=lambda K: {"n": len(K)},
)  # fmt: skip
