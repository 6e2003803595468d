# %% [markdown] key="title" slide="slide"
# # Gaussian processes
#
# The curves of the last chapter are drawn with the same confidence everywhere. This chapter asks each of them one more question: *how
# sure are you?* The answer costs one more line of algebra, and it can be checked.

# %% key="imports" slide="skip" hide="input"
import numpy as np
import matplotlib.pyplot as plt
from scipy.linalg import cho_factor, cho_solve
from scipy.stats import multivariate_normal, norm

from kcourse import Brownian, Gaussian, GaussianProcess, KernelRidge, Periodic, RationalQuadratic
from kcourse.datasets import load_co2, make_sinc
from kcourse.lab import cycle, measured, show, table, use_style, verify
from kcourse.chapters.ch04_gp.figures import forecast_explorer, landscape_explorer, samples_explorer

use_style()

# %% [markdown] key="question" slide="slide"
# ## The year after the data
#
# On a volcano in Hawaii, far from chimneys, the carbon dioxide in the air has been measured since 1958. Here are monthly means, in parts
# per million. We stop reading at the end of 1991. **What will the next ten years be, and how far off may you be?**

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Paper again: the curve, and the band. Collect half widths for the end of 2001 on the board and keep them. Ask where the
# band should be narrow and where wide, and what one would need to know to say so.
#
# </details>

# %% key="question-data" slide="skip"
co2 = load_co2()
year, ppm = co2.X[:, 0], co2.y
past = year < 1992
print(f"{len(ppm)} months, {np.sum(past)} of them before 1992 and {np.sum(~past)} after")
print(f"from {ppm[0]:.0f} ppm in 1958 to {ppm[past][-1]:.0f} ppm at the end of 1991")

# %% key="question-picture" hide="input"
fig, ax = plt.subplots(figsize=(8, 3.8))
ax.plot(year[past], ppm[past], color="black", linewidth=1)
ax.axvspan(1992, 2002, color="#eeeeee")
ax.text(1997, 320, "?", fontsize=40, ha="center", color="#777777")
ax.set(xlabel="year", ylabel="CO₂ (ppm)", xlim=(1957, 2003), ylim=(310, 385))
show(
    fig,
    alt="Carbon dioxide from 1958 to the end of 1991: a curve that rises from 316 to 355 ppm, "
    "ever more steeply, with a wave of one year "
    "on top. The ten years after it are shaded, with a question mark.",
)

# %% [markdown] key="question-reading"
# A trend that bends upwards, a season, and something irregular between the two. A curve through the future is easily drawn. **Draw it, and around it a
# band that you would bet on at nineteen to one.** That needs a model of what you do not know.

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# 1. condition a joint normal distribution, and read the result as prediction and band;
# 2. say why the mean is kernel ridge regression, and what the band adds and does not add;
# 3. tell the band of the curve from the band of a new measurement;
# 4. compute the marginal likelihood and its slope by one Cholesky factor, and read its two terms;
# 5. build a kernel for a series out of parts, forecast with it, and check the band against what came.

# %% [markdown] key="objectives-need" slide="skip"
# **You need** chapter 3, the normal distribution, covariance. **Reading:** two to three hours. **Lecture:** two 45-minute lectures.
# **Exercises:** two to three hours, [in the sheet](../exercises/ch04_gp_sheet.ipynb).

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Of the slope (8), Brownian motion and why draws are rougher than the space say the result, and leave the rest to be read at home.
#
# Can be skipped: By hand; Nor is the highest summit the truth; Another prior: Brownian motion; A draw is rougher than any member of the space; Find the error.
#
# </details>

# %% [markdown] key="two" slide="slide"
# ## Two numbers that know of each other
#
# Begin with two unknown numbers, $f_1$ and $f_2$: the values of a curve at two places. Before anything is measured we hold them to be
# normal with mean 0, variance 1, and **correlation** $\rho$. Nearby places have similar values, so $\rho$ is near 1; distant ones have
# $\rho$ near 0. That is a job for a kernel: $\rho=k(x_1,x_2)$.
#
# **Step 1.** Now $f_1$ is measured, without noise. What is known about $f_2$? Write $f_2=\rho f_1+r$. The rest $r=f_2-\rho f_1$ has
# covariance $\mathrm{Cov}(r,f_1)=\rho-\rho\cdot1=0$ with $f_1$, and for *jointly normal* numbers uncorrelated means independent. So
# measuring $f_1$ says nothing about $r$, whose variance is $1-\rho^2$:
#
# $$f_2\mid f_1\;\sim\;\mathcal N\big(\rho f_1,\;1-\rho^2\big). \tag{1}$$
#
# <!-- slide
# Two values of a curve, normal, mean 0, variance 1, **correlation** $\rho=k(x_1,x_2)$.
#
# **Step 1.** Measure $f_1$. Write $f_2=\rho f_1+r$: then $\mathrm{Cov}(r,f_1)=\rho-\rho=0$, and for jointly normal numbers uncorrelated
# means independent:
#
# $$f_2\mid f_1\;\sim\;\mathcal N\big(\rho f_1,\;1-\rho^2\big) \tag{1}$$
#
# What do $\rho=0$ and $\rho=1$ say?
# -->

# %% [markdown] key="two-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Draw the ellipse by hand and cut it. Ask what the cut looks like for ρ = 0 and for ρ near 1. The right panel is the step to functions:
# same pairs, other axes.
#
# </details>

# %% key="two-verify" slide="skip"
rng = np.random.default_rng(0)
rho = 0.8
f1, f2 = rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], 400_000).T  # the pair, at once
slab = np.abs(f1 - 1.5) < 0.05  # where f1 came out near 1.5
verify("where f₁ is 1.5, f₂ has mean ρ · 1.5", f2[slab].mean(), rho * 1.5, tol=0.02)
verify("... and variance 1 - ρ²", f2[slab].var(), 1 - rho**2, tol=0.02)

# %% key="two-picture" hide="input"
fig, (left, right) = plt.subplots(1, 2, figsize=(8.6, 3.9))
left.plot(f1[:1500], f2[:1500], ".", color="#888888", markersize=2)
left.axvline(1.5, color="#c0392b", linewidth=1.5)
left.errorbar(1.5, rho * 1.5, yerr=2 * 0.6, color="#c0392b", linewidth=3, marker="D", capsize=4)
left.set(
    xlabel="f₁", ylabel="f₂", aspect="equal", xlim=(-3.5, 3.5), ylim=(-3.5, 3.5), title="the pair"
)
for a, b in zip(f1[:12], f2[:12], strict=True):
    right.plot(
        [1, 2], [a, b], color="#888888", linewidth=1, linestyle="-", marker="o", markersize=3
    )
right.plot(1, 1.5, "D", color="#c0392b", markersize=8)
right.errorbar(2, rho * 1.5, yerr=2 * 0.6, color="#c0392b", linewidth=3, marker="D", capsize=4)
right.set(
    xticks=[1, 2],
    xticklabels=["x₁", "x₂"],
    xlim=(0.6, 2.4),
    ylim=(-3.5, 3.5),
    title="the same as two values of a curve",
)
show(
    fig,
    alt="Left: 1500 pairs in a slanted ellipse; a vertical line at 1.5, and on it the "
    "conditional mean 1.2 with a bar of two standard "
    "deviations. Right: twelve of the pairs as short lines between two places; a measured value "
    "1.5 at the first place and the bar at the "
    "second.",
)

# %% [markdown] key="two-reading"
# Left, the ellipse is cut at the measured value: what remains is narrower. Right is the same, as a
# curve with two places. All of this chapter is that picture with more places.

# %% [markdown] key="process" slide="slide"
# ## From two numbers to a function
#
# Take ten places, a hundred, any finite number: hold the values $f=(f(x_1),\dots,f(x_n))$ to be jointly normal with mean 0 and covariance
# $K_{ij}=k(x_i,x_j)$. That is a **Gaussian process**, $f\sim\mathcal{GP}(0,k)$: nothing but a rule that gives every finite set of places
# its normal distribution. The rule is consistent, since leaving out a place leaves out a row and a column; and $K$ has to be positive
# semi-definite, which is what makes $k$ a kernel (chapter 2). A draw is a linear map of independent normal numbers:
#
# $$f=Lz,\qquad K=LL^\top,\qquad z\sim\mathcal N(0,I)\quad\Longrightarrow\quad\mathrm{Cov}(f)=L\,I\,L^\top=K. \tag{2}$$
#
# <!-- slide
# The values at *any* finite set of places are jointly normal, with mean 0 and covariance $K_{ij}=k(x_i,x_j)$: a **Gaussian process**,
# $f\sim\mathcal{GP}(0,k)$.
#
# A draw is a linear map of independent normal numbers:
#
# $$f=Lz,\qquad K=LL^\top,\qquad z\sim\mathcal N(0,I)\quad\Longrightarrow\quad\mathrm{Cov}(f)=LL^\top=K \tag{2}$$
# -->

# %% [markdown] key="process-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# It is a rule for all finite sets, not a thing with infinitely many parts. Ask why L z has covariance K (expand one
# entry), and what a K would do that is not positive semi-definite (a variance below 0).
#
# </details>

# %% key="process-verify" slide="skip"
places = np.linspace(0, 3, 6)[:, None]
K = Gaussian(1.0)(places)
L = np.linalg.cholesky(K)
draws = rng.standard_normal((200_000, 6)) @ L.T  # one draw of six values a row: (Lz)ᵀ = zᵀLᵀ
verify("the draws have the covariance K", np.cov(draws.T), K, tol=0.02)

