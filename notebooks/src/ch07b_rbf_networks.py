# %% [markdown] key="title" slide="slide"
# # RBF networks
#
# The second part of chapter 7. One bell for many points: where to put it, how wide to make it, what to multiply it by, and when its answer is a probability.

# %% key="imports" slide="skip" hide="input"
import warnings
from itertools import product

import numpy as np
import matplotlib.pyplot as plt
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.mixture import GaussianMixture
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
    units_explorer,
)
from kcourse.lab.pieces import CLASSES
from kcourse.rbf import (
    bayes_weights,
    kmeans,
    lms,
    lms_limit,
    normalized_basis,
    online_kmeans,
    spread,
    supervised_gradients,
)

use_style()

# %% [markdown] key="hook" slide="slide"
# ## A glass of water
#
# 178 bottles from one region of Italy, of three *cultivars* (kinds of vine), and thirteen measurements of each: alcohol, magnesium, colour … Two classifiers learn which is which: a *multilayer perceptron* (MLP), a network whose units each look along one direction, and logistic regression, which has no hidden units.
#
# Of bottles that they have not seen they get some two in a hundred wrong. Then somebody hands them a glass of water: thirteen zeros. Two of the measurements are ratios, which water does not have; with the bottles' mean in their place both say the same.
#
# <!-- slide
# 178 bottles of three *cultivars* of vine, thirteen measurements of each. Two classifiers that get some two in a hundred unseen bottles wrong are handed a glass of water: thirteen zeros.
# -->

# %% key="hook-table" hide="input"
wine = load_wine()
bottles, cultivar = wine.data, wine.target
Z = (bottles - bottles.mean(axis=0)) / bottles.std(axis=0)
water = (np.zeros((1, 13)) - bottles.mean(axis=0)) / bottles.std(axis=0)
mlp_wine = MLPClassifier((10,), solver="lbfgs", alpha=1.0, max_iter=1000, random_state=0)
tasters = {
    "multilayer perceptron": mlp_wine.fit(Z, cultivar),
    "logistic regression": LogisticRegression().fit(Z, cultivar),
}
said = {name: model.predict_proba(water)[0] for name, model in tasters.items()}
columns = {"classifier": "", "cultivar 1": ".3f", "cultivar 2": ".3f", "cultivar 3": ".3f"}
table("What they say of water, as probabilities", columns, {k: tuple(p) for k, p in said.items()})

# %% [markdown] key="hook-reading"
# Certain, and wrong: water is no wine. **Is there a network that notices, and how often would it cry wolf over honest bottles?** We shall build one, of units that speak where they have seen something and are silent elsewhere. The answer comes at the end, and has a number.
#
# <!-- slide
# **Is there a network that notices, and how often does it cry wolf over honest bottles?**
# -->

# %% [markdown] key="hook-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask what a probability of 1 should mean here, and to whom in the room the machine's answer would matter. Leave the question open: it is answered in the second lecture, when a threshold has a stated rate of false alarms.
#
# </details>

# %% key="hook-verify" slide="skip" hide="input"
tens = StratifiedKFold(10, shuffle=True, random_state=0)
for name, taster in tasters.items():
    scaled = Pipeline([("scale", StandardScaler()), ("taster", taster)])
    unseen_right = cross_val_score(scaled, bottles, cultivar, cv=tens).mean()
    verify(f"{name}: some two in a hundred unseen bottles wrong", 0.97 < unseen_right < 0.99)
    verify("... and sure of one cultivar", said[name].max() > 0.999)
ratios = ["hue" in name or "/" in name for name in wine.feature_names]
mixed = np.where(ratios, 0.0, water)  # standardised: 0 is the mean
verify("two measurements are ratios", sum(ratios), 2)
verify(
    "with the mean in their place: the same, and as sure",
    [m.predict_proba(mixed).round(3) for m in tasters.values()],
    [p[None].round(3) for p in said.values()],
)

# %% [markdown] key="question" slide="slide"
# ## Twenty bells, two moons
#
# First a problem in which we can see everything. A thousand points in two half rings, each reaching into the other; a computer made them. No line separates them. You may put twenty *bells* on the plane; each of them says how near a point is to its centre, and a weighted sum of what they say decides. **Where do you put them?**
#
# <!-- slide
# A thousand points in two half rings; no line separates them. You may put twenty *bells* on the plane: each says how near a point is to its centre, and a weighted sum decides. **Where do you put them?**
# -->

# %% key="question-data" slide="skip"
moons = make_double_moon(1000, distance=-5, rng=0)
fresh = make_double_moon(5000, distance=-5, rng=100)  # to count mistakes on
X, y = moons.X, moons.y
line = np.linalg.lstsq(np.column_stack([X, np.ones(1000)]), y, rcond=None)[0]
by_line = np.sign(np.column_stack([fresh.X, np.ones(5000)]) @ line)
print(f"a straight line, by least squares: {100 * np.mean(by_line != fresh.y):.1f} % of 5000 wrong")


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
# **Three offers, and write down which you take:** (a) on twenty of the points, drawn by lot; (b) in the middle of crowds of points, whatever their class; (c) wherever the error becomes least. How many of 5000 fresh points does each get wrong? **And if you had only six bells?**
#
# <!-- slide
# Where do twenty bells go? (a) on points **drawn by lot** (b) in the **middle of crowds**, whatever their class (c) where the **error** is least. And **six** bells?
# -->

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# A vote by hands, twice: for twenty bells and for six. Write both counts on the board and leave them there. The answer comes with the explorer “Twenty bells, or six”; nothing before it shows any of the three.
#
# </details>

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# 1. train an output layer at once or point by point, and say where the second ends up in the mean;
# 2. prove that k-means never climbs, and show that it may end as far above the best as you like;
# 3. say what a constant step leaves behind, and what a spread rule assumes about the dimension;
# 4. derive the three gradients with their signs;
# 5. derive EM and why it never falls, tell an output that is a posterior from one that is not, and raise an alarm over novelty at a stated rate.
#
# **You need** chapter 3, and chapter 7a for what bells on *all* points do. **Reading:** two to three hours. **Lecture:** two 45-minute lectures. **Exercises:** two to three hours, [in the sheet](../exercises/ch07b_rbf_networks_sheet.ipynb).
#
# <!-- slide
# **After this chapter you can**
#
# 1. train an output layer at once or point by point, and say where the second ends up in the mean;
# 2. prove that k-means never climbs, and show that it may end as far above the best as you like;
# 3. say what a constant step leaves behind, and what a spread rule assumes about the dimension;
# 4. derive the three gradients with their signs;
# 5. derive EM, tell a posterior from what is none, and raise an alarm at a stated rate.
# -->

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# The proof about the mean of LMS is to be read at home if the room has no taste for it. The five questions at the end are for home, and so is the walker who compares the two kinds of unit.
#
# Can be skipped: What the descent does not promise; A multilayer perceptron beside it; The same in scikit-learn; What it costs, and when not to use it; Find the error.
#
# </details>

# %% [markdown] key="network" slide="slide"
# ## Two layers
#
# To bet on places one needs to know what is done with them. A *radial basis function network* has a **hidden layer** of $m$ units, each with a centre $t_j$ and a spread $\sigma_j$, and an **output layer** that is linear, with one output for each of $c$ classes:
#
# $$\varphi_j(x)=\exp\Big(-\frac{\|x-t_j\|^2}{2\sigma_j^2}\Big),\qquad y_k(x)=b_k+\sum_{j=1}^m w_{kj}\,\varphi_j(x). \tag{1}$$
#
# The first layer lifts, the second separates by planes; the largest output wins. For two classes one output with targets $\pm1$ does the same. With enough bells (1) comes as near as you like to any continuous function on a bounded closed set (Park and Sandberg, 1991). That promise says nothing about *how many*, or *where*.
#
# Three things are to be learnt: centres, spreads, weights. Given the first two, the third is a linear problem. So we begin at the end.
#
# Here: $n$ points in $d$ dimensions, $m$ centres $t_j$, $c$ classes. Books write $\mu$ or $t$ for a centre, $M$, $m_1$ or $K$ for their number, and sometimes $K$ for the classes too.
#
# <!-- slide
# **Hidden layer:** $m$ units with centre $t_j$ and spread $\sigma_j$. **Output layer:** linear, an output for each class.
#
# $$\varphi_j(x)=\exp\Big(-\frac{\|x-t_j\|^2}{2\sigma_j^2}\Big),\qquad y_k(x)=b_k+\sum_{j=1}^m w_{kj}\,\varphi_j(x) \tag{1}$$
#
# To be learnt: centres, spreads, weights. Given the first two, the third is a linear problem.
# -->


# %% [markdown] key="network-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Draw one bell, two, and their weighted sum on the board; the border is where the sum is 0. Ask which of the three kinds of parameters one could find by solving a linear system.
#
# </details>

# %% key="network-code"
def hidden(X, T, sigma):
    """φ_j(x_i), a row for each point; the last column is the bias."""
    bells = np.exp(-cdist(X, T, "sqeuclidean") / (2 * sigma**2))
    return np.column_stack([bells, np.ones(len(X))])


# %% key="network-grid" slide="skip"
grid = product(np.linspace(-12, 22, 5), np.linspace(-8, 12, 4))  # by hand
T = np.array(list(grid))
sigma = 6.2  # a little less than the distance of neighbours
Phi = hidden(X, T, sigma)
w = np.linalg.lstsq(Phi, y, rcond=None)[0]


# %% key="network-picture" hide="input"
def draw_border(ax, value, low, high, **how):
    u, v = np.linspace(low[0], high[0], 90), np.linspace(low[1], high[1], 90)
    grid = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
    ax.contour(u, v, value(grid).reshape(90, 90), levels=[0], colors="black", **how)


low, high = X.min(axis=0) - 1, X.max(axis=0) + 1
fig, ax = plt.subplots(figsize=(6.2, 3.8))
draw_moons(ax, X[::8], y[::8], 2.8)
draw_border(ax, lambda Z: hidden(Z, T, sigma) @ w, low, high, linewidths=2)
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
# Plus signs: centres, on a grid, put there by hand; dotted circles: one $\sigma$ around each. The border is where the weighted sum is 0. Of 5000 fresh points 27 are on its wrong side; the straight line gets 11.6 % wrong. Some of the twenty stand where nobody lives, and in thirteen dimensions a grid of five in each direction has $5^{13}$ bells. The bet is about better places.
#
# <!-- slide
# Centres on a grid, by hand: 27 of 5000 wrong. Some bells stand where nobody lives; in thirteen dimensions such a grid has $5^{13}$.
# -->

# %% key="network-verify" slide="skip" hide="input"
model = RBFNetwork(20, centers=T, sigma=sigma, lam=0.0).fit(X, y)
verify(
    "kcourse's RBFNetwork is the same function",
    model.predict(fresh.X),
    hidden(fresh.X, T, sigma) @ w,
    tol=1e-7,
)
two = RBFNetworkClassifier(20, centers=T, sigma=sigma, lam=0.0).fit(X, y)
verify(
    "two outputs, 0 or 1, decide as one output ±1",
    two.decision_function(fresh.X),
    model.predict(fresh.X),
    tol=1e-7,
)
verify("wrong of 5000", np.sum(model.predict(fresh.X) * fresh.y < 0), "27")
verify("the straight line (%)", 100 * np.mean(by_line != fresh.y), "11.6")

# %% [markdown] key="weights" slide="slide"
# ## The last layer: all at once
#
# Write $\Phi$ for the matrix of what the hidden layer says, a row for each point, the bias as a column of ones. **Step 1.** No single weight can be judged alone, since bells overlap; so ask for all at once, by the squared error of the whole. It is a bowl in $w$, and at its bottom no direction is left to go down:
#
# $$E(w)=\tfrac12\|y-\Phi w\|^2,\qquad\nabla E=-\Phi^\top(y-\Phi w)=0\quad\Longrightarrow\quad\Phi^\top\Phi\,w=\Phi^\top y, \tag{2}$$
#
# and if the columns of $\Phi$ are independent, $w^*=(\Phi^\top\Phi)^{-1}\Phi^\top y=\Phi^+y$, with the *pseudo-inverse*. Whether $E$ is a sum or a mean changes its value, not its place. And (2) is for paper: $\Phi^\top\Phi$ has the condition number of $\Phi$, squared, so computers factor $\Phi$ itself.
#
# What is left at $w^*$, $e^*=y-\Phi w^*$, is orthogonal to all columns of $\Phi$. Keep that for the next step.
#
# <!-- slide
# **Step 1.** $\Phi$: a row for each point. $E(w)=\frac12\|y-\Phi w\|^2$,
#
# $$\nabla E=-\Phi^\top(y-\Phi w)=0\quad\Longrightarrow\quad\Phi^\top\Phi\,w=\Phi^\top y \tag{2}$$
#
# $w^*=\Phi^+y$. What is left, $e^*=y-\Phi w^*$, is orthogonal to all columns of $\Phi$.
# -->

# %% [markdown] key="weights-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Two lines on the board, and a right angle: y, the plane of all Φw, and the perpendicular e*. Ask which line of the next proof will need that angle.
#
# </details>

# %% key="weights-verify" slide="skip"
left = y - Phi @ w
verify("what is left is orthogonal to what the units say", Phi.T @ left, 0.0, tol=1e-7)
verify(
    "the pseudo-inverse gives the same outputs", Phi @ (np.linalg.pinv(Phi) @ y), Phi @ w, tol=1e-7
)

# %% key="weights-verify-2" slide="skip" hide="input"
nudged = [
    np.sum((y - Phi @ (w + step)) ** 2)
    for step in 1e-3 * np.random.default_rng(0).normal(size=(50, 21))
]
verify("no neighbour of w* has a smaller error", min(nudged) > left @ left)
verify(
    "ΦᵀΦ: the condition number, squared",
    np.linalg.cond(Phi.T @ Phi) / np.linalg.cond(Phi) ** 2,
    1.0,
    tol=1e-6,
)

# %% [markdown] key="lms" slide="slide"
# ## The last layer: point by point
#
# (2) wants all points at once. If they come one after the other, take one, and go down the slope of *its* error. **Step 2.** With $\varphi=\varphi(x_i)$, from $w=0$ on,
#
# $$e=y_i-w^\top\varphi,\qquad w\leftarrow w+\eta\,e\,\varphi. \tag{3}$$
#
# This is the *LMS* algorithm (least mean squares, or delta rule). Mark what enters: the layer's input is $\varphi(x)$. A textbook table of LMS has $x$ there, and copied into a network as it stands it trains a straight line.
#
# **Step 3. Where does it go?** Each step depends on who was drawn. But (3) is linear in $w$, so the *mean* over all draws obeys a law, and a distance is simplest from where nothing pulls: from $w^*$. With $e_i=e_i^*-\varphi_i^\top(w-w^*)$, where $e_i^*$ is what is left at $w^*$, (3) reads
#
# $$w-w^*\leftarrow(I-\eta\,\varphi_i\varphi_i^\top)(w-w^*)+\eta\,e_i^*\varphi_i.$$
#
# Draw $i$ uniformly, whatever came before, and take means. The last term dies, $\frac1n\sum_ie_i^*\varphi_i=0$ by step 1, so
#
# $$\mathbb E[w_t]-w^*=(I-\eta R)^t\,(w_0-w^*),\qquad R=\tfrac1n\Phi^\top\Phi. \tag{4}$$
#
# In the direction of an eigenvector of $R$ with eigenvalue $\lambda_k$ the distance shrinks by $1-\eta\lambda_k$ a step. So for an invertible $R$ the mean converges from everywhere if and only if $0<\eta<2/\lambda_{\max}$, and the slowest direction needs about $1/(\eta\lambda_{\min})$ points. A mean may be calm while single runs leap. The figure will show one that does.
#
# <!-- slide
# **Step 2.** Take a point, go down the slope of its error:
#
# $$e=y_i-w^\top\varphi,\qquad w\leftarrow w+\eta\,e\,\varphi \tag{3}$$
#
# The input of this layer is $\varphi(x)$, not $x$.
#
# **Step 3.** For uniform, independent draws ($\frac1n\sum_ie_i^*\varphi_i=0$ by step 1):
#
# $$\mathbb E[w_t]-w^*=(I-\eta R)^t(w_0-w^*),\qquad R=\tfrac1n\Phi^\top\Phi \tag{4}$$
#
# Converges in the mean iff $0<\eta<2/\lambda_{\max}$; the slowest direction needs about $1/(\eta\lambda_{\min})$ points.
# -->

# %% [markdown] key="lms-proof-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Write (3) at w* + v on the board, take the mean, and let the room find the term that dies. The bound on η is one line: |1 - ηλ| < 1 for every eigenvalue. The proof may be read at home instead.
#
# </details>

# %% key="lms-code" slide="subslide"
def lms_step(w, phi, wanted, eta):
    """(3): wanted minus said, along φ and not along x."""
    e = wanted - w @ phi
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
    "(4): the mean over all 3⁵ ways to draw five of three points",
    np.mean(every, axis=0),
    best - np.linalg.matrix_power(np.eye(2) - eta * R, 5) @ best,
)

# %% key="lms-verify-2" slide="skip" hide="input"
verify(
    "2/λ_max is where (4) stops to shrink",
    np.abs(1 - lms_limit(small) * np.linalg.eigvalsh(R)).max(),
    1.0,
)
verify("ways to draw", len(every), "243")

# %% [markdown] key="lms-predict" slide="subslide"
# **Predict first.** The grid of twenty bells on the moons, 21 weights, and LMS with the largest step that never overshoots, $\eta=1/\max_i\|\varphi(x_i)\|^2$. The thousand points are shown again and again.
#
# 1. After one pass: how many of the points are still on the wrong side?
# 2. After a hundred passes: have the *weights* come near to those of the pseudo-inverse?
# 3. Two ways to choose the steps: constant, or from the fifth pass on falling like $1/t$. Which gets the smaller error, which the better weights?

