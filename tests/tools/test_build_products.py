"""Building and checking whole notebooks: what is run, cleaned, refused, written and left alone."""

from __future__ import annotations

import json
import sys

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tools import build, outputs

LECTURE_TEXT = """\
# %% [markdown] key="intro" slide="slide"
# # 3 Ridge
#
# There are 133 points.

# %% key="numbers"
import os, sys
print(133)
same = sys.executable == EXECUTABLE
print(same, os.environ["OMP_NUM_THREADS"], os.path.basename(os.getcwd()))

# %%
sys.stdout.flush(); print(1, flush=True); print(2, flush=True)
""".replace("EXECUTABLE", repr(sys.executable))

# Each picture is a real PNG of one point; its metadata is what a figure's helper would store.
FAULTY = """\
# %%
import base64, sys, warnings; from IPython.display import HTML, display
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9" + (
    "awAAAABJRU5ErkJggg==")
ALT = {"image/png": {"alt": "a single point, twenty characters"}}
VIEW = {"application/vnd.jupyter.widget-view+json": {"version_major": 2, "model_id": "m"}}
big = base64.b64encode(bytes(80_001)).decode()
display({"image/png": PNG, **VIEW}, raw=True, metadata=ALT)

# %%
print("fine", file=sys.stdout)
warnings.warn("this is old")

# %%
display({"image/png": PNG}, raw=True)

# %%
display({"image/png": PNG}, raw=True, metadata={"image/png": {"alt": "too short an alt te"}})

# %%
display({"image/png": big}, raw=True, metadata=ALT)

# %%
print("x" * 4_000)

# %%
object()

# %%
import os; print(os.path.expanduser("~"), "is home")

# %%
print("see lib/site-packages/numpy")

# %%
print(os.path.dirname(os.getcwd()))

# %%
display(VIEW, raw=True)

# %%
display(HTML("<img src='x'>"))

# %% [markdown]
# It is 0.123 long
# and 133 wide.

# %% tags=["raises-exception"]
1 / 0

# %%
print("ridge      2.08   31\\nmargin    12.13    9\\n1-NN       1.18   70")
"""
EXPECTED_FAULTS = {
    11: "output on stderr (warnings are errors)",
    15: "without alt text of at least 20",
    18: "without alt text of at least 20",
    21: "a picture of 80,001 bytes",
    24: "stdout of 4,001 characters",
    27: "a memory address",
    30: "a path of this machine",
    33: "a path of this machine: lib/site-packages",
    36: "a path of this machine",
    39: "a widget without a picture",
    42: "an <img> without alt text",
    45: "code gives 0.123",
    46: "code gives 133",
    49: "an error is stored, ZeroDivisionError",
    52: "kcourse.lab.table instead: ridge 2.08 31",
}


def test_a_lecture_is_run_and_rebuilding_changes_nothing(project):
    project.write(project.lecture, LECTURE_TEXT + "\nif False:\n    import kcourse.ridge\n")
    project.write("kcourse/ridge.py", "one = 1\n")
    product = project.root / "notebooks/ch03_ridge.ipynb"

    assert project.build() == []
    assert project.said[0].startswith("built notebooks/ch03_ridge.ipynb (")
    notebook = project.notebook("notebooks/ch03_ridge.ipynb")
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    mark = notebook["metadata"].pop("kcourse")
    assert notebook["metadata"] == outputs.NOTEBOOK_METADATA
    intro, numbers, streams = notebook["cells"]
    assert intro["metadata"] == {"slideshow": {"slide_type": "slide"}}
    assert numbers["outputs"][0]["text"] == ["133\n", "True 1 notebooks\n"]
    assert (numbers["execution_count"], streams["execution_count"]) == (1, 2)
    assert [output["text"] for output in streams["outputs"]] == [["1\n", "2\n"]]
    assert numbers["metadata"] == streams["metadata"] == {}
    assert project.check() == []

    time = product.stat().st_mtime_ns
    assert project.build() == []
    assert project.said == ["up to date notebooks/ch03_ridge.ipynb"]
    assert product.stat().st_mtime_ns == time

    project.write("kcourse/ridge.py", "one = 2\n")  # the library may change what a notebook prints
    assert project.check() == []  # whether it does, its run will tell
    assert project.build() == [] == project.check()
    assert project.said[0].startswith("unchanged notebooks/ch03_ridge.ipynb")
    new = project.notebook("notebooks/ch03_ridge.ipynb")["metadata"]["kcourse"]
    assert new["holds"] == mark["holds"] and new["made_from"] != mark["made_from"]


