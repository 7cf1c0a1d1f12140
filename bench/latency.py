#!/usr/bin/env python3
"""One row, and many: the time to probabilities beside onnxruntime (the same model) and LightGBM (as many rounds).

usage: latency.py [--rounds N] [--leaves N] [--classes K] [--columns N] [--rows N] [--batch N] [--repeat N]

Needs a Python with manyboost, lightgbm, onnxruntime, pandas and scikit-learn. All have one thread for single rows and all
threads for many. Everybody is alive at the same time and measures by turns; the median of the calls of a turn counts, and of
turns the least. LightGBM has one tree per class and round, this package one per round.
"""
import argparse
import statistics
import time

import lightgbm
import numpy as np
import onnxruntime
import pandas as pd
from sklearn.datasets import make_classification

from manyboost import MCBoostClassifier

CALLS = 300


def sessions(graph):
    """The graph with one thread, and with all."""
    one = onnxruntime.SessionOptions()
    one.intra_op_num_threads = one.inter_op_num_threads = 1
    return [onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"]) for options in (one, None)]


def contestants(options):
    X, y = make_classification(
        options.rows, options.columns, n_informative=options.columns // 2, n_classes=options.classes, flip_y=0.05, random_state=1
    )
    frame = pd.DataFrame(X, columns=[f"c{at}" for at in range(options.columns)])
    mixed = frame.assign(kind=pd.Series(np.where(X[:, 0] > 0, "high", "low"), dtype="category"), count=(10 * X[:, 1]).astype(int))
    settings = {"rounds": options.rounds, "leaves": options.leaves, "temperature": 1}
    plain = MCBoostClassifier(**settings).fit(X, y)
    framed, varied = MCBoostClassifier(**settings).fit(frame, y), MCBoostClassifier(**settings).fit(mixed, y)
    single, many = sessions(plain.to_onnx())
    name = single.get_inputs()[0].name
    kind = np.float32 if "float" in single.get_inputs()[0].type else np.float64
    peer = lightgbm.LGBMClassifier(n_estimators=options.rounds, num_leaves=options.leaves, verbose=-1).fit(X, y)
    batch = np.tile(X, (options.batch // len(X) + 1, 1))[: options.batch]
    row, narrow, wide = X[:1], X[:1].astype(kind), batch.astype(kind)
    return {
        "manyboost, NumPy": lambda: plain.predict_proba(row),
        "manyboost, pandas, numbers": lambda: framed.predict_proba(frame[:1]),
        "manyboost, pandas, mixed": lambda: varied.predict_proba(mixed[:1]),
        "onnxruntime, the same model": lambda: single.run(None, {name: narrow}),
        "LightGBM, NumPy": lambda: peer.predict_proba(row, num_threads=1),
    }, {
        "manyboost": lambda: plain.predict_proba(batch),
        "onnxruntime, the same model": lambda: many.run(None, {name: wide}),
        "LightGBM": lambda: peer.predict_proba(batch),
    }


def seconds(call, calls):
    times = []
    for _ in range(calls):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def measured(calls, repeat, times):
    least = dict.fromkeys(calls, float("inf"))
    for _ in range(repeat):
        for who, call in calls.items():
            call()
            least[who] = min(least[who], seconds(call, times))
    return least


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in {"rounds": 600, "leaves": 31, "classes": 5, "columns": 20, "rows": 5000, "batch": 100_000, "repeat": 3}.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    single, many = contestants(options)
    print(f"{options.rounds} rounds, {options.leaves} leaves, {options.classes} classes, {options.columns} columns")
    for who, time_ in measured(single, options.repeat, CALLS).items():
        print(f"one row    {who:30} {1e3 * time_:9.3f} ms")
    for who, time_ in measured(many, options.repeat, 1).items():
        print(f"{options.batch} rows {who:30} {time_:9.3f} s")


if __name__ == "__main__":
    main()