# %% [markdown] key="samples-predict" slide="subslide"
# **Predict first.** Five draws from a Gaussian process lie below, *all made of the same random numbers* $z$. Only $\ell$, the width of the
# Gaussian kernel, changes; in this field it is called the *length scale*, and is the $\sigma$ of the other chapters.
#
# 1. You make $\ell$ three times smaller. Do the curves become higher, or only busier?
# 2. You let the process see one point, then two, then five. Where does the band shrink, and to what? Where does it stay?
# 3. Far to the right of all points: how wide is the band? Does it grow without bound?

# %% [markdown] key="samples-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Move ℓ slowly: the curves breathe, because the random numbers stay. Then add the points one by one and ask beforehand where the
# five curves will be forced together. The last question is worth its time: the band never exceeds the prior.
#
# </details>

# %% key="samples-figure" hide="input"
axis = np.linspace(0, 10, 161)
normals = np.random.default_rng(7).standard_normal((5, 161))
seen_x = np.array([2.0, 5.0, 3.4, 6.6, 1.0, 4.2])
seen_y = np.array([1.0, -1.2, 0.3, 0.4, 1.6, -0.9])


def conditioned(length, k):
    places = axis[:, None]
    cov, mean = Gaussian(length)(places), np.zeros(161)
    if k:
        S, cross = (
            Gaussian(length)(seen_x[:k, None]) + 1e-6 * np.eye(k),
            Gaussian(length)(places, seen_x[:k, None]),
        )
        mean = cross @ np.linalg.solve(S, seen_y[:k])
        cov = cov - cross @ np.linalg.solve(S, cross.T)
    values, vectors = np.linalg.eigh((cov + cov.T) / 2)
    root = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T  # symmetric: moves smoothly with ℓ
    return mean, np.sqrt(np.maximum(np.diag(cov), 0)), mean + normals @ root


breathing = samples_explorer(axis, (seen_x, seen_y), conditioned)

# %% [markdown] key="samples-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# A smaller $\ell$ makes the curves busier and no higher: their variance is $k(x,x)=1$ for every $\ell$. Each point that is seen pulls all
# five through it, and shrinks the band within about one $\ell$ around it, down to nothing at the point itself. Further away than two or
# three $\ell$ nothing has been learnt: mean 0 and the full $\pm2$ of the prior, there and everywhere beyond. The band *saturates*.
#
# </details>

# %% key="samples-verify" slide="skip" hide="input"
for length in (0.3, 1.0, 3.0):
    verify(
        f"ℓ = {length}: the prior standard deviation is 1 everywhere",
        conditioned(length, 0)[1],
        1.0,
    )
mean, sd, _ = conditioned(1.0, 2)
verify("at a point that was seen the band is nothing", sd[np.argmin(np.abs(axis - 5.0))] < 0.01)
verify("five ℓ away it is what it was", sd[-1] > 0.999)

# %% [markdown] key="conditioning" slide="slide"
# ## Conditioning
#
# **Step 2.** Now with noise and any number of points. Measured are $y=f+\varepsilon$ at $n$ places, $\varepsilon$ independent normal with
# variance $\sigma_n^2>0$; asked are the values $f_*$ at $q$ others. All are jointly normal:
#
# $$\begin{pmatrix}y\\f_*\end{pmatrix}\sim\mathcal N\left(0,\begin{pmatrix}A&K_*^\top\\K_*&K_{**}\end{pmatrix}\right),\qquad
# A=K+\sigma_n^2I,\quad K_*=k(X_*,X).$$
#
# $A$ is positive definite, $v^\top Av=v^\top Kv+\sigma_n^2\|v\|^2>0$ for $v\ne0$, so it has an inverse and a Cholesky factor. Do what we did with two numbers: find a
# matrix $B$ such that the rest $r=f_*-By$ is uncorrelated with $y$. That asks for $K_*-BA=0$, so $B=K_*A^{-1}$. Then $r$ is independent of $y$:
# once $y$ is measured, $r$ is all that is uncertain, and $\mathrm{Cov}(r)=\mathrm{Cov}(r,f_*)=K_{**}-BK_*^\top$.

# %% [markdown] key="conditioning-2" slide="fragment"
# $$f_*\mid y\;\sim\;\mathcal N\big(\underbrace{K_*A^{-1}y}_{\text{mean}},\ \underbrace{K_{**}-K_*A^{-1}K_*^\top}_{\text{covariance}}\big). \tag{3}$$
#
# The covariance is the *Schur complement* of $A$; (1) is one point, $\sigma_n=0$.

# %% [markdown] key="conditioning-notes" slide="notes"
# <details><summary>For the lecturer (5 min)</summary>
#
# Put (1) and (3) side by side and let them find ρ in K* A⁻¹. No block inverse, no completing of squares: find B. Ask which part of (3) contains y.
#
# </details>


# %% key="conditioning-verify" slide="skip"
def posterior(K, K_star, k_diag, y, noise_variance):
    """Mean and variance of f at new places, by one Cholesky factor."""
    A = cho_factor(K + noise_variance * np.eye(len(y)), lower=True)
    mean = K_star @ cho_solve(A, y)
    reduction = np.sum(K_star.T * cho_solve(A, K_star.T), axis=0)
    return mean, k_diag - reduction


sinc = make_sinc(n=30, noise=0.15, rng=0)
grid = np.linspace(-3, 3, 121)[:, None]
bell = Gaussian(0.5)
mean, variance = posterior(bell(sinc.X), bell(grid, sinc.X), np.ones(121), sinc.y, 0.15**2)
gp_mean, gp_sd = (
    GaussianProcess(bell, noise_variance=0.15**2).fit(sinc.X, sinc.y).predict(grid, return_std=True)
)
verify("GaussianProcess computes the same: mean", gp_mean, mean)
verify("... and variance", gp_sd**2, variance)

# %% [markdown] key="by-hand" slide="subslide"
# **By hand.** One measurement $y=1$ at $x=0$, with $\ell=1$ and $\sigma_n^2=0.25$. What are the mean and the variance of $f$ at $x=0$, and at
# $x=1$, where $k=e^{-1/2}$? Is the variance at $x=0$ larger or smaller than that of the noise?

# %% [markdown] key="by-hand-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# A minute with paper. Where the class is quick, ask for the limit of a second measurement at the same place.
#
# </details>

# %% [markdown] key="by-hand-answer" slide="fragment"
# <details><summary><b>The answer</b> (open this once you have written down your answer)</summary>
#
# $A=1.25$. At $x=0$ the mean is $1/1.25=0.8$ and the variance $1-1/1.25=0.2$: *less* than the noise, because the prior knows something,
# too. At $x=1$ the mean is $0.485225$ and the variance $0.705696$.
#
# </details>

# %% key="by-hand-verify" slide="skip" hide="input"
one = posterior(np.ones((1, 1)), np.exp([[0.0], [-0.5]]), np.ones(2), np.array([1.0]), 0.25)
verify("A is k(0, 0) + σ_n²", Gaussian(1.0)([[0.0]])[0, 0] + 0.25, "1.25")
verify("mean at 0", one[0][0], "0.8")
verify("variance at 0", one[1][0], "0.2")
verify("mean at 1", one[0][1], "0.485225")
verify("variance at 1", one[1][1], "0.705696")
gp = GaussianProcess(Gaussian(1.0), noise_variance=0.25).fit([[0.0]], [1.0])
mean, sd = gp.predict([[0.0], [1.0]], return_std=True)
verify("GaussianProcess agrees", np.concatenate([mean, sd**2]), np.concatenate(one))

# %% [markdown] key="brownian" slide="slide"
# ## Another prior: Brownian motion
#
# Not every process is smooth. With $k(s,t)=\min(s,t)$ for times in $[0,1]$ the draws are *Brownian motion*: $f(0)=0$, and what happens in one stretch of time is independent of what happened in others. **Step 3.** Let
# it be known that $f(1)=0$, and condition: by (3) with one point and no noise, where $A=k(1,1)=1$,
#
# $$\mathrm{Cov}\big(f(s),f(t)\mid f(1)=0\big)=\min(s,t)-s\cdot1^{-1}\cdot t=\min(s,t)-st. \tag{4}$$
#
# That is the *Brownian bridge*, held at both ends. Its variance is $t(1-t)$, largest in the middle.

# %% [markdown] key="brownian-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let them compute (4) from (3) on paper: one point, no noise, so A is the number 1. Then ask for the variance half way, and why it is
# symmetric.
#
# </details>

# %% key="brownian-verify" slide="skip"
s_t = np.array([[0.25], [0.5], [0.8]])
bridge = GaussianProcess(Brownian(), noise_variance=0).fit([[1.0]], [0.0])
_, cov = bridge.predict(s_t, return_cov=True)
verify("(4): the covariance of the bridge", cov, np.minimum(s_t, s_t.T) - s_t * s_t.T)
verify("its variance is t(1 - t)", np.diag(cov), (s_t * (1 - s_t))[:, 0])

# %% key="brownian-picture" hide="input"
u = np.linspace(0, 1, 401)[1:, None]
free = GaussianProcess(Brownian()).sample(u, 4, rng=2)
held = free - u[:, 0] * free[:, -1:]  # the same draws, pulled to 0 at the end
fig, axes = plt.subplots(1, 2, figsize=(9, 3.3), sharey=True)
for ax, draws, title, sd in (
    (axes[0], free, "Brownian motion", np.sqrt(u)),
    (axes[1], held, "Brownian bridge", np.sqrt(u * (1 - u))),
):
    ax.fill_between(u[:, 0], -2 * sd[:, 0], 2 * sd[:, 0], color="#dddddd")
    for i, draw in enumerate(draws):
        ax.plot(u[:, 0], draw, linewidth=1, color=cycle(i)["color"], linestyle="-")
    ax.set(title=title, xlabel="t")
