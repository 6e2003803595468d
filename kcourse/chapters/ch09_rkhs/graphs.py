"""Exercise 9.5: the kernel of Weisfeiler and Lehman."""

from __future__ import annotations

from collections import Counter

import numpy as np

from kcourse.chapters.ch09_rkhs.space import CHAPTER
from kcourse.checks.spec import Changed, Exercise, Misconception, Promise, Property, attempts, telling

__all__ = ["WL_KERNEL"]

_GRAPHS = "Graphs: kernels that do not depend on the numbering"


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
    ranked=False,
):
    """``apart``: each graph numbers its colours alone, as they come. ``ranked``: they are numbered in order."""
    near = [_neighbours(edges, len(names)) for edges, names in (G, H)]
    if one_way:
        near = [[[v for u, v in edges if u == i] for i in range(len(names))] for edges, names in (G, H)]
    colors, parts = [list(G[1]), list(H[1])], []
    for _ in range(h + 1):
        N, M = map(Counter, colors)
        parts.append(sum(n * M[c] for c, n in N.items()))
        tables: list[dict] = [{}, {}] if apart else [{}] * 2
        mixed = [
            [_key(c[i], [c[j] for j in near_of[i]], own, bag, gather) for i in range(len(c))]
            for c, near_of in zip(colors, near, strict=True)
        ]
        if ranked:
            tables = [{m: i for i, m in enumerate(sorted({*mixed[0], *mixed[1]}))}] * 2
        for graph, table in zip(mixed, tables, strict=True):
            for m in graph:
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


def _counts_and_set(around):
    return len(around), tuple(sorted(set(around)))


def _counts_and_sum(around):
    return len(around), sum(c if isinstance(c, int) else "CNO".index(c) for c in around)


# colours of how many neighbours there are, with their set or with the sum of their numbers
_NO_MULTISETS = [
    _how(gather=_counts_and_set),
    *(_how(gather=_counts_and_sum, ranked=ranked) for ranked in (False, True)),
]


def _branches(rng):
    """Trees with five branches: the colours have one set and, in any usual numbering, one sum; H has an atom more."""
    first, last = rng.permutation(["C", "O"])
    centre = rng.choice(list("CNO"))
    edges = [*((0, i) for i in range(1, 6)), *((i, i + 5) for i in range(1, 6))]
    ends = (first, "N", last, "N", "N"), tuple(rng.permutation([first, first, "N", last, last]))
    G, H = (centre + "CCCCC" + "".join(letters) for letters in ends)
    return (edges, G), ([*edges, (H.index("N", 6), 11)], H + "C"), 2


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
        found += [_skeletons(rng), _branches(rng)]
        if not all(_rounds(*args, last_alone=True) for args in found):
            continue
        if telling(found, wl_kernel, [mistake.wrong for mistake in WL_KERNEL.misconceptions]):
            return found


def _names_alone(rng):
    return [(_molecule(rng, n), _molecule(rng, m), 0) for n, m in ((5, 7), (8, 6))]


_W = "chain = ([(0, 1), (1, 2)], 'CCC'); ring = ([(0, 1), (1, 2), (2, 0)], 'CCC')\n" \
    "butane = ([(0, 1), (1, 2), (2, 3)], 'CCCC'); star = ([(0, 1), (0, 2), (0, 3)], 'CCCC')\n"  # fmt: skip
