"""Kinds of tools: what people save, serve, search and watch models with, from the real packages where they are installed."""

from __future__ import annotations

import copy
import io
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.datasets import load_iris, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from manyboost import AdaBoostClassifier, BoostClassifier, MCBoostClassifier, MultiLabelBoostClassifier, _progress
from manyboost._few import few

X, Y = load_wine(return_X_y=True)


def same(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and bool((a == b).all())


def mixed() -> pd.DataFrame:
    """Numbers, whole numbers, truth values, categories, texts; some missing."""
    rows = np.arange(90)
    frame = pd.DataFrame({
        "x": rows % 7 / 2.0, "n": rows % 5, "flag": rows % 2 == 0,
        "kind": pd.Categorical(np.asarray(["tea", "mate", "coffee"])[rows % 3]), "word": np.asarray(["a b", "c", "b c"])[rows % 3],
    })
    frame.loc[3, "x"] = np.nan
    frame.loc[4, "word"] = None
    return frame


def test_few_rows_are_answered_as_many_are() -> None:
    for model in (MCBoostClassifier(rounds=20), BoostClassifier("mm", rounds=9), AdaBoostClassifier()):
        model.fit(X, Y)
        whole = model.predict_proba(X)
        for rows in (X[:1], X[:5], np.asfortranarray(X)[:3], X[:2].astype(np.float32).astype(np.float64)):
            assert few(model, rows) is not None
            assert same(model.predict_proba(rows), model.predict_proba(np.vstack([rows] * 100))[: len(rows)])
        assert same(model.predict_proba(X[7:8]), whole[7:8]) and same(model.predict(X[:1]), model.predict(X)[:1])
        assert same(model.decision_function(X[:1]), model.decision_function(X)[:1])


def test_few_rows_of_frames_are_answered_as_many_are() -> None:
    frame, y = mixed(), np.arange(90) % 3
    for data in (frame, pl.from_pandas(frame)):
        model = MCBoostClassifier(rounds=20, text=()).fit(data, y)
        whole = model.predict_proba(data)
        for at in range(10):
            row = data[at : at + 1]
            assert few(model, row) is not None
            assert model.model_.few(few(model, row), True) is not None, at
            assert same(model.predict_proba(row), whole[at : at + 1]), at
    # Of what is not as it was in training, as much is said as ever.
    model = MCBoostClassifier(rounds=5).fit(frame, y)
    with pytest.raises(ValueError, match="order"):
        model.predict(frame[frame.columns[::-1]][:1])
    with pytest.raises(ValueError, match="infinity"):
        MCBoostClassifier(rounds=5).fit(X, Y).predict(X[:1] * np.inf)
    with pytest.raises(ValueError, match="features"):
        MCBoostClassifier(rounds=5).fit(X, Y).predict(X[:1, :3])


def test_few_rows_of_label_sets() -> None:
    sets = np.column_stack([Y == 0, Y == 1]).astype(int)
    model = MultiLabelBoostClassifier("mh", rounds=9).fit(X, sets)
    assert same(model.predict(X[:2]), model.predict(X)[:2])


def test_rows_to_validate_on_by_scikit_learns_names() -> None:
    named = MCBoostClassifier(rounds=60, patience=5).fit(X[::2], Y[::2], X_val=X[1::2], y_val=Y[1::2])
    paired = MCBoostClassifier(rounds=60, patience=5).fit(X[::2], Y[::2], eval_set=(X[1::2], Y[1::2]))
    assert named.model_.to_bytes() == paired.model_.to_bytes()
    with pytest.raises(ValueError, match="belong together"):
        MCBoostClassifier(rounds=5).fit(X, Y, X_val=X)
    with pytest.raises(ValueError, match="both X_val and eval_set"):
        MCBoostClassifier(rounds=5).fit(X, Y, X_val=X, y_val=Y, eval_set=(X, Y))
    with sklearn.config_context(enable_metadata_routing=True):
        model = MCBoostClassifier(rounds=60, patience=5).set_fit_request(X_val=True, y_val=True)
        pipeline = make_pipeline(StandardScaler(), model, transform_input=["X_val"])
        pipeline.fit(X[::2], Y[::2], X_val=X[1::2], y_val=Y[1::2])
    assert pipeline[-1].n_iter_ == named.n_iter_ and pipeline.score(X, Y) > 0.9


def test_progress(capsys: pytest.CaptureFixture[str]) -> None:
    MCBoostClassifier(rounds=20).fit(X, Y, verbose=5, X_val=X, y_val=Y)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split()[1] for line in lines] == ["5/20", "10/20", "15/20", "20/20"]
    assert all("left" in line and "valid error" in line and len(line) < 80 for line in lines), lines
    # Nobody sees a line that is written over.
    MCBoostClassifier(rounds=5).fit(X, Y, verbose=True)
    assert capsys.readouterr().err == ""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    progress = _progress.Progress(None, None, terminal)
    progress(1, {"train_error": 0.25})
    progress.close()
    assert "round 1  0:00  train error 25.00 %" in terminal.getvalue() and terminal.getvalue().endswith("\n")


