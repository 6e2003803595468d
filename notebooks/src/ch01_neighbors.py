# %% [markdown] key="title" slide="slide"
# # Neighbours and windows
#
# The oldest prediction there is: *what happened the last time things looked like this?* Average the answers. This chapter
# makes a method of it, twice, finds that both are one matrix, and learns from that matrix how far to look around.

# %% key="imports" slide="skip" hide="input"
import numpy as np
import matplotlib.pyplot as plt
from sklearn.datasets import load_digits, load_wine

from kcourse import Gaussian, KNNClassifier, KNNRegressor, NadarayaWatson, ParzenClassifier
from kcourse import ParzenDensity
from kcourse.datasets import load_geyser, load_mcycle, load_synth
from kcourse.lab import cycle, measured, show, table, use_style, verify
from kcourse.chapters.ch01_neighbors.figures import (
    classes_explorer, density_explorer, leave_one_out_explorer, mistake_explorer, weights_explorer,
)
from kcourse.neighbors import knn_loo_path, nw_loo_path

use_style()

# %% [markdown] key="question" slide="slide"
# ## What would you draw?
#
# To test helmets, a motorcycle crash is simulated, and the acceleration of the head is measured at many moments after the impact
# (Silverman's data of 1985; `kcourse/datasets/files/README.md` says where all data come from).
# Forget for an hour that there are methods. **Which curve would you draw through these dots?**

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
# Draw it on paper, and note its heights at ten times of your choice: the end of the chapter scores your curve beside its own.
#
# “Join the dots” is soon said. It cannot even be done: at 14.6 ms there are six measurements, from $-22.8$ g
# to $-5.4$ g, and a curve has one height there. Suppose we take the mean of those six and join. Is that wrong, or only ugly?
#
# <!-- slide
# “Join the dots” cannot even be done: at 14.6 ms there are six measurements. Take their mean, and join. **Is that wrong, or only ugly?**
# -->

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Let everyone draw the curve on paper, note its heights at ten times, and keep it for the end of the lecture (and for chapter 3). Ask
# what "wrong" could mean here: the curve passes through every measurement, so what could be held against it? The answer to wait
# for: *the next* measurement.
#
# </details>

# %% [markdown] key="dots" slide="subslide"
# **A test for a drawing.** Hide half of the dots, draw through the other half, and see how far the hidden ones lie from the
# line. Their squared distance, averaged over 200 ways to hide half, says what the drawing is worth.


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


# %% key="dots-picture" slide="skip" hide="input"
def test_all(predict):
    return np.array([hidden_half_error(predict, seed) for seed in range(200)])


joined, flat = test_all(join_the_dots), test_all(the_mean)
order = np.random.default_rng(1).permutation(len(y))
seen, hidden = np.sort(order[:67]), order[67:]
fig, ax = plt.subplots()
line = np.linspace(x.min(), x.max(), 1500)
ax.plot(x[hidden], y[hidden], "o", color="white", markeredgecolor="black", label="hidden half")
ax.plot(x[seen], y[seen], "o", color="black", markersize=4.5, label="seen half")
ax.plot(line, join_the_dots(x[seen], y[seen], line), **cycle(1), linewidth=1.4, label="joined")
ax.set(xlabel="time after impact (ms)", ylabel="head acceleration (g)")
ax.legend(loc="lower right")
show(
    fig,
    alt="One half of the crash data, joined by straight lines into a jagged curve; the other half, "
    "hidden while it was drawn, lies above and below it, often by 30 g and more.",
)

# %% key="dots-table" slide="subslide" hide="input"
table(
    "Mean squared error on the hidden half, 200 ways to hide it",
    {"method": "", "error (g²)": ".0f"},
    {"the mean of all, a horizontal line": flat.mean(), "joined dots": joined.mean()},
)

# %% [markdown] key="dots-reading" slide="fragment"
# So joining is far better than nothing: 925 g² against 2400 g². But every hidden dot pays twice, once for its own scatter and
# once for the scatter of the two dots that the line happens to join. Scatter averages out, if one averages. That is the idea
# of this chapter, and at its end we come back with the two methods and this same test.
#
# <!-- slide
# Better than nothing: 925 g² against 2400 g². But a hidden dot pays twice: for its own scatter, and for that of the two dots
# that the line joins. **Scatter averages out, if one averages.**
# -->

# %% key="dots-verify" slide="skip" hide="input"
verify("joined dots, on the hidden half (g²)", joined.mean(), "925")
verify("a horizontal line, on the hidden half (g²)", flat.mean(), "2400")
at_once = y[np.isclose(x, 14.6)]
verify("six measurements at 14.6 ms", len(at_once) == 6)
verify("the least of them (g)", at_once.min(), "-22.8")
verify("the largest of them (g)", at_once.max(), "-5.4")

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# 1. write $k$-nearest-neighbour and Nadaraya–Watson regression as one product $f=Sy$, and read the matrix $S$;
# 2. derive the weighted mean from a Parzen density, and tell a density from a regression;
# 3. choose $k$ and $\sigma$ by leave-one-out without a single refit;
# 4. compute far from the data, where the formula as written is $0/0$;
# 5. say when distance means something: units, scaling, many dimensions.

# %% [markdown] key="plan" slide="skip"
# **You need** means, variances, and integrals of a product; from probability, conditional expectation. **Reading:** two hours.
# **Lecture:** two 45-minute lectures. **Exercises:** two to three hours, [in the sheet](../exercises/ch01_neighbors_sheet.ipynb).

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# The two Gaussians, the shape of the window, one more neighbour, Cover and Hart, the traps of scikit-learn are not in the deck: they read well at home.
#
# Can be skipped: What σ trades; A word with two meanings; Which distance?; What it costs, and when not to use it.
#
# </details>

# %% [markdown] key="knn" slide="slide"
# ## Average the nearest
#
# We have $n$ points $x_1,\dots,x_n\in\mathbb R^d$, each with a target $y_i\in\mathbb R$; for the crash $d=1$. To predict at a new
# $x$, take the $k$ points nearest to it and average their targets. With $\mathcal V_k(x)$ for the set of these $k$ points,
#
# $$f(x)=\frac1k\sum_{x_i\in\mathcal V_k(x)}y_i. \tag{1}$$
#
# This is *$k$-nearest-neighbour regression*, $k$-NN. One thing must be settled before it is a method: which of two points
# counts when both are equally far? Here **the one that stands first in the data**. With measured times, rounded to 0.2 ms,
# this happens all the time.
#
# <!-- slide
# Points $x_1,\dots,x_n\in\mathbb R^d$, targets $y_i\in\mathbb R$. At a new $x$ average the targets of the $k$ nearest,
# $\mathcal V_k(x)$:
#
# $$f(x)=\frac1k\sum_{x_i\in\mathcal V_k(x)}y_i \tag{1}$$
#
# This is *$k$-nearest-neighbour regression*, $k$-NN. Of two points equally far, **the one that stands first in the data** counts.
# -->


# %% key="knn-code" slide="subslide"
def knn_at(x0, x, y, k):
    nearest = np.argsort(np.abs(x - x0), kind="stable")[:k]  # stable: of equals the first
    return y[nearest].mean()


four_x, four_y = np.array([0.0, 1.0, 2.0, 4.0]), np.array([0.0, 1.0, 4.0, 16.0])
print(knn_at(0.9, four_x, four_y, k=2), knn_at(3.2, four_x, four_y, k=2))

# %% [markdown] key="knn-by-hand" slide="fragment"
# By hand: the two points nearest to 0.9 are 1 and 0, their targets 1 and 0, the mean is 0.5. Nearest to 3.2 are 4 and 2, at
# distances 0.8 and 1.2, and the mean of 16 and 4 is 10.

# %% key="knn-verify" slide="skip" hide="input"
model = KNNRegressor(n_neighbors=2).fit(four_x[:, None], four_y)
verify("KNNRegressor does what knn_at does", model.predict([[0.9], [3.2]]), [0.5, 10.0])
verify("equally far from 1 and 2: the first counts", knn_at(1.5, four_x, four_y, 1), 1.0)

# %% [markdown] key="window" slide="slide"
# ## Let the say fade with distance
#
# In (1) a neighbour has a full say or none, so $f$ jumps wherever the set $\mathcal V_k(x)$ changes. Let the say fade instead:
# give $x_i$ the weight $k(x,x_i)=\exp\!\big(-\|x-x_i\|^2/(2\sigma^2)\big)$, which is 1 where $x_i=x$ and falls to 0 within a few
# *widths* $\sigma$, and take the weighted mean:
#
# $$f(x)=\frac{\sum_iy_i\,k(x,x_i)}{\sum_jk(x,x_j)}. \tag{2}$$
#
# This is the *Nadaraya–Watson* smoother. (From here on $k(x,z)$ with two points is the weight function, the *kernel*, and $k$
# alone the number of neighbours; both names are too old to change.)
#
# <!-- slide
# In (1) a neighbour has a full say or none, so $f$ jumps. Let the say fade: $k(x,x_i)=\exp\!\big(-\|x-x_i\|^2/(2\sigma^2)\big)$, with a
# *width* $\sigma$, and
#
# $$f(x)=\frac{\sum_iy_i\,k(x,x_i)}{\sum_jk(x,x_j)}. \tag{2}$$
#
# This is the *Nadaraya–Watson* smoother.
# -->


# %% key="window-code" slide="subslide"
def weighted_mean_at(x0, x, y, sigma):
    weights = np.exp(-((x - x0) ** 2) / (2 * sigma**2))
    return weights @ y / weights.sum()


print(f"{weighted_mean_at(1.0, np.array([0, 1, 2]), np.array([0, 1, 4]), sigma=1.0):.10f}")

# %% [markdown] key="window-by-hand" slide="fragment"
# **By hand:** points 0, 1, 2 with targets 0, 1, 4, and $\sigma=1$. At $x=1$ the weights are $e^{-1/2},1,e^{-1/2}$, so
# $f(1)=\big(1+4e^{-1/2}\big)/\big(1+2e^{-1/2}\big)=1.5481372381$. The point that is measured there says 1: the neighbour with
# 4 pulls harder than the neighbour with 0.

# %% key="window-verify" slide="skip" hide="input"
e = np.exp(-0.5)
by_hand = (1 + 4 * e) / (1 + 2 * e)
verify(
    "the code does what the hand does",
    weighted_mean_at(1.0, np.arange(3.0), np.array([0, 1, 4]), 1.0),
    by_hand,
)
verify("f(1)", by_hand, "1.5481372381")
model = NadarayaWatson(Gaussian(sigma=1.0)).fit([[0], [1], [2]], [0, 1, 4])
verify("NadarayaWatson agrees", model.predict([[1.0]])[0], by_hand)

# %% [markdown] key="window-names" slide="skip"
# **Two names and a missing 2.** One lecture that this course follows calls (2) a *Parzen window* (*fenêtre de Parzen*) and adds
# that it is “used rather for regression”. Parzen's window is a density, further below; the quotient (2) is
# Nadaraya's and Watson's, of 1964. The same lecture writes its Gaussian $e^{-\|u-v\|^2/\sigma^2}$ on one page and
# $e^{-\frac12\|u-v\|^2/\sigma^2}$ on the next, with one letter for two numbers: the first $\sigma$ is $\sqrt2$ times the second.
# At distance 1 and $\sigma=0.7$ they give 0.130 and 0.360. In this course the 2 is always there, and $\sigma$ is the standard
# deviation of the bell.

# %% key="window-names-verify" slide="skip" hide="input"
verify("without the 2, at distance 1, σ = 0.7", np.exp(-1 / 0.7**2), "0.130")
verify("with the 2, at distance 1, σ = 0.7", np.exp(-1 / (2 * 0.7**2)), "0.360")
verify(
    "√2 times the width makes them equal",
    np.exp(-1 / (np.sqrt(2) * 0.7) ** 2),
    np.exp(-1 / (2 * 0.7**2)),
)

# %% [markdown] key="weights" slide="slide"
# ## Who has a say at x₀?
#
# **Predict first.** Below you choose a place $x_0$ and see the weight that each measurement has there. Write down:
#
# 1. $x_0$ moves to 62 ms, beyond the last measurement. Does the curve go on falling, or rising, or what?
# 2. You make $\sigma$ ten times larger, from 1 ms to 10 ms. Does the curve get more complex or simpler?
# 3. With *$k$ nearest* the bars are all equally high. Where is the *stretch* that they cover longest: before 14 ms, where
#    measurements are rare, or around 20 ms, where they are dense? And with the fading window?

