# %% [markdown] key="title" slide="slide"
# # Kernel ridge regression
#
# One matrix, one vector, one linear system: with these three a computer learns a curve that nobody
# wrote down a formula for. This chapter derives the system in two ways, solves it well, tunes it
# honestly, and says where it ends.

# %% key="imports" slide="skip" hide="input"
import numpy as np
import matplotlib.pyplot as plt
from scipy.linalg import cho_factor, cho_solve

from kcourse import Constant, Gaussian, KernelRidge, Linear, Polynomial, loo_path
from kcourse.datasets import load_diabetes, load_mcycle, make_sinc
from kcourse.lab import cycle, measured, show, table, use_style, verify
from kcourse.chapters.ch03_ridge.figures import bug_explorer, smoothing_explorer

use_style()

# %% [markdown] key="question" slide="slide" tags=["hour"]
# ## A crash, in 133 measurements
#
# Chapter 1 left a helmet, 133 accelerations of a head in a simulated crash, and a curve through them. The curve is
# the window (Nadaraya–Watson) $\sum_ik(x,x_i)\,y_i\big/\sum_jk(x,x_j)$, with the width that predicts left-out
# measurements best. Its mean squared leave-one-out error is 596 g², and it has 15 turns, that is maxima and minima.
# **Which of these turns are real, and is there a better curve?**
#
# <!-- slide
# ## Which of the 15 turns of chapter 1's window are real?
# -->

# %% key="question-figure" slide="skip"
crash = load_mcycle()
print(f"{len(crash.y)} measurements, from {crash.X.min()} to {crash.X.max()} ms after impact,")
print(f"between {crash.y.min():.0f} and {crash.y.max():.0f} g")

# %% key="question-picture" hide="input"
t = np.linspace(2.4, 57.6, 1105)[:, None]
W = Gaussian(0.91)(t, crash.X)
chapter_1 = W @ crash.y / W.sum(axis=1)
turns = np.flatnonzero(np.diff(np.sign(np.diff(chapter_1)))) + 1

fig, ax = plt.subplots()
ax.plot(crash.X[:, 0], crash.y, "o", color="black", markersize=4.5, label="measured")
ax.plot(t, chapter_1, **cycle(1), label="window, σ = 0.91 ms")
ax.plot(t[turns], chapter_1[turns], "s", color="black", mfc="white", markersize=6, label="turns")
ax.set(xlabel="time after impact (ms)", ylabel="head acceleration (g)")
ax.legend(loc="lower right")
show(
    fig,
    alt="Scatter plot of 133 head accelerations in g against time after impact in milliseconds: "
    "flat near 0 until 14 ms, a plunge to -134 g near 21 ms, a rebound to about +70 g "
    "near 32 ms, then back to 0. The scatter is small before the plunge and large after it. The "
    "window's curve follows the dots; its 15 turns are marked, most of them after 30 ms.",
)
verify("turns of the window", len(turns), "15")

# %% [markdown] key="question-reading" slide="fragment"
# The window uses kernel values as weights and divides by their sum. This chapter keeps the sum
# $\sum_i\alpha_ik(x,x_i)$ and *solves* for its coefficients, so that the curve is the best of a whole space.
#
# <!-- slide
# What if we **solve** for the coefficients of $\sum_i\alpha_ik(x,x_i)$?
# -->

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let everyone take out the curve of chapter 1, or draw one, and count its turns. Ask for a bet: how many of the 15
# turns are real? Write the bets on the board and settle them in *Back to the crash*. The answer is two.
#
# </details>

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# - derive $\alpha=(K+\lambda I)^{-1}y$ in two ways, and say which hypothesis each one uses;
# - fit and predict in ten lines, and choose $\sigma$ and $\lambda$ by exact leave-one-out;
# - read the effective degrees of freedom and the norm $\|f\|^2$ of a fit;
# - choose between $n$ dual and $D$ primal unknowns, and solve either without ever calling `inv`;
# - translate $\lambda$ and $\sigma$ between books, lectures and scikit-learn.
#
# **You need** matrix calculus (the gradient of $w^\top A w$), eigenvalues of a symmetric matrix, and from
# chapter 2 that a kernel is *positive semi-definite* if no Gram matrix of it has a negative eigenvalue.
# **Reading:** two to three hours. **Lecture:** two 45-minute lectures. **Exercises:** two to three hours,
# [in the exercise notebook](../exercises/ch03_ridge_sheet.ipynb).
#
# <!-- slide
# **After this chapter you can**
#
# - derive $\alpha=(K+\lambda I)^{-1}y$ in two ways, and say which hypothesis each one uses;
# - fit and predict in ten lines, and choose $\sigma$ and $\lambda$ by exact leave-one-out;
# - read the effective degrees of freedom and the norm $\|f\|^2$ of a fit;
# - choose between $n$ dual and $D$ primal unknowns, and solve either without ever calling `inv`;
# - translate $\lambda$ and $\sigma$ between books, lectures and scikit-learn.
# -->

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Do not leave out: one way to α, the norm, leave-one-out, and the table of the crash.
#
# Can be skipped: One eigendecomposition serves every λ; Two points can be solved with pencil and paper; Primal or
# dual: the size of the system decides; Without an intercept the curve falls back to 0; Is the progression of diabetes
# a curved function?
#
# </details>

# %% [markdown] key="notation" slide="skip"
# **Notation.** There are $n$ points $x_i\in\mathbb R^d$ with targets $y_i\in\mathbb R$, stacked in $y$. A feature map
# $\varphi$ has values in $\mathbb R^D$ (or in a space of infinite dimension), and row $i$ of the $n\times D$ matrix
# $\Phi$ is $\varphi(x_i)^\top$. The kernel is $k(x,z)=\varphi(x)^\top\varphi(z)$, and its Gram matrix is
# $K=\Phi\Phi^\top$, $K_{ij}=k(x_i,x_j)$. The Gaussian kernel is always
# $k(x,z)=\exp\!\big(-\|x-z\|^2/(2\sigma^2)\big)$, and $\lambda>0$ always multiplies $\|f\|^2$ in a criterion with the
# *sum* of squared errors.

# %% [markdown] key="primal" slide="slide" tags=["hour"]
# ## Ridge regression, the primal
#
# Which coefficients are the best? Start with a linear model. It predicts $f(x)=w^\top\varphi(x)$, and ridge
# regression chooses the $w\in\mathbb R^D$ that minimises
#
# $$J(w)=\underbrace{\sum_{i=1}^n\big(y_i-w^\top\varphi(x_i)\big)^2}_{\text{errors}}
# +\;\lambda\underbrace{w^\top w}_{\text{penalty on large weights}}
# =\|y-\Phi w\|^2+\lambda\|w\|^2 .$$
#
# <!-- slide
# ## The primal has as many unknowns as features
#
# Row $i$ of $\Phi$ is $\varphi(x_i)^\top$, and $f(x)=w^\top\varphi(x)$ minimises
#
# $$J(w)=\|y-\Phi w\|^2+\lambda\|w\|^2 .$$
# -->

# %% [markdown] key="primal-gradient" slide="fragment"
# **Step 1.** The gradient is $\nabla J(w)=-2\Phi^\top(y-\Phi w)+2\lambda w$. It vanishes where
#
# $$(\Phi^\top\Phi+\lambda I)\,w=\Phi^\top y. \tag{1}$$
#
# $\Phi^\top\Phi$ is positive semi-definite, so adding $\lambda I$ lifts every eigenvalue to at least
# $\lambda>0$, and the matrix is invertible, whatever the data. $J$ is strictly convex, so this stationary point
# is *the* minimiser.
#
# <!-- slide
# **Step 1.** The gradient $-2\Phi^\top(y-\Phi w)+2\lambda w$ vanishes where
#
# $$(\Phi^\top\Phi+\lambda I)\,w=\Phi^\top y. \tag{1}$$
#
# All eigenvalues of the matrix are at least $\lambda>0$, so $w$ is *the* minimiser.
# -->


# %% key="primal-verify" slide="skip"
def J(w):
    return np.sum((y - Phi @ w) ** 2) + lam * w @ w


rng = np.random.default_rng(3)
n, D, lam = 8, 20, 0.7  # more features than points, on purpose
Phi, y = rng.normal(size=(n, D)), rng.normal(size=n)

w = np.linalg.solve(Phi.T @ Phi + lam * np.eye(D), Phi.T @ y)
verify("the gradient of J vanishes at w", -2 * Phi.T @ (y - Phi @ w) + 2 * lam * w, 0.0)

# %% [markdown] key="primal-trouble" slide="fragment"
# This is a system of $D$ equations. With the features of a Gaussian kernel it has infinitely many unknowns. Yet only
# $n$ numbers were measured. Would $n$ unknowns be enough?
#
# <!-- slide
# $D$ may be infinite, but only $n$ numbers were measured. **Would $n$ unknowns be enough?**
# -->

# %% [markdown] key="primal-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Write (1) on the board and leave it there. Ask: what are the sizes of Φ, ΦᵀΦ and ΦΦᵀ when n = 8 and D = 20?
# (8 × 20, 20 × 20 and 8 × 8.) ΦΦᵀ is the small one. That is the chapter.
#
# </details>

# %% [markdown] key="three-ways" slide="slide" tags=["hour"]
# ## Two ways to the same α
#
# Yes, $n$ unknowns are enough. There are numbers $\alpha_1,\dots,\alpha_n$ with
#
# $$w=\Phi^\top\alpha=\sum_{i=1}^n\alpha_i\,\varphi(x_i),\qquad \boxed{\;\alpha=(K+\lambda I)^{-1}y\;}$$
#
# and there are two different reasons. The first is an identity of matrices. The second is a geometric argument. It
# uses no matrix $\Phi$, so it also holds in infinite dimension.
#
# <!-- slide
# ## The best weights combine the n points
#
# $$w=\Phi^\top\alpha=\sum_{i=1}^n\alpha_i\,\varphi(x_i),\qquad \boxed{\;\alpha=(K+\lambda I)^{-1}y\;}$$
#
# 1. An identity of matrices shows it.
# 2. So does the geometry of the feature space, in any dimension.
# -->

# %% [markdown] key="way-1" slide="fragment"
# ### First way: push-through
#
# **Step 2.** *Why one would think of it:* equation (1) can be rewritten as $\lambda w=\Phi^\top(y-\Phi w)$, so
#
# $$w=\Phi^\top\alpha\quad\text{with}\quad\alpha=\tfrac1\lambda\,(y-\Phi w). \tag{2}$$
#
# The best $w$ is always a combination of the rows $\varphi(x_i)$, and $\alpha_i$ is the residual of point $i$,
# divided by $\lambda$. One lecture deduces the first statement from (1) without a reason; the residual in (2)
# supplies the [missing reason](errata.ipynb#E07.-A-conclusion-without-its-reason).
#
# <!-- slide
# **Step 2.** By (1), $\lambda w=\Phi^\top(y-\Phi w)$, so
#
# $$w=\Phi^\top\alpha\quad\text{with}\quad\alpha=\tfrac1\lambda\,(y-\Phi w). \tag{2}$$
# -->

# %% [markdown] key="way-1-identity" slide="subslide"
# **Step 3.** To get $\alpha$ without $w$, push $\Phi^\top$ through the inverse:
#
# $$(\Phi^\top\Phi+\lambda I_D)\,\Phi^\top=\Phi^\top\Phi\Phi^\top+\lambda\Phi^\top=\Phi^\top(\Phi\Phi^\top+\lambda I_n).$$
#
# Both brackets are invertible. Multiply by one inverse from the left and by the other from the right:
#
# $$(\Phi^\top\Phi+\lambda I_D)^{-1}\Phi^\top=\Phi^\top(\Phi\Phi^\top+\lambda I_n)^{-1}. \tag{3}$$
#
# Applied to $y$, the left side is $w$, and the right side is $\Phi^\top\alpha$ with
# $\alpha=(K+\lambda I)^{-1}y$. The $D\times D$ system has become an $n\times n$ system, and $\varphi$ occurs only
# in the inner products $K=\Phi\Phi^\top$.
#
# <!-- slide
# **Pushing Φᵀ through the inverse turns D unknowns into n**
#
# **Step 3.**
#
# $$(\Phi^\top\Phi+\lambda I_D)\,\Phi^\top=\Phi^\top\Phi\Phi^\top+\lambda\Phi^\top=\Phi^\top(\Phi\Phi^\top+\lambda I_n).$$
#
# $$(\Phi^\top\Phi+\lambda I_D)^{-1}\Phi^\top=\Phi^\top(\Phi\Phi^\top+\lambda I_n)^{-1}. \tag{3}$$
#
# Applied to $y$: $w=\Phi^\top\alpha$ with $\alpha=(K+\lambda I)^{-1}y$.
# -->

# %% [markdown] key="way-1-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Multiply the identity out from both sides on the board. Ask for the sizes of the two inverses before you write (3):
# D × D on the left, n × n on the right. Then ask which of them they would rather solve with, for 442 patients and ten
# variables. (The left one.)
#
# </details>

# %% key="way-1-verify" slide="skip"
K = Phi @ Phi.T
alpha = np.linalg.solve(K + lam * np.eye(n), y)

left = np.linalg.solve(Phi.T @ Phi + lam * np.eye(D), Phi.T)
right = np.linalg.solve(K + lam * np.eye(n), Phi).T  # the bracket is symmetric
verify("push-through: both sides of (3) are one matrix", left, right)
verify("w is the combination Φᵀα of the rows", w, Phi.T @ alpha)
verify("α is the residual over λ", alpha, (y - Phi @ w) / lam)

