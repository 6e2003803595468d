"""Measurements for chapter 9: peptides and alkanes over partitions, random strings, and the cost of the kernels.

There are only 412 peptides and 147 alkanes, which all partitions share. All methods select their settings by the same
rule on their training data. Times are used for growth.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator
from functools import cache

import numpy as np
from scipy.sparse.csgraph import connected_components
from sklearn.svm import SVC

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

PRICES = (1, 10, 100)


def gauss(distances2: Array, widths: tuple[float, ...]) -> list[Array]:
    return [np.exp(-distances2 / (2 * width**2)) for width in widths]


def squared_distances(K: Array) -> Array:
    """Return ‖φ(x) - φ(z)‖² for all pairs."""
    return K.diagonal()[:, None] + K.diagonal() - 2.0 * K


@cache
def peptides() -> tuple[tuple[str, ...], Array, dict[str, list[Array]]]:
    """Return the strings, ±1, and of each method the Gram matrices to select from."""
    data = load_peptides()
    strings, y = data.X, np.where(data.y == 1, 1, -1)
    length = np.array([len(s) for s in strings], dtype=float)
    charge = np.array([sum(s.count(c) for c in "KR") - sum(s.count(c) for c in "DE") for s in strings], dtype=float)
    counts = Spectrum(1)(strings)
    frequencies = counts / np.outer(length, length)
    return strings, y, {
        "length": gauss((length[:, None] - length) ** 2, (2, 5, 10)),
        "charge": gauss((charge[:, None] - charge) ** 2, (1, 2, 4)),
        **{f"k = {k}": [Normalized(Spectrum(k))(strings)] for k in (1, 2, 3, 4)},
        "one gap": [Normalized(Gapped(4, gaps=1))(strings)],
        "Gaussian of counts": gauss(squared_distances(counts), (2.0, 4.0, 8.0)),  # not normalised
        "Gaussian of frequencies": gauss(squared_distances(frequencies), (0.05, 0.1, 0.2)),
    }  # fmt: skip


@cache
def edit_distances() -> Array:
    """Return the edit distances of all pairs: insertions, deletions and substitutions of a letter."""
    strings = peptides()[0]
    longest = max(map(len, strings))
    letters, steps = np.array([list(s.ljust(longest)) for s in strings]), np.arange(longest + 1)
    distance = np.empty((len(strings), len(strings)), dtype=int)
    for i, x in enumerate(strings):
        row = np.tile(steps, (len(strings), 1))  # from no letter of x to the first j of each
        for letter in x:
            one_more = np.minimum(row[:, 1:] + 1, row[:, :-1] + (letters != letter))  # deleted, substituted
            row = np.column_stack([row[:, :1] + 1, one_more])
            row = np.minimum.accumulate(row - steps, axis=1) + steps  # inserted
        distance[i] = row[np.arange(len(strings)), [len(s) for s in strings]]
    return distance


@cache
def shares_of_edits() -> Array:
    """Return the edit distance of each pair, divided by the length of the longer string."""
    length = np.array([len(s) for s in peptides()[0]])
    return edit_distances() / np.maximum(length[:, None], length)


@cache
def families() -> tuple[Array, Array, Array]:
    """Return the family of each peptide by 3-mers, whether it has a relative, and its family by edit distance."""
    relatives = peptides()[2]["k = 3"][0] > 0.5
    by_edits = connected_components(shares_of_edits() < 0.5)[1]
    return connected_components(relatives)[1], relatives.sum(axis=1) > 1, by_edits


def parts(family: Array, count: int, rng: np.random.Generator) -> Array:
    """Return the fold of each; families stay together."""
    _, family = np.unique(family, return_inverse=True)
    return rng.permutation(family.max() + 1)[family] % count


def guess(K: Array, y: Array, seen: Array, new: Array, C: float) -> Array:
    return SVC(kernel="precomputed", C=C).fit(K[np.ix_(seen, seen)], y[seen]).predict(K[np.ix_(new, seen)])


def selected(options: dict[tuple, tuple[Array, float]], y: Array, family: Array, rng: np.random.Generator) -> Iterator:
    """Yield the errors of each option on four folds of the training strings."""
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
    """Return which strings each method has right in ten folds; families stay together."""
    rng = np.random.default_rng(draw)
    fold = parts(kin, 10, rng)
    right = {name: np.empty(len(y), bool) for name in methods}
    for j in range(10):
        seen, new = np.flatnonzero(fold != j), np.flatnonzero(fold == j)
        inner = np.ix_(seen, seen)
        options = {
            (name, i, C): (K[inner], C) for name, Ks in methods.items() for i, K in enumerate(Ks) for C in PRICES
        }
        wrong = dict(selected(options, y[seen], kin[seen], rng))
        for name, hits in right.items():
            _, key = min((w, key) for key, w in wrong.items() if key[0] == name)
            hits[new] = guess(methods[name][key[1]], y, seen, new, key[2]) == y[new]
    return right


def vote(distance: Array, y: Array, seen: Array, new: Array, k: int) -> Array:
    nearest = np.argsort(distance[np.ix_(new, seen)], axis=1, kind="stable")[:, :k]
    return np.sign(y[seen][nearest].sum(axis=1))


def neighbours(y: Array, kin: Array, draw: int) -> Array:
    """Return which strings the nearest neighbours have right; their number and the distance are selected."""
    rng = np.random.default_rng(draw)
    fold, right = parts(kin, 10, rng), np.empty(len(y), bool)
    strings, _, methods = peptides()
    distances = shares_of_edits(), squared_distances(Spectrum(1)(strings)), squared_distances(methods["one gap"][0])
    options = [(distance, k) for distance in distances for k in (1, 3, 5, 7, 11)]
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


@table("accuracy (%) on 412 peptides, C and width selected by nested cross-validation, random or grouped folds", 20,
       of="partitions into ten folds", slow=True)  # fmt: skip
def ch09_peptides(draw: int) -> Row:
    _, y, methods = peptides()
    family, near, by_edits = families()
    row: Row = {}
    for how, kin in (("random", np.arange(len(y))), ("grouped", family)):
        right = held_out(methods, y, kin, draw)
        row |= {f"{name} {how}": 100 * hits.mean() for name, hits in right.items()}
        row[f"nearest neighbours {how}"] = 100 * neighbours(y, kin, draw).mean()
        row[f"k = 4 with relatives {how}"] = 100 * right["k = 4"][near].mean()
        row[f"k = 4 without relatives {how}"] = 100 * right["k = 4"][~near].mean()
        row[f"found by one gap {how}"] = 100 * right["one gap"][y > 0].mean()
        row[f"false alarms of one gap {how}"] = 100 - 100 * right["one gap"][y < 0].mean()
    strict = held_out({name: methods[name] for name in ("one gap", "Gaussian of counts")}, y, by_edits, draw)
    return row | {f"{name} grouped by edit distance": 100 * hits.mean() for name, hits in strict.items()}


@table("random strings of 20 letters that one gap calls antimicrobial (%), of 1000; trained on all peptides", 20)
def ch09_novel(draw: int) -> Row:
    """C is selected by grouped folds."""
    strings, y, methods = peptides()
    rng = np.random.default_rng(draw)
    novel = ["".join(rng.choice(LETTERS, 20)) for _ in range(1000)]
    [K] = methods["one gap"]
    options = {(C,): (K, C) for C in PRICES}
    _, (C,) = min((wrong, key) for key, wrong in selected(options, y, families()[0], rng))
    classifier = SVC(kernel="precomputed", C=C).fit(K, y)
    return {"random strings": 100 * np.mean(classifier.predict(Normalized(Gapped(4, gaps=1))(novel, strings)) > 0)}


# ---------------------------------------------------------------- alkanes

LAMS = np.logspace(-8, 2, 11)


@cache
def molecules() -> tuple[Array, Array, dict[str, list[Array]], Array]:
    """Return the atoms and Wiener's index of each, of each method the Gram matrices to select from, and colours."""
    family = alkanes(10, n_min=4)
    index = np.array([wiener_index(G) for G in family], dtype=float)
    atoms = np.array([G.n_vertices for G in family], dtype=float)
    colours = {h: WeisfeilerLehman(h)(family) for h in (1, 2, 3, 4)}
    counts = np.asarray(WeisfeilerLehman(4).features(family), dtype=float)
    return atoms, index, {
        "cubic in the size": [(1 + np.outer(atoms, atoms) / 100) ** 3],
        **{f"WL h = {h}": [K] for h, K in colours.items()},
        "cubic in WL h = 2": [(1 + colours[2] / colours[2].diagonal().mean()) ** 3],
        "walks": [RandomWalk(lam=lam)(family) for lam in (0.01, 0.03, 0.1)],
        "shortest paths": [ShortestPath()(family)],
    }, counts  # fmt: skip


