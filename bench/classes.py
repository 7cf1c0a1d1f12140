#!/usr/bin/env python3
"""Many classes: what a round costs with 100, 400 and 1,000 of them, and what the sketch costs in accuracy.

usage: classes.py [--classes 100,400,1000] [--whole 100,400] [--rounds N] [--repeat N] [--peers lightgbm-100,xgb-100] [--python PYTHON]

Rows are generated: class centres in 10 dimensions, seen through 50 features, and noise. A round is the difference between
two fits, divided by the difference of their rounds, so that whatever is done once cancels; fits with different numbers of
classes take turns, and the least of the repeated times counts. "All classes" searches splits on every class instead of on a sketch.
Peers run on the first number of classes. Needs a Python with numpy, and with the peers.
"""
import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile

from side_by_side import HERE, ROOT, binary, heading

FEW = 10
FEATURES, LATENT, NOISE = 50, 10, 0.6


def make(folder, classes, rows):
    """Training and test rows, as CSV files."""
    import numpy as np
    random = np.random.default_rng(classes)
    centres = random.normal(size=(classes, LATENT)) @ random.normal(size=(LATENT, FEATURES)) / LATENT ** 0.5
    files = []
    for name, count in (("train", rows), ("test", rows // 5)):
        y = random.integers(classes, size=count)
        x = centres[y] + NOISE * random.normal(size=(count, FEATURES))
        files.append(os.path.join(folder, f"{name}-{classes}.csv"))
        with open(files[-1], "w") as out:
            out.write(",".join(f"x{i}" for i in range(FEATURES)) + ",class\n")
            np.savetxt(out, np.column_stack([x, y]), fmt=["%.4g"] * FEATURES + ["c%d"], delimiter=",")
    return files


def answer(words):
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT)
    return json.loads(done.stdout.strip().splitlines()[-1])


def fit(files, rounds, threads, *more):
    return answer([binary(), "fit", "--train", files[0], "--test", files[1], "--threads", str(threads),
                   "--rounds", str(rounds), *more])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--classes", type=lambda text: [int(k) for k in text.split(",")], default=[100, 400, 1000])
    parser.add_argument("--whole", type=lambda text: [int(k) for k in text.split(",")], default=[100, 400],
                        help="numbers of classes with which splits are also searched on all classes (slow)")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--peers", type=lambda text: [who for who in text.split(",") if who], default=["lightgbm-100", "xgb-100"])
    parser.add_argument("--python", default=sys.executable, help="Python that has the peers")
    options = parser.parse_args()
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "manyboost-bench"], cwd=ROOT, check=True)
    lines = []

    def say(line):
        print(line, flush=True)
        lines.append(line)

    for line in heading("Many classes"):
        say(line)
    say(f"{options.rows:,} rows x {FEATURES} features, {options.threads} threads, {options.rounds} rounds; "
        f"the least of {options.repeat}, by turns.\n")
    say("| classes | s a round | to the first | error % | error %, all classes | s a round, all classes | memory MB |")
    say("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        sets = {k: make(folder, k, options.rows) for k in options.classes}
        runs = {k: {} for k in sets}
        for _ in range(options.repeat):
            for k, files in sets.items():
                for rounds in (FEW, options.rounds):
                    runs[k].setdefault(rounds, []).append(fit(files, rounds, options.threads))

        def each(by_rounds):
            least = {rounds: min(run["seconds"] for run in those) for rounds, those in by_rounds.items()}
            return (least[options.rounds] - least[FEW]) / (options.rounds - FEW)

        first = each(runs[options.classes[0]])
        for k, files in sets.items():
            sketched, last = each(runs[k]), runs[k][options.rounds][-1]
            all_classes = " | "
            if k in options.whole:
                whole = {rounds: [fit(files, rounds, options.threads, "--sketch", "0")] for rounds in (FEW, options.rounds)}
                all_classes = f"{100 * whole[options.rounds][0]['error']:.2f} | {each(whole):.3f}"
            say(f"| {k} | {sketched:.3f} | {sketched / first:.2f} | {100 * last['error']:.2f} "
                f"| {all_classes} | {last['rss'] / 1e6:.0f} |")
        if options.peers:
            k = options.classes[0]
            say(f"\nWith {k} classes, whole fits, by turns:\n")
            say("| | error % | log loss | fit s | memory MB |")
            say("|---|---|---|---|---|")
            show = lambda who, run: say(f"| {who} | {100 * run['error']:.2f} | {run['log_loss']:.4f} | {run['seconds']:.1f} "
                                        f"| {run['rss'] / 1e6:.0f} |")
            for rounds in (options.rounds, 100):
                show(f"manyboost, {rounds} rounds", fit(sets[k], rounds, options.threads))
            for who in options.peers:
                words = [options.python, os.path.join(HERE, "peer_fit.py"), who, *sets[k], "--threads", str(options.threads)]
                show(who, answer(words))
    target = os.path.join(HERE, "runs", datetime.date.today().isoformat() + "-classes")
    os.makedirs(target, exist_ok=True)
    with open(os.path.join(target, "classes.md"), "w") as out:
        out.write("\n".join(lines) + "\n")
    print(f"\nwritten to {os.path.relpath(target)}")


if __name__ == "__main__":
    sys.exit(main())
