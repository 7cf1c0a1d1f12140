"""scikit-learn's own tests of its `AdaBoostClassifier`, run on ours.

They come from the scikit-learn that is installed, which may be newer than this file: a test that is in neither list is noticed.
"""

from __future__ import annotations

import importlib.util
from types import ModuleType
from unittest import mock

import pytest

from manyboost import AdaBoostClassifier

RUN = {
    "test_oneclass_adaboost_proba", "test_classification_toy", "test_iris", "test_staged_predict", "test_gridsearch", "test_pickle",
    "test_importances", "test_adaboost_classifier_sample_weight_error", "test_sample_weights_infinite",
    "test_adaboostclassifier_without_sample_weight", "test_adaboost_consistent_predict",
    "test_adaboost_negative_weight_error", "test_adaboost_decision_function",
    "test_adaboost_numerically_stable_feature_importance_with_small_weights",
}
FOREIGN, REGRESSOR = "needs a base estimator that is not a tree", "regressor"
NOT_RUN = {
    "test_estimator": FOREIGN,  # forests and support vectors
    "test_sparse_classification": FOREIGN,  # logistic regressions that say what kind of matrix they saw
    "test_multidimensional_X": FOREIGN,  # a dummy, for arrays of three dimensions
    "test_regression_toy": REGRESSOR,
    "test_diabetes": REGRESSOR,
    "test_sparse_regression": REGRESSOR,
    "test_sample_weight_adaboost_regressor": REGRESSOR,
    "test_adaboostregressor_sample_weight": REGRESSOR,
}


def theirs() -> ModuleType:
    """Their tests, with our class under the name of theirs."""
    spec = importlib.util.find_spec("sklearn.ensemble.tests.test_weight_boosting")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with mock.patch("sklearn.ensemble.AdaBoostClassifier", AdaBoostClassifier):
        spec.loader.exec_module(module)
    return module


TESTS = {name: test for name, test in vars(theirs()).items() if name.startswith("test_")}
globals().update({name: test for name, test in TESTS.items() if name in RUN})


@pytest.fixture
def global_random_seed() -> int:
    return 42


def test_every_test_of_theirs_is_run_or_not_for_a_reason() -> None:
    assert set(TESTS) == RUN | set(NOT_RUN) and not RUN & set(NOT_RUN)
    assert all(TESTS[name].__globals__["AdaBoostClassifier"] is AdaBoostClassifier for name in RUN)
