# %% [markdown] key="title" slide="slide"
# # Support vector machines
#
# Chapter 5 drew the widest margin between two classes that can be separated. Real classes overlap, and even where they
# do not, one stray point can move the margin. This chapter lets points cross it at a cost, and finds that a few points
# decide everything.

# %% key="imports" slide="skip" hide="input"
import numpy as np
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.svm import SVC as SkSVC

from kcourse import SVC, Gaussian, Linear, Polynomial
from kcourse.datasets import load_synth
from kcourse.lab import cycle, measured, show, table, use_style, verify
from kcourse.chapters.ch06_svm.figures import (
    losses_explorer, machine_explorer, smo_explorer, staircase,
)

use_style()

# %% [markdown] key="question" slide="slide" tags=["hour"]
# ## The hard margin: a plane without a mistake
#
# Of 569 women with a lump in the breast, 212 had a malignant one. A few cells were drawn from each lump with a thin
# needle, and thirty measurements of their nuclei were taken: radius, texture, concavity and so on. We standardise each
# measurement to mean 0 and variance 1 and ask the classifier of chapter 5 for the widest margin between the two
# classes. **It finds a plane that puts all 569 on the right side. Would you use it?**
#
# <!-- slide
# ## A plane puts all 569 patients on the right side
#
# - 569 women with a lump in the breast, 212 of them malignant
# - thirty measurements of the cell nuclei, each standardised
# - the hard margin of chapter 5 makes no mistake on them
#
# **Would you use it?**
# -->

# %% key="question-data" slide="skip"
cancer = load_breast_cancer()
raw, y = cancer.data, np.where(cancer.target == 0, 1, -1)  # 1: malignant, in that file 0


def standardised(train, test):
    mean, sd = train.mean(axis=0), train.std(axis=0)
    return (train - mean) / sd, (test - mean) / sd


X, _ = standardised(raw, raw)
hard = SVC(Linear(), C=np.inf, tol=1e-5).fit(X, y)
print(f"{len(y)} patients, {np.sum(y == 1)} malignant, {np.sum(hard.predict(X) != y)} mistakes")
print(f"the margin 1/‖w‖ is {1 / np.sqrt(hard.norm2_):.4f} standard deviations")

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask who would use the plane. Collect guesses for the number of mistakes on new patients (expect 0 to 5), then show
# the right panel: 23.
#
# </details>


# %% key="question-picture" slide="subslide" hide="input"
def held_out_values(make, seed, data=raw, labels=y, folds=10):
    """f and the distance to the plane of each point, from a model that was trained without it."""
    fold = np.random.default_rng(seed).permutation(len(labels)) % folds
    f, distance = np.empty(len(labels)), np.empty(len(labels))
    for k in range(folds):
        seen, new = fold != k, fold == k
        A, B = standardised(data[seen], data[new])
        model = make().fit(A, labels[seen])
        f[new] = model.decision_function(B)
        distance[new] = f[new] / np.sqrt(model.norm2_)
    return f, distance


def hard_margin():
    return SVC(Linear(), C=np.inf, tol=1e-5)


on_known = hard.decision_function(X) / np.sqrt(hard.norm2_)
_, on_new = held_out_values(hard_margin, seed=0)
jitter = np.random.default_rng(0).uniform(-0.3, 0.3, len(y))
fig, axes = plt.subplots(1, 2, figsize=(9.2, 3.3), sharey=True, sharex=True)
for ax, at, title in ((axes[0], on_known, "training"), (axes[1], on_new, "held out")):
    for label, marker, fill in ((-1, "o", "white"), (1, "^", "black")):
        mine = y == label
        ax.plot(
            np.clip(at[mine], -3, 3),
            label + jitter[mine],
            marker,
            color="black",
            markersize=3.5,
            markerfacecolor=fill,
            markeredgewidth=0.6,
        )
    wrong = np.sign(at) != y
    ax.plot(
        np.clip(at[wrong], -3, 3),
        (y + jitter)[wrong],
        "s",
        markersize=9,
        markerfacecolor="none",
        markeredgecolor="#c0392b",
        markeredgewidth=1.5,
    )
    ax.axvline(0, color="black", linewidth=1.2)
    ax.set(
        xlabel="distance to the plane (standard deviations)", title=f"{title}: {wrong.sum()} wrong"
    )
axes[0].set_yticks([-1, 1], ["benign", "malignant"])
axes[0].set_ylim(-1.6, 1.6)
show(
    fig,
    alt="Signed distances of the patients to the plane of the hard margin. Left, the 569 patients "
    "on which it was trained: every benign one on the left of 0, every malignant one on the "
    "right, many of them almost on it. Right, each patient and a plane that was trained without "
    "her: 23 lie on the wrong side, marked with squares.",
)

# %% [markdown] key="question-reading"
# The plane makes no mistake on the patients on which it was trained. But when each tenth of the patients is held out
# in turn, 23 are classified wrongly here. The margin is only 0.0014 standard deviations. Without one particular
# patient it is more than twenty times as large, although about twenty of the others are still classified wrongly when
# held out. So a single lump, perhaps an error in the laboratory, moves the plane for every later patient.
#
# A doctor would ask two questions. **Which patients decide? And what does a mistake cost?**
#
# <!-- slide
# **Held out, 23 are wrong, and one patient holds the margin**
#
# Without her the margin is more than twenty times as large. **Which patients decide? And what does a mistake cost?**
# -->

# %% [markdown] key="two-questions-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Write the two questions on the board and leave them there. The chapter answers them in this order.
#
# </details>

# %% key="question-verify" slide="skip" hide="input"
verify("the margin (standard deviations)", 1 / np.sqrt(hard.norm2_), "0.0014")
verify("wrong when held out", np.sum(np.sign(on_new) != y), "23")
verify("212 are malignant", np.sum(y == 1) == 212)
widest = 0
for i in hard.support_:
    rest = np.delete(np.arange(len(y)), i)
    larger = hard.norm2_ / hard_margin().fit(X[rest], y[rest]).norm2_
    if larger > widest:
        widest, others = larger, rest  # without her
verify("without one of them it is more than twenty times as large", 20 < np.sqrt(widest) < 25)
_, f_others = held_out_values(hard_margin, 0, raw[others], y[others])
wrong_others = np.sum(f_others * y[others] < 0)
verify("... and about twenty of the others are wrong", 16 < wrong_others < 24)

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# - derive the hinge loss from the slack, and the dual from a Lagrangian with two kinds of multipliers;
# - place every training point in the diagram of $\alpha$ and $yf$, and read the duality gap there as an area;
# - take one step of sequential minimal optimisation (SMO) with pencil and paper, and write the whole algorithm in
#   thirty lines;
# - explain what $C$ and $\sigma$ do to the decision boundary and to the number of support vectors;
# - say what a support vector machine does not give: probabilities, a unique bias in every case, few support vectors
#   where classes overlap.

# %% [markdown] key="objectives-need" slide="skip"
# **You need** the margin, the Lagrangian and the dual of chapter 5, and kernels. **Reading:** two to three hours.
# **Lecture:** two 45-minute lectures. The second part, on [regression and online learning](ch06b_svr_online.ipynb),
# has its own. **Exercises:** three hours, [in the exercise notebook](../exercises/ch06_svm_sheet.ipynb).

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Do not leave out: the three cases, the staircase, one step of SMO with pencil and paper, the table of the patients.
#
# Can be skipped: A free support vector determines the bias; A missed lump is worse than a false alarm; Find three
# mistakes in the report of a correct SVM; scikit-learn finds the same f and the same support vectors.
#
# </details>

# %% [markdown] key="slack" slide="slide" tags=["hour"]
# ## The soft margin: slack with a penalty
#
# Labels are $y_i=\pm1$ and $f(x)=w^\top\varphi(x)+b$. Chapter 5 minimised $\frac12\|w\|^2$ under the constraints
# $y_if(x_i)\ge1$. When classes overlap, it may be impossible to satisfy them. For example, put the labels $-,+,-,+$ at
# the points $0,1,2,3$. No function $wx+b$ changes its sign three times, so the hard problem has no solution.
#
# **Step 1.** Give each point a *slack* $\xi_i\ge0$ by which it may violate its constraint, and add the sum of the
# slacks to the objective, with a penalty parameter $C>0$:
#
# $$\min_{w,b,\xi}\ \tfrac12\|w\|^2+C\sum_{i=1}^n\xi_i
# \quad\text{with}\quad y_if(x_i)\ge1-\xi_i,\quad \xi_i\ge0. \tag{1}$$
#
# This is the *soft margin*. The hard margin of chapter 5 is the limit $C=\infty$, in which no slack is allowed. If
# the objective is $\|w\|^2$ without the ½, the same classifier has twice our $C$.
#
# <!-- slide
# ## Slack lets a point violate its constraint, at a cost
#
# Labels $-,+,-,+$ at $0,1,2,3$: no $w,b$ has all $y_if(x_i)\ge1$. The hard problem has *no solution*.
#
# **Step 1.** Each point gets a *slack* $\xi_i\ge0$, with a penalty $C$ on the sum:
#
# $$\min_{w,b,\xi}\ \tfrac12\|w\|^2+C\sum_i\xi_i\quad\text{with}\quad y_if(x_i)\ge1-\xi_i,\quad \xi_i\ge0 \tag{1}$$
#
# This is the *soft margin*. $C=\infty$ is the hard margin of chapter 5.
# -->

# %% [markdown] key="hinge" slide="subslide"
# **Step 2.** For fixed $w$ and $b$ each slack can be chosen separately, and none should be larger than necessary. The
# smallest slack that (1) allows is
#
# $$\xi_i=\big(1-y_if(x_i)\big)_+,\qquad (u)_+=\max(u,0).$$
#
# Inserting it removes the constraints and the slacks:
#
# $$\min_{w,b}\ P(w,b)=\tfrac12\|w\|^2+C\sum_i\big(1-y_if(x_i)\big)_+. \tag{2}$$
#
# The function $(1-yf)_+$ is the *hinge loss*. Like ridge regression, the soft margin penalises $\|w\|^2$, and only
# the loss differs. If you divide (2) by $C$, then $1/(2C)$ takes the place of chapter 3's $\lambda$, so **large $C$
# means little regularisation.**
#
# For example, take the points $0,1,2,3$ with labels $-,-,+,+$, and $w=1$, $b=-1.5$, $C=0.5$. The values $y_if(x_i)$
# are $1.5,\,0.5,\,0.5,\,1.5$, so two points have slack $0.5$, and $P=0.5+0.5\cdot1=1$.
#
# <!-- slide
# **The smallest slack is the hinge loss**
#
# **Step 2.** For fixed $w,b$ the smallest slack is $\xi_i=\big(1-y_if(x_i)\big)_+$. Insert it:
#
# $$\min_{w,b}\ P(w,b)=\tfrac12\|w\|^2+C\sum_i\big(1-y_if(x_i)\big)_+ \tag{2}$$
#
# Large $C$ means little regularisation: $1/(2C)$ is chapter 3's $\lambda$.
#
# Points 0, 1, 2, 3, labels $-,-,+,+$; $w=1$, $b=-1.5$, $C=0.5$. **What is $P$?**
#
# <div class="fragment">
#
# $yf$ is 1.5, 0.5, 0.5, 1.5: two slacks of 0.5, and $P=0.5+0.5\cdot1=1$.
#
# </div>
# -->

# %% [markdown] key="slack-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let them compute P (it is 1). Then ask what a slack below 1 means, and one above 1. Expect "both are mistakes"; only
# the second is one. Ask whether ξ is a distance: only after division by ‖w‖.
#
# </details>

# %% [markdown] key="slack-words" slide="skip"
# *What a slack is not.* A slack is not a [distance](errata.ipynb#E45.-The-slack-is-not-a-distance), because a point
# with slack $\xi$ is $\xi/\|w\|$ away from the margin line of its class. A positive slack is not always a mistake
# either, because for $0<\xi<1$ the point is on the right side of the boundary. A mistake has $\xi\ge1$, so
# $\sum_i\xi_i$ is an upper bound on the number of mistakes. A large $C$ does not prevent mistakes. In the example
# $-,+,-,+$ two of the four points are misclassified at $C=1$ and also at $C=1000$. And the hinge loss is not
# $(yf-1)_+$, as one source [prints](errata.ipynb#E10.-A-loss-that-rewards-errors), because this function is
# positive for correct points only, so $w=0$ would be best.

