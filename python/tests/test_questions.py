"""What changes an answer, what columns do and are worth, which rows are alike."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from manyboost import AdaBoostClassifier, BoostClassifier, MCBoostClassifier, MultiLabelBoostClassifier
from sklearn.datasets import load_iris
from sklearn.inspection import partial_dependence

MODELS = [
    MCBoostClassifier(rounds=8, leaves=4),
    BoostClassifier("samme", learner="tree", leaves=4, rounds=5),
    AdaBoostClassifier(n_estimators=6),
]


def iris() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_iris(return_X_y=True)
    # Not in the order in which the engine has them.
    return X, np.array(["virginica", "setosa", "10"])[y]


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_changes_lead_to_the_other_answer(model: BoostClassifier) -> None:
    X, y = iris()
    model.fit(X, y)
    rows = X[[0, 60, 120]]
    for class_ in (None, "setosa"):
        for row, found in zip(rows, model.why_not(rows, class_)):
            assert found.complete and found.answer == model.predict([row])[0]
            changed = row.copy()
            for name, (old, new) in found.changes.items():
                place = int(name.removeprefix("x"))
                assert old == row[place] and new is not None
                changed[place] = new
            assert model.predict([changed])[0] == found.other == (class_ or found.other)
            assert (found.other == found.answer) == (not found.changes)
    (found,) = model.why_not(rows[:1], fixed=["x0", "x1", "x2", "x3"])
    assert found.other is None and found.complete and found.distance is None
    with pytest.raises(ValueError, match="no such class"):
        model.why_not(rows, "rose")
    with pytest.raises(ValueError, match="no column"):
        model.why_not(rows, fixed=["petal"])


def test_sets_have_no_other_answer() -> None:
    X, y = iris()
    sets = MultiLabelBoostClassifier("mcboost", rounds=3, leaves=4).fit(X, np.column_stack([y == "10", X[:, 2] > 4]).astype(int))
    with pytest.raises(ValueError, match="sets of labels"):
        sets.why_not(X[:1])
    assert sets.effects(X, "x2", points=100).effects.shape == (43, 2)
    assert sets.importance(X, np.column_stack([y == "10", X[:, 2] > 4]).astype(int)).shape == (4, 12)


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_effects_are_those_of_scikit_learn(model: BoostClassifier) -> None:
    X, y = iris()
    model.fit(X, y)
    of = "scores" if isinstance(model, AdaBoostClassifier) else "probabilities"
    found = model.effects(X, "x2", of=of, points=100)
    (grid,) = found.values.values()
    assert grid == sorted(set(X[:, 2].tolist()))
    if of == "probabilities":
        theirs = partial_dependence(model, X, [2], method="brute", response_method="predict_proba", custom_values={2: np.array(grid)})
        np.testing.assert_allclose(found.effects.T, theirs["average"], atol=1e-9)
        each = model.effects(X, "x2", kind="individual", points=100).effects
        np.testing.assert_allclose(each.mean(axis=0), found.effects, atol=1e-9)
        assert each.shape == (150, len(grid), 3)
    else:
        with pytest.raises(ValueError, match="of='scores'"):
            model.effects(X, "x2")
    pairs = model.effects(X, ["x2", "x3"], of=of, kind="accumulated", points=5)
    assert list(pairs.values) == ["x2", "x3"] and pairs.effects.shape[2] == 3
    with pytest.raises(ValueError, match="no column"):
        model.effects(X, "petal", of=of)


def test_levels_and_missing_values_have_their_names() -> None:
    rng = np.random.default_rng(5)
    X = pd.DataFrame({"b": pd.Categorical(rng.choice(["x", "y", "z"], 90)), "n": rng.normal(size=90)})
    X.loc[::9, "b"] = None
    model = MCBoostClassifier(rounds=40, leaves=4, min_rows=2).fit(X, (X["b"] == "y") & (X["n"] > 0))
    found = model.effects(X, "b")
    assert found.values == {"b": ["x", "y", "z", None]}
    assert found.effects[1, 1] == found.effects[:, 1].max()
    row = X[(X["b"] == "x") & (X["n"] > 0.5)].iloc[:1]
    (why,) = model.why_not(row)
    assert why.changes == {"b": ("x", "y")} and why.other and why.distance == 1


def test_importance_is_that_of_the_column_that_counts() -> None:
    X, y = iris()
    rng = np.random.default_rng(1)
    noise = np.column_stack([X[:, 2], rng.normal(size=150)])
    model = MCBoostClassifier(rounds=20, leaves=4).fit(noise[::2], y[::2])
    found = model.importance(noise[1::2], y[1::2], repeats=3)
    assert list(found.index) == ["x0", "x1"] and found.loc["x0", "error"] > 0.3
    assert found.loc["x0", "log_loss"] - found.loc["x0", "log_loss_margin"] > found.loc["x1", "log_loss"]
    # The errors of classes are parts of that of all rows.
    counts = pd.Series(y[1::2]).value_counts()
    parts = sum(found.loc["x0", f"error[{label}]"] * counts[label] for label in model.classes_) / counts.sum()
    assert parts == pytest.approx(found.loc["x0", "error"], abs=1e-12)


def test_rows_that_share_leaves_are_alike() -> None:
    X, y = iris()
    model = MCBoostClassifier(rounds=10, leaves=6).fit(X, y)
    rows, shares = model.similar_rows(X[:20], X, top=4)
    assert rows.shape == shares.shape == (20, 4)
    leaves = model.apply(X)
    wanted = (leaves[:20, None] == leaves[None]).mean(axis=2)
    order = np.argsort(-wanted, axis=1, kind="stable")[:, :4]
    np.testing.assert_array_equal(rows, order)
    np.testing.assert_allclose(shares, np.take_along_axis(wanted, order, axis=1), atol=1e-12)
    assert (shares[:, 0] == 1.0).all()
    assert model.similar_rows(X[:2], X[:3], top=9)[0].shape == (2, 3)
