# %% [markdown] key="title" slide="slide"
# # Scaling: Nyström and random features
#
# One method after another in this course has met the same limit. The Gram matrix of $n$ points has $n^2$ entries, and
# solving with it takes of the order of $n^3$ operations. This last chapter replaces the kernel with a few hundred
# features, so that the memory no longer depends on $n$.

# %% key="imports" slide="skip" hide="input"
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
from scipy.linalg import solve_triangular
from scipy.spatial import cKDTree
from sklearn.datasets import load_digits
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.pipeline import make_pipeline

from kcourse import (
    Gaussian,
    GeneralizedRBF,
    KernelRidge,
    Linear,
    Nystrom,
    NystromRidge,
    RandomFourierFeatures,
)
from kcourse.datasets import load_terrain
from kcourse.lab import cycle, measured, show, table, use_style, verify
from kcourse.chapters.ch10_scaling.figures import Task, features_explorer, frequencies_explorer
from kcourse.scaling import leverage_scores

use_style()

# %% [markdown] key="question" slide="slide" tags=["hour"]
# ## A hundred thousand heights
#
# The data are the mountains north of Jacksboro, Tennessee, as in chapter 7, with heights on a fine grid. We draw a
# hundred thousand of them at random to learn from, and ask kernel ridge regression (chapter 3) for the heights at
# other locations. Kernel ridge regression needs the coefficients $\alpha=(K+\lambda I)^{-1}y$.

# %% key="question-data" slide="skip"
land = load_terrain()
order = np.random.default_rng(0).permutation(len(land.y))
learn, test = order[:100_000], order[105_000:115_000]
level = land.y[learn].mean()  # heights are learned as differences from their mean
X, y = land.X[learn], land.y[learn] - level


def rmse(heights, at=test):
    """Root mean square error of predicted heights at these locations (m)."""
    return np.sqrt(np.mean((heights + level - land.y[at]) ** 2))

# %% key="question-picture" hide="input"
fig, ax = plt.subplots(figsize=(5.2, 4.2))
east, north, height = (a.reshape(344, 403)[::5, ::5] for a in (*land.X.T, land.y))
picture = ax.contourf(east, north, height, levels=np.arange(200, 1001, 200), cmap="gray")
ax.set_aspect("equal")
ax.grid(False)
ax.set(xlabel="east (km)", ylabel="north (km)")
fig.colorbar(picture, label="height (m)")
show(
    fig,
    alt="A map in grey of thirty by thirty kilometres. The highest ground is a ridge down the "
    "middle, from the north-west to the south; the east is low, behind a straight edge that runs "
    "to the north-east; many small valleys cut the rest.",
)

# %% [markdown] key="question-reading" slide="subslide"
# The map has many narrow valleys, and following each of them will take many basis functions. At 8 bytes an entry, the
# Gram matrix of a hundred thousand heights takes 80 gigabytes. SYS843, one of the sources of this course, says that a
# network with a basis function at every point is “hard for large $N$”. This is true. The memory is of order $n^2$,
# the Cholesky factorisation takes $n^3/6$ products, and every prediction needs the kernel with *all* points.
#
# Suppose that you can afford five hundred Gaussians. Put them at random locations, and make two maps:
#
# - *Map A* learns from the heights at these locations only.
# - *Map B* has the same Gaussians, and fits their coefficients to all the heights.
#
# **Predict first.** The heights have a standard deviation of 162 m. At new locations map A here has a root mean
# square error, RMSE, of 76 m. What is the RMSE of map B, about 70, 60, 50 or 30 m?
#
# <!-- slide
# ## The Gram matrix takes 80 gigabytes
#
# Memory $n^2$, Cholesky $n^3/6$ products: “hard for large $N$”, says SYS843.
#
# 500 Gaussians at random locations:
#
# - **Map A** learns from the heights at these locations.
# - **Map B**: the same Gaussians, fitted to all 100 000 heights.
#
# **Predict first.** Here A has an RMSE of 76 m. What is that of B, 70, 60, 50 or 30 m?
# -->

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Let the class vote on B and write down the votes. The answer comes after the derivation. Ask which quantity is n²
# and which n³ in each chapter: Gram matrix, Cholesky, quadratic program, eigenvectors. Ask which methods need
# neither: k-nearest neighbours, Pegasos with a linear kernel.
#
# </details>

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# - derive Nyström's features from the representer theorem, and say what they lose;
# - draw random Fourier features for a kernel, and compute their variance;
# - choose landmarks, and a width that suits their number;
# - fit a million rows in the memory of a few, here or on a cluster;
# - say when neither helps, and which method of the course to use instead.
#
# **You need** chapter 3, and from chapter 7 the generalised networks. **Reading:** two to three hours. **Lecture:**
# two 45-minute lectures. **Exercises:** two to three hours,
# [in the exercise notebook](../exercises/ch10_scaling_sheet.ipynb).
#
# <!-- slide
# **After this chapter you can**
#
# - derive Nyström's features, and say what they lose
# - draw random Fourier features, and compute their variance
# - choose landmarks, and a width that suits their number
# - fit a million rows in the memory of a few
# - say when neither helps
# -->

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Do not leave out steps 1 and 2, maps A and B, both interactive figures, and the comparison of the maps. Can be
# skipped: Four ways to choose landmarks; Find the error; Which method of the course is the best on the digits?.
#
# </details>

# %% [markdown] key="room" slide="slide"
# ## How many eigenvalues does K need?
#
# $K$ has $n^2$ entries, but it may contain much less. If a few of its eigenvalues carry nearly all of their sum, then
# $K\approx FF^\top$ with a matrix $F$ of $n$ rows and few columns, as in chapter 8. Then row $i$ of $F$ contains the
# few features of point $i$, and ridge regression on a few features is cheap. We compare a thousand heights of the
# mountains, where $d=2$, with a thousand handwritten digits, where $d=64$ and a pixel goes from zero to one.
#
# **Predict first.** How many of the thousand eigenvalues carry 99 % of the sum, for the digits with $\sigma=1$? And
# with $\sigma=2$?
#
# <!-- slide
# ## How many eigenvalues does $K$ need?
#
# If a few eigenvalues carry nearly all of their sum, $K\approx FF^\top$ with few columns. 1000 heights, $d=2$, and
# 1000 digits, $d=64$.
#
# **Predict first.** Digits, $\sigma=1$: how many eigenvalues carry 99 % of the sum? With $\sigma=2$?
# -->

# %% [markdown] key="room-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask why the diagonal is 1 and the sum of the eigenvalues therefore n. Draw the two extremes: a matrix of ones with
# rank 1, and the identity. The width moves all data from one to the other.
#
# </details>

# %% key="room-figure" slide="subslide" hide="input"
digits = load_digits()
shuffled = np.random.default_rng(0).permutation(len(digits.data))
pixels, labels = digits.data[shuffled] / 16, digits.target[shuffled]
sets = {
    "mountains (σ in km)": (X[:1000], (0.5, 1.0, 2.0, 4.0), 1.0),
    "digits": (pixels[:1000], (1.0, 1.4, 2.0, 4.0), 1.4),
}
needed = {}
fig, ax = plt.subplots(figsize=(7.4, 3.5))
for i, (name, (points, widths, selected)) in enumerate(sets.items()):
    for width in widths:
        values = np.maximum(np.linalg.eigvalsh(Gaussian(width)(points))[::-1], 0)
        needed[name, width] = int(np.argmax(np.cumsum(values) > 0.99 * values.sum())) + 1
    ax.plot(widths, [needed[name, w] for w in widths], marker="os"[i], label=name, **cycle(i))
    ax.plot(selected, needed[name, selected], "o", ms=15, mfc="none", mec="black")
ax.plot([], [], "o", ms=12, mfc="none", mec="black", label="selected for ridge regression")
ax.set(xscale="log", xlabel="width σ", ylabel="eigenvalues for 99 %", ylim=(0, 1020))
ax.set_xticks([0.5, 1, 2, 4], ["0.5", "1", "2", "4"])
ax.minorticks_off()
ax.legend(loc="lower left")
show(
    fig,
    alt="How many of 1000 eigenvalues carry 99 % of their sum, against the width. Both curves fall "
    "from more than 800 to under a hundred at σ = 4, and that of the digits is higher. Rings mark "
    "the widths that are selected for exact ridge regression, 1 km on the mountains and 1.4 on "
    "the digits.",
    answer="Eigenvalues against the width",
)

# %% [markdown] key="room-reading" slide="subslide"
# <details><summary><b>How many</b> (open this once you have written down your answer)</summary>
#
# It takes 925 eigenvalues with $\sigma=1$, and 594 with $\sigma=2$. Narrow Gaussians are nearly orthogonal to each
# other, and wide ones are nearly equal, so the *width* decides how much can be saved.
#
# The rings mark the width that leave-one-out (chapter 3) selects for exact kernel ridge regression. At these widths
# more than half of the eigenvalues are needed. So at the width that is best for *all* points, little can be saved. Is
# it also the best width for few features? We come back to this question. Eigenvectors also need the whole matrix $K$.
# So we look for features that cost less.
#
# </details>
#
# <!-- slide
# ## The width decides how much can be saved
#
# Digits: 925 with $\sigma=1$, 594 with $\sigma=2$. Rings: the widths that are best for all points. There little can
# be saved.
#
# **Are these widths also the best for few features?** And which features cost less than eigenvectors?
# -->

