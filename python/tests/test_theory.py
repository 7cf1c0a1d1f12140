"""The game, codewords and generated data: what the command line says too."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from sklearn.datasets import load_iris

from manyboost import BoostClassifier, MultiLabelBoostClassifier, certify, codewords, datasets, game

Run = Callable[..., str]


def test_game(cli: Run) -> None:
    said = json.loads(cli("game", "potentials", "--classes", 4, "--edge", 0.1, "--rounds", 20, "--json"))
    assert game.potential(4, 0.1, 20) == said["phi"]
    said = json.loads(cli("game", "bound", "--classes", 3, "--edge", 0.2, "--rounds", 9, "--json"))["bounds"][-1]
    ours = game.bound(3, 0.2, 9)
    assert ours["exponential"] == pytest.approx(said["exponential"], rel=1e-14)
    assert ours["exponential_best"] == pytest.approx(said["exponential_best"], rel=1e-14)
    assert ours["zero_one"] == said["zero_one_uniform"]
    said = json.loads(cli("game", "degrees", "--edge", 0.1, "--rounds", 5, "--json"))
    assert game.degrees(0.1, 5).tolist() == said["degrees"]
    with pytest.raises(ValueError, match="edge=2: not a value that it takes"):
        game.potential(3, 2.0, 5)
    said = json.loads(cli("game", "potentials", "--classes", 3, "--edge", 0.2, "--rounds", 5, "--loss", "hinge", "--json"))
    assert game.potential(3, 0.2, 5, loss="hinge") == said["phi"]
    with pytest.raises(ValueError, match='loss="square"'):
        game.potential(3, 0.2, 5, loss="square")


def test_bounds_have_the_names_of_what_they_bound() -> None:
    X, y = load_iris(return_X_y=True)
    ranked = BoostClassifier("mr", rounds=5).fit(X, y).history_
    assert "ranking_bound" not in ranked
    assert (np.asarray(ranked["train_error"]) <= ranked["bound"]).all()
    sets = MultiLabelBoostClassifier("mr", rounds=5).fit(X, np.eye(3, dtype=int)[y]).history_
    assert "bound" not in sets and (np.asarray(sets["ranking_loss"]) <= sets["ranking_bound"]).all()
    played = BoostClassifier("os", learner="tree", leaves=6, loss="zero-one", edge=0.01, rounds=4).fit(X, y).history_
    assert played["bound"] == [None, None, None, played["final_bound"][-1]]


def test_codewords(cli: Run) -> None:
    for args, kind, dim in [((), None, None), (("--dim", 2), None, 2), (("--codewords", "canonical"), "canonical", None)]:
        said = json.loads(cli("codewords", "--classes", 5, *args, "--json"))
        ours = codewords.codewords(5, kind, dim=dim)
        assert ours.words.tolist() == said["codewords"] and ours.capacity == said["capacity"]
        assert ours.min_distance == said["min_distance"]
    with pytest.raises(ValueError, match="dim=1: two codewords"):
        codewords.codewords(5, dim=1)


def test_certify(cli: Run, tmp_path: object) -> None:
    X, y = datasets.generate("waveform", 60, seed=4, as_frame=True)
    path = f"{tmp_path}/waveform.csv"
    cli("generate", "waveform", "--rows", 60, "--seed", 4, "--out", path)
    for given, args in [({}, ()), ({"learner": "tree", "leaves": 3}, ("--learner", "tree", "--leaves", 3))]:
        said = json.loads(cli("certify", path, *args, "--json"))
        found = certify(X, y, **given)
        assert found.margin == (said["margin"], said["margin_at_most"]) and found.boostable is said["boostable"]
        assert found.conditions == {name: tuple(ends) for name, ends in said["intervals"].items()}
        assert [row for row, _, _ in found.hardest_rows] == [at["row"] - 1 for at in said["hardest_rows"]]
        assert {against for _, against, _ in found.hardest_rows} <= set(y)
        assert "\nmm, mr, m2" in str(found)


def test_certify_by_hand() -> None:
    # Classes one after the other on a line: margin 2/5, as in the tests of the command line.
    found = certify(np.arange(6.0).reshape(-1, 1), np.array([3, 3, 5, 5, 8, 8]))
    assert found.exact and found.boostable and found.margin == pytest.approx((0.4, 0.4), abs=1e-6)
    assert ([3, 5], pytest.approx((1.0, 1.0))) in found.subsets
    alike = certify([[1.0], [1.0], [2.0]], ["a", "b", "a"])
    assert alike.boostable is False and alike.alike == (0, 1)
    with pytest.raises(ValueError, match="tolerance=0: not a value that it takes"):
        certify([[1.0], [2.0]], ["a", "b"], tolerance=0)
    with pytest.raises(ValueError, match="X: all rows have one class"):
        certify([[1.0], [2.0]], ["a", "a"])
    with pytest.raises(ValueError, match="sets of labels"):
        certify([[1.0], [2.0]], [[0, 1], [1, 0]])


def test_what_certify_shows_can_be_fitted() -> None:
    X, y = datasets.generate("waveform", 60, seed=4)
    line = np.arange(6.0).reshape(-1, 1), np.array([3, 3, 5, 5, 8, 8])
    shown = set()
    for X, y in [(X, y), line, (line[0], np.array([1, 1, 1, 2, 2, 2]))]:
        found = certify(X, y)
        for verdict in found.verdicts:
            assert verdict.promised or not verdict.estimators
            for estimator in verdict.estimators:
                assert str(estimator) in str(found)
                if estimator.relabel == "position":
                    estimator.set_params(epoch=3000)
                assert estimator.fit(X, y).score(X, y) == 1.0, estimator
                shown.add(estimator.booster)
    assert shown == {"iter", "m1", "m2", "mh", "mm", "mr", "os", "samme"}


def test_datasets(cli: Run, tmp_path: object) -> None:
    assert set(datasets.names()) >= {"waveform", "mixed", "blobs"}
    path = f"{tmp_path}/waveform.csv"
    cli("generate", "waveform", "--rows", 50, "--seed", 4, "--out", path)
    X, y = datasets.generate("waveform", 50, seed=4)
    read = pd.read_csv(path)
    assert X.shape == (50, 21) and np.array_equal(read.drop(columns="class").to_numpy(), X)
    assert read["class"].tolist() == y.tolist()
    assert list(datasets.generate("waveform", 5, as_frame=True)[0].columns) == list(read.columns[:-1])
    with pytest.raises(ValueError, match='no generator "waves"'):
        datasets.generate("waves")
    with pytest.raises(ValueError, match="rows=0"):
        datasets.generate("blobs", 0)
