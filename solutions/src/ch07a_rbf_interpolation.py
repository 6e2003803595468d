# %% [markdown] key="title"
# # Exercises 7a: RBF interpolation
#
# Four functions and a map: surfaces through every point, a count, and a network with fewer bells than points, as in
# [the first part of chapter 7](../notebooks/ch07a_rbf_interpolation.ipynb). Then mountains, drawn by what you have written, and one derivation on paper.
#
# **How it works.** Replace `raise NotImplementedError` by your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, the check tells you *what*, and if it recognises your mistake,
# *which one*. Below it, two sections that you can open name the step of the derivation to read again and give an experiment
# that shows the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
#
# **Rules.** NumPy and SciPy, loops or matrices, as you like. Calling `kcourse.rbf`, scikit-learn or `scipy.interpolate` is
# refused: you are writing what they do.
#
# **Conventions.** $\sigma$ is that of $\exp(-\|x-t\|^2/(2\sigma^2))$; $\lambda$ stands beside the *sum* of squared errors.

# %% key="imports"
import numpy as np
import matplotlib.pyplot as plt
from scipy.spatial.distance import cdist

from kcourse.checks import check
from kcourse.datasets import load_terrain
from kcourse.lab import show, table, use_style

use_style()

# %% [markdown] key="ex-1"
# ## 7a.1 Through every point (4 points)
#
# Hardy's map: a multiquadric $\varphi(r)=\sqrt{r^2+c^2}$ on each point, no constant. Which linear system has to be solved? One of the four points is for map coordinates, which may be millions of metres from 0: think of how you
# get the distances.


# %% exercise="rbf_interpolate"
def rbf_interpolate(X, y, c):
    """Weights of the interpolant s(x) = Σ_i w_i √(‖x - x_i‖² + c²).

    X : (n, d) array, distinct points in rows
    y : (n,) array, the values that s takes there
    c : float > 0, a length

    Returns the weights w, shape (n,).
    """
    ### BEGIN SOLUTION
    steps = X[:, None] - X  # differences first: squares of large coordinates would eat the digits
    Phi = np.sqrt((steps**2).sum(axis=2) + c**2)
    # invertible, but one positive and n - 1 negative eigenvalues: no Cholesky factor
    return np.linalg.solve(Phi, y)
    ### END SOLUTION


# %% check="rbf_interpolate"
check(rbf_interpolate)

# %% [markdown] key="ex-2"
# ## 7a.2 How many labellings? (3 points)
#
# Points in general position, hyperplanes through 0. By the sum or by the recursion: both are a few lines, if the edges are right.


# %% exercise="cover_count"
def cover_count(n, d):
    """Cover's count of labellings that a hyperplane through 0 can make.

    n : int ≥ 1, points in general position
    d : int ≥ 1, dimensions

    Returns how many of the 2ⁿ labellings can be made, a whole number.
    """
    ### BEGIN SOLUTION
    count = np.full(d + 1, 2)  # one point: two labellings in any dimension ...
    count[0] = 0  # ... but in none there is no hyperplane
    for _ in range(n - 1):
        count[1:] = count[1:] + count[:-1]  # C(n, d) = C(n-1, d) + C(n-1, d-1)
    return int(count[d])
    ### END SOLUTION


# %% check="cover_count"
check(cover_count)

# %% [markdown] key="ex-3"
# ## 7a.3 Fewer bells than points (5 points)
#
# $m$ Gaussian bells on given centres, a price $\lambda$ on the function: equation (10). Two of the points are for its edges: $\lambda=0$, and a centre that comes twice. Then many
# weights give one and the same function; return the shortest of them.


# %% exercise="generalized_weights"
def generalized_weights(X, y, T, sigma, lam):
    """Weights of the generalised network f(x) = Σ_j w_j exp(-‖x - t_j‖²/(2σ²)).

    X : (n, d) array, points in rows
    y : (n,) array, targets
    T : (m, d) array, centres in rows; two of them may be the same
    sigma : float > 0, width of the bells
    lam : float ≥ 0, price of the function, beside the sum of squared errors

    Returns the weights w that minimise Σ_i (y_i - f(x_i))² + λ wᵀG₀w, shape (m,);
    where there are several, the shortest.
    """
    ### BEGIN SOLUTION
    def bells(A):
        squares = ((A[:, None] - T) ** 2).sum(axis=2)
        return np.exp(-squares / (2 * sigma**2))

    G, G0 = bells(X), bells(T)  # from points to centres, and from centre to centre
    # lstsq returns the shortest solution where the system is singular
    return np.linalg.lstsq(G.T @ G + lam * G0, G.T @ y, rcond=None)[0]
    ### END SOLUTION


# %% check="generalized_weights"
check(generalized_weights)

