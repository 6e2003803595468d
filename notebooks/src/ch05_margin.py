# %% [markdown] key="title" slide="slide"
# # Maximum margin
#
# Many lines separate two classes. This chapter finds the one that keeps the largest distance from both, proves that
# it does, and asks what the distance is good for.

# %% key="imports" slide="skip" hide="input"
import warnings

import numpy as np
import matplotlib.pyplot as plt
from scipy.linalg import null_space
from scipy.optimize import linprog, minimize
from scipy.spatial import ConvexHull
from sklearn.datasets import load_iris
from sklearn.svm import SVC

from kcourse import Gaussian, Perceptron
from kcourse.datasets import load_synth
from kcourse.lab import cycle, measured, show, table, use_style, verify
from kcourse.chapters.ch05_margin.figures import (
    CLASSES, hulls_explorer, orders_explorer, points_explorer, strip,
)
from kcourse.margin import MaxMargin, canonical, kkt_report, mistake_bound, signed_distances

use_style()

# %% [markdown] key="question" slide="slide" tags=["hour"]
# ## Separating two classes: which line would you sign?
#
# Here are a hundred irises, fifty *setosa* and fifty *versicolor*, measured by Edgar Anderson in the 1930s. The two
# measurements are length and width of a petal. A florist wants a straight line between the two, and will sort
# thousands of flowers by it. You are asked to draw it and to sign it.
#
# <!-- slide
# A hundred irises, fifty *setosa* and fifty *versicolor*: length and width of a petal. A florist will sort thousands of
# flowers by a straight line. Draw it, and put your name to it.
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
# Many lines fit into the gap between the classes, and none of them makes a mistake on these hundred flowers. Chapter 2
# had an algorithm that finds one, the *perceptron*. Let us run it five hundred times.
#
# <!-- slide
# Many lines fit into the gap. **Draw the one that you would sign.**
# -->

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Let everybody draw the line on paper, over the printed picture or in the air. Ask two of them *why there*; somebody
# will say "in the middle". Ask: the middle of what? Keep that question on the board.
#
# </details>

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# 1. compute distances from a plane, and bring $(w,b)$ to canonical form;
# 2. derive the dual from the primal, and say which derivatives vanish;
# 3. check a solution with pencil and paper, by five conditions;
# 4. explain the multipliers as forces, and the margin by convex hulls;
# 5. say what units do, when the multipliers are not unique, and when there is no solution.

# %% [markdown] key="objectives-need" slide="skip"
# **You need** the first three chapters and gradients. **Reading:** two to three hours. **Lecture:** two 45-minute
# lectures. **Exercises:** two to three hours, [in the exercise notebook](../exercises/ch05_margin_sheet.ipynb).

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Do not leave out: the multipliers, the three points, the gap (8), the forces.
#
# Can be skipped: The margin bounds the updates of the perceptron; With a Gaussian kernel a hard margin always exists;
# Find two mistakes in the code after the dual; The same line in scikit-learn; Primal for few dimensions, dual for many.
#
# </details>

# %% [markdown] key="perceptrons" slide="slide"
# ## The perceptron in five hundred orders
#
# The perceptron starts with $w=0$, $b=0$ and takes one flower after the other. Let $y=-1$ for setosa and $y=+1$ for
# versicolor. With $f(x)=w^\top x+b$, a flower is misclassified if $y\,f(x)\le0$. Then $w\leftarrow w+y\,x$ and
# $b\leftarrow b+y$. It stops after a pass without mistakes. The rule leaves one thing open, which is the order of the
# flowers.
#
# <!-- slide
# ## The perceptron's line depends on the order of the points
#
# Start with $w=0$, $b=0$ and $f(x)=w^\top x+b$. A flower is a mistake if $y\,f(x)\le0$; then
#
# $$w\leftarrow w+y\,x,\qquad b\leftarrow b+y.$$
#
# It stops after a pass without mistakes. **The order of the flowers is open.**
# -->


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

# %% [markdown] key="perceptrons-predict" slide="subslide"
# **Predict first.** Five hundred orders of the same flowers give 251 different lines, all without a mistake. Draw
# them with the slider, and watch how near each comes to a flower.
#
# 1. What fraction of the largest possible distance to the nearest flower does a *typical* line keep?
# 2. Does any line keep nearly all of it? Does any pass a flower by less than a tenth of a millimetre?
#
# <!-- slide
# **Five hundred orders give 251 lines without a mistake**
#
# **Predict first.**
#
# 1. What fraction of the largest possible distance does a *typical* line keep?
# 2. Does any line keep nearly all of it? Does any pass a flower by less than a tenth of a millimetre?
# -->

# %% [markdown] key="perceptrons-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Take bets on the median before you show the lines. Then ask which of the lines on the screen they would sign, and
# why. Expect "not so close to that one", which is the definition of the margin. Show the maximum margin last.
#
# </details>

# %% key="perceptrons-figure" hide="input"
widest = MaxMargin().fit(X, y)
shuffled = orders_explorer((X, y), lines, (widest.weights_, widest.intercept_), names, labels)

# %% [markdown] key="perceptrons-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# The median distance to the nearest flower is 0.302 cm, less than half of the possible 0.652 cm. The best line keeps
# 0.640 cm, the worst 0.003 cm. **The perceptron stops at the first line without a mistake.** Which algorithm finds the
# line with the largest distance, and how can we prove that this line is the best?
#
# </details>
#
# <!-- slide
# **The perceptron stops at the first line without a mistake**
#
# - Distance to the nearest flower: median 0.302 cm, worst 0.003 cm, best 0.640 cm.
# - Possible: 0.652 cm.
#
# How would an algorithm know that it has found that line?
# -->

# %% key="perceptrons-verify" slide="skip" hide="input"
same = [Perceptron().fit(X[order], y[order]) for order in orders[:20]]
verify(
    "kcourse's Perceptron finds the same lines",
    [[*m.weights_, m.intercept_] for m in same],
    lines[:20],
)
verify("none of the 500 makes a mistake", np.all(y * (lines[:, :2] @ X.T + lines[:, 2:]) > 0))
directions = np.unique(np.round(lines / np.linalg.norm(lines[:, :2], axis=1)[:, None], 9), axis=0)
verify("different lines among the 500", len(directions), "251")
nearest_flower = np.array([np.min(y * signed_distances(X, u[:2], u[2])) for u in lines])
verify("the median distance to the nearest flower (cm)", np.median(nearest_flower), "0.302")
verify("the largest of the 500 (cm)", nearest_flower.max(), "0.640")
verify("the smallest (cm)", nearest_flower.min(), "0.003")
verify("the largest possible (cm)", widest.margin_, "0.652")

# %% [markdown] key="distance" slide="slide" tags=["hour"]
# ## The signed distance from a plane
#
# To compare lines, we first measure how far a point is from a line. The points with $w^\top x+b=0$ form a line in two
# dimensions, a plane in three, and a *hyperplane* in $\mathbb R^d$. We say plane for all of them.
#
# **Step 1.** From $x$ walk along $w$ or $-w$, which are perpendicular to the plane, until you reach it at $x-t\,w$:
#
# $$w^\top(x-t\,w)+b=0\quad\Longrightarrow\quad t=\frac{w^\top x+b}{\|w\|^2}.$$
#
# The displacement from this point to $x$ is $t\,w$, so its length is $|t|\,\|w\|$. With the sign of the side on which
# $x$ lies,
#
# $$\text{signed distance}=\frac{w^\top x+b}{\|w\|}=\frac{f(x)}{\|w\|}. \tag{1}$$
#
# The distance is the [absolute value](errata.ipynb#E55.-A-distance-has-no-sign) of the signed distance.
#
# <!-- slide
# ## The signed distance from a plane is f(x)/‖w‖
#
# **Step 1.** Walk from $x$ along $w$ or $-w$ to the plane:
#
# $$w^\top(x-t\,w)+b=0\quad\Longrightarrow\quad t=\frac{w^\top x+b}{\|w\|^2}$$
#
# The displacement from there to $x$ is $t\,w$, of length $|t|\,\|w\|$. With the sign of the side:
#
# $$\text{signed distance}=\frac{w^\top x+b}{\|w\|}=\frac{f(x)}{\|w\|} \tag{1}$$
# -->

# %% [markdown] key="distance-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let them find t: what must hold at the foot? Ask why no other point of the plane is nearer (Pythagoras), and what the
# sign says.
#
# </details>

# %% [markdown] key="distance-lead" slide="subslide"
# The figure shows this for $w=(1,2)$, $b=-3$ and $x=(3,3)$:
#
# <!-- slide
# **The shortest segment from x to the plane is parallel to w**
# -->

# %% key="distance-picture" hide="input"
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
verify("(1) is the distance to it", np.linalg.norm(x - foot), (w @ x + b) / np.linalg.norm(w))
along = np.array([-2.0, 1.0])  # a direction of the line
others = foot + np.linspace(-2, 2, 41)[:, None] * along
verify(
    "no point of the line is nearer",
    np.linalg.norm(others - x, axis=1).min(),
    np.linalg.norm(x - foot),
)

