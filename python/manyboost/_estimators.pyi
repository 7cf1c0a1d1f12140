"""Made from the options that the engine declares (`python/tests/test_stubs.py`)."""

from collections.abc import Collection, Sequence
from typing import Any, Literal

from manyboost._base import BaseBoost

class MCBoostClassifier(BaseBoost):
    def __init__(
        self,
        *,
        costs: Any = None,
        cuts: int | None = None,
        depth: int | None = None,
        features: float | None = None,
        learner: Literal["stump", "tree", "line"] | None = None,
        leaves: int | None = None,
        members: int | Literal["auto"] | None = None,
        min_rows: float | None = None,
        precision: Literal["auto", "wide", "narrow"] | None = None,
        rounds: int | Literal["auto", "sqrt"] | None = None,
        shrinkage: float | None = None,
        sketch: int | None = None,
        subsample: float | None = None,
        temperature: float | Literal["auto"] | None = None,
        text_as: Literal["linear", "words"] | None = None,
        text_cost: float | Literal["auto"] | None = None,
        text_letters: int | Literal["auto"] | None = None,
        text_max_share: float | None = None,
        text_min_docs: int | None = None,
        text_ngrams: int | Literal["auto"] | None = None,
        text_stop_words: Literal["none", "english"] | None = None,
        text_weighting: Literal["tf-idf", "counts", "presence"] | None = None,
        bins: int | None = None,
        ngrams: int | None = None,
        categorical: Collection[Any] = (),
        text: Collection[Any] = (),
        valid: float | None = None,
        split: str | None = None,
        patience: int | None = None,
        metric: str | None = None,
        threads: int | None = None,
        class_weight: Any = None,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    costs: Any
    cuts: int | None
    depth: int | None
    features: float | None
    learner: Literal["stump", "tree", "line"] | None
    leaves: int | None
    members: int | Literal["auto"] | None
    min_rows: float | None
    precision: Literal["auto", "wide", "narrow"] | None
    rounds: int | Literal["auto", "sqrt"] | None
    shrinkage: float | None
    sketch: int | None
    subsample: float | None
    temperature: float | Literal["auto"] | None
    text_as: Literal["linear", "words"] | None
    text_cost: float | Literal["auto"] | None
    text_letters: int | Literal["auto"] | None
    text_max_share: float | None
    text_min_docs: int | None
    text_ngrams: int | Literal["auto"] | None
    text_stop_words: Literal["none", "english"] | None
    text_weighting: Literal["tf-idf", "counts", "presence"] | None

class BoostClassifier(BaseBoost):
    def __init__(
        self,
        booster: Literal["mcboost", "adaboost", "iter", "m1", "mh", "mh-real", "mm", "mo", "mr", "m2", "os", "samme", "ova", "ecc", "logitboost", "lp", "gd-mcboost", "cd-mcboost"] | str = "mcboost",
        *,
        rounds: int | Literal["auto", "sqrt"] | None = None,
        temperature: float | Literal["auto"] | None = None,
        step: Literal["edge", "pieces", "exact", "printed", "opt", "odds", "unit"] | None = None,
        answers: Literal["sign", "abstain", "confidence", "mean", "class", "factored", "oblivious", "codeword", "least-squares", "unit"] | None = None,
        smoothing: float | Literal["auto"] | None = None,
        shrinkage: float | None = None,
        costs: Any = None,
        loss: Literal["exponential", "zero-one", "hinge", "logistic", "savage", "codeword", "own"] | None = None,
        code: Any = None,
        codewords: Any = None,
        dim: int | None = None,
        gamma: str | None = None,
        phi: str | None = None,
        start: Literal["uniform", "skewed"] | None = None,
        condition: Literal["uniform", "minimal"] | None = None,
        decode: Literal["loss", "hamming"] | None = None,
        drop: int | None = None,
        edge: float | Sequence[float] | str | None = None,
        eliminate: Literal["argmin", "last-negative"] | None = None,
        epoch: int | None = None,
        eta: float | Sequence[float] | str | None = None,
        horizon: int | None = None,
        members: int | Literal["auto"] | None = None,
        nu: float | None = None,
        refit: Literal["last", "all"] | None = None,
        relabel: Literal["restrict", "position"] | None = None,
        text_as: Literal["linear", "words"] | None = None,
        text_cost: float | Literal["auto"] | None = None,
        text_letters: int | Literal["auto"] | None = None,
        text_max_share: float | None = None,
        text_min_docs: int | None = None,
        text_ngrams: int | Literal["auto"] | None = None,
        text_stop_words: Literal["none", "english"] | None = None,
        text_weighting: Literal["tf-idf", "counts", "presence"] | None = None,
        votes: Literal["one", "two"] | None = None,
        cuts: int | None = None,
        depth: int | None = None,
        features: float | None = None,
        learner: Literal["stump", "tree", "line", "linear", "product", "c45"] | None = None,
        leaves: int | None = None,
        min_rows: float | None = None,
        precision: Literal["auto", "wide", "narrow"] | None = None,
        sketch: int | None = None,
        subsample: float | None = None,
        regression: Literal["weighted", "resampled"] | None = None,
        factors: int | None = None,
        criterion: Literal["z", "gini", "entropy", "cost"] | None = None,
        confidence: float | None = None,
        prune: Literal["yes", "no"] | None = None,
        bins: int | None = None,
        ngrams: int | None = None,
        categorical: Collection[Any] = (),
        text: Collection[Any] = (),
        valid: float | None = None,
        split: str | None = None,
        patience: int | None = None,
        metric: str | None = None,
        threads: int | None = None,
        class_weight: Any = None,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    rounds: int | Literal["auto", "sqrt"] | None
    temperature: float | Literal["auto"] | None
    step: Literal["edge", "pieces", "exact", "printed", "opt", "odds", "unit"] | None
    answers: Literal["sign", "abstain", "confidence", "mean", "class", "factored", "oblivious", "codeword", "least-squares", "unit"] | None
    smoothing: float | Literal["auto"] | None
    shrinkage: float | None
    costs: Any
    loss: Literal["exponential", "zero-one", "hinge", "logistic", "savage", "codeword", "own"] | None
    code: Any
    codewords: Any
    dim: int | None
    gamma: str | None
    phi: str | None
    start: Literal["uniform", "skewed"] | None
    condition: Literal["uniform", "minimal"] | None
    decode: Literal["loss", "hamming"] | None
    drop: int | None
    edge: float | Sequence[float] | str | None
    eliminate: Literal["argmin", "last-negative"] | None
    epoch: int | None
    eta: float | Sequence[float] | str | None
    horizon: int | None
    members: int | Literal["auto"] | None
    nu: float | None
    refit: Literal["last", "all"] | None
    relabel: Literal["restrict", "position"] | None
    text_as: Literal["linear", "words"] | None
    text_cost: float | Literal["auto"] | None
    text_letters: int | Literal["auto"] | None
    text_max_share: float | None
    text_min_docs: int | None
    text_ngrams: int | Literal["auto"] | None
    text_stop_words: Literal["none", "english"] | None
    text_weighting: Literal["tf-idf", "counts", "presence"] | None
    votes: Literal["one", "two"] | None
    cuts: int | None
    depth: int | None
    features: float | None
    learner: Literal["stump", "tree", "line", "linear", "product", "c45"] | None
    leaves: int | None
    min_rows: float | None
    precision: Literal["auto", "wide", "narrow"] | None
    sketch: int | None
    subsample: float | None
    regression: Literal["weighted", "resampled"] | None
    factors: int | None
    criterion: Literal["z", "gini", "entropy", "cost"] | None
    confidence: float | None
    prune: Literal["yes", "no"] | None
    booster: str

class MultiLabelBoostClassifier(BoostClassifier): ...
