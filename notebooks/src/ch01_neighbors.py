# %% [markdown] key="title" slide="slide"
# # Neighbours and windows
#
# The oldest prediction there is: *what happened the last time things looked like this?* Average the answers. This
# chapter makes two methods of it, shows that both are a product with one matrix, and uses that matrix to choose how
# far to look around.

# %% key="imports" slide="skip" hide="input"
import numpy as np
import matplotlib.pyplot as plt
from sklearn.datasets import load_digits, load_wine
from sklearn.neighbors import KDTree

from kcourse import Gaussian, KNNClassifier, KNNRegressor, NadarayaWatson, ParzenClassifier
from kcourse import ParzenDensity
from kcourse.datasets import load_geyser, load_mcycle, load_synth
from kcourse.lab import cycle, measured, show, table, use_style, verify
from kcourse.chapters.ch01_neighbors.figures import (
    classes_explorer, leave_one_out_explorer, mistake_explorer, weights_explorer,
)
from kcourse.neighbors import knn_loo_path, nw_loo_path

use_style()

# %% [markdown] key="question" slide="slide" tags=["hour"]
# ## What would you draw?
#
# To test helmets, a motorcycle crash is simulated, and the acceleration of the head is measured at many moments after
# the impact (Silverman, 1985). Forget for an hour that there are methods. Which curve would you draw through these
# dots?
#
# <!-- slide
# ## What would you draw?
# -->

# %% key="question-data" slide="skip"
crash = load_mcycle()
x, y = crash.X[:, 0], crash.y
times, repeats = np.unique(x, return_counts=True)
print(f"{len(y)} measurements between {y.min():.0f} and {y.max():.0f} g")
print(f"at {len(times)} different times, of which {np.sum(repeats > 1)} occur twice or more")

# %% key="question-picture" hide="input"
fig, ax = plt.subplots()
ax.plot(x, y, "o", color="black", markersize=4.5)
ax.set(xlabel="time after impact (ms)", ylabel="head acceleration (g)")
show(
    fig,
    alt="Scatter plot of 133 head accelerations in g against the time after impact in ms: flat "
    "near 0 "
    "until 14 ms, a plunge to -134 g near 21 ms, a rebound to about +70 g near 32 ms, then back "
    "to 0, with a wide scatter after the plunge.",
)

# %% [markdown] key="question-reading"
# Draw it on paper, and note its heights at ten times of your choice. The section *Back to the crash* will score your
# curve.
#
# “Join the dots” is easily said, but it cannot even be done. At 14.6 ms there are six measurements, from $-22.8$ g to
# $-5.4$ g, and a curve has one height there. Suppose we join the dots through their mean. Is that wrong, or only
# ugly?
#
# <!-- slide
# 133 accelerations of a head in a simulated crash. “Join the dots” cannot even be done: at 14.6 ms there are six
# measurements. Take their mean, and join. **Is that wrong, or only ugly?**
# -->

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Let everyone draw the curve on paper and note its heights at ten times. Ask them to keep the paper for the end of
# the lecture and for chapter 3. Ask what "wrong" could mean here. A likely answer is that nothing is wrong, because
# the curve passes through every measurement. Wait for the other one: *the next* measurement.
#
# </details>

# %% [markdown] key="dots" slide="subslide"
# How good is a drawing? Hide half of the dots, draw through the other half, and see how far above or below the line
# the hidden dots lie. The mean of the squared differences, averaged over 200 ways to hide half, is the *error* of the
# drawing.
#
# <!-- slide
# **Judge a drawing by dots that were not used to draw it.**
# -->


# %% key="dots-test" slide="skip"
def join_the_dots(x, y, x_new):
    at = np.unique(x)  # sorted; where a time repeats, the mean of its measurements
    return np.interp(x_new, at, [y[x == time].mean() for time in at])


def hidden_half_error(predict, seed):
    order = np.random.default_rng(seed).permutation(len(y))
    seen, hidden = np.sort(order[:67]), order[67:]
    return np.mean((y[hidden] - predict(x[seen], y[seen], x[hidden])) ** 2)


def the_mean(x, y, x_new):
    return np.full(len(x_new), y.mean())


# %% key="dots-picture" hide="input"
def test_all(predict):
    return np.array([hidden_half_error(predict, seed) for seed in range(200)])


joined, flat = test_all(join_the_dots), test_all(the_mean)
order = np.random.default_rng(1).permutation(len(y))
seen, hidden = np.sort(order[:67]), order[67:]
fig, ax = plt.subplots()
line = np.linspace(x.min(), x.max(), 1500)
ax.plot(x[hidden], y[hidden], "o", color="white", markeredgecolor="black", label="hidden half")
ax.plot(x[seen], y[seen], "o", color="black", markersize=4.5, label="visible half")
ax.plot(line, join_the_dots(x[seen], y[seen], line), **cycle(1), linewidth=1.4, label="joined")
ax.set(xlabel="time after impact (ms)", ylabel="head acceleration (g)")
ax.legend(loc="lower right")
show(
    fig,
    alt="One half of the crash data, joined by straight lines into a jagged curve; the other half, "
    "hidden while it was drawn, lies above and below it, often by 30 g and more.",
)
verify("error of joined dots on the hidden half (g²)", joined.mean(), "925")
verify("error of a horizontal line on the hidden half (g²)", flat.mean(), "2400")
at_once = y[np.isclose(x, 14.6)]
verify("there are six measurements at 14.6 ms", len(at_once) == 6)
verify("the smallest of them (g)", at_once.min(), "-22.8")
verify("the largest of them (g)", at_once.max(), "-5.4")

# %% [markdown] key="dots-reading" slide="fragment"
# Joining the dots has an error of 925 g², and a horizontal line through the mean has 2400 g². So joining is far
# better than nothing. But its error contains the scatter of the hidden dot and also that of the two dots that the
# line happens to join. Scatter averages out if we average more dots. That is the idea of this chapter.
#
# <!-- slide
# Joined dots 925 g², a horizontal line 2400 g². But the line inherits the scatter of every dot that it joins.
# **Scatter averages out if we average.**
# -->

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# 1. write $k$-nearest-neighbour and Nadaraya–Watson regression as one product $f=Sy$, and read the matrix $S$;
# 2. compute far from the data, where the formula as written is $0/0$;
# 3. choose $k$ and $\sigma$ by leave-one-out without a single refit;
# 4. derive the weighted mean from a Parzen density, and tell a density from a probability;
# 5. say when distance means something: units, scaling, many dimensions.

# %% [markdown] key="plan" slide="skip"
# **You need** means, variances, and integrals of a product; from probability, conditional expectation. **Reading:**
# two hours. **Lecture:** two 45-minute lectures. **Exercises:** two to three hours,
# [in the exercise notebook](../exercises/ch01_neighbors_sheet.ipynb).

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Tell the class that the curve on their paper is scored in the second half, in *Back to the crash*.
#
# Can be skipped: The expected error is bias² plus variance; Does “near” mean anything in 64 dimensions?; In
# scikit-learn, Gaussian weights make k-NN a window; The cost comes with the predictions.
#
# </details>

# %% [markdown] key="knn" slide="slide" tags=["hour"]
# ## Average the k nearest neighbours
#
# Which dots should we average? We have $n$ points $x_1,\dots,x_n\in\mathbb R^d$, each with a real *target $y_i$*; for
# the crash $d=1$. To predict at a new $x$, take the $k$ points nearest to it. With $\mathcal V_k(x)$ for the set of
# these $k$ points,
#
# $$f(x)=\frac1k\sum_{x_i\in\mathcal V_k(x)}y_i. \tag{1}$$
#
# This is *$k$-nearest-neighbour regression*, or $k$-NN for short. One thing must be settled before it is a method,
# namely which of two equally distant points counts. Here it is the one that comes first in the data. Measured times
# are rounded, so such ties are common.
#
# <!-- slide
# ## Predict the mean target of the k nearest points
#
# Points $x_1,\dots,x_n\in\mathbb R^d$, targets $y_i\in\mathbb R$; $\mathcal V_k(x)$ are the $k$ points nearest to
# $x$:
#
# $$f(x)=\frac1k\sum_{x_i\in\mathcal V_k(x)}y_i \tag{1}$$
#
# This is *$k$-nearest-neighbour regression*, $k$-NN. Of two equally distant points, **the first in the data** counts.
# -->


# %% key="knn-code" slide="fragment"
def knn_at(x0, x, y, k):
    nearest = np.argsort(np.abs(x - x0), kind="stable")[:k]  # stable: of equals the first
    return y[nearest].mean()


four_x, four_y = np.array([0.0, 1.0, 2.0, 4.0]), np.array([0.0, 1.0, 4.0, 16.0])
print(knn_at(0.9, four_x, four_y, k=2), knn_at(3.2, four_x, four_y, k=2))

# %% [markdown] key="knn-by-hand" slide="skip"
# Check the two predictions with pencil and paper. The two points nearest to $x=0.9$ are $1$ and $0$, and the mean of
# their targets is $(1+0)/2=0.5$. The two nearest to $x=3.2$ are $4$ and $2$, and the mean is $(16+4)/2=10$.

# %% [markdown] key="window" slide="slide" tags=["hour"]
# ## Nadaraya–Watson: weight neighbours by distance
#
# In (1) a point counts fully or not at all, so $f$ jumps wherever the set $\mathcal V_k(x)$ changes. Let the
# influence of a point fall off with its distance instead. Give $x_i$ the weight
# $k(x,x_i)=\exp\!\big(-\|x-x_i\|^2/(2\sigma^2)\big)$, which falls from 1 to 0 within a few *widths* $\sigma$, and
# take the weighted mean
#
# $$f(x)=\frac{\sum_iy_i\,k(x,x_i)}{\sum_jk(x,x_j)}. \tag{2}$$
#
# This is *Nadaraya–Watson regression*. Because its weights form a Gaussian window around $x$, we also call it the
# *window*. From here on $k(x,z)$ with two arguments is the weight function, the *kernel*, and $k$ on its own is the
# number of neighbours.
#
# <!-- slide
# ## Nadaraya–Watson: influence falls off with distance
#
# In (1) a point counts fully or not at all, so $f$ jumps. Take weights
# $k(x,x_i)=\exp\!\big(-\|x-x_i\|^2/(2\sigma^2)\big)$ with a *width* $\sigma$, and their mean
#
# $$f(x)=\frac{\sum_iy_i\,k(x,x_i)}{\sum_jk(x,x_j)}. \tag{2}$$
#
# This is *Nadaraya–Watson regression*, or the *window* for short.
# -->


# %% key="window-code" slide="fragment"
def weighted_mean_at(x0, x, y, sigma):
    weights = np.exp(-((x - x0) ** 2) / (2 * sigma**2))
    return weights @ y / weights.sum()


print(f"{weighted_mean_at(1.0, np.array([0, 1, 2]), np.array([0, 1, 4]), sigma=1.0):.10f}")

# %% [markdown] key="window-by-hand" slide="skip"
# With pencil and paper, take the points $0,1,2$ with targets $0,1,4$, and $\sigma=1$. At $x=1$ the weights are
# $e^{-1/2},1,e^{-1/2}$, so $f(1)=\big(1+4e^{-1/2}\big)/\big(1+2e^{-1/2}\big)=1.5481372381$.

# %% [markdown] key="window-names" slide="skip"
# One of the lectures that this course follows writes the Gaussian with and without the factor $2$ in its exponent
# ([errata](errata.ipynb#E02.-One-sigma,-two-Gaussian-kernels)). In this course the factor is always present, so
# $\sigma$ is the standard deviation of the Gaussian. Without this factor, the same curve has a $\sigma$ that is
# $\sqrt2$ times as large.

