# %% [markdown] key="title" slide="slide"
# # Kernel ridge regression
#
# One matrix, one vector, one linear system: with these three a computer learns a curve that nobody
# wrote down a formula for. This chapter derives the system three times, solves it well, tunes it
# honestly, and says where it ends.

# %% key="imports" slide="skip" hide="input"
import numpy as np
import matplotlib.pyplot as plt
from scipy.linalg import cho_factor, cho_solve

from kcourse import Constant, Gaussian, KernelRidge, Linear, Polynomial, loo_path
from kcourse.datasets import load_diabetes, load_mcycle, make_sinc
from kcourse.lab import cycle, show, table, use_style, verify
from kcourse.chapters.ch03_ridge.figures import bug_explorer, cost_explorer, smoothing_explorer

use_style()

# %% [markdown] key="question" slide="slide"
# ## A crash, in 133 measurements
#
# Chapter 1 left a helmet, 133 accelerations of a head in a simulated crash, and a curve through them: the moving average
# $\sum_ik(x,x_i)\,y_i\big/\sum_jk(x,x_j)$, with the width that predicts left-out measurements best. It errs by 596 g², and
# it turns 15 times. **Which of these turns are real, and is there a better curve?**

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
ax.plot(t, chapter_1, **cycle(1), label="moving average, σ = 0.91 ms")
ax.plot(t[turns], chapter_1[turns], "s", color="black", mfc="white", markersize=6, label="turns")
ax.set(xlabel="time after impact (ms)", ylabel="head acceleration (g)")
ax.legend(loc="lower right")
show(
    fig,
    alt="Scatter plot of 133 head accelerations in g against time after impact in milliseconds: "
    "flat near 0 until 14 ms, a plunge to -134 g near 21 ms, a rebound to about +70 g "
    "near 32 ms, then back to 0. The scatter is small before the plunge and large after it. A "
    "moving average follows the dots; its 15 turns are marked, most of them after 30 ms.",
)
verify("turns of the moving average", len(turns), "15")

# %% [markdown] key="question-reading"
# The moving average takes the kernel's weights and the measurements as they come, and divides. This chapter keeps the sum
# $\sum_i\alpha_ik(x,x_i)$ and *solves* for its coefficients, so that the curve is the best of a whole space. We ask what
# that wins over 596 g², against which rivals, and which turns remain.
#
# <!-- slide
# The moving average takes weights and measurements as they come. What if we **solve** for the coefficients of $\sum_i\alpha_ik(x,x_i)$?
# -->

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Take out the curves of chapter 1, or let everyone draw one, and count its turns. Ask for a bet: how many of the 15 will
# a better method keep? Write the bets on the board; they are settled in *Back to the crash*.
#
# </details>

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# 1. derive $\alpha=(K+\lambda I)^{-1}y$ in three ways, and say which hypothesis each one uses;
# 2. fit and predict in ten lines, and choose $\sigma$ and $\lambda$ by exact leave-one-out;
# 3. read the effective degrees of freedom and the norm $\|f\|^2$ of a fit;
# 4. choose between $n$ dual and $D$ primal unknowns, and solve either without ever calling `inv`;
# 5. translate $\lambda$ and $\sigma$ between books, lectures and scikit-learn.
#
# **You need** matrix calculus (the gradient of $w^\top A w$), eigenvalues of a symmetric matrix, and from
# chapter 2 that a kernel is *positive semi-definite* if no Gram matrix of it has a negative eigenvalue. **Reading:** two to three hours, with a pencil.
# **Lecture:** two 45-minute lectures. **Exercises:** two to three hours,
# [in the sheet](../exercises/ch03_ridge_sheet.ipynb).
#
# <!-- slide
# **After this chapter you can**
#
# 1. derive $\alpha=(K+\lambda I)^{-1}y$ in three ways, and say which hypothesis each one uses;
# 2. fit and predict in ten lines, and choose $\sigma$ and $\lambda$ by exact leave-one-out;
# 3. read the effective degrees of freedom and the norm $\|f\|^2$ of a fit;
# 4. choose between $n$ dual and $D$ primal unknowns, and solve either without ever calling `inv`;
# 5. translate $\lambda$ and $\sigma$ between books, lectures and scikit-learn.
# -->

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# What must not be left out: one way to α, the norm, leave-one-out, and the honest table of the crash.
#
# Can be skipped: Two points, by hand; A whole path for the price of one; Primal or dual?; No intercept.
#
# </details>

# %% [markdown] key="notation" slide="subslide"
# **Notation.** $n$ points $x_i\in\mathbb R^d$ with targets $y_i\in\mathbb R$, stacked in $y\in\mathbb R^n$; a feature
# map $\varphi$ with values in $\mathbb R^D$ (or in a space of infinite dimension), and the $n\times D$ matrix $\Phi$
# whose row $i$ is $\varphi(x_i)^\top$; the kernel $k(x,z)=\varphi(x)^\top\varphi(z)$ and its Gram matrix
# $K=\Phi\Phi^\top$, $K_{ij}=k(x_i,x_j)$. What makes kernels worth while is that $k$ often costs about $d$ operations
# where $\varphi$ would cost $D$. The Gaussian kernel is always
# $k(x,z)=\exp\!\big(-\|x-z\|^2/(2\sigma^2)\big)$, and $\lambda>0$ always stands beside the **sum** of squared errors.
#
# <!-- slide
# **Notation**
#
# - $n$ points $x_i\in\mathbb R^d$, targets $y\in\mathbb R^n$
# - feature map $\varphi$ into $\mathbb R^D$; the rows of $\Phi$ are $\varphi(x_i)^\top$
# - kernel $k(x,z)=\varphi(x)^\top\varphi(z)$, Gram matrix $K=\Phi\Phi^\top$
# - Gaussian kernel $k(x,z)=\exp\big(-\|x-z\|^2/(2\sigma^2)\big)$
# - $\lambda>0$ stands beside the **sum** of squared errors
# -->

# %% [markdown] key="primal" slide="slide"
# ## Ridge regression, the primal
#
# Start where a linear model starts. It predicts $f(x)=w^\top\varphi(x)$, and ridge regression chooses the
# $w\in\mathbb R^D$ that minimises
#
# $$J(w)=\underbrace{\sum_{i=1}^n\big(y_i-w^\top\varphi(x_i)\big)^2}_{\text{errors}}
# +\;\lambda\underbrace{w^\top w}_{\text{price of large weights}}
# =\|y-\Phi w\|^2+\lambda\|w\|^2 .$$

# %% [markdown] key="primal-gradient" slide="fragment"
# **Step 1.** The gradient is $\nabla J(w)=-2\Phi^\top(y-\Phi w)+2\lambda w$. It vanishes where
#
# $$(\Phi^\top\Phi+\lambda I)\,w=\Phi^\top y. \tag{1}$$
#
# $\Phi^\top\Phi$ is positive semi-definite, so adding $\lambda I$ lifts every eigenvalue to at least
# $\lambda>0$: the matrix is invertible, whatever the data. $J$ is strictly convex, so this stationary point
# is *the* minimiser.

# %% key="primal-verify" slide="skip"
rng = np.random.default_rng(3)
n, D, lam = 8, 20, 0.7  # more features than points, on purpose
Phi, y = rng.normal(size=(n, D)), rng.normal(size=n)

w = np.linalg.solve(Phi.T @ Phi + lam * np.eye(D), Phi.T @ y)
verify("the gradient of J vanishes at w", -2 * Phi.T @ (y - Phi @ w) + 2 * lam * w, 0.0)

# %% key="primal-minimum" slide="skip" hide="input"
def J(w):
    return np.sum((y - Phi @ w) ** 2) + lam * w @ w


verify(
    "no small step away from w lowers J",
    all(J(w + 1e-3 * rng.normal(size=D)) > J(w) for _ in range(100)),
)

# %% [markdown] key="primal-trouble" slide="fragment"
# That is a system of $D$ equations. With the features of a Gaussian kernel it has infinitely many unknowns. Yet only $n$
# numbers were measured: should not $n$ unknowns be enough?

# %% [markdown] key="primal-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Write (1) on the board and leave it there. Ask: what are the sizes of Φ, ΦᵀΦ, ΦΦᵀ when n = 8 and D = 20?
# ΦΦᵀ is the small one. That is the chapter.
#
# </details>

# %% [markdown] key="three-ways" slide="slide"
# ## Three ways to the same α
#
# Yes, $n$ unknowns are enough. There are numbers $\alpha_1,\dots,\alpha_n$ with
#
# $$w=\Phi^\top\alpha=\sum_{i=1}^n\alpha_i\,\varphi(x_i),\qquad \boxed{\;\alpha=(K+\lambda I)^{-1}y\;}$$
#
# and each of the three derivations below shows a different reason: an identity of matrices, a criterion in
# $\alpha$, and the geometry of the feature space. The last one needs no matrix $\Phi$ at all, so it
# survives infinite dimension.

# %% [markdown] key="way-1" slide="subslide"
# ### First way: push-through
#
# **Step 2.** *Why one would think of it:* (1) rewritten is $\lambda w=\Phi^\top(y-\Phi w)$, so
#
# $$w=\Phi^\top\alpha\quad\text{with}\quad\alpha=\tfrac1\lambda\,(y-\Phi w). \tag{2}$$
#
# The best $w$ is **always** a combination of the rows $\varphi(x_i)$, and $\alpha_i$ is nothing but the
# residual of point $i$, divided by $\lambda$. One lecture concludes the first from (1) by a bare “so”; the residual in (2)
# is its reason.

# %% [markdown] key="way-1-identity" slide="subslide"
# **Step 3.** To get $\alpha$ without $w$, push $\Phi^\top$ through the inverse:
#
# $$(\Phi^\top\Phi+\lambda I_D)\,\Phi^\top=\Phi^\top\Phi\Phi^\top+\lambda\Phi^\top=\Phi^\top(\Phi\Phi^\top+\lambda I_n).$$
#
# Both brackets are invertible; multiply by one inverse from the left and by the other from the right:
#
# $$(\Phi^\top\Phi+\lambda I_D)^{-1}\Phi^\top=\Phi^\top(\Phi\Phi^\top+\lambda I_n)^{-1}. \tag{3}$$
#
# Applied to $y$, the left side is $w$, and the right side is $\Phi^\top\alpha$ with
# $\alpha=(K+\lambda I)^{-1}y$. The $D\times D$ system has become an $n\times n$ one, and $\varphi$ occurs only
# in the inner products $K=\Phi\Phi^\top$.

