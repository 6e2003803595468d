"""What belongs to one chapter each: a folder with its marks and hints, and with its interactive figures.

A chapter has a sheet if its folder has a module ``marks``, which gives EXERCISES; `kcourse.checks` finds it there. No
chapter imports another's. What several chapters' marks share is in `gaussian_mistakes`.
"""