# %% [markdown] key="losses" slide="slide"
# ## The hinge loss compared with other losses
#
# What is special about the hinge loss? Compare it with three others, as functions of $yf(x)$:
#
# - the hinge loss $(1-yf)_+$, which has a corner at 1 and therefore no gradient there, only sub-gradients;
# - the *squared hinge loss*, which is differentiable;
# - the *logistic loss* $\log(1+e^{-yf})$, which is positive everywhere;
# - the *0/1 loss*, which counts mistakes.
#
# <!-- slide
# ## What is special about the hinge loss?
#
# As functions of $yf$:
#
# - the **hinge loss** $(1-yf)_+$: a corner at 1, so only sub-gradients there
# - the **squared hinge loss**: differentiable
# - the **logistic loss** $\log(1+e^{-yf})$: positive everywhere
# - the **0/1 loss**: counts mistakes
# -->

# %% [markdown] key="losses-predict" slide="subslide"
# **Predict first.** There are five points with $f(x)=wx$ and $C=1$. Two at $-2,-1$ have label $-$, two at $1,2$ and the
# *diamond* have label $+$. The right panel shows $\frac12w^2$ plus the losses, against $w$.
#
# 1. Move the diamond to $-4$, deep into the other class. Under which of the first three losses does $w$ keep the
#    largest fraction of its value?
# 2. Which losses are exactly 0 for a point far on its correct side, and what does that mean for its influence on $w$?
# 3. Choose the 0/1 loss. Can a solver follow its slope to fewer mistakes?
#
# <!-- slide
# **One point moves deep into the other class**
#
# Five points, $f(x)=wx$, $C=1$: label $-$ at $-2,-1$; label $+$ at $1,2$ and for the *diamond*.
#
# **Predict first.**
#
# 1. The diamond moves to $-4$. Under which of hinge, squared hinge and logistic loss does $w$ keep the largest
#    fraction of its value?
# 2. Which losses are exactly 0 for a point far on its correct side?
# 3. The 0/1 loss: can a solver follow its slope to fewer mistakes?
# -->

# %% [markdown] key="losses-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Vote on the first question; expect the logistic loss. Leave the 0/1 loss for the end, and ask why it is hard to
# minimise. (It is flat nearly everywhere.)
#
# </details>

# %% key="losses-figure" hide="input"
losses = {
    "hinge": lambda m: np.maximum(0, 1 - m),
    "squared hinge": lambda m: np.maximum(0, 1 - m) ** 2,
    "logistic loss": lambda m: np.logaddexp(0, -m),
    "0/1 loss": lambda m: np.where(m <= 0, 1.0, 0.0),
}
five_x, five_y = np.array([-2.0, -1.0, 1.0, 2.0, 1.5]), np.array([-1, -1, 1, 1, 1])
priced = losses_explorer(five_x, five_y, losses)

# %% [markdown] key="losses-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# With the diamond at $-4$, $w$ falls to half under the hinge loss. The slope of this loss is the same everywhere below
# $yf=1$, so each of the other four points has its full influence until it reaches $yf=1$. The slope of the squared hinge loss
# grows with the violation, so the diamond dominates, and $w$ falls from 0.80 to 0.08. Under the logistic loss $w$ falls
# from 1.12 to 0.14. For $w>0$ the slope of the logistic loss exceeds ½ in magnitude at the diamond and is below ½ at
# the good points. The diamond is four units from 0 and the good points one or two, so here $w$ stays small.
#
# The hinge loss, its square and the 0/1 loss are 0 for a point far on its correct side. **This is why points outside
# the margin have no influence.** The 0/1 loss is flat nearly everywhere, so no slope leads to fewer mistakes.
#
# </details>
#
# <!-- slide
# <details><summary><b>What just happened</b></summary>
#
# 1. Under the hinge loss $w$ falls to half: its slope is the same everywhere below $yf=1$. Under the squared hinge loss
#    $w$ falls from 0.80 to 0.08, under the logistic loss from 1.12 to 0.14.
# 2. Hinge, squared hinge and 0/1 loss. **So points outside the margin have no influence.**
# 3. No: the 0/1 loss is flat nearly everywhere.
#
# </details>
# -->


# %% key="losses-verify" slide="skip" hide="input"
def primal(w, b, X, y, C):
    slack = np.maximum(0, 1 - y * (X @ w + b))
    return 0.5 * w @ w + C * slack.sum()


four, signs = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([-1, -1, 1, 1])
verify("the example: P", primal(np.array([1.0]), -1.5, four, signs, C=0.5), 1.0)
program = SVC(Linear(), C=0.5, tol=1e-10).fit(four, signs)
w = four.T @ program.dual_coef_
at_best = primal(w, program.intercept_, four, signs, 0.5)
verify("at the solution (2) is (1)", at_best, program.primal_objective_)
without = w @ w + 0.2 * np.maximum(0, 1 - signs * (four @ w + 0.3)).sum()
half = primal(w, 0.3, four, signs, 0.1)
verify("without the ½ the same problem has twice the C", without, 2 * half)
for C in (1.0, 1e3):
    model = SVC(Linear(), C=C).fit(four, [-1, 1, -1, 1])
    verify(f"C = {C:g}: two of -, +, -, + are right", model.score(four, [-1, 1, -1, 1]) == 0.5)
try:
    hard_margin().fit(four, [-1, 1, -1, 1])
    refused = False
except ValueError:
    refused = True
verify("the hard margin is refused: it has no solution", refused)
soft = SVC(Linear(), C=0.1, tol=1e-8).fit(X, y)
f, w = soft.decision_function(X), X.T @ soft.dual_coef_
foot = X - np.outer((f - y) / (w @ w), w)  # the nearest point of the margin line
verify("the foot lies on the margin line", foot @ w + soft.intercept_, y)
away, has = np.linalg.norm(X - foot, axis=1), soft.slacks_ > 0
verify("ξ/‖w‖ is the distance to it", away[has], soft.slacks_[has] / np.linalg.norm(w))
verify("some points with slack are on the right side", np.any(has & (y * f > 0)))
verify("slacks sum to at least the mistakes", soft.slacks_.sum() >= np.sum(y * f <= 0))


def best_w(loss, odd_at):
    grid_w = np.linspace(-1, 2, 30_001)
    cost = losses[loss](np.outer(grid_w, five_y * np.append(five_x[:-1], odd_at))).sum(axis=1)
    return grid_w[np.argmin(0.5 * grid_w**2 + cost)] + 0.0


for loss, before, after in (
    ("squared hinge", "0.80", "0.08"),
    ("hinge", "1.00", "0.50"),
    ("logistic loss", "1.12", "0.14"),
):
    verify(f"{loss}: the best w", best_w(loss, 1.5), before)
    verify(f"{loss}, the diamond at -4", best_w(loss, -4.0), after)
ws = np.linspace(0.01, 3, 300)
steep = {x: 1 / (1 + np.exp(x * ws)) for x in (-4, 1, 2)}  # of the logistic loss at y f = x w
verify("its slope at the diamond is above ½", np.all(steep[-4] > 0.5))
verify("... and at the good points below", np.all(steep[1] < 0.5) and np.all(steep[2] < 0.5))
losses["reversed"] = lambda m: np.maximum(0, m - 1)
for odd_at in (-6.0, -1.0, 2.0):
    verify(f"reversed, the diamond at {odd_at:g}: w = 0", best_w("reversed", odd_at), 0.0)
verify("reversed: a mistake costs nothing", losses["reversed"](-3.0), 0.0)
for step, slope in ((-1e-6, -1.0), (1e-6, 0.0)):
    change = losses["hinge"](1 + step) - losses["hinge"](1.0)
    where = "below" if step < 0 else "above"
    verify(f"slope of the hinge at 1 {where}", change / step, slope, tol=1e-9)

# %% [markdown] key="lagrangian" slide="slide" tags=["hour"]
# ## The Lagrangian: two multipliers for each point
#
# Which points decide? As in chapter 5, the multipliers will tell. Each point has two constraints in (1), so it gets two
# multipliers, $\alpha_i\ge0$ and $\mu_i\ge0$.
#
# **Step 3.** The Lagrangian is
#
# $$L=\tfrac12\|w\|^2+C\sum_i\xi_i-\sum_i\alpha_i\big(y_if(x_i)-1+\xi_i\big)-\sum_i\mu_i\xi_i.$$
#
# At the solution it is stationary in the variables over which we minimise, namely $w$, $b$ and $\xi$:
#
# $$\frac{\partial L}{\partial w}=0:\ w=\sum_i\alpha_iy_i\varphi(x_i),\qquad
# \frac{\partial L}{\partial b}=0:\ \sum_i\alpha_iy_i=0,\qquad
# \frac{\partial L}{\partial\xi_i}=0:\ \alpha_i+\mu_i=C. \tag{3}$$
#
# The third condition is new. Because $\mu_i\ge0$, it confines each $\alpha_i$ to a *box*, $0\le\alpha_i\le C$.
#
# <!-- slide
# ## The second multiplier bounds α by C
#
# **Step 3.** Two constraints for each point, so two multipliers, $\alpha_i\ge0$ and $\mu_i\ge0$:
#
# $$L=\tfrac12\|w\|^2+C\sum_i\xi_i-\sum_i\alpha_i\big(y_if(x_i)-1+\xi_i\big)-\sum_i\mu_i\xi_i$$
#
# Stationary in $w$, $b$ and $\xi$:
#
# $$w=\sum_i\alpha_iy_i\varphi(x_i),\qquad\sum_i\alpha_iy_i=0,\qquad\alpha_i+\mu_i=C \tag{3}$$
#
# The third is new: $0\le\alpha_i\le C$.
# -->

# %% [markdown] key="cases" slide="subslide"
# **Step 4.** A multiplier can be positive only if its constraint holds with equality. For the two kinds of
# constraint, with $\mu_i=C-\alpha_i$, this *complementary slackness* is
#
# $$\alpha_i\big(y_if(x_i)-1+\xi_i\big)=0,\qquad (C-\alpha_i)\,\xi_i=0. \tag{4}$$
#
# There are three cases:
#
# - $\alpha_i=0$. Then $\xi_i=0$ and $y_if(x_i)\ge1$. The point is outside the margin, or on it, and has no influence.
# - $0<\alpha_i<C$. Then $\xi_i=0$ and the first bracket is 0, so $y_if(x_i)=1$. The point is exactly on the margin
#   and is called a *free support vector*.
# - $\alpha_i=C$. The first bracket is 0, so $y_if(x_i)=1-\xi_i\le1$. The point is on the margin, inside it or beyond
#   the boundary, and is called a *bound support vector*.
#
# [The first condition](errata.ipynb#E47.-The-second-complementary-condition) of (4) alone is not enough. A point with
# $\alpha_i=0$, $y_if(x_i)=-2$ and $\xi_i=3$ satisfies it, although it is a mistake without influence.
#
# <!-- slide
# **Three cases say what α tells about a point**
#
# **Step 4.** Complementary slackness, with $\mu_i=C-\alpha_i$:
#
# $$\alpha_i\big(y_if(x_i)-1+\xi_i\big)=0,\qquad (C-\alpha_i)\,\xi_i=0 \tag{4}$$
#
# - $\alpha_i=0\ \Rightarrow\ y_if(x_i)\ge1$: no influence
# - $0<\alpha_i<C\ \Rightarrow\ y_if(x_i)=1$: a *free support vector*
# - $\alpha_i=C\ \Rightarrow\ y_if(x_i)\le1$: a *bound support vector*
#
# **Which absurd point would the first half of (4) alone allow?**
# -->

# %% [markdown] key="cases-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Derive the cases with the class, one student for each. Ask to which case a mistake belongs (the third), and whether
# every point of the third case is a mistake; expect yes, the answer is no. Then ask for a point that satisfies the
# first half of (4) and is absurd (α = 0, yf = −2, ξ = 3).
#
# </details>

# %% key="cases-verify" slide="skip"
C = 0.1  # the choice of most partitions in the comparison below
machine = SVC(Linear(), C=C, tol=1e-8).fit(X, y)  # the patients, a plane
alpha, yf = machine.multipliers_, y * machine.decision_function(X)
verify("α = 0: yf is at least 1", np.all(yf[alpha == 0] >= 1 - 1e-7))
verify("0 < α < C: yf is 1", yf[(alpha > 0) & (alpha < C)], 1.0, tol=1e-7)
verify("α = C: yf is at most 1", np.all(yf[alpha == C] <= 1 + 1e-7))