# %% [markdown] key="scale" slide="slide" tags=["hour"]
# ## The canonical form of a plane
#
# What does the size of $f(x)$ tell us? If you multiply $w$ and $b$ by seven, every $f(x)$ is seven times as large, but the
# distances and the plane stay the same. So $(w,b)$ has one degree of freedom too many, and the size of $f(x)$ means
# nothing by itself. A point is classified correctly if $y\,f(x)>0$, however small this value is.
#
# **Step 2.** Divide $(w,b)$ by the smallest $y_if(x_i)$, which is positive if the plane separates the classes. Then
#
# $$\min_i\;y_i\,(w^\top x_i+b)=1. \tag{2}$$
#
# This is the *canonical* form. This step rescales $(w,b)$ and [not the
# data](errata.ipynb#E94.-The-canonical-form-scales-w-and-b). The value 1 has no unit and is not a distance. By (1), the
# distance of the nearest point is $1/\|w\|$.
#
# <!-- slide
# ## The canonical form fixes the scale of (w, b)
#
# Multiply $w$ and $b$ by 7: every distance (1) stays, every $f(x)$ grows. One degree of freedom too many.
#
# **Step 2.** Divide $(w,b)$ by the smallest $y_if(x_i)$:
#
# $$\min_i\;y_i\,(w^\top x_i+b)=1 \tag{2}$$
#
# The data are not rescaled. 1 is a value of $y\,f$; the **distance** of the nearest point is $1/\|w\|$.
# -->

# %% [markdown] key="scale-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask: is f(x) = 5 far away? (You cannot know.) Then ask for the unit of w (one over a centimetre) and of the 1 in (2)
# (none).
#
# </details>

# %% key="scale-verify" slide="skip"
w, b, _ = perceptron(X, y)  # any line that separates will do
smallest = np.min(y * (X @ w + b))
w, b = w / smallest, b / smallest
verify("(2): the nearest flower has y f = 1", np.min(y * (X @ w + b)), 1.0)
verify("its distance is 1/‖w‖", np.min(np.abs(signed_distances(X, w, b))), 1 / np.linalg.norm(w))
verify("7 (w, b) is the same line", signed_distances(X, 7 * w, 7 * b), signed_distances(X, w, b))

# %% [markdown] key="primal" slide="slide" tags=["hour"]
# ## The primal: the largest margin
#
# In canonical form the planes $f(x)=1$ and $f(x)=-1$ are called *margin lines*. No point lies between them, and at
# least one lies on them. Each has the distance $1/\|w\|$ from the plane $f(x)=0$. This distance is the *margin*, and
# $2/\|w\|$, the distance between the two margin lines, is its *width*. Sources use the word *margin* for
# [either](errata.ipynb#E70.-How-wide-is-a-margin?).
#
# We want the margin to be as large as possible, so $\|w\|$ should be as small as possible. Minimising $\tfrac12\|w\|^2$
# is equivalent, and its gradient is simpler. **Step 3:**
#
# $$\min_{w,b}\;\tfrac12\|w\|^2\quad\text{subject to}\quad y_i\,(w^\top x_i+b)\ge1\ \text{ for all }i;
# \qquad\text{width}=\frac2{\|w\|}. \tag{3}$$
#
# The constraints allow all $y_if(x_i)$ to exceed one. But then a shorter $w$ would satisfy them, so at the optimum
# the smallest $y_if(x_i)$ is one. This problem is a *quadratic program*, with a convex quadratic function and linear
# constraints. If a plane separates the two classes, the solution of (3) is the *maximum-margin* or *hard-margin*
# classifier, and it is **unique**. If two different $w$ were both shortest, their mean would satisfy the constraints
# and be shorter. For the shortest $w$ only one $b$ is possible, because each class must have a point on its margin line.
# Otherwise we could shift the plane until no point is on a margin line, and then shorten $w$.
#
# <!-- slide
# ## The largest margin is a quadratic program
#
# *Margin lines*: $f(x)=\pm1$. The *margin* is $1/\|w\|$, its *width* $2/\|w\|$.
#
# **Step 3:** the *maximum margin* classifier
#
# $$\min_{w,b}\;\tfrac12\|w\|^2\quad\text{subject to}\quad y_i\,(w^\top x_i+b)\ge1;\qquad\text{width}=\frac2{\|w\|} \tag{3}$$
#
# The solution is **unique**. If $w\ne w'$ were both shortest, what about their mean?
# -->

# %% [markdown] key="primal-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask why ½‖w‖² and not 2/‖w‖: the solution is the same, and ½‖w‖² is convex. Then let them prove uniqueness by the mean
# of two. It takes one line: the mean of two different vectors of one length is shorter.
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

# %% [markdown] key="primal-lead" slide="subslide"
# A general solver of SciPy, SLSQP, finds this line for the irises:
#
# <!-- slide
# **Two flowers of a hundred lie on the margin lines**
# -->

# %% key="primal-picture" hide="input"
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
    alt="The irises again, with the widest margin between the two clouds as a grey band around its"
    " middle line. One setosa, 1.9 cm long and 0.4 cm wide, and one versicolor, 3.0 and 1.1 "
    "cm, lie on the margin lines and are ringed; no other flower touches them.",
)

# %% [markdown] key="primal-reading"
# The width is 1.304 cm. Two flowers of a hundred lie on the margin lines, and these two alone would give the same line.
# So the solution does not change if any of the others moves without crossing its margin line. How can one see from a
# solution which points determine it?
#
# <!-- slide
# The width is 1.304 cm. **The other 98: do they matter?**
# -->

# %% key="primal-verify" slide="skip" hide="input"
behind = signed_distances(np.zeros((1, 2)), np.array([1.0, 2.0]), -3.0)
verify("a signed distance is negative behind the plane, at the origin", behind[0] < 0)
x_e, y_e = np.array([0.2, 3.0, -0.5]), np.array([1, 1, -1])
verify("f(x) = x: three points are right, and two have y f below 1", y_e * x_e, [0.2, 3, 0.5])
a, c = canonical(7 * w, 7 * b, X, y)
verify("the canonical form of 7 (w, b) is (w, b)", [*a, c], [*w, b], tol=1e-6)
verify("the width (cm)", 2 / np.linalg.norm(w), "1.304")
verify("two flowers lie on the margin lines", len(on) == 2)
verify(
    "kcourse's MaxMargin finds the same", [*w, b], [*widest.weights_, widest.intercept_], tol=1e-6
)
alone = MaxMargin().fit(X[on], y[on])
verify("the two alone give the same line", alone.weights_, widest.weights_, tol=1e-8)
verify("the setosa on its margin line", X[on[0]], [1.9, 0.4])
verify("the versicolor on its margin line", X[on[1]], [3.0, 1.1])

# %% [markdown] key="price" slide="slide" tags=["hour"]
# ## Lagrange multipliers and the KKT conditions
#
# How does one minimise under constraints? Start with one unknown. The function $\tfrac12w^2-3w$ has the derivative
# $w-3$ and its minimum at $w=3$. Now require $w\le2$. At the best point, $w=2$, the derivative is $-1$, so the
# function would fall further if $w$ could grow.
#
# Replace the constraint by a charge. Every unit of $w$ beyond the bound costs $\alpha$, and every unit below it earns
# $\alpha$. The function
#
# $$\tfrac12w^2-3w-\alpha\,(2-w)$$
#
# has its minimum at $w=3-\alpha$, which is the best point if $\alpha=1$. We call $\alpha$ a *multiplier*, and because
# it is a charge, it is [not negative](errata.ipynb#E51.-A-multiplier-may-be-0). If the constraint were $w\le4$, the
# minimum $w=3$ would be allowed. The constraint would be *inactive*, and its multiplier zero.
#
# <!-- slide
# ## A multiplier replaces a constraint by a charge
#
# $\tfrac12w^2-3w$ has its minimum at $w=3$. Require $w\le2$, and charge $\alpha$ for each unit beyond:
#
# $$\tfrac12w^2-3w-\alpha\,(2-w)\quad\text{has its minimum at}\quad w=3-\alpha$$
#
# For which *multiplier* $\alpha$ can the constraint be dropped? And if it is $w\le4$?
# -->

# %% [markdown] key="price-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Let them say the multiplier before you write it: 3 - α = 2, so α = 1. For w ≤ 4 expect -1; the answer is 0.
#
# </details>

# %% key="price-verify" slide="skip"
u = np.linspace(0, 5, 5001)
value = u**2 / 2 - 3 * u
verify("without a constraint the minimum is at w = 3", u[value.argmin()], 3.0)
verify("with w ≤ 2 it is at w = 2", u[u <= 2][value[u <= 2].argmin()], 2.0)
verify("with the multiplier 1 it is at w = 2", u[(value - 1 * (2 - u)).argmin()], 2.0)

