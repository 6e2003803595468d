# %% [markdown] key="title" slide="slide"
# # Kernel methods: start here
#
# **In JupyterLab, press <kbd>Shift</kbd> + <kbd>Enter</kbd> twice now.** A slider appears above the picture below. Drag it, or click
# on it and use the arrow keys. Without a mouse, <kbd>Shift</kbd> + <kbd>Tab</kbd> leads back to it.
#
# The dots are accelerations of a head in a simulated motorcycle crash. The curve is a weighted sum of Gaussian bumps of width
# $\sigma$, with one bump centred on every dot. At first, each bump is wider than the whole crash.
#
# **Predict first.** You make the bumps ten times narrower. What can the curve do now that it could not do before? You make them
# ten times narrower again, so that each is less than a millisecond wide. Where does the curve go *between* the dots?

# %% key="first-look" slide="subslide" hide="input"
import numpy as np

from kcourse import Gaussian, KernelRidge, loo_path
from kcourse.datasets import load_mcycle
from kcourse.lab import use_style, verify
from kcourse.chapters.ch03_ridge.figures import width_explorer

use_style()
crash = load_mcycle()
first_look = width_explorer(
    crash, lambda sigma: KernelRidge(Gaussian(sigma), lam=0.013).fit(crash.X, crash.y)
)

# %% [markdown] key="first-look-reading"
# <details><summary><b>What just happened</b> (open this once you have moved the slider)</summary>
#
# Wide bumps overlap almost completely, so the curve is smooth and has few ways to bend. At $\sigma\approx8$ ms it follows the head
# down and up, and it is as flexible as a model with about ten parameters. Of all positions of the slider, this one also
# predicts left-out points best. Chapter 3 shows how to compute both results from a single fit.
#
# A narrow bump serves one dot. The curve chases the noise, and where no dot is near it falls back to 0.
#
# </details>

# %% key="first-look-verify" slide="skip" hide="input"
lams = np.array([0.013])
stops = 8.0 * 10 ** np.arange(-1.4, 1.01, 0.1)
error = [loo_path(Gaussian(s)(crash.X), crash.y, lams).mse[0] for s in stops]
verify(
    "of all positions of the slider, the one near 8 ms has the smallest leave-one-out error",
    7.5 < stops[np.argmin(error)] < 8.5,
)
verify("there are 133 points", len(crash.y) == 133)
df = KernelRidge(Gaussian(8.0), lam=0.013).fit(crash.X, crash.y).effective_df()
verify("σ = 8 ms: about ten parameters", 9.5 < df < 10.5)

# %% [markdown] key="course" slide="slide"
# ## A course that you run
#
# Every chapter is a notebook that runs from top to bottom. Choose *Run → Run All Cells*, or press <kbd>Shift</kbd> +
# <kbd>Enter</kbd> cell by cell. These are the two gestures that you need: run a cell, and move a slider.
#
# Every result in the text is computed. A line with a ✓ says what was checked when the cell above it ran, on your
# machine. Code that only checks a number is folded; click on the three dots to read it. The answer to each *Predict
# first* is hidden until you click on it.
#
# <!-- slide
# - Run a cell: <kbd>Shift</kbd> + <kbd>Enter</kbd>
# - Every result in the text is computed
# - A line with a ✓ says what was checked, on your machine
# -->

# %% [markdown] key="idea" slide="slide"
# ## The idea, in four verbs
#
# 1. **Lift** the data with a feature map $\varphi$ into a space in which the problem is linear.
# 2. **Kernelise** a linear method that uses the data only through inner products: replace each of them with
#    $k(x,z)=\varphi(x)^\top\varphi(z)$, and never compute $\varphi$.
# 3. **Regularise.** A space that is rich enough can fit any values, so a penalty on $\|f\|$ decides what is worth fitting.
# 4. **Approximate.** With $n$ points, the matrix of a kernel takes $n^2$ memory and a solution $n^3$ time. A few hundred well-chosen
#    features may do nearly as well.

# %% [markdown] key="chapters" slide="slide"
# ## The map
#
# An arrow means *read this first*. Each box says in italics what the chapter does, and then how many hours it takes
# to read with a pencil, to lecture, and to solve the exercises.

# %% key="chapters-map" hide="input"
from kcourse.lab import show
from kcourse.lab.course_map import Chapter, draw_map