# %% [markdown] key="lms-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Have question 3 answered in writing; a likely answer is one winner for both. Then show the figure. Ask which eigenvalue of R is to blame for the right panel, and why nobody should mind: the directions that LMS is slow in are those that hardly change the output.
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
    alt="Left: the mean squared error of LMS against passes. With a constant step it leaps up and "
    "down above the dotted line of the pseudo-inverse; with falling steps it settles near "
    "the line. "
    "Right: the distance of the weights from the pseudo-inverse's, as a share of their length. The "
    "constant step brings it down to about two fifths, the falling ones to seven tenths only.",
    answer="A hundred passes",
)

# %% [markdown] key="lms-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# 1. Here 5 of 1000. In twenty draws of the moons between 5 and 87, half of them at most 21: the border is there long before the weights.
# 2. No: after a hundred passes they are here two fifths of their length away, and seven tenths with falling steps; over the draws 0.22 to 0.74, and 0.60 to 0.88. $R$ has the condition number $4\cdot10^5$: by (4), a guide where each pass is a shuffle, the slowest direction wants more than half a million points. In such directions overlapping bells cancel, so they hardly change the output.
# 3. The falling steps get nearer to the least error, on each of the twenty draws; the constant step gets nearer to the weights, on each as well. Where $w^*$ leaves an error, every point pushes $w$ off again by $\eta e_i^*\varphi_i$, and a constant $\eta$ never calms that down; steps like $1/t$ do, and nearly stop moving in the slow directions. Where $w^*$ leaves *no* error there is nothing to calm, and a constant step is enough.
#
# </details>
#
# <!-- slide
# <details><summary><b>What just happened</b></summary>
#
# 1. Here 5 of 1000, over twenty draws 5 to 87: the border is there long before the weights.
# 2. No: two fifths of their length away, seven tenths with falling steps. Overlapping bells cancel in the slow directions, so these hardly change the output.
# 3. The constant step is nearer to the weights, the falling one to the least error, on each of twenty draws: a constant $\eta$ never calms down what $w^*$ leaves.
#
# </details>
# -->

# %% key="lms-verify-3" slide="skip" hide="input"
one_pass = [np.sum(np.sign(Phi @ path[0]) != y) for path in track.values()]
verify("after one pass wrong, of 1000", one_pass, [5, 5])
by_kcourse = lms(Phi, y, eta=safe, epochs=10, rng=0).weights
verify("kcourse's lms takes the same way", track["constant η"][9], by_kcourse)
ends = [astray[name][-1] for name in track]
verify("after a hundred passes two fifths of their length away", 0.35 < ends[0] < 0.45)
verify("... or seven tenths", 0.65 < ends[1] < 0.75)
spectrum = np.linalg.eigvalsh(Phi.T @ Phi / 1000)
verify("the condition number of R, in units of 10⁵", spectrum[-1] / spectrum[0] / 1e5, "4")
verify("the slowest direction wants over half a million", 1 / (safe * spectrum[0]) > 5e5)
lms_draws = measured("ch07b_lms", "lms-error", "lms-weights")
after_one = lms_draws["wrong of 1000 after a pass"]
verify("after one pass, of twenty draws: from, to", [after_one.min(), after_one.max()], [5, 87])
for step, span in (("constant", (0.22, 0.74)), ("falling", (0.60, 0.88))):
    far_off = lms_draws[f"weights off with {step} step"]
    verify(f"{step}: weights off, from, to", np.round([far_off.min(), far_off.max()], 2), span)
verify("... half of them at most 21", np.sum(after_one <= 21) >= 10)
exact = Phi @ rng.normal(size=21)
tail = lms(Phi, exact, eta=safe, epochs=30, rng=0)
verify(
    "with no error left at w*, a constant step goes on falling",
    np.mean((exact - Phi @ tail.weights) ** 2) < 1e-4 * np.mean(exact**2),
)
raw = lms(np.column_stack([X, np.ones(1000)]), y, epochs=20, rng=0).weights
verify(
    "LMS on x instead of φ(x): a straight line, more than a tenth wrong",
    np.mean(np.sign(np.column_stack([X, np.ones(1000)]) @ raw) != y) > 0.1,
)

# %% [markdown] key="lot" slide="slide"
# ## Centres, first way: by lot
#
# The weights are found, for bells that somebody has put down. Who puts them? The first offer of the bet: draw $m$ of the training points. It costs nothing, and it follows the density of the data: many points, many bells.
#
# It is justified as far as the sample is *representative*; what the sample missed, no bell will cover. And it is wasteful: some bells fall beside each other and say the same, some regions get none. Chapter 7a puts a bell on *every* point and pays with a penalty; chapter 10 lives on a few hundred drawn by lot.
#
# <!-- slide
# Draw $m$ of the training points: costs nothing, follows the density.
#
# - justified as far as the sample is *representative*
# - wasteful: some bells say the same, some regions get none
# -->

# %% [markdown] key="kmeans" slide="slide"
# ## Centres, second way: k-means
#
# A lot wastes bells. So let each centre stand for a group of its own. With $r_{ij}=1$ if point $i$ belongs to group $j$ and 0 otherwise, exactly one of them 1 for each point, the *cost* of a partition and its centres is
#
# $$C(r,t)=\sum_{i=1}^n\sum_{j=1}^m r_{ij}\,\|x_i-t_j\|^2. \tag{5}$$
#
# To minimise over both at once is hard. Over one of them it is a line each. **Step 4 (partition).** With the centres fixed, every point is free to choose: it takes the nearest. **Step 5 (mean).** With the groups fixed, the centre of a group minimises $\sum_{i\in j}\|x_i-t_j\|^2$, whose gradient $-2\sum_{i\in j}(x_i-t_j)$ vanishes at the mean.
#
# Neither step can raise (5). Let a point that is equally near to two centres stay where it is: then a partition changes only for a smaller cost. It is never met again, and there are finitely many; so *k-means* (Lloyd's iteration) stops after finitely many steps, where neither step changes anything.
#
# The program below gives ties to the first centre, and stops as soon as a round lowers nothing. **At a minimum?** Where no point is tied, small moves of the centres change no group, and the groups' means are best: a *local* minimum. Nothing says that it is the least.
#
# <!-- slide
# $$C(r,t)=\sum_i\sum_j r_{ij}\,\|x_i-t_j\|^2,\qquad r_{ij}\in\{0,1\},\ \sum_jr_{ij}=1 \tag{5}$$
#
# **Step 4 (partition).** Centres fixed: each point takes the nearest.
#
# **Step 5 (mean).** Groups fixed: each centre becomes the mean of its group.
#
# Neither can raise (5). Ties stay, so a partition changes only for a smaller cost, and there are finitely many: it stops. **At a minimum?**
# -->


# %% [markdown] key="kmeans-proof-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Both steps on the board, the second with its gradient. Then ask for the missing piece: why does “never climbs” alone not mean that it stops? Finitely many partitions, none of them met twice, if ties stay.
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
verify("kcourse's kmeans ends in the same place", history[-1][0], kmeans(X, 20, init=start).centers)
T_end, groups, _ = history[-1]
verify(
    "step 5 at rest: every centre is the mean of its group",
    all(np.allclose(T_end[j], X[groups == j].mean(axis=0)) for j in range(20)),
)

# %% [markdown] key="kmeans-predict" slide="subslide"
# **Predict first.** Six centres for every fourth point of the moons, and two centres for four points, the corners of a rectangle of 1 by 5. Three starts for each; the slider takes half a step at a time, from the eighth on four, and where a run rests the least known cost is dotted.
#
# 1. By how much is the worst of three starts above the best?
# 2. For the four corners: how many times the best cost can the worst end be?
#
# <!-- slide
# **Predict first.** Six centres for a quarter of the moons; two centres for the corners of a rectangle of 1 by 5. Three starts for each.
#
# 1. By how much is the worst of three starts above the best?
# 2. For the four corners: how many times the best cost can the worst end be?
# -->

# %% [markdown] key="kmeans-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# The first question by hands, in tens. Run the moons first; the worst end of the three is a seventh above the best. Then the four corners, start C. After one step nobody moves: each centre is the mean of its two points, each point is nearest to its own centre. Ask what the number would be for a rectangle of 1 by 100.
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
# 1. A seventh, on the moons. And of a hundred starts on six points drawn by lot only nine end at the least cost that is known.
# 2. 25: A and B end at 1, left against right; C ends at 25, top against bottom, and rests there: every centre is the mean of its group, every point is nearest to its own. For 1 by $L$ it is $L^2$ times: **there is no factor that k-means always keeps.**
#
# What helps is the start. *k-means++* draws the centres far apart, each with probability in proportion to the squared distance from the nearest of those before it: on average its start costs at most $8\,(\ln m+2)$ times the best, whatever the points are (Arthur and Vassilvitskii, 2007). And several starts help.
#
# </details>
#
# <!-- slide
# <details><summary><b>What just happened</b></summary>
#
# 1. A seventh, on the moons. Of a hundred starts by lot nine end at the least cost that is known.
# 2. 25 times. For 1 by $L$ it is $L^2$: **there is no factor that k-means always keeps.**
#
# What helps: *k-means++*, which draws first centres far apart, and several starts.
#
# </details>
# -->

# %% key="kmeans-verify-2" slide="skip" hide="input"
ends = {data: {name: run[-1][2] for name, run in some.items()} for data, some in runs.items()}
verify("the corners: A", ends["four corners"]["A"], 1.0)
verify("the corners: B", ends["four corners"]["B"], 1.0)
verify("the corners: C", ends["four corners"]["C"], 25.0)
long = corners * [20, 1]
verify(
    "1 by 100: ten thousand times the best",
    lloyd(long, np.array([[50.0, 0], [50.0, 1]]))[-1][2] / kmeans(long, 2, rng=0).inertia,
    1e4,
    tol=1e-8,
)
worst = max(ends["moons"].values()) / least["moons"] - 1
verify("the worst of the three on the moons: a seventh above the best", 1 / 8 < worst < 1 / 6)
by_lot = [
    kmeans(few, 6, init=few[np.random.default_rng(seed).choice(250, 6, replace=False)]).inertia
    for seed in range(100)
]
verify(
    "of a hundred starts by lot end at the least cost that is known",
    np.sum(np.array(by_lot) < least["moons"] * (1 + 1e-9)),
    "9",
)
verify("start A finds the best that is known", ends["moons"]["A"], least["moons"])

# %% [markdown] key="empty" slide="subslide"
# **A centre without points.** Start the corners at $(99,0)$ and $(2.5,0.5)$. Nobody is nearest to the first centre, its mean is $0/0$, and one line of NumPy later every distance to it is not a number; `argmin` prefers what is not a number, so in the next round *all* points belong to it. The textbook's four steps say nothing about that. A library must: ours moves the lost centre onto the point that is farthest from all centres, which lowers the cost, too.
#
# <!-- slide
# -->

# %% key="empty-verify" slide="skip" hide="input"
with np.errstate(invalid="ignore"):
    D = cdist(corners, np.array([[np.nan, np.nan], [2.5, 0.5]]))
verify("argmin prefers what is not a number", np.all(D.argmin(axis=1) == 0))
lost = kmeans(corners, 2, init=[[99, 0], [2.5, 0.5]])
verify(
    "kcourse repairs it: all centres are numbers, and it comes to rest",
    np.isfinite(lost.centers).all() and lost.converged,
)

# %% [markdown] key="online" slide="slide"
# ## Centres on line: the winner moves
#
# k-means asks for all points in each round. What if they come one by one and are not kept? **Step 6.** Each point $x$ is won by the nearest centre $J$, and the winner alone moves towards it:
#
# $$J=\arg\min_j\|x-t_j\|,\qquad t_J\leftarrow t_J+\eta\,(x-t_J),\qquad 0<\eta\le1. \tag{6}$$
#
# This is *competitive learning*, on-line k-means. What does $\eta$ do? Follow one centre and the points that it wins.
#
# **$\eta=1/N_J$**, with $N_J$ the number of its wins, this one included: (6) is $t\leftarrow\big((N-1)\,t+x\big)/N$, so by induction $t_J$ is *exactly* the mean of the points that it has won, and the first centre itself is forgotten at the first win.
#
# **A constant $\eta$** forgets: the point of $s$ wins ago has the weight $\eta(1-\eta)^s$. Let these points be independent of each other with variance $\varsigma^2$ in each direction. So it is for a single centre; with several, who is won changes a little with them. Then (6) reads $t\leftarrow(1-\eta)\,t+\eta\,x$, so the variance $v$ of the centre obeys
#
# $$v\leftarrow(1-\eta)^2v+\eta^2\varsigma^2,\qquad\text{at rest}\quad v=\frac{\eta^2}{1-(1-\eta)^2}\,\varsigma^2=\frac\eta{2-\eta}\,\varsigma^2. \tag{7}$$
#
# **The centre never comes to rest**: it trembles for ever with the standard deviation $\varsigma\sqrt{\eta/(2-\eta)}$.
#
# <!-- slide
# **Step 6.** The nearest centre $J$ wins, and it alone moves:
#
# $$t_J\leftarrow t_J+\eta\,(x-t_J),\qquad 0<\eta\le1 \tag{6}$$
#
# *Competitive learning.* With $\eta=1/N_J$: exactly the mean of what it has won.
#
# A constant $\eta$: $t\leftarrow(1-\eta)t+\eta x$, so
#
# $$v\leftarrow(1-\eta)^2v+\eta^2\varsigma^2,\qquad\text{at rest}\quad v=\frac\eta{2-\eta}\,\varsigma^2 \tag{7}$$
#
# **It never comes to rest.**
# -->

# %% [markdown] key="online-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# "Small enough, and it converges": let somebody say it, then write the recursion of the variance and solve it for v. Ask when one would *want* a constant step: when the crowd itself moves, and 1/N has long gone to sleep.
#
# </details>

# %% key="online-code" slide="subslide"
def winner_moves(T, x, wins):
    """(6) with η = 1/N_J: the nearest centre moves."""
    J = np.argmin(np.sum((x - T) ** 2, axis=1))
    wins[J] += 1
    T[J] += (x - T[J]) / wins[J]  # or η times the way
    return J


on_line = np.array([[-5.0, 5.0], [15.0, 0.0]])
wins = np.zeros(2)
belongs = [winner_moves(on_line, x, wins) for x in X]

# %% key="online-verify-2" slide="skip"
means = np.array([X[np.equal(belongs, j)].mean(axis=0) for j in (0, 1)])
verify("with 1/N_J each centre is the mean of what it has won", on_line, means)

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
    alt="One centre that follows 2000 points of mean 0 and variance 1. With η = 0.1, solid, "
    "it trembles within and beyond the dotted lines at plus and minus 0.229 for ever; with "
    "η = 0.01, dashed, it comes down slowly and trembles less; with η = 1/N, dash-dotted, it "
    "settles at 0.",
)

# %% [markdown] key="online-reading"
# Solid: $\eta=0.1$, trembling by (7) with standard deviation 0.229 (dotted). Dashed: $\eta=0.01$, calmer, and late. Dash-dotted: $1/N$, the running mean.
#
# <!-- slide
# Solid: $\eta=0.1$, trembling with 0.229 for ever (dotted). Dashed: $\eta=0.01$, calmer and late. Dash-dotted: $1/N$.
# -->

# %% key="online-verify" slide="skip" hide="input"
verify("(7) for η = 0.1 and points of variance 1", np.sqrt(0.1 / 1.9), "0.229")
verify(
    "measured: within a tenth of it",
    abs(np.std(paths["η = 0.1"][100:]) / np.sqrt(0.1 / 1.9) - 1) < 0.1,
)
verify("η = 1/N: exactly the mean", paths["η = 1/N"], np.cumsum(stream) / np.arange(1, 2001))
v = 0.7
for _ in range(400):
    v = 0.9**2 * v + 0.1**2
verify("the recursion comes to rest where (7) says", v, 0.1 / 1.9)
verify(
    "kcourse's online_kmeans goes the same way",
    online_kmeans(stream[:, None], [[3.0]], eta=0.1, order=np.arange(2000)).centers[0, 0],
    paths["η = 0.1"][-1],
)
weights_ago = 0.1 * 0.9 ** np.arange(2000)[::-1]
verify(
    "the point of s wins ago weighs η(1-η)^s",
    weights_ago @ stream + 0.9**2000 * 3.0,
    paths["η = 0.1"][-1],
)

# %% [markdown] key="wide" slide="slide"
# ## How wide?
#
# The centres stand; now their spreads. A rule that lectures give: one $\sigma$ for all, from the greatest distance $d_{\max}$ between two of the $m$ centres,
#
# $$\sigma=\frac{d_{\max}}{\sqrt{2m}},\qquad\text{so that}\qquad\exp\Big(-\frac{\|x-t_j\|^2}{2\sigma^2}\Big)=\exp\Big(-\frac m{d_{\max}^2}\|x-t_j\|^2\Big), \tag{8}$$
#
# “to avoid bells that are too peaked or too flat”. **Predict first:** twelve k-means centres on the moons. What does the border look like when $\sigma$ is five times too small? And five times too large?
#
# <!-- slide
# One spread for all, from the greatest distance $d_{\max}$ of two of the $m$ centres, “to avoid bells that are too peaked or too flat”:
#
# $$\sigma=\frac{d_{\max}}{\sqrt{2m}},\qquad\exp\Big(-\frac{\|x-t_j\|^2}{2\sigma^2}\Big)=\exp\Big(-\frac m{d_{\max}^2}\|x-t_j\|^2\Big) \tag{8}$$
#
# **Predict first:** twelve k-means centres on the moons; the border for a $\sigma$ five times too small, and five times too large?
# -->

# %% [markdown] key="wide-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let them draw both borders. Narrow: ask who decides outside of all bells; the bias does, so one class gets all the rest. Wide: ask what a sum of very flat bells can still do. A tempting answer is “parabolas, so a conic section”; leave it open for the next page.
#
# </details>

