"""``measured``: in how many draws a claim about methods holds, and by how much.

The tables are in ``kcourse/measured_data``. ``make measure`` writes them: a description of what was measured, the
claims that rest on it, and a row for each draw.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kcourse.lab.verify import say

__all__ = ["DATA", "Finding", "Measured", "everything", "measured", "read"]

DATA = Path(__file__).parents[1] / "measured_data"


@dataclass(frozen=True)
class Finding:
    """A claim and its result in each draw."""

    id: str
    less: str
    than: str | float
    holds: int  # in how many draws it must hold
    unit: str
    of: str  # what the draws are, in the plural
    gaps: np.ndarray  # than - less, in each draw
    values: np.ndarray  # summarised by `amount`: the gaps, or what is compared with `than` if that is a number

    @property
    def times(self) -> int:
        """The number of draws in which the claim holds."""
        return int(np.sum(self.gaps > 0))

    @property
    def often(self) -> str:
        return f"{self.times} of {len(self.gaps)} {self.of}"

    @property
    def amount(self) -> str:
        """Mean ± its standard error (smallest to largest), of the difference or of what is compared with a number."""
        error = self.values.std(ddof=1) / math.sqrt(len(self.values)) if len(self.values) > 1 else 0.0
        if error < 1e-9 * abs(self.values).max():  # the same in each draw, except for rounding
            error = 0.0
        decimals = _decimals(error or abs(self.values.mean()) / 10)
        mean, error = (_set(number, decimals) for number in (self.values.mean(), error))
        counted = np.all(self.values == np.round(self.values))
        least, most = (_set(number, 0 if counted else decimals) for number in (self.values.min(), self.values.max()))
        return f"{mean} ± {error}{' ' if self.unit else ''}{self.unit} ({least} to {most})"

    @property
    def relation(self) -> str:
        return f"{self.less} below {self.than if isinstance(self.than, str) else f'{self.than:g}'}"

    @property
    def line(self) -> str:
        """The sentence in the notebook: "measured on 20 splits: ridge below nearest in 19, by 3.1 ± 0.4 g² (…)"."""
        then = ", by" if isinstance(self.than, str) else ":"
        return f"measured on {len(self.gaps)} {self.of}: {self.relation} in {self.times}{then} {self.amount}"


def _set(number: float, decimals: int) -> str:
    return f"{number:.{decimals}f}".replace("-", "−")


def _decimals(error: float) -> int:
    """Return how many decimals show one digit of an error, or two if its first digit is 1."""
    if not (error > 0 and math.isfinite(error)):
        return 0
    first = math.floor(math.log10(error))
    return max(0, -first + (error / 10.0**first < 2))


@dataclass(frozen=True)
class Measured:
    """A table: its description, its columns, and the claims that rest on it."""

    heads: tuple[dict[str, Any], ...]  # what was measured, with which version of the function; then each claim
    columns: dict[str, np.ndarray]
    findings: tuple[Finding, ...]

    @property
    def what(self) -> str:
        return self.heads[0]["what"]

    @property
    def made_from(self) -> str:
        return self.heads[0]["made_from"]


def read(path: Path) -> Measured:
    """Read a table that ``make measure`` has written; ValueError for other files."""
    lines = path.read_text(encoding="utf-8").splitlines()
    heads = [json.loads(line.removeprefix("# ")) for line in lines if line.startswith("# {")]
    if not heads or "made_from" not in heads[0]:
        raise ValueError(f"{path.name} was not written by make measure: it does not begin with a description.")
    names, *rows = (line.split(",") for line in lines if not line.startswith("#"))
    if odd := next((row for row in rows if len(row) != len(names)), None):
        raise ValueError(f"{path.name}: a row has {len(odd)} numbers, but there are {len(names)} columns.")
    columns = {name: np.array([float(row[at]) for row in rows]) for at, name in enumerate(names)}
    about, *claims = heads
    findings = tuple(_finding(claim, columns, about["of"]) for claim in claims)
    return Measured(tuple(heads), columns, findings)


def _finding(claim: dict[str, Any], columns: dict[str, np.ndarray], of: str) -> Finding:
    less = columns[claim["less"]]
    than = columns[claim["than"]] if isinstance(claim["than"], str) else float(claim["than"])
    return Finding(**claim, of=of, gaps=than - less, values=than - less if np.ndim(than) else less)


def measured(name: str, *claims: str) -> dict[str, np.ndarray]:
    """Print how these claims hold in the table ``NAME``, and return its columns.

    Parameters
    ----------
    name : str
        name of the table: "ch02_hands".
    *claims : str
        ids of claims that rest on it.

    Returns
    -------
    dict of str to array
        each column by its name, with a number for each draw.

    Raises
    ------
    FileNotFoundError
        the table does not exist.
    KeyError
        no claim with this id rests on it.
    AssertionError
        a claim holds in fewer draws than it says.
    """
    path = DATA / f"{name}.csv"
    if not path.exists():
        raise FileNotFoundError(f"no table {name!r} among the measured data of kcourse. Check the name.")
    found = read(path)
    known = {finding.id: finding for finding in found.findings}
    for claim in claims:
        if claim not in known:
            raise KeyError(f"no claim {claim!r} rests on {path.name}; available: {', '.join(known) or 'none'}")
        finding = known[claim]
        if finding.times < finding.holds:
            raise AssertionError(f"✗ {finding.line}; it must hold in {finding.holds}")
        say(f"✓ {finding.line}")
    return found.columns


def everything(folder: Path = DATA) -> Iterator[tuple[str, Measured]]:
    """Yield the chapter's number and the table, for all tables in a folder that support a claim."""
    for path in sorted(folder.glob("ch*.csv")):
        found = read(path)
        if found.findings:
            yield path.name.partition("_")[0].removeprefix("ch").lstrip("0"), found
