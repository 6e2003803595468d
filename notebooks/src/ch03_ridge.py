# %% [markdown] key="title" slide="slide"
# # Kernel ridge regression
#
# One matrix, one vector, one linear system: with these three a computer learns a curve that nobody
# wrote down a formula for. This chapter derives the system three times, solves it well, tunes it
# honestly, and says where it ends.

# %% key="imports" slide="skip"
import numpy as np
import matplotlib.pyplot as plt
from scipy.linalg import cho_factor, cho_solve

from kcourse import Constant, Gaussian, KernelRidge, Linear, Polynomial, loo_path
from kcourse.datasets import load_diabetes, load_mcycle, make_sinc
from kcourse.lab import cycle, show, use_style, verify
from kcourse.lab.ch03_ridge import bug_explorer, cost_explorer, smoothing_explorer

use_style()

# %% [markdown] key="question" slide="slide"
# ## A crash, in 133 measurements
#
# A motorcycle hits an obstacle, and a sensor in the rider's helmet records how hard the head is
# thrown about. Whoever designs the next helmet wants a curve: **how large is the acceleration at
# any moment, and how much wiggle in that curve is real?**

# %% key="question-figure"
crash = load_mcycle()
print(f"{len(crash.y)} measurements, from {crash.X.min()} to {crash.X.max()} ms after impact")

# %% key="question-picture" hide="input"
fig, ax = plt.subplots()
ax.plot(crash.X[:, 0], crash.y, "o", color="black", markersize=4.5)
ax.set(xlabel="time after impact (ms)", ylabel="head acceleration (g)")
show(
    fig,
    alt="Scatter plot of 133 head accelerations in g against time after impact in milliseconds: flat near 0 "
    "until 14 ms, a plunge to about -130 g near 21 ms, a rebound to about +70 g near 32 ms, then back to 0. "
    "The scatter is small before the plunge and large after it.",
)

# %% [markdown] key="question-reading"
# Nothing happens for 14 ms; then the head is thrown back, rebounds, and comes to rest. No textbook
# function has this shape, the noise is loud, and it is louder in some places than in others. A
# straight line is hopeless, and a curve through every dot would be absurd. We want something in
# between, and a number that says *how far* in between.

# %% [markdown] key="question-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Ask the room to draw, on paper, the curve they would trust, and to keep the paper. Ask who drew a bump
# after 45 ms. At the end of the hour compare: the bump is not there. Do not mention kernels yet.
#
# </details>

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# 1. derive $\alpha=(K+\lambda I)^{-1}y$ in three ways, and say which hypothesis each one uses;
# 2. fit and predict in ten lines, and choose $\sigma$ and $\lambda$ by exact leave-one-out;
# 3. read the effective degrees of freedom and the norm $\|f\|^2$ of a fit;
# 4. choose between $n$ dual and $d$ primal unknowns, and solve either without ever calling `inv`;
# 5. translate $\lambda$ and $\sigma$ between books, lectures and scikit-learn.
#
# **You need** matrix calculus (the gradient of $w^\top A w$), eigenvalues of a symmetric matrix, and from
# chapter 2 what a positive semi-definite kernel is. **Reading:** about 75 minutes. **Lecture:** two
# hours of 45 minutes. **Exercises:** two to three hours,
# [in the sheet](../exercises/ch03_ridge.ipynb).

# %% [markdown] key="notation" slide="subslide"
# **Notation.** $n$ points $x_i$ with targets $y_i\in\mathbb R$, stacked in $y\in\mathbb R^n$; a feature map
# $\varphi$ with values in $\mathbb R^d$ (or in a space of infinite dimension), and the $n\times d$ matrix
# $\Phi$ whose row $i$ is $\varphi(x_i)^\top$; the kernel $k(x,z)=\varphi(x)^\top\varphi(z)$ and its Gram
# matrix $K=\Phi\Phi^\top$, $K_{ij}=k(x_i,x_j)$. The Gaussian kernel is always
# $k(x,z)=\exp\!\big(-\|x-z\|^2/(2\sigma^2)\big)$, and $\lambda>0$ always stands beside the **sum** of squared
# errors.

# %% [markdown] key="primal" slide="slide"
# ## Ridge regression, the primal
#
# Start where a linear model starts. It predicts $f(x)=w^\top\varphi(x)$, and ridge regression chooses the
# $w\in\mathbb R^d$ that minimises
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

# %% key="primal-verify"
rng = np.random.default_rng(3)
n, d, lam = 8, 20, 0.7  # more features than points, on purpose
Phi, y = rng.normal(size=(n, d)), rng.normal(size=n)

w = np.linalg.solve(Phi.T @ Phi + lam * np.eye(d), Phi.T @ y)

verify("the gradient of J vanishes at w", -2 * Phi.T @ (y - Phi @ w) + 2 * lam * w, 0.0)


def J(w):
    return np.sum((y - Phi @ w) ** 2) + lam * w @ w


verify(
    "no small step away from w lowers J",
    all(J(w + 1e-3 * rng.normal(size=d)) > J(w) for _ in range(100)),
)

# %% [markdown] key="primal-trouble" slide="fragment"
# That is a system of $d$ equations. With the features of a Gaussian kernel $d$ is infinite, and (1) cannot
# even be written down. Yet only $n$ numbers were measured: should not $n$ unknowns be enough?

# %% [markdown] key="primal-notes" slide="notes"
# <details><summary>For the lecturer (5 min)</summary>
#
# Write (1) on the board and leave it there. Ask: what are the sizes of Φ, ΦᵀΦ, ΦΦᵀ when n = 8 and d = 20?
# Somebody will find that ΦΦᵀ is the small one. That is the chapter.
#
# </details>

# %% [markdown] key="three-ways" slide="slide"
# ## Three ways to the same α
#
# They are. There are $n$ numbers $\alpha$ with
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
# residual of point $i$, divided by $\lambda$.

# %% [markdown] key="way-1-identity" slide="fragment"
# **Step 3.** To get $\alpha$ without $w$, push $\Phi^\top$ through the inverse:
#
# $$(\Phi^\top\Phi+\lambda I_d)\,\Phi^\top=\Phi^\top\Phi\Phi^\top+\lambda\Phi^\top=\Phi^\top(\Phi\Phi^\top+\lambda I_n).$$
#
# Both brackets are invertible; multiply by one inverse from the left and by the other from the right:
#
# $$(\Phi^\top\Phi+\lambda I_d)^{-1}\Phi^\top=\Phi^\top(\Phi\Phi^\top+\lambda I_n)^{-1}. \tag{3}$$
#
# Applied to $y$, the left side is $w$, and the right side is $\Phi^\top\alpha$ with
# $\alpha=(K+\lambda I)^{-1}y$. The $d\times d$ system has become an $n\times n$ one, and $\varphi$ occurs only
# in the inner products $K=\Phi\Phi^\top$.

# %% key="way-1-verify"
K = Phi @ Phi.T
alpha = np.linalg.solve(K + lam * np.eye(n), y)

# inverses, only to look at the identity
left = np.linalg.inv(Phi.T @ Phi + lam * np.eye(d)) @ Phi.T
verify(
    "push-through: both sides of (3) are one matrix",
    left,
    Phi.T @ np.linalg.inv(K + lam * np.eye(n)),
)
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


# %% key="way-2-verify"
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