# %% [markdown] key="lagrangian" slide="subslide"
# **Step 4.** The *Lagrangian* of (3) has a multiplier $\alpha_i\ge0$ for each constraint $y_if(x_i)-1\ge0$:
#
# $$L(w,b,\alpha)=\tfrac12\|w\|^2-\sum_i\alpha_i\big(y_i(w^\top x_i+b)-1\big). \tag{4}$$
#
# Imagine an opponent who chooses $\alpha$ to make $L$ large. If $(w,b)$ violates a constraint, its multiplier can be
# made huge, and $L$ has no upper bound. Otherwise the best choice makes every term of the sum zero, and
# $L=\tfrac12\|w\|^2$. So the primal is $\min_{w,b}\max_{\alpha\ge0}L$. Now exchange the two. The opponent chooses
# $\alpha$ first, and we answer with $w$ and $b$:
#
# - In $b$, $L$ is linear with the slope $-\sum_i\alpha_iy_i$. If this slope is not zero, some $b$ makes $L$ as small as
#   we like, so the minimum is $-\infty$. The opponent must therefore satisfy (6), which is a condition on $\alpha$.
# - In $w$, $L$ is a convex quadratic function, and its minimum is where $w-\sum_i\alpha_iy_ix_i=0$, which is (5).
#
# $$w=\sum_i\alpha_iy_ix_i, \tag{5}$$
#
# $$0=\sum_i\alpha_iy_i. \tag{6}$$
#
# In $\alpha_i$ the derivative of $L$ is $1-y_if(x_i)$, and it [need not
# vanish](errata.ipynb#E57.-Gradients-in-w-and-b,-not-in-a). Where $y_if(x_i)>1$ it is negative, so the opponent
# decreases $\alpha_i$ to zero. Where the best $\alpha_i$ is positive, the derivative is zero. This is *complementary
# slackness*:
#
# $$\alpha_i\,\big(y_if(x_i)-1\big)=0\quad\text{for all }i.$$
#
# Points with $\alpha_i>0$ are called *support vectors*. By slackness they lie on the margin lines, and by the formula
# for $w$ they determine the solution.
#
# <!-- slide
# **Fixed α: a formula for w and a condition on α**
#
# **Step 4.** A multiplier $\alpha_i\ge0$ for each constraint:
#
# $$L(w,b,\alpha)=\tfrac12\|w\|^2-\sum_i\alpha_i\big(y_i(w^\top x_i+b)-1\big) \tag{4}$$
#
# Primal: $\min_{w,b}\max_{\alpha\ge0}L$. Exchanged, we minimise over $w$ and $b$ at fixed $\alpha$:
#
# $$w=\sum_i\alpha_iy_ix_i \tag{5}$$ $$0=\sum_i\alpha_iy_i,\quad\text{or else the minimum over }b\text{ is }-\infty \tag{6}$$
#
# Which $\alpha_i$ can be positive?
# -->

# %% [markdown] key="lagrangian-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Play it: one half of the class names multipliers, the other half answers with w and b. Ask why (6) must hold before
# you write it (otherwise a huge b of the right sign wins). Then ask whether ∂L/∂α vanishes. Expect "yes"; it does only
# where α may be positive.
#
# </details>


# %% key="lagrangian-verify" slide="skip"
def L(w, b, alpha):
    return 0.5 * w @ w - alpha @ (y * (X @ w + b) - 1)


best_w, best_b, best_alpha = widest.weights_, widest.intercept_, widest.multipliers_
value, rng = L(best_w, best_b, best_alpha), np.random.default_rng(0)
answers = [L(best_w + v[:2], best_b + v[2], best_alpha) for v in rng.normal(size=(500, 3))]
others = [L(best_w, best_b, a) for a in rng.exponential(size=(500, 100))]
verify("no other (w, b) has a smaller L at this α", min(answers) >= value)
verify("no other α has a larger L at this (w, b)", max(others) <= value + 1e-9)
uneven = best_alpha + np.eye(100)[0]  # Σ α_i y_i is not 0
verify("without (6), b = -10⁶ makes L very small", L(best_w, -1e6, uneven) < -1e5)

# %% [markdown] key="kkt" slide="subslide"
# Together these conditions are named after *Karush, Kuhn and Tucker*, in short *KKT*:
#
# | | condition | in words |
# |---|---|---|
# | primal | $y_if(x_i)\ge1$ | no point lies inside the margin |
# | dual | $\alpha_i\ge0$ | no multiplier is negative |
# | stationary in $w$ | $w=\sum\alpha_iy_ix_i$ | the support vectors add up to $w$ |
# | stationary in $b$ | $\sum\alpha_iy_i=0$ | the multipliers of both classes have the same sum |
# | slackness | $\alpha_i(y_if(x_i)-1)=0$ | a point off the margin lines has $\alpha_i=0$ |
#
# <!-- slide
# **Five conditions, named after Karush, Kuhn and Tucker (KKT)**
#
# | | condition | in words |
# |---|---|---|
# | primal | $y_if(x_i)\ge1$ | no point inside the margin |
# | dual | $\alpha_i\ge0$ | no multiplier is negative |
# | stationary in $w$ | $w=\sum\alpha_iy_ix_i$ | the support vectors add up to $w$ |
# | stationary in $b$ | $\sum\alpha_iy_i=0$ | the multipliers of both classes have the same sum |
# | slackness | $\alpha_i(y_if(x_i)-1)=0$ | $\alpha_i=0$ off the margin lines |
# -->

# %% [markdown] key="kkt-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask which of the five the perceptron's line satisfies in canonical form, with its rescaled counts of updates as α.
# (The first three. Stationarity in b and slackness fail.)
#
# </details>

# %% [markdown] key="by-hand" slide="slide"
# ## Three points with pencil and paper
#
# The points $x_1=(3,3)$ and $x_2=(4,3)$ have class $+1$, and $x_3=(1,1)$ has class $-1$. Sketch them. Guess which of
# the three is too far away to matter, and find $\alpha$, $w$ and $b$ from the five conditions.
#
# <!-- slide
# ## Three points: the five conditions give α, w and b
#
# $x_1=(3,3)$ and $x_2=(4,3)$ of class $+1$, $x_3=(1,1)$ of class $-1$.
#
# Sketch them. **Guess** which of the three is too far away to matter. Then find $\alpha$, $w$ and $b$.
# -->

# %% [markdown] key="by-hand-notes" slide="notes"
# <details><summary>For the lecturer (5 min)</summary>
#
# Give them five minutes with a pencil. Then ask what would have shown that the guess was wrong. (Use x₂ and x₃ alone:
# then y₁f(x₁) is below 1.) Ask for the distance of x₁ from the line. Expect 1; it is √2. Then ask for the derivative of
# L with respect to α₂: it is -0.5.
#
# </details>

# %% [markdown] key="by-hand-2" slide="fragment"
# <details><summary><b>On paper</b> (open this once you have written down your numbers)</summary>
#
# $x_2$ is further away than $x_1$, so try $\alpha_2=0$.
#
# - By (6), $\alpha_1=\alpha_3$. Call it $\alpha$. By (5), $w=\alpha\,(3,3)-\alpha\,(1,1)=(2\alpha,2\alpha)$.
# - By slackness, $w^\top x_1+b=12\alpha+b=1$ and $w^\top x_3+b=4\alpha+b=-1$. Subtract to get $8\alpha=2$.
# - So $\alpha=\tfrac14$ and $w=(\tfrac12,\tfrac12)$. Both equations give the same $b$: $1-3=-2$ and $-1-1=-2$.
# - Check the guess: $y_2f(x_2)=\tfrac12\cdot4+\tfrac12\cdot3-2=1.5\ge1$. ✓
#
# The width is $2/\|w\|=2\sqrt2$, which is the distance from $x_3$ to $x_1$.
#
# </details>

# %% key="by-hand-verify" slide="skip"
X3, y3 = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array([1, 1, -1])
alpha3 = np.array([0.25, 0, 0.25])
w3, b3 = (alpha3 * y3) @ X3, -2.0
print(kkt_report(X3, y3, alpha3, b3, weights=w3))

# %% [markdown] key="by-hand-reading" slide="subslide"
# All five conditions hold. The report has $C$ and $\xi_i$ because it also checks the conditions of chapter 6. Three
# numbers deserve a second look.
#
# - $y_1f(x_1)=1$, but the distance of $x_1$ from the line is $1/\|w\|=\sqrt2$. The 1 is [not a
#   distance](errata.ipynb#E12.-The-1-is-not-a-distance).
# - $\partial L/\partial\alpha_2=1-1.5=-0.5$. This derivative does not vanish, because $\alpha_2$ cannot become
#   negative.
# - For a support vector $x_n$, $b$ comes from $y_n(w^\top x_n+b)=1$, with the label. Without the label $x_3$ gives
#   $b=0$ instead of $-2$.
#
# <!-- slide
# **Three numbers that deserve a second look**
#
# - $y_1f(x_1)=1$, and the distance of $x_1$ is $1/\|w\|=\sqrt2$.
# - $\partial L/\partial\alpha_2=1-1.5=-0.5$. It does **not** vanish.
# - $b$ comes from $y_n(w^\top x_n+b)=1$. Without the label $x_3$ gives $b=0$ instead of $-2$.
# -->

