# %% [markdown] key="title" slide="slide"
# # RBF networks
#
# This is the second part of chapter 7. A radial basis function network has fewer units than there are points. The
# chapter shows how to learn its weights, its centres and its spreads, when its outputs are probabilities, and how it
# can detect what it has never seen.

# %% key="imports" slide="skip" hide="input"
from itertools import product

import numpy as np
import matplotlib.pyplot as plt
from scipy.spatial.distance import cdist
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from kcourse import BayesRBFClassifier, RBFNetwork, RBFNetworkClassifier
from kcourse.datasets import load_geyser, load_synth, make_double_moon
from kcourse.lab import cycle, measured, show, table, use_style, verify
from kcourse.chapters.ch07b_rbf_networks.figures import (
    kmeans_explorer,
    moons_explorer,
    posterior_explorer,
)
from kcourse.lab.pieces import CLASSES
from kcourse.rbf import (
    cover_count,
    kmeans,
    lms,
    lms_limit,
    normalized_basis,
    online_kmeans,
    separating_weights,
    spread,
    supervised_gradients,
)

use_style()

# %% [markdown] key="hook" slide="slide" tags=["hour"]
# ## A glass of water
#
# The data are 178 bottles of wine from one region of Italy, of three *cultivars* (kinds of vine), with thirteen
# measurements of each, such as alcohol, magnesium and colour. Two classifiers learn to predict the cultivar. The
# first is a *multilayer perceptron* (MLP), a network whose hidden units depend on inner products. The second is
# logistic regression, which has no hidden units.
#
# About two in a hundred new bottles are misclassified. Then somebody hands them a glass of water, thirteen zeros.
#
# <!-- slide
# 178 bottles of three *cultivars* of vine, thirteen measurements of each. Two classifiers misclassify about two in a
# hundred new bottles. Then they get a glass of water, thirteen zeros.
# -->

# %% key="hook-table" hide="input"
wine = load_wine()
bottles, cultivar = wine.data, wine.target
Z = (bottles - bottles.mean(axis=0)) / bottles.std(axis=0)
water = (np.zeros((1, 13)) - bottles.mean(axis=0)) / bottles.std(axis=0)
mlp_wine = MLPClassifier((10,), solver="lbfgs", alpha=1.0, max_iter=1000, random_state=0)
classifiers = {
    "multilayer perceptron": mlp_wine.fit(Z, cultivar),
    "logistic regression": LogisticRegression().fit(Z, cultivar),
}
predicted = {name: model.predict_proba(water)[0] for name, model in classifiers.items()}
columns = {"classifier": "", "cultivar 1": ".3f", "cultivar 2": ".3f", "cultivar 3": ".3f"}
rows = {name: tuple(p) for name, p in predicted.items()}
table("Predicted probabilities for water", columns, rows)

# %% [markdown] key="hook-reading"
# Both are certain and wrong, because water is not a wine. **Is there a network that detects this, and how often would
# it raise a false alarm?** We build one whose units are active only near data that they have seen. The answer comes
# at the end of the chapter.
#
# <!-- slide
# **Is there a network that detects this, and how often does it raise a false alarm?**
# -->

# %% [markdown] key="hook-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask what a probability of 1 should mean here. Leave the question open. It is answered in the second lecture, with a
# threshold whose false-alarm rate is known.
#
# </details>

# %% [markdown] key="question" slide="slide" tags=["hour"]
# ## The double moon: where should the centres be?
#
# To see what a network does, take a thousand simulated points in two half rings, each of which reaches into the
# other. You may put twenty units on the plane. Each is active near its centre, and a weighted sum of their
# activations decides. **Where would you put the centres?**
#
# <!-- slide
# ## Where would you put twenty centres?
#
# A thousand points in two half rings. Each of twenty units is active near its centre, and a weighted sum decides.
# -->

# %% key="question-data" slide="skip"
moons = make_double_moon(1000, distance=-5, rng=0)
fresh = make_double_moon(5000, distance=-5, rng=100)  # test points
X, y = moons.X, moons.y
line = np.linalg.lstsq(np.column_stack([X, np.ones(1000)]), y, rcond=None)[0]
by_line = np.sign(np.column_stack([fresh.X, np.ones(5000)]) @ line)
print(f"a straight line: {100 * np.mean(by_line != fresh.y):.1f} % of 5000 test points wrong")

# %% key="question-picture" hide="input"
def draw_moons(ax, X, y, size=3):
    for label, marker, fill in CLASSES:
        ax.plot(
            *X[y == label].T,
            marker,
            color="black",
            markerfacecolor=fill,
            markersize=size,
            markeredgewidth=0.5,
        )
    ax.set(xlabel="x₁", ylabel="x₂", aspect="equal")


fig, ax = plt.subplots(figsize=(6.8, 4.0))
draw_moons(ax, X, y, 3.5)
ax.axline(
    (0, -line[2] / line[1]), slope=-line[0] / line[1], color="black", linestyle="--", linewidth=1.4
)
show(
    fig,
    alt="Two half rings of points. The upper one, filled triangles, is open below; the lower one, "
    "empty circles, is open above and shifted to the right, so that its left horn reaches into "
    "the upper one. A dashed straight line, the best by least squares, cuts both.",
)

# %% [markdown] key="question-reading"
# Choose one of three ways, and write it down: at random training points, in the middle of groups of points, or where
# the error is smallest. And if you had only six units?
#
# <!-- slide
# **At random training points, in the middle of groups, or where the error is smallest?** And with six units?
# -->

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let the class vote for twenty units and for six, and leave the counts on the board until the interactive figure of
# the three ways.
#
# </details>

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# - count with Cover's theorem how many labellings a hyperplane can make;
# - learn output weights at once or point by point, and say where the second converges in the mean;
# - prove that k-means stops, and show that its final cost can exceed the minimum by any factor;
# - derive the gradients of weights, centres and precisions, and the EM algorithm;
# - say when outputs are posterior probabilities, and raise an alarm at a known false-alarm rate.
#
# **You need** chapter 3, and [the first part](ch07a_rbf_interpolation.ipynb). **Reading:** two to three hours.
# **Lecture:** two 45-minute lectures. **Exercises:** two to three hours,
# [in the exercise notebook](../exercises/ch07b_rbf_networks_sheet.ipynb).
#
# <!-- slide
# **After this chapter you can**
#
# - count with Cover's theorem how many labellings a hyperplane can make
# - learn output weights at once or point by point
# - prove that k-means stops, and show that its final cost can exceed the minimum by any factor
# - derive the gradients and the EM algorithm
# - say when outputs are posterior probabilities, and raise an alarm at a known rate
# -->

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Leave the proof about LMS and the M step of EM to the reader if time is short. Can be skipped: Where does LMS
# converge?; Outside the data each network continues in its own way; Which step takes longest?; Find the error.
#
# </details>

# %% [markdown] key="xor" slide="slide" tags=["hour"]
# ## XOR and Cover's theorem
#
# Why should a network have a hidden layer? The *exclusive or*, XOR, of two switches is 1 if exactly one of them is
# up. No line separates the two classes, because both diagonals of the square have the same midpoint, where
# $w^\top x+b$ would have to be positive *and* negative. But put a Gaussian on $(0,0)$ and one on $(1,1)$. Their
# values at $(0,1)$ and $(1,0)$ are equal, and a line with a bias separates the three points that remain. The classes
# are then called *φ-separable*. The two Gaussians map the plane to a plane, so they add no dimension, but the map is
# not linear.
#
# <!-- slide
# ## Two Gaussians and a bias solve XOR
#
# No line in the plane: both diagonals have the same midpoint.
#
# Gaussians on $(0,0)$ and $(1,1)$: $(0,1)$ and $(1,0)$ get the same features, and a line with a bias separates them.
# -->

# %% [markdown] key="cover" slide="subslide"
# ### Cover's count: which labellings can a hyperplane make?
#
# Was XOR an exception, and how many units are enough for every labelling? Let $C(n,d)$ be the number of labellings of
# $n$ points in $\mathbb R^d$ that hyperplanes *through 0* can make, if the points are in *general position*, which
# means that any $d$ or fewer of them are linearly independent. Add one point. A labelling of the first $n-1$ points
# allows both labels of the new one if one of its hyperplanes passes through the new point. The hyperplanes through 0
# that contain this point correspond to the hyperplanes through 0 in $d-1$ dimensions. Hence (Cover, 1965)
#
# $$C(n,d)=C(n-1,d)+C(n-1,d-1)=2\sum_{k<d}\binom{n-1}k,\qquad C(1,d)=C(n,1)=2.$$
#
# A bias counts as one more dimension. For the corners of a square hyperplanes can make $C(4,3)=14$ of 16 labellings,
# all except XOR and its opposite. For $n\le d$ all $2^n$ labellings can be made, and for $n=2d$ half of them. In
# other positions the count is only an upper bound. So $n-1$ units and a bias can in general make every labelling of
# $n$ points, also a random one. A useful network has far fewer units than points, and it matters where they are.
#
# <!-- slide
# ## Cover's theorem counts the labellings
#
# Hyperplanes *through 0*, $n$ points in general position:
#
# $$C(n,d)=C(n-1,d)+C(n-1,d-1)=2\sum_{k<d}\binom{n-1}k$$
#
# $C(1,d)=C(n,1)=2$. A bias counts as one more dimension: $C(4,3)=14$ of 16, all except XOR and its opposite.
#
# $n-1$ units and a bias: in general every labelling. **So use far fewer units than points.**
# -->

# %% [markdown] key="cover-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Let the class try lines for XOR, then ask for the midpoints. For the count, draw three points in the plane and lines
# through 0, and ask which labellings of two points have a line through the third. Ask which two labellings of four
# points are missing.
#
# </details>

# %% key="cover-verify" slide="skip" hide="input"
tens = StratifiedKFold(10, shuffle=True, random_state=0)
for name, classifier in classifiers.items():
    scaled = Pipeline([("scale", StandardScaler()), ("classifier", classifier)])
    accuracy = cross_val_score(scaled, bottles, cultivar, cv=tens).mean()
    verify(f"{name}: about two in a hundred wrong", 0.97 < accuracy < 0.99)
    verify("... and certain about water", predicted[name].max() > 0.999)
corners = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
lamp = np.array([-1, -1, 1, 1])
features = np.exp(-cdist(corners, corners[:2], "sqeuclidean"))
verify("XOR: no line in the plane", separating_weights(corners, lamp) is None)
verify("two Gaussians and a bias", separating_weights(features, lamp) is not None)
verify("... and not without the bias", separating_weights(features, lamp, bias=False) is None)
general = np.random.default_rng(0).normal(size=(6, 2))
for n in range(2, 7):
    made = [separating_weights(general[:n], np.array(s)) for s in product([-1, 1], repeat=n)]
    verify(f"{n} points: labellings by lines", sum(w is not None for w in made), cover_count(n, 3))
verify("C(4, 3)", cover_count(4, 3), 14)
verify("n ≤ d: all", all(cover_count(n, d) == 2**n for d in range(1, 9) for n in range(1, d + 1)))
verify("n = 2d: half", all(2 * cover_count(2 * d, d) == 4**d for d in range(1, 20)))

# %% [markdown] key="network" slide="slide" tags=["hour"]
# ## An RBF network has two layers
#
# A *radial basis function network* has a *hidden layer* of $m$ *RBF units*, each with a centre $t_j$ and a *spread*
# $\sigma_j$, and a linear *output layer* with one output for each of $c$ classes,
#
# $$\varphi_j(x)=\exp\Big(-\frac{\|x-t_j\|^2}{2\sigma_j^2}\Big),\qquad f_k(x)=b_k+\sum_{j=1}^m w_{kj}\,\varphi_j(x). \tag{1}$$
#
# The largest output decides. For two classes one output with targets $\pm1$ does the same. With enough units (1)
# approximates every continuous function on a bounded closed set. This does not say *how many* units are enough, or
# *where* they should be.
#
# Centres, spreads and weights must be learned. If centres and spreads are given, finding the weights is a linear
# problem, so we begin with the weights. There are $n$ points $x_i$ in $d$ dimensions with targets $y_i$, $m$ units
# and $c$ classes.
#
# <!-- slide
# ## The hidden layer measures distances, the output layer is linear
#
# $$\varphi_j(x)=\exp\Big(-\frac{\|x-t_j\|^2}{2\sigma_j^2}\Big),\qquad f_k(x)=b_k+\sum_{j=1}^m w_{kj}\,\varphi_j(x) \tag{1}$$
#
# Given centres $t_j$ and spreads $\sigma_j$, finding the weights is a linear problem.
# -->

