"""Data sets from a seed: the same on every machine, and the same that `manyboost generate` writes."""

from __future__ import annotations

from typing import Any

import numpy as np

from manyboost import _core

__all__ = ["generate", "names"]


def names() -> dict[str, str]:
    """The data sets: name and what it is."""
    return dict(_core.generators())


def generate(name: str, rows: int = 1000, *, seed: int = 1, as_frame: bool = False) -> tuple[Any, np.ndarray]:
    """Rows X and their classes y.

    X is a matrix, or a pandas data frame if `as_frame` is set or columns are not all numbers.
    """
    columns = _core.generate(name, rows, seed)
    (y,) = (np.asarray(values) for _, target, values in columns if target)
    y = y.astype(int) if all(label.isdecimal() for label in np.unique(y)) else y
    features = {column: values for column, target, values in columns if not target}
    if as_frame or not all(isinstance(values, np.ndarray) for values in features.values()):
        import pandas

        return pandas.DataFrame(features), y
    return np.column_stack(list(features.values())), y
