"""Results: the gradebook, tables for platforms, the report, and a feedback page for each student.

Lateness, overrides, pseudonyms and missing students are applied to the grades when tables are written (`gradebook`)
and are never stored with them. Notes must not contain a student's name; a note that repeats a file's name adds it to
``Submission.named``, so that `gradebook.anonymised` can replace it. ``grades.csv`` contains everything that the
term's table needs (`term`, `items`), so graders can exchange tables instead of submissions.
"""
