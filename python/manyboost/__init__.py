"""Boosting for many classes and for sets of labels, at home in scikit-learn.

>>> from sklearn.datasets import load_wine
>>> from manyboost import MCBoostClassifier
>>> X, y = load_wine(return_X_y=True)
>>> MCBoostClassifier(rounds=50).fit(X, y).score(X, y)
1.0
"""

from importlib import import_module
from typing import Any

from manyboost._core import WorkerError, __version__

# Where things are that need scikit-learn; the command line does without it, so they are imported when they are asked for.
_HOMES = {
    "AdaBoostClassifier": "manyboost._drop_in",
    "BoostClassifier": "manyboost._estimators",
    "Certificate": "manyboost._certify",
    "MCBoostClassifier": "manyboost._estimators",
    "MultiLabelBoostClassifier": "manyboost._estimators",
    "certify": "manyboost._certify",
    "codewords": "manyboost",
    "datasets": "manyboost",
    "game": "manyboost",
    "load": "manyboost._files",
}

__all__ = sorted(["WorkerError", "__version__", *_HOMES])


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = import_module(f"manyboost.{name}") if home == __name__ else getattr(import_module(home), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*globals(), *_HOMES]