# %% [markdown] key="way-2-solve" slide="fragment"
# **Step 5.** It is *enough* that the bracket in (4) vanishes: $(K+\lambda I)\alpha=y$. It is tempting to
# say more: to solve $(KK+\lambda K)\alpha=Ky$ with $K^{-1}$. But $K^{-1}$ need not exist. Measure twice at the
# same $x$ and $K$ has two equal rows. No inverse is needed, because $K$ and $K+\lambda I$ commute; only
# $K+\lambda I$ has to be solved with.

# %% key="way-2-duplicates"
x_twice = np.array([[0.0], [0.0], [1.0]])  # the same x measured twice
y_twice = np.array([1.0, 2.0, -1.0])
K2 = Gaussian(sigma=1.0)(x_twice)
a2 = np.linalg.solve(K2 + 0.5 * np.eye(3), y_twice)

verify("with a repeated point K is singular, of rank 2", np.linalg.matrix_rank(K2) == 2)
verify(
    "(K + λI)⁻¹y makes the gradient vanish all the same",
    K2 @ (y_twice - (K2 + 0.5 * np.eye(3)) @ a2),
    0.0,
)

silent = np.array([1.0, -1.0, 0.0])  # K times this is 0
verify(
    "α + 7·(1, -1, 0) makes it vanish too",
    K2 @ (y_twice - (K2 + 0.5 * np.eye(3)) @ (a2 + 7 * silent)),
    0.0,
)
verify("... and is the same function: equal values", K2 @ (a2 + 7 * silent), K2 @ a2)

# %% [markdown] key="way-2-reading"
# So when $K$ is singular many $\alpha$ are optimal, but they all describe **one** function $f$. The formula
# $\alpha=(K+\lambda I)^{-1}y$ picks one of them; nothing about $f$ depends on the choice.

# %% [markdown] key="way-3" slide="subslide"
# ### Third way: the representer theorem
#
# **Step 6.** Now without any matrix $\Phi$. Let $\mathcal H$ be the space of functions that the kernel
# generates (its *reproducing kernel Hilbert space*, RKHS; chapter 9 builds it). All that is needed of it
# today is that evaluation is an inner product:
#
# $$f(x)=\langle f,\,k(x,\cdot)\rangle\quad\text{for every }f\in\mathcal H. \tag{5}$$
#
# We look for the minimiser over all of $\mathcal H$ of $\;\sum_i(y_i-f(x_i))^2+\lambda\|f\|^2$.

# %% [markdown] key="way-3-proof" slide="fragment"
# **Step 7.** Split $f=f_\parallel+v$, with $f_\parallel=\sum_j\alpha_j k(x_j,\cdot)$ in the span of the $n$
# sections $k(x_j,\cdot)$ and $v$ orthogonal to all of them. By (5), $v(x_i)=\langle v,k(x_i,\cdot)\rangle=0$:
# **$v$ cannot be seen at the data.** The errors are those of $f_\parallel$. But by Pythagoras
# $\|f\|^2=\|f_\parallel\|^2+\|v\|^2$: $v$ costs. So the best $f$ has $v=0$, that is
#
# $$f=\sum_{j=1}^n\alpha_j\,k(x_j,\cdot). \tag{6}$$
#
# This is the *representer theorem*. Its only hypotheses: the errors depend on $f$ through the values
# $f(x_i)$, and the penalty increases with $\|f\|$. With (6), $\|f\|^2=\alpha^\top K\alpha$ and the values at the
# data are $K\alpha$: we are back at $J(\alpha)$, this time in any dimension.


# %% key="way-3-verify"
# (1 + xz)³ on the line has the four features 1, √3 x, √3 x², x³: with three points there is room for a v
def features(x):
    return np.column_stack([np.ones_like(x), np.sqrt(3) * x, np.sqrt(3) * x**2, x**3])


