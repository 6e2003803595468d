# %% [markdown] key="title" slide="slide"
# # Kernel methods: start here
#
# **In JupyterLab, press <kbd>Shift</kbd> + <kbd>Enter</kbd> twice, now:** a slider appears above the picture below. The picture
# answers to it: drag it, or click it and use the arrow keys. (Without a mouse: <kbd>Shift</kbd> + <kbd>Tab</kbd> leads back to it.)
#
# A motorcycle hits an obstacle; the dots are the acceleration of the head. The curve is a *kernel machine*: at each
# time $x$ it is a weighted sum of bells of width $\sigma$, one bell on every dot. Here each bell is wider than the whole crash.
# **Predict first:** (1) you make the bells ten times narrower. What can the curve do now that it could not do before?
# (2) Ten times narrower again, to less than a millisecond: where does it go *between* the dots?

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
# 1. Wide bells move together, so the curve is calm: it has few ways to bend. At $\sigma\approx8$ ms it goes down and up with the
#    head, and is as flexible as a model with about ten parameters. Of all stops of the slider that one also predicts
#    left-out points best. How both are known, without fitting the curve 133 times, is part of chapter 3.
# 2. Narrow bells each serve one dot: the curve chases noise and, where no dot is near, falls back to 0.
#
# </details>

# %% key="first-look-verify" slide="skip" hide="input"
lams = np.array([0.013])
stops = 8.0 * 10 ** np.arange(-1.4, 1.01, 0.1)
error = [loo_path(Gaussian(s)(crash.X), crash.y, lams).mse[0] for s in stops]
verify(
    "of all stops of the slider the one near 8 ms predicts best, by leave-one-out",
    7.5 < stops[np.argmin(error)] < 8.5,
)
verify("there are 133 points", len(crash.y) == 133)
df = KernelRidge(Gaussian(8.0), lam=0.013).fit(crash.X, crash.y).effective_df()
verify("σ = 8 ms: about ten parameters", 9.5 < df < 10.5)

# %% [markdown] key="course" slide="slide"
# ## A course that you run
#
# Every chapter is a notebook that executes from top to bottom: menu *Run → Run All Cells*, or <kbd>Shift</kbd> +
# <kbd>Enter</kbd> cell by cell. Every figure with a slider answers to you, every number that the text quotes is backed by a cell
# that computes it, and an exercise that you get wrong names the mistake, if anybody is known to have made it before you.
#
# A line with a ✓ is a sentence of the text that was checked when the cell above it ran: when *you* run it, on your machine. Code
# that only backs a number is folded, as above: click on the three dots to read it. What answers a
# *Predict first* waits behind a line that opens. Some sentences about how methods behave were
# measured over many draws: the table below the map counts them.

# %% [markdown] key="idea" slide="slide"
# ## The idea, in four verbs
#
# 1. **Lift** the data by a feature map $\varphi$ to where the problem is linear.
# 2. **Kernelise:** a linear method meets the data only in inner products; write $k(x,z)=\varphi(x)^\top\varphi(z)$ for them and never
#    compute $\varphi$.
# 3. **Regularise:** a space of infinite dimension can fit any values; a price on $\|f\|$ decides what is worth fitting.
# 4. **Approximate:** $n$ points cost $n^2$ memory and $n^3$ time; a few hundred well-chosen features may do nearly as well.
#
# Every chapter is about one or two of them, and every kernel method is a mixture of all four.

# %% [markdown] key="chapters" slide="slide"
# ## The map
#
# An arrow means *read this first*. In each box, in italics, the verbs that the chapter is about, and the hours that it takes: to read with
# a pencil, to lecture, to solve the sheet.

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
# | 6 | **[support vector machines](ch06_svm.ipynb)** · [exercises](../exercises/ch06_svm_sheet.ipynb), **[ε-SVR and learning on line](ch06b_svr_online.ipynb)** · [exercises](../exercises/ch06b_svr_online_sheet.ipynb) | What if no line separates, and which points matter? |
# | 7 | **[RBF interpolation](ch07a_rbf_interpolation.ipynb)** · [exercises](../exercises/ch07a_rbf_interpolation_sheet.ipynb), **[RBF networks](ch07b_rbf_networks.ipynb)** · [exercises](../exercises/ch07b_rbf_networks_sheet.ipynb) | What does a surface through every point cost, and what if there is one bell for many? |
# | 8 | **[kernel PCA and kernel LDA](ch08_kpca.ipynb)** · [exercises](../exercises/ch08_kpca_sheet.ipynb) | Which directions of an unseen space carry the variance? |
# | 9 | **[RKHS, strings and graphs](ch09_rkhs.ipynb)** · [exercises](../exercises/ch09_rkhs_sheet.ipynb) | What if the data are not vectors at all? |
# | 10 | **[scaling](ch10_scaling.ipynb)** · [exercises](../exercises/ch10_scaling_sheet.ipynb) | What if there are a million points? |
#
# **In a hurry?** For regression with error bars read 1 to *How wide?*, then 2, 3, 4. For classification 2, 5, 6. For texts, molecules and other things without
# coordinates 2, 9. For large data 1 to 3, then 10, and the parts of 4, 6 and 7 that it names.
#
# <!-- slide
# - regression, with error bars: 1, 2, 3, 4
# - classification: 2, 5, 6
# - texts, molecules, things without coordinates: 2, 9
# - large data: 1, 2, 3, 10
# -->