# %% key="by-hand-verify-2" slide="skip" hide="input"
value = u**2 / 2 - 3 * u
verify("w ≤ 4 changes nothing", u[u <= 4][value[u <= 4].argmin()], 3.0)
verify("w with pencil and paper", w3, [0.5, 0.5])
verify("y₂ f(x₂)", y3[1] * (X3[1] @ w3 + b3), "1.5")
verify("the width is 2√2", 2 / np.linalg.norm(w3), 2 * np.sqrt(2))
verify("the distance from x₃ to x₁ is also 2√2", np.linalg.norm(X3[0] - X3[2]), 2 * np.sqrt(2))
three = MaxMargin().fit(X3, y3)
verify("MaxMargin: w and b", [*three.weights_, three.intercept_], [0.5, 0.5, -2], tol=1e-8)
verify("MaxMargin: α", three.multipliers_, alpha3, tol=1e-8)
wrong_guess = MaxMargin().fit(X3[1:], y3[1:])  # x₁ left out
verify("with α₁ = 0, x₁ would be inside the margin", wrong_guess.decision_function(X3[:1])[0] < 1)
verify("∂L/∂α₂", 1 - y3[1] * (X3[1] @ w3 + b3), "-0.5")
verify("b from x₃ without the label", 1 - X3[2] @ w3, 0.0)
verify("b from x₁ and x₃ with it", [y3[0] - X3[0] @ w3, y3[2] - X3[2] @ w3], [-2.0, -2.0])

# %% [markdown] key="dual" slide="slide" tags=["hour"]
# ## The dual
#
# **Step 5.** What does the opponent maximise? Put (5) and (6) into (4). The terms with $b$ cancel, those with $w$ are
# $\tfrac12\|w\|^2-\|w\|^2$, and what remains is the *dual*:
#
# $$\max_\alpha\;D(\alpha)=\sum_i\alpha_i-\tfrac12\sum_{i,j}\alpha_i\alpha_jy_iy_j\,x_i^\top x_j,
# \qquad\alpha_i\ge0,\quad\sum_i\alpha_iy_i=0. \tag{7}$$
#
# The points occur in inner products only. So you can write $k(x_i,x_j)$ for $x_i^\top x_j$, and you have the maximum
# margin in the feature space of any kernel, with $f(x)=\sum_i\alpha_iy_i\,k(x_i,x)+b$. Only support vectors occur in
# this sum, so the zeros save work in [prediction](errata.ipynb#E60.-Zero-multipliers-save-work-in-prediction). In
# training it is not known in advance where they are.
#
# The same general solver finds the optimal $\alpha$ from $y$ and the matrix $K$ of the $k(x_i,x_j)$ alone:
#
# <!-- slide
# ## The dual contains inner products only
#
# **Step 5.** (5) and (6) into (4):
#
# $$\max_\alpha\;D(\alpha)=\sum_i\alpha_i-\tfrac12\sum_{i,j}\alpha_i\alpha_jy_iy_j\,x_i^\top x_j,\qquad\alpha_i\ge0,\quad\sum_i\alpha_iy_i=0 \tag{7}$$
#
# Write $k(x_i,x_j)$ for $x_i^\top x_j$: then $f(x)=\sum_i\alpha_iy_i\,k(x_i,x)+b$.
# -->


# %% key="dual-code" slide="skip"
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
verify("irises: the dual gives the w of the primal", (alpha * y) @ X, w, tol=1e-6)
verify("... from two support vectors", np.flatnonzero(alpha > 1e-6), on)

# %% [markdown] key="gap" slide="subslide"
# **Step 6.** Does the dual have the same optimal value as the primal? For *any* $w$, $b$ and any $\alpha$ with
# $\sum\alpha_iy_i=0$, expand the squares to see that
#
# $$\tfrac12\|w\|^2-D(\alpha)=\tfrac12\Big\|w-\sum_i\alpha_iy_ix_i\Big\|^2+\sum_i\alpha_i\big(y_if(x_i)-1\big). \tag{8}$$
#
# If $(w,b)$ satisfies the constraints and $\alpha\ge0$, then both terms on the right are $\ge0$. So **no dual value
# is above a primal value**, and the two are equal exactly if (5) and slackness hold. Numbers that satisfy the KKT
# conditions are therefore *proved* to be optimal, however they were found. At the optimum
# $\tfrac12\|w\|^2=\sum\alpha_i-\tfrac12\|w\|^2$, which means $\|w\|^2=\sum\alpha_i$. We have not yet shown that such
# $\alpha$ exist. We construct them below from two convex hulls.
#
# <!-- slide
# **The gap is zero exactly if (5) and slackness hold**
#
# **Step 6.** For *any* $w,b$ and any $\alpha$ with $\sum\alpha_iy_i=0$:
#
# $$\tfrac12\|w\|^2-D(\alpha)=\tfrac12\Big\|w-\sum_i\alpha_iy_ix_i\Big\|^2+\sum_i\alpha_i\big(y_if(x_i)-1\big) \tag{8}$$
#
# Constraints satisfied, $\alpha\ge0$: what can you say about the right side? When is it 0?
# -->

# %% [markdown] key="gap-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Let them expand (8); it has four terms. Draw the meaning: primal values come from above, dual values from below, and
# where they meet both are optimal. Ask for Σα of the three points (½, which is ‖w‖²).
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
verify("(8) holds for some w, b and α with (6)", left, right)
verify("three points: the values are equal", 0.5 * w3 @ w3, dual_value(alpha3, X3 @ X3.T, y3))
verify("three points: ‖w‖² = Σα", w3 @ w3, alpha3.sum())

# %% [markdown] key="forces" slide="slide"
# ## Forces in equilibrium
#
# What do (5) and (6) mean? Let the region between the margin lines be a stiff board. Each
# support vector pushes on its edge, perpendicular to this edge, with the force $\alpha_i$, class $+1$ from one side
# and class $-1$ from the other. By (6) the forces cancel. The force at $x_i$ is the vector $-\alpha_iy_iw/\|w\|$, so
# by (5) the torques add up to $-\,w\times w/\|w\|=0$. **A maximum margin is a board at rest.**
#
# <!-- slide
# ## A maximum margin is a board at rest
#
# Between the margin lines lies a stiff board. Support vector $i$ pushes with the force $\alpha_i$, one class from each
# side.
#
# - (6), $\sum\alpha_iy_i=0$: the **forces** cancel.
# - (5), $\sum\alpha_iy_ix_i=w$: the **torques** cancel, since $w\times w=0$.
# -->

# %% [markdown] key="forces-lead" slide="subslide"
# The board below is centred on the horizontal line at height $1$. The points $(0,2)$ and $(4,2)$ push from above, and
# $(1,0)$ pushes from below with $\alpha=\tfrac12$. With what force does each upper point push?
#
# <!-- slide
# **How much does each of the upper two carry?**
# -->

# %% [markdown] key="forces-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Hold a ruler between fingers. It is a seesaw: (0,2) is 1 away from the finger below, (4,2) is 3 away, so they carry 3
# : 1. Expect "half each". The lever rule gives the multipliers without any algebra. Then add a fourth finger and ask
# how much each carries. This cannot be said, as with a table with four legs, and that is the next surprise.
#
# </details>

# %% key="forces-picture" hide="input"
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
    alt="A horizontal board between x₂ = 0 and x₂ = 2. Two triangles push on it from above, at "
    "x₁ = 0 and x₁ = 4, with forces marked by question marks; a circle pushes from below, at "
    "x₁ = 1, with one half.",
)

# %% [markdown] key="forces-reading"
# The board is a seesaw with its pivot at $(1,0)$. The right arm is three times as long as the left arm, so the left
# point carries three quarters of $\tfrac12$, which is $0.375$, and the right point carries $0.125$.
#
# <!-- slide
# <div class="fragment">
#
# Arms of length 1 and 3: they carry 0.375 and 0.125.
#
# </div>
# -->

# %% [markdown] key="play-predict" slide="slide" tags=["hour"]
# ## Which points are support vectors?
#
# **Predict first.** Here are the points $(3,3)$, $(4,3)$ and $(1,1)$. The one that is marked by a cross can be moved.
#
# 1. Move it to the right and up, away from the others. When does the line begin to follow?
# 2. Move it to the left and down. As the margin becomes narrower, does $\sum\alpha$ grow or shrink?
# 3. Choose *square*, where four points lie on the margin lines. How many support vectors are there?
#
# <!-- slide
# ## Which points are support vectors when one moves?
#
# **Predict first.** The points $(3,3)$, $(4,3)$ and $(1,1)$. The one with the cross moves.
#
# 1. It moves to the right and up, away from the others. When does the line begin to follow?
# 2. It moves to the left and down. As the margin becomes narrower, does $\sum\alpha$ grow or shrink?
# 3. *Square*: four points on the margin lines. How many support vectors are there?
# -->

# %% [markdown] key="play-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Move it left by 0.5 and down by 1: there are three support vectors. Ask why Σα grows (it is ‖w‖², 4 over the width
# squared). For the square expect "four". Walk through the optima: the bars move, the line stays. Ask what the table
# with four legs has to do with it.
#
# </details>