x3, y3 = np.array([-1.0, 0.5, 2.0]), np.array([0.3, -1.0, 0.8])
F = features(x3)
verify(
    "the four features give the kernel (1 + xz)³", F @ F.T, Polynomial(u=1, v=1, p=3)(x3[:, None])
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
# <details><summary>For the lecturer (20 min)</summary>
#
# Let the room choose which of the three ways they find most convincing, and ask a defender of each: which
# hypothesis did you use? (Push-through: a finite Φ. The criterion: that w = Φᵀα, borrowed from the first way.
# The representer theorem: only the inner product.) Then ask: which of them still works if the squared error is
# replaced by another loss? Only the third: that is how chapter 6 starts.
#
# </details>

# %% [markdown] key="predictor" slide="slide"
# ## The predictor
#
# With $k(x)=\big(k(x,x_1),\dots,k(x,x_n)\big)^\top$, equation (6) says
#
# $$f(x)=\sum_{i=1}^n\alpha_i\,k(x,x_i)=k(x)^\top(K+\lambda I)^{-1}y. \tag{7}$$
#
# No $w$, no $\varphi$. Here is the whole method, written for reading:


# %% key="predictor-code"
def kernel_slow(X1, X2, sigma):
    """The Gaussian kernel as its definition says it: one entry at a time."""
    K = np.zeros((len(X1), len(X2)))
    for i in range(len(X1)):
        for j in range(len(X2)):
            K[i, j] = np.exp(-np.sum((X1[i] - X2[j]) ** 2) / (2 * sigma**2))
    return K


def krr_fit(K, y, lam):
    L = cho_factor(K + lam * np.eye(len(y)), lower=True)  # K + λI = L Lᵀ
    return cho_solve(L, y)  # α


def krr_predict(K_query, alpha):
    return K_query @ alpha  # one row k(x)ᵀ for each query


# %% [markdown] key="two-points" slide="subslide"
# **Two points, by hand.** Take $x=0,1$ with $y=(1,-1)$, $\sigma=1$, $\lambda=\tfrac12$, and write
# $c=k(0,1)=e^{-1/2}$. The system is
#
# $$\begin{pmatrix}1+\lambda&c\\c&1+\lambda\end{pmatrix}\begin{pmatrix}\alpha_1\\\alpha_2\end{pmatrix}
# =\begin{pmatrix}1\\-1\end{pmatrix},$$
#
# and by symmetry $\alpha_2=-\alpha_1$, so $\alpha_1=1/(1+\lambda-c)\approx 1.119$, and
# $f(0)=\alpha_1(1-c)\approx 0.440$. The measured value was 1: the penalty pulls $f$ more than halfway back to 0.

# %% key="two-points-verify"
c = np.exp(-0.5)
x2, y2 = np.array([[0.0], [1.0]]), np.array([1.0, -1.0])
a = krr_fit(kernel_slow(x2, x2, 1.0), y2, 0.5)

verify("the code finds α = ±1/(1 + λ - c)", a, [1 / (1.5 - c), -1 / (1.5 - c)])
verify("α₁", a[0], "1.119")
verify("f(0) = α₁(1 - c)", krr_predict(kernel_slow(x2[:1], x2, 1.0), a)[0], "0.440")

X_test = rng.normal(size=(7, 3))
verify(
    "kcourse's Gaussian is the double loop, in one matrix product",
    Gaussian(0.8)(X_test),
    kernel_slow(X_test, X_test, 0.8),
)
verify(
    "KernelRidge is krr_fit and krr_predict",
    KernelRidge(Gaussian(1.0), lam=0.5).fit(x2, y2).coef_,
    a,
)

# %% [markdown] key="never-sparse" slide="fragment"
# **A reading of α.** By (2), $\alpha_i=(y_i-f(x_i))/\lambda$. Noisy data leave no residual at exactly 0, so no
# $\alpha_i$ is 0: *every* training point takes part in *every* prediction. Sparse kernel machines exist
# (chapter 6), but they have to pay with another loss.

# %% key="never-sparse-verify"
# 30 samples of sin(πx)/(πx), with noise of standard deviation 0.15
sinc = make_sinc(n=30, noise=0.15, rng=0)
for lam_try in (1e-6, 0.5, 1000.0):
    model = KernelRidge(Gaussian(0.5), lam=lam_try).fit(sinc.X, sinc.y)
    verify(f"λ = {lam_try:g}: no coefficient is 0", np.all(model.coef_ != 0))
verify("λ = 1000: α is the residual over λ", model.coef_, (sinc.y - model.predict(sinc.X)) / 1000.0)

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

# %% key="norm-verify"
model = KernelRidge(Gaussian(0.5), lam=0.5).fit(sinc.X, sinc.y)
K = Gaussian(0.5)(sinc.X)
verify("‖f‖² is αᵀKα", model.norm2_, model.coef_ @ K @ model.coef_)

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
# <details><summary>For the lecturer (6 min)</summary>
#
# Ask: can f be small everywhere and still be expensive? (Yes: a ripple of tiny amplitude and tiny wavelength.) Have
# them find it in (9): fix the left side, let z approach x, and the root on the right goes to 0.
#
# </details>

# %% [markdown] key="which-lambda" slide="slide"
# ## Which λ?
#
# The most frequent mistake with this method is not one of mathematics but of convention. The same letter
# means different numbers:
#
# | criterion | its system | to get the same $f$ as ours |
# |---|---|---|
# | $\sum_i(y_i-f(x_i))^2+\lambda\lVert f\rVert^2$ (**this course**, scikit-learn's `alpha`) | $K+\lambda I$ | – |
# | $\tfrac12\sum_i(y_i-f(x_i))^2+\tfrac{\lambda}{2}\lVert f\rVert^2$ | $K+\lambda I$ | the same $\lambda$ |
# | $\tfrac1n\sum_i(y_i-f(x_i))^2+\lambda_{\text{mean}}\lVert f\rVert^2$ | $K+n\lambda_{\text{mean}}I$ | $\lambda_{\text{mean}}=\lambda/n$ |
# | $\sum_i(y_i-f(x_i))^2+\tfrac{\lambda_{1/2}}{2}\lVert f\rVert^2$ | $K+\tfrac12\lambda_{1/2}I$ | $\lambda_{1/2}=2\lambda$ |
# | Gaussian process with noise variance $\sigma_n^2$ (chapter 4) | $K+\sigma_n^2I$ | $\sigma_n^2=\lambda$ |

# %% key="which-lambda-verify"
from scipy.optimize import minimize

lam = 0.5
K3, target = Gaussian(1.0)(np.array([[0.0], [1.0], [2.5]])), np.array([1.0, -1.0, 0.5])


def fitted(errors_times, penalty_times):
    """Minimise errors_times·Σ(y - f)² + penalty_times·‖f‖² numerically; return the fitted values."""

    def criterion(a):
        return errors_times * np.sum((target - K3 @ a) ** 2) + penalty_times * a @ K3 @ a

    return K3 @ minimize(criterion, np.zeros(3), tol=1e-12).x


ours = K3 @ krr_fit(K3, target, lam)
verify("sum of squares: the system is K + λI", fitted(1, lam), ours, tol=1e-5)
verify("½ on both terms: the same λ", fitted(1 / 2, lam / 2), ours, tol=1e-5)
verify("mean of squares: λ/n gives our fit", fitted(1 / 3, lam / 3), ours, tol=1e-5)
verify("½ on the penalty only: 2λ gives our fit", fitted(1, 2 * lam / 2), ours, tol=1e-5)
print(
    f"using the mean's λ as if it were the sum's changes f by up to {np.abs(fitted(1 / 3, lam) - ours).max():.2f}"
)

# %% [markdown] key="which-lambda-reading"
# The last line is the price of not looking: with three points, reading one convention as the other moves the
# fit by 0.22, and with $n$ points the penalty is wrong by a factor $n$. Whenever you copy a $\lambda$, copy its
# criterion with it.

# %% [markdown] key="df" slide="slide"
# ## Effective degrees of freedom
#
# The fitted values are linear in $y$: $\hat y=K\alpha=Hy$ with $H=K(K+\lambda I)^{-1}$. In the eigenbasis
# $K=Q\,\mathrm{diag}(w_1,\dots,w_n)\,Q^\top$,
#
# $$H=Q\,\mathrm{diag}\Big(\frac{w_j}{w_j+\lambda}\Big)Q^\top. \tag{10}$$
#
# Each eigendirection of the data is multiplied by a factor between 0 and 1. Directions with $w_j\gg\lambda$
# pass; those with $w_j\ll\lambda$ are erased. Counting the factors gives
#
# $$\mathrm{df}(\lambda)=\operatorname{tr}H=\sum_j\frac{w_j}{w_j+\lambda}\in(0,n), \tag{11}$$
#
# as many parameters as a plain linear model of the same flexibility would have.

# %% key="df-figure"
# the eigenvalues for the sinc data and σ = 0.5, largest first; rounding may leave -1e-17 for a 0
w_eig = np.linalg.eigvalsh(K)[::-1].clip(min=0)
lams = (1e-6, 0.5, 10.0, 1000.0)
factors = {lam_i: w_eig / (w_eig + lam_i) for lam_i in lams}

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
ax.set(xlabel="eigendirection j", ylabel="factor $w_j/(w_j+λ)$")
ax.legend()
show(
    fig,
    alt="Shrinkage factors of the 30 eigendirections for four penalties. For a millionth the first 20 factors are "
    "near 1; for 0.5 about eight are not small; for 10 only the first few reach 0.5; for 1000 all are near 0. "
    "The sums, the degrees of freedom, are 21.1, 8.13, 2.08 and 0.0299.",
)

# %% [markdown] key="df-reading"
# Read the figure from the top: the *area* under each curve is its df. For $\lambda=0.5$ thirty coefficients
# behave like 8.13 parameters. A larger $\lambda$ means a **simpler** fit, never a more complex one; and a
# Gaussian kernel, whose feature space has infinite dimension, does not overfit by that fact alone.

# %% key="df-verify"
df = [KernelRidge(Gaussian(0.5), lam=v).fit(sinc.X, sinc.y).effective_df() for v in lams]
verify(
    "df from the trace equals df from the eigenvalues",
    df,
    [factors[v].sum() for v in lams],
    tol=1e-8,
)
for lam_i, value, quoted in zip(lams, df, ("21.1", "8.13", "2.08", "0.030"), strict=True):
    verify(f"λ = {lam_i:g}: df", value, quoted)

# %% [markdown] key="df-notes" slide="notes"
# <details><summary>For the lecturer (7 min)</summary>
#
# Before showing the figure ask: thirty points, thirty coefficients, a feature space of infinite dimension – how
# many parameters does this model have? Collect answers, then show it. Draw a low-pass filter beside it: λ is the
# cut-off.
#
# </details>

# %% [markdown] key="loo" slide="slide"
# ## Leave-one-out without refitting
#
# The training error always prefers the most flexible fit. So let each point be predicted by a model that has
# not seen it: with $f_{-i}$ fitted without point $i$, look at $y_i-f_{-i}(x_i)$. That seems to cost $n$ fits. It
# costs one.
#
# **Step 8.** *The trick:* pretend that point $i$ had been measured at $f_{-i}(x_i)$. Then $f_{-i}$ fits it with
# error 0 and is optimal for the rest, so it is optimal for all $n$ points, with $y_i$ replaced by
# $f_{-i}(x_i)$. Fitted values are $H$ times targets, therefore

# %% [markdown] key="loo-algebra" slide="fragment"
# $$f_{-i}(x_i)=\sum_{j\ne i}H_{ij}y_j+H_{ii}f_{-i}(x_i)=f(x_i)-H_{ii}y_i+H_{ii}f_{-i}(x_i).$$
#
# Subtract both sides from $y_i$ and collect the left-out residual:
#
# $$y_i-f_{-i}(x_i)=\frac{y_i-f(x_i)}{1-H_{ii}}. \tag{12}$$
#
# **Step 9.** Since $I-H=\lambda(K+\lambda I)^{-1}$, numerator and denominator both carry a $\lambda$, and
#
# $$y_i-f_{-i}(x_i)=\frac{\alpha_i}{\big[(K+\lambda I)^{-1}\big]_{ii}}. \tag{13}$$


# %% key="loo-verify"
def refit_without(i, X, y, sigma, lam):
    keep = np.arange(len(y)) != i
    return y[i] - KernelRidge(Gaussian(sigma), lam=lam).fit(X[keep], y[keep]).predict(X[[i]])[0]


model = KernelRidge(Gaussian(0.5), lam=0.5).fit(sinc.X, sinc.y)
slow = np.array([refit_without(i, sinc.X, sinc.y, 0.5, 0.5) for i in range(30)])
verify("(13) equals 30 refits, point by point", model.loo_residuals(), slow)
H = K @ np.linalg.inv(K + 0.5 * np.eye(30))
verify("... and so does (12)", (sinc.y - model.predict(sinc.X)) / (1 - np.diag(H)), slow)
verify(
    "left-out residuals are larger than training residuals",
    np.all(np.abs(slow) >= np.abs(sinc.y - model.predict(sinc.X))),
)

# %% [markdown] key="loo-path" slide="subslide"
# **A whole path for the price of one.** With the eigenbasis of (10), $(K+\lambda I)^{-1}=Q\,\mathrm{diag}\big(\tfrac1{w_j+\lambda}\big)Q^\top$
# for *every* $\lambda$. One eigendecomposition, $O(n^3)$; then each further $\lambda$ costs $O(n^2)$. That is
# `loo_path`:

# %% key="loo-path-figure"
lams = np.logspace(-5, 2, 57)
path = loo_path(Gaussian(0.5)(sinc.X), sinc.y, lams)
t = np.arange(-3, 3, 0.05)[:, None]
fits = [KernelRidge(Gaussian(0.5), lam=v).fit(sinc.X, sinc.y) for v in lams]
train = np.array([np.mean((sinc.y - m.predict(sinc.X)) ** 2) for m in fits])
truth = np.array([np.mean((np.sinc(t[:, 0]) - m.predict(t)) ** 2) for m in fits])

# %% key="loo-path-picture" hide="input"
fig, ax = plt.subplots()
ax.plot(lams, train, label="training error", **cycle(0))
ax.plot(lams, path.mse, label="leave-one-out error", **cycle(1))
ax.plot(lams, truth, label="error against the true curve", **cycle(2))
ax.axvline(path.best_lam, color="#777777", linewidth=1, linestyle=":")
ax.set(xscale="log", yscale="log", xlabel="λ", ylabel="mean squared error", ylim=(3e-3, 0.3))
ax.legend(loc="upper left")
show(
    fig,
    alt="Three mean squared errors against the penalty on logarithmic axes, for the sinc samples and width 0.5. The "
    "training error falls steadily as the penalty shrinks. The leave-one-out error has its minimum at a penalty of "
    "0.1, the error against the true curve at about 0.5; both rise on both sides.",
)

# %% [markdown] key="loo-path-reading"
# The training error only ever falls as $\lambda\to0$: it would choose interpolation. The leave-one-out error
# turns up again at both ends, as the green curve does, *which we can draw only because we know the truth here*. Its
# level says little, because it compares with noisy values, of variance $0.15^2=0.0225$; its minimum is what
# counts. With 30 points that minimum (dotted line) is itself uncertain: here it asks for a fifth of the penalty that
# would have been best, and pays for it with an error of 0.0130 instead of 0.0074.

# %% key="loo-path-verify"
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
verify("... and at the best λ, known only to who knows the truth", truth.min(), "0.0074")
print(
    f"leave-one-out chooses λ = {path.best_lam:.3f}, the truth would choose {lams[truth.argmin()]:.3f}"
)
for sigma, quoted in ((0.2, "0.044965"), (0.5, "0.028521"), (1.0, "0.043831")):
    verify(
        f"σ = {sigma:g}, λ = 0.5: leave-one-out MSE",
        loo_path(Gaussian(sigma)(sinc.X), sinc.y, [0.5]).mse[0],
        quoted,
    )

# %% [markdown] key="loo-notes" slide="notes"
# <details><summary>For the lecturer (10 min)</summary>
#
# Step 8 is the one that feels like cheating. Stop there and let them argue why the invented point changes nothing.
# Then ask for the value of H_ii when a point is far from all others (k(x_i,x_i)/(k(x_i,x_i)+λ)), and what (12)
# gives: the point is predicted by 0.
#
# </details>

# %% [markdown] key="knobs" slide="slide"
# ## Turn the knobs
#
# **Predict first, then move.** Write your three answers down.
#
# 1. You make the penalty $\lambda$ a thousand times larger. Does the curve get more complex or simpler?
#    How many of the 30 coefficients $\alpha_i$ become exactly 0?
# 2. You halve the width $\sigma$. Must $\lambda$ grow or shrink to keep the degrees of freedom?
# 3. The map on the right shows the leave-one-out error. Is its best region a round spot or a valley, and
#    which way does it lean?

# %% key="knobs-figure" hide="input"
knobs = smoothing_explorer(
    sinc,
    np.sinc,
    fit=lambda sigma, lam: KernelRidge(Gaussian(sigma), lam=lam).fit(sinc.X, sinc.y),
    loo=lambda sigma, lams: loo_path(Gaussian(sigma)(sinc.X), sinc.y, lams).mse,
)

# %% [markdown] key="knobs-reading"
# *What just happened.* A larger $\lambda$ flattens the curve towards 0 and the degrees of freedom fall; the
# count of zeros never leaves 0. A narrower kernel buys flexibility, and more penalty gives it back: for a kernel
# half as wide, $\lambda$ must **grow**. On the map the good settings therefore form a slanted valley: for wide
# kernels tiny penalties, for narrower ones larger penalties. Along its floor very different $(\sigma,\lambda)$
# predict equally well, so do not read meaning into the third digit of either.


# %% key="knobs-verify"
def best(sigma):
    return loo_path(Gaussian(sigma)(sinc.X), sinc.y, np.logspace(-6, 2, 161))


def df_at(sigma, lam):
    return KernelRidge(Gaussian(sigma), lam=lam).fit(sinc.X, sinc.y).effective_df()


verify(
    "a thousand times the penalty: fewer degrees of freedom", df_at(0.5, 500.0) < df_at(0.5, 0.5)
)
verify("half the width at the same λ: more degrees of freedom", df_at(0.25, 0.5) > df_at(0.5, 0.5))
verify("... so λ must grow to keep them", df_at(0.25, 5.0) < df_at(0.5, 0.5))
verify(
    "the valley leans: the best λ falls as σ grows from 0.4 to 1.2",
    best(0.4).best_lam > best(0.8).best_lam > best(1.2).best_lam,
)

# %% [markdown] key="knobs-notes" slide="notes"
# <details><summary>For the lecturer (8 min)</summary>
#
# Show of hands for each question before touching a slider. The valley surprises most: ask what a grid search with
# five values of each would make of it.
#
# </details>

# %% [markdown] key="stable" slide="slide"
# ## Solve, never invert
#
# $\alpha=(K+\lambda I)^{-1}y$ is a *formula*. The *computation* is a Cholesky factor $K+\lambda I=LL^\top$ and two
# triangular solves: a third of the work of an inverse. And it loses far fewer digits. To see it take targets
# **without noise**, as a computer simulation gives them; then one wants $\lambda$ tiny, and the eigenvalues of
# $K+\lambda I$ spread over many orders of magnitude. The test is the residual: $(K+\lambda I)\alpha$ should be $y$.

# %% key="stable-figure"
K1, clean = Gaussian(1.0)(sinc.X), np.sinc(sinc.X[:, 0])
small = np.logspace(-13, 0, 27)


def residual(alpha, lam, y):
    return np.linalg.norm((K1 + lam * np.eye(30)) @ alpha - y) / np.linalg.norm(y)


by_cholesky = np.array([residual(krr_fit(K1, clean, v), v, clean) for v in small])
inverses = [np.linalg.inv(K1 + v * np.eye(30)) for v in small]
by_inverse = np.array([residual(G @ clean, v, clean) for G, v in zip(inverses, small, strict=True)])

# %% key="stable-picture" hide="input"
fig, ax = plt.subplots()
ax.plot(small, by_inverse, label="np.linalg.inv(K + λI) @ y", **cycle(1))
ax.plot(small, by_cholesky, label="Cholesky factor, then solve", **cycle(0))
ax.set(xscale="log", yscale="log", xlabel="λ", ylabel="relative residual")
ax.legend()
show(
    fig,
    alt="Relative residual of the linear system against the penalty on logarithmic axes, noise-free targets. Both "
    "lines start near rounding, 1e-16, for a penalty of 1. Towards a penalty of 1e-13 the explicit inverse's "
    "residual climbs to about a thousandth, that of the Cholesky solve only to about 1e-10.",
)

# %% [markdown] key="stable-reading"
# For $\lambda=1$ nobody notices. At the left end the inverse keeps two or three digits of $y$, while the solve still has
# nine or ten. (With *noisy* targets and such a $\lambda$ both are poor: then $\alpha$ itself is huge, and the problem,
# not the algorithm, is at fault.) Cholesky also *refuses* when $K+\lambda I$ is not positive definite in floating
# point, which is better than a number without meaning:

# %% key="stable-verify"
ratio = by_inverse / by_cholesky
verify(
    "at λ below 1e-10 the inverse's residual is over 10 000 times larger",
    np.all(ratio[small < 1e-10] > 1e4),
)
verify(
    "at λ below 1e-10 the solve keeps more than eight digits",
    np.all(by_cholesky[small < 1e-10] < 1e-8),
)
try:
    KernelRidge(Gaussian(1.0), lam=1e-20).fit(np.vstack([sinc.X, sinc.X]), np.tile(sinc.y, 2))
except ValueError as error:
    verify(
        "a penalty below rounding is refused, and the message says what to do",
        "take lam of at least" in str(error),
    )

# %% [markdown] key="primal-dual" slide="slide"
# ## Primal or dual?
#
# Two ways to the same $f$:
#
# | | unknowns | matrix | multiplications | when |
# |---|---|---|---|---|
# | **primal** (1) | $w$: $d$ numbers | $\Phi^\top\Phi+\lambda I$ | $nd^2+d^3/3$ | few features, many points |
# | **dual** (7) | $\alpha$: $n$ numbers | $\Phi\Phi^\top+\lambda I$ | $n^2d+n^3/3$ | many or infinitely many features, or only a kernel |
#
# The dual is often introduced "for $d>n$". It is *right* for any $d$ and $n$; what changes is the bill. A real
# case: 442 diabetes patients, 10 measurements each (age, sex, body mass index, blood pressure, six serum
# values), and the target is how far the disease progressed in a year.

# %% key="primal-dual-verify"
patients = load_diabetes()
F, progression = patients.X, patients.y
n, d = F.shape
print(f"{n} patients, {d} features: the dual has {n} unknowns, the primal {d}")

w = np.linalg.solve(F.T @ F + 1.0 * np.eye(d), F.T @ progression)
dual = KernelRidge(Linear(), lam=1.0).fit(F, progression)
verify("primal and dual predict the same for all patients", F @ w, dual.predict(F))
verify("w is Φᵀα here, too", w, F.T @ dual.coef_)
verify(
    "the first three fitted values", (F @ w)[:3], [30.53987004, -61.13487760, 13.97999181], tol=1e-8
)
cost = {"primal": n * d**2 + d**3 / 3, "dual": n**2 * d + n**3 / 3}
print(
    f"multiplications: primal {cost['primal']:,.0f}, dual {cost['dual']:,.0f}: {cost['dual'] / cost['primal']:.0f} times as many"
)

# %% [markdown] key="primal-dual-predict" slide="subslide"
# **Predict first.** The sliders below start at this case, $n\approx450$ and $d=10$.
#
# 1. Where do the two curves cross: at $d=n$, far below, or far above?
# 2. At $n=450$, from which $d$ on would you switch to the dual?
# 3. Double both $n$ and $d$: by which factor does each cost grow?

# %% key="primal-dual-figure" hide="input"
from time import perf_counter


def time_both(n, d):
    """Seconds for the primal and for the dual solution on this machine."""
    rng = np.random.default_rng(0)
    Phi, y = rng.normal(size=(n, d)), rng.normal(size=n)
    start = perf_counter()
    np.linalg.solve(Phi.T @ Phi + np.eye(d), Phi.T @ y)
    middle = perf_counter()
    Phi.T @ np.linalg.solve(Phi @ Phi.T + np.eye(n), y)
    return middle - start, perf_counter() - middle


bill = cost_explorer(time_both)

# %% [markdown] key="primal-dual-reading"
# They cross exactly at $d=n$, where both matrices are square of the same size. Doubling both multiplies either
# cost by 8: cubic growth. For the patients the primal is several hundred times cheaper. "The kernel trick is
# faster" is therefore not a rule; it is what happens when $d$ is huge. With a Gaussian kernel $d$ is infinite and
# the dual is the only one that can be written down.


# %% key="primal-dual-verify-2"
def multiplications(n, d):
    return np.array([n * d**2 + d**3 / 3, n**2 * d + n**3 / 3])


verify("at d = n both cost the same", multiplications(450, 450)[0], multiplications(450, 450)[1])
verify(
    "primal cheaper below d = n, dual above",
    np.all(multiplications(450, 449) @ [1, -1] < 0 < multiplications(450, 451) @ [1, -1]),
)
verify(
    "doubling both multiplies the costs by 8",
    multiplications(900, 20) / multiplications(450, 10),
    8.0,
)

# %% [markdown] key="primal-dual-notes" slide="notes"
# <details><summary>For the lecturer (7 min)</summary>
#
# Question 2 is the useful one. Follow with: and if there are 450 patients and 20 000 genes? And if there are ten
# million patients and 20 000 genes? (Neither: chapter 10.)
#
# </details>

# %% [markdown] key="crash" slide="slide"
# ## Back to the crash
#
# Now the helmet. We choose $\sigma$ and $\lambda$ together, by leave-one-out over a grid, and set the result
# beside what one would try first: the mean, a line, polynomials, and the moving average of chapter 1
# (Nadaraya–Watson). Every method is judged by leave-one-out, each with its own best setting.

# %% key="crash-tune"
X, y = crash.X, crash.y
sigmas, lams = np.logspace(-0.3, 1.3, 33), np.logspace(-3, 2, 41)


def tune(X, y):
    """The pair (σ, λ) of least leave-one-out error, and that error."""
    table = np.array([loo_path(Gaussian(s)(X), y, lams).mse for s in sigmas])
    i, j = np.unravel_index(table.argmin(), table.shape)
    return sigmas[i], lams[j], table[i, j]


def loo_of_smoother(S, y):
    """Any method with fitted values Sy, S independent of y, obeys (12)."""
    return np.mean(((y - S @ y) / (1 - np.diag(S))) ** 2)


def polynomial(X, y, degree):
    u = (X[:, 0] - 30) / 27.6  # 2.4…57.6 ms to [-1, 1]
    V = np.polynomial.chebyshev.chebvander(u, degree)
    return loo_of_smoother(V @ np.linalg.pinv(V), y)


def moving_average(X, y, sigma):
    W = Gaussian(sigma)(X)
    return loo_of_smoother(W / W.sum(axis=1, keepdims=True), y)


sigma, lam, ridge_mse = tune(X, y)
widths = np.arange(0.5, 5, 0.01)
average = [moving_average(X, y, s) for s in widths]

rows = {
    "the mean": polynomial(X, y, 0),
    "a straight line": polynomial(X, y, 1),
    "a polynomial of degree 8": polynomial(X, y, 8),
    "a polynomial of degree 15": polynomial(X, y, 15),
    "a polynomial of degree 20": polynomial(X, y, 20),
    f"moving average, σ = {widths[np.argmin(average)]:.2f} ms": min(average),
    f"kernel ridge, σ = {sigma:.1f} ms, λ = {lam:.3f}": ridge_mse,
}
print("leave-one-out mean squared error (g²)")
for name, mse in rows.items():
    print(f"{name:40s}{mse:10.0f}")

# %% [markdown] key="crash-table-reading"
# Kernel ridge regression wins, with 531 g² against 596 for the moving average. The polynomials show why one wants
# more than a list of powers: degree 15 is good, degree 20 is absurd, and nothing warned us in between. But our
# number is still a little vain: we *chose* $\sigma$ and $\lambda$ because they made it small. And 39 of the 133
# times occur more than once, so a left-out point often leaves a twin behind.

# %% key="crash-table-verify"
verify("kernel ridge, leave-one-out (g²)", ridge_mse, "531")
verify("moving average, leave-one-out (g²)", min(average), "595.94")
verify("its best width (ms)", widths[np.argmin(average)], "0.91")
verify("39 times repeat an earlier one", len(X) - len(np.unique(X)) == 39)
verify(
    "degree 20 is hundreds of times worse than degree 15",
    polynomial(X, y, 20) > 100 * polynomial(X, y, 15),
)

# %% [markdown] key="crash-honest" slide="subslide"
# **Two honest repairs.** Leave out all points of one *time* together: with $B$ the set of indices left out,
# (13) becomes a small system, $\;r_B=\big([(K+\lambda I)^{-1}]_{BB}\big)^{-1}\alpha_B$. And judge the *whole recipe*,
# tuning included, on folds that had no part in it (nested cross-validation).


# %% key="crash-nested"
def leave_times_out(X, y, sigma, lam):
    K = Gaussian(sigma)(X)
    G = np.linalg.inv(K + lam * np.eye(len(y)))  # for its diagonal blocks: no solve gives those
    alpha, r = krr_fit(K, y, lam), np.empty(len(y))
    for time in np.unique(X):
        B = np.flatnonzero(X[:, 0] == time)
        r[B] = np.linalg.solve(G[np.ix_(B, B)], alpha[B])
    return r


repeated = X[1:, 0][np.diff(X[:, 0]) == 0]  # the times that occur again
twin = np.flatnonzero(X[:, 0] == repeated[0])
rest = np.setdiff1d(np.arange(len(y)), twin)
refit = y[twin] - KernelRidge(Gaussian(sigma), lam=lam).fit(X[rest], y[rest]).predict(X[twin])
verify(
    "the block formula equals a refit without that time",
    leave_times_out(X, y, sigma, lam)[twin],
    refit,
    tol=1e-8,
)
print(f"leave-one-time-out: {np.mean(leave_times_out(X, y, sigma, lam) ** 2):.0f} g²")

times = np.unique(X)
fold_of_time = np.random.default_rng(0).permutation(len(times)) % 10
fold = fold_of_time[np.searchsorted(times, X[:, 0])]  # all points of one time in one fold
errors = {"the mean": [], "moving average": [], "kernel ridge": []}
for k in range(10):
    train, test = fold != k, fold == k
    s, penalty, _ = tune(X[train], y[train])
    fold_model = KernelRidge(Gaussian(s), lam=penalty).fit(X[train], y[train])
    errors["kernel ridge"].append(y[test] - fold_model.predict(X[test]))
    s = min(np.arange(0.5, 5, 0.05), key=lambda s: moving_average(X[train], y[train], s))
    W = Gaussian(s)(X[test], X[train])
    errors["moving average"].append(y[test] - W @ y[train] / W.sum(axis=1))
    errors["the mean"].append(y[test] - y[train].mean())
for name, e in errors.items():
    print(f"nested, ten folds of whole times, {name}: {np.mean(np.concatenate(e) ** 2):.0f} g²")

# %% [markdown] key="crash-nested-reading"
# The verdict survives both repairs. How much better could *any* curve be? Where a time was measured more than once, the
# measurements differ among themselves, and no function of time can predict that difference. Pooled over the repeated
# times, this pure scatter has a variance of 600 g², an estimate good to about a quarter of itself. So 531 g² is at the
# floor already: no curve, of whatever method, will do much better.

# %% key="crash-floor"
groups = [y[X[:, 0] == time] for time in np.unique(repeated)]
scatter = sum(((g - g.mean()) ** 2).sum() for g in groups) / sum(len(g) - 1 for g in groups)
verify("variance among measurements at the same time (g²)", scatter, "600")
free = sum(len(g) - 1 for g in groups)
verify("relative standard error of that estimate: about a quarter", np.sqrt(2 / free) < 0.25)

# %% key="crash-figure"
final = KernelRidge(Gaussian(sigma), lam=lam).fit(X, y)
t = np.linspace(-8, 75, 500)[:, None]
best_width = widths[np.argmin(average)]
W = Gaussian(best_width)(t, X)
inside = (t[:, 0] > 1) & (t[:, 0] < 59)

# %% key="crash-picture" hide="input"
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
    alt="The crash data with two fits. The moving average follows the dots in many small wiggles. The kernel ridge curve is "
    "smooth: a small rise before 14 ms, a deep trough of about -120 g at 21 ms, a peak of about 40 g at 32 ms, a shallow "
    "second dip and rest. In the shaded regions outside the data it swings and then returns to 0.",
)