# %% [markdown] key="way-1-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Write the identity on the board and multiply it out from both sides. Ask for the sizes of the two inverses before (3) stands there: D × D on the
# left, n × n on the right. Which of them would you rather solve with, for 442 patients and ten measurements?
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
# ### Second way: a criterion in α
#
# **Step 4.** Knowing that $w=\Phi^\top\alpha$, put it into $J$. Because $\Phi w=\Phi\Phi^\top\alpha=K\alpha$ and
# $w^\top w=\alpha^\top\Phi\Phi^\top\alpha=\alpha^\top K\alpha$,
#
# $$J(\alpha)=\|y-K\alpha\|^2+\lambda\,\alpha^\top K\alpha
# =\sum_i\Big(y_i-\sum_j\alpha_j k(x_j,x_i)\Big)^2+\lambda\sum_{i,j}\alpha_i\alpha_j k(x_i,x_j),$$
#
# $n$ unknowns, and every inner product a kernel value. With $K=K^\top$ the gradient is
#
# $$\nabla J(\alpha)=-2Ky+2KK\alpha+2\lambda K\alpha=-2K\big(y-(K+\lambda I)\alpha\big). \tag{4}$$


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
verify("J(α) and J(w) have the same least value", J_dual(alpha), J(w))

# %% [markdown] key="way-2-solve" slide="subslide"
# **Step 5.** It is *enough* that the bracket in (4) vanishes: $(K+\lambda I)\alpha=y$. For $J$ is convex, its Hessian
# $2K(K+\lambda I)$ being positive semi-definite, so a zero of the gradient is a minimum. It is tempting to write
# $(KK+\lambda K)^{-1}Ky$ instead, and to cancel with $K^{-1}$. But $K^{-1}$ need not exist: measure twice at the same
# $x$, and $K$ has two equal rows. Because $KK+\lambda K=K(K+\lambda I)$, nothing but $K+\lambda I$ has to be solved with.
#
# <!-- slide
# **Step 5.** It is *enough* that the bracket in (4) vanishes: $(K+\lambda I)\alpha=y$. For $J$ is convex, so a zero of the
# gradient is a minimum.
#
# It is tempting to write $(KK+\lambda K)^{-1}Ky$ and to cancel with $K^{-1}$. **Does $K^{-1}$ exist** when the same $x$ was
# measured twice?
# -->

# %% [markdown] key="way-2-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask before the click; the crash has 28 such times. Why is the Hessian positive semi-definite? (K and K + λI commute and have no negative
# eigenvalue.)
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
verify("with a repeated point K is singular, of rank 2", np.linalg.matrix_rank(K2) == 2)
verify("(K + λI)⁻¹y makes the gradient vanish all the same", gradient(a2), 0.0)
verify("α + 7·(1, -1, 0) makes it vanish too", gradient(a2 + 7 * silent), 0.0)

# %% [markdown] key="way-2-reading" slide="fragment"
# So when $K$ is singular many $\alpha$ are optimal: all $(K+\lambda I)^{-1}y+u$ with $Ku=0$. But
# $\big\|\sum_i u_ik(x_i,\cdot)\big\|^2=u^\top Ku=0$ (the norm of equation (8) below), so they all describe **one**
# function $f$. The formula $\alpha=(K+\lambda I)^{-1}y$ picks one of them.
#
# <!-- slide
# No: two rows of $K$ are equal. Then many $\alpha$ are optimal, all $(K+\lambda I)^{-1}y+u$ with $Ku=0$. But
# $\big\|\sum_iu_ik(x_i,\cdot)\big\|^2=u^\top Ku=0$: they describe **one** function $f$.
# -->

# %% key="way-2-same-function" slide="skip" hide="input"
anywhere = Gaussian(sigma=1.0)(np.linspace(-3, 4, 50)[:, None], x_twice)
verify(
    "both α are the same function, at 50 other points too",
    anywhere @ (a2 + 7 * silent),
    anywhere @ a2,
)

# %% [markdown] key="way-3" slide="subslide"
# ### Third way: the representer theorem
#
# **Step 6.** Now without any matrix $\Phi$. Let $\mathcal H$ be the space of functions that the kernel
# generates (its *reproducing kernel Hilbert space*, RKHS; chapter 9 builds it). All that is needed of it
# today is that every section $k(x,\cdot)$ is in it, and that evaluation is an inner product:
#
# $$f(x)=\langle f,\,k(x,\cdot)\rangle\quad\text{for every }f\in\mathcal H. \tag{5}$$
#
# We look for the minimiser over all of $\mathcal H$ of $\;\sum_i(y_i-f(x_i))^2+\lambda\|f\|^2$.

# %% [markdown] key="way-3-proof" slide="subslide"
# **Step 7.** Split $f=f_\parallel+v$, with $f_\parallel=\sum_j\alpha_j k(x_j,\cdot)$ in the span of the $n$
# sections $k(x_j,\cdot)$ (a space of finite dimension, so the projection exists) and $v$ orthogonal to all of them. By (5), $v(x_i)=\langle v,k(x_i,\cdot)\rangle=0$:
# **$v$ cannot be seen at the data.** The errors are those of $f_\parallel$. But by Pythagoras
# $\|f\|^2=\|f_\parallel\|^2+\|v\|^2$: $v$ costs. So the best $f$ has $v=0$, that is
#
# $$f=\sum_{j=1}^n\alpha_j\,k(x_j,\cdot). \tag{6}$$
#
# This is the *representer theorem* (in French *théorème du représentant*). Its only hypotheses: the errors depend on
# $f$ through the values $f(x_i)$, and the penalty increases **strictly** with $\|f\|$. That a minimiser exists is not
# part of it; here $J(\alpha)$ has one. With (6), $\|f\|^2=\alpha^\top K\alpha$ and the values at the data are $K\alpha$:
# we are back at $J(\alpha)$, this time in any dimension. The two prices agree as well: $\|f\|$ is the least $\|w\|$
# among all $w$ with $f=w^\top\varphi$, and $\Phi^\top\alpha$ attains it. For if $w=\Phi^\top\alpha+u$ gives the same $f$, then
# $u^\top\varphi(x)=0$ for all $x$, so $u$ is orthogonal to $\Phi^\top\alpha$, and $\|w\|^2=\|\Phi^\top\alpha\|^2+\|u\|^2$.
#
# <!-- slide
# **Step 7.** Split $f=f_\parallel+v$: $f_\parallel=\sum_j\alpha_jk(x_j,\cdot)$ in the span of the $n$ sections, $v$ orthogonal to
# all of them.
#
# - By (5), $v(x_i)=\langle v,k(x_i,\cdot)\rangle=0$: **$v$ cannot be seen at the data.**
# - By Pythagoras, $\|f\|^2=\|f_\parallel\|^2+\|v\|^2$: **$v$ costs.**
#
# So the best $f$ has $v=0$:
#
# $$f=\sum_{j=1}^n\alpha_j\,k(x_j,\cdot). \tag{6}$$
#
# This is the *representer theorem*. Its only hypotheses: the errors depend on $f$ through the values $f(x_i)$, and the penalty
# increases **strictly** with $\|f\|$.
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
# Draw the plane of the sections and v upright on it. Then let the room choose which of the three ways they find most convincing, and ask a defender of each: which
# hypothesis did you use? (Push-through: a finite Φ. The criterion: that w = Φᵀα, borrowed from the first way.
# The representer theorem: only the inner product.) Then ask: which of them survives another loss? Push-through
# dies; (2) lives as long as the loss has a derivative; the theorem needs none. That is how chapter 6 starts.
#
# </details>

# %% [markdown] key="predictor" slide="slide"
# ## The predictor
#
# With $k(x)=\big(k(x,x_1),\dots,k(x,x_n)\big)^\top$, equation (6) says
#
# $$f(x)=\sum_{i=1}^n\alpha_i\,k(x,x_i)=k(x)^\top(K+\lambda I)^{-1}y. \tag{7}$$
#
# No $w$, no $\varphi$: *kernel ridge regression*, all of it, written for reading:


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
# **Two points, by hand.** Take $x=0,1$ with $y=(1,-1)$, $\sigma=1$, $\lambda=\tfrac12$, and write
# $c=k(0,1)=e^{-1/2}$. The system is
#
# $$\begin{pmatrix}1+\lambda&c\\c&1+\lambda\end{pmatrix}\begin{pmatrix}\alpha_1\\\alpha_2\end{pmatrix}
# =\begin{pmatrix}1\\-1\end{pmatrix},$$
#
# and by symmetry $\alpha_2=-\alpha_1$, so $\alpha_1=1/(1+\lambda-c)\approx 1.119$, and
# $f(0)=\alpha_1(1-c)\approx 0.440$. The measured value was 1: the penalty pulls $f$ more than halfway back to 0. The
# functions above agree:

# %% key="two-points-verify"
x2, y2 = np.array([[0.0], [1.0]]), np.array([1.0, -1.0])
a = solve_alpha(kernel_slow(x2, x2, sigma=1.0), y2, lam=0.5)
f0 = predict_at(kernel_slow(x2[:1], x2, sigma=1.0), a)[0]
print(f"α = ({a[0]:.3f}, {a[1]:.3f}),  f(0) = {f0:.3f}")

# %% key="two-points-more" slide="skip" hide="input"
c = np.exp(-0.5)
verify("the code finds α = ±1/(1 + λ - c)", a, [1 / (1.5 - c), -1 / (1.5 - c)])
verify("α₁", a[0], "1.119")
verify("f(0) = α₁(1 - c)", f0, "0.440")

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

# %% [markdown] key="sinc" slide="slide"
# ## A curve whose truth is known
#
# Real data never tell how far off a fit is. So from here on a second data set runs along, made by us: 30 points $x$ drawn at
# random between $-3$ and $3$, the curve $\operatorname{sinc}x=\sin(\pi x)/(\pi x)$, and on each value noise of standard
# deviation 0.15. The method sees the dots; only we see the curve.

# %% key="sinc-data"
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

# %% [markdown] key="sinc-reading"
# The fit finds the peak and stays a little below its top: that is the penalty at work. Both numbers, $\sigma$ and $\lambda$, were
# chosen by nobody yet. How to choose them is the question of the next sections.
#
# <!-- slide
# The fit stays a little below the top: that is the penalty at work. **Who chooses σ and λ?**
# -->

# %% [markdown] key="never-sparse" slide="subslide"
# **A reading of α.** By (2), $\alpha_i=(y_i-f(x_i))/\lambda$. Noise that has a density leaves no residual at
# exactly 0, but for a coincidence of probability 0, so no $\alpha_i$ is 0: *every* training point takes part in *every* prediction. The
# model we began with was *parametric*: $D$ weights, after which the data could be thrown away. Its dual is
# *non-parametric*: it keeps the data, and its size grows with them. Sparse kernel machines exist (chapter 6), but they have to pay with another loss.

# %% key="never-sparse-verify" slide="skip" hide="input"
for lam_try in (1e-6, 0.5, 1000.0):
    model = KernelRidge(Gaussian(0.5), lam=lam_try).fit(sinc.X, sinc.y)
    verify(f"λ = {lam_try:g}: no coefficient is 0", np.all(model.dual_coef_ != 0))
left = sinc.y - model.predict(sinc.X)
verify("λ = 1000: α is the residual over λ", model.dual_coef_, left / 1000.0)