# %% [markdown] key="network-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Draw one Gaussian, two, and their weighted sum. The decision boundary is where the sum is 0. Ask which of the three
# kinds of parameters can be found from a linear system.
#
# </details>

# %% key="network-code"
def hidden(X, T, sigma):
    """φ_j(x_i), a row for each point; the last column is the bias."""
    activations = np.exp(-cdist(X, T, "sqeuclidean") / (2 * sigma**2))
    return np.column_stack([activations, np.ones(len(X))])

# %% key="network-grid" slide="skip"
grid = product(np.linspace(-12, 22, 5), np.linspace(-8, 12, 4))
T = np.array(list(grid))
sigma = 6.2  # a little less than the distance of neighbours
Phi = hidden(X, T, sigma)
w = np.linalg.lstsq(Phi, y, rcond=None)[0]

# %% key="network-picture" hide="input"
def draw_boundary(ax, value, low, high, **how):
    u, v = np.linspace(low[0], high[0], 90), np.linspace(low[1], high[1], 90)
    grid = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
    ax.contour(u, v, value(grid).reshape(90, 90), levels=[0], colors="black", **how)


low, high = X.min(axis=0) - 1, X.max(axis=0) + 1
fig, ax = plt.subplots(figsize=(6.2, 3.8))
draw_moons(ax, X[::8], y[::8], 2.8)
draw_boundary(ax, lambda Z: hidden(Z, T, sigma) @ w, low, high, linewidths=2)
ax.plot(*T.T, "P", color="#D55E00", markeredgecolor="black", markersize=10)
for t in T:
    ax.add_patch(plt.Circle(t, sigma, fill=False, edgecolor="#D55E00", linestyle=":"))
ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
show(
    fig,
    alt="The two moons, and over the whole picture a grid of five by four centres, plus signs, "
    "each with a dotted circle of radius σ that nearly reaches its neighbours; some stand where "
    "there are no points. The curved border of the network winds between the moons.",
)

# %% [markdown] key="network-reading"
# The plus signs are centres on a grid, and the dotted circles show $\sigma$. The boundary is where the weighted sum
# is 0. Here it is much better than a straight line. But some units are where there are no points, and in thirteen
# dimensions a grid with five centres in each direction would need $5^{13}$ units.
#
# <!-- slide
# A grid of centres works in the plane. In thirteen dimensions it would need $5^{13}$ units.
# -->

# %% [markdown] key="weights" slide="slide" tags=["hour"]
# ## Output weights by least squares
#
# **Step 1.** Let $\Phi$ be the matrix of activations, with a row for each point and a column of ones for the bias.
# The units overlap, so no weight can be found alone. We minimise the squared error of all outputs,
#
# $$E(w)=\tfrac12\|y-\Phi w\|^2,\qquad\nabla E=-\Phi^\top(y-\Phi w)=0\quad\Longrightarrow\quad\Phi^\top\Phi\,w=\Phi^\top y. \tag{2}$$
#
# If the columns of $\Phi$ are independent, the solution is $w^*=(\Phi^\top\Phi)^{-1}\Phi^\top y=\Phi^+y$ with the
# *pseudo-inverse*. Solvers factor $\Phi$ itself, because $\Phi^\top\Phi$ has the square of its condition number. The
# residual $e^*=y-\Phi w^*$ is orthogonal to all columns of $\Phi$.
#
# <!-- slide
# ## The residual is orthogonal to the activations
#
# **Step 1.** $\Phi$: a row for each point.
#
# $$\nabla E=-\Phi^\top(y-\Phi w)=0\quad\Longrightarrow\quad\Phi^\top\Phi\,w=\Phi^\top y \tag{2}$$
#
# $w^*=\Phi^+y$, and $e^*=y-\Phi w^*$ is orthogonal to all columns of $\Phi$.
# -->

# %% [markdown] key="weights-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Draw y, the plane of all Φw, and the perpendicular e*. Ask which line of the next proof needs the right angle.
#
# </details>

# %% key="weights-verify" slide="skip"
left = y - Phi @ w
verify("the residual is orthogonal to the activations", Phi.T @ left, 0.0, tol=1e-7)
verify(
    "the pseudo-inverse gives the same outputs", Phi @ (np.linalg.pinv(Phi) @ y), Phi @ w, tol=1e-7
)

# %% [markdown] key="lms" slide="slide"
# ## Output weights point by point: LMS
#
# If the points come one at a time, take a step down the gradient of *one* error. **Step 2.** With
# $\varphi=\varphi(x_i)$, start at $w=0$ and repeat
#
# $$e=y_i-w^\top\varphi,\qquad w\leftarrow w+\eta\,e\,\varphi. \tag{3}$$
#
# This is *LMS*, least mean squares. The input of this layer is $\varphi(x)$ and not $x$. With $x$ the same rule
# learns a straight line.
#
# <!-- slide
# ## LMS follows the gradient of one error
#
# **Step 2.**
#
# $$e=y_i-w^\top\varphi,\qquad w\leftarrow w+\eta\,e\,\varphi \tag{3}$$
#
# The input of this layer is $\varphi(x)$, not $x$.
# -->

# %% [markdown] key="lms-mean" slide="subslide" tags=["later"]
# ### Where does LMS converge?
#
# **Step 3.** Measure the distance from $w^*$. With $e_i=e_i^*-\varphi_i^\top(w-w^*)$, where $e_i^*$ is the residual
# at $w^*$, (3) becomes
#
# $$w-w^*\leftarrow(I-\eta\,\varphi_i\varphi_i^\top)(w-w^*)+\eta\,e_i^*\varphi_i.$$
#
# Draw $i$ uniformly and independently, and take the mean. The last term vanishes, because
# $\frac1n\sum_ie_i^*\varphi_i=0$ by step 1. So
#
# $$\mathbb E[w_t]-w^*=(I-\eta R)^t\,(w_0-w^*),\qquad R=\tfrac1n\Phi^\top\Phi. \tag{4}$$
#
# Along an eigenvector of $R$ with eigenvalue $\lambda_k$ the distance shrinks by the factor $1-\eta\lambda_k$. So for
# an invertible $R$ the mean converges from every start if and only if $0<\eta<2/\lambda_{\max}$, and the slowest
# direction needs about $1/(\eta\lambda_{\min})$ points.
#
# <!-- slide
# ### Where does LMS converge?
#
# **Step 3.** For independent uniform draws:
#
# $$\mathbb E[w_t]-w^*=(I-\eta R)^t(w_0-w^*),\qquad R=\tfrac1n\Phi^\top\Phi \tag{4}$$
#
# The mean converges if and only if $0<\eta<2/\lambda_{\max}$. The slowest direction needs about
# $1/(\eta\lambda_{\min})$ points.
# -->

# %% [markdown] key="lms-proof-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Write (3) at w* + v, take the mean, and let the class find the term that vanishes. The bound on η is |1 - ηλ| < 1
# for every eigenvalue.
#
# </details>

# %% key="lms-code" slide="skip"
def lms_step(w, phi, target, eta):
    """One step of (3)."""
    e = target - w @ phi
    return w + eta * e * phi


def lms_path(Phi, y, order, rates):
    w, path = np.zeros(Phi.shape[1]), []
    for i, eta in zip(order, rates, strict=True):
        w = lms_step(w, Phi[i], y[i], eta)
        path.append(w)
    return np.array(path)

# %% key="lms-verify" slide="skip"
rng = np.random.default_rng(0)
small, target, eta = rng.normal(size=(3, 2)), rng.normal(size=3), 0.3
best = np.linalg.lstsq(small, target, rcond=None)[0]
R = small.T @ small / 3
every = [lms_path(small, target, o, 5 * [eta])[-1] for o in product(range(3), repeat=5)]
verify(
    "(4): the mean over all orders of five draws from three points",
    np.mean(every, axis=0),
    best - np.linalg.matrix_power(np.eye(2) - eta * R, 5) @ best,
)

# %% [markdown] key="lms-predict" slide="subslide"
# The figure shows LMS on the grid of twenty units with the step $\eta=1/\max_i\|\varphi(x_i)\|^2$. This step is
# allowed, because $\lambda_{\max}\le\max_i\|\varphi(x_i)\|^2$. LMS passes a hundred times through the points, in a
# new order each time, which (4) does not cover. Does a constant step come nearer to the smallest error, or one that
# falls like $1/t$ from the fifth pass on? Which comes nearer to $w^*$?
#
# <!-- slide
# ## Constant or falling steps?
#
# LMS on the grid, a hundred passes. **Which comes nearer to the smallest error, and which to $w^*$?**
# -->

# %% [markdown] key="lms-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Collect answers in writing. Expect one winner for both. Then ask which eigenvalue of R is responsible for the right
# panel, and why it hardly matters (slow directions hardly change the output).
#
# </details>

# %% key="lms-figure" hide="input"
passes = np.arange(1, 101)
safe = 1 / np.max(np.sum(Phi**2, axis=1))
floor = np.mean(left**2)
shuffles = np.random.default_rng(0)
order = np.concatenate([shuffles.permutation(1000) for _ in passes])
rates = {
    "constant η": np.full(100_000, safe),
    "η falls like 1/t": safe * np.minimum(1, 5000 / np.arange(1, 100_001)),
}
track = {name: lms_path(Phi, y, order, rate)[999::1000] for name, rate in rates.items()}
squared = {name: np.mean((y - path @ Phi.T) ** 2, axis=1) for name, path in track.items()}
astray = {name: np.linalg.norm(p - w, axis=1) / np.linalg.norm(w) for name, p in track.items()}
fig, (left_ax, right_ax) = plt.subplots(1, 2, figsize=(8.8, 3.4))
for i, name in enumerate(track):
    left_ax.plot(passes, squared[name], label=name, **cycle(i))
    right_ax.plot(passes, astray[name], **cycle(i))
left_ax.axhline(floor, color="black", linestyle=":", label="pseudo-inverse")
left_ax.set(xscale="log", xlabel="passes", ylabel="mean squared error", ylim=(0, None))
right_ax.set(xscale="log", xlabel="passes", ylabel="‖w - w*‖ / ‖w*‖", ylim=(0, 1.05))
fig.legend(loc="outside lower center", ncols=3)
show(
    fig,
    alt="Left: the mean squared error of LMS against passes. With a constant step it moves up and "
    "down above the dotted line of the pseudo-inverse; with falling steps it settles near "
    "the line. "
    "Right: the distance from the weights of the pseudo-inverse, relative to their length. The "
    "constant step brings it down to about two fifths, the falling ones to seven tenths only.",
)

# %% [markdown] key="lms-reading" slide="subslide"
# Here the falling step comes nearer to the smallest error, and the constant step to the weights. At $w^*$ every point
# still has an error $e_i^*$, so its step moves $w$ by $\eta e_i^*\varphi_i$. With a constant step these fluctuations
# never end. A falling step damps them, but then $w$ hardly moves in the slow directions. In these directions
# overlapping units cancel, so they hardly change the output. So here the decision boundary is good long before the
# weights are.
#
# <!-- slide
# ## The boundary is good long before the weights are
#
# - Falling step: nearer to the smallest error. Constant step: nearer to $w^*$.
# - Slow directions hardly change the output, because overlapping units cancel.
# -->

