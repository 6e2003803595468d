# %% [markdown] key="title"
# # Exercises 2: the kernel trick
#
# Seven functions are yours to write. The first builds three features, and the others do without features. They end with two classifiers of
# handwritten digits that get only the numbers $k(x_i,x_j)$ of [chapter 2](../notebooks/ch02_kernels.ipynb). After them comes a proof on paper.
#
# **How it works.** Replace `raise NotImplementedError` with your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, the check tells you *what*, and if it recognises your mistake,
# *which one*. Below it, two sections that you can open name the step of the derivation to read again and give an experiment
# that shows the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
# The check stops an endless loop after 20 seconds, on a slow computer a little later. *Kernel → Interrupt Kernel* stops it at once.
#
# **Rules.** Use NumPy and SciPy, with loops or matrices. The kernel classes of `kcourse` and of scikit-learn are not allowed, because
# you write what they do.
#
# **Conventions.** The Gaussian kernel is $\exp(-\|x-z\|^2/(2\sigma^2))$; labels are $+1$ and $-1$.

# %% key="imports"
import numpy as np
import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

from kcourse.checks import check
from kcourse.lab import show, use_style

use_style()

# %% [markdown] key="ex-1"
# ## 2.1 Features of a polynomial kernel (3 points)
#
# Compute three or four features for each point of the plane, so that their inner products are $(x^\top z)^2$. All features with these inner
# products are right, in any order and with any signs.


# %% exercise="poly2_features"
def poly2_features(X):
    """Features of the kernel (xᵀz)².

    X : (n, 2) array, points of the plane

    Returns an array with a row for each point, shape (n, 3), such that the inner product of rows i
    and j is (x_iᵀ x_j)². Any such features will do, also (n, 4).
    """
    ### BEGIN SOLUTION
    # (x₁z₁ + x₂z₂)² = x₁²z₁² + 2 x₁x₂z₁z₂ + x₂²z₂²: each side gets √2
    return np.column_stack([X[:, 0] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 2])
    ### END SOLUTION


# %% check="poly2_features"
check(poly2_features)

# %% [markdown] key="ex-2"
# ## 2.2 A Gram matrix of the Gaussian kernel (4 points)
#
# Compute the Gaussian kernel between two sets of points. One of the four points is for inputs far from the origin. The formula
# $\|x\|^2+\|z\|^2-2x^\top z$ is a fast way to squared distances, but how many significant digits does it leave near $(10^6,10^6)$?


# %% exercise="gaussian_gram"
def gaussian_gram(X, Z, sigma):
    """The Gaussian kernel of all pairs.

    X : (n, d) array
    Z : (m, d) array
    sigma : float > 0, width, in k(x, z) = exp(-‖x - z‖² / (2σ²))

    Returns the matrix of all k(x_i, z_j), shape (n, m).
    """
    ### BEGIN SOLUTION
    # differences first, because subtracting large squares from each other loses significant digits
    D2 = ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2)
    return np.exp(-D2 / (2 * sigma**2))
    ### END SOLUTION


# %% check="gaussian_gram"
check(gaussian_gram)

# %% [markdown] key="ex-3"
# ## 2.3 Is it a Gram matrix? (4 points)
#
# Decide whether a square matrix can be the Gram matrix of some points. Think of the four matrices of the chapter, of a matrix that is
# not symmetric, of the matrix of zeros, and of what rounding does to an eigenvalue 0.
# For the symmetry, any small tolerance is right.


# %% exercise="is_psd"
def is_psd(K, tol):
    """Whether K is symmetric and positive semi-definite.

    K : (n, n) array
    tol : float > 0, what counts as rounding, relative to the largest absolute eigenvalue:
        an eigenvalue μ counts as not negative if μ ≥ -tol·max|μ_j|

    Returns True or False.
    """
    ### BEGIN SOLUTION
    if not np.allclose(K, K.T, rtol=0, atol=tol * np.abs(K).max()):
        return False
    values = np.linalg.eigvalsh(K)  # ascending
    return bool(values[0] >= -tol * np.abs(values).max())
    ### END SOLUTION


# %% check="is_psd"
check(is_psd)

# %% [markdown] key="ex-4"
# ## 2.4 Distances without coordinates (3 points)
#
# Compute the squared distances between the images from their Gram matrix, whose diagonal need not be 1.


# %% exercise="feature_distance2"
def feature_distance2(K):
    """Squared distances in feature space.

    K : (n, n) array, Gram matrix

    Returns the matrix of ‖φ(x_i) - φ(x_j)‖², shape (n, n).
    """
    ### BEGIN SOLUTION
    lengths = np.diag(K)
    return lengths[:, None] + lengths[None, :] - 2 * K
    ### END SOLUTION


# %% check="feature_distance2"
check(feature_distance2)

# %% [markdown] key="ex-5"
# ## 2.5 The nearer mean (4 points)
#
# Which of the two class means in feature space is nearer to a new point? The means have no coordinates, and the classes need not be
# equally large.


