#!/usr/bin/env python3
"""The default beside the peers by repeated folds, on small and noisy sets: errors, log losses, ranks.

usage: folds.py [SET…] --data DIR [--who manyboost,lightgbm-100,…] [--option NAME=VALUE…] [--keep FILE]

Below 1,200 rows three times five folds, else once; stratified, the same folds for everybody. Where a set has a test file its
training rows alone are used. Figures of the peers are kept in `bench/folds/peers.jsonl` and not taken again; those of ours are
those of `manyboost train` without any option but `--option`. With `--keep` ours are written to a file too.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
import pandas as pd

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PEERS = ["lightgbm-100", "xgb-100", "catboost-1000", "sk-rf-300"]
LARGER = "ecoli vertebral breast-tissue vehicle vowel segment car abalone nursery".split()


def names(root):
    """All sets that the figures are of."""
    small = sorted(f[:-4] for f in os.listdir(os.path.join(root, "small")) if f.endswith(".csv"))
    return [*small, *LARGER]


def load(name, root):
    """The rows of a set, as they are in its file."""
    for path in (f"small/{name}.csv", f"{name}/train.csv", f"{name}/data.csv", f"{name}/train.csv.gz", f"{name}/data.csv.gz"):
        if os.path.exists(os.path.join(root, path)):
            return pd.read_csv(os.path.join(root, path), low_memory=False, dtype={"class": str}, keep_default_na=False,
                               na_values=[""])
    raise SystemExit(f"{name} is not in {root}")


def folds(y):
    """Rows of training and of test, fold by fold."""
    from sklearn.model_selection import RepeatedStratifiedKFold
    repeats = 3 if len(y) < 1200 else 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from RepeatedStratifiedKFold(n_splits=5, n_repeats=repeats, random_state=1).split(np.zeros(len(y)), y)


def log_loss(p, classes, y):
    """Mean −ln of the probability of the true class; a class that training did not have counts as 1e−15."""
    at = {str(c): i for i, c in enumerate(classes)}
    own = np.array([p[i, at[c]] if c in at else 0.0 for i, c in enumerate(y)])
    return float(-np.log(np.clip(own, 1e-15, 1.0)).mean())


def nominal(table):
    return [name for name in table.columns if not pd.api.types.is_numeric_dtype(table[name])]


def peer(who, train, test, threads):
    """Error, log loss and seconds of a peer."""
    x, xt = train.drop(columns="class"), test.drop(columns="class")
    words = nominal(x)
    classes, y = np.unique(train["class"], return_inverse=True)
    fit = {}
    if who.startswith("catboost"):
        from catboost import CatBoostClassifier
        model = CatBoostClassifier(iterations=int(who.split("-")[1]), thread_count=threads, verbose=0, allow_writing_files=False)
        x, xt = (t.assign(**{c: t[c].astype(str) for c in words}) for t in (x, xt))
        fit["cat_features"] = words
    else:
        for c in words:
            levels = pd.CategoricalDtype(sorted(set(x[c].dropna()) | set(xt[c].dropna())))
            x, xt = x.assign(**{c: x[c].astype(levels)}), xt.assign(**{c: xt[c].astype(levels)})
        if who.startswith("lightgbm"):
            from lightgbm import LGBMClassifier
            model = LGBMClassifier(n_estimators=int(who.split("-")[1]), n_jobs=threads, verbose=-1)
        elif who.startswith("xgb"):
            from xgboost import XGBClassifier
            model = XGBClassifier(n_estimators=int(who.split("-")[1]), n_jobs=threads, tree_method="hist", enable_categorical=True)
        else:
            from sklearn.ensemble import RandomForestClassifier
            model = RandomForestClassifier(int(who.split("-")[2]), n_jobs=threads, random_state=1)
            x, xt = (t.assign(**{c: t[c].cat.codes for c in words}).to_numpy(np.float32) for t in (x, xt))
            x, xt = np.nan_to_num(x, nan=-999), np.nan_to_num(xt, nan=-999)
    start = time.perf_counter()
    model.fit(x, y, **fit)
    seconds = time.perf_counter() - start
    p = np.asarray(model.predict_proba(xt), dtype=float)
    own = [classes[int(c)] for c in np.asarray(model.classes_).ravel()]
    said = np.array(own)[p.argmax(1)]
    return float((said != test["class"].to_numpy()).mean()), log_loss(p, own, test["class"]), seconds


def ours(train, test, threads, options):
    """Error, log loss and seconds of the program: the whole command, from file to model file."""
    program = os.environ.get("MANYBOOST_CLI", os.path.join(ROOT, "target", "release", "manyboost"))
    with tempfile.TemporaryDirectory() as folder:
        a, b, m, out = (os.path.join(folder, f) for f in ("a.csv", "b.csv", "m", "p.csv"))
        train.to_csv(a, index=False)
        test.to_csv(b, index=False)
        given = [word for o in options for word in ("--" + o.split("=")[0], o.split("=")[1])]
        start = time.perf_counter()
        done = subprocess.run([program, "train", a, "--out", m, "--threads", str(threads), "--quiet", *given], capture_output=True, text=True)
        seconds = time.perf_counter() - start
        if done.returncode:
            raise SystemExit(done.stderr)
        subprocess.run([program, "predict", m, b, "--proba", "--out", out], check=True, capture_output=True)
        p = pd.read_csv(out, dtype={0: str})
    said, own, p = p.iloc[:, 0].to_numpy(), list(p.columns[1:]), p.iloc[:, 1:].to_numpy(float)
    return float((said != test["class"].to_numpy()).mean()), log_loss(p, own, test["class"]), seconds


def measure(who, name, options):
    table = load(name, options.data)
    runs = []
    for train, test in folds(table["class"]):
        a, b = table.iloc[train], table.iloc[test]
        runs.append(ours(a, b, options.threads, options.option) if who == "manyboost" else peer(who, a, b, options.threads))
    return {"set": name, "who": who, "error": [r[0] for r in runs], "log_loss": [r[1] for r in runs], "seconds": [r[2] for r in runs]}


def keep(row, file):
    """Appends a row of figures to a file."""
    with open(file, "a") as out:
        out.write(json.dumps({k: [float(f"{x:.6g}") for x in v] if isinstance(v, list) else v for k, v in row.items()}) + "\n")


def table(rows, sets, who, say=print):
    """Errors and log losses side by side, and what they come to. Times are not: they are of other days."""
    by = {(r["set"], r["who"]): r for r in rows}
    sets = [s for s in sets if all((s, w) in by for w in who)]
    say("| set | " + " | ".join(who) + " |\n|---|" + "---|" * len(who))
    ranks = {"error": [], "log_loss": []}
    least = {"error": 0, "log_loss": 0}
    close = 0
    for s in sets:
        cells = {f: [np.mean(by[s, w][f]) for w in who] for f in ranks}
        say(f"| {s} | " + " | ".join(f"{e:.4f}, {l:.4f}" for e, l in zip(cells["error"], cells["log_loss"])) + " |")
        for f in ranks:
            v = np.round(np.array(cells[f]), 9)
            ranks[f].append([(v < x).sum() + ((v == x).sum() + 1) / 2 for x in v])
            least[f] += v[0] <= v[1:].min()
        best = 1 + int(np.argmin(cells["error"][1:]))
        difference = np.array(by[s, who[0]]["error"]) - np.array(by[s, who[best]]["error"])
        close += difference.mean() <= difference.std(ddof=1) / np.sqrt(len(difference))
    n = len(sets)
    say(f"\n{n} sets. Mean rank by error: " + ", ".join(f"{w} {r:.2f}" for w, r in zip(who, np.mean(ranks["error"], 0))))
    say("Mean rank by log loss: " + ", ".join(f"{w} {r:.2f}" for w, r in zip(who, np.mean(ranks["log_loss"], 0))))
    say(f"{who[0]}: error not above the best peer's on {least['error']} ({least['error'] / n:.0%}), within one standard error on "
        f"{close} ({close / n:.0%}); log loss the lowest on {least['log_loss']} ({least['log_loss'] / n:.0%})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--data", required=True)
    parser.add_argument("--who", type=lambda text: text.split(","), default=["manyboost", *PEERS])
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--keep")
    options = parser.parse_args()
    kept = os.path.join(HERE, "folds", "peers.jsonl")
    rows = [json.loads(line) for line in open(kept)] if os.path.exists(kept) else []
    sets = options.sets or names(options.data)
    for name in sets:
        for who in options.who:
            if any((r["set"], r["who"]) == (name, who) for r in rows):
                continue
            row = measure(who, name, options)
            rows.append(row)
            print(f"{name} {who}: {np.mean(row['error']):.4f} {np.mean(row['log_loss']):.4f} {np.sum(row['seconds']):.2f} s", file=sys.stderr, flush=True)
            file = options.keep if who == "manyboost" else kept
            if file:
                keep(row, file)
    if len(options.who) > 1:
        table(rows, sets, options.who)


if __name__ == "__main__":
    sys.exit(main())