# %% [markdown] key="crash-reading"
# This answers the question we began with. The curve has one trough, near 21 ms, of about −120 g; one rebound, near
# 32 ms, of about 40 g; and it needs 10.4 degrees of freedom for it. The wiggles of the moving average are noise.
#
# Look also at what is *not* right. Before 14 ms the curve waves a little although nothing happens: one $\sigma$ has
# to serve both the calm and the storm. Outside the data (shaded) it swings and then falls to **0**, whatever the
# data say. And it is drawn with the same confidence everywhere, although the scatter at 5 ms and at 35 ms could
# not differ more. The last point is what chapter 4 is for.

# %% key="crash-verify"
curve = final.predict(t)
within = np.flatnonzero((t[:, 0] >= 2.4) & (t[:, 0] <= 57.6))
low, high = within[curve[within].argmin()], within[curve[within].argmax()]
print(
    f"trough {curve[low]:.1f} g at {t[low, 0]:.1f} ms, rebound {curve[high]:.1f} g at {t[high, 0]:.1f} ms, df {final.effective_df():.1f}"
)
calm, storm = X[:, 0] < 14, (X[:, 0] > 25) & (X[:, 0] < 40)
resid = y - final.predict(X)
verify(
    "the scatter in the storm is over five times that in the calm",
    resid[storm].std() > 5 * resid[calm].std(),
)
verify("far outside, the curve is 0", final.predict([[200.0]]), 0.0)

