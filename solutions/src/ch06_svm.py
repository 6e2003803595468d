# %% [markdown] key="title"
# # Exercises 6: support vector machines
#
# Five functions, from the objective of the soft margin to a support vector machine that you train yourself. They are what
# [chapter 6](../notebooks/ch06_svm.ipynb) computes. A proof on paper ends the sheet. ε-SVR and online learning have
# [their own sheet](ch06b_svr_online_sheet.ipynb).
#
# **How it works.** Replace `raise NotImplementedError` with your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, it tells you *what*, and if it recognises your mistake,
# *which one*. Two sections that you can open show which step of the derivation to read again, and an experiment
# that exposes the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
# The check stops an endless loop after 20 seconds, on a slow computer a little later. *Kernel → Interrupt Kernel* stops it at once.
#
# **Rules.** Use NumPy and SciPy, loops or matrices, as you like. Do not call `kcourse.svm`, `kcourse.SVC` or scikit-learn,
# because you are writing what they do.
#
# **Conventions.** Labels are $-1$ and $+1$. $C$ multiplies the *sum* of the slacks, next to $\frac12\|w\|^2$. $\alpha_i\ge0$ does not contain its
# label, and $f(x)=\sum_i\alpha_iy_ik(x_i,x)+b$.

# %% key="imports"
import numpy as np
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from kcourse.checks import check
from kcourse.lab import show, use_style

use_style()

# %% [markdown] key="ex-1"
# ## 6.1 Objective of the soft margin (3 points)
#
# Implement equation (2) of the chapter, the soft margin with its slacks eliminated.


# %% exercise="svm_primal"
def svm_primal(w, b, X, y, C):
    """Objective of the soft margin.

    w : (d,) array, and b : float; f(x) = wᵀx + b
    X : (n, d) array, points in rows
    y : (n,) array of labels -1 and 1
    C : float > 0, penalty parameter

    Returns ½‖w‖² + C Σ ξ_i with the smallest feasible slacks ξ_i, one number.
    """
    ### BEGIN SOLUTION
    # the label multiplies the whole f, also its b
    slacks = np.maximum(0, 1 - y * (X @ w + b))
    return 0.5 * w @ w + C * slacks.sum()
    ### END SOLUTION


# %% check="svm_primal"
check(svm_primal)

# %% [markdown] key="ex-2"
# ## 6.2 Bias from the free support vectors (3 points)
#
# A solver returns multipliers that satisfy the conditions of step 4 up to rounding. There is at least one *free* support vector, $0<\alpha_i<C$, perhaps of one class only. If there are
# several, return the mean of the biases that they give. One of the three points is for rounding, where a 0 may be $10^{-17}$ and a $C$ may be slightly smaller.


# %% exercise="bias_from_alpha"
def bias_from_alpha(alpha, K, y, C):
    """Bias of the soft margin from its multipliers.

    alpha : (n,) array, optimal multipliers, 0 ≤ α_i ≤ C, at least one of them free
    K : (n, n) array, Gram matrix
    y : (n,) array of labels -1 and 1
    C : float > 0

    Returns b, averaged over the free support vectors, one number.
    """
    ### BEGIN SOLUTION
    # the sum contains all support vectors, the mean only free ones, where y f = 1
    u = K @ (alpha * y)  # f without its bias
    free = (alpha > 1e-8 * C) & (alpha < C - 1e-8 * C)
    return np.mean((y - u)[free])
    ### END SOLUTION


# %% check="bias_from_alpha"
check(bias_from_alpha)

# %% [markdown] key="ex-3"
# ## 6.3 Support vectors from the values of f (3 points)
#
# You know the values $f(x_i)$ of a trained support vector machine and the labels. Return True for every point whose $\alpha_i$ can be positive by step 4.
# A point exactly on a margin line can have $\alpha_i=0$; return True for it.


# %% exercise="margin_violators"
def margin_violators(f, y):
    """Whether points can be support vectors, from the values of f.

    f : (n,) array, values of a trained support vector machine at its training points
    y : (n,) array of labels -1 and 1

    Returns True for points on the margin line of their class, inside the margin or on the wrong
    side, shape (n,).
    """
    ### BEGIN SOLUTION
    # |f| ≤ 1 would miss points with y f < -1
    return y * f <= 1
    ### END SOLUTION


# %% check="margin_violators"
check(margin_violators)

