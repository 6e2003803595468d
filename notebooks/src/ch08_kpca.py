# %% [markdown] key="title" slide="slide"
# # Kernel PCA and kernel LDA
#
# Principal components of features that nobody can write down: four questions answered with a Gram matrix, a triangle with a pencil,
# and then digits that somebody has drowned in noise.

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
from kcourse.chapters.ch08_kpca.denoise import paired_report
from kcourse.chapters.ch08_kpca.figures import (
    CLASSES, cleaning_explorer, rings_explorer, scree_explorer,
)

use_style()

# %% [markdown] key="question" slide="slide"
# ## What was written here?
#
# Eight digits, each written by hand, scanned, and then drowned in noise: a little in the upper row, much in the lower. You have a drawer of clean digits, none of these eight among them. **Give the pictures back.**
#
# Two bets first, on paper:
#
# - **Which eight digits are they?** One line for each row.
# - **Who gives them back best?** Straight axes; curved axes; or no axes at all, a mean of those in the drawer that look alike. Bet once for each row.
#
# At the end you see what was written, who has won, and whether a machine reads more in the cleaned pictures than in the noisy ones.
#
# <!-- slide
# Eight digits, written by hand, scanned, and drowned in noise. You have a drawer of clean ones. **Give the pictures back.**
#
# Two bets, on paper:
#
# - **Which eight digits** are they?
# - **Who is best?** Straight axes, curved axes, or a mean of those that look alike.
# -->

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# On the next page let the room read the upper row aloud, then the lower one. Collect ways of cleaning on the board; likely ones are to project onto principal components, and to take the
# mean of similar digits. Both will be baselines. Take bets on which one is best at which noise, and keep them.
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
# **What these are.** 1797 digits by 13 writers, each counted down to 8 × 8 grey levels from 0 to 16. The noise is normal, independent for each pixel, of standard deviation 4 in the upper row and 8 in the lower. The digits are shuffled and dealt into three sets. The eight are from the last one.
#
# <!-- slide
# 1797 digits by 13 writers, 64 pixels of grey levels 0 to 16. Whoever knows *how digits vary* can throw away the rest.
# -->

# %% key="question-data" slide="skip"
drawer, choose, unseen = order[:1000], order[1000:1200], order[1200:]  # three sets of pictures
train, test = digits.data[drawer], digits.data[unseen]
print(f"{len(order)} digits: {len(train)} in the drawer, {len(choose)} to choose settings with,")
print(f"{len(test)} to report on")
print(f"{train.shape[1]} pixels, grey levels {train.min():.0f} to {train.max():.0f}")

# %% [markdown] key="question-way" slide="skip"
# Digits are few among all pictures: whoever knows *how digits vary* can throw away what is not of that kind. To find the directions in which data vary is the
# business of principal component analysis. Its directions are straight, and the world of digits need not be.

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# 1. centre a Gram matrix, and the rows of new points;
# 2. derive the axes, and say what their eigenvalues measure;
# 3. tell variances and ratios from their look-alikes;
# 4. go back from features to points, and measure what that is worth;
# 5. derive Fisher's discriminant with a kernel, and recognise a regression in it.
#
# **You need** chapter 2, and eigenvectors of symmetric matrices. **Reading:** two to three hours. **Lecture:** two 45-minute lectures.
# **Exercises:** three hours, [in the sheet](../exercises/ch08_kpca_sheet.ipynb).

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Up to the rings it is one chain of four questions; then pictures.
#
# Can be skipped: How bad is it to skip it?; A regression in disguise; More than two classes; Two sentences, each nearly right: what is missing?; The same in scikit-learn; And other rings?; How many digits are left?
#
# </details>

# %% [markdown] key="rings" slide="slide"
# ## Two rings
#
# Before the digits, an example that can be seen whole: 400 points on two rings. The direction in which points vary most is what *principal component analysis* (PCA) looks for. Here no direction
# is much better than any other, and none of them tells the rings apart: project the points onto any of 180 lines, cut it wherever you like, and at most 70 % are on their right side.

# %% key="rings-code" slide="skip"
rings, which = make_circles(400, factor=0.3, noise=0.05, random_state=0)  # 0 outer, 1 inner
print(f"{np.sum(which == 0)} points on the outer ring, {np.sum(which == 1)} on the inner")


# %% key="rings-picture" hide="input"
def best_cut(s):
    """The threshold on a line of scores that is right most often, and how often it is."""
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
right.text(2, 51, "a coin")
right.set(
    xlabel="direction of the projection (degrees)",
    ylabel="right with the best cut (%)",
    ylim=(45, 102),
)
show(
    fig,
    alt="Left: two rings around one centre, the outer one circles, the inner one triangles. "
    "Right: how many points the best threshold gets right on a projection, against its "
    "direction: between 68 and 70 percent, whatever the direction; a coin has 50.",
)

# %% [markdown] key="rings-reading"
# In the feature space of a kernel there are more directions. Which of them are principal, and how does one find them without seeing the space?
#
# <!-- slide
# No direction of the plane tells them apart. **A feature space has more directions.**
# -->

# %% key="rings-verify" slide="skip" hide="input"
verify("the best of 180 directions (%)", 100 * max(shares), "70")
verify("the worst gets above 68", min(shares) > 0.68)

# %% [markdown] key="centring" slide="slide"
# ## Move the origin
#
# PCA looks at deviations from the mean. The features are $\varphi(x_1),\dots,\varphi(x_n)$, and their mean $\bar\varphi=\frac1n\sum_i\varphi(x_i)$ is as invisible as they are. **Step 1.** But inner products of deviations are
# sums of inner products:
#
# $$\tilde K_{ij}=\big\langle\varphi(x_i)-\bar\varphi,\ \varphi(x_j)-\bar\varphi\big\rangle=K_{ij}-\frac1n\sum_lK_{lj}-\frac1n\sum_lK_{il}+\frac1{n^2}\sum_{l,m}K_{lm},$$
#
# or, with the matrix $U$ whose entries are all $\frac1n$,
#
# $$\tilde K=K-UK-KU+UKU=(I-U)\,K\,(I-U). \tag{1}$$
#
# <!-- slide
# PCA looks at deviations from the mean, here $\bar\varphi=\frac1n\sum_i\varphi(x_i)$. **Step 1.**
#
# $$\tilde K_{ij}=\big\langle\varphi(x_i)-\bar\varphi,\ \varphi(x_j)-\bar\varphi\big\rangle$$
#
# <div class="fragment">
#
# With the matrix $U$ whose entries are all $\frac1n$,
#
# $$\tilde K=K-UK-KU+UKU=(I-U)\,K\,(I-U) \tag{1}$$
#
# What is $\tilde K\mathbf 1$, with the vector $\mathbf 1$ of ones? What does that say of the eigenvalues?
#
# </div>
# -->

# %% [markdown] key="centring-2" slide="fragment"
# Four terms. Its rows sum to 0: $\tilde K\mathbf 1=0$, where $\mathbf 1$ is the vector of ones. So **one eigenvalue of $\tilde K$ is 0**, always; remember it.
#
# <!-- slide
# Deviations sum to 0, so $\tilde K\mathbf 1=0$: **one eigenvalue is 0, always.**
# -->

# %% [markdown] key="centring-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask for the fourth term before you write it: what was taken away twice? Then: K̃1 = 0, since deviations sum to 0; so the vector of ones is an eigenvector, of eigenvalue 0.
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
verify("kcourse's center does the same", center(K), deviations @ deviations.T)
verify("the rows sum to 0", center(K).sum(axis=1), 0.0)

# %% [markdown] key="centring-predict" slide="subslide"
# **Predict first.** The Gaussian kernel $k(x,z)=e^{-\|x-z\|^2/(2\sigma^2)}$ depends on differences $x-z$ only: shift the data, and $K$ stays what it is. Does a Gaussian Gram matrix need centring at all? If we leave it out, what is the first “principal component”?
#
# <!-- slide
# **Predict first.** $k(x,z)=e^{-\|x-z\|^2/(2\sigma^2)}$. Shift the data: a Gaussian $K$ stays what it is. Does it need centring at all? Without it, what is the first “component”?
# -->

# %% [markdown] key="centring-predict-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# A likely answer is that it needs none. Draw the unit sphere: k(x,x) = 1 and all k > 0, so all features lie on a cap of it, a small one if σ is wide: from the origin all in about one direction.
#
# </details>

# %% [markdown] key="centring-reading" slide="fragment"
# <details><summary><b>What it is</b> (open this once you have written down your answer)</summary>
#
# All features have length 1 and positive inner products: they lie on a cap of the sphere around the origin. Without centring, and unless $\sigma$ is small against the distances, the first eigenvector says where the cap is, not how the points on it
# differ. For 40 points of the plane and $\sigma=2$ it is nearly the constant vector: the cosine of the two is 0.987. To shift the *data* is not to shift the *features*.
#
# </details>
#
# <!-- slide
# <details><summary><b>What it is</b></summary>
#
# Uncentred, it says where the cap of features is: cosine 0.987 with the constant vector. **To shift the data is not to shift the features.**
#
# </details>
# -->

# %% key="centring-verify-2" slide="skip" hide="input"
plane = np.random.default_rng(0).standard_normal((40, 2))
K_plane = Gaussian(2.0)(plane)
ones = np.full(40, 40**-0.5)
first = np.linalg.eigh(K_plane)[1][:, -1]
verify("uncentred: cosine of the first eigenvector with the constant", abs(first @ ones), "0.987")
verify("centred: they are perpendicular", np.linalg.eigh(center(K_plane))[1][:, -1] @ ones, 0.0)
verify("a shift of the data leaves K alone", Gaussian(2.0)(plane + 7.0), K_plane)
verify("all features have length 1", np.diag(K_plane), 1.0)
verify("... and positive inner products", K_plane.min() > 0)

# %% [markdown] key="q1" slide="slide"
# ## Four questions
#
# From here on $\varphi$ means $\varphi-\bar\varphi$ and $K$ means $\tilde K$. We follow the four questions of a problem class at the École polytechnique. **The first axis** is the $f$ with $\|f\|\le1$ along which the features spread most:
#
# $$\max_{\|f\|\le1}\ \sum_i\langle\varphi(x_i),f\rangle^2 .$$
#
# **Question 1.** *What does that become in numbers?* Write $f=\sum_i\alpha_i\varphi(x_i)+g$, with $g$ perpendicular to all features. Then $g$ changes no inner product and makes $f$ longer: leave it out. For the rest, with $k_i$ the $i$-th column of $K$,
#
# $$\|f\|^2=\sum_{i,j}\alpha_i\alpha_jK_{ij}=\alpha^\top K\alpha,\qquad\langle\varphi(x_i),f\rangle=k_i^\top\alpha,$$
#
# $$\sum_i\langle\varphi(x_i),f\rangle^2=\|K\alpha\|^2=\alpha^\top K^2\alpha .$$
#
# So the problem has $n$ unknowns, whatever the dimension of the feature space:
#
# $$\max_{\alpha^\top K\alpha\le1}\ \alpha^\top K^2\alpha . \tag{2}$$
#
# <!-- slide
# From here on $\varphi$ means $\varphi-\bar\varphi$, and $K$ means $\tilde K$. **The first axis:**
#
# $$\max_{\|f\|\le1}\ \sum_i\langle\varphi(x_i),f\rangle^2$$
#
# **Question 1.** $f=\sum_i\alpha_i\varphi(x_i)+g$ with $g\perp$ all features: **what is $g$ good for?**
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
# The step with g is the whole trick of kernel methods: ask for it, do not tell it. Then let them count unknowns: n, though the space may have infinitely many dimensions.
#
# </details>

# %% [markdown] key="q2" slide="subslide"
# **Question 2.** *Which $\alpha$ is it?* Take the eigenvectors of $K$ as coordinates: $Kb_k=\lambda_kb_k$, of length 1, $\lambda_1\ge\dots\ge\lambda_n\ge0$, not all 0, and $\alpha=\sum_ka_kb_k$. Then
#
# $$\alpha^\top K^2\alpha=\sum_k\lambda_k^2a_k^2\ \le\ \lambda_1\sum_k\lambda_ka_k^2=\lambda_1\,\alpha^\top K\alpha\ \le\ \lambda_1 ,$$
#
# and both are equalities for $a_1^2\lambda_1=1$, all other $a_k=0$:
#
# $$\alpha^{(1)}=\frac{b_1}{\sqrt{\lambda_1}},\qquad f^{(1)}=\sum_i\alpha_i^{(1)}\varphi(x_i),\qquad\text{spread }\lambda_1 . \tag{3}$$
#
# <!-- slide
# **Question 2.** Eigenvectors as coordinates: $Kb_k=\lambda_kb_k$, $\alpha=\sum_ka_kb_k$.
#
# $$\alpha^\top K^2\alpha=\sum_k\lambda_k^2a_k^2\ \le\ \lambda_1\sum_k\lambda_ka_k^2=\lambda_1\,\alpha^\top K\alpha\ \le\ \lambda_1$$
#
# with equality for $a_1^2\lambda_1=1$, all others 0:
#
# $$\alpha^{(1)}=\frac{b_1}{\sqrt{\lambda_1}},\qquad f^{(1)}=\sum_i\alpha_i^{(1)}\varphi(x_i),\qquad\text{spread }\lambda_1 \tag{3}$$
#
# What is the root for? Is there a second solution?
# -->

# %% [markdown] key="q2-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask where the first inequality loses: wherever weight lies on an eigenvector of a smaller eigenvalue, unless that is 0: then it adds nothing to f. That also says how many solutions there are.
#
# </details>

# %% [markdown] key="q2-2" slide="fragment"
# The root makes $\|f^{(1)}\|=1$; it is $f$ that has to have length 1, not $\alpha$. And $-f^{(1)}$ is as good: **the sign of an axis means nothing.** If $\lambda_1>\lambda_2$ there is no third, since weight on another $b_k$ loses in the first inequality, or $\lambda_k=0$ and it adds nothing to $f$; if they are equal, every direction of their plane will do.
#
# <!-- slide
# It makes $\|f^{(1)}\|=1$. And $-f^{(1)}$ is as good: **the sign of an axis means nothing.** If $\lambda_1>\lambda_2$ there is no third.
# -->

