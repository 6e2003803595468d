"""What a loader returns: the numbers together with what one must know to use and cite them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Dataset", "SequenceDataset"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # eq=False: == on arrays has no single truth value
class Dataset:
    """Points X with one target each, their units, origin and terms; nothing of it can be reassigned.

    Parameters
    ----------
    name : str
        Short name, as in the loader's.
    X : (n, d) array
        One row a point; kept as a read-only float64 copy.
    y : (n,) array
        One target (float) or label (int) for each row; kept as a read-only copy.
    feature_names : tuple of d str
        The columns of X.
    target_name : str
        What y is.
    units : dict of str to str
        The unit of each feature and of the target; ``""`` for a pure number or where the source states none.
    description, origin, terms : str
        What was measured; where it comes from; under which terms, quoted as found.

    Raises
    ------
    ValueError
        If the shapes, names and units do not fit together.

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
                f"feature_names is {self.feature_names!r}; give a tuple of {X.shape[1]} name(s), one a column of X."
            )
        _freeze(self, X=X, y=y, feature_names=tuple(self.feature_names), units=_checked_units(self))

    def __repr__(self) -> str:
        return f"Dataset({self.name!r}: X {self.X.shape}, y {self.y.shape})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SequenceDataset:
    """Strings X with one label each: a `Dataset` whose X is a tuple of str, for kernels on sequences.

    A tuple takes no index array; for a subset write ``[data.X[i] for i in index]``.

    Parameters
    ----------
    name : str
        Short name, as in the loader's.
    X : tuple of n str
        The sequences, one letter a symbol; lengths differ.
    y : (n,) array
        One label (int) for each sequence; kept as a read-only copy.
    feature_names : tuple of one str
        What a sequence is.
    target_name : str
        What y is.
    units : dict of str to str
        As in `Dataset`; sequences and labels have none, so the values are ``""``.
    description, origin, terms : str
        As in `Dataset`.

    Raises
    ------
    TypeError
        If X is one string or holds anything but strings.
    ValueError
        If the lengths, names and units do not fit together.

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
        # a lone string is a sequence of strings, too: its letters would pass for n sequences of length one
        if isinstance(self.X, str) or not all(isinstance(s, str) for s in self.X):
            raise TypeError("X must be a tuple of strings, one a sequence; for a single sequence write (sequence,).")
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
    # a copy, so that the caller's own array stays writable and no writable view of ours is left anywhere
    a = np.array(a, dtype=dtype, order="C")
    a.setflags(write=False)
    return a


def _checked_units(data: Dataset | SequenceDataset) -> dict[str, str]:
    named = [*data.feature_names, data.target_name]
    if set(data.units) != set(named):
        raise ValueError(f"units names {sorted(data.units)}; give one unit ('' if none) for each of {sorted(named)}.")
    return dict(data.units)


def _freeze(data: Dataset | SequenceDataset, **fields: Any) -> None:
    # a frozen dataclass refuses self.X = ..., even to itself; this is the way its documentation gives
    for field, value in fields.items():
        object.__setattr__(data, field, value)
