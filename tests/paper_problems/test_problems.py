"""Every problem by hand: its answers are right, told apart from those of its mistakes, and fit for a pencil."""

from __future__ import annotations

import inspect
import itertools
import re
from collections import Counter
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from kcourse.paper_problems import (
    Choice,
    Free,
    Misconception,
    Numbers,
    Order,
    Problem,
    Step,
    bank,
    draw,
    exam_bank,
    find,
)
from kcourse.paper_problems.bank import chapters
from kcourse.paper_problems.exact import exact, inverse
from kcourse.paper_problems.page_data import listed, page_data
from kcourse.paper_problems.problem import LETTERS, Unfit, filled
from tests.chapter_choice import is_chosen
from tests.conftest import WEEKLY
from tests.paper_problems.other_ways import OTHER_WAYS

ROOT = Path(__file__).resolve().parents[2]
PROBLEMS = [problem for stem in chapters() for problem in exam_bank(stem)]
NAMES = [f"{p.chapter}/{p.name}" for p in PROBLEMS]
ONE_OF_MANY = re.compile(r"\b1 (?!of\b|in\b|and\b|to\b|from\b|or\b|is\b|has\b)[a-z]+s\b")


def test_every_chapter_has_fourteen_of_all_levels_and_holds_free_working_back():
    assert chapters() == sorted(path.stem for path in (ROOT / "notebooks").glob("ch*.ipynb"))
    assert len(set(NAMES)) == len(NAMES)
    assert all(problem.level in (1, 2, 3) and problem.minutes > 0 < problem.points for problem in PROBLEMS)
    for stem in chapters():
        free = [isinstance(p.kind, Free) for p in exam_bank(stem) if p.bank == "exam"]
        assert len(exam_bank(stem)) >= 14 and sum(free) >= 4 and not all(free), stem
        assert {p.level for p in exam_bank(stem)} == {1, 2, 3}
        assert len(bank(stem)) >= 5 and any(p.proves for p in bank(stem))
        assert not any(isinstance(p.kind, Free) for p in bank(stem))  # nothing judges it in a notebook


@pytest.mark.parametrize("stem", list(filter(is_chosen, chapters())))
def test_in_all_draws_answers_differ_words_are_whole_and_the_right_one_is_right(stem, subtests):
    ways = OTHER_WAYS | {
        f"{stem}/{name}": way
        for name, way in import_module(f"tests.paper_problems.held_back.{stem}").OTHER_WAYS.items()
    }
    for problem in exam_bank(stem):
        with subtests.test(problem.name):
            drawn = [draw(problem, seed) for seed in range(500 if WEEKLY else 40)]
            if not isinstance(problem.kind, Free):
                answers_differ_and_each_mistake_comes_up(problem, drawn)
            words_are_whole(problem, drawn)
            if isinstance(problem.kind, Numbers) or f"{stem}/{problem.name}" in ways:
                comes_out_in_another_way(problem, drawn[:40], ways[f"{stem}/{problem.name}"])
            if isinstance(problem.kind, Numbers):
                chance_is_seldom_named(problem, drawn)


def answers_differ_and_each_mistake_comes_up(problem, drawn):
    seen, letters, told_of = set(), set(), Counter()
    for one in drawn:
        answers = [one.right, *(answer for _, answer in one.wrong)]
        assert len(answers) >= 3 and all(len(answer) == len(one.fields) for answer in answers)
        for a, b in itertools.combinations(answers, 2):
            assert not problem.kind.same(a, b), (one.seed, a)
        told_of.update(mistake.says for mistake, _ in one.wrong)
        seen.add((one.statement, listed(one)))
        letters.add(one.right)
    assert len(seen) >= (6 if problem.proves else 10), len(seen)
    if problem.bank == "exam":
        assert len(letters) >= 3  # otherwise it is known after one exam
        shares = [(1 + sum(mistake.credit for mistake, _ in one.wrong)) / (1 + len(one.wrong)) for one in drawn]
        assert not isinstance(problem.kind, Choice) or max(shares) <= 0.4  # what a blind guess earns
    says = [mistake.says for mistake in problem.mistakes] or [
        says for gap in problem.kind.gaps for _, says in gap.wrong
    ]
    assert len(set(says)) == len(says)
    if len(drawn) >= 500:
        assert all(told_of[text] >= 10 for text in says), {text: told_of[text] for text in says}


