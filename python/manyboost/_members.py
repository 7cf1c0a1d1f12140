"""One of several workers that train together, whatever engine started it.

An engine places rows, starts a process for each worker, hands out addresses and a token, and starts again after a loss. The rest is
here: a worker listens (`_core.Listener`), is told the addresses of all (`Seat`), and trains on its parts (`fit`). Workers agree on classes and
kinds of columns by messages in JSON; nothing that another worker sends is ever unpickled.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from manyboost import _core, _targets
from manyboost._base import BaseBoost, Callback, Rows, Team
from manyboost._columns import Columns, look
from manyboost._parts import Part, agreed, columns, joined, kinds, together

T = TypeVar("T")

# Losses that training goes on after are told here.
logger = logging.getLogger("manyboost")

# Errors that keep their type when another worker tells them.
ERRORS: dict[str, type[Exception]] = {"ValueError": ValueError, "TypeError": TypeError, "MemoryError": MemoryError}


@dataclass
class Seat:
    """A place among workers that train together."""

    # Where each of them listens, in their order, and which this is.
    addresses: list[str]
    rank: int
    # A secret of this run.
    token: bytes
    # Seconds of silence that are a loss.
    deadline: float = 60.0
    # Rounds between two checkpoints, and one to go on from.
    every: int | None = None
    resume: bytes | None = None


@dataclass
class Looked:
    """A worker's rows, as far as it can tell alone."""

    parts: list[tuple[Part, Columns]]
    target: _targets.Target | None
    survey: dict[str, Any]


def fit(
    estimator: BaseBoost,
    listener: _core.Listener,
    seat: Seat,
    parts: Sequence[Part],
    eval_parts: Sequence[Part] | None = None,
    keep: Callable[[bytes], object] | None = None,
    callback: Callback | None = None,
) -> tuple[BaseBoost, list[str]]:
    """Trains an estimator on the rows of all workers, of which these parts are this one's; gives it and what to warn of.

    The first worker keeps checkpoints, and calls back after each round.
    """
    watched = eval_parts is not None
    same = (type(estimator).__name__, sorted(estimator.get_params().items()), watched, seat.every, seat.resume is None)
    mesh = listener.join(seat.addresses, seat.rank, seat.token, repr(same), seat.deadline)
    try:
        work = _prepared(mesh, estimator, parts, eval_parts)
        first = seat.rank == 0
        team = Team(mesh, seat.resume, seat.every, keep if first else None)
        model = estimator._train(*work, team=team, callback=callback if first else None)
    finally:
        mesh.leave()
    return estimator, model.warnings


def _prepared(
    mesh: _core.Mesh, estimator: BaseBoost, parts: Sequence[Part], eval_parts: Sequence[Part] | None
) -> tuple[list[str], _targets.Target, Rows, Rows | None]:
    """What this worker trains on, once all have agreed on what there is."""

    def seen() -> tuple[Looked, Any]:
        looked = _look(estimator, parts)
        return looked, looked.survey

    looked, surveys = _all_or_none(mesh, seen)

    def arranged() -> tuple[Any, None]:
        first = next((survey for survey in surveys if survey["rows"]), None)
        if first is None:
            raise ValueError("Found array with 0 sample(s): there are no rows\ngive at least one row")
        _know(estimator, first)
        found = agreed([survey["kinds"] for survey in surveys])
        target = _target(estimator, looked.target, surveys, first)
        rows = _rows(estimator, looked.parts, found, target)
        eval_rows = None if eval_parts is None else _eval_rows(estimator, eval_parts, found, first["answers"])
        return (first["names"], target, rows, eval_rows), None

    work: tuple[list[str], _targets.Target, Rows, Rows | None]
    work, _ = _all_or_none(mesh, arranged)
    return work


def tried(
    attempt: Callable[[bytes | None], T], newest: Callable[[], bytes | None], retries: int
) -> T:
    """Trains, and after a loss goes on from the newest checkpoint, so many times."""
    resume: bytes | None = None
    while True:
        try:
            return attempt(resume)
        except _core.WorkerError as error:
            if retries <= 0:
                raise
            resume = newest() or resume
            start = "the beginning" if resume is None else "the last checkpoint"
            text = "%s; training goes on from %s (%d retries)"
            logger.warning(text, str(error).split("\n")[0], start, retries)
            retries -= 1


def cause(errors: Sequence[BaseException | None], names: Sequence[str]) -> BaseException:
    """The error that says most, of those of all workers: one that is no loss, if there is one."""
    for error in errors:
        if error is not None and not isinstance(error, _core.WorkerError):
            return error
    for error in errors:
        if isinstance(error, _core.WorkerError):
            return _named(error, names)
    return _core.WorkerError("the tasks of this fit were cancelled\nfit again")


def _named(error: _core.WorkerError, names: Sequence[str]) -> _core.WorkerError:
    """The same error with what the engine calls the worker."""
    found = re.match(r"worker (\d+)", str(error))
    if found is None or int(found[1]) >= len(names):
        return error
    return _core.WorkerError(f"worker {found[1]}, {names[int(found[1])]},{str(error)[found.end():]}")


