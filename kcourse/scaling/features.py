"""Finite feature maps that approximate a kernel: Nyström's, from landmarks, and random Fourier features."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import eigh

from kcourse.base.cholesky import cho_inverse_diag, cho_with_ridge
from kcourse.base.estimator import Transformer
from kcourse.base.linalg import strips
from kcourse.base.validation import (
    check_kernel,
    check_no_overflow,
    check_number,
    check_points,
    check_points_of,
    check_positive,
    check_rng,
    is_sparse,
)
from kcourse.kernels import Gaussian, Laplacian, Matern, RationalQuadratic, gram, gram_diag

__all__ = ["Nystrom", "RandomFourierFeatures", "leverage_scores", "pivoted_landmarks"]

EPS = np.finfo(float).eps
_STRIP = 1024  # rows whose features are computed at once, to avoid a second n × m array


class Nystrom(Transformer):
    """Nyström features φ(x) = K_mm^(-1/2) k_m(x), whose Gram matrix is K̂ = K_nm K_mm⁻¹ K_mn ≈ K.

    φ(x) are the coordinates of the projection of k(·, x) in the RKHS onto the span of k(·, z_j) for m landmarks z_j. So
    K̂ is exact on the landmarks, K - K̂ is positive semi-definite, and more landmarks never increase its trace. Ridge
    regression on φ is the generalised RBF network [002, "Réseaux RBF généralisés"].

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite.
    n_landmarks : int ≥ 1
        m, at most n. Not used if ``landmarks`` is an array.
    landmarks : "uniform", "pivoted", or (m, d) array
        how they are chosen: rows of X drawn uniformly without replacement; by `pivoted_landmarks`, better for
        clustered points, in O(nm²); or the landmarks themselves, for example the centres of k-means.
    rng : int or numpy.random.Generator
        seed or generator for the random choice. With one seed, a smaller m gives the first landmarks of a larger m.

    Attributes
    ----------
    landmarks_ : (m, d) array
        z_j; fewer than ``n_landmarks`` if "pivoted" found that fewer span all points.
    root_ : (m, m) array
        K_mm^(-1/2), symmetric.
    rank_ : int
        number of eigenvalues of K_mm above m ε times the largest (ε = 2.2e-16). The others are rounding errors and
        are left out of the power -1/2, as in a pseudo-inverse.
    n_features_in_, feature_names_in_
        d, and the column names if X was a data frame.

    Notes
    -----
    Time O(nm(d + m) + m³), memory nm for the features. scikit-learn's ``Nystroem`` gives the same features for the
    same landmarks (``components_``), with ``n_components = m``.

    >>> import numpy as np
    >>> from kcourse.kernels import Gaussian
    >>> from kcourse.scaling import Nystrom
    >>> X = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 0.7], [2.2, 4.0]])
    >>> F = Nystrom(Gaussian(2.0), landmarks=X[:2]).fit_transform(X)
    >>> (F @ F.T)[0].round(6)  # the last two entries of k: 0.305333 and 0.073903 would be too much to ask
    array([1.      , 0.535261, 0.305364, 0.073903])
    """

    _uses_kernel_only = True

    def __init__(
        self,
        kernel: Callable,
        *,
        n_landmarks: int = 100,
        landmarks: Any = "uniform",
        rng: int | np.random.Generator = 0,
    ) -> None:
        self.kernel = kernel
        self.n_landmarks = n_landmarks
        self.landmarks = landmarks
        self.rng = rng

    def fit(self, X: Any, y: Any = None) -> Nystrom:
        """Choose landmarks from ``X`` (n, d) and factor their Gram matrix; ``y`` is ignored; return self.

        Raises
        ------
        TypeError, ValueError
            for arguments that cannot be used, including m > n; and if K_mm has an eigenvalue that is negative beyond
            rounding.
        """
        kernel = check_kernel(self.kernel)
        points = self._fit_points(X, kernel)
        landmarks = self._choose(kernel, points)
        w, U = spectrum(gram(kernel, landmarks))
        self._remember_features(X, points)
        # K_mm^(-1/2) = U diag(w^(-1/2)) Uᵀ
        self.landmarks_, self.rank_, self.root_ = landmarks, len(w), (U / np.sqrt(w)) @ U.T
        self._kernel = kernel
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Return φ(x) for each row of ``X`` (q, d): shape (q, m)."""
        return self._as_asked(self._features(self._new_points(X)), X)

    @property
    def _n_features_out(self) -> int:
        return len(self.landmarks_)

    def _features(self, X: np.ndarray) -> np.ndarray:
        F = np.empty((len(X), len(self.landmarks_)))
        for rows in strips(len(X), _STRIP):
            np.matmul(gram(self._kernel, X[rows], self.landmarks_), self.root_, out=F[rows])
        return F

    def residual(self, X: Any) -> np.ndarray:
        """Return the residual k(x, x) - ‖φ(x)‖² ≥ 0 of the approximation for each row of ``X``, shape (q,).

        It is the squared distance in the RKHS between k(·, x) and the span of the landmarks; over the training points
        it sums to the trace norm ‖K - K̂‖₁, without computing K.
        """
        points = self._new_points(X)
        F = self._features(points)
        return gram_diag(self._kernel, points) - np.einsum("ij,ij->i", F, F)

    def _choose(self, kernel: Callable, points: np.ndarray) -> np.ndarray:
        if not isinstance(self.landmarks, str):
            return given_landmarks(self.landmarks, kernel, points.shape[1:])
        m = check_n_landmarks(self.n_landmarks, len(points))
        if self.landmarks == "uniform":
            return points[smallest(check_rng(self.rng).random(len(points)), m)]
        if self.landmarks == "pivoted":
            return points[pivoted_landmarks(kernel, points, m, rng=self.rng)]
        raise ValueError(
            f'landmarks must be "uniform", "pivoted" or an (m, d) array of points, got {self.landmarks!r}.'
        )


