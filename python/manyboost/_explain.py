"""Looking into a fitted model: its trees, the leaf of each row, and what each column of a row adds to the scores.

The engine explains its own classes in its own order; the one idea here is that everything given out is in the order of `classes_`, and sums up
to `decision_function`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from manyboost import _core
from manyboost._columns import Columns, frame_of

if TYPE_CHECKING:
    import pandas as pd
    import shap


class ExplainMixin:
    """What explains a model."""

    threads: int | None
    classes_: np.ndarray
    model_: _core.Model
    _order: np.ndarray

    def _look(self, X: Any) -> Columns:
        raise NotImplementedError

    def _given(self, X: Any) -> tuple[list[Any], int]:
        """Rows for the engine."""
        columns = self._look(X)
        return columns.columns, columns.count

    def _by_class(self, values: np.ndarray) -> np.ndarray:
        """The last axis in the order of `classes_`; classes that no row of weight had have zeros."""
        if np.array_equal(self._order, np.arange(len(self.classes_))):
            return values
        arranged = np.zeros((*values.shape[:-1], len(self.classes_)))
        arranged[..., self._order] = values
        return arranged

    def _as_decided(self, values: np.ndarray, expected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What is added to the decision, from what is added to the engine's scores."""
        return values, expected

    def apply(self, X: Any) -> np.ndarray:
        """The leaf of each row in each tree (rows × trees), numbered as in `trees` less the tests of the tree."""
        return _core.apply(self.model_, self._given(X), self.threads)

    def encoded(self, X: Any) -> np.ndarray:
        """Rows as trees look at them (rows × columns): numbers as they are, categories as the numbers of their levels. What is missing, levels that training did
        not have and texts are NaN. treelite and dtreeviz take these."""
        return _core.encoded(self.model_, self._given(X), self.threads)

    def trees(self) -> pd.DataFrame:
        """All tests and leaves of all trees, as a pandas data frame.

        A line is a node: `tree`, `round` and `node` (numbers from 0, tests before leaves), `left` and `right` (nodes), `feature`, `word` (of text), `part` (of the calendar),
        `threshold` (up to it: left) or `levels` (these: left), `missing_left`, `cover` (the weight of the training rows), and for each class the
        number that a leaf adds to its score, the step included: `value_` and the class.
        """
        import pandas as pd

        check_is_fitted(self, "model_")
        nodes = _core.tree_nodes(self.model_)
        names = [name for name, _ in self.model_.features]
        values = nodes.pop("values")
        columns = nodes.pop("column")
        del nodes["codes"]
        frame = pd.DataFrame(
            {
                "tree": nodes["tree"], "round": nodes["round"], "node": nodes["node"],
                "left": pd.array(nodes["left"], dtype="Int64"), "right": pd.array(nodes["right"], dtype="Int64"),
                "feature": [None if at is None else names[at] for at in columns], "word": nodes["word"], "part": nodes["part"],
                "threshold": pd.array(nodes["threshold"], dtype="Float64"), "levels": nodes["levels"],
                "missing_left": pd.array(nodes["missing_left"], dtype="boolean"),
                "cover": pd.array(nodes["cover"], dtype="Int64"),
            }
        )
        none = [np.nan] * len(self.model_.classes)
        arranged = self._by_class(np.array([none if row is None else row for row in values]).reshape(-1, len(none)))
        added = {f"value_{label}": arranged[:, at] for at, label in enumerate(self.classes_.tolist())}
        return pd.concat([frame, pd.DataFrame(added, index=frame.index)], axis=1)

    @property
    def expected_value_(self) -> np.ndarray:
        """The score of each class that is expected of any row, by the shares of the training rows in leaves."""
        check_is_fitted(self, "model_")
        try:
            expected = self._by_class(np.asarray(_core.expected(self.model_)))
        except ValueError as error:
            raise AttributeError(str(error)) from error
        return self._as_decided(np.zeros((0, 0, len(expected))), expected)[1]

    def _explained(self, X: Any, background: Any) -> tuple[np.ndarray, np.ndarray]:
        check_is_fitted(self, "model_")
        other = None if background is None else self._given(background)
        values, expected = _core.shap_values(self.model_, self._given(X), other, self.threads)
        return self._as_decided(self._by_class(values), self._by_class(np.asarray(expected)))

    def shap_values(self, X: Any, background: Any = None) -> np.ndarray:
        """Exact Shapley values: what each column of each row adds to the score of each class (rows × columns × classes).

        Summed over columns, with `expected_value_`, they are `decision_function(X)`; with two classes its number is the difference of the sums of
        `classes_[1]` and `classes_[0]`. Words of a text column are summed up. With `background` rows, columns that are left out have
        the values of these instead of both sides of their tests, and what is expected is the mean of their scores.
        """
        return self._explained(X, background)[0]

    def shap_interaction_values(self, X: Any) -> np.ndarray:
        """What pairs of columns add together (rows × columns × columns × classes); over one axis they sum up to `shap_values`."""
        check_is_fitted(self, "model_")
        values = self._by_class(_core.shap_interactions(self.model_, self._given(X), self.threads))
        return self._as_decided(values, np.asarray(_core.expected(self.model_)))[0]

    def explain(self, X: Any, background: Any = None) -> shap.Explanation:
        """`shap_values` as a `shap.Explanation`, on which `shap.plots` work: of one class, `explain(X)[..., k]`. Needs the package `shap`."""
        import shap

        values, expected = self._explained(X, background)
        frame = frame_of(X, "X")
        data = X if frame is None else frame.to_numpy()
        data = data.toarray() if hasattr(data, "toarray") else np.asarray(data)
        return shap.Explanation(
            values=values,
            base_values=np.tile(expected, (len(values), 1)),
            data=data,
            feature_names=[name for name, _ in self.model_.features],
            output_names=[str(label) for label in self.classes_.tolist()],
        )
