# %% [markdown] key="title" slide="slide"
# # Maximum margin
#
# Many lines separate two classes. This chapter finds the one that keeps most distance, proves it with three points and a pencil, and asks
# what the distance is good for.

# %% key="imports" slide="skip" hide="input"
import warnings

import numpy as np
import matplotlib.pyplot as plt
from scipy.linalg import null_space
from scipy.optimize import linprog, minimize
from scipy.spatial import ConvexHull
from sklearn.datasets import load_digits, load_iris
from sklearn.svm import SVC, LinearSVC

from kcourse import Gaussian, Perceptron
from kcourse.datasets import load_synth
from kcourse.lab import cycle, measured, show, table, use_style, verify
from kcourse.chapters.ch05_margin.figures import (
    CLASSES, hulls_explorer, orders_explorer, points_explorer, strip,
)
from kcourse.margin import MaxMargin, canonical, kkt_report, mistake_bound, signed_distances

use_style()

# %% [markdown] key="question" slide="slide"
# ## Which line would you sign?
#
# A hundred irises, fifty *setosa* and fifty *versicolor*, measured by Edgar Anderson in Quebec in the 1930s: length and width of a petal. A florist
# wants a straight line between the two, and will sort thousands of flowers by it. You are asked to draw it, and to put your name to it.
#
# <!-- slide
# A hundred irises, fifty *setosa* and fifty *versicolor*: length and width of a petal. A florist will sort thousands of flowers by a straight line. Draw it, and put your name to it.
# -->

# %% key="question-data" slide="skip"
iris = load_iris()
two = iris.target < 2  # 0 setosa, 1 versicolor
X, y = iris.data[two][:, 2:], np.where(iris.target[two] == 1, 1, -1)
names, labels = ("setosa", "versicolor"), ("petal length (cm)", "petal width (cm)")
print(f"{np.sum(y < 0)} {names[0]} (y = -1) and {np.sum(y > 0)} {names[1]} (y = +1)")
for name, column in zip(("long", "wide"), X.T, strict=True):
    print(f"petals from {column.min()} to {column.max()} cm {name}")


# %% key="question-picture" hide="input"
def draw_flowers(ax, size=5):
    for (label, how), name in zip(CLASSES, names, strict=True):
        ax.plot(
            *X[y == label].T, color="black", linestyle="none", markersize=size, label=name, **how
        )
    ax.set(xlabel=labels[0], ylabel=labels[1], aspect="equal", xlim=(0, 5.4), ylim=(-0.35, 2.15))


fig, ax = plt.subplots(figsize=(8, 4))
draw_flowers(ax)
ax.legend(loc="lower right")
show(
    fig,
    alt="Petal width against petal length of 100 irises. Setosa, circles, lies in a small cloud "
    "at the lower left, up to 1.9 cm long and 0.6 cm wide; versicolor, triangles, in a "
    "slanted cloud from 3.0 cm and 1.0 cm on. Between the clouds is a wide gap.",
)

# %% [markdown] key="question-reading"
# There is a wide gap, and room for any number of lines. All of them make no mistake on these hundred. Chapter 2 knows a machine that finds
# one: the *perceptron*. Let us ask it five hundred times.
#
# <!-- slide
# A wide gap, and room for any number of lines. **Draw the one that you would sign.**
# -->

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Let everybody draw the line on paper, over the printed picture or in the air. Ask two of them *why there*; somebody will say "in the middle". Ask:
# the middle of what? Keep that question on the board.
#
# </details>

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# 1. measure the distance of a point to a plane, and fix the scale of $(w,b)$;
# 2. derive the dual from the primal, and say which slopes vanish and which do not;
# 3. check a solution with pencil and paper, by five conditions;
# 4. see the multipliers as forces, and the margin as the distance of two hulls;
# 5. say what the machine does when the units change, when its dual has many solutions, and when no line separates.

# %% [markdown] key="objectives-need" slide="skip"
# **You need** chapter 2 and gradients. **Reading:** two to three hours, with a pencil. **Lecture:** two 45-minute lectures.
# **Exercises:** two to three hours, [in the sheet](../exercises/ch05_margin_sheet.ipynb).

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# What must not be left out: the prices, the three points, the gap (8), the forces.
#
# Can be skipped: What the margin is good for; A general solver and a dedicated one; An escape that is none; The same in scikit-learn.
#
# </details>

# %% [markdown] key="perceptrons" slide="slide"
# ## Five hundred perceptrons
#
# The perceptron starts with $w=0$, $b=0$ and looks at one flower after the other. With $f(x)=w^\top x+b$, a flower is a mistake if $y\,f(x)\le0$; then
# $w\leftarrow w+y\,x$ and $b\leftarrow b+y$. It stops after a pass without mistakes. The rule leaves one thing open: **the order of the flowers.**


# %% key="perceptrons-code"
def perceptron(X, y):
    w, b, updates, clean = np.zeros(X.shape[1]), 0.0, 0, False
    while not clean:
        clean = True
        for x_i, y_i in zip(X, y, strict=True):
            if y_i * (w @ x_i + b) <= 1e-12:  # ≤ 0, up to rounding
                w, b, updates, clean = w + y_i * x_i, b + y_i, updates + 1, False
    return w, b, updates


orders = [np.random.default_rng(seed).permutation(len(y)) for seed in range(500)]
runs = [perceptron(X[order], y[order]) for order in orders]
lines = np.array([[*w, b] for w, b, _ in runs])

# %% key="perceptrons-verify" slide="skip" hide="input"
same = [Perceptron().fit(X[order], y[order]) for order in orders[:20]]
verify(
    "kcourse's Perceptron does the same",
    [[*m.weights_, m.intercept_] for m in same],
    lines[:20],
)
verify("none of the 500 makes a mistake", np.all(y * (lines[:, :2] @ X.T + lines[:, 2:]) > 0))
directions = np.unique(np.round(lines / np.linalg.norm(lines[:, :2], axis=1)[:, None], 9), axis=0)
verify("different lines among the 500", len(directions), "251")

# %% [markdown] key="perceptrons-predict" slide="subslide"
# **Predict first.** 500 orders of the same flowers give 251 different lines, all without a mistake. Draw one after the other with the slider, and watch
# how near each comes to a flower.
#
# 1. Of the room that the gap allows on either side, what part does a *typical* line keep?
# 2. Does any of the 500 use nearly all of it? Does any pass a flower by less than a tenth of a millimetre?

# %% [markdown] key="perceptrons-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Take bets on the median before moving the slider. Then ask which of the lines on the screen they would sign, and why; what they say about it
# ("not so close to that one") is the definition of the margin. Uncover the widest line last.
#
# </details>

# %% key="perceptrons-figure" hide="input"
machine = MaxMargin().fit(X, y)
shuffled = orders_explorer((X, y), lines, (machine.weights_, machine.intercept_), names, labels)

# %% [markdown] key="perceptrons-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# The median line comes within 0.302 cm of a flower, less than half of what is possible; the best of the 500 keeps 0.640 cm, the worst 0.003 cm. The perceptron stops at
# the *first* line without a mistake, and that may be any of them: one in six comes within a millimetre, one in five keeps four to five. It has no reason to
# go on. The widest keeps 0.652 cm. What reason could one give a machine to look for that one, and how would it know that it has found it?
#
# </details>

# %% key="perceptrons-verify-2" slide="skip" hide="input"
half = np.array([np.min(y * signed_distances(X, u[:2], u[2])) for u in lines])
verify("the median (cm)", np.median(half), "0.302")
verify("the best (cm)", half.max(), "0.640")
verify("the worst (cm)", half.min(), "0.003")
verify("the widest possible (cm)", machine.margin_, "0.652")
verify("the worst is nearer than a tenth of a millimetre", half.min() < 0.01)
verify("about one in six comes within a millimetre", 0.14 < np.mean(half < 0.1) < 0.19)
verify("about one in five keeps four to five", 0.17 < np.mean((half > 0.4) & (half < 0.5)) < 0.23)

# %% [markdown] key="distance" slide="slide"
# ## How far is a point from a line?
#
# Let $w^\top x+b=0$ be a line in the plane, a plane in space, a *hyperplane* in $\mathbb R^d$; we say plane for all of them. **Step 1.** From $x$ walk along $-w$, which is
# perpendicular to it, until you stand on it: $x-t\,w$ with
#
# $$w^\top(x-t\,w)+b=0\quad\Longrightarrow\quad t=\frac{w^\top x+b}{\|w\|^2}.$$
#
# The way is $t\,w$, so its length is $|t|\,\|w\|$. With the sign of the side on which $x$ lies,
#
# $$\text{signed distance}=\frac{w^\top x+b}{\|w\|}=\frac{f(x)}{\|w\|}. \tag{1}$$
#
# One lecture calls (1) itself the distance; at the origin of the example below it is $-1.342$, and no distance is negative.
#
# <!-- slide
# **Step 1.** Walk from $x$ along $-w$ to the plane:
#
# $$w^\top(x-t\,w)+b=0\quad\Longrightarrow\quad t=\frac{w^\top x+b}{\|w\|^2}$$
#
# The way is $t\,w$, of length $|t|\,\|w\|$. With the sign of the side:
#
# $$\text{signed distance}=\frac{w^\top x+b}{\|w\|}=\frac{f(x)}{\|w\|} \tag{1}$$
# -->

# %% [markdown] key="distance-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let them find t: what must hold at the foot? Ask why nothing on the line is nearer (Pythagoras), and what the sign says.
#
# </details>

# %% key="distance-picture" slide="subslide" hide="input"
w, b, x = np.array([1.0, 2.0]), -3.0, np.array([3.0, 3.0])
foot = x - (w @ x + b) / (w @ w) * w
fig, ax = plt.subplots(figsize=(6.4, 4))
ax.axline((3, 0), slope=-0.5, **cycle(0))
ax.annotate("", (1.5, 2.0), (1.0, 1.0), arrowprops={"width": 1.5, "headwidth": 8, "color": "black"})
ax.annotate(
    "", foot, x, arrowprops={"arrowstyle": "<->", "color": cycle(1)["color"], "linewidth": 2}
)
ax.plot(*x, "o", color="black", markersize=8)
ax.plot(*foot, "o", color="white", markeredgecolor="black", markersize=8)
ax.text(3.12, 3.05, "x", fontsize=14)
ax.text(0.55, 0.2, "foot, x − t w", fontsize=12)
ax.text(1.58, 1.95, "w", fontsize=14)
ax.text(2.45, 1.6, "|t| ‖w‖", fontsize=13, color=cycle(1)["color"])
ax.text(-0.3, 1.85, "wᵀx + b = 0", fontsize=12, color=cycle(0)["color"])
ax.set(xlim=(-1, 4.5), ylim=(-0.4, 3.6), aspect="equal", xlabel="x₁", ylabel="x₂")
show(
    fig,
    alt="A line falling from left to right, the arrow w perpendicular to it, a point x above the "
    "line, and the double arrow from x down to its foot on the line, parallel to w, of length |t| "
    "times the length of w.",
)

# %% key="distance-verify" slide="skip"
w, b, x = np.array([1.0, 2.0]), -3.0, np.array([3.0, 3.0])
t = (w @ x + b) / (w @ w)
foot = x - t * w
verify("the foot lies on the line", w @ foot + b, 0.0)
verify(
    "the way to it is as long as (1) says",
    np.linalg.norm(x - foot),
    (w @ x + b) / np.linalg.norm(w),
)
along = np.array([-2.0, 1.0])  # a direction of the line
others = foot + np.linspace(-2, 2, 41)[:, None] * along
verify(
    "no point of the line is nearer",
    np.linalg.norm(others - x, axis=1).min(),
    np.linalg.norm(x - foot),
)