show(
    fig,
    alt="Left: four rough paths of Brownian motion from 0, in a band that opens like a root. "
    "Right: the same four, held at 0 at both ends, in a band "
    "that opens and closes, widest in the middle.",
)

# %% [markdown] key="ridge" slide="slide"
# ## The mean is kernel ridge regression
#
# Look at the mean in (3): $K_*(K+\sigma_n^2I)^{-1}y$. That is chapter 3's predictor, letter by letter, with
#
# $$\lambda=\sigma_n^2. \tag{5}$$
#
# What chapter 3 called a price on $\|f\|^2$ is here a belief about noise. One lecture says that the two are the same *without assumptions about
# a distribution of $f$*. Of the mean that is true, under three conditions that are easily lost: the **same** $k$, $\lambda=\sigma_n^2$ beside the
# **sum** of squares, and a prior mean of **0** (so centre $y$, or say otherwise). The band, however, is made of nothing but those assumptions.
#
# <!-- slide
# The mean in (3) is $K_*(K+\sigma_n^2I)^{-1}y$: chapter 3's predictor, with
#
# $$\lambda=\sigma_n^2. \tag{5}$$
#
# A price on $\|f\|^2$ there, a belief about noise here. Same $k$, the **sum** of squares, prior mean **0**. **And the band: what is it made of?**
# -->

# %% [markdown] key="ridge-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let them discover it: write the mean of (3) and ask where they have seen it. Then ask for what breaks the equality; a likely answer is
# "normalising y", which is the third condition.
#
# </details>

# %% key="ridge-verify" slide="skip"
gp = GaussianProcess(Gaussian(0.5), noise_variance=0.3).fit(sinc.X, sinc.y)
krr = KernelRidge(Gaussian(0.5), lam=0.3).fit(sinc.X, sinc.y)
verify("the mean is kernel ridge regression with λ = σ_n²", gp.predict(grid), krr.predict(grid))

# %% key="ridge-verify-2" slide="skip" hide="input"
other = GaussianProcess(Gaussian(0.5), noise_variance=0.03).fit(sinc.X, sinc.y).predict(grid)
verify("with another λ they differ", np.abs(other - krr.predict(grid)).max() > 0.05)
raised = GaussianProcess(Gaussian(0.5), noise_variance=0.3).fit(sinc.X, sinc.y + 1).predict(grid)
verify(
    "with a mean of 1 that nobody told it of, too",
    np.abs(raised - gp.predict(grid) - 1).max() > 0.1,
)

# %% [markdown] key="rkhs" slide="slide"
# ## A draw is rougher than any member of the space
#
# Chapter 3 spoke of the space $\mathcal H$ of functions with finite norm; the mean of (3) is in it. Are the *draws*? Let $K$ be invertible at any number of different places, as it is for the Gaussian
# and, without $t=0$, for $\min$. The least norm of any function through $n$ values of a draw, $f=Lz$, is
#
# $$\|f\|^2\ge f^\top K^{-1}f=z^\top L^\top(LL^\top)^{-1}Lz=z^\top z, \tag{6}$$
#
# a sum of $n$ squares of independent normal numbers: about $n$. At more and more points it grows without bound: **with probability 1 the draw is not in $\mathcal H$.** (A kernel of finitely many
# features has no such $K$; its draws all lie in $\mathcal H$.) A function that is in the space stays below its squared norm: $\sin(\pi t/2)$, for $\min$ on $[0,1]$, below
# $\pi^2/8$. So the prior believes in functions rougher than the ones it predicts with. Not a contradiction: a mean of many rough curves is smooth.
#
# <!-- slide
# The mean of (3) is in $\mathcal H$. Are the *draws*? The least norm through $n$ values of $f=Lz$ is
#
# <div class="fragment">
#
# $$\|f\|^2\ge f^\top K^{-1}f=z^\top z\approx n, \tag{6}$$
#
# which grows without bound if $K$ is invertible at any number of places. **With probability 1 the draw is not in $\mathcal H$.** A mean of many rough curves is smooth.
#
# </div>
# -->

# %% [markdown] key="rkhs-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# (6) is two lines: write it. Ask what it means for choosing a prior: if the truth looks like a draw of k, k's own space does not contain
# it; a rougher kernel's does.
#
# </details>

# %% key="rkhs-table" hide="input"
norms = {}
for n in (10, 50, 200):
    grid_n = np.arange(1, n + 1)[:, None] / n
    K_n = Brownian()(grid_n)
    draws = GaussianProcess(Brownian()).sample(grid_n, 4000, rng=0)
    rough = np.einsum("si,is->s", draws, np.linalg.solve(K_n, draws.T)).mean()
    smooth = np.sin(np.pi * grid_n[:, 0] / 2)
    norms[n] = rough, smooth @ np.linalg.solve(K_n, smooth)
table("fᵀK⁻¹f of n values", {"n": "d", "mean of 4000 draws": ".1f", "sin(πt/2)": ".4f"}, norms)

# %% key="rkhs-verify" slide="skip" hide="input"
verify("for 200 points about 200", abs(rough - 200) < 4)
verify("the smooth one stays below π²/8", smooth @ np.linalg.solve(K_n, smooth) < np.pi**2 / 8)

# %% [markdown] key="variance" slide="slide"
# ## A band that never saw the data
#
# Look at the variance in (3): $y$ does not occur. As long as kernel and noise are given, *where* we measured matters and *what* we measured does not. That is useful, since one can say before
# an experiment what it will teach; and it is a warning, since a band that never looks at $y$ cannot notice that the model is wrong.
#
# **Step 4. Two bands.** (3) is the band of the curve $f$. A **new measurement** has its own noise on top, so its variance is larger by exactly
# $\sigma_n^2$. Ask of every band that you are shown which of the two it is.

# %% [markdown] key="variance-predict" slide="fragment"
# **Predict first:** double all $y$. What happens to the mean, and what to the band? And of 100 *new measurements*, how many lie inside the $\pm1.96$
# standard deviations of $f$?

# %% [markdown] key="variance-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Vote on the first question: doubled, or as it was? A likely answer is that the band doubles, too. Then the second: the band of f is no promise about measurements at all. Show the picture and count.
#
# </details>

# %% key="variance-picture" hide="input"
model = GaussianProcess(1.0 * Gaussian(0.5), noise_variance=0.15**2).fit(sinc.X, sinc.y)
line = np.linspace(-3.6, 3.6, 300)[:, None]
mean, sd_f = model.predict(line, return_std=True)
_, sd_y = model.predict(line, return_std=True, with_noise=True)
fig, ax = plt.subplots(figsize=(7.8, 4))
ax.fill_between(
    line[:, 0],
    mean - 1.96 * sd_y,
    mean + 1.96 * sd_y,
    color="#dddddd",
    label="95 %, a new measurement",
)
ax.fill_between(
    line[:, 0], mean - 1.96 * sd_f, mean + 1.96 * sd_f, color="#9ec5e3", label="95 %, the curve"
)
ax.plot(line[:, 0], mean, **cycle(0), label="mean")
ax.plot(line[:, 0], np.sinc(line[:, 0]), **cycle(2), linewidth=1.6, label="sinc, the truth")
ax.plot(sinc.X[:, 0], sinc.y, "o", color="black", markersize=4.5)
ax.set(xlabel="x", ylabel="y", ylim=(-2.1, 2.6))
ax.legend(loc="upper right", ncols=2)
show(
    fig,
    alt="Thirty noisy samples of sinc, the mean of a Gaussian process and two bands: a narrow "
    "one for "
    "the curve, which pinches between points and opens at both ends, and a wider one for new "
    "measurements around it. The truth stays within the narrow band nearly everywhere.",
    answer="Two bands",
)

# %% [markdown] key="variance-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# Doubling $y$ doubles the mean and leaves both bands as they are. The inner band holds the *curve*. Of fresh measurements it holds 78 % on average, and
# on none of 200 training sets does it hold 90 %; the outer one holds 96 % of them.
#
# </details>

# %% key="variance-verify" slide="skip" hide="input"
twice = GaussianProcess(1.0 * Gaussian(0.5), noise_variance=0.15**2).fit(sinc.X, 2 * sinc.y)
verify("twice the y: the same band", twice.predict(line, return_std=True)[1], sd_f)
verify("... and twice the mean", twice.predict(line), 2 * mean)
drawn = measured("ch04_sinc", "band-of-the-curve")
verify("the band of the curve (%)", drawn["measurements in the band of the curve"].mean(), "78")
verify("that of a measurement (%)", drawn["measurements in their own band"].mean(), "96")

# %% [markdown] key="evidence" slide="slide"
# ## How likely were these data?
#
# Chapter 3 chose $\sigma$ and $\lambda$ by leave-one-out. A Gaussian process has another judge. Before measuring it holds $y\sim\mathcal N(0,A)$, so it
# has an opinion about how likely the measured $y$ was:
#
# **Step 5.**
#
# $$\log p(y)=\underbrace{-\tfrac12\,y^\top A^{-1}y}_{\text{fit}}\;\underbrace{-\tfrac12\log\det A}_{\text{complexity}}\;-\tfrac n2\log2\pi. \tag{7}$$
#
# It is called the *log marginal likelihood*, or the evidence. The first term asks whether $y$ looks like a draw; the second is the price of being able
# to draw much else: a flexible process spreads its probability over many $y$ and has little left for each. With $A=LL^\top$ everything comes from one
# Cholesky factor, $\log\det A=2\sum_i\log L_{ii}$.
#
# <!-- slide
# Before measuring, $y\sim\mathcal N(0,A)$. **Step 5.**
#
# $$\log p(y)=\underbrace{-\tfrac12\,y^\top A^{-1}y}_{\text{fit}}\;\underbrace{-\tfrac12\log\det A}_{\text{complexity}}\;-\tfrac n2\log2\pi \tag{7}$$
#
# the *log marginal likelihood*. A flexible process spreads its probability over many $y$ and has little left for each.
#
# With $A=LL^\top$: $\ \log\det A=2\sum_i\log L_{ii}$.
# -->

