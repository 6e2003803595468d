# %% [markdown] key="title"
# # Errata of five good sources
#
# Five public lectures and chapters laid the path of this course. Whoever retraces every formula of somebody else's finds mistakes, and whoever
# finds them owes them to the next reader. So here is all that we found, with thanks to the authors: most of it is a sign, a
# transpose or a letter, of the kind that slides collect and that a voice in the room puts right. Where we are not sure that it *is* a mistake, we say so.
#
# **How to read it.** Each entry says where (the title of the slide or section, as the source has it), what stands there, what is right, and why. Where anything can be computed, a cell below it
# proves both halves: that the repair holds, and that the print does not. The last line leads to the section that
# uses the right version (where JupyterLab opens a chapter at its top, click once more). Formulas keep the letters of their source, only the transpose is
# always $^\top$; the course's own letters are on the [start page](00_start_here.ipynb#Notation). What a source claims *rightly* against expectation is listed, too, so
# that nobody “corrects” it.
#
# **Our own.** This course has mistakes that nobody has found yet. Tell us: the chapter, its section, what stands there, and one number that shows it. The number is the best part; it becomes a test, so that the mistake stays out.

# %% key="setup" hide="input"
import itertools

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import linprog

from kcourse import (
    SVC,
    Gaussian,
    InverseMultiquadric,
    KernelRidge,
    Linear,
    MaxMargin,
    Multiquadric,
    Polynomial,
    Sigmoid,
    Spectrum,
    ThinPlate,
)
from kcourse.kpca import center, center_rows
from kcourse.lab import cycle, show, use_style, verify
from kcourse.rbf import (
    cover_count,
    kmeans,
    lms,
    lms_limit,
    online_kmeans,
    separating_weights,
    spread,
)

use_style()


def slopes(f, at, h=1e-6):
    """The gradient of f by small changes: what every printed gradient is held against."""
    at = np.asarray(at, dtype=float)
    steps = h * np.eye(at.size).reshape(-1, *at.shape)
    return np.array([(f(at + s) - f(at - s)) / (2 * h) for s in steps]).reshape(at.shape)


def least(K):
    """The smallest eigenvalue of the symmetric part."""
    return np.linalg.eigvalsh((K + K.T) / 2)[0]

# %% [markdown] key="harm"
# ## Those that could harm
#
# Most entries cost a reader five minutes. These would spoil an examination, a program or a measurement:
#
# | | whoever follows it … | and gets |
# |---|---|---|
# | E10 | trains a classifier that is *rewarded* for errors | $w=0$, always; in an examination, every case of the loss with its sign reversed |
# | E05, E06, E08 | programs ridge regression with a transpose missing | an error if lucky; with $n=d$, a wrong vector that looks like one |
# | E62 | calls a function with two arguments exchanged | three plausible curves, two of them wrong, and one right by luck |
# | E40 | follows the printed gradient of an RBF network | an error that rises at every step, however small |
# | E43 | normalises a hidden layer with an index too few | the same output at every point |
# | E48 | computes a weight vector from kernel values | a different “$w$” for each point |
# | E56 | takes the bias from a support vector without its label | a bias that is off by 2, and many points on the wrong side |
# | E30, E100 | trusts the multiquadric to be positive definite, and adds $\lambda I$ “to be safe” | a Cholesky factor that does not exist, a system made singular |
# | E25 | leaves out the bias | a network that cannot do the example it was built for |
# | E21 | defines a space by “differentiable almost everywhere” | a function that is not 0 and has length 0 |
# | E66 | carries λ from a page that says “mean” to one that says “sum” | a penalty that is wrong by the number of points |
# | E13, E97 | sets $C\to\infty$ to make a machine right | half of the points wrong, at any $C$ |

# %% [markdown] key="contents"
# ## Where to find an entry
#
# | source | entries |
# |---|---|
# | IFT6266 | E74, E01, E76, E02, E16, E04, E75, E03, E05, E06, E07, E73, E08, E08b, E09, E78, E12, E10, E77, E15, E11, E13, E14, E72, E71 |
# | Noyaux reproduisants | E81, E24, E79, E17, E18, E19, E20, E21, E21b, E22, E22b, E23, E80 |
# | SYS843, interpolation | E84, E25, E27, E28, E26, E86, E33, E29, E85, E30, E31, E100, E32, E34, E35, E36 |
# | SYS843, networks | E37, E38, E87, E82, E39, E88, E83, E40, E41, E42, E43, E43b, E44, E92, E93, E91 |
# | SYS843, support vector machines | E77, E89, E90, E51, E45, E46, E47, E49, E48, E50 |
# | Máquinas de vector soporte | E61b, E61, E53, E52, E54, E55, E94, E56, E57, E58, E59, E96, E60, E97, E95 |
# | Régression ridge à noyau | E66, E67, E65, E98, E99, E62, E68, E64, E63 |
# | all of them | E69, E70 |
#
# The panel *Table of Contents* at the left of JupyterLab has them by name.

# %% [markdown] key="ift6266"
# ## IFT6266, *Modèles à noyau* (Université de Montréal)
#
# A few pages from neighbours to support vectors, and not a word too many: nobody shows better that all kernel methods are one formula,
# $f(x)=\sum_i\alpha_ik(x,x_i)$. Merci; chapters 1, 3 and 6 go the way of these pages.

# %% [markdown] key="E74"
# ### E74. A set named by another letter
#
# *Where: “Modèles à noyau classiques”.*
#
# **Printed:** $K(u,v)=1$ if $v\in\mathcal V_k(u)$, and then the definition of $\mathcal V_k(v)$. **Better:** define $\mathcal V_k(u)$, the $k$ points of the data nearest to $u$.
#
# Not wrong, since a definition may use any letter. But in one sentence $v$ is the neighbour and the one who has neighbours, and E01 shows that this matters.

# %% [markdown] key="E01"
# ### E01. The indicator of the nearest is a kernel of one kind only
#
# *Where: “Modèles à noyau classiques”.*
#
# **Printed:** $K(u,v)=1_{v\in\mathcal V_k(u)}$, among *kernel* machines. **Correct:** it is a weight function; it is no inner product.
#
# $v$ may be among the nearest of $u$ while $u$ is not among those of $v$. Even made symmetric it has a negative eigenvalue: with $k=2$ and the points below, $(1-\sqrt2)/2$.

# %% key="E01-proof"
x = np.array([0.0, 1.0, 1.9, 4.0])
nearest = np.argsort(np.abs(x[:, None] - x), axis=1)[:, :2]  # k = 2; a point is its own neighbour
K = np.zeros((4, 4))
np.put_along_axis(K, nearest, 1.0, axis=1)
verify("0 is no neighbour of 1, though 1 is one of 0", (K[0, 1], K[1, 0]) == (1, 0))
verify("made symmetric, an eigenvalue is negative", least(K), (1 - np.sqrt(2)) / 2)

# %% [markdown] key="E76"
# ### E76. Parzen's window estimates a density
#
# *Where: “Modèles à noyau classiques”.*
#
# **Printed:** *fenêtre de Parzen* for the quotient $\sum_iy_iK(x,x_i)/\sum_jK(x,x_j)$, “used rather for regression”. **Correct:** Parzen's window is the density $\frac1n\sum_iK(x,x_i)$, with a $K$ that integrates to 1; the quotient is Nadaraya's and Watson's, of 1964.

# %% key="E76-proof"
spots, line = np.array([1.0, 2.0, 4.0]), np.linspace(-10, 15, 5001)
bell = np.exp(-((line[:, None] - spots) ** 2) / 2)
verify(
    "the window, divided by σ√(2π), is a density: its integral is 1",
    np.trapezoid(bell.mean(axis=1) / np.sqrt(2 * np.pi), line),
    1.0,
    tol=1e-8,
)
quotient = bell @ [5.0, 7.0, 6.0] / bell.sum(axis=1)
verify(
    "the quotient averages targets: between 5 and 7 everywhere",
    5 <= quotient.min() and quotient.max() <= 7,
)

# %% [markdown] key="E02"
# ### E02. One sigma, two bells
#
# *Where: “Modèles à noyau classiques” and “Le Truc du Noyau”.*
#
# **Printed:** $e^{-\|u-v\|^2/\sigma^2}$ in the first section, $e^{-\frac12\|x-y\|^2/\sigma^2}$ in the second. **Correct:** either, but they are not the same σ: the first is $\sqrt2$ times the second.

# %% key="E02-proof"
first, second = np.exp(-(1**2) / 0.7**2), np.exp(-0.5 * 1**2 / 0.7**2)
verify("at distance 1 and σ = 0.7 the first says", first, "0.130")
verify("... and the second", second, "0.360")
verify("with σ√2 the first is the second", np.exp(-1 / (0.7 * np.sqrt(2)) ** 2), second)

# %% [markdown] key="E16"
# ### E16. A quotient that may be 0/0
#
# *Where: “Modèles à noyau classiques”.*
#
# **Printed:** $\tilde K=K(x,x_i)/\sum_jK(x,x_j)$, for any $x$. **Correct:** in mathematics. In a computer all bells underflow far from the data, and $0/0$ is no number. Subtract the largest exponent first: nothing changes in the formula.

# %% key="E16-proof"
distances, targets, sigma = np.array([40.0, 41.0]), np.array([2.0, 7.0]), 0.5
exponents = -(distances**2) / (2 * sigma**2)
verify("as printed both bells are exactly 0", np.all(np.exp(exponents) == 0))
weights = np.exp(exponents - exponents.max())
verify("with the largest subtracted: the nearest target", weights @ targets / weights.sum(), 2.0)

# %% [markdown] key="E04"
# ### E04. Sufficient, and necessary
#
# *Where: “Le Truc du Noyau”.*
#
# **Printed:** *la condition suffisante* for $K(x,y)=\varphi(x)^\top\varphi(y)$ is that $K$ be positive semi-definite. **Correct:** it is necessary, too, and that is the half which refutes: $\sum_{ij}c_ic_jK_{ij}=\|\sum_ic_i\varphi(x_i)\|^2\ge0$.
#
# If two points had the Gram matrix below, $\|\varphi(x_1)-\varphi(x_2)\|^2$ would be $0+0-2$.

# %% key="E04-proof"
K = np.array([[0.0, 1.0], [1.0, 0.0]])
c = np.array([1.0, -1.0])
verify("symmetric, but a squared length of -2", c @ K @ c, -2.0)
psd = Gaussian(0.7)(np.array([[0.0], [1.0], [1.9]]))
mu, Q = np.linalg.eigh(psd)
Phi = Q * np.sqrt(mu)  # sufficient: a feature map, written down
verify("for a p.s.d. matrix the features exist", Phi @ Phi.T, psd)

# %% [markdown] key="E75"
# ### E75. Simplest, or most used
#
# *Where: “Le Truc du Noyau” and Máquinas de vector soporte, “Métodos de kernel”.*
#
# **Printed:** the *simplest* kernel is the Gaussian; the Spanish source says, the linear one. **Correct:** the linear one is the simplest, $\varphi(x)=x$; the Gaussian is the one most used.

# %% [markdown] key="E03"
# ### E03. Where the etc. goes wrong
#
# *Where: “Le Truc du Noyau”.*
#
# **Printed:** kernels may be “added, multiplied, etc.” **Correct:** sums, products, positive multiples, limits. Not differences, not maxima or minima.

# %% key="E03-proof"
points = np.random.default_rng(0).normal(size=(12, 2))
A, B = Gaussian(1.0)(points), Linear()(points)
verify("sum and product have no negative eigenvalue", min(least(A + B), least(A * B)) > -1e-12)
wrong = [least(A - B), least(np.maximum(A, B)), least(np.minimum(A, B))]
verify("difference, maximum, minimum have: all below -0.1", max(wrong) < -0.1)

# %% [markdown] key="E05"
# ### E05. A transpose is missing
#
# *Where: “Régression à noyau”.*
#
# **Printed:** $w=(X^\top X+\lambda I)^{-1}X\,y$. **Correct:** $w=(X^\top X+\lambda I)^{-1}X^\top y$.
#
# $X$ is $n\times d$, $y$ has $n$ entries: as printed the product does not exist, unless $n=d$. There it exists, and is not the minimum.

# %% [markdown] key="E06"
# ### E06. An index for another
#
# *Where: “Régression à noyau”.*
#
# **Printed:** $w_i=\sum_jA_{ij}\sum_ky_k\,x_{ki}$, with $A=(X^\top X+\lambda I)^{-1}$. **Correct:** $x_{kj}$ in the inner sum. As printed $j$ occurs once, and the sum over it adds up a row of $A$.

# %% key="E05-E06-proof"
rng = np.random.default_rng(1)
X, y, lam = rng.normal(size=(3, 3)), rng.normal(size=3), 0.5  # n = d, so that all products exist
A = np.linalg.inv(X.T @ X + lam * np.eye(3))


def criterion(w):
    return np.sum((y - X @ w) ** 2) + lam * w @ w


verify("with Xᵀ the gradient vanishes", slopes(criterion, A @ X.T @ y), 0.0, tol=1e-8)
verify("without it, it does not", np.abs(slopes(criterion, A @ X @ y)).max() > 0.1)
double_sum = [np.einsum(f"ij,k,{x}->i", A, y, X) - A @ X.T @ y for x in ("kj", "ki")]
verify(
    "with x_kj the double sum is w, with x_ki it is not",
    [np.abs(d).max() > 0.01 for d in double_sum] == [False, True],
)