# %% key="distance-verify-2" slide="skip" hide="input"
verify("the signed distance of the origin", b / np.linalg.norm(w), "-1.342")

# %% [markdown] key="scale" slide="slide"
# ## A scale that is free
#
# Multiply $w$ and $b$ by 7. Every $f(x)$ is seven times as large, every distance (1) is what it was, and the plane has not moved. So $(w,b)$ has one freedom too
# many, and $f(x)$ by itself means nothing. A point is on its right side if $y\,f(x)>0$, no more.
#
# **Step 2.** Use the freedom: divide $(w,b)$ by the least $y_if(x_i)$, which is positive if the plane separates. Then
#
# $$\min_i\;y_i\,(w^\top x_i+b)=1. \tag{2}$$
#
# This is the *canonical* scale. What is scaled is $(w,b)$; the flowers stay where they are. Lectures say it otherwise: one scales “the data space”, one asks for “a distance of at least 1”. But 1 is a value of $y\,f$ and has no unit; the distance of the nearest point is, by (1),
# $1/\|w\|$.
#
# <!-- slide
# Multiply $w$ and $b$ by 7: every distance (1) stays, every $f(x)$ grows. One freedom too many.
#
# **Step 2.** Divide $(w,b)$ by the least $y_if(x_i)$:
#
# $$\min_i\;y_i\,(w^\top x_i+b)=1 \tag{2}$$
#
# the *canonical* scale. The flowers stay where they are. 1 is a value of $y\,f$; the **distance** of the nearest point is $1/\|w\|$.
# -->

# %% [markdown] key="scale-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask: is f(x) = 5 far away? Nobody can say, and that is the point. Then ask what the unit of w is (one over a centimetre), and of the 1 in (2) (none).
#
# </details>

# %% key="scale-verify" slide="skip"
w, b, _ = perceptron(X, y)  # any line that separates will do
scale = np.min(y * (X @ w + b))
w, b = w / scale, b / scale
verify("(2): the nearest flower has y f = 1", np.min(y * (X @ w + b)), 1.0)
verify("its distance is 1/‖w‖", np.min(np.abs(signed_distances(X, w, b))), 1 / np.linalg.norm(w))
verify(
    "seven times (w, b) is the same line",
    signed_distances(X, 7 * w, 7 * b),
    signed_distances(X, w, b),
)

# %% key="scale-verify-2" slide="skip" hide="input"
a, c = canonical(7 * w, 7 * b, X, y)
verify("... and has the same canonical scale", [*a, c], [*w, b])
x_e, y_e = np.array([0.2, 3.0, -0.5]), np.array([1, 1, -1])
verify("f(x) = x: y f is 0.2, 3, 0.5, all right and not all at least 1", y_e * x_e, [0.2, 3, 0.5])

# %% [markdown] key="primal" slide="slide"
# ## The widest strip
#
# In canonical scale no point lies inside the strip $-1<f(x)<1$, and a point lies on its edge. The strip reaches $1/\|w\|$ to each side. The *margin* is its width; some
# books call the half of it so. We want it as wide as possible, so $\|w\|$ as small as possible, and to minimise $\tfrac12\|w\|^2$ is the same and has nicer slopes. **Step 3:**
#
# $$\min_{w,b}\;\tfrac12\|w\|^2\quad\text{subject to}\quad y_i\,(w^\top x_i+b)\ge1\ \text{ for all }i;\qquad\text{width}=\frac2{\|w\|}. \tag{3}$$
#
# We ask for $\ge1$ and not for $\min=1$: if all were above 1, a shorter $w$ would do. (Where a plane separates, there *is* a shortest: the hulls below construct it.) A convex function on a convex set, a *quadratic programme*. Its solution, the *maximum margin* classifier, is
# **unique**: if $w\ne w'$ were both shortest, their mean would be allowed and shorter; and with $w$ given, $b$ is fixed, because both classes must touch the strip (else slide it to make room on
# either side, and shrink $w$).
#
# <!-- slide
# In canonical scale the strip $-1<f(x)<1$ is empty and reaches $1/\|w\|$ to each side. **Step 3:** the *maximum margin* classifier
#
# $$\min_{w,b}\;\tfrac12\|w\|^2\quad\text{subject to}\quad y_i\,(w^\top x_i+b)\ge1;\qquad\text{width}=\frac2{\|w\|} \tag{3}$$
#
# A *quadratic programme*, and the solution is **unique**: if $w\ne w'$ were both shortest, what of their mean?
# -->

# %% [markdown] key="primal-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask why ½‖w‖² and not 2/‖w‖: same solution, and a parabola instead of a hyperbola. Then let them prove uniqueness by the mean of two; it takes one line and uses that the
# ball is round.
#
# </details>

# %% key="primal-code" slide="skip"
Z = y[:, None] * np.column_stack([X, np.ones(len(y))])  # y_i f(x_i) = Z_i · (w, b)

found = minimize(
    lambda v: 0.5 * v[:2] @ v[:2],
    np.zeros(3),
    jac=lambda v: np.append(v[:2], 0.0),
    constraints={"type": "ineq", "fun": lambda v: Z @ v - 1, "jac": lambda v: Z},
    method="SLSQP",
    options={"ftol": 1e-14},
)
w, b = found.x[:2], found.x[2]
print(f"w = ({w[0]:.4f}, {w[1]:.4f}), b = {b:.4f}, width {2 / np.linalg.norm(w):.4f} cm")

# %% key="primal-picture" slide="subslide" hide="input"
fig, ax = plt.subplots(figsize=(8, 4))
strip(ax, w, b)
draw_flowers(ax)
on = np.flatnonzero(Z @ found.x < 1 + 1e-6)
ax.plot(
    *X[on].T, "o", color=cycle(1)["color"], markersize=15, markerfacecolor="none", markeredgewidth=2
)
ax.legend(loc="lower right")
show(
    fig,
    alt="The irises again, with the widest strip between the two clouds as a grey band around its"
    " middle line. One setosa, 1.9 cm long and 0.4 cm wide, and one versicolor, 3.0 and 1.1 "
    "cm, lie on the edges and are ringed; no other flower touches the strip.",
)

# %% [markdown] key="primal-reading"
# The strip is 1.304 cm wide. Two flowers of a hundred touch it. Move any of the others, as long as it stays outside, and nothing happens.
#
# <!-- slide
# 1.304 cm wide, and two flowers of a hundred touch it. **The other 98: do they matter?**
# -->

# %% key="primal-verify" slide="skip" hide="input"
verify("the width (cm)", 2 / np.linalg.norm(w), "1.304")
verify("two flowers touch the strip", len(on) == 2)
verify(
    "kcourse's MaxMargin finds the same", [*w, b], [*machine.weights_, machine.intercept_], tol=1e-6
)
alone = MaxMargin().fit(X[on], y[on])
verify("the two alone give the same line", alone.weights_, machine.weights_, tol=1e-8)
verify("the setosa that touches", X[on[0]], [1.9, 0.4])
verify("the versicolor", X[on[1]], [3.0, 1.1])

# %% [markdown] key="price" slide="slide"
# ## A price for every point
#
# How does one minimise under constraints? First with one unknown. $\tfrac12w^2-3w$ has slope $w-3$ and its minimum at $w=3$, with value $-4.5$. Now somebody demands $w\le2$. The slope no longer
# vanishes at the best place, $w=2$: it is $-1$, and wants to go on. **Replace the wall by a price:** charge $\alpha$ for every unit beyond 2, and pay as much for every unit that is left. The least of
#
# $$\tfrac12w^2-3w-\alpha\,(2-w)$$
#
# lies at $w=3-\alpha$, which is 2 for $\alpha=1$. At that price the wall can be taken away: nobody wants to cross it. Had the demand been $w\le4$, the price would be 0. So a price is
# **not negative** (one lecture says “positive”), and it is 0 where the wall is not felt.
#
# <!-- slide
# $\tfrac12w^2-3w$ is least at $w=3$. Somebody demands $w\le2$. **Replace the wall by a price** $\alpha$ for each unit beyond:
#
# $$\tfrac12w^2-3w-\alpha\,(2-w)\quad\text{is least at}\quad w=3-\alpha$$
#
# At which price may the wall be taken away? And if the demand is $w\le4$?
# -->

# %% [markdown] key="price-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Let them say the price before it is written: 3 - α = 2.
#
# </details>

# %% key="price-verify" slide="skip"
u = np.linspace(0, 5, 5001)
value = u**2 / 2 - 3 * u
verify("without a wall: w = 3", u[value.argmin()], 3.0)
verify("with the wall: w = 2", u[u <= 2][value[u <= 2].argmin()], 2.0)
verify("with the price 1: w = 2, too", u[(value - 1 * (2 - u)).argmin()], 2.0)

# %% key="price-verify-2" slide="skip" hide="input"
verify("without a wall the value is", value.min(), "-4.5")
verify("with the wall at 4 the price is 0: nothing changes", u[u <= 4][value[u <= 4].argmin()], 3.0)

# %% [markdown] key="lagrangian" slide="subslide"
# **Step 4. The Lagrangian.** Now a price $\alpha_i\ge0$ for each point, on its constraint $y_if(x_i)-1\ge0$:
#
# $$L(w,b,\alpha)=\tfrac12\|w\|^2-\sum_i\alpha_i\big(y_i(w^\top x_i+b)-1\big). \tag{4}$$
#
# Let an opponent choose the prices, to make $L$ large. If a constraint is violated, that price is made huge, and $L=\infty$; if none is, the best prices make every term 0, and
# $L=\tfrac12\|w\|^2$. So $\min_{w,b}\max_\alpha L$ is the primal. **Exchange the two:** the opponent names the prices first, and we answer. At given prices $L$ is smallest where its slopes in $w$ and $b$ vanish:
#
# $$w=\sum_i\alpha_iy_ix_i, \tag{5}$$
#
# $$0=\sum_i\alpha_iy_i. \tag{6}$$
#
# And the prices are good ones if none can be improved: where $y_if(x_i)>1$, the slope of $L$ in $\alpha_i$ is $1-y_if(x_i)<0$, so the price goes down until it is stopped, at $\alpha_i=0$. That is *complementary slackness*,
#
# $$\alpha_i\,\big(y_if(x_i)-1\big)=0\quad\text{for all }i.$$
#
# Points with $\alpha_i>0$ are called *support vectors*: they lie on the edge of the strip.
#
# <!-- slide
# **Step 4.** A price $\alpha_i\ge0$ on each constraint:
#
# $$L(w,b,\alpha)=\tfrac12\|w\|^2-\sum_i\alpha_i\big(y_i(w^\top x_i+b)-1\big) \tag{4}$$
#
# An opponent names the prices, then we answer. Slopes in $w$ and $b$:
#
# $$w=\sum_i\alpha_iy_ix_i \tag{5}$$ $$0=\sum_i\alpha_iy_i \tag{6}$$
#
# No price can be improved if $\alpha_i\,\big(y_if(x_i)-1\big)=0$ for all $i$: *complementary slackness*. Points with $\alpha_i>0$ are *support vectors*.
# -->

# %% [markdown] key="lagrangian-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Play it: one half of the room names prices, the other answers with w. Ask why (6) must hold (otherwise we choose b = ±∞ and win everything). Then the question that separates those who
# follow from those who copy: does ∂L/∂α vanish? Only where α is positive; a lecture that sets all three slopes to 0 has lost the inequality.
#
# </details>

# %% key="lagrangian-verify" slide="skip"
def L(w, b, prices):
    return 0.5 * w @ w - prices @ (y * (X @ w + b) - 1)


