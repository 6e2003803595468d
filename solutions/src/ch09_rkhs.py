# %% [markdown] key="title"
# # Exercises 9: RKHS, strings and graphs
#
# Six functions, from an inner product of functions to a classifier of peptides. They do what
# [chapter 9](../notebooks/ch09_rkhs.ipynb) does with functions, strings and molecules. At the end there is one
# derivation on paper.
#
# **How it works.** Replace `raise NotImplementedError` with your code, run the cell, then run the check below it.
# The check calls your function on new random inputs. If something is wrong, the check says *what*, and if it
# recognises your mistake, *which one*. Below it, two sections that you can open name the step of the derivation to
# read again and give an experiment that shows the mistake. Checks never print the answer. An unchanged cell counts
# as *not attempted* and does not stop the notebook.
# The check stops an endless loop after 20 seconds, on a slow computer a little later. *Kernel → Interrupt Kernel* stops it at once.
#
# **Rules.** Use NumPy, SciPy and Python's own library, with loops or matrices, as you like. Calling `kcourse.rkhs`,
# `kcourse.strings`, `kcourse.graphs` or scikit-learn is refused, because you are writing what they do.
#
# **Conventions.** In 9.1 and 9.2 the space is that of equation (1), with the kernel $\min(x,z)$. A graph is a pair
# `(edges, names)`. `edges` is a list of pairs `(u, v)`, each bond once, with atoms counted from 0. `names` is a
# string with one letter for each atom.

# %% key="imports"
from collections import Counter

import numpy as np
import matplotlib.pyplot as plt
from scipy.sparse.csgraph import connected_components

from kcourse.checks import check
from kcourse.datasets import load_peptides
from kcourse.lab import show, table, use_style

use_style()

# %% [markdown] key="ex-1"
# ## 9.1 Two sums of sections (3 points)
#
# Let $f=\sum_i\alpha_ik(x_i,\cdot)$ and $g=\sum_j\beta_jk(z_j,\cdot)$ with $k=\min$. Return their inner product in
# the space, a double sum.


# %% exercise="rkhs_inner"
def rkhs_inner(alpha, X, beta, Z):
    """Inner product of two sums of sections of min.

    alpha : (n,) array, coefficients of f
    X : (n,) array, its points, in [0, 1]
    beta : (m,) array, coefficients of g
    Z : (m,) array, its points, in [0, 1]

    Returns ⟨f, g⟩, one number.
    """
    ### BEGIN SOLUTION
    # Σ_ij α_i β_j min(x_i, z_j): each with each; one loop over zip meets i = j only
    return alpha @ np.minimum(X[:, None], Z) @ beta
    ### END SOLUTION


# %% check="rkhs_inner"
check(rkhs_inner)

# %% [markdown] key="ex-2"
# ## 9.2 The function of smallest norm (4 points)
#
# Take the function of smallest norm in the space with $f(x_i)=y_i$, and return its values at some queries. One
# point is for queries between the points, two are for queries before the first and after the last point, and one is
# for points in any order.


# %% exercise="min_norm_interpolant"
def min_norm_interpolant(x, y, xq):
    """Function of smallest norm with f(x_i) = y_i, in the space whose kernel is min.

    x : (n,) array, different points in (0, 1], in any order
    y : (n,) array, values there
    xq : (q,) array, queries in [0, 1]

    Returns f at the queries, shape (q,).
    """
    ### BEGIN SOLUTION
    # np.interp with (0, 0) before the sorted points is right, too; without it the start is wrong
    alpha = np.linalg.solve(np.minimum(x[:, None], x), y)  # Kα = y
    return np.minimum(xq[:, None], x) @ alpha
    ### END SOLUTION


# %% check="min_norm_interpolant"
check(min_norm_interpolant)

# %% [markdown] key="ex-3"
# ## 9.3 The spectrum kernel (3 points)
#
# The spectrum kernel of two strings adds, over all $k$-mers $u$, how often $u$ occurs in one times how
# often it occurs in the other. Overlaps count. The chapter builds a table of all pairs of $k$-mers. Count the $k$-mers
# in a dictionary instead. The check calls your function on strings of more than a thousand letters, and a call
# may hold at most 1 MB, which a table of all pairs exceeds. (Two nested loops over all pairs need no table, but
# take seconds.)