_STEP = f"Read “{_GRAPHS}” again, *The Weisfeiler–Lehman kernel*"

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
            hint="Your answer fails only for h = 0. Then the colours are the names of the atoms.",
        ),
    ),
    promises=(
        Promise("have common colours in the last round, too", lambda G, H, h: _rounds(G, H, h, last_alone=True) > 0, of=(0, 1)),
        Promise("tell a multiset from a set and from a sum", lambda found: (
            all(any(wrong(*args) != wl_kernel(*args) for args in found) for wrong in _NO_MULTISETS)), together=True),
        Promise("have no rounds", lambda G, H, h: h == 0, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "sets of neighbours",
            _how(gather=lambda around: tuple(sorted(set(around)))),
            "You use the set of the neighbours' colours. Use the multiset, which says how many neighbours have each colour.",
            f"{_STEP}: its own colour and the multiset of its neighbours'.",
            _W + "print(wl_kernel(butane, star, 1))   # two neighbours or three: 16 + 6, should print 22",
        ),
        Misconception(
            "joined without a sign between",
            lambda G, H, h: _in_texts(G, H, h, _join),
            "You join the strings of an atom and its neighbours without a separator. Then CC with C equals C with CC. Use tuples.",
            f"{_STEP}: equal combinations get equal numbers, and no others.",
            "tree = ([(0, 1), (0, 2), (0, 3), (1, 4)], 'CCCCC'); path = ([(0, 1), (0, 2), (1, 3), (2, 4)], 'CCCCC')\n"
            "print(wl_kernel(tree, path, 2))   # colours as numbers: should print 36",
        ),
        Misconception(
            "last round alone",
            _how(last_alone=True),
            "You count only the colours of the last round. (12) adds all rounds, from the names on.",
            f"{_STEP}: equation (12), t from 0 to h.",
            _W + "print(wl_kernel(chain, ring, 2))   # 9 by the names, 3 more, nothing more: should print 12",
        ),
        Misconception(
            "names not counted",
            _how(first=1),
            "You leave out round 0, the names. The sum in (12) begins at t = 0.",
            f"{_STEP}: equation (12), t from 0 to h.",
            _W + "print(wl_kernel(chain, ring, 1))   # 9 by the names, 3 more: should print 12",
        ),
        Misconception(
            "own colour left out",
            _how(own=False),
            "You make the new colour of the neighbours only. It also contains the atom's own colour.",
            f"{_STEP}: its own colour *and* its neighbours'.",
            "print(wl_kernel(([(0, 1)], 'CN'), ([(0, 1)], 'NN'), 1))   # N beside N is not C beside N: should print 2",
        ),
        Misconception(
            "a table for each graph",
            _how(apart=True),
            "You number the colours of each graph separately, so 1 means different things in G and H. Use one table for both.",
            f"{_STEP}: equal combinations, in whatever molecule, get equal numbers.",
            _W + "print(wl_kernel(chain, ring, 1))   # only the middle of the chain is like an atom of the ring: should print 12",
        ),
        Misconception(
            "one round too few",
            Changed(wl_kernel, _earlier),
            "You stop after h - 1 rounds. (12) counts before the first round and after each of h rounds.",
            f"{_STEP}: equation (12), t from 0 to h.",
            _W + "print(wl_kernel(chain, ring, 0), wl_kernel(chain, ring, 1))   # should print 9 and 12",
        ),
        Misconception(
            "one round too many",
            Changed(wl_kernel, lambda G, H, h: (G, H, h + 1)),
            "You count after h + 1 rounds. In (12) t runs from 0 to h, and round 0 is the names.",
            f"{_STEP}: equation (12), t from 0 to h.",
            _W + "print(wl_kernel(chain, ring, 0))   # the names alone: should print 9",
        ),
        Misconception(
            "own colour in the bag",
            _how(bag=True),
            "You sort the atom's own colour together with its neighbours'. Then C beside N equals N beside C. Keep it apart.",
            f"{_STEP}: its own colour *and* the multiset of its neighbours'.",
            "print(wl_kernel(([(0, 1)], 'CN'), ([(0, 1)], 'CN'), 1))   # two names, two combinations: should print 2 + 2",
        ),
        Misconception(
            "edges one way",
            _how(one_way=True),
            "You use each edge (u, v) only from u. Each bond makes u a neighbour of v and v a neighbour of u.",
            f"{_STEP}: a bond joins both ways; the list has each once.",
            _W + "print(wl_kernel(butane, ([(1, 0), (2, 1), (3, 2)], 'CCCC'), 1))   # the same chain: should print 16 + 8",
        ),
        Misconception(
            "neighbours in their order",
            _how(gather=tuple),
            "Your combination depends on the order of the neighbours, so on the numbering of the atoms. Sort them.",
            f"{_STEP}: a multiset has no order.",
            "print(wl_kernel(([(0, 1), (0, 2)], 'CNO'), ([(0, 2), (0, 1)], 'CNO'), 1))   # one molecule: should print 3 + 3",
        ),
        Misconception(
            "colours changed in place",
            _overwritten,
            "You overwrite a colour before the next atom has used the old one. Write the new colours into a new list.",
            f"{_STEP}: all atoms of a round use the colours of the round before.",
            _W + "print(wl_kernel(chain, chain, 1))   # 3 · 3, then two ends and a middle: should print 9 + 5",
        ),
    ),
    step=f"{_STEP}: colours, refined h times with one table for both graphs, and equation (12).",
    experiment=_W + "print([wl_kernel(chain, ring, h) for h in (0, 1, 2)])   # should print 9, 12, 12\n"
    "print([wl_kernel(butane, star, h) for h in (0, 1, 2)])   # should print 16, 22, 22",
    sizes=lambda G, H, h: {"n": len(G[1]), "m": len(H[1]), "h": h},
)  # fmt: skip
