# %% [markdown] key="title" slide="slide"
# # RBF interpolation
#
# The first part of chapter 7. Two bells do what no line can; a bell on every point goes through all of them. What that costs: digits, wiggles, and time.

# %% key="imports" slide="skip" hide="input"
from itertools import product
from math import comb

import numpy as np
import matplotlib.pyplot as plt
from matplotlib.colors import ListedColormap
from scipy.integrate import quad
from scipy.interpolate import BarycentricInterpolator, Rbf
from scipy.interpolate import RBFInterpolator as SciPyRBF
from scipy.linalg import null_space
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Ridge

from kcourse import Gaussian, KernelRidge, Laplacian, Linear
from kcourse.datasets import load_mcycle, load_terrain
from kcourse.kernels import InverseMultiquadric, Multiquadric, ThinPlate
from kcourse.lab import cycle, measured, show, table, use_style, verify
from kcourse.chapters.ch07a_rbf_interpolation.figures import (
    basis_explorer,
    draw_map,
    penalty_explorer,
    xor_explorer,
)
from kcourse.rbf import (
    GeneralizedRBF,
    RBFInterpolator,
    RegularizationNetwork,
    cover_count,
    cover_probability,
    monomials,
    separating_weights,
)
from kcourse.scaling import Nystrom

use_style()

# %% [markdown] key="hook" slide="slide"
# ## A map from four hundred heights
#
# Mountains near Jacksboro, Tennessee, 30 by 32 km. A surveyor has visited 400 spots, drawn at random, and brings back the height of each.
#
# <!-- slide
# -->

# %% key="hook-picture" slide="slide" hide="input"
land = load_terrain()
drawn = np.random.default_rng(0).choice(len(land.y), 5400, replace=False)
X, y = land.X[drawn[:400]], land.y[drawn[:400]]  # what the surveyor measured (km, m)
new, truth = land.X[drawn[400:]], land.y[drawn[400:]]  # 5000 places where the map is tested
fig, ax = plt.subplots(figsize=(5.6, 4.5))
spots = ax.scatter(*X.T, c=y, s=26, cmap=plt.get_cmap("gray", 9), edgecolor="black", linewidth=0.5)
ax.set(xlabel="to the east (km)", ylabel="to the north (km)", aspect="equal")
fig.colorbar(spots, label="height (m)")
show(
    fig,
    alt="Four hundred circles scattered over a rectangle, filled with grey, brighter where it is "
    "higher: bright ones gather in the west and the south-west, dark ones in the east. Between "
    "them is nothing.",
)

# %% [markdown] key="hook-question"
# **Draw the map: by which method, and how many metres off where nobody has been?** *Which map?* settles the bets. A map of triangles lays a plane through each three spots, which can be done unless they are on one line; through four there need be none. So here are four spots and two heights, low and high, that no plane draws. What can bells do there that a plane cannot? Then four hundred.
#
# <!-- slide
# 400 heights near Jacksboro, Tennessee. **Draw the map: by which method, and how many metres off where nobody has been?**
# -->

# %% [markdown] key="hook-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Collect bets (nearest spot, a mean of the near ones, triangles, bells; metres) and leave them on the board. Ask what a valley of 300 m width looks like to spots 1.5 km apart: it is invisible, and no method brings it back.
#
# </details>

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# 1. count the labellings that a hyperplane can make, and say when the count is wrong;
# 2. solve $\Phi w=y$, and say for which $\varphi$ that is allowed, with the hypotheses;
# 3. choose a width without looking, and weigh accuracy against the digits that conditioning takes;
# 4. pass near the points instead of through them, and see that this is kernel ridge regression;
# 5. use fewer bells than points, and see that this is Nyström's approximation.
#
# **You need** chapter 3, and from chapter 2 that a Gaussian Gram matrix of different points is positive definite. **Reading:** three hours. **Lecture:** two 45-minute lectures. **Exercises:** [in the sheet](../exercises/ch07a_rbf_interpolation_sheet.ipynb).

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# The two integrals of steps 5 and 6 are to be read at home. A page without a note takes half a minute, one where there is much to say.
#
# Can be skipped: By hand; What it costs; The same in SciPy and scikit-learn; Find the error.
#
# </details>

# %% [markdown] key="question" slide="slide"
# ## Two switches, one lamp
#
# A staircase has a switch at the bottom and one at the top, each up or down, and a lamp that either switch turns over. Wire it so that the lamp is off while both are down. Then it is on when *exactly one* switch is up: the *exclusive or*, XOR.
#
# <!-- slide
# -->

# %% key="question-picture" slide="slide" hide="input"
corners = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
lamp = np.array([-1, -1, 1, 1])
fig, ax = plt.subplots(figsize=(3.6, 3.3))
for label, marker, fill, name in ((-1, "o", "white", "lamp off"), (1, "^", "black", "lamp on")):
    ax.plot(
        *corners[lamp == label].T,
        marker,
        color="black",
        markerfacecolor=fill,
        markersize=11,
        label=name,
    )
ax.set(xlabel="switch x₁ (0 down, 1 up)", ylabel="switch x₂", xlim=(-0.3, 1.3), ylim=(-0.3, 1.3))
ax.set_xticks([0, 1])
ax.set_yticks([0, 1])
ax.legend(loc="center")
show(
    fig,
    alt="The four corners of a square. The lamp is off at (0, 0) and (1, 1), circles, and on at "
    "(0, 1) and (1, 0), triangles: each class lies on a diagonal.",
)

# %% [markdown] key="question-draw"
# Four states of two numbers, two classes. Let a machine decide by one line, $w^\top x+b>0$. **Draw it.**
#
# <!-- slide
# Either switch turns the lamp over; with both down it is off: *exclusive or*, XOR. Decide by one line, $w^\top x+b>0$. **Draw it.**
# -->

# %% [markdown] key="question-reading" slide="subslide"
# No line will do, and the proof fits on a stair: both diagonals have the same midpoint. At a midpoint $w^\top x+b$ is the mean of its values at the two ends, so it would have to be positive *and* negative there.
#
# Now put two bells, a Gaussian on $(0,0)$ and one on $(1,1)$, and let the line decide by what *they* say. **Can it?**
#
# <!-- slide
# No line: both diagonals have the same midpoint, and there $w^\top x+b$ would be positive *and* negative.
#
# Now a line that decides by what two bells say, one on $(0,0)$ and one on $(1,1)$. **Can it?**
# -->

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let somebody try lines on the board, then ask for the midpoints. Leave a question standing: "what will the bells add?" A likely answer is "a dimension"; there are two before and two after.
#
# </details>

# %% [markdown] key="bells" slide="slide"
# ## Two bells
#
# A *radial basis function*, RBF, is a function of the distance to a *centre*: $\varphi_j(x)=\varphi(\|x-t_j\|)$. Here, with $t_1=(1,1)$, $t_2=(0,0)$ and $\sigma=1/\sqrt2$,
#
# $$\varphi_j(x)=e^{-\|x-t_j\|^2},\qquad f(x)=w_1\varphi_1(x)+w_2\varphi_2(x)+b. \tag{1}$$
#
# The bells are a *hidden layer*: they turn a state $x$ into a point $(\varphi_1,\varphi_2)$ of the *hidden plane*, and only there is a line drawn. A labelling that can be had in this way is called *φ-separable*.
#
# <!-- slide
# *Radial basis function*: of the distance to a *centre*. Here $t_1=(1,1)$, $t_2=(0,0)$, $\sigma=1/\sqrt2$:
#
# $$\varphi_j(x)=e^{-\|x-t_j\|^2},\qquad f(x)=w_1\varphi_1(x)+w_2\varphi_2(x)+b \tag{1}$$
#
# A *hidden layer*: from $x$ to $(\varphi_1,\varphi_2)$ in the *hidden plane*, where the line is drawn (*φ-separable*).
# -->

# %% key="bells-code" slide="subslide"
centres = np.array([[1.0, 1.0], [0.0, 0.0]])
Phi = Gaussian(sigma=np.sqrt(0.5))(corners, centres)

# %% key="bells-table" slide="fragment" hide="input"
table(
    "The four corners, as the two bells see them",
    {"x": "", "φ₁": ".4f", "φ₂": ".4f", "lamp": ""},
    [
        (f"({u:.0f}, {v:.0f})", first, second, "on" if on > 0 else "off")
        for (u, v), on, (first, second) in zip(corners, lamp, Phi, strict=True)
    ],
)

# %% [markdown] key="bells-solve" slide="subslide"
# **Step 1. The line, by hand.** Both states with the lamp on fall on one point, $(e^{-1},e^{-1})$; the other two are mirror images. So let $w_1=w_2=w$, and ask for 0 (off) and 1 (on):
#
# $$w(1+e^{-2})+b=0,\qquad2we^{-1}+b=1.$$
#
# Subtract: $-w(1-2e^{-1}+e^{-2})=1$, hence
#
# $$w=-\frac1{(1-e^{-1})^2}\approx-2.502650,\qquad b=1-2we^{-1}\approx2.841347.$$
#
# Bells with *negative* weights, holes in a plane of height $b$: the lamp is on except near $(0,0)$ and $(1,1)$. What no line can do, a line and two bells can; and the bells added no dimension.
#
# <!-- slide
# **Step 1. The line, by hand.** $w_1=w_2=w$ by symmetry; 0 for off, 1 for on:
#
# $$w(1+e^{-2})+b=0,\qquad2we^{-1}+b=1$$
#
# <div class="fragment">
#
# $$w=-\frac1{(1-e^{-1})^2}\approx-2.502650,\qquad b\approx2.841347$$
#
# *Negative* bells, holes in a plane of height $b$. No dimension was added.
#
# </div>
# -->

# %% [markdown] key="bells-solve-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Before the click: which sign has w? Ask where the two bells together are higher, on a corner or between them.
#
# </details>

# %% key="bells-verify" slide="skip" hide="input"
w = -1 / (1 - np.exp(-1)) ** 2
b = 1 - 2 * w * np.exp(-1)
verify("w", w, "-2.502650")
verify("b", b, "2.841347")
verify("f is 0 where the lamp is off, 1 where it is on", w * Phi.sum(axis=1) + b, [0, 0, 1, 1])
straight = np.linalg.lstsq(Phi, [0, 0, 1, 1], rcond=None)[0]
best_without = Phi @ straight

# %% [markdown] key="bells-predict" slide="subslide"
# **Predict first.** The source of this example (the slides of SYS843, see *To read on*) writes $w^\top\varphi(x)>0$ for one class and $<0$ for the other, without a $b$, and then says that its XOR is separable.
#
# 1. Is it, with the bells on $(0,0)$ and $(1,1)$? In the hidden plane the line must pass through 0.
# 2. Turn the pair, pull its bells apart. Where would two of them have to stand so that *no* $b$ is needed?
# 3. And with $b$: will every turn do?

# %% [markdown] key="bells-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Leave the line hidden, let the room lay a ruler through the origin on the right, then hunt for positions without a bias.
#
# </details>

# %% key="bells-figure" hide="input"
BELL = Gaussian(np.sqrt(0.5))
switches = xor_explorer(
    corners, lamp, BELL, lambda Phi, bias: separating_weights(Phi, lamp, bias=bias)
)

# %% [markdown] key="bells-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# **Step 2. Without a bias, never.** On a line through 0, the ratio of the two bells decides. But
#
# $$\ln\frac{\varphi_1(x)}{\varphi_2(x)}=\frac{\|x-t_2\|^2-\|x-t_1\|^2}{2\sigma^2}=\frac{(t_1-t_2)^\top x}{\sigma^2}+\text{const}:$$
#
# the squares of $x$ cancel, and a threshold on the ratio is a *straight line in the plane of the switches*. So without a bias, two Gaussians of equal width have a straight decision boundary, wherever they are centred, and a line cannot do XOR. The best that least squares can make of the source's bells without $b$ is 0.4564 for *off* and 0.2958 for *on*: the wrong way round. One letter fixes it, $b$.
#
# With it most turns will do, and two will not: at 0° and at 90° a corner where the lamp is on is as far from either bell as one where it is off. The bells cannot tell the two apart, and nor can a line.
#
# </details>
#
# <!-- slide
# <details><summary><b>What just happened</b></summary>
#
# **Step 2. Without a bias, never.** On a line through 0, the ratio of the two bells decides. But
#
# $$\ln\frac{\varphi_1(x)}{\varphi_2(x)}=\frac{\|x-t_2\|^2-\|x-t_1\|^2}{2\sigma^2}=\frac{(t_1-t_2)^\top x}{\sigma^2}+\text{const}:$$
#
# the squares of $x$ cancel: a *straight line in the plane of the switches*, wherever the bells stand. One letter fixes it, $b$.
#
# With it, all turns but 0° and 90°: there a bell hears two corners alike, one with the lamp on and one off.
#
# </details>
# -->

# %% [markdown] key="bells-reading-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Why a ratio: the sign of w₁φ₁ + w₂φ₂ changes where φ₁/φ₂ passes −w₂/w₁. Take its logarithm on the board.
#
# </details>

# %% key="bells-figure-verify" slide="skip" hide="input"
verify("with b: separable", separating_weights(Phi, lamp) is not None)
verify("without b: not", separating_weights(Phi, lamp, bias=False) is None)
verify("the best without b: off", best_without[0], "0.4564")
verify("the best without b: on", best_without[2], "0.2958")
rng = np.random.default_rng(0)
places = rng.uniform(-1, 2, size=(100, 2, 2))
none_of = [separating_weights(BELL(corners, t), lamp, bias=False) is None for t in places]
verify("100 pairs of bells anywhere: without b none separates", all(none_of))
for apart in np.sqrt(2) * np.arange(0.25, 1.51, 0.25):  # half of the slider's
    halves = [apart / 2 * np.exp(1j * np.deg2rad(turn)) for turn in range(0, 180, 15)]
    pairs = [0.5 + np.array([[z.real, z.imag], [-z.real, -z.imag]]) for z in halves]
    failed = [separating_weights(BELL(corners, t), lamp) is None for t in pairs]
    verify("with b: every turn but 0° and 90°", 15 * np.flatnonzero(failed), [0, 90])
at, t = rng.normal(size=(50, 2)), places[0]
ratio = np.log(BELL(at, t)[:, 0] / BELL(at, t)[:, 1])
offset = (t[1] @ t[1] - t[0] @ t[0]) / (2 * 0.5)
verify("the logarithm of the ratio is affine", ratio, at @ (t[0] - t[1]) / 0.5 + offset)