# %% key="wide-figure" slide="subslide" hide="input"
T12 = kmeans(X, 12, rng=0).centers
rule = spread(T12)
fig, axes = plt.subplots(1, 3, figsize=(8.5, 2.5), sharey=True)
told = {}
for ax, factor in zip(axes, (0.2, 1, 5), strict=True):
    P = hidden(X, T12, factor * rule)
    v = np.linalg.lstsq(P, y, rcond=None)[0]
    draw_moons(ax, X[::12], y[::12], 2.4)
    draw_border(
        ax, lambda Z, v=v, s=factor * rule: hidden(Z, T12, s) @ v, low, high, linewidths=1.6
    )
    for t in T12:
        ax.add_patch(plt.Circle(t, factor * rule, fill=False, edgecolor="#D55E00", linestyle=":"))
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), title=f"{factor:g} times the rule")
    told[factor] = (
        100 * np.mean(np.sign(hidden(fresh.X, T12, factor * rule) @ v) != fresh.y),
        np.linalg.cond(P),
        np.abs(v).max(),
    )
for ax in axes[1:]:
    ax.set_ylabel("")
show(
    fig,
    alt="Twelve k-means centres on the moons with dotted circles of radius σ and the border, three "
    "times. A fifth of the rule: small circles that do not touch, and a border that runs round the "
    "bells of the upper moon and one between the two. The rule: overlapping circles, a smooth "
    "border between the moons. Five times the rule: circles larger than the picture, and an open "
    "border, an S with long arms, that cuts both moons.",
    answer="Three spreads",
)

# %% [markdown] key="wide-reading"
# <details><summary><b>What the borders look like</b> (open this once you have written down your answer)</summary>
#
# Too narrow: between the bells nobody speaks, the bias decides, and the border hugs the bells of one class. Too wide: it looks like a polynomial. Of which degree?
#
# </details>
#
# <!-- slide
# Too narrow: between the bells the bias alone decides. Too wide: nearly a polynomial.
# -->

# %% key="wide-table" slide="subslide" hide="input"
table(
    "The width, in units of the rule's",
    {"σ / rule": "g", "wrong of 5000 (%)": ".1f", "condition of Φ": ".0e", "largest |w|": ",.0f"},
    told,
)

# %% [markdown] key="wide-table-reading"
# Here, from these centres, more than one point in a hundred is wrong either way. The wide bells pay besides: weights of tens of thousands, which cancel.
#
# <!-- slide
# Here more than one in a hundred is wrong either way. Wide bells pay besides: weights of tens of thousands, which cancel.
# -->

# %% [markdown] key="flat" slide="subslide"
# **What flat bells can do.** Multiply out the square in the exponent, and expand:
#
# $$e^{-\|x-t\|^2/(2\sigma^2)}=e^{-\|t\|^2/(2\sigma^2)}\,e^{-\|x\|^2/(2\sigma^2)}\sum_{k\ge0}\frac{(t^\top x)^k}{k!\,\sigma^{2k}}.$$
#
# The middle factor is the same for all bells, and nearly 1 if they are flat. What tells them apart is a polynomial whose term of degree $k$ has the size $\sigma^{-2k}$: each degree more asks for weights $\sigma^2$ times as large, among which the lower degrees cancel.
#
# In the plane there are 6 monomials up to degree 2, 10 up to degree 3, 15 up to degree 4. So twelve bells can carry a **cubic**, and twenty all of degree 4 and some of degree 5. Fit polynomials to the flat network's function over the picture, and see.
#
# <!-- slide
# **What flat bells can do.**
#
# $$e^{-\|x-t\|^2/(2\sigma^2)}=e^{-\|t\|^2/(2\sigma^2)}\,e^{-\|x\|^2/(2\sigma^2)}\sum_k\frac{(t^\top x)^k}{k!\,\sigma^{2k}}$$
#
# The middle factor is common, and nearly 1. Degree $k$ asks for weights like $\sigma^{2k}$. Monomials in the plane: 6 up to degree 2, 10 up to 3, 15 up to 4. **Which degree can twelve bells carry? And twenty?**
# -->

# %% [markdown] key="flat-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask what tells two flat bells apart, and what they share; then for both degrees on paper, before the table (up to degree 5 there are 21 monomials). A tempting answer is 2, a conic.
#
# </details>

# %% key="flat-table" slide="fragment" hide="input"
def monomials(P, degree):
    """All x₁ᵃ x₂ᵇ with a + b ≤ degree, in coordinates from -1 to 1."""
    P = (P - (low + high) / 2) / ((high - low) / 2)
    powers = [(a, b) for a in range(degree + 1) for b in range(degree + 1 - a)]
    return np.column_stack([P[:, 0] ** a * P[:, 1] ** b for a, b in powers])


sides = (np.linspace(a, b, 60) for a, b in zip(low, high, strict=True))
plane = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)
explained, heaviest = {}, {}
for m in (12, 20):
    flat_T = kmeans(X, m, rng=0).centers
    flat = 5 * spread(flat_T)
    v = np.linalg.lstsq(hidden(X, flat_T, flat), y, rcond=None)[0]
    f, heaviest[m] = hidden(plane, flat_T, flat) @ v, np.abs(v).max()
    left_over = [
        np.var(f - M @ np.linalg.lstsq(M, f, rcond=None)[0]) / np.var(f)
        for M in (monomials(plane, k) for k in range(1, 6))
    ]
    explained[f"{m} bells"] = tuple(1 - np.array(left_over))
columns = {"five times the rule": "", **{f"degree {k}": ".3f" for k in range(1, 6)}}
table("How much of the network's function a polynomial explains, R²", columns, explained)

# %% [markdown] key="flat-reading" slide="fragment"
# Twelve flat bells are a cubic, here to three parts in a thousand. “Flat bells are parabolas, so the border is a conic” would be wrong: a conic explains here no more than a straight line does. With twenty the degree is 5. The weights say what that costs: twelve bells draw the border by differences of tens of thousands, twenty by differences of millions. The rule (8) does here, in the plane, what it promises. “Gaussian bells regularise”, says a lecture. It depends on $\sigma$ and on $m$.
#
# <!-- slide
# Here: twelve are a cubic, and a conic explains no more than a line; twenty, degree 5. Differences of huge weights draw it.
# -->

# %% [markdown] key="spacing" slide="subslide"
# **Which way does the rule go?** The neighbours of $m$ centres, spread evenly in a cube of $d$ dimensions, are at a distance that shrinks like $m^{-1/d}$, as a share of $d_{\max}$. The rule says $m^{-1/2}/\sqrt2$. The two go together in the plane, **$d=2$, and in no other dimension**. Neighbour's distance, in units of the rule's $\sigma$, for 100 and 400 uniform centres:
#
# <!-- slide
# **Which way does the rule go?** $m$ centres spread evenly in $d$ dimensions: the neighbour's distance shrinks like $m^{-1/d}$, the rule like $m^{-1/2}$. **Four times the centres: does the neighbour, in units of the rule, come nearer or go farther? On a line, in the plane, in five dimensions?**
# -->

# %% [markdown] key="spacing-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Where 1/d comes from: m little cubes of side a fill the cube, m aᵈ = 1. Collect three arrows, one for each dimension, before the table.
#
# </details>

# %% key="spacing-table" slide="fragment" hide="input"
dims = (1, 2, 5, 10, 13)
ratio = {
    m: [
        spread(U, rule="median") / spread(U)
        for d in dims
        for U in [np.random.default_rng(0).uniform(size=(m, d))]
    ]
    for m in (100, 400)
}
columns = {"centres": "d", **{f"d = {d}": ".2f" for d in dims}}
table("Median distance of neighbours, in units of the rule's spread", columns, ratio)

# %% [markdown] key="spacing-reading" slide="fragment"
# On a line the neighbour is about a twentieth of a width away, or less, and $\Phi$ is singular up to rounding. In 13 dimensions it is here five widths away with 100 centres and nine with 400, and a bell has fallen to $e^{-12}$ at least before it meets the next. A rule that follows the spacing: $\sigma$ = the *median* distance from a centre to its nearest other one. One may also give every centre its own: the mean distance to its two nearest, say.
#
# <!-- slide
# The two go together for $d=2$ alone. In 13 dimensions the neighbour is five widths away, or nine. **Median distance to the nearest other centre** follows the spacing.
# -->

# %% key="wide-verify" slide="skip" hide="input"
verify("(8): 1/(2σ²) = m/d_max²", 1 / (2 * spread(T12) ** 2), 12 / cdist(T12, T12).max() ** 2)
U = np.random.default_rng(0).uniform(size=(100, 1))
verify("on a line: singular up to rounding", np.linalg.cond(hidden(U, U, spread(U))) > 1e15)
verify("on a line: a twentieth or less", max(values[0] for values in ratio.values()) < 0.055)
verify("in 13 dimensions: widths away, of 100 centres", ratio[100][-1], "5")
verify("... of 400", ratio[400][-1], "9")
verify("... where a bell has fallen to e^-12 at least", ratio[100][-1] ** 2 / 2 > 12)
verify(
    "in the plane it depends on m by less than a quarter",
    0.75 < ratio[400][1] / ratio[100][1] < 1.25,
)
verify("in 10 dimensions by more than a half", ratio[400][3] / ratio[100][3] > 1.5)
verify(
    "a fifth of the rule, and five times: more than one point in a hundred wrong",
    min(told[0.2][0], told[5][0]) > 1,
)
verify("the rule: fewer than one in five hundred", told[1][0] < 0.2)
narrow = np.linalg.lstsq(hidden(X, T12, rule / 5), y, rcond=None)[0]
above = hidden(T12, T12, rule / 5) @ narrow > 0
verify("a fifth: the bias is below 0, seven bells above", [narrow[-1] < 0, above.sum()], [True, 7])
upper = cdist(T12, X[y > 0]).min(axis=1) < cdist(T12, X[y < 0]).min(axis=1)
verify("... those of the upper moon, and one", [np.all(above[upper]), upper.sum()], [True, 6])
verify("wide bells have weights of tens of thousands", 1e4 < told[5][2] < 1e5)
shift = np.array([[3.0, -2.0]])
series = sum(((T12 @ shift.T) / rule**2) ** k / np.prod(np.arange(1.0, k + 1)) for k in range(30))
parts = np.exp(-(np.sum(T12**2, axis=1) + np.sum(shift**2)) / (2 * rule**2))
verify("a bell, expanded", parts * series[:, 0], hidden(shift, T12, rule)[0, :-1])
verify("monomials up to degree 2, 3, 4", [monomials(T, k).shape[1] for k in (2, 3, 4)], [6, 10, 15])
line12, conic12, cubic12 = explained["12 bells"][:3]
verify("a conic explains no more than a line", conic12 - line12 < 0.01 and line12 < 0.6)
verify("a cubic: all but three parts in a thousand", 1 - cubic12 < 0.0035)
verify("twenty: weights of millions", 1e6 < heaviest[20] < 1e8)
verify("of twenty bells: degree 5", explained["20 bells"][4] > 0.99 > explained["20 bells"][3])

# %% [markdown] key="gradients" slide="slide"
# ## Centres, third way: by gradient
#
# So far nobody looked at $y$ while placing the centres. Now all parameters go down the same error. Let the bells be ellipses, with a *precision* $P_i=\Sigma_i^{-1}$ each. The bias needs no letter: it is the weight of a bell with $P=0$, which says 1 everywhere.
#
# $$\begin{gathered}s_{ji}=(x_j-t_i)^\top P_i\,(x_j-t_i),\qquad G(s)=e^{-s/2},\\ e_j=y_j-\sum_iw_iG(s_{ji}),\qquad E=\tfrac12\sum_je_j^2.\end{gathered} \tag{9}$$
#
# **Step 7.** A place, a width and a weight reach $E$ by one door, the output. So every derivative begins alike: $\partial E/\partial\theta=\sum_je_j\,\partial e_j/\partial\theta$, and $\partial e_j/\partial\theta=-\partial(\text{output})/\partial\theta$. There is the minus. Places and widths reach the output through $s$ alone, hence the chain rule, with $G'=dG/ds=-\tfrac12G$, and with $\partial s_{ji}/\partial t_i=-2P_i(x_j-t_i)$, $\partial s_{ji}/\partial P_i=(x_j-t_i)(x_j-t_i)^\top=Q_{ji}$:
#
# $$\begin{aligned}\frac{\partial E}{\partial w_i}&=-\sum_je_jG(s_{ji}),\\ \frac{\partial E}{\partial t_i}&=2w_i\sum_je_jG'(s_{ji})P_i(x_j-t_i),\\ \frac{\partial E}{\partial P_i}&=-w_i\sum_je_jG'(s_{ji})\,Q_{ji}.\end{aligned} \tag{10}$$
#
# **Read the second.** $G'<0$, so the step $-\eta\,\partial E/\partial t_i$ moves a centre *towards* points whose error $e_j$ has the sign of $w_i$, where more of this bell is wanted, and away from the others. Far points, and points without error, have no say.
#
# <!-- slide
# Ellipses: precision $P_i=\Sigma_i^{-1}$ (bias: a bell with $P=0$), $s_{ji}=(x_j-t_i)^\top P_i(x_j-t_i)$, $G(s)=e^{-s/2}$, $E=\frac12\sum_je_j^2$.
#
# **Step 7.** $\partial E/\partial\theta=-\sum_je_j\,\partial(\text{output}_j)/\partial\theta$, with $G'=dG/ds$, $Q_{ji}=(x_j-t_i)(x_j-t_i)^\top$:
#
# <div class="fragment">
#
# $$\frac{\partial E}{\partial w_i}=-\sum_je_jG,\qquad\frac{\partial E}{\partial P_i}=-w_i\sum_je_jG'Q_{ji}$$
#
# $$\frac{\partial E}{\partial t_i}=2w_i\sum_je_jG'P_i(x_j-t_i) \tag{10}$$
#
# </div>
#
# <div class="fragment">
#
# $G'<0$: a centre moves **towards** points whose error has the sign of its weight.
#
# </div>
# -->

# %% [markdown] key="gradients-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Before the first click: the derivative with respect to w on the board, and which signs the other two will have. One minus comes from e = y - output, one from G', one from moving t and not x. Before the second: which way does a centre go?
#
# </details>

# %% key="gradients-code" slide="skip"
def gradients(X, y, w, T, P):
    """(10), all bells at once: j counts points, i bells, a and b coordinates."""
    D = X[:, None] - T  # x_j - t_i
    G = np.exp(-0.5 * np.einsum("jia,iab,jib->ji", D, P, D))
    e = y - G @ w
    slope = -0.5 * G  # G' = dG/ds
    by_w = -e @ G
    by_T = 2 * w[:, None] * np.einsum("j,ji,iab,jib->ia", e, slope, P, D)
    by_P = -w[:, None, None] * np.einsum("j,ji,jia,jib->iab", e, slope, D, D)
    return by_w, by_T, by_P

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


def error(w, T, P):
    D = A[:, None] - T
    return 0.5 * np.sum((d9 - np.exp(-0.5 * np.einsum("jia,iab,jib->ji", D, P, D)) @ w) ** 2)