best_w, best_b, prices = machine.weights_, machine.intercept_, machine.multipliers_
value, rng = L(best_w, best_b, prices), np.random.default_rng(0)
answers = [L(best_w + v[:2], best_b + v[2], prices) for v in rng.normal(size=(500, 3))]
others = [L(best_w, best_b, p) for p in rng.exponential(size=(500, 100))]
verify("at these prices nobody answers with less", min(answers) >= value)
verify("... and no other prices bring more", max(others) <= value + 1e-9)
verify("L is then ½‖w‖²: every term with a price is 0", value, 0.5 * best_w @ best_w, tol=1e-8)

# %% [markdown] key="kkt" slide="subslide"
# The conditions together are called after *Karush, Kuhn and Tucker*, in short *KKT*:
#
# | | condition | in words |
# |---|---|---|
# | primal | $y_if(x_i)\ge1$ | no point inside the strip |
# | dual | $\alpha_i\ge0$ | no negative price |
# | stationary in $w$ | $w=\sum\alpha_iy_ix_i$ | the support vectors make $w$ |
# | stationary in $b$ | $\sum\alpha_iy_i=0$ | both classes weigh the same |
# | slackness | $\alpha_i(y_if(x_i)-1)=0$ | no price where the wall is not felt |

# %% [markdown] key="by-hand" slide="slide"
# ## Three points by hand
#
# $x_1=(3,3)$ and $x_2=(4,3)$ of class $+1$, $x_3=(1,1)$ of class $-1$. Take a sheet of paper, sketch them, **guess** which of the three is too far away to matter, and find $\alpha$, $w$ and $b$ from the five conditions.

# %% [markdown] key="by-hand-notes" slide="notes"
# <details><summary>For the lecturer (5 min)</summary>
#
# Let them do it; five minutes with a pencil. Then ask what would have shown that the guess was wrong (try α₃ and α₂ alone: then y₁f(x₁) is below 1). Ask for the distance of x₁ to the line: √2, not 1. Then ask for the slope
# of L in α₂: it is -0.5.
#
# </details>

# %% [markdown] key="by-hand-2" slide="fragment"
# <details><summary><b>On paper</b> (open this once you have written down your numbers)</summary>
#
# $x_2$ is further away than $x_1$, so try $\alpha_2=0$.
#
# - (6): $\alpha_1=\alpha_3$, call it $\alpha$. (5): $w=\alpha\,(3,3)-\alpha\,(1,1)=(2\alpha,2\alpha)$.
# - Slackness: $w^\top x_1+b=12\alpha+b=1$ and $w^\top x_3+b=4\alpha+b=-1$. Subtract: $8\alpha=2$.
# - So $\alpha=\tfrac14$, $w=(\tfrac12,\tfrac12)$, and $b$ from either: $b=1-3=-2$, $b=-1-1=-2$.
# - Check the guess: $y_2f(x_2)=\tfrac12\cdot4+\tfrac12\cdot3-2=1.5\ge1$. ✓
#
# All five conditions hold, the width is $2/\|w\|=2\sqrt2$: the distance from $x_3$ to $x_1$, as it must be.
#
# </details>

# %% key="by-hand-verify" slide="skip"
X3, y3 = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array([1, 1, -1])
alpha3 = np.array([0.25, 0, 0.25])
w3, b3 = (alpha3 * y3) @ X3, -2.0
print(kkt_report(X3, y3, alpha3, b3, weights=w3))

# %% key="by-hand-verify-2" slide="skip" hide="input"
verify("w by hand", w3, [0.5, 0.5])
verify("y₂ f(x₂)", y3[1] * (X3[1] @ w3 + b3), "1.5")
verify("the width is 2√2", 2 / np.linalg.norm(w3), 2 * np.sqrt(2))
verify("... and the distance from x₃ to x₁", np.linalg.norm(X3[0] - X3[2]), 2 * np.sqrt(2))
three = MaxMargin().fit(X3, y3)
verify("MaxMargin: w, b", [*three.weights_, three.intercept_], [0.5, 0.5, -2], tol=1e-8)
verify("MaxMargin: α", three.multipliers_, alpha3, tol=1e-8)
wrong_guess = MaxMargin().fit(X3[1:], y3[1:])  # x₁ left out
verify("with α₁ = 0 instead, x₁ would be inside", wrong_guess.decision_function(X3[:1])[0] < 1)
pair = MaxMargin().fit([[1.0, 1.0], [0.0, 0.0]], [1, -1])
verify(
    "quiz: (1,1) against (0,0), w and b", [*pair.weights_, pair.intercept_], [1, 1, -1], tol=1e-8
)
verify("quiz: both α are 1", pair.multipliers_, 1.0, tol=1e-8)

# %% [markdown] key="by-hand-reading" slide="subslide"
# **Three things to see there.** (The report is that of chapter 6, too; here $C=\infty$ and $\xi_i=0$.)
#
# - $y\,f(x_1)=1$, and its distance to the line is $1/\|w\|=\sqrt2$. The 1 is no distance.
# - $\partial L/\partial\alpha_2=1-1.5=-0.5$. It does **not** vanish. Prices are pushed against a wall of their own, $\alpha\ge0$.
# - $b$ comes from $y_n(w^\top x_n+b)=1$, *with the label*. Without it $x_3$ gives $b=0$, off by 2.

# %% key="by-hand-verify-3" slide="skip" hide="input"
verify("∂L/∂α₂", 1 - y3[1] * (X3[1] @ w3 + b3), "-0.5")
verify("b without the label, from x₃", 1 - X3[2] @ w3, 0.0)
verify("b with it, from both", [y3[0] - X3[0] @ w3, y3[2] - X3[2] @ w3], [-2.0, -2.0])

# %% [markdown] key="dual" slide="slide"
# ## The dual
#
# **Step 5.** Put (5) and (6) into (4). The terms with $b$ vanish, those with $w$ are $\tfrac12\|w\|^2-\|w\|^2$, and what the opponent has to make large is
#
# $$D(\alpha)=\sum_i\alpha_i-\tfrac12\sum_{i,j}\alpha_i\alpha_jy_iy_j\,x_i^\top x_j,\qquad\alpha_i\ge0,\quad\sum_i\alpha_iy_i=0. \tag{7}$$
#
# Points occur in **inner products** only. So write $k(x_i,x_j)$ for them, and you have the widest margin in any feature space (chapter 2); there
# $f(x)=\sum_i\alpha_iy_i\,k(x_i,x)+b$, and only support vectors occur in it. *To predict*, the zeros save work; *to train*, all pairs are needed, since nobody knows
# beforehand who is a zero.
#
# <!-- slide
# **Step 5.** (5) and (6) into (4):
#
# $$D(\alpha)=\sum_i\alpha_i-\tfrac12\sum_{i,j}\alpha_i\alpha_jy_iy_j\,x_i^\top x_j,\qquad\alpha_i\ge0,\quad\sum_i\alpha_iy_i=0 \tag{7}$$
#
# **Inner products** only: write $k(x_i,x_j)$ for them, and $f(x)=\sum_i\alpha_iy_i\,k(x_i,x)+b$.
# -->

# %% [markdown] key="gap" slide="subslide"
# **Step 6. Is it the same problem?** For *any* $w$, $b$ and any $\alpha$ with $\sum\alpha_iy_i=0$, expand the squares and see
#
# $$\tfrac12\|w\|^2-D(\alpha)=\tfrac12\Big\|w-\sum_i\alpha_iy_ix_i\Big\|^2+\sum_i\alpha_i\big(y_if(x_i)-1\big). \tag{8}$$
#
# If $(w,b)$ keeps the constraints and $\alpha\ge0$, both terms on the right are $\ge0$. So **no dual value is above a primal value**; and they meet if and only if (5) and slackness hold. Whoever
# shows numbers that satisfy KKT has *proved* that they are optimal, wherever they came from. And since they meet, $\tfrac12\|w\|^2=\sum\alpha_i-\tfrac12\|w\|^2$, that is $\|w\|^2=\sum\alpha_i$. What is still missing is that such $\alpha$ exist; the hulls below
# construct them.
#
# <!-- slide
# **Step 6.** For *any* $w,b$ and any $\alpha$ with $\sum\alpha_iy_i=0$:
#
# $$\tfrac12\|w\|^2-D(\alpha)=\tfrac12\Big\|w-\sum_i\alpha_iy_ix_i\Big\|^2+\sum_i\alpha_i\big(y_if(x_i)-1\big) \tag{8}$$
#
# Constraints kept, $\alpha\ge0$: what can you say of the right side? When is it 0?
# -->

# %% [markdown] key="gap-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Let them expand (8); it is four terms. Then the meaning: two teams, one looks for short w, the other for high prices; when the two numbers meet, both can go home. Ask for Σα at the optimum of the three points (½ = ‖w‖²).
#
# </details>


# %% key="gap-verify" slide="skip"
def dual_value(alpha, K, y):
    v = alpha * y
    return alpha.sum() - 0.5 * v @ K @ v


rng = np.random.default_rng(0)
any_w, any_b = rng.normal(size=2), rng.normal()
any_alpha = rng.uniform(size=3)
any_alpha[2] = any_alpha[0] + any_alpha[1]  # Σ α_i y_i = 0
left = 0.5 * any_w @ any_w - dual_value(any_alpha, X3 @ X3.T, y3)
rest = any_w - (any_alpha * y3) @ X3
right = 0.5 * rest @ rest + any_alpha @ (y3 * (X3 @ any_w + any_b) - 1)
verify("(8) for any w, b and balanced α", left, right)
verify("by hand: primal and dual meet", 0.5 * w3 @ w3, dual_value(alpha3, X3 @ X3.T, y3))
verify("... and ‖w‖² = Σα", w3 @ w3, alpha3.sum())

# %% [markdown] key="forces" slide="slide"
# ## Forces in equilibrium
#
# Look at (5) and (6) as an engineer. The strip is a stiff board, and each support vector pushes against it, perpendicular to it, with the force $\alpha_i$: class $+1$ from one side, class $-1$ from
# the other. (6) says that **the forces cancel**. And their torques? The force at $x_i$ is $-\alpha_iy_iw/\|w\|$, so the torques sum, by (5), to
# $\sum_ix_i\times(-\alpha_iy_iw)/\|w\|=-\,w\times w/\|w\|=0$. The board does not turn, either. **A maximum margin is a board at rest.**
#
# The board below lies on the line $x_2=1$. From above push $(0,2)$ and $(4,2)$, from below pushes $(1,0)$ with $\alpha=\tfrac12$.
#
# <!-- slide
# The strip is a stiff board; support vector $i$ pushes with the force $\alpha_i$, one class from each side.
#
# - (6), $\sum\alpha_iy_i=0$: the **forces** cancel.
# - (5), $\sum\alpha_iy_ix_i=w$: the **torques** cancel, since $w\times w=0$.
#
# Below pushes $(1,0)$ with $\tfrac12$. **How much do $(0,2)$ and $(4,2)$ carry?**
# -->

# %% [markdown] key="forces-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Hold a ruler between fingers. A seesaw: (0,2) is 1 away from the finger below, (4,2) is 3 away, so they carry 3 : 1. The lever rule gives the multipliers without any algebra. Then push a fourth finger in: who carries what? With four legs a table wobbles,
# and that is the next surprise.
#
# </details>