# %% key="lms-verify-3" slide="skip" hide="input"
model = RBFNetwork(20, centers=T, sigma=sigma, lam=0.0).fit(X, y)
verify("RBFNetwork: the same", model.predict(fresh.X), hidden(fresh.X, T, sigma) @ w, tol=1e-7)
two = RBFNetworkClassifier(20, centers=T, sigma=sigma, lam=0.0).fit(X, y)
verify("two outputs: the same", two.decision_function(fresh.X), model.predict(fresh.X), tol=1e-7)
verify("on the grid: under 1 %", np.mean(model.predict(fresh.X) * fresh.y < 0) < 0.01)
verify("a straight line: over 10 %", np.mean(by_line != fresh.y) > 0.1)
ends = [squared[name][-1] for name in rates]
verify("the falling step: nearer to the smallest error", ends[1] < ends[0])
ends = [astray[name][-1] for name in rates]
verify("the constant step: nearer to w*", ends[0] < ends[1])
by_kcourse = lms(Phi, y, eta=safe, epochs=10, rng=0).weights
verify("lms of kcourse: the same", track["constant η"][9], by_kcourse)
verify(
    "one pass: under 1 % of the points wrong", np.mean(Phi @ track["constant η"][0] * y < 0) < 0.01
)
verify("the step of the figure is allowed", safe < lms_limit(Phi))
verify("2/λ_max", np.abs(1 - lms_limit(small) * np.linalg.eigvalsh(R)).max(), 1.0)
raw = lms(np.column_stack([X, np.ones(1000)]), y, epochs=20, rng=0).weights
with_x = np.sign(np.column_stack([X, np.ones(1000)]) @ raw)
verify("LMS on x: more than a tenth wrong", np.mean(with_x != y) > 0.1)

# %% [markdown] key="lot" slide="skip" tags=["hour"]
# ## Random centres
#
# Where do the centres come from? The simplest way is to draw $m$ of the training points at random. It costs nothing
# and follows the density of the data. But some of them are close to each other and do the same work, and some regions
# have none.

# %% [markdown] key="kmeans" slide="slide" tags=["hour"]
# ## Centres by k-means
#
# To spread the centres better, let each centre represent a group of points, and let each point belong to exactly one
# group. With $r_{ij}=1$ if point $i$ belongs to group $j$, and $r_{ij}=0$ otherwise, the *cost* is
#
# $$C(r,t)=\sum_{i=1}^n\sum_{j=1}^m r_{ij}\,\|x_i-t_j\|^2. \tag{5}$$
#
# **Step 4 (assignment).** For fixed centres, each point is assigned to the nearest one. **Step 5 (mean).** For fixed
# groups, the centre of a group minimises $\sum_{i\in j}\|x_i-t_j\|^2$. The gradient $-2\sum_{i\in j}(x_i-t_j)$
# vanishes at the mean.
#
# Neither step can increase (5). If a point with two nearest centres stays in its group, an assignment changes only if
# the cost falls, so none occurs twice. There are finitely many assignments, so *k-means* (Lloyd's algorithm) stops,
# and if no point has two nearest centres, it stops at a *local* minimum. Nothing guarantees that this is the global
# one.
#
# <!-- slide
# ## k-means stops, because its cost never increases
#
# Random training points cost nothing, but some are redundant. *k-means* minimises
#
# $$C(r,t)=\sum_i\sum_j r_{ij}\,\|x_i-t_j\|^2,\qquad r_{ij}\in\{0,1\},\ \sum_jr_{ij}=1 \tag{5}$$
#
# **Step 4.** Centres fixed: each point goes to the nearest.
#
# **Step 5.** Groups fixed: each centre becomes the mean.
#
# Finitely many assignments, none twice. **Is it the global minimum?**
# -->

# %% [markdown] key="kmeans-proof-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Do both steps on the board. Ask why “never increases” alone does not prove that it stops. (It could cycle at the
# same cost; but there are finitely many assignments, and none occurs twice.)
#
# </details>

# %% key="kmeans-code" slide="skip"
def lloyd(X, T):
    """Half steps of k-means: (centres, groups, cost) after each."""
    history, before = [], np.inf
    while True:
        groups = cdist(X, T).argmin(axis=1)  # step 4
        history.append((T, groups, np.sum((X - T[groups]) ** 2)))
        T = np.array([X[groups == j].mean(axis=0) for j in range(len(T))])  # step 5
        history.append((T, groups, np.sum((X - T[groups]) ** 2)))
        if history[-1][2] == before:
            return history
        before = history[-1][2]

# %% key="kmeans-verify" slide="skip"
start = X[np.random.default_rng(0).choice(1000, 20, replace=False)]
history = lloyd(X, start)
costs = np.array([cost for _, _, cost in history])
verify("no half step raises the cost", np.all(np.diff(costs) <= 1e-9 * costs[0]))
verify("kmeans of kcourse: the same end", history[-1][0], kmeans(X, 20, init=start).centers)
T_end, groups, _ = history[-1]
verify(
    "at the end every centre is the mean of its group",
    all(np.allclose(T_end[j], X[groups == j].mean(axis=0)) for j in range(20)),
)

# %% [markdown] key="kmeans-predict" slide="subslide"
# **Predict first.** The interactive figure shows the half steps of k-means from three starts, for six centres on the
# moons and for two centres on the corners of a rectangle of 1 by 5.
#
# 1. How much larger is the worst of three costs than the best, on the moons?
# 2. By what factor can the worst final cost exceed the best on the rectangle?
#
# <!-- slide
# ## How far above the minimum can the final cost be?
#
# **Predict first.** Three starts of k-means each, for six centres on the moons and for two centres on the corners of a
# rectangle of 1 by 5.
#
# 1. How much larger is the worst of three costs than the best, on the moons?
# 2. By what factor can the worst final cost exceed the best on the rectangle?
# -->

# %% [markdown] key="kmeans-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Run the moons first, then the rectangle with start C. Ask why nothing moves after one step. Ask for the number on a
# rectangle of 1 by 100.
#
# </details>

# %% key="kmeans-figure" hide="input"
few = X[::4]
corners = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 0.0], [5.0, 1.0]])
starts = {
    "moons": {
        name: few[np.random.default_rng(seed).choice(250, 6, replace=False)]
        for name, seed in (("A", 12), ("B", 4), ("C", 2))
    },
    "four corners": {
        "A": np.array([[0.0, 0.5], [1.0, 0.5]]),
        "B": np.array([[1.0, 0.2], [3.0, 1.0]]),
        "C": np.array([[2.5, 0.2], [2.5, 1.0]]),
    },
}
points = {"moons": few, "four corners": corners}
runs = {
    data: {name: lloyd(points[data], T0) for name, T0 in some.items()}
    for data, some in starts.items()
}
least = {"moons": kmeans(few, 6, n_init=50, rng=0).inertia, "four corners": 1.0}
step_by_step = kmeans_explorer(points, runs, least)

# %% [markdown] key="kmeans-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# 1. Here it is about a seventh larger.
# 2. It is 25 times the best. Starts A and B end with a left and a right group, but start C with a top and a bottom
#    group, where each centre is the mean of its group and each point is nearest to its own centre. On a rectangle of
#    1 by $L$ the factor is $L^2$, so there is no bound on the ratio.
#
# Better starts help. *k-means++* draws the first centres far apart, with probability proportional to the squared
# distance from the nearest one so far. The mean cost of such a start is at most $8\,(\ln m+2)$ times the minimum.
# Several starts also help. If a centre has lost all its points, its mean is $0/0$. The course's `kmeans` moves it to
# the point that is farthest from all centres.
#
# </details>
#
# <!-- slide
# ## The final cost of k-means can be far above the minimum
#
# 1. Moons: about a seventh above the best.
# 2. Rectangle of 1 by $L$: $L^2$ times the best. **There is no bound.**
#
# *k-means++*: first centres far apart, at most $8(\ln m+2)$ times the minimum in the mean. Use several starts.
# -->

# %% [markdown] key="online" slide="slide"
# ## Online k-means
#
# What if the points come one at a time and are not stored? **Step 6.** The nearest centre $J$ moves towards the point
# $x$,
#
# $$J=\arg\min_j\|x-t_j\|,\qquad t_J\leftarrow t_J+\eta\,(x-t_J),\qquad 0<\eta\le1. \tag{6}$$
#
# This is *online k-means*, or *competitive learning*. With $\eta=1/N_J$, where $N_J$ counts the points that moved
# this centre, $t_J$ is exactly their mean, by induction.
#
# With a constant $\eta$ older points are forgotten. The point of $s$ steps ago has the weight $\eta(1-\eta)^s$. Let
# the points of one centre be independent with variance $\tau^2$ in each direction. Because
# $t\leftarrow(1-\eta)t+\eta x$, the variance $v$ of the centre satisfies
#
# $$v\leftarrow(1-\eta)^2v+\eta^2\tau^2,\qquad\text{in the limit}\quad v=\frac{\eta^2}{1-(1-\eta)^2}\,\tau^2=\frac\eta{2-\eta}\,\tau^2. \tag{7}$$
#
# So with a constant step the centre never converges, however small $\eta$ is. The figure shows one centre that
# follows standard normal points.
#
# <!-- slide
# ## With a constant step a centre never converges
#
# **Step 6.** The nearest centre $J$ moves:
#
# $$t_J\leftarrow t_J+\eta\,(x-t_J),\qquad 0<\eta\le1 \tag{6}$$
#
# $\eta=1/N_J$: the mean of its points. Constant $\eta$:
#
# $$v\leftarrow(1-\eta)^2v+\eta^2\tau^2,\qquad\text{in the limit}\quad v=\frac\eta{2-\eta}\,\tau^2 \tag{7}$$
# -->

# %% [markdown] key="online-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Expect “small enough, and it converges”. Write the recursion of the variance and solve it for v. Ask when a constant
# step is useful (when the distribution changes).
#
# </details>

# %% key="online-code" slide="skip"
def move_nearest(T, x, wins):
    """(6) with η = 1/N_J."""
    J = np.argmin(np.sum((x - T) ** 2, axis=1))
    wins[J] += 1
    T[J] += (x - T[J]) / wins[J]
    return J


on_line = np.array([[-5.0, 5.0], [15.0, 0.0]])
wins = np.zeros(2)
belongs = [move_nearest(on_line, x, wins) for x in X]

# %% key="online-verify-2" slide="skip"
means = np.array([X[np.equal(belongs, j)].mean(axis=0) for j in (0, 1)])
verify("η = 1/N_J: each centre is the mean of its points", on_line, means)

# %% key="online-figure" hide="input"
stream = np.random.default_rng(0).normal(size=2000)


def follow(eta):
    t, path = 3.0, []
    for i, x in enumerate(stream):
        t += (1 / (i + 1) if eta is None else eta) * (x - t)
        path.append(t)
    return np.array(path)


paths = {"η = 0.1": follow(0.1), "η = 0.01": follow(0.01), "η = 1/N": follow(None)}
fig, ax = plt.subplots(figsize=(6.8, 3.1))
for i, (name, path) in enumerate(paths.items()):
    ax.plot(
        np.arange(1, 2001, 8),
        path[::8],
        label=name,
        linewidth=(0.8, 1.8, 2.2)[i],
        color=(cycle(0)["color"], cycle(1)["color"], "black")[i],
        linestyle=("-", "--", "-.")[i],
    )
band = np.sqrt(0.1 / 1.9)
ax.axhline(band, color="black", linestyle=":")
ax.axhline(-band, color="black", linestyle=":")
ax.set(xlabel="points shown", ylabel="centre", xlim=(0, 2000), ylim=(-1, 1.4))
fig.legend(loc="outside lower center", ncols=3)
show(
    fig,
    alt="One centre that follows 2000 points of mean 0 and variance 1. With η = 0.1, solid, it "
    "fluctuates within and beyond the dotted lines of (7); with η = 0.01, dashed, it "
    "falls slowly and fluctuates less; with η = 1/N, dash-dotted, it settles at 0.",
)

# %% [markdown] key="online-reading"
# With $\eta=0.1$, solid, the centre fluctuates with the standard deviation of (7), which is dotted. With $\eta=0.01$,
# dashed, it fluctuates less but follows late.
#
# <!-- slide
# $\eta=0.1$ fluctuates as (7) says (dotted), $\eta=0.01$ less but late, $1/N$ converges.
# -->

