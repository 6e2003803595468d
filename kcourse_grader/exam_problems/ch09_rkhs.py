"""Exam problems on reproducing kernels, strings and graphs."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Free, Gap, Gaps, Misconception, Numbers, Problem, Step, Unfit
from kcourse.paper_problems.exact import fit


def _draw_other_end(rng: np.random.Generator) -> dict[str, Any]:
    L = int(rng.integers(3, 7))
    return {"L": L, "c": int(rng.integers(2, 6)), "x0": int(rng.integers(1, L)), "v": int(rng.integers(2, 6))}


def _work_other_end(L: int, c: int, x0: int, v: int) -> dict[str, Any]:
    own, norm = Fraction(L - x0, c), Fraction(c * v * v, L - x0)
    fit(own, norm, denominator=20)
    return {"own": own, "alpha": v / own, "square": v * v, "norm": norm, "answer": (own, norm)}


other_end = Problem(
    name="other_end",
    title="Functions that end at 0",
    kind=Free((
        Step(r"writes $f(x)=-\int_x^{@L}f'(y)\,dy$ and finds the slope $k_x'(y)=-\tfrac1{@c}\mathbf 1\{y\ge x\}$", 2),
        Step(r"finds $k_x(y)=(@L-\max(x,y))/@c$, and says that it is in the space because $k_x(@L)=0$", 2),
        Step("draws a curve that is constant at $@own$ up to $y=@x0$ and then falls in a straight line to 0 at $y=@L$", 1),
        Step(r"shows that $f=\alpha k_{@x0}$ has the smallest norm, by a residual that is orthogonal to $k_{@x0}$ or by the Cauchy–Schwarz inequality", 2),
        Step(r"finds $\|f\|^2=@norm$", 1),
    )),
    level=3, minutes=13, points=8,
    draw=_draw_other_end,
    work=_work_other_end,
    statement=r"""
        Let $\mathcal H$ contain the functions on $[0,@L]$ that are absolutely continuous with $\int f'^2<\infty$ and $f(@L)=0$, with the inner product
        $\langle f,g\rangle=@c\int_0^{@L}f'(y)\,g'(y)\,dy$. The value $f(0)$ is free.

        (a) Find $k_x$ in $\mathcal H$ with $f(x)=\langle f,k_x\rangle$ for all $f$ in $\mathcal H$, and the kernel.

        (b) Sketch $k_{@x0}$. Give its value up to its bend, the bend, and where it is 0.

        (c) Which function with $f(@x0)=@v$ has the smallest norm? Give a proof, and find $\|f\|^2$.""",
    solution=r"""
        (a) Because $f(@L)=0$,
        $$f(x)=-\int_x^{@L}f'(y)\,dy=@c\int_0^{@L}f'(y)\Bigl(-\frac1{@c}\mathbf 1\{y\ge x\}\Bigr)dy=\langle f,k_x\rangle\quad\text{if}\quad k_x'(y)=-\frac1{@c}\mathbf 1\{y\ge x\}.$$
        The function with this slope that is 0 at $@L$ is $k_x(y)=\int_y^{@L}\tfrac1{@c}\mathbf 1\{u\ge x\}\,du=\tfrac1{@c}(@L-\max(x,y))$. It is in $\mathcal H$. The kernel is
        $k(x,z)=\langle k_x,k_z\rangle=\tfrac1{@c}(@L-\max(x,z))$.

        (b) $k_{@x0}$ is constant at $k(@x0,@x0)=@own$ up to the bend at $y=@x0$. Then it falls in a straight line with the slope $-\tfrac1{@c}$, and it is 0 at $y=@L$.

        (c) Split $f=\alpha k_{@x0}+v$ with $v$ orthogonal to $k_{@x0}$. Then $v(@x0)=\langle v,k_{@x0}\rangle=0$, so $v$ does not change the value at $@x0$, but
        $\|f\|^2=\alpha^2\|k_{@x0}\|^2+\|v\|^2$. So $v=0$ for the smallest norm. From $\alpha\,k(@x0,@x0)=@v$ follows $\alpha=@alpha$, and
        $\|f\|^2=\alpha^2k(@x0,@x0)=@square/@own=@norm$.""",
)  # fmt: skip


def _draw_difference(rng: np.random.Generator) -> dict[str, Any]:
    p, q = sorted(int(v) for v in rng.choice(np.arange(1, 10), 2, replace=False))
    return {
        "x1": Fraction(p, 10),
        "x2": Fraction(q, 10),
        "lam": Fraction(int(rng.integers(1, 10)), 10),
        "y": int(rng.integers(1, 7)),
    }


def _work_difference(x1: Fraction, x2: Fraction, lam: Fraction, y: int) -> dict[str, Any]:
    D = x2 - x1
    c = y / (D + lam)
    if D < Fraction(1, 5) or c.denominator > 3:
        raise Unfit("a short step, or long fractions")
    return {"D": D, "sum": D + lam, "c": c, "top": c * D, "answer": (c, c * D)}


difference = Problem(
    name="difference",
    title="A measured difference of two values",
    kind=Free((
        Step("writes the difference as $\\langle f,u\\rangle$ with $u=k_{x_2}-k_{x_1}$", 1),
        Step("splits $f=c\\,u+v$ with $v$ orthogonal to $u$, and says that $v$ does not change the loss but adds to the norm", 2),
        Step(r"finds $\|u\|^2=x_2-x_1=@D$", 1),
        Step(r"minimises $(y-c\,\|u\|^2)^2+\lambda c^2\|u\|^2$ and finds $c=@c$", 2),
        Step("draws a curve that is 0 up to $@x1$, straight up to the value $@top$ at $@x2$, and constant from there on", 1),
    )),
    level=3, minutes=13, points=7,
    draw=_draw_difference,
    work=_work_difference,
    statement=r"""
        In the space of functions on $[0,1]$ with $f(0)=0$ and $\langle f,g\rangle=\int_0^1f'g'$, whose kernel is $\min(x,z)$, only the difference of the values at $x_1=@x1$ and $x_2=@x2$ was
        measured, $f(x_2)-f(x_1)\approx y$ with $y=@y$. Minimise
        $$\bigl(y-(f(x_2)-f(x_1))\bigr)^2+\lambda\,\|f\|^2\qquad\text{with }\lambda=@lam.$$

        (a) Show that every minimiser is a multiple of $u=k_{x_2}-k_{x_1}$.

        (b) Find the minimiser.

        (c) Sketch it on $[0,1]$, with its bends and its values there.""",
    solution=r"""
        (a) By the reproducing property $f(x_2)-f(x_1)=\langle f,k_{x_2}\rangle-\langle f,k_{x_1}\rangle=\langle f,u\rangle$. Split $f=c\,u+v$ with $v$ orthogonal to $u$. Then
        $\langle f,u\rangle=c\,\|u\|^2$ does not depend on $v$, but $\|f\|^2=c^2\|u\|^2+\|v\|^2$. Because $\lambda>0$, every minimiser has $v=0$.

        (b) $\|u\|^2=k(x_2,x_2)-2k(x_1,x_2)+k(x_1,x_1)=x_2-2x_1+x_1=x_2-x_1=@D$. The criterion is $(y-c\,\|u\|^2)^2+\lambda c^2\|u\|^2$. Its derivative with respect to $c$ is
        $-2\|u\|^2(y-c\,\|u\|^2)+2\lambda c\,\|u\|^2$. It is 0 for $c\,(\|u\|^2+\lambda)=y$, so $c=@y/@sum=@c$. The second derivative is positive, so this is the minimum. The minimiser is
        $f=@c\,(k_{x_2}-k_{x_1})$.

        (c) $u$ has the slope 1 between $x_1$ and $x_2$, and 0 elsewhere. So $f$ is 0 up to $@x1$, rises in a straight line with the slope $@c$ to $@c\cdot@D=@top$ at $@x2$, and is
        constant from there on.""",
)  # fmt: skip


LETTERS = ("ab", "AT", "CG", "KL")


def _work_same_counts(n: int, letters: int, side: int) -> dict[str, Any]:
    m, (A, B) = (n - 1) // 2, LETTERS[letters]
    five = ["".join(A if c == "a" else B for c in text)[::side] for text in ("abaab", "aabab")]
    third, fourth = (each + (A + B) * (m - 2) if side > 0 else (B + A) * (m - 2) + each for each in five)
    words = ("begin", "first", "second", "follows") if side > 0 else ("end", "last", "first", "comes before")
    return {"m": m, "more": m + 1, "A": A, "B": B, "AA": A + A, "AB": A + B, "BA": B + A, "twice": (A + B, B + A)[side < 0],
            "once": (B + A, A + B)[side < 0], "one": five[0], "two": five[1], "first": (A + B) * m + A, "second": (B + A) * m + B,
            "third": third, "fourth": fourth, "half": (n * n - 1) // 2, "own": (n * n + 1) // 2, "answer": Fraction(n * n - 1, n * n + 1),
            "start": words[0], "outer": words[1], "place": words[2], "inner": ("end", "begin")[side < 0], "rest": words[3]}  # fmt: skip


same_counts = Problem(
    name="same_counts",
    title="What the counts of 2-mers determine",
    kind=Free((
        Step("gives a counterexample to (a), such as @first and @second, with its counts of 2-mers", 2),
        Step("finds the cosine for $k=1$, here $@answer$ (or the correct cosine of another counterexample)", 1),
        Step("proves (b): each letter except the @outer is the @place letter of exactly one 2-mer", 2),
        Step("gives a counterexample to (c), such as @third and @fourth, with its counts of 2-mers", 2),
    )),
    level=2, minutes=12, points=7,
    draw=lambda rng: {"n": int(rng.choice([7, 9, 11, 13])), "letters": int(rng.integers(4)), "side": int(rng.choice([-1, 1]))},
    work=_work_same_counts,
    statement=r"""
        Strings consist of the letters @A and @B. Is each statement true or false? Give a proof, or a counterexample of two strings that have $@n$ letters each.

        (a) Two strings that have the same counts of 2-mers have the same counts of letters. If you give a counterexample, find the normalised spectrum kernel (the cosine) of your two strings for
        $k=1$.

        (b) Two strings that have the same counts of 2-mers and @start with the same letter have the same counts of letters.

        (c) Two strings that have the same counts of 2-mers and @start with the same letter are equal.""",
    solution=r"""
        (a) False. The strings @first and @second have the 2-mers @AB and @BA $@m$ times each, and no others. But the letter @A occurs $@more$ times in the first and $@m$ times in the second. For $k=1$ the spectrum
        kernel of the two strings is $2\cdot@more\cdot@m=@half$, and that of each string with itself is $@more^2+@m^2=@own$. The cosine is $@half/@own=@answer$.

        (b) True. Each letter of a string except the @outer is the @place letter of exactly one 2-mer. So the letter @A occurs $N_{\text{@AA}}+N_{\text{@once}}$ times, and once more if the string
        @{start}s with @A. The counts of 2-mers and the @outer letter determine this number, and likewise for @B.

        (c) False. The strings @third and @fourth both @start with @A. Their @outer five letters, @one and @two, both have the 2-mers @twice twice, @AA once and @once once, and both @inner with @B. What @rest
        is the same in both strings, so all counts of 2-mers are equal.""",
)  # fmt: skip


def _ring(n: int, rings: int = 1) -> list[int]:
    """Pairs of atoms 1, 2, … bonds apart."""
    return [rings * (n if 2 * ell < n else n // 2) for ell in range(1, n // 2 + 1)]


def _work_rings(n: int, h: int) -> dict[str, Any]:
    one, two = _ring(n), _ring(n // 2, 2)
    away = [a - b for a, b in zip(one, [*two, *[0] * len(one)], strict=False)]
    return {"half": n // 2, "one": one, "two": two, "rounds": h + 1, "square": n * n, "kernel": (h + 1) * n * n, "far": n // 2,
            "away": away, "distance": sum(d * d for d in away), "answer": ((h + 1) * n * n, sum(d * d for d in away))}  # fmt: skip


rings = Problem(
    name="rings",
    title="A ring and two rings of half its size",
    kind=Free((
        Step("shows by induction that in each round all atoms of both graphs have the same colour", 2),
        Step("finds $k(G,H)=@kernel$", 1),
        Step(r"finds $@n\cdot2^p$ walks of length $p$ in both graphs, so that also the walks do not distinguish them", 1),
        Step("counts the pairs: $@one$ in $G$ and $@two$ in $H$", 2),
        Step("finds $@distance$, and says that shortest paths distinguish the graphs", 1),
    )),
    level=2, minutes=12, points=7,
    draw=lambda rng: {"n": int(rng.choice([8, 10, 12, 14])), "h": int(rng.integers(2, 7))},
    work=_work_rings,
    statement=r"""
        All atoms have the same name. $G$ is a ring of $@n$ atoms, and $H$ consists of two rings of $@half$ atoms each.

        (a) Show that the Weisfeiler–Lehman kernel cannot distinguish $G$ and $H$, whatever the number of rounds, and find $k(G,H)$ for $@h$ rounds after round 0.

        (b) How many walks of length $p$ does each of the two graphs have?

        (c) Count in both graphs the pairs of atoms that are $1,2,3,\dots$ bonds apart (each pair once). Find
        $\|\varphi(G)-\varphi(H)\|^2$ for the features of the shortest-path kernel, where only atoms that are connected are counted.""",
    solution=r"""
        (a) In round 0 all atoms have the same colour, their name. Suppose that in some round all atoms of both graphs have the same colour. Each atom has two neighbours, so all atoms have the same combination
        of their own colour and the colours of their neighbours. So they have the same colour in the next round too. In each round there is one colour with the count $@n$ in both graphs. The rounds
        $0,\dots,@h$ contribute $@n^2$ each, so $k(G,H)=@rounds\cdot@square=@kernel$.

        (b) From each atom there are two ways to go on in each step. So each graph has $@n\cdot2^p$ walks of length $p$.

        (c) In a ring each atom has two atoms at each distance below half the size, and one at half the size if the size is even. Each pair is counted once. This gives for $1,2,\dots$ bonds in $G$
        $@one$ pairs, and in the two rings of $H$ together $@two$. The differences are $@away$, and the sum of their squares is $\|\varphi(G)-\varphi(H)\|^2=@distance$. It is not 0, so shortest paths
        distinguish the two graphs.""",
)  # fmt: skip


def _draw_precision(rng: np.random.Generator) -> dict[str, Any]:
    return {"a1": Fraction(int(rng.choice([80, 90, 95, 96])), 100), "b1": Fraction(int(rng.choice([4, 5, 8, 10])), 100),
            "a2": Fraction(int(rng.choice([40, 50, 60])), 100), "b2": Fraction(int(rng.choice([1, 2])), 100), "r": int(rng.choice([11, 21, 41, 51]))}  # fmt: skip


def _work_precision(a1: Fraction, b1: Fraction, a2: Fraction, b2: Fraction, r: int) -> dict[str, Any]:
    p1, p2, half = a1 / (a1 + b1 * (r - 1)), a2 / (a2 + b2 * (r - 1)), b1 / (a1 + b1)
    if b2 / a2 >= b1 / a1 / 2:
        raise Unfit("nearly the same ratio")
    fit(p1, p2, half, denominator=40)
    accuracies = (1 + a1 - b1) / 2, (1 + a2 - b2) / 2
    return {"ratio1": b1 / a1, "ratio2": b2 / a2, "odds": r - 1, "p1": p1, "p2": p2, "half": half, "acc1": accuracies[0],
            "acc2": accuracies[1], "answer": (*accuracies, p1, p2, half)}  # fmt: skip


precision = Problem(
    name="precision",
    title="Accuracy in the file and precision in the laboratory",
    kind=Free((
        Step("finds both accuracies, $@acc1$ and $@acc2$", 1),
        Step("writes the precision as a share of the selected candidates, with the base rate", 1),
        Step(r"divides by the first term and finds $1/(1+\tfrac{q}{p}\cdot\tfrac{1-b}{b})$, which depends on the classifier only through $q/p$", 2),
        Step("finds the precisions $@p1$ and $@p2$ and says that the statement is false", 2),
        Step("finds the base rate $@half$", 1),
    )),
    level=2, minutes=11, points=7,
    draw=_draw_precision,
    work=_work_precision,
    statement=r"""
        A classifier finds the share $p$ of the peptides that kill bacteria, and it also selects the share $q$ of those that do not. Classifier A has
        $p=@a1$ and $q=@b1$. Classifier B has $p=@a2$ and $q=@b2$. In the file one half of the peptides kill. Of the candidates of a laboratory the share $b$ kills.

        (a) Find the accuracy of both classifiers in the file.

        (b) Show that the precision (the share of the selected candidates that kill) depends on the classifier only through $q/p$.

        (c) True or false, with a reason: the classifier that is more accurate in the file also has the larger precision in the laboratory. Find both precisions for $b=\tfrac1{@r}$.

        (d) From which base rate $b$ on is the precision of A at least $\tfrac12$?""",
    solution=r"""
        (a) Half of the peptides kill, and of these the share $p$ is classified correctly. Of the other half it is the share $1-q$. So the accuracy is $\tfrac12(p+1-q)$, which is $@acc1$ for A
        and $@acc2$ for B.

        (b) Of all candidates the share $p\,b$ is selected and kills, and the share $q\,(1-b)$ is selected and does not kill. So the precision is
        $$\frac{p\,b}{p\,b+q\,(1-b)}=\frac1{1+\frac qp\cdot\frac{1-b}b}.$$

        (c) For $b=\tfrac1{@r}$ we have $(1-b)/b=@odds$. With $q/p=@ratio1$ the precision of A is $1/(1+@ratio1\cdot@odds)=@p1$. With $q/p=@ratio2$ the precision of B is
        $1/(1+@ratio2\cdot@odds)=@p2$. The statement is false: A is more accurate in the file, but B has the larger precision, because its $q/p$ is smaller. By (b) this holds for every $b$ between 0 and 1.

        (d) The precision is at least $\tfrac12$ if $p\,b\ge q\,(1-b)$, that is for $b\ge q/(p+q)=@half$.""",
)  # fmt: skip


def _draw_sines(rng: np.random.Generator) -> dict[str, Any]:
    return {"a": int(rng.integers(-5, 6)), "b": int(rng.integers(-4, 5)), "j": int(rng.choice([3, 5]))}


def _work_sines(a: int, b: int, j: int) -> dict[str, Any]:
    end = a + (b if j == 5 else -b)
    if min(abs(a), abs(b)) < 2 or end == 0 or abs(a) == abs(b):
        raise Unfit("nothing to see")
    return {
        "end": end,
        "sign": 1 if j == 5 else -1,
        "squares": a * a + j * j * b * b,
        "answer": [Fraction(a * a + j * j * b * b, 8), end**2],
    }


sines = Problem(
    name="sines",
    title="The norm of a sum of two sines",
    kind=Numbers(("q", "smallest squared norm")),
    level=2, minutes=6, points=4,
    draw=_draw_sines,
    work=_work_sines,
    statement=r"""
        In the space of functions on $[0,1]$ with $f(0)=0$ and $\langle f,g\rangle=\int_0^1f'g'$ let $f(x)=@a\,\sin\bigl(\tfrac\pi2x\bigr)@{+b}\,\sin\bigl(\tfrac{@j\pi}2x\bigr)$. Its squared norm is
        $\|f\|^2=q\,\pi^2$. What is $q$? What is the smallest squared norm of all functions of this space that have the same value as $f$ at $x=1$?""",
    solution=r"""
        The two sines are orthogonal, and $\int_0^1\bigl(\tfrac{j\pi}2\bigr)^2\cos^2\bigl(\tfrac{j\pi}2x\bigr)dx=\tfrac{j^2\pi^2}8$ for odd $j$. So $\|f\|^2=\tfrac{\pi^2}8\bigl(@{(a}^2+@j^2\cdot@{(b}^2\bigr)=\tfrac{@squares}8\pi^2$. At $x=1$
        the sines are $1$ and $@sign$, so $f(1)=@end$. The smallest squared norm is $f(1)^2/k(1,1)=f(1)^2$, which belongs to a straight line. The answers are $@answer$.""",
    mistakes=(
        Misconception("if the factor of the inner derivative is not squared", lambda a, b, j, end: [Fraction(a * a + j * b * b, 8), end**2], 0.5),
        Misconception("if the mean of the squared cosine is taken as 1 instead of a half",
             lambda squares, end: [Fraction(squares, 4), end**2], 0.5),
        Misconception("if the coefficients are squared and added, without the slopes", lambda a, b, end: [Fraction(a * a + b * b), end**2]),
        Misconception("if the value of each sine at 1 is taken as 1",
             lambda a, b, answer, end: [answer[0], (a + b) ** 2] if a + b != end else None, 0.5),
        Misconception("if the smallest norm is given without the square", lambda answer, end: [answer[0], abs(end)] if abs(end) > 1 else None, 0.75),
    ),
)  # fmt: skip


def _draw_endless_walks(rng: np.random.Generator) -> dict[str, Any]:
    r, s = (int(v) for v in rng.choice([2, 3, 4], 2, replace=False))
    n, m = (int(v) for v in rng.integers(4, 10, 2))
    if n * r % 2 or m * s % 2 or r >= n or s >= m:
        raise Unfit("no such graph")
    return {"n": n, "r": r, "m": m, "s": s, "lam": Fraction(1, max(r, s) ** 2 + int(rng.integers(1, 5)))}


def _work_endless_walks(n: int, r: int, m: int, s: int, lam: Fraction) -> dict[str, Any]:
    value = n * m / (1 - lam * r * s)
    fit(value, denominator=7)
    names = {"pairs": n * m, "degree": r * s, "share": lam * r * s, "most": max(r, s), "square": max(r, s) ** 2}
    return names | {"answer": [Fraction(1, max(r, s) ** 2), value]}


endless_walks = Problem(
    name="endless_walks",
    title="Walks of all lengths",
    kind=Numbers(("upper limit of λ", "k(G, H)")),
    level=2, minutes=6, points=4,
    draw=_draw_endless_walks,
    work=_work_endless_walks,
    statement=r"""
        All atoms have the same name. $G$ has $@n$ atoms, each with exactly $@r$ neighbours, and $H$ has $@m$ atoms, each with exactly $@s$ neighbours. The kernel counts pairs of walks of all lengths,
        $k(G,H)=\sum_{p\ge0}\lambda^p\,\mathbf 1^\top A_\times^p\mathbf 1$. Below which $\lambda$ do the series of $k(G,G)$, $k(G,H)$ and $k(H,H)$ all converge? What is $k(G,H)$ for
        $\lambda=@lam$?""",
    solution=r"""
        The product graph of $G$ and $H$ has $@n\cdot@m=@pairs$ vertices, and each has $@r\cdot@s=@degree$ neighbours. So there are $@pairs\cdot@degree^p$ walks of length $p$, and the series
        $@pairs\sum_p(@degree\lambda)^p$ converges for $\lambda<\tfrac1{@degree}$. Likewise the series of a graph with itself converges for $\lambda$ below 1 over the square of its number of neighbours. The smallest of the
        three limits is $\tfrac1{@most^2}$. For $\lambda=@lam$ the kernel is $@pairs/(1-@degree\lambda)=@pairs/(1-@share)$. The answers are $@answer$.""",
    mistakes=(
        Misconception("if only the series of two different graphs is considered", lambda degree, answer: [Fraction(1, degree), answer[1]], 0.5),
        Misconception("if a vertex of the product graph has as many neighbours as both atoms together",
             lambda r, s, lam, pairs, most: [Fraction(1, 2 * most), pairs / (1 - lam * (r + s))], 0.25),
        Misconception("if the walks of length 0 are left out", lambda pairs, answer: [answer[0], answer[1] - pairs], 0.5),
        Misconception("if the walks of both graphs are summed separately, also in pairs of different lengths",
             lambda n, m, r, s, lam, most: [Fraction(1, most), n / (1 - lam * r) * m / (1 - lam * s)]),
    ),
)  # fmt: skip


def _windows(text: str) -> list[str]:
    return [text[i : i + 3] for i in range(len(text) - 2)]


def _agree(s: str, t: str) -> list[int]:
    """At how many positions each pair of windows agrees."""
    return [sum(a == b for a, b in zip(u, v, strict=True)) for u in _windows(s) for v in _windows(t)]


def _draw_gapped(rng: np.random.Generator) -> dict[str, Any]:
    s, t = ("".join(rng.choice(list("abc"), 5)) for _ in range(2))
    return {"s": s, "t": t}


def _work_gapped(s: str, t: str) -> dict[str, Any]:
    agree = Counter(_agree(s, t))
    if s == t or agree[3] == 0 or agree[2] < 2:
        raise Unfit("nothing to count")
    return {"u": ", ".join(_windows(s)), "v": ", ".join(_windows(t)), "three": agree[3], "two": agree[2], "one": agree[1],
            "answer": 3 * agree[3] + agree[2]}  # fmt: skip


gapped = Problem(
    name="gapped",
    title="The gapped kernel of two strings",
    kind=Numbers("k(s, t)"),
    level=2, minutes=7, points=4,
    draw=_draw_gapped,
    work=_work_gapped,
    statement=r"""
        What is the gapped kernel of the strings @s and @t, without normalisation, for windows of three letters of which one is covered?""",
    solution=r"""
        The windows are @u and @v. Two windows that agree at $a$ positions contribute $\binom a2$, which is 3 for equal windows, 1 for two equal letters, and 0 otherwise. The number of pairs of equal windows is $@three$, and that of
        pairs with exactly two equal letters is $@two$. So the kernel is $3\cdot@three+@two=@answer$.""",
    mistakes=(
        Misconception("if each pair of windows with at least two equal letters is counted once", lambda three, two: three + two, 0.5),
        Misconception("if only pairs of equal windows contribute", lambda three: 3 * three, 0.25),
        Misconception("if windows are compared only at the same place of both strings",
             lambda s, t: sum(comb(_agree(s, t)[i], 2) for i in (0, 4, 8)), 0.25),
        Misconception("if the equal letters of all pairs of windows are counted",
             lambda three, two, one: 3 * three + 2 * two + one),
        Misconception("if only the letter in the middle of a window may be covered",
             lambda s, t: sum(u[0] == v[0] and u[2] == v[2] for u in _windows(s) for v in _windows(t)), 0.25),
    ),
)  # fmt: skip


def _lost(n: int, k: int, places: list[int]) -> int:
    return sum(any(start <= p < start + k for p in places) for start in range(1, n - k + 2))


def _draw_two_letters(rng: np.random.Generator) -> dict[str, Any]:
    n, k = int(rng.integers(12, 32)), int(rng.integers(3, 6))
    first = int(rng.integers(1, n - 1))
    return {"n": n, "k": k, "places": [first, first + int(rng.integers(1, k))]}


def _work_two_letters(n: int, k: int, places: list[int]) -> dict[str, Any]:
    if places[1] > n or (places[0] >= k and places[1] <= n - k + 1):
        raise Unfit("outside, or both far from the ends")
    lost = _lost(n, k, places)
    begin, end = max(1, places[0] - k + 1), min(places[1], n - k + 1)
    return {"all": n - k + 1, "lost": lost, "begin": begin, "end": end, "p": places[0], "q": places[1],
            "answer": [lost, Fraction(n - k + 1 - lost, n - k + 1)]}  # fmt: skip


two_letters = Problem(
    name="two_letters",
    title="Two changed letters",
    kind=Numbers(("lost k-mers", "cosine")),
    level=1, minutes=6, points=3,
    draw=_draw_two_letters,
    work=_work_two_letters,
    statement=r"""
        A string has $@n$ letters, and all its $@k$-mers are different. The letters at the positions $@p$ and $@q$ are changed, where 1 is the first position. The new string has only
        different $@k$-mers too, and each that contains a changed letter occurs nowhere in the old string. How many $@k$-mers of the old string are lost, and what is the normalised spectrum kernel (the cosine) of
        the two strings?""",
    solution=r"""
        There are $@n-@k+1=@all$ $@k$-mers. Those that contain one of the two letters begin at the positions from $@begin$ to $@end$, without a gap, because the distance of the two letters is less than $@k$. So $@lost$ are lost, and
        the cosine is $(@all-@lost)/@all$. The answers are $@answer$.""",
    mistakes=(
        Misconception("if each letter is taken to be in k of the k-mers, and the two losses are added",
             lambda k, all: [2 * k, Fraction(all - 2 * k, all)], 0.25),
        Misconception("if the k-mers that contain both letters are counted twice",
             lambda n, k, p, q, all: [v := _lost(n, k, [p]) + _lost(n, k, [q]), Fraction(all - v, all)], 0.5),
        Misconception("if it is forgotten that letters near an end are in fewer k-mers",
             lambda k, p, q, all: [k + q - p, Fraction(all - k - q + p, all)], 0.5),
        Misconception("if the number of k-mers is taken as the number of letters", lambda n, lost: [lost, Fraction(n - lost, n)], 0.5),
    ),
)  # fmt: skip


def _counts(text: str) -> Counter[str]:
    return Counter(text[i : i + 2] for i in range(len(text) - 1))


def _draw_learned(rng: np.random.Generator) -> dict[str, Any]:
    x, z, t = ("".join(rng.choice(list("ab"), size)) for size in (5, 5, 4))
    return {"x": x, "z": z, "t": t, "alpha": rng.choice([-3, -2, 2, 3], 2)}


def _work_learned(x: str, z: str, t: str, alpha: np.ndarray) -> dict[str, Any]:
    one, two, new = _counts(x), _counts(z), _counts(t)
    a1, a2 = (int(a) for a in alpha)
    w = {p: a1 * one[p] + a2 * two[p] for p in ("aa", "ab", "ba", "bb")}
    absent = [p for p in new if not one[p] and not two[p]]
    known = [p for p in w if one[p] and two[p] and one[p] + two[p] > 2 and w[p]]
    if x == z or not absent or not known or len(new) < 2:
        raise Unfit("no new 2-mer")
    p, value = known[0], sum(w[q] * n for q, n in new.items())
    return {"known": p, "absent": absent[0], "w": w[p], "present": a1 + a2, "plain": one[p] + two[p], "weights": list(w.values()),
            "norm": sum(v * v for v in w.values()), "squares": a1**2 + a2**2,
            "unmixed": sum(a * a * sum(n * n for n in c.values()) for a, c in ((a1, one), (a2, two))),
            "value": value, "once": sum(w.values()), "filled": value + (a1 + a2) * new[absent[0]],
            "n1": one[p], "n2": two[p], "a1": a1, "a2": a2}  # fmt: skip


learned = Problem(
    name="learned",
    title="What a function of the spectrum kernel has learned",
    kind=Gaps((
        Gap("$@w$", (
            ("$@plain$", "Each training string contributes its count times its coefficient."),
            ("$@present$", "A 2-mer that occurs several times in a string contributes as often."),
        )),
        Gap("$@norm$", (
            ("$@squares$", "The sections are not orthonormal, so their inner products are needed."),
            ("$@unmixed$", "The inner product of the two sections is not 0, so the squared norm has a mixed term."),
        )),
        Gap("$@value$", (
            ("$@once$", "The weights must be multiplied by the counts of the 2-mers in the new string."),
            ("$@filled$", "A 2-mer that occurs in no training string has the weight 0."),
        )),
    )),
    level=2, minutes=7, points=3,
    draw=_draw_learned,
    work=_work_learned,
    statement=r"""
        With the spectrum kernel for 2-mers, without normalisation, a method has found $f=@a1\,k(x_1,\cdot)@{+a2}\,k(x_2,\cdot)$ for the training strings $x_1=\text{@x}$ and
        $x_2=\text{@z}$. Write $f(x)=\sum_sw_sN_s(x)$. Fill the gaps. The weight of @known is **(1)**, and $\|f\|^2=$ **(2)**. For the new string @t the function has the value **(3)**.""",
    solution=r"""
        (1) $w_s=\sum_i\alpha_iN_s(x_i)=@{(a1}\cdot@n1@{+a2}\cdot@n2=@w$. (2) The weights of aa, ab, ba and bb are $@weights$, and $\|f\|^2=\alpha^\top K\alpha=\sum_sw_s^2=@norm$. (3) The sum of the
        weights of the 2-mers of @t, each as often as it occurs, is $@value$. The weight of @absent is 0, because it occurs in no training string.""",
)  # fmt: skip


def _chain(n: int, branch: bool = False) -> list[list[int]]:
    near = [[j for j in (i - 1, i + 1) if 0 <= j < n] for i in range(n)]
    if branch:  # one atom more, at the second atom
        near[1].append(n)
        near.append([1])
    return near


def _closed(n: int) -> list[list[int]]:
    return [[(i - 1) % n, (i + 1) % n] for i in range(n)]


def _both(one: list[list[int]], two: list[list[int]]) -> list[list[int]]:
    return one + [[j + len(one) for j in near] for near in two]


def _first_round(G: list[list[int]], H: list[list[int]]) -> int:
    """The first round in which the counts of colours differ; 0 for no round."""
    colours = [[()] * len(G), [()] * len(H)]
    for t in range(1, 12):
        colours = [
            [(c[i], tuple(sorted(c[j] for j in near))) for i, near in enumerate(g)]
            for g, c in zip((G, H), colours, strict=True)
        ]
        table = {c: i for i, c in enumerate(sorted({*colours[0], *colours[1]}))}
        colours = [[(table[c],) for c in each] for each in colours]
        if sorted(colours[0]) != sorted(colours[1]):
            return t
    return 0


def _draw_which_round(rng: np.random.Generator) -> dict[str, Any]:
    n, kind = int(rng.integers(3, 9)), int(rng.integers(4))
    G = [
        "two rings of $@n$ atoms each",
        "two chains of $@n$ atoms each",
        "two chains of $@n$ atoms each",
        "one chain of $@n$ atoms",
    ][kind]
    H = ["one ring of $@n$ atoms", "a chain of $@n$ atoms and a chain of $@m$ atoms", "a chain of $@n$ atoms and a chain of $@m$ atoms",
         "a chain of $@n$ atoms, with one more atom bonded to its second atom"][kind]  # fmt: skip
    sizes = [(2 * n, 0), (n - 1, n + 1), (n - 1, n + 1), (n - 1, 0)][kind]
    if kind == 3 and n < 4:
        raise Unfit("the same chain")
    return {
        "kind": kind,
        "n": n,
        "G": G.replace("@n", str(n)),
        "H": H.replace("@n", str(sizes[0])).replace("@m", str(sizes[1])),
    }


def _work_which_round(kind: int, n: int) -> dict[str, Any]:
    if kind == 0:
        first = _first_round(_both(_closed(n), _closed(n)), _closed(2 * n))
    elif kind == 3:
        first = _first_round(_chain(n), _chain(n - 1, branch=True))
    else:
        first = _first_round(_both(_chain(n), _chain(n)), _both(_chain(n - 1), _chain(n + 1)))
    reason = [
        "Every atom of a ring has two neighbours like itself, so in each round all atoms of both graphs have the same colour.",
        "The numbers of ends, of their neighbours, and so on, are equal in both graphs, until a round reaches the middle of the shorter chain.",
        "The numbers of ends, of their neighbours, and so on, are equal in both graphs, until a round reaches the middle of the shorter chain.",
        "Only the second graph has an atom with three neighbours.",
    ][kind]  # fmt: skip
    return {"first": first, "reason": reason, "answer": _says(first)}


def _says(first: int) -> str:
    return f"In round {first}." if first else "In no round."


which_round = Problem(
    name="which_round",
    title="In which round do the colours differ?",
    kind=Choice(),
    level=2, minutes=5, points=3,
    draw=_draw_which_round,
    work=_work_which_round,
    statement=r"""
        All atoms have the same name. $G$ consists of @G, and $H$ consists of @H. In which round of Weisfeiler–Lehman do the counts of colours of $G$ and $H$ differ for the first time? Round 0 has the names.""",
    solution=r"""
        @answer @reason""",
    mistakes=(
        Misconception("In this round the counts of colours are still equal.", lambda first: _says(first - 1) if first > 1 else None),
        Misconception("They differ in an earlier round.", lambda first: _says(first + 1) if first else None),
        Misconception("A ring has no ends, so more rounds do not cure this blindness.", lambda first, n: None if first else _says(n // 2)),
        Misconception("In round 1 a colour shows the number of neighbours, and here the counts of these numbers are equal.",
             lambda first: _says(1) if first not in (1, 2) else None),
        Misconception("The two graphs have different surroundings of some atoms, and after enough rounds the colours show this.",
             lambda first: _says(0) if first else None),
        Misconception("A colour is made of the neighbours' colours, which do not show how long a ring is.",
             lambda first, n: None if first else _says(n)),
    ),
)  # fmt: skip

PROBLEMS = (
    other_end,
    difference,
    same_counts,
    rings,
    precision,
    sines,
    endless_walks,
    gapped,
    two_letters,
    learned,
    which_round,
)
