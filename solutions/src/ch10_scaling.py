# %% [markdown] key="title"
# # Exercises 10: scaling
#
# Four functions, from random cosines to a machine that reads a hundred thousand rows in the memory of a few: what
# [chapter 10](../notebooks/ch10_scaling.ipynb) does with many points, written by you.
#
# **How it works.** Replace `raise NotImplementedError` by your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, the check tells you *what*, and if it recognises your mistake,
# *which one*. Below it, two sections that you can open name the step of the derivation to read again and give an experiment
# that shows the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
#
# **Rules.** NumPy and SciPy, loops or matrices, as you like. Calling `kcourse.scaling`, `kcourse.rbf` or scikit-learn is
# refused: you are writing what they do.
#
# **Conventions.** The kernel is $\exp(-\|x-z\|^2/(2\sigma^2))$, and $\lambda$ stands beside the sum of squared errors. You will need the kernel in three
# of the exercises: a helper of your own, in a cell of your own above them, is fine.

# %% key="imports"
import tracemalloc

import numpy as np

from kcourse.checks import check
from kcourse.datasets import load_terrain
from kcourse.lab import table

# %% [markdown] key="ex-1"
# ## 10.1 Cosines by chance (4 points)
#
# Random Fourier features with phases. The chance is given: `W` has independent standard normal entries, `b` is uniform in $[0,2\pi)$. What is
# compared are the inner products of your features; sine for cosine, or a phase that is subtracted, is as good.


# %% exercise="rff"
def rff(X, W, b, sigma):
    """Random Fourier features of the Gaussian kernel, of the kind with phases.

    X : (n, d) array, points
    W : (d, D) array, standard normal numbers
    b : (D,) array, phases
    sigma : float, σ, the width of the kernel

    Returns features, shape (n, D): a row for each point.
    """
    ### BEGIN SOLUTION
    D = len(b)
    return np.sqrt(2 / D) * np.cos(X @ W / sigma + b)  # W/σ: the frequencies have variance 1/σ²
    ### END SOLUTION


# %% check="rff"
check(rff)

# %% [markdown] key="ex-2"
# ## 10.2 What the landmarks see (4 points)
#
# Nyström's features. Again their inner products are compared, so any root of $K_{mm}^{-1}$ will do. A landmark may stand there twice; then $K_{mm}$ has no
# inverse, and eigenvalues that are 0 up to rounding are left out. Return $m$ columns, or as many as there are eigenvalues left.


# %% exercise="nystrom_features"
def nystrom_features(X, landmarks, sigma):
    """Nyström's features of the Gaussian kernel.

    X : (n, d) array, points
    landmarks : (m, d) array, among the points or not, some perhaps twice
    sigma : float, σ, the width of the kernel

    Returns features, shape (n, m): a row for each point.
    """

    ### BEGIN SOLUTION
    def k(A, B):
        return np.exp(-np.sum((A[:, None] - B) ** 2, axis=2) / (2 * sigma**2))

    w, U = np.linalg.eigh(k(landmarks, landmarks))
    some = w > 1e-12 * w[-1]  # the others are rounding, and 1/√w of it would be noise
    return k(X, landmarks) @ (U[:, some] / np.sqrt(w[some])) @ U[:, some].T
    ### END SOLUTION


# %% check="nystrom_features"
check(nystrom_features)

# %% [markdown] key="ex-3"
# ## 10.3 One landmark after the other (4 points)
#
# Pivots: each next landmark is the point at which those before it leave most of $k(x,x)$, equation (4). (The lecture's are drawn in proportion to it; these are the same for everybody.) Return what they leave after 1, 2, …, $m$ landmarks,
# as means over all $n$ points. With a landmark $z$ one column comes to the features, and what is left falls by its squares. Find the column from $k(x,z)$ and from the
# columns before it: they must give $k(x,z)$ exactly, in the whole row of $z$. **Budget:** 5 megabytes of arrays at one time, besides the arguments; one call of the check has 4000 points.


# %% exercise="pivoted_residuals"
def pivoted_residuals(X, first, m, sigma):
    """What pivots leave of the diagonal of a Gaussian Gram matrix.

    X : (n, d) array, points
    first : int, index of the first landmark
    m : int, number of landmarks
    sigma : float, σ, the width of the kernel

    Returns the means over the points of k(x, x) - k̂(x, x) after 1, …, m landmarks, shape (m,).
    """
    ### BEGIN SOLUTION
    n = len(X)
    C, left, means = np.zeros((n, m)), np.ones(n), np.zeros(m)  # CCᵀ is K̂, and k(x, x) = 1
    for j in range(m):
        i = np.argmax(left) if j else first
        c = np.exp(-np.sum((X - X[i]) ** 2, axis=1) / (2 * sigma**2)) - C[:, :j] @ C[i, :j]
        C[:, j] = c / np.sqrt(c[i])  # c is what the columns before it do not give of k(x, z)
        left = left - C[:, j] ** 2
        means[j] = left.mean()
    return means
    ### END SOLUTION


