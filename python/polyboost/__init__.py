"""Boosting for many classes and for sets of labels, at home in scikit-learn.

>>> from sklearn.datasets import load_wine
>>> from polyboost import MCBoostClassifier
>>> X, y = load_wine(return_X_y=True)
>>> MCBoostClassifier(rounds=50).fit(X, y).score(X, y)
1.0
"""

from polyboost import codewords, datasets, game
from polyboost._certify import Certificate, certify
from polyboost._core import __version__
from polyboost._drop_in import AdaBoostClassifier
from polyboost._estimators import BoostClassifier, MCBoostClassifier, MultiLabelBoostClassifier
from polyboost._files import load

__all__ = [
    "AdaBoostClassifier",
    "BoostClassifier",
    "Certificate",
    "MCBoostClassifier",
    "MultiLabelBoostClassifier",
    "__version__",
    "certify",
    "codewords",
    "datasets",
    "game",
    "load",
]
