# %% [markdown] key="title"
# # Exercises 7b: RBF networks
#
# Six functions, from Cover's count to a whole network. They are what [chapter 7b](../notebooks/ch07b_rbf_networks.ipynb) computes. At the end they
# classify three cultivars of wine, and a glass of water. A derivation on paper ends the sheet.
#
# **How it works.** Replace `raise NotImplementedError` with your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, it tells you *what*, and if it recognises your mistake,
# *which one*. Two sections that you can open show which step of the derivation to read again, and an experiment
# that exposes the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
# The check stops an endless loop after 20 seconds, on a slow computer a little later. *Kernel → Interrupt Kernel* stops it at once.
#
# **Rules.** Use NumPy and SciPy, loops or matrices, as you like. Do not call kcourse, its kernels included, or scikit-learn,
# because you are writing what they do.
#
# **Conventions.** Points and centres are rows. The activation of an RBF unit is $\varphi_j(x)=\exp(-\|x-t_j\|^2/(2\sigma^2))$. The error of a point is its target $y$ minus the output
# of the network, and $d$ is the dimension.

# %% key="imports"
import numpy as np
import matplotlib.pyplot as plt
from scipy.spatial import KDTree
from sklearn.datasets import load_wine
from sklearn.linear_model import RidgeClassifier

from kcourse.checks import check
from kcourse.kernels import Gaussian
from kcourse.lab import show, table, use_style

use_style()

# %% [markdown] key="ex-1"
# ## 7b.1 Cover's count (3 points)
#
# Count the labellings of $n$ points in general position that a hyperplane through 0 can make. Use the sum or the recursion of the chapter; the recursion needs the right edges. One of the three points is for $n\le d$.


# %% exercise="cover_count"
def cover_count(n, d):
    """Number of labellings that hyperplanes through 0 can make, by Cover.

    n : int ≥ 1, points in general position
    d : int ≥ 1, dimensions

    Returns how many of the 2ⁿ labellings can be made, a whole number.
    """
    ### BEGIN SOLUTION
    count = np.full(d + 1, 2)  # C(1, d) = 2 for d ≥ 1
    count[0] = 0  # without dimensions there is no hyperplane
    for _ in range(n - 1):
        count[1:] = count[1:] + count[:-1]  # C(n, d) = C(n-1, d) + C(n-1, d-1)
    return int(count[d])
    ### END SOLUTION


# %% check="cover_count"
check(cover_count)

# %% [markdown] key="ex-2"
# ## 7b.2 Spread (2 points)
#
# Implement equation (8), one spread for all units, from the largest distance between two of the $m$ centres.


# %% exercise="spread"
def spread(T):
    """Spread of the rule σ = d_max/√(2m).

    T : (m, d) array, centres in rows, at least two

    Returns σ, one number.
    """
    ### BEGIN SOLUTION
    # the maximum over all pairs, not only from one centre or from the mean
    distances = np.linalg.norm(T[:, None] - T, axis=2)
    return distances.max() / np.sqrt(2 * len(T))
    ### END SOLUTION


# %% check="spread"
check(spread)

# %% [markdown] key="ex-3"
# ## 7b.3 Online k-means (4 points)
#
# Implement online k-means, equation (6), with a constant step. The order of the points is given. Do not change `T0`, return new centres. If two centres are equally near, the first of them moves.
# One of the four points is for first centres that are integers, and one is for two centres that are equally near.


# %% exercise="online_kmeans"
def online_kmeans(X, T0, order, eta):
    """Centres after a stream of points.

    X : (n, d) array, points in rows
    T0 : (m, d) array, first centres
    order : (t,) array of row numbers of X, the point of each step
    eta : float, 0 < η < 1

    Returns all centres after the last point, shape (m, d).
    """
    ### BEGIN SOLUTION
    T = np.array(T0, dtype=float)  # a copy that can hold fractions
    for i in order:
        J = np.argmin(np.sum((X[i] - T) ** 2, axis=1))  # the first of equally near centres
        T[J] += eta * (X[i] - T[J])
    return T
    ### END SOLUTION


# %% check="online_kmeans"
check(online_kmeans)

# %% [markdown] key="ex-4"
# ## 7b.4 LMS (3 points)
#
# Implement LMS, equation (3), from $w=0$. The rows of `Phi` are the activations of the hidden layer, and a bias would be one of its columns.