# %% key="window-verify" slide="skip" hide="input"
model = KNNRegressor(n_neighbors=2).fit(four_x[:, None], four_y)
verify("KNNRegressor does what knn_at does", model.predict([[0.9], [3.2]]), [0.5, 10.0])
verify("equally far from 1 and 2: the first counts", knn_at(1.5, four_x, four_y, 1), 1.0)
e = np.exp(-0.5)
by_hand = (1 + 4 * e) / (1 + 2 * e)
by_code = weighted_mean_at(1.0, np.arange(3.0), np.array([0, 1, 4]), 1.0)
verify("the code of (2) gives the result on paper", by_code, by_hand)
verify("f(1)", by_hand, "1.5481372381")
model = NadarayaWatson(Gaussian(sigma=1.0)).fit([[0], [1], [2]], [0, 1, 4])
verify("NadarayaWatson gives it as well", model.predict([[1.0]])[0], by_hand)
without, ours = np.exp(-1 / (np.sqrt(2) * 0.7) ** 2), np.exp(-1 / (2 * 0.7**2))
verify("√2 times the width, without the 2, is our Gaussian", without, ours)

# %% [markdown] key="weights" slide="slide"
# ## Which points count at x₀?
#
# **Predict first.** The next figure shows the weight of each measurement at a point $x_0$ of your choice. Write down:
#
# 1. $x_0$ moves beyond the last measurement. Does the curve keep falling, keep rising, or become flat?
# 2. You make $\sigma$ ten times larger. Does the curve get more complex or simpler?
# 3. With *$k$ nearest* all $k$ neighbours have equal weights. Do these neighbours reach further before the plunge,
#    where measurements are rare, or during it, where they are dense? And with the Gaussian window?

# %% [markdown] key="weights-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Take a vote on each question, then show the answers. For question 1, ask what could make the curve keep falling. For
# question 3, say that the window has a fixed reach and $k$-NN a fixed number of points. Ask which of them the class
# would prefer at the edge of a city, and which in its centre.
#
# </details>


# %% key="weights-figure" hide="input"
def gaussian_weights(points, sigma):
    return NadarayaWatson(Gaussian(sigma)).fit(crash.X, y).smoother_matrix(points)


def neighbour_weights(points, k):
    return KNNRegressor(k).fit(crash.X, y).smoother_matrix(points)


who = weights_explorer(crash, {"Gaussian window": gaussian_weights, "k nearest": neighbour_weights})

# %% [markdown] key="weights-reading" slide="skip"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# An average cannot continue a trend. Far beyond the last measurement, the last point has nearly all of the weight, so
# the curve becomes flat. A larger $\sigma$ averages over more points, so the curve becomes simpler, and in the end it
# is the mean of all $y_i$. The window has a fixed *reach* and takes as many points as it finds there, but $k$-NN
# takes a fixed *number* of points, so it reaches far where points are rare.
#
# </details>

# %% [markdown] key="smoother" slide="slide" tags=["hour"]
# ## One smoother matrix for both
#
# What do the two methods have in common? **Step 1.** Both are weighted means of the same $n$ targets. Put the weights
# for $q$ query points $z_1,\dots,z_q$ into the rows of a $q\times n$ matrix $S$:
#
# $$f=Sy,\qquad S_{ij}=\frac{k(z_i,x_j)}{\sum_lk(z_i,x_l)},\qquad k(u,v)=\mathbf 1\big[v\in\mathcal V_k(u)\big]\ \text{ or }\
# e^{-\|u-v\|^2/(2\sigma^2)}. \tag{3}$$
#
# $S$ depends on the points $x_i$ and not on the targets $y_i$. Such a method is called a *linear smoother*. Here no
# entry of $S$ is negative, and every row sums to 1. So a constant $y$ comes back unchanged, and $f$ never leaves
# $[\min y,\max y]$.
#
# <!-- slide
# ## Both methods are one product with a smoother matrix
#
# **Step 1.** The weights at $q$ query points $z_i$ are the rows of $S$:
#
# $$f=Sy,\qquad S_{ij}=\frac{k(z_i,x_j)}{\sum_lk(z_i,x_l)} \tag{3}$$
#
# with $k(u,v)=\mathbf 1\big[v\in\mathcal V_k(u)\big]$ or $e^{-\|u-v\|^2/(2\sigma^2)}$.
#
# A *linear smoother*: $S$ depends on the $x_i$, not on the $y_i$. No entry is negative, and **every row sums to 1**,
# so a constant comes back and $f$ never leaves the range of $y$.
# -->

# %% key="smoother-verify" slide="skip"
S_window = NadarayaWatson(Gaussian(sigma=1.5)).fit(crash.X, y).smoother_matrix(crash.X)
S_nearest = KNNRegressor(n_neighbors=10).fit(crash.X, y).smoother_matrix(crash.X)
verify("window: rows sum to 1, so a constant comes back", S_window @ np.full(133, 7.0), 7.0)
verify("neighbours: so do their rows", S_nearest @ np.full(133, 7.0), 7.0)

# %% [markdown] key="smoother-look" slide="subslide"
# What does $S$ look like? Rows and columns are the 133 times in their order, and darker means more weight. **Predict
# first**, with a pencil: draw three squares, and shade the dark entries of $S$ in each, for a narrow window, for a
# wide one, and for ten neighbours.
#
# <!-- slide
# **What does S look like?**
#
# Rows and columns are the 133 times in their order; darker means more weight.
#
# **Predict first**, with a pencil: three squares, and in each the dark entries of $S$, for a narrow window, a wide
# one, and ten neighbours.
# -->

# %% [markdown] key="smoother-look-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Give a minute for the three sketches. Then follow one row with your finger and say that it is one bar chart of the
# last figure. Ask what $S$ would be for joined dots at distinct times (the identity) and for the mean (all entries
# $1/n$).
#
# </details>

# %% key="smoother-picture" hide="input"
S_wide = NadarayaWatson(Gaussian(sigma=5.0)).fit(crash.X, y).smoother_matrix(crash.X)
fig, axes = plt.subplots(1, 3, figsize=(9.6, 3.7), sharey=True)
panels = {"window, σ = 1.5 ms": S_window, "window, σ = 5 ms": S_wide, "10 nearest": S_nearest}
for ax, (title, S) in zip(axes, panels.items(), strict=True):
    ax.imshow(S, cmap="Greys", vmin=0, vmax=0.15, interpolation="nearest")
    ax.set(title=title, xlabel="measurement j")
    ax.grid(False)
axes[0].set_ylabel("prediction at point i")
show(
    fig,
    answer="Three pictures of S",
    alt="Three matrices as pictures, with a dark band along the diagonal. For the window of "
    "1.5 ms the band is narrow and uneven, wide where times are dense; for 5 ms it is "
    "broad and pale; for 10 nearest it is evenly wide with sharp edges, all its entries "
    "equally dark, and moves in steps, with blocks of equal rows.",
)

# %% [markdown] key="smoother-look-reading"
# <details><summary><b>What the three pictures show</b> (open this once you have written down your answer)</summary>
#
# The band of the window is wide where measurements are dense and narrow where they are rare, and a larger $\sigma$
# makes it wider and paler. The band of the ten nearest has sharp edges, because each row has ten entries of $1/10$.
#
# </details>
#
# <!-- slide
# A wider window widens and pales the band. With ten neighbours each row has ten entries of $1/10$.
# -->

# %% [markdown] key="df" slide="subslide"
# **Step 2. One number from the matrix.** The diagonal entry $S_{ii}$ is the weight of a measurement in the prediction
# at its own point. The sum of these weights,
#
# $$\mathrm{df}=\operatorname{tr}S=\sum_iS_{ii}, \tag{4}$$
#
# is called the *effective degrees of freedom*. It says how many free parameters would make a model equally flexible.
# At distinct points $k$-NN has $S_{ii}=1/k$ everywhere, so $\mathrm{df}=n/k$. A horizontal line has one degree of
# freedom, and joined dots have $n$. **So $k=1$ is not the simplest model but the most complex one.** A wider window
# has smaller $S_{ii}$ and is therefore a simpler model.
#
# <!-- slide
# **The trace of S counts parameters**
#
# **Step 2.** The *effective degrees of freedom* are
#
# $$\mathrm{df}=\operatorname{tr}S=\sum_iS_{ii}. \tag{4}$$
#
# For $k$-NN with distinct points every $S_{ii}=1/k$, so $\mathrm{df}=n/k$. **Which is the simplest model, $k=1$ or
# $k=n$?**
#
# <div class="fragment">
#
# $k=n$: one parameter, a horizontal line. $k=1$ has $n$.
#
# </div>
# -->

# %% [markdown] key="df-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask for the simplest model. A likely answer is $k=1$, because it needs no averaging. Then let them count: $n/k$ is
# $n$ for $k=1$ and 1 for $k=n$.
#
# </details>

# %% [markdown] key="limits" slide="subslide"
# **Step 3. The limits of σ.** As $\sigma\to\infty$ all weights become equal and $f\to\bar y$, the mean, with one
# degree of freedom. As $\sigma\to0$ the weight of the nearest point outgrows all others, because
# $e^{-d_1^2/(2\sigma^2)}/e^{-d_2^2/(2\sigma^2)} =e^{(d_2^2-d_1^2)/(2\sigma^2)}\to\infty$ for distances $d_1<d_2$. So
# $f$ becomes the target of the *nearest neighbour*, which is $k=1$, or the mean of several that are equally near.
#
# <!-- slide
# **The width σ leads from the nearest neighbour to the mean**
#
# **Step 3.**
#
# - $\sigma\to\infty$: all weights become equal, $f\to\bar y$, 1 degree of freedom.
# - $\sigma\to0$: for distances $d_1<d_2$ the ratio of the weights is $e^{(d_2^2-d_1^2)/(2\sigma^2)}\to\infty$, and
#   $f$ becomes the nearest neighbour, $k=1$.
# -->

# %% [markdown] key="far" slide="slide" tags=["hour"]
# ## Far from the data: underflow
#
# Far from all data the nearest point also outgrows the others, so the formula should give its target, but
# `weighted_mean_at` does not. Take the points $0$ and $1$ with targets $7$ and $2$, $\sigma=0.5$, and $x=41$. The
# weights are $e^{-3362}$ and $e^{-3200}$, but the smallest positive number in double precision is near $e^{-744}$.
# Both weights become zero, and $0/0$ is `nan`, *not a number*. Multiply numerator and denominator by $e^{3200}$, and
# the largest weight becomes 1 while the quotient stays the same:
#
# <!-- slide
# ## Formula (2) is right everywhere, but its code is not
#
# Points 0 and 1 with targets 7 and 2, $\sigma=0.5$. What does (2) give at $x=41$, and what does the code above
# return?
#
# <div class="fragment">
#
# It should be the nearest target, 2. The code returns `nan`: the weights $e^{-3362}$ and $e^{-3200}$ underflow to 0.
#
# </div>
# -->

# %% [markdown] key="far-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Wait for the limit, the nearest target. A likely answer is the mean of 7 and 2. Then ask for the size of
# $e^{-3200}$, and what the quotient becomes if both of its parts are multiplied by $e^{3200}$.
#
# </details>

# %% key="far-code" slide="fragment"
far_x, far_y = np.array([0.0, 1.0]), np.array([7.0, 2.0])


def weighted_mean_safely(x0, x, y, sigma):
    logs = -((x - x0) ** 2) / (2 * sigma**2)
    weights = np.exp(logs - logs.max())  # the largest weight is now 1
    return weights @ y / weights.sum()


verify("at x = 41 it is the nearest target", weighted_mean_safely(41.0, far_x, far_y, 0.5), 2.0)

# %% [markdown] key="far-reading" slide="skip"
# So subtract the largest exponent **before** you take exponentials. `NadarayaWatson` computes its weights in this
# way, and `ParzenDensity` its log densities.

