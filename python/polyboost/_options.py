"""Options of the engine: passed on by name, and only those that were given.

The engine decides which booster takes what, and refuses the rest.
"""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

# Every option of a booster or a learner (`polyboost train --help` says what each of them is), with underscores for dashes.
BOOSTING = (
    "rounds", "shrinkage", "temperature", "step", "loss", "codewords", "dim", "smoothing", "answers", "costs", "start", "code", "decode",
    "votes", "edge", "condition", "horizon", "epoch", "relabel", "eliminate", "drop",
)
LEARNER = (
    "learner", "leaves", "depth", "factors", "min_rows", "subsample", "features", "cuts", "precision", "sketch",
    "regression", "criterion",
)
OPTIONS = BOOSTING + LEARNER

# Options that name a file on the command line, and are matrices here.
MATRICES = ("codewords", "code", "costs")


@contextmanager
def given(options: dict[str, Any], classes: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    """The options that were given, as the engine takes them. Matrices are in files as long as this lasts."""
    with tempfile.TemporaryDirectory(prefix="polyboost-") as folder:
        texts = {name: value for name, value in options.items() if value is not None}
        for name in MATRICES:
            value = texts.get(name)
            if value is None or isinstance(value, (str, os.PathLike)):
                continue
            path = os.path.join(folder, name + ".csv")
            _write(path, np.asarray(value), classes if name == "costs" else None)
            texts[name] = path
        try:
            yield [(name.replace("_", "-"), _text(value)) for name, value in texts.items()]
        except ValueError as error:
            # Nobody knows the folder.
            raise ValueError(str(error).replace(folder + os.sep, "")) from None


def _text(value: Any) -> str:
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(_text(part) for part in value)
    if isinstance(value, np.generic):
        value = value.item()
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _write(path: str, matrix: np.ndarray, classes: Sequence[str] | None) -> None:
    if matrix.ndim != 2:
        raise ValueError(f"{os.path.basename(path)[:-4]} has the shape {matrix.shape}\ngive a matrix")
    rows: list[list[Any]] = [[repr(float(x)) for x in row] for row in matrix]
    if classes is not None:
        if matrix.shape != (len(classes), len(classes)):
            raise ValueError(
                f"costs has the shape {matrix.shape}, and there are {len(classes)} classes\n"
                "give a row for each true class and a column for each answer, in the order of classes_"
            )
        rows = [["truth", *classes], *([name, *row] for name, row in zip(classes, rows))]
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
