# %% [markdown] key="title" slide="slide"
# # Kernel PCA and kernel LDA
#
# Principal components of features that nobody can write down. We derive them from the Gram matrix alone, remove noise
# from pictures with them, and then find an axis that separates classes.

# %% key="imports" slide="skip" hide="input"
from functools import cache

import numpy as np
import matplotlib.pyplot as plt
from sklearn.datasets import load_digits, load_wine, make_circles
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kcourse import Gaussian, KernelFisherDiscriminant, KernelPCA, Linear, Polynomial
from kcourse.kpca import center, center_rows, fisher_direction
from kcourse.lab import cycle, measured, show, table, use_style, verify
from kcourse.chapters.ch08_kpca.figures import (
    CLASSES, cleaning_explorer, rings_explorer, scree_explorer,
)

use_style()

# %% [markdown] key="question" slide="slide" tags=["hour"]
# ## What was written here?
#
# Eight digits were written with a pen, scanned, and covered with noise, a little in the upper row and much in the
# lower. You have a thousand clean digits, and none of these eight is among them. Recover the pictures.
#
# Write down two bets first, for each row.
#
# - *Which eight digits are they?*
# - *Which method recovers them best?* The candidates are linear principal components, nonlinear ones, and a mean of
#   the clean digits that look similar.
#
# The end of the chapter has the answers. It also says which classifiers make fewer mistakes on the denoised pictures.
#
# <!-- slide
# ## Which digits are these?
#
# Eight digits, covered with noise. You have a thousand clean ones. **Recover the pictures.**
#
# Two bets, on paper:
#
# - **Which eight digits** are they?
# - **Which method is best?** Linear components, nonlinear ones, or a mean of similar digits.
# -->

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# On the next page let the room read the upper row aloud, then the lower one. Collect methods on the board. Expect
# projection onto principal components and the mean of similar digits. Take bets on which one is best at which noise,
# and keep them.
#
# </details>

# %% key="question-picture" hide="input"
digits = load_digits()
order = np.random.default_rng(0).permutation(len(digits.data))
seen_first = [np.flatnonzero(digits.target[order[1200:]] == c)[0] for c in (3, 8, 0, 5, 2, 9, 4, 6)]
eight = digits.data[order[1200:]][seen_first]
eight_noise = np.random.default_rng(8).standard_normal(eight.shape)
fig, axes = plt.subplots(2, 8, figsize=(8.6, 2.5))
for row, sd in zip(axes, (4, 8), strict=True):
    for ax, picture in zip(row, eight + sd * eight_noise, strict=True):
        ax.imshow(picture.reshape(8, 8), cmap="gray_r", vmin=0, vmax=16)
        ax.set(xticks=[], yticks=[])
        ax.grid(False)
    row[0].set_ylabel(f"noise {sd}")
show(
    fig,
    alt="Eight pictures of digits in two rows. With noise of standard deviation 4 most can be "
    "read; with 8 some can be guessed and others cannot.",
)

# %% [markdown] key="question-reading"
# The data are 1797 digits by 13 writers, reduced to 64 pixels with grey levels from 0 to 16. The noise is normal and
# independent for each pixel, and its standard deviation is 4 in the upper row and 8 in the lower. The digits are
# shuffled and split into three sets, and the eight belong to the test set.
#
# If we know *how digits vary*, we can remove from a picture whatever does not vary in this way. Principal component
# analysis finds the directions in which data vary. Its directions are straight, but the set of digits need not be.
#
# <!-- slide
# ## Digits vary in few ways, and noise varies in all
#
# 1797 digits by 13 writers, 64 pixels, grey levels 0 to 16. If we know *how digits vary*, we can remove the rest.
# -->

# %% key="question-data" slide="skip"
drawer, choose, unseen = order[:1000], order[1000:1200], order[1200:]  # three sets of pictures
train, test = digits.data[drawer], digits.data[unseen]
print(f"{len(order)} digits: {len(train)} for training, {len(choose)} for validation,")
print(f"{len(test)} for testing")
print(f"{train.shape[1]} pixels, grey levels {train.min():.0f} to {train.max():.0f}")

# %% [markdown] key="objectives" slide="subslide"
# ### After this chapter you can
#
# 1. centre a Gram matrix, and the rows of new points;
# 2. derive the principal axes in a feature space, and say what their eigenvalues measure;
# 3. compute variances and their ratios, and recognise the usual wrong ones;
# 4. find a point from its features, and measure how well that removes noise;
# 5. derive Fisher's discriminant with a kernel, and recognise a ridge regression in it.
#
# **You need** chapter 2, and eigenvectors of symmetric matrices. **Reading:** two to three hours. **Lecture:** two
# 45-minute lectures. **Exercises:** three hours, [in the exercise notebook](../exercises/ch08_kpca_sheet.ipynb).
#
# <!-- slide
# ### After this chapter you can
#
# 1. centre a Gram matrix, and the rows of new points
# 2. derive the principal axes in a feature space, and say what their eigenvalues measure
# 3. compute variances and their ratios, and recognise the usual wrong ones
# 4. find a point from its features, and measure how well that removes noise
# 5. derive Fisher's discriminant with a kernel, and recognise a ridge regression in it
# -->

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Up to the rings the lecture is one chain of four questions. The second lecture is about the row of kernels of a new
# point.
#
# Can be skipped: Skipping the centring shifts all new scores; No other q directions leave out less; How does the time of pre-images grow?; Fisher's discriminant is a ridge regression; The same in scikit-learn
#
# </details>

# %% [markdown] key="rings" slide="slide" tags=["hour"]
# ## Two rings
#
# We begin with points of the plane on two rings. *Principal component analysis* (PCA) looks for the direction in
# which the points vary most. Here no direction separates the rings. If you project the points onto a line and choose
# the best threshold there, at most 70 % of them are on the correct side, whatever the direction of the line.
#
# A feature space has more directions. How can we find the principal ones, if we cannot write down the features?
#
# <!-- slide
# ## No direction of the plane separates two rings
#
# **A feature space has more directions.** How do we find the principal ones?
# -->

# %% key="rings-picture" hide="input"
rings, which = make_circles(400, factor=0.3, noise=0.05, random_state=0)  # 0 outer, 1 inner


def best_cut(s):
    """The best threshold on a line of scores, and the share of points on the correct side."""
    order = np.argsort(s)
    inner_left = np.append(0, np.cumsum(which[order]))  # of the first 0, 1, …, n points
    outer_left = np.arange(len(s) + 1) - inner_left
    right = (inner_left + np.sum(which == 0) - outer_left) / len(s)  # if inner is left
    at = np.argmax(np.maximum(right, 1 - right))
    edges = np.concatenate([[s.min() - 1], np.sort(s), [s.max() + 1]])
    return (edges[at] + edges[at + 1]) / 2, max(right[at], 1 - right[at])


angles = np.linspace(0, np.pi, 180, endpoint=False)
shares = [best_cut(rings @ [np.cos(a), np.sin(a)])[1] for a in angles]
fig, (left, right) = plt.subplots(1, 2, figsize=(8.6, 3.7), width_ratios=[1, 1.2])
for code, (how, name) in enumerate(zip(CLASSES, ("outer", "inner"), strict=True)):
    left.plot(
        *rings[which == code].T, color="black", linestyle="none", markersize=4, label=name, **how
    )
left.set(aspect="equal", xlabel="x₁", ylabel="x₂", xlim=(-1.25, 1.25), ylim=(-1.25, 1.6))
left.legend(loc="upper center", ncols=2)
right.plot(np.degrees(angles), 100 * np.array(shares), **cycle(0))
right.axhline(50, color="#777777", linewidth=1)
right.text(2, 51, "guessing")
right.set(
    xlabel="direction of the projection (degrees)",
    ylabel="correct with the best threshold (%)",
    ylim=(45, 102),
)
show(
    fig,
    alt="Left: two rings around one centre, the outer one circles, the inner one triangles. "
    "Right: the share of points that the best threshold on a projection classifies correctly, "
    "against the direction: between 68 and 70 percent for all directions; guessing has 50.",
)

# %% [markdown] key="centring" slide="slide" tags=["hour"]
# ## Centring the Gram matrix
#
# PCA looks at deviations from the mean. We can write down neither the features $\varphi(x_1),\dots,\varphi(x_n)$ nor
# their mean $\bar\varphi=\frac1n\sum_i\varphi(x_i)$. But inner products of deviations are sums of inner products:
#
# $$\tilde K_{ij}=\big\langle\varphi(x_i)-\bar\varphi,\ \varphi(x_j)-\bar\varphi\big\rangle=K_{ij}-\frac1n\sum_lK_{lj}-\frac1n\sum_lK_{il}+\frac1{n^2}\sum_{l,m}K_{lm}.$$
#
# With the matrix $U$ whose entries are all $\frac1n$ this is
#
# $$\tilde K=K-UK-KU+UKU=(I-U)\,K\,(I-U). \tag{1}$$
#
# Let $\mathbf 1$ be the vector of ones. Deviations from the mean sum to zero, so $\tilde K\mathbf 1=0$. Therefore one
# eigenvalue of $\tilde K$ is always zero. We need this fact in question 3.
#
# <!-- slide
# ## Deviations from an unknown mean have known inner products
#
# $\bar\varphi=\frac1n\sum_i\varphi(x_i)$.
#
# $$\tilde K_{ij}=\big\langle\varphi(x_i)-\bar\varphi,\ \varphi(x_j)-\bar\varphi\big\rangle$$
#
# <div class="fragment">
#
# With the matrix $U$ whose entries are all $\frac1n$,
#
# $$\tilde K=K-UK-KU+UKU=(I-U)\,K\,(I-U) \tag{1}$$
#
# What is $\tilde K\mathbf 1$? What follows for the eigenvalues?
#
# </div>
# -->

# %% [markdown] key="centring-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask for the fourth term before you write it. Expect three terms; then ask what was subtracted twice. Then write
# K̃1 = 0, because deviations sum to 0, so the vector of ones is an eigenvector with eigenvalue 0.
#
# </details>

# %% key="centring-verify" slide="skip"
rng = np.random.default_rng(0)
cloud = rng.normal(size=(40, 2)) + 1.5
F = Polynomial(degree=2).features(cloud)  # a kernel whose features can be written down
K, U = F @ F.T, np.full((40, 40), 1 / 40)
deviations = F - F.mean(axis=0)
verify(
    "(1): inner products of deviations",
    (np.eye(40) - U) @ K @ (np.eye(40) - U),
    deviations @ deviations.T,
)
verify("kcourse's center computes the same matrix", center(K), deviations @ deviations.T)
verify("the rows sum to 0", center(K).sum(axis=1), 0.0)

# %% [markdown] key="centring-predict" slide="subslide"
# **Predict first.** The Gaussian kernel $k(x,z)=e^{-\|x-z\|^2/(2\sigma^2)}$ depends on the difference $x-z$ only, so a
# shift of the data does not change $K$. Does a Gaussian Gram matrix need centring at all? If we skip it, what is the
# first “principal component”?
#
# <!-- slide
# ## A shift of the data does not change a Gaussian K
#
# **Predict first.** Does it need centring? Without centring, what is the first “component”?
# -->

# %% [markdown] key="centring-predict-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Expect the answer that it needs none. Draw the unit sphere: k(x,x) = 1 and all k > 0, so all features lie on a cap of
# it. If σ is wide, the cap is small, and seen from the origin all features lie in nearly one direction.
#
# </details>