# %% exercise="nearest_mean_score"
def nearest_mean_score(K, y, Kq):
    """How much nearer the mean of class +1 is than that of class -1, in feature space.

    K : (n, n) array, Gram matrix of the training points
    y : (n,) array of labels +1 and -1, both present
    Kq : (q, n) array, kernel values of the queries with the training points

    Returns ‖φ(x) - μ₋‖² - ‖φ(x) - μ₊‖² for each query, shape (q,): positive where μ₊ is nearer.
    """
    ### BEGIN SOLUTION
    score = np.zeros(len(Kq))
    for label in (-1, 1):
        c = y == label
        # k(x, x) cancels in the difference; what is left of ‖φ(x) - μ‖²:
        score -= label * (K[np.ix_(c, c)].mean() - 2 * Kq[:, c].mean(axis=1))
    return score
    ### END SOLUTION


# %% check="nearest_mean_score"
check(nearest_mean_score)

# %% [markdown] key="ex-6"
# ## 2.6 The kernel perceptron (4 points)
#
# Write the perceptron of the chapter with counts of mistakes instead of $w$. It visits the points in their order, and each mistake changes
# $f$ for the next point. At the start $f=0$ everywhere, and $f(x_i)=0$ counts as a mistake, whatever the class is. One point of the four is for
# this.


# %% exercise="kernel_perceptron"
def kernel_perceptron(K, y, epochs):
    """Counts of mistakes of the kernel perceptron.

    K : (n, n) array, Gram matrix
    y : (n,) array of labels +1 and -1
    epochs : int ≥ 1, rounds through all points, in their order

    Returns α, shape (n,): point i was a mistake, y_i f(x_i) ≤ 0, α_i times, where
    f(x) = Σ_j α_j y_j k(x_j, x).
    """
    ### BEGIN SOLUTION
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        for i in range(len(y)):
            if y[i] * (K[i] @ (alpha * y)) <= 0:
                alpha[i] += 1
    return alpha
    ### END SOLUTION


# %% check="kernel_perceptron"
check(kernel_perceptron)

# %% [markdown] key="ex-7"
# ## 2.7 Classify digits by their Gram matrix (5 points)
#
# Put 2.5 and 2.6 together. You get the Gram matrix of *all* points and two lists of indices. Which block of the matrix do you need
# for training, and which for prediction?


# %% exercise="classify_by_gram"
def classify_by_gram(K, y, train, test, epochs):
    """Errors of the nearer mean and of the kernel perceptron on points that they have not seen.

    K : (n, n) array, Gram matrix of all points
    y : (n,) array of labels +1 and -1
    train, test : arrays of indices; the perceptron visits its points in the order of ``train``
    epochs : int ≥ 1, rounds of the perceptron

    A score above 0 means class +1, any other class -1.

    Returns (errors_mean, errors_perceptron): how many of the test points each of them gets wrong.
    """
    ### BEGIN SOLUTION
    learn, ask = K[np.ix_(train, train)], K[np.ix_(test, train)]
    by_mean = nearest_mean_score(learn, y[train], ask)
    by_perceptron = ask @ (y[train] * kernel_perceptron(learn, y[train], epochs))
    return tuple(int(np.sum(np.where(s > 0, 1, -1) != y[test])) for s in (by_mean, by_perceptron))
    ### END SOLUTION


# %% check="classify_by_gram"
check(classify_by_gram)

# %% [markdown] key="digits"
# ### Odd or even, with your own functions
#
# The next cell trains both classifiers on 300 digits and tests them on 300 others. Which $\sigma$ suits each of your classifiers? Which
# of them suffers more when $\sigma$ grows from 1 to 5, and which from 5 to 10? What happens to both for very small and very large
# $\sigma$, and why?

# %% key="digits-figure"
digits = load_digits()
order = np.random.default_rng(0).permutation(1797)[:600]
pixels = digits.data[order] / 16
parity = np.where(digits.target[order] % 2 == 1, 1, -1)
widths = np.array([0.3, 0.6, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0])
try:
    errors = np.array(
        [
            classify_by_gram(
                gaussian_gram(pixels, pixels, s), parity, np.arange(300), np.arange(300, 600), 10
            )
            for s in widths
        ]
    )
except NotImplementedError:
    print("First write classify_by_gram and gaussian_gram.")
else:
    fig, ax = plt.subplots()
    ax.plot(widths, errors[:, 0] / 3, marker="o", label="nearer mean")
    ax.plot(widths, errors[:, 1] / 3, marker="o", label="perceptron")
    ax.set(xscale="log", xlabel="width σ", ylabel="errors on new digits (%)", ylim=(0, 60))
    ax.legend()
    show(fig, alt="Errors of your two classifiers on new digits against the width of the kernel.")