# %% [markdown] key="E07"
# ### E07. A conclusion without its reason
#
# *Where: “Régression à noyau”.*
#
# **Printed:** $w=A\sum_ky_kx_k$, “so” $w=\sum_k\alpha_kx_k$. **Correct:** the conclusion. The reason is missing: $A\,x_k$ is not a multiple of $x_k$, so what was shown is a combination of the vectors $A\,x_k$.
#
# The gradient gives the reason, $w=\frac1\lambda X^\top(y-Xw)$, or the identity $(X^\top X+\lambda I)^{-1}X^\top=X^\top(XX^\top+\lambda I)^{-1}$.

# %% key="E07-proof"
X, y = rng.normal(size=(4, 6)), rng.normal(size=4)  # fewer points than features
A = np.linalg.inv(X.T @ X + lam * np.eye(6))
turned = [(A @ v) @ v / np.linalg.norm(A @ v) / np.linalg.norm(v) for v in X]
verify("A x_k points elsewhere than x_k: every cosine is below 0.99", max(turned) < 0.99)
alpha = np.linalg.solve(X @ X.T + lam * np.eye(4), y)
verify("all the same, w is Xᵀα", A @ X.T @ y, X.T @ alpha)

# %% [markdown] key="E73"
# ### E73. Where it pays, and not why it holds
#
# *Where: “Régression à noyau”.*
#
# **Printed:** $d>n$ *because* the prediction is non-linear. **Correct:** non-linear features may be few: degree 2 in one variable has 3, for 8 points. The dual is right for any $d$ and $n$; for $d>n$ it is also cheaper.

# %% key="E73-proof"
t = np.linspace(-1, 1, 8)
Phi, target = np.column_stack([np.ones(8), t, t**2]), np.exp(t)  # d = 3 < n = 8
primal = np.linalg.solve(Phi.T @ Phi + lam * np.eye(3), Phi.T @ target)
dual = Phi.T @ np.linalg.solve(Phi @ Phi.T + lam * np.eye(8), target)
verify("with three features and eight points both give the same w", primal, dual)

# %% [markdown] key="E08"
# ### E08. The same transpose again
#
# *Where: “Régression à noyau”.*
#
# **Printed:** $w=R\,\alpha$, with $\varphi(x_k)$ in the rows of $R$. **Correct:** $w=R^\top\alpha$, as the next line of the page assumes: $Rw=RR^\top\alpha$.

# %% [markdown] key="E08b"
# ### E08b. Checked, and right: the gradient of the dual
#
# *Where: “Régression à noyau”.*
#
# $-2RR^\top y+2RR^\top RR^\top\alpha+2\lambda RR^\top\alpha$, sign for sign. It is *enough* that $(RR^\top+\lambda I)\alpha=y$, as the page says.

# %% key="E08-E08b-proof"
R, y, alpha = rng.normal(size=(4, 3)), rng.normal(size=4), rng.normal(size=4)
M = R @ R.T
verify("R has 3 columns and α 4 entries: R α does not exist", R.shape[1] != len(alpha))
verify("Rᵀα does, and R(Rᵀα) is RRᵀα", R @ (R.T @ alpha), M @ alpha)
verify(
    "the gradient is what small changes say",
    slopes(lambda a: np.sum((y - M @ a) ** 2) + lam * a @ M @ a, alpha),
    -2 * M @ y + 2 * M @ M @ alpha + 2 * lam * M @ alpha,
    tol=1e-7,
)

# %% [markdown] key="E09"
# ### E09. The mean of a Gaussian process, under three conditions
#
# *Where: “Régression à noyau”.*
#
# **Printed:** the same solution as the expectation of a Gaussian process. **Correct:** if $\lambda=\sigma_n^2$ beside the *sum* of squares, the kernels are equal, and the prior mean is 0.
#
# With $\bar y$ taken out first, as programs do on request, the curves differ.

# %% key="E09-proof"
x = np.linspace(0, 3, 9)[:, None]
y, new = np.cos(x[:, 0]) + 2, np.array([[0.4], [5.0]])
K, k = Gaussian(0.8)(x), Gaussian(0.8)(new, x)


def gp_mean(noise_variance, prior_mean=0.0):
    noisy = K + noise_variance * np.eye(9)
    return prior_mean + k @ np.linalg.solve(noisy, y - prior_mean)


ridge = KernelRidge(Gaussian(0.8), lam=0.3).fit(x, y).predict(new)
verify("λ = σ_n², mean 0: the same", ridge, gp_mean(0.3))
verify("another σ_n²: not", np.abs(ridge - gp_mean(0.03)).max() > 0.05)
verify("another prior mean: not", np.abs(ridge - gp_mean(0.3, y.mean())).max() > 1)

# %% [markdown] key="E78"
# ### E78. Slides that are elsewhere
#
# *Where: “Régression par Processus Gaussiens”.*
#
# **Printed:** for Gaussian processes, see another presentation. That is a reference, not a mistake; the slides are not part of the source, so chapter 4 follows the textbooks.

# %% [markdown] key="E12"
# ### E12. The 1 is no distance
#
# *Where: “Classificateurs à marge maximale”.*
#
# **Printed:** examples shall be *at a distance of at least 1* from the decision surface. **Correct:** at $y\,f(x)\ge1$. The distance is $y\,f(x)/\|w\|$, at least $1/\|w\|$.

# %% key="E12-proof"
trio, trio_y = np.array([[2.0, 2.0], [3.0, 2.0], [1.0, 1.0]]), np.array([1, 1, -1])
hard = MaxMargin().fit(trio, trio_y)
w, b = hard.weights_, hard.intercept_
verify("three points: the least y f is 1", (trio_y * (trio @ w + b)).min(), 1.0, tol=1e-8)
verify(
    "the foot of the first is √2/2 away",
    np.linalg.norm(trio[0] - [1.5, 1.5]),
    1 / np.linalg.norm(w),
    tol=1e-8,
)
verify("... it lies on the plane", w @ [1.5, 1.5] + b, 0.0, tol=1e-8)

# %% [markdown] key="E10"
# ### E10. A loss that rewards errors
#
# *Where: “Classificateurs à marge maximale” and “SVMs”.*
#
# **Printed:** $Q=\frac12\|w\|^2+C\sum_i(y_if(x_i)-1)_+$, and the same bracket again at the end. **Correct:** $(1-y_if(x_i))_+$.
#
# As printed $w=0$, $b=0$ costs nothing at all, which nobody can beat. A point three units on its right side costs 2, one three units on its wrong side is free.

# %% key="E10-proof"
def printed(margin):
    return np.maximum(margin - 1, 0)


def hinge(margin):
    return np.maximum(1 - margin, 0)


verify("printed: y f = 3 costs 2, y f = -3 nothing", printed(np.array([3.0, -3.0])), [2.0, 0.0])
verify("right: y f = 3 costs nothing, y f = -3 costs 4", hinge(np.array([3.0, -3.0])), [0.0, 4.0])
verify(
    "at w = 0, b = 0 the printed Q is 0, the right one C a point",
    (printed(0.0), hinge(0.0)) == (0, 1),
)

# %% key="E10-figure" hide="input"
margin = np.linspace(-3, 3, 200)
fig, axes = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
axes[0].plot(margin, hinge(margin), **cycle(0), label="$(1-yf)_+$, right")
axes[0].plot(margin, printed(margin), **cycle(1), label="$(yf-1)_+$, printed")
axes[0].set(xlabel="$y\\,f(x)$", ylabel="cost of a point", title="what a point costs")
axes[0].legend(loc="upper center")
line, signs = np.array([-2.0, -1.0, 0.5, 1.5, 2.0]), np.array([-1, -1, 1, 1, 1])
slope = np.linspace(-1, 3, 200)
for i, (loss, name) in enumerate(((hinge, "right"), (printed, "printed"))):
    Q = slope**2 / 2 + loss(np.outer(slope, line * signs)).sum(axis=1)
    axes[1].plot(slope, Q, **cycle(i), label=name)
    lowest = slope[np.argmin(Q)]
    if name == "right":
        verify("with the hinge the best slope is above ½", lowest > 0.5)
    else:
        verify("with the printed loss it is 0, up to the grid", abs(lowest) < 0.02)
axes[1].set(xlabel="$w$", ylabel="$Q$", ylim=(0, 10), title="five separable points, $f(x)=wx$")
axes[1].legend(loc="upper right")
show(
    fig,
    alt="Left: the hinge falls to 0 at y f = 1 and stays there; the printed loss is 0 up to 1 and "
    "rises beyond it. Right: the criterion of five separable points; with the hinge its lowest "
    "place is at a positive slope, with the printed loss at slope 0.",
)

# %% [markdown] key="E77"
# ### E77. Whose machine, and when
#
# *Where: “Classificateurs à marge maximale” and SYS843, “4. Séparateurs à vaste marge”.*
#
# **Printed:** *Vapnik (livres de 1995)* here, *Vapnik, 1992* in SYS843. **More precisely:** B. Boser, I. Guyon and V. Vapnik, 1992 (maximum margin with a kernel); C. Cortes and V. Vapnik, 1995 (slack); Vapnik's books are of 1995 and 1998.

# %% [markdown] key="E15"
# ### E15. Conjugate gradients need a gradient
#
# *Where: “Classificateurs à marge maximale”.*
#
# **Printed:** $Q$ can be minimised by conjugate gradients. **Correct:** the hinge has a corner at $y\,f=1$, with slope $-1$ on one side and 0 on the other. Sub-gradients work, as in the stochastic descent that the same sentence names; or its square, which has no corner.

# %% key="E15-proof"
h = 1e-6
left, right = (hinge(1.0) - hinge(1 - h)) / h, (hinge(1 + h) - hinge(1.0)) / h
verify(
    "slopes of the hinge at 1, from the left and the right", [left, right], [-1.0, 0.0], tol=1e-9
)
left, right = (-(hinge(1 - h) ** 2) / h, hinge(1 + h) ** 2 / h)  # the square is 0 at 1 itself
verify("its square has one slope there, 0, from both sides", [left, right], 0.0, tol=1e-5)

# %% [markdown] key="E11"
# ### E11. A half that comes and goes
#
# *Where: “Classificateurs à marge maximale”.*
#
# **Printed:** $\frac12\|w\|^2+C\sum_i\xi_i$, and a few lines later $\|w\|^2+C\sum_i\xi_i$. **Correct:** either; but one $C$ is twice the other.

# %% key="E11-proof"
cloud = np.random.default_rng(2).normal(size=(40, 2))
side = np.where(cloud @ [1.0, 0.5] + 0.8 * np.random.default_rng(3).normal(size=40) > 0, 1, -1)


def weights_for(C):
    """The minimiser of ½‖w‖² + C Σξ, by our solver."""
    return cloud.T @ SVC(Linear(), C=C, tol=1e-10).fit(cloud, side).dual_coef_


def whole_norm(w, C):
    """min over b of ‖w‖² + C Σξ."""
    f = cloud @ w
    return w @ w + C * min(hinge(side * (f + b)).sum() for b in side - f)  # b at a corner


best, other = weights_for(0.5), weights_for(1.0)
verify(
    "‖w‖² with C = 1: the w of ½‖w‖² with C = ½ is better",
    whole_norm(best, 1.0) < whole_norm(other, 1.0) - 1e-3,
)
around = [whole_norm(best + 1e-3 * d, 1.0) for d in np.random.default_rng(4).normal(size=(50, 2))]
verify("... and nothing around it is better still", min(around) >= whole_norm(best, 1.0) - 1e-9)

# %% [markdown] key="E13"
# ### E13. A hard constraint, if it can be met
#
# *Where: “Classificateurs à marge maximale”.*
#
# **Printed:** with $C\to\infty$ all examples must be on the right side of the margin. **Correct:** if some plane separates them. Else the hard problem has no solution, and no $C$, however large, makes one.

# %% key="E13-proof"
spots, marks = np.array([0.0, 1.0, 2.0, 3.0]), np.array([-1, 1, -1, 1])
demanded = linprog(  # is there any (w, b) with y (w x + b) ≥ 1?
    [0, 0],
    A_ub=-marks[:, None] * np.column_stack([spots, np.ones(4)]),
    b_ub=-np.ones(4),
    bounds=(None, None),
)
verify("-, +, -, + on a line: no w, b satisfy the hard constraints", demanded.status == 2)
for C in (1.0, 1e3):
    soft = SVC(Linear(), C=C, tol=1e-10).fit(spots[:, None], marks)
    verify(f"C = {C:g}: half are wrong", soft.score(spots[:, None], marks), 0.5)

# %% [markdown] key="E14"
# ### E14. One letter, two quantities
#
# *Where: “SVMs”, SYS843, “(b) SVM non-linéaires”, slide 6 of 8 and Máquinas de vector soporte, “Clasificadores de margen máximo (VII)”, the second of that name.*
#
# **Printed:** $f=b+\sum_i\alpha_iK(x,x_i)$; the other two sources write $f=b+\sum_i\alpha_iy_iK(x,x_i)$. **Correct:** both, with different α. Here $\alpha_i\in[-C,C]$, there $0\le\alpha_i\le C$.

# %% key="E14-proof"
machine = SVC(Linear(), C=0.5, tol=1e-10).fit(cloud, side)
signed, prices = machine.dual_coef_, machine.multipliers_
verify("the signed ones are y times the others", signed, side * prices)
verify("they reach from -C to C", (signed.min(), signed.max()) == (-0.5, 0.5))

