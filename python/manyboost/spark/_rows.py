"""Rows of Spark: which columns workers are sent, and what they make of them.

Features are columns of numbers and strings, which keep their names, or one column of vectors. Vectors travel as the four fields that Spark
keeps them in, so that sparse ones stay sparse.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.ml.functions import vector_to_array
from pyspark.ml.linalg import VectorUDT
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T
from scipy import sparse

from manyboost._parts import Part

# The fields of a vector: 0 for a sparse one, its length, its places, its values.
FIELDS = ("type", "size", "indices", "values")


@dataclass
class Layout:
    """What workers are sent: answers, perhaps weights and whether to validate on a row, then features."""

    # Columns of features; None for one of vectors.
    names: list[str] | None
    # Those of them that hold strings.
    strings: list[str] = field(default_factory=list)
    answers: str = ""
    sets: bool = False
    weighted: bool = False
    watched: bool = False

    def parts(self, batches: Iterable[pa.RecordBatch]) -> tuple[list[Part], list[Part] | None]:
        """The rows to train on, and those to validate on."""
        rows: list[Part] = []
        watched: list[Part] = []
        for place, batch in enumerate(batches):
            whole = pa.Table.from_batches([batch])
            if not self.watched:
                rows.append(self._part(place, whole))
                continue
            mask = whole.column("watched")
            watched.append(self._part(place, whole.filter(mask)))
            rows.append(self._part(place, whole.filter(pc.invert(mask))))
        return rows, watched if self.watched else None

    def _part(self, place: int, rows: pa.Table) -> Part:
        y = _answers(rows.column("answer"), self.answers, sets=self.sets)
        weight = rows.column("weight").to_numpy() if self.weighted else None
        return Part(place, self.features(rows), y, weight)

    def features(self, rows: pa.Table) -> Any:
        """The features of rows: a table, a matrix, or a sparse matrix."""
        if self.names is None:
            return _matrix(*[rows.column(name).combine_chunks() for name in FIELDS])
        return rows.select([_placed(at) for at in range(len(self.names))]).rename_columns(self.names)

    def features_of_frame(self, rows: pd.DataFrame) -> Any:
        """The same of what a function of Spark is given."""
        if self.names is not None:
            return rows.set_axis(self.names, axis=1)
        return self.features(pa.table({name: pa.array(rows[name], from_pandas=True) for name in FIELDS}))


def _placed(at: int) -> str:
    return f"f{at}"


def features(dataset: DataFrame, names: list[str] | None, vectors: str) -> tuple[Layout, list[Column]]:
    """The columns of features, and how to read them."""
    if names is None:
        return Layout(None), _vectors(dataset, vectors)
    fields = [_field(dataset, name) for name in names]
    for one in fields:
        if not isinstance(one.dataType, (T.NumericType, T.BooleanType, T.StringType)):
            raise TypeError(
                f"column {one.name!r} holds {one.dataType.simpleString()}\n"
                "give columns of numbers, booleans or strings, or one of vectors as featuresCol"
            )
    strings = [one.name for one in fields if isinstance(one.dataType, T.StringType)]
    columns = []
    for at, one in enumerate(fields):
        column = dataset[one.name]
        exact = isinstance(one.dataType, T.DecimalType)
        columns.append((column.cast("double") if exact else column).alias(_placed(at)))
    return Layout([one.name for one in fields], strings), columns


def selected(
    dataset: DataFrame, layout: Layout, columns: list[Column], *, answer: str, weight: str | None, watched: str | None
) -> DataFrame:
    """What workers are sent of a table with answers."""
    of = _field(dataset, answer)
    layout.answers, layout.weighted, layout.watched = answer, weight is not None, watched is not None
    layout.sets = isinstance(of.dataType, (T.ArrayType, VectorUDT))
    if not layout.sets and not isinstance(of.dataType, (T.NumericType, T.BooleanType, T.StringType)):
        raise TypeError(
            f"labelCol {answer!r} holds {of.dataType.simpleString()}\n"
            "give numbers or strings, or arrays or vectors of zeros and ones for sets of labels"
        )
    value = dataset[answer]
    if isinstance(of.dataType, VectorUDT):
        value = vector_to_array(value)
    elif isinstance(of.dataType, T.ArrayType):
        value = value.cast("array<double>")
    elif isinstance(of.dataType, T.DecimalType):
        value = value.cast("double")
    chosen = [value.alias("answer")]
    if weight is not None:
        chosen.append(dataset[_field(dataset, weight).name].cast("double").alias("weight"))
    if watched is not None:
        kind = _field(dataset, watched).dataType
        if not isinstance(kind, T.BooleanType):
            raise TypeError(
                f"validationIndicatorCol {watched!r} holds {kind.simpleString()}\ngive booleans: true for rows to validate on"
            )
        chosen.append(F.coalesce(dataset[watched], F.lit(False)).alias("watched"))
    return dataset.select(*chosen, *columns)


def _field(dataset: DataFrame, name: str) -> T.StructField:
    for one in dataset.schema.fields:
        if one.name == name:
            return one
    raise ValueError(f"there is no column {name!r}\nthe table has {', '.join(dataset.columns)}")


def _vectors(dataset: DataFrame, name: str) -> list[Column]:
    kind = _field(dataset, name).dataType
    if isinstance(kind, VectorUDT):
        vector = F.unwrap_udt(dataset[name])
        return [vector.getField(part).alias(part) for part in FIELDS]
    if isinstance(kind, T.ArrayType) and isinstance(kind.elementType, T.NumericType):
        values = dataset[name].cast("array<double>")
        nothing = F.lit(None)
        each = (F.lit(1).cast("byte"), nothing.cast("int"), nothing.cast("array<int>"), values)
        return [part.alias(called) for part, called in zip(each, FIELDS, strict=True)]
    raise TypeError(
        f"featuresCol {name!r} holds {kind.simpleString()}\n"
        "give a column of vectors (VectorAssembler) or arrays of numbers, or name columns by inputCols"
    )


def _answers(values: pa.ChunkedArray, name: str, *, sets: bool) -> Any:
    if not sets:
        return pd.Series(values.to_numpy(), name=name)
    values = values.combine_chunks()
    if values.null_count:
        raise ValueError("Input y contains NaN: give every row a set of labels")
    counts = np.unique(np.diff(values.offsets.to_numpy()))
    if len(counts) > 1:
        raise ValueError(f"y has rows of {counts[0]} and of {counts[-1]} labels\ngive each row a zero or a one for each label")
    found = values.flatten().to_numpy(zero_copy_only=False)
    return found.reshape(len(values), -1) if len(values) else np.empty((0, 0))


def _matrix(kinds: pa.Array, sizes: pa.Array, indices: pa.ListArray, values: pa.ListArray) -> Any:
    """Vectors as a matrix, sparse if any of them is."""
    rows = len(kinds)
    if kinds.null_count:
        raise ValueError("a vector of features is missing\ngive each row one, or columns of numbers by inputCols")
    if rows == 0:
        return np.empty((0, 0))
    if values.null_count:
        raise ValueError("an array of features is missing\ngive each row one, or columns of numbers by inputCols")
    is_sparse = kinds.to_numpy() == 0
    ends = values.offsets.to_numpy()
    # An array may begin in the middle of another.
    numbers = values.values.to_numpy(zero_copy_only=False)[ends[0] : ends[-1]]
    ends = ends - ends[0]
    lengths = np.where(is_sparse, sizes.fill_null(0).to_numpy(), np.diff(ends))
    if (lengths != lengths[0]).any():
        raise ValueError(f"rows have {lengths.min()} and {lengths.max()} features\ngive vectors of one length")
    width = int(lengths[0])
    if not is_sparse.any():
        return numbers.reshape(rows, width)
    places = np.empty(len(numbers), dtype=np.int32)
    dense = np.repeat(~is_sparse, np.diff(ends))
    places[~dense] = indices.flatten().to_numpy(zero_copy_only=False)
    places[dense] = np.tile(np.arange(width, dtype=np.int32), int((~is_sparse).sum()))
    # Arrow's memory cannot be written to.
    matrix = sparse.csr_matrix((numbers.copy(), places, ends), shape=(rows, width))
    matrix.eliminate_zeros()
    return matrix


def batched(rows: Iterator[pd.DataFrame], layout: Layout) -> Iterator[tuple[int, Any]]:
    """Batches of rows to be answered: how many, and their features."""
    for batch in rows:
        yield len(batch), layout.features_of_frame(batch) if len(batch) else None