# %% key="limits-verify" slide="skip" hide="input"
verify("(3) is (2)", (S_window @ y)[40], weighted_mean_at(x[40], x, y, 1.5))
verify("(3) is (1)", (S_nearest @ y)[40], knn_at(x[40], x, y, 10))
verify("no weight is negative", min(S_window.min(), S_nearest.min()) >= 0)
model = NadarayaWatson(Gaussian(1.0)).fit(crash.X, y)
far_beyond = model.predict([[70.0], [200.0]])
verify("far beyond the data the curve is the last measurement", far_beyond, y[-1], tol=1e-4)
everywhere = model.predict(np.linspace(-50, 150, 999)[:, None])
inside = y.min() <= everywhere.min() and everywhere.max() <= y.max()
verify("the curve never leaves the range of the y", inside)
reach = [np.ptp(x[np.argsort(np.abs(x - x0), kind="stable")[:10]]) for x0 in (5, 20)]
verify("ten neighbours reach further at 5 ms than at 20 ms", reach[0] > 2 * reach[1])
distinct = np.arange(60.0)[:, None]
for k in (1, 6, 60):
    df = KNNRegressor(k).fit(distinct, np.zeros(60)).effective_df()
    verify(f"60 distinct points, {k} nearest: df is n/k", df, 60 / k)
traces = [NadarayaWatson(Gaussian(s)).fit(crash.X, y).effective_df() for s in (0.5, 1.5, 5, 50)]
verify("a wider window has fewer degrees of freedom", np.all(np.diff(traces) < 0))
verify("df is the trace", traces[1], np.trace(S_window))
widest = NadarayaWatson(Gaussian(1e5)).fit(crash.X, y).predict(crash.X)
verify("a huge σ gives the mean of all y", widest, y.mean(), tol=1e-6)
at = np.array([[0.2], [1.4], [3.1]])
narrow = NadarayaWatson(Gaussian(1e-3)).fit(four_x[:, None], four_y).predict(at)
nearest_one = KNNRegressor(1).fit(four_x[:, None], four_y).predict(at)
verify("a tiny σ gives the nearest neighbour", narrow, nearest_one)
with np.errstate(invalid="ignore"):
    written = weighted_mean_at(41.0, far_x, far_y, 0.5)
verify("as the formula is written: no number", bool(np.isnan(written)))
verify("exponents, further and nearer", [-(41**2) / 0.5, -(40**2) / 0.5], [-3362, -3200])
verify("the logarithm of the smallest positive number", np.log(np.nextafter(0, 1)), "-744")
ways = [f(0.4, far_x, far_y, 0.5) for f in (weighted_mean_safely, weighted_mean_at)]
verify("near the data both ways agree", *ways)
safe = NadarayaWatson(Gaussian(0.5)).fit(far_x[:, None], far_y)
verify("NadarayaWatson gives the nearest target as well", safe.predict([[41.0]]), 2.0)

# %% [markdown] key="loo" slide="slide" tags=["hour"]
# ## How wide? Leave-one-out
#
# Which $\sigma$ and which $k$ should we use? The training error cannot decide, because it is zero for any curve
# through every dot. So let each point be predicted by the *others*. This is *leave-one-out*. With $f_{-i}$ for the
# smoother without point $i$, look at the errors $y_i-f_{-i}(x_i)$. That seems to need $n$ fits, but one is enough.
#
# **Step 4.** Without point $i$ both sums of (2) lose one term. Divide both by $\sum_jk(x_i,x_j)$, and the entries of
# $S$ at the points themselves ($z_i=x_i$) appear. Where $S_{ii}<1$,
#
# $$f_{-i}(x_i)=\frac{\sum_{j\ne i}y_j\,k(x_i,x_j)}{\sum_{j\ne i}k(x_i,x_j)}=\frac{f(x_i)-S_{ii}\,y_i}{1-S_{ii}},$$
#
# and subtracting both sides from $y_i$ gives
#
# $$y_i-f_{-i}(x_i)=\frac{y_i-f(x_i)}{1-S_{ii}}. \tag{5}$$
#
# <!-- slide
# ## Leave-one-out needs one fit, not n
#
# Let each point be predicted by the others.
#
# **Step 4.** Without point $i$ both sums of (2) lose one term. Divide both by $\sum_jk(x_i,x_j)$:
#
# $$f_{-i}(x_i)=\frac{\sum_{j\ne i}y_j\,k(x_i,x_j)}{\sum_{j\ne i}k(x_i,x_j)}=\frac{f(x_i)-S_{ii}\,y_i}{1-S_{ii}}$$
#
# $$y_i-f_{-i}(x_i)=\frac{y_i-f(x_i)}{1-S_{ii}} \tag{5}$$
# -->

# %% [markdown] key="loo-lecture" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Ask first why the training error cannot choose $\sigma$. Write both sums of (2) without their term on the board, and
# let the class find what $1-S_{ii}$ is: the weight of all others. Ask where it is 0.
#
# </details>


# %% key="loo-verify" slide="skip"
def refit_without(i, sigma):
    rest = np.arange(len(y)) != i
    return y[i] - weighted_mean_safely(x[i], x[rest], y[rest], sigma)


shortcut = (y - S_window @ y) / (1 - np.diag(S_window))
by_refitting = np.array([refit_without(i, 1.5) for i in range(133)])
verify("(5) equals 133 refits, point by point", shortcut, by_refitting)

# %% [markdown] key="loo-knn" slide="skip"
# For $k$-NN at distinct points, the $k$ nearest *others* of a point are its $k+1$ nearest without the point itself.
# So (5) has to be applied to the curve of $k+1$ neighbours, where $S_{ii}=1/(k+1)$.

# %% [markdown] key="loo-predict" slide="subslide"
# **Predict first.** The next figure shows the curve for $\sigma=1$ ms and covers the errors. Before you uncover them:
#
# 1. Choose the $\sigma$ at which the curve looks right to you. Which $\sigma$ has the smallest training error?
# 2. The leave-one-out error has a minimum. Is its $\sigma$ larger or smaller than yours?
# 3. Of the best window and the best $k$, which predicts better? By a little, or by a lot?
#
# <!-- slide
# **Which width predicts best?**
#
# **Predict first.**
#
# 1. At which $\sigma$ does the curve look right to you? Which $\sigma$ has the smallest training error?
# 2. The leave-one-out error has a minimum. Is its $\sigma$ larger or smaller than yours?
# 3. Of the best window and the best $k$, which predicts better? By a little, or by a lot?
# -->

# %% [markdown] key="loo-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Collect the chosen widths on the board before you uncover the errors. Ask how much worse the widest of them is than
# the best, in g². For question 3 expect a winner to be named. Then ask what the difference has to be compared with.
# (Its standard error.)
#
# </details>

# %% key="loo-figure" hide="input"
widths = 10 ** (np.arange(-12, 35) / 20)
window_path, knn_path = nw_loo_path(crash.X, y, widths), knn_loo_path(crash.X, y, 60)
judge = leave_one_out_explorer(
    crash,
    fits={
        "Gaussian window": lambda at, s: NadarayaWatson(Gaussian(s)).fit(crash.X, y).predict(at),
        "k nearest": lambda at, k: KNNRegressor(k).fit(crash.X, y).predict(at),
    },
    paths={"Gaussian window": window_path, "k nearest": knn_path},
    train={
        "Gaussian window": lambda s: np.mean((y - gaussian_weights(crash.X, s) @ y) ** 2),
        "k nearest": lambda k: np.mean((y - neighbour_weights(crash.X, k) @ y) ** 2),
    },
)

# %% [markdown] key="loo-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# - *The width.* The training error is smallest at the smallest $\sigma$. The leave-one-out error has its minimum, 596
#   g², at $\sigma=0.91$ ms. At 5 ms it is twice as large, but from 0.61 ms to 1.45 ms it is at most 5 % larger, so
#   $\sigma$ need not be precise.
# - *Window or neighbours.* With the dots in the order of the file, the best $k$ is ten, with 583 g². For each point
#   take the difference of the two squared errors. Their mean is 12 ± 24 g², so this crash does not say which method
#   is better. In this course ± is the standard error of a mean of paired differences, which is their standard
#   deviation divided by $\sqrt n$.
# - *The shape of the weights.* A triangle or a parabola (the Epanechnikov kernel) instead of the Gaussian, each with
#   its own best width, changes the minimum by less than 1 %.
#
# </details>
#
# <!-- slide
# **Leave-one-out chooses a width, which need not be precise.**
#
# - Training error: smallest at the smallest $\sigma$. Leave-one-out: 596 g² at $\sigma=0.91$ ms, twice as much at 5
#   ms.
# - Best $k=10$: 583 g². The difference per point is 12 ± 24 g², so this crash does not say which is better.
# - A triangle or a parabola instead of the Gaussian: less than 1 % different.
# -->

# %% [markdown] key="loo-repeats" slide="skip"
# Leave-one-out has a weak spot. If one of the six measurements at 14.6 ms is left out, the other five still predict
# it, so the error is too optimistic. The exercises leave out whole times instead.

# %% key="loo-verify-2" slide="skip" hide="input"
spread = np.sort(np.random.default_rng(5).random(40))[:, None]
t40 = np.sin(6 * spread[:, 0])
for k in (1, 4):
    with_self = KNNRegressor(k + 1).fit(spread, t40).predict(spread)
    left_out_one = knn_loo_path(spread, t40, k).predictions[-1]
    by_shortcut = t40 - (t40 - with_self) / (1 - 1 / (k + 1))
    verify(f"k = {k}: (5) with the curve of k + 1 neighbours", by_shortcut, left_out_one)
fine = nw_loo_path(crash.X, y, np.round(np.arange(0.3, 6, 0.01), 2))
for name, path, best_at, error in (("σ", fine, "0.91", "596"), ("k", knn_path, "10", "583")):
    verify(f"best {name}" + " (ms)" * (name == "σ"), path.best, best_at)
    verify(f"leave-one-out error at the best {name} (g²)", path.error.min(), error)
on_seen = [np.mean((y - gaussian_weights(crash.X, s) @ y) ** 2) for s in widths]
verify("the training error grows with σ", np.all(np.diff(on_seen) > 0))
near_best = fine.values[fine.error < 1.05 * fine.error.min()]
verify("σ within 5 % of the minimum, from (ms)", near_best.min(), "0.61")
verify("σ within 5 % of the minimum, to (ms)", near_best.max(), "1.45")
at_five = nw_loo_path(crash.X, y, [5.0]).error[0]
verify("at σ = 5 ms the error is twice the minimum", at_five / fine.error.min(), 2.0, tol=0.02)
squared = [(y - path.predictions[path.error.argmin()]) ** 2 for path in (fine, knn_path)]
lag = squared[0] - squared[1]
verify("mean paired difference, best window minus best k (g²)", lag.mean(), "12")
verify("standard error of these pairs (g²)", lag.std(ddof=1) / np.sqrt(133), "24")
distance = np.abs(x[:, None] - x)


def left_out_error(shape, width):
    W = shape(distance / width)
    np.fill_diagonal(W, 0)
    total = W.sum(axis=1)
    return np.mean((y - W @ y / total) ** 2) if total.min() > 0 else np.inf


shapes = {"triangle": lambda u: np.maximum(1 - u, 0), "parabola": lambda u: np.maximum(1 - u**2, 0)}
for name, shape in shapes.items():
    best = min(left_out_error(shape, h) for h in np.geomspace(1, 5, 150))
    verify(f"{name}: within 1 % of the Gaussian", best, fine.error.min(), tol=0.01)

