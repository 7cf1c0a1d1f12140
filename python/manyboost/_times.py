"""Dates, times and durations as the engine takes them: whole ticks since 1970 in UTC, or of a duration, and how many of them make a second.

A time of which nobody said the zone is taken as it stands; others are brought to UTC.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

# How many ticks of NumPy's units make a second; longer units are spelt in seconds, shorter ones in nanoseconds.
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
SHORTER = ("ps", "fs", "as")
NOTHING = np.iinfo(np.int64).min


def times(values: np.ndarray) -> tuple[str, str, int, np.ndarray]:
    """An array of NumPy's times."""
    unit, count = np.datetime_data(values.dtype)
    if unit not in PER_SECOND or count != 1:
        unit = unit if unit in PER_SECOND else "ns" if unit in SHORTER else "s"
        values = values.astype(f"{values.dtype.kind}8[{unit}]")
    kind = "time" if values.dtype.kind == "M" else "duration"
    native = np.ascontiguousarray(values).astype(values.dtype.newbyteorder("="), copy=False)
    return ("times", kind, PER_SECOND[unit], native.view(np.int64))


def times_of_series(series: nw.Series[Any]) -> tuple[str, str, int, np.ndarray]:
    """A column of a data frame."""
    dtype = series.dtype
    if isinstance(dtype, nw.Datetime) and dtype.time_zone is not None:
        series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    values = np.asarray(series.to_numpy())
    return times(values) if values.dtype.kind in "mM" else times_of_objects(series.to_list())


def is_time(value: Any) -> bool:
    """Whether a value is a date, a time, or a duration."""
    return isinstance(value, (dt.date, dt.time, dt.timedelta, np.datetime64, np.timedelta64))


def times_of_objects(values: list[Any]) -> tuple[str, str, int, np.ndarray]:
    """Python's own dates, times and durations, of one kind; None where one is missing."""
    ticks = np.full(len(values), NOTHING, dtype=np.int64)
    kinds = set()
    for at, value in enumerate(values):
        if value is None:
            continue
        kind, ticks[at] = _ticks(value)
        kinds.add(kind)
    if len(kinds) > 1:
        raise TypeError("a column holds both points in time and durations: give columns of one kind")
    return ("times", next(iter(kinds), "time"), PER_SECOND["us"], ticks)


def _ticks(value: Any) -> tuple[str, int]:
    """Millionths of a second."""
    if isinstance(value, (np.datetime64, np.timedelta64)):
        kind, per_second, ticks = times(np.array([value]))[1:]
        return kind, NOTHING if ticks[0] == NOTHING else int(ticks[0]) * 10**6 // per_second
    if isinstance(value, dt.datetime):
        zone = value.utcoffset()
        plain = value.replace(tzinfo=None) - (dt.timedelta(0) if zone is None else zone)
        return "time", (plain - dt.datetime(1970, 1, 1)) // dt.timedelta(microseconds=1)
    if isinstance(value, dt.date):
        return "time", (value - dt.date(1970, 1, 1)).days * 86_400 * 10**6
    if isinstance(value, dt.time):
        seconds = value.hour * 3600 + value.minute * 60 + value.second
        return "duration", seconds * 10**6 + value.microsecond
    if isinstance(value, dt.timedelta):
        return "duration", value // dt.timedelta(microseconds=1)
    raise TypeError(f"argument must be a date, a time or a duration, not {type(value).__name__!r}")


def texts_of(column: tuple[str, str, int, np.ndarray]) -> list[str | None]:
    """Times as texts, for a column that the user takes for words."""
    _, kind, per_second, ticks = column
    return [None if tick == NOTHING else shown(kind, tick / per_second) for tick in ticks.tolist()]


def value_of(kind: str, seconds: float) -> float | dt.datetime | dt.timedelta:
    """A value of a column: a number, or the time of so many seconds, if Python's own have room for it."""
    try:
        if kind == "time":
            return dt.datetime(1970, 1, 1) + dt.timedelta(seconds=seconds)
        if kind == "duration":
            return dt.timedelta(seconds=seconds)
    except OverflowError:
        pass
    return seconds


def shown(kind: str, value: float | None) -> str:
    """A value of a column as a text."""
    if value is None:
        return ""
    found = value_of(kind, value)
    if isinstance(found, dt.datetime):
        return found.isoformat().removesuffix("T00:00:00")
    return str(found) if isinstance(found, dt.timedelta) else f"{found:.6g}"
