# %% [markdown] key="title"
# # Exercises 6b: ε-SVR and online learning
#
# Five functions, from the ε-insensitive loss to the choice of ε by cross-validation. They are what
# [chapter 6b](../notebooks/ch06b_svr_online.ipynb) computes. At the end your own solver forecasts a geyser, and your own perceptron
# classifies tumours one at a time. A derivation on paper ends the sheet. Support vector machines for classification have
# [their own sheet](ch06_svm_sheet.ipynb).
#
# **How it works.** Replace `raise NotImplementedError` with your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, it tells you *what*, and if it recognises your mistake,
# *which one*. Two sections that you can open show which step of the derivation to read again, and an experiment
# that exposes the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
# The check stops an endless loop after 20 seconds, on a slow computer a little later. *Kernel → Interrupt Kernel* stops it at once.
#
# **Rules.** Use NumPy and SciPy, loops or matrices, as you like. Do not call `kcourse.svm`, `kcourse.SVR` or scikit-learn,
# because you are writing what they do.
#
# **Conventions.** $\varepsilon$ is the *half* width of the tube, in the units of $y$. $\beta_i$ contains its sign, and
# $f(x)=\sum_i\beta_ik(x_i,x)+b$. Labels are $-1$ and $+1$. The online methods have no bias.

# %% key="imports"
import numpy as np
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from kcourse.checks import check
from kcourse.datasets import load_geyser
from kcourse.kernels import Gaussian
from kcourse.lab import show, table, use_style

use_style()

# %% [markdown] key="ex-1"
# ## 6b.1 ε-insensitive loss (3 points)
#
# Implement the loss of ε-SVR, equation (1) of the chapter. One of the three points is for $\varepsilon=0$.


# %% exercise="eps_insensitive"
def eps_insensitive(r, eps):
    """ε-insensitive loss.

    r : (n,) array of residuals y - f(x)
    eps : float ≥ 0, half width of the tube

    Returns the loss of each residual, shape (n,).
    """
    ### BEGIN SOLUTION
    return np.maximum(np.abs(r) - eps, 0)
    ### END SOLUTION


# %% check="eps_insensitive"
check(eps_insensitive)

# %% [markdown] key="ex-2"
# ## 6b.2 One step of the solver of ε-SVR (4 points)
#
# Implement one step of the chapter's solver for a given pair. It raises $\beta_i$ by $t\ge0$ and lowers $\beta_j$ by the same $t$. With $g=y-K\beta$, the slope of the dual (3) along this direction is
#
# $$(g_i-\varepsilon s_i)-(g_j-\varepsilon s_j).$$
#
# Here $s_i$ is the slope of $|\beta|$ at $\beta_i$ from the *right*, because $\beta_i$ rises, and $s_j$ is its slope at $\beta_j$ from the *left*. Think of the case $\beta=0$. The dual is a parabola in $t$ until a coefficient reaches 0, and its curvature is $-\eta$ with $\eta=k_{ii}+k_{jj}-2k_{ij}$.
#
# Go to the maximum of the parabola, to a bound ($C$ for $\beta_i$, $-C$ for $\beta_j$) or to a kink, whichever comes first. A coefficient that reaches 0 stops there in this step.
#
# All pairs in the check have a positive slope, as in the solver. One of the four points is for two equal inputs, of which the geyser has many. There $\eta=0$, and the parabola is a line without a maximum.


# %% exercise="svr_pair"
def svr_pair(K, y, beta, C, eps, i, j):
    """One step of the solver of ε-SVR on a pair.

    K : (n, n) array, Gram matrix
    y : (n,) array of targets
    beta : (n,) array of coefficients, -C ≤ β ≤ C; do not change it, return a new array
    C : float > 0
    eps : float ≥ 0, half width of the tube
    i, j : two different rows with a positive slope; β_i rises, β_j falls

    Returns all coefficients after the step, shape (n,).
    """
    ### BEGIN SOLUTION
    new = np.array(beta, dtype=float)
    g_i, g_j = y[[i, j]] - K[[i, j]] @ beta
    # ε is subtracted if |β| grows and added if it shrinks; from 0 it grows in both directions
    rise = g_i - eps * (1 if beta[i] >= 0 else -1)
    fall = g_j - eps * (1 if beta[j] > 0 else -1)
    slope, eta = rise - fall, K[i, i] + K[j, j] - 2 * K[i, j]
    maximum = slope / eta if eta > 0 else np.inf
    up = (C if beta[i] >= 0 else 0) - beta[i]
    down = beta[j] + (C if beta[j] <= 0 else 0)
    t = min(maximum, up, down)  # the same t for both, so that Σβ is constant
    new[i] += t
    new[j] -= t
    return new
    ### END SOLUTION