# %% [markdown] key="weights-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Hands up for each answer, then move. For 1 ask what could make the curve go on falling. Drag x₀ slowly across
# the plunge and let them see the bars walk. For 3: the window has a fixed reach and a varying number of points, k-NN a
# fixed number and a varying reach. Ask which they would rather have at the edges of a city, and which in the middle.
#
# </details>


# %% key="weights-figure" hide="input"
def gaussian_weights(points, sigma):
    return NadarayaWatson(Gaussian(sigma)).fit(crash.X, y).smoother_matrix(points)


def neighbour_weights(points, k):
    return KNNRegressor(k).fit(crash.X, y).smoother_matrix(points)


who = weights_explorer(crash, {"fading window": gaussian_weights, "k nearest": neighbour_weights})

# %% [markdown] key="weights-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# Beyond the last measurement the curve becomes flat: whoever averages continues no trend, and never leaves the range of the
# $y_i$. A larger $\sigma$ averages over more points, so the curve is **simpler**; in the end it is the mean of all $y$, a
# horizontal line. The window has a fixed *reach* and takes as many points as it finds; $k$-NN takes a fixed *number* and
# reaches as far as it must, so its stretch is long where points are rare.
#
# </details>

# %% key="weights-verify" slide="skip" hide="input"
model = NadarayaWatson(Gaussian(1.0)).fit(crash.X, y)
verify("far beyond: the last measurement", model.predict([[70.0], [200.0]]), y[-1], tol=1e-4)
everywhere = model.predict(np.linspace(-50, 150, 999)[:, None])
inside = y.min() <= everywhere.min() and everywhere.max() <= y.max()
verify("it never leaves the range of the y", inside)
wide = NadarayaWatson(Gaussian(1e5)).fit(crash.X, y).predict(crash.X)
verify("a huge σ leaves the mean of all y", wide, y.mean(), tol=1e-6)
reach = [np.ptp(x[np.argsort(np.abs(x - x0), kind="stable")[:10]]) for x0 in (5, 20)]
verify("ten neighbours reach further at 5 ms than at 20 ms", reach[0] > 2 * reach[1])

# %% [markdown] key="smoother" slide="slide"
# ## One matrix for both
#
# **Step 1.** Both predictions are a weighted mean of the same $n$ targets. Put the weights at $q$ places $z_1,\dots,z_q$ into the rows of a
# $q\times n$ matrix $S$:
#
# $$f=Sy,\qquad S_{ij}=\frac{k(z_i,x_j)}{\sum_lk(z_i,x_l)},\qquad k(u,v)=\mathbf 1\big[v\in\mathcal V_k(u)\big]\ \text{ or }\
# e^{-\|u-v\|^2/(2\sigma^2)}. \tag{3}$$
#
# $S$ depends on the points $x_i$ and not on the targets $y_i$. Such a method is called a *linear smoother*, linear in $y$. Its
# entries are at least 0, and **every row sums to 1**. Three things follow at once: a constant $y$ comes back unchanged, $f$
# never leaves $[\min y,\max y]$, and $f(y+z)=f(y)+f(z)$.
#
# <!-- slide
# **Step 1.** Put the weights at $q$ places $z_i$ into the rows of a $q\times n$ matrix $S$:
#
# $$f=Sy,\qquad S_{ij}=\frac{k(z_i,x_j)}{\sum_lk(z_i,x_l)} \tag{3}$$
#
# with $k(u,v)=\mathbf 1\big[v\in\mathcal V_k(u)\big]$ or $e^{-\|u-v\|^2/(2\sigma^2)}$.
#
# A *linear smoother*: $S$ depends on the $x_i$, not on the $y_i$. Entries at least 0, and **every row sums to 1**. What follows
# for a constant $y$? For the range of $f$?
#
# <div class="fragment">
#
# A constant comes back; $f$ never leaves the range of $y$.
#
# </div>
# -->

# %% key="smoother-verify" slide="skip"
S_window = NadarayaWatson(Gaussian(sigma=1.5)).fit(crash.X, y).smoother_matrix(crash.X)
S_nearest = KNNRegressor(n_neighbors=10).fit(crash.X, y).smoother_matrix(crash.X)
verify("window: rows sum to 1, so a constant comes back", S_window @ np.full(133, 7.0), 7.0)
verify("neighbours: so does theirs", S_nearest @ np.full(133, 7.0), 7.0)

# %% key="smoother-verify-2" slide="skip" hide="input"
verify("(3) is (2)", (S_window @ y)[40], weighted_mean_at(x[40], x, y, 1.5))
verify("(3) is (1)", (S_nearest @ y)[40], knn_at(x[40], x, y, 10))
verify("no weight is negative", min(S_window.min(), S_nearest.min()) >= 0)

# %% [markdown] key="smoother-look" slide="subslide"
# **Look at S.** Rows and columns are the 133 times in their order; darker is more weight. **Predict first**, with a pencil: draw three
# squares, and in each the dark entries of $S$, for a narrow window, for a wide one, and for ten neighbours. What tells the third from the
# first?

# %% [markdown] key="smoother-look-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# A minute for the three sketches. Then follow one row with the finger: it is one bar chart of the explorer. The blocks of equal rows
# in k-NN are the repeated times. Ask what S would look like for joined dots (two entries a row), and for the mean (all entries 1/n).
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
# The window's band swells where measurements are dense and shrinks where they are rare; a larger $\sigma$ widens and pales it. The
# band of the ten nearest has sharp edges, the same ten entries of $1/10$ in each row, and moves in steps; equal rows are
# repeated times. Everything that these methods do to the data stands in this picture.
#
# </details>
#
# <!-- slide
# A wider window widens and pales the band. Ten entries of $1/10$ in each row, sharp edges, steps: the third one counts.
# -->

# %% [markdown] key="df" slide="subslide"
# **Step 2. One number from the matrix.** The diagonal entry $S_{ii}$ is the say that a measurement has in the prediction at its
# own place. Their sum
#
# $$\mathrm{df}=\operatorname{tr}S=\sum_iS_{ii} \tag{4}$$
#
# is called the *effective degrees of freedom*: how many free parameters the curve behaves like. Where all points are distinct, $k$-NN
# has every $S_{ii}=1/k$, so $\mathrm{df}=n/k$; a horizontal line has 1, joined dots have $n$. **So $k=1$ is not the simplest model
# but the most complex**, and a wider window is the simpler one.
#
# <!-- slide
# **Step 2. One number from the matrix:** $\mathrm{df}=\operatorname{tr}S$, the *effective degrees of freedom*. For $k$-NN with distinct
# points every $S_{ii}=1/k$, so $\mathrm{df}=n/k$.
#
# **Which is the simplest model: $k=1$ or $k=n$?**
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
# A likely answer is k = 1, because it needs no averaging. Count: n/k is n for k = 1 and 1 for k = n. Chapter 3 meets the same trace
# for kernel ridge regression, and there it comes from eigenvalues.
#
# </details>

# %% key="df-verify" slide="skip" hide="input"
distinct = np.arange(60.0)[:, None]
for k in (1, 6, 60):
    df = KNNRegressor(k).fit(distinct, np.zeros(60)).effective_df()
    verify(f"60 distinct points, {k} nearest: df is n/k", df, 60 / k)
widths = [0.5, 1.5, 5.0, 50.0]
traces = [NadarayaWatson(Gaussian(s)).fit(crash.X, y).effective_df() for s in widths]
verify("a wider window has fewer degrees of freedom", np.all(np.diff(traces) < 0))
verify("df is the trace", traces[1], np.trace(S_window))

# %% [markdown] key="density" slide="slide"
# ## Parzen's window: a density
#
# Between eruptions of the Old Faithful geyser visitors wait. Here are 299 waiting times of August 1985 (Azzalini and Bowman, 1990), and the question is not what follows
# from them but **how they are distributed**: which waits are common, which are rare?

# %% key="density-data" slide="skip"
geyser = load_geyser()
waits = geyser.X[:, 0]
print(f"{len(waits)} waiting times, from {waits.min():.0f} to {waits.max():.0f} minutes")

# %% key="density-picture" hide="input"
fig, axes = plt.subplots(1, 2, figsize=(9.2, 3.3), sharey=True)
for ax, start in zip(axes, (48, 42), strict=True):
    ax.hist(
        waits, bins=np.arange(start - 12, 121, 12), density=True, color="#bbbbbb", edgecolor="black"
    )
    ax.plot(waits, np.full(len(waits), -0.0012), "|", color="black", markersize=7)
    ax.set(
        xlabel="waiting time (min)", title=f"bins from {start} min on, 12 min wide", xlim=(35, 115)
    )
axes[0].set_ylabel("density (1/min)")
show(
    fig,
    alt="Two histograms of the same 299 waiting times, with bins of 12 min that begin at 48 or "
    "at 42 min. The first has two humps with a dip at 60 to 72 min; the second rises in steps to "
    "one hump at 78 to 90 min. Ticks below mark the 52 whole minutes that occur.",
)
verify("different minutes", len(np.unique(waits)), 52)
for start, humps in ((48, 2), (42, 1)):
    bars = np.histogram(waits, bins=np.arange(start - 12, 121, 12))[0]
    tops = np.sum((bars[1:-1] > bars[:-2]) & (bars[1:-1] > bars[2:]))
    verify(f"humps of the histogram with bins from {start} min on", tops, humps)

# %% [markdown] key="density-reading"
# The same data and two stories, two humps or one: the histogram depends on where its bins happen to begin. Parzen's repair puts a small bell on
# *every* observation and lets no bin begin anywhere:
#
# $$\hat p(x)=\frac1n\sum_{i=1}^n\frac{1}{(2\pi\sigma^2)^{d/2}}\,e^{-\|x-x_i\|^2/(2\sigma^2)}. \tag{5}$$
#
# <!-- slide
# The same data, two humps or one: it depends on where the bins begin.
# -->

# %% [markdown] key="density-constant" slide="subslide"
# The factor in front makes each bell integrate to 1, so $\int\hat p=1$. In the quotient (2) the same factor cancels and is left
# out; in a density it must stand, with the exponent $d/2$ and the $\frac1n$. A density has a unit, 1/min here, and is **no
# probability**: one bell with $\sigma=0.01$ is 39.89 high, and that is in order.
#
# <!-- slide
# **Parzen: a small bell on every observation.**
#
# $$\hat p(x)=\frac1n\sum_{i=1}^n\frac{1}{(2\pi\sigma^2)^{d/2}}\,e^{-\|x-x_i\|^2/(2\sigma^2)} \tag{5}$$
#
# - Each bell integrates to 1, so $\int\hat p=1$. In (2) the factor cancels; here it must stand.
# - A density has a unit, 1/min, and is **no probability**: one bell with $\sigma=0.01$ is 39.89 high.
# -->


# %% key="density-verify" slide="skip"
def parzen_at(x0, x, sigma):  # d = 1
    bells = np.exp(-((x - x0) ** 2) / (2 * sigma**2)) / np.sqrt(2 * np.pi * sigma**2)
    return bells.mean()


minutes = np.linspace(-50, 200, 25_001)
p = np.array([parzen_at(m, waits, sigma=4.0) for m in minutes])
verify("the area under (5) is 1", np.trapezoid(p, minutes), 1.0)

# %% key="density-verify-2" slide="skip" hide="input"
verify("one bell of width 0.01 at its top", parzen_at(0.0, np.zeros(1), 0.01), "39.89")
model = ParzenDensity(sigma=4.0).fit(geyser.X)
verify("ParzenDensity agrees", model.density(minutes[:, None]), p)
plane = np.stack(np.meshgrid(np.linspace(-8, 8, 321), np.linspace(-8, 8, 321)), axis=-1).reshape(
    -1, 2
)
two = ParzenDensity(sigma=0.8).fit([[0, 0], [1, 0], [0, 2]]).density(plane)
verify("in the plane, d = 2, the volume is 1, too", two.sum() * 0.05**2, 1.0)

# %% [markdown] key="density-predict" slide="subslide"
# **Predict first**, then move.
#
# 1. $\sigma$ shrinks to 0.4 min. What becomes of the area under the curve, and of the number of bumps?
# 2. Which widths show one bump, which two? Is “there are two kinds of waits” a fact of the data, then, or of $\sigma$?
# 3. A new wait of 118 min comes in, longer than any so far. Is its log density $-\infty$, about $-10$, or about $-100$, and
#    what does $\sigma$ have to do with it?