def pivoted_landmarks(kernel: Callable, X: Any, n_landmarks: int, *, rng: int | np.random.Generator = 0) -> np.ndarray:
    """Return the rows of ``X`` that randomly pivoted Cholesky chooses as landmarks [Chen et al., 2025].

    Each landmark is drawn with probability proportional to the residual of k(x, x) after the previous landmarks, so
    that points near them are seldom drawn. The expected trace of K - K̂ is then close to the optimum for rank m.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite.
    X : (n, d) array
        the points.
    n_landmarks : int
        m, from 1 to n.
    rng : int or numpy.random.Generator
        seed or generator for the draws.

    Returns
    -------
    (m,) array of int
        row indices in the order of the draws; fewer if fewer landmarks span all points up to rounding.

    >>> import numpy as np
    >>> from kcourse.kernels import Linear
    >>> X = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [0.0, 3.0]])
    >>> len(pivoted_landmarks(Linear(), X, 4))  # two directions
    2
    """
    kernel, rng = check_kernel(kernel), check_rng(rng)
    X = check_points_of(kernel, X)
    m = check_n_landmarks(n_landmarks, len(X))
    left = np.array(gram_diag(kernel, X))  # the diagonal of K - FᵀF
    trace = left.sum()
    rounding = len(X) * EPS * trace
    F, chosen = np.empty((m, len(X))), []
    for j in range(m):
        if not left.sum() > rounding:
            break
        i = int(rng.choice(len(X), p=left / left.sum()))
        # dividing by a small pivot amplifies the rounding of its column, which limits the accuracy of the residual
        rounding = max(rounding, EPS * trace * left.sum() / left[i])
        # column i of K - FᵀF, divided by the root of its pivot, is the next row of F
        column = gram(kernel, X, X[[i]])[:, 0] - F[:j].T @ F[:j, i]
        F[j] = column / np.sqrt(left[i])
        left = np.maximum(left - F[j] ** 2, 0.0)
        left[i] = 0.0
        chosen.append(i)
    return np.array(chosen or [0])  # if k is 0 on all points, any point is a valid choice


def leverage_scores(kernel: Callable, X: Any, lam: float) -> np.ndarray:
    """Return the ridge leverage scores ℓ_i = (K(K + λI)⁻¹)_ii = ∂f(x_i)/∂y_i of the rows of ``X``.

    They lie between 0 and 1 and are 1/λ times the posterior variance at x_i of a Gaussian process with noise variance
    λ. They sum to the effective degrees of freedom of `KernelRidge`. Landmarks drawn in proportion to them are rare
    where points are dense and frequent where they are isolated [Alaoui and Mahoney, 2015]. Exact, in O(n³) time; for
    many points compute them on a subsample, or use `pivoted_landmarks`. Rounding errors are at most about
    (n + 100) ε max k(x, x)/λ with ε = 2.2e-16.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite.
    X : (n, d) array
        the points.
    lam : float > 0
        penalty parameter λ, next to the sum of squared errors.

    Returns
    -------
    (n,) array

    >>> import numpy as np
    >>> from kcourse.kernels import Gaussian
    >>> from kcourse.scaling import leverage_scores
    >>> crowd_and_one = np.array([[0.0], [0.0], [0.0], [9.0]])
    >>> leverage_scores(Gaussian(1.0), crowd_and_one, lam=1.0).round(2)
    array([0.25, 0.25, 0.25, 0.5 ])
    """
    kernel, lam = check_kernel(kernel), check_positive(lam, "lam", "it multiplies ‖f‖².")
    X = check_points_of(kernel, X)
    # K(K + λI)⁻¹ = I - λ(K + λI)⁻¹
    return 1.0 - lam * cho_inverse_diag(cho_with_ridge(gram(kernel, X), lam))