# %% check="svr_pair"
check(svr_pair)

# %% [markdown] key="ex-3"
# ## 6b.3 Pegasos (4 points)
#
# Implement Pegasos with the step (6), with $\eta_t=1/(\lambda t)$ for $t=1,2,\dots$, starting at $w=0$. There is no bias and no projection, and the last $w$ is returned instead of a mean. The order of the points
# is given, so that the check knows which points were drawn. One of the four points is for a point with $y\,w^\top x=1$ exactly.


# %% exercise="pegasos"
def pegasos(X, y, lam, order):
    """Pegasos on a given order of points.

    X : (n, d) array, points in rows
    y : (n,) array of labels -1 and 1
    lam : float > 0, λ of (λ/2)‖w‖² + mean hinge loss
    order : (T,) array of rows of X, the point of each step

    Returns w after the last step, shape (d,).
    """
    ### BEGIN SOLUTION
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        violates = y[i] * (w @ X[i]) < 1  # tested with the old w, which shrinks in both cases
        w = (1 - 1 / t) * w
        if violates:
            w = w + y[i] * X[i] / (lam * t)
    return w
    ### END SOLUTION


# %% check="pegasos"
check(pegasos)

# %% [markdown] key="ex-4"
# ## 6b.4 Budget perceptron (4 points)
#
# Implement the chapter's perceptron with a bounded memory. A mistake, $yf\le0$, enters the memory, even if the point is in it already. If there are then more than `budget` entries, the oldest entry leaves. Before the first point $f$ is 0, which counts as a mistake.
# The order of the points is given. Return the coefficients of $f(x)=\sum_ic_ik(x_i,x)$, where $c_i$ is $y_i$ times the number of entries of point $i$. One of the four points is for $f=0$.


# %% exercise="budget_perceptron"
def budget_perceptron(K, y, order, budget):
    """Kernel perceptron with a bounded memory, on a given order of points.

    K : (n, n) array, Gram matrix
    y : (n,) array of labels -1 and 1
    order : (T,) array of rows of K, the point of each step
    budget : int ≥ 1, largest number of entries in memory

    Returns the coefficients c after the last point, shape (n,).
    """
    ### BEGIN SOLUTION
    memory = []
    for i in order:
        f_i = y[memory] @ K[memory, i] if memory else 0.0
        if y[i] * f_i <= 0:
            memory.append(i)
            del memory[:-budget]  # the oldest entry; other entries of the same point stay
    c = np.zeros(len(y))
    for i in memory:
        c[i] += y[i]
    return c
    ### END SOLUTION


# %% check="budget_perceptron"
check(budget_perceptron)

# %% [markdown] key="ex-5"
# ## 6b.5 Choosing ε by cross-validation (4 points)
#
# Each of $m$ half widths $\varepsilon$ has been tried in $k$ folds. A fold is a block of $n/k$ *consecutive* points, because neighbours in time are similar. Point $i$ is in block $\lfloor ik/n\rfloor$. For each width and each block a model was trained without that block, and it forecast **all** points, also those that it had learned from. Choose the width with the smallest mean of $|y-f|$ on the *left-out* points, where each point counts once. Of equally good widths take the widest, which usually has the fewest support vectors. That is one of the four points.


