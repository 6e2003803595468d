"""``verify``: a sentence of the text, and the computation that fails if the sentence is wrong.

In a notebook the sentences of a cell appear together, in small type, below its other output. Up to three are shown.
More than three, and those of a folded cell, which may answer a question, are hidden below a line with their number,
which the reader can open.
"""

from __future__ import annotations

import html
from decimal import Decimal
from typing import Any

import numpy as np
from IPython import get_ipython
from IPython.display import display

__all__ = ["say", "verify"]

_IN_VIEW = 3  # sentences that a cell shows unfolded
_FOLDED = "# folded"  # the build writes it as the last line of a folded cell, for the kernel
_QUIET = "opacity:0.8;font-size:90%"
_claims: list[str] = []  # of the cell that is running


def verify(claim: str, left: Any, right: Any = None, tol: float = 1e-10) -> None:
    """Print ``✓ claim`` if ``left`` agrees with ``right``, raise AssertionError if not.

    Numbers agree if max |left - right| ≤ tol · max(1, max |right|). If ``right`` is a string, such as ``"595.94"``, it
    is a number quoted in the text, and ``left`` must round to it. A single value must be True. The printed line does
    not depend on rounding, so that stored outputs do not change.

    Parameters
    ----------
    claim : str
        the sentence, without a full stop.
    left : bool, number or array
        result of one computation.
    right : number, array or str, optional
        result of another computation, of the same shape or one number; or the number as the text prints it.
    tol : float
        tolerance between two computed sides.

    >>> verify("the eigenvalues of a covariance sum to its trace", 1.0 + 2.0, 3.0)
    ✓ the eigenvalues of a covariance sum to its trace (agree to 1e-10)
    >>> verify("the noise variance", 0.15**2, "0.0225")
    ✓ the noise variance: 0.0225
    >>> verify("the penalised curve is the flatter one", 0.1 < 0.2)
    ✓ the penalised curve is the flatter one
    """
    if right is None:
        _verify_truth(claim, left)
        return
    if isinstance(right, str):
        _verify_quote(claim, left, right)
        return
    if left is right and np.ndim(left):  # equal constants may be one object, two arrays never are
        raise ValueError(f"verify({claim!r}) compares an array with itself; compute the two sides in two ways.")
    if np.iscomplexobj(left) or np.iscomplexobj(right):
        raise TypeError(f"verify({claim!r}) compares complex numbers; compare real and imaginary parts, or moduli.")
    left, right = np.asarray(left, dtype=float), np.asarray(right, dtype=float)
    if right.shape not in (left.shape, ()):
        raise AssertionError(f"✗ {claim}: shapes {left.shape} and {right.shape} differ")
    if left.size == 0:
        raise AssertionError(f"✗ {claim}: both sides are empty, so nothing is compared")
    with np.errstate(invalid="ignore"):  # inf - inf, which left == right has covered
        gap = float(np.max(np.where(left == right, 0.0, np.abs(left - right))))
    allowed = tol * max(1.0, float(np.max(np.abs(right), initial=0.0, where=np.isfinite(right))))
    if not gap <= allowed:  # also when it is NaN
        raise AssertionError(f"✗ {claim}: the two sides differ by {gap:.3g}, more than {allowed:.3g}")
    say(f"✓ {claim} (agree to {tol:g})")


def _verify_quote(claim: str, value: Any, quoted: str) -> None:
    digits = quoted.replace(" ", "")
    gap = abs(float(value) - float(digits))
    decimals = -Decimal(digits).as_tuple().exponent  # of "595.94" 2, of "1.5e-10" 11, of "2e3" -3
    if not gap <= 0.5 * 10.0**-decimals * (1 + 1e-9):
        raise AssertionError(f"✗ {claim}: quoted as {quoted}, but it is {float(value):.{max(decimals, 0) + 2}f}")
    say(f"✓ {claim}: {quoted}")


def _verify_truth(claim: str, value: Any) -> None:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(
            f"verify({claim!r}) got one value of type {type(value).__name__}; give two sides to compare, or True or "
            "False."
        )
    if not value:
        raise AssertionError(f"✗ {claim}: this is false")
    say(f"✓ {claim}")


def say(claim: str) -> None:
    """Keep the sentence until the notebook's cell ends; outside a notebook, print it."""
    shell = get_ipython()
    if shell is None or not hasattr(shell, "kernel"):
        print(claim)
        return
    if _show_claims not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _show_claims)
    _claims.append(claim)


def _show_claims(result: Any = None) -> None:
    """Show as one block what the cell that just ended has verified."""
    if not _claims:
        return
    lines = "<br>".join(html.escape(claim) for claim in _claims)
    cell = getattr(getattr(result, "info", None), "raw_cell", None) or ""
    folded = len(_claims) > _IN_VIEW or cell.rstrip().endswith(_FOLDED)
    if folded:
        statements = "statement" if len(_claims) == 1 else "statements"
        lines = f"<summary>✓ {len(_claims)} {statements} verified</summary>{lines}"
    tag = "details" if folded else "div"
    block = f'<{tag} class="kcourse-verified" style="{_QUIET}">{lines}</{tag}>'
    display({"text/html": block, "text/plain": "\n".join(_claims)}, raw=True)
    _claims.clear()
