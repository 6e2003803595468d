# %% [markdown] key="title" slide="slide"
# # RBF interpolation
#
# Put a function on every data point, solve one linear system, and a surface passes through all the points. This
# chapter says when the system has a solution, how ill-conditioned it is, and what changes if the surface passes near
# the points, or is made of fewer functions than there are points.

# %% key="imports" slide="skip" hide="input"
import numpy as np
import matplotlib.pyplot as plt
from scipy.integrate import quad
from scipy.interpolate import BarycentricInterpolator
from scipy.interpolate import RBFInterpolator as SciPyRBF
from scipy.linalg import null_space
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Ridge

from kcourse import Gaussian, KernelRidge, Laplacian, Linear
from kcourse.datasets import load_mcycle, load_terrain
from kcourse.kernels import InverseMultiquadric, Multiquadric, ThinPlate
from kcourse.lab import cycle, measured, show, table, use_style, verify
from kcourse.chapters.ch07a_rbf_interpolation.figures import (
    basis_explorer,
    draw_map,
    penalty_explorer,
)
from kcourse.rbf import (
    GeneralizedRBF,
    RBFInterpolator,
    RegularizationNetwork,
    monomials,
)
from kcourse.scaling import Nystrom

use_style()

# %% [markdown] key="hook" slide="slide" tags=["hour"]
# ## A map from four hundred heights
#
# These are mountains near Jacksboro, Tennessee. A surveyor has visited four hundred spots, drawn at random, and
# brings back the height of each.
#
# <!-- slide
# ## Four hundred heights are known: draw the map
# -->

# %% key="hook-picture" hide="input"
land = load_terrain()
drawn = np.random.default_rng(0).choice(len(land.y), 5400, replace=False)
X, y = land.X[drawn[:400]], land.y[drawn[:400]]  # what the surveyor measured (km, m)
new, truth = land.X[drawn[400:]], land.y[drawn[400:]]  # 5000 locations where the map is tested
fig, ax = plt.subplots(figsize=(5.6, 4.5))
spots = ax.scatter(*X.T, c=y, s=26, cmap=plt.get_cmap("gray", 9), edgecolor="black", linewidth=0.5)
ax.set(xlabel="to the east (km)", ylabel="to the north (km)", aspect="equal")
fig.colorbar(spots, label="height (m)")
show(
    fig,
    alt="Four hundred circles scattered over a rectangle, filled with grey, brighter where it is "
    "higher: bright ones gather in the west and the south-west, dark ones in the east. Between "
    "them nothing is drawn.",
)

# %% [markdown] key="hook-question"
# **How would you draw the map, and how many metres would it be wrong where nobody has been?** The simplest map takes
# the height of the nearest spot. This chapter puts a function on every spot and adds the functions up, so that their
# sum has the measured height at each spot.
#
# <!-- slide
# **By which method, and how many metres will it be wrong where nobody has been?**
# -->

# %% [markdown] key="hook-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Collect bets, a method and its error in metres, and leave them on the board. Expect triangles or a mean of the
# nearest spots. Ask what spots 1.5 km apart can say about a valley 300 m wide. (Nothing, so no method draws it.)
#
# </details>

# %% [markdown] key="objectives" slide="subslide"
# **After this chapter you can**
#
# - solve $\Phi w=y$, and say for which basis functions it has a solution, with the hypotheses;
# - weigh accuracy against conditioning, and select a width by exact leave-one-out errors;
# - pass near the points instead of through them, and show that this is kernel ridge regression;
# - say for which matrices it helps to add $\lambda I$, and for which it does harm;
# - use fewer basis functions than points, and show that this is Nyström's approximation.
#
# **You need** chapter 3, and from chapter 2 that the Gram matrix of a Gaussian at distinct points is positive
# definite. **Reading:** two to three hours. **Lecture:** two 45-minute lectures. **Exercises:**
# [in the exercise notebook](../exercises/ch07a_rbf_interpolation_sheet.ipynb).
#
# <!-- slide
# **After this chapter you can**
#
# - say for which basis functions $\Phi w=y$ has a solution
# - weigh accuracy against conditioning, and select a width
# - pass near the points, and recognise kernel ridge regression
# - say when adding $\lambda I$ does harm
# - use fewer basis functions than points, and recognise Nyström's approximation
# -->

# %% [markdown] key="plan-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Leave the integrals of steps 1 and 2 to the reader. Can be skipped: How does each time grow with n?; SciPy and
# scikit-learn draw the same maps; Four mistakes in a surveyor's program.
#
# </details>

# %% [markdown] key="interpolation" slide="slide" tags=["hour"]
# ## Interpolation: a basis function on every point
#
# A *radial basis function*, RBF, is a function of the distance to a *centre* $t$, that is $x\mapsto\varphi(\|x-t\|)$.
# The Gaussian with $\varphi(r)=e^{-r^2/(2\sigma^2)}$ is the best known, a bump around its centre. Put one on each of
# the points $x_1,\dots,x_n\in\mathbb R^d$, give it a weight, and ask that the sum takes the measured value at every
# point.
#
# $$s(x)=\sum_{i=1}^nw_i\,\varphi(\|x-x_i\|),\qquad s(x_j)=y_j\ \text{ for all }j,$$
#
# $$\text{that is}\qquad\Phi w=y,\qquad\Phi_{ji}=\varphi(\|x_j-x_i\|). \tag{1}$$
#
# These are $n$ linear equations for $n$ weights, whatever the dimension of $x$. The surface $s$ is an *interpolant*,
# because it passes through all the points. Rolland Hardy drew maps in this way in 1971. Later Broomhead and Lowe
# described the same formula as a neural network with a *hidden layer* of $n$ units and one linear output. To learn is
# then to fit a surface, and to predict is to read it off between the points.
#
# <!-- slide
# ## A basis function on every point gives n equations for n weights
#
# *Radial basis function*: a function of the distance to a *centre*, such as $\varphi(r)=e^{-r^2/(2\sigma^2)}$
#
# $$s(x)=\sum_{i=1}^nw_i\,\varphi(\|x-x_i\|),\qquad s(x_j)=y_j\ \text{ for all }j$$
#
# $$\Phi w=y,\qquad\Phi_{ji}=\varphi(\|x_j-x_i\|) \tag{1}$$
#
# As a network: a *hidden layer* of $n$ units and one linear output.
# -->

# %% [markdown] key="interpolation-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Draw three bumps and their sum on the board. Ask how many unknowns there are for points in ten dimensions. Expect
# "ten times as many". There are n.
#
# </details>

# %% [markdown] key="three-points" slide="subslide"
# *Three points, with pencil and paper.* Take $(-1,1),(0,2),(1,1)$ and the *multiquadric* $\varphi(r)=\sqrt{r^2+c^2}$
# with $c^2=0.5$, which was Hardy's choice of $\varphi$. The distances are 0, 1 and 2, and by symmetry $w_1=w_3$, so
# (1) becomes
#
# $$(\sqrt{0.5}+\sqrt{4.5})\,w_1+\sqrt{1.5}\,w_2=1,\qquad2\sqrt{1.5}\,w_1+\sqrt{0.5}\,w_2=2.$$
#
# **Predict first.** The middle value is the largest. Will the middle weight be positive?
#
# <!-- slide
# **Three points can be solved with pencil and paper**
#
# $(-1,1),(0,2),(1,1)$, and the *multiquadric* $\varphi(r)=\sqrt{r^2+c^2}$ with $c^2=0.5$. By symmetry $w_1=w_3$:
#
# $$(\sqrt{0.5}+\sqrt{4.5})\,w_1+\sqrt{1.5}\,w_2=1,\qquad2\sqrt{1.5}\,w_1+\sqrt{0.5}\,w_2=2$$
#
# **Predict first:** the middle value is the largest. Will the middle weight be positive?
# -->

# %% [markdown] key="three-points-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Collect signs; expect plus. Then eliminate on the board: the second equation gives w₂ = (2 − 2√1.5 w₁)/√0.5. Draw
# the multiquadric, which is smallest at its centre.
#
# </details>

# %% key="three-points-code" slide="skip"
x3 = np.array([[-1.0], [0.0], [1.0]])
y3 = np.array([1.0, 2.0, 1.0])
multiquadric = Multiquadric(np.sqrt(0.5))
Phi3 = multiquadric(x3, x3)
w3 = np.linalg.solve(Phi3, y3)  # (1)
verify("through the points", multiquadric(x3, x3) @ w3, y3)

# %% key="three-points-picture" slide="subslide" hide="input"
fine = np.linspace(-1.8, 1.8, 300)[:, None]
fig, ax = plt.subplots(figsize=(7.2, 3.8))
for k, one in enumerate(multiquadric(fine, x3).T):
    ax.plot(fine, one, **cycle(1 + k), linewidth=1.4, label=f"multiquadric at {x3[k, 0]:g}")
ax.plot(fine, multiquadric(fine, x3) @ w3, **cycle(0), linewidth=2.4, label="interpolant s(x)")
ax.plot(x3, y3, "o", color="black", markersize=7, zorder=4)
ax.set(xlabel="x", ylabel="y", ylim=(-0.2, 4.6))
ax.legend(loc="upper center", ncols=2, fontsize=9)
show(
    fig,
    alt="Three points, the middle one the highest, and the curve s through them; with it the "
    "three multiquadrics that it is made of, before they are weighted: curves that open upwards, "
    "each with its minimum at a data point.",
    answer="The three multiquadrics and their weighted sum",
)

# %% [markdown] key="three-points-reading"
# <details><summary><b>What just happened</b> (open this once you have written down your answer)</summary>
#
# The weights are $w=(1.74,\,-3.21,\,1.74)$, so the middle one is negative. A multiquadric is smallest at
# its centre, and the middle one is turned over to make the maximum. Halfway between two points $s(0.5)=1.62$,
# which no single weight tells you.
#
# </details>
#
# <!-- slide
# **No: the middle multiquadric is turned over**
#
# $w=(1.74,\,-3.21,\,1.74)$
# -->

# %% [markdown] key="which" slide="slide" tags=["hour"]
# ## For which basis functions? Micchelli's theorem
#
# Does (1) always have a solution? Are distinct points enough, without [a hypothesis on
# φ](errata.ipynb#E29.-Micchelli's-theorem-has-a-hypothesis)? **For which $\varphi$ is $\Phi$ invertible?**
#
# <!-- slide
# ## Distinct points are not enough
#
# “If the points are distinct, $\Phi$ is invertible.” **For which $\varphi$?**
# -->

