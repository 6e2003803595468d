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
from kcourse.datasets import load_co2, load_mcycle, make_sinc
from kcourse.lab import cycle, show, table, use_style, verify
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
# Paper again: the curve, and the band. Collect the half widths for the end of 2001 on the board (they go from 1 to 20 ppm). Ask where the
# band should be narrow and where wide, and what they would need to know to say so.
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
# A trend that bends upwards, a season, and something irregular between the two. A curve through the future is easily drawn. An
# *interval* that you would bet on at nineteen to one is another matter: that needs a model of what you do not know.
#
# <!-- slide
# A trend, a season, something irregular. **Draw the next ten years, and around them a band that you would bet on at nineteen to one.**
# -->

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# 1. condition a joint normal distribution, and read the result as prediction and band;
# 2. say why the mean is kernel ridge regression, and what the band adds and does not add;
# 3. tell the band of the curve from the band of a new measurement;
# 4. compute the marginal likelihood and its slope by one Cholesky factor, and read its two terms;
# 5. build a kernel for a series out of parts, forecast with it, and check the band against what came.
#
# **You need** chapter 3, the normal distribution, covariance. **Reading:** two to three hours. **Lecture:** two hours of 45 minutes.
# **Exercises:** two to three hours, [in the sheet](../exercises/ch04_gp_sheet.ipynb).
#
# <!-- slide
# **After this chapter you can**
#
# 1. condition a joint normal distribution, and read the result as prediction and band;
# 2. say why the mean is kernel ridge regression, and what the band adds and does not add;
# 3. tell the band of the curve from the band of a new measurement;
# 4. compute the marginal likelihood and its slope by one Cholesky factor;
# 5. build a kernel out of parts, forecast with it, and check the band against what came.
# -->


# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Of the slope (6), Brownian motion and why draws are rougher than the space say the result, and leave the rest to be read at home.
#
# May be left out: Nor is the highest summit the truth; A band that is visibly wrong; Another prior: Brownian motion; A draw is rougher than any member of the space; The same in scikit-learn.
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
# Left, the ellipse is cut at the measured value: what remains is a normal distribution, narrower than before. Right is the same, drawn as a
# curve with two places. All of this chapter is that picture with more places.
#
# <!-- slide
# Left the ellipse, cut at the measured value. Right the same, as a curve with two places.
# -->

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
# Say "process" slowly: it is a rule for all finite sets, not a thing with infinitely many parts. Ask why L z has covariance K (expand one
# entry), and what would go wrong with a K that is not positive semi-definite (a variance below 0).
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
# Move ℓ slowly: the curves breathe, because the random numbers stay. Then add the points one by one and let them say beforehand where the
# five curves will be forced together. The last question is a misconception worth killing: the band never exceeds the prior.
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
# <details><summary><b>What just happened</b> (open it when your answers are written down)</summary>
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
# variance $\sigma_n^2$; asked are the values $f_*$ at $q$ others. All are jointly normal:
#
# $$\begin{pmatrix}y\\f_*\end{pmatrix}\sim\mathcal N\left(0,\begin{pmatrix}A&K_*^\top\\K_*&K_{**}\end{pmatrix}\right),\qquad
# A=K+\sigma_n^2I,\quad K_*=k(X_*,X).$$
#
# Do what we did with two numbers: look for a matrix $B$ such that the rest $r=f_*-By$ is uncorrelated with $y$. That asks for
# $K_*-BA=0$, so $B=K_*A^{-1}$. Then $r$ is independent of $y$, and measuring $y$ leaves it as it was, with covariance
# $K_{**}-K_*A^{-1}K_*^\top$:

# %% [markdown] key="conditioning-2" slide="fragment"
# $$f_*\mid y\;\sim\;\mathcal N\big(\underbrace{K_*A^{-1}y}_{\text{mean}},\ \underbrace{K_{**}-K_*A^{-1}K_*^\top}_{\text{covariance}}\big). \tag{3}$$
#
# The covariance is called the *Schur complement* of $A$. Equation (1) is the case of one point and $\sigma_n=0$.

# %% [markdown] key="conditioning-notes" slide="notes"
# <details><summary>For the lecturer (5 min)</summary>
#
# Put (1) and (3) side by side and let them find ρ in K* A⁻¹. The derivation needs no block inverse and no completing of squares: find B,
# use that uncorrelated is independent. Ask which part of (3) contains y.
#
# </details>


# %% key="conditioning-verify" slide="skip"
def posterior(K, K_star, k_diag, y, noise_variance):
    """Mean and variance of f at new places, by one Cholesky factor."""
    A = cho_factor(K + noise_variance * np.eye(len(y)), lower=True)
    mean = K_star @ cho_solve(A, y)
    reduction = np.sum(K_star.T * cho_solve(A, K_star.T), axis=0)
    return mean, k_diag - reduction


one = posterior(np.ones((1, 1)), np.exp([[0.0], [-0.5]]), np.ones(2), np.array([1.0]), 0.25)
print("one point: mean", one[0].round(6), " variance", one[1].round(6))

# %% [markdown] key="by-hand" slide="subslide"
# **By hand.** One measurement $y=1$ at $x=0$, with $\ell=1$ and $\sigma_n^2=0.25$. Then $A=1.25$. At $x=0$ the mean is $1/1.25=0.8$ and the
# variance $1-1/1.25=0.2$: *less* than the noise, because the prior knows something, too. At $x=1$, where $k=e^{-1/2}$, the mean is
# $0.485225$ and the variance $0.705696$.

