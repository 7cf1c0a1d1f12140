"""A few rows that need no thought: what a program asks for that serves a model, one row after the other.

Looking at a table from all sides takes far longer than to answer one row. Here are only rows of which a glance tells that
they are what the model knows; of all others `look` says what they are, or what is wrong with them.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

# More rows are worth looking at.
MOST = 64


def few(estimator: Any, X: Any) -> Any:
    """X as a matrix of numbers, or as a list of rows; None unless it is a few rows with the columns that the model knows."""
    known = estimator.__dict__
    if "model_" not in known or len(estimator.categorical) or len(estimator.text):
        return None
    names = known.get("feature_names_in_")
    if type(X) is np.ndarray:
        fits = names is None and X.ndim == 2 and 0 < len(X) <= MOST and X.shape[1] == known["n_features_in_"]
        return X.astype(np.float64, copy=False) if fits and _is_numeric(X) else None
    if names is None:
        return None
    # A frame of a library that nobody has imported is none.
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and type(X) is getattr(pandas, "DataFrame", None):
        if not 0 < len(X) <= MOST or not _same(X.columns.to_numpy(), names):
            return None
        values = X.to_numpy()
        return values.astype(np.float64, copy=False) if _is_numeric(values) else _listed(values)
    if polars is not None and type(X) is getattr(polars, "DataFrame", None):
        return X.rows() if 0 < X.height <= MOST and X.columns == names.tolist() else None
    return None


def _is_numeric(values: np.ndarray) -> bool:
    return values.dtype.kind in "fiub" and values.dtype.itemsize <= 8


def _listed(values: np.ndarray) -> list[Any] | None:
    return values.tolist() if values.dtype == object else None


def _same(names: np.ndarray, known: np.ndarray) -> bool:
    return names.dtype == object and len(names) == len(known) and bool((names == known).all())