# %% [markdown] key="centring-reading" slide="fragment"
# <details><summary><b>Answer</b> (open this once you have written down yours)</summary>
#
# It does need centring. All features have length 1 and positive inner products, so they lie on a cap of the unit
# sphere. If $\sigma$ is not too small, the first eigenvector then describes where the cap is, and not how the
# features differ. For 40 points of the plane and $\sigma=2$ its cosine with the constant vector is 0.987. To shift
# the *data* is not to shift the *features*.
#
# </details>
#
# <!-- slide
# <details><summary><b>Answer</b></summary>
#
# It needs centring. Without it the first eigenvector says where the cap of features is. Its cosine with the constant
# vector is 0.987. **To shift the data is not to shift the features.**
#
# </details>
# -->

# %% key="centring-verify-2" slide="skip" hide="input"
verify("the best of 180 directions (%)", 100 * max(shares), "70")
plane = np.random.default_rng(0).standard_normal((40, 2))
K_plane = Gaussian(2.0)(plane)
ones = np.full(40, 40**-0.5)
first = np.linalg.eigh(K_plane)[1][:, -1]
verify("not centred: cosine of the first eigenvector with the constant", abs(first @ ones), "0.987")
verify("centred: they are orthogonal", np.linalg.eigh(center(K_plane))[1][:, -1] @ ones, 0.0)
verify("a shift of the data does not change K", Gaussian(2.0)(plane + 7.0), K_plane)
verify("all features have length 1", np.diag(K_plane), 1.0)
verify("all inner products are positive", K_plane.min() > 0)

# %% [markdown] key="q1" slide="slide" tags=["hour"]
# ## Four questions: the principal axes
#
# In questions 1 to 3 we write $\varphi$ for $\varphi-\bar\varphi$ and $K$ for $\tilde K$. We follow the four
# questions of a problem class at the École polytechnique. The *first axis* is the $f$ with $\|f\|\le1$ along which
# the features vary most:
#
# $$\max_{\|f\|\le1}\ \sum_i\langle\varphi(x_i),f\rangle^2 .$$
#
# ### Question 1: how do we write this problem with numbers?
#
# Write $f=\sum_i\alpha_i\varphi(x_i)+g$, where $g$ is orthogonal to all features. Then $g$ changes no inner product
# and makes $f$ longer, so we leave it out. Let $k_i$ be the $i$-th column of $K$. Then
#
# $$\|f\|^2=\sum_{i,j}\alpha_i\alpha_jK_{ij}=\alpha^\top K\alpha,\qquad\langle\varphi(x_i),f\rangle=k_i^\top\alpha,\qquad\sum_i\langle\varphi(x_i),f\rangle^2=\|K\alpha\|^2=\alpha^\top K^2\alpha .$$
#
# So the problem has $n$ unknowns, whatever the dimension:
#
# $$\max_{\alpha^\top K\alpha\le1}\ \alpha^\top K^2\alpha . \tag{2}$$
#
# <!-- slide
# ## Question 1: n unknowns, whatever the dimension
#
# In questions 1 to 3 we write $\varphi$ for $\varphi-\bar\varphi$ and $K$ for $\tilde K$. **The first axis:**
#
# $$\max_{\|f\|\le1}\ \sum_i\langle\varphi(x_i),f\rangle^2$$
#
# $f=\sum_i\alpha_i\varphi(x_i)+g$ with $g\perp$ all features. **What does $g$ contribute?**
#
# <div class="fragment">
#
# $$\|f\|^2=\alpha^\top K\alpha,\qquad\langle\varphi(x_i),f\rangle=[K\alpha]_i,\qquad\max_{\alpha^\top K\alpha\le1}\ \alpha^\top K^2\alpha \tag{2}$$
#
# </div>
# -->

# %% [markdown] key="q1-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask what g contributes before you write the answer; the same step proved the representer theorem. Then let them count
# the unknowns. There are n, even if the space has infinitely many dimensions.
#
# </details>

# %% [markdown] key="q2" slide="subslide"
# ### Question 2: which $\alpha$ solves it?
#
# Take the eigenvectors of $K$ as coordinates. Let $Kb_k=\lambda_kb_k$ with $\|b_k\|=1$ and
# $\lambda_1\ge\dots\ge\lambda_n\ge0$, not all zero, and $\alpha=\sum_ka_kb_k$. Then
#
# $$\alpha^\top K^2\alpha=\sum_k\lambda_k^2a_k^2\ \le\ \lambda_1\sum_k\lambda_ka_k^2=\lambda_1\,\alpha^\top K\alpha\ \le\ \lambda_1 .$$
#
# Both inequalities become equalities for $a_1^2\lambda_1=1$ and all other $a_k=0$:
#
# $$\alpha^{(1)}=\frac{b_1}{\sqrt{\lambda_1}},\qquad f^{(1)}=\sum_i\alpha_i^{(1)}\varphi(x_i),\qquad\text{maximum }\lambda_1 . \tag{3}$$
#
# The root makes $\|f^{(1)}\|=1$. It is $f$ that must have length 1, not $\alpha$. The axis $-f^{(1)}$ is as good, so
# **the sign of an axis means nothing.** If $\lambda_1>\lambda_2$, these two are the only solutions. If
# $\lambda_1=\lambda_2$, every unit vector in the plane of $f^{(1)}$ and $f^{(2)}$ is a solution.
#
# <!-- slide
# ## Question 2: the first axis comes from the first eigenvector
#
# $Kb_k=\lambda_kb_k$, $\alpha=\sum_ka_kb_k$:
#
# $$\alpha^\top K^2\alpha=\sum_k\lambda_k^2a_k^2\ \le\ \lambda_1\sum_k\lambda_ka_k^2=\lambda_1\,\alpha^\top K\alpha\ \le\ \lambda_1$$
#
# $$\alpha^{(1)}=\frac{b_1}{\sqrt{\lambda_1}},\qquad f^{(1)}=\sum_i\alpha_i^{(1)}\varphi(x_i),\qquad\text{maximum }\lambda_1 \tag{3}$$
#
# Why the root? Is there a second solution?
# -->

# %% [markdown] key="q2-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask where the first inequality is strict: wherever weight lies on an eigenvector of a smaller positive eigenvalue.
# This also says how many solutions there are: two, ±f, if λ₁ > λ₂.
#
# </details>

# %% [markdown] key="q3" slide="subslide"
# ### Question 3: what are the next axes?
#
# For $f=\sum_i\alpha_i\varphi(x_i)$ and $g=\sum_i\beta_i\varphi(x_i)$ we have
# $\langle f,g\rangle=\alpha^\top K\beta$. The $k$-th axis has the largest sum of squares among all unit vectors that
# are orthogonal to the earlier axes. The condition $f\perp f^{(1)}$ means $\alpha^\top Kb_1=\lambda_1a_1=0$. So
# $a_1=0$, and the argument of question 2 continues with the other coordinates:
#
# $$\alpha^{(k)}=\frac{b_k}{\sqrt{\lambda_k}}\qquad\text{for every }k\text{ with }\lambda_k>0 . \tag{4}$$
#
# The condition $\lambda_k>0$ is missing in the problem class, but it matters. After centring $\lambda_n=0$, and
# rounding turns it into about $10^{-16}\lambda_1$ with either sign. A program that divides by all $\sqrt{\lambda_k}$
# gets NaN or an “axis” of pure rounding error. There are **at most $n-1$ axes**.
#
# <!-- slide
# ## Question 3: there are at most n − 1 axes
#
# $\langle f,g\rangle=\alpha^\top K\beta$. Orthogonal to $f^{(1)}$: $\ \alpha^\top Kb_1=\lambda_1a_1=0$, and question
# 2 continues with the rest.
#
# $$\alpha^{(k)}=\frac{b_k}{\sqrt{\lambda_k}}\qquad\text{for every }k\text{ with }\dots \tag{4}$$
#
# Which $k$ must be left out, and why is there always one?
# -->

# %% [markdown] key="q23-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# The missing condition is λ_k > 0. After centring the vector of ones has eigenvalue 0, and rounding makes it ±1e-16.
#
# </details>


# %% key="q123-code" slide="skip"
def axes_of(K_centred, q):
    lam, B = np.linalg.eigh(K_centred)  # ascending
    lam, B = lam[::-1][:q], B[:, ::-1][:, :q]
    return B / np.sqrt(lam), lam  # α as columns, (4)


KT = center(K_plane)
alpha, lam = axes_of(KT, 6)
verify("axes of length 1, orthogonal", alpha.T @ KT @ alpha, np.eye(6))
verify("sum of squares along each: λ", np.sum((KT @ alpha) ** 2, axis=0), lam)
others = rng.normal(size=(1000, 40))
sums = np.sum((others @ KT) ** 2, axis=1)
ratio = sums / np.sum((others @ KT) * others, axis=1)
verify("none of a thousand directions has more", ratio.max() <= lam[0])

# %% key="q123-verify" slide="skip" hide="input"
verify("the last eigenvalue is 0 up to rounding", abs(np.linalg.eigvalsh(KT)[0]) < 1e-13)
best = alpha[:, 0]
verify("(2) has the value λ₁ at (3)", best @ KT @ KT @ best, lam[0])
verify("α itself does not have length 1", abs(np.linalg.norm(best) - 1) > 0.1)

# %% [markdown] key="q4" slide="subslide"
# ### Question 4: where does a point lie on the axes?
#
# Its *score* on the $k$-th axis is $s_k=\langle\varphi(x)-\bar\varphi,f^{(k)}\rangle$. For the training points the
# scores are $\tilde K\alpha^{(k)}=\sqrt{\lambda_k}\,b_k$. For any $x$ the problem class writes
# $\sum_i\alpha_i^{(k)}k(x_i,x)$, where $k$ is the kernel of centred features. But a program has the kernel without
# centring. What must it do with the row of a new point?
#
# The new row must also be centred, with the mean of the *training* features, because the axes describe deviations
# from this mean. Row $j$ of $K_q$ contains the kernels of the $j$-th new point with the training points. Let $V$ have
# the shape of $K_q$ and entries $\frac1n$. Then
#
# $$\tilde K_q=K_q-VK-K_qU+VKU,\qquad s_k(x_j)=\big[\tilde K_q\,\alpha^{(k)}\big]_j \tag{5}$$
#
# for the $j$-th new point. If we used the mean of the new points instead, a score would depend on which other points
# are scored with it.
#
# <!-- slide
# ## Question 4: the rows of new points must be centred too
#
# The *score* of $x$: $\ s_k=\langle\varphi(x)-\bar\varphi,f^{(k)}\rangle$. On the training points
# $\tilde K\alpha^{(k)}=\sqrt{\lambda_k}\,b_k$.
#
# <div class="fragment">
#
# $$\tilde K_q=K_q-VK-K_qU+VKU,\qquad s_k(x_j)=\big[\tilde K_q\,\alpha^{(k)}\big]_j \tag{5}$$
#
# With the mean of the **training** features. Why not of the new ones?
#
# </div>
# -->

# %% [markdown] key="q4-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask what a program must do with the row of a new point. Then ask what happens if one new point is scored alone and
# centred with its own mean: its row becomes 0, and so does every score.
#
# </details>

# %% key="q4-verify" slide="skip"
new = rng.normal(size=(5, 2))
U, V = np.full((40, 40), 1 / 40), np.full((5, 40), 1 / 40)


def centered_rows(Kq, K):
    return Kq - V @ K - Kq @ U + V @ K @ U  # (5)


F_new = Polynomial(degree=2).features(new)  # F has the features of the cloud
of_deviations = (F_new - F.mean(axis=0)) @ (F - F.mean(axis=0)).T
verify("(5): inner products of deviations", centered_rows(F_new @ F.T, F @ F.T), of_deviations)
Kq = Gaussian(2.0)(new, plane)
scores = centered_rows(Kq, K_plane) @ alpha
alone = [center_rows(Kq[[i]], K_plane)[0] @ alpha for i in range(5)]
verify("each new point scored alone: the same scores", alone, scores)
verify("training points: √λ b", KT @ alpha, alpha * lam)  # α = b/√λ

