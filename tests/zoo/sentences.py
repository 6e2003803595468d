"""The sentences that the grader can say, from its source: each must be said to somebody, or it is never tested."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.grading.making import ROOT

OF_THE_JUDGE = ("checks/judge.py", "checks/diagnose.py", "checks/kinds.py")
OF_THE_GRADER = (
    "grading/grade.py",
    "grading/intake/notebook.py",
    "grading/intake/inbox.py",
    "grading/intake/naming.py",
    "grading/said.py",
)
_LEAST = 12  # letters of a piece of a sentence that tell it from others

# what no notebook can make anyone say, and why
_NEVER = {
    "NumPy warned:": "warnings are withheld with hidden inputs",
    "could not be judged": "a fault of the judge's",
    "the sandbox was lost": "the sandbox was killed from outside",
    "The grader failed on this submission": "the sandbox was killed from outside",
    "that could not be removed": "nobody has found a way",
    "; give the folder": "nothing was handed in",
    "has no notebooks": "nothing was handed in",
    "is a damaged archive": "nothing was handed in",
    "Nothing was handed in.": "whoever is in the roster alone has no file",
    "files and folders": "thousands of files are handed in elsewhere",
    "which cannot be opened": "root may open everything",
    "archives inside each other": "archives are handed in elsewhere",
    "an archive of more than": "archives are handed in elsewhere",
    "archives in archives have more than": "archives are handed in elsewhere",
    "nothing is answered in it": "whole clones are handed in elsewhere",
    "what counts lies in the folder solutions": "whole clones are handed in elsewhere",
    "This is one clone of the course": "said to the lecturer at once",
    "Not looked at:": "said to the lecturer at once",
    "Everything lies in": "said to the lecturer at once",
    "raised TookTooLong.": "is put into other words",
    "raised Slept.": "is put into other words",
    "raised ProcessDied.": "is put into other words",
    "raised NotCalled.": "is put into other words",
    "is seen when the sheet is graded": "the students' edition says so",
    "was not tried on every input": "what the earlier call did is told first",
    "the transpose of the right matrix": "no sheet asks for a matrix yet",
}


def unsaid(files: tuple[str, ...], said: str) -> list[str]:
    """Sentences in these files of which no piece stands in ``said``."""
    flat = re.sub(r"\s+", " ", said)
    return [
        f"{file}: {' … '.join(pieces)}"
        for file in files
        for pieces in _sentences(file)
        if not any(words in "{}".join(pieces) for words in _NEVER) and not any(piece in flat for piece in pieces)
    ]


def first_words(function: str, *files: str) -> set[str]:
    """The texts with which modules call a function."""
    trees = [ast.parse((ROOT / "kcourse" / file).read_text(encoding="utf-8")) for file in files]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    calls = [n for n in nodes if isinstance(n, ast.Call) and getattr(n.func, "id", "") == function]
    found = [part for call in calls for part in ast.walk(call.args[0]) if isinstance(part, ast.Constant)]
    return {part.value for part in found if isinstance(part.value, str)}


def _sentences(file: str) -> Iterator[list[str]]:
    """The fixed pieces of each text in a module that is a sentence, or a good part of one."""
    tree = ast.parse((ROOT / "kcourse" / file).read_text(encoding="utf-8"))
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)} - {
        id(node) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
    }
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) in parts or id(node) in documents:
            continue
        texts = node.values if isinstance(node, ast.JoinedStr) else [node]
        pieces = [t.value.strip() for t in texts if isinstance(t, ast.Constant) and isinstance(t.value, str)]
        pieces = [re.sub(r"\s+", " ", p) for p in pieces if len(p) >= _LEAST and " " in p and not _code(p)]
        if pieces:
            yield pieces


def _code(text: str) -> bool:
    """A regular expression, or a separator."""
    return any(sign in text for sign in ("(?", "\\", "^", "[ "))
