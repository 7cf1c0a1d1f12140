"""A tree as dtreeviz looks at one: only imported where dtreeviz is there.

dtreeviz asks for nodes by number, and for the rows that come to each; its pictures then show how the classes of these rows are spread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from dtreeviz import DTreeVizAPI
from dtreeviz.models.shadow_decision_tree import ShadowDecTree

if TYPE_CHECKING:
    from manyboost._trees import Laid


def adapted(laid: Laid, rows: np.ndarray, y: np.ndarray, classes: np.ndarray, names: list[str], target: str) -> DTreeVizAPI:
    """A tree with some rows and their classes."""
    missing = np.isnan(rows[:, np.unique(laid.features[laid.left >= 0])])
    if missing.any():
        where = int(np.flatnonzero(missing.any(axis=1))[0])
        raise ValueError(f"dtreeviz has no missing values, and row {where} has one in a column that the tree tests\nleave such rows out")
    known = np.searchsorted(classes, y).clip(max=len(classes) - 1)
    if len(y) != len(rows) or not np.array_equal(classes[known], y):
        raise ValueError("`y` has other classes than the model, or another number of rows than `X`\ngive the class of each row")
    return DTreeVizAPI(Shadow(laid, rows, known, names, target, [str(label) for label in classes.tolist()]))


class Shadow(ShadowDecTree):  # type: ignore[misc]
    """Answers what dtreeviz asks of a tree."""

    def __init__(self, laid: Laid, rows: np.ndarray, y: np.ndarray, names: list[str], target: str, classes: list[str]) -> None:
        self.laid, self._count = laid, len(classes)
        self._samples = _samples(laid, rows)
        super().__init__(laid, rows, y, names, target, classes)

    def is_fit(self) -> bool:
        return True

    def is_classifier(self) -> bool:
        return True

    def is_categorical_split(self, id: int) -> bool:
        return self.laid.levels[id] is not None

    def get_class_weights(self) -> None:
        return None

    get_class_weight = get_class_weights

    def get_thresholds(self) -> np.ndarray:
        found = np.empty(self.nnodes(), dtype=object)
        found[:] = [self.get_node_split(node) for node in range(self.nnodes())]
        return found

    def get_features(self) -> np.ndarray:
        return np.where(self.laid.left < 0, -1, self.laid.features)

    def nclasses(self) -> int:
        return self._count

    def classes(self) -> np.ndarray:
        return np.arange(self._count)

    def get_node_samples(self) -> dict[int, list[int]]:
        return {node: rows.tolist() for node, rows in enumerate(self._samples)}

    def get_split_samples(self, id: int) -> tuple[np.ndarray, np.ndarray]:
        left = _left(self.laid, id, self.X_train[self._samples[id]])
        return np.flatnonzero(left), np.flatnonzero(~left)

    def get_node_nsamples(self, id: int) -> int:
        return len(self._samples[id])

    def get_node_nsamples_by_class(self, id: int) -> np.ndarray:
        return np.bincount(self.y_train[self._samples[id]], minlength=self._count)

    def get_children_left(self) -> np.ndarray:
        return self.laid.left

    def get_children_right(self) -> np.ndarray:
        return self.laid.right

    def get_node_split(self, id: int) -> Any:
        levels = self.laid.levels[id]
        return float(self.laid.thresholds[id]) if levels is None else levels

    def get_node_feature(self, id: int) -> int:
        return int(self.laid.features[id])

    def get_prediction(self, id: int) -> int:
        return int(self.laid.values[id].argmax())

    def nnodes(self) -> int:
        return len(self.laid.left)

    def shouldGoLeftAtSplit(self, id: int, x: float) -> bool:
        levels = self.laid.levels[id]
        return bool(x <= self.laid.thresholds[id]) if levels is None else x in levels

    def get_root_edge_labels(self) -> list[str]:
        return ["&le;", "&gt;"] if self.laid.levels[0] is None else ["in", "not in"]

    def _none(self, *_: Any) -> Any:
        raise ValueError("trees of boosting have no such figure\nlook at `trees()`")

    criterion = get_node_criterion = get_feature_path_importance = get_max_depth = get_score = get_min_samples_leaf = _none


def _left(laid: Laid, node: int, rows: np.ndarray) -> np.ndarray:
    """Which rows go left at a test."""
    values, levels = rows[:, laid.features[node]], laid.levels[node]
    return values <= laid.thresholds[node] if levels is None else np.isin(values, levels)


def _samples(laid: Laid, rows: np.ndarray) -> list[np.ndarray]:
    """The rows that come to each node; children come after their parents."""
    found = [np.arange(len(rows))] * len(laid.left)
    for node, (left, right) in enumerate(zip(laid.left.tolist(), laid.right.tolist())):
        if left >= 0:
            goes = _left(laid, node, rows[found[node]])
            found[left], found[right] = found[node][goes], found[node][~goes]
    return found
