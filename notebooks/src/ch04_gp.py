# %% [markdown] key="title" slide="slide"
# # Gaussian processes
#
# The curves of the last chapter are drawn with the same confidence everywhere. This chapter asks each of them one more
# question: *how sure are you?* The answer costs one more line of algebra, and it can be checked.

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

# %% [markdown] key="question" slide="slide" tags=["hour"]
# ## The ten years after the data
#
# On Mauna Loa, a volcano in Hawaii far from chimneys, the carbon dioxide in the air has been measured since 1958.
# Here are monthly means, in parts per million. We stop reading at the end of 1991. **What will the next ten years be,
# and how far off may you be?**
#
# <!-- slide
# ## What will the next ten years be, and how far off may you be?
#
# On Mauna Loa, far from chimneys, the carbon dioxide in the air has been measured since 1958, here in
# monthly means. We stop reading at the end of 1991.
# -->

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Go on to the picture, and let them draw the curve and the band on paper. Collect half widths for the end of 2001 on the board and keep them.
# Ask where the band should be narrow and where wide, and what one would need to know to say so.
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
# The curve has a trend that bends upwards, a season, and something irregular between the two. Draw its future, and
# around it a band that should contain each month with a probability of 95 %. To do better than a guess, you need a
# model of what you do not know.
#
# <!-- slide
# **Draw the curve, and a band that should contain each month with a probability of 95 %.**
# -->

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# - condition a joint normal distribution, and read the result as prediction and band;
# - say why the mean is kernel ridge regression, and on what the band does not depend;
# - tell the band of the curve from the band of a new measurement;
# - compute the marginal likelihood and its gradient, and read its two terms;
# - build a kernel out of parts, and compare its forecast and band with later observations.

# %% [markdown] key="objectives-need" slide="skip"
# You need chapter 3, the normal distribution, and covariance. **Reading:** two to three hours. **Lecture:** two
# 45-minute lectures. **Exercises:** two to three hours, [in the exercise notebook](../exercises/ch04_gp_sheet.ipynb).

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Do not leave out: conditioning, the two bands, the marginal likelihood, and the forecasts from 18 dates.
#
# Can be skipped: One measurement with pencil and paper; Known at both ends, Brownian motion becomes a bridge; Is a
# draw in the space of the mean?; Find the error: two mistakes in three lines; What it costs, and when not to use it.
#
# </details>

# %% [markdown] key="two" slide="slide" tags=["hour"]
# ## Two correlated numbers
#
# What does one value of a curve say about another one? Let $f_1$ and $f_2$ be the values at two inputs. Before
# anything is measured, we assume that they are jointly normal with mean $0$, variance $1$ and correlation $\rho$. A
# curve has similar values at nearby inputs, so $\rho$ should be near $1$ for nearby inputs and near $0$ for distant
# ones. So let a kernel give the correlation, $\rho=k(x_1,x_2)$.
#
# **Step 1.** Now $f_1$ is measured, without noise. What do we know about $f_2$? Write $f_2=\rho f_1+r$. The remainder
# $r=f_2-\rho f_1$ has covariance $\mathrm{Cov}(r,f_1)=\rho-\rho\cdot1=0$ with $f_1$, and *jointly normal* random
# variables that are uncorrelated are independent. So the value of $f_1$ says nothing about $r$, whose variance is
# $1-2\rho^2+\rho^2=1-\rho^2$:
#
# $$f_2\mid f_1\;\sim\;\mathcal N\big(\rho f_1,\;1-\rho^2\big). \tag{1}$$
#
# <!-- slide
# ## Measuring one of two correlated numbers narrows the other
#
# Two values of a curve, jointly normal, mean 0, variance 1, correlation $\rho=k(x_1,x_2)$.
#
# **Step 1.** Measure $f_1$. Write $f_2=\rho f_1+r$: then $\mathrm{Cov}(r,f_1)=\rho-\rho=0$, and for jointly normal
# numbers uncorrelated means independent:
#
# $$f_2\mid f_1\;\sim\;\mathcal N\big(\rho f_1,\;1-\rho^2\big) \tag{1}$$
#
# What do $\rho=0$ and $\rho=1$ say?
# -->

# %% [markdown] key="two-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Draw the ellipse on the board and cut it. Ask what the cut looks like for ρ = 0 (as wide as before) and for ρ near 1
# (almost a point). Use the right panel as the step to functions: the same pairs, other axes.
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
    xlabel="f₁", ylabel="f₂", aspect="equal", xlim=(-3.5, 3.5), ylim=(-3.5, 3.5), title="a pair"
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
    "deviations. Right: twelve of the pairs as short lines between two inputs; a measured value "
    "1.5 at the first input and the bar at the "
    "second.",
)

# %% [markdown] key="two-reading"
# On the left, the ellipse is cut at the measured value, and the cut is narrower than the whole ellipse. On the right
# are the same numbers, drawn as two values of a curve.
#
# <!-- slide
# **Two numbers are two values of a curve**
# -->

# %% [markdown] key="process" slide="slide" tags=["hour"]
# ## From two numbers to a function
#
# A curve has more than two values. So take any finite number of inputs, and assume that the values
# $f=(f(x_1),\dots,f(x_n))$ are jointly normal with mean $0$ and covariance $K_{ij}=k(x_i,x_j)$. If this holds for
# every finite set of inputs, $f$ is called a *Gaussian process*, $f\sim\mathcal{GP}(0,k)$. These assumptions are
# consistent, because leaving out an input only leaves out a row and a column of $K$. And $K$ is positive
# semi-definite, because $k$ is a kernel. To draw from the process, apply a linear map to independent standard normal
# numbers $z$:
#
# $$f=Lz,\qquad K=LL^\top,\qquad z\sim\mathcal N(0,I)\quad\Longrightarrow\quad\mathrm{Cov}(f)=L\,I\,L^\top=K. \tag{2}$$
#
# <!-- slide
# ## A Gaussian process is jointly normal at any finite set of inputs
#
# Mean 0 and covariance $K_{ij}=k(x_i,x_j)$: $f\sim\mathcal{GP}(0,k)$.
#
# A draw is a linear map of independent normal numbers:
#
# $$f=Lz,\qquad K=LL^\top,\qquad z\sim\mathcal N(0,I)$$
#
# $$\Longrightarrow\quad\mathrm{Cov}(f)=LL^\top=K \tag{2}$$
# -->

# %% [markdown] key="process-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Say that this is a rule for all finite sets of inputs. Ask why L z has covariance K (expand one entry), and what
# would go wrong if K were not positive semi-definite. (Some combination of values would have a variance below 0.)
#
# </details>

# %% key="process-verify" slide="skip"
places = np.linspace(0, 3, 6)[:, None]
K = Gaussian(1.0)(places)
L = np.linalg.cholesky(K)
draws = rng.standard_normal((200_000, 6)) @ L.T  # one draw of six values a row: (Lz)ᵀ = zᵀLᵀ
verify("the draws have the covariance K", np.cov(draws.T), K, tol=0.02)

# %% [markdown] key="samples-predict" slide="subslide"
# **Predict first.** Below are five draws, *all made of the same random numbers* $z$. Only the width $\ell$ of the
# Gaussian kernel changes. It is called the *length scale* here, and is the $\sigma$ of the other chapters. The grey
# band is the mean $\pm2$ standard deviations.
#
# 1. You make $\ell$ three times smaller. Does the grey band become wider, or do the curves only become wigglier?
# 2. You add one measured point, then two, then five. Where does the band shrink, and to what?
# 3. Far to the right of all points, how wide is the band? Does it grow without bound?
#
# <!-- slide
# **What does the length scale change, and what does a point?**
#
# **Predict first.** Five draws, made of the same random numbers $z$. Only the *length scale* $\ell$ changes, the width
# of the Gaussian kernel.
#
# 1. $\ell$ becomes three times smaller. Does the band become wider, or do the curves only become wigglier?
# 2. The process sees one point, then two, then five. Where does the band shrink, and to what?
# 3. Far to the right of all points, how wide is the band? Does it grow without bound?
# -->

