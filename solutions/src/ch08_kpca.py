# %% [markdown] key="title"
# # Exercises 8: kernel PCA and kernel LDA
#
# Seven functions, from centring a Gram matrix to denoising digits. They are what [chapter 8](../notebooks/ch08_kpca.ipynb)
# computes. Then you compare two methods on digits, and derive one result on paper.
#
# **How it works.** Replace `raise NotImplementedError` by your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, the check tells you *what*, and if it recognises your mistake,
# *which one*. Below it, two sections that you can open name the step of the derivation to read again and give an experiment
# that shows the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
# The check stops an endless loop after 20 seconds, on a slow computer a little later. *Kernel → Interrupt Kernel* stops it at once.
#
# **Rules.** NumPy and SciPy, loops or matrices, as you like. Calling `kcourse.kpca` or scikit-learn is refused: you are
# writing what they do. A function may call those that you wrote before it.
#
# **Conventions.** Gram matrices come *not centred*. Eigenvalues are sorted downwards. Signs of axes are free, except where
# the task fixes them. The Gaussian kernel is $\exp(-\|x-z\|^2/(2\sigma^2))$.

# %% key="imports"
import numpy as np
import matplotlib.pyplot as plt
from scipy.spatial.distance import cdist
from sklearn.datasets import load_digits

from kcourse.checks import check
from kcourse.lab import show, use_style

use_style()

# %% [markdown] key="ex-1"
# ## 8.1 Centring a Gram matrix (3 points)
#
# Compute the inner products of deviations from the mean feature. There are four terms, and the rows of the result must
# sum to 0.


# %% exercise="center_gram"
def center_gram(K):
    """Gram matrix of φ(x_i) minus the mean feature.

    K : (n, n) array, Gram matrix

    Returns the centred Gram matrix, shape (n, n).
    """
    ### BEGIN SOLUTION
    # K is symmetric: m holds the means of its rows, too. Without m[:, None] it would be taken
    # away twice from each column, and the rows would not sum to 0.
    m = K.mean(axis=0)
    return K - m - m[:, None] + m.mean()
    ### END SOLUTION


# %% check="center_gram"
check(center_gram)

# %% [markdown] key="ex-2"
# ## 8.2 Centring the rows of new points (4 points)
#
# The rows have the kernels $k(x,x_i)$ of new points $x$ with the training points. Which means do you subtract?


# %% exercise="center_test_gram"
def center_test_gram(K, Kq):
    """Inner products of centred features of new points with those of the training points.

    K : (n, n) array, Gram matrix of the training points, not centred
    Kq : (m, n) array, a row for each new point

    Returns the centred rows, shape (m, n).
    """
    ### BEGIN SOLUTION
    # both features, new and old, are moved by the mean of the *training* features; with a mean of
    # the new rows the answer for one point would depend on which other points are scored
    return Kq - K.mean(axis=0) - Kq.mean(axis=1, keepdims=True) + K.mean()
    ### END SOLUTION


# %% check="center_test_gram"
check(center_test_gram)

# %% [markdown] key="ex-3"
# ## 8.3 Principal components (5 points)
#
# Return the scores of the training points on the first $q$ axes, and their eigenvalues (not variances). The chapter's
# `axes_of` gives $\alpha$ for a centred matrix, but here $K$ is not centred. Can you get the scores without another
# product with $K$? The signs of the axes are free.


# %% exercise="kernel_pca"
def kernel_pca(K, q):
    """Kernel PCA of the training points.

    K : (n, n) array, Gram matrix, not centred
    q : int, number of axes; the first q eigenvalues of the centred matrix are above 0

    Returns (scores, lam), of shape (n, q) and (q,): scores on axes of length 1, and the
    eigenvalues, decreasing.
    """
    ### BEGIN SOLUTION
    lam, B = np.linalg.eigh(center_gram(K))  # ascending
    lam, B = lam[::-1][:q], B[:, ::-1][:, :q]
    # Kα with α = b/√λ. Common mistakes: b alone (then all axes have the same variance), and K
    # without centring (then the first axis points towards the mean)
    return B * np.sqrt(lam), lam
    ### END SOLUTION


