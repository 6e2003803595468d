"""Limit linear algebra to one thread.

The matrices of the course are small, so threads that share one spend more time waiting than computing. If another
program uses the processors as well, seconds become minutes. If the user has set one of `VARIABLES`, nothing is
changed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

__all__ = ["VARIABLES", "limit", "settings"]

VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def settings(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the variables to add to the ``environment`` of a new process; none if the user has set one of them."""
    chosen = any(environment.get(name, "").strip() for name in VARIABLES)
    return {} if chosen else dict.fromkeys(VARIABLES, "1")


def limit() -> None:
    """Limit this process to one thread, in libraries that are loaded already and in those loaded later."""
    if chosen := settings():
        os.environ.update(chosen)  # libraries read these when they are loaded
        from threadpoolctl import threadpool_limits  # imported here, because only notebooks need it

        threadpool_limits(1)
