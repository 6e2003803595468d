"""Measurements for chapter 9: peptides, alkanes and novel samples over partitions, and the cost of the kernels.

There are only 412 peptides and 147 alkanes, which all partitions share, so the standard errors do not describe other
molecules. All methods select their settings by the same rule on their training data. Times are used for growth.
"""

from __future__ import annotations

import statistics
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np
from scipy.sparse.csgraph import connected_components
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.kernel_ridge import KernelRidge as TheirRidge
from sklearn.preprocessing import KernelCenterer, Normalizer
from sklearn.svm import SVC, LinearSVC

from kcourse import KernelRidge, Normalized
from kcourse.datasets import load_peptides
from kcourse.graphs import Graph, RandomWalk, ShortestPath, WeisfeilerLehman, alkanes, wiener_index
from kcourse.kernels import Precomputed
from kcourse.strings import Gapped, Spectrum
from measured import Claim, Row, table
from measured.common import least, times

Array = np.ndarray
K, LETTERS = 3, list("ACDEFGHIKLMNPQRSTVWY")


def by_table(x: str, z: str) -> int:
    """Σ_s N_s(x) N_s(z) over the k-mers that occur in x."""
    N, M = (Counter(s[i : i + K] for i in range(len(s) - K + 1)) for s in (x, z))
    return sum(n * M[s] for s, n in N.items())


def by_windows(x: str, z: str) -> int:
    """The number of pairs of equal windows."""
    return sum(x[i : i + K] == z[j : j + K] for i in range(len(x) - K + 1) for j in range(len(z) - K + 1))


@table("median seconds of the processor, k = 3", over=(32, 64, 128, 256, 512, 1024, 2048, 4096), of="lengths",
       timed=True)  # fmt: skip
def ch09_cost(length: int) -> Row:
    rng = np.random.default_rng(length)
    x, z = ("".join(rng.choice(LETTERS, length)) for _ in range(2))
    assert by_table(x, z) == by_windows(x, z) == Spectrum(K)([x], [z])[0, 0]
    runs = 9 if length < 1000 else 3
    calls = {"table": lambda: by_table(x, z), "windows": lambda: by_windows(x, z)}
    return {"letters": length} | {name: statistics.median(times(call, runs)) for name, call in calls.items()}


def molecule(n: int, rng: np.random.Generator) -> Graph:
    """A tree of n atoms of three names, none with more than four neighbours."""
    room, edges = [4], []
    for v in range(1, n):
        u = int(rng.choice(np.flatnonzero(room)))
        room[u] -= 1
        room.append(3)
        edges.append((u, v))
    return Graph.from_edges(edges, rng.choice(list("CNO"), n).tolist(), n=n)


@table("least seconds of the processor, one value of each kernel", over=(10, 20, 40, 80, 160, 320, 640), of="sizes",
       timed=True)  # fmt: skip
def ch09_graphs(n: int) -> Row:
    """The library's kernels of two molecules; of walks there are n² / 3 pairs of atoms, and λ is half of the bound."""
    rng = np.random.default_rng(n)
    G, H = molecule(n, rng), molecule(n, rng)
    kernels = {"colours": WeisfeilerLehman(3), "shortest paths": ShortestPath(), "walks": RandomWalk(lam=0.05)}
    return {"atoms": n} | {name: least(lambda: kernel([G], [H]), 3) for name, kernel in kernels.items()}  # noqa: B023


# ---------------------------------------------------------------- peptides

PRICES, WIDTHS, OF_COUNTS = (1, 10, 100), (0.2, 0.4, 0.8), (2.0, 4.0, 8.0)


def gauss(distances2: Array, widths: tuple[float, ...]) -> list[Array]:
    return [np.exp(-distances2 / (2 * width**2)) for width in widths]


def apart(kernel: Spectrum | Normalized, x: Sequence[str], z: Sequence[str]) -> Array:
    """‖φ(x) - φ(z)‖² for all pairs."""
    own = [np.array([kernel([s])[0, 0] for s in strings], dtype=float) for strings in (x, z)]
    return own[0][:, None] + own[1] - 2.0 * kernel(x, z)


