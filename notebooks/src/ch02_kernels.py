# %% [markdown] key="title" slide="slide"
# # The kernel trick
#
# A straight line is easy to learn and seldom right. This chapter keeps what makes lines easy and gives up the line. It
# replaces one symbol, the inner product, and works in a space that nobody could write down.

# %% key="imports" slide="skip" hide="input"
from itertools import combinations, combinations_with_replacement
from math import comb, factorial

import numpy as np
import matplotlib.pyplot as plt
from scipy.optimize import linprog
from sklearn.datasets import load_digits

from kcourse import Gaussian, HistogramIntersection, KernelPerceptron
from kcourse import Laplacian, Linear, Polynomial, Sigmoid, feature_distance, is_psd
from kcourse.lab import cycle, measured, show, table, use_style, verify
from kcourse.chapters.ch02_kernels.figures import (
    HOW, arrows_explorer, definiteness_explorer, lift_explorer,
)

use_style()

# %% [markdown] key="question" slide="slide" tags=["hour"]
# ## Odd or even?
#
# Here are 1797 handwritten digits. Each digit is a point $x$ in 64 dimensions, the darkness of $8\times8$ pixels. The
# task is to say whether a digit is odd ($y=+1$) or even ($y=-1$), without being told which digit it is.
#
# The digits come from fourteen forms, filled in by thirteen people. We train on seven of the forms and test on the
# other seven, so all test writers, or all but one, are *new writers*.
#
# <!-- slide
# ## Is a handwritten digit odd or even?
#
# - Each digit is a point $x$ of $8\times8$ pixels; odd is $y=+1$, even is $y=-1$.
# - Train on seven forms, and test on seven others, by new writers.
# -->

# %% key="question-data" slide="skip" hide="input"
digits = load_digits()
X, y = digits.data / 16, np.where(digits.target % 2 == 1, 1, -1)
begins = [0, 130, 256, 386, 516, 646, 776, 906, 1029, 1157, 1287, 1415, 1545, 1667]  # 0 1 2 3 …
form = np.searchsorted(begins, np.arange(1797), side="right") - 1
rng = np.random.default_rng(0)
place = np.argsort(rng.permutation(14))[form]  # the forms in a random order
train, test = rng.permutation(np.flatnonzero(place < 7)), np.flatnonzero(place >= 7)
print(f"{len(y)} digits: {len(train)} for training, {len(test)} by new writers for testing")

# %% key="question-picture" hide="input"
fig, axes = plt.subplots(2, 10, figsize=(9, 2.3))
for row, (parity, name) in enumerate(((1, "odd"), (-1, "even"))):
    for ax, i in zip(axes[row], train[y[train] == parity][:10], strict=True):
        ax.imshow(X[i].reshape(8, 8), cmap="gray_r", interpolation="nearest")
        ax.axis("off")
    axes[row, 0].set_title(name, fontsize=10, loc="left")
show(
    fig,
    alt="Two rows of ten small grey pictures of handwritten digits. The upper row shows odd "
    "digits, the lower row even ones, in no order; within a row the shapes have little in common.",
)

# %% [markdown] key="perceptron" slide="subslide"
# The *perceptron*, one of the oldest learning algorithms, visits one point after the other and changes its weights $w$
# and its bias $b$ only when it is wrong. It predicts the sign of $f(x)=w^\top x+b$. Here is all of it:
#
# <!-- slide
# **The perceptron changes its weights only when it is wrong**
# -->


# %% key="perceptron-code"
def perceptron(X, y, rounds):
    w, b = np.zeros(X.shape[1]), 0.0
    for _ in range(rounds):
        mistakes = 0
        for x_i, y_i in zip(X, y, strict=True):
            if y_i * (w @ x_i + b) <= 0:  # wrong, or undecided
                w, b, mistakes = w + y_i * x_i, b + y_i, mistakes + 1
    return w, b, mistakes


w, b, mistakes = perceptron(X[train], y[train], rounds=100)
wrong = np.sum(np.where(X[test] @ w + b > 0, 1, -1) != y[test])
print(f"round 100: {mistakes} mistakes on {len(train)} training digits")
print(f"test: {wrong} of {len(test)} wrong")