# %% [markdown] key="q3" slide="subslide"
# **Question 3.** *And the next axes?* For $f=\sum_i\alpha_i\varphi(x_i)$ and $g=\sum_i\beta_i\varphi(x_i)$, $\langle f,g\rangle=\alpha^\top K\beta$. The $k$-th axis is the one of largest spread among all that are perpendicular to the earlier ones. $f\perp f^{(1)}$ means
# $\alpha^\top Kb_1=\lambda_1a_1=0$, so $a_1=0$, and the argument of question 2 goes on with the rest:
#
# $$\alpha^{(k)}=\frac{b_k}{\sqrt{\lambda_k}}\qquad\text{for every }k\text{ with }\lambda_k>0 . \tag{4}$$
#
# <!-- slide
# **Question 3.** $\langle f,g\rangle=\alpha^\top K\beta$. Perpendicular to $f^{(1)}$: $\ \alpha^\top Kb_1=\lambda_1a_1=0$, and question 2 goes on with the rest:
#
# $$\alpha^{(k)}=\frac{b_k}{\sqrt{\lambda_k}}\qquad\text{for every }k\text{ with }\dots \tag{4}$$
#
# Which $k$ must be left out, and why is there always one?
# -->

# %% [markdown] key="q3-2" slide="fragment"
# The condition is missing in the problem class. But $\lambda_n=0$ after centring, and rounding makes $10^{-16}$ of it, of either sign: whoever divides by all $\sqrt{\lambda_k}$ gets NaN, or an “axis” of pure rounding. There are **at most $n-1$ axes**.
#
# <!-- slide
# $\lambda_k>0$. After centring $\lambda_n=0$, and rounding makes $10^{-16}$ of it, of either sign: **at most $n-1$ axes.**
# -->

# %% [markdown] key="q23-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# The missing condition is λ_k > 0; the vector of ones from step 1 is what breaks the formula.
#
# </details>


# %% key="q123-code" slide="subslide"
def axes_of(K_centred, q):
    lam, B = np.linalg.eigh(K_centred)  # ascending
    lam, B = lam[::-1][:q], B[:, ::-1][:, :q]
    return B / np.sqrt(lam), lam  # α as columns, (4)


KT = center(K_plane)
alpha, lam = axes_of(KT, 6)
verify("axes of length 1, perpendicular", alpha.T @ KT @ alpha, np.eye(6))
verify("spread along each: λ", np.sum((KT @ alpha) ** 2, axis=0), lam)
others = rng.normal(size=(1000, 40))
spreads = np.sum((others @ KT) ** 2, axis=1)
ratio = spreads / np.sum((others @ KT) * others, axis=1)
verify("no other direction of a thousand has more", ratio.max() <= lam[0])

# %% key="q123-verify" slide="skip" hide="input"
verify("the last eigenvalue is 0 up to rounding", abs(np.linalg.eigvalsh(KT)[0]) < 1e-13)
best = alpha[:, 0]
verify("... and (2) has the value λ₁ at (3)", best @ KT @ KT @ best, lam[0])
verify("α itself is not of length 1", abs(np.linalg.norm(best) - 1) > 0.1)

# %% [markdown] key="q4" slide="subslide"
# **Question 4.** *Where does a point lie on the axes?* At $s_k=\langle\varphi(x)-\bar\varphi,f^{(k)}\rangle$, its *score*. For training points that is $K\alpha^{(k)}=\sqrt{\lambda_k}\,b_k$. For any $x$ the problem class writes $\sum_i\alpha_i^{(k)}k(x_i,x)$, having
# supposed that the features are centred, so that $k$ is the centred kernel. A program has the kernel as it was. What must it do to the row of a new point?
#
# <!-- slide
# **Question 4.** The *score* of $x$: $\ s_k=\langle\varphi(x)-\bar\varphi,f^{(k)}\rangle$. On the training points $K\alpha^{(k)}=\sqrt{\lambda_k}\,b_k$.
#
# For any $x$: $\sum_i\alpha_i^{(k)}k(x_i,x)$, with *centred* features. A program has the kernel as it was. **What must it do to the row of a new point?**
# -->

# %% [markdown] key="q4-2" slide="fragment"
# The new row has to be centred too, **with the mean of the training points**, the only mean that there is. Let $K_q$ have a row for each new point, its kernels with the training points, and $V$ be like $U$, of the shape of $K_q$:
#
# $$\tilde K_q=K_q-VK-K_qU+VKU,\qquad s_k(x_j)=\big[\tilde K_q\,\alpha^{(k)}\big]_j \tag{5}$$
#
# for the $j$-th new point. Not the means of the new points: a score would then depend on who else is being scored.
#
# <!-- slide
# $$\tilde K_q=K_q-VK-K_qU+VKU,\qquad s_k(x_j)=\big[\tilde K_q\,\alpha^{(k)}\big]_j \tag{5}$$
#
# With the mean of the **training** points. Why not of the new ones?
# -->

# %% [markdown] key="q4-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask what happens if one new point is scored alone and centred with "its own" mean: its whole row becomes 0, and so does every score. Then an observation: since the entries of α sum to 0, two of the four terms do not matter for scores. What is left is one constant for each axis; so a plot of new points alone never shows the mistake.
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
verify("scores of new points, each as if it were alone", alone, scores)
verify("training points: √λ b", KT @ alpha, alpha * lam)  # α = b/√λ

# %% [markdown] key="skipped" slide="subslide"
# **How bad is it to skip it?** In (5) the last two terms are the same for all entries of a row, and the entries of $\alpha^{(k)}$ sum to 0, as $b_k\perp\mathbf 1$. So they drop out, and with the row as it was a score is off by
#
# $$\sum_i\alpha_i^{(k)}k(x_i,x)-s_k=\sum_i\alpha_i^{(k)}\,\frac1n\sum_lK_{li}:$$
#
# **one constant for each axis**, the same for all new points. A picture of new points by themselves looks perfect. On a small example, four training points of the plane and $\sigma=2$, the scores are off by up to 0.24 (on the third axis); what it does to a classifier is for *Find the error*.
#
# <!-- slide
# **How bad is it to skip it?** The entries of $\alpha^{(k)}$ sum to 0, so two of the four terms drop out:
#
# $$\sum_i\alpha_i^{(k)}k(x_i,x)-s_k=\sum_i\alpha_i^{(k)}\,\frac1n\sum_lK_{li}$$
#
# **One constant for each axis.** In which picture does one see that, in which not?
# -->

# %% [markdown] key="skipped-2" slide="fragment"
# The first version of a published package (MultivariateStats.jl; the reference is at the end) centred the $j$-th new point with the mean of the $j$-th *training* point. That term drops out, so this mistake did no harm to scores; and its test, on the training matrix itself, could not see it.
#
# <!-- slide
# New points alone look perfect. Beside training points, or in a classifier, it shows.
# -->

# %% key="skipped-verify" slide="skip" hide="input"
gap = Kq @ alpha - scores
verify("one constant for each axis", gap, np.tile(gap[0], (5, 1)))
verify("it is what the formula says", gap[0], alpha.T @ K_plane.mean(axis=0))
verify("the entries of each α sum to 0", alpha.sum(axis=0), 0.0)
by_position = Kq - K_plane.mean(axis=0) - K_plane.mean(axis=0)[:5, None] + K_plane.mean()
verify("means by position: the same scores", by_position @ alpha, scores)
X4 = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 0.7], [2.2, 4.0]])
K4, Kq4 = Gaussian(2.0)(X4), Gaussian(2.0)([[1.0, 1.0], [4.0, 4.0], [0.0, 3.0]], X4)
alpha4, lam4 = axes_of(center(K4), 3)
off = np.abs((Kq4 - center_rows(Kq4, K4)) @ alpha4)
verify("on the small example the scores are off by", off.max(), "0.24")
verify("kcourse's center_rows is (5)", center_rows(Kq, K_plane), centered_rows(Kq, K_plane))
model = KernelPCA(Gaussian(2.0), n_components=6).fit(plane)
verify("kcourse's scores, up to signs", np.abs(model.transform(new)), np.abs(scores))
verify("... of training points", np.abs(model.fit_transform(plane)), np.abs(KT @ alpha))

# %% [markdown] key="triangle" slide="slide"
# ## A triangle by hand
#
# Four answers, and not one number yet that can be checked without a computer. Three points are few enough for a pencil: each at distance 1 from the other two, Gaussian kernel, $\sigma=1$. **Which eigenvalues has the centred Gram matrix? How many axes are there, and which?**
#
# <!-- slide
# Three points, each at distance 1 from the other two; Gaussian kernel, $\sigma=1$. **Which eigenvalues has $\tilde K$? How many axes, and which?**
# -->

# %% [markdown] key="triangle-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Three minutes with a pencil. Who writes c for the kernel value sees K = (1 - c)I + c·11ᵀ, and the rest is one line. The last question matters most: two people who found different axes are both right. Draw the triangle of the scores and turn it.
#
# </details>

# %% [markdown] key="triangle-2" slide="fragment"
# <details><summary><b>On paper</b> (open this once you have written down your numbers)</summary>
#
# - Write $c=e^{-1/2}$ for the kernel of two corners. Then $K=(1-c)\,I+c\,\mathbf 1\mathbf 1^\top$.
# - $(I-U)\mathbf 1=0$, so in (1) the second part vanishes: $\tilde K=(1-c)\,(I-U)$.
# - $I-U$ is a projection: eigenvalue 0 for $\mathbf 1$, and 1 for all that is perpendicular to it. So $\lambda_1=\lambda_2=1-c=0.3935$, $\lambda_3=0$.
# - Two axes, each with half of the variance. **Which two is not determined:** any two perpendicular directions of that plane will do.
# - The scores of the corners have the squared distance $2(1-c)$ from each other: a triangle again, turned as the computer likes.
#
# </details>
#
# <!-- slide
# <details><summary><b>On paper</b></summary>
#
# - $c=e^{-1/2}$: $\ K=(1-c)I+c\,\mathbf 1\mathbf 1^\top$, so $\tilde K=(1-c)(I-U)$.
# - $\lambda_1=\lambda_2=1-c=0.3935$, $\lambda_3=0$.
# - Two axes with half of the variance each. **Which two is not determined.**
#
# </details>
# -->

# %% key="triangle-verify" slide="skip" hide="input"
corners = np.array([[0, 0], [1, 0], [0.5, np.sqrt(3) / 2]])
c = np.exp(-1 / 2)
spectrum = np.linalg.eigvalsh(center(Gaussian(1.0)(corners)))
verify("eigenvalues 0, 1 - c, 1 - c", spectrum, [0, 1 - c, 1 - c])
of_corners = KernelPCA(Gaussian(1.0), n_components=2).fit_transform(corners)
sides = [np.sum((of_corners[i] - of_corners[j]) ** 2) for i, j in ((0, 1), (0, 2), (1, 2))]
verify("squared distances of the scores", sides, 2 * (1 - c))
verify("1 - c", 1 - c, "0.3935")
line = KernelPCA(Linear(), n_components=1)
on_line = line.fit_transform([[-1.0], [0.0], [1.0]])
verify("quiz: -1, 0, 1 on a line, λ", line.eigenvalues_, 2.0)
verify("quiz: its scores, up to the sign", np.abs(on_line[:, 0]), [1, 0, 1])

# %% [markdown] key="play" slide="slide"
# ## Axes as pictures
#
# Three scores make a triangle and no picture. But a score is a function of $x$, not only of the points that made the axes: draw its contours in the plane, for the two rings. **Predict first.**
#
# 1. At $\sigma=1$, what does the first component of the rings look like? Does it tell them apart?
# 2. The figure counts components with a millionth of the variance. There are two dimensions: how many can there be?
# 3. Look for a component that separates the rings. Does it have much of the variance? Take a wide $\sigma$, too.
#
# <!-- slide
# A score is a function of $x$: its contours in the plane. **Predict first.**
#
# 1. At $\sigma=1$, what does the first component look like? Does it tell the rings apart?
# 2. The figure counts those with a millionth of the variance. There are two dimensions: how many can there be?
# 3. Does one that separates the rings have much of the variance? At a wide $\sigma$, too?
# -->

# %% [markdown] key="play-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Set σ = 1 and go through the components: two that run across the rings, perpendicular to each other, then the one that is inside-outside. Then σ = 4, component 3: one percent of the variance, and a perfect separation. Back at σ = 0.1, where it began: components sit on
# parts of a ring. Leave the question "so which σ is right?" open; the eigenvalues do not know.
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
# 1. At $\sigma=1$ it runs across the rings, as the second does, like those of ordinary PCA: it does not tell them apart. (At $\sigma=0.1$ it is busy with two halves of the inner ring.)
# 2. Far more than two: the figure counts 272 at $\sigma=0.1$ and 23 at $\sigma=1$. For 50 points of the plane and $\sigma=0.3$ there are 49. A Gaussian Gram matrix of different points is invertible, centring takes one axis, and $d$ is no bound.
# 3. At $\sigma=1$ the **third** separates them without a mistake, with 13.6 % of the variance; at $\sigma\approx4$ it has 1.2 %, and still separates all. At $\sigma\approx0.32$ it is the first, with 17 %.
#
# </details>
#
# <!-- slide
# <details><summary><b>What just happened</b></summary>
#
# - $\sigma=1$: the first two components run across the rings. The **third** separates them without a mistake, with 13.6 % of the variance.
# - At $\sigma\approx4$ it has 1.2 %, and still separates all. At $\sigma\approx0.32$ it is the first, with 17 %.
# - With a millionth of the variance: 272 at $\sigma=0.1$, 23 at $\sigma=1$. All in all up to $n-1$: 49 for 50 points, though $d=2$.
#
# </details>
# -->

# %% [markdown] key="play-again" slide="subslide"
# **And other rings?** Twenty draws of the same two. Other programs give the width as $\gamma=1/(2\sigma^2)$; try powers of ten. How often is the better of the first two components right?

# %% key="play-again-table" slide="fragment" hide="input"
redrawn = measured("ch08_rings", "rings-first")
table(
    "On the right side, better of the first two components, twenty draws (%)",
    {"γ": "g", "width σ": ".2f", "least": ".0f", "greatest": ".0f"},
    {
        g: (np.sqrt(1 / (2 * g)), min(redrawn[f"two at γ = {g}"]), max(redrawn[f"two at γ = {g}"]))
        for g in (0.1, 1, 10, 100)
    },
    answer="Twenty draws",
)

# %% [markdown] key="play-again-reading" slide="fragment"
# <details><summary><b>How to read it</b></summary>
#
# At $\gamma=10$ the draw decides: all points are right in half of the twenty. Powers of ten step over the answer: from $\sigma=0.25$ to $0.5$ the first component separates the rings in each of twenty draws. **An eigenvalue does not say what a component is good for.**
#
# </details>