# %% [markdown] key="skipped" slide="subslide" tags=["later"]
# ### What if the centring of new rows is skipped?
#
# The last two terms of (5) are equal for all entries of a row, and the entries of $\alpha^{(k)}$ sum to zero because
# $b_k\perp\mathbf 1$. So these two terms contribute nothing to a score. If the row is not centred at all, only the
# term $VK$ is missing, and the score is wrong by
#
# $$\sum_i\alpha_i^{(k)}k(x_i,x)-s_k=\sum_i\alpha_i^{(k)}\,\frac1n\sum_lK_{li}.$$
#
# This is **one constant for each axis**, the same for all new points. A plot of the new points alone therefore looks
# right, and the mistake shows only next to training points or in a classifier.
#
# <!-- slide
# ## Skipping the centring shifts all new scores
#
# The entries of $\alpha^{(k)}$ sum to 0, so two of the four terms contribute nothing:
#
# $$\sum_i\alpha_i^{(k)}k(x_i,x)-s_k=\sum_i\alpha_i^{(k)}\,\frac1n\sum_lK_{li}$$
#
# **One constant for each axis.** In which plot does it show, and in which not?
# -->

# %% [markdown] key="triangle" slide="slide"
# ## A triangle with pencil and paper
#
# Take three points, each at distance 1 from the other two, and the Gaussian kernel with $\sigma=1$. Which eigenvalues
# does the centred Gram matrix have? How many axes are there, and which?
#
# <!-- slide
# ## A triangle: which eigenvalues, which axes?
#
# Three points, each at distance 1 from the other two; Gaussian kernel, $\sigma=1$. Find the eigenvalues of
# $\tilde K$, the number of axes, and the axes.
# -->

# %% [markdown] key="triangle-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Give two minutes with a pencil. Hint: write c for the kernel value and K = (1 - c)I + c·11ᵀ. The last question
# matters most, because two people who found different axes are both right. Draw the triangle of the scores and turn it.
#
# </details>

# %% [markdown] key="triangle-2" slide="fragment"
# <details><summary><b>Solution</b> (open this once you have written down your numbers)</summary>
#
# - Write $c=e^{-1/2}$ for the kernel of two corners. Then $K=(1-c)\,I+c\,\mathbf 1\mathbf 1^\top$.
# - $(I-U)\mathbf 1=0$, so in (1) the second part vanishes and $\tilde K=(1-c)\,(I-U)$.
# - $I-U$ is a projection. It has the eigenvalue zero for $\mathbf 1$, and one for every vector orthogonal to
#   $\mathbf 1$. So $\lambda_1=\lambda_2=1-c=0.3935$ and $\lambda_3=0$.
# - There are two axes, each with half of the variance. They are not determined, because any two orthogonal directions
#   of the plane orthogonal to $\mathbf 1$ are as good.
# - The scores of any two corners have the squared distance $2(1-c)$. So they form a triangle again, turned by some
#   angle.
#
# </details>
#
# <!-- slide
# <details><summary><b>Solution</b></summary>
#
# - $c=e^{-1/2}$: $\ K=(1-c)I+c\,\mathbf 1\mathbf 1^\top$, so $\tilde K=(1-c)(I-U)$.
# - $\lambda_1=\lambda_2=1-c=0.3935$, $\lambda_3=0$.
# - Two axes with half of the variance each. **They are not determined.**
#
# </details>
# -->

# %% key="skipped-verify" slide="skip" hide="input"
gap = Kq @ alpha - scores
verify("skipped: one constant for each axis", gap, np.tile(gap[0], (5, 1)))
verify("the constant of the formula", gap[0], alpha.T @ K_plane.mean(axis=0))
verify("the entries of each α sum to 0", alpha.sum(axis=0), 0.0)
verify("kcourse's center_rows is (5)", center_rows(Kq, K_plane), centered_rows(Kq, K_plane))
model = KernelPCA(Gaussian(2.0), n_components=6).fit(plane)
verify("kcourse's scores, up to signs", np.abs(model.transform(new)), np.abs(scores))
verify("those of training points", np.abs(model.fit_transform(plane)), np.abs(KT @ alpha))
corners = np.array([[0, 0], [1, 0], [0.5, np.sqrt(3) / 2]])
c = np.exp(-1 / 2)
spectrum = np.linalg.eigvalsh(center(Gaussian(1.0)(corners)))
verify("triangle: eigenvalues 0, 1 - c, 1 - c", spectrum, [0, 1 - c, 1 - c])
of_corners = KernelPCA(Gaussian(1.0), n_components=2).fit_transform(corners)
sides = [np.sum((of_corners[i] - of_corners[j]) ** 2) for i, j in ((0, 1), (0, 2), (1, 2))]
verify("squared distances of the scores", sides, 2 * (1 - c))
verify("1 - c", 1 - c, "0.3935")

# %% [markdown] key="play" slide="slide" tags=["hour"]
# ## Components as pictures
#
# A score is a function of $x$, so we can draw its contours in the plane, here for the two rings. **Predict first.**
#
# 1. At $\sigma=1$, what does the first component of the rings look like? Does it separate them?
# 2. The figure counts the components with at least a millionth of the variance. The plane has two dimensions. How
#    many components can there be?
# 3. Look for a component that separates the rings. Does it have much of the variance?
#
# <!-- slide
# ## What do components of the rings look like?
#
# A score is a function of $x$: draw its contours. **Predict first.**
#
# 1. At $\sigma=1$, does the first component separate the rings?
# 2. How many components have a millionth of the variance, although the plane has two dimensions?
# 3. Does a component that separates the rings have much of the variance?
# -->

# %% [markdown] key="play-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Set σ = 1 and show the components in order. Two run across the rings, orthogonal to each other, and the third
# separates inside from outside. Then show component 3 at σ = 4: one percent of the variance, and a perfect separation.
# Ask which σ is right, and leave the question open, because the eigenvalues do not answer it.
#
# </details>


# %% key="play-figure" hide="input"
def rings_at(sigma):
    model = KernelPCA(Gaussian(sigma), n_components=6)
    mine = model.fit_transform(rings)
    lam = np.linalg.eigvalsh(center(Gaussian(sigma)(rings)))
    many = int(np.sum(lam > 1e-6 * lam.sum()))  # those with a millionth of the variance
    return model.transform, mine, model.explained_variance_ratio_, many


turning = rings_explorer((rings, which), rings_at, best_cut, ("outer", "inner"), 6)

# %% [markdown] key="play-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# - At $\sigma=1$ the first component runs across the rings, like those of ordinary PCA, and so does the second.
#   Neither separates them.
# - There can be far more than two. The figure counts 272 at $\sigma=0.1$. A Gaussian Gram matrix of distinct points
#   is invertible, and centring removes one axis, so there are $n-1$ components, whatever $d$ is.
# - At $\sigma=1$ the third component separates the rings without a mistake, with 13.6 % of the variance. At
#   $\sigma\approx4$ it has 1.2 %, and still separates them. For $\sigma$ between $0.25$ and $0.5$ the first component
#   does so, on each of twenty draws of the rings.
#
# **An eigenvalue does not say what a component is good for.**
#
# </details>
#
# <!-- slide
# <details><summary><b>An eigenvalue does not say what a component is good for</b></summary>
#
# - $\sigma=1$: the first two run across the rings. The **third** separates them, with 13.6 % of the variance.
# - $\sigma\approx4$: it has 1.2 % and still separates them.
# - 272 components with a millionth of the variance at $\sigma=0.1$, and up to $n-1$ in all, though $d=2$.
#
# </details>
# -->

# %% [markdown] key="variance" slide="slide"
# ## What an eigenvalue measures
#
# $\lambda_k$ is a *sum* of squared scores. The variance along the axis is
#
# $$\frac1n\sum_is_k(x_i)^2=\frac{\lambda_k}n\qquad\Big(\text{or }\frac{\lambda_k}{n-1}\Big), \tag{6}$$
#
# and the total variance is $\frac1n\sum_j\lambda_j=\frac1n\operatorname{tr}\tilde K$, over *all* $n$ eigenvalues. So
# the share of an axis is
#
# $$\frac{\lambda_k}{\operatorname{tr}\tilde K}. \tag{7}$$
#
# The trace is known before any eigenvalue has been computed. By Pythagoras, $q$ axes leave out
#
# $$\frac1n\sum_i\Big\|\varphi(x_i)-\bar\varphi-\sum_{k\le q}s_k(x_i)f^{(k)}\Big\|^2=\frac1n\sum_{k>q}\lambda_k. \tag{8}$$
#
# Two wrong ratios are common. One divides by the trace of $K$ without centring, the other by the sum of the $q$
# eigenvalues that were kept.
#
# <!-- slide
# ## An eigenvalue is n times a variance
#
# $\lambda_k$ is a **sum** of squared scores.
#
# $$\text{variance along the axis }=\frac{\lambda_k}n\ \Big(\text{or }\frac{\lambda_k}{n-1}\Big) \tag{6}$$
#
# $$\text{its share}=\frac{\lambda_k}{\operatorname{tr}\tilde K} \tag{7}$$
#
# over **all** eigenvalues, not only the $q$ that are kept.
# -->

# %% [markdown] key="variance-best" slide="subslide" tags=["later"]
# ### No other $q$ directions leave out less
#
# Take any orthonormal $g_1,\dots,g_q$. The scores on different axes are orthogonal, so the sum of squares along $g_j$
# is $\sum_k\lambda_k\langle g_j,f^{(k)}\rangle^2$. All of them together keep
#
# $$\sum_k\lambda_kw_k,\qquad w_k=\sum_{j\le q}\langle g_j,f^{(k)}\rangle^2 .$$
#
# Here $w_k\le1$, because it is the squared length of the projection of $f^{(k)}$ onto the span of the $g_j$. Also
# $\sum_kw_k\le q$, because each $g_j$ has unit length. Under these two constraints the sum is largest with unit
# weight on each of the $q$ largest eigenvalues. This gives $\lambda_1+\dots+\lambda_q$, which is what the axes keep.
#
# <!-- slide
# ## No other q directions leave out less
#
# $$\frac1n\sum_i\Big\|\varphi(x_i)-\bar\varphi-\sum_{k\le q}s_k(x_i)f^{(k)}\Big\|^2=\frac1n\sum_{k>q}\lambda_k \tag{8}$$
#
# Any orthonormal $g_1,\dots,g_q$ keep
#
# $$\sum_k\lambda_kw_k,\qquad w_k=\sum_{j\le q}\langle g_j,f^{(k)}\rangle^2$$
#
# Which values can the weights $w_k$ have?
# -->

# %% [markdown] key="variance-best-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Question 3 found one axis after the other. Ask whether a greedy choice must be the best choice of q at once. Then let
# them bound one weight by 1, and the sum of all weights by q. Spend the budget q on the largest eigenvalues.
#
# </details>

# %% key="variance-verify" slide="skip"
wine = load_wine()
# standardised: 13 units become one
Z = (wine.data - wine.data.mean(axis=0)) / wine.data.std(axis=0)
n = len(Z)
K_wine = Gaussian(3.0)(Z)
alpha, lam = axes_of(center(K_wine), 5)
scores = center(K_wine) @ alpha
verify("(6): the variance of the scores is λ/n", scores.var(axis=0), lam / n)
every = np.linalg.eigvalsh(center(K_wine))
verify("the trace is the sum of all eigenvalues", every.sum(), np.trace(center(K_wine)))
FZ = Polynomial(degree=2).features(Z)  # features that can be written down
D = FZ - FZ.mean(axis=0)
f_five = D.T @ axes_of(center(FZ @ FZ.T), 5)[0]  # the axes themselves, (3)
residual = D - D @ f_five @ f_five.T
others = np.linalg.eigvalsh(center(FZ @ FZ.T))[:-5]
verify("(8), feature by feature: what five axes leave out", np.sum(residual**2), others.sum())