# %% [markdown] key="crash-notes" slide="notes"
# <details><summary>For the lecturer (12 min)</summary>
#
# Take out the papers from the beginning. Ask who would sell a helmet on the strength of this curve, and what they
# would want to know first (an uncertainty). Ask why a polynomial of degree 20 fails although its training error is
# smaller than that of degree 15.
#
# </details>

# %% [markdown] key="patients" slide="slide"
# ## Does a kernel always help?
#
# No. Back to the patients: is progression a *curved* function of the ten measurements? Nested cross-validation,
# ten folds, five random partitions; each method tunes itself inside the training folds.

# %% key="patients-nested"
Z, lams_p = patients.X * np.sqrt(442), np.logspace(-1, 4, 21)  # columns of standard deviation 1
kernels = {"linear": [Linear()], "Gaussian": [Gaussian(s) for s in (2, 4, 8, 16, 32)]}


def tuned_errors(candidates, train, test):
    mean = progression[train].mean()  # no intercept in the method: centre by hand
    paths = [loo_path(k(Z[train]), progression[train] - mean, lams_p) for k in candidates]
    best = int(np.argmin([p.mse.min() for p in paths]))
    model = KernelRidge(candidates[best], lam=paths[best].best_lam).fit(
        Z[train], progression[train] - mean
    )
    return progression[test] - mean - model.predict(Z[test])