@cache
def peptides() -> tuple[tuple[str, ...], Array, Array, Array, dict[str, list[Array]]]:
    """The strings, ±1, who has a relative, the family of each; and of each method the Gram matrices to choose from."""
    data = load_peptides()
    strings, y = data.X, np.where(data.y == 1, 1, -1)
    length = np.array([len(s) for s in strings], dtype=float)
    charge = np.array([sum(s.count(c) for c in "KR") - sum(s.count(c) for c in "DE") for s in strings], dtype=float)
    spectra = {k: Normalized(Spectrum(k))(strings) for k in (1, 2, 3, 4)}
    gap = Normalized(Gapped(4, gaps=1))(strings)
    relatives = spectra[3] > 0.5
    methods = {
        "length": gauss((length[:, None] - length) ** 2, (2, 5, 10)),
        "charge": gauss((charge[:, None] - charge) ** 2, (1, 2, 4)),
        "Gaussian of letters": gauss(2 - 2 * spectra[1], WIDTHS),  # ‖φ(x) - φ(z)‖² of two cosines
        "Gaussian of counts": gauss(apart(Spectrum(1), strings, strings), OF_COUNTS),  # not normalised
        **{f"k = {k}": [K] for k, K in spectra.items()},
        "one gap": [gap],
        "Gaussian of one gap": gauss(2 - 2 * gap, WIDTHS),
    }
    return strings, y, relatives.sum(axis=1) > 1, connected_components(relatives)[1], methods


def edits(strings: Sequence[str]) -> Array:
    """For all pairs, how many letters must be put in, left out or exchanged to make one of the other."""
    longest = max(map(len, strings))
    letters, steps = np.array([list(s.ljust(longest)) for s in strings]), np.arange(longest + 1)
    distance = np.empty((len(strings), len(strings)), dtype=int)
    for i, x in enumerate(strings):
        row = np.tile(steps, (len(strings), 1))  # from no letter of x to the first j of each
        for letter in x:
            one_more = np.minimum(row[:, 1:] + 1, row[:, :-1] + (letters != letter))  # left out, exchanged
            row = np.column_stack([row[:, :1] + 1, one_more])
            row = np.minimum.accumulate(row - steps, axis=1) + steps  # put in
        distance[i] = row[np.arange(len(strings)), [len(s) for s in strings]]
    return distance


@cache
def kin_by_edits() -> tuple[Array, Array]:
    """Who has a relative, and the family of each; relatives keep more than half of the longer one's letters."""
    strings = peptides()[0]
    length = np.array([len(s) for s in strings])
    relatives = edits(strings) < np.maximum(length[:, None], length) / 2
    return relatives.sum(axis=1) > 1, connected_components(relatives)[1]


def parts(family: Array, count: int, rng: np.random.Generator) -> Array:
    """The fold of each: families are dealt out whole."""
    _, family = np.unique(family, return_inverse=True)
    return rng.permutation(family.max() + 1)[family] % count


def guess(K: Array, y: Array, seen: Array, new: Array, C: float) -> Array:
    return SVC(kernel="precomputed", C=C).fit(K[np.ix_(seen, seen)], y[seen]).predict(K[np.ix_(new, seen)])


def chosen(options: dict[tuple, tuple[Array, float]], y: Array, family: Array, rng: np.random.Generator) -> Iterator:
    """Errors of each option on four folds of those who are learnt from."""
    fold = parts(family, 4, rng)
    for key, (K, C) in options.items():
        yield (
            key,
            sum(
                np.sum(guess(K, y, np.flatnonzero(fold != j), np.flatnonzero(fold == j), C) != y[fold == j])
                for j in range(4)
            ),
        )


def held_out(methods: dict[str, list[Array]], y: Array, kin: Array, draw: int) -> dict[str, Array]:
    """Who is right in ten folds, by each method and by the one that is best inside; families stay together."""
    rng = np.random.default_rng(draw)
    fold = parts(kin, 10, rng)
    right = {name: np.empty(len(y), bool) for name in (*methods, "chosen inside")}
    for j in range(10):
        seen, new = np.flatnonzero(fold != j), np.flatnonzero(fold == j)
        inner = np.ix_(seen, seen)
        options = {
            (name, i, C): (K[inner], C) for name, Ks in methods.items() for i, K in enumerate(Ks) for C in PRICES
        }
        wrong = dict(chosen(options, y[seen], kin[seen], rng))
        for name, hits in right.items():
            _, key = min((w, key) for key, w in wrong.items() if name in (key[0], "chosen inside"))
            hits[new] = guess(methods[key[0]][key[1]], y, seen, new, key[2]) == y[new]
    return right


@table("right (%) of 412 peptides, price and width chosen inside", 20, of="partitions into ten folds", slow=True)
def ch09_peptides(draw: int) -> Row:
    _, y, near, family, methods = peptides()
    row: Row = {}
    for how, kin in (("at random", np.arange(len(y))), ("by families", family)):
        right = held_out(methods, y, kin, draw)
        row |= {f"{name} {how}": 100 * hits.mean() for name, hits in right.items()}
        for name in ("k = 2", "k = 3", "k = 4", "one gap"):
            row[f"{name} with relatives {how}"] = 100 * right[name][near].mean()
            row[f"{name} without relatives {how}"] = 100 * right[name][~near].mean()
        row |= {f"killers found {how}": 100 * right["one gap"][y > 0].mean()}
        row |= {f"membrane called killers {how}": 100 - 100 * right["one gap"][y < 0].mean()}
        for one, other in (
            ("one gap", "k = 1"),
            ("Gaussian of one gap", "Gaussian of letters"),
            ("Gaussian of counts", "Gaussian of one gap"),
        ):
            alone = right[one].astype(int) - right[other]  # paired: who is right with one method alone
            row[f"{one} before {other} {how}"] = 100 * alone.mean()
            row[f"2 s.e. of {one} {how}"] = 200 * alone.std(ddof=1) / np.sqrt(len(y))
    return row