# %% [markdown] key="trade" slide="slide" tags=["later"]
# ## Bias against variance
#
# Why is a width in between the best? Because $f=Sy$, we can compute *exactly* what a width does to the error. Let
# $y_i=g(x_i)+\varepsilon_i$ with a true curve $g$, fixed $x_i$, and independent noise of mean 0 and variance $s^2$.
# For a fixed $\sigma$ and the row $S_{x}$ of a query point $x$, the difference
# $f(x)-g(x)=\big(\sum_iS_{xi}g(x_i)-g(x)\big)+\sum_iS_{xi}\varepsilon_i$ is a constant plus a sum of independent terms
# of mean 0 and variance $S_{xi}^2s^2$. So
#
# $$\mathbb E\,(f(x)-g(x))^2=\underbrace{\Big(\sum_iS_{xi}\,g(x_i)-g(x)\Big)^2}_{\text{bias}^2:\text{ blurring}}
# +\underbrace{s^2\sum_iS_{xi}^2}_{\text{variance: noise that is left}}. \tag{6}$$
#
# The second sum says how well the row averages. With $m$ equal weights $\sum_iS_{xi}^2=1/m$, so $1/\sum_iS_{xi}^2$ is
# the *effective number of points* in the mean.
#
# <!-- slide
# ## The expected error is bias² plus variance
#
# Let $y_i=g(x_i)+\varepsilon_i$, noise of variance $s^2$:
#
# $$\mathbb E\,(f(x)-g(x))^2=\underbrace{\Big(\sum_iS_{xi}\,g(x_i)-g(x)\Big)^2}_{\text{bias}^2:\text{ blurring}}
# +\underbrace{s^2\sum_iS_{xi}^2}_{\text{variance: noise that is left}} \tag{6}$$
#
# With $m$ equal weights $\sum_iS_{xi}^2=1/m$. Which term grows with $\sigma$, and which falls?
# -->

# %% [markdown] key="trade-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Derive (6) on the board: $f(x)-g(x)$ is a constant plus a sum of independent noises. Ask for a sketch of both terms
# and of their sum against $\sigma$. A likely mistake is a bias that grows from the start; at a very narrow width it
# falls, because the window then sees one point.
#
# </details>

# %% [markdown] key="trade-picture-title" slide="subslide"
# The next figure shows both terms for 100 random points and the curve $\sin(\pi x)/(\pi x)$.
#
# <!-- slide
# **The expected error has a minimum between noise and blurring.**
# -->

# %% key="trade-picture" hide="input"
rng = np.random.default_rng(4)
tx = np.sort(rng.uniform(-3, 3, 100))[:, None]
line = np.linspace(-2.8, 2.8, 281)[:, None]
s_noise, widths8 = 0.15, np.geomspace(0.02, 2, 80)
bias2, variance = np.empty(80), np.empty(80)
for j, s in enumerate(widths8):
    S = NadarayaWatson(Gaussian(s)).fit(tx, np.sinc(tx[:, 0])).smoother_matrix(line)
    bias2[j] = np.mean((S @ np.sinc(tx[:, 0]) - np.sinc(line[:, 0])) ** 2)
    variance[j] = s_noise**2 * np.mean(np.sum(S**2, axis=1))
total = bias2 + variance
fig, ax = plt.subplots()
ax.plot(widths8, bias2, label="bias², from blurring", **cycle(0))
ax.plot(widths8, variance, label="variance, noise that is left", **cycle(1))
ax.plot(widths8, total, label="their sum: the expected error", **cycle(2))
ax.set(xscale="log", yscale="log", xlabel="width σ", ylim=(1e-5, 0.3))
ax.set_ylabel("expected squared error, mean over x")
ax.legend(loc="lower right")
show(
    fig,
    alt="Three curves against the width on logarithmic axes, for 100 noisy samples of sinc: bias "
    "squared falls a little, then rises "
    "steeply with the width, variance falls steadily, and their sum has one minimum near a width "
    "of 0.15.",
)
verify("the width of the smallest expected error", widths8[total.argmin()], "0.15")
verify("the variance falls with the width", np.all(np.diff(variance) < 0))
S = NadarayaWatson(Gaussian(0.3)).fit(tx, tx[:, 0]).smoother_matrix(line)
draws = np.random.default_rng(0).normal(scale=s_noise, size=(5000, 100))
simulated = np.mean((S @ (np.sinc(tx[:, 0]) + draws).T - np.sinc(line)) ** 2)
by_formula = (S @ np.sinc(tx[:, 0]) - np.sinc(line[:, 0])) ** 2 + s_noise**2 * np.sum(S**2, axis=1)
verify("(6) is the mean of 5000 samples", simulated / by_formula.mean(), 1.0, tol=0.02)

# %% [markdown] key="trade-reading" slide="fragment"
# With a narrow window the curve is nearly right on average but changes with the noise. With a wide window it hardly
# changes, but it is wrong on average. The expected error has its minimum in between, near $\sigma=0.15$.
#
# <!-- slide
# Narrow: right on average, but noisy. Wide: stable, but wrong on average.
# -->

# %% [markdown] key="argmin" slide="slide" tags=["hour"]
# ## Local linear regression
#
# Can we lower the bias in another way? Let us first see what the weighted mean fits.
#
# **Step 5.** Look for the constant $c$ that fits best *near* $x$: minimise $\sum_ik(x,x_i)\,(y_i-c)^2$. The
# derivative $-2\sum_ik(x,x_i)(y_i-c)$ vanishes at $c=\sum_iy_ik(x,x_i)/\sum_jk(x,x_j)$, which is (2). It is a
# minimum, because no weight is negative and not all of them are zero. So (2) fits a *constant* locally. At an end of
# the data, where all neighbours lie on one side, a constant is biased if the curve is steep. What would you fit
# instead?
#
# <!-- slide
# ## The weighted mean is the best local constant
#
# **Step 5.**
#
# $$\min_c\ \sum_ik(x,x_i)\,(y_i-c)^2\quad\Longrightarrow\quad c=\frac{\sum_iy_ik(x,x_i)}{\sum_jk(x,x_j)}$$
#
# A minimum, because no weight is negative. What would you fit instead, at the end of the data?
# -->

# %% [markdown] key="argmin-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Draw points on $y=x$ and ask for the weighted mean at the right end. A likely answer is the last target; the mean is
# lower, because all neighbours are on the left. Wait for "a straight line, with the same weights".
#
# </details>

# %% [markdown] key="line" slide="subslide"
# Fit a straight line with the same weights. Minimise $\sum_ik(x,x_i)\,(y_i-a-bu_i)^2$ with $u_i=x_i-x$, and take the
# height of this *local line* at $x$, which is $f(x)=a$. With the weights $S_i=k(x,x_i)/\sum_jk(x,x_j)$ of (2) and
# their moments $m_p=\sum_iS_iu_i^p$, the two derivatives vanish where $\sum_iS_iy_i=a+bm_1$ and
# $\sum_iS_iu_iy_i=am_1+bm_2$. Solving for $a$ gives
#
# $$f(x)=\sum_i\frac{m_2-m_1u_i}{m_2-m_1^2}\,S_i\,y_i.$$
#
# Again $f=Sy$ with rows of sum 1, and now a straight line comes back unchanged, up to the very end of the data. In
# return, some weights are negative, especially at the ends, and where all weight lies on one time, $m_2=m_1^2$ and
# the formula is $0/0$. The exercises go further, and prove (5) for the local line.
#
# <!-- slide
# **A local line keeps straight lines unchanged, up to the ends.** Minimise $\sum_ik(x,x_i)\,(y_i-a-bu_i)^2$ with
# $u_i=x_i-x$; let $f(x)=a$. With the weights $S_i$ of (2) and $m_p=\sum_iS_iu_i^p$,
#
# $$f(x)=\sum_i\frac{m_2-m_1u_i}{m_2-m_1^2}\,S_i\,y_i.$$
#
# Again $f=Sy$ with rows of sum 1, but some weights are negative, especially at the ends.
# -->


# %% key="line-code" slide="skip"
def line_smoother(z, x, sigma):
    u = x - z[:, None]  # a row for each query point in z
    S = np.exp(-(u**2) / (2 * sigma**2))
    S /= S.sum(axis=1, keepdims=True)  # (2)
    m1, m2 = ((S * u**p).sum(axis=1, keepdims=True) for p in (1, 2))
    return S * (m2 - m1 * u) / (m2 - m1**2)


S_line, ends = line_smoother(x, x, 1.5), [0, -1]
verify("its rows sum to 1", S_line.sum(axis=1), 1.0)
verify("a straight line comes back, both ends included", S_line @ (3 - 2 * x), 3 - 2 * x, tol=1e-9)

# %% [markdown] key="crash" slide="slide" tags=["hour"]
# ## Back to the crash
#
# Now repeat the test of the beginning with all these methods. For each method, $\sigma$ or $k$ is selected by
# leave-one-out on the visible half.
#
# <!-- slide
# ## Back to the crash: does averaging beat joining?
#
# Each method chooses its $\sigma$ or $k$ on the visible half alone. Again 200 ways to hide half of the dots.
# -->

# %% [markdown] key="crash-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask for a bet: in how many of the 200 halves does the window beat joined dots, and in how many does it beat the
# neighbours? A likely answer to the second is "most", because the window is smoother.
#
# </details>


# %% key="crash-recipes" slide="skip"
def window_recipe(x, y, x_new):
    sigma = nw_loo_path(x[:, None], y, np.geomspace(0.3, 5, 40)).best
    return NadarayaWatson(Gaussian(sigma)).fit(x[:, None], y).predict(x_new[:, None])


def neighbours_recipe(x, y, x_new):
    k = knn_loo_path(x[:, None], y, 30).best
    return KNNRegressor(k).fit(x[:, None], y).predict(x_new[:, None])


def left_out(S, y):  # (5) holds for lines as well
    room = 1 - np.diag(S)  # 0 where no other point is near
    return np.mean(((y - S @ y) / room) ** 2) if room.min() > 1e-9 else np.inf


def line_recipe(x, y, x_new):
    sigma = min(np.geomspace(0.8, 5, 40), key=lambda s: left_out(line_smoother(x, x, s), y))
    return line_smoother(x_new, x, sigma) @ y


# %% [markdown] key="crash-title" slide="subslide"
# The table has the mean error of each method on the hidden half.
#
# <!-- slide
# **Averaging beats joining, and a local line beats both averages.**
# -->

# %% key="crash-table" hide="input"
windowed, neighboured = test_all(window_recipe), test_all(neighbours_recipe)
lined = test_all(line_recipe)
table(
    "Mean squared error on the hidden half, 200 ways to hide it",
    {"method": "", "error (g²)": ".0f"},
    {
        "a horizontal line": flat.mean(),
        "joined dots": joined.mean(),
        "k nearest, k by leave-one-out": neighboured.mean(),
        "window, σ by leave-one-out": windowed.mean(),
        "local line, σ by leave-one-out": lined.mean(),
    },
    best={"error (g²)": "least"},
)
verify("error of the window (g²)", windowed.mean(), "698")
verify("error of the local line (g²)", lined.mean(), "652")
nearly = abs(neighboured.mean() - windowed.mean()) < 1
verify("window and neighbours: less than 1 g² apart", nearly)
verify("of 200 halves, window beats joined dots in", np.sum(windowed < joined), "189")
verify("of 200 halves, local line beats window in", np.sum(lined < windowed), "163")

# %% [markdown] key="crash-reading" slide="fragment"
# Is averaging better than joining? The window has an error of 698 g² instead of 925 g² for joined dots, and it is
# better in 189 of the 200 halves. The neighbours are as accurate as the window. The local line has the smallest error
# and beats the window in 163 halves. But these are halves of *one* crash, so they do not say what happens in another.
#
# <!-- slide
# The window beats joined dots in 189 of 200 halves, the local line beats the window in 163. All are halves of *one*
# crash.
# -->

# %% [markdown] key="crash-table-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Settle the bets: the window beats joined dots in 189 halves and the neighbours in about half of them. Ask whether
# 200 halves are as good as 200 crashes. A likely answer is yes; all of them contain the same dots.
#
# </details>

# %% [markdown] key="drawing" slide="subslide"
# And your curve? Put in your ten times and heights. Those below are an example, drawn with a ruler.
#
# <!-- slide
# **A curve drawn by hand is not a fair rival: it used all dots.** What is the error of an example, drawn with a
# ruler?
# -->

# %% [markdown] key="drawing-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Take the papers from the beginning, and type one of the curves into the notebook. It will probably beat 652 g². Ask
# why the comparison is not fair. Show the answer after that.
#
# </details>

# %% key="drawing-code" slide="skip"
my_times = [2.4, 10, 14, 17, 21, 26, 32, 38, 46, 57.6]  # ms, ascending: yours
my_heights = [0, 0, -5, -60, -115, -50, 35, 15, 0, 0]  # g