# %% [markdown] key="digits-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# On these digits $\sigma$ near 1 suits both. There the nearer mean misclassifies 6 % and the perceptron 3 %. From 1 to 5 the nearer mean
# suffers more, with 16 % against 10 %. From 5 to 10 it hardly changes, and the perceptron rises to 19 %.
#
# *Large $\sigma$.* Since $2-2k(x,z)\approx\|x-z\|^2/\sigma^2$, the nearer mean becomes the nearer mean of the pixels, which is a plane, and
# it stays there. The rows of $K$ become alike, and ten rounds are too few for the perceptron to tell them apart. After a hundred
# rounds it misclassifies 11 % at $\sigma=10$.
#
# *Small $\sigma$.* $K$ approaches the identity. The perceptron predicts the label of the nearest of those training points on which it
# made a mistake, and these are few, so it misclassifies 7 % at 0.3. The nearer mean compares kernel values near 0 with
# $\|m_-\|^2-\|m_+\|^2\approx1/n_--1/n_+$. It gives every digit the label that more training points have, and misclassifies half of them.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: which functions of a distance?
#
# A few points can refute a kernel, and rules build one. Use both on $\exp(-a\,|x-z|^p)$, $a>0$. A function $d(x,z)=d(z,x)$ with
# $d(x,x)=0$ is called *tame* here if $\sum_{i,j}c_ic_jd(x_i,x_j)\le0$ for all points and all $c$ **with $\sum_ic_i=0$**.
#
# (a) Show that squared distances $\|\psi(x)-\psi(z)\|^2$, for any map $\psi$ into a space with an inner product, are tame. Then find a map $\psi$
# from numbers $x$ to functions of $t$ for which this squared distance is $|x-z|$.
#
# (b) Let $d$ be tame, and $x_0$ a point. Show that $k_0(x,z)=d(x,x_0)+d(z,x_0)-d(x,z)$ is a kernel. (Give $x_0$ the coefficient that makes the sum 0.)
#
# (c) Conclude that $e^{-a\,d}$ is a kernel for every $a>0$. So which $p$ do you have?
#
# (d) Refute $p>2$ with the points $-h,0,h$ and $c=(1,-2,1)$.

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) With $\psi_i=\psi(x_i)$ and $\sum_ic_i=0$,
#
# $$\sum_{i,j}c_ic_j\big(\|\psi_i\|^2+\|\psi_j\|^2-2\,\psi_i^\top\psi_j\big)=0+0-2\,\Big\|\sum_ic_i\psi_i\Big\|^2\le0,$$
#
# since $\sum_{i,j}c_ic_j\|\psi_i\|^2=\big(\sum_jc_j\big)\sum_ic_i\|\psi_i\|^2=0$. With $\psi=x$ it is $\|x-z\|^2$. For $|x-z|$ let $\psi(x)$ be the signed indicator of the interval between 0 and $x$:
# 1 for $0\le t<x$, $-1$ for $x\le t<0$, else 0. Then $\psi(x)-\psi(z)$ is $\pm1$ between $x$ and $z$ and 0 elsewhere, so $\int(\psi(x)-\psi(z))^2dt=|x-z|$.
#
# (b) $k_0$ is symmetric. Given points $x_1,\dots,x_n$ and any $c$, put $c_0=-\sum_{i\ge1}c_i$. The coefficients $c_0,\dots,c_n$ add up to 0, so
#
# $$0\ge\sum_{i,j\ge0}c_ic_jd(x_i,x_j)=\sum_{i,j\ge1}c_ic_jd(x_i,x_j)+2c_0\sum_{i\ge1}c_id(x_i,x_0)=-\sum_{i,j\ge1}c_ic_jk_0(x_i,x_j).$$
#
# (c) $-d(x,z)=k_0(x,z)-d(x,x_0)-d(z,x_0)$, hence $e^{-a\,d(x,z)}=g(x)\,e^{a\,k_0(x,z)}\,g(z)$ with $g(x)=e^{-a\,d(x,x_0)}$: the rules for $e^{k}$ and for
# $g\,k\,g$. So $p=2$, the Gaussian, in any dimension, and $p=1$ on the line, the exponential. In more dimensions the mean of $|u^\top(x-z)|$
# over all directions $u$ is a multiple of $\|x-z\|$, and a mean of tame functions is tame, which gives the exponential of the chapter's menu. For $x_0=0$ and $x,z\ge0$ the $k_0$ of $|x-z|$ is
# $2\min(x,z)$, the histogram kernel. The converse holds as well: if $e^{-ad}$ is a kernel for every $a>0$, then $d$ is tame (Schoenberg, 1938).
#
# (d) The sum is $6-8\,e^{-ah^p}+2\,e^{-a(2h)^p}$. For small $h$ this is $6-8(1-ah^p)+2(1-2^pah^p)=(8-2^{p+1})\,ah^p$ up to terms in $h^{2p}$, and
# $2^{p+1}>8$ for $p>2$, so the sum is negative. This holds for every $a$, since $a$ and $h^p$ enter only as a product. For $1<p<2$ the function *is*
# a kernel, but that these points do not refute it proves nothing.
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# Pencil-and-paper problems with new numbers each time, the same as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch02_kernels")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) The polynomial kernel on the same digits: which degree is best? (b) Visit the training points in ten random
# orders. How much do the perceptron's errors change, and what would you do about it? (c) Average the ten classifiers.