@cache
def gaps_counted() -> list[Array]:
    """A Gaussian of counts of pieces with a gap, not normalised; widths beside the usual distance as for letters."""
    strings = peptides()[0]
    letters, gaps = (apart(kernel, strings, strings) for kernel in (Spectrum(1), Gapped(4, gaps=1)))
    pairs = np.triu_indices(len(strings), 1)
    wider = np.sqrt(np.median(gaps[pairs]) / np.median(letters[pairs]))
    return gauss(gaps, tuple(wider * width for width in OF_COUNTS))


@table("right (%) of 412 peptides, relatives by edits; and with something added to the Gaussian of counts", 20,
       of="partitions into ten folds", slow=True)  # fmt: skip
def ch09_kin(draw: int) -> Row:
    """Relatives by edits; and with families by 3-mers sums of kernels, and one gap counted as letters are."""
    _, y, _, family, methods = peptides()
    near, family_by_edits = kin_by_edits()
    few = {name: methods[name] for name in ("k = 1", "k = 4", "one gap")}
    counts = methods["Gaussian of counts"]
    added = {
        what: [K + methods[name][0] for K in counts] for what, name in (("one gap", "one gap"), ("letters", "k = 1"))
    }
    at_random = held_out(few, y, np.arange(len(y)), draw)
    by_edits = held_out(methods, y, family_by_edits, draw)
    sums = held_out({"nothing": counts, "gaps counted": gaps_counted()} | added, y, family, draw)
    gained = sums["one gap"].astype(int) - sums["nothing"]
    ahead = sums["nothing"].astype(int) - sums["gaps counted"]
    return {
        "with a relative by edits": 100 * near.mean(),
        **{f"{name} at random": 100 * at_random[name].mean() for name in few},
        **{f"{name} by edits": 100 * hits.mean() for name, hits in by_edits.items()},
        "killers found by edits": 100 * by_edits["one gap"][y > 0].mean(),
        "membrane called killers by edits": 100 - 100 * by_edits["one gap"][y < 0].mean(),
        "one gap with relatives at random": 100 * at_random["one gap"][near].mean(),
        "one gap with relatives by edits": 100 * by_edits["one gap"][near].mean(),
        "one gap without relatives by edits": 100 * by_edits["one gap"][~near].mean(),
        **{f"{name} added": 100 * sums[name].mean() for name in ("nothing", *added)},
        "2 s.e. of one gap added": 200 * gained.std(ddof=1) / np.sqrt(len(y)),
        "gaps counted": 100 * sums["gaps counted"].mean(),
        "2 s.e. of letters counted": 200 * ahead.std(ddof=1) / np.sqrt(len(y)),
    }


@table("412 peptides: errors of k = 3 beside smaller k (points); the length alone, with a relative by edits or not (%)",
       20, of="partitions into ten folds", slow=True)  # fmt: skip
def ch09_plain(draw: int) -> Row:
    """The same partitions as `ch09_peptides` and `ch09_kin`, which have the shares themselves."""
    _, y, _, family, methods = peptides()
    near, family_by_edits = kin_by_edits()
    few = {name: methods[name] for name in ("k = 1", "k = 2", "k = 3", "length")}
    row: Row = {}
    for how, kin in (("at random", np.arange(len(y))), ("by families", family), ("by edits", family_by_edits)):
        right = held_out(few, y, kin, draw)
        for k in (1, 2):
            alone = right["k = 3"].astype(int) - right[f"k = {k}"]
            row[f"2 s.e. of k = 3 before k = {k} {how}"] = 200 * alone.std(ddof=1) / np.sqrt(len(y))
        row[f"length with relatives {how}"] = 100 * right["length"][near].mean()
        row[f"length without relatives {how}"] = 100 * right["length"][~near].mean()
    return row


@cache
def apart_by() -> tuple[Array, Array, Array]:
    """How far two peptides are from each other: in edits, a share of the longer string; in counts; by one gap."""
    strings, *_, methods = peptides()
    length = np.array([len(s) for s in strings])
    share = edits(strings) / np.maximum(length[:, None], length)
    return share, apart(Spectrum(1), strings, strings), 2 - 2 * methods["one gap"][0]


def vote(distance: Array, y: Array, seen: Array, new: Array, k: int) -> Array:
    nearest = np.argsort(distance[np.ix_(new, seen)], axis=1, kind="stable")[:, :k]
    return np.sign(y[seen][nearest].sum(axis=1))


