# %% [markdown] key="title"
# # Exercises 10: scaling
#
# Four functions, from random Fourier features to a model that learns from a hundred thousand rows in little memory. They
# are what [chapter 10](../notebooks/ch10_scaling.ipynb) computes. A derivation on paper ends the sheet.
#
# **How it works.** Replace `raise NotImplementedError` with your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, it tells you *what*, and if it recognises your mistake,
# *which one*. Two sections that you can open show which step of the derivation to read again, and an experiment
# that exposes the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
# The check stops an endless loop after 20 seconds, on a slow computer a little later. *Kernel → Interrupt Kernel* stops it at once.
#
# **Rules.** Use NumPy and SciPy, loops or matrices, as you like. Do not call `kcourse.scaling`, `kcourse.rbf` or scikit-learn,
# because you are writing what they do.
#
# **Conventions.** The kernel is $\exp(-\|x-z\|^2/(2\sigma^2))$, and $\lambda$ is next to the sum of squared errors. Points $x_i$ and landmarks
# $z_j$ are rows. You need the kernel in three exercises, so you may define it once in a cell of your own above them.

# %% key="imports"
import tracemalloc

import numpy as np

from kcourse.checks import check
from kcourse.datasets import load_terrain
from kcourse.lab import table

# %% [markdown] key="ex-1"
# ## 10.1 Random Fourier features (4 points)
#
# Compute random Fourier features with phases. The random numbers are given. `W` has independent standard normal entries, and `b` is uniform in
# $[0,2\pi)$. The check compares the inner products of your features. Sines instead of cosines, and phases with a minus, are also correct.

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
# ## 10.2 Nyström's features (4 points)
#
# Compute Nyström's features. The check compares their inner products again, so any root of $K_{mm}^{-1}$ is correct. Some landmarks can be equal, or nearly
# equal. Then some eigenvalues of $K_{mm}$ are 0 up to rounding errors, and its inverse does not exist or is useless. Leave these eigenvalues out. Return $m$ columns, or one for
# each eigenvalue that you keep.

# %% exercise="nystrom_features"
def nystrom_features(X, landmarks, sigma):
    """Nyström's features of the Gaussian kernel.

    X : (n, d) array, points
    landmarks : (m, d) array, among the points or not, some perhaps equal or nearly equal
    sigma : float, σ, the width of the kernel

    Returns features, shape (n, m): a row for each point.
    """

    ### BEGIN SOLUTION
    def k(A, B):
        return np.exp(-np.sum((A[:, None] - B) ** 2, axis=2) / (2 * sigma**2))

    w, U = np.linalg.eigh(k(landmarks, landmarks))
    some = w > 1e-12 * w[-1]  # the others are rounding errors, and 1/√w of them is large
    return k(X, landmarks) @ (U[:, some] / np.sqrt(w[some])) @ U[:, some].T
    ### END SOLUTION


# %% check="nystrom_features"
check(nystrom_features)

# %% [markdown] key="ex-3"
# ## 10.3 One landmark after another (4 points)
#
# Choose landmarks by pivots. Each next landmark is the point with the largest residual $k(x,x)-\hat k(x,x)$ of equation (4). In the lecture it is drawn in proportion
# to the residual; here there is nothing random. Return the residuals after 1, 2, …, $m$ landmarks, as means over all $n$ points.
#
# Each landmark $z$ adds one column to the features, and the residuals decrease by its squares. Compute the column from $k(x,z)$ and the earlier columns, such that
# together they give $k(x,z)$ exactly for every $x$. **Budget:** your arrays may take 5 megabytes at one time, without the arguments. One call of the check has 4000 points.