# %% [markdown] key="ex-4"
# ## 7a.4 The sheet that bends least (5 points)
#
# A thin plate $\varphi(r)=r^2\ln r$ on each point of the plane, with the linear polynomial that it needs: system (6), then its two parts at new places. What is $\varphi(0)$? One of
# the five points is for queries that are points of $X$.


# %% exercise="thin_plate"
def thin_plate(X, y, Xq):
    """Values of the thin-plate spline through all points.

    X : (n, 2) array, distinct points, not all on one line
    y : (n,) array, the values there
    Xq : (q, 2) array, where the surface is wanted; rows of X may be among them

    Returns s(x) = Σ_i w_i φ(‖x - x_i‖) + β₀ + β₁x₁ + β₂x₂ at the rows of Xq, shape (q,).
    """
    ### BEGIN SOLUTION
    def phi(A):
        r2 = ((A[:, None] - X) ** 2).sum(axis=2)
        return 0.5 * r2 * np.log(np.where(r2 > 0, r2, 1.0))  # r² ln r = ½ r² ln r²; 0 at 0

    def linear(A):
        return np.column_stack([np.ones(len(A)), A])

    n, P = len(X), linear(X)
    # Φw + Pβ = y: through the points;  Pᵀw = 0: what makes up for β
    A = np.block([[phi(X), P], [P.T, np.zeros((3, 3))]])
    solution = np.linalg.solve(A, np.append(y, np.zeros(3)))
    return phi(Xq) @ solution[:n] + linear(Xq) @ solution[n:]
    ### END SOLUTION


# %% check="thin_plate"
check(thin_plate)

# %% [markdown] key="mountains"
# ### Your verdict
#
# 250 spots have been measured, and *your* `rbf_interpolate` and `thin_plate` draw a map each; then a satellite sends 3000 heights, and *your* `generalized_weights` puts 100 bells on some of
# them. A last line says what bowls on 2000 of the same heights would have made of them.
#
# **Predict before you run the cell:** (a) Which map is best, and by how much does the last line beat it? Then find out:
# (b) Which $c$ is best, and what becomes of the map at $c=5$ km? (c) With which $\sigma$ and $\lambda$ do 100 bells do best? Choose them on every second of the new places. (d) Report the error on the others: by how much did you flatter yourself?

# %% key="mountains-figure"
land = load_terrain()
drawn = np.random.default_rng(7).choice(len(land.y), 7000, replace=False)
X, y = land.X[drawn], land.y[drawn]  # km, m
spots, seen, new = slice(0, 250), slice(250, 3250), slice(3250, 7000)
c, sigma, lam = 0.2, 2.5, 0.1
level = y[spots].mean()
every = land.X.reshape(344, 403, 2)[::6, ::6]

try:
    w = rbf_interpolate(X[spots], y[spots] - level, c)
    centres = X[seen][:100]
    v = generalized_weights(X[seen], y[seen] - level, centres, sigma, lam)
    thin_plate(X[:4], y[:4], X[4:5])
except NotImplementedError:
    print("First write rbf_interpolate, generalized_weights and thin_plate.")
else:
    surfaces = {
        "bowls on 250 spots": lambda at: level + np.sqrt(cdist(at, X[spots]) ** 2 + c**2) @ w,
        "thin plate, 250 spots": lambda at: thin_plate(X[spots], y[spots], at),
        "100 bells, 3000 heights": lambda at: (
            level + np.exp(-(cdist(at, centres) ** 2) / (2 * sigma**2)) @ v
        ),
    }
    fig, axes = plt.subplots(1, 4, figsize=(11, 4.4), sharey=True, layout="compressed")
    off_by = {}
    maps = {"the truth": land.y.reshape(344, 403)[::6, ::6]}
    for name, surface in surfaces.items():
        error = surface(X[new]) - y[new]
        off_by[name] = np.sqrt(np.mean(error**2))
        maps[name] = surface(every.reshape(-1, 2)).reshape(every.shape[:2])
    # what the heights know: a bowl on each of the first 2000
    rims = X[seen][:2000]
    all_w = np.linalg.solve(np.sqrt(cdist(rims, rims) ** 2 + c**2), y[seen][:2000] - level)
    bowls = level + np.sqrt(cdist(X[new], rims) ** 2 + c**2) @ all_w
    off_by["bowls on 2000 heights"] = np.sqrt(np.mean((bowls - y[new]) ** 2))
    table("Root mean square error", {"surface": "", "error (m)": ".0f"}, off_by)
    print("The last one has 2000 weights to keep.")
    for ax, (name, height) in zip(axes, maps.items(), strict=True):
        greys = plt.get_cmap("gray", 9)
        extent = (0, land.X[:, 0].max(), 0, land.X[:, 1].max())
        grey = ax.imshow(height, cmap=greys, vmin=200, vmax=1100, extent=extent)
        ax.grid(False)
        ax.set(title=name, xlabel="east (km)")
    axes[0].set_ylabel("north (km)")
    fig.colorbar(grey, ax=axes, label="height (m)", location="bottom", shrink=0.5, aspect=40)
    show(
        fig,
        alt="Four maps of mountains in grey: the truth, and the three that your functions draw, "
        "two from 250 spots and one with 100 bells.",
    )