# %% exercise="choose_eps"
def choose_eps(F, y, widths):
    """Half width of the tube, chosen by cross-validation.

    F : (m, k, n) array; F[a, b, i] is the forecast for point i of the model with widths[a] that
        was trained without block b
    y : (n,) array of targets, ordered in time; k divides n
    widths : (m,) array of half widths, in any order

    Returns one of the widths.
    """
    ### BEGIN SOLUTION
    m, k, n = F.shape
    block = np.arange(n) * k // n
    left_out = F[:, block, np.arange(n)]  # of each point, the forecast without its block
    # the same loss for all widths, because the ε-insensitive loss falls with ε
    errors = np.abs(y - left_out).mean(axis=1)
    return widths[errors == errors.min()].max()
    ### END SOLUTION


# %% check="choose_eps"
check(choose_eps)

# %% [markdown] key="waits"
# ### Your verdict: the geyser and the tumours, with your own functions
#
# First the geyser of the chapter. Of its 298 waiting times the first 295 are used, which makes five blocks of one size. Each is forecast from the eruption before it. The loop in the next cell is the chapter's solver with *your* `svr_pair`. It trains a model for each of six half widths without each of five blocks, and your `choose_eps` chooses. The table compares three errors of each width: on the left-out points, on the training points, and the ε-insensitive loss on the left-out points.
#
# **Predict first:** which of the three errors prefers the narrowest tube, which the widest, and which can have its minimum between them? Why?
#
# Answer for yourself: (a) What does the chosen width gain over 10 minutes, and what does it cost in support vectors? Which would you take? (b) Set `tol` to 5 minutes: what changes? (c) Set $C$ to 0.1: which width is chosen now?

# %% key="waits-figure"
geyser = load_geyser()
lasted, wait = geyser.y[:295], geyser.X[1:296, 0]
K = np.round(4096 * Gaussian(1.0)(lasted[:, None])) / 4096  # multiples of 2⁻¹²: sums are exact
widths, block = np.array([0.0, 2.5, 5.0, 10.0, 15.0, 20.0]), np.arange(295) * 5 // 295
C, tol = 10.0, 0.1  # stop if no pair has a slope above tol, in minutes


def trained(K, y, C, eps):
    beta = np.zeros(len(y))
    for _ in range(20_000):
        g = y - K @ beta
        rise = np.where(beta < C, g - eps * np.where(beta >= 0, 1, -1), -np.inf)
        fall = np.where(beta > -C, g - eps * np.where(beta > 0, 1, -1), np.inf)
        i, j = rise.argmax(), fall.argmin()
        if rise[i] - fall[j] < tol:
            break
        beta = np.round(4096 * svr_pair(K, y, beta, C, eps, i, j)) / 4096  # exact again
    return beta, (rise[i] + fall[j]) / 2


try:
    F, kept = np.zeros((6, 5, 295)), np.zeros((6, 5))
    for a, eps in enumerate(widths):
        for b in range(5):
            train = block != b
            beta, bias = trained(K[np.ix_(train, train)], wait[train], C, eps)
            F[a, b], kept[a, b] = K[:, train] @ beta + bias, np.sum(beta != 0)
    chosen = choose_eps(F, wait, widths)
    left_out = F[:, block, np.arange(295)]
    own = [eps_insensitive(wait - f, eps).mean() for f, eps in zip(left_out, widths, strict=True)]
except NotImplementedError:
    print("First write the functions of 6b.1, 6b.2 and 6b.5.")
else:
    trained_on = np.arange(5)[:, None] != block
    rows = {
        f"{eps:g} min": (
            np.abs(wait - left_out[a]).mean(),
            np.abs(wait - F[a])[trained_on].mean(),
            own[a],
            kept[a].mean(),
        )
        for a, eps in enumerate(widths)
    }
    errors = {"left-out error (min)": ".2f", "training error (min)": ".2f"}
    rest = {"ε-insensitive loss (min)": ".2f", "support vectors": ".0f"}
    table("295 waiting times, five blocks", {"ε": ""} | errors | rest, rows)
    print(f"chosen: {chosen:g} min")