# %% [markdown] key="way-2" slide="subslide"
# ### The criterion in α
#
# **Step 4.** What does this $\alpha$ minimise? Put $w=\Phi^\top\alpha$ into $J$. Because
# $\Phi w=\Phi\Phi^\top\alpha=K\alpha$ and $w^\top w=\alpha^\top\Phi\Phi^\top\alpha=\alpha^\top K\alpha$,
#
# $$J(\alpha)=\|y-K\alpha\|^2+\lambda\,\alpha^\top K\alpha
# =\sum_i\Big(y_i-\sum_j\alpha_j k(x_j,x_i)\Big)^2+\lambda\sum_{i,j}\alpha_i\alpha_j k(x_i,x_j).$$
#
# There are $n$ unknowns, and every inner product is a kernel value. With $K=K^\top$ the gradient is
#
# $$\nabla J(\alpha)=-2Ky+2KK\alpha+2\lambda K\alpha=-2K\big(y-(K+\lambda I)\alpha\big). \tag{4}$$
#
# <!-- slide
# **The same criterion, in α, contains only kernel values**
#
# **Step 4.** Put $w=\Phi^\top\alpha$ into $J$:
#
# $$J(\alpha)=\|y-K\alpha\|^2+\lambda\,\alpha^\top K\alpha,$$
#
# $$\nabla J(\alpha)=-2Ky+2KK\alpha+2\lambda K\alpha=-2K\big(y-(K+\lambda I)\alpha\big). \tag{4}$$
# -->


# %% key="way-2-verify" slide="skip"
def J_dual(a):
    return np.sum((y - K @ a) ** 2) + lam * a @ K @ a


a0, step = rng.normal(size=n), 1e-6  # anywhere, not at the minimum
slopes = [(J_dual(a0 + step * e) - J_dual(a0 - step * e)) / (2 * step) for e in np.eye(n)]
verify(
    "(4) is the gradient: it agrees with finite differences",
    slopes,
    -2 * K @ (y - (K + lam * np.eye(n)) @ a0),
    tol=1e-6,
)
verify("J(α) and J(w) have the same minimum", J_dual(alpha), J(w))

# %% [markdown] key="way-2-solve" slide="subslide"
# **Step 5.** It is *enough* that the bracket in (4) vanishes, $(K+\lambda I)\alpha=y$. The reason is that $J$ is
# convex. Its Hessian $2K(K+\lambda I)$ is positive semi-definite, so a zero of the gradient is a minimum. It is
# tempting to write $(KK+\lambda K)^{-1}Ky$ instead, and to cancel with $K^{-1}$. But $K^{-1}$ need not exist. If you
# measure twice at the same $x$, then $K$ has two equal rows. Because $KK+\lambda K=K(K+\lambda I)$, the only matrix
# we ever have to solve with is $K+\lambda I$.
#
# <!-- slide
# **It is enough that one bracket vanishes**
#
# **Step 5.** It is *enough* that the bracket in (4) vanishes: $(K+\lambda I)\alpha=y$, because $J$ is convex.
#
# It is tempting to write $(KK+\lambda K)^{-1}Ky$ and to cancel with $K^{-1}$. **Does $K^{-1}$ exist** when the same
# $x$ was measured twice?
# -->

# %% [markdown] key="way-2-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask before the click; the crash has 28 such times. Then ask why the Hessian is positive semi-definite. (K and K + λI
# commute and have no negative eigenvalue.)
#
# </details>

# %% key="way-2-duplicates" slide="skip"
x_twice = np.array([[0.0], [0.0], [1.0]])  # the same x measured twice
y_twice = np.array([1.0, 2.0, -1.0])
K2 = Gaussian(sigma=1.0)(x_twice)
a2 = np.linalg.solve(K2 + 0.5 * np.eye(3), y_twice)


def gradient(a):
    return -2 * K2 @ (y_twice - (K2 + 0.5 * np.eye(3)) @ a)


silent = np.array([1.0, -1.0, 0.0])  # K2 times this is 0
elsewhere = Gaussian(sigma=1.0)(np.linspace(-3, 4, 50)[:, None], x_twice)
both = np.array([gradient(a2), gradient(a2 + 7 * silent)])
verify("with a repeated point K is singular, of rank 2", np.linalg.matrix_rank(K2) == 2)
verify("the gradient vanishes at (K + λI)⁻¹y, and at that + 7·(1, -1, 0)", both, 0.0)
verify("both α give one function", elsewhere @ (a2 + 7 * silent), elsewhere @ a2)

# %% [markdown] key="way-2-reading" slide="fragment"
# When $K$ is singular, many $\alpha$ are therefore optimal, namely all $(K+\lambda I)^{-1}y+u$ with $Ku=0$. They all
# describe one function $f$, because $\big\|\sum_i u_ik(x_i,\cdot)\big\|^2=u^\top Ku=0$ (the norm of equation (8)
# below). The formula $\alpha=(K+\lambda I)^{-1}y$ picks one of them.
#
# <!-- slide
# No: two rows of $K$ are equal. Then all $\alpha=(K+\lambda I)^{-1}y+u$ with $Ku=0$ are optimal, and they describe
# **one** function $f$.
# -->

# %% [markdown] key="way-3" slide="subslide"
# ### Second way: the representer theorem
#
# **Step 6.** Now we use no matrix $\Phi$. Let $\mathcal H$ be the space of functions that the kernel generates (its
# *reproducing kernel Hilbert space*, RKHS; chapter 9 builds it). All that we need today is that every *section* of
# the kernel, the function $k(x,\cdot):z\mapsto k(x,z)$, belongs to $\mathcal H$, and that evaluation is an inner
# product:
#
# $$f(x)=\langle f,\,k(x,\cdot)\rangle\quad\text{for every }f\in\mathcal H. \tag{5}$$
#
# We look for the minimiser over all of $\mathcal H$ of $\;\sum_i(y_i-f(x_i))^2+\lambda\|f\|^2$.
#
# <!-- slide
# **In the kernel's own space, evaluation is an inner product**
#
# **Step 6.** $\mathcal H$ is the space of functions that the kernel generates (RKHS, chapter 9). Every section
# $k(x,\cdot)$ is in it, and
#
# $$f(x)=\langle f,\,k(x,\cdot)\rangle\quad\text{for every }f\in\mathcal H. \tag{5}$$
#
# Minimise $\;\sum_i(y_i-f(x_i))^2+\lambda\|f\|^2$ over **all** of $\mathcal H$.
# -->

# %% [markdown] key="way-3-proof" slide="subslide"
# **Step 7.** Split $f=f_\parallel+v$. Here $f_\parallel=\sum_j\alpha_j k(x_j,\cdot)$ is the projection of $f$ onto
# the span of the $n$ sections $k(x_j,\cdot)$, which exists because the span has finite dimension, and $v$ is
# orthogonal to all of them. By (5), $v(x_i)=\langle v,k(x_i,\cdot)\rangle=0$: **$v$ cannot be seen at the data.** The
# errors are those of $f_\parallel$. But by Pythagoras $\|f\|^2=\|f_\parallel\|^2+\|v\|^2$, so $v$ only adds to the
# penalty. Hence the best $f$ has $v=0$, that is
#
# $$f=\sum_{j=1}^n\alpha_j\,k(x_j,\cdot). \tag{6}$$
#
# This is the *representer theorem*. Its two hypotheses are that the errors depend on $f$ through the values $f(x_i)$,
# and that the penalty increases *strictly* with $\|f\|$. Then every minimiser, if there is one, has this form. With
# (6) the values at the data are $K\alpha$, and $\|f\|^2=\alpha^\top K\alpha$, which is also $\|w\|^2$ for
# $w=\Phi^\top\alpha$. So we are back at $J(\alpha)$ and step 5, this time in any dimension.
#
# <!-- slide
# **A component orthogonal to the sections only adds norm**
#
# **Step 7.** Split $f=f_\parallel+v$: $f_\parallel=\sum_j\alpha_jk(x_j,\cdot)$ in the span of the $n$ sections, $v$
# orthogonal to all of them.
#
# - By (5), $v(x_i)=\langle v,k(x_i,\cdot)\rangle=0$: **$v$ cannot be seen at the data.**
# - By Pythagoras, $\|f\|^2=\|f_\parallel\|^2+\|v\|^2$: **$v$ costs.**
#
# $$f=\sum_{j=1}^n\alpha_j\,k(x_j,\cdot)\qquad\text{(representer theorem)} \tag{6}$$
#
# Hypotheses: the errors depend on the values $f(x_i)$ only, and the penalty increases **strictly** with $\|f\|$.
# -->

# %% key="way-3-verify" slide="skip"
# (1 + xz)³ on the line has the features 1, √3 x, √3 x², x³: four, so three points leave room
def features(x):
    return np.column_stack([np.ones_like(x), np.sqrt(3) * x, np.sqrt(3) * x**2, x**3])


x3, y3 = np.array([-1.0, 0.5, 2.0]), np.array([0.3, -1.0, 0.8])
F = features(x3)
verify(
    "the four features give the kernel (1 + xz)³",
    F @ F.T,
    Polynomial(gamma=1, coef0=1, degree=3)(x3[:, None]),
)

w_par = F.T @ np.linalg.solve(F @ F.T + 0.5 * np.eye(3), y3)
v = np.linalg.svd(F)[2][-1]  # the direction orthogonal to the three rows of F
verify("adding v changes no fitted value", F @ (w_par + v), F @ w_par)
verify(
    "... and raises the squared norm by exactly ‖v‖²",
    (w_par + v) @ (w_par + v),
    w_par @ w_par + v @ v,
)

# %% [markdown] key="three-ways-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Draw the plane of the sections and v upright on it. Ask which hypothesis each way used. (Push-through: a finite Φ.
# The representer theorem: only the inner product.) Then ask which of the two survives another loss. (The theorem; it
# does not even need a derivative.) Chapter 6 takes another loss.
#
# </details>

# %% [markdown] key="predictor" slide="slide" tags=["hour"]
# ## The predictor
#
# What does the best $f$ predict at a new $x$? With $k(x)=\big(k(x,x_1),\dots,k(x,x_n)\big)^\top$, equation (6) says
#
# $$f(x)=\sum_{i=1}^n\alpha_i\,k(x,x_i)=k(x)^\top(K+\lambda I)^{-1}y. \tag{7}$$
#
# No $w$ and no $\varphi$ are left. This is *kernel ridge regression*, and here is all of it, written for reading:
#
# <!-- slide
# ## The predictor needs no w and no φ
#
# $$f(x)=\sum_{i=1}^n\alpha_i\,k(x,x_i)=k(x)^\top(K+\lambda I)^{-1}y. \tag{7}$$
# -->


# %% key="predictor-code"
def kernel_slow(A, B, sigma):
    """The Gaussian kernel as its definition says it: one entry at a time, two loops."""
    return np.array([[np.exp(-np.sum((a - b) ** 2) / (2 * sigma**2)) for b in B] for a in A])


def solve_alpha(K, y, lam):
    L = cho_factor(K + lam * np.eye(len(y)), lower=True)  # K + λI = L Lᵀ
    return cho_solve(L, y)  # α


def predict_at(K_query, alpha):
    return K_query @ alpha  # one row k(x)ᵀ for each query

# %% [markdown] key="two-points" slide="subslide"
# *Two points, with pencil and paper.* Take $x=0,1$ with $y=(1,-1)$, $\sigma=1$, $\lambda=\tfrac12$, and write
# $c=k(0,1)=e^{-1/2}$. The system is
#
# $$\begin{pmatrix}1+\lambda&c\\c&1+\lambda\end{pmatrix}\begin{pmatrix}\alpha_1\\\alpha_2\end{pmatrix}
# =\begin{pmatrix}1\\-1\end{pmatrix},$$
#
# and by symmetry $\alpha_2=-\alpha_1$, so $\alpha_1=1/(1+\lambda-c)\approx 1.119$, and
# $f(0)=\alpha_1(1-c)\approx 0.440$. The measured value was $1$, so the penalty pulls $f$ more than halfway back to
# zero. The functions above agree:
#
# <!-- slide
# **Two points can be solved with pencil and paper**
#
# $x=0,1$ with $y=(1,-1)$, $\sigma=1$, $\lambda=\tfrac12$, $c=e^{-1/2}$:
#
# $$\begin{pmatrix}1+\lambda&c\\c&1+\lambda\end{pmatrix}\begin{pmatrix}\alpha_1\\\alpha_2\end{pmatrix}
# =\begin{pmatrix}1\\-1\end{pmatrix}$$
#
# By symmetry $\alpha_1=1/(1+\lambda-c)\approx 1.119$ and $f(0)=\alpha_1(1-c)\approx 0.440$. The measured value was 1.
# -->

# %% key="two-points-verify"
x2, y2 = np.array([[0.0], [1.0]]), np.array([1.0, -1.0])
a = solve_alpha(kernel_slow(x2, x2, sigma=1.0), y2, lam=0.5)
f0 = predict_at(kernel_slow(x2[:1], x2, sigma=1.0), a)[0]
print(f"α = ({a[0]:.3f}, {a[1]:.3f}),  f(0) = {f0:.3f}")

# %% [markdown] key="never-sparse" slide="subslide"
# Do we need all $n$ points to predict? By (2), $\alpha_i=(y_i-f(x_i))/\lambda$. If the noise has a density, then
# almost surely no residual is exactly zero, and so no $\alpha_i$ is zero. *Every* training point takes part in *every*
# prediction. The model we began with was *parametric*: once its $D$ weights are known, the data can be thrown away.
# With infinitely many features there are no such weights to keep. The model keeps the data and grows with them, so it
# is *non-parametric*. Chapter 6 obtains sparse coefficients with another loss.
#
# <!-- slide
# **No coefficient is 0: every point takes part in every prediction**
#
# - By (2), $\alpha_i=(y_i-f(x_i))/\lambda$: the residual, divided by $\lambda$.
# - *Parametric*: $D$ weights, and the data can be thrown away.
# - *Non-parametric*, with infinitely many features: the model keeps the data and grows with them.
# -->

