# %% [markdown] key="title"
# # Exercises 8: kernel PCA and kernel LDA
#
# Seven functions, from four means to digits without noise: what [chapter 8](../notebooks/ch08_kpca.ipynb) does with a Gram matrix, written by you. Then digits of your own, and one derivation on paper.
#
# **How it works.** Replace `raise NotImplementedError` by your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, the check tells you *what*, and if it recognises your mistake,
# *which one*. Below it, two sections that you can open name the step of the derivation to read again and give an experiment
# that shows the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
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
# ## 8.1 Move the origin (3 points)
#
# Inner products of the deviations from the mean feature, from inner products of features. Four terms; the sums of rows tell whether you have them all.


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
# ## 8.2 New points (4 points)
#
# Rows $k(x_q,x_i)$ of new points against the training points. Whose mean is taken away from whom?


# %% exercise="center_test_gram"
def center_test_gram(K, Kq):
    """Inner products of centred features of new points with those of the training points.

    K : (n, n) array, Gram matrix of the training points, not centred
    Kq : (q, n) array, a row for each new point

    Returns the centred rows, shape (q, n).
    """
    ### BEGIN SOLUTION
    # both features, new and old, are moved by the mean of the *training* features; with a mean of
    # the new rows the answer for one point would depend on who else is asked about
    return Kq - K.mean(axis=0) - Kq.mean(axis=1, keepdims=True) + K.mean()
    ### END SOLUTION


# %% check="center_test_gram"
check(center_test_gram)

# %% [markdown] key="ex-3"
# ## 8.3 Principal components (5 points)
#
# Scores of the training points on the first $q$ axes, and the eigenvalues that belong to them. The lecture's `axes_of` gives $\alpha$; left to you is what comes before it, since $K$ comes not centred, and after it: can you have the scores without another product with $K$? Signs are free; eigenvalues are not variances here.


# %% exercise="kernel_pca"
def kernel_pca(K, q):
    """Kernel PCA of the training points.

    K : (n, n) array, Gram matrix, not centred
    q : int, number of axes; the first q eigenvalues of the centred matrix are above 0

    Returns (scores, lam), of shape (n, q) and (q,): scores on axes of length 1, and the
    eigenvalues, decreasing.
    """
    ### BEGIN SOLUTION
    lam, B = np.linalg.eigh(center_gram(K))  # upwards
    lam, B = lam[::-1][:q], B[:, ::-1][:, :q]
    # K α with α = b/√λ. Wrong turns: b alone (all axes of one spread), and K as it came (a first
    # axis towards the mean)
    return B * np.sqrt(lam), lam
    ### END SOLUTION


# %% check="kernel_pca"
check(kernel_pca)

# %% [markdown] key="ex-4"
# ## 8.4 How much is that? (3 points)
#
# The share of all variance that each of the first $q$ axes has, as a number between 0 and 1. What stands below the line does not depend on $q$.


# %% exercise="explained_ratio"
def explained_ratio(K, q):
    """Shares of the variance.

    K : (n, n) array, Gram matrix, not centred
    q : int, number of axes

    Returns the shares of the first q axes, decreasing, shape (q,).
    """
    ### BEGIN SOLUTION
    _, lam = kernel_pca(K, q)
    # divided by lam.sum() they would explain everything, whatever q is; tr K counts the distance
    # of the mean from the origin
    return lam / np.trace(center_gram(K))
    ### END SOLUTION


# %% check="explained_ratio"
check(explained_ratio)

# %% [markdown] key="ex-5"
# ## 8.5 An axis that knows the classes (5 points)
#
# Fisher's axis of two classes, with the price $\lambda\|\alpha\|^2$ beside the scatter within the classes, a **sum** over all points. Return $\alpha$ with length 1, pointing from class 0 to class 1.


# %% exercise="kernel_fisher"
def kernel_fisher(K, y, lam):
    """Direction of kernel LDA for two classes.

    K : (n, n) array, Gram matrix, not centred (and it need not be)
    y : (n,) array of 0 and 1
    lam : float > 0, added to the diagonal of the scatter N within the classes

    Returns α of length 1, shape (n,), such that class 1 has the larger mean score.
    """
    ### BEGIN SOLUTION
    N, means = lam * np.eye(len(K)), []
    for label in (0, 1):
        Kc = K[:, y == label]
        means.append(Kc.mean(axis=1))
        # K_c (I - 11ᵀ/n_c), a projection; K_c K_cᵀ would count a class's distance from the origin
        D = Kc - means[-1][:, None]
        N += D @ D.T
    alpha = np.linalg.solve(N, means[1] - means[0])
    return alpha / np.linalg.norm(alpha)
    ### END SOLUTION


# %% check="kernel_fisher"
check(kernel_fisher)

