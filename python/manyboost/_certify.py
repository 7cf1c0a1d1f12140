"""Is a weak learner strong enough for this data, and for which boosters (`manyboost certify`)?"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_consistent_length

from manyboost import _core, _targets
from manyboost._base import Rows
from manyboost._columns import look
from manyboost._estimators import BoostClassifier
from manyboost._options import given, parameter


@dataclass(frozen=True)
class Verdict:
    """What is proved of some boosters' training error."""

    # Their names, with what is asked of them.
    boosters: str
    # Whether it is proved that they can reach training error 0; None if that is not known.
    promised: bool | None
    why: str
    # If it is proved: estimators to fit on the same rows.
    estimators: list[BoostClassifier]


@dataclass(frozen=True)
class Certificate:
    """What is certain of a weak learner on some rows. Values are intervals (lower, upper); those above 0 hold."""

    # Rows and classes that were looked at.
    rows: int
    classes: int
    # The classifiers that were looked at, in words.
    space: str
    # Whether upper ends are about all of them, or about those that the learner finds.
    exact: bool
    # Whether some mixture of classifiers is right on every row; None if that is not known.
    boostable: bool | None
    # The margin of the best mixture.
    margin: tuple[float, float]
    # The weak-learning conditions by name; None where no classifier is there to have a value.
    conditions: dict[str, tuple[float, float] | None]
    # Rounds after which the bound of mm is less than one row.
    rounds_of_mm: float | None
    # Two rows, from 0, of different classes that look the same.
    alike: tuple[int, int] | None
    # Pairs (class, class that it is taken for, share) and (row from 0, class that it is taken for, share) by their
    # share of the hardest weights.
    hardest_pairs: list[tuple[Any, Any, float]]
    hardest_rows: list[tuple[int, Any, float]]
    # Iterative weak learnability on sets of classes.
    subsets: list[tuple[list[Any], tuple[float, float] | None]]
    # For boosters: whether it is proved that they can reach training error 0 (None: not known), why, and how.
    verdicts: list[Verdict]

    def __str__(self) -> str:
        width = max(map(len, self.conditions))
        lines = [f"{self.rows:,} rows, {self.classes} classes; {self.space}", ""]
        lines.append(f"{'condition':{width}}  {'value':>10}  {'at most':>10}")
        for name, value in self.conditions.items():
            lower, upper = ("–", "–") if value is None else (f"{end + 0.0:.7f}" for end in value)
            lines.append(f"{name:{width}}  {lower:>10}  {upper:>10}")
        promises = {True: "can reach training error 0", False: "no promise", None: "open"}
        for verdict in self.verdicts:
            lines += ["", f"{verdict.boosters}: {promises[verdict.promised]}", f"    {verdict.why}"]
            lines += [f"      {estimator}" for estimator in verdict.estimators]
        return "\n".join(lines)


@dataclass
class _Asked:
    """A question, for the engine."""

    options: list[tuple[str, Any]]
    bins: int | None
    threads: int | None
    names: list[str]
    rows: Rows


def certify(
    X: Any,
    y: Any,
    *,
    learner: str = "stump",
    leaves: int | None = None,
    depth: int | None = None,
    min_rows: float | None = None,
    tolerance: float = 1e-6,
    subsets: int = 2,
    effort: float = 1.0,
    bins: int | None = None,
    threads: int | None = None,
    categorical: Collection[Any] = (),
    text: Collection[Any] = (),
) -> Certificate:
    """The values of all weak-learning conditions of a learner ("stump", "tree" or "linear") on rows X with classes y.

    Lower and upper ends are to be within `tolerance` of one another. Sets of up to `subsets` classes are looked at one by
    one. `effort` is how long to go on: 1 is some minutes at most.
    """
    columns = look(BaseEstimator(), X, reset=True, categorical=categorical, text=text)
    check_consistent_length(np.empty((columns.count, 0)), y)
    target = _targets.labels(y) if _targets.is_sets(y) else _targets.classes(y, columns.names)
    options = {
        "learner": learner, "leaves": leaves, "depth": depth, "min_rows": min_rows, "tolerance": tolerance,
        "subsets": subsets, "effort": effort,
    }
    rows = Rows(columns.count, columns.columns, target.columns, None)
    found = json.loads(_core.certify(_Asked(given(options, ()), bins, threads, columns.names, rows)))
    rest = {"bins": bins, "threads": threads, "categorical": categorical, "text": text}
    # Classes as they were given, and rows counted from 0.
    known = {_targets.text(label): label for label in target.classes.tolist()}
    return Certificate(
        rows=found["rows"], classes=found["classes"], space=found["space"], exact=found["exact"],
        boostable=found["boostable"], margin=(found["margin"], found["margin_at_most"]),
        conditions={name: _interval(ends) for name, ends in found["intervals"].items()},
        rounds_of_mm=found["rounds_of_mm"],
        alike=None if found["alike"] is None else (found["alike"][0] - 1, found["alike"][1] - 1),
        hardest_pairs=[(known[p["class"]], known[p["against"]], p["share"]) for p in found["hardest_pairs"]],
        hardest_rows=[(p["row"] - 1, known[p["against"]], p["share"]) for p in found["hardest_rows"]],
        subsets=[
            ([known[name] for name in subset["classes"]], _interval([subset["value"], subset["upper"]]))
            for subset in found["subsets"]
        ],
        verdicts=[
            Verdict(v["boosters"], v["zero_training_error"], v["why"], [_estimator(run, rest) for run in v["runs"]])
            for v in found["verdicts"]
        ],
    )


def _estimator(run: dict[str, Any], rest: dict[str, Any]) -> BoostClassifier:
    """The estimator of a run; `rest` are parameters that all have in common."""
    options = {name.replace("-", "_"): parameter(text) for name, text in run["options"].items()}
    return BoostClassifier(run["booster"], **options, **rest)


def _interval(ends: list[float | None] | None) -> tuple[float, float] | None:
    """Both ends, if there are any."""
    if ends is None or ends[0] is None or ends[1] is None:
        return None
    return ends[0], ends[1]