# %% [markdown] key="perceptron-reading" slide="subslide"
# The perceptron never converges. In its hundredth round it still makes 81 mistakes on digits that it has seen before,
# and one in nine of the new digits is wrong. More rounds do not help, because no plane $w^\top x+b=0$
# separates the 903 training digits, as a linear program proves.
#
# <!-- slide
# **No plane separates the training digits**
#
# - After a hundred rounds there are still 81 mistakes on the 903 training digits.
# - One in nine of the new digits is wrong.
#
# Do we have to throw the perceptron away?
# -->

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Let the room explain the four lines of the inner loop in words. Ask for improvements. Expect "more data" (a plane
# that does not exist is not found with more data) and "a neural network". Wait for products of pixels. Write down
# their guess for the number of errors that one can reach.
#
# </details>

# %% [markdown] key="answer" slide="subslide"
# Now replace one symbol. The weights $w$ are the sum of $y_ix_i$ over all mistakes, and $b$ is the sum of the $y_i$.
# So we may keep the list of mistakes, and $f(x)$ is the sum of $y_i(x_i^\top x+1)$ over this list. In place of
# $x_i^\top x$ write the *Gaussian* $k(x_i,x)=\exp\!\big(-\|x_i-x\|^2/(2\sigma^2)\big)$. Nothing else changes:
#
# <!-- slide
# **Keep the mistakes, and replace the inner product with k**
#
# Over the list of mistakes, $f(x)$ is the sum of $y_i(x_i^\top x+1)$. For $x_i^\top x$ write $k(x_i,x)$:
# -->


# %% key="answer-code"
def gaussian(X, z, sigma=1.4):
    return np.exp(-np.sum((X - z) ** 2, axis=1) / (2 * sigma**2))


def kernel_perceptron(k, X, y, rounds):
    S = []  # the mistakes, one after the other
    for _ in range(rounds):
        for i in range(len(y)):
            if y[i] * (y[S] @ (k(X[S], X[i]) + 1)) <= 0:  # wrong, or undecided
                S.append(i)
    return S


# %% key="answer-run" slide="skip"
S = kernel_perceptron(gaussian, X[train], y[train], rounds=10)
f = np.array([y[train][S] @ (gaussian(X[train][S], x) + 1) for x in X[test]])
print(f"{len(S)} mistakes in all, none in the last rounds")
print(f"test: {np.sum(np.where(f > 0, 1, -1) != y[test])} of {len(test)} wrong")

# %% [markdown] key="answer-sixty" slide="subslide"
# One partition of the forms may be luck, so here are sixty random ones. In each of them $\sigma$ is selected on the
# training digits alone, by leaving out one form at a time.
#
# <!-- slide
# **The kernel beats the plane, but the nearest neighbour beats both**
# -->

# %% key="answer-table" hide="input"
new = measured("ch02_new_writers", "kernel-beats-plane", "neighbour-beats-kernel")
same = measured("ch02_same_writers")
rows = {
    "perceptron, x·z": "plane",
    "perceptron, exp(-‖x-z‖²/(2σ²))": "Gaussian",
    "nearest neighbour": "neighbour",
}
jitter = np.random.default_rng(0).uniform(-0.25, 0.25, 60)
fig, ax = plt.subplots(figsize=(8.4, 2.9))
for i, name in enumerate(rows.values()):
    ax.plot(new[name], 2 - i + jitter, "o", color="#777777", markersize=4, markerfacecolor="none")
    ax.plot([new[name].mean()] * 2, [1.65 - i, 2.35 - i], color="black", linewidth=3)
    ax.text(new[name].mean(), 2.4 - i, f"mean {new[name].mean():.0f}", ha="center", va="bottom")
ax.set(yticks=[2, 1, 0], yticklabels=list(rows), ylim=(-0.5, 2.85), xlim=(0, None))
ax.set_xlabel("test errors among about 900 digits by new writers, 60 partitions")
ax.grid(False, axis="y")
show(
    fig,
    alt="Test errors on sixty partitions as dots, with the mean of each method: the perceptron "
    "with the inner product around 128, the perceptron with the Gaussian around 38, and the "
    "nearest neighbour around 24. The first cloud lies far to the right of the other two.",
)

# %% [markdown] key="answer-reading" slide="fragment"
# With the Gaussian in place of the inner product the perceptron makes 38 errors instead of 128, and fewer on every
# one of the sixty partitions. It behaves as if it were drawing a *plane* in some other space. But the nearest
# neighbour of chapter 1 makes only 24 errors. (Random halves with the same writers in both are easier, and the
# neighbour makes 8 errors.)
#
# So why may a formula that is not an inner product of pixels take the place of one? Which formulas may do so? And
# what is a kernel good for, if the nearest neighbour wins?
#
# <!-- slide
# 1. Why may such a formula take the place of an inner product?
# 2. Which formulas may do so?
# 3. What is a kernel good for, if the nearest neighbour wins?
# -->

# %% [markdown] key="answer-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Collect answers to the third question and keep them on the board. It is answered after the menu of kernels. Expect
# "speed"; the neighbour needs no training at all.
#
# </details>

# %% key="answer-verify" slide="skip" hide="input"
verify("mistakes in round 100", mistakes, "81")
verify("one in nine of the test digits is wrong", 1 / 10 < wrong / len(test) < 1 / 8)
A = y[train][:, None] * np.column_stack([X[train], np.ones(len(train))])
plane = linprog(np.zeros(65), A_ub=-A, b_ub=-np.ones(len(train)), bounds=(None, None))
verify("the linear program is infeasible: no plane separates the 903 digits", plane.status == 2)
starts = [list(digits.target[i : i + 3]) for i in begins]
verify("13 of the 14 forms begin with 0 1 2; one has lost its 0", starts.count([0, 1, 2]) == 13)
counted = KernelPerceptron(Gaussian(1.4) + 1).fit(X[train], y[train])
times = np.bincount(S, minlength=903)
verify("the list holds each point as often as kcourse counts it", times, counted.counts_)
verify("Gaussian: it converges within ten rounds", counted.converged_ and counted.n_iter_ < 10)
verify(
    "with the plain inner product it is the perceptron above",
    KernelPerceptron(Linear() + 1, epochs=100).fit(X[train], y[train]).decision_function(X[test]),
    X[test] @ w + b,
    tol=1e-8,
)
verify("errors of the plane on new writers", new["plane"].mean(), "128")
verify("errors of the Gaussian on new writers", new["Gaussian"].mean(), "38")
verify("errors of the nearest neighbour on new writers", new["neighbour"].mean(), "24")
verify("errors of the nearest neighbour on the same writers", same["neighbour"].mean(), "8")

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# - apply the kernel trick to a method that uses the data only through inner products;
# - write down the features of $(1+x^\top z)^p$, count them, and never build them;
# - decide whether a function is a kernel, by Gram matrices or by rules;
# - measure distances and means in a space of infinite dimension, from numbers $k(x,z)$ alone;
# - refute functions that look like kernels, by a few points.
#
# **You need** inner products, eigenvalues of a symmetric matrix, and the series of $e^t$. **Reading:** two hours.
# **Lecture:** two 45-minute lectures. **Exercises:** two to three hours,
# [in the exercise notebook](../exercises/ch02_kernels_sheet.ipynb).
#
# <!-- slide
# **After this chapter you can**
#
# - apply the kernel trick to a method that uses the data only through inner products;
# - write down the features of $(1+x^\top z)^p$, count them, and never build them;
# - decide whether a function is a kernel, by Gram matrices or by rules;
# - measure distances and means in a space of infinite dimension, from numbers $k(x,z)$ alone;
# - refute functions that look like kernels, by a few points.
# -->


# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Do not leave out: the trick, exclusive or, the matrices A to E, and what a kernel is good for.
#
# Can be skipped: A kernel has many feature maps, and one geometry; Schur's theorem: the product of two kernels is a
# kernel; No finite number of features is enough; The width σ has the unit of x; Find the error: a similarity matrix
# is repaired; With gamma and coef0 given, scikit-learn agrees; Twice the points make a Gram matrix four times as
# large.
#
# </details>

# %% [markdown] key="lift" slide="slide" tags=["hour"]
# ## Feature maps
#
# Two rings lie around the same centre, and no line separates them. Replace their two coordinates with three, the
# products of the old ones,
#
# $$\varphi(x)=\big(x_1^2,\ \sqrt2\,x_1x_2,\ x_2^2\big)^\top.$$
#
# Now a *plane* separates the rings, because $x_1^2+x_2^2=\text{const}$ is linear in the new coordinates. In the
# original plane, the same equation is that of a circle. Such a map $\varphi$ is called a *feature map*, the space
# that it leads to is the *feature space*, and $\varphi(x)$ is the *image* of $x$. To *lift* a point means to apply a
# feature map to it.
#
# <!-- slide
# ## Lifted to a feature space, a circle becomes a plane
#
# $$\varphi(x)=\big(x_1^2,\ \sqrt2\,x_1x_2,\ x_2^2\big)^\top$$
#
# $x_1^2+x_2^2=\text{const}$ is a circle in the plane, and *linear* in these three coordinates.
#
# $\varphi$ is a *feature map*. It leads to the *feature space*.
# -->

# %% key="lift-space" hide="input"
rng = np.random.default_rng(1)


def ring(radius, n, spread=0.05):
    angle, r = rng.uniform(0, 2 * np.pi, n), radius + rng.normal(scale=spread, size=n)
    return np.column_stack([r * np.cos(angle), r * np.sin(angle)])


two_rings = np.vstack([ring(0.35, 40), ring(0.9, 60)]), np.repeat([-1, 1], [40, 60])
turn, side = np.linspace(0, 2 * np.pi, 200), np.sqrt(0.4)
circle = side * np.column_stack([np.cos(turn), np.sin(turn)])
cuts = circle, np.array([[0.4, 0], [0, 0.4]])
fig, axes = plt.subplots(1, 2, figsize=(8.6, 3.9))
for ax, points, cut, power in zip(
    axes, (two_rings[0], two_rings[0] ** 2), cuts, ("", "²"), strict=True
):
    for sign, marker, fill in ((-1, "o", "white"), (1, "^", "black")):
        how = {"color": "black", "markerfacecolor": fill, "markersize": 5}
        ax.plot(*points[two_rings[1] == sign].T, marker, **how)
    ax.plot(*cut.T, color="#c0392b", linewidth=2)
    ax.set(xlabel=f"x₁{power}", ylabel=f"x₂{power}", aspect="equal")
axes[0].set_title("the original plane: a circle")
axes[1].set_title("two of the three features: a line")
show(
    fig,
    alt="Left, two rings of points around one centre, triangles outside and circles inside, and a "
    "circle between them. Right, the same points by the squares of their coordinates: two slanting "
    "bands, and the circle has become a straight line between them.",
)

# %% [markdown] key="lift-space-reading" slide="skip"
# On the right, each point is drawn at the squares of its coordinates.

# %% [markdown] key="lift-predict" slide="subslide"
# **Predict first.** Below, a perceptron was trained on all products of at most `degree` coordinates. Each point is
# drawn at a height that grows with $f(x)$, and you look from straight above, so that you see the original plane.
#
# 1. With degree 1 and a view from the side, can the grey plane separate the lifted points?
# 2. Which degree do *four clouds* need, where opposite corners belong to one class?
# 3. And *three rings*, where the middle ring is the other class?
#
# <!-- slide
# **Which degree does a data set need?**
#
# **Predict first.** A perceptron uses all products of at most `degree` coordinates.
#
# 1. Can degree 1 separate two rings?
# 2. Which degree do *four clouds* need, where opposite corners belong to one class?
# 3. Which degree do *three rings* need, where the middle ring is the other class?
# -->

# %% [markdown] key="lift-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Take votes for the degrees before you show a picture. The answers are 2 and 4; expect 3 for the three rings. Then
# turn the view slowly from above to the side. The moment when the rings come apart is the idea of the course.
#
# </details>

# %% key="lift-figure" hide="input"
def cloud(centre, n):
    return np.array(centre) + rng.normal(scale=0.14, size=(n, 2))


corners = [(0.55, 0.55), (-0.55, -0.55), (0.55, -0.55), (-0.55, 0.55)]
four_clouds = np.vstack([cloud(c, 25) for c in corners]), np.repeat([-1, 1], 50)
three = np.vstack([ring(0.2, 25, 0.04), ring(0.6, 45, 0.04), ring(1.0, 60, 0.04)])
three_rings = three, np.repeat([-1, 1, -1], [25, 45, 60])
planar = {"two rings": two_rings, "four clouds": four_clouds, "three rings": three_rings}


def trained(name, degree):
    points, labels = planar[name]
    model = KernelPerceptron(Polynomial(degree=degree), epochs=300).fit(points, labels)
    return model.decision_function, int(np.sum(model.predict(points) != labels))


lift = lift_explorer(planar, trained)

# %% [markdown] key="lift-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# With degree 1 the function $f$ is linear, so a plane separates only what a line separates. With degree 2 the rings
# come apart, and so do the clouds. Three rings need degree 4. Along a line through the centre the sign has to change
# four times, and on a line a polynomial of degree $p$ changes its sign at most $p$ times.
#
# </details>
#
# <!-- slide
# **Two rings and four clouds need degree 2, three rings degree 4**
#
# Along a line through the centre of three rings the sign changes four times. There a polynomial of degree $p$ changes
# its sign at most $p$ times.
# -->

# %% [markdown] key="count" slide="slide" tags=["hour"]
# ## Kernels: inner products of features
#
# **Step 1.** Multiply two lifted points. With $\varphi$ as above,
#
# $$\varphi(x)^\top\varphi(z)=x_1^2z_1^2+2x_1x_2z_1z_2+x_2^2z_2^2=(x_1z_1+x_2z_2)^2=(x^\top z)^2. \tag{1}$$
#
# The right side uses only the two original coordinates. The factor $\sqrt2$ makes the mixed term agree. A function
# $k$ that can be written
#
# $$k(x,z)=\varphi(x)^\top\varphi(z)$$
#
# for some feature map $\varphi$, into any space with an inner product, is called a **kernel**. The simplest kernel is
# the *linear kernel* $k(x,z)=x^\top z$, with $\varphi(x)=x$.
#
# <!-- slide
# ## A kernel is the inner product of two lifted points
#
# **Step 1.** Multiply two lifted points:
#
# $$\varphi(x)^\top\varphi(z)=x_1^2z_1^2+2x_1x_2z_1z_2+x_2^2z_2^2=(x^\top z)^2 \tag{1}$$
#
# The right side uses only the two original coordinates. A function $k(x,z)=\varphi(x)^\top\varphi(z)$, for some map
# $\varphi$ into any space with an inner product, is called a **kernel**. The simplest is $x^\top z$.
# -->


# %% [markdown] key="count-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Expand the square on the board, and let them find the three features by comparing terms. Ask what goes wrong without
# the √2. (The mixed term has the factor 1 instead of 2.) Ask how many multiplications the right side needs. (Three.)
#
# </details>


# %% key="count-verify" slide="skip"
def phi(x):
    return np.array([x[0] ** 2, np.sqrt(2) * x[0] * x[1], x[1] ** 2])


a, c, e = np.array([1.0, 2.0]), np.array([3.0, -1.0]), np.array([3.0, 4.0])
verify("(1) for (1, 2) and (3, -1)", phi(a) @ phi(c), (a @ c) ** 2)
verify("(1) for (1, 2) and (3, 4): both sides are 121", [phi(a) @ phi(e), (a @ e) ** 2], 121.0)

# %% [markdown] key="not-unique" slide="subslide"
# A kernel has more than one feature map. For example $\big(x_1^2,x_1x_2,x_2x_1,x_2^2\big)$ has four coordinates and
# the same inner products as $\varphi$, and so does every rotation of $\varphi$. The kernel fixes the geometry, that
# is all lengths and angles. A method that uses its data only through inner products depends on nothing else.
#
# <!-- slide
# **A kernel has many feature maps, and one geometry**
#
# $\big(x_1^2,\,x_1x_2,\,x_2x_1,\,x_2^2\big)$ has the same inner products as $\varphi$, and so has every rotation of
# $\varphi$. All lengths and angles agree.
# -->

# %% [markdown] key="how-many" slide="subslide"
# **Step 2.** How many features does a kernel save us? Expand $(1+x^\top z)^p$ in $d$ variables. Every product of at
# most $p$ coordinates is a feature, up to a positive factor. To count these products, share $p$ identical coins among
# $d+1$ purses, where the last purse is for the coins that are not used. The number of ways is
#
# $$D=\binom{d+p}{p}. \tag{2}$$
#
# How many features does degree $p=3$ have on the digits, where $d=64$? And $p=5$ on pictures of $28\times28$ pixels?
#
# <!-- slide
# **The number of features explodes, the cost of the kernel does not**
#
# **Step 2.** $(1+x^\top z)^p$ in $d$ variables has all products of at most $p$ coordinates as features:
#
# $$D=\binom{d+p}{p} \tag{2}$$
#
# How many are there for $d=64$ and $p=3$? And for $28\times28$ pixels and $p=5$?
# -->

# %% [markdown] key="how-many-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Have everyone write down both numbers, and expect far too small ones. Then draw the purses and the coins.
#
# </details>

# %% [markdown] key="how-many-reading" slide="fragment"
# There are 47 905 features for the digits, and 2.5 million million for the larger pictures. The kernel needs one
# inner product and a power, which is 66 and 788 multiplications. It *is* the inner product of the features, not an
# approximation.
#
# <!-- slide
# 47 905 features, and 2.5 million million. The kernel needs 66 multiplications, and 788.
# -->

# %% key="lift-verify" slide="skip" hide="input"
def separable(name, degree):  # a linear program on the features
    points, labels = planar[name]
    A = labels[:, None] * Polynomial(degree=degree).features(points)
    found = linprog(np.zeros(A.shape[1]), A_ub=-A, b_ub=-np.ones(len(A)), bounds=(None, None))
    return found.status == 0


for name, degree in (("two rings", 2), ("four clouds", 2), ("three rings", 4)):
    verify(f"{name}: the perceptron separates them, degree {degree}", trained(name, degree)[1] == 0)
    verify(f"{name}: not separable with degree {degree - 1}", not separable(name, degree - 1))
height = np.array([phi(x) for x in two_rings[0]]) @ [1, 0, 1]
above = np.where(height > 0.4, 1, -1)
verify("the plane φ₁ + φ₃ = 0.4 separates the two rings", np.array_equal(above, two_rings[1]))


def phi4(x):
    return np.array([x[0] ** 2, x[0] * x[1], x[1] * x[0], x[1] ** 2])


turned = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
verify("four features have the same kernel", phi4(a) @ phi4(c), (a @ c) ** 2)
verify("rotated features have it too", (turned @ phi(a)) @ (turned @ phi(c)), (a @ c) ** 2)
verify("features of degree 3 in 64 variables", comb(67, 3), "47905")
listed = sum(len(list(combinations_with_replacement(range(6), k))) for k in range(4))
verify("products of at most 3 of 6 variables, listed and counted", listed, comb(9, 3))
verify("features of degree 5 in 784 variables, in millions of millions", comb(789, 5) / 1e12, "2.5")
six = Polynomial(degree=3).features(X[:5])
verify("the inner products of 47 905 features", six @ six.T, (1 + X[:5] @ X[:5].T) ** 3, tol=1e-9)
verify("multiplications: d for the inner product, p - 1", [64 + 3 - 1, 784 + 5 - 1], [66, 788])

# %% [markdown] key="trick" slide="slide" tags=["hour"]
# ## The kernel trick: replace inner products
#
# **Step 3.** Look at the perceptron again, at first without $b$. It starts at $w=0$, and on a mistake at $x_i$ it adds
# $y_ix_i$. So $w$ is at all times a combination of the points. If $\alpha_i$ counts the mistakes at $x_i$, then
#
# $$w=\sum_i\alpha_iy_i\,x_i,\qquad f(x)=w^\top x
# =\sum_i\alpha_iy_i\;\underbrace{x_i^\top x}_{\text{the only place where }x\text{ occurs}}. \tag{3}$$
#
# Points occur in inner products only. **Replace every one of them with $k(x_i,x)=\varphi(x_i)^\top\varphi(x)$**, and
# you have run the perceptron on the points $\varphi(x_i)$, without computing a single $\varphi(x_i)$. This is the
# *kernel trick*:
#
# $$f(x)=\sum_i\alpha_iy_i\,k(x_i,x),\qquad\text{on a mistake at }x_i:\ \alpha_i\leftarrow\alpha_i+1. \tag{4}$$
#
# Here $\alpha_i$ counts how often point $i$ is in the list of mistakes of the first section. The bias $b$ is the
# weight of one more feature, which is constant, so it becomes part of the kernel: $k(x,z)+1$ is the inner product of
# $(\varphi(x),1)$ and $(\varphi(z),1)$.
#
# <!-- slide
# ## The trick: points occur in inner products only, so replace them
#
# **Step 3.** On a mistake the perceptron adds $y_ix_i$. If $\alpha_i$ counts the mistakes at $x_i$,
#
# $$w=\sum_i\alpha_iy_i\,x_i,\qquad f(x)=\sum_i\alpha_iy_i\,x_i^\top x. \tag{3}$$
#
# Points occur in inner products only. **Replace every one:**
#
# $$f(x)=\sum_i\alpha_iy_i\,k(x_i,x),\qquad\text{on a mistake at }x_i:\ \alpha_i\leftarrow\alpha_i+1. \tag{4}$$
# -->


# %% [markdown] key="trick-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Do this derivation slowly. Write down w after the first three mistakes of an example, as a sum. Ask where x occurs
# in the prediction, and circle it. Put a box around the circled product, and say that if you can fill in the box, you
# need not know φ. Then let them say what the update becomes, since w is gone. (A counter.)
#
# </details>

# %% key="trick-verify" slide="skip"
small_X, small_y = four_clouds
by_kernel = KernelPerceptron(Polynomial(coef0=0.0, degree=2), epochs=50).fit(small_X, small_y)
lifted = np.array([phi(x) for x in small_X])
on_lifted = KernelPerceptron(Linear(), epochs=50).fit(lifted, small_y)  # plain inner products
verify("the same mistakes, one by one", by_kernel.counts_, on_lifted.counts_ * 1.0)
places = np.random.default_rng(3).uniform(-1, 1, size=(50, 2))
lifted_places = np.array([phi(x) for x in places])
values = on_lifted.decision_function(lifted_places)
verify("the same values at 50 new points", by_kernel.decision_function(places), values)

# %% [markdown] key="trick-what" slide="subslide"
# *Every* algorithm that uses its points in inner products alone can be run in the feature space of a kernel. Examples
# are ridge regression in chapter 3, support vector machines in chapter 6 and principal components in chapter 8. A
# problem that is convex in $w$ stays convex, because only the points have changed.
#
# The trick does *not* promise that the lifted points can be separated. If ten points in general position in five
# dimensions are labelled by tosses of a coin, a plane through the origin separates them only with probability one half
# (Cover's count, chapter 7). Nor does the trick promise good predictions. The kernel says **which points are alike**,
# and to choose it is modelling.
#
# <!-- slide
# **The kernel says which points are alike**
#
# - Every algorithm that uses its points in inner products alone can be run in the feature space of a kernel. What was
#   convex stays convex.
# - The lifted points need not be separable, and predictions need not be good.
# -->

# %% [markdown] key="xor" slide="subslide"
# *Exclusive or* is small enough for pencil and paper. The points are $(\pm1,\pm1)$. The label is $-1$ where the signs
# agree and $+1$ where they differ, and no line separates the two classes. Let $k(x,z)=(1+x^\top z)^2$. Then every
# point has $k(x,x)=(1+2)^2=9$, two neighbours have $(1+0)^2=1$, and opposite corners have $(1-2)^2=1$. So the matrix
# of all values is $K=8I+\mathbf 1\mathbf 1^\top$. Run (4) for one round from $\alpha=0$, in the order $(1,1)$,
# $(1,-1)$, $(-1,1)$, $(-1,-1)$. What is $\alpha$ then, and which function is $f$?
#
# <!-- slide
# **Exclusive or: run the trick with pencil and paper**
#
# Points $(\pm1,\pm1)$; the label is $-1$ where the signs agree, else $+1$. With $k(x,z)=(1+x^\top z)^2$,
#
# $$K=8I+\mathbf 1\mathbf 1^\top.$$
#
# Run (4) for one round from $\alpha=0$, in the order $(1,1)$, $(1,-1)$, $(-1,1)$, $(-1,-1)$. What are $\alpha$ and
# $f$?
# -->

# %% [markdown] key="xor-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Let the room run the algorithm, with four values of f and one counter for each point. Expect that they skip the last
# point; its f is +1 and its label is -1, so it is a mistake. Then expand f, and watch everything cancel but the
# product.
#
# </details>

# %% [markdown] key="xor-answer" slide="fragment"
# Each point is a mistake once, since $f$ is zero or has the wrong sign when its turn comes. So $\alpha=(1,1,1,1)$,
# and $f(x)=\sum_iy_ik(x_i,x)=-8x_1x_2$. This is a multiple of the *product* of the coordinates. Its sign is exclusive
# or, and from the second round on nothing is wrong.
#
# <!-- slide
# $\alpha=(1,1,1,1)$ and $f(x)=-8x_1x_2$, the *product*.
# -->

# %% key="xor-verify" slide="skip"
xor_X, xor_y = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]]), np.array([-1, 1, 1, -1])
K = Polynomial(degree=2)(xor_X)
model = KernelPerceptron(Polynomial(degree=2), epochs=5).fit(xor_X, xor_y)
verify("K is 8I + 11ᵀ", K, 8 * np.eye(4) + np.ones((4, 4)))
verify("one mistake a point, then none", [*model.counts_, *model.mistakes_], [1, 1, 1, 1, 4, 0])
verify("f is -8·x₁x₂", model.decision_function(places), -8 * places[:, 0] * places[:, 1])

