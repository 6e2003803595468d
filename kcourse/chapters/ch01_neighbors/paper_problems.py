"""Pencil-and-paper problems of chapter 1: neighbours and windows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from kcourse.paper_problems import Gap, Gaps, Misconception, Numbers, Problem, Unfit


def _wrong_left_out(x: np.ndarray, labels: np.ndarray, k: int, *, itself: bool = False) -> int:
    """Return how many points the vote of their k nearest gets wrong; with ``itself`` each point also votes."""
    far = np.abs(x[:, None] - x).astype(float)
    if not itself:
        np.fill_diagonal(far, np.inf)
    near = np.argsort(far, axis=1, kind="stable")
    cut = np.take_along_axis(far, near, axis=1)
    if np.any(cut[:, k - 1] == cut[:, k]):
        raise Unfit("a tie")
    return int(np.sum(np.sign(labels[near[:, :k]].sum(axis=1)) != labels))


def _draw_left_out(rng: np.random.Generator) -> dict[str, Any]:
    x, labels = np.sort(rng.choice(25, 7, replace=False)), rng.choice([-1, 1], 7)
    return {"x": list(x), "classes": " ".join("ab"[int(label > 0)] for label in labels), "labels": labels}


def _work_left_out(x: list[int], labels: np.ndarray) -> dict[str, Any]:
    said = []
    for i, each in enumerate(x):
        near = sorted(set(range(7)) - {i}, key=lambda j: abs(x[j] - each))[:3]
        votes = " ".join("ab"[int(labels[j] > 0)] for j in near)
        wrong = np.sign(labels[near].sum()) != labels[i]
        said.append(f"{each}: {votes}{', wrong' if wrong else ''}")
    return {"said": "; ".join(said), "answer": _wrong_left_out(np.array(x), labels, 3)}


left_out = Problem(
    name="left_out",
    title="Leave-one-out for a vote of three neighbours",
    kind=Numbers("errors"),
    level=1, minutes=5, points=3,
    draw=_draw_left_out,
    work=_work_left_out,
    statement=r"""
        Seven points on a line, $@{x}$, have the classes @{classes}, in this order. The class of each point is predicted by a
        vote of its three nearest neighbours among the others (leave-one-out). For how many points is the vote wrong?""",
    solution=r"""
        The votes, with the nearest point first, are @{said}. The answer is $@answer$.""",
    mistakes=(
        Misconception("if each point also votes for itself, which gives the training error",
             lambda x, labels: _wrong_left_out(np.array(x), labels, 3, itself=True), 0.25),
        Misconception("if only the nearest other point votes", lambda x, labels: _wrong_left_out(np.array(x), labels, 1), 0.5),
        Misconception("if the points with a right vote are counted", lambda answer: 7 - answer, 0.75),
        Misconception("if the fraction of errors is given instead of their number", lambda answer: Fraction(answer, 7), 0.75),
    ),
)  # fmt: skip


def _draw_smooth(rng: np.random.Generator) -> dict[str, Any]:
    h = int(rng.choice([4, 5, 6]))
    q = int(rng.integers(8, 13))
    x = np.sort(rng.choice(np.setdiff1d(np.arange(q - h - 3, q + h + 4), [q]), 4, replace=False))
    return {"x": list(x), "y": list(rng.integers(0, 10, 4)), "q": q, "h": h}


def _work_smooth(x: list[int], y: list[int], q: int, h: int) -> dict[str, Any]:
    u = np.array([max(0, h - abs(q - each)) for each in x])
    if np.count_nonzero(u) < 3:
        raise Unfit("too few in the window")
    return {"weights": [Fraction(int(each), h) for each in u], "u": u, "answer": Fraction(int(u @ y), int(u.sum()))}


smooth = Problem(
    name="smooth",
    title="Nadaraya–Watson regression at one point",
    kind=Numbers("f"),
    level=1, minutes=5, points=3,
    draw=_draw_smooth,
    work=_work_smooth,
    statement=r"""
        At the points $x=@{x}$ the targets $y=@{y}$ were measured. What does Nadaraya–Watson regression predict at
        $@q$, with the triangular kernel $k(x,z)=\max(0,1-|x-z|/@h)$?""",
    solution=r"""
        The weights $k(@q,x_i)$ are $@weights$. The prediction is $\sum_iy_i\,k(@q,x_i)\big/\sum_jk(@q,x_j)=@answer$.""",
    mistakes=(
        Misconception("if all points inside the window have the same weight",
             lambda u, y: Fraction(int(np.array(y)[u > 0].sum()), int((u > 0).sum())), 0.25),
        Misconception("if the weighted sum is divided by the number of points instead of the sum of the weights",
             lambda u, y, h: Fraction(int(u @ y), h * len(y)), 0.5),
        Misconception("if the weighted sum is not divided by anything", lambda u, y, h: Fraction(int(u @ y), h), 0.25),
        Misconception("if the weights inside the window grow with the distance",
             lambda u, y, h: Fraction(int((h - u)[u > 0] @ np.array(y)[u > 0]), int((h - u)[u > 0].sum())), 0.25),
        Misconception("if only the nearest point counts", lambda u, y: y[int(np.argmax(u))] if (u == u.max()).sum() == 1 else None),
    ),
)  # fmt: skip


def _draw_window(rng: np.random.Generator) -> dict[str, Any]:
    n, h, q = int(rng.integers(4, 7)), int(rng.choice([2, 3, 4])), int(rng.integers(5, 10))
    return {"x": sorted(int(q + each) for each in rng.integers(-h - 1, h + 2, n)), "q": q, "h": h}


def _work_window(x: list[int], q: int, h: int) -> dict[str, Any]:
    heights = [Fraction(max(0, h - abs(q - each)), h) for each in x]
    if sum(each > 0 for each in heights) < 2 or len(set(x)) < 3:
        raise Unfit("an empty window")
    return {"heights": heights, "n": len(x), "total": sum(heights), "answer": sum(heights) / (len(x) * h)}


window = Problem(
    name="window",
    title="Parzen's density from a few points",
    kind=Numbers("p"),
    level=1, minutes=4, points=3,
    draw=_draw_window,
    work=_work_window,
    statement=r"""
        What is Parzen's estimate of the density at $@q$ from the points $@{x}$, with the triangular window
        $\kappa(u)=\max(0,1-|u|)$ of area 1 and the width $\sigma=@h$?""",
    solution=r"""
        $\hat p(@q)=\frac1{n\sigma}\sum_i\kappa\bigl((@q-x_i)/\sigma\bigr)$ with $n=@n$. The values of $\kappa$ are $@heights$, and
        their sum is $@total$. Divided by $n\sigma$ it gives $@answer$.""",
    mistakes=(
        Misconception("if the sum is divided by n only, so that the area under the estimate is σ",
             lambda total, n: total / n, 0.5),
        Misconception("if the sum is divided by σ only", lambda total, h: total / h, 0.5),
        Misconception("if the sum is not divided", lambda total: total, 0.25),
        Misconception("if the window is a box of height ½ from -1 to 1",
             lambda x, q, h: Fraction(sum(abs(q - each) <= h for each in x), 2 * h * len(x)), 0.25),
    ),
)  # fmt: skip


def _draw_edge(rng: np.random.Generator) -> dict[str, Any]:
    return {"percent": int(rng.choice([5, 8, 10, 12, 15, 20, 25, 30, 40])), "d": int(rng.integers(2, 11))}


edge = Problem(
    name="edge",
    title="How wide is a neighbourhood?",
    kind=Numbers("edge", rounded=True),
    level=1, minutes=3, points=2,
    draw=_draw_edge,
    work=lambda percent, d: {"share": percent / 100, "answer": (percent / 100) ** (1 / d)},
    statement=r"""
        Points fill the unit cube in $@d$ dimensions evenly. How long is the edge of a smaller cube that contains $@percent$ %
        of them? You may use a pocket calculator.""",
    solution=r"""
        A cube with the edge $a$ has the volume $a^{@d}$. From $a^{@d}=@share$ it follows that $a=@share^{1/@d}=@answer$.""",
    mistakes=(
        Misconception("if the fraction is divided by the dimension", lambda share, d: share / d),
        Misconception("if the fraction itself is the edge, as on a line", lambda share: share),
        Misconception("if one minus the edge is given", lambda share, d: 1 - share ** (1 / d), 0.25),
    ),
)  # fmt: skip


def _draw_twice(rng: np.random.Generator) -> dict[str, Any]:
    return {"eta": Fraction(int(rng.integers(1, 10)), int(rng.choice([20, 25, 30])))}


twice = Problem(
    name="twice",
    title="The nearest neighbour has at most twice the error of the Bayes rule",
    kind=Gaps((
        Gap("with more points the nearest one comes arbitrarily close, and $\\eta$ is continuous", (
            ("the nearest point has the class of the query",
             "Its class is also drawn at random. Only its class probability is nearly that at the query."),
            ("the two classes are equally frequent", "The argument does not use how frequent the classes are."),
        )),
        Gap("$2\\eta(1-\\eta)=@nearest$", (
            ("$\\eta(1-\\eta)=@one$", "There are two ways to differ, because the query may have either class."),
            ("$\\eta^2+(1-\\eta)^2=@same$", "This is the probability that the two classes agree."),
        )),
        Gap("$\\min(\\eta,1-\\eta)=@eta$", (
            ("$0$", "Where the classes overlap, even the best rule is sometimes wrong, because it must predict one class."),
            ("$1-\\eta=@other$", "The best rule predicts the more probable class, so it is wrong as often as the other class occurs."),
        )),
        Gap("$1-\\eta$ is below 1", (
            ("$\\eta$ is below $\\tfrac12$", "The ratio is 2(1 - η), which is below 2 for every η above 0."),
            ("the two errors exclude each other", "The bound is a ratio of two probabilities and does not need exclusive events."),
        )),
    )),
    level=3, minutes=7, points=4,
    draw=_draw_twice,
    work=lambda eta: {"nearest": 2 * eta * (1 - eta), "one": eta * (1 - eta), "same": eta**2 + (1 - eta) ** 2,
                      "other": 1 - eta, "ratio": 2 * (1 - eta)},
    statement=r"""
        At $x$ class $a$ has the probability $\eta=@eta$, and otherwise the class is $b$. How often is the rule of the nearest
        neighbour wrong there, if there are very many points? Fill the gaps. The neighbour has class $a$ with nearly the same
        probability $\eta$, because **(1)**. The classes of query and neighbour are drawn independently, so they differ with
        probability **(2)**. No rule is wrong less often than **(3)**. The ratio of the two is $2(1-\eta)=@ratio$, less than 2,
        because **(4)**.""",
    solution=r"""
        (1) The distance to the nearest point goes to 0, and $\eta$ is continuous. (2) Either $a$ and $b$, or $b$ and $a$:
        $2\eta(1-\eta)=@nearest$. (3) The best rule predicts the more probable class. (4) $2\eta(1-\eta)/\eta$.""",
)  # fmt: skip


more_neighbours = Problem(
    name="more_neighbours",
    title="Bias and variance of k neighbours",
    kind=Gaps((
        Gap("$@each$", (
            ("$@v$", "This is the variance of one measurement. A mean of several varies less."),
            ("$@root$", "Standard deviations fall with the root of k, variances with k."),
        )),
        Gap("the mean of $g$ over the $k$ neighbours, minus $g(x)$", (
            ("the mean of the noise of the neighbours", "The noise has the mean 0, so it adds to the variance and not to the bias."),
            ("$0$, since a mean is unbiased", "It is unbiased for the mean of g over the neighbours, not for g(x)."),
        )),
        Gap("the neighbours lie further from $x$", (
            ("more noise is added up", "The noise is averaged, so the mean of more neighbours contains less of it."),
            ("the noise is larger far from $x$", "The noise has the same variance everywhere, but g has other values there."),
        )),
    )),
    level=3, minutes=5, points=3,
    draw=lambda rng: {"v": int(rng.integers(2, 9)), "k": int(rng.choice([4, 9, 16, 25]))},
    work=lambda v, k: {"each": Fraction(v, k), "root": Fraction(v, int(k**0.5))},
    statement=r"""
        Let $y_i=g(x_i)+\varepsilon_i$ with independent noise of mean 0 and variance $@v$. The prediction $f(x)$ is the mean of the
        targets of the $@k$ nearest points. Fill the gaps. The variance of $f(x)$ is **(1)**. Its bias, which is the expected
        value of $f(x)$ minus $g(x)$, is **(2)**. With more neighbours the variance falls, and the bias usually grows, because
        **(3)**.""",
    solution=r"""
        (1) The variance of a mean of $@k$ independent values is $@v/@k$. (2) The noise has the mean 0, so
        $\mathbb E f(x)$ is the mean of $g$ over the neighbours. (3) There $g$ can differ from $g(x)$.""",
)  # fmt: skip

PROBLEMS = (left_out, smooth, window, edge, twice, more_neighbours)