# %% key="forces-picture" slide="subslide" hide="input"
X_b, y_b = np.array([[0.0, 2.0], [4.0, 2.0], [1.0, 0.0]]), np.array([1, 1, -1])
board = MaxMargin().fit(X_b, y_b)
fig, ax = plt.subplots(figsize=(7.6, 3.6))
strip(ax, board.weights_, board.intercept_)
for (px, py), label, told in zip(X_b, y_b, ("?", "?", "½"), strict=True):
    fill = "black" if label > 0 else "white"
    marker = "^" if label > 0 else "o"
    ax.plot(px, py, marker, color="black", markersize=8, zorder=5, markerfacecolor=fill)
    arrow = {"width": 2.5, "headwidth": 9, "color": cycle(1)["color"]}
    ax.annotate("", (px, py), (px, py + label), arrowprops=arrow)
    ax.text(px + 0.15, py + 0.7 * label, told, fontsize=15, va="center")
ax.set(xlim=(-1, 5), ylim=(-1.3, 3.3), aspect="equal", xlabel="x₁", ylabel="x₂")
show(
    fig,
    alt="A horizontal strip between x₂ = 0 and x₂ = 2. Two triangles push on it from above, at "
    "x₁ = 0 and x₁ = 4, with forces that are not told; a circle pushes from below, at x₁ = 1, "
    "with one half.",
)

# %% [markdown] key="forces-predict"
# **Predict first.** How much does each of the upper two carry?
#
# <!-- slide -->

# %% [markdown] key="forces-reading" slide="subslide"
# <details><summary><b>What the board says</b> (open this once you have written down your answer)</summary>
#
# It is a seesaw on $(1,0)$: the left arm has the length 1, the right one 3, so the left point carries three quarters of $\tfrac12$, which is $0.375$, and the right one $0.125$. A point that moves further out carries less. Nothing of
# that needed a quadratic programme.
#
# </details>

# %% key="forces-verify" slide="skip" hide="input"
verify("the three forces", board.multipliers_, [0.375, 0.125, 0.5], tol=1e-8)
verify("they cancel", board.multipliers_ @ y_b, 0.0, tol=1e-8)
force = -(board.multipliers_ * y_b)[:, None] * board.weights_ / np.linalg.norm(board.weights_)
torque = np.sum(X_b[:, 0] * force[:, 1] - X_b[:, 1] * force[:, 0])
verify("and so do their torques", torque, 0.0, tol=1e-8)

# %% [markdown] key="play-predict" slide="slide"
# ## Push a point
#
# **Predict first.** The three points of above, and one of them, marked by a cross, can be moved.
#
# 1. Move it to the right and up, away from the others. When does the line begin to follow?
# 2. Move it to the left and down. As the strip becomes narrower, do the multipliers grow or shrink?
# 3. Take *square*: four points touch the strip. How many support vectors are there?

# %% [markdown] key="play-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Go slowly to the left: at some stop a second point takes load, then all of it. Then Σα = ‖w‖² = 4 over the width squared: narrow means expensive. In the square walk through the optima: the bars move, the line stays. Ask what the table with four legs has to
# do with it.
#
# </details>


# %% key="play-figure" hide="input"
def all_optima(points, classes):
    """w, b, and the two ends of a way through all optimal multipliers."""
    try:
        model = MaxMargin().fit(points, classes)
    except ValueError:
        return None
    alpha = model.multipliers_
    w, b = model.weights_, model.intercept_
    touching = np.flatnonzero(classes * (points @ w + b) < 1 + 1e-6)
    # what may be added to α without changing (5) and (6)
    free = null_space(
        (classes * np.column_stack([points, np.ones(len(points))]).T)[:, touching], rcond=1e-6
    )
    if free.shape[1] == 0:
        return w, b, alpha, alpha
    v = np.zeros(len(points))
    v[touching] = free[:, 0] * np.sign(free[np.argmax(np.abs(free[:, 0])), 0])
    up = min((alpha[i] / -v[i] for i in touching if v[i] < -1e-9), default=0.0)
    down = min((alpha[i] / v[i] for i in touching if v[i] > 1e-9), default=0.0)
    return w, b, np.maximum(alpha - down * v, 0), np.maximum(alpha + up * v, 0)


presets = {
    "three points": (X3, y3, 1),
    "six points": (
        np.array([[3.0, 3.5], [4.5, 2.0], [5.0, 4.0], [1.0, 2.0], [2.0, 0.5], [0.5, 0.5]]),
        np.array([1, 1, 1, -1, -1, -1]),
        0,
    ),
    "square": (
        np.array([[4.0, 3.0], [4.0, 1.0], [2.0, 3.0], [2.0, 1.0]]),
        np.array([1, 1, -1, -1]),
        0,
    ),
}
pushing = points_explorer(presets, all_optima)

# %% [markdown] key="play-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# Outside the strip a point has no price, and the line does not know of it. Once it touches, it takes over load from others. As the strip narrows the prices grow, since $\sum\alpha_i=\|w\|^2=4/\text{width}^2$. In the *square* four points touch, and
# $(\tfrac12,0,\tfrac12,0)$ is as good as four quarters. All optima are $(t,\tfrac12-t,t,\tfrac12-t)$: **two support vectors or four**, as you like, never three, and one and the same line.
#
# </details>

# %% key="play-verify" slide="skip" hide="input"
XS, yS, _ = presets["square"]
ws, bs, one_end, other_end = all_optima(XS, yS)
for name, a in (("½, 0, ½, 0", [0.5, 0, 0.5, 0]), ("four quarters", [0.25] * 4)):
    report = kkt_report(XS, yS, a, bs, weights=ws)
    verify(f"square: {name} satisfy all conditions", report.optimal)
    verify(f"square: {name} have the dual value ½", report.dual_value, 0.5)
free = null_space((yS * np.column_stack([XS, np.ones(4)]).T), rcond=1e-6)
verify("square: one way to go, (1, -1, 1, -1)", free[:, 0] / free[0, 0], [1, -1, 1, -1])
verify("square: all four touch", yS * (XS @ ws + bs), 1.0, tol=1e-8)
verify(
    "the explorer's ways end at optima",
    all(kkt_report(XS, yS, e, bs).optimal for e in (one_end, other_end)),
)
X6, y6, _ = presets["six points"]
six = MaxMargin().fit(X6, y6)
verify(
    "six points: Σα is 4 over the squared width",
    six.multipliers_.sum(),
    4 / six.width_**2,
    tol=1e-8,
)

# %% [markdown] key="many" slide="skip"
# **One line, many multipliers.** A table with three legs stands, and each leg knows its load; with four the loads are not determined, and nobody minds, since the table stands. So it is here: $w$ and $b$ are unique, $\alpha$ is not. Two solvers may name different support vectors and both be right. To compare them, compare $w$, $b$ and the value, never $\alpha$.

# %% [markdown] key="hulls" slide="slide"
# ## The shortest segment between two hulls
#
# “In the middle” you said at the beginning; of what? Take a rubber band around each class: its *convex hull*, all means $\sum\lambda_ix_i$ with weights $\lambda_i\ge0$ that sum to 1. Let $p$ and $q$ be the nearest points of the hulls of class $+1$ and $-1$ (there are such: hulls of finitely many points are closed and bounded), and $d=p-q\ne0$. **Step 7.**
#
# - For $x$ of class $+1$, $(x-p)^\top d\ge0$: else a small step from $p$ towards $x$, inside the hull, would come nearer to $q$. In the same way $(x-q)^\top d\le0$ for class $-1$.
# - So with $w=\dfrac{2}{\|d\|^2}\,d$ and $b$ such that $f(p)=1$, $f(q)=-1$, all constraints hold.
# - $p$ and $q$ are means, with weights $\lambda_i$. Put $\alpha_i=\dfrac{2\lambda_i}{\|d\|^2}$. Then (5) and (6) hold, and so does slackness: the mean of the $f(x_i)\ge1$ is $f(p)=1$, so where $\lambda_i>0$ they are 1.
#
# All of KKT: by (8) this is the solution, and the missing piece is there, **the $\alpha$ exist** whenever the hulls do not meet. And *the widest strip is as wide as the hulls are apart*:
#
# $$\frac2{\|w\|}=\|p-q\|. \tag{9}$$
#
# <!-- slide
# “In the middle” of what? Of the *convex hulls*. $p,q$: their nearest points, $d=p-q$. **Step 7.**
#
# $(x-p)^\top d\ge0$ for class $+1$, $(x-q)^\top d\le0$ for class $-1$. **Why?**
#
# <div class="fragment">
#
# - $w=\frac{2}{\|d\|^2}d$, $f(p)=1$, $f(q)=-1$: all constraints hold.
# - $p,q$ are means with weights $\lambda_i$; put $\alpha_i=2\lambda_i/\|d\|^2$: all of KKT holds.
#
# *The widest strip is as wide as the hulls are apart:* $\;2/\|w\|=\|p-q\|$.
#
# </div>
# -->

# %% [markdown] key="hulls-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Draw two potatoes and the shortest segment. The first bullet is the whole proof: let them find it ("if x were on the other side of the perpendicular, then …"). Say that this also proves strong duality, without any theorem about it.
#
# </details>

# %% key="hulls-verify" slide="skip"
plus, minus = X[y > 0], X[y < 0]


def apart(lam):  # squared distance of two means, and its slope
    d = lam[:50] @ plus - lam[50:] @ minus
    return d @ d, 2 * np.concatenate([plus @ d, -minus @ d])


nearest = minimize(
    apart,
    np.full(100, 1 / 50),
    jac=True,
    bounds=[(0, 1)] * 100,
    constraints=[
        {"type": "eq", "fun": lambda lam: lam[:50].sum() - 1},
        {"type": "eq", "fun": lambda lam: lam[50:].sum() - 1},
    ],
    method="SLSQP",
    options={"ftol": 1e-14, "maxiter": 300},
)
verify(
    "the hulls are as far apart as the strip is wide",
    np.sqrt(nearest.fun),
    2 / np.linalg.norm(w),
    tol=1e-5,
)

# %% key="hulls-verify-2" slide="skip" hide="input"
d = X[on[1]] - X[on[0]]
verify(
    "on irises p and q are two flowers, and w = 2d/‖d‖²",
    2 * d / (d @ d),
    machine.weights_,
    tol=1e-8,
)
verify("½‖w‖² is half the sum of the α", 0.5 * w @ w, 0.5 * machine.multipliers_.sum(), tol=1e-6)
verify("that sum is", machine.multipliers_.sum(), "2.353")

# %% [markdown] key="units-predict" slide="subslide"
# **Predict first.** The hulls of the irises, and two sliders. The first pushes versicolor towards setosa, mean towards mean.
#
# 1. Push. Do the same two flowers hold the segment all the way? When do the hulls meet, and what happens to $\sum\alpha$ before they do?
# 2. The second slider measures petal *width* in another unit, up to millimetres, where 1 cm counts as 10. The flowers do not change. Does the line?

# %% [markdown] key="units-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask whether units can matter. A likely answer is that they cannot: it is a line between flowers. Move the second slider slowly: other flowers take over, and the segment, drawn in centimetres, is no longer perpendicular. Ask what is perpendicular then (it is, in the units of the machine), and who decided that a
# centimetre of length is worth a centimetre of width.
#
# </details>


# %% key="units-figure" hide="input"
def shortest(points, classes):
    try:
        model = MaxMargin().fit(points, classes)
    except ValueError:
        return None
    a = model.multipliers_
    ends = [np.average(points[classes == s], axis=0, weights=a[classes == s]) for s in (1, -1)]
    return *ends, model.support_


between = plus.mean(axis=0) - minus.mean(axis=0)
between /= np.linalg.norm(between)
rubber = hulls_explorer(
    (X, y),
    between,
    lambda cloud: cloud[ConvexHull(cloud).vertices],
    shortest,
    names,
    labels,
)

