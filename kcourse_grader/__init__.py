"""The grader: ``kcourse grade SUBMISSIONS --out DIR``. Students do not get this package.

The grader trusts nothing that a submission says. A run (`folder`) has these steps; each package's docstring says more:

1. `submissions` decides which file belongs to which student and sheet.
2. `sandbox` executes the cells and calls the functions, and tests beforehand that code cannot escape.
3. `marking` judges the results outside the sandbox, with the same checks as the notebooks.
4. `reports` writes tables, feedback pages and a report for the instructor.

`commands` has the commands ``grade``, ``term`` and ``release``, and `release` packs the archives for a class. The rest
of kcourse does not import this package.

``tests/grader/adversarial`` has hostile, damaged and honest notebooks, each with the expected points, words, time, and
whether a person should look at it. For each sheet it also grades the solution and a notebook with mixed mistakes, and
every week each answer of the sheets' test tables. If something goes wrong in a real course, add a case there first.
"""