# %% [markdown] key="which-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask for a φ that fails before the two examples are shown. Expect φ = 0 or a constant. Then ask for one that no one
# would call silly.
#
# </details>

# %% [markdown] key="which-two" slide="fragment"
# Distinct points are not enough for every $\varphi$, as two examples show.
#
# - $\varphi(r)=r^2$. Here $\|x-z\|^2=\|x\|^2-2x^\top z+\|z\|^2$ is a sum of $d+2$ products of a function of $x$ and a
#   function of $z$. So the rank of $\Phi$ is at most $d+2$, however many points there are.
# - The *thin plate*, $\varphi(r)=r^2\ln r$. Take a centre and six points at distance 1 around it. Because $\ln1=0$,
#   the row of the centre in $\Phi$ is 0.
#
# <!-- slide
# - $\varphi(r)=r^2$: the rank of $\Phi$ is at most $d+2$.
# - *thin plate* $r^2\ln r$: on a centre and six points at distance 1, a row of $\Phi$ is 0.
# -->

# %% key="which-code" slide="skip"
points = np.random.default_rng(0).normal(size=(8, 2))
squares = ((points[:, None] - points) ** 2).sum(axis=2)
angle = np.arange(6) * np.pi / 3
hexagon = np.vstack([np.zeros(2), np.column_stack([np.cos(angle), np.sin(angle)])])
print("8 points of the plane, r²: rank", np.linalg.matrix_rank(squares))
smallest = np.abs(np.linalg.eigvalsh(ThinPlate(1.0)(hexagon))).min()
print("centre and hexagon, r² ln r: an eigenvalue is 0:", bool(smallest < 1e-12))

# %% [markdown] key="definite" slide="subslide"
# ### Step 1. Mixtures of Gaussians
#
# Which property of $\varphi$ is enough? For distinct points the matrix of a Gaussian is positive definite (chapter 2). If we mix
# Gaussians of different widths with positive weights, this remains true. For $u>0$,
#
# $$\frac1{\sqrt u}=\frac1{\sqrt\pi}\int_0^\infty e^{-vu}\,\frac{dv}{\sqrt v}. \tag{2}$$
#
# With $u=r^2+c^2$ and $c>0$, the integrand is a Gaussian $e^{-vr^2}$ with the weight $e^{-vc^2}/\sqrt{\pi v}$. So the
# *inverse multiquadric* $1/\sqrt{r^2+c^2}$ is a mixture of Gaussians of all widths, and
#
# $$a^\top\Phi a=\int_0^\infty\frac{e^{-vc^2}}{\sqrt{\pi v}}\;\underbrace{\textstyle\sum_{ij}a_ia_je^{-v\|x_i-x_j\|^2}}_{>0\text{ unless }a=0}\;dv>0.$$
#
# Its $\Phi$ is therefore **positive definite**, in any dimension. The same argument works for every such mixture
# except a constant. By a theorem of Bernstein, the mixtures are exactly the $\varphi$ for which $\varphi(\sqrt u)$ is
# *completely monotone*. This means that it is positive, decreasing, convex, and so on, because the signs of its
# derivatives alternate. Schoenberg proved that no other $\varphi$ is positive definite in every dimension.
#
# <!-- slide
# ## Step 1. A mixture of Gaussians is positive definite
#
# $$\frac1{\sqrt u}=\frac1{\sqrt\pi}\int_0^\infty e^{-vu}\,\frac{dv}{\sqrt v} \tag{2}$$
#
# With $u=r^2+c^2$: the *inverse multiquadric* mixes Gaussians of all widths, so
#
# $$a^\top\Phi a=\int_0^\infty\frac{e^{-vc^2}}{\sqrt{\pi v}}\;\sum_{ij}a_ia_je^{-v\|x_i-x_j\|^2}\;dv>0\quad\text{unless }a=0.$$
# -->

# %% [markdown] key="definite-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Take the integral on trust, and put the argument on the board: aᵀΦa is a weighted integral of positive numbers. Ask
# why c must not be 0. (The diagonal of Φ is 1/c.)
#
# </details>

# %% [markdown] key="micchelli" slide="subslide"
# ### Step 2. The multiquadric
#
# Hardy's multiquadric grows with the distance, so it is not such a mixture. Integrate (2) over $u$, from 0 to $u$:
#
# $$\sqrt u=\frac1{2\sqrt\pi}\int_0^\infty\big(1-e^{-vu}\big)\,\frac{dv}{v^{3/2}}.$$
#
# With $u=r^2+c^2$ the integrand is a constant *minus* a Gaussian. Take weights with $\sum_ia_i=0$. Then the constant
# drops out, and $a^\top\Phi a<0$ unless $a=0$. The quadratic form is negative on a subspace of $n-1$ dimensions, so at
# least $n-1$ eigenvalues are negative. But the trace, $nc$, is positive. So for $n\ge2$ there is **one positive
# eigenvalue, and $n-1$ are negative**. Hence $\Phi$ is invertible, but [not positive
# definite](errata.ipynb#E30.-The-multiquadric-is-not-positive-definite).
#
# *Micchelli's theorem* is the general case of this step. For $n\ge2$ distinct points $\Phi$ is invertible if the
# *derivative* of $\varphi(\sqrt u)$ is completely monotone and not constant, and $\varphi(0)\ge0$. So distinct
# points are enough if $\varphi$ satisfies the hypothesis of step 1 or that of step 2. Hardy had used the multiquadric for fifteen years before it was
# known that his system has a solution.
#
# <!-- slide
# ## Step 2. The multiquadric is invertible and not positive definite
#
# $$\sqrt u=\frac1{2\sqrt\pi}\int_0^\infty\big(1-e^{-vu}\big)\,\frac{dv}{v^{3/2}}$$
#
# With $\sum_ia_i=0$ the constant drops out, so $a^\top\Phi a<0$. And the trace is positive.
#
# <div class="fragment">
#
# One positive eigenvalue, $n-1$ negative ones (*Micchelli*, 1986).
#
# </div>
# -->

# %% [markdown] key="micchelli-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Before the click, ask how many eigenvalues are negative. The subspace gives at least n − 1. Let them find the sign
# of the last one from the trace.
#
# </details>

# %% [markdown] key="plates" slide="subslide"
# ### Step 3. The thin plate needs a polynomial
#
# For $\varphi(r)=r^2\ln r$ we have $\varphi(\sqrt u)=\frac12u\ln u$, whose *second* derivative $\frac1{2u}$ is
# completely monotone. Then $a^\top\Phi a$ is positive for weights, not all 0, with $\sum_ia_i=0$ and $\sum_ia_ix_i=0$
# (Micchelli; not proved here). So we ask the weights to satisfy these $d+1$ conditions, and add a linear polynomial
# with $d+1$ coefficients to $s$:
#
# $$s(x)=\sum_iw_i\varphi(\|x-x_i\|)+p(x)^\top\beta,\qquad
# \begin{bmatrix}\Phi&P\\P^\top&0\end{bmatrix}\begin{bmatrix}w\\\beta\end{bmatrix}=\begin{bmatrix}y\\0\end{bmatrix}. \tag{3}$$
#
# Here $p(x)=(1,x)$, and row $i$ of $P$ is $p(x_i)^\top$. In the plane there is exactly one solution if the points are
# distinct and not all on one line. Up to a factor, $w^\top\Phi w$ is then the bending energy of a metal sheet, and
# $s$ is the interpolant that bends least (Duchon). With a constant in place of the polynomial, (3) also suits a
# Gaussian or a multiquadric, which can then follow heights far from zero.
#
# | basis function | $\varphi(r)$ | $\Phi$ of distinct points | polynomial |
# |---|---|---|---|
# | Gaussian | $e^{-r^2/(2\sigma^2)}$ | positive definite | not needed |
# | inverse multiquadric | $1/\sqrt{r^2+c^2}$, $c>0$ | positive definite | not needed |
# | multiquadric | $\sqrt{r^2+c^2}$ | one positive eigenvalue, $n-1$ negative | not needed to solve |
# | thin plate | $r^2\ln r$, $\varphi(0)=0$ | may be singular | linear |
#
# <!-- slide
# ## Step 3. The thin plate needs a linear polynomial
#
# $$\begin{bmatrix}\Phi&P\\P^\top&0\end{bmatrix}\begin{bmatrix}w\\\beta\end{bmatrix}=\begin{bmatrix}y\\0\end{bmatrix} \tag{3}$$
#
# | basis function | $\Phi$ of distinct points | polynomial |
# |---|---|---|
# | Gaussian, inverse multiquadric | positive definite | not needed |
# | multiquadric $\sqrt{r^2+c^2}$ | one positive, $n-1$ negative | not needed to solve |
# | thin plate $r^2\ln r$ | may be singular | linear |
# -->

# %% [markdown] key="plates-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask what the second row of (3) demands, Pᵀw = 0. Then ask what comes out if the data lie on a plane. (The plane: w =
# 0 and β solve the system, and its solution is unique.)
#
# </details>

# %% key="plates-code" slide="skip"
def system(kernel, degree, X, lam=0.0):
    """The matrix of (3), with λ on the diagonal of Φ."""
    Phi = kernel(X, X) + lam * np.eye(len(X))
    P = monomials(X, degree)
    q = P.shape[1]
    return np.block([[Phi, P], [P.T, np.zeros((q, q))]])


plate, heights = ThinPlate(1.0), np.arange(7.0)  # of the hexagon and its centre
right = np.append(heights, np.zeros(3))
solution = np.linalg.solve(system(plate, 1, hexagon), right)
w, beta = solution[:7], solution[7:]
through = plate(hexagon) @ w + monomials(hexagon, 1) @ beta
verify("through the seven points", through, heights)

# %% key="micchelli-verify" slide="skip" hide="input"
a, m, z = np.sqrt([0.5, 1.5, 4.5])
w1 = (a - 2 * m) / (a * (a + z) - 2 * m * m)
verify("three points, by elimination", [w1, (2 - 2 * m * w1) / a], w3[:2])
for value, quoted in zip(w3, ("1.74", "-3.21", "1.74"), strict=True):
    verify("w", value, quoted)