def slope(which, at, h=1e-6):
    found = np.zeros(at.size)
    for k in range(at.size):
        moved = [at.copy(), at.copy()]
        moved[0].flat[k] += h
        moved[1].flat[k] -= h
        values = [
            error(
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
verify("∂E/∂w in (10) is what small changes say", printed[0], slope("w", w9), tol=1e-7)
verify("∂E/∂t in (10), too", printed[1], slope("T", T9), tol=1e-7)
verify("∂E/∂P in (10), too", printed[2], slope("P", P9), tol=1e-7)
flat_bell = np.concatenate([P9[:2], np.zeros((1, 2, 2))])  # the third bell says 1 everywhere
G_b = np.column_stack([G9[:, :2], np.ones(9)])
by_bias = gradients(A, d9, w9, T9, flat_bell)[0][2]
verify("the bias, a bell with P = 0: minus the sum of errors", by_bias, -np.sum(d9 - G_b @ w9))
verify("kcourse's supervised_gradients: weights", by_formula.weights, printed[0])
verify("... centres", by_formula.centers, printed[1])
verify("... precisions", by_formula.precisions, printed[2])

# %% [markdown] key="descent-intro" slide="subslide"
# **Down the slope.** With (10) a descent is a few lines: start at k-means and the weights of (2), and let L-BFGS, which learns the curvature from its own steps, move places and weights. The precisions stay here; a step along $\partial E/\partial P_i$ alone may make one indefinite.
#
# <!-- slide
# **Down the slope** from k-means: places and weights along (10).
# -->

# %% key="descent-says" slide="skip"
def says(X, w, T, P):
    D = X[:, None] - T
    return np.exp(-0.5 * np.einsum("jia,iab,jib->ji", D, P, D)) @ w


# %% key="descent-code"
def descend(X, y, w, T, P, rounds=100):
    def E(v):
        at = v[: len(w)], v[len(w) :].reshape(T.shape), P
        e = y - says(X, *at)
        by_w, by_T, _ = gradients(X, y, *at)
        return 0.5 * e @ e, np.append(by_w, by_T)

    how = {"method": "L-BFGS-B", "options": {"maxiter": rounds}}
    end = minimize(E, np.append(w, T), jac=True, **how).x
    return end[: len(w)], end[len(w) :].reshape(T.shape)

# %% key="descent-runs" slide="skip"
wrong = {"k-means": [], "and down": []}
for start in (0, 2, 3):
    T6 = kmeans(X, 6, rng=start).centers
    P6 = np.tile(np.eye(2) / spread(T6) ** 2, (6, 1, 1))
    w6 = np.linalg.lstsq(hidden(X, T6, spread(T6))[:, :-1], y, rcond=None)[0]
    for way, at in zip(wrong, ((w6, T6), descend(X, y, w6, T6, P6)), strict=True):
        wrong[way].append(np.sum(np.sign(says(fresh.X, *at, P6)) != fresh.y))

# %% [markdown] key="descent-reading" slide="skip"
# Six bells without a bias, three starts: of 5000 fresh points 157, 116 and 131 are wrong at k-means, and after a hundred rounds some twenty each.

# %% key="descent-check" slide="skip" hide="input"
verify("wrong at k-means", wrong["k-means"], [157, 116, 131])
down = wrong["and down"]
verify("... after a hundred rounds some twenty", 14 < min(down) <= max(down) < 26)

# %% [markdown] key="descent" slide="subslide"
# **What the descent does not promise.** Exchange two bells and nothing has changed, so a minimum of $m$ different bells comes $m!$ times. Half way between two of these both bells stand in one place, and $m$ bells can do no more than $m-1$. **Where one bell more helps, $E$ is larger there than at both ends of a least minimum, so it is not convex.** Worse minima may lie between, too: a start counts.
#
# From here on spreads move, too, and each position of the bells gets its *best* weights, by (2), which need no step of their own (*variable projection*). Here, four bells, six starts: the worst end is more than half above the best.
#
# <!-- slide
# **What the descent does not promise.** Exchange two bells: nothing has changed. Half way they coincide: where one more helps, $E$ is larger there. Not convex. Now spreads move, too, and weights are the best for each position. **Four bells, six starts: is one end as good as another?**
#
# <div class="fragment">
#
# No: the worst is more than half above the best.
#
# </div>
# -->

# %% [markdown] key="descent-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask how many minima are equal for 20 bells: 20! and each as good as the other. The worse ones are the trouble.
#
# </details>

# %% key="descent-verify" slide="skip" hide="input"
w_end, T_end6 = descend(X, y, w6, T6, P6)
swapped = [1, 0, 2, 3, 4, 5]
half_way = (w_end + w_end[swapped]) / 2, (T_end6 + T_end6[swapped]) / 2
two_errors = [np.sum((y - says(X, *at, P6)) ** 2) for at in ((w_end, T_end6), half_way)]
verify("half way to the exchange of two bells E is larger", two_errors[1] > two_errors[0])
ended = []
for seed in range(4):
    ways = [
        RBFNetworkClassifier(4, centers=how, rng=seed, max_iter=2000).fit(X, y)
        for how in ("kmeans", "supervised")
    ]
    ended.append([0.5 * np.sum((m.outputs(X)[:, 1] - (y > 0)) ** 2) for m in ways])
ended = np.array(ended)
verify("every descent goes down, to less than half", np.all(ended[:, 1] < 0.5 * ended[:, 0]))
verify(
    "the worst end is more than half above the best", ended[:, 1].max() > 1.5 * ended[:, 1].min()
)

# %% [markdown] key="moons-predict" slide="slide"
# ## Twenty bells, or six
#
# Now all of it together, and the bet of the beginning. **Predict first**, then place the bells: by lot, by k-means, by gradient. What each way gets wrong is counted once you have come to it.
#
# 1. Twenty bells: which of the three ways wins, and by how much?
# 2. Six bells: the same question, now that you have seen a descent.
# 3. Twenty bells drawn by lot, and the *other* spread, the median distance to the nearest centre. Better or worse than the rule?

# %% [markdown] key="moons-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Back to the votes on the board. Show twenty bells first, all three ways: nothing to choose. Then six. Then ask what would happen in thirteen dimensions, where twenty bells are few: the wine will tell, and the answer will be another one.
#
# </details>

# %% key="moons-figure" hide="input"
def trained(way, m, rule):
    return RBFNetworkClassifier(m, centers=way, sigma=rule, rng=1).fit(X, y)


on_moons = moons_explorer(moons, fresh, trained)

# %% [markdown] key="moons-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# 1. The gradient, by a hair: 3, 2 and 1 wrong of 5000 on average over twenty draws, for bells by lot, by k-means and by gradient. The gradient is 2.0 ± 0.6 ahead of the lot. With twenty bells and the rule's spread **each of the three ways gets fewer than one in a hundred wrong, on each of twenty draws of the moons**; the straight line gets 11.6 % wrong. Where twenty bells as wide as that stand matters little here.
# 2. With six it matters. Wrong of 5000 fresh points, over twenty draws:
#
# | six bells | mean | least | most |
# |---|---|---|---|
# | by lot | 279 | 5 | 663 |
# | k-means, one start | 187 | 71 | 515 |
# | k-means, the best of ten starts | 150 | 94 | 219 |
# | gradient | 3 | 1 | 8 |
#
# The gradient is ahead of the best of ten starts on every draw. But it moves spreads, too: which of the two does it? With a spread chosen by cross-validation the first three have 165, 158 and 130. From one start of k-means the spreads alone come to some eighty. **If only the places move, it is some ten:** nearly all.
#
# 3. Worse, on 19 of the twenty draws: centres drawn by lot may have close neighbours, the median becomes small, and gaps open. So neither rule is safe; spreads are parameters, and cross-validation is there to choose them.
#
# And chapter 6? A support vector machine that chooses $\sigma$ and $C$ by the same folds gets 5 wrong at most, and on average less than one. It has 48 bells or more, each on a point.
#
# </details>
#
# <!-- slide
# <details><summary><b>What just happened</b></summary>
#
# 1. By a hair: by lot 3 of 5000, k-means 2, gradient 1, on average; fewer than one in a hundred on each of twenty draws.
# 2. Six, wrong of 5000 on average: by lot 279, k-means 187, the best of ten starts 150, **gradient 3** (places alone some ten, spreads alone eighty).
# 3. Worse, on 19 of twenty draws: close neighbours make the median small. Neither rule is safe; cross-validate.
#
# </details>
# -->

# %% key="moons-verify" slide="skip" hide="input"
drawn = measured("ch07b_moons", "twenty-by-lot", "six-by-gradient", "median-gaps")
for way, mean, worst in (
    ("by lot", "279", "663"),
    ("by k-means", "187", "515"),
    ("by the best k-means of ten", "150", "219"),
    ("by gradient", "3", "8"),
):
    verify(f"six bells {way}: mean", drawn[f"6 bells {way}"].mean(), mean)
    verify("... most", drawn[f"6 bells {way}"].max(), worst)
    verify(
        f"twenty bells {way}: fewer than one in a hundred", drawn[f"20 bells {way}"].max() < 50
    )
for way, told in (("by lot", "3"), ("by k-means", "2"), ("by gradient", "1")):
    verify(f"twenty bells {way}: mean", drawn[f"20 bells {way}"].mean(), told)
hair = drawn["20 bells by lot"] - drawn["20 bells by gradient"]
verify("twenty: the gradient ahead of the lot by", hair.mean(), "2.0")
verify("... ± standard error", hair.std(ddof=1) / np.sqrt(20), "0.6")
least_six = [drawn[f"6 bells {way}"].min() for way in ("by lot", "by k-means", "by gradient")]
verify("six bells: least", least_six, [5, 71, 1])
verify("... and of ten starts", drawn["6 bells by the best k-means of ten"].min(), "94")
gaps = drawn["20 bells by lot with median spread"] > drawn["20 bells by lot"]
verify("by lot with the median spread: worse, of twenty draws", gaps.sum(), "19")
chosen = measured("ch07b_widths", "places-alone")
for way, told in (("by lot", "165"), ("by k-means", "158"), ("by the best k-means of ten", "130")):
    verify(f"{way}, spread chosen", chosen[f"{way} with a chosen spread"].mean(), told)
for moved_alone, told in (("places", 10), ("spreads", 80)):
    off = chosen[f"{moved_alone} alone by gradient"].mean() / told - 1
    verify(f"{moved_alone} alone: some {told}", abs(off) < 0.1)
by_machine = chosen["support vectors with chosen width and price"]
verify("a support vector machine: at most", by_machine.max(), "5")
verify("... on average less than one", by_machine.mean() < 1)
verify("... with so many bells at least", chosen["number of support vectors"].min(), "48")

# %% [markdown] key="bayes" slide="slide"
# ## Are the outputs probabilities?
#
# Few mistakes are one thing; the tasters of the hook were *sure*, too. When is an output a probability? First, what is the best that any classifier can do? At a point $x$, whoever says class $k$ is right with probability $p(c_k|x)$. So nobody beats the **Bayes rule**: say the class with the largest *posterior*,
#
# $$p(c_k|x)=\frac{p(x|c_k)\,P(c_k)}{\sum_h p(x|c_h)\,P(c_h)}, \tag{11}$$
#
# where $P(c_k)$ is the share of class $k$ and $p(x|c_k)$ the density of its points.
#
# Can a network *be* (11)? **Step 8.** Let every class be a mixture of the same $m$ bells, now normalised to densities $p(x|j)$; they share the bells and mix them differently, class $k$ with the shares $p(j|c_k)$:
#
# $$p(x|c_k)=\sum_jp(x|j)\,p(j|c_k),\qquad p(j)=\sum_kp(j|c_k)P(c_k),\qquad p(x)=\sum_jp(x|j)\,p(j).$$
#
# Here is the hypothesis: once the bell is known, $x$ says nothing more about the class. A bell with $p(j)=0$ is left out. Insert into (11). We want a network, hence a factor without $x$ times one without $k$; so multiply and divide each term by $p(j)$:
#
# $$p(c_k|x)=\sum_j\underbrace{\frac{p(j|c_k)P(c_k)}{p(j)}}_{w_{kj}\,=\,p(c_k|j)}\ \underbrace{\frac{p(x|j)\,p(j)}{\sum_{\ell}p(x|\ell)\,p(\ell)}}_{\varphi_j(x)\,=\,p(j|x)}. \tag{12}$$
#
# A network, with a **normalised** hidden layer and with weights that are probabilities themselves. Under these two conditions every output is a posterior of this model; that of the world only as far as the mixture is true.
#
# <!-- slide
# **Bayes rule:** say the class with the largest posterior; nobody is right more often. **Can a network *be* it?**
#
# <div class="fragment">
#
# **Step 8.** Classes share $m$ bells: $p(x|c_k)=\sum_jp(x|j)\,p(j|c_k)$, $\ p(j)=\sum_kp(j|c_k)P(c_k)$. Then
#
# $$p(c_k|x)=\sum_j\underbrace{\frac{p(j|c_k)P(c_k)}{p(j)}}_{w_{kj}\,=\,p(c_k|j)}\ \underbrace{\frac{p(x|j)\,p(j)}{\sum_{\ell}p(x|\ell)\,p(\ell)}}_{\varphi_j(x)\,=\,p(j|x)} \tag{12}$$
#
# A **normalised** hidden layer, and weights that are probabilities.
#
# </div>
# -->

# %% [markdown] key="bayes-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Write (11) on the board and ask what must be known of each class to use it. Then the mixture; let the room insert it, and multiply and divide by p(j) yourself. Which of the two fractions depends on x? That one is the hidden layer, the other the weights.
#
# </details>


# %% key="bayes-code" slide="skip"
def normalised(X, T, sigma, prior):
    """φ_j(x) = p(x|j) p(j) / Σ_l p(x|l) p(l), for round bells in the plane."""
    log = -cdist(X, T, "sqeuclidean") / (2 * sigma**2) + np.log(prior / (2 * np.pi * sigma**2))
    joint = np.exp(log - log.max(axis=1, keepdims=True))  # far away all would be 0, and 0/0
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
by_bayes = density @ given * P_c  # p(x|c) P(c), as (11) wants them
verify("(12) is (11)", outputs, by_bayes / by_bayes.sum(axis=1, keepdims=True))
verify("outputs of (12) sum to 1", outputs.sum(axis=1), 1.0)
verify(
    "kcourse: the same hidden layer",
    normalized_basis(at, T3, s3, priors=prior),
    normalised(at, T3, s3, prior),
)

# %% key="bayes-verify-2" slide="skip" hide="input"
verify("kcourse: the same weights", bayes_weights(given, P_c), W)
verify("each unit's weights sum to 1", W.sum(axis=1), 1.0)

# %% [markdown] key="em" slide="subslide"
# **Where do these numbers come from?** Write $q_{ij}=p(j)\,p(x_i|j)\,p(c_i|j)$, with $c_i$ the class of point $i$. Wanted are the $t_j$, $\sigma_j$, $p(j)$, $p(c_k|j)$, together $\theta$, with the greatest likelihood $L(\theta)=\sum_i\log\sum_jq_{ij}$. The sum inside the logarithm is in the way: if we knew whose each point is, there would be none. **Step 9.** So let bell $j$ take a *share* $r_{ij}$ of point $i$, with $\sum_jr_{ij}=1$; where the share is 0, so is its term. The logarithm of a mean is at least the mean of the logarithms (Jensen), so
#
# $$L(\theta)=\sum_i\log\sum_jr_{ij}\frac{q_{ij}}{r_{ij}}\ \ge\ \sum_{i,j}r_{ij}\log\frac{q_{ij}}{r_{ij}}=F(r,\theta), \tag{13}$$
#
# with equality where $q_{ij}/r_{ij}$ is the same for all $j$, which is $r_{ij}=q_{ij}/\sum_\ell q_{i\ell}$. Now climb on $F$ as k-means went down on (5), one half at a time: **E**, these shares; **M**, the best $\theta$ for them.
#
# <!-- slide
# $q_{ij}=p(j)\,p(x_i|j)\,p(c_i|j)$. **Step 9.** Bell $j$ takes a share $r_{ij}$ of point $i$. By Jensen
#
# $$L(\theta)=\sum_i\log\sum_jr_{ij}\frac{q_{ij}}{r_{ij}}\ \ge\ \sum_{i,j}r_{ij}\log\frac{q_{ij}}{r_{ij}}=F(r,\theta) \tag{13}$$
#
# **E:** $r_{ij}=q_{ij}/\sum_\ell q_{i\ell}$, where both are equal. **M:** with $N_j=\sum_ir_{ij}$
#
# $$t_j=\tfrac1{N_j}\textstyle\sum_ir_{ij}x_i,\quad\sigma_j^2=\tfrac1{d\,N_j}\sum_ir_{ij}\|x_i-t_j\|^2,\quad p(j)=\tfrac{N_j}n,\quad p(c_k|j)=\tfrac1{N_j}\sum_{i\text{ in }c_k}r_{ij}$$
#
# $$L(\theta_{\text{new}})\ge F(r,\theta_{\text{new}})\ge F(r,\theta)=L(\theta)$$
# -->

# %% [markdown] key="em-means"
# **M, kind by kind.** The logarithm takes $q_{ij}$ apart, so each kind of parameter stands alone in $F$; let $N_j=\sum_ir_{ij}$, all of them above 0.
#
# - *Places:* $-\sum_ir_{ij}\|x_i-t_j\|^2/(2\sigma_j^2)$ is step 5 with weights, whatever $\sigma_j$ is.
# - *Widths:* $-N_j\,d\log\sigma_j-\sum_ir_{ij}\|x_i-t_j\|^2/(2\sigma_j^2)$ has the slope $\big(\sum_ir_{ij}\|x_i-t_j\|^2/\sigma_j^2-d\,N_j\big)/\sigma_j$, above 0 before its one zero and below 0 after it.
# - *Probabilities:* $\sum_jN_j\log p(j)$, and for each bell the same in $k$. By Jensen once more $\sum_j\frac{N_j}n\log\frac{p(j)}{N_j/n}\le\log\sum_jp(j)=0$: no $p(j)$ do better than $N_j/n$.
#
# $$t_j=\frac{\sum_ir_{ij}x_i}{N_j},\qquad\sigma_j^2=\frac{\sum_ir_{ij}\|x_i-t_j\|^2}{d\,N_j},\qquad p(j)=\frac{N_j}n,\qquad p(c_k|j)=\frac{\sum_{i\text{ in }c_k}r_{ij}}{N_j}.$$
#
# And $L(\theta_{\text{new}})\ge F(r,\theta_{\text{new}})\ge F(r,\theta)=L(\theta)$: **the likelihood never falls.** That is *EM* (expectation and maximisation), k-means with doubt; with one $\sigma\to0$ for all, shares become 0 or 1 wherever one place is nearest and the bell has met the class. As there, the end depends on the start. And a bell alone on one point may shrink, so that $L$ grows without end; a program needs a least width.
#
# <!-- slide
# -->

# %% [markdown] key="em-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Begin with k-means: which of its two half steps becomes which letter? Write Jensen's line, and let the room find when it is an equality; then the chain of three signs, and ask which half step each of them is. The means of M are step 5 with weights; the probabilities are Jensen once more.
#
# </details>

# %% key="em-code" slide="skip"
def em_round(X, c, T, sigma, p, W):
    """E, then M, in the plane: new parameters, old L/n."""
    far = cdist(X, T, "sqeuclidean")
    with np.errstate(divide="ignore"):  # p(c|j) may be 0
        log = -far / (2 * sigma**2) + np.log(p / (2 * np.pi * sigma**2) * W[:, c].T)
    most = log.max(axis=1, keepdims=True)
    q = np.exp(log - most)  # no row is 0, however far its point
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
verify("a round of it is a round of kcourse's", after[0], five.centers_)
verify("... and the likelihood before it, too", L, four.log_likelihood_[-1])

# %% key="em-verify-2" slide="skip" hide="input"
then = five.sigma_, five.priors_, five.output_weights_
verify("... widths and weights", np.column_stack(after[1:]), np.column_stack(then))
far = cdist(ripley.X, theta[0], "sqeuclidean")
q_old = theta[2] * np.exp(-far / (2 * theta[1] ** 2)) / theta[1] ** 2
q_old *= theta[3][:, ripley.y.astype(int)].T
shares = q_old / q_old.sum(axis=1, keepdims=True)


def bound(T, sigma, p, W):
    """F for these shares, up to what does not depend on θ."""
    bells = -cdist(ripley.X, T, "sqeuclidean") / (2 * sigma**2) - 2 * np.log(sigma)
    logs = np.log(np.maximum(W, 1e-300))  # where W is 0, so is the share
    return np.sum(shares * (np.log(p) + bells + logs[:, ripley.y.astype(int)].T))


lot = np.random.default_rng(2)
moved = []
for _ in range(200):
    T_, sigma_, p_, W_ = (part * np.exp(0.01 * lot.normal(size=part.shape)) for part in after)
    moved.append(bound(T_, sigma_, p_ / p_.sum(), W_ / W_.sum(axis=1, keepdims=True)))
verify("M: no parameters near by have a larger F", max(moved) < bound(*after))
for k, kind in enumerate(("places", "widths", "p(j)", "p(c|j)")):
    alone = []
    for _ in range(50):
        tried = list(after)
        tried[k] = tried[k] * np.exp(0.01 * lot.normal(size=tried[k].shape))
        if k > 1:
            tried[k] = tried[k] / tried[k].sum(axis=-1, keepdims=True)
        alone.append(bound(*tried))
    verify(f"... {kind} moved alone: less", max(alone) < bound(*after))
likelihoods = []
for _ in range(60):
    theta, L = em_round(ripley.X, ripley.y.astype(int), *theta)
    likelihoods.append(L)
verify("it never falls", np.diff(likelihoods).min() > -1e-12)
shrinking = []  # the first bell alone on the first point, narrower by a thousand each time
for sigma_0 in (1e-3, 1e-6, 1e-9):
    T_, sigma_, p_, W_ = (part.copy() for part in after)
    T_[0], sigma_[0], W_[0] = ripley.X[0], sigma_0, 0.5
    shrinking.append(em_round(ripley.X, ripley.y.astype(int), T_, sigma_, p_, W_)[1])
more = 2 * np.log(1000) / 250
verify("a bell on one point: L grows without end", np.diff(shrinking), more, tol=1e-5)
q9 = np.random.default_rng(0).uniform(size=(50, 4))
r9 = np.random.default_rng(1).dirichlet(np.ones(4), size=50)
whole = np.log(q9.sum(axis=1))
verify("(13): any shares give less", np.all(np.sum(r9 * np.log(q9 / r9), axis=1) < whole))
r9 = q9 / q9.sum(axis=1, keepdims=True)
verify("(13): E's shares give the same", np.sum(r9 * np.log(q9 / r9), axis=1), whole)

# %% [markdown] key="squares" slide="subslide"
# **And outputs of least squares?** Let $1_k$ be 1 if $x$ is of class $k$. Its mean at $x$ is $p(c_k|x)$, so for any function $y_k$
#
# $$\mathbb E\,(1_k-y_k(x))^2=\mathbb E\,(1_k-p(c_k|x))^2+\mathbb E\,(p(c_k|x)-y_k(x))^2, \tag{14}$$
#
# since the mixed term has mean 0 at every $x$. The first term is out of reach: **least squares looks for the output that is nearest to the posterior, in the mean.** It *approximates* a probability. Nothing keeps it between 0 and 1. And do outputs sum to 1? With a free bias yes: the targets of all classes sum to the constant 1, which the bias fits without error. Without one, no.
#
# <!-- slide
# **And outputs of least squares?** $1_k$ is 1 for class $k$; its mean at $x$ is $p(c_k|x)$. For any $y_k$
#
# $$\mathbb E\,(1_k-y_k(x))^2=\mathbb E\,(1_k-p(c_k|x))^2+\mathbb E\,(p(c_k|x)-y_k(x))^2 \tag{14}$$
#
# **Least squares looks for the output nearest to the posterior, in the mean.** Nothing keeps it between 0 and 1. With a free bias outputs sum to 1.
# -->

# %% [markdown] key="squares-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Expand the square around p on the board; the mixed term dies because its mean is taken at fixed x. Ask what a straight line would look for.
#
# </details>

# %% [markdown] key="posterior-predict" slide="subslide"
# **Predict first.** Ripley's two classes, of chapter 1, and three networks of six bells. Choose one, and move the dotted line into a corner where no points are. Left, grey is the output for the second class, and dashed lines are where it leaves the band from 0 to 1; right, the outputs along the dotted line.
#
# 1. Least squares without bias: how far do the outputs leave the band from 0 to 1? What is their sum in a corner without points?
# 2. The same with a bias: what changes?
# 3. The normalised network: how sure is it in that corner?
#
# <!-- slide
# **Predict first.** Ripley's two classes, three networks of six bells. Left: the output for one class, dashed where it leaves the band from 0 to 1. Right: the outputs along a line through a corner without points.
#
# 1. Least squares without bias: how far do they leave the band? What is their sum in that corner?
# 2. The same with a bias: what changes?
# 3. The normalised network: how sure is it in that corner?
# -->

# %% [markdown] key="posterior-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Question 3 is the one to vote on; "fifty-fifty, since it knows nothing there" is a good guess, and wrong. It is as sure as can be. Far out one bell beats all others, however small they all are, and the posterior is that bell's p(c|j): near 1 where its crowd is pure. That a point is new cannot be read off a posterior; it takes p(x).
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
# 1. Least squares leaves the band: here for more than a quarter of the fresh points some output is below 0. The outputs sum to less than a third at some of them, and to nothing far away.
# 2. With a bias the sum is 1 everywhere; the band is left as before.
# 3. Normalised: probabilities everywhere. Far away one bell, the widest, takes all; here its crowd is of one class, so the network is as sure as can be where nobody has ever been.
#
# Whether a point is *new* is told by the denominator of (12), $p(x)$.
#
# </details>

# %% [markdown] key="posterior-numbers" slide="subslide"
# <details><summary><b>And which is nearest to the true posterior?</b> Of Ripley's classes it is known: each is a mixture of two round bells</summary>
#
# The mean of $(\hat p-p)^2$ over 5000 fresh points, in thousandths, over forty draws of 250 points to learn from. In the third column each network chooses 2, 4, 6, 8 or 12 bells by the squared error of five folds. And by how much the network is too sure: the mean of $\max(\hat p,1-\hat p)$, less the share of right answers.
#
# | network | six bells | twelve bells | by folds | too sure by, six bells (%) |
# |---|---|---|---|---|
# | squares, no bias | 18.7 | 12.2 | 12.7 | -1.4 |
# | squares, bias | 11.6 | 10.1 | 10.2 | -2.4 |
# | squares, cut to the band | 9.5 | 8.3 | 8.3 | -4.5 |
# | the same bells, logistic | 6.0 | 4.9 | 5.3 | -0.2 |
# | normalised, by EM | 3.1 | 6.7 | 3.0 | 0.5 |
#
# - With six bells EM is nearest: its model is true here; of other data nobody knows that. With four, the true number, all hangs on the start: half of the draws are below 2.5, the worst is near 90.
# - With twelve, three times too many, it is too sure of itself, and **logistic outputs on the bells of k-means are nearer**, on 31 draws, with their price by five folds.
# - **With the number chosen by folds EM is nearest again**, on 35 of the forty draws.
# - Cut squares are the least sure, and are right more often than they say.
#
# </details>
#
# <!-- slide
# <details><summary><b>Which is nearest to the true posterior?</b> (Ripley's is known.)</summary>
#
# Mean of $(\hat p-p)^2$, thousandths; forty draws of 250 points:
#
# | network | six bells | twelve bells | by folds |
# |---|---|---|---|
# | squares, bias | 11.6 | 10.1 | 10.2 |
# | the same bells, logistic | 6.0 | 4.9 | 5.3 |
# | normalised, by EM | 3.1 | 6.7 | 3.0 |
#
# EM: its model is true here. With too many bells logistic outputs are nearer.
#
# </details>
# -->

# %% [markdown] key="posterior-numbers-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask who should win if the model is true, and who with twelve bells, three times too many; then show the table.
#
# </details>

# %% key="posterior-table" slide="skip" hide="input"
outputs_6 = {kind: network(kind)(unseen.X) for kind in ("squares, no bias", "squares, bias")}
nearness = measured("ch07b_posterior", "em-nearest", "logistic-nearer")
for name, six, twelve, sure in (
    ("bells by squares without bias", "18.7", "12.2", "-1.4"),
    ("bells by squares", "11.6", "10.1", "-2.4"),
    ("bells by squares cut to the band", "9.5", "8.3", "-4.5"),
    ("logistic bells", "6.0", "4.9", "-0.2"),
    ("normalised bells", "3.1", "6.7", "0.5"),
):
    verify(f"6 {name}", nearness[f"6 {name}"].mean(), six)
    verify(f"12 {name}", nearness[f"12 {name}"].mean(), twelve)
    verify(f"6 {name}: too sure (%)", nearness[f"6 {name} too sure by"].mean(), sure)
too_many = nearness["12 normalised bells too sure by"].mean()
verify("twelve normalised bells: too sure", too_many > 1)
ahead = nearness["12 logistic bells"] < nearness["12 normalised bells"]
verify("logistic outputs nearer, of forty draws", ahead.sum(), "31")
by_five = measured("ch07b_folded", "em-by-folds")
for name, told in (
    ("squares without bias", "12.7"),
    ("squares", "10.2"),
    ("squares cut to the band", "8.3"),
    ("logistic", "5.3"),
    ("normalised", "3.0"),
):
    verify(f"number by folds, {name}", by_five[name].mean(), told)
verify("EM nearest, of forty", np.sum(by_five["normalised"] < by_five["logistic"]), "35")
true_number = nearness["4 normalised bells"]
verify("four: half below", np.median(true_number) < 2.5)
verify("... the worst near 90", 80 < true_number.max() < 95)

# %% key="posterior-verify" slide="skip" hide="input"
verify(
    "least squares: below 0 for more than a quarter of the points",
    min(np.mean((O < 0).any(axis=1)) for O in outputs_6.values()) > 0.25,
)
verify("without bias: a sum below a third", outputs_6["squares, no bias"].sum(axis=1).min() < 1 / 3)
far = np.array([[50.0, 50.0]])
verify("far away, without bias: a sum of 0", network("squares, no bias")(far).sum(), 0.0)
verify(
    "with a bias the sums are 1, far away, too",
    network("squares, bias")(np.vstack([far, unseen.X])).sum(axis=1),
    1.0,
    tol=1e-7,
)
for m in (4, 6, 8, 10, 20):
    model_m = BayesRBFClassifier(m, rng=1).fit(ripley.X, sign)
    away = model_m.hidden(far)[0]
    verify(
        f"{m} bells: far away the widest bell takes all, and its crowd is of one class",
        away.argmax() == model_m.sigma_.argmax()
        and away.max() > 1 - 1e-9
        and model_m.predict_proba(far).max() > 0.999,
    )
far_apart = [
    BayesRBFClassifier(4, rng=start).fit(ripley.X, sign).log_likelihood_[-1] for start in (0, 1)
]
verify("the end depends on the start", far_apart[1] - far_apart[0] > 0.1)
verify(
    "... but log p(x) is far below that of any point seen",
    model_m.log_density(far)[0] < model_m.log_density(ripley.X).min() - 100,
)
p, out = rng.uniform(size=(2, 50))  # posteriors at fifty points, and any outputs there
verify(
    "(14) at any point: both sides",
    p * (1 - out) ** 2 + (1 - p) * out**2,
    p * (1 - p) + (p - out) ** 2,
)

# %% [markdown] key="mlp" slide="slide"
# ## A multilayer perceptron beside it
#
# One taster of the hook was sure for another reason. The *multilayer perceptron* has units $\tanh(w^\top x+b)$: a function of an **inner product**. Ours is a function of a **distance**. So the first is constant on hyperplanes, the second on spheres around $t_j$ (on ellipsoids only if the unit has a $P_j$ of its own, as in (9)).
#
# **Predict first.** A unit of each, and a walker who leaves the origin in the direction that you choose.
#
# 1. The walker goes far away: which unit still speaks?
# 2. In which direction must he go so that the MLP's unit does not change? And the bell's?
#
# <!-- slide
# **MLP:** units $\tanh(w^\top x+b)$, of an **inner product**: constant on hyperplanes, and far away as loud as ever.
#
# **RBF network:** units of a **distance**: constant on spheres around $t_j$, and silent far away, whatever the direction.
#
# The walker who shows it is in the chapter, to be read at home.
# -->

# %% [markdown] key="mlp-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Draw both units on the board, as level lines. The MLP's says the same to a thousand kilometres as to ten metres; that is its extrapolation, for better or worse. Ask which behaviour they would want in a medical device, and what the output should be for a patient like no other.
#
# </details>

# %% key="mlp-figure" slide="skip" hide="input"
slanted = np.deg2rad(35)
two_units = units_explorer(np.array([np.cos(slanted), np.sin(slanted)]), np.array([0.6, 0.4]))

# %% [markdown] key="mlp-reading" slide="skip"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# 1. The MLP's: it is at $+1$ or $-1$ for ever. The bell is silent, whatever the direction.
# 2. Along its own hyperplane, at right angles to $w$. For the bell there is none: it has one value on a circle around its centre, and on no straight line.
#
# So distance silences a bell, and makes an MLP certain. That is what *local* and *global* mean.
#
# </details>

# %% key="mlp-verify" slide="skip" hide="input"
walks = np.deg2rad(np.arange(0, 360, 5))
ten_away = 10 * np.column_stack([np.cos(walks), np.sin(walks)])
of_mlp = np.abs(np.tanh(ten_away @ [np.cos(slanted), np.sin(slanted)]))
of_bell = np.exp(-0.5 * np.sum((ten_away - [0.6, 0.4]) ** 2, axis=1))
verify("ten steps away: no bell, whatever the direction", of_bell.max() < 1e-15)
sideways = np.abs(np.cos(walks - slanted)) < 0.3
verify("... the MLP's unit speaks, but near its own hyperplane", of_mlp[~sideways].min() > 0.99)
verify("... and not along it", of_mlp[np.isclose(np.cos(walks - slanted), 0)].max() < 1e-9)

# %% [markdown] key="claims" slide="skip"
# **What lectures say of the two.** “An RBF network represents locally: very few units are active.” Is that so on the moons?
#
# <details><summary>Answer, and three more sentences</summary>
#
# - It depends on $\sigma$. With twenty bells of k-means and the rule's spread, on average 8 of 20 units say more than a tenth; with a third of that spread 1 or 2. Of an MLP's 20 units nearly all speak.
# - “An MLP is discriminative, an RBF network generative”: the network (12) is, since it models $p(x|c_k)$; the network (1) with least squares is not.
# - “An MLP has local minima; for the RBF network no complex optimisation is needed”: given the centres, the weights have *one* minimum; k-means has local ones, up to any factor, and centres that learn have them, too.
# - “The output layer of an MLP is non-linear”: for classes; for regression it is linear (scikit-learn's `MLPRegressor` has the identity there).
#
# </details>

# %% key="claims-verify" slide="skip" hide="input"
H = RBFNetworkClassifier(20, rng=0).fit(X, y)
active = [
    np.mean(
        np.sum(
            np.exp(-cdist(X, H.centers_, "sqeuclidean") / (2 * (H.sigma_ * f) ** 2)) > 0.1, axis=1
        )
    )
    for f in (1, 1 / 3)
]
verify("units that say more than a tenth, with the rule", active[0], "8")
verify("... with a third of its spread, 1 or 2", 1 < active[1] < 2)
mlp = MLPClassifier((20,), activation="tanh", solver="lbfgs", max_iter=1000, random_state=0).fit(
    X, y
)
speaks = np.abs(np.tanh(X @ mlp.coefs_[0] + mlp.intercepts_[0])) > 0.1
verify("of an MLP's units nearly all speak", np.mean(speaks) > 0.9)
verify("units in each of the two networks", [H.hidden(X).shape[1], speaks.shape[1]], [20, 20])

# %% [markdown] key="beyond" slide="subslide"
# **Beyond the data.** Old Faithful, as in the second part of chapter 6: how long an eruption lasted, and the wait for the next. The longest lasted five and a half minutes. **Predict first:** what do an RBF network, an MLP of $\tanh$ and an MLP of ramps, $\max(0,\cdot)$, say after one of twelve minutes? And of minus four?

# %% [markdown] key="beyond-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Let three volunteers draw one continuation each. None of them is right or wrong: each network has an opinion about where nobody has measured, and the opinion is in the unit.
#
# </details>

# %% key="beyond-figure" hide="input"
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
    for name, unit in (("MLP, tanh", "tanh"), ("MLP, ramps", "relu"))
}
curves = {"RBF network, 6 bells": ours.predict(t)}
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
    "each side; the MLP with ramps goes on in straight lines.",
    answer="Three continuations",
)

