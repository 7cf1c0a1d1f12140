"""Blocks of Ray's data: rows with their answers and weights, which whoever needs them fetches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import ray

from manyboost._columns import frame_of
from manyboost._parts import Part


@dataclass
class Block:
    """Some rows, by reference."""

    place: int
    X: ray.ObjectRef[Any]
    # References too, or the columns of X that they are.
    y: Any
    weight: Any = None

    def part(self) -> Part:
        """The rows themselves."""
        X = ray.get(self.X)
        if isinstance(self.y, ray.ObjectRef):
            return Part(self.place, X, ray.get(self.y), None if self.weight is None else ray.get(self.weight))
        frame = frame_of(X, "X")
        if frame is None:
            raise TypeError(f"block {self.place} is a {type(X).__name__}\ngive frames, or y by references too")
        if len(frame) == 0:
            # It may have no columns either.
            return Part(self.place, np.empty((0, 0)), np.empty(0))
        answers = [self.y] if isinstance(self.y, str) else list(self.y)
        taken = answers if self.weight is None else [*answers, self.weight]
        for name in taken:
            if name not in frame.columns:
                raise ValueError(f"block {self.place} has no column {name!r}\nit has {', '.join(frame.columns)}")
        y = frame[self.y].to_pandas() if isinstance(self.y, str) else frame.select(answers).to_pandas()
        weight = None if self.weight is None else frame[self.weight].to_numpy()
        return Part(self.place, nw.to_native(frame.drop(taken)), y, weight)


def blocks(X: Any, y: Any, weight: Any = None) -> list[Block]:
    """The blocks of rows: of a `Dataset` whose columns y and weight name, or of lists of references."""
    named = isinstance(y, str) or (isinstance(y, (list, tuple)) and all(isinstance(name, str) for name in y))
    if named and not (weight is None or isinstance(weight, str)):
        raise TypeError("y is a column of X, and sample_weight is not\ngive the name of a column")
    rows = references("X", X)
    if named:
        return [Block(place, each, y, weight) for place, each in enumerate(rows)]
    if isinstance(X, ray.data.Dataset):
        raise TypeError(f"y is a {type(y).__name__}\ngive the name of a column of X, or names of columns of labels")
    given = [rows, references("y", y)] + ([] if weight is None else [references("sample_weight", weight)])
    counts = [len(each) for each in given]
    if len(set(counts)) > 1:
        raise ValueError(f"X, y and sample_weight have {', '.join(map(str, counts))} blocks\ngive as many of each")
    return [Block(place, *each) for place, each in enumerate(zip(*given, strict=True))]


def references(what: str, rows: Any) -> list[Any]:
    """References to the blocks of rows."""
    if isinstance(rows, ray.data.Dataset):
        return list(rows.to_arrow_refs())
    if isinstance(rows, (list, tuple)) and rows and all(isinstance(each, ray.ObjectRef) for each in rows):
        return list(rows)
    raise TypeError(
        f"{what} is a {type(rows).__name__}\n"
        "give a ray.data.Dataset or a list of references (ray.put), or use the estimator of manyboost itself, which takes it"
    )