# %% [markdown] key="E72"
# ### E72. Checked, and right: a fraction of the data stays
#
# *Where: “SVMs”.*
#
# **Printed:** asymptotically a fraction of all examples are support vectors, set by the noise. **Confirmed**, and the fraction is known: twice the Bayes error $R^*$, for a kernel that can come near any function and a price that falls slowly enough with $n$ (Steinwart, 2003). It is approached slowly, in the example below from above: a count at finite $n$ does not measure it.

# %% key="E72-proof"
def fraction(n, noise=0.1):
    """Share of support vectors of a threshold on a line; a share `noise` of labels is turned."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(n, 1))
    y = np.where(rng.random(n) < noise, -1, 1) * np.sign(X[:, 0]).astype(int)
    return len(SVC(Gaussian(0.5), C=1.0).fit(X, y).support_) / n


few, many = fraction(100), fraction(800)
verify("100 points, then 800: the share falls", few > many)
verify("... and stays above 2 R* = 0.2", many > 0.2)

# %% [markdown] key="E71"
# ### E71. Squares give kernel regression, without the bias
#
# *Where: “SVMs”.*
#
# **Printed:** with squared error a support vector machine for regression “is classical kernel regression”, without sparsity. **Correct:** without the bias $b$. With one it is the *least-squares* machine: add 5 to all targets, and far away it returns to nearly 5, kernel ridge regression to 0.

# %% key="E71-proof"
x = np.linspace(-2, 2, 20)[:, None]
up = np.sin(2 * x[:, 0]) + 5
plain = KernelRidge(Gaussian(0.5), lam=0.5).fit(x, up)
biased = KernelRidge(Gaussian(0.5), lam=0.5, intercept=True).fit(x, up)
verify("far away, without b: 0", plain.predict([[50.0]]), 0.0)
verify("far away, with b: within a half of 5", abs(biased.predict([[50.0]])[0] - 5) < 0.5)
verify(
    "no coefficient is 0 in either: no sparsity",
    np.all(plain.dual_coef_ != 0) and np.all(biased.dual_coef_ != 0),
)

# %% [markdown] key="map553"
# ## C. Giraud, *Noyaux reproduisants* (École Polytechnique)
#
# A problem class that asks the right questions and leaves the answers to the reader: the shortest way we know from an inner product to
# strings. Merci; chapter 8 answers its four questions on kernel PCA, chapter 9 its space with $k=\min(x,y)$.

# %% [markdown] key="E81"
# ### E81. Words of letters, letters that are words
#
# *Where: “Comment travailler avec des textes? des molécules?”.*
#
# **Printed:** to describe the *words* of an e-mail; a word is a sequence of variable length. **More precisely:** two kernels are meant. For an e-mail the letters *are* words and $k=1$, the bag of words; inside a word, or a protein, $k$-mers of letters are counted.

# %% key="E81-proof"
bag, inside = Spectrum(1), Spectrum(2)
mails = [("buy", "now", "buy"), ("now", "buy")]  # letters are words
verify("bag of words: 2·1 + 1·1", bag(mails)[0, 1], 3.0)
verify("inside a word: banana with itself, 1 + 2² + 2²", inside(["banana"])[0, 0], 9.0)

# %% [markdown] key="E24"
# ### E24. Insulin, with a letter too many
#
# *Where: “Comment travailler avec des textes? des molécules?”.*
#
# **Printed:** a string of 31 letters, *Insuline*. **Correct:** chain B of insulin has 30, and so does the published structure 1ZNI, of the pig: one of the three F in a row must go. It is *one of two* chains, and in man the last letter is T.

# %% key="E24-proof"
as_printed, published = "FVNQHLCGSHLVEALYLVCGERGFFFYTPKA", "FVNQHLCGSHLVEALYLVCGERGFFYTPKA"
verify("31 letters, and 30", (len(as_printed), len(published)) == (31, 30))
without = {as_printed[:i] + as_printed[i + 1 :] for i in range(31)}
verify("one letter less gives the published chain", published in without)
itself = Spectrum(3)([as_printed, published])
verify("it counts: k(x, x) for 3-mers is 29, not 28", np.diag(itself), [29.0, 28.0])

# %% [markdown] key="E79"
# ### E79. Beginnings of proteins
#
# *Where: “Exemple: séquences de protéines”.*
#
# **Printed:** six strings that end in dots; one has a gap, the last two dots, a gap and three more. They are shown as examples of *length*, and as that they serve. They are no data: chapter 9 uses peptides that are complete.

# %% [markdown] key="E17"
# ### E17. Positive, in which language?
#
# *Where: “RKHS: espace de Hilbert à noyau reproduisant”.*
#
# **Printed:** the Gram matrix is *symétrique et positive*. **Correct:** in French, of a symmetric matrix, *positive* means $c^\top Kc\ge0$, and the sentence is correct. Read word by word into English it is wrong: positive entries are neither needed nor enough.

# %% key="E17-proof"
A, B = np.array([[1, -0.5], [-0.5, 1]]), np.array([[1.0, 2.0], [2.0, 1.0]])
verify("a negative entry, and positive semi-definite", least(A), 0.5)
verify("no negative entry, and not", least(B), -1.0)

# %% [markdown] key="E18"
# ### E18. A definition that allows 0
#
# *Where: “Noyau défini positif” and SYS843, “Interpolation”, slide 3 of 6.*
#
# **Printed:** a kernel is *défini positif* if $\sum_{ij}a_ia_jk(x_i,x_j)\ge0$. **Correct:** it is the usual definition. But SYS843 says *positive et définie* and means $>0$. In English, and here: *positive semi-definite* for $\ge0$, *strictly* positive definite for $>0$ on distinct points.

# %% key="E18-proof"
numbers = np.array([[1.0], [2.0], [3.0]])
K = Linear()(numbers)
verify(
    "the linear kernel on three numbers has rank 1: ≥ 0, and not > 0", np.linalg.matrix_rank(K) == 1
)
verify("the Gaussian on the same three is strict", least(Gaussian(1.0)(numbers)) > 0.1)

# %% [markdown] key="E19"
# ### E19. The minimum needs numbers that are not negative
#
# *Where: “Exemples de noyaux”.*
#
# **Printed:** $k(x,y)=\min(x,y)$, *dans* $\mathbb R^d$. **Correct:** $\sum_j\min(x_j,y_j)$ for entries $\ge0$: counts, as in a histogram. At $-1$ the squared length of $\varphi(x)$ would be $\min(-1,-1)=-1$.

# %% key="E19-proof"
counts = np.random.default_rng(0).integers(0, 9, size=(10, 3)).astype(float)
histogram = np.minimum(counts[:, None], counts).sum(axis=2)
verify("of counts, summed over coordinates: no negative eigenvalue", least(histogram) > -1e-12)
verify("of -1: a negative squared length", np.minimum(-1.0, -1.0), -1.0)

# %% [markdown] key="E20"
# ### E20. Checked, and right: the sigmoid is no kernel
#
# *Where: “Exemples de noyaux”.*
#
# **Printed:** $\tanh(a\langle x,y\rangle+b)$, in the list of kernels, with a call-out *non défini positif!!* **Confirmed**, and the exclamation marks are earned: every library offers it.

# %% key="E20-proof"
points = np.random.default_rng(0).normal(size=(40, 2))
verify("tanh(xᵀz): an eigenvalue below -3", least(Sigmoid(1.0, 0.0)(points)) < -3)
verify("tanh(xᵀz - 1): one below -15", least(Sigmoid(1.0, -1.0)(points)) < -15)

# %% [markdown] key="E21"
# ### E21. A function that is not 0 and has length 0
#
# *Where: “Considérons l'espace”.*
#
# **Printed:** the space of functions that are continuous, *differentiable almost everywhere*, with $f'\in L^2$ and $f(0)=0$; $\|f\|^2=\int f'^2$. **Correct:** *absolutely* continuous, that is $f(x)=\int_0^xf'$, with $f'\in L^2$.
#
# Cantor's function is in the space as printed. It is flat on a set of full length, so $f'=0$ almost everywhere and $\|f\|=0$; yet it climbs from 0 to 1. It is the limit of the polygons below, whose energies $\int f'^2=(3/2)^m$ grow without end: in the right norm it is infinitely far away.

# %% key="E21-proof"
def corners(m):
    """Corners of the m-th polygon: the middle third of each rise is made flat."""
    x, y = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    for _ in range(m):
        x = np.concatenate([x / 3, (2 + x) / 3])
        y = np.concatenate([y / 2, (1 + y) / 2])
    return x, y


for m in (1, 4):
    x, y = corners(m)
    dx, dy = np.diff(x), np.diff(y)
    verify(f"m = {m}: flat on 1 - (2/3)^m", dx[dy == 0].sum(), 1 - (2 / 3) ** m)
    verify(
        f"m = {m}: energy (3/2)^m, and the climb is 1", [np.sum(dy**2 / dx), dy.sum()], [1.5**m, 1]
    )

# %% key="E21-figure" hide="input"
fig, axes = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
for i, m in enumerate((1, 2, 7)):
    axes[0].plot(*corners(m), **cycle(i), label=f"$m={m}$")
axes[0].set(xlabel="$x$", ylabel="$f(x)$", title="polygons on the way to Cantor's function")
axes[0].legend(loc="lower right")
steps = np.arange(1, 11)
axes[1].plot(steps, (2 / 3) ** steps, marker="o", **cycle(0), label="length of what still rises")
axes[1].plot(steps, 1.5**steps, marker="s", **cycle(1), label="energy $\\int f'^2$")
axes[1].set(xlabel="$m$", yscale="log", title="flatter and flatter, dearer and dearer")
axes[1].legend(loc="center right")
verify(
    "at m = 10 the energy is", sum(np.diff(corners(10)[1]) ** 2 / np.diff(corners(10)[0])), "57.7"
)
show(
    fig,
    alt="Left: polygons from (0, 0) to (1, 1) with more and more flat pieces. Right, on a "
    "logarithmic scale: the length of what still rises falls like (2/3) to the m, the energy grows "
    "like (3/2) to the m, to 57.7 at m = 10.",
)

# %% [markdown] key="E21b"
# ### E21b. Checked, and right: the indicator under the integral
#
# *Where: “Considérons l'espace”.*
#
# **Printed:** $f(x)=\int_0^1f'(y)\,\mathbf 1_{\{y\le x\}}dy$. **Confirmed**, in the space as repaired, and it gives away the kernel: $\partial k/\partial y=\mathbf 1_{\{y\le x\}}$, so $k(x,y)=\min(x,y)$.

# %% key="E21b-proof"
middle = (np.arange(20_000) + 0.5) / 20_000  # midpoints: a step that ends between two is exact
for x in (0.25, 0.6):
    integral = np.mean(3 * np.cos(3 * middle) * (middle <= x))
    verify(f"f = sin 3y at {x}: the integral gives f(x)", integral, np.sin(3 * x), tol=1e-7)
    verify(
        f"the integral of the indicator up to 0.5 is min({x}, 0.5)",
        np.mean((middle <= x) & (middle <= 0.5)),
        min(x, 0.5),
        tol=1e-7,
    )

# %% [markdown] key="E22"
# ### E22. Checked, and right: the coordinate of a new point
#
# *Where: “ACP à Noyau (1/3)” and its questions.*
#
# **Printed:** *suppose* that $\frac1n\sum_i\varphi(x_i)=0$, which amounts to $K\leftarrow K-UK-KU+UKU$; then the coordinate of *any* $x$ is $\sum_i\alpha_i^{(k)}k(x_i,x)$. **Confirmed**: under the assumption $k$, too, is the centred kernel. Even with the kernel as it was, the sum is exactly $\langle\varphi(x),f^{(k)}\rangle$.
#
# **For a program** the page spells out how $K$ is centred, and not how $k(x_i,x)$ is, which needs it as well: $\tilde k=k-\bar k_{\text{row}}-\bar k_{\text{col}}+\bar k$, with means over the training points. Whoever overlooks that misses one constant for each axis, since the entries of $\alpha^{(k)}$ sum to 0: all new points move together. A picture of them alone looks perfect; beside the training points they lie elsewhere.

# %% key="E22-proof"
train, new = (
    np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [3.0, 1.0]]),
    np.array([[2.0, 2.0], [0.5, -1.0]]),
)
kernel = Gaussian(2.0)
K, k = kernel(train), kernel(new, train)
mu, B = np.linalg.eigh(center(K))
alpha = B[:, :0:-1] / np.sqrt(mu[:0:-1])  # the three axes whose eigenvalue is not 0
right, uncentred = center_rows(k, K) @ alpha, k @ alpha
offset = uncentred - right
verify(
    "centred, training points get the scores that they have",
    center_rows(K, K) @ alpha,
    center(K) @ alpha,
)
verify("with k as it was both new points are off by the same vector", offset[0], offset[1])
verify("... which is not 0", np.abs(offset).max() > 0.01)

# %% key="E22-figure" hide="input"
rng = np.random.default_rng(1)
sites = np.array([[0.0, 0.0], [2.2, 0.0], [2.2, 2.2]])
old = np.vstack([rng.normal(m, 0.5, size=(n, 2)) for m, n in zip(sites, (60, 20, 10), strict=True)])
fresh = np.vstack([rng.normal(m, 0.5, size=(12, 2)) for m in sites])
K, k = Gaussian(1.0)(old), Gaussian(1.0)(fresh, old)
mu, B = np.linalg.eigh(center(K))
axes_two = B[:, :-3:-1] / np.sqrt(mu[:-3:-1])
axes_two *= np.sign(axes_two[0])  # an eigenvector's sign means nothing: fix it
there, as_is = center(K) @ axes_two, k @ axes_two
fig, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained", sharex=True, sharey=True)
for ax, scores, title in (
    (axes[0], center_rows(k, K) @ axes_two, "centred"),
    (axes[1], as_is, "k as it was"),
):
    ax.scatter(*there.T, s=14, color="0.6", label="training points")
    ax.scatter(*scores.T, s=26, marker="x", color="C1", label="new points")
    ax.set(xlabel="first axis", ylabel="second axis", title=title)
axes[0].legend(loc="best", fontsize="small")
moved = as_is - center_rows(k, K) @ axes_two
verify("36 new points, one shift", np.ptp(moved, axis=0), 0.0)
verify("the shift is longer than 0.1", np.linalg.norm(moved[0]) > 0.1)
show(
    fig,
    alt="Scores of three clusters on two axes, training points as dots and new points as crosses. "
    "Centred, the crosses lie on their clusters; with k as it was, all are shifted by one vector.",
)

# %% [markdown] key="E22b"
# ### E22b. Checked, and right: the centred matrix, and the scores of training points
#
# *Where: “ACP à Noyau (1/3)” and its questions.*
#
# **Printed:** $K-UK-KU+UKU$, and $\alpha^{(1)}=b_1/\sqrt{\lambda_1}$. **Confirmed**: axes of length 1, and the scores of the training points are $\sqrt{\lambda_k}\,b_k$.

# %% key="E22b-proof"
X = np.random.default_rng(3).normal(size=(9, 3))
U, deviations = np.full((9, 9), 1 / 9), X - X.mean(axis=0)
K = X @ X.T
K = K - U @ K - K @ U + U @ K @ U
verify("with the linear kernel: inner products of deviations", K, deviations @ deviations.T)
mu, B = np.linalg.eigh(K)
first = B[:, -1] / np.sqrt(mu[-1])
verify(
    "the axis has length 1, the scores are √λ b",
    [first @ K @ first, *(K @ first)],
    [1, *(np.sqrt(mu[-1]) * B[:, -1])],
)

# %% [markdown] key="E23"
# ### E23. For every axis whose eigenvalue is not 0
#
# *Where: the questions of “ACP à Noyau (1/3)”.*
#
# **Printed:** $\alpha^{(k)}=b_k/\sqrt{\lambda_k}$ for the $k$-th axis. **Correct:** for $\lambda_k>0$. After centring there is always one that is 0, since $\tilde K\mathbf 1=0$.

# %% key="E23-proof"
centred = center(Gaussian(2.0)(train))
verify("the centred matrix times (1, 1, 1, 1) is 0", centred @ np.ones(4), 0.0)
verify("so it has rank 3, not 4", np.linalg.matrix_rank(centred) == 3)

# %% [markdown] key="E80"
# ### E80. Two questions left to the reader
#
# *Where: “Exemple: noyau spectral”.*
#
# **Printed:** of the spectrum kernel, *est-il défini positif? temps de calcul?* An exercise, no mistake. **The answers:** yes, it is $\langle N(x),N(y)\rangle$; and about $k(|x|+|y|)$ operations with a dictionary of what occurs, not $|\mathcal A|^k$.

# %% key="E80-proof"
words = ["banana", "bandana", "ananas", "abba"]
alphabet = sorted(set("".join(words)))
every = ["".join(s) for s in itertools.product(alphabet, repeat=2)]
N = np.array([[sum(w[i : i + 2] == s for i in range(len(w) - 1)) for s in every] for w in words])
verify("an inner product of vectors of counts", Spectrum(2)(words), (N @ N.T).astype(float))
verify(
    "a word of ℓ letters has at most ℓ - 1 of the 2-mers that there are",
    np.all((N > 0).sum(axis=1) <= [len(w) - 1 for w in words]),
)

# %% [markdown] key="sys843"
# ## E. Granger and I. Ben Ayed, *Réseaux de neurones à base de noyaux*, SYS843 (ÉTS Montréal, 2017)
#
# The longest of the five, and the only one that draws the whole line from Cover's theorem over interpolation and networks to support vectors. So it has the most places where a
# slide can be wrong, and the most to learn from. Merci; chapter 7 follows it in two parts, chapters 5 and 6 its last third.
#
# ### Separability and interpolation

# %% [markdown] key="E84"
# ### E84. More often separable: whose labels, which points?
#
# *Where: “Théorème sur la séparabilité de patrons”, slide 1 of 4.*
#
# **Printed:** lifted to high dimension, a problem has a greater probability of being separable. **Correct:** for labels drawn *at random*, and points in *general position*. Cover counts $C(n,d)=2\sum_{i<d}\binom{n-1}i$ labellings. Six points of the plane, with a bias, have 32 of 64; six points on a line 12.

# %% key="E84-proof"
def labellings(X):
    """How many labellings a plane with a bias can make: one linear program each."""
    return sum(
        separating_weights(X, np.array(y)) is not None
        for y in itertools.product([-1, 1], repeat=len(X))
    )


cloud6, line6 = (
    np.random.default_rng(0).normal(size=(6, 2)),
    np.column_stack([np.arange(6.0), np.arange(6.0)]),
)
verify("general position: 32, as Cover says", labellings(cloud6) == cover_count(6, 3) == 32)
verify("on a line: 12", labellings(line6) == 12)

# %% [markdown] key="E25"
# ### E25. Without a bias the example cannot be done
#
# *Where: “Théorème sur la séparabilité de patrons”, slide 1 of 4.*
#
# **Printed:** separable if $w^\top\varphi(x)>0$ for one class and $<0$ for the other. **Correct:** $w^\top\varphi(x)+b$, or a unit $\varphi_0=1$. By the printed definition the XOR that follows is *not* separable: $(0,1)$ demands one sign of $w_1+w_2$, and $(0,0)$ with $(1,1)$ together the other.

# %% key="E25-proof"
corners_of_xor, lamp = np.array([[1, 1], [0, 1], [0, 0], [1, 0.0]]), np.array([-1, 1, -1, 1])
bells = np.exp(-((corners_of_xor[:, None] - np.array([[1, 1], [0, 0]])) ** 2).sum(axis=2))
verify("without a bias no weights do it", separating_weights(bells, lamp, bias=False) is None)
verify("with one there are some", separating_weights(bells, lamp, bias=True) is not None)

# %% [markdown] key="E27"
# ### E27. Indices of a polynomial
#
# *Where: “Théorème sur la séparabilité de patrons”, slide 2 of 4.*
#
# **Printed:** $\sum_{0\le i_1\le\dots\le i_r\le m_1}w_{i_1\dots i_N}x_{i_1}\cdots x_{i_r}$. **Correct:** $w_{i_1\dots i_r}$, indices up to the dimension $m_0$ of $x$, and $x_0=1$. Then there are $\binom{m_0+r}r$ terms, 6 for conics: the five basis functions of the slide, and its $w_0$.

# %% key="E27-proof"
terms = list(itertools.combinations_with_replacement(range(3), 2))  # m₀ = 2, x₀ = 1, r = 2
verify("a conic has 6 coefficients", len(terms) == 6)
verify(
    "with indices up to m₁ = 5, the number of hidden functions, it would have 21",
    len(list(itertools.combinations_with_replacement(range(6), 2))) == 21,
)

# %% [markdown] key="E28"
# ### E28. Features in one order, weights in another
#
# *Where: “Théorème sur la séparabilité de patrons”, slide 2 of 4.*
#
# **Printed:** $\varphi=[x_1^2,x_2^2,x_1,x_2]$ and, below, $w_1x_1+w_2x_2+w_3x_1^2+w_4x_2^2$; the next example likewise. **Correct:** one order for both.

# %% key="E28-proof"
x1, x2, w = 2.0, 3.0, np.array([1.0, 2.0, 3.0, 4.0])
inner, spelled_out = w @ [x1**2, x2**2, x1, x2], w @ [x1, x2, x1**2, x2**2]
verify(
    "x = (2, 3), w = (1, 2, 3, 4): wᵀφ is 40, the sum as printed 56",
    [inner, spelled_out],
    [40.0, 56.0],
)

# %% [markdown] key="E26"
# ### E26. The fourth decimal
#
# *Where: “Théorème sur la séparabilité de patrons”, slide 3 of 4.*
#
# **Printed:** 0.3678 for $e^{-1}$. **Correct:** $e^{-1}=0.367879\ldots$, rounded 0.3679. The other entry, 0.1353 for $e^{-2}$, is rounded and right.

# %% key="E26-proof"
verify("e^-1 to six places", np.exp(-1), "0.367879")
verify(
    "e^-1 is farther from 0.3678 than half of its last digit", abs(np.exp(-1) - 0.3678) > 0.00005
)
verify("e^-2", np.exp(-2), "0.1353")

# %% [markdown] key="E86"
# ### E86. D. Lowe
#
# *Where: “Définitions” and “Réseaux RBF généralisés”, slide 4 of 5.*
#
# **Printed:** *Broomhead et Low*, and some pages later *Lowe*. **Correct:** D. S. Broomhead and D. Lowe, 1988.

# %% [markdown] key="E33"
# ### E33. Where y lives, and an entry that occurs twice
#
# *Where: “Interpolation”, slide 1 of 6.*
#
# **Printed:** $y:\mathbb R^N\to\mathbb R$; and the second row of the matrix reads $\varphi_{21},\varphi_{22},\varphi_{21}$, twice. **Correct:** $y:\mathbb R^{m_0}\to\mathbb R$, with the dimension of $x$; and $\varphi_{23}$.

# %% key="E33-proof"
x3, y3 = np.array([[-1.0], [0.2], [1.0]]), np.array([1.0, 2.0, -1.0])  # not symmetric: it shows
Phi = Gaussian(1.0)(x3)
mistake = Phi.copy()
mistake[1, 2] = Phi[1, 0]
verify(
    "as printed the curve misses a point by more than 0.1",
    np.abs(Phi @ np.linalg.solve(mistake, y3) - y3).max() > 0.1,
)
verify("with φ₂₃ it goes through all", Phi @ np.linalg.solve(Phi, y3), y3)

# %% [markdown] key="E29"
# ### E29. Micchelli's theorem has a hypothesis
#
# *Where: “Interpolation”, slide 3 of 6.*
#
# **Printed:** for distinct points $\Phi$ is invertible; nothing is said of $\varphi$. **Correct:** if $\varphi(\sqrt t)$ is completely monotone and not constant (Gaussian, inverse multiquadric), or its derivative is so, completely monotone and not constant, with $\varphi(0)\ge0$ (multiquadric).
#
# Two that are not invertible: $r^2$, of rank $d+2$ at most; and the thin plate $r^2\ln r$, on a centre and six points at distance 1.

# %% key="E29-proof"
eight = np.random.default_rng(0).normal(size=(8, 2))
squares = ((eight[:, None] - eight) ** 2).sum(axis=2)
verify("r² at eight points of the plane: rank 4", np.linalg.matrix_rank(squares) == 4)
angle = np.arange(6) * np.pi / 3
hexagon = np.vstack([[0.0, 0.0], np.column_stack([np.cos(angle), np.sin(angle)])])
plate = ThinPlate(1.0)(hexagon)
verify("r² ln r: the row of the centre is 0, since ln 1 = 0", plate[0], 0.0, tol=1e-14)
verify(
    "the Gaussian on the same points is invertible",
    np.linalg.matrix_rank(Gaussian(1.0)(hexagon)) == 7,
)

# %% [markdown] key="E85"
# ### E85. When was Light's theorem?
#
# *Where: “Interpolation”, slide 3 of 6.*
#
# **Printed:** *Light (1971)*. Textbooks name a W. Light of 1992 beside Micchelli. We have not seen either at the original, so chapter 7 prints no year: a question rather than an erratum.

# %% [markdown] key="E30"
# ### E30. The multiquadric is not positive definite
#
# *Where: “Interpolation”, slide 3 of 6.*
#
# **Printed:** $\sqrt{r^2+c^2}$, first in the list of functions whose matrix is *positive et définie*. **Correct:** it has one positive eigenvalue and $n-1$ negative ones, so it is invertible and indefinite. The other two of the list, inverse multiquadric and Gaussian, are positive definite.

# %% key="E30-proof"
example = Multiquadric(np.sqrt(0.5))(
    np.array([[-1.0], [0.0], [1.0]])
)  # the matrix of the slide's own example
eigenvalues = np.linalg.eigvalsh(example)
verify("the slide's example: one positive, two negative", np.sign(eigenvalues), [-1.0, -1.0, 1.0])
verify("the lowest of them", eigenvalues[0], -np.sqrt(2))
thirty = np.random.default_rng(0).normal(size=(30, 2))
others = [least(Gaussian(0.3)(thirty)), least(InverseMultiquadric(0.3)(thirty))]
verify("thirty points: Gaussian and inverse multiquadric are positive definite", min(others) > 1e-6)

# %% [markdown] key="E31"
# ### E31. The constant must be positive, not r
#
# *Where: “Interpolation”, slide 4 of 6.*
#
# **Printed:** $(r^2+c^2)^{1/2}$ and its inverse “for some $r>0$”. **Correct:** for some $c>0$ (and $\sigma>0$). $r$ is a distance, and it is 0 on the diagonal, where the inverse with $c=0$ is infinite.

# %% key="E31-proof"
with np.errstate(divide="ignore"):
    verify(
        "c = 0: the diagonal of the inverse multiquadric is infinite",
        bool(np.isinf(1 / np.sqrt(np.float64(0.0)))),
    )
verify("c = ½: it is 2", InverseMultiquadric(0.5)([[0.0]])[0, 0], 2.0)

# %% [markdown] key="E100"
# ### E100. A penalty is no cure for every matrix
#
# *Where: “Interpolation”, slide 6 of 6 and Régression ridge à noyau, section 20.3, “Solution”.*
#
# **Printed:** regularisation as the way out of near-singularity, after a list that begins with the multiquadric; the ridge source proves the recipe $(K+\lambda I)^{-1}y$ for kernels. **Correct:** for positive semi-definite $\Phi$. A negative eigenvalue $-\lambda$ is moved to 0 by exactly that penalty. And $w^\top\Phi w$ may be negative: it is no squared norm.

# %% key="E100-proof"
harmful = -eigenvalues[1]
verify("at λ = 0.263243 the slide's own example becomes singular", harmful, "0.263243")
verify("... det(Φ + λI) = 0", np.linalg.det(example + harmful * np.eye(3)), 0.0, tol=1e-12)
v = np.array([1.0, -2.0, 1.0])
verify("and wᵀΦw is negative for some w", v @ example @ v < -1)

# %% key="E100-figure" hide="input"
lams = np.linspace(0, 2, 801)
gaussian = Gaussian(1.0)(np.array([[-1.0], [0.0], [1.0]]))
fig, ax = plt.subplots(figsize=(8, 3.2), layout="constrained")
for i, (K, name) in enumerate(((example, "multiquadric"), (gaussian, "Gaussian, $\\sigma=1$"))):
    smallest = np.abs(np.linalg.eigvalsh(K)[:, None] + lams).min(axis=0)
    ax.plot(lams, smallest, **cycle(i), label=name)
verify("the multiquadric is singular twice, the second time at √2", -eigenvalues[0], "1.414")
ax.set(
    xlabel="$\\lambda$",
    ylabel="smallest $|$eigenvalue$|$ of $\\Phi+\\lambda I$",
    title="three points, at -1, 0 and 1",
)
ax.legend(loc="upper left")
show(
    fig,
    alt="The smallest absolute eigenvalue against lambda, for three points. For the Gaussian it "
    "rises in a straight line. For the multiquadric it falls to 0 at 0.263243, rises, falls to 0 "
    "again at 1.414, and rises from there.",
)

# %% [markdown] key="E32"
# ### E32. Checked, and right: the example of three points
#
# *Where: “Interpolation”, slide 5 of 6.*
#
# **Printed:** the $3\times3$ system for $(-1,1),(0,2),(1,1)$ with $\sqrt{r^2+0.5}$, unsolved. **Confirmed**; its solution is $w=(1.742383,-3.207365,1.742383)$, and the curve has 1.620704 at $\frac12$.

# %% key="E32-proof"
w = np.linalg.solve(example, [1.0, 2.0, 1.0])
for value, digits in zip(w, ("1.742383", "-3.207365", "1.742383"), strict=True):
    verify("w", value, digits)
verify("at ½", w @ np.sqrt((0.5 - np.array([-1.0, 0.0, 1.0])) ** 2 + 0.5), "1.620704")

# %% [markdown] key="E34"
# ### E34. Near a singular matrix: wanted, or feared?
#
# *Where: “Interpolation”, slide 6 of 6.*
#
# **Printed:** *en pratique, on veut résoudre* when $\Phi$ is arbitrarily near a singular matrix, regularised “to have unique solutions”. **Correct:** one *must* solve there, like it or not, since good widths are wide. The solution is unique all the same; what is lost is its digits.

# %% key="E34-proof"
grid15 = np.linspace(0, 1, 15)[:, None]
condition = [np.linalg.cond(Gaussian(s)(grid15)) for s in (0.05, 0.1, 0.2)]
verify(
    "wider bells, worse condition: below 10, over a thousand, over 1e9",
    condition[0] < 10 and condition[1] > 1e3 and condition[2] > 1e9,
)
sign, logarithm = np.linalg.slogdet(Gaussian(0.1)(grid15))
verify("invertible all the same: the determinant is positive", sign > 0 and np.isfinite(logarithm))

# %% [markdown] key="E35"
# ### E35. Checked, and right: the system of fewer centres
#
# *Where: “Réseaux RBF généralisés”, slide 3 of 5.*
#
# **Printed:** $(G^\top G+\lambda G_0)\,w=G^\top d$. **Confirmed**: the minimum of $\|d-Gw\|^2+\lambda\,w^\top G_0w$, where $w^\top G_0w=\|f\|^2$ if the smoothness $\|\mathbf D\,y^*\|$ is the norm of the kernel's space.

# %% [markdown] key="E36"
# ### E36. Checked, and right: the limit is the pseudo-inverse
#
# *Where: “Réseaux RBF généralisés”, slide 4 of 5.*
#
# **Printed:** $w\to G^+d=(G^\top G)^{-1}G^\top d$ as $\lambda\to0$. **Confirmed**, the second form where $G$ has full column rank: distinct centres among the points and $\varphi$ as in E29, for instance.

# %% key="E35-E36-proof"
sites, centres = np.linspace(0, 3, 12)[:, None], np.array([[0.3], [1.4], [2.6]])
G, G0, d = Gaussian(0.6)(sites, centres), Gaussian(0.6)(centres), np.sin(2 * np.linspace(0, 3, 12))
solution = np.linalg.solve(G.T @ G + 0.3 * G0, G.T @ d)
verify(
    "the gradient vanishes",
    slopes(lambda w: np.sum((d - G @ w) ** 2) + 0.3 * w @ G0 @ w, solution),
    0.0,
    tol=1e-7,
)
nearly = np.linalg.solve(G.T @ G + 1e-9 * G0, G.T @ d)
verify("λ = 1e-9: the pseudo-inverse", nearly, np.linalg.pinv(G) @ d, tol=1e-7)

# %% [markdown] key="networks"
# ### Networks

# %% [markdown] key="E37"
# ### E37. Checked, and right: two ways to write one width
#
# *Where: “1. centres fixes sélectionnés de façon aléatoire”, slide 1 of 3.*
#
# **Printed:** $\exp(-\frac m{d_{\max}^2}\|x-\mu\|^2)$ and $\sigma=d_{\max}/\sqrt{2m}$. **Confirmed**: $1/(2\sigma^2)=m/d_{\max}^2$.

# %% key="E37-proof"
sites = np.random.default_rng(0).uniform(size=(12, 2))
d_max = max(np.linalg.norm(a - b) for a in sites for b in sites)
verify("1/(2σ²) = m/d_max²", 1 / (2 * (d_max / np.sqrt(2 * 12)) ** 2), 12 / d_max**2)
verify("kcourse's rule is the same", spread(sites), d_max / np.sqrt(2 * 12))

# %% [markdown] key="E38"
# ### E38. The rule avoids extremes in the plane
#
# *Where: “1. centres fixes sélectionnés de façon aléatoire”, slide 1 of 3.*
#
# **Printed:** $\sigma=d_{\max}/\sqrt{2m}$ avoids bells that are too stretched or too narrow. **Correct:** for points of the plane. Neighbours among $m$ centres are about $d_{\max}m^{-1/d}$ apart, the rule says $m^{-1/2}$; they go together for $d=2$ only. On a line the bells are far too wide, in ten dimensions every one is alone.

# %% key="E38-proof"
def neighbour_in_widths(d, m=100):
    """The median distance of a centre to its nearest, in units of the rule's σ."""
    U = np.random.default_rng(0).uniform(size=(m, d))
    gaps = np.linalg.norm(U[:, None] - U, axis=2) + np.diag(np.full(m, np.inf))
    return np.median(gaps.min(axis=1)) / spread(U)


