# %% [markdown] key="title"
# # Errata of five good sources
#
# This course follows five public lectures and book chapters. Anyone who checks every formula in someone else's text
# finds mistakes, and should pass them on to the next reader. This page lists all that we found, with thanks to the
# authors. Most are a sign, a transpose or a letter, of the kind that collects on slides and that a lecturer
# corrects while speaking. Where we are not sure that something *is* a mistake, we say so.
#
# **How to read an entry.** The first line gives the title of the slide or section, as the source has it. *Printed*
# quotes the source, *Correct* gives the correction, and *Why* gives the reason. Where anything can be computed, a
# cell below the entry verifies that the correction holds and that the printed version does not. The last line links
# to the section of this course that uses the correct version. If JupyterLab opens that chapter at its top, click
# once more.
#
# Formulas keep the letters of their source, except that the transpose is always $^\top$. The [start
# page](00_start_here.ipynb#Notation) lists the course's own letters. We also list surprising statements that are
# correct, so that nobody “corrects” them.
#
# **Errors of our own.** This course also has mistakes that nobody has found yet. Please tell us the chapter, the
# section, the sentence and one number that shows the mistake. The number becomes a test, so the mistake cannot come
# back.

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
    """Return the gradient of f by finite differences, to check the printed gradients."""
    at = np.asarray(at, dtype=float)
    steps = h * np.eye(at.size).reshape(-1, *at.shape)
    return np.array([(f(at + s) - f(at - s)) / (2 * h) for s in steps]).reshape(at.shape)


def min_eig(K):
    """Return the smallest eigenvalue of the symmetric part of K."""
    return np.linalg.eigvalsh((K + K.T) / 2)[0]

# %% [markdown] key="harm"
# ## Errata with serious consequences
#
# Most entries cost a reader five minutes. The following ones would spoil an examination, a program or a
# measurement.
#
# | | if you … | you get |
# |---|---|---|
# | E10 | train a classifier whose loss *rewards* errors | $w=0$ always; in an examination, the sign of every case of the loss reversed |
# | E05, E06, E08 | program ridge regression with a missing transpose | an error message, or for $n=d$ a wrong vector of the right shape |
# | E62 | call a function with two arguments exchanged | three plausible curves, two of them wrong and one correct by chance |
# | E40 | follow the printed gradient of an RBF network | an error that rises at every step, however small the steps are |
# | E43 | normalise a hidden layer with the wrong index in the sum | the same output at every point |
# | E48 | compute a weight vector from kernel values | a different “$w$” for each point |
# | E56 | compute the bias from a negative support vector without its label | a bias that is 2 too large, and many points on the wrong side |
# | E30, E100 | take the multiquadric for positive definite, and add $\lambda I$ | a Cholesky factorisation that fails, or a system made singular |
# | E25 | leave out the bias | a network that cannot solve the example it was built for |
# | E21 | define a space by “differentiable almost everywhere” | a nonzero function of norm 0 |
# | E66 | take λ from a page that says “mean” to one that says “sum” | a penalty that is wrong by a factor equal to the number of points |
# | E13, E97 | set $C\to\infty$ although no plane separates the classes | half of the points of the example wrong, at any $C$ |

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
# The panel *Table of Contents* at the left of JupyterLab lists them by name.

# %% [markdown] key="ift6266"
# ## IFT6266, *Modèles à noyau* (Université de Montréal)
#
# These few pages lead from neighbours to support vectors without a superfluous word. No other source shows better
# that all kernel methods have one form, $f(x)=\sum_i\alpha_ik(x,x_i)$. Merci; chapters 1, 3 and 6 follow these
# pages.

# %% [markdown] key="E74"
# ### E74. The set of neighbours has the wrong letter
#
# *Where: “Modèles à noyau classiques”.*
#
# **Printed:** The page writes $K(u,v)=1$ if $v\in\mathcal V_k(u)$ and then defines $\mathcal V_k(v)$.
#
# **Correct:** Define $\mathcal V_k(u)$, the $k$ points of the data nearest to $u$.
#
# **Why:** This is not wrong, since a definition may use any letter. But within one sentence $v$ is both the
# neighbour and the point that has neighbours, and E01 shows why that matters.

# %% [markdown] key="E01"
# ### E01. The nearest-neighbour indicator is not positive semi-definite
#
# *Where: “Modèles à noyau classiques”.*
#
# **Printed:** $K(u,v)=1_{v\in\mathcal V_k(u)}$, in a list of *kernel* methods.
#
# **Correct:** This $K$ is a weight function, not an inner product.
#
# **Why:** A point $v$ may be among the nearest points of $u$ although $u$ is not among those of $v$. Even the
# symmetric part of $K$ has a negative eigenvalue. With $k=2$ and the points below it is $(1-\sqrt2)/2$.

# %% key="E01-proof"
x = np.array([0.0, 1.0, 1.9, 4.0])
# k = 2, and each point counts as its own neighbour
nearest = np.argsort(np.abs(x[:, None] - x), axis=1)[:, :2]
K = np.zeros((4, 4))
np.put_along_axis(K, nearest, 1.0, axis=1)
verify(
    "0 is not among the nearest points of 1, but 1 is among those of 0",
    (K[0, 1], K[1, 0]) == (1, 0),
)
verify("the symmetric part has a negative eigenvalue", min_eig(K), (1 - np.sqrt(2)) / 2)

# %% [markdown] key="E76"
# ### E76. Parzen's window estimates a density
#
# *Where: “Modèles à noyau classiques”.*
#
# **Printed:** The quotient $\sum_iy_iK(x,x_i)/\sum_jK(x,x_j)$ is called *fenêtre de Parzen*, “used rather for
# regression”.
#
# **Correct:** Parzen's window is the density $\frac1n\sum_iK(x,x_i)$, with a $K$ that integrates to 1. The quotient
# is the Nadaraya–Watson estimator of 1964.
#
# **Why:** The quotient is a weighted mean of the targets, not a density.

# %% key="E76-proof"
spots, line = np.array([1.0, 2.0, 4.0]), np.linspace(-10, 15, 5001)
gaussian = np.exp(-((line[:, None] - spots) ** 2) / 2)
verify(
    "Parzen's window, divided by σ√(2π), is a density: its integral is 1",
    np.trapezoid(gaussian.mean(axis=1) / np.sqrt(2 * np.pi), line),
    1.0,
    tol=1e-8,
)
quotient = gaussian @ [5.0, 7.0, 6.0] / gaussian.sum(axis=1)
verify(
    "the quotient averages targets: it is between 5 and 7 everywhere",
    5 <= quotient.min() and quotient.max() <= 7,
)

# %% [markdown] key="E02"
# ### E02. One sigma, two Gaussian kernels
#
# *Where: “Modèles à noyau classiques” and “Le Truc du Noyau”.*
#
# **Printed:** $e^{-\|u-v\|^2/\sigma^2}$ in the first section and $e^{-\frac12\|x-y\|^2/\sigma^2}$ in the second.
#
# **Correct:** Both are in use, but with different σ.
#
# **Why:** The kernels are equal if the first σ is $\sqrt2$ times the second.

# %% key="E02-proof"
first, second = np.exp(-(1**2) / 0.7**2), np.exp(-0.5 * 1**2 / 0.7**2)
verify("first formula, at distance 1 and σ = 0.7", first, "0.130")
verify("second formula, at the same distance and σ", second, "0.360")
verify(
    "with σ√2 the first formula gives the value of the second",
    np.exp(-1 / (0.7 * np.sqrt(2)) ** 2),
    second,
)

# %% [markdown] key="E16"
# ### E16. Underflow: a quotient that may be 0/0
#
# *Where: “Modèles à noyau classiques”.*
#
# **Printed:** $\tilde K=K(x,x_i)/\sum_jK(x,x_j)$, for any $x$.
#
# **Correct:** Subtract the largest exponent before you compute the exponentials.
#
# **Why:** Far from the data all Gaussians underflow to 0 in a computer, and $0/0$ is undefined. The subtraction
# does not change the quotient.

# %% key="E16-proof"
distances, targets, sigma = np.array([40.0, 41.0]), np.array([2.0, 7.0]), 0.5
exponents = -(distances**2) / (2 * sigma**2)
verify("as printed, both Gaussians are exactly 0", np.all(np.exp(exponents) == 0))
weights = np.exp(exponents - exponents.max())
verify(
    "with the largest exponent subtracted: the target of the nearest point",
    weights @ targets / weights.sum(),
    2.0,
)

# %% [markdown] key="E04"
# ### E04. Positive semi-definite: a sufficient and a necessary condition
#
# *Where: “Le Truc du Noyau”.*
#
# **Printed:** *La condition suffisante* for $K(x,y)=\varphi(x)^\top\varphi(y)$ is that $K$ is positive
# semi-definite.
#
# **Correct:** The condition is also necessary, and this half lets us rule a function out.
#
# **Why:** $\sum_{ij}c_ic_jK_{ij}=\|\sum_ic_i\varphi(x_i)\|^2\ge0$. If two points had the Gram matrix below, the
# value of $\|\varphi(x_1)-\varphi(x_2)\|^2$ would be $0+0-2$.

# %% key="E04-proof"
K = np.array([[0.0, 1.0], [1.0, 0.0]])
c = np.array([1.0, -1.0])
verify("a symmetric matrix that would give a squared length of -2", c @ K @ c, -2.0)
psd = Gaussian(0.7)(np.array([[0.0], [1.0], [1.9]]))
mu, Q = np.linalg.eigh(psd)
Phi = Q * np.sqrt(mu)  # the condition is sufficient: these are the features
verify("for a positive semi-definite matrix the features exist", Phi @ Phi.T, psd)

# %% [markdown] key="E75"
# ### E75. The simplest kernel and the most common one
#
# *Where: “Le Truc du Noyau” and Máquinas de vector soporte, “Métodos de kernel”.*
#
# **Printed:** The *simplest* kernel is the Gaussian; the Spanish source says that it is the linear one.
#
# **Correct:** The linear kernel is the simplest, and the Gaussian is the most common one.
#
# **Why:** The linear kernel has $\varphi(x)=x$.

# %% [markdown] key="E03"
# ### E03. Which operations make kernels from kernels
#
# *Where: “Le Truc du Noyau”.*
#
# **Printed:** Kernels may be “added, multiplied, etc.”
#
# **Correct:** Sums, products, positive multiples and limits of kernels are kernels. Differences, maxima and minima
# need not be.
#
# **Why:** The cell gives a counterexample for each of the three.

# %% key="E03-proof"
points = np.random.default_rng(0).normal(size=(12, 2))
A, B = Gaussian(1.0)(points), Linear()(points)
verify(
    "the sum and the product have no negative eigenvalue",
    min(min_eig(A + B), min_eig(A * B)) > -1e-12,
)
wrong = [min_eig(A - B), min_eig(np.maximum(A, B)), min_eig(np.minimum(A, B))]
verify("difference, maximum and minimum have an eigenvalue below -0.1", max(wrong) < -0.1)

# %% [markdown] key="E05"
# ### E05. A transpose is missing
#
# *Where: “Régression à noyau”.*
#
# **Printed:** $w=(X^\top X+\lambda I)^{-1}X\,y$.
#
# **Correct:** $w=(X^\top X+\lambda I)^{-1}X^\top y$.
#
# **Why:** $X$ is $n\times d$ and $y$ has $n$ entries, so the printed product does not exist unless $n=d$. In that
# case it exists but is not the minimiser.

# %% [markdown] key="E06"
# ### E06. The wrong index in a double sum
#
# *Where: “Régression à noyau”.*
#
# **Printed:** $w_i=\sum_jA_{ij}\sum_ky_k\,x_{ki}$, with $A=(X^\top X+\lambda I)^{-1}$.
#
# **Correct:** $w_i=\sum_jA_{ij}\sum_ky_k\,x_{kj}$.
#
# **Why:** In the printed formula $j$ occurs only in $A_{ij}$, so the outer sum adds up a row of $A$.

# %% key="E05-E06-proof"
rng = np.random.default_rng(1)
X, y, lam = rng.normal(size=(3, 3)), rng.normal(size=3), 0.5  # n = d, so that all products exist
A = np.linalg.inv(X.T @ X + lam * np.eye(3))


def criterion(w):
    return np.sum((y - X @ w) ** 2) + lam * w @ w


verify("with Xᵀ the gradient is 0", slopes(criterion, A @ X.T @ y), 0.0, tol=1e-8)
verify(
    "without the transpose the gradient is not 0", np.abs(slopes(criterion, A @ X @ y)).max() > 0.1
)
double_sum = [np.einsum(f"ij,k,{x}->i", A, y, X) - A @ X.T @ y for x in ("kj", "ki")]
verify(
    "the double sum is w with x_kj, but not with x_ki",
    [np.abs(d).max() > 0.01 for d in double_sum] == [False, True],
)

# %% [markdown] key="E07"
# ### E07. A conclusion without its reason
#
# *Where: “Régression à noyau”.*
#
# **Printed:** $w=A\sum_ky_kx_k$, “so” $w=\sum_k\alpha_kx_k$.
#
# **Correct:** The conclusion is true, but the reason is missing.
#
# **Why:** $A\,x_k$ is not a multiple of $x_k$, so the page has only shown a combination of the vectors $A\,x_k$.
# One reason is the gradient, which gives $w=\frac1\lambda X^\top(y-Xw)$. Another is the identity
# $(X^\top X+\lambda I)^{-1}X^\top=X^\top(XX^\top+\lambda I)^{-1}$.

# %% key="E07-proof"
X, y = rng.normal(size=(4, 6)), rng.normal(size=4)  # fewer points than features
A = np.linalg.inv(X.T @ X + lam * np.eye(6))
turned = [(A @ v) @ v / np.linalg.norm(A @ v) / np.linalg.norm(v) for v in X]
verify("A x_k is not parallel to x_k: every cosine is below 0.99", max(turned) < 0.99)
alpha = np.linalg.solve(X @ X.T + lam * np.eye(4), y)
verify("nevertheless w is Xᵀα", A @ X.T @ y, X.T @ alpha)

