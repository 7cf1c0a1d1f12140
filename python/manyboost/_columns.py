"""From whatever people keep tables in to the columns that the engine looks at.

Numbers stay where they are: a column of a matrix is a view of it. Texts become lists. What a column may be is said in
`crates/python/src/columns.rs`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import narwhals.stable.v2 as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import _num_samples, validate_data

from manyboost._times import is_time, texts_of, times, times_of_objects, times_of_series

# What the engine takes as it is; all other numbers become float64.
TAKEN = {np.dtype(t) for t in ("f4", "f8", "i1", "i2", "i4", "i8", "u1")}


@dataclass
class Columns:
    """Columns of equal length, and what they are called."""

    names: list[str]
    columns: list[Any]
    count: int


def look(
    estimator: BaseEstimator,
    X: Any,
    *,
    reset: bool,
    categorical: Collection[Any] = (),
    text: Collection[Any] = (),
) -> Columns:
    """The columns of X; an estimator that is fitted (not `reset`) refuses other columns than it knows."""
    X = unmasked(X)
    frame = frame_of(X, "X")
    if frame is not None:
        native = nw.to_native(frame)
        validate_data(estimator, native, reset=reset, skip_check_array=True)
        names = distinct("X", [str(name) for name in frame.columns])
        columns: Sequence[Any] = [_series(frame[:, at], name) for at, name in enumerate(frame.columns)]
        count = len(frame)
        if reset and count == 0:
            raise ValueError(f"Found array with 0 sample(s) (shape={frame.shape}) while a minimum of 1 is required.")
        if not columns:
            raise ValueError(f"Found array with 0 feature(s) (shape={frame.shape}) while a minimum of 1 is required.")
    else:
        # Finite or not is seen where the values are looked at.
        X = validate_data(
            estimator, X, reset=reset, accept_sparse="csc", dtype=None, ensure_all_finite=False,
            ensure_min_samples=1 if reset else 0,
        )
        names = [f"x{at}" for at in range(X.shape[1])]
        columns = _sparse(X) if sparse.issparse(X) else _matrix(X)
        count = _num_samples(X)
    labels = list(frame.columns) if frame is not None else names
    told = {**dict.fromkeys(_places(categorical, labels), "category"), **dict.fromkeys(_places(text, labels), "text")}
    if frame is None and sparse.issparse(X) and told:
        raise ValueError(f"a sparse column cannot be {next(iter(told.values()))}")
    return Columns(names, [told_kind(column, told.get(at)) for at, column in enumerate(columns)], count)


def frame_of(X: Any, what: str) -> nw.DataFrame[Any] | None:
    """X as a data frame, if it is one; `what` it is is for messages."""
    if isinstance(X, np.ndarray) or sparse.issparse(X):
        return None
    try:
        frame = nw.from_native(X, pass_through=True, allow_series=True)
        if isinstance(frame, nw.DataFrame):
            return frame
        if not isinstance(frame, nw.Series) and hasattr(X, "__arrow_c_stream__"):
            return nw.DataFrame.from_arrow(X, backend=_backend())
    except DuplicateError as error:
        names = getattr(X, "column_names", None)
        distinct(what, [str(name) for name in (getattr(X, "columns", ()) if names is None else names)])
        raise ValueError(f"{what}: {error}\n{RENAME}") from None
    if isinstance(frame, nw.LazyFrame):
        # Whether its rows will come in the order of the answers, only the user knows.
        raise ValueError(f"{what} is a lazy frame, whose rows are not there yet\ngive {what}.collect()")
    return None


RENAME = "give each column a name of its own"


def distinct(what: str, names: list[str]) -> list[str]:
    """The names, if no two are the same."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(f"{what}: several columns are called {', '.join(map(repr, twice))}\n{RENAME}")
    return names


def unmasked(X: Any) -> Any:
    """Of a masked array, an array with missing values where it is masked; anything else as it is."""
    if isinstance(X, (list, tuple)) and any(isinstance(row, np.ma.MaskedArray) for row in X):
        X = np.ma.asarray(X)
    if not isinstance(X, np.ma.MaskedArray):
        return X
    if not np.ma.is_masked(X) or X.dtype.kind not in "fiubOUS":
        return X.data
    kind = X.dtype if X.dtype.kind == "f" else object if X.dtype.kind in "OUS" else np.float64
    values = X.data.astype(kind)
    values[np.ma.getmaskarray(X)] = None if kind is object else np.nan
    return values


def _backend() -> Literal["pyarrow", "polars", "pandas"]:
    """A library that can hold Arrow's columns."""
    names: tuple[Literal["pyarrow", "polars", "pandas"], ...] = ("pyarrow", "polars", "pandas")
    for name in names:
        try:
            __import__(name)
        except ImportError:
            continue
        return name
    raise ImportError("Arrow data need pyarrow, polars or pandas: install one of them")