# %% key="by-hand-verify" slide="skip" hide="input"
verify("A is k(0, 0) + σ_n²", 1 + 0.25, "1.25")
verify("mean at 0", one[0][0], "0.8")
verify("variance at 0", one[1][0], "0.2")
verify("mean at 1", one[0][1], "0.485225")
verify("variance at 1", one[1][1], "0.705696")
gp = GaussianProcess(Gaussian(1.0), noise_variance=0.25).fit([[0.0]], [1.0])
mean, sd = gp.predict([[0.0], [1.0]], return_std=True)
verify("GaussianProcess agrees", np.concatenate([mean, sd**2]), np.concatenate(one))

# %% [markdown] key="ridge" slide="slide"
# ## The mean is kernel ridge regression
#
# Look at the mean in (3): $K_*(K+\sigma_n^2I)^{-1}y$. That is chapter 3's predictor, letter by letter, with
#
# $$\lambda=\sigma_n^2. \tag{4}$$
#
# What chapter 3 called a price on $\|f\|^2$ is here a belief about noise. One lecture says that the two are the same *without assumptions about
# a distribution of $f$*. Of the mean that is true, under three conditions that are easily lost: the **same** $k$, $\lambda=\sigma_n^2$ beside the
# **sum** of squares, and a prior mean of **0** (so centre $y$, or say otherwise). The band, however, is made of nothing but those assumptions.
#
# <!-- slide
# The mean in (3) is $K_*(K+\sigma_n^2I)^{-1}y$: chapter 3's predictor, with
#
# $$\lambda=\sigma_n^2. \tag{4}$$
#
# A price on $\|f\|^2$ there, a belief about noise here. Same $k$, the **sum** of squares, prior mean **0**. **And the band: what is it made of?**
# -->

# %% [markdown] key="ridge-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Let them discover it: write the mean of (3) and ask where they have seen it. Then ask for what breaks the equality; somebody will say
# "normalising y", which is the third condition.
#
# </details>

# %% key="ridge-verify" slide="skip"
sinc = make_sinc(n=30, noise=0.15, rng=0)
grid = np.linspace(-3, 3, 121)[:, None]
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

# %% [markdown] key="variance" slide="slide"
# ## A band that never saw the data
#
# Look at the variance in (3): $y$ does not occur. As long as kernel and noise are given, *where* we measured matters and *what* we measured does not. That is useful, since one can say before
# an experiment what it will teach; and it is a warning, since a band that never looks at $y$ cannot notice that the model is wrong.
#
# **Step 3. Two bands.** (3) is the band of the curve $f$. A **new measurement** has its own noise on top, so its variance is larger by exactly
# $\sigma_n^2$. Most bands in talks do not say which of the two they are.

# %% [markdown] key="variance-predict" slide="fragment"
# **Predict first:** double all $y$. What happens to the mean, and what to the band? And of 100 *new measurements*, how many lie inside the $\pm1.96$
# standard deviations of $f$?

# %% [markdown] key="variance-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Most expect the band to double. Then the second question: the band of f is no promise about measurements at all. Show the picture and count.
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
)

# %% [markdown] key="variance-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open it when your answers are written down)</summary>
#
# Doubling $y$ doubles the mean and leaves both bands as they are. The inner band holds the *curve*; of 100 000 fresh measurements about three in four lie
# inside it, and about 95 in 100 inside the outer one.
#
# </details>

# %% key="variance-verify" slide="skip" hide="input"
twice = GaussianProcess(1.0 * Gaussian(0.5), noise_variance=0.15**2).fit(sinc.X, 2 * sinc.y)
verify("twice the y: the same band", twice.predict(line, return_std=True)[1], sd_f)
verify("... and twice the mean", twice.predict(line), 2 * mean)
rng = np.random.default_rng(1)
fresh_x = rng.uniform(-3, 3, (100_000, 1))
fresh_y = np.sinc(fresh_x[:, 0]) + rng.normal(scale=0.15, size=100_000)
at, of_f = model.predict(fresh_x, return_std=True)
inner = np.mean(np.abs(fresh_y - at) < 1.96 * of_f)
outer = np.mean(np.abs(fresh_y - at) < 1.96 * np.sqrt(of_f**2 + 0.15**2))
verify("about three in four inside the band of the curve", 0.7 < inner < 0.78)
verify("about 95 in 100 inside that of a measurement", 0.92 < outer < 0.98)

# %% [markdown] key="evidence" slide="slide"
# ## How likely were these data?
#
# Chapter 3 chose $\sigma$ and $\lambda$ by leave-one-out. A Gaussian process has another judge. Before measuring it holds $y\sim\mathcal N(0,A)$, so it
# has an opinion about how likely the measured $y$ was:
#
# **Step 4.**
#
# $$\log p(y)=\underbrace{-\tfrac12\,y^\top A^{-1}y}_{\text{fit}}\;\underbrace{-\tfrac12\log\det A}_{\text{complexity}}\;-\tfrac n2\log2\pi. \tag{5}$$
#
# It is called the *log marginal likelihood*, or the evidence. The first term asks whether $y$ looks like a draw; the second is the price of being able
# to draw much else: a flexible process spreads its probability over many $y$ and has little left for each. With $A=LL^\top$ everything comes from one
# Cholesky factor, $\log\det A=2\sum_i\log L_{ii}$.
#
# <!-- slide
# Before measuring, $y\sim\mathcal N(0,A)$. **Step 4.**
#
# $$\log p(y)=\underbrace{-\tfrac12\,y^\top A^{-1}y}_{\text{fit}}\;\underbrace{-\tfrac12\log\det A}_{\text{complexity}}\;-\tfrac n2\log2\pi \tag{5}$$
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
verify("(5) is what GaussianProcess reports", gp.log_marginal_likelihood_, sum(terms))
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
# **Step 5. Its slope.** For a hyper-parameter $\theta$ with $\partial A=\partial A/\partial\theta$ use $\partial A^{-1}=-A^{-1}(\partial A)A^{-1}$ and
# $\partial\log\det A=\operatorname{tr}(A^{-1}\partial A)$. With $\alpha=A^{-1}y$,
#
# $$\frac{\partial\log p(y)}{\partial\theta}=\tfrac12\,\alpha^\top(\partial A)\,\alpha-\tfrac12\operatorname{tr}\big(A^{-1}\partial A\big)
# =\tfrac12\operatorname{tr}\big((\alpha\alpha^\top-A^{-1})\,\partial A\big). \tag{6}$$
#
# So one climbs uphill with a ready-made optimiser, in the *logarithms* of $\ell$ and $\sigma_n^2$, which are positive. The hill may have several summits. And from here on the band does depend on $y$: through the kernel and the noise
# that were learned from it, and only through them.


