# %% [markdown] key="title"
# # Exercises 6b: ε-SVR, and learning on line
#
# Five functions, from a loss in one line to a width that folds choose: what [chapter 6b](../notebooks/ch06b_svr_online.ipynb) does, written by you. In the end
# your own solver forecasts a geyser, and your own perceptron meets patients one at a time. The last derivation is on paper. The first part, the machine, has
# [a sheet of its own](ch06_svm_sheet.ipynb).
#
# **How it works.** Replace `raise NotImplementedError` by your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, the check tells you *what*, and if it recognises your mistake,
# *which one*. Below it, two sections that you can open name the step of the derivation to read again and give an experiment
# that shows the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
#
# **Rules.** NumPy and SciPy, loops or matrices, as you like. Calling `kcourse.svm`, `kcourse.SVR` or scikit-learn is refused: you are
# writing what they do.
#
# **Conventions.** $\varepsilon$ is the *half* width of the tube, in the units of $y$. $\beta_i$ has its sign with it, and $f(x)=\sum_i\beta_ik(x_i,x)+b$. Labels are $-1$ and $+1$;
# on line there is no bias.

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
# ## 6b.1 The tube (3 points)
#
# The loss of ε-SVR, equation (1). One line. One point is for a tube without width.


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
# ## 6b.2 Two at a time, with a kink (4 points)
#
# One step of the chapter's solver, *A solver, two at a time*, for a pair that is given: raise $\beta_i$ by $t\ge0$ and lower $\beta_j$ by the same $t$. With $g=y-K\beta$ the slope of (3) along the way is
#
# $$(g_i-\varepsilon s_i)-(g_j-\varepsilon s_j),$$
#
# where $s_i$ is the slope of $|\beta|$ at $\beta_i$ from the *right*, and $s_j$ that at $\beta_j$ from the *left*: think of $\beta=0$. The parabola bends by $\eta=k_{ii}+k_{jj}-2k_{ij}$. Go to its top, to the wall ($C$ for $\beta_i$, $-C$ for $\beta_j$) or to a kink (a coefficient that comes to 0 stops there, in this step), whichever comes first.
#
# The solver asks for pairs with a positive slope, and so does the check. One of the four points is for two points in one place, $\eta=0$, of which the geyser has many: the parabola is a line there, and has no top.


# %% exercise="svr_pair"
def svr_pair(K, y, beta, C, eps, i, j):
    """One step of the solver of ε-SVR, on a pair.

    K : (n, n) array, Gram matrix
    y : (n,) array of targets
    beta : (n,) array of coefficients, -C ≤ β ≤ C; leave it as it is and return another
    C : float > 0
    eps : float ≥ 0, half width of the tube
    i, j : two different rows, of a positive slope; β_i rises, β_j falls

    Returns all coefficients after the step, shape (n,).
    """
    ### BEGIN SOLUTION
    new = np.array(beta, dtype=float)
    g_i, g_j = y[[i, j]] - K[[i, j]] @ beta
    # what leaves 0 pays ε, what comes nearer to 0 gets it back; at 0 both directions leave
    rise = g_i - eps * (1 if beta[i] >= 0 else -1)
    fall = g_j - eps * (1 if beta[j] > 0 else -1)
    slope, eta = rise - fall, K[i, i] + K[j, j] - 2 * K[i, j]
    top = slope / eta if eta > 0 else np.inf
    up = (C if beta[i] >= 0 else 0) - beta[i]
    down = beta[j] + (C if beta[j] <= 0 else 0)
    t = min(top, up, down)  # one t for both: so Σβ stays
    new[i] += t
    new[j] -= t
    return new
    ### END SOLUTION


# %% check="svr_pair"
check(svr_pair)

# %% [markdown] key="ex-3"
# ## 6b.3 One point at a time (4 points)
#
# Pegasos, the step (6), with $\eta_t=1/(\lambda t)$ and $t$ from 1 on, starting at $w=0$. No bias, no projection, no mean; so that the check knows which points
# were drawn, the order is given. For one of the four points, somebody comes with $y\,w^\top x=1$ exactly.


# %% exercise="pegasos"
def pegasos(X, y, lam, order):
    """Pegasos on a given stream.

    X : (n, d) array, points in rows
    y : (n,) array of labels -1 and 1
    lam : float > 0, λ of (λ/2)‖w‖² + mean of the hinges
    order : (T,) array of rows of X, the point of each step

    Returns w after the last step, shape (d,).
    """
    ### BEGIN SOLUTION
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        hit = y[i] * (w @ X[i]) < 1  # by the w from before the step, which shrinks in any case
        w = (1 - 1 / t) * w
        if hit:
            w = w + y[i] * X[i] / (lam * t)
    return w
    ### END SOLUTION