# %% [markdown] key="dual" slide="slide" tags=["hour"]
# ## The dual
#
# How do we find the $\alpha_i$? **Step 5.** Insert (3) into $L$. Each slack is multiplied by $C-\alpha_i-\mu_i=0$ and
# $b$ by $\sum_i\alpha_iy_i=0$, so all of them disappear. What is left is
#
# $$\max_\alpha\ D(\alpha)=\sum_i\alpha_i-\tfrac12\sum_{i,j}\alpha_i\alpha_jy_iy_jk(x_i,x_j)
# \quad\text{with}\quad0\le\alpha_i\le C,\ \ \sum_i\alpha_iy_i=0. \tag{5}$$
#
# It is chapter 5's dual with an upper bound $C$ on each $\alpha_i$. No point can have more weight than $C$, so no
# single patient can move the plane as at the beginning. Because $\varphi$ occurs in inner products only, $k$ can be any
# kernel:
#
# $$f(x)=\sum_i\alpha_iy_i\,k(x_i,x)+b. \tag{6}$$
#
# $D$ is quadratic and concave, and the constraints are linear, so this is a *quadratic program* in which every local
# maximum is a global one. There may be several optimal $\alpha$, but they all give the same $w$.
#
# <!-- slide
# ## The dual bounds the weight of every point by C
#
# **Step 5.** Insert (3) into $L$: the slacks and $b$ disappear.
#
# $$\max_{0\le\alpha_i\le C,\ \sum_i\alpha_iy_i=0}
# \ D(\alpha)=\sum_i\alpha_i-\tfrac12\sum_{i,j}\alpha_i\alpha_jy_iy_jk(x_i,x_j) \tag{5}$$
#
# $$f(x)=\sum_i\alpha_iy_i\,k(x_i,x)+b \tag{6}$$
#
# A *quadratic program*: $D$ is concave, so every local maximum is a global one.
# -->

# %% [markdown] key="dual-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Do the substitution on the board once; it is three cancellations. Ask which letter limits the one patient of the
# beginning (C, the upper bound), and which property of the kernel makes D concave (no negative eigenvalue).
#
# </details>

# %% [markdown] key="dual-words" slide="skip"
# *α in other books.* Some books write $f=b+\sum_i\alpha_ik(x,x_i)$ without $y_i$. Their $\alpha_i$ is our
# $\alpha_iy_i$, lies between $-C$ and $C$, and is what scikit-learn stores as `dual_coef_`. The vector
# $w=\sum_i\alpha_iy_i\varphi(x_i)$ lives in the feature space, so it is [not a
# number](errata.ipynb#E48.-A-vector-that-is-a-number) and is not computed. Its length follows from
# $\|w\|^2=\sum_{i,j}\alpha_i\alpha_jy_iy_jk(x_i,x_j)$.

# %% key="dual-verify" slide="skip"
K = np.round(Linear()(X), 9)  # rounded, so that SMO takes the same steps on every computer
D = alpha.sum() - 0.5 * (alpha * y) @ K @ (alpha * y)
verify("D(α) is the dual objective", D, machine.dual_objective_)
verify("(6) is the decision function", K @ (alpha * y) + machine.intercept_, y * yf)
verify("Σ αy is 0", alpha @ y, 0.0)

# %% [markdown] key="gap" slide="slide" tags=["hour"]
# ## The duality gap is an area
#
# How do you know that a solver has finished? **Step 6.** Take *any* $\alpha$ in the box with $\sum_i\alpha_iy_i=0$, the
# $w$ that belongs to it by (3), and any $b$. Subtract (5) from (2). Because
# $\|w\|^2=\sum_i\alpha_iy_i\big(f(x_i)-b\big)=\sum_i\alpha_iy_if(x_i)$,
#
# $$P-D=\|w\|^2+C\sum_i\xi_i-\sum_i\alpha_i=\sum_i\Big[\,C\xi_i-\alpha_i\big(1-y_if(x_i)\big)\Big].$$
#
# With $1-yf=(1-yf)_+-(yf-1)_+$ each bracket becomes a sum of two products:
#
# $$P-D=\sum_i\Big[\underbrace{(C-\alpha_i)\,(1-y_if(x_i))_+}_{y_if(x_i)<1,\ \alpha_i<C}
# +\underbrace{\alpha_i\,(y_if(x_i)-1)_+}_{y_if(x_i)>1,\ \alpha_i>0}\Big]. \tag{7}$$
#
# No product is negative, so $D\le P$. For any *other* plane $f'=\langle w',\varphi\rangle+b'$ the same calculation
# gives (7) with $f'$ in place of $f$, plus $\tfrac12\|w'-w\|^2$, because $\langle
# w',w\rangle=\sum_i\alpha_iy_if'(x_i)$. So $D$ is at most the objective of any plane. All products are 0 exactly if all
# points obey the three cases of step 4. Then $P=D$, and neither $\alpha$ nor the plane can be improved.
#
# Each product in (7) is the *area of a rectangle* in the diagram of $\alpha$ and $yf$.
#
# <!-- slide
# ## Each point adds one rectangle to the duality gap
#
# **Step 6.** Any $\alpha$ in the box with $\sum_i\alpha_iy_i=0$, its $w$, any $b$. Subtract (5) from (2):
#
# $$P-D=\sum_i\Big[\underbrace{(C-\alpha_i)\,(1-y_if(x_i))_+}_{y_if(x_i)<1,\ \alpha_i<C}
# +\underbrace{\alpha_i\,(y_if(x_i)-1)_+}_{y_if(x_i)>1,\ \alpha_i>0}\Big] \tag{7}$$
#
# No product is negative. For another plane put $f'$ into (7) and add $\tfrac12\|w'-w\|^2$: $D$ is at most the
# objective of any plane.
# -->

# %% [markdown] key="gap-predict" slide="fragment"
# **Predict first.** Draw that diagram, with $\alpha$ to the right from 0 to $C$ and $yf$ upwards. On which lines do
# all points lie when training has *finished*?

# %% [markdown] key="gap-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Let everyone draw the plane. Expect the line yf = 1 alone; the vertical edges are forgotten. Then put a point off the
# lines and ask for its rectangle.
#
# </details>

# %% key="gap-picture" slide="subslide" hide="input"
fig, ax = plt.subplots(figsize=(6.2, 4.2))
staircase(ax, -1.0, 3.0)
ax.lines[0].set(linewidth=2.5, zorder=3)
ax.fill_between([0.35, 1], 0.1, 1, facecolor="#f4d9c6", edgecolor="#D55E00", linewidth=1.2)
ax.plot([0.35], [0.1], "o", color="black", markersize=8, clip_on=False)
ax.set(xlabel="α", ylabel="y f(x)", xlim=(-0.15, 1.35))
ax.set_xticks([0, 1], ["0", "C"])
ax.set_yticks([-1, 0, 1, 2, 3])
for text, at in (
    ("α = 0:\noutside the margin", (0.03, 2.1)),
    ("free: on the margin", (0.36, 1.12)),
    ("α = C:\nat most 1", (1.03, -0.35)),
    ("area\n(C - α)(1 - y f)", (0.675, 0.35)),
):
    middle = text.startswith("area")
    ax.text(*at, text, fontsize=10, ha="center" if middle else "left")
show(
    fig,
    alt="The diagram of α, from 0 to C, and y f with a staircase: down the left edge α = 0 to "
    "y f = 1, to the right along y f = 1, down the right edge α = C. One point lies off it, at "
    "α = 0.35 C and y f = 0.1. A shaded rectangle reaches from it up to 1 and right to C; its "
    "area is (C - α)(1 - y f).",
    answer="The staircase",
)

# %% [markdown] key="gap-reading"
# <details><summary><b>How to read the staircase</b> (open this once you have drawn your lines)</summary>
#
# The three cases of step 4 form a *staircase* of one step, which goes down the left edge, along the line $yf=1$, and
# down the right edge. A point off the staircase spans a rectangle, to the corner $(C,1)$ if the point is below the
# line $yf=1$ and to the corner $(0,1)$ if it is above. The area is the term of this point in (7), so the sum of all
# areas is the duality gap.
#
# </details>
#
# <!-- slide
# **When training has finished, all points are on a staircase**
#
# A point off the staircase spans a rectangle. **The sum of the areas is the duality gap.**
# -->

# %% [markdown] key="gap-picture-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Copy the staircase to the board and leave it there. Ask for the rectangle of a point above the step, at α = C/2 and
# yf = 2: it reaches down to 1 and left to 0.
#
# </details>


# %% key="gap-verify" slide="skip"
def gap_areas(alpha, yf, C):
    below, above = np.maximum(0, 1 - yf), np.maximum(0, yf - 1)
    return (C - alpha) * below + alpha * above


verify("after training the gap is nearly 0", gap_areas(alpha, yf, C).sum() < 1e-3)

# %% key="gap-verify-2" slide="skip" hide="input"
sums = K @ (alpha * y)
verify("kernel values in place of φ: another number for each point", np.ptp(sums) > 2)
verify("... namely f - b", sums, machine.decision_function(X) - machine.intercept_)
verify("‖w‖²", machine.norm2_, (alpha * y) @ K @ (alpha * y))
ends = machine.dual_coef_.min(), machine.dual_coef_.max()
verify("signed coefficients go from -C to C", ends == (-C, C))
rng = np.random.default_rng(0)
any_alpha = rng.uniform(0, C, len(y))
any_alpha[y == 1] *= any_alpha[y == -1].sum() / any_alpha[y == 1].sum() / 2
any_alpha[y == -1] /= 2  # now Σ αy = 0, and all are in the box
any_f = K @ (any_alpha * y) + 0.3  # any b
w2 = (any_alpha * y) @ K @ (any_alpha * y)
P = 0.5 * w2 + C * np.maximum(0, 1 - y * any_f).sum()
verify(
    "(7) holds for an α drawn at random",
    gap_areas(any_alpha, y * any_f, C).sum(),
    P - (any_alpha.sum() - 0.5 * w2),
    tol=1e-9,
)
other = rng.normal(size=len(y)) / len(y)  # a plane that has nothing to do with α
f_other = K @ other - 0.7
P_other = 0.5 * other @ K @ other + C * np.maximum(0, 1 - y * f_other).sum()
apart = other - any_alpha * y
verify(
    "... and for another plane, with half of its squared distance",
    gap_areas(any_alpha, y * f_other, C).sum() + 0.5 * apart @ K @ apart,
    P_other - (any_alpha.sum() - 0.5 * w2),
    tol=1e-9,
)

# %% [markdown] key="pairs" slide="slide"
# ## SMO: two multipliers at a time
#
# Now solve (5), which means closing the gap. One $\alpha_i$ alone cannot move, because $\sum_i\alpha_iy_i=0$ holds it,
# but two can. The algorithm *sequential minimal optimisation*, SMO, chooses a pair, makes the best step that this
# pair allows, and chooses another pair.
#
# **Step 7.** Raise $y_i\alpha_i$ by $t$ and lower $y_j\alpha_j$ by $t$, so that the sum does not change. Let $f$
# stand for the function without $b$. Then $D$ becomes a parabola in $t$:
#
# $$D(t)=D(0)+t\,\underbrace{\big[(y_i-f(x_i))-(y_j-f(x_j))\big]}_{g}
# -\tfrac12t^2\,\underbrace{\big(k_{ii}+k_{jj}-2k_{ij}\big)}_{\eta}. \tag{8}$$
#
# Here $\eta=\|\varphi(x_i)-\varphi(x_j)\|^2\ge0$, and the bias cancels in $g$. If $\eta>0$, the maximum is at
# $t=g/\eta$, where $D$ has gained $g^2/(2\eta)$. But neither $\alpha$ may leave the box, so $t$ is *clipped* at the
# first bound.
#
# Which pair? Here it is the pair with the largest *slope* $g$ among those that may move. Suppose that no pair has a
# positive slope. Then some $b$ separates the values $y_i-f(x_i)$ of the points whose $y_i\alpha_i$ may still rise
# from those of the points whose $y_i\alpha_i$ may still fall. With this $b$ all points are on the staircase, and the
# gap is closed. At a maximum of $D$ no pair has a positive slope, so there $P=D$.
#
# <!-- slide
# ## One multiplier alone cannot move, but two can
#
# The algorithm *sequential minimal optimisation*, SMO. **Step 7.** Raise $y_i\alpha_i$ by $t$, lower $y_j\alpha_j$ by
# $t$. With $f$ without its bias:
#
# $$D(t)=D(0)+t\,\underbrace{\big[(y_i-f(x_i))-(y_j-f(x_j))\big]}_{g}
# -\tfrac12t^2\,\underbrace{\big(k_{ii}+k_{jj}-2k_{ij}\big)}_{\eta} \tag{8}$$
#
# The maximum is at $t=g/\eta$, *clipped* at the first bound of the box. Take the pair with the largest *slope* $g$
# among those that may move. If none has $g>0$, all points are on the staircase.
# -->

