"""What is asked of a fitted model beside explanations of scores: what columns do, what they are worth, what would change an answer, which rows are alike."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from manyboost import _core
from manyboost._times import value_of
from manyboost._trees import TreesMixin

if TYPE_CHECKING:
    import pandas as pd


@dataclass
class WhyNot:
    """The smallest changes of a row after which the answer is another one."""

    # The answer now.
    answer: Any
    # The other one; None if none was found.
    other: Any
    # For each column that changes its value and the one it would have to have; None is a missing one.
    changes: dict[str, tuple[float | str | None, float | str | None]] = field(default_factory=dict)
    # How far values move in all: 1 is the spread of a column of numbers, or another level.
    distance: float | None = None
    # Whether it is proved that there are no smaller changes; without an answer, that there are none at all.
    complete: bool = True


@dataclass
class Effect:
    """What one or two columns do to the answers."""

    # The columns, and their values in ascending order (None where it is missing, at the end).
    values: dict[str, list[Any]]
    # Numbers of classes at each point: an axis for each column, then the classes; individual curves have an axis of rows before.
    effects: np.ndarray


class QuestionsMixin(TreesMixin):
    """What answers questions."""

    # Whether probabilities are those of the engine.
    _own_probabilities = True

    def _eval_rows(self, eval_set: Any, answers: list[str]) -> Any:
        raise NotImplementedError

    def why_not(
        self, X: Any, class_: Any = None, *, fixed: Collection[str] = (), seconds: float = 10.0
    ) -> list[WhyNot]:
        """For each row the smallest changes after which the answer is `class_`, or any other than now.

        As few columns as possible change, and of as many those whose values move least; `fixed` columns, and texts, stay as they are. The search is exact; where it
        takes longer than `seconds` per row, changes may not be the smallest (`complete` says so).
        """
        check_is_fitted(self, "model_")
        labels = self.classes_.tolist()
        engine = {place: number for number, place in enumerate(self._order.tolist())}
        wanted = None
        if class_ is not None:
            places = [at for at, label in enumerate(labels) if label == class_]
            if not places or places[0] not in engine:
                raise ValueError(f"class_={class_!r}: the model has no such class\ngive one of {labels[:8]}")
            wanted = engine[places[0]]
        names = [name for name, _ in self.model_.features]
        found = _core.why_not(self.model_, self._given(X), wanted, list(map(str, fixed)), float(seconds), self.threads)
        return [
            WhyNot(labels[self._order[now]], None if other is None else labels[self._order[other]], {names[at]: (old, new) for at, old, new in changes}, distance, complete)
            for now, other, changes, distance, complete in found
        ]

    def effects(
        self,
        X: Any,
        feature: str | Collection[str],
        *,
        kind: Literal["partial", "individual", "accumulated"] = "partial",
        of: Literal["probabilities", "scores"] = "probabilities",
        points: int = 20,
    ) -> Effect:
        """What a column, or a pair of columns, does to the answers on rows X; the names of columns without names are `x0`, `x1` and so on.

        `partial` gives all rows the same value and takes the mean answer, `individual` leaves rows apart, and `accumulated` adds up differences between
        neighbouring values. `scores` are those of all classes, also with two.
        """
        check_is_fitted(self, "model_")
        if kind not in ("partial", "individual", "accumulated"):
            raise ValueError(f"kind={kind!r}: not a value that it takes\nkind takes 'partial', 'individual' or 'accumulated'")
        if of not in ("probabilities", "scores"):
            raise ValueError(f"of={of!r}: not a value that it takes\nof takes 'probabilities' or 'scores'")
        if of == "probabilities" and not self._own_probabilities:
            raise ValueError("these probabilities are scikit-learn's, of which effects are not computed\ngive of='scores'")
        given = [feature] if isinstance(feature, str) else list(feature)
        axes, numbers = _core.effects(self.model_, self._given(X), given, kind, int(points), of == "scores", self.threads)
        shape = [len(values) for _, values, _ in axes]
        arranged = self._by_class(numbers.reshape(*([-1] if kind == "individual" else []), *shape, len(self.model_.classes)))
        kinds = dict(self.model_.features)
        return Effect({name: _shown(values, levels, kinds[name]) for name, values, levels in axes}, arranged)

    def importance(self, X: Any, y: Any, sample_weight: Any = None, *, repeats: int = 5, seed: int = 1) -> pd.DataFrame:
        """What each column is worth on rows that the model was not trained on: what errors and log losses rise by when its values are shuffled.

        A pandas data frame with a line for each column, and the means `error` and `log_loss` with their margins (95 % intervals, by how much rows differ),
        overall and for the rows of each class (`error[class]`). The log loss is that of the engine's probabilities.
        """
        import pandas as pd

        check_is_fitted(self, "model_")
        rows = self._eval_rows((X, y, sample_weight), self.model_.answers)
        found = _core.importance(self.model_, rows, int(repeats), int(seed), self.threads)
        labels = self.classes_.tolist()
        names = ["", *(f"[{labels[place]}]" for place in self._order.tolist())]
        columns = [f"{what}{name}{part}" for name in names for what in ("error", "log_loss") for part in ("", "_margin")]
        numbers = np.array([figures for _, figures in found]).reshape(len(found), -1)
        return pd.DataFrame(numbers, index=pd.Index([name for name, _ in found], name="column"), columns=columns)

    def similar_rows(self, X: Any, among: Any, top: int = 5) -> tuple[np.ndarray, np.ndarray]:
        """The rows of `among` that the model treats most like each row of X, by their numbers (rows × top), and the shares of leaves that they have in common.

        Of rows that are equally alike, the first come first.
        """
        check_is_fitted(self, "model_")
        if top < 1:
            raise ValueError(f"top={top}: not a value that it takes\ntop takes a whole number of at least 1")
        rows, others = self._given(X), self._given(among)
        numbers, shares = _core.similar_rows(self.model_, rows, others, int(top), self.threads)
        shape = (rows[1], min(int(top), others[1]))
        return numbers.astype(np.int64).reshape(shape), shares.reshape(shape)


def _shown(values: list[float], levels: list[str] | None, kind: str) -> list[Any]:
    """Values as they are in a table."""
    return [None if np.isnan(value) else value_of(kind, value) if levels is None else levels[int(value)] for value in values]