# %% key="online-verify" slide="skip" hide="input"
ends = {data: {name: run[-1][2] for name, run in some.items()} for data, some in runs.items()}
for name, cost in (("A", 1.0), ("B", 1.0), ("C", 25.0)):
    verify(f"the rectangle: {name}", ends["four corners"][name], cost)
long = corners * [20, 1]
bad = lloyd(long, np.array([[50.0, 0], [50.0, 1]]))[-1][2] / kmeans(long, 2, rng=0).inertia
verify("1 by 100: ten thousand times the best", bad, 1e4, tol=1e-8)
worst = max(ends["moons"].values()) / least["moons"] - 1
verify("moons: about a seventh", 1 / 8 < worst < 1 / 6)
lost = kmeans(corners, 2, init=[[99, 0], [2.5, 0.5]])
verify("a lost centre is moved", np.isfinite(lost.centers).all() and lost.converged)
ratio = np.std(paths["η = 0.1"][100:]) / np.sqrt(0.1 / 1.9)
verify("(7), measured: within a tenth", abs(ratio - 1) < 0.1)
verify("η = 1/N: the mean", paths["η = 1/N"], np.cumsum(stream) / np.arange(1, 2001))
v = 0.7
for _ in range(400):
    v = 0.9**2 * v + 0.1**2
verify("the limit of the recursion", v, 0.1 / 1.9)
by_kcourse = online_kmeans(stream[:, None], [[3.0]], eta=0.1, order=np.arange(2000))
verify("online_kmeans of kcourse: the same", by_kcourse.centers[0, 0], paths["η = 0.1"][-1])

# %% [markdown] key="wide" slide="slide" tags=["hour"]
# ## Choosing the spread
#
# The centres are placed, but how wide should the units be? A common rule takes one $\sigma$ for all, from the largest
# distance $d_{\max}$ of two of the $m$ centres,
#
# $$\sigma=\frac{d_{\max}}{\sqrt{2m}},\qquad\text{so that}\qquad\exp\Big(-\frac{\|x-t_j\|^2}{2\sigma^2}\Big)=\exp\Big(-\frac m{d_{\max}^2}\|x-t_j\|^2\Big). \tag{8}$$
#
# The figure shows the decision boundary of twelve k-means centres on the moons for three spreads.
#
# <!-- slide
# ## How wide should the units be?
#
# $$\sigma=\frac{d_{\max}}{\sqrt{2m}},\qquad\exp\Big(-\frac{\|x-t_j\|^2}{2\sigma^2}\Big)=\exp\Big(-\frac m{d_{\max}^2}\|x-t_j\|^2\Big) \tag{8}$$
#
# Twelve k-means centres on the moons. **Draw the boundary for a $\sigma$ five times too small, and five times too
# large.**
# -->

# %% [markdown] key="wide-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let the class draw both boundaries. Ask what decides where all activations are nearly 0.
#
# </details>

# %% key="wide-figure" hide="input"
T12 = kmeans(X, 12, rng=0).centers
rule = spread(T12)
fig, axes = plt.subplots(1, 3, figsize=(9.6, 2.8), sharey=True)
shown = {}
for ax, factor in zip(axes, (0.2, 1, 5), strict=True):
    P = hidden(X, T12, factor * rule)
    v = np.linalg.lstsq(P, y, rcond=None)[0]
    draw_moons(ax, X[::12], y[::12], 2.4)
    draw_boundary(
        ax, lambda Z, v=v, s=factor * rule: hidden(Z, T12, s) @ v, low, high, linewidths=1.6
    )
    for t in T12:
        ax.add_patch(plt.Circle(t, factor * rule, fill=False, edgecolor="#D55E00", linestyle=":"))
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), title=f"{factor:g} times the rule")
    shown[factor] = (
        100 * np.mean(np.sign(hidden(fresh.X, T12, factor * rule) @ v) != fresh.y),
        np.linalg.cond(P),
        np.abs(v).max(),
    )
for ax in axes[1:]:
    ax.set_ylabel("")
show(
    fig,
    alt="Twelve k-means centres on the moons with dotted circles of radius σ and the boundary, "
    "three times. A fifth of the rule: small circles that do not touch, and a boundary around "
    "single units. The rule: overlapping circles, a smooth boundary between the moons. Five times "
    "the rule: circles larger than the picture, and an S-shaped boundary that cuts both moons.",
)

# %% [markdown] key="wide-reading"
# If the spread is too small, only few units are active at each point, and between the centres nearly none. Then the
# bias and the nearest unit decide. If it is too large, the units are nearly equal, and the boundary is nearly that of
# a polynomial, with very large weights that cancel. Here both are worse than the rule.
#
# The rule fits the plane. The distance between neighbours of $m$ uniform centres in $d$ dimensions falls like
# $m^{-1/d}$, but $\sigma$ in (8) like $m^{-1/2}$. So the two agree only for $d=2$. In many dimensions the spread is
# too small, and the units are isolated. A rule that follows the distances is the *median* distance of a centre to its
# nearest other centre.
#
# <!-- slide
# ## The rule follows the distances only in the plane
#
# - Too small: all activations nearly 0 between the centres.
# - Too large: nearly a polynomial, with huge weights that cancel.
# - Neighbours of $m$ uniform centres: $m^{-1/d}$. The rule: $m^{-1/2}$. They agree for $d=2$.
#
# Alternative: the *median* distance to the nearest other centre.
# -->

# %% [markdown] key="lonely" slide="subslide"
# ### Isolated units
#
# On the bottles, with thirteen dimensions and 24 random centres, the rule (8) can be improved in two ways. One
# divides each activation by the sum of all, $\varphi_j(x)/\sum_\ell\varphi_\ell(x)$, which is a *normalised* layer.
# The other takes the median spread. The centres are the same in all three cases.
#
# <!-- slide
# ## Isolated units in thirteen dimensions
#
# 24 random centres on the wine data: the rule, the rule with a *normalised* layer $\varphi_j/\sum_\ell\varphi_\ell$,
# the median spread.
# -->

# %% key="lonely-table" hide="input"
lonely = measured("ch07b_lonely", "lonely-units", "median-spread")
names = {"rule": "rule (8)", "rule normalised": "rule (8), normalised", "median": "median spread"}
table(
    "Test errors of 178 bottles (%), mean of twenty partitions",
    {"spread": "", "errors (%)": ".1f"},
    {title: (lonely[name].mean(),) for name, title in names.items()},
)

# %% [markdown] key="lonely-reading"
# Both help on every one of the twenty partitions. So the rule should not be used in many dimensions without
# normalising the layer, and the spread should be selected by cross-validation.
#
# <!-- slide
# Both help. **Select the spread by cross-validation.**
# -->

# %% key="wide-verify" slide="skip" hide="input"
verify("(8): 1/(2σ²) = m/d_max²", 1 / (2 * spread(T12) ** 2), 12 / cdist(T12, T12).max() ** 2)
ratio = {
    (m, d): spread(U, rule="median") / spread(U)
    for d in (2, 13)
    for m in (100, 400)
    for U in [np.random.default_rng(0).uniform(size=(m, d))]
}
verify("the plane: it hardly depends on m", 0.75 < ratio[400, 2] / ratio[100, 2] < 1.25)
verify("13 dimensions: isolated, and more so", 4 < ratio[100, 13] < ratio[400, 13])
verify("a fifth, and five times: worse here", min(shown[0.2][0], shown[5][0]) > shown[1][0])
verify("wide units: large weights", shown[5][2] > 1e4)
for better in ("rule normalised", "median"):
    verify(f"{better}: on every partition", np.all(lonely[better] < lonely["rule"]))

# %% [markdown] key="gradients" slide="slide"
# ## Centres and spreads by gradient descent
#
# So far $y$ had no influence on the centres. Now all parameters minimise the same error. Let unit $j$ have a
# *precision matrix* $P_j=\Sigma_j^{-1}$, so that its activation is constant on ellipsoids. With $P_j=I/\sigma_j^2$
# this is (1). The bias is the weight of a unit with $P_j=0$.
#
# $$\begin{gathered}s_{ij}=(x_i-t_j)^\top P_j\,(x_i-t_j),\qquad G(s)=e^{-s/2},\\ e_i=y_i-\sum_jw_jG(s_{ij}),\qquad E=\tfrac12\sum_ie_i^2.\end{gathered} \tag{9}$$
#
# **Step 7.** Every parameter $\theta$ changes $E$ through the output only, so
# $\partial E/\partial\theta=\sum_ie_i\,\partial e_i/\partial\theta$ with
# $\partial e_i/\partial\theta=-\partial(\text{output})/\partial\theta$. This is where the minus comes from. Centres
# and precisions change the output through $s$, with $G'=dG/ds=-\tfrac12G$,
# $\partial s_{ij}/\partial t_j=-2P_j(x_i-t_j)$ and $\partial s_{ij}/\partial P_j=(x_i-t_j)(x_i-t_j)^\top=Q_{ij}$. The
# chain rule gives
#
# $$\begin{aligned}\frac{\partial E}{\partial w_j}&=-\sum_ie_iG(s_{ij}),\\ \frac{\partial E}{\partial t_j}&=2w_j\sum_ie_iG'(s_{ij})P_j(x_i-t_j),\\ \frac{\partial E}{\partial P_j}&=-w_j\sum_ie_iG'(s_{ij})\,Q_{ij}.\end{aligned} \tag{10}$$
#
# Because $G'<0$, the step $-\eta\,\partial E/\partial t_j$ moves a centre *towards* points whose error has the sign
# of $w_j$, where more of this unit is needed. Here $G'$ is the derivative with respect to the *squared* distance $s$.
#
# <!-- slide
# ## A centre moves towards points that need its unit
#
# Precisions $P_j=\Sigma_j^{-1}$, $s_{ij}=(x_i-t_j)^\top P_j(x_i-t_j)$, $G(s)=e^{-s/2}$, $E=\frac12\sum_ie_i^2$.
#
# **Step 7.** $\partial E/\partial\theta=-\sum_ie_i\,\partial(\text{output}_i)/\partial\theta$, with $G'=dG/ds$:
#
# <div class="fragment">
#
# $$\frac{\partial E}{\partial w_j}=-\sum_ie_iG,\qquad\frac{\partial E}{\partial P_j}=-w_j\sum_ie_iG'Q_{ij}$$
#
# $$\frac{\partial E}{\partial t_j}=2w_j\sum_ie_iG'P_j(x_i-t_j) \tag{10}$$
#
# </div>
# -->

# %% [markdown] key="gradients-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Before the click, let the class derive ∂E/∂w and predict the signs of the other two. One minus comes from e = y -
# output, one from G', one from moving t and not x. Then ask which way a centre moves.
#
# </details>

# %% key="gradients-code" slide="skip"
def gradients(X, y, w, T, P):
    """(10) for all units: i counts points, j units, a and b coordinates."""
    D = X[:, None] - T  # x_i - t_j
    G = np.exp(-0.5 * np.einsum("ija,jab,ijb->ij", D, P, D))
    e = y - G @ w
    G_prime = -0.5 * G  # dG/ds
    by_w = -e @ G
    by_T = 2 * w[:, None] * np.einsum("i,ij,jab,ijb->ja", e, G_prime, P, D)
    by_P = -w[:, None, None] * np.einsum("i,ij,ija,ijb->jab", e, G_prime, D, D)
    return by_w, by_T, by_P

# %% [markdown] key="descent" slide="subslide"
# ### The error is not convex
#
# If two units are exchanged, the output does not change, so a global minimum with $m$ different units occurs $m!$
# times. Halfway between two minima that differ by one exchange, two units coincide, and $m$ units can do no more than
# $m-1$ could. If the last unit lowers the global minimum, the error halfway is larger than at both minima, so the
# error is not convex. Unlike the weights alone, it can have worse local minima, so the result depends on the start,
# and k-means gives a good one. In every step the weights for the current centres and spreads are computed by (2).
#
# <!-- slide
# ## The error is not convex
#
# Exchange two units: the same output. Halfway they coincide, and the error is larger.
#
# So start at k-means, and solve the weights by (2) in every step.
# -->