# %% [markdown] key="norm" slide="slide"
# ## The norm that is paid
#
# What does the penalty penalise? Expand (6) with (5):
#
# $$\|f\|^2=\Big\langle\sum_i\alpha_i k(x_i,\cdot),\sum_j\alpha_j k(x_j,\cdot)\Big\rangle
# =\sum_{i,j}\alpha_i\alpha_j\,k(x_i,x_j)=\alpha^\top K\alpha. \tag{8}$$
#
# It is a price for roughness, because two inputs with similar sections $k(x,\cdot)$ cannot have very different
# values. By Cauchy–Schwarz
#
# $$|f(x)-f(z)|=|\langle f,\,k(x,\cdot)-k(z,\cdot)\rangle|\le\|f\|\,\sqrt{k(x,x)-2k(x,z)+k(z,z)}. \tag{9}$$
#
# A small norm means that $f$ changes slowly *in the kernel's own measure of distance*.

# %% key="norm-verify" slide="skip"
model = KernelRidge(Gaussian(0.5), lam=0.5).fit(sinc.X, sinc.y)
K = Gaussian(0.5)(sinc.X)
verify("‖f‖² is αᵀKα", model.norm2_, model.dual_coef_ @ K @ model.dual_coef_)

# %% key="norm-bound" slide="skip" hide="input"
grid = np.linspace(-3, 3, 201)[:, None]
f_grid, k_grid = model.predict(grid), Gaussian(0.5)(grid)
change = np.abs(f_grid[:, None] - f_grid[None, :])
allowed = np.sqrt(model.norm2_) * np.sqrt(np.clip(2 - 2 * k_grid, 0, None))
verify("(9) holds for all pairs of 201 grid points", np.all(change <= allowed + 1e-9))

norms = [
    KernelRidge(Gaussian(0.5), lam=v).fit(sinc.X, sinc.y).norm2_ for v in (0.01, 0.1, 1.0, 10.0)
]
verify("the stronger the penalty, the smaller the norm", np.all(np.diff(norms) < 0))

# %% [markdown] key="norm-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask: can f be small everywhere and still be expensive? (Yes: a ripple of tiny amplitude and tiny wavelength.) Have
# them find it in (9): fix the left side, let z approach x, and the root on the right goes to 0.
#
# </details>

# %% [markdown] key="which-lambda-asked" slide="slide"
# ## Which λ?
#
# This method invites a mistake that is not one of mathematics but of convention. The same letter
# means different numbers:

# %% [markdown] key="which-lambda-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
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
# That is the price of not looking: with three points, taking the mean's $\lambda$ for the sum's moves the fit by
# 0.22, and with $n$ points the penalty is wrong by a factor $n$. Whenever you copy a $\lambda$, copy its
# criterion with it.
#
# <!-- slide
# Reading the mean's $\lambda$ as the sum's is wrong by a factor $n$. **Copy no $\lambda$ without its criterion.**
# -->

# %% [markdown] key="df" slide="slide"
# ## Effective degrees of freedom
#
# The fitted values are linear in $y$: $\hat y=K\alpha=Hy$ with $H=K(K+\lambda I)^{-1}$. In the eigenbasis
# $K=Q\,\mathrm{diag}(\mu_1,\dots,\mu_n)\,Q^\top$,
#
# $$H=Q\,\mathrm{diag}\Big(\frac{\mu_j}{\mu_j+\lambda}\Big)Q^\top. \tag{10}$$
#
# Each eigendirection of the data is multiplied by a factor between 0 and 1. Directions with $\mu_j\gg\lambda$
# pass; those with $\mu_j\ll\lambda$ are erased. Counting the factors gives
#
# $$\mathrm{df}(\lambda)=\operatorname{tr}H=\sum_j\frac{\mu_j}{\mu_j+\lambda}\in[0,n), \tag{11}$$
#
# called the *effective degrees of freedom*. The name is earned: for least squares on $p$ independent columns $H$ is a
# projection, and its trace is $p$, the number of parameters.

# %% [markdown] key="df-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Before showing the figure ask: thirty points, thirty coefficients, a feature space of infinite dimension – how
# many parameters does this model have? Collect answers, then show it. Draw a low-pass filter beside it: λ is the
# cut-off.
#
# </details>

# %% key="df-figure" slide="skip"
# eigenvalues for the sinc data and σ = 0.5, largest first; rounding may leave -1e-17 for 0
mu = np.linalg.eigvalsh(K)[::-1].clip(min=0)
lams = (1e-6, 0.5, 10.0, 1000.0)
factors = {lam_i: mu / (mu + lam_i) for lam_i in lams}

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

# %% [markdown] key="df-reading"
# Add up the dots of a curve and you have its df. For $\lambda=0.5$ thirty coefficients
# behave like 8.13 parameters. A larger $\lambda$ means a **simpler** fit, never a more complex one; and a
# Gaussian kernel, whose feature space has infinite dimension, does not overfit by that fact alone.
#
# <!-- slide
# Add up the dots of a curve and you have its df. A larger $\lambda$ means a **simpler** fit, never a more complex one.
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

# %% [markdown] key="loo" slide="slide"
# ## Leave-one-out without refitting
#
# The training error always prefers the most flexible fit. So let each point be predicted by a model that has
# not seen it: with $f_{-i}$ fitted without point $i$, with the same $k$ and the same $\lambda$ beside the sum, look at
# $y_i-f_{-i}(x_i)$. That seems to cost $n$ fits. It costs two or three.
#
# **Step 8.** *The trick:* pretend that point $i$ had been measured at $f_{-i}(x_i)$. Then $f_{-i}$ fits it with
# error 0 and is optimal for the rest, so it is optimal for all $n$ points, with $y_i$ replaced by
# $f_{-i}(x_i)$. Fitted values are $H$ times targets, which is an equation for $f_{-i}(x_i)$:

# %% [markdown] key="loo-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Step 8 is the one that feels like cheating. Stop there and let them argue why the invented point changes nothing.
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
# The diagonal of the inverse is the one thing here that needs an inverse. From the Cholesky factor all of it takes twice the
# work of the factor; $L^{-1}$ alone, whose columns have that diagonal as their squared lengths, takes as much again.

# %% [markdown] key="loo-algebra-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Let them subtract. Then ask for the value of H_ii when a point is far from all others (k(x_i,x_i)/(k(x_i,x_i)+λ)), and what (12) gives: the point
# is predicted by 0.
#
# </details>


# %% key="loo-verify" slide="skip"
def refit_without(i, X, y, sigma, lam):
    keep = np.arange(len(y)) != i
    return y[i] - KernelRidge(Gaussian(sigma), lam=lam).fit(X[keep], y[keep]).predict(X[[i]])[0]


model = KernelRidge(Gaussian(0.5), lam=0.5).fit(sinc.X, sinc.y)
slow = np.array([refit_without(i, sinc.X, sinc.y, 0.5, 0.5) for i in range(30)])
verify("(13) equals 30 refits, point by point", model.loo_residuals(), slow)

# %% key="loo-more" slide="skip" hide="input"
H = np.linalg.solve(K + 0.5 * np.eye(30), K)  # K and (K + λI)⁻¹ commute
verify("(12) equals them, too", (sinc.y - model.predict(sinc.X)) / (1 - np.diag(H)), slow)
verify(
    "left-out residuals are larger than training residuals",
    np.all(np.abs(slow) >= np.abs(sinc.y - model.predict(sinc.X))),
)

# %% [markdown] key="loo-path" slide="subslide"
# **A whole path for the price of one.** With the eigenbasis of (10), $(K+\lambda I)^{-1}=Q\,\mathrm{diag}\big(\tfrac1{\mu_j+\lambda}\big)Q^\top$
# for *every* $\lambda$. One eigendecomposition, $O(n^3)$; then each further $\lambda$ costs $O(n^2)$. That is
# `loo_path`:

# %% key="loo-path-figure"
lams = np.logspace(-5, 2, 57)
path = loo_path(Gaussian(0.5)(sinc.X), sinc.y, lams)  # one eigendecomposition for all 57
print(f"least leave-one-out error {path.mse.min():.4f}, at λ = {path.best_lam:.3f}")

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

# %% [markdown] key="loo-path-reading"
# The training error only ever falls as $\lambda\to0$: it would choose interpolation. The leave-one-out error does not. Its
# level says little, because it compares with noisy values, of variance $0.15^2=0.0225$; its minimum is what counts.
#
# Two warnings come with it. It can have more than one local minimum, here a second one near $\lambda=2\cdot10^{-4}$: so
# search a grid and do not walk downhill. And with 30 points the minimum, marked by the thin dotted line, is itself
# uncertain. Here it asks for about a quarter of the penalty that is best by the dash-dotted curve, *which we can draw only
# because we know the truth here*, and pays for it with an error of 0.0130 instead of 0.0074. Of 1000 draws of such points,
# it is off by more than a factor of two in about half, to either side, and has a second minimum in more than a quarter.
#
# <!-- slide
# The training error would choose interpolation. Leave-one-out has a minimum, and a **second** one near $\lambda=2\cdot10^{-4}$: search a grid, do not walk downhill.
# -->

# %% key="loo-path-draws" slide="skip" hide="input"
from kcourse.lab import measured

ratio = measured("ch03_penalty", "penalty-is-uncertain", "second-minimum")["ratio"]
verify("to either side: too small, too large", (ratio < 0.5).sum() > 200 < (ratio > 2).sum())

# %% key="loo-path-verify" slide="skip" hide="input"
verify(
    "the path at each λ equals a fit at that λ",
    path.mse,
    [np.mean(m.loo_residuals() ** 2) for m in fits],
)
verify("the training error falls as λ falls", np.all(np.diff(train) > 0))
verify("the noise variance", 0.15**2, "0.0225")
verify(
    "error against the truth at the λ that leave-one-out chooses",
    truth[path.mse.argmin()],
    "0.0130",
)
verify("... and at the best λ, known only to those who know the truth", truth.min(), "0.0074")
best_known = lams[truth.argmin()]
print(f"leave-one-out chooses λ = {path.best_lam:.3f}, the truth would choose {best_known:.3f}")
verify("about a quarter", 0.2 < path.best_lam / best_known < 0.3)
dips = np.flatnonzero((np.diff(path.mse)[:-1] < 0) & (np.diff(path.mse)[1:] > 0)) + 1
verify("leave-one-out has a second local minimum near 2e-4", 1e-4 < lams[dips[0]] < 3e-4)
for sigma, quoted in ((0.2, "0.044965"), (0.5, "0.028521"), (1.0, "0.043831")):
    verify(
        f"σ = {sigma:g}, λ = 0.5: leave-one-out MSE",
        loo_path(Gaussian(sigma)(sinc.X), sinc.y, [0.5]).mse[0],
        quoted,
    )

