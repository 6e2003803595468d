"""From a file to code: whatever happened to it on the way."""

import json
import time
import tracemalloc

import pytest

import kcourse.sheets.notebook as intake
from kcourse.checks import exercises
from kcourse.sheets.notebook import MAX_FILE, Unreadable, defined_twice, read_notebook, recognise_sheet
from kcourse_grader.marking.quotable import Quotable
from tests.conftest import WEEKLY
from tests.grader.notebooks import BLANK, ROOT, SHEET, SOLVED, as_bytes
from tests.timeouts import scaled


def cells(*sources, **more):
    return read_notebook(as_bytes(sources, **more)).cells


@pytest.mark.parametrize(
    "source",
    ["%matplotlib inline\nx = 1", "!pip install numpy\nx = 1", "x = 1\nx?", "files = !ls\nx = 1", "%%bash\nls",
     "%load_ext autoreload\n%autoreload 2", "?len", "v = %timeit -o 1", "%%html\n<b>x</b>"],
)  # fmt: skip
def test_magics_become_python(source):
    [cell] = cells(source)
    compile(cell, "cell", "exec")
    assert "get_ipython()" in cell


# what makes a careless expression go back and forth: 200 kB in one line, in many, and both with a magic below
LONG = {
    "check(": "check(" + " " * 199_000,
    "check(x": "check(x" + " " * 199_000 + "y",
    "check(x)": "check(x)" + " " * 199_000 + "y",
    "a name": "check(" + "x" * 199_000,
    "def": "def " * 49_000,
    "def x": "def x" + " " * 199_000,
    "async": "async " * 33_000,
    "annotated": "x: y\n" * 39_000,
    "x": "x" + "\n" * 199_000,
    "help": "a" * 199_000 + " b?",
    "attributes": "a." * 99_000 + "?",
    "percent": "%" * 199_000 + "?",
    "questions": "? " * 99_000,
    "assigned": "= " * 99_000 + "%",
    "prompts": "\n" * 199_000 + ">>>x",
    "margin": " " * 199_000 + "x",
    "quotes": "'''" * 66_000,
    "quotes in quotes": '"\'"' * 66_000,
    "backslashes": "\\\n" * 99_000 + "%x",
    "brackets": "(" * 199_000,
    "measured": "%%time" + " " * 199_000,
    "magics": "%time x = 1\n" * 16_000,
    "calls": ",f a\n" * 39_000,
    "calls after a magic": "%x\n" + ";f a\n" * 39_000,
    "calls behind other ends of lines": "%x\n" + "\x0b/f a\u2028,f a" * 18_000,
    "words": "w " * 99_000,
}


def seconds(sources):
    start = time.process_time()
    notebook = read_notebook(as_bytes(sources))
    Quotable(notebook.cells)
    return time.process_time() - start


@pytest.fixture(scope="module")
def usual():
    """Seconds for as much honest text."""
    return seconds(["\n".join(SOLVED.values())[:1000] * 199] * 3)