# %% check="pivoted_residuals"
check(pivoted_residuals)

# %% [markdown] key="how-many"
# ### How many landmarks does a width ask for?
#
# 2000 heights of the mountains. The cell counts pivots until a tenth of the diagonal is left. **Predict first:** each width is half of the one before. How many times as many landmarks does it take?

# %% key="how-many-run"
places = load_terrain().X
places = places[np.random.default_rng(0).permutation(len(places))[:2000]]
try:
    needed = {}
    for sigma, most in ((8, 25), (4, 60), (2, 150), (1, 500)):
        means = pivoted_residuals(places, 0, most, sigma)
        needed[sigma] = 1 + int(np.argmax(np.asarray(means) < 0.1))
    table("2000 heights: until a tenth is left", {"σ (km)": "d", "landmarks": "d"}, needed)
except NotImplementedError:
    print("First write pivoted_residuals.")

# %% [markdown] key="how-many-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# 13, 39, 130 and 447: three times as many, then 3.3 and 3.4 times. In the plane a bell of half the width covers a quarter of the area, so far inside it would be four times; bells at the
# border reach out of the map, wide ones farther; and 2000 heights are too few for the last factor, as they leave narrow bells the fewer to span. In $d$ dimensions it would be $2^d$: there a width is chosen with the number of landmarks, or there are never enough.
# The wrong turn: to read this as the error of a map. It is what $k(x,\cdot)$ loses, and $y$ may not need it.
#
# </details>

# %% [markdown] key="ex-4"
# ## 10.4 A hundred thousand rows, on a budget (6 points)
#
# Equation (2), and predictions by it, for more rows than $K_{nm}$ has room for: take them in blocks of `rows`, the last one perhaps shorter, keep sums, solve once. **Budget:** the
# arrays that your function makes may take 5 megabytes at one time, as `tracemalloc` counts them, the arguments not included. One of the calls of the check has 100 000 rows
# and 50 landmarks, for which $K_{nm}$ would take forty.


# %% exercise="stream_ridge"
def stream_ridge(X, y, Z, sigma, lam, rows, Xq):
    """Ridge regression on m landmarks, block by block.

    X : (n, d) array, points
    y : (n,) array, targets
    Z : (m, d) array, landmarks
    sigma : float, σ, the width of the kernel
    lam : float, λ > 0 beside the sum of squared errors
    rows : int, so many rows of K_nm may exist at one time; it may be more than n
    Xq : (q, d) array, where to predict

    Returns the predictions, shape (q,).
    """

    ### BEGIN SOLUTION
    def k(A, B):  # without an array of differences, which would be d times as large
        squares = np.sum(A**2, axis=1)[:, None] + np.sum(B**2, axis=1) - 2 * A @ B.T
        return np.exp(-squares / (2 * sigma**2))

    S, c = lam * k(Z, Z), np.zeros(len(Z))  # λK_mm once, not in each block
    for start in range(0, len(X), rows):
        K = k(X[start : start + rows], Z)  # of the last block fewer rows
        S += K.T @ K
        c += K.T @ y[start : start + rows]
    return k(Xq, Z) @ np.linalg.solve(S, c)
    ### END SOLUTION


# %% check="stream_ridge"
check(stream_ridge)

# %% [markdown] key="mountains"
# ### The mountains, with your own function
#
# 50 000 heights, 500 bells on the places that the lot put first. $K_{nm}$ would take 200 megabytes, $K$ twenty thousand; a budget of 25 is set. The cell measures what your
# function takes, and compares its map with that of a subsample: the same bells, asked for their own 500 heights only. Then: what are the best
# $\sigma$, and the best $\lambda$? Does a larger `rows` make it faster? From which `rows` on does it break the budget?

# %% key="mountains-run"
land = load_terrain()
order = np.random.default_rng(0).permutation(len(land.y))
learn, test = order[:50_000], order[50_000:51_000]
X, level = land.X[learn], land.y[learn].mean()
y = land.y[learn] - level
maps = {"500 bells, 50 000 heights": len(X), "500 bells, their own heights": 500}
try:
    for name, n in maps.items():
        tracemalloc.start()
        tracemalloc.reset_peak()  # it may be running already
        before = tracemalloc.get_traced_memory()[0]
        heights = stream_ridge(X[:n], y[:n], X[:500], 1.5, 0.1, 1000, land.X[test])
        used = (tracemalloc.get_traced_memory()[1] - before) / 1e6
        error = np.sqrt(np.mean((heights + level - land.y[test]) ** 2))
        print(f"{name:30s} {error:4.0f} m, within 25 MB: {'yes' if used < 25 else 'NO'}")
