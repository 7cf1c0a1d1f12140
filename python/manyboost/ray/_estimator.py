"""What estimators on Ray's data share."""

# Ray has types for some of its functions only.
# mypy: allow-untyped-calls

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import ray
import ray.data

from manyboost._base import Callback, chain
from manyboost._spread import SpreadBoost, eval_rows
from manyboost.ray._blocks import Block, blocks
from manyboost.ray._cluster import Cluster

if TYPE_CHECKING:
    from typing_extensions import Self


class RayBoost(SpreadBoost):
    """An estimator on Ray's data."""

    # Rows to validate on are given as a pair, and nobody sees a line of progress here.
    def fit(  # type: ignore[override]
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        eval_set: Any = None,
        workers: int | None = None,
        cpus: int | None = None,
        deadline: float = 60.0,
        retries: int = 3,
        every: int | None = 20,
        ports: tuple[int, int] | None = None,
        callbacks: Sequence[Callback] | None = None,
    ) -> Self:
        """Trains on the nodes of the cluster; the model is that of one process with all rows, to the bit.

        Parameters
        ----------
        X : ray.data.Dataset, or list of references
            Rows; references are to frames, arrays or sparse matrices.
        y, sample_weight : str, list of str, or list of references
            Columns of X that have the answers (several for sets of labels) and the weights, or references to them, one for each of X.
        eval_set : tuple of (X, y) or (X, y, sample_weight)
            Rows to validate on, in the same form.
        workers : int
            So many workers, which there must be CPUs for; by default one for each node.
        cpus : int
            CPUs of each worker, which has as many threads; by default all that its node has for it.
        deadline : float
            Seconds of silence after which a worker is lost, and of waiting for free CPUs.
        retries : int
            How often training goes on from the last checkpoint after a worker was lost.
        every : int
            Rounds between two checkpoints, which are kept beside the caller; None for none.
        ports : tuple of int
            The first and the last port that workers may listen at.
        callbacks : list of callables
            Called here after each round with its number and its figures; what they answer does not end the training. After a loss they
            hear of some rounds again.
        """
        estimator = self._unfitted(eval_set)
        cluster = Cluster(
            workers=workers, cpus=cpus, deadline=deadline, retries=retries, every=every, ports=ports, callback=chain(callbacks)
        )
        rows = blocks(X, y, sample_weight)
        watched = eval_rows(eval_set)
        self._learn(*cluster.fit(estimator, rows, None if watched is None else blocks(*watched)))
        return self

    def _by_partition(self, X: Any, function: str) -> Any:
        """Lazily of a `Dataset`, in which other columns are ignored; references for references."""
        local = self.to_local()
        if isinstance(X, ray.data.Dataset):
            return X.map_batches(_Call(local, function), batch_format="pyarrow")
        if isinstance(X, (list, tuple)) and X and all(isinstance(each, ray.ObjectRef) for each in X):
            model = ray.put(local)
            return [_answers.remote(model, function, each) for each in X]
        return getattr(local, function)(X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows that are answered as in y, with all of their labels. Counts, not rows, come to this process."""
        model = ray.put(self.to_local())
        right, all_ = np.sum(ray.get([_hits.remote(model, block) for block in blocks(X, y, sample_weight)]), axis=0)
        return float(right / all_)


class _Call:
    """A function of a model, called on batches of a `Dataset`."""

    def __init__(self, local: Any, function: str) -> None:
        self.local, self.function = local, function

    def __call__(self, rows: Any) -> dict[str, np.ndarray]:
        known = getattr(self.local, "feature_names_in_", None)
        answers = getattr(self.local, self.function)(rows if known is None else rows.select(list(known)))
        if answers.ndim == 1:
            return {self.function: answers}
        return {str(name): answers[:, at] for at, name in enumerate(self.local.classes_.tolist())}


@ray.remote
def _answers(local: Any, function: str, X: Any) -> Any:
    return getattr(local, function)(X)


@ray.remote
def _hits(local: Any, block: Block) -> tuple[float, float]:
    """The weight of rows that are answered as they should be, and of all."""
    part = block.part()
    if part.count == 0:
        return 0.0, 0.0
    hits = local.predict(part.X) == np.asarray(part.y)
    weights = np.ones(part.count) if part.weight is None else np.asarray(part.weight)
    return float(((hits.all(axis=1) if hits.ndim == 2 else hits) * weights).sum()), float(weights.sum())