# %% [markdown] key="samples-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask before each point where the five curves will be forced together. Give the last question time, and expect “it
# grows like a cone”. (It never reaches farther than 2 from the mean.)
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
# A smaller $\ell$ makes the curves wigglier. At each input their variance is $k(x,x)=1$ for every $\ell$, so the grey
# band stays the same. All five curves pass through each measured point. The band almost vanishes at these points, and
# within about $\ell$ of them it is narrower than before. Several $\ell$ away from all points the mean is $0$ and the
# band $\pm2$, as before any measurement, so it does not grow without bound.
#
# </details>
#
# <!-- slide
# **Far from all points the band is as before any measurement**
#
# - A smaller $\ell$ makes the curves wigglier but not the band wider: $k(x,x)=1$ for every $\ell$.
# - At a point that is seen, the band shrinks to almost nothing, and also nearby.
# - Several $\ell$ away the mean is 0 and the band $\pm2$.
# -->

# %% key="samples-verify" slide="skip" hide="input"
for length in (0.3, 1.0, 3.0):
    verify(
        f"ℓ = {length}: the prior standard deviation is 1 everywhere",
        conditioned(length, 0)[1],
        1.0,
    )
mean, sd, _ = conditioned(1.0, 2)
verify("at a seen point the band nearly vanishes", sd[np.argmin(np.abs(axis - 5.0))] < 0.01)
verify("five ℓ away the band is that of the prior", sd[-1] > 0.999)

# %% [markdown] key="conditioning" slide="slide" tags=["hour"]
# ## Conditioning
#
# How are these means and bands computed? **Step 2.** We allow any number of points, and noise. We measure
# $y=f+\varepsilon$ at $n$ inputs, where the $\varepsilon$ are independent of $f$ and of each other, and normal with
# mean $0$ and variance $\sigma_n^2>0$ ($n$ for noise). We want the values $f_*$ at $q$ other inputs. All of these
# numbers are jointly normal:
#
# $$\begin{pmatrix}y\\f_*\end{pmatrix}\sim\mathcal N\left(0,\begin{pmatrix}A&K_*^\top\\K_*&K_{**}\end{pmatrix}\right),\qquad
# A=K+\sigma_n^2I,\quad K_*=k(X_*,X),\quad K_{**}=k(X_*,X_*).$$
#
# $A$ is positive definite, because $v^\top Av=v^\top Kv+\sigma_n^2\|v\|^2>0$ for $v\ne0$. So it has an inverse and a
# Cholesky factor. As with two numbers, find a matrix $B$ such that the remainder $r=f_*-By$ is uncorrelated with $y$.
# This requires $\mathrm{Cov}(r,y)=K_*-BA=0$, so $B=K_*A^{-1}$. Then $r$ is independent of $y$. Once $y$ is measured,
# only $r$ is uncertain, and $\mathrm{Cov}(r)=\mathrm{Cov}(r,f_*)=K_{**}-BK_*^\top$, because $r$ is uncorrelated with
# $By$.
#
# <!-- slide
# ## Measured and wanted values are jointly normal
#
# **Step 2.** We measure $y=f+\varepsilon$ with noise variance $\sigma_n^2>0$, and want $f_*$ at other inputs.
#
# $$\begin{pmatrix}y\\f_*\end{pmatrix}\sim\mathcal N\left(0,\begin{pmatrix}A&K_*^\top\\K_*&K_{**}\end{pmatrix}\right),\qquad
# A=K+\sigma_n^2I,\quad K_*=k(X_*,X).$$
#
# **For which matrix $B$ is $r=f_*-By$ uncorrelated with $y$?**
# -->

# %% [markdown] key="conditioning-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Put (1) and (3) side by side and let them find ρ in K* A⁻¹. Use no block inverse and complete no square: find B. Ask
# which part of (3) contains y. (Only the mean.)
#
# </details>

# %% [markdown] key="conditioning-2" slide="subslide"
# $$f_*\mid y\;\sim\;\mathcal N\big(\underbrace{K_*A^{-1}y}_{\text{mean}},\ \underbrace{K_{**}-K_*A^{-1}K_*^\top}_{\text{covariance}}\big). \tag{3}$$
#
# The covariance is the *Schur complement* of $A$. Equation (3) holds whenever $A$ is invertible, so one point without
# noise gives (1). The distribution of $f$ before any measurement is called the *prior*, and (3) is the *posterior*.
#
# <!-- slide
# **Conditioning subtracts what the measurements explain**
#
# $\mathrm{Cov}(r,y)=K_*-BA=0$, so $B=K_*A^{-1}$. Only $r$ stays uncertain, and
# $\mathrm{Cov}(r)=\mathrm{Cov}(r,f_*)=K_{**}-BK_*^\top$:
#
# $$f_*\mid y\;\sim\;\mathcal N\big(\underbrace{K_*A^{-1}y}_{\text{mean}},\ \underbrace{K_{**}-K_*A^{-1}K_*^\top}_{\text{covariance}}\big) \tag{3}$$
# -->


# %% key="conditioning-verify" slide="skip"
def posterior(K, K_star, k_diag, y, noise_variance):
    """Mean and variance of f at new places, by one Cholesky factor."""
    A = cho_factor(K + noise_variance * np.eye(len(y)), lower=True)
    mean = K_star @ cho_solve(A, y)
    reduction = np.sum(K_star.T * cho_solve(A, K_star.T), axis=0)
    return mean, k_diag - reduction


sinc = make_sinc(n=30, noise=0.15, rng=0)
grid = np.linspace(-3, 3, 121)[:, None]
short = Gaussian(0.5)
mean, variance = posterior(short(sinc.X), short(grid, sinc.X), np.ones(121), sinc.y, 0.15**2)
gp = GaussianProcess(short, noise_variance=0.15**2).fit(sinc.X, sinc.y)
gp_mean, gp_sd = gp.predict(grid, return_std=True)
verify("GaussianProcess computes the same: mean", gp_mean, mean)
verify("... and variance", gp_sd**2, variance)

# %% [markdown] key="by-hand" slide="subslide"
# Try (3) with pencil and paper. One measurement $y=1$ is made at $x=0$, with $\ell=1$ and $\sigma_n^2=0.25$. What are
# the mean and the variance of $f$ at $x=0$, and at $x=1$, where $k=e^{-1/2}$?
#
# <!-- slide
# **One measurement with pencil and paper**
#
# $y=1$ at $x=0$, with $\ell=1$ and $\sigma_n^2=0.25$. What are the mean and the variance of $f$ at $x=0$, and at
# $x=1$, where $k=e^{-1/2}$? Is the variance at $x=0$ larger or smaller than that of the noise?
# -->

# %% [markdown] key="by-hand-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Give them a minute with paper. If the class is quick, ask what a second measurement at the same input does. (The
# variance falls further, to 1/9.)
#
# </details>

# %% [markdown] key="by-hand-answer" slide="fragment"
# At $x=0$ you should get the mean $1/1.25=0.8$ and the variance $1-1/1.25=0.2$. This is *less* than the variance of
# the noise, because the prior also contributes. At $x=1$ the mean is $0.485225$ and the variance $0.705696$. With
# noise, the band never closes. What if a value is known exactly?
#
# <!-- slide
# At $x=0$ the mean is $1/1.25=0.8$ and the variance $1-1/1.25=0.2$, *less* than that of the noise. At $x=1$ they are
# $0.485225$ and $0.705696$.
# -->

# %% key="by-hand-verify" slide="skip"
one = posterior(np.ones((1, 1)), np.exp([[0.0], [-0.5]]), np.ones(2), np.array([1.0]), 0.25)
verify("mean at 0", one[0][0], 1 / 1.25)
verify("variance at 0", one[1][0], "0.2")
verify("mean and variance at 1", [one[0][1], one[1][1]], [0.485225, 0.705696], tol=1e-6)