# %% [markdown] key="pairs-first-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Derive (8) with the class. Ask by how much f changes at x_i (t times k_ii − k_ij), and what η is when two points have
# the same x (0, so the step goes to the bound).
#
# </details>


# %% key="pairs-code" slide="subslide"
def best_step(K, y, alpha, f, C, i, j):
    """The maximum of the parabola (8), and the step that the box allows."""
    slope = (y[i] - f[i]) - (y[j] - f[j])
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    top = slope / max(eta, 1e-12)  # the same point twice: no maximum, go to the bound
    room_i = C - alpha[i] if y[i] > 0 else alpha[i]  # how far y_i α_i may rise
    room_j = alpha[j] if y[j] > 0 else C - alpha[j]  # ... and y_j α_j may fall
    return top, min(top, room_i, room_j)


# %% [markdown] key="by-hand" slide="subslide"
# With pencil and paper, take the four points $0,1,2,3$ with labels $-,-,+,+$, $k(x,z)=xz$ and $C=\frac12$. Three
# pairs give three kinds of step:
#
# - The pair $2,0$ has $g=1-(-1)=2$ and $\eta=4$. The maximum at $t=\frac12$ is just at the bound, so both $\alpha$
#   become $\frac12$, and $f(x)=x$.
# - The pair $0,1$ has $g=-1-(-1-1)=1$ and $\eta=1$. The maximum at $t=1$ is *clipped* at $\frac12$, so the first
#   $\alpha$ goes back to $0$, the second up to $\frac12$, and $f(x)=\frac12x$.
# - The pair $3,0$ has $g=(1-\frac32)-(-1)=\frac12$ and $\eta=9$. The maximum at $t=\frac1{18}$ is *inside*.
#
# <!-- slide
# **Three pairs give three kinds of step**
#
# The points $0,1,2,3$ with $-,-,+,+$, $k(x,z)=xz$, $C=\frac12$. For each pair: $g$, $\eta$, the maximum, the step,
# $f$.
#
# - the pair $2,0$
# - the pair $0,1$
# - the pair $3,0$
# -->

# %% [markdown] key="by-hand-answer" slide="fragment"
# Now no pair has a positive slope, and $\alpha=\big(\frac1{18},\frac12,\frac12,\frac1{18}\big)$, $w=\frac23$,
# $D=\frac89$.
#
# <!-- slide
# - $g=2$, $\eta=4$, maximum $\frac12$, just at the bound: $f(x)=x$
# - $g=1$, $\eta=1$, maximum 1, **clipped** at $\frac12$: $f(x)=\frac12x$
# - $g=\frac12$, $\eta=9$, maximum $\frac1{18}$, **inside**: $w=\frac23$, $D=\frac89$
# -->

# %% [markdown] key="pairs-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Do the three steps with the class, one student for each. Ask before the second: why does the α of the first point,
# which has just been raised, go back to 0? (Because the point at 1 is closer to the other class, and D gains by moving
# the weight there.)
#
# </details>

# %% key="by-hand-table" slide="skip" hide="input"
K4, alpha4, f4 = four @ four.T, np.zeros(4), np.zeros(4)
steps = []
for i, j in ((2, 0), (0, 1), (3, 0)):
    top, t = best_step(K4, signs, alpha4, f4, 0.5, i, j)
    alpha4[i] += signs[i] * t
    alpha4[j] -= signs[j] * t
    f4 += t * (K4[i] - K4[j])
    D4 = alpha4.sum() - 0.5 * (alpha4 * signs) @ K4 @ (alpha4 * signs)
    steps.append((f"{i}, {j}", top, t, tuple(alpha4), D4))
afterwards = "{:.4f}, {:.4f}, {:.4f}, {:.4f}"
table(
    "Three steps of SMO on four points",
    {"pair": "", "maximum": ".4f", "step": ".4f", "α after the step": afterwards, "dual": ".4f"},
    steps,
)

# %% [markdown] key="smo" slide="slide"
# ## SMO in thirty lines


# %% key="smo-code" slide="fragment"
def smo(K, y, C, tol=1e-3, most=100_000):
    """Solve the dual (5) by pairs; return α, b and the number of steps."""
    alpha, f = np.zeros(len(y)), np.zeros(len(y))  # f without its bias
    for step in range(most + 1):
        rise = np.where(y > 0, alpha < C, alpha > 0)  # whose y α may rise ...
        fall = np.where(y > 0, alpha > 0, alpha < C)  # ... and fall
        slope = y - f
        i = np.argmax(np.where(rise, slope, -np.inf))
        j = np.argmin(np.where(fall, slope, np.inf))
        if slope[i] - slope[j] <= tol or step == most:  # no pair can raise D
            break
        _, t = best_step(K, y, alpha, f, C, i, j)
        alpha[i] += y[i] * t
        alpha[j] -= y[j] * t
        f += t * (K[i] - K[j])
    return alpha, (slope[i] + slope[j]) / 2, step


alpha_smo, b_smo, steps = smo(K, y, C, tol=1e-6)

# %% [markdown] key="smo-reading" slide="fragment"
# Together with `best_step` this is the whole algorithm. Keerthi and Gilbert proved that it ends for every positive
# tolerance.
#
# <!-- slide
# With `best_step` this is all: a few hundred steps for the 569 patients.
# -->

# %% [markdown] key="player-predict" slide="subslide"
# **Predict first.** The figure shows SMO step by step on ten points with $C=0.2$. In the middle you see the box, the
# line on which the pair may move, the maximum of the parabola (a cross) and the end of the step (a dot).
#
# 1. Which pair raises the dual most in the first step? Are its points near or distant, and of one class or of two?
#    Does the rule of the largest slope select this pair?
# 2. Along which line in the box do two multipliers move if their points are of *one* class, and if they are of two?
# 3. Does the dual ever fall? Does the primal?
#
# <!-- slide
# **Ten points, C = 0.2: which pair gains most?**
#
# **Predict first.**
#
# 1. Near neighbours or points far apart, of one class or of two? Does the largest slope find this pair?
# 2. On which kind of line does a pair of *one* class move, and a pair of two?
# 3. Does the dual ever fall? Does the primal?
# -->

# %% [markdown] key="player-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Ask for the gain of the first step from (8), with g = 2 for all pairs of two classes: which η is best? Expect "far
# apart". Let them vote whether the cross will lie outside the box. Stop at the step in which the primal rises.
#
# </details>

# %% key="player-figure" hide="input"
ten = np.array([[0.8, 1.2], [1.6, 0.5], [1.3, 2.6], [2.6, 1.5], [4.3, 3.1], [3.1, 3.4], [4.4, 1.9]])
ten = np.vstack([ten, [[5.2, 3.9], [2.2, 4.3], [1.9, 1.9]]])
ten_y = np.array([-1, -1, -1, -1, -1, 1, 1, 1, 1, 1])


def play(X, y, C, choose, tol=1e-3, most=60):
    """SMO in the plane, with everything that the player shows."""
    K, alpha, f = X @ X.T, np.zeros(len(y)), np.zeros(len(y))
    states, moved = [], {}
    while True:
        rise = np.where(y > 0, alpha < C, alpha > 0)
        fall = np.where(y > 0, alpha > 0, alpha < C)
        slope = y - f
        i = int(np.argmax(np.where(rise, slope, -np.inf)))
        j = int(np.argmin(np.where(fall, slope, np.inf)))
        b, w2 = (slope[i] + slope[j]) / 2, (alpha * y) @ f
        state = {
            "alpha": alpha.copy(),
            "w": X.T @ (alpha * y),
            "b": b,
            "dual": alpha.sum() - w2 / 2,
            "primal": w2 / 2 + C * np.maximum(0, 1 - y * (f + b)).sum(),
        }
        states.append(state | moved)
        if slope[i] - slope[j] <= tol or len(states) > most:
            return states
        if choose == "second order":  # of all j the one with the highest parabola
            g, eta = slope[i] - slope, K[i, i] + np.diag(K) - 2 * K[i]
            j = int(np.argmax(np.where(fall & (g > 0), g**2 / np.maximum(eta, 1e-12), -1.0)))
        top, t = best_step(K, y, alpha, f, C, i, j)
        before = alpha[[i, j]]
        change = np.array([y[i], -y[j]])
        moved = {"pair": (i, j), "before": before, "free": before + top * change}
        alpha[[i, j]] = np.clip(np.round(before + t * change, 14), 0, C)
        moved["after"] = alpha[[i, j]]
        f = K @ (alpha * y)


rules = ("largest slope", "second order")
plays = {rule: play(ten, ten_y, 0.2, rule) for rule in rules}
player = smo_explorer(ten, ten_y, 0.2, plays)

# %% [markdown] key="player-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# At the start $f=0$, so every pair of two classes has the same slope $g$, and a pair of one class has slope 0. A step
# $t$ gains $tg-\frac12\eta t^2$, so near neighbours of two classes gain most. The largest slope ignores $\eta$. The
# rule *second order*, used by LIBSVM inside scikit-learn, takes the $i$ with the largest $y_i-f(x_i)$ and then the $j$
# with $g>0$ and the largest $g^2/\eta$, both among those that may move.
#
# The multipliers of two points of different classes move on a rising line, because $\sum_i\alpha_iy_i$ must stay 0, and
# those of one class on a falling line. The dual rises at every step, but the primal need not fall. Here it rises in the second step.
#
# </details>
#
# <!-- slide
# <details><summary><b>What just happened</b></summary>
#
# 1. All pairs of two classes have the *slope* 2. The **gain** $tg-\frac12\eta t^2$ is largest for near neighbours.
#    *Second order* takes the largest $g^2/\eta$.
# 2. One class moves on a falling line, two classes on a rising one, since $\sum_i\alpha_iy_i$ must stay.
# 3. **The dual rises at every step. The primal need not fall:** here it rises from 1.41 to 1.80.
#
# </details>
# -->

# %% key="player-verify" slide="skip" hide="input"
verify("three steps reach α", alpha4, [1 / 18, 0.5, 0.5, 1 / 18])
verify("the course's solver agrees", program.multipliers_, alpha4, tol=1e-9)
verify("w is ⅔", (four.T @ (alpha4 * signs))[0], 2 / 3)
verify("D is 8/9, and so is P", program.primal_objective_, 8 / 9, tol=1e-9)
D_smo = alpha_smo.sum() - 0.5 * (alpha_smo * y) @ K @ (alpha_smo * y)
verify("patients: the same dual objective", D_smo, machine.dual_objective_, tol=1e-6)
verify("... bias", b_smo, machine.intercept_, tol=1e-5)
verify("... support vectors", np.array_equal(np.flatnonzero(alpha_smo > 0), machine.support_))
verify("... bound support vectors", np.array_equal(np.isclose(alpha_smo, C), alpha == C))
verify("a few hundred steps", 300 < steps < 1000)
greedy, second = (plays[rule] for rule in rules)
gained, near = {}, {}
for i, j in ((i, j) for i in range(5, 10) for j in range(5)):  # α = 0, pairs of two classes
    _, way = best_step(ten @ ten.T, ten_y, np.zeros(10), np.zeros(10), 0.2, i, j)
    near[i, j] = np.sum((ten[i] - ten[j]) ** 2)
    gained[i, j] = 2 * way - 0.5 * way**2 * near[i, j]
verify("the nearest pair gains most", max(gained, key=gained.get) == min(near, key=near.get))
verify("the first pair by slope is not this one", greedy[1]["dual"] < max(gained.values()) - 0.1)
verify("the dual never falls", all(np.diff([s["dual"] for s in greedy]) > -1e-12))
verify("the primal before the second step", greedy[1]["primal"], "1.41")
verify("... and after it", greedy[2]["primal"], "1.80")
verify("both rules end at the same dual", second[-1]["dual"], greedy[-1]["dual"], tol=1e-3)

