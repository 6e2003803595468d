# %% [markdown] key="title"
# # Exercises 3: kernel ridge regression
#
# Seven functions, from one line to a small piece of real work: everything that [chapter 3](../notebooks/ch03_ridge.ipynb)
# does with three letters, $K$, $y$ and $\lambda$, written by you. At the end one derivation on paper.
#
# **How it works.** Replace `raise NotImplementedError` by your code, run the cell, then run the check below it. The check
# calls your function on new random inputs. If something is wrong, the check tells you *what*, and if it recognises your mistake,
# *which one*. Below it, two sections that you can open name the step of the derivation to read again and give an experiment
# that shows the mistake. Checks never print the answer. An unchanged cell counts as *not attempted* and does not stop the notebook.
#
# **Rules.** NumPy and SciPy, loops or matrices, as you like. Calling `kcourse.KernelRidge` or scikit-learn's is refused:
# you are writing what they do. The kernel classes of chapter 2, such as `Gaussian`, are yours to use.
#
# **Conventions.** $\lambda$ stands beside the **sum** of squared errors; the Gaussian kernel is
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
# Think before you type: $K$ may be singular (two measurements at the same place). Which inverse may you use?


# %% exercise="krr_fit"
def krr_fit(K, y, lam):
    """Coefficients of kernel ridge regression.

    K : (n, n) array, Gram matrix (symmetric, positive semi-definite, perhaps singular)
    y : (n,) array, targets; they may be whole numbers
    lam : float > 0, beside the sum of squared errors

    Returns α, shape (n,).
    """
    ### BEGIN SOLUTION
    # K + λI is symmetric and positive definite, whatever K: solve, do not invert
    return np.linalg.solve(K + lam * np.eye(len(y)), y)
    ### END SOLUTION


# %% check="krr_fit"
check(krr_fit)

# %% [markdown] key="ex-2"
# ## 3.2 Fit and predict (4 points)
#
# From data to predictions at new points, $f(x)=\sum_i\alpha_i\,k(x,x_i)$, with the Gaussian kernel.
#
# The number of queries has nothing to do with the number of points. Write down the shape of every array in a comment
# before you multiply.


# %% exercise="krr_fit_predict"
def krr_fit_predict(X, y, Xq, sigma, lam):
    """Kernel ridge regression with a Gaussian kernel, evaluated at new points.

    X : (n, d) array, training points
    y : (n,) array, targets
    Xq : (q, d) array, query points
    sigma : float > 0, width, in k(x, z) = exp(-‖x - z‖² / (2σ²))
    lam : float > 0, beside the sum of squared errors

    Returns the predictions, shape (q,). There is no intercept.
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
# With explicit features, row $i$ of $\Phi$ being $\varphi(x_i)^\top$, the primal weights can be had from the dual
# coefficients of $K=\Phi\Phi^\top$. One lecture prints this line with a transpose too few. Do better: check the shapes
# for $n\neq d$, since for $n=d$ no error will warn you.


# %% exercise="ridge_dual_w"
def ridge_dual_w(Phi, y, lam):
    """Ridge regression's weights, computed through the dual.

    Phi : (n, d) array, one row of features for each point
    y : (n,) array, targets
    lam : float > 0, beside the sum of squared errors

    Returns w, shape (d,), the minimiser of ‖y - Φw‖² + λ‖w‖².
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
# $y_i-f_{-i}(x_i)$ for every $i$, where $f_{-i}$ was fitted without point $i$. Refitting $n$ times is a right answer (and a
# good way to test yourself); one inverse and no loop is a better one.


# %% exercise="krr_loo_residuals"
def krr_loo_residuals(K, y, lam):
    """Leave-one-out residuals of kernel ridge regression.

    K : (n, n) array, Gram matrix
    y : (n,) array, targets
    lam : float > 0, beside the sum of squared errors

    Returns y_i - f₋ᵢ(x_i), shape (n,): observed minus predicted.
    """
    ### BEGIN SOLUTION
    # here the diagonal of the inverse itself is needed, so this is the one place where inv is right
    G = np.linalg.inv(K + lam * np.eye(len(y)))
    return (G @ y) / np.diag(G)
    ### END SOLUTION


# %% check="krr_loo_residuals"
check(krr_loo_residuals)

# %% [markdown] key="ex-5"
# ## 3.5 Effective degrees of freedom (3 points)
#
# How many parameters does the fit behave like? The trace of the matrix that maps $y$ to the fitted values.
#
# Before you run the check, say what your function must return for $\lambda\to0$ and for $\lambda\to\infty$.


# %% exercise="effective_df"
def effective_df(K, lam):
    """Effective degrees of freedom of kernel ridge regression.

    K : (n, n) array, Gram matrix; its diagonal need not be 1, and it may be singular
    lam : float > 0, beside the sum of squared errors

    Returns the trace of H, the matrix that maps y to the fitted values: one number.
    """
    ### BEGIN SOLUTION
    # tr K(K + λI)⁻¹ = tr (K + λI)⁻¹K, a solve with n right-hand sides
    return np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K))
    ### END SOLUTION


# %% check="effective_df"
check(effective_df)