# %% check="kernel_pca"
check(kernel_pca)

# %% [markdown] key="ex-4"
# ## 8.4 Shares of the variance (3 points)
#
# Return the share of the total variance of each of the first $q$ axes, as a number between 0 and 1. The denominator does
# not depend on $q$.


# %% exercise="explained_ratio"
def explained_ratio(K, q):
    """Shares of the variance.

    K : (n, n) array, Gram matrix, not centred
    q : int, number of axes

    Returns the shares of the first q axes, decreasing, shape (q,).
    """
    ### BEGIN SOLUTION
    _, lam = kernel_pca(K, q)
    # divided by lam.sum() the shares would sum to 1 for every q; tr K would count the distance of
    # the mean from the origin as variance
    return lam / np.trace(center_gram(K))
    ### END SOLUTION


# %% check="explained_ratio"
check(explained_ratio)

# %% [markdown] key="ex-5"
# ## 8.5 Kernel LDA (5 points)
#
# Compute Fisher's axis of two classes with the penalty $\lambda\|\alpha\|^2$. The within-class scatter $N$ is a
# **sum** over all points. Return $\alpha$ with length 1, pointing from class 0 to class 1. One of the five points is
# lost if only its length is wrong, and one if only its direction is.


# %% exercise="kernel_fisher"
def kernel_fisher(K, y, lam):
    """Direction of kernel LDA for two classes.

    K : (n, n) array, Gram matrix, not centred (and it need not be)
    y : (n,) array of 0 and 1
    lam : float > 0, added to the diagonal of N, the within-class scatter

    Returns α of length 1, shape (n,), such that class 1 has the larger mean score.
    """
    ### BEGIN SOLUTION
    N, means = lam * np.eye(len(K)), []
    for label in (0, 1):
        Kc = K[:, y == label]
        means.append(Kc.mean(axis=1))
        # K_c (I - 11ᵀ/n_c); K_c K_cᵀ would count the distance of a class from the origin as scatter
        D = Kc - means[-1][:, None]
        N += D @ D.T
    alpha = np.linalg.solve(N, means[1] - means[0])
    return alpha / np.linalg.norm(alpha)
    ### END SOLUTION


# %% check="kernel_fisher"
check(kernel_fisher)

# %% [markdown] key="ex-6"
# ## 8.6 Denoising with pre-images (6 points)
#
# Compute the kernel PCA of the rows of `X` with the Gaussian kernel, and the scores of the noisy points `Xq` on the first
# $q$ axes. Then find their pre-images with equation (10). Start **at the noisy point itself** and use the formula exactly
# `steps` times. The chapter's `pre_image` does this for one picture, with a given $\beta$ and another start.


# %% exercise="denoise"
def denoise(X, Xq, sigma, q, steps):
    """Denoise points by kernel PCA and a fixed-point pre-image.

    X : (n, d) array, training points
    Xq : (m, d) array, noisy points
    sigma : float > 0, width of the Gaussian kernel
    q : int, number of axes
    steps : int ≥ 0, uses of the fixed-point formula

    Returns the denoised points, shape (m, d).
    """

    ### BEGIN SOLUTION
    def k(A, B):
        return np.exp(-cdist(A, B, "sqeuclidean") / (2 * sigma**2))

    K = k(X, X)
    scores, lam = kernel_pca(K, q)
    alpha = scores / lam  # √λ b over λ is b/√λ
    # p = mean feature + Σ_k s_k f^(k) = Σ_i β_i φ(x_i); without 1/n it would be a deviation
    beta = center_test_gram(K, k(Xq, X)) @ alpha @ alpha.T + 1 / len(X)
    Z = Xq
    for _ in range(steps):
        W = beta * k(Z, X)  # the kernels change with Z, but beta does not
        Z = W @ X / W.sum(axis=1, keepdims=True)
    return Z
    ### END SOLUTION


# %% check="denoise"
check(denoise)