line, plane, ten = map(neighbour_in_widths, (1, 2, 10))
verify("100 centres on a line: nearer than a tenth of a width", line < 0.1)
verify("in the plane: between a half and one", 0.5 < plane < 1)
verify(
    "in ten dimensions: over four widths away, where a bell is below 1/1000",
    np.exp(-(ten**2) / 2) < 0.001 and ten > 4,
)

# %% [markdown] key="E87"
# ### E87. A square root of a square of a vector
#
# *Where: “2. centres obtenus par apprentissage non-supervisé”, slide 2 of 4.*
#
# **Printed:** $r_{ik}\big(\sqrt{(x_i-\mu_k)^2}\big)^2$. **Correct:** $r_{ik}\|x_i-\mu_k\|^2$, which stands beside it; $(x_i-\mu_k)^2$ is to be read as an inner product. And $r_{ik}$ is not said: 1 if centre $k$ is the nearest to $x_i$, else 0.

# %% key="E87-proof"
X = np.random.default_rng(0).normal(size=(20, 2))
found = kmeans(X, 3, rng=0)
far = ((X[:, None] - found.centers) ** 2).sum(axis=2)
r = (far == far.min(axis=1, keepdims=True)).astype(float)
verify("with that r the cost is k-means' inertia", np.sum(r * far), found.inertia)