# %% [markdown] key="count" slide="slide"
# ## How lucky were we?
#
# Four points, two classes: $2^4=16$ labellings. How many of them can a hyperplane make? Thomas Cover counted in 1965.
#
# Let $C(n,d)$ be the number of labellings of $n$ points of $\mathbb R^d$ that a hyperplane *through 0* can make. (One with a bias is one through 0 with the extra feature 1: count with $d+1$.) The points shall be in *general position*: any $d$ or fewer of them are linearly independent.
#
# **Step 3. Add one point.** Take the labellings of $n-1$ points, and let the $n$-th join. Each goes on in at least one way, since its hyperplane has the new point on one side. When does it go on in *both*?
#
# Exactly if some hyperplane that makes it passes *through* the new point: then it may be tipped either way. Conversely, if $w_+$ and $w_-$ make it with the new point on either side, some $w$ on the way from one to the other has $w^\top x_n=0$, and it makes the labelling, too, being a mixture of two that do.
#
# How many such labellings are there? Hyperplanes through 0 and $x_n$ are those of the $d-1$ dimensions across $x_n$. Seen there, along $x_n$, the other points are in general position again: any $d-1$ or fewer of them are, with $x_n$, independent in $\mathbb R^d$, and so their shadows are without it. That makes $C(n-1,d-1)$. Hence
#
# $$C(n,d)=C(n-1,d)+C(n-1,d-1),\qquad C(1,d)=2,\quad C(n,1)=2. \tag{2}$$
#
# <!-- slide
# $C(n,d)$: labellings of $n$ points of $\mathbb R^d$ that a hyperplane *through 0* can make. (With a bias: $d+1$.) *General position*: any $d$ points or fewer are linearly independent.
#
# **Step 3. Add one point.** Each labelling of the others goes on in one way; in *both* ways if some hyperplane that makes it passes *through* $x_n$. Those live in $d-1$ dimensions:
#
# $$C(n,d)=C(n-1,d)+C(n-1,d-1),\qquad C(1,d)=C(n,1)=2 \tag{2}$$
# -->

# %% [markdown] key="count-step-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# The proof in a drawing: three points of the plane, lines through 0; let the room tip a line that passes through the third point, and ask which labellings of the other two have one.
#
# </details>

# %% [markdown] key="count-solve" slide="subslide"
# **Step 4. Solve it.** That is Pascal's triangle with another edge, and
#
# $$C(n,d)=2\sum_{k=0}^{d-1}\binom{n-1}k \tag{3}$$
#
# satisfies it: $\binom{n-2}k+\binom{n-2}{k-1}=\binom{n-1}k$, term by term. Four points in the plane, with a bias: $C(4,3)=2(1+3+3)=14$. Of the 16 labellings *two* are missing. **Which?**
#
# Divide by $2^n$: labels drawn by throwing coins are separable with probability
#
# $$P(n,d)=2^{1-n}\sum_{k<d}\binom{n-1}k,$$
#
# the probability of fewer than $d$ heads in $n-1$ throws. At $n=2d$ it is exactly $\frac12$, since $n-1$ is odd and the middle lies between $d-1$ and $d$.
#
# <!-- slide
# **Step 4.** Pascal's triangle with another edge:
#
# $$C(n,d)=2\sum_{k=0}^{d-1}\binom{n-1}k \tag{3}$$
#
# Four points, plane, bias: $C(4,3)=2(1+3+3)=14$ of 16.
#
# Random labels are separable with the probability of fewer than $d$ heads in $n-1$ throws. At $n=2d$: exactly $\frac12$.
#
# Four points: **which two are missing?**
# -->

# %% [markdown] key="count-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# The missing two are XOR and its opposite. Then ask for the table before it is shown: six points in the plane, with a bias (32 of 64), and the same six on one line (12).
#
# </details>

# %% key="count-table" slide="subslide" hide="input"
general = np.random.default_rng(0).normal(size=(6, 2))


def enumerated(X):
    """How many labellings a line with a bias can make: a linear program for each."""
    labels = product([-1, 1], repeat=len(X))
    return sum(separating_weights(X, np.array(y)) is not None for y in labels)


line = np.column_stack([np.arange(6.0), 2 * np.arange(6.0)])
lattice = np.array(list(product(range(3), range(2))), dtype=float)
placed = {f"{n} in general position": general[:n] for n in range(2, 7)}
placed |= {"6 on a grid of 3 by 2": lattice, "6 on a line": line}
table(
    "Labellings of points of the plane, with a bias",
    {"points": "", "labellings": "d", "linear programs": "d", "Cover, d = 3": "d"},
    {
        name: (2 ** len(points), enumerated(points), cover_count(len(points), 3))
        for name, points in placed.items()
    },
)

# %% [markdown] key="count-reading" slide="fragment"
# Linear programs, one for each labelling, agree with Cover, as long as the points are in general position. Otherwise the count is an upper bound only. (The missing two of four points are XOR and its opposite.)

# %% key="count-verify" slide="skip" hide="input"
missing = [y for y in product([-1, 1], repeat=4) if separating_weights(corners, y) is None]
verify("XOR and its opposite are the missing two", set(missing) == {(-1, -1, 1, 1), (1, 1, -1, -1)})
grid = [(n, d) for n in range(2, 30) for d in range(2, 12)]
recursion = [cover_count(n - 1, d) + cover_count(n - 1, d - 1) for n, d in grid]
verify("(3) satisfies (2)", [cover_count(n, d) for n, d in grid], recursion)
six, five_labels = np.random.default_rng(1).normal(size=(6, 3)), list(product([-1, 1], repeat=5))


def through_0(X, y):
    return separating_weights(X, np.array(y), bias=False) is not None


both = [y for y in five_labels if through_0(six, (*y, 1)) and through_0(six, (*y, -1))]
shadows = six[:5] @ null_space(six[5:])  # seen along the sixth
verify("step 3: those that go on in both ways", len(both) == cover_count(5, 2))
of_shadows = [y for y in five_labels if through_0(shadows, y)]
verify("... are the labellings of the shadows", both == of_shadows)
verify("P(2d, d) is ½", all(cover_probability(2 * d, d) == 0.5 for d in range(1, 40)))
four_fewer = [cover_count(n, 3) for n in range(2, 7)]
verify("general position: enumerated", [enumerated(general[:n]) for n in range(2, 7)], four_fewer)

# %% key="count-picture" slide="subslide" hide="input"
fig, ax = plt.subplots(figsize=(7.4, 3.8))
for k, d in enumerate((2, 5, 20, 100)):
    n = np.arange(1, 4 * d + 1)
    probability = [cover_probability(int(m), d) for m in n]
    ax.plot(n / d, probability, **cycle(k), label=f"d = {d}")
ax.plot([2], [0.5], "o", color="black", markersize=7)
ax.set(xlabel="points for each dimension, n/d", ylabel="probability", ylim=(-0.03, 1.05))
ax.legend()
show(
    fig,
    alt="Probability that random labels are separable against n/d, for 2, 5, 20 and 100 "
    "dimensions. All curves are at 1 up to n = d, pass through one half at n/d = 2, "
    "marked by a dot, and fall to 0; the more dimensions, the steeper.",
)

# %% [markdown] key="count-meaning" slide="subslide"
# Up to $n=d$ *every* labelling is possible; at $n=2d$ half of them; soon after, in many dimensions, almost none. This is what is behind the saying that “a non-linear lift to high dimension makes classes separable”. Read its small print:
#
# - It is about labels drawn **at random**. Yours are not; they may be harder, as the lamp's were, or easier.
# - It is about **general position** in the hidden space. A lift by two equal bells adds nothing.
# - It says nothing about **new points**. Who can make every labelling has learnt nothing from having made one.
#
# **Polynomials lift, too.** All products of the coordinates up to degree $r$ are $\binom{d+r}r$ hidden functions, the constant included, and a hyperplane among them is a *rational variety of order r*: in the plane 3 for a line, 6 for any conic.
#
# <!-- slide
# - $n\le d$: *every* labelling. $n=2d$: half. Soon after: almost none.
# - Labels **at random**: yours are not. **General position** in the hidden space: two equal bells add nothing. Nothing about **new points**.
#
# Polynomials of degree $r$: $\binom{d+r}r$ hidden functions; in the plane 3 for a line, 6 for a conic.
# -->

# %% [markdown] key="count-meaning-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask: "twenty patients, a thousand genes, a plane without a mistake: how surprised are you?" Not at all: with n ≤ d every labelling has one.
#
# </details>

# %% key="count-meaning-verify" slide="skip" hide="input"
verify("a line has 3 terms, a conic 6", [monomials(corners, r).shape[1] for r in (1, 2)], [3, 6])
verify("... as the binomial coefficient says", [comb(2 + r, r) for r in (1, 2)], [3, 6])
conic = monomials(corners, 2)
verify("a conic separates XOR", separating_weights(conic, lamp, bias=False) is not None)
twins = BELL(np.random.default_rng(1).normal(size=(4, 2)), np.zeros((2, 2)))
labels = product([-1, 1], repeat=4)
with_twins = sum(separating_weights(twins, y) is not None for y in labels)
verify("two equal bells: as on a line", with_twins == cover_count(4, 2))

# %% [markdown] key="interpolation" slide="slide"
# ## A bell on every point
#
# Four spots are drawn; on to four hundred. If $n$ hidden functions make every *labelling* of $n$ points, they can make every set of *values*. (Else $a^\top\Phi=0$ for some $a\ne0$, and the labelling by the signs of $a$ could not be made.) So put a bell on each point, and ask for a function that passes through all of them:
#
# $$s(x)=\sum_{i=1}^nw_i\,\varphi(\|x-x_i\|),\qquad s(x_j)=y_j\ \text{ for all }j,$$
#
# $$\text{that is}\qquad\Phi w=y,\qquad\Phi_{ji}=\varphi(\|x_j-x_i\|). \tag{4}$$
#
# That is *interpolation*. It had been done with maps and aeroplanes since the 1970s when Broomhead and Lowe, in 1988, called it a network: inputs, a hidden layer of $n$ units, a linear output. Learning is fitting a surface, and predicting is reading it off between the points. $n$ equations, $n$ unknowns, whatever the dimension of $x$.
#
# <!-- slide
# $n$ hidden functions that make every *labelling* of $n$ points can make any *values*. A bell on each point:
#
# $$s(x)=\sum_{i=1}^nw_i\,\varphi(\|x-x_i\|),\qquad s(x_j)=y_j\ \text{ for all }j$$
#
# $$\Phi w=y,\qquad\Phi_{ji}=\varphi(\|x_j-x_i\|) \tag{4}$$
#
# *Interpolation*: a network of $n$ hidden units, one linear output.
# -->

# %% [markdown] key="interpolation-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask for the argument from labellings to values: if Φ had a null vector a on the left, which labelling could not be made? That of a's own signs, since aᵀΦw = 0 for every w.
#
# </details>

# %% [markdown] key="three-points" slide="subslide"
# **By hand.** $(-1,1),(0,2),(1,1)$ with the *multiquadric* $\varphi(r)=\sqrt{r^2+c^2}$, $c^2=0.5$. Distances 0, 1, 2 give $\sqrt{0.5},\sqrt{1.5},\sqrt{4.5}$, and by symmetry $w_1=w_3$:
#
# $$(\sqrt{0.5}+\sqrt{4.5})\,w_1+\sqrt{1.5}\,w_2=1,\qquad2\sqrt{1.5}\,w_1+\sqrt{0.5}\,w_2=2.$$
#
# Note $\sqrt{4.5}=3\sqrt{0.5}$. **Predict first:** will the middle weight be positive, as the middle value is the largest?

# %% [markdown] key="three-points-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Eliminate on the board: from the second equation w₂ = (2 − 2√1.5 w₁)/√0.5. Then ask what the multiquadric looks like: a bowl, with its lowest point on the data point. A summit is a bowl hung upside down.
#
# </details>

# %% key="three-points-code" slide="skip"
x3 = np.array([[-1.0], [0.0], [1.0]])
y3 = np.array([1.0, 2.0, 1.0])
bowl = Multiquadric(np.sqrt(0.5))
Phi3 = bowl(x3, x3)
w3 = np.linalg.solve(Phi3, y3)  # (4)
verify("through the points", bowl(x3, x3) @ w3, y3)

# %% key="three-points-picture" slide="subslide" hide="input"
seed = RBFInterpolator(bowl).fit(x3, y3)
fine = np.linspace(-1.8, 1.8, 300)[:, None]
fig, ax = plt.subplots(figsize=(7.2, 3.8))
for k, one in enumerate(bowl(fine, x3).T):
    ax.plot(fine, one, **cycle(1 + k), linewidth=1.4, label=f"bowl on the point {x3[k, 0]:g}")
ax.plot(fine, bowl(fine, x3) @ w3, **cycle(0), linewidth=2.4, label="s(x), made of the three")
ax.plot(x3, y3, "o", color="black", markersize=7, zorder=4)
ax.set(xlabel="x", ylabel="y", ylim=(-0.2, 4.6))
ax.legend(loc="upper center", ncols=2, fontsize=9)
show(
    fig,
    alt="Three points, the middle one the highest, and the curve s through them; beside it the "
    "three multiquadrics that it is made of, before they are weighted: bowls that open upwards, "
    "each with its lowest place on a point.",
    answer="The three bowls and their sum",
)

# %% [markdown] key="three-points-reading"
# <details><summary><b>What just happened</b> (open this once you have written down your answer)</summary>
#
# $w=(1.742383,\,-3.207365,\,1.742383)$: the middle bowl hangs upside down, as a summit is no lowest place. Between the points the curve has $s(0.5)=1.620704$. Weights are no heights; only the sum means something.
#
# </details>
#
# <!-- slide
# $w=(1.742383,\,-3.207365,\,1.742383)$: the middle bowl hangs upside down. Weights are no heights.
# -->

# %% key="three-points-verify" slide="skip" hide="input"
a, m, z = np.sqrt([0.5, 1.5, 4.5])
w1 = (a - 2 * m) / (a * (a + z) - 2 * m * m)
verify("by elimination", [w1, (2 - 2 * m * w1) / a], w3[:2])
for value, quoted in zip(w3, ("1.742383", "-3.207365", "1.742383"), strict=True):
    verify("w", value, quoted)
verify("the library's", seed.dual_coef_, w3)
verify("s(0.5)", seed.predict([[0.5]])[0], "1.620704")

# %% [markdown] key="which" slide="slide"
# ## Which bells can be solved?
#
# SYS843 states *Micchelli's theorem* as: if the points are distinct, $\Phi$ is invertible. **For which $\varphi$?**

# %% [markdown] key="which-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask for the theorem's missing hypothesis before the failures are shown: "any φ? the constant? r²?" A likely first find is φ = 0. That is the moment for the right statement.
#
# </details>

# %% [markdown] key="which-two" slide="fragment"
# It does not say. Try two.
#
# - $\varphi(r)=r^2$. $\|x-z\|^2=\|x\|^2-2x^\top z+\|z\|^2$ is a sum of $d+2$ products of something of $x$ and something of $z$. So $\Phi$ has rank $d+2$ at most, however many points there are.
# - The *thin plate*, $\varphi(r)=r^2\ln r$. Take a centre and six points at distance 1 around it. $\ln1=0$, so the centre's row of $\Phi$ is 0.

# %% key="which-code" slide="skip"
points = np.random.default_rng(0).normal(size=(8, 2))
squares = ((points[:, None] - points) ** 2).sum(axis=2)
angle = np.arange(6) * np.pi / 3
hexagon = np.vstack([np.zeros(2), np.column_stack([np.cos(angle), np.sin(angle)])])
print("8 points, r²: rank", np.linalg.matrix_rank(squares))
smallest = np.abs(np.linalg.eigvalsh(ThinPlate(1.0)(hexagon))).min()
print("centre and hexagon, r² ln r: an eigenvalue is 0:", bool(smallest < 1e-12))

# %% key="which-verify" slide="skip" hide="input"
verify("rank 4 of 8", np.linalg.matrix_rank(squares) == 4)
verify("the centre's row is 0", ThinPlate(1.0)(hexagon)[0], 0.0)