# %% [markdown] key="ex-7"
# ## 8.7 The standard error of a difference (4 points)
#
# Two methods have denoised the same pictures, and a picture that is difficult for one may be difficult for the other. The
# error of *one* picture is the root of the mean squared error of its pixels. Report the mean error of both, the mean of
# the differences, and the standard error of that mean.
#
# **First on paper.** Let both errors have the variance $v$ over the pictures, and let $r$ be their correlation. What is
# the standard error of the difference of their means, if both methods get the same $m$ pictures? What is it if each gets
# $m$ pictures of its own? How many pictures do the pairs save?


# %% exercise="paired_report"
def paired_report(clean, first, second):
    """Compare two denoisers on the same pictures.

    clean : (m, d) array, the pictures without noise, one in each row
    first, second : (m, d) arrays, the pictures as denoised by either method

    Returns four numbers (error of first, error of second, difference, standard error): mean errors,
    the mean of first minus second, and the standard error of that mean, from the standard deviation
    over the m pictures (with m - 1).
    """
    ### BEGIN SOLUTION
    a, b = (np.sqrt(np.mean((after - clean) ** 2, axis=1)) for after in (first, second))
    d = a - b  # the same picture and the same noise, so that their difficulty cancels
    return a.mean(), b.mean(), d.mean(), d.std(ddof=1) / np.sqrt(len(d))
    ### END SOLUTION


# %% check="paired_report"
check(paired_report)

# %% [markdown] key="pairs-answer"
# <details><summary><b>On paper</b> (open this once you have written down your answer)</summary>
#
# - With pairs the difference has the variance $v+v-2rv$, so its mean has the standard error $\sqrt{2v(1-r)/m}$. With
#   pictures of their own it is $\sqrt{2v/m}$.
# - So $m$ pairs are worth $m/(1-r)$ pictures for each method. In *Your comparison* below $r=0.67$ at noise 4, and a
#   hundred pairs are worth three hundred pictures for each.
# - A common mistake is to draw new noise for the second method. Then difficult noise affects only one of the two, and $r$
#   falls.
#
# </details>

# %% [markdown] key="digits"
# ### Your comparison
#
# The next cell applies *your* `denoise` to digits, with 500 training pictures and 100 others with fresh noise.
# `paired_report` compares it with linear PCA. Predict which of the two is more accurate, by how much, and how certain this
# is. Then set the noise to 8 and look at the pictures. Finally select $\sigma$ and $q$ on 200 validation pictures, and
# the $q$ of linear PCA as well. Which of the two needs more axes?

# %% key="digits-figure"
digits = load_digits().data[np.random.default_rng(1).permutation(1797)]
train, clean = digits[:500], digits[500:600]
noise, sigma, q, q_linear = 4.0, 30.0, 100, 15
noisy = clean + noise * np.random.default_rng(2).standard_normal(clean.shape)
try:
    cleaned = denoise(train, noisy, sigma, q, 30)
    mean = train.mean(axis=0)
    V = np.linalg.svd(train - mean, full_matrices=False)[2][:q_linear]
    linear = mean + (noisy - mean) @ V.T @ V
    ours, theirs, gap, se = paired_report(clean, cleaned, linear)
except NotImplementedError:
    print("First write denoise, and what it calls, and paired_report.")
else:
    print(f"noise {noise}, mean error: kernel PCA {ours:.2f}, linear PCA {theirs:.2f} grey levels")
    print(f"difference {gap:+.2f} ± {se:.2f}")
    rows = {"clean": clean, "noisy": noisy, "kernel PCA": cleaned, "linear PCA": linear}
    fig, axes = plt.subplots(4, 10, figsize=(8.6, 3.8))
    for row, (name, pictures) in zip(axes, rows.items(), strict=True):
        row[0].set_ylabel(name, rotation=0, ha="right", va="center")
        for ax, picture in zip(row, pictures, strict=False):
            ax.imshow(picture.reshape(8, 8), cmap="gray_r", vmin=0, vmax=16)
            ax.set(xticks=[], yticks=[])
            ax.grid(False)
    show(
        fig,
        alt="Ten digits in four rows: clean, with noise, denoised by your kernel PCA, and by "
        "linear PCA.",
    )