def saved(model: Any, folder: Path) -> list[Any]:
    """The model after it went through everything that saves it."""
    cloudpickle, joblib, skops = (pytest.importorskip(name) for name in ("cloudpickle", "joblib", "skops.io"))
    joblib.dump(model, folder / "m.joblib")
    # What the document shows.
    skops.dump(model, folder / "m.skops")
    unknown = skops.get_untrusted_types(file=folder / "m.skops")
    assert all(name.startswith("manyboost.") for name in unknown), unknown
    return [
        pickle.loads(pickle.dumps(model)), copy.deepcopy(model), cloudpickle.loads(cloudpickle.dumps(model)),
        joblib.load(folder / "m.joblib"), skops.load(folder / "m.skops", trusted=unknown),
    ]


def test_models_are_saved_as_bytes(tmp_path: Path) -> None:
    for model in (MCBoostClassifier(rounds=9).fit(X, Y), BoostClassifier("samme", rounds=5, warm_start=True).fit(X, Y)):
        for other in saved(model, tmp_path):
            assert other.model_.to_bytes() == model.model_.to_bytes() and same(other.predict_proba(X), model.predict_proba(X))
    # What may go on, goes on.
    longer = saved(model, tmp_path)[-1].set_params(rounds=8).fit(X, Y)
    assert longer.model_.to_bytes() == BoostClassifier("samme", rounds=8, warm_start=True).fit(X, Y).model_.to_bytes()


def test_optuna_ends_trials_early() -> None:
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)

    def objective(trial: Any) -> float:
        def report(number: int, figures: dict[str, float]) -> None:
            trial.report(figures["valid_loss"], number)
            if trial.should_prune():
                raise optuna.TrialPruned

        model = MCBoostClassifier(rounds=15, shrinkage=trial.suggest_float("shrinkage", 0.001, 0.3, log=True))
        model.fit(X[::2], Y[::2], X_val=X[1::2], y_val=Y[1::2], callbacks=[report])
        return float(model.history_["valid_loss"][-1] or 0.0)

    study = optuna.create_study(
        sampler=optuna.samplers.RandomSampler(seed=1), pruner=optuna.pruners.MedianPruner(n_startup_trials=2, n_warmup_steps=3)
    )
    study.optimize(objective, n_trials=8)
    states = {trial.state.name for trial in study.trials}
    assert states == {"COMPLETE", "PRUNED"}, states


def test_imbalanced_learn() -> None:
    pipeline = pytest.importorskip("imblearn.pipeline").make_pipeline(
        pytest.importorskip("imblearn.over_sampling").RandomOverSampler(random_state=0), MCBoostClassifier(rounds=15)
    )
    assert pipeline.fit(*load_iris(return_X_y=True)).score(*load_iris(return_X_y=True)) > 0.9


def test_mapie_sets_hold_the_answer() -> None:
    classification = pytest.importorskip("mapie.classification")
    model = MCBoostClassifier(rounds=15).fit(X[::3], Y[::3])
    sets = classification.SplitConformalClassifier(model, confidence_level=0.9, prefit=True)
    _, among = sets.conformalize(X[1::3], Y[1::3]).predict_set(X[2::3])
    assert among[np.arange(len(Y[2::3])), Y[2::3], 0].mean() > 0.8


def test_monotone_constraints_are_refused_with_the_reason() -> None:
    for name in ("monotonic_cst", "monotone_constraints"):
        with pytest.raises(TypeError, match="can fall while the score"):
            MCBoostClassifier(**{name: [1, 0]})


def test_a_metric_decides() -> None:
    model = MCBoostClassifier(rounds=40, patience=5, metric="macro-f1").fit(X[::2], Y[::2], X_val=X[1::2], y_val=Y[1::2])
    figures = [value or 0.0 for value in model.history_["valid_metric"]]
    assert max(figures) == figures[-1] and figures.count(figures[-1]) == 1
    again = copy.deepcopy(model)
    assert again.history_ == model.history_
    with pytest.raises(ValueError, match="macro-f1"):
        MCBoostClassifier(patience=5, metric="f1", valid=0.2).fit(X, Y)
    with pytest.raises(ValueError, match="patience"):
        MCBoostClassifier(metric="auc").fit(X, Y)
    with pytest.raises(TypeError, match="it is metric here"):
        MCBoostClassifier(eval_metric="auc")


def test_the_last_rows_are_held_out() -> None:
    last = MCBoostClassifier(rounds=20, valid=0.25, split="last").fit(X, Y % 2)
    at = len(Y) - int(len(Y) * 0.25 + 0.5)
    named = MCBoostClassifier(rounds=20).fit(X[:at], Y[:at] % 2, X_val=X[at:], y_val=Y[at:] % 2)
    assert last.history_ == named.history_ and last.model_.parameters["split"] == "last"
    with pytest.raises(ValueError, match="valid"):
        MCBoostClassifier(split="last").fit(X, Y)
    with pytest.raises(ValueError, match="drawn or last"):
        MCBoostClassifier(split="first", valid=0.2).fit(X, Y)