# %% [markdown] key="never-sparse-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask which coefficients are 0 for a query point x far from most of the data. Expect “those of the far points”. None
# is; a far point has a small k(x, x_i), not a small α_i.
#
# </details>

# %% [markdown] key="sinc" slide="slide" tags=["hour"]
# ## A curve whose truth is known
#
# Is such a curve near the truth? With real data we never know. So from here on we also use a second data set, made by
# us. It has thirty points $x$ drawn at random between $-3$ and $3$, the curve $\operatorname{sinc}x=\sin(\pi x)/(\pi
# x)$, and on each value noise of standard deviation $0.15$. The method gets the dots; only we know the curve.
#
# <!-- slide
# ## On data of our own making, the truth is known
# -->

# %% key="sinc-data" slide="skip"
sinc = make_sinc(n=30, noise=0.15, rng=0)
fit = KernelRidge(Gaussian(sigma=0.5), lam=0.5).fit(sinc.X, sinc.y)

# %% key="sinc-picture" hide="input"
x_line = np.linspace(-3.2, 3.2, 400)
fig, ax = plt.subplots()
ax.plot(sinc.X[:, 0], sinc.y, "o", color="black", markersize=4.5, label="30 noisy samples")
ax.plot(x_line, np.sinc(x_line), **cycle(2), label="sinc, the truth")
ax.plot(x_line, fit.predict(x_line[:, None]), **cycle(0), label="kernel ridge, σ = 0.5, λ = 0.5")
ax.set(xlabel="x", ylabel="y", ylim=(-0.75, 1.75))
ax.legend(loc="upper left")
show(
    fig,
    alt="Thirty noisy samples of the sinc function between -3 and 3, the function itself, which "
    "peaks at height 1 in the middle and ripples on both sides, and a kernel ridge fit that "
    "follows the peak, stays a little below its top, and has the first ripple on either side.",
)

# %% [markdown] key="sinc-reading" slide="fragment"
# The fit finds the peak and stays a little below its top, because the penalty pulls it down. Nobody has chosen the
# two numbers $\sigma$ and $\lambda$ yet.
#
# <!-- slide
# The fit stays a little below the top, because the penalty pulls it down. **How do we choose σ and λ?**
# -->

# %% key="never-sparse-verify" slide="skip" hide="input"
c = np.exp(-0.5)
verify("two points: the code finds α = ±1/(1 + λ - c)", a, [1 / (1.5 - c), -1 / (1.5 - c)])
verify("two points: α₁", a[0], "1.119")
verify("two points: f(0) = α₁(1 - c)", f0, "0.440")
X_test = rng.normal(size=(7, 3))
verify(
    "kcourse's Gaussian is the double loop, in one matrix product",
    Gaussian(0.8)(X_test),
    kernel_slow(X_test, X_test, 0.8),
)
verify(
    "KernelRidge does what solve_alpha and predict_at do",
    KernelRidge(Gaussian(1.0), lam=0.5).fit(x2, y2).dual_coef_,
    a,
)
for lam_try in (1e-6, 0.5, 1000.0):
    model = KernelRidge(Gaussian(0.5), lam=lam_try).fit(sinc.X, sinc.y)
    verify(f"λ = {lam_try:g}: no coefficient is 0", np.all(model.dual_coef_ != 0))
left = sinc.y - model.predict(sinc.X)
verify("λ = 1000: α is the residual over λ", model.dual_coef_, left / 1000.0)

# %% [markdown] key="norm" slide="slide"
# ## The norm in the penalty
#
# To choose $\lambda$, we must know what it weighs. What does the penalty penalise? Expand (6) with (5):
#
# $$\|f\|^2=\Big\langle\sum_i\alpha_i k(x_i,\cdot),\sum_j\alpha_j k(x_j,\cdot)\Big\rangle
# =\sum_{i,j}\alpha_i\alpha_j\,k(x_i,x_j)=\alpha^\top K\alpha. \tag{8}$$
#
# It penalises roughness. If $\|f\|$ is small, $f$ cannot have very different values at two inputs with similar
# sections $k(x,\cdot)$, because by Cauchy–Schwarz
#
# $$|f(x)-f(z)|=|\langle f,\,k(x,\cdot)-k(z,\cdot)\rangle|\le\|f\|\,\sqrt{k(x,x)-2k(x,z)+k(z,z)}. \tag{9}$$
#
# So $f$ changes slowly in the kernel's own distance, which is the root in (9).
#
# <!-- slide
# ## A small norm means that f changes slowly
#
# $$\|f\|^2=\Big\langle\sum_i\alpha_i k(x_i,\cdot),\sum_j\alpha_j k(x_j,\cdot)\Big\rangle
# =\sum_{i,j}\alpha_i\alpha_j\,k(x_i,x_j)=\alpha^\top K\alpha \tag{8}$$
#
# By Cauchy–Schwarz
#
# $$|f(x)-f(z)|=|\langle f,\,k(x,\cdot)-k(z,\cdot)\rangle|\le\|f\|\,\sqrt{k(x,x)-2k(x,z)+k(z,z)}. \tag{9}$$
# -->

# %% key="norm-verify" slide="skip"
model = KernelRidge(Gaussian(0.5), lam=0.5).fit(sinc.X, sinc.y)
K = Gaussian(0.5)(sinc.X)
verify("‖f‖² is αᵀKα", model.norm2_, model.dual_coef_ @ K @ model.dual_coef_)

grid = np.linspace(-3, 3, 201)[:, None]
f_grid, k_grid = model.predict(grid), Gaussian(0.5)(grid)
change = np.abs(f_grid[:, None] - f_grid[None, :])
allowed = np.sqrt(model.norm2_) * np.sqrt(np.clip(2 - 2 * k_grid, 0, None))
verify("(9) holds for all pairs of 201 grid points", np.all(change <= allowed + 1e-9))

# %% [markdown] key="norm-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask: can f be small everywhere and still have a large norm? (Yes: a ripple of tiny amplitude and tiny wavelength.)
# Let them find it in (9): fix the left side, let z approach x, and the root on the right goes to 0.
#
# </details>

# %% [markdown] key="df" slide="slide" tags=["hour"]
# ## Effective degrees of freedom
#
# How much smoothing does a given $\lambda$ do? The fitted values are $\hat y=K\alpha=Hy$ with
# $H=K(K+\lambda I)^{-1}$. In the eigenbasis
# $K=Q\,\mathrm{diag}(\mu_1,\dots,\mu_n)\,Q^\top$,
#
# $$H=Q\,\mathrm{diag}\Big(\frac{\mu_j}{\mu_j+\lambda}\Big)Q^\top. \tag{10}$$
#
# The component of $y$ along each eigenvector is multiplied by a factor between zero and one. Components with
# $\mu_j\gg\lambda$ pass, and those with $\mu_j\ll\lambda$ are erased. Adding the factors gives
#
# $$\mathrm{df}(\lambda)=\operatorname{tr}H=\sum_j\frac{\mu_j}{\mu_j+\lambda}\in[0,n), \tag{11}$$
#
# called the *effective degrees of freedom*. The name is justified: for least squares on $p$ independent columns $H$
# is a projection, and its trace is $p$, the number of parameters.
#
# <!-- slide
# ## The trace of H counts the parameters in use
#
# $\hat y=K\alpha=Hy$ with $H=K(K+\lambda I)^{-1}$, and with $K=Q\,\mathrm{diag}(\mu_1,\dots,\mu_n)\,Q^\top$
#
# $$H=Q\,\mathrm{diag}\Big(\frac{\mu_j}{\mu_j+\lambda}\Big)Q^\top, \tag{10}$$
#
# $$\mathrm{df}(\lambda)=\operatorname{tr}H=\sum_j\frac{\mu_j}{\mu_j+\lambda}. \tag{11}$$
# -->

# %% [markdown] key="df-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask before you show the figure: thirty points, thirty coefficients, a feature space of infinite dimension. How many
# parameters does this model have? Expect 30 or infinity; for λ = 0.5 it is about eight. Draw a low-pass filter next
# to (10): λ is the cut-off.
#
# </details>

# %% key="df-figure" slide="skip"
# eigenvalues for the sinc data and σ = 0.5, largest first; rounding may leave -1e-17 for 0
mu = np.linalg.eigvalsh(K)[::-1].clip(min=0)
lams = (1e-6, 0.5, 10.0, 1000.0)
factors = {lam_i: mu / (mu + lam_i) for lam_i in lams}

# %% [markdown] key="df-asked" slide="subslide"
# For the thirty points of sinc, the sum of the dots of a curve is its df.
#
# <!-- slide
# **A larger penalty leaves fewer degrees of freedom**
# -->

# %% key="df-picture" hide="input"
fig, ax = plt.subplots()
for i, (lam_i, shrink) in enumerate(factors.items()):
    ax.plot(
        np.arange(1, 31),
        shrink,
        label=f"λ = {lam_i:g}: df = {shrink.sum():.3g}",
        **cycle(i),
        marker="o",
        markersize=3,
    )
ax.set(xlabel="eigendirection j (σ = 0.5)", ylabel="factor $μ_j/(μ_j+λ)$")
ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
show(
    fig,
    alt="Shrinkage factors of the 30 eigendirections for four penalties. For a millionth the "
    "first 20 factors are near 1; for 0.5 about nine are above a half; for 10 none is; for "
    "1000 all are near 0. The sums, the degrees of freedom, are 21.1, 8.13, 2.08 and 0.030.",
)

# %% [markdown] key="df-reading" slide="fragment"
# For $\lambda=0.5$ thirty coefficients behave like 8.13 parameters. A larger $\lambda$ always means *fewer* degrees
# of freedom. And a Gaussian kernel, whose feature space has infinite dimension, does not overfit by that fact alone.
#
# <!-- slide
# Thirty coefficients behave like 8.13 parameters for $\lambda=0.5$.
# -->

# %% key="df-verify" slide="skip" hide="input"
df = [KernelRidge(Gaussian(0.5), lam=v).fit(sinc.X, sinc.y).effective_df() for v in lams]
verify(
    "df from the trace equals df from the eigenvalues",
    df,
    [factors[v].sum() for v in lams],
    tol=1e-8,
)
for lam_i, value, quoted in zip(lams, df, ("21.1", "8.13", "2.08", "0.030"), strict=True):
    verify(f"λ = {lam_i:g}: df", value, quoted)

# %% [markdown] key="loo" slide="slide" tags=["hour"]
# ## Leave-one-out without refitting
#
# How many degrees of freedom are best? The training error always prefers the most flexible fit. So let each point be
# predicted by a model that has not seen it. With $f_{-i}$ fitted without point $i$, with the same $k$ and the same
# $\lambda$, look at $y_i-f_{-i}(x_i)$. That seems to cost $n$ fits, but two or three are enough.
#
# **Step 8.** *The trick:* pretend that point $i$ had been measured at $f_{-i}(x_i)$. Then $f_{-i}$ fits it with error
# zero and is optimal for the rest, so it is optimal for all $n$ points, with $y_i$ replaced by $f_{-i}(x_i)$. Fitted
# values are $H$ times targets, with the $H=K(K+\lambda I)^{-1}$ of (10), which is an equation for $f_{-i}(x_i)$:
#
# <!-- slide
# ## Leave-one-out costs two or three fits, not n
#
# Predict each point by $f_{-i}$, a model that has not seen it.
#
# **Step 8.** *The trick:* pretend that point $i$ had been measured at $f_{-i}(x_i)$. Then $f_{-i}$ is optimal for
# **all** $n$ points, and fitted values are $H$ times targets.
# -->

# %% [markdown] key="loo-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Step 8 feels like cheating. Stop there and let them argue why the invented point changes nothing. (Its error is 0,
# so the sum is that of the other points, for which f₋ᵢ is already best; any other f has a larger sum.)
#
# </details>

# %% [markdown] key="loo-algebra" slide="subslide"
# $$f_{-i}(x_i)=\sum_{j\ne i}H_{ij}y_j+H_{ii}f_{-i}(x_i)=f(x_i)-H_{ii}y_i+H_{ii}f_{-i}(x_i).$$
#
# Subtract both sides from $y_i$ and collect the left-out residual:
#
# $$y_i-f_{-i}(x_i)=\frac{y_i-f(x_i)}{1-H_{ii}}. \tag{12}$$
#
# **Step 9.** Since $I-H=\lambda(K+\lambda I)^{-1}$, numerator and denominator both carry a $\lambda$, and
#
# $$y_i-f_{-i}(x_i)=\frac{\alpha_i}{\big[(K+\lambda I)^{-1}\big]_{ii}}. \tag{13}$$
#
# The diagonal of the inverse costs about as much as two more factorisations.
#
# <!-- slide
# **The diagonal of H gives every left-out residual**
#
# $$f_{-i}(x_i)=\sum_{j\ne i}H_{ij}y_j+H_{ii}f_{-i}(x_i)=f(x_i)-H_{ii}y_i+H_{ii}f_{-i}(x_i)$$
#
# $$y_i-f_{-i}(x_i)=\frac{y_i-f(x_i)}{1-H_{ii}} \tag{12}$$
#
# **Step 9.** Since $I-H=\lambda(K+\lambda I)^{-1}$,
#
# $$y_i-f_{-i}(x_i)=\frac{\alpha_i}{\big[(K+\lambda I)^{-1}\big]_{ii}}. \tag{13}$$
# -->

# %% [markdown] key="loo-algebra-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let them subtract. Then ask for the value of H_ii when a point is far from all others, and for what (12) gives there.
# (k(x_i,x_i)/(k(x_i,x_i)+λ); the point is predicted by 0.)
#
# </details>


