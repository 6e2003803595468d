# %% [markdown] key="title"
# # Exercises 7a: RBF interpolation
#
# Three functions and a map. You write two interpolants and a model with fewer basis functions than points, as in
# [chapter 7a](../notebooks/ch07a_rbf_interpolation.ipynb). Then your functions draw mountains, and a derivation on paper ends the sheet.
#
# **How it works.** Replace `raise NotImplementedError` with your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, it tells you *what*, and if it recognises your mistake,
# *which one*. Two sections that you can open show which step of the derivation to read again, and an experiment
# that exposes the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
# The check stops an endless loop after 20 seconds, on a slow computer a little later. *Kernel → Interrupt Kernel* stops it at once.
#
# **Rules.** Use NumPy and SciPy, loops or matrices, as you like. Do not call `kcourse.rbf`, scikit-learn or `scipy.interpolate`,
# because you are writing what they do.
#
# **Conventions.** $\sigma$ is the width in $\exp(-\|x-t\|^2/(2\sigma^2))$, and $\lambda$ multiplies the penalty next to the *sum* of squared errors.

# %% key="imports"
import numpy as np
import matplotlib.pyplot as plt
from scipy.spatial.distance import cdist

from kcourse.checks import check
from kcourse.datasets import load_terrain
from kcourse.lab import show, table, use_style

use_style()

# %% [markdown] key="ex-1"
# ## 7a.1 Interpolation with multiquadrics (4 points)
#
# Compute the weights of Hardy's interpolant, with a multiquadric $\varphi(r)=\sqrt{r^2+c^2}$ on each point and no constant. Which linear system must be solved? One of the four points is for $n=1$, and one is for map coordinates, which can be millions of metres from 0. Think of
# how you compute the distances.


# %% exercise="rbf_interpolate"
def rbf_interpolate(X, y, c):
    """Weights of the interpolant s(x) = Σ_i w_i √(‖x - x_i‖² + c²).

    X : (n, d) array, distinct points in rows
    y : (n,) array, the values of s at these points
    c : float > 0, in the units of X

    Returns the weights w, shape (n,).
    """
    ### BEGIN SOLUTION
    steps = X[:, None] - X  # differences of large squares would lose precision
    Phi = np.sqrt((steps**2).sum(axis=2) + c**2)
    # one positive and n - 1 negative eigenvalues, so there is no Cholesky factor
    return np.linalg.solve(Phi, y)
    ### END SOLUTION


# %% check="rbf_interpolate"
check(rbf_interpolate)

# %% [markdown] key="ex-2"
# ## 7a.2 Fewer basis functions than points (5 points)
#
# Compute the weights of $m$ Gaussians on given centres, with the penalty $\lambda$ on the function, equation (7). One of the five points is for $\lambda=0$, and one is for a centre that occurs twice. Then many
# weights give the same function. Return the $w$ with the smallest $\|w\|$.


# %% exercise="generalized_weights"
def generalized_weights(X, y, T, sigma, lam):
    """Weights of f(x) = Σ_j w_j exp(-‖x - t_j‖²/(2σ²)) with m centres.

    X : (n, d) array, points in rows
    y : (n,) array, targets
    T : (m, d) array, centres in rows; two of them may be the same
    sigma : float > 0, width of the Gaussians
    lam : float ≥ 0, penalty of the function, next to the sum of squared errors

    Returns the weights w that minimise Σ_i (y_i - f(x_i))² + λ wᵀG₀w, shape (m,);
    if there are several, the one with the smallest ‖w‖.
    """
    ### BEGIN SOLUTION
    def gaussians(A):
        squares = ((A[:, None] - T) ** 2).sum(axis=2)
        return np.exp(-squares / (2 * sigma**2))

    G, G0 = gaussians(X), gaussians(T)
    # lstsq returns the shortest solution if the system is singular
    return np.linalg.lstsq(G.T @ G + lam * G0, G.T @ y, rcond=None)[0]
    ### END SOLUTION


# %% check="generalized_weights"
check(generalized_weights)

# %% [markdown] key="ex-3"
# ## 7a.3 Thin-plate spline (5 points)
#
# Put $\varphi(r)=r^2\ln r$ on each point of the plane, and add the linear polynomial that it needs. Solve system (3), then compute $s$ at the queries. What is $\varphi(0)$? One of
# the five points is for queries that are points of $X$.


