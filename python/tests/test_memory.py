"""A matrix of single precision is not copied: what training adds to memory are bins and scores."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import resource
import numpy as np
from polyboost import BoostClassifier

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
    # Bins take a byte a value (padded to 64 columns); each row has a class, a weight, a score, channels and cells, and the
    # columns under way are copied: four of them, with what sorting needs. A copy of the matrix would be 4 bytes a value.
    allowed = bins * 64 / 60 + rows * 80
    assert trained - before < allowed < matrix, f"{(trained - before) / 2**20:.0f} MiB"
    assert predicted - trained < 40 * 2**20, f"{(predicted - trained) / 2**20:.0f} MiB"