# %% key="evidence-verify" slide="skip"
A = Gaussian(0.5)(sinc.X) + 0.5 * np.eye(30)
L = np.linalg.cholesky(A)
alpha = np.linalg.solve(A, sinc.y)
terms = -0.5 * sinc.y @ alpha, -np.sum(np.log(np.diag(L))), -15 * np.log(2 * np.pi)
print("fit {:.2f}, complexity {:.2f}, constant {:.2f}".format(*terms))

gp = GaussianProcess(Gaussian(0.5), noise_variance=0.5).fit(sinc.X, sinc.y)
verify("(7) is what GaussianProcess reports", gp.log_marginal_likelihood_, sum(terms))
verify("... and SciPy's density of N(0, A)", multivariate_normal(cov=A).logpdf(sinc.y), sum(terms))
verify("log det A by the eigenvalues", -2 * terms[1], np.sum(np.log(np.linalg.eigvalsh(A))))

# %% [markdown] key="evidence-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Write the density of N(0, A) and take its logarithm together. Ask which term a wiggly process pays, and what n independent standard normal
# numbers cost (the constant, and half of their sum of squares).
#
# </details>

# %% [markdown] key="slope" slide="subslide"
# **Step 6. Its slope.** Let $\partial$ be the derivative in a hyper-parameter $\theta$. From $AA^{-1}=I$ follows $(\partial A)A^{-1}+A\,\partial A^{-1}=0$, so $\partial A^{-1}=-A^{-1}(\partial A)A^{-1}$. And
# $\det(A+h\,\partial A)=\det A\cdot\det(I+hA^{-1}\partial A)$, where to first order in $h$ only the diagonal counts: $1+h\operatorname{tr}(A^{-1}\partial A)$. So
# $\partial\log\det A=\operatorname{tr}(A^{-1}\partial A)$. With $\alpha=A^{-1}y$,
#
# $$\frac{\partial\log p(y)}{\partial\theta}=\tfrac12\,\alpha^\top(\partial A)\,\alpha-\tfrac12\operatorname{tr}\big(A^{-1}\partial A\big)
# =\tfrac12\operatorname{tr}\big((\alpha\alpha^\top-A^{-1})\,\partial A\big). \tag{8}$$
#
# So one climbs uphill with a ready-made optimiser, in the *logarithms* of $\ell$ and $\sigma_n^2$, which are positive. From here on the band does depend on $y$: through what was
# learned from it, and only through that.

# %% [markdown] key="slope-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Two identities, one line. With more time, ask for the sign of the slope in the noise: set too low, α is huge and ααᵀ outweighs A⁻¹.
#
# </details>


# %% key="slope-verify" slide="skip"
def downhill(theta, X, y):
    """-log p(y) and its slope, for θ = (log ℓ, log σ_n²): what an optimiser makes small."""
    ell, noise = np.exp(theta)
    squares = np.sum((X[:, None] - X) ** 2, axis=-1)
    K = np.exp(-squares / (2 * ell**2))
    A = K + noise * np.eye(len(y))
    L, alpha = np.linalg.cholesky(A), np.linalg.solve(A, y)
    height = -0.5 * y @ alpha - np.log(np.diag(L)).sum() - len(y) / 2 * np.log(2 * np.pi)  # (7)
    M = np.outer(alpha, alpha) - np.linalg.inv(A)
    by_length, by_noise = K * squares / ell**2, noise * np.eye(len(y))  # ∂A, in the logarithms
    return -height, -0.5 * np.array([np.sum(M * by_length), np.sum(M * by_noise)])  # (8)


theta = np.log([0.5, 0.5])
ahead_of = [downhill(theta + step, sinc.X, sinc.y)[0] for step in 1e-5 * np.eye(2)]
behind = [downhill(theta - step, sinc.X, sinc.y)[0] for step in 1e-5 * np.eye(2)]
slope = downhill(theta, sinc.X, sinc.y)[1]
verify("(8) is the slope of (7)", slope, np.subtract(ahead_of, behind) / 2e-5, tol=1e-7)

# %% [markdown] key="landscape-predict" slide="slide"
# ## One summit, or two?
#
# **Predict first.** Eight points, four of them close together, two sliders, and the two terms of (7) as bars.
#
# 1. You shrink $\ell$. Which bar *must* fall, whatever the eight points are? Does the other one rise all the way?
# 2. Find the largest $\log p(y)$ that you can, with your own hands. Where are $\ell$ and the noise?
# 3. Is there another setting, quite different, that is nearly as good? What does it *believe* about the eight points?

# %% [markdown] key="landscape-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Let two groups search from different corners; they may report two answers and be right both: a wiggly curve measured well, or a calm one measured badly. Then uncover the landscape.
#
# </details>

# %% key="landscape-figure" hide="input"
rng = np.random.default_rng(6)
eight_x = np.sort(rng.uniform(-5, 5, 8))[:, None]
eight_y = GaussianProcess(1.0 * Gaussian(1.0)).sample(eight_x, 1, rng=6)[0] + 0.3 * rng.normal(
    size=8
)
lengths, noises = np.logspace(-0.7, 1.5, 45), np.logspace(-4, 0.7, 48)


def eight(length, noise):
    return GaussianProcess(Gaussian(length), noise_variance=noise).fit(eight_x, eight_y)


def evidences(length):
    """log p(y) with this length and each of the noises, from one eigendecomposition."""
    values, U = np.linalg.eigh(Gaussian(length)(eight_x))
    variances = values + noises[:, None]
    return -0.5 * np.sum((eight_y @ U) ** 2 / variances + np.log(2 * np.pi * variances), axis=1)


landscape = np.column_stack([evidences(s) for s in lengths])
summits = landscape_explorer(
    (eight_x[:, 0], eight_y), np.linspace(-6.5, 6.5, 260), eight, (lengths, noises, landscape)
)

# %% [markdown] key="landscape-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# **1.** The complexity term falls, always: $A$ with a shorter $\ell$ is $A$ times, entry by entry, the Gram matrix of another Gaussian, whose diagonal is 1, and by *Oppenheim's inequality* such a product has no smaller determinant. The fit may do either. Here, with noise 0.1, it rises to
# $-3.66$ at $\ell=0.3$ and then *falls*, to $-3.76$ at 0.2: a process of short lengths holds neighbours for strangers, and finds it odd that they agree.
#
# **2, 3.** There are **two summits** of almost the same height, $-8.11$ and $-8.15$: a calm curve with $\ell=5.4$ and much noise, or a busy one with $\ell=0.62$ and hardly any.
# With eight points both stories are told by the data.
#
# </details>

# %% key="climb" slide="subslide"
from scipy.optimize import minimize

climbs = {}
for start in ((3.0, 1.0), (0.3, 0.01)):  # ℓ and σ_n²
    found = minimize(downhill, np.log(start), args=(eight_x, eight_y), jac=True, tol=1e-12)
    climbs[str(start)] = *np.exp(found.x), -found.fun

# %% key="climb-table" slide="subslide" hide="input"
table(
    "uphill by (8) on the eight points",
    {"start (ℓ, σ_n²)": "", "ℓ": ".2f", "σ_n²": ".3f", "log p(y)": ".2f"},
    climbs,
)

# %% [markdown] key="climb-reading" slide="fragment"
# An optimiser ends on one of them and reports it as *the* result. Start more than once.

# %% key="landscape-verify" slide="skip" hide="input"
(calm_ell, calm_noise, higher), (busy_ell, busy_noise, lower) = climbs.values()
verify("the higher", higher, "-8.11")
verify("the lower", lower, "-8.15")
verify("the grid knows nothing higher", higher > landscape.max())
verify("the calm one has ℓ", calm_ell, "5.4")
verify("the busy one has ℓ", busy_ell, "0.62")
verify("at noise 0.1 and ℓ = 0.3 the fit", eight(0.3, 0.1).evidence_terms_[0], "-3.66")
verify("at ℓ = 0.2 it is lower", eight(0.2, 0.1).evidence_terms_[0], "-3.76")
falling = [eight(ell, 0.1).evidence_terms_[1] for ell in lengths]
verify("complexity falls with ℓ, all the way", np.all(np.diff(falling) > 0))
product = Gaussian(0.6)(eight_x) * Gaussian(0.8)(eight_x)  # 1/0.48² = 1/0.6² + 1/0.8²
verify("a product of Gaussians is one of shorter ℓ", product, Gaussian(0.48)(eight_x))
learned = GaussianProcess(1.0 * Gaussian(1.0), noise_variance=0.1, optimize=True)
learned.fit(sinc.X, sinc.y)
verify("on sinc, learned noise (sd)", np.sqrt(learned.noise_variance_), "0.115")
chosen = measured("ch04_sinc", "noise-too-low")["noise"]
verify("the least", chosen.min(), "0.08")
verify("the most", chosen.max(), "0.21")

# %% [markdown] key="not-truth" slide="subslide"
# **Nor is the highest summit the truth.** On the thirty sinc points the evidence chooses a noise of standard deviation 0.115; they were made with 0.15. Here other draws gave 0.08 to 0.21, and
# of 200 training sets more get too little than too much. And all that follows is computed as if the chosen numbers were certain.

