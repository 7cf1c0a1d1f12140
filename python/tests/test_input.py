"""What X may be: whatever it is kept in, the model is the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.datasets import load_digits, load_iris

from manyboost import MCBoostClassifier, MultiLabelBoostClassifier, certify, datasets

X, Y = load_iris(return_X_y=True)
X32 = X.astype(np.float32)


def proba(train: Any, y: Any = Y, test: Any = None, **parameters: Any) -> bytes:
    model = MCBoostClassifier(rounds=8, **parameters).fit(train, y)
    return model.predict_proba(train if test is None else test).tobytes()


def read_only(matrix: np.ndarray) -> np.ndarray:
    matrix = matrix.copy()
    matrix.flags.writeable = False
    return matrix


@pytest.mark.parametrize(
    "kept",
    [
        X32.astype(np.float64), np.asfortranarray(X32), X32[::-1][::-1], np.repeat(X32, 2, axis=1)[:, ::2],
        X32.astype(">f4"), X32.astype(">f8"), X32.astype(np.longdouble), X32.tolist(), X32.astype(object),
        read_only(X32), sparse.csr_matrix(X32), sparse.csc_array(X32), sparse.coo_array(X32), pd.DataFrame(X32),
        np.lib.stride_tricks.as_strided(np.frombuffer(b"\0" + X32.tobytes(), "u1")[1:].view("f4"), X32.shape, (16, 4)),
    ],
    ids=lambda kept: f"{type(kept).__name__}-{getattr(kept, 'dtype', '')}",
)
def test_layout_does_not_matter(kept: Any) -> None:
    assert proba(kept) == proba(X32)


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", ">i2"])
def test_types_of_numbers_do_not_matter(dtype: str) -> None:
    digits, y = load_digits(return_X_y=True)
    assert proba(digits.astype(dtype), y) == proba(digits, y)


def test_booleans_are_numbers() -> None:
    assert proba(X > X.mean(axis=0)) == proba((X > X.mean(axis=0)).astype(float))


def test_what_cannot_be_is_refused() -> None:
    for bad, kind in [
        (X.astype(complex), ValueError),
        (X[:, 0], ValueError),
        (np.zeros((0, 4)), ValueError),
        (np.zeros((150, 0)), ValueError),
        (np.asarray([[{}, 1.0]] * 150, dtype=object), TypeError),
    ]:
        with pytest.raises(kind):
            MCBoostClassifier(rounds=1).fit(bad, Y[: len(bad)])
    model = MCBoostClassifier(rounds=1).fit(X, Y)
    assert model.predict(np.zeros((0, 4))).shape == (0,)
    with pytest.raises(ValueError, match="3 features"):
        model.predict(X[:, :3])
    with pytest.raises(ValueError, match="infinity"):
        model.predict(np.where(X > 5, -np.inf, X))


def mixed() -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers, categories, text and missing values."""
    return datasets.generate("mixed", 400, seed=3)


def test_frames_of_all_makers_are_the_same() -> None:
    frame, y = mixed()
    kinds = {kind for _, kind in MCBoostClassifier(rounds=1).fit(frame, y).model_.features}
    assert kinds == {"number", "category", "text"}
    wanted = proba(frame, y)
    words = [name for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name])]
    clean = frame.astype(object).where(frame.notna(), None)
    table = pa.table({name: pa.array(clean[name].tolist()) for name in frame.columns})

    class Capsule:
        """Knows Arrow's interface only."""

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return table.__arrow_c_stream__(requested_schema)

    model = MCBoostClassifier(rounds=8).fit(frame, y)
    category = [name for name, kind in model.model_.features if kind == "category"]
    same = {
        "pandas object": frame.astype({name: object for name in words}),
        "pandas categorical": frame.astype({name: "category" for name in category}),
        "pandas nullable": frame.convert_dtypes(),
        "pandas arrow": frame.convert_dtypes(dtype_backend="pyarrow"),
        "polars": pl.from_arrow(table),
        "polars categorical": pl.from_arrow(table).with_columns(pl.col(category).cast(pl.Categorical)),
        "arrow": table,
        "capsule": Capsule(),
        "objects": clean.to_numpy(dtype=object),
    }
    for maker, other in same.items():
        assert proba(other, y) == wanted, maker