# %% [markdown] key="density-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Hands up for 1; a likely answer is that the area grows, because the curve grows taller. For 2 let them find the widths where the second
# bump dies. For 3, ask what a rare wait would cost in a likelihood, and why the likelihood of data that the curve was made
# of cannot choose σ.
#
# </details>


# %% key="density-figure" hide="input"
def log_density(sigma, points):
    return ParzenDensity(sigma).fit(geyser.X).log_density(points[:, None])


geyser_knob = density_explorer(waits, log_density, "min")

# %% [markdown] key="density-answers" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# The area stays 1: what a bell gains in height it loses in width. At 0.4 min there are 36 bumps,
# on whole minutes, to which the waits were rounded: the curve shows the clock. From about 3 min to 6 min there are two or three, at 8 min one. Two bumps survive over a long range of widths, and that is the
# evidence for two kinds of waits, not any single picture. The log density of the long wait is finite for every $\sigma$: $-11$ at 4 min, $-321$ at the slider's 0.398 min, and
# below any number as $\sigma\to0$. Narrow bells call impossible whatever has not been seen yet.
#
# </details>

# %% [markdown] key="density-loo" slide="subslide"
# **Which width?** The likelihood of the data that the curve is made of only grows as $\sigma\to0$: each observation sits under its
# own bell. So leave that bell out: $\hat p_{-i}(x_i)$, the density at $x_i$ of the other $n-1$. Its mean logarithm has a maximum,
# here at $\sigma=3.1$ min. One trap remains: these times are rounded to whole minutes, and if *every* observation had a twin,
# $\sigma\to0$ would win even so. No width below the rounding means anything.
#
# <!-- slide -->

# %% key="density-loo-verify" slide="skip" hide="input"
def bumps(sigma):
    p = np.exp(log_density(sigma, np.linspace(20, 140, 4001)))
    return int(np.sum((p[1:-1] > p[:-2]) & (p[1:-1] >= p[2:])))


long_wait = np.array([118.0])
for s, quoted in ((4.0, "-11"), (10**-0.4, "-321")):
    verify(f"log density of 118 min, σ = {s:.3g} min", log_density(s, long_wait)[0], quoted)
many = {bumps(s) for s in np.arange(3, 6.01, 0.25)}
verify("from 3 to 6 min there are two or three bumps", many == {2, 3})
verify("at 8 min there is one, at 0.4 min", [bumps(8.0), bumps(10**-0.4)], [1, 36])
path = ParzenDensity(4.0).fit(geyser.X).loo_path(np.arange(0.5, 15, 0.1))
verify("leave-one-out likelihood chooses σ (min)", path.best, "3.1")
at_own = [log_density(s, waits).mean() for s in (4.0, 1.0, 0.25)]
verify("the likelihood of its own data grows as σ shrinks", np.all(np.diff(at_own) > 0))
own = [np.log(parzen_at(w, np.delete(waits, i), 3.1)) for i, w in enumerate(waits)]
by_hand = path.error[np.argmin(np.abs(path.values - 3.1))]
verify("the path is what leaving out by hand gives", -np.mean(own), by_hand)

# %% [markdown] key="derivation" slide="slide"
# ## From the density to the curve
#
# Why should a weighted mean be the right thing? Because it is a *conditional expectation*, once the joint distribution of $x$ and
# $y$ has been estimated by bells. Write $\varphi_\sigma$ for the normal density of width $\sigma$.
#
# **Step 3.** Put a bell on every *pair* $(x_i,y_i)$, of width $\sigma$ in $x$ and some width $\tau$ in $y$:
#
# $$\hat p(x,y)=\frac1n\sum_i\varphi_\sigma(x-x_i)\,\varphi_\tau(y-y_i).$$
#
# **Step 4.** Integrate over $y$. Each $\varphi_\tau$ integrates to 1, and Parzen's density of $x$ is left:
# $\;\int\hat p(x,y)\,dy=\frac1n\sum_i\varphi_\sigma(x-x_i)=\hat p(x)$.

# %% [markdown] key="derivation-2" slide="subslide"
# **Step 5.** Integrate $y$ times it. The mean of the bell around $y_i$ is $y_i$, whatever $\tau$ is:
# $\;\int y\,\hat p(x,y)\,dy=\frac1n\sum_iy_i\,\varphi_\sigma(x-x_i)$.
#
# **Step 6.** Divide. The $\frac1n$ and the factor of the bell cancel, and $\tau$ has gone:
#
# $$\hat{\mathbb E}[y\mid x]=\frac{\int y\,\hat p(x,y)\,dy}{\int\hat p(x,y)\,dy}
# =\frac{\sum_iy_i\,k(x,x_i)}{\sum_jk(x,x_j)}. \tag{6}$$
#
# That is (2). All that was assumed: that a bell around each pair is a fair estimate of the joint density.

# %% key="derivation-verify" slide="skip"
px, py, sigma, tau, x0 = np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 4.0]), 1.0, 0.5, 0.7


def bell(u, width):
    return np.exp(-(u**2) / (2 * width**2)) / np.sqrt(2 * np.pi * width**2)


v = np.linspace(-8, 12, 20_001)  # an axis for y
joint = np.mean(
    [bell(x0 - a, sigma) * bell(v - b, tau) for a, b in zip(px, py, strict=True)], axis=0
)
mass, moment = np.trapezoid(joint, v), np.trapezoid(v * joint, v)
verify("step 4: the integral over y is Parzen's density", mass, parzen_at(x0, px, sigma))
verify("step 5: the first moment", moment, np.mean(py * bell(x0 - px, sigma)))
verify(
    "step 6: the quotient is the weighted mean", moment / mass, weighted_mean_at(x0, px, py, sigma)
)

# %% [markdown] key="argmin" slide="subslide"
# **Step 7. A second reason for the same formula.** Look for the constant $c$ that fits best *near* $x$: minimise
# $\sum_ik(x,x_i)\,(y_i-c)^2$. The derivative $-2\sum_ik(x,x_i)(y_i-c)$ vanishes at $c=\sum_iy_ik(x,x_i)/\sum_jk(x,x_j)$, which is
# (2) again, and it is a minimum because no weight is negative and not all of them are 0. So (2) fits a *constant* locally. Where the curve is steep
# and the neighbours lie to one side, as at an edge, a constant is wrong. What would you fit instead?
#
# <!-- slide
# **Step 7. A second reason for the same formula.** The constant $c$ that fits best *near* $x$, least
#
# $$\sum_ik(x,x_i)\,(y_i-c)^2\quad\Longrightarrow\quad c=\frac{\sum_iy_ik(x,x_i)}{\sum_jk(x,x_j)}.$$
#
# A minimum, because no weight is negative. What would you fit instead, at the edge of the data?
# -->

# %% [markdown] key="argmin-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# A straight line, with the same weights. Draw points on y = x and ask for the weighted mean at the right end: too low, because all
# neighbours are to the left. The formula of the next page is the task on paper of the sheet.
#
# </details>

# %% key="argmin-verify" slide="skip" hide="input"
k_at = np.exp(-((px - x0) ** 2) / 2)
c = weighted_mean_at(x0, px, py, 1.0)
verify("step 7: the derivative vanishes at the weighted mean", -2 * k_at @ (py - c), 0.0)
verify(
    "no other constant on a grid does better",
    all(k_at @ (py - c) ** 2 <= k_at @ (py - b) ** 2 for b in np.linspace(-1, 5, 601)),
)

# %% [markdown] key="line" slide="subslide"
# **A local straight line.** Minimise $\sum_ik(x,x_i)\,(y_i-a-bu_i)^2$ with $u_i=x_i-x$, and take its height at $x$, $f(x)=a$. With the weights
# $S_i$ of (2) and their moments $m_p=\sum_iS_iu_i^p$,
#
# $$f(x)=\sum_i\frac{m_2-m_1u_i}{m_2-m_1^2}\,S_i\,y_i.$$
#
# Again $f=Sy$, with rows of sum 1; and now a straight line comes back unchanged, to the very end of the data. The price: at the
# ends some weights are below 0; and where all weight lies on one time, $m_2=m_1^2$ and there is no line: $0/0$. (The proof is the sheet's task on paper.)
#
# <!-- slide
# **A local straight line.** Minimise $\sum_ik(x,x_i)\,(y_i-a-bu_i)^2$ with $u_i=x_i-x$; let $f(x)=a$. With the weights $S_i$ of (2) and
# $m_p=\sum_iS_iu_i^p$
#
# $$f(x)=\sum_i\frac{m_2-m_1u_i}{m_2-m_1^2}\,S_i\,y_i.$$
#
# Again rows of sum 1; and a straight line comes back unchanged, to the very end.
# -->


# %% key="line-code" slide="skip"
def line_smoother(z, x, sigma):
    u = x - z[:, None]  # a row for each place in z
    S = np.exp(-(u**2) / (2 * sigma**2))
    S /= S.sum(axis=1, keepdims=True)  # (2)
    m1, m2 = ((S * u**p).sum(axis=1, keepdims=True) for p in (1, 2))
    return S * (m2 - m1 * u) / (m2 - m1**2)


S_line, ends = line_smoother(x, x, 1.5), [0, -1]
verify("its rows sum to 1", S_line.sum(axis=1), 1.0)
verify("a straight line comes back, both ends included", S_line @ (3 - 2 * x), 3 - 2 * x, tol=1e-9)

# %% key="line-verify" slide="skip" hide="input"
u = x - 20.0
w = np.sqrt(np.exp(-(u**2) / (2 * 1.5**2)))
fitted = np.linalg.lstsq(np.column_stack([w, w * u]), w * y, rcond=None)[0][0]
by_formula = (line_smoother(np.array([20.0]), x, 1.5) @ y)[0]
verify("least squares with these weights, at 20 ms", by_formula, fitted)
verify("at both ends some weights are below 0", S_line[ends].min(axis=1).max() < 0)

# %% [markdown] key="limits" slide="subslide"
# **Step 8. Both ends.** As $\sigma\to\infty$ all weights become equal, and $f\to\bar y$, the mean: 1 degree of freedom. As
# $\sigma\to0$ the weight of the nearest point outgrows all others, because $e^{-d_1^2/(2\sigma^2)}/e^{-d_2^2/(2\sigma^2)}
# =e^{(d_2^2-d_1^2)/(2\sigma^2)}\to\infty$ for $d_1<d_2$: $f$ becomes the *nearest neighbour*, $k=1$ (of several that are equally near, their mean). Between these two lies
# everything, and $\sigma$ says where.

# %% key="limits-verify" slide="skip" hide="input"
places, at = np.linspace(2.5, 57.5, 221)[:, None], np.array([[0.2], [1.4], [3.1]])
widest = NadarayaWatson(Gaussian(1e5)).fit(crash.X, y).predict(places)
verify("step 8: a huge σ gives the mean", widest, y.mean(), tol=1e-6)
narrow = NadarayaWatson(Gaussian(1e-3)).fit(four_x[:, None], four_y).predict(at)
nearest_one = KNNRegressor(1).fit(four_x[:, None], four_y).predict(at)
verify("step 8: a tiny σ gives the nearest neighbour", narrow, nearest_one)

# %% [markdown] key="far" slide="slide"
# ## Far away
#
# Formula (2) is right everywhere, and the line of code that says the same is not. Take the points 0 and 1 with the
# targets 7 and 2, $\sigma=0.5$, and ask at $x=41$. **Predict first:** what should come out, and what does?

# %% [markdown] key="far-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let them say what the limit is (the nearest target, 2, by step 8) before the cell is run. Then ask for the size of
# exp(-3200). The same trick carries softmax, mixture models and every likelihood: never exponentiate before subtracting
# the largest.
#
# </details>

# %% key="far-code" slide="subslide"
far_x, far_y = np.array([0.0, 1.0]), np.array([7.0, 2.0])


def weighted_mean_safely(x0, x, y, sigma):
    logs = -((x - x0) ** 2) / (2 * sigma**2)
    weights = np.exp(logs - logs.max())  # the largest weight is now 1
    return weights @ y / weights.sum()


# %% [markdown] key="far-reading" slide="fragment"
# <details><summary><b>What comes out, and why</b> (open this once you have written down your answer)</summary>
#
# As the formula is written, `nan`. The weights are $e^{-3362}$ and $e^{-3200}$. The smallest positive number of this arithmetic is near $e^{-744}$, so both become 0,
# and $0/0$ is *not a number*. Multiplying numerator and denominator by $e^{3200}$ changes nothing in the formula and everything
# in the computation: subtract the largest exponent **before** taking exponentials. The answer is the target of the nearest
# point, 2, as step 8 says. `NadarayaWatson` does it this way, and so does every $\log\hat p$ of `ParzenDensity`.
#
# </details>
#
# <!-- slide
# `nan`: the weights $e^{-3362}$ and $e^{-3200}$ underflow to 0. Subtract the largest exponent **before** taking exponentials; the
# quotient is the same, and the answer is the target of the nearest point.
# -->

