"""Models from Python and from the command line on the same data are the same, to the bit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits, load_wine

from manyboost import BoostClassifier, MCBoostClassifier, MultiLabelBoostClassifier, datasets, load

Run = Callable[..., str]
Write = Callable[..., Path]


def framed(X: np.ndarray, y: np.ndarray) -> pd.DataFrame:
    frame = pd.DataFrame(X, columns=[f"x{at}" for at in range(X.shape[1])])
    frame["class"] = y
    return frame


@pytest.mark.parametrize(
    ("booster", "options"),
    [
        ("mcboost", {}),
        ("mcboost", {"leaves": 8, "bins": 16, "subsample": 0.5, "random_state": 7}),
        ("mcboost", {"valid": 0.25, "patience": 3}),
        ("samme", {"learner": "tree", "depth": 2}),
        ("mh-real", {"min_rows": 4}),
        ("mm", {"learner": "linear"}),
        ("logitboost", {"learner": "line"}),
    ],
)
def test_numbers(cli: Run, table: Write, tmp_path: Path, booster: str, options: dict[str, Any]) -> None:
    X, y = load_wine(return_X_y=True)
    told = {"--" + name.replace("_", "-"): value for name, value in options.items()}
    seed = told.pop("--random-state", 1)
    flags = [part for pair in told.items() for part in pair]
    path = tmp_path / "cli.model"
    frame = framed(X, y)
    cli("train", table(frame), "--out", path, "--booster", booster, "--rounds", 12, "--seed", seed, *flags)
    for rows in (X, frame.drop(columns="class"), np.asfortranarray(X)):
        model = BoostClassifier(booster, rounds=12, **options).fit(rows, y)
        assert model.model_.to_bytes() == path.read_bytes()


def test_single_precision(cli: Run, table: Write, tmp_path: Path) -> None:
    X, y = load_digits(return_X_y=True)
    cli("train", table(framed(X, y)), "--out", tmp_path / "m", "--rounds", 5)
    model = MCBoostClassifier(rounds=5).fit(X.astype(np.float32), y)
    assert model.model_.to_bytes() == (tmp_path / "m").read_bytes()


def test_categories_text_and_missing_values(cli: Run, table: Write, tmp_path: Path) -> None:
    X, y = datasets.generate("mixed", 500, seed=2)
    cli("generate", "mixed", "--rows", 500, "--seed", 2, "--out", tmp_path / "mixed.csv")
    cli("train", tmp_path / "mixed.csv", "--out", tmp_path / "m", "--rounds", 10)
    model = MCBoostClassifier(rounds=10).fit(X, y)
    assert model.model_.to_bytes() == (tmp_path / "m").read_bytes()
    read = pd.read_csv(tmp_path / "mixed.csv")
    again = MCBoostClassifier(rounds=10).fit(read.drop(columns="class"), read["class"])
    assert again.model_.to_bytes() == model.model_.to_bytes()


def test_weights_and_costs(cli: Run, table: Write, tmp_path: Path) -> None:
    X, y = load_wine(return_X_y=True)
    frame = framed(X, y)
    frame["w"] = np.random.default_rng(0).integers(0, 3, len(y))
    costs = np.array([[0, 1, 5], [2, 0, 1], [1.5, 1, 0]])
    named = pd.DataFrame(costs, columns=["0", "1", "2"])
    named.insert(0, "truth", ["0", "1", "2"])
    cli(
        "train", table(frame), "--out", tmp_path / "m", "--rounds", 6, "--weight", "w", "--costs", table(named, "c.csv")
    )
    model = MCBoostClassifier(rounds=6, costs=costs).fit(X, y, sample_weight=frame["w"])
    assert model.model_.to_bytes() == (tmp_path / "m").read_bytes()


@pytest.mark.parametrize(("told", "weights"), [("balanced", "balanced"), ("1=3,2=0.5", {1: 3.0, 2: 0.5})])
def test_class_weights(cli: Run, table: Write, tmp_path: Path, told: str, weights: Any) -> None:
    X, y = load_wine(return_X_y=True)
    cli("train", table(framed(X, y)), "--out", tmp_path / "m", "--rounds", 6, "--class-weight", told)
    model = MCBoostClassifier(rounds=6, class_weight=weights).fit(X, y)
    assert model.model_.to_bytes() == (tmp_path / "m").read_bytes()


def test_label_sets(cli: Run, table: Write, tmp_path: Path) -> None:
    X, y = load_wine(return_X_y=True)
    Y = np.column_stack([y == 0, y > 0, y == 2]).astype(int)
    frame = framed(X, y).drop(columns="class")
    frame[["label:0", "label:1", "label:2"]] = Y
    cli("train", table(frame), "--out", tmp_path / "m", "--rounds", 6)
    model = MultiLabelBoostClassifier(rounds=6).fit(X, Y)
    assert model.model_.to_bytes() == (tmp_path / "m").read_bytes()
    loaded = load(tmp_path / "m")
    assert isinstance(loaded, MultiLabelBoostClassifier) and (loaded.predict(X) == model.predict(X)).all()


def test_files_go_both_ways(cli: Run, table: Write, tmp_path: Path) -> None:
    X, y = load_wine(return_X_y=True)
    frame = framed(X, np.asarray(["barolo", "grignolino", "barbera"])[y]).rename(columns=lambda name: name.replace("x", "f"))
    rows, names = frame.drop(columns="class"), frame["class"]
    model = MCBoostClassifier(rounds=8).fit(rows, names)
    model.save(tmp_path / "python.model")
    path = table(frame)
    said = cli("predict", tmp_path / "python.model", path, "--scores", "--out", tmp_path / "said.csv")
    answers = pd.read_csv(tmp_path / "said.csv")
    assert said == "" and (answers["class"] == model.predict(rows)).all()
    assert (answers[list(model.classes_)].to_numpy() == model.decision_function(rows)).all()
    cli("train", path, "--out", tmp_path / "cli.model", "--rounds", 8)
    loaded = load(tmp_path / "cli.model")
    assert (loaded.predict(rows) == model.predict(rows)).all() and loaded.classes_.tolist() == sorted(set(names))
    assert loaded.rounds == 8 and loaded.booster == "mcboost" and loaded.feature_names_in_.tolist() == list(rows)


def test_kinds_come_with_the_file(cli: Run, table: Write, tmp_path: Path) -> None:
    frame = pd.DataFrame({"zip": [1, 2, 3, 4] * 20, "class": [0, 1, 1, 0] * 20})
    cli("train", table(frame), "--out", tmp_path / "m", "--rounds", 3, "--categorical", "zip")
    loaded = load(tmp_path / "m")
    assert loaded.score(frame[["zip"]], frame["class"]) == 1.0
    told = MCBoostClassifier(rounds=3, categorical=["zip"]).fit(frame[["zip"]], frame["class"])
    assert told.model_.to_bytes() == (tmp_path / "m").read_bytes()


def test_every_option_of_the_command_line_is_here(cli: Run) -> None:
    words = {word.rstrip(",]:") for word in cli("train", "--help").split() if word.startswith("--")}
    ours = {"--" + name.replace("_", "-") for name in BoostClassifier().get_params()}
    elsewhere = {
        # What is an argument of fit, or not a matter of estimators.
        "--out", "--test", "--trace", "--json", "--checkpoint", "--every", "--resume", "--target", "--labels",
        "--weight", "--ignore", "--quiet", "--help", "--report",
        # Workers that are started one by one are a matter of the command line.
        "--workers", "--rank", "--token-file", "--deadline",
        # How files are written.
        "--delimiter", "--decimal", "--no-header", "--encoding", "--quote", "--missing", "--dates",
        # Under another name.
        "--seed",
    }
    assert words - elsewhere - ours == set()
    assert ours - words == {"--warm-start", "--random-state"}