# %% [markdown] key="knobs" slide="slide"
# ## Turn the knobs
#
# **Predict first, then move.** Write your three answers down. Move the sliders and watch the curve. When your answers stand on
# paper, switch *numbers and map* to *shown* and test them.
#
# 1. You make the penalty $\lambda$ a hundred times larger, from 0.5 to 50. What is left of the 8.13 degrees of freedom: about 4, 2 or none?
#    And how many of the 30 coefficients $\alpha_i$ become exactly 0?
# 2. You halve the width $\sigma$. Must $\lambda$ grow or shrink to keep the degrees of freedom?
# 3. At $\lambda=0.5$ you drag $\sigma$ from 0.5 to 1, and the leave-one-out error gets worse. With which $\lambda$, larger or
#    smaller, can you win it back?

# %% [markdown] key="knobs-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Show of hands for each question before touching a slider. Ask of the valley what a grid search with
# five values of each would make of it.
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
# A larger $\lambda$ flattens the curve towards 0, and of the degrees of freedom about two are left; the count of zeros never leaves 0. A narrower
# kernel buys flexibility, and more penalty gives it back: for a kernel half as wide, $\lambda$ must **grow** to keep the degrees
# of freedom.
#
# Between $\sigma=0.4$ and $\sigma=1.2$ the good settings therefore form a slanted valley: the wider the kernel, the smaller the
# best penalty. Along its floor different $(\sigma,\lambda)$ predict almost equally well, so do not read meaning into the third
# digit of either. Where the kernel is too narrow to reach the next point no penalty helps, and the valley ends.
#
# </details>

# %% key="knobs-verify" slide="skip" hide="input"
def best(sigma):
    return loo_path(Gaussian(sigma)(sinc.X), sinc.y, np.logspace(-6, 2, 161))


def df_at(sigma, lam):
    return KernelRidge(Gaussian(sigma), lam=lam).fit(sinc.X, sinc.y).effective_df()


verify("a hundred times the penalty: fewer degrees of freedom", df_at(0.5, 50.0) < df_at(0.5, 0.5))
verify("half the width at the same λ: more degrees of freedom", df_at(0.25, 0.5) > df_at(0.5, 0.5))
verify("... so λ must grow to keep them", df_at(0.25, 5.0) < df_at(0.5, 0.5))
verify(
    "the valley leans: the best λ falls as σ grows from 0.4 to 1.2",
    best(0.4).best_lam > best(0.8).best_lam > best(1.2).best_lam,
)

# %% [markdown] key="stable" slide="slide"
# ## Solve, never invert
#
# $\alpha=(K+\lambda I)^{-1}y$ is a *formula*. The *computation* is a Cholesky factor $K+\lambda I=LL^\top$ and two
# triangular solves: $n^3/3$ floating-point operations, where forming the inverse takes $2n^3$. It is also the one whose
# result does what it is made for. To see that take targets **without noise**, as a computer simulation gives them;
# then one wants $\lambda$ tiny, and the eigenvalues of $K+\lambda I$ spread over many orders of magnitude. The test is the
# residual: $(K+\lambda I)\alpha$ should be $y$.
#
# <!-- slide
# - $\alpha=(K+\lambda I)^{-1}y$ is a *formula*. The *computation* is a Cholesky factor $K+\lambda I=LL^\top$ and two triangular solves: $n^3/3$
#   operations, where forming the inverse takes $2n^3$.
# - The test: $(K+\lambda I)\alpha$ should be $y$. Targets **without noise**, as from a simulation, and a tiny $\lambda$. How large will the residuals be?
# -->

# %% [markdown] key="stable-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Before the section: ask what they would type for α; a likely answer is inv. Then the left end of the figure.
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

# %% [markdown] key="stable-reading"
# For $\lambda=1$ nobody notices. At the left end the inverse keeps two or three digits of $y$, while the solve still has
# nine or ten. It is not that $\alpha$ itself came out more accurate: there the conditioning of the problem sets the limit,
# whichever way one goes. But the errors of a *solved* $\alpha$ lie where $K+\lambda I$ hardly sees them, so the fit is right;
# those of the inverse lie anywhere. The picture shows one computer; that it is so on yours is verified below.
#
# Cholesky also *breaks down* when $K+\lambda I$ is not positive definite in floating point, and says so, which is better than
# a number without meaning: `KernelRidge` then names the smallest penalty that can be computed with.
#
# <!-- slide
# At the left end the inverse keeps two or three digits of $y$, the solve nine or ten.
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

# %% [markdown] key="primal-dual" slide="slide"
# ## Primal or dual?
#
# Two ways to the same $f$: solve for the weights, the *primal* problem, or for one number for each point, the *dual*.
#
# | | unknowns | matrix | operations | when |
# |---|---|---|---|---|
# | **primal** (1) | $w$: $D$ numbers | $\Phi^\top\Phi+\lambda I$ | $nD^2+D^3/3$ | few features, many points |
# | **dual** (7), from features | $\alpha$: $n$ numbers | $\Phi\Phi^\top+\lambda I$ | $n^2D+n^3/3$ | many features, few points |
# | **dual** (7), from a kernel | $\alpha$: $n$ numbers | $K+\lambda I$ | $n^2d+n^3/3$ | infinitely many features, or only a kernel |
#
# These are floating-point operations, with the symmetry of the matrix used, and $k$ taken to cost about $d$. The dual is often
# introduced “for $D>n$”. It is *right* for any $D$ and $n$; what changes is the bill.

# %% [markdown] key="patients-enter" slide="subslide"
# **A real case: 442 diabetes patients.** Ten variables were recorded for each: age, sex, body mass index, blood pressure and six
# serum values. The target is a score of how far the disease had progressed a year later. With the linear kernel
# $\varphi(x)=x$, so $D=d=10$.
#
# <!-- slide
#
# -->

# %% key="patients-picture" hide="input"
patients = load_diabetes()
F, progression = patients.X, patients.y
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

# %% [markdown] key="patients-more"
# Each of the three says something about the disease, and none says it clearly: the clouds are wide. Whether a *curve* through
# all ten does better than a plane is asked further below; here they settle who pays less.
#
# <!-- slide
# **A real case:** 442 diabetes patients, ten measurements each, and how far the disease had progressed a year later. With the
# linear kernel $\varphi(x)=x$, so $D=d=10$.
# -->

# %% key="primal-dual-verify" slide="skip"
n, D = F.shape
print(f"{n} patients, {D} features: the dual has {n} unknowns, the primal {D}")

w = np.linalg.solve(F.T @ F + 1.0 * np.eye(D), F.T @ progression)
dual = KernelRidge(Linear(), lam=1.0).fit(F, progression)
verify("primal and dual predict the same for all patients", F @ w, dual.predict(F))
verify("w is Φᵀα here, too", w, F.T @ dual.dual_coef_)

# %% key="primal-dual-operations" slide="skip" hide="input"
def operations(n, D):
    """Floating-point operations of the primal and of the dual from features."""
    return np.array([n * D**2 + D**3 / 3, n**2 * D + n**3 / 3])


primal, from_features = operations(n, D)
print(
    f"operations: primal {primal:,.0f}, dual {from_features:,.0f}, "
    f"{from_features / primal:.0f} times as many"
)

# %% [markdown] key="primal-dual-predict" slide="subslide"
# **Predict first.** The sliders below start at this case, $n=442$ and $D=10$; the curves are not drawn yet. When your answers stand, switch
# the curves to *shown*.
#
# 1. At which $D$ do the two bills agree: at $D=n$, far below, or far above? Find it by the numbers above the picture.
# 2. Double $n$ and $D$ together, a few times. By which factor does each bill grow with each doubling?
# 3. At which $D$ does the primal for 442 points cost as much as the dual costs at $D=10$: near 100, near 240, or near 442?

# %% [markdown] key="primal-dual-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask before the slider. Follow with: and if there are 442 patients and 20 000 genes? And if there are ten
# million patients and 20 000 genes? (Neither: chapter 10.)
#
# </details>

# %% key="primal-dual-figure" hide="input"
from time import perf_counter


def time_both(n, D):
    """Seconds for the primal and for the dual solution on this machine."""
    rng = np.random.default_rng(0)
    Phi, y = rng.normal(size=(n, D)), rng.normal(size=n)
    start = perf_counter()
    np.linalg.solve(Phi.T @ Phi + np.eye(D), Phi.T @ y)
    middle = perf_counter()
    Phi.T @ np.linalg.solve(Phi @ Phi.T + np.eye(n), y)
    return middle - start, perf_counter() - middle


bill = cost_explorer(time_both)

# %% [markdown] key="primal-dual-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# They agree exactly at $D=n$, where both matrices have the same size. Doubling both sizes multiplies either bill by 8: cubic
# growth. The primal reaches the price of the small dual between $D=242$ and $D=243$.
#
# For the patients the primal takes several hundred times fewer operations. In seconds the gap is smaller, because small matrices
# keep a processor less busy. “The kernel trick is faster” is therefore not a rule; it is what happens when $D$ is huge. With a
# Gaussian kernel the primal has infinitely many unknowns, and the dual is the one that can be computed.
#
# </details>

# %% key="primal-dual-verify-2" slide="skip" hide="input"
verify("at D = n both cost the same", operations(442, 442)[0], operations(442, 442)[1])
below, above = operations(442, 441), operations(442, 443)
verify(
    "the primal is cheaper below D = n, the dual above", below[0] < below[1] and above[1] < above[0]
)
verify("doubling both multiplies the costs by 8", operations(884, 20) / operations(442, 10), 8.0)
small_dual = operations(442, 10)[1]
verify(
    "question 3: between 242 and 243",
    operations(442, 242)[0] < small_dual < operations(442, 243)[0],
)
dearer = next(D for D in range(1, 443) if operations(442, D)[0] > small_dual)
verify("question 3, in tens", round(dearer, -1), 240)
verify("several hundred times fewer operations", 500 < from_features / primal < 900)

# %% [markdown] key="crash" slide="slide"
# ## Back to the crash
#
# Now the helmet. We choose $\sigma$ and $\lambda$ together, by leave-one-out over a grid, and set the result beside what
# one would try first: the mean, a line, polynomials, and chapter 1's moving average (Nadaraya–Watson). Two rivals are stronger. A *local
# line* fits a line near each $x$, by the same weights, where the moving average fits a constant. The *smoothing spline* is
# the method of the paper that made these data known (Silverman, 1985): of all curves it minimises $\sum_i(y_i-f(x_i))^2+\lambda\int f''(t)^2\,dt$. Every method
# is judged by leave-one-out.
#
# <!-- slide
# Judged by leave-one-out, each with its own best settings:
#
# - the mean, a line, polynomials;
# - the moving average: near each $x$ a constant;
# - a *local line*: near each $x$ a line, by the same weights;
# - the *smoothing spline*, Silverman's own choice for these data (1985): least $\sum_i(y_i-f(x_i))^2+\lambda\int f''(t)^2\,dt$;
# - kernel ridge regression.
# -->

