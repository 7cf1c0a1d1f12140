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

from manyboost._columns import distinct, frame_of, missing

# What the engine calls the column of classes, and how the names of label columns begin.
CLASS, LABEL = "class", "label:"


@dataclass
class Target:
    """The answers of rows."""

    # The classes, or the names of labels; their numbers if they have none.
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


def classes(y: Any, taken: Collection[str], name: Any = None) -> Target:
    """One class per row. `taken` are names that the column of the class cannot have."""
    name = getattr(y, "name", None) if name is None else name
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("Input y contains NaN or infinity: give every row a class")
    if y.dtype == object and any(missing(label) for label in y.tolist()):
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
    """A set of labels per row: a column of zeros and ones for each."""
    frame = frame_of(y, "y")
    names = None if frame is None else list(frame.columns)
    values = y.toarray() if sparse.issparse(y) else y if frame is None else frame.to_numpy()
    values = check_array(values, input_name="y", dtype=None)
    found = np.arange(values.shape[1]) if names is None else np.asarray(names)
    called = [name if name.startswith(LABEL) else LABEL + name for name in map(str, found.tolist())]
    columns = [(name, np.ascontiguousarray(values[:, at], np.int8)) for at, name in enumerate(distinct("y", called))]
    dtype = values.dtype if values.dtype.kind in "iub" else np.dtype(int)
    return Target(found, None, columns, dtype)


def arranged(target: Target, names: list[str]) -> Target:
    """The same answers in columns of these names: label columns by name where both have names, else by their place."""
    own = [name for name, _ in target.columns]
    if len(own) != len(names):
        raise ValueError(f"y has {len(own)} labels, and training had {len(names)}")
    nameless = [LABEL + str(at) for at in range(len(own))]
    if target.codes is not None or nameless in (own, names):
        target.columns = [(name, values) for name, (_, values) in zip(names, target.columns)]
        return target
    known = dict(target.columns)
    for name in names:
        if name not in known:
            raise ValueError(f"y has no label {name.removeprefix(LABEL)!r}\nname its columns as those of training")
    target.columns = [(name, known[name]) for name in names]
    return target


def refuse_masked(what: str, values: Any) -> None:
    """Every row has its answer, and its weight."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        rows = np.flatnonzero(np.ma.getmaskarray(values).reshape(len(values), -1).any(axis=1))
        raise ValueError(f"{what} is masked in {len(rows)} rows, first in row {rows[0]}\nleave these rows out")


def is_sets(y: Any) -> bool:
    """Whether rows have sets of labels."""
    refuse_masked("y", y)
    frame = frame_of(y, "y")
    y = y if frame is None else frame.to_numpy()
    shape = getattr(y, "shape", None)
    if shape is None:
        y = np.asarray(y)
        shape = y.shape
    return len(shape) == 2 and shape[1] > 1 and type_of_target(y, input_name="y").startswith("multilabel")