# %% [markdown] key="measured" slide="skip"
# **What is measured.** A sentence such as “the nearest neighbour makes fewer errors” is true of some splits of some data. In the
# chapters of this table such comparisons were repeated, over splits, seeds or flights; the chapter's folded lines say in how many
# draws a sentence held, and by how much. In the others a comparison is of the data and the split that you see.

# %% key="measured-table" hide="input"
from kcourse.lab import table
from kcourse.lab.measured import everything

# from the tables data/* that back a sentence; few chapters may have none
chapters = {}
for number, found in everything():
    chapters.setdefault(number, []).append(found)
rows = {
    number: (
        len(tables),
        sum(len(found.findings) for found in tables),
        (min(draws), max(draws)),
    )
    for number, tables in chapters.items()
    if (draws := [len(found.findings[0].gaps) for found in tables])
}
if rows:
    table(
        "What is measured: sentences about how methods behave",
        {"chapter": "", "comparisons": "d", "sentences": "d", "draws of each": "{} to {}"},
        rows,
    )

# %% [markdown] key="self-test" slide="skip"
# ## Where do you stand?
#
# One question for each chapter. If an answer is obvious to you, and its reason too, you may skip that chapter; if the first two are a mystery,
# begin at the beginning, which is a good place.
#
# <details><summary>1. Your 1-nearest-neighbour regression makes no error on the training data. Is it the simplest model, and is it good?</summary>
#
# No: it has as many free parameters as points. And its training error says nothing: each point is its own neighbour.
# ([Chapter 1](ch01_neighbors.ipynb), *One matrix for both* and *How wide? Ask each point*.)
#
# </details>
#
# <details><summary>2. $k(x,z)=(x^\top z)^2$ in the plane: which features does it compare? Is $\max(k_1,k_2)$ of two kernels a kernel?</summary>
#
# $x_1^2$, $\sqrt2\,x_1x_2$ and $x_2^2$. In general it is not. ([Chapter 2](ch02_kernels.ipynb), *Kernelise* and *Rules for building kernels*.)
#
# </details>
#
# <details><summary>3. Kernel ridge regression has two measurements at one and the same time, 4 and 8; there $k(x,x)=1$, and $\lambda=2$. What does it predict at that time? And how many of its coefficients become 0 when λ is ten times larger?</summary>
#
# $(4+8)/(2+\lambda)=3$: halfway from their mean to 0. None. ([Chapter 3](ch03_ridge.ipynb), *The predictor* and *Turn the knobs*.)
#
# </details>
#
# <details><summary>4. A Gaussian process has seen the $x_i$ but not yet the $y_i$. Which part of its prediction is already known?</summary>
#
# The variance: with kernel and noise given, it does not depend on $y$. ([Chapter 4](ch04_gp.ipynb), *A band that never saw the data*.)
#
# </details>
#
# <details><summary>5. Two points of different classes, $(0,0)$ and $(3,4)$. How wide is the widest strip that separates them, and how long is $w$ if $w^\top x+b$ is $\pm1$ at its edges? When does a third point change it?</summary>
#
# 5, and $\|w\|=2/5$. When it falls into the strip, or on the wrong side of it. ([Chapter 5](ch05_margin.ipynb), *The widest strip* and *A price for every point*.)
#
# </details>
#
# <details><summary>6. A support vector machine has $0<\alpha_i<C$ for some point. Where does that point lie?</summary>
#
# Exactly on the margin, $y_if(x_i)=1$. ([Chapter 6](ch06_svm.ipynb), *Two multipliers for each point*.)
#
# </details>
#
# <details><summary>7. k-means is run twice and ends in two different results. Is one of the runs broken?</summary>
#
# No: it finds a local minimum, and which one depends on the start. ([Chapter 7b](ch07b_rbf_networks.ipynb), *Centres, second way: k-means*.)
#
# </details>
#
# <details><summary>8. Ordinary principal components of $n$ points in the plane: at most two. And kernel principal components?</summary>
#
# Up to $n-1$ after centring, whatever the dimension of the points. ([Chapter 8](ch08_kpca.ipynb), *Axes as pictures*.)
#
# </details>
#
# <details><summary>9. How would you take the inner product of two words of different length?</summary>
#
# Count their common substrings: the counts are the features. ([Chapter 9](ch09_rkhs.ipynb), *Strings: count what they share*.)
#
# </details>
#
# <details><summary>10. The Gram matrix of a million points has $10^{12}$ entries. What do you compute instead?</summary>
#
# A few hundred features whose inner products come near the kernel: from landmarks, or from random frequencies.
# ([Chapter 10](ch10_scaling.ipynb), *Nyström, from the representer theorem* and *Cosines by chance*.)
#
# </details>

