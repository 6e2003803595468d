# %% [markdown] key="title"
# # Exercises 6: support vector machines
#
# Five functions, from the price of a slack to a machine that you train yourself and that knows when it is done: what
# [chapter 6](../notebooks/ch06_svm.ipynb) does, written by you. At the end one proof on paper. The second part, ε-SVR and learning on line, has
# [a sheet of its own](ch06b_svr_online_sheet.ipynb).
#
# **How it works.** Replace `raise NotImplementedError` by your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, the check tells you *what*, and if it recognises your mistake,
# *which one*. Below it, two sections that you can open name the step of the derivation to read again and give an experiment
# that shows the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
#
# **Rules.** NumPy and SciPy, loops or matrices, as you like. Calling `kcourse.svm`, `kcourse.SVC` or scikit-learn is refused: you are
# writing what they do.
#
# **Conventions.** Labels are $-1$ and $+1$. $C$ multiplies the *sum* of the slacks, beside $\frac12\|w\|^2$. $\alpha_i\ge0$ comes without its
# label, and $f(x)=\sum_i\alpha_iy_ik(x_i,x)+b$.

# %% key="imports"
import numpy as np
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from kcourse.checks import check
from kcourse.lab import show, use_style

use_style()

# %% [markdown] key="ex-1"
# ## 6.1 What a plane costs (3 points)
#
# Equation (2) of the lecture: the soft margin with its slacks eliminated.


# %% exercise="svm_primal"
def svm_primal(w, b, X, y, C):
    """Objective of the soft margin.

    w : (d,) array, and b : float; f(x) = wᵀx + b
    X : (n, d) array, points in rows
    y : (n,) array of labels -1 and 1
    C : float > 0, price of a slack

    Returns ½‖w‖² + C Σ ξ_i, with the least slacks that are allowed, one number.
    """
    ### BEGIN SOLUTION
    # the label is outside of the bracket with b; inside, two signs of b would be mixed
    slacks = np.maximum(0, 1 - y * (X @ w + b))
    return 0.5 * w @ w + C * slacks.sum()
    ### END SOLUTION


# %% check="svm_primal"
check(svm_primal)

# %% [markdown] key="ex-2"
# ## 6.2 The bias that they agree on (3 points)
#
# A solver has left multipliers that satisfy the conditions of step 4, up to rounding. There is at least one *free* support vector, $0<\alpha_i<C$, of either class; where there are
# several, return the mean of what they say. For one of the three points: a solver's 0 may be $10^{-17}$, and its $C$ the number just below it.


# %% exercise="bias_from_alpha"
def bias_from_alpha(alpha, K, y, C):
    """Bias of a soft margin, from its multipliers.

    alpha : (n,) array, optimal multipliers, 0 ≤ α_i ≤ C, some of them free
    K : (n, n) array, Gram matrix
    y : (n,) array of labels -1 and 1
    C : float > 0

    Returns b, averaged over the free support vectors, one number.
    """
    ### BEGIN SOLUTION
    # all support vectors are in the sum, only free ones in the mean: at bound ones y f is not 1
    u = K @ (alpha * y)  # f without its bias
    free = (alpha > 1e-8 * C) & (alpha < C - 1e-8 * C)
    return np.mean((y - u)[free])
    ### END SOLUTION


# %% check="bias_from_alpha"
check(bias_from_alpha)

# %% [markdown] key="ex-3"
# ## 6.3 Who cannot be left out? (3 points)
#
# You see the values $f(x_i)$ of a finished machine, and the labels. Say True for every point that step 4 does not let off: its $\alpha_i$ is above 0, or may
# be. (Exactly on the margin it may be 0 by chance; say True there.) A rule that is printed in many places is wrong.