# %% key="loo-verify" slide="skip"
def refit_without(i, X, y, sigma, lam):
    keep = np.arange(len(y)) != i
    return y[i] - KernelRidge(Gaussian(sigma), lam=lam).fit(X[keep], y[keep]).predict(X[[i]])[0]


model = KernelRidge(Gaussian(0.5), lam=0.5).fit(sinc.X, sinc.y)
slow = np.array([refit_without(i, sinc.X, sinc.y, 0.5, 0.5) for i in range(30)])
verify("(13) equals 30 refits, point by point", model.loo_residuals(), slow)

# %% [markdown] key="loo-path" slide="subslide"
# *A whole path from one eigendecomposition.* With the eigenbasis of (10),
# $(K+\lambda I)^{-1}=Q\,\mathrm{diag}\big(\tfrac1{\mu_j+\lambda}\big)Q^\top$ for *every* $\lambda$. After one
# eigendecomposition, in $O(n^3)$ operations, each further $\lambda$ costs $O(n^2)$. This is what `loo_path` does:
#
# <!-- slide
# **One eigendecomposition serves every λ**
# -->

# %% key="loo-path-figure" slide="skip"
lams = np.logspace(-5, 2, 57)
path = loo_path(Gaussian(0.5)(sinc.X), sinc.y, lams)  # one eigendecomposition for all 57
print(f"smallest leave-one-out error {path.mse.min():.4f}, at λ = {path.best_lam:.3f}")

# %% key="loo-path-picture" hide="input"
t = np.arange(-3, 3, 0.05)[:, None]
fits = [KernelRidge(Gaussian(0.5), lam=v).fit(sinc.X, sinc.y) for v in lams]
train = np.array([np.mean((sinc.y - m.predict(sinc.X)) ** 2) for m in fits])
truth = np.array([np.mean((np.sinc(t[:, 0]) - m.predict(t)) ** 2) for m in fits])

fig, ax = plt.subplots()
ax.plot(lams, train, label="training error", **cycle(0))
ax.plot(lams, path.mse, label="leave-one-out error", **cycle(1))
ax.plot(lams, truth, label="error against the true curve", **cycle(2))
ax.axvline(path.best_lam, color="#777777", linewidth=1, linestyle=":")
ax.set(xscale="log", yscale="log", xlabel="λ", ylabel="mean squared error", ylim=(3e-3, 0.3))
ax.legend(loc="upper left")
show(
    fig,
    alt="Three mean squared errors against the penalty on logarithmic axes, for the sinc samples "
    "and width 0.5. The training error falls steadily as the penalty shrinks. The "
    "leave-one-out error is least at a penalty of 0.1 and has a second, higher minimum near "
    "0.0002. The error against the true curve is least at a penalty of about 0.4.",
)

# %% [markdown] key="loo-path-reading" slide="fragment"
# The training error falls as $\lambda\to0$ and would choose interpolation. The leave-one-out error has a minimum,
# marked by the dotted line.
#
# Two warnings come with it. The error can have more than one local minimum, here a second one near
# $\lambda=2\cdot10^{-4}$, so search a grid and do not walk downhill. And with thirty points the minimum is itself
# uncertain. Here the selected $\lambda$ is about a quarter of the one that is best for the true curve, which we can
# draw only because we know the truth. In about half of a thousand such data sets, the chosen penalty is wrong by more
# than a factor of two, in either direction.
#
# <!-- slide
# The training error would choose interpolation. Leave-one-out has a minimum, and a **second** one near
# $\lambda=2\cdot10^{-4}$: search a grid.
# -->

# %% [markdown] key="loo-path-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask which of the three curves one can draw for real data. (Training and leave-one-out.) Ask where the training error
# would put λ. (At 0.) Then ask what a search that walks downhill from the left would find.
#
# </details>

# %% key="loo-path-verify" slide="skip" hide="input"
H = np.linalg.solve(K + 0.5 * np.eye(30), K)  # K and (K + λI)⁻¹ commute
by_hat = (sinc.y - model.predict(sinc.X)) / (1 - np.diag(H))
verify("(12) equals 30 refits, point by point", by_hat, slow)
verify(
    "the path at each λ equals a fit at that λ",
    path.mse,
    [np.mean(m.loo_residuals() ** 2) for m in fits],
)
verify("the training error falls as λ falls", np.all(np.diff(train) > 0))
best_known = lams[truth.argmin()]
verify("about a quarter of the best penalty", 0.2 < path.best_lam / best_known < 0.3)
dips = np.flatnonzero((np.diff(path.mse)[:-1] < 0) & (np.diff(path.mse)[1:] > 0)) + 1
verify("leave-one-out has a second local minimum near 2e-4", 1e-4 < lams[dips[0]] < 3e-4)
ratio = measured("ch03_penalty", "penalty-is-uncertain")["ratio"]
verify("too small in some, too large in others", (ratio < 0.5).sum() > 200 < (ratio > 2).sum())

# %% [markdown] key="knobs" slide="slide" tags=["hour"]
# ## Choosing σ and λ together
#
# So far $\sigma$ was fixed. **Predict first, then move.** Write down your three answers. Then move the sliders, and
# switch *numbers and map* to *shown*.
#
# 1. You make the penalty a hundred times larger, $\lambda=50$ instead of $0.5$. How many of the eight degrees of
#    freedom are left, about four, two or less than one? And how many of the thirty coefficients $\alpha_i$ become
#    exactly zero?
# 2. You halve the width $\sigma$. Must $\lambda$ grow or shrink to keep the degrees of freedom?
# 3. At $\lambda=0.5$ you double $\sigma$ to about $1$, and the leave-one-out error gets worse. With which $\lambda$, larger
#    or smaller, can you win it back?
#
# <!-- slide
# ## σ and λ must be chosen together
#
# **Predict first.**
#
# 1. $\lambda$ becomes a hundred times larger, 50 instead of 0.5. How many of the eight degrees of freedom are left,
#    about four, two or less than one? And how many of the thirty coefficients $\alpha_i$ become exactly 0?
# 2. $\sigma$ is halved. Must $\lambda$ grow or shrink to keep the degrees of freedom?
# 3. At $\lambda=0.5$ the width grows from 0.5 to 1, and the leave-one-out error gets worse. With which $\lambda$,
#    larger or smaller, can you win it back?
# -->

# %% [markdown] key="knobs-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Take a show of hands for each question before you show the figure. Expect “shrink” for question 2. In the map, ask
# what a grid search with five values of each would make of the valley.
#
# </details>

# %% key="knobs-figure" hide="input"
knobs = smoothing_explorer(
    sinc,
    np.sinc,
    fit=lambda sigma, lam: KernelRidge(Gaussian(sigma), lam=lam).fit(sinc.X, sinc.y),
    loo=lambda sigma, lams: loo_path(Gaussian(sigma)(sinc.X), sinc.y, lams).mse,
)

# %% [markdown] key="knobs-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# A larger $\lambda$ flattens the curve towards zero. Less than one degree of freedom is left, and no coefficient
# becomes exactly zero. A narrower kernel makes the fit more flexible, and a larger penalty takes the flexibility
# back. So for a kernel half as wide, $\lambda$ must *grow*, and for a wider kernel it must become smaller.
#
# The good settings therefore form a slanted valley. Along its floor, from $\sigma=0.6$ to $\sigma=1.5$, the smallest
# leave-one-out error changes by less than 6 %, while its $\lambda$ falls more than a thousandfold.
#
# </details>
#
# <!-- slide
# **A wider kernel goes with a smaller penalty**
#
# - A larger $\lambda$ flattens the curve: less than one degree of freedom is left, and no $\alpha_i$ becomes 0.
# - For half the width, $\lambda$ must **grow**. For the wider kernel it must shrink.
# - The good settings form a slanted valley, nearly level from $\sigma=0.6$ to 1.5.
# -->


# %% key="knobs-verify" slide="skip" hide="input"
def best(sigma):
    return loo_path(Gaussian(sigma)(sinc.X), sinc.y, np.logspace(-6, 2, 161))


def df_at(sigma, lam):
    return KernelRidge(Gaussian(sigma), lam=lam).fit(sinc.X, sinc.y).effective_df()


verify("a hundred times the penalty: degrees of freedom left", df_at(0.5, 50.0), "0.55")
verify("half the width at the same λ: more degrees of freedom", df_at(0.25, 0.5) > df_at(0.5, 0.5))
verify("half the width: λ must grow to keep them", df_at(0.25, 5.0) < df_at(0.5, 0.5))
verify("question 3: a smaller λ", best(1.0).best_lam < 0.5)
verify("question 3: it wins the error back", best(1.0).mse.min() < best(0.5).mse.min())
valley = [best(sigma) for sigma in (0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5)]
floor = [p.mse.min() for p in valley]
verify("the smallest error changes by less than 6 %", max(floor) < 1.06 * min(floor))
verify("its λ falls all the way", np.all(np.diff([p.best_lam for p in valley]) < 0))
verify("more than a thousandfold", valley[0].best_lam > 1000 * valley[-1].best_lam)

# %% [markdown] key="stable" slide="slide"
# ## Solve, never invert
#
# At the end of the valley $\lambda$ is tiny. Can a computer still find $\alpha=(K+\lambda I)^{-1}y$? This is a
# *formula*. The *computation* is a Cholesky factor $K+\lambda I=LL^\top$ and two triangular solves. It takes $n^3/3$
# floating-point operations instead of $2n^3$ for the inverse, and its fit stays accurate. To see this, take targets
# without noise, as a computer simulation gives them, and a tiny $\lambda$. The test is the residual of the linear
# system, because $(K+\lambda I)\alpha$ should be $y$.
#
# <!-- slide
# ## Solve, never invert: it is cheaper, and the fit is right
#
# - $\alpha=(K+\lambda I)^{-1}y$ is a *formula*. The *computation* is a Cholesky factor $K+\lambda I=LL^\top$ and two
#   triangular solves: $n^3/3$ operations, where forming the inverse takes $2n^3$.
# - The test: $(K+\lambda I)\alpha$ should be $y$. Targets **without noise**, as from a simulation, and a tiny
#   $\lambda$. How large will the residuals be?
# -->

# %% [markdown] key="stable-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask what they would type for α; a likely answer is `inv`. Ask for a guess at λ = 1e-13 before you show the left end
# of the figure.
#
# </details>

# %% key="stable-figure" slide="skip"
K1, clean = Gaussian(1.0)(sinc.X), np.sinc(sinc.X[:, 0])


def residual(alpha, lam, y):
    return np.linalg.norm((K1 + lam * np.eye(30)) @ alpha - y) / np.linalg.norm(y)


def by_cholesky(lam):
    return residual(solve_alpha(K1, clean, lam), lam, clean)


def by_inverse(lam):
    return residual(np.linalg.inv(K1 + lam * np.eye(30)) @ clean, lam, clean)

# %% [markdown] key="stable-asked" slide="subslide"
# The figure shows the residual of both computations:
#
# <!-- slide
# **At a tiny λ the inverse is less accurate than the solve**
# -->

# %% key="stable-picture" hide="input"
# rounding errors differ from one processor to the next: the picture draws those of one computer
small, drawn_inverse, drawn_cholesky = measured("ch03_residuals").values()
fig, ax = plt.subplots()
ax.plot(small, drawn_inverse, label="np.linalg.inv(K + λI) @ y", **cycle(1))
ax.plot(small, drawn_cholesky, label="Cholesky factor, then solve", **cycle(0))
ax.set(xscale="log", yscale="log", xlabel="λ", ylabel="relative residual")
ax.legend()
show(
    fig,
    alt="Relative residual of the linear system against the penalty on logarithmic axes, "
    "noise-free targets. Both lines start near rounding, 1e-16, for a penalty of 1. Towards a"
    " penalty of 1e-13 the explicit inverse's residual climbs to about a thousandth, that of "
    "the Cholesky solve only to about 1e-10.",
)

# %% [markdown] key="stable-reading" slide="fragment"
# At the left end the inverse keeps two or three digits of $y$, while the solve still has nine or ten. The solved
# $\alpha$ is not itself more accurate, because the conditioning of the problem limits both. In both computations,
# nearly all of the error in $\alpha$ lies along eigenvectors with tiny eigenvalues, so it hardly changes
# $(K+\lambda I)\alpha$. But the inverse has a far larger error along the other eigenvectors, and this part spoils the
# fit. When $K+\lambda I$ is not positive definite in floating point, Cholesky *breaks down* with a message.
#
# <!-- slide
# The inverse keeps two or three digits of $y$, the solve nine or ten.
# -->

# %% key="stable-verify" slide="skip" hide="input"
tiny = small[small < 1e-10]
verify(
    "at λ below 1e-10 the inverse's residual is over 10 000 times larger",
    all(by_inverse(v) > 1e4 * by_cholesky(v) for v in tiny),
)
verify(
    "at λ below 1e-10 the solve keeps more than eight digits",
    all(by_cholesky(v) < 1e-8 for v in tiny),
)
message = ""
try:
    KernelRidge(Gaussian(1.0), lam=1e-20).fit(np.vstack([sinc.X, sinc.X]), np.tile(sinc.y, 2))
except ValueError as error:
    message = str(error)
verify(
    "a penalty below rounding is refused, and told what to do", "take lam of at least" in message
)