def by_hand(times, heights):
    return test_all(lambda x, y, x_new: np.interp(x_new, times, heights)).mean()


print(f"drawn by hand: {by_hand(my_times, my_heights):.0f} g²; window, on halves: 698 g²")

# %% [markdown] key="drawing-reading" slide="fragment"
# The example has an error of 570 g², but the comparison is not fair, because the curve was drawn after seeing *all*
# the dots. A window of 0.91 ms, also fitted to all dots, has 447 g².
#
# <!-- slide
# The example has 570 g². A window that has seen all dots has 447 g².
# -->

# %% [markdown] key="crash-limits" slide="subslide"
# The last figure shows the window and the local line, each at the $\sigma$ of its smallest leave-one-out error, and
# below it both ends enlarged. What is still wrong with these curves?
#
# <!-- slide
# **What is still wrong with these two curves?**
# -->

# %% key="crash-picture" hide="input"
t = np.linspace(2.4, 57.6, 1105)
all_seen = NadarayaWatson(Gaussian(0.91)).fit(crash.X, y)
curves = {
    "window, σ = 0.91 ms": all_seen.predict(t[:, None]),
    "local line, σ = 1.5 ms": line_smoother(t, x, 1.5) @ y,
}
fig, axes = plt.subplot_mosaic([["all", "all"], ["left", "right"]], figsize=(7.4, 4.8))
for ax in axes.values():
    ax.plot(x, y, "o", color="black", markersize=4)
    for i, (name, curve) in enumerate(curves.items()):
        ax.plot(t, curve, label=name, **cycle(i))
    ax.set(xlabel="time after impact (ms)")
axes["all"].set_ylabel("acceleration (g)")
axes["all"].legend(loc="lower right")
axes["left"].set(xlim=(2, 17), ylim=(-45, 8), ylabel="acceleration (g)")
axes["right"].set(xlim=(44, 58.2), ylim=(-35, 35))
show(
    fig,
    alt="The crash data with two curves, and both ends enlarged. The window's has many small "
    "waves; the local line's is smoother. Both fall below -100 g near 21 ms, the window a little "
    "deeper, and rise to about 40 g near 32 ms. Into the plunge the line sags earlier and falls "
    "more steeply; after 45 ms it has one wave where the window has several.",
)

# %% [markdown] key="crash-limits-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Wait for the many waves and for the missing error bar. Ask whether a wider window would be better. A likely answer
# is yes, because it has fewer waves; show where it fails, at the bottom of the plunge.
#
# </details>

# %% [markdown] key="crash-limits-reading" slide="fragment"
# The window has 15 turns, that is maxima and minima, and it does not say which of them are real. A wider window blurs
# the plunge: with $\sigma=3$ ms only three turns are left, but the minimum is $-83$ g instead of $-117$ g. The local
# line can use a larger width, so it turns seven times and has a leave-one-out error of 561 g² instead of 596 g². But
# its minimum is not deeper than that of a window of the same width. Chapter 3 *solves* for a better curve, and chapter
# 4 says how sure we can be of it.
#
# <!-- slide
# At $\sigma=3$ ms the window has three turns instead of 15, but its minimum is $-83$ g instead of $-117$ g. Neither
# curve says how sure we are.
# -->

# %% key="crash-verify" slide="skip" hide="input"
px, py, x0 = np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 4.0]), 0.7
k_at = np.exp(-((px - x0) ** 2) / 2)
c = weighted_mean_at(x0, px, py, 1.0)
verify("step 5: the derivative vanishes at the weighted mean", -2 * k_at @ (py - c), 0.0)
no_better = all(k_at @ (py - c) ** 2 <= k_at @ (py - b) ** 2 for b in np.linspace(-1, 5, 601))
verify("step 5: no other constant on a grid does better", no_better)
u = x - 20.0
w = np.sqrt(np.exp(-(u**2) / (2 * 1.5**2)))
fitted = np.linalg.lstsq(np.column_stack([w, w * u]), w * y, rcond=None)[0][0]
by_formula = (line_smoother(np.array([20.0]), x, 1.5) @ y)[0]
verify("the formula is least squares with these weights, at 20 ms", by_formula, fitted)
verify("at both ends some weights are below 0", S_line[ends].min(axis=1).max() < 0)
rest = np.arange(133) != 60
refit = y[60] - (line_smoother(x[[60]], x[rest], 1.5) @ y[rest])[0]
by_shortcut = ((y - S_line @ y) / (1 - np.diag(S_line)))[60]
verify("(5) holds for the local line", by_shortcut, refit)
drawn = [2.4, 10, 14, 17, 21, 26, 32, 38, 46, 57.6]  # the example, whatever you put in
hand = by_hand(drawn, [0, 0, -5, -60, -115, -50, 35, 15, 0, 0])
verify("error of the example drawn by hand (g²)", hand, "570")
knowing = test_all(lambda x, y, x_new: all_seen.predict(x_new[:, None])).mean()
verify("error of a window that has seen all dots (g²)", knowing, "447")
line_widths = np.round(np.arange(0.8, 5, 0.05), 2)
errors = [left_out(line_smoother(x, x, s), y) for s in line_widths]
verify("best width of the local line (ms)", line_widths[np.argmin(errors)], "1.5")
verify("leave-one-out error of the local line (g²)", min(errors), "561")


def turns(curve):
    return int(np.sum(np.diff(np.sign(np.diff(curve))) != 0))


broad, same = (NadarayaWatson(Gaussian(s)).fit(crash.X, y).predict(t[:, None]) for s in (3.0, 1.5))
narrow_window, local_line = curves.values()
verify("turns of both curves", [turns(narrow_window), turns(local_line)], [15, 7])
verify("turns of a window of 3 ms", turns(broad), 3)
verify("its minimum (g)", broad.min(), "-83")
verify("minimum of the window of 0.91 ms (g)", narrow_window.min(), "-117")
shallow = same.min() / local_line.min()
verify("the local line is as shallow as a window of its width", shallow, 1.0, tol=0.005)

# %% [markdown] key="density" slide="slide"
# ## Density estimation: Parzen's window
#
# Averaging won on one crash. Why should it work elsewhere? The weighted mean has a statistical reason. It estimates
# the conditional expectation $\mathbb E[y\mid x]$. To show this, we first estimate a density. Take 299 waiting times
# between eruptions of the Old Faithful geyser. Which waits are common, and which are rare?
#
# <!-- slide
# ## A histogram depends on where its bins begin
# -->

# %% key="density-picture" hide="input"
geyser = load_geyser()
waits = geyser.X[:, 0]
minutes = np.linspace(35, 115, 1601)
fig, axes = plt.subplots(1, 3, figsize=(9.6, 3.3), sharey=True)
for ax, start in zip(axes, (48, 42), strict=False):
    bins = np.arange(start - 12, 121, 12)
    ax.hist(waits, bins=bins, density=True, color="#bbbbbb", edgecolor="black")
    ax.set(title=f"bins from {start} min")
for i, s in enumerate((0.4, 3.1, 12.0)):
    p = ParzenDensity(s).fit(geyser.X).density(minutes[:, None])
    thin = {"linewidth": 1 if i == 0 else 2}
    axes[2].plot(minutes, p, label=f"σ = {s:g} min", **(cycle(i) | thin))
axes[2].set(title="Parzen's density")
axes[2].legend(loc="upper left", fontsize=9)
for ax in axes:
    ax.plot(waits, np.full(len(waits), -0.0015), "|", color="black", markersize=6)
    ax.set(xlabel="waiting time (min)", xlim=(35, 115), ylim=(-0.004, 0.072))
axes[0].set_ylabel("density (1/min)")
show(
    fig,
    alt="Three estimates from the same 299 waiting times. A histogram with bins from 48 min has "
    "two humps, one with bins from 42 min has one. Parzen's density is a row of narrow spikes "
    "for a width of 0.4 min, a smooth curve with two large humps for 3.1 min, and a single "
    "broad hump for 12 min.",
)

# %% [markdown] key="density-reading" slide="fragment"
# Both histograms show the same data, but one has two modes and the other has one, because a histogram depends on
# where its bins begin. Parzen's estimate has no bins. It puts a Gaussian of width $\sigma$ on *every* observation and
# takes the mean of these Gaussians:
#
# $$\hat p(x)=\frac1n\sum_{i=1}^n\frac{1}{(2\pi\sigma^2)^{d/2}}\,e^{-\|x-x_i\|^2/(2\sigma^2)}. \tag{7}$$
#
# <!-- slide
# 299 waiting times of a geyser: two modes or one? Parzen's density has no bins.
# -->

# %% [markdown] key="density-constant" slide="subslide"
# The factor in front makes each Gaussian integrate to 1, so $\int\hat p=1$. In the weighted mean this factor cancels,
# but in a density it must be present, with the exponent $d/2$ and the $\frac1n$. A density has a unit, here
# $1/\text{min}$, and is not a probability. It can be larger than 1, since a single Gaussian with $\sigma=0.01$ has
# the height $39.89$. One lecture calls the weighted mean a
# [*Parzen window*](errata.ipynb#E76.-Parzen's-window-estimates-a-density), but Parzen's window is this density.
#
# <!-- slide
# **Parzen: put a Gaussian on every observation.**
#
# $$\hat p(x)=\frac1n\sum_{i=1}^n\frac{1}{(2\pi\sigma^2)^{d/2}}\,e^{-\|x-x_i\|^2/(2\sigma^2)} \tag{7}$$
#
# - Each Gaussian integrates to 1, so $\int\hat p=1$. In (2) the factor cancels; here it must be present.
# - May a density be larger than 1?
#
# <div class="fragment">
#
# Yes. It has a unit, 1/min, and is **not a probability**: one Gaussian with $\sigma=0.01$ is 39.89 high.
#
# </div>
# -->

# %% [markdown] key="density-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# A likely answer to the question is no. Ask for the height of a rectangle of area 1 that is a tenth wide. (10.)
#
# </details>


# %% key="density-verify" slide="skip"
def parzen_at(x0, x, sigma):  # d = 1
    bumps = np.exp(-((x - x0) ** 2) / (2 * sigma**2)) / np.sqrt(2 * np.pi * sigma**2)
    return bumps.mean()


axis = np.linspace(-50, 200, 25_001)
p = np.array([parzen_at(m, waits, sigma=4.0) for m in axis])
verify("the area under (7) is 1", np.trapezoid(p, axis), 1.0)

# %% [markdown] key="density-loo" slide="skip"
# Which width is right? In the figure the smallest one shows the whole minutes to which the waits were rounded, and
# the largest one hides the second mode. The likelihood of the data themselves cannot choose $\sigma$. It grows
# without bound as $\sigma\to0$, because each observation lies under its own Gaussian. Leave-one-out can choose it.
# Omit the Gaussian at $x_i$ and compute $\log\hat p_{-i}(x_i)$. The mean over $i$ is largest at $\sigma=3.1$ min. But
# if every observation occurred twice, its copy would stay, and $\sigma\to0$ would win again.

# %% key="density-verify-2" slide="skip" hide="input"
for start, humps in ((48, 2), (42, 1)):
    bars = np.histogram(waits, bins=np.arange(start - 12, 121, 12))[0]
    tops = np.sum((bars[1:-1] > bars[:-2]) & (bars[1:-1] > bars[2:]))
    verify(f"humps of the histogram with bins from {start} min", tops, humps)