# %% exercise="margin_violators"
def margin_violators(f, y):
    """Which points are support vectors, as far as f can tell.

    f : (n,) array, values of a finished machine at its training points
    y : (n,) array of labels -1 and 1

    Returns True for points on the margin of their class, inside the margin or beyond, shape (n,).
    """
    ### BEGIN SOLUTION
    # |f| ≤ 1 would miss a mistake beyond the other margin, f ≤ y every mistake of class -1
    return y * f <= 1
    ### END SOLUTION


# %% check="margin_violators"
check(margin_violators)

# %% [markdown] key="ex-4"
# ## 6.4 Two at a time (4 points)
#
# One step of SMO, in the letters of those who write it. With the errors $E_k=f(x_k)-y_k$ and $\eta=k_{ii}+k_{jj}-2k_{ij}$:
#
# $$\alpha_j^{\text{new}}=\text{clip}\Big(\alpha_j+\frac{y_j(E_i-E_j)}\eta,\ L,\ H\Big),$$
#
# and $\alpha_i$ follows, so that $\sum_k\alpha_ky_k$ stays what it was. $[L,H]$ is the stretch on which *both* stay in $[0,C]$: find it for two points of one class, and for two of different
# classes. If $\eta\le0$, or if $L=H$, return $\alpha$ unchanged. (It is step 7 of the chapter with $t=y_i(\alpha_i^{\text{new}}-\alpha_i)$.)


