"""What estimators on the collections of an engine share: all but where rows are, and who answers them."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from manyboost._base import BaseBoost


class SpreadBoost(BaseBoost):
    """An estimator on rows that several workers have: everything but `fit`, and what answers rows, is the local estimator's."""

    _local: ClassVar[type[BaseBoost]]

    def _unfitted(self, eval_set: Any) -> BaseBoost:
        """The local estimator, which is what each worker trains; refuses what several workers cannot do."""
        if self.warm_start:
            raise ValueError("warm_start=True: several workers begin anew\nleave it out, or go on with to_local()")
        if self.patience is not None and eval_set is None and self.valid is None:
            raise ValueError("patience needs rows to validate on\ngive eval_set=(X, y) to fit, or valid=0.2 (a fraction)")
        # Whatever draws a seed does so once.
        estimator = self._local(**clone(self).get_params())
        estimator.set_params(random_state=self._seed())
        return estimator

    def _learn(self, fitted: BaseBoost, said: list[str]) -> None:
        """Takes over what a worker has learned, and warns the caller of `fit`."""
        parameters = self.get_params()
        self.__dict__.update({name: value for name, value in vars(fitted).items() if name not in parameters})
        for text in said:
            warnings.warn(text, UserWarning, stacklevel=3)

    def to_local(self) -> BaseBoost:
        """The estimator of `manyboost` itself, with the same model."""
        check_is_fitted(self, "model_")
        local = self._local(**self.get_params())
        local.__dict__.update(self.__dict__)
        return local

    def _by_partition(self, X: Any, function: str) -> Any:
        """A function of the model on rows, where they are."""
        raise NotImplementedError

    def predict(self, X: Any) -> Any:
        """The class of each row, or its labels as zeros and ones, by partition."""
        return self._by_partition(X, "predict")

    def predict_proba(self, X: Any) -> Any:
        """The probability of each class, or of each label, by partition."""
        return self._by_partition(X, "predict_proba")

    def predict_log_proba(self, X: Any) -> Any:
        """The logarithm of the probability of each class, by partition."""
        return self._by_partition(X, "predict_log_proba")

    def decision_function(self, X: Any) -> Any:
        """The score of each class; with two classes that of the second over the first; by partition."""
        return self._by_partition(X, "decision_function")


def eval_rows(eval_set: Any) -> tuple[Any, ...] | None:
    """Rows to validate on, their answers and perhaps their weights."""
    if isinstance(eval_set, list) and len(eval_set) == 1:
        (eval_set,) = eval_set
    if eval_set is not None and (not isinstance(eval_set, tuple) or len(eval_set) not in (2, 3)):
        raise ValueError("eval_set is not a pair\ngive (X, y) or (X, y, sample_weight)")
    return eval_set
