"""Exercise 9.5: the kernel of Weisfeiler and Lehman."""

from __future__ import annotations

from collections import Counter

import numpy as np

from kcourse.chapters.ch09_rkhs.space import CHAPTER
from kcourse.checks.spec import Changed, Exercise, Misconception, Promise, Property, attempts, telling

__all__ = ["WL_KERNEL"]

_GRAPHS = "Graphs: what does not depend on the numbering"


def wl_kernel(G, H, h):
    """Σ_t Σ_c N_c(G) N_c(H) over the rounds 0 … h."""
    return _rounds(G, H, h)


def _neighbours(edges, n):
    near = [[] for _ in range(n)]
    for u, v in edges:
        near[u].append(v)
        near[v].append(u)
    return near


def _rounds(
    G,
    H,
    h,
    *,
    own=True,
    gather=lambda around: tuple(sorted(around)),
    apart=False,
    first=0,
    last_alone=False,
    one_way=False,
    bag=False,
    each=lambda n, m: n * m,
):
    """``apart``: each graph numbers its colours alone, as they come; "sorted": in their order."""
    near = [_neighbours(edges, len(names)) for edges, names in (G, H)]
    if one_way:
        near = [[[v for u, v in edges if u == i] for i in range(len(names))] for edges, names in (G, H)]
    colors, parts = [list(G[1]), list(H[1])], []
    for _ in range(h + 1):
        N, M = map(Counter, colors)
        parts.append(sum(each(n, M[c]) for c, n in N.items() if c in M))
        tables: list[dict] = [{}, {}] if apart else [{}] * 2
        mixed = [
            [_key(c[i], [c[j] for j in near_of[i]], own, bag, gather) for i in range(len(c))]
            for c, near_of in zip(colors, near, strict=True)
        ]
        for graph, table in zip(mixed, tables, strict=True):
            for m in sorted(graph) if apart == "sorted" else graph:
                table.setdefault(m, len(table))
        colors = [[table[m] for m in graph] for graph, table in zip(mixed, tables, strict=True)]
    return parts[-1] if last_alone else sum(parts[first:])


def _key(color, around, own, bag, gather):
    """What a new colour is made of."""
    if bag:
        return gather([color, *around])
    return color if own else None, gather(around)


def _how(**how):
    return lambda G, H, h: _rounds(G, H, h, **how)


def _earlier(G, H, h):
    if h == 0:
        raise ValueError("before the first round there is none: the names may or may not be counted")
    return G, H, h - 1


def _in_texts(G, H, h, recolour):
    """Colours are texts, and ``recolour(colours, neighbours)`` those of the next round."""
    near = [_neighbours(edges, len(names)) for edges, names in (G, H)]
    colors, total = [list(G[1]), list(H[1])], 0
    for _ in range(h + 1):
        N, M = map(Counter, colors)
        total += sum(n * M[c] for c, n in N.items())
        colors = [recolour(c, near_of) for c, near_of in zip(colors, near, strict=True)]
    return total


def _join(c, near):
    """The old colour and those around it, with nothing between them."""
    return [c[i] + "".join(sorted(c[j] for j in near[i])) for i in range(len(c))]


def _overwritten(G, H, h):
    """Each new colour overwrites the old one before the next atom has looked at it."""
    numbers: dict[tuple, str] = {}  # of colours: written out, they would be twice as long with every atom

    def overwrite(c, near):
        for i in range(len(c)):
            c[i] = numbers.setdefault((c[i], *sorted(c[j] for j in near[i])), str(len(numbers)))
        return c

    return _in_texts(G, H, h, overwrite)


def _skeletons(rng):
    """Two trees of carbon, whose joined colours are only numbers of letters, and alike where they should not be."""
    for _ in attempts("wl_kernel"):
        G, H = (([(int(rng.integers(max(0, i - 3), i)), i) for i in range(1, n)], "C" * n) for n in (8, 9))
        if _in_texts(G, H, 2, _join) != _rounds(G, H, 2) and _rounds(G, H, 2, last_alone=True):
            return G, H, 2


def _molecule(rng, n):
    """A tree with a ring or two, atoms C, N and O."""
    edges = [(int(rng.integers(max(0, i - 3), i)), i) for i in range(1, n)]
    extra = {(int(min(p)), int(max(p))) for p in (rng.permutation(n)[:2] for _ in range(2))} - set(edges)
    edges += sorted(extra)
    return edges, "".join(rng.choice(list("CCCNO"), n))