# %% check="pegasos"
check(pegasos)

# %% [markdown] key="ex-4"
# ## 6b.4 A memory with an end (4 points)
#
# The perceptron of *On a budget*: whoever is a mistake, $yf\le0$, enters the memory, again if need be; and if that is one too many, the oldest entry goes. Before the first point $f$ is 0, which is a mistake.
# So that the check knows who passed, the order is given. What comes back is the machine: the coefficients of $f(x)=\sum_ic_ik(x_i,x)$, so $c_i$ is $y_i$ times how often $i$ stands in the memory. For one of the four points, somebody comes late with $f=0$ exactly.


# %% exercise="budget_perceptron"
def budget_perceptron(K, y, order, budget):
    """Kernel perceptron on a given stream, with a bounded memory.

    K : (n, n) array, Gram matrix
    y : (n,) array of labels -1 and 1
    order : (T,) array of rows of K, the point of each step
    budget : int ≥ 1, entries in memory at most

    Returns the coefficients c after the last point, shape (n,).
    """
    ### BEGIN SOLUTION
    memory = []
    for i in order:
        f_i = y[memory] @ K[memory, i] if memory else 0.0
        if y[i] * f_i <= 0:
            memory.append(i)
            del memory[:-budget]  # the oldest first; an entry, not a point: copies stay
    c = np.zeros(len(y))
    for i in memory:
        c[i] += y[i]
    return c
    ### END SOLUTION


# %% check="budget_perceptron"
check(budget_perceptron)

# %% [markdown] key="ex-5"
# ## 6b.5 How wide? (4 points)
#
# Each of $m$ widths has been tried in $k$ folds: blocks of $n/k$ *consecutive* points, point $i$ in block $\lfloor ik/n\rfloor$, not shuffled, since neighbours in time are alike. For each width and each block a machine was trained without that block, and asked about **all** points, those that it had learnt from, too. Choose the width that forecasts best *what was left out*: by the mean of $|y-f|$ over all points, each judged once. Of equally good widths take the widest: it nearly always keeps the fewest points. (That is one of the four points.)


# %% exercise="choose_eps"
def choose_eps(F, y, widths):
    """The half width of a tube, chosen by folds.

    F : (m, k, n) array; F[a, b, i] is what the machine of widths[a] that was trained without
        block b says of point i
    y : (n,) array of targets in the order of time; k divides n
    widths : (m,) array of half widths, in any order

    Returns one of the widths.
    """
    ### BEGIN SOLUTION
    m, k, n = F.shape
    block = np.arange(n) * k // n
    left_out = F[:, block, np.arange(n)]  # of each point, what the fit says that has not seen it
    # the same loss for all: a tube's own loss forgives the more the wider it is
    errors = np.abs(y - left_out).mean(axis=1)
    return widths[errors == errors.min()].max()
    ### END SOLUTION


# %% check="choose_eps"
check(choose_eps)

# %% [markdown] key="waits"
# ### Your verdict: a geyser and a stream, with your own functions
#
# First the geyser of the chapter: 295 waits, each forecast from the eruption before it. The loop in the next cell is the chapter's solver with *your* `svr_pair` in it; it trains a machine for each of six widths without each of five blocks, and your `choose_eps` chooses. Beside it, what the training errors would have chosen, and each tube's own loss.
#
# **Predict first:** which of the three prefers the narrowest tube, which the widest, and which can have its least inside the list? Why?
#
# Answer for yourself: (a) What does the chosen width gain over 10 minutes, and what does it cost in points kept? Which would you take? (b) Set `tol` to 5 minutes: what changes? (c) Set $C$ to 0.1: which width is chosen now?

# %% key="waits-figure"
geyser = load_geyser()
lasted, wait = geyser.y[:295], geyser.X[1:296, 0]
K = np.round(4096 * Gaussian(1.0)(lasted[:, None])) / 4096  # sums of such numbers are exact,
widths, block = np.array([0.0, 2.5, 5.0, 10.0, 15.0, 20.0]), np.arange(295) * 5 // 295
C, tol = 10.0, 0.1  # tol in minutes: no pair has a greater slope


def trained(K, y, C, eps):
    beta = np.zeros(len(y))
    for _ in range(20_000):
        g = y - K @ beta
        rise = np.where(beta < C, g - eps * np.where(beta >= 0, 1, -1), -np.inf)
        fall = np.where(beta > -C, g - eps * np.where(beta > 0, 1, -1), np.inf)
        i, j = rise.argmax(), fall.argmin()
        if rise[i] - fall[j] < tol:
            break
        beta = np.round(4096 * svr_pair(K, y, beta, C, eps, i, j)) / 4096  # on every processor
    return beta, (rise[i] + fall[j]) / 2


