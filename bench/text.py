"""Texts: `manyboost train` without any option beside what scikit-learn users take, in one run.

    python bench/text.py --data DIR [--only 20newsgroups,banking77,reuters21578,mixed] [--repeat 3] [--catboost] [--cli PATH]

DIR holds a folder for each set, with train.csv and test.csv (or .csv.gz). Peers are linear SVMs, logistic regression and complement naive
Bayes on tf-idf, with their defaults; with --catboost also CatBoost with text features. Seconds are those of vectoriser and fit for the
peers, whose rows are in memory by then, and of the whole command from file to model file for ours. `mixed` is made here and from
banking77: tables of a text, a category and a number of which only all together say the class.
"""

import argparse
import csv
import gzip
import json
import os
import random
import subprocess
import tempfile
import time

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import ComplementNB
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC

csv.field_size_limit(1 << 30)


def path_of(folder, part):
    paths = [os.path.join(folder, part + end) for end in (".csv", ".csv.gz")]
    return next(path for path in paths if os.path.exists(path))


def read(path):
    with (gzip.open(path, "rt") if path.endswith(".gz") else open(path)) as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def answers(names, train, test):
    """The text of each row, and classes as numbers or labels as 0 and 1."""
    texts = [[row[0] for row in rows] for rows in (train, test)]
    labels = [at for at, name in enumerate(names) if name.startswith("label:")]
    if labels:
        return texts, [np.array([[int(row[at]) for at in labels] for row in rows]) for rows in (train, test)]
    classes = {name: at for at, name in enumerate(sorted({row[-1] for row in train}))}
    return texts, [np.array([classes[row[-1]] for row in rows]) for rows in (train, test)]


def figures(truth, scores, chances):
    """Error and log loss; for label sets Hamming loss, one-error and the log loss summed over labels."""
    rows = np.arange(len(truth))
    if truth.ndim == 1:
        loss = None if chances is None else -np.log(np.clip(chances[rows, truth], 1e-15, 1)).mean()
        return {"error": (scores.argmax(1) != truth).mean(), "log loss": loss}
    said = scores > 0 if chances is None else chances > 0.5
    loss = None
    if chances is not None:
        p = np.clip(np.where(truth == 1, chances, 1 - chances), 1e-15, 1)
        loss = -np.log(p).sum(1).mean()
    return {"error": (said != truth).mean(), "one-error": (truth[rows, scores.argmax(1)] == 0).mean(), "log loss": loss}


def fit_peer(make, texts, truth, beside):
    began = time.perf_counter()
    vectoriser = TfidfVectorizer()
    rows = vectoriser.fit_transform(texts[0])
    others = None
    if beside is not None:
        others = OneHotEncoder(handle_unknown="ignore").fit(beside[0][0])
        rows = hstack([rows, others.transform(beside[0][0]), csr_matrix(beside[0][1])]).tocsr()
    model = make()
    model = OneVsRestClassifier(model) if truth[0].ndim == 2 else model
    model.fit(rows, truth[0])
    seconds = time.perf_counter() - began
    test = vectoriser.transform(texts[1])
    if others is not None:
        test = hstack([test, others.transform(beside[1][0]), csr_matrix(beside[1][1])]).tocsr()
    chances = model.predict_proba(test) if hasattr(model, "predict_proba") else None
    scores = model.decision_function(test) if hasattr(model, "decision_function") else chances
    return {**figures(truth[1], scores, chances), "seconds": seconds}


def fit_ours(cli, train, test, more):
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model")
        began = time.perf_counter()
        subprocess.run([cli, "train", train, "--out", model, *more], check=True, capture_output=True)
        seconds = time.perf_counter() - began
        found = subprocess.run([cli, "evaluate", model, test, "--json"], check=True, capture_output=True)
        size = os.path.getsize(model) / 1e6
    found = json.loads(found.stdout)
    error = found["hamming"] if "hamming" in found else found["error"]
    of = {"error": error, "log loss": found["log_loss"], "seconds": seconds, "MB": size}
    if found.get("one_error") is not None:
        of["one-error"] = found["one_error"]
    return of


def fit_catboost(texts, truth, beside):
    from catboost import CatBoostClassifier, Pool

    def pool(part):
        columns = [texts[part]]
        if beside is not None:
            columns += [list(column) for column in zip(*beside[part][0])]
            columns += [list(column) for column in beside[part][1].T]
        rows = [list(row) for row in zip(*columns)]
        categories = list(range(1, 1 + (len(beside[part][0][0]) if beside is not None else 0)))
        return Pool(rows, truth[part], text_features=[0], cat_features=categories)

    began = time.perf_counter()
    model = CatBoostClassifier(verbose=False, allow_writing_files=False, thread_count=2)
    model.fit(pool(0))
    seconds = time.perf_counter() - began
    chances = model.predict_proba(pool(1))
    return {**figures(truth[1], chances, chances), "seconds": seconds}


