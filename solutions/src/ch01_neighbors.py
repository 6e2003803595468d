# %% [markdown] key="title"
# # Exercises 1: neighbours and windows
#
# Six functions, from a mean of three numbers to an honest contest on the crash data: what
# [chapter 1](../notebooks/ch01_neighbors.ipynb) does with one matrix $S$, written by you. At the end one derivation on paper.
#
# **How it works.** Replace `raise NotImplementedError` by your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, the check tells you *what*, and if it recognises your mistake,
# *which one*. Below it, two sections that you can open name the step of the derivation to read again and give an experiment
# that shows the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
#
# **Rules.** NumPy and SciPy, loops or matrices, as you like. Calling `kcourse.KNNRegressor` or scikit-learn's neighbours is
# refused: you are writing what they do.
#
# **Conventions.** Distances are Euclidean. The Gaussian window is $\exp(-\|x-z\|^2/(2\sigma^2))$. Of points that are equally
# far, those that stand first in `X` count.

# %% key="imports"
import numpy as np
import matplotlib.pyplot as plt

from kcourse.checks import check
from kcourse.datasets import load_mcycle
from kcourse.lab import show, use_style

use_style()

# %% [markdown] key="ex-1"
# ## 1.1 The nearest k (4 points)
#
# The mean target of the $k$ nearest points, at many places at once, in any dimension.
#
# Think before you type: the squared distances of $q$ queries to $n$ points are a $q\times n$ matrix. How do you get it without a
# loop? (With a loop is fine, too.) And what does your sorting do with equal distances?