# %% [markdown] key="stop" slide="slide"
# ## When to stop: the gap as a bound
#
# When would you stop? When the training errors no longer fall? When $\alpha$ hardly moves? After a number of steps that
# was enough last time?
#
# <!-- slide
# ## When would you stop?
#
# - when the training errors no longer fall?
# - when $\alpha$ hardly moves?
# - after a number of steps that was enough last time?
# -->

# %% [markdown] key="stop-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Collect stopping rules, and ask of each what it guarantees. Only the gap bounds how much better the optimum can be.
#
# </details>

# %% key="stop-picture" slide="subslide" hide="input"
progress = {}
for most in (*range(1, 100), *range(100, 260, 10)):
    a, b, _ = smo(K, y, C, tol=1e-6, most=most)
    values = y * (K @ (a * y) + b)
    low = a.sum() - 0.5 * (a * y) @ K @ (a * y)
    progress[most] = np.sum(values <= 0), low, low + gap_areas(a, values, C).sum()
at = np.array(list(progress))
wrong, low, high = np.array(list(progress.values())).T
fig, (left, right) = plt.subplots(1, 2, figsize=(9.2, 3.6))
left.plot(at, wrong, color="black", linewidth=1.2)
left.set(xlabel="steps of SMO", ylabel="training errors, of 569", xlim=(0, 250), ylim=(0, 150))
arrow = {"arrowstyle": "->"}
left.annotate("12 to 92 in one step", (58, 92), xytext=(90, 110), fontsize=10, arrowprops=arrow)
right.plot(at, high, **cycle(1), label="primal")
right.plot(at, low, **cycle(0), label="dual")
right.fill_between(at, low, high, color="#dddddd")
right.set(xlabel="steps of SMO", ylabel="objective", xlim=(0, 250), ylim=(0, 20))
right.legend(loc="upper right")
show(
    fig,
    alt="Two panels against the steps of SMO on the patients. Left, the training errors jump up "
    "and down, once from 12 to 92 in one step, and end near 10. Right, the "
    "primal falls with jumps, the dual rises smoothly, and the shaded gap between them closes.",
)

# %% [markdown] key="stop-reading"
# The training errors jump, and neither a small change of $\alpha$ nor a number of steps guarantees anything. The gap
# does. The optimal value lies between the dual and the primal, so neither is further from it than the gap, and
# computing the gap costs one sum over the points. The course's `SVC` reports both as `dual_objective_` and
# `primal_objective_`.
#
# <!-- slide
# **Training errors jump, but the gap is a bound**
#
# In one step the errors rise from 12 to 92. The optimal value always lies between dual and primal.
# -->

# %% [markdown] key="bias" slide="slide"
# ## The bias: one value or an interval
#
# SMO returned $b$ as the midpoint of two values $y_i-f(x_i)$, with $f$ without its bias. When is $b$ unique? If $x_i$
# is a free support vector, then $y_if(x_i)=1$, so $b=y_i-\sum_j\alpha_jy_jk(x_j,x_i)$, and all free support vectors
# agree.
#
# If no support vector is free, an interval of values can be optimal. With $C=0.1$ our four points all have
# $\alpha_i=C$.
#
# <!-- slide
# ## A free support vector determines the bias
#
# $$b=y_i-\sum_j\alpha_jy_jk(x_j,x_i)$$
#
# Four points, $C=0.1$: all are bound. **Which $b$ are optimal?**
# -->

# %% [markdown] key="bias-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Put the four points on the board, slide a pencil as the boundary, and let them add up the slacks: what one class
# gains, the other loses.
#
# </details>

# %% key="bias-picture" slide="subslide" hide="input"
bs = np.linspace(-2.2, 0.8, 301)
fig, axes = plt.subplots(1, 2, figsize=(9, 3.1))
for ax, c in zip(axes, (0.1, 0.5), strict=True):
    m = SVC(Linear(), C=c, tol=1e-10).fit(four, signs)
    w = four.T @ m.dual_coef_
    ax.plot(bs, [primal(w, b, four, signs, c) for b in bs], **cycle(0))
    low, high = m.bias_interval_
    ax.plot(
        [low, high],
        [m.primal_objective_] * 2,
        color="#c0392b",
        linewidth=5,
        solid_capstyle="butt",
        marker="|",
        markersize=14,
    )
    ax.set(
        xlabel="b",
        ylabel="primal objective",
        title=f"C = {c:g}: {'four bound' if c == 0.1 else 'two free, two bound'}",
    )
show(
    fig,
    alt="The objective against b for the best w. Left, C = 0.1: a valley with a flat floor from "
    "-1 to -0.2. Right, C = 0.5: a valley with one lowest point, at -1.",
)
one_b, many_b = (SVC(Linear(), C=c, tol=1e-10).fit(four, signs) for c in (0.5, 0.1))

# %% [markdown] key="bias-reading"
# Every $b$ from $-1$ to $-0.2$ has the same objective. Both classes have equally many points with slack, so moving
# the boundary leaves the total slack unchanged. `bias_interval_` reports the interval, and `intercept_` is its
# middle, as in scikit-learn.
#
# <!-- slide
# **Without a free support vector, an interval of biases can be optimal**
#
# Every $b$ from $-1$ to $-0.2$ has the same objective.
# -->

# %% key="bias-verify" slide="skip" hide="input"
verify("training errors after 57 and 58 steps", [progress[57][0], progress[58][0]], [12, 92])
best = machine.dual_objective_
verify("the optimum is always between", all(a < best < b for _, a, b in progress.values()))
verify("C = 0.1: the interval", many_b.bias_interval_, (-1.0, -0.2))
verify("all α are 0.1", many_b.multipliers_, 0.1)
for b in (-1.0, -0.6, -0.2):
    there = primal(four.T @ many_b.dual_coef_, b, four, signs, 0.1)
    verify(f"b = {b:g}: the same objective", there, 0.32)
verify("the middle is reported", many_b.intercept_, -0.6)
verify("scikit-learn's, too", SkSVC(kernel="linear", C=0.1).fit(four, signs).intercept_[0], -0.6)
verify("C = 0.5: one b", one_b.bias_interval_, (-1.0, -1.0), tol=1e-8)
two = SVC(Linear(), C=5.0, tol=1e-10).fit(four, signs)
values = four[:, 0] * (four.T @ two.dual_coef_)[0]
negative = two.support_[0]
verify("1 in place of y: wrong by 2", (1 - values[negative]) - two.intercept_, 2.0)

# %% [markdown] key="kernels" slide="slide" tags=["hour"]
# ## Kernels: what C and σ do
#
# What if a plane is not enough? A *support vector machine*, SVM, is the soft margin with a kernel in (5) and (6). The
# Gaussian kernel has a width, so there are two numbers to choose, $C$ and $\sigma$. The choice of the kernel comes
# first, because it decides what $f$ can be. The polynomial $(u\,x^\top z+v)^p$ is a kernel for $u,v\ge0$ and
# $p=1,2,\dots$ For $u,v>0$ a higher degree makes it more flexible, and so does a smaller $\sigma$ of a Gaussian kernel.
#
# Ripley's two classes of chapter 1 overlap, and even the Bayes rule gets 80 of the 1000 test points wrong.
#
# <!-- slide
# ## With a Gaussian kernel, C and σ must be chosen
#
# - smaller $\sigma$, or a higher degree of a polynomial kernel: more flexible
# - Ripley's two classes overlap: even the Bayes rule gets 80 of 1000 test points wrong
# -->

# %% [markdown] key="machine-predict" slide="subslide"
# **Predict first.** On the right is the diagram of $\alpha$ and $yf$. Free support vectors have rings, bound ones
# squares. At the start $C=1$ and $\sigma=0.5$.
#
# 1. Make $C$ a hundred times larger. Does the margin become larger or smaller? Are there more support vectors, or
#    fewer?
# 2. Make $\sigma$ five times smaller. What happens to the decision boundary, and to the counts?
# 3. Can you find a setting with almost no bound support vector? Would you want it?
#
# <!-- slide
# **What do a larger C and a smaller σ change?**
#
# **Predict first.** At the start $C=1$ and $\sigma=0.5$.
#
# 1. $C$ a hundred times larger: is the margin larger or smaller? More support vectors, or fewer?
# 2. $\sigma$ five times smaller: what happens to the decision boundary, and to the counts?
# 3. Is there a setting with almost no bound support vector? Would you want it?
# -->

# %% [markdown] key="machine-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask whether a large C is more regularisation or less; expect "more". Point at the right panel: the points move along
# the staircase.
#
# </details>


# %% key="machine-figure" hide="input"
ripley, ripley_test = load_synth(), load_synth("test")
R_y, test_y = np.where(ripley.y == 1, 1, -1), np.where(ripley_test.y == 1, 1, -1)


def ripley_machine(C, sigma):
    return SVC(Gaussian(sigma), C=C, tol=1e-4).fit(ripley.X, R_y)


turned = machine_explorer(ripley.X, R_y, ripley_machine)

# %% [markdown] key="machine-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# From $C=1$ to $C=100$ the margin in feature space becomes smaller, and the number of support vectors *falls*, from 102
# to 73. With a larger $C$ fewer points have slack here, and every point with slack is a support vector.
#
# The narrow Gaussian kernel bends the boundary around single points. There are more support vectors, over half of them
# free. With $C=10\,000$ as well, nearly all of them are free, and only two training points are wrong. But of the test
# points this classifier gets 174 wrong, and the one at the start 92. **Few bound support vectors do not make a better
# classifier.**
#
# </details>
#
# <!-- slide
# <details><summary><b>What just happened</b></summary>
#
# 1. A smaller margin, and *fewer* support vectors: 102 become 73. Every point with slack is a support vector.
# 2. The boundary bends around single points; over half of the support vectors are free.
# 3. Almost none at $C=10\,000$ and $\sigma=0.1$. But 174 of 1000 test points are wrong, instead of 92.
#
# **Few bound support vectors do not make a better classifier.**
#
# </details>
# -->

# %% [markdown] key="decide" slide="slide" tags=["hour"]
# ## Support vectors: which patients decide?
#
# The doctor first asked which patients decide. In the plane with $C=0.1$, 60 of the 569 patients have $\alpha_i>0$,
# 49 of them at the bound. The other patients have no influence, and if you train again without them, $f$ is the same
# function. Models whose sum (6) runs over a part of the data are called *sparse*.
#
# Sparsity comes with a bound. Leave out a patient with $\alpha_i=0$. The other multipliers still satisfy all
# conditions, so $w$ stays, and $b$ stays as well if there is a free support vector, as here. Since $y_if(x_i)\ge1$,
# the patient is classified correctly. So leave-one-out can only make mistakes on support vectors:
#
# $$\frac{\text{leave-one-out errors}}n\ \le\ \frac{\text{support vectors}}n. \tag{9}$$
#
# The bound is loose. Only 13 of the 60 support vectors are misclassified when left out.
#
# <!-- slide
# ## How many of the 569 patients does f need?
#
# - Take away a patient with $\alpha_i=0$, and train again. What changes?
# - Leave out one patient after the other. On which of them can the prediction be wrong?
# -->

# %% [markdown] key="decide-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Collect a number first. Then let them find the proof of (9); the hint "what happens if a point with α = 0 is left
# out?" is enough.
#
# </details>

# %% [markdown] key="decide-answer" slide="subslide"
# Where do these patients lie relative to the margin?
#
# <!-- slide
# **60 patients decide, and leave-one-out fails only on them**
#
# 60 of 569 have $\alpha_i>0$, 49 of them at the bound. Without the other 509 $f$ is the same: it is *sparse*.
#
# $$\frac{\text{leave-one-out errors}}n\ \le\ \frac{\text{support vectors}}n \tag{9}$$
#
# A loose bound: here 13 against 60.
# -->