# %% [markdown] key="beyond-reading"
# <details><summary><b>What they say out there</b> (open this once you have drawn yours)</summary>
#
# The bells fall silent, and what is left is the bias, the same on both sides. The MLP of $\tanh$ settles too, at a height of its own on each side; ramps go on straight for ever.
#
# </details>
#
# **No output of the three tells that it has left the data.** What could tell? We shall ask a glass of water.
#
# <!-- slide
# Bells fall silent: the bias is left. $\tanh$ settles elsewhere. Ramps go on for ever. **No output of the three tells that it has left the data.** What could?
# -->

# %% key="beyond-verify" slide="skip" hide="input"
away = np.array([[-1e3], [1e3]])
verify("the RBF network: its bias on both sides", ours.predict(away), ours.intercept_)
ends_tanh = perceptrons["MLP, tanh"].predict(np.array([[-1e4], [1e4], [2e4]]))
verify(
    "tanh: another constant on each side",
    abs(ends_tanh[0] - ends_tanh[1]) > 1 and abs(ends_tanh[1] - ends_tanh[2]) < 1e-6,
)
ramp = perceptrons["MLP, ramps"].predict(np.array([[1e4], [2e4], [3e4]]))
verify("ramps: straight on", (ramp[2] - ramp[1]) / (ramp[1] - ramp[0]), 1.0, tol=1e-6)
verify(
    "MLPRegressor: a linear output layer", perceptrons["MLP, tanh"].out_activation_ == "identity"
)
verify("the longest eruption: five and a half minutes", 5.4 < lasted.max() < 5.6)