# %% key="crash-tune" slide="skip"
X, y = crash.X, crash.y
sigmas, lams = np.logspace(-0.3, 1.3, 33), np.logspace(-3, 2, 41)


def tune(X, y):
    """The pair (σ, λ) of least leave-one-out error, and that error."""
    table = np.array([loo_path(Gaussian(s)(X), y, lams).mse for s in sigmas])
    i, j = np.unravel_index(table.argmin(), table.shape)
    return sigmas[i], lams[j], table[i, j]

# %% key="crash-baselines" slide="skip" hide="input"
def loo_of_smoother(S, y):
    """(12), for methods to which step 8 applies: least squares and normalised averages are such."""
    return np.mean(((y - S @ y) / (1 - np.diag(S))) ** 2)


def powers(X, degree):
    u = (X[:, 0] - 30) / 27.6  # 2.4…57.6 ms to [-1, 1], where Chebyshev's polynomials are at home
    return np.polynomial.chebyshev.chebvander(u, degree)


def hat(X, degree):
    V = powers(X, degree)
    return V @ np.linalg.pinv(V)


def polynomial(X, y, degree):
    return loo_of_smoother(hat(X, degree), y)


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
    """Kernel ridge with the spline's kernel, and a line that costs nothing."""
    no_line = np.linalg.qr(np.column_stack([np.ones(len(X)), X]), mode="complete")[0][:, 2:]
    A = spline_kernel(X, X) + lam * np.eye(len(X))
    rest = no_line @ np.linalg.solve(no_line.T @ A @ no_line, no_line.T)
    return np.eye(len(X)) - lam * rest

# %% key="crash-table" slide="subslide" hide="input"
sigma, lam, ridge_mse = tune(X, y)


def best_of(smoother, settings):
    errors = [loo_of_smoother(smoother(X, s), y) for s in settings]
    return settings[int(np.argmin(errors))], min(errors)


width, average_mse = best_of(average_smoother, np.arange(0.5, 5, 0.01))
line_width, line_mse = best_of(line_smoother, np.arange(0.5, 5, 0.05))
spline_lam, spline_mse = best_of(spline_smoother, np.logspace(0, 3, 25))

rows = {
    "the mean": polynomial(X, y, 0),
    "a straight line": polynomial(X, y, 1),
    "a polynomial of degree 14": polynomial(X, y, 14),
    "a polynomial of degree 15": polynomial(X, y, 15),
    "a polynomial of degree 16": polynomial(X, y, 16),
    f"moving average, σ = {width:.2f} ms": average_mse,
    f"local line, σ = {line_width:.1f} ms": line_mse,
    "smoothing spline": spline_mse,
    f"kernel ridge, σ = {sigma:.1f} ms, λ = {lam:.3f}": ridge_mse,
}
table(
    "Leave-one-out mean squared error",
    {"method": "", "error (g²)": ".0f"},
    rows,
    best={"error (g²)": "least"},
)

# %% [markdown] key="crash-table-reading" slide="fragment"
# Kernel ridge regression has the least error: 531 g², against 596 for the moving average, 561 for the local line and 543
# for the spline. Look at the polynomials: degree 15 does well, and its neighbours 14 and 16 are three and eight times worse. **Is
# that luck?**
#
# <!-- slide
# 531 g² against 596. **Degree 15 does well, and its neighbours 14 and 16 are three and eight times worse. Is that luck?**
# -->

# %% [markdown] key="crash-end-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask which of the 133 measurements a polynomial would miss most. Degree 16 has the smaller training error.
#
# </details>

# %% key="crash-end-picture" slide="subslide" hide="input"
t_end = np.linspace(40, 58.5, 400)[:, None]
fig, ax = plt.subplots()
ax.plot(X[:, 0], y, "o", color="black", markersize=4.5, label="measured")
ax.plot(X[-1], y[-1], "s", color="black", mfc="white", markersize=10, label="the last, left out")
for i, degree in enumerate((14, 15, 16)):
    coefficients = np.linalg.pinv(powers(X[:-1], degree)) @ y[:-1]
    label = f"degree {degree}, from the other 132"
    ax.plot(t_end, powers(t_end, degree) @ coefficients, label=label, **cycle(i))
ax.set(xlabel="time after impact (ms)", ylabel="head acceleration (g)")
ax.set(xlim=(40, 58.5), ylim=(-260, 260))
ax.legend(loc="lower left")
show(
    fig,
    alt="The measurements from 40 to 57.6 ms and polynomials of degree 14, 15 and 16, fitted "
    "without the last one. They agree until about 55 ms; at 57.6 ms, where 10.7 g was "
    "measured, "
    "degree 14 has left the picture at the top, degree 16 at the bottom, and degree 15 passes "
    "near.",
)

# %% [markdown] key="crash-end-reading"
# It is one measurement of 133, the last. When it is left out the polynomials must *extrapolate*, from 55 ms to 57.6 ms, and they miss it by
# 373, 66 and 726 g. Its $H_{ii}$ is 0.9999 for degree 16, so by (12) its residual is multiplied by some eight thousand. On the other
# 132 their errors are 544, 549 and 553 g²: alike. What looked like luck of a degree is the behaviour of polynomials at an end.
#
# <!-- slide
# It is one measurement of 133, the last. Left out, it is missed by 373, 66 and 726 g. On the other 132 the errors are 544, 549
# and 553 g²: **extrapolation**, not luck.
# -->

# %% key="crash-end-verify" slide="skip" hide="input"
for degree, last, others in ((14, "373", "544"), (15, "66", "549"), (16, "726", "553")):
    S = hat(X, degree)
    r = (y - S @ y) / (1 - np.diag(S))
    verify(f"degree {degree}: the last measurement is missed by (g)", abs(r[-1]), last)
    verify("... and the error on the other 132 (g²)", np.mean(r[:-1] ** 2), others)
verify("the last measurement (g)", y[-1], "10.7")
verify("H_ii of the last point, degree 16", S[-1, -1], "0.9999")
verify("some eight thousand times", 7500 < 1 / (1 - S[-1, -1]) < 8500)

# %% [markdown] key="crash-spline" slide="subslide"
# **The spline is kernel ridge with another kernel.** On $[0,T]$ each $f$ with a square integrable $f''$ is, by Taylor, a line and a rest:
#
# $$f(t)=f(0)+f'(0)\,t+g(t),\qquad g(t)=\int_0^T(t-u)_+\,f''(u)\,du .$$
#
# Give the rests the inner product $\langle g,h\rangle=\int g''h''$. Then $g(t)=\langle g,k(t,\cdot)\rangle$ for that $k(t,\cdot)$
# whose second derivative is $(t-u)_+$. That is (5), with the kernel
#
# $$k(s,t)=\int_0^T(s-u)_+\,(t-u)_+\,du .$$
#
# So the price $\int f''^2$ is $\|g\|^2$, steps 6 and 7 hold for $g$, and only the line is free, like the bias of
# *No intercept* below. The two methods differ in the kernel and in what costs nothing, not in the idea.

# %% [markdown] key="crash-spline-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Integrate Taylor's rest by parts once, on the board. Ask what is free in each method: nothing in ours, the straight line in the spline.
#
# </details>

# %% key="crash-spline-verify" slide="skip" hide="input"
from scipy.interpolate import make_smoothing_spline

times, counts = np.unique(X, return_counts=True)
means = np.array([y[X[:, 0] == time].mean() for time in times])
theirs = make_smoothing_spline(times, means, w=counts.astype(float), lam=spline_lam)
verify(
    "kernel ridge with this kernel and a free line is SciPy's smoothing spline",
    spline_smoother(X, spline_lam) @ y,
    theirs(X[:, 0]),
    tol=1e-6,
)
u = np.linspace(0, 60, 600_001)
integral = np.trapezoid(np.maximum(20 - u, 0) * np.maximum(35 - u, 0), u)
at_20, at_35 = np.array([[20.0]]), np.array([[35.0]])
verify("the kernel is that integral", spline_kernel(at_20, at_35), integral)

# %% [markdown] key="crash-vain" slide="subslide"
# **Our number, 531 g², is still a little vain.** We *chose* $\sigma$ and
# $\lambda$ because they made it small. And 28 times were measured more than once, 67 of the 133 measurements in all, so a
# left-out point often leaves a twin behind.
#
# <!-- slide
# **A vain number.** Kernel ridge regression: 531 g² when each point is left out. Why is that a little vain?
#
# <div class="fragment">
#
# $\sigma$ and $\lambda$ were *chosen* to make it small; and 67 of the 133 have a twin, who stays.
#
# </div>
# -->

# %% [markdown] key="crash-vain-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Two reasons are wanted: we chose both settings because they made this number small, and 28 times were measured more than
# once, so a left-out point often leaves a twin behind.
#
# </details>

# %% key="crash-table-verify" slide="skip" hide="input"
def hat_error(degree):
    return np.mean((y - hat(X, degree) @ y) ** 2)


verify("kernel ridge, leave-one-out (g²)", ridge_mse, "531")
verify("moving average, leave-one-out (g²)", average_mse, "595.94")
verify("its best width (ms)", width, "0.91")
verify("local line (g²)", line_mse, "561")
verify("smoothing spline (g²)", spline_mse, "543")
verify("degree 16 has the smaller training error", hat_error(16) < hat_error(15))
off = Gaussian(0.91)(X)
np.fill_diagonal(off, 0.0)  # every point predicted by the others only
refits = np.mean((y - off @ y / off.sum(axis=1)) ** 2)
verify(
    "(12) equals refits for the moving average",
    loo_of_smoother(average_smoother(X, 0.91), y),
    refits,
)
verify(
    "28 times were measured more than once, 67 measurements in all",
    (np.sum(counts > 1), counts[counts > 1].sum()) == (28, 67),
)
verify(
    "degree 14: about three times worse than 15",
    2.5 < polynomial(X, y, 14) / polynomial(X, y, 15) < 3.5,
)
verify(
    "degree 16: about eight times worse than 15",
    7.5 < polynomial(X, y, 16) / polynomial(X, y, 15) < 8.5,
)

# %% [markdown] key="crash-honest" slide="subslide"
# **First repair: leave out whole times.** With $B$ the set of all measurements at one time, (13) becomes a small system,
#
# $$r_B=\big([(K+\lambda I)^{-1}]_{BB}\big)^{-1}\alpha_B .$$
#
# by the trick of step 8, with all of $B$ replaced at once.


# %% key="crash-twins"
def leave_times_out(X, y, sigma, lam):
    """Kernel ridge residuals, each time left out with all its measurements."""
    K = Gaussian(sigma)(X)
    G = cho_solve(cho_factor(K + lam * np.eye(len(y)), lower=True), np.eye(len(y)))
    alpha, r = G @ y, np.empty(len(y))
    for time in np.unique(X):
        B = np.flatnonzero(X[:, 0] == time)
        r[B] = np.linalg.solve(G[np.ix_(B, B)], alpha[B])
    return r

