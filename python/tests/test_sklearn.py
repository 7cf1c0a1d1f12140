"""Inside scikit-learn's own machinery, on real data."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectFromModel
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from manyboost import AdaBoostClassifier, BoostClassifier, MCBoostClassifier, MultiLabelBoostClassifier

IRIS, WINE, DIGITS = (load(return_X_y=True) for load in (load_iris, load_wine, load_digits))


def test_pipeline() -> None:
    pipeline = make_pipeline(StandardScaler(), PCA(20), MCBoostClassifier(rounds=60))
    assert cross_val_score(pipeline, *DIGITS, cv=3).mean() > 0.9


def test_grid_search() -> None:
    grid = {"rounds": [5, 60], "leaves": [2, 8], "booster": ["mcboost", "logitboost"]}
    search = GridSearchCV(BoostClassifier(learner="tree"), grid, cv=3, n_jobs=2).fit(*WINE)
    assert search.best_score_ > 0.95 and search.best_params_["rounds"] == 60


def test_cross_validation() -> None:
    for data in (IRIS, WINE):
        assert cross_val_score(MCBoostClassifier(rounds=60), *data, cv=5).mean() > 0.93
    proba = cross_val_predict(MCBoostClassifier(rounds=20), *IRIS, cv=5, method="predict_proba")
    assert (proba.argmax(axis=1) == IRIS[1]).mean() > 0.93


def test_calibration() -> None:
    X, y = WINE
    for method in ("sigmoid", "isotonic"):
        calibrated = CalibratedClassifierCV(BoostClassifier("samme", rounds=20), method=method, cv=3).fit(X, y)
        assert calibrated.score(X, y) > 0.95


def test_ensembles() -> None:
    X, y = DIGITS
    members = [("mc", MCBoostClassifier(rounds=10)), ("ada", AdaBoostClassifier()), ("knn", KNeighborsClassifier())]
    for voting in ("hard", "soft"):
        assert VotingClassifier(members, voting=voting).fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.9
    stacked = StackingClassifier(members[:2], cv=2).fit(X[:600], y[:600])
    assert stacked.score(X[600:], y[600:]) > 0.8


def test_one_against_the_rest() -> None:
    X, y = WINE
    binary = BoostClassifier("adaboost", rounds=20)
    for reduction in (OneVsRestClassifier(binary), OneVsOneClassifier(binary)):
        assert cross_val_score(reduction, X, y, cv=3).mean() > 0.9


def test_selection_and_importance() -> None:
    X, y = WINE
    noise = np.random.default_rng(0).normal(size=(len(y), 5))
    wide = np.hstack([X, noise])
    model = MCBoostClassifier(rounds=30).fit(wide, y)
    assert model.feature_importances_[-5:].sum() < 0.2
    assert SelectFromModel(model, prefit=True).transform(wide).shape[1] < wide.shape[1]
    permuted = permutation_importance(model, wide, y, n_repeats=2, random_state=0)
    assert permuted.importances_mean[:13].max() > permuted.importances_mean[13:].max()


def test_sparse_text_pipeline() -> None:
    texts = ["boosting many classes", "weak learners vote", "a tree of cuts", "stumps and trees"] * 20
    pipeline = make_pipeline(CountVectorizer(), MCBoostClassifier(rounds=10, min_rows=1))
    assert pipeline.fit(texts, [0, 1, 2, 2] * 20).score(texts, [0, 1, 2, 2] * 20) == 1.0


def test_column_transformer() -> None:
    frame = pd.DataFrame({"colour": ["red", "blue"] * 40, "size": np.arange(80.0)})
    y = (np.arange(80) % 2) + 2 * (np.arange(80) > 40)
    transform = make_column_transformer((OneHotEncoder(), ["colour"]), remainder="passthrough")
    assert make_pipeline(transform, MCBoostClassifier(rounds=200)).fit(frame, y).score(frame, y) > 0.97


def test_many_outputs() -> None:
    X, y = WINE
    Y = np.column_stack([y == 0, y > 0])
    both = MultiOutputClassifier(BoostClassifier("adaboost", rounds=10)).fit(X, Y)
    assert both.score(X, Y) > 0.95
    folds = KFold(3, shuffle=True, random_state=0)
    assert cross_val_score(MultiLabelBoostClassifier(rounds=40), X, Y.astype(int), cv=folds).mean() > 0.9