verify("299 waiting times", len(waits), 299)
verify("height of a bump of width 0.01", parzen_at(0.0, np.zeros(1), 0.01), "39.89")
verify("ParzenDensity is (7)", ParzenDensity(sigma=4.0).fit(geyser.X).density(axis[:, None]), p)
side = np.linspace(-8, 8, 321)
plane = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
two = ParzenDensity(sigma=0.8).fit([[0, 0], [1, 0], [0, 2]]).density(plane)
verify("in the plane, d = 2, the volume is 1 as well", two.sum() * 0.05**2, 1.0)
at_own = [ParzenDensity(s).fit(geyser.X).log_density(geyser.X).mean() for s in (4, 1, 0.25, 0.01)]
verify("the likelihood of its own data grows as σ shrinks", np.all(np.diff(at_own) > 0))
path = ParzenDensity(4.0).fit(geyser.X).loo_path(np.arange(0.5, 15, 0.1))
verify("leave-one-out likelihood chooses σ (min)", path.best, "3.1")
own = [np.log(parzen_at(w, np.delete(waits, i), 3.1)) for i, w in enumerate(waits)]
by_path = path.error[np.argmin(np.abs(path.values - 3.1))]
verify("it is the mean log density of the points left out", -np.mean(own), by_path)
pairs = ParzenDensity(4.0).fit(np.repeat(geyser.X, 2, axis=0))
best = pairs.loo_path([0.01, 0.1, 1, 3]).best
verify("every observation twice: the smallest σ wins", best, "0.01")

# %% [markdown] key="derivation" slide="slide"
# ## The weighted mean is a conditional expectation
#
# In mean squared error the best prediction of $y$ at $x$ is the conditional expectation $\mathbb E[y\mid x]$.
# Parzen's estimate of the joint density of $x$ and $y$ turns it into a formula. Write $\varphi_\sigma$ for the normal
# density of width $\sigma$.
#
# **Step 6.** Put a Gaussian on every *pair* $(x_i,y_i)$, of width $\sigma$ in $x$ and some width $\tau$ in $y$:
#
# $$\hat p(x,y)=\frac1n\sum_i\varphi_\sigma(x-x_i)\,\varphi_\tau(y-y_i).$$
#
# **Step 7.** Integrate over $y$. Each $\varphi_\tau$ integrates to 1, and Parzen's density of $x$ is left:
# $\;\int\hat p(x,y)\,dy=\frac1n\sum_i\varphi_\sigma(x-x_i)=\hat p(x)$.
#
# <!-- slide
# ## The weighted mean is a conditional expectation
#
# **Step 6.** A Gaussian on every *pair* $(x_i,y_i)$, of width $\sigma$ in $x$ and $\tau$ in $y$:
#
# $$\hat p(x,y)=\frac1n\sum_i\varphi_\sigma(x-x_i)\,\varphi_\tau(y-y_i).$$
#
# **Step 7.** Integrate over $y$; each $\varphi_\tau$ integrates to 1:
# $\;\int\hat p(x,y)\,dy=\frac1n\sum_i\varphi_\sigma(x-x_i)=\hat p(x)$.
# -->

# %% [markdown] key="derivation-2" slide="subslide"
# **Step 8.** Integrate $y$ times $\hat p(x,y)$. The mean of the Gaussian around $y_i$ is $y_i$, whatever $\tau$ is:
# $\;\int y\,\hat p(x,y)\,dy=\frac1n\sum_iy_i\,\varphi_\sigma(x-x_i)$.
#
# **Step 9.** Divide. The $\frac1n$ and the factor of the Gaussian cancel, and $\tau$ is no longer there:
#
# $$\hat{\mathbb E}[y\mid x]=\frac{\int y\,\hat p(x,y)\,dy}{\int\hat p(x,y)\,dy}
# =\frac{\sum_iy_i\,k(x,x_i)}{\sum_jk(x,x_j)}. \tag{8}$$
#
# This is (2). The only assumption was that a Gaussian around each pair is a fair estimate of the joint density.
#
# <!-- slide
# **The quotient is the weighted mean, whatever $\tau$ is.**
#
# **Step 8.** The mean of the Gaussian around $y_i$ is $y_i$:
# $\;\int y\,\hat p(x,y)\,dy=\frac1n\sum_iy_i\,\varphi_\sigma(x-x_i)$.
#
# **Step 9.** Divide; the $\frac1n$ and the factor of the Gaussian cancel:
#
# $$\hat{\mathbb E}[y\mid x]=\frac{\int y\,\hat p(x,y)\,dy}{\int\hat p(x,y)\,dy}
# =\frac{\sum_iy_i\,k(x,x_i)}{\sum_jk(x,x_j)} \tag{8}$$
# -->

# %% [markdown] key="derivation-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Draw three Gaussians in the plane of $x$ and $y$ and cut them at one $x$. Ask where $\tau$ will go. A likely answer
# is that the result depends on it.
#
# </details>

# %% key="derivation-verify" slide="skip"
sigma, tau, x0 = 1.0, 0.5, 0.7  # for the three pairs (px, py) of step 5


def bump(u, width):
    return np.exp(-(u**2) / (2 * width**2)) / np.sqrt(2 * np.pi * width**2)


v = np.linspace(-8, 12, 20_001)  # an axis for y
joint = np.mean(
    [bump(x0 - a, sigma) * bump(v - b, tau) for a, b in zip(px, py, strict=True)], axis=0
)
mass, moment = np.trapezoid(joint, v), np.trapezoid(v * joint, v)
verify("step 7: the integral over y is Parzen's density", mass, parzen_at(x0, px, sigma))
verify("step 8: the first moment", moment, np.mean(py * bump(x0 - px, sigma)))
verify("step 9: the quotient is (2)", moment / mass, weighted_mean_at(x0, px, py, sigma))

# %% [markdown] key="classes" slide="slide"
# ## Classification: when the answer is a label
#
# What if the answer is not a number? Everything carries over to classes if we average *indicators*. For class $c$ let
# the targets be $1$ where $y_i=c$ and $0$ elsewhere. Then $f(x)$ is the weighted share of class $c$ around $x$, an
# estimate of $\mathbb P(c\mid x)$, and the class with the largest share is predicted. For $k$-NN this is a vote. For
# windows it is *Bayes' rule with a Parzen density for each class*. Let class $c$ have $n_c$ points, and let $\hat
# p_c$ be the density (7) of these alone, with one $\sigma$ for all classes. Then
#
# $$\hat{\mathbb P}(c\mid x)=\frac{\sum_{i:\,y_i=c}k(x,x_i)}{\sum_jk(x,x_j)}=\frac{\frac{n_c}n\,\hat p_c(x)}{\sum_b\frac{n_b}n\,\hat p_b(x)}.$$
#
# <!-- slide
# ## Averaged indicators estimate class probabilities
#
# The target is 1 where $y_i=c$, 0 elsewhere. For $k$-NN
# that is a vote; for windows it is *Bayes' rule with a Parzen density for each class*:
#
# $$\hat{\mathbb P}(c\mid x)=\frac{\sum_{i:\,y_i=c}k(x,x_i)}{\sum_jk(x,x_j)}=\frac{\frac{n_c}n\,\hat p_c(x)}{\sum_b\frac{n_b}n\,\hat p_b(x)}$$
# -->

# %% [markdown] key="ripley" slide="skip"
# Ripley's synthetic data have 250 training points and 1000 test points in two classes. In the mixture that they come
# from, each class has two round Gaussians of variance $0.03$. On average over new points no rule makes fewer errors
# than the *Bayes rule*, which knows that mixture. The Bayes rule is itself a Parzen classifier, with two points per
# class.


# %% key="ripley-bayes" slide="skip"
def classify(S, y):  # y holds labels
    classes = np.unique(y)
    shares = S @ (y[:, None] == classes)  # row x: an estimate of P(c | x)
    return classes[shares.argmax(axis=1)]


train, test = load_synth(), load_synth("test")
votes = KNNRegressor(31).fit(train.X, train.y).smoother_matrix(test.X)
weights = NadarayaWatson(Gaussian(0.2)).fit(train.X, train.y).smoother_matrix(test.X)
voted = KNNClassifier(31).fit(train.X, train.y).predict(test.X)
parzen = ParzenClassifier(0.2).fit(train.X, train.y)
verify("S of the 31 nearest: a vote", classify(votes, train.y), voted)
verify("S of the window: Parzen's rule", classify(weights, train.y), parzen.predict(test.X))

centres = np.array(  # two of class 0, two of class 1
    [[-0.7, 0.3], [0.3, 0.3], [-0.3, 0.7], [0.4, 0.7]]
)
bayes = ParzenClassifier(sigma=np.sqrt(0.03)).fit(centres, [0, 0, 1, 1])
bayes_errors = np.sum(bayes.predict(test.X) != test.y)
print(f"{len(train.y)} training points and {len(test.y)} test points")
print(f"the Bayes rule gets {bayes_errors} of {len(test.y)} test points wrong")

# %% [markdown] key="ripley-predict" slide="subslide"
# **Predict first.** The next figure shows the regions of the $k$ nearest and covers the errors.
#
# 1. What is the *training* error for $k=1$? Is $k=1$ a simple model or a complex one?
# 2. With $k=31$, what becomes of the small islands? What happens to the training error, and what to the test error?
# 3. The dotted line is the Bayes rule on these test points. Can some $k$ reach it?
#
# <!-- slide
# **For Ripley's two classes the best rule is known.** The *Bayes rule* knows the mixture that they come from.
#
# **Predict first.**
#
# 1. What is the *training* error for $k=1$? Is $k=1$ a simple model or a complex one?
# 2. With $k=31$, what becomes of the islands? What happens to the training error, and what to the test error?
# 3. The dotted line is the Bayes rule on these test points. Can some $k$ reach it?
# -->

# %% [markdown] key="ripley-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Take a vote on question 1. A likely answer is that $k=1$ is simple; point back to $n/k$. For question 3, ask what it
# means to have found the best of 125 values of $k$ by looking at the test points. (The estimate is optimistic.)
#
# </details>


# %% key="ripley-figure" hide="input"
everyone = KNNClassifier(101).fit(train.X, train.y)
counted = {}


def vote(k, points):
    if not counted:  # the points are always the same: sort once, then count
        _, nearest = everyone.kneighbors(points)
        counted["votes"] = np.cumsum(train.y[nearest], axis=1, dtype=np.int16)
    return (2 * counted["votes"][:, k - 1] > k).astype(int)


def errors_of_all(data):
    """Errors for k = 1, …, 125: the neighbours are sorted once, then counted."""
    _, nearest = KNNClassifier(125).fit(train.X, train.y).kneighbors(data.X)
    votes, ks = np.cumsum(train.y[nearest], axis=1), np.arange(1, 126)
    # a tie goes to class 0
    return np.mean((2 * votes > ks) != data.y[:, None], axis=0)


all_errors = np.column_stack([errors_of_all(train), errors_of_all(test)])


def wrong_fractions(k):
    return tuple(all_errors[k - 1])


regions = classes_explorer(
    train, vote, wrong_fractions, bayes=float(np.mean(bayes.predict(test.X) != test.y))
)

# %% [markdown] key="ripley-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# For $k=1$ every training point is its own neighbour, so the training error is zero. But the test error is 0.150,
# because the map has an island around every isolated training point. This is *overfitting*. With $k=31$ the islands
# are gone, and the test error falls to 0.084, although the training error rises. Two values of $k$ even reach the
# Bayes rule, but we found them by looking at the test points. To choose $k$ honestly, use leave-one-out.
#
# </details>
#
# <!-- slide
# **A training error of 0 is a warning: $k=1$ overfits.**
#
# - $k=1$: training error 0, test error 0.150.
# - $k=31$: training error 0.112, test error 0.084.
# - The Bayes rule has 0.080. Two of 125 values of $k$ reach it, found by looking at the test points.
# -->

# %% [markdown] key="cover-hart" slide="skip"
# How bad can a single neighbour be? If the class probabilities are continuous, then in the limit of infinitely many
# points it makes at most twice as many errors as the Bayes rule. A pencil-and-paper problem at the end leads through
# the argument of Cover and Hart.

# %% key="ripley-verify" slide="skip" hide="input"
for k, seen_error, unseen_error in ((1, "0.000", "0.150"), (31, "0.112", "0.084")):
    verify(f"k = {k}: training error", wrong_fractions(k)[0], seen_error)
    verify(f"k = {k}: test error", wrong_fractions(k)[1], unseen_error)
