#!/usr/bin/env python3
"""What `manyboost predict` takes of memory and time, whatever the number of rows.

usage: predict_memory.py MANYBOOST [--rows N,N] [--rounds N]

Files of rows with a date, six numbers (one with holes) and a category are made block by block, and answered with probabilities and two
columns kept by a model of 200 rounds. Memory is the most that the process ever had (`ru_maxrss` of the kernel). The file is
removed after each turn; answers go nowhere.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta

BLOCK = 100_000
CITIES = ["Berlin", "Lima", "Osaka", "Lagos", "Quito", "Perth", "Malmo", "Turin"]
HEADER = "id,when,a,b,c,d,e,f,city"


def block(first, rows, seed):
    """Lines without classes; the numbers repeat, so that making them takes less than reading them."""
    draw = random.Random(seed)
    start = datetime(2019, 1, 1)
    lines = []
    for row in range(first, first + rows):
        when = start + timedelta(seconds=37 * row % 100_000_000)
        numbers = [draw.random(), draw.gauss(0, 3), draw.randrange(1000), 100 * draw.random(), draw.randrange(9)]
        hole = "" if row % 11 == 0 else f"{draw.random():.3f}"
        shown = ",".join(f"{x:.5g}" for x in numbers)
        lines.append(f"{row},{when:%Y-%m-%d %H:%M:%S},{shown},{hole},{CITIES[draw.randrange(8)]}")
    return lines


def classed(line):
    """The line with a class that its columns tell."""
    fields = line.split(",")
    late, high = fields[1][11:13] > "17", float(fields[2]) > 0.5
    return line + "," + ("evening" if late and high else "high" if high else "low")


def write(path, rows):
    blocks = [block(0, BLOCK, seed) for seed in range(4)]
    with open(path, "w") as file:
        file.write(HEADER + "\n")
        for at, first in enumerate(range(0, rows, BLOCK)):
            lines = blocks[at % 4][: rows - first]
            file.write("\n".join(lines) + "\n")


def measured(command, **others):
    """Seconds, and the most memory of the process in MB."""
    began = time.time()
    process = subprocess.Popen(command, **others)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)}: it failed")
    return time.time() - began, used.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manyboost")
    parser.add_argument("--rows", default="200000,2000000,20000000")
    parser.add_argument("--rounds", default="200")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        with open(path("train.csv"), "w") as file:
            file.write(HEADER + ",class\n" + "\n".join(map(classed, block(0, 20_000, 9))) + "\n")
        train = [options.manyboost, "train", path("train.csv"), "--ignore", "id", "--out", path("m.model"), "--quiet"]
        subprocess.run([*train, "--rounds", options.rounds, "--temperature", "1"], check=True)
        print("| rows | file | seconds | rows a second | memory |\n|---|---|---|---|---|", flush=True)
        for rows in map(int, options.rows.split(",")):
            write(path("d.csv"), rows)
            size = os.path.getsize(path("d.csv")) / 1e6
            predict = [options.manyboost, "predict", path("m.model"), path("d.csv"), "--proba", "--keep", "id,when", "--quiet"]
            with open(os.devnull, "w") as nothing:
                seconds, memory = measured(predict, stdout=nothing)
            print(f"| {rows:,} | {size:,.0f} MB | {seconds:.1f} | {rows / seconds:,.0f} | {memory:.0f} MB |", flush=True)
            os.remove(path("d.csv"))


if __name__ == "__main__":
    main()