# %% [markdown] key="moons-predict" slide="slide" tags=["hour"]
# ## Twenty units, or six
#
# **Predict first**, then place the units at random, by k-means, and by gradient descent, which also learns a spread
# for each unit. The errors of each way are shown once you have chosen it.
#
# 1. Twenty units: which of the three ways is the most accurate?
# 2. Six units: the same question.
# 3. Twenty random units with the median spread: is this more accurate than the rule?
#
# <!-- slide
# ## Which way of placing the units is the most accurate?
#
# **Predict first.** At random, by k-means, or by gradient descent, which also learns a spread for each unit?
#
# 1. With twenty units?
# 2. With six units?
# 3. Twenty random units with the median spread: is this more accurate than the rule?
# -->

# %% [markdown] key="moons-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Return to the votes on the board. Show twenty units with all three ways, then six. Expect “gradient descent always
# wins clearly”.
#
# </details>

# %% key="moons-figure" hide="input"
def trained(way, m, rule):
    return RBFNetworkClassifier(m, centers=way, sigma=rule, rng=1).fit(X, y)


on_moons = moons_explorer(moons, fresh, trained)

# %% [markdown] key="moons-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# 1. It hardly matters. On each of twenty data sets each way misclassifies fewer than one in a hundred test points
#    here.
# 2. Now it matters. Of 5000 test points, random centres misclassify 279 in the mean, k-means 187, and gradient
#    descent only 3. On each data set gradient descent is more accurate than the best of ten starts of k-means.
# 3. The median spread is less accurate on 19 of the twenty data sets. Random centres can be close to each other, so
#    the median becomes small, and gaps remain.
#
# </details>
#
# <!-- slide
# ## With few units the centres must be learned
#
# 1. Twenty units: each way under 1 % errors.
# 2. Six units, mean errors of 5000: random 279, k-means 187, **gradient descent 3**.
# 3. The median spread with random centres is less accurate: close neighbours make it small.
# -->

# %% key="gradients-verify" slide="skip" hide="input"
rng = np.random.default_rng(1)
A, d9, w9, T9 = (
    rng.normal(size=(9, 2)),
    rng.normal(size=9),
    rng.normal(size=3),
    rng.normal(size=(3, 2)),
)
L = rng.normal(size=(3, 2, 2))
P9 = L @ L.transpose(0, 2, 1) + 0.5 * np.eye(2)


def error_of(w, T, P):
    D = A[:, None] - T
    return 0.5 * np.sum((d9 - np.exp(-0.5 * np.einsum("jia,iab,jib->ji", D, P, D)) @ w) ** 2)


def slope(which, at, h=1e-6):
    found = np.zeros(at.size)
    for k in range(at.size):
        moved = [at.copy(), at.copy()]
        moved[0].flat[k] += h
        moved[1].flat[k] -= h
        values = [
            error_of(
                *(
                    m if name == which else other
                    for name, other in (("w", w9), ("T", T9), ("P", P9))
                )
            )
            for m in moved
        ]
        found[k] = (values[0] - values[1]) / (2 * h)
    return found.reshape(at.shape)


by_formula = supervised_gradients(A, d9, w9, T9, P9)
printed = gradients(A, d9, w9, T9, P9)
D9 = A[:, None] - T9
G9 = np.exp(-0.5 * np.einsum("jia,iab,jib->ji", D9, P9, D9))
e9 = d9 - G9 @ w9
verify("∂E/∂w by difference quotients", printed[0], slope("w", w9), tol=1e-7)
verify("∂E/∂t", printed[1], slope("T", T9), tol=1e-7)
verify("∂E/∂P", printed[2], slope("P", P9), tol=1e-7)
constant_unit = np.concatenate([P9[:2], np.zeros((1, 2, 2))])  # the third unit is 1
G_b = np.column_stack([G9[:, :2], np.ones(9)])
by_bias = gradients(A, d9, w9, T9, constant_unit)[0][2]
verify("the bias, a unit with P = 0", by_bias, -np.sum(d9 - G_b @ w9))
verify("supervised_gradients of kcourse: weights", by_formula.weights, printed[0])
verify("... centres", by_formula.centers, printed[1])
verify("... precisions", by_formula.precisions, printed[2])
drawn = measured("ch07b_moons", "twenty-at-random", "six-by-gradient", "median-gaps")
for way, errors in (("at random", "279"), ("by k-means", "187"), ("by gradient", "3")):
    verify(f"six units {way}: mean errors", drawn[f"6 units {way}"].mean(), errors)
    verify("... twenty units: under 1 %", drawn[f"20 units {way}"].max() < 50)
best_of_ten = drawn["6 units by the best k-means of ten"]
verify("better than the best of ten", np.all(drawn["6 units by gradient"] < best_of_ten))
gaps = drawn["20 units at random with median spread"] > drawn["20 units at random"]
verify("the median spread: less accurate, of twenty", gaps.sum(), "19")

# %% [markdown] key="bayes" slide="slide"
# ## Posterior probabilities from a normalised network
#
# The classifiers of the first page were certain. When is an output a probability? A classifier that predicts class
# $k$ at $x$ is right with probability $p(c_k|x)$. So no classifier is better than the *Bayes rule*, which predicts
# the class with the largest *posterior*
#
# $$p(c_k|x)=\frac{p(x|c_k)\,P(c_k)}{\sum_h p(x|c_h)\,P(c_h)}, \tag{11}$$
#
# where $P(c_k)$ is the prior of class $k$ and $p(x|c_k)$ the density of its points.
#
# **Step 8.** Can a network compute (11)? Let all classes be mixtures of the same $m$ densities $p(x|j)$ with
# different proportions, where $p(x|j)$ is Gaussian with mean $t_j$ and variance $\sigma_j^2$ in each direction,
#
# $$p(x|c_k)=\sum_jp(x|j)\,p(j|c_k),\qquad p(j)=\sum_kp(j|c_k)P(c_k).$$
#
# The assumption is that $x$ gives no further information about the class once $j$ is known. Insert this into (11),
# and multiply and divide each term by $p(j)$, to separate a factor without $x$ from a factor without $k$:
#
# $$p(c_k|x)=\sum_j\underbrace{\frac{p(j|c_k)P(c_k)}{p(j)}}_{w_{kj}\,=\,p(c_k|j)}\ \underbrace{\frac{p(x|j)\,p(j)}{\sum_{\ell}p(x|\ell)\,p(\ell)}}_{\varphi_j(x)\,=\,p(j|x)}. \tag{12}$$
#
# This is a network with a *normalised* hidden layer and with weights that are probabilities. Its outputs are the
# posteriors of the model, and those of the data as far as the model is true.
#
# <!-- slide
# ## A normalised network computes posteriors
#
# **Bayes rule:** predict the class with the largest posterior. No classifier is better.
#
# <div class="fragment">
#
# **Step 8.** $p(x|c_k)=\sum_jp(x|j)\,p(j|c_k)$, $\ p(j)=\sum_kp(j|c_k)P(c_k)$. Then
#
# $$p(c_k|x)=\sum_j\underbrace{\frac{p(j|c_k)P(c_k)}{p(j)}}_{w_{kj}\,=\,p(c_k|j)}\ \underbrace{\frac{p(x|j)\,p(j)}{\sum_{\ell}p(x|\ell)\,p(\ell)}}_{\varphi_j(x)\,=\,p(j|x)} \tag{12}$$
#
# </div>
# -->

# %% [markdown] key="bayes-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Write (11) and ask what must be known of each class to use it. Let the class insert the mixture, and multiply and
# divide by p(j) yourself. Ask which of the two fractions depends on x (the hidden layer).
#
# </details>

# %% key="bayes-code" slide="skip"
def normalised(X, T, sigma, prior):
    """φ_j(x) = p(x|j) p(j) / Σ_l p(x|l) p(l), for isotropic Gaussians in the plane."""
    log = -cdist(X, T, "sqeuclidean") / (2 * sigma**2) + np.log(prior / (2 * np.pi * sigma**2))
    joint = np.exp(log - log.max(axis=1, keepdims=True))  # else 0/0 far away
    return joint / joint.sum(axis=1, keepdims=True)


rng = np.random.default_rng(3)
T3, s3 = rng.normal(size=(3, 2)), np.array([0.7, 1.1, 0.9])
given, P_c = np.array([[0.6, 0.1], [0.3, 0.2], [0.1, 0.7]]), np.array([0.35, 0.65])  # p(j|c), P(c)
prior = given @ P_c  # p(j)
W = given * P_c / prior[:, None]  # p(c|j)
at = rng.normal(size=(40, 2))

# %% key="bayes-verify" slide="skip"
outputs = normalised(at, T3, s3, prior) @ W
density = np.exp(-cdist(at, T3, "sqeuclidean") / (2 * s3**2)) / (2 * np.pi * s3**2)
by_bayes = density @ given * P_c  # p(x|c) P(c)
verify("(12) equals (11)", outputs, by_bayes / by_bayes.sum(axis=1, keepdims=True))
verify("outputs of (12) sum to 1", outputs.sum(axis=1), 1.0)
verify(
    "kcourse: the same hidden layer",
    normalized_basis(at, T3, s3, priors=prior),
    normalised(at, T3, s3, prior),
)

# %% [markdown] key="em" slide="subslide"
# ### The EM algorithm
#
# **Step 9.** How are the parameters $\theta$ of (12), the $t_j$, $\sigma_j$, $p(j)$ and $p(c_k|j)$, learned? With
# $q_{ij}=p(j)\,p(x_i|j)\,p(c_i|j)$, where $c_i$ is the class of point $i$, the log likelihood is
# $L(\theta)=\sum_i\log\sum_jq_{ij}$. The sum inside the logarithm is the difficulty. Let $r_{ij}\ge0$ with
# $\sum_jr_{ij}=1$ be the *responsibility* of unit $j$ for point $i$. The logarithm is concave, so by Jensen's
# inequality
#
# $$L(\theta)=\sum_i\log\sum_jr_{ij}\frac{q_{ij}}{r_{ij}}\ \ge\ \sum_{i,j}r_{ij}\log\frac{q_{ij}}{r_{ij}}=F(r,\theta), \tag{13}$$
#
# with equality if $q_{ij}/r_{ij}$ is the same for all $j$, that is for $r_{ij}=q_{ij}/\sum_\ell q_{i\ell}$. As
# k-means minimises (5), *EM* maximises $F$ alternately over $r$ and over $\theta$. The *E step* computes these
# responsibilities. The *M step* computes the best $\theta$ for them.
#
# <!-- slide
# ### EM maximises a lower bound of the likelihood
#
# $q_{ij}=p(j)\,p(x_i|j)\,p(c_i|j)$. **Step 9.** Responsibilities $r_{ij}$; by Jensen
#
# $$L(\theta)=\sum_i\log\sum_jr_{ij}\frac{q_{ij}}{r_{ij}}\ \ge\ \sum_{i,j}r_{ij}\log\frac{q_{ij}}{r_{ij}}=F(r,\theta) \tag{13}$$
#
# **E:** $r_{ij}=q_{ij}/\sum_\ell q_{i\ell}$, where both are equal. **M:** the best $\theta$ for these $r$.
#
# $$L(\theta_{\text{new}})\ge F(r,\theta_{\text{new}})\ge F(r,\theta)=L(\theta)$$
# -->