# %% [markdown] key="slope-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Two identities of matrices, one line: say so, and go on. With more time, ask for the sign of the slope in the noise. Where it is set too low, α is huge and ααᵀ outweighs A⁻¹:
# more noise would be welcome. Where it is set too high the sign turns.
#
# </details>


# %% key="slope-verify" slide="skip"
def evidence(log_noise):
    A = Gaussian(0.5)(sinc.X) + np.exp(log_noise) * np.eye(30)
    L = np.linalg.cholesky(A)
    return (
        -0.5 * sinc.y @ np.linalg.solve(A, sinc.y)
        - np.log(np.diag(L)).sum()
        - 15 * np.log(2 * np.pi)
    )


dA = 0.5 * np.eye(30)  # ∂A/∂log σ_n² = σ_n² I
slope = 0.5 * np.trace((np.outer(alpha, alpha) - np.linalg.inv(A)) @ dA)
by_differences = (evidence(np.log(0.5) + 1e-5) - evidence(np.log(0.5) - 1e-5)) / 2e-5
verify("(6) is the slope: it agrees with finite differences", slope, by_differences, tol=1e-7)

# %% [markdown] key="landscape-predict" slide="subslide"
# **Predict first.** Eight points, two sliders, and the two terms of (5) as bars.
#
# 1. You shrink $\ell$. Which bar grows, which falls?
# 2. Find the largest $\log p(y)$ that you can, with your own hands. Write down $\ell$ and the noise.
# 3. Is there another setting, quite different, that is nearly as good? What does it *believe* about the eight points?

# %% [markdown] key="landscape-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Let two groups search from different corners; they will report two different answers and be right both. The two summits are two stories
# about the same data: a wiggly curve measured well, or a calm one measured badly. Eight points do not decide. Then uncover the landscape.
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


landscape = np.array([[eight(s, v).log_marginal_likelihood_ for s in lengths] for v in noises])
summits = landscape_explorer(
    (eight_x[:, 0], eight_y), np.linspace(-6.5, 6.5, 260), eight, (lengths, noises, landscape)
)

# %% [markdown] key="landscape-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open it when your answers are written down)</summary>
#
# A smaller $\ell$ lets the curve follow the points, so the fit improves, and the process can draw more curves, so the complexity term falls. There are **two
# summits** of almost the same height, $-8.12$ and $-8.15$: a calm curve with $\ell\approx5.6$ and much noise, or a busy one with $\ell\approx0.63$ and hardly any.
# An optimiser ends on one of them, depending on where it starts, and reports it as *the* result. With eight points both stories are told by the data.
#
# </details>

# %% key="landscape-verify" slide="skip" hide="input"
inner_table = landscape[1:-1, 1:-1]
around = np.stack(
    [landscape[1 + i : 47 + i, 1 + j : 44 + j] for i in (-1, 0, 1) for j in (-1, 0, 1)]
)
peaks = np.argwhere(inner_table == around.max(axis=0)) + 1
heights = sorted((landscape[i, j] for i, j in peaks), reverse=True)
verify("two summits inside the grid", len(peaks) == 2)
verify("the higher", heights[0], "-8.12")
verify("the lower", heights[1], "-8.15")
where = sorted(lengths[j] for _, j in peaks)
verify("one with ℓ near", where[1], "5.6")
verify("one with ℓ near", where[0], "0.63")
verify(
    "a smaller ℓ fits better and pays more",
    np.array(eight(0.5, 0.1).evidence_terms_[:2]) @ [1, -1]
    > np.array(eight(2.0, 0.1).evidence_terms_[:2]) @ [1, -1],
)
learned = GaussianProcess(1.0 * Gaussian(1.0), noise_variance=0.1, optimise=True).fit(
    sinc.X, sinc.y
)
verify(
    "on sinc, learned noise (sd); the data were made with 0.15",
    np.sqrt(learned.noise_variance_),
    "0.115",
)

# %% [markdown] key="not-truth" slide="subslide"
# **Nor is the highest summit the truth.** On the thirty sinc points the evidence chooses a noise of standard deviation 0.115; they were made with 0.15. It is an
# estimate from thirty points, and it comes without a band of its own: everything that follows is computed as if the chosen $\ell$ and $\sigma_n$ were certain.

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
#
# The numbers are those of Rasmussen and Williams' book, in the years and with the rounding of scikit-learn's example. Each part of the prediction can be drawn alone: with $\alpha=A^{-1}y$ from the whole,
# its mean is $k_{\text{part}}(X_*,X)\,\alpha$, and the parts add up.
#
# <!-- slide
# Sums of kernels are kernels. Write down what you believe:
#
# | part | kernel | what it says |
# |---|---|---|
# | trend | $66^2$ · Gaussian, $\ell=67$ years | slow, of any size |
# | season | $2.4^2$ · periodic ($\sigma=1.3$) × Gaussian, 90 years | the same each year, slowly changing |
# | medium | $0.66^2$ · rational quadratic, 1.2 years, $\alpha=0.78$ | a few good and bad years |
# | short | $0.18^2$ · Gaussian, 0.134 years, and noise | months that hang together |
# -->

