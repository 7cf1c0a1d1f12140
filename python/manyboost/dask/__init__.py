"""The estimators on Dask frames and arrays: the same names, the same parameters, the same model to the bit.

>>> from dask.distributed import Client
>>> from manyboost.dask import MCBoostClassifier
>>> client = Client()                                      # doctest: +SKIP
>>> model = MCBoostClassifier(rounds=100).fit(X, y)        # doctest: +SKIP
>>> model.predict_proba(X)                                 # doctest: +SKIP

Rows stay with the workers that hold them; `predict` and its like are lazy. `to_local()` is the estimator of `manyboost` itself.
"""

from __future__ import annotations

import manyboost

try:
    from manyboost.dask._estimator import DaskBoost
except ModuleNotFoundError as error:
    raise ImportError(f"manyboost.dask needs Dask ({error})\npip install 'manyboost[dask]'") from error

__all__ = ["BoostClassifier", "MCBoostClassifier", "MultiLabelBoostClassifier"]


class MCBoostClassifier(DaskBoost, manyboost.MCBoostClassifier):
    """`manyboost.MCBoostClassifier` on Dask collections."""

    _local = manyboost.MCBoostClassifier


class BoostClassifier(DaskBoost, manyboost.BoostClassifier):
    """`manyboost.BoostClassifier` on Dask collections."""

    _local = manyboost.BoostClassifier


class MultiLabelBoostClassifier(DaskBoost, manyboost.MultiLabelBoostClassifier):
    """`manyboost.MultiLabelBoostClassifier` on Dask collections."""

    _local = manyboost.MultiLabelBoostClassifier
