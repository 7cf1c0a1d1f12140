"""Dates, times and durations: the model is the same whatever keeps them, and the command line's."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import manyboost
from manyboost import MCBoostClassifier

ROWS = 300
TICKS = np.datetime64("2021-03-04T05:06:07") + np.arange(ROWS) * np.timedelta64(61_234, "s")
WHEN = np.where(np.arange(ROWS) % 13 == 4, np.datetime64("NaT"), TICKS)
TOOK = np.where(np.arange(ROWS) % 17 == 5, np.timedelta64("NaT"), (np.arange(ROWS) * 977 % 9000) * np.timedelta64(1, "s"))
X = np.arange(ROWS) * 7 % 31
Y = np.where(pd.DatetimeIndex(TICKS).day_of_week >= 5, "weekend", np.where(pd.DatetimeIndex(TICKS).hour < 9, "early", "late"))
FRAME = pd.DataFrame({"when": WHEN.astype("M8[s]"), "took": TOOK.astype("m8[s]"), "x": X})
ARROW = pa.Table.from_pandas(FRAME, preserve_index=False)


def fitted(X: Any, **parameters: Any) -> MCBoostClassifier:
    return MCBoostClassifier(rounds=12, cuts=0, random_state=1, **parameters).fit(X, Y)


def bytes_of(model: MCBoostClassifier, tmp_path: Path) -> bytes:
    model.save(tmp_path / "own.model")
    return (tmp_path / "own.model").read_bytes()


def objects() -> pd.DataFrame:
    whens = [None if np.isnat(t) else t.item() for t in WHEN.astype("M8[s]")]
    tooks = [None if np.isnat(t) else t.item() for t in TOOK.astype("m8[s]")]
    return pd.DataFrame({"when": pd.Series(whens, dtype=object), "took": pd.Series(tooks, dtype=object), "x": X})


SAME = {
    "pandas ns": lambda: FRAME.astype({"when": "M8[ns]", "took": "m8[ns]"}),
    "pandas UTC": lambda: FRAME.assign(when=FRAME["when"].dt.tz_localize("UTC")),
    "pandas in New York": lambda: FRAME.assign(when=FRAME["when"].dt.tz_localize("UTC").dt.tz_convert("America/New_York")),
    "pandas arrow": lambda: FRAME.convert_dtypes(dtype_backend="pyarrow"),
    "pandas objects": objects,
    "polars": lambda: pl.from_arrow(ARROW),
    "polars us in Tokyo": lambda: pl.from_arrow(ARROW).with_columns(
        pl.col("when").cast(pl.Datetime("us")).dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Tokyo")
    ),
    "arrow": lambda: ARROW,
    "arrow ns": lambda: ARROW.cast(pa.schema([("when", pa.timestamp("ns")), ("took", pa.duration("ns")), ("x", pa.int64())])),
}


def test_a_weekday_is_learnt() -> None:
    model = fitted(FRAME)
    assert model.model_.features == [("when", "time"), ("took", "duration"), ("x", "number")]
    known = ~np.isnat(WHEN)
    assert (model.predict(FRAME)[known] == Y[known]).mean() > 0.97
    assert model.feature_importances_.shape == (3,)
    assert model.feature_importances_[0] > 0.7


@pytest.mark.parametrize("name", list(SAME))
def test_what_keeps_them_does_not_matter(name: str, tmp_path: Path) -> None:
    model = fitted(FRAME)
    other = SAME[name]()
    assert bytes_of(fitted(other), tmp_path) == bytes_of(model, tmp_path)
    assert model.predict_proba(other).tobytes() == model.predict_proba(FRAME).tobytes()


def test_a_query_has_times(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    # Intervals of DuckDB have months, of which nobody knows the length: durations are asked for as seconds.
    rows = ARROW.select(["when", "x"])  # noqa: F841
    relation = duckdb.sql("SELECT \"when\", x FROM rows")
    assert bytes_of(fitted(relation), tmp_path) == bytes_of(fitted(FRAME[["when", "x"]]), tmp_path)


def test_the_command_line_makes_the_same_model(tmp_path: Path) -> None:
    cli = os.environ.get("MANYBOOST_CLI")
    if cli is None:
        pytest.skip("the command line is not built")
    FRAME.assign(**{"class": Y}).to_csv(tmp_path / "d.csv", index=False)
    pa.parquet = pytest.importorskip("pyarrow.parquet")
    table = pa.Table.from_pandas(FRAME[["when", "x"]].assign(**{"class": Y}), preserve_index=False)
    pa.parquet.write_table(table, tmp_path / "d.parquet")
    common = ["--out", "m.model", "--rounds", "12", "--cuts", "0", "--seed", "1", "--quiet"]
    subprocess.run([cli, "train", "d.csv", *common], cwd=tmp_path, check=True)
    assert (tmp_path / "m.model").read_bytes() == bytes_of(fitted(FRAME), tmp_path)
    again = manyboost.load(tmp_path / "m.model")
    assert again.predict_proba(FRAME).tobytes() == fitted(FRAME).predict_proba(FRAME).tobytes()
    subprocess.run([cli, "train", "d.parquet", *common], cwd=tmp_path, check=True)
    assert (tmp_path / "m.model").read_bytes() == bytes_of(fitted(FRAME[["when", "x"]]), tmp_path)


def test_dates_and_times_of_day() -> None:
    dates = FRAME["when"].dt.floor("D")
    day = [None if pd.isna(t) else t.date() for t in dates]
    hour = [dt.time(at % 24, at % 60, 1) for at in range(ROWS)]
    wanted = MCBoostClassifier(rounds=5, random_state=1).fit(pd.DataFrame({"day": dates, "x": X}), Y)
    for kept in [
        pd.DataFrame({"day": pd.Series(day, dtype=object), "x": X}),
        pl.DataFrame({"day": pl.Series(day, dtype=pl.Date), "x": X}),
        pa.table({"day": pa.array(day, pa.date32()), "x": X}),
        pa.table({"day": pa.array(day, pa.date64()), "x": X}),
    ]:
        own = MCBoostClassifier(rounds=5, random_state=1).fit(kept, Y)
        assert own.predict_proba(kept).tobytes() == wanted.predict_proba(pd.DataFrame({"day": dates, "x": X})).tobytes()
    for kept in [pl.DataFrame({"at": hour}), pa.table({"at": pa.array(hour, pa.time64("us"))}), pd.DataFrame({"at": hour})]:
        own = MCBoostClassifier(rounds=2).fit(kept, Y)
        assert own.model_.features == [("at", "duration")]


def test_matrices_of_times() -> None:
    matrix = np.stack([TICKS, TICKS + np.timedelta64(5, "h")], axis=1)
    model = MCBoostClassifier(rounds=8, cuts=0).fit(matrix, Y)
    assert [kind for _, kind in model.model_.features] == ["time", "time"]
    assert model.score(matrix, Y) > 0.97
    for same in [matrix.astype("M8[ms]"), matrix.astype("M8[ns]"), matrix.astype(">M8[s]"), matrix.tolist()]:
        assert model.predict_proba(same).tobytes() == model.predict_proba(matrix).tobytes()


def test_one_row_is_one_of_many() -> None:
    model = fitted(FRAME)
    many = model.predict_proba(FRAME)
    for at in range(40):
        assert model.predict_proba(FRAME.iloc[at : at + 1]).tobytes() == many[at : at + 1].tobytes()
        assert model.predict_proba(pl.from_arrow(ARROW)[at : at + 1]).tobytes() == many[at : at + 1].tobytes()


def test_texts_say_times_where_a_model_knows_them() -> None:
    model = fitted(FRAME)
    texts = FRAME.assign(when=FRAME["when"].dt.strftime("%Y-%m-%d %H:%M:%S"), took=FRAME["took"].astype(str).replace("NaT", None))
    assert model.predict_proba(texts).tobytes() == model.predict_proba(FRAME).tobytes()


def test_what_is_no_time_is_refused() -> None:
    model = fitted(FRAME)
    for other, words in [
        (FRAME.assign(when=X), "\"when\" does not hold dates or times"),
        (FRAME.assign(took=X), "\"took\" does not hold durations"),
        (FRAME.assign(when=FRAME["took"]), "\"when\" does not hold dates or times"),
        (FRAME.assign(x=FRAME["when"]), "\"x\" does not hold numbers"),
        (FRAME.assign(when="soon"), "'soon' is not a date"),
    ]:
        for rows in (other, other.iloc[:1]):
            with pytest.raises(ValueError, match=words):
                model.predict(rows)
    with pytest.raises(TypeError, match="one kind"):
        fitted(pd.DataFrame({"when": pd.Series([dt.date(2021, 3, 4), dt.timedelta(1)] * (ROWS // 2), dtype=object)}))
    everything = FRAME.assign(when=np.nan, took=np.nan)
    assert model.predict(everything).shape == (ROWS,)


def test_explanations_take_the_column_as_one() -> None:
    model = fitted(FRAME)
    values = model.shap_values(FRAME[:20])
    assert values.shape == (20, 3, 3)
    found = values.sum(axis=1) + model.expected_value_
    np.testing.assert_allclose(found, model.decision_function(FRAME[:20]), atol=1e-9)
    encoded = model.encoded(FRAME[:20])
    assert encoded.shape == (20, 3)
    np.testing.assert_array_equal(encoded[:4, 0], WHEN[:4].astype("M8[s]").astype(np.int64))
    trees = model.trees()
    assert {"weekday", "hour"} <= set(trees["part"].dropna())
    assert "weekday of when ≤ 5.5" in "".join(model.to_graphviz(tree) for tree in range(12))
    with pytest.raises(ValueError, match="calendar"):
        model.to_treelite()


def test_categories_of_dates_where_they_are_asked_for() -> None:
    days = pd.DataFrame({"day": FRAME["when"].dt.floor("30D"), "x": X})
    model = MCBoostClassifier(rounds=3, categorical=["day"]).fit(days, Y)
    assert model.model_.features == [("day", "category"), ("x", "number")]
    assert model.predict(days).shape == (ROWS,)


def test_lists_of_strings_are_words() -> None:
    lists = [["red", "old"], ["blue"], None, []] * (ROWS // 4)
    joined = [None if words is None else " ".join(words) for words in lists]
    wanted = MCBoostClassifier(rounds=3, text=["tags"]).fit(pd.DataFrame({"tags": joined}), Y)
    for kept in [pl.DataFrame({"tags": lists}), pa.table({"tags": lists})]:
        own = MCBoostClassifier(rounds=3).fit(kept, Y)
        assert own.model_.features == [("tags", "text")]
        assert own.predict_proba(kept).tobytes() == wanted.predict_proba(pd.DataFrame({"tags": joined})).tobytes()