# %% [markdown] key="scree-predict" slide="subslide"
# ### The scree plot of 178 wines
#
# The wines are of three cultivars, that is, kinds of vine. Their thirteen chemical measurements are standardised,
# because they have no common unit. A *scree plot* shows the eigenvalues in decreasing order, here for $\sigma=3$.
# **Predict first.**
#
# 1. You keep one component, and a program divides by the sum of those kept. Which ratio does it report?
# 2. You keep ten instead of two. What happens to the wrong and to the correct ratio of component 1?
# 3. You make $\sigma$ small. Is a steep scree plot a property of the wines?
#
# <!-- slide
# ## Is a steep scree plot a property of the data?
#
# 178 wines, 13 measurements each, standardised; $\sigma=3$. **Predict first.**
#
# 1. One component is kept: which ratio does a program report that divides by the sum of those kept?
# 2. Ten instead of two: what happens to either ratio of component 1?
# 3. A small $\sigma$: what does the scree plot look like?
# -->

# %% [markdown] key="scree-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Show the ratios at q = 1: 100 percent, whatever the data. Then increase q: the wrong ratio of the same component falls
# and the correct one stays. Then decrease σ: the spectrum becomes flat, because all features become orthogonal.
#
# </details>


# %% key="scree-figure" hide="input"
@cache
def wine_spectrum(sigma):
    return np.linalg.eigvalsh(center(Gaussian(sigma)(Z)))[::-1]


screes = scree_explorer(wine_spectrum, n, 3.0)

# %% [markdown] key="scree-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# - With one component kept the wrong ratio is 100 %, whatever the data are.
# - Of two kept components the first has 61 %, and of ten it has 33 %. Its correct share of the variance remains 20.5
#   %. A ratio that depends on how many other components you look at is not a property of the component.
# - No. As $\sigma$ becomes small, all features become orthogonal and the spectrum becomes flat. The scree plot shows
#   the wines *through a kernel*.
#
# </details>
#
# <!-- slide
# <details><summary><b>The scree plot shows the wines through a kernel</b></summary>
#
# - One kept: the wrong ratio is 100 %, whatever the data are. Of two 61 %, of ten 33 %.
# - The share of the variance: 20.5 % in each case.
# - A small $\sigma$: a flat spectrum.
#
# </details>
# -->

# %% key="scree-verify" slide="skip" hide="input"
for sigma, share in ((1.0, "13.6"), (10**0.6, "1.2")):
    _, mine, part, _ = rings_at(sigma)
    verify(f"σ = {sigma:.1f}: third, its share of the variance (%)", 100 * part[2], share)
    verify("third component: no mistake", best_cut(mine[:, 2])[1] == 1)
redrawn = measured("ch08_rings", "rings-first")
misclassified = redrawn["wrong from 0.25 to 0.5"].max()
verify("twenty draws: points misclassified by the first component (%)", misclassified, 0.0)
verify("σ = 0.1: with a millionth of the variance", rings_at(0.1)[3], 272)
b = np.linalg.eigh(center(K_wine))[1][:, :0:-1]  # all axes; the last eigenvector gives none
onto = np.linalg.qr(rng.normal(size=(n - 1, 5)))[0]  # five other directions, in coordinates
weights = np.sum(onto**2, axis=1)
verify("weights at most 1, together 5", [weights.max() <= 1, weights.sum()], [True, 5])
kept = np.sum((b * np.sqrt(every[:0:-1]) @ onto) ** 2)  # sum of squares along the five
verify("they keep Σ λ w", kept, every[:0:-1] @ weights)
verify("the five axes keep more", kept < lam.sum())
at3 = wine_spectrum(3.0)
verify("two kept: component 1 has of what is kept (%)", 100 * at3[0] / at3[:2].sum(), "61")
verify("ten kept (%)", 100 * at3[0] / at3[:10].sum(), "33")
verify("its share of the variance (%)", 100 * at3[0] / at3.sum(), "20.5")
narrow = wine_spectrum(0.3)
verify("σ = 0.3: the twelfth is nearly the first", narrow[11] / narrow[0] > 0.99)
verify(
    "kcourse's ratio is (7)",
    KernelPCA(Gaussian(3.0)).fit(Z).explained_variance_ratio_[0],
    at3[0] / at3.sum(),
)

# %% [markdown] key="back" slide="slide" tags=["hour"]
# ## The way back: pre-images
#
# Now the digits. A noisy picture has scores on the first $q$ axes, and we treat what these axes leave out as noise.
# What remains is
#
# $$p=\bar\varphi+\sum_ks_kf^{(k)}=\sum_i\beta_i\,\varphi(x_i),\qquad\beta_i=\frac1n+\sum_ks_k\alpha_i^{(k)}, \tag{9}$$
#
# but we want a *picture*. (The means inside $f^{(k)}$ cancel, because the entries of $\alpha^{(k)}$ sum to zero.)
# Hardly any point of the feature space is $\varphi(z)$ for some $z$. So we take the $z$ whose feature is nearest to
# $p$, the *pre-image*. For the Gaussian kernel $\|\varphi(z)\|=1$, so
#
# $$\|\varphi(z)-p\|^2=1-2\sum_i\beta_ik(z,x_i)+\|p\|^2 .$$
#
# The gradient of the sum is $\sum_i\beta_ik(z,x_i)\,(x_i-z)/\sigma^2$. Where the denominator is not zero, it vanishes
# for
#
# $$z=\frac{\sum_i\beta_ik(z,x_i)\,x_i}{\sum_i\beta_ik(z,x_i)}. \tag{10}$$
#
# This is a weighted mean of the training pictures, as in chapter 1, but the weights may be negative. Because $z$
# occurs on both sides, we start somewhere and repeat the step. The result is a stationary point, which may depend on
# the start. `kcourse` halves each step that increases the distance.
#
# <!-- slide
# ## The pre-image is a weighted mean of training pictures
#
# $$p=\bar\varphi+\sum_ks_kf^{(k)}=\sum_i\beta_i\,\varphi(x_i),\qquad\beta_i=\frac1n+\sum_ks_k\alpha_i^{(k)} \tag{9}$$
#
# The *pre-image*: the $z$ whose feature is nearest. For the Gaussian kernel
#
# $$\|\varphi(z)-p\|^2=1-2\sum_i\beta_ik(z,x_i)+\|p\|^2,\qquad z=\frac{\sum_i\beta_ik(z,x_i)\,x_i}{\sum_i\beta_ik(z,x_i)} \tag{10}$$
#
# $z$ is on both sides: start somewhere and repeat.
# -->

# %% [markdown] key="back-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Let them differentiate. Ask where they have seen the fraction: the window mean of chapter 1. Ask whether a mean of
# clean digits can be noisy. Expect no; but with weights of both signs it can.
#
# </details>


# %% key="back-code" slide="skip"
def pre_image(beta, X, sigma, steps=100):
    z = X[np.argmax(Gaussian(sigma)(X) @ beta)]  # its feature is nearest
    for _ in range(steps):
        weights = beta * Gaussian(sigma)(z[None], X)[0]
        z = weights @ X / weights.sum()  # (10)
    return z


cleaner = KernelPCA(Gaussian(30.0), n_components=100).fit(train)
noisy = eight[0] + 4 * eight_noise[0]
s = cleaner.transform(noisy[None])
beta = cleaner.dual_coef_ @ s[0] + 1 / len(train)  # (9)
z = pre_image(beta, train, 30.0)
library = cleaner.pre_image(s, tol=1e-10).points[0]
verify("the fixed point is kcourse's pre-image", z, library, tol=1e-6)
verify("the weights in (9) sum to 1", beta.sum(), 1.0)

# %% [markdown] key="clean-predict" slide="slide" tags=["hour"]
# ## Three ways to denoise a picture
#
# - *Linear PCA:* project onto $q$ axes of the pictures themselves.
# - *Kernel PCA:* project onto $q$ axes with $\sigma=30$ grey levels, and take the pre-image.
# - *Mean of neighbours:* a mean of the training pictures with the weights of a Gaussian window of width 8 (chapter
#   1).
#
# **Predict first.** The clean digits stay hidden until you ask for them.
#
# 1. What do the pictures look like with *one* component?
# 2. With the slider at its right end, 64 axes for linear PCA and 316 for kernel PCA, what does each method return?
# 3. Set the noise to 8. Which method is best now?
#
# <!-- slide
# ## Three ways to denoise a picture
#
# - **Linear PCA:** project onto $q$ axes of the pictures.
# - **Kernel PCA:** $q$ axes, $\sigma=30$ grey levels, and the pre-image.
# - **Mean of neighbours:** weights $k(x,x_i)$, width 8.
#
# **Predict first.** What does each return with one component? With 64 and 316? Which is best at noise 8?
# -->

# %% [markdown] key="clean-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Show one component, then 64: linear PCA returns the noise, pixel by pixel. Then 316: kernel PCA returns a part of it.
# Then set noise 8 and ten components, and ask why the row of kernel PCA turns grey. Collect guesses, because the next
# section needs them.
#
# </details>

# %% key="clean-figure" hide="input"
mean = train.mean(axis=0)
V = np.linalg.svd(train - mean, full_matrices=False)[2]
whole = KernelPCA(Gaussian(30.0), n_components=316).fit(train)


def linear_pca(noisy, q):
    return mean + (noisy - mean) @ V[:q].T @ V[:q]


def kernel_pca(noisy, q):
    kept = np.where(np.arange(316) < q, whole.transform(noisy), 0.0)
    return whole.pre_image(kept, tol=1e-3).points


def neighbours(noisy, width):
    d2 = np.sum(noisy**2, axis=1)[:, None] - 2 * noisy @ train.T + np.sum(train**2, axis=1)
    weights = np.exp(-(d2 - d2.min(axis=1, keepdims=True)) / (2 * width**2))
    return weights @ train / weights.sum(axis=1, keepdims=True)


cleaning = cleaning_explorer(
    eight,
    eight_noise,
    {
        "linear PCA": linear_pca,
        "kernel PCA": kernel_pca,
        "neighbours": lambda noisy, q: neighbours(noisy, 8.0),
    },
)

# %% [markdown] key="clean-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# - With *one* component kernel PCA returns nearly the same blur for all pictures.
# - With *many* components linear PCA returns the noisy picture exactly, as a projection onto the whole space must.
#   Kernel PCA returns a digit with a part of the noise.
# - With *much noise* the mean of neighbours has the smallest error on these eight. Kernel PCA returns nearly the same
#   grey average for all pictures, most of all with few components. The cause is not the axes, which have not changed.
#   The next section finds it.
#
# </details>
#
# <!-- slide
# <details><summary><b>At noise 8 kernel PCA returns nearly one average</b></summary>
#
# - One component: nearly the same blur for all.
# - Many components: linear PCA returns all of the noise, kernel PCA a part.
# - Noise 8: the neighbours are best here. Kernel PCA returns nearly one grey average.
#
# </details>
# -->