@table("RMSE of Wiener's index of 147 alkanes (bonds)", 20, of="partitions into ten folds")
def ch09_alkanes(draw: int) -> Row:
    """Ridge regression; λ, and the λ of walks, are selected by leave-one-out on the training molecules."""
    atoms, y, methods, counts = molecules()
    fold, rows = np.random.default_rng(draw).permutation(len(y)) % 10, np.arange(len(y))[:, None]
    shared_name = "WL h = 4 of shared colours"
    miss = {name: np.empty(len(y)) for name in ("size alone", *methods, shared_name)}
    for j in range(10):
        seen, new = fold != j, fold == j
        for i in np.flatnonzero(new):
            away = np.abs(atoms[seen] - atoms[i])  # of the same size, or of the nearest size
            miss["size alone"][i] = y[seen][away == away.min()].mean() - y[i]
        shared = counts[:, np.sum(counts[seen] > 0, axis=0) > 1]  # at least two training molecules have them
        for name, Ks in (methods | {shared_name: [shared @ shared.T]}).items():
            models = [KernelRidge(Precomputed(K), lam=1.0, intercept=True).fit(rows[seen], y[seen]) for K in Ks]
            paths = [m.loo_path(LAMS * K.diagonal().mean()) for m, K in zip(models, Ks, strict=True)]
            best = int(np.argmin([path.mse.min() for path in paths]))
            model = models[best].set_params(lam=paths[best].best_lam).fit(rows[seen], y[seen])
            miss[name][new] = model.predict(rows[new]) - y[new]
    return {name: float(np.sqrt(np.mean(m**2))) for name, m in miss.items()}


CLAIMS = [
    Claim("grouped-4", ch09_peptides, less="k = 4 grouped", than="k = 4 random", holds=20, unit="%"),
    Claim(
        "gap-neighbours",
        ch09_peptides,
        less="nearest neighbours grouped",
        than="one gap grouped",
        holds=19,
        unit="%",
    ),
    Claim(
        "order-helps",
        ch09_peptides,
        less="Gaussian of frequencies grouped",
        than="one gap grouped",
        holds=19,
        unit="%",
    ),
    Claim("two-rounds", ch09_alkanes, less="WL h = 2", than="size alone", holds=20, unit="bonds"),
    Claim("deeper-worse", ch09_alkanes, less="WL h = 2", than="WL h = 4", holds=20, unit="bonds"),
    Claim(
        "rare-colours-spoil", ch09_alkanes, less="WL h = 4 of shared colours", than="WL h = 4", holds=20, unit="bonds"
    ),
    Claim("cube-of-colours", ch09_alkanes, less="cubic in WL h = 2", than="WL h = 2", holds=20, unit="bonds"),
]
