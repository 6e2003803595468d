"""Run a notebook, clean its outputs, and report outputs that a reader should not get."""

from __future__ import annotations

import base64
import os
import re
import tempfile
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbconvert.preprocessors.coalescestreams import CoalesceStreamsPreprocessor
from nbformat import NotebookNode

from kcourse.base import threads
from tools.kernels import ThisPythonsKernel
from tools.lint import pictures_without_alt
from tools.prose import output_texts
from tools.source import NOTEBOOK_METADATA, Cell, Source

TIMEOUT = 300  # seconds for a cell
LONGEST_TEXT = 4_000  # characters
LARGEST_PICTURE = 80_000  # bytes
LARGEST_NOTEBOOK = 1_700_000  # bytes; a folded picture is stored twice
SHORTEST_ALT = 20  # characters
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
# one thread and one hash seed, so that the same source prints the same digits everywhere
FIXED = {**threads.settings({}), "PYTHONHASHSEED": "0"}
ANSI = re.compile(r"\x1b\[[0-9;]*m")
PRINTED_NUMBER = re.compile(r"(?<![\w.])[-+−]?\d+(\.\d+)?(e[-+]?\d+)?(?![\w.-])")


def execute(source: Source, notebook: NotebookNode, folder: Path) -> bool:
    """Run all cells in the folder; an error ends the run and is added to the source's problems."""
    running = 0

    def note(cell: NotebookNode, cell_index: int) -> None:
        nonlocal running
        running = cell_index

    client = NotebookClient(
        notebook,
        kernel_manager_class=ThisPythonsKernel,
        kernel_name="python3",
        timeout=TIMEOUT,
        store_widget_state=False,
        extra_arguments=["--log-level=ERROR"],  # without advice about the kernel's sockets
        resources={"metadata": {"path": str(folder)}},
        on_cell_start=note,
    )
    folder.mkdir(parents=True, exist_ok=True)
    # the author's own backend and IPython start-up files must not affect the outputs
    environment = {key: value for key, value in os.environ.items() if key != "MPLBACKEND"}
    with tempfile.TemporaryDirectory() as ipython:
        try:
            client.execute(env=environment | FIXED | {"IPYTHONDIR": ipython})
            return True
        except CellTimeoutError:
            source.complain(source.cells[running].line, f"this cell ran for more than {TIMEOUT} s and was stopped")
        except DeadKernelError:
            source.complain(source.cells[running].line, "the kernel died in this cell")
        except CellExecutionError as error:
            message = " ".join(f"{error.ename}: {error.evalue}".split())
            source.complain(_line_of_error(source.cells[running], error.traceback), message)
    return False


def _line_of_error(cell: Cell, traceback: str) -> int:
    """Return the source line of an error: the deepest frame in the cell itself, which comes last."""
    frames = re.findall(r"Cell In\[(\d+)\], line (\d+)", ANSI.sub("", traceback))
    newest = max((int(run) for run, _ in frames), default=0)
    lines = [int(line) for run, line in frames if int(run) == newest]
    return cell.line + (lines[-1] - 1 if lines else 0)


def clean(notebook: NotebookNode) -> NotebookNode:
    """Keep only what a reader without a kernel can see and what is the same in every run."""
    notebook, _ = CoalesceStreamsPreprocessor().preprocess(notebook, {})
    notebook.metadata = NotebookNode(NOTEBOOK_METADATA)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            drill = "paper_problems" in output.get("metadata", {}).get("kcourse", {})
            if drill or "image/png" in output.get("data", {}):  # the text or the picture replaces the widget
                output.data.pop(WIDGET_VIEW, None)
                output.metadata.pop(WIDGET_VIEW, None)
    return notebook


def check_outputs(source: Source, notebook: NotebookNode, text: str, root: Path) -> None:
    """Report faults of the outputs; ``text`` is the notebook as it would be stored."""
    if (size := len(text.encode())) > LARGEST_NOTEBOOK:
        source.complain(1, f"the notebook has {size:,} bytes, but {LARGEST_NOTEBOOK:,} are allowed")
    for cell, built in zip(source.cells, notebook.cells, strict=True):
        for output in built.get("outputs", []):
            for message in _faults(output, root):
                source.complain(cell.line, message)


def _faults(output: NotebookNode, root: Path) -> list[str]:
    if output.output_type == "error":
        return [f"an error is stored, {output.ename}. Catch it with try … except and print it"]
    if output.output_type == "stream" and output.name == "stderr":
        return [f"output on stderr (warnings are errors): {_short(output.text)}"]
    faults = []
    if output.output_type == "stream" and (line := _printed_table(output.text)):
        faults.append(f"a printed table; show it with kcourse.lab.table instead: {_short(line)}")
    for kind, text in output_texts(output).items():
        if len(text) > LONGEST_TEXT:
            faults.append(f"{kind} of {len(text):,} characters, but {LONGEST_TEXT:,} are allowed")
        if match := re.search(r".* at 0x[0-9a-fA-F]+.*", text):
            faults.append(f"{kind} shows a memory address, which changes with every run: {_short(match[0])}")
        if match := _absolute_paths(root).search(text):
            faults.append(f"{kind} shows a path of this machine: {match[0]}")
    data = output.get("data", {})
    for kind in (kind for kind in data if kind.startswith("image/")):
        alt = output.metadata.get(kind, {}).get("alt", "")
        if len(alt) < SHORTEST_ALT:
            faults.append(f"a figure without alt text of at least {SHORTEST_ALT} characters. Write show(fig, alt=…)")
        size = len(data[kind] if kind == "image/svg+xml" else base64.b64decode(data[kind]))
        if size > LARGEST_PICTURE:
            faults.append(f"a picture of {size:,} bytes, but {LARGEST_PICTURE:,} are allowed. Simplify or shrink it")
    if pictures_without_alt(data.get("text/html", "")):
        faults.append("HTML with an <img> without alt text")
    if WIDGET_VIEW in data:
        faults.append("a widget without a picture; readers without a kernel would see nothing")
    return faults


def _printed_table(text: str) -> str:
    """Return the first of three lines with two or more numbers in aligned columns, or "".

    Arrays as NumPy prints them do not count.
    """
    lines = text.splitlines()
    for three in zip(lines, lines[1:], lines[2:], strict=False):
        spans = [[match.span() for match in PRINTED_NUMBER.finditer(line)] for line in three]
        if any(line.lstrip().startswith("[") for line in three) or len(set(map(len, spans))) > 1 or len(spans[0]) < 2:
            continue
        columns = list(zip(*spans, strict=True))
        if all(len({start for start, _ in column}) == 1 or len({end for _, end in column}) == 1 for column in columns):
            return three[0]
    return ""


def _absolute_paths(root: Path) -> re.Pattern[str]:
    here = {str(root), str(root.resolve()), str(Path.home())} - {os.sep}
    places = "|".join(map(re.escape, sorted(here, key=len, reverse=True)))
    others = r"\S*\bsite-packages\b|(/home|/Users|[A-Z]:\\Users)[/\\]\w+"
    return re.compile(rf"(?<!\w)({places}|{others})(?!\w)\S*")


def _short(text: str) -> str:
    line = " ".join(ANSI.sub("", text).split())
    return line if len(line) <= 200 else f"{line[:199]}…"
