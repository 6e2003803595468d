# %% [markdown] key="title"
# # Exercises 5: maximum margin
#
# Seven functions, from the distance of a point to a report on the result of a solver. They are what
# [chapter 5](../notebooks/ch05_margin.ipynb) computes from a plane $w^\top x+b=0$ and one multiplier $\alpha_i$ for each point. A proof on paper ends the sheet.
#
# **How it works.** Replace `raise NotImplementedError` with your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, it tells you *what*, and if it recognises your mistake,
# *which one*. Two sections that you can open show which step of the derivation to read again, and an experiment
# that exposes the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
# The check stops an endless loop after 20 seconds, on a slow computer a little later. *Kernel → Interrupt Kernel* stops it at once.
#
# **Rules.** Use NumPy and SciPy, loops or matrices, as you like. Do not call `kcourse.margin` or scikit-learn, because
# you are writing what they do.
#
# **Conventions.** Labels are $-1$ and $+1$, and $\alpha_i\ge0$ does not contain its label. The margin is $1/\|w\|$, the distance from the plane to a
# margin line. The *width* is $2/\|w\|$, the distance between the two margin lines.

# %% key="imports"
import numpy as np
import matplotlib.pyplot as plt
from scipy.optimize import minimize
from sklearn.datasets import load_iris

from kcourse.checks import check
from kcourse.lab import show, use_style

use_style()

# %% [markdown] key="ex-1"
# ## 5.1 Signed distance from a plane (3 points)
#
# Implement equation (1) of the chapter. The distance is positive on the side that $w$ points to. One line is enough.


# %% exercise="signed_distance"
def signed_distance(X, w, b):
    """Signed distance of points to the plane wᵀx + b = 0.

    X : (n, d) array, points in rows
    w : (d,) array, not 0
    b : float

    Returns the signed distances, in the units of X, shape (n,).
    """
    ### BEGIN SOLUTION
    # divide the whole sum: (w, b) and 7 (w, b) are the same plane
    return (X @ w + b) / np.linalg.norm(w)
    ### END SOLUTION


# %% check="signed_distance"
check(signed_distance)

# %% [markdown] key="ex-2"
# ## 5.2 Canonical form (3 points)
#
# The plane $(w,b)$ separates the classes. Many pairs describe the same plane. Return the pair for which the nearest point has $y\,f(x)=1$.


# %% exercise="canonical"
def canonical(w, b, X, y):
    """The same plane in its canonical form.

    w : (d,) array and b : float, a plane that separates the classes
    X : (n, d) array, points
    y : (n,) array of -1 and 1

    Returns (w, b), scaled so that the smallest y_i (wᵀx_i + b) is 1; shape (d,) and one number.
    """
    ### BEGIN SOLUTION
    nearest = np.min(y * (X @ w + b))  # above 0, because the plane separates the classes
    return w / nearest, b / nearest
    ### END SOLUTION


# %% check="canonical"
check(canonical)

# %% [markdown] key="ex-3"
# ## 5.3 From multipliers to the plane (4 points)
#
# The dual has been solved. Compute the plane from its multipliers. $w$ is a sum, and each support vector gives $b$. One point is for multipliers as solvers
# return them, where a zero may be $10^{-17}$, so use a tolerance.


# %% exercise="recover_w_b"
def recover_w_b(alpha, X, y):
    """Maximum-margin plane from optimal multipliers.

    alpha : (n,) array, optimal multipliers; a 0 may be 1e-17
    X : (n, d) array, points
    y : (n,) array of -1 and 1

    Returns (w, b) in canonical form, shape (d,) and one number.
    """
    ### BEGIN SOLUTION
    w = (alpha * y) @ X  # Σ α_i y_i x_i
    support = alpha > 1e-8 * alpha.max()
    # y_n (wᵀx_n + b) = 1, and 1/y_n = y_n; the mean reduces rounding errors
    b = np.mean(y[support] - X[support] @ w)
    return w, b
    ### END SOLUTION


# %% check="recover_w_b"
check(recover_w_b)

