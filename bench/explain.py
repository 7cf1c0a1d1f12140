"""Exact Shapley values beside `shap.TreeExplainer` and LightGBM's `pred_contrib`, in one run: `python bench/explain.py`.

The same rows for all, one thread each, user seconds of this process (so that others on the machine matter little), the least of `--repeat` turns.

- shap explains our very trees, handed over as the dictionary that it takes: the same numbers, compared to 10⁻⁶.
- LightGBM explains a model of its own, of as many rounds and as many leaves: k trees per round where ours has one with k numbers in a leaf.

Needs an environment with manyboost, shap and lightgbm. `--quick` takes few rows and rounds to see that everything works, and writes nothing.
"""

from __future__ import annotations

import argparse
import os
import resource
import warnings
from collections.abc import Callable
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"

import lightgbm
import numpy as np
import shap
from manyboost import MCBoostClassifier
from sklearn.datasets import make_classification

HERE = Path(__file__).resolve().parent
PAGE = HERE / "explain.md"

# Classes, features, rounds, leaves, rows that are explained, rows of these that shap and LightGBM explain (they are slow; times are scaled).
CASES = [(2, 20, 100, 31, 2000, 200), (10, 20, 100, 31, 2000, 100), (26, 16, 100, 31, 1000, 50), (10, 50, 100, 64, 1000, 50), (100, 30, 30, 31, 500, 20)]
QUICK = [(3, 8, 10, 8, 200, 100)]

# Seconds of a turn, about.
SHORT = 0.3


def seconds(work: Callable[[], object], repeat: int) -> float:
    """User seconds of this process, the least of some turns; short work is done several times in each, since the clock is coarse."""
    least, times = np.inf, 1
    for turn in range(repeat + 1):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        for _ in range(times):
            work()
        taken = (resource.getrusage(resource.RUSAGE_SELF).ru_utime - before) / times
        if turn == 0:
            times = max(1, int(SHORT / max(taken, 1e-3)))
        else:
            least = min(least, taken)
    return float(least)


def case(classes: int, features: int, rounds: int, leaves: int, rows: int, few: int, repeat: int) -> str:
    """A line of the table."""
    X, y = make_classification(
        4000, features, n_informative=features // 2, n_classes=classes, n_clusters_per_class=1, random_state=1
    )
    ours = MCBoostClassifier(rounds=rounds, leaves=leaves, min_rows=5, threads=1).fit(X, y)
    theirs = lightgbm.LGBMClassifier(n_estimators=rounds, num_leaves=leaves, n_jobs=1, verbose=-1).fit(X, y)
    peer = shap.TreeExplainer(ours.shap_model(), feature_perturbation="tree_path_dependent")
    some, short = X[:rows], X[:few]
    difference = np.abs(ours.shap_values(short) - peer.shap_values(short, check_additivity=False)).max()
    assert difference < 1e-6, difference
    own = seconds(lambda: ours.shap_values(some), repeat) / rows
    other = seconds(lambda: peer.shap_values(short, check_additivity=False), repeat) / few
    third = seconds(lambda: theirs.booster_.predict(short, pred_contrib=True), repeat) / few
    mine = f"{1e6 * own / rounds:.2f}"
    return (
        f"| {classes} | {features} | {rounds} | {leaves} | {1e3 * own:.3f} | {mine} | {1e3 * other:.2f} | {other / own:.0f} × | {1e3 * third:.2f} | {third / own:.0f} × "
        f"| {difference:.0e} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--note", help="what else to know about this run, such as how the package was built")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    lines = [
        "# Explanations beside shap and LightGBM", "",
        f"`python bench/explain.py`, one run; shap {shap.__version__}, LightGBM {lightgbm.__version__}. User milliseconds per row, one thread, least of {args.repeat} turns; the machine was shared with other work.",
        "shap explains our trees; LightGBM explains its own model of as many rounds and leaves, which has k trees per round.", "",
        "| classes | features | rounds | leaves | ours, ms | ours, µs per row and round | shap, ms | | LightGBM, ms | | largest difference to shap |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for numbers in QUICK if args.quick else CASES:
        lines.append(case(*numbers, repeat=args.repeat))
        print(lines[-1], flush=True)
    if not args.quick:
        PAGE.write_text("\n".join([*lines, *(["", args.note] if args.note else [])]) + "\n")


if __name__ == "__main__":
    main()
