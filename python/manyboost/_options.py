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

from manyboost import _core
from manyboost._matrices import COSTS, of_classes
from manyboost._targets import text

# Every option of a booster or a learner (`manyboost train --help` says what each of them is), with underscores for dashes.
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
MATRICES = ("codewords", "code", COSTS)


@contextmanager
def given(options: dict[str, Any], classes: Sequence[Any], *, sets: bool = False) -> Iterator[list[tuple[str, str]]]:
    """The options that were given, as the engine takes them. Matrices are in files as long as this lasts."""
    with tempfile.TemporaryDirectory(prefix="manyboost-") as folder:
        texts = {name: value for name, value in options.items() if value is not None}
        for name in MATRICES:
            value = texts.get(name)
            if value is None or isinstance(value, (str, os.PathLike)):
                continue
            texts[name] = os.path.join(folder, name + ".csv")
            _write(texts[name], name, of_classes(name, value, classes), [text(label) for label in classes], sets)
        try:
            yield [(name.replace("_", "-"), _text(value, many=name == "edge")) for name, value in texts.items()]
        except ValueError as error:
            # Nobody knows the folder.
            raise ValueError(str(error).replace(folder + os.sep, "")) from None


def parameter(text: str) -> Any:
    """An option of the engine as it is given here: a number if it is one."""
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _text(value: Any, *, many: bool = False) -> str:
    if many and isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(_text(part) for part in value)
    if isinstance(value, np.generic):
        value = value.item()
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _write(path: str, name: str, matrix: np.ndarray, classes: list[str], sets: bool) -> None:
    rows = [[repr(float(x)) for x in row] for row in matrix]
    if name == COSTS:
        rows = [["truth", *classes], *([label, *row] for label, row in zip(classes, rows))]
    elif not sets and len(rows) == len(classes):
        # Without names, rows are in the order that the engine has classes in.
        rows = [rows[at] for at in _core.class_order(classes)]
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