# %% [markdown] key="co2" slide="slide"
# ## A kernel for the air
#
# Back to Mauna Loa. Sums of kernels are kernels, and a sum of independent processes has the sum of their kernels. So write down what you believe:
#
# | part | kernel | what it says |
# |---|---|---|
# | trend | $66^2$ · Gaussian, $\ell=67$ years | slow, and of any size |
# | season | $2.4^2$ · periodic ($\sigma=1.3$) × Gaussian, 90 years | the same each year, and slowly changing |
# | medium | $0.66^2$ · rational quadratic, 1.2 years, $\alpha=0.78$ | a few good and bad years |
# | short | $0.18^2$ · Gaussian, 0.134 years, and noise | months that hang together, and months that do not |

# %% [markdown] key="co2-source" slide="skip"
# The numbers are those of Rasmussen and Williams' book, in the years and with the rounding of scikit-learn's example. Each part of the prediction can be drawn alone: with $\alpha=A^{-1}y$ from the whole,
# its mean is $k_{\text{part}}(X_*,X)\,\alpha$, and the parts add up. Two kernels are new: *periodic*, $\exp\!\big(-2\sin^2(\pi(x-z)/p)/\sigma^2\big)$ with the period $p$, one year, is a Gaussian on a circle; *rational quadratic*,
# $\big(1+(x-z)^2/(2\alpha\ell^2)\big)^{-\alpha}$, is a mixture of Gaussians of many widths, and *its* $\alpha$ is a shape, no vector of weights.

# %% key="co2-kernel" slide="skip"
parts = {
    "trend": 66**2 * Gaussian(67.0),
    "season": 2.4**2 * Gaussian(90.0) * Periodic(period=1.0, sigma=1.3),
    "medium": 0.66**2 * RationalQuadratic(1.2, 0.78),
    "short": 0.18**2 * Gaussian(0.134),
}
whole = parts["trend"] + parts["season"] + parts["medium"] + parts["short"]
fine, mean_ppm = np.linspace(1958, 2002, 1500)[:, None], ppm.mean()

A = whole(co2.X) + 0.19**2 * np.eye(len(ppm))
alpha = np.linalg.solve(A, ppm - mean_ppm)
means = {name: part(fine, co2.X) @ alpha for name, part in parts.items()}  # k_part(X*, X) α

air = GaussianProcess(whole, noise_variance=0.19**2).fit(co2.X, ppm - mean_ppm)
verify("log p(y) of the whole series", air.log_marginal_likelihood_, "-117.023")
verify("the parts add up to the mean", sum(means.values()), air.predict(fine), tol=1e-6)

# %% [markdown] key="co2-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask for the parts before the table: what is in the curve of the beginning? Let them give each a length and a height; then compare. Ask why the
# season is a product of two kernels, and not a sum.
#
# </details>

# %% key="co2-parts" slide="subslide" hide="input"
fig, axes = plt.subplots(2, 2, figsize=(8.4, 4.8))
for ax, (name, part) in zip(axes.flat, parts.items(), strict=True):
    ax.set_title(name, fontsize=11)
    if name == "season":  # one year of it, early and late
        for i, first in enumerate((1960, 2000)):
            one_year = np.linspace(first, first + 1, 100)[:, None]
            drawn = part(one_year, co2.X) @ air.dual_coef_
            ax.plot(12 * (one_year - first), drawn, label=str(first), **cycle(i))
        ax.set(xlabel="months from the first of January", xticks=[0, 3, 6, 9, 12])
        ax.legend()
    else:
        ax.plot(fine, means[name] + (mean_ppm if name == "trend" else 0), linewidth=1, **cycle(0))
        ax.set_xlabel("year")
for ax in axes[:, 0]:
    ax.set_ylabel("ppm")
axes[1, 0].axvline(1991.45, color="#555555", linestyle=":", linewidth=1.5)
axes[1, 0].text(1990, -0.95, "June 1991", ha="right", va="center")
show(
    fig,
    alt="Four curves, in ppm. Over the years 1958 to 2002 a smooth trend that bends upwards, "
    "medium-term ups and downs of about 1, with the deepest dip in 1993, after a dotted line at "
    "June 1991, and short ripples of a few tenths. Over one year the season, highest in May and "
    "lowest in autumn, and larger in 2000 than in 1960.",
)

# %% [markdown] key="co2-parts-reading"
# The kernel says how each part looks; conditioning does the rest. The season has grown, which no one put in. Remember the dip of 1993.

# %% key="co2-parts-verify" slide="skip" hide="input"
early, late = (means["season"][when] for when in (fine[:, 0] < 1968, fine[:, 0] > 1992))
verify("the season has grown", np.ptp(late) > 1.03 * np.ptp(early))
dip = fine[means["medium"].argmin(), 0]
verify("the deepest dip of the medium part is in", np.floor(dip), "1993")

# %% [markdown] key="forecast-predict" slide="subslide"
# **Predict first.** The forecast below has seen the years before 1992, and goes on for ten.
#
# 1. Switch the *trend* off. Where does the forecast go, and how does the band know?
# 2. Switch off the *season*. Does the band become wider, or is it wrong without knowing it?
# 3. Move the date back to 1980. Is the forecast of the eighties better or worse than that of the nineties?

# %% [markdown] key="forecast-notes" slide="notes"
# <details><summary>For the lecturer (5 min)</summary>
#
# Take the papers from the beginning: whose band holds? Switch parts off, always with a prediction. Why does the mean without a trend stop well above the prior mean? (The season's kernel has a part that is constant over the year.)
# Ask what would reveal a wrong model: the evidence, and coverage on held-out years.
#
# </details>


# %% key="forecast-figure" hide="input"
def forecast(names, cut):
    before = year < cut
    noise, mean = 0.19**2, ppm[before].mean()
    ahead = cut + np.arange(0, 120) / 12
    if not names:
        return ahead, np.full(120, mean), np.full(120, np.sqrt(noise))
    kernel = parts[names[0]]
    for name in names[1:]:
        kernel = kernel + parts[name]
    gp = GaussianProcess(kernel, noise_variance=noise).fit(co2.X[before], ppm[before] - mean)
    m, sd = gp.predict(ahead[:, None], return_std=True, with_noise=True)
    return ahead, m + mean, sd


air_knobs = forecast_explorer(year, ppm, parts, forecast)

# %% [markdown] key="forecast-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# 1. It falls by some 8 ppm within four years and stays near 348 ppm, 15 above the mean of the past: the season's kernel, which changes over 90 years, carries what it can of a trend. The band stays narrow and holds none of what came.
# 2. The band hardly changes, and is wrong twice a year: of April to June, and of September and October, most lies outside.
# 3. From 1980 the kernel is off by 1.29 ppm and holds 99 %, from 1992 by 1.36 ppm and 92 %.
#
# A band is as right as the model, and **it does not see what comes**, so it cannot report that the model is wrong.
#
# </details>

# %% key="forecast-verify" slide="skip" hide="input"
_, no_trend, sd_no_trend = forecast(("season", "medium", "short"), 1992.0)
by_year = no_trend.reshape(10, 12).mean(axis=1)
fallen = ppm[past][-12:].mean() - by_year[3]
verify("without the trend: the last year seen, less the fourth year (ppm)", fallen, "8")
verify("without the trend it stays near (ppm)", by_year[2:].mean(), "348")
verify("above the mean of the past by (ppm)", by_year[2:].mean() - ppm[past].mean(), "15")


def judged(names, cut):
    """Error of the forecast, and which months of the ten years its band held."""
    at, m, sd = forecast(names, cut)
    later = (year >= cut) & (year < cut + 10)
    miss = ppm[later] - np.interp(year[later], at, m)
    return np.sqrt(np.mean(miss**2)), np.abs(miss) <= 1.96 * np.interp(year[later], at, sd)


held_of_it = judged(("season", "medium", "short"), 1992.0)[1]
verify("without the trend the band holds none of what came", not held_of_it.any())
sd_whole = forecast(tuple(parts), 1992.0)[2]
verify("its band is no wider", sd_no_trend.mean() < sd_whole.mean())
sd_no_season = forecast(("trend", "medium", "short"), 1992.0)[2]
verify("without the season the band hardly changes", sd_no_season / sd_whole, 1.0, tol=0.06)
kept = judged(("trend", "medium", "short"), 1992.0)[1].reshape(10, 12).mean(axis=0)
verify("of which months most lies outside", np.flatnonzero(kept < 0.5) + 1, [4, 5, 6, 9, 10])
quoted = {1980: ("1.29", "99"), 1992: ("1.36", "92")}
for cut, (rmse_then, inside_then) in quoted.items():
    rmse, inside = judged(tuple(parts), float(cut))
    verify(f"from {cut}, RMSE (ppm)", rmse, rmse_then)
    verify(f"from {cut}, inside (%)", 100 * inside.mean(), inside_then)

# %% [markdown] key="honest" slide="slide"
# ## Was it any good?
#
# A forecast is judged against simple ones, on years that had no part in it. And the numbers printed in the book were learned from a series that
# *went on beyond 1992*: whoever forecasts from 1992 with them has seen the future. So we also learn them afresh, from
# the years before 1992 alone, starting at round numbers that anybody might guess (only the year stays fixed, and the medium part's $\alpha$, at 1; other starts come below).
#
# The simple rule: repeat last year's months and add, for each year ahead, the mean yearly rise of the last ten years (ten, because we look ten years ahead). **Which comes nearer to what came? And which band keeps its word?**

# %% [markdown] key="honest-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask before the table: which simple rule comes near the Gaussian process? Who has seen the future? Then the last row.
#
# </details>

