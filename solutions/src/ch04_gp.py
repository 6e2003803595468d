# %% [markdown] key="title"
# # Exercises 4: Gaussian processes
#
# Six functions, from conditioning a normal distribution to the coverage of a forecast. They are what [chapter 4](../notebooks/ch04_gp.ipynb)
# computes from one matrix $A=K+\sigma_n^2I$. A derivation on paper ends the sheet.
#
# **How it works.** Replace `raise NotImplementedError` with your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, it tells you *what*, and if it recognises your mistake,
# *which one*. Two sections that you can open show which step of the derivation to read again, and an experiment
# that exposes the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
# The check stops an endless loop after 20 seconds, on a slow computer a little later. *Kernel → Interrupt Kernel* stops it at once.
#
# **Rules.** Use NumPy and SciPy, loops or matrices, as you like. Do not call `kcourse.GaussianProcess` or scikit-learn's,
# because you are writing what they do. You may use the kernel classes of chapter 2, such as `Gaussian`.
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
# ## 4.1 Posterior mean and variance (4 points)
#
# Implement equation (3) of the chapter at new points. The covariance matrices are given. Return the variances of the *curve* $f$, which are the
# diagonal of the posterior covariance.


# %% exercise="gp_posterior"
def gp_posterior(K, Ks, kss, y, noise_var):
    """Posterior mean and variance of f at new points.

    K : (n, n) array, prior covariance of f at the measured points
    Ks : (q, n) array, prior covariance of f at new and at measured points
    kss : (q,) array, prior variances of f at the new points
    y : (n,) array, measurements
    noise_var : float > 0, variance of their noise

    Returns (mean, var) of f at the new points, each of shape (q,).
    """
    ### BEGIN SOLUTION
    # K + noise_var without np.eye would add the noise to every entry
    A = K + noise_var * np.eye(len(y))
    mean = Ks @ np.linalg.solve(A, y)
    # only the diagonal of Ks A⁻¹ Ksᵀ; no noise is added, because this is the variance of f
    var = kss - np.sum(Ks.T * np.linalg.solve(A, Ks.T), axis=0)
    return mean, var
    ### END SOLUTION


# %% check="gp_posterior"
check(gp_posterior)

# %% [markdown] key="ex-2"
# ## 4.2 Log marginal likelihood (4 points)
#
# Compute the three terms from one Cholesky factor. One of the four points is for many measurements, where $\det A$ is rounded to 0, although
# $\log\det A$ is an ordinary number.


# %% exercise="gp_log_marginal"
def gp_log_marginal(K, y, noise_var):
    """Log marginal likelihood of a Gaussian process.

    K : (n, n) array, prior covariance of f at the measured points
    y : (n,) array, measurements
    noise_var : float > 0, variance of their noise

    Returns log p(y) with its constant, one number.
    """
    ### BEGIN SOLUTION
    # log(det(A)) would be log(0) for many points, so add logarithms
    L = np.linalg.cholesky(K + noise_var * np.eye(len(y)))
    z = np.linalg.solve(L, y)  # zᵀz = yᵀA⁻¹y, and Σ log L_ii is ½ log det A
    return -0.5 * z @ z - np.sum(np.log(np.diag(L))) - 0.5 * len(y) * np.log(2 * np.pi)
    ### END SOLUTION


# %% check="gp_log_marginal"
check(gp_log_marginal)

# %% [markdown] key="ex-3"
# ## 4.3 Samples of a normal distribution (3 points)
#
# Turn independent standard normal numbers into draws with a given mean and covariance. The numbers are given, and the square root of the covariance
# is the *lower Cholesky factor*, so the draws are determined. Each draw is a row, so think about the transpose.


# %% exercise="gp_sample"
def gp_sample(mean, cov, Z):
    """Draws from a joint normal distribution, computed from given normal numbers.

    mean : (n,) array
    cov : (n, n) array, positive definite
    Z : (s, n) array, each row n independent standard normal numbers

    Returns the draws, shape (s, n): row i is mean + L z_i, with L the lower Cholesky factor of cov.
    """
    ### BEGIN SOLUTION
    # (L z)ᵀ = zᵀ Lᵀ; Z @ L also has the right shape, but the covariance LᵀL
    return mean + Z @ np.linalg.cholesky(cov).T
    ### END SOLUTION


