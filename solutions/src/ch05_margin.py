# %% [markdown] key="title"
# # Exercises 5: maximum margin
#
# Seven functions, from the distance of a point to a report that tells whether a solver may be trusted: what
# [chapter 5](../notebooks/ch05_margin.ipynb) does with a plane $w^\top x+b=0$ and one number $\alpha_i$ for each point, written by you. At the end a proof on paper.
#
# **How it works.** Replace `raise NotImplementedError` by your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, the check tells you *what*, and if it recognises your mistake,
# *which one*. Below it, two sections that you can open name the step of the derivation to read again and give an experiment
# that shows the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
#
# **Rules.** NumPy and SciPy, loops or matrices, as you like. Calling `kcourse.margin` or scikit-learn is refused: you are
# writing what they do.
#
# **Conventions.** Labels are $-1$ and $+1$. $\alpha_i\ge0$ comes without its label. The width of a margin is the whole of it, from edge to
# edge.

# %% key="imports"
import numpy as np
import matplotlib.pyplot as plt
from scipy.optimize import minimize
from sklearn.datasets import load_iris

from kcourse.checks import check
from kcourse.lab import show, use_style

use_style()

# %% [markdown] key="ex-1"
# ## 5.1 How far, and on which side? (3 points)
#
# Equation (1) of the chapter: positive on the side that $w$ points to. One line.


# %% exercise="signed_distance"
def signed_distance(X, w, b):
    """Signed distance of points to the plane wᵀx + b = 0.

    X : (n, d) array, points in rows
    w : (d,) array, not 0
    b : float

    Returns the signed distances, in the units of X, shape (n,).
    """
    ### BEGIN SOLUTION
    # the bracket is around b, too: without it (w, b) and 7 (w, b) would be two planes
    return (X @ w + b) / np.linalg.norm(w)
    ### END SOLUTION


# %% check="signed_distance"
check(signed_distance)

# %% [markdown] key="ex-2"
# ## 5.2 One line, one scale (3 points)
#
# $(w,b)$ separates the classes. Many pairs describe the same plane; return the one for which the nearest point has $y\,f(x)=1$. What do you scale, and what
# stays where it is?


# %% exercise="canonical"
def canonical(w, b, X, y):
    """The same plane in canonical scale.

    w : (d,) array and b : float, a plane that separates the classes
    X : (n, d) array, points
    y : (n,) array of -1 and 1

    Returns (w, b), scaled such that the smallest y_i (wᵀx_i + b) is 1.
    """
    ### BEGIN SOLUTION
    nearest = np.min(y * (X @ w + b))  # above 0, since the plane separates
    return w / nearest, b / nearest
    ### END SOLUTION


# %% check="canonical"
check(canonical)

# %% [markdown] key="ex-3"
# ## 5.3 From multipliers to a plane (4 points)
#
# The dual has been solved; what is wanted is the plane. $w$ is a sum, and each support vector knows $b$. One point is for multipliers as solvers return
# them, where a zero may be $10^{-17}$.


# %% exercise="recover_w_b"
def recover_w_b(alpha, X, y):
    """The plane of maximum margin, from optimal multipliers.

    alpha : (n,) array, optimal; what should be 0 may come as 1e-17
    X : (n, d) array, points
    y : (n,) array of -1 and 1

    Returns (w, b), in canonical scale.
    """
    ### BEGIN SOLUTION
    w = (alpha * y) @ X  # Σ α_i y_i x_i
    support = alpha > 1e-8 * alpha.max()
    # y_n (wᵀx_n + b) = 1, and 1/y_n = y_n; the mean evens out what is left of rounding
    b = np.mean(y[support] - X[support] @ w)
    return w, b
    ### END SOLUTION


# %% check="recover_w_b"
check(recover_w_b)

# %% [markdown] key="ex-4"
# ## 5.4 What is to be made large (3 points)
#
# The value of the dual at any $\alpha$, optimal or not, from a Gram matrix. Write the double sum as a product of a vector, a matrix and a vector.


# %% exercise="dual_value"
def dual_value(alpha, K, y):
    """Value of the dual of the hard margin.

    alpha : (n,) array, ≥ 0
    K : (n, n) array, Gram matrix
    y : (n,) array of -1 and 1

    Returns one number.
    """
    ### BEGIN SOLUTION
    v = alpha * y  # the labels belong into the double sum, not into the first one
    return np.sum(alpha) - 0.5 * v @ K @ v
    ### END SOLUTION


# %% check="dual_value"
check(dual_value)

# %% [markdown] key="ex-5"
# ## 5.5 How wide? (2 points)
#
# For $w$ in canonical scale.