# %% key="play-verify" slide="skip" hide="input"
for sigma, share in ((1.0, "13.6"), (10**0.6, "1.2")):
    _, mine, part, _ = rings_at(sigma)
    verify(f"σ = {sigma:.1f}: third, its share of the variance (%)", 100 * part[2], share)
    verify("... makes no mistake", best_cut(mine[:, 2])[1] == 1)
_, mine, part, _ = rings_at(10**-0.5)
verify("σ = 0.32: first, its share of the variance (%)", 100 * part[0], "17")
verify("... makes no mistake", best_cut(mine[:, 0])[1] == 1)
verify("at 0.1 the first does not separate", best_cut(rings_at(0.1)[1][:, 0])[1] < 0.8)
verify("γ = 10: all right in half of the draws", np.sum(redrawn["two at γ = 10"] == 100) == 10)
fifty = np.random.default_rng(0).standard_normal((50, 2))
many = KernelPCA(Gaussian(0.3), n_components=None).fit(fifty)
many_at = [rings_at(s)[3] for s in (0.1, 1.0)]
verify("σ = 0.1 and 1: with a millionth of the variance", many_at, [272, 23])
verify("50 points of the plane: number of axes", len(many.eigenvalues_) == 49)

# %% [markdown] key="variance" slide="slide"
# ## What an eigenvalue is
#
# $\lambda_k$ is a **sum** of squared scores. **Step 2.** The variance along the axis is
#
# $$\frac1n\sum_is_k(x_i)^2=\frac{\lambda_k}n\qquad\Big(\text{or }\frac{\lambda_k}{n-1}\Big), \tag{6}$$
#
# and all variance together is $\frac1n\sum_j\lambda_j=\frac1n\operatorname{tr}\tilde K$, over *all* $n$ eigenvalues. So the share of an axis is
#
# $$\frac{\lambda_k}{\operatorname{tr}\tilde K}, \tag{7}$$
#
# and the trace is there before any eigenvalue has been computed. What $q$ axes leave out is the rest: by Pythagoras, in the feature space,
#
# $$\frac1n\sum_i\Big\|\varphi(x_i)-\bar\varphi-\sum_{k\le q}s_k(x_i)f^{(k)}\Big\|^2=\frac1n\sum_{k>q}\lambda_k. \tag{8}$$
#
# Two look-alikes: to divide by the trace of $K$, which was not centred, and to divide by the sum of the $q$ eigenvalues that were kept. Programs that compute only $q$ of them know no others.
#
# <!-- slide
# $\lambda_k$ is a **sum** of squared scores. **Step 2.**
#
# $$\text{variance along the axis }=\frac{\lambda_k}n\ \Big(\text{or }\frac{\lambda_k}{n-1}\Big) \tag{6}$$
#
# $$\text{its share}=\frac{\lambda_k}{\operatorname{tr}\tilde K} \tag{7}$$
#
# over **all** eigenvalues, not only the $q$ that are kept: what is left out is the rest, by Pythagoras.
# -->

# %% [markdown] key="variance-best" slide="subslide"
# **No other $q$ directions leave less.** Take any $g_1,\dots,g_q$, perpendicular and of length 1. The scores on different axes are perpendicular, so $g_j$ has the spread $\sum_k\lambda_k\langle g_j,f^{(k)}\rangle^2$, and all of them together keep
#
# $$\sum_k\lambda_kw_k,\qquad w_k=\sum_{j\le q}\langle g_j,f^{(k)}\rangle^2 .$$
#
# What can the weights $w_k$ be?
#
# <!-- slide
# $q$ axes leave out
#
# $$\frac1n\sum_i\Big\|\varphi(x_i)-\bar\varphi-\sum_{k\le q}s_k(x_i)f^{(k)}\Big\|^2=\frac1n\sum_{k>q}\lambda_k \tag{8}$$
#
# **Do other directions leave less?** Any $g_1,\dots,g_q$, perpendicular and of length 1, keep
#
# $$\sum_k\lambda_kw_k,\qquad w_k=\sum_{j\le q}\langle g_j,f^{(k)}\rangle^2$$
#
# What can the weights $w_k$ be?
# -->

# %% [markdown] key="variance-best-2" slide="fragment"
# $w_k\le1$, the squared length of what the $g_j$ see of $f^{(k)}$; and $\sum_kw_k\le q$, what the axes see of $q$ unit vectors. Under these two bounds the sum is largest with weight 1 on each of the $q$ largest eigenvalues: $\lambda_1+\dots+\lambda_q$, which the axes keep. That is all that an eigenvalue promises.
#
# <!-- slide
# $w_k\le1$, since $f^{(k)}$ has length 1; $\sum_kw_k\le q$, since each $g_j$ has. The best is weight 1 on the $q$ largest: $\lambda_1+\dots+\lambda_q$. **The axes.**
# -->

# %% [markdown] key="variance-best-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Question 3 found one axis after the other; ask whether a greedy choice must be the best choice of q at once. Then let them bound one weight, and the sum of all: two times Pythagoras. A budget of q, at most 1 on each λ: spend it on the largest.
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

# %% key="variance-best-verify" slide="skip" hide="input"
b = np.linalg.eigh(center(K_wine))[1][:, :0:-1]  # all axes but the last, which is none
onto = np.linalg.qr(rng.normal(size=(n - 1, 5)))[0]  # five other directions, seen by the axes
weights = np.sum(onto**2, axis=1)
verify("weights at most 1, together 5", [weights.max() <= 1, weights.sum()], [True, 5])
kept = np.sum((b * np.sqrt(every[:0:-1]) @ onto) ** 2)  # the spread of the wines along the five
verify("they keep Σ λ w", kept, every[:0:-1] @ weights)
verify("... and less than the five axes", kept < lam.sum())

# %% [markdown] key="scree-predict" slide="subslide"
# **178 wines** of three cultivars of one Italian region, 13 chemical measurements each, standardised because alcohol, colour and magnesium have no common unit. Their scree plot, for $\sigma=3$. **Predict first.**
#
# 1. You keep one component; a program divides by the sum of those kept. What does it report?
# 2. You keep ten instead of two. What happens to either ratio of component 1?
# 3. You make $\sigma$ small. Is a steep *scree plot*, the eigenvalues in their order, a property of the wines?
#
# <!-- slide
# **178 wines** of three cultivars, 13 chemical measurements each, standardised; $\sigma=3$. **Predict first.**
#
# 1. One component kept: what does a program report that divides by the sum of those kept?
# 2. Ten instead of two: what happens to either ratio of component 1?
# 3. A small $\sigma$: is a steep *scree plot* a property of the wines?
# -->

# %% [markdown] key="scree-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Uncover the ratios at q = 1: 100 percent, whatever the data. Then let q grow: the wrong ratio of the same component falls, the right one stays. Then narrow σ: every wine becomes a direction of its own, the spectrum becomes flat, the total approaches 1.
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
# 1. With one component kept the wrong ratio says 100 %, whatever the data are.
# 2. Of two, component 1 has 61 % of what is kept, of ten 33 %; its share of the variance is 20.5 % all the time. A ratio that depends on how many others you look at is not a property of the component.
# 3. No. As $\sigma$ becomes small, all features become perpendicular and the spectrum flat; at $\sigma=0.3$ the twelfth bar has 99.95 % of the height of the first. The scree plot shows wines *through a kernel*.
#
# </details>
#
# <!-- slide
# <details><summary><b>What just happened</b></summary>
#
# - One kept: the wrong ratio is 100 %, whatever the data are. Of two 61 %, of ten 33 %.
# - Its share of the variance: 20.5 %, all the time.
# - $\sigma=0.3$: a flat spectrum. The plot shows wines *through a kernel*.
#
# </details>
# -->

# %% key="scree-verify" slide="skip" hide="input"
at3 = wine_spectrum(3.0)
verify("two kept: component 1 has of what is kept (%)", 100 * at3[0] / at3[:2].sum(), "61")
verify("ten kept (%)", 100 * at3[0] / at3[:10].sum(), "33")
verify("its share of the variance (%)", 100 * at3[0] / at3.sum(), "20.5")
narrow = wine_spectrum(0.3)
verify("σ = 0.3: the twelfth of the first (%)", 100 * narrow[11] / narrow[0], "99.95")
verify(
    "kcourse's ratio is (7)",
    KernelPCA(Gaussian(3.0)).fit(Z).explained_variance_ratio_[0],
    at3[0] / at3.sum(),
)

# %% [markdown] key="back" slide="slide"
# ## The way back
#
# Now the digits. A noisy picture has scores on the first $q$ axes; what they leave out we call noise. What remains is a feature,
#
# $$p=\bar\varphi+\sum_ks_kf^{(k)}=\sum_i\beta_i\,\varphi(x_i),\qquad\beta_i=\frac1n+\sum_ks_k\alpha_i^{(k)}, \tag{9}$$
#
# and we want a *picture*. (The means inside $f^{(k)}$ drop out: the entries of $\alpha^{(k)}$ sum to 0.) Hardly any point of the feature space is $\varphi(z)$ for some $z$, so we take the $z$ whose feature is nearest, the *pre-image*. **Step 3.** For the Gaussian kernel $\|\varphi(z)\|=1$, so
#
# $$\|\varphi(z)-p\|^2=1-2\sum_i\beta_ik(z,x_i)+\|p\|^2 .$$
#
# The slope of the sum is $\sum_i\beta_ik(z,x_i)\,(x_i-z)/\sigma^2$. It vanishes where
#
# $$z=\frac{\sum_i\beta_ik(z,x_i)\,x_i}{\sum_i\beta_ik(z,x_i)}. \tag{10}$$
#
# <!-- slide
# What the scores on $q$ axes keep of a picture is a feature,
#
# $$p=\bar\varphi+\sum_ks_kf^{(k)}=\sum_i\beta_i\,\varphi(x_i),\qquad\beta_i=\frac1n+\sum_ks_k\alpha_i^{(k)} \tag{9}$$
#
# **Step 3.** The *pre-image*: the $z$ whose feature is nearest. For the Gaussian kernel
#
# $$\|\varphi(z)-p\|^2=1-2\sum_i\beta_ik(z,x_i)+\|p\|^2,\qquad z=\frac{\sum_i\beta_ik(z,x_i)\,x_i}{\sum_i\beta_ik(z,x_i)} \tag{10}$$
#
# What does the right side remind you of?
# -->

# %% [markdown] key="back-2" slide="fragment"
# That is **a weighted mean of the training pictures**, as in chapter 1, with weights that may be negative. $z$ occurs on both sides; start somewhere and repeat. Where the denominator is near 0 that can go astray, so `kcourse` halves each step that leads further away. What it finds is a local optimum.
#
# <!-- slide
# **A weighted mean of the training pictures**, with weights that may be negative. $z$ stands on both sides: start somewhere and repeat.
# -->

# %% [markdown] key="back-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Let them differentiate; it is one line, and the fraction is the window mean of chapter 1. Ask whether a mean of clean digits can be noisy: with weights of both signs it can, and the next section says how much.
#
# </details>


# %% key="back-code" slide="subslide"
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

# %% key="back-verify" slide="skip" hide="input"
f = [np.sum(beta * Gaussian(30.0)(p[None], train)[0]) for p in (z, noisy, eight[0], *train[:100])]
verify("nearer to p than the noisy, the clean and 100 other digits", max(f[1:]) < f[0])
verify("some weights are negative", beta.min() < 0)
h = 1e-4 * rng.standard_normal(64)  # a small step, there and back
up, down = (beta @ Gaussian(30.0)((noisy + e)[None], train)[0] for e in (h, -h))
slope = (beta * Gaussian(30.0)(noisy[None], train)[0]) @ (train - noisy) / 30.0**2
verify("the slope, by differences", (up - down) / 2, slope @ h, tol=1e-8)

# %% [markdown] key="clean-predict" slide="slide"
# ## Three cleaners
#
# - **Linear PCA:** project onto $q$ axes of the pictures themselves.
# - **Kernel PCA:** $q$ axes, $\sigma=30$ grey levels, and the pre-image.
# - **Mean of neighbours:** no axes; a mean of the drawer with the weights $k(x,x_i)$ of a window of width 8 (chapter 1).
#
# **Predict first.** Components from few to many; what was written stays hidden until you ask:
#
# 1. What do pictures look like with *one*?
# 2. With as many as there can be, what does linear PCA give back? And kernel PCA?
# 3. Set the noise to 8. Who is best now?
#
# <!-- slide
# - **Linear PCA:** project onto $q$ axes of the pictures themselves.
# - **Kernel PCA:** $q$ axes, $\sigma=30$ grey levels, and the pre-image.
# - **Mean of neighbours:** no axes; weights $k(x,x_i)$, width 8.
#
# **Predict first.**
#
# 1. What do pictures look like with *one* component?
# 2. With all, what does linear PCA give back? And kernel PCA?
# 3. Set the noise to 8. Who is best now?
# -->

# %% [markdown] key="clean-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# With one component kernel PCA makes nearly one blur of all. With 64 or more linear PCA returns the noise, pixel by pixel; kernel PCA with 316 a third of it. Then noise 8, again with ten, and the row of kernel PCA goes grey: why? Let them guess; the next section needs their guesses.
#
# </details>

# %% key="clean-figure" hide="input"
mean = train.mean(axis=0)
V = np.linalg.svd(train - mean, full_matrices=False)[2]
whole = KernelPCA(Gaussian(30.0), n_components=316).fit(train)


def linear_pca(noisy, q):
    return mean + (noisy - mean) @ V[:q].T @ V[:q]


def kernel_pca(noisy, q, model=whole):
    kept = np.where(np.arange(model.dual_coef_.shape[1]) < q, model.transform(noisy), 0.0)
    return model.pre_image(kept, tol=1e-3).points