# %% key="clean-verify" slide="skip" hide="input"
f = [np.sum(beta * Gaussian(30.0)(p[None], train)[0]) for p in (z, noisy, eight[0], *train[:100])]
verify("nearer to p than the noisy, the clean and 100 other digits", max(f[1:]) < f[0])
verify("some weights are negative", beta.min() < 0)
h = 1e-4 * rng.standard_normal(64)  # a small step, there and back
up, down = (beta @ Gaussian(30.0)((noisy + e)[None], train)[0] for e in (h, -h))
slope = (beta * Gaussian(30.0)(noisy[None], train)[0]) @ (train - noisy) / 30.0**2
verify("the gradient, by differences", (up - down) / 2, slope @ h, tol=1e-8)
loud, louder = eight + 4 * eight_noise, eight + 8 * eight_noise
verify("linear PCA with 64 axes returns the noise", linear_pca(loud, 64), loud)
one = kernel_pca(loud, 1)
spread = np.sqrt(np.mean((one - one.mean(axis=0)) ** 2))
verify(
    "one component: nearly the same for all",
    spread < 0.5 * np.sqrt(np.mean((eight - eight.mean(axis=0)) ** 2)),
)
here = {name: np.sqrt(np.mean((after - eight) ** 2)) for name, after in (
    ("neighbours", neighbours(louder, 8.0)),
    *((f"{how.__name__} {q}", how(louder, q)) for how in (linear_pca, kernel_pca)
      for q in (1, 3, 10, 30, 100, 316)),
)}  # fmt: skip
verify("noise 8: neighbours are best on these eight", min(here, key=here.get) == "neighbours")
apart = [kernel_pca(louder, q).std(axis=0).mean() for q in (5, 20, 100, 316)]
verify("noise 8: the fewer axes, the more alike", np.all(np.diff(apart) > 0))


# %% [markdown] key="drown" slide="subslide"
# ## Row normalisation: why new scores fade
#
# The axes are made of clean digits, so noise does not change them. Noise reaches the scores in one way only, through
# the row of kernels between the noisy picture and the training pictures. Let $e$ be normal noise of standard
# deviation $\tau$ on $d$ pixels. Multiply out
#
# $$\|x+e-x_i\|^2=\|x-x_i\|^2+\|e\|^2+2\,e^\top(x-x_i)$$
#
# and insert this into the Gaussian. The sum becomes a product:
#
# $$k(x+e,x_i)=\exp\Big({-\frac{\|e\|^2}{2\sigma^2}}\Big)\;k(x,x_i)\;\exp\Big({-\frac{e^\top(x-x_i)}{\sigma^2}}\Big).$$
#
# - *The first factor makes the row fade.* It is the same for all $i$. The mean of $\|e\|^2$ is $d\,\tau^2$. At this
#   value and $\sigma=30$ the factor is 0.57 for $\tau=4$, and 0.10 for $\tau=8$.
# - *The last factor perturbs the row.* Its exponent has mean zero and varies with $i$, and no division removes it.
#
# The mean of neighbours divides by the sum of its weights, so the first factor cancels. Kernel PCA takes the row as
# it is. As shown after (5), two of the four terms contribute nothing, and a score is
#
# $$s_k=\sum_i\alpha_i^{(k)}k(x+e,x_i)-\sum_i\alpha_i^{(k)}\,\frac1n\sum_lK_{li}.$$
#
# The first sum fades with the row. The second does not depend on the picture. So the scores of all pictures approach
# one point, and their pre-images look alike.
#
# **One division removes the first factor.** Divide each row by its largest entry before centring. We call this *row
# normalisation*. It leaves the rows of training points as they are, because their largest entry is $k(x_i,x_i)=1$.
#
# <!-- slide
# ## Noise makes the row of kernels fade
#
# Noise $e$ of standard deviation $\tau$ on $d$ pixels:
#
# $$k(x+e,x_i)=\exp\Big({-\frac{\|e\|^2}{2\sigma^2}}\Big)\;k(x,x_i)\;\exp\Big({-\frac{e^\top(x-x_i)}{\sigma^2}}\Big)$$
#
# The first factor is the same for all $i$, and at $\tau=8$, $\sigma=30$ about 0.10. The mean of neighbours divides it
# away. **How can kernel PCA remove it?**
# -->

# %% [markdown] key="drown-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask first for the expected squared length of the noise: 64 · 64 = 4096 at τ = 8. Then ask which method divides by
# something. Let the room find a division for kernel PCA. Its largest entry is one, because it leaves training rows
# unchanged.
#
# </details>


# %% key="drown-code" slide="subslide"
def row_normalised(sigma, X):
    rows = Gaussian(sigma)(X, train)
    return rows / rows.max(axis=1, keepdims=True)


row = row_normalised(30.0, louder)
centred = center_rows(row, Gaussian(30.0)(train))
scores = {"as it is": whole.transform(louder), "row-normalised": centred @ whole.dual_coef_}
for name, s in scores.items():
    print(f"{name}: standard deviation of the first score {s[:, 0].std():.3f}")

# %% [markdown] key="result" slide="slide"
# ## Comparing the denoisers
#
# We use twenty random splits of the digits into training, validation and test sets of the same sizes as at the
# beginning, with fresh noise on each. For one picture the error is the root of the mean squared error of its pixels,
# in grey levels, and each dot of the figure is the mean over the test pictures of a split. Each method takes the best
# of twelve settings on the validation pictures at the same noise. The setting is $q$ for linear PCA, the width of the
# window for the neighbours, and $\sigma$ and $q$ for kernel PCA.
#
# <!-- slide
# ## Which method is best at noise 2, 4 and 8?
#
# Twenty splits: 1000 digits for training, 200 for validation, 597 for testing. Each method takes the best of twelve
# settings on the validation pictures.
#
# Linear PCA · mean of neighbours · kernel PCA · row-normalised kernel PCA
# -->

# %% [markdown] key="result-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Return to the bets of the beginning. Ask what a fair comparison needs: the same pictures, the same noise, equally many
# settings, selected on other pictures.
#
# </details>

# %% key="result-table" hide="input"
bill = measured("ch08_denoise", "axes-4", "fades-8", "normalised-8")
methods = ("linear PCA", "mean of neighbours", "kernel PCA", "row-normalised kernel PCA")
rows = np.arange(len(methods))[::-1]
fig, axes = plt.subplots(1, 3, figsize=(9.6, 3.4), sharey=True)
for ax, sd in zip(axes, (2, 4, 8), strict=True):
    for row, name in zip(rows, methods, strict=True):
        errors = bill[f"{name} at {sd}"]
        ax.plot(errors, np.full(len(errors), row), "o", color="#999999", markersize=4)
        ax.plot(errors.mean(), row, "|", color="black", markersize=18, markeredgewidth=2.5)
        ax.text(errors.mean(), row + 0.33, f"{errors.mean():.2f}", ha="center")
    ax.set(title=f"noise {sd}", xlabel="error (grey levels)", ylim=(-0.5, 3.8))
    ax.margins(x=0.12)
axes[0].set_yticks(rows, methods)
show(
    fig,
    alt="Three panels, one for each noise, with the error of four methods: a dot for each of "
    "twenty splits, and a bar with a number for their mean. At noise 2 and 4 both kinds of kernel "
    "PCA have the smallest error. At noise 8 kernel PCA has 3.09, and row normalisation lowers "
    "this to 2.52, as low as the neighbours. Linear PCA has the largest error at noise 8.",
)

# %% [markdown] key="result-table-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Compare one panel at a time. In the last one ask what the division alone has changed.
#
# </details>

# %% [markdown] key="result-reading" slide="subslide"
# Kernel PCA has the smallest error at noise 2 and 4, with or without row normalisation. At noise 4 row-normalised kernel
# PCA is more accurate than the mean of neighbours on each of the twenty splits.
#
# At noise 8 kernel PCA is less accurate than the mean of neighbours on each split. Row normalisation, with $\sigma$ and
# $q$ selected again, lowers its error from 3.09 to 2.52 grey levels. This is also the error of the mean of neighbours.
#
# <!-- slide
# ## Much noise needs the division
#
# - Noise 2 and 4: kernel PCA has the smallest error.
# - Noise 8: row normalisation lowers the error from 3.09 to 2.52 grey levels, as low as that of the neighbours.
# -->

# %% [markdown] key="result-pairs" slide="skip"
# ### How certain is a difference?
#
# Two methods denoise the same $m$ pictures with the same noise. So take for each picture the difference of the two
# errors, first minus second. The mean of these differences has the standard error $s/\sqrt m$, where $s$ is their
# standard deviation with $m-1$ in the denominator. A picture that is difficult for one method is usually difficult
# for the other, and in the difference this cancels. If you treat the two errors as independent, the standard error
# becomes too large (exercise 8.7).

# %% key="drown-verify" slide="skip" hide="input"
verify("the factor for τ = 4", np.exp(-64 * 4**2 / (2 * 30**2)), "0.57")
verify("the factor for τ = 8", np.exp(-64 * 8**2 / (2 * 30**2)), "0.10")
verify("the noise: 4096", 64 * 8**2, 4096)
e, near = 8 * eight_noise[0], train[:50]  # the product, factor by factor
fades = np.exp(-np.sum(e**2) / (2 * 30**2))
perturbs = np.exp(-(eight[0] - near) @ e / 30**2)
three = fades * Gaussian(30.0)(eight[:1], near)[0] * perturbs
verify("the row is the product", Gaussian(30.0)((eight[0] + e)[None], near)[0], three)
mean_row = Gaussian(30.0)(train).mean(axis=0)
left = (Gaussian(30.0)(louder, train) - mean_row) @ whole.dual_coef_
verify("what remains of (5)", left, whole.transform(louder))
verify("training rows have the maximum 1", Gaussian(30.0)(train[:50], train).max(axis=1), 1.0)
differ = {sd: kernel_pca(eight + sd * eight_noise, 10).std(axis=0).mean() for sd in (4, 8)}
verify("at noise 8 the results differ less than half as much", differ[8] < 0.5 * differ[4])
worst = max(bill, key=lambda name: bill[name].mean() if name.endswith(" at 8") else 0)
verify("linear PCA has the largest error at noise 8", worst == "linear PCA at 8")
for name, told in (("kernel PCA", "3.09"), ("row-normalised kernel PCA", "2.52")):
    verify(f"{name} at noise 8", bill[f"{name} at 8"].mean(), told)
gap = bill["row-normalised kernel PCA at 8"] - bill["mean of neighbours at 8"]
verify("equally accurate at noise 8", abs(gap.mean()) < 2 * gap.std(ddof=1) / 20**0.5)

# %% [markdown] key="fisher" slide="slide"
# ## Fisher's discriminant: an axis that uses the labels
#
# PCA never looks at labels, so its axes need not separate classes. *Fisher's discriminant* uses them. For two classes
# it is the axis $f$ along which the class means are far apart compared with the scatter *within* the classes. With a
# kernel again $f=\sum_i\alpha_i\varphi(x_i)$. Let $K_c$ be the $n_c$ columns of $K$ that belong to class $c$, and
# $M_c$ their mean.
#
# - The mean of $f$ over class $c$ is $\alpha^\top M_c$, so the means differ by $\alpha^\top(M_1-M_0)$.
# - The within-class scatter is
#   $\sum_c\|(I-\tfrac1{n_c}\mathbf 1\mathbf 1^\top)K_c^\top\alpha\|^2=\alpha^\top N\alpha$ with
#   $N=\sum_cK_c\big(I-\tfrac1{n_c}\mathbf 1\mathbf 1^\top\big)K_c^\top$.
#
# If the $n$ features are linearly independent, as with a Gaussian kernel and distinct points, there are axes *without
# any* within-class scatter, and the ratio is infinite. Such an axis has only memorised the labels. So we add a
# penalty $\lambda\|\alpha\|^2$ with $\lambda>0$, which is not an eigenvalue here:
#
# $$\max_\alpha\frac{\big(\alpha^\top(M_1-M_0)\big)^2}{\alpha^\top(N+\lambda I)\,\alpha}\qquad\Longrightarrow\qquad\alpha\propto(N+\lambda I)^{-1}(M_1-M_0), \tag{11}$$
#
# by the Cauchy–Schwarz inequality for the inner product $\alpha^\top(N+\lambda I)\beta$. This is *kernel LDA* (linear
# discriminant analysis). In $N$ each class is centred by itself, so $K$ need not be centred. A new point is assigned
# to the class with the nearest mean score. With the linear kernel and $\lambda\to0$ the axis becomes that of ordinary
# LDA, where that one is defined.
#
# For $C$ classes the numerator is $\alpha^\top M\alpha$ with $M=\sum_cn_c(M_c-\bar M)(M_c-\bar M)^\top$, where
# $\bar M$ is the mean of all columns. The axes solve $M\alpha=\rho\,(N+\lambda I)\alpha$. The vectors
# $n_c(M_c-\bar M)$ sum to zero, so there are at most $C-1$ axes.
#
# <!-- slide
# ## Fisher's axis separates means relative to the scatter
#
# $M_c$: mean of the columns $K_c$ of class $c$.
#
# - The means differ by $\alpha^\top(M_1-M_0)$.
# - The within-class scatter is $\alpha^\top N\alpha$ with
#   $N=\sum_cK_c\big(I-\tfrac1{n_c}\mathbf 1\mathbf 1^\top\big)K_c^\top$.
#
# $$\max_\alpha\frac{\big(\alpha^\top(M_1-M_0)\big)^2}{\alpha^\top(N+\lambda I)\,\alpha}\qquad\Longrightarrow\qquad\alpha\propto(N+\lambda I)^{-1}(M_1-M_0) \tag{11}$$
#
# Here $\lambda$ is a penalty, not an eigenvalue. Why is it needed?
# -->