verify("s(0.5)", (multiquadric(np.array([[0.5]]), x3) @ w3)[0], "1.62")
verify("the library's weights", RBFInterpolator(multiquadric).fit(x3, y3).dual_coef_, w3)
verify("r²: rank 4 of 8", np.linalg.matrix_rank(squares) == 4)
verify("thin plate: the centre's row is 0", ThinPlate(1.0)(hexagon)[0], 0.0)
for u in (0.3, 2.0, 7.0):
    down = quad(lambda t, u=u: np.exp(-t * u) / np.sqrt(np.pi * t), 0, np.inf)[0]
    up = quad(lambda t, u=u: (1 - np.exp(-t * u)) / (2 * np.sqrt(np.pi) * t**1.5), 0, np.inf)[0]
    verify(f"u = {u}: the mixtures are 1/√u and √u", [down, up], [u**-0.5, u**0.5], tol=1e-7)
thirty = np.random.default_rng(0).normal(size=(30, 2))
signs = np.sign(np.linalg.eigvalsh(Multiquadric(1.0)(thirty)))
verify("multiquadric: 1 positive, 29 negative", [np.sum(signs > 0), np.sum(signs < 0)], [1, 29])
balanced = null_space(np.ones((1, 30)))
form = np.linalg.eigvalsh(balanced.T @ Multiquadric(1.0)(thirty) @ balanced)
verify("multiquadric: negative on weights that sum to 0", np.all(form < 0))
for kernel in (Gaussian(0.3), InverseMultiquadric(0.3)):
    verify(f"{kernel}: all positive", np.all(np.linalg.eigvalsh(kernel(thirty)) > 0))
ours = RBFInterpolator(plate).fit(hexagon, heights)
verify("thin plate: the library's weights", ours.dual_coef_, w)
tilted = 3 + points @ [2.0, -1.0]
flat = RBFInterpolator(ThinPlate(1.0)).fit(points, tilted)
verify("thin plate: a plane comes out exactly, with w = 0", flat.dual_coef_, 0.0)
across = null_space(np.column_stack([np.ones(8), points]).T)
bent = np.linalg.eigvalsh(across.T @ ThinPlate(1.0)(points) @ across)
verify("thin plate: positive on weights with Pᵀw = 0", np.all(bent > 0))
sign = np.linalg.slogdet(Multiquadric(0.7)(thirty[:10]))[0]
verify("ten points: det Φ is negative", sign == -1)

# %% [markdown] key="digits" slide="slide"
# ## Accuracy against conditioning
#
# Now (1) has a solution, but will a computer find it? An invertible matrix can still be too ill-conditioned to be
# solved in double precision. The *condition number* $\kappa=\max|\mu_i|/\min|\mu_i|$ of the eigenvalues $\mu_i$ of
# $\Phi$ bounds by what factor a relative error may grow on the way from $y$ to $w$. So $w$ may have about
# $\log_{10}\kappa$ fewer correct digits than the sixteen of double precision.
#
# The figure interpolates fifteen values of a smooth function. **Predict first.**
#
# 1. Make the Gaussians wider. Does the curve become better or worse *between* the points?
# 2. What happens to the condition number meanwhile?
# 3. Which of the three basis functions has negative eigenvalues, and how many?
#
# <!-- slide
# ## An invertible matrix can be too ill-conditioned to solve
#
# *Condition number* $\kappa=\max|\mu_i|/\min|\mu_i|$: $w$ may have about $\log_{10}\kappa$ fewer than sixteen correct
# digits.
#
# **Predict first**, for fifteen values of a smooth function:
#
# 1. Make the Gaussians wider: is the curve better or worse *between* the points?
# 2. What happens to $\kappa$?
# 3. Which of three basis functions has negative eigenvalues, and how many?
# -->

# %% [markdown] key="digits-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Collect answers to all three before you show a number. Expect "narrow is accurate". Ask how a narrow Gaussian looks
# halfway between two points.
#
# </details>

# %% key="digits-figure" hide="input"
x15 = np.linspace(-1, 1, 15)[:, None]


def smooth(x):
    return np.sin(3 * np.ravel(x)) + 0.5 * np.cos(7 * np.ravel(x))


BASES = {
    "Gaussian": Gaussian,
    "inverse multiquadric": InverseMultiquadric,
    "multiquadric": Multiquadric,
}


def solved_15(name, c, line):
    kernel = BASES[name](c)
    Phi = kernel(x15, x15)
    w = np.linalg.lstsq(Phi, smooth(x15), rcond=1e-15)[0]
    return kernel(line[:, None], x15) @ w, np.linalg.eigvalsh(Phi)


menu = basis_explorer(x15[:, 0], smooth(x15), smooth, tuple(BASES), solved_15)

# %% [markdown] key="digits-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# 1. A narrow Gaussian affects only its own point, so the curve falls back to 0 in between. Wide Gaussians overlap,
#    and up to about $\sigma=0.6$ they reproduce this smooth function to several digits. Much wider ones are worse
#    again.
# 2. But wide Gaussians are nearly alike, so the columns of $\Phi$ are nearly dependent, and the condition number
#    grows until some eigenvalues are only rounding errors.
# 3. Gaussian and inverse multiquadric have positive eigenvalues only. The multiquadric has one positive and fourteen
#    negative ones, as step 2 says.
#
# </details>
#
# <!-- slide
# <details><summary><b>Wide Gaussians are accurate because they overlap, and ill-conditioned for the same reason</b></summary>
#
# 1. Narrow: the curve falls back to 0 between the points. Wide: several digits are right.
# 2. Wide Gaussians are nearly alike, so the columns of $\Phi$ are nearly dependent.
# 3. Gaussian, inverse multiquadric: all positive. Multiquadric: one positive, 14 negative.
#
# </details>
# -->

# %% [markdown] key="trade" slide="subslide"
# ### Step 4. The trade-off
#
# Which width is best? The next figure shows the largest error between the points, and the condition number, for all
# widths.
#
# <!-- slide
# ## Step 4. A small error, a large condition number
# -->

# %% [markdown] key="trade-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask where the Gaussian's error is smallest, and how many digits of w are correct there. Then ask which suffers, the
# weights or the curve.
#
# </details>

# %% key="trade-picture" hide="input"
widths = np.logspace(-1.5, 0.5, 41)
between = np.linspace(-1, 1, 401)[:, None]
plotted = {}
fig, axes = plt.subplots(1, 2, figsize=(9.6, 3.9))
for k, name in enumerate(BASES):
    errors, conditions = [], []
    for c in widths:
        Phi = BASES[name](c)(x15)
        w = np.linalg.solve(Phi, smooth(x15))
        errors.append(np.abs(BASES[name](c)(between, x15) @ w - smooth(between)).max())
        conditions.append(min(np.linalg.cond(Phi), 1e17))
    plotted[name] = np.array(errors), np.array(conditions)
    axes[0].plot(widths, errors, **cycle(k), label=name)
    axes[1].plot(widths, conditions, **cycle(k), label=name)
axes[0].set(ylabel="largest error between the points", ylim=(1e-6, 1e3))
axes[1].set(ylabel="condition number, up to 10¹⁷", ylim=(1, 1e18))
axes[1].axhline(1 / np.finfo(float).eps, color="#777777", linestyle=":")
axes[1].text(0.034, 1e16, "no correct digit of w", color="#555555", va="bottom", fontsize=9)
for ax in axes:
    ax.set(xscale="log", yscale="log", xlabel="width σ or c")
axes[0].legend(loc="upper right", fontsize=9)
show(
    fig,
    alt="Two panels over the width. Left, the largest error between the points falls by several "
    "powers of ten as the functions become wider, and then rises again in jumps. Right, the "
    "condition number climbs across the line where no digit of w is correct, and ends at 10¹⁷.",
)

# %% [markdown] key="trade-reading"
# While the error falls, the condition number grows. Schaback proved one form of this trade-off. Take a location where
# the error bound of an interpolant is small. If this location is added to the points, the matrix has a small
# eigenvalue. A poor condition is not [desirable in itself](errata.ipynb#E34.-Near-singular-matrices-in-interpolation).
# Wide functions are desirable, and they make the system ill-conditioned.
#
# **Near the best width the weights are inaccurate, but the curve is accurate.** The Gaussian is best near $\sigma=0.6$,
# where hardly a digit of its weights is correct. There, noise of a millionth in $y$ moves the weights by tens of
# millions, but the curve by less than a thousandth, because many different weights make nearly the same curve.
#
# **Wider is not always better.** As $\sigma$ grows, Gaussians on a line tend to the polynomial through all the points
# (Driscoll and Fornberg). Here this polynomial has an error more than fifty times that of the best Gaussian. So even
# without rounding errors there would be a best width, and we have to find it from the data.
#
# <!-- slide
# **Near the best width the weights are inaccurate, the curve is not**
#
# - Near $\sigma=0.6$, noise of $10^{-6}$ in $y$ moves $w$ by over $10^7$, the curve by under $10^{-3}$.
# - Much wider: nearly the polynomial through all points, over fifty times worse.
# -->

# %% key="trade-verify" slide="skip" hide="input"
gauss_error, gauss_condition = plotted["Gaussian"]
wide = np.argmin(gauss_error)
verify("where the Gaussian is best, hardly a digit of w is correct", gauss_condition[wide] > 1e14)
verify("... near σ = 0.6", 0.5 < widths[wide] < 0.7)
best_error = gauss_error[wide]
clean = Gaussian(0.6)
noisy = np.random.default_rng(0).normal(size=(15, 5)) * 1e-6
moved = np.linalg.solve(clean(x15), smooth(x15)[:, None] + noisy)
moved -= np.linalg.solve(clean(x15), smooth(x15))[:, None]
far = np.median(np.abs(moved).max(axis=0))  # of five draws
verify("noise of 1e-6 moves w by tens of millions (median)", 1e7 < far < 1e8)
shaken = np.abs(clean(between, x15) @ moved).max()
verify("... and the curve by less than a thousandth", shaken < 1e-3)
polynomial = BarycentricInterpolator(x15[:, 0], smooth(x15))(between[:, 0])
far_off = np.abs(polynomial - smooth(between)).max()
verify("the polynomial: error more than fifty times as large", far_off > 50 * best_error)
five, limit = x15[[0, 3, 7, 11, 14]], []
through_five = BarycentricInterpolator(five[:, 0], smooth(five))(between[:, 0])
for sigma in (5.0, 10.0):
    curve = Gaussian(sigma)(between, five) @ np.linalg.solve(Gaussian(sigma)(five), smooth(five))
    limit.append(np.abs(curve - through_five).max())