# %% [markdown] key="geometry" slide="slide" tags=["hour"]
# ## Distances and means in feature space
#
# **Step 4.** Lengths, distances and means are made of inner products, so a kernel gives them as well. For two points
#
# $$\|\varphi(x)-\varphi(z)\|^2=k(x,x)+k(z,z)-2k(x,z). \tag{5}$$
#
# Let $\mu=\frac1m\sum_j\varphi(x_j)$ be the mean of a class. It may have infinitely many coordinates, and in general
# it is *not the image of any point*. Still
#
# $$\|\varphi(x)-\mu\|^2=k(x,x)-\frac2m\sum_jk(x,x_j)+\frac1{m^2}\sum_{j,l}k(x_j,x_l). \tag{6}$$
#
# Two such distances make a classifier that predicts the class with the nearer mean.
#
# <!-- slide
# ## Distances and means need kernel values only
#
# **Step 4.** For two points, and for a point and the mean $\mu=\frac1m\sum_j\varphi(x_j)$ of a class:
#
# $$\|\varphi(x)-\varphi(z)\|^2=k(x,x)+k(z,z)-2k(x,z) \tag{5}$$
#
# $$\|\varphi(x)-\mu\|^2=k(x,x)-\frac2m\sum_jk(x,x_j)+\frac1{m^2}\sum_{j,l}k(x_j,x_l) \tag{6}$$
#
# Two such distances make a classifier: the nearer mean wins.
# -->


