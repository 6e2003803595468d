"""Large n: ridge regression on Nyström and random Fourier features, in time and in memory."""

from __future__ import annotations

import numpy as np
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from benchmarks.harness import Growth, Limit, Row, peak_megabytes
from kcourse import Gaussian
from kcourse.scaling import Nystrom, NystromRidge, RandomFourierFeatures

D, SIGMA, LAM = 10, 3.0, 0.1
GAMMA = 1 / (2 * SIGMA**2)


def data(n):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, D))
    return X, np.sin(X[:, 0]) + 0.1 * rng.normal(size=n)


def ours(m):
    return NystromRidge(Gaussian(SIGMA), n_landmarks=m, lam=LAM)


def theirs(m):
    return make_pipeline(Nystroem(gamma=GAMMA, n_components=m, random_state=0), their_ridge())


def their_ridge():
    return Ridge(alpha=LAM, fit_intercept=False)


FIT = "from kcourse import Gaussian; from kcourse.scaling import NystromRidge"
# arrays are filled in place, so that the peak before the fit is what is kept
ARRAYS = f"""
import numpy as np
{FIT}
X = np.empty(({{n}}, {D})); np.random.default_rng(0).standard_normal(out=X); y = np.sin(X[:, 0])
"""
MAPPED = f"""
import numpy as np, os, tempfile
{FIT}
folder = tempfile.TemporaryDirectory()
path, n, rng = os.path.join(folder.name, "X.npy"), {{n}}, np.random.default_rng(0)
y = np.empty(n)
with open(path, "wb") as file:
    header = dict(descr="<f8", fortran_order=False, shape=(n, {D}))
    np.lib.format.write_array_header_1_0(file, header)
    for i in range(0, n, 10_000):
        rows = rng.standard_normal((10_000, {D}))
        y[i : i + 10_000] = np.sin(rows[:, 0])
        file.write(rows.tobytes())
"""


def fit(m, what):
    return f"NystromRidge(Gaussian({SIGMA}), n_landmarks={m}, lam={LAM}).fit({what}, y)"


def rows():
    for n, m, bar in ((20_000, 500, 0.5), (100_000, 1000, 0.45)):
        yield Row(
            f"Nyström ridge, fit, n = {n}, m = {m}, d = {D}", "Nystroem + Ridge", bar,
            ours=lambda Xy, m=m: ours(m).fit(*Xy),
            theirs=lambda Xy, m=m: theirs(m).fit(*Xy),
            setup=lambda n=n: data(n), runs=3,
        )  # fmt: skip
    yield Row(
        "Nyström features, n = 20000, m = 500", "Nystroem", 1.0,
        ours=lambda Xy: Nystrom(Gaussian(SIGMA), n_landmarks=500).fit_transform(Xy[0]),
        theirs=lambda Xy: Nystroem(gamma=GAMMA, n_components=500, random_state=0).fit_transform(Xy[0]),
        setup=lambda: data(20_000), runs=3,
    )  # fmt: skip
    yield Row(
        "random Fourier features, n = 100000, D = 500", "RBFSampler", 0.4,
        ours=lambda Xy: RandomFourierFeatures(Gaussian(SIGMA), n_features=500).fit_transform(Xy[0]),
        theirs=lambda Xy: RBFSampler(gamma=GAMMA, n_components=500, random_state=0).fit_transform(Xy[0]),
        setup=lambda: data(100_000), runs=3,
    )  # fmt: skip
    yield Row(
        "ridge on random Fourier features, n = 100000, D = 500", "RBFSampler + Ridge", 0.7,
        lambda Xy: make_pipeline(RandomFourierFeatures(Gaussian(SIGMA), n_features=500), their_ridge()).fit(*Xy),
        lambda Xy: make_pipeline(RBFSampler(gamma=GAMMA, n_components=500, random_state=0), their_ridge()).fit(*Xy),
        setup=lambda: data(100_000), runs=3,
    )  # fmt: skip
    yield Limit(
        "Nyström ridge, memory above the data, n = 100000, m = 1000", "MB", 60,
        lambda: peak_megabytes(ARRAYS.format(n=100_000), fit(1000, "X")), peer="Nystroem + Ridge: 1700 MB",
    )  # fmt: skip
    yield Limit(
        "Nyström ridge of a mapped file, memory, n = 1000000, m = 500", "MB", 25,
        lambda: peak_megabytes(MAPPED.format(n=1_000_000), fit(500, "path")), peer="Nystroem + Ridge: 7.7 GB",
    )  # fmt: skip
    yield Growth(
        "Nyström ridge, fit, m = 200", (10_000, 20_000, 40_000, 80_000), data,
        lambda Xy: NystromRidge(Gaussian(SIGMA), n_landmarks=200, lam=LAM).fit(*Xy), expected="n", runs=3,
    )  # fmt: skip
    yield Growth(
        "Nyström ridge, fit, n = 20000", (250, 500, 1000), lambda m: (m, data(20_000)),
        lambda mXy: NystromRidge(Gaussian(SIGMA), n_landmarks=mXy[0], lam=LAM).fit(*mXy[1]),
        expected="m², from m for the kernel alone", runs=3,
    )  # fmt: skip