# %% [markdown] key="mountains-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# (a) A hundred bells that saw 3000 heights are the best of the three maps, 82 m against 88 and more, and 2000 bowls beat it by 37: a short map and a right one are two wishes.
#
# (b) The cone, $c\to0$, is best for the bowls, and up to 0.2 km the error rises by less than 1 m; at 5 km they are wrong by 343 m.
#
# (c) For 100 bells $\sigma=2.5$ km is best, and any $\lambda$ from 0.0001 to 0.1 will do.
#
# (d) The error on the places that chose is 82.3 m, on the others 81.6: with two numbers chosen on nearly two thousand places nobody is flattered, and which half is easier is luck.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: the sign of λ
#
# The chapter's best idea is a sign: on weights that sum to 0 a multiquadric is *negative* (step 6). Let $\Phi$ be its matrix on $n\ge3$ distinct points, $\mathbf 1$ a column of ones and $\lambda\ge0$. Smooth by
#
# $$A\begin{bmatrix}w\\b\end{bmatrix}=\begin{bmatrix}y\\0\end{bmatrix},\qquad A=\begin{bmatrix}\Phi-\lambda I&\mathbf 1\\\mathbf 1^\top&0\end{bmatrix}.$$
#
# (a) Show that there is exactly one solution, for every $\lambda\ge0$. Where does your argument fail for $\Phi+\lambda I$?
#
# (b) Let $\lambda>0$. Show that the solution, and no other, minimises $\|y-\Phi w-b\mathbf 1\|^2-\lambda\,w^\top\Phi w$ over all $b$ and all $w$ that sum to 0.
#
# (c) Show that $w_i/(A^{-1})_{ii}$ is what the surface through, or near, the *other* points misses at $x_i$, and that $(A^{-1})_{ii}$ is never 0.

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) $A$ is square, so let $y=0$ and show $w=0$, $b=0$. The first rows say $(\Phi-\lambda I)w+b\mathbf 1=0$. Multiply by $w^\top$, and $w^\top\mathbf 1=0$ removes $b$:
#
# $$w^\top\Phi w-\lambda\|w\|^2=0.$$
#
# By step 6 the first term is negative unless $w=0$, and the second is not positive. So $w=0$, and then $b=0$. With $+\lambda$ the two terms have different signs and may cancel: they do at $n-1$ values of $\lambda$, counted as often as they occur.
#
# (b) Write $r=y-\Phi w-b\mathbf 1$. The first rows of the system say $r=-\lambda w$. Go from $(w,b)$ to $(w+u,b+\beta)$ with $\mathbf 1^\top u=0$. The criterion becomes what it was, plus
#
# $$-2r^\top(\Phi u+\beta\mathbf 1)-2\lambda w^\top\Phi u\;+\;\|\Phi u+\beta\mathbf 1\|^2-\lambda u^\top\Phi u.$$
#
# With $r=-\lambda w$ and $w^\top\mathbf 1=0$ the first two terms cancel. The last two are not negative, and their sum is 0 only for $u=0$ (step 6) and so $\beta=0$. Hence every other $(w,b)$ is worse. A wrong turn: the slope in all directions of $w$. It need not vanish; only those with $\mathbf 1^\top u=0$ are allowed.
#
# (c) Let $\hat y_i$ be the value at $x_i$ of the surface from the other points. Its weights, with 0 in place $i$, solve the system in which $y_i$ is replaced by $\hat y_i$: the rows of the others hold as they did, row $i$ says that the surface is $\hat y_i$ there (its $-\lambda w_i$ is 0), and
# the weights still sum to 0. By (a) it is the only solution. Back to $y_i$: the right side changes by $y_i-\hat y_i$ in place $i$ alone, so $w_i=0+(A^{-1})_{ii}(y_i-\hat y_i)$.
#
# Is $(A^{-1})_{ii}$ ever 0? It is $w_i$ for $y=e_i$, the $i$-th unit vector. As in (a), $w^\top\Phi w-\lambda\|w\|^2=w^\top e_i=w_i$. The left side is negative unless $w=0$, and $w=0$ would mean $b\mathbf 1=e_i$, which no $b$ does. So $(A^{-1})_{ii}<0$: formula (7) always has its denominator, with $\lambda$ as well.
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# Pencil-and-paper problems with new numbers each time, the same as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch07a_rbf_interpolation")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Give `thin_plate` $\lambda$ on the diagonal of $\Phi$: with which sign? Choose it by (7): what does it do to the map? (b) Count with linear programs how
# many labellings of six points on a *circle* a line with a bias can make; then of six on a parabola. Is either in general position? (c) Add a hundred metres of noise to the 250 heights: which of the two maps suffers, and why?