# %% exercise="lms"
def lms(Phi, y, eta, order):
    """Weights after a stream of points.

    Phi : (n, m) array, activations of the hidden layer, a row for each point
    y : (n,) array of targets
    eta : float > 0, the step
    order : (t,) array of row numbers of Phi, the point of each step

    Returns w after the last step, shape (m,).
    """
    ### BEGIN SOLUTION
    w = np.zeros(Phi.shape[1])
    for i in order:
        e = y[i] - w @ Phi[i]  # with the present w; before the loop it would be the error of w = 0
        w = w + eta * e * Phi[i]
    return w
    ### END SOLUTION


# %% check="lms"
check(lms)

# %% [markdown] key="ex-5"
# ## 7b.5 Gradients of weights and centres (4 points)
#
# Let $E=\frac12\sum_ie_i^2$ with $e_i=y_i-\sum_jw_j\exp(-\|x_i-t_j\|^2/(2\sigma^2))$, without a bias and with one $\sigma$ for all units. Compute the gradients of $E$ with respect to the weights and to the centres, the first two formulas of (10) with
# $P_j=I/\sigma^2$. Compare them with a difference quotient before you run the check.


# %% exercise="rbf_grads"
def rbf_grads(X, y, w, T, sigma):
    """Gradients of the squared error with respect to weights and centres.

    X : (n, d) array, points in rows
    y : (n,) array of targets
    w : (m,) array, weights
    T : (m, d) array, centres
    sigma : float > 0, spread of all units

    Returns (dw, dT): ∂E/∂w, shape (m,), and ∂E/∂t, shape (m, d).
    """
    ### BEGIN SOLUTION
    steps = X[:, None] - T  # x_i - t_j, shape (n, m, d)
    G = np.exp(-np.sum(steps**2, axis=2) / (2 * sigma**2))
    e = y - G @ w
    dw = -G.T @ e  # the minus comes from e = y - output
    # the 2 of the squared distance and the ½ of the exponent cancel
    dT = -w[:, None] * np.einsum("i,ij,ijd->jd", e, G, steps) / sigma**2
    return dw, dT
    ### END SOLUTION


# %% check="rbf_grads"
check(rbf_grads)

# %% [markdown] key="ex-6"
# ## 7b.6 A network (5 points)
#
# Implement a network for any number of classes in three parts.
#
# 1. **Centres:** k-means from `T0`. Repeat both steps *until no centre moves*. No group becomes empty here.
# 2. **Spread:** one for all units, the *median* over the centres of the distance to the nearest *other* centre.
# 3. **Weights:** least squares with a bias. The target is 1 in the column of a point's class and 0 in the others, and the columns are the distinct labels in sorted order.
#
# Return the outputs at the queries. Two of the five points are for more than two centres, and one each is for two
# centres, for labels other than 0, 1, 2, and for many rounds of k-means.


# %% exercise="rbf_network"
def rbf_network(X, y, T0, Xq):
    """Outputs of an RBF network at new points.

    X : (n, d) array, points in rows
    y : (n,) array of integers, the labels of c classes
    T0 : (m, d) array, first centres, m ≥ 2
    Xq : (q, d) array, queries

    Returns the outputs at the queries, a column for each class, shape (q, c).
    """
    ### BEGIN SOLUTION
    # a fixed number of rounds could be too small
    T, before = np.array(T0, dtype=float), None
    while before is None or not np.array_equal(T, before):
        groups = np.argmin(np.linalg.norm(X[:, None] - T, axis=2), axis=1)
        before, T = T, np.array([X[groups == j].mean(axis=0) for j in range(len(T))])

    between = np.linalg.norm(T[:, None] - T, axis=2)
    np.fill_diagonal(between, np.inf)  # else each centre is its own nearest, and σ = 0
    sigma = np.median(between.min(axis=1))

    def hidden(Z):
        Phi = np.exp(-np.sum((Z[:, None] - T) ** 2, axis=2) / (2 * sigma**2))
        return np.column_stack([Phi, np.ones(len(Z))])

    # np.eye(c)[y] would need the labels 0, 1, 2, …
    targets = (y[:, None] == np.unique(y)).astype(float)
    W = np.linalg.lstsq(hidden(X), targets, rcond=None)[0]  # ΦᵀΦ would square the condition number
    return hidden(Xq) @ W
    ### END SOLUTION


