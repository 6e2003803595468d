"""Which submissions are alike where others are not: winnowing (Schleimer, Wilkerson and Aiken, SIGMOD 2003).

The text of the cells is cut into words and signs; each run of `_GRAM` of them is hashed, of `_WINDOW` hashes in a row
the least is kept: the fingerprints. Two texts with a run of `_GRAM` + `_WINDOW` - 1 words in common share one. What the
sheet hands out counts for nobody, and neither does what many have: a right answer of one line looks the same whoever
writes it. What is left is rare, such as the same comment, the same detour or the same odd name, and is worth a look. It
proves nothing: two who sat together, or read the same page, look like two of whom one copied.

Who has the course's own answer is like the course (`matches_course`): a whole function of theirs is one of the
package's or of the solved sheet's, up to names, layout, comments and annotations. Short ones count for nothing, since
there is one way to write them.
"""

from __future__ import annotations

import ast
import hashlib
import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from kcourse.sheets.notebook import read_notebook

__all__ = ["OURS", "Pair", "similar_pairs", "matches_course", "pasted"]

OURS = "the course's own answer"

_GRAM, _WINDOW = 8, 4  # words and signs
_LEAST = 4  # rare fingerprints that two have in common
_SHARE = 0.25  # of those of the one who has fewer
_RARE = 0.05  # of the submissions may have a fingerprint, or three of them
_PASTED, _NAMES = 32, 10  # runs in a row that a library has, too: some lines, word for word, with so many names in them
_OURS = 40  # nodes of its syntax that a function has which nobody writes twice
_LONGEST = 20_000  # letters of a cell that is read
_MOST = 20_000  # words and signs of one submission that are looked at
_NAME = re.compile(r"[^\W\d]\w*")
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class Pair:
    """Two submissions, the share of the rarer text that both have, and a piece of it."""

    one: str
    other: str
    share: float
    piece: str


def similar_pairs(texts: dict[str, Sequence[str]], handed_out: Iterable[str]) -> list[Pair]:
    """Return the pairs of names whose cells are alike, the most alike first."""
    known = {fingerprint for fingerprint, _ in _grams(handed_out)}  # all: a cell's neighbours may be others in a window
    prints = {name: _fingerprints(cells) for name, cells in texts.items()}
    count = Counter(itertools.chain.from_iterable(prints.values()))
    rare = max(3, int(_RARE * len(texts)))
    prints = {n: {h: p for h, p in found.items() if h not in known and count[h] <= rare} for n, found in prints.items()}
    owners: dict[int, list[str]] = defaultdict(list)
    for name, found in prints.items():
        for fingerprint in found:
            owners[fingerprint].append(name)
    common: dict[tuple[str, str], list[int]] = defaultdict(list)
    for fingerprint, names in owners.items():
        for pair in itertools.combinations(sorted(names), 2):
            common[pair].append(fingerprint)
    pairs = []
    for (one, other), shared in common.items():
        share = len(shared) / min(len(prints[one]), len(prints[other]))
        if len(shared) >= _LEAST and share >= _SHARE:
            pairs.append(Pair(one, other, share, max((prints[one][h] for h in shared), key=len)))
    return sorted(pairs, key=lambda pair: (-pair.share, pair.one, pair.other))


def pasted(cells: Iterable[str], handed_out: Iterable[str], libraries: Iterable[Path]) -> tuple[str, str] | None:
    """The file among ``libraries`` from which there are whole lines in these cells, and their beginning; or None."""
    known = {fingerprint for fingerprint, _ in _grams(handed_out)}
    grams = _grams(cells)
    for path in libraries:
        hashes, run = _hashes_of(path) - known, 0
        for i, (fingerprint, _) in enumerate(grams):
            run = run + 1 if fingerprint in hashes else 0
            if run == _PASTED:
                piece = " ".join(text.partition(" ")[0] for _, text in grams[i - run + 1 : i + 1])
                if len(set(_NAME.findall(piece))) >= _NAMES:
                    return path.stem if path.stem != "__init__" else path.parent.name, piece
    return None


def matches_course(
    name: str, cells: Iterable[str], files: Iterable[Path], handed_out: Iterable[str] = ()
) -> Pair | None:
    """The pair of a submission and the course, if it has functions of these files, up to names and layout.

    ``files`` are modules and notebooks; what was ``handed_out`` does not count.
    """
    ours = {shape for path in files for shape in _shapes_of(path)}
    ours -= {shape for cell in handed_out for _, _, shape in _shapes(cell)}
    found, same, size = [], 0, 0
    for cell in cells:
        for function, nodes, shape in _shapes(cell) if len(cell) <= _LONGEST else ():
            size += nodes
            if nodes >= _OURS and shape in ours:
                found.append(function)
                same += nodes
    return Pair(name, OURS, same / size, ", ".join(found)) if found else None


@lru_cache(maxsize=1000)
def _shapes_of(path: Path) -> frozenset[bytes]:
    texts = read_notebook(path.read_bytes()).cells if path.suffix == ".ipynb" else [path.read_text(encoding="utf-8")]
    return frozenset(shape for text in texts for _, _, shape in _shapes(text))


def _shapes(text: str) -> list[tuple[str, int, bytes]]:
    """(name, nodes, digest of what it is but for names and words) of each function of a text."""
    try:
        functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
        return [(node.name, *_shape(node)) for node in functions]
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # of IPython's own syntax, or made to hurt
        return []


def _shape(function: ast.FunctionDef) -> tuple[int, bytes]:
    for node in ast.walk(function):  # what says nothing of what it does goes first
        if isinstance(node, ast.FunctionDef):
            node.returns, node.decorator_list = None, []
            if ast.get_docstring(node, clean=False) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        elif isinstance(node, ast.arg):
            node.annotation = None
    names: dict[str, str] = {}
    nodes = [node for node in ast.walk(function) if not isinstance(node, ast.expr_context)]
    for node in nodes:
        if isinstance(node, ast.Name):
            node.id = names.setdefault(node.id, f"{len(names)}")
        elif isinstance(node, ast.arg):
            node.arg = names.setdefault(node.arg, f"{len(names)}")
        elif isinstance(node, ast.FunctionDef):
            node.name = names.setdefault(node.name, f"{len(names)}")
    return len(nodes), hashlib.blake2b(ast.dump(function).encode(), digest_size=16).digest()


@lru_cache(maxsize=1000)
def _hashes_of(path: Path) -> frozenset[int]:
    return frozenset(h for h, _ in _grams([path.read_text(encoding="utf-8", errors="replace")]))


def _fingerprints(cells: Iterable[str]) -> dict[int, str]:
    """Fingerprint → the piece of text that it stands for."""
    grams = _grams(cells)
    windows = (grams[i : i + _WINDOW] for i in range(max(1, len(grams) - _WINDOW + 1) if grams else 0))
    return dict(min(window, key=lambda gram: gram[0]) for window in windows)


def _grams(cells: Iterable[str]) -> list[tuple[int, str]]:
    """(hash, text) of each run of `_GRAM` words."""
    words = list(itertools.islice(itertools.chain.from_iterable(_WORD.findall(cell) for cell in cells), _MOST))
    grams = [" ".join(words[i : i + _GRAM]) for i in range(len(words) - _GRAM + 1)]
    return [
        (int.from_bytes(hashlib.blake2b(gram.encode(errors="replace"), digest_size=8).digest()), gram) for gram in grams
    ]
