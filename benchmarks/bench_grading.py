"""``kcourse grade``: beside nbgrader on the same submissions, beside itself with one job, and what it promises.

Both graders run as an instructor runs them, as commands: their start is in the time, and with ours the proof of the
sandbox, the feedback pages and the report, which ``nbgrader autograde`` does not make.
"""

from __future__ import annotations

import contextlib
import csv
import itertools
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from benchmarks.harness import Limit, Row

ROOT = Path(__file__).resolve().parent.parent
SHEET = "ch03_ridge"
# exercise, what a right answer has, what this one has; some cost all the points of an exercise, some a part, some none
CHANGES = (
    ("krr_fit", "+ lam *", "+ len(y) * lam *"),
    ("krr_fit", "np.linalg.solve(K + lam * np.eye(len(y)), y)", "np.linalg.inv(K + lam * np.eye(len(y))) @ y"),
    ("krr_fit", "np.linalg.solve(K + lam * np.eye(len(y)), y)", "np.linalg.inv(K) @ y"),
    ("krr_fit_predict", "Gaussian(sigma)", "Gaussian(sigma**2)"),
    ("krr_fit_predict", "kernel(Xq, X) @ alpha", "alpha"),
    ("ridge_dual_w", "Phi.T @ alpha", "Phi @ alpha"),
    ("ridge_dual_w", "Phi.T @ alpha", "np.linalg.solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), Phi.T @ y)"),
    ("krr_loo_residuals", "(G @ y) / np.diag(G)", "G @ y"),
    ("krr_loo_residuals", "(G @ y) / np.diag(G)", "np.array([(G[i] @ y) / G[i, i] for i in range(len(y))])"),
    ("effective_df", "np.trace", "np.sum"),
    ("rkhs_norm2", "alpha @ K @ alpha", "alpha @ alpha"),
    ("rkhs_norm2", "alpha @ K @ alpha", "0.0"),
    ("krr_tune", "mse < best[2]", "mse > best[2]"),
)
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
        """A folder for each of ``count`` students: right, wrong, partly right, blank; or all ``solved``."""
        folder = self.folder / f"{'solved' if solved else 'mixed'}{count}"
        if folder.exists():
            return folder
        sheets = [written({})] if solved else variants()
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


def variants() -> list[dict]:
    """Twenty different sheets: the changes one by one, half-written ones, a blank one, a right one."""
    solution = json.loads((ROOT / "solutions" / f"{SHEET}_sheet.ipynb").read_text(encoding="utf-8"))
    answers = {cell["id"]: "".join(cell["source"]) for cell in solution["cells"]}
    names = [cell["id"] for cell in solution["cells"] if "def " in answers[cell["id"]][:4]]
    sheets = [written({}), written(dict.fromkeys(names))]
    for name, right, other in CHANGES:
        if right not in answers[name]:
            raise ValueError(f"the solution of {name} has no {right!r} any more; change benchmarks/bench_grading.py")
        sheets.append(written({name: answers[name].replace(right, other)}))
    sheets += [written(dict.fromkeys(names[kept:])) for kept in range(2, len(names))]
    return sheets


# ---------------------------------------------------------------- what is promised


def grades_that_differ(ours: Path, course: Path) -> float:
    """How many students have other points with nbgrader."""
    import sqlite3

    with open(ours / "grades.csv", newline="", encoding="utf-8-sig") as file:
        mine = {row["student"]: float(row["score"]) for row in csv.DictReader(file)}
    query = """select student_id, sum(auto_score) from grade
               join submitted_notebook on submitted_notebook.id = grade.notebook_id
               join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
               group by student_id"""
    with contextlib.closing(sqlite3.connect(course / "gradebook.db")) as book:
        theirs = dict(book.execute(query))
    if mine.keys() != theirs.keys():
        raise RuntimeError(f"graded by one of the two only: {sorted(mine.keys() ^ theirs.keys())}")
    return sum(mine[student] != theirs[student] for student in mine)


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