# %% key="far-verify" slide="skip" hide="input"
with np.errstate(invalid="ignore"):
    written = weighted_mean_at(41.0, far_x, far_y, 0.5)
verify("as the formula is written: no number", bool(np.isnan(written)))
verify("exponents, farther and nearer", [-(41**2) / 0.5, -(40**2) / 0.5], [-3362, -3200])
verify("the logarithm of the least positive number", np.log(np.nextafter(0, 1)), "-744")
verify("far away it is the nearest target", weighted_mean_safely(41.0, far_x, far_y, 0.5), 2.0)
ways = [f(0.4, far_x, far_y, 0.5) for f in (weighted_mean_safely, weighted_mean_at)]
verify("close by both agree", *ways)
safe = NadarayaWatson(Gaussian(0.5)).fit(far_x[:, None], far_y)
verify("NadarayaWatson gives it, too", safe.predict([[41.0]]), 2.0)

# %% [markdown] key="loo" slide="slide"
# ## How wide? Ask each point
#
# The training error is no judge: whatever passes through every dot has none. So let each point be predicted by the *others*: *leave-one-out*. With $f_{-i}$ for the
# smoother without point $i$, look at $y_i-f_{-i}(x_i)$. That seems to need $n$ fits. It needs none.
#
# **Step 9.** Without point $i$ both sums of (2) lose one term. Divide both by $\sum_jk(x_i,x_j)$, and the entries of $S$ (at the points themselves, $z_i=x_i$) appear; where $S_{ii}<1$,
#
# $$f_{-i}(x_i)=\frac{\sum_{j\ne i}y_j\,k(x_i,x_j)}{\sum_{j\ne i}k(x_i,x_j)}=\frac{f(x_i)-S_{ii}\,y_i}{1-S_{ii}},$$
#
# and, subtracted from $y_i$,
#
# $$y_i-f_{-i}(x_i)=\frac{y_i-f(x_i)}{1-S_{ii}}. \tag{7}$$
#
# <!-- slide
# *Leave-one-out:* let each point be predicted by the others, $y_i-f_{-i}(x_i)$. That seems to need $n$ fits. It needs none.
#
# **Step 9.** Without point $i$ both sums lose one term. Divide both by $\sum_jk(x_i,x_j)$:
#
# $$f_{-i}(x_i)=\frac{\sum_{j\ne i}y_j\,k(x_i,x_j)}{\sum_{j\ne i}k(x_i,x_j)}=\frac{f(x_i)-S_{ii}\,y_i}{1-S_{ii}}$$
#
# $$y_i-f_{-i}(x_i)=\frac{y_i-f(x_i)}{1-S_{ii}} \tag{7}$$
# -->

# %% [markdown] key="loo-lecture" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Write both sums without their term, and let them find what 1 − S_ii is (the say of all others). Where is it 0?
#
# </details>


# %% key="loo-verify" slide="skip"
def refit_without(i, sigma):
    rest = np.arange(len(y)) != i
    return y[i] - weighted_mean_safely(x[i], x[rest], y[rest], sigma)


shortcut = (y - S_window @ y) / (1 - np.diag(S_window))
by_refitting = np.array([refit_without(i, 1.5) for i in range(133)])
verify("(7) equals 133 refits, point by point", shortcut, by_refitting)

# %% [markdown] key="loo-knn" slide="skip"
# **For neighbours the shortcut needs one more neighbour.** Without point $i$, the $k$ nearest *others* are the $k+1$ nearest with itself struck
# out: it is the $(k+1)$-NN curve that (7) has to be applied to, with $S_{ii}=1/(k+1)$. Applied to the $k$-NN curve, it gives the error of $k-1$
# neighbours. At repeated times with first-come ties a point need not be among its own nearest, and `knn_loo_path` removes it explicitly.

# %% key="loo-knn-verify" slide="skip" hide="input"
spread = np.sort(np.random.default_rng(5).random(40))[:, None]
t40 = np.sin(6 * spread[:, 0])
for k in (1, 4):
    with_self = KNNRegressor(k + 1).fit(spread, t40).predict(spread)
    left_out = knn_loo_path(spread, t40, k).predictions[-1]
    verify(
        f"k = {k}: the shortcut from k + 1 neighbours", ((k + 1) * with_self - t40) / k, left_out
    )

# %% [markdown] key="loo-predict" slide="subslide"
# **Predict first.** The curve below starts at $\sigma=1$ ms; the errors are covered. Without looking at them:
#
# 1. Move $\sigma$ until the curve looks right to you, and write $\sigma$ down. What is the training error's favourite $\sigma$?
# 2. Leave-one-out has a least value somewhere. Is its $\sigma$ larger or smaller than yours?
# 3. Of the best window and the best $k$, which predicts better? By a little, or by a lot?

# %% [markdown] key="loo-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Collect the chosen widths on the board before uncovering, and ask how much worse the widest of them is than the best, in g²: the
# optimum is flat. For 3 there is hardly any difference, and that is the answer. Then ask why *training* error rises from k = 2 to
# k = 1.
#
# </details>

# %% key="loo-figure" hide="input"
widths = 10 ** (np.arange(-12, 35) / 20)
window_path, knn_path = nw_loo_path(crash.X, y, widths), knn_loo_path(crash.X, y, 60)
judge = leave_one_out_explorer(
    crash,
    fits={
        "fading window": lambda at, s: NadarayaWatson(Gaussian(s)).fit(crash.X, y).predict(at),
        "k nearest": lambda at, k: KNNRegressor(k).fit(crash.X, y).predict(at),
    },
    paths={"fading window": window_path, "k nearest": knn_path},
    train={
        "fading window": lambda s: np.mean((y - gaussian_weights(crash.X, s) @ y) ** 2),
        "k nearest": lambda k: np.mean((y - neighbour_weights(crash.X, k) @ y) ** 2),
    },
)

# %% [markdown] key="loo-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# - **σ.** The training error falls all the way to the smallest. Left out one by one, the error is least at $\sigma=0.91$ ms, 595.94 g², and flat
#   there: half or twice the width costs little beside $\sigma=5$ ms, 1178.8 g². Was your eye's choice wider?
# - **k.** The best is 10, with 583.47 g². Point by point it is ahead by 12 ± 24 g²: nothing.
# - **k = 1** is not best even on the dots it has seen: 407 g², and 342 g² for $k=2$. At a repeated time *one* neighbour is the first measurement there, and wrong for its twins.
# - **Ties.** In floating point some equal distances differ in their last digit. In whole tenths of a millisecond they are equal, and the best $k$ is 8, with 585.60 g².
#
# </details>

# %% key="loo-verify-2" slide="skip" hide="input"
fine = nw_loo_path(crash.X, y, np.round(np.arange(0.3, 6, 0.01), 2))
exact_ties = knn_loo_path(np.round(10 * crash.X), y)
for name, path, at, error in (
    ("σ (ms)", fine, "0.91", "595.94"),
    ("k", knn_path, "10", "583.47"),
    ("k, in whole tenths, where equal distances are equal", exact_ties, "8", "585.60"),
):
    verify(f"best {name}", path.best, at)
    verify("its leave-one-out error (g²)", path.error.min(), error)
other = nw_loo_path(crash.X, y, [0.91 / 2, 2 * 0.91, 5.0]).error
verify("at σ = 5 ms (g²)", other[2], "1178.8")
verify("half or twice the width is no disaster", max(other[:2]) < 720)
for k, quoted in ((2, "342"), (1, "407")):
    on_seen = np.mean((y - neighbour_weights(crash.X, k) @ y) ** 2)
    verify(f"training error of k = {k} (g²)", on_seen, quoted)
squared = [(y - path.predictions[path.error.argmin()]) ** 2 for path in (fine, knn_path)]
lag = squared[0] - squared[1]
verify("the best k is ahead by (g²)", lag.mean(), "12")
verify("... and the error of these pairs (g²)", lag.std(ddof=1) / np.sqrt(133), "24")

# %% [markdown] key="shape" slide="skip"
# **Must it be a bell?** Give every weight function its own best width, and compare. **Your bet:** between the best shape and the
# worst, is the difference as large as that between a good width and a bad one?

# %% key="shape-table" slide="skip" hide="input"
distance = np.abs(x[:, None] - x)
shapes = {
    "bell (Gaussian)": lambda u: np.exp(-(u**2) / 2),
    "tent": lambda u: np.maximum(1 - u, 0),
    "parabola (Epanechnikov)": lambda u: np.maximum(1 - u**2, 0),
    "two-sided exponential": lambda u: np.exp(-u),
    "box": lambda u: (u <= 1).astype(float),
}
to_nearest = np.where(np.eye(len(x)), np.inf, distance).min(axis=1)
near = to_nearest <= 1.3  # who has another within 1.3 ms


def left_out_error(shape, width):
    W = shape(distance / width)
    np.fill_diagonal(W, 0)
    W = W[near]
    empty = W.sum(axis=1).min() < 1e-300  # a hole: somewhere nobody is near enough
    return np.inf if empty else np.mean((y[near] - W @ y / W.sum(axis=1)) ** 2)


candidates = np.geomspace(0.2, 12, 400)
best = {name: min(left_out_error(f, h) for h in candidates) for name, f in shapes.items()}
table(
    f"Leave-one-out error of each shape at its best width, {near.sum()} points",
    {"shape": "", "error (g²)": ".0f"},
    best,
    best={"error (g²)": "least"},
)

# %% [markdown] key="shape-reading" slide="skip"
# From best to worst it is a tenth, and here the box, with its all or nothing, is the best; five times the width doubled the error. The
# theory of densities agrees: for many points, at its own best width, a bell is 95.1 % as efficient as the parabola, the best of all
# shapes that are nowhere negative. But two lonely points are left out for everybody: shapes that end leave *holes*, and with
# these two they would have to be wide, the box would come last. Look at what a comparison assumes.

# %% key="shape-verify" slide="skip" hide="input"
verify("all shapes are within a tenth of each other", max(best.values()) / min(best.values()) < 1.1)
verify("two points are left out", np.sum(~near) == 2)
verify("the box is the best of them here", min(best, key=best.get) == "box")
u = np.linspace(-9, 9, 180_001)
costs = [
    np.trapezoid(K**2, u) * np.sqrt(np.trapezoid(u**2 * K, u))
    for K in (np.maximum(0.75 * (1 - u**2), 0), bell(u, 1.0))
]
verify("efficiency of the bell", costs[0] / costs[1], "0.951")

# %% [markdown] key="trade" slide="slide"
# ## What σ trades
#
# Because $f=Sy$, we can say *exactly* what a width does, without a single simulation. Let $y_i=g(x_i)+\varepsilon_i$ with a true
# curve $g$, fixed $x_i$, and independent noise of mean 0 and variance $s^2$. For the row $S_{x}$ of a place $x$,
#
# $$\mathbb E\,(f(x)-g(x))^2=\underbrace{\Big(\sum_iS_{xi}\,g(x_i)-g(x)\Big)^2}_{\text{bias}^2:\text{ blurring}}
# +\underbrace{s^2\sum_iS_{xi}^2}_{\text{variance: noise that is left}}. \tag{8}$$
#
# The second sum says how well the row averages: with $m$ equal weights $\sum_iS_{xi}^2=1/m$. So $1/\sum_iS_{xi}^2$ is *how many
# points the mean is worth*, the number that the explorer of the weights printed.
#
# <!-- slide
# Because $f=Sy$, we can say *exactly* what a width does. Let $y_i=g(x_i)+\varepsilon_i$, noise of variance $s^2$:
#
# $$\mathbb E\,(f(x)-g(x))^2=\underbrace{\Big(\sum_iS_{xi}\,g(x_i)-g(x)\Big)^2}_{\text{bias}^2:\text{ blurring}}
# +\underbrace{s^2\sum_iS_{xi}^2}_{\text{variance: noise that is left}} \tag{8}$$
#
# With $m$ equal weights $\sum_iS_{xi}^2=1/m$. Which term grows with $\sigma$, which falls?
# -->