# %% exercise="pivoted_residuals"
def pivoted_residuals(X, first, m, sigma):
    """Mean residuals of the diagonal of a Gaussian Gram matrix, with landmarks chosen by pivots.

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
        C[:, j] = c / np.sqrt(c[i])  # c is the part of k(x, z) that the earlier columns do not give
        left = left - C[:, j] ** 2
        means[j] = left.mean()
    return means
    ### END SOLUTION


# %% check="pivoted_residuals"
check(pivoted_residuals)

# %% [markdown] key="how-many"
# ### How many landmarks does a width need?
#
# The next cell uses 2000 heights of the mountains, and counts pivots until a tenth of the diagonal is left. **Predict first:** each width is half of the one before. By which factor does the number of
# landmarks grow?

# %% key="how-many-run"
places = load_terrain().X
places = places[np.random.default_rng(0).permutation(len(places))[:2000]]
try:
    needed = {}
    for sigma, most in ((8, 25), (4, 60), (2, 150), (1, 500)):
        means = pivoted_residuals(places, 0, most, sigma)
        needed[sigma] = 1 + int(np.argmax(np.asarray(means) < 0.1))
    columns = {"σ (km)": "d", "landmarks": "d"}
    table("2000 heights: landmarks until a tenth is left", columns, needed)
except NotImplementedError:
    print("First write pivoted_residuals.")

# %% [markdown] key="how-many-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# It takes 13, 39, 130 and 447 landmarks, so the factors are 3, 3.3 and 3.4. In the plane a Gaussian of half the width covers a quarter of the area, so far from the boundary the factor would be 4. Gaussians near the
# boundary reach out of the map, and wide ones more so. In $d$ dimensions the factor would be $2^d$. Therefore the width is selected together with the number of landmarks.
#
# A wrong answer is to read these numbers as errors of a map. They say how well $k(x,\cdot)$ is approximated, and $y$ may not need that accuracy.
#
# </details>

# %% [markdown] key="ex-4"
# ## 10.4 A hundred thousand rows on a budget (6 points)
#
# Solve equation (2) and predict, for more rows than memory can hold of $K_{nm}$. Take them in blocks of `rows`, where the last block can be shorter, add up the two sums, and solve once. **Budget:** the
# arrays of your function may take 5 megabytes at one time, as `tracemalloc` counts them, without the arguments. One call of the check has 100 000 rows
# and 50 landmarks, and $K_{nm}$ would take 40 megabytes.

# %% exercise="stream_ridge"
def stream_ridge(X, y, Z, sigma, lam, rows, Xq):
    """Ridge regression on m landmarks, block by block.

    X : (n, d) array, points
    y : (n,) array, targets
    Z : (m, d) array, landmarks
    sigma : float, σ, the width of the kernel
    lam : float, λ > 0 next to the sum of squared errors
    rows : int, how many rows of K_nm may exist at one time; it may be more than n
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
# The next cell has 50 000 heights, and 500 Gaussians at random locations. $K_{nm}$ would take 200 megabytes, and $K$ 20 000. The budget is 25 megabytes. The cell measures the memory that your
# function takes, and compares its map with that of a subsample, which has the same Gaussians but learns from their own 500 heights only. Which
# $\sigma$ and which $\lambda$ are the best? Does a larger `rows` make your function faster? At which `rows` does it exceed the budget?

# %% key="mountains-run"
land = load_terrain()
order = np.random.default_rng(0).permutation(len(land.y))
learn, test = order[:50_000], order[50_000:51_000]
X, level = land.X[learn], land.y[learn].mean()
y = land.y[learn] - level
maps = {"Nyström, 50 000 heights": len(X), "subsample of 500 heights": 500}
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
finally:  # also after an error, because counting makes everything slow
    tracemalloc.stop()