# %% key="play-figure" hide="input"
def all_optima(points, classes):
    """w, b, and the two ends of a segment of optimal multipliers."""
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
# If you move the point to the right and up, it stays outside the margin. Its multiplier is zero, and the line never
# follows. If you move it left and down until it reaches its margin line, it can become a support vector. **Points
# outside the margin have no influence.** As the margin becomes narrower, the sum of the multipliers grows, because
# $\sum\alpha_i=\|w\|^2=4/\text{width}^2$. In the *square*, $(\tfrac12,0,\tfrac12,0)$ has the same dual value as
# $(\tfrac14,\tfrac14,\tfrac14,\tfrac14)$. All optima are $(t,\tfrac12-t,t,\tfrac12-t)$, so there are two support
# vectors or four, never three.
#
# </details>
#
# <!-- slide
# **In the square two or four points are support vectors, never three**
#
# - Outside the margin: $\alpha_i=0$, and the line stays.
# - $\sum\alpha_i=\|w\|^2=4/\text{width}^2$ grows as the margin becomes narrower.
# - Square: all $(t,\tfrac12-t,t,\tfrac12-t)$ are optimal. One line, many multipliers.
# -->

# %% key="play-verify" slide="skip" hide="input"
verify("the three forces", board.multipliers_, [0.375, 0.125, 0.5], tol=1e-8)
verify("the forces cancel", board.multipliers_ @ y_b, 0.0, tol=1e-8)
force = -(board.multipliers_ * y_b)[:, None] * board.weights_ / np.linalg.norm(board.weights_)
torque = np.sum(X_b[:, 0] * force[:, 1] - X_b[:, 1] * force[:, 0])
verify("the torques cancel", torque, 0.0, tol=1e-8)
XS, yS, _ = presets["square"]
ws, bs, one_end, other_end = all_optima(XS, yS)
for name, a in (("½, 0, ½, 0", [0.5, 0, 0.5, 0]), ("four quarters", [0.25] * 4)):
    report = kkt_report(XS, yS, a, bs, weights=ws)
    verify(f"square: {name} satisfy all conditions", report.optimal)
    verify(f"square: {name} have the dual value ½", report.dual_value, 0.5)
free = null_space((yS * np.column_stack([XS, np.ones(4)]).T), rcond=1e-6)
verify("square: one direction, (1, -1, 1, -1)", free[:, 0] / free[0, 0], [1, -1, 1, -1])
verify("square: all four lie on the margin lines", yS * (XS @ ws + bs), 1.0, tol=1e-8)
verify(
    "the segment of the figure ends at optima",
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
# A table with four legs stands, although the load on each leg is not determined. In the same way $w$ and $b$ are
# unique, but $\alpha$ [need not be](errata.ipynb#E58.-One-optimal-w,-but-several-optimal-a). A point on a margin
# line may have $\alpha_i=0$, so two solvers can report different support vectors and both be right. To compare
# them, compare $w$ and $b$, never $\alpha$.

# %% [markdown] key="hulls" slide="slide"
# ## Convex hulls: the shortest segment between two classes
#
# Where do optimal multipliers come from? The *convex hull* of a class is the set of all means $\sum\lambda_ix_i$ of
# its points with weights $\lambda_i\ge0$ that add up to one. Suppose that the hulls of the two classes do not meet.
# Let $p$ in the hull of class $+1$ and $q$ in that of class $-1$ be closest to each other, and $d=p-q$. Such points
# exist, because hulls of finitely many points are closed and bounded. **Step 7.**
#
# - For every $x$ of class $+1$, $(x-p)^\top d\ge0$. Otherwise a small step from $p$ towards $x$, which stays in the
#   hull, would come nearer to $q$. In the same way $(x-q)^\top d\le0$ for class $-1$.
# - So with $w=\dfrac{2}{\|d\|^2}\,d$ and the $b$ for which $f(p)=1$ and $f(q)=-1$, all constraints hold, because
#   $f(x)=f(p)+w^\top(x-p)$.
# - $p$ and $q$ are means with weights $\lambda_i$. Put $\alpha_i=\dfrac{2\lambda_i}{\|d\|^2}$. Then (5) and (6) hold.
#   Slackness holds as well. In class $+1$ every $f(x_i)\ge1$, and their weighted mean is $f(p)=1$, so $f(x_i)=1$
#   where $\lambda_i>0$. For class $-1$ the argument is the same with signs reversed.
#
# So all KKT conditions hold. By (8) this $(w,b)$ is optimal, and **optimal $\alpha$ exist**. The line halves the
# shortest segment between the hulls, and *the width is the distance between the hulls*:
#
# $$\frac2{\|w\|}=\|p-q\|. \tag{9}$$
#
# <!-- slide
# ## The width is the distance of the two convex hulls
#
# $p,q$: the nearest points of the two *convex hulls*, $d=p-q\ne0$. **Step 7.**
#
# $(x-p)^\top d\ge0$ for class $+1$, $(x-q)^\top d\le0$ for class $-1$. **Why?**
#
# <div class="fragment">
#
# - $w=\frac{2}{\|d\|^2}d$, $f(p)=1$, $f(q)=-1$: all constraints hold.
# - $p,q$ are means with weights $\lambda_i$; put $\alpha_i=2\lambda_i/\|d\|^2$: all of KKT holds.
#
# So optimal $\alpha$ exist, and $\;2/\|w\|=\|p-q\|$.
#
# </div>
# -->

# %% [markdown] key="hulls-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Draw two potatoes and the shortest segment. The first line is the whole proof, so let them find it: if x were on the
# other side of the perpendicular, then a step towards x would come nearer. Say that this also proves strong duality,
# without a theorem about it.
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
    "the distance of the hulls is the width",
    np.sqrt(nearest.fun),
    2 / np.linalg.norm(w),
    tol=1e-5,
)

# %% [markdown] key="units-predict" slide="subslide"
# **Predict first.** The figure shows the hulls of the irises. The first slider moves versicolor towards setosa.
#
# 1. Does the segment join the same two flowers until the hulls meet? What happens to $\sum\alpha$ before they meet?
# 2. The second slider changes the unit of petal *width* from centimetres to millimetres. The flowers do not change.
#    Does the line?
#
# <!-- slide
# **The hulls approach, and the unit of petal width changes**
#
# **Predict first.**
#
# 1. Versicolor moves towards setosa. Does the segment join the same two flowers until the hulls meet? What
#    happens to $\sum\alpha$?
# 2. Petal *width* is measured in millimetres, length in centimetres. The flowers do not change. Does the line?
# -->

# %% [markdown] key="units-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask whether units can matter. Expect "no, it is a line between flowers". Change the unit slowly: other flowers take
# over, and the segment, drawn in centimetres, is no longer perpendicular to the line. Ask in which units it is
# perpendicular (in those of the solver), and who decided that a centimetre of length equals a centimetre of width.
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
# At first the segment joins two corners, which means two support vectors. Later it joins a corner and an *edge*, and
# there are three. As the hulls come together, $\sum\alpha=4/\text{width}^2$ grows without bound. With petal width in
# millimetres, the line is nearly parallel to the axis of petal length. **Another unit makes other flowers the support
# vectors.**
#
# </details>
#
# <!-- slide
# **Another unit makes other flowers the support vectors**
#
# - The segment joins two corners; from 0.95 cm on, a corner and an edge.
# - Before the hulls meet, $\sum\alpha=4/\text{width}^2$ grows without bound.
# - Width in millimetres: other flowers, and a line nearly parallel to the axis of length.
# -->

# %% key="units-verify" slide="skip" hide="input"
d = X[on[1]] - X[on[0]]
verify("p and q are two flowers, w = 2d/‖d‖²", 2 * d / (d @ d), widest.weights_, tol=1e-8)
verify("‖w‖² is the sum of the α", w @ w, widest.multipliers_.sum(), tol=1e-6)
mm = MaxMargin().fit(X * [1, 10], y)
cm_normal = widest.weights_ / np.linalg.norm(widest.weights_)
back = mm.weights_ * [1, 10]
verify("width in mm: a line nearly parallel to the axis of length", abs(back[0] / back[1]) < 0.05)
verify("other flowers become support vectors", X[mm.support_], [[1.6, 0.6], [3.3, 1.0]])
in_cm = np.min(y * signed_distances(X, back, mm.intercept_))
verify("its distance to the nearest flower, in cm", in_cm, "0.24")
tenth = MaxMargin().fit(10 * X, y)
verify("all in mm: the same line", tenth.weights_ * 10, widest.weights_, tol=1e-7)


def pushed(by):
    return shortest(X - np.outer(y > 0, by * between), y)


verify("0.90 cm: two support vectors", len(pushed(0.90)[2]) == 2)
verify("0.95 cm: three", len(pushed(0.95)[2]) == 3)
verify("the hulls have not met at 1.45 cm", pushed(1.45) is not None)
verify("they have met at 1.50 cm", pushed(1.50) is None)

# %% [markdown] key="units" slide="slide"
# ## Feature scaling: units change the margin
#
# Which margin is the largest depends on the units. The line for petal widths in millimetres has the largest margin in
# those units, but it comes within 0.24 cm of a flower. The margin compares a centimetre of length with a centimetre
# of width, and **that comparison is your choice**. If the features are years, euros and degrees, scale them first,
# because the scaling is part of the model. A common factor, a shift or a rotation never matters.
#
# <!-- slide
# ## The largest margin depends on the units
#
# A centimetre of length is compared with a centimetre of width. **That comparison is your choice.**
#
# - The line for widths in millimetres comes within 0.24 cm of a flower, instead of 0.652 cm.
# - Never matters: one common factor, a shift, a rotation.
# - Years, euros, degrees: scale first, and say so. It is part of the model.
# -->