# %% exercise="thin_plate"
def thin_plate(X, y, Xq):
    """Values of the thin-plate spline through all points.

    X : (n, 2) array, distinct points, not all on one line
    y : (n,) array, the values at these points
    Xq : (q, 2) array of queries; rows of X may be among them

    Returns s(x) = Σ_i w_i φ(‖x - x_i‖) + β₀ + β₁x₁ + β₂x₂ at the rows of Xq, shape (q,).
    """
    ### BEGIN SOLUTION
    def phi(A):
        r2 = ((A[:, None] - X) ** 2).sum(axis=2)
        return 0.5 * r2 * np.log(np.where(r2 > 0, r2, 1.0))  # r² ln r = ½ r² ln r²; 0 at 0

    def linear(A):
        return np.column_stack([np.ones(len(A)), A])

    n, P = len(X), linear(X)
    # Φw + Pβ = y interpolates, and Pᵀw = 0 are three equations for β
    A = np.block([[phi(X), P], [P.T, np.zeros((3, 3))]])
    solution = np.linalg.solve(A, np.append(y, np.zeros(3)))
    return phi(Xq) @ solution[:n] + linear(Xq) @ solution[n:]
    ### END SOLUTION


# %% check="thin_plate"
check(thin_plate)

# %% [markdown] key="mountains"
# ### Your verdict
#
# The heights of 250 spots are known, and *your* `rbf_interpolate` and `thin_plate` draw a map from them. Then a satellite measures 3000 heights, and *your* `generalized_weights` draws a map with 100 Gaussians centred at some of
# them. The last row of the table is the error of 2000 multiquadrics on the same heights.
#
# **Predict before you run the cell:** (a) Which of the three maps has the smallest error, and how much smaller is the error in the last row? Then find out:
# (b) Which $c$ is best, and what happens to the map at $c=5$ km? (c) Which $\sigma$ and $\lambda$ are best for 100 Gaussians? Choose them on every second of the new locations. (d) Report the error on the other locations. How much smaller was the error on those that you used for the choice?

# %% key="mountains-figure"
land = load_terrain()
drawn = np.random.default_rng(7).choice(len(land.y), 7000, replace=False)
X, y = land.X[drawn], land.y[drawn]  # km, m
spots, satellite, new = slice(0, 250), slice(250, 3250), slice(3250, 7000)
c, sigma, lam = 0.2, 2.5, 0.1
mean = y[spots].mean()
every = land.X.reshape(344, 403, 2)[::6, ::6]

try:
    w = rbf_interpolate(X[spots], y[spots] - mean, c)
    centres = X[satellite][:100]
    v = generalized_weights(X[satellite], y[satellite] - mean, centres, sigma, lam)
    thin_plate(X[:4], y[:4], X[4:5])
except NotImplementedError:
    print("First write rbf_interpolate, generalized_weights and thin_plate.")
else:
    surfaces = {
        "multiquadrics, 250 spots": lambda at: mean + np.sqrt(cdist(at, X[spots]) ** 2 + c**2) @ w,
        "thin plate, 250 spots": lambda at: thin_plate(X[spots], y[spots], at),
        "100 Gaussians, 3000 heights": lambda at: (
            mean + np.exp(-(cdist(at, centres) ** 2) / (2 * sigma**2)) @ v
        ),
    }
    fig, axes = plt.subplots(1, 4, figsize=(11, 4.4), sharey=True, layout="compressed")
    rmse = {}
    maps = {"the truth": land.y.reshape(344, 403)[::6, ::6]}
    for name, surface in surfaces.items():
        error = surface(X[new]) - y[new]
        rmse[name] = np.sqrt(np.mean(error**2))
        maps[name] = surface(every.reshape(-1, 2)).reshape(every.shape[:2])
    many, heights = X[satellite][:2000], y[satellite][:2000]
    all_w = np.linalg.solve(np.sqrt(cdist(many, many) ** 2 + c**2), heights - mean)
    predicted = mean + np.sqrt(cdist(X[new], many) ** 2 + c**2) @ all_w
    rmse["multiquadrics, 2000 heights"] = np.sqrt(np.mean((predicted - y[new]) ** 2))
    table("Error at 3750 new locations", {"surface": "", "RMSE (m)": ".0f"}, rmse)
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
        "two from 250 spots and one with 100 Gaussians.",
    )