# %% [markdown] key="E73"
# ### E73. When the dual form is cheaper
#
# *Where: “Régression à noyau”.*
#
# **Printed:** $d>n$ *because* the prediction is non-linear.
#
# **Correct:** The dual form is valid for any $d$ and $n$, and it is cheaper for $d>n$.
#
# **Why:** Non-linear features may be few. A polynomial of degree 2 in one variable has 3 features, and the example
# has 8 points.

# %% key="E73-proof"
t = np.linspace(-1, 1, 8)
Phi, target = np.column_stack([np.ones(8), t, t**2]), np.exp(t)  # d = 3 < n = 8
primal = np.linalg.solve(Phi.T @ Phi + lam * np.eye(3), Phi.T @ target)
dual = Phi.T @ np.linalg.solve(Phi @ Phi.T + lam * np.eye(8), target)
verify("primal and dual give the same w for three features and eight points", primal, dual)

# %% [markdown] key="E08"
# ### E08. The same transpose is missing again
#
# *Where: “Régression à noyau”.*
#
# **Printed:** $w=R\,\alpha$, with $\varphi(x_k)$ in the rows of $R$.
#
# **Correct:** $w=R^\top\alpha$.
#
# **Why:** The next line of the page, $Rw=RR^\top\alpha$, uses the correct form.

# %% [markdown] key="E08b"
# ### E08b. Confirmed: the gradient of the dual
#
# *Where: “Régression à noyau”.*
#
# **Printed:** $-2RR^\top y+2RR^\top RR^\top\alpha+2\lambda RR^\top\alpha$.
#
# **Correct:** As printed.
#
# **Why:** Finite differences agree with it. As the page says, $(RR^\top+\lambda I)\alpha=y$ is *sufficient* for a
# zero gradient.

# %% key="E08-E08b-proof"
R, y, alpha = rng.normal(size=(4, 3)), rng.normal(size=4), rng.normal(size=4)
M = R @ R.T
verify("R has 3 columns and α has 4 entries, so R α does not exist", R.shape[1] != len(alpha))
verify("Rᵀα exists, and R(Rᵀα) is RRᵀα", R @ (R.T @ alpha), M @ alpha)
verify(
    "the printed gradient agrees with finite differences",
    slopes(lambda a: np.sum((y - M @ a) ** 2) + lam * a @ M @ a, alpha),
    -2 * M @ y + 2 * M @ M @ alpha + 2 * lam * M @ alpha,
    tol=1e-7,
)

# %% [markdown] key="E09"
# ### E09. The mean of a Gaussian process, under three conditions
#
# *Where: “Régression à noyau”.*
#
# **Printed:** The expectation of a Gaussian process gives the same solution.
#
# **Correct:** This holds if $\lambda=\sigma_n^2$ with the *sum* of squares, the kernels are equal, and the prior
# mean is 0.
#
# **Why:** Otherwise the curves differ, for example if a program subtracts $\bar y$ first.

# %% key="E09-proof"
x = np.linspace(0, 3, 9)[:, None]
y, new = np.cos(x[:, 0]) + 2, np.array([[0.4], [5.0]])
K, k = Gaussian(0.8)(x), Gaussian(0.8)(new, x)


def gp_mean(noise_variance, prior_mean=0.0):
    noisy = K + noise_variance * np.eye(9)
    return prior_mean + k @ np.linalg.solve(noisy, y - prior_mean)


ridge = KernelRidge(Gaussian(0.8), lam=0.3).fit(x, y).predict(new)
verify("λ = σ_n² and prior mean 0: the same predictions", ridge, gp_mean(0.3))
verify("another σ_n²: other predictions", np.abs(ridge - gp_mean(0.03)).max() > 0.05)
verify("another prior mean: other predictions", np.abs(ridge - gp_mean(0.3, y.mean())).max() > 1)

# %% [markdown] key="E78"
# ### E78. Gaussian processes: a reference to other slides
#
# *Where: “Régression par Processus Gaussiens”.*
#
# **Printed:** For Gaussian processes, see another presentation.
#
# **Correct:** This is a reference, not a mistake.
#
# **Why:** Those slides are not part of the source, so chapter 4 follows the textbooks.

# %% [markdown] key="E12"
# ### E12. The 1 is not a distance
#
# *Where: “Classificateurs à marge maximale”.*
#
# **Printed:** The examples must be *at a distance of at least 1* from the decision surface.
#
# **Correct:** The constraint is $y\,f(x)\ge1$.
#
# **Why:** The distance is $y\,f(x)/\|w\|$, so it is at least $1/\|w\|$.

# %% key="E12-proof"
trio, trio_y = np.array([[2.0, 2.0], [3.0, 2.0], [1.0, 1.0]]), np.array([1, 1, -1])
hard = MaxMargin().fit(trio, trio_y)
w, b = hard.weights_, hard.intercept_
verify("three points: the smallest y f is 1", (trio_y * (trio @ w + b)).min(), 1.0, tol=1e-8)
verify(
    "the distance of the first point from the plane is √2/2 = 1/‖w‖",
    np.linalg.norm(trio[0] - [1.5, 1.5]),
    1 / np.linalg.norm(w),
    tol=1e-8,
)
verify("the foot of its perpendicular lies on the plane", w @ [1.5, 1.5] + b, 0.0, tol=1e-8)

# %% [markdown] key="E10"
# ### E10. A loss that rewards errors
#
# *Where: “Classificateurs à marge maximale” and “SVMs”.*
#
# **Printed:** $Q=\frac12\|w\|^2+C\sum_i(y_if(x_i)-1)_+$, and the same bracket again at the end.
#
# **Correct:** $Q=\frac12\|w\|^2+C\sum_i(1-y_if(x_i))_+$.
#
# **Why:** The printed $Q$ is 0 at $w=0$, $b=0$, and $Q$ is never negative. A point with $y\,f=3$, on the correct
# side, would cost 2, while a point with $y\,f=-3$ would cost nothing.

# %% key="E10-proof"
def printed(margin):
    return np.maximum(margin - 1, 0)


def hinge(margin):
    return np.maximum(1 - margin, 0)


verify(
    "printed loss: y f = 3 costs 2, and y f = -3 costs nothing",
    printed(np.array([3.0, -3.0])),
    [2.0, 0.0],
)
verify(
    "hinge: y f = 3 costs nothing, and y f = -3 costs 4", hinge(np.array([3.0, -3.0])), [0.0, 4.0]
)
verify(
    "at w = 0, b = 0 each point costs 0 with the printed loss and 1 with the hinge",
    (printed(0.0), hinge(0.0)) == (0, 1),
)

# %% key="E10-figure" hide="input"
margin = np.linspace(-3, 3, 200)
fig, axes = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
axes[0].plot(margin, hinge(margin), **cycle(0), label="$(1-yf)_+$, correct")
axes[0].plot(margin, printed(margin), **cycle(1), label="$(yf-1)_+$, printed")
axes[0].set(xlabel="$y\\,f(x)$", ylabel="loss of a point", title="loss of one point")
axes[0].legend(loc="upper center")
line, signs = np.array([-2.0, -1.0, 0.5, 1.5, 2.0]), np.array([-1, -1, 1, 1, 1])
slope = np.linspace(-1, 3, 200)
for i, (loss, name) in enumerate(((hinge, "correct"), (printed, "printed"))):
    Q = slope**2 / 2 + loss(np.outer(slope, line * signs)).sum(axis=1)
    axes[1].plot(slope, Q, **cycle(i), label=name)
    lowest = slope[np.argmin(Q)]
    if name == "correct":
        verify("with the hinge the best w is above ½", lowest > 0.5)
    else:
        verify("with the printed loss the best w is 0, up to the grid", abs(lowest) < 0.02)
axes[1].set(xlabel="$w$", ylabel="$Q$", ylim=(0, 10), title="five separable points, $f(x)=wx$")
axes[1].legend(loc="upper right")
show(
    fig,
    alt="Left: the hinge falls to 0 at y f = 1 and stays there; the printed loss is 0 up to 1 and "
    "rises beyond it. Right: the criterion of five separable points; with the hinge its "
    "minimum is at a positive w, with the printed loss at w = 0.",
)

# %% [markdown] key="E77"
# ### E77. The support vector machine: authors and years
#
# *Where: “Classificateurs à marge maximale” and SYS843, “4. Séparateurs à vaste marge”.*
#
# **Printed:** *Vapnik (livres de 1995)* here, and *Vapnik, 1992* in SYS843.
#
# **Correct:** B. Boser, I. Guyon and V. Vapnik, 1992 (maximum margin with a kernel); C. Cortes and V. Vapnik, 1995
# (slack).
#
# **Why:** The articles have several authors. Vapnik's books appeared in 1995 and 1998.

# %% [markdown] key="E15"
# ### E15. Conjugate gradients need a gradient
#
# *Where: “Classificateurs à marge maximale”.*
#
# **Printed:** $Q$ can be minimised by conjugate gradients.
#
# **Correct:** Use sub-gradients, as in the stochastic descent that the same sentence names, or square the hinge.
#
# **Why:** The hinge has a corner at $y\,f=1$, with slope $-1$ on one side and 0 on the other. Its square has no
# corner.

# %% key="E15-proof"
h = 1e-6
left, right = (hinge(1.0) - hinge(1 - h)) / h, (hinge(1 + h) - hinge(1.0)) / h
verify(
    "left and right derivative of the hinge at 1: -1 and 0", [left, right], [-1.0, 0.0], tol=1e-9
)
left, right = (-(hinge(1 - h) ** 2) / h, hinge(1 + h) ** 2 / h)  # the square is 0 at 1 itself
verify("left and right derivative of the squared hinge at 1: both 0", [left, right], 0.0, tol=1e-5)

# %% [markdown] key="E11"
# ### E11. A factor of one half comes and goes
#
# *Where: “Classificateurs à marge maximale”.*
#
# **Printed:** $\frac12\|w\|^2+C\sum_i\xi_i$, and a few lines later $\|w\|^2+C\sum_i\xi_i$.
#
# **Correct:** Both are in use, but the $C$ of the second is twice the $C$ of the first.
#
# **Why:** Twice the first objective is $\|w\|^2+2C\sum_i\xi_i$.

# %% key="E11-proof"
cloud = np.random.default_rng(2).normal(size=(40, 2))
side = np.where(cloud @ [1.0, 0.5] + 0.8 * np.random.default_rng(3).normal(size=40) > 0, 1, -1)


def weights_for(C):
    """Return the minimiser of ½‖w‖² + C Σξ."""
    return cloud.T @ SVC(Linear(), C=C, tol=1e-10).fit(cloud, side).dual_coef_


def whole_norm(w, C):
    """Return the minimum over b of ‖w‖² + C Σξ."""
    f = cloud @ w
    return w @ w + C * min(hinge(side * (f + b)).sum() for b in side - f)  # b at a corner


best, other = weights_for(0.5), weights_for(1.0)
verify(
    "‖w‖² with C = 1: the solution of ½‖w‖² with C = ½ has a lower value",
    whole_norm(best, 1.0) < whole_norm(other, 1.0) - 1e-3,
)
around = [whole_norm(best + 1e-3 * d, 1.0) for d in np.random.default_rng(4).normal(size=(50, 2))]
verify("no w near this solution has a lower value", min(around) >= whole_norm(best, 1.0) - 1e-9)

# %% [markdown] key="E13"
# ### E13. A hard constraint that cannot always be met
#
# *Where: “Classificateurs à marge maximale”.*
#
# **Printed:** With $C\to\infty$ all examples must be on the right side of the margin.
#
# **Correct:** This holds if a plane separates the classes.
#
# **Why:** Otherwise the hard-margin problem has no solution, and no $C$, however large, creates one.

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
    verify(f"C = {C:g}: the accuracy is ½", soft.score(spots[:, None], marks), 0.5)

# %% [markdown] key="E14"
# ### E14. One letter for two kinds of coefficient
#
# *Where: “SVMs”, SYS843, “(b) SVM non-linéaires”, slide 6 of 8 and Máquinas de vector soporte, “Clasificadores de margen máximo (VII)”, the second of that name.*
#
# **Printed:** $f=b+\sum_i\alpha_iK(x,x_i)$; the other two sources write $f=b+\sum_i\alpha_iy_iK(x,x_i)$.
#
# **Correct:** Both are right, with different α.
#
# **Why:** Here $\alpha_i$ contains the label and lies in $[-C,C]$. There $0\le\alpha_i\le C$.

# %% key="E14-proof"
model = SVC(Linear(), C=0.5, tol=1e-10).fit(cloud, side)
signed, multipliers = model.dual_coef_, model.multipliers_
verify("the signed coefficients are y times the multipliers", signed, side * multipliers)
verify("the signed coefficients range from -C to C", (signed.min(), signed.max()) == (-0.5, 0.5))

# %% [markdown] key="E72"
# ### E72. Confirmed: a fraction of the data remains support vectors
#
# *Where: “SVMs”.*
#
# **Printed:** Asymptotically, a fraction of all examples are support vectors, and the noise determines this
# fraction.
#
# **Correct:** As printed. The fraction is twice the Bayes error $R^*$.
#
# **Why:** Steinwart (2003) proves this limit for kernels that can approximate any continuous function and a penalty
# that decreases slowly enough with $n$. Convergence is slow, from above in the example below, so a count at finite
# $n$ does not measure the limit.