# %% [markdown] key="brownian" slide="slide" tags=["later"]
# ## Known without noise: the Brownian bridge
#
# Where a value is known without noise, the band closes. The standard example is *Brownian motion*, whose draws are not smooth. It has
# $k(s,t)=\min(s,t)$ for times in $[0,1]$, so $f(0)=0$, and increments over disjoint intervals are independent.
# **Step 3.** Suppose that we know $f(1)=0$. By (3) with one point and no noise, where $A=k(1,1)=1$,
#
# $$\mathrm{Cov}\big(f(s),f(t)\mid f(1)=0\big)=\min(s,t)-s\cdot1^{-1}\cdot t=\min(s,t)-st. \tag{4}$$
#
# This is the *Brownian bridge*. Its variance $t(1-t)$ is zero at both ends and largest in the middle.
#
# <!-- slide
# ## Known at both ends, Brownian motion becomes a bridge
#
# With $k(s,t)=\min(s,t)$ on $[0,1]$ the draws are *Brownian motion*: $f(0)=0$, independent increments.
#
# **Step 3.** Condition on $f(1)=0$, by (3) with one point and no noise, $A=k(1,1)=1$. What is the covariance now?
#
# <div class="fragment">
#
# $$\mathrm{Cov}\big(f(s),f(t)\mid f(1)=0\big)=\min(s,t)-s\cdot1^{-1}\cdot t=\min(s,t)-st \tag{4}$$
#
# </div>
# -->

# %% [markdown] key="brownian-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let them compute (4) from (3) on paper: with one point and no noise, A is the number 1. Then ask for the variance
# halfway (1/4), and why it is symmetric.
#
# </details>

# %% key="brownian-verify" slide="skip"
s_t = np.array([[0.25], [0.5], [0.8]])
bridge = GaussianProcess(Brownian(), noise_variance=0).fit([[1.0]], [0.0])
_, cov = bridge.predict(s_t, return_cov=True)
verify("(4): the covariance of the bridge", cov, np.minimum(s_t, s_t.T) - s_t * s_t.T)
verify("its variance is t(1 - t)", np.diag(cov), (s_t * (1 - s_t))[:, 0])

# %% [markdown] key="ridge" slide="slide"
# ## The mean is kernel ridge regression
#
# Does the mean in (3) look familiar? It is $K_*(K+\sigma_n^2I)^{-1}y$, the predictor of chapter 3 with
#
# $$\lambda=\sigma_n^2. \tag{5}$$
#
# There $\lambda$ weighted the penalty on $\|f\|^2$, and here it is the variance of the noise. The two means agree
# under [three conditions](errata.ipynb#E09.-The-mean-of-a-Gaussian-process,-under-three-conditions). The kernel $k$
# must be the same, $\lambda=\sigma_n^2$ must stand next to the *sum* of squares, and the prior mean must be $0$, so
# subtract the level of $y$ first.
#
# <!-- slide
# ## Where have we seen the posterior mean before?
#
# $$K_*(K+\sigma_n^2I)^{-1}y$$
#
# <div class="fragment">
#
# In kernel ridge regression, with
#
# $$\lambda=\sigma_n^2. \tag{5}$$
#
# Three conditions: the same $k$, the **sum** of squares, prior mean 0. **What does the band rest on?**
#
# </div>
# -->

# %% [markdown] key="ridge-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask the question of the title. After the click, ask what breaks the equality. Expect “normalising y”.
# (Only if one of the two models does it and the other does not.) Then the last question. (On the assumed process and
# noise.)
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
    "with a level of 1 in y and a prior mean of 0 they also differ",
    np.abs(raised - gp.predict(grid) - 1).max() > 0.1,
)

# %% [markdown] key="rkhs" slide="subslide"
# **Draws are not in the space of the mean.** The means agree, but do the assumptions? Chapter 3 looked for a curve of
# finite norm, in the space $\mathcal H$. Here the curve is a draw. Take the values $f=Lz$ of a draw at $n$ inputs for
# which $K$ is invertible. As in chapter 3, split any function in $\mathcal H$ with these values into a part
# $\sum_j\alpha_jk(x_j,\cdot)$ and an orthogonal part that is zero at the inputs. So $K\alpha=f$, and the squared norm
# is at least
#
# $$\alpha^\top K\alpha=f^\top K^{-1}f=z^\top L^\top(LL^\top)^{-1}Lz=z^\top z, \tag{6}$$
#
# a sum of $n$ squares of independent standard normal numbers, which is about $n$. For the Gaussian kernel $K$ is
# invertible at any number of different inputs. So the bound grows beyond every limit as inputs are added, and with
# probability $1$ the draw is *not* in $\mathcal H$, although the mean is.
#
# <!-- slide
# **Is a draw in the space of the mean?**
#
# The mean of (3) is in $\mathcal H$. Are the *draws*?
#
# <div class="fragment">
#
# Any function $g$ in $\mathcal H$ with the values $f=Lz$ satisfies
#
# $$\|g\|^2\ge\alpha^\top K\alpha=f^\top K^{-1}f=z^\top z\approx n, \tag{6}$$
#
# which grows beyond every limit if $K$ is invertible for any number of inputs. **With probability 1 the draw is not in
# $\mathcal H$.**
#
# </div>
# -->

# %% [markdown] key="rkhs-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask for a guess before (6), then write it; it is two lines. Ask what it means for choosing a prior. (If the truth
# looks like a draw from k, the space of k does not contain it.)
#
# </details>

# %% key="rkhs-verify" slide="skip"
ten_n = np.linspace(0, 9, 10)[:, None]
K = Gaussian(1.0)(ten_n)
L, z = np.linalg.cholesky(K), rng.standard_normal(10)
f = L @ z
verify("(6): the bound on the squared norm is zᵀz", f @ np.linalg.solve(K, f), z @ z)

# %% [markdown] key="variance" slide="slide"
# ## The posterior variance does not depend on y
#
# On what does the band depend? No $y$ occurs in the variance of (3). As long as kernel and noise are given, it
# matters *where* we measured and not *what* we measured. So we can compute the width of the band before an
# experiment. But a width that never depends on $y$ cannot show that the model is wrong.
#
# **Step 4. Two bands.** The mean $\pm1.96$ standard deviations covers 95 % of a normal distribution. With the
# variance in (3) this is the band of the curve $f$, at each input a *credible interval*. A *new measurement* has its
# own noise on top, so its variance is larger by exactly $\sigma_n^2$, and its band is a *predictive interval*.
#
# <!-- slide
# ## One band is for the curve, the other for measurements
#
# **Step 4.** *Credible interval* of the curve: the variance in (3). *Predictive interval* of a new measurement:
# $\sigma_n^2$ more.
# -->

# %% [markdown] key="variance-predict" slide="fragment"
# **Predict first.** Double all $y$. What happens to the mean, and what to the band? And what fraction of *new
# measurements* lies in the band of the curve?

# %% [markdown] key="variance-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Vote on the first question, and expect that the band doubles as well. Then the second: the band of f makes no promise
# about measurements. Show the picture and count.
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
ax.plot(line[:, 0], np.sinc(line[:, 0]), **cycle(2), linewidth=1.6, label="sinc, the true curve")
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

# %% [markdown] key="variance-reading"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# Doubling $y$ doubles the mean and leaves both bands as wide as they are. The inner band is made for the curve. Over
# $200$ training sets it contains 78 % of new measurements on average, and the outer band contains 96 %.
#
# </details>
#
# <!-- slide
# **No $y$ occurs in the variance, so both bands stay.** New measurements: 96 % in the outer, 78 % in the inner.
# -->

# %% key="variance-verify" slide="skip" hide="input"
twice = GaussianProcess(1.0 * Gaussian(0.5), noise_variance=0.15**2).fit(sinc.X, 2 * sinc.y)
verify("doubling y leaves the band as it is", twice.predict(line, return_std=True)[1], sd_f)
verify("doubling y doubles the mean", twice.predict(line), 2 * mean)
drawn = measured("ch04_sinc", "band-of-the-curve", "noise-too-low", "learned-holds-less")
share = {name.removeprefix("measurements in "): drawn[name].mean() for name in drawn}
verify("new measurements in the band of the curve (%)", share["the band of the curve"], "78")
verify("new measurements in their own band (%)", share["their own band"], "96")