# %% [markdown] key="trade-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Derive (8) on the board: f(x) - g(x) is a constant plus a sum of independent noises. Draw the two curves before showing them: one
# rises in the end, the other falls, and the sum has a bottom. (At the very left the bias falls, too: a narrow window sees one point.) That is the reason why leave-one-out has one.
#
# </details>

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
ax.set(xscale="log", yscale="log", xlabel="width σ", ylabel="mean over x", ylim=(1e-5, 0.3))
ax.legend(loc="lower right")
show(
    fig,
    alt="Three curves against the width on logarithmic axes, for 100 noisy samples of sinc: bias "
    "squared falls a little, then rises "
    "steeply with the width, variance falls steadily, and their sum has one minimum near a width "
    "of 0.15.",
)

# %% [markdown] key="trade-reading"
# On the left the curve is right on average and shakes; on the right it is calm and wrong. Their sum is least near $\sigma=0.15$. Tune
# $\sigma$, and this is what you tune.
#
# **With more data** both terms vanish, if $\sigma\to0$ and $n\sigma^d\to\infty$: where points lie with density $p$ the variance is about
# $s^2/\big(n\,p\,(2\sqrt\pi\,\sigma)^d\big)$. Inside, neighbours on both sides cancel the slope of a smooth $g$, and the bias is of the size
# $\sigma^2$; at an end it is about $\sqrt{2/\pi}\,\sigma\,|g'|$, and a local line brings it back to $\sigma^2$. With $\sigma^4$ against
# $1/(n\sigma^d)$ (both terms: Wand and Jones, below) the best is $\sigma\sim n^{-1/(4+d)}$, and the error falls like $n^{-4/(4+d)}$: to halve it takes 2.4 times the points in one dimension, and
# 131 072 times in 64, if the points fill them.
#
# <!-- slide
# Left: right on average, and it shakes. Right: calm, and wrong. Bias: $\sigma^2$ inside, $\sigma$ at an end, with a local line $\sigma^2$ again.
# -->

# %% key="trade-verify" slide="skip" hide="input"
verify("the best width", widths8[total.argmin()], "0.15")
verify("variance falls with the width", np.all(np.diff(variance) < 0))
dense, g = np.linspace(0, 1, 4001), np.exp
for z, name, times in ((0, "an end", 2), (0.5, "the middle", 4)):
    biases = []
    for s in (0.02, 0.04):
        row = NadarayaWatson(Gaussian(s)).fit(dense[:, None], dense).smoother_matrix([[z]])[0]
        line_row = line_smoother(np.array([z]), dense, s)[0]
        biases.append([row @ g(dense) - g(z), line_row @ g(dense) - g(z)])
    growth = np.divide(*reversed(biases))
    verify(f"twice the width, constant and line, {name}: bias times", growth, [times, 4], tol=0.06)
    if z == 0:
        verify("bias at an end: √(2/π) σ g'", biases[0][0], np.sqrt(2 / np.pi) * 0.02, tol=0.02)
verify("variance: 1/(n 2√π σ)", np.sum(row**2), 1 / (4000 * 2 * np.sqrt(np.pi) * 0.04), tol=0.01)
verify("half the error, d = 1", 2 ** (5 / 4), "2.4")
verify("half the error, d = 64", 2 ** (68 / 4), 131072)
S = NadarayaWatson(Gaussian(0.3)).fit(tx, tx[:, 0]).smoother_matrix(line)
draws = np.random.default_rng(0).normal(scale=s_noise, size=(20_000, 100))
simulated = np.mean((S @ (np.sinc(tx[:, 0]) + draws).T - np.sinc(line)) ** 2, axis=1)
formula = (S @ np.sinc(tx[:, 0]) - np.sinc(line[:, 0])) ** 2 + s_noise**2 * np.sum(S**2, axis=1)
verify("(8) is the mean of 20 000 samples, within 5 %", simulated / formula, 1.0, tol=0.05)

# %% [markdown] key="classes" slide="slide"
# ## When the answer is a label
#
# Everything carries over to classes: average *indicators*. For class $c$ let the targets be 1 where $y_i=c$ and 0 elsewhere; then
# row $x$ of $S$ gives for each class the weighted share of its points, an estimate of $\mathbb P(c\mid x)$, and the largest wins. For
# $k$-NN that is a vote. For windows it is *Bayes' rule with a Parzen density for each class*: with $n_c$ points in class $c$, $\hat p_c$ the density (5) of these alone, and one $\sigma$ for all classes,
#
# $$\hat{\mathbb P}(c\mid x)=\frac{\sum_{i:\,y_i=c}k(x,x_i)}{\sum_jk(x,x_j)}=\frac{\frac{n_c}n\,\hat p_c(x)}{\sum_b\frac{n_b}n\,\hat p_b(x)}.$$
#
# Density and regression, which we took such care to tell apart, meet again here.
#
# <!-- slide
# Average *indicators*: 1 where $y_i=c$, 0 elsewhere. For $k$-NN that is a vote; for windows it is *Bayes' rule with a Parzen density
# for each class*:
#
# $$\hat{\mathbb P}(c\mid x)=\frac{\sum_{i:\,y_i=c}k(x,x_i)}{\sum_jk(x,x_j)}=\frac{\frac{n_c}n\,\hat p_c(x)}{\sum_b\frac{n_b}n\,\hat p_b(x)}$$
# -->

# %% [markdown] key="ripley" slide="subslide"
# **Two classes whose best rule is known.** Ripley's synthetic data, 250 points to learn from and 1000 to test on, come from a mixture
# that his book gives: each class is two round bells of variance 0.03. Nobody can do better on fresh points than the *Bayes rule*,
# which knows that mixture. It is itself a Parzen classifier, with two points a class.
#
# <!-- slide
# **Two classes whose best rule is known.** Ripley's data: 250 points to learn from, 1000 to test on, each class a mixture of two round
# bells. The *Bayes rule* knows the mixture; nobody can do better on fresh points.
# -->

# %% key="ripley-bayes" slide="skip"
train, test = load_synth(), load_synth("test")
print(f"{len(train.y)} points to learn from, {len(test.y)} to test on")
centres = np.array(
    [[-0.7, 0.3], [0.3, 0.3], [-0.3, 0.7], [0.4, 0.7]]
)  # two of class 0, two of class 1
bayes = ParzenClassifier(sigma=np.sqrt(0.03)).fit(centres, [0, 0, 1, 1])
print(
    f"the Bayes rule errs on {np.sum(bayes.predict(test.X) != test.y)} of {len(test.y)} test points"
)


# %% key="classify-code" slide="skip"
def classify(S, y):  # y holds labels
    classes = np.unique(y)
    shares = S @ (y[:, None] == classes)  # row x: an estimate of P(c | x)
    return classes[shares.argmax(axis=1)]


votes = KNNRegressor(31).fit(train.X, train.y).smoother_matrix(test.X)
bells = NadarayaWatson(Gaussian(0.2)).fit(train.X, train.y).smoother_matrix(test.X)
voted = KNNClassifier(31).fit(train.X, train.y).predict(test.X)
parzen = ParzenClassifier(0.2).fit(train.X, train.y)
verify("S of the 31 nearest: a vote", classify(votes, train.y), voted)
verify("S of the bells: Parzen's rule", classify(bells, train.y), parzen.predict(test.X))

# %% key="ripley-picture" hide="input"
fig, ax = plt.subplots(figsize=(6.4, 4.2))
for c, marker, fill in ((0, "o", "white"), (1, "^", "black")):
    ax.plot(
        *train.X[train.y == c].T,
        marker,
        color="black",
        markerfacecolor=fill,
        markersize=5,
        label=f"class {c}",
    )
u, w = np.meshgrid(np.linspace(-1.3, 1.0, 200), np.linspace(-0.3, 1.2, 200))
p1 = bayes.predict_proba(np.column_stack([u.ravel(), w.ravel()]))[:, 1].reshape(u.shape)
ax.contour(u, w, p1, levels=[0.5], colors="#c0392b", linewidths=2)
ax.plot([], [], color="#c0392b", linewidth=2, label="the Bayes rule's border")
ax.set(xlabel="xs", ylabel="ys")
ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
show(
    fig,
    alt="Two classes, equally many points, in the plane: circles below, triangles above, "
    "overlapping "
    "widely in the middle. The Bayes rule's border runs between them like a flat wave.",
)

# %% [markdown] key="ripley-predict" slide="subslide"
# **Predict first.** The map below shows the regions of the $k$ nearest; it begins with $k=1$.
#
# 1. What is the *training* error for $k=1$? And is $k=1$ a simple model or a complex one?
# 2. Raise $k$ to 31. What becomes of the islands? What happens to the training error, and what to the test error?
# 3. The dotted line of the errors is the Bayes rule's 8 % on these test points. Can some $k$ reach it, or go below?

# %% [markdown] key="ripley-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Question 1 first, with hands: the training error is 0 whatever the data, since each point is its own neighbour. Question 3
# leads to the point of the section: 8 % is a property of a thousand test points. Ask for its standard error before you show
# it, and what a table of methods that all lie between 8 % and 9 % is worth.
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
# For $k=1$ every training point is its own neighbour: training error 0.000, test error 0.150, islands everywhere: *overfitting*. It is the most
# complex model, with $n$ degrees of freedom. With $k=31$ the islands are gone, the training error is *worse*, 0.112, and the test
# error better, 0.084. Two values of $k$ even reach the Bayes rule's 80 errors in a thousand.
#
# </details>

# %% key="ripley-verify" slide="skip" hide="input"
for k, seen_error, unseen_error in ((1, "0.000", "0.150"), (31, "0.112", "0.084")):
    verify(f"k = {k}: training error", wrong_fractions(k)[0], seen_error)
    verify(f"k = {k}: test error", wrong_fractions(k)[1], unseen_error)
on_test = np.array([wrong_fractions(k)[1] for k in range(1, 126)])
verify("two values of k reach the Bayes rule's 80", np.sum(np.round(1000 * on_test) <= 80), 2)
verify("values of k tried", len(on_test), 125)
verify("none is below it", np.round(1000 * on_test.min()) >= 80)
verify("the Bayes rule's errors", np.sum(bayes.predict(test.X) != test.y), "80")
verify("... and its shares", parzen.predict_proba(test.X)[:, 1], bells @ train.y)

# %% [markdown] key="eight" slide="subslide"
# **Whose 8 %?** Often one reads that the error of these data “is 8 %”. That is a count, 80 on *this* thousand; the mixture's own
# error, the integral of the smaller of the two densities, is 8.93 %. Here $k=45$ makes 82 errors and $k=31$ makes 84. **Have these points told
# them apart?**

# %% [markdown] key="eight-reading" slide="fragment"
# Both were asked about the *same* points, so compare point by point: $k=31$ alone is wrong on 9, $k=45$ alone on 7; the
# difference of 2 has the standard error $\sqrt{9+7}=4$. Not told apart, and yet not equal: on fresh thousands from the mixture $k=45$
# makes fewer errors on 151 of 200, 3.1 fewer on average. And $k=57$, whose 80 reach the Bayes rule's here, makes 95.2 on average where the Bayes
# rule makes 88.9: it was found among 125 by looking at the test points.
#
# <!-- slide
# The same points, so compare **in pairs**: $k=31$ alone is wrong on 9, $k=45$ alone on 7; difference 2, standard error
# $\sqrt{9+7}=4$. Not told apart, and not equal: of 200 fresh thousands $k=45$ wins 151.
# -->

# %% key="eight-verify" slide="skip" hide="input"
axes2 = np.meshgrid(np.arange(-1.8, 1.6, 0.01), np.arange(-0.8, 1.8, 0.01))
grid2 = np.column_stack([axis.ravel() for axis in axes2])
p0, p1 = (ParzenDensity(np.sqrt(0.03)).fit(c).density(grid2) for c in (centres[:2], centres[2:]))
mass, least = (p0 + p1) / 2 * 0.01**2, np.minimum(p0, p1) / (p0 + p1)
verify("the mixture's own error, in per cent", 100 * mass @ least, "8.93")
wrong = {k: KNNClassifier(k).fit(train.X, train.y).predict(test.X) != test.y for k in (31, 45)}
verify("errors of k = 31 and k = 45", [wrong[31].sum(), wrong[45].sum()], [84, 82])
alone = [np.sum(wrong[a] & ~wrong[b]) for a, b in ((31, 45), (45, 31))]
verify("one of them alone is wrong", alone, [9, 7])
thousands = measured("ch01_thousand", "forty-five-ahead", "eighty-is-luck")
for name, quoted in (("31 behind 45", "3.1"), ("k = 57", "95.2"), ("Bayes", "88.9")):
    verify(f"{name}, mean of 200 fresh thousands", thousands[name].mean(), quoted)