# %% [markdown] key="digits-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# At noise 4 kernel PCA has an error of 1.96 and linear PCA of 2.60. The difference of 0.64 is twenty times its standard
# error. At noise 8 the errors are 3.78 and 4.20, and other settings would be better. The denoised pictures look alike,
# because the row of kernels has faded to a tenth. They differ by a third of what clean digits differ by.
#
# With the settings selected on pictures 600 to 800, kernel PCA takes $\sigma=25$ at noise 4 and 400 axes, the most that
# were tried, and linear PCA takes 15 axes. The errors are then 1.83 and 2.60. At noise 8 kernel PCA takes $\sigma=30$ and
# 400 axes, and linear PCA takes 5. The errors are then 3.18 and 3.70. **Kernel PCA needs many more axes.** At noise 8 they
# partly make up for the faded row, and with normalised rows far fewer are better. A common mistake is to select the settings on
# the same hundred pictures on which you report.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: what forgetting to centre costs
#
# Let $K$ be a Gram matrix that is not centred, with eigenvalues $\mu_1\ge\dots\ge\mu_n$, and $\lambda_1\ge\dots\ge\lambda_n$ those of $\tilde K$. A *flat* is a point $a$ of the feature space with $q$ orthonormal directions $g_1,\dots,g_q$. What it *leaves out* is the sum of the squared distances of the $n$ features from it.
#
# (a) The directions are given. Show that the flat through the mean $\bar\varphi$ leaves out the minimum. What is the minimum over all flats with $q$ directions, and over those through the origin?
#
# (b) Show, for every $q$,
#
# $$\sum_{k>q+1}\mu_k\ \le\ \sum_{k>q}\lambda_k\ \le\ \sum_{k>q}\mu_k .$$
#
# (c) So if you forget to centre and keep one more axis, you leave out no more than with centring. Check this on the
# triangle of the chapter. Then name two things that go wrong nevertheless.

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) Let $P$ be the projection onto the orthogonal complement of the $g_j$. The distance of $\varphi(x_i)$ from the flat is $\|P(\varphi(x_i)-a)\|$. Write $\varphi(x_i)-a=(\varphi(x_i)-\bar\varphi)+(\bar\varphi-a)$. Deviations sum to 0, and so does the mixed term:
#
# $$\sum_i\|P(\varphi(x_i)-a)\|^2=\sum_i\|P(\varphi(x_i)-\bar\varphi)\|^2+n\,\|P(\bar\varphi-a)\|^2 .$$
#
# The last term is 0 if the flat goes through $\bar\varphi$. Among those, (8) and the section after it give the best directions, which leave out $\sum_{k>q}\lambda_k$. Through the origin take $a=0$ and use the same proof with $K$ instead of $\tilde K$. The proof never uses that the features sum to 0, so the minimum is $\sum_{k>q}\mu_k$.
#
# (b) On the right, the best flat leaves out no more than the best flat through the origin. On the left, take the best flat, with its $a$ and $g_1,\dots,g_q$. It lies within the space that $a,g_1,\dots,g_q$ span, which goes through the origin, has at most $q+1$ dimensions, and is at least as near to every feature. The best such space leaves
# out $\sum_{k>q+1}\mu_k$, and no more than this one.
#
# A common mistake is to compare axis by axis. The axes of $K$ need not be near any of $\tilde K$, and only what is left
# out can be compared. Another mistake is to conclude $\mu_1\ge\lambda_1$ from $\operatorname{tr}K\ge\operatorname{tr}\tilde K$, because a sum does not
# determine its terms.
#
# (c) On the triangle $\mu=1+2c,\,1-c,\,1-c$, with $c=e^{-1/2}$, and $\lambda=1-c,\,1-c,\,0$. For $q=1$ the three sums are $1-c$, $1-c$ and $2(1-c)$, so the additional axis is exactly the one towards the mean. Two things go wrong. Shares are divided by $\operatorname{tr}K$, which counts the distance of the mean from the origin, and the first “component” only says where the mean is.
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# Pencil-and-paper problems with new numbers each time, the same as at the end of the chapter. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch08_kpca")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Normalise the rows as in the chapter, and select $\sigma$ and $q$ at noise 8 again.
# (b) Count how often the error *increases* from one step to the next. (c) Start at the nearest training point. Is the
# result different?