verify("five points: σ twice as wide, a quarter of the way left", limit[0] / limit[1], 4, tol=0.05)
spectra = [solved_15(name, 0.1, between[:, 0])[1] for name in BASES]
counts = [(np.sum(v > 1e-12), np.sum(v < -1e-12)) for v in spectra]
verify("15 positive, and twice so", counts[0] == counts[1] == (15, 0))
verify("the multiquadric: 1 and 14", counts[2] == (1, 14))

# %% [markdown] key="left-out" slide="slide" tags=["hour"]
# ## Choosing the width: leave-one-out errors
#
# How can we find the best width for the mountains? Leave out each spot in turn, predict it from the others, and select
# the width with the smallest error.
#
# ### Step 5. One inverse is enough
#
# This does not need four hundred solutions. Let $A$ be the matrix in (3), so that $w_i=\sum_j(A^{-1})_{ij}y_j$.
# Replace the one value $y_i$ by what the *other* spots predict at $x_i$. Then the interpolant through the others
# already passes through all the values, so its weight $w_i$ is 0. On the other hand, $w_i$ changes by $(A^{-1})_{ii}$
# times the change of $y_i$. So the leave-one-out error is
#
# $$e_i=\frac{w_i}{(A^{-1})_{ii}}. \tag{4}$$
#
# This is formula (13) of chapter 3 with $\lambda=0$. It assumes $(A^{-1})_{ii}\ne0$, which means that the other spots
# have an interpolant of their own.
#
# <!-- slide
# ## All leave-one-out errors come from one inverse
#
# **Step 5.** $A$: the matrix in (3). Replace $y_i$ by what the *others* predict at $x_i$.
#
# - Then the interpolant of the others passes through everything, so $w_i=0$.
# - And $w_i$ changes by $(A^{-1})_{ii}$ times the change of $y_i$.
#
# $$e_i=\frac{w_i}{(A^{-1})_{ii}} \tag{4}$$
# -->

# %% [markdown] key="left-out-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask which formula of chapter 3 this is. ((13), with λ = 0.) Stop at the first bullet: an interpolant of the others
# that happens to pass through the i-th point needs no function there.
#
# </details>

# %% key="left-out-code" slide="subslide"
def left_out(kernel, degree, X, y, lam=0.0):
    """Leave-one-out errors (4), with λ on the diagonal of Φ."""
    n = len(y)
    inverse = np.linalg.inv(system(kernel, degree, X, lam))[:n, :n]
    return inverse @ y / np.diag(inverse)


def rms(error):
    return np.sqrt(np.mean(error**2))


widths = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0)
promised = [rms(left_out(InverseMultiquadric(c), 0, X, y)) for c in widths]
print("inverse multiquadric: c =", widths[np.argmin(promised)], "km")

# %% [markdown] key="heights" slide="slide" tags=["hour"]
# ## Comparing the maps
#
# Now the bet can be settled. The heights come from a grid among matplotlib's sample data, so the truth is known
# everywhere. Twenty surveys of four hundred random spots are tested at five thousand other locations. Each basis
# function selects its width by (4). The comparison includes two maps without a linear system, the nearest spot and
# *natural neighbours* (Sibson), a weighted mean of the heights of the surrounding spots. The region of a spot is the
# set of locations that are nearer to it than to any other spot. A new spot at the query point would take an area from
# the region of each neighbour, and the weights are proportional to these areas.
#
# <!-- slide
# ## Twenty surveys settle the bet
#
# 400 random spots, tested at other locations. Each basis function selects its width by (4).
#
# *Natural neighbours*: a mean of the surrounding spots, weighted by the area that each would lose to a new spot.
#
# **Which of the maps is the most accurate?**
# -->

# %% [markdown] key="heights-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Return to the bets on the board and let them rank the four methods. Expect the Gaussian first.
#
# </details>

# %% key="heights-table" slide="subslide" hide="input"
surveys = measured("ch07a_surveys", "second-width")
rows = {"nearest spot": "nearest spot", "natural neighbours": "natural neighbours"}
rows |= {"Gaussian": "Gaussian", "two Gaussians, narrow and wide": "two Gaussians"}
rows["inverse multiquadric"] = "inverse multiquadric"
table(
    "Test RMSE (m), mean of twenty surveys of 400 spots",
    {"map": "", "RMSE (m)": ".0f"},
    {name: (surveys[column].mean(),) for name, column in rows.items()},
)

# %% [markdown] key="heights-table-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask why the Gaussian is no better than the nearest spot although its width was selected with the same care. Expect
# "it is too smooth". Then point to the next row: the sum of two Gaussians is just as smooth.
#
# </details>

# %% [markdown] key="heights-reading" slide="subslide"
# In this chapter ± is the standard error of a mean of paired differences, here over the twenty surveys. They all
# sample the same terrain, so it does not cover other mountains.
#
# - The best maps have an RMSE of 78 m where nobody has been. The RMSE of the inverse multiquadric is $0.45\pm0.28$ m
#   below that of natural neighbours, so the two are about as accurate. Natural neighbours have no width to choose and
#   no system to solve.
# - The Gaussian is no more accurate than the nearest spot. **Is it too smooth for mountains?** Add a wide Gaussian to
#   the narrow one, with its width and factor selected in the same way. The sum is as smooth as one Gaussian, but its
#   RMSE is $16.8\pm0.7$ m smaller, and smaller on each survey.
#
# So smoothness was not the obstacle. **One width had two tasks**, to bridge the gaps between the spots and to draw
# the detail. The inverse multiquadric does both, and by step 1 it is a mixture of Gaussians of all widths.
# Another such mixture, the Laplacian $e^{-r/\sigma}$, is about as accurate.
#
# <!-- slide
# **One width cannot bridge the gaps and draw the detail**
#
# Paired differences over twenty surveys, ± their standard error:
#
# - inverse multiquadric: 78 m, $0.45\pm0.28$ m better than natural neighbours
# - two Gaussians: $16.8\pm0.7$ m better than one, and just as smooth
# - The inverse multiquadric and the Laplacian mix Gaussians of all widths (step 1), and are about as accurate.
# -->

# %% key="maps-picture" slide="subslide" hide="input"
def surface(kernel, at):
    return RBFInterpolator(kernel, degree=0).fit(X, y).predict(at)


EXTENT = (0, land.X[:, 0].max(), 0, land.X[:, 1].max())
every = land.X.reshape(344, 403, 2)[::4, ::4]
at = every.reshape(-1, 2)
maps = {
    "the truth": land.y.reshape(344, 403)[::4, ::4].ravel(),
    "inverse multiquadric": surface(InverseMultiquadric(0.8), at),
    "Gaussian, 0.8 km": surface(Gaussian(0.8), at),
    "Gaussian, 2 km": surface(Gaussian(2.0), at),
}
fig, axes = plt.subplots(1, 4, figsize=(11, 4.6), sharey=True, layout="compressed")
for ax, (name, height) in zip(axes, maps.items(), strict=True):
    image = draw_map(ax, height.reshape(every.shape[:2]), EXTENT)
    ax.set(title=name, xlabel="east (km)")
axes[0].set_ylabel("north (km)")
fig.colorbar(image, ax=axes, label="height (m)", location="bottom", shrink=0.5, aspect=40)
show(
    fig,
    alt="Four grey maps of the same land. The truth has high hills with branching valleys in the "
    "west and a dark plain in the east. The inverse multiquadric has rounded hills and an even "
    "plain, and no valleys. The Gaussian of 0.8 km has the hills, and for a plain dark spots on a "
    "lighter grey. That of 2 km does not look like the land: black and white blots all over, where "
    "it leaves the scale.",
)

# %% [markdown] key="maps-reading"
# Look at the plain in the east. With the selected width the Gaussian draws a dark spot around each measurement and
# returns to its constant in the gaps. The Gaussian of 2 km bridges the gaps, but it oscillates. The inverse
# multiquadric bridges the gaps without oscillating, but it cannot draw a valley in which there is no spot. All three
# maps pass through the same four hundred heights, so a map can pass through the data and still be wrong.
#
# <!-- slide
# **All these maps pass through the same four hundred heights**
#
# In the eastern plain the Gaussian of 0.8 km draws a spot around each measurement, and that of 2 km oscillates.
# -->

# %% [markdown] key="maps-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask which of the four maps pass through all four hundred heights. (All of them.) Then ask where the two Gaussians
# differ in the plain.
#
# </details>

# %% key="heights-verify" slide="skip" hide="input"
def apart(table, worse, better, mean, error):
    difference = table[worse] - table[better]
    verify(f"{better}, RMSE below that of {worse} (m)", difference.mean(), mean)
    verify("... ±", difference.std(ddof=1) / np.sqrt(len(difference)), error)


apart(surveys, "natural neighbours", "inverse multiquadric", "0.45", "0.28")
apart(surveys, "Gaussian", "two Gaussians", "16.8", "0.7")
verify("the Gaussian is not better", surveys["Gaussian"].mean() > surveys["nearest spot"].mean())
verify("inverse multiquadric (m)", surveys["inverse multiquadric"].mean(), "78")
mixed = surveys["Laplacian"] - surveys["inverse multiquadric"]
verify("the Laplacian is about as accurate: within 1 m", abs(mixed.mean()) < 1)
verify("less than 1 % below natural neighbours", 0.45 < 0.01 * surveys["natural neighbours"].mean())
for name in ("inverse multiquadric", "Gaussian"):
    verify(f"{name}: 0.8 km in the first survey", surveys[f"width of {name}"][0], 0.8)
by_hand = [
    y[i]
    - RBFInterpolator(Multiquadric(0.1), degree=0)
    .fit(np.delete(X, i, 0), np.delete(y, i))
    .predict(X[i : i + 1])[0]
    for i in range(5)
]
verify("(4) is the error of leaving out", left_out(Multiquadric(0.1), 0, X, y)[:5], by_hand, 1e-7)

# %% [markdown] key="near" slide="slide"
# ## Near the points instead of through them
#
# The Gaussian of 2 km oscillates because it must pass *through* every spot. Let it pass *near* the spots instead,
# with $\lambda$ on the diagonal of $\Phi$. The argument for (4) does not change, so the leave-one-out errors select
# $\lambda$ as well.
#
# <!-- slide
# ## Near the spots instead of through them
#
# The Gaussian of 2 km, with $\lambda$ on the diagonal of $\Phi$, selected by (4).
#
# **By how much does the error fall?**
# -->

