# %% [markdown] key="title" slide="slide"
# # Scaling: Nyström and random features
#
# Method after method of this course has stopped before the same wall: $n$ points, $n^2$ numbers to keep, $n^3$ multiplications. This last chapter walks through it, with a few hundred features that anybody can write down.

# %% key="imports" slide="skip" hide="input"
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.sparse.linalg import LinearOperator, cg
from sklearn.datasets import load_digits
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline

from kcourse import (
    Gaussian,
    GaussianProcess,
    GeneralizedRBF,
    KernelRidge,
    Linear,
    Nystrom,
    NystromRidge,
    RandomFourierFeatures,
)
from kcourse.datasets import load_terrain
from kcourse.lab import cycle, measured, show, table, use_style, verify
from kcourse.chapters.ch10_scaling.figures import Task, features_explorer, frequencies_explorer
from kcourse.scaling import TextBar, leverage_scores

use_style()

# %% [markdown] key="question" slide="slide"
# ## A wall
#
# The mountains north of Jacksboro, Tennessee, as chapter 7 knows them: 138 632 heights, one every 93 metres or less. Put 100 000 of them aside to learn from, and ask kernel ridge regression (chapter 3) for the map of the rest: $\alpha=(K+\lambda I)^{-1}y$.

# %% key="question-data" slide="skip"
land = load_terrain()
order = np.random.default_rng(0).permutation(len(land.y))
learn, choose, test = order[:100_000], order[100_000:105_000], order[105_000:]
level = land.y[learn].mean()  # heights are learnt as differences from their mean
X, y = land.X[learn], land.y[learn] - level


def rms(heights, at=test):
    """Root mean square error of a map's heights at these places (m)."""
    return np.sqrt(np.mean((heights + level - land.y[at]) ** 2))

# %% key="question-picture" hide="input"
fig, ax = plt.subplots(figsize=(5.2, 4.2))
east, north, height = (a.reshape(344, 403)[::5, ::5] for a in (*land.X.T, land.y))
picture = ax.contourf(east, north, height, levels=np.arange(200, 1001, 200), cmap="gray")
ax.set_aspect("equal")
ax.grid(False)
ax.set(xlabel="east (km)", ylabel="north (km)")
fig.colorbar(picture, label="height (m)")
show(
    fig,
    alt="A map in grey of thirty by thirty kilometres. The highest ground is a ridge down the "
    "middle, from the north-west to the south; the east is low, behind a straight edge that runs "
    "to the north-east; many small valleys cut the rest.",
)

# %% [markdown] key="question-land"
# From one grey to the next are 200 metres. Look at the many narrow valleys: a map has to follow each of them, and that is what will cost bells.

# %% [markdown] key="wall" slide="subslide"
# What it takes to write $K$ down, and to factor it:

# %% key="wall-table" hide="input"
wall = {}
for n in (1000, 10_000, 100_000, 1_000_000):
    memory = 8 * n**2
    size = f"{memory / 1e6:.0f} MB" if memory < 1e9 else f"{memory / 1e9:.3g} GB"
    size = size if memory < 1e12 else f"{memory / 1e12:.0f} TB"
    seconds = n**3 / 6 / 1e10
    spent = f"{seconds:.2g} s" if seconds < 60 else f"{seconds / 60:.0f} min"
    spent = spent if seconds < 3600 else f"{seconds / 3600:.1f} hours"
    spent = spent if seconds < 86_400 else f"{seconds / 86_400:.0f} days"
    wall[n] = size, spent
table(
    "8 bytes an entry, 10 000 million multiplications a second",
    {"heights": ",d", "K": "", "Cholesky": ""},
    wall,
)

# %% [markdown] key="question-reading"
# At 100 000 heights the Gram matrix takes 80 gigabytes. SYS843, one of this course's sources, says of a network with a bell on every point that it is “hard for large $N$”. Rightly: $O(n^2)$ memory, $O(n^3)$ operations, and a prediction needs the kernel against *all* points.
#
# **What can you afford?** 800 bells. Put them on 800 of the places, by lot, and make two maps:
#
# - **A** learns from these 800 heights, and forgets the other 99 200.
# - **B** has the same 800 bells on the same places, and asks *all* 100 000 heights how high each bell should be.
#
# **Predict first.** The heights have a standard deviation of 162 m, and map A errs by 68 m at places that nobody has seen. What will B's error be: 66, 55, 43, 20?
#
# <!-- slide
# At 100 000 heights $K$ takes 80 gigabytes: “hard for large $N$”, says SYS843.
#
# **You can afford 800 bells,** on 800 of the places:
#
# - **A** learns from these 800 heights alone.
# - **B**, with the same bells, asks all 100 000.
#
# **Predict first.** A errs by 68 m. And B: 66, 55, 43, 20?
# -->

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Let them vote on B, and write the votes down: the answer comes after the derivation. Then ask what exactly is n² and what n³ in each chapter: Gram matrix, Cholesky, quadratic programme, eigenvectors. And what is not: k-nearest neighbours, Pegasos with a linear kernel.
#
# </details>

# %% key="question-verify" slide="skip" hide="input"
verify("heights", len(land.y), "138632")
verify("K of 100 000: gigabytes", 8 * 100_000**2 / 1e9, "80")
verify("standard deviation (m)", land.y[learn].std(), "162")
grid_step = np.diff(np.unique(land.X[:, 0])).min(), np.diff(np.unique(land.X[:, 1])).min()
verify("a height every 93 metres or less (km)", 0.07 < min(grid_step) <= max(grid_step) < 0.093)

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# 1. derive Nyström's features from the representer theorem, and say what they lose;
# 2. draw random features for a kernel, and say how far they are off;
# 3. choose landmarks, and a width that fits their number;
# 4. fit a million rows in the memory of a few, here or on a cluster;
# 5. say when neither will do, and which method of the whole course to take instead.
#
# **You need** chapter 3; what chapter 7 says of generalised networks helps. **Reading:** three hours. **Lecture:** two 45-minute lectures. **Exercises:** three hours, [in the sheet](../exercises/ch10_scaling_sheet.ipynb).
#
# <!-- slide
# **After this chapter you can**
#
# 1. derive Nyström's features, and say what they lose;
# 2. draw random features, and say how far they are off;
# 3. choose landmarks, and their width;
# 4. fit a million rows in the memory of a few;
# 5. say when neither will do.
# -->

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Two hours, derivations at the board included. What must not be left out: steps 1 and 2, the subsample, both figures with sliders, the million, and the best map for your money.
#
# Can be skipped: When each fails; Find the error; In practice; What others add today.
#
# </details>

# %% [markdown] key="room" slide="slide"
# ## Is there room to save?
#
# $K$ has $n^2$ entries, but how many numbers does it *hold*? If few of its eigenvalues carry nearly all of their sum, then $K\approx FF^\top$ with a matrix $F$ of $n$ rows and few columns: its best columns are eigenvectors, as in chapter 8. Two sets of 1000 points: heights of the mountains, in two dimensions, and handwritten digits, in 64 (a pixel goes from 0 to 1).
#
# **Predict first.** Digits, $\sigma=1$: how many eigenvalues until only one per cent of the sum is left? And if all bells are made twice as wide?
#
# <!-- slide
# If few eigenvalues carry nearly all of their sum, $K\approx FF^\top$ with few columns. 1000 heights, $d=2$, and 1000 digits, $d=64$.
#
# **Predict first.** Digits, $\sigma=1$: how many eigenvalues until one per cent is left? With $\sigma=2$?
# -->

# %% [markdown] key="room-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask why the diagonal is 1 and the sum therefore n. Draw the two extremes on the board: all ones (rank 1), and the identity (nothing to save). The width moves every data set from one to the other; so ask of each promise in this chapter: at which σ?
#
# </details>

