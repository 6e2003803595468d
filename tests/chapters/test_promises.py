"""What fresh inputs promise, so that answers can be told apart: for all exercises, and for each what its spec says."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pytest

from kcourse.checks import exercises
from kcourse.checks.judge import passes
from kcourse.execution.calls import Outcome
from tests.chapter_choice import CHAPTERS
from tests.chapters.marking import cases
from tests.conftest import WEEKLY

EXERCISES = [spec for spec in exercises() if spec.chapter in CHAPTERS]
SEEDS = 20 if WEEKLY else 5
SLOW = {"bias_from_alpha": 5, "krr_tune": 5, "spectrum_cv": 5, "svm_train": 5}  # a tenth of a second and more a draw

# (exercise, property): why two of its sizes are equal
EQUAL_SIZES = {
    ("ridge_dual_w", 0): "for n = D no error warns of a transpose that is missing",
    ("cover_count", 1): "n ≤ d is asked for, and n = d belongs to it",
    ("rkhs_inner", 1): "the two functions are one",
}
ONE_COLUMN = {
    ("parzen_density", 0): "one of the inputs is on a line: the exponent of σ is d",
    ("parzen_density", 1): "narrow Gaussians, also on a line",
    ("rff", 1): "a single feature",
}
DIAGONAL_OF_ONES = {
    ("is_psd", 0): "its matrices are written by hand, each against a shortcut",
    ("is_psd", 1): "its matrices are written by hand, each against a shortcut",
}
# exercises in which 1e-6 more of λ, or of a variance, may have full points
MORE_IS_RIGHT = {
    "forecast_coverage": "what moves in its mean is far below the noise",
    "spectrum_cv": "a share of right guesses",
    "stream_ridge": "λ stands before a matrix: what 1e-6 on the diagonal does is promised there",
}


@functools.cache
def drawn(spec, seed):
    """The arguments of every call, by property."""
    found = [[] for _ in spec.properties]
    for case in cases(spec.name, seed):
        found[case.property].append(case.args)
    return found


def calls(spec, without=()):
    """(property, arguments) of every call, but for those of the properties with a reason."""
    for seed in range(min(SEEDS, SLOW.get(spec.name, SEEDS))):
        for i, found in enumerate(drawn(spec, seed)):
            if (spec.name, i) not in without:
                yield from ((i, args) for args in found)


def lengths(spec, args):
    """Every axis of every array by its name, and the whole numbers that the spec calls sizes."""
    axes = {(name, k): length for name, arg in zip(spec.parameters, args, strict=True)
            if isinstance(arg, np.ndarray) for k, length in enumerate(arg.shape)}  # fmt: skip
    return axes | {
        name: size for name, size in spec.sizes(*args).items() if isinstance(size, (int, np.integer)) and size > 1
    }


def sizes_that_mean_different_things_differ(spec):
    """An answer that takes one for the other is then wrong on every input."""
    found = [(i, lengths(spec, args)) for i, args in calls(spec)]
    pairs = set(itertools.combinations(dict.fromkeys(key for _, sizes in found for key in sizes), 2))
    for a, b in pairs:
        both = [(i, sizes[a], sizes[b]) for i, sizes in found if a in sizes and b in sizes]
        if not (isinstance(a, str) and isinstance(b, str)) and all(x == y for _, x, y in both):
            continue  # the same thing twice: the points, and their targets
        equal = {i for i, x, y in both if x == y and x > 1} - {i for name, i in EQUAL_SIZES if name == spec.name}
        assert not equal, (a, b, equal)


def no_width_and_no_price_is_near_1_and_no_space_a_line(spec):
    for i, args in calls(spec):
        named = dict(zip(spec.parameters, args, strict=True))
        numbers = {name: arg for name, arg in named.items() if isinstance(arg, float) and name != "b"}
        numbers |= {name: size for name, size in spec.sizes(*args).items() if isinstance(size, float)}
        assert [name for name, number in numbers.items() if abs(number - 1) < 0.05] == [], i
        tables = [arg for arg in named.values() if isinstance(arg, np.ndarray) and arg.ndim == 2]
        assert (spec.name, i) in ONE_COLUMN or all(table.shape[1] > 1 for table in tables), i


def no_diagonal_is_one(spec):
    if "K" not in spec.parameters:
        return
    for i, args in calls(spec, DIAGONAL_OF_ONES):
        diagonal = np.diag(dict(zip(spec.parameters, args, strict=True))["K"])
        assert np.abs(diagonal - 1).max() > 0.05, i


def a_little_more_on_the_diagonal_is_seen(spec):
    if not {"lam", "noise_var"} & set(spec.parameters) or spec.name in MORE_IS_RIGHT:
        return
    at = next(i for i, name in enumerate(spec.parameters) if name in ("lam", "noise_var"))

    def little_more(*args):
        return Outcome(value=spec.answer(*args[:at], args[at] + 1e-6, *args[at + 1 :]))

    for seed in range(SEEDS):
        given = cases(spec.name, seed)
        assert not passes(spec, given, [little_more(*case.args) for case in given]), seed


def what_the_exercise_promises_holds(spec):
    for promise in spec.promises:
        for seed in range(min(SEEDS, SLOW.get(spec.name, SEEDS))):
            for i in promise.of:
                found = drawn(spec, seed)[i]
                for args in [(found,)] if promise.together else found:
                    assert promise.holds(*args), f"seed {seed}, property {i}: the inputs do not {promise.says}"


PROMISES = (
    sizes_that_mean_different_things_differ,
    no_width_and_no_price_is_near_1_and_no_space_a_line,
    no_diagonal_is_one,
    a_little_more_on_the_diagonal_is_seen,
    what_the_exercise_promises_holds,
)


@pytest.mark.parametrize("spec", EXERCISES, ids=lambda spec: spec.name)
def test_fresh_inputs_tell_answers_apart(spec, subtests):
    for holds in PROMISES:
        with subtests.test(msg=holds.__name__):
            holds(spec)