def neighbours(y: Array, kin: Array, draw: int) -> Array:
    """Who is right in ten folds by the vote of the nearest; how many, and near in what, is chosen inside."""
    rng = np.random.default_rng(draw)
    fold, right = parts(kin, 10, rng), np.empty(len(y), bool)
    options = [(distance, k) for distance in apart_by() for k in (1, 3, 5, 7, 11)]
    for j in range(10):
        seen, new = np.flatnonzero(fold != j), np.flatnonzero(fold == j)
        inner = parts(kin[seen], 4, rng)
        wrong = [
            sum(
                np.sum(vote(distance, y, seen[inner != i], seen[inner == i], k) != y[seen[inner == i]])
                for i in range(4)
            )
            for distance, k in options
        ]
        distance, k = options[int(np.argmin(wrong))]
        right[new] = vote(distance, y, seen, new, k) == y[new]
    return right


@cache
def windows() -> dict[str, Array]:
    """Cosines with one gap, windows of three to five letters."""
    strings = peptides()[0]
    return {f"window {k}": Normalized(Gapped(k, gaps=1))(strings) for k in (3, 4, 5)}


@table("right (%) of 412 peptides, one letter covered: windows of 3 to 5, alone, and added to the Gaussian of counts",
       20, of="partitions into ten folds", slow=True)  # fmt: skip
def ch09_windows(draw: int) -> Row:
    """Each window, and one chosen inside; sums of kernels, and as a control letters alone added to their counts."""
    _, y, _, family, methods = peptides()
    counts, root, row = methods["Gaussian of counts"], np.sqrt(len(y)), {}
    sums = {
        "nothing": counts,
        "letters": [K + methods["k = 1"][0] for K in counts],
        "a gap": [K + gap for gap in windows().values() for K in counts],
    }
    for how, kin in (("at random", np.arange(len(y))), ("by families", family), ("by edits", kin_by_edits()[1])):
        right = held_out({name: [K] for name, K in windows().items()}, y, kin, draw)
        right["window chosen"] = right.pop("chosen inside")
        row |= {f"{name} {how}": 100 * hits.mean() for name, hits in right.items()}
        if how == "at random":
            continue
        added = held_out(sums, y, kin, draw)
        row |= {f"{name} added {how}": 100 * added[name].mean() for name in sums}
        for name, more, fewer in (
            ("a gap before nothing", added["a gap"], added["nothing"]),
            ("a gap before letters", added["a gap"], added["letters"]),
            ("window chosen before counts", right["window chosen"], added["nothing"]),
        ):
            alone = more.astype(int) - fewer
            row[f"{name} {how}"] = 100 * alone.mean()
            row[f"2 s.e. of {name} {how}"] = 200 * alone.std(ddof=1) / root
    return row


@table("right (%) of 412 peptides by their nearest neighbours, beside the machine with one gap", 20,
       of="partitions into ten folds", slow=True)  # fmt: skip
def ch09_neighbours(draw: int) -> Row:
    _, y, _, family, methods = peptides()
    row: Row = {}
    for how, kin in (
        ("at random", np.arange(len(y))),
        ("by families", family),
        ("by edits", kin_by_edits()[1]),
    ):
        near, gap = neighbours(y, kin, draw), held_out({"one gap": methods["one gap"]}, y, kin, draw)["one gap"]
        alone = gap.astype(int) - near
        row |= {f"neighbours {how}": 100 * near.mean(), f"one gap {how}": 100 * gap.mean()}
        row |= {f"2 s.e. of the gap's lead {how}": 200 * alone.std(ddof=1) / np.sqrt(len(y))}
    return row


def two_errors(alone: Array, family: Array) -> float:
    """Two standard errors (points) of a mean over peptides whose families were drawn whole."""
    off = np.bincount(family, alone - alone.mean())  # of each family, all its members together
    return float(200 * np.sqrt(len(off) / (len(off) - 1) * np.sum(off**2)) / len(alone))


def false_gaps(draw: int) -> dict[str, list[Array]]:
    """Windows with a gap, of each string with its letters shuffled, and of another string."""
    strings = peptides()[0]
    rng = np.random.default_rng(1000 + draw)
    mixed = ["".join(rng.permutation(list(s))) for s in strings]
    owner = rng.permutation(len(strings))
    return {
        "letters shuffled": [Normalized(Gapped(k, gaps=1))(mixed) for k in (3, 4, 5)],
        "strings shuffled": [gap[np.ix_(owner, owner)] for gap in windows().values()],
    }


@table("412 peptides: who has more right, by how many points; two standard errors of it, families drawn whole",
       20, of="partitions into ten folds", slow=True)  # fmt: skip