try:
    F, kept = np.zeros((6, 5, 295)), np.zeros((6, 5))
    for a, eps in enumerate(widths):
        for b in range(5):
            seen = block != b
            beta, bias = trained(K[np.ix_(seen, seen)], wait[seen], C, eps)
            F[a, b], kept[a, b] = K[:, seen] @ beta + bias, np.sum(beta != 0)
    chosen = choose_eps(F, wait, widths)
    said = F[:, block, np.arange(295)]
    own = [eps_insensitive(wait - f, eps).mean() for f, eps in zip(said, widths, strict=True)]
except NotImplementedError:
    print("First write the functions of 6b.1, 6b.2 and 6b.5.")
else:
    learnt = np.arange(5)[:, None] != block
    rows = {
        f"{eps:g} min": (
            np.abs(wait - said[a]).mean(),
            np.abs(wait - F[a])[learnt].mean(),
            own[a],
            kept[a].mean(),
        )
        for a, eps in enumerate(widths)
    }
    columns = {"left out (min)": ".2f", "learnt (min)": ".2f", "own loss (min)": ".2f"}
    table("295 waits, five blocks", {"ε": ""} | columns | {"points kept": ".0f"}, rows)
    print(f"chosen: {chosen:g} min")

# %% [markdown] key="waits-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# Here the errors of what was learnt prefer the narrowest, 0 minutes: a narrow tube follows its own points. Each tube's own loss prefers the widest, 20 minutes: for one and the same forecast $(|r|-\varepsilon)_+$ falls with $\varepsilon$, so that each width is judged by a milder measure than the last. What was left out, by one loss for all, punishes both: who follows his own points, and who follows none.
#
# (a) 2.5 minutes is ahead of 10 by eight seconds, and keeps 161 of 236 points where 10 keeps 22. Whoever carries the points takes 10: folds cannot know that you want few points, and they judge by one set of blocks.
#
# (b) The solver stops sooner and keeps fewer points, 176 instead of 235 at $\varepsilon=0$. The errors of the first four widths move by less than a tenth of a minute, which is enough to move the choice, to 0. What so little decides was not worth deciding.
#
# (c) 0 again, and with all widths over seven minutes: under so low a lid nobody can pull the curve far. Price and width belong into one search.
#
# </details>

# %% [markdown] key="stream"
# Now the 569 patients of the chapter, standardised, without a bias. Your `pegasos` draws 20 000 of them and is judged by its objective (5), times $nC$; your `budget_perceptron` sees all of them five times, in twenty orders. Answer for yourself: (d) How wide is the spread of twenty orders with 5 in memory, with 20, with 100? (e) What becomes of `pegasos` if $\lambda$ is $1/C$?

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
        lot = np.random.default_rng(seed)
        order = np.concatenate([lot.permutation(569) for _ in range(5)])
        for size in sizes:
            c = budget_perceptron(K, y, order, size)
            right[size].append(100 * np.mean(y * (K @ c) > 0))
except NotImplementedError:
    print("First write the functions of 6b.3 and 6b.4.")
else:
    objective = 0.5 * w @ w + C * np.maximum(0, 1 - y * (X @ w)).sum()
    share = 100 * np.mean(y * (X @ w) > 0)
    print(f"Pegasos, a plane: objective {objective:.2f}, right {share:.1f} %")
    fig, ax = plt.subplots(figsize=(7.2, 3.4))
    for k, size in enumerate(sizes):
        print(f"{size} in memory: right {min(right[size]):.0f} to {max(right[size]):.0f} %")
        ax.plot(right[size], np.full(20, k), "o", color="black", markersize=4)
    ax.set_yticks(range(3), [f"{size} in memory" for size in sizes])
    ax.set(xlabel="right, of the 569 (%)", ylim=(-0.5, 2.5))
    show(
        fig,
        alt="Accuracy of your budget perceptron for twenty orders of the patients: with 5 in "
        "memory the dots are scattered widely, with 20 less, with 100 least, far to the right.",
    )