# %% [markdown] key="units-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# At first a corner faces a corner: two support vectors. From 0.95 cm on a corner faces an *edge*, and there are three. Between 1.45 and 1.50 cm the hulls meet, and before they do $\sum\alpha=4/\text{width}^2$ grows without bound. With width in millimetres **other flowers** hold the line:
# $(1.6,0.6)$ and $(3.3,1.0)$ instead of $(1.9,0.4)$ and $(3.0,1.1)$, and its unit normal turns from $(0.84,0.54)$ to $(0.04,1.00)$.
#
# </details>

# %% key="units-verify" slide="skip" hide="input"
mm = MaxMargin().fit(X * [1, 10], y)
cm_normal = machine.weights_ / np.linalg.norm(machine.weights_)
back = mm.weights_ * [1, 10]
verify("unit normal in cm, first", cm_normal[0], "0.84")
verify("second", cm_normal[1], "0.54")
verify("width in mm, drawn in cm, first", (back / np.linalg.norm(back))[0], "0.04")
verify("second", (back / np.linalg.norm(back))[1], "1.00")
verify("other flowers hold it", X[mm.support_], [[1.6, 0.6], [3.3, 1.0]])
in_cm = np.min(y * signed_distances(X, back, mm.intercept_))
verify("its distance to the nearest flower, in cm", in_cm, "0.24")
tenth = MaxMargin().fit(10 * X, y)
verify("all in mm: the same line", tenth.weights_ * 10, machine.weights_, tol=1e-7)


def pushed(by):
    return shortest(X - np.outer(y > 0, by * between), y)


verify("0.90 cm: two support vectors", len(pushed(0.90)[2]) == 2)
verify("0.95 cm: three", len(pushed(0.95)[2]) == 3)
verify("the hulls are still apart after 1.45 cm", pushed(1.45) is not None)
verify("... and meet before 1.50 cm", pushed(1.50) is None)

# %% [markdown] key="units" slide="slide"
# ## Units change the answer
#
# “Widest” is said in units. The line for widths in millimetres is the widest *there*; measured in centimetres it keeps only 0.24 cm instead of 0.652. Neither is wrong. The margin compares a centimetre of length with a centimetre of width, and
# **that comparison is yours to make**. Where the features have one unit that is natural; where they are years, euros and degrees, scale them first (each to standard deviation 1, say) and *say so*: it is part of the model. What never matters: one
# common factor for all features, a shift, a rotation.
#
# <!-- slide
# “Widest” is said in units: a centimetre of length is compared with a centimetre of width. **That comparison is yours to make.**
#
# - In mm: the widest *there*; in cm it keeps 0.24 cm instead of 0.652.
# - Never matters: one common factor, a shift, a rotation.
# - Years, euros, degrees: scale first, and say so. It is part of the model.
# -->

# %% [markdown] key="bound" slide="slide"
# ## What the margin is good for
#
# **Against noise.** A strip of half width $\gamma$ is, for every flower, a promise: measure it wrongly by less than $\gamma$, and it is still on its side.
#
# **For the perceptron.** Lengthen each point to $\tilde x=(x,1)$, so that $(w,b)$ is one vector, and let some unit vector $\tilde u$ separate with $y_i\tilde u^\top\tilde x_i\ge\tilde\gamma$; all $\|\tilde x_i\|\le R$. Each update raises $\tilde u^\top\tilde w$ by at least $\tilde\gamma$, and $\|\tilde w\|^2$ by
# at most $R^2$, since it happens at a mistake, $2y\,\tilde w^\top\tilde x\le0$. After $k$ updates $k\tilde\gamma\le\tilde u^\top\tilde w\le\|\tilde w\|\le\sqrt k\,R$:
#
# $$k\le(R/\tilde\gamma)^2. \tag{10}$$
#
# Wide margins are learnt quickly, in any number of dimensions.
#
# <!-- slide
# - **Against noise:** measure a flower wrongly by less than $\gamma$, and it is still on its side.
# - **For the perceptron**, with $\tilde x=(x,1)$, $\|\tilde x_i\|\le R$ and $y_i\tilde u^\top\tilde x_i\ge\tilde\gamma$ for a unit vector $\tilde u$: after $k$ updates
#   $k\tilde\gamma\le\tilde u^\top\tilde w\le\|\tilde w\|\le\sqrt k\,R$, so $\;k\le(R/\tilde\gamma)^2.\quad(10)$
# -->

# %% [markdown] key="bound-new" slide="subslide"
# **For new flowers.** Leave flower $i$ out and learn again: does the machine err on it? Take the widest margin of the $\tilde x_i$, where $b$ is one of the weights: its dual is $D(\alpha)=\sum_i\alpha_i-\tfrac12\|\sum_i\alpha_iy_i\tilde x_i\|^2$ over
# $\alpha\ge0$, without (6). Let $\alpha,f$ be the solution, $\alpha',f'$ that without $i$. $D$ loses something, and we bound it from both sides:
#
# - *At least:* if $f'$ errs at $i$, give $\alpha'$ the price $t$ at $i$: $D(\alpha)\ge D(\alpha')+t\,(1-y_if'(x_i))-\tfrac12t^2\|\tilde x_i\|^2\ge D(\alpha')+t-\tfrac12t^2R^2$. With $t=1/R^2$ that is $D(\alpha)-D(\alpha')\ge\frac1{2R^2}$.
# - *At most:* take $\alpha_i$ out of $\alpha$: $D(\alpha')\ge D(\alpha)-\alpha_i(1-y_if(x_i))-\tfrac12\alpha_i^2\|\tilde x_i\|^2\ge D(\alpha)-\tfrac12\alpha_i^2R^2$, by slackness.
#
# So an error costs $\alpha_i\ge1/R^2$, and since $\sum_i\alpha_i=\|\tilde w\|^2=1/\tilde\gamma^2$,
#
# $$\text{leave-one-out errors}\;\le\;\#\{i:\alpha_i\ge1/R^2\}\;\le\;R^2\sum_i\alpha_i=(R/\tilde\gamma)^2. \tag{11}$$
#
# The number of (10) again, and no dimension in it. Vapnik's bounds, which made the method famous, are of this kind. (Nor can the errors be more than the support vectors: without another flower the line stays.)
#
# <!-- slide
# **For new flowers.** Leave $i$ out, with $b$ as one of the weights: $\alpha,f\to\alpha',f'$. The dual loses something:
#
# - If $f'$ errs at $i$: $\;D(\alpha)\ge D(\alpha')+t-\tfrac12t^2R^2$, and with $t=1/R^2$ $\;D(\alpha)-D(\alpha')\ge\frac1{2R^2}$.
# - Take $\alpha_i$ out of $\alpha$: $\;D(\alpha)-D(\alpha')\le\tfrac12\alpha_i^2R^2$.
#
# $$\text{leave-one-out errors}\;\le\;\#\{i:\alpha_i\ge1/R^2\}\;\le\;R^2\sum_i\alpha_i=(R/\tilde\gamma)^2 \tag{11}$$
# -->

# %% [markdown] key="bound-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Ask where slackness is used (in the second line), and where the dimension occurs (nowhere). Then ask for the unit of the 1 in (x, 1): it is one centimetre, or one millimetre, and that is why the table has three rows for the same
# irises. Bets before the table: will the bound say anything about a hundred flowers?
#
# </details>

# %% key="bound-table" slide="subslide" hide="input"
def through_origin(Z):
    """The widest margin without b: the points y x, mirrored, against themselves."""
    model = MaxMargin().fit(np.vstack([Z, -Z]), np.repeat([1, -1], len(Z)))
    return model.weights_, model.multipliers_.reshape(2, -1).sum(axis=0)


digits = load_digits()
pick = np.random.default_rng(0).permutation(np.flatnonzero(np.isin(digits.target, (3, 8))))[:100]
D38, t38 = digits.data[pick] / 16, np.where(digits.target[pick] == 8, 1, -1)
sets = {
    "irises (cm)": (X, y),
    "irises (mm)": (10 * X, y),
    "irises (cm), their mean at 0": (X - X.mean(axis=0), y),
    "digits 3 and 8, their mean at 0": (D38 - D38.mean(axis=0), t38),
}
counts, ends = {}, {}
for name, (points, classes) in sets.items():
    Zt = classes[:, None] * np.column_stack([points, np.ones(100)])
    v, prices_t = through_origin(Zt)
    R2 = np.max(np.sum(Zt**2, axis=1))
    wrong = []
    for i in np.flatnonzero(prices_t > 1e-8 * prices_t.max()):  # without another nothing changes
        rest = np.arange(100) != i
        if Zt[i] @ through_origin(Zt[rest])[0] <= 0:
            wrong.append(prices_t[i] * R2)
    steps = [
        Perceptron(epochs=5000).fit(points[order], classes[order]).n_updates_
        for order in orders[:: 1 if name == "irises (cm)" else 25]
    ]
    bound = R2 * (v @ v)
    counts[name] = (
        bound, np.sum(prices_t * R2 >= 1), np.sum(prices_t > 1e-8 * prices_t.max()),
        len(wrong), max(steps),
    )
    ends[name] = (v, Zt, R2, prices_t, wrong, steps)
table(
    "A hundred points: what (10) and (11) promise, and what is",
    {
        "points": "",
        "(R/γ̃)²": ",.1f",
        "α ≥ 1/R²": "d",
        "support vectors": "d",
        "left out, wrong": "d",
        "most updates": ",d",
    },
    counts,
)

# %% [markdown] key="bound-reading" slide="fragment"
# On irises in centimetres the bound says nothing, 410.2 of a hundred; in millimetres less than nothing. The 1 that lengthens $x$ has a unit, too, and it matters where 0 lies. With the mean at 0 it says 17.7, where none errs; and for the digits, in 64
# dimensions, 52.3, where one errs. True, free of the dimension, and far from tight.

# %% key="bound-verify" slide="skip" hide="input"
v, Zt, R2, prices_t, _, steps = ends["irises (cm)"]
u_best, gamma, R = v / np.linalg.norm(v), 1 / np.linalg.norm(v), np.sqrt(R2)
trail = [np.zeros(3)]
for z in np.tile(Zt, (3, 1)):  # three passes in file order
    if z @ trail[-1] <= 1e-12:
        trail.append(trail[-1] + z)
trail = np.array(trail)
verify("each update raises ũᵀw̃ by γ̃ at least", np.all(np.diff(trail @ u_best) >= gamma - 1e-9))
verify("... and ‖w̃‖² by R² at most", np.all(np.diff(np.sum(trail**2, axis=1)) <= R**2 + 1e-9))
verify("(R/γ̃)² of these", (R / gamma) ** 2, mistake_bound(X, y, v[:2], v[2]), tol=1e-6)
verify("(R/γ̃)² with the best γ̃", (R / gamma) ** 2, "410.2")
verify("the mean at 0", counts["irises (cm), their mean at 0"][0], "17.7")
verify("digits", counts["digits 3 and 8, their mean at 0"][0], "52.3")
for name, (v, _, _, prices_t, wrong, _) in ends.items():
    bound, heavy, supporting, errors, most = counts[name]
    verify(f"{name}: never more updates than (10)", most <= bound)
    verify(
        f"{name}: (11), and each error costs 1/R²",
        errors <= heavy <= min(bound, supporting) and all(price >= 1 for price in wrong),
    )
    verify(f"{name}: Σα = ‖w̃‖²", prices_t.sum(), v @ v, tol=1e-6)

# %% [markdown] key="solvers" slide="slide"
# ## A general solver and a dedicated one
#
# (3) and (7) are quadratic programmes, and SciPy has a solver for such things, SLSQP, which knows nothing of margins. The primal was solved with it above; here is the dual, from nothing but $K$ and $y$.