# %% [markdown] key="geometry-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask which point of the plane the mean of two images belongs to. Expect the midpoint of the two points; the answer is
# that there need not be one. Have them count the kernel values in (6) for a class of 100.
#
# </details>

# %% [markdown] key="geometry-trap" slide="fragment"
# For the Gaussian $k(x,x)=1$, so (5) becomes $2-2k(x,z)$. Where $k(x,x)$ is not 1 this shortcut is wrong. For
# $(1+x^\top z)^2$ at $(1,2)$ and $(3,-1)$ it gives a squared distance of $-6$, where (5) gives 149.
#
# <!-- slide
# The shortcut $2-2k(x,z)$ is right only where $k(x,x)=k(z,z)=1$.
# -->

# %% key="geometry-verify" slide="skip"
kernel, square = Polynomial(coef0=0.0, degree=2), np.array([phi(x) for x in small_X])
apart = np.sum((square[:, None] - square[None]) ** 2, axis=-1)
verify("(5) is the distance of the lifted points", feature_distance(kernel, small_X) ** 2, apart)

ones = small_y == 1
mean = square[ones].mean(axis=0)
K1 = kernel(small_X, small_X[ones])
by_kernel_alone = kernel.diag(small_X) - 2 * K1.mean(axis=1) + kernel(small_X[ones]).mean()
verify("(6) is the distance to the mean", by_kernel_alone, np.sum((square - mean) ** 2, axis=1))

# %% [markdown] key="gram" slide="slide" tags=["hour"]
# ## Which functions are kernels?
#
# A kernel may replace an inner product because it is an inner product in feature space. This answers the first
# question. But which functions are kernels? Put the values of $k$ at $n$ points into the *Gram matrix* $K$,
# $K_{ij}=k(x_i,x_j)$.
#
# **Step 5. Necessary.** If $k(x,z)=\varphi(x)^\top\varphi(z)$, then $K$ is symmetric, and for any numbers
# $c_1,\dots,c_n$
#
# $$\sum_{i,j}c_ic_jk(x_i,x_j)=\Big\|\sum_ic_i\varphi(x_i)\Big\|^2\ge0. \tag{7}$$
#
# A symmetric matrix with $c^\top Kc\ge0$ for all $c$ is called *positive semi-definite*, p.s.d. for short.
# Equivalently, none of its eigenvalues is negative.
#
# <!-- slide
# ## Every Gram matrix of a kernel is positive semi-definite
#
# The *Gram matrix* of $n$ points is $K_{ij}=k(x_i,x_j)$.
#
# **Step 5. Necessary.** If $k(x,z)=\varphi(x)^\top\varphi(z)$, then $K$ is symmetric, and for all $c_1,\dots,c_n$
#
# $$\sum_{i,j}c_ic_jk(x_i,x_j)=\Big\|\sum_ic_i\varphi(x_i)\Big\|^2\ge0. \tag{7}$$
#
# $K$ is *positive semi-definite* (p.s.d.): no eigenvalue is negative.
# -->

# %% [markdown] key="gram-2" slide="subslide"
# **Step 6. Sufficient.** Conversely, let $K$ be symmetric and p.s.d. Then $K=Q\,\mathrm{diag}(\mu)\,Q^\top$ with all
# $\mu_j\ge0$. Take row $i$ of $Q\,\mathrm{diag}(\sqrt\mu)$ as the features of $x_i$. Their inner products are the
# entries of $K$, so this is a feature map for these points. If some $\mu_j$ is negative, then by (7) no feature map
# exists.
#
# A *symmetric function* is called positive semi-definite if no Gram matrix of it has a negative eigenvalue, for any
# finite set of points. Every kernel is positive semi-definite, and the converse is true as well, because one feature
# map can serve all points at once (Aronszajn's theorem, chapter 9).
#
# <!-- slide
# **Every p.s.d. matrix is a Gram matrix**
#
# **Step 6. Sufficient.** Let $K=Q\,\mathrm{diag}(\mu)\,Q^\top$ with all $\mu_j\ge0$. Row $i$ of
# $Q\,\mathrm{diag}(\sqrt\mu)$ is a feature vector of $x_i$: the inner products are $K$.
#
# A *symmetric function* is a kernel if and only if **every** Gram matrix of it is p.s.d.
# -->


# %% [markdown] key="gram-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Point out that step 5 used a squared length and nothing else. For step 6 they know the eigendecomposition; ask what
# one needs in order to take its root. Then ask about the quantifiers. One set of points can refute, and no set can
# confirm.
#
# </details>

# %% key="gram-verify" slide="skip"
points = np.random.default_rng(0).normal(size=(12, 2))
K = Gaussian(1.0)(points)
mu, Q = np.linalg.eigh(K)
features = Q * np.sqrt(mu)  # rows are φ(x_i)
verify("no eigenvalue is negative", mu.min() >= 0)
verify("step 6: features whose inner products are K", features @ features.T, K)

# %% [markdown] key="words" slide="subslide"
# Positive entries of $K$ are neither sufficient nor necessary. One lecture says
# [“all eigenvalues positive”](errata.ipynb#E52.-Eigenvalues-that-may-be-0), but they may be zero. If the Gram
# matrices of a kernel at distinct points never have an eigenvalue zero, the kernel is called
# *strictly positive definite*.
# Here are four matrices:
#
# $$A=\begin{pmatrix}1&-\tfrac12\\-\tfrac12&1\end{pmatrix},\qquad B=\begin{pmatrix}1&2\\2&1\end{pmatrix},\qquad
# C=\begin{pmatrix}1&1\\1&1\end{pmatrix},\qquad E=\begin{pmatrix}0&1\\1&0\end{pmatrix}.$$
#
# **Predict first:** which of them are Gram matrices?
#
# <!-- slide
# **“Positive” does not mean positive entries**
#
# $$A=\begin{pmatrix}1&-\tfrac12\\-\tfrac12&1\end{pmatrix},\quad B=\begin{pmatrix}1&2\\2&1\end{pmatrix},\quad
# C=\begin{pmatrix}1&1\\1&1\end{pmatrix},\quad E=\begin{pmatrix}0&1\\1&0\end{pmatrix}$$
#
# **Predict first:** which of them are Gram matrices?
# -->

# %% [markdown] key="words-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Take a vote on each of the four, and expect that A is rejected. Then show A, B and C as arrows. For B ask what
# ‖φ₁ - φ₂‖² would be. For C the two arrows are one. E needs no picture, because both arrows would have length 0 and
# yet an inner product of 1.
#
# </details>

# %% key="words-figure" hide="input"
arrows = arrows_explorer()

# %% [markdown] key="words-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# $A$ and $C$ are Gram matrices, $B$ and $E$ are not. A Gram matrix of two points describes two arrows, with their
# squared lengths on the diagonal and their inner product next to it. $A$ has a negative entry, and it belongs to two
# arrows at an angle of 120°. $B$ has only positive entries, but $\|\varphi_1-\varphi_2\|^2$ would be $1+1-4=-2$. $C$
# is the same arrow twice, and it has the eigenvalue zero. $E$ would need two arrows of length zero whose inner
# product is not zero.
#
# </details>
#
# <!-- slide
# **A and C are Gram matrices, B and E are not**
#
# - $A$: two arrows at 120°. $C$: one arrow, twice, and an eigenvalue 0.
# - $B$: $\|\varphi_1-\varphi_2\|^2$ would be $1+1-4=-2$. $E$: two arrows of length 0, with the inner product 1.
# -->

# %% key="words-verify" slide="skip" hide="input"
named = {
    "A": [[1, -0.5], [-0.5, 1]],
    "B": [[1, 2], [2, 1]],
    "C": [[1, 1], [1, 1]],
    "E": [[0, 1], [1, 0]],
}
verdicts = [is_psd(M) for M in named.values()]
verify("A and C are p.s.d., B and E are not", verdicts == [True, False, True, False])
verify("the angle of the arrows of A, in degrees", np.degrees(np.arccos(-0.5)), "120")
odds = 2.0 ** (1 - 10) * sum(comb(10 - 1, i) for i in range(5))
verify("Cover's count: ten points in five dimensions, probability one half", odds, 0.5)
K2 = Polynomial(degree=2)(np.array([a, c]))  # a = (1, 2), c = (3, -1)
verify("the shortcut 2 - 2k(x, z)", 2 - 2 * K2[0, 1], "-6")
verify("k(x, x) + k(z, z) - 2k(x, z)", K2[0, 0] + K2[1, 1] - 2 * K2[0, 1], "149")
three = np.linalg.eigvalsh(Linear()([[1.0], [2.0], [3.0]]))
verify("the linear kernel on 1, 2, 3 has the eigenvalues 0, 0, 14", three, [0, 0, 14])