# %% [markdown] key="primal-dual" slide="slide" tags=["later"]
# ## Primal or dual?
#
# Must the system have $n$ unknowns? The same $f$ can be computed in two ways. The *primal* problem solves for the
# weights, the *dual* for one number for each point.
#
# | | unknowns | matrix | operations | when |
# |---|---|---|---|---|
# | primal (1) | $w$: $D$ numbers | $\Phi^\top\Phi+\lambda I$ | $nD^2+D^3/3$ | few features, many points |
# | dual (7), from features | $\alpha$: $n$ numbers | $\Phi\Phi^\top+\lambda I$ | $n^2D+n^3/3$ | many features, few points |
# | dual (7), from a kernel | $\alpha$: $n$ numbers | $K+\lambda I$ | $n^2d+n^3/3$ | infinitely many features, or only a kernel |
#
# The dual is often introduced “for $D>n$”. It is *right* for any $D$ and $n$, and only the cost changes. Ten
# variables were recorded for each of 442 diabetes patients: age, sex, body mass index, blood pressure and six serum
# values. The target is a score of how far the disease had progressed a year later. With the linear kernel, whose
# feature map is $\varphi(x)=x$, there are $D=d=10$ features:
#
# <!-- slide
# ## Primal or dual: the size of the system decides
#
# | | unknowns | matrix | operations |
# |---|---|---|---|
# | primal (1) | $w$: $D$ numbers | $\Phi^\top\Phi+\lambda I$ | $nD^2+D^3/3$ |
# | dual (7), from features | $\alpha$: $n$ numbers | $\Phi\Phi^\top+\lambda I$ | $n^2D+n^3/3$ |
# | dual (7), from a kernel | $\alpha$: $n$ numbers | $K+\lambda I$ | $n^2d+n^3/3$ |
#
# **Which one for 442 patients with ten measurements each? And with 20 000 genes?**
# -->

# %% [markdown] key="primal-dual-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask both questions of the page. (Primal; dual.) Expect “the kernel trick is faster” for the first: there the primal
# takes several hundred times fewer operations. Then ask about ten million patients and 20 000 genes. (Neither:
# chapter 10.)
#
# </details>

# %% key="primal-dual-verify" slide="skip"
patients = load_diabetes()
F, progression = patients.X, patients.y
n, D = F.shape
print(f"{n} patients, {D} features: the dual has {n} unknowns, the primal {D}")

w = np.linalg.solve(F.T @ F + 1.0 * np.eye(D), F.T @ progression)
dual = KernelRidge(Linear(), lam=1.0).fit(F, progression)
verify("primal and dual predict the same for all patients", F @ w, dual.predict(F))
verify("w is Φᵀα here, too", w, F.T @ dual.dual_coef_)

primal_work, dual_work = n * D**2 + D**3 / 3, n**2 * D + n**3 / 3
print(f"operations: primal {primal_work:,.0f}, dual {dual_work:,.0f}")
verify("the primal takes several hundred times fewer", 500 < dual_work / primal_work < 900)

# %% [markdown] key="primal-dual-reading"
# Here the primal takes several hundred times fewer operations. “The kernel trick is faster” is therefore
# [not a rule](errata.ipynb#E73.-When-the-dual-form-is-cheaper). It holds when $D$ is much larger than $n$.
#
# <!-- slide
#
# -->

# %% [markdown] key="crash" slide="slide"
# ## Back to the crash: nested cross-validation
#
# Is the new curve better for the helmet? We choose $\sigma$ and $\lambda$ together, by leave-one-out over a grid:
#
# <!-- slide
# ## On the crash, leave-one-out chooses σ and λ together
# -->

# %% key="crash-tune"
X, y = crash.X, crash.y
sigmas, lams = np.logspace(-0.3, 1.3, 33), np.logspace(-3, 2, 41)


def tune(X, y):
    """The pair (σ, λ) of least leave-one-out error, and that error."""
    table = np.array([loo_path(Gaussian(s)(X), y, lams).mse for s in sigmas])
    i, j = np.unravel_index(table.argmin(), table.shape)
    return sigmas[i], lams[j], table[i, j]


sigma, lam, ridge_mse = tune(X, y)
print(f"σ = {sigma:.2f} ms, λ = {lam:.4f}, leave-one-out error {ridge_mse:.0f} g²")

# %% [markdown] key="crash-vain" slide="subslide"
# The error is 531 g² instead of the window's 596 g². Both numbers are still a little optimistic. We *chose*
# $\sigma$ and $\lambda$ because they made the number small. And at 28 of the times there is more than one
# measurement, so a left-out point often leaves another one of the same time behind.
#
# *Nested cross-validation* removes both causes. The times are divided at random into ten folds, and all measurements
# of one time stay together. Each fold is predicted by a model that was fitted *and tuned* on the other nine.
#
# <!-- slide
# **531 g² is a little optimistic, for two reasons**
#
# Kernel ridge regression has 531 g², the window 596 g², each with the settings of smallest leave-one-out error.
# What makes such a number optimistic?
#
# <div class="fragment">
#
# $\sigma$ and $\lambda$ were *chosen* to make it small. And 28 times were measured more than once.
#
# **Nested cross-validation:** ten folds of whole times; each is predicted by a model that was fitted **and tuned** on
# the other nine.
#
# </div>
# -->

# %% [markdown] key="crash-vain-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask for both reasons. We chose the settings because they made this number small, and a left-out point often leaves a
# measurement of the same time behind. Then ask which of five methods will suffer most from an honest comparison: a
# polynomial, the window, a local line, a smoothing spline, or kernel ridge regression.
#
# </details>

# %% [markdown] key="crash-nested" slide="subslide"
# Four rivals are treated in the same way. Two are a polynomial and the window. A *local line* uses the window's
# weights, but fits a straight line near each $x$ instead of a constant. The *smoothing spline*, with which Silverman
# (1985) analysed these data, minimises $\sum_i(y_i-f(x_i))^2+\lambda\int f''(t)^2\,dt$ over all curves. It is kernel
# ridge regression with the kernel $k(s,t)=\int_0^\infty(s-u)_+(t-u)_+\,du$, where $a_+=\max(a,0)$ and $s,t\ge0$, and
# with a straight line that is not penalised.
#
# <!-- slide
# **On times not seen, kernel ridge and the spline have the smallest errors**
# -->


# %% key="crash-baselines" slide="skip" hide="input"
def loo_of_smoother(S, y):
    """(12), for methods to which step 8 applies: least squares and normalised averages are such."""
    return np.mean(((y - S @ y) / (1 - np.diag(S))) ** 2)


def hat(X, degree):
    u = (X[:, 0] - 30) / 27.6  # 2.4…57.6 ms to [-1, 1], where Chebyshev's polynomials are at home
    V = np.polynomial.chebyshev.chebvander(u, degree)
    return V @ np.linalg.pinv(V)


def average_smoother(X, sigma):
    W = Gaussian(sigma)(X)
    return W / W.sum(axis=1, keepdims=True)


def line_smoother(X, sigma):
    W, away = average_smoother(X, sigma), X.T - X
    first, second = ((W * away**p).sum(axis=1, keepdims=True) for p in (1, 2))
    return W * (second - first * away) / (second - first**2)


def spline_kernel(s, t):
    """∫ (s - u)₊ (t - u)₊ du, for times s of shape (p, 1) and t of shape (q, 1)."""
    low, high = np.minimum(s, t.T), np.maximum(s, t.T)
    return low**2 * (3 * high - low) / 6


def spline_smoother(X, lam):
    """Kernel ridge with the spline's kernel, and a line that is not penalised."""
    no_line = np.linalg.qr(np.column_stack([np.ones(len(X)), X]), mode="complete")[0][:, 2:]
    A = spline_kernel(X, X) + lam * np.eye(len(X))
    return np.eye(len(X)) - lam * no_line @ np.linalg.solve(no_line.T @ A @ no_line, no_line.T)


def best_of(smoother, settings):
    errors = [loo_of_smoother(smoother(X, s), y) for s in settings]
    return settings[int(np.argmin(errors))], min(errors)


degree, polynomial_mse = best_of(hat, range(21))
width, average_mse = best_of(average_smoother, np.arange(0.5, 5, 0.01))
_, line_mse = best_of(line_smoother, np.arange(0.5, 5, 0.05))
spline_lam, spline_mse = best_of(spline_smoother, np.logspace(0, 3, 25))

# %% key="crash-nested-table" hide="input"
nested = measured("ch03_crash", "ridge-is-best", "spline-is-near", "ends-cost-polynomials")
left_out = {
    "polynomial": polynomial_mse,
    "window": average_mse,
    "local line": line_mse,
    "smoothing spline": spline_mse,
    "kernel ridge": ridge_mse,
}
honest = "nested, median of twenty partitions (g²)"
table(
    "Mean squared error on the crash, each method with its own best settings",
    {"method": "", "leave-one-out (g²)": ".0f", honest: ".0f"},
    {name: (error, np.median(nested[name])) for name, error in left_out.items()},
    best={"leave-one-out (g²)": "least", honest: "least"},
)

# %% [markdown] key="crash-nested-reading" slide="fragment"
# Kernel ridge regression has the smallest nested error on each of the twenty partitions, 537 g² in the median instead
# of the window's 628 g². The smoothing spline is so near that these data do not settle which of the two is
# better. Both solve for a smooth curve, and which of their two kernels is used hardly matters here.
#
# The polynomial looks good in the first column, with degree 15, and bad in the second. Typically over half of its
# nested error comes from the first and the last time, where a polynomial must *extrapolate*. Was the first column
# luck? Yes. When the last measurement is left out, neighbouring degrees miss it by several hundred g, and degree 15
# by only 66 g. If the noise is drawn again around the curve of kernel ridge regression, degree 15 comes as near in
# about 6 % of the draws.
#
# <!-- slide
# - The spline is too near to call: which of these two kernels is used hardly matters here.
# - The polynomial of degree 15 was lucky: it misses the last measurement by 66 g, degree 14 by 373 g, degree 16 by
#   726 g.
# -->

# %% [markdown] key="crash-nested-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask which row changed most between the two columns. (The polynomial.) Its best degree is 15. Ask whether that was
# luck; expect “no, degree 15 fits well”. It was: when the last measurement is left out, a polynomial extrapolates,
# and of the degrees from 9 to 20 only 15 comes near. Degrees 12, 13 and 17 have leave-one-out errors of 1556, 1264
# and 4260 g².
#
# </details>

# %% [markdown] key="crash-asked" slide="subslide"
# What does the winner look like? We fit it to all measurements.
#
# <!-- slide
# **Seven turns remain, and five of them are small**
# -->

# %% key="crash-figure" slide="skip"
final = KernelRidge(Gaussian(sigma), lam=lam).fit(X, y)
print(f"σ = {sigma:.1f} ms, λ = {lam:.3f}, degrees of freedom {final.effective_df():.1f}")

# %% key="crash-picture" hide="input"
t = np.linspace(-8, 75, 500)[:, None]
best_width = width
W = Gaussian(best_width)(t, X)
inside = (t[:, 0] > 1) & (t[:, 0] < 59)

fig, ax = plt.subplots(figsize=(8, 4))
ax.plot(X[:, 0], y, "o", color="black", markersize=4, label="measured")
ax.plot(
    t[inside],
    (W @ y / W.sum(axis=1))[inside],
    label=f"window, σ = {best_width:.2f} ms",
    **cycle(1),
    linewidth=1.5,
)
ax.plot(t, final.predict(t), label=f"kernel ridge, σ = {sigma:.1f} ms", **cycle(0), linewidth=2.5)
ax.axvspan(-8, 2.4, color="#eeeeee")
ax.axvspan(57.6, 75, color="#eeeeee")
ax.set(xlabel="time after impact (ms)", ylabel="head acceleration (g)")
ax.legend(loc="lower right")
show(
    fig,
    alt="The crash data with two fits. The window follows the dots in many small wiggles."
    " The kernel ridge curve is smooth: a small rise before 14 ms, a deep trough of about "
    "-120 g at 21 ms, a peak of about 40 g at 32 ms, a shallow second dip and rest. In the "
    "shaded regions outside the data it swings and then returns to 0.",
)

# %% [markdown] key="crash-reading" slide="fragment"
# The curve behaves like a model with 10.4 parameters, and it turns seven times. There is a deep trough, −120 g near
# 21 ms, and a rebound, 40 g near 32 ms. Five small turns are left, two before the plunge and three after the rebound.
# **Are these five real?**
#
# <!-- slide
# A trough, $-120$ g near 21 ms; a rebound, 40 g near 32 ms; five more turns under 12 g. **Are these five real?**
# -->

# %% [markdown] key="crash-wrong-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Look at the bets of the first slide: 15 turns, then seven. Ask how one would test the other five. Two questions are
# wanted: what would noise do to this curve, and what would the method do without noise?
#
# </details>

# %% [markdown] key="crash-band" slide="subslide"
# First, what would noise do? The curve is $f(x)=\sum_is_i(x)\,y_i$ with $s(x)=(K+\lambda I)^{-1}k(x)$. If the noise
# is independent, with variance $v_i$ at point $i$, then
#
# $$\operatorname{Var}f(x)=\sum_is_i(x)^2\,v_i .$$
#
# The variance is not the same everywhere, so take for $v_i$ the squared residual when the whole time of point $i$ is
# left out. Let $B$ be the set of all measurements at one time, and $r_B$ the vector of their left-out residuals. If
# step 8 replaces all of $B$ at once, it gives $r_B=(I-H_{BB})^{-1}(y_B-f_B)$ instead of (12). As in step 9,
# $I-H=\lambda(K+\lambda I)^{-1}$, so
#
# $$r_B=\big([(K+\lambda I)^{-1}]_{BB}\big)^{-1}\alpha_B.$$
#
# <!-- slide
# **The band: what noise alone can do to the curve**
#
# $f(x)=\sum_is_i(x)\,y_i$ with $s(x)=(K+\lambda I)^{-1}k(x)$. For independent noise of variance $v_i$ at point $i$
#
# $$\operatorname{Var}f(x)=\sum_is_i(x)^2\,v_i .$$
#
# Take for $v_i$ the squared residual of point $i$, with all measurements of its time left out.
# -->


