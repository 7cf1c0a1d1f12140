#!/usr/bin/env python3
"""Label sets and text: ours beside one-vs-rest LightGBM and a linear model, in one run.

usage: labels.py --data DIR [--only sets,text] [--threads N] [--out FILE.md]    (with the Python that has the peers)

`sets`: Hamming loss, one-error, ranking loss and average precision on label sets. `text`: real AdaBoost.MH with word
stumps, 1,000 rounds, beside scikit-learn: seconds to vectorise the same text, and a linear model's test error on it.
"""
import argparse
import json
import os
import subprocess
import time

import numpy as np
import pandas as pd

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
BINARY = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "release", "manyboost")
SETS = ["emotions", "scene", "yeast-ml", "enron", "medical"]
FIGURES = ["hamming", "one_error", "ranking_loss", "average_precision"]


def find(folder, stem):
    paths = [os.path.join(folder, stem + ending) for ending in (".csv", ".csv.gz")]
    return next(path for path in paths if os.path.exists(path))


def measure(has, scores):
    """The four figures as manyboost defines them: ties count as wrong."""
    one, ranking, precision = [], [], []
    for y, f in zip(has, scores):
        one.append(not y[np.argmax(f)])
        order = sorted(range(len(f)), key=lambda l: (-f[l], y[l]))
        there = y[order]
        places = np.flatnonzero(there) + 1
        found = len(places)
        ranking.append(0 if found in (0, len(f)) else (places - np.arange(1, found + 1)).sum() / (found * (len(f) - found)))
        precision.append((np.arange(1, found + 1) / places).mean() if found else 1)
    return dict(hamming=np.mean(has != (scores > 0)), one_error=np.mean(one), ranking_loss=np.mean(ranking),
                average_precision=np.mean(precision))


class Labels:
    def __init__(self, options):
        self.options = options
        self.lines = []

    def say(self, line=""):
        print(line, flush=True)
        self.lines.append(line)

    def files(self, name):
        folder = os.path.join(self.options.data, name)
        return find(folder, "train"), find(folder, "test")

    def ours(self, name, booster, options, labels):
        train, test = self.files(name)
        model = os.path.join(ROOT, "target", "labels.model")
        common = ["--labels", "label:"] if labels else []
        command = [BINARY, "train", train, "--booster", booster, "--out", model, "--json", "--threads", str(self.options.threads)]
        start = time.perf_counter()
        subprocess.run([*command, *common, *options], check=True, capture_output=True)
        seconds = time.perf_counter() - start
        found = subprocess.run([BINARY, "evaluate", model, test, "--json"], check=True, capture_output=True, text=True)
        return seconds, json.loads(found.stdout)

    def sets(self):
        import lightgbm
        self.say("\n## Label sets\n")
        self.say("| data | who | Hamming % | one-error % | ranking loss % | average precision % | fit s |")
        self.say("|---|---|---|---|---|---|---|")

        def row(name, who, figures, seconds):
            cells = " | ".join(f"{100 * figures[f]:.2f}" for f in FIGURES)
            self.say(f"| {name} | {who} | {cells} | {seconds:.1f} |")

        runs = [("mcboost", []), ("mh-real", ["--rounds", "500"]), ("mr", ["--rounds", "500"]),
                ("mh", ["--learner", "tree", "--leaves", "8", "--rounds", "300"])]
        for name in SETS:
            for booster, options in runs:
                seconds, figures = self.ours(name, booster, options, labels=True)
                row(name, " ".join([booster, *options]), figures, seconds)
            train, test = map(pd.read_csv, self.files(name))
            columns = [c for c in train.columns if c.startswith("label:")]
            y, y_test = (t[columns].to_numpy() > 0 for t in (train, test))
            x, x_test = (t.drop(columns=columns).to_numpy(np.float32) for t in (train, test))
            start, scores = time.perf_counter(), np.full(y_test.shape, -30.0)
            for l in range(y.shape[1]):
                if y[:, l].all() or not y[:, l].any():
                    scores[:, l] = 30.0 if y[:, l].all() else -30.0
                    continue
                model = lightgbm.LGBMClassifier(n_estimators=100, n_jobs=self.options.threads, verbose=-1).fit(x, y[:, l])
                scores[:, l] = model.predict(x_test, raw_score=True)
            row(name, "LightGBM, one per label", measure(y_test, scores), time.perf_counter() - start)

    def text(self):
        from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
        from sklearn.multiclass import OneVsRestClassifier
        from sklearn.svm import LinearSVC
        self.say("\n## Text: real AdaBoost.MH, word stumps, 1,000 rounds\n")
        self.say("| data | who | test error % (sets: Hamming) | one-error % | seconds | of that vectorising |")
        self.say("|---|---|---|---|---|---|")
        for name, labels in (("20newsgroups", False), ("reuters21578", True)):
            seconds, figures = self.ours(name, "mh-real", ["--rounds", "1000"], labels)
            error = figures["hamming" if labels else "error"]
            one = f"{100 * figures['one_error']:.2f}" if labels else ""
            self.say(f"| {name} | mh-real | {100 * error:.2f} | {one} | {seconds:.1f} | (all included) |")
            train, test = map(pd.read_csv, self.files(name))
            columns = [c for c in train.columns if c.startswith("label:")]
            start = time.perf_counter()
            CountVectorizer(binary=True, min_df=5).fit_transform(train["text"].astype(str))
            counting = time.perf_counter() - start
            start = time.perf_counter()
            vectors = TfidfVectorizer(sublinear_tf=True, min_df=2)
            x = vectors.fit_transform(train["text"].astype(str))
            vectorising = time.perf_counter() - start
            model = OneVsRestClassifier(LinearSVC(random_state=0)) if labels else LinearSVC(random_state=0)
            y = train[columns].to_numpy() if labels else train["class"]
            model.fit(x, y)
            seconds = time.perf_counter() - start
            x_test = vectors.transform(test["text"].astype(str))
            if labels:
                found = measure(test[columns].to_numpy() > 0, model.decision_function(x_test))
                cells = f"{100 * found['hamming']:.2f} | {100 * found['one_error']:.2f}"
            else:
                cells = f"{100 * np.mean(model.predict(x_test) != test['class']):.2f} | "
            self.say(f"| {name} | linear SVM on tf-idf | {cells} | {seconds:.1f} | {vectorising:.1f} |")
            self.say(f"| {name} | scikit-learn, presence of words only | | | {counting:.1f} | {counting:.1f} |")

    def run(self):
        for name in self.options.only.split(","):
            {"sets": self.sets, "text": self.text}[name]()
        if self.options.out:
            with open(self.options.out, "w") as file:
                file.write("# Label sets and text beside others\n" + "\n".join(self.lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", required=True, help="folder of the data sets")
    parser.add_argument("--only", default="sets,text")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", help="write the tables to this file too")
    options = parser.parse_args()
    subprocess.run(["cargo", "build", "--release", "-p", "manyboost-cli"], cwd=ROOT, check=True)
    Labels(options).run()


if __name__ == "__main__":
    main()
