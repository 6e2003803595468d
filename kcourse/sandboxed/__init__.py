"""What runs beside a submission's code, in the grader's sandbox: this folder is copied there as it stands.

It imports itself, NumPy and the standard library, and nothing else of kcourse, since there the package ``sandboxed``
stands alone. `worker` is its first process, which forks a `supervisor` for each notebook, which forks `runner`s. How an
answer is called (`calls`) is the same when students check themselves.
"""