# %% [markdown] key="fisher-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask what goes wrong with λ = 0. If the n features are independent, some f is 0 on one class and 1 on the other. Its
# within-class scatter is 0 and the ratio is infinite. Then use Cauchy–Schwarz in one line.
#
# </details>


# %% key="fisher-code" slide="skip"
pair = wine.target < 2
Z2, y2 = Z[pair], wine.target[pair]
K2, lam_fisher = Gaussian(3.0)(Z2), 0.1


def fisher_ratio(alpha):
    f = K2 @ alpha  # along the axis
    f0, f1 = f[y2 == 0], f[y2 == 1]
    within = len(f0) * f0.var() + len(f1) * f1.var()
    between = (f1.mean() - f0.mean()) ** 2
    return between / (within + lam_fisher * alpha @ alpha)


# (11), of length 1: you write it in exercise 8.5
alpha = fisher_direction(K2, y2, lam=lam_fisher)
K_0, K_1 = K2[:, y2 == 0], K2[:, y2 == 1]
N = sum((C - C.mean(axis=1, keepdims=True)) @ C.T for C in (K_0, K_1))  # within the classes
difference = K_1.mean(axis=1) - K_0.mean(axis=1)  # M_1 - M_0
solved = N @ alpha + lam_fisher * alpha
verify("(N + λI)α is a multiple of M_1 - M_0", solved / solved[0], difference / difference[0])
near = alpha + 0.01 * rng.normal(size=(500, len(alpha)))
most = max(map(fisher_ratio, near))
reached = fisher_ratio(alpha)
verify("no axis nearby has a larger ratio", most < reached)

# %% [markdown] key="twin" slide="subslide" tags=["later"]
# ### Fisher's discriminant is a ridge regression
#
# Code the classes as $y_i=\pm1$ and fit them by least squares, with an intercept and the penalty on $\alpha$:
#
# $$\min_{\alpha,b}\ \sum_i\big(y_i-b-[K\alpha]_i\big)^2+\lambda\|\alpha\|^2 .$$
#
# The best $b$ is the mean of $y-K\alpha$. Let $H=I-\frac1n\mathbf 1\mathbf 1^\top$, which subtracts the mean. Then
# $(KHK+\lambda I)\alpha=KHy$. The vector $Hy$ is $\frac{2n_0}n$ on class 1 and $-\frac{2n_1}n$ on class 0, so
# $KHy=\frac{2n_0n_1}n\delta$ with $\delta=M_1-M_0$. The total scatter $KHK$ is the within-class scatter plus the
# scatter of the class means, so
#
# $$\Big(N+\frac{n_0n_1}n\,\delta\delta^\top+\lambda I\Big)\alpha=\frac{2n_0n_1}n\,\delta.$$
#
# The vector $\delta\delta^\top\alpha$ is a multiple of $\delta$. Move it to the right side, and
# $(N+\lambda I)\alpha=c\,\delta$ remains. If the means differ, $c\ne0$, because otherwise $\alpha$ would be zero and
# therefore also $\delta$. This is the same axis, so $\lambda$ acts here as in ridge regression. With the penalty
# $\lambda\alpha^\top K\alpha$ it would be kernel ridge regression with an intercept, whose axis is in general
# different.
#
# <!-- slide
# ## Fisher's discriminant is a ridge regression
#
# $y_i=\pm1$, $\delta=M_1-M_0$:
#
# $$\min_{\alpha,b}\ \sum_i\big(y_i-b-[K\alpha]_i\big)^2+\lambda\|\alpha\|^2$$
#
# $$\Big(N+\frac{n_0n_1}n\,\delta\delta^\top+\lambda I\Big)\alpha=\frac{2n_0n_1}n\,\delta$$
#
# Why does $(N+\lambda I)\alpha\propto\delta$ follow?
# -->

# %% [markdown] key="twin-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# δδᵀα is a number times δ: move it to the right side. Then ask what follows for a program that has only ridge
# regression with an intercept.
#
# </details>

# %% key="twin-verify" slide="skip"
signs = np.where(y2 == 1, 1.0, -1.0)
H = np.eye(len(y2)) - 1 / len(y2)  # subtracts the mean
by_regression = np.linalg.solve(K2 @ H @ K2 + 0.1 * np.eye(len(y2)), K2 @ H @ signs)
cosine = alpha @ by_regression / np.linalg.norm(alpha) / np.linalg.norm(by_regression)
verify("least squares on ±1 has the same axis: the cosine", cosine, 1.0)

# %% key="fisher-verify" slide="skip" hide="input"
w = Z2.T @ fisher_direction(Z2 @ Z2.T, y2, lam=1e-6)  # the linear kernel: an axis of the inputs
theirs = LinearDiscriminantAnalysis(solver="eigen").fit(Z2, y2).scalings_[:, 0]
cosine = abs(w @ theirs) / np.linalg.norm(w) / np.linalg.norm(theirs)
verify("with the linear kernel it is ordinary LDA: the cosine", cosine, 1.0, tol=1e-8)
n0, n1 = np.sum(y2 == 0), np.sum(y2 == 1)
delta = K2[:, y2 == 1].mean(axis=1) - K2[:, y2 == 0].mean(axis=1)
within = sum((C - C.mean(axis=1, keepdims=True)) @ C.T for C in (K2[:, y2 == 0], K2[:, y2 == 1]))
between = n0 * n1 / (n0 + n1) * np.outer(delta, delta)
verify("total scatter = within + between", K2 @ H @ K2, within + between)
verify("the right side", K2 @ H @ signs, 2 * n0 * n1 / (n0 + n1) * delta)
three = KernelFisherDiscriminant(Gaussian(3.0), lam=0.1).fit(Z, wine.target)
N3, M3 = 0.1 * np.eye(len(Z)), np.zeros((len(Z), len(Z)))
for cultivar in range(3):
    mine = K_wine[:, wine.target == cultivar]
    apart, off = mine - mine.mean(axis=1)[:, None], mine.mean(axis=1) - K_wine.mean(axis=1)
    N3, M3 = N3 + apart @ apart.T, M3 + mine.shape[1] * np.outer(off, off)
alphas = three.dual_coef_
verify("three classes, two axes", alphas.shape[1] == 2)
verify("they solve Mα = ρ(N + λI)α", M3 @ alphas, N3 @ alphas * three.ratios_)

# %% [markdown] key="wine" slide="slide"
# ## Variance and classes: the wines
#
# PCA does not use the three cultivars of the wines. Take two scores of each wine, and classify it by its nearest
# neighbour among the other wines. The linear kernel keeps 55 % of the variance, the Gaussian with $\sigma=3$ keeps 34
# %, and the Gaussian with $\sigma=1$ only 3 %. **Predict first.** Order the three by how well they separate the
# cultivars.
#
# <!-- slide
# ## Does more variance separate the cultivars better?
#
# The share of the variance that two scores keep:
#
# - linear kernel: 55 %
# - Gaussian, $\sigma=3$: 34 %
# - Gaussian, $\sigma=1$: 3 %
#
# Classify each wine by its nearest neighbour on the scores. **Predict first:** order the three.
# -->

# %% [markdown] key="wine-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Expect the order of the variances. Show the pictures, then the answer, and keep the second surprise for the table: on
# wines that were not in the training set, σ = 1 is much worse.
#
# </details>

# %% key="wine-picture" hide="input"
cultivars = wine.target
marks = ({"marker": "o", "markerfacecolor": "white"}, {"marker": "^", "markerfacecolor": "black"},
         {"marker": "s", "markerfacecolor": "#999999"})  # fmt: skip
wine_kernels = {"linear": Linear(), "σ = 3": Gaussian(3.0), "σ = 1": Gaussian(1.0)}
panels = {f"kernel PCA,\n{name}": KernelPCA(k).fit_transform(Z) for name, k in wine_kernels.items()}
panels["kernel LDA,\nσ = 3"] = three.transform(Z)
fig, axes = plt.subplots(1, 4, figsize=(9.0, 4.9))
for ax, (name, s) in zip(axes, panels.items(), strict=True):
    for code, how in enumerate(marks):
        ax.plot(
            *s[cultivars == code].T,
            color="black",
            linestyle="none",
            markersize=4.5,
            label=f"cultivar {code + 1}",
            **how,
        )
    ax.set(title=name, xlabel="score 1", xticks=[], yticks=[])
axes[0].set_ylabel("score 2")
fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
show(
    fig,
    alt="Four pictures of 178 wines of three cultivars by two scores. Linear PCA and kernel PCA "
    "with σ = 3 show three clouds in an arch that touch each other; with σ = 1 two thin rays and a "
    "wide one start from one point; kernel LDA shows two streaks and a clump, far from each "
    "other. Each panel has its own scale: compare shapes, not sizes.",
    answer="Four pictures of the wines: compare shapes, not sizes",
)

# %% [markdown] key="wine-reading" slide="subslide"
# <details><summary><b>Answer</b> (open this once you have written down your order)</summary>
#
# The linear kernel has an accuracy of 94.9 %, and the two Gaussians have 96.1 % each, although one of them keeps a
# tenth of the variance that the other keeps. By (8) the share of the variance says how much the scores lose in the
# feature space. **It says nothing about classes.**
#
# But these axes were computed from all 178 wines, and kernel LDA also used their labels. How accurate is kernel LDA
# on wines that were not in the training set?
#
# </details>
#
# <!-- slide
# <details><summary><b>The share of the variance says nothing about classes</b></summary>
#
# Linear 94.9 % correct, both Gaussians 96.1 %.
#
# But all 178 wines were used for the axes, and their labels for kernel LDA. **How accurate is it on new wines?**
#
# </details>
# -->

# %% [markdown] key="wine-row" slide="slide"
# ### The row of a new wine
#
# In the next table all scaling, axes and selections use the training folds only. Kernel LDA with $\lambda=0.1$ makes
# no mistake on the wines that it was trained on, with $\sigma=3$ and with $\sigma=1$. But with $\sigma=1$ many new
# wines are misclassified. Is the cause $\sigma$, $\lambda$, or the row of kernels of a new wine? The table changes
# $\sigma$ and the row, one at a time.
#
# <!-- slide
# ## With σ = 1 many new wines are misclassified: why?
#
# Kernel LDA with $\lambda=0.1$ makes no mistake on training wines, with $\sigma=3$ and with $\sigma=1$.
#
# **Predict first.** Is the cause $\sigma$, $\lambda$, or the row of kernels of a new wine? What would you change to
# find out?
# -->

# %% [markdown] key="wine-row-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask for an experiment that changes one thing. Expect another λ and another σ. If nobody names the row, ask what its
# largest entry is for a training wine, and for a new one.
#
# </details>