# %% [markdown] key="near-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Collect factors. Expect “a little”, because these heights have no noise.
#
# </details>

# %% key="near-code" slide="skip"
wide, penalties = Gaussian(2.0), (0, 0.01, 0.1, 0.3, 1, 10)
promised = [rms(left_out(wide, 0, X, y, lam)) for lam in penalties]
print("selected: λ =", penalties[np.argmin(promised)])

# %% [markdown] key="near-reading" slide="fragment"
# With the selected $\lambda$ the mean RMSE over the twenty surveys falls from 880 m to 84 m, and it falls in each
# survey. So the requirement to pass through all the points caused the oscillations. But the inverse multiquadric,
# which passes through them, has a smaller RMSE in each survey. These heights have no noise that should be smoothed
# away. With noise, or with two values at one location, an interpolant is the wrong model or does not exist.
#
# <!-- slide
# The mean RMSE falls from 880 m to 84 m. The inverse multiquadric, through the points, is still better.
# -->

# %% [markdown] key="near-step" slide="subslide"
# ### Step 6. Regularisation
#
# Which problem does this surface solve? Let $D$ be a linear operator such that $Df$ measures the roughness of $f$, for
# example a sum of derivatives. Let $\|Df\|^2$ be the integral of $(Df)^2$, and minimise
#
# $$\sum_{i=1}^n(y_i-f(x_i))^2+\lambda\|Df\|^2. \tag{5}$$
#
# Poggio and Girosi solve this with the adjoint $D^*$ of $D$ and the *Green's function* $G$ of $D^*D$, which satisfies
# $D^*D\,G(\cdot,t)=\delta_t$. Integrate by parts, for functions that vanish at the boundary. Then
# $\langle DG(\cdot,t),Df\rangle=\langle D^*DG(\cdot,t),f\rangle=f(t)$ for every $f$. This is the reproducing
# property, so $\|Df\|$ is the norm of the space whose kernel is $G$, and (5) is the problem of chapter 3. If $D$ maps
# no function except 0 to 0, its solution, with the matrix $G_{ij}=G(x_i,x_j)$, is
#
# $$f=\sum_iw_iG(\cdot,x_i),\qquad\|Df\|^2=w^\top Gw,\qquad(G+\lambda I)\,w=y. \tag{6}$$
#
# So the *regularisation network* of this literature is kernel ridge regression.
#
# <!-- slide
# ## Step 6. The regularisation network is kernel ridge regression
#
# $$\min_f\ \sum_i(y_i-f(x_i))^2+\lambda\|Df\|^2 \tag{5}$$
#
# $G$: *Green's function* of $D^*D$. Then $\langle DG(\cdot,t),Df\rangle=f(t)$, so $G$ *reproduces*, and
#
# $$f=\sum_iw_iG(\cdot,x_i),\qquad\|Df\|^2=w^\top Gw,\qquad(G+\lambda I)\,w=y \tag{6}$$
# -->

# %% [markdown] key="near-step-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Ask what G, w and λ are called in chapter 3 (k, α and λ), and for the name of the theorem (representer theorem).
# Integrate by parts for D = d/dx on the line.
#
# </details>

# %% [markdown] key="green" slide="subslide"
# ### An example: the Laplacian
#
# Which kernel belongs to a given penalty? On the line let $\|Df\|^2=\frac1{2\sigma}\int\big(f^2+\sigma^2f'^2\big)dx$,
# which penalises values and slopes. Then $D^*D=\frac1{2\sigma}(1-\sigma^2\partial^2)$. Away from $t$,
# $G=e^{-|x-t|/\sigma}$ solves $G=\sigma^2G''$. At $t$ its slope jumps by $-2/\sigma$, and
# $\frac1{2\sigma}(-\sigma^2)(-2/\sigma)=1$, as required. So the kernel of this penalty is the *Laplacian*. The penalty
# that belongs to the Gaussian contains all derivatives, so its functions are infinitely smooth.
#
# <!-- slide
# **The penalty of values and slopes has the Laplacian as its kernel**
#
# On the line, $\|Df\|^2=\frac1{2\sigma}\int\big(f^2+\sigma^2f'^2\big)dx$ has $G=e^{-|x-t|/\sigma}$,
# the *Laplacian*. The penalty of the Gaussian contains *all* derivatives.
# -->

# %% [markdown] key="green-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Check the jump on the board (slope +1/σ on the left of t, −1/σ on the right). Ask what a cusp costs under the
# Gaussian's penalty (it is infinite).
#
# </details>

# %% key="green-verify" slide="skip" hide="input"
near = measured("ch07a_surveys", "near", "near-is-not-best")
verify("σ = 2 km through the spots (m)", near["σ = 2 km through"].mean(), "880")
verify("... near them (m)", near["σ = 2 km near"].mean(), "84")
verify("the first survey's λ", near["selected λ"][0] == penalties[np.argmin(promised)])
by_refitting = [
    y[i] - RBFInterpolator(wide, degree=0, lam=0.3)
    .fit(np.delete(X, i, 0), np.delete(y, i)).predict(X[i : i + 1])[0]
    for i in range(3)
]  # fmt: skip
verify("(4) with λ", left_out(wide, 0, X, y, 0.3)[:3], by_refitting, 1e-7)
crash = load_mcycle()
network = RegularizationNetwork(Gaussian(8.0), lam=0.013).fit(crash.X, crash.y)
ridge = KernelRidge(Gaussian(8.0), lam=0.013).fit(crash.X, crash.y)
t = np.linspace(2, 58, 300)[:, None]
largest = np.abs(ridge.dual_coef_).max()
verify("network and ridge: same w", network.dual_coef_ / largest, ridge.dual_coef_ / largest, 1e-12)
verify("same function", network.predict(t), ridge.predict(t), 1e-12)
sigma, spots_1d, weights = 0.7, np.array([-1.0, 0.2, 0.9]), np.array([1.5, -2.0, 0.7])
line_x = np.linspace(-25, 25, 1_000_001)
f = Laplacian(sigma)(line_x[:, None], spots_1d[:, None]) @ weights
h = line_x[1] - line_x[0]
energy = np.sum(f[:-1] ** 2) * h + sigma**2 * np.sum(np.diff(f) ** 2) / h
form = weights @ Laplacian(sigma)(spots_1d[:, None]) @ weights
verify("‖Df‖² is wᵀGw", energy / (2 * sigma), form, 1e-4)

# %% [markdown] key="penalty" slide="subslide"
# ### When $+\lambda I$ does harm
#
# Does a $\lambda$ on the diagonal help every ill-conditioned matrix? The figure adds it for the three points and the
# multiquadric of the beginning. **Predict first.**
#
# 1. The eigenvalues of $\Phi$ are 3.80, $-0.26$ and $-1.41$. How does a growing $\lambda$ change each of them, and
#    the condition number?
# 2. Is there a $\lambda$ that must be avoided?
# 3. Now add a constant to $s$ and subtract $\lambda$ from the diagonal. Can this system be singular?
#
# <!-- slide
# **Does $+\lambda I$ help every ill-conditioned matrix?**
#
# The eigenvalues of $\Phi$ for the three points are 3.80, $-0.26$ and $-1.41$.
#
# 1. How does a growing $\lambda$ change each of them?
# 2. Is there a $\lambda$ that must be avoided?
# 3. Add a constant to $s$ and take $\Phi-\lambda I$: can this system be singular?
# -->

# %% [markdown] key="penalty-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Let the class find that step 2 has the answer. Move λ slowly towards 0.26, watch the curve leave the picture, and
# come back from the other side. Ask whether wᵀΦw can be a penalty if it is negative.
#
# </details>

# %% key="penalty-figure" hide="input"
balance = null_space(np.ones((1, 3)))


def penalised(how, lam, line):
    basis = Multiquadric(np.sqrt(0.5))(line[:, None], x3)
    if how == "Φ + λI":
        values = np.linalg.eigvalsh(Phi3) + lam
        if np.abs(values).min() < 1e-12:
            return None, values
        return basis @ np.linalg.solve(Phi3 + lam * np.eye(3), y3), values
    model = RBFInterpolator(Multiquadric(np.sqrt(0.5)), degree=0, lam=lam).fit(x3, y3)
    values = np.linalg.eigvalsh(balance.T @ Phi3 @ balance) - lam
    return model.predict(line[:, None]), values


singular = -np.linalg.eigvalsh(Phi3)[1]
lams = np.sort(np.append(np.arange(0, 0.51, 0.02), singular))
sliding = penalty_explorer(x3[:, 0], y3, penalised, lams)

# %% [markdown] key="penalty-reading" slide="subslide"
# <details><summary><b>What just happened</b> (open this once you have written down your answers)</summary>
#
# 1. $\lambda$ raises *every* eigenvalue, so the negative ones come nearer to 0, and the condition number grows at
#    first.
# 2. At $\lambda=0.263$ an eigenvalue is 0, so $\Phi+\lambda I$ is singular, and near that value the curve can be
#    anywhere. The third eigenvalue does so outside the figure. Adding $\lambda I$ is safe for every $\lambda$ only if
#    the matrix is positive semi-definite. Here $w^\top\Phi w$ is negative, so $\lambda w^\top\Phi w$ is not a penalty.
# 3. No. With a constant the weights sum to 0, and on such weights the form is negative by step 2. So *subtract*
#    $\lambda$. SciPy's `RBFInterpolator` does this by writing the multiquadric with a minus.
#
# </details>
#
# <!-- slide
# **$+\lambda I$ stabilises positive semi-definite matrices only**
#
# 1. $\lambda$ raises *every* eigenvalue, the negative ones towards 0.
# 2. At $\lambda=0.263$ the matrix is singular, and once more outside the figure.
# 3. No: with a constant the form is negative on the weights, so *subtract* $\lambda$.
# -->

# %% key="penalty-verify" slide="skip" hide="input"
verify("the singular λ", singular, "0.263")
verify("... and another", -np.linalg.eigvalsh(Phi3)[0], "1.414")
values = np.linalg.eigvalsh(Phi3)
for value, quoted in zip(values, ("-1.41", "-0.26", "3.80"), strict=True):
    verify("eigenvalue", value, quoted)
verify("wᵀΦw is negative", w3 @ Phi3 @ w3 < 0)
try:
    RegularizationNetwork(Multiquadric(np.sqrt(0.5)), lam=singular).fit(x3, y3)
    refused = False
