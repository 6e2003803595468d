"""Ridge regression on Nyström features, computed in blocks with O(m²) memory for any number of rows."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.linalg.blas import dsymm, dsyrk

from kcourse.base.cholesky import cho_inverse, cho_solve, cho_with_ridge
from kcourse.base.estimator import Regressor
from kcourse.base.linalg import strips
from kcourse.base.validation import check_kernel, check_number, check_points, check_positive, check_rng, is_sparse
from kcourse.kernels import expansion, gram
from kcourse.scaling.blocks import Block, Progress, TextBar, read_data, total
from kcourse.scaling.features import EPS, given_landmarks, spectrum

__all__ = ["NystromRidge"]

_STRIP = 1024  # rows of K_nm in memory at one time


class NystromRidge(Regressor):
    """Kernel ridge regression with the Nyström approximation, in one or two passes over blocks of data.

        minimise ‖y - K_nm a‖² + λ aᵀK_mm a          f(x) = Σ_j a_j k(x, z_j)

    The minimiser solves (K_nmᵀK_nm + λK_mm) a = K_nmᵀy. With G for K_nm and G_0 for K_mm this is the generalised RBF
    network, (GᵀG + λG_0) w = Gᵀd [002, "Réseaux RBF généralisés"]; it is also called the subset of regressors. With all
    points as landmarks it is `KernelRidge`, except for a loss of precision at tiny λ (see the notes). It is fitted to
    all y_i, not only to those of the landmarks, with their weights if given.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite.
    n_landmarks : int ≥ 1
        m, at most n. Not used if ``landmarks`` is an array.
    lam : float > 0
        penalty parameter λ, next to the sum of squared errors.
    landmarks : "uniform" or (m, d) array
        rows of X drawn uniformly without replacement; or the landmarks themselves, for example those of
        `pivoted_landmarks`, or the centres of k-means.
    rng : int or numpy.random.Generator
        seed or generator for the random choice. With one seed, a smaller m gives the first landmarks of a larger m.
    executor : concurrent.futures.Executor, dask.distributed.Client or None
        computes blocks during ``fit``: a thread pool, a process pool, the client of a Dask cluster (required for
        delayed blocks) or its ``get_executor()``; the caller must shut it down. None is this thread, where the matrix
        products already use all threads of the BLAS. The result is identical to the last bit, because blocks are
        summed in order; workers with another processor or BLAS may round differently.
    block : int
        rows for each task. A worker sends back m² numbers for each block, so larger blocks mean less traffic; at most
        1024 rows of K_nm are in memory at one time.
    progress : bool or function (done, total)
        called with the rows done and all rows after each block of each pass; True is `TextBar`, which writes to stderr
        after two seconds.

    Attributes
    ----------
    dual_coef_ : (m,) or (m, t) array
        a.
    landmarks_ : (m, d) array
        z_j.
    rank_ : int
        number of eigenvalues of K_mm above m ε times the largest (ε = 2.2e-16); a is in their eigenvectors' span.
    norm2_ : float or (t,) array
        ‖f‖² = aᵀK_mm a.
    n_features_in_, feature_names_in_
        d, and the column names if X was a data frame.

    Notes
    -----
    Time O(nm(d + m) + m³), memory O(m²) in addition to the data. scikit-learn: ``Nystroem`` and ``Ridge(alpha=λ,
    fit_intercept=False)`` in a pipeline. A clone shares ``executor`` and ``progress`` with its original; a pickle
    omits them.

    The sums are accumulated in coordinates where K_mm is the identity. If a check shows that rounding allows it,
    they are accumulated before that change of coordinates, at a third of the cost, and a second pass corrects the
    rounding errors.

    Components beyond ``rank_`` are left out, which changes f(x) by at most √(m ε w_max k(x, x)) ‖y‖/λ, with w_max the
    largest eigenvalue of K_mm. With nearly dependent landmarks this is 1e-7 of f at λ = 1e-2, but 1e-3 at 1e-6 and all
    of f at 1e-12: for tiny λ and m = n, `KernelRidge` is more precise.

    >>> import numpy as np
    >>> from kcourse.kernels import Gaussian
    >>> from kcourse.scaling import NystromRidge
    >>> X = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 0.7], [2.2, 4.0]])
    >>> model = NystromRidge(Gaussian(2.0), landmarks=X[:2], lam=0.3).fit(X, [1.0, 0.0, 2.0, -1.0])
    >>> model.predict(X).round(6)
    array([ 1.00932 ,  0.313549,  0.204127, -0.073808])
    """

    _expanded_in = "landmarks_"
    _uses_kernel_only = True

    def __init__(
        self,
        kernel: Callable,
        *,
        n_landmarks: int = 100,
        lam: float = 1.0,
        landmarks: Any = "uniform",
        rng: int | np.random.Generator = 0,
        executor: Any = None,
        block: int = 2048,
        progress: bool | Progress = False,
    ) -> None:
        self.kernel = kernel
        self.n_landmarks = n_landmarks
        self.lam = lam
        self.landmarks = landmarks
        self.rng = rng
        self.executor = executor
        self.block = block
        self.progress = progress

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> NystromRidge:
        """Fit the coefficients a; return self.

        Parameters
        ----------
        X : (n, d) array, np.memmap, name of a .npy file, or a sparse matrix for kernels that take one
            the points. The workers map blocks of a memory map or file into memory one after another.
            Or, without y: a function that returns a fresh iterator of pairs (X_block, y_block) on each call, or a
            sequence of such pairs. The landmarks are then chosen in a first pass. The result is the same as for one
            array, however the pairs are cut.
            Or a list of futures of such pairs, of delayed pairs, or of pairs of either; or a Dask array, with y as a
            Dask array whose blocks hold the same rows. The data stay on the cluster: each block is one task, whatever
            ``block`` is, and only the m landmarks are fetched.
        y : (n,) or (n, t) array, or name of a .npy file
            targets.
        sample_weight : (n,) array, optional
            number of copies that each row stands for, including fractions and 0. Landmarks are drawn uniformly
            from the rows of positive weight.

        Raises
        ------
        TypeError, ValueError
            for arguments that cannot be used, including m > n; an iterator that can be read only once, or that
            gives other rows when it is read again; a K_mm with negative eigenvalues.
        """
        kernel, lam = check_kernel(self.kernel), check_positive(self.lam, "lam", "it multiplies ‖f‖².")
        size = check_number(self.block, "block", at_least=1, integer=True)
        data = read_data(X, y, kernel, size, sample_weight, self.executor)
        Z = self._choose(data, kernel)
        w, T = spectrum(gram(kernel, Z))
        T /= np.sqrt(w)  # now TᵀK_mm T = I
        over = partial(total, data=data, executor=self.executor, progress=_shown(self.progress))
        # bound on the rounding of K_nmᵀK_nm, about ε n w_max²/m, in the new coordinates, relative to λ
        noise = EPS * data.mass / len(Z) * (w[-1] / w[0]) * (w[-1] / lam) if len(w) else np.inf
        v, A = (_fast(over, kernel, Z, T, lam) if noise <= 1e-3 else None) or _stable(over, kernel, Z, T, lam)
        one = slice(None) if not data.one_target else 0
        self._remember_features(X, Z)
        self.landmarks_, self.dual_coef_, self.rank_ = Z, (T @ v)[:, one], len(w)
        self._kernel, self._A, self._lam, self._v = kernel, A, lam, v[:, one]
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return f(x) = Σ_j a_j k(x, z_j) for each row of ``X`` (q, d): (q,) or (q, t)."""
        X = self._new_points(X)
        return expansion(self._kernel, X, self.landmarks_, self.dual_coef_)

    @property
    def norm2_(self) -> float | np.ndarray:
        """Squared RKHS norm ‖f‖² = aᵀK_mm a."""
        self._check_fitted()
        norm2 = np.sum(self._v**2, axis=0)
        return float(norm2) if self._v.ndim == 1 else norm2

    def effective_df(self) -> float:
        """Return the effective degrees of freedom tr K̂(K̂ + λI)⁻¹, K̂ = K_nm K_mm⁻¹ K_mn, to six digits; O(m³).

        At most ``rank_``, and at most that of `KernelRidge`; if it is close to m, more landmarks may help.
        """
        self._check_fitted()
        A = np.triu(self._A) + np.triu(self._A, 1).T
        return float(np.sum(A * cho_inverse(cho_with_ridge(A.copy(), self._lam)))) if len(A) else 0.0

    def _choose(self, data: Any, kernel: Callable) -> np.ndarray:
        if isinstance(self.landmarks, str) and self.landmarks != "uniform":
            raise ValueError(
                f'landmarks must be "uniform" or an (m, d) array of points, got {self.landmarks!r}; '
                "pivoted_landmarks(kernel, X, m) gives rows for X[rows]."
            )
        if isinstance(self.landmarks, str):
            m = check_number(self.n_landmarks, "n_landmarks", at_least=1, integer=True)
            return data.landmarks(m, check_rng(self.rng))
        if data.n is None:
            data.landmarks(0, None)  # count the rows
        return given_landmarks(self.landmarks, kernel, data.point_shape)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # a few local landmarks cannot fit a plane in ten dimensions
        return tags

    def __sklearn_clone__(self) -> NystromRidge:
        """Return a copy for cross-validation; it shares the executor, because a pool cannot be copied."""
        shared = ("executor", "progress")
        params = self.get_params(deep=False)
        other = type(self)(**{k: v if k in shared else copy.deepcopy(v) for k, v in params.items()})
        if hasattr(self, "_metadata_request"):
            other._metadata_request = copy.deepcopy(self._metadata_request)
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a pickle, without the executor and ``progress``."""
        return self.__dict__ | {"executor": None, "progress": False}


def products(kernel: Callable, Z: np.ndarray, T: np.ndarray | None, block: Block) -> tuple[np.ndarray, np.ndarray]:
    """Return FᵀF (upper triangle) and Fᵀy of one block, with F = K_b T, or F = K_b if T is None."""
    X, r = _points(kernel, block), len(Z) if T is None else T.shape[1]
    S, c = np.zeros((r, r), order="F"), np.zeros((r, block.y.shape[1]))
    with np.errstate(over="ignore", invalid="ignore"):
        for rows in strips(len(X), _STRIP):
            K = gram(kernel, X[rows], Z)
            y = block.y[rows]
            if block.w is not None:  # multiply each row, and y, by √w_i
                root = np.sqrt(block.w[rows])[:, None]
                K *= root
                y = y * root
            F = K if T is None else K @ T
            if r:  # BLAS does not accept empty matrices
                S = dsyrk(1.0, F.T, beta=1.0, c=S, lower=True, overwrite_c=True)
            c += F.T @ y
            del K, F  # free memory before the next strip
        if not np.isfinite(S.trace() + np.abs(c).sum()):
            raise ValueError(f"the kernel or its product with y overflows in {block.name}: scale X or y down.")
    return S.T, c


def gradient(kernel: Callable, Z: np.ndarray, a: np.ndarray, block: Block) -> tuple[np.ndarray]:
    """Return K_bᵀ(y - K_b a) of one block, or K_bᵀW(y - K_b a) with weights."""
    X, g = _points(kernel, block), np.zeros_like(a)
    for rows in strips(len(X), _STRIP):
        K = gram(kernel, X[rows], Z)
        residual = block.y[rows] - K @ a
        g += K.T @ (residual if block.w is None else residual * block.w[rows][:, None])
        del K
    return (g,)


def _points(kernel: Callable, block: Block) -> np.ndarray:
    checked = getattr(kernel, "structured", False) or is_sparse(block.rows)
    return block.rows if checked else check_points(block.rows, block.name)


def _stable(over: Callable, kernel: Callable, Z: np.ndarray, T: np.ndarray, lam: float) -> tuple[np.ndarray, ...]:
    """Return v of f = Σ_j (Tv)_j k(·, z_j) that solves (FᵀF + λI) v = Fᵀy, F = K_nm T, and FᵀF."""
    A, b = over(partial(products, kernel, Z, T))
    return cho_solve(cho_with_ridge(A.copy(), lam, name="FᵀF"), b) if len(A) else b, A


def _fast(over: Callable, kernel: Callable, Z: np.ndarray, T: np.ndarray, lam: float) -> tuple | None:
    """Return the same as `_stable` from G = K_nmᵀK_nm, FᵀF = TᵀGT, without K_nm T; None if G is too inaccurate.

    A step v += (FᵀF + λI)⁻¹ (Fᵀ(y - Fv) - λv), with the gradient from the data, squares the relative error.
    """
    G, c = over(partial(products, kernel, Z, None))
    A = T.T @ dsymm(1.0, G.T, T, lower=True)
    del G
    try:
        L = cho_with_ridge(A.copy(), lam)
    except ValueError:
        return None
    v = cho_solve(L, T.T @ c)
    for _ in range(4):
        (g,) = over(partial(gradient, kernel, Z, T @ v))
        step = cho_solve(L, T.T @ g - lam * v)
        v += step
        if np.linalg.norm(step) <= 1e-6 * np.linalg.norm(v):
            return v, A
    return None


def _shown(progress: bool | Progress) -> Progress:
    if progress is True:
        return TextBar()
    if progress is False:
        return lambda done, total: None
    if not callable(progress):
        raise TypeError(f"progress must be True, False or a function (done, total), got {progress!r}.")
    return progress