# %% [markdown] key="nystrom" slide="slide" tags=["hour"]
# ## Nyström, from the representer theorem
#
# The representer theorem (chapters 3 and 9) says that the best $f$ is a sum of $n$ sections $k(x_i,\cdot)$. We cannot
# afford $n$ of them. So let us *decide* that $f$ is a sum of $m$ sections, at *landmarks* $z_1,\dots,z_m$:
#
# $$f=\sum_{j=1}^ma_j\,k(z_j,\cdot),\qquad\text{minimise}\quad\|y-K_{nm}a\|^2+\lambda\,a^\top K_{mm}a. \tag{1}$$
#
# Here $K_{nm}$ contains the kernels of points and landmarks. Its rows are $k_m(x_i)^\top$ with
# $k_m(x)=(k(z_1,x),\dots,k(z_m,x))^\top$. $K_{mm}$ is the kernel of the landmarks. By the reproducing property
# $\|f\|^2=\sum_{jl}a_ja_l\langle k(z_j,\cdot),k(z_l,\cdot)\rangle=a^\top K_{mm}a$, so the penalty is
# $\lambda\|f\|^2$, as in chapter 3. All $n$ values of $y$ enter. Let $K_{mm}$ be invertible. For a Gaussian kernel
# this means that no landmark occurs twice.
#
# **Step 1.** The gradient with respect to $a$, $-2K_{nm}^\top(y-K_{nm}a)+2\lambda K_{mm}a$, vanishes if
#
# $$(K_{nm}^\top K_{nm}+\lambda K_{mm})\,a=K_{nm}^\top y. \tag{2}$$
#
# For $\lambda>0$ the matrix on the left is strictly positive definite, because $\lambda K_{mm}$ is. So $a$ is unique,
# and since (1) is convex, it is the minimiser. Equation (2) is
# $(\mathsf G^\top\mathsf G+\lambda\mathsf G_0)w=\mathsf G^\top d$, the *generalised network* of chapter 7. The
# largest part of its cost is the product $K_{nm}^\top K_{nm}$, and a prediction takes $m$ kernel values instead of
# $n$.
#
# <!-- slide
# ## Nyström: decide that $f$ has $m$ sections
#
# At *landmarks* $z_j$, with $K_{mm}$ invertible:
#
# $$f=\sum_{j=1}^ma_j\,k(z_j,\cdot),\qquad\min\ \|y-K_{nm}a\|^2+\lambda\,a^\top K_{mm}a \tag{1}$$
#
# **Step 1.** The gradient vanishes if
#
# <div class="fragment">
#
# $$(K_{nm}^\top K_{nm}+\lambda K_{mm})\,a=K_{nm}^\top y \tag{2}$$
#
# This is the *generalised network* $(\mathsf G^\top\mathsf G+\lambda\mathsf G_0)w=\mathsf G^\top d$ of chapter 7.
#
# </div>
# -->

# %% [markdown] key="projection" slide="subslide"
# ### Nyström's approximation: a projection
#
# **Step 2.** What did we give up? Write $k_x$ for the section $k(x,\cdot)$, and let $P$ be the orthogonal projection
# onto the span of the $m$ sections of the landmarks. For every $f$ in this span
#
# $$f(x)=\langle f,k_x\rangle=\langle f,Pk_x\rangle,$$
#
# because $f$ is orthogonal to the residual $k_x-Pk_x$. So (1) depends on each point only through its projection
# $Pk_x$. To compute it, write $Pk_x=\sum_jc_jk(z_j,\cdot)$. The residual is orthogonal to each $k(z_l,\cdot)$, which
# means $k(z_l,x)=\sum_jk(z_l,z_j)c_j$, or $K_{mm}c=k_m(x)$. Hence
#
# $$\hat k(x,z)=\langle Pk_x,Pk_z\rangle=k_m(x)^\top K_{mm}^{-1}\,k_m(z),\qquad\hat K=K_{nm}K_{mm}^{-1}K_{mn}. \tag{3}$$
#
# This is *Nyström's approximation*. Step 4 will show that (1) is ordinary kernel ridge regression with the kernel
# $\hat k$.
#
# <!-- slide
# ## The landmarks see only a projection
#
# **Step 2.** $P$: orthogonal projection onto the span of the landmarks' sections, where $f$ lies.
#
# $$f(x)=\langle f,k_x\rangle=\langle f,Pk_x\rangle,\qquad Pk_x=\sum_jc_jk(z_j,\cdot),\quad K_{mm}c=k_m(x)$$
#
# <div class="fragment">
#
# $$\hat k(x,z)=\langle Pk_x,Pk_z\rangle=k_m(x)^\top K_{mm}^{-1}\,k_m(z) \tag{3}$$
#
# *Nyström's approximation*: (1) is kernel ridge regression with the kernel $\hat k$.
#
# </div>
# -->

# %% [markdown] key="nystrom-notes" slide="notes"
# <details><summary>For the lecturer (5 min)</summary>
#
# Do steps 1 and 2 on the board. Draw a plane, k_x above it, and Pk_x below it. Ask which step used that landmarks are
# data points. (None: k-means centres can be landmarks.) Ask what happens if two landmarks coincide. (K_mm is
# singular; a pseudo-inverse gives the same projection.)
#
# </details>

# %% [markdown] key="error" slide="subslide"
# ### The error of the approximation
#
# **Step 3.** By Pythagoras $\|k_x\|^2=\|Pk_x\|^2+\|k_x-Pk_x\|^2$, or
#
# $$k(x,x)-\hat k(x,x)=\|k_x-Pk_x\|^2\ge0. \tag{4}$$
#
# - At a landmark $Pk_x=k_x$, so (4) is 0, and $\hat K$ is exact in the rows of the landmarks.
# - A residual is orthogonal to every projection, so
#   $k(x,z)=\langle Pk_x,Pk_z\rangle+\langle k_x-Pk_x,\,k_z-Pk_z\rangle$. Hence $K-\hat K$ is the Gram matrix of the
#   residuals. It is positive semi-definite, although single entries can be negative.
# - An additional landmark makes no residual longer, because the span has grown. This says nothing about prediction
#   errors at new points.
#
# **Step 4.** $K_{mm}$ is symmetric and positive definite, so it has the root $K_{mm}^{1/2}$. The features
# $\varphi(x)=K_{mm}^{-1/2}k_m(x)$ have the inner products $\hat k(x,z)=\varphi(x)^\top\varphi(z)$. With
# $w=K_{mm}^{1/2}a$ we get $f(x)=a^\top k_m(x)=w^\top\varphi(x)$ and $a^\top K_{mm}a=\|w\|^2$. So (1) is *linear*
# ridge regression on $\varphi$, which is ridge regression with the kernel $\hat k$ (chapter 3). Any $S$ with
# $SS^\top=K_{mm}^{-1}$ can replace the root, for example $L^{-\top}$ if $K_{mm}=LL^\top$.
#
# <!-- slide
# ## The error is the squared length of a residual
#
# **Step 3.**
#
# $$k(x,x)-\hat k(x,x)=\|k_x-Pk_x\|^2\ge0 \tag{4}$$
#
# <div class="fragment">
#
# - Exact in the rows of the landmarks.
# - $K-\hat K$ is positive semi-definite.
# - An additional landmark makes no residual longer.
#
# </div>
#
# <div class="fragment">
#
# **Step 4.** $\varphi(x)=K_{mm}^{-1/2}k_m(x)$. With $w=K_{mm}^{1/2}a$: $f=w^\top\varphi$, $a^\top K_{mm}a=\|w\|^2$,
# so (1) is *linear* ridge regression on $\varphi$.
#
# </div>
# -->

# %% [markdown] key="error-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Draw the right triangle of k_x, Pk_x and the residual. Let the class read the three consequences from it.
#
# </details>

# %% key="nystrom-verify" slide="subslide"
kernel, points = Gaussian(2.0), X[:500]
K = kernel(points)
Z = points[:60]
mu, U = np.linalg.eigh(kernel(Z))  # K_mm = U diag(μ) Uᵀ
S = (U / np.sqrt(mu)) @ U.T  # K_mm^(-1/2)
F = kernel(points, Z) @ S  # step 4: rows φ(x), (500, 60)
residual = K - F @ F.T
verify("rows of landmarks are exact", residual[:60], 0, tol=1e-9)
verify("K - K̂ is positive semi-definite", np.linalg.eigvalsh(residual)[0] > -1e-9)
verify("(4): the diagonal of the residual is never negative", residual.diagonal().min() > -1e-9)

# %% key="nystrom-verify-2" slide="skip" hide="input"
verify("heights of the fine grid", len(land.y), "138632")
verify("K of 100 000: gigabytes", 8 * 100_000**2 / 1e9, "80")
verify("standard deviation (m)", land.y[learn].std(), "162")
verify("digits: eigenvalues for 99 %, σ = 1", needed["digits", 1.0], "925")
verify("eigenvalues for 99 % of the digits, σ = 2", needed["digits", 2.0], "594")
selected = min(needed["digits", 1.4], needed["mountains (σ in km)", 1.0])
verify("at the selected widths: most", selected > 500)
heights, there = y[:500], land.X[test[:200]]
landmarks = Nystrom(kernel, landmarks=Z).fit(points)
theirs = landmarks.transform(points)
verify("kcourse's features have these inner products", F @ F.T, theirs @ theirs.T, tol=1e-8)
K_nm, K_mm = kernel(points, Z), kernel(Z)
k_hat = K_nm @ np.linalg.solve(K_mm, K_nm.T)
verify("(3): the Gram matrix of the features", k_hat, F @ F.T, tol=1e-8)
L = np.linalg.cholesky(K_mm)
by_factor = solve_triangular(L, K_nm.T, lower=True).T
verify("a Cholesky factor gives the same inner products", by_factor @ by_factor.T, F @ F.T, 1e-8)
verify("some entries of K - K̂ are negative", residual.min() < -1e-6)
c = np.linalg.solve(K_mm, K_nm.T)
verify("each residual is orthogonal to the span", K_nm.T - K_mm @ c, 0, tol=1e-9)
of_residuals = K - c.T @ K_nm.T - K_nm @ c + c.T @ K_mm @ c  # ⟨k_x - Pk_x, k_z - Pk_z⟩
verify("K - K̂ is the Gram matrix of the residuals", of_residuals, K - F @ F.T, tol=1e-8)
a = np.linalg.solve(K_nm.T @ K_nm + 0.1 * K_mm, K_nm.T @ heights)
slope = -2 * K_nm.T @ (heights - K_nm @ a) + 0.2 * K_mm @ a
verify("the gradient of (1) is 0", slope / np.abs(K_nm.T @ heights).max(), 0, tol=1e-9)
by_2 = kernel(there, Z) @ a / 100
of_k_hat = KernelRidge(lambda A, B: landmarks.transform(A) @ landmarks.transform(B).T, lam=0.1)
linear = KernelRidge(Linear(), lam=0.1).fit(theirs, heights)
network = GeneralizedRBF(kernel, centers=Z, lam=0.1).fit(points, heights)
for name, predicted in (
    ("ridge regression with the kernel (3)", of_k_hat.fit(points, heights).predict(there)),
    ("linear ridge on the features", linear.predict(landmarks.transform(there))),
    ("the network of chapter 7", network.predict(there)),
):
    verify(f"{name}: the same as (2)", predicted / 100, by_2, tol=1e-6)
fewer = Nystrom(kernel, landmarks=Z[:-1]).fit(points).residual(points)
longer = landmarks.residual(points) - fewer
verify("one landmark more makes no residual longer", longer.max() < 1e-9)

# %% [markdown] key="others" slide="slide" tags=["hour"]
# ## Nyström is not a subsample
#
# Does Nyström's method train on a subsample? Both methods place $m$ Gaussians at $m$ of the points. Map A is kernel
# ridge regression on a subsample, and map B is Nyström's method:
#
# <!-- slide
# ## Does Nyström's method train on a subsample?
#
# Map A is kernel ridge regression on a subsample, map B is Nyström's method.
# -->