# %% [markdown] key="verdict-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# With 500 Gaussians the best width is between 1.4 and 2 km, where all points of a sample of 1000 heights needed 1 km. Few Gaussians have to be wide. At 1.5 km $\lambda$ hardly
# matters if it is at most 0.1, because a hundred heights determine each coefficient. A larger `rows` is hardly faster, because most of the time goes into the products, and they
# are the same. A block of the kernel has 500 `rows` numbers of 8 bytes, and the solution holds four arrays of this size at one time. So 1000 rows fit into 25 megabytes, and 2000 do not.
#
# A wrong way is to tune $\sigma$ and $\lambda$ on the locations whose errors the cell prints. Use other ones of the 87 632 that are left.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: Nyström's approximation is never too large
#
# Prove the properties of Nyström's approximation without a matrix of features. Let $k$ be a kernel with the space $\mathcal H$, and $z_1,\dots,z_m$ landmarks with an invertible $K_{mm}$.
# Let $k_m(x)=(k(x,z_1),\dots,k(x,z_m))^\top$ and $\hat k(x,x')=k_m(x)^\top K_{mm}^{-1}\,k_m(x')$. Let $P$ be the orthogonal projection of $\mathcal H$ onto
# the span of the sections $k(z_j,\cdot)$.
#
# (a) Show that $\hat k(x,x')=\langle P\,k(x,\cdot),\,P\,k(x',\cdot)\rangle$.
#
# (b) Show that $K-\hat K$ is positive semi-definite for any points. What are its diagonal entries, and where are they 0?
#
# (c) Show that the effective number of parameters of ridge regression, $\operatorname{tr}K(K+\lambda I)^{-1}$, does not increase if $K$ is replaced with $\hat K$.

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) $P\,k(x,\cdot)=\sum_jc_jk(z_j,\cdot)$ is the element of the span whose difference to $k(x,\cdot)$ is orthogonal to each $k(z_i,\cdot)$. By the reproducing
# property this means $k(x,z_i)-\sum_jc_jk(z_j,z_i)=0$ for all $i$, or $K_{mm}c=k_m(x)$. So $c=K_{mm}^{-1}k_m(x)$, and with $c'$ for $x'$
#
# $$\langle P\,k(x,\cdot),P\,k(x',\cdot)\rangle=c^\top K_{mm}c'=k_m(x)^\top K_{mm}^{-1}\,k_m(x')=\hat k(x,x').$$
#
# (b) Let $r_i=k(x_i,\cdot)-P\,k(x_i,\cdot)$. A residual is orthogonal to every projection, so $\langle k(x_i,\cdot),k(x_j,\cdot)\rangle
# =\hat k(x_i,x_j)+\langle r_i,r_j\rangle$: the matrix $K-\hat K$ has the entries $\langle r_i,r_j\rangle$. It is a Gram matrix, $a^\top(K-\hat K)\,a=\|\sum_ia_ir_i\|^2\ge0$. On its
# diagonal are the squared distances of the $k(x_i,\cdot)$ from the span. They are 0 if and only if $k(x_i,\cdot)$ is in the span, for example at the landmarks. For random features
# this is false, because their entries can be too large or too small.
#
# (c) By (b) $a^\top\hat Ka\le a^\top Ka$ for all $a$. The $j$-th largest eigenvalue is $\max_{\dim V=j}\min_{a\in V,\|a\|=1}a^\top Ka$ (Courant and Fischer), so each eigenvalue of $\hat K$
# is at most that of $K$ with the same index, $\hat\mu_j\le\mu_j$. The trace is $\sum_j\mu_j/(\mu_j+\lambda)$, and $t\mapsto t/(t+\lambda)$ increases. So the trace does not increase. It is also at most $m$, the rank of $\hat K$.
#
# A wrong way in (c) uses squares, because $K\succeq\hat K$ does not imply $K^2\succeq\hat K^2$.
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
# **If you want more** (not graded). (a) Let `stream_ridge` return the predictions after *each* block. When has the map stopped changing? (b) Replace the landmarks with random
# features of the same number, and the sums with those of `rff`. Which map is better with 500 features, and with 2000? (c) Cut the rows into two halves, compute the sums of each in its own process
# (`concurrent.futures`), and add them. How many numbers are sent?
