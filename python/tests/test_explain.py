"""Explanations: sums, the shap package's own numbers, data frames of trees."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from manyboost import AdaBoostClassifier, BoostClassifier, MCBoostClassifier, MultiLabelBoostClassifier
from sklearn.datasets import load_iris, load_wine
from sklearn.inspection import partial_dependence, permutation_importance

shap = pytest.importorskip("shap")

BOOSTERS = [
    MCBoostClassifier(rounds=12, leaves=8),
    BoostClassifier("samme", learner="tree", leaves=6, rounds=8),
    BoostClassifier("mh", rounds=8),
    BoostClassifier("ova", learner="tree", depth=3, rounds=4),
    BoostClassifier("ecc", learner="tree", leaves=5, rounds=6),
    BoostClassifier("logitboost", learner="tree", depth=2, rounds=5),
    BoostClassifier("gd-mcboost", learner="tree", leaves=6, rounds=6),
    BoostClassifier("mcboost", learner="line", rounds=6),
    AdaBoostClassifier(n_estimators=8),
]


def sums_up(model: BoostClassifier, X: object, background: object = None) -> np.ndarray:
    values = model.shap_values(X, background)
    assert values.ndim == 3 and values.shape[2] == len(model.classes_)
    expected = model.expected_value_
    if background is not None:
        expected = model.explain(X, background).base_values[0]
    sums = values.sum(axis=1) + expected
    decision = model.decision_function(X)
    if decision.ndim == 1:
        sums = sums[:, 1] - sums[:, 0]
    np.testing.assert_allclose(sums, decision, atol=1e-9, rtol=0)
    return values


@pytest.mark.parametrize("model", BOOSTERS, ids=repr)
@pytest.mark.parametrize("classes", [2, 3])
def test_sums_are_decisions(model: BoostClassifier, classes: int) -> None:
    X, y = load_iris(return_X_y=True)
    few = y < classes
    X, y = X[few], np.array(["setosa", "versicolor", "virginica"])[y[few]]
    model.fit(X, y)
    sums_up(model, X)
    sums_up(model, X[:20], X[40:60])


class Stumps(BoostClassifier):
    """An estimator of a user's own."""

    def __init__(self, rounds: int = 10) -> None:
        self.rounds = rounds

    def _booster(self) -> str:
        return "mh"

    def _options(self) -> dict[str, object]:
        return {"rounds": self.rounds}


def test_subclasses_are_explained() -> None:
    X, y = load_iris(return_X_y=True)
    sums_up(Stumps().fit(X, y), X)


def test_label_sets_and_frames() -> None:
    rng = np.random.default_rng(3)
    X = pd.DataFrame(
        {
            "a": rng.normal(size=120), "b": pd.Categorical(rng.choice(["x", "y", "z"], 120)),
            "t": rng.choice(["red apple", "green pear", "red pear", "blue"], 120), "n": rng.integers(0, 5, 120).astype(float),
        }
    )
    X.loc[::9, "n"] = np.nan
    Y = np.column_stack([X["a"] > 0, X["b"] == "x", X["t"].str.contains("red")]).astype(int)
    sets = MultiLabelBoostClassifier("mcboost", rounds=10, leaves=5, text=["t"]).fit(X, Y)
    values = sums_up(sets, X)
    assert values.shape == (120, 4, 3)
    model = MCBoostClassifier(rounds=10, leaves=5, text=["t"]).fit(X, Y @ [1, 2, 4])
    sums_up(model, X, X.iloc[:15])
    explained = model.explain(X)
    assert explained.feature_names == ["a", "b", "t", "n"]
    assert explained.shape == (120, 4, len(model.classes_))
    frame = model.trees()
    assert {"x", "y", "z"} >= {level for levels in frame["levels"].dropna() for level in levels}
    assert set(frame["word"].dropna()) <= {"red", "apple", "green", "pear", "blue"}


