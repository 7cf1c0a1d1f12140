"""Codewords of classes: the directions in which boosters push scores (`manyboost codewords`)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from manyboost import _core

__all__ = ["Codewords", "codewords"]


@dataclass(frozen=True)
class Codewords:
    """Codewords, a row for each class."""

    words: np.ndarray
    # The least squared distance between two of them.
    min_distance: float
    # The largest margin that a predictor of length 1 can have for the class that fares worst.
    capacity: float


def codewords(classes: int, kind: str | None = None, *, dim: int | None = None, seed: int = 1) -> Codewords:
    """Codewords of so many classes.

    `kind` is "simplex", "canonical", "max-min", "random", or the path of a file with a row for each class; by default the
    simplex, or codewords as far apart as they go in `dim` dimensions.
    """
    words, measures = _core.codewords(classes, kind, dim, seed)
    return Codewords(words, **measures)