# %% check="rbf_network"
check(rbf_network)

# %% [markdown] key="cultivars"
# ### Your verdict: the cultivars, with your own functions
#
# The data are the 178 bottles of the chapter with thirteen measurements each. They are standardised once, while the chapter does it inside each fold. The next cell
#
# 1. divides the bottles into ten folds, and classifies each fold by a network that was trained on the other nine, with 3 to 24 random first centres;
# 2. does the same with a linear classifier;
# 3. computes the largest activation in the hidden layer, with your `spread` and with the median spread, for the bottles and for water, whose measurements are all 0.
#
# **Predict before you run it:** which of the four sizes has the fewest errors, and has it fewer than the linear classifier?
#
# Answer for yourself: (a) How many errors are there if you do not standardise? (b) Which bottles are wrong with *every* number of units? (c) Each network has one start. How would you improve the network with three units? (d) Take the centres from your `online_kmeans` and the weights from your `lms`. How many passes does it need to be as accurate?

# %% key="cultivars-figure"
wine = load_wine()
Z = (wine.data - wine.data.mean(axis=0)) / wine.data.std(axis=0)
water = -wine.data.mean(axis=0) / wine.data.std(axis=0)
y, rng = wine.target, np.random.default_rng(0)
fold = rng.permutation(np.arange(178) % 10)
sizes = (3, 6, 12, 24)


def largest_activation(points, T, sigma):
    return np.exp(-(KDTree(T).query(points)[0] ** 2) / (2 * sigma**2))


try:
    wrong = {}
    for m in sizes:
        predicted = np.zeros(178)
        for k in range(10):
            train = fold != k
            T0 = Z[train][rng.choice(train.sum(), m, replace=False)]
            predicted[~train] = rbf_network(Z[train], y[train], T0, Z[~train]).argmax(axis=1)
        wrong[m] = np.sum(predicted != y)
    T = online_kmeans(
        Z, Z[rng.choice(178, 24, replace=False)], np.tile(rng.permutation(178), 5), 0.05
    )
    second = KDTree(T).query(T, k=2)[0][:, 1]  # the nearest other centre
    widths = {"d_max/√(2m)": spread(T), "median": np.median(second)}
    Phi = Gaussian(widths["median"])(Z, T)
    w = lms(Phi, np.where(y == 1, 1.0, -1.0), 0.1, np.tile(np.arange(178), 20))
    dw, dT = rbf_grads(Z, np.where(y == 1, 1.0, -1.0), w, T, widths["median"])
except NotImplementedError:
    print("First write the functions of 7b.2 to 7b.6.")
else:
    predicted = np.zeros(178)
    for k in range(10):
        linear = RidgeClassifier(alpha=1e-6).fit(Z[fold != k], y[fold != k])
        predicted[fold == k] = linear.predict(Z[fold == k])
    errors = {f"{m} units": count for m, count in wrong.items()}
    errors["linear"] = np.sum(predicted != y)
    table("Errors of 178", {"classifier": "", "errors": "d"}, errors)
    activations = {
        name: (
            np.median(largest_activation(Z, T, sigma)),
            largest_activation(water[None], T, sigma)[0],
        )
        for name, sigma in widths.items()
    }
    columns = {"σ by": "", "median bottle": ".2f", "water": ".0e"}
    table("Largest activation of 24 units", columns, activations)
    print(f"after twenty passes of LMS the largest |∂E/∂w| is {np.abs(dw).max():.1f}")
    fig, ax = plt.subplots(figsize=(7.2, 3.8))
    for name, sigma, style in zip(widths, widths.values(), ("-", "--"), strict=True):
        activation = np.sort(largest_activation(Z, T, sigma))
        ax.plot(activation, np.arange(1, 179), style, color="black", label=f"σ by {name}")
    ax.set(xlabel="largest activation of 24 units", ylabel="number of bottles", xlim=(0, 1))
    fig.legend(loc="outside lower center", ncols=2)
    show(
        fig,
        alt="Cumulative number of bottles over the largest activation of your 24 units: with the "
        "spread by the rule most bottles have small values, with the median larger ones.",
    )