# %% exercise="knn_regress"
def knn_regress(X, y, Xq, k):
    """k-nearest-neighbour regression.

    X : (n, d) array, training points
    y : (n,) array, targets; they may be whole numbers
    Xq : (q, d) array, query points
    k : int, 1 ≤ k ≤ n

    Returns the mean target of the k points nearest to each query, shape (q,). Of equal distances
    the smallest index counts.
    """
    ### BEGIN SOLUTION
    # Wrong turns: [:k + 1] and [1:k + 1] count as if a query were one of the points; D2 <= kth lets
    # all ties in; an output made like y cuts the decimals of a mean where y holds whole numbers
    D2 = ((Xq[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)  # (q, n)
    nearest = np.argsort(D2, axis=1, kind="stable")[:, :k]  # stable: of equal distances the first
    return y[nearest].mean(axis=1)
    ### END SOLUTION


# %% check="knn_regress"
check(knn_regress)

# %% [markdown] key="ex-2"
# ## 1.2 The weighted mean (4 points)
#
# Nadaraya–Watson regression with a Gaussian window.
#
# One point of the four is for places far from all data, where the formula as written is $0/0$. What does the limit say there?


# %% exercise="nadaraya_watson"
def nadaraya_watson(X, y, Xq, sigma):
    """The mean of y, weighted by a Gaussian around each query.

    X : (n, d) array, training points
    y : (n,) array, targets
    Xq : (q, d) array, query points, perhaps far from all of X
    sigma : float > 0, width, in k(x, z) = exp(-‖x - z‖² / (2σ²))

    Returns the weighted means, shape (q,).
    """
    ### BEGIN SOLUTION
    # Wrong turns: W.sum(axis=0), over the queries, is the error the chapter finds; a tiny number
    # added below the line avoids the warning and gives 0 far away, not the nearest target
    logs = -((Xq[:, None, :] - X[None, :, :]) ** 2).sum(axis=2) / (2 * sigma**2)  # (q, n)
    W = np.exp(logs - logs.max(axis=1, keepdims=True))  # the largest weight of each row is 1
    return W @ y / W.sum(axis=1)
    ### END SOLUTION


# %% check="nadaraya_watson"
check(nadaraya_watson)

# %% [markdown] key="ex-3"
# ## 1.3 A density (3 points)
#
# A bell of area 1 on every point, and their mean. What cancelled in 1.2 must stand here, in every dimension.


# %% exercise="parzen_density"
def parzen_density(X, Xq, sigma):
    """Parzen's density with Gaussian windows.

    X : (n, d) array, points
    Xq : (q, d) array, places at which the density is asked for
    sigma : float > 0, width

    Returns the densities, shape (q,).
    """
    ### BEGIN SOLUTION
    # Wrong turns: the factor of one dimension in d of them, or d // 2, which forgets a root where d
    # is odd; clipping at 1, as if a density were a probability
    d = X.shape[1]
    D2 = ((Xq[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    bells = np.exp(-D2 / (2 * sigma**2)) / (2 * np.pi * sigma**2) ** (d / 2)
    return bells.mean(axis=1)
    ### END SOLUTION


# %% check="parzen_density"
check(parzen_density)

# %% [markdown] key="ex-4"
# ## 1.4 How wide? (4 points)
#
# The width of least leave-one-out error. Refitting $n$ times with your 1.2 is a right answer; dividing by $1-S_{ii}$ is a fast one, and
# has a weak spot: one point of the four is for data in which a point lies far from all others.


# %% exercise="loo_bandwidth"
def loo_bandwidth(X, y, sigmas):
    """The best width of Nadaraya-Watson regression, by leave-one-out.

    X : (n, d) array, points
    y : (n,) array, targets
    sigmas : (m,) array of candidates > 0, in any order

    Returns (best, scores): the candidate of least error, and for each candidate, in their order,
    the mean of (y_i - f₋ᵢ(x_i))², shape (m,).
    """
    ### BEGIN SOLUTION
    # Wrong turns: with the point in its own mean the smallest width wins; left out of the upper sum
    # alone it still weighs in the lower; sorting the widths gives the scores to other widths
    scores = []
    for sigma in sigmas:
        logs = -((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2) / (2 * sigma**2)
        np.fill_diagonal(logs, -np.inf)  # point i has no say at its own place: it leaves both sums
        W = np.exp(logs - logs.max(axis=1, keepdims=True))
        scores.append(np.mean((y - W @ y / W.sum(axis=1)) ** 2))
    return sigmas[int(np.argmin(scores))], np.array(scores)
    ### END SOLUTION


# %% check="loo_bandwidth"
check(loo_bandwidth)

# %% [markdown] key="ex-5"
# ## 1.5 The matrix (3 points)
#
# $k$-NN as a matrix: $f=Sy$ with one row for each query. If yours is right, `knn_smoother(X, Xq, k) @ y` is your 1.1.


# %% exercise="knn_smoother"
def knn_smoother(X, Xq, k):
    """The smoother matrix of k-nearest-neighbour regression.

    X : (n, d) array, training points
    Xq : (q, d) array, query points
    k : int, 1 ≤ k ≤ n

    Returns S, shape (q, n): 1/k where x_j is among the k nearest to query i, 0 elsewhere. Of equal
    distances the smallest index counts.
    """
    ### BEGIN SOLUTION
    # Wrong turn: S[:, nearest] = 1 / k writes whole columns: each row gets the neighbours of all
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
# The crash data, honestly. 28 of their times were measured more than once, and leaving out *one* of six measurements at 14.6 ms leaves five that
# give it away. So predict every point **without all points at the same place**, and let both methods choose their setting by that error.


# %% exercise="compare_smoothers"
def compare_smoothers(X, y, sigmas, ks):
    """The best window and the best number of neighbours, by leaving out whole places.

    X : (n, d) array, points; some rows may be equal
    y : (n,) array, targets
    sigmas : array of candidate widths > 0
    ks : array of candidate numbers of neighbours, all of them at most the number of points left

    Every point is predicted from the points at other places (rows of X that differ from its own);
    errors are means of squared residuals over all points.

    Returns (sigma, error_sigma, k, error_k): the best width and its error, the best k and its own.
    """
    ### BEGIN SOLUTION
    # Wrong turns: .all for .any takes out whoever shares one coordinate; one mean for each place
    # counts six measurements as one; k + 1 neighbours, though the point itself is out already
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
# The next cell runs *your* functions on the crash. Compare with the chapter, which left out single points and found $\sigma=0.91$ ms and
# $k=10$: how much of that did the twins give away? And is the difference between the two methods one that you would report?

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
# The settings are the same, $\sigma=0.9$ ms and $k=10$. The errors are not: 616 g² for 596 g² with the window, 599 g² for 583 g² with
# the neighbours. So the twins gave away some three per cent.
#
# The neighbours are ahead by 17 g². Paired point by point, the measurements of one time taken together, this difference has a
# standard error of 26 g²: nothing to report. And $k$ is not known as well as the number 10 sounds: all from 6 to 17 lie between 598 g²
# and 616 g², up and down.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: a line for the constant
#
# The chapter's best idea is one matrix for many methods, and its diagonal, which makes leave-one-out free. Carry it over to the *local line*.
# With $k(x,x_i)>0$, $u_i=x_i-x$ in one dimension, minimise over $a$ and $b$
#
# $$\sum_ik(x,x_i)\,(y_i-a-bu_i)^2,\qquad\text{and let } f(x)=a.$$
#
# (a) Let $S_i=k(x,x_i)/\sum_jk(x,x_j)$ and $m_p=\sum_iS_iu_i^p$. Show that $f(x)=\sum_iw_iy_i$ with $w_i=S_i\,(m_2-m_1u_i)/(m_2-m_1^2)$. Which points
# must there be?
#
# (b) Show that $\sum_iw_i=1$ and $\sum_iw_iu_i=0$. What follows where the true curve is straight? What is left of the bias where it bends?
#
# (c) Show that $y_i-f_{-i}(x_i)=\big(y_i-f(x_i)\big)/(1-w_{ii})$ here, too, where $w_{ii}$ is the weight of $y_i$ at $x_i$. (What would the fit be if
# point $i$ had been measured at $f_{-i}(x_i)$?)
#
# (d) Two points, 0 and 1, and $x=2$. What are the weights? What has been lost of what (2) promised?

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) Divided by $\sum_jk(x,x_j)>0$ the sum has the same minimum. Its derivatives in $a$ and $b$ vanish where
#
# $$\sum_iS_iy_i=a+b\,m_1,\qquad\sum_iS_iu_iy_i=a\,m_1+b\,m_2.$$
#
# Take $m_2$ times the first less $m_1$ times the second: $a\,(m_2-m_1^2)=\sum_iS_i\,(m_2-m_1u_i)\,y_i$. Now $m_2-m_1^2=\sum_iS_i(u_i-m_1)^2$ is
# a variance, positive as soon as two of the $x_i$ differ; then the function is strictly convex, and this is its only minimum.
#
# (b) For $y_i=1$ the formula gives $(m_2-m_1^2)/(m_2-m_1^2)=1$, for $y_i=u_i$ it gives $m_2m_1-m_1m_2=0$. On a straight line
# $g(x_i)=g(x)+g'(x)\,u_i$, so $\sum_iw_ig(x_i)=g(x)$, wherever $x$ is: no bias. Where $g$ bends, the bias is
# $\sum_iw_i\big(g(x_i)-g(x)-g'(x)u_i\big)$, at most $\frac12\max|g''|\sum_i|w_i|u_i^2$. The weights of (2) leave a term $g'(x)\,m_1$ besides, and at an end,
# where all $u_i$ have one sign, $m_1$ is of the size $\sigma$.
#
# (c) Let $(a,b)$ be best without point $i$, at $x=x_i$, so $a=f_{-i}(x_i)$. If point $i$ is put back *with the target* $a$, it adds
# $k(x_i,x_i)\,(a-a'-b'\cdot0)^2$ to the price of any $(a',b')$: never less than 0, and 0 for $(a,b)$, which therefore stays best. By (a), with this target,
# $a=\sum_{j\ne i}w_{ij}y_j+w_{ii}\,a=f(x_i)-w_{ii}\,y_i+w_{ii}\,a$. Subtract both sides from $y_i$: $(y_i-a)(1-w_{ii})=y_i-f(x_i)$. May one divide? At $x=x_i$ the sums $m_1,m_2$ have no term of point $i$, and Cauchy–Schwarz gives $m_1^2\le(1-S_{ii})\,m_2$, with equality only where all other $x_j$ are one point.
# So $1-w_{ii}=\big((1-S_{ii})\,m_2-m_1^2\big)/(m_2-m_1^2)>0$ as soon as two of the others differ. The same argument proves (5), and the leave-one-out of chapter 3.
#
# (d) $u=(-2,-1)$, so $m_2-m_1u_1=4S_1+S_2-2\,(2S_1+S_2)=-S_2$ and $m_2-m_1^2=S_1S_2$ (because $S_1+S_2=1$): $w_1=-1$ and $w_2=2$. That is the line
# through both points, whatever $\sigma$ is, and it leaves the range of $y$: whoever fits lines goes on with a trend.
#
# Wrong turns: differentiating in $a$ alone, as if $b$ were known; showing (c) by $n$ new fits of the formula, which drowns in moments; and
# $\sum_iw_iu_i=0$ “because left and right cancel”, which is what a line does not need.
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
# **If you want more** (not graded). (a) Give 1.6 a third competitor, the local line of the chapter, and look at both ends of the crash.
# (b) Draw $S$ for a grid of queries as a picture, for 1.2 and for 1.5. (c) For the digits of scikit-learn, plot the leave-one-out
# error of $k$-NN against $k$: where is it least, and why is that so different here?