def spectrum(K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the eigenvalues of K_mm above m ε times the largest, ascending, and their eigenvectors (m, r).

    The other eigenvalues w are rounding errors, which 1/√w would amplify.
    """
    if not np.all(np.isfinite(K)):
        raise ValueError("the Gram matrix of the landmarks has infinite or NaN entries: scale X down.")
    w, U = eigh(K.T, driver="evd", overwrite_a=True, check_finite=False)  # K.T in place: LAPACK stores columns
    rounding = len(K) * EPS * np.max(np.abs(w))
    if w[0] < -1e3 * rounding:
        raise ValueError(
            f"the Gram matrix of the landmarks is not positive semi-definite: its smallest eigenvalue is {w[0]:.3g}, "
            f"its largest {w[-1]:.3g}. Choose a positive semi-definite kernel."
        )
    first = int(np.searchsorted(w, rounding, side="right"))
    return w[first:], U[:, first:]


def check_n_landmarks(m: Any, n: int) -> int:
    """Return ``m`` checked as a number of landmarks; if ``n`` is smaller, return ``n`` with a warning."""
    m = check_number(m, "n_landmarks", at_least=1, integer=True)
    if m > n:
        warnings.warn(
            f"n_landmarks = {m} is more than the number of points, n_samples = {n}: all {n} are taken, which saves "
            "nothing.",
            stacklevel=4,
        )
    return min(m, n)


def given_landmarks(landmarks: Any, kernel: Callable, shape: tuple[int, ...]) -> np.ndarray:
    """Return a checked copy of ``landmarks``, points of ``shape`` ((d,), or () for strings and graphs)."""
    points = check_points_of(kernel, landmarks, "landmarks", n_features=shape[0] if shape else None)
    return points.copy()


def smallest(keys: np.ndarray, m: int) -> np.ndarray:
    """Return the indices of the ``m`` smallest keys, in ascending order of the keys.

    With random keys these are m rows drawn without replacement; a smaller m gives the first of them.
    """
    found = np.argpartition(keys, m - 1)[:m]
    return found[np.argsort(keys[found], kind="stable")]


class RandomFourierFeatures(Transformer):
    """Random Fourier features φ(x) = D^(-1/2) √2 (cos ω_1ᵀx, sin ω_1ᵀx, …) [Rahimi and Recht, 2007].

    E φ(x)ᵀφ(z) = k(x, z). By Bochner's theorem a kernel of x - z alone is k(x, z) = E cos ωᵀ(x - z) for some
    distribution of frequencies ω, and cos(a - b) = cos a cos b + sin a sin b. The frequencies do not depend on the
    data, only on d. The error of one entry falls like 1/√D.

    =====================  ==============================================================
    kernel                 ω = √τ g/σ, g ~ N(0, I)
    =====================  ==============================================================
    ``Gaussian``           τ = 1: the **variance** of a frequency is 1/σ² = 2γ
    ``Matern(nu)``         τ = ν/Gamma(ν): Student's t, 2ν degrees of freedom
    ``Laplacian``          the same with ν = ½: Cauchy
    ``RationalQuadratic``  τ = Gamma(α)/α
    =====================  ==============================================================

    Parameters
    ----------
    kernel : one of these kernels
        width in the units of x, one or one for each feature.
    n_features : int
        number of features D; even if ``paired``.
    paired : bool
        True: cosine and sine of D/2 frequencies. False: cos(ω_jᵀx + b_j) of D frequencies with random phases b_j. Pairs
        estimate k better: for the Gaussian kernel the variance of an entry is (1 - k²)²/D instead of
        (1 + ½k⁴ - k²)/D, and φ(x)ᵀφ(x) is exactly 1.
    rng : int or numpy.random.Generator
        seed or generator for the frequencies and the phases.

    Attributes
    ----------
    frequencies_ : (d, D/2) array, or (d, D)
        ω_j as columns, in radians per unit of x.
    phases_ : None or (D,) array
        b_j, uniform in [0, 2π).
    n_features_in_, feature_names_in_
        d, and the column names if X was a data frame.

    Notes
    -----
    Time O(nDd). scikit-learn's ``RBFSampler(gamma=1/(2σ²), n_components=D)`` is ``paired=False``; versions before its
    pull request 3656 drew frequencies of variance γ, which gives a kernel √2 times too wide.

    >>> import numpy as np
    >>> from kcourse.kernels import Gaussian
    >>> from kcourse.scaling import RandomFourierFeatures
    >>> F = RandomFourierFeatures(Gaussian(1.3), n_features=20000).fit_transform([[0.0, 1.0], [2.0, -1.0]])
    >>> (F @ F.T).round(2), Gaussian(1.3)([[0.0, 1.0]], [[2.0, -1.0]]).round(2)
    (array([[1.  , 0.09],
           [0.09, 1.  ]]), array([[0.09]]))
    """

    _uses_kernel_only = True

    def __init__(
        self, kernel: Any, *, n_features: int = 100, paired: bool = True, rng: int | np.random.Generator = 0
    ) -> None:
        self.kernel = kernel
        self.n_features = n_features
        self.paired = paired
        self.rng = rng

    def fit(self, X: Any, y: Any = None) -> RandomFourierFeatures:
        """Draw frequencies for points with as many features as ``X`` (n, d); ``y`` is ignored; return self."""
        sparse = is_sparse(X) and self._takes_sparse(self.kernel)
        points, rng = self.kernel.check_points(X, "X") if sparse else check_points(X), check_rng(self.rng)
        D = check_number(self.n_features, "n_features", at_least=1, integer=True)
        if self.paired and D % 2:
            raise ValueError(f"n_features must be even, got {D}: each frequency has a cosine and a sine.")
        frequencies = _draw(self.kernel, points.shape[1], D // 2 if self.paired else D, rng)
        phases = None if self.paired else rng.uniform(0.0, 2 * np.pi, D)
        self._remember_features(X, points)
        self.frequencies_, self.phases_, self._kernel = frequencies, phases, self.kernel
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Return φ(x) for each row of ``X`` (q, d): shape (q, D), the cosines before the sines."""
        points, count = self._new_points(X), self.frequencies_.shape[1]
        entries = points.data if is_sparse(points) else points
        with np.errstate(over="ignore"):
            check_no_overflow(np.abs(entries).max(initial=0.0) * np.abs(self.frequencies_).sum(axis=0), "ωᵀx")
        F = np.empty((len(points), self._n_features_out))
        for rows in strips(len(points), _STRIP):
            if self.phases_ is None:
                # D^(-1/2) √2 with D = 2 count
                _cos_sin(points[rows] @ self.frequencies_, np.sqrt(1 / count), F[rows, :count], F[rows, count:])
            else:
                np.cos(points[rows] @ self.frequencies_ + self.phases_, out=F[rows])
                F[rows] *= np.sqrt(2 / count)
        return self._as_asked(F, X)

    @property
    def _n_features_out(self) -> int:
        return self.frequencies_.shape[1] * (2 if self.phases_ is None else 1)


def _draw(kernel: Any, d: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Draw (d, count) frequencies from the spectrum of the kernel: Gaussian, times a random scale for other kernels."""
    sigma = np.asarray(getattr(kernel, "sigma", 1.0))
    if sigma.ndim and len(sigma) != d:
        raise ValueError(f"sigma has {len(sigma)} widths and X has {d} feature(s); give one width, or one for each.")
    g = rng.standard_normal((count, d)) / sigma
    nu = 0.5 if isinstance(kernel, Laplacian) else kernel.nu if isinstance(kernel, Matern) else None
    if isinstance(kernel, Gaussian) or nu == np.inf:
        tau = np.ones(count)
    elif nu is not None:
        tau = nu / rng.standard_gamma(nu, count)
    elif isinstance(kernel, RationalQuadratic):
        tau = rng.standard_gamma(kernel.alpha, count) / kernel.alpha
    else:
        raise TypeError(
            f"kernel is {kernel!r}; random Fourier features are implemented for Gaussian, Laplacian, Matern and "
            "RationalQuadratic. For another kernel take Nystrom."
        )
    return (g * np.sqrt(tau)[:, None]).T


def _cos_sin(angle: np.ndarray, scale: float, cos: np.ndarray, sin: np.ndarray) -> None:
    """Write scale · cos(angle) and scale · sin(angle) into ``cos`` and ``sin``.

    With t = tan(angle/2), cos = 2/(1 + t²) - 1 and sin = 2t/(1 + t²): one function instead of two, and on processors
    with wide vectors NumPy's tangent is ten times as fast as its cosine. The error is at most 4e-16.
    """
    angle *= 0.5
    t = np.tan(angle, out=angle)
    np.multiply(t, t, out=cos)
    cos += 1.0
    np.divide(2 * scale, cos, out=cos)
    np.multiply(t, cos, out=sin)
    cos -= scale