# %% [markdown] key="rules" slide="slide"
# ## Rules for building kernels
#
# No computer can test *all* finite sets. Instead, we build kernels from kernels. **Step 7.** If $k_1$ and $k_2$ are
# kernels, so are
#
# | rule | why |
# |---|---|
# | $k_1+k_2$ | $c^\top(K_1+K_2)c$ is a sum of two numbers $\ge0$ |
# | $a\,k_1$ with $a\ge0$ | the same |
# | $k_1\cdot k_2$ | Schur's theorem, below |
# | $g(x)\,k_1(x,z)\,g(z)$, any function $g$ | the features are $g(x)\varphi_1(x)$ |
# | $\lim_jk_j(x,z)$ of kernels | $\ge0$ survives a limit |
# | polynomials of $k_1$ with coefficients $\ge0$, and $e^{k_1}$ | sums, products and a limit |
#
# <!-- slide
# ## Kernels are built from kernels
#
# **Step 7.** If $k_1$ and $k_2$ are kernels, so are
#
# | rule | why |
# |---|---|
# | $k_1+k_2$, and $a\,k_1$ with $a\ge0$ | sums of numbers $\ge0$ |
# | $k_1\cdot k_2$ | Schur's theorem |
# | $g(x)\,k_1(x,z)\,g(z)$, any function $g$ | the features are $g(x)\varphi_1(x)$ |
# | $\lim_jk_j(x,z)$ of kernels | $\ge0$ survives a limit |
# | polynomials of $k_1$ with coefficients $\ge0$, and $e^{k_1}$ | sums, products and a limit |
# -->

# %% [markdown] key="rules-why" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask for the reason of each rule before you read it out. Leave the product open; it has its own page. Expect that
# somebody wants to allow a < 0.
#
# </details>

# %% [markdown] key="schur" slide="subslide"
# The product is the surprising rule, because the product of two matrices *entry by entry* has little to do with their
# matrix product. By step 6 we can write $K_2=\sum_mv_mv_m^\top$, where the $v_m$ are the columns of
# $Q\,\mathrm{diag}(\sqrt\mu)$. Then
#
# $$\sum_{i,j}c_ic_jK_{1,ij}K_{2,ij}
# =\sum_m\sum_{i,j}(c_iv_{mi})(c_jv_{mj})K_{1,ij}=\sum_m(c\circ v_m)^\top K_1\,(c\circ v_m)\ge0,$$
#
# where $\circ$ multiplies entry by entry. Each term is $\ge0$ because $K_1$ is p.s.d.
#
# <!-- slide
# **Schur's theorem: the product of two kernels is a kernel**
#
# Write $K_2=\sum_mv_mv_m^\top$ (step 6). Then, with $\circ$ entry by entry,
#
# $$\sum_{i,j}c_ic_jK_{1,ij}K_{2,ij}=\sum_m(c\circ v_m)^\top K_1\,(c\circ v_m)\ge0.$$
# -->


# %% [markdown] key="schur-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask first whether the product entry by entry of two p.s.d. matrices can fail to be p.s.d. Then give the proof: one of
# them is a sum of v vᵀ, and to multiply by v vᵀ entry by entry only rescales c.
#
# </details>

# %% key="schur-verify" slide="skip"
rng = np.random.default_rng(0)
B1, B2, c = rng.normal(size=(6, 3)), rng.normal(size=(6, 2)), rng.normal(size=6)
K1, K2 = B1 @ B1.T, B2 @ B2.T
left = c @ (K1 * K2) @ c
right = sum((c * v) @ K1 @ (c * v) for v in B2.T)  # the columns of B2 are the v_m
verify("Schur's identity", left, right)

# %% [markdown] key="rules-not" slide="subslide"
# Not every combination is a rule. One lecture invites us to [“add, multiply,
# etc.”](errata.ipynb#E03.-Which-operations-make-kernels-from-kernels), and the *etc.* is where it goes wrong. Take
# two kernels $k_1,k_2$, and
#
# $$k_1-k_2,\qquad\max(k_1,k_2),\qquad\min(k_1,k_2),\qquad\tanh k_1,\qquad k_1^2,\qquad\sqrt{|k_1|}\,.$$
#
# **Predict first:** which of these are always kernels?
#
# <!-- slide
# **Not every combination of kernels is a kernel**
#
# $$k_1-k_2,\qquad\max(k_1,k_2),\qquad\min(k_1,k_2),\qquad\tanh k_1,\qquad k_1^2,\qquad\sqrt{|k_1|}$$
#
# **Predict first:** which of these are always kernels?
# -->

# %% [markdown] key="rules-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Take a vote on each of the six, and expect many votes for the maximum. Then let the room call out combinations. When
# a bar turns red, read the proof aloud, and let a student check one of the nine products. Ask for a pair whose
# maximum is harmless. (For example k₁ ≥ k₂ everywhere.)
#
# </details>

# %% key="rules-figure" hide="input"
x25 = np.linspace(-2, 2, 25)
column = x25[:, None]
menu = {
    "Gaussian, σ = 1": Gaussian(1.0)(column),
    "Gaussian, σ = 0.3": Gaussian(0.3)(column),
    "xz": Linear()(column),
    "(1 + xz)²": Polynomial(degree=2)(column),
    "exp(-|x - z|)": Laplacian(1.0)(column),
    "cos 3(x - z)": np.cos(3 * (column - x25)),
}
meter = definiteness_explorer(x25, menu)

# %% [markdown] key="rules-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# Only $k_1^2$ is always a kernel, because it is a product. For each of the others the figure finds a $k_1$, a $k_2$
# and three points with $\sum_{i,j}c_ic_jk(x_i,x_j)<0$, and one such triple is enough, by (7). A spectrum without red
# bars, which are negative eigenvalues, proves only that *these* points do not refute the formula. For a proof, use
# the rules.
#
# </details>
#
# <!-- slide
# **Only the square is always a kernel**
#
# - Three points with $\sum_{i,j}c_ic_jk(x_i,x_j)<0$ refute the combination, by (7).
# - A spectrum without red bars proves nothing about other points. For a proof, use the rules.
# -->


# %% key="rules-verify" slide="skip" hide="input"
def smallest(matrix):
    return np.linalg.eigvalsh(matrix)[..., 0]


triples = np.array(list(combinations(range(25), 3)))


def by_three(matrix):
    return smallest(matrix[triples[:, :, None], triples[:, None]]).min() < -1e-9


no_rules = ["k₁ − k₂", "max(k₁, k₂)", "min(k₁, k₂)", "tanh k₁", "√|k₁|"]
for how, make in HOW.items():
    made = [make(A, B) for A in menu.values() for B in menu.values()]
    if how in no_rules:
        verify(f"{how}: refuted by three points, for a pair of the menu", any(map(by_three, made)))
    else:
        least = min(smallest(K) / np.abs(K).max() for K in made)
        verify(f"{how}: never refuted here", least > -1e-9)

# %% [markdown] key="gauss" slide="slide"
# ## The Gaussian has infinitely many features
#
# **Step 8.** Is $\exp\!\big(-\|x-z\|^2/(2\sigma^2)\big)$, the formula of the first section, a kernel? Take $\sigma=1$,
# since another $\sigma$ only rescales $x$, and expand the square, $\|x-z\|^2=\|x\|^2+\|z\|^2-2x^\top z$. Then
#
# $$e^{-\|x-z\|^2/2}=\underbrace{e^{-\|x\|^2/2}}_{g(x)}\;
# \underbrace{e^{\,x^\top z}}_{\text{limit of polynomials}}\;\underbrace{e^{-\|z\|^2/2}}_{g(z)}. \tag{8}$$
#
# The middle factor is $e^{k_1}$ of the linear kernel, and $g(x)\,k(x,z)\,g(z)$ is allowed, so the answer is yes. In
# one dimension the series $e^{xz}=\sum_j(xz)^j/j!$ even gives us the features,
#
# $$\varphi_j(x)=e^{-x^2/2}\,\frac{x^j}{\sqrt{j!}},\qquad j=0,1,2,\dots \tag{9}$$
#
# 
#
# <!-- slide
# ## The Gaussian is a kernel with infinitely many features
#
# **Step 8.** With $\sigma=1$, expand the square:
#
# $$e^{-\|x-z\|^2/2}=\underbrace{e^{-\|x\|^2/2}}_{g(x)}\;
# \underbrace{e^{\,x^\top z}}_{\text{limit of polynomials}}\;\underbrace{e^{-\|z\|^2/2}}_{g(z)}. \tag{8}$$
#
# In one dimension $e^{xz}=\sum_j(xz)^j/j!$ gives us the features:
#
# $$\varphi_j(x)=e^{-x^2/2}\,\frac{x^j}{\sqrt{j!}},\qquad j=0,1,2,\dots \tag{9}$$
# -->

# %% [markdown] key="gauss-lecture" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Expand the square together, and ask for the rule for each factor. Ask what φ_j looks like for large j. (Two bumps
# that move out to ±√j.)
#
# </details>

# %% [markdown] key="gauss-strict" slide="subslide"
# Could a finite number of features do the same? No. With $D$ features the rank of $K$ is at most $D$, but the Gaussian
# has a $K$ of rank $n$ at any $n$ distinct points. To see this, suppose that $c^\top Kc=0$. By (7) every feature then
# satisfies $\sum_ic_i\varphi_j(x_i)=0$. Up to constant factors the features are $g(x)$ times all monomials, in $d$
# dimensions as well, so $\sum_ic_i\,g(x_i)\,p(x_i)=0$ for every polynomial $p$. Choose
# $p(x)=\prod_{l\ne m}\|x-x_l\|^2$, which vanishes at all points except $x_m$. What remains is $c_m=0$. So the Gaussian
# is strictly positive definite.
#
# <!-- slide
# **No finite number of features is enough**
#
# With $D$ features $K$ has rank $D$ at most. But let $c^\top Kc=0$ at $n$ distinct points:
#
# - by (7), $\sum_ic_i\,g(x_i)\,p(x_i)=0$ for every polynomial $p$;
# - choose $p(x)=\prod_{l\ne m}\|x-x_l\|^2$, which vanishes at all points except $x_m$: then $c_m=0$.
#
# The Gaussian is *strictly positive definite*: rank $n$, for every $n$.
# -->

# %% [markdown] key="gauss-section" slide="subslide"
# Do all of these features matter? Fix one point. The function $x\mapsto k(x,x')$ is called a *section* of the kernel,
# and it says how similar every $x$ is to $x'$. The right picture builds the section at $x'=2$ from the first few
# features.
#
# <!-- slide
# **On a line, near the origin, a few features are enough**
# -->

# %% key="gauss-picture" hide="input"
t = np.linspace(-4, 4, 401)


def taylor_features(x, m):
    return np.stack(
        [np.exp(-(x**2) / 2) * x**j / np.sqrt(float(factorial(j))) for j in range(m)], axis=1
    )