on_test = np.round(1000 * all_errors[:, 1])
verify("values of k tried", len(on_test), 125)
verify("two of them reach the Bayes rule's 80 errors, none fewer", np.sum(on_test <= 80), 2)
verify("the minimum over k", on_test.min(), 80.0)
verify("errors of the Bayes rule in a thousand", bayes_errors, "80")
verify("as a fraction", bayes_errors / 1000, "0.080")
verify("Parzen's shares are S y", parzen.predict_proba(test.X)[:, 1], weights @ train.y)

# %% [markdown] key="wine" slide="slide"
# ## Which distance?
#
# So far it was clear which points are near. But all of this rests on a distance, and a distance has units. For 178
# Italian wines of three cultivars we have thirteen chemical measurements. Alcohol is measured in %, proline in
# milligrams per litre. A squared distance is a sum over all of them, and proline contributes 99.8 % on average,
# because its values vary most.
#
# <!-- slide
# ## A distance has units, and the largest variance wins
#
# 178 wines, 13 chemical measurements, alcohol in %, proline
# in mg per litre. How much of a squared distance is due to proline? What does standardising change?
#
# <div class="fragment">
#
# 99.8 % on average. Five neighbours have an accuracy of about 70 % with the raw columns, and above 95 % with
# standardised ones.
#
# </div>
# -->

# %% [markdown] key="wine-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Collect guesses; a likely one is 1/13. Then ask what happens if a chemist reports proline in grams. (It loses nearly
# all of its influence.)
#
# </details>

# %% [markdown] key="wine-title" slide="skip"
# How does standardising change the accuracy of five neighbours?

# %% key="wine-table" slide="skip"
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

wine = load_wine()
raw = KNNClassifier(n_neighbors=5)
scaled = make_pipeline(StandardScaler(), KNNClassifier(n_neighbors=5))  # scales inside each fold
runs = [StratifiedKFold(10, shuffle=True, random_state=seed) for seed in range(3)]
right = {"always the largest class": [np.bincount(wine.target).max() / 178] * 3}
for name, method in (("raw", raw), ("standardised", scaled)):
    right[name] = [cross_val_score(method, wine.data, wine.target, cv=f).mean() for f in runs]
columns = {"wines": "", "partition 1": ".3f", "partition 2": ".3f", "partition 3": ".3f"}
table("Accuracy, ten-fold cross-validation", columns, right)

# %% [markdown] key="wine-reading-2" slide="skip"
# With standardised columns the accuracy is above 95 % instead of about 70 %. The scaler is *part of the method*. In
# the pipeline it learns its means and deviations from the training folds alone. Standardising declares all columns
# equally important, which may also be wrong.

# %% [markdown] key="digits" slide="slide" tags=["later"]
# ## Does “near” mean anything in 64 dimensions?
#
# And what if there are many inputs? It is often said that in many dimensions all distances become alike. Here are
# 1797 handwritten digits of $8\times8$ pixels, points in $\mathbb R^{64}$. With leave-one-out, a single neighbour
# recognises 98.8 % of them. So is the saying wrong?
#
# <!-- slide
# ## Does “near” mean anything in 64 dimensions?
#
# 1797 handwritten digits of $8\times8$ pixels. How many of them does a single neighbour recognise?
#
# <div class="fragment">
#
# 98.8 %. It is often said that in many dimensions all distances become alike. Is that wrong?
#
# </div>
# -->

# %% [markdown] key="digits-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask for the recognition rate before you show it; a likely guess is 70 %. Then ask what changes when each pixel is
# shuffled among the images: every pixel keeps its values, but the pixels become independent.
#
# </details>

# %% [markdown] key="contrast-title" slide="subslide"
# For every point, divide the distance to its nearest neighbour by the median distance to all others. If all distances
# were alike, this ratio would be 1.
#
# <!-- slide
# **Shuffled pixels make the distances alike.**
# -->

# %% key="contrast-picture" hide="input"
digits = load_digits()
D, label = digits.data, digits.target
rng = np.random.default_rng(0)
clouds = {
    "digits": D,
    "pixels shuffled among the images": np.column_stack([rng.permutation(c) for c in D.T]),
    "uniform in 64 dimensions": rng.random(D.shape),
}
ratios = {}
for name, cloud in clouds.items():
    squares = (cloud**2).sum(axis=1)
    apart = np.sqrt(np.maximum(squares[:, None] + squares - 2 * cloud @ cloud.T, 0))
    np.fill_diagonal(apart, np.nan)
    ratios[name] = np.nanmin(apart, axis=1) / np.nanmedian(apart, axis=1)
fig, axes = plt.subplots(3, 1, figsize=(7.6, 4.4), sharex=True)
for ax, (name, ratio) in zip(axes, ratios.items(), strict=True):
    ax.hist(ratio, bins=np.linspace(0, 1, 61), color=cycle(0)["color"])
    ax.set(title=name, yticks=[])
    ax.grid(False, axis="y")
axes[2].set_xlabel("distance to the nearest point / median distance")
show(
    fig,
    alt="Three histograms of the nearest distance over the median distance. Digits: around 0.33, "
    "widely spread. The same pixels, each shuffled among the images: around 0.68. Uniform "
    "points: a narrow peak at 0.76.",
)

# %% [markdown] key="contrast-reading" slide="fragment"
# For a typical digit this ratio is 0.33. Shuffle each pixel among the images, so that it keeps its values but becomes
# independent of the other pixels, and the ratio rises to 0.68, near that of uniform points. So the saying is about
# many *independent* coordinates of similar spread. The pixels of a digit depend on each other, and there near still
# means alike.
#
# <!-- slide
# Median ratio: digits 0.33, pixels shuffled 0.68, uniform points 0.76.
# -->

# %% key="distance-verify" slide="skip" hide="input"
share = wine.data.var(axis=0) / wine.data.var(axis=0).sum()
proline = wine.feature_names.index("proline")
verify("share of proline in the mean squared distance (%)", 100 * share[proline], "99.8")
verify("raw: an accuracy of about 70 %", 0.68 < np.mean(right["raw"]) < 0.72)
verify("standardised: above 95 % on each partition", min(right["standardised"]) > 0.95)
verify("digits", len(D), 1797)
one = KNNClassifier(1).fit(D, label).loo_path(1).error[0]
verify("one neighbour, leave-one-out accuracy on the digits (%)", 100 * (1 - one), "98.8")
for name, quoted in zip(clouds, ("0.33", "0.68", "0.76"), strict=True):
    verify(f"{name}: median ratio", np.median(ratios[name]), quoted)

# %% [markdown] key="find-error" slide="slide"
# ## Find the error
#
# Somebody programs (2) with the Gaussian of another text, tries it on three data sets, and likes the first result.
# The program has two faults. One is a matter of convention, and the other is a mistake. Read it before you go on.
#
# ```python
# def window(u, v, sigma):
#     return np.exp(-np.sum((u - v) ** 2) / sigma**2)
#
# def smooth(X, y, X_new, sigma):
#     W = np.array([[window(u, v, sigma) for v in X] for u in X_new])
#     return (W / W.sum(axis=0)) @ y
# ```
#
# <!-- slide
# ## Find the error: a convention and a mistake
#
# ```python
# def window(u, v, sigma):
#     return np.exp(-np.sum((u - v) ** 2) / sigma**2)
#
# def smooth(X, y, X_new, sigma):
#     W = np.array([[window(u, v, sigma) for v in X] for u in X_new])
#     return (W / W.sum(axis=0)) @ y
# ```
# -->

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Give two minutes of silence. Ask the finder of the missing 2 why it does not matter if $\sigma$ is tuned. For the
# other fault, ask what must come out for a constant $y$.
#
# </details>

# %% [markdown] key="find-error-predict" slide="fragment"
# **Predict first.** The next figure has three data sets: equally spaced points, unequally spaced points, and
# unequally spaced points with equal targets. On which of them does the mistake hardly show? On which of them can a
# test of one line find it?

# %% [markdown] key="find-error-vote" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Take a vote for the panel that hides the mistake: left, middle or right. (The left one.) A likely answer is the
# right one, because a constant looks easy.
#
# </details>


# %% key="find-error-figure" hide="input"
def as_written(x, y, sigma):
    W = np.exp(-((x[:, None] - x) ** 2) / sigma**2)
    return (W / W.sum(axis=0)) @ y


def with_rows(x, y, sigma):
    W = np.exp(-((x[:, None] - x) ** 2) / sigma**2)
    return W @ y / W.sum(axis=1)


rng = np.random.default_rng(2)
even, uneven = (
    np.linspace(0, 6, 61),
    np.sort(np.concatenate([rng.uniform(0, 6, 25), rng.uniform(1, 2, 35)])),
)
noise = rng.normal(scale=0.15, size=61)
mistake_cases = {
    "equally spaced": (even, 1.5 + np.sin(even) + noise),
    "unequally spaced": (uneven, 1.5 + np.sin(uneven) + noise[:60]),
    "all targets are 2": (uneven, np.full(60, 2.0)),
}
both = {"as written": as_written, "repaired": with_rows}
mistakes = mistake_explorer(mistake_cases, both, sigma=0.3)

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What it computes</b> (open this once you have written down your answers)</summary>
#
# The code divides by the sums of the *columns*, but a weighted mean needs the sums of the *rows*. For equally spaced
# points all these sums are nearly equal except at the ends, so it hardly matters which of them divides. Where the
# density of the points changes, the weights of a row no longer add up to 1, and the curve is too high or too low. A
# constant must come back unchanged, up to rounding. This test of one line finds the mistake without a picture.
#
# Without the factor $2$, the same curve needs a $\sigma$ that is $\sqrt2$ times as large. If you copy such a number
# into another program, you get another curve.
#
# </details>
#
# <!-- slide
# **The columns sum to 1 instead of the rows.**
#
# - On equally spaced points all sums are nearly equal, except at the ends.
# - A constant must come back unchanged, up to rounding: a test of one line.
# - Without the 2, the same curve needs a $\sigma$ that is $\sqrt2$ times as large.
# -->

# %% [markdown] key="sklearn" slide="slide" tags=["later"]
# ## The same in scikit-learn
#
# In scikit-learn, $k$-NN takes any function of the distance as weights, so the library also has the window.
#
# <!-- slide
# ## In scikit-learn, Gaussian weights make k-NN a window
# -->

# %% key="sklearn-code"
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor


def gaussian_of(distances):
    return np.exp(-(distances**2) / (2 * 0.91**2))


others = KNeighborsRegressor(n_neighbors=132, weights=gaussian_of)  # all but the one left out
predicted = cross_val_predict(others, crash.X, y, cv=LeaveOneOut())
verify("Nadaraya–Watson, left out 133 times (g²)", np.mean((y - predicted) ** 2), "595.94")

# %% key="sklearn-wine" slide="skip"
theirs = make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=5))
same_votes = [cross_val_predict(m, wine.data, wine.target, cv=runs[0]) for m in (scaled, theirs)]
verify("wine, 5 neighbours: the same votes in all ten folds", *same_votes)

# %% [markdown] key="sklearn-traps" slide="skip"
# Two traps:
#
# - *Ties.* Between equal distances our rule takes the first point in the data, and scikit-learn takes points as its
#   search finds them. So both results depend on the order of the rows. With the rows of the crash in twenty different
#   orders, the error of scikit-learn with $k=11$ varies by more than 10 g².
# - *Cancellation.* With `algorithm="brute"`, which `"auto"` may choose, squared distances are computed as
#   $\|u\|^2-2u^\top v+\|v\|^2$. Far from the origin, significant digits cancel. With the times of the crash in
#   milliseconds since 1970, predictions are wrong by more than 50 g. Subtract the mean first.