def nested(name, seed):
    fold, errors = np.random.default_rng(seed).permutation(442) % 10, []
    for k in range(10):
        train, test = np.flatnonzero(fold != k), np.flatnonzero(fold == k)
        if name == "mean":
            errors.append(progression[test] - progression[train].mean())
        else:
            errors.append(tuned_errors(kernels[name], train, test))
    return np.mean(np.concatenate(errors) ** 2)


results = {
    name: np.array([nested(name, seed) for seed in range(5)])
    for name in ("mean", "linear", "Gaussian")
}
for name, mse in results.items():
    print(f"{name:10s} {mse.mean():6.0f}  (five partitions: {mse.min():.0f} to {mse.max():.0f})")
gain = 1 - results["Gaussian"].mean() / results["linear"].mean()
print(f"the Gaussian kernel lowers the linear model's error by {100 * gain:.1f} %")

# %% [markdown] key="patients-reading"
# Both halve the error of the mean, and the Gaussian kernel improves on the straight line by about two per cent. That
# is no more than the ranges over partitions leave room for; a careful report says "no clear gain from
# curvature". Ten features, 442 patients and much noise: the linear model, with its ten readable weights, is the
# one to publish.

# %% key="patients-verify"
verify(
    "both halve the mean's error, nearly",
    max(results["linear"].mean(), results["Gaussian"].mean()) < 0.52 * results["mean"].mean(),
)
verify("the gain of the Gaussian kernel is below 4 %", 0 < gain < 0.04)