fig, (left, right) = plt.subplots(1, 2, figsize=(9.2, 3.5))
for j in range(6):
    left.plot(t, taylor_features(t, 6)[:, j], **cycle(j), linewidth=1.6, label=f"j = {j}")
left.set(xlabel="x", ylabel="φⱼ(x)", title="six features of the Gaussian, σ = 1")
left.legend(loc="lower right", ncols=2, fontsize=8)
right.plot(t, np.exp(-((t - 2) ** 2) / 2), color="black", linewidth=2.5, label="k(x, 2)")
for i, m in enumerate((3, 6, 12)):
    sum_m = taylor_features(t, m) @ taylor_features(np.array([2.0]), m)[0]
    right.plot(t, sum_m, **cycle(i), linewidth=1.6, label=f"{m} features")
right.set(xlabel="x", title="the section at 2, and its sums of features")
right.legend(loc="upper left", fontsize=9)
show(
    fig,
    alt="Left: the first six features as curves, one bump in the middle, then pairs of bumps that "
    "move outwards, symmetric or antisymmetric in turn. Right: the Gaussian around 2 and its sums "
    "of 3, 6 and 12 features; twelve can hardly be told from it, three are far too low.",
)


# %% [markdown] key="gauss-reading" slide="skip"
# Twelve features agree with the kernel to nine decimals for points in $[-1,1]$, and they are off by up to 0.2 in
# $[-3,3]$. The feature with number $j$ is largest at $\pm\sqrt j$. So on a line the first features nearly suffice
# near the origin, and more are needed further out.

# %% [markdown] key="gauss-digits" slide="subslide"
# For the digits this is not so. The large eigenvalues of $K$ count the directions of the feature space that the data
# use. Take those above $10^{-4}$ of the largest. With $\sigma=1.4$ the training digits lie within $2.1\,\sigma$ of
# their mean, and *all* 903 eigenvalues exceed this bound. For as many points on a line, spread over the same
# distance, only eight do. Since $K$ has rank $n$, we can solve $K\alpha=y$ with any labels $y$, and
# $f(x)=\sum_i\alpha_ik(x_i,x)$ has all labels right.
#
# The kernel alone therefore does not stop a method from fitting noise. But with this $\sigma$ noise needs larger
# weights. The $w=\sum_i\alpha_i\varphi(x_i)$ of this $f$ has $\|w\|^2=\alpha^\top K\alpha$, which is 246 for odd or
# even and about 5900 for tosses of a coin. This is why chapter 3 adds a penalty $\lambda\|w\|^2$, which limits how
# much of the feature space a method uses.
#
# <!-- slide
# **A Gaussian can fit any labels, so we need λ**
#
# - Eigenvalues of $K$ above $10^{-4}$ of the largest: eight for points on a line, *all* 903 for the digits.
# - $K$ has rank $n$, so some $f$ fits *any* labels, even tosses of a coin.
# - With this $\sigma$, $\|w\|^2$ is 246 for odd or even, and 5900 for a coin. Chapter 3 adds a penalty
#   $\lambda\|w\|^2$.
# -->

# %% [markdown] key="gauss-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask how many of the 903 eigenvalues matter for the digits. Expect "a few", after the picture on the line. Then ask
# what it means that every labelling can be fitted, and what could still tell a coin from a digit. (The size of w.)
#
# </details>


# %% key="gauss-verify" slide="skip" hide="input"
def taylor_error(reach, m):
    x = np.linspace(-reach, reach, 201)
    return np.abs(taylor_features(x, m) @ taylor_features(x, m).T - Gaussian(1.0)(x[:, None])).max()


def above(eigenvalues):
    return np.sum(eigenvalues > 1e-4 * eigenvalues[-1])


verify("12 features agree to nine digits on [-1, 1]", taylor_error(1, 12) < 1e-9)
verify("the largest error of 12 features on [-3, 3]", taylor_error(3, 12), "0.2")
peak = t[np.argmax(np.where(t > 0, taylor_features(t, 10)[:, 9], 0))]
verify("feature 9 has its bump at √9", abs(peak - 3) < 0.03)
multi = np.random.default_rng(1).normal(size=(30, 3))
g = np.exp(-(multi**2).sum(1) / 2)
verify("(8) in three dimensions", Gaussian(1.0)(multi), g[:, None] * np.exp(multi @ multi.T) * g)
K = Gaussian(1.4)(X[train])
reach = np.linalg.norm(X[train] - X[train].mean(axis=0), axis=1).max()
verify("the digits lie within 2.1 σ of their mean", reach / 1.4, "2.1")
verify("all 903 eigenvalues exceed 10⁻⁴ of the largest", above(np.linalg.eigvalsh(K)), 903)
spread = np.linspace(-reach, reach, 903)[:, None]
verify("on a line eight do", above(np.linalg.eigvalsh(Gaussian(1.4)(spread))), 8)
coins = np.random.default_rng(0).choice([-1.0, 1.0], size=(903, 20))
labels = np.column_stack([y[train], coins])
alpha = np.linalg.solve(K, labels)
norms = np.sum(alpha * (K @ alpha), axis=0)
verify("Kα is y, for odd or even and for 20 tosses of 903 coins", K @ alpha, labels, tol=1e-8)
verify("‖w‖² for odd or even", norms[0], "246")
verify("‖w‖² for the coins, mean of 20, to hundreds", round(norms[1:].mean(), -2), "5900")

# %% [markdown] key="menu" slide="slide"
# ## A menu of kernels
#
# | kernel | formula | p.s.d. |
# |---|---|---|
# | linear | $x^\top z$ | yes |
# | polynomial | $(u\,x^\top z+v)^p$, $\ p=1,2,\dots$ | for $u,v\ge0$ |
# | Gaussian | $\exp(-\lVert x-z\rVert^2/(2\sigma^2))$ | yes, strictly |
# | exponential (Laplacian) | $\exp(-\lVert x-z\rVert/\sigma)$ | yes, strictly |
# | histogram | $\sum_j\min(x_j,z_j)$ | for entries $\ge0$ only |
# | sigmoid | $\tanh(a\,x^\top z+b)$ | **no** |
#
# The exercise notebook proves that the exponential is a kernel. The *histogram* kernel is for counts. If $x,z\ge0$,
# then $\min(x,z)=\int_0^\infty\mathbf 1[t\le x]\,\mathbf 1[t\le z]\,dt$ is an inner product of functions. With
# negative numbers it fails, since $\min(-1,-1)=-1$ would be a squared length.
#
# <!-- slide
# ## A menu of kernels, and one formula that is not a kernel
#
# | kernel | formula | p.s.d. |
# |---|---|---|
# | linear | $x^\top z$ | yes |
# | polynomial | $(u\,x^\top z+v)^p$ | for $u,v\ge0$ |
# | Gaussian | $\exp(-\lVert x-z\rVert^2/(2\sigma^2))$ | yes |
# | exponential | $\exp(-\lVert x-z\rVert/\sigma)$ | yes |
# | histogram | $\sum_j\min(x_j,z_j)$ | for entries $\ge0$ only |
# | sigmoid | $\tanh(a\,x^\top z+b)$ | **no** |
# -->


# %% [markdown] key="menu-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask which of the six would suit counts of words, which pictures, and which an unknown function of one variable. Then
# let the room refute the sigmoid. Start with b < 0, which takes one point.
#
# </details>

# %% [markdown] key="menu-refute" slide="subslide"
# The *sigmoid* comes from neural networks. It is not a kernel, whatever $a>0$ and $b$ are, and at most three points
# refute it.
#
# - For $b<0$ take the origin alone, where $k(0,0)=\tanh b<0$.
# - For $b=0$ take the points $h,2h$ with $c=(2,-1)$ and $ah^2=\frac12$. The sum in (7) is
#   $4\tanh\frac12-4\tanh1+\tanh2=-0.234$.
# - For $b>0$ take the points $R,-R,0$ with $c=(1,1,-2)$. The sum is
#   $2\tanh(b+aR^2)+2\tanh(b-aR^2)-4\tanh b$, which tends to $-4\tanh b<0$ as $R$ grows.
#
# <!-- slide
# **At most three points refute the sigmoid**
#
# - $b<0$: the point 0, where $k(0,0)=\tanh b<0$.
# - $b=0$: the points $h,2h$ with $c=(2,-1)$ and $ah^2=\frac12$ give $-0.234$.
# - $b>0$: the points $R,-R,0$ with $c=(1,1,-2)$ tend to $-4\tanh b$ as $R$ grows.
# -->

# %% [markdown] key="sections" slide="skip"
# Kernels also differ in what they call similar. The section of a Gaussian at $x'$ is a bump around $x'$. The section
# of $(1+xz)^2$ is a parabola, and at $x'=0$ it is constant, so a
# [figure of $k(x,0)$](errata.ipynb#E53.-A-polynomial-section-that-is-constant) shows nothing of a polynomial.

# %% [markdown] key="width" slide="subslide"
# In the Gaussian, $\sigma$ sets the distance within which points are alike. With a very small $\sigma$ the Gram
# matrix is nearly $I$, so that every digit is similar to itself only, and with a very large $\sigma$ all digits are
# alike. Because $\sigma$ has the unit of $x$, pixel values that are multiplied by ten need a $\sigma$ ten times as
# large, and $\gamma=1/(2\sigma^2)$ divided by a hundred.
#
# <!-- slide
# **The width σ has the unit of x**
#
# - Very small $\sigma$: $K\approx I$, and every digit is similar to itself only.
# - Very large $\sigma$: all entries are nearly 1, and all digits are alike.
# - Pixels times ten: $\sigma$ times ten, and $\gamma=1/(2\sigma^2)$ divided by a hundred.
# -->

# %% key="menu-verify" slide="skip" hide="input"
forty = np.random.default_rng(0).normal(size=(40, 2))
c, a, h = np.array([1.0, 1.0, -2.0]), 0.7, np.sqrt(0.5 / 0.7)
for b in (0.01, 1.0, 3.0):
    K = Sigmoid(a, b)(20.0 * np.array([[1.0], [-1.0], [0.0]]))
    verify(f"sigmoid, b = {b:g}: the sum is -4 tanh b", c @ K @ c, -4 * np.tanh(b))
