"""What the estimators share: from a table of Spark to a model."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from pyspark.ml import Estimator
from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable

from manyboost._base import BaseBoost, Callback, chain
from manyboost.spark._cluster import Cluster
from manyboost.spark._params import TrainParams, checked, parameters
from manyboost.spark._rows import features, selected

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from typing_extensions import Self

    from manyboost.spark._model import SparkModel


class SparkBoost(Estimator["SparkModel"], TrainParams, DefaultParamsReadable["SparkBoost"], DefaultParamsWritable):
    """An estimator of `pyspark.ml`."""

    _local: ClassVar[type[BaseBoost]]
    _model: ClassVar[type[SparkModel]]
    # The names of the local estimator's parameters that this one has too.
    _parameters: ClassVar[list[str]]

    def __init__(self) -> None:
        super().__init__()
        self._callbacks: list[Callback] = []

    def setParams(self, **given: Any) -> Self:
        """Sets parameters by their names."""
        self._set(**checked(self, given))
        return self

    def setCallbacks(self, callbacks: Sequence[Callback]) -> Self:
        """Whom the driver calls after each round, with its number and its figures; the answer True ends the training. They are not saved."""
        self._callbacks = list(callbacks)
        return self

    def _unfitted(self) -> BaseBoost:
        """The local estimator, which is what each worker trains."""
        given = {name: self.getOrDefault(name) for name in self._parameters if self.isSet(name)}
        estimator = self._local(**parameters(given))
        # Whatever draws a seed does so once.
        estimator.set_params(random_state=estimator._seed())
        return estimator

    def _fit(self, dataset: DataFrame) -> SparkModel:
        estimator = self._unfitted()
        watched = self._given(self.validationIndicatorCol)
        if estimator.patience is not None and watched is None:
            raise ValueError("patience needs rows to validate on\nname a column of booleans (validationIndicatorCol)")
        layout, columns = features(dataset, self._names(), self.getFeaturesCol())
        rows = selected(
            dataset, layout, columns, answer=self.getLabelCol(), weight=self._given(self.weightCol), watched=watched
        )
        # Rows have no order here, by which first ones could tell what strings are.
        told = [name for name in layout.strings if name not in estimator.text and name not in estimator.categorical]
        estimator.set_params(categorical=[*estimator.categorical, *told])
        ports = self._given(self.ports)
        cluster = Cluster(
            dataset, workers=self._given(self.num_workers), repartition=self.getOrDefault(self.repartition),
            deadline=self.getOrDefault(self.deadline), retries=self.getOrDefault(self.retries),
            every=self.getOrDefault(self.every) or None, ports=None if ports is None else (ports[0], ports[-1]),
            callback=chain(self._callbacks),
        )
        fitted, said = cluster.fit(estimator, rows, layout)
        for text in said:
            warnings.warn(text, UserWarning, stacklevel=4)
        model = self._model(fitted)._resetUid(self.uid)
        self._copyValues(model)
        return model
