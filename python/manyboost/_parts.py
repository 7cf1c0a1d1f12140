"""Rows that come in parts: the partitions of a worker.

Numbers stay in the parts where they are: the engine joins one column at a time. What a column holds is agreed on among all workers
from the same rows that one process would look at, the first ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from scipy import sparse
from sklearn.utils.validation import _num_samples

from manyboost import _core
from manyboost._columns import Columns, frame_of, told_kind

# Rows that say whether texts are categories.
SAMPLE = 1000


@dataclass
class Part:
    """Some rows, and the place of the part among all."""

    place: int
    X: Any
    y: Any
    weight: Any = None

    @property
    def count(self) -> int:
        """Number of rows."""
        return int(_num_samples(self.X))


def joined(values: Sequence[Any]) -> Any:
    """Answers, or weights, of parts as those of one."""
    first = values[0]
    if len(values) == 1:
        return first
    if sparse.issparse(first):
        return sparse.vstack(values)
    if frame_of(first, "y") is not None:
        return nw.to_native(nw.concat([nw.from_native(part) for part in values]))
    return np.concatenate([np.asarray(part) for part in values])


def together(parts: Sequence[Part]) -> list[Part]:
    """Parts with rows, in their order; sparse ones become one, which the engine takes whole."""
    parts = sorted((part for part in parts if part.count > 0), key=lambda part: part.place)
    if not any(sparse.issparse(part.X) for part in parts) or len(parts) == 1:
        return parts
    weights = [part.weight for part in parts]
    weight = None if weights[0] is None else joined(weights)
    X = sparse.vstack([sparse.csr_matrix(part.X) for part in parts], format="csc")
    return [Part(parts[0].place, X, joined([part.y for part in parts]), weight)]


def is_matrix(part: Columns) -> bool:
    """Whether the columns are those of a sparse matrix."""
    return bool(part.columns) and isinstance(part.columns[0], tuple) and part.columns[0][0] == "matrix"


def kinds(parts: Sequence[tuple[Part, Columns]]) -> list[dict[str, Any]]:
    """What each column holds here: numbers, or texts with the kind that was said; else the first of them, by part."""
    found: list[dict[str, Any]] = []
    for at in range(len(parts[0][1].columns) if parts else 0):
        columns = [(part.place, columns.columns[at]) for part, columns in parts]
        words = [(place, column) for place, column in columns if isinstance(column, tuple) and column[0] == "words"]
        said = next((column[1] for _, column in words if column[1] is not None), None)
        left, sample = SAMPLE, []
        for place, column in words if said is None else []:
            texts = column[2][:left]
            sample.append((place, texts))
            left -= len(texts)
        found.append({"words": bool(words), "said": said, "sample": sample})
    return found


def agreed(surveys: Sequence[list[dict[str, Any]]]) -> list[str | None]:
    """The kind of each column of texts, from what all workers found; None for numbers."""
    columns = max((len(survey) for survey in surveys), default=0)
    result: list[str | None] = []
    for at in range(columns):
        found = [survey[at] for survey in surveys if len(survey) > at]
        if not any(one["words"] for one in found):
            result.append(None)
            continue
        said = next((one["said"] for one in found if one["said"] is not None), None)
        sample = sorted((tuple(part) for one in found for part in one["sample"]), key=lambda part: part[0])
        texts = [text for _, texts in sample for text in texts]
        result.append(said if said is not None else _core.kind_of_words(texts[:SAMPLE]))
    return result


def columns(parts: Sequence[Columns], kinds: Sequence[str | None]) -> list[Any]:
    """The columns of all parts, of these kinds."""
    if any(is_matrix(part) for part in parts):
        return parts[0].columns
    result: list[Any] = []
    for at, kind in enumerate(kinds if parts else ()):
        each = [told_kind(part.columns[at], kind) for part in parts]
        result.append(each[0] if len(each) == 1 else ("parts", each))
    return result