# %% [markdown] key="evidence" slide="slide"
# ## The marginal likelihood
#
# So far kernel and noise were given. Chapter 3 chose them by leave-one-out. A Gaussian process offers another
# criterion. Before measuring, it assumes $y\sim\mathcal N(0,A)$, so it gives the measured $y$ a probability density.
#
# **Step 5.** Its logarithm is
#
# $$\log p(y)=\underbrace{-\tfrac12\,y^\top A^{-1}y}_{\text{fit}}\;\underbrace{-\tfrac12\log\det A}_{\text{complexity}}\;-\tfrac n2\log2\pi. \tag{7}$$
#
# This is called the *log marginal likelihood*, or the log evidence. The first term is low if $y$ is larger or
# wigglier than a typical draw of the process. The second penalises a process that can produce many other $y$, because
# such a process spreads its probability over all of them, so each has a low density. One Cholesky factor $A=LL^\top$
# is enough, since $\log\det A=2\sum_i\log L_{ii}$.
#
# <!-- slide
# ## The marginal likelihood weighs fit against complexity
#
# Before measuring, $y\sim\mathcal N(0,A)$. **Step 5.**
#
# $$\log p(y)=\underbrace{-\tfrac12\,y^\top A^{-1}y}_{\text{fit}}\;\underbrace{-\tfrac12\log\det A}_{\text{complexity}}\;-\tfrac n2\log2\pi \tag{7}$$
#
# A flexible process spreads its probability over many $y$ and has little left for each.
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
verify("(7) is SciPy's density of N(0, A)", multivariate_normal(cov=A).logpdf(sinc.y), sum(terms))
verify("log det A by the eigenvalues", -2 * terms[1], np.sum(np.log(np.linalg.eigvalsh(A))))

# %% [markdown] key="evidence-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Write the density of N(0, A) and take its logarithm together. Ask which term is low for a wiggly process (the
# second), and what (7) is for n independent standard normal numbers. (The constant, and minus half their sum of
# squares.)
#
# </details>

# %% [markdown] key="slope" slide="subslide"
# **Step 6. The gradient of $\log p(y)$.** Let $\partial$ be the derivative with respect to a hyperparameter $\theta$,
# such as $\ell$. Differentiating $AA^{-1}=I$ gives $(\partial A)A^{-1}+A\,\partial A^{-1}=0$, so
# $\partial A^{-1}=-A^{-1}(\partial A)A^{-1}$. Moreover $\det(A+h\,\partial A)=\det A\cdot\det(I+hA^{-1}\partial A)$.
# To first order in $h$ only the diagonal of the last matrix counts, which gives
# $1+h\operatorname{tr}(A^{-1}\partial A)$. So $\partial\log\det A=\operatorname{tr}(A^{-1}\partial A)$. With
# $\alpha=A^{-1}y$,
#
# $$\frac{\partial\log p(y)}{\partial\theta}=\tfrac12\,\alpha^\top(\partial A)\,\alpha-\tfrac12\operatorname{tr}\big(A^{-1}\partial A\big)
# =\tfrac12\operatorname{tr}\big((\alpha\alpha^\top-A^{-1})\,\partial A\big). \tag{8}$$
#
# A ready-made optimiser can therefore maximise $\log p(y)$. It works on the *logarithms* of $\ell$ and $\sigma_n^2$,
# because both must be positive. Now the band does depend on $y$, but only through the learned $\ell$ and
# $\sigma_n^2$.
#
# <!-- slide
# **Its gradient needs two identities**
#
# **Step 6.** $\ \partial A^{-1}=-A^{-1}(\partial A)A^{-1}$ and $\partial\log\det A=\operatorname{tr}(A^{-1}\partial
# A)$. With $\alpha=A^{-1}y$,
#
# $$\frac{\partial\log p(y)}{\partial\theta}
# =\tfrac12\operatorname{tr}\big((\alpha\alpha^\top-A^{-1})\,\partial A\big). \tag{8}$$
#
# The optimiser works on $\log\ell$ and $\log\sigma_n^2$.
# -->

# %% [markdown] key="slope-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Say the result; leave the two identities to be read at home. With more time, ask for the sign of the derivative in
# the noise when the noise is set far too low. (Positive: α is huge, and ααᵀ outweighs A⁻¹.)
#
# </details>


# %% key="slope-verify" slide="skip"
def minus_log_p(theta, X, y):
    """-log p(y) and its gradient, for θ = (log ℓ, log σ_n²), to be minimised."""
    ell, noise = np.exp(theta)
    squares = np.sum((X[:, None] - X) ** 2, axis=-1)
    K = np.exp(-squares / (2 * ell**2))
    A = K + noise * np.eye(len(y))
    L, alpha = np.linalg.cholesky(A), np.linalg.solve(A, y)
    log_p = -0.5 * y @ alpha - np.log(np.diag(L)).sum() - len(y) / 2 * np.log(2 * np.pi)  # (7)
    M = np.outer(alpha, alpha) - np.linalg.inv(A)
    by_length, by_noise = K * squares / ell**2, noise * np.eye(len(y))  # ∂A, in the logarithms
    return -log_p, -0.5 * np.array([np.sum(M * by_length), np.sum(M * by_noise)])  # (8)


theta = np.log([0.5, 0.5])
above = [minus_log_p(theta + step, sinc.X, sinc.y)[0] for step in 1e-5 * np.eye(2)]
below = [minus_log_p(theta - step, sinc.X, sinc.y)[0] for step in 1e-5 * np.eye(2)]
slope = minus_log_p(theta, sinc.X, sinc.y)[1]
verify("(8) is the gradient of (7)", slope, np.subtract(above, below) / 2e-5, tol=1e-7)

# %% [markdown] key="landscape-predict" slide="slide"
# ## Local maxima of the marginal likelihood
#
# Does such an optimiser find *the* maximum? **Predict first.** The figure has eight points, four of them close
# together, and the two terms of (7) as bars.
#
# 1. You shrink $\ell$. Which bar can only fall, whatever the points are? Does the other one always rise?
# 2. Find the largest $\log p(y)$ that you can. Where are $\ell$ and the noise?
# 3. Is there a quite different setting that is nearly as good? What does it *assume* about the points?
#
# <!-- slide
# ## Is there one maximum, or are there two?
#
# **Predict first.** Eight points, four of them close together, and the two terms of (7) as bars.
#
# 1. $\ell$ shrinks. Which bar can only fall, whatever the eight points are? Does the other one always rise?
# 2. Where is $\log p(y)$ largest? Say it in words: which $\ell$, how much noise?
# 3. Is there another setting, quite different, that is nearly as good? What does it *assume* about the eight points?
# -->

# %% [markdown] key="landscape-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# With the notebook, let two groups search from different corners. With slides, ask for two guesses. They may report two answers and both be right: a wiggly curve with
# little noise, or a smooth one with much. Then show the landscape.
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
maxima = landscape_explorer(
    (eight_x[:, 0], eight_y), np.linspace(-6.5, 6.5, 260), eight, (lengths, noises, landscape)
)

# %% [markdown] key="landscape-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# A smaller $\ell$ multiplies $K$ entry by entry with another Gaussian matrix, so the complexity term can only fall,
# by *Oppenheim's inequality*. The fit may rise or fall.
#
# There are two maxima of almost the same height, $-8.11$ and $-8.15$. One is a smooth curve with much noise, and the
# other a wiggly curve with little. Eight points are too few to tell which is true.
#
# </details>
#
# <!-- slide
# **A smooth and a wiggly curve explain the points almost equally well**
#
# - The complexity term can only fall as $\ell$ shrinks. The fit may rise or fall.
# - Two maxima of $\log p(y)$ have almost the same height, $-8.11$ and $-8.15$.
# -->

# %% key="climb" slide="skip"
from scipy.optimize import minimize

found = {}
for start in ((3.0, 1.0), (0.3, 0.01)):  # ℓ and σ_n²
    best = minimize(minus_log_p, np.log(start), args=(eight_x, eight_y), jac=True, tol=1e-12)
    found[str(start)] = *np.exp(best.x), -best.fun

