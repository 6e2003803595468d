# %% [markdown] key="title"
# # Exercises 1: neighbours and windows
#
# Six functions with which you write [chapter 1](../notebooks/ch01_neighbors.ipynb) yourself, from the mean of a few
# targets to a fair comparison on the crash data. At the end there is a derivation for pencil and paper.
#
# **How it works.** Replace `raise NotImplementedError` with your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, it tells you *what*, and if it recognises your mistake, it
# tells you *which one*. Two sections that you can open show which step of the derivation to reread, and an experiment that
# exposes the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
# The check stops an endless loop after 20 seconds, on a slow computer a little later. *Kernel → Interrupt Kernel* stops it at once.
#
# **Rules.** Use NumPy and SciPy, with loops or matrices, as you like. Calls of `kcourse.KNNRegressor` or of scikit-learn's
# neighbours are refused, because you are writing what they do.
#
# **Conventions.** Distances are Euclidean. The Gaussian window is $\exp(-\|x-z\|^2/(2\sigma^2))$. Among equally distant
# points, those that come first in `X` count.

# %% key="imports"
import numpy as np
import matplotlib.pyplot as plt

from kcourse.checks import check
from kcourse.datasets import load_mcycle
from kcourse.lab import show, use_style

use_style()

# %% [markdown] key="ex-1"
# ## 1.1 The k nearest neighbours (4 points)
#
# Return the mean target of the $k$ nearest points, for many queries at once, in any dimension.
#
# Think before you type. The squared distances from $q$ queries to $n$ points are a $q\times n$ matrix. How do you get it
# without a loop? A loop is also fine. And what does your sorting do with equal distances? One point of the four is for these.