def _molecules(rng):
    """Pairs of molecules, the second a changed copy of the first, so that the last round still has common colours."""
    for _ in attempts("wl_kernel"):
        found = []
        for n, h in ((7, 2), (9, 1), (8, 3)):
            edges, names = _molecule(rng, n)
            at, letter = int(rng.integers(n)), str(rng.choice(list("CNO")))
            order = rng.permutation(n)
            moved = [(int(order[u]), int(order[v])) for u, v in edges]
            changed = list(names)
            changed[at] = letter
            renamed = "".join(changed[int(i)] for i in np.argsort(order))
            found.append(((edges, names), (moved + [(int(order[at]), n)], renamed + "O"), h))
        found.append(_skeletons(rng))
        if not all(_rounds(*args, last_alone=True) for args in found):
            continue
        if telling(found, wl_kernel, [mistake.wrong for mistake in WL_KERNEL.misconceptions]):
            return found


def _names_alone(rng):
    return [(_molecule(rng, n), _molecule(rng, m), 0) for n, m in ((5, 7), (8, 6))]


_W = "chain = ([(0, 1), (1, 2)], 'CCC'); ring = ([(0, 1), (1, 2), (2, 0)], 'CCC')\n" \
    "butane = ([(0, 1), (1, 2), (2, 3)], 'CCCC'); star = ([(0, 1), (0, 2), (0, 3)], 'CCCC')\n"  # fmt: skip
_STEP = f"Read “{_GRAPHS}” again, *Neighbourhoods*"

