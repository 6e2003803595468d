"""What imports load, watched at run time; which way they may go is in pyproject.toml, for `lint-imports`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

HEAVY = ["matplotlib", "ipywidgets", "sklearn", "IPython", "pandas", "polars", "PIL"]
# what each check and each override would wait for: the parts of SciPy take half a second
SLOW = [*HEAVY, "distributed", "jinja2", "tqdm", "scipy.optimize", "scipy.stats", "scipy.sparse"]


def loaded_after(code: str) -> set[str]:
    """The modules that a fresh interpreter holds after ``code`` and not before."""
    program = f"import sys\nbefore = set(sys.modules)\n{code}\nprint(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("code", "ours"),
    [
        ("import kcourse", {"kcourse"}),
        ("import kcourse.ridge", {"kcourse", "kcourse.base", "kcourse.kernels", "kcourse.ridge"}),
        ("import kcourse.datasets", {"kcourse", "kcourse.base", "kcourse.datasets"}),
    ],
)
def test_importing_the_library_loads_nothing_heavy(code, ours):
    loaded = loaded_after(code)
    assert [name for name in HEAVY if name in loaded] == []
    parts = {".".join(name.split(".")[:2]) for name in loaded if name.partition(".")[0] == "kcourse"}
    assert parts == ours
    if code == "import kcourse":
        assert "numpy" not in loaded  # the names load their module on first use


def test_a_fit_and_its_questions_load_nothing_heavy():
    loaded = loaded_after(
        "from kcourse import KernelRidge, Matern\n"
        "model = KernelRidge(Matern(0.7)).fit([[0.0], [1.0]], [1.0, -1.0])\n"
        "model.score([[0.5]], [0.0]), model.loo_path([1.0]), repr(model), model.get_params()"
    )
    assert "scipy" in loaded and [name for name in HEAVY if name in loaded] == []


def test_the_grader_loads_nothing_that_most_grades_do_not_need():
    loaded = loaded_after("import kcourse_grader.folder")
    assert "kcourse.checks" in loaded and [name for name in SLOW if name in loaded] == []
