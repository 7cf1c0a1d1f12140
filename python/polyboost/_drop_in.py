"""scikit-learn's `AdaBoostClassifier`, on this engine: the same parameters, any number of classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from polyboost._base import BaseBoost

# Parameters of a decision tree that trees here have, and the values of others that change nothing.
UNUSED = {
    "splitter": "best", "min_samples_split": 2, "min_weight_fraction_leaf": 0.0, "max_features": None,
    "min_impurity_decrease": 0.0, "class_weight": None, "ccp_alpha": 0.0, "monotonic_cst": None,
}
# As deep, and with as many leaves, as trees go.
DEEPEST, MOST_LEAVES = 64, 65_536


class AdaBoostClassifier(BaseBoost):
    """SAMME with scikit-learn's parameters.

    `estimator` is None for stumps, or a `DecisionTreeClassifier`, whose `max_depth`, `max_leaf_nodes`, `min_samples_leaf`
    and `criterion` count; `learning_rate` is at most 1. Hypotheses are the engine's own, so there is no `estimators_`.
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 50,
        learning_rate: float = 1.0,
        random_state: Any = None,
    ) -> None:
        self._keep(locals())

    estimator: Any
    n_estimators: int
    learning_rate: float

    def _booster(self) -> str:
        return "samme"

    def _options(self) -> dict[str, Any]:
        return {"rounds": self.n_estimators, "shrinkage": self.learning_rate, **_learner(self.estimator)}

    @property
    def estimator_weights_(self) -> np.ndarray:
        """The step of each round."""
        return np.asarray(self.history_.get("alpha", []), dtype=float)

    @property
    def estimator_errors_(self) -> np.ndarray:
        """The weighted error of each round's hypothesis."""
        edges = np.asarray(self.history_.get("edge", []), dtype=float)
        return 1.0 - 1.0 / len(self.model_.classes) - edges


def _learner(estimator: Any) -> dict[str, Any]:
    """The weak learner that stands for scikit-learn's."""
    if estimator is None:
        return {"learner": "stump", "criterion": "gini", "min_rows": 1}
    if not isinstance(estimator, DecisionTreeClassifier):
        raise TypeError(
            f"estimator is a {type(estimator).__name__}\n"
            "give None or a DecisionTreeClassifier, or use scikit-learn's AdaBoostClassifier"
        )
    parameters = estimator.get_params()
    for name, usual in UNUSED.items():
        if name in parameters and parameters[name] != usual:
            raise ValueError(f"estimator: {name}={parameters[name]!r} is not known here\nleave it at {usual!r}")
    criterion = "entropy" if parameters["criterion"] == "log_loss" else parameters["criterion"]
    leaf = parameters["min_samples_leaf"]
    if not isinstance(leaf, (int, np.integer)):
        raise ValueError(f"estimator: min_samples_leaf={leaf!r} is a share of the rows\ngive a number of rows")
    depth, leaves = parameters["max_depth"], parameters["max_leaf_nodes"]
    common = {"learner": "tree", "criterion": criterion, "min_rows": leaf}
    if leaves is None and depth is not None and depth <= 16:
        return {**common, "depth": depth}
    return {**common, "depth": min(depth or DEEPEST, DEEPEST), "leaves": leaves or MOST_LEAVES}