# %% [markdown] key="definite" slide="subslide"
# **Step 5. Bells of bells.** Gaussians are strictly positive definite for distinct points (chapter 2). Now mix Gaussians of all widths, with positive weights: that stays so. For $u>0$,
#
# $$\frac1{\sqrt u}=\frac1{\sqrt\pi}\int_0^\infty e^{-tu}\,\frac{dt}{\sqrt t}. \tag{5}$$
#
# Put $u=r^2+c^2$, $c>0$: the *inverse multiquadric* $1/\sqrt{r^2+c^2}$ is such a mixture, with weights $e^{-tc^2}/\sqrt{\pi t}$. So
#
# $$a^\top\Phi a=\int_0^\infty\frac{e^{-tc^2}}{\sqrt{\pi t}}\;\underbrace{\textstyle\sum_{ij}a_ia_je^{-t\|x_i-x_j\|^2}}_{>0\text{ unless }a=0}\;dt>0.$$
#
# This is *Schoenberg's* theorem, one half of it: if $\varphi(\sqrt u)$ is such a mixture, other than a constant (*completely monotone*: positive, falling, convex, and so on for all derivatives), then $\Phi$ of distinct points is **positive definite**, in any dimension.
#
# <!-- slide
# **Step 5. Bells of bells.** Gaussians are strictly positive definite; so is a mixture of them.
#
# $$\frac1{\sqrt u}=\frac1{\sqrt\pi}\int_0^\infty e^{-tu}\,\frac{dt}{\sqrt t} \tag{5}$$
#
# With $u=r^2+c^2$ the *inverse multiquadric* is one. *Schoenberg*: if $\varphi(\sqrt u)$ is *completely monotone* and no constant, then $\Phi$ of distinct points is **positive definite**.
# -->

# %% [markdown] key="definite-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# The integral on trust, the argument on the board: aᵀΦa is an average of numbers that are all positive. Ask why c must be above 0 (the diagonal is 1/c), which the source's "for r > 0" misses.
#
# </details>

# %% [markdown] key="micchelli" slide="subslide"
# **Step 6. The bowl.** Integrate (5) from 0 to $u$, in $u$:
#
# $$\sqrt u=\frac1{2\sqrt\pi}\int_0^\infty\big(1-e^{-tu}\big)\,\frac{dt}{t^{3/2}}.$$
#
# The bells come with a *minus*, and with a constant. Take weights with $\sum_ia_i=0$: the constant drops out, and $a^\top\Phi a<0$ for the multiquadric, unless $a=0$. So the form is negative on a subspace of $n-1$ dimensions, and at least $n-1$ eigenvalues are. But the trace, $nc$, is positive. Hence, for $n\ge2$,
#
# $$\textbf{one positive eigenvalue and }n-1\textbf{ negative ones}:$$
#
# $\Phi$ is invertible, and **not** positive definite. (With $c=0$, a *cone* $\varphi(r)=r$, the trace is 0, and the last eigenvalue is positive all the same.)
#
# (People drew maps with it for fifteen years before anybody could prove that the system has a solution; Franke conjectured the sign of $\det\Phi$ from experience. Which is it?)
#
# That is *Micchelli's theorem* (1986), with its hypothesis: the *derivative* of $\varphi(\sqrt u)$ is completely monotone and no constant, and $\varphi(0)\ge0$.
#
# What SYS843 calls Light's theorem, “$\Phi$ is positive definite”, is true of two of the three functions that it lists, and not of the multiquadric.
#
# <!-- slide
# **Step 6. The bowl.** Integrate (5):
#
# $$\sqrt u=\frac1{2\sqrt\pi}\int_0^\infty\big(1-e^{-tu}\big)\,\frac{dt}{t^{3/2}}$$
#
# With $\sum_ia_i=0$ the constant drops out: $a^\top\Phi a<0$. And the trace is positive:
#
# <div class="fragment">
#
# **one positive eigenvalue, $n-1$ negative ones** (*Micchelli*). Invertible, and *not* positive definite.
#
# </div>
# -->

# %% [markdown] key="micchelli-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Before the click: how many eigenvalues are negative? The subspace gives n − 1 at least; let them find what the last must be.
#
# </details>

# %% key="micchelli-verify" slide="skip" hide="input"
for u in (0.3, 2.0, 7.0):
    down = quad(lambda t, u=u: np.exp(-t * u) / np.sqrt(np.pi * t), 0, np.inf)[0]
    up = quad(lambda t, u=u: (1 - np.exp(-t * u)) / (2 * np.sqrt(np.pi) * t**1.5), 0, np.inf)[0]
    verify(f"u = {u}: the mixtures are 1/√u and √u", [down, up], [u**-0.5, u**0.5], tol=1e-7)
thirty = np.random.default_rng(0).normal(size=(30, 2))
signs = np.sign(np.linalg.eigvalsh(Multiquadric(1.0)(thirty)))
verify("multiquadric: 1 positive, 29 negative", [np.sum(signs > 0), np.sum(signs < 0)], [1, 29])
signs = np.sign(np.linalg.eigvalsh(np.sqrt(((thirty[:, None] - thirty) ** 2).sum(axis=2))))
verify("... and so the cone", [np.sum(signs > 0), np.sum(signs < 0)], [1, 29])
for kernel in (Gaussian(0.3), InverseMultiquadric(0.3)):
    verify(f"{kernel}: all positive", np.all(np.linalg.eigvalsh(kernel(thirty)) > 0))
values = np.linalg.eigvalsh(Multiquadric(np.sqrt(0.5))(x3))
verify("the three points: -√2 is one of them", values[0], -np.sqrt(2))
verify("another", values[1], "-0.263243")
verify("the positive one", values[2], "3.798777")

# %% [markdown] key="plates" slide="subslide"
# **Step 7. And the thin plate?** There $\varphi(\sqrt u)=\frac12u\ln u$, and it takes *two* derivatives to be completely monotone: $\frac1{2u}$. So its $a^\top\Phi a$ is positive for weights, not all 0, that sum *every linear polynomial* to 0 (Micchelli, 1986; not proved here). Add the polynomial, then, and ask for those sums in return:
#
# $$\begin{bmatrix}\Phi&P\\P^\top&0\end{bmatrix}\begin{bmatrix}w\\\beta\end{bmatrix}=\begin{bmatrix}y\\0\end{bmatrix}, \tag{6}$$
#
# $$s(x)=\sum_iw_i\varphi(\|x-x_i\|)+\beta_0+\beta_1x_1+\dots+\beta_dx_d.$$
#
# It has one solution if the points are distinct and do not lie on one line (in the plane; in general: if they determine the polynomial). In two dimensions $w^\top\Phi w$ is, up to a factor, the energy of a bent metal sheet, and $s$ the sheet that bends least (Duchon, 1977). A plane bends nowhere, costs nothing, and comes out exactly.
#
# | basis | $\varphi(r)$ | $\Phi$ of distinct points | polynomial needed |
# |---|---|---|---|
# | Gaussian | $e^{-r^2/(2\sigma^2)}$ | positive definite | none |
# | inverse multiquadric | $1/\sqrt{r^2+c^2}$ | positive definite | none |
# | multiquadric | $\sqrt{r^2+c^2}$ | invertible, signs $1,\,n-1$ | none to solve, a constant to be definite |
# | thin plate | $r^2\ln r$ | may be singular | linear |
#
# <!-- slide
# **Step 7.** A polynomial for the thin plate, and sums that vanish in return:
#
# $$\begin{bmatrix}\Phi&P\\P^\top&0\end{bmatrix}\begin{bmatrix}w\\\beta\end{bmatrix}=\begin{bmatrix}y\\0\end{bmatrix} \tag{6}$$
#
# | basis | $\Phi$ of distinct points | polynomial |
# |---|---|---|
# | Gaussian, inverse multiquadric | positive definite | none |
# | multiquadric $\sqrt{r^2+c^2}$ | signs $1,\,n-1$ | none, or a constant |
# | thin plate $r^2\ln r$ | may be singular | linear |
# -->

# %% [markdown] key="plates-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask what the zeros in the corner of (6) say: the weights must not be able to make a plane. Then why a plane comes out exactly: w = 0 and β do it, and the solution is the only one.
#
# </details>

# %% key="plates-code" slide="subslide"
def system(kernel, degree, X, lam=0.0):
    """The matrix of (6), with λ on the diagonal of Φ."""
    Phi = kernel(X, X) + lam * np.eye(len(X))
    P = monomials(X, degree)
    q = P.shape[1]
    return np.block([[Phi, P], [P.T, np.zeros((q, q))]])


plate, heights = ThinPlate(1.0), np.arange(7.0)  # of the hexagon
right = np.append(heights, np.zeros(3))
solution = np.linalg.solve(system(plate, 1, hexagon), right)
w, beta = solution[:7], solution[7:]
through = plate(hexagon) @ w + monomials(hexagon, 1) @ beta
verify("through the seven", through, heights)

# %% key="plates-verify" slide="skip" hide="input"
ours = RBFInterpolator(plate).fit(hexagon, heights)
verify("the library's weights", ours.dual_coef_, w)
tilted = 3 + points @ [2.0, -1.0]
flat = RBFInterpolator(ThinPlate(1.0)).fit(points, tilted)
verify("a plane comes out exactly, and nothing bends", flat.dual_coef_, 0.0)
across = null_space(np.column_stack([np.ones(8), points]).T)
bent = np.linalg.eigvalsh(across.T @ ThinPlate(1.0)(points) @ across)
verify("positive on weights that sum linear polynomials to 0", np.all(bent > 0))
balanced = null_space(np.ones((1, 30)))
form = np.linalg.eigvalsh(balanced.T @ Multiquadric(1.0)(thirty) @ balanced)
verify("multiquadric: negative on weights that sum to 0", np.all(form < 0))

# %% [markdown] key="digits" slide="slide"
# ## What the digits cost
#
# Invertible is not the same as solvable with sixteen digits. The *condition number* $\kappa=\max|\mu_i|/\min|\mu_i|$ of the eigenvalues says by how much a relative error may grow on the way from $y$ to $w$: about $\log_{10}\kappa$ digits are lost.
#
# Fifteen values of a smooth function, a bell on each. **Predict first.**
#
# 1. Make the bells wider. Is the curve better or worse *between* the points?
# 2. What happens to $\kappa$ meanwhile? Where is the end?
# 3. Which of the five bases have negative eigenvalues, and how many?

# %% [markdown] key="digits-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Numbers hidden first. Wider is better, until rounding takes over; ask where, before the slider gets there. The source writes that "one wants" to solve near-singular systems; ask who wants that. One wants wide bells, and puts up with it.
#
# </details>

# %% key="digits-figure" hide="input"
x15 = np.linspace(-1, 1, 15)[:, None]


def smooth(x):
    return np.sin(3 * np.ravel(x)) + 0.5 * np.cos(7 * np.ravel(x))


BASES = {
    "Gaussian": Gaussian,
    "inverse multiquadric": InverseMultiquadric,
    "multiquadric": Multiquadric,
    "thin plate": ThinPlate,
    "r²": lambda c: lambda X, Z: ((X[:, None] - Z) ** 2).sum(axis=2) / c**2,
}


def solved_15(name, c, line):
    kernel = BASES[name](c)
    Phi = kernel(x15, x15)
    w = np.linalg.lstsq(Phi, smooth(x15), rcond=1e-15)[0]
    return kernel(line[:, None], x15) @ w, np.linalg.eigvalsh(Phi)


menu = basis_explorer(x15[:, 0], smooth(x15), smooth, tuple(BASES), solved_15)

# %% [markdown] key="digits-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# 1. Narrow bells are easy to solve for, and useless: each serves its own point, and the curve falls back to 0 in between. (A narrow multiquadric does not: it is a cone, the curve nearly a polygon.) Wide bells reach across the gaps and reproduce a smooth function to many digits, *because* they are nearly alike.
# 2. And because they are nearly alike, $\Phi$ is nearly singular. Beyond $10^{15}$ some eigenvalues have no digit left. The explorer drops those directions, and the widest Gaussians miss the truth by 0.2; who solves on regardless may do worse (step 8).
# 3. Gaussian and inverse multiquadric have positive eigenvalues only, the multiquadric exactly one; the thin plate, which needs a polynomial to be definite, one or two negative ones, depending on the unit of length; $r^2$ has three that are not rounding, and no curve through the points.
#
# </details>
#
# <!-- slide
# <details><summary><b>What just happened</b></summary>
#
# 1. **Narrow** bells are easy to solve for, and useless, but for the multiquadric, which draws a polygon. **Wide** bells reach across the gaps, *because* they are nearly alike;
# 2. and so $\Phi$ is nearly singular. Beyond $10^{15}$ signs are accidents of the last digit.
# 3. Gaussian and inverse multiquadric, all positive; multiquadric, exactly one; thin plate, one or two negative; $r^2$, three that are not rounding.
#
# </details>
# -->

# %% [markdown] key="trade" slide="subslide"
# **Step 8. Accuracy or digits.** Both, over the width: the largest error between the points, and $\kappa$. **Predict first:** is the curve best where $\kappa$ is small, in between, or where hardly a digit of $w$ is left?

# %% [markdown] key="trade-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Have both curves drawn on one axis before the click. Ask what is lost with the digits of w: the weights, or the curve?
#
# </details>

# %% key="trade-picture" slide="subslide" hide="input"
widths = np.logspace(-1.5, 0.5, 41)
between = np.linspace(-1, 1, 401)[:, None]
plotted = {}
fig, axes = plt.subplots(1, 2, figsize=(9.6, 3.9))
for k, name in enumerate(("Gaussian", "inverse multiquadric", "multiquadric")):
    errors, conditions = [], []
    for c in widths:
        Phi = BASES[name](c)(x15)
        w = np.linalg.solve(Phi, smooth(x15))
        errors.append(np.abs(BASES[name](c)(between, x15) @ w - smooth(between)).max())
        conditions.append(min(np.linalg.cond(Phi), 1e17))
    plotted[name] = np.array(errors), np.array(conditions)
    axes[0].plot(widths, errors, **cycle(k), label=name)
    axes[1].plot(widths, conditions, **cycle(k), label=name)
axes[0].set(ylabel="largest error between the points", ylim=(1e-6, 1e3))
axes[1].set(ylabel="condition number, up to 10¹⁷", ylim=(1, 1e18))
axes[1].axhline(1 / np.finfo(float).eps, color="#777777", linestyle=":")
axes[1].text(0.034, 1e16, "all digits of w lost", color="#555555", va="bottom", fontsize=9)
for ax in axes:
    ax.set(xscale="log", yscale="log", xlabel="width σ or c")
axes[0].legend(loc="upper right", fontsize=9)
show(
    fig,
    alt="Two panels over the width. Left, the largest error between the points falls by several "
    "powers of ten as the bells become wider, and then rises again in jumps. Right, the "
    "condition number climbs all the while, across the line where all digits of w are lost, and "
    "is cut off at 10¹⁷.",
    answer="Error and condition, over the width",
)

# %% [markdown] key="trade-reading"
# <details><summary><b>Where the curve is best</b> (open this once you have written down your answer)</summary>
#
# On the whole, not at every width, error and condition move against each other until the error is least; for the Gaussian that is where rounding takes over. Schaback's *uncertainty relation* says that this belongs to the basis: among bells on the same points, who is accurate for smooth functions is badly conditioned. What is lost is $w$, not the curve. At $\sigma=0.6$, where the Gaussian is best and hardly a digit of its weights is left, noise of a millionth in $y$ moves them here by tens of millions, and the curve by some hundred-thousandths: many weights make nearly the same curve.
#
# </details>
#
# <!-- slide
# On the whole error and condition move against each other. **Where the Gaussian is best, hardly a digit of $w$ is left**: lost are the weights, not the curve.
# -->