# %% key="crash-twins-table" hide="input"
by_time = leave_times_out(X, y, sigma, lam)
apart = Gaussian(0.91)(X) * (X != X.T)  # the moving average without a point's own time
print(f"leave-one-time-out: kernel ridge {np.mean(by_time**2):.0f} g²", end=", ")
print(f"moving average {np.mean((y - apart @ y / apart.sum(axis=1)) ** 2):.0f} g²")

# %% key="crash-twins-verify" slide="skip" hide="input"
twin = np.flatnonzero(X[:, 0] == times[counts > 1][0])
rest = np.setdiff1d(np.arange(len(y)), twin)
refit = KernelRidge(Gaussian(sigma), lam=lam).fit(X[rest], y[rest])
verify(
    "the block formula equals a refit without that time",
    by_time[twin],
    y[twin] - refit.predict(X[twin]),
    tol=1e-8,
)

# %% [markdown] key="crash-nested" slide="subslide"
# **Second repair: judge the whole recipe,** tuning included, on folds that had no part in it. *Nested* cross-validation:
# ten folds of whole times; inside the other nine every method chooses its own settings, by the least leave-one-out error, and then
# predicts the tenth. Twenty partitions into folds.

# %% key="crash-nested-table" hide="input"
nested = measured(
    "ch03_crash",
    "ridge-beats-average",
    "ridge-beats-line",
    "ridge-beats-spline",
    "spline-is-near",
    "ends-cost-polynomials",
    "ridge-beats-polynomial",
)
recipes = ("mean", "polynomial", "moving average", "local line", "smoothing spline", "kernel ridge")
inside = "without the two end times (g²)"
table(
    "Nested mean squared error: median of twenty partitions",
    {"method": "", "all times (g²)": ".0f", inside: ".0f"},
    {name: (np.median(nested[name]), np.median(nested[f"{name} inside"])) for name in recipes},
    best={"all times (g²)": "least", inside: "least"},
)

# %% [markdown] key="crash-nested-reading" slide="subslide"
# Kernel ridge regression has the least error on each of the twenty partitions, 537 g² in the median against 628 for the moving average.
# A local line takes half of that lead away, 577 g², and the smoothing spline all but 12 g² on average. That last difference, paired time by time,
# is no more than twice its standard error on 15 of the 20: these data do not settle which of the two is better. Both solve for a smooth
# curve; with which kernel, and whether a line is free, hardly matters here.
#
# The polynomial extrapolates. Its median error is 1593 g² with the first and the last time, and 630 g² without them, still behind
# kernel ridge on every partition.
#
# <!-- slide
# Kernel ridge leads on every partition; a local line takes half of the lead away, the spline nearly all. Both
# **solve for a smooth curve**; with which kernel hardly matters here.
# -->

# %% [markdown] key="crash-floor-reading" slide="skip"
# How much better could **any** curve be? At the 28 repeated times the measurements differ
# among themselves, and no function of time predicts that: pooled, this pure scatter has a variance of 600 g². At these
# same times, with the same weights, our leave-one-time-out error is 649 g². The scatter itself is known to about a
# quarter only, so there is little left to win *there*; at the other times the floor is unknown.

# %% key="crash-floor" slide="skip" hide="input"
for name, quoted in (
    ("kernel ridge", "537"),
    ("moving average", "628"),
    ("local line", "577"),
):
    verify(f"{name}, median of twenty partitions (g²)", np.median(nested[name]), quoted)
verify("the spline is behind by (g²)", nested["smoothing spline behind"].mean(), "12")
verify("polynomial, median (g²)", np.median(nested["polynomial"]), "1593")
verify("... without the two end times (g²)", np.median(nested["polynomial inside"]), "630")
near = nested["smoothing spline behind"] < nested["smoothing spline 2 s.e."]
verify("the spline's lag is within two standard errors, of 20 partitions", near.sum(), "15")

groups = [np.flatnonzero(X[:, 0] == time) for time in times[counts > 1]]
free = np.array([len(B) - 1 for B in groups])
within = np.array([((y[B] - y[B].mean()) ** 2).sum() for B in groups])
verify("pure scatter at the repeated times (g²)", within.sum() / free.sum(), "600")
ours = sum(f * np.mean(by_time[B] ** 2) for f, B in zip(free, groups, strict=True)) / free.sum()
verify("leave-one-time-out error at those times, same weights (g²)", ours, "649")
draws = np.random.default_rng(0).integers(len(groups), size=(4000, len(groups)))
spread = np.std(within[draws].sum(axis=1) / free[draws].sum(axis=1)) / 600
verify("the scatter is known to about a quarter (bootstrap over times)", 0.2 < spread < 0.32)

# %% key="crash-figure"
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
    label=f"moving average, σ = {best_width:.2f} ms",
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
    alt="The crash data with two fits. The moving average follows the dots in many small wiggles."
    " The kernel ridge curve is smooth: a small rise before 14 ms, a deep trough of about "
    "-120 g at 21 ms, a peak of about 40 g at 32 ms, a shallow second dip and rest. In the "
    "shaded regions outside the data it swings and then returns to 0.",
)

# %% [markdown] key="crash-reading"
# The curve behaves like a model with 10.4 parameters and turns 7 times, not 15: a deep trough, −120 g near 21 ms, a rebound, 40 g
# near 32 ms, and five smaller turns, two before 14 ms and three after 40 ms, where it stays under 12 g. **Are these five real?**
#
# <!-- slide
# 10.4 parameters; 7 turns, not 15. A trough, $-120$ g near 21 ms; a rebound, 40 g near 32 ms; five more, under 12 g.
# **Are these five real?**
# -->

# %% [markdown] key="crash-wrong-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Settle the bets of the first page: 15 turns, then 7. Ask how one would test the other five: what would noise do to this curve, and
# what would the method do without noise?
#
# </details>

# %% [markdown] key="crash-band" slide="subslide"
# **Test the wiggle before you disbelieve it.** $f(x)=\sum_is_i(x)\,y_i$ with $s(x)=(K+\lambda I)^{-1}k(x)$. If the noise is independent, of
# variance $v_i$ at point $i$, then
#
# $$\operatorname{Var}f(x)=\sum_is_i(x)^2\,v_i .$$
#
# The variance is not the same everywhere; take for $v_i$ the square of the residual when that time is left out.


# %% key="crash-band-code" slide="skip"
def smoother(t):
    """Row by row the s(t): what each measurement contributes to f(t)."""
    factor = cho_factor(Gaussian(sigma)(X) + lam * np.eye(len(y)), lower=True)
    return cho_solve(factor, Gaussian(sigma)(X, t)).T


def band(t):
    """Two standard errors of f(t), as far as they come from noise."""
    return 2 * np.sqrt(smoother(t) ** 2 @ by_time**2)


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

# %% [markdown] key="crash-band-reading" slide="subslide"
# After 40 ms the three turns are within the band of 0: noise alone can make them. The two before 14 ms are *not*: at the first one the
# curve is four standard errors below 0. So are they real? No: all 21 measurements before 14 ms lie between −5.4 g and 0, and the curve waves
# from −9 g to 7 g. Give the same recipe exact zeros there, and no noise anywhere (the dashed line): it still waves, from −6 g to 7 g. The plunge
# rings into the calm. **A band tells noise from curve; it knows nothing of the curve's own error.**
#
# Two of the seven turns remain, the trough and the rebound: 24 and 5 standard errors from 0. (Without noise and without any rebound, exact zeros from 28 ms on,
# the recipe still rings to 10 g there: up to a quarter of the 40 g may be its own.) Outside the data (shaded, above) the curve swings and then
# falls to **0**, whatever the data say. And a band that is computed beside the method is no substitute for a model that has one: chapter 4.
#
# <!-- slide
# - After 40 ms: within the band of 0. Noise can make these turns.
# - Before 14 ms: *not* noise, four standard errors. But the dots lie still, and exact zeros give waves, too: the method's own.
# - The trough and the rebound: 24 and 5 standard errors; of the rebound's 40 g up to a quarter may be ringing.
# -->

# %% key="crash-verify" slide="skip" hide="input"
verify("depth of the trough (g)", curve.min(), "-120")
verify("... at (ms)", t_in[curve.argmin()], "21")
verify("height of the rebound (g)", curve.max(), "40")
verify("... at (ms)", t_in[curve.argmax()], "32")
verify("effective degrees of freedom", final.effective_df(), "10.4")
verify("turns", len(turns), "7")
quiet = (t_in < 14) | (t_in > 40)
verify("before 14 ms and after 40 ms it stays under 12 g", np.abs(curve[quiet]).max() < 12)
first, second, trough, rebound, *late = np.abs(curve / (noise / 2))[turns]
verify("first turn: four standard errors below 0", (first, curve[turns[0]] < 0), (4, True), tol=0.1)
verify("the late turns are within two of 0", max(late) < 2)
verify("trough, in standard errors", trough, "24")
verify("rebound, in standard errors", rebound, "5")
early = t_in < 13
verify("waves before 14 ms (g)", (curve[early].min(), curve[early].max()), (-9, 7), tol=0.04)
still = X[:, 0] < 14
verify("measurements before 14 ms", still.sum(), "21")
verify("they lie between -5.4 g and 0", (y[still].min(), y[still].max()), (-5.4, 0.0))
verify("no rebound and no noise: it rings to (g)", after.max(), "10")
verify("from exact zeros (g)", (ghost[early].min(), ghost[early].max()), (-6, 7), tol=0.08)
calm, storm = X[:, 0] < 14, (X[:, 0] > 25) & (X[:, 0] < 40)
resid = y - final.predict(X)
verify(
    "the scatter in the storm is over five times that in the calm",
    resid[storm].std() > 5 * resid[calm].std(),
)
verify("far outside, the curve is 0", final.predict([[200.0]]), 0.0)

# %% [markdown] key="patients" slide="slide"
# ## Does a kernel always help?
#
# Back to the patients: is progression a *curved* function of the ten measurements? Nested cross-validation again, ten
# folds, five random partitions; each method standardises, centres and tunes inside the training folds.
#
# <!-- slide
# Nested cross-validation, ten folds, five random partitions; each method standardises, centres and tunes inside
# the training folds.
#
# Is the progression of diabetes a *curved* function of the ten measurements?
#
# **Your bet: does the Gaussian kernel beat the linear one?**
# -->

# %% [markdown] key="patients-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask for a bet before the table. Then: would you tell a doctor that five wins out of five prove it?
#
# </details>

# %% key="patients-nested" slide="skip" hide="input"
lams_p = np.logspace(-1, 4, 21)
kernels = {"linear": [Linear()], "Gaussian": [Gaussian(s) for s in (4, 32)]}