course = [
    Chapter("1", "neighbours, windows", (0, 0), "average", hours="2 h · 1½ h · 3 h"),
    Chapter("2", "the kernel trick", (0, 1), "lift, kernelise", hours="3 h · 1½ h · 3 h"),
    Chapter("3", "kernel ridge regression", (1, 0), "regularise", ("1", "2"), "3 h · 1½ h · 3 h"),
    Chapter("4", "Gaussian processes", (2, 0), "regularise", ("3",), "3 h · 1½ h · 3 h"),
    Chapter("5", "maximum margin", (1, 2), "regularise", ("2",), "3 h · 1½ h · 3 h"),
    Chapter("6", "SVM and ε-SVR", (2, 2), "kernelise", ("5",), "5 h · 3 h · 5 h"),
    Chapter("7", "RBF networks", (2, 1), "approximate", ("3",), "6 h · 3 h · 5 h"),
    Chapter("8", "kernel PCA", (0, 2), "kernelise", ("2",), "3 h · 1½ h · 3 h"),
    Chapter("9", "RKHS, strings, graphs", (1, 1), "lift", ("2",), "3 h · 1½ h · 3 h"),
    Chapter("10", "scaling", (3, 1), "approximate", ("4", "6", "7"), "3 h · 1½ h · 3 h"),
]
written = [c.number for c in course if c.hours]
show(
    draw_map(course),
    alt="The ten chapters as boxes in a grid, with arrows for what to read first: 1 and 2 lead "
    "to 3, 3 to 4 and 7; "
    "2 leads to 5, 8 and 9, 5 to 6; 4, 6 and 7 lead to 10.",
)

# %% [markdown] key="chapters-table" slide="subslide"
# **Ten questions.**
#
# | | chapter | a question that it answers |
# |---|---|---|
# | 1 | **[neighbours and windows](ch01_neighbors.ipynb)** · [exercises](../exercises/ch01_neighbors_sheet.ipynb) | How far should a prediction look around? |
# | 2 | **[the kernel trick](ch02_kernels.ipynb)** · [exercises](../exercises/ch02_kernels_sheet.ipynb) | How do you compute in a space that you cannot write down? |
# | 3 | **[kernel ridge regression](ch03_ridge.ipynb)** · [exercises](../exercises/ch03_ridge_sheet.ipynb) | What is the best curve, and how flexible is it really? |
# | 4 | **[Gaussian processes](ch04_gp.ipynb)** · [exercises](../exercises/ch04_gp_sheet.ipynb) | How sure is the curve of itself? |
# | 5 | **[maximum margin](ch05_margin.ipynb)** · [exercises](../exercises/ch05_margin_sheet.ipynb) | Which of all separating lines, and why? |
# | 6 | **[support vector machines](ch06_svm.ipynb)** · [exercises](../exercises/ch06_svm_sheet.ipynb), **[ε-SVR and online learning](ch06b_svr_online.ipynb)** · [exercises](../exercises/ch06b_svr_online_sheet.ipynb) | What if no line separates, and which points matter? |
# | 7 | **[RBF interpolation](ch07a_rbf_interpolation.ipynb)** · [exercises](../exercises/ch07a_rbf_interpolation_sheet.ipynb), **[RBF networks](ch07b_rbf_networks.ipynb)** · [exercises](../exercises/ch07b_rbf_networks_sheet.ipynb) | What does a surface through every point cost, and what if one basis function serves many points? |
# | 8 | **[kernel PCA and kernel LDA](ch08_kpca.ipynb)** · [exercises](../exercises/ch08_kpca_sheet.ipynb) | Which directions of an unseen space carry the variance? |
# | 9 | **[RKHS, strings and graphs](ch09_rkhs.ipynb)** · [exercises](../exercises/ch09_rkhs_sheet.ipynb) | What if the data are not vectors at all? |
# | 10 | **[scaling](ch10_scaling.ipynb)** · [exercises](../exercises/ch10_scaling_sheet.ipynb) | What if there are a million points? |
#
# **In a hurry?** Choose what you need.
#
# | you need | chapters |
# |---|---|
# | regression with error bars | 1 to *How wide?*, then 2, 3, 4 |
# | classifiers | 2, 5, 6 |
# | kernels for texts, molecules and other data without coordinates | 2, 9 |
# | methods for large data | 1, 2, 3, 10, and the parts of 4, 6 and 7 that chapter 10 names |
#
# <!-- slide
# - regression with error bars: 1, 2, 3, 4
# - classification: 2, 5, 6
# - texts, molecules and other data without coordinates: 2, 9
# - large data: 1, 2, 3, 10
# -->

