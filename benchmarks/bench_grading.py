"""``kcourse grade``: beside nbgrader on the same submissions, beside itself with one job, and what it promises.

Both graders run as an instructor runs them, as commands: their start is in the time, and with ours the proof of the
sandbox, the feedback pages and the report, which ``nbgrader autograde`` does not make.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.harness import Limit, Row

ROOT = Path(__file__).resolve().parent.parent
SHEET = "ch03_ridge"
WRONG = {
    "krr_fit": "def krr_fit(K, y, lam):\n    return np.linalg.solve(K, y)\n",
    "rkhs_norm2": "def rkhs_norm2(K, alpha):\n    return alpha @ alpha\n",
}
BLANK = dict.fromkeys(("krr_fit", "krr_fit_predict", "ridge_dual_w", "krr_loo_residuals", "effective_df", "krr_tune"))
SETTINGS = ("JUPYTER", "IPYTHON", "XDG")  # of whoever runs this; nbgrader gets none of them


class Classroom:
    """Submissions in a folder, and the two graders."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.numbers = folder, itertools.count()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
        self.environment = kept | {
            "HOME": str(folder), "TMPDIR": str(folder), "JUPYTER_NO_CONFIG": "1", "JUPYTER_PREFER_ENV_PATH": "1",
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }  # fmt: skip
        import matplotlib

        self.environment["MPLCONFIGDIR"] = matplotlib.get_cachedir()  # or every kernel looks for fonts
        if self.environment.pop("PYTHONDONTWRITEBYTECODE", None):  # nobody grades with all Python to be compiled anew
            self.environment["PYTHONPYCACHEPREFIX"] = str(folder / "pycache")

    def submissions(self, count: int, *, solved: bool = False) -> Path:
        """A folder for each of ``count`` students: right, blank and wrong in turn; or all ``solved``."""
        folder = self.folder / f"{'solved' if solved else 'mixed'}{count}"
        if folder.exists():
            return folder
        sheets = [written({})] if solved else [written({}), written(BLANK), written(WRONG)]
        for i, sheet in zip(range(count), itertools.cycle(sheets), strict=False):
            path = folder / f"s{i:04}" / SHEET / f"{SHEET}_sheet.ipynb"
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(sheet), encoding="utf-8")
        return folder

    def command(self, submissions: Path, out: Path, jobs: int = 1) -> list[str]:
        """``kcourse grade``."""
        return [sys.executable, "-m", "kcourse", "grade", str(submissions), "--out", str(out),
                "--jobs", str(jobs), "--seed", "4"]  # fmt: skip

    def grade(self, submissions: Path, jobs: int = 1) -> Path:
        """Run our grader into a new folder."""
        out = self.folder / f"out{next(self.numbers)}"
        self.run(self.command(submissions, out, jobs), ROOT)
        return out

    def nbgrader_course(self, submissions: Path) -> Path:
        """A course of nbgrader, set up as docs/grading.md says, with these submissions."""
        course = self.folder / "course"
        (course / "source" / SHEET).mkdir(parents=True)
        shutil.copy(ROOT / "docs" / "nbgrader_config.py", course)
        shutil.copy(ROOT / "solutions" / f"{SHEET}_sheet.ipynb", course / "source" / SHEET)
        self.run(["nbgrader", "generate_assignment", SHEET], course)
        shutil.copytree(submissions, course / "submitted")
        return course

    def autograde(self, course: Path) -> None:
        """Run nbgrader, on submissions that it may have graded before."""
        self.run(["nbgrader", "autograde", SHEET, "--force"], course)

    def run(self, command: list[str], folder: Path) -> None:
        """Run a command, which must succeed."""
        done = subprocess.run(command, cwd=folder, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def written(changed: dict[str, str | None]) -> dict:
    """The sheet as a student hands it in: right but for some answers, None for one that was not written."""
    files = (ROOT / kind / f"{SHEET}_sheet.ipynb" for kind in ("solutions", "exercises"))
    solution, blank = (json.loads(file.read_text(encoding="utf-8")) for file in files)
    answers = {cell["id"]: "".join(cell["source"]) for cell in solution["cells"]}
    for cell in blank["cells"]:
        if cell["id"] in changed or cell["cell_type"] == "code":
            answer = changed.get(cell["id"], answers[cell["id"]])
            cell["source"] = "".join(cell["source"]) if answer is None else answer
    return blank


def time_with_two_jobs(students: Classroom, count: int, runs: int = 3) -> float:
    """Of a submission, as a part of that with one job; from the first grade to the last, so without the start."""
    submissions, ratios = students.submissions(count), []
    for _ in range(runs):
        times = [sorted(stored(students.grade(submissions, jobs)).values()) for jobs in (2, 1)]
        two, one = (when[-1] - when[0] for when in times)
        ratios.append(two / one)
    return statistics.median(ratios)


def median_seconds(students: Classroom) -> float:
    """Of one submission, from its cells to its grade, start of its notebook included."""
    out = students.grade(students.submissions(100, solved=True))
    records = [json.loads(path.read_text(encoding="utf-8"))["grade"] for path in (out / "grades").glob("*.json")]
    if len(records) != 100 or not all(sum(r["points"] for r in g["results"]) == 25 for g in records):
        raise RuntimeError("not every copy of the solution has full marks")
    return statistics.median(record["seconds"] for record in records)


def stored(out: Path) -> dict[str, int]:
    """The finished grades and when each was written."""
    return {path.name: path.stat().st_mtime_ns for path in (out / "grades").glob("[!.]*.json")}


def rows() -> Iterator[Row | Limit]:
    """All comparisons; none where nothing can be graded."""
    from kcourse_grader.sandbox.sandbox import available_tier

    if not available_tier():
        print("no sandbox here: kcourse grade is not measured", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder:
        students = Classroom(Path(folder))
        yield Row(
            "grade 20 submissions, start and reports included", "nbgrader autograde", 0.25,
            lambda _: students.grade(students.submissions(20)), students.autograde,
            setup=lambda: students.nbgrader_course(students.submissions(20)), runs=2,
        )  # fmt: skip
        yield Limit(
            "time of one of 60 submissions with --jobs 2, without the start", "of that with --jobs 1", 0.625,
            lambda: time_with_two_jobs(students, 60), peer="--jobs 1",
        )  # fmt: skip
        yield Limit(
            "one of 100 copies of the solved sheet, start of its notebook included", "s", 0.3,
            lambda: median_seconds(students),
        )  # fmt: skip