# %% exercise="spectrum_kernel"
def spectrum_kernel(s, t, k):
    """Spectrum kernel of two strings.

    s, t : str
    k : int, letters of a k-mer, 1 or more

    Returns Σ_u N_u(s) N_u(t) over all strings u of k letters, one whole number.
    """
    ### BEGIN SOLUTION
    # windows, and not s.count(u), which jumps over overlaps; len - k + 1 of them
    N = Counter(s[i : i + k] for i in range(len(s) - k + 1))
    M = Counter(t[i : i + k] for i in range(len(t) - k + 1))
    return sum(n * M[u] for u, n in N.items())  # a Counter has 0 of what it has not seen
    ### END SOLUTION


# %% check="spectrum_kernel"
check(spectrum_kernel)

# %% [markdown] key="ex-4"
# ## 9.4 Cosine normalisation (3 points)
#
# From a Gram matrix compute the matrix of cosines. A point with $K_{ii}=0$, such as a string with fewer than $k$
# letters, has no direction. Put 0 in its row and column.


# %% exercise="cosine_normalize"
def cosine_normalize(K):
    """Cosines of the angles between features, from their Gram matrix.

    K : (n, n) array, Gram matrix; some K_ii may be 0

    Returns K_ij / √(K_ii K_jj), 0 where K_ii or K_jj is 0; shape (n, n).
    """
    ### BEGIN SOLUTION
    length = np.sqrt(np.diag(K))  # without the root rows and columns are divided twice
    length = np.where(length > 0, length, np.inf)  # anything over ∞ is 0; 0/0 would be nan
    return K / np.outer(length, length)
    ### END SOLUTION


# %% check="cosine_normalize"
check(cosine_normalize)

# %% [markdown] key="ex-5"
# ## 9.5 The Weisfeiler–Lehman kernel (4 points)
#
# Return the Weisfeiler–Lehman kernel, equation (12). In round 0 the colours are the names. In each further round
# the new colour of an atom is its own colour and the multiset of its neighbours' colours, with **one** numbering
# for both graphs. (Numbers are not necessary, since a combination may itself serve as a colour.)


# %% exercise="wl_kernel"
def wl_kernel(G, H, h):
    """Weisfeiler–Lehman kernel of two molecules.

    G, H : pairs (edges, names): edges a list of pairs (u, v) of atoms, counted from 0, each bond
        once; names a string, one letter for each atom
    h : int, rounds of refining, 0 or more

    Returns Σ_t Σ_c N_c(G) N_c(H) over the rounds t = 0 … h and their colours c, one whole number.
    """
    ### BEGIN SOLUTION
    near = []
    for edges, names in (G, H):
        of = [[] for _ in names]
        for u, v in edges:
            of[u].append(v)
            of[v].append(u)
        near.append(of)
    colours, total = [list(G[1]), list(H[1])], 0
    for _ in range(h + 1):
        N, M = Counter(colours[0]), Counter(colours[1])
        total += sum(n * M[c] for c, n in N.items())
        # its own colour, and those around it, sorted: a multiset
        mixed = [
            [(c[i], tuple(sorted(c[j] for j in of[i]))) for i in range(len(c))]
            for c, of in zip(colours, near, strict=True)
        ]
        # short names, one table for both graphs
        table = {m: number for number, m in enumerate(sorted(set(mixed[0] + mixed[1])))}
        colours = [[table[m] for m in graph] for graph in mixed]
    return total
    ### END SOLUTION


# %% check="wl_kernel"
check(wl_kernel)

# %% [markdown] key="ex-6"
# ## 9.6 Cross-validation with given folds (4 points)
#
# Combine the normalised spectrum kernel, ridge regression on $y=\pm1$ without an intercept (chapter 3:
# $\alpha=(K+\lambda I)^{-1}y$), and folds that are held out. A string is in class $+1$ if $f>0$, and in class $-1$
# if $f\le0$. Return the share of *strings* that are right. You may use your own functions from above. Two points
# are for the share, one is for folds of any names, and one for strings with $f=0$.


