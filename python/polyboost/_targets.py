"""Answers: classes of any type, or sets of labels.

The engine knows classes by their text. Python's classes keep their values and their types, in the order of `numpy.unique`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_array, column_or_1d

# What the engine calls the column of classes, and how the names of label columns begin.
CLASS, LABEL = "class", "label:"


@dataclass
class Target:
    """The answers of rows."""

    # The classes, or the numbers of labels.
    classes: np.ndarray
    # For each row its class, by number; None for sets of labels.
    codes: np.ndarray | None
    # Columns for the engine: name and values.
    columns: list[tuple[str, Any]]
    # What answers are given as.
    dtype: np.dtype[Any]


def text(label: Any) -> str:
    """What the engine calls a class."""
    return str(label)


def classes(y: Any, taken: Collection[str]) -> Target:
    """One class a row. `taken` are names that the column of the class cannot have."""
    name = getattr(y, "name", None)
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("Input y contains NaN or infinity: give every row a class")
    if y.dtype == object and any(label is None or label != label for label in y.tolist()):
        raise ValueError("Input y contains NaN: give every row a class")
    check_classification_targets(y)
    found, codes = np.unique(y, return_inverse=True)
    names = [text(label) for label in found.tolist()]
    name = name if isinstance(name, str) and name else CLASS
    while name in taken:
        name += "_"
    column = ("coded", np.ascontiguousarray(codes, np.uint32), names)
    return Target(found, codes, [(name, column)], found.dtype)


def labels(y: Any) -> Target:
    """A set of labels a row: a column of zeros and ones for each."""
    names = [str(name) for name in getattr(y, "columns", ())]
    if sparse.issparse(y):
        y = y.toarray()
    y = check_array(y, input_name="y", dtype=None)
    names = names or [str(at) for at in range(y.shape[1])]
    columns = [
        (name if name.startswith(LABEL) else LABEL + name, np.ascontiguousarray(y[:, at], np.int8))
        for at, name in enumerate(names)
    ]
    dtype = y.dtype if y.dtype.kind in "iub" else np.dtype(int)
    return Target(np.arange(y.shape[1]), None, columns, dtype)


def is_sets(y: Any) -> bool:
    """Whether rows have sets of labels."""
    shape = getattr(y, "shape", None)
    if shape is None:
        y = np.asarray(y)
        shape = y.shape
    return len(shape) == 2 and shape[1] > 1 and type_of_target(y, input_name="y").startswith("multilabel")