def neighbours(noisy, width, drawer_of=train):
    X = drawer_of
    d2 = np.sum(noisy**2, axis=1)[:, None] - 2 * noisy @ X.T + np.sum(X**2, axis=1)
    weights = np.exp(-(d2 - d2.min(axis=1, keepdims=True)) / (2 * width**2))
    return weights @ X / weights.sum(axis=1, keepdims=True)


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
# 1. With *one* component kernel PCA gives nearly one blur for all.
# 2. With *all* linear PCA gives the noisy picture back exactly, as a projection onto the whole space must. Kernel PCA with 316 axes, the slider's most, gives a digit, and in it some of the noise.
# 3. At *noise 8* the neighbours have the least error on these eight. Kernel PCA fades into one grey average for all, most of all with few axes. Something drowns, and it is not the axes.
#
# </details>
#
# <!-- slide
# <details><summary><b>What just happened</b></summary>
#
# - One component: with kernel PCA nearly one blur for all.
# - All: linear PCA gives all the noise back, kernel PCA a part, which $\sigma$ decides.
# - Noise 8: the neighbours are best here. Kernel PCA fades into one grey average: something drowns, and it is not the axes.
#
# </details>
# -->

# %% [markdown] key="noise-back" slide="skip"
# **How much noise comes back with all the axes?** Linear PCA gives back all of it. For kernel PCA the table has two shares: of the noise, what comes back in the picture; and of the move that the noise makes in the feature space, squared, what the axes hold. The rest of that move is perpendicular to them. **Predict first:** with a wider kernel, does more come back or less?

# %% key="clean-table" hide="input" slide="skip"
noise_back = measured("ch08_noise", "noise-back", "noise-held", "noise-wide", "noise-apart")
kept_axes = [(w, 316, "") for w in (20, 30, 60, 300)]
kept_axes.insert(2, (30, 999, " with all axes"))
table(
    "Kernel PCA, noise 4, twenty splits: of the noise (%)",
    {"width σ": "d", "axes": "d", "comes back": ".0f", "the axes hold": ".0f"},
    [
        (w, axes, *(noise_back[f"{what} at σ = {w}{more}"].mean() for what in ("back", "held")))
        for w, axes, more in kept_axes
    ],
    answer="How much noise comes back",
)

# %% [markdown] key="noise-back-reading" slide="skip"
# <details><summary><b>How to read it</b></summary>
#
# - **More:** with a wider kernel 316 axes hold more, and more comes back.
# - At $\sigma=20$ less comes back (14 %) than the axes hold (24 %). Why, this table does not say.
# - For linear PCA $q$ is the knob; for kernel PCA $\sigma$ and $q$ are.
#
# </details>

# %% key="clean-verify" slide="skip" hide="input"
loud = eight + 4 * eight_noise
verify("linear PCA with 64 axes gives the noise back", linear_pca(loud, 64), loud)
one = kernel_pca(loud, 1)
spread = np.sqrt(np.mean((one - one.mean(axis=0)) ** 2))
verify(
    "one component: nearly the same for all",
    spread < 0.5 * np.sqrt(np.mean((eight - eight.mean(axis=0)) ** 2)),
)
louder = eight + 8 * eight_noise
here = {name: np.sqrt(np.mean((after - eight) ** 2)) for name, after in (
    ("neighbours", neighbours(louder, 8.0)),
    *((f"{how.__name__} {q}", how(louder, q)) for how in (linear_pca, kernel_pca)
      for q in (1, 2, 3, 5, 8, 10, 15, 20, 30, 64, 100, 200, 316)),
)}  # fmt: skip
verify("noise 8: neighbours are best on these eight", min(here, key=here.get) == "neighbours")
back_20, held_20 = (noise_back[f"{what} at σ = 20"].mean() for what in ("back", "held"))
verify("σ = 20: comes back (%)", back_20, "14")
verify("... and held (%)", held_20, "24")
apart = [kernel_pca(louder, q).std(axis=0).mean() for q in (5, 20, 100, 316)]
verify("noise 8: the fewer axes, the more alike", np.all(np.diff(apart) > 0))


# %% [markdown] key="drown" slide="subslide"
# The axes are made of clean digits: noise cannot touch them. It reaches the scores by one way only, the row of kernels between the noisy picture and the drawer.
#
# **What drowns.** Let $e$ be normal noise of standard deviation $\tau$ on $d$ pixels. Multiply out
#
# $$\|x+e-x_i\|^2=\|x-x_i\|^2+\|e\|^2+2\,e^\top(x-x_i)$$
#
# and put it into the Gaussian. The sum becomes a product:
#
# $$k(x+e,x_i)=\exp\Big({-\frac{\|e\|^2}{2\sigma^2}}\Big)\;k(x,x_i)\;\exp\Big({-\frac{e^\top(x-x_i)}{\sigma^2}}\Big).$$
#
# - **The first factor fades the row.** It is the same for all $i$. $\|e\|^2$ has the mean $d\,\tau^2$ and a standard deviation of $\sqrt{2/d}$ times that, 18 % in 64 dimensions. At $\|e\|^2=d\,\tau^2$ and $\sigma=30$ the factor is 0.57 for $\tau=4$, and 0.10 for $\tau=8$.
# - **The last one shakes it.** Its exponent has mean 0, and at $\tau=8$ it varies over $i$ about 0.8 times as much as that of $k(x,x_i)$ does. It stays: no division removes it.
#
# Who notices the first one, and who does not?
#
# <!-- slide
# **What drowns.** Noise $e$ of standard deviation $\tau$ on $d$ pixels:
#
# $$k(x+e,x_i)=\exp\Big({-\frac{\|e\|^2}{2\sigma^2}}\Big)\;k(x,x_i)\;\exp\Big({-\frac{e^\top(x-x_i)}{\sigma^2}}\Big)$$
#
# The first factor is the same for all $i$. With the mean $d\,\tau^2$ of $\|e\|^2$ and $\sigma=30$: 0.10 at $\tau=8$. **Who notices it, who does not?**
# -->

# %% [markdown] key="drown-who" slide="skip"
# The neighbours divide by the sum of their weights: it cancels. Kernel PCA takes the row as it is. Two terms of (5) drop out of the scores, as in *How bad is it to skip it?*, and what is left is
#
# $$s_k=\sum_i\alpha_i^{(k)}k(x+e,x_i)-\sum_i\alpha_i^{(k)}\,\frac1n\sum_lK_{li}.$$
#
# The first sum fades with the row. The second, the score of $-\bar\varphi$, does not know the picture. So all pictures go to one point, and come back alike.

# %% [markdown] key="drown-2" slide="fragment"
# **One division takes the first factor out:** each row over its largest entry, before centring. Then $\sigma$ and $q$ are chosen anew.
#
# <!-- slide
# Neighbours divide it away; kernel PCA fades to the scores of $-\bar\varphi$. **One division takes it out:** the row over its largest entry.
# -->

# %% [markdown] key="drown-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Ask first for the expected squared length of the noise: 64 · 64 = 4096 at τ = 8. The neighbours divide. Let the room find a division for kernel PCA; its largest entry serves.
#
# </details>

# %% key="drown-verify" slide="skip" hide="input"
verify("the factor for τ = 4", np.exp(-64 * 4**2 / (2 * 30**2)), "0.57")
verify("... for τ = 8", np.exp(-64 * 8**2 / (2 * 30**2)), "0.10")
e, near = 8 * eight_noise[0], train[:50]  # the product, factor by factor
fades = np.exp(-np.sum(e**2) / (2 * 30**2))
shakes = np.exp(-(eight[0] - near) @ e / 30**2)
three = fades * Gaussian(30.0)(eight[:1], near)[0] * shakes
verify("the row is the product of the three", Gaussian(30.0)((eight[0] + e)[None], near)[0], three)
noisy_row = Gaussian(30.0)((eight[0] + e)[None], train)[0]
left = (noisy_row - Gaussian(30.0)(train).mean(axis=0)) @ whole.dual_coef_
verify("what is left of (5)", left, whole.transform((eight[0] + e)[None])[0])
nothing = center_rows(np.zeros((1, len(train))), Gaussian(30.0)(train)) @ whole.dual_coef_
mean_feature = Gaussian(30.0)(train).mean(axis=0)
verify("a row of zeros has the scores of -φ̄", nothing[0], -whole.dual_coef_.T @ mean_feature)
differ = {sd: kernel_pca(eight + sd * eight_noise, 10).std(axis=0).mean() for sd in (4, 8)}
verify("at noise 8 what comes back differs less than half as much", differ[8] < 0.5 * differ[4])
clean_row = Gaussian(30.0)(test, train)
many_noise = np.random.default_rng(3).standard_normal(test.shape)
shrunk = np.median(Gaussian(30.0)(test + 8 * many_noise, train) / clean_row)
product = 2 * 8 * many_noise @ train.T - 2 * 8 * np.sum(many_noise * test, axis=1)[:, None]
clean_squares = -2 * test @ train.T + np.sum(train**2, axis=1)  # without ‖x‖², the same for all i
shaken = (product.std(axis=1) / clean_squares.std(axis=1)).mean()
verify("over i the last term varies as much, times", shaken, "0.8")
verify("measured for τ = 8: the median is within a tenth", abs(shrunk / 0.103 - 1) < 0.1)
length = np.sum(many_noise**2, axis=1)
verify("‖e‖²: standard deviation over mean (%)", 100 * np.sqrt(2 / 64), "18")
verify("... and drawn", abs(length.std() / length.mean() / np.sqrt(2 / 64) - 1) < 0.1)
verify("the noise: 4096", 64 * 8**2, 4096)

# %% [markdown] key="result" slide="slide"
# ## The bill
#
# Twenty splits of the digits: 1000 in the drawer, 200 to choose settings with, 597 others to report on, all with noise of their own. For a picture the error is the root of the mean squared error of its 64 pixels, in grey levels; the table has means. Compared is who was told the same:
#
# | told | cleaner | chooses, of twelve |
# |---|---|---|
# | the noise, by examples | linear PCA | $q$ |
# | | neighbours | the width of the window |
# | | kernel PCA | $\sigma$ and $q$, up to 400 |
# | | *levelled:* each row over its largest entry | the same |
# | $\tau$ as well | *rescaled:* each row times $e^{d\tau^2/(2\sigma^2)}$ | the same |
# | | linear PCA that *shrinks* each score | nothing |
# | | *local* PCA: the same with mean and axes of a window around the noisy picture, done once | its width |
# | nothing | the first four | one setting for all three noises, of least mean error |
#
# <!-- slide
# Twenty splits: 1000 digits in the drawer, 200 to choose with, 597 to report on.
#
# | told | cleaners |
# |---|---|
# | the noise, by examples | linear PCA, neighbours, kernel PCA; *levelled:* each row over its largest entry |
# | $\tau$ as well | *rescaled* by $e^{d\tau^2/(2\sigma^2)}$; linear PCA that *shrinks* scores by $v_k/(v_k+\tau^2)$, $v_k=\lambda_k/n$; *local:* the same in a window |
#
# **Whose bet was right?**
# -->

# %% [markdown] key="result-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Back to the bets of the beginning. Ask what a fair comparison is: the same pictures, the same noise, as many settings to choose from, chosen elsewhere; and nobody told more than another. Then the table, group by group.
#
# </details>

# %% [markdown] key="result-shrink" slide="skip"
# **By how much is a score to be shrunk?** On an axis of variance $v_k=\lambda_k/n$ the factor $g$ loses $(g-1)^2v_k$ and lets the noise $g^2\tau^2$ through. The sum is least for $g=v_k/(v_k+\tau^2)$.

# %% key="result-shrink-verify" slide="skip"
v, noise_through = np.array([0.5, 4.0, 90.0]), 16.0  # τ = 4


def expected(g):  # of (g (x + e) - x)², x of variance v
    return (g - 1) ** 2 * v + g**2 * noise_through


least = v / (v + noise_through)
worse = np.minimum(expected(least - 0.01), expected(least + 0.01))
verify("no factor near by is better", np.all(worse > expected(least)))

# %% [markdown] key="result-predict" slide="skip"
# **Whose bet was right?** Write down who is least at noise 2, at 4 and at 8, before you open the picture.

# %% key="result-picture" slide="subslide" hide="input"
bill = measured(
    "ch08_bill", "clean-2", "clean-4", "drowned-8", "shrunk-8", "levelled-8", "untold-8", "alone-8",
    "open-2", "open-4", "open-8", "plain-2", "local-2", "local-4", "levelled-4", "levelled-local-8",
)  # fmt: skip
noises = {f"noise {sd}": sd for sd in (2, 4, 8)}
by_examples = ("linear PCA", "neighbours", "kernel PCA", "levelled kernel PCA")
told_tau = ("shrunk linear PCA", "shrunk local PCA", "rescaled kernel PCA")
places = dict(zip((*by_examples, *told_tau), (8, 7, 6, 5, 3, 2, 1), strict=True))
fig, axes = plt.subplots(1, 3, figsize=(8.6, 4.4), sharey=True)
for ax, (name, sd) in zip(axes, noises.items(), strict=True):
    for cleaner, place in places.items():
        error = bill[f"{cleaner} at {sd}"].mean()
        filled = "black" if cleaner == "levelled kernel PCA" else "white"
        ax.hlines(place, 0, error, color="#777777", linewidth=1)
        ax.plot(error, place, "ko", markerfacecolor=filled)
        ax.annotate(f"{error:.2f}", (error, place), (7, -4), textcoords="offset points",
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})  # fmt: skip
    ax.vlines(bill[f"levelled kernel PCA at {sd}"].mean(), 0, 8.4, color="black", linewidth=0.6)
    most = max(bill[f"{cleaner} at {sd}"].mean() for cleaner in places)
    ax.set(title=name, xlabel="mean error (grey levels)", xlim=(0, 1.35 * most), ylim=(0.4, 9.6))
    ax.grid(False)
axes[0].set_yticks([*places.values()], [*places])
for place, words in ((8.7, "told the noise by examples"), (3.7, "told τ")):
    axes[0].text(0.1, place, words, style="italic")
show(
    fig,
    alt="Mean errors of seven cleaners in three panels, for noise 2, 4 and 8. At 2 the kernel PCAs "
    "and local PCA are least, at 1.2; at 4 levelled and rescaled kernel PCA are, at 1.7; at 8 "
    "levelled kernel PCA and the neighbours are, at 2.52, and kernel PCA as it came is at 3.09.",
    answer="The errors",
)

# %% [markdown] key="result-picture-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# One panel at a time: who is least, and was the winner told more than the others? At 8 compare kernel PCA as it came with levelled: what does the one division change?
#
# </details>

# %% key="result-one-setting" slide="skip" hide="input"
table(
    "Mean error in grey levels, one setting for all three noises, twenty splits",
    {"cleaner": "", **dict.fromkeys(noises, ".2f")},
    {
        name: tuple(bill[f"{name} with one setting at {sd}"].mean() for sd in noises.values())
        for name in by_examples
    },
    answer="The errors with one setting",
)