LIBRARY = {
    "kcourse/__init__.py": '_HOME = {"KernelRidge": "ridge", "1": ""}\nif TYPE_CHECKING:\n    import kcourse.svm\n',
    "kcourse/ridge.py": '"""Ridge."""\nfrom .kernels import Kernel\nclass KernelRidge(Kernel):\n    """It."""\n    1\n',
    "kcourse/kernels/__init__.py": "from .algebra import Kernel\n1\n",
    "kcourse/kernels/algebra.py": "def late():\n    import kcourse.base.linalg\n    return 1\nKernel = late()\n",
    "kcourse/base/linalg.py": "1",
    "kcourse/datasets/__init__.py": "1",
    "kcourse/datasets/files/a.csv": "1",
    "kcourse/lab/__init__.py": "from kcourse.base import threads\n1",
    "kcourse/lab/style.mplstyle": "1",
    "kcourse/base/threads.py": "1",
    "kcourse/measured_data/ch03_cost.csv": "1",
    "requirements/dev.txt": "numpy==2.0",
}
USES = "# %%\nfrom kcourse import KernelRidge\nimport kcourse.lab\nfrom kcourse import datasets\n'ch03_cost'\n"


@pytest.fixture
def small_library(project, monkeypatch):
    """A notebook, never run, that uses some of a small library; called, it builds and says what became of it."""
    monkeypatch.setattr(outputs, "execute", lambda *_: True)
    for name, text in (LIBRARY | {project.lecture: USES}).items():
        project.write(name, text)

    def word() -> str:
        assert project.build() == []
        return project.said[0].split()[0]

    assert [word(), word()] == ["built", "up"]
    return word


@pytest.mark.parametrize("name", LIBRARY)
def test_what_a_notebook_is_made_from_makes_it_stale(small_library, project, name):
    project.write(name, LIBRARY[name].replace("1", "2").replace("2.0", "2.1"))
    assert [small_library(), small_library()] == ["unchanged", "up"]


@pytest.mark.parametrize(
    ("more", "word"),
    [
        ("class SparseRidge:\n    a = 1\n", "up"),
        ("from kcourse.kernels import stationary\n", "up"),
        ("@register\ndef other(): ...\n", "unchanged"),
        ("KernelRidge.a = 2\n", "unchanged"),
        ("del Kernel\n", "unchanged"),
    ],
)
def test_of_a_module_what_is_used_or_run_counts(small_library, project, more, word):
    project.write("kcourse/ridge.py", LIBRARY["kcourse/ridge.py"] + more)
    assert small_library() == word


def test_what_it_does_not_use_does_not(small_library, project):
    others = ("svm.py", "chapters/ch03_ridge/marks.py", "slides/__init__.py", "slides/deck.css")
    for name in (*others, "measured_data/ch05_cost.csv"):
        project.write(f"kcourse/{name}", "b = 2\n")
    assert small_library() == "up"


@pytest.mark.parametrize(
    "uses", ["import kcourse as k", "from kcourse import *", "%matplotlib inline\nimport kcourse.svm"]
)
def test_what_is_taken_from_the_library_as_a_whole_counts(small_library, project, uses):
    project.write(project.lecture, f"# %%\n{uses}\n")
    project.write("kcourse/svm.py", "a = 1\n")
    assert [small_library(), small_library()] == ["built", "up"]
    project.write("kcourse/svm.py", "a = 2\n")
    assert small_library() == "unchanged"