def tuned_errors(candidates, train, test):
    Z = (patients.X - patients.X[train].mean(axis=0)) / patients.X[train].std(axis=0)
    mean = progression[train].mean()  # no intercept in the method: centre by hand
    paths = [loo_path(k(Z[train]), progression[train] - mean, lams_p) for k in candidates]
    best = int(np.argmin([p.mse.min() for p in paths]))
    model = KernelRidge(candidates[best], lam=paths[best].best_lam)
    model.fit(Z[train], progression[train] - mean)
    return progression[test] - mean - model.predict(Z[test])


def patient_errors(name, seed):
    fold, errors = np.random.default_rng(seed).permutation(442) % 10, np.empty(442)
    for k in range(10):
        train, test = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        if name == "mean":
            errors[test] = progression[test] - progression[train].mean()
        else:
            errors[test] = tuned_errors(kernels[name], train, test)
    return errors


# %% key="patients-table" slide="subslide" hide="input"
squared = {
    name: np.array([patient_errors(name, seed) ** 2 for seed in range(5)])
    for name in ("mean", "linear", "Gaussian")
}
table(
    "Nested mean squared error, five partitions",
    {"method": "", **{f"partition {k}": ".0f" for k in range(1, 6)}, "mean": ".0f"},
    {name: (*e.mean(axis=1), e.mean()) for name, e in squared.items()},
)
paired = (squared["linear"] - squared["Gaussian"]).mean(axis=0)  # one difference for each patient
print(
    f"gain of the Gaussian kernel: {paired.mean():.0f}, "
    f"standard error {paired.std() / np.sqrt(442):.0f}"
)

# %% [markdown] key="patients-reading" slide="fragment"
# Both halve the error of the mean. The Gaussian kernel wins in all five partitions, but these share the same 442 patients,
# so five wins are hardly more than one. Patient by patient the gain is about one and a quarter times its standard error: 0
# is not excluded. Ten features, 442 patients and much noise: the linear model, with its ten readable weights, is the one to
# publish.
#
# <!-- slide
# Five wins out of five, but they share the same 442 patients: the gain is one and a quarter times its standard error. The linear model, with its ten readable weights, is the one to publish.
# -->

# %% key="patients-verify" slide="skip" hide="input"
mse = {name: e.mean(axis=1) for name, e in squared.items()}
verify(
    "both halve the mean's error, nearly",
    max(mse["linear"].max(), mse["Gaussian"].max()) < 0.53 * mse["mean"].min(),
)
verify("the Gaussian kernel wins in all five partitions", np.all(mse["Gaussian"] < mse["linear"]))
ratio = paired.mean() / (paired.std() / np.sqrt(442))
verify("its gain is between one and two standard errors", 1 < ratio < 2)

# %% [markdown] key="find-error" slide="slide"
# ## Find the error
#
# A published chapter on this very method comes with a program that has the mistake shown below (retold in our names;
# `gaussian` is the kernel matrix, `x_new` a grid; the indentation, which our copy of the page has lost, has been restored). It draws
# three plausible curves, and it is wrong. **Read it before you go on. What does it compute?**
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
# Published, three plausible curves, and wrong. **What does it compute?**
# -->

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Give them two minutes of silence with the code. Likely finds are the title and np.random without a seed; the
# swapped call is harder to see. Ask what test would have caught it: one with σ ≠ λ.
#
# </details>

# %% [markdown] key="find-error-predict" slide="subslide"
# **Predict first.** The switch below goes from the program *as written* to the repaired one. One of the three panels
# does not move at all. Which one, and why is that panel the reason why nobody noticed?


# %% [markdown] key="find-error-vote" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask for votes: the left, the middle or the right panel?
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
# The arguments are **swapped**: the function wants `sigma, lam`, the call gives `lam, sigma`. So the program trains with width
# 0.5 and penalty $\sigma$, then predicts with width $\sigma$. In the middle panel $\sigma=\lambda=0.5$ and the swap changes
# nothing; whoever tested with that one number saw a correct program.
#
# </details>

# %% key="find-error-verify" slide="skip" hide="input"
def rmse(values):
    return np.sqrt(np.mean((values - np.sinc(t[:, 0])) ** 2))


for sigma, wrong, right in (
    (0.2, "0.313", "0.184"),
    (0.5, "0.086", "0.086"),
    (1.0, "0.271", "0.142"),
):
    verify(f"σ = {sigma:g}, error against sinc as written", rmse(as_written(sigma, 0.5, t)), wrong)
    verify(f"σ = {sigma:g}, error against sinc repaired", rmse(repaired(sigma, 0.5, t)), right)
verify("at σ = λ = 0.5 the two programs agree", as_written(0.5, 0.5, t), repaired(0.5, 0.5, t))

# %% [markdown] key="find-error-more" slide="subslide"
# **The defence costs three characters:** make such arguments keyword-only. In Python, a `*` in the signature,
# `def fit(X, y, *, sigma, lam)`, turns the swapped call into an immediate error. `KernelRidge(kernel, *, lam=…)`
# has one.
#
# The same page, and the lectures around it, hold more. Each line is wrong or needs a condition; find the repair
# before you open it.
#
# <details><summary><b>“w = (X'X + λI)⁻¹ X y”</b> (a lecture)</summary>
#
# X is n × d and y has n entries: X y does not exist. It is Xᵀy. (Where that lecture writes the product out as a double
# sum, the inner sum carries the index i for j.)
# </details>
# <details><summary><b>“w = R α”</b>, with the features in the rows of R (the same lecture)</summary>
#
# w is a combination of the rows: w = Rᵀα. The next line of that lecture, Rw = RRᵀα, has it right.
# </details>
# <details><summary><b>“(K + λI)⁻¹K⁻¹K y”</b></summary>
#
# K⁻¹ need not exist: repeated points. Step 5 needs none.
# </details>
# <details><summary><b>“minimises the mean squared error”</b>, over a formula with a sum</summary>
#
# With the mean, the system is K + nλI. See “Which λ?”.
# </details>
# <details><summary><b>“y = sinc(x)”</b></summary>
#
# np.sinc(x) is sin(πx)/(πx); many books mean sin(x)/x. At x = 0.5 the second is 1.5 times as large.
# </details>
# <details><summary><b>“We take d > n, because the prediction is non-linear”</b></summary>
#
# Non-linear features can be few: degree 2 in one variable has 3. The dual is useful when d > n and valid always.
# </details>
# <details><summary><b>The figure's title</b></summary>
#
# It says lam=0.2; the program sets lam = 0.5, and 0.2 is one of the widths. Print parameters, do not type them. The
# samples are drawn without a seed, so nobody can draw that figure again.
# </details>
#
# <!-- slide
# **The defence costs three characters:** `def fit(X, y, *, sigma, lam)`
#
# The same page, and the lectures around it, hold more.
#
# - “$w=(X'X+\lambda I)^{-1}Xy$” <span class="fragment">→ $X^\top y$: $Xy$ does not exist</span>
# - “$w=R\alpha$”, features in the rows of $R$ <span class="fragment">→ $R^\top\alpha$: combine the rows</span>
# - “$(K+\lambda I)^{-1}K^{-1}Ky$” <span class="fragment">→ $K^{-1}$ need not exist</span>
# - “minimises the mean squared error”, over a sum <span class="fragment">→ the mean has $K+n\lambda I$</span>
# - “we take $d>n$, because the prediction is non-linear” <span class="fragment">→ non-linear features can be few</span>
# - the title says lam=0.2 <span class="fragment">→ print parameters, do not type them</span>
#
# What is wrong with each?
# -->

# %% key="find-error-more-verify" slide="skip" hide="input"
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
verify("... with i for j it is another vector", np.abs(mistake - w8).max() > 0.01)
verify("np.sinc(0.5) is sin(π/2)/(π/2)", np.sinc(0.5), 2 / np.pi)
verify("sin(x)/x at 0.5, compared with it", np.sin(0.5) / 0.5 / np.sinc(0.5), "1.5")

refused = False
try:
    KernelRidge(Gaussian(1.0), 0.5)  # λ by position
except TypeError:
    refused = True
verify("KernelRidge takes λ by its name only", refused)

# %% [markdown] key="sklearn" slide="slide"
# ## The same in scikit-learn
#
# `sklearn.kernel_ridge.KernelRidge` solves the same system. The dictionary:
#
# | here | scikit-learn | |
# |---|---|---|
# | $\sigma$ | `gamma` $=1/(2\sigma^2)$ | not $1/\sigma$: its unit is 1/x² |
# | $\lambda$ | `alpha` | beside the sum, as here |
# | $\alpha$ | `dual_coef_` | |

# %% [markdown] key="sklearn-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask for the value of gamma that means σ = 0.5 before the code appears.
#
# </details>

# %% key="sklearn-verify" slide="skip"
from sklearn.kernel_ridge import KernelRidge as SkKernelRidge

theirs = SkKernelRidge(kernel="rbf", gamma=1 / (2 * 0.5**2), alpha=0.5).fit(sinc.X, sinc.y)
ours = KernelRidge(Gaussian(0.5), lam=0.5).fit(sinc.X, sinc.y)
verify("the coefficients agree", ours.dual_coef_, theirs.dual_coef_)
verify("the predictions agree", ours.predict(t), theirs.predict(t))

# %% [markdown] key="sklearn-traps" slide="subslide"
# **Traps of the defaults.** The default `kernel` is `"linear"`. `gamma=None` means $1/d$, whatever the scale of your data.
# `alpha=1` is neither small nor large. And there is **no intercept**, unlike in `Ridge`, which fits one unless told not to,
# so the “same” linear model gives other predictions:

# %% key="sklearn-traps-verify" hide="input"
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

# %% [markdown] key="sklearn-pipeline" slide="skip"
# **The recipe that avoids them,** for the patients: standardise the features, centre the target, and tune $\sigma$ and $\lambda$,
# all *inside* the folds, so that nothing of a test fold is seen. The estimator may be ours or theirs; only the names of the
# parameters differ.

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

# %% key="sklearn-pipeline-verify" slide="skip" hide="input"
theirs = SkKernelRidge(kernel="rbf", gamma=1 / (2 * 8**2), alpha=10.0)
by_theirs = TransformedTargetRegressor(
    Pipeline([("scale", StandardScaler()), ("ridge", theirs)]),
    transformer=StandardScaler(with_std=False),
).fit(F, progression)
by_ours = centred.set_params(regressor__ridge__kernel__sigma=8, regressor__ridge__lam=10)
verify(
    "their estimator in the same pipeline predicts the same",
    by_ours.fit(F, progression).predict(F),
    by_theirs.predict(F),
)
by_hand = (F - F.mean(axis=0)) / F.std(axis=0)
alone = KernelRidge(Gaussian(8.0), lam=10.0).fit(by_hand, progression - progression.mean())
verify(
    "the pipeline is what one would do by hand",
    by_ours.predict(F),
    alone.predict(by_hand) + progression.mean(),
)

