"""Pencil-and-paper problems of chapter 7b: RBF networks."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from kcourse.paper_problems import Gap, Gaps, Misconception, Numbers, Order, Problem, Unfit, exact


def _draw_lloyd(rng: np.random.Generator) -> dict[str, Any]:
    x = np.sort(rng.choice(20, 6, replace=False))
    c = np.sort(rng.choice(20, 2, replace=False))
    return {"x": list(x), "c": list(c)}


def _split(x: list[int], c: list[int]) -> np.ndarray:
    far = np.abs(np.subtract.outer(x, c))
    if np.any(far[:, 0] == far[:, 1]):
        raise Unfit("a tie")
    return far[:, 0] < far[:, 1]


def _means(x: list[int], left: np.ndarray) -> list[Fraction]:
    values = np.array(x)
    if left.all() or not left.any():
        raise Unfit("an empty group")
    return [Fraction(int(values[g].sum()), int(g.sum())) for g in (left, ~left)]


def _work_lloyd(x: list[int], c: list[int]) -> dict[str, Any]:
    left = _split(x, c)
    new = _means(x, left)
    return {"first": [each for each, own in zip(x, left, strict=True) if own],
            "second": [each for each, own in zip(x, left, strict=True) if not own], "answer": new}  # fmt: skip


lloyd = Problem(
    name="lloyd",
    title="One round of k-means",
    kind=Numbers(("first centre", "second centre")),
    level=1, minutes=4, points=3,
    draw=_draw_lloyd,
    work=_work_lloyd,
    statement=r"""
        The points on a line are $@x$, and two centres are at $@c$. Where are the centres after one round of $k$-means (Lloyd)?""",
    solution=r"""
        The first centre is nearest to $@first$, and the second to $@second$. The means of these groups are $@answer$.""",
    mistakes=(
        Misconception("if another round follows",
             lambda x, answer: m if (m := _means(x, np.abs(np.array(x) - float(answer[0])) < np.abs(np.array(x) - float(answer[1]))))
             != answer else None, 0.75),
        Misconception("if the midpoint of each group is given instead of its mean",
             lambda first, second: [Fraction(int(first[0] + first[-1]), 2), Fraction(int(second[0] + second[-1]), 2)], 0.5),
        Misconception("if the old centre is counted as a point of its group",
             lambda first, second, c: [Fraction(int(sum(first) + c[0]), len(first) + 1),
                                       Fraction(int(sum(second) + c[1]), len(second) + 1)], 0.5),
        Misconception("if half of the points are assigned to each centre", lambda x: [Fraction(int(sum(x[:3])), 3), Fraction(int(sum(x[3:])), 3)],
             0.25),
    ),
)  # fmt: skip


def _draw_winner(rng: np.random.Generator) -> dict[str, Any]:
    return {"c": list(rng.choice(np.arange(-9, 10), 3, replace=False)), "x": int(rng.integers(-9, 10)),
            "eta": Fraction(1, int(rng.choice([3, 4, 5, 10])))}  # fmt: skip


def _work_winner(c: list[int], x: int, eta: Fraction) -> dict[str, Any]:
    far = np.abs(np.array(c) - x)
    if np.sum(far == far.min()) > 1 or far.min() == 0:
        raise Unfit("no single winner")
    winner = int(far.argmin())
    new = [Fraction(int(each)) for each in c]
    new[winner] += eta * (x - new[winner])
    return {"winner": int(c[winner]), "index": winner, "difference": x - int(c[winner]), "answer": new}


winner = Problem(
    name="winner",
    title="Online k-means",
    kind=Numbers(("t₁", "t₂", "t₃")),
    level=1, minutes=3, points=2,
    draw=_draw_winner,
    work=_work_winner,
    statement=r"""
        Online $k$-means has the step $\eta=@eta$ and three centres at $@c$. It is given the point $@x$. Where are the
        centres then?""",
    solution=r"""
        The nearest centre, $@winner$, moves by $\eta$ times the difference to the point, $@eta\cdot @{(difference}$. The others stay,
        which gives $@answer$.""",
    mistakes=(
        Misconception("if all centres move", lambda c, x, eta: [Fraction(int(each)) + eta * (x - int(each)) for each in c], 0.5),
        Misconception("if the nearest centre moves away from the point",
             lambda c, index, eta, x: [Fraction(int(e)) - (eta * (x - int(e)) if i == index else 0) for i, e in enumerate(c)], 0.25),
        Misconception("if η and 1 - η are exchanged",
             lambda c, index, eta, x: [x - eta * (x - int(e)) if i == index else Fraction(int(e)) for i, e in enumerate(c)], 0.25),
        Misconception("if η times the point is added instead of η times the difference",
             lambda c, index, eta, x: [Fraction(int(e)) + eta * x if i == index else Fraction(int(e)) for i, e in enumerate(c)]
             if c[index] else None, 0.25),
    ),
)  # fmt: skip


def _draw_share(rng: np.random.Generator) -> dict[str, Any]:
    part = Fraction(1, int(rng.choice([3, 4, 5])))
    return {"part": part, "p": Fraction(int(rng.integers(1, 9)), 10), "q": Fraction(int(rng.integers(1, 9)), 10)}


def _work_share(part: Fraction, p: Fraction, q: Fraction) -> dict[str, Any]:
    if p == q:
        raise Unfit("no difference")
    first, second = part * p, (1 - part) * q
    return {"rest": 1 - part, "first": first, "second": second, "answer": first / (first + second)}


share = Problem(
    name="share",
    title="Responsibilities in the E step",
    kind=Numbers("r₁"),
    level=1, minutes=4, points=3,
    draw=_draw_share,
    work=_work_share,
    statement=r"""
        A mixture of two Gaussians has $p(1)=@part$ and $p(2)=@rest$. At a point the first Gaussian has the density $@p$, and the
        second $@q$. What is the responsibility of the first Gaussian for this point in the E step of EM?""",
    solution=r"""
        $r_1=\dfrac{p(1)\,p(x|1)}{p(1)\,p(x|1)+p(2)\,p(x|2)}$ with $p(1)\,p(x|1)=@first$ and $p(2)\,p(x|2)=@second$ gives $@answer$.""",
    mistakes=(
        Misconception("if p(1) and p(2) are left out", lambda p, q: p / (p + q), 0.5),
        Misconception("if the product is not divided by the sum of both", lambda first: first, 0.5),
        Misconception("if the point is assigned to the more likely Gaussian, as in k-means",
             lambda first, second: int(first > second) if first != second else None, 0.25),
        Misconception("if the responsibility of the second Gaussian is given", lambda answer: 1 - answer if answer != Fraction(1, 2) else None, 0.75),
    ),
)  # fmt: skip


def _draw_lms(rng: np.random.Generator) -> dict[str, Any]:
    return {"w": rng.integers(-3, 4, 2), "phi": rng.integers(-2, 4, 2), "y": int(rng.integers(-5, 6)),
            "eta": Fraction(1, int(rng.choice([2, 4, 5, 10])))}  # fmt: skip


def _work_lms(w: np.ndarray, phi: np.ndarray, y: int, eta: Fraction) -> dict[str, Any]:
    f = int(w @ phi)
    if f in (0, y) or not phi.all() or y == 0:
        raise Unfit("no error")
    return {"f": f, "error": y - f, "answer": exact(w) + eta * (y - f) * exact(phi)}


lms = Problem(
    name="lms",
    title="One step of LMS",
    kind=Numbers(("w₁", "w₂")),
    level=1, minutes=4, points=3,
    draw=_draw_lms,
    work=_work_lms,
    statement=r"""
        A network with two hidden units has the weights $w=@w$ and learns by the rule of Widrow and Hoff (LMS),
        $w\leftarrow w+\eta\,e\,\varphi$ with the error $e$ and $\eta=@eta$. At the
        next point the activations are $\varphi=@phi$ and the target is $@y$. What are the weights after this step?""",
    solution=r"""
        The output is $f=w^\top\varphi=@f$, the error is $y-f=@error$, and $w+\eta\,(y-f)\,\varphi=@answer$.""",
    mistakes=(
        Misconception("if the error is f - y", lambda w, eta, error, phi: exact(w) - eta * error * exact(phi), 0.25),
        Misconception("if the target is used instead of the error", lambda w, eta, y, phi: exact(w) + eta * y * exact(phi), 0.25),
        Misconception("if the step η is forgotten", lambda w, error, phi: exact(w) + error * exact(phi), 0.5),
        Misconception("if φ is left out, so that every weight changes by η times the error",
             lambda w, eta, error, phi: exact(w) + eta * error if (phi != 1).any() else None, 0.25),
    ),
)  # fmt: skip

monotone = Problem(
    name="monotone",
    title="EM does not lower the likelihood",
    kind=Gaps((
        Gap("the logarithm is concave (Jensen)", (
            ("the logarithm is increasing", "That compares two values. Here the logarithm of a mean is compared with a mean of logarithms."),
            ("the $r_j$ sum to 1", "Jensen's inequality needs it, but also that the logarithm is concave."),
        )),
        Gap("$r_j=p(j)\\,p(x|j)/\\sum_lp(l)\\,p(x|l)$", (
            ("$r_j=1/@k$", "Equal r_j also give a bound, but it is not equal to the likelihood."),
            ("$r_j=p(x|j)/\\sum_lp(x|l)$", "p(j) belongs to it, because all ratios must be equal."),
        )),
        Gap("the bound equals the likelihood at the old parameters and is nowhere above it", (
            ("the bound equals the likelihood everywhere", "It does so only at the old parameters."),
            ("the new $r_j$ are computed first", "The r_j do not change in the M step."),
        )),
    )),
    level=3, minutes=7, points=4,
    draw=lambda rng: {"k": int(rng.integers(2, 9)), "n": int(rng.integers(20, 200))},
    statement=r"""
        A mixture of $@k$ Gaussians is fitted to $@n$ points by EM. Fill the gaps. For all $r_j\ge0$ with $\sum_jr_j=1$ the
        log likelihood of a point is at least $\sum_jr_j\log\bigl(p(j)\,p(x|j)/r_j\bigr)$, because **(1)**. The two are equal for
        **(2)**, which the E step computes. The M step maximises the sum of these bounds over all points. The likelihood
        increases at least as much, because **(3)**.""",
    solution=r"""
        (1) $\log\sum_jr_j\frac{p(j)\,p(x|j)}{r_j}\ge\sum_jr_j\log\frac{p(j)\,p(x|j)}{r_j}$. (2) Then all the ratios are
        $\sum_lp(l)\,p(x|l)$. (3) At the old parameters both are equal. At the new ones the bound is larger, and the likelihood is not
        below it.""",
)  # fmt: skip

stages = Problem(
    name="stages",
    title="Training in stages",
    kind=Order((
        "Set test points aside.",
        "Standardise the training points, and keep their means and standard deviations.",
        "Find $@m$ centres of the standardised points by $k$-means.",
        "Choose a spread from the distances between centres.",
        "Compute the activations of all points, and solve least squares for the weights.",
        "Standardise the test points with the kept numbers, and compute their error.",
    )),
    level=2, minutes=3, points=2,
    draw=lambda rng: {"m": int(rng.integers(5, 60))},
    statement=r"""
        A network with $@m$ RBF units is trained in stages and tested. Put the steps in order.
        @lines""",
    solution=r"""
        The order is @answer. The test points are set aside before anything is learned, even the means. The weights come last, because they
        need the centres and the spread.""",
    mistakes=(
        Misconception("Means and standard deviations are learned, so they must not use the test points.", (1, 0, 2, 3, 4, 5), 0.5),
        Misconception("Distances between centres need the centres.", (0, 1, 3, 2, 4, 5), 0.5),
        Misconception("The activations need a spread before the weights can be computed.", (0, 1, 2, 4, 3, 5), 0.5),
        Misconception("k-means needs standardised points, or the feature with the largest variance decides.", (0, 2, 1, 3, 4, 5), 0.5),
    ),
)  # fmt: skip

ends = Problem(
    name="ends",
    title="k-means stops",
    kind=Gaps((
        Gap("each point goes to the centre that is nearest to it", (
            ("the centres do not move", "They do not, but that alone lowers nothing."),
            ("each centre gets the same number of points", "The groups may have different sizes."),
        )),
        Gap("the mean minimises the sum of squared distances from the points of its group", (
            ("the mean lies between the points", "So do other points. The sum of squares is smallest at the mean."),
            ("a mean is nearer to every point than the old centre was", "Not to every point, but the sum of squares is smaller."),
        )),
        Gap("$@ways$", (
            ("$@times$", "Each point has its own choice, so the numbers multiply."),
            ("infinitely many, since the centres are real numbers", "The groups determine the centres, and there are finitely many groups."),
        )),
        Gap("the sum falls as long as anything changes, so no grouping occurs twice", (
            ("the sum reaches 0", "Only if each point has a centre of its own."),
            ("the best grouping of all is found", "Not always. The result depends on the first centres."),
        )),
    )),
    level=3, minutes=6, points=4,
    draw=lambda rng: {"n": int(rng.integers(4, 9)), "k": int(rng.integers(2, 4))},
    work=lambda n, k: {"ways": k**n, "times": n * k},
    statement=r"""
        $k$-means has $@k$ centres and $@n$ points, and ties are always broken in the same way. Fill the gaps. When the points are assigned,
        the sum of squared distances does not increase, because **(1)**. When the centres move, it does not increase either, because **(2)**.
        There are at most **(3)** ways to assign the points. It stops after finitely many rounds, because **(4)**.""",
    solution=r"""
        (1) Each term can only fall. (2) $\sum\|x_i-t_j\|^2$ is smallest for the mean. (3) $@k^{@n}=@ways$. (4) A sum that falls at each change visits no
        grouping twice.""",
)  # fmt: skip


def _draw_cover(rng: np.random.Generator) -> dict[str, Any]:
    return {"N": int(rng.integers(4, 10)), "m": int(rng.integers(2, 5))}


def _work_cover(N: int, m: int) -> dict[str, Any]:
    terms = [comb(N - 1, k) for k in range(m)]
    return {"terms": terms, "before": N - 1, "last": m - 1, "sum": sum(terms), "answer": 2 * sum(terms)}


cover = Problem(
    name="cover",
    title="Cover's count",
    kind=Numbers("labellings"),
    level=1, minutes=4, points=3,
    draw=_draw_cover,
    work=_work_cover,
    statement=r"""
        $@N$ points are in general position in $@m$ dimensions. How many of their labellings with two classes can a
        hyperplane through 0 separate?""",
    solution=r"""
        Cover's count is $2\sum_{k=0}^{@last}\binom{@before}{k}$. The terms are $@terms$, their sum is $@sum$, and twice that is
        $@answer$.""",
    mistakes=(
        Misconception("if the factor 2 is forgotten", lambda sum: sum, 0.5),
        Misconception("if the binomial coefficients choose from n instead of n - 1",
             lambda N, m: 2 * sum(comb(N, k) for k in range(m)), 0.5),
        Misconception("if the sum has one term more, as for hyperplanes with a bias",
             lambda N, m: 2 * sum(comb(N - 1, k) for k in range(m + 1)) if N > m + 1 else None, 0.5),
        Misconception("if all labellings are counted", lambda N: 2**N, 0.25),
    ),
)  # fmt: skip


recursion = Problem(
    name="recursion",
    title="The recursion of Cover's count",
    kind=Gaps((
        Gap("some hyperplane of this labelling passes through the new point", (
            ("the new point lies far away", "The distance does not matter, because a hyperplane through 0 depends on directions alone."),
            ("both classes have the same number of points", "The number of points on each side does not matter."),
        )),
        Gap("hyperplanes through 0 and the new point are hyperplanes in one dimension less", (
            ("the new point is left out", "It is used, because the hyperplane must pass through it."),
            ("each labelling of the old points belongs to two hyperplanes", "It belongs to infinitely many or to none."),
        )),
        Gap("$@sum$", (
            ("$@double$", "Not every labelling of the old points allows both labels of the new one."),
            ("$@old$", "That counts each old labelling once, but some allow both labels of the new point."),
        )),
    )),
    level=3, minutes=7, points=3,
    draw=lambda rng: {"N": int(rng.integers(4, 9)), "m": int(rng.integers(3, 5))},
    work=lambda N, m: {"old": _splits(N, m), "less": _splits(N, m - 1), "double": 2 * _splits(N, m), "before": m - 1,
                       "sum": _splits(N, m) + _splits(N, m - 1), "more": N + 1},
    statement=r"""
        Hyperplanes through 0 make $C(@N,@m)=@old$ labellings of $@N$ points in general position in $@m$ dimensions, and $@less$ in
        $@before$ dimensions. One more point in general position is added. Fill the gaps. A labelling of the old points allows
        both labels of the new point exactly if **(1)**. There are as many such labellings as in $@before$ dimensions,
        because **(2)**. So the number of labellings of $@more$ points is **(3)**.""",
    solution=r"""
        (1) Turn that hyperplane a little to either side. (2) Project along the new point. (3) $C(n+1,d)=C(n,d)+C(n,d-1)=@old+@less=@sum$.""",
)  # fmt: skip


def _splits(N: int, m: int) -> int:
    return _work_cover(N, m)["answer"]


PROBLEMS = (cover, lloyd, winner, share, lms, stages, monotone, ends, recursion)
