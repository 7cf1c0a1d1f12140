"""A matrix of single precision is not copied: what training adds to memory are bins and scores. What does not fit is refused."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = """
import resource
import numpy as np
from manyboost import BoostClassifier

rows, columns = 400_000, 60
rng = np.random.default_rng(0)
X = rng.integers(0, 200, (rows, columns), dtype=np.int16).astype(np.float32)
y = (X[:, 0] > 100).astype(int)
BoostClassifier("adaboost", rounds=1, threads=2).fit(X[:1000], y[:1000])
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = peak()
model = BoostClassifier("adaboost", rounds=2, threads=2).fit(X, y)
trained = peak()
model.predict(X[:200_000])
print(before, trained, peak(), X.nbytes, rows * columns, rows)
"""


def test_a_matrix_is_not_copied() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    before, trained, predicted, matrix, bins, rows = map(int, done.stdout.split())
    # Bins take a byte per value (padded to 64 columns); each row has a class, a weight, a score, channels and cells, and the
    # columns under way are copied: four of them, with what sorting needs. A copy of the matrix would be 4 bytes per value.
    allowed = bins * 64 / 60 + rows * 80
    assert trained - before < allowed < matrix, f"{(trained - before) / 2**20:.0f} MiB"
    assert predicted - trained < 40 * 2**20, f"{(predicted - trained) / 2**20:.0f} MiB"


REFUSED = """
import resource
import numpy as np
from manyboost import BoostClassifier, MCBoostClassifier

def refused(rows, classes, booster):
    model = MCBoostClassifier() if booster is None else BoostClassifier(booster)
    try:
        model.fit(np.arange(rows).reshape(-1, 1), np.arange(rows) % classes)
    except MemoryError as error:
        return str(error)

# A class for every row: scores alone are 720 GB.
for booster in [None, "mm", "samme"]:
    said = refused(300_000, 300_000, booster)
    assert "300000 rows with 300000 classes needs about" in said and "left (" in said, said
    assert "class of its own" in said, said
# Less than that is too much where there is a limit.
used = int(next(line for line in open("/proc/self/status") if line.startswith("VmSize")).split()[1]) * 1024
resource.setrlimit(resource.RLIMIT_AS, (used + 300 * 2**20, resource.RLIM_INFINITY))
said = refused(20_000, 2_000, None)
assert "(ulimit -v)" in said, said
# And the interpreter is well: other work goes on.
X = np.arange(300).reshape(-1, 1)
assert MCBoostClassifier(rounds=3).fit(X, X[:, 0] // 100).predict(X).shape == (300,)
print("well")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits are known on Linux")
def test_what_does_not_fit_is_a_memory_error() -> None:
    done = subprocess.run([sys.executable, "-c", REFUSED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "well\n"), (done.returncode, done.stderr)