# %% key="result-gaps" slide="skip" hide="input"
ahead = {
    name: {sd: bill[f"{name} at {sd}"] - bill[f"levelled kernel PCA at {sd}"] for sd in (2, 4, 8)}
    for name in places
    if name != "levelled kernel PCA"
}
table(
    "Error less that of levelled kernel PCA, same pictures (grey levels), twenty splits",
    {"cleaner": "", **dict.fromkeys(noises, "{:.3f} ± {:.3f}")},
    {
        name: tuple((gaps[sd].mean(), gaps[sd].std(ddof=1) / 20**0.5) for sd in noises.values())
        for name, gaps in ahead.items()
    },
    answer="The differences",
)

# %% [markdown] key="result-reading" slide="subslide"
# <details><summary><b>How to read it</b></summary>
#
# - **Little noise: axes that follow the digits.** At 2 kernel PCA is ahead of shrunk linear PCA, and at 4 of the neighbours, on each of the twenty splits.
# - **Much noise: the row.** At 8 kernel PCA loses to the neighbours on every split, and to shrunk linear PCA as well. Levelled, it is ahead of shrunk linear PCA by half a grey level on every split, and level with the neighbours.
# - **One setting:** levelled kernel PCA is ahead of the neighbours at 2 and 4 on every split (at 2 behind kernel PCA as it came, 1.37 for 1.21). The neighbours take it back where noise is much: at 8 they are ahead, by 0.06.
#
# Splits share the digits and their 13 writers. What if a hand is new?
#
# </details>
#
# <details><summary><b>What does the division do?</b></summary>
#
# - **Nothing else changed,** noise 8 and $\sigma=30$: it alone gains 1.1 with ten axes, 0.9 with 100 (ten splits), and with the 400 chosen before it loses 0.05.
# - **With settings chosen anew** the error falls from 3.09: with $q$ to 2.77, with $\sigma$ too (20, and 100 axes) to 2.52.
# - **Fading is nearly all of it:** the factor $e^{d\tau^2/(2\sigma^2)}$ in place of the division, settings chosen anew, brings 3.09 down to 2.55. But it must be told $\tau$, and levelled is ahead of rescaled on every split, at every noise, here by 0.02.
#
# </details>
#
# <details><summary><b>Must the axes be curved?</b></summary>
#
# No: they may be straight, if each picture has its own and is told $\tau$.
#
# - **Kernel PCA as it came:** shrunk local PCA, done once, is ahead of kernel PCA at 2 on every split, by 0.01. At 4 it is, too, by 0.02. But there kernel PCA chose 400 axes, the most that it was offered. Offered 600, it is level at 4, and at 2 still 0.01 behind on each of the twenty splits; it took all 600.
# - **Levelled:** local PCA is 0.004 ahead of it at 2, and behind at 4 and 8 on every split.
# - **More rounds:** Two rounds more, each around the last result, bring it ahead at 8, by 0.007 ± 0.002 (ten splits); at 4 it stays behind in each, by 0.02.
#
# </details>
#
# <!-- slide
# <details><summary><b>How to read it</b></summary>
#
# - **Little noise:** curved axes, or straight ones in a window, told $\tau$.
# - **At 8 the row:** as it is, kernel PCA is behind linear PCA that shrinks. Levelled: 2.52 instead of 3.09, as good as the neighbours (2.52).
# - A run of the file that the drawer has not seen, noise 4: levelled kernel PCA 1.75 → 1.82, neighbours 1.96 → 2.08.
#
# </details>
# -->

# %% [markdown] key="hands" slide="skip"
# **And other hands?** Nobody has noted who wrote which digit, but the file may go hand by hand. So take a run of 138 or 139 pictures as they come, and clean half of them at noise 4: with a drawer that has the other half of the run, and with one that has none of it. Do the same after shuffling the file. **Predict first:** who misses the familiar hand more, the axes or the neighbours?

# %% key="hands-table" slide="skip" hide="input"
hands = measured("ch08_hands", "hands-axes", "hands-neighbours", "hands-order")
rows_of_hands = {
    name: tuple(hands[f"{name}; {part} of the run"].mean() for part in ("half", "none"))
    for name in ("levelled kernel PCA", "neighbours")
}
missed = {
    name + file: hands[f"{name}; none of the run{file}"] - hands[f"{name}; half of the run{file}"]
    for name in rows_of_hands
    for file in ("", "; shuffled")
}
table(
    "Mean error at noise 4 (grey levels), thirteen runs of the file",
    {
        "cleaner": "", "half of the run": ".2f", "none of it": ".2f",
        "more": "{:.3f} ± {:.3f}", "more, shuffled": "{:.3f} ± {:.3f}",
    },
    {
        name: (*two, *((d.mean(), d.std(ddof=1) / 13**0.5)
                       for d in (missed[name], missed[f"{name}; shuffled"])))
        for name, two in rows_of_hands.items()
    },
    answer="Familiar and new hands",
)  # fmt: skip

# %% [markdown] key="hands-reading" slide="skip"
# <details><summary><b>How to read it</b></summary>
#
# - The file does go by hands, it seems: on each of the thirteen runs both are worse without their own half. In a shuffled file nothing is lost.
# - The neighbours miss it more. Levelled kernel PCA stays ahead of the neighbours on each run.
# - So the errors of the bill are those of familiar hands. For a new hand add at least what the table says: the drawer of a split has more than half of each hand.
#
# </details>