# %% key="E72-proof"
def fraction(n, noise=0.1):
    """Return the fraction of support vectors; a fraction `noise` of the labels is flipped."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(n, 1))
    y = np.where(rng.random(n) < noise, -1, 1) * np.sign(X[:, 0]).astype(int)
    return len(SVC(Gaussian(0.5), C=1.0).fit(X, y).support_) / n


few, many = fraction(100), fraction(800)
verify("the fraction of support vectors falls from 100 points to 800", few > many)
verify("at 800 points it is still above 2 R* = 0.2", many > 0.2)

# %% [markdown] key="E71"
# ### E71. Squared error gives kernel ridge regression only without a bias
#
# *Where: “SVMs”.*
#
# **Printed:** With squared error, a support vector machine for regression “is classical kernel regression”, without
# sparsity.
#
# **Correct:** This holds without the bias $b$. With a bias it is the *least-squares* support vector machine.
#
# **Why:** Add 5 to all targets. Far from the data the model with a bias predicts almost 5, but kernel ridge
# regression predicts 0.

# %% key="E71-proof"
x = np.linspace(-2, 2, 20)[:, None]
up = np.sin(2 * x[:, 0]) + 5
plain = KernelRidge(Gaussian(0.5), lam=0.5).fit(x, up)
biased = KernelRidge(Gaussian(0.5), lam=0.5, intercept=True).fit(x, up)
verify("far from the data, without b: the prediction is 0", plain.predict([[50.0]]), 0.0)
verify(
    "far from the data, with b: the prediction is within ½ of 5",
    abs(biased.predict([[50.0]])[0] - 5) < 0.5,
)
verify(
    "neither model is sparse: no coefficient is 0",
    np.all(plain.dual_coef_ != 0) and np.all(biased.dual_coef_ != 0),
)

# %% [markdown] key="map553"
# ## C. Giraud, *Noyaux reproduisants* (École Polytechnique)
#
# This exercise sheet asks the right questions and leaves the answers to the reader. It is the shortest path we know
# from an inner product to strings. Merci; chapter 8 answers its four questions on kernel PCA, and chapter 9 studies
# its space with $k=\min(x,y)$.

# %% [markdown] key="E81"
# ### E81. Two string kernels: words or letters
#
# *Where: “Comment travailler avec des textes? des molécules?”.*
#
# **Printed:** The aim is to describe the *words* of an e-mail, and a word is a sequence of variable length.
#
# **Correct:** The page means two kernels. One counts the words of a text, and the other counts the $k$-mers of
# letters in a word or a protein.
#
# **Why:** Both are spectrum kernels. In the bag of words, a symbol is a word and $k=1$.

# %% key="E81-proof"
bag, inside = Spectrum(1), Spectrum(2)
mails = [("buy", "now", "buy"), ("now", "buy")]  # letters are words
verify("bag of words, “buy now buy” with “now buy”: 2·1 + 1·1", bag(mails)[0, 1], 3.0)
verify("2-mers of letters, banana with itself: 1 + 2² + 2²", inside(["banana"])[0, 0], 9.0)

# %% [markdown] key="E24"
# ### E24. Insulin with one letter too many
#
# *Where: “Comment travailler avec des textes? des molécules?”.*
#
# **Printed:** A string of 31 letters, called *Insuline*.
#
# **Correct:** One of its three consecutive letters F must be removed. The string is then *one of the two* chains of
# insulin.
#
# **Why:** Chain B of insulin has 30 letters, and so has the published structure 1ZNI, which is from the pig. In
# humans the last letter is T.

# %% key="E24-proof"
as_printed, published = "FVNQHLCGSHLVEALYLVCGERGFFFYTPKA", "FVNQHLCGSHLVEALYLVCGERGFFYTPKA"
verify(
    "the printed string has 31 letters, the published chain 30",
    (len(as_printed), len(published)) == (31, 30),
)
without = {as_printed[:i] + as_printed[i + 1 :] for i in range(31)}
verify("removing one letter gives the published chain", published in without)
itself = Spectrum(3)([as_printed, published])
verify("the letter changes k(x, x) for 3-mers: 29 instead of 28", np.diag(itself), [29.0, 28.0])

# %% [markdown] key="E79"
# ### E79. Protein sequences that are cut off
#
# *Where: “Exemple: séquences de protéines”.*
#
# **Printed:** Six strings that end in dots. One has a gap, and the last has two dots, a gap and three more dots.
#
# **Correct:** They are examples of *length*, and they serve this purpose, but they are not data.
#
# **Why:** The sequences are incomplete, so chapter 9 uses complete peptides.

# %% [markdown] key="E17"
# ### E17. Positive in French and in English
#
# *Where: “RKHS: espace de Hilbert à noyau reproduisant”.*
#
# **Printed:** The Gram matrix is *symétrique et positive*.
#
# **Correct:** The French sentence is correct. In English it says *symmetric and positive semi-definite*.
#
# **Why:** In French, a symmetric matrix is *positive* if $c^\top Kc\ge0$ for all $c$. In English a positive matrix
# has positive entries, which are neither necessary nor sufficient.

# %% key="E17-proof"
A, B = np.array([[1, -0.5], [-0.5, 1]]), np.array([[1.0, 2.0], [2.0, 1.0]])
verify("a matrix with a negative entry: its smallest eigenvalue is positive", min_eig(A), 0.5)
verify("a matrix without negative entries: its smallest eigenvalue is negative", min_eig(B), -1.0)

# %% [markdown] key="E18"
# ### E18. Positive definite: with or without 0
#
# *Where: “Noyau défini positif” and SYS843, “Interpolation”, slide 3 of 6.*
#
# **Printed:** A kernel is *défini positif* if $\sum_{ij}a_ia_jk(x_i,x_j)\ge0$. SYS843 says *positive et définie*
# and means $>0$.
#
# **Correct:** The first is the usual definition in French. In English, $\ge0$ is *positive semi-definite*, and $>0$
# for distinct points and $a\ne0$ is *strictly positive definite*.
#
# **Why:** The linear kernel satisfies only the first condition, and the Gaussian satisfies both.

# %% key="E18-proof"
numbers = np.array([[1.0], [2.0], [3.0]])
K = Linear()(numbers)
verify(
    "the linear kernel on three numbers has rank 1, so it is not strictly positive definite",
    np.linalg.matrix_rank(K) == 1,
)
verify(
    "the Gaussian on the same numbers is strictly positive definite",
    min_eig(Gaussian(1.0)(numbers)) > 0.1,
)

# %% [markdown] key="E19"
# ### E19. The minimum kernel needs nonnegative numbers
#
# *Where: “Exemples de noyaux”.*
#
# **Printed:** $k(x,y)=\min(x,y)$, *dans* $\mathbb R^d$.
#
# **Correct:** $\sum_j\min(x_j,y_j)$ for entries $\ge0$, for example the counts of a histogram.
#
# **Why:** At $-1$ the value of $\|\varphi(x)\|^2$ would be $\min(-1,-1)=-1$.

# %% key="E19-proof"
counts = np.random.default_rng(0).integers(0, 9, size=(10, 3)).astype(float)
histogram = np.minimum(counts[:, None], counts).sum(axis=2)
verify(
    "min of counts, summed over coordinates: no negative eigenvalue", min_eig(histogram) > -1e-12
)
verify("min of -1 and -1: a negative squared length", np.minimum(-1.0, -1.0), -1.0)

# %% [markdown] key="E20"
# ### E20. Confirmed: the sigmoid is not a kernel
#
# *Where: “Exemples de noyaux”.*
#
# **Printed:** $\tanh(a\langle x,y\rangle+b)$ is in the list of kernels, with the remark *non défini positif!!*
#
# **Correct:** The remark is right, although common libraries offer this function as a kernel.
#
# **Why:** Its Gram matrix on random points has large negative eigenvalues.

# %% key="E20-proof"
points = np.random.default_rng(0).normal(size=(40, 2))
verify("tanh(xᵀz) has an eigenvalue below -3", min_eig(Sigmoid(1.0, 0.0)(points)) < -3)
verify("tanh(xᵀz - 1) has an eigenvalue below -15", min_eig(Sigmoid(1.0, -1.0)(points)) < -15)

# %% [markdown] key="E21"
# ### E21. Differentiable almost everywhere: a nonzero function of norm 0
#
# *Where: “Considérons l'espace”.*
#
# **Printed:** The space of continuous functions that are *differentiable almost everywhere*, with $f'\in L^2$,
# $f(0)=0$ and $\|f\|^2=\int f'^2$.
#
# **Correct:** The functions must be *absolutely* continuous, which means $f(x)=\int_0^xf'$, with $f'\in L^2$.
#
# **Why:** Cantor's function belongs to the printed space. Its derivative is 0 almost everywhere, so $\|f\|=0$,
# although $f$ rises from 0 to 1. It is the limit of the polygons below, whose energies $\int f'^2=(3/2)^m$ grow
# without bound.

# %% key="E21-proof"
def corners(m):
    """Return the corners of polygon m: the middle third of each rising piece is made flat."""
    x, y = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    for _ in range(m):
        x = np.concatenate([x / 3, (2 + x) / 3])
        y = np.concatenate([y / 2, (1 + y) / 2])
    return x, y


for m in (1, 4):
    x, y = corners(m)
    dx, dy = np.diff(x), np.diff(y)
    verify(
        f"m = {m}: total length of the flat pieces, 1 - (2/3)^m",
        dx[dy == 0].sum(),
        1 - (2 / 3) ** m,
    )
    verify(
        f"m = {m}: the energy is (3/2)^m, and f rises by 1",
        [np.sum(dy**2 / dx), dy.sum()],
        [1.5**m, 1],
    )

# %% key="E21-figure" hide="input"
fig, axes = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
for i, m in enumerate((1, 2, 7)):
    axes[0].plot(*corners(m), **cycle(i), label=f"$m={m}$")
axes[0].set(xlabel="$x$", ylabel="$f(x)$", title="polygons that converge to Cantor's function")
axes[0].legend(loc="lower right")
steps = np.arange(1, 11)
axes[1].plot(steps, (2 / 3) ** steps, marker="o", **cycle(0), label="length of the rising pieces")
axes[1].plot(steps, 1.5**steps, marker="s", **cycle(1), label="energy $\\int f'^2$")
axes[1].set(xlabel="$m$", yscale="log", title="length and energy of polygon $m$")
axes[1].legend(loc="center right")
verify("energy at m = 10", sum(np.diff(corners(10)[1]) ** 2 / np.diff(corners(10)[0])), "57.7")
show(
    fig,
    alt="Left: polygons from (0, 0) to (1, 1) with more and more flat pieces. Right, on a "
    "logarithmic scale: the length of the rising pieces falls like (2/3) to the m, and the energy "
    "grows like (3/2) to the m, to 57.7 at m = 10.",
)

# %% [markdown] key="E21b"
# ### E21b. Confirmed: the indicator under the integral
#
# *Where: “Considérons l'espace”.*
#
# **Printed:** $f(x)=\int_0^1f'(y)\,\mathbf 1_{\{y\le x\}}dy$.
#
# **Correct:** As printed, in the space of E21.
#
# **Why:** The right side is $\int_0^xf'$. It also gives the kernel, because
# $\partial k/\partial y=\mathbf 1_{\{y\le x\}}$ means $k(x,y)=\min(x,y)$.

# %% key="E21b-proof"
middle = (np.arange(20_000) + 0.5) / 20_000  # midpoints: exact for a step between two of them
for x in (0.25, 0.6):
    integral = np.mean(3 * np.cos(3 * middle) * (middle <= x))
    verify(f"f = sin 3y at {x}: the integral gives f(x)", integral, np.sin(3 * x), tol=1e-7)
    verify(
        f"the integral of the indicator from 0 to 0.5 is min({x}, 0.5)",
        np.mean((middle <= x) & (middle <= 0.5)),
        min(x, 0.5),
        tol=1e-7,
    )

# %% [markdown] key="E22"
# ### E22. Confirmed: the coordinate of a new point in kernel PCA
#
# *Where: “ACP à Noyau (1/3)” and its questions.*
#
# **Printed:** *Suppose* that $\frac1n\sum_i\varphi(x_i)=0$, which amounts to $K\leftarrow K-UK-KU+UKU$. Then the
# coordinate of *any* $x$ is $\sum_i\alpha_i^{(k)}k(x_i,x)$.
#
# **Correct:** This is right, because under the assumption $k$ is the centred kernel. A program has to centre
# $k(x_i,x)$ as well: $\tilde k=k-\bar k_{\text{row}}-\bar k_{\text{col}}+\bar k$, with means over the training
# points.
#
# **Why:** The page states only how to centre $K$. With an uncentred $k$ the sum is
# $\langle\varphi(x),f^{(k)}\rangle$, because the entries of $\alpha^{(k)}$ sum to 0. It differs from the coordinate
# by one constant for each axis, so all new points are shifted by the same vector. Only a plot together with the
# training points shows this shift.

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
    "with centred k, the training points have the same scores as with centred K",
    center_rows(K, K) @ alpha,
    center(K) @ alpha,
)
verify("with uncentred k, both new points are shifted by the same vector", offset[0], offset[1])
verify("this vector is not 0", np.abs(offset).max() > 0.01)

# %% key="E22-figure" hide="input"
rng = np.random.default_rng(1)
sites = np.array([[0.0, 0.0], [2.2, 0.0], [2.2, 2.2]])
old = np.vstack([rng.normal(m, 0.5, size=(n, 2)) for m, n in zip(sites, (60, 20, 10), strict=True)])
fresh = np.vstack([rng.normal(m, 0.5, size=(12, 2)) for m in sites])
K, k = Gaussian(1.0)(old), Gaussian(1.0)(fresh, old)
mu, B = np.linalg.eigh(center(K))
axes_two = B[:, :-3:-1] / np.sqrt(mu[:-3:-1])
axes_two *= np.sign(axes_two[0])  # the sign of an eigenvector is arbitrary: fix it
there, as_is = center(K) @ axes_two, k @ axes_two
fig, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained", sharex=True, sharey=True)
for ax, scores, title in (
    (axes[0], center_rows(k, K) @ axes_two, "$k$ centred"),
    (axes[1], as_is, "$k$ not centred"),
):
    ax.scatter(*there.T, s=14, color="0.6", label="training points")
    ax.scatter(*scores.T, s=26, marker="x", color="C1", label="new points")
    ax.set(xlabel="first axis", ylabel="second axis", title=title)
axes[0].legend(loc="best", fontsize="small")
moved = as_is - center_rows(k, K) @ axes_two
verify("all 36 new points have the same shift", np.ptp(moved, axis=0), 0.0)
verify("the shift is longer than 0.1", np.linalg.norm(moved[0]) > 0.1)
show(
    fig,
    alt="Scores of three clusters on two axes, training points as dots and new points as crosses. "
    "With centred k the crosses lie on their clusters; otherwise all are shifted by one vector.",
)

# %% [markdown] key="E22b"
# ### E22b. Confirmed: the centred matrix and the scores of training points
#
# *Where: “ACP à Noyau (1/3)” and its questions.*
#
# **Printed:** $K-UK-KU+UKU$, and $\alpha^{(1)}=b_1/\sqrt{\lambda_1}$.
#
# **Correct:** As printed.
#
# **Why:** The axes have length 1, and the scores of the training points are $\sqrt{\lambda_k}\,b_k$.

# %% key="E22b-proof"
X = np.random.default_rng(3).normal(size=(9, 3))
U, deviations = np.full((9, 9), 1 / 9), X - X.mean(axis=0)
K = X @ X.T
K = K - U @ K - K @ U + U @ K @ U
verify(
    "linear kernel: the matrix of inner products of deviations from the mean",
    K,
    deviations @ deviations.T,
)
mu, B = np.linalg.eigh(K)
first = B[:, -1] / np.sqrt(mu[-1])
verify(
    "the axis has length 1, and the scores are √λ b",
    [first @ K @ first, *(K @ first)],
    [1, *(np.sqrt(mu[-1]) * B[:, -1])],
)

# %% [markdown] key="E23"
# ### E23. Kernel PCA needs eigenvalues that are not 0
#
# *Where: the questions of “ACP à Noyau (1/3)”.*
#
# **Printed:** $\alpha^{(k)}=b_k/\sqrt{\lambda_k}$ for the $k$-th axis.
#
# **Correct:** This holds for $\lambda_k>0$.
#
# **Why:** After centring at least one eigenvalue is 0, since $\tilde K\mathbf 1=0$.

# %% key="E23-proof"
centred = center(Gaussian(2.0)(train))
verify("the centred matrix times (1, 1, 1, 1) is 0", centred @ np.ones(4), 0.0)
verify("so the centred matrix has rank 3, not 4", np.linalg.matrix_rank(centred) == 3)

# %% [markdown] key="E80"
# ### E80. The spectrum kernel: two questions left to the reader
#
# *Where: “Exemple: noyau spectral”.*
#
# **Printed:** Of the spectrum kernel the page asks *est-il défini positif? temps de calcul?*
#
# **Correct:** This is an exercise, not a mistake. The answers are yes, and about $k(|x|+|y|)$ operations.
#
# **Why:** The kernel is an inner product of counts, $\langle N(x),N(y)\rangle$. A dictionary stores only the
# $k$-mers that occur, not all $|\mathcal A|^k$.

# %% key="E80-proof"
words = ["banana", "bandana", "ananas", "abba"]
alphabet = sorted(set("".join(words)))
every = ["".join(s) for s in itertools.product(alphabet, repeat=2)]
N = np.array([[sum(w[i : i + 2] == s for i in range(len(w) - 1)) for s in every] for w in words])
verify(
    "the kernel is an inner product of vectors of counts",
    Spectrum(2)(words),
    (N @ N.T).astype(float),
)
verify(
    "a word of ℓ letters contains at most ℓ - 1 different 2-mers",
    np.all((N > 0).sum(axis=1) <= [len(w) - 1 for w in words]),
)

# %% [markdown] key="sys843"
# ## E. Granger and I. Ben Ayed, *Réseaux de neurones à base de noyaux*, SYS843 (ÉTS Montréal, 2017)
#
# This is the longest of the five sources, and the only one that leads from Cover's theorem over interpolation and
# networks to support vectors. It therefore has the most slides that can contain a mistake, and the most to learn
# from. Merci; chapter 7 follows it in two parts, and chapters 5 and 6 follow its last third.
#
# ### Separability and interpolation

# %% [markdown] key="E84"
# ### E84. Cover's theorem: random labels and general position
#
# *Where: “Théorème sur la séparabilité de patrons”, slide 1 of 4.*
#
# **Printed:** A problem has a greater probability of being separable after a map to a high dimension.
#
# **Correct:** This holds for labels drawn *at random* and points in *general position*.
#
# **Why:** Cover counts $C(n,d)=2\sum_{i<d}\binom{n-1}i$ separable labellings. Six points of the plane, with a bias,
# have 32 out of 64, but six points on a line have 12.

# %% key="E84-proof"
def labellings(X):
    """Count the labellings that a plane with a bias separates: one linear program each."""
    return sum(
        separating_weights(X, np.array(y)) is not None
        for y in itertools.product([-1, 1], repeat=len(X))
    )


cloud6, line6 = (
    np.random.default_rng(0).normal(size=(6, 2)),
    np.column_stack([np.arange(6.0), np.arange(6.0)]),
)
verify(
    "six points in general position: 32, as in Cover's formula",
    labellings(cloud6) == cover_count(6, 3) == 32,
)
verify("six points on a line: 12", labellings(line6) == 12)

# %% [markdown] key="E25"
# ### E25. XOR cannot be separated without a bias
#
# *Where: “Théorème sur la séparabilité de patrons”, slide 1 of 4.*
#
# **Printed:** The classes are separable if $w^\top\varphi(x)>0$ for one class and $<0$ for the other.
#
# **Correct:** Use $w^\top\varphi(x)+b$, or add a unit $\varphi_0=1$.
#
# **Why:** By the printed definition the XOR example that follows is *not* separable. The point $(0,1)$ requires one
# sign of $w_1+w_2$, and the points $(0,0)$ and $(1,1)$ together require the other.

# %% key="E25-proof"
corners_of_xor, xor_labels = np.array([[1, 1], [0, 1], [0, 0], [1, 0.0]]), np.array([-1, 1, -1, 1])
activations = np.exp(-((corners_of_xor[:, None] - np.array([[1, 1], [0, 0]])) ** 2).sum(axis=2))
verify(
    "without a bias no weights separate the classes",
    separating_weights(activations, xor_labels, bias=False) is None,
)
verify(
    "with a bias some weights separate the classes",
    separating_weights(activations, xor_labels, bias=True) is not None,
)

# %% [markdown] key="E27"
# ### E27. The indices of a polynomial
#
# *Where: “Théorème sur la séparabilité de patrons”, slide 2 of 4.*
#
# **Printed:** $\sum_{0\le i_1\le\dots\le i_r\le m_1}w_{i_1\dots i_N}x_{i_1}\cdots x_{i_r}$.
#
# **Correct:** $w_{i_1\dots i_r}$, with indices up to the dimension $m_0$ of $x$, and $x_0=1$.
#
# **Why:** This sum has $\binom{m_0+r}r$ terms, which is 6 for conics. These are the five basis functions of the
# slide and its $w_0$.

# %% key="E27-proof"
terms = list(itertools.combinations_with_replacement(range(3), 2))  # m₀ = 2, x₀ = 1, r = 2
verify("a conic has 6 coefficients", len(terms) == 6)
verify(
    "with indices up to m₁ = 5, the number of hidden units, it would have 21",
    len(list(itertools.combinations_with_replacement(range(6), 2))) == 21,
)

# %% [markdown] key="E28"
# ### E28. Features and weights in different orders
#
# *Where: “Théorème sur la séparabilité de patrons”, slide 2 of 4.*
#
# **Printed:** $\varphi=[x_1^2,x_2^2,x_1,x_2]$ and, below it, $w_1x_1+w_2x_2+w_3x_1^2+w_4x_2^2$. The next example
# has the same mistake.
#
# **Correct:** One order for both.
#
# **Why:** As printed, the sum is not $w^\top\varphi$.

# %% key="E28-proof"
x1, x2, w = 2.0, 3.0, np.array([1.0, 2.0, 3.0, 4.0])
inner, spelled_out = w @ [x1**2, x2**2, x1, x2], w @ [x1, x2, x1**2, x2**2]
verify(
    "x = (2, 3), w = (1, 2, 3, 4): wᵀφ is 40, and the printed sum is 56",
    [inner, spelled_out],
    [40.0, 56.0],
)

# %% [markdown] key="E26"
# ### E26. The fourth decimal of 1/e
#
# *Where: “Théorème sur la séparabilité de patrons”, slide 3 of 4.*
#
# **Printed:** 0.3678 for $e^{-1}$.
#
# **Correct:** 0.3679.
#
# **Why:** $e^{-1}=0.367879\ldots$ is rounded up. The other entry, 0.1353 for $e^{-2}$, is correct.

# %% key="E26-proof"
verify("e^-1 to six places", np.exp(-1), "0.367879")
verify(
    "e^-1 differs from 0.3678 by more than half a unit of the last digit",
    abs(np.exp(-1) - 0.3678) > 0.00005,
)
verify("e^-2", np.exp(-2), "0.1353")

# %% [markdown] key="E86"
# ### E86. The name of D. Lowe
#
# *Where: “Définitions” and “Réseaux RBF généralisés”, slide 4 of 5.*
#
# **Printed:** *Broomhead et Low*, and some pages later *Lowe*.
#
# **Correct:** D. S. Broomhead and D. Lowe, 1988.
#
# **Why:** The first spelling lacks the final letter.

# %% [markdown] key="E33"
# ### E33. The domain of y, and a matrix entry that occurs twice
#
# *Where: “Interpolation”, slide 1 of 6.*
#
# **Printed:** $y:\mathbb R^N\to\mathbb R$; the second row of the matrix reads
# $\varphi_{21},\varphi_{22},\varphi_{21}$.
#
# **Correct:** $y:\mathbb R^{m_0}\to\mathbb R$, with the dimension of $x$, and $\varphi_{23}$ as the third entry.
#
# **Why:** With the printed row the curve does not pass through the points.

# %% key="E33-proof"
# asymmetric targets show the mistake
x3, y3 = np.array([[-1.0], [0.2], [1.0]]), np.array([1.0, 2.0, -1.0])
Phi = Gaussian(1.0)(x3)
mistake = Phi.copy()
mistake[1, 2] = Phi[1, 0]
verify(
    "as printed, the curve misses a point by more than 0.1",
    np.abs(Phi @ np.linalg.solve(mistake, y3) - y3).max() > 0.1,
)
verify("with φ₂₃ the curve passes through all points", Phi @ np.linalg.solve(Phi, y3), y3)

# %% [markdown] key="E29"
# ### E29. Micchelli's theorem has a hypothesis
#
# *Where: “Interpolation”, slide 3 of 6.*
#
# **Printed:** $\Phi$ is invertible for distinct points. The slide states no condition on $\varphi$.
#
# **Correct:** $\Phi$ is invertible if $\varphi(\sqrt t)$ is completely monotone and not constant (Gaussian, inverse
# multiquadric). It is also invertible if the derivative of $\varphi(\sqrt t)$ has these two properties and
# $\varphi(0)\ge0$ (multiquadric).
#
# **Why:** The matrix of $r^2$ has a rank of at most $d+2$, so it is singular for more points. The matrix of the
# thin plate $r^2\ln r$ has a row of zeros for a centre and six points at distance 1 from it.

# %% key="E29-proof"
eight = np.random.default_rng(0).normal(size=(8, 2))
squares = ((eight[:, None] - eight) ** 2).sum(axis=2)
verify("r² at eight points of the plane has rank 4", np.linalg.matrix_rank(squares) == 4)
angle = np.arange(6) * np.pi / 3
hexagon = np.vstack([[0.0, 0.0], np.column_stack([np.cos(angle), np.sin(angle)])])
plate = ThinPlate(1.0)(hexagon)
verify("r² ln r: the row of the centre is 0, since ln 1 = 0", plate[0], 0.0, tol=1e-14)
verify(
    "the Gaussian on the same points is invertible",
    np.linalg.matrix_rank(Gaussian(1.0)(hexagon)) == 7,
)

# %% [markdown] key="E85"
# ### E85. The year of Light's theorem
#
# *Where: “Interpolation”, slide 3 of 6.*
#
# **Printed:** *Light (1971)*.
#
# **Correct:** We do not know, so this entry is a question rather than an erratum.
#
# **Why:** Textbooks cite W. Light, 1992, together with Micchelli. We have not seen either original, and therefore
# chapter 7 prints no year.

# %% [markdown] key="E30"
# ### E30. The multiquadric is not positive definite
#
# *Where: “Interpolation”, slide 3 of 6.*
#
# **Printed:** $\sqrt{r^2+c^2}$ is the first in a list of functions whose matrix is *positive et définie*.
#
# **Correct:** Its matrix is invertible but indefinite. The other two functions of the list, the inverse
# multiquadric and the Gaussian, are positive definite.
#
# **Why:** It has one positive eigenvalue and $n-1$ negative ones.

# %% key="E30-proof"
example = Multiquadric(np.sqrt(0.5))(np.array([[-1.0], [0.0], [1.0]]))  # the example of the slide
eigenvalues = np.linalg.eigvalsh(example)
verify("the slide's example: one positive, two negative", np.sign(eigenvalues), [-1.0, -1.0, 1.0])
verify("its smallest eigenvalue is -√2", eigenvalues[0], -np.sqrt(2))
thirty = np.random.default_rng(0).normal(size=(30, 2))
others = [min_eig(Gaussian(0.3)(thirty)), min_eig(InverseMultiquadric(0.3)(thirty))]
verify("Gaussian and inverse multiquadric at thirty points: positive definite", min(others) > 1e-6)

# %% [markdown] key="E31"
# ### E31. The constant must be positive, not r
#
# *Where: “Interpolation”, slide 4 of 6.*
#
# **Printed:** $(r^2+c^2)^{1/2}$ and its inverse, “for some $r>0$”.
#
# **Correct:** For some $c>0$, and $\sigma>0$ for the Gaussian.
#
# **Why:** $r$ is a distance, and it is 0 on the diagonal. There the inverse with $c=0$ is infinite.

# %% key="E31-proof"
with np.errstate(divide="ignore"):
    verify(
        "c = 0: the diagonal of the inverse multiquadric is infinite",
        bool(np.isinf(1 / np.sqrt(np.float64(0.0)))),
    )
verify("c = ½: the diagonal is 2", InverseMultiquadric(0.5)([[0.0]])[0, 0], 2.0)

# %% [markdown] key="E100"
# ### E100. A ridge penalty does not repair an indefinite matrix
#
# *Where: “Interpolation”, slide 6 of 6 and Régression ridge à noyau, section 20.3, “Solution”.*
#
# **Printed:** Regularisation is the remedy for near-singularity, after a list that begins with the multiquadric.
# The other source proves the recipe $(K+\lambda I)^{-1}y$ for kernels.
#
# **Correct:** The recipe is right for positive semi-definite $\Phi$.
#
# **Why:** If $-\lambda$ is a negative eigenvalue of $\Phi$, then $\Phi+\lambda I$ is singular for exactly this λ.
# Also $w^\top\Phi w$ may be negative, so it is not a squared norm.

# %% key="E100-proof"
singular_at = -eigenvalues[1]
verify("the example of the slide becomes singular at λ", singular_at, "0.263243")
verify(
    "det(Φ + λI) is 0 at this λ", np.linalg.det(example + singular_at * np.eye(3)), 0.0, tol=1e-12
)
v = np.array([1.0, -2.0, 1.0])
verify("wᵀΦw is negative for some w", v @ example @ v < -1)

# %% key="E100-figure" hide="input"
lams = np.linspace(0, 2, 801)
gaussian = Gaussian(1.0)(np.array([[-1.0], [0.0], [1.0]]))
fig, ax = plt.subplots(figsize=(8, 3.2), layout="constrained")
for i, (K, name) in enumerate(((example, "multiquadric"), (gaussian, "Gaussian, $\\sigma=1$"))):
    smallest = np.abs(np.linalg.eigvalsh(K)[:, None] + lams).min(axis=0)
    ax.plot(lams, smallest, **cycle(i), label=name)
verify("the multiquadric becomes singular again at λ", -eigenvalues[0], "1.414")
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
# ### E32. Confirmed: the example of three points
#
# *Where: “Interpolation”, slide 5 of 6.*
#
# **Printed:** The $3\times3$ system for $(-1,1),(0,2),(1,1)$ with $\sqrt{r^2+0.5}$, without its solution.
#
# **Correct:** As printed. The solution is $w=(1.742383,-3.207365,1.742383)$.
#
# **Why:** The interpolant at $\frac12$ has the value 1.620704.

# %% key="E32-proof"
w = np.linalg.solve(example, [1.0, 2.0, 1.0])
for value, digits in zip(w, ("1.742383", "-3.207365", "1.742383"), strict=True):
    verify("coefficient", value, digits)
verify(
    "value of the interpolant at ½",
    w @ np.sqrt((0.5 - np.array([-1.0, 0.0, 1.0])) ** 2 + 0.5),
    "1.620704",
)

# %% [markdown] key="E34"
# ### E34. Near-singular matrices in interpolation
#
# *Where: “Interpolation”, slide 6 of 6.*
#
# **Printed:** *En pratique, on veut résoudre* when $\Phi$ is arbitrarily close to a singular matrix, with
# regularisation “to have unique solutions”.
#
# **Correct:** One *has to work* near singularity, because good widths are large. The solution is still unique; it
# is only less accurate.
#
# **Why:** The matrix is invertible, but its condition number grows with the width.

# %% key="E34-proof"
grid15 = np.linspace(0, 1, 15)[:, None]
condition = [np.linalg.cond(Gaussian(s)(grid15)) for s in (0.05, 0.1, 0.2)]
verify(
    "the condition number grows with the width: below 10, above 1000, above 1e9",
    condition[0] < 10 and condition[1] > 1e3 and condition[2] > 1e9,
)
sign, logarithm = np.linalg.slogdet(Gaussian(0.1)(grid15))
verify("the matrix is invertible: its determinant is positive", sign > 0 and np.isfinite(logarithm))

# %% [markdown] key="E35"
# ### E35. Confirmed: the linear system for fewer centres
#
# *Where: “Réseaux RBF généralisés”, slide 3 of 5.*
#
# **Printed:** $(G^\top G+\lambda G_0)\,w=G^\top d$.
#
# **Correct:** As printed. The solution minimises $\|d-Gw\|^2+\lambda\,w^\top G_0w$.
#
# **Why:** The gradient vanishes there. Moreover $w^\top G_0w=\|f\|^2$ if the smoothness $\|\mathbf D\,y^*\|$ is the
# norm of the kernel's space.

# %% [markdown] key="E36"
# ### E36. Confirmed: the limit is the pseudo-inverse
#
# *Where: “Réseaux RBF généralisés”, slide 4 of 5.*
#
# **Printed:** $w\to G^+d=(G^\top G)^{-1}G^\top d$ as $\lambda\to0$.
#
# **Correct:** As printed, if $G$ has full column rank.
#
# **Why:** The columns of $G$ are independent if, for example, the centres are distinct points of the data and
# $\varphi$ satisfies the hypothesis of E29.

# %% key="E35-E36-proof"
sites, centres = np.linspace(0, 3, 12)[:, None], np.array([[0.3], [1.4], [2.6]])
G, G0, d = Gaussian(0.6)(sites, centres), Gaussian(0.6)(centres), np.sin(2 * np.linspace(0, 3, 12))
solution = np.linalg.solve(G.T @ G + 0.3 * G0, G.T @ d)
verify(
    "E35: the gradient is 0 at the printed solution",
    slopes(lambda w: np.sum((d - G @ w) ** 2) + 0.3 * w @ G0 @ w, solution),
    0.0,
    tol=1e-7,
)
nearly = np.linalg.solve(G.T @ G + 1e-9 * G0, G.T @ d)
verify(
    "E36: at λ = 1e-9 the solution is that of the pseudo-inverse",
    nearly,
    np.linalg.pinv(G) @ d,
    tol=1e-7,
)

# %% [markdown] key="networks"
# ### Networks

# %% [markdown] key="E37"
# ### E37. Confirmed: two formulas for one width
#
# *Where: “1. centres fixes sélectionnés de façon aléatoire”, slide 1 of 3.*
#
# **Printed:** $\exp(-\frac m{d_{\max}^2}\|x-\mu\|^2)$ and $\sigma=d_{\max}/\sqrt{2m}$.
#
# **Correct:** As printed.
#
# **Why:** $1/(2\sigma^2)=m/d_{\max}^2$.

# %% key="E37-proof"
sites = np.random.default_rng(0).uniform(size=(12, 2))
d_max = max(np.linalg.norm(a - b) for a in sites for b in sites)
verify("1/(2σ²) = m/d_max²", 1 / (2 * (d_max / np.sqrt(2 * 12)) ** 2), 12 / d_max**2)
verify("the rule in kcourse gives the same σ", spread(sites), d_max / np.sqrt(2 * 12))

# %% [markdown] key="E38"
# ### E38. The rule for the width suits the plane
#
# *Where: “1. centres fixes sélectionnés de façon aléatoire”, slide 1 of 3.*
#
# **Printed:** $\sigma=d_{\max}/\sqrt{2m}$ avoids functions that are too wide or too narrow.
#
# **Correct:** This holds for points of the plane.
#
# **Why:** Neighbours among $m$ centres in $d$ dimensions are about $d_{\max}m^{-1/d}$ apart, while the rule is
# proportional to $m^{-1/2}$. The two agree only for $d=2$. On a line the Gaussians are far too wide, and in ten
# dimensions each of them is almost 0 at the other centres.

# %% key="E38-proof"
def neighbour_in_widths(d, m=100):
    """Return the median distance of a centre to the nearest other one, in units of σ."""
    U = np.random.default_rng(0).uniform(size=(m, d))
    gaps = np.linalg.norm(U[:, None] - U, axis=2) + np.diag(np.full(m, np.inf))
    return np.median(gaps.min(axis=1)) / spread(U)


line, plane, ten = map(neighbour_in_widths, (1, 2, 10))
verify("100 centres on a line: neighbours are closer than a tenth of σ", line < 0.1)
verify("in the plane: the distance is between σ/2 and σ", 0.5 < plane < 1)
verify(
    "in ten dimensions: the distance exceeds 4σ, where a Gaussian is below 1/1000",
    np.exp(-(ten**2) / 2) < 0.001 and ten > 4,
)

# %% [markdown] key="E87"
# ### E87. A square root of the square of a vector
#
# *Where: “2. centres obtenus par apprentissage non-supervisé”, slide 2 of 4.*
#
# **Printed:** $r_{ik}\big(\sqrt{(x_i-\mu_k)^2}\big)^2$.
#
# **Correct:** $r_{ik}\|x_i-\mu_k\|^2$, where $r_{ik}=1$ if centre $k$ is the nearest to $x_i$, and 0 otherwise.
#
# **Why:** The printed $(x_i-\mu_k)^2$ means an inner product. The slide does not define $r_{ik}$.

# %% key="E87-proof"
X = np.random.default_rng(0).normal(size=(20, 2))
found = kmeans(X, 3, rng=0)
far = ((X[:, None] - found.centers) ** 2).sum(axis=2)
r = (far == far.min(axis=1, keepdims=True)).astype(float)
verify("with this r the sum is the cost of k-means", np.sum(r * far), found.inertia)

# %% [markdown] key="E82"
# ### E82. The steps of k-means are simple, the problem is not
#
# *Where: “RBF: les paramètres sont appris en deux étapes” and “2. centres obtenus par apprentissage non-supervisé”, slide 3 of 4.*
#
# **Printed:** The centres are learned without a complex optimisation, whereas a multilayer perceptron may end in a
# local minimum.
#
# **Correct:** Each *step* of k-means is simple, but k-means also has local minima. Moreover
# $\mu_k=\frac1{N_k}\sum x_i$ needs a rule for $N_k=0$.
#
# **Why:** On the four points below, k-means stops at two different costs.

# %% key="E82-proof"
four = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 0.0], [5.0, 1.0]])
good = kmeans(four, 2, init=np.array([[0.0, 0.5], [5.0, 0.5]]))
bad = kmeans(four, 2, init=np.array([[2.5, 0.0], [2.5, 1.0]]))
verify(
    "k-means on four points from two starts: the final cost is 1 or 25",
    [good.inertia, bad.inertia],
    [1.0, 25.0],
)
two = np.array([[1e3, 1e3], [2.5, 0.5]])  # the first is far from all points
nearest = np.argmin(((four[:, None] - two) ** 2).sum(axis=2), axis=1)
verify("a centre may be nearest to no point: N = 0", np.sum(nearest == 0) == 0)

# %% [markdown] key="E39"
# ### E39. A constant step size does not converge
#
# *Where: “2. centres obtenus par apprentissage non-supervisé”, slide 4 of 4.*
#
# **Printed:** $\mu\leftarrow\mu+\eta(x-\mu)$ with a constant $0<\eta<1$.
#
# **Correct:** A constant η suits a moving target. For fixed data use $\eta=1/n$, where $n$ counts the points
# assigned to the centre so far.
#
# **Why:** With a constant η the centre keeps a standard deviation of $\sigma\sqrt{\eta/(2-\eta)}$ for ever. With
# $\eta=1/n$ it is the exact running mean.

# %% key="E39-proof"
stream = np.random.default_rng(0).normal(size=(20_000, 1))
eta, path = 0.1, np.zeros(20_001)
for n, point in enumerate(stream[:, 0]):
    path[n + 1] = path[n] + eta * (point - path[n])
verify(
    "η = 0.1: the standard deviation of the last 19 000 is within 5 % of √(η/(2-η))",
    abs(path[1001:].std() / np.sqrt(eta / (2 - eta)) - 1) < 0.05,
)
running = online_kmeans(stream[:200], np.zeros((1, 1)), eta=None, order=np.arange(200))
verify("η = 1/n: the mean of the points", running.centers[0], stream[:200].mean(axis=0))

# %% [markdown] key="E88"
# ### E88. Total or mean squared error
#
# *Where: “Calcul des poids (2ᵉ couche)”, slide 1 of 2.*
#
# **Printed:** The *total* squared error (MSE).
#
# **Correct:** The sum is the SSE, and the mean is the MSE.
#
# **Why:** Both have the same minimiser as long as no penalty is added. With a penalty they differ, as E66 shows.

# %% key="E88-proof"
hidden, d = Gaussian(0.5)(np.linspace(-1, 1, 9)[:, None], np.array([[-0.5], [0.5]])), np.arange(9.0)
w = np.linalg.lstsq(hidden, d, rcond=None)[0]
for name, divisor in (("sum", 1), ("mean", 9)):
    verify(
        f"the gradient of the {name} of squares is 0 at the same w",
        slopes(lambda v, n=divisor: np.sum((d - hidden @ v) ** 2) / n, w),
        0.0,
        tol=1e-7,
    )

# %% [markdown] key="E83"
# ### E83. The input of the output layer is the hidden layer
#
# *Where: “Calcul des poids (2ᵉ couche)”, slide 2 of 2.*
#
# **Printed:** A table of LMS for the output layer, in terms of $x(n)$.
#
# **Correct:** For an RBF network, replace $x(n)$ with $\varphi(x(n))$. The step size also has a limit,
# $2/\|\varphi\|^2$ for a single point.
#
# **Why:** The table describes a linear filter, where $x$ is the input. With a larger step the error on a single
# point grows at every update.

# %% key="E83-proof"
x = np.linspace(-1, 1, 40)[:, None]
d = Gaussian(0.5)(x, np.array([[-0.5], [0.5]])) @ [1.0, -2.0]
hidden = Gaussian(0.5)(x, np.array([[-0.5], [0.5]]))


def error_after(inputs, epochs=400):
    w = lms(inputs, d, eta=0.2 * lms_limit(inputs), epochs=epochs, rng=0).weights
    return np.mean((d - inputs @ w) ** 2)


verify(
    "LMS on φ(x) finds a target made of two Gaussians: MSE below 1e-6", error_after(hidden) < 1e-6
)
verify("LMS on x does not: MSE above 0.1", error_after(x) > 0.1)
p, w = hidden[5], np.zeros(2)
for _ in range(50):
    w = w + 2.1 / (p @ p) * p * (1.0 - w @ p)
verify(
    "one point, η = 2.1/‖φ‖²: after 50 updates the error has grown more than a hundredfold",
    abs(1.0 - w @ p) > 100,
)

# %% [markdown] key="E40"
# ### E40. A gradient with the wrong sign
#
# *Where: “3. centres sélectionnés par apprentissage supervisé”, slide 2 of 2.*
#
# **Printed:** $\partial E/\partial w_i=\sum_je_jG(\|x_j-t_i\|)$, and $w\leftarrow w-\eta\,\partial E/\partial w$.
#
# **Correct:** $\partial E/\partial w_i=-\sum_je_jG(\|x_j-t_i\|)$.
#
# **Why:** The error is $e_j=d_j-\sum_iw_iG$. With the printed sign each step increases $E$.

# %% [markdown] key="E41"
# ### E41. A derivative with respect to the squared norm
#
# *Where: “3. centres sélectionnés par apprentissage supervisé”, slide 2 of 2.*
#
# **Printed:** $\partial E/\partial t_i=2w_i\sum_je_jG'(\|x_j-t_i\|)\Sigma_i^{-1}(x_j-t_i)$.
#
# **Correct:** The formula is right if $G'=dG/ds$ is the derivative with respect to the *squared* norm
# $s=(x-t)^\top\Sigma^{-1}(x-t)$.
#
# **Why:** The printed argument suggests a derivative with respect to the norm. Then each term is wrong by the
# factor $2\sqrt s$, which differs from point to point. With the textbook's weighted norm,
# $C^\top C=\frac12\Sigma^{-1}$, the factor 2 must be removed.

# %% [markdown] key="E42"
# ### E42. Confirmed: the gradient with respect to the precision
#
# *Where: “3. centres sélectionnés par apprentissage supervisé”, slide 2 of 2.*
#
# **Printed:** $\partial E/\partial\Sigma_i^{-1}=-w_i\sum_je_jG'Q_{ji}$.
#
# **Correct:** As printed, with $G'=dG/ds$ as in E41.
#
# **Why:** Finite differences agree with it.

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
verify("E40: -Σ e G is the gradient with respect to w", -np.sum(e * G), by_w[0], tol=1e-7)
verify(
    "E40: the printed +Σ e G differs from it by more than 0.1", abs(np.sum(e * G) - by_w[0]) > 0.1
)
by_s, by_norm = -0.5 * G, -np.sqrt(s) * G  # dG/ds and dG/d√s
verify(
    "E41: with dG/ds the formula is the gradient with respect to t",
    2 * w * ((e * by_s) @ D @ P),
    by_t,
    tol=1e-7,
)
verify(
    "E41: with the derivative with respect to the norm it is not",
    np.abs(2 * w * ((e * by_norm) @ D @ P) - by_t).max() > 0.1,
)
verify(
    "E41: with the textbook's norm, whose G' is -G, it is twice too large",
    2 * w * ((e * -G) @ D @ P),
    2 * by_t,
    tol=1e-7,
)
verify(
    "E42: with dG/ds the formula is the gradient with respect to the precision",
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
ax.plot(history[-1], marker="o", **cycle(0), label="$-\\sum eG$, correct")
ax.plot(history[1], marker="s", **cycle(1), label="$+\\sum eG$, printed")
ax.set(xlabel="step", ylabel="$E$", yscale="log", title="gradient descent, three RBF units")
ax.legend(loc="upper left")
verify("correct sign: E falls at every step", np.all(np.diff(history[-1]) < 0))
verify("printed sign: E rises at every step", np.all(np.diff(history[1]) > 0))
show(
    fig,
    alt="The error E over eight steps of gradient descent on the weights of three RBF units. With "
    "the correct sign it falls at every step; with the printed sign it rises at every step.",
)

# %% [markdown] key="E43"
# ### E43. A sum over m whose terms do not contain m
#
# *Where: “Théorie de Bayes”, slide 3 of 4.*
#
# **Printed:** $\varphi_j(x)=p(x|j)p(j)\big/\sum_{m=1}^Mp(x|j)p(j)$.
#
# **Correct:** The terms of the sum are $p(x|m)p(m)$.
#
# **Why:** The printed denominator is $M$ times the numerator, so the activation of every unit is $1/M$ at every
# point.

# %% [markdown] key="E43b"
# ### E43b. Confirmed: weights that are probabilities
#
# *Where: “Théorie de Bayes”, slide 3 of 4.*
#
# **Printed:** $w_{kj}=p(j|c_k)P(c_k)/p(j)=p(c_k|j)$.
#
# **Correct:** As printed, and the output of the network is then $p(c_k|x)$.
#
# **Why:** This follows from Bayes' rule, if $x$ says nothing more about the class once $j$ is known. The previous
# slide makes this assumption.

# %% key="E43-E43b-proof"
p_j_c = np.array([[0.7, 0.1], [0.2, 0.3], [0.1, 0.6]])  # p(j|c): three units, two classes
P_c, p_x_j = np.array([0.4, 0.6]), np.array([0.05, 0.8, 0.3])  # densities of one x
p_j = p_j_c @ P_c
joint = p_x_j * p_j
verify("as printed, the activation of every unit is 1/3", joint / (3 * joint), 1 / 3)
W, phi = p_j_c * P_c / p_j[:, None], joint / joint.sum()
by_bayes = (p_x_j @ p_j_c) * P_c
verify(
    "as corrected, with the printed weights: the output is Bayes' rule",
    phi @ W,
    by_bayes / by_bayes.sum(),
)

# %% [markdown] key="E44"
# ### E44. Outputs that are not posterior probabilities
#
# *Where: “Théorie de Bayes”, slide 4 of 4.*
#
# **Printed:** Each output of the network *is interpreted as* a posterior probability.
#
# **Correct:** This holds for the hidden layer of E43 and the weights of E43b.
#
# **Why:** The pages before compute the weights by least squares. Those outputs approximate the posterior in the
# mean, but they may be negative and need not sum to 1.

# %% key="E44-proof"
rng = np.random.default_rng(0)
X = np.vstack([rng.normal(-1, 0.6, size=(60, 2)), rng.normal(1, 0.6, size=(60, 2))])
T = np.repeat(np.eye(2), 60, axis=0)  # the target of a point is 1 for its class
hidden = Gaussian(0.8)(X, kmeans(X, 6, rng=0).centers)
outputs = hidden @ np.linalg.lstsq(hidden, T, rcond=None)[0]
verify(
    "least squares: some outputs are below 0, others above 1",
    outputs.min() < -0.01 and outputs.max() > 1.01,
)
verify(
    "some sums of outputs differ from 1 by more than 0.1",
    np.abs(outputs.sum(axis=1) - 1).max() > 0.1,
)

# %% [markdown] key="E92"
# ### E92. Activations on spheres or on ellipsoids
#
# *Where: “Comparaison MLP vs RBF”, slide 1 of 5.*
#
# **Printed:** The activation is constant on hyper-ellipses.
#
# **Correct:** It is constant on spheres for the units of this section, $\exp(-\|x-\mu_j\|^2/(2\sigma_j^2))$.
#
# **Why:** Ellipsoids belong to units with a matrix $\Sigma_j$ each, as on the slide with the gradients.

# %% key="E92-proof"
angle = np.linspace(0, 2 * np.pi, 9)
circle = np.column_stack([np.cos(angle), np.sin(angle)])
verify(
    "one σ: the activation is constant on a circle",
    np.ptp(np.exp(-np.sum(circle**2, axis=1) / 2)),
    0.0,
)
root = np.linalg.inv(np.linalg.cholesky(P)).T  # maps the circle to xᵀPx = 1
ellipse = circle @ root.T
verify(
    "a matrix: the activation is constant on its ellipse, not on the circle",
    np.ptp(np.sum(ellipse @ P * ellipse, axis=1))
    < 1e-12
    < np.ptp(np.sum(circle @ P * circle, axis=1)),
)

# %% [markdown] key="E93"
# ### E93. The output layer of a multilayer perceptron
#
# *Where: “Comparaison MLP vs RBF”, slide 4 of 5.*
#
# **Printed:** The hidden *and output* layers of a multilayer perceptron are non-linear.
#
# **Correct:** The output layer is usually non-linear for classification and linear for regression.
#
# **Why:** A linear output can take any real value. The output layer of an RBF network is also linear.

# %% key="E93-proof"
from sklearn.neural_network import MLPRegressor

regressor = MLPRegressor(hidden_layer_sizes=(3,), solver="lbfgs", max_iter=500, random_state=0)
regressor.fit(np.linspace(-1, 1, 20)[:, None], np.linspace(-1, 1, 20))
verify(
    "the output of scikit-learn's MLPRegressor is linear", regressor.out_activation_ == "identity"
)

# %% [markdown] key="E91"
# ### E91. One quantity, several letters
#
# *Where: “1. centres fixes sélectionnés de façon aléatoire”, slide 1 of 3.*
#
# **Printed:** $G(\|x-\mu\|^2)$ and $G(\|x-t\|)$ for the basis function; $M$, $m$, $m_1$ and $K$ for the number of
# centres; $K$ also for classes; $N$ and $n$ for the number of points; a formula in $j$ followed by $i=1,\dots,m$.
#
# **Correct:** One table of notation, such as that of the [start page](00_start_here.ipynb#Notation).
#
# **Why:** No formula is wrong, but the reader must translate each change of letters.

# %% [markdown] key="vectors"
# ### Support vector machines

# %% [markdown] key="E89"
# ### E89. The support vector machine is discriminative
#
# *Where: “4. Séparateurs à vaste marge”.*
#
# **Printed:** Non-linear machines are *hybrid, discriminative and generative*.
#
# **Correct:** They are discriminative.
#
# **Why:** A kernel is not a density, and the model contains nothing about the probability of an $x$. Removing the
# points with $\alpha=0$ does not change it.

# %% key="E89-proof"
base = SVC(Gaussian(1.0), C=1.0, tol=1e-10).fit(cloud, side)
idle = base.multipliers_ == 0
keep = ~idle
less = SVC(Gaussian(1.0), C=1.0, tol=1e-10).fit(cloud[keep], side[keep])
verify("at least five points have α = 0", idle.sum() >= 5)
verify(
    "without these points f is the same",
    less.decision_function(cloud + 0.3),
    base.decision_function(cloud + 0.3),
    tol=1e-6,
)

# %% [markdown] key="E90"
# ### E90. A hyperplane is an equation
#
# *Where: “(a) SVM linéaires – cas séparable”, slide 2 of 11.*
#
# **Printed:** A hyperplane $\mathbf w\mathbf x+b$.
#
# **Correct:** A hyperplane $w^\top x+b=0$.
#
# **Why:** The expression is the function $f$, and the hyperplane is the set where $f$ is 0.

# %% [markdown] key="E51"
# ### E51. A multiplier may be 0
#
# *Where: “(a) SVM linéaires – cas séparable”, slide 9 of 11.*
#
# **Printed:** A *multiplicateur lagrangien positif*.
#
# **Correct:** $\alpha_i\ge0$, as the slide itself writes three lines below.
#
# **Why:** In French *positif* includes 0, so the word is wrong only when translated literally. The English term is
# *nonnegative*.

# %% key="E51-proof"
verify(
    "the multipliers of the three points of E12 are 1, 0 and 1",
    hard.multipliers_,
    [1.0, 0.0, 1.0],
    tol=1e-6,
)

# %% [markdown] key="E45"
# ### E45. The slack is not a distance
#
# *Where: “(a) SVM linéaires – cas non-séparable”, slide 1 of 4.*
#
# **Printed:** $\xi_i$ is the *distance* between an *erroneous* pattern and the line of its class's support vectors.
#
# **Correct:** $\xi_i=(1-y_if(x_i))_+$. The distance is $\xi_i/\|w\|$.
#
# **Why:** The two are equal only if $\|w\|=1$. Points with $0<\xi_i<1$ violate the margin but are on the correct
# side, so they are not errors.

# %% [markdown] key="E46"
# ### E46. One letter for two constraints
#
# *Where: “(a) SVM linéaires – cas non-séparable”, slide 2 of 4 and “(a) SVM linéaires – cas séparable”, slide 5 of 11.*
#
# **Printed:** $c_i=y_i(wx_i+b)\ge1-\xi_i$, although the earlier slide has $c_i=y_i(wx_i+b)-1\ge0$.
#
# **Correct:** $c_i=y_i(w^\top x_i+b)-1+\xi_i\ge0$.
#
# **Why:** With this $c_i$ the Lagrangian keeps its form $L-\sum\alpha_ic_i$.

# %% [markdown] key="E47"
# ### E47. The second complementary condition
#
# *Where: “(a) SVM linéaires – cas non-séparable”, slide 3 of 4.*
#
# **Printed:** $\alpha_i[1-\xi_i-y_if(x_i)]=0$ is the only condition.
#
# **Correct:** Add $(C-\alpha_i)\,\xi_i=0$.
#
# **Why:** Without the second condition a misclassified point may have $\alpha_i=0$. For any data $\alpha=0$, $w=0$,
# $b=0$, $\xi_i=1$ satisfies every printed condition.

# %% key="E45-E46-E47-proof"
soft = SVC(Linear(), C=0.5, tol=1e-10).fit(cloud, side)
yf, w = side * soft.decision_function(cloud), cloud.T @ soft.dual_coef_
xi, alpha, C = hinge(yf), soft.multipliers_, 0.5
gap = (1 - yf) / np.linalg.norm(w)  # distance beyond the margin line of its class

# %% key="E45-E46-E47-proof-2" hide="input"
worst = np.argmax(xi)
verify(
    "E45: the point with the largest slack: its distance from its margin line is ξ/‖w‖",
    gap[worst],
    xi[worst] / np.linalg.norm(w),
)
verify("E45: the distance is not ξ", abs(gap[worst] - xi[worst]) > 0.1)
verify("E45: some points with slack are on the correct side", np.any((xi > 0) & (xi < 1)))
verify(
    "E46: with the earlier c the printed line fails at the optimum", np.any(yf - 1 < 1 - xi - 0.1)
)
verify("E46: the corrected constraint holds", (yf - 1 + xi).min() > -1e-9)
verify(
    "E47: both conditions hold at the optimum",
    max(np.abs(alpha * (1 - xi - yf)).max(), np.abs((C - alpha) * xi).max()) < 1e-6,
)
zeros = np.zeros(40)  # α = 0, w = 0, b = 0, ξ = 1
verify("E47: α = 0, w = 0, b = 0, ξ = 1 satisfy the printed condition", zeros * (1 - 1 - 0), 0.0)
verify("E47: their objective is higher than the optimum", C * 40 > w @ w / 2 + C * xi.sum() + 1)
verify("E47: they violate the second condition: (C - α) ξ is C, not 0", (C - zeros) * 1, C)

# %% [markdown] key="E49"
# ### E49. Which polynomials are kernels
#
# *Where: “(b) SVM non-linéaires”, slide 3 of 8.*
#
# **Printed:** $(u\,x^\top z+v)^p$ with $u,v\in\mathbb R$.
#
# **Correct:** $u,v\ge0$. For an even $p$ both may also be $\le0$, which gives the same functions.
#
# **Why:** The three choices below violate the condition and give negative eigenvalues.

# %% key="E49-proof"
six = np.random.default_rng(0).normal(size=(6, 2))
for u, v, p in ((1, -1, 1), (1, -1, 2), (-1, 1, 1)):
    verify(
        f"u = {u}, v = {v}, p = {p}: an eigenvalue below -0.1",
        min_eig((u * six @ six.T + v) ** p) < -0.1,
    )
positive = min_eig(Polynomial(gamma=1.0, coef0=1.0, degree=3)(six))

# %% key="E49-proof-2" hide="input"
verify("u = v = 1, p = 3: no negative eigenvalue", positive > -1e-10)

# %% [markdown] key="E48"
# ### E48. A vector that is a number
#
# *Where: “(b) SVM non-linéaires”, slide 5 of 8.*
#
# **Printed:** $w=\sum_i\alpha_iy_ik(x_i,x_j)$.
#
# **Correct:** $w=\sum_i\alpha_iy_i\varphi(x_i)$.
#
# **Why:** The printed sum is a number that depends on $j$, namely $f(x_j)-b$. A kernel method never computes $w$
# itself, but it can compute $\|w\|^2=\sum_{ij}\alpha_i\alpha_jy_iy_jk(x_i,x_j)$.

# %% key="E48-proof"
model = SVC(Gaussian(1.0), C=1.0, tol=1e-10).fit(cloud, side)
sums = Gaussian(1.0)(cloud) @ model.dual_coef_
verify("the printed sum differs by more than 1 between points", np.ptp(sums) > 1)
verify("the printed sum is f - b", sums, model.decision_function(cloud) - model.intercept_)

# %% [markdown] key="E50"
# ### E50. Confirmed: a wider Gaussian has less capacity
#
# *Where: “(b) SVM non-linéaires”, slide 8 of 8.*
#
# **Printed:** A larger variance lowers the capacity.
#
# **Correct:** As printed.
#
# **Why:** Labels drawn at random contain nothing to learn. A narrow Gaussian fits all of them, and a wide one fits
# fewer.

# %% key="E50-proof"
nonsense = np.where(np.random.default_rng(5).random(40) < 0.5, 1, -1)
accuracy = [
    SVC(Gaussian(s), C=1e3).fit(cloud, nonsense).score(cloud, nonsense) for s in (0.05, 1.0, 50.0)
]
verify(
    "training accuracy is 1 at σ = 0.05, lower at 1 and lower still at 50",
    accuracy[0] == 1 > accuracy[1] > accuracy[2],
)

# %% [markdown] key="upct"
# ## J. Vales Alonso, *Máquinas de vector soporte* (Universidad Politécnica de Cartagena, 2020)
#
# About twenty slides lead from the dual of ridge regression to soft margins, each with a formula and a sentence.
# The source also tells students how to study it. Gracias; the start page of this course repeats that advice, and
# chapters 2, 5 and 6 use many of its formulas.

# %% [markdown] key="E61b"
# ### E61b. Confirmed: the dual of ridge regression
#
# *Where: “Métodos de kernel (III)”.*
#
# **Printed:** $\frac12a^\top KKa-a^\top Kt+\frac12t^\top t+\frac\lambda2a^\top Ka$, and $a=(K+\lambda I)^{-1}t$.
#
# **Correct:** As printed, and λ is the same number as in this course.
#
# **Why:** The gradient vanishes at this $a$. *Both* terms have the factor ½, so it does not change λ.

# %% key="E61b-proof"
K, t = Gaussian(1.0)(np.array([[0.0], [1.0], [2.5]])), np.array([1.0, -1.0, 0.5])
a = np.linalg.solve(K + 0.5 * np.eye(3), t)
verify(
    "the gradient is 0 at this a",
    slopes(lambda a: a @ K @ K @ a / 2 - a @ K @ t + t @ t / 2 + 0.25 * a @ K @ a, a),
    0.0,
    tol=1e-8,
)

# %% [markdown] key="E61"
# ### E61. The product of two vectors needs a transpose
#
# *Where: “Métodos de kernel (V)”.*
#
# **Printed:** $k(x,z)=(xz)^2$, in the second line of the example.
#
# **Correct:** $(x^\top z)^2$, as in the line above it.
#
# **Why:** $x$ and $z$ are vectors. The result of the slide is right, including the $\sqrt2$.

# %% key="E61-proof"
x, z = np.array([1.0, 2.0]), np.array([3.0, -1.0])


def phi(v):
    return np.array([v[0] ** 2, np.sqrt(2) * v[0] * v[1], v[1] ** 2])


verify("(xᵀz)² = 1 is φ(x)ᵀφ(z)", phi(x) @ phi(z), (x @ z) ** 2)
verify("the entrywise product x z is a vector, not a number", (x * z).shape == (2,))

# %% [markdown] key="E53"
# ### E53. A polynomial section that is constant
#
# *Where: “Métodos de kernel (VI)”.*
#
# **Printed:** The figure shows $k(x,0)$ for polynomial features.
#
# **Correct:** The figure must be for another point, such as $x'=-\frac12$.
#
# **Why:** With $\varphi(x)=(x,x^2,\dots)$ we have $\varphi(0)=0$, and therefore $k(x,0)=0$ for every $x$. With a
# constant feature $c$ it is $c^2$. Figure 6.1 of C. M. Bishop's *Pattern Recognition and Machine Learning* (2006)
# has the same mistake.

# %% key="E53-proof"
t = np.linspace(-1, 1, 41)
powers = np.arange(1, 12)
section_at = {c: t[:, None] ** powers @ np.float64(c) ** powers for c in (0.0, -0.5)}
verify("k(x, 0) is 0 for every x", section_at[0.0], 0.0)
verify("k(x, -½) is not constant: its range exceeds 1", np.ptp(section_at[-0.5]) > 1)

# %% [markdown] key="E52"
# ### E52. Eigenvalues that may be 0
#
# *Where: “Métodos de kernel (VII)”.*
#
# **Printed:** *Semidefinida positiva (todos los autovalores positivos)*, of “its Gram matrix”.
#
# **Correct:** The eigenvalues are $\ge0$, for *every* finite set of points.
#
# **Why:** The linear kernel has eigenvalues 0, and $\tanh(xz)$ passes on one point but fails on two.

# %% key="E52-proof"
K = Linear()(np.array([[1.0], [2.0], [3.0]]))
verify(
    "the linear kernel on 1, 2, 3: eigenvalues 0, 0 and 14", np.linalg.eigvalsh(K), [0.0, 0.0, 14.0]
)
alone, together = (min_eig(Sigmoid(1.0, 0.0)(np.array(s))) for s in ([[1.0]], [[1.0], [2.0]]))
verify(
    "tanh(x z) has a positive eigenvalue at the point 1, and a negative one at 1 and 2",
    alone > 0 > together,
)

# %% [markdown] key="E54"
# ### E54. Correctly classified means above 0, not above 1
#
# *Where: “Clasificadores de margen máximo (II)”.*
#
# **Printed:** A new point is classified by the sign of $y(x)$, *therefore* $t_ny(x_n)\ge1$ for points on the
# correct side.
#
# **Correct:** $t_ny(x_n)>0$.
#
# **Why:** The 1 comes later, from the choice of a scale for $(w,b)$.

# %% key="E54-proof"
f, labels = np.array([0.2, 3.0, -0.5]), np.array([1, 1, -1])
verify("three points, all correctly classified", np.all(np.sign(f) == labels))
verify("their t y is 0.2, 3 and 0.5: two of three are below 1", labels * f, [0.2, 3.0, 0.5])

# %% [markdown] key="E55"
# ### E55. A distance has no sign
#
# *Where: “Clasificadores de margen máximo (II)”.*
#
# **Printed:** The distance from $x_n$ to the boundary is $y(x_n)/\|w\|$.
#
# **Correct:** This is the *signed* distance.
#
# **Why:** The distance is its absolute value. For a correctly classified point it equals $t_ny(x_n)/\|w\|$.

# %% key="E55-proof"
w, b, origin = np.array([3.0, 4.0]), -10.0, np.zeros(2)
foot = origin - (w @ origin + b) / (w @ w) * w
verify("the foot of the perpendicular lies on the line", w @ foot + b, 0.0)
verify(
    "its distance from the origin is 2, but the formula gives -2",
    [np.linalg.norm(foot), (w @ origin + b) / np.linalg.norm(w)],
    [2.0, -2.0],
)

# %% [markdown] key="E94"
# ### E94. The canonical form scales w and b
#
# *Where: “Clasificadores de margen máximo (II)” and “Clasificadores de margen máximo (III)”.*
#
# **Printed:** One may suppose *a scale of the data space* such that the nearest point has value 1.
#
# **Correct:** One may choose a scale of $(w,b)$.
#
# **Why:** The data do not change, and neither does the plane. The same page changes from $w^\top x+b$ to
# $w^\top\varphi(x)+b$, and means both.

# %% key="E94-proof"
longer, offset = 7 * hard.weights_, 7 * hard.intercept_  # the three points of E12
value = (trio_y * (trio @ longer + offset)).min()
verify("(w, b) times 7: the smallest t y is 7", value, 7.0, tol=1e-6)
verify(
    "the smallest distance does not change",
    value / np.linalg.norm(longer),
    1 / np.linalg.norm(hard.weights_),
    tol=1e-6,
)
verify(
    "(w, b) divided by this value is canonical again",
    longer / value,
    hard.weights_,
    tol=1e-6,
)

# %% [markdown] key="E56"
# ### E56. The label is missing in the formula for the bias
#
# *Where: “Clasificadores de margen máximo (III)” and “Clasificadores de margen máximo (VII)”, the second of that name.*
#
# **Printed:** $w^\top\varphi(x_n)+b=1$ for the nearest point, and again for *some support vector*, from which $b$
# follows.
#
# **Correct:** $t_n(w^\top\varphi(x_n)+b)=1$, so $b=t_n-w^\top\varphi(x_n)$.
#
# **Why:** From a negative support vector, the printed formula gives a $b$ that is 2 too large. The plane then lies
# beyond the negative support vectors, which are classified as positive.

# %% key="E56-proof"
w, b, negative = hard.weights_, hard.intercept_, trio[2]  # the three points of E12
verify(
    "with the label, both classes give the same b",
    [1 - w @ trio[0], -1 - w @ negative],
    [b, b],
    tol=1e-6,
)
verify(
    "without the label, the negative point gives a b that is 2 too large",
    1 - w @ negative - b,
    2.0,
    tol=1e-6,
)
verify(
    "with this b the negative point has the value +1",
    w @ negative + (1 - w @ negative),
    1.0,
    tol=1e-6,
)

# %% [markdown] key="E57"
# ### E57. Gradients in w and b, not in a
#
# *Where: “Clasificadores de margen máximo (V)”.*
#
# **Printed:** Setting the gradients in $w$, $b$ *and* $a$ to 0 gives (9) and (10).
#
# **Correct:** The gradients in $w$ and $b$ are enough.
#
# **Why:** $\partial L/\partial a_n=1-t_ny(x_n)$ is *not* 0 for points outside the margin. There $a_n=0$ holds
# instead.

# %% key="E57-proof"
slope_in_a = 1 - trio_y * (trio @ w + b)
verify("∂L/∂a at the three points is 0, -1 and 0", slope_in_a, [0.0, -1.0, 0.0], tol=1e-6)
verify("a is 0 at the second point", hard.multipliers_[1], 0.0)

# %% [markdown] key="E58"
# ### E58. One optimal w, but several optimal a
#
# *Where: “Clasificadores de margen máximo (V)”.*
#
# **Printed:** Primal and dual are convex, *y hay un solo óptimo*.
#
# **Correct:** The optimal value, $w$ and $b$ are unique, but the multipliers need not be.
#
# **Why:** A convex function need not be strictly convex. The cell after E59 shows two optimal $a$.

# %% [markdown] key="E59"
# ### E59. A point on the margin need not be a support vector
#
# *Where: “Clasificadores de margen máximo (VII)”, the second of that name.*
#
# **Printed:** The points on the margin *are called* support vectors.
#
# **Correct:** Support vectors are the points with $a_n>0$.
#
# **Why:** The four corners of a square all lie on the margin, and two of them suffice. With slack, many support
# vectors are not on the margin.

# %% key="E58-E59-proof"
square, sides = (
    np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]),
    np.array([1, 1, -1, -1]),
)
both = [np.array([0.5, 0.0, 0.5, 0.0]), np.array([0.25] * 4)]
dual = [a.sum() - np.sum(((a * sides) @ square) ** 2) / 2 for a in both]
verify(
    "two different a give the same w = (1, 0)",
    [(a * sides) @ square for a in both],
    [[1.0, 0.0]] * 2,
)
verify(
    "both satisfy Σ a t = 0 and have the value ½ = ½‖w‖²",
    [*(a @ sides for a in both), *dual],
    [0, 0, 0.5, 0.5],
)
verify(
    "all four points have t y = 1, but the first a has two support vectors",
    (np.all(sides * square[:, 0] == 1), np.sum(both[0] > 0)) == (True, 2),
)

# %% [markdown] key="E96"
# ### E96. A slide number that is missing
#
# *Where: “Clasificadores de margen máximo (VII)” and “Clasificadores de margen máximo (VII)”, the second of that name.*
#
# **Printed:** (IV), (V), (VII), (VII), (VIII).
#
# **Correct:** One of the two (VII) is (VI).
#
# **Why:** One number occurs twice and one is missing, but no content is lost.

# %% [markdown] key="E60"
# ### E60. Zero multipliers save work in prediction
#
# *Where: “Clasificadores de margen máximo (VII)”, the second of that name.*
#
# **Printed:** As $a_n=0$ for the other points, the kernel *in equation (11)* is not needed for them.
#
# **Correct:** It is not needed for them in the *prediction*.
#
# **Why:** Equation (11) is the problem that finds which multipliers are 0, and it needs all pairs of points.

# %% key="E60-proof"
model = SVC(Gaussian(1.0), C=1.0, tol=1e-10).fit(cloud, side)
some, new = model.support_, cloud[:5] + 0.1
verify("not all points are support vectors", len(some) < len(cloud))
verify(
    "for predictions, the kernel with the support vectors is enough",
    Gaussian(1.0)(new, cloud[some]) @ model.dual_coef_[some] + model.intercept_,
    model.decision_function(new),
)
other = SVC(Gaussian(1.0), C=1.0, tol=1e-10).fit(cloud, -side[::-1])  # other labels
verify(
    "other labels give other support vectors, so the points alone do not determine them",
    set(other.support_) != set(some),
)

# %% [markdown] key="E97"
# ### E97. Without separability there is no solution
#
# *Where: “Clasificadores de margen suave”.*
#
# **Printed:** On data that cannot be separated, or with outliers, the performance of the machine *degrades
# rapidly*.
#
# **Correct:** This is true of outliers. Without separability the hard problem (7) has no solution.
#
# **Why:** The dual of (7) is then unbounded. The cell uses the points of E13.

# %% key="E97-proof"
direction = np.array([1.0, 3.0, 3.0, 1.0])  # a = s·(1, 3, 3, 1) for -, +, -, + at 0, 1, 2, 3
verify("Σ a t = 0, and Σ a t x = 0", [direction @ marks, (direction * marks) @ spots], 0.0)
verify("the dual objective is 8 s, so it has no upper bound", direction.sum(), 8.0)

# %% [markdown] key="E95"
# ### E95. Soft margin: the slack variables without a formula
#
# *Where: “Clasificadores de margen suave (II)”.*
#
# **Printed:** Slack variables $\varepsilon_n$, without a formula.
#
# **Correct:** $\min\frac12\|w\|^2+C\sum_n\xi_n$ subject to $t_ny(x_n)\ge1-\xi_n$, $\xi_n\ge0$.
#
# **Why:** We write $\xi$, since ε is the width of the tube in regression.

# %% key="E95-proof"
def total(v):
    w, b = v[:2], v[2]
    return w @ w / 2 + 0.5 * hinge(side * (cloud @ w + b)).sum()


soft = SVC(Linear(), C=0.5, tol=1e-10).fit(cloud, side)
at = np.array([*(cloud.T @ soft.dual_coef_), soft.intercept_])
around = [total(at + 0.01 * d) for d in np.random.default_rng(0).normal(size=(100, 3))]
verify(
    "w and b minimise the objective: no point near them has a lower value",
    min(around) >= total(at) - 1e-9,
)

# %% [markdown] key="krr"
# ## *Régression ridge à noyau*, chapter 20 of an online course with Python
#
# This is the only source that includes a program, and it leads from the space to the solution on one page. A
# program can be *wrong* in ways that no formula can, and this one is the reason why ours have tests. Merci; chapter
# 3 starts where this page ends.

# %% [markdown] key="E66"
# ### E66. Mean or sum of squares
#
# *Where: section 20.1, “Formulation dans le RKHS”.*
#
# **Printed:** The *mean* squared error, above a formula with a sum.
#
# **Correct:** The formula with the sum, and with it $\beta=(K+\lambda I)^{-1}y$.
#
# **Why:** With a mean the solution is $(K+m\lambda I)^{-1}y$. The same λ therefore means a penalty that differs by
# the factor $m$.

# %% key="E66-proof"
K, y3, lam = Gaussian(1.0)(np.array([[0.0], [1.0], [2.5]])), np.array([1.0, -1.0, 0.5]), 0.5


def objective(beta, mean):
    return np.sum((y3 - K @ beta) ** 2) / (3 if mean else 1) + lam * beta @ K @ beta


of_sum, of_mean = (np.linalg.solve(K + shift * np.eye(3), y3) for shift in (lam, 3 * lam))
verify(
    "the gradient with the sum is 0 at (K + λI)⁻¹y",
    slopes(lambda b: objective(b, False), of_sum),
    0.0,
    tol=1e-8,
)
verify(
    "the gradient with the mean is 0 at (K + mλI)⁻¹y",
    slopes(lambda b: objective(b, True), of_mean),
    0.0,
    tol=1e-8,
)
verify("the two curves differ by more than 0.2", np.abs(K @ (of_sum - of_mean)).max() > 0.2)

# %% [markdown] key="E67"
# ### E67. The name of the representer theorem
#
# *Where: section 20.2, “Formulation duale”.*
#
# **Printed:** *Théorème de représentation*.
#
# **Correct:** *Théorème du représentant*, the representer theorem.
#
# **Why:** Both names are in use. The first is easily taken for Riesz's theorem on functionals, which is a different
# theorem.

# %% [markdown] key="E65"
# ### E65. An intermediate inverse that need not exist
#
# *Where: section 20.3, “Solution”.*
#
# **Printed:** $\beta=(K+\lambda I)^{-1}K^{-1}Ky$.
#
# **Correct:** $\beta=(K+\lambda I)^{-1}y$.
#
# **Why:** With two measurements at one $x$, $K$ has two equal rows and no inverse. This β solves
# $K(K+\lambda I)\beta=Ky$ without $K^{-1}$. Other β also solve it, but $f$ is unique.

# %% key="E65-proof"
K2, y2 = Gaussian(1.0)(np.array([[0.0], [0.0], [1.0]])), np.array([1.0, 2.0, -1.0])
verify("three points, two of them equal: K has rank 2", np.linalg.matrix_rank(K2) == 2)
beta, null = np.linalg.solve(K2 + 0.5 * np.eye(3), y2), np.array([1.0, -1.0, 0.0])
steep = [K2 @ ((K2 + 0.5 * np.eye(3)) @ b - y2) for b in (beta, beta + 7 * null)]
verify("the gradient is 0 at β = (K + λI)⁻¹y and at β + 7·(1, -1, 0)", np.array(steep), 0.0)

# %% [markdown] key="E98"
# ### E98. A program without its indentation
#
# *Where: the program of chapter 20.*
#
# **Printed:** In our copy, all lines of loops and functions begin at the left margin.
#
# **Correct:** The same lines with indentation.
#
# **Why:** Python refuses the program as it is. The cause may be the copy of the web page, and the page itself may
# be right.

# %% key="E98-proof"
flat = "def krr(X, y):\nK = X @ X.T\nreturn K"
message = ""
try:
    compile(flat, "page", "exec")
except IndentationError as error:
    message = type(error).__name__
verify("Python raises IndentationError", message == "IndentationError")
verify(
    "with indentation the program compiles",
    compile(flat.replace("\n", "\n    "), "page", "exec") is not None,
)

# %% [markdown] key="E99"
# ### E99. A formula is not an algorithm: solve, do not invert
#
# *Where: the program of chapter 20.*
#
# **Printed:** `np.linalg.inv(K + Lambda * np.eye(len(y))) @ y`.
#
# **Correct:** `np.linalg.solve(K + Lambda * np.eye(len(y)), y)`.
#
# **Why:** For very small λ the inverse loses precision that a solver keeps. The residual $(K+\lambda I)\beta-y$
# shows it.

# %% key="E99-proof"
x30 = np.linspace(-3, 3, 30)[:, None]
matrix, y30 = Gaussian(1.0)(x30) + 1e-12 * np.eye(30), np.sinc(x30[:, 0])
by_inverse, solved = (
    np.abs(matrix @ b - y30).max()
    for b in (np.linalg.inv(matrix) @ y30, np.linalg.solve(matrix, y30))
)
verify(
    "λ = 1e-12: the inverse has a residual more than a hundred times larger",
    by_inverse > 100 * solved,
)

# %% [markdown] key="E62"
# ### E62. Two arguments in the wrong order
#
# *Where: the program of chapter 20.*
#
# **Printed:** `def krr(X, y, sigma, Lambda)`, called as `krr(x, y, Lambda, sigma)`.
#
# **Correct:** Use one order for both, or pass arguments by name, as in `KernelRidge(kernel, lam=…)`.
#
# **Why:** The program *trains* with the width λ and the penalty σ, but *predicts* with the width σ. At
# $\sigma=\lambda=0.5$ the mistake has no effect.

# %% [markdown] key="E68"
# ### E68. A figure that cannot be reproduced
#
# *Where: the program of chapter 20.*
#
# **Printed:** `np.random.rand(30)` without a seed.
#
# **Correct:** `np.random.default_rng(0).random(30)`.
#
# **Why:** Each run without a seed gives another figure.

# %% key="E62-E68-proof"
rng = np.random.default_rng(0)
x = 6 * rng.random(30) - 3
y = np.sinc(x) + 0.15 * rng.normal(size=30)
xt = np.arange(-3, 3, 0.05)


def gaussian(a, b, sigma):
    return np.exp(-((a[:, None] - b) ** 2) / (2 * sigma**2))


def called(sigma, lam, swapped):
    train_sigma, train_lam = (lam, sigma) if swapped else (sigma, lam)
    beta = np.linalg.solve(gaussian(x, x, train_sigma) + train_lam * np.eye(30), y)
    return gaussian(xt, x, sigma) @ beta


error = {
    (s, swap): np.sqrt(np.mean((called(s, 0.5, swap) - np.sinc(xt)) ** 2))
    for s in (0.2, 0.5, 1.0)
    for swap in (True, False)
}
verify(
    "σ = 0.2 and σ = 1: the swapped call has an RMSE at least 1.5 times as large",
    min(error[s, True] / error[s, False] for s in (0.2, 1.0)) > 1.5,
)
verify(
    "σ = λ = 0.5: both calls give the same curve", called(0.5, 0.5, True), called(0.5, 0.5, False)
)
verify(
    "another seed gives other points",
    np.abs(np.random.default_rng(1).random(30) - np.random.default_rng(0).random(30)).max() > 0.1,
)

# %% key="E62-figure" hide="input"
fig, axes = plt.subplots(1, 3, figsize=(9.5, 3.1), layout="constrained", sharey=True)
for ax, s in zip(axes, (0.2, 0.5, 1.0), strict=True):
    ax.plot(x, y, "o", ms=3, color="0.6")
    ax.plot(xt, called(s, 0.5, False), **cycle(0), label="arguments in order")
    ax.plot(xt, called(s, 0.5, True), **cycle(1), label="arguments exchanged")
    ax.set(xlabel="$x$", title=f"$\\sigma={s:g}$, $\\lambda=0.5$")
axes[0].set_ylabel("$f(x)$")
axes[2].legend(loc="upper right", fontsize="small")
show(
    fig,
    alt="Three panels, sigma 0.2, 0.5 and 1, with thirty points and two curves, with "
    "the arguments in order and exchanged. The curves coincide in the second panel only.",
)

# %% [markdown] key="E64"
# ### E64. Two functions called sinc
#
# *Where: the program of chapter 20.*
#
# **Printed:** The legend says sinc(x), and the program calls `np.sinc(x)`.
#
# **Correct:** The legend should give the formula $\sin(\pi x)/(\pi x)$.
#
# **Why:** NumPy's function is this one, and many books mean $\sin(x)/x$.

# %% key="E64-proof"
verify("np.sinc at ½", np.sinc(0.5), "0.6366")
verify("sin(x)/x at ½", np.sin(0.5) / 0.5, "0.9589")

# %% [markdown] key="E63"
# ### E63. A title with the wrong value of lambda
#
# *Where: the program of chapter 20.*
#
# **Printed:** `lambda=0.2` in the title of figures that are made with `Lambda = 0.5`.
#
# **Correct:** 0.5.
#
# **Why:** 0.2 is one of the widths. A title that prints the variable is always right.

# %% [markdown] key="across"
# ## Between the five
#
# Two points on which no single source is wrong, but which will confuse anyone who reads two of them.

# %% [markdown] key="E69"
# ### E69. Letters
#
# **Printed:** Targets are $y$, $d$ or $t$, and the number of examples is $n$, $N$ or $m$. A prime ′ means the
# transpose in one source, another point in the next, and a derivative in two more.
#
# **Correct:** All of them are correct, and this [table](00_start_here.ipynb#Notation) compares them.
#
# **Why:** Notation is a convention.

# %% [markdown] key="E70"
# ### E70. How wide is a margin?
#
# *Where: IFT6266, “Classificateurs à marge maximale”; SYS843, “(a) SVM linéaires – cas séparable”, slide 6 of 11; Cartagena, “Clasificadores de margen máximo (III)”.*
#
# **Printed:** *distance 1* (IFT6266), $M=2/\|w\|$ (SYS843), maximise $1/\|w\|$ (Cartagena).
#
# **Correct:** $2/\|w\|$ is the full width between the two margin lines, and $1/\|w\|$ is half of it.
#
# **Why:** Maximising one maximises the other. Before you compare the “margin” of two programs, ask which is meant.

# %% key="E70-proof"
w = hard.weights_
toward = trio[0] - trio[2]
verify(
    "the distance between the margin lines is 2/‖w‖",
    toward @ w / np.linalg.norm(w),
    2 / np.linalg.norm(w),
    tol=1e-6,
)
verify(
    "the distance from the plane to a margin line is 1/‖w‖",
    (trio[0] @ w + hard.intercept_) / np.linalg.norm(w),
    1 / np.linalg.norm(w),
    tol=1e-6,
)