# %% exercise="margin_width"
def margin_width(w):
    """Width of the strip -1 ≤ wᵀx + b ≤ 1.

    w : (d,) array, not 0

    Returns the width, from edge to edge, one number.
    """
    ### BEGIN SOLUTION
    return 2 / np.linalg.norm(w)  # 1/‖w‖ is half of it, and 2/‖w‖² an area
    ### END SOLUTION


# %% check="margin_width"
check(margin_width)

# %% [markdown] key="ex-6"
# ## 5.6 The perceptron (4 points)
#
# Start at $w=0$, $b=0$. Go through the points in the order of the rows; wherever $y\,f(x)\le0$, add $y\,x$ to $w$ and $y$ to $b$, at once. Then again,
# `epochs` times; a pass without mistakes ends it, since nothing would change any more.


# %% exercise="perceptron"
def perceptron(X, y, epochs):
    """The perceptron with a bias.

    X : (n, d) array, points
    y : (n,) array of -1 and 1
    epochs : int ≥ 1, passes over the points, at most

    Returns (w, b, updates), the last a count of the corrections.
    """
    ### BEGIN SOLUTION
    w, b, updates = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(epochs):
        before = updates
        for x_i, y_i in zip(X, y, strict=True):
            if y_i * (w @ x_i + b) <= 0:  # ≤, or it would never start
                w, b, updates = w + y_i * x_i, b + y_i, updates + 1
        if updates == before:
            break
    return w, b, updates
    ### END SOLUTION


# %% check="perceptron"
check(perceptron)

# %% [markdown] key="ex-7"
# ## 5.7 May this solver be trusted? (5 points)
#
# A solver returns multipliers. From them and a Gram matrix alone, without a single coordinate, report the plane's $b$ and its margin, and three numbers that tell
# whether this is the optimum: at the optimum they are 0, 1 and 0.


# %% exercise="margin_report"
def margin_report(K, y, alpha):
    """Plane, margin and optimality, from a Gram matrix and multipliers.

    K : (n, n) array, Gram matrix
    y : (n,) array of -1 and 1
    alpha : (n,) array, ≥ 0, not necessarily optimal; support vectors are the points with alpha > 0

    Returns five numbers (b, width, balance, closest, slackness):
        b : mean of y_i - Σ_j α_j y_j K_ij over all support vectors
        width : 2/‖w‖, with w = Σ α_i y_i φ(x_i)
        balance : Σ α_i y_i
        closest : the least y_i f(x_i) of all points, f with the b above
        slackness : the largest |α_i (y_i f(x_i) - 1)|
    """
    ### BEGIN SOLUTION
    v = alpha * y
    u = K @ v  # wᵀφ(x_i)
    b = np.mean((y - u)[alpha > 0])  # y - u, not 1 - u: the label counts
    m = y * (u + b)
    width = 2 / np.sqrt(v @ u)  # ‖w‖² = vᵀKv
    return b, width, np.sum(v), np.min(m), np.max(np.abs(alpha * (m - 1)))
    ### END SOLUTION


# %% check="margin_report"
check(margin_report)

# %% [markdown] key="irises"
# ### Two irises, with your own functions
#
# The next cell hands *your* `dual_value` to SciPy's general solver, with its slope, and draws the line that *your* functions make of the multipliers. Then: stop the
# solver early (`maxiter=3`) and see which of the three numbers tells. Count the petals in millimetres (`per_cm, unit = 10, "mm"`). Take one of the two supporting flowers away.

# %% key="irises-figure"
iris = load_iris()
two = iris.target < 2  # setosa, versicolor
per_cm, unit = 1, "cm"
X, y = per_cm * iris.data[two][:, 2:], np.where(iris.target[two] == 1, 1.0, -1.0)
K = X @ X.T
maxiter = 200
try:
    found = minimize(
        lambda a: -dual_value(a, K, y),
        np.zeros(len(y)),
        jac=lambda a: y * (K @ (a * y)) - 1,
        bounds=[(0, None)] * len(y),
        constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": maxiter},
    )
    alpha = np.where(found.x > 1e-6 * found.x.max(), found.x, 0.0)
    b, width, balance, closest, slackness = margin_report(K, y, alpha)
    w, _ = recover_w_b(alpha, X, y)
    far = signed_distance(X, w, b)
except NotImplementedError:
    print("First write dual_value, margin_report, recover_w_b and signed_distance.")