# %% [markdown] key="wine" slide="slide"
# ## Wine: thirteen dimensions
#
# Back to the 178 bottles, and first to the honest ones: 59, 71 and 48 of the three cultivars. To say the second of every bottle is wrong for 60 %. The data name no units, and chemistry of one region and one time is all that they can speak of.
#
# Each method is standardised on the bottles that it learns from and chooses its settings there, from eight each, by one inner partition. Discriminant analysis has none to choose: with one scatter for all cultivars its borders are planes, with a scatter for each they are curved. Bells by k-means come from the best of five starts, bells by gradient from one. Each bottle is judged by a machine that has not seen it.
#
# **Your bet, before you see the table:** bells by k-means, bells that have moved along the gradient, normalised bells, the support vectors of chapter 6, a multilayer perceptron, planes without any bells, an ellipse for each cultivar. Who has the fewest wrong?
#
# <!-- slide
# 178 bottles, thirteen measurements; to say the largest cultivar is wrong for 60 %. Every method is standardised, and chooses its settings, on what it learns from; from eight each.
#
# **Your bet:** bells by k-means, by gradient, normalised; support vectors; a multilayer perceptron; planes without bells; an ellipse for each cultivar. Who has the fewest wrong?
# -->

# %% [markdown] key="wine-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Bets first, as an order on the board, before the next page.
#
# </details>

# %% key="wine-table" slide="subslide" hide="input"
by_folds = measured("ch07b_wine", "planes-first")
discriminant = by_folds["planes by discriminant analysis"]
shapes = measured("ch07b_shapes", "upright-ellipses")


def mean_and_error(values):
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values))


tasted = {
    name: (wrong.mean(), None if wrong is discriminant else mean_and_error(wrong - discriminant))
    for name, wrong in sorted(by_folds.items(), key=lambda item: item[1].mean())
}
columns = {"wrong (%)": ".1f", "minus planes by discriminant analysis": "{:+.1f} ± {:.1f}"}
table(
    "178 bottles, ten partitions into ten folds; differences ± their standard error",
    {"method": "", **columns},
    tasted,
    best={"wrong (%)": "least"},
    answer="Who has the fewest wrong",
)

# %% [markdown] key="wine-reading"
# <details><summary><b>What the table says</b> (open this once you have written down your bet)</summary>
#
# - **No bells are needed** for these bottles. An ellipse for each cultivar gets the fewest wrong, and planes stand beside it: over sixty partitions the ellipses are 0.20 ± 0.09 ahead, which is a third of a bottle.
# - Here an ellipse must lean. Upright ones, in which no two measurements go together, get 2.6 % wrong over the same sixty.
# - Planes by ridge and bells by k-means stand beside them: differences of 0.2 ± 0.2 and 0.3 ± 0.2 decide nothing. Support vectors and bells by gradient are half a bottle in a hundred behind, a little over two of their errors. A multilayer perceptron gets one bottle in a hundred more wrong than the planes; normalised bells and neighbours two.
# - The errors are over partitions of the same 178 bottles, and say nothing of other bottles.
#
# </details>
#
# <!-- slide
# **No bells are needed here.** Over sixty partitions ellipses are 0.20 ± 0.09 ahead of planes, a third of a bottle; upright ones get 2.6 % wrong.
# -->

# %% [markdown] key="wine-table-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Go down the table against the order on the board. Ask which differences are larger than twice their error, and what that error cannot know: other bottles. Then: on which data would one need bells?
#
# </details>

# %% [markdown] key="bells-question" slide="subslide"
# **And how wide, from how many starts, moved or not?** The same bottles, and networks whose settings are fixed. Predict first:
#
# 1. The rule (8) or the median spread, one start of k-means or the best of five: which of the two choices matters more in thirteen dimensions?
# 2. The gradient won on the moons. For how many bells does it help here: two, three, six, twelve?

# %% [markdown] key="bells-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# A vote by hands for spread or start, and a number from the room. Six bells in 13 dimensions have 84 numbers that say where they are and how wide; ask how many bottles there are to learn them from.
#
# </details>

# %% key="bells-table" slide="subslide" hide="input"
fixed = measured("ch07b_bells", "rule-is-lonely", "more-starts", "penalty-turns")
columns = {"wrong (%)": ".1f", "least": ".1f", "most": ".1f"}
networks = {
    "24 bells by lot, the rule": fixed["24 bells by lot with the rule"],
    "24 bells by lot, the median": fixed["24 bells by lot with the median"],
    "24 bells by k-means, the median": fixed["24 bells by k-means"],
    "3 bells, one start": fixed["3 bells by k-means"],
    "3 bells, the best of five": fixed["3 bells from the best of five"],
}
table(
    "178 bottles, sixty partitions into ten folds",
    {"network": "", **columns},
    {name: (v.mean(), v.min(), v.max()) for name, v in networks.items()},
    answer="Spreads and starts",
)

# %% [markdown] key="bells-reading"
# <details><summary><b>Spread or start</b> (open this once you have written down your vote)</summary>
#
# - The **spread** matters more. 24 bells by lot get fewer bottles wrong with the median spread, on each of the sixty partitions, than *the same centres* with the rule; on average less than a quarter as many. With the rule the loudest of the 24 says less than a quarter at half of the other bottles: they are judged by whispers.
# - **Starts** matter by the worst case. Three bells do as well as any, if k-means finds the three cultivars; the best of five starts does, one start alone may get one bottle in ten wrong.
#
# </details>
#
# <!-- slide
# - **Spread:** same centres, less than a quarter of the errors.
# - **Starts:** three bells are enough, if k-means finds the three cultivars.
# -->

# %% [markdown] key="bells-table-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# The first two rows have the same centres: only the spread differs. Ask what the loudest of 24 bells says to a bottle then. In the rows of three bells ask for the worst case, not the mean.
#
# </details>

# %% [markdown] key="moved-question" slide="skip"
# **And moved along the gradient**, with the median spread? The table starts from one run of k-means; you have your number from question 2.

# %% key="moved-table" slide="subslide" hide="input"
measured("ch07b_bells", "few-bells-moved", "starts-for-three")
measured("ch07b_bells", "gradient-overfits", "many-bells-moved")
from_five = measured("ch07b_three", "moving-three")
pairs = {
    f"{m} bells{how}": tuple(fixed[f"{m} bells by {way}{how}"] for way in ("k-means", "gradient"))
    for m, how in ((2, ""), (3, ""), (6, ""), (12, ""), (6, " at λ = 1"))
}
columns = {"k-means (%)": ".1f", "moved (%)": ".1f", "fewer wrong": "d", "more wrong": "d"}
table(
    "178 bottles, wrong on average; on how many of sixty partitions the moved get fewer, or more",
    {"network": "", **columns},
    {
        name: (a.mean(), b.mean(), int(np.sum(b < a - 1e-9)), int(np.sum(b > a + 1e-9)))
        for name, (a, b) in pairs.items()
    },
    answer="Moved, or left where k-means rests",
)

# %% [markdown] key="moved-reading"
# <details><summary><b>Whom it helps</b> (open this once you have written down your number)</summary>
#
# **It places two bells well, and six or twelve badly; a penalty holds six.**
#
# - Two crowds cannot tell three cultivars apart: of two bells by k-means a quarter of the bottles are wrong. Here two get fewer wrong once they have moved, on each partition: one bottle in fifty.
# - Of three, five starts of k-means do better than the gradient from one, on 56 of the sixty.
# - **And from the best of the five?** There, too, three bells get more wrong once they have moved, on 57 of the sixty partitions, and fewer on none: 2.1 % instead of 1.1.
# - More it harms: on 47 of the sixty partitions six bells of k-means get more bottles wrong once they have moved, on 3 fewer; twelve get more wrong on 57, and fewer on none. Six have 84 numbers to place them, twelve 168, and there are some 160 bottles to learn from.
# - With a penalty for both networks, the moved one and that of k-means, it helps six ($\lambda\|w\|^2$ beside the sum of squares, $\lambda=1$, the bias free): on 38 of the sixty the moved bells get fewer wrong than those of k-means, on 3 more. Three from the best of five starts stay ahead.
#
# </details>
#
# <!-- slide
# Two bells it places well; six or twelve it harms: six have 84 numbers to place them, and there are 160 bottles. A penalty holds six. **Three from the best of five starts:** once moved, worse on 57 of sixty, 2.1 % for 1.1.
# -->

# %% [markdown] key="moved-table-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask for the row in which the gradient helps, and why: two crowds, three cultivars. Then count for six bells: fourteen numbers each that say where and how wide, and 160 bottles.
#
# </details>

# %% key="bells-verify" slide="skip" hide="input"
lonely = RBFNetworkClassifier(24, centers="random", rng=0).fit(Z, cultivar)
others = cdist(Z, lonely.centers_).min(axis=1) > 1e-9
loudest = lonely.hidden(Z[others]).max(axis=1)
verify("half of the others hear less than a quarter", np.median(loudest) < 0.25)

# %% key="wine-verify" slide="skip" hide="input"
verify("bottles of each cultivar", np.bincount(cultivar), [59, 71, 48])
verify("to say the second always: wrong (%)", 100 * np.mean(cultivar != 1), "60")
each, mistake = mean_and_error(shapes["one scatter"] - shapes["a scatter each"])
verify("ellipses ahead of planes, over so many partitions", len(shapes["one scatter"]), 60)
verify("... by (%)", each, "0.20")
verify("... ± standard error", mistake, "0.09")
for name, told in (("planes by ridge", ["0.2", "0.2"]), ("bells by k-means", ["0.3", "0.2"])):
    for value, quoted in zip(tasted[name][1], told, strict=True):
        verify(f"{name}: behind the planes, ± (%)", value, quoted)
for name in ("support vectors", "bells by gradient"):
    behind, mistake = tasted[name][1]
    verify(f"{name}: half a bottle", 0.4 < behind < 0.55 and 2 < behind / mistake < 2.7)
verify("... a third of a bottle", 1 / 4 < 1.78 * each < 0.4)
verify("upright ellipses: wrong (%)", shapes["an upright scatter each"].mean(), "2.6")
ratio_of_rules = (
    fixed["24 bells by lot with the rule"].mean() / fixed["24 bells by lot with the median"].mean()
)
verify("the median spread: less than a quarter as many", ratio_of_rules > 4)
verify("one start alone: one in ten", 9.5 < fixed["3 bells by k-means"].max() < 10.5)
three = fixed["3 bells from the best of five"].mean()
verify("three, the best of five starts: as good as any", three < 1.3)
moved = fixed["6 bells by gradient"] - fixed["6 bells by k-means"]
held = fixed["6 bells by gradient at λ = 1"] - fixed["6 bells by k-means at λ = 1"]
six_moved = [np.sum(moved > 1e-9), np.sum(moved < -1e-9)]
verify("the gradient: worse, better on so many of sixty", six_moved, [47, 3])
verify("three stay ahead", fixed["6 bells by gradient at λ = 1"].mean() > three + 0.5)
verify("the gradient, both at λ = 1: better on so many", np.sum(held < -1e-9), "38")
verify("worse on so many", np.sum(held > 1e-9), "3")
twelve = fixed["12 bells by gradient"] - fixed["12 bells by k-means"]
verify("twelve: worse, better", [np.sum(twelve > 1e-9), np.sum(twelve < -1e-9)], [57, 0])
five_starts = fixed["3 bells from the best of five"] < fixed["3 bells by gradient"] - 1e-9
verify("three: five starts are better on so many", five_starts.sum(), "56")
pushed = from_five["moved"] - from_five["at rest"]
up_or_down = [np.sum(pushed > 1e-9), np.sum(pushed < -1e-9)]
verify("three from the best of five, moved: worse, better", up_or_down, [57, 0])
for state, told in (("at rest", "1.1"), ("moved", "2.1")):
    verify(f"... {state} (%)", from_five[state].mean(), told)
verify("two by k-means: a quarter wrong (%)", 24 < fixed["2 bells by k-means"].mean() < 28)
verify("... moved (%)", fixed["2 bells by gradient"].mean(), "2")
verify("numbers that place and spread six bells, twelve", [6 * (13 + 1), 12 * (13 + 1)], [84, 168])
verify("bottles to learn them from, about", round(178 * 9 / 10, -1), "160")

# %% [markdown] key="water" slide="slide"
# ## Who notices the water?
#
# Now the glass of water. **Predict first:** which of these notices that it is no wine? (a) an MLP's probabilities, (b) the normalised network's posteriors, (c) its $p(x)$, (d) the hidden layer of network (1).

# %% [markdown] key="water-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# A vote, then the numbers. Ask for the other kind of doubt: a bottle between two cultivars. That one the posterior does show; ambiguity is a ratio near one half, novelty a small denominator.
#
# </details>

# %% [markdown] key="water-reading"
# <details><summary><b>Who notices?</b> (open this once you have written down your answer)</summary>
#
# (c) and (d). The MLP and the posterior are sure of a cultivar, each for a reason of its own. Water lies far on one side of the MLP's borders, so one of its outputs stands far above the others, with ramps, as here, and with $\tanh$. And a ratio of two tiny numbers can be 1.
#
# Novelty shows in what was *not* normalised: $\log p(x)$ is $-311$, and of none of the 178 that it has learnt below $-40$; the loudest bell says $2\cdot10^{-8}$ to water, and at least 0.22 to each of these.
#
# The other doubt, *ambiguity*, is a bottle between two cultivars: a posterior near one half shows that one.
#
# </details>
#
# <!-- slide
# <details><summary><b>Who notices?</b></summary>
#
# (c) and (d). $\log p(x)$ is $-311$, of no learnt bottle below $-40$; the loudest bell says $2\cdot10^{-8}$, to a bottle at least 0.22. (a) and (b) are sure: water is far on one side of the borders; a ratio of two tiny numbers can be 1.
#
# </details>
# -->

# %% [markdown] key="log-p" slide="skip"
# That density in $d$ dimensions. Its logarithm is computed, since $p(x)$ itself may be too small for a computer's numbers:

# %% key="log-p-code" slide="skip"
def log_p(X, T, sigma, prior):
    """log Σ_j p(j) p(x|j), round bells in d dimensions."""
    d = X.shape[1]
    bells = -cdist(X, T, "sqeuclidean") / (2 * sigma**2) - 0.5 * d * np.log(2 * np.pi * sigma**2)
    return np.logaddexp.reduce(bells + np.log(prior), axis=1)


bayes_wine = BayesRBFClassifier(3).fit(Z, cultivar)
parts_of_p = bayes_wine.centers_, bayes_wine.sigma_, bayes_wine.priors_
verify("log p(x) is the library's", log_p(Z, *parts_of_p), bayes_wine.log_density(Z))
verify("log p(x) of water", log_p(water, *parts_of_p)[0], "-311")

# %% [markdown] key="novel" slide="subslide"
# **At a stated rate.** Water is easy. Where should the alarm go off for less? **Step 10.** Keep $n$ bottles that the network has not learnt from, order their $\log p(x)$, and raise an alarm below the $k$-th smallest. If a new bottle comes from the same cellar, so that each of the $n+1$ ranks is as likely for it, and no two scores are tied, it is among the $k$ lowest of the $n+1$ with probability
#
# $$P(\text{false alarm})=\frac k{n+1}, \tag{15}$$
#
# whatever the network, whatever the score, however few the bottles. It is an average over the bottles kept, too; for one choice of them the rate is a little more or less. With $n=39$ and $k=4$ that is one in ten.
#
# What it does *not* promise is that anything new is noticed: that is measured. Each cultivar in turn is left out; the network learns the two others, and meets it. **Predict first:** what share of an unknown cultivar is noticed by $p(x)$, by the MLP's probability, and by the plain distance to the nearest class mean?
#
# <!-- slide
# **At a stated rate. Step 10.** Keep $n$ bottles aside; alarm below the $k$-th smallest of their scores. If the new one is drawn like them, all $n+1$ ranks are equally likely:
#
# $$P(\text{false alarm})=\frac k{n+1} \tag{15}$$
#
# whatever the score. $n=39$, $k=4$: one in ten. **What share of a new cultivar is noticed?** Leave each out in turn.
# -->

# %% [markdown] key="novel-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Forty bottles in a row on the board, ordered by score; one of them is the new one, and nobody knows which: what is the chance that it stands among the first four? Then ask for a guess of what share of an unknown cultivar is noticed, for the density and for the MLP's probability. Baselines that belong into the bet: the distance to the nearest bottle, and to the nearest class mean.
#
# </details>

# %% key="novel-table" slide="subslide" hide="input"
novel = measured(
    "ch07b_novel",
    "density-notices", "shared-scatter", "own-scatter", "own-shrunk", "shared-is-ahead",
    "mlp-misses", "water-by-density",
)  # fmt: skip
ways = ("density p(x)", "loudest bell", "nearest neighbour", "class mean", "shared scatter")
ways += ("own scatter", "own scatter shrunk")
ways += ("MLP's probability", "logistic regression", "posterior")
names = {"class mean": "nearest class mean, round", "MLP's probability": "MLP (tanh), probability"}
names |= {name: f"... by {name}" for name in ways if "scatter" in name}
table(
    "Noticed: bottles of a cultivar that was not learnt, and water; 40 draws for each",
    {"score": "", "noticed (%)": ".0f", "water (%)": ".0f", "false alarms (%)": ".1f"},
    {
        names.get(way, way): (
            novel[f"noticed by {way}"].mean(),
            novel[f"water noticed by {way}"].mean(),
            novel[f"alarms by {way}"].mean(),
        )
        for way in ways
    },
    answer="What is noticed",
)