# %% [markdown] key="cover-hart" slide="skip"
# **How bad can one neighbour be?** Let $R(x)$ be the probability that the best label for $x$ is wrong, $R^*=\mathbb E\,R(x)$, with two
# classes. As $n\to\infty$ the nearest point comes to lie at $x$, and where the probabilities of the classes are continuous, its label and
# that of $x$ become two independent draws from the same. They disagree with probability $2R(x)\,(1-R(x))$, on average
#
# $$\mathbb E\big[2R(1-R)\big]=2R^*-2\,\mathbb E\,R^2\le2R^*(1-R^*)\le2R^*,$$
#
# because $\mathbb E\,R^2\ge(\mathbb E\,R)^2$ (Jensen). That is Cover and Hart's result of 1967: **in the limit one neighbour errs at most twice as
# often as the best rule there is.** For our mixture, 13.0 % where the bound allows 16.3 %. A limit is no guarantee: with 25 points
# to learn from, one neighbour errs in more than 16.3 % on 33 of 100 samples, with 2500 on none.

# %% key="cover-hart-verify" slide="skip" hide="input"
measured("ch01_one", "few-points", "many-points")
verify("2R*(1 - R*), in per cent", 200 * (mass @ least) * (1 - mass @ least), "16.3")
verify("the limit for this mixture, in per cent", 200 * mass @ (least * (1 - least)), "13.0")

# %% [markdown] key="wine" slide="slide"
# ## Which distance?
#
# 178 Italian wines of three cultivars, 13 chemical measurements each, and 5 neighbours vote. The measurements have units: alcohol is
# in per cent, proline in milligrams per litre. **Predict first:** distances are sums of squares over all 13. How much of a squared
# distance is proline's?

# %% [markdown] key="wine-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Collect guesses between 1/13 and 1. Then ask what happens if a chemist reports proline in grams. A method whose answer
# depends on the unit has no answer; standardising is one choice of units, made by the data.
#
# </details>

# %% key="wine-picture" slide="skip" hide="input"
wine = load_wine()
share = wine.data.var(axis=0) / wine.data.var(axis=0).sum()
three = np.argsort(share)[:-4:-1]
table(
    "Share of the mean squared distance between two wines",
    {"measurement": "", "share": ".4f"},
    {wine.feature_names[j]: share[j] for j in three},
    answer="The three largest shares",
)

# %% [markdown] key="wine-reading" slide="fragment"
# <details><summary><b>Proline's share</b> (open this once you have written down your answer)</summary>
#
# Proline has 99.8 %, because its numbers are large. With proline alone five neighbours are nearly as good, less than 0.05 behind here: “13 dimensions” are hardly more than one.
#
# </details>

# %% key="wine-table" slide="subslide"
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

raw = KNNClassifier(n_neighbors=5)
scaled = make_pipeline(StandardScaler(), KNNClassifier(n_neighbors=5))  # scales inside each fold
runs = [StratifiedKFold(10, shuffle=True, random_state=seed) for seed in range(3)]
right = {"always the largest class": [np.bincount(wine.target).max() / 178] * 3}
for name, method in (("raw", raw), ("standardised", scaled)):
    right[name] = [cross_val_score(method, wine.data, wine.target, cv=f).mean() for f in runs]
columns = {"wines": "", "partition 1": ".3f", "partition 2": ".3f", "partition 3": ".3f"}
table("Fraction right, ten folds", columns, right)

# %% [markdown] key="wine-reading-2" slide="fragment"
# In units of each feature's standard deviation the same five neighbours go from seven tenths right to over 95 %, on these partitions. The scaler is *part of
# the method*: in the pipeline it learns its means and deviations from the training folds alone. Standardising declares all features equally
# important. Sometimes that is as wrong as the raw units are.
#
# <!-- slide
# The scaler is *part of the method*: in the pipeline it learns from the training folds alone.
# -->

# %% key="wine-verify" slide="skip" hide="input"
alone = [cross_val_score(raw, wine.data[:, [12]], wine.target, cv=f).mean() for f in runs]
verify("proline alone: less than 0.05 behind", np.subtract(right["raw"], alone).max() < 0.05)
verify("proline's share in per cent", 100 * share[wine.feature_names.index("proline")], "99.8")
verify("raw, mean of the partitions: seven tenths", 0.68 < np.mean(right["raw"]) < 0.72)
verify("standardised, first partition", right["standardised"][0], "0.961")

# %% [markdown] key="digits" slide="slide"
# ## Does “near” mean anything in 64 dimensions?
#
# A folk theorem says no: in many dimensions all distances become alike, and the nearest point is hardly nearer than any. Here are 1797
# handwritten digits of $8\times8$ pixels, points in $\mathbb R^{64}$. **Predict first:** with one neighbour and no training at all, how
# many of them are recognised, left out one by one: 30 %, 70 %, or more?

# %% [markdown] key="digits-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Take bets. Then show the neighbours, then the distances. The lesson is in the third histogram: same pixels, same
# histograms of every pixel, but shuffled independently, and nearness is gone. What makes digits near is that pixels depend
# on each other, so that the points fill far fewer than 64 dimensions.
#
# </details>

# %% key="digits-picture" hide="input"
digits = load_digits()
D, label = digits.data, digits.target
search = KNNClassifier(6).fit(D, label)
_, nearest = search.kneighbors(D)  # the first is the digit itself
mistaken = np.flatnonzero(label[nearest[:, 1]] != label)
rows = [8, 100, int(mistaken[1])]
fig, axes = plt.subplots(3, 6, figsize=(6.6, 3.7))
for i, r in enumerate(rows):
    for j in range(6):
        ax = axes[i, j]
        ax.imshow(D[nearest[r, j]].reshape(8, 8), cmap="gray_r", interpolation="nearest")
        ax.axis("off")
        ax.set_title(f"a {label[nearest[r, j]]}", fontsize=9)
axes[0, 0].set_title(f"asked: a {label[rows[0]]}", fontsize=9)
show(
    fig,
    answer="Three digits and their nearest",
    alt="Three digits, each with the five nearest of the other images. The first two are "
    "surrounded by images of "
    "their own kind; the nearest of the third is another digit that looks much like it.",
)

# %% [markdown] key="digits-reading"
# <details><summary><b>The answer</b> (open this once you have written down your answer)</summary>
#
# The left column is asked, the others are its five nearest. Two are among their own kind; the third is one of the 21 that a single
# neighbour gets wrong. The other 98.8 % are right. (Leaving out one digit leaves others by the same hand; chapter 2 asks what a new hand would cost.)
#
# </details>
#
# <!-- slide
# Left: asked; then its five nearest. A single neighbour is right for 98.8 % of all 1797, left out one by one.
# -->

# %% key="digits-verify" slide="skip" hide="input"
one = KNNClassifier(1).fit(D, label).loo_path(1).error[0]
verify("one neighbour, left out one by one: right (%)", 100 * (1 - one), "98.8")
verify("wrong", 1797 * one, "21")

