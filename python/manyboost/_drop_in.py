"""scikit-learn's `AdaBoostClassifier`, on this engine: the same parameters and the same functions of the votes.

The one idea: a score of the engine's SAMME is the sum of the weights of the hypotheses that named the class, which is all that
scikit-learn's `decision_function` and `predict_proba` are made of.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import softmax
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from manyboost._base import BaseBoost
from manyboost._estimators import BoostClassifier

if TYPE_CHECKING:
    from typing_extensions import Self

# Parameters of a decision tree that trees here have, and the values of others that change nothing.
UNUSED = {
    "splitter": "best", "min_samples_split": 2, "min_weight_fraction_leaf": 0.0, "max_features": None,
    "min_impurity_decrease": 0.0, "class_weight": None, "ccp_alpha": 0.0, "monotonic_cst": None,
}
# As deep, and with as many leaves, as trees go.
DEEPEST, MOST_LEAVES = 64, 65_536


# Steps are multiples of this in the votes of a model.
STEP = 2.0**-36
# The largest learning rate: what the engine's shrinkage goes up to.
FASTEST = 32


class AdaBoostClassifier(BaseBoost):
    """SAMME with scikit-learn's parameters, attributes and probabilities.

    `estimator` is None for stumps, or a `DecisionTreeClassifier`, whose `max_depth`, `max_leaf_nodes`, `min_samples_leaf`
    and `criterion` count; `learning_rate` is at most 32. Hypotheses are the engine's own: those of `estimators_` are
    estimators of this package. `decision_function` and `predict_proba` are scikit-learn's functions of the votes; a file of the
    model (`save`) has the engine's probabilities.
    """

    _own_probabilities = False

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
        count, rate = self.n_estimators, self.learning_rate
        if not isinstance(count, Integral) or isinstance(count, bool) or count < 1:
            raise ValueError(f"n_estimators={count!r}: not a value that it takes\nn_estimators takes a whole number of at least 1")
        if not isinstance(rate, Real) or not 0 < rate <= FASTEST:
            raise ValueError(f"learning_rate={rate!r}: not a value that it takes\nlearning_rate takes a number above 0, up to 32")
        return {"rounds": count, "shrinkage": float(rate), "step": "unit", **_learner(self.estimator)}

    def _fit(self, X: Any, y: Any, *others: Any) -> Self:
        super()._fit(X, y, *others)
        if self.n_iter_ == 0 and len(self.model_.classes) > 1:
            raise ValueError("BaseClassifier in AdaBoostClassifier ensemble is worse than random, ensemble can not be fit.")
        # The step of a hypothesis that is right on all rows is 1: this one is wrong on some, which weigh nothing any more.
        if self.stop_ == "perfect" and self.history_["alpha"][-1] != 1.0:
            warnings.warn(
                f"Sample weights have reached infinite values, at iteration {self.n_iter_ - 1}, causing overflow. "
                "Iterations stopped. Try lowering the learning rate.",
                stacklevel=3,
            )
        return self

    # Prediction: scikit-learn's functions of the votes --------------------------------------------------------------------

    def _decision(self, scores: np.ndarray) -> np.ndarray:
        """The mean vote: 1 for the class that a hypothesis names, −1/(K − 1) for each other."""
        # Where there is nothing to learn no round is made: one hypothesis answers the only class.
        votes, k = self._arranged(scores if self.n_iter_ else np.ones_like(scores), 0.0), len(self.classes_)
        if k == 1:
            return np.zeros_like(votes)
        total = votes.sum(axis=1, keepdims=True)
        mean: np.ndarray = (k * votes - total) / ((k - 1) * total)
        return mean[:, 1] - mean[:, 0] if k == 2 else mean

    def _as_decided(self, values: np.ndarray, expected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # All votes together weigh the same in every row, so that the mean vote is a linear function of the votes.
        k, total = len(self.classes_), expected.sum()
        if k == 1 or not self.n_iter_:
            return np.zeros_like(values), np.zeros_like(expected)
        return values * k / ((k - 1) * total), (k * expected - total) / ((k - 1) * total)

    def _answers(self, scores: np.ndarray) -> np.ndarray:
        decision = self._decision(scores)
        best = (decision > 0).astype(int) if decision.ndim == 1 else decision.argmax(axis=1)
        answers: np.ndarray = self.classes_[best]
        return answers

    def _probabilities(self, scores: np.ndarray) -> np.ndarray:
        decision, k = self._decision(scores), len(self.classes_)
        each = np.column_stack([-decision, decision]) / 2 if k == 2 else decision / max(k - 1, 1)
        probabilities: np.ndarray = softmax(each, axis=1)
        return probabilities

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class."""
        return self._probabilities(self._scores(X, proba=False))

    def staged_predict_proba(self, X: Any) -> Iterator[np.ndarray]:
        """`predict_proba` after each round."""
        return map(self._probabilities, self._stages(X, proba=False))

    # What was learned -----------------------------------------------------------------------------------------------------

    @property
    def estimator_(self) -> DecisionTreeClassifier:
        """The weak learner, as scikit-learn would have it."""
        check_is_fitted(self, "model_")
        return DecisionTreeClassifier(max_depth=1) if self.estimator is None else clone(self.estimator)

    @property
    def estimators_(self) -> list[BoostClassifier]:
        """The hypothesis of each round, as an estimator that answers what it answers."""
        check_is_fitted(self, "model_")
        return [self._hypothesis(at) for at in range(max(self.n_iter_, 1))]

    def _hypothesis(self, at: int) -> BoostClassifier:
        # Stumps and trees draw nothing at random; a number of its own tells each of them apart.
        seed = (self.model_.seed + at) % 2**64
        estimator = BoostClassifier("samme", rounds=1, random_state=seed, **_learner(self.estimator))
        estimator.n_features_in_ = self.n_features_in_
        if hasattr(self, "feature_names_in_"):
            estimator.feature_names_in_ = self.feature_names_in_
        estimator._learned(self.model_.round(at) if self.n_iter_ else self.model_, self.classes_, self._dtype)
        return estimator

    def __len__(self) -> int:
        return len(self.estimators_)

    def __getitem__(self, index: Any) -> Any:
        return self.estimators_[index]

    def __iter__(self) -> Iterator[BoostClassifier]:
        return iter(self.estimators_)

    @property
    def estimator_weights_(self) -> np.ndarray:
        """The weight of each hypothesis: the step of its round; 0 for rounds that were not made."""
        steps = np.asarray(self.history_.get("alpha", [1.0]), dtype=float)
        return self._by_round(np.rint(steps / STEP) * STEP, 0.0)

    @property
    def estimator_errors_(self) -> np.ndarray:
        """The weighted error of each hypothesis; 1 for rounds that were not made."""
        chance = 1.0 - 1.0 / len(self.model_.classes)
        edges = np.asarray(self.history_.get("edge", [chance]), dtype=float)
        return self._by_round(np.maximum(chance - edges, 0.0), 1.0)

    def _by_round(self, values: np.ndarray, others: float) -> np.ndarray:
        """A number for each round that was asked for, made or not."""
        asked = int(self.model_.parameters["rounds"])
        return np.concatenate([values, np.full(asked - len(values), others)])


def _learner(estimator: Any) -> dict[str, Any]:
    """The weak learner that stands for scikit-learn's."""
    if estimator is None:
        return {"learner": "stump", "criterion": "gini", "min_rows": 1}
    if not has_fit_parameter(estimator, "sample_weight"):
        raise ValueError(f"{type(estimator).__name__} doesn't support sample_weight.")
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