def test_the_answer_to_a_query() -> None:
    duckdb = pytest.importorskip("duckdb")
    rows = pa.table({"x": [float(i % 30) for i in range(90)], "colour": ["red", "blue", "green"] * 30})
    y = [i % 3 for i in range(90)]
    relation = duckdb.sql("SELECT x, colour FROM rows")
    assert proba(relation, y) == proba(rows, y)


def test_kinds_may_be_told() -> None:
    numbers = np.random.default_rng(0).integers(0, 5, (300, 2))
    y = (numbers[:, 0] % 2) ^ (numbers[:, 1] % 2)
    told = MCBoostClassifier(rounds=3, categorical=[0, 1]).fit(numbers, y)
    assert [kind for _, kind in told.model_.features] == ["category", "category"]
    assert told.score(numbers, y) == 1.0
    frame = pd.DataFrame({"a": numbers[:, 0], "words": ["to be or"] * 150 + ["not to be"] * 150})
    model = MCBoostClassifier(rounds=3, categorical=["a"], text=["words"]).fit(frame, [0] * 150 + [1] * 150)
    assert [kind for _, kind in model.model_.features] == ["category", "text"]
    assert model.score(frame, [0] * 150 + [1] * 150) == 1.0
    with pytest.raises(ValueError, match="no column 'b'"):
        MCBoostClassifier(categorical=["b"]).fit(frame, y)


def test_missing_is_missing_whatever_it_is_called() -> None:
    holes = X.copy()
    holes[::7, 1] = np.nan
    frame = pd.DataFrame(holes)
    objects = frame.astype(object).where(frame.notna(), None).to_numpy()
    assert proba(holes) == proba(frame) == proba(objects) == proba(pl.DataFrame(objects.tolist(), orient="row"))
    dense = sparse.csc_array(holes)
    assert proba(dense) == proba(holes)


def test_unseen_categories_are_missing() -> None:
    frame = pd.DataFrame({"colour": ["red", "blue", "green"] * 20})
    model = MCBoostClassifier(rounds=5).fit(frame, [0, 1, 2] * 20)
    assert model.score(frame, [0, 1, 2] * 20) == 1.0
    wanted = model.predict_proba(pd.DataFrame({"colour": ["pink"]}))
    for gone in (pd.DataFrame({"colour": [None]}, dtype=object), pd.DataFrame({"colour": [np.nan]})):
        assert (model.predict_proba(gone) == wanted).all()
    assert (model.predict_proba(pl.DataFrame({"colour": [None]})) == wanted).all()
    with pytest.raises(ValueError, match='"colour" does not hold words'):
        model.predict(pd.DataFrame({"colour": [1.0]}))


def test_columns_have_names() -> None:
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    model = MCBoostClassifier(rounds=2).fit(frame, Y)
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "d"] and model.n_features_in_ == 4
    assert [name for name, _ in model.model_.features] == ["a", "b", "c", "d"]
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["b", "a", "c", "d"]])
    with pytest.raises(ValueError, match="number at|numbers"):
        model.predict(frame.astype({"a": str}))


def test_masked_values_are_missing() -> None:
    holes = X.copy()
    holes[::7, 1] = np.nan
    hidden = np.where(np.isnan(holes), 99.0, holes)
    mask = np.isnan(holes)
    wanted = proba(holes)
    for masked in (
        np.ma.array(hidden, mask=mask), np.ma.masked_invalid(holes), np.ma.array(hidden, mask=mask, order="F"),
        [np.ma.array(row, mask=own) for row, own in zip(hidden, mask)], np.ma.array(hidden.astype(object), mask=mask),
    ):
        assert proba(masked) == wanted
    assert proba(X, test=np.ma.array(hidden, mask=mask)) == proba(X, test=holes)
    assert proba(np.ma.array(X)) == proba(X)
    whole = np.ma.array((X * 10).astype(int), mask=mask)
    assert proba(whole) == proba(whole.astype(float).filled(np.nan))
    words = np.ma.array(np.asarray(["red", "blue", "green"])[Y].reshape(-1, 1), mask=(np.arange(150) % 7 == 0).reshape(-1, 1))
    told = [[None] if at % 7 == 0 else [words.data[at, 0]] for at in range(150)]
    assert proba(words) == proba(np.asarray(told, dtype=object))