# %% [markdown] key="novel-reading"
# <details><summary><b>What the table says</b> (open this once you have written down your shares)</summary>
#
# All keep their rate, as (15) says. **And there is the answer to the glass of water**: at one false alarm in ten the first seven raise the alarm over it in each of the 120 trials, the MLP and logistic regression in none. Of the bottles of a vine that they have never met
#
# - **$p(x)$ and the loudest bell** notice more than four fifths, and so does the plain distance to the nearest bottle;
# - **the probabilities of the MLP and of logistic regression nearly half of them, the posterior a quarter**. The posterior notices nearly none where the unknown is the first cultivar or the third, and is certain that they are its own;
# - **the nearest class mean** needs no bells. Round, it has 88 %. Nearest class mean, by the scatter that the cultivars share, notices more, 92 %; by the scatter of each it notices less than a round distance does, 72 %. Each has 91 numbers, from 16 to 45 bottles. Shrunk towards a round one, as far as Ledoit and Wolf's rule says, the same scatters have 84: better than each as it is on 38 of the forty draws, and behind the shared one on 39.
#
# Another penalty does not help the MLP: 41 to 48 % of the bottles, and water in 8 of the 120 trials at most. Novelty is a question about *where the data are*; whatever answers that will do, and round bells are not the best answer here.
#
# </details>
#
# <!-- slide
# All keep their rate. **Water**: the first seven notice it in each of 120 trials, the MLP in none. Who knows **where the data are** notices most; ratios miss more than half. Best here: the distance to a class mean, by the scatter that the classes share.
# -->

# %% [markdown] key="novel-table-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Compare with the guesses. Ask which rows have seen where the bottles are, and which only who is nearer; then why the last column is the same for all.
#
# </details>

# %% key="alarm" slide="skip"
def alarm(kept, scores, k):
    """Step 10: which scores are lower than the k-th smallest of those kept aside."""
    return scores < np.sort(kept)[k - 1]


# %% key="novel-picture" slide="subslide" hide="input"
two = np.random.default_rng([0, 2]).permutation(np.flatnonzero(cultivar != 2))
aside, strangers = two[:39], np.flatnonzero(cultivar == 2)
scaler = StandardScaler().fit(bottles[two[59:]])
knows_two = BayesRBFClassifier(3).fit(scaler.transform(bottles[two[59:]]), cultivar[two[59:]])
scores = {
    "doubt, 1 − the largest posterior": lambda Z: 1 - knows_two.predict_proba(Z).max(axis=1),
    "−log p(x)": lambda Z: -knows_two.log_density(Z),
}
fig, axes = plt.subplots(1, 2, figsize=(9.6, 3.3), sharey=True)
alarmed = {}
for ax, (name, score) in zip(axes, scores.items(), strict=True):
    for row, who in enumerate((strangers, aside)):
        shown = np.maximum(score(scaler.transform(bottles[who])), 1e-15)
        beside = row + np.linspace(-0.25, 0.25, len(who))
        marker = {"marker": "o^"[1 - row], "markerfacecolor": ("black", "white")[row]}
        ax.plot(shown, beside, linestyle="none", color="black", markersize=4, **marker)
    kept, theirs = (score(scaler.transform(bottles[who])) for who in (aside, strangers))
    threshold = np.sort(kept)[-4]  # what is large here is new: so the scores with a minus
    alarmed[name] = np.sum(alarm(-kept, -theirs, 4))
    ax.axvline(threshold, color="#D55E00", linestyle="--")
    ax.text(threshold, 0.5, "alarm → ", ha="right", va="center")
    ax.set(xlabel=name, ylim=(-0.5, 1.5))
axes[0].set_xscale("log")
axes[0].set_yticks([0, 1], ["48 strangers", "39 kept aside"])
show(
    fig,
    alt="Two panels, each with 39 bottles kept aside as circles above, 48 strangers as triangles "
    "below, and a dashed line beyond which the alarm goes off. Left, by doubt, all strangers are "
    "far on the quiet side, further than most of the circles. Right, by minus log p(x), more than "
    "half of them stand beyond the line.",
)

# %% [markdown] key="novel-picture-reading"
# The first draw, with the third cultivar unknown. By its doubt none of the 48 strangers is noticed: **it is surer of them than of most of its own.** By $-\log p(x)$ 27 stand beyond the line; water, at 299 to this machine, stands far outside of the picture.
#
# <!-- slide
# One draw, the third cultivar unknown. By its doubt none is noticed: **it is surer of these strangers than of most of its own.** By $-\log p(x)$ 27 are; water stands at 299.
# -->

# %% [markdown] key="novel-picture-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# One draw, so that they see what the table counts. Have somebody point at the triangles that each line lets through; then ask why doubt lies on the quiet side: a ratio knows which of two is nearer, and not how far both are.
#
# </details>

# %% key="water-verify" slide="skip" hide="input"
bells_wine = RBFNetworkClassifier(3, sigma="median").fit(Z, cultivar)
sure = [m.predict_proba(water).max() for m in (mlp_wine, bayes_wine)]
verify("the MLP and the posterior are sure of a cultivar", min(sure) > 0.95)
with_tanh = MLPClassifier(
    (10,), activation="tanh", solver="lbfgs", alpha=1.0, max_iter=1000, random_state=0
)
verify("with tanh, too", with_tanh.fit(Z, cultivar).predict_proba(water).max() > 0.95)
verify("no bottle below -40", bayes_wine.log_density(Z).min() > -40)
verify("the loudest bell for water, in units of 1e-8", 1e8 * bells_wine.hidden(water).max(), "2")
verify("the loudest bell for the loneliest bottle", bells_wine.hidden(Z).max(axis=1).min(), "0.22")
forty = np.random.default_rng(0).permutation(40)
alarms = [score < np.sort(np.delete(forty, i))[3] for i, score in enumerate(forty)]
verify("(15): whichever of forty is the new one, four of them raise an alarm", sum(alarms), 4)
verify("... which is a share of", 4 / (39 + 1), "0.1")
half_seen = [novel[f"noticed by {way}"].mean() for way in ways]
false = [novel[f"alarms by {way}"].mean() for way in ways]
verify("all keep their rate of 10 %, on average", np.abs(np.array(false) - 10).max() < 1.5)
verify("density and loudest bell: more than four fifths", min(half_seen[:2]) > 80)
verify("the neighbour does as well", abs(half_seen[2] - half_seen[0]) < 2)
verify("the density (%)", half_seen[0], "83")
by_mean = {"class mean": "88", "shared scatter": "92"}
by_mean |= {"own scatter": "72", "own scatter shrunk": "84"}
for way, told in by_mean.items():
    verify(f"{way} (%)", half_seen[ways.index(way)], told)
learnt = [np.bincount(cultivar[np.random.default_rng([draw, new]).permutation(
    np.flatnonzero(cultivar != new))[59:]]) for draw in range(40) for new in range(3)]  # fmt: skip
