"""What the documents show runs as it stands."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import manyboost
from conftest import ROOT


def test_the_readme_runs(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 1 and len(blocks[0].strip().splitlines()) <= 12
    done = subprocess.run([sys.executable, "-c", blocks[0]], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_example_runs(tmp_path: Path) -> None:
    script = ROOT / "examples" / "digits.py"
    environment = {**os.environ, "MPLBACKEND": "agg"}
    done = subprocess.run(
        [sys.executable, script, tmp_path], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in tmp_path.glob("*.png")) == ["classes.png", "errors.png", "importance.png"]
    assert "test error" in done.stdout


def test_examples_in_docstrings() -> None:
    failed, tried = doctest.testmod(manyboost)
    assert failed == 0 and tried > 0


def test_types() -> None:
    folder = Path(manyboost.__file__).parent
    assert (folder / "py.typed").exists()
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", os.devnull, "-p", "manyboost"],
        capture_output=True, text=True, check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_stubs_are_those_of_the_module() -> None:
    stub = (Path(manyboost.__file__).parent / "_core.pyi").read_text(encoding="utf-8")
    said = set(re.findall(r"^(?:def|class) (\w+)", stub, re.MULTILINE))
    there = {name for name in dir(manyboost._core) if not name.startswith("_")}
    assert said == there
    members = set(re.findall(r"^    (?:def )?(\w+)[:(]", stub.split("class Stages")[0], re.MULTILINE))
    assert members == {name for name in dir(manyboost._core.Model) if not name.startswith("_")}