# %% key="hands-verify" slide="skip" hide="input"
verify("a run of the file", [1797 // 13, 1797 // 13 + 1], [138, 139])
for name in rows_of_hands:
    d = missed[f"{name}; shuffled"]
    verify(f"{name}, shuffled: nothing is lost", d.mean() < 2 * d.std(ddof=1) / 13**0.5)
for name, told in zip(rows_of_hands, (("1.75", "1.82"), ("1.96", "2.08")), strict=True):
    for value, quoted in zip(rows_of_hands[name], told, strict=True):
        verify(f"{name}, half of the run, none", value, quoted)
more = missed["neighbours"] - missed["levelled kernel PCA"]
verify("the neighbours miss it more", more.mean() > 2 * more.std(ddof=1) / 13**0.5)

# %% [markdown] key="result-pairs" slide="skip"
# **How sure is a difference?** On one split: the difference of two errors for each picture, and the mean of the differences; its standard error is their standard deviation over the root of their number. What would it be if each cleaner had had its own pictures?

# %% key="result-pairs-table" slide="skip" hide="input"
reported = test + 4 * np.random.default_rng(11).standard_normal(test.shape)
a, b = kernel_pca(reported, 200), neighbours(reported, 8.0)
*_, gap, of_pairs = paired_report(test, a, b)  # you write it in exercise 8.7
unpaired = np.hypot(*(paired_report(test, one, test)[3] for one in (a, b)))
table(
    "Error of kernel PCA less that of the neighbours, noise 4 (grey levels)",
    {"pictures": "", "difference ± standard error": "{:.3f} ± {:.3f}"},
    {"the same": ((gap, of_pairs),), "as if others": ((gap, unpaired),)},
    answer="Both standard errors",
)

# %% [markdown] key="result-pairs-reading" slide="skip"
# <details><summary><b>How to read it</b></summary>
#
# The difference is the same; by pairs it is surer. A picture that is hard for one cleaner is hard for the other, and in a difference that cancels. Other pictures for each would have to be 2.7 times as many for the same error.
#
# </details>

# %% key="result-verify" slide="skip" hide="input"
verify("as many pictures for the same error, times", (unpaired / of_pairs) ** 2, "2.7")
chose = [bill[f"{name} at 8 chose"] for name in ("kernel PCA", "levelled kernel PCA")]
verify("one choice each, on all splits, and not the same", [set(c) for c in chose] == [{7}, {1}])
level = bill["levelled kernel PCA at 8"]
half = (bill["shrunk linear PCA at 8"] - level).mean()
verify("levelled: ahead of shrunk linear PCA by half a grey level", 0.45 < half < 0.55)
local = {sd: bill[f"shrunk local PCA at {sd}"] for sd in (2, 4, 8)}
for sd, told in ((2, "0.01"), (4, "0.02")):
    by = (bill[f"kernel PCA at {sd}"] - local[sd]).mean()
    verify(f"local PCA ahead of kernel PCA at {sd}", by, told)
verify("levelled kernel PCA behind local PCA at 2", -ahead["shrunk local PCA"][2].mean(), "0.004")
chose = [set(bill[f"kernel PCA at {sd} chose"]) for sd in (2, 4)]
verify("the most axes at 2 and 4, on all splits", chose == [{7}, {3}])
longer = measured("ch08_axes", "axes-2", "axes-4")
behind = {sd: longer[f"kernel PCA at {sd}"] - longer[f"shrunk local PCA at {sd}"] for sd in (2, 4)}
verify("offered 600 axes: behind at 2 by", behind[2].mean(), "0.01")
verify("... level at 4", abs(behind[4].mean()) < 2 * behind[4].std(ddof=1) / 20**0.5)
verify("... 600 were chosen at 4", set(longer["kernel PCA at 4 chose"]) == {3})
gap = level - bill["neighbours at 8"]
of_gap = gap.std(ddof=1) / np.sqrt(len(gap))
verify("... level with the neighbours", abs(gap.mean()) < 2 * of_gap)
for name, told in {
    "kernel PCA at 8": "3.09",
    "levelled with q anew at 8": "2.77",
    "levelled kernel PCA at 8": "2.52",
    "neighbours at 8": "2.52",
}.items():
    verify(name, bill[name].mean(), told)
told_s = np.array([bill[f"rescaled kernel PCA at {sd}"] for sd in (2, 4, 8)])
worth = told_s - [bill[f"levelled kernel PCA at {sd}"] for sd in (2, 4, 8)]
verify("levelled ahead of rescaled, at every noise", worth.min() > 0)
verify("... at 8 by", worth[2].mean(), "0.02")
verify("rescaled at 8", told_s[2].mean(), "2.55")
one_setting = [bill[f"{m} with one setting at 8"] for m in ("levelled kernel PCA", "neighbours")]
at_2 = ("levelled kernel PCA", "kernel PCA")
one_at_2 = {m: bill[f"{m} with one setting at 2"] for m in at_2}
verify("one setting, at 2: levelled", one_at_2["levelled kernel PCA"].mean(), "1.37")
verify("... as it came", one_at_2["kernel PCA"].mean(), "1.21")
worse = bill["levelled alone at 8"] - bill["kernel PCA at 8"]
verify("with the 400 axes chosen before the division alone loses", worse.mean(), "0.05")
division = measured("ch08_division", "division-10", "division-100", "division-400", "local-again")
again = division["local PCA in round 3"] - level[:10]
verify("local PCA after three rounds: ahead at 8", -again.mean(), "0.007")
verify("... standard error", again.std(ddof=1) / np.sqrt(len(again)), "0.002")
again = division["local PCA in round 3 at 4"] - bill["levelled kernel PCA at 4"][:10]
verify("... behind at 4 on each", again.min() > 0)
verify("... by", again.mean(), "0.02")
gains = {q: division[f"{q} axes as it came"] - division[f"{q} axes levelled"] for q in (10, 100)}
verify("with ten axes it alone gains", gains[10].mean(), "1.1")
verify("... with 100", gains[100].mean(), "0.9")
verify("one setting: behind the neighbours", np.mean(one_setting[0] - one_setting[1]), "0.06")

# %% [markdown] key="fisher" slide="slide"
# ## Axes that know the classes
#
# The axes cleaned digits. Do they tell one kind of thing from another? Nothing makes them: PCA never looks at labels. *Fisher's discriminant* does: two classes, and the axis $f$ along which their means are far apart **in units of their own spread**. With a kernel, $f=\sum_i\alpha_i\varphi(x_i)$ again. Let $M_c$ be the mean of the columns of $K$ that belong to class $c$, and $K_c$ those $n_c$ columns. **Step 4.**
#
# - The mean of $f$ over class $c$ is $\alpha^\top M_c$, so the means are $\alpha^\top(M_1-M_0)$ apart.
# - The spread within the classes is $\sum_c\|(I-\tfrac1{n_c}\mathbf 1\mathbf 1^\top)K_c^\top\alpha\|^2=\alpha^\top N\alpha$, with $N=\sum_cK_c\big(I-\tfrac1{n_c}\mathbf 1\mathbf 1^\top\big)K_c^\top$.
#
# But if the $n$ features are linearly independent, as with a Gaussian kernel and different points, there are axes *without any* spread within classes, and the ratio is infinite. So a price $\lambda>0$ on $\alpha$; this $\lambda$ is no eigenvalue:
#
# $$\max_\alpha\frac{\big(\alpha^\top(M_1-M_0)\big)^2}{\alpha^\top(N+\lambda I)\,\alpha}\qquad\Longrightarrow\qquad\alpha\propto(N+\lambda I)^{-1}(M_1-M_0), \tag{11}$$
#
# by the inequality of Cauchy and Schwarz for the inner product $\alpha^\top(N+\lambda I)\beta$.
#
# <!-- slide
# *Fisher's discriminant*: class means far apart **in units of the spread within classes**. $M_c$: mean of the columns $K_c$ of class $c$. **Step 4.**
#
# - means: $\alpha^\top(M_1-M_0)$ apart
# - spread: $\alpha^\top N\alpha$ with $N=\sum_cK_c\big(I-\tfrac1{n_c}\mathbf 1\mathbf 1^\top\big)K_c^\top$
#
# $$\max_\alpha\frac{\big(\alpha^\top(M_1-M_0)\big)^2}{\alpha^\top(N+\lambda I)\,\alpha}\qquad\Longrightarrow\qquad\alpha\propto(N+\lambda I)^{-1}(M_1-M_0) \tag{11}$$
#
# $\lambda$ is a price here, no eigenvalue. Why is it needed?
# -->

# %% [markdown] key="fisher-2" slide="fragment"
# This is *kernel LDA*; with the linear kernel it goes to ordinary LDA as $\lambda\to0$, where that is defined. In $N$ each class is centred by itself, so $K$ comes as it is.
#
# <!-- slide
# If the $n$ features are independent, there is an $f$ that is 0 on one class and 1 on the other: no spread, an infinite ratio, **labels learnt by heart**.
# -->

# %% [markdown] key="fisher-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Ask what goes wrong with λ = 0: if the n features are independent, there is an f that is 0 on one class and 1 on the other; spread 0, ratio infinite, and it has learnt the labels by heart. Then Cauchy-Schwarz, in one line, in the inner product of N + λI.
#
# </details>


# %% key="fisher-code" slide="skip"
pair = wine.target < 2
Z2, y2 = Z[pair], wine.target[pair]
K2, price = Gaussian(3.0)(Z2), 0.1


def fisher_ratio(alpha):
    f = K2 @ alpha  # along the axis
    f0, f1 = f[y2 == 0], f[y2 == 1]
    within = len(f0) * f0.var() + len(f1) * f1.var()
    between = (f1.mean() - f0.mean()) ** 2
    return between / (within + price * alpha @ alpha)


# (11), of length 1: you write it in exercise 8.5
alpha = fisher_direction(K2, y2, lam=price)
near = alpha + 0.01 * rng.normal(size=(500, len(alpha)))
most = max(map(fisher_ratio, near))
reached = fisher_ratio(alpha)
verify("no axis near by has a larger ratio", most < reached)

# %% key="fisher-verify" slide="skip" hide="input"
w = Z2.T @ fisher_direction(Z2 @ Z2.T, y2, lam=1e-6)  # the linear kernel: an axis of the inputs
theirs = LinearDiscriminantAnalysis(solver="eigen").fit(Z2, y2).scalings_[:, 0]
cosine = abs(w @ theirs) / np.linalg.norm(w) / np.linalg.norm(theirs)
verify("with the linear kernel it is ordinary LDA: the cosine", cosine, 1.0, tol=1e-8)

# %% [markdown] key="twin" slide="subslide"
# **A regression in disguise.** Code the classes as $y_i=\pm1$ and do least squares, with an intercept and the price on $\alpha$:
#
# $$\min_{\alpha,b}\ \sum_i\big(y_i-b-[K\alpha]_i\big)^2+\lambda\|\alpha\|^2 .$$
#
# The best $b$ is the mean of $y-K\alpha$; with $H=I-\frac1n\mathbf 1\mathbf 1^\top$, which takes means away, $(KHK+\lambda I)\alpha=KHy$. As $Hy$ is $\frac{2n_0}n$ on class 1 and $-\frac{2n_1}n$ on class 0, $KHy=\frac{2n_0n_1}n\delta$ with $\delta=M_1-M_0$. So
#
# $$\Big(N+\frac{n_0n_1}n\,\delta\delta^\top+\lambda I\Big)\alpha=\frac{2n_0n_1}n\,\delta,$$
#
# since the spread of all is that within the classes and that between the means.
#
# <!-- slide
# **A regression in disguise.** $y_i=\pm1$, $\delta=M_1-M_0$:
#
# $$\min_{\alpha,b}\ \sum_i\big(y_i-b-[K\alpha]_i\big)^2+\lambda\|\alpha\|^2$$
#
# $$\Big(N+\frac{n_0n_1}n\,\delta\delta^\top+\lambda I\Big)\alpha=\frac{2n_0n_1}n\,\delta$$
#
# Why does it follow that $(N+\lambda I)\alpha\propto\delta$?
# -->

# %% [markdown] key="twin-2" slide="fragment"
# Take the term with $\delta\delta^\top\alpha$, a multiple of $\delta$, to the right: $(N+\lambda I)\alpha=c\,\delta$. If the means differ, $c$ is not 0: else $\alpha$ would be 0, and so $\delta$, by the equation above. **The same axis.** So $\lambda$ does here what it does in ridge regression. With $\lambda\alpha^\top K\alpha$ in place of
# $\lambda\|\alpha\|^2$ it would be kernel ridge regression with a free intercept: another price, another axis.
#
# <!-- slide
# $\delta\delta^\top\alpha$ is a multiple of $\delta$: take it to the right. (Not 0, else $\alpha$ and $\delta$ would be.) **The same axis**, and $\lambda$ does what it does in ridge regression.
# -->

# %% [markdown] key="twin-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# δδᵀα is a number times δ: bring it to the right, done. Then ask what follows: whoever can do ridge regression with an intercept can do Fisher's discriminant.
#
# </details>

# %% key="twin-verify" slide="skip"
signs = np.where(y2 == 1, 1.0, -1.0)
H = np.eye(len(y2)) - 1 / len(y2)  # takes the mean away: the best b
by_regression = np.linalg.solve(K2 @ H @ K2 + 0.1 * np.eye(len(y2)), K2 @ H @ signs)
cosine = alpha @ by_regression / np.linalg.norm(alpha) / np.linalg.norm(by_regression)
verify("least squares on ±1 has the same axis: the cosine", cosine, 1.0)

# %% key="twin-verify-2" slide="skip" hide="input"
n0, n1 = np.sum(y2 == 0), np.sum(y2 == 1)
delta = K2[:, y2 == 1].mean(axis=1) - K2[:, y2 == 0].mean(axis=1)
within = sum((C - C.mean(axis=1, keepdims=True)) @ C.T for C in (K2[:, y2 == 0], K2[:, y2 == 1]))
verify(
    "spread of all = within + between",
    K2 @ H @ K2,
    within + n0 * n1 / (n0 + n1) * np.outer(delta, delta),
)
verify("the right side", K2 @ H @ signs, 2 * n0 * n1 / (n0 + n1) * delta)
other_price = np.linalg.solve(K2 @ H @ K2 + 0.1 * K2, K2 @ H @ signs)
other_cosine = alpha @ other_price / np.linalg.norm(alpha) / np.linalg.norm(other_price)
verify("with λK the axis is another one", other_cosine < 0.99)

# %% [markdown] key="fisher-many" slide="subslide"
# **More than two classes.** Then the numerator is the spread of the class means. With $\bar M$ the mean of all columns of $K$,
#
# $$\max_\alpha\frac{\alpha^\top M\alpha}{\alpha^\top(N+\lambda I)\,\alpha},\qquad M=\sum_cn_c\,(M_c-\bar M)(M_c-\bar M)^\top. \tag{12}$$
#
# It is question 2 with another inner product: the axes solve $M\alpha=\rho\,(N+\lambda I)\alpha$, and $\rho$ is the ratio that they reach. How many axes are there for $C$ classes?

# %% [markdown] key="fisher-many-2" slide="fragment"
# At most $C-1$: the $n_c(M_c-\bar M)$ sum to 0, so they span no more dimensions, and whatever is perpendicular to them has the ratio 0. For two classes $M=\frac{n_0n_1}n\delta\delta^\top$, and (12) is (11).

# %% [markdown] key="fisher-many-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let them count with three means: two differences fix them. Then two classes, and (11) comes back.
#
# </details>

# %% key="fisher-many-verify" slide="skip" hide="input"
three = KernelFisherDiscriminant(Gaussian(3.0), lam=0.1).fit(Z, wine.target)
means = [K_wine[:, wine.target == c].mean(axis=1) for c in range(3)]
N3, M3 = 0.1 * np.eye(len(Z)), np.zeros((len(Z), len(Z)))
for c, mean_c in enumerate(means):
    apart = K_wine[:, wine.target == c] - mean_c[:, None]
    off = mean_c - K_wine.mean(axis=1)
    N3, M3 = N3 + apart @ apart.T, M3 + np.sum(wine.target == c) * np.outer(off, off)
verify("three classes, two axes", three.dual_coef_.shape[1] == 2)
alphas = three.dual_coef_
verify("(12): they solve Mα = ρ(N + λI)α", M3 @ alphas, N3 @ alphas * three.ratios_)
both = n0 * np.outer(*[K2[:, y2 == 0].mean(axis=1) - K2.mean(axis=1)] * 2)
both += n1 * np.outer(*[K2[:, y2 == 1].mean(axis=1) - K2.mean(axis=1)] * 2)
verify("two classes: M is n₀n₁/n δδᵀ", both, n0 * n1 / (n0 + n1) * np.outer(delta, delta))

# %% [markdown] key="wine" slide="slide"
# ## What the eigenvalues promise
#
# Back to the wines: three cultivars, which PCA does not see. **Predict first.** Two scores each, and then the nearest neighbour of each wine among the others. The linear kernel keeps 55 % of the variance, the Gaussian with $\sigma=3$ keeps 34 %, with $\sigma=1$ only 3 %. Order the three by how well they tell the cultivars apart; ties are allowed.
#
# <!-- slide
# Three cultivars, which PCA does not see: two scores of each wine, then the nearest neighbour among the others.
#
# | kernel | linear | Gaussian, $\sigma=3$ | Gaussian, $\sigma=1$ |
# |---|---|---|---|
# | variance kept | 55 % | 34 % | 3 % |
#
# **Predict first:** order the three by how well they tell the cultivars apart.
# -->

# %% [markdown] key="wine-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# A likely order is that of the variances. Then the surprise, and the second surprise one page later: on wines that were not there when the axes were made, σ = 1 is far behind. Neither the first number nor the variance told that.
#
# </details>

# %% key="wine-picture" hide="input"
cultivars = wine.target
marks = ({"marker": "o", "markerfacecolor": "white"}, {"marker": "^", "markerfacecolor": "black"},
         {"marker": "s", "markerfacecolor": "#999999"})  # fmt: skip
wine_kernels = {"linear": Linear(), "σ = 3": Gaussian(3.0), "σ = 1": Gaussian(1.0)}
panels = {f"kernel PCA, {name}": KernelPCA(k).fit_transform(Z) for name, k in wine_kernels.items()}
panels = {name.replace(", ", ",\n"): s for name, s in panels.items()}
apart = KernelFisherDiscriminant(Gaussian(3.0), lam=0.1).fit(Z, cultivars)
panels["kernel LDA,\nσ = 3"] = apart.transform(Z)
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
axes[0].set_ylabel("score 2; each panel has its own scale")
fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
show(
    fig,
    alt="Four pictures of 178 wines of three cultivars by two scores. Linear PCA and kernel PCA "
    "with σ = 3 show three clouds in an arch that touch each other; with σ = 1 two thin rays and a "
    "wide one go out from one point; kernel LDA shows two streaks and a clump, far from each "
    "other. Each panel has its own scale: compare shapes, not sizes.",
    answer="Four pictures of the wines: compare shapes, not sizes",
)

# %% [markdown] key="wine-reading" slide="subslide"
# <details><summary><b>And the answer</b> (open this once you have written down your order)</summary>
#
# By nearest neighbours among all 178 the linear kernel is right for 94.9 %, and the two Gaussians for 96.1 % each, although one keeps a tenth of the variance that the other keeps. **A large share of the variance promises little loss in the feature space, by (8); neither a large one nor a small one says anything of classes.**
#
# But the axes had seen every wine. And kernel LDA had seen every label: its groups are far apart because it was asked to put them far apart. What are the four worth on wines that they have not seen?
#
# </details>
#
# <!-- slide
# <details><summary><b>And the answer</b></summary>
#
# Linear 94.9 % right, both Gaussians 96.1 %. **No share of the variance says anything of classes.**
#
# But the axes had seen every wine, and kernel LDA every label. **What are the four worth on new wines?**
#
# </details>
# -->

# %% key="wine-table" slide="subslide" hide="input"
judged = measured("ch08_wines", "wines-narrow", "wines-plain")
table(
    "Wrong of 178 wines, each when it was new, twenty partitions",
    {"method": "", "chosen inside": "", "mean": ".2f", "least to most": "{:.0f} to {:.0f}"},
    {
        name: (how, judged[name].mean(), (judged[name].min(), judged[name].max()))
        for name, how in {
            "nearest neighbours": "how many, of eight",
            "two linear axes": "",
            "two axes at σ = 3": "",
            "two axes at σ = 1": "",
            "LDA": "",
            "kernel LDA": "σ and λ, of eight",
            "kernel LDA at σ = 3": "",
            "kernel LDA at σ = 1": "",
        }.items()
    },
    answer="Eight methods on new wines",
)

# %% [markdown] key="wine-table-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Two axes at σ = 3 and at σ = 1 first: equally good on what they had seen. Then LDA and the chosen kernel LDA.
#
# </details>

# %% [markdown] key="wine-table-reading"
# <details><summary><b>How to read it</b></summary>
#
# Ten folds, twenty partitions, which share their 178 wines; scaling, axes and choices are made inside the other nine.
#
# - **Two axes at $\sigma=1$,** as good as those at 3 on wines that had made them, have one new wine in seven wrong.
# - **Kernel LDA** ($\lambda=0.1$) makes no mistake on what it has seen, at $\sigma=3$ as at 1: new wines tell the two apart, 4 wrong and 22.
# - **The width does that and not $\lambda$:** at $\sigma=1$ the best of six from 0.001 to 100, even picked on the new wines themselves, has 20, more than plain LDA on each of the twenty partitions.
# - **With $\sigma$ and $\lambda$ chosen** it has 3.05 wrong on average, LDA 2.00; on no partition is it further from plain LDA than two standard errors (twice the root of the number of wines on which only one of the two errs).
#
# **These wines need no kernel.**
#
# </details>
#
# <!-- slide
# <details><summary><b>How to read it</b></summary>
#
# **These wines need no kernel.** Kernel LDA makes no mistake on what it has seen, at $\sigma=3$ as at 1; of new wines 4 and 22 are wrong.
#
# </details>
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
    ("linear", "55", "94.9"),
    ("σ = 3", "34", "96.1"),
    ("σ = 1", "3", "96.1"),
):
    verify(f"{name}: share of the variance (%)", 100 * two[name], kept)
    verify(
        f"{name}: nearest neighbour (%)", 100 * leave_one_out(panels[f"kernel PCA,\n{name}"]), right
    )
verify("a tenth of the variance", two["σ = 1"] / two["σ = 3"], "0.1")
for width, wrong in ((1.0, "22"), (3.0, "4")):
    fitted = KernelFisherDiscriminant(Gaussian(width), lam=0.1).fit(Z, cultivars)
    verify(f"σ = {width:g}: no mistake on what it saw", np.all(fitted.predict(Z) == cultivars))
    verify("... new wines wrong", judged[f"kernel LDA at σ = {width:g}"].mean(), wrong)
verify("σ = 1, best of six λ", judged["kernel LDA at σ = 1 with the best λ of six"].mean(), "20")
for name, wrong in (("kernel LDA", "3.05"), ("LDA", "2.00")):
    verify(f"{name}: new wines wrong", judged[name].mean(), wrong)
one_in = 178 / judged["two axes at σ = 1"].mean()
verify("two axes, σ = 1: one new wine in so many is wrong", one_in, "7")

# %% [markdown] key="find-error" slide="slide"
# ## Find the error
#
# New points have just told apart what old ones could not. They need the rows of (5), and there a program can go wrong without a word. Ten axes of the thousand digits, $\sigma=30$, and a nearest neighbour on the scores. Somebody writes:
#
# ```python
# lam, B = np.linalg.eigh(center(K))
# A = B / np.sqrt(lam)                   # α = b / √λ for every k
# scores = center(K) @ A[:, -10:]
# new_scores = Kq @ A[:, -10:]           # Σ α_i k(x_i, x)
# ratio = lam[-10:] / lam[-10:].sum()
# ```
#
# NumPy may warn of an invalid value, the ten axes “explain 100 %”, and a plot of the new scores looks as it should. But of 597 new digits 43 are misread; with the right scores it would be 19. **There are three mistakes. Which one costs the digits?**
#
# <!-- slide
# Ten axes of the digits, $\sigma=30$, then a nearest neighbour on the scores:
#
# ```python
# lam, B = np.linalg.eigh(center(K))
# A = B / np.sqrt(lam)                   # α = b / √λ for every k
# scores = center(K) @ A[:, -10:]
# new_scores = Kq @ A[:, -10:]           # Σ α_i k(x_i, x)
# ratio = lam[-10:] / lam[-10:].sum()
# ```
#
# Of 597 new digits 43 are misread; with the right scores 19. **Three mistakes. Which one costs the digits?**
# -->

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# One mistake for each third of the room. Ask which of the three a test on the training points would find if it tests `scores`: none. The ratio needs (7), the axis of rounding a look at the last λ, the uncentred rows a test of `new_scores`: against another implementation, or with training points put in again.
#
# </details>

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What it computes</b> (open this once you have written down your answer)</summary>
#
# - $\sqrt{\lambda_k}$ of the last eigenvalue, 0 up to rounding: NaN, or an axis of rounding. It hits a column that nobody uses: ugly, harmless here.
# - The ratio divides by the ten kept: 100 % whatever the data are. By (7) it is 44 %.
# - `Kq` is not centred. All new points are shifted by one vector, of length 0.19 here, and their neighbours are looked for in the wrong place. **This one costs the digits**, and not by chance: on each of twenty splits the uncentred rows cost digits, 39 misread for 21 on average (with 40 axes 13 for 10, and not on each).
#
# A test that finds it: score training points as if they were new. They must get the scores that they have.
#
# </details>
#
# <!-- slide
# <details><summary><b>What it computes</b></summary>
#
# - The last $\sqrt{\lambda_k}$: an axis of rounding that nobody uses.
# - The ratio divides by the ten kept: by (7) it is 44 %.
# - `Kq` is not centred. **This one costs the digits**, on each of twenty splits: 39 misread for 21.
#
# **The test that finds it:** score training points as if new.
#
# </details>
# -->

# %% key="find-error-verify" slide="skip" hide="input"
again = measured("ch08_uncentred", "uncentred-costs")
verify("misread on average", again["10 axes without centring"].mean(), "39")
verify("... with the right scores", again["10 axes"].mean(), "21")
verify("40 axes", again["40 axes without centring"].mean(), "13")
verify("... with the right scores", again["40 axes"].mean(), "10")
lost = again["40 axes without centring"] - again["40 axes"]
verify("40 axes: not on each split", lost.min() <= 0)
ten = KernelPCA(Gaussian(30.0), n_components=10).fit(train)
reader = KNeighborsClassifier(1).fit(ten.transform(train), digits.target[drawer])
row = Gaussian(30.0)(test, train)
misread = [
    np.sum(reader.predict(s) != digits.target[unseen])
    for s in (row @ ten.dual_coef_, ten.transform(test))
]
verify("misread with uncentred rows", misread[0], "43")
verify("misread with the right scores", misread[1], "19")
verify(
    "the shift has the length",
    np.linalg.norm(row[0] @ ten.dual_coef_ - ten.transform(test[:1])[0]),
    "0.19",
)
verify("the share of ten axes (%)", 100 * ten.explained_variance_ratio_.sum(), "44")

# %% [markdown] key="sentences" slide="subslide"
# **Four sentences, each nearly right: what is missing?**
#
# <details><summary>1. “The Gaussian kernel does not see shifts, so its Gram matrix needs no centring.”</summary>
#
# It does not see shifts of the *data*. The features lie on a cap; uncentred, the first axis points at it: cosine 0.987 with the constant.
#
# </details>
#
# <details><summary>2. “The more variance the scores keep, the better they separate classes.”</summary>
#
# 3 % and 34 % separated equally well the wines that the axes were made of; with 1.2 % a third component separates two rings that the first two cannot.
#
# </details>
#
# <details><summary>3. “The width hardly matters; take the default.”</summary>
#
# At $\sigma=0.4$ the first component separates the rings without a mistake; at $\sigma=1$ it is the third, and the first has two thirds right.
#
# </details>
#
# <details><summary>4. “Your second axis is wrong: it has the opposite sign of mine.”</summary>
#
# Both are right. And where two eigenvalues are equal, as in the triangle, the axes may even be turned.
#
# </details>
#
# <!-- slide
# **Two sentences, each nearly right: what is missing?**
#
# <details><summary>1. “The width hardly matters; take the default.”</summary>
#
# At $\sigma=0.4$ the first component separates the rings without a mistake; at $\sigma=1$ it is the third, and the first has two thirds right.
#
# </details>
#
# <details><summary>2. “Your second axis is wrong: it has the opposite sign of mine.”</summary>
#
# Both are right. And where two eigenvalues are equal, as in the triangle, the axes may even be turned.
#
# </details>
# -->

# %% [markdown] key="sentences-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Show them one by one; whoever knows a counter-example from this lecture says it in one sentence.
#
# </details>

# %% [markdown] key="sklearn" slide="slide"
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
# **Kernel LDA** is not in scikit-learn. For two classes this is it: a ridge regression on the columns of $K$. Its `alpha` is the $\lambda$ of (11).

# %% key="sklearn-lda-code" slide="skip"
from sklearn.linear_model import Ridge

their_alpha = Ridge(alpha=0.1).fit(K2, signs).coef_
cosine = their_alpha @ alpha / np.linalg.norm(their_alpha) / np.linalg.norm(alpha)
verify("Ridge on the columns of K has Fisher's axis: the cosine", cosine, 1.0)

# %% key="sklearn-grid" slide="skip"
# no eigenvalue chooses σ or q: a task does, on wines left out
by_axes = TheirKernelPCA(kernel="rbf"), KNeighborsClassifier(1)
pipe = make_pipeline(StandardScaler(), *by_axes)
grid = {"kernelpca__gamma": [0.01, 0.1], "kernelpca__n_components": [2, 5]}
chosen = GridSearchCV(pipe, grid, cv=3)
# best_score_ is the search judging itself: folds around it
right = cross_val_score(chosen, wine.data, wine.target, cv=5)
verify("right, on folds left out (%)", 100 * right.mean(), "95")

# %% [markdown] key="sklearn-traps" slide="subslide"
# **Traps.**
#
# - `kernel="linear"` is the default: without an argument it is ordinary PCA, computed the long way.
# - `gamma` is $1/(2\sigma^2)$; its default $1/d$ means $\sigma=\sqrt{d/2}$, whatever the units are. On these folds the same search without the scaler has 43 % right for 95 %, and one down to $10^{-7}$ has 71 %. A nearest neighbour without any axes has as much: 95 % of scaled columns, 73 % of raw ones.
# - `eigenvalues_` are $\lambda_k$, to be divided by $n$; there is no `explained_variance_ratio_`, and the trace of the centred Gram matrix is yours to compute. Of 20 wines it gives 20 components when asked, the last a column of zeros, without a word.
# - `inverse_transform` is no pre-image: with `fit_inverse_transform=True` it is a kernel ridge regression from scores to points, with an `alpha` of its own, 1 by default, and the same `gamma`, though scores have another unit than points.
#
# <!-- slide
# **Traps.**
#
# | what | by default | so |
# |---|---|---|
# | `kernel` | `"linear"` | ordinary PCA, the long way: name one |
# | `gamma` | $1/d$: $\sigma=\sqrt{d/2}$, whatever the units | scale first: 95 % right on these folds, unscaled 43 %; a neighbour without axes 95 % |
# | `eigenvalues_` | $\lambda_k$, no shares | over $n$; over the trace of $\tilde K$ |
# | `inverse_transform` | a ridge, `alpha=1` | centre, choose `alpha` and its own `gamma` |
# -->

# %% key="sklearn-back" hide="input" slide="subslide"
inverse = measured("ch08_inverse", "inverse-alpha", "inverse-both", "inverse-pre-image")
table(
    "Ways back at noise 4, 200 axes, σ = 30, ten splits of the digits",
    {"way back": "", "mean error (grey levels)": ".2f"},
    {
        name: inverse[column].mean()
        for name, column in (
            ("inverse_transform as it is", "as it is"),
            ("... alpha chosen", "alpha chosen"),
            ("... centred, a gamma for the scores", "alpha and gamma chosen and centred"),
            ("pre-image (10)", "pre-image"),
        )
    },
)

# %% [markdown] key="sklearn-back-reading"
# Each line is ahead of the one above on each of ten splits; settings are chosen on 200 other pictures. To centre alone changes nothing (2.48), and with a `gamma` for the scores alone it is 3.44: it takes both.
#
# <!-- slide
# Each is ahead of the one above on each of ten splits. It takes both: a centred ridge, and a `gamma` for the scores.
# -->

# %% key="sklearn-verify" slide="skip" hide="input"
unscaled = make_pipeline(TheirKernelPCA(kernel="rbf"), KNeighborsClassifier(1))
far_down = grid | {"kernelpca__gamma": [1e-7, 1e-4, 1e-1]}
for name, machine, told in (
    ("without the scaler", GridSearchCV(unscaled, grid, cv=3), "43"),
    ("... down to 1e-7", GridSearchCV(unscaled, far_down, cv=3), "71"),
    ("a neighbour of raw columns", KNeighborsClassifier(1), "73"),
    ("... of scaled ones", make_pipeline(StandardScaler(), KNeighborsClassifier(1)), "95"),
):
    right = cross_val_score(machine, wine.data, wine.target, cv=5)
    verify(f"{name} (%)", 100 * right.mean(), told)
all_twenty = TheirKernelPCA(20, kernel="rbf", gamma=0.05).fit_transform(Z[:20])
verify("20 wines, 20 components", all_twenty.shape, (20, 20))
verify("... the last is 0", np.abs(all_twenty[:, -1]).max() < 1e-9)
plain = TheirKernelPCA(2).fit(half)
verify(
    "the default kernel is linear", plain.eigenvalues_, KernelPCA(Linear()).fit(half).eigenvalues_
)
for column, told in (
    ("as it is", "4.23"), ("alpha chosen", "2.48"), ("alpha chosen and centred", "2.48"),
    ("alpha and gamma chosen", "3.44"), ("alpha and gamma chosen and centred", "1.99"),
    ("pre-image", "1.88"),
):  # fmt: skip
    verify(f"way back, {column}", inverse[column].mean(), told)
verify(
    "gamma = 1/d is σ = √(d/2)",
    Gaussian(np.sqrt(13 / 2))(Z[:5]),
    np.exp(-np.sum((Z[:5, None] - Z[:5]) ** 2, axis=2) / 13),
)

# %% [markdown] key="cost" slide="slide"
# ## What it costs, and when not to use it
#
# Ours or theirs, the same matrices have to be made. With $n$ points, all of them in use since hardly any $\alpha_i$ is 0:
#
# | what | time | memory |
# |---|---|---|
# | the Gram matrix | $n^2$ kernels | $8n^2$ bytes |
# | all axes | about $n^3$ | the same again |
# | a few, by products with the matrix | about $n^2$ each | $8n$ bytes each |
# | scores of a new point | $n$ kernels | $8n$ bytes |
# | its pre-image | ? | |
#
# The picture has times on one thread with $q=20$, on digits, beyond 1697 the same once more with a little noise (`data/ch08_cost.csv`). **Predict first:** twice as many points. By which factor does the time of a hundred *pre-images* grow: by 2, as that of their scores?
#
# <!-- slide
# | what | time | memory |
# |---|---|---|
# | the Gram matrix | $n^2$ kernels | $8n^2$ bytes |
# | all axes | about $n^3$ | the same again |
# | a few | about $n^2$ each | $8n$ bytes each |
# | scores of a new point | $n$ kernels | $8n$ bytes |
#
# **Predict first:** twice as many points. By which factor does the time of a hundred *pre-images* grow?
# -->

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Which α are 0? Hardly any (of the points −1, 0, 1 the middle one), unlike in a support vector machine. For the question: what must be known before the first step of (10)? Where it starts.
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
    "rise most steeply, to over ten seconds at 4525 points; twenty axes and pre-images of a "
    "hundred pictures more gently, and stay below a second or two; scores of a hundred pictures "
    "are far below.",
    answer="The times",
)