# %% [markdown] key="stream-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# (d) From 72 to 94 per cent with 5 in memory, 90 to 97 with 20, 93 to 99 with 100, in these twenty orders; the chapter's 120 go down to 38 with 5. Twenty draws do not show how wide a spread is. And these are patients that it has seen.
#
# (e) $\lambda$ is 569 times too large, and $w$ stays short: the objective becomes six times as large. It still is right on 94 per cent: a sign does not ask how long $w$ is.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: squares outside the tube
#
# The chapter derives (3) for a price that rises in proportion. Let the excess be squared instead, with a factor ½:
#
# $$\min_{w,b}\ \tfrac12\|w\|^2+\frac C2\sum_i\big(|r_i|-\varepsilon\big)_+^2,\qquad r_i=y_i-w^\top\varphi(x_i)-b.$$
#
# (a) Write it with slacks $\xi_i,\xi_i^*$ and derive its dual from a Lagrangian. Why does nothing have to be said of $\xi_i\ge0$? What has become of the box?
#
# (b) Where does a point lie in the plane of $\beta$ and $r$ now? What does a reading that sticks at 400 g in place of 200 g do to its pull?
#
# (c) Let $\varepsilon=0$. Which machine is this, and what is its $\lambda$ in the course's convention?
#
# (d) What changes in your `svr_pair`?

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) With $r_i\le\varepsilon+\xi_i$ and $-r_i\le\varepsilon+\xi_i^*$ and the price $\frac C2\sum_i(\xi_i^2+\xi_i^{*2})$. A negative $\xi_i$ only narrows what is allowed and costs more than $\xi_i=0$ does, so the best one is never negative, and $\mu_i,\mu_i^*$ are not needed:
#
# $$\tfrac12\|w\|^2+\sum_i\Big[\tfrac C2(\xi_i^2+\xi_i^{*2})-\alpha_i(\varepsilon+\xi_i-r_i)-\alpha_i^*(\varepsilon+\xi_i^*+r_i)\Big],\qquad\alpha_i,\alpha_i^*\ge0.$$
#
# Stationary in $\xi_i$: $C\xi_i=\alpha_i$, and $C\xi_i^*=\alpha_i^*$. In $b$ and $w$ as before, with $\beta_i=\alpha_i-\alpha_i^*$: $\sum_i\beta_i=0$ and $w=\sum_i\beta_i\varphi(x_i)$. Put in, the slacks leave $\frac{\alpha_i^2}{2C}-\frac{\alpha_i^2}C=-\frac{\alpha_i^2}{2C}$, and
# $y^\top\beta-\varepsilon\sum_i(\alpha_i+\alpha_i^*)-\frac1{2C}\sum_i(\alpha_i^2+\alpha_i^{*2})-\frac12\beta^\top K\beta$ is to be made large. Lowering both multipliers of a point by the smaller one leaves $\beta$ and gains, so one of them is 0 at the best, also at $\varepsilon=0$:
#
# $$\max_\beta\ y^\top\beta-\varepsilon\|\beta\|_1-\tfrac12\beta^\top\big(K+\tfrac1CI\big)\beta\qquad\text{with}\quad\sum_i\beta_i=0.$$
#
# The box is gone, and $\frac1C$ has come to the diagonal: the lid was the multiplier $\mu_i\ge0$ of $\xi_i\ge0$.
#
# (b) A multiplier that is not 0 has its constraint tight: $\alpha_i>0$ gives $r_i=\varepsilon+\xi_i=\varepsilon+\alpha_i/C$. So $|\beta_i|=C\,(|r_i|-\varepsilon)_+$, with the sign of $r_i$. No staircase but a ramp: inside the tube still no say, outside a pull that grows with the excess and has no end. A reading that sticks farther out pulls harder. What protected the curve was the lid, and it is gone.
#
# (c) $(K+\frac1CI)\beta+b=y$ with $\sum_i\beta_i=0$: kernel ridge regression with a free bias. Twice the objective over $C$ is $\sum_ir_i^2+\frac1C\|w\|^2$, so $\lambda=\frac1C$.
#
# (d) The walls are gone, the kinks at 0 stay. $g=y-K\beta-\beta/C$, and the parabola bends by $\eta+\frac2C>0$: two points in one place need no word of their own.
#
# A wrong turn: to keep $\alpha_i\le C$ out of habit. It came from $\mu_i\ge0$, and there is no $\mu_i$.
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# Pencil-and-paper problems with new numbers each time, the same as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch06b_svr_online")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Let the perceptron forget the entry with the smallest $y_jf(x_j)$, or one drawn by lot: does it do better on the patients? (b) Average the coefficients of `budget_perceptron` over the last pass: what becomes of the spread? (c) Let your solver go on beyond a kink while the slope allows: how many steps does it save on the geyser? (d) Choose $C$ and $\varepsilon$ together, inside the folds, and judge the choice by blocks that it has not seen.
