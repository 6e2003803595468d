"""``verify``: a sentence of the text, and the computation that would fail if it were wrong.

In a notebook the sentences of a cell come together, small, below what else it shows: up to three as they are; more, and
those of a folded cell, which may answer what the text asks, behind a line that counts them and opens. So they can be
found and do not stand between two thoughts.
"""

from __future__ import annotations

import html
from decimal import Decimal
from typing import Any

import numpy as np
from IPython import get_ipython
from IPython.display import display

__all__ = ["say", "verify"]

_IN_VIEW = 3  # sentences that a cell shows without being asked
_FOLDED = "# folded"  # the last line of a folded cell, which a kernel cannot know otherwise; the build writes it
_QUIET = "color:var(--jp-ui-font-color2,#555);font-size:90%"
_claims: list[str] = []  # of the cell that is running


def verify(claim: str, left: Any, right: Any = None, tol: float = 1e-10) -> None:
    """Say ``✓ claim`` if ``left`` agrees with ``right``, raise AssertionError if not.

    Numbers agree if max |left - right| ≤ tol · max(1, max |right|). A number that the text quotes is given as the
    text prints it, ``"595.94"``: then ``left`` must round to it. With one value, a truth value, the claim is that it
    is true. What is said does not depend on rounding, so that stored outputs stay as they are.

    Parameters
    ----------
    claim : str
        the sentence, without a full stop.
    left : bool, number or array
        what was computed one way.
    right : number, array or str, optional
        what was computed another way, of the same shape or one number; or the number as the text prints it.
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
        raise ValueError(f"verify({claim!r}) compares a thing with itself; compute the two sides in two ways.")
    if np.iscomplexobj(left) or np.iscomplexobj(right):
        raise TypeError(f"verify({claim!r}) compares complex numbers; compare real and imaginary parts, or moduli.")
    left, right = np.asarray(left, dtype=float), np.asarray(right, dtype=float)
    if right.shape not in (left.shape, ()):
        raise AssertionError(f"✗ {claim}: shapes {left.shape} and {right.shape} differ")
    if left.size == 0:
        raise AssertionError(f"✗ {claim}: nothing to compare, both sides are empty")
    with np.errstate(invalid="ignore"):  # inf - inf, which is asked about before
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
        raise AssertionError(f"✗ {claim}: it is not so")
    say(f"✓ {claim}")


def say(claim: str) -> None:
    """Keep the sentence for the end of the notebook's cell; print it where there is none."""
    shell = get_ipython()
    if shell is None or not hasattr(shell, "kernel"):
        print(claim)
        return
    if _show_claims not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _show_claims)
    _claims.append(claim)


def _show_claims(result: Any = None) -> None:
    """Show what the cell that just ended has verified, as one block."""
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