# %% [markdown] key="find-error" slide="slide"
# ## Find the error
#
# A published chapter on this very method comes with a program that has the slip shown below (retold here in our names).
# It runs, it draws three plausible figures, and it is wrong. **Read it before you go on. What does it compute?**
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

# %% [markdown] key="find-error-predict" slide="fragment"
# **Predict first.** Below, the switch goes from the program *as written* to the repaired one. One of the three panels
# does not move at all. Which one, and why is that panel the reason why nobody noticed?


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

# %% [markdown] key="find-error-reading"
# The arguments are **swapped**: the function wants `sigma, lam`, the call gives `lam, sigma`. So the program
# trains with width 0.5 and penalty $\sigma$, then predicts with width $\sigma$. In the middle panel $\sigma=\lambda=0.5$
# and the swap changes nothing; whoever tested with that one number saw a correct program.


# %% key="find-error-verify"
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
# X is n × d and y has n entries: X y does not exist. It is Xᵀy.
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
# np.sinc(x) is sin(πx)/(πx); many books mean sin(x)/x. At x = 0.5 the two differ by a third.
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

# %% key="find-error-more-verify"
X8, y8 = np.random.default_rng(1).normal(size=(8, 3)), np.random.default_rng(2).normal(size=8)
try:
    X8 @ y8
except ValueError:
    verify("X y does not exist for 8 points with 3 features", True)
G = X8.T @ X8 + 0.5 * np.eye(3)
verify(
    "Xᵀy gives the minimiser",
    X8.T @ (y8 - X8 @ np.linalg.solve(G, X8.T @ y8)),
    0.5 * np.linalg.solve(G, X8.T @ y8),
)
inner = np.linalg.inv(G)
j_wrong = np.array(
    [sum(inner[i, j] * sum(y8[k] * X8[k, i] for k in range(8)) for j in range(3)) for i in range(3)]
)
j_right = np.array(
    [sum(inner[i, j] * sum(y8[k] * X8[k, j] for k in range(8)) for j in range(3)) for i in range(3)]
)
verify(
    "in the same lecture's sum the inner index is j, not i", j_right, np.linalg.solve(G, X8.T @ y8)
)
verify("... with i it is another vector", np.abs(j_wrong - j_right).max() > 0.01)
verify("np.sinc(0.5) is sin(π/2)/(π/2)", np.sinc(0.5), 2 / np.pi)
verify(
    "sin(x)/x at 0.5 is larger by more than a third of it",
    np.sin(0.5) / 0.5 - np.sinc(0.5) > np.sin(0.5) / 0.5 / 3,
)

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (8 min)</summary>
#
# Give them two minutes of silence with the code. Somebody finds the title first, then np.random without a seed; the
# swapped call comes last. Ask what test would have caught it: one with σ ≠ λ.
#
# </details>

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