def test_masked_answers_and_weights_are_refused() -> None:
    masked = np.ma.array(Y, mask=np.arange(150) == 3)
    sets = np.ma.array(np.eye(3, dtype=int)[Y], mask=np.zeros((150, 3)))
    sets[3, 1] = np.ma.masked
    model = MCBoostClassifier(rounds=2)
    for name, ask in [
        ("y", lambda: model.fit(X, masked)),
        ("y", lambda: MultiLabelBoostClassifier(rounds=2).fit(X, sets)),
        ("y", lambda: model.fit(X, Y, eval_set=(X, masked))),
        ("y", lambda: model.fit(X, Y).score(X, masked)),
        ("y", lambda: certify(X, masked)),
        ("sample_weight", lambda: model.fit(X, Y, sample_weight=np.ma.array(np.ones(150), mask=np.arange(150) == 3))),
    ]:
        with pytest.raises(ValueError, match=f"{name} is masked in 1 rows, first in row 3"):
            ask()
    assert proba(X, np.ma.array(Y)) == proba(X)


def test_lazy_frames_are_refused() -> None:
    frame = pl.DataFrame(X, schema=["a", "b", "c", "d"])
    model = MCBoostClassifier(rounds=2).fit(frame, Y)
    for ask in (lambda: model.predict(frame.lazy()), lambda: MCBoostClassifier().fit(frame.lazy(), Y)):
        with pytest.raises(ValueError, match=r"X is a lazy frame.*\n.*X\.collect\(\)"):
            ask()
    with pytest.raises(ValueError, match="y is a lazy frame"):
        MCBoostClassifier().fit(frame, pl.LazyFrame({"y": Y}))


def test_columns_of_the_same_name_are_refused() -> None:
    names = ["a", "b", "a", "b"]
    model = MCBoostClassifier(rounds=2)
    for twice in (pd.DataFrame(X, columns=names), pa.table(list(X.T), names=names)):
        with pytest.raises(ValueError, match="X: several columns are called 'a', 'b'"):
            model.fit(twice, Y)
    labels = pd.DataFrame(np.eye(3, dtype=int)[Y], columns=["p", "q", "p"])
    with pytest.raises(ValueError, match="y: several columns are called 'p'"):
        MultiLabelBoostClassifier().fit(X, labels)


def test_sparse_matrices_have_millions_of_columns() -> None:
    rows = np.arange(60)
    wide = sparse.csr_array((np.ones(60), (rows, np.where(rows % 2, 1_999_999, 7))), shape=(60, 2_000_000))
    model = MCBoostClassifier(rounds=3).fit(wide, rows % 2)
    assert model.score(wide, rows % 2) == 1.0 and model.n_features_in_ == 2_000_000
    with pytest.raises(ValueError, match="sparse column cannot be category"):
        MCBoostClassifier(categorical=[0]).fit(wide, rows % 2)
    # What SciPy has not summed up, and columns without any value.
    twice = sparse.coo_array((np.ones(120), (np.tile(rows, 2), np.tile(rows % 2 * 3, 2))), shape=(60, 5))
    assert proba(twice, rows % 2) == proba(twice.toarray(), rows % 2)


def test_what_looks_like_a_mistake_is_warned_of() -> None:
    frame = pd.DataFrame({"price": ["€10", "€11", "€12"] * 20, "x": [0, 1, 2] * 20})
    with pytest.warns(UserWarning, match='"price".*plain numbers'):
        MCBoostClassifier(rounds=3).fit(frame, [0, 1, 2] * 20)
    with pytest.warns(UserWarning, match="nothing was learnt"):
        model = MCBoostClassifier(rounds=3).fit(np.ones((20, 1)), [0, 1] * 10)
    assert model.predict_proba([[1.0]]).tolist() == [[0.5, 0.5]]


def test_text_without_a_word_in_enough_rows() -> None:
    frame = pd.DataFrame({"t": [f"some{i} text{i} that{i} is{i} only{i} here{i}" for i in range(500)]})
    with pytest.warns(UserWarning, match="nothing was learnt"):
        model = MCBoostClassifier(text_as="words").fit(frame, [0, 1] * 250)
    assert model.n_iter_ == 0
