#!/usr/bin/env python3
"""The peers' half of the side-by-side suite: prepares once, then measures each time a line comes in.

Run by side_by_side.py with the peers' Python. Every answer is one JSON line. A task is JSON on the command line:
{"task": "samme" | "rounds" | "predict" | "read", "data": [TRAIN, TEST or null], "threads": N, ...}.
"""
import json
import os
import resource
import sys
import time

task = json.loads(sys.argv[1])
os.environ["OMP_NUM_THREADS"] = str(task["threads"])

import numpy as np  # noqa: E402  (after the number of threads is set)
import pandas as pd  # noqa: E402


def load():
    """Numbers and class codes of training and test rows; without a test file every fifth row is tested on."""
    train_file, test_file = task["data"]
    train = pd.read_csv(train_file, low_memory=False)
    if test_file:
        test = pd.read_csv(test_file, low_memory=False)
    else:
        is_test = np.arange(len(train)) % 5 == 4
        train, test = train[~is_test], train[is_test]
    both = pd.concat([train, test], ignore_index=True)
    y = both.pop("class").astype(str).astype("category").cat.codes.to_numpy()
    for name in both.columns:
        if not pd.api.types.is_numeric_dtype(both[name]):
            both[name] = both[name].astype("category").cat.codes
    x = both.to_numpy(np.float32)
    n = len(train)
    return x[:n], y[:n], x[n:], y[n:]


def timed(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def samme():
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.tree import DecisionTreeClassifier
    x, y, x_test, y_test = load()

    def measure(_):
        model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=task["depth"]), n_estimators=task["rounds"], random_state=1)
        seconds, _ = timed(lambda: model.fit(x, y))
        return {"seconds": seconds, "error": float(np.mean(model.predict(x_test) != y_test)), "rounds": len(model.estimators_)}

    return measure


def lightgbm(rounds):
    import lightgbm
    return lightgbm.LGBMClassifier(n_estimators=rounds, num_leaves=31, n_jobs=task["threads"], verbose=-1)


def rounds():
    x, y, x_test, y_test = load()

    def measure(line):
        model = lightgbm(int(line or task["rounds"]))
        seconds, _ = timed(lambda: model.fit(x, y))
        return {"seconds": seconds, "error": float(np.mean(model.predict(x_test) != y_test))}

    return measure


def predict():
    x, y, _, _ = load()
    model = lightgbm(task["rounds"]).fit(x, y).booster_
    many = np.ascontiguousarray(x[np.arange(task["rows"]) % len(x)])

    def measure(_):
        seconds, answer = timed(lambda: model.predict(many, num_threads=task["threads"]))
        return {"seconds": seconds, "rows": len(many), "check": float(answer[0].sum() + answer[-1].sum())}

    return measure


def read():
    def measure(_):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        seconds, table = timed(lambda: pd.read_csv(task["data"][0], engine="c"))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return {"seconds": seconds, "rows": len(table), "columns": len(table.columns), "rss_start": before, "rss": peak}

    return measure


def versions():
    import lightgbm
    import sklearn
    return {"python": sys.version.split()[0], "numpy": np.__version__, "pandas": pd.__version__,
            "scikit-learn": sklearn.__version__, "lightgbm": lightgbm.__version__}


if task["task"] == "versions":
    print(json.dumps(versions()))
    sys.exit()
measure = {"samme": samme, "rounds": rounds, "predict": predict, "read": read}[task["task"]]()
print(json.dumps({"ready": True}), flush=True)
for line in sys.stdin:
    print(json.dumps(measure(line.strip())), flush=True)
