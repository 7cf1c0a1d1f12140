#!/usr/bin/env python3
"""The default beside the peers' own treatment of categories, on tables that are made here: errors, log losses, ranks.

usage: categories.py [TABLE…] [--data DIR] [--who manyboost,lightgbm-100,…] [--option NAME=VALUE…] [--first SEED] [--keep FILE]

Two kinds of tables, of 150 to 60,000 rows and 2 to 5,000 levels a column: in one, levels add up (some also by pairs of groups of
them) and classes are noisy; in the other, rows are of a few combinations of levels, each of which has a class of its own that is
mostly right. Levels are not equally frequent, and many are there once or twice. With `--data`, samples of real sets with categorical
columns too. Figures of the peers are kept in `bench/folds/categories.jsonl` and not taken again; with `--keep` ours are written to a
file. Choices are made on other seeds than those of the kept figures (`--first 50`, ours alone).
"""
import argparse
import json
import os
import sys

import numpy as np
import pandas as pd

import folds

PEERS = ["lightgbm-100", "xgb-100", "catboost-300"]


def added(seed, rows, levels, classes, pairs=0, numbers=2):
    """Effects of levels and of pairs of groups of levels, beside a few numbers."""
    draw = np.random.default_rng(seed)
    scores, columns, codes = np.zeros((rows, classes)), {}, []
    for j, count in enumerate(levels):
        often = 1 / np.arange(1, count + 1) ** 0.7
        code = draw.choice(count, rows, p=often / often.sum())
        scores += draw.normal(size=(count, classes))[code]
        columns[f"c{j}"] = np.array([f"v{v}" for v in draw.permutation(count)])[code]
        codes.append(code)
    for _ in range(pairs):
        a, b = draw.choice(len(levels), 2, replace=False)
        of_a, of_b = draw.integers(0, 4, levels[a]), draw.integers(0, 4, levels[b])
        scores += 1.5 * draw.normal(size=(4, 4, classes))[of_a[codes[a]], of_b[codes[b]]]
    for j in range(numbers):
        x = draw.normal(size=rows)
        scores += 0.7 * np.outer(np.tanh(2 * x), draw.normal(size=classes))
        columns[f"x{j}"] = np.round(x, 3)
    scores = scores / np.sqrt(len(levels) + pairs) + 0.5 * draw.gumbel(size=scores.shape)
    return pd.DataFrame(columns).assign(**{"class": [f"k{v}" for v in scores.argmax(1)]})


def combined(seed, rows, levels, classes, combinations, noise=0.2):
    """Rows of a few combinations of levels, and a number that says nothing."""
    draw = np.random.default_rng(seed)
    of = np.stack([draw.integers(0, count, combinations) for count in levels], 1)
    own = draw.integers(0, classes, combinations)
    often = draw.exponential(size=combinations)
    row = draw.choice(combinations, rows, p=often / often.sum())
    y = np.where(draw.random(rows) < noise, draw.integers(0, classes, rows), own[row])
    table = pd.DataFrame({f"c{j}": [f"v{v}" for v in of[row, j]] for j in range(len(levels))})
    return table.assign(x=draw.integers(5, 60, rows), **{"class": [f"k{v}" for v in y]})


TABLES = {
    "added-190": lambda seed: added(seed, 190, [25, 26], 3, numbers=1),
    "added-190-two": lambda seed: added(seed, 190, [25, 26, 2, 2], 2, numbers=1),
    "added-250": lambda seed: added(seed, 250, [12, 30, 60], 4),
    "added-1200": lambda seed: added(seed, 1200, [5, 50, 200], 3, pairs=1),
    "added-3000": lambda seed: added(seed, 3000, [2] * 8 + [40], 3, pairs=4),
    "added-5000": lambda seed: added(seed, 5000, [10, 100, 1000], 2, pairs=2),
    "added-20000": lambda seed: added(seed, 20_000, [8, 300, 3000], 5, pairs=2),
    "added-60000": lambda seed: added(seed, 60_000, [20, 500, 5000], 2, pairs=2),
    "combined-190": lambda seed: combined(seed, 190, [2, 25, 26, 2], 3, 70),
    "combined-190-fewer": lambda seed: combined(seed, 190, [2, 25, 26, 2], 3, 40),
    "combined-1250": lambda seed: combined(seed, 1250, [5, 60, 80], 4, 400),
    "combined-4000": lambda seed: combined(seed, 4000, [10, 200, 300], 2, 1500),
}

SAMPLES = {"car": [300, 1728], "nursery": [1000], "kr-vs-kp": [500, 3000], "mushroom": [300], "tic-tac-toe": [958], "german": [1000], "crx": [690],
           "post-operative": [90], "connect-4": [2000], "fars": [1500, 20_000], "kddcup99-10pct": [2000, 20_000]}


def sample(name, rows, root, seed):
    """Some rows of a set, without classes of fewer than five."""
    table = folds.load(name, root)
    table = table.iloc[np.random.default_rng(seed).permutation(len(table))[:rows]]
    return table[table["class"].map(table["class"].value_counts()) >= 5].reset_index(drop=True)


def tables(root):
    """How to make each table from a seed."""
    real = {f"{name}-{rows}": (lambda seed, name=name, rows=rows: sample(name, rows, root, seed)) for name in SAMPLES for rows in SAMPLES[name]}
    return {**TABLES, **(real if root else {})}


def measure(who, name, options):
    """Six tables by five folds, or two by two where they are large."""
    from sklearn.model_selection import StratifiedKFold
    runs = []
    make = tables(options.data)[name]
    few = len(make(0)) <= 3000
    for seed in range(options.first, options.first + options.seeds if options.seeds else options.first + (6 if few else 2)):
        table = make(seed)
        parts = list(StratifiedKFold(5, shuffle=True, random_state=1).split(table, table["class"]))
        for train, test in parts if few else parts[:2]:
            a, b = table.iloc[train], table.iloc[test]
            ours = who == "manyboost"
            runs.append(folds.ours(a, b, options.threads, options.option) if ours else folds.peer(who, a, b, options.threads))
    return {"set": name, "who": who, "error": [r[0] for r in runs], "log_loss": [r[1] for r in runs]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*")
    parser.add_argument("--data")
    parser.add_argument("--who", type=lambda text: text.split(","), default=["manyboost", *PEERS])
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=0)
    parser.add_argument("--keep")
    options = parser.parse_args()
    kept = os.path.join(folds.HERE, "folds", "categories.jsonl")
    rows = [json.loads(line) for line in open(kept)] if os.path.exists(kept) and not options.first else []
    sets = options.tables or list(tables(options.data))
    for name in sets:
        for who in options.who:
            if any((r["set"], r["who"]) == (name, who) for r in rows):
                continue
            row = measure(who, name, options)
            rows.append(row)
            print(f"{name} {who}: {np.mean(row['error']):.4f} {np.mean(row['log_loss']):.4f}", file=sys.stderr, flush=True)
            file = options.keep if who == "manyboost" else kept
            if file and (who == "manyboost" or not options.first):
                folds.keep(row, file)
    if len(options.who) > 1:
        folds.table(rows, sets, options.who)


if __name__ == "__main__":
    sys.exit(main())