# %% key="solvers-code"
def dual_by_scipy(K, y, steps=300):
    G = K * np.outer(y, y)
    return minimize(
        lambda a: 0.5 * a @ G @ a - a.sum(),  # -D
        np.zeros(len(y)),
        jac=lambda a: G @ a - 1,
        bounds=[(0, None)] * len(y),
        constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": steps},
    ).x


alpha = dual_by_scipy(X @ X.T, y)

# %% key="solvers-table" slide="subslide" hide="input"
sklearn_svc = SVC(kernel="linear", C=1e6, tol=1e-8).fit(X, y)
normals = {
    "SciPy, primal, 3 unknowns": found.x[:2],
    "SciPy, dual, 100 unknowns": (alpha * y) @ X,
    "kcourse, MaxMargin": machine.weights_,
    "scikit-learn, SVC, C = 10⁶": sklearn_svc.coef_[0],
}
table(
    "The widest strip, found four times",
    {"solver": "", "w (1/cm)": "({:.5f}, {:.5f})", "width (cm)": ".5f"},
    {name: (tuple(w), 2 / np.linalg.norm(w)) for name, w in normals.items()},
)

# %% key="solvers-verify" slide="skip" hide="input"
verify("SciPy's dual agrees", (alpha * y) @ X, machine.weights_, tol=1e-6)
verify("... with the same two support vectors", np.flatnonzero(alpha > 1e-6), machine.support_)
verify("scikit-learn agrees", sklearn_svc.coef_[0], machine.weights_, tol=1e-5)
verify("both α on irises", alpha[machine.support_], 1.1765, tol=1e-4)

# %% [markdown] key="solvers-reading" slide="fragment"
# One line, to five digits. (`SVC` is chapter 6's machine: it lets points into the strip, and beyond, at a price $C$ for each unit of slack, and at $10^6$ nobody buys any.) A solver that is made for the job knows three things that SLSQP does not: that nearly all $\alpha_i$ are 0, that $G$ need not be stored, and when to stop, by (8). What it costs stands at the end of the chapter.

# %% [markdown] key="digits" slide="slide"
# ## Is the widest line the better line?
#
# On two irises every sensible line is right. So take something harder: handwritten 3 and 8, 8 × 8 pixels, of chapter 2. Learn from 100 drawn at random, test on the other 257, sixty times. In 64 dimensions a plane that separates 100 points always exists here. **Predict first:** the errors in per cent of
# a perceptron (the mean of 20 orders), of the widest margin, of ridge regression on the labels (chapter 3, $\lambda$ by leave-one-out), of the nearest mean, of one nearest neighbour.

# %% [markdown] key="digits-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Collect an order of the five methods before the table is shown; a likely answer has the margin first. Ask what follows from the table: if it is to be a line, take a wide one. Whether it is to be a line is another
# question.
#
# </details>

# %% key="digits-table" slide="subslide" hide="input"
rates = measured("ch05_digits", "margin-beats-perceptron", "neighbour-beats-margin")


def mean_and_error(values):
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values))


compared = {
    name: mean_and_error(values - rates["widest margin"])
    for name, values in rates.items()
    if name != "widest margin"
}
table(
    "Errors in 60 splits",
    {
        "method": "",
        "errors (%)": ".2f",
        "minus widest margin (%), ± standard error": "{:+.2f} ± {:.2f}",
    },
    {name: (values.mean(), compared.get(name)) for name, values in rates.items()},
    best={"errors (%)": "least"},
    answer="Errors, on new digits",
)

# %% [markdown] key="digits-reading"
# <details><summary><b>What the margin was worth</b> (open this once you have written down your answer)</summary>
#
# The widest margin errs 2.2 times in a hundred, the average perceptron 3.3 times: a third fewer errors for the same data and the same kind of line, on 51 of the 60 splits. **Ridge regression does as well**, without a margin and by one linear system. And one nearest neighbour, at 1.5, is ahead of both: the problem has no reason to
# be linear. (All splits share the same 357 digits, and both sides of each share their writers, which flatters neighbours: chapter 2.) The margin is a reason for *this line among lines*. It is no reason for a line.
#
# </details>
#
# <!-- slide
# - The margin: a third fewer errors than the average perceptron.
# - Ridge regression does as well, by one linear system. One neighbour is ahead of both.
#
# **A reason for this line among lines. No reason for a line.**
# -->

# %% key="digits-verify" slide="skip" hide="input"
verify("widest margin (%)", rates["widest margin"].mean(), "2.2")
verify("perceptron (%)", rates["perceptron"].mean(), "3.3")
verify("nearest neighbour (%)", rates["nearest neighbour"].mean(), "1.5")
verify("ridge: within its standard error", abs(compared["ridge"][0]) < compared["ridge"][1])
verify("a third fewer", 0.6 < rates["widest margin"].mean() / rates["perceptron"].mean() < 0.72)
verify("splits with a lead", np.sum(rates["widest margin"] < rates["perceptron"]), "51")
pick = np.isin(digits.target, (3, 8))
X38, y38 = digits.data[pick] / 16, np.where(digits.target[pick] == 8, 1, -1)
verify("digits in all, and to test on", [len(y38), len(y38) - 100], [357, 257])
clouds = []
for split in range(30):
    shuffle = np.random.default_rng(split).permutation(len(y38))
    A, t = X38[shuffle[:100]], y38[shuffle[:100]]
    B, truth = X38[shuffle[100:]], y38[shuffle[100:]]
    widest, cloud = MaxMargin().fit(A, t), []
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(100)
        p = Perceptron(epochs=1000).fit(A[order], t[order])
        reach = np.min(t * signed_distances(A, p.weights_, p.intercept_)) / widest.margin_
        cloud.append((reach, 100 * np.mean(p.predict(B) != truth)))
    clouds.append(np.array(cloud))

# %% key="digits-picture" slide="subslide" hide="input"
every = np.concatenate(clouds)
fig, ax = plt.subplots(figsize=(7.2, 3.8))
ax.plot(every[:, 0], every[:, 1], ".", color="#8aa4b5", markersize=4, label="a perceptron")
steps = np.linspace(0, 0.8, 9)
mids, means = [], []
for low, high in zip(steps[:-1], steps[1:], strict=True):
    inside = (every[:, 0] >= low) & (every[:, 0] < high)
    if inside.sum() >= 10:
        mids.append((low + high) / 2)
        means.append(every[inside, 1].mean())
ax.plot(mids, means, color=cycle(0)["color"], linestyle="-", marker="s", label="their mean")
ax.plot(
    1,
    rates["widest margin"].mean(),
    "D",
    color=cycle(1)["color"],
    markersize=9,
    label="widest margin",
)
ax.set(
    xlabel="margin, as a fraction of the widest",
    ylabel="test errors (%)",
    xlim=(0, 1.05),
    ylim=(0, 14),
)
ax.legend(loc="upper right")
show(
    fig,
    alt="Test errors of 600 perceptrons, on 30 training sets, against their margin as a "
    "fraction of the widest. A broad cloud between 0 and 12 per cent; its mean falls from 3.7 per "
    "cent at the narrowest to 2.3 at four tenths. No perceptron is beyond two thirds; the machine "
    "of widest margin stands at 1, with 2.2 per cent.",
)

# %% [markdown] key="digits-picture-reading"
# Among 600 perceptrons, of 30 of the splits, wider ones err less *on average*: 3.7 % of those that barely made it, 2.3 % between three and five tenths of the widest margin. For a single line
# its margin says little: the cloud is broad.
#
# <!-- slide
# Wider lines err less *on average*. For a single line its margin says little: the cloud is broad.
# -->

# %% key="digits-picture-verify" slide="skip" hide="input"
verify("perceptrons in the picture", len(every), "600")
verify("the narrowest, mean error (%)", means[0], "3.7")
verify("from 0.3 to 0.5 of the widest, mean error (%)", np.mean(means[3:5]), "2.3")
verify("none is beyond two thirds", every[:, 0].max() < 2 / 3)
verify("none errs more often than 12 times in a hundred", every[:, 1].max() < 12)
correlation = np.mean([np.corrcoef(cloud.T)[0, 1] for cloud in clouds])
verify("within a training set the correlation is weak", -0.5 < correlation < -0.15)

# %% [markdown] key="no-line" slide="slide"
# ## When no line separates
#
# Four points on a line, at 0, 1, 2, 3, with the labels $-,+,-,+$. **Predict first:** what does each of these do: the perceptron; SciPy on the primal; SciPy on the dual; `MaxMargin`; scikit-learn's `SVC` with $C=10^6$?

# %% [markdown] key="no-line-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask for each: does it end? does it say that something is wrong? The worst is the last: it returns a line, no warning, and half of the points are wrong. Then the certificate: 1.5 is a mean of the positives and a mean of the negatives. Either there is a line, or there is such a point; both at once cannot be.
#
# </details>

# %% key="no-line-table" slide="subslide" hide="input"
x4, y4 = np.arange(4.0)[:, None], np.array([-1, 1, -1, 1])
p = Perceptron(epochs=1000).fit(x4, y4)
said = {"perceptron": f"{p.n_updates_} updates in {p.n_iter_} passes, done: {p.converged_}"}
Z4 = y4[:, None] * np.column_stack([x4, np.ones(4)])
primal = minimize(lambda v: 0.5 * v[0] ** 2, np.zeros(2), method="SLSQP",
                  constraints={"type": "ineq", "fun": lambda v: Z4 @ v - 1})  # fmt: skip
said["SciPy, primal"] = f"success: {primal.success}"
grown = dual_by_scipy(x4 @ x4.T, y4, steps=10).max()
said["SciPy, dual"] = f"α beyond a million after 10 steps: {grown > 1e6}"
try:
    MaxMargin().fit(x4, y4)
except ValueError as refusal:
    said["MaxMargin"] = f"refuses: {str(refusal).split(' in the ')[0]}, and says why"
soft = SVC(kernel="linear", C=1e6).fit(x4, y4)
line_found = f"f(x) = {soft.coef_[0, 0]:.4f} x {soft.intercept_[0]:+.4f}"
said["scikit-learn"] = f"{line_found}, right on {soft.score(x4, y4):.0%}, no warning"
table(
    "Labels −, +, −, + at 0, 1, 2, 3",
    {"program": "", "what it says": ""},
    said,
    answer="What each program says",
)

# %% [markdown] key="no-line-reading"
# <details><summary><b>Who notices</b> (open this once you have written down your answer)</summary>
#
# The perceptron goes round and round. The primal has **no** solution: it does not “degrade”, as one lecture puts it, it is infeasible. The dual has none, either, since it is unbounded: along $\alpha=t\,(1,3,3,1)$, which satisfies (6), all of $\sum\alpha_iy_ix_i$ cancels, and $D=8t$ rises for ever.
# These numbers are a **certificate**: $\tfrac{3\cdot1+1\cdot3}4=1.5$ is a mean of the positives, $\tfrac{1\cdot0+3\cdot2}4=1.5$ a mean of the negatives. The hulls share a point, and no line can separate a point from itself. And scikit-learn? It solves another problem, in which mistakes are allowed at a price $C$; no $C$,
# however large, makes it the hard margin: half of the points are wrong at $C=10^6$ as they are at $C=1$.
#
# </details>
#
# <!-- slide
# - Perceptron: round and round. Primal: infeasible. Dual: unbounded, $\alpha=t\,(1,3,3,1)$ gives $D=8t$.
# - **Certificate:** $\frac{3\cdot1+1\cdot3}4=\frac{1\cdot0+3\cdot2}4=1.5$, a point of both hulls.
# - scikit-learn solves another problem, and says nothing: half of the points are wrong, at $C=10^6$ as at $C=1$.
# -->