except ValueError as error:
    refused = "negative definite" in str(error)
verify("RegularizationNetwork refuses the multiquadric", refused)

# %% [markdown] key="fewer" slide="slide"
# ## Fewer basis functions than points
#
# Does every point need its own basis function? The solution of (6) takes time of order $n^3$, and the grid of the
# mountains has more than a hundred thousand heights.
#
# Suppose that a satellite measures twenty thousand heights, and you may keep four hundred basis functions. Four hundred
# Gaussians that pass near as many spots have a mean RMSE of 82 m, if $\sigma$ and $\lambda$ are selected on further
# heights. **Bet:** how much smaller does it become?
#
# <!-- slide
# ## 20 000 heights, but only 400 basis functions
#
# 400 Gaussians near 400 spots ($\sigma$, $\lambda$ selected on further heights): an RMSE of 82 m.
#
# **Bet:** how much smaller does it become with 20 000 heights?
# -->

# %% [markdown] key="fewer-bet-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Write the bets on the board. Expect “not at all, because there are still 400 functions”.
#
# </details>

# %% [markdown] key="fewer-step" slide="subslide"
# ### Step 7. Fewer centres than points
#
# Use $m<n$ basis functions on centres $t_j$, so that $f=\sum_jw_jG(\cdot,t_j)$. With the $n\times m$ matrix
# $\mathsf G_{ij}=G(x_i,t_j)$ and $(\mathsf G_0)_{jl}=G(t_j,t_l)$, the criterion (5) is
#
# $$\|y-\mathsf Gw\|^2+\lambda\,w^\top\mathsf G_0w.$$
#
# The penalty is on the *function*, so it contains $\mathsf G_0$ and not $I$. If one centre is used twice, the penalty
# of the function does not change. Setting the gradient to 0 gives
#
# $$-2\,\mathsf G^\top(y-\mathsf Gw)+2\lambda\,\mathsf G_0w=0\quad\Longrightarrow\quad(\mathsf G^\top\mathsf G+\lambda\mathsf G_0)\,w=\mathsf G^\top y. \tag{7}$$
#
# This $m\times m$ system is the *generalised network*. For $\lambda\to0$ and independent columns, $w$ tends to the
# least-squares solution $(\mathsf G^\top\mathsf G)^{-1}\mathsf G^\top y$ of Broomhead and Lowe. With all points as
# centres, $\mathsf G=\mathsf G_0$, and (7) is (6) multiplied by $\mathsf G$.
#
# <!-- slide
# ## Step 7. The penalty is on the function
#
# $f=\sum_jw_jG(\cdot,t_j)$ with $m<n$ centres; $\mathsf G_{ij}=G(x_i,t_j)$, $(\mathsf G_0)_{jl}=G(t_j,t_l)$.
#
# $$\min_w\ \|y-\mathsf Gw\|^2+\lambda\,w^\top\mathsf G_0w$$
#
# <div class="fragment">
#
# $$(\mathsf G^\top\mathsf G+\lambda\mathsf G_0)\,w=\mathsf G^\top y \tag{7}$$
#
# An $m\times m$ system. All points as centres: (6).
#
# </div>
# -->

# %% [markdown] key="fewer-notes" slide="notes"
# <details><summary>For the lecturer (4 min)</summary>
#
# Before the click let the class take the gradient and name the size of the system. Ask why the penalty is not λI (put
# one centre twice). Then compare (7) with (6) for m = n.
#
# </details>

# %% key="fewer-code" slide="subslide"
wide, T = Gaussian(2.0), X[:100]  # 100 centres for 400 heights
G, G0 = wide(X, T), wide(T, T)
w = np.linalg.solve(G.T @ G + 0.1 * G0, G.T @ (y - y.mean()))  # (7)
error = rms(wide(new, T) @ w + y.mean() - truth)
print(f"RMSE at the test locations: {error:.0f} m")

# %% [markdown] key="nystrom" slide="subslide"
# ### Step 8. Nyström's approximation
#
# These hundred Gaussians have an RMSE of 97 m. Is this a ridge regression as well? Let $\mathsf G_0$ be positive
# definite, as it is for a Gaussian and distinct centres. Then there is a square matrix $S$ with $S^\top\mathsf G_0S=I$. Let $w=Su$. The penalty becomes $\lambda\|u\|^2$, so (7) is plain ridge regression
# on the $m$ features $\mathsf GS$. Their inner products are
#
# $$(\mathsf GS)(\mathsf GS)^\top=\mathsf G\,\mathsf G_0^{-1}\mathsf G^\top.$$
#
# This is *Nyström's approximation* of the $n\times n$ Gram matrix from $m$ landmarks, the topic of chapter 10.
#
# <!-- slide
# ## Step 8. The generalised network is Nyström's approximation
#
# $S^\top\mathsf G_0S=I$, $w=Su$: ridge regression on the features $\mathsf GS$, with the inner products
#
# $$(\mathsf GS)(\mathsf GS)^\top=\mathsf G\,\mathsf G_0^{-1}\mathsf G^\top$$
# -->

# %% [markdown] key="nystrom-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Ask which S satisfies the condition (G₀ to the power −½, or the inverse of a Cholesky factor transposed). Ask for
# the size of each matrix. (None is n × n.)
#
# </details>

# %% [markdown] key="fewer-question" slide="subslide"
# ### The accuracy of fewer basis functions
#
# Which bet was right? All parameters are selected on further heights. The last two rows interpolate or smooth the fifty
# nearest heights. In the last column the heights for training and for selection have noise with a standard deviation of
# 100 m, and the test heights have none.
#
# <!-- slide
# ## More heights for the same basis functions
# -->

# %% key="fewer-table" slide="fragment" hide="input"
sky = measured("ch07a_satellite", "more-heights", "nearest")
table(
    "Test RMSE (m), means of ten draws",
    {"method": "", "heights": ",d", "RMSE (m)": ".0f", "with noise": ".0f"},
    [
        (name, heights, sky[of].mean(), sky[f"{of} in noise"].mean())
        for name, heights, of in (
            ("400 Gaussians on 400 spots", 400, "400 centres 400 heights"),
            ("400 Gaussians", 20_000, "400 centres 20000 heights"),
            ("1190 Gaussians", 20_000, "1190 centres 20000 heights"),
            ("1190 Gaussians on a grid", 20_000, "1190 nodes 20000 heights"),
            ("50 nearest, interpolation", 20_000, "50 nearest through"),
            ("50 nearest, smoothing selected", 20_000, "50 nearest"),
        )
    ],
)

# %% [markdown] key="fewer-reading" slide="subslide"
# With all the heights the RMSE of four hundred Gaussians falls from 82 m to 56 m. With three times as many Gaussians
# the RMSE is 36 m. It hardly changes if they are placed on a grid, so here their number matters more than their
# arrangement.
#
# Multiquadrics through the fifty nearest heights have an RMSE of 12 m. With noise this interpolation has an
# RMSE of 96 m, the largest of the table, but with the selected smoothing it has 37 m, the smallest. The fifty nearest
# need all the heights, so use them if the map must be accurate, and use fewer basis functions if
# the model must be small. If no grid can be laid, because there are ten dimensions, where should the centres be? This
# is the question of [the second part](ch07b_rbf_networks.ipynb).
#
# <!-- slide
# **More heights help, even with as many functions**
#
# - 400 Gaussians: 82 m with their own heights, 56 m with 20 000.
# - 1190 Gaussians: 36 m, on a grid 35 m.
# - The 50 nearest heights: 12 m, but all heights are kept. With noise they must be smoothed.
#
# **Where should the centres be if there is no grid?** The second part.
# -->

# %% key="fewer-verify" slide="skip" hide="input"
quoted = {
    "400 centres 400 heights": "82",
    "400 centres 20000 heights": "56",
    "1190 centres 20000 heights": "36",
    "1190 nodes 20000 heights": "35",
    "50 nearest through": "12",
}
for name, metres in quoted.items():
    verify(f"{name} (m)", sky[name].mean(), metres)
noisy = {name: sky[f"{name} in noise"].mean() for name in (*quoted, "50 nearest")}
ranked = sorted(noisy, key=noisy.get)
ends = ["50 nearest", "50 nearest through"]
verify("with noise: interpolation last, smoothing first", [ranked[0], ranked[-1]] == ends)
for name, metres in (("50 nearest", "37"), ("50 nearest through", "96")):
    verify(f"{name}, with noise (m)", noisy[name], metres)
net_of_400 = GeneralizedRBF(wide, centers=X[:100], lam=0.1).fit(X, y - y.mean())
verify("the library's (7)", net_of_400.predict(new), wide(new, X[:100]) @ w, 1e-6)
g = np.random.default_rng(0)
X40, y40, T = g.normal(size=(40, 2)), g.normal(size=40), g.normal(size=(6, 2))
kernel = Gaussian(1.0)
G, G0 = kernel(X40, T), kernel(T)
net = GeneralizedRBF(kernel, centers=T, lam=0.3).fit(X40, y40)
fitted = net.dual_coef_
verify("the gradient is 0", -G.T @ (y40 - G @ fitted) + 0.3 * G0 @ fitted, 0.0)
landmarks = Nystrom(kernel, landmarks=T).fit(X40)
nystrom = KernelRidge(Linear(), lam=0.3).fit(landmarks.transform(X40), y40)
at40 = g.normal(size=(30, 2))
theirs = nystrom.predict(landmarks.transform(at40))
verify("Nyström and ridge: the same function", net.predict(at40), theirs, 1e-12)
inner = landmarks.transform(X40) @ landmarks.transform(X40).T
verify("their inner products", inner, G @ np.linalg.solve(G0, G.T), 1e-12)
least = GeneralizedRBF(kernel, centers=T, lam=0.0).fit(X40, y40).dual_coef_
verify("λ = 0: the pseudo-inverse", least, np.linalg.pinv(G) @ y40)
tiny = GeneralizedRBF(kernel, centers=T, lam=1e-12).fit(X40, y40).dual_coef_
verify("λ → 0 leads there", tiny, least, 1e-8)
slim = Gaussian(0.3)
all_of = GeneralizedRBF(slim, centers=X40, lam=0.3).fit(X40, y40).predict(at40)
ridge_all = KernelRidge(slim, lam=0.3).fit(X40, y40).predict(at40)
verify("all points as centres: ridge", all_of, ridge_all, 1e-12)
doubled = np.vstack([T, T[:1]])
twice = GeneralizedRBF(kernel, centers=doubled, lam=0.3).fit(X40, y40).predict(at40)
verify("a centre used twice: the same function", twice, net.predict(at40))