# %% [markdown] key="bound" slide="slide" tags=["later"]
# ## The perceptron's mistake bound
#
# What is the margin good for? If every flower moves by less than the margin, all of them stay on their side of the
# line. If you leave out a point with $\alpha_i=0$, the line stays the same, so leave-one-out misclassifies at most as
# many points as there are support vectors.
#
# A margin also bounds the updates of the perceptron. Write $\tilde x=(x,1)$ and $\tilde w=(w,b)$. Let $\|\tilde
# x_i\|\le R$, and let a unit vector $\tilde u$ separate the classes with $y_i\tilde u^\top\tilde x_i\ge\tilde\gamma>0$.
# Each update adds $y\,\tilde x$ to $\tilde w$, so it increases $\tilde u^\top\tilde w$ by at least $\tilde\gamma$. It
# increases $\|\tilde w\|^2$ by at most $R^2$, because $2y\,\tilde w^\top\tilde x\le0$ at a mistake. After $k$ updates
# $k\tilde\gamma\le\tilde u^\top\tilde w\le\|\tilde w\|\le\sqrt k\,R$, so
#
# $$k\le(R/\tilde\gamma)^2. \tag{10}$$
#
# The dimension does not occur in this bound. With the line of maximum margin as $\tilde u$, the bound allows 494
# updates on the irises, and none of the five hundred orders needs more than 25.
#
# <!-- slide
# ## The margin bounds the updates of the perceptron
#
# With $\tilde x=(x,1)$, $\|\tilde x_i\|\le R$ and $y_i\tilde u^\top\tilde x_i\ge\tilde\gamma$ for a unit vector
# $\tilde u$, each update
#
# - increases $\tilde u^\top\tilde w$ by at least $\tilde\gamma$,
# - increases $\|\tilde w\|^2$ by at most $R^2$, since it happens at a mistake.
#
# $$k\tilde\gamma\le\tilde u^\top\tilde w\le\|\tilde w\|\le\sqrt k\,R\quad\Longrightarrow\quad k\le(R/\tilde\gamma)^2 \tag{10}$$
# -->

# %% [markdown] key="bound-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask where the mistake is used (in the second line) and where the dimension occurs (nowhere). Then ask how many
# updates the irises need, if the bound allows 494. Expect a hundred or more; in these 500 orders it is at most 25.
#
# </details>

# %% key="bound-verify" slide="skip"
Z_tilde = y[:, None] * np.column_stack([X, np.ones(len(y))])  # y x̃
u_tilde = np.append(widest.weights_, widest.intercept_)
u_tilde = u_tilde / np.linalg.norm(u_tilde)
gamma, R = np.min(Z_tilde @ u_tilde), np.max(np.linalg.norm(Z_tilde, axis=1))
trail = [np.zeros(3)]
for z in np.tile(Z_tilde, (3, 1)):  # three passes
    if z @ trail[-1] <= 1e-12:
        trail.append(trail[-1] + z)
steps = np.diff(trail @ u_tilde), np.diff(np.sum(np.square(trail), axis=1))
verify("each update adds at least γ̃ to ũᵀw̃", np.all(steps[0] >= gamma - 1e-9))
verify("each update adds at most R² to ‖w̃‖²", np.all(steps[1] <= R**2 + 1e-9))

# %% [markdown] key="digits" slide="slide"
# ## Is the maximum margin more accurate?
#
# On the irises all five hundred lines are right, so we need a harder task. Take the 3s and 8s among the digits of
# chapter 2, learn from a hundred of them, and test in two ways. In one, the test digits come from the same fourteen
# forms, and so from the same writers. In the other, each form in turn is left out for the test. Here a plane
# separated the training digits every time.
#
# Compare the maximum margin with the perceptron (the mean of twenty orders), with ridge regression on the labels
# ($\lambda$ by leave-one-out), with the nearest mean, and with one nearest neighbour.
#
# <!-- slide
# ## Is the maximum margin more accurate than other methods?
#
# Handwritten 3s and 8s, 100 to learn from. Compare the maximum margin with
#
# - the perceptron, the mean of 20 orders,
# - ridge regression on the labels,
# - the nearest mean and one nearest neighbour.
#
# Test on digits from the **same writers**, or on a **form that was left out**. Which method is best?
# -->

# %% [markdown] key="digits-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Collect an order of the five methods before you show the table. Expect the margin first. Ask
# whether the perceptron's difference on new forms shows anything, and whether fourteen forms can separate the methods.
# (No.)
#
# </details>

# %% key="digits-table" slide="subslide" hide="input"
same_writers = measured("ch05_digits", "margin-beats-perceptron")
new_form = measured("ch05_new_form")
lead = {name: values - new_form["maximum margin"] for name, values in new_form.items()}
rows = {}
for name, values in new_form.items():
    paired = lead[name].mean(), lead[name].std(ddof=1) / np.sqrt(len(values))
    own = name == "maximum margin"
    rows[name] = same_writers[name].mean(), values.mean(), None if own else paired
table(
    "Errors among new 3s and 8s (%)",
    {
        "method": "",
        "same writers": ".2f",
        "new form": ".2f",
        "new form, minus maximum margin": "{:+.1f} ± {:.1f}",
    },
    rows,
    best={"same writers": "least", "new form": "least"},
)

# %% [markdown] key="digits-reading"
# Here ± is the standard error of the mean of paired differences over the fourteen forms. The errors
# on each form are means over many draws of the training digits.
#
# Is the maximum margin more accurate than the perceptron on average? With the same writers it misclassifies 2.2 %
# instead of 3.3 %. On a new form the averages are 4.9 % and 5.1 %, and no method differs clearly from the maximum
# margin. One nearest neighbour has the smallest mean in both columns here. So the largest margin is a unique answer with a
# proof, but it is not a promise of fewer errors.
#
# <!-- slide
# **The largest margin does not promise fewer errors**
#
# - Same writers: the margin misclassifies 2.2 %, the perceptron on average 3.3 %.
# - New form: 4.9 % and 5.1 %; over fourteen forms no method differs clearly from the margin.
# - One nearest neighbour makes the fewest in both, here.
# -->

# %% key="digits-verify" slide="skip" hide="input"
updates = max(count for _, _, count in runs)
verify("updates that (10) allows for irises", (R / gamma) ** 2, "494")
bound = mistake_bound(X, y, u_tilde[:2], u_tilde[2])
verify("(10) as kcourse computes it", (R / gamma) ** 2, bound)
verify("most updates in 500 orders", updates, "25")
verify("same writers, maximum margin (%)", same_writers["maximum margin"].mean(), "2.2")
verify("same writers, perceptron (%)", same_writers["perceptron"].mean(), "3.3")
ratio = same_writers["maximum margin"].mean() / same_writers["perceptron"].mean()
verify("same writers: a third fewer errors", 0.6 < ratio < 0.72)
same_lead = same_writers["ridge"] - same_writers["maximum margin"]
error = same_lead.std(ddof=1) / np.sqrt(len(same_lead))
verify("same writers: ridge is within its standard error", abs(same_lead.mean()) < error)
verify("new form, maximum margin (%)", new_form["maximum margin"].mean(), "4.9")
verify("new form, perceptron (%)", new_form["perceptron"].mean(), "5.1")
errors = {name: v.std(ddof=1) / np.sqrt(14) for name, v in lead.items()}
clear = [name for name, v in lead.items() if abs(v.mean()) > 2 * errors[name]]
verify("new form: no method differs clearly from the margin", clear == [])
spread = min(new_form[name].std(ddof=1) for name in new_form)
verify("the forms differ by more", spread > max(abs(v.mean()) for v in lead.values()))
for found in (same_writers, new_form):
    means = {name: values.mean() for name, values in found.items()}
    verify("1-NN makes the fewest errors", min(means, key=means.get) == "nearest neighbour")

# %% [markdown] key="no-line" slide="slide"
# ## When no plane separates the classes
#
# What happens if there is no such line? Put the labels $-,+,-,+$ at the points 0, 1, 2, 3. No function $wx+b$ changes
# its sign three times. This is what five programs say about these four points:
#
# <!-- slide
# ## Labels −, +, −, + at 0, 1, 2, 3: no plane separates them
#
# - the perceptron
# - SciPy on the primal, and on the dual
# - `MaxMargin`
# - scikit-learn's `SVC` with $C=10^6$
#
# What does each of these do?
# -->

# %% [markdown] key="no-line-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask for each: does it end? Does it say that something is wrong? Expect that all of them complain. SciPy's dual, with
# enough steps, reports success. The last one returns a line without a warning, and half of the points are wrong. Then
# show the common point: 1.5 is a mean of the positive points and a mean of the negative points.
#
# </details>

# %% key="no-line-table" slide="subslide" hide="input"
x4, y4 = np.arange(4.0)[:, None], np.array([-1, 1, -1, 1])
p = Perceptron(epochs=1000).fit(x4, y4)
said = {"perceptron": f"{p.n_updates_} updates in {p.n_iter_} passes, converged: {p.converged_}"}
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
    "Five programs on the labels −, +, −, + at 0, 1, 2, 3",
    {"program": "", "result": ""},
    said,
)