# %% key="honest-learn" slide="skip"
guessed = (
    50**2 * Gaussian(50.0)
    + 2**2 * Gaussian(100.0) * Periodic(period=1.0, sigma=1.0)
    + 1.0 * RationalQuadratic(1.0, 1.0)
    + 0.1**2 * Gaussian(0.1)
)
held = [name for name in air.theta_names_ if name.endswith(("period", "alpha"))]
mean_past = ppm[past].mean()
fresh = GaussianProcess(guessed, noise_variance=0.1**2, optimize=True, fixed=held)
fresh.fit(co2.X[past], ppm[past] - mean_past)  # climbs (7) by (8), about a second
printed = GaussianProcess(whole, noise_variance=0.19**2).fit(co2.X[past], ppm[past] - mean_past)

# %% key="honest-table" slide="subslide" hide="input"
came, ahead = ppm[~past], co2.X[~past]
cuts = measured("ch04_cuts", "arithmetic-nearer", "past-misses", "half-as-wide")
scores = {
    name: (cuts[key][-1], 100 - cuts[f"{key}: outside"][-1] if banded else None)
    for name, key, banded in (
        ("last year again", "last year again", False),
        ("last year + rise of ten years", "drift of 10 years", False),
        ("whole kernel, as printed", "as printed", True),
        ("whole kernel, learned before 1992", "learned", True),
    )
}
table(
    "Forecasts of ten years from 1992",
    {"method": "", "RMSE (ppm)": ".2f", "inside the 95 % band (%)": ".0f"},
    scores,
)

# %% key="honest-picture" slide="subslide" hide="input"
(m, sd), (m_printed, sd_printed) = (
    gp.predict(ahead, return_std=True, with_noise=True) for gp in (fresh, printed)
)
m, m_printed = m + mean_past, m_printed + mean_past
x_ahead, recent = ahead[:, 0], past & (year >= 1989)
fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2))
left.plot(year[recent], ppm[recent], color="black", linewidth=1)
left.fill_between(x_ahead, m - 1.96 * sd, m + 1.96 * sd, color="#9ec5e3", label="95 %, learned")
left.plot(x_ahead, came, ".", color="black", markersize=3, label="what came")
left.set(xlabel="year", ylabel="CO₂ (ppm)")
left.legend(loc="upper left")
right.fill_between(x_ahead, -1.96 * sd, 1.96 * sd, color="#9ec5e3")
for sign in (-1, 1):
    edge = m_printed - m + sign * 1.96 * sd_printed
    right.plot(x_ahead, edge, label="as printed" if sign > 0 else None, **cycle(1))
right.plot(x_ahead, came - m, ".", color="black", markersize=4)
right.set(xlabel="year", ylabel="less the learned forecast (ppm)", ylim=(-4.6, 6.4))
right.legend(loc="upper left")
show(
    fig,
    alt="Left: CO₂ from 1989, the band learned before 1992 over the next ten years, and what came, "
    "along its lower edge. Right: the same less the learned forecast: what came lies below the "
    "band in 1993 and is back in its middle from 1998 on; the printed band is a little higher.",
)

# %% [markdown] key="honest-reading"
# **The mean.** The arithmetic is off by 1.07 ppm, and so is the whole kernel, learned from this start. **The band.** As printed it holds 92 %, but has seen these years. Learned from the past alone it
# holds 79 %: all misses lie below it, and of 1993 it holds nothing.
#
# **Why?** CO₂ rose by 0.79 ppm in 1992 and by 0.66 in 1993, after 1.2 to 2.5 ppm a year in the ten years before. In June 1991 the volcano Pinatubo had erupted, and cool years followed; how much of the pause was
# its doing, Sarmiento (1993) and Keeling and others (1995) discuss. A band of 95 % ought to leave room for such things.
#
# <!-- slide
# Of 1993 the learned band holds nothing: CO₂ rose by 0.79 and 0.66 ppm in 1992 and 1993, after 1.2 to 2.5 a year. In June 1991 *Pinatubo* erupted.
# -->

# %% key="honest-verify" slide="skip" hide="input"
verify("the arithmetic, RMSE (ppm)", scores["last year + rise of ten years"][0], "1.07")
verify("learned before 1992, RMSE (ppm)", scores["whole kernel, learned before 1992"][0], "1.07")
verify("learned before 1992, inside (%)", scores["whole kernel, learned before 1992"][1], "79")
verify("as printed, inside (%)", scores["whole kernel, as printed"][1], "92")
verify("this fit is the table's", np.sqrt(np.mean((came - m) ** 2)), cuts["learned"][-1], tol=0.02)
outside = (np.abs(came - m) > 1.96 * sd).reshape(10, 12)
verify("of 1993 the band holds nothing", outside[1].all())
verify("all that is outside came below the band", (came < m - 1.96 * sd).reshape(10, 12), outside)
rises = np.diff(ppm[year >= 1981 - 1e-6].reshape(-1, 12).mean(axis=1))  # into 1982, 1983, …
verify("rise into 1992 (ppm)", rises[10], "0.79")
verify("rise into 1993 (ppm)", rises[11], "0.66")
verify("the least of the ten before", rises[:10].min(), "1.2")
verify("the largest of the ten before", rises[:10].max(), "2.5")

# %% [markdown] key="origins" slide="subslide"
# **One date is one event.** So do all of it again from the first of January of each year from 1975 to 1992, everything learned afresh before each. (Neighbouring dates share nine of their ten years: these 18 are two or three decades.) The
# arithmetic gets a band, too, without a model: $\pm1.96$ times the root mean square of its own misses one, two, … ten years ahead, at all earlier dates from 1969 on, the first with ten years behind it. (Years so far ahead that none has been judged yet, for dates up to 1978, go on in proportion.)
#
# **Predict first.** Which mean is nearer, on average? Which band keeps its word, and at what price?

# %% [markdown] key="origins-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Collect votes on both. Then the picture: ask when the process fails, and on which side (1976 and 1977: the rise got faster; 1989 to 1991: it paused).
#
# </details>

# %% key="origins-picture" slide="subslide" hide="input"
fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2))
for i, (name, error, out) in enumerate(
    (
        ("Gaussian process, learned", "learned", "learned: outside"),
        ("arithmetic", "drift of 10 years", "drift of 10 years: outside"),
    )
):
    how = cycle(i) | {"marker": "os"[i], "markersize": 5}
    left.plot(cuts["cut"], cuts[error], label=name, **how)
    right.plot(cuts["cut"], 100 - cuts[out], **how)
right.axhline(95, color="#555555", linestyle=":", linewidth=1.5)
right.text(1983, 80, "dotted: 95 %,\nas promised", ha="center", va="top")
left.set(xlabel="forecast from", ylabel="RMSE (ppm)", ylim=(0, 5))
right.set(xlabel="forecast from", ylabel="inside the 95 % band (%)", ylim=(0, 105))
for ax in (left, right):
    ax.set_xticks([1975, 1980, 1985, 1990])
left.legend(loc="upper right")
show(
    fig,
    alt="Against the date of the forecast, 1975 to 1992. Left, RMSE in ppm: the Gaussian process "
    "is worse at the beginning, up to 3.9 in 1977, better at most dates from 1980 on, worse again "
    "from 1989 on; the arithmetic stays between 0.8 and 2.8. Right, what the band held: the "
    "process's "
    "over 90 % at most dates, but 16 % in 1977 and about half from 1989 to 1991; the "
    "arithmetic's over 90 % everywhere.",
    answer="18 forecasts",
)

# %% key="origins-table" slide="subslide" hide="input"
best = measured("ch04_starts", "higher-summit")


def of_dates(error, outside, width):
    return error.mean(), 100 - outside.mean(), 100 - outside.max(), width.mean()


def at_cuts(name):
    return of_dates(*(cuts[key] for key in (name, f"{name}: outside", f"{name}: half width")))


table(
    "Means of 18 dates",
    {
        "method": "",
        "RMSE (ppm)": ".2f",
        "inside (%)": ".0f",
        "worst date (%)": ".0f",
        "half width at the end (ppm)": ".1f",
    },
    {
        "process, learned, one start": at_cuts("learned"),
        "… highest of five starts": of_dates(best["error"], best["outside"], best["half width"]),
        "… with α learned, too": at_cuts("with α learned"),
        "last year again": at_cuts("last year again"),
        "arithmetic, rise of 2 years": at_cuts("drift of 2 years"),
        "… of 5 years": at_cuts("drift of 5 years"),
        "… of 10 years": at_cuts("drift of 10 years"),
    },
    answer="Errors and bands",
)

# %% [markdown] key="origins-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# **The mean:** no clear winner; at ten of the 18 cuts the arithmetic is nearer to what came. Its window matters more than the method, and that five years do best here one knows afterwards.
#
# **The band:** the process's holds 82 % on average, but 16 % from 1977 and about half from 1989 to 1991. That of past misses holds 99 %:
# it is wider than the process's at every cut, about twice as wide, and at each cut at least nine tenths of what came lie inside it.
#
# **Starts:** four more (each number times $e^z$, $z$ normal) end higher before three of the 18 dates, by at most 0.7, and forecast no better: from 1992 1.23 ppm and 72 %. The evidence judges the past.
#
# **Past misses know of past surprises; a kernel knows only of what was put in.** Compute both.
#
# </details>