SHAPES = {
    "one line": lambda text, line: [text, text + "\n%x"],
    "short lines": lambda text, line: [line * (19_900 // len(line)) + "x?"],
    "small cells": lambda text, line: [line * (19_900 // len(line)) + "?x"] * 8,
}


@pytest.mark.parametrize("shape", ["one line", pytest.param("short lines", marks=pytest.mark.slow),
                                   pytest.param("small cells", marks=pytest.mark.weekly)])  # fmt: skip
def test_no_text_takes_for_ever(shape, usual):
    taken = {name: seconds(SHAPES[shape](text, text.replace("\n", " ")[:480] + "\n")) for name, text in LONG.items()}
    most = 100 * usual + 5  # a square of the length takes minutes
    assert {name: s for name, s in taken.items() if s > most} == {}


def test_magics_in_what_is_too_large_for_ipython_become_comments():
    [cell] = cells("%matplotlib inline\n!pip install x\nx = (5\n % 3)\n# " + "x" * 1000)
    compile(cell, "cell", "exec")
    assert cell.startswith("# %matplotlib inline\n# !pip install x\nx = (5\n % 3)\n")


def test_cells_that_are_too_long_are_left_out_and_counted():
    notebook = read_notebook(as_bytes(["x" * 200_001, "y = 1", *["z" * 199_999] * 11]))
    assert notebook.left_out == (1, 13) and len(notebook.cells) == 11


@pytest.mark.parametrize("content", [
    {"cells": [{"cell_type": "code", "source": ["x = 1\n", "y = 2"]}]},
    {"cells": [{"cell_type": "code", "source": "x = 1\r\ny = 2"}]},
    {"cells": [{"cell_type": "code", "source": "x = 1\ny = 2", "metadata": None, "id": 7}, None, 3, {}]},
    {"worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1\n", "y = 2"]}]}], "nbformat": 3},
], ids=["list", "CRLF", "damaged cells", "nbformat 3"])  # fmt: skip
def test_shapes_of_notebooks(content):
    for mark in (b"", b"\xef\xbb\xbf"):
        assert read_notebook(mark + json.dumps(content).encode()).cells == ("x = 1\ny = 2",)


@pytest.mark.parametrize(("data", "words"), [
    (b"", "empty"),
    (b"  \n", "empty"),
    (as_bytes(["x = 1"])[:-20], "not valid JSON"),
    (b"[]", "not a notebook"),
    (b'{"cells": 3}', "no list of cells"),
    (b"[" * 100_000, "not valid JSON"),
    (b"PK\x03\x04", "not valid JSON"),
    (as_bytes(["x"] * 3000), "3000 cells"),
    (b" " * (MAX_FILE + 1), "MB"),
], ids=lambda v: v if isinstance(v, str) else "")  # fmt: skip
def test_what_is_no_notebook_says_why(data, words):
    with pytest.raises(Unreadable, match=words):
        read_notebook(data)


def output(text):
    """A notebook with this for its output, as JSON has it."""
    cell = '{"cell_type": "code", "source": "x = 1", "outputs": [' + text + "]}"
    return ('{"cells": [' + cell + "]}").encode()


BOMBS = {  # of so many things
    "cells": lambda n: b'{"cells": [' + b"{}," * n + b"{}]}",
    "lists": lambda n: output("[]," * n + "[]"),
    "keys": lambda n: output("{" + ",".join(f'"{i:x}":1' for i in range(n)) + "}"),
    "objects": lambda n: output('{"a":1},' * n + "1"),
    "numbers": lambda n: output("1.5," * n + "1"),
    "strings": lambda n: output('"ab,",' * n + "1"),
    "UTF-16": lambda n: output("[]," * n + "[]").decode().encode("utf-16"),
    "no end": lambda n: b'{"cells": ["' + b',\\"' * n,
    "brackets": lambda n: b"[" * n,
}


STORED = {
    "pictures": lambda: ",".join(f'{{"image/png": "{"iVBORw0KGgo+/" * 100_000}"}}' for _ in range(12)),
    "drawings": lambda: json.dumps(["<path d='M 1,2 [3] {4}' style='a: b'/>" * 30_000] * 12),
    "lines": lambda: json.dumps(['a line, with a "quoted, word" and {a: brace}\n'] * 300_000),
    "numbers": lambda: json.dumps([[i / 7 for i in range(1000)]] * 800),
}


@pytest.mark.slow
@pytest.mark.parametrize("made", STORED.values(), ids=STORED)
def test_what_is_stored_is_no_matter(made):
    data = output(made())
    assert 12_000_000 < len(data) < MAX_FILE and read_notebook(data).cells == ("x = 1",)