# %% key="crash-twins" slide="skip"
def leave_times_out(X, y, sigma, lam):
    """Kernel ridge residuals, each time left out with all its measurements."""
    K = Gaussian(sigma)(X)
    G = cho_solve(cho_factor(K + lam * np.eye(len(y)), lower=True), np.eye(len(y)))
    alpha, r = G @ y, np.empty(len(y))
    for time in np.unique(X):
        B = np.flatnonzero(X[:, 0] == time)
        r[B] = np.linalg.solve(G[np.ix_(B, B)], alpha[B])
    return r


by_time = leave_times_out(X, y, sigma, lam)
print(f"leave-one-time-out error {np.mean(by_time**2):.0f} g²")

# %% key="crash-band-code" slide="skip"
def smoother(t):
    """Row by row the s(t): what each measurement contributes to f(t)."""
    factor = cho_factor(Gaussian(sigma)(X) + lam * np.eye(len(y)), lower=True)
    return cho_solve(factor, Gaussian(sigma)(X, t)).T


def band(t):
    """Two standard errors of f(t), as far as they come from noise."""
    return 2 * np.sqrt(smoother(t) ** 2 @ by_time**2)

# %% [markdown] key="crash-band-asked" slide="subslide"
# The figure shows this band, two standard errors wide on either side, before the plunge and after the rebound. The
# dashed line shows what the method does without noise. It was fitted to exact zeros before the plunge and to the
# values of the fitted curve afterwards.
#
# <!-- slide
# **Noise explains the late turns, bias explains the early ones**
# -->

# %% key="crash-band-picture" hide="input"
t_in = np.linspace(2.4, 57.6, 1105)
curve, noise = final.predict(t_in[:, None]), band(t_in[:, None])
turns = np.flatnonzero(np.diff(np.sign(np.diff(curve)))) + 1
flat = np.where(X[:, 0] < 14, 0.0, final.predict(X))  # no noise, and nothing happens before 14 ms
ghost = smoother(t_in[:, None]) @ flat
no_rebound = np.where((X[:, 0] < 14) | (X[:, 0] > 28), 0.0, final.predict(X))
after = (smoother(t_in[:, None]) @ no_rebound)[t_in > 28]

fig, axes = plt.subplots(1, 2, figsize=(9.2, 3.9))
for ax, low, high in ((axes[0], 2.4, 14), (axes[1], 38, 57.6)):
    low_edge, high_edge = curve - noise, curve + noise
    ax.fill_between(t_in, low_edge, high_edge, color="#cccccc", label="± 2 standard errors")
    ax.plot(t_in, curve, **cycle(0), label="kernel ridge")
    ax.plot(X[:, 0], y, "o", color="black", markersize=4.5, label="measured")
    ax.set(xlim=(low, high), xlabel="time after impact (ms)")
axes[0].plot(t_in, ghost, **cycle(1), label="from 0 until 14 ms, no noise")
axes[0].set(ylabel="head acceleration (g)", ylim=(-16, 16))
axes[1].set(ylim=(-60, 60))
fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower left", ncols=2, fontsize=9)
show(
    fig,
    alt="Two parts of the curve with a band of two standard errors. Before 14 ms the band is "
    "narrow and the curve waves from -9 to 7 g, while all dots lie between -5.4 and 0; a curve "
    "fitted to exact zeros there waves from -6 to 7 g. After 38 ms the band is wide and holds "
    "0 until shortly before the end; many dots lie outside it.",
)

# %% [markdown] key="crash-band-reading" slide="fragment"
# At the three late turns zero is within the band, so noise alone can make them. The two early turns are too large for
# the noise. At the first one the curve is four standard errors below zero, although no measurement there is further
# from zero than 5.4 g. But without any noise the dashed line waves almost as much. So the sharp plunge makes the fit
# oscillate, or *ring*, in the quiet stretch before it. **A band tells you what noise can do; it says nothing about
# the bias of the fit.**
#
# Two of the seven turns remain. The trough is 24 standard errors from zero and the rebound five, and ringing does not
# explain the rebound. If all values from 28 ms on are replaced with zero, the fit reaches only 10 g there. Chapter 4
# has a model that comes with a band of its own.
#
# <!-- slide
# The late turns lie within the band of 0. For the early ones exact zeros give waves, too. The trough and the rebound
# remain.
# -->

# %% [markdown] key="crash-band-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask of each panel: is 0 inside the band at the turns? Then settle the bets. Expect that the early turns are called
# real, because the band excludes 0. Point to the dashed line: it was fitted to exact zeros, and it waves.
#
# </details>

# %% key="crash-verify" slide="skip" hide="input"
from scipy.interpolate import make_smoothing_spline

verify("kernel ridge, leave-one-out (g²)", ridge_mse, "531")
verify("window, leave-one-out (g²)", average_mse, "595.94")
verify("its best width (ms)", width, "0.91")
verify("the best polynomial has degree", degree, 15)
for name, quoted in (("kernel ridge", "537"), ("window", "628")):
    verify(f"{name}, nested, median of twenty partitions (g²)", np.median(nested[name]), quoted)

times, counts = np.unique(X, return_counts=True)
verify("28 times were measured more than once", np.sum(counts > 1), 28)
means = np.array([y[X[:, 0] == time].mean() for time in times])
theirs = make_smoothing_spline(times, means, w=counts.astype(float), lam=spline_lam)
verify(
    "kernel ridge with the spline's kernel and a free line is SciPy's smoothing spline",
    spline_smoother(X, spline_lam) @ y,
    theirs(X[:, 0]),
    tol=1e-6,
)
twin = np.flatnonzero(X[:, 0] == times[counts > 1][0])
rest = np.setdiff1d(np.arange(len(y)), twin)
refit = KernelRidge(Gaussian(sigma), lam=lam).fit(X[rest], y[rest])
verify(
    "the block formula equals a refit without that time",
    by_time[twin],
    y[twin] - refit.predict(X[twin]),
    tol=1e-8,
)


def miss_of_the_last(degree, y):
    """The last measurement minus its prediction from the others; y may have a row for each draw."""
    row = -hat(X, degree)[-1]
    row[-1] += 1
    return y @ row / row[-1]


ends = 1 - nested["polynomial inside"] * 131 / (nested["polynomial"] * 133)
verify("over half of the polynomial's error is at the ends, in the median", np.median(ends) > 0.5)
for power, quoted in ((14, "373"), (15, "66"), (16, "726")):
    missed = abs(miss_of_the_last(power, y))
    verify(f"degree {power}: the last measurement is missed by (g)", missed, quoted)
for power, quoted in ((12, "1556"), (13, "1264"), (17, "4260")):
    verify(f"degree {power}: leave-one-out (g²)", loo_of_smoother(hat(X, power), y), quoted)
draws = np.random.default_rng(0).normal(size=(4000, 133))  # the noise again, around the same curve
near = {}
for name, residuals in (("fit", y - final.predict(X)), ("left out", by_time)):
    again = miss_of_the_last(15, final.predict(X) + draws * residuals)
    near[name] = np.mean(np.abs(again) <= abs(miss_of_the_last(15, y)))
verify("degree 15: as near in 5 to 8 % of the draws", all(0.05 < p < 0.08 for p in near.values()))

verify("depth of the trough (g)", curve.min(), "-120")
verify("the trough is at (ms)", t_in[curve.argmin()], "21")
verify("height of the rebound (g)", curve.max(), "40")
verify("the rebound is at (ms)", t_in[curve.argmax()], "32")
verify("effective degrees of freedom", final.effective_df(), "10.4")
verify("turns", len(turns), "7")
quiet = (t_in < 14) | (t_in > 40)
verify("before 14 ms and after 40 ms it stays under 12 g", np.abs(curve[quiet]).max() < 12)
first, second, trough, rebound, *late = np.abs(curve / (noise / 2))[turns]
verify("both early turns are more than two standard errors from 0", min(first, second) > 2)
verify("first turn: four standard errors below 0", (first, curve[turns[0]] < 0), (4, True), tol=0.1)
verify("the late turns are within two standard errors of 0", max(late) < 2)
verify("trough, in standard errors", trough, "24")
verify("rebound, in standard errors", rebound, "5")
early = t_in < 13
verify("waves before 14 ms (g)", (curve[early].min(), curve[early].max()), (-9, 7), tol=0.04)
still = X[:, 0] < 14
verify("measurements before 14 ms (g)", (y[still].min(), y[still].max()), (-5.4, 0.0))
verify("from exact zeros (g)", (ghost[early].min(), ghost[early].max()), (-6, 7), tol=0.08)
verify("no rebound and no noise: it rings to (g)", after.max(), "10")
verify("far outside, the curve is 0", final.predict([[200.0]]), 0.0)

# %% [markdown] key="find-error" slide="slide"
# ## Find the error
#
# A published chapter on this very method comes with the program below. We renamed its functions. Here `gaussian` is
# the kernel matrix and `x_new` a grid; the indentation, lost in our copy of the page, has been restored. The program
# draws three plausible curves, and it is wrong. **Read it before you go on. What does it compute?**
#
# ```python
# def fit(X, y, sigma, lam):
#     K = gaussian(X, X, sigma)
#     return np.linalg.inv(K + lam * np.eye(len(y))) @ y
#
# def predict(X, X_new, alpha, sigma):
#     return gaussian(X_new, X, sigma) @ alpha
#
# x = np.random.uniform(-3, 3, 30)
# y = np.sinc(x) + np.random.normal(scale=0.15, size=30)
# lam = 0.5
# for sigma in (0.2, 0.5, 1.0):
#     alpha = fit(x, y, lam, sigma)
#     plt.plot(x_new, predict(x, x_new, alpha, sigma))
#     plt.title("kernel ridge regression with lam=0.2")
# ```
#
# <!-- slide
# ## Find the error: three plausible curves, and a wrong program
#
# ```python
# def fit(X, y, sigma, lam):
#     K = gaussian(X, X, sigma)
#     return np.linalg.inv(K + lam * np.eye(len(y))) @ y
#
# def predict(X, X_new, alpha, sigma):
#     return gaussian(X_new, X, sigma) @ alpha
#
# x = np.random.uniform(-3, 3, 30)
# y = np.sinc(x) + np.random.normal(scale=0.15, size=30)
# lam = 0.5
# for sigma in (0.2, 0.5, 1.0):
#     alpha = fit(x, y, lam, sigma)
#     plt.plot(x_new, predict(x, x_new, alpha, sigma))
#     plt.title("kernel ridge regression with lam=0.2")
# ```
#
# **What does it compute?**
# -->

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Give them two minutes of silence with the code. Expect the title and np.random without a seed; the
# swapped call is harder to see. Ask what test would have caught it: one with σ ≠ λ.
#
# </details>

# %% [markdown] key="find-error-predict" slide="subslide"
# **Predict first.** The switch below goes from the program *as written* to the repaired one. One of the three panels
# does not change at all. Which one is it, and why could this panel hide the mistake?
#
# <!-- slide
# **After the repair, one of the three curves does not change**
#
# **Predict first.** Which one is it, and why could it hide the mistake?
# -->

# %% [markdown] key="find-error-vote" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask for votes: the left, the middle or the right panel? (The middle one.)
#
# </details>


# %% key="find-error-figure" hide="input"
def as_written(sigma, lam, points):
    K = Gaussian(lam)(sinc.X)  # fit(x, y, lam, sigma): the width is lam ...
    beta = np.linalg.solve(K + sigma * np.eye(30), sinc.y)  # ... and the penalty is sigma
    return Gaussian(sigma)(points, sinc.X) @ beta  # the prediction uses the intended width


def repaired(sigma, lam, points):
    return KernelRidge(Gaussian(sigma), lam=lam).fit(sinc.X, sinc.y).predict(points)


t = np.arange(-3, 3, 0.05)[:, None]
bug = bug_explorer(
    sinc,
    np.sinc,
    {"as written": as_written, "repaired": repaired},
    grid=t,
    sigmas=(0.2, 0.5, 1.0),
    lam=0.5,
)

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What it computes</b> (open this once you have written down your answers)</summary>
#
# The arguments are *swapped*. The function wants `sigma, lam`, and the call gives `lam, sigma`. So the program trains
# with width 0.5 and penalty $\sigma$, then predicts with width $\sigma$. In the middle panel $\sigma=\lambda=0.5$ and
# the swap changes nothing, so a test with this one number passes.
#
# The defence costs three characters. In Python, a `*` in the signature,
# `def fit(X, y, *, sigma, lam)`, makes the arguments keyword-only and turns the swapped call into an immediate error.
#
# </details>
#
# <!-- slide
# **The arguments are swapped, and a `*` makes Python reject the call**
#
# The program trains with width 0.5 and penalty $\sigma$, then predicts with width $\sigma$. For $\sigma=\lambda=0.5$
# the swap changes nothing.
#
# The defence costs three characters: `def fit(X, y, *, sigma, lam)`
# -->

# %% [markdown] key="find-error-more" slide="skip"
# Are the formulas of the page more reliable than its program? Some of them, and of the lectures around it, need a
# correction or a condition:
#
# - “w = (X'X + λI)⁻¹ X y” needs $X^\top y$, and “w = R α” needs $R^\top\alpha$, if the features are in the rows of R.
#   Where the lecture writes the first product out as a double sum, the inner sum carries the index i instead of j.
# - “(K + λI)⁻¹K⁻¹K y” needs $K^{-1}$, which need not exist when points repeat. Step 5 does not need it. A formula with a
#   sum does not “minimise the mean squared error”; with the mean, the system is $K+n\lambda I$.
# - “We take d > n, because the prediction is non-linear” is not a good reason. Degree two in one variable has only
#   three features, and the dual is valid for any d and n.
# - “y = sinc(x)” does not say which sinc. `np.sinc(x)` is $\sin(\pi x)/(\pi x)$, and many books mean $\sin(x)/x$. The
#   title says 0.2, but the program sets `lam = 0.5`. Its samples have no seed, so nobody can draw the figure again.