def test_another_machine_agrees(small_library, project, tmp_path_factory):
    """Whatever its folder, its line endings and the age of its files: a clone has nothing to build."""
    elsewhere = tmp_path_factory.mktemp("clone")
    for path in sorted((p for p in project.root.rglob("*") if p.is_file()), reverse=True):
        copy = elsewhere / path.relative_to(project.root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    said: list[str] = []
    assert build.build(elsewhere, say=said.append) == []
    assert said == ["up to date notebooks/ch03_ridge.ipynb"]


def test_docstrings_and_comments_of_the_library_do_not(small_library, project):
    other = LIBRARY["kcourse/ridge.py"].replace("Ridge.", "Ridge!").replace("It.", "It!") + "# a comment\n"
    project.write("kcourse/ridge.py", other)
    assert small_library() == "up"


def test_a_sheet_is_stale_when_its_checks_change(small_library, project):
    project.write("kcourse/checks/__init__.py", "1")
    project.write("kcourse/chapters/ch03_ridge/fit.py", "1")
    project.write("kcourse/chapters/ch04_gp/marks.py", "1")
    project.write(project.sheet, "# %%\nfrom kcourse.checks import check\n")
    project.build()
    project.write("kcourse/chapters/ch04_gp/marks.py", "2")
    assert project.build() == [] and {line.split()[0] for line in project.said} == {"up"}
    project.write("kcourse/chapters/ch03_ridge/fit.py", "2")
    assert project.build() == [] and [line.split()[0] for line in project.said[1:]] == ["unchanged", "unchanged"]


def test_a_lecture_is_stale_when_its_problems_by_hand_change(small_library, project):
    for name in (
        "paper_problems/__init__",
        "chapters/ch03_ridge/paper_problems",
        "chapters/ch03_ridge/fit",
        "chapters/ch04_gp/paper_problems",
    ):
        project.write(
            f"kcourse/{name}.py", "from kcourse.chapters.ch03_ridge import fit" if "ch03_ridge/b" in name else "1"
        )
    project.write(project.lecture, "# %%\nfrom kcourse.paper_problems import show_problems\n")
    small_library()
    project.write("kcourse/chapters/ch04_gp/paper_problems.py", "2")
    assert small_library() == "up"
    for name in ("paper_problems", "fit"):
        project.write(f"kcourse/chapters/ch03_ridge/{name}.py", "from kcourse.chapters.ch03_ridge import fit\n2")
        assert [small_library(), small_library()] == ["unchanged", "up"]


def test_what_is_stale(small_library, project):
    word, source = small_library, project.root / project.lecture
    source.write_text("# %% [markdown]\n# Other text\n")
    assert word() == "built"
    product = project.root / "notebooks/ch03_ridge.ipynb"
    product.write_text(product.read_text().replace("Other", "Edited"))
    assert word() == "built"
    product.unlink()
    assert word() == "built"
    product.write_text("<<<<<<< HEAD")
    assert word() == "built"
    assert project.build(force=True) == [] and project.said[0].startswith("unchanged")


def test_faulty_outputs_are_named_with_their_lines(project):
    project.write(project.lecture, FAULTY)
    faults = project.build()
    assert project.said[0].startswith("failed notebooks/ch03_ridge.ipynb")
    assert not (project.root / "notebooks/ch03_ridge.ipynb").exists()
    lines = [int(fault.split(":")[1]) for fault in faults]
    assert lines == list(EXPECTED_FAULTS), faults
    for fault, words in zip(faults, EXPECTED_FAULTS.values(), strict=True):
        assert fault.startswith(f"{project.lecture}:") and words in fault


def test_a_cell_error_is_named_with_the_line_that_raised(project):
    project.write(
        project.lecture,
        "# %%\ndef f(x):\n    return 1 / x\n\n# %%\n# A comment.\n\ndef g(x):\n    return f(x)\n\ng(0)\n\n# %%\n2\n",
    )
    assert project.build() == [f"{project.lecture}:9: ZeroDivisionError: division by zero"]
    assert not (project.root / "notebooks/ch03_ridge.ipynb").exists()


def test_all_faults_that_can_be_read_are_named_before_anything_is_run(project, monkeypatch):
    monkeypatch.setattr(outputs, "execute", lambda *_: pytest.fail("a notebook was run"))
    project.write("notebooks/src/a.py", '# %% sldie="slide"\n1\n# %% key="a b"\n2\n')
    project.write("notebooks/src/b.py", "# %% [markdown]\n# Text\n")
    project.write("notebooks/src/c.py", "# %% [markdown]\n# ![](a.png)\n")
    project.write("pyproject.toml", '[tool.ruff.lint]\nselect = ["F"]\n')
    project.write("solutions/src/d.py", "# %%\nx = y\n")
    faults = project.build()
    assert project.check()[: len(faults)] != [] and project.said == []
    assert [fault[: len("notebooks/src/a.py:1")] for fault in faults] == [
        "notebooks/src/a.py:1",
        "notebooks/src/a.py:3",
        "notebooks/src/c.py:2",
        "solutions/src/d.py:2",
    ]
    assert faults[-1].endswith("Undefined name `y` (F821)")
    monkeypatch.setattr(outputs, "execute", lambda *_: True)
    assert project.build("b") == []


def test_two_are_run_at_a_time_and_the_longest_first(project, monkeypatch):
    """Each waits for the other, which it would do in vain if it were run alone."""
    wait = "from pathlib import Path; import time\nPath('{0}').touch()\nend = time.monotonic() + 60\n"
    wait += "while not Path('{1}').exists():\n    assert time.monotonic() < end\n    time.sleep(0.05)\n"
    project.write("notebooks/src/a.py", "# %%\n" + wait.format("a", "b"))
    project.write("notebooks/src/b.py", "# %%\n" + wait.format("b", "a") + "# the longer one\n")
    project.write("notebooks/src/c.py", "# %%\nPath = 1\n")
    said: list[str] = []
    assert build.build(project.root, say=said.append, jobs=2) == []
    assert sorted(line.partition(" (")[0] for line in said) == [f"built notebooks/{name}.ipynb" for name in "abc"]
    monkeypatch.setattr(outputs, "execute", lambda *_: True)
    project.build(force=True)
    assert [line.partition(" (")[0] for line in project.said] == [f"built notebooks/{name}.ipynb" for name in "bac"]


def test_a_notebook_over_the_limit_is_refused(project, monkeypatch):
    monkeypatch.setattr(outputs, "execute", lambda *_: True)
    project.write(project.lecture, "# %% [markdown]\n# " + "word " * 360_000 + "\n")
    (fault,) = project.build()
    assert fault.startswith(f"{project.lecture}:1: the notebook has 1,800,")


def test_a_cell_that_hangs_and_a_kernel_that_dies_are_named(project, monkeypatch):
    monkeypatch.setattr(outputs, "TIMEOUT", 1)
    project.write("notebooks/src/a.py", "# %%\n1\n\n# %%\nimport time; time.sleep(60)\n")
    project.write("notebooks/src/b.py", "# %%\n1\n\n# %%\nimport os; os._exit(1)\n")
    assert project.build() == [
        "notebooks/src/a.py:5: this cell ran for more than 1 s and was stopped",
        "notebooks/src/b.py:5: the kernel died in this cell",
    ]


def test_cleaning_keeps_what_a_reader_can_see():
    view = {outputs.WIDGET_VIEW: {"model_id": "m"}}
    cell = new_code_cell("1", metadata={"execution": {"iopub.execute_input": "2024"}, "tags": ["a"]})
    cell.outputs = [
        new_output("stream", name="stdout", text="a"),
        new_output("stream", name="stdout", text="b"),
        new_output("display_data", data={**view, "image/png": "x"}, metadata={outputs.WIDGET_VIEW: {}}),
        new_output("stream", name="stdout", text="c"),
    ]
    notebook = new_notebook(
        cells=[cell], metadata={"widgets": {"state": 1}, "language_info": {"name": "python", "version": "3"}}
    )
    cleaned = outputs.clean(notebook)
    assert cleaned.metadata == outputs.NOTEBOOK_METADATA
    assert cleaned.cells[0].metadata == {"tags": ["a"]}
    first, picture, last = cleaned.cells[0].outputs
    assert (first.text, last.text) == ("ab", "c")
    assert (picture.data, picture.metadata) == ({"image/png": "x"}, {})


@pytest.fixture
def built(project, monkeypatch):
    """A built lecture and sheet whose cells were never really run, with the execution counts of a run."""

    def number_cells(source, notebook, folder):
        for count, cell in enumerate((c for c in notebook.cells if c.cell_type == "code"), start=1):
            cell.execution_count = count
        return True

    monkeypatch.setattr(outputs, "execute", number_cells)
    project.write(project.lecture, '# %% [markdown] key="intro"\n# Text\n\n# %% key="one"\nx = 133\n')
    project.write(project.sheet, '# %% [markdown] key="intro"\n# Text\n\n# %% key="one"\nx = 133\n')
    assert project.build() == [] and project.check() == []
    return project


STDERR = {"output_type": "stream", "name": "stderr", "text": ["old"]}


ONE = "notebooks/src/ch03_ridge.py"
EDITS = [
    ("notebooks", lambda nb: nb["cells"][1].update(source=["x = 134"]), f"cell 'one' (from {ONE}:5): source differs"),
    ("notebooks", lambda nb: nb["cells"][0].update(metadata={"a": 1}), "metadata differs"),
    ("notebooks", lambda nb: nb["cells"][1].update(execution_count=7), "execution_count differs"),
    ("notebooks", lambda nb: nb["cells"].pop(), f"cell 'one' (from {ONE}:5) is missing"),
    ("notebooks", lambda nb: nb["cells"].append({**nb["cells"][0], "id": "new"}), "cell 'new' is not in"),
    ("notebooks", lambda nb: nb["cells"].append(nb["cells"][0]), "the cells are repeated or not in the order"),
    ("notebooks", lambda nb: nb["cells"].reverse(), "the cells are repeated or not in the order"),
    ("notebooks", lambda nb: nb.update(nbformat_minor=4), "the notebook's metadata or format differs"),
    ("notebooks", lambda nb: nb["cells"][1].update(outputs=[STDERR]), "output on stderr"),
    ("notebooks", lambda nb: nb["cells"][1].update(outputs=[{**STDERR, "name": "stdout"}]), "changed by hand"),
    ("exercises", lambda nb: nb["metadata"].pop("kcourse"), "changed by hand"),
    ("solutions", lambda nb: nb["cells"][1].update(source=["x = 134"]), "source differs"),
    ("exercises", lambda nb: nb["cells"][1].update(outputs=[STDERR]), "outputs differs"),
]


@pytest.mark.parametrize(("product", "edit", "words"), EDITS)
def test_check_finds_an_edited_product(built, product, edit, words):
    name = f"{product}/ch03_ridge{'' if product == 'notebooks' else '_sheet'}.ipynb"
    notebook = built.notebook(name)
    edit(notebook)
    stored = built.write(name, json.dumps(notebook))
    before = stored.read_bytes()
    (fault,) = built.check()
    assert words in fault
    assert stored.read_bytes() == before


def test_check_finds_edited_sources_missing_and_orphaned_products(built):
    built.write(built.lecture, '# %% [markdown] key="intro"\n# Text\n\n# %% key="one"\nx = 134\n')
    (built.root / "exercises/ch03_ridge_sheet.ipynb").unlink()
    built.write("solutions/old.ipynb", "{}")
    built.write("notebooks/src/new.py", '# %% sldie="slide"\n1\n')
    faults = built.check()
    assert [fault.split(":")[0] for fault in faults] == [
        "notebooks/ch03_ridge.ipynb",
        "notebooks/src/new.py",
        "exercises/ch03_ridge_sheet.ipynb",
        "solutions/old.ipynb",
    ]
    assert "missing" in faults[2] and "no source makes" in faults[3]
    assert built.check("new") == faults[1:2]


def test_command(built, capsys):
    root = ["--root", str(built.root)]
    assert build.main(root) == 0
    assert "up to date exercises/ch03_ridge_sheet.ipynb\n" in capsys.readouterr().out
    assert build.main([*root, "--force", "--jobs", "1", "ch03_ridge"]) == 0
    assert "unchanged notebooks/ch03_ridge.ipynb (0 s)\n" in capsys.readouterr().out
    built.write(built.lecture, '# %% sldie="slide"\n1\n')
    for arguments in (root, [*root, "--check"]):
        assert build.main(arguments) == 1
        assert capsys.readouterr().err.startswith("notebooks/src/ch03_ridge.py:1: unknown key 'sldie'")
    with pytest.raises(SystemExit, match="2"):
        build.main([*root, "ch99"])
    assert "no source named ch99" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("a   1.50   7\nb  12.25  70\nc   0.75   9\n", "a   1.50   7"),
        ("n  error\nn = 1   0.5\nn = 2   0.7\nn = 3  10.7\n", "n = 1   0.5"),
        ("a  1.5  7\nb  2.5  8\n", ""),  # two lines
        ("a  1.5\nb  2.5\nc  3.5\n", ""),  # one number
        ("wrong: 3 of 100\nwrong in the end: 1 of 100\nalways wrong: 40 of 100\n", ""),
        ("[[1 0 2]\n [3 4 5]\n [6 7 8]]\n", ""),
    ],
)
def test_a_table_that_is_printed_by_hand_is_seen(text, table):
    assert outputs._printed_table(text) == table