# %% check="gp_sample"
check(gp_sample)

# %% [markdown] key="ex-4"
# ## 4.4 The Brownian bridge (3 points)
#
# Brownian motion has $k(s,t)=\min(s,t)$. What is the covariance of $f(s)$ and $f(t)$ given $f(1)=0$? Condition on paper first, and compare with (4).


# %% exercise="bridge_cov"
def bridge_cov(t):
    """Covariance of the Brownian bridge.

    t : (n,) array of times in [0, 1], in any order

    Returns the matrix of Cov(f(t_i), f(t_j)) given f(1) = 0, shape (n, n).
    """
    ### BEGIN SOLUTION
    # (3) with one point at time 1, no noise: k(s, t) - k(s, 1) k(1, 1)⁻¹ k(1, t), in any order
    return np.minimum.outer(t, t) - np.outer(t, t)
    ### END SOLUTION


# %% check="bridge_cov"
check(bridge_cov)

# %% [markdown] key="ex-5"
# ## 4.5 Gradient of the log marginal likelihood (3 points)
#
# Compute the derivative of $\log p(y)$ with respect to $\log\ell$, for points on a line. Differentiate $K$ first. Compare the result with
# $(\log p_{\ell e^h}(y)-\log p_{\ell e^{-h}}(y))/(2h)$ from your 4.2. This difference quotient is not exact enough as an answer.