# %% [markdown] key="cultivars-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# (a) About 50 of 178 with every number of units. Nearly all of the variance of the raw data is that of proline, which is counted in hundreds, so proline alone decides which bottles are near. The cause is not the units.
#
# (b) In this partition there are two, with the indices 25 and 83. If every model misclassifies a bottle, look at the bottle and its label before you look for a better model.
#
# (c) Three units have the most errors, because k-means has missed a cultivar in some of the ten folds. Start it ten times and keep the result with the smallest cost.
#
# (d) It needs few. With five passes for the centres and a step of 0.05, and a step of 0.1 for the weights, three passes of LMS gave 3 to 9 errors in six trials, and a hundred passes gave no fewer. After a single pass there were up to 10.
#
# For water all activations are practically 0 with both spreads, at least seventeen powers of ten smaller than for a bottle.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: a normalised layer far from the data
#
# Posterior probabilities are ratios, and a ratio does not show that a point is novel. Make this exact for the normalised layer
# $\varphi_j(x)=p(j)\,p(x|j)/\sum_\ell p(\ell)\,p(x|\ell)$ with isotropic Gaussians and all $p(j)>0$. Let $x=su$ with $\|u\|=1$ and $s\to\infty$.
#
# (a) One unit $J$ has a larger spread than all others. Show that $\varphi_J(x)\to1$ for every $u$. What is the limit of the outputs?
#
# (b) All units have the same spread. Which activation tends to 1 now? For which directions is there more than one? When do the outputs stay uncertain?
#
# (c) The alarm (15) is raised below the $k$-th smallest score of $n$ held-out bottles. What is the smallest false-alarm rate that 19 bottles can guarantee? Where does the proof fail if the network was trained on these 19? Do you then expect more false alarms than guaranteed, or fewer?

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) Compare any other unit with $J$ in logarithms:
#
# $$\log\frac{\varphi_j}{\varphi_J}=\text{const}-\frac{\|su-t_j\|^2}{2\sigma_j^2}+\frac{\|su-t_J\|^2}{2\sigma_J^2}
# =-\frac{s^2}2\Big(\frac1{\sigma_j^2}-\frac1{\sigma_J^2}\Big)+O(s).$$
#
# The bracket is positive, so this tends to $-\infty$ for each $j\ne J$. Because the $\varphi_j$ sum to 1, $\varphi_J\to1$. The outputs tend to $p(c_k|J)$ in
# every direction, the class probabilities of unit $J$, wherever it is. The priors are in the constant and do not change the limit.
#
# (b) Now the squares cancel, and with one $\sigma$
#
# $$\log\frac{\varphi_j}{\varphi_J}=\text{const}+\frac{s}{\sigma^2}\,u^\top(t_j-t_J).$$
#
# The activation of the unit with the largest $u^\top t_j$ tends to 1. This is the centre that lies farthest in the direction $u$. There is more than one such unit only for
# directions that are orthogonal to the difference of two centres. In all others the outputs tend to the
# $p(c_k|j)$ of one unit. They stay uncertain only if that unit's own points are mixed.
# It is a mistake to conclude from $p(x|j)\to0$ for all $j$ that the outputs become uncertain, because the outputs depend on ratios alone.
#
# (c) With $k=1$ and $n=19$ the rate is one in twenty. The proof needs that the new bottle has each of the 20 ranks with the same probability. A bottle of the training set has pulled a centre towards
# itself, so its score tends to be higher than that of a new bottle. The threshold is then too high, and you should expect more false alarms than guaranteed.
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# These problems have new numbers each time, as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch07b_rbf_networks")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Draw the first centres as k-means++ does. How often do you reach the smallest cost that you know? (b) Take gradient steps with your `rbf_grads` from the centres of k-means on the chapter's moons, with six units and a step that you choose. (c) Normalise the hidden layer and
# use the class frequencies of each centre's points as weights $p(c_k|j)$. How much less accurate is it than least squares on wine? (d) Train without one cultivar. At a false-alarm rate of 10 %, how many of its bottles does your hidden layer detect? (e) Run EM from the centres of your k-means on the moons, for each class separately. How many points change their nearest centre, and does the likelihood ever fall? (f) Count with linear programs how many labellings of six points on a *circle* a line with a bias can make. Are they in general position?
