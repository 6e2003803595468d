"""What runs in the sandbox beside a submission's code: this folder and `kcourse.execution` are copied there.

`worker` is the first process, which forks a `supervisor` for each notebook, which forks `runner`s.
"""
