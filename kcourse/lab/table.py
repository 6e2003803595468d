"""``table``: rows and columns as a table that can be read from the last row of a lecture hall, and read aloud.

JupyterLab, the site (``site.css``) and the deck (``deck.css``) set its look. The table itself contains only the styles
that it needs, such as alignment; JupyterLab keeps these styles in notebooks that it does not trust.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from numbers import Number
from typing import Any

import numpy as np
from IPython import get_ipython
from IPython.display import display

from kcourse.lab.figures import folded

__all__ = ["table"]

_MISSING = "–"
# a caption is as wide as its table; hidden text is clipped inside the table
_NUMBERS = "font-variant-numeric:tabular-nums;text-align:right;min-width:22em;position:relative"
_CAPTION = "caption-side:top;text-align:left"
_UNSEEN = "position:absolute;width:1px;height:1px;overflow:hidden"
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def table(
    caption: str,
    columns: Mapping[str, str],
    rows: Mapping[Any, Any] | Iterable[Sequence[Any]],
    best: Mapping[str, str | Sequence[Any]] | None = None,
    answer: str = "",
) -> None:
    """Show ``rows`` as a table below the line ``caption``; outside a notebook, print it aligned.

    A number has its column's format: counts with a narrow space between thousands (``",d"``), powers of ten as 10ⁿ
    (``".0e"``), a real minus sign. None and NaN become a dash. A string is not changed.

    Parameters
    ----------
    caption : str
        what the table shows, on one line, with units that all columns share.
    columns : dict
        for each column its header, with the unit, and its format: ``".2f"``, or ``"{:.2f} ± {:.2f}"`` for cells of
        several numbers, or ``""`` for words. The first column holds the headers of the rows.
    rows : dict or iterable of sequences
        the header of each row with its cells: ``{"ridge": (2.08, 31)}``, or with one cell ``{"ridge": 2.08}``; if
        headers repeat, ``[("ridge", 2.08, 31)]``. A cell of several numbers is a tuple.
    best : dict, optional
        for a column, which cells to mark as "best" and in bold: ``"least"``, ``"greatest"``, or the headers of rows.
        In a cell of several numbers the first counts; equal texts are marked equally.
    answer : str
        title of the line that hides the table until the reader opens it, if the table answers a question.

    Raises
    ------
    ValueError
        if a row has too few or too many cells, there is no row, a header is empty, a cell does not fit its column's
        format, or ``best`` names an unknown column or row.

    >>> errors = {"widest margin": (2.13, None), "ridge": (2.08, (-0.05, 0.2))}
    >>> table("Wrong of 257 digits", {"method": "", "wrong (%)": ".2f", "difference (%)": "{:+.2f} ± {:.2f}"}, errors,
    ...       best={"wrong (%)": "least"})
    Wrong of 257 digits
    method         wrong (%)  difference (%)
    widest margin       2.13               –
    ridge          best 2.08    −0.05 ± 0.20
    """
    headers, values = list(columns), _rows(rows, len(columns))
    if not caption.strip() or not all(header.strip() for header in headers):
        raise ValueError(f"table({caption!r}): the caption and every header in columns={headers} need a text.")
    texts = [[_text(v, name, columns[name]) for v, name in zip(row, headers, strict=True)] for row in values]
    marked = _marked(headers, values, texts, best or {})
    right = [any(isinstance(row[j], (Number, tuple)) for row in values) for j in range(len(headers))]
    text = _as_text(caption, headers, texts, marked, right)
    shell = get_ipython()
    if shell is None or not hasattr(shell, "kernel"):
        print(text)
    else:
        shown = _as_html(caption, headers, texts, marked, right)
        display({"text/html": folded(shown, answer) if answer else shown, "text/plain": text}, raw=True)


def _rows(rows: Any, width: int) -> list[list[Any]]:
    """Return the cells of each row, its header first."""
    if isinstance(rows, Mapping):
        rows = [(header, *(cells if isinstance(cells, (tuple, list, np.ndarray)) else (cells,)))
                for header, cells in rows.items()]  # fmt: skip
    values = [list(row) for row in rows]
    if not values:
        raise ValueError("rows is empty; give at least one row.")
    for row in values:
        if len(row) != width:
            raise ValueError(f"rows: {row[:1]} has {len(row)} cells with its header, but columns has {width} headers; "
                             "give each row one cell per column, None where there is no value.")  # fmt: skip
    return values


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, Number) and value != value)


def _text(value: Any, name: str, form: str) -> str:
    """Return the text of a cell in the column ``name``."""
    if _is_missing(value):
        return _MISSING
    if isinstance(value, str):
        return value
    several = value if isinstance(value, tuple) else (value,)
    try:
        text = form.format(*several) if "{" in form else format(value, form)
    except (ValueError, TypeError, IndexError) as error:
        raise ValueError(f"columns: column {name!r} has the format {form!r}, which does not fit {value!r}.") from error
    text = re.sub(r"(?<=\d),(?=\d{3})", "\N{NARROW NO-BREAK SPACE}", text)
    text = re.sub(r"e([+-])0*(\d+)", lambda m: f" × 10{(m[1] + m[2]).lstrip('+').translate(_SUPERSCRIPTS)}", text)
    text = re.sub(r"[+-](?=0(\.0*)?(?![\d.]))", "", text)  # the sign of 0 is a rounding error
    return re.sub(r"-(?=\d)", "−", text)


def _marked(headers: list[str], values: list[list[Any]], texts: list[list[str]], best: Any) -> set[tuple[int, int]]:
    """Return the cells (row, column) that are best."""
    found = set()
    for name, which in best.items():
        if name not in headers[1:]:
            raise ValueError(f"best names {name!r}, which is not a column; available: {', '.join(headers[1:])}.")
        j = headers.index(name)
        if isinstance(which, str):
            chosen = _extreme([row[j] for row in values], [row[j] for row in texts], name, which)
        else:
            names = [row[0] for row in values]
            if unknown := [header for header in which if header not in names]:
                raise ValueError(f"best[{name!r}] names {unknown}, but no row has this header; available: {names}.")
            chosen = [i for i, header in enumerate(names) if header in which]
        found |= {(i, j) for i in chosen}
    return found


def _extreme(cells: list[Any], texts: list[str], name: str, which: str) -> list[int]:
    """Return the rows with the smallest or largest number, and those with the same text."""
    if which not in ("least", "greatest"):
        raise ValueError(f"best[{name!r}] is {which!r}; give 'least', 'greatest' or a list of row headers.")
    firsts = [cell[0] if isinstance(cell, tuple) else cell for cell in cells]
    firsts = [math.nan if _is_missing(v) or not isinstance(v, Number) else float(v) for v in firsts]
    if np.isnan(firsts).all():
        raise ValueError(f"best[{name!r}]: the column contains no number.")
    at = int(np.nanargmin(firsts) if which == "least" else np.nanargmax(firsts))
    read = [text.split(" ±")[0] for text in texts]
    return [i for i, first in enumerate(firsts) if first == first and read[i] == read[at]]


def _as_text(caption: str, headers: list[str], texts: list[list[str]], marked: set, right: list[bool]) -> str:
    cells = [[f"best {text}" if (i, j) in marked else text for j, text in enumerate(row)]
             for i, row in enumerate(texts)]  # fmt: skip
    lines = [headers, *cells]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    set_ = [[text.rjust(w) if r else text.ljust(w) for text, w, r in zip(line, widths, right, strict=True)]
            for line in lines]  # fmt: skip
    return "\n".join([caption, *("  ".join(line).rstrip() for line in set_)])


def _as_html(caption: str, headers: list[str], texts: list[list[str]], marked: set, right: list[bool]) -> str:
    left = ["" if r else ' style="text-align:left"' for r in right]
    head = "".join(
        f'<th scope="col"{side}>{html.escape(h, quote=False)}</th>' for h, side in zip(headers, left, strict=True)
    )
    body = []
    for i, row in enumerate(texts):
        light = "font-weight:normal" if right[0] else "text-align:left;font-weight:normal"
        cells = (f"<td{left[j]}>{_in_html(row[j], (i, j) in marked)}</td>" for j in range(1, len(row)))
        body.append(f'<tr><th scope="row" style="{light}">{_in_html(row[0], False)}</th>{"".join(cells)}</tr>')
    return (
        f'<table class="kcourse-table" style="{_NUMBERS}"><caption style="{_CAPTION}">'
        f"{html.escape(caption, quote=False)}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>{''.join(body)}</tbody></table>"
    )


def _in_html(text: str, is_best: bool) -> str:
    if text == _MISSING:
        return f'<span aria-hidden="true">{_MISSING}</span><span style="{_UNSEEN}">no value</span>'
    escaped = html.escape(text, quote=False)
    return f"<small>best</small> <strong>{escaped}</strong>" if is_best else escaped