# %% key="decide-picture" slide="subslide" hide="input"
sv, bound, free = machine.support_, alpha == machine.C, (alpha > 0) & (alpha < machine.C)
fig, ax = plt.subplots(figsize=(8.2, 4.2))
values = machine.decision_function(X)
for label, marker, fill in ((-1, "o", "white"), (1, "^", "black")):
    mine = y == label
    ax.plot(
        np.clip(values[mine], -4, 4),
        alpha[mine] / 0.1 + 0.02 * np.clip(jitter[mine] * 3, -1, 1),
        marker,
        color="black",
        markersize=5,
        markerfacecolor=fill,
        markeredgewidth=0.7,
        label="malignant" if label > 0 else "benign",
    )
for at, style in ((-1, "--"), (0, "-"), (1, "--")):
    ax.axvline(at, color="#777777", linestyle=style, linewidth=1.2)
lone = np.argmin(y * values)
ax.annotate(
    "beyond the other margin line:\nmistakes, and support vectors",
    (values[lone], 1),
    xytext=(-3.9, 0.62),
    fontsize=10,
    arrowprops={"arrowstyle": "->"},
)
ax.set(xlabel="f(x), cut at ±4", ylabel="α / C", ylim=(-0.06, 1.08))
ax.legend(loc="center right")
show(
    fig,
    alt="α / C of each patient against f. Outside the dashed lines at -1 and 1 it is 0, on them "
    "anything between 0 and 1, between them 1, for both classes. Two malignant patients lie "
    "beyond -1, on the wrong side, with α = C.",
)

# %% [markdown] key="decide-reading"
# The doubtful patients decide. Of those at the bound 8 are mistakes, and the others are inside the margin but on the
# right side. Two of the mistakes lie beyond the *other* margin line, where the rule $|f|\le1$ misses them. The
# condition is $y_if(x_i)\le1$. Between $C=0.01$ and $C=100$ the number of support vectors falls to about a quarter.
#
# <!-- slide
# **The doubtful patients decide, not only those near the boundary**
#
# 41 of the 49 at the bound are right, 8 are mistakes. “$|f|\le1$” misses two; the condition is $yf\le1$.
# -->

# %% key="decide-reading-verify" slide="skip" hide="input"
calm, strict = (ripley_machine(C, 10 ** (-3 / 10)) for C in (1.0, 100.0))
narrow, wild = ripley_machine(1.0, 0.1), ripley_machine(1e4, 0.1)
labels = np.where(np.random.default_rng(0).random(60) < 0.5, 1, -1)  # there is nothing to learn
by_width = [SVC(Gaussian(s), C=1e3).fit(ripley.X[::4][:60], labels) for s in (0.05, 0.5, 5.0)]
by_degree = [SVC(Polynomial(degree=p), C=1e3).fit(ripley.X[::4][:60], labels) for p in (1, 3, 9)]
can = [m.score(ripley.X[::4][:60], labels) for m in (*by_width, *by_degree)]
verify("narrower Gaussians learn more random labels", can[0] == 1 > can[1] > can[2])
verify("... and so do higher degrees", can[3] < can[4] < can[5])
spread = np.random.default_rng(0).standard_normal((6, 2))
for u, v, p in ((1, -1, 1), (1, -1, 2), (-1, 1, 1)):
    smallest = np.linalg.eigvalsh((u * spread @ spread.T + v) ** p)[0]
    verify(f"({u} xᵀz + {v}) to the power {p} is not a kernel", smallest < -0.1)
verify("C = 100: a smaller margin than C = 1", strict.norm2_ > calm.norm2_)
verify("... and fewer points with slack", np.sum(strict.slacks_ > 0) < np.sum(calm.slacks_ > 0))
verify("C = 1: support vectors", len(calm.support_), "102")
verify("C = 100: support vectors", len(strict.support_), "73")
verify("σ = 0.1: more support vectors", len(narrow.support_) > 102)
halves = np.sum(narrow.multipliers_[narrow.support_] < 1), len(narrow.support_) / 2
verify("... over half of them free", halves[0] > halves[1])
verify("C = 10 000, σ = 0.1: all but a few are free", np.sum(wild.multipliers_ == 1e4) < 6)
verify("... and wrong in training", np.sum(wild.predict(ripley.X) != R_y) == 2)
for m, count in ((wild, "174"), (calm, "92")):
    verify("wrong on the test points", np.sum(m.predict(ripley_test.X) != test_y), count)
verify("60 support vectors", len(sv) == 60)
verify("49 at the bound, and not on the margin", np.sum(bound & (yf < 1 - 1e-6)), "49")
verify("11 free", free.sum() == 11)
verify("509 without influence", np.sum(alpha == 0) == 509)
again = SVC(Linear(), C=0.1, tol=1e-8).fit(X[sv], y[sv])
verify("without them the same f", again.decision_function(X), values, tol=1e-6)


def left_out(i):
    rest = np.delete(np.arange(569), i)
    model = SkSVC(kernel="linear", C=0.1).fit(X[rest], y[rest])
    return model.predict(X[i : i + 1])[0] != y[i]


verify("leave-one-out errors among the support vectors", sum(map(left_out, sv)), "13")
others = np.flatnonzero(alpha == 0)[::10]
verify("and none among others (every tenth was tried)", not any(map(left_out, others)))
verify("at the bound and right", np.sum(bound & (yf > 0)), "41")
verify("mistakes, all at the bound", np.sum(bound & (yf < 0)) == 8 == np.sum(yf < 0))
verify("beyond the other margin line are two, both malignant", np.all(y[yf < -1] == [1, 1]))
verify("|f| ≤ 1 misses these of the 60", np.sum(np.abs(values[sv]) > 1 + 1e-6) == 2)
verify("yf ≤ 1 misses none", np.sum(yf[sv] > 1 + 1e-6) == 0)
for c, count in ((0.01, "118"), (100.0, "31")):
    held = SVC(Linear(), C=c, tol=1e-8).fit(X, y).multipliers_
    verify(f"C = {c:g}: support vectors", np.sum(held > 0), count)

# %% [markdown] key="honest" slide="slide"
# ## Soft margin, Gaussian kernel or logistic regression?
#
# Is the soft margin better than the plane without a mistake? And is a Gaussian kernel better than a plane? We compare
# the methods on held-out patients, with five folds and twenty random partitions. Inside the training folds each method
# selects among eight settings of its own by the same rule (the hard margin and discriminant analysis have none). Three
# simple methods take part, logistic regression, linear discriminant analysis and nearest neighbours.
#
# <!-- slide
# ## Which of six classifiers makes the fewest errors?
#
# - hard margin, soft margin with a plane, soft margin with a Gaussian kernel
# - logistic regression, linear discriminant analysis, nearest neighbours
#
# **What is your bet?**
# -->

# %% [markdown] key="honest-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let them rank the six on paper. Expect the Gaussian kernel first.
#
# </details>

# %% key="honest-table" slide="subslide" hide="input"
honest = measured("ch06_honest", "slack-pays", "logistic-leads")
rivals = (
    "hard margin",
    "discriminant analysis",
    "nearest neighbours",
    "soft plane",
    "soft Gaussian",
    "logistic regression",
)
table(
    "Held-out errors on 569 patients, mean of twenty partitions",
    {"method": "", "wrong": ".1f", "malignant and missed, of 212": ".1f"},
    {name: (honest[name].mean(), honest[f"{name} missed"].mean()) for name in rivals},
)

# %% [markdown] key="honest-table-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask what would have to be true for the kernel to help more here (a boundary that bends). Then ask which errors
# discriminant analysis makes: nearly all of them are missed malignant patients.
#
# </details>

# %% [markdown] key="honest-reading" slide="subslide"
# Here ± is the standard error of the mean of the paired differences over the twenty partitions. It does not cover
# other samples of patients.
#
# - The slack matters most. The soft plane makes $13.65\pm0.92$ fewer errors than the hard margin, and fewer on each
#   partition.
# - The Gaussian kernel makes $1.05\pm0.39$ fewer errors than the soft plane.
# - Logistic regression makes $1.45\pm0.46$ fewer errors than the soft plane. The difference from the Gaussian kernel,
#   $0.40\pm0.48$, is not clear. But logistic regression is linear, its thirty weights can be read, and it gives
#   probabilities.
#
# **Publish a plane, the one of logistic regression.** Try an SVM when a plane is not enough, for example for the words
# and graphs of chapter 9.
#
# <!-- slide
# **Publish a plane, the one of logistic regression**
#
# Paired differences over twenty partitions, ± their standard error:
#
# - soft plane: $13.65\pm0.92$ fewer errors than the hard margin
# - Gaussian kernel: $1.05\pm0.39$ fewer errors than the soft plane
# - logistic regression: $1.45\pm0.46$ fewer errors than the soft plane, and it gives probabilities
# -->

# %% [markdown] key="cost-of-mistakes" slide="slide" tags=["later"]
# ## Class weights or a threshold
#
# What does a mistake cost? To miss a malignant lump is far worse than a false alarm, and no method in the table was
# given this cost. There are two ways to give it. With `class_weight={1: v}` the slack of a malignant patient is
# penalised $v$ times as much, so the upper bound on her $\alpha_i$ is $vC$. Or leave the classifier as it is, and call
# a patient malignant if $f(x)>\theta$ with a threshold $\theta<0$. The figure compares both at $C=0.1$, and
# the weights also at a much smaller $C$.
#
# <!-- slide
# ## A missed lump is worse than a false alarm
#
# - `class_weight={1: v}`: the bound on a malignant patient's $\alpha_i$ is $vC$
# - a threshold: malignant if $f(x)>\theta$, with $\theta<0$
#
# **Which of the two can be pushed further?**
# -->

# %% [markdown] key="cost-of-mistakes-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Collect bets; expect the weights. Then show the picture and ask how many malignant patients still have slack at
# weight 20 and C = 0.1 (three), and why a smaller C lets the weight act again.
#
# </details>

# %% key="cost-of-mistakes-picture" slide="subslide" hide="input"
traded = measured("ch06_weights", "threshold-20")
weights = (1, 2, 5, 10, 20, 50)
raised = [traded[f"alarms at weight {v}"].mean() for v in weights]
by_weight = [traded[f"weight {v}"].mean() for v in weights]
by_threshold = [traded[f"threshold at the alarms of weight {v}"].mean() for v in weights]
fig, ax = plt.subplots(figsize=(6.8, 3.5))
ax.plot(raised, by_threshold, **cycle(0), marker="o", label="threshold, C = 0.1")
ax.plot(raised, by_weight, **cycle(1), marker="s", label="weights 1, 2, 5, 10, 20, 50; C = 0.1")
both = "alarms at weight", "weight"
small = [traded[f"{each} {v} and small C"].mean() for each in both for v in weights[1:5]]
ax.plot(small[:4], small[4:], **cycle(2), marker="^", label="weights 2, 5, 10, 20; C = 0.003")
ax.set(xlabel="false alarms, of 357 benign", ylabel="missed, of 212 malignant", ylim=(0, 12.5))
ax.legend(loc="upper right")
show(
    fig,
    alt="Missed malignant patients against false alarms, means of twenty partitions. Both lines "
    "fall alike from 10 or 11 to 6 misses at 15 alarms. At C = 0.1 the line of the weights then "
    "stays near 6, up to 50 alarms, and the line of the threshold goes on falling to about 2. The "
    "line of the weights at C = 0.003 crosses 2 at about as many alarms.",
)

# %% [markdown] key="cost-of-mistakes-reading"
# At $C=0.1$ and weights two and five the two methods trade missed patients for false alarms alike. Larger weights raise
# more alarms but miss no fewer patients, 6.3 at weight 20 instead of 1.9 by the threshold. The weight raises the bound
# to $vC$, so it also reduces the regularisation, and once no malignant patient has slack, larger weights change
# nothing. With $C=0.003$ the weights get nearly as far as the threshold, so with the weight $C$ must be chosen again. A
# threshold needs no new training, and those who bear the cost can choose it on held-out patients.
#
# <!-- slide
# **A large weight is a large C for a few patients**
#
# At $C=0.1$ weight 20 misses 6.3 patients; the threshold with as many alarms misses 1.9. At $C=0.003$ the weights
# get nearly as far. A threshold needs no new training.
# -->

# %% key="cost-of-mistakes-verify" slide="skip" hide="input"
for better, than, gain in (
    ("soft plane", "hard margin", ("13.65", "0.92")),
    ("soft Gaussian", "soft plane", ("1.05", "0.39")),
    ("logistic regression", "soft plane", ("1.45", "0.46")),
    ("logistic regression", "soft Gaussian", ("0.40", "0.48")),
):
    fewer = honest[than] - honest[better]
    verify(f"{better}, errors fewer than {than}", fewer.mean(), gain[0])
    verify("... ±", fewer.std(ddof=1) / 20**0.5, gain[1])