# %% key="others-mountains"
Z, kernel = X[:500], Gaussian(1.2)  # X is in random order: random locations
A = KernelRidge(kernel, lam=0.1).fit(Z, y[:500])
B = NystromRidge(kernel, landmarks=Z, lam=0.1).fit(X, y)
for name, model in (("A", A), ("B", B)):
    print(f"map {name}: {rmse(model.predict(land.X[test])):.0f} m")

# %% [markdown] key="others-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Return to the votes. Ask for the difference in one sentence: in the subsample each coefficient is fitted to one
# noisy or accidental height, in Nyström's method to all of them.
#
# </details>

# %% [markdown] key="others-answer"
# Map B has an RMSE of 52 m. The Gaussians are the same, but all the heights determine their coefficients. Does this
# result depend on the random draw? For the next table we drew the $m$ points of both methods from the same thousand
# points, in twenty random draws. Each method selects its width and its $\lambda$ by leave-one-out on the points that
# it learns from.
#
# <!-- slide
# Map B has 52 m: all the heights determine its coefficients. **Does this depend on the random draw?**
# -->

# %% key="others-table" slide="subslide" hide="input"
found = measured("ch10_features", "all-targets")
table(
    "Test RMSE on the mountains (m) and misclassified digits (%), means of twenty draws",
    {
        "m": "d",
        "mountains, Nyström": ".0f",
        "subsample": ".0f",
        "digits, Nyström": ".1f",
        "subsample ": ".1f",
    },
    {
        m: tuple(
            found[f"{data}: {way.format(m)}"].mean()
            for data in ("mountains", "digits")
            for way in ("{} landmarks", "subsample of {}")
        )
        for m in (20, 80, 320)
    },
)

# %% [markdown] key="others-table-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask why the subsample of twenty is so much worse: twenty coefficients are fitted to twenty accidental heights.
#
# </details>

# %% [markdown] key="others-reading"
# Exact kernel ridge regression on all thousand points has an RMSE of 62 m, and misclassifies 1.0 % of the digits. On
# the mountains and on the digits Nyström's method is more accurate than a subsample of the same size, for every $m$.
# So the same number of Gaussians represents the data better if all targets determine their coefficients.
#
# <!-- slide
# ## All targets determine the coefficients
#
# Nyström's method is more accurate at every $m$. All points: 62 m, 1.0 %.
# -->

# %% [markdown] key="landmarks" slide="slide" tags=["later"]
# ## Which landmarks?
#
# So far the landmarks were drawn *uniformly* at random. This costs nothing, but where points are clustered many
# landmarks have nearly the same section. Suppose that a survey flight has measured a thousand heights, nine tenths of
# them over one valley in the south-west, and that you want a map of *all* the land. There are three other ways to
# choose:
#
# - **Leverage**: draw point $i$ with a probability proportional to its *leverage* $\ell_i=\big(K(K+\lambda
#   I)^{-1}\big)_{ii}$, the diagonal of the smoother in chapter 3. The leverage says how strongly the fit at $x_i$
#   follows $y_i$. It is small in a cluster and large for an isolated point. Computing it takes of the order of $n^3$
#   products, so in practice it is estimated.
# - **Pivots**: draw each next landmark with a probability proportional to the residual (4), or take the point with
#   the largest residual, as in the exercises. This takes of the order of $nm^2$ products, like the fit.
# - **k-means** (chapter 7): take the centres of groups, which need not be data points.
#
# **Predict first.** Width and $\lambda$ are selected by leave-one-out. With two hundred landmarks, which of the four
# ways has the smallest RMSE on the whole map?
#
# <!-- slide
# ## Four ways to choose landmarks
#
# 1000 heights, nine tenths over one valley. Wanted: a map of *all* the land.
#
# - *uniformly* at random
# - *leverage*: proportional to $\ell_i=\big(K(K+\lambda I)^{-1}\big)_{ii}$
# - *pivots*: proportional to the residual (4)
# - *k-means*: centres of groups
#
# **Predict first.** $m=200$: which has the smallest RMSE on the whole map?
# -->

# %% [markdown] key="landmarks-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask who would fly this way. (Everybody whose data come from where they were easy to get.) Then ask which errors
# decide if leave-one-out selects the width. (Those in the valley.)
#
# </details>

# %% key="landmarks-figure" slide="subslide" hide="input"
flights = measured("ch10_flights", "area")
rng, valley = np.random.default_rng(0), (land.X < 7).all(axis=1)
flown = np.concatenate(
    [rng.choice(np.flatnonzero(at), k, False) for at, k in ((valley, 900), (~valley, 100))]
)
leverage = leverage_scores(Gaussian(1.4), land.X[flown], lam=0.1)
ways = {"all 1000 points": "all", "k-means": "k-means", "pivots": "pivots"}
ways |= {"leverage": "leverage", "uniform": "uniform"}
fig, (left, right) = plt.subplots(1, 2, figsize=(9.4, 3.7), width_ratios=[1, 1.25])
left.scatter(*land.X[flown].T, s=2 + 45 * leverage, fc="none", ec="black", lw=0.5)
left.set(xlabel="east (km)", ylabel="north (km)", aspect="equal", title="disc area: leverage")
for i, (how, label) in enumerate((("", "unweighted errors"), (" by area", "weighted by area"))):
    values = [flights[f"{way}{how}"].mean() for way in ways.values()]
    style = {"color": cycle(i)["color"], "linestyle": "none", "markersize": 9}
    right.plot(values, range(5), marker="os"[i], label=label, **style)
right.set_yticks(range(5), list(ways))
right.set(xlabel="RMSE on the whole map (m)", xlim=(100, 160))
right.legend(
    loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2, title="width and λ selected with"
)
show(
    fig,
    alt="Left, the locations of 1000 readings, a dense square in the south-west corner drawn as "
    "tiny discs and 100 scattered ones drawn large: they have the leverage. Right, the RMSE for "
    "200 landmarks, in rows: uniform, leverage, pivots, k-means, and all 1000 points. With "
    "unweighted errors the circles lie far to the right of the squares, uniform worst. With errors "
    "weighted by area the squares of all rows lie close together.",
    answer="Leverage, and four ways to choose",
)

# %% [markdown] key="landmarks-reading" slide="subslide"
# <details><summary><b>Which landmarks</b> (open this once you have written down your answer)</summary>
#
# The figure shows means over forty random flights. With unweighted errors (circles) the three other ways are more
# accurate than uniform landmarks, and pivots have the smallest RMSE. But the choice of landmarks is not the main
# problem. Nine tenths of the leave-one-out errors are in the valley, where points are close together, so they select
# narrow Gaussians. Even kernel ridge regression on all the points has an RMSE of 136 m. If instead each error is
# weighted with the area for which it stands (squares), wide Gaussians are selected. Then uniform landmarks have an
# RMSE of 113 m, and the other ways are on average at most 5 m better. So first ask where the map will be used, and
# weight the errors accordingly. Then choose landmarks.
#
# </details>
#
# <!-- slide
# ## Weighting the errors matters more than the landmarks
#
# - Unweighted leave-one-out errors: the valley selects narrow Gaussians.
# - Weighted by area: wide Gaussians, and all four ways are nearly the same.
# -->

# %% [markdown] key="bochner" slide="slide" tags=["hour"]
# ## Random Fourier features
#
# Landmarks are chosen from the data. Random features do not use the data at all. They rest on *Bochner's theorem*,
# which we state without proof. A real continuous function $k(x-z)$ on $\mathbb R^d$ with $k(0)=1$ is a kernel if and
# only if there is a distribution of frequencies $\omega$ with
#
# $$k(x-z)=\mathbf E\cos\omega^\top(x-z). \tag{5}$$
#
# One direction is short. By $\cos(a-b)=\cos a\cos b+\sin a\sin b$ the right-hand side is a mean of inner products, so
# it is a kernel. For the Gaussian kernel of width $\sigma$ the distribution is
#
# $$\omega\sim\mathcal N(0,I/\sigma^2),$$
#
# because $e^{-\|u\|^2/(2\sigma^2)}$ is the characteristic function of this normal distribution. So a narrow kernel
# has high frequencies. With scikit-learn's $\gamma=1/(2\sigma^2)$ the variance of the frequencies is $2\gamma$, not
# $\gamma$.
#
# <!-- slide
# ## A kernel $k(x-z)$ is a mean of cosines
#
# **Bochner:** a continuous $k(x-z)$ with $k(0)=1$ is a kernel if and only if, for some distribution of $\omega$,
#
# $$k(x-z)=\mathbf E\cos\omega^\top(x-z) \tag{5}$$
#
# Gaussian of width $\sigma$: $\omega\sim\mathcal N(0,I/\sigma^2)$. In scikit-learn's notation the variance is
# $2\gamma$, not $\gamma$.
# -->

# %% [markdown] key="features" slide="subslide"
# **Step 5.** The mean of some random draws estimates the expectation in (5). Draw frequencies, and split each cosine
# into its products. The results are *random Fourier features*. Two kinds are in use, both with $D$ features:
#
# - **pairs**: $\varphi(x)=\sqrt{2/D}\,(\cos\omega_1^\top x,\ \sin\omega_1^\top x,\dots)$ with $D/2$ frequencies;
# - **phases**: $\varphi(x)=\sqrt{2/D}\,\big(\cos(\omega_1^\top x+b_1),\dots\big)$ with $D$ frequencies, and $b_j$
#   uniform in $[0,2\pi)$. Since $2\cos(u+b)\cos(v+b)=\cos(u-v)+\cos(u+v+2b)$, and the last term has mean zero, the
#   mean of $\varphi(x)^\top\varphi(z)$ is again $k$.
#
# Only $d$ and $\sigma$ matter here, and not where the points are. For example, we draw $D=400$ features in pairs, and
# fit a part of the heights by ridge regression on them:
#
# <!-- slide
# ## Draw the frequencies at random
#
# **Step 5.** Two kinds, $D$ features each:
#
# - **pairs**: $\sqrt{2/D}\,(\cos\omega_1^\top x,\ \sin\omega_1^\top x,\dots)$, $D/2$ frequencies
# - **phases**: $\sqrt{2/D}\,\big(\cos(\omega_1^\top x+b_1),\dots\big)$, $D$ frequencies, $b_j$ uniform in $[0,2\pi)$
#
# Only $d$ and $\sigma$ matter, and not where the points are.
# -->

# %% [markdown] key="bochner-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask which width has high frequencies. Do pairs on the board for one frequency: cos a cos b + sin a sin b.
#
# </details>

