"""MPI: `mpirun` starts the workers of the command line, and those of Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sklearn.datasets import load_iris

import manyboost

MPIRUN = shutil.which("mpirun", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))


# It refuses to be run by root, and on fewer cores than workers, unless it is told.
TOLD = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}


def mpirun(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(MPIRUN), "-n", "3", *words], cwd=cwd, env={**os.environ, **TOLD},
        capture_output=True, text=True, timeout=100, check=False,
    )


@pytest.mark.skipif(MPIRUN is None, reason="there is no mpirun")
def test_the_line_of_the_documentation(cli: Callable[..., str], cli_path: str, tmp_path: Path) -> None:
    frame = load_iris(as_frame=True).frame
    parts = [tmp_path / f"part-{at}.csv" for at in range(4)]
    for at, part in enumerate(parts):
        # Flowers are in the order of their classes: workers lack some.
        frame[at * 40 : (at + 1) * 40].to_csv(part, index=False)
    options = ["--target", "target", "--rounds", "5"]
    cli("train", *parts, *options, "--out", tmp_path / "alone.mb")
    train = [cli_path, "train", *map(str, parts), *options, "--out", "model.mb", "--workers", "mpi", "--deadline", "20"]
    done = mpirun(*train, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "model.mb").read_bytes() == (tmp_path / "alone.mb").read_bytes()


# Processes have rows of some classes only, and the last one has none; it has all rows to validate on.
SCRIPT = """
import numpy as np, sys
from sklearn.datasets import load_iris
from mpi4py import MPI
from manyboost import WorkerError
from manyboost.mpi import MCBoostClassifier
X, y = load_iris(return_X_y=True)
rank = MPI.COMM_WORLD.Get_rank()
own = [slice(0, 90), slice(90, 150), slice(0, 0)][rank]
told = []
fit = dict(callbacks=[lambda number, figures: told.append(number)], deadline=20, checkpoint="c", every=2)
fit["eval_set"] = (X[::3], y[::3]) if rank == 2 else None
model = MCBoostClassifier(rounds=6, patience=5)
for resume in (False, True):
    model.fit(X[own], y[own], resume=resume, **fit)
    model.save(f"model-{rank}-{resume}.mb")
assert len(model.predict(X)) == 150
assert bool(told) == (rank == 0), told
try:
    MCBoostClassifier(rounds=2).fit(X[own], y[own], eval_set=1 if rank == 1 else None)
except (ValueError, WorkerError) as error:
    assert "eval_set is not a pair" in str(error)
else:
    sys.exit("the error of one is that of all")
"""


@pytest.mark.skipif(MPIRUN is None, reason="there is no mpirun")
def test_estimators(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    done = mpirun(sys.executable, "script.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    X, y = load_iris(return_X_y=True)
    local = manyboost.MCBoostClassifier(rounds=6, patience=5).fit(X, y, eval_set=(X[::3], y[::3]))
    files = sorted(tmp_path.glob("model-*.mb"))
    assert len(files) == 6
    for file in files:
        assert file.read_bytes() == local.model_.to_bytes(), file.name