# %% key="climb-table" slide="skip" hide="input"
table(
    "maxima found with the gradient (8), eight points",
    {"start (ℓ, σ_n²)": "", "ℓ": ".2f", "σ_n²": ".3f", "log p(y)": ".2f"},
    found,
)

# %% [markdown] key="climb-reading" slide="skip"
# An optimiser reports the maximum that it reaches, which depends on its start. So start it more than once. (In
# scikit-learn, set `n_restarts_optimizer`; the default is one start.)

# %% key="landscape-verify" slide="skip" hide="input"
(smooth_ell, smooth_noise, higher), (wiggly_ell, wiggly_noise, lower) = found.values()
verify("the higher maximum", higher, "-8.11")
verify("the lower maximum", lower, "-8.15")
verify("the smooth curve has the longer ℓ", smooth_ell > 5 * wiggly_ell)
verify("... and much more noise", smooth_noise > 5 * wiggly_noise)
verify("the grid has no higher value", higher > landscape.max())
falling = [eight(ell, 0.1).evidence_terms_[1] for ell in lengths]
verify("the complexity term falls as ℓ shrinks", np.all(np.diff(falling) > 0))
product = Gaussian(0.6)(eight_x) * Gaussian(0.8)(eight_x)  # 1/0.48² = 1/0.6² + 1/0.8²
verify("a product of Gaussians is one of shorter ℓ", product, Gaussian(0.48)(eight_x))
learned = GaussianProcess(1.0 * Gaussian(1.0), noise_variance=0.1, optimize=True)
learned.fit(sinc.X, sinc.y)
verify("on sinc, learned noise (sd)", np.sqrt(learned.noise_variance_), "0.115")
chosen = drawn["noise"]
verify("the smallest noise learned from 200 training sets", chosen.min(), "0.08")
verify("the largest", chosen.max(), "0.21")
verify("learned, new measurements in the band (%)", share["the learned band"], "93")

# %% [markdown] key="not-truth" slide="subslide"
# **The highest maximum is not the truth.** The thirty sinc points have noise of standard deviation $0.15$. Maximising
# the marginal likelihood gives $0.115$, and on $200$ other training sets it gives too little noise more often than
# too much. With learned hyperparameters, the band for new measurements contains 93 % of them on average instead of
# the 96 % above.
#
# <!-- slide
# **The highest maximum is not the truth, and here learning costs coverage**
#
# - Thirty sinc points with noise 0.15: the maximum is at 0.115.
# - On 200 training sets it gives too little noise more often than too much.
# - The learned 95 % band contains 93 % of new measurements on average; with $\ell=0.5$ and the true noise, 96 %.
# -->

# %% [markdown] key="co2" slide="slide" tags=["hour"]
# ## A kernel for the CO₂ series
#
# We return to Mauna Loa and begin with a simple forecast. Repeat the months of the last year, and for each year ahead
# add the mean yearly rise of the last ten years. Over the ten years of our question this *drift forecast* has an RMSE
# of 1.07 ppm, but it has no band.
#
# A Gaussian process has a band, but it needs a kernel. The kernel of a sum of independent processes is the sum of
# their kernels, so write down your beliefs part by part.
#
# | part | kernel | meaning |
# |---|---|---|
# | trend | $66^2$ · Gaussian, $\ell=67$ years | slow and large |
# | season | $2.4^2$ · periodic, $\sigma=1.3$, times Gaussian, 90 years | the same each year, and slowly changing |
# | medium | $0.66^2$ · rational quadratic, 1.2 years, $\alpha=0.78$ | irregularities over a few years |
# | short | $0.18^2$ · Gaussian, 0.134 years | neighbouring months are similar |
# | noise | $0.19^2$ | each month on its own |
#
# <!-- slide
# ## A sum of kernels describes the CO₂ series part by part
#
# **Which parts has the curve of the beginning?**
#
# <div class="fragment">
#
# | part | kernel | meaning |
# |---|---|---|
# | trend | $66^2$ · Gaussian, $\ell=67$ years | slow and large |
# | season | $2.4^2$ · periodic × Gaussian, 90 years | the same each year, slowly changing |
# | medium | $0.66^2$ · rational quadratic, 1.2 years | irregularities over a few years |
# | short | $0.18^2$ · Gaussian, 0.134 years | neighbouring months are similar |
# | noise | $0.19^2$ | each month on its own |
#
# </div>
# -->

# %% [markdown] key="co2-source" slide="skip"
# The numbers are those of Rasmussen and Williams' book, rounded as in scikit-learn's example. Two kernels are new. The
# *periodic* kernel $\exp\!\big(-2\sin^2(\pi(x-z)/p)/\sigma^2\big)$ with period $p$ is a Gaussian on a circle. The
# *rational quadratic* kernel $\big(1+(x-z)^2/(2\alpha\ell^2)\big)^{-\alpha}$ is a mixture of Gaussians of many widths.
# Each part of the prediction is $k_{\text{part}}(X_*,X)\,A^{-1}y$, and the parts add up.

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
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask for the parts before you show the table: what is in the curve of the beginning? Let them give each part a length
# scale and a standard deviation, then compare. Ask why the season is a product of two kernels and not a sum.
#
# </details>

# %% key="co2-parts" hide="input"
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
for ax in axes.flat:
    ax.set_ylabel("CO₂ (ppm)")
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
# The kernel only says how each part behaves in general. Conditioning on the data gives its curve. The season has
# grown, although no number in the kernel says so.
#
# <!-- slide
# **Conditioning finds that the season has grown**
# -->

# %% [markdown] key="forecast-predict" slide="subslide"
# **Predict first.** The forecast below uses this kernel and the observations before 1992, and continues for ten years.
#
# 1. Switch the *trend* off. Where does the forecast go, and does the band become wider?
# 2. Switch the *season* off. Does the band become wider?
# 3. Move the date back to 1980. Does the band contain more of the following ten years, or less?
#
# <!-- slide
# **What does each part of the kernel contribute?**
#
# **Predict first.** A forecast of ten years from 1992, with this kernel.
#
# 1. Without the *trend*, where does the forecast go, and does the band become wider?
# 2. Without the *season*, does the band become wider?
# 3. From 1980, does the band contain more or less of the following ten years than from 1992?
# -->

# %% [markdown] key="forecast-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Take out the bands of the beginning: whose band contains the observations? Expect “wider” for questions 1 and 2. Then
# ask what could reveal a wrong model. (The marginal likelihood, and coverage of later years.)
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


co2_knobs = forecast_explorer(year, ppm, parts, forecast)

# %% [markdown] key="forecast-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# Without the trend the forecast soon falls and stays low. The band does not become wider, and it contains none of the
# observations. Without the season the band hardly changes, and it misses most observations of spring and of early
# autumn. From the earlier date, the band contains 99 % of the months instead of 92 %.
#
# </details>
#
# <!-- slide
# **A band cannot report that its model is wrong**
#
# 1. Without the trend the forecast falls by about 8 ppm. The band is not wider and contains no observation.
# 2. Without the season the band hardly changes, and it misses most of April to June, September and October.
# 3. From 1980 the band contains 99 % of the months, from 1992 92 %.
# -->

# %% key="forecast-verify" slide="skip" hide="input"
early, late = (means["season"][when] for when in (fine[:, 0] < 1968, fine[:, 0] > 1992))
verify("the season has grown", np.ptp(late) > 1.03 * np.ptp(early))
dip = fine[means["medium"].argmin(), 0]
verify("the deepest dip of the medium part is in", np.floor(dip), "1993")
_, no_trend, sd_no_trend = forecast(("season", "medium", "short"), 1992.0)
by_year = no_trend.reshape(10, 12).mean(axis=1)
fallen = ppm[past][-12:].mean() - by_year[3]
verify("without the trend: the last year seen, minus the fourth year (ppm)", fallen, "8")
verify("from the third year on it stays within (ppm)", np.ptp(by_year[2:]) < 2)