# %% key="origins-verify" slide="skip" hide="input"
inside = 100 - cuts["learned: outside"]
verify("learned, inside (%)", inside.mean(), "82")
verify("... from 1977", inside[cuts["cut"] == 1977][0], "16")
later = inside[(cuts["cut"] >= 1989) & (cuts["cut"] <= 1991)]
verify("... about half from 1989 to 1991", 45 < later.min() and later.max() < 55)
verify("past misses, inside (%)", 100 - cuts["drift of 10 years: outside"].mean(), "99")
windows = {n: cuts[f"drift of {n} years"].mean() for n in (2, 3, 5, 10)}
verify("five years do best", min(windows, key=windows.get) == 5)
apart = abs(windows[10] - cuts["learned"].mean())
verify("the windows differ more than the methods", windows[2] - windows[5] > 2 * apart)
rise = best["log p(y) of the highest"] - best["log p(y) of the first"]
verify("dates with a higher summit", best["cut"][rise > 0.01], [1990, 1991, 1992])
verify("higher by at most", rise.max(), "0.7")
verify("their errors are not smaller", np.all((best["error"] > cuts["learned"])[rise > 0.01]))
verify("from 1992, RMSE (ppm)", best["error"][-1], "1.23")
verify("... inside (%)", 100 - best["outside"][-1], "72")
wider = cuts["drift of 10 years: half width"] / cuts["learned: half width"]
verify("how much wider", wider.mean(), "2")
errors = cuts["drift of 10 years"]
verify("its least error", errors.min(), "0.8")
verify("its largest", errors.max(), "2.8")
verify("the largest of the process", cuts["learned"].max(), "3.9")

# %% [markdown] key="find-error" slide="slide"
# ## Find the error
#
# A report: “We use a Gaussian process with the known noise, standard deviation 0.15, and give the 95 % interval for the next measurement.” Somebody counts: of 100 000 new measurements 98.9 % are inside. *Even better than promised*, says the author. **Read before you go on: there are two mistakes.**
#
# ```python
# gp = GaussianProcess(Gaussian(0.5), noise_variance=0.15).fit(X, y)
# mean, sd = gp.predict(X_new, return_std=True)
# low, high = mean - 1.96 * sd, mean + 1.96 * sd
# ```

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# One mistake makes the band wider, the other narrower; ask which is which, and why the two together can look right on an unlucky day.
#
# </details>

# %% key="find-error-table" slide="fragment" hide="input"
rng = np.random.default_rng(1)
fresh_x = rng.uniform(-3, 3, (100_000, 1))
fresh_y = np.sinc(fresh_x[:, 0]) + rng.normal(scale=0.15, size=100_000)


def coverage(noise_variance, with_noise):
    gp = GaussianProcess(Gaussian(0.5), noise_variance=noise_variance).fit(sinc.X, sinc.y)
    m, sd = gp.predict(fresh_x, return_std=True, with_noise=with_noise)
    return 100 * np.mean(np.abs(fresh_y - m) <= 1.96 * sd)


table(
    "100 000 new measurements",
    {"report": "", "inside the interval (%)": ".1f"},
    {
        "as written": coverage(0.15, False),
        "one mistake fixed": coverage(0.15**2, False),
        "the other fixed": coverage(0.15, True),
        "both fixed": coverage(0.15**2, True),
    },
)

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What it computes</b> (open this once you have written down your answers)</summary>
#
# `noise_variance` is a *variance*: 0.15 is the square of 0.39, so the process believes in far more noise than there is, and its band of the curve becomes wide. And `predict` gives the band of the *curve* unless it is asked for a measurement's,
# `with_noise=True`. The first mistake widens, the second narrows. Fix only the first, and 74.0 % are inside; fix only the second, and it is all of them. An interval that holds more than it promises is as wrong as one that holds less.
#
# </details>

# %% key="find-error-verify" slide="skip" hide="input"
verify("both fixed: about 95 %", abs(coverage(0.15**2, True) - 95) < 3)
verify("as written (%)", coverage(0.15, False), "98.9")
verify("fixing the first alone (%)", coverage(0.15**2, False), "74.0")
verify("fixing the second alone: all of them", coverage(0.15, True) > 99.9)
verify("0.15 is the square of", np.sqrt(0.15), "0.39")

# %% [markdown] key="sklearn" slide="slide"
# ## The same in scikit-learn
#
# The kernel of the air once more. Its noise is a part of the kernel, `WhiteKernel`; ours stands beside it.

# %% key="sklearn-code"
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ExpSineSquared, WhiteKernel
from sklearn.gaussian_process.kernels import RationalQuadratic as RQ


def theirs(trend, long, season, slow, shape, medium, years, alpha, short, months, noise):
    wave = ExpSineSquared(shape, periodicity=1.0, periodicity_bounds="fixed")
    return (
        trend**2 * RBF(long)
        + season**2 * RBF(slow) * wave
        + medium**2 * RQ(years, alpha, alpha_bounds="fixed")
        + short**2 * RBF(months)
        + WhiteKernel(noise**2)
    )

# %% key="sklearn-equal" slide="subslide"
book = theirs(66, 67, 2.4, 90, 1.3, 0.66, 1.2, 0.78, 0.18, 0.134, 0.19)
model = GaussianProcessRegressor(book, alpha=0, optimizer=None).fit(co2.X, ppm - mean_ppm)
ours = air.log_marginal_likelihood_  # a sine of π times 1960 has lost some digits
verify("log p(y)", model.log_marginal_likelihood_value_, ours, tol=1e-8)
their_mean, their_sd = model.predict(fine, return_std=True)
our_mean, our_sd = air.predict(fine, return_std=True, with_noise=True)
verify("the mean", their_mean, our_mean, tol=1e-6)
verify("with a WhiteKernel the band is that of a new measurement", their_sd, our_sd, tol=1e-6)

# %% [markdown] key="sklearn-starts" slide="subslide"
# **Predict first.** Now it learns, from the years before 1992, as it does unless told otherwise: one start. We start it from our round numbers, and once more with all ten numbers at 1. Will the two forecasts be the same?

# %% [markdown] key="sklearn-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Vote. After the table, ask how one would have noticed without the second start.
#
# </details>

# %% key="sklearn-table" slide="subslide" hide="input"
starts = {
    "round numbers": theirs(50, 50, 2, 100, 1.0, 1.0, 1.0, 1.0, 0.1, 0.1, 0.1),
    "all at 1": theirs(*[1.0] * 11),
}
ends, noises_learned = {}, {}
for name, kernel in starts.items():
    model = GaussianProcessRegressor(kernel, alpha=0).fit(co2.X[past], ppm[past] - mean_past)
    m, sd = model.predict(ahead, return_std=True)
    miss = came - m - mean_past
    held_it = 100 * np.mean(np.abs(miss) <= 1.96 * sd)
    ends[name] = model.log_marginal_likelihood_value_, np.sqrt(np.mean(miss**2)), held_it
table(
    "learned by scikit-learn before 1992",
    {"start": "", "log p(y)": ".2f", "RMSE of ten years (ppm)": ".2f", "inside (%)": ".0f"},
    ends,
    answer="Two starts",
)

# %% [markdown] key="sklearn-reading" slide="fragment"
# <details><summary><b>What one start does</b> (open this once you have written down your answer)</summary>
#
# `n_restarts_optimizer` is 0. From ones the climb ends at $-103.14$ and not at $-96.35$: its short part has become a second trend, and no warning says so. Before each of the 18 cuts the start from ones ends lower, by 4 to 7.
#
# </details>

# %% [markdown] key="sklearn-traps" slide="subslide"
# **More traps,** each as it happens here.
#
# - *Noise twice.* With `WhiteKernel` **and** `alpha=0.19**2` it counts twice: $-142.84$. Both are variances; `alpha` alone gives the band of the curve.
# - *The level.* `normalize_y=False`: the prior mean is 0. With `ppm` not centred, $-141.40$.
# - *A bound.* The learned shape $\alpha$ of the medium part runs to its bound, $10^5$, before every cut. That warns of the model (a Gaussian would do), not of the optimiser.

# %% key="sklearn-verify" slide="skip" hide="input"
verify("from round numbers", ends["round numbers"][0], "-96.35")
ours = fresh.log_marginal_likelihood_
verify("... our own climb ends there", ends["round numbers"][0], ours, tol=1e-6)
verify("from ones", ends["all at 1"][0], "-103.14")
lengths_low = [part.k2.length_scale for part in (model.kernel_.k1.k1.k1.k1, model.kernel_.k1.k2)]
verify("the short part has the length of the trend", *lengths_low, tol=1e-2)
again = measured("ch04_cuts", "two-summits")
gaps = again["log p(y)"] - again["log p(y) from ones"]
verify("the smallest gap", gaps.min(), "4")
verify("the largest", gaps.max(), "7")
verify("α at its bound, before every cut", again["α"], 1e5)
for alpha_too, y, value in ((0.19**2, ppm - mean_ppm, "-142.84"), (0, ppm, "-141.40")):
    trap = GaussianProcessRegressor(book, alpha=alpha_too, optimizer=None).fit(co2.X, y)
    verify("fallen into a trap, log p(y)", trap.log_marginal_likelihood_value_, value)
alone = GaussianProcessRegressor(book.k1, alpha=0.19**2, optimizer=None)
curve_sd = alone.fit(co2.X, ppm - mean_ppm).predict(fine, return_std=True)[1]
our_sd = air.predict(fine, return_std=True)[1]
verify("alpha alone: the band of the curve", curve_sd, our_sd, tol=1e-6)

# %% [markdown] key="cost" slide="slide"
# ## What it costs, and when not to use it
#
# One Cholesky factor, $n^3/3$ operations; then a mean costs $n$ a point, a variance $n^2$. *Learning* takes a factor and, for (8), an inverse at every step uphill. Memory is $n^2$ numbers: 3.2 gigabytes at $n=20\,000$, and a step needs two to three such matrices.
#
# **What does the band cost beside the mean? And what becomes of $K$ when $\ell$ is long beside the distance of the places?**

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask for both answers first (operations: a factor of n; two nearly equal rows).
#
# </details>