# %% [markdown] key="ex-6"
# ## 8.6 There and back (6 points)
#
# Kernel PCA of the rows of `X` with the Gaussian kernel; the scores of new, noisy points on the first $q$ axes; then back to points by the fixed point of the lecture: start **at the noisy point itself** and use the formula exactly `steps` times. The lecture's `pre_image` takes $\beta$ of one picture and starts elsewhere; left to you are the way there, $\beta$ by (9), and all points at once.


# %% exercise="denoise"
def denoise(X, Xq, sigma, q, steps):
    """Clean points by kernel PCA and a fixed-point pre-image.

    X : (n, d) array, training points
    Xq : (m, d) array, noisy points
    sigma : float > 0, width of the Gaussian kernel
    q : int, number of axes
    steps : int ≥ 0, uses of the fixed-point formula

    Returns the cleaned points, shape (m, d).
    """

    ### BEGIN SOLUTION
    def k(A, B):
        return np.exp(-cdist(A, B, "sqeuclidean") / (2 * sigma**2))

    K = k(X, X)
    scores, lam = kernel_pca(K, q)
    alpha = scores / lam  # √λ b over λ is b/√λ
    # p = mean feature + Σ_k s_k f^(k) = Σ_i β_i φ(x_i): without 1/n it would be a deviation
    beta = center_test_gram(K, k(Xq, X)) @ alpha @ alpha.T + 1 / len(X)
    Z = Xq
    for _ in range(steps):
        W = beta * k(Z, X)  # weights at Z, which moves; beta stays that of the noisy points
        Z = W @ X / W.sum(axis=1, keepdims=True)
    return Z
    ### END SOLUTION


# %% check="denoise"
check(denoise)

# %% [markdown] key="ex-7"
# ## 8.7 Say how sure you are (4 points)
#
# Two cleaners have worked on the same noisy pictures, and a picture that is hard for one may be hard for the other. The error of *one* picture is the root of its mean squared error over its pixels. Report the mean error of both, the mean of the differences, and the standard error of that mean.
#
# **First on paper.** Over the pictures let both errors have the variance $v$, and the correlation $r$. What is the standard error of the difference of their means, from $m$ pictures that both have cleaned? And from $m$ pictures for each? How many do the pairs save?


# %% exercise="paired_report"
def paired_report(clean, first, second):
    """Compare two cleaners on the same pictures.

    clean : (m, d) array, the pictures without noise, one in each row
    first, second : (m, d) arrays, what the two cleaners made of the noisy ones

    Returns four numbers (error of first, error of second, difference, standard error): mean errors,
    the mean of first less second, and the standard error of that mean, from the spread over the m
    pictures (with m - 1).
    """
    ### BEGIN SOLUTION
    a, b = (np.sqrt(np.mean((after - clean) ** 2, axis=1)) for after in (first, second))
    d = a - b  # the same picture and the same noise: what is hard for one is hard for the other
    return a.mean(), b.mean(), d.mean(), d.std(ddof=1) / np.sqrt(len(d))
    ### END SOLUTION


# %% check="paired_report"
check(paired_report)

# %% [markdown] key="pairs-answer"
# <details><summary><b>On paper</b> (open this once you have written down your answer)</summary>
#
# - Of pairs the difference has the variance $v+v-2rv$, so its mean has the standard error $\sqrt{2v(1-r)/m}$. Of pictures for each it is $\sqrt{2v/m}$.
# - So $m$ pairs say as much as $m/(1-r)$ pictures for each. In *Your verdict* below $r=0.67$ at noise 4: a hundred pairs are worth three hundred.
# - A wrong turn: the same noise, but drawn anew for the second cleaner. Then what is hard by its noise is hard for one of the two only, and $r$ falls.
#
# </details>

# %% [markdown] key="digits"
# ### Your verdict
#
# The next cell gives *your* `denoise` the digits: a drawer of 500, and 100 others with fresh noise. `paired_report` compares it with linear PCA. Predict: which of the two is ahead, by how much, and how sure is that? Then set the noise to 8, and look at what drowns. At last choose $\sigma$ and $q$ on
# 200 pictures that you do not report on, and the $q$ of linear PCA as well: which of the two needs more axes?

# %% key="digits-figure"
digits = load_digits().data[np.random.default_rng(1).permutation(1797)]
drawer, clean = digits[:500], digits[500:600]
noise, sigma, q, q_linear = 4.0, 30.0, 100, 15
noisy = clean + noise * np.random.default_rng(2).standard_normal(clean.shape)
try:
    cleaned = denoise(drawer, noisy, sigma, q, 30)
    mean = drawer.mean(axis=0)
    V = np.linalg.svd(drawer - mean, full_matrices=False)[2][:q_linear]
    linear = mean + (noisy - mean) @ V.T @ V
    ours, theirs, gap, se = paired_report(clean, cleaned, linear)