# %% key="contrast-picture" slide="subslide" hide="input"
rng = np.random.default_rng(0)
clouds = {
    "digits": D,
    "pixels shuffled": np.column_stack([rng.permutation(column) for column in D.T]),
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
axes[2].set_xlabel("distance to the nearest, as a fraction of the distance to a typical point")
show(
    fig,
    alt="Three histograms of the nearest distance over the median distance. Digits: around 0.33, "
    "widely spread. The same pixels, each shuffled among the images: around 0.68. Uniform "
    "points: a narrow peak at 0.76.",
)

# %% [markdown] key="contrast-reading"
# For a typical digit the nearest other is at 0.33 of the usual distance. Shuffle each pixel among the images, so that it keeps
# its values but knows nothing of the others: 0.68; for uniform points 0.76. So the folk theorem speaks of
# *independent* coordinates. Digits fill far fewer than 64 dimensions: there near still means alike. Ask not “how many columns?” but
# “how far is the nearest, compared with a typical point?”
#
# <!-- slide
# Nearest over typical distance: 0.33 for digits, 0.68 when each pixel is shuffled among the images. The folk theorem speaks of
# *independent* coordinates.
# -->

# %% key="contrast-verify" slide="skip" hide="input"
for name, quoted in zip(clouds, ("0.33", "0.68", "0.76"), strict=True):
    verify(
        f"{name}: nearest over typical distance, the median of all points",
        np.median(ratios[name]),
        quoted,
    )

# %% [markdown] key="find-error" slide="slide"
# ## Find the error
#
# Somebody programs (2) from the lecture with the two Gaussians, tries it on three data sets, and likes what he sees on the first. There
# are **two** mistakes. One is a matter of convention, and the other is a mistake. **Read before you go on.**
#
# ```python
# def window(u, v, sigma):
#     return np.exp(-np.sum((u - v) ** 2) / sigma**2)
#
# def smooth(X, y, X_new, sigma):
#     W = np.array([[window(u, v, sigma) for v in X] for u in X_new])
#     return (W / W.sum(axis=0)) @ y
# ```

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Two minutes of silence. Ask whoever finds the missing 2 why it does no harm to those who tune. For the other one ask for the
# property that every smoother here has: what must come out for a constant y?
#
# </details>

# %% [markdown] key="find-error-predict" slide="subslide"
# **Predict first.** Three data sets with $\sigma=0.3$: equally spaced points, unequally spaced points, and unequally spaced points whose
# targets are all 2. On which of them does the mistake hardly show? And which of them needs no eye at all, only `==`?

# %% [markdown] key="find-error-vote" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Votes for the panel that hides it: left, middle or right?
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
both = {"as written": as_written, "rows sum to 1": with_rows}
mistakes = mistake_explorer(mistake_cases, both, sigma=0.3)

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What it computes</b> (open this once you have written down your answers)</summary>
#
# `axis=0` divides by the sums of the *columns*, over the new points; a weighted mean needs the sums of the *rows*. On equally spaced
# points, asked at themselves, both are nearly the same except at the ends, and nothing shows. Where points
# crowd, the weights of a row add up to more than 1 and the curve bulges; beside the crowd it sags. A constant must come back as itself: that test of one line would have found it, in any dimension, without a picture.
#
# The missing 2 makes this $\sigma$ be $\sqrt2$ times ours. Whoever tunes it gets the same curve and a number that is larger by $\sqrt2$;
# whoever copies the number into another program gets another curve.
#
# </details>

# %% key="find-error-verify" slide="skip" hide="input"
inner = slice(15, -15)
gaps = {name: np.abs(as_written(*d, 0.3) - with_rows(*d, 0.3)) for name, d in mistake_cases.items()}
verify("equally spaced: inside they agree to 0.001", gaps["equally spaced"][inner].max() < 1e-3)
verify("unequally spaced: they differ by over 0.5", gaps["unequally spaced"].max() > 0.5)
verify("with rows a constant comes back", with_rows(*mistake_cases["all targets are 2"], 0.3), 2.0)
theirs = np.geomspace(0.5, 6, 400)
ours = nw_loo_path(crash.X, y, theirs / np.sqrt(2))
best_at = ours.error.argmin()
verify("the missing 2 changes the number", theirs[best_at], np.sqrt(2) * ours.values[best_at])

# %% [markdown] key="not-mercer" slide="slide"
# ## A word with two meanings
#
# The weight function of (2) is called a *kernel*. From the next chapter on a kernel will be an inner product, and that is more: symmetric,
# and with no negative eigenvalue in any matrix $k(x_i,x_j)$. The Gaussian is both. And the indicator of (3)?
# Take 0, 1, 1.9 and 4 with $k=2$ (a point counts as its own neighbour). **Predict first:** whose neighbour is 4, and who is the neighbour of 4?


# %% [markdown] key="not-mercer-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# The nearest to 4 is 1.9, and nobody counts 4 among its two. One lecture lists this indicator first among its kernels, with the word
# for both meanings; ask where (1) ever needed symmetry. It did not: as a smoother it is in perfect order.
#
# </details>

# %% key="not-mercer-verify" slide="skip"
line4 = np.array([[0.0], [1.0], [1.9], [4.0]])
indicator = 2 * KNNRegressor(n_neighbors=2).fit(line4, np.zeros(4)).smoother_matrix(line4)
table(
    "1 where the column is one of the row's two nearest",
    {"point": ""} | dict.fromkeys(("0", "1", "1.9", "4"), ".0f"),
    dict(zip(("0", "1", "1.9", "4"), map(tuple, indicator), strict=True)),
    answer="The matrix of the indicator",
)

# %% [markdown] key="not-mercer-reading" slide="fragment"
# <details><summary><b>The answer</b> (open this once you have written down your answer)</summary>
#
# The neighbour of 4 is 1.9, and 4 is nobody else's: the matrix is not symmetric, and its symmetric part has the eigenvalue $-0.207$. For a weighted mean that does no harm. For chapters 2
# to 10, where kernels become geometry, it would.
#
# </details>

# %% key="not-mercer-verify-2" slide="skip" hide="input"
symmetric = (indicator + indicator.T) / 2
verify("largest asymmetry", np.abs(indicator - indicator.T).max(), 1.0)
verify("least eigenvalue of the symmetric part", np.linalg.eigvalsh(symmetric).min(), "-0.207")
verify("the Gaussian's matrix has none below 0", np.linalg.eigvalsh(Gaussian(1.0)(line4)).min() > 0)

# %% [markdown] key="crash" slide="slide"
# ## Back to the crash
#
# The test for a drawing, once more: 200 ways to hide half of the dots. Each method gets the seen half alone and chooses its own $\sigma$
# or $k$ there, by leave-one-out.

# %% [markdown] key="crash-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Take the papers from the beginning. Whose curve has a bump before 14 ms? Ask for a bet: how many of the 200 contests does the window
# win against joined dots, and how many against the neighbours?
#
# </details>


# %% key="crash-recipes" slide="skip"
def window_recipe(x, y, x_new):
    sigma = nw_loo_path(x[:, None], y, np.geomspace(0.3, 5, 40)).best
    return NadarayaWatson(Gaussian(sigma)).fit(x[:, None], y).predict(x_new[:, None])


def neighbours_recipe(x, y, x_new):
    k = knn_loo_path(x[:, None], y, 30).best
    return KNNRegressor(k).fit(x[:, None], y).predict(x_new[:, None])


def left_out(S, y):  # (7) holds for lines, too
    room = 1 - np.diag(S)  # 0, where nobody else is near
    return np.mean(((y - S @ y) / room) ** 2) if room.min() > 1e-9 else np.inf


def line_recipe(x, y, x_new):
    sigma = min(np.geomspace(0.8, 5, 40), key=lambda s: left_out(line_smoother(x, x, s), y))
    return line_smoother(x_new, x, sigma) @ y


# %% key="crash-table" slide="subslide" hide="input"
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

# %% [markdown] key="crash-reading" slide="fragment"
# Averaging pays: 698 g² for the window against 925 g² for joined dots, and it wins in 189 of the 200 contests. Between window and neighbours there
# is nothing to choose: 698 g² and 697 g², 104 to 96. The local line is ahead of both, 652 g², in 163 of 200 ahead of the window. These are 200 looks
# at *one* crash: the order does not hang on which dots are hidden, and of another crash they say nothing.
#
# <!-- slide
# Averaging pays: 698 g² against 925 g², in 189 of 200 contests. Between window and neighbours there is nothing to choose. A local line wins
# 163 of 200 against the window.
# -->

# %% key="crash-verify" slide="skip" hide="input"
means = [run.mean() for run in (windowed, neighboured, lined)]
for mean, quoted in zip(means, ("698", "697", "652"), strict=True):
    verify("window, neighbours, line (g²)", mean, quoted)
won = [np.sum(a < windowed) for a in (neighboured, lined)]
verify("window ahead of joined dots", np.sum(windowed < joined), 189)
verify("neighbours, line ahead of the window", won, [96, 163])
verify("window ahead of neighbours", np.sum(windowed < neighboured), 104)

# %% [markdown] key="drawing" slide="subslide"
# **And your curve?** Put in its ten times and heights. Those below are an example, drawn with a ruler.

# %% key="drawing-code"
my_times = [2.4, 10, 14, 17, 21, 26, 32, 38, 46, 57.6]  # ms, ascending: yours
my_heights = [0, 0, -5, -60, -115, -50, 35, 15, 0, 0]  # g


def by_hand(times, heights):
    return test_all(lambda x, y, x_new: np.interp(x_new, times, heights)).mean()


print(f"drawn by hand: {by_hand(my_times, my_heights):.0f} g²; window, on halves: 698 g²")

# %% [markdown] key="drawing-reading" slide="fragment"
# The example has 570 g². Better than 698 g²? The contest was not fair: whoever drew had seen *all* the dots, and no half was
# hidden. A window of 0.91 ms that has seen all of them has 447 g² in this test. Compare yours with that. For 698 g² as a rival,
# draw again through nothing but the *seen half* of the second picture.
#
# <!-- slide
# 570 g² against 698 g²? **Not fair:** the hand had seen all the dots. A window that has seen them all has 447 g².
# -->

# %% key="drawing-verify" slide="skip" hide="input"
times = [2.4, 10, 14, 17, 21, 26, 32, 38, 46, 57.6]  # of the example, whatever you put in
verify("the example (g²)", by_hand(times, [0, 0, -5, -60, -115, -50, 35, 15, 0, 0]), "570")
all_seen = NadarayaWatson(Gaussian(0.91)).fit(crash.X, y)
knowing = test_all(lambda x, y, x_new: all_seen.predict(x_new[:, None])).mean()
verify("a window that has seen all dots (g²)", knowing, "447")

# %% key="crash-picture" slide="subslide" hide="input"
t = np.linspace(2.4, 57.6, 1105)
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
    "waves; the local line's is smoother. Both fall below -100 g near 21 ms and rise to about 40 g "
    "near 32 ms. Into the plunge the line sags earlier and falls more steeply; after 45 ms it has "
    "one wave where the window has several.",
)

# %% [markdown] key="crash-limits"
# All 133 dots, each method at the $\sigma$ of its least leave-one-out error; below, both ends enlarged. **What is still wrong with these curves?**

# %% [markdown] key="crash-limits-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Look for waves where nothing moves, and for a plunge that is too shallow; ask how sure we are. Chapters 3 and 4 take these up. Ask
# where the line gains: not at the ends, which are flat here.
#
# </details>

# %% [markdown] key="crash-limits-reading" slide="subslide"
# Waves where nothing moves, because a width that is narrow enough for the plunge is too narrow for the calm; a plunge too shallow, because a mean
# blurs peaks; and no word about how sure we are. **The line can afford more width.** It gains on the way into the plunge, between 13 and 17 ms, where
# the curve is steep: at the same 1.5 ms the constant's error there is 1.5 times as large. At the ends, flat here, it gains nothing; and where
# its dots leave a hole, it goes on as they point: in one of the 200 halves that cost 2069 g². Chapter 3 *solves* for the coefficients; chapter 4 says how sure.
#
# <!-- slide
# Waves in the calm, a plunge too shallow, no word about how sure we are. **The line** affords more width: 561 g² left out, 7 turns, against
# 596 g² and 15. It gains on the slope, not at these flat ends.
# -->

# %% key="crash-limits-verify" slide="skip" hide="input"
line_widths = np.round(np.arange(0.8, 5, 0.05), 2)
errors = [left_out(line_smoother(x, x, s), y) for s in line_widths]
turns = [int(np.sum(np.diff(np.sign(np.diff(curve))) != 0)) for curve in curves.values()]
window_row = (fine.best, fine.error.min(), all_seen.effective_df(), turns[0])
line_row = (line_widths[np.argmin(errors)], min(errors), np.trace(S_line), turns[1])
table(
    "The crash, each at its best width",
    {"method": "", "σ (ms)": ".2f", "left out (g²)": ".0f", "df": ".0f", "turns": "d"},
    {"window": window_row, "local line": line_row},
)
verify("best width of the line (ms)", line_row[0], "1.5")
residuals = [(y - S @ y) / (1 - np.diag(S)) for S in (S_window, S_line)]  # at 1.5 ms
rest = np.arange(133) != 60
refit = y[60] - (line_smoother(x[[60]], x[rest], 1.5) @ y[rest])[0]
verify("(7) for lines", residuals[1][60], refit)
into = (x >= 13) & (x < 17)
constant, line_there = (np.sum(r[into] ** 2) for r in residuals)
verify("into the plunge, constant over line at 1.5 ms", constant / line_there, 1.5, tol=0.05)
ends = [np.sum(r[(x < 13) | (x >= 40)] ** 2) for r in residuals]
verify("where the curve is flat, the two at 1.5 ms", ends[1] / ends[0], 1, tol=0.05)
verify("the line's worst half (g²)", lined.max(), "2069")
order = np.random.default_rng(int(lined.argmax())).permutation(len(y))
seen, hidden = np.sort(x[order[:67]]), x[order[67:]]
hole = int(np.argmax(np.diff(seen[(seen > 25) & (seen < 40)])))
edges = seen[(seen > 25) & (seen < 40)][[hole, hole + 1]]
verify("there: no hidden dot outside", seen[0] <= hidden.min() and hidden.max() <= seen[-1])
verify("... and a hole over 5 ms wide in the rebound", edges[1] - edges[0] > 5)

# %% [markdown] key="sklearn" slide="slide"
# ## The same in scikit-learn

# %% key="sklearn-code" slide="fragment"
from sklearn.model_selection import GridSearchCV, LeaveOneOut, cross_val_predict
from sklearn.neighbors import KernelDensity, KNeighborsClassifier, KNeighborsRegressor


def bell_weights(distances):
    return np.exp(-(distances**2) / (2 * 0.91**2))


everyone = KNeighborsRegressor(n_neighbors=132, weights=bell_weights)  # all the others
others = cross_val_predict(everyone, crash.X, y, cv=LeaveOneOut())
verify("Nadaraya–Watson, left out 133 times (g²)", np.mean((y - others) ** 2), "595.94")

# %% key="sklearn-wine" slide="skip"
theirs = make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=5))
same = [cross_val_predict(m, wine.data, wine.target, cv=runs[0]) for m in (scaled, theirs)]
verify("wine, 5 neighbours: the same votes in all ten folds", *same)

ks = {"kneighborsclassifier__n_neighbors": [1, 5, 25]}
tuned = {
    name: GridSearchCV(make_pipeline(*first, KNeighborsClassifier()), ks, cv=3)
    for name, first in (("raw, k tuned", []), ("standardised, k tuned", [StandardScaler()]))
}  # GridSearchCV chooses k inside each training part, scaler and all
nested = {
    name: [cross_val_score(m, wine.data, wine.target, cv=runs[0]).mean()]
    for name, m in tuned.items()
}
columns = {"wines": "", "partition 1": ".3f"}
table("Fraction right, ten folds, k chosen inside each", columns, nested)

# %% [markdown] key="sklearn-wine-reading" slide="skip"
# Tuning $k$ does not fix units: on this partition of these wines raw columns stay below 0.8, standardised ones are above 0.95. The scaler
# stands *inside* what is searched, so that no fold is scaled by what judges it.

# %% [markdown] key="sklearn-traps" slide="skip"
# **Traps**, each shown in the folded cell below.
#
# - Ties between equal distances are broken as they come, so the answer hangs on the order of the rows and on the `algorithm`: the crash's rows in twenty
#   orders, and the error of 11 neighbours, left out, differs by more than 10 g².
# - `algorithm="brute"`, which `"auto"` may take, expands $\|u-v\|^2=\|u\|^2-2u^\top v+\|v\|^2$, whose digits cancel far from 0. With the crash's
#   times as milliseconds since 1970, predictions are off by more than 50 g. Subtract the mean first.
# - Such a window is $0/0$ at 200 ms. And `weights="distance"` is $1/d$, whose curve passes through every point.
# - `KernelDensity` adds bounds over a tree. On a line that is harmless; for 300 normal points in the plane and $\sigma=0.1$ log densities in the
#   tails are off by more than 10, unless `leaf_size` is at least $n$. They are logarithms of densities, and may be positive.

# %% key="sklearn-verify" slide="skip" hide="input"
two = KNeighborsRegressor(n_neighbors=2).fit(four_x[:, None], four_y)
verify("the same two neighbours", two.predict([[0.9], [3.2]]), [0.5, 10.0])
for rows, name in zip(nested.values(), nested, strict=True):
    verify(f"{name}: on which side of the gap", max(rows) < 0.8 or min(rows) > 0.95)

for algorithm in ("kd_tree", "ball_tree", "brute"):
    left_out = []
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(len(y))
        tree = KNeighborsRegressor(11, algorithm=algorithm).fit(crash.X[order], y[order])
        near = tree.kneighbors(return_distance=False)  # of each row, without itself
        others = y[order][near].mean(axis=1)
        left_out.append(np.mean((y[order] - others) ** 2))
    verify(f"11 neighbours, {algorithm}: the order of the rows", np.ptp(left_out) > 10)
