#!/usr/bin/env python3
"""Many rows, few features, noisy labels: 100 rounds beside LightGBM's, on generated rows.

usage: many_rows.py [--rows N] [--classes 2,5] [--threads N] [--repeat N]

28 numeric features, of which 7 are functions of the others, as in tables of physics events. The classes are those of a smooth,
non-linear score with noise: no model can be right on all rows. One fifth of the rows is tested on. Ours is the whole command, from a Parquet file to a model
file; LightGBM's is `fit` on an array that is in memory.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.environ.get("MANYBOOST_CLI", os.path.join(HERE, "..", "target", "release", "manyboost"))


def generate(rows, classes, seed=1):
    """Features and classes."""
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(rows, 21)).astype(np.float32)
    x[:, 3::4] = np.exp(0.7 * x[:, 3::4])
    made = np.stack([
        np.hypot(x[:, 0], x[:, 1]), np.hypot(x[:, 4], x[:, 5]) * x[:, 3], np.abs(x[:, 8] - x[:, 9]),
        x[:, 7] * np.cos(x[:, 10]), x[:, 11] * np.cosh(np.clip(x[:, 12], -3, 3)), x[:, 0] * x[:, 4] + x[:, 1] * x[:, 5],
        np.sqrt(np.abs(x[:, 15] * x[:, 19])),
    ], axis=1).astype(np.float32)
    x = np.concatenate([x, made], axis=1)
    score = (np.sin(made[:, 0] * 1.7) + 0.8 * np.tanh(made[:, 1] - 1.2) + 0.6 * made[:, 2] * (x[:, 13] > 0) - 0.5 * made[:, 3] * x[:, 14]
             + 0.7 * np.cos(made[:, 5]) + 0.3 * made[:, 6] + 0.4 * x[:, 16] * x[:, 17])
    score += draw.logistic(scale=0.45, size=rows)
    cuts = np.quantile(score, np.linspace(0, 1, classes + 1)[1:-1])
    return x, np.searchsorted(cuts, score)


def lightgbm(x, y, test, threads):
    from lightgbm import LGBMClassifier
    start = time.perf_counter()
    model = LGBMClassifier(n_estimators=100, n_jobs=threads, verbose=-1).fit(x[~test], y[~test])
    seconds = time.perf_counter() - start
    return seconds, float((model.predict(x[test]) != y[test]).mean())


def ours(folder, threads):
    model = os.path.join(folder, "model")
    words = [PROGRAM, "train", os.path.join(folder, "train.parquet"), "--out", model, "--rounds", "100", "--temperature", "1",
             "--threads", str(threads), "--quiet", "--json"]
    start = time.perf_counter()
    subprocess.run(words, check=True, capture_output=True)
    seconds = time.perf_counter() - start
    done = subprocess.run([PROGRAM, "evaluate", model, os.path.join(folder, "test.parquet"), "--json"], check=True,
                          capture_output=True, text=True)
    return seconds, json.loads(done.stdout)["error"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_300_000)
    parser.add_argument("--classes", type=lambda text: [int(n) for n in text.split(",")], default=[2, 5])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=1)
    options = parser.parse_args()
    import pandas as pd
    for classes in options.classes:
        x, y = generate(options.rows, classes)
        test = np.arange(len(y)) % 5 == 4
        with tempfile.TemporaryDirectory() as folder:
            table = pd.DataFrame(x, columns=[f"x{i}" for i in range(x.shape[1])]).assign(**{"class": y.astype(str)})
            table[~test].to_parquet(os.path.join(folder, "train.parquet"), index=False)
            table[test].to_parquet(os.path.join(folder, "test.parquet"), index=False)
            runs = {"manyboost": [], "lightgbm-100": []}
            for _ in range(options.repeat):
                runs["manyboost"].append(ours(folder, options.threads))
                runs["lightgbm-100"].append(lightgbm(x, y, test, options.threads))
        for who, those in runs.items():
            seconds, error = min(those)
            print(f"{classes} classes, {options.rows:,} rows: {who} {seconds:.1f} s, error {error:.4f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
