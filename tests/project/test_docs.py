"""The pages of docs/ that are programs, run as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.timeouts import scaled

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the page kills a worker by a signal that Windows has not")
def test_the_page_on_blocks_is_a_program(tmp_path):
    """Files, a pool of processes, a Dask cluster, and one of its workers killed half-way: the same bits from all."""
    pytest.importorskip("distributed")
    page = (ROOT / "docs" / "blocks.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    program = f'if __name__ == "__main__":\n{textwrap.indent(code, "    ")}\n    print("to the end")\n'
    (tmp_path / "page.py").write_text(program, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "page.py"], cwd=tmp_path, env=env, capture_output=True, text=True, check=False,
        timeout=scaled(120),
    )  # fmt: skip
    assert done.returncode == 0 and done.stdout == "to the end\n", done.stdout + done.stderr
    assert code.count("assert ") == 4