# %% key="co2-kernel" slide="skip"
parts = {
    "trend": 66**2 * Gaussian(67.0),
    "season": 2.4**2 * Gaussian(90.0) * Periodic(period=1.0, sigma=1.3),
    "medium": 0.66**2 * RationalQuadratic(1.2, 0.78),
    "short": 0.18**2 * Gaussian(0.134),
}
whole = parts["trend"] + parts["season"] + parts["medium"] + parts["short"]
mean_ppm = ppm.mean()
air = GaussianProcess(whole, noise_variance=0.19**2).fit(co2.X, ppm - mean_ppm)
verify("log p(y) of the whole series", air.log_marginal_likelihood_, "-117.023")
together = sum(part(co2.X) @ air.coef_ for part in parts.values())
verify("the parts add up to the mean", together, air.predict(co2.X), tol=1e-6)

# %% [markdown] key="co2-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask for the parts before the table: what is in the curve of the beginning? Let them give each a length and a height; then compare. Ask why the
# season is a product of two kernels, and not a sum.
#
# </details>

# %% key="co2-parts" slide="subslide" hide="input"
fine = np.linspace(1958, 2002, 1500)[:, None]
fig, axes = plt.subplots(4, 1, figsize=(8, 5.4), sharex=True)
for ax, (name, part) in zip(axes, parts.items(), strict=True):
    drawn = part(fine, co2.X) @ air.coef_
    ax.plot(
        fine[:, 0],
        drawn + (mean_ppm if name == "trend" else 0),
        linewidth=1.2,
        **{k: v for k, v in cycle(0).items()},
    )
    ax.set(ylabel="ppm", title=name)
    ax.title.set_fontsize(10)
axes[-1].set_xlabel("year")
show(
    fig,
    alt="Four curves over the years 1958 to 2002, in ppm: a smooth trend that bends upwards; a "
    "season of about plus or minus 3 that grows slowly; "
    "medium-term ups and downs of about 1; and short ripples of a few tenths.",
)

# %% [markdown] key="co2-parts-reading"
# Nobody has separated the data into these four: the kernel says how each part looks, and conditioning does the rest. The amplitude of the season has
# grown, which no one put in; a *fixed* season would have had to call that noise.
#
# <!-- slide
# The kernel says how each part looks; conditioning does the rest. The season has grown: no one put that in.
# -->

# %% key="co2-parts-verify" slide="skip" hide="input"
season = parts["season"](fine, co2.X) @ air.coef_
early, late = season[fine[:, 0] < 1968], season[fine[:, 0] > 1992]
verify("the season has grown", np.ptp(late) > 1.03 * np.ptp(early))
verify("the season is about ± 3 ppm", 5 < np.ptp(season) < 8)

# %% [markdown] key="forecast-predict" slide="subslide"
# **Predict first.** The forecast below has seen the years before 1992, and goes on for ten.
#
# 1. Switch the *trend* off. Where does the forecast go, and how does the band know?
# 2. Switch off the *season*. Does the band become wider, or is it wrong without knowing it?
# 3. Move the date back to 1980. Is the forecast of the eighties better or worse than that of the nineties?

# %% [markdown] key="forecast-notes" slide="notes"
# <details><summary>For the lecturer (6 min)</summary>
#
# Take the papers from the beginning: whose band holds? Switch parts off, always with a prediction. Without the trend the mean falls by 8 ppm
# and stops well above the prior mean (the season's kernel has a part that is constant over the year, and carries it), with a band that is far
# too narrow: the model is wrong and cannot know. Ask what would reveal it (the evidence, and coverage on held-out years).
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
# <details><summary><b>What just happened</b> (open it when your answers are written down)</summary>
#
# Without the trend the forecast falls by some 8 ppm within four years and stays near 348 ppm, 15 above the mean of the past, to which it would return if nothing were left of a trend:
# the season's kernel, which changes over 90 years, has taken over what it can carry. The band stays narrow and holds none of what came. Without the season the band hardly changes and is wrong
# twice a year: of April to June, and of September and October, most lies outside. From 1980 the whole kernel is off by 1.29 ppm and holds 99 %, from 1992
# by 1.36 ppm and holds 92 %, and from 1975, with fewer years to learn from, by 2.00 ppm, with all inside. A band is as right as the model, and **it does not see the data**, so it cannot
# report that the model is wrong.
#
# </details>
#
# <!-- slide
# <details><summary><b>What just happened</b></summary>
#
# 1. It falls by some 8 ppm within four years and stays near 348 ppm: the season's kernel, which changes over 90 years, carries what it can of a trend. The band holds none of what came.
# 2. The band hardly changes, and is wrong twice a year.
# 3. From 1980: 1.29 ppm and 99 % inside; from 1992: 1.36 ppm and 92 %.
#
# A band **does not see the data**, so it cannot report that the model is wrong.
#
# </details>
# -->

