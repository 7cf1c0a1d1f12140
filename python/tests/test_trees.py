"""Trees in the forms of others: the real packages say what we say."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from manyboost import AdaBoostClassifier, BoostClassifier, MCBoostClassifier, MultiLabelBoostClassifier
from sklearn.datasets import load_iris, load_wine

MODELS = [
    MCBoostClassifier(rounds=8, leaves=8),
    BoostClassifier("samme", learner="tree", leaves=6, rounds=6),
    BoostClassifier("ova", learner="tree", depth=3, rounds=3),
    BoostClassifier("ecc", learner="tree", leaves=5, rounds=4),
    AdaBoostClassifier(n_estimators=6),
    MultiLabelBoostClassifier("mcboost", rounds=6, leaves=5),
]


def fitted(model: BoostClassifier, classes: int) -> tuple[BoostClassifier, np.ndarray]:
    X, y = load_wine(return_X_y=True)
    few = y < classes
    X, y = X[few], np.array(["c", "a", "b"])[y[few]]
    # Numbers that single precision does not have, and missing ones.
    X = X + np.pi * 1e-9
    X[::7, 0] = np.nan
    if isinstance(model, MultiLabelBoostClassifier):
        return model.fit(X, np.column_stack([y == "a", y == "c"]).astype(int)), X
    return model.fit(X, y), X


def decided(model: BoostClassifier, scores: np.ndarray) -> np.ndarray:
    two = scores.shape[1] == 2 and not isinstance(model, MultiLabelBoostClassifier)
    return scores[:, 1] - scores[:, 0] if two else scores


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("classes", [2, 3])
def test_shap_explains_the_same_trees(model: BoostClassifier, classes: int) -> None:
    shap = pytest.importorskip("shap")
    model, X = fitted(model, classes)
    theirs = shap.TreeExplainer(model.shap_model(), feature_perturbation="tree_path_dependent")
    found = theirs.shap_values(X, check_additivity=False)
    np.testing.assert_allclose(found, model.shap_values(X), atol=1e-9, rtol=0)
    np.testing.assert_allclose(theirs.expected_value, model.expected_value_, atol=1e-9, rtol=0)
    np.testing.assert_allclose(decided(model, found.sum(axis=1) + theirs.expected_value), model.decision_function(X), atol=1e-9)


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("classes", [2, 3])
def test_treelite_predicts_the_same_scores(model: BoostClassifier, classes: int) -> None:
    treelite = pytest.importorskip("treelite")
    model, X = fitted(model, classes)
    scores = treelite.gtil.predict(model.to_treelite(), X, pred_margin=True).reshape(len(X), len(model.classes_))
    np.testing.assert_allclose(decided(model, scores), model.decision_function(X), atol=1e-9, rtol=0)


def frame() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {"b": pd.Categorical(rng.choice(["x", "y", "z"], 120)), "t": rng.choice(["red apple", "green pear", "blue"], 120), "n": rng.normal(size=120)}
    )


def with_categories() -> tuple[BoostClassifier, pd.DataFrame]:
    """A model that tests categories, and rows of which some have missing values or levels that it does not know."""
    X = frame()
    X.loc[::11, "n"] = np.nan
    y = X["b"].astype(str) + (X["n"] > 0).map({True: "+", False: "-"})
    model = MCBoostClassifier(rounds=12, leaves=6, min_rows=2).fit(X[["n", "b"]], y)
    assert any(levels is not None for levels in model.trees()["levels"])
    rows = X[["n", "b"]].assign(b=X["b"].astype(object))
    rows.loc[::7, "b"], rows.loc[::13, "b"] = None, "new"
    return model, rows


def test_treelite_has_categories() -> None:
    treelite = pytest.importorskip("treelite")
    model, X = with_categories()
    rows = model.encoded(X)
    assert rows.shape == X.shape and np.array_equal(np.isnan(rows[:, 1]), ~X["b"].isin(["x", "y", "z"]))
    np.testing.assert_array_equal(rows[:, 0], X["n"])
    scores = treelite.gtil.predict(model.to_treelite(), rows, pred_margin=True).reshape(len(X), len(model.classes_))
    np.testing.assert_allclose(scores, model.decision_function(X), atol=1e-9, rtol=0)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning", "ignore::UserWarning")
def test_dtreeviz_shows_the_same_trees() -> None:
    pytest.importorskip("dtreeviz")
    model, X = with_categories()
    X = X[X["b"].isin(["x", "y", "z"]) & X["n"].notna()]
    y, leaves = model.predict(X), model.apply(X)
    nodes = model.trees()
    for tree in (0, 5):
        own = nodes[nodes["tree"] == tree]
        shadow = model.to_dtreeviz(X, y, tree).shadow_tree
        assert [shadow.get_node_nsamples(node) for node in own["node"]][0] == len(X)
        for row, values in enumerate(shadow.X_train):
            assert shadow.predict_path(values)[-1].id == leaves[row, tree] + own["left"].notna().sum()
        told = model.to_dtreeviz(X, y, tree).explain_prediction_path(shadow.X_train[3])
        assert told
    with pytest.raises(ValueError, match="missing values, and row 0"):
        model.to_dtreeviz(with_categories()[1], y)
    with pytest.raises(ValueError, match="class of each row"):
        model.to_dtreeviz(X, y[1:])


def test_tests_that_others_do_not_have_are_refused() -> None:
    X = frame()
    for column, words, forms in [("b", "tests column 'b' for '[xyz]'", ["shap_model"]), ("t", "no tests of words", ["shap_model", "to_treelite", "to_dtreeviz"])]:
        y = X[column].astype(str).str[0]
        model = MCBoostClassifier(rounds=3, leaves=3, text=["t"] if column == "t" else ()).fit(X[[column]], y)
        for form in forms:
            with pytest.raises(ValueError, match=words):
                getattr(model, form)(*([X[[column]], y] if form == "to_dtreeviz" else []))
    with pytest.raises(ValueError, match="hyperplanes"):
        BoostClassifier("samme", learner="linear", rounds=2).fit(*load_iris(return_X_y=True)).shap_model()


def test_pictures_have_all_nodes() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X = frame()
    model = MCBoostClassifier(rounds=4, leaves=6, text=["t"]).fit(X, X["b"].astype(str) + X["t"].str[0])
    nodes = model.trees()
    for tree in range(4):
        own = nodes[nodes["tree"] == tree]
        dot = model.to_graphviz(tree)
        assert len(re.findall(r"^  \d+ \[label=", dot, re.MULTILINE)) == len(own)
        edges = {tuple(map(int, edge)) for edge in re.findall(r"^  (\d+) -> (\d+) ", dot, re.MULTILINE)}
        tests = own[own["left"].notna()]
        assert edges == {(row.node, child) for row in tests.itertuples() for child in (row.left, row.right)}
        figure = matplotlib.figure.Figure()
        ax = model.plot_tree(tree, ax=figure.add_subplot())
        assert len(ax.texts) == len(own) and len(ax.lines) == len(own) - 1
        places = {text.get_position() for text in ax.texts}
        assert len(places) == len(own)
    assert "b is " in "".join(map(model.to_graphviz, range(4)))
    with pytest.raises(IndexError, match="4 trees"):
        model.to_graphviz(4)
