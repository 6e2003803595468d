# %% [markdown] key="title"
# # Exercises 4: Gaussian processes
#
# Six functions, from conditioning a normal distribution to a forecast that has to keep its word: what [chapter 4](../notebooks/ch04_gp.ipynb)
# does with one matrix $A=K+\sigma_n^2I$, written by you. At the end one derivation on paper.
#
# **How it works.** Replace `raise NotImplementedError` by your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, the check tells you *what*, and if it recognises your mistake,
# *which one*. Below it, two sections that you can open name the step of the derivation to read again and give an experiment
# that shows the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
#
# **Rules.** NumPy and SciPy, loops or matrices, as you like. Calling `kcourse.GaussianProcess` or scikit-learn's is refused: you are
# writing what they do. The kernel classes of chapter 2 are yours to use.
#
# **Conventions.** `noise_var` is a *variance*, $\sigma_n^2$. The prior mean is 0. The Gaussian kernel is $\exp(-\|x-z\|^2/(2\ell^2))$.

# %% key="imports"
import numpy as np
import matplotlib.pyplot as plt

from kcourse.checks import check
from kcourse.datasets import load_co2
from kcourse.kernels import Gaussian, Periodic
from kcourse.lab import show, use_style

use_style()

# %% [markdown] key="ex-1"
# ## 4.1 Mean and band (4 points)
#
# Equation (3) of the chapter, at new places. You get the matrices; where they come from is the kernel's business. Asked is the variance of the
# *curve*, and only its diagonal.


# %% exercise="gp_posterior"
def gp_posterior(K, Ks, kss, y, noise_var):
    """Posterior mean and variance of f at new places.

    K : (n, n) array, prior covariance of the measured places
    Ks : (q, n) array, prior covariance of new and measured places
    kss : (q,) array, prior variances at the new places
    y : (n,) array, measurements
    noise_var : float > 0, variance of their noise

    Returns (mean, var) of f at the new places, each of shape (q,).
    """
    ### BEGIN SOLUTION
    # one A for both lines, the noise on its diagonal alone (K + noise_var would add it everywhere)
    A = K + noise_var * np.eye(len(y))
    mean = Ks @ np.linalg.solve(A, y)
    # of f, so no noise is added to it: the diagonal of Ks A⁻¹ Ksᵀ, without the rest of it
    var = kss - np.sum(Ks.T * np.linalg.solve(A, Ks.T), axis=0)
    return mean, var
    ### END SOLUTION


# %% check="gp_posterior"
check(gp_posterior)

# %% [markdown] key="ex-2"
# ## 4.2 How likely were these data? (4 points)
#
# Three terms, one Cholesky factor. One point of the four is for many measurements, whose determinant is smaller than the smallest number of this
# arithmetic; its logarithm is not.


# %% exercise="gp_log_marginal"
def gp_log_marginal(K, y, noise_var):
    """Log marginal likelihood of a Gaussian process.

    K : (n, n) array, prior covariance of f at the measured places
    y : (n,) array, measurements
    noise_var : float > 0, variance of their noise

    Returns log p(y), constant included, one number.
    """
    ### BEGIN SOLUTION
    # log(det(A)) would be log(0) for many points: add logarithms instead
    L = np.linalg.cholesky(K + noise_var * np.eye(len(y)))
    z = np.linalg.solve(L, y)  # zᵀz = yᵀA⁻¹y; ½ log det A is Σ log L_ii, halved already
    return -0.5 * z @ z - np.sum(np.log(np.diag(L))) - 0.5 * len(y) * np.log(2 * np.pi)
    ### END SOLUTION


# %% check="gp_log_marginal"
check(gp_log_marginal)

# %% [markdown] key="ex-3"
# ## 4.3 Draws (3 points)
#
# From independent normal numbers to draws of a given mean and covariance. So that the check knows which draw is meant, the numbers are given, and the
# root is the *lower Cholesky factor*. Draws stand in rows: think about the transpose.


# %% exercise="gp_sample"
def gp_sample(mean, cov, Z):
    """Draws from a joint normal distribution, made of given normal numbers.

    mean : (n,) array
    cov : (n, n) array, positive definite
    Z : (s, n) array, each row n independent standard normal numbers

    Returns the draws, shape (s, n): row i is mean + L z_i, with L the lower Cholesky factor of cov.
    """
    ### BEGIN SOLUTION
    # (L z)ᵀ = zᵀ Lᵀ; Z @ L has the right shape, too, and the covariance LᵀL
    return mean + Z @ np.linalg.cholesky(cov).T
    ### END SOLUTION


# %% check="gp_sample"
check(gp_sample)

# %% [markdown] key="ex-4"
# ## 4.4 A bridge (3 points)
#
# Brownian motion has $k(s,t)=\min(s,t)$. Given that $f(1)=0$, what is the covariance of $f(s)$ and $f(t)$? Condition first, on paper.