# %% [markdown] key="flat" slide="skip"
# **The flat limit.** What lies beyond, if digits cost nothing? On a line, Gaussians that grow ever wider tend to the *polynomial* through all points (Driscoll and Fornberg, 2002), and there are ways to it without the loss (Contour-Padé, or RBF-QR, another basis of the same space): the ill condition is that of the bells, not of the surface they make. Nor is flatter always better: through our fifteen points that polynomial errs by 0.0008, more than fifty times as much as the best Gaussian.

# %% key="trade-verify" slide="skip" hide="input"
gauss_error, gauss_condition = plotted["Gaussian"]
wide = np.argmin(gauss_error)
verify("the best Gaussian is wide: errors below 1e-4", gauss_error[wide] < 1e-4)
verify("where it is best, hardly a digit of w is left", gauss_condition[wide] > 1e14)
verify("... near σ = 0.6", 0.5 < widths[wide] < 0.7)
bells = Gaussian(0.6)
noisy = np.random.default_rng(0).normal(size=(15, 5)) * 1e-6
moved = np.linalg.solve(bells(x15), smooth(x15)[:, None] + noisy)
moved -= np.linalg.solve(bells(x15), smooth(x15))[:, None]
far = np.median(np.abs(moved).max(axis=0))  # of five draws
verify("noise of 1e-6 moves w by tens of millions, mostly", 1e7 < far < 1e8)
shaken = np.median(np.abs(bells(between, x15) @ moved).max(axis=0))
verify("... and the curve by some hundred-thousandths, mostly", 1e-5 < shaken < 1e-4)
widest = solved_15("Gaussian", 0.04 * 10**1.8, between[:, 0])[0]
verify("the widest bells, rounding dropped", np.abs(widest - smooth(between)).max(), "0.2")
polynomial = BarycentricInterpolator(x15[:, 0], smooth(x15))(between[:, 0])
verify("the polynomial errs by", np.abs(polynomial - smooth(between)).max(), "0.0008")
verify("... many times more", np.abs(polynomial - smooth(between)).max() > 50 * gauss_error[wide])
five, limit = x15[[0, 3, 7, 11, 14]], []
through_five = BarycentricInterpolator(five[:, 0], smooth(five))(between[:, 0])
for sigma in (5.0, 10.0):
    curve = Gaussian(sigma)(between, five) @ np.linalg.solve(Gaussian(sigma)(five), smooth(five))
    limit.append(np.abs(curve - through_five).max())
verify("five points: σ twice as wide, a quarter of the way left", limit[0] / limit[1], 4, tol=0.05)
nine = [solved_15(name, 0.1, between[:, 0])[1] for name in BASES]
counts = [(np.sum(v > 1e-12), np.sum(v < -1e-12)) for v in nine]
verify("15 positive, and twice so", counts[0] == counts[1] == (15, 0))
verify("the multiquadric: 1 and 14", counts[2] == (1, 14))
plates = [np.linalg.eigvalsh(ThinPlate(c)(x15)) for c in (0.1, 2.5)]
verify("the thin plate: two negative, or one", [np.sum(v < 0) for v in plates], [2, 1])
verify("r²: three", sum(np.abs(nine[4]) > 1e-12 * np.abs(nine[4]).max()) == 3)

# %% [markdown] key="heights" slide="slide"
# ## Which map?
#
# The multiquadric was made for maps: in 1971 Rolland Hardy hung a bowl on each of his spot heights. Ours come from a grid among matplotlib's sample data, so the truth is known. Each basis needs a width, and nobody may look at the mountains to choose it.
#
# <!-- slide
# Hardy, 1971: a bowl on each spot height.
# -->

# %% [markdown] key="left-out"
# **Step 9. Choose the width without looking.** Leave each spot out in turn, predict it from the others. That needs no 400 solutions. Write (6) as $A^{-1}$ applied to the data. Replace the one value $y_i$ by what the *other* spots predict there: then the interpolant through the others passes through it already, and $w_i$ becomes 0. But $w_i$ changes by $(A^{-1})_{ii}$ times the change of $y_i$. So the left-out error is
#
# $$e_i=\frac{w_i}{(A^{-1})_{ii}}, \tag{7}$$
#
# which is chapter 3's formula (13) with $\lambda=0$. It asks that $(A^{-1})_{ii}\ne0$: that the other spots have an interpolant of their own.
#
# <!-- slide
# **Step 9. Choose the width without looking.** Replace $y_i$ by what the *others* predict there: $w_i$ becomes 0. But $w_i$ changes by $(A^{-1})_{ii}$ times the change of $y_i$. So the left-out error is
#
# $$e_i=\frac{w_i}{(A^{-1})_{ii}} \tag{7}$$
# -->

# %% [markdown] key="left-out-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask which formula of chapter 3 this is: (13), with λ = 0. The step worth a pause: an interpolant through the others that happens to pass through the i-th point as well needs no bell there.
#
# </details>

# %% key="left-out-code" slide="subslide"
def left_out(kernel, degree, X, y, lam=0.0):
    """Errors (7) of the surface through all spots, or with λ near them."""
    n = len(y)
    inverse = np.linalg.inv(system(kernel, degree, X, lam))[:n, :n]
    return inverse @ y / np.diag(inverse)


def rms(error):
    return np.sqrt(np.mean(error**2))


widths = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0)
promised = [rms(left_out(InverseMultiquadric(c), 0, X, y)) for c in widths]
print("inverse multiquadric: c =", widths[np.argmin(promised)], "km")

# %% key="left-out-verify" slide="skip" hide="input"
by_hand = [
    y[i]
    - RBFInterpolator(Multiquadric(0.1), degree=0)
    .fit(np.delete(X, i, 0), np.delete(y, i))
    .predict(X[i : i + 1])[0]
    for i in range(5)
]
verify("(7) is the error of leaving out", left_out(Multiquadric(0.1), 0, X, y)[:5], by_hand, 1e-7)

# %% key="heights-table" slide="subslide" hide="input"
surveys = measured("ch07a_surveys", "ahead", "ahead-inverse", "plane-ahead")
surveys |= measured("ch07a_surveys", "plane-behind", "plane-behind-inverse", "plane-behind-cone")
surveys |= measured("ch07a_surveys", "natural-ahead", "natural-behind")
rows = {"nearest spot": "nearest spot", "mean of all by 1/distance²": "mean by 1/distance²"}
for what in ("mean", "plane"):
    rows[f"{what} of k nearest by 1/distanceᵖ"] = f"{what} by 1/distanceᵖ"
rows |= {name: name for name in ("triangles", "natural neighbours", "thin plate")}
rows["cone r"] = "cone"
for name in ("Gaussian", "inverse multiquadric", "multiquadric"):
    rows[f"{name}, left-out width"] = name
table(
    "Root mean square error (m) in twenty surveys of 400 spots",
    {"method": "", "mean": ".0f", "least": ".0f", "most": ".0f"},
    {
        name: (surveys[column].mean(), surveys[column].min(), surveys[column].max())
        for name, column in rows.items()
    },
    best={"mean": "least"},
)

# %% [markdown] key="heights-reading" slide="subslide"
# The heights have a standard deviation of 162 m, and the best map leaves 78 of it. Both multiquadrics are ahead of the triangles on each of the twenty surveys. (They share the land: of other mountains this says nothing.)
#
# **What does the surveyor's rule of thumb leave?** A mean of all spots by 1/distance² errs by 92 m. But nobody tuned it. Let the left-out errors choose its neighbours and its power, as they choose widths: 81. A plane through the near spots, weighed alike and with a price on its slopes, has 80, and is ahead of the triangles on 19 of the twenty. The bells lead that plane by 2 m: the inverse multiquadric and the cone on each of the twenty surveys, the multiquadric on 18. *Natural neighbours* (Sibson, 1981), a mean of the spots from which a new place takes area, weighed by that area, has nothing to choose and solves no system. It errs by 79, ahead of the plane on 19 of the twenty, and behind the cone by half a metre, on 15. That is all that the best bells are ahead here.
#
# <!-- slide
# Tuned as the bells are, a rule of thumb errs by 81 m, not 92; a plane through near spots by 80; *natural neighbours*, with nothing to choose, by 79. The best bells: 78.
# -->

# %% [markdown] key="heights-chosen" slide="fragment"
# **What has (7) chosen?** For the multiquadric, on ten of the twenty surveys, the sharpest bowl that it was offered, $c=0.01$ km. That is a cone but for its tip, and the cone, which has no width to choose, errs by no more.
#
# And the Gaussian, whose width was chosen with the same care, is no better than the nearest spot.
#
# **Bet:** do mountains need a basis that permits *roughness*, which a Gaussian forbids? Or has its *one width two tasks*, to reach across the gaps and to draw the detail? What would you change to find out?
#
# <!-- slide
# For the multiquadric (7) chose, on ten of twenty surveys, the sharpest bowl offered. A *cone* has no width, and errs by no more. The Gaussian, with the same care, is no better than the nearest spot.
#
# **Bet:** does it lack *roughness*, or has its *one width two tasks*, reach and detail? What would you change to find out?
# -->

# %% [markdown] key="cause-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Have both defended, then ask for the experiment that changes one thing alone. The first table changes reach, the second the tail, then the tip. A likely answer is "a rougher bell"; but that changes what a long width may do as well. A second Gaussian changes the reach alone: the sum of two is as smooth as one.
#
# </details>

# %% [markdown] key="cause" slide="subslide"
# **Change the reach alone.** Add a wide Gaussian to the narrow one: their sum is as smooth as each. How wide (3, 5 or 8 km) and how high (1, 4 or 16 bells), (7) chooses together with the bell's own width. And take some reach from a bell that has it: $(1+r^2/c^2)^{-3/2}$ charges for high frequencies $\omega$ as the inverse multiquadric does at the same $c$, $e^{c\omega}$ but for a power of $\omega$, and forgets sooner.
#
# <!-- slide
# **Change the reach alone.** A second, wide Gaussian, chosen by (7): the sum is as smooth as one. And $(1+r^2/c^2)^{-3/2}$, an inverse multiquadric with a shorter tail.
# -->

# %% key="cause-table" slide="fragment" hide="input"
surveys = measured("ch07a_surveys", "second-length", "one-rough-length", "short-tail")
surveys |= measured("ch07a_surveys", "one-long-tail")


def of_bells(title, bells):
    table(
        title,
        {"bell": "", "mean error (m)": ".1f", "its width (km)": ".1f"},
        {
            name: (surveys[column].mean(), np.median(surveys[f"width of {column}"]))
            for name, column in bells.items()
        },
    )


reach = {name: name for name in ("Gaussian", "Gaussian and a wide one", "inverse multiquadric")}
of_bells(
    "Reach: error in twenty surveys, and the median of the widths that (7) chose",
    reach | {"the same with a shorter tail": "short tail"},
)

# %% [markdown] key="cause-reading" slide="fragment"
# **One width had two tasks.** Given a second length, the Gaussian errs by 80 m instead of 97, by less on each of the twenty surveys, and its own width shrinks. The inverse multiquadric has its second length in its tail. With less of it, it chooses twice the $c$, and even so it errs by 4 m more, on each of the twenty.
#
# Is a second length the *only* way? **Keep a single length scale**, and change the tail first, then the tip. $1/\cosh(r/\sigma)$ has all derivatives, as a Gaussian has, and falls like $e^{-r/\sigma}$. $(1-r/s)_+^2$ is 0 beyond $s$, and has a cusp at $r=0$. The Laplacian $e^{-r/\sigma}$ has both.
#
# <!-- slide
# **One width had two tasks:** 97 m become 80. The *only* way? **Keep one length**, and change tail and tip.
# -->

# %% key="rough-table" slide="subslide" hide="input"
rough = {
    "Gaussian": "Gaussian",
    "smooth, a longer tail: 1/cosh(r/σ)": "smooth and long",
    "a cusp, no tail: (1 − r/s)²₊": "cusp alone",
    "both: Laplacian": "Laplacian",
    "Laplacian and a wide Gaussian": "Laplacian and a wide Gaussian",
    "between: Matérn 3/2": "Matérn",
    "Matérn 3/2 and a wide Gaussian": "Matérn and a wide Gaussian",
}
of_bells("One length: the same surveys", rough)

# %% [markdown] key="rough-reading" slide="fragment"
# **A longer tail is another way.** With one length it errs by 84 m, on each survey by less than the Gaussian. (It is not the tail alone that differs: this bell charges $e^{\pi\sigma\omega/2}$ for high frequencies, but for a power of $\omega$, where a Gaussian charges $e^{\sigma^2\omega^2/2}$.)
#
# **So is a cusp.** It draws the detail at any width, and leaves the width to reach. It errs by 78 m, on each of the twenty by less than the Gaussian. The Laplacian has a cusp and a tail, and 78 as well; a wide Gaussian beside it wins nothing.
#
# Matérn 3/2 is rougher than a Gaussian, without a cusp, and has a longer tail. It errs by 81 m; three hundred surveys put it 1.1 m behind the two Gaussians, which had 72 settings to choose from where it had eight. With a wide Gaussian beside it it has 78, too.
#
# <!-- slide
# A longer tail on a smooth bell: 84 m. A cusp without any tail: 78, as the Laplacian, which has both and gains nothing from a wide Gaussian.
# -->

# %% key="heights-verify" slide="skip" hide="input"
verify("standard deviation (m)", land.y.std(), "162")
mean_of = {name: values.mean() for name, values in surveys.items()}
for name in ("multiquadric", "inverse multiquadric"):
    verify(f"{name} (m)", mean_of[name], "78")
for name in ("multiquadric", "inverse multiquadric", "cone"):
    lead = mean_of["plane by 1/distanceᵖ"] - mean_of[name]
    verify(f"{name}: ahead of a plane (m)", lead, "2")
verify("the rule of thumb (m)", mean_of["mean by 1/distance²"], "92")
verify("... tuned (m)", mean_of["mean by 1/distanceᵖ"], "81")
verify("a plane through near spots (m)", mean_of["plane by 1/distanceᵖ"], "80")
verify("natural neighbours (m)", mean_of["natural neighbours"], "79")
best_four = ("multiquadric", "inverse multiquadric", "Laplacian", "cone")
leads = [mean_of["natural neighbours"] - mean_of[name] for name in best_four]
verify("the best bells are ahead of them by (m)", np.round([min(leads), max(leads)], 1), [0.4, 0.8])
verify("the cone: half a metre ahead", 0.4 < leads[3] < 0.8)
verify("c = 0.01, the sharpest offered, on", np.sum(surveys["width of multiquadric"] == 0.01), "10")
blunt = surveys["multiquadric"] - surveys["cone"]
verify("the cone errs by no more", abs(blunt.mean()) < 2 * blunt.std(ddof=1) / 20**0.5)
verify("the Gaussian alone", mean_of["Gaussian"], "97")
verify("... with a wide one", mean_of["Gaussian and a wide one"], "80")
verify("the Laplacian", mean_of["Laplacian"], "78")
verify("a cusp without a tail", mean_of["cusp alone"], "78")
verify("a tail without a cusp", mean_of["smooth and long"], "84")
verify("Matérn 3/2", mean_of["Matérn"], "81")
many = measured("ch07a_rougher", "two-lengths")
apart = many["Matérn"] - many["two Gaussians"]
verify("... behind two (m)", apart.mean(), "1.1")
verify("... and with a wide Gaussian (m)", mean_of["Matérn and a wide Gaussian"], "78")
gained = surveys["Laplacian"] - surveys["Laplacian and a wide Gaussian"]
verify("a wide Gaussian wins it nothing", gained.mean() < 2 * gained.std(ddof=1) / 20**0.5)
verify("... beside the nearest spot", abs(mean_of["nearest spot"] - mean_of["Gaussian"]) < 2)
verify("nearest spot (m)", mean_of["nearest spot"], "96")
verify("a shorter tail costs (m)", mean_of["short tail"] - mean_of["inverse multiquadric"], "4")
beside = {what: surveys[f"{what} beside Gaussian and a wide one"] for what in ("height", "km")}
verify("the wide one's height is one of three", np.isin(beside["height"], (1, 4, 16)).all())
verify("... and its width", np.isin(beside["km"], (3, 5, 8)).all())
shrunk = surveys["width of Gaussian and a wide one"] < surveys["width of Gaussian"]
verify("its own width shrinks, in all twenty", shrunk.all())
for name in ("inverse multiquadric", "Gaussian"):
    verify(f"{name}: 0.8 km in the table, too", surveys[f"width of {name}"][0], 0.8)