# %% key="forecast-verify" slide="skip" hide="input"
_, no_trend, sd_no_trend = forecast(("season", "medium", "short"), 1992.0)
by_year = no_trend.reshape(10, 12).mean(axis=1)
fallen = ppm[past][-12:].mean() - by_year[3]
verify("without the trend: the last year seen, less the fourth year (ppm)", fallen, "8")
verify("without the trend it stays near (ppm)", by_year[2:].mean(), "348")
verify("... within 1 ppm", np.ptp(by_year[2:]) < 1.3)
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
verify("its band is no wider than that of the whole kernel", sd_no_trend.mean() < sd_whole.mean())
sd_no_season = forecast(("trend", "medium", "short"), 1992.0)[2]
verify("without the season the band hardly changes", sd_no_season / sd_whole, 1.0, tol=0.06)
kept = judged(("trend", "medium", "short"), 1992.0)[1].reshape(10, 12).mean(axis=0)
spring, autumn = kept[3:6], kept[8:10]
verify("of April to June most lies outside", spring.max() < 0.5)
verify("of September and October, too", autumn.max() < 0.5)
others = kept[[0, 1, 2, 6, 7, 10, 11]]
verify("of the other months most lies inside", others.min() > 0.5)
quoted = {1980: ("1.29", "99"), 1992: ("1.36", "92"), 1975: ("2.00", "100")}
for cut, (rmse_then, inside_then) in quoted.items():
    rmse, inside = judged(tuple(parts), float(cut))
    verify(f"from {cut}, RMSE (ppm)", rmse, rmse_then)
    verify(f"from {cut}, inside (%)", 100 * inside.mean(), inside_then)

# %% [markdown] key="honest" slide="slide"
# ## Was it any good?
#
# A forecast is judged against simple ones, on years that had no part in it. And here lies a trap. The numbers printed in the book were learned from a series that
# *went on beyond 1992*. Whoever forecasts from 1992 with them has seen the future, through the hyper-parameters. So we also learn them afresh, from the
# years before 1992 alone.

# %% [markdown] key="honest-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Ask before the table: which simple rule comes near the Gaussian process? And who has seen the future? Then the second row. It hurts, and it is the point: what the
# process gives is a band and parts, not a better mean; and even the band is only as good as what it takes for granted. Ask *when* it misses: in the first
# four years and always above what came, so it is the model of the years after 1991 that fails first, and only then the certainty about ten learned numbers.
#
# </details>

# %% key="honest-learn" slide="skip"
fixed = [name for name in air.theta_names_ if name.endswith(("period", "alpha"))]
mean_past = ppm[past].mean()
fresh = GaussianProcess(whole, noise_variance=0.19**2, optimise=True, fixed=fixed)
fresh.fit(co2.X[past], ppm[past] - mean_past)  # climbs (5) by (6), about a second
printed = GaussianProcess(whole, noise_variance=0.19**2).fit(co2.X[past], ppm[past] - mean_past)

# %% key="honest-table" slide="fragment" hide="input"
came, ahead = ppm[~past], co2.X[~past]
step = np.floor(year[~past] - 1991)
month = np.round((year % 1) * 12).astype(int) % 12
last_year = ppm[past][-12:][np.argsort(month[past][-12:])][month[~past]]
drift = (ppm[past][-12:].mean() - ppm[past][-132:-120].mean()) / 10


def curve_and_season(u):
    u = u - 1980
    waves = [f(2 * np.pi * h * u) for h in (1, 2) for f in (np.sin, np.cos)]
    return np.column_stack([np.ones_like(u), u, u**2, *waves])


w, *_ = np.linalg.lstsq(curve_and_season(year[past]), ppm[past], rcond=None)
resid = (ppm[past] - curve_and_season(year[past]) @ w).std(ddof=7)
rows = {
    "last year again": (last_year, None),
    "last year + drift of ten years": (last_year + drift * step, None),
    "parabola and season": (curve_and_season(year[~past]) @ w, np.full(120, resid)),
}
short_only = GaussianProcess(66**2 * Gaussian(0.134), noise_variance=0.19**2)
for name, gp in (
    ("Gaussian, 0.134 years alone", short_only.fit(co2.X[past], ppm[past] - mean_past)),
    ("whole kernel, as printed", printed),
    ("whole kernel, learned before 1992", fresh),
):
    m, sd = gp.predict(ahead, return_std=True, with_noise=True)
    rows[name] = (m + mean_past, sd)
scores = {}
for name, (m, sd) in rows.items():
    rmse = np.sqrt(np.mean((came - m) ** 2))
    cover = None if sd is None else 100 * np.mean(np.abs(came - m) <= 1.96 * sd)
    scores[name] = rmse, cover
table(
    "Forecasts of ten years from 1992",
    {"method": "", "RMSE (ppm)": ".2f", "inside the 95 % band (%)": ".0f"},
    scores,
)

# %% [markdown] key="honest-reading" slide="subslide"
# Three things to read there. **First,** one line of arithmetic, last year's months plus the drift of the last ten years, is off by 1.07 ppm, and the whole kernel by 1.04 ppm: for the mean
# alone nobody needs a Gaussian process. **Second,** as printed its band holds 92 % of what came, close to its word; learned from the past alone it predicts *better* and holds only 81 %.
# All misses lie in 1992 to 1995, and on one side: CO₂ rose more slowly than the model thought possible; of 1993 the band holds nothing, from 1996 on nothing is outside. It also treats ten learned
# numbers as known, which makes it too narrow, but what is too narrow alone would not miss on one side for years. **Third,** a kernel without a trend is hopeless, 31 ppm off, and its band is so wide that it
# is always right: coverage alone says nothing, either.
#
# <!-- slide
# - One line of arithmetic, last year plus the drift of ten years, is as good a mean as the whole kernel.
# - As printed, the band holds 92 %. Learned before 1992 it holds 81 %: all misses lie in 1992–95, on one side.
# - A short kernel is 31 ppm off, and its band is always right.
# -->