# %% [markdown] key="cost" slide="slide" tags=["later"]
# ## What it costs
#
# How much does (7) save? Counted in operations, (6) takes $O(n^3)$. We measured both on the mountains, in one thread.
# **Predict first.** The time grows about like $n^p$. Write down the exponent $p$ of interpolation, of kernel ridge
# regression, of a hundred Gaussians, and of interpolation from the fifty nearest spots only.
#
# <!-- slide
# ## How does each time grow with n?
#
# Counted in operations, (6) takes $O(n^3)$. Measured on the mountains, one thread.
#
# **Predict first** the exponent $p$ in $n^p$: interpolation, kernel ridge regression, 100 Gaussians, SciPy with
# `neighbors=50`.
# -->

# %% [markdown] key="cost-notes" slide="notes"
# <details><summary>For the lecturer (3 min)</summary>
#
# Collect exponents on paper. If a cubic algorithm has an exponent between 2 and 3, ask which part is of order n²
# (filling the matrix).
#
# </details>

# %% key="cost-picture" hide="input"
costs = measured("ch07a_cost")
large = costs["n"] >= 1000
cost = {
    "interpolation, multiquadric": costs["interpolate"],
    "kernel ridge": costs["ridge"],
    "100 Gaussians": costs["bells_100"],
    "SciPy, 50 neighbours, 1000 queries": costs["scipy_50"],
}


def growth(values):
    return np.polyfit(np.log(costs["n"][large]), np.log(values[large]), 1)[0]


fig, ax = plt.subplots(figsize=(7.4, 4))
for k, (name, seconds) in enumerate(cost.items()):
    ax.plot(
        costs["n"],
        1e3 * seconds,
        marker="o",
        markersize=4,
        **cycle(k),
        label=f"{name}: $n^{{{growth(seconds):.1f}}}$",
    )
ax.set(xscale="log", yscale="log", xlabel="number of points n", ylabel="time (ms)")
ax.set_xticks(costs["n"], [f"{n:.0f}" for n in costs["n"]])
ax.minorticks_off()
ax.legend(loc="upper left", fontsize=9)
show(
    fig,
    alt="Measured times in milliseconds against the number of points, logarithmic axes. "
    "Interpolation and kernel ridge are steep lines, interpolation the higher one; a hundred "
    "Gaussians grow about like n; interpolation from 50 neighbours hardly grows.",
    answer="Measured times",
)

# %% [markdown] key="cost-reading" slide="subslide"
# <details><summary><b>How the times grow</b> (open this once you have written down your exponents)</summary>
#
# Interpolation and kernel ridge regression grow with exponents between 2, for filling the matrix, and 3, for solving
# the system. A hundred Gaussians grow about like $n$, and interpolation from fifty neighbours hardly grows.
# **Memory** is the first limit. $\Phi$ of the whole grid takes more than 150 GB, and the matrix of a hundred
# Gaussians less than a thousandth of this.
#
# </details>
#
# <!-- slide
# ## Memory is the first limit
#
# - Interpolation, kernel ridge regression: between $n^2$ and $n^3$.
# - 100 Gaussians: about $n$. 50 neighbours: hardly grows.
# - $\Phi$ of the whole grid takes more than 150 GB.
# -->

# %% key="cost-verify" slide="skip" hide="input"
for name, low, high in (
    ("interpolation, multiquadric", 2.2, 3.1),
    ("kernel ridge", 2.2, 3.1),
    ("100 Gaussians", 0.7, 1.3),
    ("SciPy, 50 neighbours, 1000 queries", -0.2, 0.4),
):
    verify(f"{name}: exponent", low < growth(cost[name]) < high)
verify("the whole grid: more than 150 GB", len(land.y) ** 2 * 8 / 1e9 > 150)
verify("a hundred Gaussians: at most a thousandth", 100 / len(land.y) < 1e-3)

# %% [markdown] key="find-error" slide="slide" tags=["later"]
# ## Find the error
#
# This program of a surveyor interpolates heights, and smooths because some spots are measured twice. It runs. **Read
# it before you go on: there are four mistakes.**
#
# ```python
# def phi(r):                    # multiquadric, c = 0.5 km
#     return r**2 + 0.5**2
#
# D = np.abs(X[:, None] - X[None]).sum(axis=2)    # distances
# w = np.linalg.solve(phi(D) + lam * np.eye(n), y)
#
# def height(x):
#     return (w * phi(np.linalg.norm(x - X))).sum()
# ```
#
# <!-- slide
# ## Four mistakes in a surveyor's program
#
# It interpolates heights, and smooths because some spots are measured twice. It runs. **Find them.**
#
# ```python
# def phi(r):                    # multiquadric, c = 0.5 km
#     return r**2 + 0.5**2
#
# D = np.abs(X[:, None] - X[None]).sum(axis=2)    # distances
# w = np.linalg.solve(phi(D) + lam * np.eye(n), y)
#
# def height(x):
#     return (w * phi(np.linalg.norm(x - X))).sum()
# ```
# -->

# %% [markdown] key="find-error-notes" slide="notes"
# <details><summary>For the lecturer (2 min)</summary>
#
# Say that one mistake is a missing root, one is the distance, one is a sign, and one is an axis. Ask for each whether
# the program fails or returns a wrong height.
#
# </details>

# %% key="find-error-table" slide="skip" hide="input"
def surveyor(root, euclid, sign, axis, lam=0.1):
    def phi(r):
        return np.sqrt(r**2 + 0.25) if root else r**2 + 0.25

    step = X[:, None] - X
    D = np.sqrt((step**2).sum(axis=2)) if euclid else np.abs(step).sum(axis=2)
    one = np.ones((400, 1))
    if sign:
        A = np.block([[phi(D) - lam * np.eye(400), one], [one.T, np.zeros((1, 1))]])
        solution = np.linalg.solve(A, np.append(y, 0))
        w, level = solution[:400], solution[400]
    else:
        w, level = np.linalg.solve(phi(D) + lam * np.eye(400), y), 0.0
    r = np.sqrt(((new[:1000, None] - X) ** 2).sum(axis=2))
    if not axis:
        r = np.sqrt((r**2).sum(axis=1, keepdims=True)) * np.ones((1, 400))
    return np.sqrt(np.mean((phi(r) @ w + level - truth[:1000]) ** 2))


stages = {
    "as written": (0, 0, 0, 0),
    "one mistake fixed": (0, 0, 0, 1),
    "two": (0, 1, 0, 1),
    "three": (1, 1, 0, 1),
    "all four": (1, 1, 1, 1),
}
programs = {name: surveyor(*fixed) for name, fixed in stages.items()}
table(
    "Test RMSE (m) at 1000 locations",
    {"program": "", "RMSE (m)": ".0f"},
    {name: error if error < 1e5 else "over 100 000" for name, error in programs.items()},
)

# %% [markdown] key="find-error-reading" slide="subslide"
# <details><summary><b>What is wrong</b> (open this once you have written down your answers)</summary>
#
# - `np.linalg.norm(x - X)` is *one* number, the norm of the whole array. Add `axis=1`.
# - `.sum(axis=2)` of absolute values is the city-block distance, so training and prediction use different distances.
# - The square root of $r^2+c^2$ is missing. With Euclidean distances the matrix then has rank 4.
# - $+\lambda I$ moves the negative eigenvalues of a multiquadric towards 0. Use $-\lambda$ and a constant. With
#   $\lambda=0.2$ the RMSE is 997 m, and with the right sign 86 m.
#
# </details>
#
# <!-- slide
# ## An axis, a distance, a root and a sign are wrong
#
# - `np.linalg.norm(x - X)` is *one* number. Add `axis=1`.
# - `.sum(axis=2)` of absolute values is the city-block distance.
# - The square root of $r^2+c^2$ is missing.
# - $+\lambda I$ moves negative eigenvalues towards 0. At $\lambda=0.2$ the RMSE is 997 m, with $-\lambda$ and a
#   constant 86 m.
# -->

# %% key="find-error-verify" slide="skip" hide="input"
errors = list(programs.values())
verify("all fixed: the smallest error", errors[-1] == min(errors))
no_root, city = lambda r: r**2 + 0.5**2, np.abs(X[:, None] - X[None]).sum(axis=2)
w = np.linalg.solve(no_root(city) + 0.1 * np.eye(400), y)
as_printed = [(w * no_root(np.linalg.norm(x - X))).sum() for x in new[:1000]]
verify("the program as printed", rms(as_printed - truth[:1000]) / errors[0], 1, tol=1e-6)
verify("λ = 0.1, with + (m)", surveyor(1, 1, 0, 1, 0.1), "119")
for sign, metres in ((0, "997"), (1, "86")):
    verify(f"λ = 0.2, {'+-'[sign]} (m)", surveyor(1, 1, sign, 1, 0.2), metres)
euclid = ((X[:, None] - X) ** 2).sum(axis=2) + 0.25
verify("without its root Φ has rank 4", np.linalg.matrix_rank(euclid) == 4)

# %% [markdown] key="scipy" slide="slide" tags=["later"]
# ## The same in SciPy and scikit-learn
#
# <!-- slide
# ## SciPy and scikit-learn draw the same maps
# -->

# %% key="scipy-code" slide="fragment"
ours = RBFInterpolator(ThinPlate(1.0), lam=1.0).fit(X, y).predict(new)
theirs = SciPyRBF(X, y, kernel="thin_plate_spline", smoothing=1.0)(new)
verify("thin plate, smoothed: the same map", theirs, ours, tol=1e-8)

hardy = RBFInterpolator(Multiquadric(0.1), degree=0)
hardy = hardy.fit(X, y).predict(new)
theirs = SciPyRBF(X, y, kernel="multiquadric", epsilon=1 / 0.1)(new)
verify("multiquadric: ε = 1/c", theirs, hardy, tol=1e-8)

gauss = RBFInterpolator(Gaussian(0.8)).fit(X, y).predict(new)
narrow = 1 / (np.sqrt(2) * 0.8)
theirs = SciPyRBF(X, y, kernel="gaussian", epsilon=narrow, degree=-1)
verify("Gaussian: ε = 1/(√2 σ)", theirs(new), gauss, tol=1e-8)