def words_are_whole(problem, drawn):
    for mistake in (*problem.mistakes, *(mistake for mistake, _ in drawn[0].wrong)):
        numbers = isinstance(problem.kind, Numbers)
        assert "$" not in mistake.says and 0 <= mistake.credit < 1
        assert mistake.says.startswith("if ") if numbers else mistake.says.endswith((".", "!"))
    steps = problem.kind.steps if isinstance(problem.kind, Free) else ()
    for one in drawn:
        for text in (one.statement, one.solution, listed(one), *(filled(step.text, one.names) for step in steps)):
            assert not re.search(r"@|\bnan\b|\binf\b", text), text
            assert not re.search(r"(?<![\d})])-0(?![.\d])|[-+] ?-\d", text), text  # minus nothing; two signs in a row
            assert not ONE_OF_MANY.search(text), text
            assert text.count("$") % 2 == 0 and text.count("{") == text.count("}"), text
        if isinstance(problem.kind, Order):
            assert all(f"**{LETTERS[i]}**" in one.statement for i in range(len(problem.kind.lines)))


def comes_out_in_another_way(problem, drawn, other):
    parameters = inspect.signature(other).parameters
    assert "answer" not in parameters
    for one in drawn:
        found = other(**{name: one.names[name] for name in parameters})
        right = one.names["answer"] if isinstance(problem.kind, Free | Choice) else one.right
        near = 0.006 if getattr(problem.kind, "rounded", False) else 1e-4
        right = np.ravel(np.asarray(right, dtype=object)).astype(float)
        np.testing.assert_allclose(np.ravel(found).astype(float), right, atol=near, rtol=1e-6)


def chance_is_seldom_named(problem, drawn):
    """Numbers with two decimals, drawn where the answers are."""
    rng, named = np.random.default_rng(0), 0
    for one in drawn:
        reach = 5 + 2 * max(abs(float(v)) for _, answer in one.wrong for v in answer)
        for random in np.round(rng.uniform(-reach, reach, (20, len(one.fields))), 2):
            named += any(
                all(abs(float(v) - r) <= problem.kind.room(float(v)) for v, r in zip(answer, random, strict=True))
                for _, answer in one.wrong
            )
    assert named <= 0.01 * 20 * len(drawn)


def test_a_draw_that_does_not_fit_is_made_again_and_one_that_never_does_is_an_error():
    def problem(answer, *mistakes):
        numbers = {"draw": lambda rng: {"a": int(rng.integers(9))}, "work": answer, "mistakes": mistakes}
        return Problem("p", "P", Numbers("x"), "@a", "@answer", minutes=1, points=1, level=1, **numbers)

    fine = problem(
        lambda a: {"answer": a},
        Misconception("if doubled", lambda a: 2 * a),
        Misconception("if 3 is added", lambda a: a + 3),
    )
    assert {draw(fine, seed).names["a"] for seed in range(99)} == {1, 2, 4, 5, 6, 7, 8}  # 0 is 2 · 0; 3 + 3 is 2 · 3
    assert draw(fine, 5).statement == draw(fine, 5).statement
    with pytest.raises(RuntimeError, match="p: none of 400 draws fits; .*: two answers are"):
        draw(problem(lambda a: {"answer": a}, Misconception("if nothing happens", lambda a: a)), 0)
    with pytest.raises(RuntimeError, match="too long for pencil and paper"):
        draw(problem(lambda a: {"answer": exact(1) / (1000 + a)}), 0)
    with pytest.raises(ValueError, match="rounded=True"):
        draw(problem(lambda a: {"answer": np.pi}), 0)
    with pytest.raises(ValueError, match="its steps' points have another sum"):
        Problem("p", "P", Free((Step("all", 2),)), "@a", "", minutes=1, points=1, level=1, draw=lambda rng: {"a": 1})
    with pytest.raises(KeyError):
        filled("@b", {"a": 1})


def test_exact_arithmetic_is_exact_and_a_singular_matrix_unfit():
    A = [[2, 1], [4, 3]]
    assert (inverse(A) @ exact(A) == np.eye(2, dtype=int)).all()
    with pytest.raises(Unfit):
        inverse([[1, 2], [2, 4]])


def test_what_a_page_is_told_has_numbers_and_letters():
    least, kkt = find("ch03_ridge/least_norm"), find("ch06_svm/kkt")
    number, letters = page_data(draw(least, 1)), page_data(draw(kkt, 1))
    assert number["kind"] == "numbers" and number["right"] == [[float(draw(least, 1).right[0]), 0.005]]
    assert letters["kind"] == "choice" and letters["right"][0] in "ABCDE"
    assert [letter for letter, _ in letters["fields"][0]["options"]] == list("ABCD")
    with pytest.raises(ValueError, match="ch03_ridge has no problem 'x'.*left_out"):
        find("ch03_ridge/x")
    with pytest.raises(ValueError, match="no chapter 'ch99'"):
        bank("ch99")
