"""Files that something happened to on the way: a merge, an editor, a mail program, a disk."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable

from tests.grader.adversarial.cases import NOTHING, TARGET, Case, book, notebook, packed
from tests.grader.notebooks import BLANK, SOLVED

_SOLVED, _BLANK = book(), book("exercises")


def _whole(name: str, data: bytes, *says: str, **more: object) -> Case:
    """All answers are right and have their points."""
    return Case(name, data, says=says, noted=more.pop("noted", bool(says)), **more)


def _unreadable(name: str, data: bytes, *says: str, **more: object) -> Case:
    return Case(name, data, NOTHING, ("could not be graded", *says), "unreadable", review=True, noted=True, **more)


def _changed(name: str, change: Callable[[dict], object], *says: str, lost: dict | None = None, **more: object) -> Case:
    """The solved sheet after ``change``, which works in place or returns another notebook."""
    content = copy.deepcopy(_SOLVED)
    content = change(content) or content
    return Case(name, packed(content), lost or {}, says, noted=more.pop("noted", bool(says) and not lost), **more)


def _each(change: Callable[[dict], object]) -> Callable[[dict], None]:
    def all_cells(content: dict) -> None:
        for cell in content["cells"]:
            change(cell)

    return all_cells


def _edited(name: str, turn: Callable[[str], str], *says: str, points: float | None = None, **more: object) -> Case:
    """The target's cell is typed, pasted or torn in another way; ``points`` are left of it, all by default."""
    cells = [turn(source) if key == TARGET else source for key, source in SOLVED.items()]
    lost = {} if points is None else {TARGET: points}
    return Case(name, notebook(name, cells), lost, says, noted=more.pop("noted", False), **more)


def _sources(content: dict) -> str:
    return "\n\n".join("".join(c["source"]) for c in content["cells"] if c["cell_type"] == "code")


