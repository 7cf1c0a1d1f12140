#!/usr/bin/env python3
"""Ours beside the peers, in one run and taking turns, for the figures that must hold.

usage: side_by_side.py --data DIR [--only samme,rounds,predict,read] [--repeat N] [--threads N] [--python PYTHON] [--quick]

Both programs of a comparison are alive at the same time, have read their data, and are told to measure by turns, so that
a busy moment of the machine hits both alike. The least of the repeated times counts. Needs only the standard library; the
peers live in an environment of their own, made on demand (bench/.venv). See bench/README.md.
"""
import argparse
import datetime
import gzip
import json
import os
import platform
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PEERS = ["numpy", "pandas", "scikit-learn", "lightgbm"]


class Worker:
    """A process that measures once for each line it gets."""

    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"no answer from: {' '.join(self.command)}")
        return json.loads(line)

    def measure(self, line=""):
        # The other program's threads may still be spinning.
        time.sleep(0.3)
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return self.answer()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Suite:
    def __init__(self, options):
        self.options = options
        self.lines = []
        self.raw = []
        self.scratch = os.path.join(HERE, ".data")

    # Data

    def data(self, name):
        """The files of a data set: [train, test or None]; with --quick their first rows."""
        folder = os.path.join(self.options.data, name)
        train = self.find(folder, "train")
        files = [train, self.find(folder, "test")] if train else [self.find(folder, "data"), None]
        if files[0] is None:
            raise SystemExit(f"{folder}: neither train.csv nor data.csv (nor .gz)")
        return [self.head(name, f) if f and self.options.quick else f for f in files]

    @staticmethod
    def find(folder, stem):
        for end in (".csv", ".csv.gz"):
            path = os.path.join(folder, stem + end)
            if os.path.exists(path):
                return path
        return None

    def head(self, name, path, rows=3000):
        target = os.path.join(self.scratch, f"{name}-{os.path.basename(path).split('.')[0]}-{rows}.csv")
        if not os.path.exists(target):
            os.makedirs(self.scratch, exist_ok=True)
            with opened(path) as source, open(target + ".part", "wb") as out:
                for _, line in zip(range(rows + 1), source):
                    out.write(line)
            os.replace(target + ".part", target)
        return target

    def unpacked(self, name):
        path = self.data(name)[0]
        if not path.endswith(".gz"):
            return path
        target = os.path.join(self.scratch, f"{name}.csv")
        if not os.path.exists(target):
            os.makedirs(self.scratch, exist_ok=True)
            with opened(path) as source, open(target + ".part", "wb") as out:
                shutil.copyfileobj(source, out)
            os.replace(target + ".part", target)
        return target

    # Programs

    def ours(self, command, files, threads, **options):
        words = [binary(), command, "--train", files[0], "--threads", str(threads), "--wait"]
        if files[1]:
            words += ["--test", files[1]]
        for name, value in options.items():
            words += ["--" + name.replace("_", "-"), str(value)]
        return Worker(words)

    def peer(self, task, files, threads, **more):
        task = {"task": task, "data": files, "threads": threads, **more}
        return Worker([self.options.python, os.path.join(HERE, "peer.py"), json.dumps(task)])

    # Results

    def note(self, what, **figures):
        row = {"what": what, **figures}
        self.raw.append(row)
        print(json.dumps(row), flush=True)

    def line(self, what, ours, peer, ratio, needed, holds):
        self.lines.append((what, ours, peer, ratio, needed, "yes" if holds else "NO"))
        print(" | ".join(self.lines[-1]), flush=True)

    # The figures

    def samme(self):
        rounds, quick = (200, False) if not self.options.quick else (20, True)
        for name in ("letter", "pendigits", "satimage"):
            files = self.data(name)
            for depth, needed in ((2, 10), (10, 4)):
                ours = {
                    threads: self.ours("fit", files, threads, booster="samme", learner="tree", depth=depth,
                                       criterion="gini", rounds=rounds)
                    for threads in dict.fromkeys((1, self.options.threads))
                }
                peer = self.peer("samme", files, 1, depth=depth, rounds=rounds)
                times = {threads: [] for threads in ours}
                theirs = []
                for _ in range(1 if quick else self.options.repeat):
                    for threads, worker in ours.items():
                        times[threads].append(worker.measure())
                    theirs.append(peer.measure())
                their = least(theirs)
                for threads, worker in ours.items():
                    our = least(times[threads])
                    ratio = their["seconds"] / our["seconds"]
                    what = f"SAMME, depth {depth}, {rounds} rounds, {name}, {threads} thread(s)"
                    self.note(what, ours=times[threads], peer=theirs)
                    self.line(what, f"{our['seconds']:.3f} s, error {our['error']:.4f}",
                              f"scikit-learn {their['seconds']:.3f} s, error {their['error']:.4f}",
                              f"{ratio:.1f} × as fast", f"≥ {needed} ×", ratio >= needed)
                    worker.close()
                peer.close()

    def rounds(self):
        few, many = (20, 120) if not self.options.quick else (2, 12)
        for name, needed in (("letter", 1 / 5), ("covertype", 1 / 2)):
            files = self.data(name)
            threads = self.options.threads
            ours = self.ours("fit", files, threads, booster="mcboost", leaves=64, temperature=1)
            peer = self.peer("rounds", files, threads, rounds=many)
            seconds = {"ours": {few: [], many: []}, "peer": {few: [], many: []}}
            errors = {}
            for _ in range(1 if self.options.quick else self.options.repeat):
                for count in (few, many):
                    for who, worker in (("ours", ours), ("peer", peer)):
                        answer = worker.measure(count)
                        seconds[who][count].append(answer["seconds"])
                        errors[who] = answer["error"]
            each = {who: (min(s[many]) - min(s[few])) / (many - few) for who, s in seconds.items()}
            ratio = each["ours"] / each["peer"]
            what = f"one round, {name}, {threads} threads"
            self.note(what, seconds=seconds, errors=errors)
            self.line(what, f"{1e3 * each['ours']:.2f} ms (64 leaves; error {errors['ours']:.4f} after {many})",
                      f"LightGBM {1e3 * each['peer']:.2f} ms (k × 31 leaves; error {errors['peer']:.4f})",
                      f"{ratio:.3f} of the time", f"≤ {needed:g}", ratio <= needed)
            ours.close()
            peer.close()

    def predict(self):
        rounds, rows = (300, 1_000_000) if not self.options.quick else (5, 20_000)
        files, threads = self.data("covertype"), self.options.threads
        ours = self.ours("predict", files, threads, booster="mcboost", leaves=64, rounds=rounds, rows=rows)
        peer = self.peer("predict", files, threads, rounds=rounds, rows=rows)
        our, their = [], []
        for _ in range(self.options.repeat):
            our.append(ours.measure())
            their.append(peer.measure())
        ours.close()
        peer.close()
        a, b = least(our)["seconds"], least(their)["seconds"]
        what = f"predicting {rows:,} rows of covertype, {rounds} rounds, {threads} threads"
        self.note(what, ours=our, peer=their)
        self.line(what, f"{a:.3f} s", f"LightGBM {b:.3f} s", f"{b / a:.1f} × as fast", "≥ 1 ×", b >= a)

    def read(self):
        path, threads = self.unpacked("covertype"), self.options.threads
        our, their = [], []
        for _ in range(self.options.repeat):
            # A process of its own each time: its peak memory is part of the figure.
            command = [binary(), "read", path, "--threads", str(threads)]
            our.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
            peer = self.peer("read", [path, None], threads)
            their.append(peer.measure())
            peer.close()
        a, b = least(our), least(their)
        self.note("reading covertype", ours=our, peer=their)
        ratio = b["seconds"] / a["seconds"]
        self.line(f"reading covertype.csv, {a['rows']:,} × {a['columns']}, {threads} threads", f"{a['seconds']:.3f} s",
                  f"pandas (C) {b['seconds']:.3f} s", f"{ratio:.1f} × as fast", "≥ 1 ×", ratio >= 1)
        values = a["rows"] * a["columns"]
        most = max(r["bytes_per_value"] for r in our)
        self.line("peak memory of reading and binning, bytes per value", f"{most:.2f}",
                  f"pandas, reading only {b['rss'] / values:.2f}", "", "≤ 6", most <= 6)

    def summary(self):
        table = ["| figure | ours | peer | ratio | needed | holds |", "|---|---|---|---|---|---|"]
        table += ["| " + " | ".join(line) + " |" for line in self.lines]
        task = {"task": "versions", "data": [None, None], "threads": 1}
        found = subprocess.run([self.options.python, os.path.join(HERE, "peer.py"), json.dumps(task)],
                               check=True, capture_output=True, text=True).stdout
        peers = ", ".join(f"{name} {version}" for name, version in json.loads(found).items())
        head = [
            *heading("Side by side"),
            f"{os.cpu_count()} cores; {platform.system()} {platform.release()}; {peers}. "
            f"Load at the end {os.getloadavg()[0]:.1f}. Each figure is the least of {self.options.repeat} runs, by turns.",
            "",
        ]
        return "\n".join(head + table) + "\n"