# %% [markdown] key="ex-6"
# ## 3.6 The norm in the penalty (3 points)
#
# $\|f\|^2$ for $f=\sum_i\alpha_i k(x_i,\cdot)$. One line; but which of $\alpha^\top\alpha$, $\|K\alpha\|^2$ and
# $\alpha^\top K\alpha$ is it? Two equal points with coefficients $c$ and $-c$ give $f=0$: let that decide.


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
# ## 3.7 The helmet, by yourself (4 points)
#
# Put the pieces together: choose the width and the penalty by leave-one-out, **jointly**, over two grids.
#
# Choosing $\sigma$ first and $\lambda$ afterwards looks cheaper and finds another pair: the good settings lie along a
# slanted valley.


# %% exercise="krr_tune"
def krr_tune(X, y, sigmas, lams):
    """The width and the penalty of least leave-one-out error, over all pairs.

    X : (n, d) array, points
    y : (n,) array, targets
    sigmas, lams : arrays of candidates > 0, of any length and order

    Returns (sigma, lam, mse): the best pair, and the mean of its squared leave-one-out residuals.
    """
    ### BEGIN SOLUTION
    best = (None, None, np.inf)
    for sigma in sigmas:
        K = Gaussian(sigma)(X)  # once for each width, not once for each pair
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
# The next cell uses *your* functions on the crash data of the chapter. Run it, then answer for yourself: does the curve
# have a ripple after 45 ms, and do you believe in it? Is the chosen pair at an edge of a grid (then the grid was too small)? Where would you not
# sell a helmet on the strength of it?

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
# The pair is $\sigma=7.94$ ms and $\lambda=0.01$, inside both grids, with 531 g². Look at its neighbours, too: any of the
# four smallest penalties at this width is within 2 %, so we know the error well but the penalty only roughly.
#
# After 45 ms the curve dips to −9 g and comes back. The chapter's band says that noise alone can make this dip, so do not believe in it.
# The wave of the same height before 14 ms is not real, either: the dots there lie still, and even exact zeros would produce a wave.
#
# Do not sell a helmet on what the curve says beyond 57.6 ms, where nothing was measured: it is at 13 g at 60 ms, turns, and falls to 0,
# whatever heads do. Nor should you trust its height between 30 and 40 ms without an error bar, because the dots scatter there from −55 g to 75 g.
# And repeated measurements have helped a little: with whole times left out the chapter finds 538 g².
#
# </details>

# %% [markdown] key="paper"
# ## On paper: what costs nothing
#
# The chapter's best idea is step 7: what no measurement can see only costs norm. Use it again, where a part of the
# model is not penalised. Given a kernel with its space $\mathcal H$, and an $n\times m$ matrix $T$ with linearly independent columns (a column of
# ones for a free constant; a second one, $T_{i2}=x_i$, for a free line), minimise over $c\in\mathbb R^m$ and $f\in\mathcal H$
#
# $$\|y-Tc-(f(x_1),\dots,f(x_n))^\top\|^2+\lambda\|f\|^2,\qquad\lambda>0.$$
#
# (a) Show that $f=\sum_i\alpha_ik(x_i,\cdot)$ for the best $f$, and that $(K+\lambda I)\,\alpha+Tc=y$.
#
# (b) Show that $T^\top\alpha=0$, and that there is exactly one best $c$.
#
# (c) What do (a) and (b) say of the residuals, when the constant is free, and when the line is?

# %% [markdown] key="paper-answer"
# <details><summary><b>A solution</b> (open this once you have written down your answer)</summary>
#
# (a) Keep $c$ fixed and call $r=y-Tc$. What remains is kernel ridge regression with the targets $r$. Step 7 splits $f=f_\parallel+v$: by (5)
# $v$ is 0 at all data, so the errors do not see it, and by Pythagoras it costs $\lambda\|v\|^2$. So $v=0$, and by step 5 we may
# take $\alpha=(K+\lambda I)^{-1}r$, which is $(K+\lambda I)\,\alpha+Tc=y$.
#
# (b) What is the least value for this $c$? The residual is $r-K\alpha=\lambda\alpha$, so it is
#
# $$\lambda^2\alpha^\top\alpha+\lambda\,\alpha^\top K\alpha=\lambda\,\alpha^\top(K+\lambda I)\,\alpha
# =\lambda\,(y-Tc)^\top(K+\lambda I)^{-1}(y-Tc).$$
#
# Its gradient in $c$ is $-2\lambda\,T^\top(K+\lambda I)^{-1}(y-Tc)=-2\lambda\,T^\top\alpha$, and it vanishes where $T^\top\alpha=0$. The Hessian
# $2\lambda\,T^\top(K+\lambda I)^{-1}T$ is positive definite: $(K+\lambda I)^{-1}$ is, and $Tu\ne0$ for $u\ne0$, because the columns are
# independent. So the value is strictly convex in $c$: exactly one $c$ is best.
#
# (c) The residuals are $y-Tc-K\alpha=\lambda\alpha$, so $T^\top$ times them is 0. With a free constant they add up to 0; with a free line
# $\sum_ix_ir_i=0$ as well: no level and no trend is left in them. Without the constant nothing of this holds, as *No intercept* shows.
#
# With one column of ones this is the bordered system of the chapter, and with the line and the spline's kernel it is the smoothing spline.
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
# **If you want more** (not graded). (a) Time `krr_loo_residuals` against $n$ refits for $n=500$. (b) Rewrite `krr_tune` so
# that each width costs one eigendecomposition for all penalties, and compare with `kcourse.loo_path`. (c) Leave out all
# points that share a time together, and see whether the chosen pair changes.