# %% [markdown] key="em-means"
# $F$ is a sum of three parts, one with the centres and spreads, one with the $p(j)$, and one with the $p(c_k|j)$.
# With $N_j=\sum_ir_{ij}$, the centres are weighted means, as in step 5. The spreads and the proportions follow from
# setting derivatives to 0, for $p(j)$ and $p(c_k|j)$ with the constraint that they sum to 1:
#
# $$t_j=\frac{\sum_ir_{ij}x_i}{N_j},\qquad\sigma_j^2=\frac{\sum_ir_{ij}\|x_i-t_j\|^2}{d\,N_j},\qquad p(j)=\frac{N_j}n,\qquad p(c_k|j)=\frac{\sum_{i\text{ in }c_k}r_{ij}}{N_j}.$$
#
# Together $L(\theta_{\text{new}})\ge F(r,\theta_{\text{new}})\ge F(r,\theta)=L(\theta)$, so the likelihood never
# decreases. If a unit covers a single point, its spread can shrink and make $L$ arbitrarily large, so programs set a
# minimum for the spreads.
#
# <!-- slide
# -->

# %% [markdown] key="em-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Ask which half step of k-means becomes E, and which M. Write Jensen's inequality and let the class find when it is
# an equality. Then write the chain of three signs and ask which step each belongs to.
#
# </details>

# %% key="em-code" slide="skip"
def em_round(X, c, T, sigma, p, W):
    """E and M in the plane: new parameters, and L/n of the old ones."""
    far = cdist(X, T, "sqeuclidean")
    with np.errstate(divide="ignore"):  # p(c|j) may be 0
        log = -far / (2 * sigma**2) + np.log(p / (2 * np.pi * sigma**2) * W[:, c].T)
    most = log.max(axis=1, keepdims=True)
    q = np.exp(log - most)  # the largest is 1
    r = q / q.sum(axis=1, keepdims=True)  # E
    N = r.sum(axis=0)  # M
    T = r.T @ X / N[:, None]
    far = cdist(X, T, "sqeuclidean")
    sigma = np.sqrt(np.sum(r * far, axis=0) / (2 * N))
    W = r.T @ np.eye(2)[c] / N[:, None]
    L = np.sum(most[:, 0] + np.log(q.sum(axis=1)))
    return (T, sigma, N / len(X), W), L / len(X)

# %% key="em-verify" slide="skip"
ripley = load_synth()
four, five = (BayesRBFClassifier(6, max_iter=k, rng=1).fit(ripley.X, ripley.y) for k in (4, 5))
theta = four.centers_, four.sigma_, four.priors_, four.output_weights_
after, L = em_round(ripley.X, ripley.y.astype(int), *theta)
verify("a round of BayesRBFClassifier: centres", after[0], five.centers_)
verify("... and the likelihood before it", L, four.log_likelihood_[-1])

# %% [markdown] key="squares" slide="subslide"
# ### Outputs of least squares
#
# Are the outputs of least squares probabilities? Let $1_k$ be 1 if $x$ is of class $k$ and 0 otherwise. Its mean at
# $x$ is $p(c_k|x)$, so for any function $f_k$
#
# $$\mathbb E\,(1_k-f_k(x))^2=\mathbb E\,(1_k-p(c_k|x))^2+\mathbb E\,(p(c_k|x)-f_k(x))^2, \tag{14}$$
#
# because the mixed term has mean 0 at every $x$. So least squares approximates the posterior, as well as its
# functions can. It is *discriminative*, while (12) is *generative*, because it models $p(x|c_k)$. Nothing keeps its
# outputs between 0 and 1. With a free bias they sum to 1, because the targets of all classes do.
#
# <!-- slide
# ### Least squares approximates the posterior
#
# $$\mathbb E\,(1_k-f_k(x))^2=\mathbb E\,(1_k-p(c_k|x))^2+\mathbb E\,(p(c_k|x)-f_k(x))^2 \tag{14}$$
#
# Nothing keeps its outputs between 0 and 1.
# -->

# %% [markdown] key="squares-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Expand the square around p. The mixed term vanishes, because its mean is taken at a fixed x.
#
# </details>

# %% [markdown] key="posterior-predict" slide="subslide"
# **Predict first.** The interactive figure has Ripley's two classes and three networks of six units. Move the dotted
# line into a corner without points.
#
# 1. Least squares without a bias: do the outputs stay between 0 and 1? What is their sum in that corner?
# 2. What does the bias change?
# 3. How certain is the normalised network in that corner?
#
# <!-- slide
# ## How certain is a network where there are no points?
#
# **Predict first.** Ripley's two classes, three networks of six units.
#
# 1. Least squares without a bias: do the outputs stay between 0 and 1?
# 2. What does the bias change?
# 3. How certain is the normalised network in an empty corner?
# -->

# %% [markdown] key="posterior-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Vote on question 3. Expect “fifty-fifty, because it knows nothing there”. Ask which activation is the largest very
# far away (that of the widest unit), and why a ratio does not show that all densities are tiny.
#
# </details>

# %% key="posterior-figure" hide="input"
unseen = load_synth("test")
sign = np.where(ripley.y == 1, 1, -1)


def network(kind, m=6):
    if kind == "normalised":
        return BayesRBFClassifier(m, rng=1).fit(ripley.X, sign).predict_proba
    return RBFNetworkClassifier(m, bias=kind == "squares, bias").fit(ripley.X, sign).outputs


as_posterior = posterior_explorer(ripley.X, sign, network)

# %% [markdown] key="posterior-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# 1. The outputs become negative and larger than 1, and far away their sum tends to 0.
# 2. The sum is 1 everywhere, but single outputs still leave the interval.
# 3. Its outputs are probabilities everywhere, and here it is as certain as possible. In the corner one unit has an
#    activation near 1, and its points are of one class. Very far away the widest unit has an activation near 1.
#
# A posterior is a ratio and cannot show that $x$ is *novel*. The denominator $p(x)$ can.
#
# </details>
#
# <!-- slide
# ## A posterior cannot show that x is novel
#
# 1. Outputs leave the interval from 0 to 1.
# 2. With a bias their sum is 1.
# 3. In the corner one unit has an activation near 1, and its points are of one class.
#
# The denominator $p(x)$ shows that $x$ is **novel**.
# -->

# %% key="posterior-verify" slide="skip" hide="input"
then = five.sigma_, five.priors_, five.output_weights_
verify("... spreads and weights", np.column_stack(after[1:]), np.column_stack(then))
likelihoods = []
for _ in range(60):
    theta, L = em_round(ripley.X, ripley.y.astype(int), *theta)
    likelihoods.append(L)
verify("the likelihood never decreases", np.diff(likelihoods).min() > -1e-12)
shrinking = []  # the first unit covers the first point alone
for sigma_0 in (1e-3, 1e-6, 1e-9):
    T_, sigma_, p_, W_ = (part.copy() for part in after)
    T_[0], sigma_[0], W_[0] = ripley.X[0], sigma_0, 0.5
    shrinking.append(em_round(ripley.X, ripley.y.astype(int), T_, sigma_, p_, W_)[1])
verify("a unit on one point: L grows", np.diff(shrinking), 2 * np.log(1000) / 250, tol=1e-5)
q9 = np.random.default_rng(0).uniform(size=(50, 4))
r9 = np.random.default_rng(1).dirichlet(np.ones(4), size=50)
whole = np.log(q9.sum(axis=1))
verify("(13): any responsibilities", np.all(np.sum(r9 * np.log(q9 / r9), axis=1) < whole))
r9 = q9 / q9.sum(axis=1, keepdims=True)
verify("(13): equality for those of the E step", np.sum(r9 * np.log(q9 / r9), axis=1), whole)
p, out = rng.uniform(size=(2, 50))  # posteriors, and any outputs
both = p * (1 - out) ** 2 + (1 - p) * out**2
verify("(14), both sides", both, p * (1 - p) + (p - out) ** 2)
six = {kind: network(kind) for kind in ("squares, no bias", "squares, bias")}
for kind, outputs in six.items():
    verify(f"{kind}: outputs below 0", outputs(unseen.X).min() < 0)
far = np.array([[50.0, 50.0]])
verify("far away, without bias: the sum", six["squares, no bias"](far).sum(), 0.0)
sums = six["squares, bias"](np.vstack([far, unseen.X])).sum(axis=1)
verify("with a bias: the sum", sums, 1.0, tol=1e-7)
model_6 = BayesRBFClassifier(6, rng=1).fit(ripley.X, sign)
away = model_6.hidden(far)[0]
verify("far away: the widest unit", away.argmax() == model_6.sigma_.argmax() and away.max() > 0.999)
verify("... and certain", model_6.predict_proba(far).max() > 0.999)
corner = np.array([[2.2, -1.2]])
verify("the corner: one unit", model_6.hidden(corner).max(), 1.0, tol=1e-6)
verify("... and certain", model_6.predict_proba(corner).max(), 1.0, tol=1e-6)
least_seen = model_6.log_density(ripley.X).min()
verify("log p(x) is far lower", model_6.log_density(far)[0] < least_seen - 100)

# %% [markdown] key="mlp" slide="slide" tags=["later"]
# ## Extrapolation: RBF networks and multilayer perceptrons
#
# Do other networks show that an input is far from the data? A multilayer perceptron has units $\tanh(w^\top x+b)$,
# which depend on an inner product and are constant on hyperplanes. An RBF unit depends on a distance. Far from the
# data all RBF units are inactive, but the units of an MLP are not, except near their own hyperplanes. The output
# layer of an MLP is linear for regression, as here, but not for classification.
#
# The figure shows three networks on the data of Old Faithful, the duration of an eruption and the wait for the next.
# They are continued beyond the longest eruption, of five and a half minutes.
#
# <!-- slide
# ## Outside the data each network continues in its own way
#
# **MLP:** units of an inner product. **RBF:** units of a distance, inactive far away.
#
# An RBF network, an MLP with $\tanh$ and an MLP with $\max(0,\cdot)$ on the data of Old Faithful.
# -->

# %% [markdown] key="mlp-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let three students draw one continuation each. Ask which one they would want in a medical device.
#
# </details>

# %% key="mlp-figure" hide="input"
geyser = load_geyser()
lasted, wait = geyser.y[:-1, None], geyser.X[1:, 0]  # minutes
t = np.linspace(-4, 12, 400)[:, None]
ours = RBFNetwork(6, sigma="median", lam=1e-2).fit(lasted, wait)
perceptrons = {
    name: MLPRegressor(
        hidden_layer_sizes=(8,),
        activation=unit,
        solver="lbfgs",
        alpha=0.1,
        max_iter=3000,
        random_state=1,
    ).fit(lasted - 3, (wait - 70) / 10)
    for name, unit in (("MLP, tanh", "tanh"), ("MLP, max(0, ·)", "relu"))
}
curves = {"RBF network, 6 units": ours.predict(t)}
curves |= {name: 70 + 10 * m.predict(t - 3) for name, m in perceptrons.items()}
fig, ax = plt.subplots(figsize=(7.4, 3.6))
ax.axvspan(lasted.min(), lasted.max(), color="#eeeeee")
ax.plot(lasted, wait, "o", color="black", markersize=2.5)
for i, (name, curve) in enumerate(curves.items()):
    ax.plot(t, curve, label=name, **cycle(i))
ax.set(
    xlabel="duration of the last eruption (min)", ylabel="wait (min)", xlim=(-4, 12), ylim=(0, 160)
)
fig.legend(loc="outside lower center", ncols=3)
show(
    fig,
    alt="Waits against durations inside a shaded stretch, and three curves that go on beyond it. "
    "The RBF network returns to one constant on both sides; the MLP with tanh goes on to "
    "a constant on "
    "each side; the MLP with max(0, ·) goes on in straight lines.",
)

# %% [markdown] key="mlp-reading"
# The RBF network returns to its bias on both sides. The MLP with $\tanh$ tends to another constant on each side, and
# the MLP with $\max(0,\cdot)$ continues with straight lines. None of the outputs shows that the input is far from the
# data.
#
# <!-- slide
# RBF: the bias. $\tanh$: another constant on each side. $\max(0,\cdot)$: straight lines. **No output shows that
# the input is far from the data.**
# -->