# %% [markdown] key="E82"
# ### E82. Simple steps are no simple problem
#
# *Where: “RBF: les paramètres sont appris en deux étapes” and “2. centres obtenus par apprentissage non-supervisé”, slide 3 of 4.*
#
# **Printed:** centres are learnt without a complex optimisation, where an MLP may end in a local minimum. **Correct:** each *step* of k-means is simple; the problem is not, and k-means has local minima, too. Also $\mu_k=\frac1{N_k}\sum x_i$ needs a rule for $N_k=0$.

# %% key="E82-proof"
four = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 0.0], [5.0, 1.0]])
good = kmeans(four, 2, init=np.array([[0.0, 0.5], [5.0, 0.5]]))
bad = kmeans(four, 2, init=np.array([[2.5, 0.0], [2.5, 1.0]]))
verify("four points: it rests at a cost of 1, or of 25", [good.inertia, bad.inertia], [1.0, 25.0])
lonely = np.array([[1e3, 1e3], [2.5, 0.5]])  # nobody's nearest
nearest = np.argmin(((four[:, None] - lonely) ** 2).sum(axis=2), axis=1)
verify("a centre can be nobody's nearest: N = 0", np.sum(nearest == 0) == 0)

# %% [markdown] key="E39"
# ### E39. A constant step never rests
#
# *Where: “2. centres obtenus par apprentissage non-supervisé”, slide 4 of 4.*
#
# **Printed:** $\mu\leftarrow\mu+\eta(x-\mu)$ with a constant $0<\eta<1$. **Correct:** for a moving target. For fixed data the centre keeps a standard deviation of $\sigma\sqrt{\eta/(2-\eta)}$ for ever; $\eta=1/n$, with $n$ the number of points won so far, is the exact running mean.

# %% key="E39-proof"
stream = np.random.default_rng(0).normal(size=(20_000, 1))
eta, path = 0.1, np.zeros(20_001)
for n, point in enumerate(stream[:, 0]):
    path[n + 1] = path[n] + eta * (point - path[n])
verify(
    "η = 0.1: the spread of the last 19 000 is within 5 % of √(η/(2-η))",
    abs(path[1001:].std() / np.sqrt(eta / (2 - eta)) - 1) < 0.05,
)
running = online_kmeans(stream[:200], np.zeros((1, 1)), eta=None, order=np.arange(200))
verify("η = 1/n: the mean", running.centers[0], stream[:200].mean(axis=0))

# %% [markdown] key="E88"
# ### E88. Total, or mean
#
# *Where: “Calcul des poids (2ᵉ couche)”, slide 1 of 2.*
#
# **Printed:** the *total* squared error (MSE). **Correct:** the sum is SSE, the mean MSE. Both have the same minimiser, as long as no penalty stands beside them; then see E66.

# %% key="E88-proof"
hidden, d = Gaussian(0.5)(np.linspace(-1, 1, 9)[:, None], np.array([[-0.5], [0.5]])), np.arange(9.0)
w = np.linalg.lstsq(hidden, d, rcond=None)[0]
for name, divisor in (("sum", 1), ("mean", 9)):
    verify(
        f"the gradient of the {name} vanishes at the same w",
        slopes(lambda v, n=divisor: np.sum((d - hidden @ v) ** 2) / n, w),
        0.0,
        tol=1e-7,
    )

# %% [markdown] key="E83"
# ### E83. The input of the last layer is the hidden layer
#
# *Where: “Calcul des poids (2ᵉ couche)”, slide 2 of 2.*
#
# **Printed:** LMS for the output layer, in a table that writes $x(n)$. **Correct:** for an RBF network put $\varphi(x(n))$ in its place. The table is of a linear filter, where $x$ is the input. And the step has a limit: beyond $2/\|\varphi\|^2$ a single point is overshot ever farther.

# %% key="E83-proof"
x = np.linspace(-1, 1, 40)[:, None]
d = Gaussian(0.5)(x, np.array([[-0.5], [0.5]])) @ [1.0, -2.0]
hidden = Gaussian(0.5)(x, np.array([[-0.5], [0.5]]))


def error_after(inputs, epochs=400):
    w = lms(inputs, d, eta=0.2 * lms_limit(inputs), epochs=epochs, rng=0).weights
    return np.mean((d - inputs @ w) ** 2)


verify("on φ(x) it finds the target that two bells make", error_after(hidden) < 1e-6)
verify("on x it stays far from it", error_after(x) > 0.1)
p, w = hidden[5], np.zeros(2)
for _ in range(50):
    w = w + 2.1 / (p @ p) * p * (1.0 - w @ p)