def opened(path):
    return gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")


def least(results):
    return min(results, key=lambda result: result["seconds"])


def heading(title):
    """The first lines of a file of figures: what, when, which commit, which machine."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    return [f"# {title}, {datetime.date.today().isoformat()}", "", f"Commit {commit or '?'}; {processor()}."]


def processor():
    try:
        with open("/proc/cpuinfo") as info:
            return next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def binary():
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    return os.path.join(target, "release", "manyboost-bench")


def peers_python(path, packages=PEERS):
    """The peers' Python; the environment in bench/.venv is made where it is asked for and not there."""
    if not os.path.exists(path):
        folder = os.path.dirname(os.path.dirname(os.path.abspath(path)))
        if folder != os.path.join(HERE, ".venv"):
            raise SystemExit(f"{path}: no such Python")
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([path, "-m", "pip", "install", "--quiet", *packages], check=True)
    return os.path.abspath(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, help="folder of data sets, one folder each")
    parser.add_argument("--python", default=os.path.join(HERE, ".venv", "bin", "python"), help="Python that has the peers")
    parser.add_argument("--only", default="samme,rounds,predict,read", help="which figures")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="a few rows and rounds, to see that it works; writes nothing")
    options = parser.parse_args()
    options.python = peers_python(options.python)
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "manyboost-bench"], cwd=ROOT, check=True)
    suite = Suite(options)
    for name in options.only.split(","):
        {"samme": suite.samme, "rounds": suite.rounds, "predict": suite.predict, "read": suite.read}[name]()
    text = suite.summary()
    print("\n" + text)
    if options.quick:
        print("quick: nothing is written, and no figure means anything")
        return
    folder = os.path.join(HERE, "runs", datetime.date.today().isoformat())
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "summary.md"), "w") as out:
        out.write(text)
    with open(os.path.join(folder, "results.jsonl"), "w") as out:
        out.writelines(json.dumps(row) + "\n" for row in suite.raw)
    print(f"written to {os.path.relpath(folder)}")


if __name__ == "__main__":
    main()