# %% key="beyond-verify" slide="skip" hide="input"
few = RBFNetworkClassifier(20, rng=0).fit(X, y)
active = [
    np.mean(np.sum(hidden(X, few.centers_, few.sigma_ * f)[:, :-1] > 0.1, axis=1))
    for f in (1, 1 / 3)
]
verify("active units depend on σ", active[0] > 3 * active[1])
away = np.array([[-1e3], [1e3]])
verify("the RBF network: its bias", ours.predict(away), ours.intercept_)
ends_tanh = perceptrons["MLP, tanh"].predict(np.array([[-1e4], [1e4], [2e4]]))
verify("tanh: two constants", np.ptp(ends_tanh[:2]) > 1 and np.ptp(ends_tanh[1:]) < 1e-6)
ramp = perceptrons["MLP, max(0, ·)"].predict(np.array([[1e4], [2e4], [3e4]]))
verify("max(0, ·): straight", (ramp[2] - ramp[1]) / (ramp[1] - ramp[0]), 1.0, tol=1e-6)
linear_out = perceptrons["MLP, tanh"].out_activation_ == "identity"
verify("MLPRegressor: a linear output layer", linear_out)

# %% [markdown] key="wine" slide="slide"
# ## Classifying the wines: which method has the fewest errors?
#
# Before we look for a score that does, which method classifies the bottles best? The measurements are standardised on the training bottles, and the
# parameters of each method are selected by nested cross-validation. The simplest baselines are linear classifiers.
# Linear discriminant analysis models each cultivar as a Gaussian with the same covariance matrix, and quadratic
# discriminant analysis gives each its own.
#
# <!-- slide
# ## Which method misclassifies the fewest bottles?
#
# 178 bottles, thirteen measurements, nested cross-validation.
#
# **Your bet:** RBF networks, support vector machine, MLP, linear classifiers?
# -->

# %% [markdown] key="wine-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Write the bets as an order on the board.
#
# </details>

# %% key="wine-table" slide="subslide" hide="input"
wines = measured("ch07b_wine", "linear-first")
linear = wines["linear discriminant analysis"]


def paired(values):
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values))


table(
    "Test errors of 178 bottles, ten partitions into ten folds",
    {"method": "", "errors (%)": ".1f", "minus linear discriminant": "{:+.1f} ± {:.1f}"},
    {
        name: (wrong.mean(), None if wrong is linear else paired(wrong - linear))
        for name, wrong in sorted(wines.items(), key=lambda item: item[1].mean())
    },
)

# %% [markdown] key="wine-reading"
# In this chapter ± is the standard error of a mean of paired differences, here over partitions of the same bottles,
# so it says nothing about other bottles. No network is needed here. Quadratic and linear discriminant analysis have
# the fewest errors, and linear ridge regression comes next. The RBF network with centres by k-means comes
# close to them, and the MLP and the normalised network have more errors.
#
# <!-- slide
# **No network is needed here.** Discriminant analysis has the fewest errors, then linear ridge; the RBF network with
# k-means comes close.
# -->

# %% [markdown] key="wine-table-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Compare the table with the order on the board. Ask which differences are larger than twice their standard error, and
# on which data units would be needed (the moons).
#
# </details>

# %% [markdown] key="novel" slide="subslide"
# ## Detecting novelty at a known false-alarm rate
#
# How can a classifier detect the water? It needs a score that measures closeness to the training data. Possible
# scores are
#
# - the density $p(x)$ in (12), before it is normalised;
# - the distance to the nearest training bottle;
# - the distance to the nearest class mean $\mu_k$, either Euclidean, or the *Mahalanobis distance*
#   $\big((x-\mu_k)^\top\Sigma^{-1}(x-\mu_k)\big)^{1/2}$ with the common covariance matrix $\Sigma$ of the classes.
#
# **Step 10.** Where should the alarm be raised? Let a low score mean novel, so take the negative of a distance. Hold
# out $n$ bottles from training, sort their scores, and raise an alarm if the score of a new bottle is below the
# $k$-th smallest of these. If the new bottle is drawn in the same way, and no two scores are equal, then each of its
# $n+1$ possible ranks has the same probability. So
#
# $$P(\text{false alarm})=\frac k{n+1}, \tag{15}$$
#
# for every network and every score. With $n=39$ and $k=4$ this is one in ten.
#
# How many novel bottles are detected is not guaranteed. We measure it by leaving out each cultivar in turn. **Predict
# first:** how many bottles of the unknown cultivar are detected by the density, by the MLP's probability, and by the
# distance to a class mean?
#
# <!-- slide
# ## The false-alarm rate is known for every score
#
# **Step 10.** Hold out $n$ bottles. Alarm below the $k$-th smallest score. Equal probability of all $n+1$ ranks gives
#
# $$P(\text{false alarm})=\frac k{n+1} \tag{15}$$
#
# Scores: density $p(x)$, distance to the nearest bottle, *Mahalanobis distance*
# $\big((x-\mu_k)^\top\Sigma^{-1}(x-\mu_k)\big)^{1/2}$ to a class mean, MLP probability.
#
# **How many bottles of an unknown cultivar does each detect?**
# -->

# %% [markdown] key="novel-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Put forty bottles in a row, sorted by score. One of them is the new one. Ask for the probability that it is among
# the first four. Then collect guesses for the unknown cultivar.
#
# </details>

# %% key="novel-code" slide="skip"
shuffled = np.random.default_rng(0).permutation(178)
held, learned = shuffled[:39], shuffled[39:]
means = np.array([Z[learned][cultivar[learned] == k].mean(axis=0) for k in range(3)])
D = Z[learned] - means[cultivar[learned]]
inverse = np.linalg.inv(D.T @ D / len(D))  # Σ⁻¹


def closeness(X):
    """Minus the squared Mahalanobis distance to the nearest class mean."""
    D = X[:, None] - means
    return -np.einsum("ika,ab,ikb->ik", D, inverse, D).min(axis=1)


threshold = np.sort(closeness(Z[held]))[3]  # (15) with n = 39 and k = 4
print("alarm for water:", closeness(water)[0] < threshold)

# %% key="novel-table" slide="subslide" hide="input"
novel = measured(
    "ch07b_novel", "density-notices", "mahalanobis", "mlp-misses", "water-by-density"
)
scores = {
    "density p(x)": "density p(x)",
    "nearest bottle": "nearest neighbour",
    "nearest class mean": "class mean",
    "Mahalanobis distance": "Mahalanobis distance",
    "MLP, probability": "MLP's probability",
    "posterior (12)": "posterior",
}
table(
    "Detected at a false-alarm rate of 10 %, mean of 120 trials",
    {"score": "", "unknown cultivar (%)": ".0f", "water (%)": ".0f", "false alarms (%)": ".1f"},
    {
        title: tuple(
            novel[f"{what} {of}"].mean()
            for what in ("detected by", "water detected by", "alarms by")
        )
        for title, of in scores.items()
    },
    answer="What is detected",
)

# %% [markdown] key="novel-reading"
# <details><summary><b>What is detected</b> (open this once you have written down your guesses)</summary>
#
# All scores keep the false-alarm rate, as (15) says. The first four detect the water in every trial, the MLP never.
# Of the bottles of an unknown cultivar the density detects 83 %, and the Mahalanobis distance to a class mean 92 %.
# The probability of the MLP detects fewer than half. The posterior does not measure closeness to the data. It detects
# most bottles of cultivar 2, but hardly any of the other two. With its density an RBF network can do what the first
# page asks for, but a Gaussian for each class with a common covariance does it better here.
#
# </details>
#
# <!-- slide
# ## Scores that measure closeness to the data detect novelty
#
# - Water: the first four scores always, the MLP never.
# - Unknown cultivar: density 83 %, Mahalanobis distance 92 %, MLP under half, posterior hardly any except cultivar 2.
# -->

# %% [markdown] key="novel-table-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask which scores measure closeness to the bottles, and why the last column is nearly the same for all.
#
# </details>

# %% key="novel-verify" slide="skip" hide="input"
quadratic = wines["quadratic discriminant analysis"].mean()
verify("discriminant analysis: the fewest errors", max(quadratic, linear.mean()) <= min(
    v.mean() for n, v in wines.items() if "discriminant" not in n))  # fmt: skip
other = [v.mean() for n, v in wines.items() if "discriminant" not in n]
verify("linear ridge comes next", wines["linear ridge"].mean(), min(other))
verify("k-means comes close (%)", wines["units by k-means"].mean() - min(other) < 0.5)
for name in ("multilayer perceptron", "normalised network"):
    more, error = paired(wines[name] - linear)
    verify(f"{name}: more errors", more > 3 * error)
rate = [novel[f"alarms by {of}"].mean() for of in scores.values()]
verify("false alarms: about 10 %", np.abs(np.array(rate) - 10).max() < 1.5)
for of, percent in (("density p(x)", "83"), ("Mahalanobis distance", "92")):
    verify(f"detected by {of} (%)", novel[f"detected by {of}"].mean(), percent)
verify("the MLP: fewer than half", novel["detected by MLP's probability"].mean() < 50)
unknown = [
    novel[f"detected by posterior where cultivar {k} is unknown"].mean() for k in (1, 2, 3)
]
verify("the posterior: most of cultivar 2", unknown[1] > 60)
verify("... and few others", unknown[0] + unknown[2] < 10)
water_detected = [novel[f"water detected by {of}"] for of in scores.values()]
verify("water: the first four always", min(v.min() for v in water_detected[:4]), 100)
verify("... the MLP never", water_detected[4].max(), 0)
forty = np.random.default_rng(0).permutation(40)
alarms = [score < np.sort(np.delete(forty, i))[3] for i, score in enumerate(forty)]
verify("(15): four of forty", sum(alarms), 4)

