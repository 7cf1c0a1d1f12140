#!/usr/bin/env python3
"""The whole command `manyboost train`, from file to model file, beside the `fit` of LightGBM's 100 rounds on a frame that is in memory.

usage: fit_times.py SET… --data DIR [--threads N] [--repeat N]

Both by turns, the least of `--repeat` each (3 by default). DIR holds a folder for each set, with `train.csv` and `test.csv`. Run it with the peers' Python, on an
idle machine.
"""
import argparse
import json
import os
import subprocess
import tempfile
import time

parser = argparse.ArgumentParser()
parser.add_argument("sets", nargs="+")
parser.add_argument("--data", required=True)
parser.add_argument("--threads", type=int, default=2)
parser.add_argument("--repeat", type=int, default=3)
options = parser.parse_args()
os.environ["OMP_NUM_THREADS"] = str(options.threads)

from lightgbm import LGBMClassifier  # noqa: E402  (after the number of threads is set)

import tables  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.environ.get("MANYBOOST_CLI", os.path.join(HERE, "..", "target", "release", "manyboost"))


def run(*words):
    """Seconds of a command, and what it says."""
    start = time.perf_counter()
    said = subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout
    return time.perf_counter() - start, said


print("| data | seconds, manyboost | LightGBM-100 | of it | error | log loss |\n|---|---|---|---|---|---|", flush=True)
for name in options.sets:
    train, test = (os.path.join(options.data, name, f"{part}.csv") for part in ("train", "test"))
    x, y, _, _ = tables.load(train, test)
    ours, peer = [], []
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model")
        for _ in range(options.repeat):
            ours.append(run("train", train, "--out", model, "--threads", str(options.threads), "--quiet")[0])
            start = time.perf_counter()
            LGBMClassifier(n_estimators=100, n_jobs=options.threads, verbose=-1).fit(x, y)
            peer.append(time.perf_counter() - start)
        said = json.loads(run("evaluate", model, test, "--json")[1])
    a, b = min(ours), min(peer)
    print(f"| {name} | {a:.3f} | {b:.3f} | {a / b:.2f} | {100 * said['error']:.2f} % | {said['log_loss']:.4f} |", flush=True)