stamps = crash.X + 1.7e12
by_stamp = KNeighborsRegressor(10, algorithm="brute").fit(stamps, y).predict(stamps)
verify("off by more than 50 g", np.abs(by_stamp - S_nearest @ y).max() > 50)
with np.errstate(invalid="ignore"):
    verify("0/0", np.isnan(everyone.fit(crash.X, y).predict([[200.0]])[0]))
inverse = KNeighborsRegressor(n_neighbors=4, weights="distance").fit(four_x[:, None], four_y)
verify('weights="distance" passes through every point', inverse.predict(four_x[:, None]), four_y)
rng = np.random.default_rng(0)
for d in (1, 2):
    cloud, asked = rng.normal(size=(300, d)), 2 * rng.normal(size=(200, d))
    exact = ParzenDensity(0.1).fit(cloud).log_density(asked)
    quick, safe = (
        KernelDensity(bandwidth=0.1, leaf_size=leaf).fit(cloud).score_samples(asked)
        for leaf in (40, 300)
    )
    verify(f"KernelDensity with leaf_size = n, d = {d}", safe, exact, tol=1e-9)
    verify("off by more than 10 in the plane", (np.abs(quick - exact).max() > 10) == (d == 2))
verify("a log density can be positive", np.log(parzen_at(0.0, np.zeros(1), 0.01)) > 3)

# %% [markdown] key="cost" slide="slide"
# ## What it costs, and when not to use it
#
# Nothing is solved; nearly everything is paid when a prediction is asked for. All $n$ points have to be kept, $O(nd)$ numbers, and by *brute force* asking one
# place costs $O(nd)$ operations. A *tree* over the points can rule most of them out unseen. **Predict first:** the ten nearest of 64 000
# points drawn uniformly, asked for at 1000 places, once the tree stands. Which is faster in the plane, and by what factor? And in 64 dimensions?

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Guesses for both, on the board. Then the figure, and the reason: a cube that holds one per cent of a cube of 64 dimensions
# has to reach across nearly all of it, so no region can be ruled out. Digits lie between: again their 64 dimensions are
# not 64.
#
# </details>

# %% key="cost-picture" hide="input"
search = measured("ch01_search")
fig, axes = plt.subplots(1, 2, figsize=(9.2, 3.8), sharey=True)
growth = {}
for ax, d in zip(axes, (2, 64), strict=True):
    here = search["d"] == d
    n = search["n"][here]
    for i, way in enumerate(("brute", "tree")):
        seconds = search[way][here]
        late = n >= 4000
        growth[way, d] = np.polyfit(np.log(n[late]), np.log(seconds[late]), 1)[0]
        name = {"brute": "brute force", "tree": "tree"}[way]
        ax.plot(n, seconds, marker="o", label=f"{name}, n^{growth[way, d]:.1f}", **cycle(i))
    ax.plot(n, search["tree built"][here], label="building the tree", **cycle(2))
    ax.set(xscale="log", yscale="log", xlabel="number of points n", title=f"d = {d}")
    ax.legend(loc="upper left")
axes[0].set_ylabel("time for 1000 queries (s)")
show(
    fig,
    answer="Seconds, measured",
    alt="Times for 1000 queries against the number of points, on logarithmic axes. In the plane "
    "brute force grows in proportion to n and the tree hardly; in 64 dimensions the tree is far "
    "above brute force, and grows at least in proportion. Building the tree costs more than asking "
    "it 1000 times where the plane has many points, and less in 64 dimensions.",
)

# %% [markdown] key="cost-reading"
# <details><summary><b>The answer</b> (open this once you have written down your answer)</summary>
#
# - **In the plane** the tree answers more than ten times faster at 64 000 points, and more than a hundred times at a million. With its
#   building, which the questions have to pay, it is ahead by a factor below ten.
# - **In 64 dimensions** it is more than ten times *slower* than computing all distances: it looks at nearly all points, one by one.
#
# The reason is geometry. A cube that holds one per cent of a larger one has 0.10 of its edge in the plane, 0.93 in 64 dimensions: “near” is then
# nearly everywhere. The digits lie below their 64 dimensions once more: for them the tree looks at 78 % of the points.
#
# </details>
#
# <!-- slide
# 64 000 points: in the plane the tree answers over ten times faster, with its building less; in 64 dimensions over ten times slower. A cube with one per
# cent of a larger one has 0.10 of its edge in the plane, 0.93 in 64 dimensions.
# -->

# %% key="cost-verify" slide="skip" hide="input"
from sklearn.neighbors import KDTree

sizes = zip(search["d"], search["n"], strict=True)
gain = dict(zip(sizes, search["brute"] / search["tree"], strict=True))
verify("in the plane, 64 000 points", gain[2, 64_000] > 10)
verify("in the plane, a million", gain[2, 1_024_000] > 100)
verify("in 64 dimensions, 64 000 points", gain[64, 64_000] < 1 / 10)
paid = search["brute"] / (search["tree built"] + search["tree"])
many = (search["d"] == 2) & (search["n"] >= 64_000)
verify("with its building, in the plane", 1.2 < paid[many].min() and paid[many].max() < 10)


def computed(points, queries):  # the fraction of all distances
    tree = KDTree(points, leaf_size=20)
    tree.reset_n_calls()
    tree.query(queries, k=1)
    return tree.get_n_calls() / len(queries) / len(points)


rng = np.random.default_rng(0)
seen = computed(rng.random((4000, 64)), rng.random((200, 64)))
verify("in 64 dimensions the tree looks at nearly all of 4000", seen > 0.99)
verify("digits (%)", 100 * computed(D[200:], D[:200]), "78")
for d, quoted in ((2, "0.10"), (64, "0.93")):
    verify(f"edge of a cube that holds one per cent, d = {d}", 0.01 ** (1 / d), quoted)

# %% key="cost-window" slide="skip" hide="input"
window_cost = measured("ch01_window")
rows = {f"{n:.0f}": row for n, *row in zip(*window_cost.values(), strict=True)}
headers = {"n": "", "40 widths (s)": ".2f", "S (MB)": ".0f", "predicting in blocks (MB)": ".0f"}
table("A window: leave-one-out of 40 widths, and memory, measured", headers, rows)

# %% [markdown] key="cost-window-reading" slide="skip"
# A window has no exact shortcut: every point has a say. Time and $S$ grow like $n^2$, and for $n=100\,000$ the matrix takes 80 gigabytes; predicting
# needs only a block of rows at a time. `X[:, None] - X[None]` takes $d$ times as much as $S$.

# %% key="cost-window-verify" slide="skip" hide="input"
sizes = np.log(window_cost["n"][1:])
power = np.polyfit(sizes, np.log(window_cost["seconds"][1:]), 1)[0]
verify("40 widths: the time grows about like n²", 1.6 < power < 2.4)
verify("at n = 8000 S has 8 bytes for each entry (MB)", window_cost["matrix"][-1], 512, tol=0.1)
verify("100 000 points: S in gigabytes", 100_000**2 * 8 / 1e9, 80.0)

# %% [markdown] key="when-not" slide="subslide"
# **When not to average neighbours:**
#
# - when the answer must go *beyond* the data: averages continue no trend and never leave the range of $y$;
# - near steep edges and at peaks, where a mean blurs: a local line fixes the edges;
# - with many *independent* features, or with units that nobody has thought about;
# - with many points in many dimensions and a deadline; in the plane a million points and a tree are no trouble.
#
# **When to do it first, always:** as the baseline. It has one knob, no training, and it is hard to get wrong. In the limit one
# neighbour errs at most twice as often as anything can (where probabilities are continuous, as above). Whatever cannot beat its neighbours had better have another reason to be used.

# %% [markdown] key="general" slide="slide"
# ## What the rest of the course does with this
#
# Both methods have the form
#
# $$f(x)=\sum_i\alpha_i\,K(x,x_i), \tag{9}$$
#
# with $\alpha_i=y_i$ taken straight from the data, and a $K$ that is normalised by *all* the points: it depends on the data, through
# the inputs. The other chapters keep the form and turn the roles around: $K$ is fixed before any data are seen, and the $\alpha_i$ are
# **computed**, from a criterion, out of the targets.
#
# <!-- slide
# $$f(x)=\sum_i\alpha_i\,K(x,x_i) \tag{9}$$
#
# Here $\alpha_i=y_i$, and $K$ is normalised by *all* points. From now on $K$ is fixed first, and the $\alpha_i$ are **computed**:
# -->

# %% [markdown] key="general-table"
# | chapter | $K$ | $\alpha$ |
# |---|---|---|
# | 1 neighbours, windows | normalised, depends on the $x_i$ | the targets themselves |
# | 3 kernel ridge regression | fixed | solves $(K+\lambda I)\alpha=y$ |
# | 6 support vector machines | fixed | solves a quadratic programme; many are 0 |
# | 7 radial basis functions | fixed, at a few centres | least squares |

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - Average what is near: $f=Sy$ with non-negative rows of sum 1. Look at $S$ and you see the method.
# - A window fixes the reach, $k$-NN the number. More $\sigma$, more $k$: simpler; $\mathrm{df}=\operatorname{tr}S$.
# - The weighted mean is $\mathbb E[y\mid x]$ under a Parzen density of the pairs, and the best local constant.
# - Far away subtract the largest exponent first. Judge by leave-one-out, $\dfrac{y_i-f(x_i)}{1-S_{ii}}$, free of charge.
# - Distance is an assumption: units, scaling, and how far the nearest really is.
#
# **And the drawing?** Average before you draw: on the hidden dots joining them costs 925 g², a window 698 g², a local line 652 g².

# %% [markdown] key="quiz" slide="slide"
# ## Five questions
#
# <details><summary>1. Your smoother gives something else than 2 for targets that are all 2. What do you look at first?</summary>
#
# At the sums of the rows of $S$. They must be 1.
#
# </details>
#
# <details><summary>2. Which has more degrees of freedom on 100 distinct points: 5-NN, or a window so wide that $f$ is nearly constant?</summary>
#
# 5-NN has $100/5=20$; the wide window hardly more than 1.
#
# </details>
#
# <details><summary>3. A density estimate has the value 12 at some $x$. Is that a mistake?</summary>
#
# No. It has a unit, one over that of $x$; only its integral is 1.
#
# </details>
#
# <details><summary>4. You multiply all inputs by 10. What happens to the best $\sigma$, and what to the best $k$?</summary>
#
# $\sigma$ becomes 10 times as large, $k$ stays. ($\gamma=1/(2\sigma^2)$ would become a hundredth.)
#
# </details>
#
# <details><summary>5. Why can the training error not choose $k$?</summary>
#
# It is 0 for $k=1$ on distinct points, whatever the targets: each point is its own nearest neighbour. Where points repeat, it may even be
# larger for $k=1$ than for $k=2$, as on the crash.
#
# </details>

# %% key="quiz-verify" slide="skip" hide="input"
verify(
    "question 2: 5-NN on 100 distinct points",
    KNNRegressor(5).fit(np.arange(100.0)[:, None], np.zeros(100)).effective_df(),
    20.0,
)
ten_times = nw_loo_path(10 * crash.X, y, 10 * fine.values)
verify("question 4: inputs times 10, the best σ times 10", ten_times.best, 10 * fine.best)
verify("question 4: and γ to a hundredth", 1 / (2 * (10 * 0.91) ** 2), 1 / (2 * 0.91**2) / 100)

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are told which one.
# *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch01_neighbors")

# %% [markdown] key="references" numbers="free" slide="skip"
# ## To read on
#
# - E. A. Nadaraya, *On estimating regression*, 1964; G. S. Watson, *Smooth regression analysis*, 1964.
# - E. Parzen, *On estimation of a probability density function and mode*, 1962.
# - T. M. Cover and P. E. Hart, *Nearest neighbor pattern classification*, 1967.
# - T. Hastie, R. Tibshirani and J. Friedman, *The Elements of Statistical Learning*, chapters 2 and 6: bias, edges, local lines.
# - B. D. Ripley, *Pattern Recognition and Neural Networks*, 1996: the two classes. B. W. Silverman, *Density Estimation*, 1986. M. P. Wand and M. C. Jones, *Kernel Smoothing*, 1995: the rates.
#
# **Next:** [the sheet](../exercises/ch01_neighbors_sheet.ipynb), where you write all of this yourself; then chapter 2, which asks what a
# kernel is when it is more than a weight.
