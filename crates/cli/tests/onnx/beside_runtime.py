"""Runs exported models in onnxruntime, beside `manyboost predict`: every booster with trees, on five data sets.

Usage: beside_runtime.py MANYBOOST FOLDER. FOLDER is for files that this makes. Ends with 1 and says where, if a label differs or a
probability is farther off than 1e-5.
"""

import csv
import math
import subprocess
import sys
from pathlib import Path

import numpy
import onnxruntime

MANYBOOST, FOLDER = Path(sys.argv[1]).resolve(), Path(sys.argv[2])

TREE = "--learner tree --leaves 6"
DATA = ["gaussians", "waveform", "blobs", "mixed", "spheres"]
BOOSTERS = [
    "mcboost --rounds 40",
    "m1 --learner tree --leaves 16 --rounds 30",
    f"samme {TREE} --rounds 30",
    f"mh {TREE} --rounds 20",
    "mh --answers factored --learner product --factors 3 --rounds 20",
    f"mh-real {TREE} --rounds 20",
    f"mo {TREE} --code random --decode hamming --rounds 20",
    f"mo {TREE} --code random --decode loss --rounds 20",
    f"mr {TREE} --rounds 20",
    f"m2 {TREE} --rounds 20",
    f"mm {TREE} --rounds 20",
    f"os {TREE} --edge 0.1 --loss exponential --rounds 20",
    f"ova {TREE} --rounds 20",
    f"ecc {TREE} --rounds 20",
    f"logitboost {TREE} --rounds 20",
    f"lp {TREE} --rounds 10",
    f"gd-mcboost {TREE} --loss exponential --rounds 20",
    f"gd-mcboost {TREE} --loss savage --rounds 20",
    "cd-mcboost --learner stump --loss logistic --rounds 30",
    f"iter {TREE} --epoch 5 --rounds 20",
    f"iter {TREE} --epoch 4 --relabel position --eliminate last-negative --rounds 18",
]
TWO = ["adaboost --learner tree --leaves 6 --rounds 20", "adaboost --answers confidence --rounds 20", "adaboost --answers abstain --rounds 20"]
SETS = ["mcboost --rounds 20", f"mh {TREE} --rounds 10", f"mh-real {TREE} --rounds 10", f"mr {TREE} --rounds 10", f"ova {TREE} --rounds 10"]

# LPBoost leaves many rows with two classes that are equally likely, and single precision cannot tell which of them comes first.
LEAST_LEAD = {"lp": 1e-6}


def fine(*arguments):
    done = subprocess.run([MANYBOOST, "--quiet", *arguments], cwd=FOLDER, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"manyboost {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def table(name):
    with open(FOLDER / name, newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def inputs(session, header, rows):
    """The inputs that the file's metadata asks for."""
    notes = session.get_modelmeta().custom_metadata_map
    feed = {}
    for name, kind in (("numbers", float), ("categories", str)):
        columns = [column for column in notes[name].split("\n") if column]
        if columns:
            places = [header.index(column) for column in columns]
            value = (lambda text: float(text) if text else math.nan) if kind is float else str
            cells = [[value(row[place]) for place in places] for row in rows]
            feed[name] = numpy.array(cells, dtype=numpy.float64 if kind is float else object)
    return feed


def compare(model, data, header, rows, least_lead):
    fine("export", model, "--out", "m.onnx", "--check", data)
    out = fine("predict", model, data, "--proba")
    ours = list(csv.reader(out.splitlines()))[1:]
    session = onnxruntime.InferenceSession(str(FOLDER / "m.onnx"), providers=["CPUExecutionProvider"])
    label, _, probabilities = session.run(None, inputs(session, header, rows))
    if label.ndim == 2:
        # Label sets: no class in front, and the labels are 0 or 1 each.
        named = [list(map(int, row)) for row in csv.reader(fine("predict", model, data).splitlines()[1:])]
        wrong = int((numpy.array(named) != label).any(axis=1).sum())
        wanted = numpy.array(ours, dtype=float)
    else:
        # Classes that are whole numbers are numbers in a graph too.
        whole = all(name.removeprefix("-").isdigit() and name == str(int(name)) for name in {row[0] for row in ours})
        if (label.dtype == numpy.int64) != whole:
            sys.exit(f"{data}: labels are {label.dtype}")
        wanted = numpy.array([row[1:] for row in ours], dtype=float)
        first, second = numpy.sort(wanted, axis=1)[:, :-3:-1].T
        wrong = sum(a[0] != str(b) for a, b, clear in zip(ours, label, first - second >= least_lead) if clear)
    return wrong, float(numpy.abs(wanted - probabilities).max())


def write(name, header, rows):
    with open(FOLDER / name, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def variants(data):
    """The data set with some values missing; the same with two classes; the same with sets of labels."""
    fine("generate", data, "--rows", "600", "--out", "generated.csv")
    header, rows = table("generated.csv")
    for at, row in enumerate(rows[::17]):
        row[at % (len(header) - 1)] = ""
    write("classes.csv", header, rows)
    yield "classes.csv", BOOSTERS
    names = sorted({row[-1] for row in rows})
    number = {name: at for at, name in enumerate(names)}
    write("two.csv", header, [[*row[:-1], f"half {number[row[-1]] % 2}"] for row in rows])
    yield "two.csv", TWO
    labels = ["label:first", "label:odd", "label:any"]
    sets = [[int(number[row[-1]] == 0), number[row[-1]] % 2, at % 3 // 2] for at, row in enumerate(rows)]
    write("sets.csv", [*header[:-1], *labels], [[*row[:-1], *own] for row, own in zip(rows, sets)])
    yield "sets.csv", SETS


def main():
    worst, count, bad = 0.0, 0, []
    for data in DATA:
        for file, boosters in variants(data):
            header, rows = table(file)
            ignore = ["--ignore", "text"] if "text" in header else []
            for booster in boosters:
                name, *options = booster.split()
                fine("train", file, "--out", "m.pb", "--booster", name, *options, *ignore)
                wrong, off = compare("m.pb", file, header, rows, LEAST_LEAD.get(name, 0.0))
                count += 1
                worst = max(worst, off)
                if wrong or off > 1e-5:
                    bad.append(f"{data}, {file}, {booster}: {wrong} labels differ, probabilities by {off:.1e}")
    for line in bad:
        print(line)
    runtime = f"onnxruntime {onnxruntime.__version__}"
    print(f"{count} models of {len(DATA)} data sets in {runtime}: labels equal, probabilities within {worst:.1e}" if not bad else f"{len(bad)} of {count} models differ")
    sys.exit(1 if bad else 0)


main()