# %% [markdown] key="cost-reading" slide="subslide"
# <details><summary><b>By which factor</b> (open this once you have written down your answer)</summary>
#
# - **By 3 here, and nearer 4 as the start takes over.** The start is the training point with the nearest feature, looked for with the whole Gram matrix, $n^2$ kernels; each step after it takes $n$ a picture. Of all kernels that are computed the start has 58 % at 800 points and 73 % at 1600.
# - **It can be had for $n$.** Begin at the noisy picture, as in exercise 8.6. At noise 4, after ten steps, no pixel of 597 pictures ends 0.05 away, on each of ten splits. That is measured there; elsewhere another start may end in another optimum.
# - From 800 points on the fitted exponents of the axes are near the 3 and the 2 of the theory, that of the scores near 1. At 4525 points twenty axes take less than a tenth of the time of all.
# - Memory hurts sooner: the Gram matrix of 100 000 points would need 80 GB (chapter 10).
#
# </details>
#
# <!-- slide
# <details><summary><b>By which factor</b></summary>
#
# - **By 3 here, and nearer 4 with more points:** the start is looked for with the whole Gram matrix.
# - Begun at the noisy picture: $n$, and the same pictures at noise 4.
# - The Gram matrix of 100 000 points: 80 GB.
#
# </details>
# -->

# %% [markdown] key="cost-drawer" slide="skip"
# **What does a larger drawer buy?** Twice the points cost three times the time, or four. **Predict first:** from 125 clean digits to 1000, how far does the error at noise 4 fall? Do the axes or the neighbours gain more?

