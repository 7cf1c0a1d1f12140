"""What `fit` takes, and what estimators answer."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.ensemble import AdaBoostClassifier as TheirAdaBoost
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from manyboost import (
    AdaBoostClassifier, BoostClassifier, MCBoostClassifier, MultiLabelBoostClassifier, certify, codewords, datasets, game, load,
)

IRIS = load_iris(return_X_y=True)
WINE = load_wine(return_X_y=True)


def split(data: tuple[Any, Any]) -> Any:
    return train_test_split(*data, random_state=0, stratify=data[1])


def test_classes_are_learned() -> None:
    X, X_test, y, y_test = split(load_digits(return_X_y=True))
    model = MCBoostClassifier(rounds=60).fit(X, y)
    assert model.score(X_test, y_test) > 0.95
    proba = model.predict_proba(X_test)
    assert proba.shape == (len(X_test), 10) and np.allclose(proba.sum(axis=1), 1, atol=1e-12)
    assert (model.classes_[proba.argmax(axis=1)] == model.predict(X_test)).all()
    assert model.feature_importances_.shape == (64,) and model.feature_importances_.sum() == pytest.approx(1)
    assert model.n_iter_ == 60 and model.stop_ == "rounds" and len(model.history_["train_error"]) == 60


@pytest.mark.parametrize(
    "labels",
    [[0, 2, 5], [-1, 10, 10**18], ["a", " a", "é\n😀"], ["10", "9", "1"], [0.0, 1.0, 2.0]],
    ids=str,
)
def test_labels_keep_value_and_type(labels: list[Any]) -> None:
    X, y = IRIS
    named = np.asarray(labels)[y]
    model = MCBoostClassifier(rounds=10).fit(X, named)
    assert model.classes_.tolist() == sorted(labels) and model.classes_.dtype == named.dtype
    assert (model.predict(X) == named).mean() > 0.95
    best = model.classes_[model.predict_proba(X).argmax(axis=1)]
    assert (best == model.predict(X)).all()


def test_booleans_are_classes() -> None:
    X, y = IRIS
    model = BoostClassifier("adaboost").fit(X, y == 1)
    assert model.classes_.dtype == bool and model.decision_function(X).shape == (150,)
    assert ((model.decision_function(X) > 0) == model.predict(X)).all()


def test_weights_are_repetitions() -> None:
    X, y = WINE
    weights = np.random.default_rng(0).integers(0, 4, len(y))
    for booster in ("mcboost", "samme", "mh-real"):
        weighted = BoostClassifier(booster, rounds=20).fit(X, y, sample_weight=weights)
        repeated = BoostClassifier(booster, rounds=20).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
        assert weighted.model_.to_bytes() == repeated.model_.to_bytes()


@pytest.mark.parametrize(
    "options",
    [
        {"class_weight": "balanced"},
        {"class_weight": {0: 0.37, 2: 1.9}},
        {"subsample": 0.5},
        {"valid": 0.25, "patience": 5},
        {"valid": 0.25, "class_weight": "balanced", "subsample": 0.7},
    ],
)
def test_weights_are_repetitions_whatever_is_asked_for(options: dict[str, Any]) -> None:
    X, y = WINE
    for weights in (np.full(len(y), 5), 2 * (1 + np.arange(len(y)) % 3), np.arange(len(y)) % 4):
        weighted = MCBoostClassifier(rounds=10, **options).fit(X, y, sample_weight=weights)
        order = np.random.default_rng(1).permutation(int(weights.sum()))
        X2, y2 = np.repeat(X, weights, axis=0)[order], np.repeat(y, weights)[order]
        repeated = MCBoostClassifier(rounds=10, **options).fit(X2, y2)
        assert weighted.model_.to_bytes() == repeated.model_.to_bytes()


def test_a_class_of_weight_zero_is_not_there() -> None:
    X, y = IRIS
    without = MCBoostClassifier(rounds=5, class_weight={0: 1.0, 1: 0.0, 2: 2.0}).fit(X, y)
    by_hand = MCBoostClassifier(rounds=5).fit(X, y, sample_weight=np.array([1.0, 0.0, 2.0])[y])
    assert without.classes_.tolist() == [0, 1, 2]
    assert (without.predict_proba(X) == by_hand.predict_proba(X)).all()
    with pytest.raises(ValueError, match="weighs -1"):
        MCBoostClassifier(rounds=5, class_weight={1: -1.0}).fit(X, y)


def test_a_class_without_weight_has_no_probability() -> None:
    X, y = IRIS
    model = MCBoostClassifier(rounds=5).fit(X, y, sample_weight=(y != 1).astype(float))
    assert model.classes_.tolist() == [0, 1, 2]
    assert (model.predict_proba(X)[:, 1] == 0).all() and not (model.predict(X) == 1).any()
    assert model.decision_function(X).argmin(axis=1).tolist() == [1] * len(y)


def test_class_weight_multiplies() -> None:
    X, y = WINE
    balanced = MCBoostClassifier(rounds=10, class_weight="balanced").fit(X, y)
    by_hand = len(y) / (3 * np.bincount(y))[y]
    assert balanced.model_.to_bytes() == MCBoostClassifier(rounds=10).fit(X, y, by_hand).model_.to_bytes()
    heavy = MCBoostClassifier(rounds=3, class_weight={2: 1000.0}).fit(X, y)
    assert (heavy.predict(X) == 2).mean() > (y == 2).mean()


def test_costs_shift_answers() -> None:
    X, X_test, y, y_test = split(load_digits(return_X_y=True))
    costs = 1 - np.eye(10)
    costs[8] *= 50
    plain = MCBoostClassifier(rounds=20).fit(X, y)
    costly = MCBoostClassifier(rounds=20, costs=costs).fit(X, y)

    def mean(answers: np.ndarray) -> float:
        return float(costs[y_test, answers].mean())

    assert mean(costly.predict_cheapest(X_test)) < mean(plain.predict(X_test))
    assert mean(plain.predict_cheapest(X_test, costs)) < mean(plain.predict(X_test))
    assert (plain.predict_cheapest(X_test, 1 - np.eye(10)) == plain.predict(X_test)).all()
    with pytest.raises(ValueError, match="10 × 10"):
        plain.predict_cheapest(X_test)
    with pytest.raises(ValueError, match="10 classes"):
        MCBoostClassifier(costs=np.eye(3)).fit(X, y)
    with pytest.raises(ValueError, match="class 0, answer 1: -1") as caught:
        MCBoostClassifier(costs=-(1 - np.eye(10))).fit(X, y)
    assert "manyboost-" not in str(caught.value)


def test_costs_have_names() -> None:
    X, y = IRIS
    named = np.asarray(["9", "10", "1"])[y]
    classes = ["1", "10", "9"]
    costs = np.array([[0, 1, 5], [2, 0, 1], [1.5, 7, 0]])
    frame = pd.DataFrame(costs, index=classes, columns=classes)
    turned = frame.loc[["9", "1", "10"], ["10", "9", "1"]]
    file = turned.rename_axis("truth").reset_index()
    wanted = MCBoostClassifier(rounds=6, costs=costs).fit(X, named)
    numbers = frame.rename(index=int, columns=int)
    for other in (frame, turned, file, pl.from_pandas(file), pa.Table.from_pandas(file, preserve_index=False), numbers):
        model = MCBoostClassifier(rounds=6, costs=other).fit(X, named)
        assert model.model_.to_bytes() == wanted.model_.to_bytes()
        assert (model.predict_cheapest(X) == wanted.predict_cheapest(X)).all()
        assert (wanted.predict_cheapest(X, other) == wanted.predict_cheapest(X)).all()
    for bad, words in [
        (pd.DataFrame(costs), "no column for class '10' .*called 0, 1, 2"),
        (frame.rename(columns={"9": "nine"}), "no column for class '9'.*called '1', '10', 'nine'"),
        (frame.rename(index={"10": "ten"}), "no row for class '10'"),
        (pl.from_pandas(frame), "rows have none"),
        (frame.loc[["1", "1", "9"]], "two rows"),
        (frame.iloc[:, [0, 1, 1]], "called '10'"),
        (frame.astype(object).replace(7.0, "dear"), "numbers only"),
        (np.ma.masked_greater(costs, 5), "masked"),
    ]:
        for ask in (lambda: MCBoostClassifier(costs=bad).fit(X, named), lambda: wanted.predict_cheapest(X, bad)):
            with pytest.raises(ValueError, match=words):
                ask()


def test_rows_of_codes_are_those_of_classes() -> None:
    # The engine orders classes in its own way: "10" after "9".
    X, y = IRIS
    code = np.array([[1, 1, -1, 1], [1, -1, 1, 1], [-1, 1, 1, 1]])
    plain = BoostClassifier("mo", code=code, rounds=5).fit(X, y)
    names = np.asarray(["10", "9", "1"])
    order = names.argsort()
    model = BoostClassifier("mo", code=code[order], rounds=5).fit(X, names[y])
    assert (model.predict(X) == names[plain.predict(X)]).all()
    assert (model.predict_proba(X) == plain.predict_proba(X)[:, order]).all()
    for frame in (pd.DataFrame(code, index=names), pd.DataFrame(code, index=names)[::-1]):
        by_name = BoostClassifier("mo", code=frame, rounds=5).fit(X, names[y])
        assert by_name.model_.to_bytes() == model.model_.to_bytes()
    assert (BoostClassifier("mo", code=pd.DataFrame(code), rounds=5).fit(X, y).predict(X) == plain.predict(X)).all()
    with pytest.raises(ValueError, match="code: there is no row for class '1'"):
        BoostClassifier("mo", code=pd.DataFrame(code, index=["a", "b", "c"]), rounds=5).fit(X, names[y])


def test_matrices_may_be_given() -> None:
    X, y = IRIS
    words = np.array([[1.0, 0.0], [-0.5, 0.75**0.5], [-0.5, -(0.75**0.5)]])
    given = BoostClassifier("gd-mcboost", codewords=words, rounds=5).fit(X, y)
    assert given.score(X, y) > 0.9
    code = [[1, 1, -1], [1, -1, 1], [-1, 1, 1]]
    assert BoostClassifier("ecc", code=code, rounds=5).fit(X, y).score(X, y) > 0.9


def test_early_stopping_keeps_the_best_round() -> None:
    X, X_test, y, y_test = split(WINE)
    model = MCBoostClassifier(rounds=500, patience=5).fit(X, y, eval_set=(X_test, y_test))
    assert model.stop_ == "patience" and model.n_iter_ < 500
    losses = model.history_["valid_loss"]
    assert losses[-1] == min(losses)
    held = MCBoostClassifier(rounds=500, patience=5, valid=0.2).fit(X, y)
    assert held.stop_ == "patience" and "valid_error" in held.history_
    weighted = MCBoostClassifier(rounds=20).fit(X, y, eval_set=[(X_test, y_test, np.ones(len(y_test)))])
    assert len(weighted.history_["valid_loss"]) == 20
    with pytest.raises(ValueError, match="patience needs rows"):
        MCBoostClassifier(patience=5).fit(X, y)
    with pytest.raises(ValueError, match="both valid and eval_set"):
        MCBoostClassifier(valid=0.2).fit(X, y, eval_set=(X, y))
    with pytest.raises(ValueError, match="eval_set is not a pair"):
        MCBoostClassifier().fit(X, y, eval_set=X)


def test_callbacks_hear_of_every_round_and_may_end_it() -> None:
    X, y = IRIS
    heard = []

    def callback(number: int, figures: dict[str, float]) -> bool:
        heard.append((number, figures["train_error"]))
        return number == 7

    model = MCBoostClassifier(rounds=50).fit(X, y, callbacks=[callback])
    assert [number for number, _ in heard] == [1, 2, 3, 4, 5, 6, 7]
    assert model.n_iter_ == 7 and model.stop_ == "interrupted"
    assert [error for _, error in heard] == model.history_["train_error"]

    def broken(number: int, figures: dict[str, float]) -> None:
        raise KeyError("mine")

    before = model.model_
    with pytest.raises(KeyError, match="mine"):
        model.fit(X[:, :2], y, callbacks=[broken])
    assert model.model_ is before and model.n_features_in_ == 4


def test_warm_start_goes_on() -> None:
    X, y = WINE
    once = MCBoostClassifier(rounds=30).fit(X, y)
    twice = MCBoostClassifier(rounds=10, warm_start=True).fit(X, y)
    twice.set_params(rounds=30).fit(X, y)
    assert twice.model_.to_bytes() == once.model_.to_bytes()
    with pytest.raises(ValueError, match="there were 178 rows and are 158"):
        twice.set_params(rounds=40).fit(X[20:], y[20:])


def test_random_state_makes_every_choice() -> None:
    X, y = WINE

    def bits(state: Any) -> bytes:
        return MCBoostClassifier(rounds=5, random_state=state).fit(X, y).predict_proba(X).tobytes()

    assert bits(None) == bits(None) == bits(1) and bits(3) == bits(3) and bits(3) != bits(4)
    assert bits(np.random.RandomState(5)) == bits(np.random.RandomState(5))


def test_threads_change_nothing() -> None:
    X, y = WINE
    models = [MCBoostClassifier(rounds=10, threads=threads).fit(X, y).model_.to_bytes() for threads in (None, 1, 2, 3)]
    assert len(set(models)) == 1
    with pytest.raises(ValueError, match="threads=0"):
        MCBoostClassifier(threads=0).fit(X, y)


@pytest.mark.parametrize("booster", ["mcboost", "samme", "mo", "iter", "adaboost"])
def test_stages_are_models_of_fewer_rounds(booster: str) -> None:
    X, y = IRIS
    y = y % 2 if booster == "adaboost" else y
    model = BoostClassifier(booster, rounds=8).fit(X, y)
    decisions = list(model.staged_decision_function(X))
    assert len(decisions) == model.n_iter_
    assert (decisions[-1] == model.decision_function(X)).all()
    assert (list(model.staged_predict_proba(X))[-1] == model.predict_proba(X)).all()
    fewer = BoostClassifier(booster, rounds=3, **({"epoch": 8} if booster == "iter" else {})).fit(X, y)
    if booster != "iter":
        assert (decisions[2] == fewer.decision_function(X)).all()
    assert list(model.staged_score(X, y))[-1] == model.score(X, y)
    assert (list(model.staged_predict(X))[-1] == model.predict(X)).all()


def test_label_sets() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5))
    Y = np.column_stack([X[:, 0] > 0, X[:, 1] > 0, X[:, 0] + X[:, 1] > 1]).astype(int)
    for booster in ("mcboost", "mh", "mh-real", "mr", "ova"):
        model = MultiLabelBoostClassifier(booster, rounds=40).fit(X, Y)
        answers = model.predict(X)
        assert answers.shape == Y.shape and answers.dtype == Y.dtype
        assert model.predict_proba(X).shape == Y.shape and model.classes_.tolist() == [0, 1, 2]
        if booster != "mr":
            assert (answers == Y).mean() > 0.95
    with pytest.raises(ValueError, match="MultiLabelBoostClassifier"):
        MCBoostClassifier().fit(X, Y)
    with pytest.raises(ValueError, match="one class per row"):
        MultiLabelBoostClassifier("samme").fit(X, Y)


def test_labels_keep_their_names(tmp_path: Path, cli: Callable[..., str]) -> None:
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(200, 3)), columns=["a", "b", "c"])
    frame = pd.DataFrame({"warm": X["a"] > 0, "wet": X["b"] > 0, "wild": X["a"] + X["b"] > 1}).astype(int)
    wanted = MultiLabelBoostClassifier("mh", rounds=10).fit(X, frame)
    assert wanted.classes_.tolist() == ["warm", "wet", "wild"] == wanted.model_.classes
    for y in (pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        assert MultiLabelBoostClassifier("mh", rounds=10).fit(X, y).model_.to_bytes() == wanted.model_.to_bytes()
    wanted.save(tmp_path / "m")
    assert load(tmp_path / "m").classes_.tolist() == ["warm", "wet", "wild"]
    X.to_csv(tmp_path / "x.csv", index=False)
    assert cli("predict", tmp_path / "m", tmp_path / "x.csv").splitlines()[0] == "label:warm,label:wet,label:wild"
    # Wherever answers are given again, they are read by name.
    turned = frame[["wild", "warm", "wet"]]
    assert wanted.score(X, turned) == wanted.score(X, frame) == wanted.score(X, frame.to_numpy()) > 0.8
    assert list(wanted.staged_score(X, turned)) == list(wanted.staged_score(X, frame))
    histories = [
        MultiLabelBoostClassifier("mh", rounds=5).fit(X, frame, eval_set=(X, other)).history_["valid_error"]
        for other in (frame, turned, frame.to_numpy())
    ]
    assert histories[0] == histories[1] == histories[2]
    for path, other in (("one", frame), ("two", turned)):
        wanted.report(tmp_path / path, X, other)
    assert (tmp_path / "one").read_text() == (tmp_path / "two").read_text()
    with pytest.raises(ValueError, match="no label 'wet'"):
        wanted.score(X, frame.rename(columns={"wet": "dry"}))
    with pytest.raises(ValueError, match="called 'label:wet'"):
        MultiLabelBoostClassifier("mh").fit(X, frame.rename(columns={"warm": "label:wet"}))
    with pytest.raises(ValueError, match="2 labels, and training had 3"):
        wanted.score(X, frame[["warm", "wet"]])
    numbered = MultiLabelBoostClassifier("mh", rounds=2).fit(X, frame.to_numpy())
    assert numbered.classes_.tolist() == [0, 1, 2] and numbered.score(X, frame) > 0


def test_words_of_the_engine_have_names_of_python() -> None:
    X, y = IRIS
    cases = [
        (dict(booster="sammee"), 'no booster "sammee"'),
        (dict(rounds=-5), "^rounds=-5: not a value that it takes\nrounds takes"),
        (dict(rounds=float("nan")), "rounds=nan"),
        (dict(min_rows=-1), "^min_rows=-1"),
        (dict(booster="mm", shrinkage=0.5), "does not use shrinkage"),
        (dict(bins=1), "bins is 1"),
        (dict(learner="bush"), 'learner="bush": not a value'),
    ]
    for parameters, words in cases:
        with pytest.raises(ValueError, match=words):
            BoostClassifier(**parameters).fit(X, y)
    with pytest.raises(NotFittedError):
        BoostClassifier().predict(X)
    with pytest.raises(ValueError, match="infinity"):
        BoostClassifier(rounds=1).fit(np.where(X > 5, np.inf, X), y)
    with pytest.raises(ValueError, match="NaN"):
        BoostClassifier(rounds=1).fit(X, np.where(y == 0, np.nan, y))


@pytest.mark.parametrize("name", ["bins", "ngrams", "patience", "threads", "random_state", "rounds", "leaves", "depth"])
@pytest.mark.parametrize("value", [-1, 10**30, 2.5, "many", True, float("nan"), [3], np.int64(-7)], ids=str)
def test_whole_numbers(name: str, value: Any) -> None:
    if name == "random_state" and value is True:
        return
    with pytest.raises(ValueError, match=".") as caught:
        MCBoostClassifier(**{"rounds": 2, "valid": 0.2, name: value}).fit(*IRIS)
    if name != "random_state" or isinstance(value, int) and value > 0:
        assert str(caught.value).startswith((f"{name} ", f"{name}="))


def test_whole_numbers_elsewhere() -> None:
    X, y = IRIS
    for value in (-1, 2.5, "many", None, True, 10**30):
        for name, ask in [
            ("rows", lambda: datasets.generate("blobs", value)),
            ("classes", lambda: game.potential(value, 0.1, 5)),
            ("rounds", lambda: game.bound(3, 0.1, value)),
            ("rounds", lambda: game.degrees(0.1, value)),
            ("classes", lambda: game.kappa(value, 0.1, 0.1)),
            ("classes", lambda: game.best_eta(value, 0.1)),
            ("classes", lambda: codewords.codewords(value)),
        ]:
            with pytest.raises(ValueError, match=f"^{name}=.*: not a value that it takes"):
                ask()
    for ask in (
        lambda: datasets.generate("blobs", 5, seed=-1), lambda: codewords.codewords(3, dim=-1),
        lambda: codewords.codewords(3, "random", dim=2, seed=-1), lambda: certify(X, y, bins=-1), lambda: certify(X, y, threads=-1),
        lambda: MCBoostClassifier(rounds=1).fit(X, y).set_params(threads=-1).predict(X),
        lambda: MCBoostClassifier(valid="half").fit(X, y), lambda: MCBoostClassifier(valid=-1).fit(X, y),
    ):
        with pytest.raises(ValueError, match="-1|half"):
            ask()


def test_drop_in() -> None:
    X, X_test, y, y_test = split(load_digits(return_X_y=True))
    for estimator in (None, DecisionTreeClassifier(max_depth=3), DecisionTreeClassifier(max_leaf_nodes=12)):
        ours = AdaBoostClassifier(estimator, n_estimators=60, learning_rate=0.5, random_state=0).fit(X, y)
        theirs = TheirAdaBoost(estimator, n_estimators=60, learning_rate=0.5, random_state=0).fit(X, y)
        assert abs(ours.score(X_test, y_test) - theirs.score(X_test, y_test)) < 0.06
        assert ours.estimator_weights_.shape == theirs.estimator_weights_.shape
        first = (ours.estimator_errors_[0], theirs.estimator_errors_[0])
        assert first[0] == pytest.approx(first[1], abs=0.02)
    with pytest.raises(TypeError, match="DecisionTreeClassifier"):
        AdaBoostClassifier(MCBoostClassifier()).fit(X, y)
    with pytest.raises(ValueError, match="max_features"):
        AdaBoostClassifier(DecisionTreeClassifier(max_features=2)).fit(X, y)


def test_nothing_is_said_that_is_not_asked_for() -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model = MCBoostClassifier(rounds=2).fit([[0.0], [1.0]], ["a", "a"])
    assert ["nothing was learnt" in str(warning.message) for warning in said] == [True]
    assert model.predict([[5.0]]).tolist() == ["a"] and "one class" in model.notes_[0]