# %% key="features-verify" slide="subslide"
rng, sigma, D = np.random.default_rng(0), 1.5, 400
omega = rng.normal(size=(2, D // 2)) / sigma  # variance 1/σ²


def fourier(X):
    """Pairs: φ(x) for each row."""
    u = X @ omega
    return np.sqrt(2 / D) * np.hstack([np.cos(u), np.sin(u)])


F = fourier(X[:5000])
w = np.linalg.solve(F.T @ F + 0.1 * np.eye(D), F.T @ y[:5000])
print(f"RMSE {rmse(fourier(land.X[test]) @ w):.0f} m")

# %% [markdown] key="features-reading"
# The features were drawn before we looked at the mountains, but the RMSE is less than half of that of the mean
# height. How well do these features approximate the kernel?
#
# <!-- slide
# The RMSE is less than half of that of the mean height, 162 m.
# -->

# %% [markdown] key="variance" slide="subslide"
# ### The variance of the approximation
#
# **Step 6.** The variance of a mean of independent draws is that of one draw, divided by their number. Write
# $u=\omega^\top(x-z)$, and $k$ for the value of the Gaussian kernel.
#
# - *Pairs.* We have $\cos^2u=\tfrac12(1+\cos2u)$, and $\mathbf E\cos2u=k^4$, because twice the distance raises a
#   Gaussian to the fourth power. So one cosine has the variance $\tfrac12(1+k^4)-k^2=\tfrac12(1-k^2)^2$. Pairs
#   average $D/2$ of them.
# - *Phases.* There is an additional term $\cos(\omega^\top(x+z)+2b)$. For a fixed $\omega$, average over $b$. The
#   term has mean zero and mean square $\tfrac12$. Its product with $\cos u$ also has mean zero, because $\cos u$ does
#   not depend on $b$. So the two terms are uncorrelated, and their variances add up. Phases average $D$ of these
#   sums.
#
# $$\text{pairs:}\ \ \frac{(1-k^2)^2}{D},\qquad\text{phases:}\ \ \frac{1+\frac12k^4-k^2}{D}. \tag{6}$$
#
# Both estimates have the mean $k$. The variance with phases is larger by $(k^2-\frac12k^4)/D$, and the difference is
# largest at distance zero. There pairs are exact, because $\cos^2+\sin^2=1$, while phases have the variance $1/(2D)$.
# At distance $\sigma$ the variance with phases is 1.75 times that of pairs.
#
# The sum of (6) over all entries of $K$ is the expected squared error of the Gram matrix in the Frobenius norm, for
# pairs
#
# $$\mathbf E\,\|K-\hat K\|^2=\frac1D\sum_{i,j}(1-k_{ij}^2)^2. \tag{7}$$
#
# No formula contains the dimension $d$. What matters is how far apart the points are, in units of $\sigma$. If most
# $k_{ij}$ are nearly zero, the sum is nearly $n^2$, and an accurate Gram matrix needs many features.
#
# <!-- slide
# ## The variance does not depend on the dimension
#
# **Step 6.** One cosine: $\tfrac12(1+k^4)-k^2=\tfrac12(1-k^2)^2$. With a phase, an uncorrelated term of variance
# $\tfrac12$.
#
# $$\text{pairs:}\ \frac{(1-k^2)^2}{D},\qquad\text{phases:}\ \frac{1+\frac12k^4-k^2}{D} \tag{6}$$
#
# $$\text{pairs:}\quad\mathbf E\,\|K-\hat K\|^2=\frac1D\sum_{i,j}(1-k_{ij}^2)^2 \tag{7}$$
#
# Pairs are exact at distance 0; phases have the variance $1/(2D)$ there.
# -->

# %% [markdown] key="variance-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Derive the variance on the board. The only trick is that k at twice the distance is k⁴. Ask where pairs and phases
# differ most, and which formula contains d. Add that scikit-learn's sampler once had the wrong variance, and that its
# test did not notice.
#
# </details>

# %% key="variance-verify" slide="skip" hide="input"
theirs = RandomFourierFeatures(Gaussian(sigma), n_features=D).fit(X[:9])
verify("kcourse's features have this shape", theirs.frequencies_.shape, omega.shape)
once = fourier(X[:5]) @ fourier(X[:5]).T
verify("φ(x)ᵀφ(z) is a mean of cosines", once[0, 1], np.cos(omega.T @ (X[0] - X[1])).mean())
D, draws, k_1 = 200, 600, np.exp(-0.5)
pair = np.array([[0.0, 0.0], [0.6 * sigma, 0.8 * sigma]])  # one width apart
theory = {"pairs": (1 - k_1**2) ** 2 / D, "phases": (1 + k_1**4 / 2 - k_1**2) / D}
for kind, value in theory.items():
    products = []
    for seed in range(draws):
        paired = kind == "pairs"
        model = RandomFourierFeatures(Gaussian(sigma), n_features=D, paired=paired, rng=seed)
        one, other = model.fit_transform(pair)
        products.append(one @ other)
    sure = 4 * np.sqrt(2 / draws)  # four standard errors of a variance
    verify(f"{kind}: variance as in (6)", np.var(products) / value, 1, tol=sure)
    verify(f"{kind}: the mean is k", np.mean(products), k_1, tol=4 * np.sqrt(value / draws))
verify("at distance σ, times", theory["phases"] / theory["pairs"], "1.75")
x, z, sigma = np.array([0.3, -1.0, 0.5]), np.array([1.0, 0.2, 0.1]), 1.3
drawn = rng.normal(size=(100_000, 3)) / sigma
k_xz = Gaussian(sigma)(x[None], z[None])[0, 0]
u, b = drawn @ (x - z), rng.uniform(0, 2 * np.pi, len(drawn))
verify("(5): the mean cosine is the kernel", np.cos(u).mean(), k_xz, tol=6e-3)
verify("E cos² is (1 + k⁴)/2", np.mean(np.cos(u) ** 2), (1 + k_xz**4) / 2, tol=6e-3)
extra, sure = np.cos(drawn @ (x + z) + 2 * b), 4 / np.sqrt(len(drawn))
once = 2 * np.cos(drawn @ x + b) * np.cos(drawn @ z + b)
verify("two cosines with a phase: cos u and the additional term", once, np.cos(u) + extra)
verify("the additional term: mean 0", abs(extra.mean()) < sure)
verify("... mean square ½", abs(np.mean(extra**2) - 0.5) < sure)
verify("... uncorrelated with cos u", abs(np.mean(extra * np.cos(u))) < sure)
exact_at_0 = RandomFourierFeatures(Gaussian(sigma), n_features=10, rng=1).fit_transform(pair)
verify("pairs: φ(x)ᵀφ(x) is 1", np.sum(exact_at_0**2, axis=1), 1.0)
sampled = Gaussian(1 / np.sqrt(2 * 0.37))  # scikit-learn's gamma = 0.37
spread = RandomFourierFeatures(sampled, n_features=100_000).fit(pair).frequencies_.var()
verify("the variance of ω is 2γ", spread, 2 * 0.37, tol=0.01)
few = pixels[:200]
K = Gaussian(1.0)(few)
F = [RandomFourierFeatures(Gaussian(1.0), n_features=100, rng=s).fit_transform(few) for s in (0, 1)]
off = np.mean([np.sum((K - f @ f.T) ** 2) for f in F])
verify("(7), two draws", off / np.sum((1 - K**2) ** 2) * 100, 1, tol=0.1)
del drawn, u, b, extra, once

# %% [markdown] key="frequencies" slide="slide"
# ## How random is a random kernel?
#
# **Predict first.** The interactive figure shows the kernel (dashed) and its estimate from ten random features
# (solid) against the distance. The right panel shows their frequencies. Earlier draws stay in grey.
#
# 1. Draw twenty times. At which distance do the estimates never differ? Do they all become small at large distances,
#    where $k$ is nearly zero?
# 2. How many features make the differences a quarter as large as with ten?
# 3. What changes for ten features with *phases*, at distance zero and at large distances?

# %% [markdown] key="frequencies-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Move the slider draw by draw, so that the class sees a band develop. Ask first whether it will become narrow at
# large distances. Expect yes, because k is 0 there. Ask what an estimate of -0.4 means for a kernel that is never
# negative.
#
# </details>

# %% key="frequencies-figure" hide="input"
def estimate(seed, D, kind, u):
    """φ(x)ᵀφ(z) for x = 0 and z = u, in units of σ; and the frequencies."""
    paired = kind == "pairs"
    model = RandomFourierFeatures(Gaussian(1.0), n_features=D, paired=paired, rng=seed)
    F = model.fit_transform(u[:, None])
    return F @ F[0], model.frequencies_[0]


FEATURES = {
    f"{D} {how} {kind}": (D, kind)
    for how, kind in (("in", "pairs"), ("with", "phases"))
    for D in (10, 160)
}
redrawn = frequencies_explorer(estimate, FEATURES, 20)

# %% [markdown] key="frequencies-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# 1. At distance zero the estimates from pairs are always one, because all cosines are one. At large distances the
#    estimates do not become small. By (6) their standard deviation is $1/\sqrt D$ there, about a third for ten
#    features. The estimate is a mean of independent cosines, and each cosine takes all values between −1 and 1.
# 2. You need sixteen times as many, because the standard deviation falls like $1/\sqrt D$.
# 3. With phases the estimates also differ at distance zero, with a standard deviation of $1/\sqrt{2D}$. At large
#    distances both kinds are alike.
#
# </details>
#
# <!-- slide
# ## At large distances the estimates do not become small
#
# 1. Pairs never differ at distance 0. Far away the standard deviation is $1/\sqrt D$, about a third for ten features.
# 2. A quarter of it takes sixteen times as many.
# 3. Phases differ at 0, with $1/\sqrt{2D}$.
# -->

# %% [markdown] key="compare" slide="slide" tags=["hour"]
# ## Landmarks, random features and a subsample
#
# Which of the approximations is better, and at which width? The next figure compares three models with $m$ Gaussians
# or features for a thousand points: Nyström's method with uniform landmarks, random features in pairs, and a
# subsample. Leave-one-out selects $\lambda$. The left panel shows the relative error $\|K-\hat K\|/\|K\|$ of the Gram
# matrix. A line marks the error of $\hat K=0$. The right panel shows the mean test error of twenty draws, for widths
# up to the one that you choose.
#
# **Predict first.**
#
# 1. Mountains, $m=80$, $\sigma=1.4$ km. The Gram matrix of the random features is worse than $\hat K=0$. Is their map
#    less accurate than Nyström's? Is it less accurate than that of the subsample?
# 2. For all thousand heights the best width is one kilometre. What is the best width for $m=320$, and for $m=20$?
# 3. Digits, $d=64$ and $m=320$. Which way is the worst with $\sigma=1$, and which with $\sigma=2$?
#
# <!-- slide
# ## Is a poor Gram matrix a poor predictor?
#
# 1000 points; uniform landmarks, random features, a subsample. **Predict first.**
#
# 1. Mountains, $m=80$, $\sigma=1.4$: the Gram matrix of random features is *worse than* $\hat K=0$. And their map?
# 2. For all heights the best width is 1 km. And for few features?
# 3. Digits, $m=320$: which way is the worst with $\sigma=1$? With $\sigma=2$?
# -->

# %% [markdown] key="compare-notes" slide="notes"
# <details><summary>For the lecturer (5 min)</summary>
#
# Let them commit to question 1. Expect that a bad Gram matrix makes a bad map. Then show the figure, and ask for the
# reason (what the features span). Question 3 is the lesson of the chapter: with σ = 1 one would have written that
# random features fail in 64 dimensions.
#
# </details>

# %% key="compare-code" slide="skip" hide="input"
SIZES = (20, 80, 320)
WAYS = ("{} landmarks", "{} random features", "subsample of {}")


def task(points, data, widths, error, unit, ticks):
    """What was measured, and Gram matrices of one draw of landmarks, random features by (7)."""
    gram = np.zeros((2, len(SIZES), len(widths)))
    for j, width in enumerate(widths):
        K = Gaussian(width)(points[::4], points)  # a quarter of the rows is enough for norms
        size, by_7 = np.linalg.norm(K), np.linalg.norm(1 - K**2)
        for i, m in enumerate(SIZES):  # the points are in random order
            F = Nystrom(Gaussian(width), landmarks=points[:m]).fit(points).transform(points)
            gram[:, i, j] = np.linalg.norm(K - F[::4] @ F.T), by_7 / np.sqrt(m)
        gram[:, :, j] /= size
    errors = [
        [[found[f"{data}: {way.format(m)} at {w}"].mean() for w in widths] for m in SIZES]
        for way in WAYS
    ]
    exact = np.array([found[f"{data}: exact at {w}"].mean() for w in widths])
    return Task(1000, widths, gram, np.array(errors), exact, error, unit, ticks)


tasks = {
    "mountains": task(
        X[:1000],
        "mountains",
        (0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0),
        "RMSE of the map",
        "m",
        (60, 80, 100, 130, 170),
    ),
    "digits": task(
        pixels[:1000],
        "digits",
        (0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0),
        "misclassified digits",
        "%",
        (0.9, 2, 6, 20, 60),
    ),
}

# %% key="compare-figure" hide="input"
CASES = [*(("mountains", m) for m in (20, 80, 320)), *(("digits", m) for m in (80, 320))]
three_ways = features_explorer(tasks, SIZES, CASES, (0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0))

# %% [markdown] key="compare-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# 1. The map of the random features is nearly as accurate as Nyström's, and more accurate than that of the subsample.
#    A poor Gram matrix is not a poor predictor. Ridge regression with a small $\lambda$ is close to least squares,
#    and least squares does not change under an invertible linear transformation of the features. So what matters is
#    what the features *span*, and not whether their inner products are $k$.
# 2. On the mountains the best width is larger for fewer features. With landmarks, leave-one-out selected at most 2 km
#    for $m=320$, and at least 5.6 km for $m=20$. A few narrow Gaussians leave most of the map uncovered. So select
#    the width *together with* the number of features.
# 3. With $\sigma=1$ random features are by far the worst. They misclassify 6.3 % of the digits, and the subsample
#    2.9 %. With $\sigma=2$ they misclassify 2.1 %, and the subsample is the worst. The cause was the width, not
#    $d=64$. If you had tried only $\sigma=1$, you would have concluded that random features fail in many dimensions.
#
# If each way has its own best width, landmarks are the most accurate of the three. With $m=320$ they had a smaller
# RMSE than random features on all twenty maps.
#
# </details>
#
# <!-- slide
# ## A poor Gram matrix is not a poor predictor
#
# 1. Random features: nearly as accurate as landmarks, better than the subsample. What counts is what features *span*.
# 2. **Fewer features need wider Gaussians:** at least 5.6 km for 20 landmarks, at most 2 km for 320.
# 3. $\sigma=1$: random features 6.3 % wrong, subsample 2.9 %. $\sigma=2$: 2.1 %. It was the *width*, not $d=64$.
# -->

# %% key="compare-verify" slide="skip" hide="input"
far = np.array([0.0, 4.0])
swing = {
    (kind, D): np.std([estimate(s, D, kind, far)[0] for s in range(200)], axis=0)
    for kind in ("pairs", "phases")
    for D in (10, 160)
}
verify("at large distances", abs(swing["pairs", 10][1] * np.sqrt(10) - 1) < 0.2)
verify("phases at 0", abs(swing["phases", 10][0] * np.sqrt(20) - 1) < 0.2)
verify("a quarter with 160", 3.2 < swing["pairs", 10][1] / swing["pairs", 160][1] < 4.8)
for data, error, told in (("mountains", "m", "62"), ("digits", "%", "1.0")):
    verify(f"{data}, all points ({error})", found[f"{data}: exact"].mean(), told)
    for m in SIZES:
        whole, part = (found[f"{data}: {way.format(m)}"] for way in (WAYS[0], WAYS[2]))
        verify(f"{data}, {m}: Nyström is more accurate", whole.mean() < part.mean())
hills, scans = tasks["mountains"], tasks["digits"]
at_1_4 = hills.widths.index(1.4)
verify("80 random features: worse than K̂ = 0", hills.gram[1, 1, at_1_4] > 1)
ours, waves, part = hills.test[:, 1, at_1_4]
verify("... nearly as accurate as Nyström's", waves / ours < 1.03)
verify("... more than the subsample", waves < part - 5)
F, values = RandomFourierFeatures(Gaussian(1.4), n_features=40).fit_transform(X[:300]), y[:300]
mixed = F @ np.random.default_rng(0).normal(size=(40, 40))
by_mixed, by_F = (G @ np.linalg.lstsq(G, values)[0] / 100 for G in (mixed, F))
verify("least squares does not change if features are mixed", by_mixed, by_F, tol=1e-6)
for m, stops in ((20, {5.6, 8.0}), (320, {1.4, 2.0})):
    verify(f"{m} landmarks: widths", set(found[f"mountains: width of {m} landmarks"]) == stops)
verify("all heights: 1 km", set(found["mountains: width of exact"]) == {1.0})
verify("all digits: 1.4", set(found["digits: width of exact"]) == {1.4})
for width, way, told in ((1.0, 1, "6.3"), (1.0, 2, "2.9"), (2.0, 1, "2.1")):
    wrong = scans.test[way, 2, scans.widths.index(width)]
    verify(f"digits, σ = {width}, 320, way {way} (%)", wrong, told)
verify("σ = 2: better than the subsample", scans.test[1, 2, 3] < scans.test[2, 2, 3])
twenty = [found[f"mountains: {way.format(320)}"] for way in WAYS[:2]]
verify("landmarks: a smaller RMSE on all twenty maps", np.all(twenty[0] < twenty[1]))
for data in ("mountains", "digits"):
    own = [found[f"{data}: {way.format(320)}"].mean() for way in WAYS]
    verify(f"{data}: landmarks are the most accurate", own[0] == min(own))
for how in ("leverage", "pivots", "k-means"):
    gain = flights["uniform"] - flights[how]
    verify(f"{how}: better than uniform", gain.mean() > 3 * gain.std() / np.sqrt(len(gain)))
    close = flights["uniform by area"].mean() - flights[f"{how} by area"].mean()
    verify("... hardly with weights (m)", 0 < close < 5)
best = min(("uniform", "leverage", "k-means"), key=lambda how: flights[how].mean())
verify("pivots: the smallest mean", flights["pivots"].mean() < flights[best].mean())
verify("all 1000 points (m)", flights["all"].mean(), "136")
verify("uniform by area (m)", flights["uniform by area"].mean(), "113")
narrow, wide = (flights[f"width of uniform{how}"] for how in ("", " by area"))
verify("weights select wide Gaussians", narrow.max() < wide.min())

# %% [markdown] key="stream" slide="slide"
# ## Streaming a million readings
#
# So far all points were in memory. This is not necessary. Equation (2) needs only two sums over the points,
# $K_{nm}^\top K_{nm}=\sum_ik_m(x_i)\,k_m(x_i)^\top$ and $K_{nm}^\top y=\sum_iy_i\,k_m(x_i)$. So the points can come
# in blocks, be used, and be discarded. The sums have $m^2+m$ numbers, whatever $n$ is.
#
# For example, an altimeter flies over the mountains for days, and each of its readings has an error. We simulate it
# with the real heights and Gaussian noise of standard deviation 100 m. The readings are generated block by block, and
# nobody stores them:
#
# <!-- slide
# ## Equation (2) needs only two sums over the points
#
# Points come in blocks, are used, and are discarded. The sums have $m^2+m$ numbers, whatever $n$ is.
#
# An altimeter flies for days; each reading has noise of 100 m.
# -->

# %% key="stream-readings" slide="skip" hide="input"
def readings(n):
    """n readings in blocks of 2000, the same on each call."""
    for i in range(n // 10_000):
        rng = np.random.default_rng([7, i])
        at = rng.integers(len(X), size=10_000)
        heights = y[at] + 100 * rng.standard_normal(10_000)
        for part in range(0, 10_000, 2000):
            yield X[at[part : part + 2000]], heights[part : part + 2000]

# %% key="stream-code" slide="subslide"
kernel, lam = Gaussian(1.4), 1.0
Z = X[:500]  # uniform landmarks: X is in random order
KK, Ky = 0.0, 0.0  # the two sums
for block, heights in readings(50_000):  # used, and discarded
    k_m = kernel(block, Z)
    KK, Ky = KK + k_m.T @ k_m, Ky + k_m.T @ heights
a = np.linalg.solve(KK + lam * kernel(Z), Ky)
print(f"RMSE {rmse(kernel(land.X[test], Z) @ a):.0f} m")

# %% [markdown] key="stream-reading"
# The RMSE is much smaller than the noise of one reading, because many readings determine each coefficient.
# `NystromRidge(kernel, n_landmarks=500).fit(source)` does the same, if the function `source` opens the stream. It
# reads the stream once more to correct rounding errors.
#
# ### The same sums on a cluster
#
# It does not matter where the sums are computed. The argument `executor` takes any pool of `concurrent.futures`, for
# example that of a [Dask](https://docs.dask.org) cluster. Blocks are sent to the workers, and $m^2+m$ numbers come back.
#
# ```python
# from dask.distributed import Client
#
# with Client("scheduler:8786").get_executor() as cluster:
#     model = NystromRidge(kernel, n_landmarks=500, executor=cluster)
#     model.fit("X.npy", "y.npy")
# ```
#
# <!-- slide
# `NystromRidge` does the same. Its `executor` takes any pool of `concurrent.futures`, for example a Dask cluster's.
# -->

# %% [markdown] key="stream-rows" slide="subslide"
# ### Time, memory and error up to a million readings
#
# We ran the same program on up to a million readings, and compared it with the mean of the nearest readings, which
# needs all of them in memory. The number of readings averaged, from 10 to 100, was selected at other locations. What
# happens to the time, the memory and the error if there are a hundred times as many readings?
#
# <!-- slide
# ## A hundred times as many readings
#
# 500 Gaussians, and the mean of the nearest readings, which keeps all of them. **What happens to time, memory and
# error?**
# -->

# %% [markdown] key="stream-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask before the figure which of the curves is flat and which grows. Expect that the error continues to fall. Then ask
# what should be changed (m, and then the width).
#
# </details>

# %% key="stream-rows-picture" slide="subslide" hide="input"
rows = measured("ch10_rows")
fig, axes = plt.subplots(1, 3, figsize=(9.6, 3.4))
axes[0].plot(rows["n"], rows["seconds"], marker="o", **cycle(0))
axes[0].set(yscale="log", ylabel="time of one core (s)")
axes[0].set_yticks([0.1, 1, 10], ["0.1", "1", "10"])
axes[1].plot(rows["n"], rows["megabytes"], marker="o", **cycle(0))
axes[1].set(ylabel="memory of the fit (MB)", ylim=(0, 30))
axes[2].plot(rows["n"], rows["error"], marker="o", label="500 Gaussians", **cycle(0))
near_label = "mean of the nearest"
axes[2].plot(rows["n"], rows["error_neighbours"], marker="s", label=near_label, **cycle(1))
axes[2].set(ylabel="RMSE of the map (m)", ylim=(0, 110))
axes[2].legend(loc="upper right")
for ax in axes:
    ax.set(xscale="log", xlabel="readings n")
    ax.set_xticks([1e4, 1e5, 1e6], ["10⁴", "10⁵", "10⁶"])
    ax.minorticks_off()
show(
    fig,
    alt="Three panels against the number of readings, ten thousand to a million. Time grows like "
    "n to less than ten seconds. Memory stays below 15 megabytes. The RMSE of 500 Gaussians falls "
    "from 58 to 53 m and stays; that of the mean of the nearest readings falls from 49 to 15 m.",
)

# %% [markdown] key="stream-rows-reading" slide="subslide"
# The time grows like $n$, and a million readings take less than ten seconds on one core of our machine. The memory
# stays below 15 megabytes. But the RMSE of the Gaussians falls only from 58 to 53 m, and then it stays. The limit is
# now $m$ instead of $n$. If five hundred Gaussians of this width cannot represent the map, no number of readings
# helps. You would need more landmarks, and then a smaller width.
#
# The mean of the nearest readings has an RMSE of 15 m, if the million readings are kept. Then why not always use
# neighbours?
#
# <!-- slide
# ## The limit is now $m$ instead of $n$
#
# - A million readings take less than ten seconds and 15 megabytes.
# - The RMSE falls from 58 to 53 m, and stays.
# - The mean of the nearest readings: 15 m. **Why not always use neighbours?**
# -->

# %% key="stream-verify" slide="skip" hide="input"
growth = np.polyfit(np.log(rows["n"][1:]), np.log(rows["seconds"][1:]), 1)[0]
verify("time: exponent", 0.9 < growth < 1.1)
verify("a million readings: under ten seconds", rows["seconds"][-1] < 10)
verify("memory: below 15 MB", rows["megabytes"].max() < 15)
verify("memory: the same for every number of rows", np.ptp(rows["megabytes"]) < 0.5)
verify("RMSE of 500 Gaussians (m)", rows["error"][[0, -1]].round(), [58, 53])
verify("RMSE of the nearest (m)", rows["error_neighbours"][[0, -1]].round(), [49, 15])
verify("50 000 readings: much less than the noise", rmse(kernel(land.X[test], Z) @ a) < 60)
tracemalloc.start()
same = NystromRidge(kernel, landmarks=Z, lam=lam).fit(partial(readings, 10_000))
verify("this fit: at most 30 MB of arrays", tracemalloc.get_traced_memory()[1] < 3e7)
tracemalloc.stop()
blocks, heights = zip(*readings(10_000), strict=True)
k_m, heights = kernel(np.vstack(blocks), Z), np.hstack(heights)
by_sums = np.linalg.solve(k_m.T @ k_m + lam * kernel(Z), k_m.T @ heights)
at = land.X[test[:500]]
by_sums = kernel(at, Z) @ by_sums / 100
verify("NystromRidge: the same", by_sums, same.predict(at) / 100, tol=1e-5)
small = {"n_landmarks": 100, "lam": 1.0, "block": 2000}
here = NystromRidge(kernel, **small).fit(partial(readings, 10_000))
threads = sys.platform not in ("emscripten", "wasi")  # in a browser there are none
pool = ThreadPoolExecutor(2) if threads else None
elsewhere = NystromRidge(kernel, executor=pool, **small).fit(partial(readings, 10_000))
verify("a pool: the same to the last bit", np.array_equal(here.dual_coef_, elsewhere.dual_coef_))
if pool is not None:
    pool.shutdown()

# %% [markdown] key="maps" slide="slide"
# ## Which map is the best for its cost?
#
# We return to the exact heights. The table compares maps A and B with a larger subsample and with the mean of the
# four nearest heights. It counts the products of the fit and the numbers that a prediction needs. The widths of the
# subsamples were selected at other locations. Map B has the settings of map A. With a width and $\lambda$ of its own
# its RMSE would be about a metre lower.
#
# <!-- slide
# ## Which map is the best for its cost?
#
# 100 000 exact heights: maps A and B, a larger subsample, and the mean of the four nearest heights.
# -->

# %% key="maps-table" slide="subslide" hide="input"
larger = KernelRidge(Gaussian(0.7), lam=0.1).fit(X[:2000], y[:2000])
nearest = y[cKDTree(X).query(land.X[test], 4)[1]].mean(axis=1)
at = land.X[test]
maps = {
    "A: subsample of 500": (500**3 / 6 / 1e6, 3 * 500, rmse(A.predict(at))),
    "subsample of 2000": (2000**3 / 6 / 1e6, 3 * 2000, rmse(larger.predict(at))),
    "B: Nyström, 500 landmarks": (100_000 * 500**2 / 2 / 1e6, 3 * 500, rmse(B.predict(at))),
    "mean of the 4 nearest": (None, 3 * len(y), rmse(nearest)),
}
columns = {"map": "", "products (millions)": ",.0f", "numbers kept": ",d", "RMSE (m)": ".0f"}
table("Four maps of the mountains", columns, maps)

# %% [markdown] key="maps-reading"
# With the same number of Gaussians Nyström's method is more accurate than a subsample. But the larger subsample takes
# a ninth of the products of map B, and here it has a smaller RMSE. Exact heights favour the subsample. A subsample of
# the same size from the noisy readings has an RMSE of 67 m, which is worse than the streamed map. The mean of the
# four nearest heights is by far the most accurate, without any fit. With a hundred thousand heights in the plane a
# neighbour is near, and a search tree finds it quickly. So none of the approximations is the best map.
#
# <!-- slide
# ## On this map the nearest heights are the most accurate
#
# - With the same number of Gaussians: Nyström.
# - At lower cost: the larger subsample, here.
# - By far the most accurate: the four nearest heights.
# -->

# %% [markdown] key="maps-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Do not skip this page. Ask what Nyström's method is good for then. (Where no neighbour is near, because d is large.)
#
# </details>

# %% [markdown] key="holes" slide="subslide"
# ### Where no neighbour is near
#
# What is Nyström's method good for, then? Suppose that of a square of seven by seven heights only the 24 on its rim
# are known, and you want the one in the middle. Now a point consists of 24 numbers, and two rims are seldom near each
# other. We learned from twenty thousand such holes in the west of the map, and tested in the east. We compared five
# hundred landmarks with neighbours, with linear ridge regression on the heights of the rim, and with a subsample that
# takes the same number of products. The settings of each were selected in the middle of the map.
#
# The landmarks had a smaller RMSE than neighbours, linear ridge regression and the subsample on each of ten random
# draws of holes. The best neighbours had an RMSE of 17.7 m instead of 17.3 m, after each rim was divided by its
# standard deviation. Random features were as accurate as landmarks. The difference is small, and this is one map, so
# it says nothing about other mountains.
#
# <!-- slide
# ## With 24 coordinates landmarks are more accurate
#
# The middle of a hole of 7 × 7 heights, from the 24 on its rim. 20 000 holes in the west, test in the east.
#
# - 500 landmarks or random features: 17.3 m. Neighbours: 17.7 m at best.
# - On each of ten draws; but this is one map.
# -->

# %% key="maps-verify" slide="skip" hide="input"
holes = measured("ch10_holes", "holes")
verify("map A (m)", maps["A: subsample of 500"][-1], "76")
verify("map B (m)", maps["B: Nyström, 500 landmarks"][-1], "52")
_, by_larger, by_B, by_near = maps.values()
wider = NystromRidge(Gaussian(1.8), landmarks=X[:500], lam=0.01).fit(X, y)
by_wider = rmse(wider.predict(land.X[test]))
verify("map B with σ = 1.8 km and λ = 0.01: lower by (m)", by_B[-1] - by_wider, "1")
verify("the larger subsample: fewer products", by_larger[0] < by_B[0])
verify("... and more accurate", by_larger[-1] < by_B[-1])
verify("the nearest: by far the most accurate", by_near[-1] < by_larger[-1] / 3)
block, heights = next(readings(10_000))
noisy = KernelRidge(Gaussian(1.0), lam=1.0).fit(block, heights)
verify("2000 noisy readings (m)", rmse(noisy.predict(land.X[test])), "67")
verify("24 on the rim", 7**2 - 5**2, "24")
for name in ("nearest neighbours", "nearest in shape", "linear ridge", "subsample"):
    verify(f"{name}: landmarks are more accurate", np.all(holes["landmarks"] < holes[name]))
verify("neighbours, rims divided (m)", holes["nearest in shape"].mean(), "17.7")
verify("landmarks (m)", holes["landmarks"].mean(), "17.3")
gap = holes["random features"] - holes["landmarks"]
verify("random features: as accurate", abs(gap.mean()) < gap.std(ddof=1) / np.sqrt(len(gap)))

# %% [markdown] key="find-error" slide="slide" tags=["later"]
# ## Find the error
#
# A colleague has written random Fourier features for the Gaussian kernel, with $\sigma$ and $\lambda$ as in this
# course. The program runs and prints no error. **Read it before you go on: there are four mistakes.**
#
# ```python
# gamma = 1 / (2 * sigma**2)
# W = rng.normal(scale=np.sqrt(gamma), size=(D, d))     # frequencies
#
# def features(X):
#     W_X = rng.permutation(W) @ X.T
#     return np.hstack([np.cos(W_X).T, np.sin(W_X).T]) / np.sqrt(2 * D)
#
# F = features(X)
# v = np.linalg.solve(F.T @ F + lam * n * np.eye(2 * D), F.T @ y)
# f = features(X_new) @ v
# ```

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask which mistake the training error F @ v hides (the second) and which it shows (the last). With the first or the
# third alone the map is still plausible.
#
# </details>

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What is wrong</b> (open this once you have written down your answers)</summary>
#
# 1. The variance of the frequencies must be $2\gamma=1/\sigma^2$, not $\gamma$. With $\gamma$ the kernel is $\sqrt2$
#    times too wide. Early versions of scikit-learn's `RBFSampler` had this mistake.
# 2. The features must be the same for all points. A new permutation in each call exchanges the columns between
#    training and prediction.
# 3. $D$ frequencies in pairs make $2D$ features, so the factor is $\sqrt{2/(2D)}=1/\sqrt D$. As written
#    $\varphi(x)^\top\varphi(x)=\tfrac12$.
# 4. In this course $\lambda$ multiplies the penalty next to the *sum* of squared errors. `lam * n` is for their mean.
#
# </details>

# %% [markdown] key="practice" slide="slide"
# ## The same in scikit-learn
#
# scikit-learn has both as transformers in front of any linear model, `Nystroem` and `RBFSampler`.

# %% key="practice-code" slide="fragment"
theirs = make_pipeline(
    Nystroem(gamma=1 / (2 * 1.5**2), n_components=200, random_state=0),
    Ridge(alpha=0.1, fit_intercept=False),
).fit(X[:5000], y[:5000])
ours = NystromRidge(Gaussian(1.5), landmarks=theirs[0].components_, lam=0.1)
ours.fit(X[:5000], y[:5000])
at = land.X[test[:500]]
one, other = theirs.predict(at) / 100, ours.predict(at) / 100
verify("the same map", one, other, tol=1e-6)

# %% [markdown] key="practice-ask" slide="subslide"
# ### The default width
#
# In scikit-learn $\gamma=1/(2\sigma^2)$. By default `RBFSampler` has $\gamma=1$ and `Nystroem` has $\gamma=1/d$,
# whatever the data are. `RBFSampler` also accepts `gamma="scale"`, which is $\gamma=1/(d\operatorname{Var}X)$ with
# the variance of all entries of $X$, as for `SVC` in chapter 6. For `Nystroem` you have to compute this number
# yourself. Here is the rule with $D=320$ features of the digits. The table below compares it with the defaults, and
# with a $\gamma$ that cross-validation selects, where all other settings are equal. In the file a pixel goes from
# zero to sixteen, and we also divide by sixteen.
#
# <!-- slide
# ## The default width ignores the data
#
# $\gamma=1/(2\sigma^2)$. Defaults: $\gamma=1$ for `RBFSampler`, $\gamma=1/d$ for `Nystroem`.
#
# `gamma="scale"`: $\gamma=1/(d\operatorname{Var}X)$, as for `SVC`. For `Nystroem` compute this number.
# -->

# %% key="practice-default" slide="fragment"
sampler = RBFSampler(gamma="scale", n_components=320, random_state=2)
scaled = make_pipeline(sampler, RidgeClassifier(0.1)).fit(pixels[:1000], labels[:1000])
print(f"{np.sum(scaled.predict(pixels[1000:]) != labels[1000:])} of 797 digits wrong")

# %% key="practice-table" slide="subslide" hide="input"
defaults = measured("ch10_defaults", "scale")
hows = {
    "default γ, pixels 0 to 16": "default on 0 to 16",
    "default γ, pixels 0 to 1": "default on 0 to 1",
    "γ = 1/(d Var X), pixels 0 to 16": "scale on 0 to 16",
    "γ = 1/(d Var X), pixels 0 to 1": "scale on 0 to 1",
    "γ by cross-validation": "chosen on 0 to 1",
}
classes = ("RBFSampler", "Nystroem")
table(
    "320 features: misclassified digits (%), means of twenty splits",
    {"γ": "", **dict.fromkeys(classes, ".1f")},
    {how: [defaults[f"{name} {key}"].mean() for name in classes] for how, key in hows.items()},
)

# %% [markdown] key="practice-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask which σ is gamma=1, and what a factor of 16 in the pixels does to a width that does not change.
#
# </details>

# %% [markdown] key="practice-traps" slide="subslide"
# The defaults are far too narrow for these data, except $1/d$ if pixels go from zero to one, where it is too wide.
# The rule $1/(d\operatorname{Var}X)$ does not depend on the unit. Here it is as good as the search, and it needs no
# search.
#
# ### Traps
#
# - `Ridge` by default fits an intercept without a penalty, which (1) does not have.
# - `RBFSampler` uses phases. By (6) their variance is never smaller than that of pairs.
# - The pipeline makes all $n\times m$ features at once. A hundred thousand points and a thousand landmarks take 800
#   megabytes. `NystromRidge` works in blocks. So does `SGDRegressor.partial_fit`, if you give it the features of one
#   block at a time.
# - In a pipeline the landmarks are drawn inside each fold of a cross-validation, as they must be.
#
# <!-- slide
# ## `gamma="scale"` is as good as a search, here
#
# - The default widths do not depend on the data. $\gamma=1/(d\operatorname{Var}X)$ does.
# - `Ridge` fits an intercept without a penalty.
# - `RBFSampler` uses phases.
# - The pipeline makes all $n\times m$ features at once.
# -->

# %% key="practice-verify" slide="skip" hide="input"
sigma, frequencies = 1.5, np.random.default_rng(1)
gamma = 1 / (2 * sigma**2)
for variance, width in ((2 * gamma, sigma), (gamma, np.sqrt(2) * sigma)):
    mean_cosine = np.cos(np.sqrt(variance) * frequencies.normal(size=100_000) * sigma).mean()
    value = Gaussian(width)([[0.0]], [[sigma]])[0, 0]
    verify(f"mistake 1: variance {variance:.2f}", mean_cosine, value, tol=8e-3)
W = frequencies.normal(size=(300, 2)) / sigma
F, F_2 = (
    np.vstack([np.cos(V @ X[:200].T), np.sin(V @ X[:200].T)]).T / np.sqrt(600)
    for V in (W, frequencies.permutation(W))
)
verify("mistake 3: as written φ(x)ᵀφ(x) is a half", np.sum(F**2, axis=1), 0.5)
w = np.linalg.solve(F.T @ F + 0.1 * np.eye(600), F.T @ y[:200])
verify("mistake 2: on the same points", np.std(F_2 @ w - y[:200]) > 3 * np.std(F @ w - y[:200]))
pictures = pixels[:300]
plain = Nystroem(n_components=50, random_state=0).fit(pictures)
as_1_over_d = Nystrom(Gaussian(np.sqrt(64 / 2)), landmarks=plain.components_).fit(pictures)
verify(
    "Nystroem: 1/d", plain.transform(pictures[:9]), as_1_over_d.transform(pictures[:9]), tol=1e-6
)
verify("RBFSampler: 1", RBFSampler(random_state=0).gamma == 1.0)
rule = 1 / (64 * pixels[:1000].var())
verify("gamma='scale' is 1/(d Var X)", sampler.random_weights_.var() / (2 * rule), 1, tol=0.05)
half = RBFSampler(gamma=0.5, n_components=60, random_state=0).fit(pictures)
phases = np.sqrt(2 / 60) * np.cos(pictures[:5] @ half.random_weights_ + half.random_offset_)
verify("RBFSampler uses phases", half.transform(pictures[:5]), phases)
verify("Ridge fits an intercept", Ridge().fit_intercept)
for name in classes:
    ours, search = (defaults[f"{name} {key}"] for key in ("scale on 0 to 16", "chosen on 0 to 1"))
    gap = ours - search
    verify(f"{name}: as good as the search", gap.mean() < 2 * gap.std(ddof=1) / np.sqrt(20))
    verify("... whatever the unit", ours.mean(), defaults[f"{name} scale on 0 to 1"].mean(), 0.1)
    default = defaults[f"{name} default on 0 to 16"]
    verify("... the default on 0 to 16: most are wrong", default.min() > 50)
verify("100 000 points, 1000 landmarks: features (MB)", 8 * 100_000 * 1000 / 1e6, "800")

# %% [markdown] key="cost" slide="slide"
# ## What it costs
#
# | method | products of the fit | memory | kernels or cosines for a prediction |
# |---|---|---|---|
# | kernel ridge regression | $n^3/6$ | $n^2$ | $n$ |
# | a subsample of $m$ | $m^3/6$ | $m^2$ | $m$ |
# | Nyström, (2) | $nm^2/2+m^3/6$ | $m^2$ and a block | $m$ |
# | random features | $nD^2/2+D^3/6$ | $D^2$ and a block | $D$ |
#
# Computing the kernels takes about $nmd$ more products for Nyström's method. With about $n/2$ features a fit costs as
# much as an exact one, so features save time only below $n/2$.
#
# ### Larger problems
#
# Select the width first. If the error is still too large, add landmarks. With many landmarks *FALKON* never forms
# $K_{nm}^\top K_{nm}$. It solves (2) by conjugate gradients with the preconditioner $\frac nmK_{mm}^2+\lambda
# K_{mm}$, because $K_{nm}^\top K_{nm}\approx\frac nmK_{mm}^2$ for uniform landmarks. In Gaussian processes landmarks
# are called *inducing points*. There $k(x,x)-\hat k(x,x)$ is added back to the posterior variance, which would
# otherwise be nearly zero far from all landmarks.
#
# <!-- slide
# ## Features save much if $m\ll n$
#
# Fit: kernel ridge $n^3/6$, subsample $m^3/6$, Nyström $nm^2/2$. Memory: $n^2$, or $m^2$ and a block.
#
# - First make the Gaussians wider, then take more.
# - FALKON: conjugate gradients, and $K_{nm}^\top K_{nm}$ is never formed.
# - Gaussian processes: *inducing points*, with $k-\hat k$ added to the variance.
# -->

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask at which m a fit on landmarks costs as much as the exact one.
#
# </details>

# %% [markdown] key="course" slide="slide"
# ## The course on one page
#
# At the end we compare methods of six chapters on one set of data, a thousand digits to learn from and the others for
# the test. Each method has eight settings, for example two penalties at four widths, and uses the one with the fewest
# errors on a quarter of the training digits. Methods for two classes are trained on every pair of digits, and the
# digit with the most votes wins. Which method is the best, which is the worst, and how large is the difference?
#
# <!-- slide
# ## Which method of the course is the best on the digits?
#
# 1000 digits to learn from, the others for the test, sixty splits, eight settings each.
#
# **Which is the best, which is the worst, and how large is the difference?**
# -->

# %% [markdown] key="course-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Write the guesses on the board. Ask why each method has the same number of settings.
#
# </details>

# %% key="course-table" slide="subslide" hide="input"
rows_of = {
    "nearest neighbours": ("nearest neighbours", "1"),
    "kernel perceptron": ("perceptron", "2"),
    "ridge regression": ("ridge", "3"),
    "ridge regression, linear kernel": ("linear ridge", "3"),
    "support vector machine": ("support vectors", "6"),
    "support vector machine, linear": ("linear support vectors", "6"),
    "kernel LDA": ("kernel LDA", "8"),
    "ridge on a subsample of 320": ("subsample", ""),
    "Nyström, 320 uniform landmarks": ("landmarks", "10"),
    "random features, 320": ("random features", "10"),
}
of_course = measured("ch10_course", "features")


def of_splits(values):
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values))


best = of_course["ridge"]
table(
    "Misclassified digits (%), sixty splits; paired differences ± standard error",
    {"method": "", "chapter": "", "error (%)": ".1f", "more than ridge": "{:.2f} ± {:.2f}"},
    [
        (
            name,
            chapter,
            of_course[key].mean(),
            of_splits(of_course[key] - best) if key != "ridge" else None,
        )
        for name, (key, chapter) in rows_of.items()
    ],
)

# %% [markdown] key="course-table-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask which differences are larger than twice their standard error.
#
# </details>

# %% [markdown] key="course-reading"
# Three methods with the same Gaussian kernel have nearly the same error, namely ridge regression, kernel LDA and the
# support vector machine. Nearest neighbours have slightly more errors, without any fit. The kernel perceptron has the
# most errors, more than the linear classifiers. Landmarks and random features are much more accurate than a subsample
# of the same size. But here they save nothing, because a pair of digits has about 200 training points, fewer than the
# 320 features. All splits are of the same digits, so the table does not show errors for new writers.
#
# <!-- slide
# ## Three methods with one kernel have nearly the same error
#
# - Ridge regression, kernel LDA, support vector machine: 1.0 to 1.3 %.
# - Nearest neighbours follow. The kernel perceptron has more errors than the linear classifiers.
# - Landmarks and random features: much better than a subsample of 320.
# -->

# %% [markdown] key="course-advice" slide="subslide"
# ### What to use when
#
# | you have or want | use | chapter |
# |---|---|---|
# | few dimensions, many points, no training | nearest neighbours, Parzen windows | 1 |
# | to understand a kernel | kernel perceptron | 2 |
# | a curve or a surface, up to ten thousand points | kernel ridge regression | 3 |
# | error bars, widths learned from the data | Gaussian process | 4 |
# | two classes, and the few points that matter | support vector machine | 5, 6 |
# | outliers, or data one at a time | ε-SVR, Pegasos, a budget | 6 |
# | exact values between given ones | RBF interpolation | 7 |
# | a small network, an alarm for novel data | RBF network | 7 |
# | axes, denoising, one axis between classes | kernel PCA, kernel LDA | 8 |
# | strings or graphs | a kernel that counts substructures | 9 |
# | more than ten thousand points, no neighbour near | Nyström or random features | 10 |
# | millions of images or sentences | a neural network | |
#
# <!-- slide
# ## What to use when
#
# | you have or want | use |
# |---|---|
# | few dimensions, no training | neighbours (1) |
# | a curve, a surface | kernel ridge regression (3) |
# | error bars | Gaussian process (4) |
# | two classes; data one at a time | SVM, Pegasos (6) |
# | exact values; axes | interpolation (7); kernel PCA (8) |
# | strings or graphs | a kernel that counts (9) |
# | many points, no neighbour near | Nyström (10) |
# -->

# %% [markdown] key="advice-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask each student for one data set of their own, and for the row that they would use.
#
# </details>

# %% key="course-verify" slide="skip" hide="input"
verify("digits to test", len(digits.data) - 1000, "797")
verify("ridge (%)", of_course["ridge"].mean(), "1.0")
verify("support vector machine (%)", of_course["support vectors"].mean(), "1.3")
close = [of_course[key].mean() for key in ("ridge", "kernel LDA", "support vectors")]
verify("nearest neighbours follow", max(close) < of_course["nearest neighbours"].mean() < 2)
for key in ("linear ridge", "linear support vectors"):
    gap, error = of_splits(of_course["perceptron"] - of_course[key])
    verify(f"the perceptron: more errors than {key}", gap > 3 * error)
for key in ("landmarks", "random features"):
    gap, error = of_splits(of_course["subsample"] - of_course[key])
    verify(f"{key}: much more accurate than a subsample", gap > 5 * error)
n, m = 1000, 530
whole = n * m**2 / 2 + m**3 / 6
verify("about n/2 landmarks cost as much", abs(whole / (n**3 / 6) - 1) < 0.1)
ten = X[:10]
everything = Nystrom(Gaussian(1.0), landmarks=ten).fit_transform(ten)
verify("question 1", everything @ everything.T, Gaussian(1.0)(ten), tol=1e-9)
verify("question 3", (1 - 0**2) / np.sqrt(100), "0.1")
once, twice = X[:6], np.vstack([X[:6], X[:1]])
by_function = [
    NystromRidge(Gaussian(2.0), landmarks=Z, lam=0.3).fit(X[:50], y[:50]).predict(ten) / 100
    for Z in (once, twice)
]
verify("question 4: the penalty of the function", by_function[0], by_function[1], tol=1e-7)


def penalised_by_a(Z):
    G = Gaussian(2.0)(X[:50], Z)
    return Gaussian(2.0)(ten, Z) @ np.linalg.solve(G.T @ G + 0.3 * np.eye(len(Z)), G.T @ y[:50])


moved = np.abs(penalised_by_a(once) - penalised_by_a(twice)).max()
verify("question 4: a penalty on a changes f", moved > 0.1)

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - If $f$ has $m$ sections at landmarks, its coefficients solve
#   $(K_{nm}^\top K_{nm}+\lambda K_{mm})\,a=K_{nm}^\top y$. This is the generalised network of chapter 7, and ridge
#   regression with $\hat k=k_m^\top K_{mm}^{-1}k_m$. $\hat K$ is exact in the rows of the landmarks, and $K-\hat K$
#   is positive semi-definite.
# - Nyström's method does not train on a subsample, because every $y_i$ enters.
# - Random Fourier features average cosines, without using the points. With pairs the variance of the estimate is
#   $(1-k^2)^2/D$, which does not depend on the dimension.
# - Few features need wide Gaussians. Select the width together with the number of features.
# - Sums over points can be streamed, so a million rows need the memory of $m^2$ numbers and a block.
# - In few dimensions nearest neighbours are simpler and can be more accurate.
#
# The start page asked what you compute instead, if you cannot compute all inner products. The answer of this chapter
# is to compute inner products with a few hundred landmarks or frequencies, and sums over all points.
#
# <!-- slide
# ## Recap
#
# - $m$ sections at landmarks: $(K_{nm}^\top K_{nm}+\lambda K_{mm})\,a=K_{nm}^\top y$, ridge regression with $\hat k$.
# - Not a subsample: every $y_i$ enters.
# - Random Fourier features: variance $(1-k^2)^2/D$, without the dimension.
# - **Few features need wide Gaussians.**
# - Sums over points can be streamed. In few dimensions neighbours can be better.
# -->

# %% [markdown] key="quiz" slide="skip"
# ## Five questions
#
# <details><summary>1. All $n$ points are landmarks. What is $\hat K$, and what is the fit?</summary>
#
# $\hat K=KK^{-1}K=K$, so the fit is kernel ridge regression itself.
#
# </details>
#
# <details><summary>2. You double the number of landmarks. What happens to the time of a fit, to the sums, and to a prediction?</summary>
#
# The product $K_{nm}^\top K_{nm}$ takes four times as long, the sums take four times the memory, and a prediction
# takes twice as long.
#
# </details>
#
# <details><summary>3. Random features in pairs, $D=100$. What is the standard deviation of the estimate for two points that are far apart?</summary>
#
# It is $1/\sqrt{100}=0.1$, since $k\approx0$. For a point with itself it is 0.
#
# </details>
#
# <details><summary>4. The penalty in (1) is replaced with $\lambda\|a\|^2$. One landmark is used twice. Does $f$ change?</summary>
#
# Yes. The two copies can share the coefficient, and then the penalty is half as large. The penalty
# $\lambda\,a^\top K_{mm}a=\lambda\|f\|^2$ is that of the function, so nothing changes.
#
# </details>
#
# <details><summary>5. At a new point $k(x,x)-\hat k(x,x)$ is nearly 1. What does this tell you about $f(x)$?</summary>
#
# $k_x$ is nearly orthogonal to the sections of all landmarks. No landmark is near, so $f(x)$ will be small compared
# with $\|f\|$, whatever the true value is.
#
# </details>

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are
# told which one. *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch10_scaling")

# %% [markdown] key="references" slide="skip" numbers="free"
# ## Further reading
#
# - E. J. Nyström, *Über die praktische Auflösung von Integralgleichungen*, 1930. C. Williams and M. Seeger, *Using
#   the Nyström method to speed up kernel machines*, 2001. T. Poggio and F. Girosi, *Networks for approximation and
#   learning*, 1990: equation (2) for networks. E. Granger and I. Ben Ayed, *Réseaux de neurones à base de noyaux*,
#   ÉTS, SYS843, from which the course has it.
# - A. Rahimi and B. Recht, *Random features for large-scale kernel machines*, 2007. D. Sutherland and J. Schneider,
#   *On the error of random Fourier features*, 2015: pairs and phases. The variance of the frequencies of `RBFSampler`
#   was corrected in scikit-learn's pull request 3656.
# - A. Alaoui and M. Mahoney, *Fast randomized kernel ridge regression with statistical guarantees*, 2015: leverage.
#   Y. Chen, E. Epperly, J. Tropp and R. Webber, *Randomly pivoted Cholesky*, 2025.
# - A. Rudi, L. Carratino and L. Rosasco, *FALKON: an optimal large scale kernel method*, 2017. M. Titsias,
#   *Variational learning of inducing variables in sparse Gaussian processes*, 2009. G. Meanti and others, *Kernel
#   methods through the roof: handling billions of points efficiently*, 2020.
# - J. Mairal and J.-P. Vert, *Machine learning with kernel methods*: large-scale learning, with proofs.
# - **Data.** Heights: among matplotlib's sample data. Digits: E. Alpaydin and C. Kaynak, in scikit-learn.
#
# **Next:** [the exercises](../exercises/ch10_scaling_sheet.ipynb), and then your own data.