# %% [markdown] key="mountains-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# (a) The map of 100 Gaussians from 3000 heights has the smallest RMSE of the three, 82 m instead of 88 m or more. With 2000 multiquadrics the RMSE is smaller by another 37 m, but this map needs twenty times as many weights.
#
# (b) The smallest RMSE is that of $c\to0$, the cone. Up to $c=0.2$ km it rises by less than 1 m. At 5 km it is 343 m.
#
# (c) For 100 Gaussians $\sigma=2.5$ km is best, and every $\lambda$ from 0.0001 to 0.1 is about as good.
#
# (d) The RMSE is 82.3 m on the locations that you used for the choice, and 81.6 m on the others. Two parameters that are chosen on nearly two thousand locations hardly overfit them.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: the sign of λ for multiquadrics
#
# On weights $w\ne0$ that sum to 0, the multiquadric has $w^\top\Phi w<0$ (step 2). Let $\Phi$ be its matrix on $n\ge3$ distinct points, $\mathbf 1$ a column of ones and $\lambda\ge0$. A smooth surface is given by the system
#
# $$A\begin{bmatrix}w\\b\end{bmatrix}=\begin{bmatrix}y\\0\end{bmatrix},\qquad A=\begin{bmatrix}\Phi-\lambda I&\mathbf 1\\\mathbf 1^\top&0\end{bmatrix}.$$
#
# (a) Show that it has exactly one solution for every $\lambda\ge0$. Where does your argument fail for $\Phi+\lambda I$?
#
# (b) Let $\lambda>0$. Show that the solution, and no other, minimises $\|y-\Phi w-b\mathbf 1\|^2-\lambda\,w^\top\Phi w$ over all $b$ and all $w$ that sum to 0.
#
# (c) Show that $w_i/(A^{-1})_{ii}$ is the leave-one-out residual at $x_i$, the difference of $y_i$ and the surface of the *other* points. Show that $(A^{-1})_{ii}$ is never 0.

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) $A$ is square, so let $y=0$ and show $w=0$, $b=0$. The first rows are $(\Phi-\lambda I)w+b\mathbf 1=0$. Multiply by $w^\top$. Because $w^\top\mathbf 1=0$, this leaves
#
# $$w^\top\Phi w-\lambda\|w\|^2=0.$$
#
# By step 2 the first term is negative unless $w=0$, and the second is not positive. So $w=0$, and then $b=0$. With $+\lambda$ the two terms have different signs and can cancel. They do at $n-1$ values of $\lambda$, counted with multiplicity.
#
# (b) Write $r=y-\Phi w-b\mathbf 1$. The first rows of the system are $r=-\lambda w$. Go from $(w,b)$ to $(w+u,b+\beta)$ with $\mathbf 1^\top u=0$. The criterion changes by
#
# $$-2r^\top(\Phi u+\beta\mathbf 1)-2\lambda w^\top\Phi u\;+\;\|\Phi u+\beta\mathbf 1\|^2-\lambda u^\top\Phi u.$$
#
# With $r=-\lambda w$ and $w^\top\mathbf 1=0$ the first two terms cancel. The last two are not negative, and their sum is 0 only for $u=0$ (step 2), and then $\beta=0$. Hence every other $(w,b)$ has a larger criterion. Do not set the gradient in all directions of $w$ to 0, because only directions with $\mathbf 1^\top u=0$ are allowed.
#
# (c) Let $\hat y_i$ be the value at $x_i$ of the surface from the other points. Its weights, with 0 as entry $i$, solve the system in which $y_i$ is replaced by $\hat y_i$. The other rows hold as before, row $i$ says that the surface is $\hat y_i$ there because its term $-\lambda w_i$ is 0, and
# the weights still sum to 0. By (a) this is the only solution. With $y_i$ instead, only entry $i$ of the right side changes, by $y_i-\hat y_i$, so $w_i=0+(A^{-1})_{ii}(y_i-\hat y_i)$.
#
# Is $(A^{-1})_{ii}$ ever 0? It is $w_i$ for $y=e_i$, the $i$-th unit vector. As in (a), $w^\top\Phi w-\lambda\|w\|^2=w^\top e_i=w_i$. The left side is negative unless $w=0$, and $w=0$ would mean $b\mathbf 1=e_i$, which no $b$ does. So $(A^{-1})_{ii}<0$, and formula (4) can be used for every $\lambda\ge0$.
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# These problems have new numbers each time, as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch07a_rbf_interpolation")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Add $\lambda$ to the diagonal of $\Phi$ in `thin_plate`. Which sign does it need? Choose it by (4). How does the map change? (b) Add noise of 100 m to the 250 heights. How much larger is the RMSE of the two maps? (c) Where would you
# measure twelve more heights? Compare the locations of the largest posterior variance of a Gaussian process with random ones.