def judged(names, cut):
    """Which months of the ten years after the cut the band contains."""
    at, m, sd = forecast(names, cut)
    later = (year >= cut) & (year < cut + 10)
    miss = ppm[later] - np.interp(year[later], at, m)
    return np.abs(miss) <= 1.96 * np.interp(year[later], at, sd)


held_of_it = judged(("season", "medium", "short"), 1992.0)
verify("without the trend the band contains no observation", not held_of_it.any())
sd_whole = forecast(tuple(parts), 1992.0)[2]
verify("without the trend the band is not wider", sd_no_trend.mean() < sd_whole.mean())
sd_no_season = forecast(("trend", "medium", "short"), 1992.0)[2]
verify("without the season the band hardly changes", sd_no_season / sd_whole, 1.0, tol=0.06)
kept = judged(("trend", "medium", "short"), 1992.0).reshape(10, 12).mean(axis=0)
verify("of which months most lies outside", np.flatnonzero(kept < 0.5) + 1, [4, 5, 6, 9, 10])
for cut, value in ((1980.0, "99"), (1992.0, "92")):
    verify(f"from {cut:.0f}, inside (%)", 100 * judged(tuple(parts), cut).mean(), value)

# %% [markdown] key="honest" slide="slide"
# ## How good was the forecast?
#
# The book's numbers were learned from a series that continues beyond 1992, so our forecast uses later data. For an
# honest one we learn them again from the earlier years, starting from round numbers. Only the period of one year and
# $\alpha=1$ stay fixed. Is the process more accurate than the drift forecast? Does its band contain 95 % of the ten
# years?
#
# <!-- slide
# ## How good was the forecast, learned before 1992 alone?
#
# The book's numbers were learned from a series that *continues beyond 1992*. So learn them again, before 1992 alone.
#
# We compare it with the *drift forecast*: last year's months, plus the mean yearly rise of ten years. RMSE 1.07 ppm.
#
# **Is the process more accurate? Does its band contain 95 %?**
# -->

# %% [markdown] key="honest-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Vote on both questions before you show the figure. Ask on which side of the band the observations of 1993 lie, and
# what happened in June 1991.
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
fresh = fresh.fit(co2.X[past], ppm[past] - mean_past)  # maximises (7) with the gradient (8)

# %% key="honest-picture" slide="subslide" hide="input"
later, ahead = ppm[~past], co2.X[~past]
m, sd = fresh.predict(ahead, return_std=True, with_noise=True)
m, x_ahead, recent = m + mean_past, ahead[:, 0], past & (year >= 1989)
fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2))
left.plot(year[recent], ppm[recent], color="black", linewidth=1)
left.fill_between(x_ahead, m - 1.96 * sd, m + 1.96 * sd, color="#9ec5e3", label="95 % band")
left.plot(x_ahead, later, ".", color="black", markersize=3, label="observed")
left.set(xlabel="year", ylabel="CO₂ (ppm)")
left.legend(loc="upper left")
right.fill_between(x_ahead, -1.96 * sd, 1.96 * sd, color="#9ec5e3")
right.axhline(0, **cycle(0))
right.plot(x_ahead, later - m, ".", color="black", markersize=4)
right.set(xlabel="year", ylabel="observed minus forecast (ppm)", ylim=(-4.6, 4.6))
show(
    fig,
    alt="Left: CO₂ from 1989, the band learned before 1992 over the next ten years, and the "
    "observations, at first along its lower edge. Right: the same minus the forecast: the "
    "observations lie below the band in 1993 and are near its middle from 1998 on.",
)

# %% [markdown] key="honest-reading"
# The process is as accurate as the drift forecast. Its band contains 79 % of the months. All others lie below it,
# among them the whole of 1993.
#
# In 1992 and 1993 CO₂ rose more slowly than in any of the ten years before. In June 1991 the volcano Pinatubo had
# erupted.
#
# <!-- slide
# **The band misses all of 1993: CO₂ rose less than before**
#
# It contains 79 % of the ten years. RMSE 1.07 ppm, the same as the drift forecast. In June 1991 *Pinatubo* had
# erupted.
# -->

# %% [markdown] key="origins" slide="subslide"
# **One date is one event.** So repeat the forecast from the first of January of each year from 1975 to 1992, and
# learn the hyperparameters again before each date. Neighbouring dates share nine of their ten years, so these 18
# dates amount to only two or three independent decades.
#
# A band can also be made without a kernel. Make the same forecast at every earlier date from 1969, the first with ten
# years of data before it. For each number of years ahead, take $\pm1.96$ times the root mean square of the *past
# errors* known by then. If none is known yet, extend the band in proportion to the years ahead. Each of the two
# means, process and drift, can have either band. Which of the four comes closest to 95 %?
#
# <!-- slide
# **One date is one event, so repeat it from 18 dates**
#
# 1 January 1975 to 1992, the hyperparameters learned again. Neighbouring dates share nine of their ten years.
#
# A band without a kernel: $\pm1.96$ times the root mean square of **past errors**, one, two, … ten years ahead.
#
# **Predict first.** Process or drift forecast, kernel's band or past errors: which of the four comes closest to 95 %?
# -->

# %% [markdown] key="origins-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Collect votes. Explain past errors with the drift forecast of one year: write down its errors at all earlier dates,
# and take the root of their mean square.
#
# </details>

# %% [markdown] key="origins-asked" slide="subslide"
# Means over these dates:
#
# <!-- slide
# **Two means and two bands make four combinations**
# -->

# %% [markdown] key="origins-asked-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Compare rows with the same mean: what does the band change? Then rows with the same band. Ask when the kernel's band
# fails. (From 1977, when the rise became faster, and from 1989 to 1991, before the slow years.)
#
# </details>

# %% key="origins-table" hide="input"
cuts = measured("ch04_cuts", "past-misses-wider", "past-misses-hold-more")
columns = {
    (mean, band): [cuts[f"{mean} with the {band} band: {x}"] for x in ("outside", "half width")]
    for mean in ("learned", "drift")
    for band in ("kernel", "past-misses")
}
four = {
    f"{mean_name}, {band_name}": (
        cuts[mean].mean(),
        100 - columns[mean, band][0].mean(),
        100 - columns[mean, band][0].max(),
        columns[mean, band][1].mean(),
    )
    for mean, mean_name in (("learned", "process"), ("drift", "drift forecast"))
    for band, band_name in (("kernel", "kernel's band"), ("past-misses", "band of its past errors"))
}
table(
    "Means of 18 dates, ten years each",
    {
        "mean, band": "",
        "RMSE (ppm)": ".2f",
        "inside (%)": ".0f",
        "inside, worst date (%)": ".0f",
        "half width at the end (ppm)": ".1f",
    },
    four,
    answer="Two means and two bands",
)

# %% [markdown] key="origins-reading" slide="subslide"
# Neither forecast is clearly more accurate. Each is better at about half of the dates, and the mean difference of the
# RMSEs is smaller than its standard error. A drift over three to nine years is slightly more accurate over all dates,
# and less accurate for the ten years of our question.
#
# Around the mean of the process, the kernel's band contains 82 % of the observations, and at its worst date only
# 16 %. The band of past errors comes closest to the promise, with 96 %, and at the end it is twice as wide. But this
# result is fragile, because for the first dates few past errors are known. If they are collected from 1970 on, the
# band contains only 88 %.
#
# Around the drift forecast, past errors contain 99 %. More than promised is as wrong as less, but two or three decades
# cannot show whether this band is too wide. **A kernel's band allows for the variation that its parts describe, and a
# band of past errors for what has already happened.**
#
# <!-- slide
# **Past errors give a band that ends twice as wide**
#
# - Around the mean of the process the kernel's band contains 82 %, at its worst date 16 %. Past errors contain 96 %.
# - This is fragile, because at first few errors are known. If they are collected from 1970 on, it is only 88 %.
# - Around the drift forecast past errors contain 99 %. More than promised is as wrong as less, but two or three
#   decades are too few to tell.
# -->