# %% exercise="spectrum_cv"
def spectrum_cv(strings, y, fold, k, lam):
    """Share of strings that are right when their fold is held out.

    strings : list of n strings
    y : (n,) array of -1 and 1
    fold : (n,) array of whole numbers, the name of each string's fold
    k : int, letters of a k-mer
    lam : float, λ > 0 beside the sum of squared errors

    Returns the share of right ones, one number between 0 and 1.
    """
    ### BEGIN SOLUTION
    K = np.array([[spectrum_kernel(s, t, k) for t in strings] for s in strings], dtype=float)
    K = cosine_normalize(K)
    right = np.zeros(len(y), dtype=bool)
    for name in np.unique(fold):
        new, old = fold == name, fold != name
        alpha = np.linalg.solve(K[np.ix_(old, old)] + lam * np.eye(old.sum()), y[old])
        f = K[np.ix_(new, old)] @ alpha
        right[new] = np.where(f > 0, 1, -1) == y[new]
    return np.mean(right)
    ### END SOLUTION


# %% check="spectrum_cv"
check(spectrum_cv)

# %% [markdown] key="peptides"
# ### Which k for short peptides? Use your own functions
#
# Take the peptides of the chapter that have at most 17 letters. Two are related if the cosine of their 3-mers is
# above ½, by *your* functions. In the second run families of relatives are kept in one fold. Which $k$ would you
# recommend to the laboratory? Does the answer depend on $\lambda$ (try 10 and 0.001) or on the random folds (change
# the seed)?

# %% key="peptides-figure"
data = load_peptides()
short = [i for i, letters in enumerate(data.X) if len(letters) <= 17]
strings, y = [data.X[i] for i in short], np.where(data.y[short] == 1, 1.0, -1.0)
sizes = (1, 2, 3, 4)
try:
    cosines = cosine_normalize(
        np.array([[spectrum_kernel(s, t, 3) for t in strings] for s in strings], dtype=float)
    )
    families = connected_components(cosines > 0.5)[1]
    rng = np.random.default_rng(0)
    random_fold = rng.permutation(len(y)) % 5
    family_fold = rng.permutation(families.max() + 1)[families] % 5
    shares = [
        [100 * spectrum_cv(strings, y, fold, k, 0.1) for k in sizes]
        for fold in (random_fold, family_fold)
    ]
except NotImplementedError:
    print("First write spectrum_kernel, cosine_normalize and spectrum_cv.")
else:
    table(
        f"Accuracy (%) on {len(y)} peptides in {families.max() + 1} families",
        {"folds": "", **{f"k = {k}": ".1f" for k in sizes}},
        {"random": shares[0], "grouped": shares[1]},
    )
    fig, ax = plt.subplots(figsize=(7, 3.4))
    for values, marker, fill, name in zip(
        shares, "os", ("white", "black"), ("random folds", "grouped folds"), strict=True
    ):
        ax.plot(
            sizes, values, marker, color="black", markerfacecolor=fill, markersize=8, label=name
        )
    ax.set(xlabel="letters k", ylabel="accuracy (%)", xticks=sizes)
    ax.legend(loc="lower left")
    show(
        fig,
        alt="Accuracy against k, with random folds and with grouped folds, by your own functions.",
    )