# %% key="room-figure" hide="input"
digits = load_digits()
shuffled = np.random.default_rng(0).permutation(len(digits.data))
pixels, labels = digits.data[shuffled] / 16, digits.target[shuffled]
sets = {"mountains (σ in km)": land.X[learn[:1000]], "digits": pixels[:1000]}
WIDTHS = (0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
spectra, needed = {}, {}
for name, points in sets.items():
    for width in WIDTHS:
        values = np.maximum(np.linalg.eigvalsh(Gaussian(width)(points))[::-1], 0)
        spectra[name, width] = values
        needed[name, width] = int(np.argmax(np.cumsum(values) > 0.99 * values.sum())) + 1
heights_measured = measured("ch10_heights")
digits_measured = measured("ch10_digits")
chosen_width = {"mountains (σ in km)": 1.0, "digits": 1.4}  # by leave-one-out, on each draw
fig, ax = plt.subplots(figsize=(7.4, 3.7))
for i, name in enumerate(sets):
    ax.plot(WIDTHS, [needed[name, w] for w in WIDTHS], marker="os"[i], label=name, **cycle(i))
    at = chosen_width[name]
    ax.plot(at, needed[name, at], "o", ms=15, mfc="none", mec="black")
ax.plot([], [], "o", ms=12, mfc="none", mec="black", label="chosen for ridge regression")
ax.set(xscale="log", xlabel="width σ", ylabel="eigenvalues until 1 % is left", ylim=(0, 1020))
ax.set_xticks([0.5, 1, 2, 4], ["0.5", "1", "2", "4"])
ax.minorticks_off()
ax.legend(loc="lower left")
show(
    fig,
    alt="How many of 1000 eigenvalues it takes until one per cent of their sum is left, against "
    "the width. Both curves fall from nearly all to under a hundred at σ = 4; that of the digits "
    "stays near the top until σ = 1. Rings mark the widths that are best for exact ridge "
    "regression, 1 km on the mountains and 1.4 on the digits.",
    answer="Eigenvalues, by the width",
)

# %% [markdown] key="room-reading"
# <details><summary><b>How many</b> (open this once you have written down your answer)</summary>
#
# 925 of 1000 with $\sigma=1$, 594 with 2, and 96 with 4. Narrow bells each say something of their own, wide ones nearly the same: how much room given points leave, the *width* decides.
#
# And the width is not free, since errors choose it. The rings mark what leave-one-out (chapter 3) took for exact ridge regression: 1 km on each of twenty draws of heights, 1.4 on each of sixty draws of digits. It takes 527 and 828 eigenvalues there. At the width that is best for *all* the points there is not much room. Is it also the best for few features? That question stays with us to the second figure with sliders.
#
# Before it comes another. Eigenvectors cost the $n^3$ that we want to save: which features cost nothing to find?
#
# </details>
#
# <!-- slide
# Digits: 925 with $\sigma=1$, 594 with 2, 96 with 4. **How much room there is, the width decides.** At the widths that are best for all points (ringed): 527 and 828. Are these widths best for few features, too? And which features cost nothing to find? Eigenvectors cost the $n^3$ that we want to save.
# -->

# %% key="room-verify" slide="skip" hide="input"
verify("digits: eigenvalues until 1 % is left, σ = 1", needed["digits", 1.0], "925")
verify("... σ = 2", needed["digits", 2.0], "594")
verify("... σ = 4", needed["digits", 4.0], "96")
verify("digits, at 1.4", needed["digits", 1.4], "828")
verify("mountains, at 1 km", needed["mountains (σ in km)", 1.0], "527")
verify("leave-one-out: 1 km, each time", heights_measured["width of exact"], np.ones(20))
verify("... and 1.4", digits_measured["width of exact"], np.full(60, 1.4))

# %% [markdown] key="nystrom" slide="slide"
# ## Nyström, from the representer theorem
#
# The theorem (chapters 3 and 9) says that the best $f$ is a sum of $n$ sections $k(x_i,\cdot)$. We cannot afford $n$. So let us *decide* that $f$ is a sum of $m$ of them, at *landmarks* $z_1,\dots,z_m$:
#
# $$f=\sum_{j=1}^ma_j\,k(z_j,\cdot),\qquad\text{minimise}\quad\|y-K_{nm}a\|^2+\lambda\,a^\top K_{mm}a, \tag{1}$$
#
# with $K_{nm}$ the kernel of points and landmarks, whose rows are $k_m(x_i)^\top$ for $k_m(x)=(k(z_1,x),\dots,k(z_m,x))^\top$, $K_{mm}$ that of the landmarks alone. By the reproducing property $\|f\|^2=\sum_{jl}a_ja_l\langle k(z_j,\cdot),k(z_l,\cdot)\rangle=a^\top K_{mm}a$: the penalty is chapter 3's. All $n$ values of $y$ stay in it. From here on $K_{mm}$ is invertible (with a Gaussian kernel: no landmark stands twice); where it is not, drop landmarks whose sections the others span, until it is.
#
# **Step 1.** The slope in $a$, $-2K_{nm}^\top(y-K_{nm}a)+2\lambda K_{mm}a$, is 0 where
#
# $$(K_{nm}^\top K_{nm}+\lambda K_{mm})\,a=K_{nm}^\top y. \tag{2}$$
#
# This is $(\mathsf G^\top\mathsf G+\lambda\mathsf G_0)w=\mathsf G^\top d$, the *generalised network* of chapter 7, letter by letter. With $\lambda>0$ the matrix on the left is strictly positive definite, as $\lambda K_{mm}$ is, so $a$ is unique, and (1), being convex, is least there.
#
# <!-- slide
# The best $f$ is a sum of $n$ sections. *Decide* that it is a sum of $m$, at *landmarks* $z_j$, with $K_{mm}$ invertible:
#
# $$f=\sum_{j=1}^ma_j\,k(z_j,\cdot),\qquad\min\ \|y-K_{nm}a\|^2+\lambda\,a^\top K_{mm}a \tag{1}$$
#
# **Step 1.** Which $a$ is best?
#
# <div class="fragment">
#
# That where the slope is 0:
#
# $$(K_{nm}^\top K_{nm}+\lambda K_{mm})\,a=K_{nm}^\top y \tag{2}$$
#
# the *generalised network* $(\mathsf G^\top\mathsf G+\lambda\mathsf G_0)w=\mathsf G^\top d$ of chapter 7.
#
# </div>
# -->

# %% [markdown] key="nystrom-cost" slide="fragment"
# **What it costs.** $nm$ kernels, $nm^2/2$ multiplications for $K_{nm}^\top K_{nm}$, $m^3/6$ for its factor. What (2) needs of the points are two *sums over them*: nothing larger than $m\times m$ has to be kept. A prediction takes $m$ kernels.

# %% [markdown] key="projection" slide="subslide"
# **Step 2. What did we give up?** Write $k_x$ for the section $k(x,\cdot)$. Let $P$ be the orthogonal projection onto the span of the $m$ sections. For $f$ in the span
#
# $$f(x)=\langle f,k_x\rangle=\langle f,Pk_x\rangle,$$
#
# since $f$ is orthogonal to the rest $k_x-Pk_x$. So (1) sees of each point only its *shadow* $Pk_x$: whoever knows the shadows knows what was given up. To compute it, write $Pk_x=\sum_jc_jk(z_j,\cdot)$. The rest $k_x-Pk_x$ is orthogonal to each $k(z_l,\cdot)$, that is, $k(z_l,x)=\sum_jk(z_l,z_j)c_j$, or $K_{mm}c=k_m(x)$. Hence
#
# $$\hat k(x,z)=\langle Pk_x,Pk_z\rangle=k_m(x)^\top K_{mm}^{-1}\,k_m(z),\qquad\hat K=K_{nm}K_{mm}^{-1}K_{mn}. \tag{3}$$
#
# This is *Nyström's approximation*. And (1) is nothing but **ordinary kernel ridge regression with the kernel $\hat k$**, as step 4 will show.
#
# <!-- slide
# **Step 2.** $P$: orthogonal projection onto the span, where $f$ lies. $f(x)=\langle f,k_x\rangle$: what of $k_x$ does (1) see?
#
# <div class="fragment">
#
# $\langle f,k_x\rangle=\langle f,Pk_x\rangle$: its shadow $Pk_x=\sum_jc_jk(z_j,\cdot)$, where $K_{mm}c=k_m(x)$.
#
# $$\hat k(x,z)=\langle Pk_x,Pk_z\rangle=k_m(x)^\top K_{mm}^{-1}\,k_m(z) \tag{3}$$
#
# *Nyström's approximation*: (1) is ordinary ridge regression with the kernel $\hat k$.
#
# </div>
# -->

# %% [markdown] key="nystrom-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Do step 1 at the board, and step 2 as it comes; the picture is a plane in space, k_x above it, Pk_x its shadow. Ask: which of these steps used that the landmarks are data points? (None: any points of the domain will do, k-means centres for one.) Ask what happens where two landmarks coincide (K_mm is singular; a pseudo-inverse, or one landmark less, gives the same shadow). Then the name: Nyström solved integral equations in 1930 by weighted sums at a few points.
#
# </details>

# %% [markdown] key="error" slide="subslide"
# **Step 3. How far is it off?** By Pythagoras $\|k_x\|^2=\|Pk_x\|^2+\|k_x-Pk_x\|^2$, or
#
# $$k(x,x)-\hat k(x,x)=\|k_x-Pk_x\|^2\ge0. \tag{4}$$
#
# - It is 0 at a landmark: there $Pk_x=k_x$. So $\hat K$ is **exact on the landmarks**, in whole rows.
# - $K-\hat K$ is the Gram matrix of the rests: a rest is orthogonal to every shadow, so $k(x,z)=\langle Pk_x,Pk_z\rangle+\langle k_x-Pk_x,\,k_z-Pk_z\rangle$. Hence it is positive semi-definite, and $v^\top\hat Kv$ is never too large. (A single entry beside the diagonal may be, and some are.)
# - One landmark more makes no rest longer: the rest is the shortest way to the span, and the span has grown. (Of errors at new places nothing is said.)
#
# **Step 4. Features.** An inner product asks for features: half of $K_{mm}^{-1}$ goes to each side. $K_{mm}$ is symmetric and positive definite, so it has a root. With $\varphi(x)=K_{mm}^{-1/2}k_m(x)$, $m$ numbers, $\hat k(x,z)=\varphi(x)^\top\varphi(z)$. Put $w=K_{mm}^{1/2}a$: then $f(x)=a^\top k_m(x)=w^\top\varphi(x)$ and $a^\top K_{mm}a=\|w\|^2$. So (1) is plain *linear* ridge regression on $\varphi$, which is ridge regression with the kernel $\varphi(x)^\top\varphi(z)=\hat k(x,z)$ (chapter 3). Any $S$ with $SS^\top=K_{mm}^{-1}$ does as well: $L^{-\top}$, for one, where $K_{mm}=LL^\top$.
#
# <!-- slide
# **Step 3.** $k_x$, its shadow, the rest: a right triangle. How far is $\hat k(x,x)$ off, and where is it exact?
#
# <div class="fragment">
#
# $$k(x,x)-\hat k(x,x)=\|k_x-Pk_x\|^2\ge0 \tag{4}$$
#
# - **Exact on the landmarks**, in whole rows.
# - $K-\hat K$ is positive semi-definite: $v^\top\hat Kv\le v^\top Kv$.
# - One landmark more makes no rest longer.
#
# </div>
#
# <div class="fragment">
#
# **Step 4. Features:** $\varphi(x)=K_{mm}^{-1/2}k_m(x)$. With $w=K_{mm}^{1/2}a$: $f=w^\top\varphi$, $a^\top K_{mm}a=\|w\|^2$, so (1) is *linear* ridge regression on them.
#
# </div>
# -->

# %% [markdown] key="error-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Draw the right triangle: k_x, its shadow, the rest. Have the room read the three consequences off it.
#
# </details>

# %% key="nystrom-verify" slide="subslide"
kernel, points = Gaussian(2.0), land.X[learn[:500]]
K = kernel(points)
Z = points[:60]
mu, U = np.linalg.eigh(kernel(Z))  # K_mm = U diag(μ) Uᵀ
S = (U / np.sqrt(mu)) @ U.T  # K_mm^(-1/2)
F = kernel(points, Z) @ S  # step 4: rows φ(x), (500, 60)
rest = K - F @ F.T
verify("rows of landmarks are exact", rest[:60], 0, tol=1e-9)
verify("the rest is positive semi-definite", np.linalg.eigvalsh(rest)[0] > -1e-9)
verify("its diagonal is never negative: (4)", rest.diagonal().min() > -1e-9)

# %% key="nystrom-verify-2" slide="skip" hide="input"
heights = y[:500]
landmarks = Nystrom(kernel, landmarks=Z).fit(points)
ours, theirs = F @ F.T, landmarks.transform(points)
verify("kcourse's features have these inner products", ours, theirs @ theirs.T, tol=1e-8)
K_nm, K_mm = kernel(points, Z), kernel(Z)
verify("(3)", K_nm @ np.linalg.solve(K_mm, K_nm.T), F @ F.T, tol=1e-8)
L = np.linalg.cholesky(K_mm)
by_factor = solve_triangular(L, K_nm.T, lower=True).T
verify("some entries beside the diagonal are too large", rest.min() < -1e-6)
verify("a Cholesky factor gives the same inner products", by_factor @ by_factor.T, F @ F.T, 1e-8)
c = np.linalg.solve(K_mm, K_nm.T)
rests = K - c.T @ K_nm.T - K_nm @ c + c.T @ K_mm @ c  # ⟨k_x - Pk_x, k_z - Pk_z⟩, written out
verify("K - K̂ is the Gram matrix of the rests", rests, K - F @ F.T, tol=1e-8)
verify("the rest of each section is orthogonal to the span", K_nm.T - K_mm @ c, 0, tol=1e-9)
a = np.linalg.solve(K_nm.T @ K_nm + 0.1 * K_mm, K_nm.T @ heights)
slope = -2 * K_nm.T @ (heights - K_nm @ a) + 0.2 * K_mm @ a
verify("the slope of (1) is 0", slope / np.abs(K_nm.T @ heights).max(), 0, tol=1e-9)
there = land.X[choose[:200]]
by_kernel = KernelRidge(lambda A, B: landmarks.transform(A) @ landmarks.transform(B).T, lam=0.1)
scale = np.abs(heights).max()
verify(
    "ridge regression with the kernel (3) is (2)",
    by_kernel.fit(points, heights).predict(there) / scale,
    kernel(there, Z) @ a / scale,
    tol=1e-7,
)
linear = KernelRidge(Linear(), lam=0.1).fit(theirs, heights)
verify(
    "so is linear ridge on the features",
    linear.predict(landmarks.transform(there)) / scale,
    kernel(there, Z) @ a / scale,
    tol=1e-7,
)
network = GeneralizedRBF(kernel, centers=Z, lam=0.1).fit(points, heights)
verify(
    "... and chapter 7's network",
    network.predict(there) / scale,
    kernel(there, Z) @ a / scale,
    tol=1e-9,
)
fewer = Nystrom(kernel, landmarks=points[:59]).fit(points).residual(points)
verify(
    "one landmark more makes no rest longer",
    np.all(landmarks.residual(points) < fewer + 1e-9),
)

# %% [markdown] key="others" slide="slide"
# ## What the others know
#
# “Nyström means: train on a subsample.” Both have $m$ bells at $m$ of the points. Do they differ? Take 1000 noisy measurements of $\operatorname{sinc}$, chapter 3's curve, and $m=5,10,20,40$. Each method chooses its width and its $\lambda$ by leave-one-out on what it learns from.
#
# **Predict first.** From which $m$ on is Nyström as good as all 1000? And the subsample?
#
# <!-- slide
# “Nyström means: train on a subsample.” **Predict first:** 1000 noisy measurements of $\operatorname{sinc}$, $m=5,10,20,40$, width and $\lambda$ by leave-one-out. From which $m$ on is each as good as all 1000?
# -->

# %% [markdown] key="others-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Votes first, as numbers. Then ask for the difference in one word: the subsample's bells each hear one noisy height, Nyström's hear all. λ beside the sum of squares weighs more where points are few: therefore each has chosen its own.
#
# </details>

# %% key="others-figure" hide="input"
curves = measured("ch10_sinc")
sizes = (5, 10, 20, 40)
fig, ax = plt.subplots(figsize=(7.4, 3.7))
for k, (way, name) in enumerate((("{} landmarks", "Nyström"), ("subsample of {}", "subsample"))):
    each = np.array([curves[way.format(m)] for m in sizes])
    low, high = np.quantile(each, [0.1, 0.9], axis=1)
    ax.fill_between(sizes, low, high, color=cycle(k)["color"], alpha=0.15, linewidth=0)
    label = f"{name}, median of 100 sets"
    ax.plot(sizes, np.median(each, axis=1), marker="os"[k], label=label, **cycle(k))
dots = {"color": "black", "linestyle": (0, (1, 1.5)), "linewidth": 1.6}
ax.axhline(np.median(curves["all"]), label="all 1000 points", **dots)
ax.set(xscale="log", yscale="log", xlabel="landmarks, or points, m", ylabel="error of the curve")
ax.set_xticks(sizes, [str(m) for m in sizes])
ax.minorticks_off()
ax.set_yticks([0.01, 0.03, 0.1, 0.3], ["0.01", "0.03", "0.1", "0.3"])
ax.set_ylim(0.0022, 0.6)
ax.legend(loc="lower left")
show(
    fig,
    alt="Error of the curve against m, logarithmic axes. The subsample falls slowly, from 0.32 at "
    "5 points to 0.08 at 40. Nyström falls from 0.10 at 5 landmarks to 0.014 at 20, where it "
    "meets the dotted line of all 1000 points and stays on it.",
    answer="Errors of both, and of all points",
)

# %% [markdown] key="others-reading"
# <details><summary><b>What a bell knows</b> (open this once you have written down your answer)</summary>
#
# **With 20 landmarks Nyström errs by at most one per cent more than all 1000 points,** on 91 of 100 sets of measurements; with 10 it is within a fifth on most. **The subsample of 40 still errs by more than three times as much, on 91 of 100.** Eight sets of ten lie where it is shaded. Twenty bells can say what this curve needs. Twenty noisy *measurements* cannot know it.
#
# </details>
#
# <!-- slide
# **$m=20$: Nyström is as good as all 1000**; a subsample of 40 errs by more than three times as much, on 91 sets of 100. Twenty *measurements* cannot know what twenty bells can say.
# -->

# %% [markdown] key="others-and" slide="subslide"
# **And the mountains?** With the same program as ever:

# %% key="others-mountains"
Z, bell = X[:800], Gaussian(1.0)  # X is in random order: 800 by lot
A = KernelRidge(bell, lam=0.1).fit(Z, y[:800])
K_nm, K_mm = bell(X[:20_000], Z), bell(Z)
right = K_nm.T @ y[:20_000]
a = np.linalg.solve(K_nm.T @ K_nm + 0.1 * K_mm, right)  # (2)
B = NystromRidge(bell, landmarks=Z, lam=0.1).fit(X, y)

# %% key="others-table" hide="input" slide="subslide"
maps = {"A: its own 800": A.predict, "B: 100 000": B.predict}
maps["(2) by hand, 20 000"] = lambda at: bell(at, Z) @ a
off_by = {name: rms(map_of(land.X[test])) for name, map_of in maps.items()}
columns = {"map": "", "error (m)": ".0f"}
table("800 bells; map, and heights that it asks", columns, off_by)

# %% [markdown] key="others-answer" slide="fragment"
# Map B errs by 43 m where A, with the same bells, errs by 68. Equation (2), solved by hand for 20 000 of the heights, is at 44 already. With 800 other places, twenty times, it is the same: **asking everybody gains 23 m on average, 22 to 26.** The width, 1 km, is the best for A on places set aside; B would gain less than a metre from 1.2. Is 43 m good? That is coming.
#
# <!-- slide
# (2), by hand, with 20 000 heights: 44 m. Twenty times with other places: **asking everybody gains 23 m, 22 to 26.** Is 43 m good? That is coming.
# -->

# %% key="others-verify" slide="skip" hide="input"


def off_map(model, at=test):
    """The same of a model (m)."""
    return rms(model.predict(land.X[at]), at)


verify("map A (m)", off_map(A), "68")
verify("map B (m)", off_map(B), "43")
verify("(2) by hand (m)", off_by["(2) by hand, 20 000"], "44")
bells = measured("ch10_bells")
verify("A: the best width", bells["width"][(bells["m"] == 800) & (bells["alone"] == 1)], [1.0])
lots = measured("ch10_bells_drawn", "everybody")
verify("other lots: the gain on average (m)", (lots["A"] - lots["B"]).mean(), "23")
verify("... the least", (lots["A"] - lots["B"]).min(), "22")
verify("... and the greatest", (lots["A"] - lots["B"]).max(), "26")
verify("... of how many", len(lots["A"]), 20)
verify("B with 1.2 km: less than a metre better", 0 < (lots["B"] - lots["B at 1.2"]).mean() < 1)
measured("ch10_sinc", "sinc-20", "sinc-10", "sinc-alone")
verify("shown: the subsample, 5", np.median(curves["subsample of 5"]), "0.32")
verify("... 40", np.median(curves["subsample of 40"]), "0.08")
verify("shown: Nyström, 5", np.median(curves["5 landmarks"]), "0.10")
verify("... 20", np.median(curves["20 landmarks"]), "0.014")

# %% [markdown] key="landmarks" slide="slide"
# ## Which landmarks?
#
# Map B's bells stand where a lot put them. That costs nothing, and wastes landmarks where points crowd. Suppose a survey flight: 1000 heights, nine tenths of them over one valley in the south-west, and the map of *all* the land is wanted. Three other ways to choose:
#
# - **leverage**: draw point $i$ with a probability proportional to $\ell_i=\big(K(K+\lambda I)^{-1}\big)_{ii}$, the diagonal of chapter 3's smoother. It says how much the fit at $x_i$ follows $y_i$: little in a crowd, much alone. It costs the $n^3$ that we are avoiding, so in earnest one estimates it, from landmarks;
# - **pivots**: draw each next landmark in proportion to what the ones before it leave of $k(x,x)$, (4), or take the point where most is left, as the sheet does. $O(nm^2)$, as cheap as the fit;
# - **k-means** (chapter 7): centres of groups, which need not be data.
#
# **Predict first.**
#
# 1. With $\sigma=1.4$ km and $\lambda=0.1$, by which factor do the leverages of a point in the valley and of one outside differ?
# 2. Leave-one-out chooses the width and $\lambda$ of each map. With 200 landmarks, which of the four ways errs least on the whole map?
#
# <!-- slide
# 1000 heights, nine tenths over one valley; the map of *all* the land is wanted.
#
# - **by lot**
# - **leverage**: with probability proportional to $\ell_i=\big(K(K+\lambda I)^{-1}\big)_{ii}$; costs $n^3$
# - **pivots**: by what the landmarks so far leave of $k(x,x)$; $O(nm^2)$
# - **k-means**: centres of groups
#
# **Predict first.** By which factor do leverages in the valley and outside differ? With $m=200$, who errs least on the whole map?
# -->

# %% [markdown] key="landmarks-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask where leverage is known from (statistics: Cook's distance; here a Gaussian process's variance over the noise). Ask who would fly this way: everybody whose data come where they were easy to get. And: if leave-one-out chooses the width, who votes? (The valley. Right, if the next questions are about the valley.)
#
# </details>

# %% key="leverage-code" slide="skip"
def leverages(K, lam):
    """ℓ, the diagonal of the smoother: how much the fit at each point follows it."""
    return np.diag(np.linalg.solve(K + lam * np.eye(len(K)), K))


def by_leverage(K, lam, m, rng):
    share = leverages(K, lam)
    return rng.choice(len(K), m, replace=False, p=share / share.sum())

# %% key="landmarks-figure" hide="input"
flights = measured("ch10_flights")
rng, valley = np.random.default_rng(0), (land.X < 7).all(axis=1)
flown = np.concatenate(
    [rng.choice(np.flatnonzero(at), k, False) for at, k in ((valley, 900), (~valley, 100))]
)
X_f, bell = land.X[flown], Gaussian(1.4)
leverage = leverages(bell(X_f), 0.1)
ways, counts = ("by lot", "leverage", "pivots", "k-means"), (25, 50, 100, 200)
fig, (left, alike, by_land) = plt.subplots(1, 3, figsize=(10.4, 4.1), width_ratios=[1.1, 1, 1])
left.scatter(*X_f.T, s=2 + 45 * leverage, facecolors="none", edgecolors="black", linewidths=0.5)
left.set(xlabel="east (km)", ylabel="north (km)", aspect="equal", title="area: leverage")
for i, how in enumerate(ways):
    style = {"marker": "os^D"[i], "label": how, **cycle(i)}
    alike.plot(counts, [np.median(flights[f"{m} {how}"]) for m in counts], **style)
    less = [flights[f"{m} by lot by land"] - flights[f"{m} {how} by land"] for m in counts]
    gained = np.median(less, axis=1)
    by_land.plot(counts, gained, **style)
alike.axhline(np.median(flights["all"]), label="all 1000", **dots)
alike.set(xlabel="landmarks m", ylabel="error on the whole map (m)", title="errors count alike")
by_land.set(xlabel="landmarks m", ylabel="error less than by lot (m)", title="errors count by land")
fig.legend(*alike.get_legend_handles_labels(), loc="outside lower center", ncols=5)
show(
    fig,
    alt="Left, the places of 1000 readings, a dense square in the south-west corner drawn as tiny "
    "discs and 100 scattered ones drawn large: they have the leverage. Then two panels against m, "
    "medians of 60 flights. Where leave-one-out errors count alike, the errors by lot stay above "
    "150 m, k-means begins at 121, the others end at 131 to 142, and all 1000 readings have 135. "
    "Where errors count by land, the last panel has by how much the others err less: 1 or "
    "2 m at 25 landmarks, 6 to 8 at 50, 6 at 100, 2 at 200, nearly the same for all three.",
    answer="Leverage, and four ways to choose",
)

# %% [markdown] key="landmarks-panels"
# <details><summary><b>How to read the panels</b></summary>
#
# Left, discs as large as leverages. Then the same four ways twice: tuned where each error counts alike, and where it counts for its land.
#
# </details>
#
# <!-- slide
# Left, discs as large as leverages. Then the same four ways twice: tuned where each error counts alike, and where it counts for its land.
# -->

# %% [markdown] key="landmarks-reading" slide="subslide"
# <details><summary><b>By which factor, and who errs least</b> (open this once you have written down your answer)</summary>
#
# 1. The mean leverage is 0.048 in the valley and 0.80 outside. The factor is 16, a mean of sixty flights; errors are medians.
# 2. Pivots err least, 131 m, although the large factor belongs to leverage. They are ahead of k-means on 35 flights of sixty, by 4.2 ± 1.2 m, and of leverage on 49.
#
# The middle panel shows why no choice of landmarks is enough. Where leave-one-out errors count alike, nine in ten of them stand in the valley, and they choose narrow bells. Then 200 landmarks by lot err by 154 m on the whole map, and the three others by 131 to 142. **With 200 landmarks each of the three was ahead of the lot on 59 of sixty flights or all.** Few centres choose wide bells, more of them narrow ones: 25 of them err by 121 m, and 200 by 135.
#
# </details>
#
# <details><summary><b>And if each error counts for the <i>land</i> that its reading stands for?</b></summary>
#
# Then wide bells are chosen, and 200 landmarks by lot err by 111.5 m. **By lot, but tuned for the land, they were ahead of each of the others, tuned for the valley, on 55 flights or more.** Is it the width that does it, or $\lambda$? On sixty other flights, with 200 by lot, each was changed alone:
#
# | error (m) | $\lambda$: alike | $\lambda$: by land |
# |---|---|---|
# | width: alike | 153 | 154 |
# | width: by land | 119, at worst 519 | 111, at worst 155 |
#
# It is the width, above all: it alone is ahead of $\lambda$ alone on fifty of the sixty.
#
# **Which landmarks then?** The last panel has what each way gains on the lot. Once errors count by land, landmarks matter at 50 (6 to 8 m, on 53 flights or more) and 100; at 25 and at 200 each gains 1 to 4 m on average, leverage at 25 nothing that sixty flights could see.
#
# </details>
#
# <!-- slide
# - In the valley 0.048, outside 0.80: 16 times.
# - $m=200$, errors count alike: pivots 131 m, by lot 154, the others between.
# - By land, by lot: 111.5. **The width, above all.**
# -->

# %% [markdown] key="landmarks-digits" slide="subslide"
# **And where nobody is left out?** **Predict first:** 100 landmarks for 1000 digits, by lot, by leverage, each the farthest from those before it, or k-means centres. Does it matter there which ones?

# %% [markdown] key="landmarks-digits-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask first what the flight had that the digits have not. A likely answer: a crowd; so the lot should do.
#
# </details>

# %% [markdown] key="landmarks-digits-reading" slide="fragment"
# <details><summary><b>A hundred landmarks for the digits</b> (open this once you have written down your answer)</summary>
#
# | per cent wrong | $\sigma=1$ | $\sigma=2$ |
# |---|---|---|
# | by lot | 6.1 | 3.3 |
# | by leverage ($\lambda=0.1$), less than by lot | 0.1 ± 0.2 | 0.1 ± 0.1 |
# | each the farthest from those before it | 3.5 | 2.4 |
# | k-means centres, from a start by lot | 2.6 | 2.2 |
#
# Leverage gains nothing that sixty splits could see. **A hundred centres beat a hundred landmarks by lot on each of sixty splits, with either width.** Two things may help centres: they are spread out, and they stand between the digits.
#
# - Spread digits alone have most of it. With $\sigma=1$ their Gram matrix errs more, by 0.63 of its size, by lot it is 0.50.
# - Centres moved to the nearest digit lose a third of the gain, with $\sigma=2$ nearly half.
#
# </details>
#
# <!-- slide
# It does: 6.1 per cent wrong by lot with $\sigma=1$, and 2.6 with k-means centres, ahead on each of 60 splits. Spread digits alone have most of it: 3.5. Leverage gains nothing that 60 splits could see.
# -->

# %% key="landmarks-verify" slide="skip" hide="input"
measured("ch10_flights", "flights-leverage", "flights-pivots", "flights-k-means")
measured("ch10_flights", "flights-leverage-50", "flights-pivots-50", "flights-k-means-50")
measured("ch10_flights", "flights-leverage-100", "flights-pivots-100", "flights-k-means-100")
measured("ch10_flights", "flights-wide", "flights-wide-error")
measured("ch10_flights", "flights-width-leverage", "flights-width-pivots", "flights-width-k-means")
hundred = measured("ch10_landmarks", "centres-narrow", "centres-wide", "spread", "between")
measured("ch10_landmarks", "spread-wide", "between-wide", "spread-gram")
verify("kcourse has the same leverages", leverage, leverage_scores(bell, X_f, lam=0.1))
for how, told in (("leverage", 49), ("k-means", 35)):
    verify(f"pivots ahead of {how}", np.sum(flights["200 pivots"] < flights[f"200 {how}"]), told)
verify("leverage in the valley", flights["valley"].mean(), "0.048")
verify("... outside", flights["outside"].mean(), "0.80")
verify("... times", (flights["outside"] / flights["valley"]).mean(), "16")
for name, *told in (
    ("all", "135", "110"),
    ("200 by lot", "154", "111.5"),
):
    for rule, metres in zip(("", " by land"), told, strict=True):
        verify(f"{name}{rule} (m)", np.median(flights[f"{name}{rule}"]), metres)
for rule, span in (("", (131, 142)), (" by land", (109, 110))):
    others = [np.median(flights[f"200 {how}{rule}"]) for how in ways[1:]]
    verify(f"the others, 200{rule} (m)", np.round([min(others), max(others)]), span)
for m, span in ((25, (1, 2)), (50, (6, 8)), (100, (6, 6)), (200, (2, 2))):
    lots_of = flights[f"{m} by lot by land"]
    gains = [np.median(lots_of - flights[f"{m} {how} by land"]) for how in ways[1:]]
    verify(f"{m} by land: gains (m)", np.round([min(gains), max(gains)]), span)
for m, metres in ((25, "121"), (200, "135")):
    verify(f"{m} centres (m)", np.median(flights[f"{m} k-means"]), metres)
rules = measured("ch10_flight_rules", "flights-rule")
for name, metres in (
    ("width alike and λ alike", "153"),
    ("width by land and λ alike", "119"),
    ("width alike and λ by land", "154"),
    ("width by land and λ by land", "111"),
):
    verify(f"{name} (m)", np.median(rules[name]), metres)
verify("25 lots, by land", np.median(flights["25 by lot by land"]), "118")
for name, metres in (("λ alike", "519"), ("λ by land", "155")):
    verify(f"width by land and {name}, at worst", rules[f"width by land and {name}"].max(), metres)
verify(
    "leverages add up to the effective number of parameters",
    leverage.sum(),
    KernelRidge(bell, lam=0.1).fit(X_f, land.y[flown]).effective_df(),
    tol=1e-8,
)
for width, (lots_wrong, centres_wrong, lost, change, error) in {
    1.0: ("6.1", "2.6", "0.34", "0.1", "0.2"),
    2.0: ("3.3", "2.2", "0.46", "0.1", "0.1"),
}.items():
    verify(f"σ = {width}: lots (%)", hundred[f"wrong with by lot at {width}"].mean(), lots_wrong)
    verify("100 centres (%)", hundred[f"wrong with k-means at {width}"].mean(), centres_wrong)
    at_digits = hundred[f"wrong with the digits nearest to centres at {width}"]
    spread_out = hundred[f"wrong with the farthest digits at {width}"]
    verify("the farthest (%)", spread_out.mean(), {1.0: "3.5", 2.0: "2.4"}[width])
    by_lot, by_centre = (hundred[f"wrong with {how} at {width}"] for how in ("by lot", "k-means"))
    gain = (by_lot - by_centre).mean()
    verify("... most of the gain", (by_lot - spread_out).mean() > gain / 2)
    verify("moved to the nearest digit: lost of it", (at_digits - by_centre).mean() / gain, lost)
    moved = hundred[f"wrong with by lot at {width}"] - hundred[f"wrong with leverage at {width}"]
    verify("by leverage, the change (%)", abs(moved.mean()), change)
    verify("... and its error", moved.std(ddof=1) / np.sqrt(60), error)
verify("Gram matrix, 100 by lot", hundred["by lot at 1.0"].mean(), "0.50")
verify("... the farthest", hundred["the farthest digits at 1.0"].mean(), "0.63")

# %% key="landmarks-verify-2" slide="skip" hide="input"
measured("ch10_flights", "flights-pivots-centres")
ahead = flights["200 k-means"] - flights["200 pivots"]
verify("pivots ahead of k-means, of sixty", np.sum(ahead > 0), "35")
verify("... by (m)", ahead.mean(), "4.2")
verify("... and its error", ahead.std(ddof=1) / np.sqrt(60), "1.2")
gain = flights["25 by lot by land"] - flights["25 leverage by land"]
error = gain.std(ddof=1) / np.sqrt(60)
verify("25, leverage: within 1.5 standard errors", gain.mean() < 1.5 * error)
few_and_many = [
    (flights[f"{m} by lot by land"] - flights[f"{m} {how} by land"]).mean()
    for m in (25, 200)
    for how in ways[1:]
]
verify("25 and 200: gains (m)", np.round([min(few_and_many), max(few_and_many)]), [1, 4])

# %% [markdown] key="bochner" slide="slide"
# ## Cosines by chance
#
# Landmarks look at the data. The other way does not even do that.
#
# **Bochner's theorem** (stated, not proved here): a real continuous function $k(x-z)$ on $\mathbb R^d$ with $k(0)=1$ is a kernel *if and only if* there is a distribution of frequencies $\omega$ with
#
# $$k(x-z)=\mathbf E\cos\omega^\top(x-z). \tag{5}$$
#
# That such averages *are* kernels takes one line, $\cos(a-b)=\cos a\cos b+\sin a\sin b$: an average of inner products. For the Gaussian kernel of width $\sigma$ the distribution is
#
# $$\omega\sim\mathcal N(0,I/\sigma^2)$$
#
# since $e^{-\|u\|^2/(2\sigma^2)}$ is the characteristic function of this normal distribution. So narrow kernels have high frequencies. In scikit-learn's letters the variance of each is $2\gamma$, not $\gamma$. For the exponential $e^{-\|x-z\|/\sigma}$ of chapter 2 it is Cauchy's distribution of width $1/\sigma$ (Student's with one degree of freedom, where $d>1$): heavy tails, since the kernel has a kink.
#
# <!-- slide
# Landmarks look at the data. The other way does not.
#
# **Bochner:** a continuous $k(x-z)$ with $k(0)=1$ is a kernel if and only if, for some distribution of $\omega$,
#
# $$k(x-z)=\mathbf E\cos\omega^\top(x-z) \tag{5}$$
#
# Gaussian of width $\sigma$: $\omega\sim\mathcal N(0,I/\sigma^2)$. In scikit-learn's letters the variance is $2\gamma$, not $\gamma$.
# -->

# %% [markdown] key="bochner-read" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Which width has high frequencies?
#
# </details>

# %% [markdown] key="features" slide="subslide"
# **Step 5.** What is an average, a mean of some draws estimates. Replace the average by it, and each cosine by its two products: *random Fourier features*. Two kinds are in use, both with $D$ features:
#
# - **pairs**: $\varphi(x)=\sqrt{2/D}\,(\cos\omega_1^\top x,\ \sin\omega_1^\top x,\dots)$, with $D/2$ frequencies;
# - **phases**: $\varphi(x)=\sqrt{2/D}\,\big(\cos(\omega_1^\top x+b_1),\dots\big)$, with $D$ frequencies and $b_j$ uniform in $[0,2\pi)$: since $2\cos(u+b)\cos(v+b)=\cos(u-v)+\cos(u+v+2b)$, and the last term averages to 0.
#
# Nobody asks where the data are: only $d$ and $\sigma$ matter. For example 400 waves, and ridge regression on them for 5000 heights:

# %% [markdown] key="features-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Pairs at the board for one frequency: cos a cos b + sin a sin b.
#
# </details>

# %% key="features-verify" slide="subslide"
rng, sigma, D = np.random.default_rng(0), 1.5, 400
omega = rng.normal(size=(2, D // 2)) / sigma  # variance 1/σ²


def waves(X):
    """Pairs: φ(x) for each row."""
    u = X @ omega
    return np.sqrt(2 / D) * np.hstack([np.cos(u), np.sin(u)])


F, at = waves(X[:5000]), test[:5000]
w = np.linalg.solve(F.T @ F + 0.1 * np.eye(D), F.T @ y[:5000])
print(f"off by {rms(waves(land.X[at]) @ w, at):.0f} m")

# %% [markdown] key="features-reading"
# 400 numbers for each place, drawn before anybody looked at the mountains, bring the error from 162 m, with which the mean height errs, to 72. How good is the kernel that they stand for?
#
# <!-- slide
# From 162 m, with which the mean height errs, to 72.
# -->

# %% key="features-law" slide="skip" hide="input"
theirs = RandomFourierFeatures(Gaussian(sigma), n_features=D).fit(X[:9])
verify("kcourse's features are these", theirs.frequencies_.shape, omega.shape)
once = waves(X[:5]) @ waves(X[:5]).T
verify("φ(x)ᵀφ(z) is a mean of cosines", once[0, 1], np.cos(omega.T @ (X[0] - X[1])).mean())
x, z, sigma = np.array([0.3, -1.0, 0.5]), np.array([1.0, 0.2, 0.1]), 1.3
omega = rng.normal(size=(200_000, 3)) / sigma
k_xz = Gaussian(sigma)(x[None], z[None])[0, 0]
verify("(5), to three standard errors", np.cos(omega @ (x - z)).mean(), k_xz, tol=4e-3)

# %% [markdown] key="variance" slide="subslide"
# **Step 6. How far off?** A mean of independent draws is off by its variance, so find that of one draw. Write $u=\omega^\top(x-z)$, and $k$ for $k(x,z)$ of the Gaussian kernel.
#
# - *One cosine.* $\cos^2u=\tfrac12(1+\cos2u)$. Here $\mathbf E\cos2u=k^4$, because twice the distance raises a Gaussian to the fourth power. So its variance is $\tfrac12(1+k^4)-k^2=\tfrac12(1-k^2)^2$. Pairs average $D/2$ of these.
# - *With a phase* comes the extra term $\cos(\omega^\top(x+z)+2b)$. Fix $\omega$ and average over $b$: its mean is 0, that of its square $\tfrac12$, and that of its product with $\cos u$, in which no $b$ occurs, 0. So the two are uncorrelated, and their variances add up. Phases average $D$ of these.
#
# $$\text{pairs:}\ \ \frac{(1-k^2)^2}{D},\qquad\text{phases:}\ \ \frac{1+\frac12k^4-k^2}{D}. \tag{6}$$
#
# **Predict first.** At which distance are the two most different? And what is $\varphi(x)^\top\varphi(x)$, which should be 1?
#
# <!-- slide
# **Step 6. How far off?** One cosine has the variance $\tfrac12(1+k^4)-k^2=\tfrac12(1-k^2)^2$. Pairs average $D/2$; phases $D$, with an extra term of variance $\tfrac12$, uncorrelated with the first (average over $b$):
#
# $$\text{pairs:}\ \frac{(1-k^2)^2}{D},\qquad\text{phases:}\ \frac{1+\frac12k^4-k^2}{D} \tag{6}$$
#
# **Predict first.** Where do they differ most? And what is $\varphi(x)^\top\varphi(x)$?
# -->

# %% [markdown] key="bochner-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Do the variance at the board; the only trick is k(2δ) = k⁴. Ask: in which formula does the dimension of x occur? (In none. What counts is how far points are apart, in widths; watch for this when the digits come.) Answer to the question on the slide: at distance 0. There pairs are exact, cos² + sin² = 1, and phases have the variance 1/(2D). The variance of ω is 1/σ², not σ², and not γ; scikit-learn's own sampler had that wrong for a while, and its test did not see it.
#
# </details>

# %% key="variance-measure" hide="input" slide="subslide"
D, draws = 200, 1500
pair = np.array([[0.0, 0.0], [0.6 * sigma, 0.8 * sigma]])  # one width apart
k_1 = np.exp(-0.5)
theory = {"pairs": (1 - k_1**2) ** 2 / D, "phases": (1 + k_1**4 / 2 - k_1**2) / D}
variances, means = {}, {}
for kind in theory:
    products = []
    for seed in range(draws):
        model = RandomFourierFeatures(
            Gaussian(sigma), n_features=D, paired=kind == "pairs", rng=seed
        )
        one, other = model.fit_transform(pair)
        products.append(one @ other)
    means[kind], variances[kind] = np.mean(products), np.var(products)
table(
    f"D = {D}, two points one width apart, {draws} draws; kernel {k_1:.4f}",
    {"features": "", "mean": ".3f", "variance, measured": ".1e", "variance, (6)": ".1e"},
    {kind: (means[kind], variances[kind], value) for kind, value in theory.items()},
    answer="The kernel by chance",
)

# %% [markdown] key="variance-reading"
# <details><summary><b>Which to take</b> (open this once you have written down your answer)</summary>
#
# Both are right on average. For the same price phases have, one width away, 1.75 times the variance. They differ by $(k^2-\frac12k^4)/D$, most at distance 0: pairs are exact there, $\varphi(x)^\top\varphi(x)=\cos^2+\sin^2=1$, and phases have the variance $1/(2D)$. So, to *estimate* $k$, take pairs.
#
# To *predict*? Phases have twice as many frequencies, for as many features. With 320, width and $\lambda$ by leave-one-out, **phases had fewer digits wrong on 39 of sixty splits, pairs on 15**: 2.0 per cent, and 2.2. With 80 neither was ahead, nor on the mountains. In a vote of all pairs of digits phases were behind by 0.17 ± 0.09 per cent, which sixty splits do not tell from nothing. Why the better estimate need not predict better, the second figure with sliders says.
#
# </details>
#
# <!-- slide
# <details><summary><b>Which to take</b></summary>
#
# To *estimate* $k$: pairs, exact at distance 0. To predict? Phases have twice as many *frequencies*: 320 had 2.0 per cent of the digits wrong, pairs 2.2; on the mountains nobody was ahead.
#
# </details>
# -->

# %% key="variance-verify" slide="skip" hide="input"
for kind, value in theory.items():
    sure = 4 * np.sqrt(2 / draws)  # four standard errors of a variance
    verify(f"{kind}: variance as in (6)", variances[kind] / value, 1, tol=sure)
    verify(f"{kind}: the mean is k", means[kind], k_1, tol=4 * np.sqrt(value / draws))
kinds = measured("ch10_kinds", "phases-320")
by_kind = [kinds[f"digits with 320 {kind}"] for kind in ("pairs", "phases")]
verify("pairs ahead, of sixty", np.sum(by_kind[0] < by_kind[1]), "15")
for kind, told in (("pairs", "2.2"), ("phases", "2.0")):
    verify(f"320 {kind}: wrong (%)", kinds[f"digits with 320 {kind}"].mean(), told)
for where in ("digits with 80", "map with 80", "map with 320"):
    apart = kinds[f"{where} pairs"] - kinds[f"{where} phases"]
    error = apart.std(ddof=1) / np.sqrt(60)
    verify(f"{where}: nobody ahead, within 1.5 standard errors", abs(apart.mean()) < 1.5 * error)
verify("1.75 times the variance", 1.7 < theory["phases"] / theory["pairs"] < 1.8)
g, h = rng.normal(size=(200_000, 2)), rng.normal(size=(200_000, 1))
student = g / np.abs(h) / 1.7  # one degree of freedom, width 1/1.7
by_student = np.cos(student @ [0.6, 0.8]).mean()
verify("Student's frequencies: the exponential", by_student, np.exp(-1 / 1.7), tol=5e-3)
u, both, turn = omega @ (x - z), omega @ (x + z), rng.uniform(0, 2 * np.pi, len(omega))
extra, sure = np.cos(both + 2 * turn), 4 / np.sqrt(len(omega))
once, other = np.cos(omega @ x + turn), np.cos(omega @ z + turn)
verify("two cosines with a phase: cos u and the extra term", 2 * once * other, np.cos(u) + extra)
verify("the extra term: mean 0", abs(extra.mean()) < sure)
verify("... mean square ½", abs(np.mean(extra**2) - 0.5) < sure)
verify("... uncorrelated with cos u", abs(np.mean(extra * np.cos(u))) < sure)
verify("E cos² is (1 + k⁴)/2", np.mean(np.cos(omega @ (x - z)) ** 2), (1 + k_xz**4) / 2, tol=4e-3)
second = RandomFourierFeatures(Gaussian(sigma), n_features=10, rng=1).fit_transform(pair)
verify("pairs: φ(x)ᵀφ(x) is 1", np.sum(second**2, axis=1), 1.0)
sampled = Gaussian(1 / np.sqrt(2 * 0.37))  # scikit-learn's gamma = 0.37
spread_of = RandomFourierFeatures(sampled, n_features=200_000).fit(pair).frequencies_.var()
verify("the variance of ω is 2γ", spread_of, 2 * 0.37, tol=0.01)
del g, h, student, u, both, turn, extra, once, other

# %% [markdown] key="frequencies" slide="slide"
# ## Play: draw again
#
# **Predict first.** On the left the kernel (dashed) and what ten random features make of it (solid), against the distance; on the right their frequencies. Each draw that you make stays in the picture, in grey.
#
# 1. Draw twenty times. Where will the estimates never differ? And far out, where $k$ is nearly 0: will they all be small there?
# 2. You want them to differ a quarter as much. How many features instead of 10?
# 3. Ten features with *phases*: what changes at distance 0, and what far out?

# %% [markdown] key="frequencies-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Move the slider draw by draw: the room sees a band arise. Ask before the first whether it will close far out; a likely answer is yes, since where k is 0 there is nothing to get wrong. Then ask what an estimate of -0.4 would mean for a kernel that is never negative: two points far apart that are made opposite to each other, and with n points there are n of them in each row. That is what “When each fails” is about.
#
# </details>

# %% key="frequencies-figure" hide="input"
KINDS = ("pairs", "phases")


def estimate(seed, D, kind, u):
    """φ(x)ᵀφ(z) for z = x + u, in units of σ, x = 0; and the frequencies."""
    model = RandomFourierFeatures(Gaussian(1.0), n_features=D, paired=kind == "pairs", rng=seed)
    F = model.fit_transform(u[:, None])
    return F @ F[0], model.frequencies_[0]


FEATURES = {
    f"{D} {how} {kind}": (D, kind)
    for how, kind in (("in", "pairs"), ("with", "phases"))
    for D in (10, 160)
}
redrawn = frequencies_explorer(estimate, FEATURES, 20)

# %% [markdown] key="frequencies-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# 1. At distance 0 pairs never differ: all cosines are 1 there. **Far out they never come to rest:** four widths away, where $k$ is 0.0003, twenty draws go from -0.47 to 0.44. The estimate is a mean of cosines that have lost touch with each other; no single one of them is small. By (6) its standard deviation is $1/\sqrt D$ there, 0.32 for ten features.
# 2. Sixteen times as many, 160. The error falls like $1/\sqrt D$: a digit more costs a hundred times the features.
# 3. With phases the estimates differ at 0, too, by a standard deviation of $1/\sqrt{2D}=0.22$. Far out the two kinds are alike. (In the figure $x=0$ stays and $z$ moves, so the phases of one draw are the same along its curve.)
#
# </details>
#
# <!-- slide
# <details><summary><b>What just happened</b></summary>
#
# 1. At distance 0 pairs never differ. **Far out they never come to rest:** where $k$ is 0.0003, twenty draws go from -0.47 to 0.44. Standard deviation $1/\sqrt D$, 0.32 for ten features.
# 2. Sixteen times as many, 160: a digit more costs a hundred times the features.
# 3. Phases differ at 0, too: $1/\sqrt{2D}=0.22$. Far out the two kinds are alike.
#
# </details>
# -->

# %% key="frequencies-verify" slide="skip" hide="input"
verify("far out, ten features", 1 / np.sqrt(10), "0.32")
verify("phases at 0, ten features", 1 / np.sqrt(2 * 10), "0.22")
far = np.array([0.0, 4.0])
swing = {
    (kind, D): np.std([estimate(s, D, kind, far)[0] for s in range(400)], axis=0)
    for kind in KINDS
    for D in (10, 160)
}
twenty = np.array([estimate(seed, 10, "pairs", far)[0] for seed in range(1, 21)])
verify("the kernel four widths away", np.exp(-(4**2) / 2), "0.0003")
verify("twenty draws, at 0", np.ptp(twenty[:, 0]), 0, tol=1e-9)
verify("... four widths away, the least", twenty[:, 1].min(), "-0.47")
verify("... and the greatest", twenty[:, 1].max(), "0.44")
verify("measured far out", swing["pairs", 10][1], 0.32, tol=0.03)
verify("measured at 0, phases", swing["phases", 10][0], 0.22, tol=0.03)
verify("a quarter with 160", 3.3 < swing["pairs", 10][1] / swing["pairs", 160][1] < 4.8)

# %% [markdown] key="compare" slide="slide"
# ## Play: three ways to afford it
#
# 1000 points; Nyström with landmarks by lot, random features (pairs), and a subsample, each at all widths, with its $\lambda$ from leave-one-out.
#
# - Right, the errors of the predictions, means of 20 draws of heights and 60 of digits, uncovered as far as you move the width.
# - Left, how far the approximated Gram matrix is off, as $\|K-\hat K\|/\|K\|$ from the squares of all entries, for one random draw of the points and one of the landmarks; for random features it is what (6) adds up to. The thin line at 1 is what $\hat K=0$ would get.
#
# The lines above the panels say both.
#
# **Predict first.**
#
# 1. Mountains, $m=80$, $\sigma=1.4$ km: as a Gram matrix random features are *worse than nothing*. Will their map be worse than Nyström's? Than that of a subsample? Then move the width there.
# 2. With all 1000 heights the best width is 1 km. Where will the best width of 320 features be, and of 20? Then uncover all.
# 3. Digits, $d=64$, $m=320$: who is last with $\sigma=1$? And with $\sigma=2$? Stop at each.
# 4. Which part of the exact fit's multiplications does a fit on 320 landmarks take? (Counted, not timed: they are the same on every machine.)
#
# <!-- slide
# 1000 points; landmarks by lot, random features, a subsample, at all widths; $\lambda$ by leave-one-out, means of 20 draws or more. **Predict first.**
#
# 1. Mountains, $m=80$, $\sigma=1.4$: as a Gram matrix random features are *worse than nothing*. And their map?
# 2. For all 1000 the best width is 1 km. For few features?
# 3. Digits, $m=320$: who is last with $\sigma=1$? With $\sigma=2$?
# 4. Which part of the exact fit's multiplications do 320 landmarks take?
# -->

# %% [markdown] key="compare-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Make them commit to question 1: the tempting answer is that a bad Gram matrix makes a bad map. Then uncover. Ask for the reason: a ridge with a small λ cares for what the features *span*, not for their inner products. Question 3 is the lesson of the whole chapter: with σ = 1 one would have written "random features fail in 64 dimensions", and it would have been a sentence about a width that nobody chose.
#
# </details>

# %% key="compare-code" slide="skip" hide="input"
SIZES = (20, 40, 80, 160, 320)
WAYS = ("{} landmarks", "{} random features", "subsample of {}")


def task(points, d, found, widths, error, unit, ticks):
    """What was measured, and Gram matrices of one draw of landmarks, random features by (7)."""
    gram = np.zeros((2, len(SIZES), len(widths)))
    for j, width in enumerate(widths):
        K = Gaussian(width)(points)
        K = K[::4]  # a fourth of the rows is enough for norms
        size, by_chance = np.linalg.norm(K), np.linalg.norm(1 - K**2)
        for i, m in enumerate(SIZES):  # the points are in random order
            F = Nystrom(Gaussian(width), landmarks=points[:m]).fit(points).transform(points)
            gram[:, i, j] = np.linalg.norm(K - F[::4] @ F.T), by_chance / np.sqrt(m)
        gram[:, :, j] /= size
    test = [
        [[found[f"{way.format(m)} at {w}"].mean() for w in widths] for m in SIZES]
        for way in WAYS
    ]
    exact = np.array([found[f"exact at {w}"].mean() for w in widths])
    return Task(1000, d, widths, gram, np.array(test), exact, error, unit, ticks)


tasks = {
    "mountains": task(
        X[:1000],
        2,
        heights_measured,
        (0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0),
        "error of the map",
        "m",
        (60, 80, 100, 130, 170),
    ),
    "digits": task(
        pixels[:1000],
        64,
        digits_measured,
        (0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0),
        "wrong digits",
        "%",
        (0.9, 2, 6, 20, 60),
    ),
}

# %% key="compare-figure" hide="input"
CASES = [*(("mountains", m) for m in (20, 80, 320)), *(("digits", m) for m in (80, 320))]
three_ways = features_explorer(tasks, SIZES, CASES, (0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0))

# %% [markdown] key="compare-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# 1. Hardly, and no. As Gram matrices they are off by 1.3 and landmarks by 0.62; as maps by 109 m and 108, the subsample's by 121. **A poor Gram matrix is not a poor predictor:** random features beat the subsample on three of four draws, and with a width of its own for each on all of twenty. (One of their maps in ten errs by more than 135 m.)
#
#    Why? A ridge with a small $\lambda$ is close to least squares, and that does not change if the features are mixed by an invertible matrix. What counts is what they *span*, not whether their inner products are $k$.
# 2. Outwards. **The fewer the features, the wider the bell,** mostly: landmarks of the mountains on every draw narrower for 320 than for 80. On these twenty draws and sixty splits leave-one-out chose
#
#    | features | 20 | 80 | 320 | all points |
#    |---|---|---|---|---|
#    | mountains, landmarks (km) | 5.6 or 8 | 2.8 to 5.6 | 1.4 or 2 | 1 |
#    | digits, landmarks | | 2 | 2 | 1.4 |
#    | digits, random features, nearly always | | 5.6 | 2.8 | |
#
#    Choose the width *with* the features, not before.
# 3. With $\sigma=1$ random features, by far: 6.1 per cent wrong, the subsample 2.8, Nyström 2.5. With $\sigma=2$ they have 2.1 and the subsample 2.6. **On a narrow width random features were behind the subsample on every split, on a good one ahead on most.** (Sixty splits.) It was the width, not $d=64$.
# 4. On the mountains a third; on the digits, where kernels cost more, two fifths. Random features in pairs, with half as many frequencies, take a third there, too. About half of $n$ features cost as much as all points: features are for $m\ll n$.
#
# </details>
#
# <details><summary><b>And with everybody's own width?</b></summary>
#
# | | landmarks | random features | subsample | all points |
# |---|---|---|---|---|
# | mountains (m), $m=80$ | 88 | 89 | 112 | 62 |
# | mountains (m), $m=320$ | 71 | 78 | 89 | 62 |
# | digits (%), $m=320$ | 1.5 | 2.2 | 2.6 | 1.0 |
#
# Landmarks lead, **with 320 features on all twenty maps and on 58 of sixty splits**.
#
# </details>
#
# <!-- slide
# <details><summary><b>What just happened</b></summary>
#
# 1. Gram matrix off by 1.3 and 0.62; map 109 m and 108, the subsample 121. **A poor Gram matrix is not a poor predictor**: what counts is what features *span*.
# 2. **The fewer the features, the wider the bell,** mostly: all points 1 km, 320 landmarks 1.4 or 2, 80 landmarks 2.8 to 5.6. (Digits: 2 for 80 landmarks *and* for 320.)
# 3. $\sigma=1$: random features 6.1 per cent wrong, subsample 2.8. $\sigma=2$: 2.1 and 2.6. It was the *width*, not $d=64$.
# 4. A third; two fifths. Features are for $m\ll n$.
#
# </details>
# -->

# %% key="compare-verify" slide="skip" hide="input"
hills, scans = tasks["mountains"], tasks["digits"]
at_80, at_320 = SIZES.index(80), SIZES.index(320)
at_1_4, narrow, good = hills.widths.index(1.4), scans.widths.index(1.0), scans.widths.index(2.0)
verify("mountains, 80: Gram, random features", hills.gram[1, at_80, at_1_4], "1.3")
verify("... Nyström", hills.gram[0, at_80, at_1_4], "0.62")
for k, told in enumerate(("108", "109", "121")):
    verify(f"... map {k + 1} (m)", hills.test[k, at_80, at_1_4], told)
F, values = RandomFourierFeatures(Gaussian(1.4), n_features=40).fit_transform(X[:300]), y[:300]
mixed = F @ np.random.default_rng(0).normal(size=(40, 40))
verify(
    "least squares does not change if features are mixed",
    mixed @ np.linalg.lstsq(mixed, values)[0] / 100,
    F @ np.linalg.lstsq(F, values)[0] / 100,
    tol=1e-6,
)
poor = measured("ch10_poor_gram", "poor-gram")
verify("one in ten errs by more than (m)", np.floor(np.quantile(poor["random features"], 0.9)), 135)
measured("ch10_heights", "poor-gram-own", "wider", "heights-320")
measured("ch10_digits", "narrow", "good", "digits-320")
for found, name, stops in (
    (heights_measured, "320 landmarks", {1.4, 2.0}),
    (heights_measured, "80 landmarks", {2.8, 4.0, 5.6}),
    (heights_measured, "20 landmarks", {5.6, 8.0}),
    (digits_measured, "320 landmarks", {2.0}),
    (digits_measured, "80 landmarks", {2.0}),
):
    verify(f"{name}: widths chosen", set(found[f"width of {name}"]) == stops)
for m, width in ((320, 2.8), (80, 5.6)):
    often = np.mean(digits_measured[f"width of {m} random features"] == width)
    verify(f"digits, {m} random features: nearly always {width}", often > 0.9)
for at, row in ((narrow, ("2.5", "6.1", "2.8")), (good, ("1.5", "2.1", "2.6"))):
    for k, told in enumerate(row):
        verify(f"digits, 320, way {k + 1} (%)", scans.test[k, at_320, at], told)
for found, m, row in (
    (heights_measured, 80, ("88", "89", "112")),
    (heights_measured, 320, ("71", "78", "89")),
    (digits_measured, 320, ("1.5", "2.2", "2.6")),
):
    for way, told in zip(WAYS, row, strict=True):
        verify(f"at its own width: {way.format(m)}", found[way.format(m)].mean(), told)
verify("all heights (m)", heights_measured["exact"].mean(), "62")
verify("all digits (%)", digits_measured["exact"].mean(), "1.0")
part = [np.divide(*t.operations(320)) for t in (hills, scans)]
verify("320 features: a third, and two fifths", part, [1 / 3, 2 / 5], tol=0.02)
n, m, d = 1000, 320, 64
pairs_take = (n * m / 2 * d + n * m**2 / 2 + m**3 / 6) / scans.operations(m)[1]
verify("features in pairs: a third there, too", pairs_take, 1 / 3, tol=0.02)
verify("about half of n costs as much", np.divide(*hills.operations(530)), 1, tol=0.05)

# %% [markdown] key="stream" slide="slide"
# ## A million readings
#
# So far all points lay in memory. They need not: what (2) asks of them are two sums, $K_{nm}^\top K_{nm}=\sum_ik_m(x_i)\,k_m(x_i)^\top$ and $K_{nm}^\top y=\sum_iy_i\,k_m(x_i)$. So the points may come in blocks, be used, and be *forgotten*. What stays has $m^2+m$ numbers, whatever $n$ is.
#
# An altimeter flies over the mountains for days. Each reading is off by 100 m (this noise we add ourselves; the heights are real). Nobody stores the readings: they are made block by block.
#
# <!-- slide
# What (2) needs of the points are two *sums*: points may come in blocks, be used, and be forgotten. What stays has $m^2+m$ numbers, whatever $n$ is.
#
# An altimeter flies for days; each reading is off by 100 m (noise of ours, heights of the mountains).
# -->

# %% key="stream-readings" slide="skip" hide="input"


def readings(n):
    """n readings in blocks of 2000, the same on each call."""
    for i in range(n // 10_000):
        rng = np.random.default_rng([7, i])
        at = rng.integers(len(X), size=10_000)
        heights = y[at] + 100 * rng.standard_normal(10_000)
        for part in range(0, 10_000, 2000):
            yield X[at[part : part + 2000]], heights[part : part + 2000]

# %% key="stream-code" slide="subslide"
kernel, lam = Gaussian(1.4), 1.0
Z = X[:500]  # landmarks by lot: X is in random order
KK, Ky = 0.0, 0.0  # the two sums
for places, heights in readings(50_000):  # used, and forgotten
    k_m = kernel(places, Z)
    KK, Ky = KK + k_m.T @ k_m, Ky + k_m.T @ heights
a = np.linalg.solve(KK + lam * kernel(Z), Ky)
parts = np.array_split(land.X[test], 20)
by_sums = np.concatenate([kernel(at, Z) @ a for at in parts])
print(f"{rms(by_sums):.0f} m")

# %% [markdown] key="stream-reading"
# The map errs by 53 m, although each reading that it learns from is off by 100.

# %% [markdown] key="stream-passes" slide="subslide"
# `NystromRidge` does the same, with landmarks drawn from the whole stream and one more pass. $K_{nm}^\top K_{nm}$ squares what is small, and rounding loses it; the pass asks the points how far the map is off, in step 4's coordinates, and corrects it:

# %% key="stream-fit"
flight = NystromRidge(
    Gaussian(1.4),
    n_landmarks=500,
    lam=1.0,
    block=25_000,
    progress=TextBar(after=0, file=sys.stdout),
)
flight.fit(partial(readings, 50_000))
print(f"{off_map(flight):.0f} m")

# %% [markdown] key="stream-memory"
# `fit` wants a *function* that opens the stream, since an iterator can be read only once. Python's own `tracemalloc` sees that the arrays of this fit together never take 40 megabytes. $K_{nm}$ would have 200, and $K$ 20 000.
#
# <!-- slide
# Never 40 megabytes of arrays. $K_{nm}$ would have 200, and $K$ 20 000.
# -->

# %% key="stream-verify" slide="skip" hide="input"
tracemalloc.start()
NystromRidge(Gaussian(1.4), n_landmarks=500, lam=1.0, block=25_000).fit(partial(readings, 30_000))
peak = tracemalloc.get_traced_memory()[1] / 1e6
tracemalloc.stop()
verify("the arrays of this fit together never take 40 megabytes", peak < 40)
del k_m
verify("K_nm: megabytes", 8 * 50_000 * 500 / 1e6, "200")
verify("K: megabytes", 8 * 50_000**2 / 1e6, "20000")
few, their_heights = (np.concatenate(parts) for parts in zip(*readings(10_000), strict=True))
k_m = kernel(few, Z)
by_few = np.linalg.solve(k_m.T @ k_m + lam * kernel(Z), k_m.T @ their_heights)
same = NystromRidge(Gaussian(1.4), landmarks=Z, lam=1.0).fit(partial(readings, 10_000))
at = land.X[test[:500]]
verify("the two sums give its map", kernel(at, Z) @ by_few / 100, same.predict(at) / 100, tol=1e-5)
del k_m

# %% [markdown] key="stream-rows" slide="subslide"
# **And a million?** The same program, run to the end by `make measure` (table `data/ch10_rows.csv`): seconds of one processor, memory of a fresh Python above what it had, error of the map. **Predict first:** what do the three do from ten thousand to a million?

# %% [markdown] key="stream-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Run the cell in JupyterLab and let them watch the bar. Ask before the panels: which of the three curves is flat, which a line? A likely answer is that the error goes on falling. Then: what would you change? (m, and then the width; with twice the bells the product takes four times as long.)
#
# </details>

# %% key="stream-rows-picture" hide="input"
rows = measured("ch10_rows")
fig, axes = plt.subplots(1, 3, figsize=(10.6, 3.4))
axes[0].plot(rows["n"], rows["seconds"], marker="o", **cycle(0))
axes[0].set(yscale="log", ylabel="seconds", title="time")
axes[0].set_yticks([0.1, 1, 10], ["0.1", "1", "10"])
axes[1].plot(rows["n"], rows["megabytes"], marker="o", **cycle(0))
axes[1].set(ylabel="megabytes", title="memory", ylim=(0, 30))
axes[2].plot(rows["n"], rows["error"], marker="o", label="500 bells", **cycle(0))
axes[2].plot(
    rows["n"], rows["error_neighbours"], marker="s", label="mean of the nearest", **cycle(1)
)
axes[2].set(ylabel="error of the map (m)", title="error", ylim=(0, 110))
axes[2].legend(loc="upper right")
for ax in axes:
    ax.set(xscale="log", xlabel="readings n")
    ax.set_xticks([1e4, 1e5, 1e6], ["10 000", "100 000", "1 000 000"])
    ax.minorticks_off()
show(
    fig,
    alt="Three panels against the number of readings, ten thousand to a million. Time grows like "
    "n to about 6 seconds. Memory stays at 14 megabytes. The error of 500 bells falls from 58 to "
    "53 m and stays; that of the mean of the nearest readings falls from 49 to 15 m.",
    answer="Time, memory, error",
)

# %% [markdown] key="stream-rows-panels"
# <details><summary><b>How to read the panels</b></summary>
#
# The bells keep none of the readings, the mean of the nearest keeps all of them.
#
# </details>
#
# <!-- slide
# The bells keep none of the readings, the mean of the nearest keeps all of them.
# -->

# %% [markdown] key="stream-rows-reading" slide="subslide"
# <details><summary><b>What stays, and what does not</b> (open this once you have written down your answer)</summary>
#
# - Time grows like $n$: a million readings in some six seconds.
# - Memory stays at 14 megabytes.
# - The error falls from 58 m to 53, and *stays*.
#
# **The wall has moved.** It was $n$; now it is $m$: what 500 bells of this width cannot say, no number of readings will teach them. A thousand bells, one kilometre wide, err by 46 m after 20 000 readings.
#
# **And in the same fourteen megabytes, without bells?** They hold 100 000 readings, with a tree to search them for each question (`cKDTree`). On twenty other flights of 100 000 readings, **the mean of the nearest 30 errs by 27 m, 500 bells by 52, and 1300 readings, solved exactly, by 76.** Whoever may keep a million errs by 15 m with the nearest 100. In two dimensions neighbours are *near*.
#
# </details>
#
# <!-- slide
# - A million readings in some six seconds and 14 megabytes.
# - The error falls from 58 m to 53 and *stays*: **the wall has moved**, from $n$ to $m$.
# - In the same memory, 100 000 readings: **nearest 30, 27 m**; 500 bells 52; 1300 readings, exactly, 76. In two dimensions neighbours are *near*.
# -->

# %% key="stream-rows-verify" slide="skip" hide="input"
grows = np.polyfit(np.log(rows["n"][1:]), np.log(rows["seconds"][1:]), 1)[0]
verify("time: exponent", 0.9 < grows < 1.1)
verify("a million readings: seconds", rows["seconds"][-1], "6")
verify("memory, each time (MB)", rows["megabytes"], np.full(5, 14), tol=0.05)
verify("error: first", rows["error"][0], "58")
verify("error: last", rows["error"][-1], "53")
verify("100 000: 500 bells (m)", rows["error"][2], "54")
more = NystromRidge(Gaussian(1.0), landmarks=X[:1000], lam=1.0).fit(partial(readings, 20_000))
verify("... and a thousand, 1 km wide (m)", off_map(more), "46")
del more
verify("nearest: first and last (m)", rows["error_neighbours"][[0, -1]], [49, 15], tol=0.02)
verify("... of how many", rows["neighbours"][-1], "100")
fourteen = measured("ch10_fourteen", "fourteen-near", "fourteen-exact")
for way, told in (("nearest", "27"), ("500 bells", "52"), ("1300 exactly", "76")):
    verify(f"fourteen megabytes: {way} (m)", fourteen[way].mean(), told)
verify("... of how many", fourteen["of"], np.full(20, 30))
verify("100 000 rows and a tree: below 5 MB", measured("ch10_near")["megabytes"].max() < 5)
verify("1300² numbers: megabytes", 8 * 1300**2 / 1e6, "14", tol=0.5)

# %% [markdown] key="dask" slide="subslide"
# **The same lines on a cluster.** A sum over blocks does not care where they are summed. `executor` takes any `concurrent.futures` pool: threads, processes, or a Dask cluster's. Blocks travel out, $m^2+m$ numbers come back, and they are added in the order of the blocks: the result is the same *to the last bit* on alike machines.
#
# ```python
# from dask.distributed import Client
#
# with Client("scheduler:8786").get_executor() as cluster:
#     model = NystromRidge(Gaussian(1.4), n_landmarks=500, executor=cluster)
#     model.fit("X.npy", "y.npy")
# ```
#
# From a file, workers are sent *which rows*, and read them themselves. The tests of the course run these lines; `distributed` is not installed with it.

# %% key="dask-verify" slide="skip"
small = {"n_landmarks": 200, "lam": 1.0, "block": 2000}
here = NystromRidge(Gaussian(1.4), **small).fit(partial(readings, 10_000))
threads = sys.platform not in ("emscripten", "wasi")  # in a browser there are none
pool = ThreadPoolExecutor(2) if threads else None
elsewhere = NystromRidge(Gaussian(1.4), executor=pool, **small).fit(partial(readings, 10_000))
verify("the same to the last bit", np.array_equal(here.dual_coef_, elsewhere.dual_coef_))
if pool is not None:
    pool.shutdown()

# %% [markdown] key="maps" slide="slide"
# ## The best map for your money
#
# What 500 wide bells cannot say, more and narrower ones can. Is a map of bells then worth its price? Back to exact heights, 100 000 of them. Each method with $\lambda=0.1$ and the width that is best on places set aside; Nyström's width was chosen with 10 000 of the heights (`data/ch10_bells.csv`, one processor). **Predict first:** you have 30 megabytes. Nyström, a subsample, or neither? You have two seconds. And now?
#
# <!-- slide
# 100 000 exact heights again; $\lambda=0.1$, each method with the width that is best on places set aside.
#
# **Predict first:** you have 30 megabytes. Nyström, a subsample, or neither? You have two seconds. And now?
# -->

# %% [markdown] key="maps-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# The most honest page of the chapter; do not skip it. Ask: then what is Nyström good for? Where d is not 2: no neighbour is near, and a grid has too many cells. A page further on it is 24. (In the plane splines are small, too.)
#
# </details>

# %% key="maps-figure" hide="input"
bells = measured("ch10_bells")
bells = np.rec.fromarrays(list(bells.values()), names=list(bells))  # a row for each map
alone = bells["alone"] == 1
near = measured("ch10_near")
near_error, spent = near["nearest"].mean(), measured("ch10_near_seconds")
fig, axes = plt.subplots(1, 3, figsize=(9.4, 4.6), sharey=True)
labels_of = ("bells m", "memory (MB)", "time (s)")
for ax, column, label in zip(axes, ("m", "megabytes", "seconds"), labels_of, strict=True):
    for k, (which, name) in enumerate(((~alone, "Nyström"), (alone, "subsample"))):
        shown = which & (bells["m"] >= 200)
        ax.plot(bells[column][shown], bells["error"][shown], marker="os"[k], label=name, **cycle(k))
    ax.axhline(near_error, label="four nearest", **dots)
    ax.set(xscale="log", xlabel=label, title=f"for equal {label.split()[0]}")
for ax, at in zip(axes[1:], (near["megabytes"].mean(), spent["four nearest"][0]), strict=True):
    ax.plot(at, near_error, marker="^", color="black", markersize=9)
axes[0].set(ylabel="error of the map (m)", ylim=(0, 100))
axes[0].set_xticks([200, 800, 3200], ["200", "800", "3200"])
axes[1].set_xticks([1, 10, 100], ["1", "10", "100"])
axes[2].set_xticks([0.001, 0.1, 10], ["0.001", "0.1", "10"])
for ax in axes:
    ax.minorticks_off()
axes[0].legend(loc="upper right")
show(
    fig,
    alt="Error of the map against the number of bells, against memory and against time, for "
    "Nyström and for a subsample. For equal bells and for equal memory Nyström's curve lies "
    "below; for equal time the subsample's lies below. A dotted line far "
    "below them is the mean of the four nearest heights. Triangles on it mark their memory, below "
    "5 megabytes, and their time, below a fifth of a second with all answers.",
    answer="Errors per bell, megabyte and second",
)

# %% key="maps-table" hide="input" slide="subslide"
kept = {}
for m, flag, name in ((1600, 0, "Nyström, 1600"), (6400, 1, "subsample, 6400")):
    line = bells[(bells["m"] == m) & (bells["alone"] == flag)][0]
    kept[name] = 3 * m, line["error"]
kept["triangles through all"] = 3 * len(y), near["triangles"].mean()
kept["mean of the 4 nearest"] = 3 * len(y), near_error
kept["B-splines, 69 × 69"] = 69**2, near["splines"].mean()
columns = {"map": "", "numbers kept": ",d", "error (m)": ".0f"}
table("Five maps of the mountains", columns, kept, answer="Five maps")

# %% [markdown] key="maps-reading" slide="fragment"
# <details><summary><b>Which to take</b> (open this once you have written down your answer)</summary>
#
# **Per bell and per megabyte of the fit Nyström beats the subsample here**, 43 m against 68 with 800 bells. **Per second the subsample does**, on these data; and heights without noise are its best case:
#
# | error (m) | it takes | exact heights | off by 100 m each |
# |---|---|---|---|
# | 6400 bells, their own heights | 1.6 s, 334 MB | 27 | 51 |
# | 1600 bells that ask all 100 000 | 6 s | 31 | 34 |
# | mean of the nearest 4, or 30 | less than a fifth of a second and than 5 MB | 9 | 26 |
#
# Exact heights had $\lambda=0.1$, those off by 100 m $\lambda=1$. Widths, and how many neighbours, were chosen at places set aside: four, in 18 of twenty random draws of these places. The bells' time is that of the fit alone; the neighbours' is that of tree and answers at 33 632 places.
#
# **So neither is the best map.** Triangles through all 100 000 heights err by 6 m and the mean of the four nearest by 9. **With two seconds, too:** the four nearest take 0.07 with all answers, triangles 3, and 6400 bells need 2.5 more to answer. Triangles keep 300 000 numbers, 2.4 megabytes. A tree that finds the four, as it is stored, makes it less than 5; triangles take more while they are made. **With thirty megabytes take neither bells nor subsample.** In the plane the next height is never far, while 1600 bells stand 0.8 km apart and draw no gully of a hundred metres.
#
# Nor is a small model their case here. 69 × 69 cubic B-splines, 4761 numbers, fitted by least squares, err by 17 m.
#
# </details>
#
# <details><summary><b>Why has the third panel a kink?</b></summary>
#
# Rounding. 400 bells of 1.7 km overlap so far that $K_{mm}$ has the condition number $2\cdot10^9$. The 200 before them have $5\cdot10^5$, the 800 after them $4\cdot10^7$. So the program sums in step 4's coordinates there, one product more for each block.
#
# </details>
#
# <!-- slide
# - **Per bell, per megabyte: Nyström.** 800 bells: 43 m against 68.
# - **Per second: the subsample**, here: 27 m in 1.6 s and 334 MB. With readings off by 100 m: 51 m, Nyström's 1600 bells 34, 30 nearest 26.
# - **Neither is the best map:** triangles 6 m; four nearest 9 m, with a tree in less than 5 MB and a fifth of a second. In the plane the next height is never far.
# -->

# %% key="maps-verify" slide="skip" hide="input"


def row(m, flag):
    """What the table says of m bells."""
    return bells[(bells["m"] == m) & (bells["alone"] == flag)][0]


verify(
    "800 bells, Nyström and alone (m)", [row(800, 0)["error"], row(800, 1)["error"]], [43, 68], 0.01
)
verify("6400 alone (m)", row(6400, 1)["error"], "27")
verify("... seconds", row(6400, 1)["seconds"], "1.6")
verify("... MB", row(6400, 1)["megabytes"], "334")
by_width = measured("ch10_alone")
taken = by_width["where it is chosen"].argmin()
verify("6400 readings alone, off by 100 m each (m)", by_width["error"][taken], "51")
by_width = measured("ch10_heard")
taken = by_width["where it is chosen"].argmin()
verify("1600 bells that hear 100 000 such readings (m)", by_width["error"][taken], "34")
area = np.prod(np.ptp(land.X, axis=0))
verify("1600 bells: km from one to the next", np.sqrt(area / 1600), "0.8")
verify("1600, Nyström (m)", row(1600, 0)["error"], "31")
for m, unit, told in ((200, 1e5, "5"), (400, 1e9, "2"), (800, 1e7, "4")):
    K_mm = Gaussian(row(m, 0)["width"])(X[:m])
    verify(f"{m} bells: condition of K_mm, in {unit:g}", np.linalg.cond(K_mm) / unit, told)
verify("400 bells: the width (km)", row(400, 0)["width"], "1.7")
verify("... seconds", row(1600, 0)["seconds"], "6")
measured("ch10_near", "triangles")
verify("triangles (m)", near["triangles"].mean(), "6")
verify("nearest (m)", near_error, "9")
verify("... four of them, on so many lots of twenty", np.sum(near["neighbours"] == 4), "18")
verify("... in less than a fifth of a second", spent["four nearest"][0] < 0.2)
verify("... at how many places", len(test), "33632")
verify("four nearest: seconds", spent["four nearest"][0], "0.07")
verify("triangles: seconds", spent["triangles"][0], "3")
verify("answers of 6400 bells: seconds", spent["answers of 6400 bells"][0], "2.5")
verify("numbers kept", 3 * len(y), "300000")
verify("... megabytes", 8 * 3 * len(y) / 1e6, "2.4")
verify("... with the tree, below 5", near["megabytes"].max() < 5)
verify("the mean of the nearest 30, off by 100 m each (m)", rows["error_neighbours"][2], "26")
verify("... of 30", rows["neighbours"][2] == 30)
verify("splines (m)", near["splines"].mean(), "17")
verify("... numbers, fewer than 1600 bells have", 69**2 == 4761 < 3 * 1600)
both_kinds = [bells[bells["alone"] == flag] for flag in (0, 1)]


def beats(column):
    """Is Nyström's error below that of a subsample of equal cost, where both were measured?"""
    ours, theirs = both_kinds
    low, high = theirs[column].min(), theirs[column].max()
    at = ours[column][(ours[column] >= low) & (ours[column] <= high)]
    error = [np.interp(np.log(at), np.log(t[column]), t["error"]) for t in both_kinds]
    return error[0] < error[1]


verify("for equal bells", beats("m").all())
verify("for equal memory", beats("megabytes").all())
verify("for equal time the subsample", not beats("seconds").any())

# %% [markdown] key="holes" slide="subslide"
# **And where no neighbour is near?** A hole in the map: of 7 × 7 heights only the 24 on the rim are known, and the one in the middle is asked for. A point is now 24 numbers, the rim less its mean, and $d=24$. Learn from 20 000 holes in the west of the map, choose settings in the middle, and count errors in the east. **Predict first:** who errs least? Who errs most?
#
# - the mean of the rim;
# - a plane, ridge regression with a linear kernel: every interpolation that is linear in the 24 heights is among them;
# - the nearest neighbours, as the rims are, or *in shape*: each hole divided by the spread of its rim, plus a metre;
# - 500 landmarks, and as many random features;
# - a subsample of 2500, for which a fit costs what it costs with 500 landmarks.
#
# <!-- slide
# **And where no neighbour is near?** A hole of 7 × 7: 24 heights on the rim are known, $d=24$; the middle is asked for. 20 000 holes in the west to learn from, errors in the east.
#
# **Predict first:** mean of the rim, a plane, nearest neighbours, 500 landmarks, 500 random features, a subsample of equal cost. Who errs least? Who errs most?
# -->

# %% [markdown] key="holes-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask why two rims of 24 heights are seldom near each other where two places always are.
#
# </details>

# %% key="holes-table" hide="input" slide="fragment"
holes = measured("ch10_holes", "holes-neighbours", "holes-shape", "holes-plane", "holes-subsample")
ways_of = {
    "mean of the rim": "mean of the rim",
    "a plane": "a plane",
    "nearest neighbours": "nearest neighbours",
    "... in shape": "nearest in shape",
    "ridge on 2500 of the holes": "subsample",
    "random features, 500": "random features",
    "Nyström, 500 by lot": "landmarks",
}
apart = {key: holes[key] - holes["landmarks"] for key in ways_of.values() if key != "landmarks"}
standard = {key: gap.std(ddof=1) / np.sqrt(len(gap)) for key, gap in apart.items()}
table(
    "20 000 holes to learn from, d = 24: means of ten lots of holes",
    {"method": "", "error (m)": ".1f", "more than Nyström (m)": "{:.2f} ± {:.2f}"},
    {
        name: (holes[key].mean(), (apart[key].mean(), standard[key]) if key in apart else None)
        for name, key in ways_of.items()
    },
    answer="Seven ways to fill a hole",
)

# %% [markdown] key="holes-reading" slide="skip"
# <details><summary><b>Who errs least</b> (open this once you have written down your answer)</summary>
#
# **On each of ten lots of holes Nyström errs less than the neighbours, by 1.04 ± 0.06 m, than those in shape, by 0.43 ± 0.06, than a plane, by 0.93 ± 0.06, and than the subsample of equal cost, by 0.49 ± 0.07.** So more than half of what the neighbours lose is how they measure and scale, and not that none is near. Random features do as well: 0.02 ± 0.06. Twelve settings each, chosen by one rule.
#
# The gain is small beside 17.3 m, which the rim does not tell anybody here. And it is one map, cut once into west and east: of other mountains it says nothing.
#
# </details>

# %% key="holes-verify" slide="skip" hide="input"
verify("24 on the rim", 7**2 - 5**2, "24")
for key, told, sure in (
    ("nearest neighbours", "1.04", "0.06"),
    ("nearest in shape", "0.43", "0.06"),
    ("a plane", "0.93", "0.06"),
    ("subsample", "0.49", "0.07"),
    ("random features", "0.02", "0.06"),
):
    verify(f"{key} behind landmarks (m)", apart[key].mean(), told)
    verify("... and its error", standard[key], sure)
for key, told in {
    "landmarks": "17.3",
    "random features": "17.3",
    "subsample": "17.8",
    "a plane": "18.2",
    "nearest neighbours": "18.3",
    "nearest in shape": "17.7",
}.items():
    verify(f"a hole, {key} (m)", holes[key].mean(), told)
cost = 20_000 * 500 * 24 + 20_000 * 500**2 / 2 + 500**3 / 6
verify("2500 alone cost as much", (2500**2 * 24 / 2 + 2500**3 / 6) / cost, 1, tol=0.05)

# %% [markdown] key="fails" slide="slide"
# ## When each fails
#
# On the map neighbours were ahead. Where are features too few, whatever the data?
#
# **Narrow bells.** A landmark's bell has died away three widths on. **Predict first:** 1000 heights, 200 landmarks, $\sigma=4$ km, halved three times. What share of the diagonal of $K$ is left over?

# %% [markdown] key="fails-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask which of the two failures of this section a neural network escapes: it chooses its features from the data.
#
# </details>

# %% key="fails-table" hide="input" slide="subslide"
sample, left_over = X[:1000], {}  # whose eigenvalues the second section has
for width in (4.0, 2.0, 1.0, 0.5):
    values = spectra["mountains (σ in km)", width]
    model = Nystrom(Gaussian(width), landmarks=sample[:200]).fit(sample)
    left_over[width] = (
        np.sum(values / (values + 0.1)),
        values[200:].sum() / 10,
        100 * model.residual(sample).mean(),
    )
table(
    "1000 heights, 200 features: what is left over of the diagonal of K",
    {
        "width (km)": ".1f",
        "parameters, λ = 0.1": ".0f",
        "the best that exist (%)": ".0f",
        "landmarks by lot (%)": ".0f",
    },
    left_over,
    answer="What is left over",
)

# %% [markdown] key="fails-reading" slide="fragment"
# <details><summary><b>Why</b> (open this once you have written down your answer)</summary>
#
# What is left over grows with the effective number of parameters, the sum of all leverages (in earnest it is estimated from landmarks, for it costs $n^3$):
#
# - at 82 parameters nothing is lost;
# - at 517 landmarks lose two fifths of $K$'s diagonal, and the best features a fifth;
# - at 782 landmarks lose two thirds, and the best features a half.
#
# That is the failure of this *width*, not of the map: 320 landmarks half a kilometre wide err by 128 m, two kilometres wide by 71, all points with half a kilometre by 78. **Here, first make the bells wider.**
#
# </details>
#
# <!-- slide
# It grows with the effective number of parameters, and is the *width's* failure: 320 landmarks err by 128 m with half a kilometre, by 71 with two.
#
# **Here, first make the bells wider.**
# -->

# %% [markdown] key="fails-dimension" slide="subslide"
# **Narrow bells, once more.** (6) has no $d$ in it. Add it up over all $i$ and $j$, for features in pairs:
#
# $$\mathbf E\,\|K-\hat K\|^2=\frac1D\sum_{i,j}(1-k_{ij}^2)^2\approx\frac{n^2}D\quad\text{where most }k_{ij}\text{ are near 0}. \tag{7}$$
#
# Each random entry is small, and a row has $n$ of them; what they are measured by, $\|K\|^2$, lies between $n$ (narrow: the diagonal) and $n^2$ (wide: everything). For the digits it is $5.3\,n$ with $\sigma=1$, of which the diagonal has 19 per cent, and $127\,n$ with $\sigma=2$. **Predict first:** for a relative error of 0.1, who needs more random features at the width that is best for all points, the heights in the plane (1 km) or the digits in 64 dimensions (1.4)?
#
# <!-- slide
# **Narrow bells.** (6) has no $d$. For features in pairs, over all $i$ and $j$:
#
# $$\mathbf E\,\|K-\hat K\|^2=\frac1D\sum_{i,j}(1-k_{ij}^2)^2\approx\frac{n^2}D\quad\text{where most }k_{ij}\approx0 \tag{7}$$
#
# while $\|K\|^2$ lies between $n$ (narrow) and $n^2$ (wide). **Predict first:** a relative error of 0.1: who needs more random features, heights in the plane (1 km) or digits in 64 dimensions ($\sigma=1.4$)?
# -->

# %% [markdown] key="fails-dimension-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Let them vote. Whoever says "the digits" has 64 dimensions in mind; ask in which formula they stand.
#
# </details>

# %% key="fails-width-figure" hide="input" slide="subslide"


def features_for(K, relative):
    """D for which (7) gives this relative error."""
    return np.sum((1 - K**2) ** 2) / np.sum(K**2) / relative**2


fig, ax = plt.subplots(figsize=(7.2, 3.5))
asked, possible = {}, {}
for i, (name, points) in enumerate(sets.items()):
    for width in WIDTHS[2:]:
        asked[name, width] = features_for(Gaussian(width)(points), 0.1)
        squares = np.cumsum(spectra[name, width][::-1] ** 2)[::-1]
        possible[name, width] = int(np.argmax(squares < 0.01 * squares[0]))
    for k, found in enumerate((asked, possible)):
        way = ("random features", "the best that exist")[k]
        style = {"color": cycle(i)["color"], "linestyle": "-" if k == 0 else "--"}
        counts = [found[name, w] for w in WIDTHS[2:]]
        ax.plot(WIDTHS[2:], counts, marker="os"[i], label=f"{name.split()[0]}, {way}", **style)
ax.axhline(1000, color="#777777", linewidth=0.9)
ax.text(4.3, 1100, "n", ha="right", va="bottom")
ax.set(xscale="log", yscale="log", xlabel="width σ", ylabel="features for an error of 0.1")
ax.set_xticks([1, 2, 4], ["1", "2", "4"])
ax.set_yticks([1, 10, 100, 1000, 10_000], ["1", "10", "100", "1000", "10 000"])
ax.minorticks_off()
ax.legend(loc="lower left")
show(
    fig,
    alt="Features for a relative error of the Gram matrix of 0.1, against the width, on "
    "logarithmic axes. All curves fall. Of random features the mountains need more than n = 1000 "
    "at every width shown, the digits fewer from σ = 2 on. The best features that exist "
    "are tens of times fewer.",
    answer="Features needed",
)

# %% [markdown] key="fails-dimension-reading"
# <details><summary><b>Who needs more</b> (open this once you have written down your answer)</summary>
#
# The heights: 23 697, where the digits need 3528, and 607 with $\sigma=2$. **Dimension is not what hurts, but distances that are large beside $\sigma$.** For the digits $\sigma=1$ would ask for 18 733. At that width a digit has 2.5 others with $k>\frac12$, at $\sigma=2$ it has 95.
#
# Narrow bells cost predictions, too. **From $\sigma=2$ to 0.7 the errors of 320 random features rise from 2.1 to 30.0 per cent, those of 320 landmarks from 1.5 to 3.1.** Nyström fails more gently here (all points have 1.3), and is then no better than a subsample, 3.1.
#
# </details>
#
# <!-- slide
# The heights: 23 697. The digits: 3528, and 607 with $\sigma=2$. **Dimension is not what hurts, but distances that are large beside $\sigma$.**
#
# From $\sigma=2$ to 0.7 the errors of 320 random features rise from 2.1 to 30.0 per cent, of 320 landmarks from 1.5 to 3.1: no better than a subsample there.
# -->

# %% key="fails-verify" slide="skip" hide="input"
wide, pictures = Gaussian(1.0), pixels[:1000]
K_digits = wide(pictures)
F = [
    RandomFourierFeatures(wide, n_features=100, rng=s).fit_transform(pictures) for s in range(3)
]
off = np.mean([np.linalg.norm(K_digits - f @ f.T) for f in F]) / np.linalg.norm(K_digits)
verify("(7) at 100 features of the digits, against three draws", off,
       np.sqrt(features_for(K_digits, 1.0) / 100), tol=0.02)  # fmt: skip
verify("digits, σ = 1: ‖K‖² over n", np.sum(K_digits**2) / 1000, "5.3")
verify("... the diagonal's part (%)", 100 * 1000 / np.sum(K_digits**2), "19")
wider = Gaussian(2.0)(pictures)
verify("digits, σ = 2: ‖K‖² over n", np.sum(wider**2) / 1000, "127")
verify("others with k > ½, σ = 1", np.sum(K_digits > 0.5) / 1000 - 1, "2.5")
verify("... σ = 2", np.sum(wider > 0.5) / 1000 - 1, "95")
del wider, K_digits
verify("heights, 1 km: random features", asked["mountains (σ in km)", 1.0], "23697")
verify("digits, σ = 1.4", asked["digits", 1.4], "3528")
verify("digits, σ = 2", asked["digits", 2.0], "607")
verify("... σ = 1", asked["digits", 1.0], "18733")
least = min(asked["mountains (σ in km)", w] for w in WIDTHS[2:])
verify("heights: more than n at every width", least > 1000)
rise = measured("ch10_digits", "narrow-waves", "narrow-bells")
for name, told in (("random features", ("2.1", "30.0")), ("landmarks", ("1.5", "3.1"))):
    for width, percent in zip(("2.0", "0.7"), told, strict=True):
        verify(f"320 {name} at {width} (%)", rise[f"320 {name} at {width}"].mean(), percent)
verify("a subsample at 0.7 (%)", rise["subsample of 320 at 0.7"].mean(), "3.1")
verify("all points at 0.7 (%)", rise["exact at 0.7"].mean(), "1.3")
verify("4 km: far fewer parameters than 200", left_over[4.0][0] < 100)
verify("... and nothing is left", left_over[4.0][2] < 0.1)
verify("1 km: parameters", left_over[1.0][0], "517")
verify("half a km", left_over[0.5][0], "782")
for width, fifth, lots in ((1.0, 20, 41), (0.5, 51, 68)):
    verify(f"{width} km, left over (%): the best", round(left_over[width][1]), fifth)
    verify("... by lot", round(left_over[width][2]), lots)
verify("4 km: parameters", left_over[4.0][0], "82")
for name, off in (
    ("320 landmarks at 0.5", "128"),
    ("320 landmarks at 2.0", "71"),
    ("exact at 0.5", "78"),
):
    verify(f"{name} (m)", heights_measured[name].mean(), off)

# %% [markdown] key="modern" slide="slide"
# ## What others add today
#
# Wider bells first, then more of them. What do ten times as many cost, and can they bring error bars?
#
# **FALKON** (Rudi, Carratino and Rosasco, 2017). Our $nm^2$ is the product $K_{nm}^\top K_{nm}$. Never form it: solve (2) by conjugate gradients, where each step multiplies by $K_{nm}$ and its transpose, $2nm$. Alone that takes very many steps, because (2) is badly conditioned.
#
# But a cheap matrix is nearly the one of (2): points are about as many copies of landmarks drawn by lot, so $K_{nm}^\top K_{nm}\approx\frac nmK_{mm}^2$. This is a guess, and it may be a bad one: the solution stays that of (2), and only the number of steps depends on it.
#
# <!-- slide
# **FALKON** (Rudi, Carratino and Rosasco, 2017). Never form $K_{nm}^\top K_{nm}$: solve (2) by conjugate gradients, $2nm$ a step.
#
# Alone that takes very many: the condition number is here $5\cdot10^{10}$. But landmarks by lot stand for the points:
#
# $$K_{nm}^\top K_{nm}\approx\tfrac nmK_{mm}^2.$$
#
# A bad guess costs steps, and never the solution.
# -->

# %% [markdown] key="modern-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# What to take home: FALKON is (2) solved cleverly; inducing points are (3) with an honest error bar. Ask for the sign of the trace term, and what a landmark would do to raise the bound (go where residuals are).
#
# </details>

# %% key="falkon-steps" slide="skip" hide="input"


def steps(times, right, most=1000):
    """Steps of conjugate gradients to a residual of a millionth, at most 1000; the solution."""
    seen = []
    matrix = LinearOperator((len(right),) * 2, times, dtype=float)
    solution, _ = cg(matrix, right, rtol=1e-6, maxiter=most, callback=seen.append)
    return len(seen), solution

# %% key="falkon-code" slide="subslide"
n, m, lam, kernel = 5000, 200, 1.0, Gaussian(3.0)
K_nm, K_mm = kernel(X[:n], X[:m]), kernel(X[:m])


def left_of_2(a):  # K_nmᵀK_nm is never formed
    return K_nm.T @ (K_nm @ a) + lam * (K_mm @ a)


right = K_nm.T @ y[:n]
plain, _ = steps(left_of_2, right)  # conjugate gradients alone

# %% [markdown] key="falkon-factors" slide="subslide"
# **Two triangles.** Factor $K_{mm}=T^\top T$, and then $\frac nmTT^\top+\lambda I=R^\top R$. So
#
# $$\tfrac nmK_{mm}^2+\lambda K_{mm}=T^\top\big(\tfrac nmTT^\top+\lambda I\big)T=(RT)^\top RT. \tag{8}$$
#
# In the coordinates $u=RTa$ the matrix of (2) stands between $(RT)^{-\top}$ and $(RT)^{-1}$. That is much nearer to the identity:

# %% key="falkon-helped"
T = cholesky(K_mm + 1e-9 * np.eye(m))  # above rounding
R = cholesky(n / m * T @ T.T + lam * np.eye(m))
to_a = partial(solve_triangular, R @ T)
back = partial(solve_triangular, R @ T, trans=1)
helped, u = steps(lambda u: back(left_of_2(to_a(u))), back(right))
verify("saves more than nine steps of ten", helped < plain / 10)

# %% [markdown] key="falkon-reading"
# $T$ alone is step 4, and saves most of the steps. $R$ pays where bells are wide, as here: the condition number falls from $5\cdot10^{10}$ to 280 by the first, to 57 by both.
#
# <!-- slide
# The condition number: 280 by $T$ alone, which is step 4, and 57 by both.
# -->

# %% key="falkon-verify" slide="skip" hide="input"
half, _ = steps(
    lambda v: solve_triangular(T, K_nm.T @ (K_nm @ solve_triangular(T, v)), trans=1) + lam * v,
    solve_triangular(T, right, trans=1),
)
verify("both factors: fewer than half the steps of the first alone", helped < half / 2)
verify("the first alone saves more than nine of ten", half < plain / 10)
exact = NystromRidge(kernel, landmarks=X[:m], lam=lam).fit(X[:n], y[:n])
verify("the same map", K_nm @ to_a(u) / 100, exact.predict(X[:n]) / 100, tol=1e-3)
M, cheap = K_nm.T @ K_nm + lam * K_mm, n / m * K_mm @ K_mm + lam * K_mm
verify("(8)", (R @ T).T @ (R @ T), cheap, tol=1e-8)
M_1 = solve_triangular(T, solve_triangular(T, M, trans=1).T, trans=1)
M_2 = solve_triangular(R, solve_triangular(R, M_1, trans=1).T, trans=1)
verify("condition number of (2), in units of 10¹⁰", np.linalg.cond(M) / 1e10, "5")
verify("... with the first factor, to two digits", np.linalg.cond(M_1), 280, tol=0.02)
verify("... with both", np.linalg.cond(M_2), "57")

# %% [markdown] key="modern-2" slide="subslide"
# With $m$ of the order of $\sqrt n\log n$ FALKON loses nothing in the rate at which the error falls. Its authors prove that under hypotheses on $f$ and the kernel; nothing says that the mountains fulfil them. On graphics processors it has been run with a thousand million points (Meanti and others, 2020).
#
# **The other name.** Gaussian processes call landmarks *inducing points* (Titsias, 2009; in small batches: Hensman, Fusi and Lawrence, 2013). To a Gaussian process (chapter 4), $\hat k$ instead of $k$ does something bad. Far from all landmarks its features are nearly 0, and so is its error bar, *where it knows least*. The repair has two parts: $k(x,x)-\hat k(x,x)$ is added back, and the landmarks themselves are learnt. They raise a lower bound of the evidence, with $\sigma_n^2$ the variance of the noise, which charges for what they leave over:
#
# $$\log p(y)\ \ge\ \log\mathcal N(y;0,\hat K+\sigma_n^2I)-\frac1{2\sigma_n^2}\operatorname{tr}(K-\hat K). \tag{9}$$
#
# **Others** keep $k$ exact and multiply by $K$ in blocks on graphics processors, with conjugate gradients. And **networks** learn their features from the data, labels included; ours asked $y$ for the width at most.
#
# <!-- slide
# **FALKON** loses nothing in the rate with $m\approx\sqrt n\log n$, under hypotheses; graphics processors; a thousand million points.
#
# *Inducing points:* with $\hat k$ a Gaussian process has an error bar near 0 *where it knows least*. Add $k-\hat k$ back, and learn the landmarks:
#
# $$\log p(y)\ge\log\mathcal N(y;0,\hat K+\sigma_n^2I)-\tfrac1{2\sigma_n^2}\operatorname{tr}(K-\hat K) \tag{9}$$
#
# **Exact, in blocks,** on graphics processors. **Networks** learn their features.
# -->

# %% key="modern-verify" slide="skip" hide="input"
noise, few_x, few_y = 25.0**2, X[:300], y[:300]
prior = 150.0**2 * Gaussian(2.0)
process = GaussianProcess(prior, noise_variance=noise).fit(few_x, few_y)
inducing = Nystrom(prior, landmarks=few_x[:40]).fit(few_x)
F = inducing.transform(few_x)
nowhere = np.array([[200.0, 200.0]])
exact_sd = process.predict(nowhere, return_std=True)[1][0]
phi = inducing.transform(nowhere)[0]
verify("far away: the exact error bar (m)", exact_sd, 150.0)
verify("far away: Nyström's", noise * phi @ np.linalg.solve(F.T @ F + noise * np.eye(40), phi), 0)
verify("what is added back", inducing.residual(nowhere)[0], 150.0**2)


def log_normal(values, C):
    return -0.5 * (values @ np.linalg.solve(C, values) + np.linalg.slogdet(2 * np.pi * C)[1])


evidence = log_normal(few_y, prior(few_x) + noise * np.eye(300))
bound = log_normal(few_y, F @ F.T + noise * np.eye(300)) - inducing.residual(few_x).sum() / (
    2 * noise
)
verify("(9): a lower bound", bound < evidence)
verify("the exact evidence is chapter 4's", evidence, process.log_marginal_likelihood(), tol=1e-9)
all_in = Nystrom(prior, landmarks=few_x).fit(few_x)
F = all_in.transform(few_x)
at_all = log_normal(few_y, F @ F.T + noise * np.eye(300)) - all_in.residual(few_x).sum() / (
    2 * noise
)
verify("... an equality with all points as landmarks", at_all, evidence, tol=1e-6)

# %% [markdown] key="find-error" slide="slide"
# ## Find the error
#
# A colleague's program, Gaussian kernel, $\sigma$ and $\lambda$ as in this course. It runs, and its map looks like a map. **Read before you go on: there are four mistakes.**
#
# ```python
# gamma = 1 / (2 * sigma**2)
# W = rng.normal(scale=np.sqrt(gamma), size=(D, d))     # frequencies
#
# def features(X):
#     W_X = rng.permutation(W) @ X.T
#     return np.hstack([np.cos(W_X).T, np.sin(W_X).T]) / np.sqrt(2 * D)
#
# F = features(X)
# v = np.linalg.solve(F.T @ F + lam * n * np.eye(2 * D), F.T @ y)
# f = features(X_new) @ v
# ```

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask for each: would the training error show it? (As F @ v, none of the four; as features(X) @ v, the permutation, and badly: the columns of the second call are in another order.) Which would leave a plausible map? (The first, with σ√2 for σ; the last, with n times the λ.) How would one test the first? (k at one distance, with a million draws: three standard errors, not 20 per cent.)
#
# </details>

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What is wrong</b> (open this once you have written down your answers)</summary>
#
# 1. **The variance of the frequencies is $2\gamma=1/\sigma^2$,** not $\gamma$: this kernel is $\sqrt2$ times too wide. scikit-learn's `RBFSampler` had this mistake, with a test whose tolerance did not see it.
# 2. **The features must be the same for all points.** A new permutation in each call exchanges columns between training and use.
# 3. **The factor:** $D$ frequencies in pairs make $2D$ features, so it is $\sqrt{2/(2D)}=1/\sqrt D$; as written $\varphi(x)^\top\varphi(x)=\tfrac12$.
# 4. **$\lambda$ stands beside the *sum* of squares.** `lam * n` is the convention of the mean.
#
# </details>

# %% key="find-error-verify" slide="skip" hide="input"
sigma, frequencies = 1.5, np.random.default_rng(1)


def mean_cosine(variance):
    return np.cos(np.sqrt(variance) * frequencies.normal(size=200_000) * sigma).mean()


gamma = 1 / (2 * sigma**2)
verify("1: 2γ gives k one width away", mean_cosine(2 * gamma), np.exp(-0.5), tol=5e-3)
too_wide = Gaussian(np.sqrt(2) * sigma)([[0.0]], [[sigma]])[0, 0]
verify("1: γ gives the kernel of √2 σ", mean_cosine(gamma), too_wide, tol=5e-3)
W = frequencies.normal(size=(300, 2)) / sigma
W_X = W @ X[:200].T
F = np.vstack([np.cos(W_X), np.sin(W_X)]).T / np.sqrt(2 * 300)
verify("3: as written φ(x)ᵀφ(x) is a half", np.sum(F**2, axis=1), 0.5)
shuffled_W = frequencies.permutation(W) @ X[:200].T
F_2 = np.vstack([np.cos(shuffled_W), np.sin(shuffled_W)]).T / np.sqrt(2 * 300)
w = np.linalg.solve(F.T @ F + 0.1 * np.eye(600), F.T @ y[:200])
verify("2: on the very same points", np.std(F_2 @ w - y[:200]) > 3 * np.std(F @ w - y[:200]))

# %% [markdown] key="practice" slide="slide"
# ## In practice
#
# scikit-learn has both, as transformers in front of any linear machine: `Nystroem` and `RBFSampler`.

# %% key="practice-code"
theirs = make_pipeline(
    Nystroem(gamma=1 / (2 * 1.5**2), n_components=200, random_state=0),
    Ridge(alpha=0.1, fit_intercept=False),
).fit(X[:5000], y[:5000])
Z = theirs[0].components_  # its landmarks
ours = NystromRidge(Gaussian(1.5), landmarks=Z, lam=0.1)
ours.fit(X[:5000], y[:5000])
at = land.X[choose[:500]]
one, other = theirs.predict(at) / 100, ours.predict(at) / 100
verify("the same map", one, other, tol=1e-6)

# %% [markdown] key="practice-ask" slide="subslide"
# **And as they come?** `RBFSampler()` has `gamma=1`, `Nystroem()` one over the number of coordinates. **Predict:** 320 features of the digits: how many wrong? If a pixel goes to 16, as in the file? If `gamma` is chosen by cross-validation?

# %% [markdown] key="practice-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask first which σ is `gamma=1`, and where it lies in the second figure. Then what sixteen times the pixels do to a width that nobody changes.
#
# </details>

# %% key="practice-defaults" slide="skip"
first = RBFSampler(n_components=320, random_state=2)
plain = Pipeline([("first", first), ("then", RidgeClassifier(0.1))])
gammas = [1 / (2 * s**2) for s in (1.0, 1.4, 2.0, 2.8, 4.0)]
chosen = GridSearchCV(plain, {"first__gamma": gammas}, cv=3)
missed = {}
for name, model in ("gamma = 1", plain), ("gamma chosen", chosen):
    read = model.fit(pixels[:1000], labels[:1000]).predict(pixels[1000:])
    missed[name] = np.mean(read != labels[1000:])

# %% key="practice-table" slide="fragment" hide="input"
defaults = measured("ch10_defaults", "scale-16", "default-width", "chosen-nystroem")
columns = {"class": "", "as it comes, 0 to 16": ".0f", "0 to 1": ".0f", "gamma chosen": ".1f"}
wrong = {
    name: [defaults[f"{name} {how}"].mean() for how in ("on 0 to 16", "on 0 to 1", "chosen")]
    for name in ("RBFSampler", "Nystroem")
}
table("320 features of the digits: wrong (%), twenty splits", columns, wrong, answer="How many")

# %% [markdown] key="practice-traps" slide="subslide"
# **Traps.**
#
# - `Nystroem()` by default has $\gamma=1/d$, `RBFSampler()` $\gamma=1$, whatever your data: neither is a choice. $\gamma=1/(2\sigma^2)$; so $\gamma=1$ is $\sigma=0.71$, far too narrow for digits. $1/d$ is wide enough for pixels from 0 to 1, and not from 0 to 16.
# - `Ridge` by default fits an intercept, without a price: another model than (1).
# - `RBFSampler` is the kind with phases: by (6) its estimate of $k$ varies nowhere less, and one width away 1.75 times as much as with pairs. Its predictions need not be worse for it.
# - The pipeline makes all $n\times m$ features at once: 100 000 points and a thousand landmarks take 800 megabytes, twice if something copies. `NystromRidge` goes in blocks. For another loss take the features of one block after the other to a machine that learns on line: chapter 6's Pegasos for the hinge, or `SGDRegressor.partial_fit`.
# - Landmarks are drawn from what `fit` sees. In a pipeline, inside cross-validation, that is the training part alone: as it must be. Let the same cross-validation choose the width, as above.
#
# <!-- slide
# **Traps.**
#
# - `Nystroem()` has $\gamma=1/d$, `RBFSampler()` $\gamma=1$, $\sigma=0.71$, whatever your data. Let cross-validation choose it.
# - `Ridge` fits an intercept, without a price.
# - `RBFSampler` has phases: a poorer estimate of $k$; its predictions need not be.
# - The pipeline makes all $n\times m$ features at once: 800 megabytes for 100 000 points and a thousand landmarks.
# -->

# %% key="practice-verify" slide="skip" hide="input"
verify("on this split, too", missed["gamma chosen"] < missed["gamma = 1"] / 5)
verify("Nystroem's gamma is None, which is 1/d", Nystroem(random_state=0).gamma is None)
plain = Nystroem(n_components=50, random_state=0).fit(pictures)
as_1_over_d = Nystrom(Gaussian(np.sqrt(64 / 2)), landmarks=plain.components_).fit(pictures)
verify("... indeed", plain.transform(pictures[:9]), as_1_over_d.transform(pictures[:9]), tol=1e-6)
verify("RBFSampler's is 1", RBFSampler(random_state=0).gamma == 1.0)
verify("... which is a width of", 1 / np.sqrt(2), "0.71")
sampler = RBFSampler(gamma=0.5, n_components=60, random_state=0).fit(pictures)
kind_2 = np.sqrt(2 / 60) * np.cos(pictures[:5] @ sampler.random_weights_ + sampler.random_offset_)
verify("RBFSampler has phases", sampler.transform(pictures[:5]), kind_2)
verify("Ridge fits an intercept", Ridge().fit_intercept)
least = min(defaults[f"{name} on 0 to 16"].min() for name in wrong)
verify("as they come, 0 to 16: most are wrong, on each split", least > 50)
verify("megabytes", 8 * 100_000 * 1000 / 1e6, "800")

# %% [markdown] key="course" slide="slide"
# ## The course on one page
#
# What remains is to choose. Ten chapters, one set of data: the digits, 1000 to learn from, 797 to report on, sixty splits. One rule for all: eight settings each, widths among them, and the best on a quarter of the 1000 is taken. Whoever knows two classes only is asked once for each pair of digits, and most votes win. **Predict first:** who is best, who is worst, and how much lies between? And what of the features?
#
# <!-- slide
# Digits: 1000 to learn from, 797 to report on, sixty splits. All methods of ten chapters, by one rule: eight settings each, the best on a quarter of the 1000.
#
# **Predict first:** who is best, who is worst, and how much lies between? And the features?
# -->

# %% [markdown] key="course-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Write the bets down. Ask what the rule is for: the rows must owe their places to the method, and not to whoever tuned it longest.
#
# </details>

# %% key="course-table" hide="input" slide="subslide"
rows_of = {
    "nearest neighbours": ("nearest neighbours", "1"),
    "Parzen windows": ("windows", "1"),
    "kernel perceptron": ("perceptron", "2"),
    "ridge regression": ("ridge", "3"),
    "... with a linear kernel": ("linear ridge", "3"),
    "support vector machine": ("support vectors", "6"),
    "... with a linear kernel ": ("linear support vectors", "6"),
    "kernel LDA": ("kernel LDA", "8"),
    "ridge on 320 of the points": ("subsample", ""),
    "Nyström, 320 by lot": ("landmarks", "10"),
    "Nyström, 320 k-means": ("centres", "10"),
    "random features, 320": ("random features", "10"),
}
found = measured("ch10_course")


def of_splits(values):
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values))


table(
    "Digits: means of sixty splits; differences, split by split, with standard errors",
    {
        "method": "",
        "chapter": "",
        "wrong (%)": ".1f",
        "more than ridge regression (%)": "{:.2f} ± {:.2f}",
    },
    [
        (
            name,
            chapter,
            found[key].mean(),
            of_splits(found[key] - found["ridge"]) if key != "ridge" else None,
        )
        for name, (key, chapter) in rows_of.items()
    ],
    answer="The field",
)

# %% [markdown] key="course-reading" slide="subslide"
# <details><summary><b>Who is best, and by how much</b> (open this once you have written down your answer)</summary>
#
# **Ridge regression, kernel LDA and the support vector machine, three ideas with one Gaussian, lie between 1.0 and 1.3**; nearest neighbours, without any idea, have 1.7. The kernel perceptron, asked by pairs, has 3.3, and is behind both *linear* machines on most splits.
#
# **320 random features have 1.6 and 320 landmarks 1.4, and who merely trains on 320 points has 2.9.** As for random features, asked by pairs they are behind landmarks by 0.20 ± 0.07 per cent, behind k-means centres by 0.28 ± 0.08. Centres and landmarks by lot are not told apart: 0.08 ± 0.06.
#
# But a pair has some 200 points, fewer than features: nothing is saved. Against the rest, where 1000 points share them, random features have 2.3 and landmarks 1.6 (forty splits, ahead on 37). On the same splits **the nearest neighbours, which choose nothing but their number, have 1.6, too**: landmarks are ahead by 0.06 ± 0.07, and random features are behind them by 0.70 ± 0.09, on 35 splits of forty. All these errors are of splits of these 1797 digits, and say nothing of other hands.
#
# </details>
#
# <!-- slide
# Ridge, LDA, support vectors: **1.0 to 1.3.** Neighbours 1.7. Kernel perceptron 3.3: behind both *linear* machines on most splits.
#
# **320 landmarks 1.4, random features 1.6, a subsample 2.9**; but a pair has 200 points. Against the rest: landmarks 1.6, neighbours 1.6, random features 2.3.
# -->

# %% [markdown] key="coding" slide="subslide"
# **Does the loss matter?** One thing was the same for all machines of two classes: the pairs. A machine for each digit *against the rest* is the other way to make ten classes of two. **Predict first:** planes and bells, squares and the hinge, by pairs and against the rest. Which of the three choices weighs most?
#
# <!-- slide
# All were asked by *pairs*. The other way: one machine for each digit *against the rest*.
#
# **Predict first:** planes or bells, squares or the hinge, pairs or the rest. Which of the three choices weighs most?
# -->

# %% [markdown] key="coding-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Change one thing at a time, and have the room read the table so. Ask why one digit against nine others is hard for a plane: the nine lie all around. Then go back to the four verbs of the first page: lift, kernelise, regularise, approximate; which row of which table uses which?
#
# </details>

# %% key="coding-table" hide="input" slide="subslide"
codings = measured("ch10_coding")
LOSSES = ("squares", "hinge", "perceptron")
table(
    "Digits: wrong (%), forty splits",
    {"functions, asked": "", **dict.fromkeys(LOSSES, "{:.1f} ± {:.1f}")},
    {
        asked: [
            of_splits(codings[f"{asked} {loss}"]) if f"{asked} {loss}" in codings else None
            for loss in LOSSES
        ]
        for asked in (
            "planes by pairs",
            "planes against the rest",
            "bells by pairs",
            "bells against the rest",
        )
    },
    answer="Three choices",
)

# %% [markdown] key="coding-reading" slide="fragment"
# <details><summary><b>Which weighs most</b> (open this once you have written down your answer)</summary>
#
# - **By pairs** a plane does well: 2.6 per cent for squares, 2.3 for the hinge; bells make about half its mistakes, fewer on all forty splits.
# - **Against the rest** is too much for a plane: 6.9 and 4.6. Asked by pairs, planes err less on every split, with either loss.
# - **Where the function can say what it is asked, the loss is worth 2 ± 1 pictures of 797; where it cannot, it is worth eighteen.** With bells squares are ahead by 2 and by 1 pictures, however asked.
# - The perceptron comes down to 2.3 if it is asked against the rest, and stays behind the hinge on all splits but one.
#
# So, on these digits: choose first what the function can say, then what it is asked, and the loss last.
#
# </details>
#
# <!-- slide
# A plane for each *pair*: 2.6 and 2.3. Against the rest: 6.9 and 4.6, worse on every split.
#
# <div class="fragment">
#
# **Where the function can say what it is asked, the loss is worth 2 ± 1 pictures of 797; where it cannot, eighteen.**
#
# </div>
#
# <div class="fragment">
#
# Bells: about half the mistakes; squares ahead by 2 and by 1 pictures.
#
# </div>
# -->

# %% [markdown] key="course-advice" slide="subslide"
# **Choose by what else you need:**
#
# | you have, or want | take | what the course saw | where |
# |---|---|---|---|
# | a first answer today; few dimensions, many points | neighbours, windows | no training; on our map four neighbours beat every bell | chapter 1 |
# | to understand what a kernel does | a kernel perceptron | it adds and subtracts rows of $K$, no more | chapter 2 |
# | a curve or a surface, up to ten thousand points | kernel ridge regression | one solve, leave-one-out for nothing; 1.0 per cent above | chapter 3 |
# | error bars; widths learnt from the data | a Gaussian process | a forecast that was judged by what came | chapter 4 |
# | two classes, and the few points that matter | a support vector machine | who is no support vector may go, and nothing moves | chapter 5, chapter 6 |
# | outliers; data one at a time | ε-SVR; Pegasos, a budget | bounded pull; a rate that is proved, constant memory | chapter 6 |
# | exact values between given ones | RBF interpolation | through every spot, as long as the digits last | chapter 7 |
# | a small network | RBF network, centres by k-means | twenty bells that stand where the data are | chapter 7 |
# | to see, to clean; one axis between classes | kernel PCA; kernel LDA | the axis that separates need not be the one that varies most | chapter 8 |
# | strings, molecules, no coordinates at all | a kernel that counts | all of the above runs unchanged; keep cousins in one fold | chapter 9 |
# | more than ten thousand points, and no neighbour near | Nyström; where points crowd, choose the width by land | a hole in the map, from 24 heights: landmarks 17.3 m, neighbours in shape 17.7 | here |
# | ... before any data are there | random features, with a width that was chosen | 2.2 per cent with 320 and leave-one-out, landmarks 1.5; on the map 78 m, landmarks 71 | here |
# | millions of images, sounds, sentences | a neural network | it learns its features; a kernel may sit on its last layer | elsewhere |
#
# <!-- slide
# **Choose by what else you need:**
#
# | you want | take |
# |---|---|
# | an answer today, few dimensions | neighbours (1) |
# | a curve, a surface | kernel ridge regression (3) |
# | error bars | a Gaussian process (4) |
# | few points that matter, data one by one | support vectors, Pegasos (6) |
# | exact values; axes | interpolation (7); kernel PCA (8) |
# | no coordinates | a kernel that counts (9) |
# | many points, no neighbour near | Nyström (10) |
# -->

# %% key="course-verify" slide="skip" hide="input"
verify("digits to report on", len(digits.data) - 1000, "797")
measured("ch10_course", "features", "lots", "first-function", "first-function-ridge")
measured("ch10_course", "ridge-neighbours", "three-ideas", "centres-features")
for key, told in {
    "nearest neighbours": "1.7",
    "perceptron": "3.3",
    "subsample": "2.9",
    "landmarks": "1.4",
    "random features": "1.6",
    "ridge": "1.0",
    "kernel LDA": "1.1",
    "support vectors": "1.3",
}.items():
    verify(f"{key}, wrong (%)", found[key].mean(), told)
for one, other, told, sure in (
    ("random features", "landmarks", "0.20", "0.07"),
    ("random features", "centres", "0.28", "0.08"),
    ("landmarks", "centres", "0.08", "0.06"),
):
    gap, error = of_splits(found[one] - found[other])
    verify(f"{one} behind {other} by (%)", gap, told)
    verify("... and its error", error, sure)
gap, error = of_splits(found["random features with phases"] - found["random features"])
verify("asked by pairs: phases behind by (%)", gap, "0.17")
verify("... and its error", error, "0.09")
measured("ch10_coding", "pairs-squares", "pairs-hinge", "rest-loss")
measured("ch10_coding", "bells-loss", "bells-loss-rest")
measured("ch10_coding", "bells-planes-squares", "bells-planes-hinge")
measured("ch10_coding", "perceptron-rest", "perceptron-hinge")
asked_so = codings["bells against the rest perceptron"].mean()
verify("perceptron against the rest (%)", asked_so, "2.3")
measured("ch10_coding", "rest-features")
verify("the digits", len(digits.data), "1797")
rest = measured("ch10_rest", "rest-neighbours")
near_digits = rest["nearest neighbours"]
verify("nearest neighbours, these forty splits (%)", near_digits.mean(), "1.6")
for gap, told, sure in (
    (near_digits - rest["landmarks"], "0.06", "0.07"),
    (rest["random features"] - near_digits, "0.70", "0.09"),
):
    verify("against the rest, neighbours and features (%)", of_splits(gap)[0], told)
    verify("... and its error", of_splits(gap)[1], sure)
for way, told in (("random features", "2.3"), ("landmarks", "1.6")):
    verify(f"{way} against the rest (%)", codings[f"{way} against the rest"].mean(), told)
for key, told in {
    "planes by pairs squares": "2.6",
    "planes by pairs hinge": "2.3",
    "planes against the rest squares": "6.9",
    "planes against the rest hinge": "4.6",
}.items():
    verify(f"{key}, wrong (%)", codings[key].mean(), told)
for coding, told, sure in (("by pairs", "2", "1"), ("against the rest", "18", "1")):
    losses = codings[f"planes {coding} squares"] - codings[f"planes {coding} hinge"]
    lost, error = of_splits(7.97 * losses)
    verify(f"planes {coding}: the loss, in pictures", lost, told)
    verify("... and its error", error, sure)
for coding, told in (("by pairs", "2"), ("against the rest", "1")):
    losses = codings[f"bells {coding} hinge"] - codings[f"bells {coding} squares"]
    verify(f"bells {coding}: squares ahead, in pictures", of_splits(7.97 * losses)[0], told)
for loss in LOSSES[:2]:
    part = codings[f"bells by pairs {loss}"].mean() / codings[f"planes by pairs {loss}"].mean()
    verify(f"{loss}: of a plane's mistakes bells make about half", 0.4 < part < 0.6)

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - *Decide* that $f$ has $m$ sections: $(K_{nm}^\top K_{nm}+\lambda K_{mm})\,a=K_{nm}^\top y$. It is the generalised network of 1990; it is ridge regression with $\hat k=k_m^\top K_{mm}^{-1}k_m$; it is exact on its landmarks, and $K-\hat K$ is positive semi-definite.
# - It is not a subsample: every $y_i$ is asked. Per bell it is better; per second it need not be.
# - Random features average cosines, without a look at the points; variance $(1-k^2)^2/D$ in pairs.
# - The fewer the features, the wider the bell, mostly: choose the width with them. On narrow bells random features suffered most.
# - Landmarks: by lot. Where points crowd, first the width, by land; then anything but the lot helps a little. On the digits a hundred k-means centres beat a hundred landmarks by lot.
# - Sums over points can be streamed: a million rows in the memory of $m^2$ numbers and a block, on any pool of workers.
# - Both fail where bells are narrow for $m$: wider ones first, then more of them.
#
# **And the wall?** A million points have $10^{12}$ pairs, and no method of this chapter wrote them down. How many directions $y$ needs depends on the data: for the digits 320 directions were nearly enough (1.5 per cent wrong, with all points 1.0), for the mountains they were not. The question of the start page, *what do you compute instead?*, has this answer: **inner products with a few hundred things, well chosen or drawn by lot, and sums over everything else.**
#
# <!-- slide
# - *Decide* that $f$ has $m$ sections: $(K_{nm}^\top K_{nm}+\lambda K_{mm})\,a=K_{nm}^\top y$. Ridge regression with $\hat k=k_m^\top K_{mm}^{-1}k_m$; exact on its landmarks.
# - Not a subsample: every $y_i$ is asked. Per bell better; per second not always.
# - Random features: no look at the data, variance $(1-k^2)^2/D$.
# - **The fewer the features, the wider the bell,** mostly.
# - Landmarks: by lot; where points crowd, first the width, by land.
# - Sums stream. Both fail where bells are narrow for $m$.
#
# **And the wall?** Inner products with a few hundred things, well chosen or drawn by lot, and sums over everything else.
# -->

# %% [markdown] key="quiz" slide="slide"
# ## Five questions
#
# <details><summary>1. All $n$ points are landmarks. What is $\hat K$, and what is the fit?</summary>
#
# $KK^{-1}K=K$ (with a pseudo-inverse also where $K$ is singular): kernel ridge regression itself.
#
# </details>
#
# <details><summary>2. You double the landmarks. What happens to time and memory of a fit to a million rows, and of a prediction?</summary>
#
# - The product takes four times the time, the kernels twice.
# - The sums take four times the memory. A whole fit has its blocks besides: here, up to 1600 bells, 2.4 to 3 times.
# - A prediction takes twice as long.
#
# </details>
#
# <details><summary>3. Random features, $D=100$ in pairs. What is the standard deviation of the estimate for two points far apart?</summary>
#
# $1/\sqrt{100}=0.1$, since $k\approx0$. For the same point twice it is 0.
#
# </details>
#
# <details><summary>4. The penalty in (1) is replaced by $\lambda\|a\|^2$. A landmark is put twice. Does $f$ change?</summary>
#
# Yes: a bell that stands there twice is charged half as much for the same height. With $\lambda\,a^\top K_{mm}a=\lambda\|f\|^2$ the price is that of the function, and nothing changes.
#
# </details>
#
# <details><summary>5. Nyström's residual $k(x,x)-\hat k(x,x)$ at a new point is nearly 1. What does it tell you?</summary>
#
# $k_x$ is nearly orthogonal to all landmarks' sections: no landmark is near, and $f(x)$ will be nearly 0 (beside $\|f\|$), whatever is true there.
#
# </details>

# %% key="quiz-verify" slide="skip" hide="input"
ten = X[:10]
everything = Nystrom(Gaussian(1.0), landmarks=ten).fit_transform(ten)
verify("question 1", everything @ everything.T, Gaussian(1.0)(ten), tol=1e-9)
memory = bells["megabytes"][bells["alone"] == 0]
twice = np.round(memory[1:] / memory[:-1], 1)
verify("question 2: twice the bells, memory", [twice.min(), twice.max()], [2.4, 3.0])
verify("question 3", (1 - 0**2) / np.sqrt(100), "0.1")
once, twice = X[:6], np.vstack([X[:6], X[:1]])
by_function = [
    NystromRidge(Gaussian(2.0), landmarks=Z, lam=0.3).fit(X[:50], y[:50]).predict(ten) / 100
    for Z in (once, twice)
]
verify("question 4: the price of the function", by_function[0], by_function[1], tol=1e-7)


def priced_by_a(Z):
    G = Gaussian(2.0)(X[:50], Z)
    return Gaussian(2.0)(ten, Z) @ np.linalg.solve(G.T @ G + 0.3 * np.eye(len(Z)), G.T @ y[:50])


verify("... of the coefficients", np.abs(priced_by_a(once) - priced_by_a(twice)).max() > 0.1)

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are told which one.
# *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch10_scaling")

# %% [markdown] key="references" slide="skip" numbers="free"
# ## To read on
#
# - E. J. Nyström, *Über die praktische Auflösung von Integralgleichungen*, 1930; C. Williams and M. Seeger, *Using the Nyström method to speed up kernel machines*, 2001. T. Poggio and F. Girosi, *Networks for approximation and learning*, 1990: equation (2), as networks; E. Granger and I. Ben Ayed, *Réseaux de neurones à base de noyaux* (ÉTS, SYS843), from whose slides the course has it.
# - A. Rahimi and B. Recht, *Random features for large-scale kernel machines*, 2007; D. Sutherland and J. Schneider, *On the error of random Fourier features*, 2015: pairs and phases. scikit-learn's pull request 3656, 2014: the variance of `RBFSampler`'s frequencies.
# - A. Alaoui and M. Mahoney, *Fast randomized kernel ridge regression with statistical guarantees*, 2015: leverage. Y. Chen, E. Epperly, J. Tropp and R. Webber, *Randomly pivoted Cholesky*, 2025. K. Zhang and J. Kwok, *Clustered Nyström method*, 2010: k-means.
# - A. Rudi, L. Carratino and L. Rosasco, *FALKON*, 2017; M. Titsias, *Variational learning of inducing variables*, 2009; J. Hensman, N. Fusi and N. Lawrence, *Gaussian processes for big data*, 2013; G. Meanti and others, *Kernel methods through the roof*, 2020: a thousand million points; C. E. Rasmussen and C. K. I. Williams, *Gaussian Processes for Machine Learning*, chapter 8.
# - J. Mairal and J.-P. Vert, *Machine learning with kernel methods*: large-scale learning, with proofs.
# - **Data.** Heights: among matplotlib's sample data; digits: E. Alpaydin and C. Kaynak, in scikit-learn.
#
# **Next:** [the sheet](../exercises/ch10_scaling_sheet.ipynb). After it, your own data.
