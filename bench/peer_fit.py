#!/usr/bin/env python3
"""One peer, one data set, one fit: prints one line of JSON. Run by against.py with the peers' Python.

usage: peer_fit.py PEER TRAIN [TEST] --threads N
"""
import argparse
import json
import os
import pickle
import resource
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("peer")
parser.add_argument("train")
parser.add_argument("test", nargs="?")
parser.add_argument("--threads", type=int, default=2)
options = parser.parse_args()
os.environ["OMP_NUM_THREADS"] = str(options.threads)

import numpy as np  # noqa: E402  (after the number of threads is set)

import tables  # noqa: E402


def make(peer, threads):
    """The settings of the comparison: what people get who do not tune."""
    if peer.startswith("lightgbm"):
        from lightgbm import LGBMClassifier
        return LGBMClassifier(n_estimators=int(peer.split("-")[1]), n_jobs=threads, verbose=-1)
    if peer.startswith("xgb"):
        from xgboost import XGBClassifier
        shared = {"n_jobs": threads, "tree_method": "hist", "enable_categorical": True}
        return {
            "xgb-100": lambda: XGBClassifier(n_estimators=100, **shared),
            "xgb-300-lr.1": lambda: XGBClassifier(n_estimators=300, learning_rate=0.1, **shared),
            "xgb-vector-300": lambda: XGBClassifier(n_estimators=300, learning_rate=0.1, max_depth=8,
                                                    multi_strategy="multi_output_tree", **shared),
        }[peer]()
    if peer.startswith("catboost"):
        from catboost import CatBoostClassifier
        return CatBoostClassifier(iterations=int(peer.split("-")[1]), thread_count=threads, verbose=0,
                                  allow_writing_files=False)
    from sklearn.ensemble import AdaBoostClassifier, HistGradientBoostingClassifier
    from sklearn.tree import DecisionTreeClassifier
    return {
        "sk-hgb-100": lambda: HistGradientBoostingClassifier(early_stopping=False),
        "sk-samme-d2-200": lambda: AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=200),
        "sk-samme-d10-200": lambda: AdaBoostClassifier(DecisionTreeClassifier(max_depth=10), n_estimators=200),
    }[peer]()


def log_loss(model, x, y):
    """Mean −ln of the probability of the true class; a class that training did not have counts as 1e−15."""
    p = np.asarray(model.predict_proba(x), dtype=float)
    at = {int(c): i for i, c in enumerate(np.asarray(model.classes_).ravel())}
    own = np.array([p[i, at[c]] if c in at else 0.0 for i, c in enumerate(y)])
    return float(-np.log(np.clip(own, 1e-15, 1.0)).mean())


def main():
    x, y, x_test, y_test = tables.load(options.train, options.test)
    nominal = tables.nominal(x)
    fit = {}
    if options.peer.startswith("sk-"):
        x, x_test = (np.nan_to_num(tables.numbers(table), nan=-999) for table in (x, x_test))
    elif options.peer.startswith("catboost") and nominal:
        x, x_test = (table.astype({c: str for c in nominal}) for table in (x, x_test))
        fit["cat_features"] = nominal
    model = make(options.peer, options.threads)
    start = time.perf_counter()
    model.fit(x, y, **fit)
    seconds = time.perf_counter() - start
    start = time.perf_counter()
    answer = np.asarray(model.predict(x_test)).ravel()
    predict = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({
        "error": float(np.mean(answer != y_test)), "log_loss": log_loss(model, x_test, y_test), "seconds": seconds,
        "predict": predict, "rss": peak, "bytes": len(pickle.dumps(model)), "rows": len(y), "classes": int(y.max()) + 1,
    }))


if __name__ == "__main__":
    sys.exit(main())
