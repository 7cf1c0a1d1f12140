"""scikit-learn's own checks: every one passes, none is skipped or expected to fail.

By default a spread of boosters, learners and minimum rows is checked; with `MANYBOOST_CHECKS=all` all combinations are. One
of the checks wants `SCIPY_ARRAY_API=1` before SciPy is imported (conftest.py).
"""

from __future__ import annotations

import os
import warnings
from typing import Any

import pytest
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from manyboost import AdaBoostClassifier, BoostClassifier, MCBoostClassifier, MultiLabelBoostClassifier, _core

BOOSTERS = [entry["name"] for entry in _core.boosters()]
SETS = [entry["name"] for entry in _core.boosters() if entry["sets"]]
WAYS = [{"learner": learner, "min_rows": rows} for learner in ("stump", "tree") for rows in (None, 1)]


def every() -> list[Any]:
    """All combinations."""
    estimators: list[Any] = [MCBoostClassifier(), AdaBoostClassifier()]
    estimators += [MCBoostClassifier(**way) for way in WAYS]
    estimators += [BoostClassifier(booster, **way) for booster in BOOSTERS for way in WAYS]
    estimators += [MultiLabelBoostClassifier(booster, **way) for booster in SETS for way in WAYS]
    trees = [DecisionTreeClassifier(max_depth=2), DecisionTreeClassifier(max_leaf_nodes=8, min_samples_leaf=3)]
    return estimators + [AdaBoostClassifier(tree) for tree in trees]


def spread() -> list[Any]:
    """Each booster once, each way of growing several times, with fewer rounds."""
    chosen = [BoostClassifier(booster, rounds=20, **WAYS[at % 4]) for at, booster in enumerate(BOOSTERS)]
    chosen += [MultiLabelBoostClassifier(booster, rounds=20, **WAYS[3 - at % 4]) for at, booster in enumerate(SETS)]
    return [MCBoostClassifier(rounds=20), AdaBoostClassifier(n_estimators=20), *chosen]


ESTIMATORS = every() if os.environ.get("MANYBOOST_CHECKS") == "all" else spread()


def name(estimator: Any) -> str:
    return repr(estimator).replace("\n", "").replace(" ", "")


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_all_checks_pass(estimator: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(estimator, on_fail=None, on_skip=None)
    not_passed = [(r["check_name"], r["status"], repr(r["exception"])) for r in results if r["status"] != "passed"]
    assert not not_passed
    assert len(results) > 50