# %% [markdown] key="waits-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# The training error prefers the narrowest tube, because that model follows its training points most closely. The ε-insensitive loss prefers the widest tube. For the same forecast $(|r|-\varepsilon)_+$ falls with $\varepsilon$, so each width is compared by a milder loss than the one before. The left-out error uses one loss for all widths, and it is large for a model that follows single points as well as for one that is too flat.
#
# (a) The error at 2.5 minutes is smaller than at 10 by eight seconds, but the model has 161 of 236 points as support vectors instead of 22. If the number of support vectors matters, take 10 minutes. Cross-validation compares errors only, and here it compares them on a single division into blocks.
#
# (b) The solver stops sooner and has fewer support vectors, 176 instead of 235 at $\varepsilon=0$. The errors of the first four widths change by less than a tenth of a minute, which is enough to change the choice to 0. The differences between these widths are too small to decide anything.
#
# (c) It is 0 again, and all errors are above seven minutes. With such a small $C$ no point can pull the curve far. Choose $C$ and $\varepsilon$ in one search.
#
# </details>

# %% [markdown] key="stream"
# Now the 569 tumours of the chapter, standardised, without a bias. Your `pegasos` draws 20 000 of them, and the cell prints its objective (5) times $nC$. Your `budget_perceptron` sees all of them five times, in twenty random orders. Answer for yourself: (d) How much does the accuracy vary over the twenty orders with a memory of 5, of 20 and of 100 entries? (e) What happens to `pegasos` if $\lambda$ is $1/C$?

# %% key="stream-figure"
cancer = load_breast_cancer()
X = (cancer.data - cancer.data.mean(axis=0)) / cancer.data.std(axis=0)
y = np.where(cancer.target == 0, 1.0, -1.0)  # 1: malignant
K, C = Gaussian(np.sqrt(15))(X), 0.1
sizes = (5, 20, 100)
try:
    w = pegasos(X, y, 1 / (569 * C), np.random.default_rng(0).integers(569, size=20_000))
    right = {size: [] for size in sizes}
    for seed in range(20):
        rng = np.random.default_rng(seed)
        order = np.concatenate([rng.permutation(569) for _ in range(5)])
        for size in sizes:
            c = budget_perceptron(K, y, order, size)
            right[size].append(100 * np.mean(y * (K @ c) > 0))
except NotImplementedError:
    print("First write the functions of 6b.3 and 6b.4.")
else:
    objective = 0.5 * w @ w + C * np.maximum(0, 1 - y * (X @ w)).sum()
    share = 100 * np.mean(y * (X @ w) > 0)
    print(f"Pegasos, linear: objective {objective:.2f}, training accuracy {share:.1f} %")
    fig, ax = plt.subplots(figsize=(7.2, 3.4))
    for k, size in enumerate(sizes):
        print(f"{size} entries: accuracy {min(right[size]):.0f} to {max(right[size]):.0f} %")
        ax.plot(right[size], np.full(20, k), "o", color="black", markersize=4)
    ax.set_yticks(range(3), [f"{size} entries" for size in sizes])
    ax.set(xlabel="training accuracy (%)", ylim=(-0.5, 2.5))
    show(
        fig,
        alt="Training accuracy of your budget perceptron for twenty orders of the tumours: with 5 "
        "entries in memory it varies most, with 100 least, and there it is highest.",
    )

