"""Parameters of `pyspark.ml`: where features, answers and predictions are, how to train, and every option of the engine."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import (
    HasFeaturesCol,
    HasInputCols,
    HasLabelCol,
    HasPredictionCol,
    HasProbabilityCol,
    HasRawPredictionCol,
    HasValidationIndicatorCol,
    HasWeightCol,
)

from manyboost._base import BaseBoost
from manyboost._options import meaning, unknown

Class = TypeVar("Class", bound="type[Any]")

# What several workers cannot do.
ALONE = ("valid", "split", "warm_start")


class ModelParams(HasFeaturesCol, HasInputCols, HasPredictionCol, HasProbabilityCol, HasRawPredictionCol):
    """What answers need to know; an empty name leaves a column out."""

    def __init__(self) -> None:
        super().__init__()
        self._setDefault(featuresCol="features", predictionCol="prediction")
        self._setDefault(probabilityCol="probability", rawPredictionCol="rawPrediction")

    def _names(self) -> list[str] | None:
        """The columns of features, if they are not those of a vector."""
        if self.isSet(self.inputCols) and self.isSet(self.featuresCol):
            raise ValueError("both inputCols and featuresCol are given\ngive columns, or one of vectors")
        return list(self.getInputCols()) if self.isSet(self.inputCols) else None


def _param(name: str, meaning: str, convert: Callable[[Any], Any]) -> Any:
    return Param(Params._dummy(), name, meaning, convert)


def plain(value: Any) -> Any:
    """A value as it can be saved: weights of classes become pairs, because classes need not be texts."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, dict):
        return [[plain(key), plain(each)] for key, each in value.items()]
    return list(value) if isinstance(value, (tuple, set)) else value


def parameters(given: dict[str, Any]) -> dict[str, Any]:
    """Values as the local estimator takes them."""
    weights = given.get("class_weight")
    return {**given, "class_weight": dict(weights)} if isinstance(weights, list) else given


class TrainParams(ModelParams, HasLabelCol, HasWeightCol, HasValidationIndicatorCol):
    """What training needs to know."""

    num_workers = _param("num_workers", "So many workers, each a task; by default one for each executor.", TypeConverters.toInt)
    repartition = _param(
        "repartition",
        "Whether rows are dealt out to the workers evenly; otherwise the table has a partition for each of them.",
        TypeConverters.toBoolean,
    )
    deadline = _param("deadline", "Seconds of silence after which a worker is lost.", TypeConverters.toFloat)
    retries = _param(
        "retries", "How often training goes on from the last checkpoint after a worker was lost.", TypeConverters.toInt
    )
    every = _param(
        "every", "Rounds between two checkpoints, which the driver keeps; 0 for none.", TypeConverters.toInt
    )
    ports = _param(
        "ports", "The first and the last port that workers and the driver may listen at.", TypeConverters.toListInt
    )

    def __init__(self) -> None:
        super().__init__()
        self._setDefault(labelCol="label", repartition=True, deadline=60.0, retries=3, every=20)

    def _given(self, param: Any) -> Any:
        """The value of a parameter, or None."""
        return self.getOrDefault(param) if self.isDefined(param) else None


def with_parameters(local: type[BaseBoost]) -> Callable[[Class], Class]:
    """Gives a class every parameter of an estimator."""
    options = {
        name: parameter.default
        for name, parameter in inspect.signature(local).parameters.items()
        if name not in ALONE
    }

    def decorate(cls: Class) -> Class:
        for name in options:
            setattr(cls, name, _param(name, meaning(name), plain))
        cls._local, cls._parameters = local, list(options)
        keyword = inspect.Parameter.KEYWORD_ONLY
        names = [param for param in dir(cls) if isinstance(getattr(cls, param), Param)]
        parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        parameters += [inspect.Parameter(name, keyword, default=options.get(name)) for name in names]

        def __init__(self: Any, **kwargs: Any) -> None:
            super(cls, self).__init__()  # type: ignore[arg-type]
            self.setParams(**kwargs)

        __init__.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        cls.__init__ = __init__
        return cls

    return decorate


def checked(owner: Params, given: dict[str, Any]) -> dict[str, Any]:
    """Arguments, if all of them are parameters."""
    for name in given:
        if not owner.hasParam(name):
            raise unknown(type(owner).__name__, name)
    return {name: value for name, value in given.items() if value is not None}