# %% key="no-line-verify" slide="skip" hide="input"
ray = np.array([1.0, 3.0, 3.0, 1.0])
verify("the ray satisfies (6)", ray @ y4, 0.0)
verify("... and w cancels along it", (ray * y4) @ x4, 0.0)
verify("D at t = 1 is 8", dual_value(ray, x4 @ x4.T, y4), 8.0)
verify("D at t = 5 is 40", dual_value(5 * ray, x4 @ x4.T, y4), 40.0)
verify("the common point", [(3 * 1 + 1 * 3) / 4, (1 * 0 + 3 * 2) / 4], [1.5, 1.5])
for C in (1.0, 1e3, 1e6):
    verify(f"C = {C:g}: half are right", SVC(kernel="linear", C=C).fit(x4, y4).score(x4, y4), 0.5)

# %% [markdown] key="escape" slide="subslide"
# **An escape that is none.** (7) needs only $k(x_i,x_j)$, and with a Gaussian *any* different points can be separated (a narrow one keeps the digits). So a hard margin can always be had. Ripley's two classes (chapter 1) overlap; the best possible rule errs 8.93 % of the time. What will the hard margin make of them?
#
# <!-- slide
# **An escape that is none.** With a Gaussian *any* different points can be separated. Ripley's two classes overlap; the best rule errs 8.93 % of the time. What will the hard margin make of them?
# -->

# %% key="escape-picture" hide="input"
ripley, unseen = load_synth(), load_synth("test")
rigid = MaxMargin(Gaussian(0.1)).fit(ripley.X, ripley.y)
gentle = SVC(C=1.0, gamma=1 / (2 * 0.1**2)).fit(ripley.X, ripley.y)
gx, gy = np.meshgrid(np.linspace(-1.3, 1.0, 140), np.linspace(-0.3, 1.2, 110))
grid = np.column_stack([gx.ravel(), gy.ravel()])
fig, axes = plt.subplots(1, 2, figsize=(9.6, 3.9), sharey=True)
for ax, model, title in (
    (axes[0], rigid, "hard margin, σ = 0.1"),
    (axes[1], gentle, "soft margin, σ = 0.1, C = 1"),
):
    wrong = 100 * np.mean(model.predict(unseen.X) != unseen.y)
    ax.contourf(
        gx,
        gy,
        model.decision_function(grid).reshape(gx.shape) > 0,
        levels=[-1, 0.5, 2],
        colors=["#d9ebf8", "#f0cd97"],
    )
    for label, marker, fill in ((0, "o", "white"), (1, "^", "black")):
        ax.plot(
            *ripley.X[ripley.y == label].T,
            marker,
            color="black",
            markerfacecolor=fill,
            markersize=3.5,
        )
    ax.set(title=f"{title}: {wrong:.1f} % wrong", xlabel="x₁")
    ax.grid(False)
axes[0].set_ylabel("x₂")
show(
    fig,
    alt="Ripley's training points and the regions of two machines of one width. Left, the hard "
    "margin: islands and fjords around single points, 22.0 per cent of new points "
    "wrong. Right, the soft margin: a border with fewer and rounder bays, 13.2 per cent wrong.",
)

# %% [markdown] key="escape-reading"
# No mistake on 250 training points, and 22.0 % on new ones; with the same kernel and a price for mistakes 13.2 %. Over forty draws of such points it is 18.0 % and 10.1 % ($C$ by five folds), and the price wins **on each**. With the width by five folds, too, 9.7 %, as much as the $k$ nearest
# neighbours. Who may not make a mistake must explain every accident. What is missing is a **price for mistakes**: $\tfrac12\|w\|^2+C\sum_i\max\big(0,1-y_if(x_i)\big)$, and that is chapter 6.
#
# <!-- slide
# Over forty draws of 250 points: hard 18.0 %, soft with the same kernel 10.1 %, and better on each. What is missing is a **price for mistakes**: chapter 6.
# -->

# %% key="escape-verify" slide="skip" hide="input"
draws = measured("ch05_escape", "price-for-mistakes")
verify("training points", len(ripley.y), "250")
verify("hard margin: no mistake in training", np.all(rigid.predict(ripley.X) == ripley.y))
verify("... and on new points (%)", 100 * np.mean(rigid.predict(unseen.X) != unseen.y), "22.0")
verify("soft margin (%)", 100 * np.mean(gentle.predict(unseen.X) != unseen.y), "13.2")
for name, percent in (
    ("hard margin", "18.0"),
    ("soft margin of that width", "10.1"),
    ("soft margin", "9.7"),
    ("neighbours", "9.7"),
):
    verify(f"forty draws, {name} (%)", draws[name].mean(), percent)
verify("the best rule there, against 8.93 %", abs(draws["best rule"].mean() - 8.93) < 0.15)

# %% [markdown] key="find-error" slide="slide"
# ## Find the error
#
# A student solves the dual for the irises, correctly, and goes on as two lectures say. The report: “2 support vectors, margin 0.85 cm.” Then somebody sorts flowers with it: 46 of the 50 setosa come out as versicolor. **Read before you go on: there are two mistakes.**
#
# ```python
# support = np.flatnonzero(alpha > 1e-6)
# w = (alpha * y) @ X
# b = 1 - X[support[0]] @ w          # some support vector has wᵀx + b = 1
# margin = 2 / np.sum(w**2)
# ```

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask which of the two mistakes the sorting shows, and which one nobody would ever have noticed. In the file setosa comes first, so the first support vector is negative: on another day, in another order, the first mistake hides.
#
# </details>

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What it computes</b> (open this once you have written down your answers)</summary>
#
# $b$ comes from $y_n(w^\top x_n+b)=1$; without the label, a negative support vector gives a $b$ that is too large by 2. The line then runs along the far edge of the negative class, and 46 flowers change sides. In the reversed order the first support vector is positive, no flower changes sides, and the mistake cannot be seen. The width is
# $2/\|w\|$: without the root it is 0.85 cm², an *area*, since $w$ is in 1/cm; the strip is 1.304 cm wide.
#
# </details>

# %% key="find-error-verify" slide="skip" hide="input"
support = np.flatnonzero(alpha > 1e-6)
normal = (alpha * y) @ X
b_mistake, b_late = (1 - X[i] @ normal for i in support[[0, -1]])
verify("too large by 2", b_mistake - machine.intercept_, 2.0, tol=1e-5)
verify("flowers that change sides", np.sum(np.where(X @ normal + b_mistake > 0, 1, -1) != y), "46")
verify("reversed: none", np.all(np.where(X @ normal + b_late > 0, 1, -1) == y))
verify("the margin without the root", 2 / np.sum(normal**2), "0.85")

# %% [markdown] key="sentences" slide="subslide"
# **Four sentences from lectures.** Each is nearly right. What is missing?
#
# <details><summary>1. “A point is correctly classified if and only if y f(x) ≥ 1.”</summary>
#
# If and only if $y\,f(x)>0$. With $f(x)=x$ the points 0.2, 3 and −0.5, labelled $+,+,-$, are all right, and two of them are below 1.
#
# </details>
#
# <details><summary>2. “Setting the gradients in w, b and α to zero …”</summary>
#
# In $w$ and $b$. In $\alpha_2$ of the three points it is $-0.5$.
#
# </details>
#
# <details><summary>3. “Both problems are convex, so there is a single optimum.”</summary>
#
# A single value, a single $w$ and $b$. The square has infinitely many optimal $\alpha$.
#
# </details>
#
# <details><summary>4. “The points on the margin are called support vectors.”</summary>
#
# Those with $\alpha_i>0$. In the square four touch, and an optimum has two.
#
# </details>
#
# <!-- slide
# **Four sentences from lectures.** Each is nearly right. What is missing?
#
# <details><summary>“A point is right if and only if y f(x) ≥ 1.” “The gradients in w, b and α are 0.” “There is a single optimum.” “The points on the margin are support vectors.”</summary>
#
# 1. If and only if $y\,f(x)>0$; 1 is a matter of scale.
# 2. In $w$ and $b$. In $\alpha_2$ of the three points it is $-0.5$.
# 3. One value, one $w$ and $b$. The square has infinitely many $\alpha$.
# 4. Those with $\alpha_i>0$. In the square four touch, an optimum has two.
#
# </details>
# -->

# %% [markdown] key="sentences-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# One sentence to each row of seats, a minute to find a counter-example among the figures of the chapter.
#
# </details>

# %% [markdown] key="sklearn" slide="slide"
# ## The same in scikit-learn

# %% [markdown] key="sklearn-first"
# With $C=\infty$ `SVC` is the widest margin, and without a separating plane it **may never return** (on $-,+,-,+$ not in 20 seconds). So ask for a plane first, a linear program, and give `max_iter`.
#
# <!-- slide
# Without a separating plane `SVC` with $C=\infty$ **may never return**. Ask for a plane first, a linear program; give `max_iter`.
# -->

# %% key="sklearn-code" slide="fragment"
def separable(X, y):  # are there w, b with y f(x) ≥ 1?
    Z = y[:, None] * np.column_stack([X, np.ones(len(y))])
    plane = linprog(np.zeros(Z.shape[1]), A_ub=-Z, b_ub=-np.ones(len(y)), bounds=(None, None))
    return plane.status == 0


verify("irises: a plane exists; for −, +, −, + none", [separable(X, y), separable(x4, y4)], [1, 0])

# %% key="sklearn-fit" slide="subslide"
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

theirs = SVC(kernel="linear", C=np.inf, tol=1e-8, max_iter=100_000).fit(X, y)
verify("coef_ is w", theirs.coef_[0], machine.weights_, tol=1e-5)
verify("intercept_ is b", theirs.intercept_[0], machine.intercept_, tol=1e-5)

hard = SVC(kernel="linear", C=np.inf, max_iter=100_000)
scaled = make_pipeline(StandardScaler(), hard).fit(X, y)

# %% key="sklearn-table" slide="subslide" hide="input"
by_name = {
    "SVC, C = inf": (theirs.coef_[0], theirs.intercept_[0]),
    "SVC, default C = 1": (
        SVC(kernel="linear").fit(X, y).coef_[0],
        SVC(kernel="linear").fit(X, y).intercept_[0],
    ),
    "standardised, C = inf": (
        scaled[1].coef_[0] / scaled[0].scale_,
        scaled[1].intercept_[0] - scaled[1].coef_[0] @ (scaled[0].mean_ / scaled[0].scale_),
    ),
}
reach = {}
for name, (coef, intercept) in by_name.items():
    reach[name] = np.min(y * signed_distances(X, coef, intercept))
table(
    "scikit-learn's lines",
    {"machine": "", "w (1/cm)": "({:.3f}, {:.3f})", "nearest flower (cm)": ".3f"},
    {name: (tuple(coef), reach[name]) for name, (coef, _) in by_name.items()},
    best={"nearest flower (cm)": "greatest"},
)

# %% [markdown] key="sklearn-traps" slide="subslide"
# **Traps.**
#
# - The default is $C=1$, a *soft* margin. On irises its strip is 1.534 cm wide, with two flowers inside.
# - `dual_coef_` holds $\alpha_iy_i$, signed, and of support vectors only.
# - $C=\infty$ without a plane: perhaps no end. With `max_iter` a warning, and a useless line. A large finite $C$: a line of another problem, and no warning.
# - `LinearSVC` penalises $b$ as well, so it finds another line: shift your data, and it turns.
# - `tol=1e-3` by default: five digits of $w$ want less. `Perceptron` shuffles, unless told otherwise.

