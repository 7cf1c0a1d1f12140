#!/usr/bin/env python3
"""The default booster beside the peers, on whole data sets: errors, log losses, seconds, memory, model sizes.

usage: against.py [SET…] --data DIR [--peers lightgbm-100,…] [--repeat N] [--threads N] [--limit SECONDS] [--python PYTHON]

Everybody has a process of his own and the same rows, and they take turns. Figures of ours are those of `manyboost train`
without any option. The least of the repeated times counts. "Time to" is the part of our training after which the test error
is no more than the peer's: from the test errors of all rounds, which are looked at after training and decide nothing.
"""
import argparse
import datetime
import json
import os
import subprocess
import sys

from side_by_side import HERE, ROOT, Suite, binary, heading, peers_python

SETS = ("letter pendigits optdigits satimage isolet shuttle segment vehicle vowel abalone poker connect-4 covertype "
        "mnist fashion-mnist walking-activity").split()
PEERS = "lightgbm-100 xgb-100 xgb-300-lr.1 xgb-vector-300 catboost-1000 sk-hgb-100 sk-samme-d10-200".split()
PACKAGES = ["numpy", "pandas", "scikit-learn", "lightgbm", "xgboost", "catboost"]
OURS = "manyboost"


class Contest:
    def __init__(self, options):
        self.options = options
        self.files = Suite(options)
        self.raw = []
        self.lines = []

    def run(self, command):
        """One process; None where it fails or takes too long."""
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=self.options.limit, cwd=ROOT)
        except subprocess.TimeoutExpired:
            return {"failed": f"over {self.options.limit:.0f} s"}
        if done.returncode:
            return {"failed": (done.stderr.strip().splitlines() or ["?"])[-1][:200]}
        return json.loads(done.stdout.strip().splitlines()[-1])

    def fit(self, who, files, staged=False):
        threads = ["--threads", str(self.options.threads)]
        if who != OURS:
            words = [self.options.python, os.path.join(HERE, "peer_fit.py"), who, *[f for f in files if f]]
            return self.run(words + threads)
        words = [binary(), "fit", "--train", files[0], *(["--test", files[1]] if files[1] else [])]
        return self.run(words + threads + (["--staged"] if staged else []))

    def contest(self, name):
        files = self.files.data(name)
        runs = {who: [] for who in (OURS, *self.options.peers)}
        for _ in range(self.options.repeat):
            for who in runs:
                if not any("failed" in run for run in runs[who]):
                    runs[who].append(self.fit(who, files))
        best = {who: self.least(those) for who, those in runs.items()}
        staged = self.fit(OURS, files, staged=True).get("staged", [])
        for who, those in runs.items():
            self.raw.append({"data": name, "who": who, "runs": those})
        self.raw.append({"data": name, "who": OURS, "staged": staged})
        self.table(name, best, staged)

    @staticmethod
    def least(runs):
        """The fastest run, with the least of each time."""
        if any("failed" in run for run in runs):
            return runs[-1]
        best = dict(min(runs, key=lambda run: run["seconds"]))
        best["predict"] = min(run["predict"] for run in runs)
        return best

    def table(self, name, best, staged):
        ours = best[OURS]
        self.say(f"\n## {name}\n")
        self.say("| | error % | log loss | fit s | to our fit | predict s | memory MB | model kB | our time to its error, of its fit |")
        self.say("|---|---|---|---|---|---|---|---|---|")
        for who, run in best.items():
            if "failed" in run:
                self.say(f"| {who} | {run['failed']} |" + " |" * 7)
                continue
            reached = next((at + 1 for at, error in enumerate(staged) if error <= run["error"]), None)
            to = "-" if who == OURS else "never" if reached is None else (
                f"{ours['seconds'] * reached / len(staged) / run['seconds']:.3f} ({reached} rounds)")
            self.say(f"| {who} | {100 * run['error']:.2f} | {run['log_loss']:.4f} | {run['seconds']:.2f} "
                     f"| {run['seconds'] / ours['seconds']:.2f} | {run['predict']:.3f} | {run['rss'] / 1e6:.0f} "
                     f"| {run['bytes'] / 1e3:.0f} | {to} |")

    def say(self, line):
        print(line, flush=True)
        self.lines.append(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=SETS, help="data sets: folders of DIR (the sixteen of docs/benchmarks.md if none)")
    parser.add_argument("--data", required=True, help="folder of data sets, one folder each")
    parser.add_argument("--peers", type=lambda text: text.split(","), default=PEERS)
    parser.add_argument("--python", default=os.path.join(HERE, ".venv", "bin", "python"), help="Python that has the peers")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--limit", type=float, default=900, help="most seconds of one run")
    parser.add_argument("--name", default="", help="added to the name of the folder that is written")
    parser.add_argument("--quick", action="store_true", help="a few rows, to see that it works; writes nothing")
    options = parser.parse_args()
    options.python = peers_python(options.python, PACKAGES)
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "manyboost-bench"], cwd=ROOT, check=True)
    contest = Contest(options)
    for line in [*heading("Against the peers"), f"{options.threads} threads; the least of {options.repeat} run(s), by turns."]:
        contest.say(line)
    for name in options.sets:
        contest.contest(name)
    if options.quick:
        return
    folder = os.path.join(HERE, "runs", datetime.date.today().isoformat() + (f"-{options.name}" if options.name else ""))
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "against.md"), "w") as out:
        out.write("\n".join(contest.lines) + "\n")
    with open(os.path.join(folder, "against.jsonl"), "w") as out:
        out.writelines(json.dumps(row) + "\n" for row in contest.raw)
    print(f"\nwritten to {os.path.relpath(folder)}")


if __name__ == "__main__":
    sys.exit(main())