def _like_3(content: dict) -> dict:
    cells = [
        {"cell_type": "code", "input": c["source"], "outputs": [], "language": "python", "collapsed": False}
        if c["cell_type"] == "code" else {"cell_type": "markdown", "source": c["source"]} for c in content["cells"]
    ]  # fmt: skip
    return {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": cells}]}


def _shuffle(content: dict) -> None:
    random.Random(1).shuffle(content["cells"])


def _checks(content: dict) -> list[dict]:
    return [c for c in content["cells"] if "".join(c["source"]).startswith("check(")]


def _easy_checks(content: dict) -> None:
    for cell in _checks(content):
        cell["source"] = "check = lambda f: 4.0\n4.0"


def _all_in_one(content: dict) -> None:
    content["cells"] = [{"cell_type": "code", "source": _sources(content)}]


def _nested(depth: int) -> Callable[[dict], None]:
    def change(content: dict) -> None:
        inner: list = []
        for _ in range(depth):
            inner = [inner]
        content["metadata"]["deep"] = inner

    return change


def _conflict(source: str) -> str:
    return f"<<<<<<< HEAD\n{source}=======\n{BLANK[TARGET]}>>>>>>> theirs\n"


UNREADABLE = [
    _unreadable("corrupt JSON", b'{"cells": [}', "not valid JSON"),
    _unreadable("truncated", packed(_SOLVED)[:-300], "not valid JSON"),
    _unreadable("a script", "\n".join(SOLVED.values()).encode(), "is a Python script"),
    _unreadable("a pointer of Git LFS", b"version https://git-lfs.github.com/spec/v1\n", "`git lfs pull`"),
    _unreadable("a merge conflict in the file",
                b"<<<<<<< HEAD\n" + packed(_SOLVED) + b"\n=======\n" + packed(_BLANK) + b"\n>>>>>>> theirs\n",
                "conflict markers"),
    _unreadable("a million cells", b'{"cells": [' + b"{}," * 1_000_001 + b"{}]}", "clear its outputs and save it"),
]  # fmt: skip

WHOLE = [
    _whole("as it should be", packed(_SOLVED)),
    Case("as it was handed out", packed(_BLANK), NOTHING, ("Not attempted yet",)),
    _whole("UTF-16", json.dumps(_SOLVED).encode("utf-16")),
    _whole("Latin 1", json.dumps(_SOLVED | {"author": "Zoë"}, ensure_ascii=False).encode("latin-1", "replace")),
    _changed("nbformat 3", _like_3),
    _changed("nbformat 99", lambda c: c.update(nbformat=99, nbformat_minor="x")),
    _changed("no metadata", lambda c: {"cells": [{k: v for k, v in x.items() if k in ("cell_type", "source")}
                                                 for x in c["cells"]]}),
    _changed("broken metadata", _each(lambda c: c.update(metadata=[None, 7], outputs="none", execution_count="x"))),
    _changed("cells reversed", lambda c: c["cells"].reverse(), noted=None),
    _changed("cells shuffled", _shuffle, noted=None),
    _changed("every cell twice", lambda c: c["cells"].extend(copy.deepcopy(c["cells"])), "is defined 2 times"),
    _changed("the blank sheet below", lambda c: c["cells"].extend(_BLANK["cells"]), "is defined 2 times",
             "the last definition counts", lost=NOTHING, noted=True),
    _changed("the blank sheet above", lambda c: c.update(cells=_BLANK["cells"] + c["cells"]), "is defined 2 times"),
    _changed("checks that say yes", _easy_checks),
    _changed("all in one cell", _all_in_one),
    _changed("odd things among the lines", _each(lambda c: c.update(source=[*c["source"], None, 7, ["x"]]))),
    _changed("cells that are none",
             lambda c: c["cells"].extend([None, 7, [], {}, {"cell_type": "code"}, {"source": 3}])),
    _changed("a null source", lambda c: c["cells"].append({"cell_type": "code", "source": None})),
    _changed("deep metadata", _nested(400)),
    _changed("all cells are text", _each(lambda c: c.update(cell_type="markdown")), "defines no function krr_fit",
             "krr_fit is in a text cell", lost=NOTHING, review=True, noted=True),
    Case("nothing but a title", packed({"cells": [{"cell_type": "markdown", "source": "# Sheet"}]}), NOTHING,
           ("none of the course", "could not be graded"), "unrecognised", True, True, file="homework.ipynb"),
]  # fmt: skip

_MISSING = f"defines no function {TARGET}"
EDITED = [
    _edited("a merge conflict in a cell", _conflict, _MISSING, "SyntaxError", points=0, noted=True),
    _edited("a bracket is missing", lambda s: s.replace("))", ")"), _MISSING, "SyntaxError", points=0, noted=True),
    _edited("pasted with prompts", lambda s: "\n".join(f">>> {line}" for line in s.splitlines())),
    _edited("pasted as a quotation", lambda s: "\n".join(f"> {line}" for line in s.splitlines()), _MISSING, points=0,
            noted=True),
    _edited("NUL", lambda s: s.replace(" ", " \x00")),
    _edited("a mark of byte order in a cell", lambda s: "\ufeff" + s, _MISSING, "SyntaxError", points=0, noted=True),
    _edited("half a character in a comment", lambda s: s + "  # \ud83d", _MISSING, "UnicodeEncodeError", points=0,
            noted=True),
    _edited("renamed", lambda s: s.replace("def effective_df", "def effective_DF"), _MISSING, points=0),
    _edited("left out", lambda s: "", _MISSING, points=0),
    _edited("commented out", lambda s: re.sub("^", "# ", s, flags=re.M), _MISSING, points=0),
    _edited("a string around it", lambda s: f"'''\n{s.replace(chr(34) * 3, '')}\n'''", _MISSING, points=0),
    _edited("indented", lambda s: "if True:\n" + re.sub("^", "    ", s, flags=re.M)),
    _edited("inside another function", lambda s: "def outer():\n" + re.sub("^", "    ", s, flags=re.M), _MISSING,
            points=0),
    _edited("a lambda", lambda s: "effective_df = lambda K, lam: "
            "np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K))"),
    _edited("a class", lambda s: "class effective_df:\n    def __new__(cls, K, lam):\n"
            "        return np.trace(np.linalg.solve(K + lam * np.eye(len(K)), K))"),
    _edited("a number in its place", lambda s: "effective_df = 3", "not a function; it has the type int", points=0),
    _edited("its own check", lambda s: s + "\neffective_df = check(effective_df)", _MISSING, points=0, noted=True),
    _edited("other arguments", lambda s: s.replace("(K, lam)", "(K, lam, n)", 1), "missing a required argument: 'n'",
            points=0),
    _edited("arguments swapped", lambda s: s.replace("(K, lam)", "(lam, K)", 1), "another order", points=0),
    _edited("asynchronous", lambda s: "async " + s, "coroutine|object", points=0),
    _edited("twice in a cell", lambda s: "def effective_df(K, lam):\n    return 0\n" + s, "is defined 2 times",
            noted=True),
    _edited("a wrong one below", lambda s: s + "\ndef effective_df(K, lam):\n    return np.trace(K)\n",
            "is defined 2 times", "trace", points=0, noted=True),
    _edited("deleted again", lambda s: s + "\ndel effective_df", _MISSING, points=0),
    _edited("needs a helper that is not written", lambda s: "def helper(K):\n    raise NotImplementedError\n"
            "def effective_df(K, lam):\n    return helper(K)", "calls helper, which is not written yet", points=0),
    _edited("an error in an example", lambda s: s + "\neffective_df(np.eye(2), 'x')",
            "UFuncTypeError|TypeError|Exception", noted=True),
    _edited("measured", lambda s: "%%time\n" + s),
    _edited("written to a file", lambda s: "%%writefile answer.py\n" + s, _MISSING, points=0),
    _edited("imported from a file", lambda s: "from answer import effective_df", _MISSING, "ModuleNotFoundError",
            points=0, noted=True),
    _edited("magics", lambda s: "%matplotlib widget\n%load_ext autoreload\n%autoreload 2\n!pip install numpy\n?len\n"
            "files = !ls\n%timeit 1\n%cd ..\n%env X=1\n" + s),
    _edited("a cell of the shell", lambda s: "%%bash\nrm -rf ~\n" + s, _MISSING, points=0),
    _edited("a backend with windows", lambda s: s + "\nimport matplotlib\nmatplotlib.use('TkAgg')", noted=None),
    _edited("a backend of notebooks", lambda s: s + "\nimport matplotlib\n"
            "matplotlib.use('module://ipympl.backend_nbagg')\n"
            "import matplotlib.pyplot as plt\nplt.figure()", noted=None),
    _edited("a cell of 200 kB", lambda s: s + "\n# " + "x" * 150_000),
    _edited("what the sandbox has not", lambda s: "import polars as pl\nfrom tqdm.auto import tqdm\n" + s,
            "ModuleNotFoundError", "polars", noted=True),
]  # fmt: skip
# in the cell of the imports, where all that follows hangs on it
_IMPORTS = (
    "import polars as pl\nfrom IPython.display import display\nimport seaborn as sns, numpy as np2\n" + SOLVED[""]
)
EDITED.append(
    Case("imports that are not there", notebook("imports that are not there", [_IMPORTS, *list(SOLVED.values())[1:]]),
           says=("ModuleNotFoundError", "import polars as pl"), noted=True)
)  # fmt: skip
