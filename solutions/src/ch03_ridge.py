# %% [markdown] key="title"
# # Exercises 3: kernel ridge regression
#
# Seven functions, from one line to a small piece of real work. With them you write everything that
# [chapter 3](../notebooks/ch03_ridge.ipynb) does with $K$, $y$ and $\lambda$. At the end there is one derivation on paper.
#
# **How it works.** Replace `raise NotImplementedError` with your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, it tells you *what*, and if it recognises your mistake,
# *which one*. Two sections that you can open show which step of the derivation to read again, and an experiment
# that exposes the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
# The check stops an endless loop after 20 seconds, on a slow computer a little later. *Kernel → Interrupt Kernel* stops it at once.
#
# **Rules.** Use NumPy and SciPy, loops or matrices, as you like. Do not call `kcourse.KernelRidge` or scikit-learn's,
# because you are writing what they do. You may use the kernel classes of chapter 2, such as `Gaussian`.
#
# **Conventions.** $\lambda$ is next to the **sum** of squared errors, and the Gaussian kernel is
# $\exp(-\|x-z\|^2/(2\sigma^2))$.

# %% key="imports"
import numpy as np
import matplotlib.pyplot as plt

from kcourse.checks import check
from kcourse.datasets import load_mcycle
from kcourse.kernels import Gaussian
from kcourse.lab import show, use_style

use_style()

# %% [markdown] key="ex-1"
# ## 3.1 The coefficients (4 points)
#
# The whole method is one linear system, $(K+\lambda I)\,\alpha=y$.
#
# Think before you type. If the same $x$ was measured twice, $K$ is singular. Which inverse exists?


# %% exercise="krr_fit"
def krr_fit(K, y, lam):
    """Coefficients of kernel ridge regression.

    K : (n, n) array, Gram matrix (symmetric, positive semi-definite, perhaps singular)
    y : (n,) array, targets; they may be whole numbers
    lam : float > 0, next to the sum of squared errors

    Returns α, shape (n,).
    """
    ### BEGIN SOLUTION
    # K + λI is positive definite, whatever K is: solve, do not invert
    return np.linalg.solve(K + lam * np.eye(len(y)), y)
    ### END SOLUTION


# %% check="krr_fit"
check(krr_fit)

# %% [markdown] key="ex-2"
# ## 3.2 Fit and predict (4 points)
#
# Go from data to predictions at new points, $f(x)=\sum_i\alpha_i\,k(x,x_i)$, with the Gaussian kernel.
#
# There may be more queries than points, or fewer. Write the shape of every array in a comment before you multiply.


# %% exercise="krr_fit_predict"
def krr_fit_predict(X, y, Xq, sigma, lam):
    """Kernel ridge regression with a Gaussian kernel, evaluated at new points.

    X : (n, d) array, training points
    y : (n,) array, targets
    Xq : (q, d) array, query points
    sigma : float > 0, width, in the unit of X: k(x, z) = exp(-‖x - z‖² / (2σ²))
    lam : float > 0, next to the sum of squared errors

    Returns the predictions, shape (q,), also for a single query. There is no intercept.
    """
    ### BEGIN SOLUTION
    kernel = Gaussian(sigma)
    alpha = krr_fit(kernel(X), y, lam)  # (n,)
    return kernel(Xq, X) @ alpha  # (q, n) times (n,)
    ### END SOLUTION


# %% check="krr_fit_predict"
check(krr_fit_predict)

# %% [markdown] key="ex-3"
# ## 3.3 Back to the weights (3 points)
#
# With explicit features, where row $i$ of $\Phi$ is $\varphi(x_i)^\top$, the dual coefficients of $K=\Phi\Phi^\top$ give the
# weights of the primal. One lecture prints this line without its transpose. Check the shapes for $n\neq D$, because for
# $n=D$ no error will warn you.


# %% exercise="ridge_dual_w"
def ridge_dual_w(Phi, y, lam):
    """Weights of ridge regression, computed through the dual.

    Phi : (n, D) array, one row of features for each point
    y : (n,) array, targets
    lam : float > 0, next to the sum of squared errors

    Returns w, shape (D,), the minimiser of ‖y - Φw‖² + λ‖w‖².
    """
    ### BEGIN SOLUTION
    alpha = krr_fit(Phi @ Phi.T, y, lam)  # one number for each point
    return Phi.T @ alpha  # w = Σ α_i φ(x_i), one number for each feature
    ### END SOLUTION


# %% check="ridge_dual_w"
check(ridge_dual_w)

# %% [markdown] key="ex-4"
# ## 3.4 Leave-one-out, exactly (4 points)
#
# Compute $y_i-f_{-i}(x_i)$ for every $i$, where $f_{-i}$ is fitted without point $i$. To refit $n$ times is a right answer
# and a good test. One inverse without a loop is a better answer.


