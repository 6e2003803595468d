"""The grader's code inside the sandbox; this folder and `kcourse.execution` are copied there.

`worker` is the first process. It forks a `supervisor` for each notebook, and the supervisor forks `runner`s.
"""
