"""The estimators. Parameters have the names that they have on the command line; None is the engine's own default."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from manyboost._base import BaseBoost
from manyboost._options import OPTIONS

# Options of `MCBoostClassifier`: those that its booster and trees take.
MCBOOST = (
    "rounds", "shrinkage", "temperature", "costs", "learner", "leaves", "depth", "min_rows", "subsample", "features",
    "cuts", "precision", "sketch",
)


class MCBoostClassifier(BaseBoost):
    """Gradient-descent MCBoost: one vector-valued tree per round serves all classes. The one to try first.

    Parameters
    ----------
    rounds : most rounds of boosting (600)
    shrinkage : the part of each step that is taken (0.1)
    temperature : what scores are divided by before they become probabilities ("auto": found on the rows to validate on or,
        without any, on some that are kept aside: a fifth of the rows in a second training (of fewer than 1,000 rows each fifth in
        its turn) or, of 30,000 and more, about 2,000 that the only training does without; 1 turns that off)
    learner : "tree", "stump", or "line": a straight line over one feature (numbers only)
    leaves, depth : most leaves of a tree, grown best cut first; most cuts on the way to a leaf (alone: level by level)
    min_rows : least rows, by weight, of a leaf (5)
    subsample, features : the shares of rows and features that trees and nodes see
    cuts : random cuts tried on a feature (0 is all)
    precision, sketch : "auto", "wide" or "narrow" sums; projections on which cuts are searched with many classes (0 is off)
    costs : what mistakes cost, a row for each true class and a column for each answer, in the order of `classes_`
    bins : most bins of a numeric column (255; 0 is a cut between any two values)
    ngrams : most words of an n-gram of text (1)
    categorical, text : columns, by name or number, that are categories or text whatever they look like
    valid : the share of the rows to hold out for validation
    patience : rounds without a better log loss on the validation rows after which training stops
    threads : threads to use; the model does not depend on it
    class_weight : "balanced", or weights by class
    warm_start : whether `fit` goes on from the rounds that are there, on the same data
    random_state : makes every random choice; None is always the same
    """

    def __init__(
        self,
        *,
        rounds: int | None = None,
        shrinkage: float | None = None,
        temperature: float | str | None = None,
        learner: str | None = None,
        leaves: int | None = None,
        depth: int | None = None,
        min_rows: float | None = None,
        subsample: float | None = None,
        features: float | None = None,
        cuts: int | None = None,
        precision: str | None = None,
        sketch: int | None = None,
        costs: Any = None,
        bins: int | None = None,
        ngrams: int | None = None,
        categorical: Collection[Any] = (),
        text: Collection[Any] = (),
        valid: float | None = None,
        patience: int | None = None,
        threads: int | None = None,
        class_weight: Any = None,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None:
        self._keep(locals())

    def _booster(self) -> str:
        return "mcboost"

    def _options(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in MCBOOST}


class BoostClassifier(BaseBoost):
    """Any booster with any weak learner.

    `booster` is one of `manyboost boosters`, `learner` one of `manyboost learners`. The other parameters are the options
    of the command line (`manyboost train --help`), with underscores for dashes; an option that the booster does not take
    is an error. Those that are not a booster's or a learner's are explained in `MCBoostClassifier`.
    """

    def __init__(
        self,
        booster: str = "mcboost",
        *,
        rounds: int | None = None,
        shrinkage: float | None = None,
        temperature: float | str | None = None,
        step: str | None = None,
        loss: str | None = None,
        codewords: Any = None,
        dim: int | None = None,
        smoothing: float | str | None = None,
        answers: str | None = None,
        costs: Any = None,
        start: str | None = None,
        code: Any = None,
        decode: str | None = None,
        votes: str | None = None,
        edge: Any = None,
        condition: str | None = None,
        horizon: int | None = None,
        epoch: int | None = None,
        relabel: str | None = None,
        eliminate: str | None = None,
        drop: int | None = None,
        learner: str | None = None,
        leaves: int | None = None,
        depth: int | None = None,
        factors: int | None = None,
        min_rows: float | None = None,
        subsample: float | None = None,
        features: float | None = None,
        cuts: int | None = None,
        precision: str | None = None,
        sketch: int | None = None,
        regression: str | None = None,
        criterion: str | None = None,
        bins: int | None = None,
        ngrams: int | None = None,
        categorical: Collection[Any] = (),
        text: Collection[Any] = (),
        valid: float | None = None,
        patience: int | None = None,
        threads: int | None = None,
        class_weight: Any = None,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None:
        self._keep(locals())

    booster: str

    def _booster(self) -> str:
        return self.booster

    def _options(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in OPTIONS}


class MultiLabelBoostClassifier(BoostClassifier):
    """Boosting where each row has a set of labels: y has a column of zeros and ones for each label.

    Boosters: "mcboost" (the default), "mh", "mh-real", "mr" and "ova". With one class per row it does what
    `BoostClassifier` does.
    """

    _sets = True
