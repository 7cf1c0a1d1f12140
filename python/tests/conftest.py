"""What tests share."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

# For scikit-learn's checks; SciPy looks at it when it is imported.
os.environ["SCIPY_ARRAY_API"] = "1"

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def cli_path() -> str:
    """Where the command line is; `MANYBOOST_CLI` says it."""
    path = os.environ.get("MANYBOOST_CLI", str(ROOT / "target" / "debug" / "manyboost"))
    if not Path(path).exists():
        pytest.fail(f"{path} is not there: build it with `cargo build --profile test`, or set MANYBOOST_CLI")
    return path


@pytest.fixture(scope="session")
def cli(cli_path: str) -> Callable[..., str]:
    """The command line: runs it, gives its output."""

    def run(*args: object) -> str:
        done = subprocess.run([cli_path, *map(str, args)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    """Writes a data frame as a CSV file."""

    def write(frame: object, name: str = "table.csv") -> Path:
        path = tmp_path / name
        frame.to_csv(path, index=False)  # type: ignore[attr-defined]
        return path

    return write