# %% [markdown] key="peptides-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# Here $k=1$ is the most accurate in both rows, with 86.9 % and 83.3 %. With grouped folds each $k$ is less
# accurate, and $k=4$ loses most.
#
# But one of 84 peptides is more than a percent, and the standard error of such a share is nearly 4. With the seeds
# 0 to 19 and grouped folds $k=1$ is first in 19, and $k=4$ is last or as low as the last in 19. Which of $k=2$ and
# $k=3$ is second is luck. With $\lambda=10$ or 0.001 no accuracy changes by more than one standard error.
#
# Recommend $k=1$ to the laboratory, with an accuracy of about 83 % for peptides that are new by 3-mers, give or
# take 4.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: how far can f be from s?
#
# In step 6 of the chapter a function orthogonal to the sections at the data changes no value there. How much can it
# change elsewhere? Let $k$ be a kernel with its space $\mathcal H$, $x_1,\dots,x_n$ points with an invertible $K$,
# $y$ the values there, $s$ the function of smallest norm through them, and $R\ge\|s\|$. All that is known of $f$ is
# $f(x_i)=y_i$ and $\|f\|\le R$.
#
# (a) For a new point $x$ let $p$ be the projection of $k_x$ on the sections at the data and $P(x)=\|k_x-p\|$. Show
# that
#
# $$|f(x)-s(x)|\le P(x)\,\sqrt{R^2-\|s\|^2},\qquad P(x)^2=k(x,x)-\kappa^\top K^{-1}\kappa,\quad\kappa_i=k(x,x_i).$$
#
# (b) Show that this bound cannot be improved, because some such $f$ attains it.
#
# (c) For min, what is $P(x)^2$ between two neighbouring points $a<b$, and after the last point $c$? Why is it 0 at
# each $x_i$?

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) By step 6 $f=s+v$ with $v$ orthogonal to all $k_{x_i}$ and $\|v\|^2=\|f\|^2-\|s\|^2\le R^2-\|s\|^2$. Then
# $f(x)-s(x)=v(x)=\langle v,k_x\rangle=\langle v,k_x-p\rangle$, since $p$ is a sum of the $k_{x_i}$. Cauchy and
# Schwarz give the bound. (With $k_x$ instead of $k_x-p$ the bound would be $\sqrt{k(x,x)}$, which does not depend
# on the data.)
#
# $p=\sum_j\beta_jk_{x_j}$ with $\langle k_x-p,k_{x_i}\rangle=0$ for each $i$, that is $\kappa=K\beta$. By
# Pythagoras $\|k_x-p\|^2=\|k_x\|^2-\|p\|^2=k(x,x)-\beta^\top K\beta=k(x,x)-\kappa^\top K^{-1}\kappa$.
#
# (b) If $P(x)=0$ there is nothing to show. If not, take $v=\pm\sqrt{R^2-\|s\|^2}\,(k_x-p)/P(x)$. It is orthogonal
# to the sections at the data, so $f=s+v$ has the values $y_i$ and the norm $R$, and
# $v(x)=\langle v,k_x-p\rangle=\pm\sqrt{R^2-\|s\|^2}\,P(x)$.
#
# (c) $p$ is the function of smallest norm with the values of $k_x$ at the data: the polygon of the chapter. $k_x$
# is $y\mapsto\min(x,y)$. Between $a$ and $b$ its slope is 1 up to $x$, then 0, and that of $p$ is constant,
# $(x-a)/(b-a)$; everywhere else the two agree. So
#
# $$P(x)^2=\int_a^b(k_x'-p')^2=(x-a)\Big(\frac{b-x}{b-a}\Big)^2+(b-x)\Big(\frac{x-a}{b-a}\Big)^2=\frac{(x-a)(b-x)}{b-a}.$$
#
# ($a=0$ before the first point.) After $c$ the slope of $k_x$ is 1 up to $x$ and that of $p$ is 0: $P(x)^2=x-c$. At
# $x=x_i$ the section is among those at the data, $p=k_x$.
#
# $P^2$ is the variance of Brownian motion that is fixed at the data. Chapter 4 has the same formula, but there it
# is an average over functions. Here $P(x)\sqrt{R^2-\|s\|^2}$ is the largest deviation at $x$, for $\|f\|\le R$.
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# Pencil-and-paper problems with new numbers each time, the same as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch09_rkhs")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Replace `spectrum_kernel` with one with a gap and repeat the last cell. (b)
# Find two alkanes with ten atoms that `wl_kernel` cannot distinguish for $h=1$, and for $h=2$. (c) In the space of
# 9.1, which function of norm 1 is largest at 0.5? Compute its value there, and compare it with (5).