# %% key="sklearn-verify" slide="skip" hide="input"
verify("support_ are the rows of the support vectors", theirs.support_, machine.support_)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    SVC(kernel="linear", C=np.inf, max_iter=100_000).fit(x4, y4)
verify("with max_iter it warns", "terminated early" in str(said[0].message))
default = SVC(kernel="linear").fit(X, y)
verify("default C: the strip (cm)", 2 / np.linalg.norm(default.coef_), "1.534")
verify("... with two flowers inside", np.sum(y * default.decision_function(X) < 1 - 1e-3) == 2)
verify(
    "dual_coef_ is y α",
    theirs.dual_coef_[0],
    (machine.multipliers_ * y)[machine.support_],
    tol=1e-4,
)
bent = [LinearSVC(C=1e3, max_iter=200_000, tol=1e-6).fit(X + s, y).coef_[0] for s in (0.0, 10.0)]
turned = [v / np.linalg.norm(v) for v in bent]
verify("LinearSVC: shifted data, another direction", np.abs(turned[0] - turned[1]).max() > 0.01)
verify("standardised: another line", reach["standardised, C = inf"] < 0.99 * machine.margin_)

# %% [markdown] key="cost" slide="slide"
# ## What it costs, and when not to use it
#
# A quadratic programme in $m$ unknowns costs about $m^3$: the primal has $d+1$ of them, the dual $n$. So take the primal where $d$ is small, the dual where $d$ is large or infinite. That is the rule of the lectures, and it holds for solvers that know nothing; a dedicated one works on few multipliers at a time. Measured on
# one thread, two clouds in the plane, of which two or three points hold the line:
#
# <!-- slide
# A quadratic programme in $m$ unknowns costs about $m^3$: the primal has $d+1$ of them, the dual $n$. **Primal where $d$ is small, dual where $d$ is large or infinite**: true of solvers that know nothing.
# -->

# %% key="cost-picture" hide="input"
n_cost, *seconds = measured("ch05_cost").values()
large, far = measured("ch05_large"), measured("ch05_largest")
sizes = {
    "SciPy, dual": (n_cost, seconds[0]),
    "SciPy, primal": (n_cost, seconds[1]),
    "MaxMargin, dual": (
        np.append(n_cost, large["n"]),
        np.append(seconds[2], large["max_margin"]),
    ),
    "scikit-learn SVC, dual": (
        np.concatenate([n_cost, large["n"], far["n"][1:]]),
        np.concatenate([seconds[3], large["sklearn_svc"], far["sklearn_svc"][1:]]),
    ),
}


def growth(n, time):
    return np.polyfit(np.log(n), np.log(time), 1)[0]


fig, ax = plt.subplots(figsize=(7.2, 3.8))
for i, (name, (n, time)) in enumerate(sizes.items()):
    ax.plot(n, 1e3 * time, label=name, marker="o", markersize=4, **cycle(i))
ax.set(
    xscale="log", yscale="log", xlabel="number of points n", ylabel="time (ms)", ylim=(0.01, 3000)
)
ax.set_xticks([100, 1000, 10_000, 100_000], ["100", "1000", "10 000", "100 000"])
ax.minorticks_off()
ax.legend(loc="lower right")
show(
    fig,
    alt="Times in milliseconds against the number of points on logarithmic axes. SciPy's solver "
    "on the dual rises steeply and ends at 566 points; on the primal it stays below 1. MaxMargin "
    "is as flat up to a few hundred points, then rises, to over a second at 16 000. SVC is flat "
    "at first, too, and rises gently, up to 128 000 points.",
)

# %% [markdown] key="cost-reading"
# The general solver on the dual grows like the cube of $n$. Up to some hundred points the dedicated ones cost what a call costs, and nothing can be read off. Beyond that `MaxMargin`, which stores $K$, grows like $n^2$ at least, and at 16 000 points $K$ has 2.0 GB; `SVC` computes the rows that it needs, and grows about like $n$,
# here, where three points matter: 128 000 points in less than a second. Where many points touch or mistakes are allowed it is another matter (chapter 6).
#
# **Condition:** by (9) the line follows the segment between the hulls, so where two flowers hold the strip, one that is misplaced by $\delta$ turns it by about $\delta$ over the width; where a corner leans on an edge, by at most about $\delta$ over the edge's length. For 0.01 cm that is 0.4° on irises. Push versicolor by 1.45 cm, to a width of 0.008 cm, and it may close the strip.
#
# **When not:** when the classes overlap (chapter 6); when a single label may be wrong, since one flower holds the line; when you want a probability; when the features have no common unit and nobody wants to choose one.
#
# <!-- slide
# General solver: the cube of $n$. `MaxMargin`: 2.0 GB at 16 000 points. `SVC`: like $n$, where three points matter. **Condition:** held by two flowers, one misplaced by $\delta$ turns the line by about $\delta$ over the width. **When not:** classes that overlap; a label that may be wrong; probabilities; features without a common unit.
# -->

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask what one mislabelled flower does to the widest strip (it may close it altogether), and to ridge regression (next to nothing).
#
# </details>

# %% key="cost-verify" slide="skip" hide="input"
big = n_cost >= 100
verify("SciPy on the dual: about the cube", 2.5 < growth(n_cost[big], seconds[0][big]) < 3.7)
verify("the most points that it was timed with", n_cost.max(), "566")
verify("the dedicated ones are flat up to there", max(growth(n_cost, s) for s in seconds[2:]) < 0.7)
verify("MaxMargin, then: n² at least", 1.9 < growth(large["n"], large["max_margin"]) < 3.2)
verify("its Gram matrix (GB)", 8 * large["n"].max() ** 2 / 1e9, "2.0")
verify("SVC from 16 000 on: about n", 0.7 < growth(far["n"], far["sklearn_svc"]) < 1.5)
verify("the most points of all", far["n"].max(), "128000")
verify("... in less than a second", far["sklearn_svc"].max() < 1)
turns = []  # what 0.01 cm in 36 directions does to the line, in degrees
for angle in np.linspace(0, 2 * np.pi, 36, endpoint=False):
    moved = X.copy()
    moved[machine.support_[0]] += 0.01 * np.array([np.cos(angle), np.sin(angle)])
    v = MaxMargin().fit(moved, y).weights_
    turns.append(np.degrees(np.arccos(min(1.0, cm_normal @ v / np.linalg.norm(v)))))
verify("0.01 cm turns the line by (°)", max(turns), "0.4")
verify("... which is δ over the width", max(turns), np.degrees(0.01 / machine.width_), tol=0.01)
edge, sides = np.array([[0.0, 0.0], [0.1, 0.0], [0.05, 1.0]]), np.array([-1, -1, 1])
tilts = []
for angle in np.linspace(0, 2 * np.pi, 36, endpoint=False):
    moved = edge + [[0.01 * np.cos(angle), 0.01 * np.sin(angle)], [0, 0], [0, 0]]
    v = MaxMargin().fit(moved, sides).weights_
    tilts.append(np.arctan2(abs(v[0]), v[1]))
verify("an edge of 0.1: no more than δ over it", 0.3 * 0.1 < max(tilts) < 1.1 * 0.1)
p_end, q_end, _ = pushed(1.45)
verify("1.45 cm: the width (cm)", np.linalg.norm(p_end - q_end), "0.008")
swapped = y.copy()
swapped[np.argmin(X[:, 0])] = 1
verify("one wrong label can close the strip", shortest(X, swapped) is None)

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - Distance is $f(x)/\|w\|$; the scale of $(w,b)$ is free, and fixed by $\min y_if(x_i)=1$. Width $2/\|w\|$.
# - Primal, prices, dual. The gap (8) is a sum of what KKT demands: conditions that hold *prove* the optimum.
# - Multipliers are forces at rest; the strip is as wide as the hulls are apart; $\sum\alpha_i=\|w\|^2$.
# - $w$ and $b$ are unique, $\alpha$ need not be. Units are part of the model.
# - No line: infeasible, with a common point of the hulls to prove it. A price for mistakes is missing.
#
# **And the florist?** Sign the line that keeps 0.652 cm, half way along the shortest segment between the hulls, in centimetres; and write the units beside your name.

# %% [markdown] key="recap-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Back to the paper of the beginning, and to the question on the board: the middle of what? Whose line comes nearest to 0.652 cm? Ask who would still sign without asking for the units.
#
# </details>

# %% [markdown] key="quiz" slide="slide"
# ## Five questions
#
# <details><summary>1. $(1,1)$ against $(0,0)$: what are $w$, $b$, $\alpha$?</summary>
#
# $w=(1,1)$, $b=-1$, both $\alpha=1$; the width is $\sqrt2$, the distance of the two.
#
# </details>
#
# <details><summary>2. You double all coordinates. What happens to $w$, to the width, to $\sum\alpha$?</summary>
#
# $w$ is halved, the width doubled, $\sum\alpha=\|w\|^2$ quartered.
#
# </details>
#
# <details><summary>3. A solver reports five support vectors in the plane, another three. Is one of them wrong?</summary>
#
# Not necessarily. Compare $w$, $b$ and the value.
#
# </details>
#
# <details><summary>4. You remove (a) a point that is not a support vector, (b) one that is. What happens to the margin?</summary>
#
# (a) Nothing. (b) It stays the same or becomes wider, never narrower.
#
# </details>
#
# <details><summary>5. SciPy says that your dual has the value $10^{9}$. What do you conclude?</summary>
#
# That $\|w\|^2=2\cdot10^9$, so the width is at most $4.5\cdot10^{-5}$ of your units. Of *your units*: irises in kilometres have more than that, and no error. Beside a spread of 1 it means that the hulls meet, or nearly; look for a wrong label.
#
# </details>

# %% key="quiz-verify" slide="skip" hide="input"
doubled = MaxMargin().fit(2 * X, y)
verify("question 2: w halved", doubled.weights_, machine.weights_ / 2, tol=1e-7)
verify("question 2: the width doubled", doubled.width_, 2 * machine.width_, tol=1e-7)
verify(
    "question 2: Σα quartered", doubled.multipliers_.sum(), machine.multipliers_.sum() / 4, tol=1e-7
)
without = [MaxMargin().fit(np.delete(X, i, 0), np.delete(y, i)).width_ for i in machine.support_]
verify("question 4: without a support vector it is wider", min(without) > machine.width_)
alone = MaxMargin().fit(X[machine.support_], y[machine.support_])
verify(
    "question 4: without all points that are none it is the same line",
    [*alone.weights_, alone.intercept_],
    [*machine.weights_, machine.intercept_],
    tol=1e-7,
)
verify("question 5: the width", 2 / np.sqrt(2e9) * 1e5, "4.5")
verify("question 5: irises in km", dual_value(alpha, X @ X.T, y) * 1e10 > 1e9)
verify("question 5: at the optimum D = ½‖w‖²", dual_value(alpha, X @ X.T, y), 0.5 * w @ w, tol=1e-6)

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are told which one.
# *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch05_margin")

# %% [markdown] key="references" numbers="free" slide="skip"
# ## To read on
#
# - B. E. Boser, I. M. Guyon and V. N. Vapnik, *A training algorithm for optimal margin classifiers*, 1992: the dual with a kernel.
# - C. J. C. Burges, *A tutorial on support vector machines for pattern recognition*, 1998: KKT by hand, and the forces.
# - C. M. Bishop, *Pattern Recognition and Machine Learning*, 2006, section 7.1, which one of this course's sources follows.
# - A. B. J. Novikoff, *On convergence proofs on perceptrons*, 1962: the bound (10). V. N. Vapnik, *The Nature of Statistical Learning Theory*, 1995.
# - **Data.** Irises: E. Anderson, 1935, published by R. A. Fisher, 1936; digits: E. Alpaydin and C. Kaynak; both from the installed scikit-learn. Ripley's two classes: as in chapter 1.
#
# **Next:** [the sheet](../exercises/ch05_margin_sheet.ipynb).