# %% exercise="krr_loo_residuals"
def krr_loo_residuals(K, y, lam):
    """Leave-one-out residuals of kernel ridge regression.

    K : (n, n) array, Gram matrix
    y : (n,) array, targets; they may be whole numbers
    lam : float > 0, next to the sum of squared errors, the same with and without a point

    Returns y_i - f₋ᵢ(x_i), shape (n,): observed minus predicted.
    """
    ### BEGIN SOLUTION
    # equation (13) needs the diagonal of the inverse, so here inv is right
    G = np.linalg.inv(K + lam * np.eye(len(y)))
    return (G @ y) / np.diag(G)
    ### END SOLUTION


# %% check="krr_loo_residuals"
check(krr_loo_residuals)

# %% [markdown] key="ex-5"
# ## 3.5 Effective degrees of freedom (3 points)
#
# How many parameters does the fit behave like? The answer is the trace of $H$, the matrix that maps $y$ to the fitted values.
#
# Before you run the check, say what your function must return for $\lambda\to0$ and for $\lambda\to\infty$.


# %% exercise="effective_df"
def effective_df(K, lam):
    """Effective degrees of freedom of kernel ridge regression.

    K : (n, n) array, Gram matrix; its diagonal need not be 1, and it may be singular
    lam : float > 0, next to the sum of squared errors

    Returns the trace of H, the matrix that maps y to the fitted values, one number.
    """
    ### BEGIN SOLUTION
    # tr K(K + λI)⁻¹ = tr (K + λI)⁻¹K, which is a solve with n right-hand sides
    return np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K))
    ### END SOLUTION


# %% check="effective_df"
check(effective_df)

# %% [markdown] key="ex-6"
# ## 3.6 The norm in the penalty (3 points)
#
# Compute $\|f\|^2$ for $f=\sum_i\alpha_i k(x_i,\cdot)$. It takes one line. But is it $\alpha^\top\alpha$, $\|K\alpha\|^2$ or
# $\alpha^\top K\alpha$? To test your choice, use that two equal points with coefficients $c$ and $-c$ give $f=0$, and that
# $\|k(x,\cdot)\|^2=k(x,x)$.


# %% exercise="rkhs_norm2"
def rkhs_norm2(K, alpha):
    """Squared RKHS norm of f = Σ α_i k(x_i, ·).

    K : (n, n) array, Gram matrix
    alpha : (n,) array, any coefficients (not necessarily those of a fit)

    Returns ‖f‖², one number.
    """
    ### BEGIN SOLUTION
    # Σ_i Σ_j α_i α_j ⟨k(x_i, ·), k(x_j, ·)⟩, and the inner products are the entries of K
    return alpha @ K @ alpha
    ### END SOLUTION


# %% check="rkhs_norm2"
check(rkhs_norm2)

# %% [markdown] key="ex-7"
# ## 3.7 Choosing σ and λ for the helmet (4 points)
#
# Put the pieces together: choose the width and the penalty by leave-one-out, **jointly**, over two grids.
#
# To choose $\sigma$ first and $\lambda$ afterwards looks cheaper, but it can miss the best pair, because the good settings
# form a slanted valley.


# %% exercise="krr_tune"
def krr_tune(X, y, sigmas, lams):
    """Width and penalty with the smallest leave-one-out error, over all pairs.

    X : (n, d) array, points
    y : (n,) array, targets
    sigmas, lams : arrays of candidates > 0, of any length and order

    Returns (sigma, lam, mse): the best pair, as values from the grids, and the mean of its squared
    leave-one-out residuals. No two pairs are equally good.
    """
    ### BEGIN SOLUTION
    best = (None, None, np.inf)
    for sigma in sigmas:
        K = Gaussian(sigma)(X)  # once for each width, not for each pair
        for lam in lams:
            mse = np.mean(krr_loo_residuals(K, y, lam) ** 2)
            if mse < best[2]:
                best = (sigma, lam, mse)
    return best
    ### END SOLUTION


# %% check="krr_tune"
check(krr_tune)

# %% [markdown] key="helmet"
# ### Your verdict
#
# The next cell uses *your* functions on the crash data of the chapter. Run it, then answer three questions. Is the chosen
# pair at an edge of a grid, so that the grid was too small? Does the curve have a ripple after 45 ms, and do you believe in
# it? Where would you not trust the curve if you had to design a helmet?

# %% key="helmet-figure"
crash = load_mcycle()
t = np.linspace(0, 60, 300)[:, None]
try:
    sigma, lam, mse = krr_tune(crash.X, crash.y, np.logspace(-0.3, 1.3, 9), np.logspace(-3, 2, 11))
    curve = krr_fit_predict(crash.X, crash.y, t, sigma, lam)
except NotImplementedError:
    print("First write krr_tune and krr_fit_predict.")