# %% key="sklearn-code" slide="subslide"
centred = y - y.mean()
ours = GeneralizedRBF(Gaussian(2.0), centers=X[:100], lam=0.1)
lift = Nystroem(gamma=1 / (2 * 2.0**2), random_state=0)
lift.fit(X[:100])  # all 100 rows become centres
ridge = Ridge(alpha=0.1, fit_intercept=False)
ridge.fit(lift.transform(X), centred)
theirs = ridge.predict(lift.transform(new))
ours = ours.fit(X, centred).predict(new)
verify("(7): Nystroem and Ridge", theirs, ours, tol=1e-5)

# %% [markdown] key="scipy-traps" slide="subslide"
# ### Two traps: epsilon is 1/length, and singular systems give no warning
#
# - `epsilon` is *one over* a length, so a large one means narrow functions. For the multiquadric it is $1/c$, for the
#   Gaussian $1/(\sqrt2\sigma)$. SciPy's multiquadric is $-\sqrt{1+r^2/c^2}$, so its `smoothing` is our $\lambda/c$,
#   while it is $\lambda$ for the thin plate and the Gaussian.
# - A nearly singular system is solved without a warning. The course's `RBFInterpolator` warns; look at its `rcond_`.
#
# The default `degree` differs between the basis functions. All these functions depend on the distance, so scale the
# columns of $X$ if they have different units.
#
# <!-- slide
# ## Two traps: epsilon is 1/length, singular systems give no warning
#
# - `epsilon` is $1/c$ for the multiquadric, $1/(\sqrt2\sigma)$ for the Gaussian; `smoothing` is $\lambda/c$ for the
#   multiquadric.
# - A nearly singular system is solved without a warning.
# - The default `degree` is 1 for the thin plate, 0 for the multiquadric and the Gaussian.
# -->

# %% key="scipy-verify" slide="skip" hide="input"
some = new[::20]
theirs = SciPyRBF(X, y, kernel="gaussian", epsilon=narrow)(some)
constant = RBFInterpolator(Gaussian(0.8), degree=0).fit(X, y).predict(some)
verify("the Gaussian's default is a constant", theirs, constant, tol=1e-8)
for basis, kernel_of, epsilon, smoothing in (
    (Multiquadric(0.1), "multiquadric", 10.0, 10.0),
    (Gaussian(0.8), "gaussian", narrow, 1.0),
):
    near_by = RBFInterpolator(basis, degree=0, lam=1.0).fit(X, y).predict(some)
    how = {"kernel": kernel_of, "epsilon": epsilon, "degree": 0}
    theirs = SciPyRBF(X, y, smoothing=smoothing, **how)(some)
    verify(f"{basis}: smoothing {smoothing:g} is λ = 1", theirs, near_by, tol=1e-8)

# %% [markdown] key="limits" slide="subslide"
# ### When to use RBF interpolation
#
# Use RBF interpolation for scattered points in two or three dimensions whose values have no noise, such as maps. With noise use kernel
# ridge regression (6), or (3) with $\lambda$ on the diagonal of $\Phi$, and with $-\lambda$ for the multiquadric. For
# more than ten thousand points interpolate from the nearest neighbours, or use fewer centres than points if the model
# must be small. Outside the points a Gaussian returns to 0 or to its constant, and a thin plate continues nearly as a
# plane, so do not extrapolate.
#
# <!-- slide
# ## When to use RBF interpolation
#
# - Scattered points in two or three dimensions, values without noise.
# - With noise: kernel ridge regression (6), or (3) with $\lambda$ (multiquadric: $-\lambda$). With many points: nearest
#   neighbours, or (7).
# - Do not extrapolate.
# -->

# %% [markdown] key="recap" slide="slide"
# ## Recap
#
# - Interpolation with a basis function on every point is the system $\Phi w=y$. For distinct points the Gaussian and
#   the inverse multiquadric are positive definite, the multiquadric has one positive eigenvalue and is invertible,
#   and the thin plate needs a linear polynomial.
# - Wide basis functions are accurate for smooth functions, but ill-conditioned. Leave-one-out errors select the width
#   with one inverse.
# - The best maps have an RMSE of 78 m where nobody has been. One Gaussian width cannot both bridge the gaps and draw
#   the detail of these mountains. The inverse multiquadric mixes all widths, and it is about as accurate as natural
#   neighbours.
# - $(G+\lambda I)w=y$ is kernel ridge regression. For a multiquadric $+\lambda$ has the wrong sign.
# - $(\mathsf G^\top\mathsf G+\lambda\mathsf G_0)w=\mathsf G^\top y$ is Nyström's approximation, which needs fewer
#   basis functions than points.
#
# <!-- slide
# ## Recap: the map is wrong by 78 m
#
# - $\Phi w=y$: Gaussian and inverse multiquadric are positive definite, the multiquadric is invertible, the thin
#   plate needs a polynomial.
# - Wide functions: accurate, but ill-conditioned. (4) selects the width.
# - One width cannot bridge the gaps and draw the detail.
# - $(G+\lambda I)w=y$ is kernel ridge regression; for a multiquadric $+\lambda$ has the wrong sign.
# - $(\mathsf G^\top\mathsf G+\lambda\mathsf G_0)w=\mathsf G^\top y$ is Nyström's approximation.
# -->

# %% [markdown] key="recap-notes" slide="notes"
# <details><summary>For the lecturer (1 min)</summary>
#
# Return to the bets of the first page, method and metres. (78 m, by natural neighbours or the inverse multiquadric.)
#
# </details>

# %% [markdown] key="quiz" slide="slide"
# ## Five questions
#
# <details><summary>1. You interpolate ten distinct points with multiquadrics. What is the sign of det Φ?</summary>
#
# It is negative, because there are one positive and nine negative eigenvalues.
#
# </details>
#
# <details><summary>2. The condition number is 10¹², and the data have four correct digits. Is this a problem?</summary>
#
# For the weights it is, because a relative error of the data can grow by a factor of $10^{12}$. For the curve it need
# not be. Leave some points out and look at the errors there.
#
# </details>
#
# <details><summary>3. Why does the thin plate need side conditions on its weights?</summary>
#
# Its form is positive on weights with $P^\top w=0$, but not on all weights. The conditions are also the equations for
# the unknowns of the polynomial.
#
# </details>
#
# <details><summary>4. You use every centre twice. Which penalty changes the solution, λ‖w‖² or λwᵀG₀w?</summary>
#
# The first, because two half weights have a smaller sum of squares than one weight. The second depends on the
# function only.
#
# </details>
#
# <details><summary>5. What does Nyström's approximation replace, and what does it cost to solve?</summary>
#
# It replaces the $n\times n$ Gram matrix with one of rank $m$. The time to form the $m\times m$ system is of order
# $nm^2$, and the time to solve it of order $m^3$.
#
# </details>

# %% [markdown] key="pencil" slide="skip"
# ## Pencil and paper
#
# Pencil-and-paper problems, with new numbers each time. Enter your answer; if it comes from a known mistake, you are
# told which one. *Another one* draws new numbers, *Solution* shows the steps, and your earlier answers stay below.

# %% key="pencil-problems" slide="skip" hide="input"
from kcourse.paper_problems import show_problems

show_problems("ch07a_rbf_interpolation")

# %% [markdown] key="errata" slide="skip"
# ## If you also read SYS843
#
# This chapter takes its path from these lecture notes. The [errata](errata.ipynb) prove these corrections.
#
# - A separating hyperplane has a bias, and the components of $\varphi$ must be in the order of the weights.
# - A point has $m_0$ coordinates, and a monomial of order $r$ is a product of $r$ of them.
# - $e^{-1}$ is 0.3679, and the second row of $\Phi$ ends with $\varphi_{23}$.
# - The inverse multiquadric needs $c>0$, and a nearly singular system is not desirable.
# - Broomhead's co-author is Lowe.

# %% key="errata-verify" slide="skip" hide="input"
verify("e⁻¹", np.exp(-1), "0.3679")
verify("a variety of order 2 in the plane", monomials([[2.0, 3.0]], 2), [[1, 2, 3, 4, 6, 9]])
four, x1, x2 = np.array([1, 2, 3, 4]), 2, 3
one_order = four @ [x1**2, x2**2, x1, x2]
other_order = 1 * x1 + 2 * x2 + 3 * x1**2 + 4 * x2**2
verify("the two orders differ", one_order != other_order)
uneven = np.array([[-1.0], [0.0], [2.0]])  # with even ones the row would be right by symmetry
Phi_u = Multiquadric(np.sqrt(0.5))(uneven)
printed = Phi_u.copy()
printed[1, 2] = printed[1, 0]
missed = np.abs(Phi_u @ np.linalg.solve(printed, y3) - y3).max()
verify("with the printed row the curve misses the data", missed > 0.1)
steeper = [InverseMultiquadric(c)([[0.0]])[0, 0] for c in (1e-3, 1e-6)]
verify("1/c on the diagonal: without end for c → 0", steeper, [1e3, 1e6])

# %% [markdown] key="references" slide="skip" numbers="free"
# ## Further reading
#
# - R. Hardy, *Multiquadric equations of topography and other irregular surfaces*, 1971.
# - C. Micchelli, *Interpolation of scattered data: distance matrices and conditionally positive definite
#   functions*, 1986. M. Buhmann, *Radial basis functions*, Acta Numerica 2000.
# - J. Duchon, *Splines minimizing rotation-invariant semi-norms in Sobolev spaces*, 1977.
# - R. Schaback, *Error estimates and condition numbers for radial basis function interpolation*, 1995. T. Driscoll
#   and B. Fornberg, *Interpolation in the limit of increasingly flat radial basis functions*, 2002. S. Rippa, *An
#   algorithm for selecting a good value for the parameter c in radial basis function interpolation*, 1999, on (4).
# - D. Broomhead and D. Lowe, *Multivariable functional interpolation and adaptive networks*, 1988. T. Poggio and F.
#   Girosi, *Networks for approximation and learning*, 1990.
# - E. Granger and I. Ben Ayed, SYS843, École de technologie supérieure, *Réseaux de neurones à base de noyaux*: the
#   path of this chapter, and the three points.
#
# **Now you:** [the exercises](../exercises/ch07a_rbf_interpolation_sheet.ipynb). **Next:**
# [the second part](ch07b_rbf_networks.ipynb), where the network learns its centres. **Back to**
# [the start](00_start_here.ipynb).
