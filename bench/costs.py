#!/usr/bin/env python3
"""Training with costs beside plain training, on the same rows.

usage: costs.py [SET…] --data DIR [--threads N] [--booster NAME] [--out FILE.md]

Three matrices for each set: `random` costs from 1 to 10, `distance` |i − j| of the classes in order, and `rare`, where missing
a class costs as much as it is rarer than the most frequent one. Matrices do not depend on anything but the training labels.
"""
import argparse
import csv
import json
import os
import random
import subprocess
import tempfile
from collections import Counter

from papers import BINARY, ROOT
from side_by_side import Suite, opened

SETS = "vehicle vowel segment satimage optdigits pendigits letter abalone poker".split()


def classes(path):
    """How often each class occurs."""
    with opened(path) as file:
        lines = csv.DictReader(line.decode() for line in file)
        return Counter(line["class"] for line in lines)


def split(path, folder):
    """Training and test rows of a file without a split: every fifth row is tested on."""
    with opened(path) as file:
        header, *lines = file.read().decode().splitlines(keepends=True)
    paths = [os.path.join(folder, part + ".csv") for part in ("train", "test")]
    for path, own in zip(paths, ((line for i, line in enumerate(lines) if i % 5 != 4), lines[4::5])):
        with open(path, "w") as file:
            file.writelines([header, *own])
    return paths


def matrices(counts):
    names = sorted(counts, key=lambda name: (not name.isdigit(), int(name) if name.isdigit() else 0, name))
    draw, most = random.Random(1), max(counts.values())
    wrong = {(a, b): draw.randint(1, 10) for a in names for b in names}
    yield "random", names, lambda a, b: wrong[a, b]
    yield "distance", names, lambda a, b: abs(names.index(a) - names.index(b))
    yield "rare", names, lambda a, b: most / counts[a]


def write(path, names, cost):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["truth", *names])
        out.writerows([a, *(0 if a == b else cost(a, b) for b in names)] for a in names)


class Costs:
    def __init__(self, options):
        self.options = options
        self.files = Suite(options)
        self.lines = []

    def say(self, line):
        print(line, flush=True)
        self.lines.append(line)

    def measure(self, folder, files, costs, matrix):
        """Mean costs on the test rows: of the answers, and of the cheapest answers by probability."""
        model = os.path.join(folder, "model")
        words = ["--booster", self.options.booster, "--threads", str(self.options.threads), "--quiet"]
        subprocess.run([BINARY, "train", files[0], "--out", model, *words, *costs], check=True, stdout=subprocess.DEVNULL)
        found = subprocess.run([BINARY, "evaluate", model, files[1], "--costs", matrix, "--json"],
                               check=True, capture_output=True, text=True)
        figures = json.loads(found.stdout)
        return figures["cost"], figures["cost_of_cheapest"]

    def run(self):
        self.say(f"# What mistakes cost: `{self.options.booster}` with `--costs` beside the plain model\n")
        self.say("Mean cost on test rows: of the likeliest class, and of the cheapest one by the model's probabilities.\n")
        self.say("| data | costs | plain, likeliest | plain, cheapest | with costs, likeliest | with costs, cheapest | of plain, cheapest |")
        self.say("|---|---|---|---|---|---|---|")
        for name in self.options.sets:
            with tempfile.TemporaryDirectory() as folder:
                files = self.files.data(name)
                if files[1] is None:
                    files = split(files[0], folder)
                for which, names, cost in matrices(classes(files[0])):
                    matrix = os.path.join(folder, "costs.csv")
                    write(matrix, names, cost)
                    likeliest, cheapest = self.measure(folder, files, [], matrix)
                    likely, ours = self.measure(folder, files, ["--costs", matrix], matrix)
                    self.say(f"| {name} | {which} | {likeliest:.4f} | {cheapest:.4f} | {likely:.4f} | {ours:.4f} "
                             f"| {ours / cheapest:.3f} |")
        if self.options.out:
            with open(self.options.out, "w") as file:
                file.write("\n".join(self.lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sets", nargs="*", default=SETS, help="data sets: folders of DIR with train and test rows")
    parser.add_argument("--data", required=True, help="folder of data sets, one folder each")
    parser.add_argument("--booster", default="mcboost", help="mcboost or mm")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", help="write the table to this file too")
    options = parser.parse_args()
    options.quick = False
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "manyboost-cli"], cwd=ROOT, check=True)
    Costs(options).run()


if __name__ == "__main__":
    main()