# %% [markdown] key="ex-4"
# ## 5.4 The dual objective (3 points)
#
# Compute the value of the dual at any $\alpha$, optimal or not, from a Gram matrix. Write the double sum as a product of a vector, a matrix and a vector.


# %% exercise="dual_value"
def dual_value(alpha, K, y):
    """Value of the dual of the hard-margin problem.

    alpha : (n,) array, ≥ 0
    K : (n, n) array, Gram matrix
    y : (n,) array of -1 and 1

    Returns one number.
    """
    ### BEGIN SOLUTION
    v = alpha * y  # the labels belong in the double sum, not in the linear term
    return np.sum(alpha) - 0.5 * v @ K @ v
    ### END SOLUTION


# %% check="dual_value"
check(dual_value)

# %% [markdown] key="ex-5"
# ## 5.5 Width of the margin (2 points)
#
# Compute the distance between the two margin lines, for $w$ in canonical form.


# %% exercise="margin_width"
def margin_width(w):
    """Distance between the margin lines wᵀx + b = -1 and wᵀx + b = 1.

    w : (d,) array, not 0

    Returns the full width, one number.
    """
    ### BEGIN SOLUTION
    return 2 / np.linalg.norm(w)  # 1/‖w‖ is half of it
    ### END SOLUTION


# %% check="margin_width"
check(margin_width)

# %% [markdown] key="ex-6"
# ## 5.6 The perceptron (4 points)
#
# Start at $w=0$, $b=0$. Visit the points in the order of the rows. If $y\,f(x)\le0$, add $y\,x$ to $w$ and $y$ to $b$ at once. Make at most `epochs`
# passes over the points, because the classes may overlap. Stop after a pass without mistakes.


# %% exercise="perceptron"
def perceptron(X, y, epochs):
    """The perceptron with a bias.

    X : (n, d) array, points
    y : (n,) array of -1 and 1
    epochs : int ≥ 1, the largest number of passes over the points

    Returns (w, b, updates): shape (d,), one number, and the number of updates.
    """
    ### BEGIN SOLUTION
    w, b, updates = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(epochs):
        before = updates
        for x_i, y_i in zip(X, y, strict=True):
            if y_i * (w @ x_i + b) <= 0:  # with < it would never start
                w, b, updates = w + y_i * x_i, b + y_i, updates + 1
        if updates == before:
            break
    return w, b, updates
    ### END SOLUTION


# %% check="perceptron"
check(perceptron)

# %% [markdown] key="ex-7"
# ## 5.7 Checking a solver's result (5 points)
#
# A solver returns multipliers. Compute $b$ and the width of the margin from these multipliers and a Gram matrix, without coordinates. Also return three
# numbers, balance, closest and slackness, that are 0, 1 and 0 at the optimum. If only $b$ is wrong, the numbers that follow from it count as right.


# %% exercise="margin_report"
def margin_report(K, y, alpha):
    """Bias, width and conditions of optimality, from a Gram matrix and multipliers.

    K : (n, n) array, Gram matrix
    y : (n,) array of -1 and 1
    alpha : (n,) array, ≥ 0, not necessarily optimal; support vectors are the points with alpha > 0

    Returns five numbers (b, width, balance, closest, slackness):
        b : mean of y_i - Σ_j α_j y_j K_ij over all support vectors
        width : 2/‖w‖, with w = Σ α_i y_i φ(x_i)
        balance : Σ α_i y_i
        closest : the smallest y_i f(x_i) of all points, f with the b above
        slackness : the largest |α_i (y_i f(x_i) - 1)|
    """
    ### BEGIN SOLUTION
    v = alpha * y
    u = K @ v  # wᵀφ(x_i)
    b = np.mean((y - u)[alpha > 0])  # y - u, not 1 - u
    m = y * (u + b)
    width = 2 / np.sqrt(v @ u)  # ‖w‖² = vᵀKv
    return b, width, np.sum(v), np.min(m), np.max(np.abs(alpha * (m - 1)))
    ### END SOLUTION


