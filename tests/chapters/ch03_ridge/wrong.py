"""Wrong answers to chapter 3 that are not in the catalogue, as students might write them, and what they must be told.

``@wrong(exercise, name)`` expects that misconception to be named ("a + b": two slips at once), ``@wrong(exercise,
says=…)`` no misconception, and a sentence that contains the text. Where it contains none, any will do.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.spatial.distance import cdist

from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


def gauss(X, Z, sigma):
    return np.exp(-cdist(X, Z, "sqeuclidean") / (2 * sigma**2))


# -- 3.1


@wrong("krr_fit", "half lambda + n times lambda")
def two_slips_mean_and_half(K, y, lam):
    return np.linalg.solve(K + len(y) * lam / 2 * np.eye(len(y)), y)


@wrong("krr_fit", "fitted values + n times lambda")
def fitted_values_of_the_mean_convention(K, y, lam):
    return K @ np.linalg.solve(K + len(y) * lam * np.eye(len(y)), y)


@wrong("krr_fit", "fitted values + minus")
def minus_fitted_values(K, y, lam):
    return -K @ np.linalg.solve(K + lam * np.eye(len(y)), y)


@wrong("krr_fit", says="the slip is none that this check knows")
def squared_targets(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)), y**2)


@wrong("krr_fit", says="1/n times the right answer")
def divided_by_n(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)), y) / len(y)


@wrong("krr_fit", says="1/(n - 1) times the right answer")
def divided_by_n_minus_one(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)), y) / (len(y) - 1)


@wrong("krr_fit", says="changes from call to call")
def normalised_to_unit_length(K, y, lam):
    a = np.linalg.solve(K + lam * np.eye(len(y)), y)
    return a / np.linalg.norm(a)


@wrong("krr_fit", says="the absolute value of the right answer")
def absolute_values(K, y, lam):
    return np.abs(np.linalg.solve(K + lam * np.eye(len(y)), y))


@wrong("krr_fit", "y standardised")
def standardised_targets(K, y, lam):
    y = (y - y.mean()) / y.std()
    return np.linalg.solve(K + lam * np.eye(len(y)), y)


@wrong("krr_fit", says="the slip is none that this check knows")
def gradient_steps_too_few(K, y, lam):
    a = np.zeros(len(y))
    for _ in range(100):
        a -= 0.01 * ((K + lam * np.eye(len(y))) @ a - y)
    return a


@wrong("krr_fit", says="nearly right: it agrees to about")
def gradient_steps_nearly_enough(K, y, lam):
    a = np.zeros(len(y))
    step = 1 / (np.linalg.norm(K, 2) + lam)
    for _ in range(5000):
        new = a + step * (y - (K + lam * np.eye(len(y))) @ a)
        if np.abs(new - a).max() < 1e-6:
            break
        a = new
    return a


@wrong("krr_fit", says="NaN or infinite")
def gradient_diverges(K, y, lam):
    a = np.zeros(len(y))
    for _ in range(2000):
        a -= 1.0 * ((K + lam * np.eye(len(y))) @ a - y)
    return a


@wrong("krr_fit", says="The numbers are right, only the shape is not")
def column_returned(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)), y[:, None])


@wrong("krr_fit", says="The numbers are right, only the shape is not")
def matrix_type(K, y, lam):
    return np.asarray(np.matrix(y) * np.matrix(K + lam * np.eye(len(y))).I)


@wrong("krr_fit", says="A matrix came back")
def inverse_only(K, y, lam):
    return np.linalg.inv(K + lam * np.eye(len(y)))


@wrong("krr_fit", says="A column of shape (n, 1) is not (n,)")
def column_of_something_else(K, y, lam):
    return (K @ K @ y)[:, None]


@wrong("krr_fit", says="a list of things of different shapes")
def values_and_lambda(K, y, lam):
    return [K @ y, lam]


@wrong("krr_fit", says="those with index 1, 2 are not")
def two_entries_forgotten(K, y, lam):
    a = np.linalg.solve(K + lam * np.eye(len(y)), y)
    a[1:3] = 0.0
    return a


@wrong("krr_fit", says="the first is not")
def first_entry_left_over(K, y, lam):
    a = np.linalg.solve(K + lam * np.eye(len(y)), y)
    a[0] = y[0]
    return a


@wrong("krr_fit", says="computes what would be right for another lam")
def lambda_on_another_scale(K, y, lam):
    return np.linalg.solve(K + np.log(1 + lam) * np.eye(len(y)), y)


@wrong("krr_fit", says="of which [0] is the right one")
def lstsq_tuple(K, y, lam):
    return np.linalg.lstsq(K + lam * np.eye(len(y)), y, rcond=None)


@wrong("krr_fit", says="of which [0] is the right one")
def returns_alpha_and_fit(K, y, lam):
    a = np.linalg.solve(K + lam * np.eye(len(y)), y)
    return a, K @ a


@wrong("krr_fit", says="returned None: is there a `return`")
def prints_and_forgets(K, y, lam):
    np.linalg.solve(K + lam * np.eye(len(y)), y)


@wrong("krr_fit", says="on some inputs and not on others")
def return_in_a_branch(K, y, lam):
    if lam < 0.28:
        return np.linalg.solve(K + lam * np.eye(len(y)), y)


@wrong("krr_fit", says="random inputs. Those have the smaller")
def caps_lambda_at_one(K, y, lam):
    return np.linalg.solve(K + min(lam, 1.0) * np.eye(len(y)), y)


@wrong("krr_fit", says="raised LinAlgError")
def only_up_to_six(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)) * (len(y) <= 6), y)


@wrong("krr_fit", says="random inputs.")
def pads_diagonal_of_six(K, y, lam):
    A = K.copy()
    for i in range(min(6, len(y))):
        A[i, i] += lam
    return np.linalg.solve(A, y)


@wrong("krr_fit", "lambda missing at the last point")
def loop_stops_one_early(K, y, lam):
    A = K.copy()
    for i in range(len(y) - 1):
        A[i, i] += lam
    return np.linalg.solve(A, y)


@wrong("krr_fit", "lambda missing at the first point")
def loop_starts_at_one(K, y, lam):
    A = K.copy()
    for i in range(1, len(y)):
        A[i, i] += lam
    return np.linalg.solve(A, y)


@wrong("krr_fit", says="one place too late")
def written_one_place_late(K, y, lam):
    a = np.linalg.solve(K + lam * np.eye(len(y)), y)
    out = np.zeros(len(y))
    for i in range(1, len(y)):
        out[i] = a[i - 1]
    return out


@wrong("krr_fit", says="the last is not")
def last_entry_missing(K, y, lam):
    a = np.linalg.solve(K + lam * np.eye(len(y)), y)
    out = np.zeros(len(y))
    for i in range(len(y) - 1):
        out[i] = a[i]
    return out


@wrong("krr_fit", says="Those that came back are right")
def one_entry_too_few(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)), y)[:-1]


@wrong("krr_fit", "eigenvectors and their transpose exchanged")
def ridge_on_eigenvalues_swapped(K, y, lam):
    w, U = np.linalg.eigh(K)
    return U.T @ ((U @ y) / (w + lam))


@wrong("krr_fit", "fitted values")
def eigenvalues_shrunk(K, y, lam):
    w, U = np.linalg.eigh(K)
    return U @ ((w / (w + lam)) * (U.T @ y))


@wrong("krr_fit", "one triangular solve of two")
def cholesky_one_solve(K, y, lam):
    L = np.linalg.cholesky(K + lam * np.eye(len(y)))
    return np.linalg.solve(L, y)


@wrong("krr_fit", "second triangular solve without the transpose")
def cholesky_without_transpose(K, y, lam):
    L = np.linalg.cholesky(K + lam * np.eye(len(y)))
    return np.linalg.solve(L, np.linalg.solve(L, y))


@wrong("krr_fit", says="nearly right: it agrees to about")
def jitter(K, y, lam):
    return np.linalg.solve(K + (lam + 1e-5) * np.eye(len(y)), y)


@wrong("krr_fit", says="rounded to 3 decimals")
def rounded(K, y, lam):
    return np.round(np.linalg.solve(K + lam * np.eye(len(y)), y), 3)


@wrong("krr_fit", says="the right ones without their decimals")
def integers(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)), y).astype(int)


@wrong("krr_fit", says="the right ones without their decimals")
def integer_array_like_y(K, y, lam):
    out = np.zeros_like(y)
    out[:] = np.linalg.solve(K + lam * np.eye(len(y)), y)
    return out


@wrong("krr_fit", says="went wrong only where two points coincide")
def needs_the_inverse_of_K(K, y, lam):
    return np.linalg.inv(K @ K + lam * K) @ K @ y


@wrong("krr_fit", says="the slip is none that this check knows")
def penalises_all_but_the_mean(K, y, lam):
    P = np.eye(len(y)) - 1 / len(y)
    return np.linalg.solve(K + lam * P, y)


@wrong("krr_fit", "with a free bias")
def with_a_free_bias(K, y, lam):
    n = len(y)
    A = np.block([[K + lam * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    return np.linalg.solve(A, np.append(y, 0))[:n]


@wrong("krr_fit", says="one entry too many")
def bias_included(K, y, lam):
    n = len(y)
    A = np.block([[K + lam * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    return np.linalg.solve(A, np.append(y, 0))


@wrong("krr_fit", "lambda added to every entry")
def identity_forgotten_times_n(K, y, lam):
    return np.linalg.solve(K + lam * np.ones((len(y), len(y))), y)


@wrong("krr_fit", says="an entry of type str")
def strings(K, y, lam):
    return [f"{a:.6f}" for a in np.linalg.solve(K + lam * np.eye(len(y)), y)]


@wrong("krr_fit", says="complex numbers")
def complex_numbers(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)), y) + 0.1j


@wrong("krr_fit", says="A function came back")
def method_not_called(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)), y).copy


@wrong("krr_fit", says="a generator")
def generator(K, y, lam):
    return (a for a in np.linalg.solve(K + lam * np.eye(len(y)), y))


@wrong("krr_fit", says="in another order than asked for")
def sorted_alpha(K, y, lam):
    return np.sort(np.linalg.solve(K + lam * np.eye(len(y)), y))


@wrong("krr_fit", says="in reverse order")
def reversed_alpha(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)), y)[::-1]


@wrong("krr_fit", says="λ times the right answer")
def residual(K, y, lam):
    return y - K @ np.linalg.solve(K + lam * np.eye(len(y)), y)


@wrong("krr_fit", says="the slip is none that this check knows")
def residual_without_lambda(K, y, lam):
    return (y - K @ y) / lam


@wrong("krr_fit", says="gives its argument y back")
def argument_back(K, y, lam):
    return y


@wrong("krr_fit", says="returns only zeros")
def never_written(K, y, lam):
    alpha = np.zeros(len(y))
    a = np.linalg.solve(K + lam * np.eye(len(y)), y)  # noqa: F841
    return alpha


@wrong("krr_fit", says="NaN or infinite")
def empty_never_filled(K, y, lam):
    return np.full(len(y), np.nan)


@wrong("krr_fit", says="It is the sum of the right numbers")
def sum_of_coefficients(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)), y).sum()


@wrong("krr_fit", says="the slip is none that this check knows")
def regularised_twice(K, y, lam):
    A = K + lam * np.eye(len(y))
    return np.linalg.solve(A @ A, y)


@wrong("krr_fit", says="the slip is none that this check knows")
def regularised_twice_one_K(K, y, lam):
    A = K + lam * np.eye(len(y))
    return np.linalg.solve(A @ A, K @ y)


@wrong("krr_fit", says="where `lam` is meant, it uses √λ")
def sqrt_lambda(K, y, lam):
    return np.linalg.solve(K + np.sqrt(lam) * np.eye(len(y)), y)


@wrong("krr_fit", says="where `lam` is meant, it uses 1/λ")
def one_over_lambda(K, y, lam):
    return np.linalg.solve(K + np.eye(len(y)) / lam, y)


@wrong("krr_fit", says="the slip is none that this check knows")
def lambda_on_K_not_on_I(K, y, lam):
    return np.linalg.solve(lam * K + np.eye(len(y)), y)


@wrong("krr_fit", says="where `lam` is meant, it uses 1/(2λ)")
def svm_constant(K, y, lam):
    return np.linalg.solve(K + np.eye(len(y)) / (2 * lam), y)


_kept = {}


@wrong("krr_fit", says="returned the same in")
def cached_in_a_global(K, y, lam):
    if "alpha" not in _kept:
        _kept["alpha"] = np.linalg.solve(K + lam * np.eye(len(y)), y)
    return _kept["alpha"]


@wrong("krr_fit", says="what was right in an earlier call")
def cached_in_a_default(K, y, lam, cache={}):  # noqa: B006
    if len(y) not in cache:
        cache[len(y)] = np.linalg.solve(K + lam * np.eye(len(y)), y)
    return cache[len(y)]


K_notebook = np.array([[1.0, 0.5], [0.5, 1.0]])
y_notebook = np.array([1.0, -1.0])


@wrong("krr_fit", says="The shape was the same in all calls")
def uses_notebook_variables(K, y, lam):
    return np.linalg.solve(K_notebook + lam * np.eye(2), y_notebook)


@wrong("krr_fit", says="returned the same in")
def uses_notebook_variables_all(K, y, lam):
    return np.linalg.solve(K_notebook + 0.5 * np.eye(2), y_notebook)


@wrong("krr_fit", says="whatever lam it is called with")
def lambda_of_the_notebook(K, y, lam):
    return np.linalg.solve(K + 0.5 * np.eye(len(y)), y)


@wrong("krr_fit", "diagonal replaced by lambda")
def fills_the_diagonal(K, y, lam):
    A = K.copy()
    np.fill_diagonal(A, lam)
    return np.linalg.solve(A, y)


@wrong("krr_fit", "no lambda")
def lstsq_without_lambda(K, y, lam):
    return np.linalg.lstsq(K, y, rcond=None)[0]


@wrong("krr_fit", "no lambda")
def pinv_without_lambda(K, y, lam):
    return np.linalg.pinv(K) @ y


@wrong("krr_fit", "no lambda")
def eigenvalues_without_lambda(K, y, lam):
    w, U = np.linalg.eigh(K)
    return U @ ((U.T @ y) / w)


# -- 3.2


@wrong("krr_fit_predict", "exponent without the 2 + no lambda")
def no_two_and_no_lambda(X, y, Xq, sigma, lam):
    k = lambda A, B: np.exp(-cdist(A, B, "sqeuclidean") / sigma**2)  # noqa: E731
    return k(Xq, X) @ np.linalg.solve(k(X, X), y)


@wrong("krr_fit_predict", "exponent without the 2 + n times lambda")
def no_two_and_mean_convention(X, y, Xq, sigma, lam):
    k = lambda A, B: np.exp(-cdist(A, B, "sqeuclidean") / sigma**2)  # noqa: E731
    return k(Xq, X) @ np.linalg.solve(k(X, X) + len(X) * lam * np.eye(len(X)), y)


@wrong("krr_fit_predict", "sigma used as gamma + half lambda")
def gamma_and_half_lambda(X, y, Xq, sigma, lam):
    k = lambda A, B: np.exp(-sigma * cdist(A, B, "sqeuclidean"))  # noqa: E731
    return k(Xq, X) @ np.linalg.solve(k(X, X) + lam / 2 * np.eye(len(X)), y)


@wrong("krr_fit_predict", "Laplacian kernel with the L1 norm")
def laplacian_l1(X, y, Xq, sigma, lam):
    k = lambda A, B: np.exp(-cdist(A, B, "cityblock") / sigma)  # noqa: E731
    return k(Xq, X) @ np.linalg.solve(k(X, X) + lam * np.eye(len(X)), y)


@wrong("krr_fit_predict", "linear kernel")
def linear_kernel(X, y, Xq, sigma, lam):
    return Xq @ X.T @ np.linalg.solve(X @ X.T + lam * np.eye(len(X)), y)


@wrong("krr_fit_predict", says="the slip is none that this check knows")
def kernels_differ(X, y, Xq, sigma, lam):
    Kq = np.exp(-cdist(Xq, X, "sqeuclidean") / sigma**2)
    return Kq @ np.linalg.solve(gauss(X, X, sigma) + lam * np.eye(len(X)), y)


@wrong("krr_fit_predict", says="the slip is none that this check knows")
def kernels_differ_the_other_way(X, y, Xq, sigma, lam):
    K = np.exp(-cdist(X, X, "sqeuclidean") / sigma**2)
    return gauss(Xq, X, sigma) @ np.linalg.solve(K + lam * np.eye(len(X)), y)


@wrong("krr_fit_predict", "distance not squared")
def distance_not_squared_cdist(X, y, Xq, sigma, lam):
    k = lambda A, B: np.exp(-cdist(A, B) / (2 * sigma**2))  # noqa: E731
    return k(Xq, X) @ np.linalg.solve(k(X, X) + lam * np.eye(len(X)), y)


@wrong("krr_fit_predict", "distance squared twice")
def distance_squared_twice(X, y, Xq, sigma, lam):
    k = lambda A, B: np.exp(-(cdist(A, B, "sqeuclidean") ** 2) / (2 * sigma**2))  # noqa: E731
    return k(Xq, X) @ np.linalg.solve(k(X, X) + lam * np.eye(len(X)), y)


@wrong("krr_fit_predict", "minus sign missing")
def no_minus(X, y, Xq, sigma, lam):
    k = lambda A, B: np.exp(cdist(A, B, "sqeuclidean") / (2 * sigma**2))  # noqa: E731
    return k(Xq, X) @ np.linalg.solve(k(X, X) + lam * np.eye(len(X)), y)


@wrong("krr_fit_predict", "inputs standardised")
def standardised_inputs(X, y, Xq, sigma, lam):
    m, s = X.mean(0), X.std(0)
    return no_slip((X - m) / s, y, (Xq - m) / s, sigma, lam)


@wrong("krr_fit_predict", says="the slip is none that this check knows")
def standardised_inputs_separately(X, y, Xq, sigma, lam):
    z = lambda A: (A - A.mean(0)) / A.std(0)  # noqa: E731
    return no_slip(z(X), y, z(Xq) if len(Xq) > 1 else Xq, sigma, lam)


def no_slip(X, y, Xq, sigma, lam):
    return gauss(Xq, X, sigma) @ np.linalg.solve(gauss(X, X, sigma) + lam * np.eye(len(X)), y)


@wrong("krr_fit_predict", "train and query points swapped")
def transposed(X, y, Xq, sigma, lam):
    alpha = np.linalg.solve(gauss(X, X, sigma) + lam * np.eye(len(X)), y)
    return gauss(X, Xq, sigma) @ alpha


@wrong("krr_fit_predict", "train and query points swapped")
def transposed_dot(X, y, Xq, sigma, lam):
    alpha = np.linalg.solve(gauss(X, X, sigma) + lam * np.eye(len(X)), y)
    return gauss(X, Xq, sigma).dot(alpha)


@wrong("krr_fit_predict", "train and query points swapped")
def transposed_einsum(X, y, Xq, sigma, lam):
    alpha = np.linalg.solve(gauss(X, X, sigma) + lam * np.eye(len(X)), y)
    return np.einsum("ij,j->i", gauss(X, Xq, sigma), alpha)


@wrong("krr_fit_predict", says="The sums of its rows are the right numbers")
def entrywise(X, y, Xq, sigma, lam):
    alpha = np.linalg.solve(gauss(X, X, sigma) + lam * np.eye(len(X)), y)
    return gauss(Xq, X, sigma) * alpha


@wrong("krr_fit_predict", says="You return n numbers where q are meant")
def summed_over_queries(X, y, Xq, sigma, lam):
    alpha = np.linalg.solve(gauss(X, X, sigma) + lam * np.eye(len(X)), y)
    return (gauss(Xq, X, sigma) * alpha).sum(axis=0)


@wrong("krr_fit_predict", says="It is the sum of the right numbers")
def summed_over_everything(X, y, Xq, sigma, lam):
    alpha = np.linalg.solve(gauss(X, X, sigma) + lam * np.eye(len(X)), y)
    return (gauss(Xq, X, sigma) * alpha).sum()


@wrong("krr_fit_predict", says="1/n times the right answer")
def mean_for_sum(X, y, Xq, sigma, lam):
    alpha = np.linalg.solve(gauss(X, X, sigma) + lam * np.eye(len(X)), y)
    return (gauss(Xq, X, sigma) * alpha).mean(axis=1)


@wrong("krr_fit_predict", says="The numbers are right, only the shape is not")
def squeezed(X, y, Xq, sigma, lam):
    return np.squeeze(no_slip(X, y, Xq, sigma, lam))


@wrong("krr_fit_predict", says="Those that came back are right")
def first_query_only(X, y, Xq, sigma, lam):
    return no_slip(X, y, Xq[:1], sigma, lam)


@wrong("krr_fit_predict", says="fills every entry of a call with one and the same number")
def first_query_for_all(X, y, Xq, sigma, lam):
    return np.repeat(no_slip(X, y, Xq[:1], sigma, lam), len(Xq))


@wrong("krr_fit_predict", says="The numbers are right, only the shape is not")
def column_predictions(X, y, Xq, sigma, lam):
    return no_slip(X, y, Xq, sigma, lam)[:, None]


@wrong("krr_fit_predict", says="differs from the right answer by one constant")
def offset_mean(X, y, Xq, sigma, lam):
    return no_slip(X, y, Xq, sigma, lam) + y.mean()


@wrong("krr_fit_predict", "alpha: mean of y subtracted")
def centred_not_added_back(X, y, Xq, sigma, lam):
    return no_slip(X, y - y.mean(), Xq, sigma, lam)


@wrong("krr_fit_predict", "with a free bias")
def free_bias(X, y, Xq, sigma, lam):
    n = len(y)
    A = np.block([[gauss(X, X, sigma) + lam * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    s = np.linalg.solve(A, np.append(y, 0))
    return gauss(Xq, X, sigma) @ s[:n] + s[n]


@wrong("krr_fit_predict", says="the slip is none that this check knows")
def nearest_only(X, y, Xq, sigma, lam):
    return y[cdist(Xq, X).argmin(1)]


@wrong("krr_fit_predict", says="NaN or infinite")
def nadaraya_watson_of_alpha(X, y, Xq, sigma, lam):
    alpha = np.linalg.solve(gauss(X, X, sigma) + lam * np.eye(len(X)), y)
    Kq = gauss(Xq, X, sigma)
    return Kq @ alpha / Kq.sum(axis=1)


@wrong("krr_fit_predict", "matrix of the fit is not n by n")
def fit_with_queries(X, y, Xq, sigma, lam):
    alpha = np.linalg.solve(gauss(Xq, Xq, sigma) + lam * np.eye(len(Xq)), y)
    return gauss(Xq, X, sigma) @ alpha


@wrong("krr_fit_predict", "sigma not squared")
def sigma_as_variance(X, y, Xq, sigma, lam):
    k = lambda A, B: np.exp(-cdist(A, B, "sqeuclidean") / (2 * sigma))  # noqa: E731
    return k(Xq, X) @ np.linalg.solve(k(X, X) + lam * np.eye(len(X)), y)


@wrong("krr_fit_predict", says="where `sigma` is meant, it uses √2 σ")
def sigma_doubled_in_the_square(X, y, Xq, sigma, lam):
    k = lambda A, B: np.exp(-cdist(A, B, "sqeuclidean") / (2 * sigma) ** 2)  # noqa: E731
    return k(Xq, X) @ np.linalg.solve(k(X, X) + lam * np.eye(len(X)), y)


@wrong("krr_fit_predict", "first feature only")
def one_dimension_only(X, y, Xq, sigma, lam):
    d2 = (X[:, 0][:, None] - X[:, 0]) ** 2
    q2 = (Xq[:, 0][:, None] - X[:, 0]) ** 2
    alpha = np.linalg.solve(np.exp(-d2 / (2 * sigma**2)) + lam * np.eye(len(X)), y)
    return np.exp(-q2 / (2 * sigma**2)) @ alpha


@wrong("krr_fit_predict", "matrix of the fit is not n by n")
def ravelled(X, y, Xq, sigma, lam):
    x, q = X.ravel(), Xq.ravel()
    K = np.exp(-((x[:, None] - x) ** 2) / (2 * sigma**2))
    alpha = np.linalg.solve(K + lam * np.eye(len(x)), y)
    return np.exp(-((q[:, None] - x) ** 2) / (2 * sigma**2)) @ alpha


@wrong("krr_fit_predict", "all pairs of differences")
def broadcasting_without_axes(X, y, Xq, sigma, lam):
    K = np.exp(-((X - X) ** 2).sum(1) / (2 * sigma**2))
    alpha = np.linalg.solve(K + lam * np.eye(len(X)), y)
    return np.exp(-((Xq - X) ** 2).sum(1) / (2 * sigma**2)) @ alpha


@wrong("krr_fit_predict", "all pairs of differences")
def summed_over_the_wrong_axis(X, y, Xq, sigma, lam):
    k = lambda A, B: np.exp(-((A[:, None] - B[None]) ** 2).sum(axis=1) / (2 * sigma**2))  # noqa: E731
    return k(Xq, X) @ np.linalg.solve(k(X, X) + lam * np.eye(len(X)), y)


@wrong("krr_fit_predict", says="of which [0] is the right one")
def predicts_and_returns_alpha(X, y, Xq, sigma, lam):
    alpha = np.linalg.solve(gauss(X, X, sigma) + lam * np.eye(len(X)), y)
    return gauss(Xq, X, sigma) @ alpha, alpha


@wrong("krr_fit_predict", "sigma and lambda swapped when predicting")
def swapped_call_of_the_kernel(X, y, Xq, sigma, lam):
    return gauss(Xq, X, lam) @ np.linalg.solve(gauss(X, X, sigma) + lam * np.eye(len(X)), y)


# -- 3.3


@wrong("ridge_dual_w", "w = Phi alpha")
def phi_alpha_dot(Phi, y, lam):
    return Phi.dot(np.linalg.solve(Phi @ Phi.T + lam * np.eye(len(y)), y))


@wrong("ridge_dual_w", "Phi'Phi in the dual system")
def gram_of_features(Phi, y, lam):
    return Phi.T @ np.linalg.solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), y)


@wrong("ridge_dual_w", "Phi'Phi in the dual system")
def gram_of_features_inv(Phi, y, lam):
    alpha = np.linalg.inv(Phi.T @ Phi + lam * np.eye(Phi.shape[1])) @ y
    return Phi.T @ alpha


@wrong("ridge_dual_w", "identity of the wrong size")
def eye_of_d(Phi, y, lam):
    return Phi.T @ np.linalg.solve(Phi @ Phi.T + lam * np.eye(Phi.shape[1]), y)


@wrong("ridge_dual_w", "identity of the wrong size")
def eye_of_n_in_the_primal(Phi, y, lam):
    return np.linalg.solve(Phi.T @ Phi + lam * np.eye(len(y)), Phi.T @ y)


@wrong("ridge_dual_w", says="λ times the right answer")
def weights_times_lambda(Phi, y, lam):
    return lam * Phi.T @ np.linalg.solve(Phi @ Phi.T + lam * np.eye(len(y)), y)


@wrong("ridge_dual_w", says="1/λ times the right answer")
def weights_over_lambda(Phi, y, lam):
    return Phi.T @ np.linalg.solve(Phi @ Phi.T + lam * np.eye(len(y)), y) / lam


@wrong("ridge_dual_w", says="λ times the right answer")
def residual_form_without_lambda(Phi, y, lam):
    w = Phi.T @ np.linalg.solve(Phi @ Phi.T + lam * np.eye(len(y)), y)
    return Phi.T @ (y - Phi @ w)


@wrong("ridge_dual_w", "Phi^T y")
def phi_t_y(Phi, y, lam):
    return Phi.T @ y


@wrong("ridge_dual_w", "no lambda")
def least_squares(Phi, y, lam):
    return np.linalg.lstsq(Phi, y, rcond=None)[0]


@wrong("ridge_dual_w", "no lambda")
def least_squares_dual(Phi, y, lam):
    return Phi.T @ np.linalg.pinv(Phi @ Phi.T) @ y


@wrong("ridge_dual_w", "no lambda")
def least_squares_dual_inv(Phi, y, lam):
    return Phi.T @ np.linalg.inv(Phi @ Phi.T) @ y


@wrong("ridge_dual_w", "no lambda in the normal equations")
def least_squares_normal(Phi, y, lam):
    return np.linalg.inv(Phi.T @ Phi) @ Phi.T @ y


@wrong("ridge_dual_w", "lambda squared")
def svd_with_lambda_squared(Phi, y, lam):
    U, s, Vt = np.linalg.svd(Phi, full_matrices=False)
    return Vt.T @ (s / (s**2 + lam**2) * (U.T @ y))


@wrong("ridge_dual_w", "singular values not squared")
def svd_without_square(Phi, y, lam):
    U, s, Vt = np.linalg.svd(Phi, full_matrices=False)
    return Vt.T @ (1 / (s + lam) * (U.T @ y))


@wrong("ridge_dual_w", "shrinks without dividing")
def svd_shrinks_only(Phi, y, lam):
    U, s, Vt = np.linalg.svd(Phi, full_matrices=False)
    return Vt.T @ (s**2 / (s**2 + lam) * (U.T @ y))


@wrong("ridge_dual_w", "features centred")
def with_intercept(Phi, y, lam):
    P = Phi - Phi.mean(0)
    return P.T @ np.linalg.solve(P @ P.T + lam * np.eye(len(y)), y - y.mean())


@wrong("ridge_dual_w", says="the slip is none that this check knows")
def normalised_rows(Phi, y, lam):
    P = Phi / np.linalg.norm(Phi, axis=1, keepdims=True)
    return P.T @ np.linalg.solve(P @ P.T + lam * np.eye(len(y)), y)


@wrong("ridge_dual_w", says="changes from call to call")
def unit_weights(Phi, y, lam):
    w = Phi.T @ np.linalg.solve(Phi @ Phi.T + lam * np.eye(len(y)), y)
    return w / np.linalg.norm(w)


@wrong("ridge_dual_w", says="The numbers are right, only the shape is not")
def row_weights(Phi, y, lam):
    return (np.linalg.solve(Phi @ Phi.T + lam * np.eye(len(y)), y)[None, :]) @ Phi


@wrong("ridge_dual_w", "half lambda + n times lambda")
def dual_mean_convention_half(Phi, y, lam):
    return Phi.T @ np.linalg.solve(Phi @ Phi.T + 0.5 * len(y) * lam * np.eye(len(y)), y)


@wrong("ridge_dual_w", says="where `lam` is meant, it uses d·λ")
def n_is_number_of_features(Phi, y, lam):
    return Phi.T @ np.linalg.solve(Phi @ Phi.T + Phi.shape[1] * lam * np.eye(len(y)), y)


@wrong("ridge_dual_w", says="the slip is none that this check knows")
def gaussian_kernel(Phi, y, lam):
    return Phi.T @ np.linalg.solve(gauss(Phi, Phi, 1.0) + lam * np.eye(len(y)), y)


@wrong("ridge_dual_w", "w = Phi alpha")
def loops_with_swapped_indices(Phi, y, lam):
    n, d = Phi.shape
    alpha = np.linalg.solve(Phi @ Phi.T + lam * np.eye(n), y)
    w = np.zeros(d)
    for i in range(n):
        for j in range(d):
            w[j] += alpha[i] * Phi[j, i]
    return w


@wrong("ridge_dual_w", "last term only")
def overwrites_instead_of_adding(Phi, y, lam):
    n, d = Phi.shape
    alpha = np.linalg.solve(Phi @ Phi.T + lam * np.eye(n), y)
    w = np.zeros(d)
    for i in range(n):
        w = alpha[i] * Phi[i]
    return w


# -- 3.4


@wrong("krr_loo_residuals", says="One number came back")
def mean_square(K, y, lam):
    G = np.linalg.inv(K + lam * np.eye(len(y)))
    return np.mean((G @ y / np.diag(G)) ** 2)


@wrong("krr_loo_residuals", says="the absolute value of the right answer")
def absolute_residuals(K, y, lam):
    G = np.linalg.inv(K + lam * np.eye(len(y)))
    return np.abs(G @ y / np.diag(G))


@wrong("krr_loo_residuals", says="Its diagonal holds the right numbers")
def whole_inverse(K, y, lam):
    G = np.linalg.inv(K + lam * np.eye(len(y)))
    return (G @ y) / G


@wrong("krr_loo_residuals", "multiplied by the diagonal of the inverse")
def times_the_diagonal(K, y, lam):
    G = np.linalg.inv(K + lam * np.eye(len(y)))
    return (G @ y) * np.diag(G)


@wrong("krr_loo_residuals", "GCV denominator + 1/n times")
def trace_of_the_inverse(K, y, lam):
    G = np.linalg.inv(K + lam * np.eye(len(y)))
    return (G @ y) / np.trace(G)


@wrong("krr_loo_residuals", says="smaller than the training residual")
def refit_but_predict_at_the_next(K, y, lam):
    out = np.zeros(len(y))
    for i in range(len(y)):
        keep = np.arange(len(y)) != i
        a = np.linalg.solve(K[np.ix_(keep, keep)] + lam * np.eye(len(y) - 1), y[keep])
        out[i] = y[i] - K[(i + 1) % len(y), keep] @ a
    return out


@wrong("krr_loo_residuals", "K[keep, keep] is not a block")
def refit_with_fancy_index(K, y, lam):
    out = np.zeros(len(y))
    for i in range(len(y)):
        keep = [j for j in range(len(y)) if j != i]
        a = np.linalg.solve(K[keep, keep] + lam * np.eye(len(y) - 1), y[keep])
        out[i] = y[i] - K[i, keep] @ a
    return out


@wrong("krr_loo_residuals", says="")
def refit_drops_only_the_row(K, y, lam):
    out = np.zeros(len(y))
    for i in range(len(y)):
        keep = np.arange(len(y)) != i
        a = np.linalg.lstsq(K[keep] + lam * np.eye(len(y))[keep], y[keep], rcond=None)[0]
        out[i] = y[i] - K[i] @ a
    return out


@wrong("krr_loo_residuals", says="the last is not")
def refit_stops_one_early(K, y, lam):
    out = np.zeros(len(y))
    for i in range(len(y) - 1):
        keep = np.arange(len(y)) != i
        a = np.linalg.solve(K[np.ix_(keep, keep)] + lam * np.eye(len(y) - 1), y[keep])
        out[i] = y[i] - K[i, keep] @ a
    return out


@wrong("krr_loo_residuals", says="the right ones without their decimals")
def refit_into_whole_numbers(K, y, lam):
    out = np.zeros_like(y)
    for i in range(len(y)):
        keep = np.arange(len(y)) != i
        a = np.linalg.solve(K[np.ix_(keep, keep)] + lam * np.eye(len(y) - 1), y[keep])
        out[i] = y[i] - K[i, keep] @ a
    return out


@wrong("krr_loo_residuals", says="where `lam` is meant, it uses (n - 1)·λ")
def refit_scales_lambda(K, y, lam):
    out = np.zeros(len(y))
    for i in range(len(y)):
        keep = np.arange(len(y)) != i
        a = np.linalg.solve(K[np.ix_(keep, keep)] + lam * (len(y) - 1) * np.eye(len(y) - 1), y[keep])
        out[i] = y[i] - K[i, keep] @ a
    return out


@wrong("krr_loo_residuals", says="smaller than the training residual")
def refit_training_error_of_the_rest(K, y, lam):
    out = np.zeros(len(y))
    for i in range(len(y)):
        keep = np.arange(len(y)) != i
        a = np.linalg.solve(K[np.ix_(keep, keep)] + lam * np.eye(len(y) - 1), y[keep])
        out[i] = np.mean(y[keep] - K[np.ix_(keep, keep)] @ a)
    return out


@wrong("krr_loo_residuals", "squared + minus")
def two_slips_sign_and_squared(K, y, lam):
    G = np.linalg.inv(K + lam * np.eye(len(y)))
    return -((G @ y / np.diag(G)) ** 2)


@wrong("krr_loo_residuals", "training residuals + minus")
def flipped_training_residuals(K, y, lam):
    return K @ np.linalg.solve(K + lam * np.eye(len(y)), y) - y


@wrong("krr_loo_residuals", "GCV denominator + n times lambda")
def gcv_with_mean_convention(K, y, lam):
    n = len(y)
    H = K @ np.linalg.inv(K + n * lam * np.eye(n))
    return (y - H @ y) / (1 - np.trace(H) / n)


@wrong("krr_loo_residuals", says="the slip is none that this check knows")
def hat_sum(K, y, lam):
    H = K @ np.linalg.inv(K + lam * np.eye(len(y)))
    return (y - H @ y) / (1 - H.sum(axis=1))


@wrong("krr_loo_residuals", says="smaller than the training residual")
def one_plus_h(K, y, lam):
    H = K @ np.linalg.inv(K + lam * np.eye(len(y)))
    return (y - H @ y) / (1 + np.diag(H))


@wrong("krr_loo_residuals", says="smaller than the training residual")
def trace_without_n(K, y, lam):
    H = K @ np.linalg.inv(K + lam * np.eye(len(y)))
    return (y - H @ y) / (1 - np.trace(H))


@wrong("krr_loo_residuals", says="λ times the right answer")
def times_lambda(K, y, lam):
    G = np.linalg.inv(K + lam * np.eye(len(y)))
    return lam * (G @ y) / np.diag(G)


@wrong("krr_loo_residuals", says="smaller than the training residual")
def hat_of_the_inverse(K, y, lam):
    G = np.linalg.inv(K + lam * np.eye(len(y)))
    return (y - K @ G @ y) / (1 - np.diag(G))


@wrong("krr_loo_residuals", says="The numbers are right, only the shape is not")
def list_of_lists(K, y, lam):
    G = np.linalg.inv(K + lam * np.eye(len(y)))
    return [[v] for v in G @ y / np.diag(G)]


# -- 3.5


@wrong("effective_df", says="1/n times the right answer")
def df_mean(K, lam):
    return np.mean(np.diag(K @ np.linalg.inv(K + lam * np.eye(len(K)))))


@wrong("effective_df", says="Their trace is the right number")
def df_matrix(K, lam):
    return K @ np.linalg.inv(K + lam * np.eye(len(K)))


@wrong("effective_df", says="Their sum is the right number")
def df_shrinkage_factors(K, lam):
    w = np.linalg.eigvalsh(K)
    return w / (w + lam)


@wrong("effective_df", "residual degrees of freedom")
def df_lambda_over(K, lam):
    w = np.linalg.eigvalsh(K)
    return np.sum(lam / (w + lam))


@wrong("effective_df", "trace of the inverse")
def df_one_over(K, lam):
    w = np.linalg.eigvalsh(K)
    return np.sum(1 / (w + lam))


@wrong("effective_df", "minus lambda")
def df_minus(K, lam):
    w = np.linalg.eigvalsh(K)
    return np.sum(w / (w - lam))


@wrong("effective_df", "trace of H squared")
def df_square_plus(K, lam):
    w = np.linalg.eigvalsh(K)
    return np.sum(w**2 / (w + lam) ** 2)


@wrong("effective_df", says="the slip is none that this check knows")
def df_determinant(K, lam):
    return np.linalg.det(K @ np.linalg.inv(K + lam * np.eye(len(K))))


@wrong("effective_df", says="lie between 0 and n")
def df_logdet(K, lam):
    return np.linalg.slogdet(np.eye(len(K)) + K / lam)[1]


@wrong("effective_df", "as if K were the identity")
def df_unit_diagonal(K, lam):
    return len(K) / (1 + lam)


@wrong("effective_df", says="was something counted")
def df_count(K, lam):
    return int(np.sum(np.linalg.eigvalsh(K) > lam))


@wrong("effective_df", says="the slip is none that this check knows")
def df_effective_rank(K, lam):
    return np.trace(K) ** 2 / np.trace(K @ K)


@wrong("effective_df", "trace of H squared + the square root of")
def df_frobenius(K, lam):
    return np.linalg.norm(K @ np.linalg.inv(K + lam * np.eye(len(K))))


@wrong("effective_df", says="1 less than the right answer")
def df_minus_one(K, lam):
    return np.trace(K @ np.linalg.inv(K + lam * np.eye(len(K)))) - 1


@wrong("effective_df", says="1 more than the right answer")
def df_plus_one(K, lam):
    return np.trace(K @ np.linalg.inv(K + lam * np.eye(len(K)))) + 1


@wrong("effective_df", says="the right ones without their decimals")
def df_int(K, lam):
    return int(np.trace(K @ np.linalg.inv(K + lam * np.eye(len(K)))))


@wrong("effective_df", says="rounded to 2 decimals")
def df_rounded(K, lam):
    return round(float(np.trace(K @ np.linalg.inv(K + lam * np.eye(len(K))))), 2)


@wrong("effective_df", "residual degrees of freedom + n times lambda")
def df_two_slips(K, lam):
    return len(K) - np.trace(K @ np.linalg.inv(K + len(K) * lam * np.eye(len(K))))


@wrong("effective_df", "trace of K + n minus")
def df_residual_trace(K, lam):
    return np.trace(np.eye(len(K)) - K)


@wrong("effective_df", says="the slip is none that this check knows")
def df_drops_an_eigenvalue(K, lam):
    w = np.linalg.eigvalsh(K)[1:]
    return np.sum(w / (w + lam))


@wrong("effective_df", says="the slip is none that this check knows")
def df_svd_sqrt(K, lam):
    s = np.sqrt(np.abs(np.linalg.eigvalsh(K)))
    return np.sum(s / (s + lam))


@wrong("effective_df", says="the slip is none that this check knows")
def df_normalised_kernel(K, lam):
    d = np.sqrt(np.diag(K))
    K = K / np.outer(d, d)
    return np.trace(K @ np.linalg.inv(K + lam * np.eye(len(K))))


@wrong("effective_df", "ratio of two traces")
def df_inverse_ratio(K, lam):
    return np.trace(K) / np.trace(K + lam * np.eye(len(K)))


# -- 3.6


@wrong("rkhs_norm2", says="1/2 times the right answer")
def norm_half(K, alpha):
    return 0.5 * alpha @ K @ alpha


@wrong("rkhs_norm2", says="1/n times the right answer")
def norm_mean(K, alpha):
    return alpha @ K @ alpha / len(alpha)


@wrong("rkhs_norm2", says="1/n² times the right answer")
def norm_mean_pairs(K, alpha):
    return np.mean(np.outer(alpha, alpha) * K)


@wrong("rkhs_norm2", "alpha'alpha + the square root of")
def norm_alpha(K, alpha):
    return np.linalg.norm(alpha)


@wrong("rkhs_norm2", says="One number is asked for")
def norm_matrix(K, alpha):
    return alpha * K * alpha


@wrong("rkhs_norm2", says="Their sum is the right number")
def norm_outer(K, alpha):
    return np.outer(alpha, alpha) * K


@wrong("rkhs_norm2", "diagonal missing")
def norm_off_diagonal(K, alpha):
    return alpha @ (K - np.diag(np.diag(K))) @ alpha


@wrong("rkhs_norm2", says="A squared norm is never negative")
def norm_in_reverse_order(K, alpha):
    return alpha @ K[::-1] @ alpha


@wrong("rkhs_norm2", says="the slip is none that this check knows")
def norm_abs(K, alpha):
    return np.abs(alpha) @ K @ np.abs(alpha)


@wrong("rkhs_norm2", says="the slip is none that this check knows")
def norm_cubed(K, alpha):
    return alpha @ K @ K @ K @ alpha


@wrong("rkhs_norm2", says="the slip is none that this check knows")
def norm_trace(K, alpha):
    return np.trace(K) * alpha @ alpha


@wrong("rkhs_norm2", says="the slip is none that this check knows")
def norm_sum_of_K(K, alpha):
    return K.sum()


@wrong("rkhs_norm2", says="the slip is none that this check knows")
def norm_of_K(K, alpha):
    return np.linalg.norm(K)


@wrong("rkhs_norm2", says="raised ValueError")
def norm_column_alpha(K, alpha):
    a = alpha[:, None]
    return a @ K @ a.T


@wrong("rkhs_norm2", says="the slip is none that this check knows")
def norm_cholesky_not_transposed(K, alpha):
    return np.sum((np.linalg.cholesky(K + 1e-12 * np.eye(len(K))) @ alpha) ** 2)


@wrong("rkhs_norm2", says="the square of the right answer")
def norm_squared_twice(K, alpha):
    return (alpha @ K @ alpha) ** 2


@wrong("rkhs_norm2", "last term only")
def norm_loop_overwrites(K, alpha):
    total = 0.0
    for i in range(len(alpha)):
        for j in range(len(alpha)):
            total = alpha[i] * alpha[j] * K[i, j]
    return total


@wrong("rkhs_norm2", "diagonal missing + 1/2 times")
def norm_loop_upper(K, alpha):
    total = 0.0
    for i in range(len(alpha)):
        for j in range(i):
            total += alpha[i] * alpha[j] * K[i, j]
    return total


@wrong("rkhs_norm2", "return inside the loop")
def norm_returns_in_the_loop(K, alpha):
    total = 0.0
    for i in range(len(alpha)):
        for j in range(len(alpha)):
            total += alpha[i] * alpha[j] * K[i, j]
        return total


@wrong("rkhs_norm2", says="NaN or infinite")
def norm_infinite(K, alpha):
    return alpha @ K @ alpha / 0.0 if len(alpha) else 0.0


@wrong("rkhs_norm2", says="returned the same in")
def norm_constant(K, alpha):
    return 3.0


# -- 3.7


def loo(K, y, lam):
    G = np.linalg.inv(K + lam * np.eye(len(y)))
    return G @ y / np.diag(G)


def search(X, y, sigmas, lams, score=lambda r: np.mean(r**2), residuals=loo):
    return min((score(residuals(gauss(X, X, s), y, lam)), s, lam) for s in sigmas for lam in lams)


@wrong("krr_tune", says="in another order than asked for")
def tune_mse_first(X, y, sigmas, lams):
    return search(X, y, sigmas, lams)


@wrong("krr_tune", says="should return 3 numbers")
def tune_pair_only(X, y, sigmas, lams):
    m, s, lam = search(X, y, sigmas, lams)
    return s, lam


@wrong("krr_tune", says="should return 3 numbers")
def tune_mse_only(X, y, sigmas, lams):
    return search(X, y, sigmas, lams)[0]


@wrong("krr_tune", says="should return 3 numbers")
def tune_nested_tuple(X, y, sigmas, lams):
    m, s, lam = search(X, y, sigmas, lams)
    return (s, lam), m


@wrong("krr_tune", says="should return 3 numbers")
def tune_dict(X, y, sigmas, lams):
    m, s, lam = search(X, y, sigmas, lams)
    return {"sigma": s, "lam": lam, "mse": m}


@wrong("krr_tune", says="mse is right, but sigma and lam are not")
def tune_last_pair(X, y, sigmas, lams):
    best = np.inf
    for s in sigmas:
        for lam in lams:
            m = np.mean(loo(gauss(X, X, s), y, lam) ** 2)
            if m < best:
                best = m
    return s, lam, best


@wrong("krr_tune", says="sigma and lam are right, but mse is not")
def tune_last_mse(X, y, sigmas, lams):
    best, pair = np.inf, None
    for s in sigmas:
        for lam in lams:
            m = np.mean(loo(gauss(X, X, s), y, lam) ** 2)
            if m < best:
                best, pair = m, (s, lam)
    return (*pair, m)


@wrong("krr_tune", says="another pair has a smaller one")
def tune_never_updates_best(X, y, sigmas, lams):
    best, pair = np.inf, None
    for s in sigmas:
        for lam in lams:
            m = np.mean(loo(gauss(X, X, s), y, lam) ** 2)
            if m < best:
                pair = (s, lam, m)
    return pair


@wrong("krr_tune", "lambda accumulates")
def tune_in_place(X, y, sigmas, lams):
    best = (None, None, np.inf)
    for s in sigmas:
        K = gauss(X, X, s)
        for lam in lams:
            K += lam * np.eye(len(y))
            G = np.linalg.inv(K)
            m = np.mean((G @ y / np.diag(G)) ** 2)
            if m < best[2]:
                best = (s, lam, m)
    return best


@wrong("krr_tune", says="it is n/(n - 1) times what it should be")
def tune_ddof(X, y, sigmas, lams):
    m, s, lam = search(X, y, sigmas, lams, lambda r: np.sum(r**2) / (len(r) - 1))
    return s, lam, m


@wrong("krr_tune", says="sigma and lam are right, but mse is not")
def tune_half(X, y, sigmas, lams):
    m, s, lam = search(X, y, sigmas, lams, lambda r: np.mean(r**2) / 2)
    return s, lam, m


@wrong("krr_tune", says="is not the mean squared leave-one-out residual of the pair")
def tune_mean_residual(X, y, sigmas, lams):
    m, s, lam = search(X, y, sigmas, lams, lambda r: np.mean(r))
    return s, lam, m


@wrong("krr_tune", says="is not the mean squared leave-one-out residual of the pair")
def tune_mean_then_square(X, y, sigmas, lams):
    m, s, lam = search(X, y, sigmas, lams, lambda r: np.mean(r) ** 2)
    return s, lam, m


@wrong("krr_tune", says="is not the mean squared leave-one-out residual of the pair")
def tune_median(X, y, sigmas, lams):
    m, s, lam = search(X, y, sigmas, lams, lambda r: np.median(r**2))
    return s, lam, m


@wrong("krr_tune", says="")
def tune_max(X, y, sigmas, lams):
    m, s, lam = search(X, y, sigmas, lams, lambda r: np.max(np.abs(r)))
    return s, lam, m


@wrong("krr_tune", says="sigma and lam are right, but mse is not")
def tune_training_error_reported(X, y, sigmas, lams):
    m, s, lam = search(X, y, sigmas, lams)
    K = gauss(X, X, s)
    return s, lam, np.mean((y - K @ np.linalg.solve(K + lam * np.eye(len(y)), y)) ** 2)


@wrong("krr_tune", says="another pair has a smaller one")
def tune_zip(X, y, sigmas, lams):
    m, s, lam = min((np.mean(loo(gauss(X, X, s), y, lam) ** 2), s, lam) for s, lam in zip(sigmas, lams, strict=False))
    return s, lam, m


@wrong("krr_tune", "kernel: exponent without the 2")
def tune_no_two(X, y, sigmas, lams):
    m, s, lam = min(
        (np.mean(loo(np.exp(-cdist(X, X, "sqeuclidean") / s**2), y, lam) ** 2), s, lam) for s in sigmas for lam in lams
    )
    return s, lam, m


@wrong("krr_tune", "rows and columns exchanged")
def tune_swapped_axes(X, y, sigmas, lams):
    table = np.array([[np.mean(loo(gauss(X, X, s), y, lam) ** 2) for s in sigmas] for lam in lams])
    i, j = np.unravel_index(table.argmin(), table.shape)
    return sigmas[min(i, len(sigmas) - 1)], lams[j], table.min()


@wrong("krr_tune", "rows and columns exchanged")
def tune_index_error(X, y, sigmas, lams):
    table = np.array([[np.mean(loo(gauss(X, X, s), y, lam) ** 2) for s in sigmas] for lam in lams])
    i, j = np.unravel_index(table.argmin(), table.shape)
    return sigmas[i], lams[j], table.min()


@wrong("krr_tune", says="lam and mse are right, but sigma is not")
def tune_flat_argmin(X, y, sigmas, lams):
    table = np.array([[np.mean(loo(gauss(X, X, s), y, lam) ** 2) for lam in lams] for s in sigmas])
    return sigmas[table.argmin() % len(sigmas)], lams[table.argmin() % len(lams)], table.min()


@wrong("krr_tune", says="went wrong only where each grid has one entry")
def tune_sorted_grids(X, y, sigmas, lams):
    sigmas, lams = np.sort(sigmas), np.sort(lams)
    m, s, lam = search(X, y, sigmas[1:], lams)
    return s, lam, m


@wrong("krr_tune", says="none of the candidates")
def tune_refined(X, y, sigmas, lams):
    fine = np.logspace(np.log10(min(lams)), np.log10(max(lams)), 50)
    m, s, lam = search(X, y, sigmas, fine)
    return s, lam, m


@wrong("krr_tune", says="")
def tune_kfold(X, y, sigmas, lams):
    def score(s, lam):
        folds, e = np.arange(len(y)) % 5, []
        for k in range(5):
            tr, te = folds != k, folds == k
            a = np.linalg.solve(gauss(X[tr], X[tr], s) + lam * np.eye(tr.sum()), y[tr])
            e.append(y[te] - gauss(X[te], X[tr], s) @ a)
        return np.mean(np.concatenate(e) ** 2)

    m, s, lam = min((score(s, lam), s, lam) for s in sigmas for lam in lams)
    return s, lam, m


@wrong("krr_tune", "residuals: returns alpha")
def tune_scipy_pos(X, y, sigmas, lams):
    m, s, lam = search(X, y, sigmas, lams, residuals=lambda K, y, lam: scipy.linalg.solve(K + lam * np.eye(len(y)), y))
    return s, lam, m


@wrong("krr_tune", says="[0], sigma, is None: it was never given a value")
def never_better(X, y, sigmas, lams):
    best = None, None, 0.0
    for sigma in sigmas:
        if (np.asarray(lams) * sigma).min() < best[2]:  # nothing is below 0
            best = sigma, lams[0], 0.0
    return best
