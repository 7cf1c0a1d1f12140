"""Model files: the same for Python and for the command line."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from manyboost import _core
from manyboost._estimators import BoostClassifier, MultiLabelBoostClassifier
from manyboost._options import parameter


def load(path: Any) -> BoostClassifier:
    """Reads a model that `save` or the command line wrote.

    Files know classes by their text: where all of them are whole numbers they come back as integers, else as strings.
    """
    model = _core.Model.load(path)
    kind = MultiLabelBoostClassifier if model.sets else BoostClassifier
    known = inspect.signature(kind).parameters
    parameters = {name.replace("-", "_"): parameter(text) for name, text in model.parameters.items()}
    if "leaves" in parameters and parameters.get("depth") == 64:
        # No limit, which is the default: alone it would mean all cuts level by level, and be refused.
        del parameters["depth"]
    estimator = kind(model.booster, **{name: value for name, value in parameters.items() if name in known})
    kinds = {kind: [name for name, its in model.features if its == kind] for kind in ("category", "text")}
    estimator.set_params(random_state=model.seed, categorical=kinds["category"], text=kinds["text"])
    columns = [name for name, _ in model.features]
    estimator.n_features_in_ = len(columns)
    if columns != [f"x{at}" for at in range(len(columns))]:
        estimator.feature_names_in_ = np.asarray(columns, dtype=object)
    classes = _named(model.classes)
    classes = classes if model.sets else np.unique(classes)
    estimator._learned(model, classes, np.dtype(int))
    return estimator


def _named(names: list[str]) -> np.ndarray:
    """Classes, or labels, by their texts."""
    try:
        numbers = [int(name) for name in names]
    except ValueError:
        return np.asarray(names)
    return np.asarray(numbers if [str(number) for number in numbers] == names else names)

