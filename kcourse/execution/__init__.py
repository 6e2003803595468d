"""Executing a sheet's cells and calling its answers, in a student's own process and in the grader's sandbox alike.

It imports itself, NumPy and the standard library, and nothing else of kcourse: this folder is copied into the sandbox.
"""