# %% exercise="knn_regress"
def knn_regress(X, y, Xq, k):
    """k-nearest-neighbour regression.

    X : (n, d) array, training points
    y : (n,) array, targets; they may be whole numbers
    Xq : (q, d) array, query points
    k : int, 1 ≤ k ≤ n

    Returns the mean target of the k points nearest to each query, shape (q,). Distances are in the
    units of X. A query may be one of the points. Among equal distances the smallest index counts.
    """
    ### BEGIN SOLUTION
    # Wrong turns: [1:k + 1] is right in leave-one-out only; D2 <= kth lets all ties in; an output
    # made like y cuts the decimals of a mean if y holds whole numbers
    D2 = ((Xq[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)  # (q, n)
    nearest = np.argsort(D2, axis=1, kind="stable")[:, :k]  # stable: of equals the first
    return y[nearest].mean(axis=1)
    ### END SOLUTION


# %% check="knn_regress"
check(knn_regress)

# %% [markdown] key="ex-2"
# ## 1.2 The weighted mean (4 points)
#
# Write Nadaraya–Watson regression with a Gaussian window.
#
# One point of the four is for queries far from all data, where the weights as written underflow and (2) becomes $0/0$. Return
# the limit of (2) there.


# %% exercise="nadaraya_watson"
def nadaraya_watson(X, y, Xq, sigma):
    """The mean of y, weighted by a Gaussian around each query: Nadaraya-Watson regression.

    X : (n, d) array, training points
    y : (n,) array, targets
    Xq : (q, d) array, query points, perhaps far from all of X
    sigma : float > 0, width, in k(x, z) = exp(-‖x - z‖² / (2σ²))

    Returns the weighted means, shape (q,), also for q = 1.
    """
    ### BEGIN SOLUTION
    # Wrong turns: W.sum(axis=0) sums over the queries, as in the chapter's "Find the error"; a tiny
    # number added to the denominator gives 0 far from the data instead of the nearest target
    logs = -((Xq[:, None, :] - X[None, :, :]) ** 2).sum(axis=2) / (2 * sigma**2)  # (q, n)
    W = np.exp(logs - logs.max(axis=1, keepdims=True))  # the largest weight of each row is 1
    return W @ y / W.sum(axis=1)
    ### END SOLUTION


# %% check="nadaraya_watson"
check(nadaraya_watson)

# %% [markdown] key="ex-3"
# ## 1.3 Parzen's density (3 points)
#
# Put a Gaussian of area 1 on every point and take the mean. The factor that cancelled in 1.2 is needed here, in every dimension.


# %% exercise="parzen_density"
def parzen_density(X, Xq, sigma):
    """Parzen's density estimate with Gaussian windows.

    X : (n, d) array, points
    Xq : (q, d) array, query points
    sigma : float > 0, width

    Returns the densities at the queries, shape (q,), in 1 / (unit of X)^d.
    """
    ### BEGIN SOLUTION
    # Wrong turns: the factor of one dimension in d dimensions, or the exponent d // 2, which is
    # wrong for odd d; clipping at 1, as if a density were a probability
    d = X.shape[1]
    D2 = ((Xq[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    bumps = np.exp(-D2 / (2 * sigma**2)) / (2 * np.pi * sigma**2) ** (d / 2)
    return bumps.mean(axis=1)
    ### END SOLUTION


# %% check="parzen_density"
check(parzen_density)

# %% [markdown] key="ex-4"
# ## 1.4 How wide? Leave-one-out (4 points)
#
# Find the width with the smallest leave-one-out error. Refitting $n$ times with your 1.2 is a right answer. Dividing by
# $1-S_{ii}$ is faster, but fails where $S_{ii}$ rounds to 1. One point of the four is for data in which one point is far from all others.


# %% exercise="loo_bandwidth"
def loo_bandwidth(X, y, sigmas):
    """The best width for Nadaraya-Watson regression, by leave-one-out.

    X : (n, d) array, points
    y : (n,) array, targets
    sigmas : (m,) array of candidates > 0, in any order

    Returns (best, scores): the candidate with the smallest error, and for each candidate, in the
    given order, the mean over all points of (y_i - f₋ᵢ(x_i))², shape (m,).
    """
    ### BEGIN SOLUTION
    # Wrong turns: with the point in its own mean the smallest width wins; left out of the numerator
    # only, it still counts in the denominator; sorting the widths changes the order of the scores
    scores = []
    for sigma in sigmas:
        logs = -((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2) / (2 * sigma**2)
        np.fill_diagonal(logs, -np.inf)  # the weight of point i at x_i is 0: it leaves both sums
        W = np.exp(logs - logs.max(axis=1, keepdims=True))
        scores.append(np.mean((y - W @ y / W.sum(axis=1)) ** 2))
    return sigmas[int(np.argmin(scores))], np.array(scores)
    ### END SOLUTION


# %% check="loo_bandwidth"
check(loo_bandwidth)

# %% [markdown] key="ex-5"
# ## 1.5 The smoother matrix (3 points)
#
# Write $k$-NN as a matrix, $f=Sy$, with one row for each query. If it is right, `knn_smoother(X, Xq, k) @ y` equals your 1.1.


# %% exercise="knn_smoother"
def knn_smoother(X, Xq, k):
    """The smoother matrix of k-nearest-neighbour regression.

    X : (n, d) array, training points
    Xq : (q, d) array, query points
    k : int, 1 ≤ k ≤ n

    Returns S, shape (q, n): S[i, j] is 1/k if x_j is among the k points nearest to query i, and 0
    otherwise. A query may be one of the points. Among equal distances the smallest index counts.
    """
    ### BEGIN SOLUTION
    # Wrong turn: S[:, nearest] = 1 / k writes whole columns, so each row gets the neighbours of all
    D2 = ((Xq[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    S = np.zeros(D2.shape)
    for row, distances in zip(S, D2, strict=True):
        row[np.argsort(distances, kind="stable")[:k]] = 1 / k
    return S
    ### END SOLUTION


# %% check="knn_smoother"
check(knn_smoother)

# %% [markdown] key="ex-6"
# ## 1.6 Window or neighbours? (5 points)
#
# Now a fair comparison on the crash data. At 28 of their times there are repeated measurements, and if *one* of the six at
# 14.6 ms is left out, the other five give it away. So predict every point **without all measurements at the same input**, and
# let both methods choose their setting by that error.


# %% exercise="compare_smoothers"
def compare_smoothers(X, y, sigmas, ks):
    """The best window and the best number of neighbours, by leaving out whole inputs.

    X : (n, d) array, points; some rows may be equal
    y : (n,) array, targets
    sigmas : array of candidate widths > 0
    ks : array of candidate numbers of neighbours, none larger than the number of points left

    Every point is predicted from the points at other inputs (rows of X that differ from its own).
    Among equal distances the smallest index counts. The error of a setting is the mean of the
    squared residuals over all n points.

    Returns (sigma, error_sigma, k, error_k): the best width and its error, the best k and its own.
    """
    ### BEGIN SOLUTION
    # Wrong turns: .all for .any also leaves out points that share one coordinate; one mean for each
    # input counts six measurements as one; k + 1 neighbours, though the point itself is left out
    elsewhere = (X[:, None, :] != X[None, :, :]).any(axis=2)  # (n, n): which points point i may use

    def error(predict):
        left_out = [predict(X[use], y[use], X[[i]])[0] for i, use in enumerate(elsewhere)]
        return np.mean((y - left_out) ** 2)

    by_sigma = [error(lambda A, b, x, s=s: nadaraya_watson(A, b, x, s)) for s in sigmas]
    by_k = [error(lambda A, b, x, k=k: knn_regress(A, b, x, k)) for k in ks]
    i, j = np.argmin(by_sigma), np.argmin(by_k)
    return sigmas[i], by_sigma[i], ks[j], by_k[j]
    ### END SOLUTION


# %% check="compare_smoothers"
check(compare_smoothers)

# %% [markdown] key="crash"
# ### Your verdict
#
# The next cell runs *your* functions on the crash. The chapter left out single points and found $\sigma=0.91$ ms and $k=10$.
# How much did the repeated measurements give away? And would you report the difference between the two methods?

# %% key="crash-figure"
crash = load_mcycle()
t = np.linspace(0, 60, 300)[:, None]
try:
    found = compare_smoothers(crash.X, crash.y, np.arange(0.5, 2.01, 0.1), range(2, 25))
    sigma, error_sigma, k, error_k = found
    curves = nadaraya_watson(crash.X, crash.y, t, sigma), knn_regress(crash.X, crash.y, t, k)
except NotImplementedError:
    print("First write compare_smoothers, nadaraya_watson and knn_regress.")
else:
    print(f"window, σ = {sigma:.1f} ms: error {error_sigma:.0f} g²")
    print(f"neighbours, k = {k}: error {error_k:.0f} g²")
    fig, ax = plt.subplots()
    ax.plot(crash.X[:, 0], crash.y, "o", color="black", markersize=4)
    ax.plot(t, curves[0], label="your window")
    ax.plot(t, curves[1], label="your neighbours")
    ax.set(xlabel="time after impact (ms)", ylabel="head acceleration (g)")
    ax.legend(loc="lower right")
    show(
        fig, alt="The 133 crash measurements, the curve of your window and that of your neighbours."
    )

# %% [markdown] key="crash-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# The settings are the same, $\sigma=0.9$ ms and $k=10$. The errors are larger. The window has 616 g² instead of 596 g², and
# the neighbours have 599 g² instead of 583 g². So the repeated measurements gave away about 3 % of the error.
#
# The neighbours are more accurate by 17 g². If we pair the two methods point by point and take the measurements at one time
# together, this difference has a standard error of 26 g². That is nothing to report. And $k$ is less certain than the number
# 10 suggests, because all values from 6 to 17 have errors between 598 g² and 616 g², in no particular order.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: the local line
#
# The chapter writes many methods as one matrix, and its diagonal gives leave-one-out without a refit. Carry this over to the
# *local line*. With $k(x,x_i)>0$ and $u_i=x_i-x$ in one dimension, minimise over $a$ and $b$
#
# $$\sum_ik(x,x_i)\,(y_i-a-bu_i)^2,\qquad\text{and let } f(x)=a.$$
#
# (a) Let $S_i=k(x,x_i)/\sum_jk(x,x_j)$ and $m_p=\sum_iS_iu_i^p$. The chapter finds $f(x)=\sum_iw_iy_i$ with
# $w_i=S_i\,(m_2-m_1u_i)/(m_2-m_1^2)$. Show that $m_2-m_1^2$ is a variance. What must hold for the points?
#
# (b) Show that $\sum_iw_i=1$ and $\sum_iw_iu_i=0$. What follows where the true curve is straight? Which bias is left where it
# bends?
#
# (c) Show that $y_i-f_{-i}(x_i)=\big(y_i-f(x_i)\big)/(1-w_{ii})$ also holds here, where $w_{ii}$ is the weight of $y_i$ in the
# prediction at $x_i$. Hint: what would the fit be if the target of point $i$ were $f_{-i}(x_i)$?
#
# (d) Take two points, 0 and 1, and $x=2$. What are the weights? Which property of (2) has been lost?

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) $m_2-m_1^2=\sum_iS_i(u_i-m_1)^2$ is the variance of the $u_i$ with the weights $S_i$. It is positive as soon as two of the
# $x_i$ differ. Then the two equations of the chapter have only one solution.
#
# (b) For $y_i=1$ the formula gives $(m_2-m_1^2)/(m_2-m_1^2)=1$, and for $y_i=u_i$ it gives $0$, because $m_2m_1-m_1m_2=0$. On a
# straight line $g(x_i)=g(x)+g'(x)\,u_i$, so $\sum_iw_ig(x_i)=g(x)$ for every $x$, and there is no bias. Where $g$ bends, the
# bias is $\sum_iw_i\big(g(x_i)-g(x)-g'(x)u_i\big)$, at most $\frac12\max|g''|\sum_i|w_i|u_i^2$. With the weights of (2) there
# is also a term $g'(x)\,m_1$, and at an end, where all $u_i$ have the same sign, $m_1$ is of the size of $\sigma$.
#
# (c) Let $(a,b)$ be the best line without point $i$ at $x=x_i$, so that $a=f_{-i}(x_i)$. If point $i$ is put back *with the
# target* $a$, it adds $k(x_i,x_i)\,(a-a'-b'\cdot0)^2$ to the sum for any $(a',b')$. This is never negative, and it is 0 for
# $(a,b)$, which therefore stays best. By (a), with this target,
# $a=\sum_{j\ne i}w_{ij}y_j+w_{ii}\,a=f(x_i)-w_{ii}\,y_i+w_{ii}\,a$. Subtracting both sides from $y_i$ gives
# $(y_i-a)(1-w_{ii})=y_i-f(x_i)$.
#
# May we divide? At $x=x_i$ point $i$ has $u_i=0$ and does not contribute to $m_1$ and $m_2$. The Cauchy–Schwarz inequality gives
# $m_1^2\le(1-S_{ii})\,m_2$, with equality only if all other $x_j$ are equal. So
# $1-w_{ii}=\big((1-S_{ii})\,m_2-m_1^2\big)/(m_2-m_1^2)>0$ as soon as two of the others differ. The same argument proves (5), and
# the leave-one-out formula of chapter 3.
#
# (d) $u=(-2,-1)$, so $m_2-m_1u_1=4S_1+S_2-2\,(2S_1+S_2)=-S_2$ and $m_2-m_1^2=S_1S_2$, because $S_1+S_2=1$. So $w_1=-1$ and
# $w_2=2$. For every $\sigma$ this is the line through both points, and it leaves the range of $y$. A local line continues a trend.
#
# Wrong turns: you differentiate with respect to $a$ only, as if $b$ were known; you prove (c) by $n$ new fits of the formula, which
# leads to long sums of moments; you argue that $\sum_iw_iu_i=0$ “because left and right cancel”, which a line does not need.
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# Pencil-and-paper problems with new numbers each time, the same as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch01_neighbors")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Add the local line of the chapter to 1.6, and look at both ends of the crash. (b) Draw
# $S$ for a grid of queries as a picture, for 1.2 and for 1.5. (c) For the digits of scikit-learn, plot the leave-one-out error
# of $k$-NN against $k$. Where is its minimum, and why is that so different from the crash?