# %% key="origins-verify" slide="skip" hide="input"
verify("drift forecast from 1992, RMSE (ppm)", cuts["drift"][-1], "1.07")
verify("learned before 1992, RMSE (ppm)", np.sqrt(np.mean((later - m) ** 2)), "1.07")
outside = (np.abs(later - m) > 1.96 * sd).reshape(10, 12)
verify("learned before 1992, inside (%)", 100 - 100 * outside.mean(), "79")
verify("the band contains no month of 1993", outside[1].all())
verify("all misses are below the band", (later < m - 1.96 * sd).reshape(10, 12), outside)
rises = np.diff(ppm[year >= 1981 - 1e-6].reshape(-1, 12).mean(axis=1))  # into 1982, 1983, …
verify("1992 and 1993 rose less than the ten years before", rises[10:12].max() < rises[:10].min())
inside = {key: 100 - outside for key, (outside, _) in columns.items()}
nearer = np.sum(cuts["drift"] < cuts["learned"])
verify("each mean is more accurate at about half of the dates", 8 <= nearer <= 10)
verify("process with the kernel's band (%)", inside["learned", "kernel"].mean(), "82")
verify("at its worst date (%)", inside["learned", "kernel"].min(), "16")
verify("process with past errors (%)", inside["learned", "past-misses"].mean(), "96")
wider = columns["learned", "past-misses"][1] / columns["learned", "kernel"][1]
verify("past errors are wider at the end by a factor of", wider.mean(), "2")
means = {key: values.mean() for key, values in inside.items()}
verify(
    "closest to 95 %: the process with past errors",
    min(means, key=lambda key: abs(means[key] - 95)) == ("learned", "past-misses"),
)
few = 100 - cuts["learned with past misses from 1970: outside"]
verify("past errors collected from 1970 on, inside (%)", few.mean(), "88")
late = inside["learned", "past-misses"][3:].mean() - few[3:].mean()
verify("from the fourth date on they contain nearly the same", abs(late) < 1)
gap = cuts["learned"] - cuts["drift"]
error = gap.std(ddof=1) / np.sqrt(len(gap))
verify("the mean difference is below its standard error", abs(gap.mean()) < error)
for years in range(3, 10):
    other = cuts[f"drift over {years} years"]
    verify(
        f"drift over {years} years: more accurate over all dates, less from 1992",
        other.mean() < cuts["drift"].mean() and other[-1] > cuts["drift"][-1],
    )
verify("half width at the end of 2001 (ppm)", columns["learned", "kernel"][1][-1], "3.3")
verify("from past errors (ppm)", columns["learned", "past-misses"][1][-1], "8.1")

# %% [markdown] key="find-error" slide="slide" tags=["later"]
# ## Find the error
#
# A report says: “We use a Gaussian process with the known noise, standard deviation 0.15, and give the 95 % interval
# for the next measurement.” A check finds 98.9 % of many new measurements inside. *Even better than promised*, says
# the author. **Read before you go on. There are two mistakes.**
#
# ```python
# gp = GaussianProcess(Gaussian(0.5), noise_variance=0.15).fit(X, y)
# mean, sd = gp.predict(X_new, return_std=True)
# low, high = mean - 1.96 * sd, mean + 1.96 * sd
# ```
#
# <!-- slide
# ## Find the error: two mistakes in three lines
#
# “A Gaussian process with the known noise, standard deviation 0.15, and the 95 % interval for the next measurement.”
# Of 100 000 new measurements 98.9 % are inside. *Even better than promised*, says the author.
#
# ```python
# gp = GaussianProcess(Gaussian(0.5), noise_variance=0.15).fit(X, y)
# mean, sd = gp.predict(X_new, return_std=True)
# low, high = mean - 1.96 * sd, mean + 1.96 * sd
# ```
# -->

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# One mistake makes the band wider, the other narrower. Ask which is which, and what happens if the two effects have
# the same size. (The count is right, and nobody notices.)
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
# `noise_variance` is a *variance*, and 0.15 is the square of 0.39. So the process assumes far more noise than there
# is, and the band becomes wider. And `predict` returns the band of the *curve*, which is narrower, unless you set
# `with_noise=True`.
#
# </details>
#
# <!-- slide
# **A variance is not a standard deviation, and a curve not a measurement**
#
# - `noise_variance=0.15` is the square of 0.39. This widens the band. Fixed alone: 74.0 % inside.
# - `predict` returns the band of the *curve*, without `with_noise=True`. This narrows the band.
# -->

# %% key="find-error-verify" slide="skip" hide="input"
verify("both fixed: about 95 %", abs(coverage(0.15**2, True) - 95) < 3)
verify("as written (%)", coverage(0.15, False), "98.9")
verify("fixing the first alone (%)", coverage(0.15**2, False), "74.0")
verify("0.15 is the square of", np.sqrt(0.15), "0.39")

# %% [markdown] key="sklearn" slide="slide"
# ## The same in scikit-learn
#
# In scikit-learn the noise can be a part of the kernel, `WhiteKernel`.
#
# <!-- slide
# ## In scikit-learn the noise is a part of the kernel
# -->

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

# %% [markdown] key="sklearn-equal-asked" slide="subslide"
# The results of scikit-learn agree with ours:
#
# <!-- slide
# **log p(y), the mean and the band agree with ours**
# -->

# %% key="sklearn-equal"
book = theirs(66, 67, 2.4, 90, 1.3, 0.66, 1.2, 0.78, 0.18, 0.134, 0.19)
model = GaussianProcessRegressor(book, alpha=0, optimizer=None).fit(co2.X, ppm - mean_ppm)
ours = air.log_marginal_likelihood_  # π times 1960 is rounded before its sine
verify("scikit-learn's log p(y)", model.log_marginal_likelihood_value_, ours, tol=1e-8)
their_mean, their_sd = model.predict(fine, return_std=True)
our_mean, our_sd = air.predict(fine, return_std=True, with_noise=True)
verify("scikit-learn's mean", their_mean, our_mean, tol=1e-6)
verify("with a WhiteKernel the band is that of a new measurement", their_sd, our_sd, tol=1e-6)

# %% [markdown] key="sklearn-traps" slide="subslide"
# There are two traps:
#
# - *The noise counted twice.* If you use both `WhiteKernel` and `alpha=0.19**2`, $\log p(y)$ falls from $-117.02$ to
#   $-142.84$. With `alpha` alone, `predict` returns the band of the curve, and with `WhiteKernel` that of a new
#   measurement.
# - *The level of y.* With the default `normalize_y=False`, the prior mean is $0$. If `ppm` is not centred, $\log p(y)$
#   falls to $-141.40$.
#
# <!-- slide
# **Two traps: the noise counted twice, and the level of y**
#
# - `WhiteKernel` **and** `alpha=0.19**2`: $\log p(y)$ falls from $-117.02$ to $-142.84$.
# - `alpha` alone returns the band of the curve, `WhiteKernel` that of a new measurement.
# - Prior mean 0 and `normalize_y=False`: if `ppm` is not centred, $-141.40$.
# -->

# %% key="sklearn-verify" slide="skip" hide="input"
verify("no trap, log p(y)", ours, "-117.02")
for alpha_too, y, value in ((0.19**2, ppm - mean_ppm, "-142.84"), (0, ppm, "-141.40")):
    trap = GaussianProcessRegressor(book, alpha=alpha_too, optimizer=None).fit(co2.X, y)
    verify("in a trap, log p(y)", trap.log_marginal_likelihood_value_, value)
alone = GaussianProcessRegressor(book.k1, alpha=0.19**2, optimizer=None)
curve_sd = alone.fit(co2.X, ppm - mean_ppm).predict(fine, return_std=True)[1]
our_sd = air.predict(fine, return_std=True)[1]
verify("with alpha alone, scikit-learn returns the band of the curve", curve_sd, our_sd, tol=1e-6)