@pytest.mark.parametrize(
    "model",
    [
        MCBoostClassifier(rounds=10, leaves=12),
        BoostClassifier("samme", learner="tree", leaves=10, rounds=10),
        BoostClassifier("ecc", learner="tree", leaves=5, rounds=6),
    ],
    ids=repr,
)
def test_values_are_those_of_shap(model: BoostClassifier) -> None:
    X, y = load_wine(return_X_y=True)
    model.fit(X, y)
    theirs = shap.TreeExplainer(model.shap_model(), feature_perturbation="tree_path_dependent")
    np.testing.assert_allclose(model.shap_values(X), theirs.shap_values(X, check_additivity=False), atol=1e-6, rtol=0)
    background = X[::9]
    theirs = shap.TreeExplainer(model.shap_model(), background, feature_perturbation="interventional")
    found = model.shap_values(X[:40], background)
    np.testing.assert_allclose(found, theirs.shap_values(X[:40], check_additivity=False), atol=1e-6, rtol=0)
    found = model.shap_interaction_values(X[:10])
    assert np.abs(found.sum(axis=2) - model.shap_values(X[:10])).max() < 1e-9


def test_trees_and_leaves() -> None:
    X, y = load_iris(return_X_y=True)
    model = MCBoostClassifier(rounds=7, leaves=6).fit(X, y)
    frame, leaves = model.trees(), model.apply(X)
    assert leaves.shape == (150, 7)
    root = frame[frame["node"] == 0]
    assert (root["cover"] == 150).all() and len(root) == 7
    labels = [f"value_{label}" for label in model.classes_.tolist()]
    added = np.zeros((150, 3))
    for tree, nodes in frame.groupby("tree"):
        last = nodes[nodes["left"].isna()]
        added += last[labels].to_numpy()[leaves[:, tree]]
        np.testing.assert_array_equal(np.bincount(leaves[:, tree], minlength=len(last)), last["cover"].to_numpy(dtype=int))
    spread = model.decision_function(X) - added
    np.testing.assert_allclose(spread, np.tile(spread[0], (150, 1)), atol=1e-9)


def test_effects_are_those_of_scikit_learn() -> None:
    X, y = load_iris(return_X_y=True)
    stumps = BoostClassifier("mh", learner="stump", rounds=30).fit(X, y)
    found = partial_dependence(stumps, X, [2], method="brute", response_method="decision_function", grid_resolution=12)
    # Of stumps each column's part is a function of the column alone: its curve is that of the Shapley values, up to a constant.
    rows = np.tile(X.mean(axis=0), (12, 1))
    rows[:, 2] = found["grid_values"][0]
    parts = stumps.shap_values(rows)[:, 2].T
    np.testing.assert_allclose(found["average"] - found["average"][:, :1], parts - parts[:, :1], atol=1e-9)
    importance = permutation_importance(stumps, X, y, n_repeats=5, random_state=1)
    assert importance.importances_mean.argmax() in (2, 3)


def test_plots_take_an_explanation() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, y = load_iris(return_X_y=True)
    explained = MCBoostClassifier(rounds=5, leaves=4).fit(X, y).explain(X)
    assert explained[..., 1].values.shape == (150, 4)
    shap.plots.waterfall(explained[0, :, 1], show=False)
    shap.plots.bar(explained[..., 2], show=False)
    shap.plots.beeswarm(explained[..., 0], show=False)
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (BoostClassifier("iter", rounds=6), "epochs"),
        (BoostClassifier("samme", learner="linear", rounds=4), "hyperplanes"),
        (BoostClassifier("mh", learner="product", rounds=4), "products"),
        (BoostClassifier("mo", decode="hamming", rounds=4), "signs of bits"),
    ],
    ids=repr,
)
def test_what_cannot_be_explained_is_refused(model: BoostClassifier, words: str) -> None:
    X, y = load_iris(return_X_y=True)
    model.fit(X, y)
    with pytest.raises(ValueError, match=words):
        model.shap_values(X)
    with pytest.raises(AttributeError, match=words):
        _ = model.expected_value_