def ch09_errors(draw: int) -> Row:
    """The leads of the tables above, in the same partitions. Peptides of one family do not err independently."""
    _, y, _, by_3mers, methods = peptides()
    by_edits, counts = kin_by_edits()[1], methods["Gaussian of counts"]
    fixed = {name: methods[name] for name in ("k = 1", "k = 3", "one gap")}
    plain = ("k = 3", "k = 1"), ("one gap", "neighbours"), ("a gap", "nothing"), ("a gap", "letters")
    sums = {
        "nothing": counts,
        "letters": [K + methods["k = 1"][0] for K in counts],
        "a gap": [K + gap for gap in windows().values() for K in counts],
    }
    gaussian = {name: methods[name] for name in ("Gaussian of letters", "Gaussian of one gap")}
    gaussian |= {"one gap added": [K + methods["one gap"][0] for K in counts], "gaps counted": gaps_counted()}
    once = (("one gap", "k = 1"), ("Gaussian of one gap", "Gaussian of letters"), ("nothing", "gaps counted"),
            ("one gap added", "nothing"))  # fmt: skip
    false = {name: [K + gap for gap in gaps for K in counts] for name, gaps in false_gaps(draw).items()}
    row: Row = {}
    for how, kin, more, pairs in (
        ("by families", by_3mers, gaussian, (*plain, *once)),
        ("by edits", by_edits, false, (*plain, *((name, "nothing") for name in false))),
    ):
        right = held_out(fixed | sums | more, y, kin, draw) | {"neighbours": neighbours(y, kin, draw)}
        for one, other in pairs:
            alone = right[one].astype(int) - right[other]
            row[f"{one} before {other} {how}"] = 100 * alone.mean()
            row[f"2 s.e. of {one} before {other} {how}"] = two_errors(alone, kin)
    large = np.bincount(by_edits)[by_edits] == 15  # one family, of killers all
    gain = right["a gap"].astype(int) - right["nothing"]
    return row | {
        "a gap before nothing by edits; of the family of 15": 100 * np.sum(gain[large]) / len(y),
        "a gap before nothing by edits; of the others": 100 * np.sum(gain[~large]) / len(y),
    }


@table(
    "called killers (%), of 1000 random strings of 20 letters and of the killers' own letters, shuffled", 20, slow=True
)
def ch09_strangers(draw: int) -> Row:
    """What machines that have learnt from all 412 say of strings that are neither; price and width by families."""
    strings, y, _, family, methods = peptides()
    rng = np.random.default_rng(draw)
    strangers = ["".join(rng.choice(LETTERS, 20)) for _ in range(1000)]
    shuffled = ["".join(rng.permutation(list(s))) for s in np.array(strings, dtype=object)[y > 0]]
    letters, gap, counts = Normalized(Spectrum(1)), Normalized(Gapped(4, gaps=1)), Spectrum(1)
    row: Row = {}
    for name, kernel in (
        ("k = 1", letters),
        ("Gaussian of letters", letters),
        ("one gap", gap),
        ("Gaussian of one gap", gap),
        ("Gaussian of counts", counts),
    ):
        options = {(i, C): (K, C) for i, K in enumerate(methods[name]) for C in PRICES}
        _, (i, C) = min((wrong, key) for key, wrong in chosen(options, y, family, rng))
        machine = SVC(kernel="precomputed", C=C).fit(methods[name][i], y)
        for what, those in (("random strings", strangers), ("shuffled killers", shuffled)):
            widths = OF_COUNTS if kernel is counts else WIDTHS
            K = gauss(apart(kernel, those, strings), widths)[i] if "Gaussian" in name else kernel(those, strings)
            row[f"{name} on {what}"] = 100 * np.mean(machine.predict(K) > 0)
    return row


# ---------------------------------------------------------------- alkanes

LAMS = np.logspace(-8, 2, 11)


@cache
def molecules() -> tuple[Array, Array, dict[str, list[Array]], dict[int, Array]]:
    """Atoms and Wiener's index of each; of each method the Gram matrices to choose from; and counts of colours."""
    family = alkanes(10, n_min=4)
    index = np.array([wiener_index(G) for G in family], dtype=float)
    atoms = np.array([G.n_vertices for G in family], dtype=float)
    colours = [WeisfeilerLehman(h)(family) for h in range(5)]
    unit, diagonal = colours[2] / colours[2].diagonal().mean(), colours[2].diagonal()
    counts = {h: np.asarray(WeisfeilerLehman(h).features(family), dtype=float) for h in (2, 3, 4)}
    walks = [RandomWalk(lam=lam)(family) for lam in (0.01, 0.03, 0.1)]
    return atoms, index, {
        "cubic in the size": [(1 + np.outer(atoms, atoms) / 100) ** 3],
        **{f"WL h = {h}": [K] for h, K in enumerate(colours)},
        "square of WL h = 2": [(1 + unit) ** 2],
        "cubic in WL h = 2": [(1 + unit) ** 3],
        "Gaussian of WL h = 2": gauss(diagonal[:, None] + diagonal - 2 * colours[2], (4, 8, 16, 32)),
        "walks": walks,
        "cubic in walks": [(1 + K / K.diagonal().mean()) ** 3 for K in walks],
        "shortest paths": [ShortestPath()(family)],
    }, counts  # fmt: skip