few = [n for counts in learnt for n in counts if n]
verify("bottles to learn a scatter from", [min(few), max(few)], [16, 45])
verify("numbers in a scatter", 13 * 14 // 2, "91")
by_water = [novel[f"water noticed by {way}"] for way in ways]
verify("water: the first seven in each trial", min(v.min() for v in by_water[:7]), "100")
verify("... of three for each of forty draws", 3 * len(by_water[0]), "120")
verify("... MLP and logistic regression in none", max(v.max() for v in by_water[7:9]), "0")
of_penalty = [1.2 * novel[f"water noticed by MLP at {a}"].mean() for a in (0.01, 0.1, 10.0)]
verify("... with another penalty, at most so many of 120", max(of_penalty), "8")
verify("ratios miss more than half; the posterior notices a quarter", max(half_seen[7:]) < 50)
verify("... a quarter", 20 < half_seen[9] < 30)
penalties = [novel[f"noticed by MLP at {a}"].mean() for a in (0.01, 0.1, 10.0)]
verify("the MLP by its penalty (%)", np.round([min(penalties), max(penalties)]), [41, 48])
by_doubt, by_density = scores.values()
verify("one draw: noticed by doubt, by density", list(alarmed.values()), [0, 27])
of_strangers, of_aside = (by_doubt(scaler.transform(bottles[who])) for who in (strangers, aside))
verify("surer of all strangers than of most", np.median(of_aside) > of_strangers.max())
verify("water", by_density(scaler.transform(np.zeros((1, 13))))[0], "299")
hardly = [novel[f"noticed by posterior where cultivar {c} is unknown"].mean() for c in (1, 3)]
verify("... nearly none of the first or the third", max(hardly) < 8)

# %% [markdown] key="find-error" slide="slide"
# ## Find the error
#
# The alarm stands on $p(x)$, the weights on a gradient, and both on formulas; what if these are misprinted? A student trains a network by gradient, with the first formula as a lecture prints it; the second is how the same lecture normalises its hidden layer:
#
# $$\frac{\partial E}{\partial w_i}=\sum_{j}e_j\,G(s_{ji}),\qquad w\leftarrow w-\eta\,\frac{\partial E}{\partial w};\qquad\qquad\varphi_j(x)=\frac{p(x|j)\,p(j)}{\sum_{l=1}^m p(x|j)\,p(j)}.$$
#
# The error rises, however small $\eta$ is. And the hidden layer says the same at every point. **Read before you go on: what is wrong with each?**

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask for a check that takes one line each: one bell, one point, e > 0, which way must w go? And: what do the terms of the sum in the denominator depend on?
#
# </details>

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What they compute</b> (open this once you have written down your answers)</summary>
#
# - The minus is missing, so the student climbs: for every $\eta>0$ the error rises at every step. On the moons, with a step that would bring $E$ from 500 down to 295 in five steps, it climbs to 1062.
# - In the second the sum runs over $l$ and its terms over $j$: $m$ equal terms, so $\varphi_j=1/m$ at every point, whatever the bells are. It must be $\sum_\ell p(x|\ell)\,p(\ell)$.
#
# </details>

# %% key="find-error-verify" slide="skip" hide="input"
descending, climbing, halves = np.zeros(21), np.zeros(21), []
rate = 0.5 / np.linalg.norm(Phi, 2) ** 2
for _ in range(6):
    halves.append([0.5 * np.sum((y - Phi @ v) ** 2) for v in (descending, climbing)])
    descending = descending - rate * (-Phi.T @ (y - Phi @ descending))
    climbing = climbing - rate * (Phi.T @ (y - Phi @ climbing))
halves = np.array(halves)
verify("as in (10) the error falls at every step", np.all(np.diff(halves[:, 0]) < 0))
verify("as printed it rises at every step", np.all(np.diff(halves[:, 1]) > 0))
verify("at the start", halves[0, 0], "500")
verify("after five steps as in (10)", halves[5, 0], "295")
verify("after five steps as printed", halves[5, 1], "1062")
joint = normalised(at, T3, s3, prior) * 0.7  # any numbers in the right proportion
misprinted = joint / sum(joint for _ in range(3))
verify("the misprinted layer says 1/m everywhere", misprinted, 1 / 3)

# %% [markdown] key="norm" slide="skip"
# **And one letter.** The same lecture writes $G(\|x-t_i\|_{C_i})$ for the bell, and $G'$ in the second and third formula of (10). **Derivative with respect to what?**
#
# <details><summary>Answer, and a second convention</summary>
#
# - With respect to $s$. If $G'$ were the derivative with respect to the norm $\sqrt s$, the formula would be wrong by the factor $2\sqrt s$, different at every point. With $G'=dG/ds$ and $s$ the *squared* norm it is right.
# - A well-known book defines $\|x\|_C^2=x^\top C^\top Cx$ with $C^\top C=\frac12\Sigma^{-1}$; then $G=e^{-\|x\|_C^2}$, its derivative with respect to the squared norm is $-G$, twice ours, so the 2 in front must go and the third formula gets a $\frac12$.
#
# Three conventions, one gradient: compare with a difference quotient before you believe any.
#
# </details>

# %% key="norm-verify" slide="skip" hide="input"
s9 = np.einsum("jia,iab,jib->ji", D9, P9, D9)


def second(G_prime, factor=2.0):
    return factor * w9[:, None] * np.einsum("j,ji,iab,jib->ia", e9, G_prime, P9, D9)


by_differences = slope("T", T9)
verify("by s: right", second(-0.5 * G9), by_differences, tol=1e-7)
verify("by the norm: wrong", np.abs(second(-np.sqrt(s9) * G9) - by_differences).max() > 0.1)
verify("with the book's norm the 2 goes", second(-G9, 1.0), by_differences, tol=1e-7)
verify("... and with it the formula is twice too large", second(-G9), 2 * by_differences, tol=1e-7)
third = -w9[:, None, None] * np.einsum("j,ji,jia,jib->iab", e9, -G9, D9, D9)
verify("... the third, too: it gets a half", 0.5 * third, slope("P", P9), tol=1e-7)

# %% [markdown] key="sklearn" slide="slide"
# ## The same in scikit-learn
#
# All of this can be had without writing a formula. There is no RBF network in scikit-learn, and no need for one: a pipeline of scaler, bells and a linear layer. `KMeans.transform` returns *distances* to the centres; a `FunctionTransformer` that turns them into bells is tempting, but its $\sigma$ is fixed before the centres are known, so it can be neither cross-validated nor scaled. Ten lines more, and $\sigma$ is learnt with the centres, inside each fold:
#
# <!-- slide
# A pipeline: scaler, bells, a linear layer. $\sigma$ must be learnt *with* the centres, inside each fold:
# -->

# %% key="sklearn-imports" slide="skip"
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.cluster import KMeans


# %% key="sklearn-code" slide="fragment"
class Bells(TransformerMixin, BaseEstimator):
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
from sklearn.linear_model import RidgeClassifier, SGDRegressor
from sklearn.model_selection import GridSearchCV

steps = [("scale", StandardScaler()), ("bells", Bells())]
steps += [("layer", RidgeClassifier(alpha=1e-6))]
grid = {"bells__m": (3, 6, 12), "bells__width": (1, 2, 4)}
grid["layer__alpha"] = (1e-6, 1)
search = GridSearchCV(Pipeline(steps), grid, cv=3)
search.fit(bottles, cultivar)
verify("the best of 18 settings, on the folds that chose it", search.best_score_ > 0.97)

# %% key="sklearn-verify-2" slide="skip"
theirs = Pipeline(steps).fit(bottles, cultivar)
bells_of = theirs["bells"]
ours_too = RBFNetworkClassifier(6, centers=bells_of.centres_, sigma=bells_of.sigma_, lam=1e-6)
outputs = ours_too.fit(Z, cultivar).outputs(Z)  # targets 0 and 1, theirs are -1 and 1
verify("the same outputs", theirs.decision_function(bottles), 2 * outputs - 1, tol=1e-5)

# %% key="sklearn-search" slide="skip" hide="input"
verify("settings", len(search.cv_results_["params"]), 18)
luck = measured("ch07b_search", "best-flatters")
verify("shuffled labels: best_score_", luck["shuffled labels by the folds that chose"].mean(), "44")
verify("... on the other half", luck["shuffled labels on the other half"].mean(), "36")

# %% key="sklearn-sgd" slide="skip"
sgd = SGDRegressor(
    penalty=None, learning_rate="constant", eta0=0.05, fit_intercept=False,
    shuffle=False, max_iter=1, tol=None, random_state=0,
).fit(Phi, y)  # fmt: skip
one_pass = lms(Phi, y, eta=0.05, order=np.arange(1000))
verify("SGDRegressor takes the steps of LMS", sgd.coef_, one_pass.weights)

# %% key="sklearn-em" slide="skip"
T4, sigma4, even = kmeans(ripley.X, 4, rng=0).centers, np.full(4, 0.3), np.full(4, 0.25)
mixture = GaussianMixture(
    4, covariance_type="spherical", reg_covar=0, max_iter=20, tol=0,
    means_init=T4, precisions_init=1 / sigma4**2, weights_init=even,
)  # fmt: skip
with warnings.catch_warnings(action="ignore"):  # after twenty rounds it is not at rest, and says so
    mixture.fit(ripley.X)
theta4 = T4, sigma4, even, np.tile([1.0, 0.0], (4, 1))  # one class: p(c|j) = 1
for _ in range(20):
    theta4, _ = em_round(ripley.X, np.zeros(250, dtype=int), *theta4)
verify("GaussianMixture takes the rounds of EM: places", mixture.means_, theta4[0])
verify("... widths", np.sqrt(mixture.covariances_), theta4[1])
verify("... and p(j)", mixture.weights_, theta4[2])

# %% [markdown] key="sklearn-traps" slide="subslide"
# **Traps.**
#
# - Scale *inside* the pipeline: one $\sigma$ for all features is a statement about their units. And search `width` with `m`: their best values go together.
# - `best_score_` was read off the folds that chose, the luckiest of 18. With shuffled labels, where nothing can be learnt, it says on average 44 %, and half of the bottles, kept aside, 36 %. Judge the search as a whole: `cross_val_score(search, bottles, cultivar)`.
# - `KMeans` starts *once* by default (`n_init="auto"` with k-means++): ask for ten. Three bells from one start of ours had up to one bottle in ten wrong. It stops at `tol=1e-4`; 0 goes to the end.
# - `SGDRegressor` has a penalty, a falling step and shuffled points by default; each must be switched off to be LMS.
# - `GaussianMixture` has full covariances by default; the bells of (12) are `"spherical"`. One mixture for each class is another model than (12), which shares the bells.
# - `MLPClassifier` wants standardised features, and for so few points `solver="lbfgs"`. With 20 units of $\tanh$ its default solver, 200 passes of Adam with steps of 0.001, has 541 of 5000 moon points wrong, L-BFGS 1; the warning is easily hidden.
# - `RBFSampler` is no RBF network: it draws random cosines (chapter 10).
#
# <!-- slide
# **Traps.**
#
# - Scale *inside* the pipeline; search `width` with `m`.
# - `best_score_` flatters: 44 % with shuffled labels, 36 on bottles kept aside.
# - `KMeans`: one start by default; ask for ten.
# - `SGDRegressor`: penalty, falling step, shuffling, all to be switched off for LMS.
# - `GaussianMixture`: full covariances; one for each class is another model than (12).
# - `MLPClassifier`: standardise; 20 units have by Adam as it comes 541 of 5000 moons wrong, with `solver="lbfgs"` 1.
# - `RBFSampler` draws random cosines (chapter 10).
# -->

# %% key="sklearn-verify" slide="skip" hide="input"
kinds = KMeans, SGDRegressor, GaussianMixture, MLPClassifier
defaults = [kind(random_state=0).get_params() for kind in kinds]
verify(
    "KMeans: n_init auto, tol 1e-4", defaults[0]["n_init"] == "auto" and defaults[0]["tol"] == 1e-4
)
verify(
    "SGDRegressor: l2, invscaling, shuffled",
    (defaults[1]["penalty"], defaults[1]["learning_rate"], defaults[1]["shuffle"])
    == ("l2", "invscaling", True),
)
verify("GaussianMixture: full", defaults[2]["covariance_type"] == "full")
verify(
    "MLPClassifier: 200 passes of Adam",
    (defaults[3]["max_iter"], defaults[3]["solver"]) == (200, "adam"),
)

# %% [markdown] key="cost" slide="slide"
# ## What it costs, and when not to use it
#
# What does it all cost? Counted first:
#
# | what | products | numbers in memory |
# |---|---|---|
# | a round of k-means | $nmd$ | $nm$, the distances |
# | a round of EM | $3nmd$, and $nm$ exponentials | $nm$, the shares |
# | the weights, at once | $nm^2$ | $nm$, that is $\Phi$ |
# | a pass of LMS | $nm$ | on line $md$ for the centres, $m$ for the weights |
# | a gradient (10) with ellipses | $nmd^2$ | $nmd$ in our `gradients`, which keeps all differences |
# | kernel ridge regression, a bell on each point | $n^3$ | $n^2$ |
#
# For 100 000 points in the plane and twenty bells $\Phi$ takes 16 megabytes, the differences of the gradient 32, and kernel ridge regression 80 000. Then measured on the moons, one thread: against $n$ with 20 units, and against $m$ with some thousands of points. **Predict first:** 320 units instead of 10: by which factor does each time grow?
#
# <!-- slide
# A round of k-means: $nmd$ products; of EM: $3nmd$; weights: $nm^2$; a pass of LMS: $nm$; a gradient with ellipses: $nmd^2$. Memory: $nm$, for our gradient $nmd$, or $md+m$ on line. Kernel ridge: $n^3$ products, $n^2$ numbers.
#
# **Predict first.** 320 units instead of 10: by which factor does each time grow?
# -->

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Have them count first: 32 times for k-means and LMS, up to a thousand times for the weights. The right panel shows less: ask where the rest of the time goes (not into products).
#
# </details>

# %% key="cost-counts" slide="skip" hide="input"
class Tally(float):
    """A number that counts the products that it goes through."""

    products = 0

    def count(name, products):
        def apply(self, other):
            if isinstance(other, np.ndarray):
                return NotImplemented
            Tally.products += products
            return Tally(getattr(float, name)(self, float(other)))

        return apply

    __mul__, __rmul__ = count("__mul__", 1), count("__rmul__", 1)
    __add__, __radd__ = count("__add__", 0), count("__radd__", 0)
    __sub__, __rsub__ = count("__sub__", 0), count("__rsub__", 0)

    def __neg__(self):
        return Tally(-float(self))

    def exp(self):
        return Tally(np.exp(float(self)))


def tallies(*shape):
    return np.vectorize(Tally, otypes=[object])(np.random.default_rng(0).normal(size=shape))


def distances_of(n, m, d):
    D = tallies(n, 1, d) - tallies(m, d)
    (D * D).sum(axis=2)


counted = {
    "a round of k-means": distances_of,
    "a round of EM": lambda n, m, d: (
        distances_of(n, m, d),  # E
        tallies(n, m).T @ tallies(n, d),  # M, places
        distances_of(n, m, d),  # M, widths
    ),
    "the weights, ΦᵀΦ": lambda n, m, d: tallies(n, m).T @ tallies(n, m),
    "a pass of LMS": lambda n, m, d: lms_path(tallies(n, m), tallies(n), range(n), n * [0.1]),
    "one gradient (10)": lambda n, m, d: gradients(
        tallies(n, d), tallies(n), tallies(m), tallies(m, d), tallies(m, d, d)
    ),
}


def products_of(method, *sizes):
    Tally.products = 0
    method(*sizes)
    return Tally.products


grown = {
    name: [
        products_of(method, 8, 8, 8),
        *(products_of(method, *sizes) / products_of(method, 8, 8, 8) for sizes in doubled),
    ]
    for doubled in [[(16, 8, 8), (8, 16, 8), (8, 8, 16)]]
    for name, method in counted.items()
}
table(
    "Counted: products for n = m = d = 8, and their growth by a doubling",
    {"what": "", "products": "d", "n doubled": ".1f", "m doubled": ".1f", "d doubled": ".1f"},
    grown,
    answer="Products, counted",
)
verify("k-means nmd", grown["a round of k-means"][1:], [2, 2, 2])
verify("EM, too", grown["a round of EM"][1:], [2, 2, 2])
verify("... three times as many", grown["a round of EM"][0], 3 * grown["a round of k-means"][0])
verify("weights nm²", grown["the weights, ΦᵀΦ"][1:], [2, 4, 1])
verify("LMS nm", np.round(grown["a pass of LMS"][1:]), [2, 2, 1])
verify("a gradient nmd²", np.round(grown["one gradient (10)"][1:]), [2, 2, 4])

# %% key="cost-picture" hide="input"
cost = measured("ch07b_cost")
n_cost, em_rounds = cost["n"], cost["rounds of em"]
kinds = ("kmeans", "weights", "lms_pass", "gradient", "mlp", "kernel_ridge", "em")
times = [cost[kind] for kind in kinds]
units = measured("ch07b_units")
names = ("k-means", "weights", "LMS, a pass", "gradient", "MLP, L-BFGS", "kernel ridge", "EM")
apart = (0.7, 0.8, 1.25, 1.3, 0.75, 1.0, 1.0)  # factors that keep the names apart
ends = dict(zip(kinds, apart, strict=True))
growth = [np.polyfit(np.log(n_cost[1:]), np.log(s[1:]), 1)[0] for s in times]
m_units = units["m"]
fig, (by_n, by_m) = plt.subplots(1, 2, figsize=(9.4, 4.2), sharey=True)
on_the_right = {"kmeans": "kmeans_round", "weights": "weights", "lms_pass": "lms_pass"}
on_the_right |= {"em": "em_round"}
for i, (kind, name, values) in enumerate(zip(kinds, names, times, strict=True)):
    drawn = [(by_n, n_cost, values, name)]
    if kind in on_the_right:
        of_round = name + ", a round" * (kind in ("kmeans", "em"))
        drawn.append((by_m, m_units, units[on_the_right[kind]], of_round))
    for ax, x, seconds, words in drawn:
        ax.plot(x, 1e3 * seconds, color="black", linewidth=1, marker="osD^v*P"[i], markersize=6)
        place = x[-1] * 1.15, 1e3 * seconds[-1] * (ends[kind] if ax is by_n else 1)
        ax.annotate(words, place, va="center", annotation_clip=False)
by_n.set(xscale="log", yscale="log", xlabel="number of points n, 20 units", ylabel="time (ms)")
by_n.set_xticks([500, 2000, 8000], ["500", "2000", "8000"])
by_m.set(xscale="log", xlabel="number of units m, 4000 points")
by_m.set_xticks([10, 40, 160, 320], ["10", "40", "160", "320"])
for ax in (by_n, by_m):
    ax.minorticks_off()
show(
    fig,
    alt="Times on logarithmic axes. Left, against the number of points: k-means, the weights and a "
    "pass of LMS rise about in proportion and stay lowest; EM and training by gradient lie far "
    "above them, the MLP comes down to the line of LMS; "
    "kernel ridge regression rises most steeply. "
    "Right, against the number of units: "
    "rounds of k-means and of EM and the weights rise, the weights most steeply; a pass of LMS "
    "hardly does.",
    answer="Times",
)

# %% [markdown] key="cost-reading" slide="subslide"
# <details><summary><b>Whose time grows</b> (open this once you have written down your answer)</summary>
#
# - From 1000 points on, k-means, weights and LMS grow about like $n$, and all of them together take less than a tenth of a second for 8000 points.
# - EM takes more than ten times as long as k-means and weights, and so do centres that learn. EM's twenty bells are still moving after 100 rounds; its time grows like $n$, too. Kernel ridge regression grows nearly like $n^3$.
# - From 10 to 320 units the weights take 38 times as long, but 2.5 times at the last doubling: up to here no $m^2$. A round of k-means takes 5 times as long; LMS in Python hardly takes longer, since its time is the loop's.
# - A round of EM takes 15 times as long. With ten units it is level with a round of k-means, with 320 it takes three times as long.
# - $\Phi$'s condition number goes from 54 to tens of thousands.
#
# </details>
#
# A multilayer perceptron with as many units, standardised and trained by L-BFGS, is here as good as bells that learn, in less time. **With Adam's default steps the same perceptron has 541 of 5000 wrong on average, over twenty draws of the moons; by L-BFGS 1, and with Adam's steps ten times as long 9.** So look at the solver before you speak of networks.
#
# **When not:**
#
# - where a plane or an ellipse will do, as for the bottles;
# - with the rule (8) in many dimensions: at $d=13$ neighbours are five widths away, and nine with four times the centres;
# - with hundreds of bells of that rule in the plane, without a penalty: from 10 to 320 the condition number grows more than a thousandfold;
# - EM, where a stream must be learnt on line: each round wants all points;
# - where features have no common scale and nobody wants to choose one.
#
# **When:** few dimensions, many points, a stream, and wherever silence far from the data is what you want.
#
# <!-- slide
# - k-means, weights, LMS, EM: about like $n$; EM and centres that learn take over ten times as long as the first two. Kernel ridge: nearly $n^3$.
# - From 10 to 320 units: weights 38 times, k-means 5, EM 15 times as long, LMS hardly; $\Phi$'s condition from 54 to tens of thousands.
# - An MLP by L-BFGS is as good as bells that learn, and quicker; by Adam as it comes it is far worse.
#
# **When not:** lonely bells; hundreds without a penalty; a plane or an ellipse will do; no common scale. **When:** few dimensions, many points, streams, and where silence far from the data is wanted.
# -->

# %% key="cost-verify" slide="skip" hide="input"
verify("points that were timed, at most", n_cost.max(), "8000")
numbers = np.array([20, 2 * 20, 100_000]) * 100_000
verify("of 100 000 points: megabytes", 8 * numbers / 1e6, [16, 32, 80_000])
verify("k-means, weights and LMS grow about like n", all(0.7 < g < 1.35 for g in growth[:3]))
verify("together less than a tenth of a second", sum(t[-1] for t in times[:3]) < 0.1)
verify(
    "centres that learn: more than ten times the time of k-means and weights",
    np.all(times[3] > 10 * (times[0] + times[1])),
)
verify("kernel ridge nearly like the cube", 2.5 < growth[5] < 3.2)
verify("EM: more than ten times, too", np.all(times[6] > 10 * (times[0] + times[1])))
verify("... about like n", 0.7 < growth[6] < 1.35)
verify("... still moving after so many rounds", em_rounds, 100)
em_longer = units["em_round"] / units["kmeans_round"]
verify("a round of EM from 10 to 320 units", units["em_round"][-1] / units["em_round"][0], "15")
verify("... with 10 as long as one of k-means", 0.8 < em_longer[0] < 1.25)
verify("... with 320 three times as long", em_longer[-1], "3")
slopes = [
    np.polyfit(np.log(m_units), np.log(units[way]), 1)[0]
    for way in ("kmeans_round", "weights", "lms_pass")
]
verify("the weights' time grows fastest with m; that of LMS hardly", np.argsort(slopes), [2, 0, 1])
longer = [units[way][-1] / units[way][0] for way in ("kmeans_round", "weights")]
verify("from 10 to 320 units: k-means, weights, times as long", np.round(longer), [5, 38])
verify("... the weights at the last doubling", units["weights"][-1] / units["weights"][-2], "2.5")
verify("... LMS hardly", units["lms_pass"][-1] < 1.25 * units["lms_pass"][0])
verify("condition numbers: from", units["condition"][0], "54")
verify("... to tens of thousands", 1e4 < units["condition"][-1] < 1e5)
verify("... which is over a thousandfold", units["condition"][-1] > 1000 * units["condition"][0])
verify("the MLP in less time than the gradient", np.all(times[4] < times[3]))
careless = measured("ch07b_moons", "mlp-care")
worst_way, best_way = (careless[f"MLP by {w}"] for w in ("Adam as it comes", "L-BFGS"))
verify("of 5000 wrong: Adam as it comes", worst_way.mean(), "541")
verify("... L-BFGS", best_way.mean(), "1")
verify("... steps ten times as long", careless["MLP by Adam with step 0.01"].mean(), "9")
learnt_bells = careless["20 bells by gradient"]
verify("L-BFGS: as good as bells that learn", abs(best_way.mean() - learnt_bells.mean()) < 1)

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - Given the bells, the weights are one linear problem: at once by (2), or point by point by LMS, whose mean obeys (4).
# - k-means never climbs, and may rest at any multiple of the best. A constant step leaves $\varsigma\sqrt{\eta/(2-\eta)}$.
# - $d_{\max}/\sqrt{2m}$ follows the spacing of centres in the plane. Elsewhere take what follows the spacing, and cross-validate. Flat bells are polynomials.
# - Three gradients, each with the minus that comes from $e=y-\text{output}$.
# - EM never falls, by Jensen. Posteriors: normalised bells, weights $p(c_k|j)$. Least squares approximates them.
#
# **And the bets?** With twenty wide bells on the moons: learning wins by a hair, two points of 5000 on average over twenty draws. With six there: let them learn. On these bottles: ellipses, planes, or three bells in the right places. **And the water?** Ask where the data are, with a threshold from bottles kept aside: at one false alarm in ten $p(x)$ notices water in each of 120 trials and 83 % of an unknown vine, the distance to class means by their shared scatter 92 %; an MLP's probability notices water in none.
#
# <!-- slide
# - Given the bells, the weights are one linear problem; LMS obeys (4) in the mean.
# - k-means never climbs, and may rest at any multiple of the best. A constant step trembles for ever.
# - A spread follows the spacing of centres, or is cross-validated. Flat bells are polynomials.
# - EM never falls, by Jensen. Posteriors: normalised bells, weights $p(c_k|j)$.
#
# **The bets?** Twenty wide bells: learning, by a hair. Six: let them learn. On these bottles: ellipses, planes, or three bells in the right places. **And the water?** Ask where the data are, with a threshold from bottles kept aside: at one false alarm in ten $p(x)$ notices water in each of 120 trials and 83 % of an unknown vine; an MLP notices water in none.
# -->

# %% [markdown] key="recap-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Read the two votes on the board once more. Ask what they would try first on data of their own; a plane is a good answer, and a few bells the next.
#
# </details>

# %% [markdown] key="quiz" slide="skip"
# ## Five questions
#
# <details><summary>1. You double all coordinates. What happens to the rule's σ, to φ, to w, to the cost of k-means?</summary>
#
# $\sigma$ doubles, $\varphi$ and $w$ stay as they are, the cost is four times as large.
#
# </details>
#
# <details><summary>2. One centre, η = 0.5, a thousand points. How much does the last point weigh, how much the one before it?</summary>
#
# A half, and a quarter.
#
# </details>
#
# <details><summary>3. A bell has w > 0 and stands alone; one point to its right has e > 0, all others e = 0. Which way does the centre go?</summary>
#
# To the right, towards the point.
#
# </details>
#
# <details><summary>4. Outputs 0.7 and 0.5 for two classes. Are they posteriors? Least squares with a bias?</summary>
#
# Neither: both would sum to 1.
#
# </details>
#
# <details><summary>5. Each of your 178 bottles gets a bell, λ = 0. What is the training error, and what have you learnt about new bottles?</summary>
#
# 0, as chapter 7a shows; and it would be 0 whatever the labels were, so it says nothing about new bottles.
#
# </details>

# %% key="quiz-verify" slide="skip" hide="input"
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

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are told which one.
# *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch07b_rbf_networks")

# %% [markdown] key="references" numbers="free" slide="skip"
# ## To read on
#
# - D. S. Broomhead and D. Lowe, *Multivariable functional interpolation and adaptive networks*, 1988: the network, and the pseudo-inverse.
# - J. Moody and C. J. Darken, *Fast learning in networks of locally-tuned processing units*, 1989: k-means, then the weights; spreads from neighbours.
# - S. Haykin, *Neural Networks: A Comprehensive Foundation*, 1999, and *Neural Networks and Learning Machines*, 2009: LMS, centres that learn, the double moon.
# - J. Park and I. W. Sandberg, *Universal approximation using radial-basis-function networks*, 1991. A. P. Dempster, N. M. Laird and D. B. Rubin, *Maximum likelihood from incomplete data via the EM algorithm*, 1977.
# - D. Arthur and S. Vassilvitskii, *k-means++: the advantages of careful seeding*, 2007: the factor 8 (ln m + 2).
# - J. MacQueen, *Some methods for classification and analysis of multivariate observations*, 1967: k-means on line.
# - B. Widrow and M. E. Hoff, *Adaptive switching circuits*, 1960: LMS. C. M. Bishop, *Neural Networks for Pattern Recognition*, 1995, chapter 5: the network as a mixture.
# - **Data.** Wine: M. Forina and others, PARVUS, from the installed scikit-learn (whose description has “cultivators” for *cultivars*; they are Barolo, Grignolino and Barbera). Ripley's two classes and Old Faithful as in chapters 1 and 6. Two moons: computed.
#
# **Next:** [the sheet](../exercises/ch07b_rbf_networks_sheet.ipynb).
