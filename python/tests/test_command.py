"""The command that comes with the package is the command line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import manyboost

SCRIPT = str(Path(sys.executable).with_name("manyboost"))
BESIDE = {"script": [SCRIPT], "module": [sys.executable, "-m", "manyboost"]}


def run(command: list[str], *words: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*command, *map(str, words)], capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("command", BESIDE.values(), ids=BESIDE)
def test_models_are_those_of_the_program(command: list[str], tmp_path: Path) -> None:
    data = tmp_path / "blobs.csv"
    assert run(command, "generate", "waveform", "--rows", 300, "--seed", 1, "--out", data).returncode == 0
    models = {}
    for name, program in {"package": command, "program": [os.environ["MANYBOOST_CLI"]]}.items():
        out = tmp_path / f"{name}.model"
        trained = run(program, "train", data, "--rounds", 20, "--out", out)
        assert trained.returncode == 0, trained.stderr
        models[name] = out.read_bytes()
    assert models["package"] == models["program"]


def test_statuses_and_streams_are_those_of_the_program() -> None:
    version = run([SCRIPT], "--version")
    assert (version.returncode, version.stdout, version.stderr) == (0, f"manyboost {manyboost.__version__}\n", "")
    wrong = run([SCRIPT], "train")
    assert (wrong.returncode, wrong.stdout) == (2, "") and wrong.stderr.startswith("error:")
    absent = run([SCRIPT], "train", "absent.csv", "--out", "absent.model")
    assert absent.returncode == 2 and "absent.csv" in absent.stderr


def test_the_command_line_does_without_scikit_learn() -> None:
    asked = "import manyboost._command, sys; print('sklearn' in sys.modules, 'numpy' in sys.modules)"
    assert run([sys.executable, "-c", asked]).stdout.split() == ["False", "False"]


def test_every_name_can_be_imported_and_is_declared() -> None:
    declared = (Path(manyboost.__file__).with_name("__init__.pyi")).read_text()
    for name in manyboost.__all__:
        assert getattr(manyboost, name) is not None
        assert f" as {name}\n" in declared
        assert name in dir(manyboost)
    with pytest.raises(AttributeError, match="no attribute 'absent'"):
        manyboost.absent  # noqa: B018
