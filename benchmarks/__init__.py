"""Timings side by side: what kcourse takes, as a ratio to what a well-known library takes on the same machine."""