# %% check="margin_report"
check(margin_report)

# %% [markdown] key="irises"
# ### Two irises, with your own functions
#
# The next cell passes *your* `dual_value` and its gradient to a general solver of SciPy, and draws the line that *your* functions compute from the multipliers. Then
# stop the solver early (`maxiter=3`). Which of the three numbers shows it? Measure the petals in millimetres (`per_cm, unit = 10, "mm"`). Remove one of the two support vectors.

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
        alt="Petals of two irises, the line that your functions compute from the multipliers, "
        "its margin lines, and rings around the support vectors.",
    )

# %% [markdown] key="irises-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# *After three steps* the balance is still 0, because SLSQP satisfies (6) at each step. The other two numbers show that the solver has not finished. The closest flower has $y\,f(x)=0.84$, inside the margin,
# and the largest slackness is 0.13. A number that is 0 by construction cannot show whether a solver has finished.
#
# *In millimetres* the line is the same. All petals are multiplied by 10, so $w$ is divided by 10 and the width is ten times 1.304 cm. If only the petal widths are in millimetres, the line is another one.
#
# *Without a support vector* the margin becomes wider here, and other flowers become support vectors. Without one of the 98 others nothing changes.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: how many support vectors are needed?
#
# The square of the chapter has four points on its margin lines, and $\alpha$ is not unique. How many support vectors are *needed*? Let $(w,b)$ be the maximum-margin plane in $\mathbb R^d$, and
# let $\alpha$ be optimal multipliers, so that all five conditions hold.
#
# (a) Let $v$ be a vector with $v_i=0$ where $\alpha_i=0$, $\sum_iv_iy_i=0$ and $\sum_iv_iy_ix_i=0$. Show that $\alpha+sv$ is also optimal for every number $s$ for which all its entries are $\ge0$.
#
# (b) Show that $\sum_iv_i=0$. (Each support vector has $y_if(x_i)=1$.)
#
# (c) Conclude that there is always an optimal $\alpha$ with at most $d+1$ support vectors.
#
# (d) Why does the square have two or four support vectors, but never three?

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) $w=\sum_i\alpha_iy_ix_i$ and $\sum_i\alpha_iy_i=0$ do not change, because $v$ adds 0 to both. The plane is the same, so $y_if(x_i)\ge1$. Complementary slackness holds, because $\alpha_i+sv_i$ can differ from 0 only where $\alpha_i>0$, and there
# $y_if(x_i)=1$. With entries $\ge0$ these are the five conditions, and by (8) they prove that $\alpha+sv$ is optimal.
#
# (b) $\sum_iv_i=\sum_iv_i\,y_if(x_i)=w^\top\sum_iv_iy_ix_i+b\sum_iv_iy_i=0+0$, because $y_if(x_i)=1$ wherever $v_i\ne0$. This agrees with $\sum_i\alpha_i=\|w\|^2$, which holds at each optimum.
#
# (c) Suppose that $m>d+1$ entries of $\alpha$ are positive. The two conditions on $v$ are $d+1$ linear equations for $m$ unknowns, so some $v\ne0$ solves them, and by (b) it has a negative entry. Increase $s$ from 0 until the first
# entry of $\alpha+sv$ becomes 0. This $\alpha+sv$ is optimal by (a) and has at least one support vector fewer. Repeat until at most $d+1$ are left. For points in the plane, three are enough.
#
# (d) For the square, $v$ is a multiple of $(1,-1,1,-1)$, so the optima are $(t,\tfrac12-t,t,\tfrac12-t)$ with $0\le t\le\tfrac12$. At both ends **two** entries become 0 together, and elsewhere none is 0. By (6) at least one of each class is needed.
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# These problems have new numbers each time, as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch05_margin")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Write your own solver for the dual. Choose two multipliers, move along $\sum_i\alpha_iy_i=0$, clip at 0, and repeat.
# (b) Run `perceptron` in 500 orders and draw the histogram of the chapter. (c) Pass a Gaussian Gram matrix to `margin_report`. How many support vectors are there?