# %% key="wine-table" slide="subslide" hide="input"
judged = measured("ch08_wines", "wines-row")
table(
    "Misclassified wines of 178, ten-fold cross-validation, twenty partitions",
    {"method": "", "mean": ".2f", "range": "{:.0f} to {:.0f}"},
    {
        name.replace(";", ",") + ", σ and λ selected" * (name == "kernel LDA"): (
            judged[name].mean(), (judged[name].min(), judged[name].max()),
        )
        for name in (
            "LDA", "kernel LDA", "kernel LDA at σ = 3", "kernel LDA at σ = 3; rows normalised",
            "kernel LDA at σ = 1", "kernel LDA at σ = 1; rows normalised",
        )
    },
)  # fmt: skip

# %% [markdown] key="wine-table-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Read the three rows with σ = 1 first. Then ask which method they would use for these wines.
#
# </details>

# %% [markdown] key="wine-table-reading" slide="subslide"
# - *The row explains most of it.* With $\sigma=1$ the largest entry in the row of a training wine is 1, its kernel
#   with itself. For a new wine the median is 0.22. The row fades, as it did for noisy digits, and the scores of all
#   new wines move towards those of a zero row. Row normalisation alone reduces the mistakes of kernel LDA from 22 to
#   8 on average, and it helps on each of the twenty partitions.
# - *Another $\lambda$ does not help.* With each of six values between $10^{-3}$ and $10^2$ at least twenty wines are
#   misclassified on average.
# - *The wider kernel needs no repair.* With $\sigma=3$ the rows fade much less, and kernel LDA makes 4 mistakes. With
#   row normalisation it makes 7, so for kernel LDA normalise only rows that have nearly vanished.
#
# **These wines need no kernel.** LDA makes fewer mistakes than kernel LDA with $\sigma$ and $\lambda$ selected on the
# training folds.
#
# <!-- slide
# ## The row explains most of it
#
# - The largest entry of a new wine's row is 0.22 in the median, and 1 for a training wine.
# - Row normalisation alone: 22 → 8 mistakes. Another $\lambda$: at least 20.
# - $\sigma=3$: 4 mistakes, and with row normalisation 7.
# - **These wines need no kernel:** LDA 2.00, kernel LDA 3.05.
# -->

# %% key="wine-verify" slide="skip" hide="input"
def leave_one_out(s):
    d = np.linalg.norm(s[:, None] - s, axis=2)
    np.fill_diagonal(d, np.inf)
    return np.mean(cultivars[d.argmin(axis=1)] == cultivars)


two = {
    name: KernelPCA(k).fit(Z).explained_variance_ratio_.sum() for name, k in wine_kernels.items()
}
for name, kept, right in (
    ("linear", "55", "94.9"), ("σ = 3", "34", "96.1"), ("σ = 1", "3", "96.1"),
):  # fmt: skip
    verify(f"{name}: share of the variance (%)", 100 * two[name], kept)
    verify(f"{name}: accuracy (%)", 100 * leave_one_out(panels[f"kernel PCA,\n{name}"]), right)
verify("a tenth of the variance", two["σ = 1"] / two["σ = 3"], "0.1")
for width in (1.0, 3.0):
    fitted = KernelFisherDiscriminant(Gaussian(width), lam=0.1).fit(Z, cultivars)
    verify(f"σ = {width:g}: no training mistake", np.all(fitted.predict(Z) == cultivars))
largest = np.max(Gaussian(1.0)(Z) - np.eye(len(Z)), axis=1)
verify("the largest kernel with another wine, median", np.median(largest), "0.22")
for name, told in (
    ("kernel LDA at σ = 1", "22"), ("kernel LDA at σ = 1; rows normalised", "8"),
    ("kernel LDA at σ = 3", "4"), ("kernel LDA at σ = 3; rows normalised", "7"),
    ("kernel LDA", "3.05"), ("LDA", "2.00"),
):  # fmt: skip
    verify(f"{name}: new wines", judged[name].mean(), told)
others = [judged[f"kernel LDA at σ = 1 with λ = {lam}"].mean() for lam in (0.001, 0.01, 1, 10, 100)]
verify("σ = 1, five other λ: at least 20", min(others) > 20)

# %% [markdown] key="find-error" slide="slide"
# ## Find the error
#
# Somebody classifies new digits by their nearest neighbour on ten scores, with $\sigma=30$ and the thousand training
# digits:
#
# ```python
# lam, B = np.linalg.eigh(center(K))
# A = B / np.sqrt(lam)                   # α = b / √λ for every k
# scores = center(K) @ A[:, -10:]
# new_scores = Kq @ A[:, -10:]           # Σ α_i k(x_i, x)
# ratio = lam[-10:] / lam[-10:].sum()
# ```
#
# The ten axes “explain 100 %”, and a plot of the new scores looks right. But 43 of 597 new digits are misclassified,
# and with the correct scores it would be 19. There are three mistakes. Which one causes the additional errors?
#
# <!-- slide
# ## Find the error: three mistakes, one is expensive
#
# ```python
# lam, B = np.linalg.eigh(center(K))
# A = B / np.sqrt(lam)                   # α = b / √λ for every k
# scores = center(K) @ A[:, -10:]
# new_scores = Kq @ A[:, -10:]           # Σ α_i k(x_i, x)
# ratio = lam[-10:] / lam[-10:].sum()
# ```
#
# Nearest neighbour on the scores: 43 of 597 new digits wrong; with the correct scores 19.
# -->

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Give one mistake to each third of the room. Ask which of the three a test of `scores` on the training points would
# find: none.
#
# </details>

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What it computes</b> (open this once you have written down your answer)</summary>
#
# - The smallest eigenvalue is zero up to rounding, so its column of `A` is NaN or an axis of rounding error. Nobody
#   uses this column, so it does no harm here.
# - The ratio divides by the ten kept eigenvalues, so it is 100 % for any data. By (7) it is 44 %.
# - `Kq` is not centred. All new points are shifted by one vector, and their neighbours are searched in the wrong
#   place. **This mistake causes the additional errors**, on each of twenty splits, with 39 instead of 21 on average.
#
# A test that finds it scores training points as if they were new. They must get the rows of `scores`.
#
# </details>
#
# <!-- slide
# <details><summary><b>The rows of the new points are not centred</b></summary>
#
# - The smallest $\sqrt{\lambda_k}$: an axis of rounding error that nobody uses.
# - The ratio divides by the ten kept: by (7) it is 44 %.
# - `Kq` is not centred: on twenty splits 39 digits are wrong instead of 21.
#
# **The test that finds it:** score training points as if they were new.
#
# </details>
# -->

# %% [markdown] key="sklearn" slide="slide" tags=["later"]
# ## The same in scikit-learn

# %% key="sklearn-code" slide="fragment"
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.model_selection import GridSearchCV

half, rest = Z[::2], Z[1::2]
theirs = TheirKernelPCA(2, kernel="rbf", gamma=1 / (2 * 3**2))
theirs.fit(half)
ours = KernelPCA(Gaussian(3.0), n_components=2).fit(half)
lambdas = theirs.eigenvalues_, ours.eigenvalues_
verify("eigenvalues_ are λ, not λ/n", *lambdas)
scores = [np.abs(m.transform(rest)) for m in (theirs, ours)]
verify("scores of new wines, up to signs", *scores)

# %% [markdown] key="sklearn-lda" slide="skip"
# Kernel LDA is not in scikit-learn. For two classes a ridge regression on the columns of $K$ has the same axis, and
# its `alpha` is the $\lambda$ of (11). No eigenvalue selects $\sigma$ or $q$, but cross-validation does, and nested
# cross-validation measures the result.

# %% key="sklearn-lda-code" slide="skip"
from sklearn.linear_model import Ridge

their_alpha = Ridge(alpha=0.1).fit(K2, signs).coef_
cosine = their_alpha @ alpha / np.linalg.norm(their_alpha) / np.linalg.norm(alpha)
verify("Ridge on the columns of K has Fisher's axis: the cosine", cosine, 1.0)

by_axes = TheirKernelPCA(kernel="rbf"), KNeighborsClassifier(1)
pipe = make_pipeline(StandardScaler(), *by_axes)
grid = {"kernelpca__gamma": [0.01, 0.1], "kernelpca__n_components": [2, 5]}
chosen = GridSearchCV(pipe, grid, cv=3)
right = cross_val_score(chosen, wine.data, wine.target, cv=5)
verify("accuracy in nested cross-validation (%)", 100 * right.mean(), "95")

# %% [markdown] key="sklearn-traps" slide="subslide"
# ### Traps
#
# - `kernel="linear"` is the default. It gives ordinary PCA, computed in a more expensive way.
# - `gamma` is $1/(2\sigma^2)$. Its default $1/d$ means $\sigma=\sqrt{d/2}$ in whatever units the columns have, so
#   scale the columns first. Without the scaler the pipeline above has an accuracy of 43 % instead of 95 %.
# - `eigenvalues_` contains the $\lambda_k$. Divide them by $n$ to get variances. There is no
#   `explained_variance_ratio_`.
# - `inverse_transform` does not compute the pre-image (10). With `fit_inverse_transform=True` it is a kernel ridge
#   regression from scores to points, with its own `alpha` (1 by default) and the same `gamma`, although scores and
#   points have different units.
#
# <!-- slide
# ## Four defaults of scikit-learn to know
#
# - `kernel="linear"`: ordinary PCA, computed expensively.
# - `gamma` is $1/d$, so $\sigma=\sqrt{d/2}$: scale first. Unscaled the accuracy is 43 % instead of 95 %.
# - `eigenvalues_` contains the $\lambda_k$, not shares.
# - `inverse_transform` is a ridge regression with `alpha=1`, not the pre-image (10).
# -->

# %% key="find-error-verify" slide="skip" hide="input"
again = measured("ch08_uncentred", "uncentred-costs")
verify("misclassified without centring, twenty splits", again["not centred"].mean(), "39")
verify("misclassified with the correct scores", again["centred"].mean(), "21")
ten = KernelPCA(Gaussian(30.0), n_components=10).fit(train)
nearest = KNeighborsClassifier(1).fit(ten.transform(train), digits.target[drawer])
raw = Gaussian(30.0)(test, train) @ ten.dual_coef_
misread = [np.sum(nearest.predict(s) != digits.target[unseen]) for s in (raw, ten.transform(test))]
verify("misclassified here, without centring and with", misread, [43, 19])
verify("the share of ten axes (%)", 100 * ten.explained_variance_ratio_.sum(), "44")
unscaled = make_pipeline(TheirKernelPCA(kernel="rbf"), KNeighborsClassifier(1))
right = cross_val_score(GridSearchCV(unscaled, grid, cv=3), wine.data, wine.target, cv=5)
verify("accuracy without the scaler (%)", 100 * right.mean(), "43")
plain = TheirKernelPCA(2).fit(half)
verify(
    "the default kernel is linear", plain.eigenvalues_, KernelPCA(Linear()).fit(half).eigenvalues_
)
verify(
    "gamma = 1/d is σ = √(d/2)",
    Gaussian(np.sqrt(13 / 2))(Z[:5]),
    np.exp(-np.sum((Z[:5, None] - Z[:5]) ** 2, axis=2) / 13),
)

