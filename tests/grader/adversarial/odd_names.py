"""Files that are named, laid or linked in odd ways; what is in them is right."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from tests.grader.adversarial.cases import FILE, NOTHING, Case, book, notebook, packed
from tests.grader.notebooks import SOLVED, sheet_cells

_GOOD = packed(book())


def _put(path: str, data: bytes | None = None) -> Callable[[Path], None]:
    def put(folder: Path) -> None:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(_GOOD if data is None else data)

    return put


def _link(folder: Path) -> None:
    (folder / "a link").mkdir()
    (folder / "a link" / FILE).symlink_to(folder / "as it should be" / FILE)


def _pipe(folder: Path) -> None:
    (folder / "a pipe").mkdir()
    os.mkfifo(folder / "a pipe" / FILE)


def _folder(folder: Path) -> None:
    (folder / "a folder" / FILE).mkdir(parents=True)


def _several(*paths: str, data: bytes | None = None) -> Callable[[Path], None]:
    return lambda folder: [_put(path, data)(folder) for path in paths]


def _many(folder: Path) -> None:
    _several(*(f"many attempts/{i}.ipynb" for i in range(51)), data=packed(book("exercises")))(folder)
    _put("many attempts/ch03_ridge-2.ipynb")(folder)


def _named(student: str, path: str, **more: object) -> Case:
    return Case(student, _put(path), noted=more.pop("noted", False), **more)


NAMED = [
    _named("=1+1", f"=1+1/{FILE}"),
    _named("<b>Ann & 'Bob'", f"<b>Ann & 'Bob'/{FILE}"),
    _named("名前 ñ 🦓", f"名前 ñ 🦓/{FILE}"),
    _named("{{ 7 * 7 }} %s $HOME", f"{{{{ 7 * 7 }}}} %s $HOME/{FILE}"),
    _named("two\nlines", f"two\nlines/{FILE}"),
    _named("no\\xff text", f"no\udcff text/{FILE}"),  # a byte that is no text is spelt out
    _named("x" * 200, f"{'x' * 200}/{FILE}"),
    _named("capitals", "capitals/CH03_RIDGE.IPYNB", noted=None),
    _named("another name", "another name/my homework (final) 2.ipynb", noted=True),
    Case("most of another sheet", notebook("most of another sheet", [*SOLVED.values(), *sheet_cells(
        "solutions", "ch02_kernels").values()]), says=("ch03_ridge because of its name", "answers .* of ch02"),
           noted=True, review=True),
    Case("only a paper", _put("only a paper/answers.pdf", b"%PDF-1.4"), NOTHING, ("answers.pdf",), "missing", True,
           True, file="answers.pdf"),
    Case("another's name", _several("another's name/Sheet_as it should be_attempt_2099-01-01-00-00-00.ipynb"),
           noted=None),
    Case("twin", _put(f"twin/{FILE}"), review=True),
    Case("twin_ch03_ridge.ipynb", _put("twin_ch03_ridge.ipynb"), review=True),
    Case("deep", _several(f"deep/{FILE}", f"deep/{'d/' * 20}{FILE}"), review=True),
    Case("many attempts", _many, says=("only the latest 50", "and 44 more"), noted=True, review=True),
    Case("a link", _link, NOTHING, ("link",), "unreadable", True, True),
    Case("a pipe", _pipe, NOTHING, ("nothing else that can be read",), "missing", True, True),
    Case("a folder", _folder, NOTHING, ("nothing else",), "missing", True, True),
    Case("an empty folder", lambda folder: (folder / "an empty folder").mkdir(), NOTHING, (), "missing", True, True),
    Case("hidden", _put(f"hidden/.ipynb_checkpoints/{FILE}"), NOTHING, (), "missing", True, True),
    Case("two attempts", lambda folder: [_put(f"two attempts/{FILE}", packed(book("exercises")))(folder),
                                           _put("two attempts/ch03_ridge-2.ipynb")(folder)],
           says=("2 attempts",), noted=True, review=True),
    Case("a blank copy later", lambda folder: [_put(f"a blank copy later/{FILE}")(folder), _put(
        "a blank copy later/ch03_ridge_sheet (1).ipynb", packed(book("exercises")))(folder)],
           says=("the latest that answers anything",), noted=True, review=True),
    Case("a dot", _several(f"a dot/{FILE}", f"a dot/.old/{FILE}"), review=True),
    Case("a dot alone", _put(f"a dot alone/.{FILE}"), NOTHING, (), "unreadable", True, True),
]  # fmt: skip