# %% exercise="lml_grad_log_ell"
def lml_grad_log_ell(x, y, ell, noise_var):
    """Derivative of the log marginal likelihood with respect to the logarithm of the length scale.

    x : (n,) array, points on a line; some may be equal
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
    # the trace of a matrix product; the diagonal of an entrywise product with dK would be 0
    return 0.5 * alpha @ dK @ alpha - 0.5 * np.trace(np.linalg.solve(A, dK))
    ### END SOLUTION


# %% check="lml_grad_log_ell"
check(lml_grad_log_ell)

# %% [markdown] key="ex-6"
# ## 4.6 Coverage of a forecast (5 points)
#
# Compare a forecast with later measurements. The series has a level, so subtract the mean of `y` first and add it to the forecast. Later values are
# *measurements*. Which of the two bands should hold 95 % of them?


# %% exercise="forecast_coverage"
def forecast_coverage(K, Ks, kss, y, noise_var, y_new):
    """RMSE of a forecast, and coverage of its 95 % band for new measurements.

    K, Ks, kss, noise_var : as in gp_posterior
    y : (n,) array, measurements; subtract their mean first, and add it to the forecast
    y_new : (q,) array, later measurements at the new points, with noise of the same variance

    Returns (rmse, coverage): the root mean squared error of the forecast in units of y, and the
    fraction of y_new within ± 1.96 standard deviations of a new measurement.
    """
    ### BEGIN SOLUTION
    mean, var = gp_posterior(K, Ks, kss, y - y.mean(), noise_var)
    miss = y_new - (mean + y.mean())
    sd = np.sqrt(var + noise_var)  # of a new measurement, not of the curve
    return np.sqrt(np.mean(miss**2)), np.mean(np.abs(miss) <= 1.96 * sd)
    ### END SOLUTION


# %% check="forecast_coverage"
check(forecast_coverage)

# %% [markdown] key="air"
# ### Your verdict: two years of CO₂
#
# The next cell forecasts 1992 and 1993 from the eight years before with *your* functions. Change the kernel. Leave the season out, try trends of 10, 5
# and 3 years, and try the season alone. When does the band hold far fewer than 95 %? Could you have known this before 1992 from `gp_log_marginal`?

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
    ax.plot(X[:, 0], y, color="black", linewidth=1, label="training data")
    ax.fill_between(
        X_new[:, 0], mean - 1.96 * sd, mean + 1.96 * sd, color="#cfe3f2", label="your band"
    )
    ax.plot(X_new[:, 0], mean, label="your forecast")
    ax.plot(X_new[:, 0], y_new, ".", color="black", label="later measurements")
    ax.set(xlabel="year", ylabel="CO₂ (ppm)")
    ax.legend(loc="upper left")
    show(
        fig,
        alt="Eight years of carbon dioxide, your forecast of two more years with its band, and "
        "the later measurements.",
    )

# %% [markdown] key="air-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# With the kernel as given, the band holds only 29 %. The forecast is too high, because a trend of 30 years continues through the pause after 1991. The evidence
# points to this: it is higher by 18 or 19 with a trend of 10, 5 or 3 years, and these bands hold nearly everything. But it does not separate these trends. A trend
# of 10 years gives ± 2 ppm for the end of 1993 and a trend of 3 years ± 10 ppm, with almost the same evidence.
#
# Without the season the evidence falls by more than a thousand, and the band holds 25 %. The season *alone* gives the best forecast, with an RMSE of half a ppm and
# everything inside the band, although its evidence is lower by hundreds. This kernel has no trend, and there was little trend during the pause. One successful
# forecast does not make the model right.
#
# </details>

# %% [markdown] key="paper"
# ## On paper: one more measurement
#
# Step 2 of the chapter subtracts the explained part, so that the rest is uncorrelated and therefore independent. Use this idea again. After some measurements
# a Gaussian process has the posterior mean $m(x)$ and the posterior covariance $c(x,x')$. Now one more value is measured, $y'=f(x')+\varepsilon'$,
# where $\varepsilon'$ has variance $\sigma_n^2>0$ and is independent of everything else.
#
# (a) Find the mean and the variance of $f(x)$ given $y'$. Conclude that no measurement widens the band of the curve anywhere. Tomorrow you can measure at one of several
# points, and you want a narrow band at $x$. Which point do you choose? Can you decide today?
#
# (b) You measure $N$ times at one point, where the variance of $f$ is $v$. What is the variance of $f$ afterwards? When does the prior no longer matter?
#
# (c) Show that $\log p(y)=\sum_i\log p(y_i\mid y_1,\dots,y_{i-1})$, and write each term with its mean and variance. Which of the two bands does the evidence judge, and on which values?

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) Given the earlier measurements, $y'$ has mean $m(x')$ and variance $c(x',x')+\sigma_n^2$, and its covariance with $f(x)$ is $c(x,x')$, because $\varepsilon'$ is independent. Write
# $f(x)=m(x)+b\,\big(y'-m(x')\big)+r$. The rest $r$ is uncorrelated with $y'$ if $c(x,x')-b\,(c(x',x')+\sigma_n^2)=0$. All variables are jointly normal, so $r$ is then independent of $y'$. Mean and variance are
#
# $$m(x)+b\,\big(y'-m(x')\big),\qquad c(x,x)-\frac{c(x,x')^2}{c(x',x')+\sigma_n^2},\qquad b=\frac{c(x,x')}{c(x',x')+\sigma_n^2}.$$
#
# The subtracted term is a square divided by a positive number, so the variance increases nowhere. Choose the point with the largest $c(x,x')^2/(c(x',x')+\sigma_n^2)$. This ratio contains no $y$, so you can decide today.
#
# (b) With $x'=x$ the variance is $v-v^2/(v+\sigma_n^2)=v\sigma_n^2/(v+\sigma_n^2)$, so $1/v$ becomes $1/v+1/\sigma_n^2$. Precisions add, so after $N$ measurements the precision is $1/v+N/\sigma_n^2$. The prior no longer matters if $N\gg\sigma_n^2/v$. Then
# the variance is nearly that of the mean of $N$ measurements, $\sigma_n^2/N$.
#
# (c) A joint density is a product of conditional densities, $p(y)=\prod_ip(y_i\mid y_1,\dots,y_{i-1})$. By (3) each is normal, with the mean $m_i$ and the variance $s_i^2=v_i+\sigma_n^2$ of a *new measurement*, so
#
# $$\log p(y)=\sum_i\Big(-\frac{(y_i-m_i)^2}{2s_i^2}-\log s_i-\tfrac12\log2\pi\Big).$$
#
# The evidence judges the band of a new measurement, one value ahead, on the training values themselves. It penalises a miss, and it penalises a band that is wider than necessary. In the Cholesky factor of $A$, $s_i=L_{ii}$. The evidence
# says nothing directly about a forecast of ten years.
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# These problems have new numbers each time, as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch04_gp")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Give `gp_log_marginal` and its gradient to `scipy.optimize.minimize`, and learn the length scale of the trend. (b) Draw ten forecasts
# with `gp_sample` from the posterior covariance. (c) Let the noise variance depend on $x$, and try it on the crash data of chapter 3.
