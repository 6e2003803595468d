"""Containers that loaders return: the data with units, origin and terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Dataset", "SequenceDataset"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # eq=False: == on arrays has no single truth value
class Dataset:
    """Data set of points X with one target each, units, origin and terms; its fields cannot be reassigned.

    Parameters
    ----------
    name : str
        Short name, as in the name of the loader.
    X : (n, d) array
        One row per point; stored as a read-only float64 copy.
    y : (n,) array
        One target (float) or label (int) per row; stored as a read-only copy.
    feature_names : tuple of d str
        Names of the columns of X.
    target_name : str
        Name of y.
    units : dict of str to str
        Unit of each feature and of the target; ``""`` for a pure number or if the source states no unit.
    description, origin, terms : str
        Measured quantities; source; terms of use, quoted from the source.

    Raises
    ------
    ValueError
        If the shapes, names and units do not match.

    Examples
    --------
    >>> from kcourse.datasets import load_mcycle
    >>> data = load_mcycle()
    >>> data
    Dataset('mcycle': X (133, 1), y (133,))
    >>> data.units
    {'time': 'ms', 'acceleration': 'g'}
    >>> data.X[0, 0] = 0.0
    Traceback (most recent call last):
    ...
    ValueError: assignment destination is read-only
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    feature_names: tuple[str, ...]
    target_name: str
    units: dict[str, str]
    description: str
    origin: str
    terms: str

    def __post_init__(self) -> None:
        X, y = _read_only(self.X, np.float64), _read_only(self.y)
        if X.ndim != 2:
            raise ValueError(f"X has shape {X.shape}; expected (n, d): for one feature per point write X[:, None].")
        if y.shape != (len(X),):
            raise ValueError(f"y has shape {y.shape}; expected ({len(X)},), one entry for each row of X.")
        if isinstance(self.feature_names, str) or len(self.feature_names) != X.shape[1]:
            raise ValueError(
                f"feature_names is {self.feature_names!r}; give a tuple of {X.shape[1]} name(s), one per column of X."
            )
        _freeze(self, X=X, y=y, feature_names=tuple(self.feature_names), units=_checked_units(self))

    def __repr__(self) -> str:
        return f"Dataset({self.name!r}: X {self.X.shape}, y {self.y.shape})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SequenceDataset:
    """Data set of strings X with one label each: like `Dataset`, but X is a tuple of str, for string kernels.

    A tuple cannot be indexed with an array; for a subset write ``[data.X[i] for i in index]``.

    Parameters
    ----------
    name : str
        Short name, as in the name of the loader.
    X : tuple of n str
        Sequences, one letter per symbol; lengths differ.
    y : (n,) array
        One label (int) per sequence; stored as a read-only copy.
    feature_names : tuple of one str
        Name of a sequence.
    target_name : str
        Name of y.
    units : dict of str to str
        As in `Dataset`; sequences and labels have no unit, so the values are ``""``.
    description, origin, terms : str
        As in `Dataset`.

    Raises
    ------
    TypeError
        If X is one string or contains anything but strings.
    ValueError
        If the lengths, names and units do not match.

    Examples
    --------
    >>> from kcourse.datasets import load_peptides
    >>> data = load_peptides()
    >>> data
    SequenceDataset('peptides': X 412 sequences of 8 to 56 letters, y (412,))
    >>> [data.X[i] for i in (0, 2)]
    ['AAGAATVLLVIVLLAGSYLAVLA', 'FYRFYMLREGTAVPAVWFSIELIFGLFA']
    """

    name: str
    X: tuple[str, ...]
    y: np.ndarray
    feature_names: tuple[str, ...]
    target_name: str
    units: dict[str, str]
    description: str
    origin: str
    terms: str

    def __post_init__(self) -> None:
        # a single string is also a sequence of strings: its letters would count as n sequences of length one
        if isinstance(self.X, str) or not all(isinstance(s, str) for s in self.X):
            raise TypeError("X must be a tuple of strings, one per sequence; for a single one write (sequence,).")
        X, y = tuple(self.X), _read_only(self.y)
        if not X:
            raise ValueError("X is empty; give at least one sequence.")
        if y.shape != (len(X),):
            raise ValueError(f"y has shape {y.shape}; expected ({len(X)},), one label for each sequence in X.")
        if isinstance(self.feature_names, str) or len(self.feature_names) != 1:
            raise ValueError(f"feature_names is {self.feature_names!r}; give a tuple of one name: ('sequence',).")
        _freeze(self, X=X, y=y, feature_names=tuple(self.feature_names), units=_checked_units(self))

    def __repr__(self) -> str:
        lengths = [len(sequence) for sequence in self.X]
        return (
            f"SequenceDataset({self.name!r}: X {len(self.X)} sequences of "
            f"{min(lengths)} to {max(lengths)} letters, y {self.y.shape})"
        )


def _read_only(a: Any, dtype: Any = None) -> np.ndarray:
    # a copy, so that the caller's array stays writable and no writable view of the copy exists
    a = np.array(a, dtype=dtype, order="C")
    a.setflags(write=False)
    return a


def _checked_units(data: Dataset | SequenceDataset) -> dict[str, str]:
    named = [*data.feature_names, data.target_name]
    if set(data.units) != set(named):
        raise ValueError(f"units names {sorted(data.units)}; give one unit ('' if none) for each of {sorted(named)}.")
    return dict(data.units)


def _freeze(data: Dataset | SequenceDataset, **fields: Any) -> None:
    # self.X = ... fails in a frozen dataclass; its documentation recommends this way
    for field, value in fields.items():
        object.__setattr__(data, field, value)
