"""Options of the engine: what there is, as estimators have it, and as the engine takes it.

The engine declares its options (`_core.options`): signatures and docstrings are made from that. It decides which booster takes
what, and refuses the rest.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from manyboost import _core
from manyboost._matrices import COSTS, of_classes
from manyboost._targets import text

# Every option of a booster or a learner, with underscores for dashes.
OPTIONS = {option["name"]: option for option in _core.options()}
BOOSTERS = {entry["name"]: entry for entry in _core.boosters()}

# Parameters that all estimators have beside those of boosters and learners: default, type, meaning.
COMMON: dict[str, tuple[Any, str, str]] = {
    "bins": (None, "int, default 255", "Most bins of a numeric column; 0 is a cut between any two values."),
    "ngrams": (None, "int, default 1", "Most words of an n-gram of text."),
    "categorical": ((), "collection of str or int", "Columns that are categories, whatever they look like."),
    "text": ((), "collection of str or int", "Columns that are text, whatever they look like."),
    "valid": (None, "float", "The share of the rows to hold out for validation."),
    "split": (None, 'str, default "drawn"', 'Which rows `valid` holds out: "drawn" ones, or the "last", for rows in the order of time.'),
    "patience": (None, "int", "Rounds without a better log loss on the validation rows after which training stops."),
    "metric": (
        None, 'str, default "log-loss"',
        'What has to be better with `patience`: "log-loss", "error", "macro-f1", "balanced-error", "auc", or "top-N" such as "top-3".',
    ),
    "threads": (None, "int, default all cores", "Threads to use; the model does not depend on it."),
    "class_weight": (None, '"balanced" or dict', "How much rows weigh by their class."),
    "warm_start": (False, "bool", "Whether `fit` goes on from the rounds that are there, on the same data."),
    "random_state": (None, "int or RandomState", "Makes every random choice; None is always the same."),
}

# What other libraries call parameters.
ELSEWHERE = {
    "n_estimators": "rounds", "num_boost_round": "rounds", "max_iter": "rounds", "iterations": "rounds",
    "learning_rate": "shrinkage", "eta": "shrinkage", "max_depth": "depth", "max_leaf_nodes": "leaves",
    "num_leaves": "leaves", "max_leaves": "leaves", "min_samples_leaf": "min_rows", "min_child_samples": "min_rows",
    "colsample_bytree": "features", "max_features": "features", "max_bin": "bins", "n_jobs": "threads",
    "eval_metric": "metric", "seed": "random_state", "early_stopping_rounds": "patience", "n_iter_no_change": "patience",
    "validation_fraction": "valid", "categorical_features": "categorical", "cat_features": "categorical",
}

# What other libraries have and this one refuses, with the reason.
REFUSED = {
    name: "a probability of several classes can fall while the score of its class rises, so that no constraint on trees could promise it"
    for name in ("monotonic_cst", "monotone_constraints", "monotonic_constraints")
}

# Types of values by kind.
TYPES = {"whole": "int", "number": "float", "numbers": "float or sequence of float", "matrix": "matrix", "costs": "matrix", "formula": "str"}


def declared(booster: str | None) -> Callable[[type], type]:
    """Gives a class `__init__` and the documentation of its parameters: the options of one booster, or of all."""
    options = list(OPTIONS.values()) if booster is None else BOOSTERS[booster]["options"]

    def decorate(cls: type) -> type:
        first = () if booster is not None else (("booster", "mcboost"),)
        cls.__init__ = _initializer(first, [option["name"] for option in options])  # type: ignore[misc]
        cls.__doc__ = f"{cls.__doc__}\n{_documentation(options, any_booster=booster is None)}"
        return cls

    return decorate


def _initializer(first: Iterable[tuple[str, Any]], names: Iterable[str]) -> Callable[..., None]:
    """Keeps its arguments as they are given; None is the engine's own default."""
    positional, keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter("self", positional)]
    parameters += [inspect.Parameter(name, positional, default=default) for name, default in first]
    parameters += [inspect.Parameter(name, keyword, default=None) for name in names]
    parameters += [inspect.Parameter(name, keyword, default=default) for name, (default, _, _) in COMMON.items()]
    signature = inspect.Signature(parameters)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        for name in kwargs.keys() - signature.parameters.keys():
            raise unknown(type(self).__name__, name)
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        self._keep(bound.arguments)

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    return __init__


def meaning(name: str) -> str:
    """What a parameter of an estimator means."""
    if name == "booster":
        return f"One of {', '.join(BOOSTERS)}."
    return COMMON[name][2] if name in COMMON else _meaning(OPTIONS[name])


def unknown(owner: str, name: str) -> TypeError:
    """The error of a parameter that there is not, with its name here if another library has it."""
    hint = f"; it is {ELSEWHERE[name]} here" if name in ELSEWHERE else f": {REFUSED[name]}" if name in REFUSED else ""
    return TypeError(f"{owner} has no parameter {name!r}{hint}")


def _documentation(options: list[dict[str, Any]], *, any_booster: bool) -> str:
    """The section of parameters, as numpydoc has it."""
    lines = ["    Parameters", "    ----------"]
    if any_booster:
        lines += ["    booster : str, default \"mcboost\"", f"        {meaning('booster')}"]
    for option in options:
        default = f", default {option['default']}" if option.get("default") else ""
        lines += [f"    {option['name']} : {_type(option)}{default}", f"        {_meaning(option)}"]
    for name, (_, kind, what) in COMMON.items():
        lines += [f"    {name} : {kind}", f"        {what}"]
    return "\n".join([*lines, "    "])


def _type(option: dict[str, Any]) -> str:
    words = [f'"{word}"' for word, _ in option["words"]]
    values = [TYPES[option["kind"]]] if option["kind"] in TYPES else []
    return " or ".join(values + ["{" + ", ".join(words) + "}"] if words else values)


def _meaning(option: dict[str, Any]) -> str:
    words = "; ".join(f'"{word}": {meaning}' for word, meaning in option["words"])
    takers = option.get("boosters", ())
    every = not takers or len(takers) == len(BOOSTERS)
    who = "" if every else f" Taken by {', '.join(takers)}."
    with_ = "".join(f" With {name}={word!r} only." for name, word in option.get("with", {}).items())
    values = words if words else option["allowed"] if option["kind"] in ("whole", "number", "numbers", "formula") else ""
    return f"{option['help']}{': ' + values if values else ''}.{with_}{who}"


def given(options: dict[str, Any], classes: Sequence[Any], *, sets: bool = False) -> list[tuple[str, Any]]:
    """The options that were given, as the engine takes them."""
    return [(name.replace("_", "-"), _value(name, value, classes, sets)) for name, value in options.items() if value is not None]


def parameter(text: str) -> Any:
    """An option of the engine as it is given here: a number if it is one."""
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _value(name: str, value: Any, classes: Sequence[Any], sets: bool) -> Any:
    kind = OPTIONS[name]["kind"] if name in OPTIONS else None
    if kind not in ("matrix", "costs") or isinstance(value, (str, os.PathLike)):
        return _text(value, many=kind == "numbers")
    matrix, texts = of_classes(name, value, classes), [text(label) for label in classes]
    if name == COSTS:
        return texts, matrix
    # Without names, rows are in the order that the engine has classes in.
    return matrix if sets or len(matrix) != len(texts) else matrix[_core.class_order(texts)]


def _text(value: Any, *, many: bool = False) -> str:
    if many and isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(_text(part) for part in value)
    if isinstance(value, np.generic):
        value = value.item()
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)