@table("root mean square error of Wiener's index of 147 alkanes (bonds)", 20, of="partitions into ten folds")
def ch09_alkanes(draw: int) -> Row:
    """Ridge regression; λ, and where there are several the Gram matrix, by leaving one of the learnt ones out."""
    atoms, y, methods, counts = molecules()
    methods = methods | {"fourth power of WL h = 2": [methods["square of WL h = 2"][0] ** 2]}
    fold, rows = np.random.default_rng(draw).permutation(len(y)) % 10, np.arange(len(y))[:, None]
    shared_names = [f"WL h = {h} of shared colours" for h in counts]
    miss = {name: np.empty(len(y)) for name in ("size alone", *methods, *shared_names)}
    for j in range(10):
        seen, new = fold != j, fold == j
        for i in np.flatnonzero(new):
            away = np.abs(atoms[seen] - atoms[i])  # of the same size, or of the nearest that is known
            miss["size alone"][i] = y[seen][away == away.min()].mean() - y[i]
        shared = [F[:, np.sum(F[seen] > 0, axis=0) > 1] for F in counts.values()]  # by two of the known at least
        grams = {name: [F @ F.T] for name, F in zip(shared_names, shared, strict=True)}
        for name, Ks in (methods | grams).items():
            machines = [KernelRidge(Precomputed(K), lam=1.0, intercept=True).fit(rows[seen], y[seen]) for K in Ks]
            paths = [m.loo_path(LAMS * K.diagonal().mean()) for m, K in zip(machines, Ks, strict=True)]
            best = int(np.argmin([path.mse.min() for path in paths]))
            model = machines[best].set_params(lam=paths[best].best_lam).fit(rows[seen], y[seen])
            miss[name][new] = model.predict(rows[new]) - y[new]
    return {name: float(np.sqrt(np.mean(m**2))) for name, m in miss.items()}


# ---------------------------------------------------------------- the library

PRICES_OF_COUNTS = (0.001, 0.01, 0.1, 1, 10, 100)


@cache
def by_default() -> dict[str, Array]:
    """Gram matrices as somebody may hand them to scikit-learn: cosines, and counts as they are."""
    strings, _, _, _, methods = peptides()
    kernels = {"k = 3": methods["k = 3"][0], "one gap": methods["one gap"][0]}
    return kernels | {f"counts of {name}": kernel(strings).astype(float) for name, kernel in
                      (("k = 3", Spectrum(3)), ("one gap", Gapped(4, gaps=1)))}  # fmt: skip


def ridge_misses(K: Array, y: Array, fold: Array, *, chosen: bool, intercept: bool) -> Array:
    """Errors of the library's ridge, with its alpha = 1 or with one that leaving one out chooses."""
    miss, rows = np.empty(len(y)), np.arange(len(y))[:, None]
    for j in range(10):
        seen, new = fold != j, fold == j
        level, alpha, K_seen, K_new = 0.0, 1.0, K[np.ix_(seen, seen)], K[np.ix_(new, seen)]
        if chosen:
            ours = KernelRidge(Precomputed(K), lam=1.0, intercept=intercept).fit(rows[seen], y[seen])
            alpha = ours.loo_path(LAMS * K.diagonal().mean()).best_lam
        if intercept:
            level, centre = y[seen].mean(), KernelCenterer().fit(K_seen)
            K_seen, K_new = centre.transform(K_seen), centre.transform(K_new)
        theirs = TheirRidge(kernel="precomputed", alpha=alpha).fit(K_seen, y[seen] - level)
        miss[new] = theirs.predict(K_new) + level - y[new]
    return miss


@table("right (%) of 412 peptides, and error of Wiener's index (bonds): scikit-learn's defaults beside chosen settings",
       20, of="partitions into ten folds", slow=True)  # fmt: skip