verify("one point, η = 2.1/‖φ‖²: the error has grown a hundredfold", abs(1.0 - w @ p) > 100)

# %% [markdown] key="E40"
# ### E40. A gradient that climbs
#
# *Where: “3. centres sélectionnés par apprentissage supervisé”, slide 2 of 2.*
#
# **Printed:** $\partial E/\partial w_i=\sum_je_jG(\|x_j-t_i\|)$, and $w\leftarrow w-\eta\,\partial E/\partial w$. **Correct:** $-\sum_je_jG$, since $e_j=d_j-\sum_iw_iG$. With the printed sign every step goes up.

# %% [markdown] key="E41"
# ### E41. Derivative with respect to what?
#
# *Where: “3. centres sélectionnés par apprentissage supervisé”, slide 2 of 2.*
#
# **Printed:** $\partial E/\partial t_i=2w_i\sum_je_jG'(\|x_j-t_i\|)\Sigma_i^{-1}(x_j-t_i)$. **Correct:** if $G'=dG/ds$, with respect to the *squared* norm $s=(x-t)^\top\Sigma^{-1}(x-t)$. If it is the derivative with respect to the norm, as the argument suggests, the formula is wrong by $2\sqrt s$, different at every point. With the textbook's weighted norm, $C^\top C=\frac12\Sigma^{-1}$, the 2 must go.

# %% [markdown] key="E42"
# ### E42. Checked, and right: the gradient of the precision
#
# *Where: “3. centres sélectionnés par apprentissage supervisé”, slide 2 of 2.*
#
# **Printed:** $\partial E/\partial\Sigma_i^{-1}=-w_i\sum_je_jG'Q_{ji}$. **Confirmed**, with the same $G'=dG/ds$.

# %% key="E40-E41-E42-proof"
rng = np.random.default_rng(1)
X, d, w, t = rng.normal(size=(9, 2)), rng.normal(size=9), np.array([0.8]), rng.normal(size=2)
P = np.array([[1.5, 0.3], [0.3, 0.7]])  # Σ⁻¹; one unit is enough


def E(w, t, P):
    D = X - t
    return 0.5 * np.sum((d - w * np.exp(-0.5 * np.sum(D @ P * D, axis=1))) ** 2)


D = X - t
s = np.sum(D @ P * D, axis=1)
G, e = np.exp(-s / 2), d - w * np.exp(-s / 2)
by_w, by_t, by_P = (
    slopes(lambda a: E(a, t, P), w),
    slopes(lambda a: E(w, a, P), t),
    slopes(lambda a: E(w, t, a), P),
)

# %% key="E40-E41-E42-proof-2" hide="input"
verify("E40: minus Σ e G is the slope in w", -np.sum(e * G), by_w[0], tol=1e-7)
verify("... and it is far from 0, so the printed plus is wrong", abs(np.sum(e * G) - by_w[0]) > 0.1)
by_s, by_norm = -0.5 * G, -np.sqrt(s) * G  # dG/ds and dG/d√s
verify("E41: with dG/ds it is the slope in t", 2 * w * ((e * by_s) @ D @ P), by_t, tol=1e-7)
verify(
    "... with the derivative with respect to the norm it is not",
    np.abs(2 * w * ((e * by_norm) @ D @ P) - by_t).max() > 0.1,
)
verify(
    "... with the textbook's norm, whose G' is -G, it is twice too large",
    2 * w * ((e * -G) @ D @ P),
    2 * by_t,
    tol=1e-7,
)
verify(
    "E42: with dG/ds it is the slope in the precision",
    -w * np.einsum("j,ja,jb->ab", e * by_s, D, D),
    by_P,
    tol=1e-7,
)

# %% key="E40-figure" hide="input"
sites = np.array([[-1.0, 0.0], [0.5, 1.0], [1.0, -1.0]])
H = Gaussian(1.0)(X, sites)
rate = 0.4 / np.linalg.norm(H, 2) ** 2
history = {}
for sign in (-1, 1):
    v, history[sign] = np.zeros(3), []
    for _ in range(9):
        history[sign].append(0.5 * np.sum((d - H @ v) ** 2))
        v = v - rate * sign * (H.T @ (d - H @ v))
fig, ax = plt.subplots(figsize=(8, 3.2), layout="constrained")
ax.plot(history[-1], marker="o", **cycle(0), label="$-\\sum eG$, right")
ax.plot(history[1], marker="s", **cycle(1), label="$+\\sum eG$, as printed")
ax.set(xlabel="step", ylabel="$E$", yscale="log", title="three bells, the same rate")
ax.legend(loc="upper left")
verify("right: E falls at every step", np.all(np.diff(history[-1]) < 0))
verify("as printed: E rises at every step", np.all(np.diff(history[1]) > 0))
show(
    fig,
    alt="The error E over eight steps of gradient descent on the weights of three bells. With the "
    "right sign it falls at every step; with the printed sign it rises at every step.",
)

# %% [markdown] key="E43"
# ### E43. A sum over m in which no m occurs
#
# *Where: “Théorie de Bayes”, slide 3 of 4.*
#
# **Printed:** $\varphi_j(x)=p(x|j)p(j)\big/\sum_{m=1}^Mp(x|j)p(j)$. **Correct:** $p(x|m)p(m)$ in the sum. As printed the denominator is $M$ times the numerator: every unit says $1/M$, at every point.

# %% [markdown] key="E43b"
# ### E43b. Checked, and right: weights that are probabilities
#
# *Where: “Théorie de Bayes”, slide 3 of 4.*
#
# **Printed:** $w_{kj}=p(j|c_k)P(c_k)/p(j)=p(c_k|j)$. **Confirmed**, and the output is then $p(c_k|x)$; provided that $x$ says nothing of the class once $j$ is known, which the slide before assumes.

# %% key="E43-E43b-proof"
p_j_c = np.array([[0.7, 0.1], [0.2, 0.3], [0.1, 0.6]])  # p(j|c): three units, two classes
P_c, p_x_j = np.array([0.4, 0.6]), np.array([0.05, 0.8, 0.3])  # densities of one x
p_j = p_j_c @ P_c
joint = p_x_j * p_j
verify("as printed: 1/3 from every unit", joint / (3 * joint), 1 / 3)
W, phi = p_j_c * P_c / p_j[:, None], joint / joint.sum()
by_bayes = (p_x_j @ p_j_c) * P_c
verify("as repaired, with the printed weights: Bayes' rule", phi @ W, by_bayes / by_bayes.sum())

# %% [markdown] key="E44"
# ### E44. Outputs that are posteriors, and outputs that are not
#
# *Where: “Théorie de Bayes”, slide 4 of 4.*
#
# **Printed:** each output of the network *is interpreted as* a posterior. **Correct:** with the hidden layer of E43 and the weights of E43b. The outputs of least squares, which the pages before compute, come near the posterior in the mean; they may be negative.

# %% key="E44-proof"
rng = np.random.default_rng(0)
X = np.vstack([rng.normal(-1, 0.6, size=(60, 2)), rng.normal(1, 0.6, size=(60, 2))])
T = np.repeat(np.eye(2), 60, axis=0)  # a target of 1 for the own class
hidden = Gaussian(0.8)(X, kmeans(X, 6, rng=0).centers)
outputs = hidden @ np.linalg.lstsq(hidden, T, rcond=None)[0]
verify(
    "least squares: outputs below 0, and above 1", outputs.min() < -0.01 and outputs.max() > 1.01
)
verify(
    "... and they do not sum to 1: some sums are off by over a tenth",
    np.abs(outputs.sum(axis=1) - 1).max() > 0.1,
)

# %% [markdown] key="E92"
# ### E92. Spheres or ellipsoids
#
# *Where: “Comparaison MLP vs RBF”, slide 1 of 5.*
#
# **Printed:** the activation is constant on hyper-ellipses. **Correct:** on spheres for the units of the section, $\exp(-\|x-\mu_j\|^2/(2\sigma_j^2))$; on ellipsoids for those of the gradient's slide, which have a matrix $\Sigma_j$ each.

# %% key="E92-proof"
angle = np.linspace(0, 2 * np.pi, 9)
circle = np.column_stack([np.cos(angle), np.sin(angle)])
verify("one σ: constant on a circle", np.ptp(np.exp(-np.sum(circle**2, axis=1) / 2)), 0.0)
root = np.linalg.inv(np.linalg.cholesky(P)).T  # takes the circle to xᵀPx = 1
ellipse = circle @ root.T
verify(
    "a matrix: constant on its ellipse, not on the circle",
    np.ptp(np.sum(ellipse @ P * ellipse, axis=1))
    < 1e-12
    < np.ptp(np.sum(circle @ P * circle, axis=1)),
)

# %% [markdown] key="E93"
# ### E93. The last layer of a multilayer perceptron
#
# *Where: “Comparaison MLP vs RBF”, slide 4 of 5.*
#
# **Printed:** hidden *and output* layers of an MLP are non-linear. **Correct:** for classification as a rule; for regression the output layer is linear, as in an RBF network.

# %% key="E93-proof"
from sklearn.neural_network import MLPRegressor

regressor = MLPRegressor(hidden_layer_sizes=(3,), solver="lbfgs", max_iter=500, random_state=0)
regressor.fit(np.linspace(-1, 1, 20)[:, None], np.linspace(-1, 1, 20))
verify("scikit-learn's MLPRegressor: the identity", regressor.out_activation_ == "identity")

# %% [markdown] key="E91"
# ### E91. One thing, several letters
#
# *Where: “1. centres fixes sélectionnés de façon aléatoire”, slide 1 of 3.*
#
# **Printed:** $G(\|x-\mu\|^2)$ and $G(\|x-t\|)$ for the bell; $M$, $m$, $m_1$ and $K$ for the number of centres; $K$ for classes, too; $N$ and $n$ for the data; a formula in $j$ followed by $i=1,\dots,m$. **More precisely:** one table, such as that of the [start page](00_start_here.ipynb#Notation).

# %% [markdown] key="vectors"
# ### Support vector machines

# %% [markdown] key="E89"
# ### E89. Discriminative
#
# *Where: “4. Séparateurs à vaste marge”.*
#
# **Printed:** non-linear machines are *hybrid, discriminative and generative*. **Correct:** discriminative. A kernel is no density, and nothing of the machine says how likely an $x$ is: it is the same machine without the points that have no say.

# %% key="E89-proof"
base = SVC(Gaussian(1.0), C=1.0, tol=1e-10).fit(cloud, side)
idle = base.multipliers_ == 0
keep = ~idle
less = SVC(Gaussian(1.0), C=1.0, tol=1e-10).fit(cloud[keep], side[keep])
verify("some points have no say", idle.sum() >= 5)
verify(
    "without them the same f everywhere",
    less.decision_function(cloud + 0.3),
    base.decision_function(cloud + 0.3),
    tol=1e-6,
)

# %% [markdown] key="E90"
# ### E90. An expression is no plane
#
# *Where: “(a) SVM linéaires – cas séparable”, slide 2 of 11.*
#
# **Printed:** a hyperplane $\mathbf w\mathbf x+b$. **Correct:** $w^\top x+b=0$; the expression is the function $f$, the plane is where it vanishes.

# %% [markdown] key="E51"
# ### E51. A multiplier may be 0
#
# *Where: “(a) SVM linéaires – cas séparable”, slide 9 of 11.*
#
# **Printed:** a *multiplicateur lagrangien positif*. **Correct:** $\alpha_i\ge0$, as the slide itself writes three lines below. In French *positif* includes 0, so this is a mistake in translation only: in English, *non-negative*.

# %% key="E51-proof"
verify(
    "the three points of E12: multipliers 1, 0 and 1", hard.multipliers_, [1.0, 0.0, 1.0], tol=1e-6
)

# %% [markdown] key="E45"
# ### E45. The slack is no distance
#
# *Where: “(a) SVM linéaires – cas non-séparable”, slide 1 of 4.*
#
# **Printed:** $\xi_i$ is the *distance* between an *erroneous* pattern and the line of its class's support vectors. **Correct:** $\xi_i=(1-y_if(x_i))_+$; the distance is $\xi_i/\|w\|$. And points with $0<\xi_i<1$ are on their right side, too near but no errors.

# %% [markdown] key="E46"
# ### E46. A letter with two meanings
#
# *Where: “(a) SVM linéaires – cas non-séparable”, slide 2 of 4 and “(a) SVM linéaires – cas séparable”, slide 5 of 11.*
#
# **Printed:** $c_i=y_i(wx_i+b)\ge1-\xi_i$, where $c_i$ was $y_i(wx_i+b)-1\ge0$ before. **Correct:** $c_i=y_i(w^\top x_i+b)-1+\xi_i\ge0$: with that $c_i$ the Lagrangian $L-\sum\alpha_ic_i$ goes on as it was.

# %% [markdown] key="E47"
# ### E47. The second complementary condition
#
# *Where: “(a) SVM linéaires – cas non-séparable”, slide 3 of 4.*
#
# **Printed:** $\alpha_i[1-\xi_i-y_if(x_i)]=0$, alone. **Correct:** and $(C-\alpha_i)\,\xi_i=0$. Without it a point may be far on the wrong side and have no say; even $\alpha=0$, $w=0$, $b=0$, $\xi_i=1$ satisfies every printed condition, for any data.

