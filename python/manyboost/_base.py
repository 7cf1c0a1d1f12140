"""What all estimators share: fitting, predicting, looking into the model.

A model is an object of the engine (`model_`); everything else that is learned is read off it. The one idea: the engine
numbers classes in its own order, and `_order` says which of its classes is which of `classes_`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, check_is_fitted

from manyboost import _core, _display, _targets
from manyboost._columns import Columns, frame_of, look
from manyboost._few import few
from manyboost._matrices import COSTS, of_classes
from manyboost._options import given
from manyboost._progress import Progress
from manyboost._questions import QuestionsMixin

if TYPE_CHECKING:
    from typing_extensions import Self

# Called after each round with its number and its figures; the answer True ends the training.
Callback = Callable[[int, dict[str, float]], object]


@dataclass
class Rows:
    """Rows with answers, for the engine."""

    count: int
    columns: list[Any]
    answers: list[tuple[str, Any]]
    weights: np.ndarray | None


@dataclass
class Job:
    """A training run, for the engine."""

    booster: str
    options: list[tuple[str, Any]]
    seed: int
    bins: int | None
    ngrams: int | None
    patience: int | None
    metric: str | None
    valid: float | None
    split: str | None
    balanced: bool
    class_weights: list[tuple[str, float]] | None
    threads: int | None
    names: list[str]
    rows: Rows
    eval_rows: Rows | None
    earlier: _core.Model | None
    resumable: bool
    callback: Callback | None
    team: Team | None = None


@dataclass
class Team:
    """Other workers, each with rows of its own, for the engine."""

    mesh: _core.Mesh
    # A checkpoint to go on from, and rounds between two of them.
    resume: bytes | None = None
    every: int | None = None
    # Called with each checkpoint, by one of the workers.
    keep: Callable[[bytes], object] | None = None


class BaseBoost(QuestionsMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The base of all estimators."""

    # Whether rows may have sets of labels.
    _sets = False
    # Parameters that not all estimators have.
    bins: int | None = None
    ngrams: int | None = None
    patience: int | None = None
    metric: str | None = None
    valid: float | None = None
    split: str | None = None
    threads: int | None = None
    class_weight: Any = None
    warm_start: bool = False
    random_state: Any = None
    categorical: Collection[Any] = ()
    text: Collection[Any] = ()

    classes_: np.ndarray
    n_classes_: int
    n_features_in_: int
    feature_names_in_: np.ndarray
    model_: _core.Model

    def _keep(self, parameters: dict[str, Any]) -> None:
        """Keeps what `__init__` was given, as it was given."""
        for name, value in parameters.items():
            if name not in ("self", "__class__"):
                setattr(self, name, value)

    def _booster(self) -> str:
        """The name of the booster."""
        raise NotImplementedError

    def _options(self) -> dict[str, Any]:
        """The options of booster and learner."""
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        """What files keep: plain values, the model as the bytes of its file, so that readers need not know the engine's types."""
        state = dict(super().__getstate__())
        if isinstance(state.get("model_"), _core.Model):
            state["model_"] = state["model_"].__getstate__()
        if isinstance(state.get("_dtype"), np.dtype):
            state["_dtype"] = state["_dtype"].str
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        if isinstance(state.get("model_"), tuple):
            engine: Any = _core.Model
            state["model_"] = engine._restore(*state["model_"])
        if isinstance(state.get("_dtype"), str):
            state["_dtype"] = np.dtype(state["_dtype"])
        super().__setstate__(state)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.classifier_tags.multi_class = self._booster() != "adaboost"
        tags.classifier_tags.multi_label = self._sets
        return tags

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
        eval_set: Any = None,
        callbacks: Sequence[Callback] | None = None,
        verbose: bool | int = False,
    ) -> Self:
        """Trains on rows X with answers y.

        `X_val` and `y_val` (with `sample_weight_val`, if they have weights) are rows to validate on: with `patience`, training
        stops when they have not improved for so many rounds, and the best round is kept. `eval_set` is another way to give them:
        a pair (X, y), or (X, y, sample_weight). `callbacks` are called after each round with its number and a dictionary of its
        figures; if one of them answers True, training ends. With `verbose=True` a line in a terminal or a notebook says how
        training goes; with a number, each so many rounds have a line of their own, wherever they go.
        """
        eval_set = held_out(eval_set, X_val, y_val, sample_weight_val)
        progress = Progress.of(verbose, self._options().get("rounds"))
        heard: Sequence[Callback] | None = callbacks if progress is None else [*(callbacks or ()), progress]
        before = dict(self.__dict__)
        try:
            return self._fit(X, y, sample_weight, eval_set, heard)
        except BaseException:
            # Whatever was fitted before is as it was.
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        finally:
            if progress is not None:
                progress.close()

    def _fit(
        self, X: Any, y: Any, sample_weight: Any, eval_set: Any, callbacks: Sequence[Callback] | None
    ) -> Self:
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        columns = look(self, X, reset=True, categorical=self.categorical, text=self.text)
        target = self._target(y, columns)
        rows = self._rows(columns, target, sample_weight)
        eval_rows = None if eval_set is None else self._eval_rows(eval_set, [name for name, _ in target.columns])
        model = self._train(columns.names, target, rows, eval_rows, callback=chain(callbacks))
        for text in model.warnings:
            # Said of the line that calls `fit`.
            warnings.warn(text, UserWarning, stacklevel=3)
        return self

    def _train(
        self,
        names: list[str],
        target: _targets.Target,
        rows: Rows,
        eval_rows: Rows | None,
        *,
        callback: Callback | None = None,
        team: Team | None = None,
    ) -> _core.Model:
        """Trains on rows, alone or as one of several workers."""
        class_weights = self._class_weights(target, rows)
        patience = self.patience
        if patience is not None and eval_rows is None and self.valid is None:
            raise ValueError("patience needs rows to validate on\ngive eval_set=(X, y) to fit, or valid=0.2 (a fraction)")
        if self.split is not None and self.valid is None:
            raise ValueError("split says which rows valid holds out, and valid is not given\ngive valid=0.2 (a fraction), or leave split out")
        if self.metric is not None and patience is None:
            raise ValueError("metric says what patience waits for, and there is none\ngive patience=20 (rounds), or leave metric out")
        if eval_rows is not None and self.valid is not None:
            raise ValueError("both valid and eval_set are given\ngive one of them")
        earlier = getattr(self, "model_", None) if self.warm_start else None
        options = given(self._options(), target.classes.tolist(), sets=target.codes is None)
        model = _core.train(
            Job(
                booster=self._booster(), options=options, seed=self._seed(), bins=self.bins, ngrams=self.ngrams,
                patience=patience, metric=self.metric, valid=self.valid, split=self.split, balanced=self.class_weight == "balanced",
                class_weights=class_weights, threads=self.threads, names=names, rows=rows,
                eval_rows=eval_rows, earlier=earlier, resumable=bool(self.warm_start), callback=callback, team=team,
            )
        )
        self._learned(model, target.classes, target.dtype)
        return model

    def _learned(self, model: _core.Model, classes: np.ndarray, dtype: np.dtype[Any]) -> None:
        self.classes_ = classes
        self.n_classes_ = len(classes)
        self.model_ = model
        self._dtype = dtype
        self._order = _order(model, classes)

    def _target(self, y: Any, columns: Columns, name: Any = None) -> _targets.Target:
        sets = _targets.is_sets(y)
        check_consistent_length(np.empty((columns.count, 0)), y)
        if not sets:
            target = _targets.classes(y, columns.names, name)
            self._check_classes(target.classes)
            return target
        if not self._sets:
            raise ValueError(
                "bad input shape: y has a set of labels for each row (multilabel-indicator)\n"
                "MultiLabelBoostClassifier learns them"
            )
        return _targets.labels(y)

    def _check_classes(self, classes: np.ndarray) -> None:
        if len(classes) > 2 and not self.__sklearn_tags__().classifier_tags.multi_class:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass.\n"
                'choose another booster, such as "samme" or "mh"'
            )

    def _rows(self, columns: Columns, target: _targets.Target, sample_weight: Any) -> Rows:
        weights = None
        if sample_weight is not None:
            _targets.refuse_masked("sample_weight", sample_weight)
            weights = _check_sample_weight(
                sample_weight, np.empty((columns.count, 0)), dtype=np.float64, ensure_non_negative=True
            )
        return Rows(columns.count, columns.columns, target.columns, weights)

    def _class_weights(self, target: _targets.Target, rows: Rows) -> list[tuple[str, float]] | None:
        """What each class weighs, if that is given; rows of classes that weigh nothing are left out."""
        if self.class_weight is None:
            return None
        if target.codes is None:
            raise ValueError("class_weight is for one class per row\nleave it out, or use sample_weight")
        by_class = compute_class_weight(self.class_weight, classes=target.classes, y=target.classes[target.codes])
        if isinstance(self.class_weight, str):
            return None
        nothing = by_class == 0
        if nothing.any():
            weights = np.ones(rows.count) if rows.weights is None else rows.weights
            rows.weights = np.where(nothing[target.codes], 0.0, weights)
        named = zip(target.classes.tolist(), by_class.tolist(), strict=True)
        return [(_targets.text(label), weight) for label, weight in named if weight != 0]

    def _eval_rows(self, eval_set: Any, answers: list[str]) -> Rows:
        """Rows with answers in columns of these names."""
        if isinstance(eval_set, list) and len(eval_set) == 1:
            (eval_set,) = eval_set
        if not isinstance(eval_set, tuple) or len(eval_set) not in (2, 3):
            raise ValueError("eval_set is not a pair\ngive (X, y) or (X, y, sample_weight)")
        X, y, *weight = eval_set
        columns = look(self, X, reset=False, categorical=self.categorical, text=self.text)
        other = _targets.labels(y) if _targets.is_sets(y) else _targets.classes(y, ())
        check_consistent_length(np.empty((columns.count, 0)), y)
        other = _targets.arranged(other, answers)
        weights = weight[0] if weight else None
        if weights is not None:
            _targets.refuse_masked("sample_weight", weights)
            weights = _check_sample_weight(weights, np.empty((columns.count, 0)), dtype=np.float64)
        return Rows(columns.count, columns.columns, other.columns, weights)

    def _seed(self) -> int:
        """Makes every random choice; without one all fits are alike."""
        if self.random_state is None:
            return 1
        if isinstance(self.random_state, (int, np.integer)) and self.random_state >= 0:
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    # Prediction ---------------------------------------------------------------------------------------------------------

    def _look(self, X: Any) -> Columns:
        check_is_fitted(self, "model_")
        return look(self, X, reset=False, categorical=self.categorical, text=self.text)

    def _scores(self, X: Any, *, proba: bool) -> np.ndarray:
        """Scores of the engine's classes, or their probabilities."""
        rows = few(self, X)
        scores = None if rows is None else self.model_.few(rows, proba)
        if scores is not None:
            return scores
        columns = self._look(X)
        return self.model_.predict(columns.columns, columns.count, proba, None, self.threads)

    def _stages(self, X: Any, *, proba: bool) -> Iterator[np.ndarray]:
        columns = self._look(X)
        return self.model_.stages(columns.columns, columns.count, proba, self.threads)

    def _answers(self, scores: np.ndarray) -> np.ndarray:
        """The answers that scores stand for."""
        if self.model_.sets:
            return (scores > 0).astype(self._dtype)
        answers: np.ndarray = self.classes_[self._order[scores.argmax(axis=1)]]
        return answers

    def _arranged(self, scores: np.ndarray, absent: float) -> np.ndarray:
        """The columns of `classes_`; classes that no row of weight had are absent."""
        if self.model_.sets or np.array_equal(self._order, np.arange(len(self.classes_))):
            return scores
        arranged = np.full((len(scores), len(self.classes_)), absent)
        arranged[:, self._order] = scores
        return arranged

    def _decision(self, scores: np.ndarray) -> np.ndarray:
        if self.model_.sets:
            return scores
        scores = self._arranged(scores, scores.min(initial=0.0) - 1.0)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row, or its labels as zeros and ones."""
        return self._answers(self._scores(X, proba=False))

    def predict_cheapest(self, X: Any, costs: Any = None) -> np.ndarray:
        """The class of each row that costs least, given the probabilities.

        `costs` has a row for each true class and a column for each answer; by default they are those of training.
        """
        costs = getattr(self, "costs", None) if costs is None else costs
        k = len(self.classes_)
        if costs is None or len(np.shape(costs)) != 2:
            raise ValueError(f"costs has the shape {np.shape(costs)}\ngive a matrix of {k} × {k}: truth by answer")
        matrix = of_classes(COSTS, costs, self.classes_.tolist())
        answers: np.ndarray = self.classes_[(self.predict_proba(X) @ matrix).argmin(axis=1)]
        return answers

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class, or of each label."""
        return self._arranged(self._scores(X, proba=True), 0.0)

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """The logarithm of the probability of each class."""
        with np.errstate(divide="ignore"):
            logarithms: np.ndarray = np.log(self.predict_proba(X))
        return logarithms

    def decision_function(self, X: Any) -> np.ndarray:
        """The score of each class; with two classes that of the second over the first."""
        return self._decision(self._scores(X, proba=False))

    def staged_predict(self, X: Any) -> Iterator[np.ndarray]:
        """`predict` after each round."""
        return map(self._answers, self._stages(X, proba=False))

    def staged_predict_proba(self, X: Any) -> Iterator[np.ndarray]:
        """`predict_proba` after each round."""
        return (self._arranged(scores, 0.0) for scores in self._stages(X, proba=True))

    def staged_decision_function(self, X: Any) -> Iterator[np.ndarray]:
        """`decision_function` after each round."""
        return map(self._decision, self._stages(X, proba=False))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows that are answered as in y, with all of their labels."""
        return float(super().score(X, self._right(y), sample_weight))

    def _right(self, y: Any) -> Any:
        """Answers to compare with: labels that have names are put into the order of `classes_`."""
        check_is_fitted(self, "model_")
        _targets.refuse_masked("y", y)
        if not self.model_.sets or frame_of(y, "y") is None:
            return np.asarray(y) if isinstance(y, (list, tuple)) else y
        columns = _targets.arranged(_targets.labels(y), self.model_.answers).columns
        return np.column_stack([values for _, values in columns])

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """`score` after each round."""
        right = self._right(y)
        for answers in self.staged_predict(X):
            hits = answers == right
            yield float(np.average(hits.all(axis=1) if hits.ndim == 2 else hits, weights=sample_weight))

    # What was learned ---------------------------------------------------------------------------------------------------

    @property
    def n_iter_(self) -> int:
        """Rounds that the model has."""
        check_is_fitted(self, "model_")
        return self.model_.rounds

    @property
    def history_(self) -> dict[str, list[float | None]]:
        """What each round did: lists of figures by name."""
        check_is_fitted(self, "model_")
        return self.model_.history()

    @property
    def stop_(self) -> str:
        """Why training ended: `rounds`, `perfect`, `no_edge`, `patience` or `interrupted`."""
        check_is_fitted(self, "model_")
        return self.model_.stop

    @property
    def notes_(self) -> list[str]:
        """What the engine noted about the training rows."""
        check_is_fitted(self, "model_")
        return self.model_.notes

    @property
    def feature_importances_(self) -> np.ndarray:
        """The share of each column in what all tests of the model move."""
        check_is_fitted(self, "model_")
        return np.asarray(self.model_.importances())

    def save(self, path: Any) -> None:
        """Writes the model to a file, which the command line reads too; `manyboost.load` reads it back."""
        check_is_fitted(self, "model_")
        self.model_.save(path)

    def to_onnx(self, path: Any = None) -> bytes:
        """The model as an ONNX graph, also written to `path` if one is given. It is run beside the model before it is given out.

        Labels are integers where classes are, else strings.
        """
        check_is_fitted(self, "model_")
        whole = all(type(label) is int for label in self.classes_.tolist())
        graph = self.model_.to_onnx(whole)
        if path is not None:
            _core.write(path, graph)
        return graph

    def report(self, path: Any, X: Any, y: Any, sample_weight: Any = None) -> None:
        """Writes one HTML page that explains the model, shown on rows that should not be those of training."""
        check_is_fitted(self, "model_")
        rows = self._eval_rows((X, y, sample_weight), self.model_.answers)
        page = _core.page(self.model_, rows, type(self).__name__, f"{self!r}.fit(X, y)", self.threads)
        _core.write(path, page.encode("utf-8"))

    def _repr_html_(self) -> str:
        return _display.html(self, super()._repr_html_())


def _order(model: _core.Model, classes: np.ndarray) -> np.ndarray:
    """For each class of the engine its place in `classes`."""
    if model.sets:
        return np.arange(len(classes))
    places = {_targets.text(label): at for at, label in enumerate(classes.tolist())}
    return np.asarray([places[name] for name in model.classes])


def held_out(eval_set: Any, X_val: Any, y_val: Any, sample_weight_val: Any) -> Any:
    """Rows to validate on as a tuple, however they were given."""
    if X_val is None and y_val is None and sample_weight_val is None:
        return eval_set
    if X_val is None or y_val is None:
        raise ValueError("X_val and y_val belong together, and sample_weight_val to them\ngive both of them")
    if eval_set is not None:
        raise ValueError("both X_val and eval_set are given\ngive one of them")
    return (X_val, y_val) if sample_weight_val is None else (X_val, y_val, sample_weight_val)


def chain(callbacks: Sequence[Callback] | None) -> Callback | None:
    """All callbacks as one."""
    if not callbacks:
        return None

    def all_of(number: int, figures: dict[str, float]) -> bool:
        # Each of them hears of every round.
        return any([bool(callback(number, figures)) for callback in callbacks])

    return all_of