# %% key="maps-picture" slide="subslide" hide="input"
def surface(kernel, at):
    return RBFInterpolator(kernel, degree=0).fit(X, y).predict(at)


EXTENT = (0, land.X[:, 0].max(), 0, land.X[:, 1].max())
every = land.X.reshape(344, 403, 2)[::4, ::4]
at = every.reshape(-1, 2)
maps = {
    "the truth": land.y.reshape(344, 403)[::4, ::4].ravel(),
    "inverse multiquadric": surface(InverseMultiquadric(0.8), at),
    "Gaussian, 0.8 km": surface(Gaussian(0.8), at),
    "Gaussian, 2 km": surface(Gaussian(2.0), at),
}
fig, axes = plt.subplots(1, 4, figsize=(11, 4.6), sharey=True, layout="compressed")
for ax, (name, height) in zip(axes, maps.items(), strict=True):
    image = draw_map(ax, height.reshape(every.shape[:2]), EXTENT)
    ax.set(title=name, xlabel="east (km)")
axes[0].set_ylabel("north (km)")
fig.colorbar(image, ax=axes, label="height (m)", location="bottom", shrink=0.5, aspect=40)
show(
    fig,
    alt="Four grey maps of the same land. The truth has high hills with branching valleys in the "
    "west and a dark plain in the east. The inverse multiquadric has rounded hills and an even "
    "plain, and no valleys. The Gaussian of 0.8 km has the hills, and for a plain dark blots on a "
    "lighter grey. That of 2 km has nothing of the land: black and white blots all over, where it "
    "leaves the scale.",
)

# %% [markdown] key="maps-reading"
# Look at the plain in the east. At 0.8 km, the width that (7) chose, the Gaussian draws a dark blot about each spot and turns back to its constant in the gaps (here, where no spot is within 1 km, 104 m too high on average, the inverse multiquadric 33); at 2 km it reaches across them, and swings. There are the two tasks. The inverse multiquadric does both, but for the valleys that no spot has seen: an interpolant knows what its points know. And all four maps go through the same four hundred heights.
#
# <!-- slide
# Look at the plain: at 0.8 km, which (7) chose, a blot about each spot; at 2 km it reaches across the gaps, and swings. **Two tasks.** All four maps go through the same four hundred heights.
# -->

# %% [markdown] key="maps-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Cover the sentence: where do the second map and the third differ, and which of the four go through all four hundred heights? (All of them.)
#
# </details>

# %% [markdown] key="next" slide="subslide"
# **Where would you send the surveyor next?** For a positive definite $\varphi$ chapter 3's space knows. There $f(x)=\langle f,\varphi(\|\cdot-x\|)\rangle$, and the interpolant is $s(x)=\sum_iu_i(x)f(x_i)$ with $u=\Phi^{-1}k$, $k_i=\varphi(\|x-x_i\|)$. Subtract, and use Cauchy–Schwarz:
#
# $$|f(x)-s(x)|=\Big|\Big\langle f,\ \varphi(\|\cdot-x\|)-\sum_iu_i\,\varphi(\|\cdot-x_i\|)\Big\rangle\Big|\le\|f\|\,P(x),\qquad P(x)^2=\varphi(0)-k^\top\Phi^{-1}k.$$
#
# $P$ is the *power function*: how badly *any* $f$ of norm 1 may be missed at $x$. (Chapter 4's standard deviation, without noise.) No height is in it. **Bet:** 300 spots are measured and 100 more may be: at random; each where $P$ is largest; or each as far as possible from all spots so far, without any theory?
#
# <!-- slide
# **Where next?** $f(x)=\langle f,\varphi(\|\cdot-x\|)\rangle$, and $s(x)=\sum_iu_if(x_i)$ with $u=\Phi^{-1}k$, $k_i=\varphi(\|x-x_i\|)$. So
#
# $$|f(x)-s(x)|\le\|f\|\,P(x),\qquad P(x)^2=\varphi(0)-k^\top\Phi^{-1}k$$
#
# the *power function*. After 300 spots, 100 more: at random, where $P$ is largest, or furthest from all spots? **Bet: what will each be worth?**
# -->

# %% [markdown] key="next-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Square the norm of the difference on the board: φ(0) − 2uᵀk + uᵀΦu, and u = Φ⁻¹k. Ask what is missing in P: the heights. A flat plain gets as many new spots as the gullies.
#
# </details>

# %% [markdown] key="next-choice" slide="subslide"
# **The greedy choice, in the open.** $\varphi$ is the inverse multiquadric of 0.8 km, and $P$ is taken without the constant that the surfaces have. Here are the first 25 spots after 300, from a grid; in the measured surveys 100 are chosen, from some four thousand random places.

# %% key="next-code"
phi, visited = InverseMultiquadric(0.8), X[:300]
sites = land.X.reshape(344, 403, 2)[::10, ::10].reshape(-1, 2)
for _ in range(25):
    u = np.linalg.solve(phi(visited), phi(visited, sites))
    P2 = phi.diag(sites) - (u * phi(visited, sites)).sum(axis=0)
    visited = np.vstack([visited, sites[P2.argmax()]])

# %% key="next-picture" slide="subslide" hide="input"
def power(visited):
    u = np.linalg.solve(phi(visited), phi(visited, at))
    P2 = phi.diag(at) - (u * phi(visited, at)).sum(axis=0)
    return np.sqrt(np.maximum(P2, 0))


chosen, P_before = visited[300:], power(X[:300])
fig, axes = plt.subplots(1, 2, figsize=(9.6, 4.9), sharey=True, layout="compressed")
titles = ("300 spots, at random", "and 25 where P is largest")
for ax, P, title in zip(axes, (P_before, power(visited)), titles, strict=True):
    how = {"vmin": 0.3, "vmax": 1.1, "cmap": ListedColormap(["1.0", "0.85", "0.65", "0.4"])}
    image = draw_map(ax, P.reshape(every.shape[:2]), EXTENT, **how)
    ax.plot(*X[:300].T, ".", color="black", markersize=3)
    ax.set(title=title, xlabel="east (km)")
axes[1].plot(*chosen.T, "^", color="black", markerfacecolor="white", markersize=8, clip_on=False)
axes[0].set_ylabel("north (km)")
fig.colorbar(image, ax=axes, label="power function P", shrink=0.7)
show(
    fig,
    alt="Two grey maps of the power function, darker where it is larger. Left, 300 dots: bright "
    "around each, dark in the gaps between them and along the rim. Right, 25 white triangles "
    "more, most of them at the rim, each in a gap, and the darkest patches are gone.",
)

# %% [markdown] key="next-picture-reading"
# $P$ is large in the gaps and along the rim; 16 of the 25 go there, within a kilometre of it. It follows the distance to the nearest spot closely: their correlation here is 0.90.

# %% key="next-table" slide="subslide" hide="input"
more = measured("ch07a_next", "next", "furthest")
table(
    "Error of inverse multiquadrics (m), sixty surveys",
    {"100 more spots": "", "mean": ".1f", "least": ".1f", "most": ".1f"},
    {name: (values.mean(), values.min(), values.max()) for name, values in more.items()},
)

# %% [markdown] key="next-reading" slide="fragment"
# On 59 of sixty surveys the power function's hundred beat a random hundred. But the furthest spots do as well or better, on 37 of the sixty and by 0.4 m on average: $P$ knows how far off the spots are, not how wild the land is.

# %% key="next-verify" slide="skip" hide="input"
nearest = np.sqrt(((at[:, None] - X) ** 2).sum(axis=2)).min(axis=1)
gaps = (at[:, 0] > 20) & (maps["the truth"] < 400) & (nearest > 1)  # of the plain
too_high = {name: np.mean((height - maps["the truth"])[gaps]) for name, height in maps.items()}
verify("in the gaps of the plain, too high (m)", too_high["Gaussian, 0.8 km"], "104")
verify("... the inverse multiquadric", too_high["inverse multiquadric"], "33")
ahead = more["power function"] - more["furthest from all spots"]
verify("the furthest: better by (m)", ahead.mean(), "0.4")
verify("... on", np.sum(ahead > 0), "37")
rim = np.minimum(chosen, land.X.max(axis=0) - chosen).min(axis=1)
verify("of 25, within a kilometre of the rim", np.sum(rim < 1), "16")
far = np.sqrt(((at[:, None] - X[:300]) ** 2).sum(axis=2)).min(axis=1)
together = np.corrcoef(P_before, far)[0, 1]
verify("P and the distance to the nearest spot", together, "0.90")
phi, bump = InverseMultiquadric(0.8), np.array([[16.0, 15.0]])
u = np.linalg.solve(phi(X), phi(X, bump))[:, 0]
P2 = phi(bump)[0, 0] - phi(bump, X)[0] @ u
verify("P² is the squared norm", P2, phi(bump)[0, 0] - 2 * phi(bump, X)[0] @ u + u @ phi(X) @ u)
made = np.random.default_rng(0).normal(size=10)  # an f of the space: ten bells somewhere
T10 = X[:10] + 0.3
f_norm = np.sqrt(made @ phi(T10) @ made)
miss = phi(bump, T10)[0] @ made - u @ (phi(X, T10) @ made)
verify("the bound holds", abs(miss) <= f_norm * np.sqrt(P2))

# %% [markdown] key="near" slide="slide"
# ## Near, not through
#
# The Gaussian of 2 km draws blots because it must pass *through* every spot. Let the same bells pass *near* them, with $\lambda$ on the diagonal of $\Phi$: in the argument for (7) nothing changes, and so its left-out errors choose $\lambda$, too.
#
# **Predict first:** which $\lambda$ will they choose, and how far is that from the best?

# %% [markdown] key="near-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask which of the two columns to come the surveyor may see; and with φ(0) = 1, what λ = 10 says.
#
# </details>

# %% key="near-code" slide="skip"
wide, prices = Gaussian(2.0), (0, 0.01, 0.1, 0.3, 1, 10)
promised, found = [], []
for lam in prices:
    promised.append(rms(left_out(wide, 0, X, y, lam)))
    A = system(wide, 0, X, lam)
    *w, level = np.linalg.solve(A, np.append(y, 0))
    found.append(rms(wide(new, X) @ w + level - truth))

# %% key="near-table" slide="subslide" hide="input"
surveys = measured("ch07a_surveys", "near", "near-is-behind")
table(
    "Gaussian of 2 km on the 400 spots, rms error (m)",
    {"λ": "g", "left out, by (7)": ".0f", "at 5000 new places": ".0f"},
    list(zip(prices, promised, found, strict=True)),
    best={"left out, by (7)": "least", "at 5000 new places": "least"},
    answer="Errors, by λ",
)

# %% [markdown] key="near-reading"
# <details><summary><b>What (7) chooses</b> (open this once you have written down your answer)</summary>
#
# The rule finds the best of these. It promises 79 m, and 90 come: that is this survey's luck. On twenty, 84 are promised, and 84 come.
#
# On twenty surveys the bells are wrong by 880 m through the spots and, with the $\lambda$ of (7), near them by 84, on each of the twenty by less: what went wrong was going through. That fixes a bell which cannot reach and draw, and no more: on each of the twenty surveys the cone, which goes through, is ahead, by 6 m. These heights have no noise to be smoothed away.
#
# Nor can one always go through. Chapter 3's crash measures 38 times another acceleration at a time that it had before: two rows of $\Phi$ are equal.
#
# </details>
#
# <!-- slide
# On twenty surveys: *through* the spots 880 m, *near* them, with the $\lambda$ of (7), 84. (A cone, through them: 78.)
# -->

# %% [markdown] key="near-step" slide="subslide"
# **Step 10. Near, and calm.** Let $D$ be an operator that measures what is not calm, derivatives say, and minimise
#
# $$\sum_{i=1}^n(y_i-f(x_i))^2+\lambda\|Df\|^2. \tag{8}$$
#
# Poggio and Girosi (1990) solve it with the *Green's function* $G$ of $D^*D$, that is $D^*D\,G(\cdot,t)=\delta_t$. Then for every $f$, by parts (nothing is left at the boundary, where $f$ and $G$ have died away): $\langle DG(\cdot,t),Df\rangle=\langle D^*DG(\cdot,t),f\rangle=f(t)$. You have met that sentence: $G$ *reproduces* $f$, so $\|Df\|$ is the norm of the space whose kernel is $G$, and (8) is chapter 3 (as long as $D$ annihilates nothing; that of a thin plate annihilates planes, and they come back as the polynomial):
#
# $$f=\sum_iw_iG(\cdot,x_i),\qquad\|Df\|^2=w^\top Gw,\qquad(G+\lambda I)\,w=y. \tag{9}$$
#
# <!-- slide
# **Step 10. Near, and calm:**
#
# $$\min_f\ \sum_i(y_i-f(x_i))^2+\lambda\|Df\|^2 \tag{8}$$
#
# $G$: *Green's function* of $D^*D$. Then $\langle DG(\cdot,t),Df\rangle=f(t)$: $G$ *reproduces*, and
#
# $$f=\sum_iw_iG(\cdot,x_i),\qquad\|Df\|^2=w^\top Gw,\qquad(G+\lambda I)\,w=y \tag{9}$$
# -->

# %% [markdown] key="near-step-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask what chapter 3 would call G, w and λ (k, α and λ), and for the name of the theorem: representer. Do the integration by parts for D = d/dx on the line, and ask what would be left if f did not die away.
#
# </details>

# %% [markdown] key="green" slide="subslide"
# **An example that can be seen.** On the line, $\|Df\|^2=\frac1{2\sigma}\int\big(f^2+\sigma^2f'^2\big)dx$: values and slopes cost. Then $D^*D=\frac1{2\sigma}(1-\sigma^2\partial^2)$. Away from $t$, $G=e^{-|x-t|/\sigma}$ solves $G=\sigma^2G''$; at $t$ its slope jumps by $-2/\sigma$, so $\frac1{2\sigma}(-\sigma^2)(-2/\sigma)=1$ times $\delta_t$: right. The kernel that charges for values and slopes is the *Laplacian*. The Gaussian charges for *all* derivatives, the $k$-th with
# $\sigma^{2k}/(2^kk!)$, up to a factor: infinitely smooth functions only.
#
# So the *regularisation network* of this literature is kernel ridge regression: same $w$, same function, optimal *for (8)*, whatever is proved for it elsewhere. (That enough units approximate any continuous function says nothing about $n$ points with noise.)
#
# <!-- slide
# On the line, $\|Df\|^2=\frac1{2\sigma}\int\big(f^2+\sigma^2f'^2\big)dx$ has $G=e^{-|x-t|/\sigma}$, the *Laplacian*. The Gaussian charges for *all* derivatives.
#
# The *regularisation network* is kernel ridge regression: same $w$, same function, optimal *for (8)*.
# -->

