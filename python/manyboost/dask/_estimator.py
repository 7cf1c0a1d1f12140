"""What estimators on Dask collections share."""

# Dask has types for some of its functions only.
# mypy: allow-untyped-calls

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from dask.base import compute, is_dask_collection
from distributed import Client, default_client

from manyboost._base import Callback, chain
from manyboost._spread import SpreadBoost, eval_rows
from manyboost.dask._cluster import Cluster
from manyboost.dask._partitions import mapped, parts, stacked

if TYPE_CHECKING:
    from typing_extensions import Self


class DaskBoost(SpreadBoost):
    """An estimator on Dask collections; its answers are lazy."""

    # Rows to validate on are given as a pair, and nobody sees a line of progress here.
    def fit(  # type: ignore[override]
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        eval_set: Any = None,
        client: Client | None = None,
        workers: int | None = None,
        deadline: float = 60.0,
        retries: int = 3,
        every: int | None = 20,
        callbacks: Sequence[Callback] | None = None,
    ) -> Self:
        """Trains on the workers that hold the partitions of X and y; the model is that of one process with all rows, to the bit.

        Parameters
        ----------
        X, y, sample_weight : Dask frames, series, arrays, or bags of blocks
            Rows, answers and weights, in the same partitions. A block is a NumPy array or a SciPy sparse matrix.
        eval_set : tuple of (X, y) or (X, y, sample_weight)
            Rows to validate on, also Dask collections.
        client : distributed.Client
            The cluster; by default that of the last client.
        workers : int
            So many workers, which must be there; by default whoever holds partitions.
        deadline : float
            Seconds of silence after which a worker is lost.
        retries : int
            How often training goes on from the last checkpoint after a worker was lost.
        every : int
            Rounds between two checkpoints, which the scheduler keeps; None for none.
        callbacks : list of callables
            Called here after each round with its number and its figures; what they answer does not end the training. After a loss they
            hear of some rounds again.
        """
        estimator = self._unfitted(eval_set)
        rows = parts(X, y, sample_weight)
        watched = eval_rows(eval_set)
        client = default_client() if client is None else client
        told = chain(callbacks)
        cluster = Cluster(client, workers=workers, deadline=deadline, retries=retries, every=every, callback=told)
        self._learn(*cluster.fit(estimator, rows, None if watched is None else parts(*watched)))
        return self

    def _by_partition(self, X: Any, function: str) -> Any:
        local = self.to_local()
        if not is_dask_collection(X):
            return getattr(local, function)(X)
        return mapped(X, local, function, self.classes_.tolist(), self._like(function))

    def _like(self, function: str) -> np.ndarray:
        """The answers of no rows."""
        several = self.model_.sets or (function != "predict" and not (function == "decision_function" and self.n_classes_ == 2))
        dtype = (self._dtype if self.model_.sets else self.classes_.dtype) if function == "predict" else np.dtype(float)
        return np.empty((0, self.n_classes_) if several else 0, dtype=dtype)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows that are answered as in y, with all of their labels. Answers, not rows, come to this process."""
        found = compute(self.predict(X), y, sample_weight)
        # The blocks of a bag come as a list.
        answers, right, weight = (stacked(each) if isinstance(each, list) else each for each in found)
        hits = np.asarray(answers) == np.asarray(right)
        return float(np.average(hits.all(axis=1) if hits.ndim == 2 else hits, weights=weight))