else:
    print(f"σ = {sigma:.2f} ms, λ = {lam:.3g}, leave-one-out error {mse:.0f} g²")
    fig, ax = plt.subplots()
    ax.plot(crash.X[:, 0], crash.y, "o", color="black", markersize=4)
    ax.plot(t, curve)
    ax.set(xlabel="time after impact (ms)", ylabel="head acceleration (g)")
    show(fig, alt="The 133 crash measurements and the curve of your own kernel ridge regression.")

# %% [markdown] key="helmet-answer"
# <details><summary><b>An answer</b> (open this once you have written down your answer)</summary>
#
# The pair is $\sigma=7.94$ ms and $\lambda=0.01$, and it is inside both grids. Its error is 531 g². With any of the four
# smallest penalties the error at this width is at most 2 % larger, so we know the error well but the penalty only roughly.
#
# After 45 ms the curve dips to −9 g and comes back. The band of the chapter shows that noise alone can make this dip, so do
# not believe in it. The wave before 14 ms is not real, either. All measurements there are near 0, and the chapter shows
# that even exact zeros would produce a wave.
#
# Do not trust the curve beyond 57.6 ms, where nothing was measured. It is at 13 g at 60 ms, and later it returns to 0,
# whatever the head does. Nor should you trust its height between 30 and 40 ms without an error bar, because the
# measurements there scatter from −55 g to 75 g.
#
# The error of 531 g² is also a little optimistic, because half of the measurements share their time with another one, which
# stays when they are left out. With whole times left out, the chapter finds 538 g².
#
# </details>

# %% [markdown] key="paper"
# ## On paper: a part that is not penalised
#
# Step 7 of the chapter shows that what no measurement can see only costs norm. Use this idea again for a model with a part
# that is not penalised. The kernel has the space $\mathcal H$, and $T$ is an $n\times m$ matrix with linearly independent
# columns. One column of ones is a free constant; a second column $T_{i2}=x_i$ makes it a free line. Minimise over
# $c\in\mathbb R^m$ and $f\in\mathcal H$
#
# $$\|y-Tc-(f(x_1),\dots,f(x_n))^\top\|^2+\lambda\|f\|^2,\qquad\lambda>0.$$
#
# (a) Show that $f=\sum_i\alpha_ik(x_i,\cdot)$ for the best $f$, and that $(K+\lambda I)\,\alpha+Tc=y$.
#
# (b) Show that $T^\top\alpha=0$, and that there is exactly one best $c$.
#
# (c) What do (a) and (b) say about the residuals if the constant is free, and if the line is free?

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) Keep $c$ fixed and let $r=y-Tc$. What remains is kernel ridge regression with the targets $r$. Step 7 splits
# $f=f_\parallel+v$. By (5), $v$ is 0 at all data, so it does not change the errors, and by Pythagoras it costs
# $\lambda\|v\|^2$. So $v=0$, and by step 5 we may take $\alpha=(K+\lambda I)^{-1}r$, which means $(K+\lambda I)\,\alpha+Tc=y$.
#
# (b) What is the minimum for this $c$? The residual is $r-K\alpha=\lambda\alpha$, so the minimum is
#
# $$\lambda^2\alpha^\top\alpha+\lambda\,\alpha^\top K\alpha=\lambda\,\alpha^\top(K+\lambda I)\,\alpha
# =\lambda\,(y-Tc)^\top(K+\lambda I)^{-1}(y-Tc).$$
#
# Its gradient with respect to $c$ is $-2\lambda\,T^\top(K+\lambda I)^{-1}(y-Tc)=-2\lambda\,T^\top\alpha$, which vanishes where
# $T^\top\alpha=0$. The Hessian $2\lambda\,T^\top(K+\lambda I)^{-1}T$ is positive definite, because $(K+\lambda I)^{-1}$ is and
# because independent columns give $Tu\ne0$ for $u\ne0$. So the minimum is strictly convex in $c$, and exactly one $c$ is best.
#
# (c) The residuals are $y-Tc-K\alpha=\lambda\alpha$, so by (b) $T^\top$ maps them to 0. If the constant is free, their sum
# is 0. If the line is free, $\sum_ix_i\lambda\alpha_i=0$ as well, so no level and no trend is left in them. Without a free part
# neither need hold. In the figure of *No intercept* the plain fit stays below the points.
#
# With one column of ones this is the bordered system of the chapter. With the line and the spline's kernel it is the
# smoothing spline.
#
# </details>

# %% [markdown] key="pencil"
# ## Pencil and paper
#
# Pencil-and-paper problems with new numbers each time, the same as at the end of the lecture. They give no points.

# %% key="pencil-problems"
from kcourse.paper_problems import show_problems

show_problems("ch03_ridge")

# %% [markdown] key="more"
# **If you want more** (not graded). (a) Compare the times of `krr_loo_residuals` and of $n$ refits for $n=500$. (b) Rewrite
# `krr_tune` so that each width costs one eigendecomposition for all penalties, and compare it with `kcourse.loo_path`.
# (c) Leave out all measurements of one time together, and see whether the chosen pair changes.