# %% key="find-error-verify" slide="skip" hide="input"
def rmse(values):
    return np.sqrt(np.mean((values - np.sinc(t[:, 0])) ** 2))


for width_asked, wrong, right in (
    (0.2, "0.313", "0.184"),
    (0.5, "0.086", "0.086"),
    (1.0, "0.271", "0.142"),
):
    said, meant = as_written(width_asked, 0.5, t), repaired(width_asked, 0.5, t)
    verify(f"σ = {width_asked:g}, RMSE against sinc as written", rmse(said), wrong)
    verify(f"σ = {width_asked:g}, RMSE against sinc repaired", rmse(meant), right)
verify("at σ = λ = 0.5 the two programs agree", as_written(0.5, 0.5, t), repaired(0.5, 0.5, t))

X8, y8 = np.random.default_rng(1).normal(size=(8, 3)), np.random.default_rng(2).normal(size=8)
exists = True
try:
    X8 @ y8
except ValueError:
    exists = False
verify("X y does not exist for 8 points with 3 features", not exists)

A = np.linalg.solve(X8.T @ X8 + 0.5 * np.eye(3), np.eye(3))
w8 = A @ X8.T @ y8
verify("Xᵀy gives the minimiser", X8.T @ (y8 - X8 @ w8), 0.5 * w8)
verify("written out, Σ_j A_ij Σ_k y_k x_kj", np.einsum("ij,k,kj->i", A, y8, X8), w8)
mistake = np.einsum("ij,k,ki->i", A, y8, X8)  # x_ki for x_kj
verify("with i for j it is another vector", np.abs(mistake - w8).max() > 0.01)
verify("np.sinc(0.5) is sin(π/2)/(π/2)", np.sinc(0.5), 2 / np.pi)

refused = False
try:
    KernelRidge(Gaussian(1.0), 0.5)  # λ by position
except TypeError:
    refused = True
verify("KernelRidge takes λ by its name only", refused)

# %% [markdown] key="sklearn" slide="slide"
# ## The same in scikit-learn
#
# `sklearn.kernel_ridge.KernelRidge` solves the same system, under other names:
#
# | here | scikit-learn | |
# |---|---|---|
# | $\sigma$ | `gamma` $=1/(2\sigma^2)$ | not $1/\sigma$: its unit is 1/x² |
# | $\lambda$ | `alpha` | next to the sum, as here |
# | $\alpha$ | `dual_coef_` | |
#
# <!-- slide
# ## scikit-learn solves the same system, under other names
#
# | here | scikit-learn | |
# |---|---|---|
# | $\sigma$ | `gamma` $=1/(2\sigma^2)$ | not $1/\sigma$: its unit is 1/x² |
# | $\lambda$ | `alpha` | next to the sum, as here |
# | $\alpha$ | `dual_coef_` | |
# -->

# %% [markdown] key="sklearn-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask for the value of gamma that means σ = 0.5. (2; a likely wrong answer is 4.)
#
# </details>

# %% key="sklearn-verify" slide="skip"
from sklearn.kernel_ridge import KernelRidge as SkKernelRidge

theirs = SkKernelRidge(kernel="rbf", gamma=1 / (2 * 0.5**2), alpha=0.5).fit(sinc.X, sinc.y)
ours = KernelRidge(Gaussian(0.5), lam=0.5).fit(sinc.X, sinc.y)
verify("the coefficients agree", ours.dual_coef_, theirs.dual_coef_)
verify("the predictions agree", ours.predict(t), theirs.predict(t))

# %% [markdown] key="sklearn-traps" slide="subslide"
# Two defaults are traps. First, the default `kernel` is `"linear"`, and for `"rbf"` the default `gamma=None` means
# $1/d$, whatever the scale of your data. Second, there is *no intercept*, unlike in `Ridge`. So the “same” linear
# model gives other predictions:
#
# <!-- slide
# **Two defaults are traps: gamma and the intercept**
#
# - The default `kernel` is `"linear"`, and `gamma=None` means $1/d$, whatever the scale of your data.
# - There is **no intercept**, unlike in `Ridge`.
# -->

# %% [markdown] key="no-intercept" slide="subslide" tags=["later"]
# ### No intercept
#
# How much does the intercept matter? Add 5 to every target. A regression with a free constant would move up by 5
# everywhere. Ours does not. With a Gaussian kernel it still returns zero far away, and near the data it is pulled
# towards zero. There are three cures:
#
# - Subtract $\bar y$ first and add it afterwards.
# - Add `Constant(c)` to the kernel. This constant is penalised, less so for larger $c$.
# - Leave a bias $b$ out of the penalty. This makes a bordered system, known as the least-squares SVM:
#
# $$\begin{pmatrix}K+\lambda I&\mathbf 1\\ \mathbf 1^\top&0\end{pmatrix}\begin{pmatrix}\alpha\\b\end{pmatrix}
# =\begin{pmatrix}y\\0\end{pmatrix}.$$
#
#
# <!-- slide
# **Without an intercept the curve falls back to 0**
#
# Add 5 to every target: where does the fit go? Three cures:
#
# - subtract $\bar y$ first, add it afterwards;
# - add `Constant(c)` to the kernel: a constant that is penalised, less so for larger $c$;
# - leave a bias $b$ out of the penalty, as the least-squares SVM does:
#
# $$\begin{pmatrix}K+\lambda I&\mathbf 1\\ \mathbf 1^\top&0\end{pmatrix}\begin{pmatrix}\alpha\\b\end{pmatrix}
# =\begin{pmatrix}y\\0\end{pmatrix}.$$
# -->

# %% [markdown] key="no-intercept-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask where the plain fit goes at x = 50. (To 0; a likely wrong answer is 5.) Ask which cure needs no new code. (The
# first.)
#
# </details>

# %% key="no-intercept-figure" slide="skip"
y_up = sinc.y + 5
K = Gaussian(0.5)(sinc.X)
ones = np.ones((30, 1))
bordered = np.block([[K + 0.5 * np.eye(30), ones], [ones.T, 0.0]])
solution = np.linalg.solve(bordered, np.append(y_up, 0.0))  # α and, last, b

bare = KernelRidge(Gaussian(0.5), lam=0.5).fit(sinc.X, y_up)
with_constant = KernelRidge(Gaussian(0.5) + Constant(100.0), lam=0.5).fit(sinc.X, y_up)

# %% key="no-intercept-picture" slide="skip" hide="input"
far = np.linspace(-7, 7, 400)[:, None]
fig, ax = plt.subplots()
ax.plot(sinc.X[:, 0], y_up, "o", color="black", markersize=4, label="y + 5")
ax.plot(far, bare.predict(far), label="kernel ridge, as it is", **cycle(1))
ax.plot(
    far,
    Gaussian(0.5)(far, sinc.X) @ solution[:30] + solution[30],
    label="with a free bias b",
    **cycle(0),
)
ax.plot(far, with_constant.predict(far), label="Gaussian + Constant(100)", **cycle(2))
ax.set(xlabel="x", ylabel="y", ylim=(-0.5, 6.6))
ax.legend(loc="center", bbox_to_anchor=(0.5, 0.3))
show(
    fig,
    alt="Sinc samples shifted up by 5, with three fits. Plain kernel ridge regression stays below"
    " the points and falls to 0 outside the data. The fits with a free bias and with a large "
    "constant in the kernel pass through the points and stay near 5 outside.",
)

# %% [markdown] key="no-intercept-reading" slide="skip"
# Outside the data the plain fit falls all the way to zero, and the last two cures stay near 5.

# %% key="no-intercept-verify" slide="skip" hide="input"
from sklearn.linear_model import Ridge

plain = SkKernelRidge(kernel="linear", alpha=1.0).fit(F, progression).predict(F)
verify(
    "linear KernelRidge is Ridge without intercept",
    plain,
    Ridge(alpha=1.0, fit_intercept=False).fit(F, progression).predict(F),
)
gap = np.abs(plain - Ridge(alpha=1.0).fit(F, progression).predict(F)).mean()
print(
    f"with Ridge's default intercept the predictions differ by {gap:.0f} on average "
    f"(mean of y: {progression.mean():.0f})"
)
verify(
    "gamma=None is 1/d: here gamma 0.1, whatever the units",
    SkKernelRidge(kernel="rbf", alpha=1.0).fit(F, progression).predict(F),
    SkKernelRidge(kernel="rbf", gamma=0.1, alpha=1.0).fit(F, progression).predict(F),
)
shifted = KernelRidge(Gaussian(0.5), lam=0.5).fit(sinc.X, sinc.y).predict(sinc.X) + 5
print(
    f"plain fit of y + 5 against fit of y, plus 5: "
    f"up to {np.abs(bare.predict(sinc.X) - shifted).max():.1f} apart on the data"
)
verify("far away, plain kernel ridge is 0", bare.predict([[50.0]]), 0.0)
verify("with a free bias it is b, which is nearer to 5 than to 0", abs(solution[30] - 5) < 0.5)
print(f"b = {solution[30]:.2f}")
verify(
    "a large constant in the kernel comes close to the free bias",
    with_constant.predict(sinc.X),
    K @ solution[:30] + solution[30],
    tol=0.01,
)

# %% [markdown] key="sklearn-pipeline" slide="skip"
# This recipe avoids both traps for the patients. It standardises the features, centres the target, and tunes $\sigma$
# and $\lambda$, all *inside* the folds.

# %% key="sklearn-pipeline-code" slide="skip"
from sklearn.compose import TransformedTargetRegressor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

pipeline = Pipeline([("scale", StandardScaler()), ("ridge", KernelRidge(Gaussian(4.0), lam=10.0))])
centred = TransformedTargetRegressor(pipeline, transformer=StandardScaler(with_std=False))
grid = {
    "regressor__ridge__kernel__sigma": [2, 4, 8, 16],
    "regressor__ridge__lam": [0.1, 1, 10],
}
search = GridSearchCV(centred, grid, cv=5, scoring="neg_mean_squared_error").fit(F, progression)
print(search.best_params_)

# %% [markdown] key="patients" slide="slide" tags=["later"]
# ## Does the Gaussian kernel always help?
#
# What does this recipe gain for the patients? Is their progression a *curved* function of the ten variables, or is a
# plane enough?
#
# <!-- slide
# ## Is the progression of diabetes a curved function?
#
# 442 patients, ten variables. Nested cross-validation, ten folds, twenty random partitions; each method standardises,
# centres and tunes inside the training folds.
#
# **Your bet: does the Gaussian kernel beat the linear one?**
# -->

# %% [markdown] key="patients-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask for a bet, and write the number of votes for each kernel on the board.
#
# </details>

# %% key="patients-picture" slide="skip" hide="input"
fig, axes = plt.subplots(1, 3, figsize=(9.2, 3.1), sharey=True)
for ax, name in zip(axes, ("bmi", "bp", "s5"), strict=True):
    column = F[:, patients.feature_names.index(name)]
    ax.plot(column, progression, "o", color="black", markersize=2.5, alpha=0.5)
    ax.set(xlabel={"bmi": "body mass index", "bp": "blood pressure", "s5": "serum value s5"}[name])
    ax.set_xticks([-0.1, 0, 0.1])
axes[0].set_ylabel("progression (score)")
fig.supxlabel("each feature centred, and scaled to a sum of squares of 1", fontsize=9)
show(
    fig,
    alt="Three scatter plots of disease progression against body mass index, blood pressure and a"
    " serum value, 442 patients each: wide clouds that rise to the right.",
)

# %% [markdown] key="patients-more" slide="subslide"
# The clouds are wide. Nested cross-validation on twenty random partitions decides, and each method standardises,
# centres and tunes inside the training folds.
#
# <!-- slide
# **The Gaussian kernel's gain is within two standard errors**
# -->

# %% key="patients-table" hide="input"
scores = measured("ch03_patients", "gaussian-is-better", "gain-is-noise")
table(
    "Nested mean squared error of the progression score, 442 patients",
    {"method": "", "mean of twenty partitions": ".0f"},
    {name: scores[name].mean() for name in ("mean", "linear", "Gaussian")},
    best={"mean of twenty partitions": "least"},
)
verify(
    "both kernels about halve the error of the mean",
    np.concatenate([scores["linear"] / scores["mean"], scores["Gaussian"] / scores["mean"]]),
    0.5,
    tol=0.02,
)
verify("the gain of the Gaussian kernel", scores["ahead"].mean(), "54")
verify("its standard error, on average", scores["2 s.e."].mean() / 2, "46")

# %% [markdown] key="patients-reading" slide="fragment"
# Both kernels have about half the error of predicting the mean for everyone. The Gaussian kernel has the smaller
# error on all twenty partitions, but these share the same 442 patients, so twenty wins are hardly more than one. We
# therefore compare patient by patient. The squared error falls by 54 on average, with a standard error of 46 (the
# standard deviation of the paired differences, divided by $\sqrt{442}$), so a gain of zero is not excluded. The
# linear model, with its ten readable weights, is the one to publish.
#
# <!-- slide
# Twenty wins out of twenty, but on the same 442 patients: the gain is 54, with a standard error of 46. Publish the
# linear model, with its ten readable weights.
# -->

# %% [markdown] key="patients-table-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask: would you tell a doctor that twenty wins out of twenty prove it? (No: they are twenty looks at the same 442
# patients.)
#
# </details>

