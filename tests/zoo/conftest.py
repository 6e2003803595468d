"""The zoo's keeper, and the sandboxes of the grader's other tests."""

import sys
import tempfile
from pathlib import Path

import pytest

from tests.grading.conftest import one_sandbox, sandbox, sandboxes  # noqa: F401 (fixtures)

collect_ignore_glob = [] if sys.platform.startswith("linux") else ["test_*.py"]  # names and pipes that others lack


@pytest.fixture(scope="session")
def keeper():
    from tests.zoo.keeper import Keeper

    with tempfile.TemporaryDirectory(prefix="kcourse-zoo-") as folder:  # pytest's own are closed to all others
        keeper = Keeper(Path(folder))
        keeper.receive()
        yield keeper