def test_a_name_that_is_no_function_says_little():
    of = lambda *cells, names=(): recognise_sheet(read_notebook(as_bytes(cells)), *names)  # noqa: E731
    assert of("spread = 1") is None  # as in lectures
    assert of("spread = 1\nlms = partial(f, 2)") == "ch07b_rbf_networks"
    assert of("spread = 1\nlms = 2", "krr_fit = lambda K, y, lam: y") == SHEET
    assert of("def spread(): pass", "def lms(): pass", "def krr_fit(): pass", names=["my ch03_ridge"]) == SHEET


def test_no_lecture_is_another_chapters_sheet():
    found = {
        p.stem: recognise_sheet(read_notebook(p.read_bytes()), p.stem) for p in (ROOT / "notebooks").glob("*.ipynb")
    }
    assert len(found) > 12 and {stem: sheet for stem, sheet in found.items() if sheet not in (None, stem)} == {}


@pytest.mark.slow
def test_many_cells_of_ipythons_own_syntax_take_no_minutes(usual):
    fill, taken, lines = (
        "y = (1 + 2) * [3, 4, 5]\n",
        {},
        (",f a\n", "\x0b,f a\n", ";f a\n", "/f a\n", "a =\f%x\n", "%x\n"),
    )
    for line in lines if WEEKLY else lines[:2]:
        text = "%x\n" + line * 480
        taken[line] = seconds([text + fill * ((19_900 - len(text)) // len(fill))] * 25)
    assert {line: s for line, s in taken.items() if s > 100 * usual + 5} == {}


@pytest.mark.parametrize(("sources", "becomes"), [
    *(([source], (source,)) for source in ("x = 5 % 3", "a = '''\ntext\n'''", "def f(:", "# right?\nx = 1")),
    ([",f a b", ";f a b", "/f a b"], ('f("a", "b")', 'f("a b")', "f(a, b)")),
    (["check(krr_fit)", "check( krr_fit ) ;  # mine", "check(f)\n\ncheck(g)", "", "x = 1\ncheck(f)"],
     ("x = 1\ncheck(f)",)),
])  # fmt: skip
def test_python_is_left_as_it_is_calls_get_brackets_and_cells_that_only_check_go(sources, becomes):
    assert tuple(cell.strip() for cell in cells(*sources)) == becomes


def test_numbers_count_all_cells_as_a_reader_does():
    data = json.loads(as_bytes(["x = 1", "check(f)", "y = 2"]))
    data["cells"].insert(0, {"cell_type": "markdown", "source": "text"})
    assert read_notebook(json.dumps(data).encode()).numbers == (2, 4)


@pytest.mark.parametrize("slow", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_small_things_by_the_million_are_not_made_and_counting_them_takes_no_minutes(monkeypatch, subtests, slow):
    if not slow:
        monkeypatch.setattr(intake, "MAX_VALUES", 10_000)
    for name in ("cells", "objects", "no end") if slow else BOMBS:
        with subtests.test(msg=name):
            data, start = BOMBS[name](2_000_000 if slow else 60_000), time.process_time()
            tracemalloc.start() if not slow else None
            try:
                with pytest.raises(Unreadable, match="10,000|1,000,000|not valid JSON"):
                    read_notebook(data)
                assert slow or tracemalloc.get_traced_memory()[1] < 3 * len(data) + 100_000
                assert time.process_time() - start < scaled(10)
            finally:
                tracemalloc.stop()


def test_sheets_are_recognised_by_what_they_define_and_duplicates_are_counted():
    measured = read_notebook(as_bytes(["%%time\ndef krr_fit(K, y, lam):\n    return 1"]))  # the notebook's own code
    assert measured.cells == ("def krr_fit(K, y, lam):\n    return 1",) and recognise_sheet(measured) == SHEET
    assert recognise_sheet(read_notebook(as_bytes(BLANK.values()))) == SHEET
    assert recognise_sheet(read_notebook(as_bytes(["def other(): pass"]))) is None
    twice = read_notebook(as_bytes([*SOLVED.values(), SOLVED["krr_fit"]]))
    assert defined_twice(twice, exercises(SHEET)) == ["krr_fit"]
