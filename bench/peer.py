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

import tables  # noqa: E402


def load():
    x, y, x_test, y_test = tables.load(*task["data"])
    return tables.numbers(x), y, tables.numbers(x_test), y_test


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