# %% [markdown] key="self-test" slide="skip"
# ## Where do you stand?
#
# Here is one question for each chapter. If both the answer and its reason are obvious to you, you may skim that
# chapter.
#
# | | question |
# |---|---|
# | 1 | Your 1-nearest-neighbour regression makes no error on the training data. Is it the simplest model, and is it good? |
# | 2 | Which features does $k(x,z)=(x^\top z)^2$ compare in the plane? Is the maximum of two kernels always a kernel? |
# | 3 | The only two measurements, 4 and 8, were taken at one time $x$, where $k(x,x)=1$. What does kernel ridge regression with $\lambda=2$ predict at this time? How many of its coefficients become 0 if λ is ten times larger? |
# | 4 | A Gaussian process has seen the $x_i$ but not yet the $y_i$. Which part of its prediction is already known? |
# | 5 | Two points of different classes lie at $(0,0)$ and $(3,4)$. What is the width of the maximum margin, and how long is $w$ if $w^\top x+b$ is $\pm1$ on its margin lines? When does a third point change the margin? |
# | 6 | A support vector machine has $0<\alpha_i<C$ for some point. Where does that point lie? |
# | 7 | You run k-means twice and get two different results. Is one of the runs broken? |
# | 8 | Points in the plane have at most two principal components. How many kernel principal components can $n$ points have? |
# | 9 | How would you take the inner product of two words of different length? |
# | 10 | The Gram matrix of a million points has $10^{12}$ entries. What do you compute instead? |
#
# <details><summary><b>The answers</b> (open this once you have written down yours)</summary>
#
# | | answer | read |
# |---|---|---|
# | 1 | It is not the simplest model, because it has as many free parameters as points. Its training error does not say whether it is good, because each point is its own neighbour. | [Chapter 1](ch01_neighbors.ipynb), *One smoother matrix for both* and *How wide? Leave-one-out* |
# | 2 | It compares $x_1^2$, $\sqrt2\,x_1x_2$ and $x_2^2$. The maximum is in general not a kernel. | [Chapter 2](ch02_kernels.ipynb), *Kernels: inner products of features* and *Rules for building kernels* |
# | 3 | It predicts $(4+8)/(2+\lambda)=3$, which is halfway from their mean to 0. No coefficient becomes 0. | [Chapter 3](ch03_ridge.ipynb), *The predictor* and *Choosing σ and λ together* |
# | 4 | The variance is known. For a given kernel and noise, it does not depend on $y$. | [Chapter 4](ch04_gp.ipynb), *The posterior variance does not depend on y* |
# | 5 | The width is 5, and $\lVert w\rVert=2/5$. A third point changes the margin when it lies inside, or on the wrong side. | [Chapter 5](ch05_margin.ipynb), *The primal: the largest margin* and *Lagrange multipliers and the KKT conditions* |
# | 6 | It lies exactly on a margin line, where $y_if(x_i)=1$. | [Chapter 6](ch06_svm.ipynb), *The Lagrangian: two multipliers for each point* |
# | 7 | No. The algorithm finds a local minimum, which depends on the start. | [Chapter 7b](ch07b_rbf_networks.ipynb), *Centres by k-means* |
# | 8 | Up to $n-1$ after centring. With a Gaussian kernel and distinct points there are $n-1$, whatever the dimension of the points. | [Chapter 8](ch08_kpca.ipynb), *Components as pictures* |
# | 9 | Count their common substrings. The counts are the features. | [Chapter 9](ch09_rkhs.ipynb), *The spectrum kernel: count common k-mers* |
# | 10 | A few hundred features whose inner products approximate the kernel, from landmarks or from random frequencies. | [Chapter 10](ch10_scaling.ipynb), *Nyström, from the representer theorem* and *Random Fourier features* |
#
# </details>

# %% key="self-test-verify" slide="skip" hide="input"
from kcourse import Linear, MaxMargin