def ch09_defaults(draw: int) -> Row:
    """SVC's C = 1 and gamma; KernelRidge's alpha = 1, which has no intercept. Peptides: families by 3-mers."""
    strings, y, _, family, _ = peptides()
    rng = np.random.default_rng(draw)
    fold = parts(family, 10, rng)
    letters = np.array([[s.count(c) for c in LETTERS] for s in strings], dtype=float)
    row: Row = {}
    rbf = np.empty(len(y), bool)
    for j in range(10):
        seen, new = fold != j, fold == j
        rbf[new] = SVC().fit(letters[seen], y[seen]).predict(letters[new]) == y[new]
    row["letters by SVC()"] = 100 * rbf.mean()
    for name, K in by_default().items():
        plain, best = np.empty(len(y), bool), np.empty(len(y), bool)
        for j in range(10):
            seen, new = np.flatnonzero(fold != j), np.flatnonzero(fold == j)
            options = {(name, C): (K[np.ix_(seen, seen)], C) for C in PRICES_OF_COUNTS}
            _, (_, C) = min((w, key) for key, w in chosen(options, y[seen], family[seen], rng))
            plain[new], best[new] = (guess(K, y, seen, new, price) == y[new] for price in (1, C))
        alone = best.astype(int) - plain
        row |= {f"{name} with C = 1": 100 * plain.mean(), f"{name} with C chosen": 100 * best.mean()}
        row[f"2 s.e. of C chosen before C = 1 of {name}"] = 200 * alone.std(ddof=1) / np.sqrt(len(y))
    _, index, grams, _ = molecules()
    fold = np.random.default_rng(draw).permutation(len(index)) % 10
    for name in ("WL h = 2", "cubic in WL h = 2"):
        for how, settings in (
            ("alpha = 1", {"chosen": False, "intercept": False}),
            ("alpha chosen", {"chosen": True, "intercept": False}),
            ("alpha chosen and an intercept", {"chosen": True, "intercept": True}),
        ):
            miss = ridge_misses(grams[name][0], index, fold, **settings)
            row[f"{name} with {how}"] = float(np.sqrt(np.mean(miss**2)))
    return row


def like_peptides(n: int, rng: np.random.Generator) -> tuple[list[str], Array]:
    """n strings of both classes: each a peptide with a third of its letters exchanged for letters of its class."""
    strings, y, *_ = peptides()
    letters = {label: list("".join(s for s, own in zip(strings, y, strict=True) if own == label)) for label in (-1, 1)}
    which = rng.integers(len(y), size=n)
    made = []
    for i in which:
        old = np.array(list(strings[i]))
        made.append("".join(np.where(rng.random(len(old)) < 1 / 3, rng.choice(letters[y[i]], len(old)), old)))
    return made, y[which]


