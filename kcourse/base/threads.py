"""One thread for linear algebra, wherever the course runs.

The matrices of a course are small: threads that share one wait for each other longer than they compute, and where
another program wants the processors, too, seconds become minutes. Who sets one of `VARIABLES` decides alone; nothing
is changed then.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

__all__ = ["VARIABLES", "limit", "settings"]

VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def settings(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables to add to ``environment`` for a process that is about to start; none where the user has set one."""
    chosen = any(environment.get(name, "").strip() for name in VARIABLES)
    return {} if chosen else dict.fromkeys(VARIABLES, "1")


def limit() -> None:
    """Do for this process what `settings` does for a new one: for libraries already loaded and for those to come."""
    if chosen := settings():
        os.environ.update(chosen)  # read by libraries as they are loaded
        from threadpoolctl import threadpool_limits  # late: only notebooks need it

        threadpool_limits(1)