# %% key="honest-verify" slide="skip" hide="input"
verify("the arithmetic, RMSE (ppm)", scores["last year + drift of ten years"][0], "1.07")
verify("learned before 1992, RMSE (ppm)", scores["whole kernel, learned before 1992"][0], "1.04")
verify("learned before 1992, inside (%)", scores["whole kernel, learned before 1992"][1], "81")
verify("as printed, inside (%)", scores["whole kernel, as printed"][1], "92")
verify("as printed, RMSE (ppm)", scores["whole kernel, as printed"][0], "1.36")
verify("a short kernel alone, RMSE (ppm)", scores["Gaussian, 0.134 years alone"][0], "31")
verify("its band is always right", scores["Gaussian, 0.134 years alone"][1] == 100)
verify("ten numbers were learned", len(fresh.theta_names_) - len(fixed) == 10)
m, sd = rows["whole kernel, learned before 1992"]
outside = (np.abs(came - m) > 1.96 * sd).reshape(10, 12)
verify("of 1993 the band holds nothing", outside[1].all())
verify("1992 to 1995 have misses, each of them", outside[:4].any(axis=1).all())
verify("from 1996 on nothing is outside", not outside[4:].any())
came_below = came < m - 1.96 * sd
verify("all that is outside came below the band", came_below.reshape(10, 12), outside)

# %% key="calibration-picture" slide="subslide" hide="input"
nominal = np.linspace(0.05, 0.99, 48)
fig, ax = plt.subplots(figsize=(5.6, 4))
for i, (name, gp) in enumerate((("as printed", printed), ("learned before 1992", fresh))):
    m, sd = gp.predict(ahead, return_std=True, with_noise=True)
    z = np.abs(came - m - mean_past) / sd
    ax.plot(nominal, [np.mean(z <= norm.ppf(0.5 + q / 2)) for q in nominal], **cycle(i), label=name)
ax.plot([0, 1], [0, 1], color="#777777", linestyle=":", label="a band that keeps its word")
ax.set(xlabel="what the band promises", ylabel="what it held", xlim=(0, 1), ylim=(0, 1.02))
ax.legend(loc="upper left")
show(
    fig,
    alt="Calibration: fraction of months inside the band against the promised fraction. The "
    "printed "
    "hyper-parameters run far below the diagonal and meet it at the very end; the learned ones "
    "follow the diagonal over the first third, then fall below it and do not come back.",
)

# %% [markdown] key="calibration-reading"
# One number is not enough: a band should keep its word at *every* level. The printed one keeps it at 95 % and hardly anywhere else: its half-way band, which promises 50 %, holds less than half
# of that, because its mean is off in one direction for years. The learned one keeps its word in the inner third, and is too sure further out. (120 months of one decade are no 120 independent tests:
# neighbouring errors hang together.)
#
# <!-- slide
# A band should keep its word at *every* level. The printed one keeps it at 95 % and hardly anywhere else; the learned one in the inner third.
# -->

# %% [markdown] key="calibration-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask where a band that is too wide would run (above the diagonal), and where one with a mean that is off (below it in the middle, whatever its
# width). Then ask how many independent tests the 120 months are.
#
# </details>


# %% key="calibration-verify" slide="skip" hide="input"
def held(gp, promise):
    m, sd = gp.predict(ahead, return_std=True, with_noise=True)
    return np.mean(np.abs(came - m - mean_past) <= norm.ppf(0.5 + promise / 2) * sd)


verify("printed: the 50 % band holds less than half of that", held(printed, 0.5) < 0.25)
verify(
    "learned: the inner third keeps its word",
    all(abs(held(fresh, q) - q) < 0.06 for q in (0.1, 0.2, 0.3)),
)
verify("learned: too sure further out", all(held(fresh, q) < q - 0.05 for q in (0.6, 0.75, 0.95)))

# %% [markdown] key="crash" slide="slide"
# ## A band that is visibly wrong
#
# The crash of chapters 1 and 3 again: learn $\ell$, variance and noise by the evidence, and look at the band. **Predict first:** 95 % of the measurements shall lie inside. Will they? And before
# 14 ms, where nothing happens?

# %% [markdown] key="crash-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Overall the band is nearly perfect: 95 %. Then ask about the first 14 ms, and about the storm. A number can be right on average and wrong
# everywhere. Ask for the cure: a noise variance that depends on time.
#
# </details>

# %% key="crash-picture" hide="input"
crash = load_mcycle()
head = GaussianProcess(2000.0 * Gaussian(5.0), noise_variance=500.0, optimise=True).fit(
    crash.X, crash.y
)
t = np.linspace(0, 60, 300)[:, None]
m, sd = head.predict(t, return_std=True, with_noise=True)
fig, ax = plt.subplots(figsize=(8, 4))
ax.fill_between(
    t[:, 0], m - 1.96 * sd, m + 1.96 * sd, color="#dddddd", label="95 %, a new measurement"
)
ax.plot(t[:, 0], m, **cycle(0), label="mean")
ax.plot(crash.X[:, 0], crash.y, "o", color="black", markersize=4)
ax.set(xlabel="time after impact (ms)", ylabel="head acceleration (g)")
ax.legend(loc="lower right")
show(
    fig,
    alt="The crash data with the mean of a Gaussian process and its band of about plus or minus "
    "47 g everywhere. Before 14 ms the points "
    "lie on a line in the middle of the band; around 30 to 40 ms several lie outside.",
)

# %% [markdown] key="crash-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open it when your answer is written down)</summary>
#
# Over all, 95 % of the points are inside: perfect. Before 14 ms, however, *all* are, in a band over ten times as wide as their scatter; between 25 and 40 ms it is 87 %. One noise variance was asked to serve the
# calm and the storm, and took the average of both. What mends it is a noise that depends on $x$: another process for its logarithm, or, simpler, a scale that is estimated first. The lesson holds without
# either: **check the band where it matters, not on average.**
#
# </details>