# %% [markdown] key="green-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Check the jump on the board: slope +1/σ on the left of t, −1/σ on the right. Then ask what a cusp costs a Gaussian.
#
# </details>

# %% key="green-verify" slide="skip" hide="input"
verify("the rule finds the best of these", np.argmin(promised) == np.argmin(found))
verify("σ = 2 km through the spots (m)", mean_of["2 km through"], "880")
verify("... near them (m)", mean_of["2 km near"], "84")
verify("... and promised (m)", mean_of["2 km promised"], "84")
verify("... behind the cone by (m)", mean_of["2 km near"] - mean_of["cone"], "6")
verify("promised here (m)", min(promised), "79")
verify("... and come (m)", min(found), "90")
verify("the first survey's λ", surveys["its price"][0] == prices[np.argmin(promised)])
by_refitting = [
    y[i] - RBFInterpolator(wide, degree=0, lam=0.3)
    .fit(np.delete(X, i, 0), np.delete(y, i)).predict(X[i : i + 1])[0]
    for i in range(3)
]  # fmt: skip
verify("(7) with λ", left_out(wide, 0, X, y, 0.3)[:3], by_refitting, 1e-7)
crash = load_mcycle()
pairs = np.unique(np.column_stack([crash.X, crash.y]), axis=0)
verify("another acceleration at one time", len(pairs) - len(np.unique(crash.X)), "38")
network = RegularizationNetwork(Gaussian(8.0), lam=0.013).fit(crash.X, crash.y)
ridge = KernelRidge(Gaussian(8.0), lam=0.013).fit(crash.X, crash.y)
t = np.linspace(2, 58, 300)[:, None]
largest = np.abs(ridge.dual_coef_).max()
verify("network and ridge: same w", network.dual_coef_ / largest, ridge.dual_coef_ / largest, 1e-12)
verify("same function", network.predict(t), ridge.predict(t), 1e-12)
sigma, spots_1d, weights = 0.7, np.array([-1.0, 0.2, 0.9]), np.array([1.5, -2.0, 0.7])
line_x = np.linspace(-25, 25, 1_000_001)
f = Laplacian(sigma)(line_x[:, None], spots_1d[:, None]) @ weights
h = line_x[1] - line_x[0]
energy = np.sum(f[:-1] ** 2) * h + sigma**2 * np.sum(np.diff(f) ** 2) / h
form = weights @ Laplacian(sigma)(spots_1d[:, None]) @ weights
verify("‖Df‖² is wᵀGw", energy / (2 * sigma), form, 1e-4)

# %% [markdown] key="penalty" slide="subslide"
# **Predict first.** “Ill-conditioned? Add a little to the diagonal.” The three points and the multiquadric of above; $\Phi+\lambda I$, and a slider for $\lambda$.
#
# 1. Its eigenvalues are 3.80, $-0.26$ and $-1.41$. What does a growing $\lambda$ do to each? And to the condition number?
# 2. Is there a $\lambda$ to avoid?
# 3. Change to $\Phi-\lambda I$ and a constant: what is different?

# %% [markdown] key="penalty-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Step 6 has the answer; let them find that out. Move λ slowly towards 0.26, watch the curve leave the page, and come back from the other side. Then ask what wᵀΦw is as a price, if it can be negative.
#
# </details>

# %% key="penalty-figure" hide="input"
balance = null_space(np.ones((1, 3)))


def penalised(how, lam, line):
    basis = Multiquadric(np.sqrt(0.5))(line[:, None], x3)
    if how == "Φ + λI":
        values = np.linalg.eigvalsh(Phi3) + lam
        if np.abs(values).min() < 1e-12:
            return None, values
        return basis @ np.linalg.solve(Phi3 + lam * np.eye(3), y3), values
    model = RBFInterpolator(Multiquadric(np.sqrt(0.5)), degree=0, lam=lam).fit(x3, y3)
    values = np.linalg.eigvalsh(balance.T @ Phi3 @ balance) - lam
    return model.predict(line[:, None]), values


singular = -np.linalg.eigvalsh(Phi3)[1]
lams = np.sort(np.append(np.arange(0, 0.51, 0.02), singular))
sliding = penalty_explorer(x3[:, 0], y3, penalised, lams)

# %% [markdown] key="penalty-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# 1. $\lambda$ moves *every* eigenvalue up, and the negative ones come **nearer** to 0. The condition number goes from 14 to infinity, and is back at 18 for $\lambda=0.5$.
# 2. At $\lambda=0.263243$ an eigenvalue is 0: $\Phi+\lambda I$ is singular, and beside that value the curve is anywhere. (At $\sqrt2$, beyond the slider, it is singular, too.) “$+\lambda I$ stabilises”, whatever the $\lambda$, is true of positive semi-definite matrices and of no other symmetric ones. Nor is anything being penalised: $w^\top\Phi w=-2.930$ for the three points, and a price below 0 is a reward.
# 3. The cure is in step 6. With a constant, weights sum to 0, and there the form is *negative* throughout; so **subtract** $\lambda$. SciPy's `RBFInterpolator` does that by writing the multiquadric with a minus. Its older `Rbf` subtracts whatever the basis is: wrong for the Gaussian, and for its default, the multiquadric, the right sign without the constant that makes it safe. Just below $\lambda=3.80$, its positive eigenvalue, the curve is above 1000 at all three points.
#
# </details>
#
# <!-- slide
# <details><summary><b>What just happened</b></summary>
#
# 1. $\lambda$ moves *every* eigenvalue up, the negative ones **nearer** to 0; the condition number goes to infinity and comes back.
# 2. At $\lambda=0.263243$ the matrix is singular. “$+\lambda I$ stabilises”, whatever the $\lambda$: of positive semi-definite matrices only.
# 3. With a constant the form is *negative* throughout: **subtract** $\lambda$. SciPy's old `Rbf` does so for *every* basis: wrong for the Gaussian; for the multiquadric the right sign, without the constant that makes it safe.
#
# </details>
# -->

# %% key="penalty-verify" slide="skip" hide="input"
verify("the singular λ", singular, "0.263243")
added = [np.abs(np.linalg.eigvalsh(Phi3) + lam) for lam in (0.0, 0.5)]
verify("its condition number at λ = 0", added[0].max() / added[0].min(), "14")
verify("... and at 0.5", added[1].max() / added[1].min(), "18")
verify("another singular λ", np.abs(np.linalg.eigvalsh(Phi3) + np.sqrt(2)).min(), 0.0)
verify("the lowest eigenvalue", np.linalg.eigvalsh(Phi3)[0], "-1.41")
verify("wᵀΦw", w3 @ Phi3 @ w3, "-2.930")
verify("one eigenvalue is 0 there", np.abs(np.linalg.eigvalsh(Phi3) + singular).min(), 0.0)
try:
    RegularizationNetwork(Multiquadric(np.sqrt(0.5)), lam=singular).fit(x3, y3)
    refused = False
except ValueError as error:
    refused = "negative definite" in str(error)
verify("RegularizationNetwork refuses the multiquadric", refused)

# %% [markdown] key="fewer" slide="slide"
# ## Fewer bells than points
#
# (9) has $n$ units and takes $n^3$ steps. The grid of mountains has more than a hundred thousand heights.
#
# The map of 400 spots has 400 bells and errs by about 80 m. Now a satellite measures 20 000 places, and you may *keep* 400 bells all the same. **Bet:** how much better does the map become? Write it down; the answer needs two steps.

# %% [markdown] key="fewer-bet-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Collect the bets on the board and leave them there; a likely one is "not at all: 400 bells are 400 bells". Then ask, before (10): λI or λG₀, and why? The price of a function must not depend on how its bells are counted: put one centre twice, and a ridge on w changes the answer.
#
# </details>

# %% [markdown] key="fewer-step" slide="subslide"
# **Step 11. Bells on centres.** Use $m<n$ bells on centres $t_j$: $f=\sum_jw_jG(\cdot,t_j)$. With $\mathsf G_{ij}=G(x_i,t_j)$, $n\times m$, and $(\mathsf G_0)_{jl}=G(t_j,t_l)$, (8) reads
#
# $$\|y-\mathsf Gw\|^2+\lambda\,w^\top\mathsf G_0w.$$
#
# The price is on the *function*, so it is $\mathsf G_0$, from centre to centre, and not $I$. Slope zero:
#
# $$-2\,\mathsf G^\top(y-\mathsf Gw)+2\lambda\,\mathsf G_0w=0\quad\Longrightarrow\quad(\mathsf G^\top\mathsf G+\lambda\mathsf G_0)\,w=\mathsf G^\top y. \tag{10}$$
#
# An $m\times m$ system, the *generalised network*. For $\lambda\to0$ and independent columns, $w\to\mathsf G^+y=(\mathsf G^\top\mathsf G)^{-1}\mathsf G^\top y$, least squares (Broomhead and Lowe). With all points as centres, $\mathsf G=\mathsf G_0$, and (10) is (9) multiplied by $\mathsf G$.
#
# <!-- slide
# **Step 11. Bells on centres.** $m<n$ bells, $f=\sum_jw_jG(\cdot,t_j)$; $\mathsf G_{ij}=G(x_i,t_j)$, $(\mathsf G_0)_{jl}=G(t_j,t_l)$. The price is on the *function*:
#
# $$\min_w\ \|y-\mathsf Gw\|^2+\lambda\,w^\top\mathsf G_0w$$
#
# <div class="fragment">
#
# $$(\mathsf G^\top\mathsf G+\lambda\mathsf G_0)\,w=\mathsf G^\top y \tag{10}$$
#
# *Generalised network*: $m\times m$. $\lambda\to0$: $\mathsf G^+y$. All points as centres: (9) again.
#
# </div>
# -->

# %% [markdown] key="fewer-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Before the click: have the slope taken, and the size of the system said. After it: compare (10) with (9) for m = n.
#
# </details>

# %% key="fewer-code" slide="subslide"
bells, T = Gaussian(2.0), X[:100]  # for all 400 heights
G, G0 = bells(X, T), bells(T, T)
right = G.T @ (y - y.mean())
w = np.linalg.solve(G.T @ G + 0.1 * G0, right)  # (10)
error = rms(bells(new, T) @ w + y.mean() - truth)
print(f"rms error at the new places: {error:.0f} m")

# %% [markdown] key="nystrom" slide="subslide"
# A quarter of the bells, with a width and a λ that nobody chose, is about as wrong here as the nearest spot. What more heights do comes next.
#
# **Step 12. It has another name.** Let $\mathsf G_0$ be positive definite, as a Gaussian's is for distinct centres: then some square $S$ has $S^\top\mathsf G_0S=I$. Let $w=Su$. Then the price is $\lambda\|u\|^2$, and (10) is plain ridge regression on the $m$ features $\mathsf GS$. Their inner products are
#
# $$(\mathsf GS)(\mathsf GS)^\top=\mathsf G\,\mathsf G_0^{-1}\mathsf G^\top,$$
#
# *Nyström's approximation* of the $n\times n$ Gram matrix from $m$ landmarks, which is chapter 10. Neural networks of 1990 and large-scale kernel machines of 2000: one formula, found twice.
#
# <!-- slide
# **Step 12. Another name.** $S^\top\mathsf G_0S=I$, $w=Su$: ridge regression on the features $\mathsf GS$, whose inner products are
#
# $$(\mathsf GS)(\mathsf GS)^\top=\mathsf G\,\mathsf G_0^{-1}\mathsf G^\top$$
#
# *Nyström's approximation* from $m$ landmarks: one formula, found twice.
# -->

# %% [markdown] key="nystrom-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask which S does it: G₀ to the power −½, or the inverse of a Cholesky factor. Then for the size of each matrix: nobody ever fills n × n.
#
# </details>

# %% key="fewer-verify" slide="skip" hide="input"
g = np.random.default_rng(0)
X40, y40, T = g.normal(size=(40, 2)), g.normal(size=40), g.normal(size=(6, 2))
kernel = Gaussian(1.0)
G, G0 = kernel(X40, T), kernel(T)
net = GeneralizedRBF(kernel, centers=T, lam=0.3).fit(X40, y40)
least = net.dual_coef_
verify("the slope of the criterion is 0", -G.T @ (y40 - G @ least) + 0.3 * G0 @ least, 0.0)
landmarks = Nystrom(kernel, landmarks=T).fit(X40)
nystrom = KernelRidge(Linear(), lam=0.3).fit(landmarks.transform(X40), y40)
at40 = g.normal(size=(30, 2))
theirs = nystrom.predict(landmarks.transform(at40))
verify("Nyström and ridge: the same function", net.predict(at40), theirs, 1e-12)
inner = landmarks.transform(X40) @ landmarks.transform(X40).T
verify("their inner products", inner, G @ np.linalg.solve(G0, G.T), 1e-12)
least = GeneralizedRBF(kernel, centers=T, lam=0.0).fit(X40, y40).dual_coef_
verify("λ = 0: the pseudo-inverse", least, np.linalg.pinv(G) @ y40)
tiny = GeneralizedRBF(kernel, centers=T, lam=1e-12).fit(X40, y40).dual_coef_
verify("λ → 0 leads there", tiny, least, 1e-8)
slim = Gaussian(0.3)
all_of = GeneralizedRBF(slim, centers=X40, lam=0.3).fit(X40, y40).predict(at40)
ridge_all = KernelRidge(slim, lam=0.3).fit(X40, y40).predict(at40)
verify("all points as centres: ridge", all_of, ridge_all, 1e-12)
doubled = np.vstack([T, T[:1]])
twice = GeneralizedRBF(kernel, centers=doubled, lam=0.3).fit(X40, y40).predict(at40)
verify("a centre put twice changes nothing", twice, net.predict(at40))

# %% [markdown] key="fewer-question" slide="subslide"
# **Back to the mountains,** and to your bet: 20 000 heights, and 400 bells to keep.

# %% key="fewer-table" slide="fragment" hide="input"
sky = measured("ch07a_satellite", "more-heights", "near-is-right", "near-is-ahead")
sky |= measured("ch07a_satellite", "places-are-dear", "fit-the-lines", "bells-on-nodes")


def bill(title, heads, rows):
    numbers = {"rms error (m)": ".0f", "with 100 m of noise": ".0f", "numbers kept": ",d"}
    table(
        title,
        heads | numbers,
        [(*row, sky[of].mean(), sky[f"{of} in noise"].mean(), kept) for *row, of, kept in rows],
    )


bill(
    "Errors at 5000 other places, means of ten draws",
    {"method": "", "heights seen": ",d"},
    [
        ("400 bells, on spots of their own", 400, "400 bells saw 400", 3 * 400),
        ("400 bells", 20_000, "400 bells saw 20000", 3 * 400),
        ("100 bells", 20_000, "100 bells saw 20000", 3 * 100),
        ("multiquadric, 50 nearest", 20_000, "50 nearest", 3 * 20_000),
        ("curved triangles (Clough, Tocher)", 20_000, "bent triangles", 3 * 20_000),
        ("plane of k nearest by 1/distanceᵖ", 20_000, "plane of near", 3 * 20_000),
    ],
)