# %% exercise="smo_pair"
def smo_pair(K, y, alpha, b, C, i, j):
    """One step of sequential minimal optimisation.

    K : (n, n) array, Gram matrix
    y : (n,) array of labels -1 and 1
    alpha : (n,) array of multipliers, 0 ≤ α ≤ C; leave it as it is and return another
    b : float, bias
    C : float > 0
    i, j : two different rows

    Returns all multipliers after the best step that changes α_i and α_j alone, shape (n,).
    """
    ### BEGIN SOLUTION
    new = np.array(alpha, dtype=float)
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    if y[i] == y[j]:  # α_i + α_j stays
        L, H = max(0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:  # α_j - α_i stays
        L, H = max(0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    if eta <= 0 or L == H:
        return new
    E_i, E_j = K[[i, j]] @ (alpha * y) + b - y[[i, j]]
    # clip first, at both ends: the step may go either way; α_i follows what was really taken
    new[j] = np.clip(alpha[j] + y[j] * (E_i - E_j) / eta, L, H)
    new[i] += y[i] * y[j] * (alpha[j] - new[j])
    return new
    ### END SOLUTION


# %% check="smo_pair"
check(smo_pair)

# %% [markdown] key="ex-5"
# ## 6.5 A machine of your own (5 points)
#
# Now the whole machine, out of your `smo_pair`: start at $\alpha=0$, choose a pair, take its step, and stop when the **duality gap** $P-D$ of your $\alpha$ and $b$ is at most `tol`. The chapter chooses the
# pair with the largest slope; that is a good rule, not the only one. Which multipliers come out does not matter: what is marked is the gap, and that $\alpha$ is in the box with $\sum_i\alpha_iy_i=0$.
#
# Three warnings. Rounding leaves an $\alpha$ at $10^{-17}$ in place of 0: let only those rise or fall who are more than $10^{-12}C$ from their wall, or your loop will turn on one spot. On the way, and sometimes at
# the end (one of the five points), no support vector is free; which $b$ then? And end after some thousand steps whatever happens, or a mistake in `smo_pair` will keep you waiting.


# %% exercise="svm_train"
def svm_train(K, y, C, tol):
    """Train a soft margin with smo_pair until its duality gap is small.

    K : (n, n) array, Gram matrix
    y : (n,) array of labels -1 and 1
    C : float > 0
    tol : float > 0, the largest gap P - D that is allowed

    Returns (alpha, b): multipliers, shape (n,), and bias.
    """
    ### BEGIN SOLUTION
    alpha, room = np.zeros(len(y)), 1e-12 * C
    for _ in range(5000):
        u = K @ (alpha * y)  # f without its bias
        rise = np.where(y > 0, alpha < C - room, alpha > room)  # whose y α may rise ...
        fall = np.where(y > 0, alpha > room, alpha < C - room)  # ... and fall
        i = np.argmax(np.where(rise, y - u, -np.inf))
        j = np.argmin(np.where(fall, y - u, np.inf))
        b = (y[i] - u[i] + y[j] - u[j]) / 2  # the middle: right with free ones and without
        # P - D = ‖w‖² + C Σξ - Σα
        slacks = np.maximum(0, 1 - y * (u + b))
        if (alpha * y) @ u + C * slacks.sum() - alpha.sum() <= tol:
            break
        alpha = smo_pair(K, y, alpha, b, C, i, j)
    return alpha, b
    ### END SOLUTION


# %% check="svm_train"
check(svm_train)

# %% [markdown] key="patients"
# ### Your verdict: the patients, with your own functions
#
# The 569 patients of the chapter, thirty measurements each, standardised, and its machine, a plane with $C=0.1$. The next cell trains *yours* until the gap is $10^{-5}$, and asks your functions who holds it up.
#
# Compare with the chapter's numbers. Why does `margin_violators` find only some of the free support vectors? Make the gap a thousand times larger: what changes, and what does not? Then change $C$ to 0.01 and to 1. Who remains?

# %% key="patients-figure"
cancer = load_breast_cancer()
X = (cancer.data - cancer.data.mean(axis=0)) / cancer.data.std(axis=0)
y = np.where(cancer.target == 0, 1.0, -1.0)  # 1: malignant
K, C, tol = X @ X.T, 0.1, 1e-5
try:
    alpha, b = svm_train(K, y, C, tol)
    f = K @ (alpha * y) + b
    needed = margin_violators(f, y)
    from_free = bias_from_alpha(alpha, K, y, C)
    objective = svm_primal(X.T @ (alpha * y), b, X, y, C)
except NotImplementedError:
    print("First write all five functions.")
else:
    say, bound = alpha > 1e-8 * C, alpha > C * (1 - 1e-8)
    D = alpha.sum() - 0.5 * (alpha * y) @ K @ (alpha * y)
    print(f"dual {D:.3f}, primal {objective:.3f}: the best lies between")
    print(f"{say.sum()} support vectors: {(say & ~bound).sum()} free, {bound.sum()} at the lid")
    print(f"of these malignant {(say & (y > 0)).sum()}, benign {(say & (y < 0)).sum()}")
    print(f"mistakes: {np.sum(y * f <= 0)}, all at the lid: {np.all(bound[y * f <= 0])}")
    print(f"bias {b:.3f}, from the free ones {from_free:.3f}")
    print(f"yf ≤ 1 for {np.sum(needed & bound)} of those at the lid, and for some of the free")
    fig, ax = plt.subplots(figsize=(7.2, 4))
    for label, marker, fill, name in ((-1, "o", "white", "benign"), (1, "^", "black", "malignant")):
        mine = y == label
        ax.plot(
            alpha[mine], (y * f)[mine], marker, color="black", markerfacecolor=fill, markersize=5,
            label=name,
        )  # fmt: skip
    ax.axhline(1, color="#777777", linestyle="--")
    ax.set(xlabel="α", ylabel="y f(x)")
    ax.legend(loc="upper center")
    show(
        fig,
        alt="The patients in the plane of α and yf, as your machine left them: along the left edge "
        "above the dashed line at 1, along that line, and down the right edge.",
    )

# %% [markdown] key="patients-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# 60 patients have a say, 11 of them free, and the 8 mistakes are all at the lid: the chapter's machine.
#
# `margin_violators` compares with 1 exactly. Free support vectors have $y_if(x_i)=1$ up to what is left of the gap, and those of them that are a hair above 1 are not found; which, is a matter of rounding. A tolerance would fix that, and find patients with
# $\alpha_i=0$ besides. Whoever has $\alpha$ should look at $\alpha$.
#
# With a gap a thousand times larger (write `tol = 1e-2`) there are a few more, 62 to 64 where it was tried: rounding decides which way the steps go, and small $\alpha_i$ are still on their way to 0 or to the lid. The bias moves by a hundredth; mistakes
# and objective stay, to two digits.
# Cheap slack, $C=0.01$, gives over a hundred support vectors, nearly all bound; $C=1$ gives 40, of which 17 are free, and takes many more steps.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: why the gap closes, and what a tolerance is worth
#
# The chapter's best idea is the staircase. Use it to prove that there is no gap between (5) and (2), and to say what SMO promises when it stops. Both classes occur. Let
# $s_i=y_i-\sum_j\alpha_jy_jk(x_j,x_i)$; *up* are the points whose $y_i\alpha_i$ may rise ($\alpha_i<C$ for class $+$, $\alpha_i>0$ for class $-$), *down* those whose $y_i\alpha_i$ may fall.
#
# (a) Show that (5) has a best $\alpha$, and that there $s_i\le s_j$ for all $i$ in *up* and $j$ in *down*. Mind $\eta=0$.
#
# (b) Take a $b$ with $\max_{\text{up}}s\le b\le\min_{\text{down}}s$. Show that every point is on the staircase. What follows for $P$ and $D$?
#
# (c) SMO stops as soon as $\max_{\text{up}}s-\min_{\text{down}}s\le\tau$, and puts $b$ half-way. Show that $P-D\le\frac12nC\tau$.

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) $D$ is continuous, and the $\alpha$ that are allowed form a closed and bounded set, which has $\alpha=0$ in it: so $D$ has a greatest value there. Let $i$ be in *up* and $j$ in *down*, $i\neq j$. Some $t>0$ are allowed, and by (8)
# $D(t)-D(0)=t\,(g-\frac12t\eta)$ with $g=s_i-s_j$. If $g$ were above 0, this would be above 0 for $0<t<2g/\eta$ (for every $t>0$ if $\eta=0$), and $\alpha$ not the best.
#
# (b) Neither set is empty: were *up* empty, class $+$ would be at $C$ and class $-$ at 0, and $\sum_i\alpha_iy_i>0$; *down* likewise. So by (a) such a $b$ exists. For class $+$, $y_if(x_i)-1=b-s_i$, and for class $-$ it is $s_i-b$. Class $+$ with $\alpha_i<C$ is in *up*, so $b\ge s_i$; with $\alpha_i>0$ it is in *down*, so
# $b\le s_i$. For class $-$ both sets and both signs are exchanged. Hence in either class
#
# $$\alpha_i<C\ \Rightarrow\ y_if(x_i)\ge1,\qquad\alpha_i>0\ \Rightarrow\ y_if(x_i)\le1,$$
#
# which is the staircase. All products in (7) are 0, so $P=D$; and since $D\le P$ for every allowed $\alpha$ and *every* plane (step 6: another plane adds $\frac12\|w'-w\|^2$ to (7)), neither can be better. No theorem of duality was used.
#
# (c) Now $b$ misses each of the two bounds by $\tau/2$ at most, so $\alpha_i<C$ gives $1-y_if(x_i)\le\tau/2$, and $\alpha_i>0$ gives $y_if(x_i)-1\le\tau/2$. A bracket of (7) is at most $(C-\alpha_i)\frac\tau2+\alpha_i\frac\tau2=\frac{C\tau}2$, and there are $n$ of them.
#
# Wrong turns: to take $D'(\alpha)=0$ at the best $\alpha$ (it may be at a wall, and the sum binds it), and to divide by $\eta$.
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# Pencil-and-paper problems with new numbers each time, the same as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch06_svm")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Let your `svm_train` count its steps, and choose pairs in turn, or at random: how many more does it need? (b) Leave out every patient without a say and train again: what
# becomes of $f$? (c) Choose $j$ by $g^2/\eta$ instead: does it need fewer steps?