# %% [markdown] key="no-line-reading"
# The perceptron never stops. The primal has [no solution](errata.ipynb#E97.-Without-separability-there-is-no-solution),
# because no $(w,b)$ satisfies its constraints. The dual has no maximum. Along $\alpha=t\,(1,3,3,1)$, which satisfies
# (6), the sum $\sum\alpha_iy_ix_i$ is zero and $D=8t$ grows without bound. These weights also show why no plane exists.
# The point $\tfrac{3\cdot1+1\cdot3}4=1.5$ is a mean of the positive points, and $\tfrac{1\cdot0+3\cdot2}4=1.5$ is a
# mean of the negative points. So the hulls have a common point, which cannot be on both sides of a plane. If the hulls
# have no common point, step 7 constructs a plane.
#
# scikit-learn solves another problem, in which mistakes are allowed at a cost $C$. Half of the points are wrong at
# $C=10^6$, as they are at $C=1$.
#
# <!-- slide
# **Either a plane separates, or the hulls have a common point**
#
# - Primal: no solution. Dual: $\alpha=t\,(1,3,3,1)$ gives $D=8t$, without bound.
# - $\frac{3\cdot1+1\cdot3}4=\frac{1\cdot0+3\cdot2}4=1.5$ is in both hulls.
# - scikit-learn solves another problem, and half of the points are wrong.
# -->

# %% [markdown] key="escape" slide="subslide"
# Would a kernel help? With a Gaussian kernel the Gram matrix of different points is invertible, so a plane in feature
# space separates *any* two classes of different points, and a hard margin exists. But Ripley's two classes of chapter
# 1 overlap, and even the best possible rule has an error rate of 8.93 %. What does the hard margin do there?
#
# <!-- slide
# ## With a Gaussian kernel a hard margin always exists
#
# A plane in its feature space separates *any* different points. Ripley's two classes overlap, and the best possible
# rule has an error rate of 8.93 %. **What does a hard margin do on new points?**
# -->

# %% [markdown] key="escape-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask for the error rate of the hard margin on new points. Expect about 10 %; it is 22.0 %. Then ask what the small
# island at the upper left is (a single training point).
#
# </details>

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
    alt="Ripley's training points and the regions of two classifiers with one kernel. Left, "
    "the hard margin: islands and fjords around single points, 22.0 % of new points wrong. "
    "Right, the soft margin: a decision boundary with fewer and rounder bays, 13.2 % wrong.",
)

# %% [markdown] key="escape-reading"
# The hard margin makes no mistake in training, but it misclassifies 22.0 % of the new points. The soft margin has the
# same kernel and a penalty for points that violate the margin, and it misclassifies 13.2 %. When cross-validation
# selected $C$, the penalty lowered the error rate on each of forty training sets, on average from 18.0 % to 10.1 %,
# which is close to that of $k$ nearest neighbours. Chapter 6 replaces the constraint with this penalty and minimises
# $\tfrac12\|w\|^2+C\sum_i\max\big(0,1-y_if(x_i)\big)$.
#
# <!-- slide
# Over forty draws: hard margin 18.0 %, soft margin with the same kernel 10.1 %, and better on each. **You need a
# penalty for mistakes: chapter 6.**
# -->

# %% key="no-line-verify" slide="skip" hide="input"
ray = np.array([1.0, 3.0, 3.0, 1.0])
verify("α = (1, 3, 3, 1) satisfies (6)", ray @ y4, 0.0)
verify("its Σ α y x is 0", (ray * y4) @ x4, 0.0)
verify("D at t = 1 is 8", dual_value(ray, x4 @ x4.T, y4), 8.0)
verify("D at t = 5 is 40", dual_value(5 * ray, x4 @ x4.T, y4), 40.0)
common = [(3 * 1 + 1 * 3) / 4, (1 * 0 + 3 * 2) / 4]
verify("1.5 is a mean of either class", common, [1.5, 1.5])
for C in (1.0, 1e3, 1e6):
    verify(f"C = {C:g}: half are right", SVC(kernel="linear", C=C).fit(x4, y4).score(x4, y4), 0.5)
draws = measured("ch05_escape", "price-for-mistakes")
verify("training points", len(ripley.y), "250")
verify("hard margin: no mistake in training", np.all(rigid.predict(ripley.X) == ripley.y))
verify("hard margin, new points (%)", 100 * np.mean(rigid.predict(unseen.X) != unseen.y), "22.0")
verify("soft margin, new points (%)", 100 * np.mean(gentle.predict(unseen.X) != unseen.y), "13.2")
verify("hard margin, forty draws (%)", draws["hard margin"].mean(), "18.0")
verify("soft margin, forty draws (%)", draws["soft margin of that width"].mean(), "10.1")
near = draws["soft margin of that width"] - draws["neighbours"]
verify("close to nearest neighbours: within half a percent", abs(near.mean()) < 0.5)
verify("the best rule there, against 8.93 %", abs(draws["best rule"].mean() - 8.93) < 0.15)

# %% [markdown] key="find-error" slide="slide" tags=["later"]
# ## Find the error
#
# A student solves the dual for the irises correctly, and continues with this code. The report says “2 support
# vectors, width 0.85 cm.” With this line, 46 of the 50 setosa are classified as versicolor. **The code has two
# mistakes.**
#
# ```python
# support = np.flatnonzero(alpha > 1e-6)
# w = (alpha * y) @ X
# b = 1 - X[support[0]] @ w          # some support vector has wᵀx + b = 1
# width = 2 / np.sum(w**2)
# ```
#
# <!-- slide
# ## Find two mistakes in the code after the dual
#
# The report: “2 support vectors, width 0.85 cm.” Sorted with it, 46 of the 50 setosa come out as versicolor.
#
# ```python
# support = np.flatnonzero(alpha > 1e-6)
# w = (alpha * y) @ X
# b = 1 - X[support[0]] @ w          # some support vector has wᵀx + b = 1
# width = 2 / np.sum(w**2)
# ```
# -->

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask which of the two mistakes the sorting reveals, and which one it cannot. Then ask what happens if versicolor comes
# first in the file. Expect "the same"; the first mistake disappears, because the first support vector is positive.
#
# </details>

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What it computes</b> (open this once you have written down your answers)</summary>
#
# $b$ comes from $y_n(w^\top x_n+b)=1$. Without the label, a negative support vector gives a $b$ that is too large by
# $2$. The new line consists of the points at which the correct $f$ is $-2$, and it crosses the cloud of setosa. The
# width is $2/\|w\|$. Without the root the code computes an *area*, because $w$ has the unit 1/cm.
#
# </details>
#
# <!-- slide
# **The label and the root are missing**
#
# - $b$ comes from $y_n(w^\top x_n+b)=1$; without the label it is too large by 2.
# - The width is $2/\|w\|$; without the root it is 0.85 cm², an area.
# -->

# %% key="find-error-verify" slide="skip" hide="input"
support = np.flatnonzero(alpha > 1e-6)
normal = (alpha * y) @ X
b_mistake, b_late = (1 - X[i] @ normal for i in support[[0, -1]])
verify("b without the label is too large by 2", b_mistake - widest.intercept_, 2.0, tol=1e-5)
verify("flowers on the wrong side", np.sum(np.where(X @ normal + b_mistake > 0, 1, -1) != y), "46")
verify("in the reversed order none is", np.all(np.where(X @ normal + b_late > 0, 1, -1) == y))
verify("the width without the root", 2 / np.sum(normal**2), "0.85")

# %% [markdown] key="sklearn" slide="slide" tags=["later"]
# ## The same in scikit-learn
#
# `SVC` with a linear kernel and $C=\infty$ computes the maximum margin. If no plane separates the classes, it may
# never return. So check first, with a linear program, that a separating plane exists, and set `max_iter`.
#
# <!-- slide
# ## The same line in scikit-learn
#
# `SVC(kernel="linear", C=np.inf)` computes the maximum margin. Without a separating plane it **may never return**. So
# ask a linear program first, and set `max_iter`.
# -->


# %% key="sklearn-code" slide="fragment"
def separable(X, y):  # are there w, b with y f(x) ≥ 1?
    Z = y[:, None] * np.column_stack([X, np.ones(len(y))])
    plane = linprog(np.zeros(Z.shape[1]), A_ub=-Z, b_ub=-np.ones(len(y)), bounds=(None, None))
    return plane.status == 0


verify("irises: a plane exists; for −, +, −, + none", [separable(X, y), separable(x4, y4)], [1, 0])

# %% key="sklearn-fit" slide="fragment"
theirs = SVC(kernel="linear", C=np.inf, tol=1e-8, max_iter=100_000).fit(X, y)
verify("coef_ is w", theirs.coef_[0], widest.weights_, tol=1e-5)
verify("intercept_ is b", theirs.intercept_[0], widest.intercept_, tol=1e-5)

# %% [markdown] key="sklearn-traps" slide="subslide"
# There are two traps:
#
# - The default is $C=1$, which is a *soft* margin. On the irises its width is 1.534 cm, and two flowers are inside.
# - If no plane separates the classes, `SVC` with `max_iter` warns and returns a useless line. A large finite $C$
#   solves a different problem without any warning.
#
# <!-- slide
# **Two traps: C = 1 by default, and no plane**
#
# - $C=1$ is a *soft* margin: on the irises 1.534 cm wide, with two flowers inside.
# - No plane: with `max_iter` a warning and a useless line; with a large finite $C$ a line without a warning.
# -->

