"""Columns of text: a linear function of their words, and trees where there are other columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from manyboost import MCBoostClassifier, MultiLabelBoostClassifier

TOPICS = ["card lost stolen wallet", "rate loan interest bank", "password login reset mail"]


def rows(count: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 3, count)
    own = [draw.choice(TOPICS[k].split()) for k in y]
    any_ = [draw.choice(" ".join(TOPICS).split()) for _ in y]
    texts = [f"please, {a} and {b} {number}" for a, b, number in zip(own, any_, draw.integers(0, 1000, count), strict=True)]
    return pd.DataFrame({"text": texts, "x": draw.normal(size=count)}), y


def test_texts_alone_take_no_rounds(tmp_path: Path) -> None:
    (X, y), (X_test, y_test) = rows(400, 1), rows(300, 2)
    model = MCBoostClassifier(text=["text"]).fit(X[["text"]], y)
    assert model.n_iter_ == 0 and model.stop_ == "found"
    assert model.score(X_test[["text"]], y_test) > 0.6
    # A few rows at a time, and all of them.
    few = np.vstack([model.predict_proba(X_test[["text"]].iloc[at : at + 1]) for at in range(20)])
    assert (few == model.predict_proba(X_test[["text"]])[:20]).all()
    again = MCBoostClassifier(text=["text"]).fit(X[["text"]].iloc[::-1], y[::-1])
    for name, saved in (("one", model), ("two", again)):
        saved.save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_other_columns_are_seen_too() -> None:
    (X, y), (X_test, y_test) = rows(600, 1), rows(400, 2)
    sign, sign_test = (X["x"] > 0).to_numpy(), (X_test["x"] > 0).to_numpy()
    both = MCBoostClassifier(text=["text"]).fit(X, 2 * y + sign)
    alone = MCBoostClassifier(text=["text"]).fit(X[["text"]], 2 * y + sign)
    assert both.n_iter_ > 0
    assert both.score(X_test, 2 * y_test + sign_test) > alone.score(X_test[["text"]], 2 * y_test + sign_test) + 0.2
    words = MCBoostClassifier(text=["text"], rounds=20, text_as="words").fit(X[["text"]], y)
    assert words.n_iter_ == 20


@pytest.mark.parametrize("rounds", ["auto", 3])
def test_label_sets(rounds: int | str) -> None:
    X, y = rows(500, 3)
    Y = np.eye(3, dtype=int)[y]
    model = MultiLabelBoostClassifier("mcboost", rounds=rounds, text=["text"]).fit(X[["text"]], Y)
    assert (model.predict(X[["text"]]) == Y).mean() > 0.8