PEERS = {
    "LinearSVC": LinearSVC,
    "logistic regression": lambda: LogisticRegression(max_iter=200, tol=1e-3),
    "complement naive Bayes": ComplementNB,
}


def told(name, found):
    shares = [f"{key} {100 * found[key]:.2f} %" for key in ("error", "one-error") if found.get(key) is not None]
    loss = "" if found.get("log loss") is None else f", log loss {found['log loss']:.4f}"
    size = f", {found['MB']:.1f} MB" if "MB" in found else ""
    print(f"  {name}: {', '.join(shares)}{loss}, {found['seconds']:.2f} s{size}", flush=True)


def least(runs):
    return {**runs[0], "seconds": min(run["seconds"] for run in runs)}


def compare(args, name, train, test, beside=None):
    names, rows = read(train)
    texts, truth = answers(names, rows, read(test)[1])
    print(name, flush=True)
    turns = {peer: [] for peer in ["manyboost", *PEERS]}
    for _ in range(args.repeat):
        turns["manyboost"].append(fit_ours(args.cli, train, test, []))
        for peer, make in PEERS.items():
            # Naive Bayes has no numbers below 0.
            if beside is not None and make is ComplementNB:
                continue
            if not turns[peer] or peer == "LinearSVC":
                turns[peer].append(fit_peer(make, texts, truth, beside))
    for peer, runs in turns.items():
        if runs:
            told(peer, least(runs))
    if beside is not None:
        told("manyboost, text alone", fit_ours(args.cli, train, test, ["--ignore", "where,amount"]))
        told("manyboost, without text", fit_ours(args.cli, train, test, ["--ignore", "text"]))
    if args.catboost and truth[0].ndim == 1:
        told("CatBoost", fit_catboost(texts, truth, beside))


def mixed(texts, topics, seed):
    """Rows of a text, a place and an amount; the class is what they say together."""
    draw = random.Random(seed)
    rows = []
    for text, topic in zip(texts, topics):
        where, amount = draw.choice("abcd"), draw.gauss(0, 1)
        # The text says one half, the place and the amount the other.
        rows.append([text, where, f"{amount:.4f}", f"{topic}{int((where in 'ab') != (amount > 0))}"])
    return rows


def generated(count, seed):
    draw = random.Random(seed)
    words = [f"w{at}" for at in range(3000)]
    topics = [draw.randrange(6) for _ in range(count)]
    text = lambda topic: " ".join(
        words[500 * topic + int(500 * draw.random() ** 2)] if draw.random() < 0.25 else draw.choice(words) for _ in range(20)
    )
    return mixed([text(topic) for topic in topics], topics, seed + 1)


def banking(folder):
    """banking77 with its classes in six groups."""
    names = sorted({row[-1] for row in read(path_of(folder, "train"))[1]})
    group = {name: at % 6 for at, name in enumerate(names)}
    parts = []
    for seed, part in enumerate(("train", "test")):
        rows = read(path_of(folder, part))[1]
        parts.append(mixed([row[0] for row in rows], [group[row[1]] for row in rows], seed))
    return parts


def compare_mixed(args):
    made = {"generated table of text, category and number": [generated(6000, 1), generated(6000, 7)]}
    made["banking77 in six groups, with a category and a number"] = banking(os.path.join(args.data, "banking77"))
    for name, parts in made.items():
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, part + ".csv") for part in ("train", "test")]
            for path, rows in zip(paths, parts):
                with open(path, "w", newline="") as file:
                    csv.writer(file).writerows([["text", "where", "amount", "class"], *rows])
            beside = [([[row[1]] for row in rows], np.array([[float(row[2])] for row in rows])) for rows in parts]
            compare(args, name, *paths, beside=beside)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--only", default="20newsgroups,banking77,reuters21578,mixed")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--catboost", action="store_true")
    parser.add_argument("--cli", default="target/release/manyboost")
    args = parser.parse_args()
    for name in args.only.split(","):
        if name == "mixed":
            compare_mixed(args)
        else:
            folder = os.path.join(args.data, name)
            compare(args, name, path_of(folder, "train"), path_of(folder, "test"))


if __name__ == "__main__":
    main()
