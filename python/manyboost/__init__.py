"""Boosting for many classes and for sets of labels, at home in scikit-learn.

>>> from sklearn.datasets import load_wine
>>> from manyboost import MCBoostClassifier
>>> X, y = load_wine(return_X_y=True)
>>> MCBoostClassifier(rounds=50).fit(X, y).score(X, y)
1.0
"""

from manyboost import codewords, datasets, game
from manyboost._certify import Certificate, certify
from manyboost._core import WorkerError, __version__
from manyboost._drop_in import AdaBoostClassifier
from manyboost._estimators import BoostClassifier, MCBoostClassifier, MultiLabelBoostClassifier
from manyboost._files import load

__all__ = [
    "AdaBoostClassifier",
    "BoostClassifier",
    "Certificate",
    "MCBoostClassifier",
    "MultiLabelBoostClassifier",
    "WorkerError",
    "__version__",
    "certify",
    "codewords",
    "datasets",
    "game",
    "load",
]