# %% exercise="bridge_cov"
def bridge_cov(t):
    """Covariance of the Brownian bridge.

    t : (n,) array of times in [0, 1], in any order

    Returns the matrix of Cov(f(t_i), f(t_j)) given f(1) = 0, shape (n, n).
    """
    ### BEGIN SOLUTION
    # (3) with one point at time 1, no noise: k(s, t) - k(s, 1) k(1, 1)⁻¹ k(1, t); no need to sort
    return np.minimum.outer(t, t) - np.outer(t, t)
    ### END SOLUTION


# %% check="bridge_cov"
check(bridge_cov)

# %% [markdown] key="ex-5"
# ## 4.5 Which way is up? (3 points)
#
# The slope of $\log p(y)$ in $\log\ell$, for places on a line. Differentiate $K$ first; the square in the exponent meets a ½ there. Then compare with a
# difference of two values of your 4.2.


# %% exercise="lml_grad_log_ell"
def lml_grad_log_ell(x, y, ell, noise_var):
    """Slope of the log marginal likelihood in the logarithm of the length scale.

    x : (n,) array, places on a line; some may be equal
    y : (n,) array, measurements
    ell : float > 0, length scale of the kernel exp(-(x - z)² / (2ℓ²))
    noise_var : float > 0, variance of the noise

    Returns ∂ log p(y) / ∂ log ℓ, one number.
    """
    ### BEGIN SOLUTION
    D2 = np.subtract.outer(x, x) ** 2
    K = np.exp(-D2 / (2 * ell**2))
    dK = K * D2 / ell**2  # ∂K/∂log ℓ
    A = K + noise_var * np.eye(len(x))
    alpha = np.linalg.solve(A, y)
    # a matrix product in the trace: entry by entry its diagonal would be 0, as that of dK is
    return 0.5 * alpha @ dK @ alpha - 0.5 * np.trace(np.linalg.solve(A, dK))
    ### END SOLUTION


# %% check="lml_grad_log_ell"
check(lml_grad_log_ell)

# %% [markdown] key="ex-6"
# ## 4.6 Does the band keep its word? (5 points)
#
# A forecast, judged by what came. The series has a level, so subtract the mean of `y` first and add it to the forecast. What came are *measurements*: which band is
# the one that should hold 95 % of them?


# %% exercise="forecast_coverage"
def forecast_coverage(K, Ks, kss, y, noise_var, y_new):
    """Error of a forecast, and what its 95 % band for new measurements held.

    K, Ks, kss, noise_var : as in gp_posterior
    y : (n,) array, measurements; their mean is subtracted first, and added to the forecast
    y_new : (q,) array, what was measured later at the new places, with noise of the same variance

    Returns (rmse, coverage): the root mean square error of the forecast, and the fraction of y_new
    within ± 1.96 standard deviations of a new measurement.
    """
    ### BEGIN SOLUTION
    mean, var = gp_posterior(K, Ks, kss, y - y.mean(), noise_var)
    miss = y_new - (mean + y.mean())
    sd = np.sqrt(var + noise_var)  # of a measurement, not of the curve
    return np.sqrt(np.mean(miss**2)), np.mean(np.abs(miss) <= 1.96 * sd)
    ### END SOLUTION


# %% check="forecast_coverage"
check(forecast_coverage)

# %% [markdown] key="air"
# ### Your verdict: two years of air
#
# The next cell forecasts 1992 and 1993 from the eight years before with *your* functions. Change the kernel: leave the season out; try trends of 10, 5, 3 years; the season alone.
# When does the band break its word, and could you have known it before 1992, from `gp_log_marginal` alone?

# %% key="air-figure"
co2 = load_co2()
seen = (co2.X[:, 0] >= 1984) & (co2.X[:, 0] < 1992)
later = (co2.X[:, 0] >= 1992) & (co2.X[:, 0] < 1994)
kernel = 30**2 * Gaussian(30.0) + 3**2 * Gaussian(60.0) * Periodic(period=1.0, sigma=1.3)
X, y, X_new, y_new = co2.X[seen], co2.y[seen], co2.X[later], co2.y[later]
K, Ks, kss = kernel(X), kernel(X_new, X), np.diag(kernel(X_new))
try:
    rmse, coverage = forecast_coverage(K, Ks, kss, y, 0.4**2, y_new)
    mean, var = gp_posterior(K, Ks, kss, y - y.mean(), 0.4**2)
    evidence = gp_log_marginal(K, y - y.mean(), 0.4**2)
except NotImplementedError:
    print("First write forecast_coverage, gp_posterior and gp_log_marginal.")