# %% [markdown] key="cost" slide="slide" tags=["later"]
# ## What it costs, and when not to use it
#
# The time of a general solver for quadratic programs usually grows like the cube of the number of unknowns. The
# primal has $d+1$ unknowns and the dual has $n$. So use the primal if $d$ is small, and the dual if $d$ is large or
# infinite. The figure shows times for two clouds in the plane.
#
# <!-- slide
# ## Primal for few dimensions, dual for many
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
# Here the time of the general solver on the dual grows about like the cube of $n$. From 1000 points on, the time of
# `MaxMargin` grows at least like $n^2$. `MaxMargin` stores $K$, which takes 2.0 GB at 16 000 points. `SVC` computes
# only the rows that it needs, and on these clouds its time grows no faster than $n$.
#
# How sensitive is the line? Suppose that two points determine it, and one of them moves by a small $\delta$. By (9)
# the line turns by at most about $\delta$ divided by the width, in radians, as long as the same two points determine it.
#
# Do not use the hard margin if the classes overlap, if a label may be wrong, if you need probabilities, or if the
# features have no common unit and you have no reason to prefer one scaling.
#
# <!-- slide
# A general solver has $d+1$ unknowns in the primal and $n$ in the dual.
#
# **When not:** classes that overlap, a label that may be wrong, probabilities, features without a common unit.
# -->

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask which solver to use for two features and a million points. (A primal one.) Then ask what one wrong label can do to
# the maximum margin. Expect "move it a little"; it can make the classes inseparable.
#
# </details>

# %% key="cost-verify" slide="skip" hide="input"
verify("support_ are the rows of the support vectors", theirs.support_, widest.support_)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    SVC(kernel="linear", C=np.inf, max_iter=100_000).fit(x4, y4)
verify("with max_iter it warns", "terminated early" in str(said[0].message))
default = SVC(kernel="linear").fit(X, y)
verify("default C: the width (cm)", 2 / np.linalg.norm(default.coef_), "1.534")
verify("default C: two flowers inside", np.sum(y * default.decision_function(X) < 1 - 1e-3) == 2)
signed = (widest.multipliers_ * y)[widest.support_]
verify("dual_coef_ is y α", theirs.dual_coef_[0], signed, tol=1e-4)
big = n_cost >= 100
verify("SciPy on the dual: about the cube", 2.5 < growth(n_cost[big], seconds[0][big]) < 3.7)
verify("the most points that it was timed with", n_cost.max(), "566")
verify("the dedicated ones are flat up to there", max(growth(n_cost, s) for s in seconds[2:]) < 0.7)
verify("MaxMargin, then: n² at least", 1.9 < growth(large["n"], large["max_margin"]) < 3.2)
verify("its Gram matrix (GB)", 8 * large["n"].max() ** 2 / 1e9, "2.0")
verify("the largest n in the figure", far["n"].max(), "128000")
verify("SVC from 16 000 on: no faster than n", growth(far["n"], far["sklearn_svc"]) < 1.05)
turns = []  # what 0.01 cm in 36 directions does to the line, in degrees
for angle in np.linspace(0, 2 * np.pi, 36, endpoint=False):
    moved = X.copy()
    moved[widest.support_[0]] += 0.01 * np.array([np.cos(angle), np.sin(angle)])
    v = MaxMargin().fit(moved, y).weights_
    turns.append(np.degrees(np.arccos(min(1.0, cm_normal @ v / np.linalg.norm(v)))))
verify("0.01 cm turns the line by (°)", max(turns), "0.4")
verify("this is δ over the width", max(turns), np.degrees(0.01 / widest.width_), tol=0.01)
swapped = y.copy()
swapped[np.argmin(X[:, 0])] = 1
verify("one wrong label can make the irises inseparable", shortest(X, swapped) is None)

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - The canonical form fixes the scale of $(w,b)$ by $\min y_if(x_i)=1$. The margin is then $1/\|w\|$.
# - The dual has one multiplier for each point. Numbers that satisfy the KKT conditions are proved to be optimal.
# - Multipliers are forces in equilibrium, and $\sum\alpha_i=\|w\|^2$. The width is the distance between the convex
#   hulls.
# - $w$ and $b$ are unique, but $\alpha$ need not be. Units are part of the model.
# - If no plane separates the classes, the hulls have a common point. If classes overlap, use a penalty.
#
# And the florist? Sign the line that keeps 0.652 cm from the nearest flowers and halves the shortest segment between
# the hulls, and write the units of both measurements next to your name.
#
# <!-- slide
# ## Recap: five conditions prove that a margin is the largest
#
# - Canonical form: $\min y_if(x_i)=1$. The margin is $1/\|w\|$, its width $2/\|w\|$.
# - The gap (8) is zero exactly if (5) and slackness hold.
# - Multipliers are forces in equilibrium; the width is the distance of the hulls.
# - $w$ and $b$ are unique, $\alpha$ need not be. Units are part of the model.
# - No plane: the hulls have a common point. If classes overlap, use a penalty.
#
# **And the florist?** Sign the line that keeps 0.652 cm, and write the units next to your name.
# -->

# %% [markdown] key="recap-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Go back to the lines on paper and to the question on the board: the middle of what? Ask whose line comes nearest to
# 0.652 cm, and who would still sign without asking for the units.
#
# </details>

# %% [markdown] key="quiz" slide="slide"
# ## Five questions
#
# <details><summary>1. $(1,1)$ against $(0,0)$: what are $w$, $b$ and $\alpha$?</summary>
#
# $w=(1,1)$, $b=-1$, and $\alpha=(1,1)$. The width is $\sqrt2$, the distance of the two points.
#
# </details>
#
# <details><summary>2. You double all coordinates. What happens to $w$, to the width, and to $\sum\alpha$?</summary>
#
# $w$ is halved, the width is doubled, and $\sum\alpha=\|w\|^2$ is a quarter of what it was.
#
# </details>
#
# <details><summary>3. One solver reports five support vectors in the plane, another three. Is one wrong?</summary>
#
# Not necessarily. Compare $w$ and $b$.
#
# </details>
#
# <details><summary>4. You remove (a) a point that is not a support vector, (b) one that is. What happens to the
# margin?</summary>
#
# (a) Nothing. (b) It stays the same or becomes wider.
#
# </details>
#
# <details><summary>5. SciPy reports that your dual has the value $10^{9}$. What do you conclude?</summary>
#
# First check $\alpha\ge0$ and (6). Then by (8) every plane that separates has a width of at most $4.5\cdot10^{-5}$.
# There may be none, and then $D$ has no upper bound. Look for a wrong label.
#
# </details>

# %% key="quiz-verify" slide="skip" hide="input"
pair = MaxMargin().fit([[1.0, 1.0], [0.0, 0.0]], [1, -1])
verify("question 1: w and b", [*pair.weights_, pair.intercept_], [1, 1, -1], tol=1e-8)
verify("question 1: both α are 1", pair.multipliers_, 1.0, tol=1e-8)
doubled = MaxMargin().fit(2 * X, y)
verify("question 2: w halved", doubled.weights_, widest.weights_ / 2, tol=1e-7)
verify("question 2: the width doubled", doubled.width_, 2 * widest.width_, tol=1e-7)
quarter = widest.multipliers_.sum() / 4
verify("question 2: Σα is a quarter", doubled.multipliers_.sum(), quarter, tol=1e-7)
without = [MaxMargin().fit(np.delete(X, i, 0), np.delete(y, i)).width_ for i in widest.support_]
verify("question 4: without a support vector it is wider", min(without) > widest.width_)
alone = MaxMargin().fit(X[widest.support_], y[widest.support_])
verify(
    "question 4: the support vectors alone give the same line",
    [*alone.weights_, alone.intercept_],
    [*widest.weights_, widest.intercept_],
    tol=1e-7,
)
verify("question 5: the width", 2 / np.sqrt(2e9) * 1e5, "4.5")
verify("question 5: at the optimum D = ½‖w‖²", dual_value(alpha, X @ X.T, y), 0.5 * w @ w, tol=1e-6)

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are
# told which one. *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch05_margin")

# %% [markdown] key="references" numbers="free" slide="skip"
# ## Further reading
#
# - B. Boser, I. Guyon and V. Vapnik, *A training algorithm for optimal margin classifiers*, 1992.
# - C. Burges, *A tutorial on support vector machines for pattern recognition*, 1998.
# - C. Bishop, *Pattern Recognition and Machine Learning*, 2006, section 7.1.
# - A. Novikoff, *On convergence proofs on perceptrons*, 1962.
# - V. Vapnik, *The Nature of Statistical Learning Theory*, 1995, for bounds on the error.
# - Data from scikit-learn: irises, E. Anderson, 1935, and R. A. Fisher, 1936; digits, E. Alpaydin and C. Kaynak.
#
# **Next:** [the exercises](../exercises/ch05_margin_sheet.ipynb), seven functions.
