"""What ``make test`` leaves to ``make test-all``, so that it may end within five minutes: the same for everybody.

A row names tests by how their ids begin, and says which of them stay: one in so many (0: none), chosen by their names
so that a new test moves no other, or those whose id matches a pattern. What is left out proves over again, for many
inputs or in another place, what `make test` proves for some.
"""

from __future__ import annotations

import re
import zlib

__all__ = ["LEFT", "is_left"]

LEFT: tuple[tuple[str, int | str, str], ...] = (
    ("tests/byhand/test_problems.py::test_in_all_draws", r"\[40-", "forty draws of each problem; every week 500"),
    ("tests/unit/test_release.py::test_all_sheets", 0, "draws all tables; one chapter's are quick"),
    ("tests/unit/test_dual_interior.py::test_a_quartic", 0, "half a minute of one problem"),
    ("tests/zoo/test_sheets.py::test_each_answer", r"\[ch\w+-\d*0-", "judged in-process: notebook 0 and every tenth"),
    ("tests/zoo/test_sheets.py::test_each_", 0, "asks all notebooks"),
    ("tests/zoo/test_sheets.py::test_nothing_is_told", 0, "asks all notebooks"),
    ("tests/zoo/test_hostile.py::test_hostile[tier1", 2, "about half of them try the walls of tier 1"),
    ("tests/zoo/test_hostile.py::test_hostile[tier2", 5, "and one in five those of tier 2"),
    ("tests/zoo/test_hostile.py::test_damaged_and_odd", 4, "one in four kinds of damage"),
    ("tests/zoo/test_hostile.py::test_each_", 0, "asks all members"),
    ("tests/grading/test_nbgrader.py", 0, "another program's course, from release to grades"),
    ("tests/grading/test_notebook.py::test_no_text_takes_for_ever", 6, "one in six shapes of text"),
    ("tests/grading/test_notebook.py::test_many_cells_of_ipythons_own", 3, "one in three"),
    ("tests/grading/test_batch.py::test_killed_twice_and_run_again", 0, "starts the command three times"),
    ("tests/grading/test_batch.py::test_two_first_runs_at_once", 0, "starts the command twice"),
    ("tests/grading/test_follow_through.py::test_in_the_", 3, "one in three answers that others call"),
    ("tests/checks/test_hostile_values.py::test_judging", 4, "one exercise in four"),
    ("tests/grading/test_own.py", 3, "each starts the command"),
    ("tests/browser/test_decks.py", r"\[ch03_|^test_[^[]*$", "the deck of one chapter; make slides measures all"),
    ("tests/browser/test_course.py::test_on_a_sharp_screen", 0, "as on others, sharper"),
    ("tests/browser/test_course.py::test_what_was_written_is_there_after", 0, "the next day"),
    ("tests/browser/test_lite.py", 0, "builds the edition for browsers"),
    ("tests/site/test_site.py::test_axe", 3, "one in three kinds of page"),
    ("tests/chapters/test_figures.py::test_the_moving_picture_is_the_one_of_the_deck", 8, "one explorer in eight"),
    ("tests/chapters/test_figures.py::test_nothing_overflows", 6, "one explorer in six"),
    ("tests/chapters/test_figures.py::test_every_control_moves", 8, "one explorer in eight, to all its ends"),
    ("tests/chapters/test_sheets.py::test_right_answers_in_other_styles", 2, "every second style"),
    (
        "tests/chapters/test_mutants.py::test_a_",
        r"\[(?:parzen_density|rkhs_norm2|canonical|paired_report)",
        "four are quick",
    ),
    ("tests/chapters/test_random_formulas.py", 3, "one exercise in three"),
    ("tests/grading/test_sandbox.py::test_an_answer_that_fights_back", 4, "one way to fight in four"),
    ("tests/measured/test_tables.py::test_two", r"\[two-", "what is timed, or takes long"),
    ("notebooks/ch08_kpca.ipynb", 0, "of the lectures, the two that compute longest"),
    ("notebooks/ch10_scaling.ipynb", 0, "of the lectures, the two that compute longest"),
    ("tests/reference/test_manners.py::test_at_its_defaults", 0, "once more with no argument"),
    ("tests/reference/test_manners.py", r"\[plain|^test_whoever_routes", "once more with metadata routing"),
    ("tests/house/test_public_api.py::test_a_users_program", 0, "mypy reads all of the library"),
    ("tests/house/test_public_api.py::test_pyright", 0, "and so does pyright"),
    (
        "tests/checks/test_sealed.py::test_the_same_verdict",
        r"\[(?:knn_regress|krr_fit|canonical|rff)\]",
        "four are quick",
    ),
    ("tests/house/test_docs.py", 0, "starts a pool and a cluster"),
    ("tests/house/test_deploy.py::test_a_class", 0, "installs JupyterHub; six students run a chapter"),
    ("tests/tools/test_parts.py::test_a_part_reaches", 0, "reads all files of the project"),
    ("tests/unit/test_dual_interior.py::test_a_quartic_kernel_with_outliers", 0, "a minute for one problem"),
    ("tests/unit/test_release.py::test_the_wheel_works_without_the_repository", 0, "installs into a new environment"),
    ("tests/unit/test_release.py::test_all_sheets", 0, "draws the tables of all chapters"),
)


def is_left(nodeid: str) -> bool:
    """Whether `make test` leaves this test out; the first row that fits decides."""
    keep = next((keep for begins, keep, _ in LEFT if nodeid.startswith(begins)), 1)
    if isinstance(keep, str):
        return not re.search(keep, nodeid.partition("::")[2])
    return keep == 0 or zlib.crc32(nodeid.encode()) % keep > 0
