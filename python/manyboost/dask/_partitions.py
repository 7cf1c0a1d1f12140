"""Partitions of Dask collections: rows with their answers and weights, and answers of rows by partition.

A bag has blocks of rows, such as sparse matrices, for which Dask has no collection of its own.
"""

# Dask has types for some of its functions only.
# mypy: allow-untyped-calls

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from dask.bag import Bag
from dask.base import is_dask_collection
from dask.delayed import delayed
from scipy import sparse

from manyboost._parts import Part


def parts(X: Any, y: Any, weight: Any = None) -> list[Any]:
    """A delayed `Part` for each partition."""
    rows = [_delayed("X", X), _delayed("y", y)] + ([] if weight is None else [_delayed("sample_weight", weight)])
    counts = [len(each) for each in rows]
    if len(set(counts)) > 1:
        raise ValueError(
            f"X, y and sample_weight have {', '.join(map(str, counts))} partitions\n"
            "give collections with the same partitions (repartition, rechunk)"
        )
    part = delayed(Part, pure=False, traverse=False)
    return [part(place, *each) for place, each in enumerate(zip(*rows, strict=True))]


def _delayed(what: str, collection: Any) -> list[Any]:
    if not is_dask_collection(collection) or not hasattr(collection, "to_delayed"):
        raise TypeError(
            f"{what} is a {type(collection).__name__}\n"
            "give a Dask frame, array or bag of blocks, or use the estimator of manyboost itself, which takes it"
        )
    if isinstance(collection, Bag):
        stack = delayed(stacked, pure=False)
        return [stack(blocks) for blocks in collection.to_delayed()]
    if hasattr(collection, "numblocks") and collection.ndim == 2 and collection.numblocks[1] > 1:
        # A row is whole.
        collection = collection.rechunk({1: -1})
    return list(np.ravel(collection.to_delayed()))


def stacked(blocks: Iterable[Any]) -> Any:
    """Blocks of rows, or of answers, as one."""
    blocks = [block for block in blocks if block.shape[0] > 0]
    if not blocks:
        return np.empty((0, 0))
    if sparse.issparse(blocks[0]):
        return sparse.vstack(blocks, format="csr")
    return np.concatenate([np.asarray(block) for block in blocks])


def mapped(X: Any, model: Any, function: str, columns: list[Any] | None, like: np.ndarray) -> Any:
    """A function of a model by partition, lazily: a frame, series, array or bag of blocks with the partitions of X."""
    # One key of the graph, so that the model travels once.
    model = delayed(model, pure=False)
    call = _Call(function, columns)
    if isinstance(X, Bag):
        return X.map(call.of_rows, model)
    if not hasattr(X, "map_blocks"):
        return X.map_partitions(call.of_frame, model, meta=call.framed(like, X._meta.index[:0]))
    if X.ndim == 2 and X.numblocks[1] > 1:
        X = X.rechunk({1: -1})
    if like.ndim == 1:
        return X.map_blocks(call.of_rows, model, dtype=like.dtype, drop_axis=1, meta=like)
    chunks = (X.chunks[0], (like.shape[1],))
    return X.map_blocks(call.of_rows, model, dtype=like.dtype, chunks=chunks, meta=like)


class _Call:
    """A function of a model, called by workers."""

    def __init__(self, function: str, columns: list[Any] | None) -> None:
        self.function, self.columns = function, columns

    def of_rows(self, X: Any, model: Any) -> np.ndarray:
        answers: np.ndarray = getattr(model, self.function)(X)
        return answers

    def of_frame(self, X: Any, model: Any) -> Any:
        return self.framed(self.of_rows(X, model), X.index)

    def framed(self, values: np.ndarray, index: Any) -> Any:
        import pandas as pd

        if values.ndim == 1:
            return pd.Series(values, index=index, name=self.function)
        return pd.DataFrame(values, index=index, columns=self.columns)


