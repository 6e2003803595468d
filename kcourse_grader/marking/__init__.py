"""Marking: decide outside the sandbox what each answer is worth, without revealing hidden inputs or right values.

- `grade` sends a submission's cells and hidden inputs into the sandbox, and judges the results with
  `kcourse.checks.judge` (``reveal=False``). The notebook checks values by the same rules, so both give equal points.
- `reference_answers`: a wrong answer that calls an earlier wrong answer is called again with the right one in its
  place. The function under that name asks the supervisor, which asks the grader, within limits on size, number and
  time. This happens after all first calls, in the sheet's order, so only exercises with final marks are answered.
- `quotable`: text that comes out of the sandbox, such as the name of an exception, is repeated only if it is in the
  submission's source, because it could carry hidden inputs.
- `batch` runs many submissions. A time-out while others ran is not final: the submission is graded again alone.
- `deciding` computes the digest of everything that decides on a grade. It lists what never does (tables, figures,
  programs); everything else counts. The digest is stored with the grade.
- `similarity` finds submissions that look alike or contain the course's own answers.
"""