def _places(wanted: Collection[Any], names: Sequence[Any]) -> list[int]:
    """Where columns are that were asked for by name or number."""
    known = {name: at for at, name in enumerate(names)} if wanted else {}
    places = []
    for column in wanted:
        if column in known:
            places.append(known[column])
        elif isinstance(column, (int, np.integer)) and not isinstance(column, bool) and column in range(len(names)):
            places.append(int(column))
        else:
            raise ValueError(f"there is no column {column!r}\nname columns of X, or give their numbers from 0")
    return places


def told_kind(column: Any, kind: str | None) -> Any:
    """A column that the user said the kind of: numbers become texts."""
    if kind is None:
        return column
    if isinstance(column, tuple):
        return ("words", kind, texts_of(column) if column[0] == "times" else column[2])
    return ("words", kind, _texts(column.tolist()))


def _texts(values: list[Any]) -> list[str | None]:
    """Texts, None where one is missing."""
    return [None if missing(value) else value if isinstance(value, str) else _text(value) for value in values]


def _text(value: Any) -> str:
    if isinstance(value, (bool, int, float, np.generic)):
        # A whole number among floats is written as files have it where nothing is missing.
        whole = isinstance(value, float) and value.is_integer()
        return str(int(value)) if whole else str(value)
    raise TypeError(f"argument must be a string or a number, not {type(value).__name__!r}")


def missing(value: Any) -> bool:
    """Whether a value is none."""
    # NaN, NaT and pandas' NA are not equal to themselves, or not sure.
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)


def _numbers(values: np.ndarray) -> np.ndarray:
    """Numbers in a type that the engine knows."""
    if values.dtype == bool:
        return values.view(np.uint8)
    if values.dtype in TAKEN and values.dtype.isnative and values.flags.aligned:
        return values
    return values.astype(np.float64)


def _matrix(X: np.ndarray) -> list[Any]:
    if X.dtype.kind in "fiub":
        X = _numbers(X)
        return [X[:, at] for at in range(X.shape[1])]
    if X.dtype.kind in "OUS":
        return [_objects(X[:, at].tolist()) for at in range(X.shape[1])]
    if X.dtype.kind in "mM":
        return [times(X[:, at]) for at in range(X.shape[1])]
    raise TypeError(f"X holds {X.dtype}: give numbers or texts")


def _objects(values: list[Any]) -> Any:
    """A column of Python objects: numbers if all are, else texts."""
    if any(isinstance(value, (str, bytes)) for value in values):
        return ("words", None, _texts([v.decode() if isinstance(v, bytes) else v for v in values]))
    if any(is_time(value) and not missing(value) for value in values):
        return times_of_objects([None if missing(value) else value for value in values])
    numbers = [np.nan if missing(value) else value for value in values]
    try:
        return np.asarray([float(number) for number in numbers])
    except TypeError as error:
        raise TypeError(f"argument must be a string or a number: {error}") from error


def _sparse(X: Any) -> list[Any]:
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    # All columns at once: there may be millions.
    return [("matrix", X.indptr.astype(np.int64), X.indices.astype(np.int32, copy=False), _numbers(X.data))]


def _series(series: nw.Series[Any], name: Any) -> Any:
    """A column of a data frame."""
    dtype = series.dtype
    if dtype in (nw.Datetime, nw.Duration, nw.Date):
        return times_of_series(series)
    if dtype == nw.Time or (dtype in (nw.Object, nw.Unknown) and _is_times(series)):
        return times_of_objects([None if missing(value) else value for value in series.to_list()])
    if dtype == nw.Unknown and series.is_null().all():
        return np.full(len(series), np.nan)
    if dtype.is_decimal() or (dtype == nw.Object and _is_numeric(series)):
        return np.asarray([np.nan if missing(v) else float(v) for v in series.to_list()])
    if dtype.is_numeric() or dtype == nw.Boolean:
        if dtype == nw.Boolean and series.is_null().any():
            return np.asarray([np.nan if missing(v) else float(v) for v in series.to_list()])
        return _numbers(np.asarray(series.to_numpy()))
    if dtype in (nw.Categorical, nw.Enum):
        return ("words", "category", _texts(series.to_list()))
    if isinstance(dtype, nw.List) and dtype.inner == nw.String:
        return ("words", "text", [None if missing(value) else _words(value) for value in series.to_list()])
    if dtype in (nw.String, nw.Object):
        return ("words", None, _texts(series.to_list()))
    raise TypeError(f"column {name!r} holds {dtype}: give numbers, times, categories or texts")


def _words(values: Any) -> str:
    """The words of a list, as one text."""
    return " ".join(value for value in values if value is not None)


def _is_times(series: nw.Series[Any]) -> bool:
    values = [value for value in series.to_list() if not missing(value)]
    return bool(values) and all(is_time(value) for value in values)


def _is_numeric(series: nw.Series[Any]) -> bool:
    return all(missing(v) or isinstance(v, (int, float, np.number)) for v in series.to_list())