# %% key="cost-picture" slide="subslide" hide="input"
cost, condition = measured("ch04_cost"), measured("ch04_condition")
big = cost["n"] >= 1000
names = ("step uphill", "fit", "500 means and variances", "500 means")
slopes = {k: np.polyfit(np.log(cost["n"][big]), np.log(cost[k][big]), 1)[0] for k in names}
fig, (left, right) = plt.subplots(1, 2, figsize=(10.4, 4.4))
for i, name in enumerate(names):
    label = f"{name}: n^{slopes[name]:.1f}"
    left.plot(cost["n"], cost[name], label=label, marker="o", markersize=3.5, **cycle(i))
left.set(xscale="log", yscale="log", xlabel="number of points n", ylabel="time (s)")
left.set_ylim(top=80 * cost["step uphill"].max())
left.set_xticks([500, 1000, 2000, 4000], ["500", "1000", "2000", "4000"])
left.minorticks_off()
left.legend(loc="upper left")
for i, (name, label) in enumerate(
    (("0", "K"), ("1e-10", "K + 10⁻¹⁰ I"), ("1e-06", "K + 10⁻⁶ I"), ("0.01", "K + 10⁻² I"))
):
    values = np.minimum(condition[f"jitter {name}"], 1e17)
    right.plot(condition["length"], values, label=label, **cycle(i))
right.axhline(2.0**52, color="#777777", linestyle=":", linewidth=1)
right.text(6.3, 2.0**50, "limit of the arithmetic", va="top", ha="right")
right.set(xscale="log", yscale="log", xlabel="length scale ℓ", ylabel="condition number")
right.set_ylim(1, 1e25)
right.set_xticks([0.1, 0.2, 0.5, 1, 2, 5], ["0.1", "0.2", "0.5", "1", "2", "5"])
right.minorticks_off()
right.legend(loc="upper left", ncols=2)
show(
    fig,
    alt="Left: time against the number of points, 500 to 4000, both on logarithmic axes: a step "
    "uphill is the dearest, then a fit, then means with variances at 500 places, far below "
    "them the means alone. Right: condition number against the length scale for fifty places "
    "0.2 apart: that of K passes the limit of the arithmetic near a length of 0.6; with "
    "a jitter it levels off, the lower the larger the jitter.",
)

# %% [markdown] key="cost-reading"
# A step uphill costs two to three fits, a band at 500 places some ten times its mean at $n=1000$, and more the more points there are. **Condition:** for fifty places 0.2 apart and $\ell\ge0.8$ the least eigenvalue of $K$ is below rounding, and Cholesky refuses. With noise the condition of $A$ is at most
# $1+\operatorname{tr}K/\sigma_n^2$: *noise is what makes the system solvable*. Who has none adds a *jitter* (our explorer $10^{-6}$), and it is a belief in noise. The evidence notices: $\log p(y)$ of fifty exact values of a sine, $\ell=1$, is 303 with $10^{-10}$ and 185 with $10^{-6}$.
#
# **When not:** when only the mean is wanted and a simple rule gives it; when the noise is not normal, or not the same everywhere (before the crash of chapter 3 and in it), since the band then promises what no one keeps; when $n$ is beyond some ten thousand (chapter 10 makes it smaller); and whenever nobody will look at the band.
#
# <!-- slide
# A band at 500 places costs some ten times its mean at $n=1000$, and more with more points. *Noise is what makes the system solvable*; a *jitter* is a belief in noise. **When not:** only a mean is wanted, and a simple rule gives it; the noise is not normal, or not the same everywhere; beyond some ten thousand points.
# -->

# %% key="cost-verify" slide="skip" hide="input"
verify("a matrix at n = 20 000 (GB)", K.itemsize * 20_000**2 / 1e9, "3.2")
matrices = (cost["MB of a step"] / (8e-6 * cost["n"] ** 2))[big]
verify("a step needs two to three matrices", 2 < matrices.min() and matrices.max() < 3.3)
steps = (cost["step uphill"] / cost["fit"])[big]
verify("it costs two to three fits", 1.7 < steps.min() and steps.max() < 3.5)
dear = (cost["500 means and variances"] / cost["500 means"])[big]
verify("the band costs tens of times the mean", 8 < dear.min() and dear.max() < 120)
verify("Cholesky refuses from ℓ = 0.8 on", condition["factor"], condition["length"] < 0.75)
A_air = whole(co2.X) + 0.19**2 * np.eye(521)
w_air = np.linalg.eigvalsh(A_air)
verify("the bound, for the air", w_air[-1] / w_air[0] < np.trace(A_air) / 0.19**2)
fifty = np.linspace(0, 9.8, 50)[:, None]
for jitter, value in ((1e-10, "303"), (1e-6, "185")):
    exact = GaussianProcess(Gaussian(1.0), noise_variance=jitter).fit(fifty, np.sin(fifty[:, 0]))
    verify(f"log p(y) with jitter {jitter:g}", exact.log_marginal_likelihood_, value)

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - A kernel is a covariance. Conditioning a joint normal: find $B$ so that $f_*-By$ is uncorrelated with $y$.
# - Mean = kernel ridge regression with $\lambda=\sigma_n^2$. Variance = prior minus what was learnt; as long as kernel and noise are given, $y$ does not occur.
# - The band of the curve, and the band of a measurement: their variances differ by $\sigma_n^2$.
# - $\log p(y)$ = fit + complexity; several summits, and the highest is not the truth.
# - Kernels of parts give parts. Judge the band by what came, from many dates, where it matters, and beside past misses.
#
# **And the air?** Learned before 1992, the half width of the band at the end of 2001 is 3.3 ppm (as printed, 3.6), and past misses of the arithmetic give 7.4. Lay them beside the one that you drew at the beginning.

# %% key="recap-verify" slide="skip" hide="input"
verify("learned, half width at the end of 2001 (ppm)", cuts["learned: half width"][-1], "3.3")
verify("as printed (ppm)", cuts["as printed: half width"][-1], "3.6")
verify("of past misses (ppm)", cuts["drift of 10 years: half width"][-1], "7.4")

# %% [markdown] key="recap-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Papers from the beginning, once more, beside 3.3 and 7.4 ppm: how wide would they draw the band now?
#
# </details>

# %% [markdown] key="quiz" slide="slide"
# ## Five questions
#
# <details><summary>1. You will measure at five places tomorrow. What can you say about your band already today?</summary>
#
# Everything, as long as kernel and noise are given: it depends on the places, not on the results. If you learn the kernel from the results, they move the band, too.
#
# </details>
#
# <details><summary>2. A point is measured twice, with results 1 and 3. Where does the mean go, and what happens to the variance?</summary>
#
# Towards their mean 2, and the variance falls as if the point had been measured once with half the noise variance.
#
# </details>
#
# <details><summary>3. All of 120 <i>independent</i> new measurements lie inside your 95 % band. Good? And if they are ten years of months?</summary>
#
# A band that keeps its word has such luck once in some 470 times, so yours is probably too wide. Months hang together: there it may be one piece of luck, not 120.
#
# </details>
#
# <details><summary>4. Far from all data your band is ± 2. You scale the kernel by 9. What is it now?</summary>
#
# ± 6: it saturates at the prior standard deviation, which has become three times as large.
#
# </details>
#
# <details><summary>5. Two optimisers return different hyper-parameters. Which is right?</summary>
#
# Compare $\log p(y)$; and if both are summits of similar height, say so: the data do not decide.
#
# </details>

# %% [markdown] key="quiz-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Two of the five, by show of hands before each fold is opened; the others at home.
#
# </details>

# %% key="quiz-verify" slide="skip" hide="input"
double = GaussianProcess(Gaussian(1.0), noise_variance=0.5).fit([[0.0], [0.0]], [1.0, 3.0])
single = GaussianProcess(Gaussian(1.0), noise_variance=0.25).fit([[0.0]], [2.0])
verify(
    "question 2: two measurements are one with half the noise variance",
    np.concatenate(double.predict(places, return_std=True)),
    np.concatenate(single.predict(places, return_std=True)),
)
luck = (norm.cdf(1.96) - norm.cdf(-1.96)) ** 120
verify("question 3: all inside, once in", 10 * round(0.1 / luck), "470")
wide = GaussianProcess(9.0 * Gaussian(1.0), noise_variance=0.25).fit([[0.0]], [1.0])
verify(
    "question 4: two prior standard deviations",
    2 * wide.predict([[50.0]], return_std=True)[1][0],
    "6",
)
verify("... and the mean is 0 there", abs(wide.predict([[50.0]])[0]) < 1e-12)

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are told which one.
# *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch04_gp")

# %% [markdown] key="references" numbers="free" slide="skip"
# ## To read on
#
# - C. E. Rasmussen and C. K. I. Williams, *Gaussian Processes for Machine Learning*, 2006, free on the web: chapter 2, algorithm 2.1; section 5.4.3 for Mauna Loa; chapter 6 for the relation to reproducing kernel Hilbert spaces.
# - M. Kanagawa, P. Hennig, D. Sejdinovic and B. K. Sriperumbudur, *Gaussian processes and kernel methods: a review on connections and equivalences*, 2018.
# - J. Görtler, R. Kehlbeck and O. Deussen, *A visual exploration of Gaussian processes*, Distill, 2019.
# - The series: C. D. Keeling and others, *Atmospheric carbon dioxide variations at Mauna Loa Observatory, Hawaii*, Tellus 28, 1976; here the weekly file of the package statsmodels, averaged by month (`load_co2`).
# - The pause: J. L. Sarmiento, *Atmospheric CO₂ stalled*, Nature 365, 1993; C. D. Keeling and others, *Interannual extremes in the rate of rise of atmospheric carbon dioxide since 1980*, Nature 375, 1995.
# - One of this course's sources only names Gaussian processes, and points to slides that are not part of it; this chapter follows the books.
#
# **Next:** [the sheet](../exercises/ch04_gp_sheet.ipynb).
