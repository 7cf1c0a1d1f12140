"""The estimators. Parameters have the names that they have on the command line; None is the engine's own default."""

from __future__ import annotations

from typing import Any

from manyboost._base import BaseBoost
from manyboost._options import BOOSTERS, OPTIONS, declared


@declared("mcboost")
class MCBoostClassifier(BaseBoost):
    """Gradient-descent MCBoost: one vector-valued tree per round serves all classes. The one to try first.
    """

    def _booster(self) -> str:
        return "mcboost"

    def _options(self) -> dict[str, Any]:
        return {option["name"]: getattr(self, option["name"]) for option in BOOSTERS["mcboost"]["options"]}


@declared(None)
class BoostClassifier(BaseBoost):
    """Any booster with any weak learner. An option that the booster does not take is an error.
    """

    booster: str

    def _booster(self) -> str:
        return self.booster

    def _options(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in OPTIONS}


class MultiLabelBoostClassifier(BoostClassifier):
    """Boosting where each row has a set of labels: y has a column of zeros and ones for each label.

    Boosters: "mcboost" (the default), "mh", "mh-real", "mr" and "ova". With one class per row it does what
    `BoostClassifier` does, and has its parameters.
    """

    _sets = True