except NotImplementedError:
    print("First write stream_ridge.")
finally:  # after an error, too: counting makes all else slow
    tracemalloc.stop()

# %% [markdown] key="verdict-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# With 500 bells the best width lies between 1.4 and 2 km, by the lot and by $\lambda$, where 1000 heights with a bell on each wanted 1 km: few bells have to be wide. At 1.5 km $\lambda$ hardly
# matters, as long as it is at most 0.1: a hundred heights speak for each bell. A larger `rows` makes next to nothing faster, for the work is in the products, and they
# are the same. A block of the kernel has 500 `rows` numbers of 8 bytes, and the solution holds four arrays of that size at one time: 1000 rows fit into 25 megabytes, 2000 do not.
# The wrong turn: to tune $\sigma$ and $\lambda$ on the places that the cell prints; take others out of the 87 632 that are left.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: landmarks never say too much
#
# The chapter's features of Nyström, once without any matrix of features. Let $k$ be a kernel with its space $\mathcal H$, $z_1,\dots,z_m$ landmarks with $K_{mm}$
# invertible, $k_m(x)=(k(x,z_1),\dots,k(x,z_m))^\top$, and $\hat k(x,x')=k_m(x)^\top K_{mm}^{-1}\,k_m(x')$. Let $P$ be the orthogonal projection of $\mathcal H$ onto
# the span of the sections $k(z_j,\cdot)$.
#
# (a) Show that $\hat k(x,x')=\langle P\,k(x,\cdot),\,P\,k(x',\cdot)\rangle$.
#
# (b) Show that $K-\hat K$ is positive semi-definite for any points, say what its diagonal entries are, and where they are 0.
#
# (c) Show that the effective number of parameters of ridge regression, $\operatorname{tr}K(K+\lambda I)^{-1}$, is never larger with $\hat K$ in the place of $K$.

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) $P\,k(x,\cdot)=\sum_jc_jk(z_j,\cdot)$ is the element of the span whose difference to $k(x,\cdot)$ is orthogonal to each $k(z_i,\cdot)$. By the reproducing
# property that says $k(x,z_i)-\sum_jc_jk(z_j,z_i)=0$ for all $i$, or $K_{mm}c=k_m(x)$. So $c=K_{mm}^{-1}k_m(x)$, and with $c'$ for $x'$
#
# $$\langle P\,k(x,\cdot),P\,k(x',\cdot)\rangle=c^\top K_{mm}c'=k_m(x)^\top K_{mm}^{-1}\,k_m(x')=\hat k(x,x').$$
#
# (b) Let $r_i=k(x_i,\cdot)-P\,k(x_i,\cdot)$. A residual is orthogonal to every projection, so $\langle k(x_i,\cdot),k(x_j,\cdot)\rangle
# =\hat k(x_i,x_j)+\langle r_i,r_j\rangle$: the matrix $K-\hat K$ has the entries $\langle r_i,r_j\rangle$. It is a Gram matrix, $a^\top(K-\hat K)\,a=\|\sum_ia_ir_i\|^2\ge0$. On its
# diagonal stand the squared distances of the $k(x_i,\cdot)$ from the span; they are 0 exactly where $k(x_i,\cdot)$ lies in it, at the landmarks above all. (Random features
# have no such side: their entries err in both directions.)
#
# (c) By (b) $a^\top\hat Ka\le a^\top Ka$ for all $a$. The $j$-th largest eigenvalue is $\max_{\dim V=j}\min_{a\in V,\|a\|=1}a^\top Ka$ (Courant and Fischer), so each eigenvalue of $\hat K$
# is at most the one of $K$ of the same number, $\hat\mu_j\le\mu_j$. The trace is $\sum_j\mu_j/(\mu_j+\lambda)$, and $t\mapsto t/(t+\lambda)$ rises. So it is never larger, and at most $m$ besides, the rank of $\hat K$.
#
# The wrong turn in (c): $K\succeq\hat K$ does not say that $K^2\succeq\hat K^2$, so squares of the matrices prove nothing.
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# Pencil-and-paper problems with new numbers each time, the same as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch10_scaling")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Let `stream_ridge` return the predictions after *each* block: when has the map stopped changing? (b) Replace the landmarks by random
# features of the same number, and the sums by those of `rff`. Which map is better at 500, and at 2000? (c) Cut the rows into two halves, compute the sums of each in a process of its own
# (`concurrent.futures`), and add them. How many numbers travel?