# %% [markdown] key="stream-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# (d) In these twenty orders the accuracy is between 72 and 94 % with 5 entries, 90 and 97 % with 20, and 93 and 99 % with 100. Other orders can give a much lower accuracy with 5 entries, so twenty draws do not show the whole range. These are training points, too.
#
# (e) $\lambda$ is 569 times too large, so $w$ stays short, and the objective becomes six times as large. The accuracy is still 94 %, because the sign of $w^\top x$ does not depend on the length of $w$.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: squared excess
#
# The chapter derives (3) for a loss that is linear outside the tube. Let the excess be squared instead, with a factor ½:
#
# $$\min_{w,b}\ \tfrac12\|w\|^2+\frac C2\sum_i\big(|r_i|-\varepsilon\big)_+^2,\qquad r_i=y_i-w^\top\varphi(x_i)-b.$$
#
# (a) Write it with slacks $\xi_i,\xi_i^*$ and derive its dual from a Lagrangian. Why is the constraint $\xi_i\ge0$ not needed? What happens to the upper bound on $|\beta_i|$?
#
# (b) Write $\beta_i$ as a function of $r_i$. How does $\beta_i$ change if an outlier moves farther away?
#
# (c) Let $\varepsilon=0$. Which method is this, and what is its $\lambda$ in the course's convention?
#
# (d) What changes in your `svr_pair`?

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) The constraints are $r_i\le\varepsilon+\xi_i$ and $-r_i\le\varepsilon+\xi_i^*$, and the penalty is $\frac C2\sum_i(\xi_i^2+\xi_i^{*2})$. A negative $\xi_i$ has a larger penalty than $\xi_i=0$ and a tighter constraint, so the optimal slack is never negative. The multipliers $\mu_i,\mu_i^*$ are therefore not needed, and the Lagrangian is
#
# $$\tfrac12\|w\|^2+\sum_i\Big[\tfrac C2(\xi_i^2+\xi_i^{*2})-\alpha_i(\varepsilon+\xi_i-r_i)-\alpha_i^*(\varepsilon+\xi_i^*+r_i)\Big],\qquad\alpha_i,\alpha_i^*\ge0.$$
#
# The derivatives with respect to the slacks give $C\xi_i=\alpha_i$ and $C\xi_i^*=\alpha_i^*$. Those with respect to $b$ and $w$ give $\sum_i\beta_i=0$ and $w=\sum_i\beta_i\varphi(x_i)$ with $\beta_i=\alpha_i-\alpha_i^*$, as before. Inserting the slacks leaves $\frac{\alpha_i^2}{2C}-\frac{\alpha_i^2}C=-\frac{\alpha_i^2}{2C}$, so the dual maximises
# $y^\top\beta-\varepsilon\sum_i(\alpha_i+\alpha_i^*)-\frac1{2C}\sum_i(\alpha_i^2+\alpha_i^{*2})-\frac12\beta^\top K\beta$. If both multipliers of a point are lowered by the smaller of the two, $\beta$ is unchanged and the dual increases. So one of them is 0 at the optimum, also at $\varepsilon=0$, which gives
#
# $$\max_\beta\ y^\top\beta-\varepsilon\|\beta\|_1-\tfrac12\beta^\top\big(K+\tfrac1CI\big)\beta\qquad\text{with}\quad\sum_i\beta_i=0.$$
#
# There is no upper bound on $|\beta_i|$ any more, and $\frac1C$ is added to the diagonal. The bound came from the multiplier $\mu_i\ge0$ of $\xi_i\ge0$.
#
# (b) If $\alpha_i>0$, its constraint is active, so $r_i=\varepsilon+\xi_i=\varepsilon+\alpha_i/C$. Therefore $|\beta_i|=C\,(|r_i|-\varepsilon)_+$ with the sign of $r_i$. A point inside the tube still has $\beta_i=0$, but outside $|\beta_i|$ grows with the excess without bound. An outlier that moves farther away pulls harder, because the bound $C$ that limited its influence is gone.
#
# (c) $(K+\frac1CI)\beta+b=y$ with $\sum_i\beta_i=0$: kernel ridge regression with a free bias. Twice the objective over $C$ is $\sum_ir_i^2+\frac1C\|w\|^2$, so $\lambda=\frac1C$.
#
# (d) There are no bounds any more, but the kinks at 0 stay. The gradient is $g=y-K\beta-\beta/C$, and $\eta$ becomes $\eta+\frac2C>0$, so two equal inputs need no special case.
#
# Do not keep $\alpha_i\le C$. This bound came from $\mu_i\ge0$, and here there is no $\mu_i$.
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# These problems have new numbers each time, as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch06b_svr_online")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Let the perceptron delete the entry with the smallest $y_jf(x_j)$, or a random one. Is it more accurate on the tumours? (b) Average the coefficients of `budget_perceptron` over the last pass. How much does the accuracy then vary? (c) Let your solver continue beyond a kink while the slope is positive. How many steps does it save on the geyser? (d) Choose $C$ and $\varepsilon$ together by nested cross-validation, and estimate the error on blocks that the choice has not used.