# %% key="cost-drawer-table" slide="skip" hide="input"
of_drawer = measured("ch08_drawer", "drawer-more", "start-same")
sizes = (125, 250, 500, 1000)
table(
    "Mean error at noise 4 (grey levels), ten splits; each chooses from twelve settings",
    {"cleaner": "", **{f"{size} digits": ".2f" for size in sizes}},
    {
        name: tuple(of_drawer[f"{name} of {size}"].mean() for size in sizes)
        for name in ("levelled kernel PCA", "neighbours")
    },
    answer="Four drawers",
)

# %% [markdown] key="cost-drawer-reading" slide="skip"
# <details><summary><b>How to read it</b></summary>
#
# Each doubling buys less, by the table, and costs more; yet the last doubling still gains on each of ten splits. The neighbours gain more, on each. But levelled kernel PCA with 250 digits is where the neighbours are with 1000: 1.93 and 1.94.
#
# </details>

# %% [markdown] key="cost-when" slide="subslide"
# **When not to use it.**
#
# | you have | as good or better | here |
# |---|---|---|
# | labels | LDA first, then kernel LDA | wines: 2.00 wrong for 3.05 |
# | little noise, of a size that you know | straight axes in a window | level to 0.01 at noise 2 |
# | much noise | a mean of neighbours | level at noise 8 |
# | to name the axes | linear PCA | an axis is a sum over all points |
# | very many points | landmarks, random features (chapter 10) | 80 GB for 100 000 |
#
# And **nothing in the eigenvalues chooses $\sigma$ or $q$**: that takes a task, and points that were left out.
#
# <!-- slide
# **When not to use it.**
#
# | you have | as good or better | here |
# |---|---|---|
# | labels | LDA first | wines: 2.00 wrong for 3.05 |
# | little noise, known | straight axes in a window | level at 2 |
# | much noise | a mean of neighbours | level at 8 |
# | to name the axes | linear PCA | sums over all points |
#
# **Nothing in the eigenvalues chooses $\sigma$ or $q$.**
# -->

# %% [markdown] key="digits-left" slide="subslide"
# **How many digits are left?** A wide kernel is nearly 1 everywhere, and centring takes the ones away. What is left, of the size of $\|x-z\|^2/\sigma^2$, is a difference of numbers known to 16 digits. As $\sigma$ grows, $\sigma$ times the scores first go to those of linear PCA, and then into rounding. **Predict first:** ten times the width, how much nearer? Where does it end?
#
# <!-- slide
# **How many digits are left?** Wide kernels: a centred entry, of the size of $1/\sigma^2$, is a difference of numbers with 16 digits. **Predict first:** ten times the width, how much nearer to linear PCA? Where does it end?
# -->

# %% [markdown] key="digits-left-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# A difference of the size of 1/σ² beside 1, with 16 digits: each ten costs two of them.
#
# </details>

# %% key="digits-left-table" slide="fragment" hide="input"
wide = measured("ch08_wide")
table(
    "A thousand digits: kernel PCA beside linear PCA, as the width grows",
    {
        "width σ": ".0e",
        "axes above rounding": ".0f",
        "first score off by": ".0e",
        "20th off by": ".0e",
    },
    {w: row for w, *row in zip(*wide.values(), strict=True)},
    answer="Six widths",
)

# %% [markdown] key="digits-left-reading" slide="fragment"
# <details><summary><b>How to read it</b></summary>
#
# From $\sigma=300$ on a hundred times nearer for each ten, as $1/\sigma^2$ says. But each ten costs two digits, too: from $3\cdot10^4$ on most axes are below rounding and have no direction (`kcourse` leaves them out), and at last the first score is worse again.
#
# </details>
#
# <!-- slide
# A hundred times nearer for each ten, and two digits fewer: from $3\cdot10^4$ on most axes are rounding.
# -->

# %% key="cost-verify" slide="skip" hide="input"
verify("the digits, less a hundred to be scored", len(digits.data) - 100, 1697)
verify("the most points that were timed", n_cost.max(), "4525")
verify("all axes take seconds", 1 < seconds[0][-1] < 60)
verify("twenty axes take less than a tenth of all", seconds[1][-1] < seconds[0][-1] / 10)
verify("... and a second or two, as pre-images do", max(seconds[1][-1], seconds[4][-1]) < 2)
verify("scores of a hundred are far below", np.all(seconds[3] < 0.2 * seconds[4]))
verify("exponents near 3", abs(growth["all axes, LAPACK"] - 3) < 0.6)
verify("... and near 2", abs(growth["20 axes, kcourse"] - 2) < 0.6)
scores_grow, images_grow = (growth[f"{what} of 100 pictures"] for what in ("scores", "pre-images"))
verify("scores about like n, pre-images faster", 0.6 < scores_grow < 1.4 < images_grow)
verify("twice the points: pre-images take so many times as long", 2**images_grow, "3")


class Counting(Gaussian):
    def __call__(self, X, Z=None):
        K = super().__call__(X, Z)
        computed.append(K.size)
        return K


computed = []
for n, share in ((800, "58"), (1600, "73")):
    counted = KernelPCA(Counting(30.0), n_components=20).fit(digits.data[:n])
    scores_100 = counted.transform(digits.data[-100:])
    computed.clear()
    counted.pre_image(scores_100, tol=1e-3)
    verify(f"{n} points: the first kernels are n²", computed[0], n**2)
    verify("... of all (%)", 100 * computed[0] / sum(computed), share)
quarter = "levelled kernel PCA of 250", "neighbours of 1000"
for drawer_size, told in zip(quarter, ("1.93", "1.94"), strict=True):
    verify(drawer_size, of_drawer[drawer_size].mean(), told)
axes_gain, neighbours_gain = (
    of_drawer[f"{m} of 125"] - of_drawer[f"{m} of 1000"] for m in rows_of_hands
)
verify("the neighbours gain more, on each split", (neighbours_gain - axes_gain).min() > 0)
verify("from 125 digits to a thousand", [min(sizes), max(sizes)], [125, 1000])
verify("the Gram matrix of 100 000 points (GB)", 8 * 100_000**2 / 1e9, "80")
verify("here no α is 0", np.abs(ten.dual_coef_).min() > 0)
first = wide["off on axis 1"]
falls = np.log10(first[1:4] / first[2:5])
verify("the first nearer, by a hundred for each ten", np.all(np.abs(falls - 2) < 0.2))
verify("... then rounding", first[5] > first[4])

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - Centre the Gram matrix, and new rows with the *training* means. An eigenvalue 0 is the price.
# - $f^{(k)}=\sum_i\alpha_i^{(k)}\varphi(x_i)$ with $\alpha^{(k)}=b_k/\sqrt{\lambda_k}$, for $\lambda_k>0$: at most $n-1$ axes, whatever $d$ is.
# - Variance $\lambda_k/n$, share $\lambda_k/\operatorname{tr}\tilde K$. Neither knows classes.
# - With a Gaussian kernel a pre-image is a weighted mean of training points, found by repetition.
# - Kernel LDA: $(N+\lambda I)^{-1}(M_1-M_0)$, where $\lambda$ is a price and no eigenvalue; least squares on $\pm1$ in disguise. For $C$ classes at most $C-1$ axes.

# %% [markdown] key="answer" slide="subslide"
# **And the digits?** Those of the beginning, by levelled kernel PCA, with the settings that the bill chose on other pictures. **Predict first:** how many of the eight come back as what was written, from noise 4 and from 8? And what comes back where nobody can tell?

# %% [markdown] key="recap-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Have the rows read aloud; then the last one. Whose bet was right? At which noise?
#
# </details>

# %% key="answer-code" slide="skip"
row_means, by_width = Gaussian(20.0)(train), KernelPCA(Gaussian(20.0), n_components=400).fit(train)


def levelled(noisy, q):
    row = Gaussian(20.0)(noisy, train)
    row /= row.max(axis=1, keepdims=True)  # the division
    scores = center_rows(row, row_means) @ by_width.dual_coef_  # (5)
    return by_width.pre_image(np.where(np.arange(400) < q, scores, 0.0), tol=1e-3).points


# %% key="answer-picture" hide="input"
given_back = {"noise 4": levelled(loud, 400), "noise 8": levelled(louder, 100), "clean": eight}
fig, axes = plt.subplots(3, 8, figsize=(8.6, 3.6))
for row, (name, pictures) in zip(axes, given_back.items(), strict=True):
    for ax, picture in zip(row, pictures, strict=True):
        ax.imshow(picture.reshape(8, 8), cmap="gray_r", vmin=0, vmax=16)
        ax.set(xticks=[], yticks=[])
        ax.grid(False)
    row[0].set_ylabel(name)
show(
    fig,
    alt="Eight digits in three rows: given back from noise 4, from noise 8, and clean. All in the "
    "first two rows look like digits. A 2 has come back as a 7 from both, a 5 as something between "
    "0 and 9 from noise 8; the others can be read.",
    answer="The digits of the beginning",
)

# %% [markdown] key="answer-reading" slide="fragment"
# <details><summary><b>What was written</b> (open this once you have read both rows)</summary>
#
# - **3, 8, 0, 5, 2, 9, 4, 6:** how many had you, at the beginning? From noise 4 seven of the eight come back, from noise 8 six, as their nearest neighbours in the drawer read them.
# - **It gives back a digit, not always the one that was written.** That is what a cleaner does that knows how digits vary. The 2 has become a 7.
# - **Does a machine read more?** A little: at noise 8 the same reader misreads fewer cleaned pictures on 17 of twenty splits, 117 of 597 for 127 on average. A mean of neighbours does the same for it, 117. At noise 4 hardly: 24 for 25. The eight it reads as it read them before.
# - **Whose bet was right?** At 4 curved axes are ahead by a little, levelled. At 2 straight axes in a window are as good; at 8 the mean of neighbours is, and local PCA in three rounds is a hair better, by 0.007. With one setting for all three noises the neighbours are ahead at 8.
#
# </details>
#
# <!-- slide
# 3, 8, 0, 5, 2, 9, 4, 6. Seven of eight come back from 4, six from 8: **a digit, not always the one written.** Levelled kernel PCA is best by a little at 4; at 2 local PCA, at 8 the neighbours are as good.
# -->

# %% key="answer-verify" slide="skip" hide="input"
one_reader = KNeighborsClassifier(1).fit(train, digits.target[drawer])
for name, told in (("noise 4", [3, 8, 0, 5, 7, 9, 4, 6]), ("noise 8", [3, 8, 0, 0, 7, 9, 4, 6])):
    verify(f"{name}: as nearest neighbours read it", one_reader.predict(given_back[name]), told)
for sd, pictures in ((4, loud), (8, louder)):
    same = one_reader.predict(pictures) == one_reader.predict(given_back[f"noise {sd}"])
    verify(f"noise {sd}: ... and so they read it before", np.all(same))
reads = measured("ch08_reader", "reader-8")
for name, told in {
    "noisy at 8": "127", "cleaned at 8": "117", "neighbours at 8": "117",
    "noisy at 4": "25", "cleaned at 4": "24",
}.items():  # fmt: skip
    verify(f"of 597, {name}: misread", reads[name].mean(), told)
verify("what was written", digits.target[unseen][seen_first], [3, 8, 0, 5, 2, 9, 4, 6])
settings = {sd: set(bill[f"levelled kernel PCA at {sd} chose"]) for sd in (4, 8)}
verify("σ = 20 with 400 and 100 axes, on all splits", settings == {4: {3}, 8: {1}})

# %% [markdown] key="quiz" slide="slide"
# ## Four more questions
#
# <details><summary>1. The points −1, 0, 1 on a line, linear kernel: which λ, which scores?</summary>
#
# $\lambda=2$; scores $-1,0,1$, or $1,0,-1$. One axis: the other two eigenvalues are 0.
#
# </details>
#
# <details><summary>2. You double the kernel, $k\to2k$. What happens to λ, scores, shares?</summary>
#
# λ doubles, scores grow by $\sqrt2$, shares stay.
#
# </details>
#
# <details><summary>3. Every point occurs twice in the data. How many axes are there, and what becomes of λ?</summary>
#
# As many as before, and the same axes; each λ doubles, each variance λ/n stays.
#
# </details>
#
# <details><summary>4. A new point is far from all others, Gaussian kernel. Where do its scores lie?</summary>
#
# Where those of $-\bar\varphi$ lie: its row is 0, and what is left is the centring. *Not* at 0.
#
# </details>

# %% key="quiz-verify" slide="skip" hide="input"
K, n = Gaussian(2.0)(plane), len(plane)
a1, l1 = axes_of(center(K), 3)
a2, l2 = axes_of(center(2 * K), 3)
verify("question 2: λ doubles", l2, 2 * l1)
verify(
    "question 2: scores grow by √2",
    np.abs(center(2 * K) @ a2),
    np.sqrt(2) * np.abs(center(K) @ a1),
)
twice = KernelPCA(Gaussian(2.0), n_components=3).fit(np.repeat(plane, 2, axis=0))
verify("question 3: λ doubles", twice.eigenvalues_, 2 * l1)
verify(
    "question 3: the same axes", np.abs(twice.transform(new)), np.abs(model.transform(new)[:, :3])
)
far = model.transform([[1e3, 1e3]])[0]
verify("question 4: the scores of -φ̄", far, -model.dual_coef_.T @ K.mean(axis=0))
verify("question 4: not 0", np.abs(far).max() > 0.01)

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are told which one.
# *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch08_kpca")

# %% [markdown] key="references" numbers="free" slide="skip"
# ## To read on
#
# - B. Schölkopf, A. Smola and K.-R. Müller, *Nonlinear component analysis as a kernel eigenvalue problem*, 1998: the method. B. Schölkopf and A. Smola, *Learning with Kernels*, 2002, chapters 14 and 18.
# - C. Giraud, *Noyaux reproduisants*, MAP 553, École polytechnique: the four questions.
# - S. Mika and others, *Kernel PCA and de-noising in feature spaces*, 1998: equation (10), on digits. S. Mika and others, *Fisher discriminant analysis with kernels*, 1999.
# - R. A. Fisher, *The use of multiple measurements in taxonomic problems*, 1936.
# - MultivariateStats.jl, issue 44 and its repair, 2017: the centring of new rows.
# - **Data.** Digits: E. Alpaydin and C. Kaynak; wines: M. Forina and others, by S. Aeberhard; both from the installed scikit-learn.
#
# **Next:** [the sheet](../exercises/ch08_kpca_sheet.ipynb).
