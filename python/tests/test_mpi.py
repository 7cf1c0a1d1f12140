"""MPI: `mpirun` starts the workers of the command line."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from sklearn.datasets import load_iris

MPIRUN = shutil.which("mpirun", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))


def free_addresses(count: int) -> list[str]:
    """Addresses that were free a moment ago."""
    with ExitStack() as open_:
        sockets = [open_.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [f"127.0.0.1:{each.getsockname()[1]}" for each in sockets]


@pytest.mark.skipif(MPIRUN is None, reason="there is no mpirun")
def test_the_line_of_the_documentation(cli: Callable[..., str], cli_path: str, tmp_path: Path) -> None:
    frame = load_iris(as_frame=True).frame
    parts = [tmp_path / f"part-{at}.csv" for at in range(4)]
    for at, part in enumerate(parts):
        # Flowers are in the order of their classes: workers lack some.
        frame[at * 40 : (at + 1) * 40].to_csv(part, index=False)
    options = ["--target", "target", "--rounds", "5"]
    cli("train", *parts, *options, "--out", tmp_path / "alone.mb")
    (tmp_path / "hosts.txt").write_text("\n".join(free_addresses(3)), encoding="utf-8")
    (tmp_path / "token").write_text("0123456789abcdef0123456789abcdef", encoding="utf-8")
    train = f"{cli_path} train part-*.csv {' '.join(options)} --out model.mb"
    rank = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"
    line = f"exec {train} --workers hosts.txt --rank {rank} --token-file token --deadline 20"
    # It refuses to be run by root, and on fewer cores than workers, unless it is told.
    told = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
    done = subprocess.run(
        [str(MPIRUN), "-n", "3", "sh", "-c", line], cwd=tmp_path, env={**os.environ, **told},
        capture_output=True, text=True, timeout=60, check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "model.mb").read_bytes() == (tmp_path / "alone.mb").read_bytes()