def killed_twice(students: Classroom, count: int, jobs: int = 2) -> float:
    """Peak memory in MB of a run that is killed at a third and at two thirds, and given again until all is graded."""
    submissions, out = students.submissions(count), students.folder / "killed"
    command, peak, kept = students.command(submissions, out, jobs), 0.0, {}
    for stop in (count // 3, 2 * count // 3, None):
        run = subprocess.Popen(command, cwd=ROOT, env=students.environment, stderr=subprocess.DEVNULL)
        seen = set()
        while run.poll() is None and (stop is None or len(stored(out)) < stop):
            family = descendants(run.pid)
            seen |= family
            peak = max(peak, sum(map(megabytes, family)))
            time.sleep(0.25)
        if stop is not None:
            if run.poll() is not None:
                raise RuntimeError("it ended before it could be killed")
            run.send_signal(signal.SIGKILL)
            run.wait()
            await_end(seen)
        now = stored(out)
        if any(now.get(name) != when for name, when in kept.items()):
            raise RuntimeError("a grade that was finished has been made again")
        kept = now
    with open(out / "grades.csv", newline="", encoding="utf-8-sig") as file:
        names = [row["student"] for row in csv.DictReader(file) if row["status"] == "graded"]
    if run.returncode or len(kept) != count or sorted(names) != sorted(p.name for p in submissions.iterdir()):
        raise RuntimeError(f"exit code {run.returncode}, {len(kept)} grades, {len(set(names))} students")
    return peak


def stored(out: Path) -> dict[str, int]:
    """The finished grades and when each was written."""
    return {path.name: path.stat().st_mtime_ns for path in (out / "grades").glob("[!.]*.json")}


def descendants(pid: int) -> set[int]:
    """A process and all that it, and what it has started, has started."""
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        return {pid, *(child.pid for child in process.children(recursive=True))}
    return set()


def megabytes(pid: int) -> float:
    """A process's memory, where what processes share is shared out among them; all of it where that is not told."""
    with contextlib.suppress(psutil.Error):
        memory = psutil.Process(pid).memory_full_info()
        return getattr(memory, "pss", memory.uss) / 1e6
    return 0.0


def await_end(pids: set[int]) -> None:
    """What a killed run has started ends by itself."""
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        if time.monotonic() > deadline:
            raise RuntimeError("the killed run has left processes behind")
        time.sleep(0.05)


def dearest_draw(repeats: int = 10) -> float:
    """Milliseconds to draw a submission's own inputs, on the sheet where that takes longest."""
    from kcourse.checks import CHAPTERS, exercises

    took = []
    for sheet in CHAPTERS:
        start = time.perf_counter()
        for seed in range(repeats):
            for spec in exercises(sheet):
                spec.cases(seed)
        took.append(1e3 * (time.perf_counter() - start) / repeats)
    return max(took)


def rows() -> Iterator[Row | Limit]:
    """All comparisons; none where nothing can be graded."""
    from kcourse.grading import available_tier

    if not available_tier():
        print("no sandbox here: kcourse grade is not measured", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder:
        students = Classroom(Path(folder))
        last: dict[str, Path] = {}

        def setup() -> Path:
            last["course"] = students.nbgrader_course(students.submissions(20))
            return last["course"]

        def ours(_: Path) -> None:
            last["out"] = students.grade(students.submissions(20))

        def differ() -> float:
            if "course" not in last:  # the row above was not asked for
                students.autograde(setup())
            if "out" not in last:
                ours(last["course"])
            return grades_that_differ(last["out"], last["course"])

        yield Row(
            "grade 20 submissions, start and reports included", "nbgrader autograde", 0.25, ours, students.autograde,
            setup=setup, runs=2,
        )  # fmt: skip
        yield Limit("students whose points differ between the two", "of 20", 0, differ, peer="nbgrader autograde")
        yield Limit(
            "time of one of 60 submissions with --jobs 2, without the start", "of that with --jobs 1", 0.625,
            lambda: time_with_two_jobs(students, 60), peer="--jobs 1",
        )  # fmt: skip
        yield Limit(
            "one of 100 copies of the solved sheet, start of its notebook included", "s", 0.2,
            lambda: median_seconds(students),
        )  # fmt: skip
        yield Limit("drawing a submission's own inputs, the sheet where it takes longest", "ms", 250, dearest_draw)
        yield Limit(
            "1000 submissions, --jobs 2, killed twice and continued, every grade there once: peak memory", "MB", 550,
            lambda: killed_twice(students, 1000),
        )  # fmt: skip