twice = KernelRidge(Gaussian(1.0), lam=2.0).fit([[0.0], [0.0]], [4.0, 8.0])
verify("question 3: the prediction", twice.predict([[0.0]])[0], "3")
strip = MaxMargin(Linear()).fit([[0.0, 0.0], [3.0, 4.0]], [-1, 1])
verify("question 5: the width of the margin", 2 / np.linalg.norm(strip.weights_), "5")

# %% [markdown] key="how-to" slide="slide"
# ## How to study
#
# - **Read for the idea.** Stop at every *Predict first*, and write down your answer before you touch a slider.
# - **Redo the mathematics** with a pencil. A cell verifies each numbered step; change a sign there and see it fail.
# - **Solve the exercises** in the exercise notebook of the chapter. Run a check as often as you like. It says what is wrong, and for many
#   mistakes also why. When you have finished, save the notebook and hand it in under its own name.
#
# You work on copies in the folder `my_work`, so nothing that you do can harm the course. An update never touches a
# notebook in which you have written. **To start over,** rename or delete the notebook, stop the course with <kbd>Ctrl</kbd> +
# <kbd>C</kbd> in its terminal, and open it again. You then get a fresh copy. *File → Revert Notebook to Checkpoint* goes back to
# what was saved last.

# %% [markdown] key="notation" slide="slide"
# ## Notation
#
# Books disagree about the meaning of the Greek letters. This is what they mean in this course; its terms, in three languages,
# are in the [glossary](glossary.ipynb).
#
# | object | here | elsewhere |
# |---|---|---|
# | width of the Gaussian | $\sigma$ in $\exp(-\lVert x-z\rVert^2/(2\sigma^2))$ | without the 2: that σ is √2 times ours; scikit-learn: `gamma` $=1/(2\sigma^2)$ |
# | width of the Laplacian | $\sigma$ in $\exp(-\lVert x-z\rVert/\sigma)$, Euclidean norm | scikit-learn's `laplacian_kernel` uses the L1 norm |
# | strength of the penalty | $\lambda\lVert f\rVert^2$ next to the *sum* of squared errors | next to the mean: ours is $n$ times theirs; scikit-learn: `alpha`; Gaussian process: $\sigma_n^2$ |
# | penalty on slack | $C\sum_i\xi_i$ next to $\tfrac12\lVert w\rVert^2$ | without the ½: that C is 2 times ours |
# | margin | half width $1/\lVert w\rVert$, width $2/\lVert w\rVert$ | “the margin” means either |
# | slack, tube | $\xi_i$ in classification, $\varepsilon$ for the tube of regression | ε also for the slack |
# | coefficients | $f=\sum_i\alpha_i k(x_i,\cdot)$, signed in regression | scikit-learn: `dual_coef_` |
# | sizes | $n$ points in $d$ dimensions, $D$ features, $m$ centres, $q$ queries | N, ℓ, M, … |
# | targets, transpose | $y$, $^\top$ | $t$, $d$; ′ |
# | “positive” | *positive semi-definite* (eigenvalues ≥ 0) of Gram matrices; *strictly positive definite* (> 0) | French “défini positif” of a kernel means ≥ 0 |

# %% key="notation-verify" slide="skip" hide="input"
x, z, sigma = np.array([[0.3, -1.0]]), np.array([[1.1, 0.4]]), 0.7
squared = np.sum((x - z) ** 2)
verify(
    "exp(-r²/s²) with s = √2 σ is our Gaussian",
    Gaussian(sigma)(x, z),
    np.exp(-squared / (np.sqrt(2) * sigma) ** 2),
)
verify(
    "so is exp(-γ r²) with γ = 1/(2σ²)", Gaussian(sigma)(x, z), np.exp(-squared / (2 * sigma**2))
)

# %% [markdown] key="sources" slide="skip" numbers="free"
# ## Where the course comes from
#
# The course follows five public lectures and chapters: *Modèles à noyau*, IFT6266, Université de Montréal; C. Giraud, *Noyaux
# reproduisants*, MAP 553, École Polytechnique; E. Granger and I. Ben Ayed, *Réseaux de neurones à base de noyaux*, SYS843, ÉTS
# Montréal, 2017; J. Vales Alonso, *Máquinas de vector soporte*, Universidad Politécnica de Cartagena, 2020; and *Régression ridge à
# noyau*, chapter 20 of an online course with Python. The [errata](errata.ipynb) list what we corrected in them, each with a proof.
#
# **Now:** [chapter 1, neighbours and windows](ch01_neighbors.ipynb).