# %% key="sklearn-verify" slide="skip" hide="input"
gaps = {name: np.abs(as_written(*d, 0.3) - with_rows(*d, 0.3)) for name, d in mistake_cases.items()}
inner = slice(15, -15)
verify("equally spaced: inside they agree to 0.001", gaps["equally spaced"][inner].max() < 1e-3)
verify("unequally spaced: they differ by over 0.5", gaps["unequally spaced"].max() > 0.5)
verify("with rows a constant comes back", with_rows(*mistake_cases["all targets are 2"], 0.3), 2.0)
theirs = np.geomspace(0.5, 6, 400)
ours = nw_loo_path(crash.X, y, theirs / np.sqrt(2))
best_at = ours.error.argmin()
verify("the missing 2 changes the number", theirs[best_at], np.sqrt(2) * ours.values[best_at])
two = KNeighborsRegressor(n_neighbors=2).fit(four_x[:, None], four_y)
verify("scikit-learn finds the same two neighbours", two.predict([[0.9], [3.2]]), [0.5, 10.0])
for algorithm in ("kd_tree", "ball_tree", "brute"):
    by_order = []
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(len(y))
        tree = KNeighborsRegressor(11, algorithm=algorithm).fit(crash.X[order], y[order])
        near = tree.kneighbors(return_distance=False)  # of each row, without itself
        by_order.append(np.mean((y[order] - y[order][near].mean(axis=1)) ** 2))
    verify(f"11 neighbours, {algorithm}: it varies by over 10 g²", np.ptp(by_order) > 10)
stamps = crash.X + 1.7e12
by_stamp = KNeighborsRegressor(10, algorithm="brute").fit(stamps, y).predict(stamps)
verify("with time stamps it is off by more than 50 g", np.abs(by_stamp - S_nearest @ y).max() > 50)

# %% [markdown] key="cost" slide="slide" tags=["later"]
# ## What it costs, and when not to use it
#
# Nothing is fitted, so nearly all of the cost comes with the predictions. All $n$ points must be kept, which is
# $O(nd)$ numbers, and computing all distances by *brute force* costs $O(nd)$ operations per query. A *k-d tree*
# divides the space into nested boxes and rules out whole boxes without computing their distances.
#
# <!-- slide
# ## The cost comes with the predictions
#
# Brute force computes all distances, $O(nd)$ operations per query; a *k-d
# tree* rules out whole boxes of points. Which is faster in the plane, and which in 64 dimensions?
# -->

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Collect guesses for both. A likely answer is the tree, twice. Then ask how long the edge of a cube must be that
# holds 1 % of the volume in 64 dimensions.
#
# </details>

# %% [markdown] key="cost-title" slide="subslide"
# How long does it take to find the ten nearest of $n$ uniform points, for $1000$ queries?
#
# <!-- slide
# **A tree helps in the plane and fails in 64 dimensions.**
# -->

# %% key="cost-picture" hide="input"
search = measured("ch01_search")
fig, axes = plt.subplots(1, 2, figsize=(9.2, 3.8), sharey=True)
for ax, d in zip(axes, (2, 64), strict=True):
    here = search["d"] == d
    n = search["n"][here]
    for i, (way, name) in enumerate((("brute", "brute force"), ("tree", "tree"))):
        ax.plot(n, search[way][here], marker="o", label=name, **cycle(i))
    ax.plot(n, search["tree built"][here], label="building the tree", **cycle(2))
    ax.set(xscale="log", yscale="log", xlabel="number of points n", title=f"d = {d}")
axes[0].legend(loc="upper left")
axes[0].set_ylabel("time for 1000 queries (s)")
show(
    fig,
    alt="Times for 1000 queries against the number of points, on logarithmic axes. In the plane "
    "brute force grows in proportion to n and the tree hardly; in 64 dimensions the tree is far "
    "above brute force, and grows at least in proportion. Building the tree costs more than asking "
    "it 1000 times where the plane has many points, and less in 64 dimensions.",
)
sizes = zip(search["d"], search["n"], strict=True)
gain = dict(zip(sizes, search["brute"] / search["tree"], strict=True))
verify("in the plane, 64 000 points: the tree is over ten times faster", gain[2, 64_000] > 10)
verify("in 64 dimensions: over ten times slower", gain[64, 64_000] < 1 / 10)
cube = np.random.default_rng(0)
tree = KDTree(cube.random((4000, 64)), leaf_size=20)
tree.query(cube.random((200, 64)), k=1)
verify("there it looks at nearly all points", tree.get_n_calls() > 0.99 * 200 * 4000)
for d, quoted in ((2, "0.10"), (64, "0.93")):
    verify(f"edge of a cube that holds 1 %, d = {d}", 0.01 ** (1 / d), quoted)
window_cost = measured("ch01_window")
log_n, log_time = np.log(window_cost["n"][1:]), np.log(window_cost["seconds"][1:])
power = np.polyfit(log_n, log_time, 1)[0]
verify("leave-one-out of a window grows about like n²", 1.6 < power < 2.4)
verify("S for 100 000 points, in gigabytes", 100_000**2 * 8 / 1e9, "80")

# %% [markdown] key="cost-reading" slide="fragment"
# At $n=64\,000$ the tree answers more than ten times faster than brute force in the plane. In 64 dimensions it is
# more than ten times *slower*, because it has to look at nearly all points one by one. A cube that holds
# 1 % of the unit cube has an edge of 0.10 in the plane and of 0.93 in 64 dimensions. So large a cube overlaps nearly
# every box of the tree, and almost no box can be ruled out.
#
# <!-- slide
# A cube with 1 % of the volume has 0.10 of the edge in the plane, 0.93 in 64 dimensions.
# -->

# %% [markdown] key="cost-window-reading" slide="skip"
# A Gaussian window gives every point a positive weight, so the time for leave-one-out and the memory for $S$ grow
# like $n^2$. For $n=100\,000$ the matrix takes 80 gigabytes. Predict in blocks of its rows.

# %% [markdown] key="when-not" slide="subslide"
# **When not to average neighbours:**
#
# - when the answer must go *beyond* the data, because averages never leave the range of $y$;
# - near steep edges and at peaks, where a mean blurs;
# - with many *independent* columns, or with units that nobody has thought about;
# - with many points in many dimensions and little time for each prediction.
#
# **When to use it first:** always, as a baseline, because it has one parameter and no training.

# %% [markdown] key="general" slide="slide"
# ## The general form: one coefficient per point
#
# What will the next chapters change? Both methods have the form
#
# $$f(x)=\sum_i\alpha_i\,K(x,x_i), \tag{9}$$
#
# with $\alpha_i=y_i$ and a $K$ that depends on all inputs through its normalisation. Later chapters keep the form,
# fix $K$ before they see any data, and *compute* the $\alpha_i$ from the targets.
#
# <!-- slide
# ## From now on K is fixed, and coefficients are computed
#
# $$f(x)=\sum_i\alpha_i\,K(x,x_i) \tag{9}$$
#
# Here $\alpha_i=y_i$, and $K$ is normalised over all points.
# -->

# %% [markdown] key="general-table"
# | chapter | $K$ | $\alpha$ |
# |---|---|---|
# | 1 neighbours, windows | normalised, depends on the $x_i$ | the targets themselves |
# | 3 kernel ridge regression | fixed | solves $(K+\lambda I)\alpha=y$ |
# | 6 support vector machines | fixed | solves a quadratic program; many are 0 |
# | 7 radial basis functions | fixed, at the points or at a few centres | solves a linear system or least squares |

# %% [markdown] key="not-mercer" slide="skip"
# From the next chapter on, a kernel is an inner product, so its matrix $k(x_i,x_j)$ is symmetric and has no
# negative eigenvalue. The Gaussian is a kernel in both meanings of the word, but the indicator in (3) [is
# not](errata.ipynb#E01.-The-nearest-neighbour-indicator-is-not-positive-semi-definite). Among $0,\ 1,\ 1.9,\ 4$
# with $k=2$, the point $1.9$ is a neighbour of $4$, but $4$ is not one of $1.9$.

# %% key="not-mercer-verify" slide="skip" hide="input"
line4 = np.array([[0.0], [1.0], [1.9], [4.0]])
indicator = 2 * KNNRegressor(n_neighbors=2).fit(line4, np.zeros(4)).smoother_matrix(line4)
verify("1.9 is a neighbour of 4, and 4 is not one of 1.9", indicator[[3, 2], [2, 3]], [1.0, 0.0])
lowest = np.linalg.eigvalsh((indicator + indicator.T) / 2).min()
verify("even made symmetric it has a negative eigenvalue", lowest < -0.2)
verify("the Gaussian's matrix has none below 0", np.linalg.eigvalsh(Gaussian(1.0)(line4)).min() > 0)

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - Average the targets of nearby points. Then $f=Sy$, where the rows of $S$ are non-negative and sum to 1.
# - A window fixes the reach, $k$-NN the number of points. A larger $\sigma$ or $k$ gives a simpler model, and
#   $\mathrm{df}=\operatorname{tr}S$ measures it.
# - Leave-one-out needs no refit: $\dfrac{y_i-f(x_i)}{1-S_{ii}}$. It chooses $\sigma$ and $k$, which trade bias
#   against variance.
# - The weighted mean is the best local constant, and $\mathbb E[y\mid x]$ under a Parzen density of the pairs.
# - Subtract the largest exponent first. Look at the units of a distance before you trust it.
#
# And the dots of the first page? Average before you draw. On the hidden dots, joining has an error of 925 g² and a
# window 698 g².
#
# <!-- slide
# ## Recap: average before you draw
#
# - Average the targets of nearby points: $f=Sy$, the rows of $S$ non-negative with sum 1.
# - A window fixes the reach, $k$-NN the number of points. A larger $\sigma$ or $k$ gives a simpler model:
#   $\mathrm{df}=\operatorname{tr}S$.
# - Leave-one-out needs no refit: $\dfrac{y_i-f(x_i)}{1-S_{ii}}$.
# - The weighted mean is the best local constant, and $\mathbb E[y\mid x]$ under a Parzen density of the pairs.
# - Subtract the largest exponent first. Look at the units of a distance.
#
# On the hidden dots: joined 925 g², window 698 g².
# -->

# %% [markdown] key="quiz" slide="slide"
# ## Five questions
#
# <details><summary>1. Your smoother changes targets that are all equal. What do you look at first?</summary>
#
# At the sums of the rows of $S$. They must be 1.
#
# </details>
#
# <details><summary>2. There are $100$ distinct points. Which has more degrees of freedom, $k=5$ neighbours or a very wide window?</summary>
#
# The neighbours have $100/5=20$, and the wide window has hardly more than one.
#
# </details>
#
# <details><summary>3. A density estimate has the value 12 at some $x$. Is that a mistake?</summary>
#
# No. A density is not a probability. Only its integral must be 1.
#
# </details>
#
# <details><summary>4. You multiply all inputs by ten. What happens to the best $\sigma$ and to the best $k$?</summary>
#
# The best $\sigma$ becomes ten times as large, and the best $k$ stays the same.
#
# </details>
#
# <details><summary>5. Why can the training error not choose $k$?</summary>
#
# On distinct points it is zero for $k=1$, whatever the targets are, because each point is its own nearest neighbour.
#
# </details>

# %% key="quiz-verify" slide="skip" hide="input"
five = KNNRegressor(5).fit(np.arange(100.0)[:, None], np.zeros(100))
verify("question 2: 5-NN on 100 distinct points", five.effective_df(), 20.0)
ten_times = nw_loo_path(10 * crash.X, y, 10 * fine.values)
verify("question 4: inputs times 10, the best σ times 10", ten_times.best, 10 * fine.best)

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are
# told which one. *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch01_neighbors")

# %% [markdown] key="references" numbers="free" slide="skip"
# ## Further reading
#
# - E. A. Nadaraya, *On estimating regression*, and G. S. Watson, *Smooth regression analysis*, both 1964.
# - E. Parzen, *On estimation of a probability density function and mode*, 1962.
# - T. M. Cover and P. E. Hart, *Nearest neighbor pattern classification*, 1967.
# - T. Hastie, R. Tibshirani and J. Friedman, *The Elements of Statistical Learning*, on bias, edges and local lines.
#
# **Next:** [the sheet](../exercises/ch01_neighbors_sheet.ipynb), where you write all of this yourself; then chapter
# 2, where a kernel is more than a weight.