two = Sigmoid(a, 0.0)([[h], [2 * h]])
verify("sigmoid, b = 0: two points give", np.array([2, -1]) @ two @ np.array([2, -1]), "-0.234")
amounts = np.abs(forty)
positive = smallest(HistogramIntersection()(amounts))
verify("the histogram kernel is p.s.d. on counts", positive > -1e-10)
verify("min(-1, -1) would be a squared length of", np.minimum(-1.0, -1.0), "-1")
refused = False
try:
    HistogramIntersection()(forty)
except ValueError:
    refused = True
verify("kcourse refuses the histogram kernel on negative entries", refused)
for kernel in (Gaussian(1.0), Laplacian(1.0)):
    verify(f"{kernel}: smallest eigenvalue at 12 points is above 0", smallest(kernel(points)) > 0)
s = np.linspace(-1, 1, 41)[:, None]
flat = Polynomial(degree=2)(s, [[0.0]])
verify("the section of (1 + xz)² at 0 is constant", np.ptp(flat), 0.0)
hundred = X[train[:100]]
tiny, huge = Gaussian(0.2)(hundred), Gaussian(20.0)(hundred)
verify("σ = 0.2: the Gram matrix of 100 digits is nearly I", tiny, np.eye(100), tol=0.01)
verify("σ = 20: all its entries are nearly 1", huge.min() > 0.95)
verify("ten times the pixels and σ", Gaussian(14.0)(10 * hundred), Gaussian(1.4)(hundred))

# %% [markdown] key="alike" slide="slide"
# ## What is a kernel good for?
#
# The third question is still open, because the nearest neighbour has won. A kernel says which points are alike, and a
# *rule* says what to do with it. We have two rules so far, the perceptron and the nearest neighbour, which by (5) can
# be used in any feature space. (With the Gaussian it is the plain nearest neighbour, since $2-2k(x,z)$ grows with the
# distance.) Both rules use the digits only through $k$, so what we know about digits can be built into $k$ for both.
#
# We know that *a digit that is shifted by one pixel is the same digit.* Let $T_1x,\dots,T_9x$ be the picture $x$ and
# its eight shifts, and take the mean of their images under $\varphi$:
#
# $$\tilde\varphi(x)=\frac19\sum_s\varphi(T_sx),\qquad
# \tilde k(x,z)=\tilde\varphi(x)^\top\tilde\varphi(z)=\frac1{81}\sum_{s,t}k(T_sx,T_tz). \tag{10}$$
#
# **Predict first:** which of the two rules gains by the new kernel? And what if the nine *pictures* are averaged,
# which is a blur, instead of their images?
#
# <!-- slide
# ## What we know about digits can be built into the kernel
#
# *A digit that is shifted by one pixel is the same digit.* Take the mean image of nine shifted pictures $T_sx$:
#
# $$\tilde\varphi(x)=\tfrac19\sum_s\varphi(T_sx),\qquad\tilde k(x,z)=\tfrac1{81}\sum_{s,t}k(T_sx,T_tz). \tag{10}$$
#
# **Predict first:** which rule gains by it, the perceptron or the nearest neighbour? And what if the nine *pictures*
# are averaged, a blur? -->

# %% [markdown] key="alike-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Ask why (10) is a kernel (it is written as an inner product), and how many values of k one of its entries needs (81).
# Take votes for the two rules, then for the blur. Expect "a mean is a mean". That the two means differ is the point
# of a feature space.
#
# </details>


# %% key="alike-code" slide="skip"
def shifts(X):  # nine arrays of pictures, each with an edge of one pixel around it
    wide = np.pad(X.reshape(-1, 8, 8), ((0, 0), (1, 1), (1, 1)))
    moves = [(row, col) for row in (-1, 0, 1) for col in (-1, 0, 1)]
    return [np.roll(wide, move, axis=(1, 2)).reshape(len(X), -1) for move in moves]


def with_shifts(k, X, Z):  # (10)
    return sum(k(A, B) for A in shifts(X) for B in shifts(Z)) / 81


few, square = X[train[:60]], Polynomial(degree=2)
mean_image = sum(square.features(A) for A in shifts(few)) / 9
verify(
    "(10) is the inner product of the mean images",
    with_shifts(square, few, few),
    mean_image @ mean_image.T,
)

# %% key="alike-table" hide="input"
alike = measured(
    "ch02_alike", "neighbour-gains", "perceptron-gains", "blur-is-worse", "margin-is-better"
)
fig, axes = plt.subplots(1, 2, figsize=(8.6, 4))
for ax, (rule, name) in zip(
    axes, (("perceptron", "perceptron"), ("nearest neighbour", "neighbour")), strict=True
):
    before, after = alike[name], alike[f"{name} with shifts"]
    saved = before - after
    ends = np.array([0, max(before.max(), after.max()) + 4])
    ax.plot(ends, ends, color="#777777", linestyle=":", label="equally many")
    ax.plot(before, after, "o", color="black", markerfacecolor="none", label="a partition")
    error = saved.std(ddof=1) / np.sqrt(60)
    ax.set_title(f"{rule}: {saved.mean():.1f} ± {error:.1f} fewer", fontsize=11)
    ax.set(xlabel="errors, Gaussian", ylabel="errors, mean of shifts", aspect="equal")
axes[0].legend(loc="upper left")
show(
    fig,
    answer="The comparison",
    alt="Two scatter plots of sixty partitions, test errors with the mean of shifts against test "
    "errors with the plain Gaussian, and a dotted diagonal. Most points lie below the diagonal, "
    "for the perceptron around 38 and 33 errors, for the nearest neighbour around 24 and 21.",
)

# %% [markdown] key="alike-reading" slide="subslide"
# <details><summary><b>The answer</b> (open this once you have written down your answer)</summary>
#
# On average both rules gain. The nearest neighbour makes 21 errors instead of 24, and the perceptron makes 33 instead
# of 38. (In the figure, ± is the standard error of the mean difference over the sixty partitions, which all share
# the same fourteen forms.) With blurred
# pictures the neighbour makes 43 errors, so averaging the images is not the same as averaging the pictures.
#
# This answers the third question. A kernel is not a rival of the nearest neighbour, because it says who the neighbours
# are, and what is built into it here helps both rules. With the same kernel a better rule, the support vector machine
# of chapter 6, makes 18 errors.
#
# </details>
#
# <!-- slide
# **What is built into the kernel helps both rules**
#
# - Nearest neighbour: 21 errors instead of 24. Perceptron: 33 instead of 38.
# - Blurred pictures: 43 errors of the neighbour. The mean of the images is not the image of the mean.
# - With the same kernel, the support vector machine of chapter 6 makes 18 errors.
# -->

# %% key="alike-verify" slide="skip" hide="input"
for name, errors in (
    ("neighbour", "24"),
    ("perceptron", "38"),
    ("neighbour with shifts", "21"),
    ("perceptron with shifts", "33"),
    ("neighbour of blurs", "43"),
    ("margin with shifts", "18"),
):
    verify(f"errors, {name}", alike[name].mean(), errors)
verify(
    "the perceptron's errors here are those of the first comparison",
    alike["perceptron"],
    new["Gaussian"],
)
apart = feature_distance(Linear(), X[test], X[train])
image = feature_distance(Gaussian(1.4), X[test], X[train]).argmin(axis=1)
closest = apart[np.arange(len(test)), image]
verify("the nearest image of the Gaussian is a nearest neighbour", closest, apart.min(axis=1))

# %% [markdown] key="find-error" slide="slide" tags=["later"]
# ## Find the error
#
# A student has measured how alike thirty sentences are. Her matrix is symmetric, with ones on its diagonal and other
# entries between zero and one. To use it as a kernel, she repairs negative eigenvalues. **Name three objections.**
#
# ```python
# def make_kernel(S):
#     """S: similarities of n points. Returns a Gram matrix."""
#     if np.all(S >= 0):                      # "positive"
#         return S
#     values, vectors = np.linalg.eigh(S)
#     values = np.abs(values)                 # none is negative now
#     return vectors @ np.diag(values) @ vectors.T
# ```
#
# <!-- slide
# ## Find the error: a similarity matrix is repaired
#
# ```python
# def make_kernel(S):
#     """S: similarities of n points. Returns a Gram matrix."""
#     if np.all(S >= 0):                      # "positive"
#         return S
#     values, vectors = np.linalg.eigh(S)
#     values = np.abs(values)                 # none is negative now
#     return vectors @ np.diag(values) @ vectors.T
# ```
#
# Name three objections.
# -->

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Give them two minutes in pairs. Expect that only the first one is found. For the second, ask what the absolute value
# does to the diagonal. The third, that there is no k(x, new), cannot be repaired at all.
#
# </details>

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What it computes</b> (open this once you have written down your answers)</summary>
#
# First, entries $\ge0$ are not enough. Let one sentence be very similar to two others, with entries of 0.9, and let
# these two be dissimilar, with an entry of 0.1. Then one eigenvalue is $-0.224$, but `make_kernel` returns the matrix
# unchanged.
#
# Second, the absolute value changes what was measured. Here the middle entry of the diagonal grows by 23 %. Setting
# negative eigenvalues to zero gives the nearest p.s.d. matrix in the Frobenius norm, and the entry grows by half as
# much.
#
# Third, a matrix is not a function. It has no column for a new sentence, and repairing the enlarged matrix in general
# changes the old entries.
#
# </details>
#
# <!-- slide
# **A repaired matrix is not a kernel**
#
# 1. Entries $\ge0$ are not the question: three sentences with 0.9, 0.9 and 0.1 have an eigenvalue $-0.224$.
# 2. The absolute value changes the measurements more than setting negative eigenvalues to 0.
# 3. A matrix is not a function: for a new sentence there is no column.
# -->

# %% key="find-error-verify" slide="skip" hide="input"
S = np.array([[1.0, 0.9, 0.1], [0.9, 1.0, 0.9], [0.1, 0.9, 1.0]])
values, vectors = np.linalg.eigh(S)
flipped = vectors @ np.diag(np.abs(values)) @ vectors.T
clipped = vectors @ np.diag(np.maximum(values, 0)) @ vectors.T
verify("the negative eigenvalue of three sentences", values[0], "-0.224")
grown = np.diag(flipped).max() - 1, np.diag(clipped).max() - 1
verify("with absolute values an entry of the diagonal grows by (%)", 100 * grown[0], "23")
verify("with negative ones set to 0 it grows by half as much", grown[1], grown[0] / 2)
far, near = np.linalg.norm(S - flipped), np.linalg.norm(S - clipped)
verify("setting them to 0 changes the matrix less", near < far)

