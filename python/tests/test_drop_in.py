"""`AdaBoostClassifier` beside scikit-learn's: what they make of the same hypotheses is the same."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.ensemble import AdaBoostClassifier as Theirs
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

from manyboost import AdaBoostClassifier, load

DATA = {"iris": load_iris, "wine": load_wine, "digits": load_digits, "cancer": load_breast_cancer}
METHODS = ("decision_function", "predict_proba", "predict_log_proba")
STAGED = ("staged_decision_function", "staged_predict_proba")


def with_our_hypotheses(ours: AdaBoostClassifier) -> Theirs:
    """Theirs with the hypotheses of ours, and their weights."""
    theirs = Theirs()
    theirs.estimators_, theirs.estimator_weights_ = ours.estimators_, ours.estimator_weights_
    theirs.classes_, theirs.n_classes_, theirs.n_features_in_ = ours.classes_, len(ours.classes_), ours.n_features_in_
    return theirs


def assert_same(ours: AdaBoostClassifier, theirs: Theirs, X: Any, within: float = 1e-12) -> None:
    assert (ours.predict(X) == theirs.predict(X)).all()
    for name in METHODS:
        np.testing.assert_allclose(getattr(ours, name)(X), getattr(theirs, name)(X), rtol=0, atol=within)
    for name in STAGED:
        for mine, other in zip(getattr(ours, name)(X), getattr(theirs, name)(X), strict=True):
            np.testing.assert_allclose(mine, other, rtol=0, atol=within)
    for mine, other in zip(ours.staged_predict(X), theirs.staged_predict(X), strict=True):
        assert (mine == other).all()


@pytest.mark.parametrize("rate", [0.05, 1.0, 1.7])
@pytest.mark.parametrize("name", list(DATA))
def test_the_same_functions_of_the_same_hypotheses(name: str, rate: float) -> None:
    X, y = DATA[name](return_X_y=True)
    ours = AdaBoostClassifier(n_estimators=15, learning_rate=rate).fit(X[::2], y[::2])
    assert_same(ours, with_our_hypotheses(ours), X)
    for depth in (2, 12):
        ours = AdaBoostClassifier(DecisionTreeClassifier(max_depth=depth), n_estimators=10).fit(X[::2], y[::2])
        assert_same(ours, with_our_hypotheses(ours), X)


@pytest.mark.parametrize("name", ["iris", "cancer"])
def test_two_that_were_trained_apart(name: str) -> None:
    # With few values a cut between two of them is the same for both: so are the hypotheses, as long as no two cuts are as good.
    X, y = DATA[name](return_X_y=True)
    X = np.round(X / X.std(axis=0) * 4)
    agree = 0
    for rounds in (1, 3, 10):
        ours = AdaBoostClassifier(n_estimators=rounds).fit(X, y)
        theirs = Theirs(n_estimators=rounds, random_state=0).fit(X, y)
        same = all((a.predict(X) == b.predict(X)).all() for a, b in zip(ours.estimators_, theirs.estimators_, strict=True))
        if same:
            agree += 1
            # Scores are multiples of 2⁻³⁶ here, which moves the weights of rows, and so the next steps, by as little.
            assert_same(ours, theirs, X, within=1e-11)
            assert np.abs(ours.predict_proba(X) - theirs.predict_proba(X)).max() < 1e-12
            np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_, rtol=0, atol=1e-9)
            np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_, rtol=0, atol=1e-9)
    assert agree >= 1


def test_iris_is_as_sure_as_theirs() -> None:
    X, y = load_iris(return_X_y=True)
    ours, theirs = (kind(n_estimators=50).fit(X, y).predict_proba(X).max(axis=1).mean() for kind in (AdaBoostClassifier, Theirs))
    assert ours == pytest.approx(theirs, abs=0.02) and ours < 0.5


def test_a_hypothesis_without_error_has_weight_1() -> None:
    # The second tree is right on every row; were its weight the engine's own, it alone would answer.
    X, y = load_wine(return_X_y=True)
    later = None
    for depth in (2, 3, 4, 5):
        ours = AdaBoostClassifier(DecisionTreeClassifier(max_depth=depth), n_estimators=60).fit(X, y)
        if ours.stop_ == "perfect" and len(ours) > 1:
            later = ours
            break
    deep = AdaBoostClassifier(DecisionTreeClassifier(), n_estimators=5).fit(X, y)
    assert deep.stop_ == "perfect" and len(deep) == 1
    for model in filter(None, (deep, later)):
        assert model.estimator_weights_[len(model) - 1] == 1.0 and model.estimator_errors_[len(model) - 1] == 0.0
        assert (model.estimator_weights_[len(model) :] == 0).all() and (model.estimator_errors_[len(model) :] == 1).all()
        assert_same(model, with_our_hypotheses(model), X)
    assert later is not None


def test_members() -> None:
    frame, y = load_iris(return_X_y=True, as_frame=True)
    names = np.asarray(["setosa", "versicolor", "virginica"])[y]
    model = AdaBoostClassifier(n_estimators=7, random_state=3).fit(frame, names)
    assert len(model) == 7 == len(model.estimators_) and len(list(model)) == 7
    assert (model[-1].predict(frame) == model.estimators_[6].predict(frame)).all() and len(model[2:4]) == 2
    assert len({member.random_state for member in model}) == 7
    for member, error in zip(model, model.estimator_errors_):
        assert member.n_iter_ == 1 and set(member.predict(frame)) <= set(names)
        assert member.feature_importances_.max() == 1.0 and 0 < error < 2 / 3
    assert (model[0].predict(frame) != names).mean() == pytest.approx(model.estimator_errors_[0], abs=1e-9)
    # A member is a weak learner that can be trained again.
    again = clone(model[0]).fit(frame, names)
    assert (again.predict(frame) == model[0].predict(frame)).all()
    assert isinstance(model.estimator_, DecisionTreeClassifier) and model.estimator_.max_depth == 1
    copy = pickle.loads(pickle.dumps(model))
    assert (copy.predict_proba(frame) == model.predict_proba(frame)).all() and len(copy) == 7
    with pytest.raises(IndexError):
        model[7]
    for ask in (len, lambda model: model[0], lambda model: model.estimators_, lambda model: model.estimator_weights_):
        with pytest.raises(NotFittedError):
            ask(AdaBoostClassifier())


def test_one_class() -> None:
    X = [[1.0], [2.0], [3.0]]
    ours, theirs = (kind(n_estimators=4).fit(X, ["a"] * 3) for kind in (AdaBoostClassifier, Theirs))
    for name in METHODS[:2]:
        assert (getattr(ours, name)(X) == getattr(theirs, name)(X)).all()
    assert len(ours) == len(theirs) == 1 and (ours[0].predict(X) == "a").all()
    assert (ours.estimator_weights_ == theirs.estimator_weights_).all()
    assert (ours.estimator_errors_ == theirs.estimator_errors_).all()
    # Two classes, one of them without weight.
    model = AdaBoostClassifier().fit(X, [0, 0, 1], sample_weight=[1, 1, 0])
    assert model.predict(X).tolist() == [0, 0, 0] and (model.decision_function(X) == -2).all()


def test_nothing_to_choose_between() -> None:
    X, y = np.zeros((40, 2)), [0, 1] * 20
    for kind in (AdaBoostClassifier, Theirs):
        with pytest.raises(ValueError, match="worse than random"):
            kind().fit(X, y)


def test_long_steps(tmp_path: Any) -> None:
    X, y = load_digits(return_X_y=True)
    ours = AdaBoostClassifier(n_estimators=20, learning_rate=2.0).fit(X, y)
    plain = AdaBoostClassifier(n_estimators=1).fit(X, y)
    assert ours.estimator_weights_[0] == pytest.approx(2 * plain.estimator_weights_[0], abs=1e-10)
    ours.save(tmp_path / "m")
    assert load(tmp_path / "m").get_params()["shrinkage"] == 2
    assert (load(tmp_path / "m").predict(X) == ours.predict(X)).all()
    for parameters in ({"learning_rate": 0}, {"learning_rate": -1.0}, {"learning_rate": float("nan")}, {"learning_rate": 33}):
        with pytest.raises(ValueError, match="learning_rate .* up to 32"):
            AdaBoostClassifier(**parameters).fit(X, y)
    for count in (0, -1, 2.5, "x", None, True):
        with pytest.raises(ValueError, match="n_estimators .* at least 1"):
            AdaBoostClassifier(n_estimators=count).fit(X, y)


def test_labels_of_any_order() -> None:
    # The engine orders "10" after "9", scikit-learn before.
    X, y = load_iris(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=12).fit(X, np.asarray(["9", "10", "1"])[y])
    assert model.classes_.tolist() == ["1", "10", "9"]
    assert_same(model, with_our_hypotheses(model), X)
    assert isinstance(pd.Series(model.predict(X)).iloc[0], str)
