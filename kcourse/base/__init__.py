"""Shared foundations: validation, linear algebra, estimator protocol. Imports no other package of kcourse."""