# %% key="sklearn-verify"
from sklearn.kernel_ridge import KernelRidge as SkKernelRidge
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV

theirs = SkKernelRidge(kernel="rbf", gamma=1 / (2 * 0.5**2), alpha=0.5).fit(sinc.X, sinc.y)
ours = KernelRidge(Gaussian(0.5), lam=0.5).fit(sinc.X, sinc.y)
verify("the coefficients agree", ours.coef_, theirs.dual_coef_)
verify("the predictions agree", ours.predict(t), theirs.predict(t))

search = GridSearchCV(
    KernelRidge(Gaussian(1.0)), {"kernel__sigma": [0.2, 0.5, 1.0], "lam": [0.05, 0.5]}, cv=5
)
print("kcourse's estimator in scikit-learn's search:", search.fit(sinc.X, sinc.y).best_params_)

# %% [markdown] key="sklearn-traps" slide="fragment"
# **Traps of the defaults.** `gamma=None` means $1/d$, whatever the scale of your data: standardise, or set it.
# `alpha=1` is neither small nor large; tune it. There is **no intercept**, unlike in `Ridge`, which fits one unless told not to, so the
# "same" linear model gives other predictions:

# %% key="sklearn-traps-verify"
plain = SkKernelRidge(kernel="linear", alpha=1.0).fit(F, progression).predict(F)
verify(
    "linear KernelRidge is Ridge without intercept",
    plain,
    Ridge(alpha=1.0, fit_intercept=False).fit(F, progression).predict(F),
)
gap = np.abs(plain - Ridge(alpha=1.0).fit(F, progression).predict(F)).mean()
print(
    f"with Ridge's default intercept the predictions differ by {gap:.0f} on average (mean of y: {progression.mean():.0f})"
)
verify(
    "gamma=None is 1/d: here gamma 0.1, whatever the units",
    SkKernelRidge(kernel="rbf", alpha=1.0).fit(F, progression).predict(F),
    SkKernelRidge(kernel="rbf", gamma=0.1, alpha=1.0).fit(F, progression).predict(F),
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

# %% key="no-intercept-figure"
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
    alt="Sinc samples shifted up by 5, with three fits. Plain kernel ridge regression stays below the points and falls "
    "to 0 outside the data. The fits with a free bias and with a large constant in the kernel pass through the points "
    "and stay near 5 outside.",
)

# %% key="no-intercept-verify"
shifted = KernelRidge(Gaussian(0.5), lam=0.5).fit(sinc.X, sinc.y).predict(sinc.X) + 5
print(
    f"plain fit of y + 5 against fit of y, plus 5: up to {np.abs(bare.predict(sinc.X) - shifted).max():.1f} apart on the data"
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
# Measured on one thread of one computer (the table in `notebooks/data/ch03_cost.csv`; make your own with
# `python benchmarks/krr_cost.py`):

# %% key="cost-figure"
n_cost, *columns = np.loadtxt("data/ch03_cost.csv", delimiter=",", skiprows=2).T
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
    alt="Measured times in milliseconds against the number of points, 500 to 4000, on logarithmic axes, for four steps. "
    "The factorisation is the steepest line and the most expensive step from 1000 points on; the Gram matrix and "
    "the solve grow about like the square, prediction of 500 points about like n.",
)

# %% [markdown] key="cost-reading"
# The factorisation overtakes everything from about a thousand points on, and its line is the steepest. Memory runs
# out even sooner than patience: $n=100\,000$ points make a matrix of 80 gigabytes. Kernel ridge regression as it
# stands is a method for up to some ten thousand points.
#
# **What chapter 10 does about it:** keep only $m\ll n$ functions $k(t_j,\cdot)$ in (6), chosen from the data
# (Nyström), or replace $\varphi$ by a few hundred random features. Then the primal is cheap again, $O(nm^2)$ time
# and $O(m^2)$ memory, and a million points fit on a laptop.

# %% key="cost-verify"
verify("the factorisation grows at least like n^2.5", slopes["factor"] > 2.5)
verify("it is the steepest of the four", slopes["factor"] == max(slopes.values()))
others = np.maximum(cost["Gram matrix"], cost["solve"])
verify("it is the most expensive step from n = 1000 on", np.all(cost["factor"][big] > others[big]))
verify("a Gram matrix of 100 000 points takes 80 gigabytes", 100_000**2 * 8 / 1e9, 80.0)

# %% [markdown] key="limits" slide="subslide"
# **When not to use it.** More than some ten thousand points (chapter 10). Few features and a linear truth: the
# primal, with its readable weights. Targets with gross outliers: a squared error chases them (chapter 6 changes
# the loss). When you need an error bar: the same $f$ with one, in chapter 4. When you must extrapolate: it returns to
# 0, and says so only if you ask.

# %% [markdown] key="recap" slide="slide"
# ## What to take with you
#
# - The best function is a combination of $n$ sections $k(x_i,\cdot)$ **because** anything orthogonal to them is
#   invisible at the data and costs norm.
# - $\alpha$ is the residual divided by $\lambda$; it is never sparse, and not unique when points repeat. $f$ is unique.
# - $\lambda$ is a low-pass filter on the eigendirections of $K$; the sum of the filter's factors is the number of
#   parameters you really use.
# - One factorisation gives the fit, its degrees of freedom and all $n$ leave-one-out residuals; one
#   eigendecomposition gives them for every $\lambda$.
# - $\sigma$ and $\lambda$ trade against each other along a valley: tune them together, and judge the tuned recipe on data
#   that had no part in it.
# - Copy no $\lambda$ without its criterion, no $\sigma$ without its exponent, and no call without its keywords.

# %% [markdown] key="quiz" slide="slide"
# ## Test yourself
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
# (12): it is divided by 1 − H_ii, and 0 < H_ii < 1 (eigenvalues of H lie between 0 and 1).
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

# %% key="quiz-verify"
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
verify("question 5: 50 000 patients, 20 gigabytes", 50_000**2 * 8 / 1e9, 20.0)
verify("question 6: 3/√2", 3 / np.sqrt(2), "2.12")

# %% [markdown] key="references" slide="skip" numbers="free"
# ## Sources and further reading
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
# - A. Gretton, *Introduction to RKHS, and some simple kernel algorithms* (lecture notes, UCL).
# - B. W. Silverman (1985), *Some aspects of the spline smoothing approach to non-parametric regression curve fitting*,
#   J. R. Statist. Soc. B 47: the motorcycle data. B. Efron, T. Hastie, I. Johnstone and R. Tibshirani (2004), *Least
#   angle regression*, Annals of Statistics 32: the diabetes data.
#
# **Now you:** [the exercises of this chapter](../exercises/ch03_ridge.ipynb), seven functions from one line to a small
# piece of real work. Back to [the start](00_start_here.ipynb).