# %% [markdown] key="find-error" slide="slide" tags=["later"]
# ## Find the error
#
# A student trains a network by gradient descent with the first formula as a lecture prints it. The second is how the
# same lecture normalises its hidden layer:
#
# $$\frac{\partial E}{\partial w_j}=\sum_ie_i\,G(s_{ij}),\qquad w\leftarrow w-\eta\,\frac{\partial E}{\partial w};\qquad\qquad\varphi_j(x)=\frac{p(x|j)\,p(j)}{\sum_{l=1}^m p(x|j)\,p(j)}.$$
#
# The error rises for every $\eta$, and the hidden layer is the same at every point. **Read them before you go on:
# what is wrong with each?**

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask for a check of one line each. (One unit, one point, e > 0: which way must w go? Which index do the terms of the
# sum depend on?)
#
# </details>

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What they compute</b> (open this once you have written down your answers)</summary>
#
# - The minus is missing, so this is gradient *ascent*, and the error rises at every step for every $\eta>0$.
# - The sum runs over $l$, but its terms depend on $j$. So there are $m$ equal terms, and $\varphi_j=1/m$ at every
#   point. The denominator must be $\sum_\ell p(x|\ell)\,p(\ell)$.
#
# </details>

# %% key="find-error-verify" slide="skip" hide="input"
descending, climbing, halves = np.zeros(21), np.zeros(21), []
rate = 0.5 / np.linalg.norm(Phi, 2) ** 2
for _ in range(6):
    halves.append([0.5 * np.sum((y - Phi @ v) ** 2) for v in (descending, climbing)])
    descending = descending - rate * (-Phi.T @ (y - Phi @ descending))
    climbing = climbing - rate * (Phi.T @ (y - Phi @ climbing))
halves = np.diff(halves, axis=0)
verify("(10): the error falls", np.all(halves[:, 0] < 0))
verify("as printed: the error rises", np.all(halves[:, 1] > 0))
joint = normalised(at, T3, s3, prior) * 0.7
verify("the misprinted layer is 1/m", joint / sum(joint for _ in range(3)), 1 / 3)

# %% [markdown] key="sklearn" slide="slide"
# ## The same in scikit-learn
#
# scikit-learn has no RBF network, but a pipeline of a scaler, units and a linear layer is one. `KMeans.transform`
# returns *distances* to the centres. The spread must be learned with the centres, inside each fold, so write a
# transformer:
#
# <!-- slide
# ## An RBF network is a pipeline
#
# Scaler, units, linear layer. $\sigma$ must be learned *with* the centres, inside each fold.
# -->

# %% key="sklearn-imports" slide="skip"
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.cluster import KMeans

# %% key="sklearn-code" slide="fragment"
class RBFUnits(TransformerMixin, BaseEstimator):
    """k-means; σ is width times the median distance of neighbouring centres."""

    def __init__(self, m=6, width=1.0):
        self.m, self.width = m, width

    def fit(self, X, y=None):
        means = KMeans(self.m, n_init=10, tol=0, random_state=0).fit(X)
        self.centres_ = means.cluster_centers_
        self.sigma_ = self.width * spread(self.centres_, rule="median")
        return self

    def transform(self, X):
        return np.exp(-cdist(X, self.centres_, "sqeuclidean") / (2 * self.sigma_**2))

# %% key="sklearn-pipeline" slide="subslide"
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import GridSearchCV

steps = [("scale", StandardScaler()), ("units", RBFUnits())]
steps += [("layer", RidgeClassifier(alpha=1e-6))]
grid = {"units__m": (3, 6, 12), "units__width": (1, 2, 4)}
grid["layer__alpha"] = (1e-6, 1)
search = GridSearchCV(Pipeline(steps), grid, cv=3)
search.fit(bottles, cultivar)
verify("the best setting: accuracy", search.best_score_ > 0.97)

# %% key="sklearn-verify-2" slide="skip"
theirs = Pipeline(steps).fit(bottles, cultivar)
units = theirs["units"]
ours_too = RBFNetworkClassifier(6, centers=units.centres_, sigma=units.sigma_, lam=1e-6)
outputs = ours_too.fit(Z, cultivar).outputs(Z)  # targets 0 and 1, theirs are -1 and 1
verify("the same outputs", theirs.decision_function(bottles), 2 * outputs - 1, tol=1e-5)

# %% [markdown] key="sklearn-traps" slide="subslide"
# ### Two traps: best_score_ and n_init
#
# - `best_score_` is the score of the best setting on the folds that selected it, so it tends to be too high. Score
#   the whole search by `cross_val_score(search, bottles, cultivar)`.
# - `KMeans` uses a single start by default. Pass `n_init=10`.
#
# `SGDRegressor` is LMS if its penalty, its falling step and its shuffling are switched off. `GaussianMixture` is EM
# with full covariances by default. (12) has spherical covariances and a factor $p(c_k|j)$. `RBFSampler` is not an RBF
# network, but draws the random features of chapter 10.
#
# <!-- slide
# ## Two traps: best_score_ and n_init
#
# - `best_score_` tends to be too high. Score the whole search: `cross_val_score(search, bottles, cultivar)`.
# - `KMeans` uses a single start by default. Pass `n_init=10`.
# - `RBFSampler` is not an RBF network.
# -->

# %% [markdown] key="cost" slide="slide" tags=["later"]
# ## What it costs
#
# | step | products | numbers in memory |
# |---|---|---|
# | a round of k-means or EM | order $nmd$ | $nm$ |
# | weights by least squares | $nm^2$ | $nm$ |
# | a pass of LMS | $nm$ | $m$ |
# | a gradient (10) | $nmd^2$ | $nmd$ |
# | kernel ridge regression | $n^3$ | $n^2$ |
#
# The figure shows times measured on the moons with twenty units, in one thread.
#
# <!-- slide
# ## Which step takes longest?
#
# A round of k-means or EM: order $nmd$. Weights: $nm^2$. LMS: $nm$. A gradient: $nmd^2$. Kernel ridge: $n^3$.
#
# **Which time grows fastest with $n$, and which is the longest?**
# -->

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Collect one name for each question.
#
# </details>

# %% key="cost-picture" hide="input"
cost = measured("ch07b_cost")
kinds = {
    "k-means": "kmeans",
    "weights": "weights",
    "LMS, a pass": "lms_pass",
    "EM": "em",
    "gradient descent": "gradient",
    "MLP": "mlp",
    "kernel ridge": "kernel_ridge",
}


def growth(kind):
    return np.polyfit(np.log(cost["n"][1:]), np.log(cost[kind][1:]), 1)[0]


fig, axes = plt.subplots(1, 2, figsize=(9.6, 4.2), sharey=True)
for ax, title, some in (
    (axes[0], "k-means and least squares", ("weights", "k-means", "LMS, a pass")),
    (axes[1], "all parameters", ("gradient descent", "MLP", "EM")),
):
    for i, name in enumerate(("kernel ridge", *some)):
        kind = kinds[name]
        label = f"{name}: $n^{{{growth(kind):.1f}}}$"
        ax.plot(cost["n"], 1e3 * cost[kind], marker="osD^"[i], label=label, **cycle(i))
    ax.set(xscale="log", yscale="log", xlabel="number of points n", title=title)
    ax.set_xticks([500, 1000, 2000, 4000, 8000], ["500", "1000", "2000", "4000", "8000"])
    ax.minorticks_off()
    ax.set_ylim(None, 1e5)  # room for the legend
    ax.legend(loc="upper left")
axes[0].set_ylabel("time (ms)")
show(
    fig,
    alt="Two panels of times on logarithmic axes against the number of points. Left: k-means, the "
    "weights and a pass of LMS grow about like n, and kernel ridge regression rises far above "
    "them. Right: EM, gradient descent and the MLP start far higher and grow slowly; kernel ridge "
    "regression crosses them.",
)

# %% [markdown] key="cost-reading" slide="subslide"
# The time of kernel ridge regression grows fastest, nearly like $n^3$, and is the longest from 4000 points on. The
# other times grow about like $n$ or more slowly. EM and gradient descent each take more than ten times as long as
# k-means and the weights together. Very wide units make $\Phi$ ill-conditioned, and then least squares needs a ridge.
# So start with k-means and least squares, and learn the centres only if the number of units must be small.
#
# ### When to use RBF networks
#
# Use them in few dimensions, for many points or streams, and if outputs should return to the bias far from the data.
# Do not use them where a linear or quadratic classifier is enough, or if the features have no common scale.
#
# <!-- slide
# ## When to use RBF networks
#
# - k-means and least squares grow about like $n$; EM and gradient descent take over ten times as long; kernel ridge
#   nearly $n^3$.
# - Use: few dimensions, many points, streams.
# - Do not use: a linear classifier is enough, or features without a common scale.
# -->

# %% key="cost-verify" slide="skip" hide="input"
verify("kernel ridge: nearly n³", 2.4 < growth("kernel_ridge") < 3.3)
others = [k for k in kinds.values() if k != "kernel_ridge"]
verify("the others: at most about n", all(growth(k) < 1.4 for k in others))
longer = cost["kernel_ridge"] > np.max([cost[k] for k in others], axis=0)
verify("kernel ridge: the longest from 4000 on", np.array_equal(longer, cost["n"] >= 4000))
for kind in ("em", "gradient"):
    longer = cost[kind] > 10 * (cost["kmeans"] + cost["weights"])
    verify(f"{kind}: more than ten times as long", np.all(longer))
verify("question 1: σ doubles", spread(2 * T), 2 * spread(T))
verify("question 1: φ stays", hidden(2 * X[:50], 2 * T, 2 * sigma), hidden(X[:50], T, sigma))
verify(
    "question 1: the cost is four times as large",
    kmeans(2 * corners, 2, rng=0).inertia,
    4 * kmeans(corners, 2, rng=0).inertia,
)
half = [
    online_kmeans([[a], [b]], [[0.0]], eta=0.5, order=[0, 1]).centers[0, 0]
    for a, b in ((1.0, 0.0), (0.0, 1.0))
]
verify("question 2: a quarter and a half", half, [0.25, 0.5])
right = supervised_gradients([[1.0]], [1.0], [0.5], [[0.0]], [1.0])
verify("question 3: -∂E/∂t points to the right", -right.centers[0, 0] > 0)
every_bottle = RBFNetworkClassifier(178, centers=Z, sigma="median", lam=0.0).fit(Z, cultivar)
verify("question 5: no training error", np.all(every_bottle.predict(Z) == cultivar))
shuffled = np.random.default_rng(0).permutation(cultivar)
every_bottle.fit(Z, shuffled)
verify("question 5: whatever the labels", np.all(every_bottle.predict(Z) == shuffled))

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - With $n-1$ units and a bias a network can in general make every labelling of $n$ points, so use far fewer units,
#   in the right places.
# - For given units finding the weights is a linear problem, which is solved at once by (2) or point by point by LMS.
# - k-means never increases its cost, but the final cost can exceed the minimum by any factor. With a constant step
#   online k-means never converges.
# - The rule $d_{\max}/\sqrt{2m}$ suits the plane. In many dimensions normalise the layer, or select the spread.
# - The outputs of a normalised network with weights $p(c_k|j)$ are posteriors of its model, and EM learns it. Least
#   squares approximates posteriors.
# - Posteriors do not show novelty. A score that measures closeness to the training data, with a threshold from
#   held-out points, detects it at a known false-alarm rate.
#
# <!-- slide
# ## Recap
#
# - Given the units, finding the weights is a linear problem.
# - k-means never increases its cost, but the final cost can exceed the minimum by any factor.
# - The rule for the spread suits the plane.
# - Normalised layer, weights $p(c_k|j)$: posteriors. EM never decreases the likelihood.
# - Posteriors do not show novelty; a score that measures closeness to the training data does.
# -->

# %% [markdown] key="recap-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Return to the votes and to the glass of water. Ask what they would try first on data of their own. (A linear
# classifier, then a few units.)
#
# </details>

# %% [markdown] key="quiz" slide="skip"
# ## Five questions
#
# <details><summary>1. You double all coordinates. What happens to the rule's σ, to φ and w, and to the cost of k-means?</summary>
#
# $\sigma$ doubles, $\varphi$ and $w$ do not change, and the cost is four times as large.
#
# </details>
#
# <details><summary>2. One centre, η = 0.5, a thousand points. What are the weights of the last point and of the one before it?</summary>
#
# They are a half and a quarter.
#
# </details>
#
# <details><summary>3. A unit has w > 0. One point to its right has e > 0, all others have e = 0. Which way does the centre move?</summary>
#
# It moves to the right, towards the point.
#
# </details>
#
# <details><summary>4. The outputs for two classes are 0.7 and 0.5. Can they be posteriors? Outputs of least squares with a bias?</summary>
#
# Neither, because both would sum to 1.
#
# </details>
#
# <details><summary>5. Each of your bottles gets a unit, and λ = 0. What do you learn from the training error?</summary>
#
# Nothing. It is 0 whatever the labels are, because the network interpolates.
#
# </details>

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are
# told which one. *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch07b_rbf_networks")

# %% [markdown] key="references" numbers="free" slide="skip"
# ## Further reading
#
# - T. Cover, *Geometrical and statistical properties of systems of linear inequalities with applications in pattern
#   recognition*, 1965.
# - D. S. Broomhead and D. Lowe, *Multivariable functional interpolation and adaptive networks*, 1988.
# - J. Moody and C. J. Darken, *Fast learning in networks of locally-tuned processing units*, 1989: k-means, spreads
#   from neighbours, and normalised units.
# - S. Haykin, *Neural Networks and Learning Machines*, 2009: LMS, learned centres and the double moon.
# - J. Park and I. W. Sandberg, *Universal approximation using radial-basis-function networks*, 1991. A. P. Dempster,
#   N. M. Laird and D. B. Rubin, *Maximum likelihood from incomplete data via the EM algorithm*, 1977.
# - D. Arthur and S. Vassilvitskii, *k-means++: the advantages of careful seeding*, 2007. J. MacQueen, *Some methods
#   for classification and analysis of multivariate observations*, 1967.
# - B. Widrow and M. E. Hoff, *Adaptive switching circuits*, 1960. C. M. Bishop, *Neural Networks for Pattern
#   Recognition*, 1995, chapter 5.
# - **Data.** Wine: M. Forina and others, PARVUS, from scikit-learn. Ripley's two classes and Old Faithful as in
#   chapters 1 and 6. The moons are simulated.
#
# **Next:** [the exercises](../exercises/ch07b_rbf_networks_sheet.ipynb).
