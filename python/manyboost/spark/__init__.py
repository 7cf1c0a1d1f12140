"""The estimators for Spark: `pyspark.ml` estimators with the options of `manyboost`'s own, and the same models to the bit.

>>> from manyboost.spark import MCBoostClassifier
>>> estimator = MCBoostClassifier(inputCols=["a", "b"], labelCol="kind", rounds=100, num_workers=4)    # doctest: +SKIP
>>> model = estimator.fit(table)                                                                      # doctest: +SKIP
>>> model.transform(table).select("prediction", "probability")                                        # doctest: +SKIP

They work in pipelines and cross-validation. `to_local()` of a model is the estimator of `manyboost` itself.
"""

from __future__ import annotations

import manyboost

try:
    from manyboost.spark._estimator import SparkBoost
    from manyboost.spark._model import SparkModel
    from manyboost.spark._params import with_parameters
except ModuleNotFoundError as error:
    raise ImportError(f"manyboost.spark needs PySpark ({error})\npip install 'manyboost[spark]'") from error

__all__ = ["BoostClassifier", "BoostModel", "MCBoostClassifier", "MultiLabelBoostClassifier"]


class BoostModel(SparkModel):
    """What the estimators give: answers rows of a table."""


@with_parameters(manyboost.MCBoostClassifier)
class MCBoostClassifier(SparkBoost):
    """`manyboost.MCBoostClassifier` on tables of Spark."""

    _model = BoostModel


@with_parameters(manyboost.BoostClassifier)
class BoostClassifier(SparkBoost):
    """`manyboost.BoostClassifier` on tables of Spark."""

    _model = BoostModel


@with_parameters(manyboost.MultiLabelBoostClassifier)
class MultiLabelBoostClassifier(SparkBoost):
    """`manyboost.MultiLabelBoostClassifier` on tables of Spark: labels are arrays or vectors of zeros and ones."""

    _model = BoostModel
