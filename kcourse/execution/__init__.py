"""Execute a sheet's cells and call its answers, both in a student's own process and in the grader's sandbox.

This package imports only itself, NumPy and the standard library, because it is copied into the sandbox.
"""