# %% key="E45-E46-E47-proof"
soft = SVC(Linear(), C=0.5, tol=1e-10).fit(cloud, side)
yf, w = side * soft.decision_function(cloud), cloud.T @ soft.dual_coef_
xi, alpha, C = hinge(yf), soft.multipliers_, 0.5
gap = (1 - yf) / np.linalg.norm(w)  # how far on the wrong side of its own margin line

# %% key="E45-E46-E47-proof-2" hide="input"
late = np.argmax(xi)
verify(
    "E45: distance of the latest point from its margin line: ξ/‖w‖",
    gap[late],
    xi[late] / np.linalg.norm(w),
)
verify("... which is not ξ", abs(gap[late] - xi[late]) > 0.1)
verify("... some points with slack are on the right side", np.any((xi > 0) & (xi < 1)))
verify("E46: with the old c the printed line fails at the optimum", np.any(yf - 1 < 1 - xi - 0.1))
verify("... with the new one it holds", (yf - 1 + xi).min() > -1e-9)
verify(
    "E47: both conditions hold at the optimum",
    max(np.abs(alpha * (1 - xi - yf)).max(), np.abs((C - alpha) * xi).max()) < 1e-6,
)
nobody = np.zeros(40)  # α of a machine that says nothing: w = 0, b = 0, ξ = 1
verify("... α = 0, w = 0, b = 0, ξ = 1 satisfy all that is printed", nobody * (1 - 1 - 0), 0.0)
verify("... and cost more than the optimum", C * 40 > w @ w / 2 + C * xi.sum() + 1)
verify("... the second condition tells: C ξ is not 0", (C - nobody) * 1, C)

# %% [markdown] key="E49"
# ### E49. Which polynomials are kernels
#
# *Where: “(b) SVM non-linéaires”, slide 3 of 8.*
#
# **Printed:** $(u\,x^\top z+v)^p$ with $u,v\in\mathbb R$. **Correct:** $u,v\ge0$; or both $\le0$ with an even $p$, which is the same function.

# %% key="E49-proof"
six = np.random.default_rng(0).normal(size=(6, 2))
for u, v, p in ((1, -1, 1), (1, -1, 2), (-1, 1, 1)):
    verify(
        f"u = {u}, v = {v}, p = {p}: an eigenvalue below -0.1",
        least((u * six @ six.T + v) ** p) < -0.1,
    )
positive = least(Polynomial(gamma=1.0, coef0=1.0, degree=3)(six))

# %% key="E49-proof-2" hide="input"
verify("u = v = 1, p = 3: none below 0", positive > -1e-10)

# %% [markdown] key="E48"
# ### E48. A vector that is a number
#
# *Where: “(b) SVM non-linéaires”, slide 5 of 8.*
#
# **Printed:** $w=\sum_i\alpha_iy_ik(x_i,x_j)$. **Correct:** $w=\sum_i\alpha_iy_i\varphi(x_i)$. The printed sum is a number, another one for each $j$, namely $f(x_j)-b$. $w$ itself is never computed; its length is, $\|w\|^2=\sum_{ij}\alpha_i\alpha_jy_iy_jk(x_i,x_j)$.

# %% key="E48-proof"
machine = SVC(Gaussian(1.0), C=1.0, tol=1e-10).fit(cloud, side)
sums = Gaussian(1.0)(cloud) @ machine.dual_coef_
verify("the printed w differs from point to point by more than 1", np.ptp(sums) > 1)
verify("it is f - b", sums, machine.decision_function(cloud) - machine.intercept_)

# %% [markdown] key="E50"
# ### E50. Checked, and right: wider Gaussian, less capacity
#
# *Where: “(b) SVM non-linéaires”, slide 8 of 8.*
#
# **Printed:** a larger variance lowers the capacity. **Confirmed**: on labels drawn at random, where there is nothing to learn, a narrow bell learns all of them by heart, a wide one few.

# %% key="E50-proof"
nonsense = np.where(np.random.default_rng(5).random(40) < 0.5, 1, -1)
learnt = [
    SVC(Gaussian(s), C=1e3).fit(cloud, nonsense).score(cloud, nonsense) for s in (0.05, 1.0, 50.0)
]
verify("σ = 0.05 learns all forty, 1 fewer, 50 fewer still", learnt[0] == 1 > learnt[1] > learnt[2])

# %% [markdown] key="upct"
# ## J. Vales Alonso, *Máquinas de vector soporte* (Universidad Politécnica de Cartagena, 2020)
#
# From the dual of ridge regression to soft margins in some twenty slides, each with its formula and its sentence; and it tells students how
# to study them. Gracias; the start page of this course borrows that advice, chapters 2, 5 and 6 many of its formulas.

# %% [markdown] key="E61b"
# ### E61b. Checked, and right: the dual of ridge regression
#
# *Where: “Métodos de kernel (III)”.*
#
# **Printed:** $\frac12a^\top KKa-a^\top Kt+\frac12t^\top t+\frac\lambda2a^\top Ka$, and $a=(K+\lambda I)^{-1}t$. **Confirmed**, and since *both* terms have their ½, λ is the same number as ours.

# %% key="E61b-proof"
K, t = Gaussian(1.0)(np.array([[0.0], [1.0], [2.5]])), np.array([1.0, -1.0, 0.5])
a = np.linalg.solve(K + 0.5 * np.eye(3), t)
verify(
    "the gradient vanishes there",
    slopes(lambda a: a @ K @ K @ a / 2 - a @ K @ t + t @ t / 2 + 0.25 * a @ K @ a, a),
    0.0,
    tol=1e-8,
)

# %% [markdown] key="E61"
# ### E61. A product of two vectors
#
# *Where: “Métodos de kernel (V)”.*
#
# **Printed:** $k(x,z)=(xz)^2$, in the second line of the example. **Correct:** $(x^\top z)^2$, as in the line above it. The result is right: $\varphi(x)^\top\varphi(z)$ with the $\sqrt2$ in its place.

# %% key="E61-proof"
x, z = np.array([1.0, 2.0]), np.array([3.0, -1.0])


def phi(v):
    return np.array([v[0] ** 2, np.sqrt(2) * v[0] * v[1], v[1] ** 2])


verify("(xᵀz)² = 1 is φ(x)ᵀφ(z)", phi(x) @ phi(z), (x @ z) ** 2)
verify("entry by entry, x z is no number", (x * z).shape == (2,))

# %% [markdown] key="E53"
# ### E53. A section that is a flat line
#
# *Where: “Métodos de kernel (VI)”.*
#
# **Printed:** the figure shows $k(x,0)$ for polynomial features. **Correct:** for another point, such as $x'=-\frac12$. With $\varphi(x)=(x,x^2,\dots)$, $\varphi(0)=0$ and $k(x,0)=0$ for every $x$; with a constant $c$ among the features it is $c^2$. Figure 6.1 of C. M. Bishop's *Pattern Recognition and Machine Learning* (2006) has the same mistake.

# %% key="E53-proof"
t = np.linspace(-1, 1, 41)
powers = np.arange(1, 12)
section_at = {c: t[:, None] ** powers @ np.float64(c) ** powers for c in (0.0, -0.5)}
verify("k(x, 0) is 0 for every x", section_at[0.0], 0.0)
verify("k(x, -½) is not: it spreads over more than 1", np.ptp(section_at[-0.5]) > 1)

# %% [markdown] key="E52"
# ### E52. Eigenvalues that may be 0
#
# *Where: “Métodos de kernel (VII)”.*
#
# **Printed:** *semidefinida positiva (todos los autovalores positivos)*, of “its Gram matrix”. **Correct:** eigenvalues $\ge0$, and of *every* finite set of points.

# %% key="E52-proof"
K = Linear()(np.array([[1.0], [2.0], [3.0]]))
verify(
    "the linear kernel on 1, 2, 3: eigenvalues 0, 0 and 14", np.linalg.eigvalsh(K), [0.0, 0.0, 14.0]
)
alone, together = (least(Sigmoid(1.0, 0.0)(np.array(s))) for s in ([[1.0]], [[1.0], [2.0]]))
verify(
    "one set proves nothing: tanh(x z) passes at 1 alone, and fails at 1 and 2",
    alone > 0 > together,
)

# %% [markdown] key="E54"
# ### E54. Right is right above 0
#
# *Where: “Clasificadores de margen máximo (II)”.*
#
# **Printed:** a new point is classified by the sign of $y(x)$, *therefore* $t_ny(x_n)\ge1$ for points on their right side. **Correct:** $t_ny(x_n)>0$. The 1 comes later, from the choice of a scale for $(w,b)$.

# %% key="E54-proof"
f, labels = np.array([0.2, 3.0, -0.5]), np.array([1, 1, -1])
verify("three points, all on their side", np.all(np.sign(f) == labels))
verify("t y is 0.2, 3 and 0.5: two of three are below 1", labels * f, [0.2, 3.0, 0.5])

# %% [markdown] key="E55"
# ### E55. A distance has no sign
#
# *Where: “Clasificadores de margen máximo (II)”.*
#
# **Printed:** the distance from $x_n$ to the boundary is $y(x_n)/\|w\|$. **Correct:** the *signed* distance; the distance is its absolute value, or $t_ny(x_n)/\|w\|$ for a point on its right side.

# %% key="E55-proof"
w, b, origin = np.array([3.0, 4.0]), -10.0, np.zeros(2)
foot = origin - (w @ origin + b) / (w @ w) * w
verify("the foot of the perpendicular lies on the line", w @ foot + b, 0.0)
verify(
    "its distance from the origin is 2, the formula says -2",
    [np.linalg.norm(foot), (w @ origin + b) / np.linalg.norm(w)],
    [2.0, -2.0],
)

# %% [markdown] key="E94"
# ### E94. What is scaled
#
# *Where: “Clasificadores de margen máximo (II)” and “Clasificadores de margen máximo (III)”.*
#
# **Printed:** one may suppose *a scale of the data space* such that the nearest point has value 1. **Correct:** a scale of $(w,b)$. The data stay where they are, and so does the plane. (The same page changes from $w^\top x+b$ to $w^\top\varphi(x)+b$; both are meant.)

# %% key="E94-proof"
longer, offset = 7 * hard.weights_, 7 * hard.intercept_  # the three points of E12
value = (trio_y * (trio @ longer + offset)).min()
verify("(w, b) seven times as long: the least value is 7", value, 7.0, tol=1e-6)
verify(
    "... and the least distance what it was",
    value / np.linalg.norm(longer),
    1 / np.linalg.norm(hard.weights_),
    tol=1e-6,
)
verify(
    "divided by 7 they are canonical, and no point has moved",
    longer / value,
    hard.weights_,
    tol=1e-6,
)

# %% [markdown] key="E56"
# ### E56. The label is missing
#
# *Where: “Clasificadores de margen máximo (III)” and “Clasificadores de margen máximo (VII)”, the second of that name.*
#
# **Printed:** $w^\top\varphi(x_n)+b=1$ for the nearest point, and again for *some support vector*, from which $b$ follows. **Correct:** $t_n(w^\top\varphi(x_n)+b)=1$, so $b=t_n-w^\top\varphi(x_n)$. From a negative support vector the printed $b$ is 2 too large: the plane then lies behind the negative support vectors, and they come out positive.

# %% key="E56-proof"
w, b, negative = hard.weights_, hard.intercept_, trio[2]  # the three points of E12
verify(
    "with the label, from either class: one b",
    [1 - w @ trio[0], -1 - w @ negative],
    [b, b],
    tol=1e-6,
)
verify("without it, from the negative one: 2 too large", 1 - w @ negative - b, 2.0, tol=1e-6)
verify(
    "... and the negative point comes out at +1",
    w @ negative + (1 - w @ negative),
    1.0,
    tol=1e-6,
)

# %% [markdown] key="E57"
# ### E57. Gradients in w and b, not in a
#
# *Where: “Clasificadores de margen máximo (V)”.*
#
# **Printed:** setting the gradients in $w$, $b$ *and* $a$ to 0 gives (9) and (10). **Correct:** those in $w$ and $b$ give them. $\partial L/\partial a_n=1-t_ny(x_n)$ is *not* 0 for points beyond the margin; there $a_n=0$ holds instead.

# %% key="E57-proof"
slope_in_a = 1 - trio_y * (trio @ w + b)
verify("three points: ∂L/∂a is 0, -1 and 0", slope_in_a, [0.0, -1.0, 0.0], tol=1e-6)
verify("... and a is 0 where it is not 0", hard.multipliers_[1], 0.0)

# %% [markdown] key="E58"
# ### E58. One optimum: of what?
#
# *Where: “Clasificadores de margen máximo (V)”.*
#
# **Printed:** primal and dual are convex, *y hay un solo óptimo*. **Correct:** a single optimal value, and a single $w$ and $b$. The multipliers need not be unique: convex is not strictly convex.

# %% [markdown] key="E59"
# ### E59. On the margin, and not a support vector
#
# *Where: “Clasificadores de margen máximo (VII)”, the second of that name.*
#
# **Printed:** the points of the margin *are called* support vectors. **Correct:** those with $a_n>0$. At the corners of a square all four points touch, and two of them suffice. With slack, many support vectors are not on the margin at all.