# %% [markdown] key="which-lambda-asked" slide="slide"
# ## Which λ?
#
# The `alpha` of scikit-learn is our $\lambda$. Is it also the $\lambda$ of your book? In other criteria, the same
# letter means a different number:
#
# <!-- slide
# ## The same λ means different numbers in different books
# -->

# %% [markdown] key="which-lambda-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Let them fill in the third column before you show it. Ask who has ever copied a λ from a paper.
#
# </details>

# %% [markdown] key="which-lambda"
# | criterion | its system | to get the same $f$ as ours |
# |---|---|---|
# | $\sum_i(y_i-f(x_i))^2+\lambda\lVert f\rVert^2$ (**this course**, scikit-learn's `alpha`) | $K+\lambda I$ | – |
# | $\tfrac12\sum_i(y_i-f(x_i))^2+\tfrac{\lambda}{2}\lVert f\rVert^2$ | $K+\lambda I$ | the same $\lambda$ |
# | $\tfrac1n\sum_i(y_i-f(x_i))^2+\lambda_{\text{mean}}\lVert f\rVert^2$ | $K+n\lambda_{\text{mean}}I$ | $\lambda_{\text{mean}}=\lambda/n$ |
# | $\sum_i(y_i-f(x_i))^2+\tfrac{\lambda_{1/2}}{2}\lVert f\rVert^2$ | $K+\tfrac12\lambda_{1/2}I$ | $\lambda_{1/2}=2\lambda$ |
# | posterior **mean** of a Gaussian process with prior mean 0, the same $k$ and noise variance $\sigma_n^2$ (chapter 4) | $K+\sigma_n^2I$ | $\sigma_n^2=\lambda$ |
#
# <!-- slide
# | criterion | its system | to get the same $f$ as ours |
# |---|---|---|
# | $\sum_i(y_i-f(x_i))^2+\lambda\lVert f\rVert^2$ (**this course**, scikit-learn's `alpha`) | $K+\lambda I$ | <span class="fragment">–</span> |
# | $\tfrac12\sum_i(y_i-f(x_i))^2+\tfrac{\lambda}{2}\lVert f\rVert^2$ | $K+\lambda I$ | <span class="fragment">the same $\lambda$</span> |
# | $\tfrac1n\sum_i(y_i-f(x_i))^2+\lambda_{\text{mean}}\lVert f\rVert^2$ | $K+n\lambda_{\text{mean}}I$ | <span class="fragment">$\lambda_{\text{mean}}=\lambda/n$</span> |
# | $\sum_i(y_i-f(x_i))^2+\tfrac{\lambda_{1/2}}{2}\lVert f\rVert^2$ | $K+\tfrac12\lambda_{1/2}I$ | <span class="fragment">$\lambda_{1/2}=2\lambda$</span> |
# | posterior **mean** of a Gaussian process with prior mean 0, the same $k$ and noise variance $\sigma_n^2$ (chapter 4) | $K+\sigma_n^2I$ | <span class="fragment">$\sigma_n^2=\lambda$</span> |
# -->

# %% key="which-lambda-verify" slide="skip" hide="input"
from scipy.optimize import minimize

K3, target = Gaussian(1.0)(np.array([[0.0], [1.0], [2.5]])), np.array([1.0, -1.0, 0.5])


def fitted(errors_times, penalty_times):
    """The fitted values that minimise errors_times·Σ(y - f)² + penalty_times·‖f‖², numerically."""

    def criterion(a):
        return errors_times * np.sum((target - K3 @ a) ** 2) + penalty_times * a @ K3 @ a

    return K3 @ minimize(criterion, np.zeros(3), tol=1e-12).x


lam = 0.5
dictionary = {  # weight of the errors, weight of the norm, and the system that the table claims
    "sum of squares": (1, lam, lam),
    "½ on both terms": (1 / 2, lam / 2, lam),
    "mean of squares": (1 / 3, lam, 3 * lam),
    "½ on the penalty only": (1, lam / 2, lam / 2),
}
for name, (errors, norm, shift) in dictionary.items():
    claim = f"{name}, λ = {lam:g}: the system is K + {shift:g} I"
    verify(claim, fitted(errors, norm), K3 @ solve_alpha(K3, target, shift), tol=1e-5)
misread = np.abs(K3 @ (solve_alpha(K3, target, 3 * lam) - solve_alpha(K3, target, lam))).max()
verify("reading the mean's λ as the sum's moves the fit by", misread, "0.22")

# %% [markdown] key="which-lambda-reading" slide="fragment"
# If you use a $\lambda$ of the mean in the criterion with the sum, the penalty is wrong by a factor $n$. Whenever you
# copy a $\lambda$, copy its criterion with it.
#
# <!-- slide
# **Copy no $\lambda$ without its criterion:** a $\lambda$ of the mean, used with the sum, is wrong by a factor $n$.
# -->

# %% [markdown] key="cost" slide="slide"
# ## What it costs, and where it ends
#
# | step | work | memory |
# |---|---|---|
# | Gram matrix | $O(n^2d)$ | $n^2$ numbers |
# | factor of $K+\lambda I$ | $n^3/3$ | in the same place |
# | solve for $\alpha$ | $2n^2$ | |
# | predict $q$ points | $O(nqd)$ | $nq$ numbers |
#
# The figure shows times measured on one thread of one computer.
#
# <!-- slide
# ## The factor costs most, and memory runs out first
#
# | step | work | memory |
# |---|---|---|
# | Gram matrix | $O(n^2d)$ | $n^2$ numbers |
# | factor of $K+\lambda I$ | $n^3/3$ | in the same place |
# | solve for $\alpha$ | $2n^2$ | |
# | predict $q$ points | $O(nqd)$ | $nq$ numbers |
#
# $n=100\,000$ points make a matrix of 80 gigabytes.
# -->

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask how much memory 40 000 points need, and whether the matrix would fit into their laptop. (12.8 gigabytes; for
# most it would not.)
#
# </details>

# %% key="cost-figure" hide="input"
n_cost, *columns = measured("ch03_cost").values()
cost = dict(zip(("Gram matrix", "factor", "solve", "predict 500"), columns, strict=True))
big = n_cost >= 1000  # the slope of log time against log n, where n is large, is the exponent
slopes = {k: np.polyfit(np.log(n_cost[big]), np.log(v[big]), 1)[0] for k, v in cost.items()}

# %% key="cost-picture" slide="skip" hide="input"
fig, ax = plt.subplots()
for i, (name, seconds) in enumerate(cost.items()):
    ax.plot(
        n_cost,
        1e3 * seconds,
        label=f"{name}: grows like n^{slopes[name]:.1f}",
        **cycle(i),
        marker="o",
        markersize=4,
    )
ax.set(xscale="log", yscale="log", xlabel="number of points n", ylabel="time (ms)")
ax.set_xticks([500, 1000, 2000, 4000], ["500", "1000", "2000", "4000"])
ax.minorticks_off()
ax.legend()
show(
    fig,
    alt="Measured times in milliseconds against the number of points, 500 to 4000, on logarithmic"
    " axes, for four steps. The factorisation is the steepest line and the most expensive "
    "step from 707 points on; the Gram matrix and the solve grow about like the square, "
    "prediction of 500 points about like n.",
)

# %% [markdown] key="cost-reading" slide="skip"
# For large $n$ the factorisation is the most expensive step, and its line is the steepest. Memory runs out even
# sooner than patience, because $n=100\,000$ points make a matrix of 80 gigabytes. Kernel ridge regression as it
# stands is a method for up to about ten thousand points.
#
# Chapter 10 goes further. It keeps only $m\ll n$ functions $k(t_j,\cdot)$ in (6), chosen from the data (Nyström), or
# it replaces $\varphi$ by a few hundred random features. Then the primal is cheap again, in $O(nm^2)$ time.

# %% [markdown] key="limits" slide="skip"
# When should you not use it at all? With few features and a linear relationship, use the primal, whose weights can be
# read. With gross outliers, use another loss (chapter 6b), because a squared error chases them. And when you
# extrapolate, remember that with a Gaussian kernel $f$ returns to zero.

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - The best function is a combination of $n$ sections $k(x_i,\cdot)$ *because* anything orthogonal to them is
#   invisible at the data and costs norm.
# - $\alpha$ is the residual divided by $\lambda$, so with continuous noise no coefficient is zero. If points repeat,
#   $f$ is unique and $\alpha$ is not.
# - $\lambda$ is a low-pass filter on the eigendirections of $K$. The sum of its factors is the effective number of
#   parameters.
# - One Cholesky factor gives the fit, its degrees of freedom and all $n$ leave-one-out residuals.
# - $\sigma$ and $\lambda$ trade against each other along a valley, so tune them together. Judge the tuned recipe on
#   data that had no part in it.
# - Copy no $\lambda$ without its criterion, no $\sigma$ without its exponent, and no call without its keywords.
#
# And the helmet? Of its 15 turns two are left that noise and bias cannot explain, the trough and the rebound. On
# times that were left out the error fell from 628 g² to 537 g². How uncertain is the curve? That is the question of
# chapter 4.
#
# <!-- slide
# ## Recap: two of the 15 turns are real
#
# - What is orthogonal to the $n$ sections $k(x_i,\cdot)$ is invisible at the data and costs norm: the best $f$ has
#   none.
# - $\alpha$ is the residual divided by $\lambda$. It is not unique when points repeat; $f$ is.
# - $\lambda$ is a low-pass filter. The sum of its factors is the effective number of parameters.
# - One Cholesky factor gives the fit, its df and all $n$ leave-one-out residuals.
# - Tune $\sigma$ and $\lambda$ together, and judge the tuned recipe on data that had no part in it.
# - On times left out the error fell from 628 g² to 537 g².
# -->

# %% [markdown] key="quiz" slide="slide"
# ## Five questions
#
# <details><summary>1. You double every y. What happens to α, to f, to df, to the best λ?</summary>
#
# α and f double, because both are linear in y. df does not contain y, so it stays. All leave-one-out residuals
# double, so their ranking over λ, and with it the best λ, stays.
# </details>
#
# <details><summary>2. You replace the kernel k by 4k. Which λ gives the same f as before?</summary>
#
# $4\lambda$. Then $(4K+4\lambda I)^{-1}y=\alpha/4$, and $f=\sum_i(\alpha_i/4)\cdot4k(x,x_i)$ is the old one.
# </details>
#
# <details><summary>3. Why can the leave-one-out residual of a point never be smaller in size than its training residual?</summary>
#
# By (12) it is divided by $1-H_{ii}$, and $0\le H_{ii}<1$ because the eigenvalues of $H$ lie in $[0,1)$.
# </details>
#
# <details><summary>4. 2000 genes, 60 patients, a linear kernel. Primal or dual? And with 20 genes and 50 000 patients?</summary>
#
# The dual first, because it has fewer unknowns. Then the primal; the Gram matrix of so many patients would take 20
# gigabytes.
# </details>
#
# <details><summary>5. Somebody reports σ = 3 as optimal, with exp(−‖x−z‖²/σ²). What is it in this course's convention?</summary>
#
# $\sigma/\sqrt2\approx2.12$, because the exponent there lacks the two.
# </details>

# %% [markdown] key="quiz-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask each question with a show of hands before the click. For question 1, expect that df doubles; for question 2, λ/4.
#
# </details>

# %% key="quiz-verify" slide="skip" hide="input"
others = np.maximum(cost["Gram matrix"], cost["solve"])
later = n_cost >= 707
verify("the factorisation is the steepest of the four", slopes["factor"] == max(slopes.values()))
verify("from n = 707 on it takes longest", np.all(cost["factor"][later] > others[later]))
verify("a Gram matrix of 100 000 points takes 80 gigabytes", 100_000**2 * 8 / 1e9, 80.0)
verify("a Gram matrix of 40 000 points (gigabytes)", 40_000**2 * 8 / 1e9, "12.8")
doubled = loo_path(K, 2 * sinc.y, lams)
verify(
    "question 1: the best λ does not depend on the scale of y",
    doubled.best_lam == loo_path(K, sinc.y, lams).best_lam,
)
before = KernelRidge(Gaussian(0.5), lam=0.5).fit(sinc.X, sinc.y)
after_4k = KernelRidge(4 * Gaussian(0.5), lam=2.0).fit(sinc.X, sinc.y)
verify("question 2: 4k with 4λ is the same f", after_4k.predict(t), before.predict(t))
verify("question 4: 50 000 patients, 20 gigabytes", 50_000**2 * 8 / 1e9, 20.0)
verify("question 5: 3/√2", 3 / np.sqrt(2), "2.12")

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are
# told which one. *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch03_ridge")

# %% [markdown] key="references" slide="skip" numbers="free"
# ## Further reading
#
# - The sources: IFT6266, *Modèles à noyau*, Université de Montréal; J. Vales Alonso, *Máquinas de vector soporte*,
#   Universidad Politécnica de Cartagena; *Régression ridge à noyau*, chapter 20 of an online course, with the program
#   of “Find the error”.
# - C. E. Rasmussen and C. K. I. Williams, *Gaussian Processes for Machine Learning* (2006), chapter 6.
# - T. Hastie, R. Tibshirani and J. Friedman, *The Elements of Statistical Learning* (2009), chapters 5 and 7.
# - B. Schölkopf, R. Herbrich and A. Smola (2001), *A generalized representer theorem*.
# - C. Saunders, A. Gammerman and V. Vovk (1998), *Ridge regression learning algorithm in dual variables*.
# - Data: B. W. Silverman (1985), *Some aspects of the spline smoothing approach to non-parametric regression curve
#   fitting*; B. Efron and others (2004), *Least angle regression*.
#
# Now you: [the exercises of this chapter](../exercises/ch03_ridge_sheet.ipynb), seven functions from one line to a
# small piece of real work, and one derivation on paper. Back to [the start](00_start_here.ipynb).