# %% [markdown] key="ex-4"
# ## 6.4 One step of SMO (4 points)
#
# Implement one step of SMO, in the notation of most implementations. With the errors $E_k=f(x_k)-y_k$ and $\eta=k_{ii}+k_{jj}-2k_{ij}$:
#
# $$\alpha_j^{\text{new}}=\text{clip}\Big(\alpha_j+\frac{y_j(E_i-E_j)}\eta,\ L,\ H\Big),$$
#
# and $\alpha_i$ changes so that $\sum_k\alpha_ky_k$ is constant. $[L,H]$ is the interval of $\alpha_j$ in which *both* stay in $[0,C]$. Find it for two points of one class, and for two points of different
# classes. If $\eta\le0$ or $L=H$, return $\alpha$ unchanged. Each case of $[L,H]$ is worth one of the four points. This is step 7 of the chapter with $t=y_i(\alpha_i^{\text{new}}-\alpha_i)$.


# %% exercise="smo_pair"
def smo_pair(K, y, alpha, b, C, i, j):
    """One step of sequential minimal optimisation.

    K : (n, n) array, Gram matrix
    y : (n,) array of labels -1 and 1
    alpha : (n,) array of multipliers, 0 ≤ α ≤ C; do not change it, return a new array
    b : float, bias
    C : float > 0
    i, j : two different rows

    Returns all multipliers after the best step that changes only α_i and α_j, shape (n,).
    """
    ### BEGIN SOLUTION
    new = np.array(alpha, dtype=float)
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    if y[i] == y[j]:  # α_i + α_j is constant
        L, H = max(0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    else:  # α_j - α_i is constant
        L, H = max(0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    if eta <= 0 or L == H:
        return new
    E_i, E_j = K[[i, j]] @ (alpha * y) + b - y[[i, j]]
    # clip first; then α_i follows from the clipped step
    new[j] = np.clip(alpha[j] + y[j] * (E_i - E_j) / eta, L, H)
    new[i] += y[i] * y[j] * (alpha[j] - new[j])
    return new
    ### END SOLUTION


# %% check="smo_pair"
check(smo_pair)

# %% [markdown] key="ex-5"
# ## 6.5 Training a support vector machine (5 points)
#
# Use your `smo_pair` to train a support vector machine. Start at $\alpha=0$, choose a pair, take its step, and stop when the **duality gap** $P-D$ of your $\alpha$ and $b$ is at most `tol`. The chapter chooses the
# pair with the largest slope, but other rules also work. The check does not compare your multipliers. It computes the gap, and tests that $\alpha$ is in the box with $\sum_i\alpha_iy_i=0$.
#
# Mind three things. Rounding can leave an $\alpha_i$ at $10^{-17}$ instead of 0, and then the loop repeats steps without effect. So do not choose a pair if a multiplier would move towards a bound within $10^{-12}C$ of it. On the way, and
# sometimes at the end, no support vector is free (worth one of the five points). Which $b$ do you use then? Also stop after 20 000 steps in any case, because a mistake in `smo_pair` could make the loop endless.


# %% exercise="svm_train"
def svm_train(K, y, C, tol):
    """Train a support vector machine with smo_pair until its duality gap is small.

    K : (n, n) array, Gram matrix
    y : (n,) array of labels -1 and 1
    C : float > 0
    tol : float > 0, the largest allowed gap P - D

    Returns (alpha, b): multipliers, shape (n,), and bias, one number.
    """
    ### BEGIN SOLUTION
    alpha, room = np.zeros(len(y)), 1e-12 * C
    for _ in range(5000):  # enough for the pair with the largest slope
        u = K @ (alpha * y)  # f without its bias
        rise = np.where(y > 0, alpha < C - room, alpha > room)  # y α can increase ...
        fall = np.where(y > 0, alpha > room, alpha < C - room)  # ... or decrease
        i = np.argmax(np.where(rise, y - u, -np.inf))
        j = np.argmin(np.where(fall, y - u, np.inf))
        b = (y[i] - u[i] + y[j] - u[j]) / 2  # the midpoint: also right without free support vectors
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
# The next cell uses the 569 patients of the chapter with thirty standardised measurements each, and a plane with $C=0.1$. It trains *your* support vector machine until the gap is $10^{-5}$, and counts its support vectors.
#
# Compare with the numbers of the chapter. Why does `margin_violators` find only some of the free support vectors? Allow a gap that is a thousand times larger. What changes, and what does not? Then change $C$ to 0.01 and to 1. How many support vectors are left?

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
    support, bound = alpha > 1e-8 * C, alpha > C * (1 - 1e-8)
    D = alpha.sum() - 0.5 * (alpha * y) @ K @ (alpha * y)
    print(f"dual {D:.3f}, primal {objective:.3f}; the optimum lies between")
    print(f"{support.sum()} support vectors: {(support & ~bound).sum()} free, {bound.sum()} bound")
    print(f"malignant {(support & (y > 0)).sum()}, benign {(support & (y < 0)).sum()}")
    print(f"misclassified: {np.sum(y * f <= 0)}, all bound: {np.all(bound[y * f <= 0])}")
    print(f"bias {b:.3f}, from the free support vectors {from_free:.3f}")
    print(f"yf ≤ 1 for {np.sum(needed & bound)} bound and some free support vectors")
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
        alt="The patients in the diagram of α and yf, with the multipliers of your solver. They "
        "lie on the left edge above the dashed line at 1, on this line, or on the right edge.",
    )

# %% [markdown] key="patients-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# As in the chapter, 60 patients are support vectors, 11 of them free, and all 8 misclassified patients are bound.
#
# `margin_violators` compares with exactly 1. Free support vectors have $y_if(x_i)=1$ only up to the remaining gap, so those slightly above 1 are not found. A tolerance would find them, but also patients with
# $\alpha_i=0$. If you know $\alpha$, use $\alpha$.
#
# With a gap that is a thousand times larger, `tol = 1e-2`, there are a few more support vectors, because some small $\alpha_i$ have not yet reached 0. The bias changes by about 0.01. The number of misclassified patients and
# the first two digits of the objective do not change.
#
# A small $C=0.01$ gives more than a hundred support vectors, and nearly all are bound. $C=1$ gives 40, of which 17 are free, and takes many more steps.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: why the gap closes, and what a tolerance guarantees
#
# Use the staircase of the chapter to prove that there is no gap between (5) and (2), and to bound the gap when SMO stops. Both classes occur. Let
# $s_i=y_i-\sum_j\alpha_jy_jk(x_j,x_i)$. The set *up* contains the points whose $y_i\alpha_i$ can increase ($\alpha_i<C$ for class $+$, $\alpha_i>0$ for class $-$). The set *down* contains those whose $y_i\alpha_i$ can decrease.
#
# (a) Show that (5) has an optimal $\alpha$, and that there $s_i\le s_j$ for all $i$ in *up* and $j$ in *down*. Do not forget $\eta=0$.
#
# (b) Take a $b$ with $\max_{\text{up}}s\le b\le\min_{\text{down}}s$. Show that every point is on the staircase. What follows for $P$ and $D$?
#
# (c) SMO stops as soon as $\max_{\text{up}}s-\min_{\text{down}}s\le\tau$, and sets $b$ halfway between these two. Show that $P-D\le\frac12nC\tau$.

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) $D$ is continuous, and the feasible $\alpha$ form a closed and bounded set that contains $\alpha=0$, so $D$ has a maximum. Let $i$ be in *up* and $j$ in *down*, $i\neq j$. Small $t>0$ are feasible, and by (8)
# $D(t)-D(0)=t\,(g-\frac12t\eta)$ with $g=s_i-s_j$. If $g$ were positive, this would be positive for $0<t<2g/\eta$ (for every $t>0$ if $\eta=0$), and $\alpha$ would not be optimal.
#
# (b) Neither set is empty. If *up* were empty, class $+$ would be at $C$ and class $-$ at 0, so $\sum_i\alpha_iy_i>0$. The same argument holds for *down*. So by (a) such a $b$ exists. For class $+$, $y_if(x_i)-1=b-s_i$, and for class $-$ it is $s_i-b$. Class $+$ with $\alpha_i<C$ is in *up*, so $b\ge s_i$; with $\alpha_i>0$ it is in *down*, so
# $b\le s_i$. For class $-$ both sets and both signs are exchanged. Hence in both classes
#
# $$\alpha_i<C\ \Rightarrow\ y_if(x_i)\ge1,\qquad\alpha_i>0\ \Rightarrow\ y_if(x_i)\le1,$$
#
# which is the staircase. All products in (7) are 0, so $P=D$. Because $D\le P$ for every feasible $\alpha$ and *every* plane (step 6: another plane adds $\frac12\|w'-w\|^2$ to (7)), both are optimal. No duality theorem was used.
#
# (c) Now $b$ violates each of the two bounds by at most $\tau/2$, so $\alpha_i<C$ gives $1-y_if(x_i)\le\tau/2$, and $\alpha_i>0$ gives $y_if(x_i)-1\le\tau/2$. The term of one point in (7) is at most $(C-\alpha_i)\frac\tau2+\alpha_i\frac\tau2=\frac{C\tau}2$, and there are $n$ terms.
#
# Do not set the gradient of $D$ to 0 at the optimal $\alpha$, because $\alpha$ is constrained. Do not divide by $\eta$, which can be 0.
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# These problems have new numbers each time, as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch06_svm")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Let your `svm_train` count its steps, and choose pairs in turn or at random. How many more steps does it need? (b) Remove every patient with $\alpha_i=0$ and train again. How
# does $f$ change? (c) Choose $j$ by $g^2/\eta$. Does it need fewer steps?