except NotImplementedError:
    print("First write denoise, and what it calls, and paired_report.")
else:
    print(f"noise {noise}: kernel PCA off by {ours:.2f}, linear PCA by {theirs:.2f} grey levels")
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
        alt="Ten digits in four rows: clean, with noise, cleaned by your kernel PCA, and by linear "
        "PCA.",
    )

# %% [markdown] key="digits-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# At noise 4 kernel PCA is off by 1.96 and linear PCA by 2.60; the difference, 0.64, is twenty times its standard error. At noise 8 both are worse than what they can do with other settings, 3.78 and 4.20, and the pictures that come back look alike: they differ by a third of what clean digits do, since the row of kernels has shrunk
# to a tenth.
#
# Settings from pictures 600 to 800: at noise 4 $\sigma=25$ and as many axes as were tried, 400, for linear PCA 15; then 1.83 for 2.60. At noise 8 $\sigma=30$ and 400 axes, and 5; then 3.18 for 3.70. **Kernel PCA wants more axes, by far.** At noise 4 the feature of one digit needs many. At noise 8 they make up for the faded row: divide each row by its largest entry, and far fewer do better. What keeps noise out is their number, and the narrow kernel: with more axes, or a wider kernel, more of it comes back. A wrong turn: to choose on the hundred pictures and to report on them.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: what forgetting to centre costs
#
# Let $K$ be a Gram matrix that nobody has centred, with eigenvalues $\mu_1\ge\dots\ge\mu_n$, and $\lambda_1\ge\dots\ge\lambda_n$ those of $\tilde K$. A *flat* is a point $a$ of the feature space with $q$ perpendicular directions $g_1,\dots,g_q$ of length 1. What it *leaves out* is the sum of the squared distances of the $n$ features from it.
#
# (a) The directions are given. Show that the flat through the mean $\bar\varphi$ leaves out least. What is the least that any flat with $q$ directions leaves out, and any flat through the origin?
#
# (b) Show, for every $q$,
#
# $$\sum_{k>q+1}\mu_k\ \le\ \sum_{k>q}\lambda_k\ \le\ \sum_{k>q}\mu_k .$$
#
# (c) So whoever forgets to centre, and keeps one axis more, leaves out no more than who centres. Check it on the triangle of the lecture. Then name two things that go wrong nevertheless.

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) Let $P$ project onto what is perpendicular to all $g_j$. The distance of $\varphi(x_i)$ from the flat is $\|P(\varphi(x_i)-a)\|$. Write $\varphi(x_i)-a=(\varphi(x_i)-\bar\varphi)+(\bar\varphi-a)$. Deviations sum to 0, so the mixed term does, too:
#
# $$\sum_i\|P(\varphi(x_i)-a)\|^2=\sum_i\|P(\varphi(x_i)-\bar\varphi)\|^2+n\,\|P(\bar\varphi-a)\|^2 .$$
#
# The last term is 0 if the flat goes through $\bar\varphi$. Among those, the lecture's (8) and the paragraph below it give the best directions: $\sum_{k>q}\lambda_k$ is left out. Through the origin take $a=0$ and read the same proof with $K$ for $\tilde K$. It never uses that the features sum to 0, so $\sum_{k>q}\mu_k$.
#
# (b) On the right: a flat through the origin is a flat, and the best flat leaves out no more than it. On the left: take the best flat, with its $a$ and $g_1,\dots,g_q$. It lies within the space that $a,g_1,\dots,g_q$ span, which goes through the origin, has at most $q+1$ dimensions, and is at least as near to every feature. The best such space leaves
# out $\sum_{k>q+1}\mu_k$, and no more than this one.
#
# A wrong turn: to compare axis by axis. The axes of $K$ need not be near any of $\tilde K$; only what is left out can be compared. Another: $\mu_1\ge\lambda_1$ *because* $\operatorname{tr}K\ge\operatorname{tr}\tilde K$. A sum says nothing of its terms.
#
# (c) On the triangle $\mu=1+2c,\,1-c,\,1-c$, with $c=e^{-1/2}$, and $\lambda=1-c,\,1-c,\,0$. For $q=1$ the three sums are $1-c$, $1-c$ and $2(1-c)$: the axis more is exactly the one towards the mean. What goes wrong: shares are divided by $\operatorname{tr}K$, which counts the distance of the mean from the origin; and the first “component” is spent
# on where the mean is. (Axes of $\tilde K$ with rows that were not centred are a third thing, and worse: *Find the error*.)
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# Pencil-and-paper problems with new numbers each time, the same as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch08_kpca")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Divide each new row by its largest entry before it is centred, as in the lecture, and choose $\sigma$ and $q$ at noise 8 anew. (b) Count how often the error *rises* from
# one step to the next. (c) Start the way back at the nearest training point: do you end elsewhere?