# %% [markdown] key="cost" slide="slide" tags=["later"]
# ## What it costs, and when not to use it
#
# Fitting takes one Cholesky factor, $n^3/3$ operations. After that, for each new input, a mean takes about $n$
# operations and a variance $n^2$. *Learning* is more expensive, because each optimiser step also needs an inverse.
# Memory is $n^2$ numbers, $3.2$ gigabytes for $n=20\,000$.
#
# <!-- slide
# ## What it costs, and when not to use it
#
# - Fit: one Cholesky factor, $n^3/3$ operations. Each optimiser step: a factor and an inverse.
# - Memory: 3.2 gigabytes for $n=20\,000$.
# - Do not use it for a mean that a simple rule gives, for noise that is not normal or not the same everywhere, or
#   beyond about ten thousand points.
#
# **For one new input, a mean takes $n$ operations. How many does a variance take?**
# -->

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Wait for the answer (n²) before you show the figure. Ask what happens to two rows of K if two inputs are very close.
# (They are nearly equal, so K is nearly singular.)
#
# </details>

# %% key="cost-picture" slide="subslide" hide="input"
cost = measured("ch04_cost")
big = cost["n"] >= 1000
names = ("step uphill", "fit", "500 means and variances", "500 means")
slopes = {k: np.polyfit(np.log(cost["n"][big]), np.log(cost[k][big]), 1)[0] for k in names}
fig, ax = plt.subplots(figsize=(7.6, 3.8))
for i, name in enumerate(names):
    label = f"{name.replace('step uphill', 'optimiser step')}: grows like n^{slopes[name]:.1f}"
    ax.plot(cost["n"], cost[name], label=label, marker="o", markersize=3.5, **cycle(i))
ax.set(xscale="log", yscale="log", xlabel="number of points n", ylabel="time (s)")
ax.set_ylim(top=80 * cost["step uphill"].max())
ax.set_xticks([500, 1000, 2000, 4000], ["500", "1000", "2000", "4000"])
ax.minorticks_off()
ax.legend(loc="upper left")
show(
    fig,
    alt="Time in seconds against the number of points, 500 to 4000, both on logarithmic axes: an "
    "optimiser step takes longest and the means at 500 inputs take least by far; a fit and the "
    "means with variances lie between them, and the fit is the steeper of the two.",
)

# %% [markdown] key="cost-reading"
# For $500$ inputs and $n=1000$, the band takes roughly ten times as long as the mean alone. If $\ell$ is long
# compared with the distance between inputs, rows of neighbouring inputs are almost equal, and $K$ is almost singular.
# The noise helps, because the condition number of $A$ is at most $1+\operatorname{tr}K/\sigma_n^2$. Without noise,
# add a small *jitter* to the diagonal.
#
# **When not to use it.** If you only need a forecast and a simple rule, such as the drift forecast, is as accurate,
# use this rule. If the noise is not normal or not the same everywhere, as in the crash of chapter 3, the band can
# have the wrong width. Beyond about ten thousand points, use chapter 10.
#
# <!-- slide
# **A variance takes n² operations, a mean n**
#
# At 500 inputs and $n=1000$, the band takes roughly ten times as long.
# -->

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - A kernel is a covariance. To condition a joint normal, find $B$ so that $f_*-By$ is uncorrelated with $y$.
# - The mean is kernel ridge regression with $\lambda=\sigma_n^2$. If kernel and noise are given, the variance does not
#   depend on $y$.
# - The variances of the curve and of a new measurement differ by $\sigma_n^2$.
# - The marginal likelihood weighs fit against complexity. It can have several maxima, and the highest need not give
#   the true hyperparameters.
# - Compare a band with later observations, from many dates, and with past errors.
#
# At the end of 2001 the half width of the learned band is 3.3 ppm, and that of past errors 8.1 ppm. What half width
# did you draw?
#
# <!-- slide
# ## Recap: a band is as good as its model
#
# - A kernel is a covariance. Find $B$ so that $f_*-By$ is uncorrelated with $y$.
# - Mean: kernel ridge regression, $\lambda=\sigma_n^2$. Variance: does not depend on $y$ if kernel and noise are given.
# - Two bands, of the curve and of a new measurement. Their variances differ by $\sigma_n^2$.
# - $\log p(y)$ is fit plus complexity, perhaps with several maxima. The highest need not give the true
#   hyperparameters.
# - Compare the band with later observations, from many dates, and with past errors.
#
# Half width at the end of 2001: 3.3 ppm learned, 8.1 ppm from past errors. **And yours?**
# -->

# %% [markdown] key="recap-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Take out the papers from the beginning once more. Ask how wide they would draw the band now, next to 3.3 and 8.1 ppm.
#
# </details>

# %% [markdown] key="quiz" slide="slide"
# ## Five questions
#
# <details><summary>1. You will measure at five inputs tomorrow. What can you say about your band today?</summary>
#
# Its width everywhere, if kernel and noise are given. If you learn the kernel from the results, they change the
# width.
# </details>
#
# <details><summary>2. A point is measured twice, with results 1 and 3. Where does the mean go, and what happens to the variance?</summary>
#
# Mean and variance are those after one measurement of $2$ with half the noise variance.
# </details>
#
# <details><summary>3. All of 120 <i>independent</i> new measurements lie inside your 95 % band. Is this good? What if they are consecutive months?</summary>
#
# A correct band contains all of them about once in $470$ times, so yours is probably too wide. Consecutive months say
# less, because errors of neighbouring months are correlated.
# </details>
#
# <details><summary>4. Far from all data your band of the curve is ± 2. You scale the kernel by 9. What is it now?</summary>
#
# $\pm6$, because the standard deviation of the prior has become three times as large.
# </details>
#
# <details><summary>5. Two optimiser runs return different hyperparameters. Which are right?</summary>
#
# Compare $\log p(y)$. If the two maxima are of similar height, the data do not decide.
# </details>

# %% [markdown] key="quiz-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask two of the five with a show of hands before the click. For question 3, expect “good”.
#
# </details>

# %% key="quiz-verify" slide="skip" hide="input"
verify("a matrix at n = 20 000 (GB)", K.itemsize * 20_000**2 / 1e9, "3.2")
ratio = (cost["500 means and variances"] / cost["500 means"])[big]
verify("at n = 1000 the band takes roughly ten times the mean", 6 < ratio[0] < 18)
verify("and at the largest n more", ratio[-1] > 1.5 * ratio[0])
A = whole(co2.X) + 0.19**2 * np.eye(len(ppm))
w = np.linalg.eigvalsh(A)
bound = 1 + np.trace(whole(co2.X)) / 0.19**2
verify("the bound on the condition number, for CO₂", w[-1] / w[0] < bound)
double = GaussianProcess(Gaussian(1.0), noise_variance=0.5).fit([[0.0], [0.0]], [1.0, 3.0])
single = GaussianProcess(Gaussian(1.0), noise_variance=0.25).fit([[0.0]], [2.0])
verify(
    "question 2: two measurements are one with half the noise variance",
    np.concatenate(double.predict(places, return_std=True)),
    np.concatenate(single.predict(places, return_std=True)),
)
luck = (norm.cdf(1.96) - norm.cdf(-1.96)) ** 120
verify("question 3: all inside, once in (times)", 10 * round(0.1 / luck), "470")
wide = GaussianProcess(9.0 * Gaussian(1.0), noise_variance=0.25).fit([[0.0]], [1.0])
verify(
    "question 4: two prior standard deviations",
    2 * wide.predict([[50.0]], return_std=True)[1][0],
    "6",
)

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are
# told which one. *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch04_gp")

# %% [markdown] key="references" slide="skip" numbers="free"
# ## Further reading
#
# - C. E. Rasmussen and C. K. I. Williams, *Gaussian Processes for Machine Learning* (2006), free on the web.
# - J. Görtler, R. Kehlbeck and O. Deussen, *A visual exploration of Gaussian processes*, Distill.
# - Data: C. D. Keeling and others, *Atmospheric carbon dioxide variations at Mauna Loa Observatory* (1976), from
#   statsmodels.
# - The slow rise after Pinatubo: J. L. Sarmiento, *Atmospheric CO₂ stalled* (1993); C. D. Keeling and others,
#   *Interannual extremes in the rate of rise of atmospheric carbon dioxide* (1995).
#
# Now you: [the exercises of this chapter](../exercises/ch04_gp_sheet.ipynb).