# %% key="self-test-verify" slide="skip" hide="input"
from kcourse import Linear, MaxMargin

twice = KernelRidge(Gaussian(1.0), lam=2.0).fit([[0.0], [0.0]], [4.0, 8.0])
verify("question 3: it predicts", twice.predict([[0.0]])[0], "3")
strip = MaxMargin(Linear()).fit([[0.0, 0.0], [3.0, 4.0]], [-1, 1])
verify("question 5: the width of the strip", 2 / np.linalg.norm(strip.weights_), "5")

# %% [markdown] key="how-to" slide="slide"
# ## How to study
#
# - **Read for the idea**, and stop at every *predict first*: write your answer down before you touch a slider. Being wrong
#   on paper is the fastest way to learn this.
# - **Redo the mathematics** with a pencil. Each numbered step is followed by a cell that verifies it; change a sign there and see
#   it fail.
# - **Write the functions** of the exercise sheet. Run a check as often as you like. A wrong answer is told which mistake it
#   is, if anybody made it before you. When you have finished, save the notebook and hand it in under its own name.
#
# What you open here are copies of your own, in the folder `my_work`; nothing that you do can harm the course, and updating the
# course never touches a notebook in which you have written. **To start over,** rename the notebook, or delete it, then
# stop the course (<kbd>Ctrl</kbd> + <kbd>C</kbd> in its terminal) and open it again: a fresh copy lies in its place.
# *File → Revert Notebook to Checkpoint* goes back to what was saved last.

# %% [markdown] key="notation" slide="slide"
# ## Notation
#
# Books disagree about the meaning of every Greek letter. This course means, everywhere (its words, in three languages, are in the
# [glossary](glossary.ipynb)):
#
# | object | here | elsewhere |
# |---|---|---|
# | width of the Gaussian | $\sigma$ in $\exp(-\lVert x-z\rVert^2/(2\sigma^2))$ | without the 2: that σ is √2 times ours; scikit-learn: `gamma` $=1/(2\sigma^2)$ |
# | width of the Laplacian | $\sigma$ in $\exp(-\lVert x-z\rVert/\sigma)$, Euclidean norm | scikit-learn's `laplacian_kernel` uses the L1 norm |
# | strength of the penalty | $\lambda\lVert f\rVert^2$ beside the **sum** of squared errors | beside the mean: ours is $n$ times theirs; scikit-learn: `alpha`; Gaussian process: $\sigma_n^2$ |
# | price of slack | $C\sum_i\xi_i$ beside $\tfrac12\lVert w\rVert^2$ | without the ½: that C is 2 times ours |
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

# %% [markdown] key="teachers" slide="skip"
# ## If you teach
#
# Each chapter is also a deck (`kcourse slides ch03` in a terminal): one idea a slide, answers a click later, and a speaker's view
# with notes that say what to ask the room and how long it takes. For a live demonstration lecture from JupyterLab itself, sliders included. The sheets come with
# solutions (`solutions/`), and with the marks that nbgrader needs. See the README.

# %% [markdown] key="sources" slide="skip" numbers="free"
# ## Where the course comes from
#
# Five public lectures and chapters laid the path: IFT6266 *Modèles à noyau* (Université de Montréal); C. Giraud, *Noyaux
# reproduisants*, MAP 553 (École Polytechnique); E. Granger and I. Ben Ayed, *Réseaux de neurones à base de noyaux*, SYS843 (ÉTS,
# 2017); J. Vales Alonso, *Máquinas de vector soporte* (Universidad Politécnica de Cartagena, 2020); and *Régression ridge à noyau*,
# chapter 20 of an online course with Python. Where one of them contains a mistake, a chapter says so in public and corrects it;
# the [errata](errata.ipynb) have all of it in one place, source by source, each with a proof.
#
# **Now:** [chapter 1, neighbours and windows](ch01_neighbors.ipynb).