# %% [markdown] key="fewer-reading" slide="subslide"
# Whatever there is to choose ($\sigma$, $\lambda$, neighbours) is chosen by 2000 more heights, as noisy as those that are learnt. Bells stand on places drawn at random.
#
# **More heights for the same bells.** 400 bells that know their own heights alone err by 82 m; the same bells, with 20 000 heights, by 56, on each of the ten draws by less. Fifty heights to a bell say what the *area* around it looks like. A hundred bells that saw all 20 000 do about as well as four hundred that know their own; with noise, better by 13 m.
#
# **Is that all that 20 000 heights know?** No: it is what 400 bells can say. Multiquadrics on the 50 nearest err by 12 m, and with 100 m of noise on the heights by 37. (A simpler neighbour is close each time: curved triangles 13, with noise a plane 38.) Take neighbours when the map must be *right*.
#
# **And when it must be short?** 400 bells keep 1200 numbers. **Bet:** which 1200 numbers would you keep?
#
# <!-- slide
# - 400 bells: on their own spots 82 m, with 20 000 heights 56. A hundred that saw 20 000: as 400 that saw their own.
# - Neighbours: 12 m, with noise 37; 60 000 numbers kept. So take them when the map must be *right*.
#
# And when it must be *short*? 400 bells keep 1200 numbers. **Bet:** which 1200 numbers would you keep?
# -->

# %% [markdown] key="short-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Write the offers on the board; then ask what a bell costs: a weight and two coordinates. Where would the coordinates cost nothing?
#
# </details>

# %% key="short-table" slide="subslide" hide="input"
nodes = "34 × 35 nodes of a grid: "
bill(
    "The same draws, 20 000 heights seen",
    {"method": ""},
    [
        ("400 bells", "400 bells saw 20000", 3 * 400),
        (nodes + "means", "means on a grid", 34 * 35),
        (nodes + "straight lines", "hats on a grid", 34 * 35),
        (nodes + "bells", "bells on a grid", 34 * 35),
        ("34 × 35 products of cosines", "cosines", 34 * 35),
        ("1190 bells at random places", "1190 bells saw 20000", 3 * 34 * 35),
    ],
)

# %% [markdown] key="short-reading" slide="subslide"
# **Save the places.** A bell at a place of its own is three numbers, one on the node of a grid is one. So as many numbers as 400 bells keep are 34 × 35 nodes. A mean for each, of the heights nearest to it, and straight lines from node to node, err by 46 m, on each of the ten draws by less than the 400 bells. The same lines with all their heights *fitted*, by least squares and a $\lambda$, err by 38. And bells on the nodes, by (10), by 35. With noise the order is the same, on each draw.
#
# What does each step give? *How many bells*: 1190 at random places err by 36 m, those on the nodes by 35; so of the 20 m it is their number that counts, and the grid pays for it, as it keeps no places. *Bells for lines*: 3 m. But here that is what smooth functions are worth, not bells: products of cosines have 35, too (with noise 43, and bells 42).
#
# **Where** should centres stand if no grid can be laid? Three nodes for each axis are 59 049 in ten dimensions. And how wide should bells be, if nobody sets heights aside? That is [the second part](ch07b_rbf_networks.ipynb).
#
# <!-- slide
# - **A grid keeps no places.** Means on its nodes: 46 m, straight lines *fitted* 38, bells 35.
# - 1190 bells at random: 36. What counts here is how many, and places make each dear.
# - Cosines: 35, too. What counts here is that functions are smooth, not that they are bells.
#
# **Where** should centres stand if no grid can be laid, how wide be the bells? The second part.
# -->

# %% key="fewer-table-verify" slide="skip" hide="input"
verify("400 bells, their own heights (m)", sky["400 bells saw 400"].mean(), "82")
verify("... and 20 000 (m)", sky["400 bells saw 20000"].mean(), "56")
hundred = sky["100 bells saw 20000"] - sky["400 bells saw 400"]
of_hundred = hundred.std(ddof=1) / np.sqrt(10)
verify("100 bells: about as good as 400 spots", abs(hundred.mean()) < 2 * of_hundred)
verify("a quarter of the bells: about as wrong as the nearest spot", abs(error - 96) < 5)
louder = sky["400 bells saw 400 in noise"] - sky["100 bells saw 20000 in noise"]
verify("... with noise better by (m)", louder.mean(), "13")
by_size = {"bells on a grid": "35", "hats on a grid": "38", "means on a grid": "46"}
by_size |= {"400 bells saw 20000": "56"}
beside = {"1190 bells saw 20000": "36", "cosines": "35"}
for name, metres in (by_size | beside).items():
    verify(f"{name} (m)", sky[name].mean(), metres)
for what in ("", " in noise"):
    in_order = np.diff([sky[f"{name}{what}"] for name in by_size], axis=0)
    verify(f"the same order on each draw{what}", in_order.min() > 0)
for name, metres in (("cosines", "43"), ("bells on a grid", "42")):
    verify(f"... {name} in noise (m)", sky[f"{name} in noise"].mean(), metres)
verify("curved triangles (m)", sky["bent triangles"].mean(), "13")
verify("in noise a plane through near ones (m)", sky["plane of near in noise"].mean(), "38")
verify("nodes in ten dimensions", 3**10, "59049")
verify("from the 50 nearest (m)", sky["50 nearest"].mean(), "12")
verify("100 m of noise: 50 nearest, smoothed (m)", sky["50 nearest in noise"].mean(), "37")
net_of_400 = GeneralizedRBF(Gaussian(2.0), centers=X[:100], lam=0.1).fit(X, y - y.mean())
verify("the library's (10)", net_of_400.predict(new), Gaussian(2.0)(new, X[:100]) @ w, 1e-6)

# %% [markdown] key="cost" slide="slide"
# ## What it costs
#
# SYS843 says $O(n^3)$ for (9), “hard for large $N$”, and recommends (10). Measured, one thread of one computer, points of the mountains. **Predict first:** the exponents of interpolation, of ridge, of a hundred bells, and of interpolation from the 50 nearest spots only, SciPy's `neighbors=50`.
#
# (The table is `data/ch07a_cost.csv` beside this notebook; `make measure STEMS=ch07a_rbf_interpolation MEASURE_ARGS=--force`, in the folder of the clone, makes one of yours.)
#
# <!-- slide
# SYS843: $O(n^3)$ for (9). Measured on the mountains, one thread.
#
# **Predict first:** exponents of interpolation, of ridge, of 100 bells, of SciPy with `neighbors=50`?
# -->

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Exponents on paper first. A measured exponent between 2 and 3 for a cubic algorithm is a good question: who does the n² part, and when does the n³ part win?
#
# </details>

# %% key="cost-picture" hide="input"
costs = measured("ch07a_cost")
large = costs["n"] >= 1000
cost = {
    "interpolation, multiquadric": costs["interpolate"],
    "ridge": costs["ridge"],
    "100 bells": costs["bells_100"],
    "SciPy, 50 neighbours, 1000 places": costs["scipy_50"],
}


def growth(values):
    return np.polyfit(np.log(costs["n"][large]), np.log(values[large]), 1)[0]


fig, ax = plt.subplots(figsize=(7.4, 4))
for k, (name, seconds) in enumerate(cost.items()):
    ax.plot(costs["n"], 1e3 * seconds, marker="o", markersize=4, **cycle(k), label=name)
ax.set(xscale="log", yscale="log", xlabel="number of points n", ylabel="time (ms)")
ax.set_xticks(costs["n"], [f"{n:.0f}" for n in costs["n"]])
ax.minorticks_off()
ax.legend(loc="upper left", fontsize=9)
show(
    fig,
    alt="Measured times in milliseconds against the number of points, logarithmic axes. "
    "Interpolation and ridge are steep lines, interpolation the higher one; a hundred bells "
    "grow about in proportion to n; interpolation from 50 neighbours hardly grows.",
    answer="Times, measured",
)

# %% [markdown] key="cost-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your exponents)</summary>
#
# | | time grows like | memory |
# |---|---|---|
# | interpolation, multiquadric | $n^{2.6}$ | $n^2$ numbers |
# | ridge | $n^{2.8}$ | $n^2$ |
# | a hundred bells | $n^{0.9}$ | $100n$ |
# | 50 neighbours, for a thousand places | $n^{0.1}$ | $3n$ |
#
# The first two lie between the $n^2$ of filling a matrix and the $n^3$ of solving, which were not timed apart. **Memory** decides first: $\Phi$ of the whole grid takes more than 150 gigabytes, a hundred bells on it a tenth of one.
#
# </details>

# %% key="cost-verify" slide="skip" hide="input"
for name, exponent in (
    ("interpolation, multiquadric", "2.6"),
    ("ridge", "2.8"),
    ("100 bells", "0.9"),
    ("SciPy, 50 neighbours, 1000 places", "0.1"),
):
    verify(f"{name}: exponent", growth(cost[name]), exponent)
verify("ridge is the cheaper one", np.all(cost["ridge"] < cost["interpolation, multiquadric"]))
verify("the whole grid: more than 150 gigabytes", len(land.y) ** 2 * 8 / 1e9 > 150)
verify("a hundred bells on it: gigabytes", len(land.y) * 100 * 8 / 1e9, "0.1")

# %% [markdown] key="find-error" slide="slide"
# ## Find the error
#
# A surveyor's program: it interpolates heights with the recipe of SYS843, and smooths because spots are measured twice. It runs. **Read before you go on: there are four mistakes.**
#
# ```python
# def phi(r):                    # multiquadric, c = 0.5 km
#     return r**2 + 0.5**2
#
# D = np.abs(X[:, None] - X[None]).sum(axis=2)    # distances
# w = np.linalg.solve(phi(D) + lam * np.eye(n), y)
#
# def height(x):
#     return (w * phi(np.linalg.norm(x - X))).sum()
# ```

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# One mistake is a missing root, one a distance that is none of ours, one a sign that step 6 forbids, one an axis. Ask for each: would the program fail, or answer wrongly? λ = 0.1 is a lucky number: ask what others would do.
#
# </details>

# %% key="find-error-table" slide="skip" hide="input"
def surveyor(root, euclid, sign, axis, lam=0.1):
    def phi(r):
        return np.sqrt(r**2 + 0.25) if root else r**2 + 0.25

    step = X[:, None] - X
    D = np.sqrt((step**2).sum(axis=2)) if euclid else np.abs(step).sum(axis=2)
    one = np.ones((400, 1))
    if sign:
        A = np.block([[phi(D) - lam * np.eye(400), one], [one.T, np.zeros((1, 1))]])
        solution = np.linalg.solve(A, np.append(y, 0))
        w, level = solution[:400], solution[400]
    else:
        w, level = np.linalg.solve(phi(D) + lam * np.eye(400), y), 0.0
    r = np.sqrt(((new[:1000, None] - X) ** 2).sum(axis=2))
    if not axis:
        r = np.sqrt((r**2).sum(axis=1, keepdims=True)) * np.ones((1, 400))
    return np.sqrt(np.mean((phi(r) @ w + level - truth[:1000]) ** 2))


stages = {
    "as written": (0, 0, 0, 0),
    "one mistake fixed": (0, 0, 0, 1),
    "two": (0, 1, 0, 1),
    "three": (1, 1, 0, 1),
    "all four": (1, 1, 1, 1),
}
programs = {name: surveyor(*fixed) for name, fixed in stages.items()}
table(
    "The program at 1000 new places",
    {"program": "", "rms error (m)": ".0f"},
    {name: error if error < 1e5 else "over 100 000" for name, error in programs.items()},
)

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What is wrong</b> (open this once you have written down your answers)</summary>
#
# - `np.linalg.norm(x - X)` is *one* number, the length of the whole array: `axis=1` is missing.
# - `.sum(axis=2)` of absolute values is the city-block distance: training and prediction do not even measure alike.
# - The square root of $r^2+c^2$ is missing. With Euclidean distances every surface is *one* paraboloid then, and $\Phi$ has rank 4. (`np.linalg.solve` may return all the same: look at the residual.)
# - $+\lambda I$ pushes the negative eigenvalues of a multiquadric towards 0; it has to be $-\lambda$, beside a constant. This may stay unseen for years: $\lambda=0.1$ is a lucky one. But 55 of the 400 eigenvalues lie within 0.1 of 0, and each negative one is a $\lambda$ to avoid:
#
# | $\lambda$ | with $+\lambda$ (m) | with $-\lambda$ and a constant (m) |
# |---|---|---|
# | 0.05 | 406 | 87 |
# | 0.1 | 119 | 87 |
# | 0.2 | 997 | 86 |
#
# </details>
#
# <!-- slide
# <details><summary><b>What is wrong</b></summary>
#
# - `np.linalg.norm(x - X)` is *one* number: `axis=1` is missing.
# - `.sum(axis=2)` of absolute values is the city-block distance.
# - A missing square root, $r^2+c^2$: $\Phi$ has rank 4.
# - $+\lambda I$ pushes negative eigenvalues towards 0. $\lambda=0.1$ is lucky (119 m); at 0.2 it is 997 m, with $-\lambda$ and a constant 86.
#
# </details>
# -->

# %% key="find-error-verify" slide="skip" hide="input"
errors = list(programs.values())
verify("fixed it is the best of all", errors[-1] == min(errors))
bowls, city = lambda r: r**2 + 0.5**2, np.abs(X[:, None] - X[None]).sum(axis=2)
w = np.linalg.solve(bowls(city) + 0.1 * np.eye(400), y)
as_printed = [(w * bowls(np.linalg.norm(x - X))).sum() for x in new[:1000]]
verify("the program as it is printed runs", rms(as_printed - truth[:1000]) / errors[0], 1, tol=1e-6)
for lam, added, taken in ((0.05, "406", "87"), (0.1, "119", "87"), (0.2, "997", "86")):
    verify(f"λ = {lam}: with + (m)", surveyor(1, 1, 0, 1, lam), added)
    verify(f"λ = {lam}: with - (m)", surveyor(1, 1, 1, 1, lam), taken)
around = np.abs(np.linalg.eigvalsh(Multiquadric(0.5)(X)))
verify("eigenvalues within 0.1 of 0", np.sum(around < 0.1), "55")
no_root = ((X[:, None] - X) ** 2).sum(axis=2) + 0.25
verify("without its root Φ has rank 4", np.linalg.matrix_rank(no_root) == 4)
try:
    residual = np.abs(no_root @ np.linalg.solve(no_root, y) - y).max()
except np.linalg.LinAlgError:  # elsewhere rounding may leave a pivot that is exactly 0
    residual = np.inf
verify("... and its surface misses its own points", residual > 10)

# %% [markdown] key="errata" slide="skip"
# **Small things in SYS843,** for who reads it beside this page; each is checked below.
#
# | it prints | it should be |
# |---|---|
# | $w^\top\varphi(x)>0$, $<0$ | $+\,b$, or $\varphi_0=1$ (step 2) |
# | $e^{-1}=0.3678$ | 0.3679; $e^{-2}=0.1353$ is right |
# | a variety of order $r$ with $w_{i_1\dots i_N}$, indices up to $m_1$ | $w_{i_1\dots i_r}$, indices $0$ to $m_0$, with $x_0=1$ |
# | $\varphi=[x_1^2,x_2^2,x_1,x_2]$ beside $w_1x_1+w_2x_2+w_3x_1^2+w_4x_2^2$ | one order for both: at $w=(1,2,3,4)$, $x=(2,3)$ the two differ |
# | $y:\mathbb R^N\to\mathbb R$ | $y:\mathbb R^{m_0}\to\mathbb R$: a point has $m_0$ coordinates |
# | second row of $\Phi$: $\varphi_{21},\varphi_{22},\varphi_{21}$ | $\varphi_{23}$; with the printed row the curve misses the data |
# | $(r^2+c^2)^{\pm1/2}$ “for $r>0$” | $c>0$; $r=0$ stands on the diagonal |
# | in practice one *wants* to solve near-singular systems | one has to fear it (step 8) |
# | “Broomhead et Low” | Lowe |
# | $G(\|x-\mu\|^2)$ here, $G(\|x-t\|)$ there; $M,m,m_1,K$ for the number of centres | here $\varphi(\|x-t_j\|)$ and $m$ |
#
# Its theorem of “Light (1971)” stands here without a year: we could not confirm one. Its three-point example, its equation (10) and its limit $\lambda\to0$ are right.