# %% key="crash-verify" slide="skip" hide="input"
fitted, sd_at = head.predict(crash.X, return_std=True, with_noise=True)
inside = np.abs(crash.y - fitted) <= 1.96 * sd_at
calm, storm = crash.X[:, 0] < 14, (crash.X[:, 0] > 25) & (crash.X[:, 0] < 40)
verify("inside, all (%)", 100 * inside.mean(), "95")
verify("inside, before 14 ms (%)", 100 * inside[calm].mean(), "100")
verify("inside, in the storm (%)", 100 * inside[storm].mean(), "87")
verify(
    "the band is over ten times as wide as the scatter of the calm",
    2 * 1.96 * sd_at[calm].mean() > 10 * np.std(crash.y[calm]),
)

# %% [markdown] key="brownian" slide="slide"
# ## Another prior: Brownian motion
#
# Not every process is smooth. With $k(s,t)=\min(s,t)$ on $[0,\infty)$ the draws are *Brownian motion*: $f(0)=0$, and what happens in one stretch of time is independent of what happened in others. **Step 6.** Let
# it be known that $f(1)=0$, and condition: by (3) with one point and no noise,
#
# $$\mathrm{Cov}\big(f(s),f(t)\mid f(1)=0\big)=\min(s,t)-s\cdot1^{-1}\cdot t=\min(s,t)-st. \tag{7}$$
#
# That is the *Brownian bridge*, held at both ends. Its variance is $t(1-t)$, largest in the middle.


# %% [markdown] key="brownian-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Say (7), and show the picture. With more time, let them compute (7) from (3) on paper: one point, no noise, so A is the number 1. Then ask for the variance half way, and why it is
# symmetric.
#
# </details>

# %% key="brownian-verify" slide="skip"
s_t = np.array([[0.25], [0.5], [0.8]])
bridge = GaussianProcess(Brownian(), noise_variance=0).fit([[1.0]], [0.0])
_, cov = bridge.predict(s_t, return_cov=True)
verify("(7): the covariance of the bridge", cov, np.minimum(s_t, s_t.T) - s_t * s_t.T)
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

# %% [markdown] key="rkhs" slide="slide"
# ## A draw is rougher than any member of the space
#
# Chapter 3 spoke of the space $\mathcal H$ of functions with finite norm; the mean of (3) is in it. Are the *draws*? Take $n$ values of a draw, $f=Lz$, and the least norm of any function through them,
#
# $$\|f\|^2\ge f^\top K^{-1}f=z^\top L^\top(LL^\top)^{-1}Lz=z^\top z, \tag{8}$$
#
# a sum of $n$ squares of normal numbers. It is about $n$. Look more closely, at more points, and it grows without bound: **with probability 1 the draw is not in $\mathcal H$**, for every kernel whose $K$ is invertible at any number of different
# places. (For a kernel of finitely many features it is not: there every draw is in $\mathcal H$.) A function that is in it, such as $\sin(\pi t/2)$ for $k=\min$, stays below its squared norm $\pi^2/8$. So the prior believes in functions rougher than the ones it predicts with. Not a contradiction: a mean of many rough curves is smooth.
#
# <!-- slide
# The mean of (3) is in $\mathcal H$. Are the *draws*? With $f=Lz$, the least norm through $n$ values is
#
# $$\|f\|^2\ge f^\top K^{-1}f=z^\top z\approx n, \tag{8}$$
#
# which grows without bound if $K$ is invertible at any number of places. **With probability 1 the draw is not in $\mathcal H$.** A mean of many rough curves is smooth.
# -->

# %% key="rkhs-table"
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

# %% [markdown] key="rkhs-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# (8) is two lines and surprises everybody: say it. With more time, ask what it means for choosing a prior: if the truth looks like a draw of k, k's own space does not contain
# it; a rougher kernel's does.
#
# </details>

# %% [markdown] key="find-error" slide="slide"
# ## Find the error
#
# A report: “We use a Gaussian process with the known noise, standard deviation 0.15, and give the 95 % interval for the next measurement.” Somebody counts: of 100 000 new measurements 98.9 % are inside. *Even better than promised*, says the author. **Read before you go on: there are two slips.**
#
# ```python
# gp = GaussianProcess(Gaussian(0.5), noise_variance=0.15).fit(X, y)
# mean, sd = gp.predict(X_new, return_std=True)
# low, high = mean - 1.96 * sd, mean + 1.96 * sd
# ```

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# One slip makes the band wider, the other narrower; ask which is which, and why the two together can look right on an unlucky day. Both are frequent in
# forum questions about libraries.
#
# </details>


# %% key="find-error-table" slide="fragment" hide="input"
def coverage(noise_variance, with_noise):
    gp = GaussianProcess(Gaussian(0.5), noise_variance=noise_variance).fit(sinc.X, sinc.y)
    m, sd = gp.predict(fresh_x, return_std=True, with_noise=with_noise)
    return 100 * np.mean(np.abs(fresh_y - m) <= 1.96 * sd)


table(
    "100 000 new measurements",
    {"report": "", "inside the interval (%)": ".1f"},
    {
        "as written": coverage(0.15, False),
        "one slip mended": coverage(0.15**2, False),
        "the other mended": coverage(0.15, True),
        "both mended": coverage(0.15**2, True),
    },
)

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What it computes</b> (open it when your answers are written down)</summary>
#
# `noise_variance` is a *variance*: 0.15 is the square of 0.39, so the process believes in far more noise than there is, and its band of the curve becomes wide. And `predict` gives the band of the *curve* unless it is asked for a measurement's,
# `with_noise=True`. The first slip widens, the second narrows. Mend only the first, and 74.0 % are inside; mend only the second, and it is all of them. An interval that holds more than it promises is as wrong as one that holds less.
#
# </details>