def _all_or_none(mesh: _core.Mesh, work: Callable[[], tuple[T, Any]]) -> tuple[T, list[Any]]:
    """Does some work, and hears what all workers say of theirs; the error of one is the error of all."""
    own: tuple[T, Any] | None = None
    failure: Exception | None = None
    try:
        own = work()
        said = json.dumps({"error": None, "said": own[1]})
    except Exception as error:  # Whatever it is, the others must know.
        failure = error
        said = json.dumps({"error": [type(error).__name__, str(error)]})
    heard = [json.loads(bytes(message)) for message in mesh.gather(said.encode())]
    if failure is not None:
        raise failure
    for rank, message in enumerate(heard):
        if message["error"] is not None:
            kind, text = message["error"]
            raise ERRORS.get(kind, RuntimeError)(f"worker {rank}: {text}")
    assert own is not None
    return own[0], [message["said"] for message in heard]


def _look(estimator: BaseBoost, parts: Sequence[Part]) -> Looked:
    """What a worker can tell of its own rows."""
    parts = together(parts)
    if not parts:
        return Looked([], None, {"rows": 0, "kinds": []})
    each: list[tuple[Part, Columns]] = []
    for part in parts:
        seen = look(estimator, part.X, reset=not each, categorical=estimator.categorical, text=estimator.text)
        each.append((part, seen))
        if _length(part.y) != part.count or (part.weight is not None and _length(part.weight) != part.count):
            raise ValueError(
                f"partition {part.place}: X has {part.count} rows, and y or sample_weight another number\n"
                "give collections with the same partitions"
            )
    names = each[0][1].names
    count = sum(part.count for part, _ in each)
    name = getattr(parts[0].y, "name", None)
    target = estimator._target(joined([part.y for part in parts]), Columns(names, [], count), name)
    known = getattr(estimator, "feature_names_in_", None)
    survey = {
        "rows": count,
        "names": names,
        "known": None if known is None else known.tolist(),
        "kinds": kinds(each),
        "answers": [name for name, _ in target.columns],
        "sets": target.codes is None,
        "dtype": target.dtype.str,
        "of": target.classes.dtype.str,
        "classes": target.classes.tolist(),
    }
    return Looked(each, target, survey)


def _length(values: Any) -> int:
    return int(values.shape[0]) if hasattr(values, "shape") else len(values)


def _know(estimator: BaseBoost, first: dict[str, Any]) -> None:
    """Gives an estimator the columns of the first rows, which may be another worker's."""
    estimator.n_features_in_ = len(first["names"])
    if first["known"] is not None:
        estimator.feature_names_in_ = np.asarray(first["known"], dtype=object)


def _target(
    estimator: BaseBoost, own: _targets.Target | None, surveys: list[dict[str, Any]], first: dict[str, Any]
) -> _targets.Target:
    """The answers of this worker's rows, with the classes of all rows."""
    there = [survey for survey in surveys if survey["rows"]]
    if any(survey["sets"] != first["sets"] for survey in there):
        raise ValueError("y has sets of labels in some partitions only\ngive zeros and ones in all of them")
    each = [np.asarray(survey["classes"], dtype=np.dtype(survey["of"])) for survey in there]
    dtype = np.dtype(first["dtype"])
    if first["sets"]:
        return _targets.Target(each[0], None, [] if own is None else own.columns, dtype)
    classes = np.unique(np.concatenate(each))
    estimator._check_classes(classes)
    if own is None or own.codes is None:
        return _targets.Target(classes, np.empty(0, dtype=int), [], classes.dtype)
    codes = np.searchsorted(classes, own.classes.astype(classes.dtype))[own.codes]
    # The engine hears of the classes that are here: which there are it asks all workers.
    _, column = own.columns[0]
    return _targets.Target(classes, codes, [(first["answers"][0], column)], classes.dtype)


def _rows(
    estimator: BaseBoost, parts: list[tuple[Part, Columns]], found: list[str | None], target: _targets.Target
) -> Rows:
    if not parts:
        return Rows(0, [], [], None)
    count = sum(part.count for part, _ in parts)
    weights = None if parts[0][0].weight is None else joined([part.weight for part, _ in parts])
    lent = Columns([], columns([each for _, each in parts], found), count)
    return estimator._rows(lent, target, weights)


def _eval_rows(
    estimator: BaseBoost, parts: Sequence[Part], found: list[str | None], answers: list[str]
) -> Rows:
    """Rows to validate on, with answers in columns of these names."""
    parts = together(parts)
    if not parts:
        return Rows(0, [], [], None)
    told = {"categorical": estimator.categorical, "text": estimator.text}
    each = [look(estimator, part.X, reset=False, **told) for part in parts]
    count = sum(part.count for part in parts)
    y = joined([part.y for part in parts])
    other = _targets.labels(y) if _targets.is_sets(y) else _targets.classes(y, ())
    other = _targets.arranged(other, answers)
    weights = None if parts[0].weight is None else joined([part.weight for part in parts])
    return estimator._rows(Columns([], columns(each, found), count), other, weights)