# %% key="errata-verify" slide="skip" hide="input"
verify("e⁻¹", np.exp(-1), "0.3679")
verify("... cut off", np.floor(1e4 * np.exp(-1)) / 1e4, "0.3678")
verify("e⁻²", np.exp(-2), "0.1353")
verify("a variety of order 2 in the plane", monomials([[2.0, 3.0]], 2), [[1, 2, 3, 4, 6, 9]])
four, x1, x2 = np.array([1, 2, 3, 4]), 2, 3
one_order = four @ [x1**2, x2**2, x1, x2]
other_order = 1 * x1 + 2 * x2 + 3 * x1**2 + 4 * x2**2
verify("the two orders differ", one_order != other_order)
uneven = np.array([[-1.0], [0.0], [2.0]])  # with even ones the row would be right by symmetry
Phi_u = Multiquadric(np.sqrt(0.5))(uneven)
printed = Phi_u.copy()
printed[1, 2] = printed[1, 0]
missed = np.abs(Phi_u @ np.linalg.solve(printed, y3) - y3).max()
verify("with the printed row the curve misses the data", missed > 0.1)
steeper = [InverseMultiquadric(c)([[0.0]])[0, 0] for c in (1e-3, 1e-6)]
verify("1/c on the diagonal: without end for c → 0", steeper, [1e3, 1e6])

# %% [markdown] key="scipy" slide="slide"
# ## The same in SciPy and scikit-learn

# %% key="scipy-code" slide="fragment"
ours = RBFInterpolator(ThinPlate(1.0), lam=1.0).fit(X, y).predict(new)
theirs = SciPyRBF(X, y, kernel="thin_plate_spline", smoothing=1.0)(new)
verify("thin plate, smoothed: the same map", theirs, ours, tol=1e-8)

bowls = RBFInterpolator(Multiquadric(0.1), degree=0)
bowls = bowls.fit(X, y).predict(new)
theirs = SciPyRBF(X, y, kernel="multiquadric", epsilon=1 / 0.1)(new)
verify("multiquadric: ε = 1/c", theirs, bowls, tol=1e-8)

gauss = RBFInterpolator(Gaussian(0.8)).fit(X, y).predict(new)
narrow = 1 / (np.sqrt(2) * 0.8)
bell = SciPyRBF(X, y, kernel="gaussian", epsilon=narrow, degree=-1)
verify("Gaussian: ε = 1/(√2 σ)", bell(new), gauss, tol=1e-8)

# %% key="sklearn-code" slide="subslide"
centred = y - y.mean()
ours = GeneralizedRBF(Gaussian(2.0), centers=X[:100], lam=0.1)
lift = Nystroem(gamma=1 / (2 * 2.0**2), random_state=0)
lift.fit(X[:100])  # it draws 100, so all: the centres are ours
ridge = Ridge(alpha=0.1, fit_intercept=False)
ridge.fit(lift.transform(X), centred)
theirs = ridge.predict(lift.transform(new))
of_10 = ours.fit(X, centred).predict(new)
verify("(10): Nystroem and Ridge", theirs, of_10, tol=1e-5)

# %% [markdown] key="scipy-traps" slide="subslide"
# **Traps.**
#
# - `epsilon` is *one over* a length: large is narrow. For the multiquadric it is $1/c$, for the Gaussian $1/(\sqrt2\sigma)$. Only the thin plate and its relatives need none.
# - The default `degree` differs: 1 for thin plates, 0 for the multiquadric, and for the Gaussian 0 as well, not $-1$.
# - `smoothing` is our $\lambda$ for the thin plate and the Gaussian. SciPy's multiquadric is $-\sqrt{1+r^2/c^2}$, ours turned over and divided by $c$: there it is $\lambda/c$, and $\lambda c$ for the inverse one. The sign is taken care of.
# - A nearly singular system is solved without a word. Ours says so; look at `rcond_`.
# - `neighbors=50` solves a small system for each place: fast, and no longer one smooth surface.
# - Older code uses `Rbf`: no polynomial, and $-\lambda$ whatever the basis. Leave it.
# - `Nystroem` draws its centres from the points that it is fitted to. To place them yourself, fit it to them.
#
# **Units:** a basis of the distance takes kilometres and degrees for the same. Scale the columns of $X$.
#
# <!-- slide
# **Traps**
#
# - `epsilon` is *one over* a length: $1/c$, for the Gaussian $1/(\sqrt2\sigma)$.
# - Default `degree`: 1 for thin plates, 0 for the multiquadric *and the Gaussian*.
# - `smoothing` is $\lambda$ for thin plate and Gaussian, $\lambda/c$ for the multiquadric, $\lambda c$ for the inverse.
# - A nearly singular system is solved without a word.
# - `neighbors=50`: fast, and no longer one smooth surface.
# - Kilometres and degrees: scale the columns of $X$.
# -->

# %% key="scipy-verify" slide="skip" hide="input"
some = new[::20]
no_degree = SciPyRBF(X, y, kernel="gaussian", epsilon=1 / (np.sqrt(2) * 0.8))(some)
constant = RBFInterpolator(Gaussian(0.8), degree=0).fit(X, y).predict(some)
verify("the Gaussian's default is a constant", no_degree, constant, tol=1e-8)
smooth_of = {
    Multiquadric(0.1): ("multiquadric", 1 / 0.1, 1 / 0.1),  # ε, and what λ = 1 is called
    InverseMultiquadric(0.8): ("inverse_multiquadric", 1 / 0.8, 0.8),
    Gaussian(0.8): ("gaussian", 1 / (np.sqrt(2) * 0.8), 1.0),
}
for basis, (kernel_of, epsilon, smoothing) in smooth_of.items():
    near_by = RBFInterpolator(basis, degree=0, lam=1.0).fit(X, y).predict(some)
    how = {"kernel": kernel_of, "epsilon": epsilon, "degree": 0}
    theirs = SciPyRBF(X, y, smoothing=smoothing, **how)(some)
    verify(f"{basis}: smoothing {smoothing:g} is λ = 1", theirs, near_by, tol=1e-8)
theirs = SciPyRBF(X, y, kernel="multiquadric", epsilon=1 / 0.1, smoothing=1.0)(some)
near_by = RBFInterpolator(Multiquadric(0.1), degree=0, lam=1.0).fit(X, y).predict(some)
verify("multiquadric: smoothing 1 is not λ = 1", np.abs(theirs - near_by).max() > 1)
gauss_3 = np.exp(-(squares := (x3 - x3.T) ** 2))  # the old Rbf's Gaussian, of width 1
for name, Phi in (("gaussian", gauss_3), ("multiquadric", np.sqrt(squares + 1))):
    old = Rbf(x3[:, 0], y3, function=name, epsilon=1.0, smooth=0.1).nodes
    verify(f"Rbf, {name}: Φ − λI", old, np.linalg.solve(Phi - 0.1 * np.eye(3), y3))
dear = 0.999 * np.linalg.eigvalsh(Phi3)[-1] / np.sqrt(0.5)  # Rbf's multiquadric is ours over c
wild = Rbf(x3[:, 0], y3, epsilon=np.sqrt(0.5), smooth=dear)(x3[:, 0])
verify("Rbf, λ just below 3.80: above 1000 at the points", np.all(wild > 1000))
local = SciPyRBF(X, y, kernel="multiquadric", epsilon=10.0, neighbors=50)(some)
verify("50 neighbours: another surface", np.abs(local - bowls[::20]).max() > 1)

# %% [markdown] key="limits" slide="subslide"
# **When not.** Noise: pass near, by (9), or with a multiquadric or a cone by $-\lambda$ and a constant. $n$ beyond ten thousand: neighbours if the map must be right; if it must be short, (10) with bells on the nodes of a grid, which keep no places, or as many cosines. Many independent coordinates, where distances become alike (chapter 1). Outside the points: a Gaussian returns to 0 or to its constant, a thin plate follows its plane; none of them knows anything there.
#
# **When.** Scattered points in two or three dimensions, values without noise, no grid: maps, deformations, tables of expensive simulations. A multiquadric, inverse or not, or a Laplacian, each with its width by (7), and a cone, which has none, made the best maps here, 0.4 to 0.8 m ahead of natural neighbours; for very smooth surfaces a wide Gaussian, with an eye on `rcond_`.
#
# <!-- slide
# **When not.** Noise: pass near. $n$ beyond ten thousand: neighbours if the map must be right; if short, bells on a grid. With many independent coordinates, distances become alike. Outside the points no basis knows anything.
#
# **When.** Scattered points in two or three dimensions, values without noise: a multiquadric or a Laplacian, its width by (7); or a cone.
# -->

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - Two bells of one width, on a diagonal, and a bias do XOR; without the bias they are a straight line, wherever they stand.
# - A hyperplane makes $2\sum_{k<d}\binom{n-1}k$ labellings of $n$ points in general position. Random labels have an even chance at $n=2d$; yours are not random.
# - $\Phi w=y$: Gaussian and inverse multiquadric are positive definite, the multiquadric has one positive eigenvalue and is invertible, the thin plate wants its polynomial.
# - Wide bells are accurate for smooth functions, at the price of digits. These mountains want reach *and* detail; (7) chooses without looking.
# - $(G+\lambda I)w=y$ is kernel ridge regression; on a multiquadric $+\lambda$ has the wrong sign. $(\mathsf G^\top\mathsf G+\lambda\mathsf G_0)w=\mathsf G^\top y$ is Nyström.
#
# **And the lamp, and the map?** The bells added no dimension: they bent the plane, and a bias did the rest. Through 400 spots the best maps of bells of one length (either multiquadric, a Laplacian, a cone) are wrong by 78 m, natural neighbours by 79, the nearest spot by 96. *Near* 20 000 heights, 400 bells are wrong by 56, and bells on the nodes of a grid, which keep no more numbers, by 35.
#
# <!-- slide
# - Two bells of one width, on a diagonal, and a bias do XOR; without the bias they are a straight line.
# - $2\sum_{k<d}\binom{n-1}k$ labellings, in general position; at $n=2d$ half of all. Yours are not random.
# - $\Phi w=y$: Gaussian, inverse multiquadric positive definite; multiquadric signs $1,\,n-1$; the thin plate wants its polynomial.
# - Wide bells: accurate for smooth functions, at the price of digits. (7) chooses without looking.
# - $(G+\lambda I)w=y$ is kernel ridge; on a multiquadric $+\lambda$ has the wrong sign. $(\mathsf G^\top\mathsf G+\lambda\mathsf G_0)w=\mathsf G^\top y$ is Nyström.
#
# **And the map?** Through 400 spots 78 m, natural neighbours 79, the nearest 96; 400 bells *near* 20 000 heights 56, on a grid's nodes 35.
# -->

# %% [markdown] key="recap-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Back to the bets of the first page, method and metres; and to the lamp: what did the bells add?
#
# </details>

# %% [markdown] key="quiz" slide="slide"
# ## Four questions
#
# <details><summary>1. Two bells of different widths, no bias. Can they do XOR?</summary>
#
# No: a threshold on their ratio is a circle now, and $\|x\|^2$ plus an affine function has the same sum over both diagonals of the square.
#
# </details>
#
# <details><summary>2. A hundred points in ninety-nine dimensions, a plane with a bias, no mistake. What have you learnt about the classes?</summary>
#
# Nothing, if the points are in general position: all labellings can be had.
#
# </details>
#
# <details><summary>3. Ten distinct points, multiquadric. What is the sign of $\det\Phi$?</summary>
#
# Negative: one positive and nine negative eigenvalues.
#
# </details>
#
# <details><summary>4. Your Gaussian interpolant has a condition number of $10^{12}$, and the data have four good digits. Are you in trouble?</summary>
#
# Its weights are: errors of the data may be multiplied by as much. The curve is not: on the fifteen points of step 8, errors of one in ten thousand move $w$ by millions, and the curve by less than one in a hundred. Leave some points out and look.
#
# </details>

# %% key="quiz-verify" slide="skip" hide="input"
two_widths = [
    np.column_stack([Gaussian(s)(corners, [u])[:, 0] for s, u in zip(sigmas, pair, strict=True)])
    for sigmas, pair in zip(rng.uniform(0.3, 2, size=(100, 2)), places, strict=True)
]
none_of = [separating_weights(H, lamp, bias=False) is None for H in two_widths]
verify("question 1: none of 100", all(none_of))
verify("question 2: every labelling", cover_probability(100, 100) == 1.0)
sign = np.linalg.slogdet(Multiquadric(0.7)(thirty[:10]))[0]
verify("question 3: negative", sign == -1)
bells = Gaussian(0.47)
verify("question 4: the condition number", 1e11 < np.linalg.cond(bells(x15)) < 1e13)
moved = np.linalg.solve(bells(x15), 100 * noisy)
far = np.median(np.abs(moved).max(axis=0))  # of five draws
verify("... w moves by millions, mostly", 1e6 < far < 1e7)
verify("... the curve by less than 0.01", np.abs(bells(between, x15) @ moved).max() < 0.01)

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are told which one.
# *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch07a_rbf_interpolation")

# %% [markdown] key="references" slide="skip" numbers="free"
# ## To read on
#
# - T. Cover, *Geometrical and statistical properties of systems of linear inequalities with applications in pattern recognition*, 1965: the count.
# - R. Hardy, *Multiquadric equations of topography and other irregular surfaces*, 1971: a bowl on each spot height.
# - C. Micchelli, *Interpolation of scattered data: distance matrices and conditionally positive definite functions*, 1986; M. Buhmann, *Radial basis functions*, Acta Numerica 2000: the theorems with their hypotheses.
# - J. Duchon, *Splines minimizing rotation-invariant semi-norms in Sobolev spaces*, 1977: thin plates.
# - R. Schaback, *Error estimates and condition numbers for radial basis function interpolation*, 1995: the uncertainty relation, and the power function. T. Driscoll and B. Fornberg, *Interpolation in the limit of increasingly flat radial basis functions*, 2002. S. Rippa, *An algorithm for selecting a good value for the parameter c in radial basis function interpolation*, 1999: (7).
# - D. Broomhead and D. Lowe, *Multivariable functional interpolation and adaptive networks*, 1988; T. Poggio and F. Girosi, *Networks for approximation and learning*, 1990: the networks.
# - E. Granger and I. Ben Ayed, SYS843, École de technologie supérieure, *Réseaux de neurones à base de noyaux*: the path, the lamp, and three points.
#
# **Now you:** [the exercises](../exercises/ch07a_rbf_interpolation_sheet.ipynb). **Next:** [the second part](ch07b_rbf_networks.ipynb), where the bells learn where to stand. **Back to** [the start](00_start_here.ipynb).
