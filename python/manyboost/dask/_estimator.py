"""What estimators on Dask collections share."""

# Dask has types for some of its functions only.
# mypy: allow-untyped-calls

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from dask.base import compute, is_dask_collection
from distributed import Client, default_client
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from manyboost._base import BaseBoost
from manyboost.dask._cluster import Cluster
from manyboost.dask._partitions import mapped, parts

if TYPE_CHECKING:
    from typing_extensions import Self


class DaskBoost(BaseBoost):
    """An estimator on Dask collections: everything but `fit`, and what answers rows, is the local estimator's."""

    _local: ClassVar[type[BaseBoost]]

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
    ) -> Self:
        """Trains on the workers that hold the partitions of X and y; the model is that of one process with all rows, to the bit.

        Parameters
        ----------
        X, y, sample_weight : Dask frames, series or arrays
            Rows, answers and weights, in the same partitions.
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
        """
        if self.warm_start:
            raise ValueError("warm_start=True: several workers begin anew\nleave it out, or go on with to_local()")
        if self.valid is not None:
            raise ValueError("valid: several workers cannot hold out a fraction of the rows yet\ngive eval_set=(X, y)")
        if self.patience is not None and eval_set is None:
            raise ValueError("patience needs rows to validate on\ngive eval_set=(X, y) to fit")
        rows = parts(X, y, sample_weight)
        if isinstance(eval_set, list) and len(eval_set) == 1:
            (eval_set,) = eval_set
        if eval_set is not None and (not isinstance(eval_set, tuple) or len(eval_set) not in (2, 3)):
            raise ValueError("eval_set is not a pair\ngive (X, y) or (X, y, sample_weight)")
        eval_rows = None if eval_set is None else parts(*eval_set)
        client = default_client() if client is None else client
        cluster = Cluster(client, workers=workers, deadline=deadline, retries=retries, every=every)
        # What a worker trains is the local estimator; whatever draws a seed does so once.
        estimator = self._local(**clone(self).get_params()).set_params(random_state=self._seed())
        fitted, said = cluster.fit(estimator, rows, eval_rows)
        learned = {name: value for name, value in vars(fitted).items() if name not in self.get_params()}
        self.__dict__.update(learned)
        for text in said:
            warnings.warn(text, UserWarning, stacklevel=2)
        return self

    def to_local(self) -> BaseBoost:
        """The estimator of `manyboost` itself, with the same model."""
        check_is_fitted(self, "model_")
        local = self._local(**self.get_params())
        local.__dict__.update(self.__dict__)
        return local

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

    def predict(self, X: Any) -> Any:
        """The class of each row, or its labels as zeros and ones; lazy, by partition."""
        return self._by_partition(X, "predict")

    def predict_proba(self, X: Any) -> Any:
        """The probability of each class, or of each label; lazy, by partition."""
        return self._by_partition(X, "predict_proba")

    def predict_log_proba(self, X: Any) -> Any:
        """The logarithm of the probability of each class; lazy, by partition."""
        return self._by_partition(X, "predict_log_proba")

    def decision_function(self, X: Any) -> Any:
        """The score of each class; with two classes that of the second over the first; lazy, by partition."""
        return self._by_partition(X, "decision_function")

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows that are answered as in y, with all of their labels. Answers, not rows, come to this process."""
        answers, right, weight = compute(self.predict(X), y, sample_weight)
        hits = np.asarray(answers) == np.asarray(right)
        return float(np.average(hits.all(axis=1) if hits.ndim == 2 else hits, weights=weight))
