"""The model: answers where the rows are, and a form to be saved in.

It is saved as Spark saves models: parameters and names of classes in JSON, and the model file itself, in a table of one row. Nothing is pickled.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd
from pyspark.ml import Model
from pyspark.ml.functions import array_to_vector
from pyspark.ml.util import DefaultParamsReader, DefaultParamsWriter, MLReadable, MLReader, MLWritable, MLWriter
from pyspark.sql import functions as F
from pyspark.sql import types as T
from pyspark.sql.pandas.functions import pandas_udf

import manyboost
from manyboost import _core
from manyboost._base import BaseBoost
from manyboost.spark._params import ModelParams, parameters, plain
from manyboost.spark._rows import Layout, batched, features

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# The column of answers before each of them has its own.
ANSWERS = "manyboost_answers"


class SparkModel(Model, ModelParams, MLReadable["SparkModel"], MLWritable):
    """A model of `pyspark.ml`.

    The prediction is the class itself: a number, a string, or an array of zeros and ones for sets of labels. Evaluators take numbers.
    `probability` and `rawPrediction` are vectors in the order of `classes`.
    """

    def __init__(self, local: BaseBoost | None = None) -> None:
        super().__init__()
        self._fitted = local

    def to_local(self) -> BaseBoost:
        """The estimator of `manyboost` itself, with the same model."""
        if self._fitted is None:
            raise ValueError("there is no model\nfit an estimator, or load one")
        return self._fitted

    @property
    def classes(self) -> list[Any]:
        """The classes, or labels, in the order of probabilities."""
        return cast("list[Any]", self.to_local().classes_.tolist())

    @property
    def numClasses(self) -> int:
        """How many there are."""
        return len(self.classes)

    @property
    def numFeatures(self) -> int:
        """Columns that the model knows."""
        return int(self.to_local().n_features_in_)

    def _transform(self, dataset: DataFrame) -> DataFrame:
        local = self.to_local()
        layout, columns = features(dataset, self._names(), self.getFeaturesCol())
        wanted = {what: self.getOrDefault(f"{what}Col") for what in ("prediction", "rawPrediction", "probability")}
        wanted = {what: name for what, name in wanted.items() if name}
        if not wanted:
            return dataset
        kinds = {"prediction": _kind(local), "rawPrediction": VECTOR, "probability": VECTOR}
        schema = T.StructType([T.StructField(what, kinds[what]) for what in wanted])
        context = dataset.sparkSession.sparkContext
        # It travels to each executor once.
        sent = context.broadcast(local)
        threads = int(context.getConf().get("spark.task.cpus", "1") or 1)

        @pandas_udf(schema)  # type: ignore[call-overload, untyped-decorator]
        def answered(rows: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
            yield from _answered(rows, sent.value, layout, list(wanted), threads)

        result = dataset.withColumn(ANSWERS, answered(F.struct(*columns)))
        for what, name in wanted.items():
            found = F.col(ANSWERS).getField(what)
            result = result.withColumn(name, found if what == "prediction" else array_to_vector(found))
        return result.drop(ANSWERS)

    def write(self) -> MLWriter:
        """What saves it."""
        return Writer(self)

    @classmethod
    def read(cls) -> MLReader[SparkModel]:
        """What loads it."""
        return Reader(cls)


VECTOR = T.ArrayType(T.DoubleType())


def _kind(local: BaseBoost) -> T.DataType:
    """What predictions are."""
    if local.model_.sets:
        return VECTOR
    return T.DoubleType() if local.classes_.dtype.kind in "fiub" else T.StringType()


def _answered(
    batches: Iterator[pd.DataFrame], local: BaseBoost, layout: Layout, wanted: list[str], threads: int
) -> Iterator[pd.DataFrame]:
    """What is wanted of each batch of rows."""
    local.threads = threads
    for count, X in batched(batches, layout):
        answers: dict[str, Any] = {what: [] for what in wanted}
        if count:
            if "probability" in wanted:
                answers["probability"] = list(local.predict_proba(X))
            if "rawPrediction" in wanted:
                scores = local.decision_function(X)
                answers["rawPrediction"] = list(scores if scores.ndim == 2 else np.column_stack([-scores, scores]))
            if "prediction" in wanted:
                classes = local.predict(X)
                several = classes.ndim == 2
                numbers = classes.astype(float) if classes.dtype.kind in "fiub" else classes
                answers["prediction"] = list(numbers) if several else numbers
        yield pd.DataFrame(answers)


class Writer(MLWriter):
    """Saves a model."""

    def __init__(self, model: SparkModel) -> None:
        super().__init__()
        self.model = model

    def saveImpl(self, path: str) -> None:
        """Writes to a folder."""
        local = self.model.to_local()
        known = getattr(local, "feature_names_in_", None)
        given = {name: plain(value) for name, value in local.get_params().items()}
        learned = {
            "estimator": type(local).__name__,
            "parameters": {name: value for name, value in given.items() if value is not None and value != []},
            "classes": local.classes_.tolist(),
            "types": [local.classes_.dtype.str, local._dtype.str],
            "features": local.n_features_in_ if known is None else known.tolist(),
        }
        DefaultParamsWriter.saveMetadata(self.model, path, self.sc, extraMetadata={"learned": learned})
        schema = T.StructType([T.StructField("file", T.BinaryType())])
        table = self.sparkSession.createDataFrame([(bytearray(local.model_.to_bytes()),)], schema)
        table.coalesce(1).write.parquet(os.path.join(path, "model"))


class Reader(MLReader["SparkModel"]):
    """Loads a model."""

    def __init__(self, cls: type[SparkModel]) -> None:
        super().__init__()
        self.cls = cls

    def load(self, path: str) -> SparkModel:
        """Reads a folder."""
        metadata = DefaultParamsReader.loadMetadata(path, self.sc)
        learned = metadata["learned"]
        kinds: dict[str, type[BaseBoost]] = {
            kind.__name__: kind
            for kind in (manyboost.MCBoostClassifier, manyboost.BoostClassifier, manyboost.MultiLabelBoostClassifier)
        }
        (row,) = self.sparkSession.read.parquet(os.path.join(path, "model")).collect()
        local = kinds[learned["estimator"]](**parameters(learned["parameters"]))
        known = learned["features"]
        local.n_features_in_ = known if isinstance(known, int) else len(known)
        if not isinstance(known, int):
            local.feature_names_in_ = np.asarray(known, dtype=object)
        of, answers = map(np.dtype, learned["types"])
        local._learned(_core.Model.from_bytes(bytes(row.file)), np.asarray(learned["classes"], dtype=of), answers)
        model = self.cls(local)
        model._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(model, metadata)
        return model
