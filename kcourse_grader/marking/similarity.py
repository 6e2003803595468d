"""Find submissions that share rare text, by winnowing (Schleimer, Wilkerson and Aiken, SIGMOD 2003).

The cells are split into words and signs. Each run of `_GRAM` of them is hashed, and the smallest of `_WINDOW`
consecutive hashes is kept as a fingerprint. So two texts with `_GRAM` + `_WINDOW` - 1 words in common share one.
Fingerprints of the sheet as handed out are ignored, and so are those that many submissions have, because everybody
writes a short right answer in the same way. What remains is rare, such as the same comment, detour or odd name. It
proves nothing: students who worked together, or read the same page, look the same as students who copied.

`same_answers` lists the submissions that have the same cells, character for character, whatever their number is. A
short answer can be the same by chance, so the cells of a group must have `_SAME` words that the sheet does not give.

`matches_course` finds submissions with a function of the package or of the solved sheet, up to names, layout, comments
and annotations. Short functions are ignored, because there is only one way to write them.
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

__all__ = ["OURS", "Pair", "Same", "matches_course", "pasted", "same_answers", "similar_pairs"]

OURS = "the course's own answer"

_GRAM, _WINDOW = 8, 4  # words and signs
_LEAST = 4  # rare fingerprints that a pair must have in common
_SHARE = 0.25  # their smallest share in the submission that has fewer fingerprints
_RARE = 0.05  # a rare fingerprint is in at most this share of the submissions, or in three of them
_SAME = 60  # words and signs; a one-line answer with NumPy has about 30
_PASTED, _NAMES = 32, 10  # runs in a row that are also in a library, with this many different names in them
_OURS = 40  # syntax nodes from which on a function counts as too long to be written twice by chance
_LONGEST = 20_000  # characters of a cell that is read
_MOST = 20_000  # words and signs of one submission that are read
_NAME = re.compile(r"[^\W\d]\w*")
_DEFINED = re.compile(r"(?m)^def (\w+)")
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class Pair:
    """Two submissions, the share of rare text that they have in common, and a piece of it."""

    one: str
    other: str
    share: float
    piece: str


@dataclass(frozen=True)
class Same:
    """Submissions with the same cells, what these define, and how many words of them the sheet does not give."""

    names: tuple[str, ...]
    answers: str
    words: int


def same_answers(texts: dict[str, Sequence[str]], handed_out: Iterable[str]) -> list[Same]:
    """Return the groups of names that have the same cells, character for character, the longest cells first."""
    known = {fingerprint for fingerprint, _ in _grams(handed_out)}
    own: dict[str, int] = {}  # cell → its words that the sheet does not give
    owners: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, cells in sorted(texts.items()):
        mine = tuple(dict.fromkeys(cell.strip() for cell in cells))
        for cell in mine:
            if cell not in own:
                own[cell] = sum(fingerprint not in known for fingerprint, _ in _grams([cell]))
        mine = tuple(cell for cell in mine if own[cell])
        for unit in dict.fromkeys(
            [mine, *((cell,) for cell in mine)]
        ):  # all answers may be the same though each is frequent
            owners[unit].append(name)
    shared: dict[tuple[str, ...], dict[str, None]] = defaultdict(dict)
    for cells, names in owners.items():
        if len(names) > 1:
            shared[tuple(names)] |= dict.fromkeys(cells)
    found = []
    for names, same in shared.items():
        defined = [name for cell in same for name in _DEFINED.findall(cell) or [cell.partition("\n")[0][:60]]]
        found.append(Same(names, ", ".join(dict.fromkeys(defined)), sum(own[cell] for cell in same)))
    return sorted((group for group in found if group.words >= _SAME), key=lambda group: (-group.words, group.names))


def similar_pairs(texts: dict[str, Sequence[str]], handed_out: Iterable[str]) -> list[Pair]:
    """Return the pairs of names whose cells are similar, the most similar first."""
    known = {fingerprint for fingerprint, _ in _grams(handed_out)}  # all hashes, since windows may cross cells
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
    """Return the file among ``libraries`` from which these cells contain whole lines, and the lines; or None."""
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
    """Return a pair of the submission and the course if it contains functions of these files, up to names and layout.

    ``files`` are modules and notebooks; functions that were ``handed_out`` do not count.
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
    """Return (name, nodes, digest of the syntax without names and docstrings) of each function of a text."""
    try:
        functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
        return [(node.name, *_shape(node)) for node in functions]
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # IPython's own syntax, or hostile code
        return []


def _shape(function: ast.FunctionDef) -> tuple[int, bytes]:
    for node in ast.walk(function):  # remove what does not change the computation
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
    """Return fingerprint → the piece of text that it represents."""
    grams = _grams(cells)
    windows = (grams[i : i + _WINDOW] for i in range(max(1, len(grams) - _WINDOW + 1) if grams else 0))
    return dict(min(window, key=lambda gram: gram[0]) for window in windows)


def _grams(cells: Iterable[str]) -> list[tuple[int, str]]:
    """Return (hash, text) of each run of `_GRAM` words."""
    words = list(itertools.islice(itertools.chain.from_iterable(_WORD.findall(cell) for cell in cells), _MOST))
    grams = [" ".join(words[i : i + _GRAM]) for i in range(len(words) - _GRAM + 1)]
    return [
        (int.from_bytes(hashlib.blake2b(gram.encode(errors="replace"), digest_size=8).digest()), gram) for gram in grams
    ]