def peak(call: Callable[[], object]) -> float:
    """The most that Python and NumPy hold at one time during a call, in MB."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


@table("least seconds of the processor and MB at one time, k = 3 by cosines: Gram matrix and SVC, counts and LinearSVC",
       over=(250, 500, 1000, 2000, 4000, 8000), of="sizes", timed=True, slow=True)  # fmt: skip
def ch09_machines(n: int) -> Row:
    rng = np.random.default_rng(n)
    (strings, y), (new, _) = like_peptides(n, rng), like_peptides(1000, rng)
    counter = CountVectorizer(analyzer="char", ngram_range=(3, 3), lowercase=False)
    kernel, unit = Normalized(Spectrum(K)), Normalizer()
    by_gram = SVC(kernel="precomputed", C=10)
    by_counts = LinearSVC(loss="hinge", C=10, max_iter=100_000, random_state=0)

    def learn_by_gram() -> None:
        by_gram.fit(kernel(strings), y)

    def learn_by_counts() -> None:
        by_counts.fit(unit.transform(counter.fit_transform(strings).astype(float)), y)

    def told_by_gram() -> Array:
        return by_gram.predict(kernel(new, strings))

    def told_by_counts() -> Array:
        return by_counts.predict(unit.transform(counter.transform(new).astype(float)))

    runs = 3 if n < 4000 else 1
    return {
        "strings": n,
        "learn by Gram": least(learn_by_gram, runs),
        "learn by counts": least(learn_by_counts, runs),
        "1000 new by Gram": least(told_by_gram, runs),
        "1000 new by counts": least(told_by_counts, runs),
        "MB by Gram": peak(learn_by_gram),
        "MB by counts": peak(learn_by_counts),
        "same verdict (%)": 100 * float(np.mean(told_by_gram() == told_by_counts())),
    }


@table("how many times the processor time of counts a Gram matrix takes, to learn from n strings", 10, of="repetitions",
       timed=True)  # fmt: skip
def ch09_ratios(repetition: int) -> Row:
    """Both ways of `ch09_machines`, one after the other; the same strings in each repetition."""
    counter = CountVectorizer(analyzer="char", ngram_range=(3, 3), lowercase=False)
    kernel, unit = Normalized(Spectrum(K)), Normalizer()
    row: Row = {}
    for n in (250, 500, 1000, 2000):
        strings, y = like_peptides(n, np.random.default_rng(n))
        by_gram = least(lambda: SVC(kernel="precomputed", C=10).fit(kernel(strings), y), 3)  # noqa: B023
        machine = LinearSVC(loss="hinge", C=10, max_iter=100_000, random_state=0)
        by_counts = least(lambda: machine.fit(unit.transform(counter.fit_transform(strings).astype(float)), y), 3)  # noqa: B023
        row[f"{n} strings"] = by_gram / by_counts
    return row


CLAIMS = [
    Claim("window-5", ch09_windows, less="window 5 by families", than="window 4 by families", holds=20, unit="%"),
    Claim("window-3", ch09_windows, less="window 4 by edits", than="window 3 by edits", holds=20, unit="%"),
    Claim("gap-added", ch09_windows, less="nothing added by edits", than="a gap added by edits", holds=20, unit="%"),
    Claim("gap-control", ch09_windows, less="letters added by edits", than="a gap added by edits", holds=19, unit="%"),
    *(
        Claim(
            f"neighbours-{dealt.split()[-1]}",
            ch09_neighbours,
            less=f"neighbours {dealt}",
            than=f"one gap {dealt}",
            holds=18,
            unit="%",
        )
        for dealt in ("at random", "by families", "by edits")
    ),
    Claim("cousins-2", ch09_peptides, less="k = 2 by families", than="k = 2 at random", holds=20, unit="%"),
    Claim("cousins-3", ch09_peptides, less="k = 3 by families", than="k = 3 at random", holds=18, unit="%"),
    Claim("cousins-4", ch09_peptides, less="k = 4 by families", than="k = 4 at random", holds=20, unit="%"),
    Claim(
        "relatives-lost",
        ch09_peptides,
        less="k = 3 with relatives by families",
        than="k = 3 with relatives at random",
        holds=20,
        unit="%",
    ),
    *(
        Claim(f"third-{dealt.split()[-1]}", shares, less=f"{second} {dealt}", than=f"k = 3 {dealt}", holds=16, unit="%")
        for dealt, second, shares in (
            ("at random", "k = 2", ch09_peptides),
            ("by families", "k = 1", ch09_peptides),
            ("by edits", "k = 1", ch09_kin),
        )
    ),
    Claim(
        "length-cousins",
        ch09_plain,
        less="length with relatives by edits",
        than="length with relatives at random",
        holds=20,
        unit="%",
    ),
    Claim("edits-1", ch09_kin, less="k = 1 by edits", than="k = 1 at random", holds=20, unit="%"),
    Claim("edits-4", ch09_kin, less="k = 4 by edits", than="k = 4 at random", holds=20, unit="%"),
    Claim("order-added", ch09_kin, less="nothing added", than="one gap added", holds=18, unit="%"),
    Claim(
        "order-unseen",
        ch09_errors,
        less="Gaussian of one gap before Gaussian of letters by families",
        than="2 s.e. of Gaussian of one gap before Gaussian of letters by families",
        holds=19,
        unit="points",
    ),
    Claim(
        "order-3mers",
        ch09_errors,
        less="a gap before nothing by families",
        than="2 s.e. of a gap before nothing by families",
        holds=18,
        unit="points",
    ),
    Claim("letters-ahead", ch09_kin, less="gaps counted", than="nothing added", holds=20, unit="%"),
    Claim(
        "strangers",
        ch09_strangers,
        less="one gap on random strings",
        than="k = 1 on random strings",
        holds=20,
        unit="% of the strings",
    ),
    Claim(
        "strangers-gaussian",
        ch09_strangers,
        less="Gaussian of one gap on random strings",
        than="Gaussian of letters on random strings",
        holds=20,
        unit="% of the strings",
    ),
    Claim("two-rounds", ch09_alkanes, less="WL h = 2", than="size alone", holds=20, unit="bonds"),
    Claim("deeper-worse", ch09_alkanes, less="WL h = 2", than="WL h = 4", holds=20, unit="bonds"),
    Claim(
        "rare-colours-spoil", ch09_alkanes, less="WL h = 4 of shared colours", than="WL h = 4", holds=20, unit="bonds"
    ),
    Claim("cube-of-walks", ch09_alkanes, less="cubic in walks", than="cubic in WL h = 2", holds=20, unit="bonds"),
    Claim("walks-lead", ch09_alkanes, less="walks", than="WL h = 2", holds=20, unit="bonds"),
    Claim("cube-of-colours", ch09_alkanes, less="cubic in WL h = 2", than="WL h = 2", holds=20, unit="bonds"),
    Claim(
        "default-price",
        ch09_defaults,
        less="cubic in WL h = 2 with alpha chosen",
        than="cubic in WL h = 2 with alpha = 1",
        holds=20,
        unit="bonds",
    ),
    Claim(
        "default-intercept",
        ch09_defaults,
        less="WL h = 2 with alpha chosen and an intercept",
        than="WL h = 2 with alpha chosen",
        holds=20,
        unit="bonds",
    ),
    Claim(
        "raw-counts", ch09_defaults, less="counts of k = 3 with C chosen", than="k = 3 with C = 1", holds=20, unit="%"
    ),
]