# %% [markdown] key="no-intercept" slide="subslide"
# ### No intercept
#
# Add 5 to every target. A regression with a free constant would move up by 5 everywhere. Ours does not: far
# away it still returns 0, and near the data it is pulled towards 0. Three cures: subtract $\bar y$ first and add
# it afterwards; add `Constant(c)` to the kernel (a constant that is penalised, less so for larger $c$); or
# leave a bias $b$ out of the penalty, which makes a bordered system, known as the least-squares SVM:
#
# $$\begin{pmatrix}K+\lambda I&\mathbf 1\\ \mathbf 1^\top&0\end{pmatrix}\begin{pmatrix}\alpha\\b\end{pmatrix}
# =\begin{pmatrix}y\\0\end{pmatrix}.$$
#
# It has one solution, because $\mathbf 1^\top(K+\lambda I)^{-1}\mathbf 1>0$. In the figure the last two cures lie on top of each
# other: one curve through the points, level outside. The plain fit is the curve below it.
#
# <!-- slide
# Add 5 to every target. A regression with a free constant would move up by 5 everywhere; ours falls back to 0. **Three cures:**
#
# - subtract $\bar y$ first, add it afterwards;
# - add `Constant(c)` to the kernel: a constant that is penalised, less so for larger $c$;
# - leave a bias $b$ out of the penalty, as the least-squares SVM does:
#
# $$\begin{pmatrix}K+\lambda I&\mathbf 1\\ \mathbf 1^\top&0\end{pmatrix}\begin{pmatrix}\alpha\\b\end{pmatrix}
# =\begin{pmatrix}y\\0\end{pmatrix}.$$
# -->

# %% [markdown] key="no-intercept-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Ask where the plain fit goes at x = 50.
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

# %% key="no-intercept-picture" hide="input"
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

# %% [markdown] key="no-intercept-reading"
# Near the data the plain fit is pulled towards 0, and outside it falls there. The cures stay near 5: the constant that
# is penalised cannot be told from the free one.
#
# <!-- slide
# The plain fit is pulled towards 0. With a free bias, or a large constant in the kernel, the curve stays near 5.
# -->

# %% key="no-intercept-verify" slide="skip" hide="input"
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
# Measured on one thread of one computer. The times are in the table `data/ch03_cost.csv` beside this notebook;
# `make measure STEMS=ch03_ridge MEASURE_ARGS=--force`, in the folder of the clone, makes one of yours.

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask how long 40 000 points would take, by the figure, and whether the matrix would fit into their laptop (it would not: 12.8
# gigabytes).
#
# </details>

# %% key="cost-figure" hide="input"
n_cost, *columns = measured("ch03_cost").values()
cost = dict(zip(("Gram matrix", "factor", "solve", "predict 500"), columns, strict=True))
big = n_cost >= 1000  # the slope of log time against log n, where n is large, is the exponent
slopes = {k: np.polyfit(np.log(n_cost[big]), np.log(v[big]), 1)[0] for k, v in cost.items()}

# %% key="cost-picture" hide="input"
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

# %% [markdown] key="cost-reading"
# The factorisation is the most expensive step from 707 points on, and its line is the steepest. Its exponent is still
# below 3, because larger blocks use the processor better. Memory runs out even sooner than patience: $n=100\,000$ points make a matrix of 80 gigabytes. Kernel ridge regression as it
# stands is a method for up to some ten thousand points.
#
# **What chapter 10 does about it:** keep only $m\ll n$ functions $k(t_j,\cdot)$ in (6), chosen from the data
# (Nyström), or replace $\varphi$ by a few hundred random features. Then the primal is cheap again: $O(nm^2)$ time, and
# $O(m^2)$ memory if $\Phi^\top\Phi$ is summed up block by block.
#
# <!-- slide
# The factor is the most expensive step from 707 points on. $n=100\,000$ points make a matrix of 80 gigabytes.
# -->

# %% key="cost-verify" slide="skip" hide="input"
verify("the factorisation grows at least like n^2.5", slopes["factor"] > 2.5)
verify("it is the steepest of the four", slopes["factor"] == max(slopes.values()))
others = np.maximum(cost["Gram matrix"], cost["solve"])
later = n_cost >= 707
verify(
    "it is the most expensive step from n = 707 on", np.all(cost["factor"][later] > others[later])
)
verify("... and its exponent is below 3", slopes["factor"] < 3)
verify("a Gram matrix of 100 000 points takes 80 gigabytes", 100_000**2 * 8 / 1e9, 80.0)

# %% [markdown] key="limits" slide="subslide"
# **When not to use it.** More than some ten thousand points (chapter 10). Few features and a linear truth: the
# primal, with its readable weights. Targets with gross outliers: a squared error chases them (chapter 6 changes
# the loss). When you need an error bar: the same $f$ with one, in chapter 4. When you must extrapolate: it returns to
# 0, and says so only if you ask.

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - The best function is a combination of $n$ sections $k(x_i,\cdot)$ **because** anything orthogonal to them is
#   invisible at the data and costs norm.
# - $\alpha$ is the residual divided by $\lambda$; with noise that has a density none of it is 0. It is not unique when points repeat; $f$ is.
# - $\lambda$ is a low-pass filter on the eigendirections of $K$; the sum of the filter's factors is the number of
#   parameters you really use.
# - One Cholesky factor gives the fit, its degrees of freedom and all $n$ leave-one-out residuals; one
#   eigendecomposition gives them for every $\lambda$.
# - $\sigma$ and $\lambda$ trade against each other along a valley: tune them together, and judge the tuned recipe on data
#   that had no part in it.
# - Copy no $\lambda$ without its criterion, no $\sigma$ without its exponent, and no call without its keywords.
#
# **And the helmet?** Of chapter 1's 15 turns two are left that noise and method cannot explain: −120 g near 21 ms, 40 g near 32 ms. On times
# that were left out the error fell from 628 to 537 g².
# How sure is the curve of itself? Chapter 4.
#
# <!-- slide
# ## Recap
#
# - What is orthogonal to the $n$ sections $k(x_i,\cdot)$ is invisible at the data and costs norm: the best $f$ has none.
# - $\alpha$ is the residual divided by $\lambda$. It is not unique when points repeat; $f$ is.
# - $\lambda$ is a low-pass filter; the sum of its factors is the number of parameters you really use.
# - One Cholesky factor gives the fit, its df and all $n$ leave-one-out residuals.
# - Tune $\sigma$ and $\lambda$ together, and judge the tuned recipe on data that had no part in it.
#
# **And the helmet?** Of 15 turns two are left: −120 g near 21 ms, 40 g near 32 ms; 628 g² became 537.
# -->

# %% [markdown] key="quiz" slide="slide"
# ## Six questions
#
# <details><summary>1. You double every y. What happens to α, to f, to df, to the best λ?</summary>
#
# α and f double (both are linear in y). df does not contain y: unchanged. All leave-one-out residuals double, so
# their ranking over λ, and with it the best λ, stays.
# </details>
#
# <details><summary>2. You replace the kernel k by 4k. Which λ gives the same f as before?</summary>
#
# 4λ: (4K + 4λI)⁻¹y = α/4, and f = Σ (α_i/4)·4k(x, x_i) is the old one. Only the ratio of kernel and penalty counts.
# </details>
#
# <details><summary>3. A colleague finds df = 0.02 and is proud of so simple a model. What has happened?</summary>
#
# λ is far larger than every eigenvalue of K. The model is f ≈ 0, whatever the data.
# </details>
#
# <details><summary>4. Why can the leave-one-out residual of a point never be smaller in size than its training residual?</summary>
#
# (12): it is divided by 1 − H_ii, and 0 ≤ H_ii < 1 (the eigenvalues of H lie in [0, 1)).
# </details>
#
# <details><summary>5. 2000 genes, 60 patients, a linear kernel. Primal or dual? And with 20 genes and 50 000 patients?</summary>
#
# Dual: 60 unknowns against 2000. Then primal: 20 unknowns against 50 000, whose Gram matrix would take 20 gigabytes.
# </details>
#
# <details><summary>6. Somebody reports σ = 3 as optimal, with exp(−‖x−z‖²/σ²). What is it in this course's convention?</summary>
#
# Ours is σ/√2, about 2.12: the exponent there lacks the 2.
# </details>

# %% key="quiz-verify" slide="skip" hide="input"
before, after = (
    KernelRidge(Gaussian(0.5), lam=0.5).fit(sinc.X, sinc.y),
    KernelRidge(4 * Gaussian(0.5), lam=2.0).fit(sinc.X, sinc.y),
)
verify("question 2: 4k with 4λ is the same f", after.predict(t), before.predict(t))
doubled = loo_path(K, 2 * sinc.y, lams)
verify(
    "question 1: the best λ does not depend on the scale of y",
    doubled.best_lam == loo_path(K, sinc.y, lams).best_lam,
)
verify("the lecturer's question: 40 000 points (gigabytes)", 40_000**2 * 8 / 1e9, "12.8")
verify("question 5: 50 000 patients, 20 gigabytes", 50_000**2 * 8 / 1e9, 20.0)
verify("question 6: 3/√2", 3 / np.sqrt(2), "2.12")

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are told which one.
# *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch03_ridge")

# %% [markdown] key="references" slide="skip" numbers="free"
# ## To read on
#
# - IFT6266, Université de Montréal, *Modèles à noyau*, “Régression à noyau”: the path from $w$ to $\alpha$.
# - J. Vales Alonso, Universidad Politécnica de Cartagena, *Máquinas de vector soporte*, “Métodos de kernel”: the dual
#   criterion in $K$.
# - *Régression ridge à noyau*, chapter 20 of an online course with Python: the formulation in the RKHS, and the program of
#   “Find the error”.
# - C. E. Rasmussen and C. K. I. Williams, *Gaussian Processes for Machine Learning* (2006), chapter 6: the same estimator
#   as a penalised and as a Bayesian one.
# - T. Hastie, R. Tibshirani and J. Friedman, *The Elements of Statistical Learning* (2009), chapters 5 and 7: smoothers,
#   degrees of freedom, leave-one-out.
# - G. Kimeldorf and G. Wahba (1971), *Some results on Tchebycheffian spline functions*, and B. Schölkopf, R. Herbrich and
#   A. Smola (2001), *A generalized representer theorem*: step 7. C. Saunders, A. Gammerman and V. Vovk (1998), *Ridge regression
#   learning algorithm in dual variables*: the method under this name.
# - A. Gretton, *Introduction to RKHS, and some simple kernel algorithms* (lecture notes, UCL).
# - B. W. Silverman (1985), *Some aspects of the spline smoothing approach to non-parametric regression curve fitting*,
#   J. R. Statist. Soc. B 47: the motorcycle data. B. Efron, T. Hastie, I. Johnstone and R. Tibshirani (2004), *Least
#   angle regression*, Annals of Statistics 32: the diabetes data.
#
# **Now you:** [the exercises of this chapter](../exercises/ch03_ridge_sheet.ipynb), seven functions from one line to a small
# piece of real work, and one derivation on paper. Back to [the start](00_start_here.ipynb).
