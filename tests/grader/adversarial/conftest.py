"""The adversarial notebooks, graded once for all tests."""

import sys
import tempfile
from pathlib import Path

import pytest

collect_ignore_glob = [] if sys.platform.startswith("linux") else ["test_*.py"]  # names and pipes that others lack


@pytest.fixture(scope="session")
def graded_cases():
    from tests.grader.adversarial.graded import GradedCases

    with tempfile.TemporaryDirectory(prefix="kcourse-cases-") as folder:  # pytest's own are closed to all others
        cases = GradedCases(Path(folder))
        cases.receive()
        yield cases