# %% [markdown] key="cost" slide="slide" tags=["later"]
# ## What it costs, and when not to use it
#
# All $n$ points are needed, because hardly any $\alpha_i$ is zero.
#
# | what | time | memory |
# |---|---|---|
# | the Gram matrix | $n^2$ kernels | $8n^2$ bytes |
# | all axes | about $n^3$ | $8n^2$ bytes more |
# | a few axes, by products with the matrix | about $n^2$ each | $8n$ bytes each |
# | scores of a new point | $n$ kernels | $8n$ bytes |
# | its pre-image | $n$ kernels a step, $n^2$ for the start | |
#
# The picture has times for digits on one thread with $q=20$. If the number of points doubles, the time of the scores
# about doubles. The time of a hundred *pre-images* about triples, and the factor approaches four. The iteration
# starts at the training point with the nearest feature, and to find this point `kcourse` computes the whole Gram
# matrix.
#
#
# <!-- slide
# ## How does the time of pre-images grow?
#
# | what | time | memory |
# |---|---|---|
# | the Gram matrix | $n^2$ kernels | $8n^2$ bytes |
# | all axes | about $n^3$ | $8n^2$ bytes more |
# | a few axes | about $n^2$ each | $8n$ bytes each |
# | scores of a new point | $n$ kernels | $8n$ bytes |
#
# The number of points doubles. By which factor does the time of a hundred *pre-images* grow?
# -->

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask which α are 0. Expect many, as in a support vector machine; here hardly any is. For the question ask what must be
# known before the first step of (10): where it starts.
#
# </details>

# %% key="cost-picture" slide="subslide" hide="input"
n_cost, *seconds = measured("ch08_cost").values()
drawn = {
    "all axes, LAPACK": 0,
    "20 axes, kcourse": 1,
    "pre-images of 100 pictures": 4,
    "scores of 100 pictures": 3,
}
big = n_cost >= 800
fig, ax = plt.subplots(figsize=(7.6, 3.9))
growth = {}
for i, (name, column) in enumerate(drawn.items()):
    growth[name] = np.polyfit(np.log(n_cost[big]), np.log(seconds[column][big]), 1)[0]
    ax.plot(
        n_cost,
        1e3 * seconds[column],
        marker="o",
        markersize=4,
        label=f"{name}: n^{growth[name]:.1f}",
        **cycle(i),
    )
ax.set(
    xscale="log", yscale="log", xlabel="number of points n", ylabel="time (ms)", ylim=(0.08, 3e5)
)
ax.set_xticks([200, 400, 800, 1600, 3200], ["200", "400", "800", "1600", "3200"])
ax.minorticks_off()
ax.legend(loc="upper left", ncols=2)
show(
    fig,
    alt="Times in milliseconds against the number of points, both logarithmic. All axes by LAPACK "
    "rise most steeply, to over ten seconds for the most points; twenty axes and pre-images of a "
    "hundred pictures more gently, and stay below a second or two; scores of a hundred pictures "
    "are far below.",
)

# %% [markdown] key="cost-reading" slide="subslide"
# ### When not to use it
#
# - *You have labels:* try LDA first, then kernel LDA.
# - *There is much noise:* the mean of neighbours is as accurate here, and it needs no axes.
# - *You want to interpret the axes:* use linear PCA, because an axis of kernel PCA is a sum over all training points.
# - *You have many points:* the Gram matrix of 100 000 points takes 80 GB. Landmarks and random features (chapter 10)
#   avoid it.
#
# **Nothing in the eigenvalues selects $\sigma$ or $q$.** To select them you need a task and validation points.
#
# <!-- slide
# ## Nothing in the eigenvalues selects σ or q
#
# - Twice the points: pre-images take 3 to 4 times as long, because the search for a start needs $n^2$ kernels.
# - Labels: try LDA first. Much noise: a mean of neighbours is as accurate.
# - Axes to interpret: linear PCA. 100 000 points: 80 GB, so use chapter 10.
# -->

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - Centre the Gram matrix, and centre new rows with the *training* means. One eigenvalue is then zero.
# - $f^{(k)}=\sum_i\alpha_i^{(k)}\varphi(x_i)$ with $\alpha^{(k)}=b_k/\sqrt{\lambda_k}$ for $\lambda_k>0$. There are
#   at most $n-1$ axes, whatever $d$ is.
# - The variance is $\lambda_k/n$ and its share $\lambda_k/\operatorname{tr}\tilde K$. Neither depends on classes.
# - With a Gaussian kernel a pre-image is a weighted mean of training points, found by iteration.
# - The row of a new point fades with its distance from the training points. If it has nearly vanished, dividing it by
#   its largest entry helps.
# - Kernel LDA: $\alpha\propto(N+\lambda I)^{-1}(M_1-M_0)$ with a penalty $\lambda$. For two classes this axis is that
#   of penalised least squares on $\pm1$.

# %% [markdown] key="answer" slide="subslide" tags=["hour"]
# ### The digits of the beginning
#
# We denoise the eight with row-normalised kernel PCA, $\sigma=20$, and the numbers of axes that were selected on the
# validation pictures, $q=400$ for the upper row and $q=100$ for the lower. Read both rows before you look at the
# third.
#
# <!-- slide
# ## How many of the eight digits come back?
#
# Row-normalised kernel PCA, $\sigma=20$, with 400 axes at noise 4 and 100 at noise 8.
# -->

# %% [markdown] key="recap-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Have the two upper rows read aloud, then show the last one. Ask whose bet was right, and at which noise.
#
# </details>

# %% key="answer-code" slide="skip"
row_means, by_width = Gaussian(20.0)(train), KernelPCA(Gaussian(20.0), n_components=400).fit(train)


def denoise(noisy, q):
    scores = center_rows(row_normalised(20.0, noisy), row_means) @ by_width.dual_coef_  # (5)
    return by_width.pre_image(np.where(np.arange(400) < q, scores, 0.0), tol=1e-3).points


# %% key="answer-picture" hide="input"
given_back = {"noise 4": denoise(loud, 400), "noise 8": denoise(louder, 100), "clean": eight}
fig, axes = plt.subplots(3, 8, figsize=(8.6, 3.6))
for row, (name, pictures) in zip(axes, given_back.items(), strict=True):
    for ax, picture in zip(row, pictures, strict=True):
        ax.imshow(picture.reshape(8, 8), cmap="gray_r", vmin=0, vmax=16)
        ax.set(xticks=[], yticks=[])
        ax.grid(False)
    row[0].set_ylabel(name)
show(
    fig,
    alt="Eight digits in three rows: denoised from noise 4, from noise 8, and clean. All in the "
    "first two rows look like digits. A 2 has come back as a 7 from both, a 5 as something between "
    "0 and 9 from noise 8; the others can be read.",
)

# %% [markdown] key="answer-reading" slide="fragment"
# The training picture nearest to the denoised one has the correct label for seven of the eight in the upper row, and
# for six in the lower. A method that knows how digits vary returns a digit, but not always the one that was written.
# Here the 2 has become a 7.
#
# - *Which method was best?* Kernel PCA with little noise. At noise 8 the mean of neighbours is as accurate.
# - *Which classifiers make fewer mistakes?* At noise 8 the nearest neighbour misclassifies 125 of the noisy test
#   pictures and 114.5 of the denoised ones, on average over twenty splits. The window classifier of chapter 1, with
#   its width selected on the validation pictures, averages neighbours already. It misclassifies 111.5 of the noisy
#   pictures and 113.9 of the denoised ones, so denoising does not help it.
#
# <!-- slide
# ## A digit comes back, but not always the one written
#
# 3, 8, 0, 5, 2, 9, 4, 6: seven of eight come back from noise 4, six from noise 8.
#
# Of 597 pictures at noise 8 the nearest neighbour misclassifies 125, and 114.5 when they are denoised. The window
# classifier of chapter 1 misclassifies 111.5 and 113.9.
# -->

# %% [markdown] key="quiz" slide="skip"
# ## Three more questions
#
# <details><summary>1. You double the kernel, $k\to2k$. What happens to λ, the scores and the shares?</summary>
#
# λ doubles, the scores grow by the factor $\sqrt2$, and the shares do not change.
#
# </details>
#
# <details><summary>2. Every point occurs twice in the data. How many axes are there, and what happens to λ?</summary>
#
# There are as many axes as before, and they are the same. Each λ doubles, and each variance λ/n does not change.
#
# </details>
#
# <details><summary>3. A new point is far from all others, Gaussian kernel. Where do its scores lie?</summary>
#
# Where those of $-\bar\varphi$ lie, because its row is zero and only the centring remains. They are *not* zero.
#
# </details>

# %% key="answer-verify" slide="skip" hide="input"
verify("the Gram matrix of 100 000 points (GB)", 8 * 100_000**2 / 1e9, "80")
verify("hardly any α is 0", np.mean(np.abs(ten.dual_coef_) < 1e-9) < 0.01)
scores_grow, images_grow = (growth[f"{what} of 100 pictures"] for what in ("scores", "pre-images"))
verify("scores about like n, pre-images faster", 0.6 < scores_grow < 1.4 < images_grow)
verify("twice the points: pre-images take about 3 times as long", 2.5 < 2**images_grow < 3.5)
reader = KNeighborsClassifier(1).fit(train, digits.target[drawer])
for name, told in (("noise 4", [3, 8, 0, 5, 7, 9, 4, 6]), ("noise 8", [3, 8, 0, 0, 7, 9, 4, 6])):
    verify(f"{name}: as nearest neighbours read it", reader.predict(given_back[name]), told)
reads = measured("ch08_reader")
for name, told in (
    ("window; noisy", "111.5"), ("window; denoised", "113.9"),
    ("nearest neighbour; noisy", "125"), ("nearest neighbour; denoised", "114.5"),
):  # fmt: skip
    verify(f"of 597 pictures at noise 8 misclassified, {name}", reads[name].mean(), told)
gap = reads["window; denoised"] - reads["window; noisy"]
verify("denoising does not help the window", gap.mean() > -2 * gap.std(ddof=1) / 20**0.5)
verify("what was written", digits.target[unseen][seen_first], [3, 8, 0, 5, 2, 9, 4, 6])
settings = {sd: set(bill[f"row-normalised kernel PCA at {sd} chose"]) for sd in (4, 8)}
verify("σ = 20 with 400 and 100 axes, on all splits", settings == {4: {3}, 8: {1}})
a1, l1 = axes_of(center(K_plane), 3)
a2, l2 = axes_of(center(2 * K_plane), 3)
verify("question 1: λ doubles", l2, 2 * l1)
doubled = np.abs(center(2 * K_plane) @ a2)
verify("question 1: scores grow by √2", doubled, np.sqrt(2) * np.abs(center(K_plane) @ a1))
twice = KernelPCA(Gaussian(2.0), n_components=3).fit(np.repeat(plane, 2, axis=0))
verify("question 2: λ doubles", twice.eigenvalues_, 2 * l1)
same = np.abs(model.transform(new)[:, :3])
verify("question 2: the same axes", np.abs(twice.transform(new)), same)
far = model.transform([[1e3, 1e3]])[0]
verify("question 3: the scores of -φ̄", far, -model.dual_coef_.T @ K_plane.mean(axis=0))
verify("question 3: not 0", np.abs(far).max() > 0.01)

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are
# told which one.
# *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch08_kpca")

# %% [markdown] key="references" numbers="free" slide="skip"
# ## To read on
#
# - B. Schölkopf, A. Smola and K.-R. Müller, *Nonlinear component analysis as a kernel eigenvalue problem*, 1998: the
#   method. B. Schölkopf and A. Smola, *Learning with Kernels*, 2002, chapters 14 and 18.
# - C. Giraud, *Noyaux reproduisants*, MAP 553, École polytechnique: the four questions.
# - S. Mika and others, *Kernel PCA and de-noising in feature spaces*, 1998: equation (10), on digits. S. Mika and
#   others, *Fisher discriminant analysis with kernels*, 1999.
# - R. A. Fisher, *The use of multiple measurements in taxonomic problems*, 1936.
# - D. D. Muresan and T. W. Parks, *Adaptive principal components and image denoising*, 2003: linear axes of similar
#   pictures, a strong method.
# - **Data.** Digits: E. Alpaydin and C. Kaynak; wines: M. Forina and others, by S. Aeberhard; both from the installed
#   scikit-learn.
#
# **Next:** [the exercise notebook](../exercises/ch08_kpca_sheet.ipynb).
