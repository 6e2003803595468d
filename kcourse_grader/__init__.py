"""Grading a class: ``kcourse grade SUBMISSIONS --out DIR``. What students install is without this package.

What comes in: `submissions` says which file is whose. What is executed, and where: `sandbox`. How it is judged:
`marking`, outside the sandbox. What goes out: `reports`. `folder` is the command, from first to last, and `release`
packs what a class is given.
"""