# %% key="E58-E59-proof"
square, sides = (
    np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]),
    np.array([1, 1, -1, -1]),
)
both = [np.array([0.5, 0.0, 0.5, 0.0]), np.array([0.25] * 4)]
dual = [a.sum() - np.sum(((a * sides) @ square) ** 2) / 2 for a in both]
verify("two a, one w: (1, 0)", [(a * sides) @ square for a in both], [[1.0, 0.0]] * 2)
verify(
    "both satisfy Σ a t = 0 and have the value ½ = ½‖w‖²",
    [*(a @ sides for a in both), *dual],
    [0, 0, 0.5, 0.5],
)
verify(
    "all four have t y = 1; one a has two support vectors",
    (np.all(sides * square[:, 0] == 1), np.sum(both[0] > 0)) == (True, 2),
)

# %% [markdown] key="E96"
# ### E96. A slide that is missing
#
# *Where: “Clasificadores de margen máximo (VII)” and “Clasificadores de margen máximo (VII)”, the second of that name.*
#
# **Printed:** (IV), (V), (VII), (VII), (VIII). **Correct:** one of the two VII is VI. Nothing is lost.

# %% [markdown] key="E60"
# ### E60. Where the zeros save work
#
# *Where: “Clasificadores de margen máximo (VII)”, the second of that name.*
#
# **Printed:** as $a_n=0$ for the others, the kernel *in equation (11)* is not needed for them. **Correct:** in the *prediction* it is not. (11) is the problem that finds out who is a zero, and it needs all pairs.

# %% key="E60-proof"
machine = SVC(Gaussian(1.0), C=1.0, tol=1e-10).fit(cloud, side)
some, new = machine.support_, cloud[:5] + 0.1
verify("not all are support vectors", len(some) < len(cloud))
verify(
    "to predict, the pairs with them are enough",
    Gaussian(1.0)(new, cloud[some]) @ machine.dual_coef_[some] + machine.intercept_,
    machine.decision_function(new),
)
other = SVC(Gaussian(1.0), C=1.0, tol=1e-10).fit(cloud, -side[::-1])  # other labels, other zeros
verify(
    "who is a zero depends on the labels: the pairs do not tell beforehand",
    set(other.support_) != set(some),
)

# %% [markdown] key="E97"
# ### E97. It does not degrade, it does not exist
#
# *Where: “Clasificadores de margen suave”.*
#
# **Printed:** on data that cannot be separated, or with outliers, the machine's performance *degrades rapidly*. **Correct:** of outliers. Without separability the hard problem (7) has no solution at all, and its dual no bound: see E13.

# %% key="E97-proof"
direction = np.array([1.0, 3.0, 3.0, 1.0])  # a = s·(1, 3, 3, 1) for -, +, -, + at 0, 1, 2, 3
verify("Σ a t = 0, and Σ a t x = 0", [direction @ marks, (direction * marks) @ spots], 0.0)
verify("so the dual is 8 s, without bound", direction.sum(), 8.0)

# %% [markdown] key="E95"
# ### E95. The slack, and its problem
#
# *Where: “Clasificadores de margen suave (II)”.*
#
# **Printed:** slack variables $\varepsilon_n$, and no formula. **More precisely:** $\min\frac12\|w\|^2+C\sum_n\xi_n$ subject to $t_ny(x_n)\ge1-\xi_n$, $\xi_n\ge0$. We write $\xi$, since ε is the tube of regression.

# %% key="E95-proof"
def total(v):
    w, b = v[:2], v[2]
    return w @ w / 2 + 0.5 * hinge(side * (cloud @ w + b)).sum()


soft = SVC(Linear(), C=0.5, tol=1e-10).fit(cloud, side)
at = np.array([*(cloud.T @ soft.dual_coef_), soft.intercept_])
around = [total(at + 0.01 * d) for d in np.random.default_rng(0).normal(size=(100, 3))]
verify(
    "the machine's w and b minimise it: nothing around them is better",
    min(around) >= total(at) - 1e-9,
)

# %% [markdown] key="krr"
# ## *Régression ridge à noyau*, chapter 20 of an online course with Python
#
# The one source that comes with a program, and the whole way from the space to the solution on one page. A program can be *wrong* in a way that
# no formula can, and ours owe theirs their tests. Merci; chapter 3 starts where this page ends.

# %% [markdown] key="E66"
# ### E66. Mean, or sum
#
# *Where: section 20.1, “Formulation dans le RKHS”.*
#
# **Printed:** the *mean* squared error, above a formula with a sum. **Correct:** the formula, and with it $\beta=(K+\lambda I)^{-1}y$. With a mean it is $(K+m\lambda I)^{-1}y$: a λ that is carried over is wrong by the factor $m$.

# %% key="E66-proof"
K, y3, lam = Gaussian(1.0)(np.array([[0.0], [1.0], [2.5]])), np.array([1.0, -1.0, 0.5]), 0.5


def objective(beta, mean):
    return np.sum((y3 - K @ beta) ** 2) / (3 if mean else 1) + lam * beta @ K @ beta


of_sum, of_mean = (np.linalg.solve(K + shift * np.eye(3), y3) for shift in (lam, 3 * lam))
verify(
    "the sum's gradient vanishes at (K + λI)⁻¹y",
    slopes(lambda b: objective(b, False), of_sum),
    0.0,
    tol=1e-8,
)
verify("the mean's at (K + mλI)⁻¹y", slopes(lambda b: objective(b, True), of_mean), 0.0, tol=1e-8)
verify("the two curves differ by more than a fifth", np.abs(K @ (of_sum - of_mean)).max() > 0.2)

# %% [markdown] key="E67"
# ### E67. Which theorem?
#
# *Where: section 20.2, “Formulation duale”.*
#
# **Printed:** *théorème de représentation*. **More precisely:** *théorème du représentant*, the representer theorem. Both names are in use; the first is easily taken for Riesz's theorem on functionals, which is another.

# %% [markdown] key="E65"
# ### E65. An inverse on the way that need not exist
#
# *Where: section 20.3, “Solution”.*
#
# **Printed:** $\beta=(K+\lambda I)^{-1}K^{-1}Ky$. **Correct:** the end, $(K+\lambda I)^{-1}y$. Measure twice at one $x$ and $K$ has two equal rows; no $K^{-1}$, and β is not even unique. $f$ is, and $K(K+\lambda I)\beta=Ky$ needs no $K^{-1}$ to be solved.

# %% key="E65-proof"
K2, y2 = Gaussian(1.0)(np.array([[0.0], [0.0], [1.0]])), np.array([1.0, 2.0, -1.0])
verify("a repeated point: rank 2 of 3", np.linalg.matrix_rank(K2) == 2)
beta, silent = np.linalg.solve(K2 + 0.5 * np.eye(3), y2), np.array([1.0, -1.0, 0.0])
steep = [K2 @ ((K2 + 0.5 * np.eye(3)) @ b - y2) for b in (beta, beta + 7 * silent)]
verify("the gradient vanishes at (K + λI)⁻¹y, and at that + 7·(1, -1, 0)", np.array(steep), 0.0)

# %% [markdown] key="E98"
# ### E98. A program without its indentation
#
# *Where: the program of chapter 20.*
#
# **Printed:** loops and functions, every line flush left, in the copy that we read: an accident of copying a web page, and the page itself may well have its margins. **Correct:** the same lines, indented. As it stands Python refuses it.

# %% key="E98-proof"
flat = "def krr(X, y):\nK = X @ X.T\nreturn K"
message = ""
try:
    compile(flat, "page", "exec")
except IndentationError as error:
    message = type(error).__name__
verify("Python's answer", message == "IndentationError")
verify("indented, it compiles", compile(flat.replace("\n", "\n    "), "page", "exec") is not None)

# %% [markdown] key="E99"
# ### E99. A formula is not a computation
#
# *Where: the program of chapter 20.*
#
# **Printed:** `np.linalg.inv(K + Lambda * np.eye(len(y))) @ y`. **Better:** solve the system. For tiny λ the inverse loses what a solution keeps: the test is the residual $(K+\lambda I)\beta-y$.

# %% key="E99-proof"
x30 = np.linspace(-3, 3, 30)[:, None]
matrix, y30 = Gaussian(1.0)(x30) + 1e-12 * np.eye(30), np.sinc(x30[:, 0])
by_inverse, solved = (
    np.abs(matrix @ b - y30).max()
    for b in (np.linalg.inv(matrix) @ y30, np.linalg.solve(matrix, y30))
)
verify(
    "λ = 1e-12: the residual of the inverse is over a hundred times larger",
    by_inverse > 100 * solved,
)

# %% [markdown] key="E62"
# ### E62. Two arguments change places
#
# *Where: the program of chapter 20.*
#
# **Printed:** `def krr(X, y, sigma, Lambda)`, called `krr(x, y, Lambda, sigma)`. **Correct:** one order for both; or arguments by name, as in `KernelRidge(kernel, lam=…)`.
#
# So the program *trains* with $\sigma=0.5$ and $\lambda=\sigma$, and *predicts* with σ. At $\sigma=\lambda=0.5$ nobody notices.

# %% [markdown] key="E68"
# ### E68. A figure that nobody can draw again
#
# *Where: the program of chapter 20.*
#
# **Printed:** `np.random.rand(30)` without a seed. **Better:** a generator with one, `np.random.default_rng(0)`.

# %% key="E62-E68-proof"
rng = np.random.default_rng(0)
x = 6 * rng.random(30) - 3
y = np.sinc(x) + 0.15 * rng.normal(size=30)
xt = np.arange(-3, 3, 0.05)


def bells(a, b, sigma):
    return np.exp(-((a[:, None] - b) ** 2) / (2 * sigma**2))


def called(sigma, lam, swapped):
    train_sigma, train_lam = (lam, sigma) if swapped else (sigma, lam)
    beta = np.linalg.solve(bells(x, x, train_sigma) + train_lam * np.eye(30), y)
    return bells(xt, x, sigma) @ beta


error = {
    (s, swap): np.sqrt(np.mean((called(s, 0.5, swap) - np.sinc(xt)) ** 2))
    for s in (0.2, 0.5, 1.0)
    for swap in (True, False)
}
verify(
    "σ = 0.2 and 1, these points: the swapped call errs more, by half at least",
    min(error[s, True] / error[s, False] for s in (0.2, 1.0)) > 1.5,
)
verify("σ = 0.5 = λ: the same curve, by luck", called(0.5, 0.5, True), called(0.5, 0.5, False))
verify(
    "another draw, another figure",
    np.abs(np.random.default_rng(1).random(30) - np.random.default_rng(0).random(30)).max() > 0.1,
)

# %% key="E62-figure" hide="input"
fig, axes = plt.subplots(1, 3, figsize=(9.5, 3.1), layout="constrained", sharey=True)
for ax, s in zip(axes, (0.2, 0.5, 1.0), strict=True):
    ax.plot(x, y, "o", ms=3, color="0.6")
    ax.plot(xt, called(s, 0.5, False), **cycle(0), label="as meant")
    ax.plot(xt, called(s, 0.5, True), **cycle(1), label="as called")
    ax.set(xlabel="$x$", title=f"$\\sigma={s:g}$, $\\lambda=0.5$")
axes[0].set_ylabel("$f(x)$")
axes[2].legend(loc="upper right", fontsize="small")
show(
    fig,
    alt="Three panels, sigma 0.2, 0.5 and 1, with thirty points and two curves: as meant, and as "
    "called with the arguments exchanged. They coincide in the second and differ in the others.",
)

# %% [markdown] key="E64"
# ### E64. Two functions called sinc
#
# *Where: the program of chapter 20.*
#
# **Printed:** the legend says sinc(x), the program `np.sinc(x)`. **Correct:** both; but NumPy's is $\sin(\pi x)/(\pi x)$, and many books mean $\sin(x)/x$.

# %% key="E64-proof"
verify("at ½: NumPy's", np.sinc(0.5), "0.6366")
verify("at ½: the other", np.sin(0.5) / 0.5, "0.9589")

# %% [markdown] key="E63"
# ### E63. A title that says another number
#
# *Where: the program of chapter 20.*
#
# **Printed:** `lambda=0.2` in the title of figures that are made with `Lambda = 0.5`. **Correct:** 0.5; 0.2 is one of the widths. Titles that print the variable cannot mistake.

# %% [markdown] key="across"
# ## Between the five
#
# Two things that no single source gets wrong, and that nobody who reads two of them gets right at once.

# %% [markdown] key="E69"
# ### E69. Letters
#
# Targets are $y$, $d$ or $t$; examples are counted by $n$, $N$ or $m$; a stroke ′ means the transpose in one source, another point in the next and a derivative in two more. There is no right and wrong here, only a [table](00_start_here.ipynb#Notation).

# %% [markdown] key="E70"
# ### E70. How wide is a margin?
#
# *Where: IFT6266, “Classificateurs à marge maximale”; SYS843, “(a) SVM linéaires – cas séparable”, slide 6 of 11; Cartagena, “Clasificadores de margen máximo (III)”.*
#
# **Printed:** *distance 1* (IFT6266), $M=2/\|w\|$ (SYS843), maximise $1/\|w\|$ (Cartagena). **Correct:** $1/\|w\|$ is half of the strip, $2/\|w\|$ all of it. Who maximises one maximises the other; who compares two programs' “margin” asks first.

# %% key="E70-proof"
w = hard.weights_
toward = trio[0] - trio[2]
verify(
    "the strip between the classes, along w, is 2/‖w‖ wide",
    toward @ w / np.linalg.norm(w),
    2 / np.linalg.norm(w),
    tol=1e-6,
)
verify(
    "... and 1/‖w‖ on each side of the plane",
    (trio[0] @ w + hard.intercept_) / np.linalg.norm(w),
    1 / np.linalg.norm(w),
    tol=1e-6,
)