lda = honest["discriminant analysis missed"].mean() / honest["discriminant analysis"].mean()
verify("discriminant analysis: nearly all errors are missed patients", lda > 0.9)
verify("C = 0.1 is the median choice on most partitions", np.sum(honest["chosen C"] == 0.1) > 10)
for v in (2, 5):
    apart = traded[f"weight {v}"] - traded[f"threshold at the alarms of weight {v}"]
    alike = abs(apart.mean()) < 2 * apart.std(ddof=1) / 20**0.5
    verify(f"weight {v} and the threshold trade alike", alike)
verify("larger weights miss no fewer", min(by_weight[3:]) > by_weight[2])
verify("... and raise more alarms", np.all(np.diff(raised[2:]) > 0))
verify("weight 20: misses", by_weight[4], "6.3")
verify("... alarms", raised[4], "49")
verify("... and the threshold misses", by_threshold[4], "1.9")
verify("weight 10 and C = 0.003: as many alarms", abs(small[2] - raised[4]) < 1)
verify("... and nearly as few missed", abs(small[6] - by_threshold[4]) < 0.5)
payers, heavy = [], {}
for weight in (1, 20, 30, 50):
    heavy[weight] = SVC(Linear(), C=0.1, class_weight={1: weight}, tol=1e-6).fit(X, y)
    payers.append(np.sum((heavy[weight].slacks_ > 2e-3) & (y == 1)))
verify("malignant patients with slack: 25, 3 and none", payers, [25, 3, 0, 0])
verify("30 and 50 give the same plane", heavy[30].dual_coef_, heavy[50].dual_coef_, tol=1e-3)

# %% [markdown] key="not" slide="slide"
# ## No probabilities and no guaranteed sparsity
#
# Can the doctor read $f(x)$ as a probability? Let $p$ be the true probability of $+1$ at some $x$. Which value $f$
# would be best there? The expected hinge loss is
#
# $$p\,(1-f)_++(1-p)\,(1+f)_+.$$
#
# Between $-1$ and 1 it is a straight line of slope $1-2p$, and beyond it rises, so the minimum is at an end. It is
# $f=1$ for $p>\frac12$, and $f=-1$ for $p<\frac12$. **The minimum of the hinge loss depends only on the sign of
# $p-\frac12$.** A probability of 51 % and one of 99 % have the same best $f$. For the logistic loss the best $f$ is
# $\log\frac p{1-p}$, from which $p$ can be recovered.
#
# <!-- slide
# ## The best f under the hinge loss tells a sign, not a probability
#
# With $p$ the true probability of $+1$ at $x$, the expected hinge loss is
#
# $$p\,(1-f)_++(1-p)\,(1+f)_+.$$
#
# Between $-1$ and $1$ it is a straight line of slope $1-2p$. **Where is its minimum, for $p=0.51$, and for $p=0.99$?**
# -->

# %% [markdown] key="not-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Draw the expected hinge loss for p = 0.7 on the board: three straight pieces. Ask what a doctor may conclude from f
# = 1.2; expect "very sure". It can mean 83 % or more than 99 %.
#
# </details>

# %% [markdown] key="not-answer" slide="fragment"
# The next figure shows the best $f$ of both losses and an SVM that was trained on 4000 points of Ripley's mixture,
# where $p$ is known.
#
# <!-- slide
# At an end: $f=1$ for both. The logistic loss has its minimum at $\log\frac p{1-p}$.
# -->

# %% key="not-picture" slide="subslide" hide="input"
centres = np.array([[-0.7, 0.3], [0.3, 0.3], [-0.3, 0.7], [0.4, 0.7]])  # Ripley's four Gaussians


def drawn(n, seed):
    rng = np.random.default_rng(seed)
    label, part = rng.integers(2, size=n), rng.integers(2, size=n)
    return centres[2 * label + part] + np.sqrt(0.03) * rng.standard_normal((n, 2)), 2 * label - 1


def true_p(points):
    each = np.exp(-np.sum((points[:, None] - centres) ** 2, axis=2) / (2 * 0.03))
    return each[:, 2:].sum(axis=1) / each.sum(axis=1)


crowd, crowd_y = drawn(4000, seed=0)
asked, _ = drawn(1500, seed=1)
flat = SkSVC(C=10.0, gamma=1 / (2 * 0.25**2)).fit(crowd, crowd_y)
p_asked, f_asked = true_p(asked), flat.decision_function(asked)
fig, ax = plt.subplots(figsize=(7, 3.7))
ax.plot(p_asked, f_asked, ".", color="black", markersize=3)
ax.plot([0, 0.5, 0.5, 1], [-1, -1, 1, 1], **cycle(1), label="best f, hinge loss")
ps = np.linspace(0.02, 0.98, 200)
ax.plot(ps, np.log(ps / (1 - ps)), **cycle(0), label="best f, logistic loss")
ax.set(xlabel="true probability p of class +1", ylabel="f(x)", ylim=(-2.6, 2.6))
ax.legend(loc="upper left")
show(
    fig,
    alt="f of the SVM against the true probability for 1500 points. Between 0.2 and 0.8 it rises "
    "evenly from about -1 to 1; near both ends of the axis the points fan out beyond ±1. The step "
    "that is best for the hinge loss lies at ±1; the log-odds grow without bound.",
)
fs = np.linspace(-2, 2, 4001)
for p in (0.2, 0.51, 0.99):
    risk, best = p * np.maximum(0, 1 - fs) + (1 - p) * np.maximum(0, 1 + fs), np.sign(p - 0.5)
    verify(f"p = {p}: the best f is {best:+g}", fs[np.argmin(risk)], best, tol=1e-3)
for p in (0.2, 0.51):
    risk = p * np.logaddexp(0, -fs) + (1 - p) * np.logaddexp(0, fs)
    off = abs(fs[np.argmin(risk)] - np.log(p / (1 - p)))
    verify(f"p = {p}: the logistic loss finds the log-odds", off < 2e-3)
for low, high in ((0.75, 0.85), (0.99, 1.0)):
    near = np.abs(f_asked[(p_asked > low) & (p_asked < high)] - 1.1) < 0.05
    verify(f"p from {low} to {high}: f is often near 1.1", near.mean() > 0.15)
between = (p_asked > 0.2) & (p_asked < 0.8)
verify("between, f rises with p", np.corrcoef(p_asked[between], f_asked[between])[0, 1] > 0.95)
many, _ = drawn(200_000, seed=2)
limit = 2 * np.mean(np.minimum(true_p(many), 1 - true_p(many)))
verify("twice the error of the Bayes rule", limit, "0.18")
bayes = np.sum((true_p(ripley_test.X) > 0.5) != (test_y > 0))
verify("... which gets wrong, of the test points", bayes, "80")
fractions = measured("ch06_fraction", "above-the-limit")
verify("4000 points: fraction of support vectors", fractions["n = 4000"].mean(), "0.22")

# %% [markdown] key="not-reading"
# Values of $f$ near 1.1 are common here where $p$ is near 80 %, and also where $p$ is above 99 %, so such a value does
# not tell which of the two it is. `CalibratedClassifierCV` fits a curve from held-out $f$ to probabilities (*Platt
# scaling*), but it cannot restore what $f$ has lost. The SVM is also *discriminative*, which means that it does not
# model the density of $x$.
#
# Nor are few support vectors guaranteed where classes overlap, because every training mistake is one. Steinwart
# proved that for suitable kernels and a suitable $C$ their fraction tends to $2R^*$, where $R^*$ is the error of the
# Bayes rule. On Ripley's mixture this limit is 0.18. With $n=4000$ points, $\sigma=0.3$ and $C=1$ the fraction is
# still 0.22 on average.
#
# <!-- slide
# **A value of f near 1.1 can mean 80 % or more than 99 %**
#
# Of 4000 points 22 % are support vectors, with $\sigma=0.3$ and $C=1$. Steinwart's limit is 18 %.
# -->

# %% [markdown] key="not-picture-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask how many support vectors they expect for a million points (a fixed fraction, because all mistakes are among
# them). Expect "a few hundred, as before".
#
# </details>

# %% [markdown] key="find-error" slide="slide" tags=["later"]
# ## Find the error
#
# A program trains a *correct* SVM on Ripley's points and then reports on it. The report contains three mistakes. Find
# them before you read on.
#
# ```python
# svm = SVC(Linear(), C=1.0).fit(X, y)  # y is -1 or 1
# f = svm.decision_function(X)
# w = X.T @ svm.dual_coef_
#
# # the support vectors, the bias, the sum of the slacks
# support = np.flatnonzero(np.abs(f) <= 1 + 1e-6)
# b = 1 - w @ X[support[0]]
# slack = np.maximum(0, y * f - 1).sum()
# ```
#
# <!-- slide
# ## Find three mistakes in the report of a correct SVM
#
# ```python
# svm = SVC(Linear(), C=1.0).fit(X, y)  # y is -1 or 1
# f = svm.decision_function(X)
# w = X.T @ svm.dual_coef_
#
# # the support vectors, the bias, the sum of the slacks
# support = np.flatnonzero(np.abs(f) <= 1 + 1e-6)
# b = 1 - w @ X[support[0]]
# slack = np.maximum(0, y * f - 1).sum()
# ```
# -->

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Give them two minutes of silence. Hints, one at a time: what is the slack of a point beyond its margin? What is the
# label of the first support vector? Which point does the rule miss? Let somebody draw it.
#
# </details>

# %% key="find-error-table" slide="skip" hide="input"
report = SVC(Linear(), C=1.0, tol=1e-8).fit(ripley.X, R_y)
f = report.decision_function(ripley.X)
w = ripley.X.T @ report.dual_coef_
by_rule = np.flatnonzero(np.abs(f) <= 1 + 1e-6)
b_written = 1 - w @ ripley.X[by_rule[0]]
free = np.flatnonzero((report.multipliers_ > 0) & (report.multipliers_ < 1))
b_free = R_y[free] - ripley.X[free] @ w
slack_written = np.maximum(0, R_y * f - 1).sum()
table(
    "What the report says about its SVM",
    {"report": "", "support vectors": "d", "b": ".3f", "sum of slacks": ".1f"},
    {
        "as written": (len(by_rule), b_written, slack_written),
        "right": (len(report.support_), np.mean(b_free), report.slacks_.sum()),
    },
)

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What is wrong</b> (open this once you have written down your answers)</summary>
#
# The rule $|f|\le1$ misses four misclassified points that lie beyond the *other* margin line. They are support
# vectors with $\alpha_i=C$, and $y_if(x_i)\le1$ finds them. The formula for the bias is right for a support vector
# that is *free* and *positive*, but the first in the list is bound and negative. Use $y_i-w^\top x_i$ from a free
# one. The sign inside the maximum is wrong, so the sum adds up $y_if(x_i)-1$ over the points outside the margin.
#
# </details>
#
# <!-- slide
# <details><summary><b>The rule, the bias and the sign of the slack are wrong</b></summary>
#
# 1. $|f|\le1$ misses four mistakes beyond the other margin line; $y_if(x_i)\le1$ finds them.
# 2. The first in the list is bound and negative; use $y_i-w^\top x_i$ from a free one.
# 3. The slack is $(1-yf)_+$.
#
# </details>
# -->

# %% key="find-error-verify" slide="skip" hide="input"
missed_by_rule = np.setdiff1d(report.support_, by_rule)
verify("the rule misses four", len(missed_by_rule) == 4)
verify("... all wrong, and at the bound", np.all(R_y[missed_by_rule] * f[missed_by_rule] < -1))
verify("yf ≤ 1 finds all", np.all(R_y[report.support_] * f[report.support_] <= 1 + 1e-6))
first = by_rule[0]
verify("the first is bound and negative", report.multipliers_[first] == 1.0 and R_y[first] == -1)
verify("from free ones: the bias", b_free, report.intercept_, tol=1e-6)

# %% [markdown] key="sklearn" slide="slide" tags=["later"]
# ## The same in scikit-learn
#
# <!-- slide
# ## scikit-learn finds the same f and the same support vectors
# -->