else:
    print(f"RMSE {rmse:.2f} ppm, inside the band {100 * coverage:.0f} %, log p(y) {evidence:.1f}")
    mean, sd = mean + y.mean(), np.sqrt(var + 0.4**2)
    fig, ax = plt.subplots()
    ax.plot(X[:, 0], y, color="black", linewidth=1, label="seen")
    ax.fill_between(
        X_new[:, 0], mean - 1.96 * sd, mean + 1.96 * sd, color="#cfe3f2", label="your band"
    )
    ax.plot(X_new[:, 0], mean, label="your forecast")
    ax.plot(X_new[:, 0], y_new, ".", color="black", label="what came")
    ax.set(xlabel="year", ylabel="CO₂ (ppm)")
    ax.legend(loc="upper left")
    show(
        fig,
        alt="Eight years of carbon dioxide, your forecast of two more with its band, and what "
        "came.",
    )

# %% [markdown] key="air-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# As it stands it breaks its word: 29 % are inside, and the forecast is too high: a trend of 30 years goes straight on through the pause after 1991. The evidence
# would have warned you: with a trend of 10, 5 or 3 years it is higher by 18 or 19, and these bands hold nearly everything. It does not warn of the
# rest: trends of 10 and of 3 years are equal to it, and the one says ± 2 ppm for the end of 1993, the other ± 10.
#
# Without the season the evidence falls by more than a thousand, and the band holds 25 %. The season *alone* is the best forecast of all,
# half a ppm off and everything inside, with an evidence lower by hundreds: it knows of no trend, and in the pause there was little. One forecast that came true is
# no reason to believe in its model.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: one measurement more
#
# The chapter's best idea is step 2: subtract what is explained, so that the rest is uncorrelated, hence independent. Use it once more. Given what it has
# seen, a Gaussian process has at $x$ the mean $m(x)$, and its values at $x$ and $x'$ have the covariance $c(x,x')$. Now one value more is measured, $y'=f(x')+\varepsilon'$,
# where $\varepsilon'$ has variance $\sigma_n^2>0$ and is independent of all else.
#
# (a) Find the mean and the variance of $f(x)$ that $y'$ leaves. Conclude that no measurement widens the band of the curve anywhere. You may measure at one of several places
# tomorrow, and want a narrow band at $x$: which do you take? Can you decide today?
#
# (b) At one place, where the variance of $f$ is $v$, you measure $N$ times. What is left of $v$? When does the prior no longer matter?
#
# (c) Show that $\log p(y)=\sum_i\log p(y_i\mid y_1,\dots,y_{i-1})$, and write down each term by its mean and variance. Of the two bands, which one does the evidence judge, and on which values?

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) Given what was seen, $y'$ has mean $m(x')$ and variance $c(x',x')+\sigma_n^2$, and its covariance with $f(x)$ is $c(x,x')$, since $\varepsilon'$ is independent. Write
# $f(x)=m(x)+b\,\big(y'-m(x')\big)+r$. The rest $r$ is uncorrelated with $y'$ if $c(x,x')-b\,(c(x',x')+\sigma_n^2)=0$. All is jointly normal, so $r$ is then independent of $y'$, and what is left is
#
# $$m(x)+b\,\big(y'-m(x')\big),\qquad c(x,x)-\frac{c(x,x')^2}{c(x',x')+\sigma_n^2},\qquad b=\frac{c(x,x')}{c(x',x')+\sigma_n^2}.$$
#
# What is subtracted is a square over a positive number: the band grows nowhere. Take the place with the largest $c(x,x')^2/(c(x',x')+\sigma_n^2)$; no $y$ occurs in it, so decide today.
#
# (b) With $x'=x$: $v-v^2/(v+\sigma_n^2)=v\sigma_n^2/(v+\sigma_n^2)$, that is $1/v$ becomes $1/v+1/\sigma_n^2$. After $N$ times $1/v+N/\sigma_n^2$ is left: precisions add up. The prior no longer matters when $N\gg\sigma_n^2/v$, and then
# the variance is that of a mean of $N$ measurements, $\sigma_n^2/N$.
#
# (c) A joint density is the product of conditional ones, $p(y)=\prod_ip(y_i\mid y_1,\dots,y_{i-1})$. By (3) each is normal, with the mean $m_i$ and the variance $s_i^2=v_i+\sigma_n^2$ of a *new measurement*, so
#
# $$\log p(y)=\sum_i\Big(-\frac{(y_i-m_i)^2}{2s_i^2}-\log s_i-\tfrac12\log2\pi\Big).$$
#
# The evidence judges the band of a measurement, one value ahead, on the very values that are learned from: it punishes a miss, and a band that is wider than need be. (In Cholesky's factor $s_i=L_{ii}$.) Of ten years
# ahead it says nothing directly; *Was it any good?* asks that.
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# Pencil-and-paper problems with new numbers each time, the same as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch04_gp")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Give `gp_log_marginal` and its slope to `scipy.optimize.minimize` and learn the length of the trend. (b) Draw ten futures
# with `gp_sample`, from the posterior covariance. (c) Make the noise depend on the place, and try it on the crash data of chapter 3.