# %% key="find-error-verify" slide="skip" hide="input"
verify("both mended: about 95 %", abs(coverage(0.15**2, True) - 95) < 3)
verify("as written (%)", coverage(0.15, False), "98.9")
verify("mending the first alone (%)", coverage(0.15**2, False), "74.0")
verify("mending the second alone: all of them", coverage(0.15, True) > 99.9)
verify("0.15 is the square of", np.sqrt(0.15), "0.39")

# %% [markdown] key="sklearn" slide="slide"
# ## The same in scikit-learn

# %% key="sklearn-code" slide="fragment"
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel

ours = GaussianProcess(Gaussian(0.5), noise_variance=0.5).fit(sinc.X, sinc.y)
theirs = GaussianProcessRegressor(RBF(0.5), alpha=0.5, optimizer=None).fit(sinc.X, sinc.y)
verify("log p(y)", theirs.log_marginal_likelihood_value_, ours.log_marginal_likelihood_)
mean, sd = theirs.predict(grid, return_std=True)
verify(
    "alpha is σ_n², and the band is that of the curve", sd, ours.predict(grid, return_std=True)[1]
)

noisy = GaussianProcessRegressor(RBF(0.5) + WhiteKernel(0.5), alpha=0, optimizer=None)
sd_noisy = noisy.fit(sinc.X, sinc.y).predict(grid, return_std=True)[1]
new = ours.predict(grid, return_std=True, with_noise=True)[1]
verify("with a WhiteKernel it is that of a new measurement", sd_noisy, new)

# %% [markdown] key="sklearn-traps" slide="subslide"
# **Traps.**
#
# - `alpha` and `WhiteKernel(noise_level)` are variances, and they give two *different* bands for the same noise.
# - It optimises by default, from one start: several summits, one answer. `n_restarts_optimizer` is 0.
# - `normalize_y=False` by default: the prior mean is 0, whatever the mean of your targets.
# - A hyper-parameter at its bound is a warning about the model, not about the optimiser.
# - The band is computed as if the learned hyper-parameters were known.

# %% [markdown] key="cost" slide="slide"
# ## What it costs, and when not to use it
#
# One Cholesky factor, $n^3/3$ operations, and then: a mean costs $n$ a point, a variance $n^2$. *Learning* repeats the factor for every step uphill, and the slope (6) needs the inverse, so a hundred steps cost some hundred times as much.
# Memory is $n^2$ numbers. Chapter 10 makes this smaller.
#
# **When not:** when only the mean is wanted and a simple rule gives it, as above; when the noise is not normal (counts, outliers), since the band then promises what no one keeps; when $n$ is beyond some ten thousand; and whenever nobody will look at the band.
#
# <!-- slide
# - One Cholesky factor, $n^3/3$; then a mean costs $n$ a point, a variance $n^2$. Learning repeats it at every step.
# - Memory $n^2$ numbers.
#
# **When not:** when only the mean is wanted and a simple rule gives it; when the noise is not normal; beyond some ten thousand points; whenever nobody will look at the band.
# -->

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask for the price of the band against the price of the mean at a new place (with n = 500: a factor of 500).
#
# </details>

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - A kernel is a covariance. Conditioning a joint normal: find $B$ so that $f_*-By$ is uncorrelated with $y$.
# - Mean = kernel ridge regression with $\lambda=\sigma_n^2$. Variance = prior minus what was learnt; as long as kernel and noise are given, $y$ does not occur.
# - The band of the curve, and the band of a measurement: their variances differ by $\sigma_n^2$.
# - $\log p(y)$ = fit + complexity; several summits, and the highest is not the truth.
# - Kernels of parts give parts. Judge the band by what came, where it matters.
#
# **And the air?** Learned before 1992, the half width of the band at the end of 2001 is 3.4 ppm (as printed, 3.6). Lay it beside the one that you drew at the beginning. As a mean, one line of arithmetic is as good.

# %% key="recap-verify" slide="skip" hide="input"
_, sd_fresh = rows["whole kernel, learned before 1992"]
_, sd_printed = rows["whole kernel, as printed"]
verify("learned before 1992, half width for the end of 2001 (ppm)", 1.96 * sd_fresh[-1], "3.4")
verify("as printed (ppm)", 1.96 * sd_printed[-1], "3.6")

# %% [markdown] key="recap-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Papers from the beginning, once more, beside the half width of 3.4 ppm: with what they know now, how wide would they draw the band for 2001? What would they want to know first?
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
# <details><summary>3. All 120 new measurements lie inside your 95 % band. Good?</summary>
#
# No: about six should be outside. The band is too wide.
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
# <details><summary>For the lecturer (2 min)</summary>
#
# Two or three of the five, by show of hands before each fold is opened; the others at home.
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
verify("question 3: about six of 120 should be outside", 0.05 * 120, "6")
wide = GaussianProcess(9.0 * Gaussian(1.0), noise_variance=0.25).fit([[0.0]], [1.0])
verify(
    "question 4: two prior standard deviations",
    2 * wide.predict([[50.0]], return_std=True)[1][0],
    "6",
)

# %% [markdown] key="references" numbers="free" slide="skip"
# ## To read on
#
# - C. E. Rasmussen and C. K. I. Williams, *Gaussian Processes for Machine Learning*, 2006, free on the web: chapter 2, algorithm 2.1; section 5.4.3 for Mauna Loa; chapter 6 for the relation to reproducing kernel Hilbert spaces.
# - M. Kanagawa, P. Hennig, D. Sejdinovic and B. K. Sriperumbudur, *Gaussian processes and kernel methods: a review on connections and equivalences*, 2018.
# - J. Görtler, R. Kehlbeck and O. Deussen, *A visual exploration of Gaussian processes*, Distill, 2019.
# - One of this course's sources only names Gaussian processes, and points to slides that are not part of it; this chapter follows the books.
#
# **Next:** [the sheet](../exercises/ch04_gp_sheet.ipynb).