else:
    print(f"{np.sum(alpha > 0)} support vectors, b = {b:.4f}, width {width:.4f} {unit}")
    print(f"optimal? balance {abs(balance):.4f}, closest {closest:.4f}, slackness {slackness:.4f}")
    print(f"nearest flower {np.abs(far).min():.4f} {unit} from the line")
    fig, ax = plt.subplots(figsize=(7.2, 4))
    for label, marker, fill, name in (
        (-1, "o", "white", "setosa"),
        (1, "^", "black", "versicolor"),
    ):
        ax.plot(
            *X[y == label].T, marker, color="black", markerfacecolor=fill, markersize=5, label=name
        )
    ends = per_cm * np.array([0.5, 4.5])
    for level, style in ((0, "-"), (1, "--"), (-1, "--")):
        ax.plot(ends, (level - b - w[0] * ends) / w[1], style, color="#0072B2", linewidth=1.5)
    ax.plot(*X[alpha > 0].T, "o", markersize=14, markerfacecolor="none", color="#D55E00")
    ax.set(xlabel=f"petal length ({unit})", ylabel=f"petal width ({unit})")
    ax.set(xlim=(0.5 * per_cm, 5.3 * per_cm), ylim=(-0.1 * per_cm, 2.0 * per_cm))
    ax.legend(loc="lower right")
    show(
        fig,
        alt="Petals of two irises, the line that your functions make of the multipliers, its "
        "margin and the support vectors in rings.",
    )

# %% [markdown] key="irises-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# *Stopped after three steps* the balance is 0 all the same, since SLSQP keeps to (6) at each step. The other two tell: the closest flower has $y\,f(x)=0.84$, inside the strip, and the largest slackness
# is 0.13. Nothing that is 0 by construction can tell whether a solver has finished.
#
# *In millimetres*, all petals times 10, the line is the same: $w$ is a tenth, the width ten times 1.304 cm, and all three numbers say so. (With widths alone in millimetres it is another line: the chapter's slider.)
#
# *Without a supporting flower* the strip becomes wider, and other flowers hold it. Without one of the 98 others nothing moves.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: how many legs does a table need?
#
# The square of the chapter has four points on its strip, and $\alpha$ is not unique. How many support vectors does one *need*? Let $(w,b)$ be the widest strip in $\mathbb R^d$, and
# $\alpha$ optimal multipliers, all five conditions hold.
#
# (a) Let $v$ be a vector with $v_i=0$ where $\alpha_i=0$, $\sum_iv_iy_i=0$ and $\sum_iv_iy_ix_i=0$. Show that $\alpha+sv$ is optimal, too, for every number $s$ that leaves all its entries $\ge0$.
#
# (b) Show that $\sum_iv_i=0$. (Each support vector has $y_if(x_i)=1$.)
#
# (c) Conclude: there is always an optimal $\alpha$ with at most $d+1$ support vectors.
#
# (d) For the square, why are there two or four, and never three?

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) $w=\sum_i\alpha_iy_ix_i$ and $\sum_i\alpha_iy_i=0$ are as they were, since $v$ adds nothing to either. The points have not moved, so $y_if(x_i)\ge1$. Slackness: only where $\alpha_i>0$ can $\alpha_i+sv_i$ be other than 0, and there
# $y_if(x_i)=1$. With entries $\ge0$ these are the five conditions, and by (8) they prove the optimum.
#
# (b) $\sum_iv_i=\sum_iv_i\,y_if(x_i)=w^\top\sum_iv_iy_ix_i+b\sum_iv_iy_i=0+0$, since $y_if(x_i)=1$ wherever $v_i\ne0$. (It must be so: the sum of the multipliers is $\|w\|^2$ at each optimum.)
#
# (c) Suppose that $m>d+1$ entries of $\alpha$ are positive. The two conditions on $v$ are $d+1$ linear equations for $m$ unknowns, so some $v\ne0$ solves them, and by (b) it has a negative entry. Let $s$ grow from 0 until the first entry of $\alpha+sv$ becomes
# 0. It is optimal by (a), and has at least one support vector less. Go on until at most $d+1$ are left. In the plane three legs are enough.
#
# (d) There the only $v$, up to a factor, is $(1,-1,1,-1)$: the optima are $(t,\tfrac12-t,t,\tfrac12-t)$, $0\le t\le\tfrac12$. At either end **two** entries vanish at once, and elsewhere none does. (Two are needed at least: by (6) one of each class.)
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# Pencil-and-paper problems with new numbers each time, the same as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch05_margin")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Write a solver of your own for the dual: choose two multipliers, move along $\sum_i\alpha_iy_i=0$, clip at 0, repeat.
# (b) Run `perceptron` in 500 orders and draw the histogram of the chapter. (c) Give `margin_report` a Gaussian Gram matrix: how many support vectors now?