# %% [markdown] key="sklearn" slide="slide" tags=["later"]
# ## The same in scikit-learn
#
# Our perceptron, Gaussian and polynomial kernels are those of scikit-learn.
#
# <!-- slide
# ## With gamma and coef0 given, scikit-learn agrees
# -->

# %% key="sklearn-code"
from sklearn.linear_model import Perceptron
from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel, rbf_kernel
from sklearn.svm import SVC

theirs = Perceptron(tol=None, shuffle=False, max_iter=100).fit(X[train], y[train])
verify("their perceptron is ours, step by step", theirs.coef_[0], w)

K = rbf_kernel(X, gamma=1 / (2 * 1.5**2))
verify("rbf_kernel with gamma = 1/(2σ²)", K, Gaussian(1.5)(X))
cube = polynomial_kernel(X[:50], degree=3, gamma=1, coef0=1)  # (1 + x·z)³

# a Gram matrix: fit with train × train, predict with test × train
by_matrix = SVC(kernel="precomputed", C=10).fit(K[np.ix_(train, train)], y[train])
by_function = SVC(kernel=Gaussian(1.5), C=10).fit(X[train], y[train])
answers = by_matrix.predict(K[np.ix_(test, train)])
verify("a matrix and a function give the same answers", answers, by_function.predict(X[test]))

# %% [markdown] key="sklearn-traps" slide="subslide"
# There are two traps. First, names and defaults differ from our formulas. The default `gamma` of `polynomial_kernel`
# and `rbf_kernel` is $1/d$, and that of `SVC` is $1/(d\cdot\operatorname{Var})$. And `laplacian_kernel` has the sum of
# absolute differences in its exponent instead of the Euclidean norm.
#
# Second, scikit-learn does not check that a function is a kernel. It accepts `kernel="sigmoid"` and any function that
# you pass. Call `kcourse.is_psd` on a Gram matrix of a few hundred points.
#
# <!-- slide
# **Two traps: the default gamma, and kernels that nobody checks**
#
# - The default `gamma` is $1/d$, in `SVC` it is $1/(d\cdot\operatorname{Var})$.
# - `kernel="sigmoid"` is accepted, and so is any function. Test `kcourse.is_psd` on a few hundred points.
# -->

# %% [markdown] key="cost" slide="slide" tags=["later"]
# ## What it costs
#
# With a kernel, the cost depends on the number of points instead of the number of features. A method that stores $K$
# needs $n^2$ numbers, so twice the points take four times the memory, and about four times the time to compute it. A
# prediction needs one value of $k$ for every point with $\alpha_i\ne0$.
#
# <!-- slide
# ## Twice the points make a Gram matrix four times as large
# -->

# %% key="cost-table" hide="input"
cost = measured("ch02_cost")
table(
    "The Gaussian in 64 variables: memory, and time measured on one core",
    {
        "points n": ",d",
        "Gram matrix (GB)": ".3f",
        "Gram matrix (s)": ".3f",
        "1000 predictions (s)": ".3f",
    },
    {
        int(n): (8 * n * n / 1e9, gram, ask)
        for n, gram, ask in zip(cost["n"], cost["Gram matrix"], cost["predictions"], strict=True)
    },
)

# %% [markdown] key="cost-reading" slide="fragment"
# With $n=100\,000$ points the matrix takes 80 GB. The features of degree two in ten variables, 66 for each point,
# take 0.053 GB. The kernel is for $D\gg n$, for infinitely many features, and for data without coordinates (chapter
# 9).
#
# If $\sigma$ is large, the rows of $K$ are almost equal. Then $K$ is nearly singular, and solving with it loses
# precision. Chapter 3 adds $\lambda$ to its diagonal.
#
# **When not to use it.** If there are far fewer features than points, build the features. If $K$ does not fit into
# memory, use chapter 10.
#
# <!-- slide
# 100 000 points: a matrix of 80 GB, but 66 features take 0.053 GB. **With far fewer features than points, build
# the features.**
# -->

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Before the click, ask how much memory 100 000 points need, from the last row of the table. Expect ten times as much
# as for 8000 points; it is more than 150 times as much.
#
# </details>

# %% key="cost-verify" slide="skip" hide="input"
verify("σ = 20, 100 digits: K is nearly singular", np.linalg.cond(huge) > 1e5)
verify("the Gram matrix of 100 000 points (GB)", 8 * 100_000**2 / 1e9, "80")
verify("more than 150 times as much as that of 8000", (100_000 / 8000) ** 2 > 150)
verify("features of degree 2 in 10 variables", comb(12, 2), "66")
verify("these features of 100 000 points (GB)", 8 * 100_000 * 66 / 1e9, "0.053")
sizes = np.log(cost["n"])
growth = {name: np.polyfit(sizes, np.log(taken), 1)[0] for name, taken in cost.items()}
verify("the time of the matrix grows like n²", 1.7 < growth["Gram matrix"] < 2.3)
verify("the time of 1000 predictions grows like n", 0.7 < growth["predictions"] < 1.3)
verify("polynomial_kernel with gamma and coef0", cube, Polynomial(degree=3)(X[:50]))
default = polynomial_kernel(X[:50], degree=3)
verify("the default gamma is 1/d", default, (1 + X[:50] @ X[:50].T / 64) ** 3, tol=1e-9)
l1 = np.abs(X[:20, None] - X[None, :20]).sum(axis=-1)
verify("their Laplacian is the L1 norm's", laplacian_kernel(X[:20], gamma=0.5), np.exp(-0.5 * l1))
gap = np.abs(laplacian_kernel(X[:20], gamma=0.5) - Laplacian(2.0)(X[:20])).max()
verify("their Laplacian is not the exponential kernel", gap > 0.1)
accepted = SVC(kernel="sigmoid").fit(X[train], y[train])
verify("scikit-learn fits with kernel='sigmoid'", accepted.n_support_.sum() > 0)
Z = np.array([[0.5], [1.0]]) @ X[train[:1]]
verify("is_psd refutes a sigmoid at two points", not is_psd(Sigmoid(1 / 64, 0.0)(3 * Z)))

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - A kernel $k(x,z)=\varphi(x)^\top\varphi(z)$ is an inner product of features, computed without the features.
# - Every method that uses its points in inner products alone can be run in a feature space.
# - A function is a kernel if and only if all its Gram matrices are p.s.d. A few points can show that a function is
#   not a kernel. Sums, products, $g\,k\,g$ and limits build kernels, but $-$, $\max$, $\min$, $\tanh$ and roots in
#   general do not.
# - The Gaussian has infinitely many features. On a line the first ones nearly suffice near the origin. For the digits
#   with $\sigma=1.4$ all 903 eigenvalues of $K$ exceed $10^{-4}$ of the largest. Any labels can be fitted, so chapter
#   3 needs $\lambda$.
#
# And odd or even? With one symbol replaced, the perceptron makes 38 errors with new writers instead of 128, and the
# nearest neighbour makes 24. A kernel with shifts built in helps both.
# *A kernel does not compete with your neighbours. It says who they are.*
#
# <!-- slide
# ## Recap: a kernel says which points are alike
#
# - A kernel is an inner product of features, computed without the features.
# - Every method that uses its points in inner products alone can be run in a feature space.
# - A function is a kernel if and only if all its Gram matrices are p.s.d. A few points refute it, and rules prove it.
# - The Gaussian can fit any labels, so chapter 3 adds $\lambda$.
#
# *A kernel does not compete with your neighbours. It says who they are.*
# -->


# %% [markdown] key="recap-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Go back to their guess for the number of errors. Let them say in one sentence what k has to satisfy, and in another
# what it does.
#
# </details>

# %% [markdown] key="quiz" slide="slide"
# ## Five questions
#
# <details><summary>1. $k_1$ is a kernel. Is $k(x,z)=k_1(x,z)+3$ a kernel? And $k_1(x,z)-3$?</summary>
#
# The first is, because a constant $\ge0$ is a kernel. The second in general is not, because at a point with
# $k_1(x,x)<3$ a squared length would be negative.
#
# </details>
#
# <details><summary>2. A Gram matrix has the eigenvalues $-3\cdot10^{-16}$ and 20. Is the kernel refuted?</summary>
#
# No, because that is a rounding error. A test needs a tolerance relative to the largest eigenvalue.
#
# </details>
#
# <details><summary>3. Why does the kernel perceptron need no feature map to predict?</summary>
#
# Its $w$ is a combination of the $\varphi(x_i)$, so $w^\top\varphi(x)=\sum_i\alpha_iy_ik(x_i,x)$.
#
# </details>
#
# <details><summary>4. How far apart can $\varphi(x)$ and $\varphi(z)$ be for a Gaussian kernel?</summary>
#
# Less than $\sqrt2$, since $\|\varphi(x)-\varphi(z)\|^2=2-2k(x,z)<2$.
#
# </details>
#
# <details><summary>5. Must a method overfit in a space of infinite dimension?</summary>
#
# No, but it can, because a Gaussian allows it to fit any labels at distinct points. The penalty $\lambda\|w\|^2$
# limits this.
#
# </details>

# %% key="quiz-verify" slide="skip" hide="input"
lowered = Gaussian(1.0)(points).diagonal() - 3
verify("question 1: a Gaussian minus 3 has a negative diagonal", lowered.max() < 0)
largest = feature_distance(Gaussian(1.0), X[:100]).max()
verify("question 4: distances are below √2", largest < np.sqrt(2))

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are
# told which one. *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch02_kernels")

# %% [markdown] key="references" slide="skip" numbers="free"
# ## Further reading
#
# - M. A. Aizerman, E. M. Braverman and L. I. Rozonoer, on potential functions and the perceptron, 1964.
# - B. Schölkopf and A. J. Smola, *Learning with Kernels*, 2002.
# - A. Gretton, *Introduction to RKHS, and some simple kernel algorithms*, lecture notes, University College London.
#
# **Next:** [the exercises](../exercises/ch02_kernels_sheet.ipynb); then [chapter 3](ch03_ridge.ipynb), where one
# linear system gives the coefficients.
