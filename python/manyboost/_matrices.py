"""Matrices whose rows stand for classes: by name where they have names, else in the order of `classes_`.

A data frame has names: those of its index or, as in a file of costs, of a first column. They are matched to the classes, and
what does not match is refused: nothing is read by its place that has a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from manyboost._columns import frame_of
from manyboost._targets import text

COSTS = "costs"


def of_classes(name: str, value: Any, classes: Sequence[Any]) -> np.ndarray:
    """A matrix with a row for each class; costs have a column for each class too."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ValueError(f"{name} has masked entries\ngive a number for each of them")
    frame = frame_of(value, name)
    matrix = _numbers(name, value) if frame is None else _by_name(name, frame, classes)
    if matrix.ndim != 2:
        raise ValueError(f"{name} has the shape {matrix.shape}\ngive a matrix")
    if name == COSTS and matrix.shape != (len(classes), len(classes)):
        raise ValueError(
            f"costs has the shape {matrix.shape}, and there are {len(classes)} classes\n"
            "give a row for each true class and a column for each answer, in the order of classes_"
        )
    return matrix


def _by_name(name: str, frame: nw.DataFrame[Any], classes: Sequence[Any]) -> np.ndarray:
    columns, rows = list(frame.columns), nw.maybe_get_index(frame)
    first = frame[:, 0] if columns else None
    named = first is not None and not (first.dtype.is_numeric() or first.dtype == nw.Boolean)
    if named or (name == COSTS and len(columns) == len(frame) + 1):
        # The form of a file.
        rows, columns, frame = first.to_list() if first is not None else [], columns[1:], frame[:, 1:]
    elif rows is not None and name != COSTS and rows.equals(type(rows)(range(len(rows)))):
        # Rows that nobody gave a name to.
        rows = None
    matrix = _numbers(name, frame.to_numpy())
    if name == COSTS:
        if rows is None:
            raise ValueError("costs: its columns have names, its rows have none\nname the true classes in a first column")
        matrix = matrix[:, _places(name, "column", columns, classes)]
    return matrix if rows is None else matrix[_places(name, "row", list(rows), classes)]


def _places(name: str, what: str, names: list[Any], classes: Sequence[Any]) -> list[int]:
    """Where the classes are among names: as they are, or by their texts."""
    if len({text(own) for own in names}) < len(names):
        raise ValueError(f"{name}: two {what}s have the same name\ngive each class one {what}")
    values = {own: at for at, own in enumerate(names)}
    texts = {text(own): at for at, own in enumerate(names)}
    places = [values.get(label, texts.get(text(label))) for label in classes]
    for label, place in zip(classes, places):
        if place is None:
            known = ", ".join(repr(own) for own in names[:5]) + (", …" if len(names) > 5 else "")
            raise ValueError(
                f"{name}: there is no {what} for class {label!r} ({what}s are called {known})\n"
                f"name its {what}s after the classes, or give a NumPy matrix in the order of classes_"
            )
    return [place for place in places if place is not None]


def _numbers(name: str, value: Any) -> np.ndarray:
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} does not hold numbers only\ngive a matrix of numbers") from None