# %% key="sklearn-code" slide="fragment"
theirs = SkSVC(kernel="linear", C=0.1, tol=1e-8).fit(X, y)
verify("the same f", theirs.decision_function(X), machine.decision_function(X), tol=1e-6)
verify("the same support vectors", np.array_equal(np.sort(theirs.support_), machine.support_))
verify(
    "dual_coef_ is y α, on these alone",
    np.sort(theirs.dual_coef_[0]),
    np.sort(machine.dual_coef_[sv]),
    tol=1e-6,
)

# %% [markdown] key="sklearn-pipeline" slide="skip"
# Standardise in the pipeline, so that each fold has its own means, and select the kernel, $C$ and $\sigma$ from a
# grid by cross-validation. The parameter `gamma` is $1/(2\sigma^2)$. Here the grid selects a Gaussian kernel. It is
# right on three patients more than the best SVM plane, a difference as small as in the table above.

# %% key="sklearn-pipeline-code" slide="skip"
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

plane = {"svc__kernel": ["linear"], "svc__C": [0.01, 0.1, 1]}
bent = {"svc__kernel": ["rbf"], "svc__C": [1, 10, 100], "svc__gamma": [1 / 32, 1 / 128]}
search = GridSearchCV(make_pipeline(StandardScaler(), SkSVC()), [plane, bent], cv=5).fit(raw, y)
print(search.best_params_)

kernels = {"svc__kernel": [Linear()], "svc__C": [0.01, 0.1, 1]}
ours = GridSearchCV(make_pipeline(StandardScaler(), SVC(Linear())), kernels, cv=5).fit(raw, y)

# %% [markdown] key="sklearn-traps" slide="subslide"
# There are two traps:
#
# - `SVC` does not standardise. In raw units the mean area and the largest area make up 99 % of the mean squared
#   distance between patients. The default `gamma="scale"`, which is $1/(d\,\mathrm{Var}(X))$, changes nothing about
#   this, because it divides all columns by one number.
# - `LinearSVC` is not `SVC(kernel="linear")`. It squares the hinge loss, and it also *penalises $b$*, so its result
#   changes if you shift the data.
#
# With $c$ classes `SVC` trains one classifier for each pair, $c(c-1)/2$ in all, and lets them vote.
#
# <!-- slide
# **Two traps: units, and LinearSVC**
#
# - `SVC` does not standardise: in raw units two areas make up 99 % of the mean squared distance.
# - `LinearSVC` squares the hinge loss and *penalises $b$*: shifting the data changes its result.
# -->

# %% key="sklearn-verify" slide="skip" hide="input"
from sklearn.svm import LinearSVC

of_planes, of_ours = search.cv_results_["mean_test_score"][:3], ours.cv_results_["mean_test_score"]
verify("the same scores of the planes", of_planes, of_ours)
verify("the grid selects a Gaussian kernel", search.best_params_["svc__kernel"] == "rbf")
more = 569 * (search.best_score_ - of_planes.max())
verify("... which is right on three more", more, 3, tol=0.02)
part = raw.var(axis=0) / raw.var(axis=0).sum()  # the mean of (x - z)² is twice the variance
verify("part of the two areas (%)", 100 * (part[3] + part[23]), "99")
default = SkSVC(C=1.0, tol=1e-8).fit(X, y)
verify("gamma='scale': σ is the root of d/2", default._gamma, 1 / (2 * 15))
rng = np.random.default_rng(0)
Q = rng.standard_normal((200, 2))
Q_y = np.where(Q[:, 0] - 0.3 * Q[:, 1] + 0.5 * rng.standard_normal(200) > 0.5, 1, -1)
here, there = (SVC(Linear(), C=1.0).fit(Q + shift, Q_y) for shift in (0, 100))
verify("SVC does not mind a shift", np.array_equal(here.predict(Q), there.predict(Q + 100)))
moved = LinearSVC(C=1.0, dual=False).fit(Q + 100, Q_y).score(Q + 100, Q_y)
verify("LinearSVC does", there.score(Q + 100, Q_y) > moved + 0.05)
three_y = np.arange(200) % 4
pairs = SVC(Linear(), C=1.0).fit(Q, three_y).dual_coef_
verify("four classes: six classifiers", len(pairs) == 6)

# %% [markdown] key="cost" slide="slide"
# ## What it costs, and when not to use it
#
# How does the training time grow with $n$ and with $C$? The left panel shows the training time on two overlapping
# classes with thirty features, and the right panel the number of steps on the patients.
#
# <!-- slide
# ## At n = 32 000, how much slower is SMO than logistic regression?
#
# And what does a large $C$ cost in time?
# -->

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Collect guesses of the factor; expect about ten. Then ask for the exponent of SMO's line. (Nearly 2.)
#
# </details>

# %% key="cost-picture" slide="subslide" hide="input"
cost, by_C = measured("ch06_cost"), measured("ch06_dear")
big = cost["n"] >= 2000
names = {
    "Gaussian": "Gaussian kernel (SMO)",
    "plane by pairs": "linear kernel (SMO)",
    "logistic regression": "logistic regression",
}
fig, (left, right) = plt.subplots(1, 2, figsize=(9.4, 3.9))
for k, name in enumerate(names):
    left.plot(cost["n"], cost[name], **cycle(k), marker="o", markersize=4, label=names[name])
left.set(xscale="log", yscale="log", xlabel="number of points n", ylabel="training time (s)")
left.set_xticks([500, 2000, 8000, 32000], ["500", "2000", "8000", "32 000"])
left.set_ylim(top=100)
left.minorticks_off()
right.plot(by_C["C"], by_C["steps"], **cycle(0), marker="o", markersize=4)
right.set(xscale="log", yscale="log", xlabel="C", ylabel="steps, linear kernel")
left.legend(loc="upper left", fontsize=9)
show(
    fig,
    alt="Left, training time against n on logarithmic axes: SMO with a Gaussian and with a linear "
    "kernel are parallel and steep, logistic regression lies far below and is flatter. Right, "
    "steps against C: a few hundred up to 0.1, then a steep rise to several hundred thousand.",
)
growth = {
    name: np.polyfit(np.log(cost["n"][big]), np.log(cost[name][big]), 1)[0] for name in names
}

# %% [markdown] key="cost-reading"
# The time of SMO grows nearly like $n^2$ here. At $n=32\,000$ it is over a hundred times that of logistic regression,
# whose time grows no faster than $n$. The Gram matrix takes $O(n^2)$ memory and would fill 8 gigabytes for 32 000
# points, so LIBSVM keeps only some of its rows. Training is slow when $C$ is large. From $C=0.1$ to $C=1000$ the
# number of steps on the patients grows from a few hundred to several hundred thousand. A smaller
# tolerance takes few additional steps, at $C=0.1$ less than twice as many for a thousandth of it.
#
# <!-- slide
# **SMO grows nearly like n², and a large C takes long**
#
# At 32 000 points it takes over a hundred times as long as logistic regression.
# -->

# %% [markdown] key="when" slide="skip"
# When should you not use an SVM? If a plane is enough and you want probabilities, use logistic regression. For more
# than a few tens of thousands of points use logistic regression as well, or the online methods of the [second
# part](ch06b_svr_online.ipynb). Use an SVM for a few thousand points, a kernel that suits your data, and a task that
# asks for a decision.

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - The soft margin is $C$ times the hinge loss plus $\frac12\|w\|^2$. Large $C$ means little regularisation.
# - The dual is chapter 5's with an upper bound, so no point has more weight than $C$.
# - At the optimum every point lies on a staircase in the diagram of $\alpha$ and $yf$. Before that, the rectangles
#   between the points and the staircase add up to the duality gap, which says when to stop.
# - SMO moves two multipliers at a time, to the maximum of a parabola or to a bound.
# - The value $f$ of an SVM is not a probability.
#
# And the doctor's two questions? The soft plane depends only on the patients who are on the margin line, inside the
# margin or misclassified, and none has more weight than $C$. Those who bear the cost must say what a mistake costs.
# Choose the threshold with them, on held-out patients. The plane to publish is that of logistic regression.
#
# <!-- slide
# ## Recap: a few doubtful points decide, each with weight at most C
#
# - The soft margin is $C$ times the hinge loss plus $\frac12\|w\|^2$.
# - The dual has an upper bound: $0\le\alpha_i\le C$.
# - The rectangles between the points and the staircase add up to the duality gap.
# - SMO moves two multipliers at a time.
# - $f$ is not a probability: just beyond 1 it can mean 80 % or more than 99 %.
# - For these patients publish the plane of logistic regression, with a threshold.
# -->

# %% [markdown] key="recap-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Go back to the two questions on the board, and let the class answer them.
#
# </details>

# %% [markdown] key="quiz" slide="slide"
# ## Five questions
#
# <details><summary>1. A point has α = C. On which side of the boundary is it?</summary>
#
# That is not known. With $yf\le1$ it may be on the right side, on or inside the margin, or beyond the boundary.
#
# </details>
#
# <details><summary>2. All support vectors of your SVM are free. You double C. What happens to f?</summary>
#
# Nothing. No α was at the bound, so raising the bound changes nothing.
#
# </details>
#
# <details><summary>3. After 100 steps D = 3.86 and P = 5.68. How far can P be from its minimum?</summary>
#
# The minimum lies between the two values, so $P$ is at most 1.82 above it.
#
# </details>
#
# <details><summary>4. Why does SMO not change one α at a time?</summary>
#
# $\sum_i\alpha_iy_i=0$ would no longer hold. Without a bias there is no such constraint, and one at a time is enough.
#
# </details>
#
# <details><summary>5. You add the same vector to all points, with a linear kernel. What changes?</summary>
#
# Only $b$ changes. A classifier that penalises $b$ gives another $w$ as well.
#
# </details>

# %% key="quiz-verify" slide="skip" hide="input"
five, ten_times = (SVC(Linear(), C=c, tol=1e-10).fit(four, signs) for c in (5.0, 10.0))
verify("question 2: the same α", five.multipliers_, ten_times.multipliers_, tol=1e-8)
verify("question 3: the dual", progress[100][1], "3.86")
verify("... the primal", progress[100][2], "5.68")
verify("... the gap", progress[100][2] - progress[100][1], "1.82")
verify("question 5: b only", here.dual_coef_, there.dual_coef_, tol=0.02)
for name in ("Gaussian", "plane by pairs"):
    verify(f"{names[name]}: nearly like n²", 1.5 < growth[name] < 2.2)
    over = cost[name][-1] / cost["logistic regression"][-1]
    verify("... and over a hundred times logistic regression", over > 100)
verify("logistic regression: no faster than n", growth["logistic regression"] < 1.1)
verify("Gram matrix of 32 000 points (gigabytes)", cost["Gram matrix (MB)"][-1] / 1000, "8")
*_, rough = smo(K, y, C, tol=1e-3)
*_, fine = smo(K, y, C, tol=1e-6)
verify("a thousandth of the tolerance: less than twice the steps", rough < fine < 2 * rough)
verify("steps at C = 0.1: a few hundred", 200 < by_C["steps"][by_C["C"] == 0.1][0] < 500)
verify("... and at 1000: several hundred thousand", 3e5 < by_C["steps"][-1] < 9e5)

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are
# told which one. *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch06_svm")

# %% [markdown] key="references" slide="skip" numbers="free"
# ## Further reading
#
# - B. Boser, I. Guyon and V. Vapnik, *A training algorithm for optimal margin classifiers*, 1992, the maximum margin
#   with a kernel. C. Cortes and V. Vapnik, *Support-vector networks*, 1995, the slack. The method became known with
#   handwritten digits and faces. Vapnik's books of 1995 and 1998 contain his bounds on the test error.
# - S. Keerthi and E. Gilbert, *Convergence of a generalized SMO algorithm for SVM classifier design*, 2002.
# - R.-E. Fan, P.-H. Chen and C.-J. Lin, *Working set selection using second order information for training support
#   vector machines*, 2005, the rule of LIBSVM, which is free software.
# - I. Steinwart, *Sparseness of support vector machines: some asymptotically sharp bounds*, 2003.
# - W. Street, W. Wolberg and O. Mangasarian, *Nuclear feature extraction for breast tumor diagnosis*, 1993, the
#   patients.
#
# **Now you:** [the exercises](../exercises/ch06_svm_sheet.ipynb), five functions, the last of which trains an SVM.
#
# **Next:** [the second part, ε-SVR and online learning](ch06b_svr_online.ipynb).
