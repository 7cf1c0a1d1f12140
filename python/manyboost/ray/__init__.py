"""The estimators on Ray's data: the same names, the same parameters, the same model to the bit.

>>> import ray
>>> from manyboost.ray import MCBoostClassifier
>>> rows = ray.data.read_parquet("rows")                          # doctest: +SKIP
>>> model = MCBoostClassifier(rounds=100).fit(rows, "kind")       # doctest: +SKIP
>>> model.predict_proba(rows)                                     # doctest: +SKIP

Rows are a `ray.data.Dataset`, or a list of references to frames or arrays. `to_local()` is the estimator of `manyboost` itself.
"""

from __future__ import annotations

import manyboost

try:
    from manyboost.ray._estimator import RayBoost
except ModuleNotFoundError as error:
    raise ImportError(f"manyboost.ray needs Ray ({error})\npip install 'manyboost[ray]'") from error

__all__ = ["BoostClassifier", "MCBoostClassifier", "MultiLabelBoostClassifier"]


class MCBoostClassifier(RayBoost, manyboost.MCBoostClassifier):
    """`manyboost.MCBoostClassifier` on Ray's data."""

    _local = manyboost.MCBoostClassifier


class BoostClassifier(RayBoost, manyboost.BoostClassifier):
    """`manyboost.BoostClassifier` on Ray's data."""

    _local = manyboost.BoostClassifier


class MultiLabelBoostClassifier(RayBoost, manyboost.MultiLabelBoostClassifier):
    """`manyboost.MultiLabelBoostClassifier` on Ray's data."""

    _local = manyboost.MultiLabelBoostClassifier