WL_KERNEL = Exercise(
    name="wl_kernel",
    chapter=CHAPTER,
    number="9.5",
    returns="the kernel, one whole number",
    reference=wl_kernel,
    properties=(
        Property("counts common colours of all rounds", 3, _molecules),
        Property(
            "counts the names alone for h = 0",
            1,
            _names_alone,
            hint="Your answer fails only for h = 0: then the colours are the names of the atoms, and nothing is refined.",
        ),
    ),
    promises=(
        Promise("have common colours in the last round, too", lambda G, H, h: _rounds(G, H, h, last_alone=True) > 0, of=(0, 1)),
        Promise("have no rounds", lambda G, H, h: h == 0, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "sets of neighbours",
            _how(gather=lambda around: tuple(sorted(set(around)))),
            "Your combination knows which colours the neighbours have, not how many of each: a multiset, not a set.",
            f"{_STEP}: its own colour and the multiset of its neighbours'.",
            _W + "print(wl_kernel(butane, star, 1))   # two neighbours or three: 16 + 6, should print 22",
        ),
        Misconception(
            "joined without a sign between",
            lambda G, H, h: _in_texts(G, H, h, _join),
            "You join the texts of an atom and of its neighbours with nothing between them: CC with C, and C with CC, become one "
            "colour.",
            f"{_STEP}: equal combinations get equal numbers, and no others.",
            "tree = ([(0, 1), (0, 2), (0, 3), (1, 4)], 'CCCCC'); path = ([(0, 1), (0, 2), (1, 3), (2, 4)], 'CCCCC')\n"
            "print(wl_kernel(tree, path, 2))   # colours as numbers: should print 36",
        ),
        Misconception(
            "last round alone",
            _how(last_alone=True),
            "You count the colours of the last round; (12) adds those of all rounds, the names included.",
            f"{_STEP}: equation (12), t from 0 to h.",
            _W + "print(wl_kernel(chain, ring, 2))   # 9 by the names, 3 more, nothing more: should print 12",
        ),
        Misconception(
            "names not counted",
            _how(first=1),
            "Round 0, the names themselves, is missing in the sum.",
            f"{_STEP}: equation (12), t from 0 to h.",
            _W + "print(wl_kernel(chain, ring, 1))   # 9 by the names, 3 more: should print 12",
        ),
        Misconception(
            "own colour left out",
            _how(own=False),
            "The new colour depends on the neighbours only; the atom's own colour belongs to it.",
            f"{_STEP}: its own colour *and* its neighbours'.",
            "print(wl_kernel(([(0, 1)], 'CN'), ([(0, 1)], 'NN'), 1))   # N beside N is not C beside N: should print 2",
        ),
        Misconception(
            "a table for each graph",
            _how(apart=True),
            "Each graph numbers its colours for itself, so that 1 here and 1 there mean different things. One table for both.",
            f"{_STEP}: equal combinations, in whatever molecule, get equal numbers.",
            _W + "print(wl_kernel(chain, ring, 1))   # an end of the chain is like nobody of the ring: should print 12",
        ),
        Misconception(
            "a sorted table for each graph",
            _how(apart="sorted"),
            "Each graph sorts and numbers its colours for itself, so that 1 here and 1 there mean different things. One table for both.",
            f"{_STEP}: equal combinations, in whatever molecule, get equal numbers.",
            _W + "print(wl_kernel(star, ring, 1))   # no atom of the star is like one of the ring: should print 12",
        ),
        Misconception(
            "one round too few",
            Changed(wl_kernel, _earlier),
            "You stop after h - 1 rounds: range(h) rounds of refining, and counts before the first and after each.",
            f"{_STEP}: equation (12), t from 0 to h.",
            _W + "print(wl_kernel(chain, ring, 0), wl_kernel(chain, ring, 1))   # should print 9 and 12",
        ),
        Misconception(
            "one round too many",
            Changed(wl_kernel, lambda G, H, h: (G, H, h + 1)),
            "You count after h + 1 rounds: t runs from 0 to h, and round 0 are the names.",
            f"{_STEP}: equation (12), t from 0 to h.",
            _W + "print(wl_kernel(chain, ring, 0))   # the names alone: should print 9",
        ),
        Misconception(
            "own colour in the bag",
            _how(bag=True),
            "You throw the atom's own colour into one bag with its neighbours'; then C beside N looks like N beside C. Keep it apart.",
            f"{_STEP}: its own colour *and* the multiset of its neighbours'.",
            "print(wl_kernel(([(0, 1)], 'CN'), ([(0, 1)], 'CN'), 1))   # two names, two combinations: should print 2 + 2",
        ),
        Misconception(
            "number and kinds of neighbours",
            _how(gather=lambda around: (len(around), tuple(sorted(set(around))))),
            "Your combination knows how many neighbours there are and which colours, not how many of each: a multiset.",
            f"{_STEP}: the multiset of its neighbours' colours.",
            "star = [(0, 1), (0, 2), (0, 3)]\n"
            "print(wl_kernel((star, 'CCCN'), (star, 'CCNN'), 1))   # 8 by the names, 4 by the leaves: should print 12",
        ),
        Misconception(
            "number of neighbours alone",
            _how(gather=len),
            "Your combination knows how many neighbours there are, and not which colours they have.",
            f"{_STEP}: its own colour and the multiset of its neighbours' colours.",
            "print(wl_kernel(([(0, 1)], 'CN'), ([(0, 1)], 'CC'), 1))   # 2 by the names; C beside N is not C beside C: should print 2",
        ),
        Misconception(
            "edges one way",
            _how(one_way=True),
            "Your neighbours are those at the end of an edge (u, v) seen from u; v has u for a neighbour, too.",
            f"{_STEP}: a bond joins both ways; the list has each once.",
            _W + "print(wl_kernel(butane, ([(1, 0), (2, 1), (3, 2)], 'CCCC'), 1))   # the same chain: should print 16 + 8",
        ),
        Misconception(
            "neighbours in their order",
            _how(gather=tuple),
            "Your combinations depend on the order of the neighbours, and so on how the atoms are numbered. Sort them.",
            f"{_STEP}: a multiset has no order.",
            "print(wl_kernel(([(0, 1), (0, 2)], 'CNO'), ([(0, 2), (0, 1)], 'CNO'), 1))   # one molecule: should print 3 + 3",
        ),
        Misconception(
            "the smaller of the counts",
            _how(each=min),
            "You take the smaller of the two counts of a colour; (12) multiplies them.",
            f"{_STEP}: equation (12).",
            _W + "print(wl_kernel(butane, star, 0))   # four against four: should print 16",
        ),
        Misconception(
            "colours changed in place",
            _overwritten,
            "A new colour stands in the list before the next atom has looked at its neighbours' old ones. Fill a new list.",
            f"{_STEP}: all atoms of a round look at the colours of the round before.",
            _W + "print(wl_kernel(chain, chain, 1))   # 3 · 3, then two ends and a middle: should print 9 + 5",
        ),
        Misconception(
            "normalised",
            lambda G, H, h: _rounds(G, H, h) / np.sqrt(_rounds(G, G, h) * _rounds(H, H, h)),
            "You return the cosine; here the kernel itself is asked for, a whole number.",
            f"{_STEP}: equation (12).",
            _W + "print(wl_kernel(butane, butane, 1))   # 4 · 4, then two ends and two between: should print 24",
        ),
        Misconception(
            "divided by the sizes",
            lambda G, H, h: _rounds(G, H, h) / (len(G[1]) * len(H[1])),
            "You divide by the numbers of atoms; here the kernel itself is asked for, a sum of products of counts.",
            f"{_STEP}: equation (12).",
            _W + "print(wl_kernel(ring, ring, 0))   # three against three: should print 9, not 1",
        ),
        Misconception(
            "each colour once",
            _how(each=lambda n, m: 1),
            "You count the colours that both have, each once; (12) multiplies how often they occur.",
            f"{_STEP}: equation (12).",
            _W + "print(wl_kernel(ring, ring, 0))   # three against three: should print 9",
        ),
    ),
    step=f"{_STEP}: colours, refined h times with one table for both graphs, and equation (12).",
    experiment=_W + "print([wl_kernel(chain, ring, h) for h in (0, 1, 2)])   # should print 9, 12, 12\n"
    "print([wl_kernel(butane, star, h) for h in (0, 1, 2)])   # should print 16, 22, 22",
    sizes=lambda G, H, h: {"n": len(G[1]), "m": len(H[1]), "h": h},
)  # fmt: skip
